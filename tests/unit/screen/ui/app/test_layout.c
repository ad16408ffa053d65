/* ui/app/layout.h: where everything stands, for every size of the screen. */
#include "base/array.h"
#include "testing.h"

#include "ui/app/layout.h"

enum { ROWS_MAX = 300, COLS_MAX = 400, PARTS_MAX = PANE_COUNT + 5 };

static struct layout lesson_at(int rows, int cols, enum pane_id focus)
{
    return layout_of(
        rows, cols,
        &(struct layout_input){
            .view = VIEW_LESSON, .focus = focus, .overlay = PANE_COUNT, .side = PANE_EXPLORER});
}

static bool is_empty(struct rect rect)
{
    return rect.rows == 0 || rect.cols == 0;
}

static bool is_inside(struct rect rect, struct rect whole)
{
    return rect.rows >= 0 && rect.cols >= 0 && rect.row >= whole.row && rect.col >= whole.col &&
           rect.row + rect.rows <= whole.row + whole.rows &&
           rect.col + rect.cols <= whole.col + whole.cols;
}

static bool overlap(struct rect a, struct rect b)
{
    return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
           b.col < a.col + a.cols;
}

/* All that shares the screen: what lies on top is left out. Returns how many. */
static int parts_of(const struct layout *layout, struct rect parts[PARTS_MAX])
{
    int n = 0;
    parts[n++] = layout->title;
    parts[n++] = layout->keys;
    for (int i = 0; i < PANE_COUNT; i++)
        if (i != PANE_HELP && i != PANE_COMMAND_PALETTE && !is_empty(layout->panes[i]))
            parts[n++] = layout->panes[i];
    if (layout->prompt_rule_row >= 0)
        parts[n++] = (struct rect){layout->prompt_rule_row, 0, 1, layout->cols};
    if (layout->divider_col >= 0)
        parts[n++] = (struct rect){1, layout->divider_col, layout->prompt_rule_row - 1, 1};
    if (layout->side_rule_row >= 0)
        parts[n++] = (struct rect){layout->side_rule_row, 0, 1, layout->cols};
    return n;
}

/* Inside, without overlaps, and with as many cells as the screen has: so it is filled. */
static void check_parts(const struct layout *layout)
{
    struct rect parts[PARTS_MAX], screen = {0, 0, layout->rows, layout->cols};
    int n = parts_of(layout, parts), area = 0;
    for (int i = 0; i < n; i++) {
        if (!is_inside(parts[i], screen))
            fail_msg("part %d leaves the screen of %d x %d", i, layout->rows, layout->cols);
        area += parts[i].rows * parts[i].cols;
        for (int j = 0; j < i; j++)
            if (overlap(parts[i], parts[j]))
                fail_msg("parts %d and %d overlap at %d x %d", i, j, layout->rows, layout->cols);
    }
    if (area != layout->rows * layout->cols)
        fail_msg("not filled at %d x %d", layout->rows, layout->cols);
}

static void check_overlay(const struct layout *layout, enum pane_id overlay)
{
    struct rect body = {1, 0, layout->rows - 2, layout->cols};
    for (int i = PANE_HELP; i <= PANE_COMMAND_PALETTE; i++) {
        struct rect rect = layout->panes[i];
        if (is_empty(rect) != (i != (int)overlay) || (!is_empty(rect) && !is_inside(rect, body)))
            fail_msg("what lies on top is wrong at %d x %d", layout->rows, layout->cols);
        if (!is_empty(rect) && (rect.rows < 3 || rect.cols < 50))
            fail_msg("what lies on top is too small at %d x %d", layout->rows, layout->cols);
    }
}

static void check_too_small(const struct layout *layout)
{
    bool all_empty = is_empty(layout->title) && is_empty(layout->keys);
    for (int i = 0; i < PANE_COUNT; i++)
        all_empty = all_empty && is_empty(layout->panes[i]);
    if (!layout->too_small || !all_empty || layout->divider_col != -1 ||
        layout->prompt_rule_row != -1)
        fail_msg("not empty at %d x %d", layout->rows, layout->cols);
}

