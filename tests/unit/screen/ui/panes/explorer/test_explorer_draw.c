/* ui/panes/explorer: what its pane shows: titles, words and lines, tables that are kept between
 * frames, and the table of its keys. */
#include "explorer_testing.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ui/panes/explorer/explorer_internal.h"

/* The formula in the title of each stage, computed by the language, gives the stage. */
static void check_titles(struct fixture *fixture, int *n_checked)
{
    struct explorer *explorer = &fixture->explorer;
    for (size_t i = 0; i < explorer->pipeline.n_stages; i++) {
        const char *name = explorer->pipeline.stages[i].name;
        char start[64], formula[256];
        show(fixture, name);
        draw(fixture);
        snprintf(start, sizeof start, "%s = ", name);
        const char *title = row_text(fixture, 1);
        if (strncmp(title, start, strlen(start)) != 0)
            continue; /* E, which is from embed() */
        snprintf(formula, sizeof formula, "%s", title + strlen(start));
        *strstr(formula, "   ") = '\0';
        check_equals(fixture, name, formula);
        *n_checked += 1;
    }
}

static void titles_say_what_is_computed(void **state)
{
    struct fixture *fixture = *state;
    int n_checked = 0;
    resize(fixture, ROWS, 120);
    for (const char *key = "=sm+msm---sH+m-s"; *key != '\0'; key++) {
        type(fixture, *key == 'H' ? "H\n" : (const char[]){*key, '\0'});
        check_titles(fixture, &n_checked);
    }
    assert_true(n_checked > 100);
}

static void titles_show_scale_and_temperature(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    assert_shown(fixture, "scaled = scores / sqrt(3)   3x3");
    type(fixture, "++");
    assert_shown(fixture, "scaled = scores / (sqrt(3) * 2)   3x3");
    type(fixture, "s");
    assert_shown(fixture, "scaled = scores / 2   3x3");
    assert_shown(fixture, "no mask, not scaled, temperature 2");
    type(fixture, "-");
    assert_shown(fixture, "scaled = scores / 1.41421   3x3");
    check_equals(fixture, "weights", "softmax(E @ E.T / 1.41421, dim=-1)");
}

/* ---- words ---- */

static double row_sum(struct fixture *fixture, size_t first, size_t end)
{
    double sum = 0;
    for (size_t key = first; key < end; key++)
        sum += (double)number(fixture, "weights", fixture->explorer.row * 64 + key);
    return sum;
}

/* Both columns scroll: the query and the key under the cursor are in sight, at any size. */
static void both_columns_scroll(void **state)
{
    struct fixture *fixture = *state;
    static const int sizes[][2] = {{11, 60}, {20, 80}, {9, 38}, {5, 30}};
    set_words(fixture, 64);
    show(fixture, "weights");
    type(fixture, "vv");
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        resize(fixture, sizes[i][0], sizes[i][1]);
        explorer_request(&fixture->explorer, REQ_BOTTOM, 0);
        while (fixture->explorer.col > 9)
            type(fixture, "<");
        while (fixture->explorer.col < 9)
            type(fixture, ">");
        assert_non_null(strstr(marked(fixture, MARK_REVERSE), "hh"));
        assert_non_null(strstr(marked(fixture, MARK_REVERSE), "bb|0."));
    }
}

static void the_query_is_seen_with_its_keys(void **state)
{
    struct fixture *fixture = *state;
    char wanted[80];
    set_words(fixture, 64);
    resize(fixture, 11, 60);
    show(fixture, "weights");
    type(fixture, "vv");
    explorer_request(&fixture->explorer, REQ_BOTTOM, 0);
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 3), "\xE2\x94\x8C")); /* the line begins at aa, */
    assert_non_null(strstr(row_text(fixture, 3), " aa "));
    assert_int_equal(strncmp(row_text(fixture, 7), "hh ", 3), 0);  /* goes by the query */
    assert_non_null(strstr(row_text(fixture, 7), "\xE2\x94\xBC")); /* and on */
    snprintf(wanted, sizeof wanted, "unseen: %.2g below", row_sum(fixture, 5, 64));
    assert_shown(fixture, wanted);
    for (int i = 0; i < 30; i++)
        type(fixture, ">");
    draw(fixture);
    assert_int_equal(strncmp(row_text(fixture, 7), "hh ", 3), 0);
    assert_non_null(strstr(row_text(fixture, 7), " dg "));
    snprintf(wanted, sizeof wanted, "%.2g above, %.2g below", row_sum(fixture, 0, 26),
             row_sum(fixture, 31, 64));
    assert_shown(fixture, wanted);
}

