/* The help that lies over the panes, its search, and the palette of all that can be done. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 256 * 1024 };

/* The keys of a pane. */

/* All pages of the help that is open, one after the other. */
static void read_pages(char text[TEXT_BYTES])
{
    uint64_t hash;
    size_t size = 0;
    do {
        char *shown = screen_text(&screen);
        assert_true(size + strlen(shown) < TEXT_BYTES);
        size += (size_t)snprintf(text + size, TEXT_BYTES - size, "%s", shown);
        free(shown);
        hash = screen_hash(&screen);
        press(VTERM_KEY_PAGEDOWN);
        screen_settle(&screen, 100, 2000);
    } while (screen_hash(&screen) != hash);
}

/* Whether a key's name stands at the beginning of a column, and not within a sentence; "1" also as
 * "1-9". */
static bool names_key(const char *text, const char *key)
{
    static const char *const before[] = {"| ", "  "};
    char wanted[SCREEN_KEY_BYTES + 4];
    bool found = false;
    for (size_t i = 0; i < 4; i++) {
        snprintf(wanted, sizeof wanted, "%s%.*s%c", before[i % 2], SCREEN_KEY_BYTES, key,
                 i < 2 ? ' ' : '-');
        found = found || strstr(text, wanted) != NULL;
    }
    return found;
}

/* Every key that the row of keys shows is in the help, which closes and leaves all as it was. */
static void check_help(const char *title)
{
    static char text[TEXT_BYTES];
    struct key_label keys[MAX_KEYS];
    screen_settle(&screen, 200, 3000);
    size_t n = read_keys(keys);
    char *before = screen_text(&screen);
    uint64_t hash = screen_hash(&screen);
    assert_true(n >= 4);
    screen_type(&screen, "?");
    screen_wait(&screen, title);
    wait_keys("Esc close");
    read_pages(text);
    for (size_t i = 0; i < n; i++)
        if (!names_key(text, keys[i].key))
            fail_msg("%s: the help does not name %s", title, keys[i].key);
    press(VTERM_KEY_ESCAPE);
    wait_same(before, hash);
    free(before);
}

static void check_help_of_all_panes(int rows, int cols)
{
    start_explorer(rows, cols);
    check_help("Keys: Explorer");
    press(VTERM_KEY_ESCAPE);
    wait_keys("Enter open");
    check_help("Keys: Home");
    go_to_exercise();
    check_help("Keys: Exercise");
    (void)close_screen(NULL);
    start_lesson(rows, cols);
    check_help("Keys: Lesson");
    (void)close_screen(NULL);
}

static void test_screen_help__names_the_keys_of_each_pane(void **state)
{
    (void)state;
    check_help_of_all_panes(24, 80);
    check_help_of_all_panes(60, 250);
}

static void test_screen_help__closes_by_each_key_for_it(void **state)
{
    (void)state;
    static const char *const keys[] = {"?", "q", ESCAPE, CTRL_C};
    start_home();
    for (size_t i = 0; i < 4; i++) {
        screen_type(&screen, "?");
        screen_wait(&screen, "Keys: Home");
        screen_type(&screen, keys[i]);
        screen_wait_gone(&screen, "Keys: Home");
        wait_keys("Enter open");
    }
}

static void test_screen_help__turns_pages_with_the_wheel(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 16, .cols = 80, .arguments = LESSON("softmax")});
    wait_keys("n next");
    screen_type(&screen, "?");
    screen_wait(&screen, "Keys: Lesson");
    screen_wait(&screen, "goes on to the next page");
    screen_wheel(&screen, 8, 40, 40);
    screen_wait(&screen, "draws the screen again");
    screen_wheel(&screen, 8, 40, -40);
    screen_wait(&screen, "goes on to the next page");
}

/* The search. */

static void search(const char *words)
{
    press_named("F1");
    screen_wait(&screen, "find:");
    screen_type(&screen, words);
    screen_wait(&screen, words);
}

static void test_screen_help__finds_a_function_and_puts_it_into_the_prompt(void **state)
{
    (void)state;
    start_lesson(40, 110);
    search("masked_f");
    wait_chosen("masked_fill(input, mask, value)");
    assert_shows("hides scores with -inf before softmax");
    enter();
    screen_wait_gone(&screen, "find:");
    wait_keys("PgUp scroll");
    screen_type(&screen, "(ones(2), True, 7)\r");
    screen_wait(&screen, "masked_fill(ones(2), True, 7)");
    screen_wait(&screen, "7  7");
}

static void test_screen_help__finds_a_lesson_and_opens_it(void **state)
{
    (void)state;
    start_home();
    search("the score matrix");
    wait_chosen("lesson 4");
    enter();
    screen_wait_at(&screen, 0, "The score matrix   page 1 of ");
    search("push a score, and nothing moves"); /* a sentence of one of its pages */
    wait_chosen("Scaling: Saturation");
    enter();
    screen_wait_at(&screen, 0, "Scaling   page ");
    screen_wait(&screen, "Softmax is called saturated then");
}

/* What one reads is searched with /. */
static void test_screen_help__finds_words_in_a_lesson(void **state)
{
    (void)state;
    start_lesson(24, 80);
    screen_type(&screen, "/");
    wait_keys("Enter go there");
    screen_type(&screen, "hot mixes");
    screen_wait(&screen, "find: hot mixes");
    enter();
    screen_wait(&screen, "Divide the scores");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "find:");
    wait_keys("back");
}

