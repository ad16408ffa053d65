/* The exercise pane: what is asked for, how far the learner is, hints; and beside it the result of
 * grading their file. Saves of the file are graded as they happen.
 *
 * Grading is done by another attn, `attn check FILE --spans COLUMNS`, so that the screen goes on
 * meanwhile. The loop waits for what exercise_pane_fds() names, for exercise_pane_timeout_ms() at
 * most, and then calls exercise_pane_tick(). */
#ifndef ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_H
#define ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_H

#include "course/progress/progress.h"
#include "exercise/exercises.h"
#include "exercise/learner_files.h"
#include "files/saves.h"
#include "lang/session/session.h"
#include "ui/terminal/child.h"
#include "ui/terminal/pane.h"

enum exercise_pane_verdict {
    EXERCISE_PANE_UNGRADED, /* nothing yet, or it could not be graded */
    EXERCISE_PANE_PASSED,
    EXERCISE_PANE_FAILED,
};

/* What grading an exercise gave last, for as long as the program runs. */
struct exercise_pane_result {
    enum exercise_pane_verdict verdict;
    struct doc doc;     /* empty before the first */
    struct text source; /* what was graded */
    size_t width_cols;  /* of the Doc */
    char clock[16];     /* when: "12:04:33" */
};

enum exercise_pane_job { EXERCISE_PANE_IDLE, EXERCISE_PANE_GRADES, EXERCISE_PANE_STARTS };

struct exercise_pane {
    struct progress *progress; /* borrowed, as data_dir and program */
    const char *data_dir;      /* or NULL */
    const char *program;       /* the path of this attn; NULL: nothing can be graded */
    bool ascii, colour;
    int digits;

    struct exercises exercises;           /* empty until they are needed */
    struct exercise_pane_result *results; /* [exercises.n] */
    size_t at;                            /* the exercise that is open */
    bool is_open;
    struct exercise_progress done;   /* at it */
    struct text task;                /* its task as Markdown, its blocks computed */
    struct doc page;                 /* all lines of the pane, laid out in width_cols */
    char folder[LEARNER_PATH_BYTES]; /* of the learner's files; "": there is none */
    char path[LEARNER_PATH_BYTES];   /* the learner's file; "": there is none */
    struct saves saves;
    bool watches; /* saves is open */

    enum exercise_pane_job job;
    struct child child;
    size_t job_at;   /* the exercise that is graded */
    size_t job_cols; /* for lines so wide */
    bool job_again;  /* as graded before, for another width */
    struct text job_source;
    int64_t began_ms;            /* -1: at the next tick */
    int64_t elapsed_ms;          /* of the job, at the last tick */
    int64_t due_ms;              /* when what was saved is looked at; -1: nothing was */
    int64_t relay_ms;            /* when the result is made for another width; -1: not */
    int64_t now_ms;              /* of the last tick */
    bool saw_save;               /* of the exercise that was opened since */
    bool shown;                  /* at the last tick */
    struct pane_request request; /* the editor; or what is new, to be brought into sight */
    struct text says;            /* one thing to say, until the next key */
    enum style says_style;

    size_t width_cols, result_cols; /* for the lines of the two panes */
    int rows, result_rows;
    int task_rows, task_cols; /* of the task as it is seen; 0: it is not */
    struct exercise_pane_scroll {
        size_t line, col; /* the first ones that are seen */
    } scroll, result_scroll;
};

/* Borrows all but the settings; progress and the strings outlive it. It may not be moved while it
 * is open. */
void exercise_pane_init(struct exercise_pane *pane, const struct settings *settings,
                        const char *data_dir, const char *program, struct progress *progress);

/* All exercises, read at the first call. NULL with *reterr where they can't be. */
const struct exercises *exercise_pane_list(struct exercise_pane *pane, struct error *reterr);
/* Opens an exercise by any name of it. ERR_NAME when there is none. */
bool exercise_pane_open(struct exercise_pane *pane, const char *name, struct error *reterr);
const struct exercise *exercise_pane_current(
    const struct exercise_pane *pane); /* NULL: none is open */

/* The sizes of its two panes as laid out; of a pane that is not shown, what it would have. */
void exercise_pane_resize(struct exercise_pane *pane, int rows, int cols, int result_rows,
                          int result_cols);

/* Runs the learner's editor on the file and waits for its end. The terminal must be given away. */
void exercise_pane_edit(void *state);

/* ---- the operations of its two panes; state is a struct exercise_pane ---- */

/* The task; and the result. The one that is not seen has the other's size. */
extern const struct pane_ops exercise_task_ops, exercise_result_ops;
extern const struct binding exercise_pane_bindings[];

/* What to wait for. Descriptors may be -1. */
int exercise_pane_fds(const void *state, int fds[PANE_MAX_FDS]);
int exercise_pane_timeout_ms(const void *state); /* -1: for ever */
/* Follows the grading, and the saves where the view has the pane. */
void exercise_pane_tick(void *state, int64_t now_ms, bool in_view);
bool exercise_task_request(void *state, enum request request, int key);
bool exercise_result_request(void *state, enum request request, int key);
bool exercise_pane_take_request(void *state, struct pane_request *ret);
void exercise_task_draw(const void *state, struct area area, bool focused, bool ascii);
void exercise_result_draw(const void *state, struct area area, bool focused, bool ascii);
void exercise_pane_release(void *state); /* stops what is being graded */

#endif