/* A line that goes nowhere but out of sight. */
static void keys_out_of_sight_are_told(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 64);
    type(fixture, "m");
    show(fixture, "weights");
    type(fixture, "vv"); /* causal: aa sees itself alone */
    resize(fixture, 11, 60);
    for (int i = 0; i < 40; i++)
        type(fixture, ">");
    assert_shown(fixture, "unseen: 1 above");
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 3), "\xE2\x94\x98")); /* from the query upwards */
    assert_null(strstr(row_text(fixture, 4), "\xE2\x94\x82"));
}

static void the_legend_fits(void **state)
{
    struct fixture *fixture = *state;
    fixture->ascii = true;
    show(fixture, "weights");
    type(fixture, "vv");
    assert_shown(fixture, "weight: ... < 0.1  --- < 0.3  === < 0.6  ### more");
    resize(fixture, 12, 40);
    assert_shown(fixture, "weight: .<0.1 -<0.3 =<0.6 #more");
    resize(fixture, 12, 30);
    assert_shown(fixture, ".<0.1 -<0.3 =<0.6 #more");
    assert_not_shown(fixture, "weight:");
}

/* ---- tables that are kept ---- */

/* What is drawn with a table kept from before is what is drawn without. */
static void check_kept(struct fixture *fixture)
{
    size_t n = (size_t)fixture->canvas.rows * (size_t)fixture->canvas.cols;
    struct canvas_cell *with = calloc(n, sizeof *with);
    assert_non_null(with);
    draw(fixture);
    memcpy(with, fixture->canvas.cells, n * sizeof *with);
    explorer_drop_table(&fixture->explorer);
    draw(fixture);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(with[i].bytes, fixture->canvas.cells[i].bytes);
        assert_int_equal(with[i].look.marks, fixture->canvas.cells[i].look.marks);
        assert_int_equal(with[i].look.style, fixture->canvas.cells[i].look.style);
        assert_int_equal(with[i].look.back, fixture->canvas.cells[i].look.back);
    }
    free(with);
}

/* ---- lines of several heads, and of all words ---- */

/* The weights of a sentence with so many heads, as lines; drawn. The first of them is shown. */
static void show_lines(struct fixture *fixture, const char *n_heads)
{
    char keys[8];
    snprintf(keys, sizeof keys, "H%s\n", n_heads);
    type(fixture, keys);
    show(fixture, "weights");
    type(fixture, "1");
    while (fixture->explorer.view != EXPLORE_WORDS)
        type(fixture, "v");
    draw(fixture);
}

/* Where the characters between the words of a row lie: from the end of the longest word to the
 * keys. */
static const struct canvas_cell *lines_in(struct fixture *fixture, int row, size_t *ret_n)
{
    int heading = find_row(fixture, "query ");
    assert_true(heading > 0);
    const char *text = row_text(fixture, heading);
    size_t first = strlen("Hello ");
    *ret_n = (size_t)(strstr(text, " key") - text) - first;
    return &fixture->canvas.cells[(heading + 1 + row) * fixture->canvas.cols + (int)first];
}

/* How many characters of a row of lines are one of `signs`; NULL: are braille. */
static size_t count_in(struct fixture *fixture, int row, const char *signs)
{
    size_t n, found = 0;
    const struct canvas_cell *cells = lines_in(fixture, row, &n);
    for (size_t i = 0; i < n; i++)
        found += signs == NULL
                     ? cells[i].bytes[0] == '\xE2' && (unsigned char)cells[i].bytes[1] >= 0xA0
                     : cells[i].bytes[0] != '\0' && strchr(signs, cells[i].bytes[0]) != NULL;
    return found;
}

