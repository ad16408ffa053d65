/* Keys that are everywhere, and the row that names the keys of the pane in focus. */
#include "screen_testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

static void test_screen_keys__tab_goes_round_the_panes(void **state)
{
    (void)state;
    start_lesson(24, 110);
    screen_type(&screen, "\t");
    wait_keys("Enter why");
    screen_type(&screen, "\t");
    wait_keys("PgUp scroll");
    assert_true(screen.cursor_visible);
    screen_type(&screen, "\t");
    wait_keys("n next");
    screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
    wait_keys("PgUp scroll");
    screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
    wait_keys("Enter why");
    screen_type(&screen, "/");
    wait_keys("PgUp scroll");
    screen_type(&screen, ESCAPE);
    wait_keys("n next");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open"); /* home */
}

static void test_screen_keys__clicks_choose_the_pane(void **state)
{
    (void)state;
    start_lesson(30, 110);
    screen_type(&screen, "\t"); /* the explorer opens beside the text */
    wait_keys("Enter why");
    screen_click(&screen, 5, 10);
    wait_keys("n next");
    screen_click(&screen, 5, 90);
    wait_keys("Enter why");
    screen_click(&screen, 28, 10); /* the prompt is one row above the keys */
    wait_keys("PgUp scroll");
}

static void test_screen_keys__redraws_what_others_wrote_over(void **state)
{
    (void)state;
    start_home();
    const char *rubbish = "\x1b[5;5HRUBBISH";
    vterm_input_write(screen.terminal, rubbish, strlen(rubbish));
    assert_shows("RUBBISH");
    screen_type(&screen, CTRL_L);
    screen_wait_gone(&screen, "RUBBISH");
    assert_shows("Explore attention freely");
}

static void test_screen_keys__q_and_ctrl_c_quit(void **state)
{
    (void)state;
    start_home();
    quit("q");
    screen_close(&screen);
    start_home();
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start_home();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    screen_type(&screen, "quit");
    screen_wait(&screen, "attn> quit");
    quit("\r");
}

/* q goes up by one level: what lies on top, the second pane, a zoomed one, the lesson, home. */
static void test_screen_keys__q_goes_up_one_level(void **state)
{
    (void)state;
    start_lesson(30, 110);
    screen_type(&screen, "z?");
    screen_wait(&screen, "Keys: Lesson");
    screen_type(&screen, "q");
    screen_wait_gone(&screen, "Keys: Lesson");
    screen_type(&screen, "\t");
    wait_keys("Enter why");
    screen_wait_gone(&screen, "Prompt -");
    screen_type(&screen, "q");
    wait_keys("n next");
    screen_wait_gone(&screen, "Prompt -"); /* still zoomed */
    screen_type(&screen, "q");
    screen_wait(&screen, "Prompt -");
    screen_type(&screen, "q");
    wait_keys("q quit");
    quit("q");
}

static void test_screen_keys__a_key_without_meaning_says_so(void **state)
{
    (void)state;
    start_home();
    go_to_exercise();
    screen_type(&screen, "$");
    wait_keys("$ means nothing here; ? lists the keys");
    screen_type(&screen, "j"); /* the next key takes it away; j is an arrow */
    wait_keys("Enter check");
    screen_type(&screen, "<");
    wait_keys("one pane is seen at a time");
    screen_close(&screen);
    start_lesson(30, 110);
    screen_type(&screen, "e");
    screen_wait(&screen, "e means nothing here");
}

static bool border_is_moved(struct screen *at, const char *what)
{
    (void)what;
    return screen_find_text(at, 5, 0, "|") == 76;
}

