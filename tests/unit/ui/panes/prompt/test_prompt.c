/* The prompt of the screen, without a screen: keys go in, lines come out, and what would be drawn
 * is read from a canvas. */
#include "ui/panes/prompt/prompt.h"

#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/progress.h"
#include "ui/panes/prompt/lines.h"
#include "testing.h"

struct bench {
    struct progress *progress;
    struct tutor tutor;
    struct console console;
    struct canvas canvas;
    char text[8192]; /* of the last drawing, rows ended by newlines */
};

static int set_up(void **state)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    struct bench *bench = calloc(1, sizeof *bench);
    struct error error;
    assert_non_null(bench);
    setenv("INPUTRC", "/dev/null", 1);
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* nothing is kept */
    bench->progress = progress_open(NULL);
    assert_non_null(bench->progress);
    tutor_init(&bench->tutor, &settings, NULL, NULL, bench->progress);
    assert_true(console_init(&bench->console, &bench->tutor, &error));
    clear_history();
    doc_clear(&bench->console.transcript); /* of what is said about the history */
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    canvas_release(&bench->canvas);
    console_release(&bench->console);
    tutor_release(&bench->tutor);
    progress_close(bench->progress);
    free(bench);
    return 0;
}

static void type(struct bench *bench, const char *keys)
{
    for (; *keys != '\0'; keys++)
        console_key(&bench->console, (unsigned char)*keys);
}

/* The only line that waits is this one; NULL: none. */
static void assert_line(struct bench *bench, const char *wanted)
{
    char *line = console_take_line(&bench->console);
    if (wanted == NULL)
        assert_null(line);
    else
        assert_string_equal(line, wanted);
    free(line);
}

static const char *draw(struct bench *bench, int rows, int cols)
{
    size_t size = 0;
    struct canvas *canvas = &bench->canvas;
    assert_true(canvas_resize(canvas, rows, cols));
    canvas_clear(canvas);
    console_resize(&bench->console, rows, cols);
    console_draw(&bench->console, canvas_area(canvas), true, false);
    for (int row = 0; row < rows; row++) {
        size_t begin = size;
        for (int col = 0; col < cols; col++)
            size += (size_t)snprintf(bench->text + size, sizeof bench->text - size, "%s",
                                     canvas->cells[row * cols + col].bytes);
        while (size > begin && bench->text[size - 1] == ' ')
            size--;
        bench->text[size++] = '\n';
    }
    bench->text[size] = '\0';
    return bench->text;
}

/* Lines "line 0", "line 1", ... of so many letters. */
static void add_lines(struct bench *bench, size_t first, size_t n)
{
    struct doc doc;
    for (size_t i = first; i < first + n; i++) {
        doc_init(&doc);
        doc_line(&doc, STYLE_PLAIN, "line %zu", i);
        console_add(&bench->console, &doc);
        doc_release(&doc);
    }
}

static void test_ui_console__gives_the_lines_that_were_entered(void **state)
{
    struct bench *bench = *state;
    type(bench, "a = 1");
    assert_line(bench, NULL);
    assert_false(console_is_empty(&bench->console));
    type(bench, "\r");
    assert_line(bench, "a = 1");
    assert_line(bench, NULL);
    assert_true(console_is_empty(&bench->console));
    type(bench, "sum([1,\r");
    assert_line(bench, NULL);
    assert_string_equal(draw(bench, 2, 40), "  ... (^C gives up)\n\n");
    type(bench, "2])\r");
    assert_line(bench, "sum([1,\n2])");
    type(bench, "\x04"); /* Ctrl-D on an empty line */
    assert_line(bench, "quit");
}

/* A key may stand for several lines, and none of them may be lost. */
static void test_ui_console__gives_all_lines_of_a_macro(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(rl_macro_bind("\x07", "a = [1,\r2]\rb = 3\rc", rl_get_keymap()), 0);
    type(bench, "\x07");
    assert_line(bench, "a = [1,\n2]");
    assert_line(bench, "b = 3");
    assert_line(bench, NULL);
    type(bench, "4\r");
    assert_line(bench, "c4");
    rl_bind_key('\x07', rl_abort);
}