/* Each head has its sign where there are no colours; the legend names the heads. A mark that is
 * taken away takes its lines along. */
static void marked_heads_are_drawn_over_each_other(void **state)
{
    struct fixture *fixture = *state;
    for (int ascii = 0; ascii < 2; ascii++) {
        fixture->ascii = ascii != 0;
        show_lines(fixture, "3");
        assert_not_shown(fixture, "heads 1");
        type(fixture, " 3L");
        draw(fixture);
        assert_shown(fixture, "heads 1 3");
        size_t of_first = 0, of_third = 0;
        for (int row = 0; row < 3; row++) {
            of_first += count_in(fixture, row, "1");
            of_third += count_in(fixture, row, "3");
            assert_int_equal(count_in(fixture, row, "2"), 0);
        }
        assert_true(of_first > 4 && of_third > 4);
        type(fixture, "1L "); /* not marked any more */
        draw(fixture);
        assert_shown(fixture, "head 1 is not marked any more");
        assert_not_shown(fixture, "heads 1");
    }
}

/* One word: lines begin at that word alone, and hidden keys get none. All: at every word. */
static void lines_of_one_word_or_of_all(void **state)
{
    struct fixture *fixture = *state;
    fixture->ascii = true;
    type(fixture, "m"); /* causal */
    show_lines(fixture, "2");
    type(fixture, " 2^^");
    draw(fixture);
    assert_shown(fixture, "heads 1 2");
    assert_true(count_in(fixture, 0, "12") > 4);
    assert_int_equal(count_in(fixture, 1, "12"), 0); /* keys after it are hidden */
    assert_int_equal(count_in(fixture, 2, "12"), 0);
    type(fixture, "L");
    draw(fixture);
    for (int row = 0; row < 3; row++)
        assert_true(count_in(fixture, row, "12") > 2);
    assert_non_null(strchr(marked(fixture, MARK_BOLD), '1')); /* of the word under the cursor */
    type(fixture, "L");
    assert_shown(fixture, "lines of the word under the cursor");
}

/* With colours: dots; of one head brighter ones are larger weights, and each of several heads has
 * one colour, in the legend too. */
static void lines_have_colours(void **state)
{
    struct fixture *fixture = *state;
    fixture->explorer.pipeline.session.settings.colours = COLOURS_TRUE;
    set_sentence(fixture, "Hello shiny sun!");
    show_lines(fixture, "2");
    type(fixture, "L");
    draw(fixture);
    int16_t lowest = TINT_SIGNED, highest = TINT_NONE, tints[8];
    size_t n, n_tints = 0;
    for (int row = 0; row < 3; row++) {
        assert_true(count_in(fixture, row, NULL) > 4);
        const struct canvas_cell *cells = lines_in(fixture, row, &n);
        for (size_t i = 0; i < n; i++) {
            if (cells[i].look.front == TINT_NONE)
                continue;
            lowest = cells[i].look.front < lowest ? cells[i].look.front : lowest;
            highest = cells[i].look.front > highest ? cells[i].look.front : highest;
        }
    }
    assert_true(lowest >= 0 && lowest < highest);
    type(fixture, " 2");
    draw(fixture);
    for (int row = 0; row < 3; row++) {
        const struct canvas_cell *cells = lines_in(fixture, row, &n);
        for (size_t i = 0, known; i < n; i++) {
            for (known = 0; known < n_tints && tints[known] != cells[i].look.front;)
                known++;
            if (known == n_tints && cells[i].look.front != TINT_NONE)
                tints[n_tints++] = cells[i].look.front;
            assert_true(n_tints <= 2);
        }
    }
    assert_int_equal(n_tints, 2);
    int legend = find_row(fixture, "heads 1 2");
    assert_true(legend > 0);
    const struct canvas_cell *named = &fixture->canvas.cells[legend * fixture->canvas.cols];
    assert_true(named[6].look.front == tints[0] || named[6].look.front == tints[1]);
    assert_true(named[8].look.front == tints[0] || named[8].look.front == tints[1]);
    assert_int_not_equal(named[6].look.front, named[8].look.front);
}

