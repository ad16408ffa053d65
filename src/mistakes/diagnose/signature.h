/* The results of single changes in some trials, part by part. They show, without computing a pair,
 * that two changes can hardly both have been made: where the later one makes no difference, the
 * earlier one alone must give the other's numbers. (Where the earlier one makes no difference, the
 * later one may bring it out: softmax of a single score hides changes that show once softmax is
 * left out.) */
#ifndef ATTN_DIAGNOSE_SIGNATURE_H
#define ATTN_DIAGNOSE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIGNATURE_TRIALS = 8, /* the most trials of a signature */
    SIGNATURE_CHOICE = 48 /* the most trials to choose from */
};

/* The result of a change in one trial, whose numbers are divided into at most 64 parts: bit p is
 * part p. */
struct answer_parts {
    uint64_t untouched; /* the parts equal to the right formula's numbers, bit for bit */
    uint64_t fitting;   /* the parts equal to the other's numbers */
    uint64_t digest;    /* of all numbers: equal numbers, equal digests */
    size_t cost;        /* as that of struct trial_outcome */
    bool is_unknown;    /* it can't be computed: that rules nothing out */
};
#define PARTS_UNKNOWN ((struct answer_parts){.fitting = UINT64_MAX, .is_unknown = true})

struct signature {
    struct answer_parts trials[SIGNATURE_TRIALS];
};

/* Can both changes have been made, as far as the first n trials of their signatures show? A change
 * that shows only together with an earlier one counts as impossible here. */
bool signatures_fit(const struct signature *earlier, const struct signature *later, size_t n);
/* The same, if neither shows only together with the other, as is usual. */
bool signatures_fit_both_ways(const struct signature *a, const struct signature *b, size_t n);
/* Is it unknown in more than one of four of the first n trials? */
bool signature_is_blank(const struct signature *signature, size_t n);
/* Are they equal in the first n trials, number for number? */
bool signatures_equal(const struct signature *a, const struct signature *b, size_t n);
/* The trial of n_trials > 0 that tells most of the rows apart by their numbers. */
size_t signature_liveliest(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                           size_t n_trials);
/* Chooses from n_trials <= SIGNATURE_CHOICE trials those that rule out most pairs of the rows, the
 * best first; rows[n_rows] holds the results of some changes in each trial. The first *ret_n of ret
 * are already chosen; afterwards *ret_n is the number of all chosen. */
void signature_choose(const struct answer_parts (*rows)[SIGNATURE_CHOICE], size_t n_rows,
                      size_t n_trials, size_t ret[SIGNATURE_TRIALS], size_t *ret_n);

#endif
