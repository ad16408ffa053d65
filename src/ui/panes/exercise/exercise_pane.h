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
#include "ui/terminal/canvas.h"
#include "ui/terminal/child.h"
#include "ui/terminal/input.h"

enum { EXERCISE_PANE_FDS = CHILD_FDS };

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

/* What only the program around it can do, or show. */
enum exercise_pane_wish {
    EXERCISE_PANE_NO_WISH,
    EXERCISE_PANE_EDIT,   /* give the terminal away, call exercise_pane_edit(), take it back */
    EXERCISE_PANE_RESULT, /* there is a new result: bring it into sight */
    EXERCISE_PANE_TASK,   /* another exercise, or a hint: bring the task into sight */
};

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
    int64_t began_ms;   /* -1: at the next tick */
    int64_t elapsed_ms; /* of the job, at the last tick */
    int64_t due_ms;     /* when what was saved is looked at; -1: nothing was */
    int64_t relay_ms;   /* when the result is made for another width; -1: not */
    int64_t now_ms;     /* of the last tick */
    bool saw_save;      /* of the exercise that was opened since */
    bool shown;         /* at the last tick */
    enum exercise_pane_wish wish;
    struct text says; /* one thing to say, until the next key */
    enum style says_style;

    size_t width_cols, result_cols; /* for the lines of the two panes */
    int rows, result_rows;
    struct exercise_pane_scroll {
        size_t line, col; /* the first ones that are seen */
    } scroll, result_scroll;
};

/* Borrows all but the settings; progress and the strings outlive it. It may not be moved while it
 * is open. */
void exercise_pane_init(struct exercise_pane *pane, const struct settings *settings,
                        const char *data_dir, const char *program, struct progress *progress);
void exercise_pane_release(struct exercise_pane *pane); /* stops what is being graded */

/* All exercises, read at the first call. NULL with *reterr where they can't be. */
const struct exercises *exercise_pane_list(struct exercise_pane *pane, struct error *reterr);
/* Opens an exercise by any name of it. ERR_NAME when there is none. */
bool exercise_pane_open(struct exercise_pane *pane, const char *name, struct error *reterr);
const struct exercise *exercise_pane_current(
    const struct exercise_pane *pane); /* NULL: none is open */

/* The sizes of its two panes as laid out; of a pane that is not shown, what it would have. */
void exercise_pane_resize(struct exercise_pane *pane, int rows, int cols, int result_rows,
                          int result_cols);

/* What to wait for. Descriptors may be -1. */
void exercise_pane_fds(const struct exercise_pane *pane, int fds[EXERCISE_PANE_FDS]);
int exercise_pane_timeout_ms(const struct exercise_pane *pane); /* -1: for ever */
/* Follows the grading, and the saves where `shown`. now_ms is any clock that only goes on. */
void exercise_pane_tick(struct exercise_pane *pane, int64_t now_ms, bool shown);

/* in_result: the result has the focus, and scrolls. */
bool exercise_pane_request(struct exercise_pane *pane, enum request request, bool in_result);
void exercise_pane_scroll(struct exercise_pane *pane, bool in_result, int lines, int cols);
enum exercise_pane_wish exercise_pane_take_wish(struct exercise_pane *pane);
/* Runs the learner's editor on the file and waits for its end. The terminal must be given away. */
void exercise_pane_edit(struct exercise_pane *pane);

void exercise_pane_draw(const struct exercise_pane *pane, struct area area, bool focused,
                        bool ascii);
void exercise_pane_draw_result(const struct exercise_pane *pane, struct area area, bool focused,
                               bool ascii);

/* For both of its panes. */
extern const struct binding exercise_pane_bindings[];

#endif
