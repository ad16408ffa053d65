/* Functions of vectors, as polynomials.
 *
 * All take any float32: denormal numbers, infinities and -0 too, and NaN gives NaN. "Error" is the
 * largest over all 2^32 numbers and the instruction sets of x86-64, in units in the last place of
 * the true result: tests/unit/kernel/test_vector_math.c measures it. tools/fit_polynomials.py
 * prints the coefficients. Sources: Cody and Waite 1980, "Software Manual for the Elementary
 * Functions"; Muller 2016, "Elementary Functions", chapters 3, 4 and 11. */
#ifndef ATTN_KERNEL_VECTOR_MATH_INTERNAL_H
#define ATTN_KERNEL_VECTOR_MATH_INTERNAL_H

#include <math.h>

#include "kernel/vector_internal.h"

KERNEL_INLINE vec vec_sign_of(vec x)
{
    return (vec)((vec_int)x & (vec_int)vec_splat(-0.0F));
}

KERNEL_INLINE vec vec_size_of(vec x)
{
    return (vec)((vec_int)x & ~(vec_int)vec_splat(-0.0F));
}

/* x >= 0 with the sign of another. */
KERNEL_INLINE vec vec_with_sign(vec x, vec sign)
{
    return (vec)((vec_int)x | (vec_int)vec_sign_of(sign));
}

/* The larger and the smaller of a bound and x; NaN if x is NaN. */
KERNEL_INLINE vec vec_at_least(vec x, float bound)
{
    return vec_max(vec_splat(bound), x);
}

KERNEL_INLINE vec vec_at_most(vec x, float bound)
{
    return vec_min(vec_splat(bound), x);
}

/* 1.5 * 2^23: a number added to it loses its fraction, and the last bits of the sum are the whole
 * number. */
static const float vec_whole = 12582912.0F;
/* The same and twice the bias of a float's exponent: half of the last bits is half of a power of 2,
 * as vec_scale() needs it; and the same and the bias and 64, for vec_scale_down(), or less 40, for
 * vec_one_and(). */
static const float vec_power = 12582912.0F + 2 * 127, vec_low_power = 12582912.0F + 127 + 64,
                   vec_share_power = 12582912.0F + 127 - 40;

/* y * 2^n, n whole, -252 <= n <= 254, given as n + vec_power; rounded once. */
KERNEL_INLINE vec vec_scale(vec y, vec power)
{
    vec_int whole = (vec_int)power, half = whole >> 1;
    return y * (vec)(half << 23) * (vec)((whole - half) << 23);
}

/* The same for -190 <= n <= 63, given as n + vec_low_power. */
KERNEL_INLINE vec vec_scale_down(vec y, vec power)
{
    return y * (vec)((vec_int)power << 23) * 0x1p-64F;
}

/* 2^f, |f| <= 1/2. */
KERNEL_INLINE vec vec_exp2_fraction(vec f)
{
    vec p = vec_splat(1.53534813e-4F);
    p = p * f + vec_splat(1.33989693e-3F);
    p = p * f + vec_splat(9.61853936e-3F);
    p = p * f + vec_splat(5.55034503e-2F);
    p = p * f + vec_splat(2.40226462e-1F);
    p = p * f + vec_splat(6.93147182e-1F);
    return p * f + 1.0F;
}

/* 2^x for x <= 0, and at least 2^-126: below, float32 has no full precision. */
KERNEL_INLINE vec vec_exp2_normal(vec x)
{
    const vec whole = vec_splat(vec_whole + 127); /* so that the sum's last bits are an exponent */
    x = vec_at_least(x, -126);
    vec shifted = x + whole;
    return vec_exp2_fraction(x - (shifted - whole)) * (vec)((vec_int)shifted << 23);
}

/* The same with 0 below 2^-126. */
KERNEL_INLINE vec vec_exp2_down(vec x)
{
    return vec_select(x < -126.0F, (vec){0}, vec_exp2_normal(x));
}

/* 2^x. Error: 1.1 ulp. */
KERNEL_INLINE vec vec_exp2(vec x)
{
    x = vec_at_most(vec_at_least(x, -151), 129);
    vec power = x + vec_power;
    return vec_scale(vec_exp2_fraction(x - (power - vec_power)), power);
}