/* Keys without a meaning in it crashed readline; and one that plays itself comes to an end. */
static void test_ui_console__macros_may_hold_any_keys(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(rl_macro_bind("\x07", "a\x1bz\x18\x1azb\r", rl_get_keymap()), 0);
    type(bench, "\x07");
    assert_line(bench, "azb");
    assert_int_equal(rl_macro_bind("\x07", "x\x07", rl_get_keymap()), 0);
    type(bench, "\x07");
    type(bench, "\r");
    char *line = console_take_line(&bench->console);
    assert_non_null(line);
    assert_int_equal(line[strspn(line, "x")], '\0');
    free(line);
    assert_int_equal(rl_macro_bind("\x07", "", rl_get_keymap()), 0);
    type(bench, "\x07");
    type(bench, "c\r");
    assert_line(bench, "c");
    rl_bind_key('\x07', rl_abort);
    type(bench, "\x18(d\x18)\x18"
                "e\r"); /* Ctrl-X ( and ) and e: taught and played */
    assert_line(bench, "dd");
}

static void test_ui_console__gives_up_what_was_begun(void **state)
{
    struct bench *bench = *state;
    assert_false(console_give_up(&bench->console));
    type(bench, "sum([1,\r2, x");
    assert_line(bench, NULL);
    assert_true(console_give_up(&bench->console));
    assert_true(console_is_empty(&bench->console));
    type(bench, "a\r");
    assert_line(bench, "a");
    type(bench, "\x12"
                "a"); /* in the middle of a search */
    assert_true(console_give_up(&bench->console));
    type(bench, "b\r");
    assert_line(bench, "b");
}

static void test_ui_console__shows_what_is_searched_for(void **state)
{
    struct bench *bench = *state;
    type(bench, "first = 1\rother\r");
    assert_line(bench, "first = 1");
    assert_line(bench, "other");
    assert_false(console_wants(&bench->console, KEYCODE_ESCAPE));
    type(bench, "\x12rst");
    assert_string_equal(draw(bench, 1, 60), "(reverse-i-search)`rst': first = 1\n");
    assert_true(console_wants(&bench->console, KEYCODE_ESCAPE)); /* which ends the search */
    console_key(&bench->console, KEYCODE_ESCAPE);
    assert_string_equal(draw(bench, 1, 60), "attn> first = 1\n");
}

/* Keys that mean nothing, with Escape or Ctrl-X before them, behind a search: readline crashed. */
static void test_ui_console__a_search_may_end_with_any_keys(void **state)
{
    struct bench *bench = *state;
    type(bench, "abc\r");
    assert_line(bench, "abc");
    type(bench, "\x12"
                "b");
    console_key(&bench->console, 'Q' | KEYCODE_ALT); /* which is none */
    type(bench, "!\r");
    assert_line(bench, "a!bc");
}

static void test_ui_console__escape_is_for_vi_while_it_inserts(void **state)
{
    struct bench *bench = *state;
    rl_vi_editing_mode(1, 0);
    assert_true(console_wants(&bench->console, KEYCODE_ESCAPE));
    type(bench, "abc");
    console_key(&bench->console, KEYCODE_ESCAPE);
    assert_false(console_wants(&bench->console, KEYCODE_ESCAPE));
    type(bench, "0x");
    console_key(&bench->console, KEYCODE_END);
    type(bench, "a!");
    assert_string_equal(draw(bench, 1, 60), "attn> bc!\n");
    rl_emacs_editing_mode(1, 0);
}

/* No line of the history may hold a list of what can be undone, which another line holds too:
 * readline frees such lists twice. */
static void assert_nothing_shared(void)
{
    HIST_ENTRY **entries = history_list();
    for (size_t i = 0; entries != NULL && entries[i] != NULL; i++)
        assert_null(entries[i]->data);
}

