/* See generate.h. */
#include "model/generate.h"

#include <stdlib.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/cache.h"
#include "model/forward.h"
#include "model/model.h"
#include "tensor/tensor.h"

struct generator {
    struct graph graph;
    struct model *model;
    struct cache *cache;
    struct tensor waiting; /* the tokens at the end that the cache does not hold yet */
};

bool generator_new(struct model *model, const struct tensor *ids, size_t n_more,
                   const volatile sig_atomic_t *stop, struct generator **ret, struct error *reterr)
{
    size_t most = model->config.n_positions, n = tensor_size(ids);
    if (n == 0 || n > most || n_more > most - n)
        return error_set(reterr, ERR_RANGE,
                         "generate: %zu tokens and %zu more: %s takes texts of 1 to %zu", n, n_more,
                         model->name, most);
    struct generator *generator = calloc(1, sizeof *generator);
    if (generator == NULL)
        return error_memory(reterr, "generate");
    generator->graph.stop = stop;
    generator->model = model_share(model);
    generator->cache = cache_new(&model->config, n + n_more, reterr);
    if (generator->cache != NULL && tensor_copy(ids, &generator->waiting, reterr)) {
        *ret = generator;
        return true;
    }
    generator_free(generator);
    return false;
}

void generator_free(struct generator *generator)
{
    if (generator == NULL)
        return;
    tensor_release(&generator->waiting);
    cache_free(generator->cache);
    model_free(generator->model);
    free(generator);
}

/* The logits of the last token, of all that wait; the cache then holds their keys and values. */
static bool last_logits(struct builder *b, struct generator *generator, struct tensor *ret)
{
    struct forward forward = {.model = generator->model,
                              .cache = generator->cache,
                              .first = cache_length(generator->cache)};
    struct node *stages[STAGE_COUNT];
    size_t n = tensor_size(&generator->waiting);
    struct tensor ids = tensor_share(&generator->waiting);
    struct node *x = forward_embed(b, &forward, build_input(b, &ids, "the text so far"));
    for (size_t layer = 0; x != NULL && layer < generator->model->config.n_layers; layer++)
        x = forward_layer(b, &forward, layer, x, stages) ? stages[STAGE_OUT] : NULL;
    x = x != NULL ? build_slice(b, x, 0, n - 1, 1) : NULL;
    x = x != NULL ? forward_last_norm(b, &forward, x) : NULL;
    struct node *logits = forward_logits(b, &forward, x);
    if (logits == NULL)
        return false;
    *ret = tensor_share(&logits->value);
    return true;
}

bool generator_next(struct generator *generator, const struct sampling *sampling,
                    struct random *random, size_t *ret_token, struct error *reterr)
{
    struct builder builder;
    struct tensor logits, next;
    size_t n = tensor_size(&generator->waiting), one = 1;
    builder_init(&builder, &generator->graph, reterr);
    bool ok = last_logits(&builder, generator, &logits);
    builder_release(&builder);
    if (!ok)
        return false;
    ok = prediction_draw(&logits, 0, sampling, random, ret_token, reterr) &&
         tensor_full(1, &one, (float)*ret_token, &next, reterr);
    tensor_release(&logits);
    if (!ok)
        return false;
    cache_advance(generator->cache, n);
    tensor_release(&generator->waiting);
    generator->waiting = next;
    return true;
}
