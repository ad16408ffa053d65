/* What the painter sends, as xterm with 256 colours and as a terminal without colours reads it. */
#include "testing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>

#include "ui/terminal/painter.h"

enum { HEIGHT = 3, WIDTH = 20 };

struct painting {
    struct painter *painter;
    struct canvas shown, now;
    struct theme theme;
    struct text out;
};

static void open_painting(struct painting *painting, const char *term, int n_colours)
{
    int found;
    memset(painting, 0, sizeof *painting);
    assert_int_equal(setupterm((char *)term, 1, &found), OK);
    painting->painter = painter_new(n_colours, false);
    assert_non_null(painting->painter);
    assert_true(canvas_resize(&painting->shown, HEIGHT, WIDTH));
    assert_true(canvas_resize(&painting->now, HEIGHT, WIDTH));
    painting->theme = (struct theme){.id = THEME_DARK, .n_colours = n_colours};
}

static void close_painting(struct painting *painting)
{
    painter_free(painting->painter);
    canvas_release(&painting->shown);
    canvas_release(&painting->now);
    text_release(&painting->out);
    del_curterm(cur_term);
}

static const char *paint(struct painting *painting, bool all)
{
    text_clear(&painting->out);
    painter_write(painting->painter, all ? NULL : &painting->shown, &painting->now,
                  &painting->theme, &painting->out);
    assert_false(painting->out.failed);
    return text_string(&painting->out);
}

static void write_at(struct canvas *canvas, int row, int col, struct canvas_look look,
                     const char *text)
{
    area_text(canvas_area(canvas), row, col, look, text);
}

static void test_painter__sends_nothing_where_nothing_changed(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "xterm-256color", 256);
    write_at(&painting.shown, 1, 2, look_of(STYLE_NAME), "same");
    write_at(&painting.now, 1, 2, look_of(STYLE_NAME), "same");
    assert_string_equal(paint(&painting, false), "");
    close_painting(&painting);
}

static void test_painter__sends_the_cells_that_changed(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "vt100", 0);
    write_at(&painting.shown, 1, 2, look_of(STYLE_PLAIN), "0.2500");
    write_at(&painting.now, 1, 2, look_of(STYLE_PLAIN), "0.2600");
    assert_string_equal(paint(&painting, false), "\x1b[2;6H6"); /* rows and columns from 1 */
    painting.now.cursor_row = 2;
    painting.now.cursor_col = 0;
    assert_string_equal(paint(&painting, false), "\x1b[2;6H6\x1b[3;1H");
    close_painting(&painting);
}

/* Marks are set once for the letters that have them, and none is left after the frame. */
static void test_painter__sets_marks_once(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "vt100", 0);
    write_at(&painting.now, 0, 0, look_marked(STYLE_PLAIN, MARK_BOLD), "ab");
    assert_string_equal(paint(&painting, false), "\x1b[1;1H\x1b[1mab\x1b[m\x0f");
    close_painting(&painting);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

/* Of blocks only the colour behind is set; of letters on one ground only the one in front. */
static void test_painter__sets_the_colour_that_changed(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "xterm-256color", 256);
    for (int i = 0; i < 4; i++) {
        struct canvas_look look = look_of(STYLE_NUMBER);
        look.back = (int16_t)(i * 80);
        write_at(&painting.now, 0, 2 * i, look, "  ");
    }
    const char *sent = paint(&painting, false);
    assert_int_equal(count(sent, "\x1b[38;5;"), 0);
    assert_int_equal(count(sent, "\x1b[48;5;"), 4);

    canvas_clear(&painting.now);
    write_at(&painting.now, 0, 0, look_of(STYLE_NUMBER), "1");
    write_at(&painting.now, 0, 1, look_of(STYLE_GOOD), "2");
    sent = paint(&painting, false);
    assert_int_equal(count(sent, "\x1b[38;5;"), 2);
    assert_int_equal(count(sent, "\x1b[48;5;"), 1);
    close_painting(&painting);
}

static void test_painter__another_theme_has_other_colours(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "xterm-256color", 256);
    char *dark = strdup(paint(&painting, true));
    painting.theme.id = THEME_LIGHT;
    assert_string_not_equal(paint(&painting, true), dark);
    free(dark);
    close_painting(&painting);
}

/* Blanks at a row's end are cleared, also behind a word. */
static void test_painter__clears_the_ends_of_rows(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "xterm-256color", 256);
    write_at(&painting.now, 0, 0, look_of(STYLE_PLAIN), "word");
    const char *sent = paint(&painting, true);
    assert_int_equal(count(sent, "\x1b[K"), HEIGHT);
    assert_int_equal(count(sent, " "), 0);
    close_painting(&painting);
}

/* A row of which nothing is known any more, as cells of zeros say. */
static void test_painter__paints_over_what_is_not_known(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "vt100", 0);
    write_at(&painting.now, 2, 0, look_of(STYLE_PLAIN), "12345678901234567890");
    memcpy(painting.shown.cells, painting.now.cells, sizeof *painting.now.cells * HEIGHT * WIDTH);
    memset(&painting.shown.cells[2 * WIDTH], 0, sizeof *painting.shown.cells * WIDTH);
    assert_string_equal(paint(&painting, false), "\x1b[3;1H12345678901234567890");
    close_painting(&painting);
}

/* Not in UTF-8, as tests run: what is not ASCII is a sign for it, as wide. */
static void test_painter__letters_that_the_terminal_has_not(void **state)
{
    (void)state;
    struct painting painting;
    open_painting(&painting, "vt100", 0);
    write_at(&painting.now, 0, 0, look_of(STYLE_PLAIN), "a\xE6\xB0\xB4z");
    const char *sent = paint(&painting, false);
    assert_non_null(strstr(sent, "a??"));
    assert_non_null(strstr(sent, "\x1b[1;4Hz")); /* how wide the letter before is nobody knows */
    close_painting(&painting);
}

static void test_painter__without_memory(void **state)
{
    (void)state;
    int found;
    assert_int_equal(setupterm((char *)"xterm-256color", 1, &found), OK);
    bool failed = true;
    for (long n = 1; failed; n++) {
        testing_fail_allocation(n);
        struct painter *painter = painter_new(256, true);
        failed = testing_allocations() >= n;
        testing_fail_allocation(0);
        assert_true(failed == (painter == NULL));
        painter_free(painter);
    }
    del_curterm(cur_term);
}

#define TEST(name) cmocka_unit_test(test_painter__##name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sends_nothing_where_nothing_changed),
        TEST(sends_the_cells_that_changed),
        TEST(sets_marks_once),
        TEST(sets_the_colour_that_changed),
        TEST(another_theme_has_other_colours),
        TEST(clears_the_ends_of_rows),
        TEST(paints_over_what_is_not_known),
        TEST(letters_that_the_terminal_has_not),
        TEST(without_memory),
    };
    return cmocka_run_group_tests_name("painter", tests, NULL, NULL);
}
