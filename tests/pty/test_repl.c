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

#include "show/backend.h"

#define HELLO "X = embed(\"Hello shiny sun!\")"

#define UP "\x1b[A"
#define CTRL_R "\x12"
#define PASTE_BEGINS "\x1b[200~"
#define PASTE_ENDS "\x1b[201~"

static struct screen screen;
static char home[64]; /* of the tests that start attn twice */

static int close_screen(void **state)
{
    (void)state;
    screen_close(&screen);
    screen_home_remove(home);
    return 0;
}

/* In lines: attn alone would open the full screen. */
static void start(const struct screen_options *options)
{
    static const char *const lines[] = {"repl", NULL};
    struct screen_options opening = options != NULL ? *options : (struct screen_options){0};
    if (opening.arguments == NULL)
        opening.arguments = lines;
    screen_open(&screen, &opening);
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

/* The same weights as in a pipe, where scripts read 0.0000. */
static void test_repl__tiny_weights_are_told_from_zero(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "softmax([10, 20, 30])");
    assert_shows("2e-09  5e-05  1.0000");
    screen_line(&screen, "heat [[0.00003, 1.5], [0, 1]]");
    assert_shows("3e-05");
    assert_shows("0.0000");
    screen_line(&screen, "bars [0.00003, 1.5]");
    assert_shows("0   3e-05");
}

static void test_repl__help_is_asked_for_as_in_other_languages_too(void **state)
{
    (void)state;
    static const char *const lines[] = {"help softmax", "help(softmax)", "help('softmax')",
                                        "help softmax()"};
    start(&(struct screen_options){.rows = 60});
    for (int i = 0; i < 4; i++) {
        screen_line(&screen, lines[i]);
        assert_int_equal(screen_count_rows(&screen, "softmax(input, dim=-1)"), i + 1);
    }
    screen_line(&screen, "help()");
    assert_shows("help NAME explains one of them");
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

/* A pasted block is one entry of the history; it stops at its first error and says what ran. */
static void test_repl__a_pasted_block_is_one_entry(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "a = 41\rb = a\t+ 1\n\rnope\rb = 7\r" PASTE_ENDS);
    screen_wait(&screen, "line 5 was not run."); /* the prompt of before is there all the time */
    screen_wait_prompt(&screen);
    assert_shows("attn: pasted, line 4: nope");
    assert_shows("2 of 4 lines ran; line 4 failed; line 5 was not run.");
    screen_line(&screen, "b * 10");
    assert_shows("420");
    screen_type(&screen, UP UP);
    screen_wait(&screen, "b = 7");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    /* Without a last Enter, it waits; a bracket that is open waits for more. */
    screen_type(&screen, PASTE_BEGINS "c = [1,\r2]\rsum(c) * 111" PASTE_ENDS);
    screen_wait(&screen, "sum(c) * 111");
    assert_false(screen_shows(&screen, "333"));
    screen_type(&screen, "\r");
    screen_wait(&screen, "333");
    screen_wait_prompt(&screen);
    screen_type(&screen, PASTE_BEGINS "sum([1,\r" PASTE_ENDS);
    screen_wait(&screen, "  ...");
    screen_type(&screen, "443])\r");
    screen_wait(&screen, "444");
    screen_wait_prompt(&screen);
}

static void test_repl__pasted_prompts_and_bodies(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40});
    screen_line(&screen, "attn> x = 41");
    screen_type(&screen, PASTE_BEGINS "In [3]: x + 1\rOut[3]: 7\r" PASTE_ENDS);
    screen_wait(&screen, "was left out.");
    screen_wait_prompt(&screen);
    assert_shows("42");
    assert_shows("1 line without a prompt was left out.");
    screen_type(&screen, PASTE_BEGINS "class Head(nn.Module):\r    def f(self):\r        x = 0\r\r"
                                      "    def g(self):\r        x = 0\rx * 100\r" PASTE_ENDS);
    screen_wait(&screen, "line 7 was not run.");
    screen_wait_prompt(&screen);
    assert_shows("attn: pasted, line 1: NameError: name 'nn' is not defined");
    assert_shows("0 of 6 lines ran; lines 1 to 6 failed; line 7 was not run.");
    screen_type(&screen,
                PASTE_BEGINS "import torch.nn as nn\rclass Head(nn.Module):\r"
                             "    def f(self, x):\r        y = x * 2\r\r"
                             "        return y + x\rhead = Head()\rprint('made')\r" PASTE_ENDS);
    screen_wait(&screen, "made");
    screen_wait_prompt(&screen);
    screen_line(&screen, "head.f(x) * 1000");
    assert_shows("123000");
}

