/* files/file.h: folders on the way to a file, and where attn remembers things. */
#include "testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"

static char base[64];

static int make_base(void **state)
{
    (void)state;
    snprintf(base, sizeof base, "/tmp/attn-folder-XXXXXX");
    return mkdtemp(base) == NULL;
}

static int remove_base(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", base);
    return system(command); /* NOLINT: a name of our own */
}

static const char *inside(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", base, name);
    return path;
}

static mode_t mode_of(const char *name)
{
    struct stat info;
    assert_int_equal(stat(inside(name), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    return info.st_mode & 0777;
}

static void test_folder__parents_are_made_and_the_file_is_not(void **state)
{
    (void)state;
    umask(022);
    assert_int_equal(folder_make_parents(inside("a/b//c"), true), 0);
    assert_int_equal(mode_of("a/b"), 0700);
    assert_int_equal(access(inside("a/b/c"), F_OK), -1);
    assert_int_equal(folder_make_parents(inside("a/d/c"), false), 0);
    assert_int_equal(mode_of("a"), 0700); /* it was there */
    assert_int_equal(mode_of("a/d"), 0755);
    assert_int_equal(folder_make_parents(inside("a/d/c"), false), 0);
}

static void test_folder__nothing_to_make(void **state)
{
    (void)state;
    assert_int_equal(folder_make_parents("name", false), 0);
    assert_int_equal(folder_make_parents("/name", false), 0);
    assert_int_equal(folder_make_parents("", false), ENOENT);
}

static void test_folder__file_in_the_way(void **state)
{
    (void)state;
    FILE *file = fopen(inside("taken"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(folder_make_parents(inside("taken/x"), false), ENOTDIR);
    assert_int_equal(folder_make_parents(inside("taken/deeper/x"), false), ENOTDIR);
}

/* Where folders can't be made, those that are there will do. */
static void test_folder__of_the_system(void **state)
{
    (void)state;
    assert_int_equal(folder_make_parents("/proc/self/x", false), 0);
    assert_int_not_equal(folder_make_parents("/proc/none/x", false), 0);
}

static void test_folder__state(void **state)
{
    (void)state;
    char path[64];
    setenv("HOME", "/home/anna", 1);
    unsetenv("XDG_STATE_HOME");
    assert_true(folder_state_path("f", path, sizeof path));
    assert_string_equal(path, "/home/anna/.local/state/attn/f");
    setenv("XDG_STATE_HOME", "relative", 1);
    assert_true(folder_state_path("f", path, sizeof path));
    assert_string_equal(path, "/home/anna/.local/state/attn/f");
    setenv("XDG_STATE_HOME", "/state", 1);
    assert_true(folder_state_path("f", path, sizeof path));
    assert_string_equal(path, "/state/attn/f");
    assert_false(folder_state_path("f", path, strlen("/state/attn/f")));
    setenv("XDG_STATE_HOME", "", 1);
    setenv("HOME", "", 1);
    assert_false(folder_state_path("f", path, sizeof path));
}

static void test_folder__memory_may_run_out(void **state)
{
    (void)state;
    testing_fail_allocation(1);
    int problem = folder_make_parents(inside("a/b"), false);
    testing_fail_allocation(0);
    assert_int_equal(problem, ENOMEM);
}

/* Root may write anywhere, so that no test is made of permissions. */
static void test_folder__what_can_be_filled(void **state)
{
    (void)state;
    FILE *file = fopen(inside("file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(folder_can_be_filled(base), 0);
    assert_int_equal(folder_can_be_filled(inside("new")), 0);
    assert_int_equal(folder_can_be_filled(inside("new/deep//er/")), 0);
    assert_int_equal(folder_can_be_filled(inside("file")), ENOTDIR);
    assert_int_equal(folder_can_be_filled(inside("file/deeper")), ENOTDIR);
    assert_int_equal(access(inside("new"), F_OK), -1); /* nothing is made */
    assert_int_equal(folder_can_be_filled("."), access(".", W_OK) == 0 ? 0 : EACCES);
    assert_int_equal(folder_can_be_filled("a-name"), folder_can_be_filled("."));
    assert_int_equal(folder_can_hold(inside("new")), 0);
    assert_int_equal(folder_can_hold(inside("new/file")), ENOENT);
    assert_int_equal(folder_can_hold(inside("file/file")), ENOTDIR);
    assert_int_equal(folder_can_hold("x"), folder_can_be_filled("."));
}

/* 4194304 is the largest number that Linux gives a process, and never given. */
static void test_folder__leftovers_of_the_dead_are_cleared(void **state)
{
    (void)state;
    char own[64];
    snprintf(own, sizeof own, ".attn-%ld-0", (long)getpid());
    const char *const names[] = {".attn-4194304-0", ".attn-x-0", ".attn-4194304", "kept", own};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = fopen(inside(names[i]), "w");
        assert_non_null(file);
        fclose(file);
    }
    folder_clear_leftovers(base);
    folder_clear_leftovers(inside("kept"));
    assert_int_equal(access(inside(names[0]), F_OK), -1);
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        assert_int_equal(access(inside(names[i]), F_OK), 0);
}

#define BASE_TEST(test) cmocka_unit_test_setup_teardown(test, make_base, remove_base)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BASE_TEST(test_folder__parents_are_made_and_the_file_is_not),
        BASE_TEST(test_folder__nothing_to_make),
        BASE_TEST(test_folder__file_in_the_way),
        BASE_TEST(test_folder__of_the_system),
        BASE_TEST(test_folder__state),
        BASE_TEST(test_folder__what_can_be_filled),
        BASE_TEST(test_folder__leftovers_of_the_dead_are_cleared),
        BASE_TEST(test_folder__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
