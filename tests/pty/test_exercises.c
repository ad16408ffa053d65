/* The exercises as a learner meets them, at a terminal of 80 columns and 24 rows: from `attn start`
 * to a solved exercise, with files saved as editors save them. */
#include "screen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* cmocka.h needs the first two. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define SOLVED "Solved"
#define STATUS "save a file to grade it"
#define RIGHT "tests/exercises/01-dot/right/loop.c"
#define WRONG "tests/exercises/01-dot/wrong/only-the-last.c"
#define FILE_1 "attn-exercises/01_dot.c"

static struct screen screen;
static char home[64];

/* Runs attn to its end; returns its exit code. Its last screen stays to be read. */
static int run_on(int rows, const char *const *arguments)
{
    screen_close(&screen);
    screen_open(&screen,
                &(struct screen_options){.rows = rows, .home = home, .arguments = arguments});
    return screen_wait_exit(&screen);
}

#define RUN(...) run_on(24, (const char *const[]){__VA_ARGS__, NULL})

static int open_home(void **state)
{
    (void)state;
    screen_home_new(home);
    return 0;
}

static int close_home(void **state)
{
    (void)state;
    screen_close(&screen);
    screen_home_remove(home);
    return 0;
}

static const char *in_home(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

static const char *in_source(const char *name)
{
    static char path[4096];
    assert_non_null(getenv("ATTN_DATA_DIR"));
    snprintf(path, sizeof path, "%s/%s", getenv("ATTN_DATA_DIR"), name);
    return path;
}

static void copy(const char *from, const char *to)
{
    char bytes[16384];
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    assert_non_null(in);
    assert_non_null(out);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(in);
    fclose(out);
}

/* Saves in place. */
static void save(const char *source)
{
    copy(in_source(source), in_home(FILE_1));
}

static void write_source(const char *source)
{
    FILE *file = fopen(in_home(FILE_1), "w");
    assert_non_null(file);
    fputs(source, file);
    fclose(file);
}

/* Saves as editors do that rename a whole new file over the old one. */
static void save_by_rename(const char *source)
{
    char temporary[300];
    snprintf(temporary, sizeof temporary, "%s~", in_home(FILE_1));
    copy(in_source(source), temporary);
    assert_int_equal(rename(temporary, in_home(FILE_1)), 0);
}

static void must_start(void)
{
    assert_int_equal(RUN("start"), 0);
}

/* Starts watching and waits until it has shown something. */
static void watch(const char *argument)
{
    static const char *arguments[] = {"watch", NULL, NULL};
    arguments[1] = argument;
    screen_close(&screen);
    screen_open(&screen, &(struct screen_options){.home = home, .arguments = arguments});
    screen_wait(&screen, STATUS);
}

static void quit(void)
{
    screen_type(&screen, "q");
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_cooked(&screen));
}

/* Beginning. */

static void test_exercises__start_says_what_to_type_next(void **state)
{
    (void)state;
    must_start();
    assert_true(screen_shows(&screen, "cd attn-exercises"));
    assert_true(screen_shows(&screen, "attn watch"));
    assert_true(screen_shows(&screen, "01_dot.c"));
    assert_int_equal(access(in_home("attn-exercises/01_dot.c"), R_OK), 0);
    assert_int_equal(access(in_home("attn-exercises/tasks/01_dot.md"), R_OK), 0);
    must_start();
    assert_true(screen_shows(&screen, "left as they are"));
}

static void test_exercises__task_is_shown(void **state)
{
    (void)state;
    assert_int_equal(run_on(60, (const char *const[]){"task", "1", NULL}), 0);
    assert_true(screen_shows(&screen, "attn> dot(a, b)"));
    assert_true(screen_shows(&screen, "01_dot.c"));
}

/* Checking. */

static void test_exercises__check_without_a_workspace(void **state)
{
    (void)state;
    assert_int_equal(RUN("check"), 3);
    assert_true(screen_shows(&screen, "attn start makes a folder"));
}

static void test_exercises__check_tells_the_starter(void **state)
{
    (void)state;
    must_start();
    assert_int_equal(RUN("check"), 1);
    assert_true(screen_shows(&screen, "It is still the starter."));
}

static void test_exercises__check_names_the_mistake(void **state)
{
    (void)state;
    must_start();
    save(WRONG);
    assert_int_equal(RUN("check"), 1);
    assert_true(screen_shows(&screen, "only the last"));
    assert_true(screen_shows(&screen, "dot should return"));
}