static void test_repl__a_block_is_typed_row_by_row(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 40});
    screen_line(&screen, "import torch");
    screen_type(&screen, "def head(x):\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "    weights = torch.softmax(x * 0, dim=-1)\r    return weights @ x\r\r");
    screen_wait_prompt(&screen);
    screen_line(&screen, "head(torch.tensor([100., 300., 500.]))");
    assert_shows("300");
    screen_type(&screen, "class A:\r    size = 1");
    screen_wait(&screen, "...     size = 1");
    screen_type(&screen, "\x03");
    screen_wait_prompt(&screen);
    screen_line(&screen, "A");
    assert_shows("attn: A: no such name");
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

static void test_repl__long_messages_break_between_words(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "hello");
    int row = screen_find_row(&screen, 0, "no such name");
    assert_true(row > 0 && strlen(screen_row(&screen, row)) <= 80);
    assert_string_equal(screen_row(&screen, row + 1), "help");
}

/* Types a line of two rows, the first of which leaves a bracket open. */
static void type_two_rows(const char *first, const char *second)
{
    screen_type(&screen, first);
    screen_type(&screen, "\r");
    screen_wait_row(&screen, "  ...");
    screen_type(&screen, second);
    screen_type(&screen, "\r");
    screen_wait_prompt(&screen);
}

static void test_repl__ctrl_c_gives_the_line_up(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "never_run = 12345");
    screen_wait_row(&screen, "attn> never_run = 12345");
    screen_interrupt(&screen);
    assert_shows("never_run = 12345^C");
    screen_type(&screen, "sum([1,\r");
    screen_wait_row(&screen, "  ...");
    screen_interrupt(&screen);
    screen_type(&screen, "sum([1,\r");
    screen_wait_row(&screen, "  ...");
    screen_type(&screen, "2, 3");
    screen_wait_row(&screen, "  ... 2, 3");
    screen_interrupt(&screen);
    screen_line(&screen, "vars"); /* the key behind Ctrl-C is not lost */
    assert_shows("no names yet");
    assert_false(screen_shows(&screen, "attn: "));
}

static void test_repl__ctrl_c_leaves_a_search_through_the_history(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "found = 1");
    screen_type(&screen, CTRL_R "fou");
    screen_wait_row(&screen, "(reverse-i-search)`fou': found = 1");
    screen_type(&screen, "\x03");
    screen_wait(&screen, "attn> ^C"); /* the prompt is empty for a moment before it says so */
    screen_wait_prompt(&screen);
    screen_line(&screen, "6 * 7");
    assert_shows("42");
}

/* What takes many minutes on any machine: 432 TFLOP. */
#define LONG_LINE "for i in range(1000): B = A @ A"

static void test_repl__ctrl_c_stops_a_computation(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "kept = 41");
    screen_line(&screen, "A = ones(6000, 6000)");
    for (int i = 0; i < 100 && !screen_shows(&screen, "stopped"); i++) {
        screen_enter(&screen, LONG_LINE);
        screen_interrupt(&screen); /* where it comes too early, the line does not run */
    }
    assert_shows("stopped");
    screen_line(&screen, "kept + 1");
    assert_shows("42");
    screen_line(&screen, "B");
    assert_shows("no such name");
}

static void test_repl__ctrl_d_quit_and_exit_end_it(void **state)
{
    (void)state;
    static const char *const keys[] = {"\x04", "quit\r", "exit\r", "quit()\r"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        start(&(struct screen_options){0});
        screen_line(&screen, "no_name + 1"); /* an error at a prompt is no failure of attn */
        screen_type(&screen, keys[i]);
        assert_int_equal(screen_wait_exit(&screen), 0);
        screen_close(&screen);
    }
}

