/* model/intervene.h: what cutting each head does to a probability and to the loss. */
#include "model_testing.h"

#include <math.h>
#include <signal.h>

#include "model/intervene.h"
#include "tensor/tensor.h"

enum { HEADS = 12 };

/* The softmax of a row of logits. */
static double probability(const struct tensor *logits, size_t row, size_t token)
{
    double sum = 0;
    for (size_t i = 0; i < VOCAB; i++)
        sum += exp((double)tensor_at_position(logits, row * VOCAB + i));
    return exp((double)tensor_at_position(logits, row * VOCAB + token)) / sum;
}

static double loss(struct bench *bench, struct run *run)
{
    static const size_t next[N - 1] = {5, 2, 7, 5, 3}; /* the tokens of bench->a but its first */
    double sum = 0;
    for (size_t i = 0; i < N - 1; i++)
        sum -= log(probability(logits_of(bench, run), i, next[i])) / (N - 1);
    return sum;
}

/* Each head's number is that of a run in which its rows of the output matrix meet zeros. */
static void test_effect__of_each_head(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_LLAMA);
    struct effect on_token = {EFFECT_PROBABILITY, 9}, on_loss = {EFFECT_LOSS, 0};
    struct tensor of_token, of_loss;
    assert_true(heads_measure(bench.a, &on_token, CUT_ZERO, NULL, &of_token, &bench.error));
    assert_true(heads_measure(bench.a, &on_loss, CUT_ZERO, NULL, &of_loss, &bench.error));
    for (size_t i = 0; i < HEADS; i++) {
        struct cut cut = {CUT_HEAD, i / 4, i % 4};
        struct run *run = run_cut(bench.a, &cut, 1, CUT_ZERO, NULL, &bench.error);
        double change = probability(logits_of(&bench, run), N - 1, 9) -
                        probability(logits_of(&bench, bench.a), N - 1, 9);
        assert_close(of_token.data[i], change, 1e-7);
        assert_close(of_loss.data[i], loss(&bench, run) - loss(&bench, bench.a), 1e-6);
        run_free(run);
    }
    tensor_release(&of_token);
    tensor_release(&of_loss);
    bench_close(&bench);
}

static void test_effect__likeliest(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    size_t token;
    assert_true(run_likeliest(bench.a, &token, &bench.error));
    for (size_t i = 0; i < VOCAB; i++)
        assert_true(probability(logits_of(&bench, bench.a), N - 1, i) <=
                    probability(logits_of(&bench, bench.a), N - 1, token));
    bench_close(&bench);
}

static void test_effect__what_can_not_be_measured(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    double number;
    struct run *one = bench_run(&bench, 1, (float[]){4});
    assert_error(run_measure(one, &(struct effect){EFFECT_LOSS, 0}, &number, &bench.error),
                 bench.error, ERR_RANGE);
    assert_error(
        run_measure(one, &(struct effect){EFFECT_PROBABILITY, VOCAB}, &number, &bench.error),
        bench.error, ERR_RANGE);
    run_free(one);
    bench_close(&bench);
}

/* Ctrl-C: the graph's stop is set. */
static void test_effect__can_be_stopped(void **state)
{
    (void)state;
    struct bench bench;
    volatile sig_atomic_t stop = 0;
    struct tensor numbers;
    bench_open(&bench, FAMILY_GPT2);
    logits_of(&bench, bench.a);
    bench.graph.stop = &stop;
    stop = 1;
    assert_error(heads_measure(bench.a, &(struct effect){EFFECT_LOSS, 0}, CUT_ZERO, NULL, &numbers,
                               &bench.error),
                 bench.error, ERR_INTERRUPTED);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effect__of_each_head),
        cmocka_unit_test(test_effect__likeliest),
        cmocka_unit_test(test_effect__what_can_not_be_measured),
        cmocka_unit_test(test_effect__can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
