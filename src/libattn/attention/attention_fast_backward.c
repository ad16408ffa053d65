/* The gradients of attention by the kernels: see attention_fast_internal.h. A task goes back
 * through some keys of one head. Where tasks would write the same numbers, because heads share them
 * or because a head has several tasks, each has a part of its own, and the parts are added up in
 * order. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention_fast_internal.h"
#include "base/array.h"
#include "base/size.h"
#include "kernel/threads.h"

/* The arrays that the tasks write for one of query, key and value. */
struct target {
    float *gradient;           /* in the shape of the input */
    float *parts;              /* NULL: they write the gradient itself */
    size_t n_parts, size;      /* of each head, and numbers in one */
    const struct tensor *seen; /* the input under the plan's leading axes */
};

struct back_run {
    const struct attention_plan *plan;
    const struct kernel *kernel;
    const volatile sig_atomic_t *stop;
    const float *d_context;
    const struct attention_fast_result *forward;
    struct target query, key, value;
    float *d_mask;   /* NULL unless the mask is additive */
    size_t n_chunks; /* tasks of a head */
    size_t n_keys;   /* in one of them, but the last */
    atomic_bool not_finite;
};

/* A head is cut into tasks when there are few heads. It depends on the shapes alone, as does the
 * order in which parts are added up: so the sums are the same bits for any number of threads. */
static void cut_heads(struct back_run *run)
{
    enum { WANTED = 8 };
    size_t n_blocks = (run->plan->n_k + BLOCK_KEYS - 1) / BLOCK_KEYS;
    size_t n = size_min(WANTED / size_max(run->plan->n_heads, 1), n_blocks / 4);
    n = size_max(n, 1);
    run->n_keys = (n_blocks + n - 1) / n * BLOCK_KEYS;
    run->n_chunks = size_max((run->plan->n_k + run->n_keys - 1) / run->n_keys, 1);
}

static bool target_init(struct target *target, const struct back_run *run,
                        const struct tensor *seen, size_t rows, size_t columns, size_t n_parts,
                        struct tensor *gradient)
{
    size_t n_heads = run->plan->n_heads, size = rows * columns;
    bool shared = tensor_size(gradient) != n_heads * size;
    *target = (struct target){.gradient = gradient->data,
                              .seen = seen,
                              .size = size,
                              .n_parts = shared || n_parts > 1 ? n_parts : 0};
    if (target->n_parts == 0)
        return true;
    memset(gradient->data, 0, tensor_size(gradient) * sizeof *gradient->data);
    target->parts = malloc((n_heads * target->n_parts * size + 1) * sizeof *target->parts);
    return target->parts != NULL;
}

/* The place that task `chunk` of head h writes to; `own` is the place of that head's numbers in the
 * input. */
static float *target_at(const struct target *target, size_t h, size_t chunk, const float *own)
{
    if (target->parts == NULL)
        return target->gradient + (own - target->seen->data);
    return target->parts + (h * target->n_parts + chunk % target->n_parts) * target->size;
}

static void target_add_up(const struct target *target, size_t h, const float *own)
{
    float *to = target->gradient + (own - target->seen->data);
    for (size_t part = 0; target->parts != NULL && part < target->n_parts; part++) {
        const float *from = target->parts + (h * target->n_parts + part) * target->size;
        for (size_t at = 0; at < target->size; at++)
            to[at] += from[at];
    }
}

/* Makes a note if any of n numbers is not finite. Called by the task that wrote them, which has
 * them near; sums of parts are still to come. */
static void look_for_infinity(struct back_run *run, const struct target *target,
                              const float *numbers, size_t n)
{
    if (target->parts == NULL && !run->kernel->all_finite(numbers, n))
        atomic_store_explicit(&run->not_finite, true, memory_order_relaxed);
}

