/* See loss.h. */
#include "model/loss.h"

#include "graph/builder.h"
#include "graph/layers.h"
#include "graph/node.h"
#include "model/forward.h"
#include "model/run.h"
#include "tensor/tensor.h"

static bool check_targets(const struct model *model, const struct tensor *ids,
                          const struct tensor *targets, struct error *reterr)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t vocab = model->config.vocab, n = tensor_size(ids);
    if (!tensor_same_shape(ids, targets) || n == 0)
        return error_set(reterr, ERR_SHAPE,
                         "loss: inputs and targets must be of one shape, (batch, n); these are %s "
                         "and %s",
                         tensor_shape_text(ids, shapes[0]), tensor_shape_text(targets, shapes[1]));
    for (size_t i = 0; i < n; i++) {
        float target = tensor_at_position(targets, i);
        bool is_token = target >= 0 && target < (float)vocab && target == (float)(size_t)target;
        if (!is_token && target != (float)TARGET_IGNORED)
            return error_set(reterr, ERR_RANGE,
                             "loss: the target %g is neither a token, 0 to %zu, nor %d",
                             (double)target, vocab - 1, TARGET_IGNORED);
    }
    return true;
}

struct node *build_batch_logits(struct builder *b, struct model *model, struct node *ids,
                                const struct dropout *dropout)
{
    struct forward forward = {.model = model, .dropout = dropout};
    struct node *stages[STAGE_COUNT];
    struct node *x = forward_embed(b, &forward, ids);
    if (x == NULL)
        return NULL;
    for (size_t layer = 0; x != NULL && layer < model->config.n_layers; layer++)
        x = forward_layer(b, &forward, layer, x, stages) ? stages[STAGE_OUT] : NULL;
    struct node *normed = x != NULL ? forward_last_norm(b, &forward, x) : NULL;
    struct node *logits = forward_logits(b, &forward, normed);
    const size_t rows[] = {tensor_size(&ids->value), model->config.vocab};
    return logits != NULL ? build_reshape(b, logits, 2, rows) : NULL;
}

struct node *build_model_loss(struct builder *b, struct model *model, struct node *ids,
                              struct node *targets, const struct dropout *dropout)
{
    if (ids == NULL || targets == NULL)
        return NULL;
    if (!model_can_run(model, b->reterr) || !model_check_ids(model, &ids->value, b->reterr) ||
        !check_targets(model, &ids->value, &targets->value, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    const size_t n = tensor_size(&targets->value);
    b->largest_first = true; /* most losses are of targets that do not count, or are learnt */
    struct node *logits = build_batch_logits(b, model, ids, dropout);
    struct node *wanted = logits != NULL ? build_reshape(b, targets, 1, &n) : NULL;
    return build_cross_entropy(b, logits, wanted, TARGET_IGNORED);
}
