/* Functions that are applied number by number. The names end as those of tensor/elementwise.h do,
 * and so do the results, except for those marked *, whose errors vector_math_internal.h states. */
#ifndef ATTN_KERNEL_ELEMENTWISE_INTERNAL_H
#define ATTN_KERNEL_ELEMENTWISE_INTERNAL_H

#include <stddef.h>

enum element {
    /* of one number */
    ELEMENT_NEG,
    ELEMENT_ABS,
    ELEMENT_RELU,
    ELEMENT_SIGN,
    ELEMENT_FLOOR,
    ELEMENT_ROUND,
    ELEMENT_NOT,
    ELEMENT_SQRT,
    ELEMENT_EXP,       /* * */
    ELEMENT_EXP2,      /* * */
    ELEMENT_LOG,       /* * */
    ELEMENT_TANH,      /* * */
    ELEMENT_ERF,       /* * */
    ELEMENT_SIGMOID,   /* * 1 / (1 + e^-x) */
    ELEMENT_SILU,      /* * x / (1 + e^-x) */
    ELEMENT_GELU,      /* * x (1 + erf(x / sqrt(2))) / 2 */
    ELEMENT_GELU_TANH, /* * x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2 */
    /* of two */
    ELEMENT_ADD,
    ELEMENT_SUB,
    ELEMENT_MUL,
    ELEMENT_DIV,
    ELEMENT_MAX,
    ELEMENT_MIN,
    ELEMENT_SIGMOID_BACK, /* * of x and d: d times the slope of the function at x */
    ELEMENT_SILU_BACK,
    ELEMENT_GELU_BACK,
    ELEMENT_GELU_TANH_BACK,
    ELEMENT_EQ,
    ELEMENT_NE,
    ELEMENT_LT,
    ELEMENT_LE,
    ELEMENT_GT,
    ELEMENT_GE,
    ELEMENT_AND,
    ELEMENT_OR,
    /* of three */
    ELEMENT_WHERE, /* the second where the first is not 0, else the third */
    ELEMENT_COUNT
};

enum { ELEMENT_INPUTS = 3 }; /* at most */

/* ret[i] = f(from[0][i], ...) for i in [0, n). A number is the same bits wherever it stands. ret
 * may be one of the inputs. */
typedef void element_function(enum element f, size_t n, const float *const *from, float *ret);

#endif
