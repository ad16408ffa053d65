/* See effect.h. */
#include "model/effect.h"

#include <math.h>

#include "graph/node.h"
#include "model/prediction.h"
#include "model/run.h"
#include "tensor/tensor.h"

bool run_likeliest(struct run *run, size_t *ret, struct error *reterr)
{
    struct node *logits = run_check_one_text(run, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL)
        return false;
    *ret = prediction_likeliest(&logits->value, run_length(run) - 1);
    return true;
}

static bool probability_of(struct run *run, size_t token, double *ret, struct error *reterr)
{
    size_t vocab = run->model->config.vocab;
    if (token >= vocab)
        return error_set(reterr, ERR_RANGE, "%zu is no token: %s has %zu, 0 to %zu", token,
                         run->model->name, vocab, vocab - 1);
    struct node *logits = run_check_one_text(run, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL)
        return false;
    *ret = exp(prediction_log_probability(&logits->value, run_length(run) - 1, token));
    return true;
}

static bool loss_of(struct run *run, double *ret, struct error *reterr)
{
    const struct tensor *ids = &run->ids->value;
    size_t n = run_length(run), n_texts = n > 0 ? tensor_size(ids) / n : 0;
    double sum = 0;
    if (n < 2)
        return error_set(reterr, ERR_RANGE, "a text of one token has no loss: nothing follows it");
    struct node *logits = run_logits(run, reterr);
    if (logits == NULL)
        return false;
    for (size_t i = 0; i < n_texts * n; i++)
        if (i % n + 1 < n)
            sum -= prediction_log_probability(&logits->value, i,
                                              (size_t)tensor_at_position(ids, i + 1));
    *ret = sum / (double)(n_texts * (n - 1));
    return true;
}

bool run_measure(struct run *run, const struct effect *effect, double *ret, struct error *reterr)
{
    return effect->on == EFFECT_LOSS ? loss_of(run, ret, reterr)
                                     : probability_of(run, effect->token, ret, reterr);
}

/* The same with one head cut. */
static bool measure_cut(struct run *run, const struct effect *effect, const struct cut *cut,
                        enum cut_how how, struct run *other, double *ret, struct error *reterr)
{
    struct run *without = run_cut(run, cut, 1, how, other, reterr);
    bool ok = without != NULL && run_measure(without, effect, ret, reterr);
    run_free(without);
    return ok;
}

bool heads_measure(struct run *run, const struct effect *effect, enum cut_how how,
                   struct run *other, struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    size_t shape[2] = {config->n_layers, config->n_heads};
    struct tensor all;
    double before, after;
    if (!run_measure(run, effect, &before, reterr) || !tensor_empty(2, shape, &all, reterr))
        return false;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        struct cut cut = {CUT_HEAD, i / shape[1], i % shape[1]};
        if (!measure_cut(run, effect, &cut, how, other, &after, reterr)) {
            tensor_release(&all);
            return false;
        }
        all.data[i] = (float)(after - before);
    }
    *ret = all;
    return true;
}