/* From a question to the term, and on to the page that introduces it. */
static void test_screen_help__answers_a_question_and_opens_its_page(void **state)
{
    (void)state;
    start_home();
    search("what is temperature?");
    wait_chosen("temperature");
    enter();
    screen_wait(&screen, "Enter opens lesson softmax#temperature");
    assert_shows("0.1863  0.3072  0.5065"); /* what its example gives */
    press(VTERM_KEY_ESCAPE);
    screen_wait(&screen, "find: what is temperature?");
    enter();
    screen_wait(&screen, "Enter opens lesson softmax#temperature");
    screen_type(&screen, "o");
    screen_wait_at(&screen, 0, "Softmax   page ");
    screen_wait(&screen, "Temperature");
}

static void test_screen_help__finds_a_key(void **state)
{
    (void)state;
    start_home();
    search("draws the screen again");
    screen_wait(&screen, "Everywhere");
    wait_chosen("^L");
    enter(); /* a key can't be opened, and that is said */
    screen_wait(&screen, "nothing to open");
    press(VTERM_KEY_BACKSPACE);
    screen_wait(&screen, "draws the screen agai ");
    screen_type(&screen, CTRL_U "qqqq");
    screen_wait_gone(&screen, "Everywhere");
    screen_wait(&screen, "Nothing has this name");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "qqqq");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "find:");
}

static void test_screen_help__search_chooses_with_arrows_and_the_mouse(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    search("softmax");
    wait_chosen("softmax  ");
    press(VTERM_KEY_DOWN);
    wait_chosen("softmax(input");
    press(VTERM_KEY_UP);
    wait_chosen("softmax  ");
    click_on("log_softmax(input", 3);
    wait_chosen("log_softmax(input");
    enter();
    screen_wait_row(&screen, "attn> log_softmax");
}

/* The palette. */

static void open_palette(const char *letters)
{
    screen_type(&screen, ":");
    wait_keys("Enter do it");
    screen_type(&screen, letters);
    screen_wait(&screen, letters);
}

static void test_screen_help__palette_narrows(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    open_palette("");
    wait_chosen("lesson: go on"); /* the rooms first, then the pane in focus */
    assert_shows("Home: choose");
    screen_type(&screen, "them");
    screen_wait_gone(&screen, "Home: choose");
    wait_chosen("theme dark");
    press(VTERM_KEY_DOWN);
    wait_chosen("theme auto");
    screen_type(&screen, "con");
    wait_chosen("theme contrast");
    screen_type(&screen, CTRL_U);
    wait_chosen("lesson: go on");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "lesson: go on");
    wait_keys("Enter open");
}

static void test_screen_help__palette_asks_what_a_key_asks(void **state)
{
    (void)state;
    start_explorer(40, 110);
    open_palette("explorer: mask");
    wait_chosen("Explorer: mask");
    enter();
    screen_wait(&screen, "causal mask");
    open_palette("everywhere: prompt");
    wait_chosen("Everywhere: prompt");
    enter();
    wait_keys("PgUp scroll");
    press(VTERM_KEY_ESCAPE);
    wait_keys("Enter why");
    open_palette("everywhere: quit");
    wait_chosen("Everywhere: quit");
    quit("\r");
}

static void test_screen_help__palette_says_lines(void **state)
{
    (void)state;
    start_explorer(40, 110);
    open_palette("lesson masking");
    wait_chosen("masking");
    enter();
    screen_wait_at(&screen, 0, "Masking   page 1 of ");
    open_palette("answer");
    wait_chosen("answer EXPRESSION");
    enter(); /* more must be typed: it goes to the prompt */
    wait_keys("PgUp scroll");
    screen_wait(&screen, "> answer");
}

static void test_screen_help__palette_changes_settings(void **state)
{
    (void)state;
    static const char *const themes[] = {"theme light", "theme contrast", "theme dark"};
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    go_to_explorer();
    screen_type(&screen, "v");
    screen_wait(&screen, "highest");
    screen_settle(&screen, 100, 2000);
    uint64_t dark = screen_hash(&screen), last = dark;
    char *text = screen_text(&screen);
    for (size_t i = 0; i < 3; i++) {
        open_palette(themes[i]);
        wait_chosen(themes[i]);
        enter();
        screen_wait_all(&screen, text); /* the letters stay */
        wait_other(last, "other colours");
        last = screen_hash(&screen);
    }
    wait_same(text, dark);
    free(text);
}

/* What the palette offers it does, or says why not: never nothing at all. */
static void test_screen_help__palette_does_what_it_offers(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    uint64_t before = screen_hash(&screen);
    open_palette("explorer: mask");
    screen_settle(&screen, 100, 2000);
    if (strstr(chosen_row(), "Explorer: mask") == NULL)
        return; /* it is not offered at home */
    enter();
    screen_wait_gone(&screen, "explorer: mask");
    screen_settle(&screen, 200, 2000);
    assert_int_not_equal(screen_hash(&screen), before);
}

static void test_screen_help__palette_with_the_mouse(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    open_palette("lesson");
    uint64_t before = screen_hash(&screen);
    screen_wheel(&screen, 8, 40, 3);
    wait_other(before, "another choice");
    click_on("lesson softmax", 3);
    wait_chosen("lesson softmax");
    enter();
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_help__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(names_the_keys_of_each_pane),
        TEST(closes_by_each_key_for_it),
        TEST(turns_pages_with_the_wheel),
        TEST(finds_a_function_and_puts_it_into_the_prompt),
        TEST(finds_a_lesson_and_opens_it),
        TEST(finds_words_in_a_lesson),
        TEST(answers_a_question_and_opens_its_page),
        TEST(finds_a_key),
        TEST(search_chooses_with_arrows_and_the_mouse),
        TEST(palette_narrows),
        TEST(palette_asks_what_a_key_asks),
        TEST(palette_says_lines),
        TEST(palette_changes_settings),
        TEST(palette_does_what_it_offers),
        TEST(palette_with_the_mouse),
    };
    return RUN_TESTS("screen_help", all);
}
