/* cli/map_guard.h: a mapped file that becomes shorter while its numbers are read. */
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/map_guard.h"
#include "files/weights.h"
#include "files_testing.h"
#include "tensor/tensor.h"

enum { N = 300000 }; /* numbers: many pages, and large enough for threads */

static volatile sig_atomic_t stop, other_stop;

static void check_gone(float got, float want)
{
    if (got != 0 && got != want)
        fail_msg("%g is neither there nor missing", (double)got);
}

static void test_map_guard__what_is_gone_is_zero_and_told(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    struct error error;
    struct weights *weights;
    struct tensor ones, x;
    map_guard_install(&stop, &other_stop); /* cmocka has taken the signal for each test */
    assert_true(tensor_full(1, (size_t[]){N}, 1, &ones, NULL));
    assert_true(safetensors_write(testing_path(path, "model.safetensors"),
                                  &(struct safetensors_tensor){"x", &ones}, 1, NULL, 0, NULL));
    assert_true(weights_open(path, &weights, NULL));
    assert_true(weights_tensor(weights, "x", &x, NULL));
    assert_true(weights_are_whole(weights, &error));
    assert_true(map_guard_check(&error));
    assert_int_equal(stop + other_stop, 0);
    assert_int_equal(truncate(path, 4 * N / 2), 0);
    for (size_t i = 0; i < N; i++) {
        check_gone(x.data[i], 1);
        assert_true(i > N / 2 - 2000 || x.data[i] == 1);
    }
    assert_true(x.data[N - 1] == 0);
    assert_int_equal(stop, 1);
    assert_int_equal(other_stop, 1);
    assert_error(map_guard_check(&error), error, ERR_FILE);
    assert_says(error, "became shorter");
    assert_true(map_guard_check(&error)); /* told once */
    assert_error(weights_are_whole(weights, &error), error, ERR_FILE);
    assert_says(error, "model.safetensors: it became shorter");
    tensor_release(&x);
    tensor_release(&ones);
    weights_close(weights);
}

/* The error is not hidden from what is no hole in a file: such a program ends as it would. */
static void test_map_guard__another_bus_error_ends_the_program(void **state)
{
    (void)state;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        map_guard_install(&stop, &other_stop);
        raise(SIGBUS);
        raise(SIGBUS); /* the first one took the handler away */
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_guard__what_is_gone_is_zero_and_told),
        cmocka_unit_test(test_map_guard__another_bus_error_ends_the_program),
    };
    return cmocka_run_group_tests_name("map_guard", tests, testing_make_folder,
                                       testing_remove_folder);
}
