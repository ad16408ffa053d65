/* The exercise pane, from a starter to a solved exercise: files are saved as another editor saves
 * them, and graded by the attn that is tested. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOFTMAX "Softmax over rows" /* the exercise softmax-rows */
#define SHARES_FILE "attn-exercises/04_softmax_rows.c"
#define DOT "Dot product of two vectors"
#define DOT_FILE "attn-exercises/01_dot.c"

/* Files. */

static const char *in_home(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

/* Writes the file in place. */
static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_home(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A solution of tests/exercises/, to be freed. */
static char *read_solution(const char *solution)
{
    enum { CAPACITY = 16384 };
    char path[4096], *text = malloc(CAPACITY);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/tests/exercises/%s", getenv("ATTN_DATA_DIR"), solution);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s can't be read", path);
    text[fread(text, 1, CAPACITY - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void save(const char *name, const char *solution)
{
    char *text = read_solution(solution);
    write_file(name, text);
    free(text);
}

/* As editors do that rename a whole new file over the old one. */
static void save_by_rename(const char *name, const char *solution)
{
    char temporary[256];
    save("swap~", solution);
    snprintf(temporary, sizeof temporary, "%s/swap~", home);
    assert_int_equal(rename(temporary, in_home(name)), 0);
}

/* Ways. */

static void open_exercise(const struct screen_options *options, const char *title)
{
    static const char *const arguments[] = {"--ascii", NULL};
    struct screen_options all = *options;
    if (home[0] == '\0')
        screen_home_new(home);
    all.home = home;
    all.arguments = arguments;
    start(&all);
    wait_keys("q quit");
    unfold("Exercises in C");
    choose(title);
    enter();
    screen_wait_at(&screen, 0, title);
    wait_keys("Enter check");
}

static void make_files(const char *file)
{
    screen_wait(&screen, "No files of yours are here yet");
    screen_type(&screen, "w");
    screen_wait(&screen, "Your files are in attn-exercises");
    screen_wait(&screen, file);
    assert_int_equal(access(in_home(file), R_OK), 0);
}

/* What is seen of a matrix whose cells differ: a number with a star behind it. */
static bool has_marked_cell(struct screen *shown, const char *number)
{
    (void)number;
    for (int row = 0; row < shown->rows; row++)
        for (const char *star = strchr(screen_row(shown, row), '*'); star != NULL;
             star = strchr(star + 1, '*'))
            if (star > screen_row(shown, row) && star[-1] >= '0' && star[-1] <= '9')
                return true;
    return false;
}

static void test_screen_exercise__from_red_to_green(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 50, .cols = 150}, SOFTMAX);
    make_files(SHARES_FILE);
    enter();
    screen_wait(&screen, "It is still the starter.");
    screen_wait(&screen, "not right yet");

    save(SHARES_FILE, "04-softmax-rows/wrong/columns.c"); /* no key is pressed */
    screen_wait(&screen, "These are the numbers of a known idea: columns");
    screen_wait(&screen, "those of a row or those of a column?");
    screen_wait(&screen, "tried, 1 attempt");
    assert_shows("weights, expected");
    assert_shows("weights, yours");
    screen_wait_for(&screen, has_marked_cell, "a number that is marked *");

    screen_type(&screen, "v");
    screen_wait(&screen, "shown once it is solved");
    screen_type(&screen, "h");
    screen_wait(&screen, "Hint 1 of");
    assert_shows("a known idea"); /* the result stays beside it */
    screen_type(&screen, "h");
    screen_wait(&screen, "Hint 2 of");

    save_by_rename(SHARES_FILE, "04-softmax-rows/wrong/base-two.c");
    screen_wait(&screen, "known idea: base two");
    screen_wait_gone(&screen, "known idea: columns");

    save_by_rename(SHARES_FILE, "04-softmax-rows/right/three_loops.c");
    screen_wait(&screen, "Right in every case.");
    screen_wait(&screen, "ok passed");
    screen_wait_gone(&screen, "known idea");
    screen_type(&screen, "v"); /* other ways to write it */
    screen_wait(&screen, "in place");
    screen_type(&screen, "v");
    screen_wait_gone(&screen, "in place");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "Exercise 5");
    screen_type(&screen, "b");
    screen_wait_at(&screen, 0, SOFTMAX);
    screen_wait(&screen, "Right in every case."); /* it is kept */
    press(VTERM_KEY_ESCAPE);
    wait_keys("Enter open");
    wait_chosen("solved");
    quit(CTRL_C CTRL_C);
}

static void test_screen_exercise__is_remembered(void **state)
{
    (void)state;
    const struct screen_options options = {.rows = 40, .cols = 140};
    open_exercise(&options, DOT);
    make_files(DOT_FILE);
    screen_type(&screen, "h");
    screen_wait(&screen, "Hint 1 of");
    save(DOT_FILE, "01-dot/right/loop.c");
    screen_wait(&screen, "Right in every case.");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    open_exercise(&options, DOT);
    screen_wait(&screen, "ok solved");
    screen_wait(&screen, DOT_FILE);
    press(VTERM_KEY_END);
    screen_wait(&screen, "Hint 1 of");
}

/* In 80 columns there is room for one of the two: what is new comes into sight by itself. */
static void test_screen_exercise__one_pane_at_a_time(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){0}, DOT);
    make_files(DOT_FILE);
    assert_false(screen_shows(&screen, "known idea"));
    save(DOT_FILE, "01-dot/wrong/only-the-last.c");
    screen_wait(&screen, "known idea: only the last");
    wait_keys("Enter check");
    screen_type(&screen, "h");
    screen_wait(&screen, "Hint 1 of");
    screen_wait_gone(&screen, "known idea");
    press_named("Tab");
    screen_wait(&screen, "known idea: only the last");
    press_named("Tab");
    wait_keys("PgUp scroll"); /* the prompt */
    press_named("Tab");
    screen_wait(&screen, "Hint 1 of"); /* where it was */
    press_named("Home");
    screen_wait(&screen, DOT_FILE);
}