static void check_input(int rows, int cols, struct layout_input input)
{
    struct layout layout = layout_of(rows, cols, &input);
    if (layout.rows != rows || layout.cols != cols)
        fail_msg("another size than %d x %d", rows, cols);
    if (rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS) {
        check_too_small(&layout);
        return;
    }
    bool has_prompt = !input.zoomed || input.focus == PANE_PROMPT;
    if (layout.too_small || is_empty(layout.panes[PANE_PROMPT]) == has_prompt)
        fail_msg("the prompt at %d x %d", rows, cols);
    check_parts(&layout);
    check_overlay(&layout, input.overlay);
}

/* As it is, zoomed, and with the border moved and a lower pane of other heights. */
static void check(int rows, int cols, enum view view, enum pane_id focus, enum pane_id overlay)
{
    struct layout_input input = {.view = view, .focus = focus, .overlay = overlay};
    check_input(rows, cols, input);
    input.side = rows % 2 == 0 ? PANE_PICTURE : PANE_EXPLORER;
    input.first_rows = cols % 31;
    input.first_cols = rows * 5 % 110;
    check_input(rows, cols, input);
    input.zoomed = true;
    check_input(rows, cols, input);
    input.zoomed = false;
    input.side_rows = rows * 7 % 23;
    input.border = (rows + cols) % (2 * LAYOUT_MAX_BORDER + 1) - LAYOUT_MAX_BORDER;
    check_input(rows, cols, input);
}

static void test_ui_layout__every_size_is_filled_without_overlaps(void **state)
{
    (void)state;
    static const enum pane_id overlays[] = {PANE_COUNT, PANE_HELP, PANE_COMMAND_PALETTE};
    for (int rows = 1; rows <= ROWS_MAX; rows++)
        for (int cols = 1; cols <= COLS_MAX; cols++)
            for (int view = 0; view < VIEW_COUNT; view++)
                for (int focus = 0; focus <= PANE_COUNT; focus++)
                    check(rows, cols, (enum view)view, (enum pane_id)focus,
                          overlays[(rows + cols + focus) % 3]);
}

static void test_ui_layout__odd_sizes_are_too_small(void **state)
{
    (void)state;
    check(0, 0, VIEW_HOME, PANE_HOME, PANE_COUNT);
    check(-1, 80, VIEW_HOME, PANE_HOME, PANE_HELP);
    check(24, -80, VIEW_LESSON, PANE_LESSON, PANE_COUNT);
}

static void test_ui_layout__below_60x16_it_is_too_small(void **state)
{
    (void)state;
    assert_true(lesson_at(15, 60, PANE_LESSON).too_small);
    assert_true(lesson_at(16, 59, PANE_LESSON).too_small);
    assert_false(lesson_at(16, 60, PANE_LESSON).too_small);
}

static void test_ui_layout__small_screens_show_the_pane_in_focus_and_the_prompt(void **state)
{
    (void)state;
    static const int sizes[][2] = {{16, 60}, {23, 300}, {24, 79}, {16, 79}, {23, 60}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct layout lesson = lesson_at(sizes[i][0], sizes[i][1], PANE_LESSON);
        struct layout explorer = lesson_at(sizes[i][0], sizes[i][1], PANE_EXPLORER);
        assert_true(lesson.narrow && explorer.narrow);
        assert_true(!is_empty(lesson.panes[PANE_LESSON]));
        assert_true(is_empty(lesson.panes[PANE_EXPLORER]));
        assert_true(is_empty(explorer.panes[PANE_LESSON]));
        assert_true(!is_empty(explorer.panes[PANE_EXPLORER]));
        assert_int_equal(lesson.divider_col, -1);
        assert_int_equal(lesson.panes[PANE_PROMPT].rows, 1);
    }
}

static void test_ui_layout__the_question_stays_in_sight_of_a_prompt_in_focus(void **state)
{
    (void)state;
    struct layout_input input = {
        .view = VIEW_LESSON, .focus = PANE_PROMPT, .overlay = PANE_COUNT, .prompt_used = 50};
    struct layout layout = layout_of(16, 60, &input);
    assert_int_equal(layout.panes[PANE_LESSON].rows, 6);
    assert_int_equal(layout.panes[PANE_PROMPT].rows, 7);
    input.view = VIEW_EXERCISE;
    assert_int_equal(layout_of(16, 60, &input).panes[PANE_EXERCISE].rows, 6);
}

