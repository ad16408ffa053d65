/* What single changes do in some trials, part by part. It tells without working a pair out that two
 * of them hardly can both have been made: where the later one makes no difference, the earlier one
 * alone must give the other's numbers. (Where the earlier one makes none, the later one may bring
 * it out: what softmax of a single score hides shows when softmax is left out.) */
#ifndef ATTN_DIAGNOSE_SIGNATURE_H
#define ATTN_DIAGNOSE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIGNATURE_TRIALS = 8, /* that a signature has at most */
    SIGNATURE_CHOICE = 48 /* of so many at most they are chosen */
};

/* What a change comes to in one trial, whose numbers are divided into 64 parts or fewer: bit p is
 * part p. */
struct answer_parts {
    uint64_t untouched; /* the right formula's numbers, bit for bit */
    uint64_t fitting;   /* the other's numbers */
    uint64_t digest;    /* of all numbers: equal numbers, equal digests */
    size_t cost;        /* as that of struct trial_outcome */
    bool is_unknown;    /* it can't be worked out: that rules nothing out */
};
#define PARTS_UNKNOWN ((struct answer_parts){.fitting = UINT64_MAX, .is_unknown = true})

struct signature {
    struct answer_parts trials[SIGNATURE_TRIALS];
};

/* Can both changes have been made, as far as the first n trials of their signatures tell? A change
 * that shows only together with an earlier one is taken to be impossible here. */
bool signatures_fit(const struct signature *earlier, const struct signature *later, size_t n);
/* And so that neither shows only together with the other, as most do not. */
bool signatures_fit_both_ways(const struct signature *a, const struct signature *b, size_t n);
/* Says it nothing of more than one of four of the first n trials? */
bool signature_is_blank(const struct signature *signature, size_t n);
/* The same in the first n trials, number for number? */
bool signatures_equal(const struct signature *a, const struct signature *b, size_t n);
/* The trial of n_trials > 0 that tells most of the rows apart by their numbers. */
size_t signature_liveliest(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                           size_t n_trials);
/* Chooses from n_trials <= SIGNATURE_CHOICE trials those that rule out most pairs of the rows,
 * [n_rows] of what some changes do in each, the best first; the first *ret_n of
 * ret are chosen already, and there it leaves how many they are. */
void signature_choose(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                      size_t n_trials, size_t ret[SIGNATURE_TRIALS], size_t *ret_n);

#endif
