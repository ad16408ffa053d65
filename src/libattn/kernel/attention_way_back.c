/* The gradients of one head, block by block of keys and queries: see attention_head_internal.h.
 * With P the weights, F the dropout factors, S the scores before scaling and d_ for gradients:
 *
 *   d_value = (P F)^T d_context                 d_P = F (d_context value^T)
 *   d_masked = P (d_P - delta)                  delta = sum over a row of d_context context
 *   d_S = d_masked slope scale                  (slope: of the softcap)
 *   d_query = d_S key                           d_key = d_S^T query
 *
 * delta is the sum of P d_P over a row, because context = (P F) value. Source: Dao et al. 2022,
 * "FlashAttention", appendix B. */
#include <math.h>

#include "kernel/attention_block_internal.h"
#include "kernel/vector_math_internal.h"

struct work {
    float *keys;       /* a packed block, and values likewise */
    float *values;     /* for products with their transpose */
    float *key_rows;   /* rows that can't be read in place: of the keys, */
    float *query_rows; /* of the queries, */
    float *d_rows;     /* and of d_context */
    float *weights;    /* (BLOCK_QUERIES, BLOCK_KEYS), each */
    float *gradients;  /* of them, and then of the scores */
    float *slopes;     /* of the softcap */
    float *delta;      /* (n_q) */
};

size_t KERNEL(attention_back_room)(const struct attention_back *back)
{
    const struct attention_rows *rows = &back->rows;
    size_t d_k = rows->d_k, d_v = rows->d_v;
    return BLOCK_QUERIES * (whole_vectors(d_k) + whole_vectors(d_v)) +
           BLOCK_KEYS * (d_k + d_v + whole_vectors(d_k)) + 3 * (size_t)BLOCK_QUERIES * BLOCK_KEYS +
           rows->n_q + 10 * 16;
}

static struct work lay_out(const struct attention_rows *rows, float *room)
{
    struct work work;
    work.keys = take_room(&room, BLOCK_KEYS * rows->d_k);
    work.values = take_room(&room, BLOCK_KEYS * rows->d_v);
    work.key_rows = take_room(&room, BLOCK_KEYS * whole_vectors(rows->d_k));
    work.query_rows = take_room(&room, BLOCK_QUERIES * whole_vectors(rows->d_k));
    work.d_rows = take_room(&room, BLOCK_QUERIES * whole_vectors(rows->d_v));
    work.weights = take_room(&room, (size_t)BLOCK_QUERIES * BLOCK_KEYS);
    work.gradients = take_room(&room, (size_t)BLOCK_QUERIES * BLOCK_KEYS);
    work.slopes = take_room(&room, (size_t)BLOCK_QUERIES * BLOCK_KEYS);
    work.delta = take_room(&room, rows->n_q);
    return work;
}

/* Few numbers are added one after the other: to add up the lanes would cost as much. */
static double dot_in_double(const float *a, const float *b, size_t n)
{
    enum { HALF = KERNEL_LANES / 2, FEW = 32 };
    vec_double sums = {0};
    size_t whole = n <= FEW ? 0 : n / HALF * HALF;
    for (size_t d = 0; d < whole; d += HALF)
        sums += vec_load_half(a + d) * vec_load_half(b + d);
    double sum = vec_double_sum(sums);
    for (size_t d = whole; d < n; d++)
        sum += (double)a[d] * (double)b[d];
    return sum;
}

static void find_deltas(const struct attention_back *back, float *delta)
{
    const struct attention_rows *rows = &back->rows;
    for (size_t i = 0; i < rows->n_q; i++)
        delta[i] = (float)dot_in_double(rows->context + (ptrdiff_t)i * rows->context_row,
                                        back->d_context + i * rows->d_v, rows->d_v);
}

/* gradients of the dropped weights become those of the masked scores; weights, the dropped ones. */
static void drop_row(const float *factors, size_t n, float delta, float *weights, float *gradients)
{
    for (size_t at = 0; at < n; at++) {
        gradients[at] = weights[at] * (gradients[at] * factors[at] - delta);
        weights[at] *= factors[at];
    }
}

static void unsoftmax_row(const float *weights, float delta, float *gradients)
{
    vec mean = vec_splat(delta);
    KERNEL_UNROLL
    for (size_t v = 0; v < KEY_VECTORS; v++) {
        float *at = gradients + v * KERNEL_LANES;
        vec_store(at, vec_load(weights + v * KERNEL_LANES) * (vec_load(at) - mean));
    }
}

static void add_mask_row(const struct attention_back *back, size_t i, size_t j, size_t n,
                         const float *gradients)
{
    const struct attention_rows *rows = &back->rows;
    float *d_mask = back->d_mask + (ptrdiff_t)i * rows->mask_row + (ptrdiff_t)j * rows->mask_column;
    for (size_t at = 0; at < n; at++)
        d_mask[(ptrdiff_t)at * rows->mask_column] += gradients[at];
}

/* From the gradients of capped scores to those of query key^T. */
static void unscale(const struct attention_rows *rows, const struct work *work, size_t n)
{
    vec scale = vec_splat(rows->scale);
    for (size_t at = 0; at < n * BLOCK_KEYS; at += KERNEL_LANES) {
        vec gradient = vec_load(work->gradients + at) * scale;
        if (rows->softcap > 0)
            gradient *= vec_load(work->slopes + at);
        vec_store(work->gradients + at, gradient);
    }
}

