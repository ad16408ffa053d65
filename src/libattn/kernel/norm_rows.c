/* See norm_rows_internal.h. A row stays in the nearest cache while it is passed over; some rows
 * stay in the next one until their columns are added up. */
#include "kernel/kernel_internal.h"

#include <math.h>

#include "kernel/vector_internal.h"

/* Rows whose columns are added up at once. */
enum { BLOCK = 16 };

/* The amounts taken from each number of a row, in two parts as the mean may be much larger than the
 * rest, and the factor of that rest. */
struct shift {
    float high, low, factor;
};

static double mean_of(const float *x, size_t n)
{
    return KERNEL(fold)(FOLD_SUM, x, n, 0) / (double)n;
}

static struct shift shift_of(const struct norm_rows *rows, const float *x)
{
    double mean = rows->centred ? mean_of(x, rows->n) : 0;
    double spread = KERNEL(fold)(FOLD_SQUARES, x, rows->n, mean) / (double)rows->n;
    return (struct shift){.high = (float)mean,
                          .low = (float)(mean - (double)(float)mean),
                          .factor = (float)(1 / sqrt(spread + rows->eps))};
}

KERNEL_INLINE vec shifted(vec x, struct shift shift)
{
    return ((x - shift.high) - shift.low) * shift.factor;
}

static float shifted_one(float x, struct shift shift)
{
    return ((x - shift.high) - shift.low) * shift.factor;
}

KERNEL_INLINE void write_row(const struct norm_rows *rows, const float *x, bool weighted,
                             bool biased, float *ret)
{
    struct shift shift = shift_of(rows, x);
    size_t at = 0;
    for (; rows->n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        vec y = shifted(vec_load(x + at), shift);
        y = weighted ? y * vec_load(rows->weight + at) : y;
        vec_store(ret + at, biased ? y + vec_load(rows->bias + at) : y);
    }
    for (; at < rows->n; at++) {
        float y = shifted_one(x[at], shift);
        y = weighted ? y * rows->weight[at] : y;
        ret[at] = biased ? y + rows->bias[at] : y;
    }
}

void KERNEL(norm_rows)(const struct norm_rows *rows, float *ret)
{
    bool weighted = rows->weight != NULL, biased = rows->bias != NULL;
    for (size_t row = 0; row < rows->n_rows; row++) {
        const float *x = rows->x + row * rows->n;
        float *to = ret + row * rows->n;
        if (weighted && biased)
            write_row(rows, x, true, true, to);
        else if (weighted)
            write_row(rows, x, true, false, to);
        else
            write_row(rows, x, false, biased, to);
    }
}

/* ---- backwards ---- */

/* The means over a row of g = d weight, and of g times the shifted row. */
struct means {
    double g, product;
};

/* The sums of some vectors, which become doubles together. */
struct sums {
    vec g, product;
};

KERNEL_INLINE void add_vector(const struct norm_rows *rows, const float *x, const float *d,
                              size_t at, struct shift shift, bool weighted, struct sums *sums)
{
    vec g = vec_load(d + at);
    g = weighted ? g * vec_load(rows->weight + at) : g;
    sums->g += g;
    sums->product += g * shifted(vec_load(x + at), shift);
}

KERNEL_INLINE struct means means_of(const struct norm_rows *rows, const float *x, const float *d,
                                    struct shift shift, bool weighted)
{
    vec_double g_low = {0}, g_high = {0}, low = {0}, high = {0};
    size_t at = 0, whole = rows->n / KERNEL_LANES * KERNEL_LANES;
    while (at < whole) {
        struct sums even = {{0}, {0}}, odd = {{0}, {0}};
        for (unsigned i = 0; i < 4 && whole - at >= 2 * KERNEL_LANES; i++, at += 2 * KERNEL_LANES) {
            add_vector(rows, x, d, at, shift, weighted, &even);
            add_vector(rows, x, d, at + KERNEL_LANES, shift, weighted, &odd);
        }
        if (whole - at == KERNEL_LANES) {
            add_vector(rows, x, d, at, shift, weighted, &even);
            at += KERNEL_LANES;
        }
        vec g = even.g + odd.g, product = even.product + odd.product;
        g_low += vec_low_half(g);
        g_high += vec_high_half(g);
        low += vec_low_half(product);
        high += vec_high_half(product);
    }
    struct means sums = {vec_double_sum(g_low + g_high), vec_double_sum(low + high)};
    for (; at < rows->n; at++) {
        float g = weighted ? d[at] * rows->weight[at] : d[at];
        sums.g += (double)g;
        sums.product += (double)(g * shifted_one(x[at], shift));
    }
    return (struct means){rows->centred ? sums.g / (double)rows->n : 0,
                          sums.product / (double)rows->n};
}

