/* Home: its list, by keys and by mouse, and what it remembers. */
#include "screen_testing.h"

static void test_screen_home__golden(void **state)
{
    (void)state;
    start(&(struct screen_options){.arguments = ATTN("--ascii")});
    screen_wait(&screen, "0 of 20 solved");
    wait_golden("home");
}

static void test_screen_home__home_lists_the_lessons(void **state)
{
    (void)state;
    start_home();
    assert_shows("Begin with lesson 1");
    assert_shows("Explore attention freely");
    assert_shows("1  Why attention");
    assert_true(screen.is_alternate);
    assert_false(screen_is_cooked(&screen));
    wait_chosen("Begin with lesson 1");
    press(VTERM_KEY_DOWN);
    wait_chosen("Look into a model");
    press(VTERM_KEY_UP);
    press(VTERM_KEY_UP);
    wait_chosen("Begin with lesson 1");
    uint64_t top = screen_hash(&screen);
    press(VTERM_KEY_END);
    wait_chosen("Settings");
    press(VTERM_KEY_HOME);
    wait_chosen("Begin with lesson 1");
    press(VTERM_KEY_PAGEDOWN);
    wait_other(top, "a page further down");
    press(VTERM_KEY_PAGEUP);
    wait_chosen("Begin with lesson 1");
    quit("q");
}

static void test_screen_home__home_opens_a_lesson_and_remembers_it(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Begin with lesson 1");
    enter();
    screen_wait_at(&screen, 0, "Why attention   page 1 of ");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of ");
    screen_type(&screen, "\x11"); /* ^Q: Esc stays in the field */
    screen_wait(&screen, "Go on: Why attention, lesson 1 of 28, page 2 of ");
    assert_shows("right so far");
    quit("q");
    screen_close(&screen);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Go on: Why attention");
    enter();
    screen_wait_at(&screen, 0, "Why attention   page 2 of ");
    screen_type(&screen, "\x11");
    wait_keys("q quit");
    quit("q");
}

/* What was typed at the prompt is there the next time; a line that fails now is told. */
static void test_screen_home__the_prompts_names_live_on(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Begin with lesson 1");
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("kept = [1, 2, 42]");
    screen_wait(&screen, "kept  (3,)");
    press(VTERM_KEY_ESCAPE);
    wait_keys("q quit");
    quit("q");
    screen_close(&screen);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "1 name from last time");
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("kept * 2");
    screen_wait(&screen, "84");
    say("reset");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Begin with lesson 1");
    assert_false(screen_shows(&screen, "from last time"));
    quit("q");
}

/* Two windows of attn: what each added is there the next time, whichever ends last. */
static void test_screen_home__two_windows_keep_their_names(void **state)
{
    (void)state;
    struct screen other;
    screen_home_new(home);
    start(&(struct screen_options){.home = home});
    screen_open(&other, &(struct screen_options){.home = home});
    screen_wait(&screen, "Begin with lesson 1");
    screen_wait(&other, "Begin with lesson 1");
    screen_type(&other, "\x10"
                        "bbb = 22\r");
    screen_wait(&other, "bbb = 22");
    screen_type(&screen, CTRL_P "aaa = 11\r");
    screen_wait(&screen, "aaa = 11");
    screen_type(&screen, "ccc = 33\rquit\r");
    (void)screen_wait_exit(&screen);
    screen_close(&screen);
    screen_type(&other, "quit\r");
    (void)screen_wait_exit(&other);
    screen_close(&other);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "3 names from last time");
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("aaa * 10000 + bbb * 100 + ccc");
    screen_wait(&screen, "112233");
    quit(CTRL_C CTRL_C);
}

static void test_screen_home__home_with_the_mouse(void **state)
{
    (void)state;
    start_home();
    unfold("Weights and contexts");
    screen_wait(&screen, "Softmax");
    int row = screen_find_row(&screen, 0, "6  Softmax");
    assert_true(row > 0);
    screen_click(&screen, row, 10);
    wait_chosen("6  Softmax");
    screen_wheel(&screen, row, 10, 1);
    wait_chosen("7  Masking");
    screen_wheel(&screen, row, 10, -1);
    wait_chosen("6  Softmax");
    screen_click(&screen, row, 10); /* the wheel's time lies between: two clicks on one place */
    screen_click(&screen, row, 10);
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
}

/* What begins a formula goes to the prompt with its first character, and runs there. */
static void test_screen_home__a_formula_is_never_eaten(void **state)
{
    static const char *const lines[] = {"softmax([1, 2])", "query = [1, 2]", "12 * 3",
                                        "[1, 2] @ [3, 4]", "hx = 3",         "-2 + 5"};
    static const char *const results[] = {"0.7311", "query  (2,)", "36", "11", "hx = 3", "3"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        start_home();
        screen_type(&screen, lines[i]);
        screen_wait(&screen, lines[i]);
        wait_keys("PgUp scroll");
        enter();
        screen_wait(&screen, results[i]);
        screen_type(&screen, ESCAPE);
        wait_keys("q quit");
        quit("q");
        screen_close(&screen);
    }
}

/* A training is opened from home, left, and home is there again; so is the model of one of its
 * steps, and the folder that it was saved in. */
static void test_screen_home__a_training_comes_back_home(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){.home = home});
    wait_keys("q quit");
    unfold("Watch one learn");
    choose("previous: say");
    enter();
    screen_wait_at(&screen, 0, "Training   previous");
    screen_wait(&screen, "done: all 150 steps");
    screen_type(&screen, "v");
    screen_wait_at(&screen, 0, "Model");
    screen_type(&screen, "q");
    screen_wait_at(&screen, 0, "Training   previous");
    screen_type(&screen, CTRL_C); /* saves, and leaves */
    screen_wait(&screen, "saved in previous-model");
    screen_wait_at(&screen, 0, "home");
    press(VTERM_KEY_UP); /* the remark goes */
    choose("previous-model");
    enter();
    screen_wait_at(&screen, 0, "Model   previous-model");
    screen_type(&screen, "q");
    wait_keys("q quit");
    quit("q");
}

/* While the prompt takes rows, the chosen line stays in sight, and how many are below it is told.
 */
static void test_screen_home__a_list_says_what_is_below(void **state)
{
    (void)state;
    start_home();
    press(VTERM_KEY_END);
    screen_wait(&screen, "+ Settings");
    press(VTERM_KEY_UP);
    screen_type(&screen, "arange(60).reshape(20, 3)\r");
    screen_wait(&screen, "1 more");
    assert_true(screen_find_row(&screen, 0, "Train and take apart") >= 0);
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_home__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(golden),
        TEST(home_lists_the_lessons),
        TEST(two_windows_keep_their_names),
        TEST(home_opens_a_lesson_and_remembers_it),
        TEST(the_prompts_names_live_on),
        TEST(home_with_the_mouse),
        TEST(a_formula_is_never_eaten),
        TEST(a_list_says_what_is_below),
        TEST(a_training_comes_back_home),
    };
    return RUN_TESTS("screen_home", all);
}