/* y and n + shift, n whole, with e^x = 2^n y = 2^n e^r, with r = x - n ln 2 taken in two parts, the
 * first exact; |x| < 2^20. */
KERNEL_INLINE vec vec_exp_parts(vec x, float shift, vec *ret_power)
{
    vec power = x * 1.44269504F + shift, n = power - shift;
    vec whole = x - n * 0.693359375F /* 355/512 */;
    /* Adding 0 keeps the compiler from fusing the product with the next addition: the model that
     * ships was trained with this rounding. */
    vec rest = n * 2.12194440e-4F + (vec){0}, r = whole + rest;
    vec p = vec_splat(1.38145732e-3F);
    p = p * r + vec_splat(8.36870633e-3F);
    p = p * r + vec_splat(4.16683294e-2F);
    p = p * r + vec_splat(1.66665211e-1F);
    p = p * r + vec_splat(4.9999994e-1F);
    /* The rounding error of adding 1 to the larger part goes to the smaller ones. */
    vec y = 1.0F + whole;
    rest = rest + (whole - (y - 1.0F));
    *ret_power = power;
    return y + (rest + r * r * p);
}

/* e^x. Error: 0.8 ulp. */
KERNEL_INLINE vec vec_exp(vec x)
{
    vec power, y = vec_exp_parts(vec_at_most(vec_at_least(x, -105), 89), vec_power, &power);
    return vec_scale(y, power);
}

/* The same for x <= 0. */
KERNEL_INLINE vec vec_exp_down(vec x)
{
    vec power, y = vec_exp_parts(vec_at_least(x, -105), vec_low_power, &power);
    return vec_scale_down(y, power);
}

/* log(x) = e ln 2 + log(1 + f) with x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); -inf at 0, NaN
 * below. Error: 0.9 ulp. */
KERNEL_INLINE vec vec_log(vec x)
{
    vec_int denormal = x < 1.17549435e-38F;
    vec normal = vec_select(denormal, x * 8388608.0F, x); /* 2^23 */
    vec_int power = (vec_int)((vec_bits)normal - (vec_bits)vec_splat(0.707106769F)) >> 23;
    vec f = (vec)((vec_bits)normal - ((vec_bits)power << 23)) - 1.0F;
    vec e = __builtin_convertvector(power + (denormal & -23), vec);
    vec p = vec_splat(6.74661025e-2F);
    p = p * f + vec_splat(-1.16756208e-1F);
    p = p * f + vec_splat(1.18881308e-1F);
    p = p * f + vec_splat(-1.24055602e-1F);
    p = p * f + vec_splat(1.42194957e-1F);
    p = p * f + vec_splat(-1.66679606e-1F);
    p = p * f + vec_splat(2.00021133e-1F);
    p = p * f + vec_splat(-2.50000119e-1F);
    p = p * f + vec_splat(3.33333135e-1F);
    vec square = f * f;
    vec y = f * square * p + e * -2.12194440e-4F;
    y = e * 0.693359375F + (f + (y - 0.5F * square));
    vec special = vec_select(x == 0, vec_splat(-INFINITY), vec_select(x < 0, vec_splat(NAN), x));
    return vec_select((x > 0) & (x < INFINITY), y, special);
}

/* tanh(x) = e / (e + 1), e = (e^(2 |x|) - 1) / 2. With |x| = n ln(2) / 2 + r, n whole, e is 2^n (r
 * + r^2 p(r)) + (2^n - 1) / 2: no 1 is added that would take the digits of a small r. Error: 2.6
 * ulp. */
KERNEL_INLINE vec vec_tanh(vec x)
{
    const vec whole = vec_splat(vec_whole + 127);
    vec size = vec_at_most(vec_size_of(x), 10);
    vec shifted = size * 2.88539004F + whole, r = size - (shifted - whole) * 0.346573591F;
    vec p = vec_splat(0.0445909537F);
    p = p * r + vec_splat(0.133894101F);
    p = p * r + vec_splat(0.333327055F);
    p = p * r + vec_splat(0.666660964F);
    p = p * r + vec_splat(1.00000012F);
    vec scale = (vec)((vec_int)shifted << 23);
    vec e = (r * r * p + r) * scale + (scale * 0.5F - 0.5F);
    return vec_with_sign(e / (e + 1.0F), x);
}

