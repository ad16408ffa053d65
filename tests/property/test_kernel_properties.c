/* Attention by the kernels against the steps as they read, for random problems of any shape, on
 * every instruction set of this machine. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention_fast.h"
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
    size_t n_q = some_size(seed, 48), n_k = some_size(seed, 64);
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

/* The context by one set of kernels. */
static float *fast_context(const struct problem *p, const struct kernel *kernel, size_t size)
{
    float *context = calloc(size + 1, sizeof *context);
    assert_non_null(context);
    struct attention_plan plan;
    struct error error;
    if (!attention_plan_init(&plan, &p->input, &error) ||
        !attention_fast(&plan, kernel, NULL, context, &error))
        fail_msg("%s", error.text);
    attention_plan_release(&plan);
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
            float *context = fast_context(p, sets[s], size);
            for (size_t at = 0; at < size; at++)
                assert_close(context[at], trace.context.data[at], 4e-6);
            free(context);
        }
        attention_trace_release(&trace);
        problem_release(p);
    }
}

static void test_attention_fast__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t seed = 2;
    size_t most = threads_most(), size = 3 * 300 * 33;
    struct problem p = {.query = testing_random_tensor(&seed, 3, SHAPE(3, 300, 40)),
                        .key = testing_random_tensor(&seed, 3, SHAPE(3, 330, 40)),
                        .value = testing_random_tensor(&seed, 3, SHAPE(3, 330, 33))};
    p.input = (struct attention_input){.query = &p.query, .key = &p.key, .value = &p.value};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++) {
        p.input.causal = !p.input.causal;
        threads_set(1);
        float *one = fast_context(&p, sets[s], size);
        for (size_t threads = 2; threads <= 8; threads *= 2) {
            threads_set(threads);
            float *some = fast_context(&p, sets[s], size);
            assert_memory_equal(one, some, size * sizeof *one);
            free(some);
        }
        free(one);
    }
    threads_set(most);
    tensor_release(&p.query);
    tensor_release(&p.key);
    tensor_release(&p.value);
}

/* Through the front door, where the size decides: 1 x 70 x 70 x 40 is enough for the kernels. */
static void test_attention_forward__what_is_hidden_may_be_nan(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct tensor query = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct tensor key = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct tensor value = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct attention_input input = {.query = &query, .key = &key, .value = &value, .causal = true};
    struct tensor before, after;
    assert_true(attention_forward(&input, NULL, &before, NULL, NULL));
    value.data[69 * 40] = NAN;
    key.data[69 * 40] = INFINITY;
    assert_true(attention_forward(&input, NULL, &after, NULL, NULL));
    for (size_t at = 0; at < 69 * 40; at++)
        assert_close(after.data[at], before.data[at], 2e-6);
    assert_true(isnan(after.data[69 * 40]));
    tensor_release(&before);
    tensor_release(&after);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention_fast__is_the_steps_as_they_read),
        cmocka_unit_test(test_attention_fast__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_attention_forward__what_is_hidden_may_be_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
