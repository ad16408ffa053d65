/* Functions of vectors, as polynomials. */
#ifndef ATTN_KERNEL_VECTOR_MATH_H
#define ATTN_KERNEL_VECTOR_MATH_H

#include "kernel/vector.h"

/* 2^x for x <= 0; 0 below -126, where float32 has no full precision; NaN stays NaN.
 * x = n + f with n whole and |f| <= 1/2; 2^f by a polynomial (minimax on [-1/2, 1/2]), 2^n by its
 * exponent. */
KERNEL_INLINE vec vec_exp2_down(vec x)
{
    const vec lowest = vec_splat(-126.0F), whole = vec_splat(12582912.0F); /* 1.5 * 2^23 */
    vec_int below = x < lowest;
    x = vec_select(below, lowest, x);
    vec shifted = x + whole;
    vec n = shifted - whole, f = x - n;
    vec y = vec_splat(1.5404016e-4F);
    y = y * f + vec_splat(1.3333747e-3F);
    y = y * f + vec_splat(9.6181293e-3F);
    y = y * f + vec_splat(5.5504109e-2F);
    y = y * f + vec_splat(2.4022651e-1F);
    y = y * f + vec_splat(6.9314718e-1F);
    y = y * f + vec_splat(1.0F);
    vec_int power = (vec_int)shifted << 23;
    y = (vec)((vec_int)y + power);
    return vec_select(below, (vec){0}, y);
}

/* tanh(x): near 0 x + x^3 p(x^2) with p minimax on [0, 0.4], elsewhere (1 - e) / (1 + e) with
 * e = e^(-2 |x|). */
KERNEL_INLINE vec vec_tanh(vec x)
{
    const vec_int sign_bit = (vec_int)vec_splat(-0.0F);
    vec_int sign = (vec_int)x & sign_bit;
    vec size = (vec)((vec_int)x & ~sign_bit);
    vec t = x * x;
    vec p = vec_splat(-6.06225245e-3F);
    p = p * t + vec_splat(2.09750326e-2F);
    p = p * t + vec_splat(-5.38467011e-2F);
    p = p * t + vec_splat(1.33327465e-1F);
    p = p * t + vec_splat(-3.33333288e-1F);
    vec near = x + x * (t * p);
    vec e = vec_exp2_down(size * -2.88539008F); /* -2 / ln 2 */
    vec far = (vec)((vec_int)((1.0F - e) / (1.0F + e)) | sign);
    return vec_select(size > 0.63F, far, near);
}

#endif
