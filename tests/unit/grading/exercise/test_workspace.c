/* exercise/workspace.h and exercise/task.h: a learner's folder, and what is in it. */
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exercise/task.h"
#include "exercise/workspace.h"
#include "show/backend.h"

static char first_starter[] = "float first(size_t n);\n/* TODO */\n";
static char second_starter[] = "void second_one(float *x);\n";
static char first_task[] =
    "# First\n\nAdd:\n\n```attn\na = [1,\n  2]\na + 1 # more\n```\n\nThat is it.\n";
static char second_task[] = "# Second\n";

/* Two exercises, without files of their own. */
struct pair {
    struct exercise first, second;
    struct exercise *items[2];
    struct exercises all;
};

static void make_pair(struct pair *pair)
{
    struct error error;
    *pair = (struct pair){
        .first = {.id = "first",
                  .number = 1,
                  .folder_name = "01-first",
                  .starter_name = "first.c",
                  .starter = first_starter,
                  .task = first_task},
        .second = {.id = "second-one",
                   .number = 12,
                   .folder_name = "12-second-one",
                   .starter_name = "second_one.c",
                   .starter = second_starter,
                   .task = second_task},
    };
    assert_true(prototype_parse("float first(size_t n);", &pair->first.prototype, &error));
    assert_true(prototype_parse("void second_one(float *x);", &pair->second.prototype, &error));
    pair->items[0] = &pair->first;
    pair->items[1] = &pair->second;
    pair->all = (struct exercises){.items = pair->items, .n = 2};
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/attn-workspace-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); /* NOLINT: a name of our own */
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *content)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static const char *get_file(const char *name)
{
    static char content[8192];
    FILE *file = fopen(path_of(name), "r");
    if (file == NULL)
        return "(missing)";
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    return content;
}

static void assert_holds(const char *name, const char *part)
{
    if (strstr(get_file(name), part) == NULL)
        fail_msg("%s does not hold \"%s\" but: %s", name, part, get_file(name));
}

static struct workspace_report must_start(const struct exercises *exercises, const char *name)
{
    struct workspace_report report;
    struct error error;
    if (!workspace_start(exercises, path_of(name), NULL, &report, &error))
        fail_msg("%s", error.text);
    return report;
}

/* README.md, compile_flags.txt, .clangd, and for each exercise a starter, a header, a task. */
enum { FILES_OF_TWO = 4 + 2 * 3 };

static void test_workspace__files_are_there(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    struct workspace_report report = must_start(&pair.all, "deep/inside/here");
    assert_int_equal(report.n_written, FILES_OF_TWO);
    assert_int_equal(report.n_kept, 0);
    assert_string_equal(get_file("deep/inside/here/01_first.c"), first_starter);
    assert_string_equal(get_file("deep/inside/here/12_second_one.c"), second_starter);
    assert_holds("deep/inside/here/headers/01_first.h", "float first(size_t n);");
    assert_holds("deep/inside/here/headers/12_second_one.h", "void second_one(float *x);");
    assert_holds("deep/inside/here/compile_flags.txt", "-std=c17");
    assert_holds("deep/inside/here/README.md", "attn watch");
}

/* Each file's own prototype, so that helpers may be called like other exercises. */
static void test_workspace__editor_knows_each_prototype(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    must_start(&pair.all, ".");
    assert_string_equal(get_file(".clangd"), "If:\n"
                                             "  PathMatch: (.*/)?01_first\\.c\n"
                                             "CompileFlags:\n"
                                             "  Add: [-include, headers/01_first.h]\n"
                                             "---\n"
                                             "If:\n"
                                             "  PathMatch: (.*/)?12_second_one\\.c\n"
                                             "CompileFlags:\n"
                                             "  Add: [-include, headers/12_second_one.h]\n");
}

static void test_workspace__nothing_is_overwritten(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    put_file("01_first.c", "mine");
    put_file("README.md", "");
    struct workspace_report report = must_start(&pair.all, ".");
    assert_int_equal(report.n_written, FILES_OF_TWO - 2);
    assert_int_equal(report.n_kept, 2);
    assert_string_equal(get_file("01_first.c"), "mine");
    assert_string_equal(get_file("README.md"), "");
    report = must_start(&pair.all, ".");
    assert_int_equal(report.n_written, 0);
    assert_int_equal(report.n_kept, FILES_OF_TWO);
}

static void test_workspace__links_are_not_followed(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    put_file("elsewhere", "mine");
    assert_int_equal(symlink("elsewhere", path_of("01_first.c")), 0);
    assert_int_equal(symlink("nowhere", path_of("12_second_one.c")), 0);
    must_start(&pair.all, ".");
    assert_string_equal(get_file("elsewhere"), "mine");
    assert_string_equal(get_file("nowhere"), "(missing)");
}

static void test_workspace__file_in_the_way_is_named(void **state)
{
    (void)state;
    struct pair pair;
    struct workspace_report report;
    struct error error;
    make_pair(&pair);
    put_file("taken", "mine");
    assert_error(workspace_start(&pair.all, path_of("taken"), NULL, &report, &error), error,
                 ERR_FILE);
    assert_says(error, "taken/README.md: can't be written");
    assert_string_equal(get_file("taken"), "mine");
}

