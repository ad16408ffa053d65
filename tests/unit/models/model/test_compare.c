/* model/intervene.h: tokens that belong together, and changes of weights. */
#include "model_testing.h"

#include <math.h>

#include "model/intervene.h"
#include "tensor/tensor.h"

static void assert_pairs(struct bench *bench, struct run *other, size_t n, size_t (*pairs)[2])
{
    struct alignment alignment;
    assert_true(alignment_of(bench->a, other, &alignment, &bench->error));
    assert_int_equal(alignment.n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(alignment.pairs[i][0], pairs[i][0]);
        assert_int_equal(alignment.pairs[i][1], pairs[i][1]);
    }
    alignment_release(&alignment);
}

/* bench.a is 1 5 2 7 5 3. */
static void test_compare__tokens_that_belong_together(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    struct run *replaced = bench_run(&bench, 6, (float[]){1, 5, 9, 7, 5, 3});
    struct run *longer = bench_run(&bench, 8, (float[]){8, 1, 5, 2, 4, 7, 5, 3});
    struct run *shorter = bench_run(&bench, 3, (float[]){5, 7, 3});
    assert_pairs(&bench, replaced, 6,
                 (size_t[][2]){{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
    assert_pairs(&bench, longer, 6, (size_t[][2]){{0, 1}, {1, 2}, {2, 3}, {3, 5}, {4, 6}, {5, 7}});
    assert_pairs(&bench, shorter, 3, (size_t[][2]){{1, 0}, {3, 1}, {5, 2}});
    run_free(replaced);
    run_free(longer);
    run_free(shorter);
    /* 5 is replaced by 9, the first of the two that stand there. */
    struct run *two = bench_run(&bench, 7, (float[]){1, 9, 4, 2, 7, 5, 3});
    assert_pairs(&bench, two, 6, (size_t[][2]){{0, 0}, {1, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
    run_free(two);
    bench_close(&bench);
}

/* Half the sum of |difference| over pairs of keys, and what lies on keys that the other lacks. */
static void test_compare__change_of_weights(void **state)
{
    (void)state;
    struct bench bench;
    struct alignment alignment;
    struct tensor changes;
    bench_open(&bench, FAMILY_LLAMA);
    struct run *longer = bench_run(&bench, 7, (float[]){1, 5, 2, 8, 7, 5, 3});
    assert_true(alignment_of(bench.a, longer, &alignment, &bench.error));
    assert_true(heads_change(bench.a, longer, &alignment, &changes, &bench.error));
    const struct tensor *was = stage_of(&bench, bench.a, STAGE_WEIGHTS, 2);
    const struct tensor *is = stage_of(&bench, longer, STAGE_WEIGHTS, 2);
    double sum = 0;
    for (size_t q = 0; q < N; q++) {
        size_t query = q < 3 ? q : q + 1; /* token 3 of the longer text is new */
        for (size_t k = 0; k < N; k++)
            sum += fabs((double)tensor_at(was, (size_t[]){1, q, k}) -
                        (double)tensor_at(is, (size_t[]){1, query, k < 3 ? k : k + 1})) /
                   2 / N;
        sum += (double)tensor_at(is, (size_t[]){1, query, 3}) / 2 / N;
    }
    assert_close(changes.data[2 * 4 + 1], sum, 1e-6);
    tensor_release(&changes);
    struct tensor difference;
    assert_true(
        head_difference(bench.a, longer, &alignment, (size_t[]){2, 1}, &difference, &bench.error));
    assert_close(tensor_at(&difference, (size_t[]){4, 2}),
                 tensor_at(is, (size_t[]){1, 5, 2}) - tensor_at(was, (size_t[]){1, 4, 2}), 1e-7);
    tensor_release(&difference);
    alignment_release(&alignment);
    run_free(longer);
    bench_close(&bench);
}

/* A run against itself changes nothing. */
static void test_compare__with_itself(void **state)
{
    (void)state;
    struct bench bench;
    struct alignment alignment;
    struct tensor changes;
    bench_open(&bench, FAMILY_GPT2);
    assert_true(alignment_of(bench.a, bench.a, &alignment, &bench.error));
    assert_true(heads_change(bench.a, bench.a, &alignment, &changes, &bench.error));
    for (size_t i = 0; i < tensor_size(&changes); i++)
        assert_close(changes.data[i], 0, 1e-7);
    tensor_release(&changes);
    alignment_release(&alignment);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare__tokens_that_belong_together),
        cmocka_unit_test(test_compare__change_of_weights),
        cmocka_unit_test(test_compare__with_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
