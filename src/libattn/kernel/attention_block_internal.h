/* The steps of attention for one block of queries and one block of keys, forwards and backwards.
 *
 * One letter, one meaning: i is a query, j a key. If only scaling lies between query key^T and
 * softmax, scores stay as query key^T, and the scale becomes a factor of the exponent: 2^((score -
 * largest) unit) with unit = scale * log2(e). That rounds less than scaling every number, and costs
 * nothing. Otherwise scores are scaled, and unit is log2(e). */
#ifndef ATTN_KERNEL_ATTENTION_BLOCK_INTERNAL_H
#define ATTN_KERNEL_ATTENTION_BLOCK_INTERNAL_H

#include "kernel/gemm_tile_internal.h"
#include "kernel/kernel_internal.h"
#include "kernel/vector_math_internal.h"

/* The scores of a block stay in the nearest cache. */
enum { KEY_VECTORS = BLOCK_KEYS / KERNEL_LANES };

/* Whether scores are scaled before softmax. A scale that is not above 0 must be applied first, as
 * it would make the largest score the smallest. */
static inline bool scales_scores(const struct attention_rows *rows)
{
    return rows->softcap > 0 || rows->mask_kind == HEAD_ADD || !(rows->scale > 0);
}

/* The factor of a difference of scores in the exponent of 2, in two parts; and the difference whose
 * exponent is -127. */
struct unit {
    float high, low, least;
};

static inline struct unit unit_of(const struct attention_rows *rows)
{
    double log2_e = 1.4426950408889634;
    double whole = scales_scores(rows) ? log2_e : (double)rows->scale * log2_e;
    return (struct unit){.high = (float)whole,
                         .low = (float)(whole - (double)(float)whole),
                         .least = -127 / (float)whole};
}

/* 2^(x unit) for x <= 0; 0 if the result is below 2^-126, because then the exponent's bits are all
 * 0. Not finite at -inf if the unit is so small that no number has the exponent -127. */
KERNEL_INLINE vec vec_exp2_units(vec x, struct unit unit)
{
    const vec whole = vec_splat(vec_whole + 127); /* so that the sum's last bits are an exponent */
    x = vec_at_least(x, unit.least);
    vec shifted = x * unit.high + whole;
    vec f = x * unit.low + (x * unit.high - (shifted - whole));
    return vec_exp2_fraction(f) * (vec)((vec_int)shifted << 23);
}

/* The next n floats of a room that is aligned to 64 bytes, and the room after them. */
static inline float *take_room(float **room, size_t n)
{
    float *taken = *room;
    *room += (n + 15) / 16 * 16;
    return taken;
}

/* The number of keys that query i may see before any mask applies: these are the first keys. */
static inline size_t keys_open(const struct attention_rows *rows, size_t i)
{
    size_t limit = least(rows->n_k, rows->key_length);
    if (!rows->causal)
        return limit;
    ptrdiff_t last = (ptrdiff_t)i + rows->causal_offset;
    return last < 0 ? 0 : least(limit, (size_t)last + 1);
}

/* Packs the rows of a matrix (n <= BLOCK_KEYS, d) as the columns of panels, for products with them:
 * to holds d * BLOCK_KEYS floats. Missing rows become 0. */
void KERNEL(pack_keys)(const float *from, ptrdiff_t row, size_t n, size_t d, float *to);
/* to (n, BLOCK_KEYS) = from (n, d), rows from_row apart, times keys that were packed. */
void KERNEL(multiply_keys)(const float *from, ptrdiff_t from_row, size_t d, const float *keys,
                           size_t n, float *to);

/* The same for few rows, with the keys (n_keys, d) read in place: each is read once, and copying
 * them would cost more than the products. */
void KERNEL(dot_keys)(const float *queries, ptrdiff_t queries_row, size_t n, size_t d,
                      const float *key, ptrdiff_t row, size_t n_keys, float *scores);

/* The products (n, BLOCK_KEYS) of n <= BLOCK_QUERIES queries, the first of which is query i, with
 * the keys from j on become scores: scaled if scales_scores(), capped, masked, -inf for hidden
 * keys. slopes receives the factor by which capping multiplies each gradient; it may be NULL, and
 * is only written with a softcap. */
void KERNEL(finish_scores)(const struct attention_rows *rows, size_t i, size_t n, size_t j,
                           float *scores, float *slopes);

/* BLOCK_KEYS finished scores of one query become its weights. */
void KERNEL(weigh_row)(float *scores, struct unit unit, float largest, float share);

/* Makes a block of rows readable as the right side of products: in place, or, if d is not a
 * multiple of a vector, copied to room, which holds n * whole_vectors(d) floats. Returns the rows;
 * *ret_row is the distance between them. */
const float *KERNEL(take_rows)(const float *from, ptrdiff_t row, size_t n, size_t d, float *room,
                               ptrdiff_t *ret_row);
/* c (m, d) (+)= a (m, k) times rows (k, d) as take_rows() gave them. */
void KERNEL(multiply_rows)(const struct tile *a, size_t m, const float *rows, ptrdiff_t row,
                           size_t d);

#endif
