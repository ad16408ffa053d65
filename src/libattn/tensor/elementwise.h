/* Elementwise arithmetic, with numpy's broadcasting: axes align at the right, and an axis of 1
 * repeats. Conventions: tensor.h. */
#ifndef ATTN_TENSOR_ELEMENTWISE_H
#define ATTN_TENSOR_ELEMENTWISE_H

#include <signal.h>

#include "tensor/tensor.h"

enum unary {
    UNARY_NEG,  /* -x */
    UNARY_EXP,  /* e^x */
    UNARY_LOG,  /* natural; -inf at 0, NaN below */
    UNARY_SQRT, /* NaN below 0 */
    UNARY_TANH,
    UNARY_RELU, /* max(x, 0); NaN stays NaN */
    UNARY_ABS,
    UNARY_ERF, /* 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x */
    UNARY_SIN,
    UNARY_COS,
    UNARY_SIGN,      /* -1, 0 or 1; NaN stays NaN */
    UNARY_FLOOR,     /* the largest whole number that is not above x */
    UNARY_ROUND,     /* to the nearest whole number, halves to even */
    UNARY_NOT,       /* bool: 1 where x is 0, else 0 */
    UNARY_SIGMOID,   /* 1 / (1 + e^-x) */
    UNARY_SILU,      /* x / (1 + e^-x); NaN at -inf */
    UNARY_GELU,      /* x (1 + erf(x / sqrt(2))) / 2; NaN at -inf */
    UNARY_GELU_TANH, /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; NaN at -inf */
    UNARY_COUNT
};

enum binary {
    BINARY_ADD,
    BINARY_SUB,
    BINARY_MUL,
    BINARY_DIV, /* IEEE 754: 1/0 is inf, 0/0 is NaN */
    BINARY_POW,
    BINARY_MAX, /* NaN if either is NaN, as PyTorch's maximum */
    BINARY_MIN,
    BINARY_SIGMOID_BACK, /* of x and d: d times the slope of the function at x */
    BINARY_SILU_BACK,
    BINARY_GELU_BACK,
    BINARY_GELU_TANH_BACK,
    BINARY_EQ, /* the comparisons and AND, OR give bool tensors */
    BINARY_NE,
    BINARY_LT,
    BINARY_LE,
    BINARY_GT,
    BINARY_GE,
    BINARY_AND, /* both differ from 0 */
    BINARY_OR,
    BINARY_COUNT
};

/* ret[...] = f(x[...]), shape of x. stop, here and below, if not NULL: read between parts of a
 * large result; once it is not 0, ERR_INTERRUPTED. A signal handler may set it. */
bool tensor_unary(enum unary f, const struct tensor *x, const volatile sig_atomic_t *stop,
                  struct tensor *ret, struct error *reterr);

/* ret[...] = f(a[...], b[...]), in the shape both broadcast to. ERR_SHAPE when they do not. */
bool tensor_binary(enum binary f, const struct tensor *a, const struct tensor *b,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr);

/* ret[...] = condition[...] != 0 ? a[...] : b[...], in the shape all three broadcast to.
 * The number that is not chosen has no influence, even when it is NaN. */
bool tensor_where(const struct tensor *condition, const struct tensor *a, const struct tensor *b,
                  const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr);

/* f of one number, for explanations that must show exactly what the tensors hold. */
float unary_apply(enum unary f, float x);
float binary_apply(enum binary f, float a, float b);

#endif