static void go_back(void *context, size_t task, float *room)
{
    struct back_run *run = context;
    const struct attention_plan *plan = run->plan;
    size_t h = task / run->n_chunks, chunk = task % run->n_chunks;
    struct attention_head head = attention_plan_head(plan, h);
    struct attention_back back = {
        .rows = attention_fast_rows(plan, h),
        .d_context = run->d_context + h * plan->n_q * plan->d_v,
        .d_query = target_at(&run->query, h, chunk, head.query),
        .d_key = target_at(&run->key, h, chunk, head.key),
        .d_value = target_at(&run->value, h, chunk, head.value),
        .d_mask = run->d_mask != NULL ? run->d_mask + (head.mask - plan->mask.data) : NULL,
    };
    back.rows.context = run->forward->context + h * plan->n_q * plan->d_v;
    back.rows.largest = run->forward->largest + h * plan->n_q;
    back.rows.share = run->forward->share + h * plan->n_q;
    size_t first = chunk * run->n_keys, last = size_min(first + run->n_keys, plan->n_k);
    run->kernel->attention_back(&back, first, last, room, run->stop);
    look_for_infinity(run, &run->query, back.d_query, plan->n_q * plan->d_k);
    look_for_infinity(run, &run->key, back.d_key + first * plan->d_k, (last - first) * plan->d_k);
    look_for_infinity(run, &run->value, back.d_value + first * plan->d_v,
                      (last - first) * plan->d_v);
}

static bool run_init(struct back_run *run, struct attention_gradients *gradients,
                     struct error *reterr)
{
    const struct attention_plan *plan = run->plan;
    cut_heads(run);
    run->d_mask = gradients->mask.data;
    if (run->d_mask != NULL)
        memset(run->d_mask, 0, tensor_size(&gradients->mask) * sizeof *run->d_mask);
    return (target_init(&run->query, run, &plan->query, plan->n_q, plan->d_k, run->n_chunks,
                        &gradients->query) &&
            target_init(&run->key, run, &plan->key, plan->n_k, plan->d_k, 1, &gradients->key) &&
            target_init(&run->value, run, &plan->value, plan->n_k, plan->d_v, 1,
                        &gradients->value)) ||
           error_memory(reterr, "attention backward");
}

static void run_release(struct back_run *run)
{
    free(run->query.parts);
    free(run->key.parts);
    free(run->value.parts);
}

/* Checks the numbers that no task has looked at: sums of parts, and the mask's. */
static bool sums_are_finite(const struct back_run *run, const struct attention_gradients *gradients)
{
    const struct {
        const struct tensor *gradient;
        bool is_open;
    } all[] = {{&gradients->query, run->query.parts != NULL},
               {&gradients->key, run->key.parts != NULL},
               {&gradients->value, run->value.parts != NULL},
               {&gradients->mask, run->d_mask != NULL}};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (all[i].is_open &&
            !run->kernel->all_finite(all[i].gradient->data, tensor_size(all[i].gradient)))
            return false;
    return true;
}

static bool run_tasks(struct back_run *run, struct error *reterr)
{
    const struct attention_plan *plan = run->plan;
    struct attention_back any = {.rows = attention_fast_rows(plan, 0)};
    struct thread_work work = {.what = "attention backward",
                               .run = go_back,
                               .context = run,
                               .n_tasks = plan->n_heads * run->n_chunks,
                               .room = run->kernel->attention_back_room(&any)};
    /* Heads share the gradient of a mask that they add to. */
    work.n_threads = run->d_mask != NULL ? 1 : threads_for(2.5 * attention_fast_work(plan));
    if (!threads_run(&work, run->stop, reterr))
        return false;
    for (size_t h = 0; h < plan->n_heads; h++) {
        struct attention_head head = attention_plan_head(plan, h);
        target_add_up(&run->query, h, head.query);
        target_add_up(&run->key, h, head.key);
        target_add_up(&run->value, h, head.value);
    }
    return true;
}

bool attention_fast_backward(const struct attention_plan *plan, const struct kernel *kernel,
                             const struct attention_fast_result *forward, const float *d_context,
                             const volatile sig_atomic_t *stop,
                             struct attention_gradients *gradients, bool *ret_finite,
                             struct error *reterr)
{
    struct back_run run = {
        .plan = plan, .kernel = kernel, .stop = stop, .d_context = d_context, .forward = forward};
    bool ok = run_init(&run, gradients, reterr) && run_tasks(&run, reterr);
    if (ok)
        *ret_finite = !atomic_load(&run.not_finite) && sums_are_finite(&run, gradients);
    run_release(&run);
    return ok;
}
