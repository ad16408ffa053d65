/* sandbox/box_portable.c: the box of systems that have no layers but limits. Its functions, and
 * those of the other files of its kind, are linked into this program, and take the place of Linux's
 * own wherever the sandbox calls them. */
#define _GNU_SOURCE
#include "box_testing.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/box.h"
#include "sandbox/boxed_command.h"
#include "sandbox/system.h"

static void test_box_portable__has_limits_and_no_other_layer(void **state)
{
    struct text reasons = {0};
    struct deed deed;
    struct box *box;
    struct error error;
    (void)state;
    assert_int_equal(layers_available(&reasons), LAYER_RLIMITS);
    assert_non_null(strstr(text_string(&reasons), "seccomp: attn has this on Linux only\n"));
    assert_int_equal(layers_isolation(LAYER_RLIMITS), ISOLATION_WEAK);
    text_release(&reasons);
    deed_init(&deed, BOX_RUN, LAYER_RLIMITS | LAYER_SECCOMP, "exit", "0");
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_FILE);
    deed_init(&deed, BOX_RUN, LAYER_RLIMITS, "exit", "0");
    deed.plan.n_fds = 2;
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_RANGE);
}

static void test_box_portable__the_end_is_told(void **state)
{
    (void)state;
    assert_deed_ends(BOX_RUN, LAYER_RLIMITS, "exit", "0", "exited_early exit code 0");
    assert_deed_ends(BOX_RUN, LAYER_RLIMITS, "exit", "3", "exited_early exit code 3");
    assert_deed_ends(BOX_RUN, LAYER_RLIMITS, "raise", "11", "crash SIGSEGV");
    assert_deed_ends(BOX_RUN, LAYER_RLIMITS, "raise", "9", "crash SIGKILL");
}

static void test_box_portable__a_file_that_is_no_program_is_told(void **state)
{
    struct deed deed;
    char verdict[128];
    int text = open("/tmp", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    (void)state;
    assert_int_equal(write(text, "no program\n", 11), 11);
    deed_init(&deed, BOX_RUN, LAYER_RLIMITS, "exit", "0");
    deed.plan.program_fd = text;
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "exited_early exit code 126");
    deed_init(&deed, BOX_COMPILE, LAYER_RLIMITS, "exit", "0");
    deed.plan.path = "/usr/bin/there-is-no-such-compiler";
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "internal_error the program: No such file");
    close(text);
}

static void test_box_portable__limits_hold(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "dup", NULL, "16");
    deed_init(&deed, BOX_RUN, LAYER_RLIMITS, "spin", NULL);
    deed.plan.limits.cpu_s = 1;
    deed.plan.limits.wall_ms = 120000; /* a busy machine gives it a second when it can */
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "time_limit cpu");
    deed_init(&deed, BOX_RUN, LAYER_RLIMITS, "spin", NULL);
    deed.plan.limits.wall_ms = 100;
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "time_limit wall");
    assert_deed_says(BOX_SANITIZER, LAYER_RLIMITS, "fill", NULL, "1048576");
    if (geteuid() != 0) /* whom the limit of processes does not bind */
        assert_deed_says(BOX_RUN, LAYER_RLIMITS, "fork", NULL, "0");
}

static void test_box_portable__only_the_plans_descriptors_are_there(void **state)
{
    int mine = open("/dev/null", O_RDONLY); /* not closed on its own */
    (void)state;
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "fds", NULL, "0 1 2 ");
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "environment", NULL, "0");
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "input", NULL, "0");
    close(mine);
}

/* Runs "out" in a box that lets the file out; its descriptor. */
static int fetch(const char *what, size_t max_size)
{
    struct deed deed;
    struct box_file out = {.name = "out", .max_size = max_size, .fd = 77};
    deed_init(&deed, BOX_SANITIZER, LAYER_RLIMITS, "out", what);
    deed.plan.out = &out;
    deed.plan.n_out = 1;
    deed_run(&deed);
    assert_deed(&deed, deed.said, "ok");
    return out.fd;
}

static void test_box_portable__files_go_in_and_come_out(void **state)
{
    struct deed deed;
    char bytes[8] = "";
    int fd = fetch("6", 6);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(read(fd, bytes, sizeof bytes), 6);
    assert_string_equal(bytes, "oooooo");
    close(fd);
    assert_int_equal(fetch("7", 6), -1);
    assert_int_equal(fetch("folder", 6), -1);
    assert_int_equal(fetch("link", 5000), -1);
    assert_int_equal(fetch("pipe", 6), -1);
    deed_init(&deed, BOX_SANITIZER, LAYER_RLIMITS, "show", "note");
    deed.plan.in[deed.plan.n_in++] = (struct box_file){.name = "note", .bytes = "ab\n", .size = 3};
    assert_string_equal(deed_run(&deed), "ab\n");
}

