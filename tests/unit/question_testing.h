/* What the tests of questions share: the questions of a lesson, and what is said to answers. */
#ifndef ATTN_TESTS_QUESTION_TESTING_H
#define ATTN_TESTS_QUESTION_TESTING_H

#include "lang_testing.h"

#include "course/lesson/lesson.h"
#include "course/lesson/question.h"

enum { DESK_ANSWER_BYTES = 40 };

/* A lesson, with its code run in a session up to the question that is judged. */
struct desk {
    struct lang lang;
    struct lesson *lesson;
    const struct question *question; /* the one that is judged */
    struct question_sessions sessions;
    struct question own;            /* see desk_own_question() */
    char answer[DESK_ANSWER_BYTES]; /* that `own` asks for, after desk_ask_for() */
};

/* desk need not be initialised. False: the text is no lesson; then, too, desk_close() it. */
bool desk_open(struct desk *desk, const char *text);
void desk_close(struct desk *desk);

/* Runs the pages up to the one of this name, with what they offer to type, and takes its question.
 */
void desk_go_to(struct desk *desk, const char *name);
/* A copy of the question, which is judged from now on and may be changed. It foresees no wrong
 * answers. Only after desk_go_to(). */
struct question *desk_own_question(struct desk *desk);
/* The question of desk_own_question() has this expression as its answer now. */
void desk_ask_for(struct desk *desk, const char *answer);

/* Each judges what was typed; the test fails where it is no answer. */
struct judged desk_judge(struct desk *desk, const char *typed);
void assert_right(struct desk *desk, const char *typed);
/* Fails where it is right. Returns what is said about it: a foreseen answer's text, or a note, or
 * "". The text is valid until the next call. */
const char *desk_wrong(struct desk *desk, const char *typed);
/* The test fails where it is judged. */
struct error desk_refused(struct desk *desk, const char *typed);
/* The answer is told in these words. */
void assert_tells(struct desk *desk, const char *wanted);

#endif
