/* optim/schedule.h. The rates of a whole training: golden/test_golden_optim.c. */
#include "testing.h"

#include "optim/schedule.h"

static void test_schedule__warms_up_and_stays(void **state)
{
    (void)state;
    const struct schedule schedule = {.kind = SCHEDULE_CONSTANT, .lr = 1, .n_warm_up = 4};
    const double want[] = {0.25, 0.5, 0.75, 1, 1, 1};
    for (size_t step = 0; step < 6; step++)
        assert_close(schedule_lr(&schedule, step), want[step], 0);
    assert_close(schedule_lr(&schedule, 1000000), 1, 0);
}

static void test_schedule__cosine_ends_at_the_least(void **state)
{
    (void)state;
    const struct schedule schedule = {
        .kind = SCHEDULE_COSINE, .lr = 2, .least_lr = 1, .n_warm_up = 2, .n_steps = 10};
    assert_close(schedule_lr(&schedule, 2), 2, 1e-15);
    assert_close(schedule_lr(&schedule, 6), 1.5, 1e-15);
    assert_close(schedule_lr(&schedule, 10), 1, 0);
    assert_close(schedule_lr(&schedule, 11), 1, 0);
    for (size_t step = 2; step < 10; step++)
        assert_true(schedule_lr(&schedule, step + 1) < schedule_lr(&schedule, step));
}

static void test_schedule__without_warm_up_it_begins_with_the_rate(void **state)
{
    (void)state;
    const struct schedule schedule = {.kind = SCHEDULE_COSINE, .lr = 2, .n_steps = 10};
    assert_close(schedule_lr(&schedule, 0), 2, 0);
    /* All of the steps warm up. */
    const struct schedule warming = {
        .kind = SCHEDULE_COSINE, .lr = 2, .n_warm_up = 10, .n_steps = 10};
    assert_close(schedule_lr(&warming, 9), 2, 0);
    assert_close(schedule_lr(&warming, 10), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule__warms_up_and_stays),
        cmocka_unit_test(test_schedule__cosine_ends_at_the_least),
        cmocka_unit_test(test_schedule__without_warm_up_it_begins_with_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
