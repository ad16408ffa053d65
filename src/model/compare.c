/* See compare.h. */
#include "model/compare.h"

#include <math.h>

#include "graph/node.h"
#include "model/run.h"
#include "tensor/tensor.h"

static bool check_models(const struct run *a, const struct run *b,
                         const struct alignment *alignment, struct error *reterr)
{
    const struct model_config *x = &a->model->config, *y = &b->model->config;
    if (x->n_layers != y->n_layers || x->n_heads != y->n_heads)
        return error_set(
            reterr, ERR_SHAPE,
            "compare: the models have %zu x %zu and %zu x %zu heads; both runs need as "
            "many",
            x->n_layers, x->n_heads, y->n_layers, y->n_heads);
    return alignment->n > 0 ||
           error_set(reterr, ERR_SHAPE, "compare: no token of one text has a partner in the other");
}

/* The weights of a layer of both runs. */
static bool both_weights(struct run *a, struct run *b, size_t layer, const struct tensor *ret[2],
                         struct error *reterr)
{
    struct node *of_a = run_stage(a, STAGE_WEIGHTS, layer, reterr);
    struct node *of_b = of_a != NULL ? run_stage(b, STAGE_WEIGHTS, layer, reterr) : NULL;
    if (of_b == NULL)
        return false;
    ret[0] = &of_a->value;
    ret[1] = &of_b->value;
    return true;
}

/* Half the sum of |difference| of a paired query's rows. The weights of each row add up to `sum`;
 * what of it lies on keys without a partner is the sum minus that on the others. */
static double row_change(const struct tensor *const weights[2], const struct alignment *alignment,
                         size_t head, const size_t pair[2])
{
    double change = 0, alone[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < weights[side]->shape[2]; k++)
            alone[side] += (double)tensor_at(weights[side], (size_t[]){head, pair[side], k});
    for (size_t i = 0; i < alignment->n; i++) {
        const size_t *keys = alignment->pairs[i];
        double x = (double)tensor_at(weights[0], (size_t[]){head, pair[0], keys[0]});
        double y = (double)tensor_at(weights[1], (size_t[]){head, pair[1], keys[1]});
        change += fabs(x - y);
        alone[0] -= x;
        alone[1] -= y;
    }
    return (change + fmax(alone[0], 0) + fmax(alone[1], 0)) / 2;
}

bool heads_change(struct run *a, struct run *b, const struct alignment *alignment,
                  struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &a->model->config;
    const struct tensor *weights[2];
    size_t shape[2] = {config->n_layers, config->n_heads};
    struct tensor changes;
    if (!check_models(a, b, alignment, reterr) || !tensor_zeros(2, shape, &changes, reterr))
        return false;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        double sum = 0;
        if (!both_weights(a, b, i / shape[1], weights, reterr)) {
            tensor_release(&changes);
            return false;
        }
        for (size_t q = 0; q < alignment->n; q++)
            sum += row_change(weights, alignment, i % shape[1], alignment->pairs[q]);
        changes.data[i] = (float)(sum / (double)alignment->n);
    }
    *ret = changes;
    return true;
}

bool head_difference(struct run *a, struct run *b, const struct alignment *alignment,
                     const size_t head[2], struct tensor *ret, struct error *reterr)
{
    const struct tensor *weights[2];
    size_t n = alignment->n;
    if (!check_models(a, b, alignment, reterr) || !both_weights(a, b, head[0], weights, reterr) ||
        !tensor_empty(2, (size_t[]){n, n}, ret, reterr))
        return false;
    for (size_t q = 0; q < n; q++)
        for (size_t k = 0; k < n; k++) {
            const size_t *query = alignment->pairs[q], *key = alignment->pairs[k];
            ret->data[q * n + k] = tensor_at(weights[1], (size_t[]){head[1], query[1], key[1]}) -
                                   tensor_at(weights[0], (size_t[]){head[1], query[0], key[0]});
        }
    return true;
}
