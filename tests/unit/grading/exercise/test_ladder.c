/* The ladder of exercise 17: each version equals the library, for sizes around each block. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>

#include "attention/attention.h"
#include "tensor/tensor.h"

typedef void version(size_t n, size_t d, const float *query, const float *key, const float *value,
                     float *context);
static version plain_loops, better_order, blocks, online_softmax, vectors;

/* A version, with names of its own for what several of them define. */
#define fast_attention plain_loops
#define softmax plain_softmax
#include "../../../exercises/17-fast-attention/ladder/1_plain_loops.c"
#undef fast_attention
#undef softmax
#define fast_attention better_order
#define softmax better_softmax
#define turn better_turn
#include "../../../exercises/17-fast-attention/ladder/2_better_order.c"
#undef fast_attention
#undef softmax
#undef turn
#define fast_attention blocks
#define softmax blocks_softmax
#define BLOCK BLOCKS_BLOCK
#define smaller blocks_smaller
#include "../../../exercises/17-fast-attention/ladder/3_blocks.c"
#undef fast_attention
#undef softmax
#undef BLOCK
#undef smaller
#define fast_attention online_softmax
#include "../../../exercises/17-fast-attention/ladder/4_online_softmax.c"
#undef fast_attention
#define fast_attention vectors
#include "../../../exercises/17-fast-attention/ladder/5_vectors.c"
#undef fast_attention

static const struct {
    const char *name;
    version *run;
} versions[] = {{"plain loops", plain_loops},
                {"better order", better_order},
                {"blocks", blocks},
                {"online softmax", online_softmax},
                {"vectors", vectors}};

enum { N_VERSIONS = sizeof versions / sizeof *versions };

static struct tensor drawn(uint64_t *random, size_t n, size_t d, float spread)
{
    float *numbers = malloc(n * d * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < n * d; i++)
        numbers[i] = spread * ((float)testing_between(random, 0, 2000) / 1000 - 1);
    struct tensor tensor = testing_tensor(2, (size_t[]){n, d}, numbers);
    free(numbers);
    return tensor;
}

/* All versions beside the library, whose inputs begin at an odd place of memory. */
static void compare(uint64_t *random, size_t n, size_t d, float spread)
{
    struct tensor query = drawn(random, n, d, spread), key = drawn(random, n, d, spread);
    struct tensor value = drawn(random, n, d, 1), context;
    const struct attention_input input = {.query = &query, .key = &key, .value = &value};
    struct error error;
    float *got = malloc(n * d * sizeof *got);
    assert_non_null(got);
    assert_true(attention_forward(&input, NULL, &context, NULL, &error));
    for (size_t v = 0; v < N_VERSIONS; v++) {
        for (size_t i = 0; i < n * d; i++)
            got[i] = NAN;
        versions[v].run(n, d, query.data, key.data, value.data, got);
        for (size_t i = 0; i < n * d; i++)
            if (!(fabsf(got[i] - context.data[i]) <= 5e-5f))
                fail_msg("%s, n %zu, d %zu: number %zu is %g, not %g", versions[v].name, n, d, i,
                         (double)got[i], (double)context.data[i]);
    }
    free(got);
    tensor_release(&context);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

static void test_ladder__each_version_equals_the_library(void **state)
{
    (void)state;
    const size_t ns[] = {1, 2, 3, 5, 15, 16, 17, 63, 64, 65, 131}, ds[] = {1, 7, 8, 15, 16, 17, 64};
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
        for (size_t j = 0; j < sizeof ds / sizeof *ds; j++)
            compare(&random, ns[i], ds[j], 1);
}

/* Where the maximum must be taken away first, and most terms are nearly 0. */
static void test_ladder__scores_far_apart(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 20; i++)
        compare(&random, testing_between(&random, 1, 90), testing_between(&random, 1, 40), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ladder__each_version_equals_the_library),
        cmocka_unit_test(test_ladder__scores_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
