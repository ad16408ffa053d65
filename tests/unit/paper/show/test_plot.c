/* show/plot.h: line charts in text; and the command that draws them.
 *
 * The charts were drawn by an independent script after the description in plot.h: points at the
 * nearest dot, lines in as many steps as their longer side has dots, halves away from zero. */
#include "lang_testing.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "show/backend.h"
#include "show/labels.h"
#include "show/plot.h"
#include "tensor/tensor.h"

static struct show_options wide_by(size_t width_cols, bool ascii)
{
    return (struct show_options){.width_cols = width_cols, .digits = 4, .ascii = ascii};
}

/* A chart of up to four curves of n numbers, and what they need to stay alive. */
struct chart {
    struct plot plot;
    struct tensor x, y[PLOT_MAX_CURVES];
};

static void chart_init(struct chart *chart, size_t n, const float *x, size_t n_curves,
                       const float *const *y)
{
    static const char *const titles[] = {"first", "second", "third", "fourth"};
    *chart = (struct chart){.plot = {.n_curves = n_curves}};
    if (x != NULL) {
        chart->x = testing_tensor(1, &n, x);
        chart->plot.x = &chart->x;
        chart->plot.x_title = "sizes";
    }
    for (size_t i = 0; i < n_curves; i++) {
        chart->y[i] = testing_tensor(1, &n, y[i]);
        chart->plot.curves[i] = (struct plot_curve){.y = &chart->y[i], .title = titles[i]};
    }
}

static void chart_release(struct chart *chart)
{
    tensor_release(&chart->x);
    for (size_t i = 0; i < PLOT_MAX_CURVES; i++)
        tensor_release(&chart->y[i]);
}

static void shown(struct doc *doc, const struct plot *plot, const struct show_options *options)
{
    struct error error;
    doc_init(doc);
    plot_show(doc, plot, options);
    if (!doc_check(doc, &error))
        fail_msg("%s", error.text);
}

static void assert_draws(const struct chart *chart, struct show_options options,
                         const char *expected)
{
    struct doc doc;
    struct text plain = {0};
    shown(&doc, &chart->plot, &options);
    doc_to_plain(&doc, &plain);
    assert_string_equal(text_string(&plain), expected);
    text_release(&plain);
    doc_release(&doc);
}

/* What is drawn contains this. */
static void assert_draws_part(const struct chart *chart, struct show_options options,
                              const char *part)
{
    struct doc doc;
    struct text plain = {0};
    shown(&doc, &chart->plot, &options);
    doc_to_plain(&doc, &plain);
    if (strstr(text_string(&plain), part) == NULL)
        fail_msg("\"%s\" is not in\n%s", part, text_string(&plain));
    text_release(&plain);
    doc_release(&doc);
}

/* One curve over positions. */
static void assert_curve(size_t n, const float *y, struct show_options options,
                         const char *expected)
{
    struct chart chart;
    chart_init(&chart, n, NULL, 1, &y);
    assert_draws(&chart, options, expected);
    chart_release(&chart);
}

static void assert_curve_part(size_t n, const float *x, const float *y, const char *part)
{
    struct chart chart;
    chart_init(&chart, n, x, 1, &y);
    assert_draws_part(&chart, wide_by(80, true), part);
    chart_release(&chart);
}

static void test_plot__a_line_goes_from_point_to_point(void **state)
{
    (void)state;
    assert_curve(2, (float[]){0, 11}, wide_by(20, true),
                 "first  (2,)\n"
                 "   |               *\n"
                 "10 +             **\n"
                 "   |            *\n"
                 "   |           *\n"
                 "   |         **\n"
                 "   |        *\n"
                 " 5 +       *\n"
                 "   |     **\n"
                 "   |    *\n"
                 "   |   *\n"
                 "   | **\n"
                 " 0 +*\n"
                 "   ++--------------+\n"
                 "    0              1\n"
                 "lowest 0 at 0,\n"
                 "highest 11 at 1,\n"
                 "last 11\n");
}

