#include "attention/attention_fast_internal.h"

#include <stdatomic.h>

#include "base/size.h"
#include "kernel/threads.h"

struct fast_run {
    const struct attention_plan *plan;
    const struct kernel *kernel;
    const volatile sig_atomic_t *stop;
    const struct attention_fast_result *result;
    size_t n_blocks, n_queries; /* of queries, in each head, and how many are in one */
    atomic_bool not_finite;
};

static enum head_mask mask_of(const struct attention_plan *plan)
{
    if (plan->mask.data == NULL)
        return HEAD_NO_MASK;
    switch (plan->input->mask_kind) {
    case MASK_ADDITIVE:
        return HEAD_ADD;
    case MASK_MAY_ATTEND:
        return HEAD_OPEN;
    case MASK_MASKED_OUT:
        break;
    }
    return HEAD_HIDDEN;
}

struct attention_rows attention_fast_rows(const struct attention_plan *plan, size_t h)
{
    const struct attention_input *input = plan->input;
    struct attention_head head = attention_plan_head(plan, h);
    return (struct attention_rows){
        .n_q = plan->n_q,
        .n_k = plan->n_k,
        .d_k = plan->d_k,
        .d_v = plan->d_v,
        .query = head.query,
        .key = head.key,
        .value = head.value,
        .query_row = (ptrdiff_t)plan->d_k,
        .key_row = (ptrdiff_t)plan->d_k,
        .value_row = (ptrdiff_t)plan->d_v,
        .scale = (float)plan->scale,
        .softcap = (float)input->softcap,
        .mask_kind = mask_of(plan),
        .mask = head.mask,
        .mask_row = plan->mask.data ? plan->mask.stride[plan->n_lead] : 0,
        .mask_column = plan->mask.data ? plan->mask.stride[plan->n_lead + 1] : 0,
        .causal = input->causal,
        .causal_offset = input->causal_offset,
        .key_length = head.key_length,
        .dropout = head.dropout,
        .context_row = (ptrdiff_t)plan->d_v,
    };
}

/* The last queries first: where attention is causal they have the most to do. */
static void attend_some(void *context, size_t task, float *room)
{
    struct fast_run *run = context;
    const struct attention_plan *plan = run->plan;
    size_t h = task / run->n_blocks;
    size_t first = (run->n_blocks - 1 - task % run->n_blocks) * run->n_queries;
    struct attention_rows rows = attention_fast_rows(plan, h);
    rows.context = run->result->context + h * plan->n_q * plan->d_v;
    if (run->result->largest != NULL) {
        rows.largest = run->result->largest + h * plan->n_q;
        rows.share = run->result->share + h * plan->n_q;
    }
    size_t n = size_min(plan->n_q - first, run->n_queries);
    if (!run->kernel->attention_rows(&rows, first, n, room, run->stop))
        atomic_store_explicit(&run->not_finite, true, memory_order_relaxed);
    if (run->result->weights != NULL)
        run->kernel->attention_weights(
            &rows, first, n, run->result->weights + h * plan->n_q * plan->n_k, room, run->stop);
}

double attention_fast_work(const struct attention_plan *plan)
{
    return (double)plan->n_heads * (double)plan->n_q * (double)plan->n_k *
           (double)(plan->d_k + plan->d_v);
}

const struct kernel *attention_fast_kernel(const struct attention_plan *plan)
{
    return plan->n_k > 0 ? kernel_for_products(attention_fast_work(plan)) : NULL;
}

/* The number of queries of a task: as many as a call takes, or fewer so that every thread has
 * some. */
static size_t queries_of(const struct attention_plan *plan, size_t n_threads)
{
    size_t n = ATTENTION_QUERIES;
    while (n > BLOCK_QUERIES && plan->n_heads * (plan->n_q / n + 1) < 4 * n_threads)
        n -= BLOCK_QUERIES;
    return n_threads == 1 ? ATTENTION_QUERIES : n;
}

bool attention_fast(const struct attention_plan *plan, const struct kernel *kernel,
                    const volatile sig_atomic_t *stop, const struct attention_fast_result *result,
                    bool *ret_finite, struct error *reterr)
{
    struct attention_rows rows = attention_fast_rows(plan, 0);
    struct fast_run run = {.plan = plan, .kernel = kernel, .stop = stop, .result = result};
    struct thread_work work = {.what = "attention",
                               .run = attend_some,
                               .context = &run,
                               .n_threads = threads_for(attention_fast_work(plan)),
                               .room = kernel->attention_room(&rows)};
    run.n_queries = queries_of(plan, work.n_threads);
    run.n_blocks = (plan->n_q + run.n_queries - 1) / run.n_queries;
    work.n_tasks = plan->n_heads * run.n_blocks;
    if (!threads_run(&work, stop, reterr))
        return false;
    *ret_finite = !atomic_load(&run.not_finite);
    return true;
}
