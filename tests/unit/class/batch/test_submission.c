/* judge/class/submission.h: finding learners' files and reading them. */
#include "testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "batch/submission.h"
#include "result/source.h"

/* Every test has a folder of its own, where it stands. */
static char place[64];

static int enter_place(void **state)
{
    (void)state;
    snprintf(place, sizeof place, "/tmp/attn-submission-XXXXXX");
    return mkdtemp(place) == NULL || chdir(place) != 0;
}

static int leave_place(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return chdir("/") != 0 || system(command) != 0; /* NOLINT: a name of our own */
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void touch(const char *path)
{
    write_file(path, "x\n", 2);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
}

/* Two exercises are enough to be taken for one another. */
static struct exercise dot = {
    .id = "dot", .number = 1, .folder_name = "01-dot", .prototype = {.function = "dot"}};
static struct exercise rows = {.id = "softmax-rows",
                               .number = 4,
                               .folder_name = "04-softmax-rows",
                               .prototype = {.function = "softmax_rows"}};
static struct exercise *all[] = {&dot, &rows};
static const struct exercises exercises = {.items = all, .n = 2};

static bool find_all(char **paths, size_t n_paths, const struct exercise *exercise,
                     const char *student, struct submissions *ret, struct error *reterr)
{
    struct submissions_wanted wanted = {.paths = paths,
                                        .n_paths = n_paths,
                                        .exercises = &exercises,
                                        .exercise = exercise,
                                        .student = student};
    return submissions_find(&wanted, ret, reterr);
}

static struct submissions find(char *path, const struct exercise *exercise)
{
    struct submissions found;
    struct error error;
    if (!find_all(&path, 1, exercise, NULL, &found, &error))
        fail_msg("%s", error.text);
    return found;
}

static void assert_found(const struct submissions *found, size_t i, const char *path,
                         const char *student, const struct exercise *exercise)
{
    assert_true(i < found->n);
    assert_string_equal(found->items[i].path, path);
    assert_string_equal(found->items[i].student, student);
    assert_ptr_equal(found->items[i].exercise, exercise);
}

static void test_submissions__a_file(void **state)
{
    (void)state;
    touch("softmax_rows.c");
    touch("mine.c");
    struct submissions found = find("softmax_rows.c", NULL);
    assert_int_equal(found.n, 1);
    assert_found(&found, 0, "softmax_rows.c", "", &rows);
    submissions_release(&found);
    found = find("mine.c", NULL); /* given itself: kept, and it will be told */
    assert_int_equal(found.n, 1);
    assert_found(&found, 0, "mine.c", "", NULL);
    submissions_release(&found);
    found = find("mine.c", &dot);
    assert_found(&found, 0, "mine.c", "", &dot);
    submissions_release(&found);
}

/* The order in which a folder gives its files is nobody's choice: names decide. */
static void test_submissions__so_many_of_a_student_and_no_more(void **state)
{
    (void)state;
    char name[64];
    char *paths[] = {"class"};
    struct error error;
    struct submissions found;
    make_folder("class");
    make_folder("class/eve");
    make_folder("class/anna");
    touch("class/anna/dot.c");
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "class/eve/%03d_dot.c", (i * 7) % 60);
        touch(name);
        snprintf(name, sizeof name, "class/eve/000_other%03d.c", i);
        touch(name);
    }
    struct submissions_wanted wanted = {
        .paths = paths, .n_paths = 1, .exercises = &exercises, .max_files = 5};
    assert_true(submissions_find(&wanted, &found, &error));
    assert_int_equal(found.n, 6);
    assert_found(&found, 0, "class/anna/dot.c", "anna", &dot);
    assert_found(&found, 1, "class/eve/000_dot.c", "eve", &dot);
    assert_found(&found, 5, "class/eve/004_dot.c", "eve", &dot);
    assert_int_equal(found.n_crowds, 1);
    assert_string_equal(found.crowds[0].folder, "class/eve");
    assert_string_equal(found.crowds[0].last, "class/eve/004_dot.c");
    assert_int_equal(found.crowds[0].n_kept, 5);
    assert_int_equal(found.crowds[0].n_left_out, 55);
    assert_int_equal(found.n_left_out, 5);
    assert_int_equal(found.n_unlisted, 55);
    submissions_release(&found);
    paths[0] = "class/eve"; /* whose it is says --student */
    wanted.student = "eve";
    assert_true(submissions_find(&wanted, &found, &error));
    assert_int_equal(found.n, 5);
    assert_int_equal(found.n_crowds, 1);
    submissions_release(&found);
    wanted.max_files = 60;
    assert_true(submissions_find(&wanted, &found, &error));
    assert_int_equal(found.n, 60);
    assert_int_equal(found.n_crowds, 0);
    submissions_release(&found);
}

