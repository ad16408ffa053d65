/* The training pane: a model learns, step by step, between the keys. It shows the curves, all
 * heads, one of them large, and what the model says of a sequence; the same at any earlier step,
 * and branches from there. A training whose steps are all taken, or that comes from a file, is a
 * film: it plays by itself from its first snapshot to its last. */
#ifndef ATTN_UI_PANES_TRAINING_TRAINING_PANE_H
#define ATTN_UI_PANES_TRAINING_TRAINING_PANE_H

#include "graph/graph.h"
#include "lang/builtins/settings.h"
#include "model/show_model.h"
#include "show/doc.h"
#include "train/exam.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

struct film;
struct run;

/* What the pane is opened with; all borrowed until it is released. */
struct training_start {
    struct film *film;
    const char *folder; /* where the model is saved */
    bool is_played;     /* the film comes from a file: it plays at once, and nothing is trained
                         * until a branch is asked for */
    bool from_home;    /* leaving goes home, and not out of attn. Nobody saves after that: where the
                        * learner wants it, the pane saves, and stays where saving fails */
    size_t save_every; /* steps from one saving to the next; 0: each half minute */
    bool *ret_left;    /* set where somebody leaves without wanting to save; or NULL */
    bool *ret_saved;   /* set where w saved a step before that; or NULL */
};

/* What was opened inside the running program. */
struct training_own {
    struct film *film; /* NULL: nothing was */
    char what[1100];   /* "task induction" */
    char folder[128];  /* where its model is saved: one that is not there yet */
    bool is_saved;     /* the learner saved it, or an earlier step */
};

/* The model at one step. */
struct training_look {
    size_t branch, step;
    bool is_there;
    struct run *run;  /* of the probe; NULL where it could not be computed */
    struct text told; /* how it goes on with a text; empty for tasks */
    int64_t made_ms, told_ms;
};

/* Where everything stands. */
struct training_layout {
    int left_cols, heads_col, one_col; /* of the curves; where the heads and the large one begin */
    int body_rows, table_rows, foot_rows;
    int film_row; /* of the bar that says where in the film one is */
    bool shows_heads, shows_one;
    int loss_lines, right_lines;
};

struct training_pane {
    struct settings settings;
    const volatile sig_atomic_t *stop; /* of what goes on between the keys */
    struct training_start start;
    struct training_own own;
    struct film *film; /* NULL: no training is open */
    struct probe probe;
    struct graph graph; /* of the looks */

    bool is_begun; /* its first frame was asked for */
    bool is_running, in_view;
    bool is_live; /* the newest step is seen, else `step` of `branch` */
    size_t branch, step;
    size_t layer, head; /* the head that is chosen */
    bool is_one;        /* it alone is seen, where both have no room */
    struct training_look look;
    int64_t run_ms; /* since when it trains without a break, and from which step on */
    size_t run_step;
    int64_t saved_ms; /* when it was saved last, and at which step */
    size_t saved_step;
    size_t kept_branches, kept_count; /* of the film as it is in a file, or was when it opened */
    bool is_leaving;                  /* it asks what becomes of what no file has */

    bool is_playing;   /* the film moves by itself: */
    int64_t played_ms; /* how far it is, of FILM_PLAY_MS */
    int64_t play_ms;   /* the clock when that was counted; 0: not yet */

    int rows, cols;
    bool is_stale; /* the docs are not those of the look, or of the size */
    struct training_layout layout;
    struct heads_layout heads;
    struct doc loss, right, grid, one, table, foot;

    bool is_typing;
    struct field field;
    bool is_forking, is_fork_seen; /* Enter was pressed there, and that has been painted */
    char message[300];
    struct pane_request request;
};

/* An empty pane. stop ends what is computed between two keys: it is set once a key comes. */
void training_pane_init(struct training_pane *pane, const struct settings *settings,
                        const volatile sig_atomic_t *stop);
/* Shows a training, and begins with it. */
bool training_pane_open(struct training_pane *pane, const struct training_start *start,
                        struct error *reterr);
/* Opens "task NAME", "text PATH" or "film NAME", which is played, in place of what was opened so
 * before. Where it is the one that is open, nothing happens. On failure what is open stays.
 * data_dir is borrowed. */
bool training_pane_open_own(struct training_pane *pane, const char *what, const char *data_dir,
                            struct error *reterr);
/* Frees what training_pane_open_own() opened; else does nothing. */
void training_pane_close(struct training_pane *pane);
/* The run that is seen, which the pane owns; or NULL. */
struct run *training_pane_run(const struct training_pane *pane);

/* The operations of a pane; state is a struct training_pane. */
extern const struct pane_ops training_pane_ops;

#endif
