/* Attention for one query, as the formula reads: see attention.h for the formula and its sources.
 *
 * One letter, one meaning: i is a query row, j a key row, d a component. Every step reads the n_k
 * numbers of the step before and writes n_k numbers. */
#include "attention/attention_row_internal.h"

#include <math.h>
#include <stdlib.h>

#include "attention/softmax.h"

/* In a sum each addition waits for the one before it: this many sums are computed side by side. */
enum { BESIDE = 4 };

/* The scores of BESIDE keys, each summed as attention_row_dot() does it. */
static void score_some(const float *query, const float *key, size_t d_k, float *scores)
{
    double sums[BESIDE] = {0};
    for (size_t d = 0; d < d_k; d++)
        for (size_t j = 0; j < BESIDE; j++)
            sums[j] += (double)query[d] * (double)key[j * d_k + d];
    for (size_t j = 0; j < BESIDE; j++)
        scores[j] = (float)sums[j];
}

/* scores_j = query . key_j */
static void score_keys(const float *query, const float *key, size_t n_k, size_t d_k, float *scores)
{
    size_t j = 0;
    for (; n_k - j >= BESIDE; j += BESIDE)
        score_some(query, key + j * d_k, d_k, scores + j);
    for (; j < n_k; j++)
        scores[j] = (float)attention_row_dot(query, key + j * d_k, d_k);
}

/* scaled_j = scores_j * scale */
static void scale_scores(const float *scores, size_t n_k, double scale, float *scaled)
{
    for (size_t j = 0; j < n_k; j++)
        scaled[j] = (float)((double)scores[j] * scale);
}

static double cap(double score, double softcap)
{
    return softcap > 0 ? softcap * tanh(score / softcap) : score;
}

/* capped_j = softcap * tanh(scaled_j / softcap) */
static void cap_scores(const float *scaled, size_t n_k, double softcap, float *capped)
{
    for (size_t j = 0; j < n_k; j++)
        capped[j] = (float)cap((double)scaled[j], softcap);
}

/* masked_j = capped_j, or -inf when key j is padding, lies in the future, or is masked */
static void mask_scores(const struct attention_plan *plan, const struct attention_head *head,
                        size_t i, const float *capped, float *masked)
{
    const struct attention_input *input = plan->input;
    for (size_t j = 0; j < plan->n_k; j++) {
        const float *mask = attention_row_mask(plan, head, i, j);
        bool padding = j >= head->key_length;
        bool future = input->causal && (ptrdiff_t)j - (ptrdiff_t)i > input->causal_offset;
        if (padding || future)
            masked[j] = -INFINITY;
        else
            masked[j] = mask != NULL ? mask_apply(input->mask_kind, *mask, capped[j]) : capped[j];
    }
}

/* dropped_j = weights_j * factor_j */
static void drop_weights(const float *weights, const float *factors, size_t n_k, float *dropped)
{
    for (size_t j = 0; j < n_k; j++)
        dropped[j] = factors != NULL ? weights[j] * factors[j] : weights[j];
}

/* sums += weight * value, whole groups of BESIDE first, which compilers add at once */
static void add_value(double weight, const float *restrict value, size_t d_v, double *restrict sums)
{
    size_t d = 0;
    for (; d_v - d >= BESIDE; d += BESIDE)
        for (size_t at = 0; at < BESIDE; at++)
            sums[d + at] += weight * (double)value[d + at];
    for (; d < d_v; d++)
        sums[d] += weight * (double)value[d];
}

/* context = sum over j of dropped_j * value_j; a dropped_j of 0 adds nothing */
static void mix_values(const struct attention_row *row, const float *value, size_t n_k, size_t d_v)
{
    for (size_t d = 0; d < d_v; d++)
        row->context[d] = 0;
    for (size_t j = 0; j < n_k; j++)
        if (row->dropped[j] != 0)
            add_value((double)row->dropped[j], value + j * d_v, d_v, row->context);
}

bool attention_row_init(struct attention_row *row, const struct attention_plan *plan,
                        struct error *reterr)
{
    size_t n_k = plan->n_k;
    *row = (struct attention_row){
        .steps = calloc(n_k + 1, 6 * sizeof *row->steps), /* + 1: never an empty block */
        .sums = calloc(n_k + plan->d_v + 1, sizeof *row->sums),
    };
    if (row->steps == NULL || row->sums == NULL) {
        attention_row_release(row);
        return error_memory(reterr, "attention");
    }
    row->scores = row->steps;
    row->scaled = row->scores + n_k;
    row->capped = row->scaled + n_k;
    row->masked = row->capped + n_k;
    row->weights = row->masked + n_k;
    row->dropped = row->weights + n_k;
    row->gradient = row->sums;
    row->context = row->gradient + n_k;
    return true;
}

void attention_row_release(struct attention_row *row)
{
    free(row->steps);
    free(row->sums);
    *row = (struct attention_row){0};
}

void attention_row_attend(const struct attention_row *row, const struct attention_plan *plan,
                          const struct attention_head *head, size_t i)
{
    size_t n_k = plan->n_k;
    score_keys(head->query + i * plan->d_k, head->key, n_k, plan->d_k, row->scores);
    scale_scores(row->scores, n_k, plan->scale, row->scaled);
    cap_scores(row->scaled, n_k, plan->input->softcap, row->capped);
    mask_scores(plan, head, i, row->capped, row->masked);
    softmax_row(row->masked, n_k, row->weights);
    drop_weights(row->weights, attention_row_dropout(plan, head, i), n_k, row->dropped);
    mix_values(row, head->value, n_k, plan->d_v);
}

const float *attention_row_mask(const struct attention_plan *plan,
                                const struct attention_head *head, size_t i, size_t j)
{
    const ptrdiff_t *stride = plan->mask.stride + plan->n_lead;
    if (head->mask == NULL)
        return NULL;
    return head->mask + (ptrdiff_t)i * stride[0] + (ptrdiff_t)j * stride[1];
}

const float *attention_row_dropout(const struct attention_plan *plan,
                                   const struct attention_head *head, size_t i)
{
    return head->dropout != NULL ? head->dropout + i * plan->n_k : NULL;
}

double attention_row_dot(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t d = 0; d < n; d++)
        sum += (double)a[d] * (double)b[d];
    return sum;
}
