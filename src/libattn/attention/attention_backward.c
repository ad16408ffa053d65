/* The gradients of attention: see attention.h. The steps of a query are computed again and then
 * taken back from the last to the first. row->gradient holds the gradient of the current step; it
 * stays 0 for a key whose weight is 0, so that the numbers of such a key can't leak in. */
#include "attention/attention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention_fast_internal.h"
#include "attention/attention_plan_internal.h"
#include "attention/attention_row_internal.h"

/* Sums of the gradients, laid out as the dense tensors of the plan. Shared heads and broadcast axes
 * lie at the same place, so there the gradients add up by themselves. */
struct gradient_sums {
    double *query, *key, *value;
    double *mask; /* NULL unless the mask is additive */
};

static void sums_release(struct gradient_sums *sums)
{
    free(sums->query);
    free(sums->key);
    free(sums->value);
    free(sums->mask);
}

static double *new_sums(const struct tensor *x)
{
    return calloc(tensor_size(x) + 1, sizeof(double)); /* + 1: never an empty block */
}

static bool sums_init(struct gradient_sums *sums, const struct attention_input *input,
                      struct error *reterr)
{
    bool with_mask = input->mask != NULL && input->mask_kind == MASK_ADDITIVE;
    *sums = (struct gradient_sums){
        .query = new_sums(input->query),
        .key = new_sums(input->key),
        .value = new_sums(input->value),
        .mask = with_mask ? new_sums(input->mask) : NULL,
    };
    if (sums->query && sums->key && sums->value && (sums->mask || !with_mask))
        return true;
    sums_release(sums);
    *sums = (struct gradient_sums){0};
    error_memory(reterr, "attention backward");
    return false;
}

/* Back over context = sum of dropped_j * value_j. */
static void unmix_values(const struct attention_row *row, const float *d_context,
                         const float *value, size_t n_k, size_t d_v, double *d_value)
{
    for (size_t j = 0; j < n_k; j++) {
        row->gradient[j] = 0;
        if (row->dropped[j] == 0)
            continue;
        row->gradient[j] = attention_row_dot(d_context, value + j * d_v, d_v);
        for (size_t d = 0; d < d_v; d++)
            d_value[j * d_v + d] += (double)row->dropped[j] * (double)d_context[d];
    }
}

/* Back over dropped_j = weights_j * factor_j. */
static void undrop_weights(const struct attention_row *row, const float *factors, size_t n_k)
{
    for (size_t j = 0; factors != NULL && j < n_k; j++)
        row->gradient[j] *= (double)factors[j];
}

/* Back over weights = softmax(masked). */
static void unsoftmax(const struct attention_row *row, size_t n_k)
{
    double mean = 0; /* of the gradient, weighted by the weights */
    for (size_t j = 0; j < n_k; j++)
        mean += row->gradient[j] * (double)row->weights[j];
    for (size_t j = 0; j < n_k; j++)
        if (row->weights[j] != 0)
            row->gradient[j] = (double)row->weights[j] * (row->gradient[j] - mean);
}

/* Back over masked_j = capped_j + mask_j. */
static void unmask_scores(const struct attention_row *row, const struct attention_plan *plan,
                          const struct attention_head *head, size_t i, double *d_mask)
{
    for (size_t j = 0; d_mask != NULL && j < plan->n_k; j++)
        d_mask[attention_row_mask(plan, head, i, j) - plan->mask.data] += row->gradient[j];
}

/* Back over capped_j = softcap * tanh(scaled_j / softcap), whose slope is 1 - tanh^2. */
static void uncap_scores(const struct attention_row *row, size_t n_k, double softcap)
{
    for (size_t j = 0; softcap > 0 && j < n_k; j++) {
        double t = tanh((double)row->scaled[j] / softcap);
        row->gradient[j] *= 1 - t * t;
    }
}

/* Back over scaled_j = query . key_j * scale. */
static void unscore_keys(const struct attention_row *row, const struct attention_plan *plan,
                         const float *query, const float *key, double *d_query, double *d_key)
{
    size_t d_k = plan->d_k;
    for (size_t j = 0; j < plan->n_k; j++) {
        if (row->weights[j] == 0)
            continue;
        double d_score = row->gradient[j] * plan->scale;
        for (size_t d = 0; d < d_k; d++) {
            d_query[d] += d_score * (double)key[j * d_k + d];
            d_key[j * d_k + d] += d_score * (double)query[d];
        }
    }
}

