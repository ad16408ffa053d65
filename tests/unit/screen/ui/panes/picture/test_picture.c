/* ui/panes/picture/picture.h: what was drawn last, for any width, and its numbers. */
#include "canvas_testing.h"
#include "lang_testing.h"

#include "graph/node.h"
#include "ui/panes/picture/picture.h"

enum { ROWS = 20, COLS = 60 };

struct fixture {
    struct lang *lang;
    struct picture_pane picture;
    struct pane pane;
    struct seen seen;
};

static int setup(void **state)
{
    static struct fixture fixture;
    void *lang = NULL;
    if (lang_setup(&lang) != 0)
        return -1;
    fixture = (struct fixture){.lang = lang};
    picture_init(&fixture.picture, &fixture.lang->session.settings, NULL);
    fixture.pane = (struct pane){&picture_ops, &fixture.picture};
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    void *lang = fixture->lang;
    picture_ops.release(&fixture->picture);
    canvas_release(&fixture->seen.canvas);
    return lang_teardown(&lang);
}

static void draw_at(struct fixture *fixture, int rows, int cols)
{
    assert_true(canvas_resize(&fixture->seen.canvas, rows, cols));
    picture_ops.resize(&fixture->picture, rows, cols);
    picture_ops.draw(&fixture->picture, canvas_area(&fixture->seen.canvas), true, true);
}

static void show(struct fixture *fixture)
{
    struct error error;
    assert_true(picture_show(&fixture->picture, &fixture->lang->session.drawing, &error));
    draw_at(fixture, ROWS, COLS);
}

#define assert_seen(fixture, part) seen_check(__FILE__, __LINE__, &(fixture)->seen, part, true)

static void press(struct fixture *fixture, int key)
{
    assert_true(pane_press(fixture->pane, key));
    draw_at(fixture, ROWS, COLS);
}

static void test_picture__without_one_nothing_is_drawn(void **state)
{
    struct fixture *fixture = *state;
    draw_at(fixture, ROWS, COLS);
    seen_check_ascii(&fixture->seen);
    assert_false(pane_press(fixture->pane, KEYCODE_ENTER));
}

static void test_picture__is_drawn_for_the_room_there_is(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "X = embed(\"Hello shiny sun!\")\nheat X, X @ X.T\n");
    show(fixture);
    draw_at(fixture, ROWS, COLS / 2);
    int second = seen_find(&fixture->seen, "X @ X.T");
    assert_true(second >= 0);
    draw_at(fixture, ROWS, 120); /* beside each other now */
    assert_true(seen_find(&fixture->seen, "X @ X.T") < second);
    assert_int_equal(seen_find(&fixture->seen, "X @ X.T"), seen_find(&fixture->seen, "Hello") - 1);
}

/* Cells grow into the pane. The cursor goes around all of one, is no colour, and steps from number
 * to number; a click anywhere on a cell is on its number. */
static void test_picture__fills_its_pane(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "A = [[0.25, 0.5], [0.125, 1]]\nheat A\n");
    show(fixture);
    assert_seen(fixture, "[       0.2500     ]");
    assert_seen(fixture, "[                  ]");
    size_t first = fixture->picture.line;
    assert_in_range(first, 3, ROWS / 2);
    press(fixture, KEYCODE_RIGHT);
    assert_seen(fixture, "[\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92"
                         " 0.5000 \xE2\x96\x92\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92\xE2\x96\x92]");
    press(fixture, KEYCODE_DOWN);
    assert_seen(fixture, "[\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88"
                         " 1.0000 \xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88]");
    assert_in_range(fixture->picture.line, 2 * first - 1, ROWS - 4);
    press(fixture, KEYCODE_UP);
    assert_int_equal(fixture->picture.line, first);
    struct area area = canvas_area(&fixture->seen.canvas);
    assert_true(picture_ops.click(&fixture->picture, area, ROWS - 5, 1, false));
    draw_at(fixture, ROWS, COLS);
    assert_seen(fixture, "A[1, 0] = 0.125 ");
    draw_at(fixture, 6, COLS); /* no room to grow */
    assert_seen(fixture, "[0.1250]");
    draw_at(fixture, ROWS, COLS);
    assert_seen(fixture, "[       0.1250     ]");
}

static void test_picture__has_the_rows_that_it_needs_before_it_grows(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "bars [1, 2]\n");
    show(fixture);
    assert_int_equal(picture_ops.rows_wanted(&fixture->picture, COLS), 2 + 2);
    draw_at(fixture, 4, COLS);
    assert_int_equal(picture_ops.rows_wanted(&fixture->picture, COLS), 2 + 2);
}

/* The names may mean something else by now: the picture is what was drawn. */
static void test_picture__keeps_the_numbers_that_were_drawn(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "x = [1, 2, 7.25]\nbars x\nx = 3\n");
    show(fixture);
    assert_seen(fixture, "7.25");
    draw_at(fixture, ROWS, COLS - 10);
    assert_seen(fixture, "7.25");
}