/* From scores and the gradients of weights, to weights and the gradients of query key^T. */
static void go_back(const struct attention_back *back, const struct work *work, size_t i, size_t n,
                    size_t j)
{
    const struct attention_rows *rows = &back->rows;
    size_t n_keys = least(rows->n_k - j, BLOCK_KEYS);
    struct unit unit = unit_of(rows);
    for (size_t at = 0; at < n; at++) {
        float *weights = work->weights + at * BLOCK_KEYS;
        float *gradients = work->gradients + at * BLOCK_KEYS;
        KERNEL(weigh_row)(weights, unit, rows->largest[i + at], rows->share[i + at]);
        if (rows->dropout != NULL)
            drop_row(rows->dropout + (i + at) * rows->n_k + j, n_keys, work->delta[i + at], weights,
                     gradients);
        else
            unsoftmax_row(weights, work->delta[i + at], gradients);
        if (back->d_mask != NULL)
            add_mask_row(back, i + at, j, n_keys, gradients);
    }
    unscale(rows, work, n);
}

/* A block of queries [i, i + n) against a block of keys [j, j + n_keys). */
struct meeting {
    size_t i, n, j, n_keys;
    const float *key_rows; /* as take_rows() gave them */
    ptrdiff_t key_row;
    bool adds_to_keys, adds_to_queries; /* gradients are added to those already there */
};

/* to (keys, d) (+)= block (queries, keys)^T times rows (queries, d). */
static void give_keys(const struct meeting *at, const float *block, const float *from,
                      ptrdiff_t from_row, size_t d, float *room, float *to /* NOLINT: filled */)
{
    struct tile tile = {.k = at->n,
                        .a = block,
                        .a_row = 1,
                        .a_tile = TILE_ROWS,
                        .a_column = BLOCK_KEYS,
                        .c = to + at->j * d,
                        .c_row = (ptrdiff_t)d,
                        .add = at->adds_to_keys};
    ptrdiff_t row;
    const float *rows = KERNEL(take_rows)(from, from_row, at->n, d, room, &row);
    KERNEL(multiply_rows)(&tile, at->n_keys, rows, row, d);
}

static void give_queries(const struct meeting *at, const float *block, size_t d,
                         float *to /* NOLINT: filled */)
{
    struct tile tile = {.k = at->n_keys,
                        .a = block,
                        .a_row = BLOCK_KEYS,
                        .a_tile = TILE_ROWS * BLOCK_KEYS,
                        .a_column = 1,
                        .c = to + at->i * d,
                        .c_row = (ptrdiff_t)d,
                        .add = at->adds_to_queries};
    KERNEL(multiply_rows)(&tile, at->n, at->key_rows, at->key_row, d);
}

static void back_block(const struct attention_back *back, const struct work *work,
                       const struct meeting *at)
{
    const struct attention_rows *rows = &back->rows;
    size_t d_k = rows->d_k, d_v = rows->d_v;
    const float *d_context = back->d_context + at->i * d_v;
    const float *query = rows->query + (ptrdiff_t)at->i * rows->query_row;
    KERNEL(multiply_keys)(query, rows->query_row, d_k, work->keys, at->n, work->weights);
    KERNEL(finish_scores)(rows, at->i, at->n, at->j, work->weights, work->slopes);
    KERNEL(multiply_keys)(d_context, (ptrdiff_t)d_v, d_v, work->values, at->n, work->gradients);
    go_back(back, work, at->i, at->n, at->j);
    give_keys(at, work->weights, d_context, (ptrdiff_t)d_v, d_v, work->d_rows, back->d_value);
    give_keys(at, work->gradients, query, rows->query_row, d_k, work->query_rows, back->d_key);
    give_queries(at, work->gradients, d_k, back->d_query);
}

static void clear(float *rows, size_t first, size_t n, size_t d)
{
    memset(rows + first * d, 0, n * d * sizeof *rows);
}

/* All queries against the block of keys at j; the first one of the call fills d_query. False once
 * *stop was set. */
static bool back_keys(const struct attention_back *back, const struct work *work, size_t j,
                      bool is_first, const volatile sig_atomic_t *stop)
{
    const struct attention_rows *rows = &back->rows;
    struct meeting at = {
        .j = j, .n_keys = least(rows->n_k - j, BLOCK_KEYS), .adds_to_queries = !is_first};
    const float *key = rows->key + (ptrdiff_t)j * rows->key_row;
    const float *value = rows->value + (ptrdiff_t)j * rows->value_row;
    KERNEL(pack_keys)(key, rows->key_row, at.n_keys, rows->d_k, work->keys);
    KERNEL(pack_keys)(value, rows->value_row, at.n_keys, rows->d_v, work->values);
    at.key_rows =
        KERNEL(take_rows)(key, rows->key_row, at.n_keys, rows->d_k, work->key_rows, &at.key_row);
    for (at.i = 0; at.i < rows->n_q; at.i += BLOCK_QUERIES) {
        at.n = least(rows->n_q - at.i, BLOCK_QUERIES);
        if (stop != NULL && *stop)
            return false;
        if (keys_open(rows, at.i + at.n - 1) > j) {
            back_block(back, work, &at);
            at.adds_to_keys = true;
        } else if (is_first) {
            clear(back->d_query, at.i, at.n, rows->d_k);
        }
    }
    if (!at.adds_to_keys) {
        clear(back->d_key, j, at.n_keys, rows->d_k);
        clear(back->d_value, j, at.n_keys, rows->d_v);
    }
    return true;
}

void KERNEL(attention_back)(const struct attention_back *back, size_t first, size_t last,
                            float *room, const volatile sig_atomic_t *stop)
{
    struct work work = lay_out(&back->rows, room);
    find_deltas(back, work.delta);
    for (size_t j = first; j < last; j += BLOCK_KEYS)
        if (!back_keys(back, &work, j, j == first, stop))
            return;
}
