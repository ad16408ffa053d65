/* model/lens.h: the last layer is the output, and the others are those of a model that stops. */
#include "model_testing.h"

#include "graph/node.h"
#include "model/intervene.h"
#include "model/lens.h"
#include "tensor/tensor.h"

enum { LAYERS = 3, POSITION = 4 };

/* Row i is what the model says without layers i, i + 1, ...: with all of them cut. */
static void rows_are_models_that_stop(enum model_family family)
{
    struct bench bench;
    bench_open(&bench, family);
    struct node *lens = run_lens(bench.a, POSITION, &bench.error);
    assert_non_null(lens);
    for (size_t row = 0; row <= LAYERS; row++) {
        struct cut cuts[LAYERS];
        for (size_t layer = row; layer < LAYERS; layer++)
            cuts[layer - row] = (struct cut){CUT_LAYER, layer, 0};
        struct run *run = run_cut(bench.a, cuts, LAYERS - row, CUT_ZERO, NULL, &bench.error);
        for (size_t token = 0; token < VOCAB; token++)
            assert_close(tensor_at(&lens->value, (size_t[]){row, token}),
                         tensor_at(logits_of(&bench, run), (size_t[]){POSITION, token}),
                         row == LAYERS ? 0 : 1e-5);
        run_free(run);
    }
    node_free(lens);
    bench_close(&bench);
}

static void test_lens__rows_are_models_that_stop(void **state)
{
    (void)state;
    rows_are_models_that_stop(FAMILY_GPT2);
    rows_are_models_that_stop(FAMILY_LLAMA);
}

static bool lens_anew(struct bench *bench, struct error *reterr)
{
    struct node *lens = run_lens(bench->a, POSITION, reterr);
    node_free(lens);
    return lens != NULL;
}

static void test_lens__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_open(&bench, FAMILY_GPT2);
    logits_of(&bench, bench.a);
    assert_reports_failed_allocations(lens_anew(&bench, &error), error);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lens__rows_are_models_that_stop),
        cmocka_unit_test(test_lens__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