static void test_picture__random_numbers_are_not_drawn_anew(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "bars randn(3)\n");
    char first[sizeof fixture->seen.row];
    show(fixture);
    snprintf(first, sizeof first, "%s", seen_row(&fixture->seen, 1));
    draw_at(fixture, ROWS, COLS + 20);
    draw_at(fixture, ROWS, COLS);
    assert_string_equal(seen_row(&fixture->seen, 1), first);
}

/* The formulas of the items are long; the list is named as it was typed. */
static void test_picture__a_list_with_for_is_named_as_it_was_typed(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang,
             "h = arange(4.)\n1 + 1; plot arange(3), [exp(-abs(h - i)) @ h for i in range(3)]\n");
    show(fixture);
    lang_run(fixture->lang, "1 + 1; heat h, [exp(-abs(h - i)) @ h for i in range(3)]\n");
    show(fixture);
    assert_seen(fixture, "h[0] = 0   Enter: why");
    press(fixture, KEYCODE_END);
    assert_seen(fixture, "[exp(-abs(h - i)) @ h for i in range(3)][0] = ");
}

static void test_picture__a_cursor_goes_over_the_numbers(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "A = [[1, 2], [3, 4]]\nheat A\n");
    show(fixture);
    assert_seen(fixture, "A[0, 0] = 1 ");
    press(fixture, KEYCODE_RIGHT);
    assert_seen(fixture, "A[0, 1] = 2 ");
    press(fixture, 'j'); /* an arrow, too */
    assert_seen(fixture, "A[1, 1] = 4 ");
    press(fixture, KEYCODE_LEFT);
    assert_seen(fixture, "A[1, 0] = 3 ");
    press(fixture, 'g');
    assert_seen(fixture, "A[0, 0] = 1 ");
}

/* The next picture may have fewer lines than the cursor was down in the last one. */
static void test_picture__a_picture_that_goes_takes_the_cursor_along(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "A = ones(12, 2)\nheat A\n");
    show(fixture);
    press(fixture, 'G');
    assert_seen(fixture, "A[11, ");
    picture_clear(&fixture->picture);
    press(fixture, KEYCODE_LEFT);
    press(fixture, KEYCODE_RIGHT);
    assert_int_equal(fixture->picture.line, 0);
}

static void test_picture__enter_asks_for_the_number(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    lang_run(fixture->lang, "heat [[1, 2], [3, 4]] * 2\n");
    show(fixture);
    press(fixture, KEYCODE_DOWN);
    press(fixture, KEYCODE_ENTER);
    assert_true(picture_ops.take_request(&fixture->picture, &request));
    assert_int_equal(request.kind, PANE_OPEN_NUMBER);
    pane_request_release(&request);
    struct cell cell = picture_cell(&fixture->picture);
    assert_non_null(cell.node);
    assert_int_equal(cell.position, 2);
    assert_true(cell.node->value.data[2] == 6);
    node_free(cell.node);
}

static void test_picture__the_stages_of_a_trace_can_be_opened(void **state)
{
    struct fixture *fixture = *state;
    lang_run(fixture->lang, "A = [[1, 2], [3, 4]]\nB = A * 2\ntrace B\n");
    show(fixture);
    struct cell cell = picture_cell(&fixture->picture);
    assert_non_null(cell.node);
    assert_string_equal(cell.node->name, "A");
    node_free(cell.node);
}

static void test_picture__memory_may_run_out(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    lang_run(fixture->lang, "bars [1, 2]\n");
    assert_reports_failed_allocations(
        picture_show(&fixture->picture, &fixture->lang->session.drawing, &error), error);
}

static void test_picture__numbers_can_be_taken_along(void **state)
{
    struct fixture *fixture = *state;
    struct text text = {0}, what = {0};
    assert_false(picture_ops.copy(&fixture->picture, false, &text, &what)); /* there are none */
    lang_run(fixture->lang, "heat [[0.25, 0.5], [0.125, 1]]\n");
    show(fixture);
    press(fixture, KEYCODE_RIGHT);
    assert_true(picture_ops.copy(&fixture->picture, false, &text, &what));
    assert_string_equal(text_string(&text), "0.5");
    assert_string_equal(text_string(&what), "0.5");
    text_clear(&text);
    text_clear(&what);
    assert_true(picture_ops.copy(&fixture->picture, true, &text, &what));
    assert_string_equal(text_string(&text), "0.25\t0.5\n0.125\t1\n");
    assert_string_equal(text_string(&what), "2x2");
    text_release(&text);
    text_release(&what);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_picture__##name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(without_one_nothing_is_drawn),
        TEST(is_drawn_for_the_room_there_is),
        TEST(fills_its_pane),
        TEST(has_the_rows_that_it_needs_before_it_grows),
        TEST(keeps_the_numbers_that_were_drawn),
        TEST(random_numbers_are_not_drawn_anew),
        TEST(a_list_with_for_is_named_as_it_was_typed),
        TEST(a_cursor_goes_over_the_numbers),
        TEST(a_picture_that_goes_takes_the_cursor_along),
        TEST(enter_asks_for_the_number),
        TEST(numbers_can_be_taken_along),
        TEST(the_stages_of_a_trace_can_be_opened),
        TEST(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
