/* Attention of one head on plain arrays, for one instruction set: one pass over the keys with a
 * running maximum and sum, so that no n_q x n_k array is ever held. Sources: Milakov and Gimelshein
 * 2018, "Online normalizer calculation for softmax"; Dao et al. 2022, "FlashAttention". */
#ifndef ATTN_KERNEL_ATTENTION_HEAD_INTERNAL_H
#define ATTN_KERNEL_ATTENTION_HEAD_INTERNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum head_mask {
    HEAD_NO_MASK,
    HEAD_ADD,    /* added to the scores; -inf hides, whatever the score is */
    HEAD_OPEN,   /* not 0: the query may attend to the key */
    HEAD_HIDDEN, /* not 0: the key is hidden from the query */
};

/* Rows are dense; strides count floats. NaN and infinity spread as IEEE 754 says, also from hidden
 * keys; so results that are not finite are meaningless. */
struct attention_rows {
    size_t n_q, n_k, d_k, d_v;
    const float *query; /* (n_q, d_k) */
    const float *key;   /* (n_k, d_k) */
    const float *value; /* (n_k, d_v) */
    ptrdiff_t query_row, key_row, value_row;
    float scale;   /* of the scores */
    float softcap; /* c > 0: scores become c tanh(score / c) */
    enum head_mask mask_kind;
    const float *mask;               /* (n_q, n_k) */
    ptrdiff_t mask_row, mask_column; /* the second is 0 or 1 */
    bool causal;                     /* query i sees key j <= i + causal_offset */
    ptrdiff_t causal_offset;
    size_t key_length;    /* keys from here on are hidden */
    const float *dropout; /* (n_q, n_k), dense: multiplies the weights; or NULL */
    float *context;       /* (n_q, d_v) */
    ptrdiff_t context_row;
    /* (n_q): for the backward pass, a row's largest score, in the unit of
     * attention_block_internal.h, and 1 over the sum of its exponentials (0 for a row without a
     * key); or both NULL */
    float *largest, *share;
};

/* The number of queries that one task works on, and the queries and keys of a block; a task has
 * whole blocks. */
enum { ATTENTION_QUERIES = 384, BLOCK_QUERIES = 48, BLOCK_KEYS = 64 };

/* Floats of room for one call. */
typedef size_t attention_room_function(const struct attention_rows *rows);
/* The context of the queries [first, first + n), n <= ATTENTION_QUERIES; a query without a key gets
 * zeros. Returns whether all of it is finite. room is aligned to 64 bytes. A row is the same bits
 * whichever rows it is computed with. stop, if not NULL: once it is not 0, the rows are left
 * unfinished. */
typedef bool attention_rows_function(const struct attention_rows *rows, size_t first, size_t n,
                                     float *room, const volatile sig_atomic_t *stop);

/* weights (n_q, n_k), dense: the rows [first, first + n), before dropout, computed from largest and
 * share as an attention_rows_function left them. room as above. */
typedef void attention_weights_function(const struct attention_rows *rows, size_t first, size_t n,
                                        float *weights, float *room,
                                        const volatile sig_atomic_t *stop);

/* The inputs and outputs of the backward pass of one head. */
struct attention_back {
    struct attention_rows
        rows; /* with largest and share as attention_rows_function left them; its context is read */
    const float *d_context; /* (n_q, d_v), dense: the gradient of the context */
    /* Receive the gradients: dense, in the shapes of query, key and value. */
    float *d_query, *d_key, *d_value;
    float *d_mask; /* the mask's gradients are added here, laid out as mask with its strides; or
                      NULL */
};

typedef size_t attention_back_room_function(const struct attention_back *back);
/* Computes the contributions of the keys [first, last): their own rows of d_key and d_value, and to
 * d_query and d_mask for every query. first is a multiple of BLOCK_KEYS. Weights are computed
 * again, a block at a time. */
typedef void attention_back_function(const struct attention_back *back, size_t first, size_t last,
                                     float *room, const volatile sig_atomic_t *stop);

#endif