static void test_ui_layout__a_focus_elsewhere_shows_the_first_pane(void **state)
{
    (void)state;
    struct layout layout = lesson_at(16, 60, PANE_HOME);
    assert_int_equal(layout.panes[PANE_LESSON].rows, 12);
    assert_true(is_empty(layout.panes[PANE_HOME]));
}

/* Text comes first: the explorer takes its place while it has the focus. */
static void test_ui_layout__at_80x24_the_lesson_has_the_whole_width(void **state)
{
    (void)state;
    struct layout layout = lesson_at(24, 80, PANE_LESSON);
    assert_int_equal(layout.panes[PANE_LESSON].cols, 80);
    assert_int_equal(layout.panes[PANE_LESSON].rows, 20);
    assert_true(is_empty(layout.panes[PANE_EXPLORER]));
    assert_int_equal(layout.panes[PANE_PROMPT].rows, 1);
    layout = lesson_at(24, 80, PANE_EXPLORER);
    assert_int_equal(layout.panes[PANE_EXPLORER].cols, 80);
    assert_true(is_empty(layout.panes[PANE_LESSON]));
}

static void test_ui_layout__a_lesson_has_60_columns_at_least(void **state)
{
    (void)state;
    for (int cols = LAYOUT_MIN_COLS; cols <= COLS_MAX; cols++)
        for (int border = -LAYOUT_MAX_BORDER; border <= LAYOUT_MAX_BORDER; border++) {
            struct layout_input input = {.view = VIEW_LESSON,
                                         .overlay = PANE_COUNT,
                                         .side = PANE_EXPLORER,
                                         .border = border};
            assert_true(layout_of(40, cols, &input).panes[PANE_LESSON].cols >= 60);
        }
    struct layout layout = lesson_at(24, LAYOUT_LESSON_COLS, PANE_LESSON);
    assert_int_equal(layout.panes[PANE_LESSON].cols, 60);
    assert_int_equal(layout.panes[PANE_EXPLORER].col, 61);
}

static void test_ui_layout__a_tall_screen_has_the_explorer_below(void **state)
{
    (void)state;
    struct layout_input input = {
        .view = VIEW_LESSON, .overlay = PANE_COUNT, .side = PANE_EXPLORER, .side_rows = 7};
    struct layout layout = layout_of(50, 80, &input);
    struct rect lesson = layout.panes[PANE_LESSON], explorer = layout.panes[PANE_EXPLORER];
    assert_int_equal(explorer.rows, 7);
    assert_int_equal(explorer.cols, 80);
    assert_int_equal(layout.side_rule_row, lesson.row + lesson.rows);
    input.side_rows = 1000;
    assert_true(layout_of(50, 80, &input).panes[PANE_LESSON].rows > 20);
    input.border = 1; /* down */
    assert_true(layout_of(50, 80, &input).side_rule_row >
                layout_of(50, 80,
                          &(struct layout_input){.view = VIEW_LESSON,
                                                 .overlay = PANE_COUNT,
                                                 .side = PANE_EXPLORER,
                                                 .side_rows = 1000})
                    .side_rule_row);
}