/* Runs in a child, where no file may grow beyond 10 bytes. */
static int try_small_disk(const struct exercises *exercises)
{
    struct workspace_report report;
    struct error error;
    struct rlimit limit = {.rlim_cur = 10, .rlim_max = 10};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    return workspace_start(exercises, folder, NULL, &report, &error) ||
           strstr(error.text, "README.md: can't be written") == NULL;
}

static void test_workspace__full_disk_leaves_no_half_file(void **state)
{
    (void)state;
    struct pair pair;
    int status;
    make_pair(&pair);
    pid_t child = fork();
    if (child == 0)
        _exit(try_small_disk(&pair.all));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(get_file("README.md"), "(missing)");
}

static void test_workspace__memory_may_run_out(void **state)
{
    (void)state;
    struct pair pair;
    struct workspace_report report;
    struct error error;
    make_pair(&pair);
    assert_reports_failed_allocations(
        workspace_start(&pair.all, path_of("w"), NULL, &report, &error), error);
}

/* Resetting. */

static char *must_reset(const struct exercise *exercise, const char *name)
{
    char *backup = (char *)"unset";
    struct error error;
    if (!workspace_reset(exercise, path_of(name), &backup, &error))
        fail_msg("%s", error.text);
    return backup;
}

static void test_reset__what_was_there_is_kept(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    put_file("01_first.c", "one");
    char *backup = must_reset(&pair.first, "01_first.c");
    assert_string_equal(backup, path_of("01_first.c.1.bak"));
    free(backup);
    assert_string_equal(get_file("01_first.c"), first_starter);
    assert_string_equal(get_file("01_first.c.1.bak"), "one");
    put_file("01_first.c", "two");
    backup = must_reset(&pair.first, "01_first.c");
    assert_string_equal(backup, path_of("01_first.c.2.bak"));
    free(backup);
    assert_string_equal(get_file("01_first.c.1.bak"), "one");
    assert_string_equal(get_file("01_first.c.2.bak"), "two");
}

static void test_reset__nothing_there_needs_no_backup(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    assert_null(must_reset(&pair.first, "01_first.c"));
    assert_string_equal(get_file("01_first.c"), first_starter);
    assert_string_equal(get_file("01_first.c.1.bak"), "(missing)");
}

static void test_reset__missing_folder_is_an_error(void **state)
{
    (void)state;
    struct pair pair;
    char *backup = NULL;
    struct error error;
    make_pair(&pair);
    assert_error(workspace_reset(&pair.first, path_of("no/01_first.c"), &backup, &error), error,
                 ERR_FILE);
    assert_says(error, "no/01_first.c: can't be written");
}

static void test_reset__memory_may_run_out(void **state)
{
    (void)state;
    struct pair pair;
    char *backup = NULL;
    struct error error;
    make_pair(&pair);
    put_file("01_first.c", "mine");
    assert_reports_failed_allocations(
        workspace_reset(&pair.first, path_of("01_first.c"), &backup, &error), error);
    free(backup);
    assert_string_equal(get_file("01_first.c"), first_starter);
    assert_holds("01_first.c.1.bak", "mine");
}

/* Tasks. */

static void test_task__blocks_become_sessions(void **state)
{
    (void)state;
    struct pair pair;
    struct text text = {0};
    struct error error;
    make_pair(&pair);
    assert_true(task_write(&pair.first, NULL, &text, &error));
    assert_string_equal(text_string(&text), "# First\n\nAdd:\n\n"
                                            "```console\n"
                                            "attn> a = [1,\n"
                                            "  ...   2]\n"
                                            "attn> a + 1 # more\n"
                                            "2  3\n"
                                            "```\n\nThat is it.\n");
    text_release(&text);
}

static void test_task__other_blocks_stay(void **state)
{
    (void)state;
    struct pair pair;
    struct text text = {0};
    struct error error;
    char task[] = "```c\n# no heading\n```\n```\n```attn\n```\nlast line without an end";
    make_pair(&pair);
    pair.first.task = task;
    assert_true(task_write(&pair.first, NULL, &text, &error));
    assert_string_equal(text_string(&text), task);
    text_release(&text);
}

static void test_task__faults_are_named(void **state)
{
    (void)state;
    struct pair pair;
    struct text text = {0};
    struct error error;
    char task[] = "Line one.\n```attn\na + 1\n```\n";
    make_pair(&pair);
    pair.first.task = task;
    assert_error(task_write(&pair.first, NULL, &text, &error), error, ERR_NAME);
    assert_says(error, "01-first/task.md, block at line 2: a: no such name");
    text_release(&text);
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(test_workspace__files_are_there),
        FOLDER_TEST(test_workspace__editor_knows_each_prototype),
        FOLDER_TEST(test_workspace__nothing_is_overwritten),
        FOLDER_TEST(test_workspace__links_are_not_followed),
        FOLDER_TEST(test_workspace__file_in_the_way_is_named),
        FOLDER_TEST(test_workspace__full_disk_leaves_no_half_file),
        FOLDER_TEST(test_workspace__memory_may_run_out),
        FOLDER_TEST(test_reset__what_was_there_is_kept),
        FOLDER_TEST(test_reset__nothing_there_needs_no_backup),
        FOLDER_TEST(test_reset__missing_folder_is_an_error),
        FOLDER_TEST(test_reset__memory_may_run_out),
        cmocka_unit_test(test_task__blocks_become_sessions),
        cmocka_unit_test(test_task__other_blocks_stay),
        cmocka_unit_test(test_task__faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
