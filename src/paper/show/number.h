/* Numbers as a person reads them. */
#ifndef ATTN_SHOW_NUMBER_H
#define ATTN_SHOW_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tensor;

enum { NUMBER_TEXT = 48 }; /* bytes a number's text may need */

/* Facts about the numbers of a tensor. */
struct number_range {
    float lowest, highest; /* of the finite numbers; 0 without such numbers */
    size_t n_finite, n_minus_inf, n_plus_inf, n_nan;
    bool all_whole; /* every finite number is whole */
};

struct number_range number_range_of(const struct tensor *x);

enum number_form {
    NUMBER_BOOL,     /* True, False */
    NUMBER_WHOLE,    /* 12, inf, nan */
    NUMBER_FIXED,    /* 0.2291: `digits` decimals */
    NUMBER_EXPONENT, /* 2.2906e-12 */
};

struct number_style {
    enum number_form form;
    int digits;
    /* A number other than 0 that its decimals would show as 0 is written as 3e-05, if that takes at
     * most as many columns as the decimals. */
    bool shows_tiny;
};

/* The one form in which all numbers of x read well side by side: whole when all finite ones are and
 * have at most 9 digits, fixed decimals while the largest magnitude is in [10^-digits * 10, 10^6),
 * else exponents. shows_tiny is false. */
struct number_style number_style_of(const struct tensor *x, int digits);
/* Writes x in that form, without padding. "-0.0000" is written "0.0000". Returns text. */
char *number_write(float x, struct number_style style, char text[NUMBER_TEXT]);
/* Columns of the widest number that a tensor with this range has in this form. */
size_t number_widest(const struct number_range *range, struct number_style style);
/* One number alone, as short as it can be with at most `digits` decimals: 0.34, 1.3569, 2, -inf,
 * 2.2906e-12. Never writes a number other than 0 as 0. Returns text. */
char *number_short(float x, int digits, char text[NUMBER_TEXT]);
/* One number with as few digits as it takes to read back the same float32: 0.37625307, -inf.
 * Returns text. */
char *number_exact(float x, char text[NUMBER_TEXT]);
/* The number with the fewest digits that is this float32, which is how it was typed: 0.1 for
 * 0.1f. */
double number_typed(float x);
/* 7087872 as 7,087,872. Returns text. */
char *number_grouped(uint64_t count, char text[NUMBER_TEXT]);
/* Whether a number changed, as tables mark it: NaN equals NaN here. */
bool number_differs(float before, float after);

#endif