/* Where the border was is where it is the next time. */
static void test_screen_keys__the_border_moves_and_stays(void **state)
{
    (void)state;
    screen_home_new(home);
    for (int i = 0; i < 2; i++) {
        start(&(struct screen_options){
            .rows = 40, .cols = 200, .home = home, .arguments = LESSON("softmax", "--ascii")});
        wait_keys("n next");
        screen_type(&screen, "\t"); /* the explorer opens beside the text */
        wait_keys("Enter why");
        int col = screen_find_text(&screen, 5, 0, "|");
        assert_int_equal(col, i == 0 ? 84 : 76);
        if (i == 0)
            screen_type(&screen, "<<<>");
        screen_wait_for(&screen, border_is_moved, "the border in column 76");
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
}

static void press_shift_f6(void)
{
    screen_press(&screen, (VTermKey)VTERM_KEY_FUNCTION(6), VTERM_MOD_SHIFT);
}

/* ^Q, F1, F2 and F6 are no text, and mean the same while something is typed. */
static void test_screen_keys__some_keys_work_in_every_pane(void **state)
{
    (void)state;
    start_lesson(24, 110);
    press_named("F6");
    wait_keys("Enter why");
    press_named("F6");
    wait_keys("PgUp scroll");
    screen_type(&screen, "1 + 1");
    screen_wait(&screen, "24> 1 + 1");
    press_shift_f6();
    wait_keys("Enter why");
    press_named("F6");
    wait_keys("PgUp scroll");
    assert_shows("24> 1 + 1");
    press_named("F2");
    screen_wait(&screen, "Do what?");
    press_named("F1");
    screen_wait(&screen, "Search all help");
    screen_type(&screen, CTRL_Q);
    screen_wait_gone(&screen, "Search all help");
    assert_shows("24> 1 + 1");
    screen_type(&screen, CTRL_Q);
    wait_keys("n next");
    screen_type(&screen, CTRL_Q);
    wait_keys("q quit");
    quit(CTRL_Q);
}

/* The ways that terminals send F2 and F6, whatever their description says. */
static void test_screen_keys__function_keys_of_other_terminals(void **state)
{
    (void)state;
    static const char *const f2[] = {"\x1bOQ", "\x1b[12~", "\x1b[[B"};
    static const char *const shift_f6[] = {"\x1b[17;2~", "\x1b[31~"};
    start_lesson(24, 110);
    for (size_t i = 0; i < COUNT_OF(f2); i++) {
        screen_type(&screen, f2[i]);
        screen_wait(&screen, "Do what?");
        screen_type(&screen, CTRL_C);
        screen_wait_gone(&screen, "Do what?");
    }
    for (size_t i = 0; i < COUNT_OF(shift_f6); i++) {
        screen_type(&screen, "\x1b[17~");
        wait_keys("Enter why");
        screen_type(&screen, shift_f6[i]);
        wait_keys("n next");
    }
}

/* ^C closes a field that was opened for a moment, in every pane, and does not end attn. */
static void test_screen_keys__ctrl_c_cancels_a_field(void **state)
{
    (void)state;
    start_lesson(24, 110);
    screen_type(&screen, "/score");
    screen_wait(&screen, "find: score");
    screen_type(&screen, CTRL_C CTRL_C);
    screen_wait_gone(&screen, "find: ");
    screen_type(&screen, "/score\r"); /* also after Enter took the place */
    wait_keys("n next place");
    screen_type(&screen, CTRL_C);
    screen_wait_gone(&screen, "find: score");
    screen_type(&screen, "xy");
    screen_wait(&screen, "save as:");
    screen_type(&screen, CTRL_C CTRL_C);
    screen_wait_gone(&screen, "save as:");
    screen_type(&screen, "?" CTRL_C ":" CTRL_C);
    wait_keys("n next");
    screen_close(&screen);
    start_explorer(24, 110);
    for (size_t i = 0; i < 2; i++) { /* ^Q closes it before it leaves the pane */
        screen_type(&screen, "e12");
        wait_keys("Enter take it");
        screen_type(&screen, i == 0 ? CTRL_C CTRL_C : CTRL_Q);
        wait_keys("Enter why");
    }
}

/* Esc, and ^C, empty a field first and close it when nothing is typed, whatever it is for. */
static void test_screen_keys__a_field_is_emptied_then_closed(void **state)
{
    (void)state;
    static const struct {
        const char *page, *opens, *shows; /* what stands there while it is open */
    } fields[] = {
        {"softmax#1", "/", "find: "},           {"softmax#1", "\x1bOP", "Search all help"},
        {"softmax#1", ":", "Do what?"},         {"softmax#1", "x", "save as: "},
        {"softmax#1", CTRL_P "\x0f", "find: "}, {NULL, "/", "find: "},
    };
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        for (size_t by = 0; by < 2; by++) {
            const char *key = by == 0 ? ESCAPE : CTRL_C;
            bool at_home = fields[i].page == NULL;
            start(&(struct screen_options){
                .rows = 24,
                .cols = 100,
                .arguments =
                    at_home ? ATTN("--ascii") : ATTN("--ascii", "lesson", fields[i].page)});
            wait_keys(at_home ? "q quit" : "n next");
            screen_type(&screen, fields[i].opens);
            screen_wait(&screen, fields[i].shows);
            screen_type(&screen, "zqz");
            screen_wait(&screen, "zqz");
            screen_type(&screen, key);
            screen_wait_gone(&screen, "zqz");
            assert_shows(fields[i].shows);
            screen_type(&screen, key);
            screen_wait_gone(&screen, fields[i].shows);
            (void)close_screen(NULL);
        }
    }
}

