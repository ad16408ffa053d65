/* The line REPL as a person meets it: real keys into a real terminal. */
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

#define HELLO "X = embed(\"Hello shiny sun!\")"

static struct screen screen;

static int close_screen(void **state)
{
    (void)state;
    screen_close(&screen);
    return 0;
}

static void start(const struct screen_options *options)
{
    screen_open(&screen, options);
    screen_wait_prompt(&screen);
}

static void assert_shows(const char *text)
{
    if (!screen_shows(&screen, text))
        screen_wait(&screen, text); /* fails with the screen in its message */
}

static void test_repl__greets_and_computes(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    assert_shows("help shows what you can type");
    screen_line(&screen, HELLO);
    assert_shows("X  3x3");
    screen_line(&screen, "X");
    assert_shows("shiny   0.5300  0.3400  0.9800");
    screen_line(&screen, "loss = 1 / 4");
    assert_shows("loss = 0.25");
}

static void test_repl__line_goes_on_while_a_bracket_is_open(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "sum([1,\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "41])\r");
    screen_wait_prompt(&screen);
    assert_shows("42");
}

static void test_repl__error_marks_the_place_and_the_session_goes_on(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "Q = ones(3, 2)");
    screen_line(&screen, "Q @ Q");
    assert_shows("the inner sizes differ");
    assert_shows("^^^^^");
    screen_line(&screen, "sum(Q) * 7");
    assert_shows("42");
}

static void test_repl__ctrl_c_gives_the_line_up(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "never_run = 12345");
    screen_wait(&screen, "12345");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    screen_type(&screen, "sum([1,\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    screen_line(&screen, "vars");
    assert_shows("no names yet");
}

static void test_repl__ctrl_c_stops_a_computation(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "kept = 41");
    screen_line(&screen, "A = ones(6000, 6000)");
    screen_type(&screen, "B = A @ A\r"); /* 432 GFLOP: it would take minutes */
    screen_wait(&screen, "B = A @ A");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    assert_shows("stopped");
    screen_line(&screen, "kept + 1");
    assert_shows("42");
    screen_line(&screen, "B");
    assert_shows("no such name");
}

static void test_repl__ctrl_d_and_quit_end_it(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "\x04");
    assert_int_equal(screen_wait_exit(&screen), 0);
    screen_close(&screen);
    start(&(struct screen_options){0});
    screen_type(&screen, "quit\r");
    assert_int_equal(screen_wait_exit(&screen), 0);
}

static void test_repl__lost_terminal_ends_it(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    assert_int_equal(kill(screen.program, SIGHUP), 0);
    assert_true(screen_wait_exit(&screen) != 0);
}

static void test_repl__history_lasts_beyond_the_run(void **state)
{
    (void)state;
    char home[] = "/tmp/attn-pty-XXXXXX", path[96];
    assert_non_null(mkdtemp(home));
    struct screen_options options = {.home = home};
    start(&options);
    screen_line(&screen, "first = 1");
    screen_line(&screen, "second = 2");
    screen_line(&screen, "second = 2");
    screen_type(&screen, "\x04");
    screen_wait_exit(&screen);
    screen_close(&screen);

    start(&options);
    screen_type(&screen, "\x1b[A");
    screen_wait(&screen, "attn> second = 2");
    screen_type(&screen, "\x1b[A"); /* the same line twice is kept once */
    screen_wait(&screen, "attn> first = 1");
    screen_type(&screen, "\r");
    screen_wait_prompt(&screen);
    assert_shows("first = 1");

    struct stat info;
    snprintf(path, sizeof path, "%s/state/attn/history", home);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    screen.keeps_home = false; /* now screen_close() removes it */
}

static void test_repl__history_brings_a_long_line_back_whole(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "y = sum([1,\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "2])\r");
    screen_wait_prompt(&screen);
    screen_type(&screen, "\x1b[A");
    screen_wait(&screen, "attn> y = sum([1, 2])");
}

static void test_repl__works_where_no_history_can_be_kept(void **state)
{
    (void)state;
    char home[] = "/tmp/attn-pty-XXXXXX", state_file[96];
    assert_non_null(mkdtemp(home));
    snprintf(state_file, sizeof state_file, "%s/state", home);
    FILE *file = fopen(state_file, "w"); /* a file where the folder should be */
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    start(&(struct screen_options){.home = home});
    screen_line(&screen, "6 * 7");
    assert_shows("42");
    screen.keeps_home = false;
}

static void test_repl__tab_completes_names_functions_commands_and_labels(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, HELLO);
    screen_line(&screen, "unmistakable = 42");
    screen_type(&screen, "unmis\t");
    screen_wait(&screen, "attn> unmistakable");
    screen_type(&screen, "\r");
    screen_wait_prompt(&screen);
    screen_type(&screen, "log_so\t");
    screen_wait(&screen, "attn> log_softmax");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    screen_type(&screen, "wha\t");
    screen_wait(&screen, "attn> whatif");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    screen_type(&screen, "X[\"shi\t");
    screen_wait(&screen, "attn> X[\"shiny\"");
    screen_type(&screen, "]\r");
    screen_wait_prompt(&screen);
    assert_shows("0.5300  0.3400  0.9800");
}

/* Draws a heatmap whose cells rise from left to right, and finds its row. */
static int draw_heat(void)
{
    screen_line(&screen, "heat [[0, 1, 2, 3]]");
    int title = screen_find_row(&screen, 0, "attn> heat");
    int row = screen_find_row(&screen, title + 2, "3");
    assert_true(row > 0);
    return row;
}

