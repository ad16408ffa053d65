/* Three passes over a row that stays in the nearest caches: see softmax_row_internal.h. */
#include "kernel/kernel_internal.h"

#include <math.h>

#include "kernel/transpose_internal.h"
#include "kernel/vector_math_internal.h"

/* The numbers of a row after its whole vectors, with -inf in the other lanes. */
KERNEL_INLINE vec last_of(const float *x, size_t n)
{
    return n < KERNEL_LANES ? vec_load_first(x, n, -INFINITY)
                            : vec_load_last(x + n, n % KERNEL_LANES, -INFINITY);
}

/* The reverse. */
KERNEL_INLINE void store_last(float *x, size_t n, vec last)
{
    if (n < KERNEL_LANES)
        vec_store_first(x, n, last);
    else
        vec_store_last(x + n, n % KERNEL_LANES, last);
}

/* The largest number that is not NaN; -inf if all are NaN. */
static float largest_of(const float *x, size_t n)
{
    vec most[4];
    size_t at = 0;
    for (unsigned i = 0; i < 4; i++)
        most[i] = vec_splat(-INFINITY);
    for (; n - at >= 4 * KERNEL_LANES; at += 4 * KERNEL_LANES) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < 4; i++)
            most[i] = vec_max(vec_load(x + at + i * KERNEL_LANES), most[i]);
    }
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES)
        most[0] = vec_max(vec_load(x + at), most[0]);
    most[1] = vec_max(last_of(x, n), most[1]);
    return vec_largest(vec_max(vec_max(most[0], most[1]), vec_max(most[2], most[3])));
}

/* A sum of numbers in double. */
struct sum {
    vec_double low, high;
};

KERNEL_INLINE void add_to(struct sum *sum, vec x)
{
    sum->low += vec_low_half(x);
    sum->high += vec_high_half(x);
}

/* The sum of e^(x - most); with `keeps` the exponentials are written too, perhaps over x. */
KERNEL_INLINE double sum_exponentials(const float *x, size_t n, float most, bool keeps, float *ret)
{
    struct sum sum = {{0}, {0}};
    vec last = last_of(x, n) - most;
    size_t at = 0;
    for (; n - at >= 4 * KERNEL_LANES; at += 4 * KERNEL_LANES) {
        vec e[4]; /* which are added up before they become doubles: that costs the most */
        KERNEL_UNROLL
        for (size_t i = 0; i < 4; i++) {
            e[i] = vec_exp_down(vec_load(x + at + i * KERNEL_LANES) - most);
            if (keeps)
                vec_store(ret + at + i * KERNEL_LANES, e[i]);
        }
        add_to(&sum, (e[0] + e[1]) + (e[2] + e[3]));
    }
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        vec e = vec_exp_down(vec_load(x + at) - most);
        add_to(&sum, e);
        if (keeps)
            vec_store(ret + at, e);
    }
    if (at < n) {
        vec e = vec_exp_down(last);
        add_to(&sum, e);
        if (keeps)
            store_last(ret, n, e);
    }
    return vec_double_sum(sum.low + sum.high);
}

/* Whether a row without a largest number is all -inf, rather than NaN somewhere. */
static bool hides_all(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != -INFINITY)
            return false;
    return true;
}

static void scale_row(float *x, size_t n, float factor)
{
    vec last = last_of(x, n) * factor;
    size_t at = 0;
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES)
        vec_store(x + at, vec_load(x + at) * factor);
    if (at < n)
        store_last(x, n, last);
}

static void plain_row(const float *x, size_t n, bool zeros_where_hidden, float *ret)
{
    float most = largest_of(x, n);
    if (zeros_where_hidden && most == -INFINITY && hides_all(x, n)) {
        memset(ret, 0, n * sizeof *ret);
        return;
    }
    scale_row(ret, n, (float)(1 / sum_exponentials(x, n, most, true, ret)));
}

