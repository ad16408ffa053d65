/* One pass over the keys for a block of queries: see attention_head_internal.h. */
#include <math.h>

#include "kernel/attention_block_internal.h"
#include "kernel/transpose_internal.h"
#include "kernel/vector_math_internal.h"

/* Up to this many queries, such as the one of a text's next token, read the keys in place. */
enum { FEW_QUERIES = 4 };

/* The working memory of a call. */
struct work {
    float *keys;   /* a packed block of them */
    float *values; /* a block of them, if they can't be read in place */
    float *scores; /* (BLOCK_QUERIES, BLOCK_KEYS) */
    float *largest,
        *factor; /* (n): the running maximum, and the factor it puts on the earlier sums */
    float *sums; /* (n, LANES): a row's running sum, lane by lane */
};

size_t KERNEL(attention_room)(const struct attention_rows *rows)
{
    size_t n = whole_vectors(least(rows->n_q, ATTENTION_QUERIES));
    return BLOCK_KEYS * rows->d_k + BLOCK_KEYS * whole_vectors(rows->d_v) +
           (size_t)BLOCK_QUERIES * BLOCK_KEYS + n * (2 + KERNEL_LANES) + 7 * 16;
}

static struct work lay_out(const struct attention_rows *rows, size_t n, float *room)
{
    struct work work;
    work.keys = take_room(&room, BLOCK_KEYS * rows->d_k);
    work.scores = take_room(&room, (size_t)BLOCK_QUERIES * BLOCK_KEYS);
    work.largest = take_room(&room, whole_vectors(n));
    work.factor = take_room(&room, whole_vectors(n));
    work.sums = take_room(&room, whole_vectors(n) * KERNEL_LANES);
    work.values = take_room(&room, BLOCK_KEYS * whole_vectors(rows->d_v));
    return work;
}

/* The running maximum of LANES rows after this block of scores, and 2^(old - new). */
static void raise_maxima(const float *scores, struct unit unit, float *largest, float *factor)
{
    vec rows[KERNEL_LANES];
    for (size_t i = 0; i < KERNEL_LANES; i++) {
        const float *row = scores + i * BLOCK_KEYS;
        vec most = vec_load(row);
        KERNEL_UNROLL
        for (size_t v = 1; v < KEY_VECTORS; v++)
            most = vec_max(vec_load(row + v * KERNEL_LANES), most);
        rows[i] = most;
    }
    transpose_vectors(rows);
    vec before = vec_load(largest), now = before;
    KERNEL_UNROLL
    for (size_t i = 0; i < KERNEL_LANES; i++)
        now = vec_max(rows[i], now);
    /* A row that has no key yet stays at -inf, which must not be subtracted from itself. */
    vec shift = vec_select(now == -INFINITY, (vec){0}, now);
    vec_store(largest, now);
    vec_store(factor, vec_exp2_units(before - shift, unit));
}

/* Scores become 2^(score - largest); their sums and the context so far are brought to the new
 * maximum. */
static void weigh_and_sum(float *scores, struct unit unit, float largest, float factor, float *sums)
{
    vec shift = vec_splat(largest == -INFINITY ? 0 : largest);
    vec sum = vec_load(sums) * vec_splat(factor);
    KERNEL_UNROLL
    for (size_t v = 0; v < KEY_VECTORS; v++) {
        vec weight = vec_exp2_units(vec_load(scores + v * KERNEL_LANES) - shift, unit);
        vec_store(scores + v * KERNEL_LANES, weight);
        sum += weight;
    }
    vec_store(sums, sum);
}

static void scale_row(float *row, size_t n, float factor)
{
    for (size_t d = 0; d < n; d++)
        row[d] *= factor;
}

static void drop_weights(const struct attention_rows *rows, size_t i, size_t j, float *weights)
{
    const float *factors = rows->dropout + i * rows->n_k + j;
    size_t n = least(rows->n_k - j, BLOCK_KEYS);
    for (size_t at = 0; at < n; at++)
        weights[at] *= factors[at];
}

/* The softmax step of one block of scores for queries [i, i + n) of the call. */
static void weigh(const struct attention_rows *rows, const struct work *work, size_t first,
                  size_t i, size_t n, size_t j, bool begins)
{
    struct unit unit = unit_of(rows);
    for (size_t at = 0; at < n; at += KERNEL_LANES)
        raise_maxima(work->scores + at * BLOCK_KEYS, unit, work->largest + i + at,
                     work->factor + i + at);
    for (size_t at = 0; at < n; at++) {
        float factor = work->factor[i + at];
        weigh_and_sum(work->scores + at * BLOCK_KEYS, unit, work->largest[i + at], factor,
                      work->sums + (i + at) * KERNEL_LANES);
        if (factor != 1 && !begins)
            scale_row(rows->context + (ptrdiff_t)(first + i + at) * rows->context_row, rows->d_v,
                      factor);
        if (rows->dropout != NULL)
            drop_weights(rows, first + i + at, j, work->scores + at * BLOCK_KEYS);
    }
}

