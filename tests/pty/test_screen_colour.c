/* Colours on terminals that have all of them, many, few and none; and letters where there is only
 * ASCII. No colour is ever the only sign of something. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many colours a terminal has, and how attn is told. */
struct depth {
    const char *name;
    const char *settings[4];  /* "NAME=value" */
    const char *arguments[3]; /* of attn */
    int lowest, highest;      /* the numbers that the colours behind cells may have */
};

enum { NO_COLOURS = SCREEN_OWN };

static const struct depth depths[] = {
    {"all", {"TERM=xterm-256color", "COLORTERM=truecolor"}, {NULL}, SCREEN_RGB, SCREEN_RGB},
    {"all, in tmux", {"TERM=tmux-256color", "COLORTERM=24bit"}, {NULL}, SCREEN_RGB, SCREEN_RGB},
    {"256", {"TERM=xterm-256color"}, {NULL}, 16, 255},
    {"256, in tmux", {"TERM=tmux-256color"}, {NULL}, 16, 255},
    {"256, in screen", {"TERM=screen-256color"}, {NULL}, 16, 255},
    {"16", {"TERM=attn-16color"}, {NULL}, 0, 15},
    {"8", {"TERM=xterm"}, {NULL}, 0, 7},
    {"8, on the console", {"TERM=linux"}, {NULL}, 0, 7},
    {"none", {"TERM=vt100"}, {NULL}, NO_COLOURS, NO_COLOURS},
    {"NO_COLOR", {"COLORTERM=truecolor", "NO_COLOR=1"}, {NULL}, NO_COLOURS, NO_COLOURS},
    {"--color never", {NULL}, {"--color", "never"}, NO_COLOURS, NO_COLOURS},
};
enum { N_DEPTHS = sizeof depths / sizeof depths[0] };

/* A terminal that not every machine has a description of: one with 16 colours, as aixterm. */
static const char descriptions[] = "attn-16color|16 colours,\n"
                                   "\tcolors#16, pairs#256,\n"
                                   "\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e9%p1%{8}%-%d%;m,\n"
                                   "\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e10%p1%{8}%-%d%;m,\n"
                                   "\tuse=xterm,\n";

/* Compiles it into the test's home, where curses finds them. */
static void make_descriptions(void)
{
    char path[128];
    screen_home_new(home);
    snprintf(path, sizeof path, "%s/descriptions", home);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(descriptions, file) >= 0);
    assert_int_equal(fclose(file), 0);
    start(&(struct screen_options){
        .home = home,
        .program = "/usr/bin/env",
        .arguments = (const char *const[]){"tic", "-x", "-o", ".terminfo", path, NULL}});
    assert_int_equal(screen_wait_exit(&screen), 0);
    screen_close(&screen);
}

static void start_with(const struct depth *depth, const char *option)
{
    const char *arguments[5] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < 2 && depth->arguments[i] != NULL; i++)
        arguments[n++] = depth->arguments[i];
    arguments[n] = option;
    start(&(struct screen_options){.rows = 30,
                                   .cols = 110,
                                   .home = home[0] != '\0' ? home : NULL,
                                   .settings = depth->settings,
                                   .arguments = arguments});
}

/* The weights under a causal mask as a heatmap, on the scale from 0 to 1, where those of the three
 * words differ much. Returns its last row. */
static int show_weights(void)
{
    go_to_explorer();
    screen_type(&screen, "m");
    screen_wait(&screen, "causal mask");
    go_to_stage("weights");
    screen_type(&screen, "v");
    screen_wait(&screen, "each row: 0");
    screen_type(&screen, "rr");
    screen_wait(&screen, "fixed: 0");
    screen_settle(&screen, 50, 2000);
    return screen_find_row(&screen, 0, "fixed: 0") - 1;
}

/* How many colours are behind the three rows of the heatmap, apart from the pane's own, which is
 * behind their last column. Each of them must have a number that the terminal has. */
static size_t count_colours(int last_row, const struct depth *depth)
{
    int32_t found[64];
    size_t n = 0;
    for (int row = last_row - 2; row <= last_row; row++)
        for (int col = 0; col < screen.cols; col++) {
            int32_t back = screen_back(&screen, row, col);
            int index = screen_back_index(&screen, row, col);
            if (index < depth->lowest || index > depth->highest)
                fail_msg("%s: colour %d", depth->name, index);
            size_t i = 0;
            while (i < n && found[i] != back)
                i++;
            if (i == n && n < 64 && back != screen_back(&screen, row, screen.cols - 1))
                found[n++] = back;
        }
    return n;
}

