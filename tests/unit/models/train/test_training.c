/* Trainings: that they learn, and go on where they were. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/node.h"
#include "train/checkpoint.h"

struct bench {
    struct error error;
    struct source *source;
    struct training *training;
};

static void bench_open(struct bench *bench, const struct training_plan *plan)
{
    *bench = (struct bench){.source = NULL};
    if (!plan_open(plan, NULL, NULL, &bench->source, &bench->training, &bench->error))
        fail_msg("%s", bench->error.text);
}

static void bench_close(struct bench *bench)
{
    training_free(bench->training);
    source_free(bench->source);
}

static void take(struct bench *bench, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(training_step(bench->training, &bench->error));
}

/* The whole recipe of the quickest task: it must be right in what training never drew, and at
 * lengths that it never drew. */
static void test_training__learns_the_token_before(void **state)
{
    (void)state;
    struct bench bench;
    struct score score;
    bench_open(&bench, &(struct training_plan){.task = "previous", .seed = 1});
    assert_true(training_score(bench.training, SPLIT_HELD_OUT, 2, &score, &bench.error));
    assert_true(score.right < 0.15);
    take(&bench, bench.training->recipe.n_steps);
    assert_true(training_score(bench.training, SPLIT_HELD_OUT, 2, &score, &bench.error));
    assert_true(score.right > 0.9 && score.loss < 1);
    bench_close(&bench);
}

static void assert_same_models(struct bench *a, struct bench *b)
{
    struct graph graph = {.last_id = 0};
    struct model *x = training_model(a->training, &graph, &a->error);
    struct model *y = training_model(b->training, &graph, &b->error);
    for (size_t at = 0; at < parameter_count(&x->config); at++)
        if (x->parameters[at] != NULL)
            assert_memory_equal(x->parameters[at]->value.data, y->parameters[at]->value.data,
                                tensor_size(&x->parameters[at]->value) * sizeof(float));
    model_free(x);
    model_free(y);
}

/* Saved after 7 steps and read back into a new training: the bits of the one without a break. */
static void test_training__goes_on_as_if_unbroken(void **state)
{
    (void)state;
    const struct training_plan plan = {.task = "induction",
                                       .seed = 5,
                                       .n_steps = 20,
                                       .d_model = 16,
                                       .lr = 0.01,
                                       .decay = 0.5,
                                       .batch = 8};
    struct training_plan read;
    struct bench whole, first, second;
    char folder[] = "/tmp/attn-training-XXXXXX", path[80];
    assert_non_null(mkdtemp(folder));
    bench_open(&whole, &plan);
    take(&whole, 20);
    bench_open(&first, &plan);
    take(&first, 7);
    assert_true(checkpoint_save(first.training, &plan, folder, &first.error));
    bench_close(&first);
    assert_true(checkpoint_plan(folder, &read, &first.error));
    assert_string_equal(read.task, plan.task);
    assert_true(read.seed == 5 && read.n_steps == 20 && read.lr == plan.lr && read.batch == 8);
    bench_open(&second, &read);
    assert_true(second.training->recipe.adamw.weight_decay == plan.decay);
    assert_true(checkpoint_load(second.training, folder, &second.error));
    assert_int_equal(training_count(second.training), 7);
    take(&second, 13);
    assert_same_models(&whole, &second);
    bench_close(&whole);
    bench_close(&second);
    snprintf(path, sizeof path, "%s/training.safetensors", folder);
    unlink(path);
    rmdir(folder);
}

/* A checkpoint of another model is refused, and the training is as it was. */
static void test_training__refuses_another_models_checkpoint(void **state)
{
    (void)state;
    struct bench small, large, same;
    const struct training_plan plan = {.task = "previous", .d_model = 16, .batch = 4};
    const struct training_plan other = {.task = "previous", .d_model = 32, .batch = 4};
    char folder[] = "/tmp/attn-training-XXXXXX", path[80];
    assert_non_null(mkdtemp(folder));
    bench_open(&small, &plan);
    bench_open(&same, &other);
    bench_open(&large, &other);
    assert_true(checkpoint_save(small.training, &plan, folder, &small.error));
    assert_false(checkpoint_load(large.training, folder, &large.error));
    assert_says(large.error, "another");
    assert_same_models(&large, &same);
    bench_close(&small);
    bench_close(&large);
    bench_close(&same);
    snprintf(path, sizeof path, "%s/training.safetensors", folder);
    unlink(path);
    rmdir(folder);
}

static void test_training__refuses_plans(void **state)
{
    (void)state;
    struct error error;
    struct source *source;
    struct training *training;
    const struct training_plan unknown = {.task = "inductoin"};
    const struct training_plan heads = {.task = "previous", .n_heads = 5};
    const struct training_plan text = {.text = "/nowhere/at/all"};
    assert_false(plan_open(&unknown, NULL, NULL, &source, &training, &error));
    assert_says(error, "induction");
    assert_false(plan_open(&heads, NULL, NULL, &source, &training, &error));
    assert_int_equal(error.kind, ERR_RANGE);
    assert_false(plan_open(&text, NULL, NULL, &source, &training, &error));
    assert_int_equal(error.kind, ERR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training__learns_the_token_before),
        cmocka_unit_test(test_training__goes_on_as_if_unbroken),
        cmocka_unit_test(test_training__refuses_another_models_checkpoint),
        cmocka_unit_test(test_training__refuses_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
