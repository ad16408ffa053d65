/* model/circuit.h against products of the full matrices, number by number, in double. */
#include "model_testing.h"

#include <math.h>
#include <stdlib.h>

#include "graph/node.h"
#include "model/circuit.h"
#include "tensor/tensor.h"

enum { D = 8, HEAD_DIM = 2, HEADS = 4, LAYERS = 3 };

/* Element (in, out) of W_Q, W_K or W_V of a head, from its group where keys are shared. */
static double projected(const struct bench *bench, int which, const size_t head[2], size_t in,
                        size_t c)
{
    const struct model_config *config = &bench->model->config;
    size_t h = which == 0 ? head[1] : head[1] * config->n_kv_heads / config->n_heads;
    static const enum param params[] = {PARAM_QUERY, PARAM_KEY, PARAM_VALUE};
    if (config->family == FAMILY_LLAMA)
        return weight_of(bench, params[which], head[0], in, h * HEAD_DIM + c);
    return weight_of(bench, PARAM_QKV, head[0], in, (size_t)which * D + h * HEAD_DIM + c);
}

static double embedding(const struct bench *bench, enum param table, size_t token, size_t d)
{
    const struct model_config *config = &bench->model->config;
    return (double)tensor_at(&bench->model->parameters[parameter_at(config, table, 0)]->value,
                             (size_t[]){token, d});
}

/* W_QK (of == 0) or W_OV, d_model x d_model. */
static void full_matrix(const struct bench *bench, bool qk, const size_t head[2], double ret[D][D])
{
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++) {
            ret[i][j] = 0;
            for (size_t c = 0; c < HEAD_DIM; c++)
                ret[i][j] +=
                    qk ? projected(bench, 0, head, i, c) * projected(bench, 1, head, j, c)
                       : projected(bench, 2, head, i, c) *
                             weight_of(bench, PARAM_OUT, head[0], head[1] * HEAD_DIM + c, j);
        }
}

static struct node *words(struct bench *bench, enum circuit circuit, const size_t head[2])
{
    struct tensor numbers = testing_tensor(1, (size_t[]){4}, (float[]){7, 0, 3, 10});
    struct node *ids = node_input(&bench->graph, &numbers, "ids", 3, &bench->error);
    struct node *found =
        circuit_words(&bench->graph, bench->model, circuit, head, ids, &bench->error);
    assert_non_null(found);
    node_free(ids);
    return found;
}

static void words_by_full_matrices(enum model_family family)
{
    static const size_t ids[4] = {7, 0, 3, 10}, head[2] = {1, 3};
    struct bench bench;
    bench_open(&bench, family);
    enum param written = bench.model->config.is_tied ? PARAM_TOKENS : PARAM_LOGITS;
    struct node *qk = words(&bench, CIRCUIT_QK, head), *ov = words(&bench, CIRCUIT_OV, head);
    double of_qk[D][D], of_ov[D][D];
    full_matrix(&bench, true, head, of_qk);
    full_matrix(&bench, false, head, of_ov);
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++) {
            double score = 0, logit = 0;
            for (size_t i = 0; i < D; i++)
                for (size_t j = 0; j < D; j++) {
                    double e = embedding(&bench, PARAM_TOKENS, ids[a], i);
                    score += e * of_qk[i][j] * embedding(&bench, PARAM_TOKENS, ids[b], j);
                    logit += e * of_ov[i][j] * embedding(&bench, written, ids[b], j);
                }
            assert_close(tensor_at(&qk->value, (size_t[]){a, b}), score / sqrt(HEAD_DIM), 1e-5);
            assert_close(tensor_at(&ov->value, (size_t[]){a, b}), logit, 1e-5);
        }
    node_free(qk);
    node_free(ov);
    bench_close(&bench);
}

static void test_circuit__word_by_word(void **state)
{
    (void)state;
    words_by_full_matrices(FAMILY_GPT2);
    words_by_full_matrices(FAMILY_LLAMA);
}

static double norm(double x[D][D])
{
    double sum = 0;
    for (size_t i = 0; i < D * D; i++)
        sum += x[i / D][i % D] * x[i / D][i % D];
    return sqrt(sum);
}

/* |X Y| / (|X| |Y|), Y turned where it is asked for. */
static double score_of(double x[D][D], double y[D][D], bool turned)
{
    double product[D][D];
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++) {
            product[i][j] = 0;
            for (size_t k = 0; k < D; k++)
                product[i][j] += x[i][k] * (turned ? y[j][k] : y[k][j]);
        }
    return norm(product) / (norm(x) * norm(y));
}

static void compositions_by_full_matrices(enum model_family family, enum composition kind)
{
    struct bench bench;
    struct tensor table;
    bench_open(&bench, family);
    assert_true(compositions(&bench.graph, bench.model, kind, &table, &bench.error));
    for (size_t one = 0; one < LAYERS * HEADS; one++)
        for (size_t two = 0; two < LAYERS * HEADS; two++) {
            size_t earlier[2] = {one / HEADS, one % HEADS}, later[2] = {two / HEADS, two % HEADS};
            double writes[D][D], reads[D][D], want = 0;
            full_matrix(&bench, false, earlier, writes);
            full_matrix(&bench, kind != COMPOSITION_V, later, reads);
            if (earlier[0] < later[0])
                want = score_of(writes, reads, kind == COMPOSITION_K);
            assert_close(tensor_at(&table, (size_t[]){one, two}), want, 1e-5);
        }
    tensor_release(&table);
    bench_close(&bench);
}

static void test_circuit__compositions(void **state)
{
    (void)state;
    for (enum composition kind = COMPOSITION_Q; kind <= COMPOSITION_V; kind++) {
        compositions_by_full_matrices(FAMILY_GPT2, kind);
        compositions_by_full_matrices(FAMILY_LLAMA, kind);
    }
}

static bool compositions_anew(struct bench *bench, struct error *reterr)
{
    struct tensor table;
    if (!compositions(&bench->graph, bench->model, COMPOSITION_Q, &table, reterr))
        return false;
    tensor_release(&table);
    return true;
}

static void test_circuit__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    struct model_config config = small_config(FAMILY_LLAMA);
    config.n_layers = 2;
    bench_open_as(&bench, &config);
    assert_reports_failed_allocations(compositions_anew(&bench, &error), error);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuit__word_by_word),
        cmocka_unit_test(test_circuit__compositions),
        cmocka_unit_test(test_circuit__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
