/* Questions that are answered in a table: a cell to point at, a mask to draw, a number to change.
 */
#include "course_testing.h"
#include "screen_testing.h"

#include <stdio.h>

static const char lesson[] =
    "---\n"
    "id: tables\n"
    "title: Answers in tables\n"
    "objectives:\n"
    "  - answer in tables\n"
    "---\n"
    "\n"
    "# Answers in tables\n"
    "\n"
    "Three questions.\n"
    "\n"
    "## All\n"
    "\n"
    "```attn quiet\n"
    "W = labels([[1, 0.5], [0.25, 2]], [\"le\", \"chat\"], [\"the\", \"cat\"])\n"
    "v = [4, 16, 8]\n"
    "total = sum(v)\n"
    "```\n"
    "\n"
    "### Point\n"
    "\n"
    "Which cell is a quarter?\n"
    "\n" LESSON_ANSWER "kind: cell\n"
    "matrix: W\n"
    "answer: '[1, 0]'\n"
    "because: It is 1 / 4.\n"
    "hints:\n"
    "  - It is below 1.\n"
    "wrong:\n"
    "  - is: '[0, 1]'\n"
    "    say: That is a half.\n" LESSON_ANSWER_END "### Draw\n"
    "\n"
    "Draw a causal mask for two words.\n"
    "\n" LESSON_ANSWER "kind: mask\n"
    "answer: arange(2)[:, None] >= arange(2)\n"
    "because: None looks ahead.\n"
    "hints:\n"
    "  - The first word sees itself.\n" LESSON_ANSWER_END "### Change\n"
    "\n"
    "Make the total 30.\n"
    "\n" LESSON_ANSWER "kind: change\n"
    "change: v\n"
    "holds: abs(total - 30) < 0.001\n"
    "makes: total\n"
    "answer: v[0] = 6\n"
    "because: Two more were needed.\n"
    "hints:\n"
    "  - It is 28.\n" LESSON_ANSWER_END;

/* The lesson's first question. */
static void start_tables(int rows, int cols)
{
    char path[96];
    screen_home_new(home);
    snprintf(path, sizeof path, "%s/tables.md", home);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(lesson, file) >= 0);
    assert_int_equal(fclose(file), 0);
    start(&(struct screen_options){
        .rows = rows, .cols = cols, .home = home, .arguments = LESSON(path, "--ascii")});
    screen_wait(&screen, "Three questions.");
    screen_type(&screen, "n");
    screen_wait(&screen, "Which cell is a quarter?");
}

static void point(void)
{
    enter(); /* nobody answers by reading on */
    screen_wait(&screen, "to do: arrows move, Enter points");
    press(VTERM_KEY_RIGHT);
    wait_keys("Enter answer");
    enter();
    screen_wait(&screen, "That is a half.");
    screen_wait(&screen, "0.5 x");
    enter();
    screen_wait(&screen, "tried already: another cell");
    screen_type(&screen, CTRL_T);
    screen_wait(&screen, "It is below 1.");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_LEFT);
    enter();
    screen_wait(&screen, "It is 1 / 4.");
    screen_type(&screen, "n");
    screen_wait(&screen, "Draw a causal mask for two words.");
}

static void draw(void)
{
    wait_keys("Space draws");
    screen_type(&screen, "1111\r");
    screen_wait(&screen, "1 of the 4 cells is wrong.");
    screen_type(&screen, "0"); /* from the last cell, where the digits ended */
    screen_wait_gone(&screen, "of the 4 cells");
    enter();
    screen_wait(&screen, "2 of the 4 cells are wrong.");
    screen_wait(&screen, "The first of them is [0, 1].");
    screen_type(&screen, " "); /* the cursor is there */
    press(VTERM_KEY_DOWN);
    screen_type(&screen, " \r");
    screen_wait(&screen, "None looks ahead.");
    screen_type(&screen, "n");
    screen_wait(&screen, "Make the total 30.");
}

static void change(void)
{
    wait_keys("Esc clear");
    screen_type(&screen, "5");
    screen_wait(&screen, "v[0]: 4 -> 5");
    enter();
    screen_wait(&screen, "That makes total = 29.");
    screen_type(&screen, "\t7");
    screen_wait(&screen, "only 1 number may change");
    press(VTERM_KEY_LEFT);
    press(VTERM_KEY_BACKSPACE);
    screen_wait_gone(&screen, "v[0]: 4");
    screen_type(&screen, "6\r");
    screen_wait(&screen, "That makes total = 30.");
    screen_wait(&screen, "Two more were needed.");
}

static void test_screen_tables__by_keys(void **state)
{
    (void)state;
    start_tables(24, 80);
    point();
    draw();
    change();
}

static void test_screen_tables__on_a_small_screen(void **state)
{
    (void)state;
    start_tables(16, 60);
    point();
    draw();
    change();
}

static void test_screen_tables__by_mouse(void **state)
{
    (void)state;
    start_tables(24, 80);
    click_on("0.25", 0);
    enter();
    screen_wait(&screen, "It is 1 / 4.");
    screen_wait(&screen, "chat  [0.25]    2"); /* the right cell has a mark */
    screen_type(&screen, "n");
    screen_wait(&screen, "Draw a causal mask for two words.");
    screen_wait(&screen, "0  .");
    click_on("0  .", 3);
    screen_wait(&screen, "0  #");
    click_on("1  .", 3);
    screen_wait(&screen, "1  #   .");
    click_on("1  #   .", 7);
    screen_wait(&screen, "1  #   #");
    screen_resize(&screen, 30, 100);
    screen_wait(&screen, "1  #   #");
    enter();
    screen_wait(&screen, "None looks ahead.");
    screen_wait(&screen, "0  #  ."); /* the reply keeps the drawing */
    assert_shows("1  #  #");
    screen_type(&screen, "n");
    screen_wait(&screen, "Make the total 30.");
    click_on("16", 0);
    screen_type(&screen, "18");
    screen_wait(&screen, "v[1]: 16 -> 18");
    enter();
    screen_wait(&screen, "That makes total = 30.");
}

static void test_screen_tables__are_left_and_skipped(void **state)
{
    (void)state;
    start_tables(24, 80);
    screen_type(&screen, ESCAPE);
    screen_wait(&screen, "Enter goes back to the cells");
    enter();
    screen_wait(&screen, "Enter points at the cell");
    screen_type(&screen, CTRL_S);
    screen_wait(&screen, "Draw a causal mask for two words.");
    screen_wait(&screen, "Skipped: it was");
    screen_type(&screen, CTRL_S);
    screen_wait(&screen, "Make the total 30.");
    screen_type(&screen, "5" CTRL_T);
    screen_wait(&screen, "It is 28.");
    screen_wait(&screen, "v[0]: 4 -> 5");
    screen_type(&screen, CTRL_B);
    screen_wait(&screen, "Draw a causal mask for two words."); /* it can be drawn yet */
    screen_wait(&screen, "0  .   .");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_tables__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(by_keys),
        TEST(on_a_small_screen),
        TEST(by_mouse),
        TEST(are_left_and_skipped),
    };
    return RUN_TESTS("screen_tables", all);
}
