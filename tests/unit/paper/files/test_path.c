/* files/file.h: paths taken apart and put together. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/file.h"

static void test_base_name__follows_the_last_slash(void **state)
{
    (void)state;
    assert_string_equal(path_base_name("a/b/c.npy"), "c.npy");
    assert_string_equal(path_base_name("/c.npy"), "c.npy");
    assert_string_equal(path_base_name("c.npy"), "c.npy");
    assert_string_equal(path_base_name("a/"), "");
    assert_string_equal(path_base_name(""), "");
}

static void test_join__names_in_this_folder_stand_alone(void **state)
{
    char path[16];
    (void)state;
    assert_true(path_join(path, sizeof path, "a/b", "c"));
    assert_string_equal(path, "a/b/c");
    assert_true(path_join(path, sizeof path, ".", "c"));
    assert_string_equal(path, "c");
}

static void test_join__what_does_not_fit(void **state)
{
    char path[6];
    (void)state;
    assert_true(path_join(path, sizeof path, "abc", "d"));
    assert_string_equal(path, "abc/d");
    assert_false(path_join(path, sizeof path, "abc", "de"));
    assert_false(path_join(path, sizeof path, ".", "abcdef"));
    assert_false(path_join(path, sizeof path, ".", ""));
}

static void test_what_is_there(void **state)
{
    char folder[] = "/tmp/attn-path-XXXXXX", file[64], link[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(path_join(file, sizeof file, folder, "file"));
    assert_true(path_join(link, sizeof link, folder, "link"));
    assert_false(path_is_file(file));
    assert_false(path_is_folder(file));
    FILE *made = fopen(file, "w");
    assert_non_null(made);
    fclose(made);
    assert_int_equal(symlink(folder, link), 0);
    assert_true(path_is_file(file));
    assert_false(path_is_folder(file));
    assert_true(path_is_folder(folder));
    assert_false(path_is_file(folder));
    assert_true(path_is_folder(link));
    unlink(link);
    unlink(file);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_name__follows_the_last_slash),
        cmocka_unit_test(test_join__names_in_this_folder_stand_alone),
        cmocka_unit_test(test_join__what_does_not_fit),
        cmocka_unit_test(test_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
