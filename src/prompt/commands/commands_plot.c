/* plot: its arguments as curves. */
#include <stdio.h>

#include "graph/node.h"
#include "commands/command_internal.h"
#include "lang/session/eval.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "show/plot.h"
#include "tensor/tensor.h"

enum { CURVE_TITLE = 160 }; /* bytes of an expression with a row's name after it */

/* The arguments of plot, and the chart they make. */
struct plot_arguments {
    struct plot plot;
    struct node *x, *ys[PLOT_MAX_CURVES];
    size_t n_ys;
    struct tensor rows[PLOT_MAX_CURVES]; /* views, one a curve */
    char x_title[80], titles[PLOT_MAX_CURVES][CURVE_TITLE];
};

static void chart_release(struct plot_arguments *chart)
{
    for (size_t i = 0; i < chart->plot.n_curves; i++)
        tensor_release(&chart->rows[i]);
    for (size_t i = 0; i < chart->n_ys; i++)
        node_free(chart->ys[i]);
    node_free(chart->x);
}

static bool too_many_curves(const struct node *y, const char *title, struct error *reterr)
{
    if (y->value.n_axes == 1)
        return error_set(reterr, ERR_LIMIT,
                         "plot: a chart holds up to %d curves; draw the others in a second one",
                         PLOT_MAX_CURVES);
    return error_set(reterr, ERR_LIMIT,
                     "plot: a chart holds up to %d curves, and %s has %zu rows; plot some of them, "
                     "such as %s[:%d], or its columns with .T",
                     PLOT_MAX_CURVES, title, y->value.shape[0], title, PLOT_MAX_CURVES);
}

static bool not_for_curves(const struct node *y, const char *title, const char *wanted,
                           struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    return error_set(reterr, ERR_SHAPE, "plot: %s is needed, and %s is %s", wanted, title,
                     tensor_shape_text(&y->value, shape));
}

/* Curve number row of y: a vector itself, or that row of a matrix. */
static bool add_curve(struct plot_arguments *chart, const struct node *y, const char *title,
                      size_t row, struct error *reterr)
{
    size_t at = chart->plot.n_curves;
    bool is_row = y->value.n_axes == 2;
    const struct labels *names = is_row ? y->labels[0] : NULL;
    if (is_row && !tensor_pick(&y->value, 0, row, &chart->rows[at], reterr))
        return false;
    if (!is_row)
        chart->rows[at] = tensor_share(&y->value);
    if (is_row && names != NULL)
        snprintf(chart->titles[at], CURVE_TITLE, "%s[\"%.60s\"]", title, labels_name(names, row));
    else if (is_row)
        snprintf(chart->titles[at], CURVE_TITLE, "%s[%zu]", title, row);
    else
        snprintf(chart->titles[at], CURVE_TITLE, "%s", title);
    size_t n = chart->rows[at].shape[0];
    chart->plot.curves[at] = (struct plot_curve){.y = &chart->rows[at],
                                                 .labels = y->labels[y->value.n_axes - 1],
                                                 .title = chart->titles[at],
                                                 .id = y->id,
                                                 .position = row * n};
    chart->plot.n_curves++;
    return true;
}

/* The curves that an argument stands for: one, or one for each row. */
static bool add_curves(struct plot_arguments *chart, const struct node *y, const char *title,
                       struct error *reterr)
{
    unsigned n_axes = y->value.n_axes;
    if (n_axes != 1 && n_axes != 2)
        return not_for_curves(y, title, "a vector, or a matrix with a curve in each row,", reterr);
    size_t n_rows = n_axes == 2 ? y->value.shape[0] : 1, n = y->value.shape[n_axes - 1];
    if (n_rows == 0 || n == 0)
        return error_set(reterr, ERR_SHAPE, "plot: %s holds no numbers to draw", title);
    if (n_rows > PLOT_MAX_CURVES - chart->plot.n_curves)
        return too_many_curves(y, title, reterr);
    if (chart->x != NULL && chart->x->value.shape[0] != n)
        return error_set(reterr, ERR_SHAPE,
                         "plot: %s, the first, says where the points lie: it has %zu numbers, and "
                         "%s has %zu; each point needs both",
                         chart->x_title, chart->x->value.shape[0], title, n);
    for (size_t row = 0; row < n_rows; row++)
        if (!add_curve(chart, y, title, row, reterr))
            return false;
    return true;
}

/* The first of several arguments: where the points lie. */
static bool read_x(struct session *session, const struct expr *expr, struct plot_arguments *chart,
                   struct error *reterr)
{
    chart->x = drawing_eval(session, expr, reterr);
    if (chart->x == NULL)
        return false;
    error_quote(chart->x_title, sizeof chart->x_title, session->source + expr->begin,
                expr->end - expr->begin);
    chart->plot.x = &chart->x->value;
    chart->plot.x_title = chart->x_title;
    return chart->x->value.n_axes == 1 ||
           not_for_curves(chart->x, chart->x_title, "a vector x, the first of several,", reterr) ||
           expr_place_error(expr, reterr);
}

static bool read_y(struct session *session, const struct expr *expr, struct plot_arguments *chart,
                   struct error *reterr)
{
    char title[80];
    struct node *y = drawing_eval(session, expr, reterr);
    if (y == NULL)
        return false;
    error_quote(title, sizeof title, session->source + expr->begin, expr->end - expr->begin);
    bool ok = (chart->n_ys < PLOT_MAX_CURVES || too_many_curves(y, title, reterr)) &&
              add_curves(chart, y, title, reterr);
    if (ok)
        chart->ys[chart->n_ys++] = y;
    else
        node_free(y);
    return ok || expr_place_error(expr, reterr);
}

COMMAND(command_plot)
{
    drawing_begin(session, statement, false);
    struct show_options options = settings_show_options(&session->settings);
    struct plot_arguments chart = {.x = NULL};
    size_t first = statement->n_arguments > 1 ? 1 : 0;
    bool ok = first == 0 || read_x(session, statement->arguments[0], &chart, reterr);
    for (size_t i = first; ok && i < statement->n_arguments; i++)
        ok = read_y(session, statement->arguments[i], &chart, reterr);
    if (ok)
        plot_show(out, &chart.plot, &options);
    chart_release(&chart);
    return ok && doc_check(out, reterr);
}