/* All steps of query i, backwards; row holds them from the forward pass. */
static void unattend_row(const struct attention_row *row, const struct attention_plan *plan,
                         const struct attention_head *head, size_t i, const float *d_context,
                         const struct gradient_sums *sums)
{
    const float *query = head->query + i * plan->d_k;
    double *d_query = sums->query + (query - plan->query.data);
    double *d_key = sums->key + (head->key - plan->key.data);
    double *d_value = sums->value + (head->value - plan->value.data);
    unmix_values(row, d_context, head->value, plan->n_k, plan->d_v, d_value);
    undrop_weights(row, attention_row_dropout(plan, head, i), plan->n_k);
    unsoftmax(row, plan->n_k);
    unmask_scores(row, plan, head, i, sums->mask);
    uncap_scores(row, plan->n_k, plan->input->softcap);
    unscore_keys(row, plan, query, head->key, d_query, d_key);
}

/* d_context points at the first row of this head's gradient, (n_q, d_v). */
static bool unattend_head(const struct attention_plan *plan, size_t h, const float *d_context,
                          const volatile sig_atomic_t *stop, const struct attention_row *row,
                          const struct gradient_sums *sums, struct error *reterr)
{
    struct attention_head head = attention_plan_head(plan, h);
    for (size_t i = 0; i < plan->n_q; i++) {
        if (stop != NULL && *stop)
            return error_set(reterr, ERR_INTERRUPTED, "attention backward: stopped");
        attention_row_attend(row, plan, &head, i);
        unattend_row(row, plan, &head, i, d_context + i * plan->d_v, sums);
    }
    return true;
}

static bool unattend(const struct attention_plan *plan, const struct tensor *d_context,
                     const volatile sig_atomic_t *stop, const struct gradient_sums *sums,
                     struct error *reterr)
{
    struct attention_row row;
    if (!attention_row_init(&row, plan, reterr))
        return false;
    bool ok = true;
    for (size_t h = 0; ok && h < plan->n_heads; h++)
        ok = unattend_head(plan, h, d_context->data + h * plan->n_q * plan->d_v, stop, &row, sums,
                           reterr);
    attention_row_release(&row);
    return ok;
}

/* *ret = sums rounded to float32, in the shape of x. */
static bool round_sums(const double *sums, const struct tensor *x, struct tensor *ret,
                       struct error *reterr)
{
    if (!tensor_zeros(x->n_axes, x->shape, ret, reterr))
        return false;
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++)
        ret->data[at] = (float)sums[at];
    return true;
}

static bool round_gradients(const struct gradient_sums *sums, const struct attention_input *input,
                            struct attention_gradients *gradients, struct error *reterr)
{
    return round_sums(sums->query, input->query, &gradients->query, reterr) &&
           round_sums(sums->key, input->key, &gradients->key, reterr) &&
           round_sums(sums->value, input->value, &gradients->value, reterr) &&
           (sums->mask == NULL || round_sums(sums->mask, input->mask, &gradients->mask, reterr));
}

/* *ret = d_context, dense, once its shape is seen to be the context's. */
static bool take_d_context(const struct attention_plan *plan, const struct tensor *d_context,
                           struct tensor *ret, struct error *reterr)
{
    struct tensor context = {.n_axes = plan->n_lead + 2};
    memcpy(context.shape, plan->shape, sizeof context.shape);
    context.shape[plan->n_lead + 1] = plan->d_v;
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(d_context, &context))
        return error_set(reterr, ERR_SHAPE,
                         "attention backward: the gradient of the context is %s and the context "
                         "is %s; each number has one gradient, so the shapes must be equal",
                         tensor_shape_text(d_context, left), tensor_shape_text(&context, right));
    return tensor_dense(d_context, ret, reterr);
}

static bool backward_exactly(const struct attention_plan *plan, const struct tensor *d_context,
                             const volatile sig_atomic_t *stop,
                             struct attention_gradients *gradients, struct error *reterr)
{
    struct gradient_sums sums = {0};
    bool ok = sums_init(&sums, plan->input, reterr) &&
              unattend(plan, d_context, stop, &sums, reterr) &&
              round_gradients(&sums, plan->input, gradients, reterr);
    sums_release(&sums);
    return ok;
}

/* *ret = a tensor in the shape of `like`: a part of *block from *start on, if there is a block. */
static bool new_gradient(const struct tensor *like, const struct tensor *block, size_t *start,
                         struct tensor *ret, struct error *reterr)
{
    struct tensor part;
    if (block->data == NULL)
        return tensor_empty(like->n_axes, like->shape, ret, reterr);
    if (!tensor_slice(block, 0, *start, tensor_size(like), 1, &part, reterr))
        return false;
    *start += tensor_size(like);
    bool ok = tensor_view(&part, like->n_axes, like->shape, ret, reterr);
    tensor_release(&part);
    return ok;
}

