/* show, heat, bars, plot, why, trace, verify, vars: looking at tensors. */
#include <stdio.h>

#include "graph/explain.h"
#include "graph/node.h"
#include "graph/trace.h"
#include "lang/commands/command_internal.h"
#include "lang/session/eval.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "show/plot.h"
#include "tensor/tensor.h"
#include "verify/verify.h"

/* Numbers of a tensor that is shown whole: some 200 MB of text, spans and cells. */
enum { SHOW_MAX_NUMBERS = 1 << 20 };

typedef void draw(struct doc *doc, const struct picture *picture,
                  const struct show_options *options);

/* The title of a picture: the expression as typed. */
static void title_of(const struct session *session, const struct expr *expr, char title[80])
{
    error_quote(title, 80, session->source + expr->begin, expr->end - expr->begin);
}

static bool draw_one(struct session *session, const struct expr *expr, draw *draw_picture,
                     const struct show_options *options, struct doc *doc, struct error *reterr)
{
    char title[80];
    struct node *node = expr_eval_node(session, expr, reterr);
    if (node == NULL)
        return false;
    title_of(session, expr, title);
    struct picture picture = {
        .tensor = &node->value, .labels = node->labels, .title = title, .id = node->id};
    size_t n = tensor_size(&node->value);
    bool ok = !options->full || n <= SHOW_MAX_NUMBERS;
    if (ok) {
        draw_picture(doc, &picture, options);
    } else {
        error_set(reterr, ERR_LIMIT,
                  "show: that is %zu numbers, and up to %d are shown whole; show a part, such as "
                  "X[:100], or write its name alone for its corners",
                  n, SHOW_MAX_NUMBERS);
        expr_place_error(expr, reterr);
    }
    node_free(node);
    return ok && doc_check(doc, reterr);
}

static bool draw_each(struct session *session, const struct statement *statement,
                      draw *draw_picture, const struct show_options *options, struct doc *out,
                      struct error *reterr)
{
    for (size_t i = 0; i < statement->n_arguments; i++)
        if (!draw_one(session, statement->arguments[i], draw_picture, options, out, reterr))
            return false;
    return true;
}

COMMAND(command_show)
{
    struct show_options options = settings_show_options(&session->settings);
    options.full = true;
    return draw_each(session, statement, matrix_show, &options, out, reterr);
}

/* Two pictures side by side when both fit, else one below the other. */
static bool draw_pair(struct session *session, const struct statement *statement,
                      draw *draw_picture, struct doc *out, struct error *reterr)
{
    struct show_options options = settings_show_options(&session->settings);
    struct doc left, right;
    doc_init(&left);
    doc_init(&right);
    bool ok = draw_one(session, statement->arguments[0], draw_picture, &options, &left, reterr) &&
              draw_one(session, statement->arguments[1], draw_picture, &options, &right, reterr);
    if (ok && doc_width(&left) + 3 + doc_width(&right) <= options.width_cols) {
        doc_append_beside(out, &left, &right, 3);
    } else if (ok) {
        doc_append(out, &left, 0);
        doc_append(out, &right, 0);
    }
    doc_release(&left);
    doc_release(&right);
    return ok && doc_check(out, reterr);
}

static bool draw_beside(struct session *session, const struct statement *statement,
                        draw *draw_picture, struct doc *out, struct error *reterr)
{
    struct show_options options = settings_show_options(&session->settings);
    if (statement->n_arguments == 2)
        return draw_pair(session, statement, draw_picture, out, reterr);
    return draw_each(session, statement, draw_picture, &options, out, reterr);
}

COMMAND(command_heat)
{
    return draw_beside(session, statement, heat_show, out, reterr);
}

COMMAND(command_bars)
{
    return draw_beside(session, statement, bars_show, out, reterr);
}

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
    chart->x = expr_eval_node(session, expr, reterr);
    if (chart->x == NULL)
        return false;
    title_of(session, expr, chart->x_title);
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
    struct node *y = expr_eval_node(session, expr, reterr);
    if (y == NULL)
        return false;
    title_of(session, expr, title);
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

COMMAND(command_why)
{
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct cell cell;
        if (!expr_eval_cell(session, statement->arguments[i], &cell, reterr))
            return false;
        bool ok = explain_why(cell, session->settings.digits, out, reterr);
        node_free(cell.node);
        if (!ok)
            return false;
    }
    return true;
}

COMMAND(command_trace)
{
    struct show_options options = settings_show_options(&session->settings);
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct node *node = expr_eval_node(session, statement->arguments[i], reterr);
        if (node == NULL)
            return false;
        bool ok = trace_show(node, &options, out, reterr);
        node_free(node);
        if (!ok)
            return false;
    }
    return true;
}

/* One line of `vars`: name, kind, and how it was made. */
static void describe_variable(const struct variable *variable, size_t name_cols, struct doc *out)
{
    char text[120];
    struct text formula = {0};
    const struct value *value = &variable->value;
    doc_put(out, STYLE_NAME, variable->name, variable->size);
    size_t used = text_width(variable->name, variable->size);
    doc_add(out, STYLE_PLAIN, "%*s", (int)(used < name_cols ? name_cols - used + 2 : 2), "");
    if (value->kind == VALUE_FUNCTION) {
        doc_add(out, STYLE_PLAIN, "%s", value->as.function->source);
    } else if (value->kind == VALUE_NODE) {
        doc_add(out, STYLE_QUIET, "%-16s", tensor_shape_text(&value->as.node->value, text));
        node_write_operation(value->as.node, &formula);
        doc_add(out, STYLE_PLAIN, "%s", text_string(&formula));
    } else {
        doc_add(out, STYLE_QUIET, "%s", value_describe(value, text, sizeof text));
    }
    doc_end_line(out);
    out->failed = out->failed || formula.failed;
    text_release(&formula);
}

COMMAND(command_vars)
{
    (void)statement;
    const struct names *names = &session->names;
    size_t name_cols = 4, n = 0;
    for (size_t i = 0; i < names->n_variables; i++) {
        const struct variable *variable = &names->variables[i];
        size_t cols = text_width(variable->name, variable->size);
        if (variable->value.kind == VALUE_ABSENT)
            continue;
        name_cols = cols > name_cols && cols <= 20 ? cols : name_cols;
        n++;
    }
    for (size_t i = 0; i < names->n_variables; i++)
        if (names->variables[i].value.kind != VALUE_ABSENT)
            describe_variable(&names->variables[i], name_cols, out);
    if (n == 0)
        doc_line(out, STYLE_QUIET, "no names yet; start with X = embed(\"Hello shiny sun!\")");
    return doc_check(out, reterr);
}