static void test_repl__wrong_option_is_a_usage_error(void **state)
{
    (void)state;
    static const char *const arguments[] = {"repl", "--colour", NULL};
    screen_open(&screen, &(struct screen_options){.arguments = arguments});
    screen_wait(&screen, "--colour: no such option");
    assert_int_equal(screen_wait_exit(&screen), 2);
}

static void test_repl__lost_terminal_ends_it(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_hang_up(&screen);
    assert_int_equal(screen_wait_exit(&screen), -SIGHUP);
    screen_close(&screen);
    start(&(struct screen_options){0});
    screen_line(&screen, "A = ones(6000, 6000)");
    screen_enter(&screen, LONG_LINE);
    screen_hang_up(&screen);
    assert_int_equal(screen_wait_exit(&screen), -SIGHUP);
}

static void test_repl__killed_it_leaves_the_terminal_as_it_was(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    assert_false(screen_is_cooked(&screen));
    assert_int_equal(kill(screen.program, SIGTERM), 0);
    assert_int_equal(screen_wait_exit(&screen), -SIGTERM);
    assert_true(screen_is_cooked(&screen));
}

static void quit(void)
{
    screen_type(&screen, "\x04");
    assert_int_equal(screen_wait_exit(&screen), 0);
    screen_close(&screen);
}

static void test_repl__history_lasts_beyond_the_run(void **state)
{
    (void)state;
    screen_home_new(home);
    struct screen_options options = {.home = home};
    start(&options);
    screen_line(&screen, "first = 1");
    screen_line(&screen, "second = 2");
    screen_line(&screen, "second = 2");
    quit();

    char path[96];
    struct stat info;
    snprintf(path, sizeof path, "%s/state/attn/history", home);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);

    start(&options);
    screen_type(&screen, UP);
    screen_wait_row(&screen, "attn> second = 2");
    screen_type(&screen, UP); /* the same line twice is kept once */
    screen_wait_row(&screen, "attn> first = 1");
    screen_type(&screen, "\r");
    screen_wait_prompt(&screen);
    assert_shows("first = 1");
}

static void test_repl__history_brings_lines_of_several_rows_back_whole(void **state)
{
    (void)state;
    screen_home_new(home);
    struct screen_options options = {.home = home};
    start(&options);
    type_two_rows("y = sum([1,", "2])");
    screen_type(&screen, UP);
    screen_wait_row(&screen, "attn> y = sum([1, 2])");
    screen_interrupt(&screen);
    type_two_rows("M = [[1, 2], # odd", "[3, 4]]");
    quit();

    start(&options);
    screen_type(&screen, UP);
    screen_wait(&screen, "attn> M = [[1, 2], # odd");
    screen_wait_row(&screen, "[3, 4]]");
    screen_type(&screen, "\r");
    screen_wait_prompt(&screen);
    assert_shows("M  2x2");
    screen_type(&screen, UP UP);
    screen_wait_row(&screen, "attn> y = sum([1, 2])");
}

static void test_repl__works_where_no_history_can_be_kept(void **state)
{
    (void)state;
    screen_home_new(home);
    char state_file[96];
    snprintf(state_file, sizeof state_file, "%s/state", home);
    FILE *file = fopen(state_file, "w"); /* a file where the folder should be */
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    start(&(struct screen_options){.home = home});
    screen_line(&screen, "6 * 7");
    assert_shows("42");
    screen_line(&screen, "6 * 8");
    assert_shows("48");
    assert_int_equal(screen_count_rows(&screen, "will not be kept"), 1);
    quit();
}

/* Types the start of a line and a tab, and waits for what becomes of it. */
static void assert_completes(const char *typed, const char *line)
{
    screen_type(&screen, typed);
    screen_type(&screen, "\t");
    screen_wait_row(&screen, line);
    screen_interrupt(&screen);
}

