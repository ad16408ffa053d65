/* See prediction.h. */
#include "model/prediction.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tensor/tensor.h"

static int by_probability(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* The logits of a row, divided by the temperature, as probabilities in the order of the tokens. */
static bool read_row(const struct tensor *logits, size_t row, double temperature,
                     struct candidate **ret, struct error *reterr)
{
    size_t n = logits->shape[logits->n_axes - 1];
    struct candidate *all = calloc(n + 1, sizeof *all);
    double highest = -(double)INFINITY, sum = 0;
    if (all == NULL)
        return error_memory(reterr, "a prediction");
    for (size_t i = 0; i < n; i++) {
        double logit = (double)tensor_at_position(logits, row * n + i) / temperature;
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

/* How many of the ranked candidates may be drawn. */
static size_t count_allowed(const struct candidate *ranked, size_t n,
                            const struct sampling *sampling)
{
    size_t allowed = sampling->top_k > 0 && sampling->top_k < n ? sampling->top_k : n, i = 0;
    double whole = 0, sum = 0;
    for (i = 0; i < allowed; i++)
        whole += ranked[i].probability;
    for (i = 0; i < allowed && sum < sampling->top_p * whole; i++)
        sum += ranked[i].probability;
    return i > 0 ? i : 1;
}

size_t prediction_likeliest(const struct tensor *logits, size_t row)
{
    size_t n = logits->shape[logits->n_axes - 1], best = 0;
    for (size_t i = 1; i < n; i++)
        if (tensor_at_position(logits, row * n + i) > tensor_at_position(logits, row * n + best))
            best = i;
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

bool prediction_draw(const struct tensor *logits, size_t row, const struct sampling *sampling,
                     struct random *random, size_t *ret_token, struct error *reterr)
{
    struct candidate *ranked;
    if (sampling->temperature == 0) {
        *ret_token = prediction_likeliest(logits, row);
        return true;
    }
    if (!prediction_rank(logits, row, sampling->temperature, &ranked, reterr))
        return false;
    size_t n = count_allowed(ranked, logits->shape[logits->n_axes - 1], sampling), i = 0;
    double whole = 0;
    for (i = 0; i < n; i++)
        whole += ranked[i].probability;
    double left = draw_unit(random) * whole;
    for (i = 0; i + 1 < n && left >= ranked[i].probability; i++)
        left -= ranked[i].probability;
    *ret_token = ranked[i].token;
    free(ranked);
    return true;
}