static void test_plot__what_is_not_finite_leaves_a_gap(void **state)
{
    (void)state;
    assert_curve(6, (float[]){0, 5, 10, 0, NAN, 10}, wide_by(20, true),
                 "first  (6,)\n"
                 "10 +      *        *\n"
                 "   |     **\n"
                 " 8 +     * *\n"
                 "   |    *  *\n"
                 " 6 +    *  *\n"
                 "   |   *   *\n"
                 "   |   *    *\n"
                 " 4 +  *     *\n"
                 "   |  *     *\n"
                 " 2 + *      *\n"
                 "   | *       *\n"
                 " 0 +*        *\n"
                 "   ++--+--+--+--+--+\n"
                 "    0  1  2  3  4  5\n"
                 "lowest 0 at 0,\n"
                 "highest 10 at 2,\n"
                 "last 10; 1 of 6 left\n"
                 "out: nan or infinite\n");
}

static void test_plot__several_curves_have_signs_and_a_legend(void **state)
{
    (void)state;
    struct chart chart;
    chart_init(&chart, 2, NULL, 3,
               (const float *const[]){(float[]){1, 3}, (float[]){3, 1}, (float[]){2, 2}});
    struct show_options narrow = wide_by(20, false);
    assert_draws(&chart, narrow,
                 "3.0 \xE2\x94\xA4o             *\n"
                 "    \xE2\x94\x82 o           *\n"
                 "    \xE2\x94\x82  oo       **\n"
                 "2.5 \xE2\x94\xA4    o     *\n"
                 "    \xE2\x94\x82     o   *\n"
                 "2.0 \xE2\x94\xA4++++++o+*++++++\n"
                 "    \xE2\x94\x82      **o\n"
                 "    \xE2\x94\x82     *   o\n"
                 "1.5 \xE2\x94\xA4    *     o\n"
                 "    \xE2\x94\x82  **       oo\n"
                 "    \xE2\x94\x82 *           o\n"
                 "1.0 \xE2\x94\xA4*             o\n"
                 "    \xE2\x94\x94\xE2\x94\xAC\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
                 "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
                 "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\xAC\n"
                 "     0             1\n"
                 "* first\n"
                 "  lowest 1 at 0,\n"
                 "  highest 3 at 1,\n"
                 "  last 3\n"
                 "o second\n"
                 "  lowest 1 at 1,\n"
                 "  highest 3 at 0,\n"
                 "  last 1\n"
                 "+ third\n"
                 "  all 2 points are 2\n");
    assert_draws_part(&chart, wide_by(80, true),
                      "\n* first  lowest 1 at 0, highest 3 at 1, last 3\n"
                      "o second  lowest 1 at 1, highest 3 at 0, last 1\n"
                      "+ third  all 2 points are 2\n");
    chart_release(&chart);
}

static void test_plot__factors_get_a_logarithmic_axis(void **state)
{
    (void)state;
    struct chart chart;
    const float *y = (float[]){1, 2, 3};
    chart_init(&chart, 3, (float[]){1, 8, 64}, 1, &y);
    assert_draws(&chart, wide_by(20, true),
                 "first  (3,)\n"
                 "3.0 +              *\n"
                 "    |            **\n"
                 "    |           *\n"
                 "2.5 +          *\n"
                 "    |        **\n"
                 "2.0 +       *\n"
                 "    |      *\n"
                 "    |     *\n"
                 "1.5 +   **\n"
                 "    |  *\n"
                 "    | *\n"
                 "1.0 +*\n"
                 "    ++------+------+\n"
                 "     1      8     64\n"
                 "x: sizes, on a\n"
                 "logarithmic axis\n"
                 "lowest 1 at x = 1,\n"
                 "highest 3 at x = 64,\n"
                 "last 3\n");
    chart_release(&chart);
}

static void test_plot__when_x_spans_factors(void **state)
{
    (void)state;
    const float y[] = {1, 2, 3};
    assert_curve_part(3, (float[]){1, 2, 64}, y, "x: sizes, on a logarithmic axis\n");
    assert_curve_part(3, (float[]){64, NAN, 1}, y, "x: sizes, on a logarithmic axis\n");
    assert_curve_part(3, (float[]){1, 2, 63.9F}, y, "x: sizes\n");
    assert_curve_part(3, (float[]){0, 1, 640}, y, "x: sizes\n");
    assert_curve_part(3, (float[]){-1, -8, -64}, y, "x: sizes\n");
    float late[70] = {NAN}; /* positions are distances, also from 1 on */
    assert_curve_part(70, NULL, late, "\n           10        20 ");
    /* Powers of ten, where there are too many points to write down all of them. */
    float many[100];
    for (size_t i = 0; i < 100; i++)
        many[i] = (float)(i + 1);
    assert_curve_part(
        100, many, many,
        "\n     1                               10                              100\n");
}

