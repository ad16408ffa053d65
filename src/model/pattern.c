/* See pattern.h. */
#include "model/pattern.h"

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"

static const double SINK_SHARE = 0.3;
enum { SINK_TOKENS = 3 }; /* of two tokens one always gets much */

struct node *pattern_node(struct run *run, size_t layer, struct error *reterr)
{
    if (!run_check_one_text(run, reterr) || run_stage(run, STAGE_CONTEXT, layer, reterr) == NULL)
        return NULL;
    /* A run that shares all else with this one: the weights are gone with it. */
    struct run *look = run_edited(run, NULL, 0, reterr);
    struct node *weights = look != NULL ? run_stage(look, STAGE_WEIGHTS, layer, reterr) : NULL;
    if (weights != NULL)
        node_share(weights);
    run_free(look);
    return weights;
}

bool pattern_of_layer(struct run *run, size_t layer, struct tensor *ret, struct error *reterr)
{
    struct node *weights = pattern_node(run, layer, reterr);
    if (weights == NULL)
        return false;
    *ret = tensor_share(&weights->value);
    node_free(weights);
    return true;
}

bool pattern_of_head(struct run *run, size_t layer, size_t head, struct tensor *ret,
                     struct error *reterr)
{
    size_t n_heads = run->model->config.n_heads;
    struct tensor all;
    if (!pattern_of_layer(run, layer, &all, reterr))
        return false;
    bool ok = head < n_heads ? tensor_pick(&all, 0, head, ret, reterr)
                             : error_set(reterr, ERR_RANGE, "head %zu: %s has %zu %s, 0 to %zu",
                                         head, run->model->name, n_heads,
                                         n_heads == 1 ? "head" : "heads", n_heads - 1);
    tensor_release(&all);
    return ok;
}

struct pattern_sink pattern_sink(const struct tensor *weights)
{
    struct pattern_sink sink = {.share = -1};
    size_t n = weights->shape[0];
    for (size_t key = 0; key < weights->shape[1]; key++) {
        double sum = 0;
        for (size_t query = 0; query < n; query++)
            sum += (double)tensor_at(weights, (size_t[]){query, key});
        if (sum / (double)n > sink.share)
            sink = (struct pattern_sink){.key = key, .share = sum / (double)n};
    }
    sink.is_sink = n >= SINK_TOKENS && sink.share > SINK_SHARE;
    return sink;
}

bool pattern_hidden(const struct run *run, struct tensor *ret, struct error *reterr)
{
    size_t n = run_length(run);
    if (!tensor_zeros(2, (size_t[]){n, n}, ret, reterr))
        return false;
    ret->is_bool = true;
    for (size_t query = 0; run->model->config.is_causal && query < n; query++)
        for (size_t key = query + 1; key < n; key++)
            ret->data[query * n + key] = 1;
    return true;
}
