/* See attention_block_internal.h. */
#include "kernel/attention_block_internal.h"

#include <math.h>

#include "kernel/transpose_internal.h"
#include "kernel/vector_math_internal.h"
#include "kernel/vector_products_internal.h"

void KERNEL(pack_keys)(const float *from, ptrdiff_t row, size_t n, size_t d, float *to)
{
    for (size_t at = 0; at < BLOCK_KEYS; at += TILE_COLUMNS) {
        size_t columns = at < n ? least(n - at, TILE_COLUMNS) : 0;
        float *panel = to + at * d;
        if (columns < TILE_COLUMNS)
            memset(panel, 0, d * TILE_COLUMNS * sizeof *panel);
        if (columns > 0)
            /* NOLINTNEXTLINE: rows become columns */
            pack_rows(from + (ptrdiff_t)at * row, 1, row, d, columns, panel, TILE_COLUMNS);
    }
}

/* At least this many products are added up before they go to the score, and half of the score's
 * products: a score from two halves has about three quarters of the error of a single sum. */
enum { SUMMED = 32 };

void KERNEL(multiply_keys)(const float *from, ptrdiff_t from_row, size_t d, const float *keys,
                           size_t n, float *to)
{
    struct tile tile = {.a_row = from_row,
                        .a_tile = TILE_ROWS * from_row,
                        .a_column = 1,
                        .b_row = TILE_COLUMNS,
                        .c_row = BLOCK_KEYS};
    size_t half = (d + 1) / 2, each = half > SUMMED ? half : SUMMED;
    for (size_t at = 0; at < BLOCK_KEYS; at += TILE_COLUMNS) {
        tile.c = to + at;
        for (size_t p = 0; p < d; p += each) {
            tile.k = least(d - p, each);
            tile.a = from + p;
            tile.b = keys + at * d + p * TILE_COLUMNS;
            tile.add = p > 0;
            KERNEL(panel_multiply)(&tile, n, TILE_COLUMNS);
        }
    }
}

static void scale_scores(float scale, float *scores, size_t n)
{
    for (size_t at = 0; at < n * BLOCK_KEYS; at += KERNEL_LANES)
        vec_store(scores + at, vec_load(scores + at) * scale);
}

/* score becomes softcap * tanh(score / softcap), whose slope is 1 - tanh^2. */
static void cap_scores(float softcap, float *scores, size_t n, float *slopes)
{
    for (size_t at = 0; at < n * BLOCK_KEYS; at += KERNEL_LANES) {
        vec t = vec_tanh(vec_load(scores + at) / softcap);
        vec_store(scores + at, t * softcap);
        if (slopes != NULL)
            vec_store(slopes + at, 1.0F - t * t);
    }
}

/* Applies the mask of query i to its scores of the n keys from j on. */
static void mask_scores(const struct attention_rows *rows, size_t i, size_t j, size_t n,
                        float *scores)
{
    const float *mask =
        rows->mask + (ptrdiff_t)i * rows->mask_row + (ptrdiff_t)j * rows->mask_column;
    bool adds = rows->mask_kind == HEAD_ADD, hides = rows->mask_kind == HEAD_HIDDEN;
    for (size_t at = 0; at < n; at++) {
        float number = mask[(ptrdiff_t)at * rows->mask_column];
        bool hidden = adds ? number == -INFINITY : (number != 0) == hides;
        float shift = adds ? number : 0;
        scores[at] = hidden ? -INFINITY : scores[at] + shift;
    }
}

/* Hides the keys among [j, j + BLOCK_KEYS) that queries [i, i + n) may not see. */
static void hide_scores(const struct attention_rows *rows, size_t i, size_t n, size_t j,
                        float *scores)
{
    for (size_t at = 0; at < n; at++, scores += BLOCK_KEYS) {
        size_t open = keys_open(rows, i + at);
        open = open > j ? least(open - j, BLOCK_KEYS) : 0;
        if (rows->mask_kind != HEAD_NO_MASK)
            mask_scores(rows, i + at, j, open, scores);
        for (size_t hidden = open; hidden < BLOCK_KEYS; hidden++)
            scores[hidden] = -INFINITY;
    }
}

void KERNEL(dot_keys)(const float *queries, ptrdiff_t queries_row, size_t n, size_t d,
                      const float *key, ptrdiff_t row, size_t n_keys, float *scores)
{
    for (size_t i = 0; i < n; i++)
        KERNEL(dot_rows)
    (queries + (ptrdiff_t)i * queries_row, d, key, row, n_keys, false, scores + i * BLOCK_KEYS);
}

void KERNEL(finish_scores)(const struct attention_rows *rows, size_t i, size_t n, size_t j,
                           float *scores, float *slopes)
{
    if (scales_scores(rows))
        scale_scores(rows->scale, scores, n);
    if (rows->softcap > 0)
        cap_scores(rows->softcap, scores, n, slopes);
    /* The first query sees the fewest keys. */
    if (rows->mask_kind != HEAD_NO_MASK || keys_open(rows, i) < j + BLOCK_KEYS)
        hide_scores(rows, i, n, j, scores);
}

void KERNEL(weigh_row)(float *scores, struct unit unit, float largest, float share)
{
    vec shift = vec_splat(largest == -INFINITY ? 0 : largest), part = vec_splat(share);
    KERNEL_UNROLL
    for (size_t v = 0; v < KEY_VECTORS; v++) {
        float *at = scores + v * KERNEL_LANES;
        vec_store(at, vec_exp2_units(vec_load(at) - shift, unit) * part);
    }
}

const float *KERNEL(take_rows)(const float *from, ptrdiff_t row, size_t n, size_t d, float *room,
                               ptrdiff_t *ret_row)
{
    *ret_row = row;
    if (d % KERNEL_LANES == 0)
        return from;
    *ret_row = (ptrdiff_t)whole_vectors(d);
    pack_rows(from, row, 1, n, d, room, whole_vectors(d));
    return room;
}

void KERNEL(multiply_rows)(const struct tile *a, size_t m, const float *rows, ptrdiff_t row,
                           size_t d)
{
    struct tile tile = *a;
    tile.b_row = row;
    if (m == 1) {
        KERNEL(mix_rows)(a->a, a->a_column, a->k, rows, row, d, a->add, a->c);
        return;
    }
    for (size_t at = 0; at < d; at += TILE_COLUMNS) {
        tile.b = rows + at;
        tile.c = a->c + at;
        KERNEL(panel_multiply)(&tile, m, least(d - at, TILE_COLUMNS));
    }
}