/* What is left out is said, at any size: weak lines, and those to keys that are out of sight. */
static void lines_that_are_left_out_are_counted(void **state)
{
    struct fixture *fixture = *state;
    static const int sizes[][2] = {{24, 80}, {60, 200}, {8, 30}, {3, 12}, {1, 1}};
    set_words(fixture, 64);
    show_lines(fixture, "4");
    type(fixture, "L");
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        resize(fixture, sizes[i][0], sizes[i][1]);
        draw(fixture);
        if (i < 2)
            assert_shown(fixture, "head 1  below 0.05: ");
    }
    set_words(fixture, 12);
    resize(fixture, 11, 60);
    type(fixture, ">"); /* the message goes away */
    draw(fixture);
    assert_shown(fixture, "  unseen: ");
}

/* No more heads than can be told apart, and none where there is only one. */
static void marks_have_limits(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, " ");
    assert_shown(fixture, "there is one head");
    show_lines(fixture, "16");
    for (int head = 1; head <= 8; head++)
        type(fixture, (const char[]){(char)('0' + head), ' ', '\0'});
    assert_shown(fixture, "7 heads are marked: more would not be told apart");
    draw(fixture);
    assert_shown(fixture, "heads 1 2 3 4 5 6 7 8");
}

static void kept_tables_are_what_would_be_made(void **state)
{
    struct fixture *fixture = *state;
    static const char keys[] = "____>>>>^^<<[]]]mms+-vvH12\n\n~$eu";
    uint32_t random = 12345;
    set_words(fixture, 30);
    for (int i = 0; i < 3000; i++) {
        random = random * 1664525U + 1013904223U;
        char key = keys[(random >> 16) % (sizeof keys - 1)];
        type(fixture, key == 'e' ? "e1.5\n" : key == 'H' ? "H\n" : (const char[]){key, '\0'});
        if (i % 50 == 0)
            resize(fixture, 8 + (int)(random >> 20) % 20, 30 + (int)(random >> 24) % 90);
        if (i % 3 == 0) /* else it stays for some keys */
            check_kept(fixture);
    }
}

static void a_move_makes_no_table(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 64);
    show(fixture, "scores");
    for (int view = 0; view < 2; view++) { /* numbers, then a heatmap */
        const struct explorer_table *kept = fixture->explorer.kept;
        assert_non_null(kept);
        assert_ptr_equal(kept->node, node_of(fixture, "scores"));
        assert_int_equal(kept->is_heat, view);
        type(fixture, "_>");
        explorer_resize(&fixture->explorer, ROWS, COLS);
        draw(fixture);
        assert_ptr_equal(fixture->explorer.kept, kept);
        type(fixture, "v");
    }
}

/* A pane that has become wider is filled, however far it was scrolled. */
static void wider_panes_are_filled(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 64);
    show(fixture, "scores");
    for (int i = 0; i < 64; i++)
        type(fixture, ">");
    resize(fixture, ROWS, 250);
    draw(fixture);
    const char *row = row_text(fixture, 4);
    assert_true(text_width(row, strlen(row)) > 240);
}

/* ---- keys ---- */

static void keys_have_labels_and_help_of_their_own(void **state)
{
    const struct binding *all = explorer_ops.bindings;
    (void)state;
    for (size_t i = 0; all[i].key != KEYCODE_NONE; i++) {
        const char *help = all[i].help;
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(all[i].key, all[j].key);
            if (all[i].label != NULL && all[j].label != NULL)
                assert_string_not_equal(all[i].label, all[j].label);
        }
        if (help == NULL)
            continue;
        assert_true(islower((unsigned char)help[0]));
        assert_int_not_equal(help[strlen(help) - 1], '.');
    }
}

/* ---- heatmaps ---- */

