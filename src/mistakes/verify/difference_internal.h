/* Where and how numbers differ that no known mistake explains. */
#ifndef ATTN_VERIFY_DIFFERENCE_INTERNAL_H
#define ATTN_VERIFY_DIFFERENCE_INTERNAL_H

#include "base/text.h"
#include "tensor/tensor.h"

/* How far two tensors of the same shape are apart. An infinity equals the same infinity, and minus
 * infinity any number below -9999, as masks have it. */
struct difference {
    size_t n, n_wrong, first; /* numbers; those beyond the tolerance, and the first of them */
    double largest;           /* of the finite differences; infinite if one is not a number */
};

struct difference difference_of(const struct tensor *got, const struct tensor *want,
                                double tolerance);

/* Adds sentences, or nothing: a constant factor, axes that are exchanged, rows in another order or
 * shifted, and the heads, rows or columns that all wrong numbers stand in. axes[i] names an axis,
 * "head", in the singular. False is ERR_MEMORY. */
bool difference_describe(const struct tensor *got, const struct tensor *want, double tolerance,
                         const char *const *axes, struct text *out, struct error *reterr);

#endif
