/* The search for the mistake that explains wrong numbers: which one or two changes of the right
 * formula give exactly somebody else's numbers?
 *
 * The subject, an exercise's program or a lesson's answer, consists of trials, each with inputs on
 * which both can be computed. A change is possible as long as it gives the other's numbers in every
 * trial in which it can be computed, and the right formula gives other numbers in at least one of
 * these. The possible changes are tried on fresh inputs, which the subject draws; no change is
 * named that fails there. Changes that no inputs tell apart are one finding; the most common one
 * stands for it. */
#ifndef ATTN_DIAGNOSE_SEARCH_H
#define ATTN_DIAGNOSE_SEARCH_H

#include <stdint.h>

#include "diagnose/rewrites.h"
#include "diagnose/signature.h"

enum {
    SEARCH_MAX_REWRITES = 8, /* changes of different steps at once */
    SEARCH_MAX_MISTAKES = 2,
};

/* The result of some changes in one trial. */
struct trial_outcome {
    bool says_nothing; /* it can't be computed there: shapes that do not fit */
    bool agrees;       /* it gives the other's numbers */
    bool is_near;      /* it gives them except for rounding; a weak sign */
    bool is_dumb;      /* it agrees, but all wrong numbers are such as many mistakes give: NaN */
    uint64_t digest;   /* of the numbers: equal numbers, equal digests */
    size_t cost;       /* the work, as a multiple of that of a small trial; 0 means 1 */
};

/* SEARCH_DIGEST is the digest of no numbers; search_digest() adds one number (FNV-1a over their
 * bits). */
#define SEARCH_DIGEST UINT64_C(0xCBF29CE484222325)
uint64_t search_digest(uint64_t digest, float number);

/* Changes of different steps, in their order: borrowed. */
struct change_set {
    const struct rewrite *const *changes; /* [n] */
    size_t n;
};

struct subject {
    void *context;
    size_t n_trials;  /* the trials with wrong numbers come first */
    size_t n_failing; /* the number of trials with wrong numbers */
    /* Computes one trial with n statements, of different steps, in place of the formula's; n may be
     * 0. False is a failure of attn's own. */
    bool (*work_out)(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr);
    /* The same part by part; PARTS_UNKNOWN if it can't be computed. NULL: the subject can't say. */
    bool (*parts)(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                  struct answer_parts *ret, struct error *reterr);
    /* Asks the other for answers to fresh inputs: appends *ret_n trials, of which the first
     * *ret_n_failing are wrong. Called at most once; never if there are no fresh inputs. */
    bool (*ask)(void *context, size_t *ret_n, size_t *ret_n_failing, struct error *reterr);
    /* Draws inputs on which the changes of a and those of b give different numbers, and asks the
     * other about them: appends *ret_n trials; 0 if none were found. It may be called again. NULL:
     * the subject can't. */
    bool (*tell_apart)(void *context, const struct change_set *a, const struct change_set *b,
                       size_t *ret_n, struct error *reterr);
};

struct search_options {
    /* The most work to spend on pairs of changes, in steps of small trials; 0: single changes
     * only. */
    size_t most_steps;
    /* Without it, a finding must hold on fresh inputs too. Set it if nobody can be asked: then the
     * finding must give other wrong numbers than dumb ones (see struct trial_outcome), and only the
     * first edit of the table that does is named. */
    bool without_fresh;
};

struct finding {
    const struct rewrite *changes[SEARCH_MAX_MISTAKES]; /* in the order of the steps */
    size_t n;                                           /* 0: no finding */
    size_t n_places; /* of one change: the number of steps in which it was made */
    bool is_whole;   /* it gives the numbers in all trials, and can be computed in all */
    const struct combination *combination; /* the combination of the two; or NULL */
    /* For each change: another one that no inputs tell from it, with the other change as it is; or
     * NULL. */
    const struct rewrite *also[SEARCH_MAX_MISTAKES];
};

struct search {
    struct rewrites singles, seconds; /* the finding borrows from these */
    struct rewrites
        twins[SEARCH_MAX_MISTAKES]; /* and from these: changes on top of each of two changes */
    size_t n_tried;                 /* trials computed, for measurements */
};

/* Looks for the changes. search must be all zero bytes; release it when the finding is no longer
 * needed. False is a failure of attn's own. */
bool search_run(struct search *search, const struct edits *edits, const struct formula *formula,
                const struct subject *subject, const struct search_options *options,
                struct finding *ret, struct error *reterr);
void search_release(struct search *search);

#endif
