#include "kernel/vector_products_internal.h"

#include "kernel/transpose_internal.h"

/* Rows are read once, one after the other: so many numbers ahead of those that are worked on, they
 * are asked for, also across the end of a block, as the next one most often follows. Without that
 * the memory waits while the processor computes. In long rows, several of which are read beside
 * each other, it is enough to ask that far along each. */
enum { AHEAD = 2048, LONG = 512, AHEAD_IN_LONG = 128 };

/* From a number to the one that is asked for meanwhile. */
static ptrdiff_t ahead_of(size_t d, ptrdiff_t row)
{
    return d < LONG ? (ptrdiff_t)(AHEAD / d + 1) * row : AHEAD_IN_LONG;
}

KERNEL_INLINE void ask_for(const float *numbers)
{
    __builtin_prefetch(numbers);
}

/* Rows that are read beside each other, so that no sum waits for the one before. */
enum { BESIDE = KERNEL_LANES < 8 ? KERNEL_LANES : 8 }; /* NOLINT: of each build */

/* BESIDE dots at once: products are summed lane by lane. */
KERNEL_INLINE void dot_beside(const float *x, size_t d, const float *rows, ptrdiff_t row, vec *sums)
{
    size_t whole = d / KERNEL_LANES * KERNEL_LANES;
    ptrdiff_t ahead = ahead_of(d, row);
    vec now[BESIDE] = {{0}};
    for (size_t at = 0; at < whole; at += KERNEL_LANES) {
        vec factor = vec_load(x + at);
        KERNEL_UNROLL
        for (size_t i = 0; i < BESIDE; i++) {
            now[i] += factor * vec_load(rows + (ptrdiff_t)i * row + at);
            ask_for(rows + (ptrdiff_t)i * row + at + ahead);
        }
    }
    KERNEL_UNROLL
    for (size_t i = 0; i < BESIDE; i++) {
        if (whole < d)
            now[i] += vec_load_first(x + whole, d - whole, 0) *
                      vec_load_first(rows + (ptrdiff_t)i * row + whole, d - whole, 0);
        sums[i] = now[i];
    }
}

/* LANES dots at once. */
static vec dot_some(const float *x, size_t d, const float *rows, ptrdiff_t row)
{
    vec sums[KERNEL_LANES];
    for (size_t i = 0; i < KERNEL_LANES; i += BESIDE)
        dot_beside(x, d, rows + (ptrdiff_t)i * row, row, sums + i);
    return sums_of_vectors(sums);
}

static float dot(const float *x, const float *y, size_t d)
{
    vec sums = {0};
    size_t whole = d / KERNEL_LANES * KERNEL_LANES;
    for (size_t at = 0; at < whole; at += KERNEL_LANES)
        sums += vec_load(x + at) * vec_load(y + at);
    float sum = vec_sum(sums);
    for (size_t at = whole; at < d; at++)
        sum += x[at] * y[at];
    return sum;
}

void KERNEL(dot_rows)(const float *x, size_t d, const float *rows, ptrdiff_t row, size_t n,
                      bool add, float *to)
{
    size_t whole = n / KERNEL_LANES * KERNEL_LANES;
    for (size_t i = 0; i < whole; i += KERNEL_LANES) {
        vec dots = dot_some(x, d, rows + (ptrdiff_t)i * row, row);
        vec_store(to + i, add ? vec_load(to + i) + dots : dots);
    }
    for (size_t i = whole; i < n; i++)
        to[i] = dot(x, rows + (ptrdiff_t)i * row, d) + (add ? to[i] : 0);
}

/* The number of columns summed in registers. */
enum { MIX_COLUMNS = KERNEL_LANES < 8 ? 32 : 64, MIX_VECTORS = MIX_COLUMNS / KERNEL_LANES };

static void mix_wide(const float *x, ptrdiff_t x_step, size_t n, const float *rows, ptrdiff_t row,
                     bool add, float *to)
{
    vec sums[MIX_VECTORS];
    KERNEL_UNROLL
    for (size_t v = 0; v < MIX_VECTORS; v++)
        sums[v] = add ? vec_load(to + v * KERNEL_LANES) : (vec){0};
    ptrdiff_t ahead = ahead_of(MIX_COLUMNS, row);
    for (size_t p = 0; p < n; p++, rows += row) {
        vec factor = vec_splat(x[(ptrdiff_t)p * x_step]);
        KERNEL_UNROLL
        for (size_t v = 0; v < MIX_VECTORS; v++) {
            sums[v] += factor * vec_load(rows + v * KERNEL_LANES);
            ask_for(rows + ahead + v * KERNEL_LANES);
        }
    }
    KERNEL_UNROLL
    for (size_t v = 0; v < MIX_VECTORS; v++)
        vec_store(to + v * KERNEL_LANES, sums[v]);
}

/* d <= LANES columns. */
static void mix_narrow(const float *x, ptrdiff_t x_step, size_t n, const float *rows, ptrdiff_t row,
                       size_t d, bool add, float *to)
{
    vec sum = add ? vec_load_first(to, d, 0) : (vec){0};
    for (size_t p = 0; p < n; p++, rows += row) {
        vec some = d == KERNEL_LANES ? vec_load(rows) : vec_load_first(rows, d, 0);
        sum += some * x[(ptrdiff_t)p * x_step];
    }
    vec_store_first(to, d, sum);
}

void KERNEL(mix_rows)(const float *x, ptrdiff_t x_step, size_t n, const float *rows, ptrdiff_t row,
                      size_t d, bool add, float *to)
{
    size_t at = 0;
    for (; d - at >= MIX_COLUMNS; at += MIX_COLUMNS)
        mix_wide(x, x_step, n, rows + at, row, add, to + at);
    for (; at < d; at += KERNEL_LANES) {
        size_t rest = d - at < KERNEL_LANES ? d - at : KERNEL_LANES;
        mix_narrow(x, x_step, n, rows + at, row, rest, add, to + at);
    }
}