static void test_screen_exercise__says_what_the_compiler_says(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140}, DOT);
    make_files(DOT_FILE);
    write_file(DOT_FILE, "float dot(const float *a, const float *b, int n)\n"
                         "{\n"
                         "    return nowhere;\n"
                         "}\n");
    screen_wait(&screen, "nowhere");
    screen_wait(&screen, "01_dot.c:3");
    screen_wait(&screen, "not right yet");
}

/* The file of another exercise: the learner has gone on to that. */
static void test_screen_exercise__follows_the_learner_to_another_file(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140}, DOT);
    make_files(DOT_FILE);
    save(SHARES_FILE, "04-softmax-rows/wrong/whole-matrix.c");
    screen_wait_at(&screen, 0, SOFTMAX);
    screen_wait(&screen, "known idea: whole matrix");
}

/* The editor. */

/* An editor that shows what it edits, waits for Enter, and saves a solution. */
static void make_editor(char setting[320], const char *solution)
{
    char script[8192];
    char *text = read_solution(solution);
    int size = snprintf(script, sizeof script,
                        "#!/bin/sh\n"
                        "echo \"editing $1\"\n"
                        "read -r answer\n"
                        "cat >\"$1\" <<'END'\n"
                        "%s\nEND\n",
                        text);
    assert_in_range(size, 0, sizeof script - 1);
    free(text);
    write_file("editor", script);
    assert_int_equal(chmod(in_home("editor"), 0700), 0);
    snprintf(setting, 320, "EDITOR=%s", in_home("editor"));
}

static void test_screen_exercise__opens_the_editor_and_comes_back(void **state)
{
    (void)state;
    char editor[320];
    screen_home_new(home);
    make_editor(editor, "01-dot/right/loop.c");
    const char *const settings[] = {editor, NULL};
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140, .settings = settings}, DOT);
    make_files(DOT_FILE);
    screen_type(&screen, "o");
    screen_wait(&screen, "editing " DOT_FILE);
    assert_true(screen_is_given_back(&screen)); /* to the editor */
    screen_resize(&screen, 36, 130);
    screen_type(&screen, "\n");
    wait_keys("Enter check");
    assert_true(screen.is_alternate);
    screen_wait_at(&screen, 0, DOT);
    screen_wait(&screen, "Right in every case.");
    screen_type(&screen, "h"); /* keys are its own again */
    screen_wait(&screen, "Hint 1 of");
    quit(CTRL_C CTRL_C);
}

static void test_screen_exercise__an_editor_that_is_not_there(void **state)
{
    (void)state;
    static const char *const settings[] = {"EDITOR=no-editor-is-called-so -w", NULL};
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140, .settings = settings}, DOT);
    make_files(DOT_FILE);
    screen_type(&screen, "o");
    screen_wait(&screen, "no-editor-is-called-so -w: there is no such editor");
    wait_keys("Enter check");
    assert_true(screen.is_alternate);
}

/* Grading. */

static void test_screen_exercise__a_grading_can_be_stopped(void **state)
{
    (void)state;
    static const char *const keys[] = {ESCAPE, CTRL_C};
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140}, DOT);
    make_files(DOT_FILE);
    for (size_t i = 0; i < 2; i++) {
        write_file(DOT_FILE, i == 0 ? "float dot(const float *a, const float *b, int n)\n"
                                      "{\n"
                                      "    for (volatile int i = 0;; i = 0)\n"
                                      "        ;\n"
                                      "}\n"
                                    : "float dot(const float *a, const float *b, int n)\n"
                                      "{\n"
                                      "    for (volatile int i = 0;; i = 1)\n"
                                      "        ;\n"
                                      "}\n");
        screen_wait(&screen, "compiling ");
        screen_type(&screen, "h"); /* other keys work meanwhile */
        screen_wait(&screen, i == 0 ? "Hint 1 of" : "Hint 2 of");
        screen_type(&screen, keys[i]);
        screen_wait_gone(&screen, "compiling ");
        screen_wait_at(&screen, 0, DOT); /* only the grading was stopped */
        wait_keys("Enter check");
    }
    save(DOT_FILE, "01-dot/right/loop.c");
    screen_wait(&screen, "Right in every case.");
}

