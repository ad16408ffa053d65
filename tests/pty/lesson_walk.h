/* A learner who goes through lessons on the full screen: reads a lesson's file, and types answers
 * to its questions as one does who sees them, with what screen_testing.h has.
 *
 * What an answer is comes from the file, computed in a session of the learner's own, which runs
 * what the lesson runs. */
#ifndef ATTN_TESTS_PTY_LESSON_WALK_H
#define ATTN_TESTS_PTY_LESSON_WALK_H

#include "screen_testing.h"

#include "course/lesson/course.h"
#include "course/lesson/question.h"

enum { LEARNER_MAX_CELLS = 400 };

struct learner {
    struct course course;
    const struct course_entry *entry;
    struct lesson *lesson;
    struct session session; /* runs what the lesson runs, for its answers */

    /* What stands in the answer to the page's question. */
    size_t at;       /* the cell under the cursor */
    bool picked[16]; /* options of a question for several */
    float cells[LEARNER_MAX_CELLS];
    size_t n_given; /* answers given */
};

/* Reads the lesson. To be closed. */
void open_learner(struct learner *learner, const char *id);
void close_learner(struct learner *learner);

/* Runs what the page runs, and what it offers to type. Then its question can be answered. */
void read_page(struct learner *learner, const struct page *page);
void run_offer(struct learner *learner, const struct page *page);
/* The lines that the page offers to type: Enter runs each. */
size_t count_offered(const struct page *page);
/* The tensor that an expression gives; the caller releases value. */
struct tensor *value_of(struct learner *learner, const char *expression, struct value *value);

/* Letters are commands where nothing is typed. */
bool is_typed(const struct question *question);

/* Picks an option by its number, from 1. */
void pick(size_t option, bool by_mouse);
/* Enter, or a click on it. */
void give(bool by_mouse);
/* Picks the options that an expression gives, and no others, and gives them. */
void give_options(struct learner *learner, const char *expression, bool by_mouse);

/* Types what the expression gives, by keys alone and from the first key on, and gives it with
 * Enter. What was given to the same question before stands there, and is mended. */
void give_answer(struct learner *learner, const struct question *question, const char *expression);
/* Adds the first wrong answer that the question foresees and that can be typed. False: there is
 * none. */
bool write_wrong(struct learner *learner, const struct question *question, struct text *out);

#endif
