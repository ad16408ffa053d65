/* model/intervene.h: what is cut adds nothing, its mean, or what it adds elsewhere; all else stays.
 */
#include "model_testing.h"

#include "graph/node.h"
#include "model/intervene.h"
#include "tensor/tensor.h"

enum { D_MODEL = 8, HEAD_DIM = 2, HEADS = 4 };

static float at(const struct tensor *x, size_t i, size_t j)
{
    return tensor_at(x, (size_t[]){i, j});
}

static struct run *cut_one(struct bench *bench, struct cut cut, enum cut_how how)
{
    struct run *run =
        run_cut(bench->a, &cut, 1, how, how == CUT_FROZEN ? bench->b : NULL, &bench->error);
    assert_non_null(run);
    return run;
}

/* What the head's context would be in place of what it is. */
static double instead(struct bench *bench, enum cut_how how, size_t head, size_t i, size_t d)
{
    const struct tensor *own = stage_of(bench, bench->a, STAGE_CONTEXT, 1);
    const struct tensor *other = stage_of(bench, bench->b, STAGE_CONTEXT, 1);
    double mean = 0;
    for (size_t j = 0; j < N; j++)
        mean += (double)tensor_at(own, (size_t[]){head, j, d}) / N;
    return how == CUT_ZERO   ? 0
           : how == CUT_MEAN ? mean
                             : (double)tensor_at(other, (size_t[]){head, i, d});
}

/* Attention adds what it added, but for the head's rows of the output matrix. */
static void changes_one_head(enum model_family family, enum cut_how how)
{
    struct bench bench;
    bench_open(&bench, family);
    struct run *run = cut_one(&bench, (struct cut){CUT_HEAD, 1, 2}, how);
    const struct tensor *was = stage_of(&bench, bench.a, STAGE_ATTENDED, 1);
    const struct tensor *is = stage_of(&bench, run, STAGE_ATTENDED, 1);
    const struct tensor *context = stage_of(&bench, bench.a, STAGE_CONTEXT, 1);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D_MODEL; j++) {
            double want = (double)at(was, i, j);
            for (size_t d = 0; d < HEAD_DIM; d++)
                want += (instead(&bench, how, 2, i, d) -
                         (double)tensor_at(context, (size_t[]){2, i, d})) *
                        weight_of(&bench, PARAM_OUT, 1, 2 * HEAD_DIM + d, j);
            assert_close(at(is, i, j), want, 1e-5);
        }
    run_free(run);
    bench_close(&bench);
}

static void test_cut__a_head(void **state)
{
    (void)state;
    for (enum cut_how how = CUT_ZERO; how <= CUT_FROZEN; how++) {
        changes_one_head(FAMILY_GPT2, how);
        changes_one_head(FAMILY_LLAMA, how);
    }
}

static void assert_same(const struct tensor *x, const struct tensor *y)
{
    for (size_t i = 0; i < tensor_size(x); i++)
        assert_close(tensor_at_position(x, i), tensor_at_position(y, i), 0);
}

/* Without a layer the stream passes through it; without its MLP it goes on as attention left it. */
static void test_cut__a_layer_and_an_mlp(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_LLAMA);
    struct run *layer = cut_one(&bench, (struct cut){CUT_LAYER, 1, 0}, CUT_ZERO);
    struct run *mlp = cut_one(&bench, (struct cut){CUT_MLP, 1, 0}, CUT_ZERO);
    assert_same(stage_of(&bench, layer, STAGE_OUT, 1), stage_of(&bench, bench.a, STAGE_OUT, 0));
    assert_same(stage_of(&bench, mlp, STAGE_OUT, 1), stage_of(&bench, bench.a, STAGE_MIDDLE, 1));
    run_free(layer);
    run_free(mlp);
    bench_close(&bench);
}

/* All heads of a layer, one cut each, are attention without what it reads: its bias alone. */
static void test_cut__all_heads_of_a_layer(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    struct cut cuts[HEADS];
    for (size_t h = 0; h < HEADS; h++)
        cuts[h] = (struct cut){CUT_HEAD, 2, h};
    struct run *run = run_cut(bench.a, cuts, HEADS, CUT_ZERO, NULL, &bench.error);
    const struct tensor *attended = stage_of(&bench, run, STAGE_ATTENDED, 2);
    const struct model_config *config = &bench.model->config;
    const struct tensor *bias =
        &bench.model->parameters[parameter_at(config, PARAM_OUT_BIAS, 2)]->value;
    for (size_t i = 0; i < N * D_MODEL; i++)
        assert_close(tensor_at_position(attended, i), tensor_at_position(bias, i % D_MODEL), 0);
    run_free(run);
    bench_close(&bench);
}

static void test_cut__what_is_not_there(void **state)
{
    (void)state;
    struct bench bench;
    struct model_config config = small_config(FAMILY_GPT2);
    config.d_mlp = 0;
    bench_open_as(&bench, &config);
    struct cut head = {CUT_HEAD, 0, 4}, layer = {CUT_LAYER, 3, 0}, mlp = {CUT_MLP, 0, 0};
    assert_null(run_cut(bench.a, &head, 1, CUT_ZERO, NULL, &bench.error));
    assert_says(bench.error, "4 heads, 0 to 3");
    assert_null(run_cut(bench.a, &layer, 1, CUT_ZERO, NULL, &bench.error));
    assert_says(bench.error, "3 layers, 0 to 2");
    assert_null(run_cut(bench.a, &mlp, 1, CUT_ZERO, NULL, &bench.error));
    assert_says(bench.error, "no MLP");
    struct run *longer = bench_run(&bench, 2, (float[]){1, 2});
    assert_null(
        run_cut(bench.a, &(struct cut){CUT_HEAD, 0, 0}, 1, CUT_FROZEN, longer, &bench.error));
    assert_says(bench.error, "6 and 2");
    run_free(longer);
    bench_close(&bench);
}

static bool cut_anew(struct bench *bench, struct error *reterr)
{
    struct cut cut = {CUT_HEAD, 1, 1};
    struct run *run = run_cut(bench->a, &cut, 1, CUT_MEAN, NULL, reterr);
    run_free(run);
    return run != NULL;
}

static void test_cut__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_open(&bench, FAMILY_GPT2);
    stage_of(&bench, bench.a, STAGE_OUT, 2);
    assert_reports_failed_allocations(cut_anew(&bench, &error), error);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut__a_head),
        cmocka_unit_test(test_cut__a_layer_and_an_mlp),
        cmocka_unit_test(test_cut__all_heads_of_a_layer),
        cmocka_unit_test(test_cut__what_is_not_there),
        cmocka_unit_test(test_cut__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
