/* What attention does with a block of queries and a block of keys, forwards and backwards.
 *
 * Scores are kept in base 2: queries are multiplied by scale * log2(e) first, so that 2^score is
 * e^(score of the formula). One letter, one meaning: i is a query, j a key. */
#ifndef ATTN_KERNEL_ATTENTION_BLOCK_H
#define ATTN_KERNEL_ATTENTION_BLOCK_H

#include "kernel/gemm_tile.h"
#include "kernel/kernel_internal.h"

/* Keys of a block, whose scores stay in the nearest cache for some queries at a time. */
enum { BLOCK_KEYS = 64, BLOCK_QUERIES = 48, KEY_VECTORS = BLOCK_KEYS / KERNEL_LANES };

/* log2(e) */
#define ATTENTION_LOG2_E 1.4426950408889634

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t whole_vectors(size_t n)
{
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

/* The next n floats of a room that is aligned to 64 bytes, and the room after them. */
static inline float *take_room(float **room, size_t n)
{
    float *taken = *room;
    *room += (n + 15) / 16 * 16;
    return taken;
}

/* How many keys query i may see, before any mask is asked: the first so many. */
static inline size_t keys_open(const struct attention_rows *rows, size_t i)
{
    size_t limit = least(rows->n_k, rows->key_length);
    if (!rows->causal)
        return limit;
    ptrdiff_t last = (ptrdiff_t)i + rows->causal_offset;
    return last < 0 ? 0 : least(limit, (size_t)last + 1);
}

/* to (n, d_k) = the queries [first, first + n), scaled. */
void KERNEL(scale_queries)(const struct attention_rows *rows, size_t first, size_t n, float *to);

/* Rows of a matrix (n <= BLOCK_KEYS, d) as the columns of panels, for products with them: to holds
 * d * BLOCK_KEYS floats. Rows that are missing become 0. */
void KERNEL(pack_keys)(const float *from, ptrdiff_t row, size_t n, size_t d, float *to);
/* to (n, BLOCK_KEYS) = from (n, d), rows from_row apart, times keys that were packed. */
void KERNEL(multiply_keys)(const float *from, ptrdiff_t from_row, size_t d, const float *keys,
                           size_t n, float *to);

/* The same for few rows, with the keys (n_keys, d) where they lie: each is read once, and copying
 * them would cost more than the products. */
void KERNEL(dot_keys)(const float *queries, size_t n, size_t d, const float *key, ptrdiff_t row,
                      size_t n_keys, float *scores);

/* Scores (n, BLOCK_KEYS) of n <= BLOCK_QUERIES scaled queries, the first of which is query i,
 * against the keys from j on: caps them, masks them, and makes those of hidden keys -inf. slopes,
 * where it is not NULL and there is a softcap: what capping multiplies gradients by. */
void KERNEL(finish_scores)(const struct attention_rows *rows, size_t i, size_t n, size_t j,
                           float *scores, float *slopes);

/* BLOCK_KEYS finished scores of one query become its weights. */
void KERNEL(weigh_row)(float *scores, float largest, float share);

/* A block of rows to be read by products as their right side: in place, or copied to room, which
 * holds n * whole_vectors(d) floats, when d is no multiple of a vector. Returns the rows and how
 * far apart they are. */
const float *KERNEL(take_rows)(const float *from, ptrdiff_t row, size_t n, size_t d, float *room,
                               ptrdiff_t *ret_row);
/* c (m, d) (+)= a (m, k) times rows (k, d) as take_rows() gave them. */
void KERNEL(multiply_rows)(const struct tile *a, size_t m, const float *rows, ptrdiff_t row,
                           size_t d);

#endif
