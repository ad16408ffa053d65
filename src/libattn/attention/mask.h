/* Masks: which keys a query may attend to. Conventions: tensor/tensor.h.
 *
 * A mask has a number for each (query, key) pair, shape (n_q, n_k) or anything that broadcasts to
 * (..., n_q, n_k). Three conventions are in use, and two of them mean the opposite with the same
 * numbers, so every function here takes the kind of its mask:
 *
 *   kind             hides a key   leaves a key   where it is met
 *   MASK_ADDITIVE    -inf          0              papers; PyTorch and ONNX float masks
 *   MASK_MAY_ATTEND  false         true           PyTorch's scaled_dot_product_attention, ONNX
 *   MASK_MASKED_OUT  true          false          triu(ones(n, n), 1) with masked_fill(mask, -inf);
 *                                                 PyTorch's MultiheadAttention
 *
 * An additive mask may hold other numbers too; they shift the score (a position bias, say). A large
 * finite one such as -1e9 looks like a mask but is not one: a float32 score of ordinary size is
 * swallowed by the sum (float32 numbers near -1e9 are 64 apart), so a row with one open key comes
 * out right, but a row that is -1e9 throughout gets uniform weights, the mean of keys it should not
 * see, where -inf gives zeros. */
#ifndef ATTN_ATTENTION_MASK_H
#define ATTN_ATTENTION_MASK_H

#include "tensor/tensor.h"

enum mask_kind {
    MASK_ADDITIVE,   /* added to the scores: 0 leaves, -inf hides */
    MASK_MAY_ATTEND, /* true (1): the query may attend to the key */
    MASK_MASKED_OUT, /* true (1): the key is hidden from the query */
};

/* Succeeds when mask can be of this kind. ERR_TYPE for a bool tensor given as additive (adding true
 * would raise a score by 1 and hide nothing), and for a boolean mask that holds numbers other than
 * 0 and 1 (0 and -inf read as booleans would say the opposite). */
bool mask_check(const struct tensor *mask, enum mask_kind kind, struct error *reterr);

/* The masked score of a key: score + number for an additive mask, else score or -inf. A hidden key
 * gets -inf even when its score is NaN or infinite. */
float mask_apply(enum mask_kind kind, float number, float score);

/* The same mask in another convention, same shape; the boolean kinds give bool tensors. ERR_TYPE as
 * mask_check(); ERR_RANGE when an additive mask holds anything but 0 and -inf and is to become
 * boolean: the message names the number and what it does. */
bool mask_convert(const struct tensor *mask, enum mask_kind from, enum mask_kind to,
                  struct tensor *ret, struct error *reterr);

/* Both masks at once, in the shape they broadcast to: a key is hidden where either hides it, and
 * additive shifts add up. Both are of the same kind. ERR_TYPE as mask_check(), ERR_SHAPE when they
 * do not broadcast. */
bool mask_join(const struct tensor *a, const struct tensor *b, enum mask_kind kind,
               struct tensor *ret, struct error *reterr);

/* The causal mask (n_q, n_k): query i may attend to key j <= i + offset.
 *   offset 0          top left, PyTorch's is_causal; the usual mask when n_q == n_k
 *   offset n_k - n_q  bottom right: the last query sees every key, as when the queries are the last
 *                     tokens of a longer text whose earlier keys are cached */
bool mask_causal(size_t n_q, size_t n_k, ptrdiff_t offset, enum mask_kind kind, struct tensor *ret,
                 struct error *reterr);

/* The padding mask (n_batch, 1, 1, n_k): in batch entry b only the first lengths[b] keys are
 * real. It broadcasts over heads and queries. ERR_RANGE when a length is above n_k. */
bool mask_padding(size_t n_batch, const size_t *lengths, size_t n_k, enum mask_kind kind,
                  struct tensor *ret, struct error *reterr);

#endif