static void hidden_weights_have_no_shade(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "m");
    show(fixture, "weights");
    type(fixture, "v");
    assert_shown(fixture, "\xC2\xB7 hidden"); /* a middle dot */
    assert_shown(fixture, "each row: 0");
    draw(fixture);
    const char *first = row_text(fixture, 3); /* the second and third word are hidden from it */
    assert_non_null(strstr(first, "1.000"));
    assert_null(strstr(first, "0.000"));
    const char *dot = strstr(first, "\xC2\xB7");
    assert_non_null(dot);
    assert_non_null(strstr(dot + 2, "\xC2\xB7"));
    show(fixture, "masked");
    assert_shown(fixture, "\xC2\xB7 hidden (-inf)");
    fixture->ascii = true;
    assert_shown(fixture, "/ hidden (-inf)");
    /* A weight that a person sets to 0 is a number. */
    fixture->ascii = false;
    show(fixture, "weights");
    type(fixture, "____<<<<e0\n");
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 5), "0.000"));
}

/* As numbers too, also beside the arithmetic of an open cell; scores say -inf themselves. */
static void hidden_weights_are_no_numbers(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "m");
    show(fixture, "weights");
    draw(fixture);
    assert_string_equal(row_text(fixture, 3), "Hello   1.000      \xC2\xB7      \xC2\xB7");
    assert_string_equal(row_text(fixture, 4), "shiny   0.418  0.582      \xC2\xB7");
    assert_string_equal(row_text(fixture, 5), "sun     0.270  0.366  0.364");
    fixture->ascii = true;
    draw(fixture);
    assert_string_equal(row_text(fixture, 4), "shiny   0.418  0.582      /");
    click(fixture, "0.582      /", 11, false);
    assert_int_equal(fixture->explorer.row, 1);
    assert_int_equal(fixture->explorer.col, 2);
    assert_string_equal(marked(fixture, MARK_REVERSE), "/");
    show(fixture, "masked");
    assert_shown(fixture, "Hello   0.263   -inf   -inf");
    show(fixture, "context");
    type(fixture, "^^\n");
    assert_shown(fixture, "Hello   1.000      /      /");
}

/* A weight that is 0 because its score is low, or that a person set to 0, is a number. */
static void a_computed_zero_is_a_number(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    type(fixture, "e-900\n");
    show(fixture, "weights");
    draw(fixture);
    assert_string_equal(row_text(fixture, 3), "Hello   0.000* 0.509* 0.491*");
    type(fixture, "_e0\n");
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 4), "shiny   0.000"));
    type(fixture, "uum");
    show(fixture, "weights"); /* a hidden one that a person sets is one too */
    type(fixture, "^^>>e0.5\n");
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, 3), "0.500*"));
}

static void a_key_changes_the_scale_of_colours(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "r");
    assert_shown(fixture, "r changes the colours of the heatmap, which v shows");
    type(fixture, "v");
    assert_shown(fixture, "lowest 0.22 [");
    show(fixture, "weights");
    assert_shown(fixture, "each row: 0 [");
    type(fixture, "r");
    assert_shown(fixture, "] 0.376 highest");
    type(fixture, "r");
    assert_shown(fixture, "fixed: 0 [");
    type(fixture, "r");
    assert_shown(fixture, "each row: 0 [");
    show(fixture, "E"); /* now asked for */
    assert_shown(fixture, "each row: its lowest [");
}

/* On a pane too small for all rows, names and legend stay while the cells scroll, and the names of
 * the cursor's row and column stand out. */
static void names_and_legend_stay_in_sight(void **state)
{
    struct fixture *fixture = *state;
    static const int sizes[][2] = {{19, 60}, {12, 48}, {30, 100}};
    set_words(fixture, 40);
    show(fixture, "weights");
    type(fixture, "v");
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        resize(fixture, sizes[s][0], sizes[s][1]);
        explorer_request(&fixture->explorer, REQ_TOP, 0);
        for (int i = 0; i < 40; i++) {
            draw(fixture);
            assert_true(strlen(row_text(fixture, 2)) > 10); /* first letters */
            assert_shown(fixture, "each row: 0 [");
            const char *bold = marked(fixture, MARK_BOLD);
            assert_true(strstr(bold, "[]") != NULL || strstr(bold, "X") != NULL);
            const struct labels *words = node_of(fixture, "weights")->labels[0];
            assert_non_null(strstr(bold, labels_name(words, fixture->explorer.row)));
            type(fixture, i % 2 > 0 ? "_" : "_>");
        }
        while (fixture->explorer.col > 0)
            type(fixture, "<");
    }
}

