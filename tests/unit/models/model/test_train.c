/* Training: the steps of a model that learns. */
#include "testing.h"

#include "graph/node.h"
#include "kernel/threads.h"
#include "model/initial.h"
#include "model/loss.h"
#include "model/train.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum { VOCAB = 8, BATCH = 16, N = 10 };

static struct model *new_model(struct error *reterr)
{
    const struct model_config config = {.family = FAMILY_GPT2,
                                        .norm = NORM_LAYER,
                                        .positions = POSITIONS_LEARNED,
                                        .is_tied = true,
                                        .is_causal = true,
                                        .has_qkv_bias = true,
                                        .has_out_bias = true,
                                        .has_mlp_bias = true,
                                        .scales_scores = true,
                                        .vocab = VOCAB,
                                        .n_positions = N,
                                        .d_model = 16,
                                        .n_layers = 1,
                                        .n_heads = 2,
                                        .n_kv_heads = 2,
                                        .head_dim = 8,
                                        .d_mlp = 32,
                                        .norm_eps = 1e-5};
    struct graph graph = {.last_id = 0};
    struct random random;
    random_seed(&random, 1);
    return model_random(&graph, &config, INITIAL_TORCH, &random, "small", reterr);
}

/* Random tokens, each followed by the one before it. */
static void draw(uint64_t *state, struct tensor *ids, struct tensor *targets)
{
    float numbers[BATCH * N], wanted[BATCH * N];
    for (size_t i = 0; i < BATCH * N; i++) {
        numbers[i] = (float)testing_between(state, 0, VOCAB - 1);
        wanted[i] = i % N > 0 ? numbers[i - 1] : TARGET_IGNORED;
    }
    *ids = testing_tensor(2, (size_t[]){BATCH, N}, numbers);
    *targets = testing_tensor(2, (size_t[]){BATCH, N}, wanted);
}

static const struct optimiser options = {
    .kind = OPTIMISER_ADAMW,
    .adamw = {.lr = 0.01, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .weight_decay = 0.01},
    .clip = 1};

/* Takes n steps; gives the loss of the last one, and the model. */
static double train(size_t n, struct model **ret)
{
    struct error error;
    struct graph graph = {.last_id = 0};
    struct model *model = new_model(&error);
    struct trainer *trainer;
    uint64_t state = 5;
    double loss = 0;
    assert_true(trainer_new(model, &graph, OPTIMISER_ADAMW, &trainer, &error));
    for (size_t i = 0; i < n; i++) {
        struct tensor ids, targets;
        draw(&state, &ids, &targets);
        assert_true(trainer_step(trainer, &ids, &targets, &options, &loss, NULL, &error));
        tensor_release(&ids);
        tensor_release(&targets);
    }
    assert_int_equal(trainer_count(trainer), n);
    *ret = trainer_model(trainer, &graph, "a test", &error);
    assert_non_null(*ret);
    trainer_free(trainer);
    model_free(model);
    return loss;
}

static void test_train__learns_the_token_before(void **state)
{
    (void)state;
    struct model *model;
    assert_true(train(1, &model) > 1.9); /* about log(8) before it has learnt anything */
    model_free(model);
    assert_true(train(300, &model) < 0.2);
    model_free(model);
}

static void test_train__same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    struct model *one, *other;
    threads_set(1);
    double loss = train(20, &one);
    for (size_t n = 2; n <= 4; n += 2) {
        threads_set(n);
        assert_true(train(20, &other) == loss);
        for (size_t at = 0; at < parameter_count(&one->config); at++)
            if (one->parameters[at] != NULL) {
                const struct tensor *x = &one->parameters[at]->value;
                assert_memory_equal(x->data, other->parameters[at]->value.data,
                                    tensor_size(x) * sizeof(float));
            }
        model_free(other);
    }
    threads_set(0);
    model_free(one);
}

/* The model that was given keeps its numbers. */
static void test_train__on_a_copy(void **state)
{
    (void)state;
    struct error error;
    struct graph graph = {.last_id = 0};
    struct model *model = new_model(&error), *again = new_model(&error);
    struct trainer *trainer;
    struct tensor ids, targets;
    uint64_t seed = 5;
    double loss, norm;
    draw(&seed, &ids, &targets);
    assert_true(trainer_new(model, &graph, OPTIMISER_ADAMW, &trainer, &error));
    assert_true(trainer_step(trainer, &ids, &targets, &options, &loss, &norm, &error));
    assert_true(norm > 0);
    size_t at = parameter_at(&model->config, PARAM_TOKENS, 0);
    assert_memory_equal(model->parameters[at]->value.data, again->parameters[at]->value.data,
                        VOCAB * 16 * sizeof(float));
    trainer_free(trainer);
    tensor_release(&ids);
    tensor_release(&targets);
    model_free(model);
    model_free(again);
}

static void test_train__refuses_bad_batches(void **state)
{
    (void)state;
    struct error error;
    struct graph graph = {.last_id = 0};
    struct model *model = new_model(&error);
    struct trainer *trainer;
    double loss;
    assert_true(trainer_new(model, &graph, OPTIMISER_ADAMW, &trainer, &error));
    struct tensor ids = testing_tensor(2, (size_t[]){1, 2}, (float[]){1, 2});
    struct tensor wrong = testing_tensor(2, (size_t[]){1, 2}, (float[]){1, VOCAB});
    struct tensor flat = testing_tensor(1, (size_t[]){2}, (float[]){1, 2});
    assert_false(trainer_step(trainer, &ids, &wrong, &options, &loss, NULL, &error));
    assert_int_equal(error.kind, ERR_RANGE);
    assert_false(trainer_step(trainer, &wrong, &ids, &options, &loss, NULL, &error));
    assert_int_equal(error.kind, ERR_RANGE);
    assert_false(trainer_step(trainer, &ids, &flat, &options, &loss, NULL, &error));
    assert_int_equal(error.kind, ERR_SHAPE);
    assert_int_equal(trainer_count(trainer), 0);
    tensor_release(&ids);
    tensor_release(&wrong);
    tensor_release(&flat);
    trainer_free(trainer);
    model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train__learns_the_token_before),
        cmocka_unit_test(test_train__same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_train__on_a_copy),
        cmocka_unit_test(test_train__refuses_bad_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
