/* optim/sgd_internal.h. The numbers of PyTorch: golden/test_golden_optim.c. */
#include "testing.h"

#include "optim/sgd_internal.h"

static void test_sgd__without_momentum_nothing_is_remembered(void **state)
{
    (void)state;
    float weights[3] = {1, 2, 3};
    const float gradient[3] = {4, 0, -4};
    struct error error;
    const struct sgd sgd = {.lr = 0.25};
    const struct parameter parameter = {.n = 3, .weights = weights, .gradient = gradient};
    assert_true(sgd_step(&sgd, 0.5, &parameter, 1, &error));
    assert_close(weights[0], 0.5, 0);
    assert_close(weights[1], 2, 0);
    assert_close(weights[2], 3.5, 0);
}

/* On x^2 / 2, whose gradient is x, steps of 1 go to the lowest point at once. */
static void test_sgd__goes_downhill(void **state)
{
    (void)state;
    float weights = 8, momentum = 0;
    struct error error;
    const struct sgd sgd = {.lr = 0.5, .momentum = 0.5};
    const float want[] = {4, 0, -2, -2, -1}; /* by hand: v = v / 2 + x, x = x - v / 2 */
    for (size_t step = 0; step < 5; step++) {
        float gradient = weights;
        const struct parameter parameter = {
            .n = 1, .weights = &weights, .gradient = &gradient, .first = &momentum};
        assert_true(sgd_step(&sgd, 1, &parameter, 1, &error));
        assert_close(weights, want[step], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sgd__without_momentum_nothing_is_remembered),
        cmocka_unit_test(test_sgd__goes_downhill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