/* ^C where nothing is typed and nothing is computed does not end attn by itself. */
static void test_screen_keys__control_c_leaves_when_pressed_twice(void **state)
{
    (void)state;
    const struct {
        const char *const *arguments;
        const char *title;
    } rooms[] = {
        {ATTN("--ascii"), "home"},
        {ATTN("--ascii", "lesson", "softmax#1"), "page 1 of"},
        {ATTN("--ascii", "explore"), "Explore"},
        {ATTN("--ascii", "view"), "Model"},
        {ATTN("--ascii", "train", "--film", "modular"), "Training"},
    };
    for (size_t i = 0; i < COUNT_OF(rooms); i++) {
        start(&(struct screen_options){.rows = 30, .cols = 100, .arguments = rooms[i].arguments});
        screen_wait_at(&screen, 0, rooms[i].title);
        screen_type(&screen, CTRL_C);
        screen_wait(&screen, "^C once more leaves attn");
        screen_type(&screen, "\x0c" CTRL_C); /* ^L comes between */
        screen_wait(&screen, "^C once more leaves attn");
        quit(CTRL_C);
        screen_close(&screen);
    }
}

/* The row of keys: what it shows is what the keys do. */

static void at_home(void)
{
    start(&(struct screen_options){.rows = 40, .cols = 200, .arguments = ATTN("--ascii")});
    wait_keys("q quit");
}

/* A question that is being answered. */
static void in_a_lesson(void)
{
    start_lesson(40, 200);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "7");
    screen_wait(&screen, "your answer: 7");
}

/* Two heads, an edit, and the arithmetic of a number. */
static void in_the_explorer(void)
{
    start_explorer(40, 250);
    screen_type(&screen, "H\r2");
    screen_wait(&screen, "head 2/2");
    screen_type(&screen, "e2.5\r");
    screen_wait(&screen, "u takes it back");
    screen_type(&screen, "]]]]");
    enter();
    enter();
    screen_wait(&screen, "  = ");
}

static void in_an_exercise(void)
{
    at_home();
    go_to_exercise();
    screen_type(&screen, "w");
    screen_wait(&screen, "Your files are in attn-exercises");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "Exercise 2");
}

static void at_the_prompt(void)
{
    at_home();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("help");
    screen_wait(&screen, "explains one of them");
}

static void in_the_keys(void)
{
    start(&(struct screen_options){.rows = 20, .cols = 80, .arguments = LESSON("softmax")});
    wait_keys("n next");
    screen_type(&screen, "?");
    screen_wait(&screen, "Keys: Lesson");
}

static void in_the_search(void)
{
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    press_named("F1");
    screen_wait(&screen, "find:");
    screen_type(&screen, "softmax");
    wait_chosen("softmax");
}

static void in_the_palette(void)
{
    start(&(struct screen_options){.rows = 40, .cols = 110});
    wait_keys("q quit");
    screen_type(&screen, ":");
    screen_wait(&screen, "Do what?");
    screen_type(&screen, "theme");
    wait_chosen("theme");
}

