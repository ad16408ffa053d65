/* Windows of all sizes, and those that change theirs: nothing is lost, nothing overlaps. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_screen_size__golden(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 10, .cols = 50});
    wait_golden("small");
}

/* Ways into each view, with something in it that could be lost. */

static void at_home(void)
{
    start(&(struct screen_options){.rows = 24, .cols = 100, .arguments = ATTN("--ascii")});
    unfold("Weights and contexts");
    choose("7  Masking");
}

/* An answer half typed, a hint, and half a line at the prompt. */
static void in_a_lesson(void)
{
    start_lesson(30, 120);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_T);
    screen_wait(&screen, "Hint 1 of 2");
    say_from_pane("kept = 6 * 7");
    screen_type(&screen, "7.25");
    screen_wait(&screen, "your answer: 7.25");
}

static void at_the_prompt(void)
{
    in_a_lesson();
    press_named("F6");
    wait_keys("Enter why");
    press_named("F6");
    wait_keys("PgUp scroll");
    screen_type(&screen, "half a li");
    screen_wait(&screen, "> half a li");
}

static void in_the_explorer(void)
{
    start_explorer(30, 120);
    screen_type(&screen, "m");
    go_to_stage("weights");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "[\"shiny\", \"Hello\"]");
}

static void in_the_arithmetic(void)
{
    in_the_explorer();
    enter();
    enter();
    screen_wait(&screen, "masked[\"shiny\", \"Hello\"]");
}

static void in_the_words(void)
{
    in_the_explorer();
    screen_type(&screen, "vv");
    screen_wait(&screen, "query");
}

static void in_an_exercise(void)
{
    start(&(struct screen_options){.rows = 30, .cols = 120, .arguments = ATTN("--ascii")});
    wait_keys("q quit");
    go_to_exercise();
    screen_wait(&screen, "No files of yours");
}

static void in_the_keys(void)
{
    start_lesson(20, 100);
    screen_type(&screen, "?");
    screen_wait(&screen, "Keys: Lesson");
}

static void in_the_search(void)
{
    start_lesson(24, 100);
    press_named("F1");
    screen_wait(&screen, "find:");
    screen_type(&screen, "softmax");
    wait_chosen("softmax");
    press(VTERM_KEY_DOWN);
    wait_chosen("softmax(input");
    press(VTERM_KEY_DOWN);
    wait_chosen("lesson 6");
}

static void in_the_palette(void)
{
    start_explorer(24, 100);
    screen_type(&screen, ":theme");
    wait_chosen("theme dark");
    press(VTERM_KEY_DOWN);
    wait_chosen("theme auto");
}

static const struct view {
    const char *name;
    void (*go)(void);
} views[] = {
    {"home", at_home},
    {"a lesson", in_a_lesson},
    {"the prompt", at_the_prompt},
    {"the explorer", in_the_explorer},
    {"the arithmetic", in_the_arithmetic},
    {"the words", in_the_words},
    {"an exercise", in_an_exercise},
    {"the keys", in_the_keys},
    {"the search", in_the_search},
    {"the palette", in_the_palette},
};
enum { N_VIEWS = sizeof views / sizeof views[0] };

/* Frames. In ASCII a divider is of |, the rule above the prompt of - with its name. */

static char cell_at(int row, int col)
{
    char text[4 * VTERM_MAX_CHARS_PER_CELL + 1];
    screen_part(&screen, row, col, col + 1, text);
    return text[0];
}

static bool is_rule(int row)
{
    return cell_at(row, 0) == '-' && screen_find_text(&screen, row, 0, " Prompt -") >= 0;
}

static int rule_row(void)
{
    int row = screen.rows - 1;
    while (row > 0 && !is_rule(row))
        row--;
    return row;
}

/* How many of the rows above the rule have a divider in this column. */
static int count_dividers(int rule, int col)
{
    int n = 0;
    for (int row = 1; row < rule; row++)
        n += cell_at(row, col) == '|';
    return n;
}

/* Whether the words of a pane stand where it is: left is before the divider. */
static bool words_are_kept_apart(int rule, int divider)
{
    static const char *const left[] = {"your answer:", "Hint 1 of", "No files of yours"};
    static const char *const right[] = {"Enter: why", "temperature", "Nothing has been graded"};
    bool apart = true;
    for (int row = 1; row < rule; row++)
        for (size_t i = 0; i < 3; i++) {
            apart = apart && screen_find_text(&screen, row, divider, left[i]) < 0;
            int col = screen_find_text(&screen, row, 0, right[i]);
            apart = apart && (col < 0 || col > divider);
        }
    return apart;
}

/* The frame of two panes over a prompt: one divider from the title to the rule, whole. One pane has
 * none. What lies on top hides both. */
static bool is_framed(struct screen *shown, const char *what)
{
    (void)what;
    int rule = rule_row(), divider = -1;
    bool whole = true;
    if (strstr(screen_row(shown, 0), "attn") == NULL ||
        screen_row(shown, shown->rows - 1)[0] == '\0')
        return false;
    if (shown->cols < 80 || screen_shows(shown, "+-"))
        return true;
    for (int col = 1; col < shown->cols - 1; col++) {
        int n = count_dividers(rule, col);
        if (n > (rule - 1) * 3 / 4) {
            whole = whole && n == rule - 1 && divider < 0;
            divider = col;
        }
    }
    return rule > 1 && whole && (divider < 0 || words_are_kept_apart(rule, divider));
}