static void test_submissions__a_folder_of_files(void **state)
{
    (void)state;
    make_folder("hand-in");
    touch("hand-in/zoe_dot.c");
    touch("hand-in/anna-softmax_rows.c");
    touch("hand-in/notes.txt");
    touch("hand-in/.dot.c");
    touch("hand-in/other.c");
    struct submissions found = find("hand-in//", NULL);
    assert_int_equal(found.n, 2);
    assert_found(&found, 0, "hand-in/anna-softmax_rows.c", "anna", &rows);
    assert_found(&found, 1, "hand-in/zoe_dot.c", "zoe", &dot);
    assert_int_equal(found.n_left_out, 1);
    assert_string_equal(found.left_out[0], "hand-in/other.c");
    submissions_release(&found);
}

static void test_submissions__a_folder_for_each_student(void **state)
{
    (void)state;
    make_folder("class");
    make_folder("class/b\nob");
    make_folder("class/anna");
    make_folder("class/carl");
    make_folder("class/anna/deeper");
    make_folder("class/.git");
    touch("class/b\nob/dot.c");
    touch("class/anna/dot.c");
    touch("class/anna/softmax_rows.c");
    touch("class/anna/deeper/dot.c");
    touch("class/.git/dot.c");
    struct submissions found = find("class", NULL);
    assert_int_equal(found.n, 4);
    assert_found(&found, 0, "class/anna/deeper/dot.c", "anna", &dot);
    assert_found(&found, 1, "class/anna/dot.c", "anna", &dot);
    assert_found(&found, 2, "class/anna/softmax_rows.c", "anna", &rows);
    assert_found(&found, 3, "class/b\nob/dot.c", "b\\x0aob", &dot);
    assert_string_equal(found.items[3].name, "class/b\\x0aob/dot.c");
    assert_int_equal(found.n_left_out, 1); /* nobody is forgotten silently */
    assert_string_equal(found.left_out[0], "class/carl");
    submissions_release(&found);
    /* Of whole folders, one exercise's files. */
    found = find("class", &rows);
    assert_int_equal(found.n, 1);
    assert_found(&found, 0, "class/anna/softmax_rows.c", "anna", &rows);
    submissions_release(&found);
}

static void test_submissions__odd_files_are_kept_for_their_verdict(void **state)
{
    (void)state;
    make_folder("class");
    make_folder("class/anna");
    make_folder("secret");
    touch("secret/dot.c");
    assert_int_equal(symlink("/etc/passwd", "class/anna/dot.c"), 0);
    assert_int_equal(mkfifo("class/anna/softmax_rows.c", 0644), 0);
    assert_int_equal(symlink("../secret", "class/bob"), 0);
    make_folder("class/anna/x_dot.c");
    struct submissions found = find("class", NULL);
    assert_int_equal(found.n, 4);
    assert_found(&found, 0, "class/anna/dot.c", "anna", &dot);
    assert_found(&found, 1, "class/anna/softmax_rows.c", "anna", &rows);
    assert_found(&found, 2, "class/anna/x_dot.c", "anna", &dot);
    assert_found(&found, 3, "class/bob", "bob", NULL); /* not followed */
    submissions_release(&found);
}

static void test_submissions__each_once_and_in_order(void **state)
{
    (void)state;
    make_folder("class");
    touch("class/b_dot.c");
    touch("class/a_dot.c");
    struct submissions found;
    struct error error;
    char *paths[] = {"class/b_dot.c", "class", "class/"};
    assert_true(find_all(paths, 3, NULL, NULL, &found, &error));
    assert_int_equal(found.n, 2);
    assert_found(&found, 0, "class/a_dot.c", "a", &dot);
    assert_found(&found, 1, "class/b_dot.c", "b", &dot);
    submissions_release(&found);
}

/* Of one student, however the class is laid out: the same files as in the whole class. */
static void test_submissions__of_one_student(void **state)
{
    (void)state;
    struct submissions found;
    struct error error;
    char *paths[] = {"class/anna"};
    make_folder("class");
    make_folder("class/anna");
    make_folder("class/anna/deeper");
    touch("class/anna/dot.c");
    touch("class/anna/deeper/dot.c");
    assert_true(find_all(paths, 1, NULL, "Anna", &found, &error));
    assert_int_equal(found.n, 2);
    assert_found(&found, 0, "class/anna/deeper/dot.c", "Anna", &dot);
    assert_found(&found, 1, "class/anna/dot.c", "Anna", &dot);
    submissions_release(&found);
}

static void test_submissions__of_the_folder_here(void **state)
{
    (void)state;
    touch("-dot.c");
    touch("dot.c");
    struct submissions found = find(".", NULL);
    assert_int_equal(found.n, 2);
    assert_found(&found, 0, "-dot.c", "", &dot);
    assert_found(&found, 1, "dot.c", "", &dot);
    submissions_release(&found);
}