/* All queries of the call against one block of keys. */
static void attend_block(const struct attention_rows *rows, const struct work *work, size_t first,
                         size_t n, size_t j)
{
    size_t n_keys = least(rows->n_k - j, BLOCK_KEYS);
    ptrdiff_t value_row;
    const float *values =
        KERNEL(take_rows)(rows->value + (ptrdiff_t)j * rows->value_row, rows->value_row, n_keys,
                          rows->d_v, work->values, &value_row);
    const float *key = rows->key + (ptrdiff_t)j * rows->key_row;
    if (rows->n_q > FEW_QUERIES)
        KERNEL(pack_keys)(key, rows->key_row, n_keys, rows->d_k, work->keys);
    for (size_t i = 0; i < n; i += BLOCK_QUERIES) {
        size_t m = least(n - i, BLOCK_QUERIES);
        /* The last query sees the most keys. */
        if (j > 0 && keys_open(rows, first + i + m - 1) <= j)
            continue;
        const float *query = rows->query + (ptrdiff_t)(first + i) * rows->query_row;
        if (rows->n_q > FEW_QUERIES)
            KERNEL(multiply_keys)(query, rows->query_row, rows->d_k, work->keys, m, work->scores);
        else
            KERNEL(dot_keys)
        (query, rows->query_row, m, rows->d_k, key, rows->key_row, n_keys, work->scores);
        KERNEL(finish_scores)(rows, first + i, m, j, work->scores, NULL);
        weigh(rows, work, first, i, m, j, j == 0);
        struct tile mix = {.k = n_keys,
                           .a = work->scores,
                           .a_row = BLOCK_KEYS,
                           .a_tile = TILE_ROWS * BLOCK_KEYS,
                           .a_column = 1,
                           .c = rows->context + (ptrdiff_t)(first + i) * rows->context_row,
                           .c_row = rows->context_row,
                           .add = j > 0};
        KERNEL(multiply_rows)(&mix, m, values, value_row, rows->d_v);
    }
}

/* share[0..LANES) = 1 over the sums of that many rows; 0 for a row without a key. */
static void find_shares(const float *sums, float *share)
{
    vec rows[KERNEL_LANES];
    for (size_t i = 0; i < KERNEL_LANES; i++)
        rows[i] = vec_load(sums + i * KERNEL_LANES);
    vec sum = sums_of_vectors(rows);
    vec_store(share, vec_select(sum == 0, (vec){0}, 1.0F / sum));
}

/* As scale_row(). A number that is not finite, less itself, is not 0: it sets a bit in *not_finite,
 * or *rest. all_finite() would read the row once more. */
KERNEL_INLINE void scale_row_seeing(float *row, size_t n, float factor, vec_int *not_finite,
                                    bool *rest)
{
    size_t whole = n / KERNEL_LANES * KERNEL_LANES;
    for (size_t d = 0; d < whole; d += KERNEL_LANES) {
        vec x = vec_load(row + d) * factor;
        vec_store(row + d, x);
        *not_finite |= (vec_int)(x - x);
    }
    for (size_t d = whole; d < n; d++) {
        row[d] *= factor;
        *rest |= row[d] - row[d] != 0;
    }
}

/* Divides by the sums; a row without a key is all 0. Returns whether all numbers are finite. */
static bool finish(const struct attention_rows *rows, const struct work *work, size_t first,
                   size_t n)
{
    vec_int not_finite = {0};
    bool rest = false;
    float *share = work->factor;
    for (size_t i = 0; i < n; i += KERNEL_LANES)
        find_shares(work->sums + i * KERNEL_LANES, share + i);
    for (size_t i = 0; i < n; i++)
        scale_row_seeing(rows->context + (ptrdiff_t)(first + i) * rows->context_row, rows->d_v,
                         share[i], &not_finite, &rest);
    if (rows->largest != NULL) {
        memcpy(rows->largest + first, work->largest, n * sizeof *share);
        memcpy(rows->share + first, share, n * sizeof *share);
    }
    return !rest && !vec_any(not_finite);
}

bool KERNEL(attention_rows)(const struct attention_rows *rows, size_t first, size_t n, float *room,
                            const volatile sig_atomic_t *stop)
{
    struct work work = lay_out(rows, n, room);
    for (size_t i = 0; i < whole_vectors(n); i++)
        work.largest[i] = -INFINITY;
    memset(work.sums, 0, whole_vectors(n) * KERNEL_LANES * sizeof *work.sums);
    size_t open = keys_open(rows, first + n - 1);
    for (size_t j = 0; j == 0 || j < open; j += BLOCK_KEYS) {
        if (stop != NULL && *stop)
            return false;
        attend_block(rows, &work, first, n, j);
    }
    return finish(rows, &work, first, n);
}

/* The weights of queries [i, i + n), a block at most, for the packed keys from j on. */
static void put_weights(const struct attention_rows *rows, const struct work *work, size_t i,
                        size_t n, size_t j, float *weights)
{
    size_t n_keys = least(rows->n_k - j, BLOCK_KEYS);
    KERNEL(finish_scores)(rows, i, n, j, work->scores, NULL);
    for (size_t at = 0; at < n; at++) {
        float *scores = work->scores + at * BLOCK_KEYS;
        KERNEL(weigh_row)(scores, unit_of(rows), rows->largest[i + at], rows->share[i + at]);
        memcpy(weights + (i + at) * rows->n_k + j, scores, n_keys * sizeof *weights);
    }
}

void KERNEL(attention_weights)(const struct attention_rows *rows, size_t first, size_t n,
                               float *weights, float *room, const volatile sig_atomic_t *stop)
{
    struct work work = lay_out(rows, n, room);
    for (size_t j = 0; j < rows->n_k && (stop == NULL || !*stop); j += BLOCK_KEYS) {
        KERNEL(pack_keys)
        (rows->key + (ptrdiff_t)j * rows->key_row, rows->key_row, least(rows->n_k - j, BLOCK_KEYS),
         rows->d_k, work.keys);
        for (size_t i = 0; i < n; i += BLOCK_QUERIES) {
            size_t m = least(n - i, BLOCK_QUERIES);
            KERNEL(multiply_keys)
            (rows->query + (ptrdiff_t)(first + i) * rows->query_row, rows->query_row, rows->d_k,
             work.keys, m, work.scores);
            put_weights(rows, &work, first + i, m, j, weights);
        }
    }
}
