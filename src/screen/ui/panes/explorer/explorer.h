/* The explorer: a view on a pipeline, with a cursor on any number of any stage. Enter opens the
 * arithmetic of the number and goes down to those it was made from. */
#ifndef ATTN_UI_PANES_EXPLORER_EXPLORER_H
#define ATTN_UI_PANES_EXPLORER_EXPLORER_H

#include "graph/node.h"
#include "show/heat.h"
#include "pipeline/exploration.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

enum {
    EXPLORER_MAX_DEPTH = 64,  /* cells that can be open, each made from the next */
    EXPLORER_NAME_BYTES = 64, /* of a variable's name, with its end */
    EXPLORER_SENTENCES = 8,   /* that are remembered */
    EXPLORER_SENTENCE_BYTES = 256,
};

enum explorer_view {
    EXPLORE_CHAIN, /* all stages at once; where they do not fit: numbers */
    EXPLORE_NUMBERS,
    EXPLORE_HEAT,
    EXPLORE_WORDS,
    EXPLORE_VIEWS
};

struct explorer {
    struct pipeline pipeline;
    const struct session *variables;    /* whose tensors can be shown by name; borrowed, or NULL */
    char variable[EXPLORER_NAME_BYTES]; /* the name there of the tensor shown; "": none, or a
                                         * sentence is shown */
    uint64_t source_id; /* of that tensor, to see whether the name means another one now */

    /* The sentences that were shown, the last one first, each once. */
    char sentences[EXPLORER_SENTENCES][EXPLORER_SENTENCE_BYTES];
    size_t n_sentences;
    size_t recalled; /* which of them Up has put into the field; n_sentences: none */

    enum explorer_view view;
    enum heat_scale scale;       /* of the heatmap */
    size_t stage;                /* the one shown */
    unsigned head;               /* which of its tables, from 0 */
    uint64_t marked_heads;       /* bit i: the lines of head i are drawn beside those of `head` */
    bool draws_all_lines;        /* of all words; else of the word under the cursor */
    size_t row, col;             /* the cursor in it */
    size_t first_row, first_col; /* scrolled so far */
    size_t query, key;           /* the words that the cursor stood for last, in the whole chain */

    /* The open cells, from the one opened first to the one that is shown; depth 0: none is open. */
    struct explorer_step {
        struct cell cell;               /* one share of its node */
        size_t choice;                  /* which of the cells it was made from is chosen */
        char name[EXPLORER_NAME_BYTES]; /* of the node in the session, where a change puts another
                                         * node in its place; "": none */
    } path[EXPLORER_MAX_DEPTH];
    size_t depth;
    int why_down;     /* rows of the arithmetic that are scrolled away above */
    bool why_follows; /* or so many that the number chosen in it is seen */

    bool is_going;  /* g was pressed: the next key says to which stage */
    bool is_typing; /* keys go into the field */
    bool is_bare;   /* it is drawn for a file: without cursor, keys and options */
    enum explorer_asks {
        ASKS_NUMBER, /* for the cell under the cursor */
        ASKS_SOURCE, /* a sentence, or a name of the prompt */
        ASKS_HEADS,  /* how many */
    } asks;          /* what is typed into it */
    struct field field;
    char message[160];           /* the last error or remark, for the bottom line */
    int rows, cols;              /* of the pane, as explorer_resize() was told; 0: not yet */
    struct explorer_table *kept; /* the table on that pane, so that not every frame makes it anew;
                                  * or NULL */
};

/* Shows the example's sentence. data_dir and stop as for pipeline_init(). */
bool explorer_init(struct explorer *explorer, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct error *reterr);

/* Another sentence; fails as pipeline_set_sentence(), and then nothing changes. */
bool explorer_set_sentence(struct explorer *explorer, const char *sentence, struct error *reterr);
/* Where a tensor is shown, the last sentence instead; else what is shown stays. */
void explorer_show_sentence(struct explorer *explorer);
/* A copy of a tensor of another session; fails as pipeline_set_node(), and then nothing changes. */
bool explorer_show_node(struct explorer *explorer, struct node *node, struct error *reterr);
/* The same, with the cursor on a number of it, whose arithmetic is open. */
bool explorer_open_number(struct explorer *explorer, struct cell cell, struct error *reterr);
/* The session whose tensors can be shown by name, until the next call; NULL: none. To be called
 * again before that session is released, and where another one takes its place. */
void explorer_use_variables(struct explorer *explorer, const struct session *variables);
/* Shows what a person asks for: the tensor that a line names, where it is a name of the variables,
 * else the line as a sentence. Words in double quotes are a sentence in any case. Nothing changes
 * on failure: ERR_NAME for a name of what is no tensor, and as the functions above. */
bool explorer_show(struct explorer *explorer, const char *line, struct error *reterr);
/* Shows what an exploration says: of what it does not say, what is shown stays. Nothing changes on
 * failure but what came before it: ERR_NAME for a stage that there is not. */
bool explorer_explore(struct explorer *explorer, const struct exploration *exploration,
                      struct error *reterr);
/* The last sentence and its options: as exploration_read() takes it; and for a person, with nothing
 * for the example as it is at first. */
void explorer_write_exploration(const struct explorer *explorer, struct text *text);
void explorer_describe(const struct explorer *explorer, struct text *text);
/* The sentences that were shown, a line each, the last one first; and taken back from that. */
void explorer_write_sentences(const struct explorer *explorer, struct text *text);
void explorer_remember(struct explorer *explorer, const char *sentences);
/* What is shown: "Hello shiny sun!" in its quotes, S of the prompt, or the formula of a tensor
 * without a name. */
void explorer_write_source(const struct explorer *explorer, struct text *text);

/* ---- the operations of a pane; state is a struct explorer ---- */

extern const struct pane_ops explorer_ops;

/* key: the one that was pressed, a digit for REQ_HEAD. */
bool explorer_request(void *state, enum request request, int key);
/* A key while something is being typed: Enter takes it. False when nothing is being typed. */
bool explorer_key(void *state, int key);
bool explorer_click(void *state, struct area area, int row, int col, bool is_double);
void explorer_wheel(void *state, int steps);
/* Scrolls so that the cursor stays in sight. Drawing shows the cursor in any case; told the size,
 * the table also stands still while the cursor moves inside of what is seen. */
void explorer_resize(void *state, int rows, int cols);
void explorer_draw(const void *state, struct area area, bool focused, bool ascii);
void explorer_draw_bare(const void *state, struct area area, bool ascii);
/* table: the head or the table that is shown, else the number under the cursor. */
bool explorer_copy(const void *state, bool table, struct text *ret, struct text *what);
void explorer_write_name(const void *state, struct text *name); /* of the stage */
void explorer_release(void *state);

#endif
