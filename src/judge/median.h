/* The median of measurements that disturbances have spread, and how sure it is. */
#ifndef ATTN_JUDGE_MEDIAN_H
#define ATTN_JUDGE_MEDIAN_H

struct median {
    double low, value, high; /* the true median lies below low, and above high, with a probability
                              * of at most MEDIAN_ERROR each */
};

#define MEDIAN_ERROR 0.001
enum { MEDIAN_LEAST = 10 }; /* fewer measurements can't be that sure: low and high are the ends */

/* The ends of the interval are the measurements at this rank, from 1, from below and from above:
 * the largest rank k for which fewer than k of n tosses of a coin show heads with a probability of
 * at most MEDIAN_ERROR. It needs no assumption on how measurements are spread, but that each lies
 * on either side of the true median alike, whatever the others did.
 * Source: W. R. Thompson 1936, "On confidence ranges for the median", Ann. Math. Statist. 7. */
unsigned median_rank(unsigned n);
/* Sorts values[0..n), n from 1 to 1000. For an even n the lower of the two in the middle. */
struct median median_of(double *values, unsigned n);

#endif
