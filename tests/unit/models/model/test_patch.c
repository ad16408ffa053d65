/* model/intervene.h: everything patched is the other text, nothing is the same one. */
#include "model_testing.h"

#include "graph/node.h"
#include "model/intervene.h"
#include "tensor/tensor.h"

static void assert_same_bits(const struct tensor *x, const struct tensor *y)
{
    for (size_t i = 0; i < tensor_size(x); i++)
        assert_true(tensor_at_position(x, i) == tensor_at_position(y, i));
}

/* The whole stream into any layer is all that what follows depends on. */
static void everything_is_the_other(enum model_family family)
{
    struct bench bench;
    bench_open(&bench, family);
    for (size_t layer = 0; layer < 3; layer++) {
        struct run *patched = run_patched(bench.b, bench.a, layer, -1, &bench.error);
        assert_same_bits(logits_of(&bench, patched), logits_of(&bench, bench.a));
        run_free(patched);
        patched = run_patched(bench.b, bench.b, layer, -1, &bench.error);
        assert_same_bits(logits_of(&bench, patched), logits_of(&bench, bench.b));
        run_free(patched);
    }
    bench_close(&bench);
}

static void test_patch__everything_and_nothing(void **state)
{
    (void)state;
    everything_is_the_other(FAMILY_GPT2);
    everything_is_the_other(FAMILY_LLAMA);
}

/* One position: the stream there is the other's, elsewhere its own. */
static void test_patch__one_position(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_LLAMA);
    struct run *patched = run_patched(bench.b, bench.a, 2, 3, &bench.error);
    const struct tensor *is = stage_of(&bench, patched, STAGE_RESID, 2);
    const struct tensor *a = stage_of(&bench, bench.a, STAGE_RESID, 2);
    const struct tensor *b = stage_of(&bench, bench.b, STAGE_RESID, 2);
    for (size_t i = 0; i < N; i++)
        for (size_t d = 0; d < 8; d++)
            assert_close(tensor_at(is, (size_t[]){i, d}),
                         tensor_at(i == 3 ? a : b, (size_t[]){i, d}), 0);
    run_free(patched);
    bench_close(&bench);
}

static double preference(struct bench *bench, struct run *run)
{
    const struct tensor *logits = logits_of(bench, run);
    return (double)tensor_at(logits, (size_t[]){N - 1, 2}) -
           (double)tensor_at(logits, (size_t[]){N - 1, 8});
}

/* The scale, from runs that are edited by hand. */
static void test_patch__recovered(void **state)
{
    (void)state;
    struct bench bench;
    struct tensor heads, positions;
    const size_t tokens[2] = {2, 8};
    bench_open(&bench, FAMILY_GPT2);
    assert_true(patch_recovered(bench.b, bench.a, PATCH_HEADS, tokens, &heads, &bench.error));
    assert_true(
        patch_recovered(bench.b, bench.a, PATCH_POSITIONS, tokens, &positions, &bench.error));
    double of_a = preference(&bench, bench.a), of_b = preference(&bench, bench.b);
    struct tensor mixed;
    struct node *context = run_stage(bench.b, STAGE_CONTEXT, 1, &bench.error);
    const struct tensor *other = stage_of(&bench, bench.a, STAGE_CONTEXT, 1);
    assert_true(tensor_copy(&context->value, &mixed, &bench.error));
    for (size_t i = 3 * N * 2; i < 4 * N * 2; i++) /* head 3 */
        mixed.data[i] = tensor_at_position(other, i);
    struct node *to = node_input(&bench.graph, &mixed, "mixed", 5, &bench.error);
    struct edit edit = {.stage = STAGE_CONTEXT, .layer = 1, .to = to};
    struct run *run = run_edited(bench.b, &edit, 1, &bench.error);
    assert_close(heads.data[1 * 4 + 3], (preference(&bench, run) - of_b) / (of_a - of_b), 1e-5);
    run_free(run);
    node_free(to);
    run = run_patched(bench.b, bench.a, 1, 4, &bench.error);
    assert_close(positions.data[1 * N + 4], (preference(&bench, run) - of_b) / (of_a - of_b), 1e-5);
    run_free(run);
    tensor_release(&heads);
    tensor_release(&positions);
    bench_close(&bench);
}

static void test_patch__texts_that_do_not_fit(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    struct run *longer = bench_run(&bench, 2, (float[]){1, 2});
    assert_null(run_patched(longer, bench.a, 0, -1, &bench.error));
    assert_says(bench.error, "6 and 2");
    assert_null(run_patched(bench.b, bench.a, 0, N, &bench.error));
    assert_int_equal(bench.error.kind, ERR_RANGE);
    struct tensor recovered;
    assert_error(
        patch_recovered(bench.a, bench.a, PATCH_HEADS, (size_t[]){1, 2}, &recovered, &bench.error),
        bench.error, ERR_RANGE);
    run_free(longer);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch__everything_and_nothing),
        cmocka_unit_test(test_patch__one_position),
        cmocka_unit_test(test_patch__recovered),
        cmocka_unit_test(test_patch__texts_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