static void log_row(const float *x, size_t n, float *ret)
{
    float most = largest_of(x, n);
    float log_sum = (float)log(sum_exponentials(x, n, most, false, NULL));
    size_t at = 0;
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES)
        vec_store(ret + at, (vec_load(x + at) - most) - log_sum);
    for (; at < n; at++)
        ret[at] = (x[at] - most) - log_sum;
}

enum { HALF = KERNEL_LANES / 2 };

/* Near each other, d and the mean would lose digits in float32. */
static void gradient_row(const float *y, const float *d, size_t n, float *ret)
{
    vec_double low = {0}, high = {0};
    size_t at = 0, whole = n / KERNEL_LANES * KERNEL_LANES;
    for (; at < whole; at += KERNEL_LANES) {
        low += vec_load_half(d + at) * vec_load_half(y + at);
        high += vec_load_half(d + at + HALF) * vec_load_half(y + at + HALF);
    }
    double mean = vec_double_sum(low + high);
    for (; at < n; at++)
        mean += (double)d[at] * (double)y[at];
    for (at = 0; at < whole; at += KERNEL_LANES) {
        low = vec_load_half(y + at) * (vec_load_half(d + at) - mean);
        high = vec_load_half(y + at + HALF) * (vec_load_half(d + at + HALF) - mean);
        vec_store(ret + at, vec_of_halves(low, high));
    }
    for (; at < n; at++)
        ret[at] = (float)((double)y[at] * ((double)d[at] - mean));
}

/* d - e sum, for a vector of e. */
KERNEL_INLINE vec less_share(const float *d, vec e, double sum)
{
    return vec_of_halves(vec_load_half(d) - vec_low_half(e) * sum,
                         vec_load_half(d + HALF) - vec_high_half(e) * sum);
}

static void log_gradient_row(const float *y, const float *d, size_t n, float *ret)
{
    double sum = KERNEL(fold)(FOLD_SUM, d, n, 0);
    size_t at = 0;
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES)
        vec_store(ret + at, less_share(d + at, vec_exp(vec_load(y + at)), sum));
    if (at < n) {
        float last[KERNEL_LANES];
        vec_store(last, vec_load_first(d + at, n - at, 0));
        vec e = vec_exp(vec_load_first(y + at, n - at, 0));
        vec_store_first(ret + at, n - at, less_share(last, e, sum));
    }
}

void KERNEL(softmax_row)(enum softmax_form form, const float *x, const float *d, size_t n,
                         float *ret)
{
    switch (form) {
    case SOFTMAX_PLAIN:
    case SOFTMAX_WEIGHTS:
        plain_row(x, n, form == SOFTMAX_WEIGHTS, ret);
        break;
    case SOFTMAX_LOG:
        log_row(x, n, ret);
        break;
    case SOFTMAX_GRADIENT:
        gradient_row(x, d, n, ret);
        break;
    case SOFTMAX_LOG_GRADIENT:
        log_gradient_row(x, d, n, ret);
        break;
    }
}

float KERNEL(loss_row)(const float *x, size_t n, size_t target)
{
    float most = largest_of(x, n);
    double log_sum = log(sum_exponentials(x, n, most, false, NULL));
    return (float)(log_sum - ((double)x[target] - (double)most));
}

void KERNEL(loss_row_back)(const float *x, size_t n, size_t target, float d, float *ret)
{
    float most = largest_of(x, n);
    double sum = sum_exponentials(x, n, most, true, ret);
    double others = ((double)ret[target] - sum) / sum; /* the weight less 1 */
    scale_row(ret, n, (float)((double)d / sum));
    ret[target] = (float)(others * (double)d);
}

void KERNEL(transpose)(const float *from, ptrdiff_t from_row, size_t n_rows, size_t n_columns,
                       float *to, ptrdiff_t to_row)
{
    /* NOLINTNEXTLINE: columns become rows */
    copy_strided(from, 1, from_row, n_columns, n_rows, to, (size_t)to_row);
}
