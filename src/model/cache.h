/* The keys and values of the tokens so far, so that a text that grows by a token is not computed
 * again from its start. */
#ifndef ATTN_MODEL_CACHE_H
#define ATTN_MODEL_CACHE_H

#include "model/config.h"

struct attention_parts;
struct builder;
struct cache;

/* Room for n_positions tokens of a model, one text. ERR_MEMORY, ERR_LIMIT. */
struct cache *cache_new(const struct model_config *config, size_t n_positions,
                        struct error *reterr);
void cache_free(struct cache *cache); /* may be NULL */

/* Puts the keys and values of a layer behind those that are there, and all of them in their place
 * in parts; where there were some before, the new tokens may attend to all (there is one of them).
 * The nodes hold on to the cache's numbers: they are freed before it. */
bool cache_join(struct builder *builder, struct cache *cache, size_t layer,
                struct attention_parts *parts);
/* Counts the tokens that each layer has joined. */
void cache_advance(struct cache *cache, size_t n);
/* How many tokens it holds. */
size_t cache_length(const struct cache *cache);

#endif
