/* The player: one learner in one lesson, turning its pages.
 *
 * A page is shown as a Doc; the learner answers, asks for hints, skips, goes back, or runs lines of
 * the language, and each of these gives a Doc again. The player computes and remembers; who shows
 * it decides about lines and panes.
 *
 * Two sessions run side by side (question.h): `own` runs what the lesson runs and nothing else, and
 * is where its numbers and answers come from; `learner` holds what the learner did too, and is
 * where their lines run. What fails to be remembered is said in the Doc, and the lesson goes on. */
#ifndef ATTN_COURSE_PLAYER_PLAYER_H
#define ATTN_COURSE_PLAYER_PLAYER_H

#include "course/progress/question_record.h"
#include "course/lesson/question.h"

struct player {
    struct lesson *lesson;
    struct progress *progress; /* borrowed */
    const volatile sig_atomic_t *stop;
    struct session own, learner;
    size_t own_pages;  /* so many pages `own` has run wholly, with the code they offer */
    bool own_is_shown; /* and of the next one what it shows */
    size_t reached;    /* so many pages' code the learner's session has run */
    size_t n_led;      /* and so many lines of the next one's, when that was interrupted */
    struct attempt attempt;
    size_t page;
    struct question_state state; /* of the page's question */
    struct question_cells cells; /* of a matrix; the answer is NULL for others */
    struct text logged;          /* lines that were run and are not remembered yet */
    uint64_t typed;              /* bit i: line i of what page reached - 1 offers was run */
    int64_t shown_ms;            /* when the question, or what came last, was shown */
    bool is_review;              /* one question, again */
    size_t untried_page;         /* where it was said that trying is not answering, from 1 */
    bool finished;               /* behind the last page */
    bool problem_told;           /* that nothing can be remembered */
    /* Set by who has a pane for it, which shows the lesson's title, the page's number and, while a
     * question waits, its options or cells and how it is answered: no Doc has them then. */
    bool in_pane;
};

/* Opens the lesson, which it takes over (also when it fails): where its last attempt stopped, or
 * from the start where there is none or from_start is set. The page is added to out. settings are
 * those of the sessions; progress outlives the player. */
bool player_open(struct lesson *lesson, struct progress *progress, const struct settings *settings,
                 const char *data_dir, const volatile sig_atomic_t *stop, bool from_start,
                 struct player **ret, struct doc *out, struct error *reterr);
/* The same at one question, to be asked again. ERR_NAME when the lesson has no such question. */
bool player_review(struct lesson *lesson, const char *question, struct progress *progress,
                   const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct player **ret, struct doc *out,
                   struct error *reterr);
void player_close(struct player *player); /* player may be NULL */

const struct page *player_page(const struct player *player);
/* True while the page's question waits for an answer, a guess, a text or a solved exercise. */
bool player_is_asking(const struct player *player);

/* True while lines that the page offers are to be typed or run. */
bool player_is_offering(const struct player *player);

/* Each adds what there is to show. On failure out is as before, and nothing happened. */
bool player_show(struct player *player, struct doc *out, struct error *reterr);
/* Adds one option of the page's question, from 0 in the file's order, as the page shows it but for
 * its number. width_cols is 20 at least. ERR_NAME when there is no such option. */
bool player_show_option(struct player *player, size_t option, size_t width_cols, struct doc *out,
                        struct error *reterr);
bool player_next(struct player *player, struct doc *out, struct error *reterr);
bool player_back(struct player *player, struct doc *out, struct error *reterr);
/* Goes to the first page of a step, running what lies before it. ERR_NAME when there is none. */
bool player_jump(struct player *player, const char *step, struct doc *out, struct error *reterr);
bool player_hint(struct player *player, struct doc *out, struct error *reterr);
bool player_skip(struct player *player, struct doc *out, struct error *reterr);
/* Places of errors count from text. */
bool player_answer(struct player *player, const char *text, struct doc *out, struct error *reterr);
/* A line at the prompt: run in the learner's session, or judged where it is a bare value of the
 * kind that is asked for. */
bool player_line(struct player *player, const char *line, size_t size, struct doc *out,
                 struct error *reterr);

/* "scaling 3/17" */
void player_place(const struct player *player, struct text *out);

#endif
