/* Float32 numbers from the bits of other formats (IEEE 754; bfloat16 is its upper half). */
#ifndef ATTN_FILES_FLOAT_BITS_INTERNAL_H
#define ATTN_FILES_FLOAT_BITS_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* bfloat16: 1 sign bit, 8 of exponent, 7 of fraction. */
static inline float float_from_bfloat(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

/* binary16: 1 sign bit, 5 of exponent, 10 of fraction. Moves the fraction to its place in float32,
 * and raises the exponent by the difference of the biases, 127 - 15. */
static inline float float_from_half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = (uint32_t)(bits & 0x7FFF) << 13;
    if ((bits & 0x7C00) == 0x7C00) /* infinity, NaN */
        return float_of(sign | rest | 0x7F800000);
    float magnitude = float_of(rest) * 0x1p112f;
    return sign != 0 ? -magnitude : magnitude;
}

/* The nearest float32. False for a finite number that would become infinity. */
static inline bool float_from_double(double number, float *ret)
{
    /* Halfway between FLT_MAX and the next power of two: from here on rounding gives infinity. */
    if (isfinite(number) && fabs(number) >= 0x1.ffffffp127)
        return false;
    *ret = (float)number;
    return true;
}

#endif
