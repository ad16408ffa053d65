/* The search for the mistake behind wrong numbers: which one or two changes of the right formula
 * give exactly what somebody else's gave?
 *
 * What is asked, an exercise's program or a lesson's answer, is a subject: trials, each with inputs
 * on which both can be worked out. A change is possible while it gives the same numbers in every
 * trial that it can be worked out in, at least one in which the right formula gives others. What is
 * left is tried on fresh inputs, which the subject draws; nothing is named that does not hold there
 * too. Changes that no inputs tell apart are one finding; the most common one stands for it. */
#ifndef ATTN_DIAGNOSE_SEARCH_H
#define ATTN_DIAGNOSE_SEARCH_H

#include <stdint.h>

#include "diagnose/rewrites.h"
#include "diagnose/signature.h"

enum {
    SEARCH_MAX_REWRITES = 8, /* of different steps at once */
    SEARCH_MAX_MISTAKES = 2,
};

/* What changes come to in one trial. */
struct trial_outcome {
    bool says_nothing; /* it can't be worked out there: shapes that do not fit */
    bool agrees;       /* these are the other's numbers */
    bool is_near;      /* they are, but for what rounding can do on the way; says little */
    bool is_dumb;      /* they agree, but all wrong ones are such as many mistakes give: NaN */
    uint64_t digest;   /* of the numbers: equal numbers, equal digests */
    size_t cost;       /* so many times the work of a small trial; 0 is 1 */
};

/* The digest of no numbers, and of those before and one more (FNV-1a over their bits). */
#define SEARCH_DIGEST UINT64_C(0xCBF29CE484222325)
uint64_t search_digest(uint64_t digest, float number);

/* Changes of different steps, in their order: borrowed. */
struct change_set {
    const struct rewrite *const *changes; /* [n] */
    size_t n;
};

struct subject {
    void *context;
    size_t n_trials;  /* those in which the numbers are wrong come first */
    size_t n_failing; /* so many of them */
    /* Works one trial out with n statements, of different steps, in place of the formula's; n may
     * be 0. False is a failure of attn's own. */
    bool (*work_out)(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr);
    /* The same part by part; what can't be worked out is PARTS_UNKNOWN. NULL: nobody can say. */
    bool (*parts)(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                  struct answer_parts *ret, struct error *reterr);
    /* Asks the other for answers to fresh inputs: *ret_n trials more, after those that are there,
     * of which the first *ret_n_failing are wrong. Called once at most; never where
     * there are no fresh ones. */
    bool (*ask)(void *context, size_t *ret_n, size_t *ret_n_failing, struct error *reterr);
    /* Draws inputs on which the changes of a and those of b give different numbers, and asks the
     * other about them: *ret_n trials more, after all others; 0 where none were found. It may be
     * called again. NULL: nobody can. */
    bool (*tell_apart)(void *context, const struct change_set *a, const struct change_set *b,
                       size_t *ret_n, struct error *reterr);
};

struct search_options {
    /* So many steps of small trials are worked out for pairs at most; 0: single changes only. */
    size_t most_steps;
    /* What is found must hold on fresh inputs too. Where nobody can be asked there are none: then
     * it must give other wrong numbers than dumb ones (see struct trial_outcome), and the first
     * edit of the table that does is named alone. */
    bool without_fresh;
};

struct finding {
    const struct rewrite *changes[SEARCH_MAX_MISTAKES]; /* in the order of the steps */
    size_t n;                                           /* 0: nothing was found */
    size_t n_places; /* of one change: the steps in which the same one was made */
    bool is_whole;   /* it gives the numbers in all trials, and says nothing of none */
    const struct combination *combination; /* what two come to together; or NULL */
    /* Of each: another that no inputs tell from it, the other one as it is; or NULL. */
    const struct rewrite *also[SEARCH_MAX_MISTAKES];
};

struct search {
    struct rewrites singles, seconds;           /* what the finding borrows from */
    struct rewrites twins[SEARCH_MAX_MISTAKES]; /* and this: on top of each of two changes */
    size_t n_tried;                             /* workings-out, for measurements */
};

/* Looks for the changes. search is all zero bytes before, and released when the finding is no
 * longer needed. False is a failure of attn's own. */
bool search_run(struct search *search, const struct edits *edits, const struct formula *formula,
                const struct subject *subject, const struct search_options *options,
                struct finding *ret, struct error *reterr);
void search_release(struct search *search);

#endif