/* A click finds the cell that is seen there, though lines above it are left out. */
static void a_click_on_a_scrolled_heatmap(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 40);
    show(fixture, "weights");
    resize(fixture, 19, 100);
    type(fixture, "v");
    explorer_request(&fixture->explorer, REQ_BOTTOM, 0);
    draw(fixture);
    const struct labels *words = node_of(fixture, "weights")->labels[0];
    click(fixture, labels_name(words, 33), 4, false);
    assert_int_equal(fixture->explorer.row, 33);
    assert_int_equal(fixture->explorer.col, 0);
}

/* ---- where the cell under the cursor is told of ---- */

/* Draws; `last` is on the last row of the table, `gap` blank rows below it the cell's line. */
static void assert_cell_line(struct fixture *fixture, const char *last, int row, int gap)
{
    draw(fixture);
    assert_non_null(strstr(row_text(fixture, row - 1 - gap), last));
    for (int i = 1; i <= gap; i++)
        assert_string_equal(row_text(fixture, row - i), "");
    assert_non_null(strstr(row_text(fixture, row), "Enter: why"));
    assert_non_null(strstr(row_text(fixture, fixture->canvas.rows - 1), "no mask, scaled"));
}

/* Below a blank row after the table, its legend included, on a pane of any height; and on the last
 * row but one where the table fills the pane. */
static void the_cell_follows_its_table(void **state)
{
    struct fixture *fixture = *state;
    for (int rows = ROWS; rows <= 60; rows += 20) {
        resize(fixture, rows, COLS);
        show(fixture, "E");
        assert_cell_line(fixture, "sun     0.290", 6, 1); /* three rows from row 2 on */
        show(fixture, "weights");
        assert_cell_line(fixture, "sun     0.270", 7, 1); /* below their heading */
        type(fixture, "v");
        assert_cell_line(fixture, "each row: 0 [", 8, 1);
        type(fixture, "v");
        assert_cell_line(fixture, "weight: ", 8, 1);
        type(fixture, "v");
    }
    for (int rows = 9; rows >= 5; rows--) { /* a heading and three rows, of rows - 4 */
        resize(fixture, rows, COLS);
        type(fixture, "____");
        assert_cell_line(fixture, "   0.270  ", rows > 8 ? 7 : rows - 2, rows > 8 ? 1 : 0);
    }
    resize(fixture, ROWS, COLS);
    set_words(fixture, 40);
    for (int view = 0; view < 3; view++) {
        show(fixture, "weights");
        explorer_request(&fixture->explorer, REQ_BOTTOM, 0);
        assert_cell_line(fixture,
                         view == 0   ? "eh"
                         : view == 1 ? "its highest"
                                     : "weight: ",
                         ROWS - 2, 0);
        type(fixture, "v");
    }
}

/* The line above the arithmetic of the open cell, and below it the cell. Returns its row. */
static int find_arithmetic(struct fixture *fixture, const char *cell)
{
    fixture->ascii = true;
    draw(fixture);
    int rule = find_row(fixture, "--------------------");
    assert_true(rule > 2);
    assert_int_equal(strncmp(row_text(fixture, rule + 1), cell, strlen(cell)), 0);
    return rule;
}

static void the_arithmetic_follows_its_table(void **state)
{
    struct fixture *fixture = *state;
    for (int rows = ROWS; rows <= 60; rows += 20) {
        resize(fixture, rows, COLS);
        show(fixture, "scores");
        type(fixture, "__\n"); /* a title, a heading, and three rows from row 2 on */
        assert_int_equal(find_arithmetic(fixture, "scores[\"sun\", \"Hello\"] = "), 7);
        type(fixture, "~");
    }
    set_sentence(fixture, "Hello sun");
    show(fixture, "weights");
    type(fixture, "_>\n");
    assert_int_equal(find_arithmetic(fixture, "weights[\"sun\", \"sun\"] = "), 6);
    set_words(fixture, 40);
    for (int rows = 12; rows <= 40; rows += 7) { /* the table fills what the arithmetic leaves it */
        resize(fixture, rows, 100);
        show(fixture, "scores");
        explorer_request(&fixture->explorer, REQ_BOTTOM, 0);
        type(fixture, "\n");
        int rule = find_arithmetic(fixture, "scores[\"eh\", \"");
        assert_int_equal(strncmp(row_text(fixture, rule - 1), "eh ", 3), 0);
        assert_string_not_equal(row_text(fixture, rows - 2), "");
        assert_int_equal(strncmp(row_text(fixture, rows - 1), "Enter down", 10), 0);
        type(fixture, "~");
    }
}

