/* Scaled dot-product attention over all heads and queries: see attention.h. The steps themselves,
 * for one query, are in attention_row.c; this is the version to read, with sums in double. Large
 * inputs whose steps need not be kept are computed by attention_fast.c. */
#include "attention/attention.h"

#include <string.h>

#include "attention/attention_fast_internal.h"
#include "attention/attention_plan_internal.h"
#include "attention/attention_row_internal.h"

/* A tensor for n numbers of every query: (..., n_q, n). */
static bool new_rows(const struct attention_plan *plan, size_t n, struct tensor *ret,
                     struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES];
    memcpy(shape, plan->shape, sizeof shape);
    shape[plan->n_lead + 1] = n;
    return tensor_empty(plan->n_lead + 2, shape, ret, reterr);
}

/* Copies the numbers of row r to the tensor that keeps this step, if there is one. */
static void keep_step(struct tensor *kept, size_t r, const float *numbers, size_t n)
{
    if (kept->data != NULL)
        memcpy(kept->data + r * n, numbers, n * sizeof *numbers);
}

static void keep_row(const struct attention_plan *plan, struct attention_trace *kept, size_t r,
                     const struct attention_row *row)
{
    keep_step(&kept->scores, r, row->scores, plan->n_k);
    keep_step(&kept->scaled, r, row->scaled, plan->n_k);
    keep_step(&kept->capped, r, row->capped, plan->n_k);
    keep_step(&kept->masked, r, row->masked, plan->n_k);
    keep_step(&kept->weights, r, row->weights, plan->n_k);
    keep_step(&kept->dropped, r, row->dropped, plan->n_k);
    for (size_t d = 0; d < plan->d_v; d++)
        kept->context.data[r * plan->d_v + d] = (float)row->context[d];
}

/* Whether row r is still to be computed: the kernels, if they are not NULL, have filled it, but
 * their numbers may not be finite. */
static bool is_open(const struct kernel *kernel, const struct attention_plan *plan,
                    const struct attention_trace *kept, size_t r)
{
    return kernel == NULL || !kernel->all_finite(kept->context.data + r * plan->d_v, plan->d_v) ||
           (kept->weights.data != NULL &&
            !kernel->all_finite(kept->weights.data + r * plan->n_k, plan->n_k));
}

static bool attend_head(const struct attention_plan *plan, size_t h, const struct kernel *kernel,
                        const volatile sig_atomic_t *stop, const struct attention_row *row,
                        struct attention_trace *kept, struct error *reterr)
{
    struct attention_head head = attention_plan_head(plan, h);
    for (size_t i = 0; i < plan->n_q; i++) {
        if (stop != NULL && *stop)
            return error_set(reterr, ERR_INTERRUPTED, "attention: stopped");
        if (!is_open(kernel, plan, kept, h * plan->n_q + i))
            continue;
        attention_row_attend(row, plan, &head, i);
        keep_row(plan, kept, h * plan->n_q + i, row);
    }
    return true;
}

/* Fills the open rows of those tensors of *kept that exist; the context always does. */
static bool attend(const struct attention_plan *plan, const struct kernel *kernel,
                   const volatile sig_atomic_t *stop, struct attention_trace *kept,
                   struct error *reterr)
{
    struct attention_row row;
    if (!attention_row_init(&row, plan, reterr))
        return false;
    bool ok = true;
    for (size_t h = 0; ok && h < plan->n_heads; h++)
        ok = attend_head(plan, h, kernel, stop, &row, kept, reterr);
    attention_row_release(&row);
    return ok;
}

static bool new_saved(const struct attention_plan *plan, struct tensor *ret, struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES] = {2};
    memcpy(shape + 1, plan->shape, (plan->n_lead + 1) * sizeof *shape);
    return tensor_empty(plan->n_lead + 2, shape, ret, reterr);
}

/* The context, the weights where *kept has room for them, and *saved; and whether the context is
 * all finite. */
static bool attend_fast(const struct attention_plan *plan, const struct kernel *kernel,
                        const volatile sig_atomic_t *stop, struct attention_trace *kept,
                        struct tensor *saved, bool *ret_finite, struct error *reterr)
{
    if (!new_saved(plan, saved, reterr))
        return false;
    struct attention_fast_result result = {
        .context = kept->context.data,
        .weights = kept->weights.data,
        .largest = saved->data,
        .share = saved->data + plan->n_heads * plan->n_q,
    };
    return attention_fast(plan, kernel, stop, &result, ret_finite, reterr);
}

