/* The explorer: the way from a sentence to its context vectors, a stage at a time, with a cursor on
 * any number. This is its model and its drawing; it runs formulas in a session of its own and
 * computes nothing itself. */
#ifndef ATTN_UI_PANES_EXPLORER_EXPLORER_H
#define ATTN_UI_PANES_EXPLORER_EXPLORER_H

#include "lang/session/session.h"
#include "tensor/tensor.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/field.h"
#include "ui/terminal/input.h"

enum {
    EXPLORER_MAX_STAGES = 16,
    EXPLORER_MAX_DEPTH = 64,
    EXPLORER_MAX_HEADS = 9,
    EXPLORER_MAX_EDITS = SESSION_UNDO_STEPS,
};

enum explorer_mask { EXPLORE_NO_MASK, EXPLORE_CAUSAL, EXPLORE_PADDING, EXPLORE_MASKS };
enum explorer_view { EXPLORE_NUMBERS, EXPLORE_HEAT, EXPLORE_WORDS, EXPLORE_VIEWS };

struct explorer_stage {
    char name[24];     /* E, X, Q, K, V, scores, scaled, masked, weights, context, heads, output: a
                        * name of the session; or the formula of a tensor without one */
    unsigned level;    /* stages of one level stand side by side */
    struct node *node; /* one share */
    struct tensor before; /* as it was before the last edit, same shape; data NULL: not changed */
    size_t n_changed;     /* numbers that differ from it */
    bool has_words;       /* they are weights, which can be drawn as lines between words */
};

struct explorer {
    struct session session;
    char sentence[256]; /* "": a tensor of another session is shown */
    char variable[64];  /* the name it has there; "": none, or a sentence is shown */
    uint64_t source_id; /* of that tensor, to see whether the name means another one now */
    const struct session *variables; /* whose tensors can be shown by name; borrowed, or NULL */
    enum explorer_mask mask;
    bool scale;
    double temperature; /* scores are divided by it too; 1 at first */
    unsigned n_heads;   /* 1 at first; more: E is widened to X, W_q, W_k, W_v, W_o come in, and
                         * heads > output */
    unsigned head;      /* the one shown, from 0 */
    enum explorer_view view;

    struct explorer_stage stages[EXPLORER_MAX_STAGES];
    size_t n_stages, stage;      /* the one shown */
    size_t row, col;             /* the cursor in it */
    size_t first_row, first_col; /* scrolled so far */

    /* The descent: cells from the one asked first to the one that is open; 0: none is open. */
    struct explorer_step {
        struct cell cell; /* one share of its node */
        size_t choice;    /* which of its parents is chosen */
    } path[EXPLORER_MAX_DEPTH];
    size_t depth;
    int why_up; /* rows of the open arithmetic that PgUp brought back from above */

    bool edits;         /* something is being typed: keys go to explorer_edit_key() */
    bool asks;          /* it is a sentence or a name, not a number */
    struct field typed; /* what it is so far */
    char edit_lines[EXPLORER_MAX_EDITS][128]; /* whatif NAME[i, j] = v, done and not undone */
    size_t n_edits;
    int rows, cols;              /* of the pane, as explorer_resize() was told; 0: not yet */
    char message[160];           /* the last error or remark, for the bottom line */
    struct explorer_table *kept; /* the table on that pane, not to be made anew for each frame; or
                                  * NULL */
};

bool explorer_init(struct explorer *explorer, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct error *reterr);
void explorer_release(struct explorer *explorer);
/* Another sentence. ERR_NAME when it has no words, ERR_LIMIT over 64 of them; nothing changes then.
 */
bool explorer_set_sentence(struct explorer *explorer, const char *sentence, struct error *reterr);
/* Where a tensor is shown, the example's sentence instead; else what is shown stays. */
void explorer_show_sentence(struct explorer *explorer);
/* Shows a tensor of another session, with the stages before it (graph/trace.h), instead of a
 * sentence. Edits then change a copy. */
bool explorer_show_node(struct explorer *explorer, struct node *node, struct error *reterr);
/* The session whose tensors can be shown by name, until the next call; NULL: none. To be called
 * again before that session is released, and where another one takes its place. */
void explorer_use_variables(struct explorer *explorer, const struct session *variables);
/* Shows what a person asks for: the tensor that a line names, where it is a name of the variables,
 * else the line as a sentence. Words in double quotes are a sentence in any case. Nothing changes
 * on failure: ERR_NAME for a name of what is no tensor, and as the functions above. */
bool explorer_show(struct explorer *explorer, const char *line, struct error *reterr);
/* What is shown: "Hello shiny sun!" in its quotes, or S of the prompt. */
void explorer_write_source(const struct explorer *explorer, struct text *text);

/* Does what a key asks for; false when it is none of its requests. digit: for REQ_HEAD. */
bool explorer_request(struct explorer *explorer, enum request request, int digit);
/* A key while something is being typed; Enter takes it, Escape gives it up. */
void explorer_edit_key(struct explorer *explorer, int key);
bool explorer_click(struct explorer *explorer, struct area area, int row, int col, bool is_double);
void explorer_wheel(struct explorer *explorer, int steps);
/* The pane has this size, or another one now: scrolls so that the cursor stays in sight. Drawing
 * shows the cursor in any case; told the size, the table also stands still while the cursor moves
 * inside of what is seen. */
void explorer_resize(struct explorer *explorer, int rows, int cols);
void explorer_draw(const struct explorer *explorer, struct area area, bool focused, bool ascii);

extern const struct binding explorer_bindings[];

#endif
