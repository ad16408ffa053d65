/* model/lens.h: shares of a logit, against products of the weights worked out here. */
#include "model_testing.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "model/lens.h"
#include "model/intervene.h"
#include "show/labels.h"
#include "tensor/tensor.h"

enum { D_MODEL = 8, HEAD_DIM = 2, TOKEN = 6, POSITION = 4 };

/* What a part of the stream must be multiplied by, from the definition of each norm. */
static void direction(struct bench *bench, double ret[D_MODEL])
{
    const struct model_config *config = &bench->model->config;
    const struct tensor *x = stage_of(bench, bench->a, STAGE_OUT, 2);
    bool layer = config->norm == NORM_LAYER;
    enum param table = config->is_tied ? PARAM_TOKENS : PARAM_LOGITS;
    struct node *const *parameters = bench->model->parameters;
    const struct tensor *e = &parameters[parameter_at(config, table, 0)]->value;
    const struct tensor *w = &parameters[parameter_at(config, PARAM_LAST_NORM, 0)]->value;
    double mean = 0, square = 0, mean_of_ret = 0;
    for (size_t d = 0; d < D_MODEL; d++)
        mean += layer ? (double)tensor_at(x, (size_t[]){POSITION, d}) / D_MODEL : 0;
    for (size_t d = 0; d < D_MODEL; d++)
        square += pow((double)tensor_at(x, (size_t[]){POSITION, d}) - mean, 2) / D_MODEL;
    for (size_t d = 0; d < D_MODEL; d++) {
        ret[d] = (double)tensor_at(e, (size_t[]){TOKEN, d}) * (double)w->data[d] /
                 sqrt(square + config->norm_eps);
        mean_of_ret += layer ? ret[d] / D_MODEL : 0;
    }
    for (size_t d = 0; d < D_MODEL; d++)
        ret[d] -= mean_of_ret;
}

static double share(const struct node *parts, const struct labels *names, const char *name)
{
    size_t at = labels_find(names, name, strlen(name));
    assert_true(at < labels_count(names));
    return (double)tensor_at_position(&parts->value, at);
}

static double sum_of(const struct node *parts)
{
    double sum = 0;
    for (size_t i = 0; i < tensor_size(&parts->value); i++)
        sum += (double)tensor_at_position(&parts->value, i);
    return sum;
}

static void parts_of_a_logit(enum model_family family)
{
    struct bench bench;
    struct labels *names;
    double u[D_MODEL];
    bench_open(&bench, family);
    struct node *parts = run_contributions(bench.a, POSITION, TOKEN, &names, &bench.error);
    assert_non_null(parts);
    assert_close(sum_of(parts), tensor_at(logits_of(&bench, bench.a), (size_t[]){POSITION, TOKEN}),
                 1e-4);
    direction(&bench, u);
    const struct tensor *context = stage_of(&bench, bench.a, STAGE_CONTEXT, 1);
    const struct tensor *mlp = stage_of(&bench, bench.a, STAGE_MLP, 2);
    const struct tensor *first = stage_of(&bench, bench.a, STAGE_RESID, 0);
    double of_head = 0, of_mlp = 0, of_first = 0;
    for (size_t d = 0; d < D_MODEL; d++) {
        for (size_t c = 0; c < HEAD_DIM; c++)
            of_head += (double)tensor_at(context, (size_t[]){3, POSITION, c}) *
                       weight_of(&bench, PARAM_OUT, 1, 3 * HEAD_DIM + c, d) * u[d];
        of_mlp += (double)tensor_at(mlp, (size_t[]){POSITION, d}) * u[d];
        of_first += (double)tensor_at(first, (size_t[]){POSITION, d}) * u[d];
    }
    assert_close(share(parts, names, "L1H3"), of_head, 1e-5);
    assert_close(share(parts, names, "L2 MLP"), of_mlp, 1e-5);
    assert_close(share(parts, names, "embeddings"), of_first, 1e-5);
    node_free(parts);
    labels_free(names);
    bench_close(&bench);
}

static void test_contribution__adds_up(void **state)
{
    (void)state;
    parts_of_a_logit(FAMILY_GPT2);
    parts_of_a_logit(FAMILY_LLAMA);
}

/* A head that is cut adds nothing; the parts of the run without it add up to its logit. */
static void test_contribution__of_a_run_with_a_cut(void **state)
{
    (void)state;
    struct bench bench;
    struct labels *names;
    bench_open(&bench, FAMILY_GPT2);
    struct cut cuts[] = {{CUT_HEAD, 1, 3}, {CUT_LAYER, 2, 0}};
    struct run *run = run_cut(bench.a, cuts, 2, CUT_ZERO, NULL, &bench.error);
    struct node *parts = run_contributions(run, POSITION, TOKEN, &names, &bench.error);
    assert_non_null(parts);
    assert_close(share(parts, names, "L1H3"), 0, 0);
    assert_close(share(parts, names, "L2 MLP"), 0, 0);
    assert_close(sum_of(parts), tensor_at(logits_of(&bench, run), (size_t[]){POSITION, TOKEN}),
                 1e-4);
    node_free(parts);
    labels_free(names);
    run_free(run);
    bench_close(&bench);
}

static bool parts_anew(struct bench *bench, struct error *reterr)
{
    struct labels *names = NULL;
    struct node *parts = run_contributions(bench->a, POSITION, TOKEN, &names, reterr);
    labels_free(names);
    node_free(parts);
    return parts != NULL;
}

static void test_contribution__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_open(&bench, FAMILY_GPT2);
    logits_of(&bench, bench.a);
    assert_reports_failed_allocations(parts_anew(&bench, &error), error);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contribution__adds_up),
        cmocka_unit_test(test_contribution__of_a_run_with_a_cut),
        cmocka_unit_test(test_contribution__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
