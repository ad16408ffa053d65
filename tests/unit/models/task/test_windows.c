/* task/windows.h */
#include "testing.h"

#include <stdlib.h>

#include "task/windows.h"

enum { N = 1000, WIDTH = 16 };

/* Every token says where it stands. */
static struct windows counted(int32_t tokens[N])
{
    for (int32_t i = 0; i < N; i++)
        tokens[i] = i;
    return (struct windows){tokens, N};
}

static void test_windows__every_next_token_is_the_target(void **state)
{
    (void)state;
    int32_t tokens[N];
    struct windows windows = counted(tokens);
    bool began[N] = {false};
    for (int split = 0; split < 2; split++)
        for (uint64_t number = 0; number < 60; number++) {
            struct batch batch;
            struct error error;
            int32_t low = split == 0 ? 0 : 900, high = split == 0 ? 899 : 999;
            assert_true(
                windows_batch(&windows, (enum split)split, WIDTH, 1, number, 200, &batch, &error));
            for (size_t i = 0; i < 200 * WIDTH; i++) {
                assert_in_range(batch.inputs[i], low, high - 1);
                assert_int_equal(batch.targets[i], batch.inputs[i] + 1);
                if (i % WIDTH == 0)
                    began[batch.inputs[i]] = true;
                else
                    assert_int_equal(batch.inputs[i], batch.inputs[i - 1] + 1);
            }
            batch_release(&batch);
        }
    for (size_t i = 0; i < N; i++) /* wherever a window fits, one begins */
        assert_int_equal(began[i], i < 900 - WIDTH || (i >= 900 && i < 1000 - WIDTH));
}

static void test_windows__one_after_the_other(void **state)
{
    (void)state;
    int32_t tokens[N], next = 901;
    struct windows windows = counted(tokens);
    struct batch batch;
    struct error error;
    assert_int_equal(windows_count(&windows, SPLIT_HELD_OUT, WIDTH), 6); /* 99 targets */
    for (size_t at = 0; at < 6; at++) {
        assert_true(windows_take(&windows, SPLIT_HELD_OUT, WIDTH, at, &batch, &error));
        for (size_t i = 0; i < WIDTH; i++)
            assert_int_equal(batch.targets[i], next++);
        batch_release(&batch);
    }
    assert_error(windows_take(&windows, SPLIT_HELD_OUT, WIDTH, 6, &batch, &error), error,
                 ERR_RANGE);
    assert_int_equal(windows_count(&windows, SPLIT_HELD_OUT, 99), 1);
    assert_true(windows_take(&windows, SPLIT_HELD_OUT, 99, 0, &batch, &error));
    assert_int_equal(batch.targets[98], 999);
    batch_release(&batch);
    assert_int_equal(windows_count(&windows, SPLIT_HELD_OUT, 100), 0);
}

static void test_windows__short_texts_are_refused(void **state)
{
    (void)state;
    int32_t tokens[N];
    struct windows windows = counted(tokens);
    struct batch batch;
    struct error error;
    assert_error(windows_batch(&windows, SPLIT_HELD_OUT, 100, 1, 0, 1, &batch, &error), error,
                 ERR_RANGE);
    assert_says(error, "the tenth that is held out has 100 tokens, and 100 and the next one");
    assert_says(error, "a context of 99 or less");
    assert_error(windows_check(&windows, 100, &error), error, ERR_RANGE);
    assert_true(windows_check(&windows, 99, &error));
    windows.n = 0;
    assert_error(windows_check(&windows, 1, &error), error, ERR_RANGE);
    assert_says(error, "it is too short (tokens: 0)");
    assert_error(windows_batch(&windows, SPLIT_TRAINING, 1, 1, 0, 1, &batch, &error), error,
                 ERR_RANGE);
    assert_error(windows_take(&windows, SPLIT_TRAINING, 1, 0, &batch, &error), error, ERR_RANGE);
    assert_int_equal(windows_count(&windows, SPLIT_TRAINING, 1), 0);
    windows.n = N;
    assert_error(windows_batch(&windows, SPLIT_UNTRAINED, 4, 1, 0, 1, &batch, &error), error,
                 ERR_RANGE);
    assert_error(windows_batch(&windows, SPLIT_TRAINING, 0, 1, 0, 1, &batch, &error), error,
                 ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows__every_next_token_is_the_target),
        cmocka_unit_test(test_windows__one_after_the_other),
        cmocka_unit_test(test_windows__short_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