/* Below a short page there is room for the picture that it speaks of. */
static void test_ui_layout__a_short_page_has_its_picture_below(void **state)
{
    struct layout_input input = {.view = VIEW_LESSON,
                                 .focus = PANE_LESSON,
                                 .overlay = PANE_COUNT,
                                 .side = PANE_PICTURE,
                                 .side_rows = 12,
                                 .first_rows = 5};
    (void)state;
    struct layout layout = layout_of(24, 80, &input);
    check_parts(&layout);
    assert_int_equal(layout.panes[PANE_PICTURE].rows, 12);
    assert_int_equal(layout.panes[PANE_PICTURE].row, layout.side_rule_row + 1);
    assert_in_range(layout.panes[PANE_LESSON].rows, input.first_rows, 24);
    input.side_rows = 30; /* all that is free, and the rest is scrolled */
    layout = layout_of(24, 80, &input);
    check_parts(&layout);
    assert_int_equal(layout.panes[PANE_LESSON].rows, input.first_rows);
    input.first_rows = 12; /* the text grows: the picture gets smaller and stays */
    for (; input.first_rows < 60; input.first_rows++) {
        layout = layout_of(24, 80, &input);
        check_parts(&layout);
        assert_int_equal(layout.panes[PANE_PICTURE].rows, 8);
        assert_int_equal(layout.panes[PANE_LESSON].rows, 11);
    }
    input.prompt_used = 3;
    assert_int_equal(layout_of(24, 80, &input).panes[PANE_PICTURE].rows, 7);
    layout = layout_of(16, 60, &input); /* no room */
    assert_true(is_empty(layout.panes[PANE_PICTURE]));
    input = (struct layout_input){.view = VIEW_LESSON,
                                  .overlay = PANE_COUNT,
                                  .side = PANE_EXPLORER,
                                  .side_rows = 9,
                                  .first_rows = 2};
    layout = layout_of(24, 80, &input); /* no picture */
    assert_true(is_empty(layout.panes[PANE_EXPLORER]));
}

/* What stands beside a lesson, for each size: none, a picture, a picture beside wide tables. */
static void test_ui_layout__a_lesson_has_the_room_that_nothing_else_needs(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
        int alone, beside, wide; /* columns of the lesson */
        int below;               /* rows of the picture below it; 0: it is not below */
    } sizes[] = {
        {24, 80, 80, 80, 80, 8},   {30, 100, 100, 100, 100, 10}, {40, 120, 120, 60, 80, 0},
        {50, 160, 160, 73, 80, 0}, {60, 200, 200, 84, 84, 0},    {16, 60, 60, 60, 60, 0},
        {24, 300, 300, 84, 84, 0}, {60, 100, 100, 100, 100, 12},
    };
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        int rows = sizes[i].rows, cols = sizes[i].cols;
        struct layout_input input = {.view = VIEW_LESSON,
                                     .focus = PANE_LESSON,
                                     .overlay = PANE_COUNT,
                                     .side = PANE_COUNT,
                                     .side_rows = 12,
                                     .first_rows = 100};
        struct layout layout = layout_of(rows, cols, &input);
        assert_int_equal(layout.panes[PANE_LESSON].cols, sizes[i].alone);
        assert_int_equal(layout.panes[PANE_LESSON].rows, rows - 4);
        assert_int_equal(layout_second_pane(&input), PANE_COUNT);
        input.side = PANE_PICTURE;
        layout = layout_of(rows, cols, &input);
        check_parts(&layout);
        assert_int_equal(layout.panes[PANE_LESSON].cols, sizes[i].beside);
        if (layout.divider_col < 0)
            assert_int_equal(layout.panes[PANE_PICTURE].rows, sizes[i].below);
        input.first_cols = 80;
        assert_int_equal(layout_of(rows, cols, &input).panes[PANE_LESSON].cols, sizes[i].wide);
    }
}

static void test_ui_layout__the_border_moves(void **state)
{
    (void)state;
    struct layout_input input = {.view = VIEW_LESSON, .overlay = PANE_COUNT, .side = PANE_EXPLORER};
    int before = layout_of(60, 200, &input).divider_col;
    input.border = 1;
    assert_int_equal(layout_of(60, 200, &input).divider_col, before + 4);
    input.border = -1;
    assert_int_equal(layout_of(60, 200, &input).divider_col, before - 4);
    input.border = LAYOUT_MAX_BORDER;
    assert_true(layout_of(60, 200, &input).panes[PANE_EXPLORER].cols >= 24);
}