/* Keys that do the same in every pane: they are tried at home. */
static bool is_everywhere(const char *key)
{
    return strchr("?q/:z^F", key[0]) != NULL;
}

/* Presses each key that is shown, from the same place each time: the screen changes. */
static void check_keys(void (*go)(void), size_t at_least)
{
    struct key_label keys[MAX_KEYS];
    size_t n = 1;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && go != at_home && is_everywhere(keys[i].key))
            continue;
        go();
        screen_settle(&screen, 80, 3000);
        n = read_keys(keys);
        assert_true(n >= at_least);
        char what[80];
        snprintf(what, sizeof what, "what the key %.15s does: %.31s", keys[i].key, keys[i].label);
        uint64_t before = screen_hash(&screen);
        press_named(keys[i].key);
        wait_other(before, what);
        (void)close_screen(NULL);
    }
}

/* In a mask Tab goes to the next cell, and the panes' Tab is left out of the row. */
static void in_a_mask(void)
{
    start(&(struct screen_options){
        .rows = 40, .cols = 200, .arguments = LESSON("why-attention#draw-a-window", "--ascii")});
    wait_keys("Space draws");
}

static void in_a_model(void)
{
    start(&(struct screen_options){.rows = 40, .cols = 120, .arguments = ATTN("--ascii", "view")});
    screen_wait(&screen, "the next token");
    wait_keys("Enter open");
}

/* The keys of a model stand in the last row, and in no other. */
static void test_screen_keys__a_model_names_its_keys_once(void **state)
{
    (void)state;
    static const char *const keys[] = {"b rank", "o best first", "t text", "n next word"};
    in_a_model();
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        screen_wait_at(&screen, screen.rows - 1, keys[i]);
        assert_int_equal(screen_find_row(&screen, 0, keys[i]), screen.rows - 1);
    }
}

static void test_screen_keys__the_row_names_a_key_once(void **state)
{
    (void)state;
    static void (*const places[])(void) = {at_home,         in_a_lesson,    in_a_mask,
                                           in_the_explorer, in_an_exercise, in_a_model};
    struct key_label keys[MAX_KEYS];
    for (size_t at = 0; at < COUNT_OF(places); at++) {
        places[at]();
        screen_settle(&screen, 80, 3000);
        size_t n = read_keys(keys);
        assert_true(n > 3);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                if (strcmp(keys[i].key, keys[j].key) == 0)
                    fail_msg("%s is shown as %s and as %s", keys[i].key, keys[j].label,
                             keys[i].label);
        (void)close_screen(NULL);
    }
}

/* Beside a question for the wrong cell, where its matrix comes from is not shown before the answer.
 */
static void test_screen_keys__a_wrong_cell_is_not_given_away(void **state)
{
    (void)state;
    start(&(struct screen_options){
        .rows = 40, .cols = 200, .arguments = LESSON("score-matrix#the-wrong-cell", "--ascii")});
    wait_keys("Tab next cell");
    screen_settle(&screen, 80, 3000);
    assert_false(screen_shows(&screen, "old copied"));
    assert_false(screen_shows(&screen, "Explore   copied"));
}

static void test_screen_keys__each_key_of_home(void **state)
{
    (void)state;
    check_keys(at_home, 5);
}

static void at_a_question(void)
{
    start_lesson(40, 200);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
}

static void test_screen_keys__each_key_of_a_lesson(void **state)
{
    (void)state;
    check_keys(at_a_question, 7);
}

/* While an answer is typed: no key that is shown is a letter of it. */
static void test_screen_keys__each_key_beside_a_typed_answer(void **state)
{
    (void)state;
    struct key_label keys[MAX_KEYS];
    char typed[40];
    size_t n = 1;
    for (size_t i = 0; i < n; i++) {
        in_a_lesson();
        screen_settle(&screen, 80, 3000);
        n = read_keys(keys);
        uint64_t before = screen_hash(&screen);
        press_named(keys[i].key);
        wait_other(before, keys[i].label);
        screen_settle(&screen, 50, 1000);
        snprintf(typed, sizeof typed, "your answer: 7%.15s", keys[i].key);
        if (screen_shows(&screen, typed))
            fail_msg("%s is shown as a key (%s), and is typed", keys[i].key, keys[i].label);
        (void)close_screen(NULL);
    }
}

