/* Numbers as text: see number.h. */
#include "show/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "tensor/tensor.h"

/* Up to 9 digits tell a float32 from its neighbours, so that longer whole numbers say no more than
 * an exponent does. Shorter ones are shown whole: the counts of a model have 8 and 9 digits. */
static const float WHOLE_LIMIT = 1e9F;
static const float FIXED_LIMIT = 1e6F;

/* 10^(1 - digits), the smallest number that fixed decimals show with two digits of its own. As
 * float32, so that 0.001 itself is not below it. */
static float fixed_floor(int digits)
{
    static const float floors[] = {1e0F, 1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F, 1e-6F, 1e-7F, 1e-8F};
    return floors[digits - 1];
}

static int allowed_digits(int digits)
{
    return digits < 1 ? 1 : digits > 9 ? 9 : digits;
}

static void range_add(struct number_range *range, float x)
{
    if (isnan(x)) {
        range->n_nan++;
    } else if (isinf(x)) {
        *(x > 0 ? &range->n_plus_inf : &range->n_minus_inf) += 1;
    } else {
        bool first = range->n_finite++ == 0;
        range->lowest = first || x < range->lowest ? x : range->lowest;
        range->highest = first || x > range->highest ? x : range->highest;
        range->all_whole = range->all_whole && x == truncf(x);
    }
}

/* Adds x seen from axis on, with its first element at data. */
static void range_add_axis(struct number_range *range, const struct tensor *x, unsigned axis,
                           const float *data)
{
    if (axis == x->n_axes) {
        range_add(range, *data);
        return;
    }
    for (size_t i = 0; i < x->shape[axis]; i++)
        range_add_axis(range, x, axis + 1, data + (ptrdiff_t)i * x->stride[axis]);
}

struct number_range number_range_of(const struct tensor *x)
{
    struct number_range range = {.all_whole = true};
    if (tensor_size(x) > 0)
        range_add_axis(&range, x, 0, x->data);
    return range;
}

struct number_style number_style_of(const struct tensor *x, int digits)
{
    struct number_style style = {.digits = allowed_digits(digits)};
    struct number_range range = number_range_of(x);
    float largest = fmaxf(-range.lowest, range.highest);
    if (x->is_bool)
        style.form = NUMBER_BOOL;
    else if (range.all_whole && largest < WHOLE_LIMIT)
        style.form = NUMBER_WHOLE;
    else if (largest >= fixed_floor(style.digits) && largest < FIXED_LIMIT)
        style.form = NUMBER_FIXED;
    else
        style.form = NUMBER_EXPONENT;
    return style;
}

static void write_exponent(float x, int digits, char text[NUMBER_TEXT])
{
    if (x == 0)
        snprintf(text, NUMBER_TEXT, "0");
    else
        snprintf(text, NUMBER_TEXT, "%.*e", digits, (double)x);
}

/* Whether a text has no digit but 0: "0.000", "-0.000". */
static bool reads_as_zero(const char *text)
{
    return text[strspn(text, "-0.")] == '\0';
}

/* With decimals; numbers too long for that, which only another tensor's style brings here, with an
 * exponent. */
static void write_fixed(float x, int decimals, char text[NUMBER_TEXT])
{
    int needed = snprintf(text, NUMBER_TEXT, "%.*f", decimals, (double)x);
    if (needed >= NUMBER_TEXT)
        write_exponent(x, decimals, text);
    else if (text[0] == '-' && reads_as_zero(text))
        memmove(text, text + 1, strlen(text));
}

/* Replaces the decimals of a number that would be read as 0 with its exponent, 3e-05, if that takes
 * at most as many columns. */
static void tell_from_zero(float x, char text[NUMBER_TEXT])
{
    char tiny[NUMBER_TEXT];
    snprintf(tiny, sizeof tiny, "%.0e", (double)x);
    if (x != 0 && reads_as_zero(text) && strlen(tiny) <= strlen(text))
        memcpy(text, tiny, strlen(tiny) + 1);
}

char *number_write(float x, struct number_style style, char text[NUMBER_TEXT])
{
    if (style.form == NUMBER_BOOL)
        snprintf(text, NUMBER_TEXT, x != 0 ? "True" : "False");
    else if (isnan(x))
        snprintf(text, NUMBER_TEXT, "nan");
    else if (isinf(x))
        snprintf(text, NUMBER_TEXT, x > 0 ? "inf" : "-inf");
    else if (style.form == NUMBER_EXPONENT)
        write_exponent(x, style.digits, text);
    else
        write_fixed(x, style.form == NUMBER_WHOLE ? 0 : style.digits, text);
    if (style.form == NUMBER_FIXED && style.shows_tiny)
        tell_from_zero(x, text);
    return text;
}

/* In every form, a number between two others takes at most as many columns as the wider of them. */
size_t number_widest(const struct number_range *range, struct number_style style)
{
    const float ends[] = {range->lowest, range->highest, -INFINITY, INFINITY, NAN, 0};
    bool occurs[] = {range->n_finite > 0,   range->n_finite > 0, range->n_minus_inf > 0,
                     range->n_plus_inf > 0, range->n_nan > 0,    style.form == NUMBER_BOOL};
    size_t cols = 1;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char text[NUMBER_TEXT];
        if (occurs[i])
            cols = size_max(cols, strlen(number_write(ends[i], style, text)));
    }
    return cols;
}

/* 0.3400 to 0.34, 2.5000e-12 to 2.5e-12, 3.0 to 3. */
static void drop_trailing_zeros(char *text)
{
    char *point = strchr(text, '.');
    if (point == NULL)
        return;
    char *tail = point + strcspn(point, "e");
    char *end = tail;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    memmove(end, tail, strlen(tail) + 1);
}

char *number_short(float x, int digits, char text[NUMBER_TEXT])
{
    float size = fabsf(x);
    digits = allowed_digits(digits);
    if (!isfinite(x))
        return number_write(x, (struct number_style){.form = NUMBER_WHOLE, .digits = digits}, text);
    bool fits = size >= fixed_floor(digits) && size < FIXED_LIMIT;
    write_fixed(x, digits, text);
    bool exact = size < WHOLE_LIMIT && strtof(text, NULL) == x;
    if (!exact && !fits)
        write_exponent(x, digits, text);
    drop_trailing_zeros(text);
    return text;
}

char *number_exact(float x, char text[NUMBER_TEXT])
{
    if (!isfinite(x))
        return number_write(x, (struct number_style){.form = NUMBER_WHOLE, .digits = 1}, text);
    for (int digits = 1; digits <= 9; digits++) { /* 9 are enough for any float32 */
        snprintf(text, NUMBER_TEXT, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x)
            break;
    }
    return text;
}

double number_typed(float x)
{
    char text[NUMBER_TEXT];
    return strtod(number_exact(x, text), NULL);
}

char *number_grouped(uint64_t count, char text[NUMBER_TEXT])
{
    char digits[NUMBER_TEXT];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    size_t size = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[size++] = ',';
        text[size++] = digits[i];
    }
    text[size] = '\0';
    return text;
}

bool number_differs(float before, float after)
{
    return before != after && !(isnan(before) && isnan(after));
}