/* One axis runs from the left to the right, whatever the order of the points. */
static void test_plot__x_may_come_in_any_order(void **state)
{
    (void)state;
    const float y[] = {1, 2, 3, 4};
    assert_curve_part(4, (float[]){3, 2, 1, 0}, y,
                      "lowest 1 at x = 3, highest 4 at x = 0, last 4\n");
    assert_curve_part(4, (float[]){512, 64, 8, 1}, y,
                      "   1                      8                    64                    512\n");
    assert_curve_part(4, (float[]){2, 0, 3, 1}, y,
                      "   0                      1                     2                      3\n");
}

static void test_plot__constant_curves_and_single_points(void **state)
{
    (void)state;
    assert_curve(1, (float[]){3}, wide_by(20, false),
                 "first  (1,)\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "3 \xE2\x94\xA4        \xE2\xA0\xB6\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x82\n"
                 "  \xE2\x94\x94\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
                 "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\xAC\xE2\x94\x80\xE2\x94\x80"
                 "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\n"
                 "           0\n"
                 "one point, 3 at 0\n");
    assert_curve(3, (float[]){-2, -2, -2}, wide_by(20, true),
                 "first  (3,)\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "-2 +****************\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   |\n"
                 "   ++-------+------+\n"
                 "    0       1      2\n"
                 "all 3 points are -2\n");
    assert_curve_part(2, (float[]){5, 5}, (float[]){1, 2}, "lowest 1 at x = 5");
    assert_curve_part(1, (float[]){1e-30F}, (float[]){1e30F}, "one point, 1e+30 at x = 1e-30\n");
}

static void test_plot__nothing_to_draw(void **state)
{
    (void)state;
    assert_curve(2, (float[]){NAN, INFINITY}, wide_by(80, true),
                 "first  (2,)\n"
                 "no point that could be drawn; 2 of 2 left out: nan or infinite\n");
    struct chart chart;
    chart_init(&chart, 2, NULL, 2, (const float *const[]){(float[]){1, 2}, (float[]){NAN, NAN}});
    assert_draws_part(&chart, wide_by(80, true),
                      "o second  no point that could be drawn; 2 of 2 left out: nan or infinite\n");
    chart_release(&chart);
}

static void test_plot__ticks_are_round_numbers(void **state)
{
    (void)state;
    assert_curve_part(2, NULL, (float[]){0, 3e9F}, "\n3e+09 +");
    assert_curve_part(2, NULL, (float[]){0, 3e9F}, "\n    0 +");
    assert_curve_part(2, NULL, (float[]){1e9F, 2e9F}, "\n1.8e+09 +");
    assert_curve_part(2, NULL, (float[]){-3e-7F, 2e-7F}, "\n-2e-07 +");
    assert_curve_part(2, NULL, (float[]){-3e-7F, 2e-7F}, "\n     0 +");
    assert_curve_part(2, NULL, (float[]){-0.5F, 1}, "\n-0.5 +");
    assert_curve_part(2, NULL, (float[]){-0.5F, 1}, "\n 0.0 +");
    assert_curve_part(2, NULL, (float[]){0.1F, 0.7F}, "\n0.6 +");
    assert_curve_part(2, NULL, (float[]){123, 987}, "\n800 +");
    /* Positions are whole numbers. */
    assert_curve_part(
        3, NULL, (float[]){1, 2, 3},
        "\n     0                                1                                2\n");
    float many[1001] = {0};
    assert_curve_part(
        1001, NULL, many,
        "\n   0            200          400           600          800         1000\n");
}