static void test_screen_keys__each_key_of_the_explorer(void **state)
{
    (void)state;
    check_keys(in_the_explorer, 14);
}

static void test_screen_keys__each_key_of_an_exercise(void **state)
{
    (void)state;
    check_keys(in_an_exercise, 9);
}

/* Letters are typed there: none of them is shown as a key. */
static void test_screen_keys__each_key_of_the_prompt(void **state)
{
    (void)state;
    struct key_label keys[MAX_KEYS];
    check_keys(at_the_prompt, 1);
    at_the_prompt();
    for (size_t i = 0, n = read_keys(keys); i < n; i++)
        if (strlen(keys[i].key) == 1)
            fail_msg("%s is a letter at the prompt, and shown as a key", keys[i].key);
}

static void test_screen_keys__each_key_of_what_lies_over_the_panes(void **state)
{
    (void)state;
    check_keys(in_the_keys, 3);
    check_keys(in_the_search, 3);
    check_keys(in_the_palette, 3);
}

/* The row of keys can be clicked, too. */
static void test_screen_keys__keys_can_be_clicked(void **state)
{
    (void)state;
    start_lesson(40, 200);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    click_key("^T");
    screen_wait(&screen, "Hint 1 of");
    click_key("^S");
    screen_wait_at(&screen, 0, "page 3 of");
    wait_keys("Enter run");
    click_key("^B");
    screen_wait_at(&screen, 0, "page 2 of");
    click_key("^B"); /* to a page where nothing is asked */
    screen_wait_at(&screen, 0, "page 1 of");
    wait_keys("n next");
    click_key("?");
    screen_wait(&screen, "Keys: Lesson");
    click_key("Esc");
    screen_wait_gone(&screen, "Keys: Lesson");
    click_key("Tab");
    wait_keys("Enter why");
    click_key("q");
    wait_keys("n next");
    click_key("q");
    wait_keys("q quit");
    click_key("q");
    assert_int_equal(screen_wait_exit(&screen), 0);
}

/* Where there is less room, the keys that lead on are there still. */
/* Where letters are typed it is F1 that helps. */
static void test_screen_keys__help_is_always_shown(void **state)
{
    (void)state;
    static void (*const ways[])(void) = {at_home, in_a_lesson, in_the_explorer, in_an_exercise};
    static const int cols[] = {60, 80, 100, 300};
    for (size_t i = 0; i < 4; i++) {
        ways[i]();
        for (size_t j = 0; j < 4; j++) {
            screen_resize(&screen, 24, cols[j]);
            wait_keys("help");
        }
        (void)close_screen(NULL);
    }
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_keys__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(tab_goes_round_the_panes),
        TEST(clicks_choose_the_pane),
        TEST(redraws_what_others_wrote_over),
        TEST(q_and_ctrl_c_quit),
        TEST(q_goes_up_one_level),
        TEST(a_key_without_meaning_says_so),
        TEST(some_keys_work_in_every_pane),
        TEST(function_keys_of_other_terminals),
        TEST(ctrl_c_cancels_a_field),
        TEST(a_field_is_emptied_then_closed),
        TEST(control_c_leaves_when_pressed_twice),
        TEST(the_border_moves_and_stays),
        TEST(a_model_names_its_keys_once),
        TEST(the_row_names_a_key_once),
        TEST(a_wrong_cell_is_not_given_away),
        TEST(each_key_of_home),
        TEST(each_key_of_a_lesson),
        TEST(each_key_beside_a_typed_answer),
        TEST(each_key_of_the_explorer),
        TEST(each_key_of_an_exercise),
        TEST(each_key_of_the_prompt),
        TEST(each_key_of_what_lies_over_the_panes),
        TEST(keys_can_be_clicked),
        TEST(help_is_always_shown),
    };
    return RUN_TESTS("screen_keys", all);
}
