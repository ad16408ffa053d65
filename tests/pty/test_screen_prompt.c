/* The prompt on the full screen. */
#include "screen_testing.h"

#include <string.h>

static void start_prompt(const struct screen_options *options)
{
    start(options);
    screen_wait(&screen, "q quit");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
}

static void test_screen_prompt__prompt_computes_and_marks_errors(void **state)
{
    (void)state;
    int row, col;
    start_prompt(&(struct screen_options){.rows = 40});
    say("Q = ones(3, 2)");
    screen_wait(&screen, "Q  3x2");
    say("Q @ Q");
    screen_wait(&screen, "the inner sizes differ");
    screen_wait(&screen, "  ^^^^^");
    say("sum(Q) * 7");
    screen_wait(&screen, "42");
    screen_type(&screen, "half");
    screen_wait(&screen, "attn> half");
    screen_cursor(&screen, &row, &col);
    assert_true(screen.cursor_visible);
    assert_int_equal(col, 10);
    assert_string_equal(screen_row(&screen, row), "attn> half");
}

static void test_screen_prompt__prompt_completes(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, "softm\t");
    screen_wait(&screen, "attn> softmax");
    screen_type(&screen, "\x15"); /* Ctrl-U */
    screen_wait_gone(&screen, "attn> softmax");
    screen_type(&screen, "ma\t\t");
    screen_wait(&screen, "masked_fill");
    screen_wait(&screen, "matmul");
    screen_type(&screen, "x"); /* the choices go with the next key */
    screen_wait_gone(&screen, "matmul");
}

/* What a function takes is seen as long as the cursor is in its brackets. */
static void test_screen_prompt__prompt_says_what_a_call_takes(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 24});
    screen_type(&screen, "1 + softmax(abs([1, 2]), ");
    screen_wait(&screen, "softmax(input, dim=-1)");
    screen_type(&screen, "abs(");
    screen_wait(&screen, "abs(input)");
    screen_type(&screen, "2))");
    screen_wait_gone(&screen, "(input");
}

static void test_screen_prompt__prompt_remembers_lines(void **state)
{
    (void)state;
    screen_home_new(home);
    start_prompt(&(struct screen_options){.rows = 40, .home = home});
    say("first = 1");
    screen_wait(&screen, "first = 1");
    say("second = 2");
    screen_wait_row(&screen, "attn>");
    press(VTERM_KEY_UP); /* the one just given */
    screen_wait_row(&screen, "attn> second = 2");
    press(VTERM_KEY_UP);
    screen_wait_row(&screen, "attn> first = 1");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    screen_wait_row(&screen, "attn>");
    screen_type(&screen, "quit");
    screen_wait(&screen, "> quit");
    quit("\r");
    screen_close(&screen);
    start_prompt(&(struct screen_options){.rows = 40, .home = home});
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> quit");
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> second = 2");
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> first = 1");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "attn> second = 2");
}

static void test_screen_prompt__prompt_goes_on_while_a_bracket_is_open(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, "sum([1,\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "41])\r");
    screen_wait(&screen, "42");
    screen_type(&screen, "sum([1,\r2,\r37, 3])\r"); /* as pasted */
    screen_wait(&screen, "43");
}

/* While something is computed Ctrl-C is a signal; else it is a key. */
static bool is_computing(struct screen *shown, const char *what)
{
    struct termios mode;
    (void)what;
    return tcgetattr(shown->pty, &mode) == 0 && (mode.c_lflag & ISIG) != 0;
}

static void test_screen_prompt__ctrl_c_stops_a_computation(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    say("A = ones(6000, 6000)");
    screen_wait(&screen, "A  6000x6000");
    say("for i in range(1000): B = A @ A"); /* 432 TFLOP: it would take many minutes */
    screen_wait_for(&screen, is_computing, "Ctrl-C as a signal");
    screen_type(&screen, CTRL_C);
    screen_wait(&screen, "stopped");
    say("6 * 7");
    screen_wait(&screen, "42");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open");
    quit(CTRL_C CTRL_C);
}

/* What was printed, and the line that was being typed. */
static void test_screen_prompt__finds_in_what_was_printed(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 24});
    say("first = 41");
    screen_wait(&screen, "first = 41");
    say("help softmax");
    say("help mean");
    screen_wait_gone(&screen, "first = 41");
    screen_type(&screen, "7 / 2");
    screen_wait(&screen, "attn> 7 / 2"); /* / is a quotient */
    screen_type(&screen, "\x0f"
                         "FIRST");
    screen_wait(&screen, "find: FIRST");
    screen_wait(&screen, "first = 41");
    wait_keys("Enter go there");
    enter();
    wait_keys("n place above");
    screen_type(&screen, "n");
    screen_wait(&screen, "1 of 2");
    screen_type(&screen, ESCAPE);
    screen_wait(&screen, "attn> 7 / 2");
    assert_shows("first = 41"); /* still */
    enter();
    screen_wait(&screen, "3.5");
    press(VTERM_KEY_PAGEUP);
    screen_wait(&screen, "/: find");
    screen_type(&screen, "/no such words");
    screen_wait(&screen, "not found");
    screen_type(&screen, CTRL_C CTRL_C);
    screen_wait(&screen, "attn>");
    quit("\x04");
}

/* The row of the prompt's rule; the prompt begins below it. */
static int prompt_rule(void)
{
    return screen_find_row(&screen, 1, " Prompt -");
}

/* Below the rule there is its line alone. */
static bool is_one_row(struct screen *shown, const char *what)
{
    (void)what;
    return screen_find_row(shown, 1, " Prompt -") == shown->rows - 3;
}

/* It grows with what it prints, and is one row again when the learner goes on. */
static void test_screen_prompt__one_row_until_it_is_used(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 24, .cols = 80, .arguments = ATTN("--ascii")});
    screen_wait(&screen, "q quit");
    screen_wait_for(&screen, is_one_row, "one row at home");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
    screen_wait_for(&screen, is_one_row, "one row in focus");
    say("123 + 456");
    screen_wait(&screen, "579");
    assert_int_equal(prompt_rule(), screen.rows - 5);
    screen_type(&screen, ESCAPE);
    screen_wait_for(&screen, is_one_row, "one row after Esc");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
    screen_wait_for(&screen, is_one_row, "what was printed stays away");
    press(VTERM_KEY_PAGEUP); /* until it is wanted */
    screen_wait(&screen, "579");
    say("lesson 6");
    screen_wait_at(&screen, 0, "Softmax   page 1 of");
    screen_wait_for(&screen, is_one_row, "one row in a lesson");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_prompt__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(prompt_computes_and_marks_errors), TEST(prompt_completes),
        TEST(prompt_remembers_lines),           TEST(prompt_goes_on_while_a_bracket_is_open),
        TEST(ctrl_c_stops_a_computation),       TEST(finds_in_what_was_printed),
        TEST(one_row_until_it_is_used),         TEST(prompt_says_what_a_call_takes),
    };
    return RUN_TESTS("screen_prompt", all);
}
