/* Medians: see median.h. */
#include "judge/median.h"

#include <math.h>
#include <stdlib.h>

unsigned median_rank(unsigned n)
{
    double exactly = ldexp(1, -(int)n), fewer = exactly; /* heads: k, and at most k, of n tosses */
    unsigned k = 0;
    while (fewer <= MEDIAN_ERROR && k < n) {
        exactly *= (double)(n - k) / (double)(k + 1);
        fewer += exactly;
        k++;
    }
    return k > 0 ? k : 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct median median_of(double *values, unsigned n)
{
    unsigned k = median_rank(n);
    qsort(values, n, sizeof *values, compare);
    return (struct median){values[k - 1], values[(n - 1) / 2], values[n - k]};
}
