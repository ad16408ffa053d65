/* ui/panes/explorer: the whole chain: where the stages stand, how the cursor goes through them, and
 * where the lines of flow begin and end. */
#include "explorer_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "ui/panes/explorer/explorer_internal.h"

static struct explorer_chain lay_out(struct fixture *fixture)
{
    struct explorer_chain chain;
    assert_true(explorer_chain_lay_out(&fixture->explorer, fixture->canvas.rows,
                                       fixture->canvas.cols, &chain));
    return chain;
}

static struct explorer_chain_box box_of(struct fixture *fixture, const char *name)
{
    struct explorer_chain chain = lay_out(fixture);
    struct explorer_chain_box *box = explorer_chain_box(&chain, name);
    assert_non_null(box);
    return *box;
}

static const char *stage_of(struct fixture *fixture)
{
    return fixture->explorer.pipeline.stages[fixture->explorer.stage].name;
}

static int end_of(const struct explorer_chain_box *box)
{
    return box->col + (int)box->n_cols * box->cell_cols;
}

/* No two stages overlap, and all are inside. */
static void check_apart(struct fixture *fixture)
{
    struct explorer_chain chain = lay_out(fixture);
    assert_true(chain.rows <= fixture->canvas.rows);
    assert_true(chain.cols <= fixture->canvas.cols);
    for (size_t i = 0; i < chain.n; i++) {
        const struct explorer_chain_box *a = &chain.boxes[i];
        assert_true(a->row >= 1 && a->row + (int)a->n_rows <= chain.rows);
        assert_true(a->col >= 0 && end_of(a) <= chain.cols);
        for (size_t j = 0; j < i; j++) {
            const struct explorer_chain_box *b = &chain.boxes[j];
            bool apart = a->row + (int)a->n_rows < b->row || b->row + (int)b->n_rows < a->row ||
                         end_of(a) < b->col || end_of(b) < a->col;
            assert_true(apart);
        }
    }
}

static void operands_stand_beside_and_above(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    type(fixture, "m");
    check_apart(fixture);
    static const char *const main_band[] = {"Q",      "scores",  "scaled",
                                            "masked", "weights", "context"};
    for (size_t i = 1; i < COUNT_OF(main_band); i++) {
        struct explorer_chain_box a = box_of(fixture, main_band[i - 1]),
                                  b = box_of(fixture, main_band[i]);
        assert_int_equal(a.row, b.row); /* a word is one row of the screen */
        assert_true(end_of(&a) + 3 <= b.col);
    }
    struct explorer_chain_box key = box_of(fixture, "K"), scores = box_of(fixture, "scores"),
                              value = box_of(fixture, "V"), context = box_of(fixture, "context");
    assert_int_equal(key.col, scores.col);
    assert_int_equal(key.cell_cols, scores.cell_cols);
    assert_int_equal(key.n_rows, 3); /* K is turned: its rows are columns */
    assert_true(key.row + (int)key.n_rows < scores.row);
    assert_int_equal(value.col, context.col);
    assert_int_equal(value.cell_cols, context.cell_cols);
    assert_int_equal(scores.digits, 3); /* the settings have fewer than four */
}

static void any_size_and_number_of_heads(void **state)
{
    struct fixture *fixture = *state;
    static const int sizes[][2] = {{50, 200}, {36, 160}, {30, 160}, {60, 300}};
    static const unsigned heads[] = {1, 2, 4, 16};
    static const int words[] = {1, 2, 6, 12, 64};
    for (size_t w = 0; w < COUNT_OF(words); w++)
        for (size_t h = 0; h < COUNT_OF(heads); h++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                struct pipeline_options options = {PIPELINE_CAUSAL, true, 1, heads[h]};
                struct error error;
                size_t n_dropped;
                set_words(fixture, words[w]);
                assert_true(pipeline_set_options(&fixture->explorer.pipeline, &options, &n_dropped,
                                                 &error));
                resize(fixture, sizes[s][0], sizes[s][1]);
                check_apart(fixture);
                draw(fixture);
            }
    resize(fixture, 50, 149);
    struct explorer_chain chain;
    assert_false(explorer_chain_lay_out(&fixture->explorer, 50, 149, &chain));
    assert_false(explorer_chain_lay_out(&fixture->explorer, 8, 200, &chain));
}

