/* The keys and values of the tokens so far, so that a text that grows by a token is not computed
 * again from its start. */
#ifndef ATTN_MODEL_CACHE_INTERNAL_H
#define ATTN_MODEL_CACHE_INTERNAL_H

#include "model/config_internal.h"

struct attention_parts;
struct builder;
struct cache;

/* Room for n_positions tokens of a model, one text. ERR_MEMORY, ERR_LIMIT. */
struct cache *cache_new(const struct model_config *config, size_t n_positions,
                        struct error *reterr);
void cache_free(struct cache *cache); /* may be NULL */

/* Appends the keys and values of a layer to those in the cache, and puts all of them into parts. If
 * the cache was not empty, the new tokens may attend to all (there is one new token then). The
 * nodes point into the cache's numbers, so they must be freed before it. */
bool cache_join(struct builder *builder, struct cache *cache, size_t layer,
                struct attention_parts *parts);
/* Counts the tokens that each layer has joined. */
void cache_advance(struct cache *cache, size_t n);
/* How many tokens it holds. */
size_t cache_length(const struct cache *cache);

#endif
