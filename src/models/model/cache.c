/* See cache_internal.h. */
#include "model/cache_internal.h"

#include <stdlib.h>

#include "attention/kv_cache.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/stages.h"
#include "tensor/tensor.h"

/* Rows from `length` on are of a step that failed, or free. */
struct cache {
    size_t n_layers, length;
    struct kv_cache layers[];
};

struct cache *cache_new(const struct model_config *config, size_t n_positions, struct error *reterr)
{
    struct cache *cache = calloc(1, sizeof *cache + config->n_layers * sizeof *cache->layers);
    if (cache == NULL) {
        error_memory(reterr, "the keys and values of a text");
        return NULL;
    }
    cache->n_layers = config->n_layers;
    for (size_t i = 0; i < config->n_layers; i++)
        if (!kv_cache_init(&cache->layers[i], 1, &config->n_kv_heads, n_positions, config->head_dim,
                           config->head_dim, reterr)) {
            cache_free(cache);
            return NULL;
        }
    return cache;
}

void cache_free(struct cache *cache)
{
    for (size_t i = 0; cache != NULL && i < cache->n_layers; i++)
        kv_cache_release(&cache->layers[i]);
    free(cache);
}

bool cache_join(struct builder *b, struct cache *cache, size_t layer, struct attention_parts *parts)
{
    struct kv_cache *own = &cache->layers[layer];
    struct tensor key, value;
    if (b->failed)
        return false;
    own->length = cache->length;
    if (!kv_cache_append(own, &parts->key->value, &parts->value->value, b->reterr) ||
        !kv_cache_view(own, &key, &value, b->reterr)) {
        b->failed = true;
        return false;
    }
    parts->key = build_input(b, &key, "the keys so far");
    parts->value = build_input(b, &value, "the values so far");
    if (cache->length > 0)
        parts->is_causal = false;
    return !b->failed;
}

void cache_advance(struct cache *cache, size_t n)
{
    cache->length += n;
}

size_t cache_length(const struct cache *cache)
{
    return cache->length;
}
