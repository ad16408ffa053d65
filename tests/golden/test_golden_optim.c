/* The optimisers against PyTorch's: every case of optim/{adamw,sgd}, which optim/make.py made, and
 * the norms and learning rates of a whole training in train/gpt2_a. */
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "files/npy.h"
#include "optim/adamw.h"
#include "optim/clip_internal.h"
#include "optim/schedule.h"
#include "optim/sgd_internal.h"

/* Float32 in twelve steps against float64: the largest seen is 6e-7 of the largest number. */
static const double tolerance = 1e-6;

/* A parameter of a case, and what it must become. */
struct trained {
    const char *name;
    struct tensor weights, first, second; /* changed in place: nobody else sees them */
    const struct tensor *gradients;       /* (steps, ...) */
};

static struct tensor changed_copy(struct golden *golden, const struct tensor *x, bool clears)
{
    struct error error;
    struct tensor copy;
    golden_succeed(golden,
                   clears ? tensor_zeros(x->n_axes, x->shape, &copy, &error)
                          : tensor_copy(x, &copy, &error),
                   &error);
    *golden_own(golden) = copy;
    return copy;
}

static struct trained trained_open(struct golden *golden, const char *name)
{
    char text[64];
    struct trained trained = {.name = name};
    snprintf(text, sizeof text, "%s_before", name);
    const struct tensor *before = golden_needed_array(golden, text);
    trained.weights = changed_copy(golden, before, false);
    trained.first = changed_copy(golden, before, true);
    trained.second = changed_copy(golden, before, true);
    snprintf(text, sizeof text, "%s_gradients", name);
    trained.gradients = golden_needed_array(golden, text);
    return trained;
}

static struct parameter parameter_at(const struct trained *trained, size_t step, bool decays)
{
    size_t n = tensor_size(&trained->weights);
    return (struct parameter){
        .n = n,
        .weights = trained->weights.data,
        .gradient = trained->gradients->data + step * n,
        .first = trained->first.data,
        .second = trained->second.data,
        .decays = decays,
    };
}

static void compare(struct golden *golden, const struct trained *trained)
{
    const struct {
        const char *ending;
        const struct tensor *got;
    } arrays[] = {
        {"", &trained->weights}, {"_first", &trained->first}, {"_second", &trained->second}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s", trained->name, arrays[i].ending);
        const struct tensor *want = golden_array(golden, text);
        if (want != NULL)
            golden_compare(golden, text, arrays[i].got, want, tolerance, 0);
    }
}

/* The norm of the gradients, which is checked, and what they are multiplied with. */
static double checked_scale(struct golden *golden, const struct parameter *parameters,
                            const struct tensor *norms, size_t step)
{
    struct error error;
    double norm = 0;
    golden_succeed(golden, gradient_norm(parameters, 2, &norm, &error), &error);
    double want = (double)norms->data[step];
    assert_true(fabs(norm - want) <= 1e-7 * want);
    return clip_scale(norm, golden_attr_number(golden, "clip", INFINITY));
}

static bool step_adamw(struct golden *golden, size_t step, double scale,
                       const struct parameter *parameters, struct error *error)
{
    const struct adamw adamw = {
        .lr = golden_attr_number(golden, "lr", NAN),
        .beta1 = golden_attr_number(golden, "beta1", NAN),
        .beta2 = golden_attr_number(golden, "beta2", NAN),
        .eps = golden_attr_number(golden, "eps", NAN),
        .weight_decay = golden_attr_number(golden, "weight_decay", NAN),
    };
    return adamw_step(&adamw, step + 1, scale, parameters, 2, error);
}

static bool step_sgd(struct golden *golden, size_t step, double scale,
                     const struct parameter *parameters, struct error *error)
{
    (void)step;
    const struct sgd sgd = {
        .lr = golden_attr_number(golden, "lr", NAN),
        .momentum = golden_attr_number(golden, "momentum", NAN),
        .weight_decay = golden_attr_number(golden, "weight_decay", NAN),
    };
    return sgd_step(&sgd, scale, parameters, 2, error);
}

static void run(struct golden *golden,
                bool (*take)(struct golden *golden, size_t step, double scale,
                             const struct parameter *parameters, struct error *error))
{
    struct trained matrix = trained_open(golden, "matrix"), bias = trained_open(golden, "bias");
    const struct tensor *norms = golden_needed_array(golden, "norms");
    golden_attr_text(golden, "reference", "f64");
    for (size_t step = 0; step < norms->shape[0]; step++) {
        struct error error;
        struct parameter parameters[] = {parameter_at(&matrix, step, true),
                                         parameter_at(&bias, step, false)};
        double scale = checked_scale(golden, parameters, norms, step);
        golden_succeed(golden, take(golden, step, scale, parameters, &error), &error);
    }
    compare(golden, &matrix);
    compare(golden, &bias);
}

static void run_adamw(struct golden *golden)
{
    run(golden, step_adamw);
}

static void run_sgd(struct golden *golden)
{
    run(golden, step_sgd);
}

static void test_golden_optim__adamw(void **state)
{
    (void)state;
    golden_run_family("optim/adamw", run_adamw, 5);
}

static void test_golden_optim__sgd(void **state)
{
    (void)state;
    golden_run_family("optim/sgd", run_sgd, 4);
}

/* ---- a whole training ---- */

static struct tensor load(const char *name)
{
    char path[GOLDEN_PATH];
    struct tensor x;
    struct error error = {0};
    const char *golden = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/train/gpt2_a/%s", golden ? golden : "tests/golden", name);
    if (!npy_load(path, &x, &error))
        fail_msg("%s", error.text);
    return x;
}

static void test_golden_optim__the_rates_of_a_training(void **state)
{
    (void)state;
    const struct schedule schedule = {
        .kind = SCHEDULE_COSINE, .lr = 3e-3, .least_lr = 3e-4, .n_warm_up = 10, .n_steps = 100};
    struct tensor rates = load("lr.npy");
    assert_int_equal(rates.shape[0], 100);
    for (size_t step = 0; step < 100; step++)
        assert_true(fabs(schedule_lr(&schedule, step) - (double)rates.data[step]) <= 1e-9);
    tensor_release(&rates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_optim__adamw),
        cmocka_unit_test(test_golden_optim__sgd),
        cmocka_unit_test(test_golden_optim__the_rates_of_a_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
