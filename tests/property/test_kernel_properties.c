/* Attention by the kernels against the steps as they read, for random problems of any shape, on
 * every instruction set of this machine. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention_fast_internal.h"
#include "kernel/threads.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

struct problem {
    struct tensor query, key, value, mask, dropout;
    size_t lengths[3];
    struct attention_input input;
};

static bool coin(uint64_t *seed)
{
    return testing_between(seed, 0, 1) == 1;
}

/* Mostly small, and now and then one below, on or above a block. */
static size_t some_size(uint64_t *seed, size_t block)
{
    size_t near = block * testing_between(seed, 1, 3) + testing_between(seed, 0, 2) - 1;
    return coin(seed) ? testing_between(seed, 1, block / 2) : near;
}

static struct tensor random_mask(uint64_t *seed, enum mask_kind kind, size_t n_q, size_t n_k)
{
    struct tensor mask =
        coin(seed) ? testing_random_tensor(seed, 2, SHAPE(n_q, n_k))
                   : testing_random_tensor(seed, 4, SHAPE(testing_between(seed, 1, 2), 1, 1, n_k));
    for (size_t at = 0; at < tensor_size(&mask); at++) {
        bool picked = testing_between(seed, 0, 2) == 0;
        if (kind != MASK_ADDITIVE)
            mask.data[at] = picked;
        else if (picked)
            mask.data[at] = -INFINITY;
    }
    mask.is_bool = kind != MASK_ADDITIVE;
    return mask;
}

static struct problem *random_problem(uint64_t *seed)
{
    struct problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    enum { N_BATCH = 2 };
    size_t group = testing_between(seed, 1, 3), key_heads = testing_between(seed, 1, 2);
    size_t n_q =
        testing_between(seed, 0, 3) == 0 ? testing_between(seed, 1, 5) : some_size(seed, 48);
    size_t n_k = some_size(seed, 64);
    size_t d_k = coin(seed) ? 64 : testing_between(seed, 1, 70);
    size_t d_v = coin(seed) ? 64 : testing_between(seed, 1, 140);
    enum mask_kind kind = (enum mask_kind)testing_between(seed, 0, 2);
    p->query = testing_random_tensor(seed, 4, SHAPE(N_BATCH, key_heads * group, n_q, d_k));
    p->key = testing_random_tensor(seed, 4, SHAPE(coin(seed) ? N_BATCH : 1, key_heads, n_k, d_k));
    p->value = testing_random_tensor(seed, 4, SHAPE(N_BATCH, key_heads, n_k, d_v));
    p->mask = random_mask(seed, kind, n_q, n_k);
    p->lengths[0] = testing_between(seed, 0, n_k);
    p->lengths[1] = testing_between(seed, 0, n_k);
    p->input = (struct attention_input){
        .query = &p->query,
        .key = &p->key,
        .value = &p->value,
        .mask = coin(seed) ? &p->mask : NULL,
        .mask_kind = kind,
        .causal = coin(seed),
        .causal_offset = (ptrdiff_t)testing_between(seed, 0, 2 * n_k) - (ptrdiff_t)n_k,
        .key_lengths = testing_between(seed, 0, 3) == 0 ? p->lengths : NULL,
        .n_key_lengths = N_BATCH,
        .has_scale = coin(seed),
        .scale = 0.3 * (double)testing_between(seed, 0, 9),
        .softcap = testing_between(seed, 0, 3) == 0 ? 1.5 : 0,
        .grouped_query = true,
    };
    if (testing_between(seed, 0, 3) == 0) {
        p->dropout = testing_random_tensor(seed, 4, SHAPE(N_BATCH, key_heads * group, n_q, n_k));
        for (size_t at = 0; at < tensor_size(&p->dropout); at++)
            p->dropout.data[at] = p->dropout.data[at] < 0 ? 0 : 2;
        p->input.dropout = &p->dropout;
    }
    return p;
}

static void problem_release(struct problem *p)
{
    tensor_release(&p->query);
    tensor_release(&p->key);
    tensor_release(&p->value);
    tensor_release(&p->mask);
    tensor_release(&p->dropout);
    free(p);
}

/* The context by one set of kernels; the weights too where there is a tensor for them. */
static float *fast_context(const struct problem *p, const struct kernel *kernel, size_t size,
                           struct tensor *weights)
{
    float *context = calloc(size + 1, sizeof *context);
    size_t n_rows = weights != NULL ? tensor_size(weights) / weights->shape[3] : 0;
    float *largest = calloc(2 * n_rows + 1, sizeof *largest);
    assert_true(context != NULL && largest != NULL);
    struct attention_fast_result result = {.context = context};
    if (weights != NULL)
        result = (struct attention_fast_result){context, weights->data, largest, largest + n_rows};
    struct attention_plan plan;
    struct error error;
    bool finite = false;
    if (!attention_plan_init(&plan, &p->input, &error) ||
        !attention_fast(&plan, kernel, NULL, &result, &finite, &error))
        fail_msg("%s", error.text);
    assert_true(finite);
    attention_plan_release(&plan);
    free(largest);
    return context;
}

static void test_attention_fast__is_the_steps_as_they_read(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 1;
    for (size_t tries = 0; tries < 120; tries++) {
        struct problem *p = random_problem(&seed);
        struct attention_trace trace;
        assert_true(attention_forward_traced(&p->input, NULL, &trace, NULL));
        size_t size = tensor_size(&trace.context);
        for (size_t s = 0; sets[s] != NULL; s++) {
            struct tensor weights;
            assert_true(tensor_zeros(4, trace.weights.shape, &weights, NULL));
            float *context = fast_context(p, sets[s], size, &weights);
            for (size_t at = 0; at < size; at++)
                assert_close(context[at], trace.context.data[at], 4e-6);
            for (size_t at = 0; at < tensor_size(&weights); at++)
                assert_close(weights.data[at], trace.weights.data[at], 1e-5);
            tensor_release(&weights);
            free(context);
        }
        attention_trace_release(&trace);
        problem_release(p);
    }
}