static void test_plot__names_in_words(void **state)
{
    (void)state;
    struct chart chart;
    struct labels *labels;
    struct error error;
    const float *y = (float[]){1, 2};
    chart_init(&chart, 2, NULL, 1, &y);
    assert_true(
        labels_new(2, (const char *const[]){"sun", "gr\xC3\xBC\xC3\x9F"}, NULL, &labels, &error));
    chart.plot.curves[0].labels = labels;
    chart.plot.curves[0].title = "w\xC3\xB6";
    assert_draws_part(&chart, wide_by(80, false), "lowest 1 at \"sun\", highest 2 at \"gr\xC3\xBC");
    assert_draws_part(&chart, wide_by(80, true), "highest 2 at \"gr??\", last 2");
    assert_draws_part(&chart, wide_by(80, true), "w?  (2,)\n");
    labels_free(labels);
    chart_release(&chart);
}

/* With colours, the dots of several curves are told apart by their tints, in the key too. */
static void test_plot__several_curves_in_colour(void **state)
{
    (void)state;
    struct chart chart;
    struct doc doc;
    struct show_options options = wide_by(40, false);
    options.colour = true;
    chart_init(&chart, 2, NULL, 2, (const float *const[]){(float[]){1, 3}, (float[]){3, 1}});
    shown(&doc, &chart.plot, &options);
    size_t n_tints[256] = {0}, n_different = 0;
    for (size_t i = 0; i < doc.n_spans; i++)
        if (doc.spans[i].front != TINT_NONE)
            n_different += n_tints[doc.spans[i].front]++ == 0;
    assert_int_equal(n_different, 2);
    assert_null(strchr(text_string(&doc.text), '*'));
    doc_release(&doc);
    options.ascii = true; /* then signs have the tints */
    shown(&doc, &chart.plot, &options);
    assert_non_null(strchr(text_string(&doc.text), 'o'));
    doc_release(&doc);
    chart.plot.n_curves = 1; /* one curve needs no tint */
    shown(&doc, &chart.plot, &options);
    for (size_t i = 0; i < doc.n_spans; i++)
        assert_int_equal(doc.spans[i].front, TINT_NONE);
    doc_release(&doc);
    chart_release(&chart);
}

static void test_plot__points_say_whose_they_are(void **state)
{
    (void)state;
    struct chart chart;
    struct doc doc;
    struct show_options options = wide_by(40, true);
    const float *y = (float[]){1, 5, 2};
    size_t n_cells = 0;
    chart_init(&chart, 3, NULL, 1, &y);
    chart.plot.curves[0].id = 7;
    chart.plot.curves[0].position = 30;
    shown(&doc, &chart.plot, &options);
    for (size_t i = 0; i < doc.n_spans; i++) {
        if (doc.spans[i].cell.tensor == 0)
            continue;
        assert_int_equal(doc.spans[i].cell.tensor, 7);
        assert_in_range(doc.spans[i].cell.position, 30, 32);
        n_cells++;
    }
    assert_int_equal(n_cells, 3);
    doc_release(&doc);
    chart_release(&chart);
}

/* Any numbers at any width: no line is too wide, and nothing breaks. */
static void test_plot__any_numbers_fit_the_width(void **state)
{
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e-45F, 0, 1, -1e-3F};
    uint64_t random = 1;
    for (int trial = 0; trial < 400; trial++) {
        float numbers[PLOT_MAX_CURVES + 1][40];
        size_t n = testing_between(&random, 1, 40), n_curves = testing_between(&random, 1, 4);
        const float *curves[PLOT_MAX_CURVES];
        for (size_t c = 0; c <= PLOT_MAX_CURVES; c++)
            for (size_t i = 0; i < n; i++)
                numbers[c][i] = testing_between(&random, 0, 9) == 0
                                    ? odd[testing_between(&random, 0, 8)]
                                    : testing_number(&random) * powf(10, (float)(trial % 20 - 10));
        for (size_t c = 0; c < n_curves; c++)
            curves[c] = numbers[c];
        struct chart chart;
        struct doc doc;
        struct show_options options =
            wide_by(testing_between(&random, 1, 100), testing_between(&random, 0, 1) == 0);
        options.colour = testing_between(&random, 0, 1) == 0;
        chart_init(&chart, n, trial % 3 == 0 ? numbers[PLOT_MAX_CURVES] : NULL, n_curves, curves);
        shown(&doc, &chart.plot, &options);
        size_t width = options.width_cols < 20 ? 20 : options.width_cols;
        assert_true(doc_width(&doc) <= width);
        assert_true(doc.n_lines >= n_curves);
        doc_release(&doc);
        chart_release(&chart);
    }
}