static const struct {
    int rows, cols;
} steps[] = {{100, 300}, {50, 160}, {30, 100}, {24, 80}, {23, 79}, {16, 80}, {17, 61}, {16, 60}};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

static void resize_to(size_t step)
{
    char what[64];
    snprintf(what, sizeof what, "whole frames at %dx%d", steps[step].rows, steps[step].cols);
    screen_resize(&screen, steps[step].rows, steps[step].cols);
    screen_settle(&screen, 25, 2000);
    screen_wait_for(&screen, is_framed, what);
}

/* From 300x100 to 60x16 and back, in steps, ends where it began. */
static void test_screen_size__nothing_is_lost_in_any_view(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VIEWS; i++) {
        print_message("%s\n", views[i].name);
        views[i].go();
        screen_settle(&screen, 200, 3000);
        int rows = screen.rows, cols = screen.cols;
        char *before = screen_text(&screen);
        uint64_t hash = screen_hash(&screen);
        for (size_t step = 0; step < N_STEPS; step++)
            resize_to(step);
        for (size_t step = N_STEPS; step-- > 0;)
            resize_to(step);
        screen_resize(&screen, rows, cols);
        wait_same(before, hash);
        free(before);
        (void)close_screen(NULL);
    }
}

static void in_the_exercise_scrolled(void)
{
    in_an_exercise();
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    screen_wait_gone(&screen, "No files of yours");
}

static void in_a_lesson_scrolled(void)
{
    start_lesson(16, 100);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_S);
    screen_wait(&screen, "[2, -1, 1]");
    press(VTERM_KEY_END);
    screen_wait(&screen, "plot x, exp(x)");
    assert_false(screen_shows(&screen, "[2, -1, 1]"));
}

/* Where a window becomes smaller and what is seen was scrolled to. */
static void test_screen_size__a_scroll_is_kept(void **state)
{
    (void)state;
    static void (*const ways[])(void) = {in_the_exercise_scrolled, in_a_lesson_scrolled};
    for (size_t i = 0; i < 2; i++) {
        ways[i]();
        screen_settle(&screen, 200, 3000);
        int rows = screen.rows, cols = screen.cols;
        char *before = screen_text(&screen);
        uint64_t hash = screen_hash(&screen);
        screen_resize(&screen, 16, 60);
        wait_other(hash, "a smaller window");
        screen_settle(&screen, 200, 3000);
        screen_resize(&screen, rows, cols);
        wait_same(before, hash);
        free(before);
        (void)close_screen(NULL);
    }
}

/* A window that is torn about: what comes of it is drawn once it rests. */
static void test_screen_size__a_storm_of_sizes(void **state)
{
    (void)state;
    for (size_t i = 1; i < N_VIEWS; i += 3) {
        uint64_t luck = 7 + i;
        print_message("%s\n", views[i].name);
        views[i].go();
        screen_settle(&screen, 200, 3000);
        int rows = screen.rows, cols = screen.cols;
        char *before = screen_text(&screen);
        uint64_t hash = screen_hash(&screen);
        for (int n = 0; n < 200; n++) {
            luck = luck * 6364136223846793005U + 1442695040888963407U;
            screen_resize(&screen, 1 + (int)(luck >> 40) % 100, 1 + (int)(luck >> 50) % 300);
            screen_settle(&screen, (int)(luck >> 61), 30);
        }
        screen_resize(&screen, rows, cols);
        wait_same(before, hash);
        free(before);
        (void)close_screen(NULL);
    }
}

static void test_screen_size__too_small_says_what_it_needs(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 15, .cols = 59});
    screen_wait(&screen, "attn needs 60 columns and 16 rows");
    screen_wait(&screen, "this window has 59 and 15");
    screen_type(&screen, "nnn\r\t/x"); /* does nothing that is not seen */
    screen_settle(&screen, 200, 2000);
    screen_resize(&screen, 14, 58); /* what is drawn after the keys is drawn when they were read */
    screen_wait(&screen, "this window has 58 and 14");
    screen_settle(&screen, 200, 2000);
    screen_resize(&screen, 15, 58);
    screen_wait(&screen, "this window has 58 and 15");
    screen_resize(&screen, 16, 60);
    screen_wait(&screen, "Begin with lesson 1");
    wait_keys("Enter open");
    screen_resize(&screen, 8, 30); /* lines that do not fit are wrapped */
    screen_wait(&screen, "attn needs 60 columns and 16");
    screen_wait_at(&screen, 1, "rows;");
    screen_wait(&screen, "this window has 30 and 8.");
    screen_wait(&screen, "q quits");
    screen_resize(&screen, 1, 10);
    screen_wait(&screen, "attn needs");
    quit(CTRL_C);
}

static bool fits(struct screen *shown, const char *text)
{
    return strstr(screen_row(shown, 0), "attn") != NULL && screen_shows(shown, text);
}

static void test_screen_size__all_sizes_are_drawn(void **state)
{
    (void)state;
    start_explorer(24, 80);
    for (int rows = 16; rows <= 100; rows += 7)
        for (int cols = 60; cols <= 300; cols += 40) {
            screen_resize(&screen, rows, cols);
            screen_wait_at(&screen, rows - 1, "Enter why");
            screen_wait_for(&screen, fits, "E from embed");
        }
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_size__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(golden),           TEST(nothing_is_lost_in_any_view),  TEST(a_scroll_is_kept),
        TEST(a_storm_of_sizes), TEST(too_small_says_what_it_needs), TEST(all_sizes_are_drawn),
    };
    return RUN_TESTS("screen_size", all);
}
