/* One pass over the keys for a block of queries: see attention_head.h.
 *
 * Scores are kept in base 2: query is multiplied by scale * log2(e) once, so that 2^score is
 * e^(score of the formula). One letter, one meaning: i is a query, j a key. */
#include "kernel/kernel_internal.h"

#include <math.h>

#include "kernel/gemm_tile.h"
#include "kernel/transpose.h"
#include "kernel/vector_math.h"

/* Keys of a block, whose scores stay in the nearest cache for some queries at a time. */
enum { KEYS = 64, QUERIES = 48, KEY_VECTORS = KEYS / KERNEL_LANES };

static const double log2_e = 1.4426950408889634;

/* Where a call keeps what it works with. */
struct work {
    float *query;  /* (n, d_k): scaled */
    float *keys;   /* (d_k, KEYS) as panels of TILE_COLUMNS columns */
    float *values; /* (KEYS, d_v filled up to whole vectors), where they can't be read in place */
    float *scores; /* (QUERIES, KEYS) */
    float *largest, *factor; /* (n): the running maximum, and what it does to the sums before */
    float *sums;             /* (n, LANES): a row's running sum, lane by lane */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t whole_vectors(size_t n)
{
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

static bool reads_values_in_place(const struct attention_rows *rows)
{
    return rows->d_v % KERNEL_LANES == 0;
}

size_t KERNEL(attention_room)(const struct attention_rows *rows)
{
    size_t n = whole_vectors(least(rows->n_q, ATTENTION_QUERIES));
    size_t values = reads_values_in_place(rows) ? 0 : KEYS * whole_vectors(rows->d_v);
    return n * rows->d_k + KEYS * rows->d_k + values + (size_t)QUERIES * KEYS +
           n * (2 + KERNEL_LANES) + 4 * 16;
}

static float *take(float **room, size_t n)
{
    float *taken = *room;
    *room += (n + 15) / 16 * 16;
    return taken;
}

static struct work lay_out(const struct attention_rows *rows, size_t n, float *room)
{
    size_t whole = whole_vectors(n);
    struct work work = {0};
    work.keys = take(&room, KEYS * rows->d_k);
    work.scores = take(&room, (size_t)QUERIES * KEYS);
    work.largest = take(&room, whole);
    work.factor = take(&room, whole);
    work.sums = take(&room, n * KERNEL_LANES);
    if (!reads_values_in_place(rows))
        work.values = take(&room, KEYS * whole_vectors(rows->d_v));
    work.query = take(&room, n * rows->d_k);
    return work;
}

static void scale_queries(const struct attention_rows *rows, size_t first, size_t n, float *to)
{
    float scale = (float)((double)rows->scale * log2_e);
    for (size_t i = 0; i < n; i++) {
        const float *from = rows->query + (ptrdiff_t)(first + i) * rows->query_row;
        for (size_t d = 0; d < rows->d_k; d++)
            to[i * rows->d_k + d] = from[d] * scale;
    }
}

/* How many keys query i may see, before any mask is asked: the first so many. */
static size_t keys_open(const struct attention_rows *rows, size_t i)
{
    size_t limit = least(rows->n_k, rows->key_length);
    if (!rows->causal)
        return limit;
    ptrdiff_t last = (ptrdiff_t)i + rows->causal_offset;
    return last < 0 ? 0 : least(limit, (size_t)last + 1);
}

/* Packs n <= KEYS keys from key j on. */
static void pack_keys(const struct attention_rows *rows, size_t j, size_t n,
                      const struct work *work)
{
    const float *key = rows->key + (ptrdiff_t)j * rows->key_row;
    for (size_t at = 0; at < KEYS; at += TILE_COLUMNS) {
        size_t columns = at < n ? least(n - at, TILE_COLUMNS) : 0;
        float *to = work->keys + at * rows->d_k;
        if (columns < TILE_COLUMNS)
            memset(to, 0, rows->d_k * TILE_COLUMNS * sizeof *to);
        if (columns > 0)
            pack_rows(key + (ptrdiff_t)at * rows->key_row, 1, rows->key_row, rows->d_k, columns, to,
                      TILE_COLUMNS);
    }
}

static void score_keys(const struct attention_rows *rows, const struct work *work, size_t i,
                       size_t n)
{
    struct tile tile = {.k = rows->d_k,
                        .a = work->query + i * rows->d_k,
                        .a_row = (ptrdiff_t)rows->d_k,
                        .a_column = 1,
                        .b_row = TILE_COLUMNS,
                        .c_row = KEYS};
    for (size_t at = 0; at < KEYS; at += TILE_COLUMNS) {
        tile.b = work->keys + at * rows->d_k;
        tile.c = work->scores + at;
        KERNEL(panel_multiply)(&tile, n, TILE_COLUMNS);
    }
}

/* score becomes softcap * tanh(score / softcap), n rows of them; both are in base 2. */
static void cap_scores(const struct attention_rows *rows, float *scores, size_t n)
{
    float cap = (float)((double)rows->softcap * log2_e),
          share = (float)(1 / ((double)rows->softcap * log2_e));
    for (size_t at = 0; at < n * KEYS; at += KERNEL_LANES)
        vec_store(scores + at, vec_tanh(vec_load(scores + at) * share) * cap);
}

/* Hides the scores from `open` on. */
static void hide_rest(float *scores, size_t open)
{
    for (size_t j = open; j < KEYS; j++)
        scores[j] = -INFINITY;
}

/* Applies the mask of query i to its scores of the n keys from j on. */
static void mask_scores(const struct attention_rows *rows, size_t i, size_t j, size_t n,
                        float *scores)
{
    const float *mask =
        rows->mask + (ptrdiff_t)i * rows->mask_row + (ptrdiff_t)j * rows->mask_column;
    for (size_t at = 0; at < n; at++) {
        float number = mask[(ptrdiff_t)at * rows->mask_column];
        bool hidden = rows->mask_kind == HEAD_ADD
                          ? number == -INFINITY
                          : (number != 0) == (rows->mask_kind == HEAD_HIDDEN);
        if (hidden)
            scores[at] = -INFINITY;
        else if (rows->mask_kind == HEAD_ADD)
            scores[at] += number * (float)log2_e;
    }
}

/* Hides what queries [i, i + n) may not see among the keys [j, j + KEYS). */
static void hide_scores(const struct attention_rows *rows, size_t i, size_t n, size_t j,
                        float *scores)
{
    for (size_t at = 0; at < n; at++, scores += KEYS) {
        size_t open = keys_open(rows, i + at);
        open = open > j ? least(open - j, KEYS) : 0;
        if (rows->mask_kind != HEAD_NO_MASK)
            mask_scores(rows, i + at, j, open, scores);
        if (open < KEYS)
            hide_rest(scores, open);
    }
}

/* The running maximum of LANES rows after this block of scores, and 2^(old - new). */
static void raise_maxima(const float *scores, float *largest, float *factor)
{
    vec rows[KERNEL_LANES];
    for (size_t i = 0; i < KERNEL_LANES; i++) {
        const float *row = scores + i * KEYS;
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
    vec_store(factor, vec_exp2_down(before - shift));
}

/* Scores become 2^(score - largest); their sums and the context so far are brought to the new
 * maximum. */
static void weigh_row(float *scores, float largest, float factor, float *sums)
{
    vec shift = vec_splat(largest == -INFINITY ? 0 : largest);
    vec sum = vec_load(sums) * vec_splat(factor);
    KERNEL_UNROLL
    for (size_t v = 0; v < KEY_VECTORS; v++) {
        vec weight = vec_exp2_down(vec_load(scores + v * KERNEL_LANES) - shift);
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
    size_t n = least(rows->n_k - j, KEYS);
    for (size_t at = 0; at < n; at++)
        weights[at] *= factors[at];
}

/* The softmax step of one block of scores for queries [i, i + n) of the call. */
static void weigh(const struct attention_rows *rows, const struct work *work, size_t first,
                  size_t i, size_t n, size_t j, bool begins)
{
    for (size_t at = 0; at < n; at += KERNEL_LANES)
        raise_maxima(work->scores + at * KEYS, work->largest + i + at, work->factor + i + at);
    for (size_t at = 0; at < n; at++) {
        float factor = work->factor[i + at];
        weigh_row(work->scores + at * KEYS, work->largest[i + at], factor,
                  work->sums + (i + at) * KERNEL_LANES);
        if (factor != 1 && !begins)
            scale_row(rows->context + (ptrdiff_t)(first + i + at) * rows->context_row, rows->d_v,
                      factor);
        if (rows->dropout != NULL)
            drop_weights(rows, first + i + at, j, work->scores + at * KEYS);
    }
}

/* context (+)= weights value. */
static void mix_values(const struct attention_rows *rows, const struct work *work, size_t first,
                       size_t n, size_t j, bool begins)
{
    struct tile tile = {.k = least(rows->n_k - j, KEYS),
                        .a = work->scores,
                        .a_row = KEYS,
                        .a_column = 1,
                        .c_row = rows->context_row,
                        .add = !begins};
    const float *values = rows->value + (ptrdiff_t)j * rows->value_row;
    tile.b_row = rows->value_row;
    if (!reads_values_in_place(rows)) {
        values = work->values;
        tile.b_row = (ptrdiff_t)whole_vectors(rows->d_v);
    }
    for (size_t d = 0; d < rows->d_v; d += TILE_COLUMNS) {
        tile.b = values + d;
        tile.c = rows->context + (ptrdiff_t)first * rows->context_row + d;
        KERNEL(panel_multiply)(&tile, n, least(rows->d_v - d, TILE_COLUMNS));
    }
}

/* All queries of the call against one block of keys. */
static void attend_block(const struct attention_rows *rows, const struct work *work, size_t first,
                         size_t n, size_t j)
{
    size_t n_keys = least(rows->n_k - j, KEYS);
    pack_keys(rows, j, n_keys, work);
    if (work->values != NULL)
        pack_rows(rows->value + (ptrdiff_t)j * rows->value_row, rows->value_row, 1, n_keys,
                  rows->d_v, work->values, whole_vectors(rows->d_v));
    for (size_t i = 0; i < n; i += QUERIES) {
        size_t m = least(n - i, QUERIES);
        if (j > 0 && keys_open(rows, first + i + m - 1) <= j)
            continue;
        score_keys(rows, work, i, m);
        if (rows->softcap > 0)
            cap_scores(rows, work->scores, m);
        if (rows->mask_kind != HEAD_NO_MASK || keys_open(rows, first + i) < j + KEYS)
            hide_scores(rows, first + i, m, j, work->scores);
        weigh(rows, work, first, i, m, j, j == 0);
        mix_values(rows, work, first + i, m, j, j == 0);
    }
}

/* Divides by the sums; a row without a key is all 0. */
static void finish(const struct attention_rows *rows, const struct work *work, size_t first,
                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float sum = vec_sum(vec_load(work->sums + i * KERNEL_LANES));
        float *context = rows->context + (ptrdiff_t)(first + i) * rows->context_row;
        scale_row(context, rows->d_v, sum == 0 ? 0 : 1 / sum);
        if (rows->log_sum != NULL)
            rows->log_sum[first + i] = sum == 0 ? -INFINITY : work->largest[i] + log2f(sum);
    }
}

void KERNEL(attention_rows)(const struct attention_rows *rows, size_t first, size_t n, float *room,
                            const volatile sig_atomic_t *stop)
{
    struct work work = lay_out(rows, n, room);
    scale_queries(rows, first, n, work.query);
    for (size_t i = 0; i < whole_vectors(n); i++)
        work.largest[i] = -INFINITY;
    memset(work.sums, 0, n * KERNEL_LANES * sizeof *work.sums);
    size_t open = keys_open(rows, first + n - 1);
    for (size_t j = 0; j == 0 || j < open; j += KEYS) {
        if (stop != NULL && *stop)
            return;
        attend_block(rows, &work, first, n, j);
    }
    finish(rows, &work, first, n);
}