static bool show_once(const struct plot *plot, struct error *reterr)
{
    struct doc doc;
    struct show_options options = wide_by(30, true);
    doc_init(&doc);
    plot_show(&doc, plot, &options);
    bool ok = doc_check(&doc, reterr);
    doc_release(&doc);
    return ok;
}

static void test_plot__without_memory_it_says_so(void **state)
{
    (void)state;
    struct chart chart;
    struct error error;
    chart_init(&chart, 3, (float[]){1, 2, 100}, 2,
               (const float *const[]){(float[]){1, 3, 2}, (float[]){3, NAN, 1}});
    assert_reports_failed_allocations(show_once(&chart.plot, &error), error);
    chart_release(&chart);
}

/* ---- the command ---- */

static void assert_plot_says(struct lang *lang, const char *line, const char *part)
{
    struct error error = {.kind = ERR_NONE};
    if (!lang_try(lang, line, &error))
        fail_msg("%s: %s", line, error.text);
    if (strstr(text_string(&lang->shown), part) == NULL)
        fail_msg("%s: \"%s\" is not in\n%s", line, part, text_string(&lang->shown));
}

static void test_plot__the_command_takes_y_or_x_and_y(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "t = [0, 10, 20]; u = [1, 2, 3]; losses = [i * i for i in range(5)]");
    assert_plot_says(lang, "plot u", "u  (3,)\n");
    assert_plot_says(lang, "plot losses", "lowest 0 at 0, highest 16 at 4, last 16\n");
    assert_plot_says(lang, "plot t, u", "x: t\nlowest 1 at x = 0, highest 3 at x = 20, last 3\n");
    assert_plot_says(lang, "plot t, u, 2 * u",
                     "* u  lowest 1 at x = 0, highest 3 at x = 20, last 3\n"
                     "o 2 * u  lowest 2 at x = 0, highest 6 at x = 20, last 6\n");
    assert_plot_says(lang, "x = t; plot x, u", "20\nlowest"); /* "x: x" would say nothing */
    assert_plot_says(lang, "plot [True, False]", "lowest 0 at 1, highest 1 at 0, last 0\n");
}

static void test_plot__rows_of_a_matrix_are_curves(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "M = [[1, 2, 3], [3, 2, 2]]; X = embed(\"Hello shiny sun!\")");
    assert_plot_says(lang, "plot M",
                     "* M[0]  lowest 1 at 0, highest 3 at 2, last 3\n"
                     "o M[1]  lowest 2 at 1, highest 3 at 0, last 2\n");
    assert_plot_says(lang, "plot [0, 5, 6], M, M[0]", "+ M[0]  lowest 1 at x = 0");
    assert_plot_says(lang, "plot X", "o X[\"shiny\"]");
    assert_plot_says(lang, "plot X[\"sun\"]", "lowest 0.29 at 0, highest 0.93 at 2");
    assert_plot_says(lang, "plot X[:, 0]", "lowest 0.29 at \"sun\", highest 0.53 at \"shiny\"");
}

static void test_plot__what_can_not_be_drawn(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "M = ones(5, 3); v = [1, 2, 3]");
    assert_fails_at(lang, "plot 3", ERR_SHAPE, "3 is a single number", "3");
    assert_fails_at(lang, "plot ones(2, 2, 2)", ERR_SHAPE, "2x2x2", "ones(2, 2, 2)");
    assert_fails_at(lang, "plot zeros(0)", ERR_SHAPE, "no numbers", "zeros(0)");
    assert_fails_at(lang, "plot zeros(0, 3)", ERR_SHAPE, "no numbers", "zeros(0, 3)");
    assert_fails_at(lang, "plot M", ERR_LIMIT, "up to 4 curves, and M has 5 rows", "M");
    assert_fails_at(lang, "plot v, v, M[:4]", ERR_LIMIT, "up to 4 curves", "M[:4]");
    assert_fails_at(lang, "plot v, v, v, v, v, v", ERR_LIMIT, "in a second one", "v");
    assert_fails_at(lang, "plot v, [1, 2]", ERR_SHAPE, "it has 3 numbers, and [1, 2] has 2",
                    "[1, 2]");
    assert_fails_at(lang, "plot M, v", ERR_SHAPE, "M is 5x3", "M");
    assert_fails(lang, "plot", ERR_SYNTAX, "write plot Y");
    assert_fails(lang, "plot v,", ERR_SYNTAX, "expected");
    assert_fails_at(lang, "plot \"a\"", ERR_TYPE, "a tensor or a number is needed", "\"a\"");
}

