/* An exercise, in two panes: the task with what the learner has done and the hints, and the result
 * of grading their file. Each save of the file is graded.
 *
 * Grading is done by another attn, `attn check FILE --spans COLUMNS`, so that the screen goes on
 * meanwhile. */
#ifndef ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_H
#define ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_H

#include "course/progress/progress.h"
#include "exercise/exercises.h"
#include "exercise/learner_files.h"
#include "files/saves.h"
#include "lang/session/session.h"
#include "ui/terminal/child.h"
#include "ui/terminal/find.h"
#include "ui/terminal/pane.h"

enum exercise_pane_verdict {
    EXERCISE_PANE_UNGRADED, /* nothing yet, or it could not be graded */
    EXERCISE_PANE_PASSED,
    EXERCISE_PANE_FAILED,
};

/* What grading an exercise gave last, for as long as the program runs. */
struct exercise_pane_result {
    enum exercise_pane_verdict verdict;
    struct doc doc;     /* empty before the first grading */
    struct doc shown;   /* what the program shows of itself (SHOW); empty where it shows nothing */
    struct text source; /* the text that was graded */
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
    struct exercise_progress done;   /* what the learner has done of it */
    struct text task;                /* as Markdown, with its blocks computed */
    bool shows_shown;                /* in place of the result: its page of what is shown */
    bool shows_solutions;            /* below the task: other ways to write it */
    struct doc page;                 /* all lines of the pane, laid out in width_cols */
    char folder[LEARNER_PATH_BYTES]; /* of the learner's files; "": not found */
    char path[LEARNER_PATH_BYTES];   /* the learner's file; "": not found */
    struct saves saves;
    bool watches; /* saves is open */

    enum exercise_pane_job job;
    struct child child;
    size_t job_at;   /* the exercise that is graded */
    size_t job_cols; /* the width of the lines of its result */
    bool job_again;  /* it was graded before: only the width is another one */
    struct text job_source;
    struct doc early;            /* what grading has told already: the verdict; or empty */
    int64_t began_ms;            /* -1: at the next tick */
    int64_t elapsed_ms;          /* of the job, at the last tick */
    int64_t due_ms;              /* when saved files are looked at; -1: nothing was saved */
    int64_t relay_ms;            /* since when the result has another width; -1: it has not */
    int64_t now_ms;              /* of the last tick */
    bool saw_save;               /* a save of the exercise that is open came before it was opened */
    bool shown;                  /* the view had the pane at the last tick */
    struct pane_request request; /* to run the editor, or to bring a pane into sight */
    struct text says;            /* a message, until the next key */
    enum style says_style;

    size_t width_cols, result_cols; /* for the lines of the two panes */
    int rows, result_rows;
    int task_rows, task_cols; /* of the task now; 0: it is not seen */
    struct exercise_pane_scroll {
        size_t line, col; /* the first line and column that are seen */
    } scroll, result_scroll;
    struct find find, result_find; /* of words in the lines of the two panes */
};

/* Borrows progress and the strings; the settings are copied. The struct may not be moved
 * afterwards. */
void exercise_pane_init(struct exercise_pane *pane, const struct settings *settings,
                        const char *data_dir, const char *program, struct progress *progress);

/* All exercises, read at the first call. NULL with *reterr on failure. */
const struct exercises *exercise_pane_list(struct exercise_pane *pane, struct error *reterr);
/* Opens an exercise by any name of it. ERR_NAME when no exercise has that name. */
bool exercise_pane_open(struct exercise_pane *pane, const char *name, struct error *reterr);
const struct exercise *exercise_pane_current(
    const struct exercise_pane *pane); /* NULL: no exercise is open */

/* The sizes of the two panes; of a pane that is not seen, the size that it would have. */
void exercise_pane_resize(struct exercise_pane *pane, int rows, int cols, int result_rows,
                          int result_cols);

/* Runs the learner's editor on the file and waits for its end. The terminal must be given away. */
void exercise_pane_edit(void *state);

/* ---- the operations of its two panes; state is a struct exercise_pane ---- */

/* The task; and the result. The one that is not seen has the other's size. */
extern const struct pane_ops exercise_task_ops, exercise_result_ops;
extern const struct binding exercise_pane_bindings[];

int exercise_pane_fds(const void *state, int fds[PANE_MAX_FDS]);
int exercise_pane_timeout_ms(const void *state);
/* Follows the grading, and the saves where the view has the pane. */
void exercise_pane_tick(void *state, int64_t now_ms, bool in_view);
bool exercise_task_request(void *state, enum request request, int key);
bool exercise_result_request(void *state, enum request request, int key);
bool exercise_pane_take_request(void *state, struct pane_request *ret);
void exercise_task_draw(const void *state, struct area area, bool focused, bool ascii);
void exercise_result_draw(const void *state, struct area area, bool focused, bool ascii);
void exercise_pane_release(void *state); /* stops what is being graded */

#endif