/* erf(x): near 0 x + x p(x^2), elsewhere 1 - 2^p(x). Error: 1.5 ulp. */
KERNEL_INLINE vec vec_erf(vec x)
{
    vec size = vec_size_of(x), t = x * x;
    vec p = vec_splat(8.31640064e-5F);
    p = p * t + vec_splat(-8.12991522e-4F);
    p = p * t + vec_splat(5.19989431e-3F);
    p = p * t + vec_splat(-2.68589426e-2F);
    p = p * t + vec_splat(1.1283686e-1F);
    p = p * t + vec_splat(-3.76126319e-1F);
    p = p * t + vec_splat(1.28379166e-1F);
    vec near = size + size * p;
    vec s = vec_at_most(size, 3.95F);
    vec q = vec_splat(2.81246816e-4F);
    q = q * s + vec_splat(-4.37667547e-3F);
    q = q * s + vec_splat(3.20130177e-2F);
    q = q * s + vec_splat(-1.49832949e-1F);
    q = q * s + vec_splat(-9.19380307e-1F);
    q = q * s + vec_splat(-1.62682235F);
    q = q * s + vec_splat(-2.98668223e-4F);
    vec far = 1.0F - vec_exp2_normal(q);
    return vec_with_sign(vec_select(size > 0.925F, far, near), x);
}

/* s (1 - s), s = 1 / (1 + e^-x): the same on both sides of 0. */
KERNEL_INLINE vec vec_sigmoid_slope(vec x)
{
    vec e = vec_exp_down((vec)((vec_int)x | (vec_int)vec_splat(-0.0F))), below = 1.0F / (1.0F + e);
    return e * below * below;
}

/* y and n + shift, n whole, with 2^((a + rest) (high + low)) = 2^n y: the rounding error of a
 * product would be an error of the result, as large as the exponent is. */
KERNEL_INLINE vec vec_exp2_parts(vec a, vec rest, float high, float low, float shift,
                                 vec *ret_power)
{
    vec power = a * high + shift;
    vec f = vec_fma(a, vec_splat(high), shift - power) + a * low + rest * high;
    *ret_power = power;
    return vec_exp2_fraction(f);
}

/* The same for e^-x, x brought into [-115, 25], with vec_share_power. */
KERNEL_INLINE vec vec_exp_minus(vec x, vec *ret_power)
{
    x = vec_at_most(vec_at_least(x, -115), 25);
    return vec_exp2_parts(x, (vec){0}, -1.44269502F, -1.92596303e-8F, vec_share_power, ret_power);
}

/* a / (1 + e), e = 2^n y given as y and n + vec_share_power, -36 <= n <= 167: both sides of the
 * fraction are 2^-40 times as large, so that e is finite. */
KERNEL_INLINE vec vec_one_and(vec y, vec power)
{
    return y * (vec)((vec_int)power << 23) + 0x1p-40F;
}

/* 1 / (1 + e^-x). Error: 2.5 ulp. */
KERNEL_INLINE vec vec_sigmoid(vec x)
{
    vec power, y = vec_exp_minus(x, &power);
    return 0x1p-40F / vec_one_and(y, power);
}

/* x / (1 + e), e = 2^n y given as y and n + vec_share_power: 0 below `least`, and x above `most`.
 * The result is scaled last, so that a denormal one is rounded once. x * 0 is NaN at -inf, where
 * the formula is -inf / inf. */
KERNEL_INLINE vec vec_share(vec x, float least, float most, vec y, vec power)
{
    vec share = vec_at_least(x, least) / vec_one_and(y, power);
    return vec_select(x > most, x, share * 0x1p-40F + x * 0.0F);
}

/* x / (1 + e^-x). Error: 2.5 ulp. */
KERNEL_INLINE vec vec_silu(vec x)
{
    vec power, y = vec_exp_minus(x, &power);
    return vec_share(x, -115, 25, y, power);
}