/* The colours behind the four cells of that row, in the order of the numbers. */
static void cell_backs(int row, int32_t ret_backs[4])
{
    const char *text = screen_row(&screen, row);
    for (int number = 0; number < 4; number++) {
        const char *at = strchr(text, '0' + number);
        assert_non_null(at);
        ret_backs[number] = screen_back(&screen, row, (int)(at - text));
    }
}

/* ITU-R BT.709 weights: how light a colour looks. */
static double lightness(int32_t rgb)
{
    return 0.2126 * (rgb >> 16 & 255) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255);
}

static void assert_rising_heat(const char *const *settings)
{
    start(&(struct screen_options){.settings = settings});
    int32_t backs[4];
    cell_backs(draw_heat(), backs);
    for (int i = 0; i < 4; i++)
        assert_true(backs[i] >= 0);
    for (int i = 1; i < 4; i++)
        assert_true(lightness(backs[i]) > lightness(backs[i - 1]));
}

static void test_repl__heat_rises_in_lightness_in_true_colour(void **state)
{
    (void)state;
    assert_rising_heat((const char *const[]){"COLORTERM=truecolor", NULL});
}

static void test_repl__heat_rises_in_lightness_in_256_colours(void **state)
{
    (void)state;
    assert_rising_heat((const char *const[]){"TERM=xterm-256color", NULL});
}

static void test_repl__sixteen_colours_are_used_where_there_are_no_more(void **state)
{
    (void)state;
    start(&(struct screen_options){.settings = (const char *const[]){"TERM=linux", NULL}});
    int32_t backs[4];
    cell_backs(draw_heat(), backs);
    assert_true(backs[3] >= 0 && backs[3] != backs[0]);
}

static void assert_no_colour(const char *const *settings, const char *const *arguments)
{
    start(&(struct screen_options){.settings = settings, .arguments = arguments});
    screen_line(&screen, "heat [[0, 1, 2, 3]]");
    assert_shows("highest");
    assert_false(screen_has_colour(&screen));
    screen_close(&screen);
}

static void test_repl__no_colour_where_it_is_unwanted(void **state)
{
    (void)state;
    assert_no_colour((const char *const[]){"NO_COLOR=1", NULL}, NULL);
    assert_no_colour((const char *const[]){"TERM=dumb", NULL}, NULL);
    assert_no_colour(NULL, (const char *const[]){"repl", "--color", "never", NULL});
}

static void test_repl__plain_locale_gets_ascii_only(void **state)
{
    (void)state;
    start(
        &(struct screen_options){.settings = (const char *const[]){"LANG=C", "NO_COLOR=1", NULL}});
    screen_line(&screen, "bars [1, 2, 3]");
    screen_line(&screen, "heat arange(9).view(3, 3)");
    char *text = screen_text(&screen);
    for (const char *c = text; *c != '\0'; c++)
        assert_true((unsigned char)*c < 0x80);
    free(text);
}

static void test_repl__output_follows_the_width_of_the_window(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 24, .cols = 200});
    screen_line(&screen, "W = ones(2, 16)");
    screen_line(&screen, "W");
    assert_false(screen_shows(&screen, "not shown"));
    screen_resize(&screen, 24, 40);
    screen_line(&screen, "W");
    assert_shows("not shown");
}

static void test_repl__wide_and_combining_letters_line_up(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "labels([[1.5, 2], [3, 4]], [\"日本\", \"e\xCC\x81\"], [\"a\", \"b\"])");
    int wide = screen_find_row(&screen, 0, "1.5000"),
        narrow = screen_find_row(&screen, 0, "3.0000");
    assert_true(wide > 0 && narrow > 0);
    assert_non_null(strstr(screen_row(&screen, wide), "日本"));
    int columns[2] = {-1, -1};
    for (int i = 0; i < 2; i++)
        for (int col = 0; col < screen.cols; col++) {
            VTermScreenCell cell;
            VTermPos at = {.row = i ? narrow : wide, .col = col};
            vterm_screen_get_cell(screen.cells, at, &cell);
            if (cell.chars[0] == '.' && columns[i] < 0)
                columns[i] = col;
        }
    assert_true(columns[0] > 0);
    assert_int_equal(columns[0], columns[1]);
}

#define SCREEN_TEST(name) cmocka_unit_test_teardown(name, close_screen)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_repl__greets_and_computes),
        SCREEN_TEST(test_repl__line_goes_on_while_a_bracket_is_open),
        SCREEN_TEST(test_repl__error_marks_the_place_and_the_session_goes_on),
        SCREEN_TEST(test_repl__ctrl_c_gives_the_line_up),
        SCREEN_TEST(test_repl__ctrl_c_stops_a_computation),
        SCREEN_TEST(test_repl__ctrl_d_and_quit_end_it),
        SCREEN_TEST(test_repl__lost_terminal_ends_it),
        SCREEN_TEST(test_repl__history_lasts_beyond_the_run),
        SCREEN_TEST(test_repl__history_brings_a_long_line_back_whole),
        SCREEN_TEST(test_repl__works_where_no_history_can_be_kept),
        SCREEN_TEST(test_repl__tab_completes_names_functions_commands_and_labels),
        SCREEN_TEST(test_repl__heat_rises_in_lightness_in_true_colour),
        SCREEN_TEST(test_repl__heat_rises_in_lightness_in_256_colours),
        SCREEN_TEST(test_repl__sixteen_colours_are_used_where_there_are_no_more),
        SCREEN_TEST(test_repl__no_colour_where_it_is_unwanted),
        SCREEN_TEST(test_repl__plain_locale_gets_ascii_only),
        SCREEN_TEST(test_repl__output_follows_the_width_of_the_window),
        SCREEN_TEST(test_repl__wide_and_combining_letters_line_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