/* What the open cell was made from stands below its arithmetic where it has no room at its side. */
static void operands_do_not_part_a_cell_from_its_arithmetic(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 10);
    resize(fixture, 60, 80);
    show(fixture, "weights");
    type(fixture, "_________\n");
    int rule = find_arithmetic(fixture, "weights[\"bb\", \"aa\"] = ");
    assert_int_equal(rule, 14); /* a title, a heading, and ten rows from row 2 on */
    assert_int_equal(strncmp(row_text(fixture, rule - 1), "bb ", 3), 0);
    int last = find_row(fixture, "scaled[\"bb\", \"aa\"] = ");
    int operand = rule + 1;
    while (strcmp(row_text(fixture, operand), "scaled") != 0)
        operand++;
    assert_true(last > rule && last < operand);
    assert_string_equal(row_text(fixture, operand - 1), "");
    assert_int_equal(strncmp(row_text(fixture, operand + 11), "bb ", 3), 0);
    const char *lit = marked(fixture, MARK_UNDERLINE);
    assert_non_null(strstr(lit, "scaled|")); /* the stage, then its cells below the arithmetic */
    click(fixture, "scaled[\"bb\", \"ab\"] = ", 2, false);
    assert_int_equal(fixture->explorer.path[0].choice, 1);
}

/* A table that is higher than that of the open cell does not push its arithmetic down. */
static void higher_operands_stand_below(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "H4\n");
    resize(fixture, 40, 110);
    show(fixture, "output");
    type(fixture, "__\n"); /* 3x8 is heads 3x8 @ W_o 8x8 */
    int rule = find_arithmetic(fixture, "output[\"sun\", 0] = ");
    assert_int_equal(strncmp(row_text(fixture, rule - 1), "sun ", 4), 0);
    int factor = rule + 1;
    while (strcmp(row_text(fixture, factor), "W_o") != 0)
        factor++;
    assert_int_equal(strncmp(row_text(fixture, factor + 9), "7 ", 2), 0); /* all of its rows */
}

/* A single number, and what it was made from: below its arithmetic, and beside it on a small pane.
 */
static void a_single_number_has_its_arithmetic_too(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    lang_run(&lang, "x = [[1, 2], [3, 4], [5, 6], [7, 8]]\ny = sum(x)");
    assert_true(explorer_show_node(&fixture->explorer, lang_node(&lang, "y"), &error));
    lang_close(&lang);
    resize(fixture, 30, 80);
    type(fixture, "\n");
    int rule = find_arithmetic(fixture, "y = 36");
    assert_int_equal(rule, 4); /* a title and the number from row 2 on */
    int x = rule + 1;
    while (strcmp(row_text(fixture, x), "x") != 0)
        x++;
    assert_string_equal(row_text(fixture, x + 5), "3   7  8");
    resize(fixture, 14, 80);
    rule = find_arithmetic(fixture, "y = 36");
    assert_int_equal(rule, 6); /* six rows of arithmetic and the state are below it */
    assert_string_equal(row_text(fixture, 3), "36       0  1");
    assert_string_equal(row_text(fixture, 5), "     1   3  4");
    assert_string_not_equal(row_text(fixture, 12), "");
}

/* The same words are in the same rows of tables beside each other, and the arithmetic stays where
 * it is, whichever of its numbers is chosen and so has its table first. */