static void test_repl__tab_completes_names_functions_commands_and_labels(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, HELLO);
    screen_line(&screen, "unmistakable = 42");
    assert_completes("unmis", "attn> unmistakable");
    assert_completes("1 + log_so", "attn> 1 + log_softmax");
    assert_completes("X.unsq", "attn> X.unsqueeze");
    assert_completes("wha", "attn> whatif");
    assert_completes("help caus", "attn> help causal_mask");
    assert_completes("help wha", "attn> help whatif");
    assert_completes("X[\"shi", "attn> X[\"shiny\"");
    assert_completes("why X['shi", "attn> why X['shiny'");
}

static void test_repl__second_tab_lists_the_choices(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, HELLO);
    screen_type(&screen, "X[\"s\t\t");
    screen_wait(&screen, "shiny  sun");
    screen_wait_row(&screen, "attn> X[\"s");
    screen_interrupt(&screen);
    screen_type(&screen, "log\t\t");
    screen_wait(&screen, "log_softmax");
}

static void test_repl__tab_completes_files_for_load_alone(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "unmistakable = 42");
    screen_line(&screen, "save sub-folder.attn");
    assert_completes("load sub-f", "attn> load sub-folder.attn");
    screen_type(&screen, "sub-f\t * 2");
    screen_wait_row(&screen, "attn> sub-f * 2");
}

static void test_repl__pasted_tabs_are_blanks(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_type(&screen, "pasted = sum([1,\t2])\r");
    screen_wait(&screen, "attn> pasted = sum([1, 2])");
    screen_wait_prompt(&screen);
    assert_shows("pasted = 3");
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

/* Starts attn so and gives the colours of four numbers that rise. */
static void rising_backs(const char *const *settings, const char *const *arguments,
                         int32_t ret_backs[4])
{
    start(&(struct screen_options){.settings = settings, .arguments = arguments});
    cell_backs(draw_heat(), ret_backs);
    for (int i = 0; i < 4; i++)
        assert_true(ret_backs[i] >= 0);
    for (int i = 1; i < 4; i++)
        assert_true(lightness(ret_backs[i]) > lightness(ret_backs[i - 1]));
}

static void test_repl__heat_in_true_colour_is_the_palette(void **state)
{
    (void)state;
    int32_t backs[4];
    rising_backs((const char *const[]){"COLORTERM=truecolor", NULL}, NULL, backs);
    for (int i = 0; i < 4; i++) /* tints 0, 85, 170 and 255: the numbers lie at thirds */
        assert_int_equal(backs[i], palette_rgb(i * 85));
}

static void test_repl__heat_in_256_colours_rises_in_lightness(void **state)
{
    (void)state;
    int32_t backs[4];
    rising_backs((const char *const[]){"TERM=xterm-256color", NULL}, NULL, backs);
}

static void test_repl__heat_in_16_colours_rises_in_lightness(void **state)
{
    (void)state;
    int32_t backs[4];
    rising_backs((const char *const[]){"TERM=linux", NULL}, NULL, backs);
}

static void test_repl__colour_always_means_always(void **state)
{
    (void)state;
    int32_t backs[4];
    rising_backs((const char *const[]){"NO_COLOR=1", NULL},
                 (const char *const[]){"repl", "--color", "always", NULL}, backs);
}

static void assert_no_colour(const char *const *settings, const char *const *arguments)
{
    start(&(struct screen_options){.settings = settings, .arguments = arguments});
    screen_line(&screen, "heat [[0, 1, 2, 3]]");
    assert_shows("highest");
    assert_shows("\xE2\x96\x88"); /* shades stand for the tints */
    assert_false(screen_has_colour(&screen));
    screen_close(&screen);
}

static void test_repl__no_colour_where_it_is_unwanted(void **state)
{
    (void)state;
    assert_no_colour((const char *const[]){"NO_COLOR=1", NULL}, NULL);
    assert_no_colour((const char *const[]){"NO_COLOR=1", "COLORTERM=truecolor", NULL}, NULL);
    assert_no_colour((const char *const[]){"TERM=dumb", NULL}, NULL);
    assert_no_colour(NULL, (const char *const[]){"repl", "--color", "never", NULL});
    assert_no_colour(NULL, (const char *const[]){"repl", "--color=never", NULL});
}

static void assert_ascii(const struct screen_options *options)
{
    start(options);
    screen_line(&screen, "bars [1, 2, 3]");
    screen_line(&screen, "heat arange(9).view(3, 3)");
    screen_line(&screen, "ones(40)");
    assert_shows("highest");
    assert_shows("of 40 not shown");
    char *text = screen_text(&screen);
    for (const char *c = text; *c != '\0'; c++)
        assert_true((unsigned char)*c < 0x80);
    free(text);
    screen_close(&screen);
}

static void test_repl__plain_locale_gets_ascii_only(void **state)
{
    (void)state;
    static const char *const language[] = {"LANG=C", "NO_COLOR=1", NULL};
    static const char *const all[] = {"LC_ALL=C", "NO_COLOR=1", NULL};
    static const char *const plain[] = {"NO_COLOR=1", NULL};
    assert_ascii(&(struct screen_options){.settings = language});
    assert_ascii(&(struct screen_options){.settings = all});
    assert_ascii(&(struct screen_options){
        .settings = plain, .arguments = (const char *const[]){"repl", "--ascii", NULL}});
}

static void assert_no_row_over(size_t cols)
{
    for (int row = 0; row < screen.rows; row++)
        assert_true(strlen(screen_row(&screen, row)) <= cols);
}

static void test_repl__output_follows_the_width_of_the_window(void **state)
{
    (void)state;
    start(&(struct screen_options){.cols = 200, .settings = (const char *const[]){"LANG=C", NULL}});
    screen_line(&screen, "W = ones(2, 16) / 3"); /* 16 columns of 8 */
    screen_line(&screen, "W");
    assert_false(screen_shows(&screen, "not shown"));
    screen_resize(&screen, 24, 60);
    screen_line(&screen, "reset");
    screen_line(&screen, "W = ones(2, 16) / 3");
    screen_type(&screen, "\x0c"); /* Ctrl-L: an empty screen */
    screen_wait_prompt(&screen);
    screen_line(&screen, "W");
    assert_shows("columns not shown");
    assert_no_row_over(60);
}

static void test_repl__chosen_width_holds_until_the_window_changes(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "W = ones(2, 6) / 3");
    screen_line(&screen, "set width 40");
    screen_line(&screen, "W");
    assert_shows("columns not shown");
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
    assert_true(screen_find_col(&screen, wide, '.') > 0);
    assert_int_equal(screen_find_col(&screen, wide, '.'), screen_find_col(&screen, narrow, '.'));
}

