/* Judges answers: a question's answer and the wrong answers it foresees are expressions, and so is
 * the learner's answer.
 *
 * There are two sessions. The lesson's session runs only the lesson's code, so that its answers
 * stay right whatever a learner does; the learner's session holds their variables, which their
 * answers may use. Judging changes neither.
 *
 * If a single number is asked for, common notations outside the language are read too: 50,257 and
 * 50 257 (thousands: groups of three digits, outside of brackets, where a comma separates
 * arguments), 50257 x 768 with a letter x or the sign for times between numbers, the signs for
 * minus and divided by, and degrees, which change nothing. A percent sign at the end divides by
 * 100: 10% is 0.1. If the question speaks of percent ("in percent?"), the sign may be the unit that
 * was asked for: there 10% is 10, unless 0.1 is the right answer. The sign alone makes no answer
 * wrong. */
#ifndef ATTN_COURSE_LESSON_QUESTION_H
#define ATTN_COURSE_LESSON_QUESTION_H

#include "course/lesson/lesson.h"
#include "lang/session/session.h"

/* A typed answer is right when it differs by at most this, or by this part of the right answer if
 * that is above 1: three decimals, rounded. */
#define QUESTION_WITHIN 0.0005
/* The same for formulas, which are computed in float32 with other roundings. */
#define FORMULA_WITHIN 0.0001

enum { FORMULA_TRIALS = 5 }; /* with fresh inputs */

struct edits;

struct question_sessions {
    struct session *lesson;
    struct session *learner;   /* may be the same one */
    const struct edits *edits; /* mistakes to look for in wrong answers; NULL: none are */
};

struct judged {
    bool right;
    bool is_unfinished; /* a number that is right as far as it was typed; it does not count as an
                         * answer yet */
    const struct wrong_answer *foreseen; /* the foreseen wrong answer that it is; or NULL */
    char
        mistake[64]; /* id of the edit (assets/edits.yaml) that note describes, or "ID|ID"; or "" */
    char note[320];  /* a further remark; or "" */
    char where[160]; /* the first wrong cell, for a learner who tried before; or "" */
};

/* Judges typed, which answers a whole question of a kind that is judged. False if it is not an
 * answer: it can't be read or computed, or another kind is asked for; *reterr has its place in
 * typed, and nothing counts. */
bool question_judge(const struct question *question, const struct question_sessions *sessions,
                    const char *typed, struct judged *ret, struct error *reterr);

/* Adds the result of the answer, if the question has an expression for it (`makes`): "That makes
 * [2, 4]." typed could be judged. */
bool question_makes(const struct question *question, const struct question_sessions *sessions,
                    const char *typed, struct doc *out, struct error *reterr);

enum { MASK_MAX_ROWS = 12, MASK_MAX_CELLS = MASK_MAX_ROWS * MASK_MAX_ROWS };

/* The matrix of a question of the kinds matrix, cell and mask: the right answer, the matrix to
 * point into, or the right mask; and the cells that a matrix question asks for, or that a cell
 * question is answered with, as row-major positions of it. */
struct question_cells {
    struct node *answer; /* released with the cells */
    size_t *positions;
    size_t n;
};
bool question_cells(const struct question *question, const struct question_sessions *sessions,
                    struct question_cells *ret, struct error *reterr);
void question_cells_release(struct question_cells *cells);
/* Judges cell i of them: typed is a single number. A foreseen answer is recognised if it is the
 * only one that has this number there and is right in the cells before. */
bool question_judge_cell(const struct question *question, const struct question_sessions *sessions,
                         const struct question_cells *cells, size_t i, const char *typed,
                         struct judged *ret, struct error *reterr);

enum { QUESTION_MAX_POINTS = 400 }; /* cells of the matrix that a cell question shows */

/* How many cells are right, in a question that points at cells; 0 if that is unknown. */
size_t question_count_points(const struct question *question,
                             const struct question_sessions *sessions);

enum { QUESTION_MAX_CHANGES = 16 };

/* A tensor whose numbers may change, in a question for a change. */
struct question_input {
    char name[LESSON_NAME_BYTES];
    struct node *value; /* its value in the lesson */
    bool *may_change;   /* row-major */
};
/* Each tensor once, in the question's order. On failure *ret is empty. */
struct question_inputs {
    struct question_input *items;
    size_t n;
};
bool question_inputs(const struct question *question, const struct question_sessions *sessions,
                     struct question_inputs *ret, struct error *reterr);
void question_inputs_release(struct question_inputs *inputs);
/* How many numbers may change at once; 1 to QUESTION_MAX_CHANGES. */
unsigned question_most_changes(const struct question *question);

/* How good a guess is. */
struct guess {
    bool is_right;    /* if necessary as a rounded number */
    bool is_near;     /* not right, but the remark says what is right about it */
    char remark[100]; /* how it differs from the right number: "Too high."; "" for options */
};

/* Checks a guess: a finite number, or the number of an option. */
bool question_check_guess(const struct question *question, const struct question_sessions *sessions,
                          const char *typed, struct guess *ret, struct error *reterr);

/* Adds the text typed for one number of a matrix as the language writes it. */
void question_write_number(const struct question *question, const char *typed, struct text *out);

/* Adds the right answer as learners see it, in Markdown: a number, the option's text, the steps in
 * order, the formula. */
bool question_tell(const struct question *question, const struct question_sessions *sessions,
                   struct text *out, struct error *reterr);

/* Adds the names that the fresh inputs of a formula question have and this session does not, in
 * words: "i and j". Returns their number. session may be NULL: then all names are added. */
size_t question_list_open_names(const struct question *question, const struct session *session,
                                struct text *out);

/* The cells that an expression of a cell question means, as learners type them: "0, 1; 2, 0". */
bool question_write_cells(const struct question *question, const struct question_sessions *sessions,
                          const char *expression, struct text *out, struct error *reterr);
/* For lint: whether the condition that a change must bring about already holds without a change. */
bool question_holds_already(const struct question *question,
                            const struct question_sessions *sessions, bool *ret,
                            struct error *reterr);
/* For lint: true if a formula that copies the answer's numbers would pass. */
bool question_accepts_copy(const struct question *question,
                           const struct question_sessions *sessions, bool *ret,
                           struct error *reterr);

enum question_slip {
    QUESTION_SLIP_NONE,
    QUESTION_SLIP_COMPARISON, /* > in place of >=, < in place of <=, or the other way round */
    QUESTION_SLIP_NUMBER, /* a number in place of a name that has this value with fresh inputs */
};
/* For lint: whether a formula that differs from the answer by one slip would pass; it is added to
 * edited. */
bool question_accepts_slip(const struct question *question,
                           const struct question_sessions *sessions, struct text *edited,
                           enum question_slip *ret, struct error *reterr);

#endif