static void test_ui_layout__a_zoomed_pane_has_the_whole_body(void **state)
{
    (void)state;
    struct layout_input input = {.view = VIEW_LESSON,
                                 .overlay = PANE_COUNT,
                                 .focus = PANE_EXPLORER,
                                 .side = PANE_EXPLORER,
                                 .zoomed = true};
    struct layout layout = layout_of(60, 200, &input);
    assert_int_equal(layout.panes[PANE_EXPLORER].rows, 58);
    assert_int_equal(layout.panes[PANE_EXPLORER].cols, 200);
    assert_true(is_empty(layout.panes[PANE_LESSON]) && is_empty(layout.panes[PANE_PROMPT]));
    input.focus = PANE_PROMPT; /* what is asked stays in sight */
    input.prompt_used = 100;
    layout = layout_of(60, 200, &input);
    assert_true(layout.panes[PANE_PROMPT].rows > 20 && layout.panes[PANE_LESSON].rows > 20);
}

static void test_ui_layout__the_prompt_grows_with_what_it_has_to_show(void **state)
{
    (void)state;
    struct layout_input wish = {.view = VIEW_LESSON, .focus = PANE_PROMPT, .overlay = PANE_COUNT};
    int usual = layout_of(24, 80, &wish).panes[PANE_PROMPT].rows;
    wish.prompt_rows = 12;
    struct layout layout = layout_of(24, 80, &wish);
    assert_int_equal(layout.panes[PANE_PROMPT].rows, 12);
    check_parts(&layout);
    wish.prompt_rows = 1000; /* some of the panes stays */
    layout = layout_of(24, 80, &wish);
    assert_int_equal(layout.panes[PANE_LESSON].rows, 4);
    check_parts(&layout);
    wish.prompt_rows = 1;
    assert_int_equal(layout_of(24, 80, &wish).panes[PANE_PROMPT].rows, usual);
    wish.focus = PANE_LESSON;
    wish.prompt_rows = 12;
    assert_int_equal(layout_of(24, 80, &wish).panes[PANE_PROMPT].rows, usual);
}