static void assert_gradient_close(const struct tensor *got, const struct tensor *want)
{
    double largest = 1;
    for (size_t at = 0; at < tensor_size(want); at++)
        largest = fmax(largest, fabs((double)want->data[at]));
    for (size_t at = 0; at < tensor_size(want); at++)
        assert_close(got->data[at], want->data[at], 1e-5 * largest);
}

static struct attention_gradients fast_gradients(const struct problem *p,
                                                 const struct tensor *d_context,
                                                 const struct kernel *kernel)
{
    struct attention_gradients gradients = {0};
    struct attention_plan plan;
    struct error error;
    bool finite = false;
    /* Whatever lay there, all of it is written. */
    assert_true(tensor_full(p->query.n_axes, p->query.shape, NAN, &gradients.query, NULL));
    assert_true(tensor_full(p->key.n_axes, p->key.shape, NAN, &gradients.key, NULL));
    assert_true(tensor_full(p->value.n_axes, p->value.shape, NAN, &gradients.value, NULL));
    if (p->input.mask != NULL && p->input.mask_kind == MASK_ADDITIVE)
        assert_true(tensor_full(p->mask.n_axes, p->mask.shape, NAN, &gradients.mask, NULL));
    size_t n_rows = tensor_size(d_context) / d_context->shape[d_context->n_axes - 1];
    float *kept = calloc(tensor_size(d_context) + 2 * n_rows + 1, sizeof *kept);
    assert_non_null(kept);
    struct attention_fast_result forward = {
        .context = kept + 2 * n_rows, .largest = kept, .share = kept + n_rows};
    if (!attention_plan_init(&plan, &p->input, &error) ||
        !attention_fast(&plan, kernel, NULL, &forward, &finite, &error) ||
        !attention_fast_backward(&plan, kernel, &forward, d_context->data, NULL, &gradients,
                                 &finite, &error))
        fail_msg("%s", error.text);
    assert_true(finite);
    attention_plan_release(&plan);
    free(kept);
    return gradients;
}

/* The context and the gradients of a problem, one after the other. */
static float *all_results(const struct problem *p, const struct kernel *kernel,
                          const struct tensor *d_context, size_t *ret_size)
{
    struct attention_gradients gradients = fast_gradients(p, d_context, kernel);
    const struct tensor *parts[] = {&gradients.query, &gradients.key, &gradients.value};
    size_t size = tensor_size(d_context);
    float *results = fast_context(p, kernel, size, NULL);
    for (size_t i = 0; i < 3; i++) {
        size_t more = tensor_size(parts[i]);
        results = realloc(results, (size + more) * sizeof *results);
        assert_non_null(results);
        memcpy(results + size, parts[i]->data, more * sizeof *results);
        size += more;
    }
    attention_gradients_release(&gradients);
    *ret_size = size;
    return results;
}

static void test_attention_fast__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t seed = 2;
    size_t most = threads_most(), size;
    struct problem p = {.query = testing_random_tensor(&seed, 3, SHAPE(3, 300, 40)),
                        .key = testing_random_tensor(&seed, 3, SHAPE(1, 600, 40)),
                        .value = testing_random_tensor(&seed, 3, SHAPE(3, 600, 33))};
    struct tensor d_context = testing_random_tensor(&seed, 3, SHAPE(3, 300, 33));
    p.input = (struct attention_input){.query = &p.query, .key = &p.key, .value = &p.value};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++) {
        p.input.causal = !p.input.causal;
        threads_set(1);
        float *one = all_results(&p, sets[s], &d_context, &size);
        for (size_t threads = 2; threads <= 8; threads *= 2) {
            threads_set(threads);
            float *some = all_results(&p, sets[s], &d_context, &size);
            assert_memory_equal(one, some, size * sizeof *one);
            free(some);
        }
        free(one);
    }
    threads_set(most);
    tensor_release(&p.query);
    tensor_release(&p.key);
    tensor_release(&p.value);
    tensor_release(&d_context);
}

static void test_attention_fast_backward__is_the_steps_as_they_read(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 4;
    for (size_t tries = 0; tries < 80; tries++) {
        struct problem *p = random_problem(&seed);
        struct tensor context;
        assert_true(attention_forward(&p->input, NULL, &context, NULL, NULL));
        struct tensor d_context = testing_random_tensor(&seed, context.n_axes, context.shape);
        struct attention_gradients want;
        assert_true(attention_backward(&p->input, &d_context, NULL, &want, NULL));
        for (size_t s = 0; sets[s] != NULL; s++) {
            struct attention_gradients got = fast_gradients(p, &d_context, sets[s]);
            assert_gradient_close(&got.query, &want.query);
            assert_gradient_close(&got.key, &want.key);
            assert_gradient_close(&got.value, &want.value);
            if (want.mask.data != NULL)
                assert_gradient_close(&got.mask, &want.mask);
            attention_gradients_release(&got);
        }
        attention_gradients_release(&want);
        tensor_release(&context);
        tensor_release(&d_context);
        problem_release(p);
    }
}

int main(void)
{
    /* attention_forward() and attention_backward() are the version to read, whatever the size. */
    setenv("ATTN_ISA", "plain", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention_fast__is_the_steps_as_they_read),
        cmocka_unit_test(test_attention_fast__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_attention_fast_backward__is_the_steps_as_they_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
