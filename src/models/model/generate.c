/* See generate.h. */
#include "model/generate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tensor/tensor.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "model/cache_internal.h"
#include "model/forward.h"
#include "model/model.h"

/* ---- prediction ---- */

static int by_probability(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* The first logit of a row; from each to the next it is as far as the last stride says. */
static const float *row_of(const struct tensor *logits, size_t row)
{
    size_t index[TENSOR_MAX_AXES];
    return tensor_part(logits, logits->n_axes - 1, row, index);
}

/* The logits of a row, divided by the temperature, as probabilities in the order of the tokens. */
static bool read_row(const struct tensor *logits, size_t row, double temperature,
                     struct candidate **ret, struct error *reterr)
{
    size_t n = logits->shape[logits->n_axes - 1];
    ptrdiff_t step = logits->stride[logits->n_axes - 1];
    const float *first = row_of(logits, row);
    struct candidate *all = calloc(n + 1, sizeof *all);
    double highest = -(double)INFINITY, sum = 0;
    if (all == NULL)
        return error_memory(reterr, "a prediction");
    for (size_t i = 0; i < n; i++) {
        double logit = (double)first[(ptrdiff_t)i * step] / temperature;
        all[i] = (struct candidate){i, logit};
        highest = logit > highest ? logit : highest;
    }
    for (size_t i = 0; i < n; i++) {
        all[i].probability = exp(all[i].probability - highest);
        sum += all[i].probability;
    }
    for (size_t i = 0; i < n; i++)
        all[i].probability /= sum;
    *ret = all;
    return true;
}

bool prediction_rank(const struct tensor *logits, size_t row, double temperature,
                     struct candidate **ret, struct error *reterr)
{
    if (!read_row(logits, row, temperature, ret, reterr))
        return false;
    qsort(*ret, logits->shape[logits->n_axes - 1], sizeof **ret, by_probability);
    return true;
}

/* ---- drawing: only those that come before the drawn one are put in order ---- */

/* All candidates: a heap of those not ranked yet, in which i comes before 2 i + 1 and 2 i + 2, and
 * behind it the ranked ones, the likeliest at the end. */
struct ranking {
    struct candidate *all;
    size_t n, n_ranked;
};

/* Moves the candidate at `at` down to its place in the heap all[0..n). */
static void sink(struct candidate *all, size_t n, size_t at)
{
    struct candidate sinking = all[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && by_probability(&all[child + 1], &all[child]) < 0;
        if (by_probability(&all[child], &sinking) > 0)
            break;
        all[at] = all[child];
    }
    all[at] = sinking;
}

static void ranking_init(struct ranking *ranking, struct candidate *all, size_t n)
{
    *ranking = (struct ranking){.all = all, .n = n};
    for (size_t at = n / 2; at-- > 0;)
        sink(all, n, at);
}

/* Number i of the candidates, the likeliest first. */
static const struct candidate *ranked_at(struct ranking *ranking, size_t i)
{
    while (ranking->n_ranked <= i) {
        size_t last = ranking->n - 1 - ranking->n_ranked++;
        struct candidate next = ranking->all[0];
        ranking->all[0] = ranking->all[last];
        sink(ranking->all, last, 0);
        ranking->all[last] = next;
    }
    return &ranking->all[ranking->n - 1 - i];
}

static double sum_of_first(struct ranking *ranking, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += n == ranking->n ? ranking->all[i].probability : ranked_at(ranking, i)->probability;
    return sum;
}

/* How many of the ranked candidates may be drawn. */
static size_t count_allowed(struct ranking *ranking, const struct sampling *sampling)
{
    size_t n = ranking->n, i = 0;
    size_t allowed = sampling->top_k > 0 && sampling->top_k < n ? sampling->top_k : n;
    if (sampling->top_p >= 1)
        return allowed;
    double whole = sum_of_first(ranking, allowed), sum = 0;
    for (i = 0; i < allowed && sum < sampling->top_p * whole; i++)
        sum += ranked_at(ranking, i)->probability;
    return i > 0 ? i : 1;
}

size_t prediction_restrict(struct candidate *ranked, size_t n, const struct sampling *sampling)
{
    size_t allowed = sampling->top_k > 0 && sampling->top_k < n ? sampling->top_k : n;
    double whole = 0, sum = 0;
    for (size_t i = 0; i < allowed; i++)
        whole += ranked[i].probability;
    if (sampling->top_p < 1) {
        size_t i = 0;
        for (; i < allowed && sum < sampling->top_p * whole; i++)
            sum += ranked[i].probability;
        allowed = i > 0 ? i : 1;
        whole = i > 0 ? sum : ranked[0].probability;
    }
    for (size_t i = 0; allowed < n && i < n; i++)
        ranked[i].probability = i < allowed ? ranked[i].probability / whole : 0;
    return allowed;
}

size_t prediction_likeliest(const struct tensor *logits, size_t row)
{
    size_t n = logits->shape[logits->n_axes - 1], best = 0;
    ptrdiff_t step = logits->stride[logits->n_axes - 1];
    const float *logit = row_of(logits, row);
    float highest = *logit;
    for (size_t i = 1; i < n; i++) {
        logit += step;
        if (*logit > highest) {
            highest = *logit;
            best = i;
        }
    }
    return best;
}

double prediction_log_probability(const struct tensor *logits, size_t row, size_t token)
{
    size_t n = logits->shape[logits->n_axes - 1];
    double highest =
        (double)tensor_at_position(logits, row * n + prediction_likeliest(logits, row));
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)tensor_at_position(logits, row * n + i) - highest);
    return (double)tensor_at_position(logits, row * n + token) - highest - log(sum);
}

/* A number in [0, 1) of 53 bits. */
static double draw_unit(struct random *random)
{
    uint64_t high = random_word(random), low = random_word(random);
    return (double)((high << 32 | low) >> 11) * 0x1p-53;
}

/* Of NaN none is the likeliest. */
static bool check_row(const struct tensor *logits, size_t row, struct error *reterr)
{
    size_t n = logits->shape[logits->n_axes - 1];
    ptrdiff_t step = logits->stride[logits->n_axes - 1];
    const float *first = row_of(logits, row);
    for (size_t i = 0; i < n; i++)
        if (isnan(first[(ptrdiff_t)i * step]))
            return error_set(reterr, ERR_RANGE,
                             "the logit of token %zu is NaN: numbers of the model are, or they "
                             "grew too large on the way; no token can be drawn",
                             i);
    return true;
}

bool prediction_draw(const struct tensor *logits, size_t row, const struct sampling *sampling,
                     struct random *random, size_t *ret_token, struct error *reterr)
{
    struct candidate *all;
    struct ranking ranking;
    if (!check_row(logits, row, reterr))
        return false;
    if (sampling->temperature == 0) {
        *ret_token = prediction_likeliest(logits, row);
        return true;
    }
    if (!read_row(logits, row, sampling->temperature, &all, reterr))
        return false;
    ranking_init(&ranking, all, logits->shape[logits->n_axes - 1]);
    size_t n = count_allowed(&ranking, sampling), i;
    double left = draw_unit(random) * sum_of_first(&ranking, n);
    for (i = 0; i + 1 < n && left >= ranked_at(&ranking, i)->probability; i++)
        left -= ranked_at(&ranking, i)->probability;
    *ret_token = ranked_at(&ranking, i)->token;
    free(all);
    return true;
}

/* ---- generate ---- */

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