static void the_cursor_goes_through_all_stages(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    type(fixture, "m_>>");
    assert_string_equal(stage_of(fixture), "E");
    type(fixture, ">"); /* beyond its last column */
    assert_string_equal(stage_of(fixture), "K");
    assert_int_equal(fixture->explorer.row, 0); /* the first word: K's rows go across */
    type(fixture, ">");
    assert_int_equal(fixture->explorer.row, 1);
    type(fixture, "__");
    assert_string_equal(stage_of(fixture), "scores");
    assert_int_equal(fixture->explorer.row, 0);
    assert_int_equal(fixture->explorer.col, 1);
    type(fixture, "_");
    static const char *const stages[] = {"scaled", "masked", "weights", "context"};
    for (size_t i = 0; i < COUNT_OF(stages); i++) {
        while (fixture->explorer.col < 2)
            type(fixture, ">");
        type(fixture, ">");
        assert_string_equal(stage_of(fixture), stages[i]);
        assert_int_equal(fixture->explorer.row, 1); /* the same word */
        assert_int_equal(fixture->explorer.col, 0);
    }
    type(fixture, "^^");
    assert_string_equal(stage_of(fixture), "V");
    assert_int_equal(fixture->explorer.row, 2); /* its last row is the nearest */
    type(fixture, "[");
    assert_string_equal(stage_of(fixture), "K");
}

static size_t lit_cells(struct fixture *fixture, const char *name)
{
    struct explorer_chain chain = lay_out(fixture);
    struct explorer_chain_box *box = explorer_chain_box(&chain, name);
    struct explorer_chain_box *cursor = explorer_chain_box_of(&chain, fixture->explorer.stage);
    struct chain_light light = explorer_chain_light(&fixture->explorer, cursor);
    size_t n = 0;
    for (size_t row = 0; row < box->whole_rows; row++)
        for (size_t col = 0; col < box->whole_cols; col++)
            n += explorer_chain_is_lit(&light, box, row, col);
    return n;
}

static void a_word_is_lit_in_every_stage(void **state)
{
    struct fixture *fixture = *state;
    static const char *const by_query[] = {"E", "Q", "scores", "scaled", "weights", "context"};
    resize(fixture, 50, 200);
    show(fixture, "weights");
    type(fixture, "_>>");
    for (size_t i = 0; i < COUNT_OF(by_query); i++)
        assert_int_equal(lit_cells(fixture, by_query[i]), 3);
    assert_int_equal(lit_cells(fixture, "K"), 3); /* the column of "sun" */
    assert_int_equal(lit_cells(fixture, "V"), 3);
    show(fixture, "context"); /* which has no key */
    assert_int_equal(lit_cells(fixture, "K"), 0);
    assert_int_equal(lit_cells(fixture, "weights"), 3);
    show(fixture, "V"); /* which has no query: the column of its word */
    assert_int_equal(lit_cells(fixture, "weights"), 3);
    assert_int_equal(lit_cells(fixture, "Q"), 0);
    const char *lit = marked(fixture, MARK_BOLD);
    assert_non_null(strstr(lit, "shiny")); /* without colours too: its name */
}

/* The lines to the open cell begin at its operands and end beside it or above it. */
static size_t flows_of(struct fixture *fixture, struct chain_flow flows[PIPELINE_MAX_STAGES])
{
    struct explorer_chain chain;
    struct explorer_why why;
    struct error error;
    assert_true(explorer_chain_lay_out(&fixture->explorer, fixture->canvas.rows,
                                       fixture->canvas.cols, &chain));
    assert_true(explorer_explain(&fixture->explorer, 80, &why, &error));
    size_t n = explorer_chain_flows(&fixture->explorer, &chain, &why, flows);
    explorer_why_release(&why);
    return n;
}

