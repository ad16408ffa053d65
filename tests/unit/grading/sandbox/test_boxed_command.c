/* sandbox/boxed_command.h: a program in a box, begun and ended apart. */
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "sandbox/boxed_command.h"

/* A shell that copies the file "later" to "out", which has to be of at most 9 bytes. */
static struct boxed_command copying(struct box_file *out)
{
    static char shell[] = "/bin/sh", option[] = "-c", words[] = "cat later >out; echo copied";
    static char *argv[] = {shell, option, words, NULL};
    *out = (struct box_file){.name = "out", .max_size = 9, .fd = -1};
    return (struct boxed_command){.kind = BOX_COMPILE,
                                  .limits = &limits_default,
                                  .layers = layers_available(NULL),
                                  .path = shell,
                                  .argv = argv,
                                  .input = -1,
                                  .late = "later",
                                  .out = out,
                                  .n_out = 1};
}

static void test_boxed_command__starts_with_its_late_file(void **state)
{
    (void)state;
    struct box_file out;
    struct boxed_command command = copying(&out);
    struct boxed_run *run;
    struct boxed_result result;
    struct error error;
    char bytes[16] = "";
    if (!boxed_command_start(&command, &run, &error))
        fail_msg("%s", error.text);
    assert_true(boxed_command_feed(run, "a\0b\nc", 5));
    if (!boxed_command_finish(run, &result, &error))
        fail_msg("%s", error.text);
    assert_true(boxed_result_succeeded(&result));
    assert_string_equal(text_string(&result.printed), "copied\n");
    assert_int_equal(pread(out.fd, bytes, sizeof bytes, 0), 5);
    assert_memory_equal(bytes, "a\0b\nc", 5);
    close(out.fd);
    boxed_result_release(&result);
}

/* More than a socket holds. */
static void test_boxed_command__late_files_are_of_any_size(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20 };
    struct box_file out;
    struct boxed_command command = copying(&out);
    struct boxed_run *run;
    struct boxed_result result;
    struct error error;
    char *bytes = test_calloc(SIZE, 1);
    memset(bytes, 'x', SIZE);
    out.max_size = SIZE;
    assert_true(boxed_command_start(&command, &run, &error));
    assert_true(boxed_command_feed(run, bytes, SIZE));
    assert_true(boxed_command_finish(run, &result, &error));
    assert_int_equal(lseek(out.fd, 0, SEEK_END), SIZE);
    close(out.fd);
    test_free(bytes);
    boxed_result_release(&result);
}

static void test_boxed_command__can_be_given_up(void **state)
{
    (void)state;
    struct error error;
    for (int fed = 0; fed < 2; fed++) {
        struct box_file out;
        struct boxed_command command = copying(&out);
        struct boxed_run *run;
        assert_true(boxed_command_start(&command, &run, &error));
        if (fed)
            assert_true(boxed_command_feed(run, "ab", 2));
        boxed_command_stop(run);
        assert_int_equal(out.fd, -1);
    }
    boxed_command_stop(NULL);
}

/* Without namespaces it is asked to end by a signal, which it holds back until it has its file. */
static void test_boxed_command__can_be_given_up_with_few_layers(void **state)
{
    (void)state;
    struct box_file out;
    struct boxed_command command = copying(&out);
    struct boxed_run *run;
    struct error error;
    command.layers = LAYER_RLIMITS;
    if (!boxed_command_start(&command, &run, &error))
        fail_msg("%s", error.text);
    boxed_command_stop(run);
    assert_int_equal(out.fd, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxed_command__starts_with_its_late_file),
        cmocka_unit_test(test_boxed_command__late_files_are_of_any_size),
        cmocka_unit_test(test_boxed_command__can_be_given_up),
        cmocka_unit_test(test_boxed_command__can_be_given_up_with_few_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
