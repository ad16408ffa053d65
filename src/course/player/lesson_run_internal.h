/* A session that is led through the pages of a lesson: it runs their code in order, each line once.
 *
 * A page's code runs when the page is reached. The lines that it offers to type run when the
 * session leaves the page, except for those that were typed by then. The player has two of these:
 * the lesson's reference session and the learner's session (player.h). */
#ifndef ATTN_COURSE_PLAYER_LESSON_RUN_INTERNAL_H
#define ATTN_COURSE_PLAYER_LESSON_RUN_INTERNAL_H

#include "course/lesson/question.h"
#include "course/lesson/page.h"
#include "lang/session/session.h"

/* The state of a session after a part of a page. */
struct run_mark {
    size_t past; /* lines that had worked (session_take_back()) */
    size_t picture_page;
};

/* The parts of a shown page that the run keeps. */
struct kept_page {
    struct page_record page;  /* no page: it was not shown, or failed */
    struct code_record offer; /* the lines that it offers */
    bool has_offer;           /* they have run */
    size_t offer_cols;        /* the columns for which they ran */
    struct question_cells
        cells;        /* those of its question; the player owns them, and the next field */
    struct text told; /* the right answer as learners see it; "": there is no such answer */
    /* Valid while the session is at this state or later: after its code, and after its offer. */
    struct run_mark end, closed;
};

struct lesson_run {
    const struct lesson *lesson; /* borrowed */
    struct session session;
    /* If set, a line of the lesson that fails is reported in out, and the next one runs: a learner
     * may have changed the names that it uses. Otherwise it is an error, and the session starts
     * again. */
    bool is_tolerant;
    struct text *log;     /* borrowed: gets the lines that ran and a mark for each page; or NULL */
    size_t reached;       /* pages whose code has run, from the first on */
    size_t n_lines;       /* lines of the next page that ran before it was interrupted */
    uint64_t typed;       /* bit i: line i of the last reached page's offer was typed, or has run */
    bool offer_is_closed; /* the session has left that offer */
    size_t picture_page;  /* the page, from 1, that drew the session's picture; 0: none has */
    unsigned n_drawings;  /* the session's drawings, when that page was noted */
    struct kept_page *kept; /* one for each page of the lesson; NULL: the run keeps no pages */
    unsigned n_runs;        /* pages that it ran, each as often as it ran */
};

/* Starts a run at the lesson's start that is not tolerant and has no log. */
void lesson_run_init(struct lesson_run *run, const struct lesson *lesson,
                     const struct settings *settings, const char *data_dir,
                     const volatile sig_atomic_t *stop);
void lesson_run_release(struct lesson_run *run);
/* Goes back to the lesson's start, with a new session. */
void lesson_run_restart(struct lesson_run *run);

/* Runs all code that the pages before this one have and offer; does nothing if the page was
 * reached. */
bool lesson_run_until(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr);
/* Runs the page's code, unless it was reached. The pages before it have run. */
bool lesson_run_page(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr);

/* True when the last reached page offers lines that are not typed yet. */
bool lesson_run_is_offering(const struct lesson_run *run);
/* The first of these lines, inside the lesson's text; a statement over several rows is one line.
 * NULL: the page offers no more lines, or only lines after its 64th. */
const char *lesson_run_offered(const struct lesson_run *run, size_t *ret_size);
/* Runs these lines and shows them with their output; then the page offers nothing any more. A run
 * that keeps pages keeps them too. *ret_picture is set as code_record_show() sets it. */
bool lesson_run_show_offer(struct lesson_run *run, struct doc *out, struct page_lines *ret_picture,
                           struct error *reterr);

/* Notes a line that the learner ran, which may be one of the offered lines: the first one that is
 * the same and was not typed yet. */
void lesson_run_note_typed(struct lesson_run *run, const char *line, size_t size);
/* Adds a line to the log. */
void lesson_run_log_line(struct lesson_run *run, const char *line, size_t size);
/* Runs the lines of such a log in a new session. It counts and reports lines that no longer work (a
 * file may be missing); the others run. */
bool lesson_run_replay(struct lesson_run *run, const struct text *lines, struct doc *out,
                       struct error *reterr);

#endif