static void test_submissions__a_path_that_is_not_there(void **state)
{
    (void)state;
    struct submissions found;
    struct error error;
    char *paths[] = {"no\x1bwhere"};
    assert_error(find_all(paths, 1, NULL, NULL, &found, &error), error, ERR_FILE);
    assert_says(error, "no?where");
}

static bool find_again(struct error *reterr)
{
    struct submissions found;
    char *paths[] = {"class"};
    bool ok = find_all(paths, 1, NULL, NULL, &found, reterr);
    if (ok)
        submissions_release(&found);
    return ok;
}

static void test_submissions__without_memory(void **state)
{
    (void)state;
    struct error error;
    make_folder("class");
    make_folder("class/anna");
    touch("class/anna/dot.c");
    touch("class/anna/what.c");
    assert_reports_failed_allocations(find_again(&error), error);
}

/* Reading. */

static void assert_unread(const char *path, const char *wanted)
{
    struct text text = {0};
    const char *why = NULL;
    assert_false(source_read(path, 100, &text, &why));
    assert_non_null(why);
    assert_string_equal(why, wanted);
    assert_null(text.bytes);
}

static void test_submission_read__a_file(void **state)
{
    (void)state;
    struct text text = {0};
    const char *why = NULL;
    write_file("a.c", "float x;\r\n\xff", 11);
    assert_true(source_read("a.c", 11, &text, &why)); /* exactly as long as allowed */
    assert_int_equal(text.size, 11);
    assert_memory_equal(text.bytes, "float x;\r\n\xff", 11);
    write_file("empty.c", "", 0);
    assert_true(source_read("empty.c", 11, &text, &why));
    assert_int_equal(text.size, 0);
    text_release(&text);
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

static void test_submission_read__refuses_what_is_no_plain_file(void **state)
{
    (void)state;
    char large[101];
    memset(large, ' ', sizeof large);
    write_file("large.c", large, sizeof large);
    write_file("nul.c", "a\0b", 3);
    write_file("little.c",
               "\xff\xfe"
               "a\0",
               4); /* as PowerShell's > writes */
    write_file("big.c",
               "\xfe\xff"
               "\0a",
               4);
    touch("real.c");
    assert_int_equal(symlink("real.c", "link.c"), 0);
    assert_int_equal(symlink("nothing", "dangling.c"), 0);
    assert_int_equal(mkfifo("fifo.c", 0644), 0);
    make_folder("folder.c");
    make_socket("socket.c");
    assert_unread("large.c", "too large");
    assert_unread("nul.c", "NUL byte");
    assert_unread("little.c", "UTF-16: save it as UTF-8");
    assert_unread("big.c", "UTF-16: save it as UTF-8");
    assert_unread("link.c", "symlink");
    assert_unread("dangling.c", "symlink");
    assert_unread("fifo.c", "not a regular file"); /* and it does not wait for a writer */
    assert_unread("folder.c", "not a regular file");
    assert_unread("socket.c", "not a regular file");
    assert_unread("/dev/zero", "not a regular file");
    assert_unread("none.c", "missing");
    assert_unread("real.c/none.c", "missing");
}

static void test_submission_read__a_file_that_may_not_be_read(void **state)
{
    (void)state;
    touch("shut.c");
    assert_int_equal(chmod("shut.c", 0), 0);
    if (access("shut.c", R_OK) == 0)
        skip(); /* root may */
    assert_unread("shut.c", "unreadable");
}

/* A sparse file that says it is small is not what counts, but what comes out of it: /proc files
 * have the size 0. */
static void test_submission_read__counts_what_it_reads(void **state)
{
    (void)state;
    struct text text = {0};
    const char *why = NULL;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    assert_false(source_read("/proc/self/status", 100, &text, &why));
    assert_string_equal(why, "too large");
}

static void test_submission_read__without_memory(void **state)
{
    (void)state;
    struct text text = {0};
    const char *why = "?";
    touch("a.c");
    testing_fail_allocation(1);
    assert_false(source_read("a.c", 100, &text, &why));
    testing_fail_allocation(0);
    assert_string_equal(why, SOURCE_NO_MEMORY);
}

#define in_place(test) cmocka_unit_test_setup_teardown(test, enter_place, leave_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_place(test_submissions__a_file),
        in_place(test_submissions__so_many_of_a_student_and_no_more),
        in_place(test_submissions__a_folder_of_files),
        in_place(test_submissions__a_folder_for_each_student),
        in_place(test_submissions__odd_files_are_kept_for_their_verdict),
        in_place(test_submissions__each_once_and_in_order),
        in_place(test_submissions__of_one_student),
        in_place(test_submissions__of_the_folder_here),
        in_place(test_submissions__a_path_that_is_not_there),
        in_place(test_submissions__without_memory),
        in_place(test_submission_read__a_file),
        in_place(test_submission_read__refuses_what_is_no_plain_file),
        in_place(test_submission_read__a_file_that_may_not_be_read),
        in_place(test_submission_read__counts_what_it_reads),
        in_place(test_submission_read__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