static void test_ui_console__lines_of_the_history_share_nothing(void **state)
{
    struct bench *bench = *state;
    static const int moves[] = {KEYCODE_UP,
                                KEYCODE_UP,
                                'a',
                                KEYCODE_DOWN,
                                KEYCODE_BACKSPACE,
                                'P' - '@',
                                'b',
                                '<' | KEYCODE_ALT,
                                'c',
                                KEYCODE_UP,
                                '>' | KEYCODE_ALT,
                                'd',
                                'R' - '@',
                                'y',
                                KEYCODE_UP,
                                'p' | KEYCODE_ALT,
                                'x',
                                KEYCODE_ENTER,
                                'e',
                                KEYCODE_UP,
                                '_' - '@',
                                KEYCODE_DOWN};
    type(bench, "xy\rabc\rdef\r");
    for (int i = 0; i < 3; i++)
        free(console_take_line(&bench->console));
    for (size_t i = 0; i < COUNT_OF(moves); i++) {
        console_key(&bench->console, moves[i]);
        assert_nothing_shared();
    }
    assert_line(bench, NULL);
}

/* Undoing still goes back within a line. */
static void test_ui_console__undoes_what_was_typed(void **state)
{
    struct bench *bench = *state;
    type(bench, "abc\r");
    assert_line(bench, "abc");
    console_key(&bench->console, KEYCODE_UP);
    type(bench, "d\x15"); /* Ctrl-U */
    assert_true(console_is_empty(&bench->console));
    type(bench, "\x1f"); /* Ctrl-_ */
    assert_string_equal(draw(bench, 1, 60), "attn> abcd\n");
    type(bench, "\x1f\x1f\x1f");
    assert_string_equal(draw(bench, 1, 60), "attn> abc\n");
}

static void test_ui_console__a_paste_is_text(void **state)
{
    struct bench *bench = *state;
    const char *pasted = "a\t= \x01"
                         "1";
    for (; *pasted != '\0'; pasted++)
        console_paste(&bench->console, *pasted);
    console_paste(&bench->console, 0x4F60);
    assert_string_equal(draw(bench, 1, 60), "attn> a = 1\xE4\xBD\xA0\n");
    console_paste(&bench->console, KEYCODE_ENTER);
    assert_line(bench, "a = 1\xE4\xBD\xA0");
}

static void test_ui_console__choices_stand_in_columns(void **state)
{
    struct bench *bench = *state;
    type(bench, "lo");
    console_key(&bench->console, KEYCODE_TAB);
    console_key(&bench->console, KEYCODE_TAB);
    assert_true(bench->console.n_choices >= 3); /* load, log, log_softmax, ... */
    const char *text = draw(bench, 12, 200);
    assert_non_null(strstr(text, "log_softmax"));
    assert_non_null(strstr(text, "load"));
    assert_null(strstr(text, " more"));
    size_t widest = 0, n = bench->console.n_choices;
    const char *word = text_string(&bench->console.choices);
    for (size_t i = 0; i < n; i++, word += strlen(word) + 1)
        widest = strlen(word) > widest ? strlen(word) : widest;
    /* One to a row where there is room for one, and the last row counts what finds none. */
    char wanted[64];
    text = draw(bench, 4, (int)widest + 2);
    assert_int_equal(strchr(text, '\n') - text, strlen(text_string(&bench->console.choices)));
    snprintf(wanted, sizeof wanted, "... and %zu more\nattn> lo", n - 2);
    text = draw(bench, 4, (int)widest + 8);
    assert_non_null(strstr(text, wanted));
    type(bench, "g"); /* the next key takes them away */
    assert_string_equal(draw(bench, 3, 40), "attn> log\n\n\n");
}

static void test_ui_console__scrolls_and_comes_back(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 10);
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn>\n");
    console_scroll(&bench->console, 2, 4);
    assert_string_equal(draw(bench, 4, 20), "line 5\nline 6\nline 7\nattn>\n");
    console_scroll(&bench->console, 1000, 4);
    assert_string_equal(draw(bench, 4, 20), "line 0\nline 1\nline 2\nattn>\n");
    console_scroll(&bench->console, -3, 4);
    assert_string_equal(draw(bench, 4, 20), "line 3\nline 4\nline 5\nattn>\n");
    type(bench, "x");
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn> x\n");
    console_scroll(&bench->console, 3, 4);
    console_scroll(&bench->console, -1000, 4);
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn> x\n");
}

/* Where the pane has become too narrow, a line goes on in the next row; a wide letter is not cut.
 */
