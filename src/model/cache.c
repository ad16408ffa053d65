/* See cache.h. */
#include "model/cache.h"

#include <stdlib.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/stages.h"
#include "tensor/tensor.h"

/* Keys and values of one layer: n_kv_heads x room x head_dim. Rows from the cache's length on are
 * free: nobody has seen them, so they may still be written. */
struct cached_layer {
    struct tensor key, value;
};

struct cache {
    size_t n_layers, length, room;
    struct cached_layer layers[];
};

struct cache *cache_new(const struct model_config *config, size_t n_positions, struct error *reterr)
{
    struct cache *cache = calloc(1, sizeof *cache + config->n_layers * sizeof(struct cached_layer));
    if (cache == NULL) {
        error_memory(reterr, "the keys and values of a text");
        return NULL;
    }
    size_t shape[] = {config->n_kv_heads, n_positions, config->head_dim};
    cache->n_layers = config->n_layers;
    cache->room = n_positions;
    for (size_t i = 0; i < config->n_layers; i++) {
        struct cached_layer *layer = &cache->layers[i];
        if (tensor_zeros(3, shape, &layer->key, reterr) &&
            tensor_zeros(3, shape, &layer->value, reterr))
            continue;
        cache_free(cache);
        return NULL;
    }
    return cache;
}

void cache_free(struct cache *cache)
{
    for (size_t i = 0; cache != NULL && i < cache->n_layers; i++) {
        tensor_release(&cache->layers[i].key);
        tensor_release(&cache->layers[i].value);
    }
    free(cache);
}

/* Writes x (n_kv_heads x n x head_dim) behind the rows that are there, and gives all rows as a
 * leaf. */
static struct node *joined(struct builder *b, struct cache *cache, struct tensor *rows,
                           struct node *x, const char *name)
{
    struct tensor dense, all;
    size_t n = x->value.shape[1], width = x->value.shape[2];
    if (cache->length + n > cache->room) {
        error_set(b->reterr, ERR_LIMIT, "the text is full: it has room for %zu tokens",
                  cache->room);
        b->failed = true;
        return NULL;
    }
    if (!tensor_dense(&x->value, &dense, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t head = 0; head < rows->shape[0]; head++)
        memcpy(rows->data + (head * cache->room + cache->length) * width,
               dense.data + head * n * width, n * width * sizeof(float));
    tensor_release(&dense);
    if (!tensor_slice(rows, 1, 0, cache->length + n, 1, &all, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    return build_input(b, &all, name);
}

bool cache_join(struct builder *b, struct cache *cache, size_t layer, struct attention_parts *parts)
{
    struct cached_layer *own = &cache->layers[layer];
    if (b->failed)
        return false;
    parts->key = joined(b, cache, &own->key, parts->key, "the keys so far");
    if (parts->key != NULL)
        parts->value = joined(b, cache, &own->value, parts->value, "the values so far");
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

size_t cache_bytes(const struct cache *cache)
{
    size_t bytes = 0;
    for (size_t i = 0; i < cache->n_layers; i++)
        bytes += (tensor_size(&cache->layers[i].key) + tensor_size(&cache->layers[i].value)) *
                 sizeof(float);
    return bytes;
}