/* A bare chart of 5 lines: powers of ten are evenly apart, a point that is not positive is left
 * out, a mark stands where the curve does not. By hand: 4 points on 14 columns, a
 * line each. */
static void test_plot__bare_charts_have_a_logarithmic_axis_and_a_mark(void **state)
{
    (void)state;
    static const float x[] = {1, 101, 201, 301, 401};
    static const float y[] = {10, 1, 0.1F, 0.01F, -1};
    struct chart chart;
    chart_init(&chart, 5, x, 1, (const float *const[]){y});
    chart.plot.is_bare = chart.plot.is_log_y = chart.plot.has_mark = true;
    chart.plot.n_lines = 4;
    chart.plot.mark = 301;
    assert_draws(&chart, wide_by(20, true),
                 "  10 +**           :\n"
                 "   1 +  *****      :\n"
                 " 0.1 +       ****  :\n"
                 "0.01 +           ***\n"
                 "     +---------+----\n"
                 "              200\n");
    /* Over twice the width of x, the same in half of the columns: no point is needed at its ends.
     */
    chart.plot.has_mark = false;
    chart.plot.x_low = 1;
    chart.plot.x_high = 601;
    assert_draws(&chart, wide_by(20, true),
                 "  10 +*\n"
                 "   1 + **\n"
                 " 0.1 +   ***\n"
                 "0.01 +      **\n"
                 "     +-----------+--\n"
                 "                500\n");
    chart_release(&chart);
}

static void test_plot__grows_into_the_room_there_is(void **state)
{
    (void)state;
    const float squares[] = {0, 1, 4, 9, 16};
    struct chart chart;
    chart_init(&chart, 5, NULL, 1, (const float *const[]){squares});
    for (size_t width = 40; width <= 200; width += 40)
        for (size_t extra = 0; extra <= 60; extra += 12) {
            struct show_options options = wide_by(width, false);
            struct doc usual, large;
            shown(&usual, &chart.plot, &options);
            options.extra_lines = extra;
            shown(&large, &chart.plot, &options);
            assert_int_equal(large.n_lines, usual.n_lines + (extra < 36 ? extra : 36));
            size_t most = extra > 0 ? 144 : 72;
            assert_int_equal(doc_width(&large), width < most ? width : most);
            doc_release(&usual);
            doc_release(&large);
        }
    chart_release(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plot__a_line_goes_from_point_to_point),
        cmocka_unit_test(test_plot__what_is_not_finite_leaves_a_gap),
        cmocka_unit_test(test_plot__several_curves_have_signs_and_a_legend),
        cmocka_unit_test(test_plot__factors_get_a_logarithmic_axis),
        cmocka_unit_test(test_plot__when_x_spans_factors),
        cmocka_unit_test(test_plot__x_may_come_in_any_order),
        cmocka_unit_test(test_plot__constant_curves_and_single_points),
        cmocka_unit_test(test_plot__nothing_to_draw),
        cmocka_unit_test(test_plot__ticks_are_round_numbers),
        cmocka_unit_test(test_plot__names_in_words),
        cmocka_unit_test(test_plot__several_curves_in_colour),
        cmocka_unit_test(test_plot__points_say_whose_they_are),
        cmocka_unit_test(test_plot__any_numbers_fit_the_width),
        cmocka_unit_test(test_plot__without_memory_it_says_so),
        cmocka_unit_test(test_plot__bare_charts_have_a_logarithmic_axis_and_a_mark),
        cmocka_unit_test(test_plot__grows_into_the_room_there_is),
        lang_unit_test(test_plot__the_command_takes_y_or_x_and_y),
        lang_unit_test(test_plot__rows_of_a_matrix_are_curves),
        lang_unit_test(test_plot__what_can_not_be_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