static void flow_comes_from_the_operands(void **state)
{
    struct fixture *fixture = *state;
    struct chain_flow flows[PIPELINE_MAX_STAGES];
    resize(fixture, 60, 200);
    show(fixture, "scores");
    type(fixture, "_>>\n"); /* scores["shiny", "sun"] */
    assert_int_equal(flows_of(fixture, flows), 2);
    struct explorer_chain_box query = box_of(fixture, "Q"), key = box_of(fixture, "K"),
                              scores = box_of(fixture, "scores");
    assert_int_equal(flows[0].stage, query.stage);
    assert_int_equal(flows[0].points[0].row, query.row + 1);
    assert_int_equal(flows[0].points[0].col, end_of(&query));
    assert_int_equal(flows[0].points[1].row, scores.row + 1);
    assert_int_equal(flows[0].points[1].col, scores.col - 1);
    int column = key.col + 2 * key.cell_cols + key.cell_cols / 2;
    assert_int_equal(flows[1].stage, key.stage);
    assert_int_equal(flows[1].points[0].row, key.row + (int)key.n_rows);
    assert_int_equal(flows[1].points[0].col, column);
    assert_int_equal(flows[1].points[1].col, column);
    assert_int_equal(flows[1].points[1].row, scores.row - 1);
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 2 + scores.row + 1), "\xE2\x94\x80\xE2\x96\xB6"));
    fixture->ascii = true;
    assert_shown(fixture, "->");
    assert_shown(fixture, "scores[\"shiny\", \"sun\"] = ");
}

/* Going down with Enter moves the lines along; a projection, which is no stage, leads to X. */
static void flow_goes_down_to_the_embeddings(void **state)
{
    struct fixture *fixture = *state;
    struct chain_flow flows[PIPELINE_MAX_STAGES];
    static const char *const from[] = {"weights", "scaled", "scores", "Q", "X", "X", "E"};
    resize(fixture, 60, 200);
    type(fixture, "H\n");
    show(fixture, "context");
    for (size_t i = 0; i < COUNT_OF(from); i++) {
        type(fixture, "\n");
        if (i == 1)
            resize(fixture, 40, 160); /* it does not matter how large the screen is */
        size_t n = flows_of(fixture, flows);
        bool found = false;
        for (size_t f = 0; f < n; f++)
            found = found ||
                    strcmp(fixture->explorer.pipeline.stages[flows[f].stage].name, from[i]) == 0;
        assert_true(found);
        draw(fixture);
    }
}

static void all_that_changed_is_marked(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    type(fixture, "e0.9\n");
    static const char *const titles[] = {"Q*",      "K.T*",     "V*",      "scores*",
                                         "scaled*", "weights*", "context*"};
    for (size_t i = 0; i < COUNT_OF(titles); i++)
        assert_shown(fixture, titles[i]);
    assert_shown(fixture, "0.900*");
    draw(fixture);
    size_t n = 0;
    for (int row = 2; row < fixture->canvas.rows - 4; row++)
        for (const char *c = row_text(fixture, row); *c != '\0'; c++)
            n += *c == '*';
    assert_int_equal(n, 32 + 8); /* 1 of E, 31 downstream, and eight titles */
}

static void hidden_weights_are_no_numbers(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    fixture->ascii = true;
    type(fixture, "m");
    struct explorer_chain_box weights = box_of(fixture, "weights");
    draw(fixture);
    const char *row = row_text(fixture, 2 + weights.row);
    assert_non_null(strstr(row, "1.000"));
    assert_non_null(strstr(row, "  /  "));
    assert_non_null(strstr(row, "-inf"));
}

/* A click chooses a number, a second one opens it; K's cells are found where they are seen. */
static void with_the_mouse(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    struct explorer_chain_box key = box_of(fixture, "K");
    struct area area = canvas_area(&fixture->canvas);
    assert_true(explorer_click(&fixture->explorer, area, 2 + key.row + 2,
                               key.col + key.cell_cols + 1, false));
    assert_string_equal(stage_of(fixture), "K");
    assert_int_equal(fixture->explorer.row, 1);
    assert_int_equal(fixture->explorer.col, 2);
    assert_true(explorer_click(&fixture->explorer, area, 2 + key.row + 2,
                               key.col + key.cell_cols + 1, true));
    assert_int_equal(fixture->explorer.depth, 1);
    assert_shown(fixture, "K[\"shiny\", 2] = 0.98");
    assert_false(explorer_click(&fixture->explorer, area, 2, 150, false));
}