/* readline crashes on some keys of undoing and searching, in both of its editing modes: see
 * line_editor.c. Without its guard none of these sequences ends well. */
static void assert_survives(const char *inputrc, unsigned seed)
{
    static const char all[] =
        "\033 \033[A \033[B \033[D k j u x 0 cw p dd /a\r n N \022a \033< \033> "
        "\033p a 1+ 2\r \r \x1f \x19 \x17 \x15 G ~ . i y$ 3x \x10 \x0e U R";
    char split[sizeof all], *rest = NULL, *keys[sizeof all];
    unsigned n_keys = 0;
    memcpy(split, all, sizeof all);
    char *key = strtok_r(split, " ", &rest);
    do
        keys[n_keys++] = key;
    while ((key = strtok_r(NULL, " ", &rest)) != NULL);
    char path[128], setting[144];
    screen_home_new(home);
    snprintf(path, sizeof path, "%s/inputrc", home);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(inputrc, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snprintf(setting, sizeof setting, "INPUTRC=%s", path);
    start(&(struct screen_options){.home = home, .settings = (const char *const[]){setting, NULL}});
    for (int i = 0; i < 6000; i++) {
        seed = seed * 1664525U + 1013904223U;
        screen_type(&screen, keys[(seed >> 16) % n_keys]);
    }
    screen_settle(&screen, 200, 10000);
    screen_type(&screen, "\x03"); /* what is begun */
    screen_settle(&screen, 200, 10000);
    screen_type(&screen, "\x03"); /* the line */
    screen_settle(&screen, 200, 10000);
    screen_type(&screen, "6 * 7\r");
    screen_wait(&screen, "42");
}

/* Each Enter shows one step more; another line ends it. */
static void test_repl__steps_through_a_call(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    screen_line(&screen, "import torch");
    screen_line(&screen, "def twice(x): return x + x");
    screen_line(&screen, "step twice(torch.ones(2, 3))");
    assert_shows("Enter goes on; 2 more steps");
    assert_false(screen_shows(&screen, "returned"));
    screen_type(&screen, "\r");
    assert_shows("x  (2, 3)");
    assert_shows("Enter goes on; 1 more step");
    assert_false(screen_shows(&screen, "returned"));
    screen_type(&screen, "\r");
    assert_shows("returned  (2, 3)");
    screen_line(&screen, "step twice(torch.ones(4, 5))");
    screen_line(&screen, "6 * 7");
    assert_shows("42");
    screen_type(&screen, "\r");
    screen_line(&screen, "7 * 7");
    assert_shows("49");
    assert_false(screen_shows(&screen, "returned  (4, 5)"));
}

static void test_repl__survives_any_keys(void **state)
{
    (void)state;
    assert_survives("", 2);
}

static void test_repl__survives_any_keys_of_vi(void **state)
{
    (void)state;
    assert_survives("set editing-mode vi\n", 1);
}

#define SCREEN_TEST(name) cmocka_unit_test_teardown(name, close_screen)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_repl__greets_and_computes),
        SCREEN_TEST(test_repl__tiny_weights_are_told_from_zero),
        SCREEN_TEST(test_repl__help_is_asked_for_as_in_other_languages_too),
        SCREEN_TEST(test_repl__line_goes_on_while_a_bracket_is_open),
        SCREEN_TEST(test_repl__a_pasted_block_is_one_entry),
        SCREEN_TEST(test_repl__pasted_prompts_and_bodies),
        SCREEN_TEST(test_repl__a_block_is_typed_row_by_row),
        SCREEN_TEST(test_repl__error_marks_the_place_and_the_session_goes_on),
        SCREEN_TEST(test_repl__long_messages_break_between_words),
        SCREEN_TEST(test_repl__ctrl_c_gives_the_line_up),
        SCREEN_TEST(test_repl__ctrl_c_leaves_a_search_through_the_history),
        SCREEN_TEST(test_repl__ctrl_c_stops_a_computation),
        SCREEN_TEST(test_repl__ctrl_d_quit_and_exit_end_it),
        SCREEN_TEST(test_repl__wrong_option_is_a_usage_error),
        SCREEN_TEST(test_repl__lost_terminal_ends_it),
        SCREEN_TEST(test_repl__killed_it_leaves_the_terminal_as_it_was),
        SCREEN_TEST(test_repl__history_lasts_beyond_the_run),
        SCREEN_TEST(test_repl__history_brings_lines_of_several_rows_back_whole),
        SCREEN_TEST(test_repl__works_where_no_history_can_be_kept),
        SCREEN_TEST(test_repl__tab_completes_names_functions_commands_and_labels),
        SCREEN_TEST(test_repl__second_tab_lists_the_choices),
        SCREEN_TEST(test_repl__tab_completes_files_for_load_alone),
        SCREEN_TEST(test_repl__pasted_tabs_are_blanks),
        SCREEN_TEST(test_repl__heat_in_true_colour_is_the_palette),
        SCREEN_TEST(test_repl__heat_in_256_colours_rises_in_lightness),
        SCREEN_TEST(test_repl__heat_in_16_colours_rises_in_lightness),
        SCREEN_TEST(test_repl__colour_always_means_always),
        SCREEN_TEST(test_repl__no_colour_where_it_is_unwanted),
        SCREEN_TEST(test_repl__plain_locale_gets_ascii_only),
        SCREEN_TEST(test_repl__output_follows_the_width_of_the_window),
        SCREEN_TEST(test_repl__chosen_width_holds_until_the_window_changes),
        SCREEN_TEST(test_repl__wide_and_combining_letters_line_up),
        SCREEN_TEST(test_repl__steps_through_a_call),
        SCREEN_TEST(test_repl__survives_any_keys),
        SCREEN_TEST(test_repl__survives_any_keys_of_vi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
