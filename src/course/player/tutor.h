/* The tutor: what a learner types, in a lesson or out of one. It holds a session of its own for
 * free work, the lesson that is open, and what is being reviewed. The line REPL and the screen hand
 * their lines to it and show what it gives. */
#ifndef ATTN_COURSE_PLAYER_TUTOR_H
#define ATTN_COURSE_PLAYER_TUTOR_H

#include "course/lesson/course.h"
#include "course/player/player.h"
#include "course/progress/review.h"

struct tutor {
    struct progress *progress; /* borrowed */
    const char *data_dir;      /* borrowed; or NULL */
    struct session session;    /* outside of lessons */
    struct player *player;     /* the open lesson or review; or NULL */
    unsigned n_opened;         /* lessons and reviews so far, which tells this one from others */
    struct course course;      /* empty until it is needed */
    struct review *reviews;    /* to come */
    size_t n_reviews, next_review, reviews_capacity;
    bool lacks_memory; /* for the reviews that were looked for */
};

/* setup is that of its players, and of the session outside of lessons. Its settings may change
 * after this. */
void tutor_init(struct tutor *tutor, const struct player_setup *setup);
void tutor_release(struct tutor *tutor);

/* The session that lines run in now: the lesson's, or the free one. */
struct session *tutor_session(struct tutor *tutor);
/* Lines shown from now on are so wide. */
void tutor_set_width(struct tutor *tutor, size_t width_cols);
/* "attn> ", or the open lesson with its page: "scaling 3/17> ". */
void tutor_prompt(const struct tutor *tutor, struct text *out);

/* Does what one line says: a word of the course (course_command_name()), an answer, or lines of the
 * language. Adds what there is to show to out. On failure nothing happened, and places count from
 * line. */
bool tutor_line(struct tutor *tutor, const char *line, size_t size, struct doc *out,
                struct error *reterr);
/* What an empty line means: next, where nothing is asked. */
bool tutor_empty_line(struct tutor *tutor, struct doc *out, struct error *reterr);

/* Opens a lesson by any name of it, or by its file's path; NAME#STEP at that step. from_start: not
 * where it stopped. */
bool tutor_open(struct tutor *tutor, const char *name, bool from_start, struct doc *out,
                struct error *reterr);
bool tutor_review(struct tutor *tutor, bool all, struct doc *out, struct error *reterr);
/* Adds the list of lessons; what is done and what is weak. */
bool tutor_lessons(struct tutor *tutor, struct doc *out, struct error *reterr);
bool tutor_progress(struct tutor *tutor, struct doc *out, struct error *reterr);

/* The words of the course: i from 0 on, NULL behind the last. */
const char *course_command_name(size_t i);
/* Whether what stands behind a word begins as the rest of a formula would: the word is a variable
 * there. */
bool tutor_goes_on_as_formula(const char *rest, size_t size);
/* How word i is written ("review, review all") and what it does. False behind the last. */
bool course_command_help(size_t i, const char **ret_usage, const char **ret_summary);

#endif