/* Uses the kernels if there is enough to compute; then they fill *saved. */
static bool attend_somehow(const struct attention_plan *plan, const volatile sig_atomic_t *stop,
                           struct attention_trace *kept, struct tensor *saved, struct error *reterr)
{
    const struct kernel *kernel = attention_fast_kernel(plan);
    bool done = false;
    if (kernel != NULL && !attend_fast(plan, kernel, stop, kept, saved, &done, reterr))
        return false;
    return done || attend(plan, kernel, stop, kept, reterr);
}

/* Fills *kept and *saved, which are empty; the weights when they are wanted. */
static bool forward(const struct attention_input *input, const volatile sig_atomic_t *stop,
                    bool with_weights, struct attention_trace *kept, struct tensor *saved,
                    struct error *reterr)
{
    struct attention_plan plan;
    if (!attention_plan_init(&plan, input, reterr))
        return false;
    bool ok = new_rows(&plan, plan.d_v, &kept->context, reterr) &&
              (!with_weights || new_rows(&plan, plan.n_k, &kept->weights, reterr)) &&
              attend_somehow(&plan, stop, kept, saved, reterr);
    attention_plan_release(&plan);
    if (!ok) {
        attention_trace_release(kept);
        tensor_release(saved);
    }
    return ok;
}

bool attention_forward(const struct attention_input *input, const volatile sig_atomic_t *stop,
                       struct tensor *ret_context, struct tensor *ret_weights, struct error *reterr)
{
    struct attention_trace kept = {0};
    struct tensor saved = {0};
    if (!forward(input, stop, ret_weights != NULL, &kept, &saved, reterr))
        return false;
    tensor_release(&saved);
    *ret_context = kept.context;
    if (ret_weights != NULL)
        *ret_weights = kept.weights;
    return true;
}

bool attention_forward_saving(const struct attention_input *input,
                              const volatile sig_atomic_t *stop, struct tensor *ret_context,
                              struct tensor *ret_saved, struct error *reterr)
{
    struct attention_trace kept = {0};
    struct tensor saved = {0};
    if (!forward(input, stop, false, &kept, &saved, reterr))
        return false;
    *ret_context = kept.context;
    *ret_saved = saved;
    return true;
}

static bool new_trace(const struct attention_plan *plan, struct attention_trace *trace,
                      struct error *reterr)
{
    return new_rows(plan, plan->n_k, &trace->scores, reterr) &&
           new_rows(plan, plan->n_k, &trace->scaled, reterr) &&
           new_rows(plan, plan->n_k, &trace->capped, reterr) &&
           new_rows(plan, plan->n_k, &trace->masked, reterr) &&
           new_rows(plan, plan->n_k, &trace->weights, reterr) &&
           new_rows(plan, plan->n_k, &trace->dropped, reterr) &&
           new_rows(plan, plan->d_v, &trace->context, reterr);
}

bool attention_forward_traced(const struct attention_input *input,
                              const volatile sig_atomic_t *stop, struct attention_trace *ret_trace,
                              struct error *reterr)
{
    struct attention_plan plan;
    if (!attention_plan_init(&plan, input, reterr))
        return false;
    struct attention_trace trace = {0};
    bool ok = new_trace(&plan, &trace, reterr) && attend(&plan, NULL, stop, &trace, reterr);
    attention_plan_release(&plan);
    if (ok)
        *ret_trace = trace;
    else
        attention_trace_release(&trace);
    return ok;
}

void attention_trace_release(struct attention_trace *trace)
{
    if (trace == NULL)
        return;
    tensor_release(&trace->scores);
    tensor_release(&trace->scaled);
    tensor_release(&trace->capped);
    tensor_release(&trace->masked);
    tensor_release(&trace->weights);
    tensor_release(&trace->dropped);
    tensor_release(&trace->context);
}

bool attention_dropout(const struct attention_input *input, double p, struct random *random,
                       struct tensor *ret, struct error *reterr)
{
    if (!(p >= 0 && p <= 1))
        return error_set(reterr, ERR_RANGE, "dropout: p is %g; it is a probability, from 0 to 1",
                         p);
    struct attention_plan plan;
    if (!attention_plan_init(&plan, input, reterr))
        return false;
    bool ok = new_rows(&plan, plan.n_k, ret, reterr);
    if (ok)
        random_dropout(random, p, tensor_size(ret), ret->data);
    attention_plan_release(&plan);
    return ok;
}