static void the_arithmetic_stays_while_numbers_are_chosen(void **state)
{
    struct fixture *fixture = *state;
    static const int sizes[][2] = {{18, 80}, {20, 60}, {34, 80}, {24, 110}, {60, 140}};
    show(fixture, "context");
    type(fixture, "\n");
    assert_shown(fixture, "Hello   0.391  0.373  0.832   Hello   0.296  0.358  0.345");
    type(fixture, ">");
    assert_shown(fixture, "Hello   0.391  0.373  0.832   Hello   0.340  0.220  0.540");
    type(fixture, "~H\n");
    fixture->explorer.view = EXPLORE_NUMBERS;
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        resize(fixture, sizes[s][0], sizes[s][1]);
        for (size_t i = 1; i < fixture->explorer.pipeline.n_stages; i++) {
            const char *name = fixture->explorer.pipeline.stages[i].name;
            show(fixture, name);
            type(fixture, "\n");
            int rule = find_arithmetic(fixture, name);
            for (int choice = 0; choice < 12; choice++) {
                type(fixture, ">");
                draw(fixture);
                assert_int_equal(find_row(fixture, "--------------------"), rule);
            }
            type(fixture, "~");
        }
    }
}

/* Rows that the chain does not leave are not taken from the state below it. */
static void the_cell_of_the_chain_hides_no_state(void **state)
{
    struct fixture *fixture = *state;
    bool any = false;
    for (int rows = 10; rows < 30; rows++) {
        struct explorer_chain chain;
        resize(fixture, rows, 200);
        if (!explorer_shows_chain(&fixture->explorer, rows, 200, &chain))
            continue;
        any = true;
        draw(fixture);
        assert_shown(fixture, "E[\"Hello\", 0] = 0.34   Enter: why");
        assert_non_null(strstr(row_text(fixture, rows - 1), "no mask, scaled"));
    }
    assert_true(any);
}

/* A click finds the cell on any row of a table, and none beside the table. */
static void clicks_on_a_table_that_ends_early(void **state)
{
    struct fixture *fixture = *state;
    struct area area = canvas_area(&fixture->canvas);
    show(fixture, "weights");
    for (int view = 0; view < 2; view++) {
        for (int row = 0; row < 3; row++) {
            assert_true(explorer_click(&fixture->explorer, area, 3 + row, 11, false));
            assert_int_equal(fixture->explorer.row, row);
            assert_int_equal(fixture->explorer.col, 0);
        }
        for (int row = 6; row < ROWS; row++)
            assert_false(explorer_click(&fixture->explorer, area, row, 11, false));
        assert_int_equal(fixture->explorer.row, 2);
        type(fixture, "v");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        explorer_unit_test(the_cell_follows_its_table),
        explorer_unit_test(the_arithmetic_follows_its_table),
        explorer_unit_test(operands_do_not_part_a_cell_from_its_arithmetic),
        explorer_unit_test(higher_operands_stand_below),
        explorer_unit_test(a_single_number_has_its_arithmetic_too),
        explorer_unit_test(the_arithmetic_stays_while_numbers_are_chosen),
        explorer_unit_test(the_cell_of_the_chain_hides_no_state),
        explorer_unit_test(clicks_on_a_table_that_ends_early),
        explorer_unit_test(hidden_weights_have_no_shade),
        explorer_unit_test(hidden_weights_are_no_numbers),
        explorer_unit_test(a_computed_zero_is_a_number),
        explorer_unit_test(a_key_changes_the_scale_of_colours),
        explorer_unit_test(names_and_legend_stay_in_sight),
        explorer_unit_test(a_click_on_a_scrolled_heatmap),
        explorer_unit_test(titles_say_what_is_computed),
        explorer_unit_test(titles_show_scale_and_temperature),
        explorer_unit_test(both_columns_scroll),
        explorer_unit_test(the_query_is_seen_with_its_keys),
        explorer_unit_test(keys_out_of_sight_are_told),
        explorer_unit_test(the_legend_fits),
        explorer_unit_test(marked_heads_are_drawn_over_each_other),
        explorer_unit_test(lines_of_one_word_or_of_all),
        explorer_unit_test(lines_have_colours),
        explorer_unit_test(lines_that_are_left_out_are_counted),
        explorer_unit_test(marks_have_limits),
        explorer_unit_test(kept_tables_are_what_would_be_made),
        explorer_unit_test(a_move_makes_no_table),
        explorer_unit_test(wider_panes_are_filled),
        explorer_unit_test(keys_have_labels_and_help_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