static void test_screen_colour__weights_in_every_depth(void **state)
{
    (void)state;
    make_descriptions();
    for (size_t i = 0; i < N_DEPTHS; i++) {
        bool has_colours = depths[i].highest != NO_COLOURS;
        start_with(&depths[i], NULL);
        int last_row = show_weights();
        size_t n = count_colours(last_row, &depths[i]);
        if (has_colours ? n < 3 : n > 0)
            fail_msg("%s: %zu colours behind the weights", depths[i].name, n);
        assert_int_equal(screen_has_colour(&screen), has_colours);
        screen_type(&screen, "mm"); /* home keeps the options for the next depth */
        screen_wait(&screen, "no mask");
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
}

/* Where there are no colours: the first word looks at itself alone. */
static void test_screen_colour__shades_where_there_are_no_colours(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * N_DEPTHS; i++) {
        const struct depth *depth = &depths[i / 2];
        bool ascii = i % 2 == 1;
        if (depth->highest != NO_COLOURS)
            continue;
        start_with(depth, ascii ? "--ascii" : NULL);
        const char *row = screen_row(&screen, show_weights() - 2);
        if (strstr(row, ascii ? "@@[1" : "\xE2\x96\x88\xE2\x96\x88[1") == NULL)
            fail_msg("%s: no shade behind 1 in: %s", depth->name, row);
        screen_close(&screen);
    }
}

/* Signs beside colours: the tests that use --color never see all that is told without them. */

static void start_plain(const char *lesson)
{
    const char *const home_options[] = {"--ascii", "--color", "never", NULL};
    const char *const lesson_options[] = {"lesson", lesson, "--ascii", "--color", "never", NULL};
    const char *const *arguments = lesson != NULL ? lesson_options : home_options;
    start(&(struct screen_options){.rows = 40, .cols = 140, .arguments = arguments});
    wait_keys(lesson != NULL ? "n next" : "q quit");
}

static void test_screen_colour__choices_without_colours(void **state)
{
    (void)state;
    start_plain(NULL);
    wait_chosen("> Begin with lesson 1");
    press(VTERM_KEY_DOWN);
    wait_chosen("> Look into a model");
    screen_type(&screen, ":");
    screen_type(&screen, "theme");
    wait_chosen("> theme");
    assert_false(screen_has_colour(&screen));
}

static void test_screen_colour__errors_without_colours(void **state)
{
    (void)state;
    start_plain("softmax");
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "-1\r");
    screen_wait(&screen, "Not yet.");
    screen_type(&screen, CTRL_P "nope + 1\r");
    screen_wait(&screen, "no such name");
    screen_wait(&screen, "^^^^");
    assert_false(screen_has_colour(&screen));
}

/* What an edit changed, what is lit in the arithmetic, and which pane has the focus. */
static void test_screen_colour__marks_without_colours(void **state)
{
    (void)state;
    start_plain(NULL);
    go_to_explorer();
    screen_type(&screen, "e2.5\r");
    screen_wait(&screen, "2.5000*");
    go_to_stage("weights");
    enter();
    screen_wait(&screen, "  = ");
    screen_settle(&screen, 50, 2000);
    uint64_t before = screen_hash(&screen);
    press(VTERM_KEY_DOWN); /* another of the numbers it is made from */
    wait_other(before, "another number that is lit");
    screen_settle(&screen, 50, 2000);
    before = screen_hash(&screen);
    press_named("Tab");
    wait_other(before, "the focus");
    assert_false(screen_has_colour(&screen));
}

/* Letters. */

static void assert_ascii(void)
{
    char *text = screen_text(&screen);
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            fail_msg("not ASCII: %.20s", c);
    free(text);
}

static void test_screen_colour__ascii_is_ascii(void **state)
{
    (void)state;
    start_lesson(40, 110);
    assert_ascii();
    screen_type(&screen, "n");
    wait_keys("^T hint"); /* a question, whose field is open */
    screen_type(&screen, CTRL_T);
    screen_wait(&screen, "Hint 1 of");
    assert_ascii();
    screen_type(&screen, CTRL_P "nope\r");
    screen_wait(&screen, "no such name");
    assert_ascii();
    screen_type(&screen, "quit\r");
    (void)screen_wait_exit(&screen);
    screen_close(&screen);
    start_explorer(40, 110);
    for (int view = 0; view < 3; view++) {
        go_to_stage("weights");
        assert_ascii();
        screen_type(&screen, "v");
        screen_settle(&screen, 100, 3000);
    }
    enter();
    screen_wait(&screen, "  = ");
    assert_ascii();
    screen_type(&screen, "?");
    screen_wait(&screen, "Keys: ");
    assert_ascii();
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_colour__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(weights_in_every_depth),  TEST(shades_where_there_are_no_colours),
        TEST(choices_without_colours), TEST(errors_without_colours),
        TEST(marks_without_colours),   TEST(ascii_is_ascii),
    };
    return RUN_TESTS("screen_colour", all);
}