/* The tint behind a weight, of the pane as drawn last. */
static int tint_behind(struct fixture *fixture, size_t row, size_t col)
{
    enum { ABOVE_CHAIN = 2 };
    struct explorer_chain_box box = box_of(fixture, "weights");
    int y = ABOVE_CHAIN + box.row + (int)row, x = box.col + (int)col * box.cell_cols;
    return fixture->canvas.cells[y * fixture->canvas.cols + x].look.back;
}

/* r: what the largest colour of the weights stands for. */
static void the_scale_of_the_weights(void **state)
{
    struct fixture *fixture = *state;
    fixture->explorer.pipeline.session.settings.colours = COLOURS_256;
    resize(fixture, 50, 200);
    float largest = 0, first_largest = 0;
    size_t at = 0, first_at = 0;
    for (size_t i = 0; i < 9; i++)
        if (number(fixture, "weights", i) > largest) {
            largest = number(fixture, "weights", i);
            at = i;
        }
    for (size_t i = 0; i < 3; i++)
        if (number(fixture, "weights", i) > first_largest) {
            first_largest = number(fixture, "weights", i);
            first_at = i;
        }
    assert_true(first_largest < largest);
    draw(fixture);
    assert_int_equal(tint_behind(fixture, at / 3, at % 3), 255);
    assert_true(tint_behind(fixture, 0, first_at) < 255);
    type(fixture, "r");
    assert_shown(fixture, "the colours of the weights: fixed, from 0 to 1");
    assert_int_equal(tint_behind(fixture, at / 3, at % 3), lround((double)largest * 255));
    type(fixture, "r");
    assert_shown(fixture, "each row, from 0 to its largest");
    assert_int_equal(tint_behind(fixture, at / 3, at % 3), 255);
    assert_int_equal(tint_behind(fixture, 0, first_at), 255);
    type(fixture, "r");
    assert_shown(fixture, "the matrix, from 0 to its largest");
    assert_true(tint_behind(fixture, 0, first_at) < 255);
}

/* Any allocation may fail, at a key and while drawing: nothing is lost by it, and the next frame is
 * whole. */
static void failed_allocations(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 50, 200);
    show(fixture, "weights");
    static const char *const keys[] = {"m", "\n", "_", "~", "s", "r", "H\n", "\n", "$"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        bool failed = true;
        for (long nth = 1; failed && nth < 2000; nth += nth < 60 ? 1 : 41) {
            testing_fail_allocation(nth);
            draw(fixture);
            failed = testing_allocations() >= nth;
            testing_fail_allocation(0);
        }
        assert_false(failed);
        for (long nth = 1; nth < 200; nth += nth < 20 ? 1 : 37) {
            testing_fail_allocation(nth);
            type(fixture, keys[k]);
            testing_fail_allocation(0);
            draw(fixture);
            check_equals(fixture, "context", "weights @ V");
        }
    }
    type(fixture, "$");
    check_apart(fixture);
    assert_shown(fixture, "CHAIN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        explorer_unit_test(operands_stand_beside_and_above),
        explorer_unit_test(any_size_and_number_of_heads),
        explorer_unit_test(the_cursor_goes_through_all_stages),
        explorer_unit_test(a_word_is_lit_in_every_stage),
        explorer_unit_test(flow_comes_from_the_operands),
        explorer_unit_test(flow_goes_down_to_the_embeddings),
        explorer_unit_test(all_that_changed_is_marked),
        explorer_unit_test(hidden_weights_are_no_numbers),
        explorer_unit_test(with_the_mouse),
        explorer_unit_test(the_scale_of_the_weights),
        explorer_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
