/* A key-value cache: the keys and values of the tokens so far, kept so that each new token costs
 * one row of attention instead of all of them. Attending token by token with a cache gives the rows
 * that causal attention gives for the whole text: bit for bit where both are small enough for the
 * plain version (kernel/kernel.h), else within rounding. Conventions: tensor/tensor.h.
 * Source: Pope et al. 2022, "Efficiently Scaling Transformer Inference", section 2.1. */
#ifndef ATTN_ATTENTION_KV_CACHE_H
#define ATTN_ATTENTION_KV_CACHE_H

#include "attention/attention.h"

/* The cache owns both tensors. Rows below length are never written again, so views of them stay as
 * they are while the cache grows. */
struct kv_cache {
    struct tensor key;   /* (..., capacity, d_k) */
    struct tensor value; /* (..., capacity, d_v) */
    size_t capacity;     /* the most rows */
    size_t length;       /* rows filled so far */
};

/* An empty cache for the given leading axes (batch, heads). The caller releases it. ERR_LIMIT for
 * more axes or numbers than a tensor holds. */
bool kv_cache_init(struct kv_cache *cache, unsigned n_lead, const size_t *lead, size_t capacity,
                   size_t d_k, size_t d_v, struct error *reterr);
void kv_cache_release(struct kv_cache *cache);

/* Copies the rows of key (..., n_new, d_k) and value (..., n_new, d_v) after those in the cache.
 * ERR_LIMIT when they do not fit into its capacity, ERR_SHAPE when another size differs; the cache
 * is unchanged then. */
bool kv_cache_append(struct kv_cache *cache, const struct tensor *key, const struct tensor *value,
                     struct error *reterr);

/* Views of the rows filled so far: *ret_key (..., length, d_k), *ret_value (..., length, d_v). */
bool kv_cache_view(const struct kv_cache *cache, struct tensor *ret_key, struct tensor *ret_value,
                   struct error *reterr);

/* Appends input->key and input->value, the rows of the new tokens, and attends with input->query to
 * everything in the cache. The rest of the input means what it means in attention_forward(), with
 * n_k the new length; a causal offset counts from the new tokens: with 0, new token i may attend to
 * the new tokens 0..i and to all earlier ones. On failure the cache is unchanged. */
bool kv_cache_attend(struct kv_cache *cache, const struct attention_input *input,
                     const volatile sig_atomic_t *stop, struct tensor *ret_context,
                     struct tensor *ret_weights, struct error *reterr);

#endif