static void test_box_portable__commands_are_ended_with_their_children(void **state)
{
    char *argv[] = {"/bin/sh", "-c", "sleep 30 & echo $!; sleep 30", NULL};
    struct limits limits = limits_default;
    struct boxed_result result;
    struct error error;
    (void)state;
    limits.compile.wall_ms = 300;
    const struct boxed_command command = {.kind = BOX_COMPILE,
                                          .limits = &limits,
                                          .layers = LAYER_RLIMITS,
                                          .path = argv[0],
                                          .argv = argv,
                                          .input = -1};
    long child = 0;
    /* Longer where other programs keep the shell from saying it in time. */
    for (; child == 0 && limits.compile.wall_ms < 40000; limits.compile.wall_ms *= 4) {
        assert_true(boxed_command_run(&command, &result, &error));
        assert_true(result.too_long);
        assert_int_equal(result.end.how, BOX_KILLED);
        child = strtol(text_string(&result.printed), NULL, 10);
        boxed_result_release(&result);
    }
    assert_true(child > 1);
    for (int i = 0; i < 30000 && kill((pid_t)child, 0) == 0; i++)
        poll(NULL, 0, 2); /* it is killed, and taken away by the first process of the machine */
    assert_int_not_equal(kill((pid_t)child, 0), 0);
}

static void test_box_portable__the_program_ends_with_attn(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct deed deed;
        struct box *box;
        deed_init(&deed, BOX_RUN, LAYER_RLIMITS, "spin", NULL);
        deed.plan.fds[1] = deed.plan.fds[2] = ends[1];
        _exit(!box_start(&deed.plan, &box, NULL));
    }
    close(ends[1]);
    int status;
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(status, 0);
    /* Its end is seen when nobody holds the other one any more. */
    struct pollfd output = {.fd = ends[0], .events = POLLIN};
    char byte;
    assert_int_equal(poll(&output, 1, 60000), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

static void test_box_portable__the_calls_beside_boxes_work(void **state)
{
    unsigned char first[16] = {0}, second[16] = {0};
    (void)state;
    assert_true(system_random(first, sizeof first));
    assert_true(system_random(second, sizeof second));
    assert_memory_not_equal(first, second, sizeof first);
}

/* By a path, by the folders of PATH, and not at all. */
static void test_box_portable__the_program_is_found_as_it_was_called(void **state)
{
    char path[SYSTEM_PATH_BYTES], folder[] = "/tmp/attn-test-XXXXXX", program[64], list[128];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/attn-here", folder);
    snprintf(list, sizeof list, "relative:/no-such-folder:%s", folder);
    char *before = strdup(getenv("PATH"));
    setenv("PATH", list, 1);
    assert_null(system_program_path("attn-here", path));
    close(open(program, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    assert_null(system_program_path("attn-here", path));
    assert_null(system_program_path(program, path));
    chmod(program, 0700);
    assert_string_equal(system_program_path("attn-here", path), program);
    assert_string_equal(system_program_path(program, path), program);
    assert_int_equal(chdir(folder), 0);
    assert_string_equal(system_program_path("./attn-here", path), program);
    assert_null(system_program_path(folder, path));
    assert_null(system_program_path("", path));
    assert_int_equal(chdir("/"), 0);
    setenv("PATH", before, 1);
    free(before);
    unlink(program);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_portable__has_limits_and_no_other_layer),
        cmocka_unit_test(test_box_portable__the_end_is_told),
        cmocka_unit_test(test_box_portable__a_file_that_is_no_program_is_told),
        cmocka_unit_test(test_box_portable__limits_hold),
        cmocka_unit_test(test_box_portable__only_the_plans_descriptors_are_there),
        cmocka_unit_test(test_box_portable__files_go_in_and_come_out),
        cmocka_unit_test(test_box_portable__commands_are_ended_with_their_children),
        cmocka_unit_test(test_box_portable__the_program_ends_with_attn),
        cmocka_unit_test(test_box_portable__the_calls_beside_boxes_work),
        cmocka_unit_test(test_box_portable__the_program_is_found_as_it_was_called),
    };
    return run_as_all("box_portable", tests);
}