static void test_ui_console__long_lines_take_several_rows(void **state)
{
    struct bench *bench = *state;
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "first");
    doc_line(&doc, STYLE_PLAIN, "abcdefghijklmnopqrstu");
    doc_line(&doc, STYLE_PLAIN, "123456789\xE4\xBD\xA0x");
    console_add(&bench->console, &doc);
    doc_release(&doc);
    assert_string_equal(draw(bench, 4, 30),
                        "first\nabcdefghijklmnopqrstu\n123456789\xE4\xBD\xA0x\nattn>\n");
    assert_string_equal(draw(bench, 7, 10),
                        "first\nabcdefghij\nklmnopqrst\nu\n123456789\n\xE4\xBD\xA0x\nattn>\n");
    assert_string_equal(draw(bench, 4, 10), "u\n123456789\n\xE4\xBD\xA0x\nattn>\n");
    console_scroll(&bench->console, 1, 4);
    assert_string_equal(draw(bench, 4, 10), "klmnopqrst\nu\n123456789\nattn>\n");
    console_scroll(&bench->console, 2, 4);
    assert_string_equal(draw(bench, 4, 10), "first\nabcdefghij\nklmnopqrst\nattn>\n");
    console_scroll(&bench->console, -1, 4);
    assert_string_equal(draw(bench, 4, 10), "abcdefghij\nklmnopqrst\nu\nattn>\n");
    console_scroll(&bench->console, 1, 4);
    assert_string_equal(draw(bench, 4, 30), "first\nabcdefghijklmnopqrstu\nattn>\n\n");
}

/* The oldest lines go, and adding does not become slower with what is there: the work of each
 * addition is that of its own lines, but for one in ten thousand. */
static void test_ui_console__keeps_the_newest_lines(void **state)
{
    struct bench *bench = *state;
    size_t n = CONSOLE_MAX_LINES, drops = 0, before = 0;
    for (size_t i = 0; i < 3 * n; i += 100) {
        add_lines(bench, i, 100);
        drops += bench->console.transcript.n_lines < before;
        before = bench->console.transcript.n_lines;
        assert_true(before <= n);
        assert_true(before >= n / 2 || before == i + 100);
    }
    assert_in_range(drops, 3, 4);
    assert_string_equal(draw(bench, 3, 20), "line 59998\nline 59999\nattn>\n");
    console_scroll(&bench->console, 10 * CONSOLE_MAX_LINES, 3);
    assert_null(strstr(draw(bench, 3, 20), "line 0\n"));
}

/* Without memory something is missing, but what comes later is there. */
static void test_ui_console__goes_on_behind_a_lack_of_memory(void **state)
{
    struct bench *bench = *state;
    for (long n = 1; n <= 12; n++) {
        testing_fail_allocation(n);
        console_echo(&bench->console, "a = 1");
        add_lines(bench, 0, 3);
        testing_fail_allocation(0);
    }
    add_lines(bench, 7, 2);
    assert_string_equal(draw(bench, 3, 20), "line 7\nline 8\nattn>\n");
    for (long n = 1; n <= 12; n++) { /* lines are lost whole */
        type(bench, "sum([1,\r2]");
        testing_fail_allocation(n);
        type(bench, ")\r");
        char *line = console_take_line(&bench->console);
        testing_fail_allocation(0);
        if (line != NULL)
            assert_string_equal(line, "sum([1,\n2])");
        free(line);
        (void)console_give_up(&bench->console);
    }
    type(bench, "a\r");
    assert_line(bench, "a");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ui_console__##name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest all[] = {
        TEST(gives_the_lines_that_were_entered),
        TEST(gives_all_lines_of_a_macro),
        TEST(macros_may_hold_any_keys),
        TEST(gives_up_what_was_begun),
        TEST(shows_what_is_searched_for),
        TEST(a_search_may_end_with_any_keys),
        TEST(escape_is_for_vi_while_it_inserts),
        TEST(lines_of_the_history_share_nothing),
        TEST(undoes_what_was_typed),
        TEST(a_paste_is_text),
        TEST(choices_stand_in_columns),
        TEST(scrolls_and_comes_back),
        TEST(long_lines_take_several_rows),
        TEST(keeps_the_newest_lines),
        TEST(goes_on_behind_a_lack_of_memory),
    };
    return cmocka_run_group_tests_name("ui_console", all, NULL, NULL);
}