/* A number clamped to [-bound, bound], beyond which a slope stays as it is. */
KERNEL_INLINE vec vec_within(vec x, float bound)
{
    return vec_at_most(vec_at_least(x, -bound), bound);
}

/* s (1 + x (1 - s)), s = 1 / (1 + e^-x). */
KERNEL_INLINE vec vec_silu_slope(vec x)
{
    x = vec_within(x, 115);
    vec s = vec_sigmoid(x);
    return s * (1.0F + x * vec_sigmoid(-x));
}

/* (1 + erf(x / sqrt(2))) / 2 + x e^(-x^2/2) / sqrt(2 pi). */
KERNEL_INLINE vec vec_gelu_slope(vec x)
{
    x = vec_within(x, 15);
    vec bell = vec_exp2_down(x * x * -0.721347520F); /* -1 / (2 ln 2) */
    return 0.5F + 0.5F * vec_erf(x * 0.707106781F) + x * 0.398942280F * bell;
}

/* s + x s (1 - s) 2u', s = 1 / (1 + e^-2u), u = sqrt(2/pi) (x + 0.044715 x^3). */
KERNEL_INLINE vec vec_gelu_tanh_slope(vec x)
{
    x = vec_within(x, 15);
    vec square = x * x, u = x * (1.59576912F + 0.0713548162F * square); /* 2u */
    vec e = vec_exp_down((vec)((vec_int)u | (vec_int)vec_splat(-0.0F))), below = 1.0F / (1.0F + e);
    vec s = vec_select(u < 0, e * below, below);
    return s + x * (e * below * below) * (1.59576912F + 0.214064449F * square);
}

/* GELU: x times the share of a normal distribution that is below x. Above t = |x| that share is
 * e^(-t^2/2) p(u) / (t + 3), u = (t - 1) / (t + 3); t^2 is taken in two parts, as an error of the
 * exponent is one of the result, however small. NaN at -inf, where the formula is -inf * 0. Source:
 * Hendrycks and Gimpel 2016, "Gaussian Error Linear Units". Error: 5.4 ulp. */
KERNEL_INLINE vec vec_gelu(vec x)
{
    vec t = vec_at_most(vec_size_of(x), 15), power;
    vec square = t * t, rest = vec_fma(t, t, -square);
    vec y = vec_exp2_parts(square, rest, -0.72134751F, -9.62981517e-9F, vec_low_power, &power);
    vec share = 1.0F / (t + 3.0F), u = (t - 1.0F) * share;
    vec p = vec_splat(0.00209565461F);
    p = p * u + vec_splat(-0.0113971476F);
    p = p * u + vec_splat(0.00582559453F);
    p = p * u + vec_splat(0.0268894415F);
    p = p * u + vec_splat(0.00568342954F);
    p = p * u + vec_splat(-0.106038503F);
    p = p * u + vec_splat(-0.0444763675F);
    p = p * u + vec_splat(0.625523686F);
    p = p * u + vec_splat(-1.15151107F);
    p = p * u + vec_splat(1.04631317F);
    vec above = p * share * y;
    /* Below 0 the result may be denormal; it is scaled last, so that it is rounded once. */
    return vec_select(x < 0, x * 0.0F - vec_scale_down(t * above, power),
                      x * (1.0F - vec_scale_down(above, power)));
}

/* GELU in its form with tanh: x / (1 + e^-2u), u = sqrt(2/pi) (x + 0.044715 x^3). In base 2, 2u is
 * 0.10294324 x (x^2 + 1 / 0.044715); the factor in brackets, and its product with x, are sums of
 * two floats. Error: 2.7 ulp. */
KERNEL_INLINE vec vec_gelu_tanh(vec x)
{
    const vec inverse = vec_splat(22.363861083984375F); /* 21 bits; 1.081748e-6 too large */
    vec t = vec_at_most(vec_at_least(x, -11), 6), power;
    vec sum = t * t + inverse, rest = vec_fma(t, t, inverse - sum) - 1.081748e-6F;
    vec product = t * sum, product_rest = vec_fma(t, sum, -product) + t * rest;
    vec y = vec_exp2_parts(product, product_rest, -0.102943242F, 2.01619854e-9F, vec_share_power,
                           &power);
    return vec_share(x, -11, 6, y, power);
}

#endif
