/* A question about numbers: which change of a formula gives them? The formula stands in a session
 * of its own, which holds what each step gives when nothing is wrong; a change is worked out from
 * the step that it changes on. */
#ifndef ATTN_VERIFY_QUESTION_INTERNAL_H
#define ATTN_VERIFY_QUESTION_INTERNAL_H

#include "diagnose/search.h"
#include "lang/session/session.h"

enum {
    QUESTION_MAX_INPUTS = 48,
    QUESTION_MAX_STEPS = 48,
    QUESTION_PAIR_STEPS = 2500000, /* for who waits */
};

struct question {
    /* Set by whoever asks. */
    const char *target; /* the expression that somebody's numbers are, in names of the formula */
    const struct tensor *got, *want; /* somebody's numbers, and the right ones */
    double tolerance;
    double work;      /* multiplications of one trial */
    double most_work; /* of all trials, each of which counts some more; 0: what takes two seconds */
    size_t most_pair_steps; /* trials for two mistakes at once; 0: they are not looked for */
    double work_left;       /* that may still be made for trying */
    size_t n_untried;       /* changes, for want of that */
    const volatile sig_atomic_t *stop;

    bool rows_alike;    /* those of got */
    bool with_programs; /* mistakes that only programs have are looked for too */
    struct session session;
    struct arena arena;
    struct formula_name inputs[QUESTION_MAX_INPUTS];
    struct formula_step steps[QUESTION_MAX_STEPS];
    struct formula formula;
    struct error *reterr;
};

/* An empty formula. question_release() it. */
void question_init(struct question *question, const volatile sig_atomic_t *stop,
                   struct error *reterr);
void question_release(struct question *question);

/* Gives the formula an input, which may be a size; takes ownership of *x, shares it, or makes it.
 * ERR_LIMIT: too many inputs. */
bool question_bind(struct question *question, const char *name, bool is_size, struct tensor *x);
bool question_bind_tensor(struct question *question, const char *name, const struct tensor *x);
bool question_bind_number(struct question *question, const char *name, bool is_size, double number);
/* Adds a step NAME = EXPRESSION and works it out; text lives as long as the question. */
bool question_step(struct question *question, bool gives_size, const char *statement);
/* The value of an input or step; NULL if the formula has no tensor of this name. */
const struct tensor *question_value(const struct question *question, const char *name);

/* The finding in words; all texts are empty if nothing was found. */
struct question_finding {
    struct text when; /* "the scores are not divided by ...", after "this is what comes out when" */
    struct text steps; /* the changed steps, and those of the right formula: lines */
    struct text also;  /* other changes that give these numbers, but not in general: a line each */
};

/* False, ERR_MEMORY, if a text is incomplete. */
bool question_finding_check(const struct question_finding *finding, struct error *reterr);
void question_finding_release(struct question_finding *finding);

/* Works out one trial of n changes; see struct subject. */
bool question_work_out(void *question, size_t trial, const struct rewrite *const *changes, size_t n,
                       struct trial_outcome *ret, struct error *reterr);
/* Do the numbers come out if these statements, which "; " separates, stand instead of the steps
 * that assign the same names? False is a failure of attn's own. */
bool question_try_steps(struct question *question, const char *statements, bool *ret_agrees);
/* Looks for the change, or the two, that give question->got, among mistakes in the formula first
 * and then, if no tensor has more than a few thousand numbers, among those that only programs have.
 * With large inputs it tries as many changes as take about two seconds, the most common ones first;
 * question->n_untried is the number of the others. fresh is the same formula with other inputs and
 * other sizes, which tell apart changes that give equal numbers here; or NULL: only one is named.
 */
bool question_search(struct question *question, const struct edits *edits, size_t largest_size,
                     struct question *fresh, struct question_finding *ret);

#endif