/* factor (g - mean of g - shifted x times mean of their products) */
KERNEL_INLINE void write_back(const struct norm_rows *rows, const float *x, const float *d,
                              struct shift shift, bool weighted, float *d_x)
{
    struct means means = means_of(rows, x, d, shift, weighted);
    float g_mean = (float)means.g, product_mean = (float)means.product;
    size_t at = 0;
    for (; rows->n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        vec g = vec_load(d + at);
        g = weighted ? g * vec_load(rows->weight + at) : g;
        vec y = shifted(vec_load(x + at), shift);
        vec_store(d_x + at, ((g - g_mean) - y * product_mean) * shift.factor);
    }
    for (; at < rows->n; at++) {
        float g = weighted ? d[at] * rows->weight[at] : d[at];
        float y = shifted_one(x[at], shift);
        d_x[at] = ((g - g_mean) - y * product_mean) * shift.factor;
    }
}

/* Adds a vector of sums to LANES doubles. */
KERNEL_INLINE void add_sums(double *to, vec sums)
{
    vec_double low = vec_low_half(sums), high = vec_high_half(sums), now[2];
    memcpy(now, to, sizeof now);
    now[0] += low;
    now[1] += high;
    memcpy(to, now, sizeof now);
}

/* Adds up the columns of at most BLOCK rows. */
static void add_columns(const struct norm_rows *rows, const float *d, const struct shift *shifts,
                        double *d_weight, double *d_bias)
{
    size_t at = 0, n = rows->n;
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        vec weights = {0}, biases = {0};
        for (size_t row = 0; row < rows->n_rows; row++) {
            vec some = vec_load(d + row * n + at);
            biases += some;
            weights += some * shifted(vec_load(rows->x + row * n + at), shifts[row]);
        }
        if (d_weight != NULL)
            add_sums(d_weight + at, weights);
        if (d_bias != NULL)
            add_sums(d_bias + at, biases);
    }
    for (; at < n; at++)
        for (size_t row = 0; row < rows->n_rows; row++) {
            float some = d[row * n + at];
            if (d_bias != NULL)
                d_bias[at] += (double)some;
            if (d_weight != NULL)
                d_weight[at] += (double)(some * shifted_one(rows->x[row * n + at], shifts[row]));
        }
}

static void go_back(const struct norm_rows *rows, const float *d, float *d_x, double *d_weight,
                    double *d_bias)
{
    struct shift shifts[BLOCK];
    for (size_t row = 0; row < rows->n_rows; row++) {
        size_t at = row * rows->n;
        shifts[row] = shift_of(rows, rows->x + at);
        if (rows->weight != NULL)
            write_back(rows, rows->x + at, d + at, shifts[row], true, d_x + at);
        else
            write_back(rows, rows->x + at, d + at, shifts[row], false, d_x + at);
    }
    if (d_weight != NULL || d_bias != NULL)
        add_columns(rows, d, shifts, d_weight, d_bias);
}

void KERNEL(norm_rows_back)(const struct norm_rows *rows, const float *d, float *d_x,
                            double *d_weight, double *d_bias)
{
    struct norm_rows some = *rows;
    for (size_t row = 0; row < rows->n_rows; row += BLOCK) {
        size_t at = row * rows->n;
        some.n_rows = least(rows->n_rows - row, BLOCK);
        some.x = rows->x + at;
        go_back(&some, d + at, d_x + at, d_weight, d_bias);
    }
}
