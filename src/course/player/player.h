/* The player: one learner in one lesson, turning its pages.
 *
 * A page is shown as a Doc; the learner answers, asks for hints, skips, goes back, or runs lines of
 * the language, and each of these gives a Doc again. The player computes and remembers; the caller
 * shows, in lines or in a pane.
 *
 * Two sessions run side by side (question.h). The reference session runs only the lesson's code:
 * the numbers of the prose and the right answers come from it. The learner's session runs the same
 * and the learner's own lines. If something can't be remembered, the Doc says so, and the lesson
 * goes on. */
#ifndef ATTN_COURSE_PLAYER_PLAYER_H
#define ATTN_COURSE_PLAYER_PLAYER_H

#include "course/lesson/question.h"
#include "course/player/lesson_run_internal.h"
#include "course/progress/lesson_count.h"

/* Called when a page is to be opened, before it and the pages before it run, which may take
 * seconds. */
typedef void player_announce(void *context, const struct lesson *lesson, size_t page);

struct player {
    struct lesson *lesson;
    struct progress *progress; /* borrowed */
    size_t page;               /* the learner's page, from 0 */
    /* Runs the lesson's code up to this page, keeps the pages that it ran, and goes back to them
     * without running them again. */
    struct lesson_run reference;
    struct lesson_run learner;   /* it goes forward only: after `back` it is ahead of this page */
    struct attempt attempt;      /* where progress is remembered; a review has no attempt */
    struct question_state state; /* of the page's question */
    /* The cells of its matrix; their answer is NULL for other questions. Borrowed from the
     * reference's kept page. */
    struct question_cells cells;
    struct edits *edits;             /* mistakes to look for; NULL before the first answer */
    struct page_lines picture;       /* the picture of the page that was shown last */
    struct page_lines typed_picture; /* the picture that the last line drew, in its output */
    struct text unsaved;             /* lines that the learner's session ran, to be remembered */
    int64_t shown_ms;                /* when the question, or the last reply, was shown */
    struct text found;               /* a tried expression that is the answer; or "" */
    size_t tried_page;  /* the page, from 1, where a line was last called tried, not judged */
    bool is_review;     /* one question, asked again */
    char *warms_up_for; /* the title of the lesson that this review comes before; or NULL */
    bool finished;      /* the learner is past the last page */
    bool only_counted;  /* the last reply said how much of the answer is wrong, but not why */
    bool problem_told;  /* the learner knows that nothing can be remembered */
    /* Set by a caller with a pane that shows the lesson's title, the page's number and, while a
     * question waits, its options or cells and how to answer it: the Docs then leave these out. */
    bool in_pane;
    player_announce *announce; /* of struct player_setup */
    void *announce_context;
    bool is_told; /* a pane shows the reply to the answer: the page no longer mentions that there
                   * was one */
};

/* The surroundings of a player. All is borrowed; progress and data_dir must outlive the player. */
struct player_setup {
    struct progress *progress;
    const struct settings *settings; /* of its sessions */
    const char *data_dir;            /* or NULL */
    const volatile sig_atomic_t *stop;
    bool in_pane;                            /* of struct player */
    course_count_exercises *count_exercises; /* for the lists of a tutor; NULL: without exercises */
    player_announce *announce;               /* or NULL */
    void *announce_context;
};

/* Opens the lesson, of which it takes ownership (also on failure): where its last attempt stopped,
 * or at the start if there is no such attempt or from_start is set. The page is added to out. */
bool player_open(struct lesson *lesson, const struct player_setup *setup, bool from_start,
                 struct player **ret, struct doc *out, struct error *reterr);
/* The same at one question, to ask it again. before: the title of the lesson that this warms up
 * for, or NULL. ERR_NAME if the lesson does not have this question. */
bool player_review(struct lesson *lesson, const char *question, const char *before,
                   const struct player_setup *setup, struct player **ret, struct doc *out,
                   struct error *reterr);
void player_close(struct player *player); /* player may be NULL */

/* The page that is open, as long as the player is. */
const struct page *player_page(const struct player *player);
/* True while the page's question waits for an answer, a guess, a text or a solved exercise. */
bool player_is_asking(const struct player *player);

/* True while lines that the page offers are to be typed or run. */
bool player_is_offering(const struct player *player);
/* True on a page that offers lines, as long as the learner has not gone further, even after they
 * have run. */
bool player_invites_lines(const struct player *player);

/* The picture that this page may speak of: the last drawing of the pages of its step; else the one
 * with which the step before ended, if that step did not ask about it. It is the player's. NULL
 * without such a picture. */
const struct last_drawing *player_picture(const struct player *player);

/* Each of these adds its output to out. On failure out is as before, and nothing happened. */
bool player_show(struct player *player, struct doc *out, struct error *reterr);
/* The same, and adds to before the earlier pages of its step, with their answers as far as they
 * were given or shown. *ret_before_picture: the lines in before of the picture that
 * player_picture() gives; no lines if it is not there. */
bool player_show_step(struct player *player, struct doc *before,
                      struct page_lines *ret_before_picture, struct doc *out, struct error *reterr);
/* Adds one option of the page's question, from 0 in the file's order, as the page shows it, without
 * its number. width_cols is at least 20. ERR_NAME if there is no such option. */
bool player_show_option(struct player *player, size_t option, size_t width_cols, struct doc *out,
                        struct error *reterr);
bool player_next(struct player *player, struct doc *out, struct error *reterr);
bool player_back(struct player *player, struct doc *out, struct error *reterr);
/* Goes to the first page of a step, or to the page of that name, and runs the pages before it.
 * ERR_NAME if there is no such place. */
bool player_jump(struct player *player, const char *place, struct doc *out, struct error *reterr);
bool player_hint(struct player *player, struct doc *out, struct error *reterr);
bool player_skip(struct player *player, struct doc *out, struct error *reterr);
/* Judges text as the answer. Places of errors count from text. */
bool player_answer(struct player *player, const char *text, struct doc *out, struct error *reterr);
/* A line at the prompt: it runs in the learner's session, or is judged if it is a bare value of the
 * kind that is asked for. */
bool player_line(struct player *player, const char *line, size_t size, struct doc *out,
                 struct error *reterr);

/* "scaling 3/17" */
void player_place(const struct player *player, struct text *out);

#endif