static void test_screen_exercise__leaving_stops_the_grading(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 40, .cols = 140}, DOT);
    make_files(DOT_FILE);
    write_file(DOT_FILE, "float dot(const float *a, const float *b, int n)\n"
                         "{\n"
                         "    for (volatile int i = 0;; i = 0)\n"
                         "        ;\n"
                         "}\n");
    screen_wait(&screen, "compiling ");
    screen_type(&screen, "q"); /* a level up: what is open is the grading */
    screen_wait(&screen, "Stopped; Enter grades your file again.");
    screen_type(&screen, "q");
    wait_keys("q quit");
    quit("q");
}

/* The mouse. */

static void test_screen_exercise__with_the_mouse(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 24, .cols = 140}, SOFTMAX);
    make_files(SHARES_FILE);
    save(SHARES_FILE, "04-softmax-rows/wrong/columns.c");
    screen_wait(&screen, "known idea: columns");
    screen_wheel(&screen, 10, 10, 4); /* over the task */
    screen_wait_gone(&screen, SHARES_FILE);
    assert_shows("known idea: columns");
    screen_wheel(&screen, 10, 10, -4);
    screen_wait(&screen, SHARES_FILE);
    screen_wheel(&screen, 10, 120, 4); /* over the result */
    screen_wait_gone(&screen, "known idea: columns");
    assert_shows(SHARES_FILE);
}

/* In the task, and in the result, which is another pane. */
static void test_screen_exercise__finds_words(void **state)
{
    (void)state;
    open_exercise(&(struct screen_options){.rows = 24, .cols = 130}, DOT);
    make_files(DOT_FILE);
    save(DOT_FILE, "01-dot/right/loop.c");
    screen_wait(&screen, "Right in every case.");
    screen_type(&screen, "/ASK FOR, one");
    screen_wait(&screen, "find: ASK FOR, one");
    screen_wait(&screen, "1 of 1");
    wait_keys("Enter go there");
    enter();
    wait_keys("n next place");
    screen_type(&screen, "\t");
    wait_keys("/ find");
    screen_type(&screen, "/right in\r");
    screen_wait(&screen, "find: right in");
    screen_type(&screen, "q"); /* closes it alone */
    screen_wait_gone(&screen, "find: right in");
    assert_shows("find: ASK FOR, one");
    screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
    wait_keys("n next place");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "find: ASK FOR, one");
    screen_wait_at(&screen, 0, DOT);
    wait_keys("Enter check");
}

/* A lesson asks for an exercise: there, and back when it is solved. */
static void test_screen_exercise__from_a_lesson_and_back(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){.rows = 40,
                                   .cols = 140,
                                   .home = home,
                                   .arguments = LESSON("softmax#temperature", "--ascii")});
    screen_wait_at(&screen, 0, "Softmax   page ");
    for (int i = 0; i < 9 && !screen_shows(&screen, "Solve the exercise"); i++) {
        uint64_t hash = screen_hash(&screen);
        screen_type(&screen, CTRL_S);
        wait_other(hash, "the next page");
        screen_settle(&screen, 50, 1000);
    }
    enter();
    screen_wait_at(&screen, 0, SOFTMAX);
    make_files(SHARES_FILE);
    save(SHARES_FILE, "04-softmax-rows/right/online.c");
    screen_wait(&screen, "Right in every case.");
    press(VTERM_KEY_ESCAPE);
    screen_wait_at(&screen, 0, "Softmax   page ");
    wait_keys("Enter go on");
    enter(); /* it is answered, and the lesson goes on */
    screen_wait_gone(&screen, "Solve the exercise");
    screen_wait_at(&screen, 0, "Softmax   page ");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_exercise__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(from_red_to_green),
        TEST(is_remembered),
        TEST(one_pane_at_a_time),
        TEST(says_what_the_compiler_says),
        TEST(follows_the_learner_to_another_file),
        TEST(opens_the_editor_and_comes_back),
        TEST(an_editor_that_is_not_there),
        TEST(a_grading_can_be_stopped),
        TEST(leaving_stops_the_grading),
        TEST(with_the_mouse),
        TEST(finds_words),
        TEST(from_a_lesson_and_back),
    };
    return RUN_TESTS("screen_exercise", all);
}
