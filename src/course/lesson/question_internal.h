/* Shared by the files of the kinds of question. */
#ifndef ATTN_COURSE_LESSON_QUESTION_INTERNAL_H
#define ATTN_COURSE_LESSON_QUESTION_INTERNAL_H

#include "course/lesson/question.h"
#include "diagnose/rewrites.h"

struct node;
struct tensor;

/* ---- question_number.c ---- */

/* How far a number may be from the right one, or which part of it if that is above 1. */
double question_within(const struct question *question);
/* True also when both are NaN, or the same infinity. */
bool number_is_near(float given, float right, double within);
/* Whether a single number is near enough to the right one. If both are whole, and the question does
 * not say how near is near enough, they must be equal: 49150 is not 49152. */
bool question_accepts_number(const struct question *question, float given, float right);
/* How many numbers of a are not near b's, which has the same shape; *ret_first is the first. */
size_t numbers_count_far(const struct tensor *a, const struct tensor *b, double within,
                         size_t *ret_first);
/* True when the shapes are the same, and all numbers near. */
bool numbers_are_near(const struct tensor *a, const struct tensor *b, double within);

/* The tensor that an expression gives in the session after lines (or NULL); the session stays as it
 * is. NULL with *reterr if it gives no tensor. The caller releases it (node_free()). */
struct node *answer_peek(struct session *session, const char *lines, const char *expression,
                         struct error *reterr);
/* The single number that it gives; ERR_SHAPE for other tensors. */
bool answer_peek_number(struct session *session, const char *expression, float *ret,
                        struct error *reterr);
/* Changes an error of the language about a typed number to words about numbers; errors of computing
 * keep their own words. */
void answer_advise(struct error *error);
/* ---- question_typed.c ---- */

/* A copy of an answer in which typographic signs, such as a printed minus, are replaced by those of
 * the language; it is as long as typed, so that places in one are places in the other. The caller
 * frees it; NULL without memory. */
char *answer_with_plain_signs(const char *typed);

/* The size of the language's message about an answer without the parts about lines of the prompt:
 * the other things that may follow, and its advice. */
size_t answer_said_part(const char *message);

/* A single number as a learner types it; see question.h. */
struct typed_number {
    float value;
    int decimals; /* as typed; -1 if it was computed */
    bool has_percent;
};
/* Computes it in the session. ERR_SYNTAX, ERR_NAME and ERR_SHAPE say what may be typed; their
 * places are places in typed. */
bool answer_peek_typed(struct session *session, const char *typed, struct typed_number *ret,
                       struct error *reterr);
/* Applies the percent sign as the question means it, given its right answer. */
void typed_number_settle_percent(struct typed_number *number, const struct question *question,
                                 float right);

/* Whether the number is the right one, rounded as it was typed, and close enough that a reader
 * would call it right: 0.3 is 0.333, but not 0.25. */
bool typed_number_is_rounded(const struct typed_number *typed, float right);
/* Says how a guess that is not right differs from the right number, and whether it is near. */
void typed_number_remark(const struct typed_number *typed, float right, struct guess *ret);
/* Whether the number is this one, to the last digit that was typed. */
bool typed_number_is(const struct typed_number *typed, float number);
/* Whether it is a wrong number that the question foresees; with `rounded`, also one that is rounded
 * to two decimals or more. */
bool typed_number_is_foreseen(const struct typed_number *typed, const struct question *question,
                              float wrong, bool rounded);
/* Whether a number of a whole typed matrix is the wanted one, rounded to two or three decimals. */
bool number_is_rounding(float given, float wanted);
/* Notes that an answer is right as far as it was typed. */
void judged_note_unfinished(struct judged *judged);
/* Notes when the typed number is right, but rounded to fewer digits than required. */
void judged_note_rounding(const struct typed_number *typed, float right, struct judged *judged);

/* ---- question_options.c ---- */

enum { OPTIONS_MAX = 64 };

/* The options of an answer, by their numbers from 1, each once. */
struct option_numbers {
    unsigned items[OPTIONS_MAX];
    size_t n;
};
/* Reads "3 1 2" or "3, 1, 2", as one would write it, or the numbers that an expression gives. */
bool option_numbers_read(const struct question *question, struct session *session,
                         const char *typed, struct option_numbers *ret, struct error *reterr);

/* ---- question_place.c ---- */

/* Notes which of n wrong cells is the first. */
bool judged_note_where(const struct node *matrix, size_t position, size_t n, struct judged *judged,
                       struct error *reterr);

/* How many of the cells asked for differ; *ret_first is the position of the first. With `rounded`,
 * a rounded cell does not count. */
size_t question_count_far_cells(const struct question *question, const struct question_cells *cells,
                                const struct node *given, const struct node *other, bool rounded,
                                size_t *ret_first);