/* At any size and with any focus: one row, what it has to show, up to its share. */
static void test_ui_layout__the_prompt_is_one_row_until_it_is_used(void **state)
{
    (void)state;
    static const int sizes[][3] = {{24, 80, 3},  {30, 100, 4}, {40, 120, 6},
                                   {50, 160, 8}, {60, 200, 9}, {16, 60, 3}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (int view = 0; view < VIEW_COUNT; view++) {
            struct layout_input input = {
                .view = (enum view)view, .focus = PANE_PROMPT, .overlay = PANE_COUNT};
            int rows = sizes[i][0], cols = sizes[i][1], share = sizes[i][2];
            assert_int_equal(layout_of(rows, cols, &input).panes[PANE_PROMPT].rows, 1);
            input.focus = layout_first_pane((enum view)view);
            assert_int_equal(layout_of(rows, cols, &input).panes[PANE_PROMPT].rows, 1);
            input.prompt_used = 2;
            assert_int_equal(layout_of(rows, cols, &input).panes[PANE_PROMPT].rows, 2);
            input.prompt_used = 500;
            assert_int_equal(layout_of(rows, cols, &input).panes[PANE_PROMPT].rows, share);
        }
}

static void test_ui_layout__large_screens_are_used(void **state)
{
    (void)state;
    struct layout small = lesson_at(24, 80, PANE_LESSON);
    struct layout large = lesson_at(100, 300, PANE_LESSON);
    assert_true(large.panes[PANE_EXPLORER].cols > 2 * large.panes[PANE_LESSON].cols);
    assert_true(large.panes[PANE_LESSON].cols >= small.panes[PANE_LESSON].cols);
    assert_true(large.panes[PANE_LESSON].rows >= 60);
}

static void test_ui_layout__focus_moves_nothing_where_all_is_seen(void **state)
{
    (void)state;
    struct layout a = lesson_at(40, 120, PANE_LESSON), b = lesson_at(40, 120, PANE_PROMPT);
    for (int i = 0; i < PANE_COUNT; i++)
        assert_memory_equal(&a.panes[i], &b.panes[i], sizeof a.panes[i]);
}

static void test_ui_layout__views_have_their_panes(void **state)
{
    (void)state;
    static const bool shown[VIEW_COUNT][PANE_COUNT] = {
        [VIEW_HOME] = {[PANE_HOME] = true, [PANE_PROMPT] = true},
        [VIEW_LESSON] = {[PANE_LESSON] = true, [PANE_EXPLORER] = true, [PANE_PROMPT] = true},
        [VIEW_EXERCISE] = {[PANE_EXERCISE] = true, [PANE_RESULT] = true, [PANE_PROMPT] = true},
        [VIEW_EXPLORE] = {[PANE_EXPLORER] = true, [PANE_PROMPT] = true},
        [VIEW_MODEL] = {[PANE_HEADS] = true, [PANE_PROMPT] = true},
        [VIEW_TRAINING] = {[PANE_TRAINING] = true, [PANE_PROMPT] = true},
    };
    for (int view = 0; view < VIEW_COUNT; view++) {
        struct layout layout = layout_of(24, 120,
                                         &(struct layout_input){.view = (enum view)view,
                                                                .focus = PANE_PROMPT,
                                                                .overlay = PANE_COUNT,
                                                                .side = PANE_EXPLORER});
        for (int i = 0; i < PANE_COUNT; i++)
            assert_int_equal(!is_empty(layout.panes[i]), shown[view][i]);
    }
}

static void test_ui_layout__places_belong_to_the_pane_seen_there(void **state)
{
    (void)state;
    struct layout layout = lesson_at(24, 120, PANE_LESSON);
    assert_int_equal(layout_pane_at(&layout, 1, 0), PANE_LESSON);
    assert_int_equal(layout_pane_at(&layout, 1, 119), PANE_EXPLORER);
    assert_int_equal(layout_pane_at(&layout, 22, 40), PANE_PROMPT);
    assert_int_equal(layout_pane_at(&layout, 1, layout.divider_col), PANE_COUNT);
    assert_int_equal(layout_pane_at(&layout, 0, 0), PANE_COUNT);
    assert_int_equal(layout_pane_at(&layout, 23, 0), PANE_COUNT);
    assert_int_equal(layout_pane_at(&layout, -1, -1), PANE_COUNT);
    assert_int_equal(layout_pane_at(&layout, 1000, 1000), PANE_COUNT);
    layout = layout_of(
        24, 80,
        &(struct layout_input){.view = VIEW_LESSON, .focus = PANE_LESSON, .overlay = PANE_HELP});
    assert_int_equal(layout_pane_at(&layout, 10, 40), PANE_HELP);
    assert_int_equal(layout_pane_at(&layout, 10, 0), PANE_LESSON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_layout__every_size_is_filled_without_overlaps),
        cmocka_unit_test(test_ui_layout__odd_sizes_are_too_small),
        cmocka_unit_test(test_ui_layout__below_60x16_it_is_too_small),
        cmocka_unit_test(test_ui_layout__small_screens_show_the_pane_in_focus_and_the_prompt),
        cmocka_unit_test(test_ui_layout__the_question_stays_in_sight_of_a_prompt_in_focus),
        cmocka_unit_test(test_ui_layout__a_focus_elsewhere_shows_the_first_pane),
        cmocka_unit_test(test_ui_layout__at_80x24_the_lesson_has_the_whole_width),
        cmocka_unit_test(test_ui_layout__a_lesson_has_60_columns_at_least),
        cmocka_unit_test(test_ui_layout__a_tall_screen_has_the_explorer_below),
        cmocka_unit_test(test_ui_layout__a_short_page_has_its_picture_below),
        cmocka_unit_test(test_ui_layout__a_lesson_has_the_room_that_nothing_else_needs),
        cmocka_unit_test(test_ui_layout__the_border_moves),
        cmocka_unit_test(test_ui_layout__a_zoomed_pane_has_the_whole_body),
        cmocka_unit_test(test_ui_layout__the_prompt_grows_with_what_it_has_to_show),
        cmocka_unit_test(test_ui_layout__the_prompt_is_one_row_until_it_is_used),
        cmocka_unit_test(test_ui_layout__large_screens_are_used),
        cmocka_unit_test(test_ui_layout__focus_moves_nothing_where_all_is_seen),
        cmocka_unit_test(test_ui_layout__views_have_their_panes),
        cmocka_unit_test(test_ui_layout__places_belong_to_the_pane_seen_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