/* In one block of memory, unless it would be too large for one: memory that is freed in one piece
 * is found again as a whole by the next call. */
static bool new_gradients(const struct attention_input *input,
                          struct attention_gradients *gradients, struct error *reterr)
{
    bool with_mask = input->mask != NULL && input->mask_kind == MASK_ADDITIVE;
    size_t start = 0, size = tensor_size(input->query) + tensor_size(input->key) +
                             tensor_size(input->value) + (with_mask ? tensor_size(input->mask) : 0);
    struct tensor block = {0};
    if (size <= TENSOR_MAX_SIZE && !tensor_empty(1, &size, &block, reterr))
        return false;
    bool ok = new_gradient(input->query, &block, &start, &gradients->query, reterr) &&
              new_gradient(input->key, &block, &start, &gradients->key, reterr) &&
              new_gradient(input->value, &block, &start, &gradients->value, reterr) &&
              (!with_mask || new_gradient(input->mask, &block, &start, &gradients->mask, reterr));
    tensor_release(&block);
    return ok;
}

static bool backward_fast(const struct attention_plan *plan, const struct kernel *kernel,
                          const struct tensor *context, const struct tensor *saved,
                          const struct tensor *d_context, const volatile sig_atomic_t *stop,
                          struct attention_gradients *gradients, bool *ret_finite,
                          struct error *reterr)
{
    struct attention_fast_result forward = {
        .context = context->data,
        .largest = saved->data,
        .share = saved->data + plan->n_heads * plan->n_q,
    };
    return new_gradients(plan->input, gradients, reterr) &&
           attention_fast_backward(plan, kernel, &forward, d_context->data, stop, gradients,
                                   ret_finite, reterr);
}

/* Uses the kernels, unless their numbers are not finite: the steps as they read decide how far NaN
 * or infinity reaches. context and saved may be NULL or empty: then they are made here. */
static bool backward_large(const struct attention_plan *plan, const struct kernel *kernel,
                           const struct tensor *context, const struct tensor *saved,
                           const struct tensor *d_context, const volatile sig_atomic_t *stop,
                           struct attention_gradients *gradients, struct error *reterr)
{
    struct tensor own_context = {0}, own_saved = {0};
    if (saved == NULL || saved->data == NULL) {
        if (!attention_forward_saving(plan->input, stop, &own_context, &own_saved, reterr))
            return false;
        context = &own_context;
        saved = &own_saved;
    }
    if (tensor_size(saved) != 2 * plan->n_heads * plan->n_q ||
        !tensor_same_shape(context, d_context))
        return error_set(reterr, ERR_SHAPE,
                         "attention backward: what was saved belongs to another input");
    bool finite = false, ok = backward_fast(plan, kernel, context, saved, d_context, stop,
                                            gradients, &finite, reterr);
    tensor_release(&own_context);
    tensor_release(&own_saved);
    if (!ok || finite)
        return ok;
    attention_gradients_release(gradients);
    return backward_exactly(plan, d_context, stop, gradients, reterr);
}

bool attention_backward_saved(const struct attention_input *input, const struct tensor *context,
                              const struct tensor *saved, const struct tensor *d_context,
                              const volatile sig_atomic_t *stop,
                              struct attention_gradients *ret_gradients, struct error *reterr)
{
    struct attention_plan plan;
    if (!attention_plan_init(&plan, input, reterr))
        return false;
    const struct kernel *kernel = attention_fast_kernel(&plan);
    struct tensor d_dense = {0};
    struct attention_gradients gradients = {0};
    bool ok = take_d_context(&plan, d_context, &d_dense, reterr);
    if (kernel != NULL)
        ok =
            ok && backward_large(&plan, kernel, context, saved, &d_dense, stop, &gradients, reterr);
    else
        ok = ok && backward_exactly(&plan, &d_dense, stop, &gradients, reterr);
    if (ok)
        *ret_gradients = gradients;
    else
        attention_gradients_release(&gradients);
    tensor_release(&d_dense);
    attention_plan_release(&plan);
    return ok;
}

bool attention_backward(const struct attention_input *input, const struct tensor *d_context,
                        const volatile sig_atomic_t *stop,
                        struct attention_gradients *ret_gradients, struct error *reterr)
{
    return attention_backward_saved(input, NULL, NULL, d_context, stop, ret_gradients, reterr);
}

void attention_gradients_release(struct attention_gradients *gradients)
{
    if (gradients == NULL)
        return;
    tensor_release(&gradients->query);
    tensor_release(&gradients->key);
    tensor_release(&gradients->value);
    tensor_release(&gradients->mask);
}
