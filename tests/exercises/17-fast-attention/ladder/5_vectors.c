/* Vectors by hand: eight numbers to a vector, and 4 rows x 2 vectors of sums that stay in
 * registers, so that a vector that is read once meets four rows. Eight exponentials are computed at
 * once, by a polynomial. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, WIDE = 2 * LANES, ROWS = 4 };

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t whole __attribute__((vector_size(LANES * sizeof(int32_t))));

static void load(const float *from, vec *ret)
{
    memcpy(ret, from, sizeof *ret);
}

static void store(const vec *x, float *to)
{
    memcpy(to, x, sizeof *x);
}

static size_t rounded_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* out[k, c] = rows[k, c], with columns of 0 up to a whole number of WIDE; turned: rows[c, k]. */
static void pad(size_t n_rows, size_t n_columns, const float *rows, int turned, float *out)
{
    const size_t width = rounded_up(n_columns, WIDE);
    for (size_t k = 0; k < n_rows; k++)
        for (size_t c = 0; c < width; c++)
            out[k * width + c] = c >= n_columns ? 0
                                 : turned       ? rows[c * n_rows + k]
                                                : rows[k * n_columns + c];
}

/* out[r, 0..WIDE) = sum over k of factors[r, k] * matrix[k, 0..WIDE), for ROWS rows. */
static void tile(size_t n_inner, const float *factors, size_t factor_step, const float *matrix,
                 size_t matrix_step, float *out, size_t out_step)
{
    vec a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0}, x, y;
    const float *a = factors, *b = a + factor_step, *c = b + factor_step, *d = c + factor_step;
    for (size_t k = 0; k < n_inner; k++) {
        load(matrix + k * matrix_step, &x);
        load(matrix + k * matrix_step + LANES, &y);
        a0 += a[k] * x;
        a1 += a[k] * y;
        b0 += b[k] * x;
        b1 += b[k] * y;
        c0 += c[k] * x;
        c1 += c[k] * y;
        d0 += d[k] * x;
        d1 += d[k] * y;
    }
    const vec sums[2 * ROWS] = {a0, a1, b0, b1, c0, c1, d0, d1};
    for (size_t r = 0; r < ROWS; r++) {
        store(&sums[2 * r], out + r * out_step);
        store(&sums[2 * r + 1], out + r * out_step + LANES);
    }
}

/* *x = exp(*x) for numbers of at most 0: 2^k times the exponential of what is left, which lies
 * within log(2) / 2 of 0; its Taylor polynomial of degree 6 is off by less than 2e-7. */
static void exponential(vec *x)
{
    const float round = 0x1.8p23f, log2_e = 1.44269504f, high = 0.693145752f, low = 1.42860677e-6f;
    const vec least = (vec){0} - 87;
    const whole small = *x < least;
    const vec at = (vec)(((whole)least & small) | ((whole)*x & ~small));
    const vec shifted = at * log2_e + round, k = shifted - round;
    const vec r = at - k * high - k * low;
    const vec p =
        1 + r * (1 + r * (1 / 2.f + r * (1 / 6.f + r * (1 / 24.f + r * (1 / 120.f + r / 720)))));
    const whole power = __builtin_convertvector(k, whole);
    *x = p * (vec)((power + 127) << 23);
}

/* x[0..n): exp(scale * (x - max)), what follows up to a whole number of vectors 0. Returns the
 * sum. */
static float terms(size_t n, float scale, float *x)
{
    float max = -INFINITY, sum = 0;
    vec sums = {0}, v;
    for (size_t j = 0; j < n; j++)
        max = x[j] > max ? x[j] : max;
    for (size_t j = n; j < rounded_up(n, WIDE); j++)
        x[j] = -INFINITY;
    for (size_t j = 0; j < n; j += LANES) {
        load(x + j, &v);
        v = (v - max) * scale;
        exponential(&v);
        store(&v, x + j);
    }
    for (size_t j = n; j < rounded_up(n, WIDE); j++)
        x[j] = 0;
    for (size_t j = 0; j < n; j += LANES) {
        load(x + j, &v);
        sums += v;
    }
    for (size_t lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* The rooms that one call needs, in one block. */
struct rooms {
    size_t keys_width, values_width;
    float *keys;    /* (d, keys_width), turned */
    float *values;  /* (n, values_width) */
    float *queries; /* (ROWS, d) */
    float *scores;  /* (ROWS, keys_width) */
    float *context; /* (ROWS, values_width) */
};

static float *rooms_open(size_t n, size_t d, struct rooms *ret)
{
    const size_t w_n = rounded_up(n, WIDE), w_d = rounded_up(d, WIDE);
    float *all = calloc(d * w_n + n * w_d + ROWS * (d + w_n + w_d), sizeof *all);
    *ret = (struct rooms){.keys_width = w_n, .values_width = w_d, .keys = all};
    if (all == NULL)
        return NULL;
    ret->values = ret->keys + d * w_n;
    ret->queries = ret->values + n * w_d;
    ret->scores = ret->queries + ROWS * d;
    ret->context = ret->scores + ROWS * w_n;
    return all;
}

/* The context of ROWS queries, of which the first n_rows are asked for. */
static void four_rows(size_t n, size_t d, size_t n_rows, const struct rooms *rooms, float *context)
{
    const float scale = 1 / sqrtf((float)d);
    for (size_t j = 0; j < n; j += WIDE)
        tile(d, rooms->queries, d, rooms->keys + j, rooms->keys_width, rooms->scores + j,
             rooms->keys_width);
    float sums[ROWS];
    for (size_t r = 0; r < ROWS; r++)
        sums[r] = terms(n, scale, rooms->scores + r * rooms->keys_width);
    for (size_t c = 0; c < d; c += WIDE)
        tile(n, rooms->scores, rooms->keys_width, rooms->values + c, rooms->values_width,
             rooms->context + c, rooms->values_width);
    for (size_t r = 0; r < n_rows; r++)
        for (size_t c = 0; c < d; c++)
            context[r * d + c] = rooms->context[r * rooms->values_width + c] / sums[r];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    struct rooms rooms;
    float *all = rooms_open(n, d, &rooms);
    if (all == NULL)
        return;
    pad(d, n, key, 1, rooms.keys);
    pad(n, d, value, 0, rooms.values);
    for (size_t i = 0; i < n; i += ROWS) {
        const size_t n_rows = n - i < ROWS ? n - i : ROWS;
        memcpy(rooms.queries, query + i * d, n_rows * d * sizeof *query);
        four_rows(n, d, n_rows, &rooms, context + i * d);
    }
    free(all);
}