static void test_exercises__check_passes_by_any_name(void **state)
{
    (void)state;
    must_start();
    save(RIGHT);
    assert_int_equal(RUN("check", "dot"), 0);
    assert_true(screen_shows(&screen, SOLVED));
    assert_int_equal(RUN("check", "1"), 0);
    assert_int_equal(RUN("check", "01_dot.c"), 0);
    assert_int_equal(RUN("check", FILE_1), 0);
    copy(in_source(RIGHT), in_home("anna_dot.c"));
    assert_int_equal(RUN("check", "./anna_dot.c"), 0);
}

static void test_exercises__check_repeats_with_a_seed(void **state)
{
    (void)state;
    must_start();
    save(RIGHT);
    assert_int_equal(RUN("check", "dot", "--seed", "7", "--compiler", "gcc"), 0);
    assert_int_equal(RUN("check", "dot", "--seed", "many"), 2);
}

static void test_exercises__check_knows_wrong_usage(void **state)
{
    (void)state;
    must_start();
    assert_int_equal(RUN("check", "dott"), 2);
    assert_true(screen_shows(&screen, "did you mean dot?"));
    assert_int_equal(RUN("check", "--nonsense"), 2);
    assert_int_equal(RUN("check", "1", "2"), 2);
    assert_int_equal(RUN("check", "./missing/01_dot.c"), 3);
}

static void test_exercises__missing_compiler_is_not_the_learners_fault(void **state)
{
    (void)state;
    must_start();
    save(RIGHT);
    assert_int_equal(RUN("check", "1", "--compiler", "no-such-compiler"), 3);
}

static void test_exercises__compile_error_is_explained(void **state)
{
    (void)state;
    must_start();
    write_source("float dot(size_t n, const float *a, const float *b)\n{\n    return n\n}\n");
    assert_int_equal(RUN("check"), 1);
    assert_true(screen_shows(&screen, "It does not compile."));
    assert_true(screen_shows(&screen, "01_dot.c:3"));
}

/* After the pass. */

static void test_exercises__solutions_come_after_the_pass(void **state)
{
    (void)state;
    must_start();
    assert_int_equal(RUN("solutions", "dot"), 1);
    assert_true(screen_shows(&screen, "not solved yet"));
    save(RIGHT);
    assert_int_equal(RUN("check"), 0);
    assert_true(screen_shows(&screen, "Next: attention-scores, in 02_attention_scores.c"));
    assert_int_equal(RUN("solutions", "dot"), 0);
    assert_true(screen_shows(&screen, "return"));
    assert_int_equal(RUN("exercises"), 0);
    assert_true(screen_shows(&screen, "solved"));
}

/* Watching. */

static void test_watch__red_to_green(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    screen_wait(&screen, "It is still the starter.");
    save(WRONG);
    screen_wait(&screen, "only the last");
    screen_wait(&screen, STATUS);
    assert_true(screen_find_row(&screen, 0, "01_dot.c") == 0); /* from the top, nothing scrolled */
    assert_int_equal(screen_count_rows(&screen, STATUS), 1);
    assert_false(screen_shows(&screen, "It is still the starter."));
    save_by_rename(RIGHT);
    screen_wait(&screen, SOLVED);
    assert_false(screen_shows(&screen, "only the last"));
    quit();
}

static void test_watch__new_files_of_the_folder_count(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    copy(in_source("tests/exercises/04-softmax-rows/right/three_loops.c"),
         in_home("attn-exercises/softmax_rows.c"));
    screen_wait(&screen, SOLVED);
    quit();
}

static void test_watch__unchanged_text_is_not_graded_again(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    save(WRONG);
    screen_wait(&screen, "only the last");
    save(WRONG);
    save_by_rename(WRONG);
    save(RIGHT);
    screen_wait(&screen, SOLVED);
    assert_true(screen_shows(&screen, "Solved in 2 attempts"));
    quit();
}

static void test_watch__keys(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    screen_type(&screen, "h");
    screen_wait(&screen, "hint 1 of");
    screen_type(&screen, "h");
    screen_wait(&screen, "hint 2 of");
    screen_type(&screen, "x?");
    quit();
    assert_int_equal(RUN("hint", "dot"), 0);
    assert_true(screen_shows(&screen, "hint 3 of"));
}

