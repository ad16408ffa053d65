/* files/saves.h: which files of a folder were saved, however an editor writes them. */
#include "files/saves.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

struct fixture {
    char folder[64];
    struct saves saves;
};

static char *path_of(const struct fixture *fixture, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", fixture->folder, name);
    return path;
}

static void write_file(const struct fixture *fixture, const char *name, const char *text)
{
    char path[128];
    FILE *file = fopen(path_of(fixture, name, path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void setup(struct fixture *fixture)
{
    struct error error;
    snprintf(fixture->folder, sizeof fixture->folder, "/tmp/attn-saves-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    write_file(fixture, "old.c", "int a;\n");
    assert_true(saves_open(fixture->folder, &fixture->saves, &error));
}

static void teardown(struct fixture *fixture)
{
    static const char *const names[] = {"old.c", "new.c", "notes.txt", "old.c~"};
    char path[128];
    saves_close(&fixture->saves);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(fixture, names[i], path));
    rmdir(fixture->folder);
}

/* The saves of one look are exactly these: names with a space after each. */
static void assert_saved(struct fixture *fixture, const char *expected)
{
    char name[SAVES_NAME_BYTES], all[3 * SAVES_NAME_BYTES] = "";
    size_t size = 0;
    struct error error;
    assert_true(saves_look(&fixture->saves, &error));
    while (saves_next(&fixture->saves, name)) {
        size += (size_t)snprintf(all + size, sizeof all - size, "%s ", name);
        assert_true(size < sizeof all);
    }
    assert_string_equal(all, expected);
}

static void test_saves__tell_of_new_and_changed_c_files_once(void **state)
{
    struct fixture fixture = {0};
    (void)state;
    setup(&fixture);
    assert_saved(&fixture, "");
    write_file(&fixture, "notes.txt", "text\n");
    write_file(&fixture, "new.c", "int b;\n");
    assert_saved(&fixture, "new.c ");
    assert_saved(&fixture, "");
    write_file(&fixture, "old.c", "int other;\n");
    assert_saved(&fixture, "old.c ");
    assert_saved(&fixture, "");
    teardown(&fixture);
}

static void test_saves__tell_of_a_file_that_is_renamed_over_another(void **state)
{
    struct fixture fixture = {0};
    char from[128], to[128];
    (void)state;
    setup(&fixture);
    write_file(&fixture, "old.c~", "int a;\n");
    assert_int_equal(rename(path_of(&fixture, "old.c~", from), path_of(&fixture, "old.c", to)), 0);
    assert_saved(&fixture, "old.c ");
    teardown(&fixture);
}

static void test_saves__tell_of_a_file_that_was_written_with_the_same_text(void **state)
{
    struct fixture fixture = {0};
    char path[128];
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)state;
    setup(&fixture);
    assert_int_equal(utimensat(AT_FDCWD, path_of(&fixture, "old.c", path), times, 0), 0);
    assert_saved(&fixture, "old.c ");
    teardown(&fixture);
}

static void test_saves__tell_when_the_folder_has_gone(void **state)
{
    struct fixture fixture = {0};
    struct saves here;
    struct error error;
    char path[128];
    (void)state;
    setup(&fixture);
    int before = open(".", O_RDONLY);
    assert_int_equal(chdir(fixture.folder), 0);
    assert_true(saves_open(".", &here, &error));
    assert_false(here.gone);
    unlink(path_of(&fixture, "old.c", path));
    assert_int_equal(rmdir(fixture.folder), 0);
    assert_true(saves_look(&here, &error));
    assert_true(here.gone); /* although "." can still be opened */
    assert_saved(&fixture, "");
    assert_true(fixture.saves.gone);
    saves_close(&here);
    assert_int_equal(fchdir(before), 0);
    close(before);
    assert_false(saves_open(fixture.folder, &here, &error));
    teardown(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saves__tell_of_new_and_changed_c_files_once),
        cmocka_unit_test(test_saves__tell_of_a_file_that_is_renamed_over_another),
        cmocka_unit_test(test_saves__tell_of_a_file_that_was_written_with_the_same_text),
        cmocka_unit_test(test_saves__tell_when_the_folder_has_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