/* ---- question_cell.c ---- */

/* The matrix of a cell question. NULL with *reterr. The caller releases it. */
struct node *cell_matrix(const struct question *question, struct session *session,
                         struct error *reterr);
/* Lists in `cells`, whose matrix stands already, the positions that are the right answer. */
bool cell_list_right(const struct question *question, struct session *session,
                     struct question_cells *cells, struct error *reterr);
/* The positions of expression[index] in the matrix that the expression gives. */
struct node *cell_positions(struct session *session, const struct node *matrix,
                            const char *expression, const char *index, size_t size,
                            struct error *reterr);
bool question_tell_cell(const struct question *question, const struct question_sessions *sessions,
                        struct text *out, struct error *reterr);

/* ---- question_mask.c ---- */

/* The right mask, of booleans. NULL with *reterr. The caller releases it. */
struct node *mask_answer(const struct question *question, struct session *session,
                         struct error *reterr);

/* ---- question_change.c ---- */

/* Adds the lines of the language that make the changes in typed. */
bool changes_read(const struct question *question, const struct question_sessions *sessions,
                  const char *typed, struct text *lines, struct error *reterr);

/* ---- question_formula.c ---- */

/* The lines that make fresh inputs, of another kind for each trial. */
bool question_trial_lines(const struct question *question, unsigned trial, struct text *lines,
                          struct error *reterr);

/* ---- question_without.c ---- */

/* ERR_NAME, with its place, for a formula that uses a name which the question asks to do without. A
 * text that is not an expression is left to the judge. */
bool question_check_without(const struct question *question, const struct session *session,
                            const char *typed, struct error *reterr);

/* ---- question_steps.c ---- */

/* A question's answer as a formula: the session's assignments that it depends on, and the answer as
 * the last step. */
struct question_formula {
    struct formula formula;
    const struct expr *answer; /* the question's expression itself */
    struct arena arena;
};
/* lines: they make fresh inputs, and then only their assignments count; or NULL. *ret must be all
 * zero bytes or released. */
bool question_formula_read(const struct question *question, struct session *session,
                           const char *lines, struct question_formula *ret, struct error *reterr);
void question_formula_release(struct question_formula *formula);
/* The answer after lines (or NULL) with n changes, of different steps. NULL with *reterr. The
 * caller releases it. */
struct node *question_formula_node(const struct question_formula *formula, struct session *session,
                                   const char *lines, const struct rewrite *const *changes,
                                   size_t n_changes, struct error *reterr);

/* The answer with one change when all numbers are a little different: those of its arrays, and
 * those written in it, unless they are an index or an option. NULL with *reterr. */
struct node *question_formula_moved(const struct question_formula *formula, struct session *session,
                                    const struct rewrite *change, struct error *reterr);

/* ---- question_slips.c ---- */

/* A slip about cells, not about a formula. */
struct slip {
    const char *id; /* NULL: no slip was found */
    size_t n_cells; /* for a slip about one cell: how many cells have the number */
    const char *ask;
    char when[200];
};

/* Finds another cell than the one asked for that has the number, if only one has it. */
bool slip_in_cell(const struct node *matrix, size_t asked, const struct typed_number *typed,
                  struct slip *ret, struct error *reterr);
/* The same for each index in the answer, which is read as expr: another cell of the indexed tensor
 * has the number. */
bool slip_in_index(struct session *session, const char *answer, const struct expr *expr,
                   const struct typed_number *typed, struct slip *ret, struct error *reterr);
/* The same for a whole typed matrix. Returns how many of the cells asked for are wrong; *ret_first
 * is the number of the first. */
size_t slip_in_matrix(const struct question *question, const struct question_cells *cells,
                      const struct node *given, size_t *ret_first, struct slip *ret);

/* ---- question_mistake.c ---- */

/* A typed answer that is wrong and has no text of its own. */
struct mistaken {
    const struct question *question;
    const struct question_sessions *sessions;
    const char *typed;
    const struct question_cells *cells; /* of a matrix; NULL: another kind */
    size_t cell;                        /* the typed cell; cells->n: all of them */
};
/* Names the change of the right answer that gives exactly the typed answer, in judged->note and
 * judged->mistake, if it is the only plausible one. */
bool question_name_mistake(const struct mistaken *mistaken, struct judged *judged,
                           struct error *reterr);

/* ---- kinds ---- */

/* Judges typed; see question_judge(). *judged is all zero before. */
typedef bool question_judge_kind(const struct question *question,
                                 const struct question_sessions *sessions, const char *typed,
                                 struct judged *judged, struct error *reterr);
question_judge_kind question_judge_number, question_judge_choice, question_judge_order,
    question_judge_matrix, question_judge_formula, question_judge_cell_kind, question_judge_mask,
    question_judge_change;

#endif