static void test_watch__ctrl_c_ends_it_and_restores_the_terminal(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    assert_false(screen_is_cooked(&screen));
    screen_type(&screen, "\x03");
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_cooked(&screen));
}

/* An endless loop is being graded meanwhile. */
static void test_watch__ctrl_c_while_grading(void **state)
{
    (void)state;
    must_start();
    watch("attn-exercises");
    write_source("float dot(size_t n, const float *a, const float *b)\n"
                 "{\n    for (;;)\n        ;\n}\n");
    screen_wait(&screen, "compiling and running"); /* as soon as it is saved */
    screen_type(&screen, "\x03");
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_cooked(&screen));
    assert_false(screen_shows(&screen, "attn's, not yours"));
}

static void test_watch__ending_signals_restore_the_terminal(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP};
    must_start();
    for (size_t i = 0; i < 2; i++) {
        watch("attn-exercises");
        kill(screen.program, signals[i]);
        assert_int_equal(screen_wait_exit(&screen), 0);
        assert_true(screen_is_cooked(&screen));
    }
}

static void test_watch__one_file_alone(void **state)
{
    (void)state;
    must_start();
    watch(FILE_1);
    copy(in_source("tests/exercises/04-softmax-rows/right/three_loops.c"),
         in_home("attn-exercises/04_softmax_rows.c"));
    save(WRONG);
    screen_wait(&screen, "only the last");
    save(RIGHT);
    screen_wait(&screen, SOLVED);
    quit();
    assert_int_equal(RUN("exercises"), 0);
    int row = screen_find_row(&screen, 0, "softmax-rows");
    assert_true(row >= 0);
    assert_non_null(strstr(screen_row(&screen, row), "new"));
}

static void test_watch__long_results_are_cut_to_the_window(void **state)
{
    (void)state;
    must_start();
    screen_close(&screen);
    screen_open(&screen, &(struct screen_options){
                             .rows = 10,
                             .home = home,
                             .arguments = (const char *const[]){"watch", "attn-exercises", NULL}});
    screen_wait(&screen, STATUS);
    save(WRONG);
    screen_wait(&screen, "more lines");
    assert_true(screen_find_row(&screen, 0, "01_dot.c") == 0);
    screen_type(&screen, " ");
    screen_wait(&screen, "attn task 1");
    quit();
}

static void test_watch__folder_that_goes_ends_it(void **state)
{
    (void)state;
    char moved[300];
    must_start();
    watch("attn-exercises");
    snprintf(moved, sizeof moved, "%s", in_home("moved"));
    assert_int_equal(rename(in_home("attn-exercises"), moved), 0);
    assert_int_equal(screen_wait_exit(&screen), 3);
}

static void test_watch__needs_exercises(void **state)
{
    (void)state;
    assert_int_equal(RUN("watch"), 3);
    assert_true(screen_shows(&screen, "attn start makes a folder"));
}

#define HOME_TEST(test) cmocka_unit_test_setup_teardown(test, open_home, close_home)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOME_TEST(test_exercises__start_says_what_to_type_next),
        HOME_TEST(test_exercises__task_is_shown),
        HOME_TEST(test_exercises__check_without_a_workspace),
        HOME_TEST(test_exercises__check_tells_the_starter),
        HOME_TEST(test_exercises__check_names_the_mistake),
        HOME_TEST(test_exercises__check_passes_by_any_name),
        HOME_TEST(test_exercises__check_repeats_with_a_seed),
        HOME_TEST(test_exercises__check_knows_wrong_usage),
        HOME_TEST(test_exercises__missing_compiler_is_not_the_learners_fault),
        HOME_TEST(test_exercises__compile_error_is_explained),
        HOME_TEST(test_exercises__solutions_come_after_the_pass),
        HOME_TEST(test_watch__red_to_green),
        HOME_TEST(test_watch__new_files_of_the_folder_count),
        HOME_TEST(test_watch__unchanged_text_is_not_graded_again),
        HOME_TEST(test_watch__keys),
        HOME_TEST(test_watch__ctrl_c_ends_it_and_restores_the_terminal),
        HOME_TEST(test_watch__ctrl_c_while_grading),
        HOME_TEST(test_watch__ending_signals_restore_the_terminal),
        HOME_TEST(test_watch__one_file_alone),
        HOME_TEST(test_watch__long_results_are_cut_to_the_window),
        HOME_TEST(test_watch__folder_that_goes_ends_it),
        HOME_TEST(test_watch__needs_exercises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
