/* show, heat, bars, plot, why, trace, verify, vars: looking at tensors. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "graph/explain.h"
#include "graph/node.h"
#include "graph/trace.h"
#include "lang/commands/commands.h"
#include "lang/session/eval.h"
#include "show/labels.h"
#include "show/plot.h"
#include "tensor/tensor.h"
#include "verify/verify.h"

/* Numbers of a tensor that is shown whole: some 200 MB of text, spans and cells. */
enum { SHOW_MAX_NUMBERS = 1 << 20 };

typedef void draw(struct doc *doc, const struct picture *picture,
                  const struct show_options *options);

/* What stands over a picture: the expression as typed. */
static void title_of(const struct session *session, const struct expr *expr, char title[80])
{
    error_quote(title, 80, session->source + expr->begin, expr->end - expr->begin);
}

static bool too_large_to_show(const struct node *node, struct error *reterr)
{
    return error_set(
        reterr, ERR_LIMIT,
        "show: that is %zu numbers, and up to %d are shown whole; show a part, such as "
        "X[:100], or write its name alone for its corners",
        tensor_size(&node->value), SHOW_MAX_NUMBERS);
}

static bool draw_one(struct session *session, const struct expr *expr, draw *draw_picture,
                     const struct show_options *options, struct doc *doc, struct error *reterr)
{
    char title[80];
    struct node *node = eval_node(session, expr, reterr);
    if (node == NULL)
        return false;
    title_of(session, expr, title);
    struct picture picture = {
        .tensor = &node->value, .labels = node->labels, .title = title, .id = node->id};
    bool ok = !options->full || tensor_size(&node->value) <= SHOW_MAX_NUMBERS ||
              too_large_to_show(node, reterr) || error_place(reterr, expr);
    if (ok)
        draw_picture(doc, &picture, options);
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
    struct show_options options = session_show_options(session);
    options.full = true;
    return draw_each(session, statement, matrix_show, &options, out, reterr);
}

/* Two pictures side by side when both fit, else one below the other. */
static bool draw_pair(struct session *session, const struct statement *statement,
                      draw *draw_picture, struct doc *out, struct error *reterr)
{
    struct show_options options = session_show_options(session);
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
    struct show_options options = session_show_options(session);
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

enum { CURVE_TITLE = 160 }; /* bytes of an expression with a row's name behind it */

/* A chart as its arguments are read, and what it owns. */
struct chart {
    struct plot plot;
    struct node *x, *ys[PLOT_MAX_CURVES];
    size_t n_ys;
    struct tensor rows[PLOT_MAX_CURVES]; /* views, one a curve */
    char x_title[80], titles[PLOT_MAX_CURVES][CURVE_TITLE];
};

static void chart_release(struct chart *chart)
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
static bool add_curve(struct chart *chart, const struct node *y, const char *title, size_t row,
                      struct error *reterr)
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
static bool add_curves(struct chart *chart, const struct node *y, const char *title,
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
static bool read_x(struct session *session, const struct expr *expr, struct chart *chart,
                   struct error *reterr)
{
    chart->x = eval_node(session, expr, reterr);
    if (chart->x == NULL)
        return false;
    title_of(session, expr, chart->x_title);
    chart->plot.x = &chart->x->value;
    chart->plot.x_title = chart->x_title;
    return chart->x->value.n_axes == 1 ||
           not_for_curves(chart->x, chart->x_title, "a vector x, the first of several,", reterr) ||
           error_place(reterr, expr);
}

static bool read_y(struct session *session, const struct expr *expr, struct chart *chart,
                   struct error *reterr)
{
    char title[80];
    struct node *y = eval_node(session, expr, reterr);
    if (y == NULL)
        return false;
    title_of(session, expr, title);
    bool ok = (chart->n_ys < PLOT_MAX_CURVES || too_many_curves(y, title, reterr)) &&
              add_curves(chart, y, title, reterr);
    if (ok)
        chart->ys[chart->n_ys++] = y;
    else
        node_free(y);
    return ok || error_place(reterr, expr);
}

COMMAND(command_plot)
{
    struct show_options options = session_show_options(session);
    struct chart chart = {.x = NULL};
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
        if (!eval_cell(session, statement->arguments[i], &cell, reterr))
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
    struct show_options options = session_show_options(session);
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct node *node = eval_node(session, statement->arguments[i], reterr);
        if (node == NULL)
            return false;
        bool ok = trace_show(node, &options, out, reterr);
        node_free(node);
        if (!ok)
            return false;
    }
    return true;
}

/* verify */

enum { CHECK_MAX_PARAMS = 8 };

/* What its arguments stand for. */
enum param_kind {
    PARAM_TENSOR,
    PARAM_NUMBER, /* a tensor of one number */
    PARAM_FLAG,
};

struct check_param {
    const char *name;
    enum param_kind kind;
};

typedef bool run_check(struct node *const *tensors, const bool *flags,
                       const struct verify_options *options, struct doc *out, struct error *reterr);

struct check {
    const char *name, *usage;
    size_t n_needed; /* parameters without a default */
    struct check_param params[CHECK_MAX_PARAMS];
    run_check *run;
};

static bool run_weights(struct node *const *t, const bool *flags,
                        const struct verify_options *options, struct doc *out, struct error *reterr)
{
    struct verify_weights given = {.weights = t[0], .is_causal = flags[1], .attn_mask = t[2]};
    return verify_weights(&given, options, out, reterr);
}

static bool run_attention(struct node *const *t, const bool *flags,
                          const struct verify_options *options, struct doc *out,
                          struct error *reterr)
{
    struct verify_attention given = {.query = t[0],
                                     .key = t[1],
                                     .value = t[2],
                                     .context = t[3],
                                     .attn_mask = t[4],
                                     .is_causal = flags[5],
                                     .scale = t[6]};
    return verify_attention(&given, options, out, reterr);
}

static bool run_multihead(struct node *const *t, const bool *flags,
                          const struct verify_options *options, struct doc *out,
                          struct error *reterr)
{
    struct verify_multihead given = {.x = t[0],
                                     .w_query = t[1],
                                     .w_key = t[2],
                                     .w_value = t[3],
                                     .w_out = t[4],
                                     .n_heads = t[5],
                                     .is_causal = flags[6],
                                     .context = t[7]};
    return verify_multihead(&given, options, out, reterr);
}

static const struct check checks[] = {
    {"weights",
     "verify weights W, is_causal=False, attn_mask=None",
     1,
     {{"W", PARAM_TENSOR}, {"is_causal", PARAM_FLAG}, {"attn_mask", PARAM_TENSOR}},
     run_weights},
    {"attention",
     "verify attention Q, K, V, context, attn_mask=None, is_causal=False, scale=None",
     4,
     {{"Q", PARAM_TENSOR},
      {"K", PARAM_TENSOR},
      {"V", PARAM_TENSOR},
      {"context", PARAM_TENSOR},
      {"attn_mask", PARAM_TENSOR},
      {"is_causal", PARAM_FLAG},
      {"scale", PARAM_NUMBER}},
     run_attention},
    {"multihead",
     "verify multihead X, W_q, W_k, W_v, W_o, n_heads, is_causal=False, context=None",
     6,
     {{"X", PARAM_TENSOR},
      {"W_q", PARAM_TENSOR},
      {"W_k", PARAM_TENSOR},
      {"W_v", PARAM_TENSOR},
      {"W_o", PARAM_TENSOR},
      {"n_heads", PARAM_NUMBER},
      {"is_causal", PARAM_FLAG},
      {"context", PARAM_TENSOR}},
     run_multihead},
};
enum { N_CHECKS = COUNT_OF(checks) };

const char *check_kind(size_t i)
{
    return i < N_CHECKS ? checks[i].name : NULL;
}

static bool name_is(const char *name, const char *bytes, size_t size)
{
    return strlen(name) == size && memcmp(name, bytes, size) == 0;
}

static const struct check *find_check(const struct expr *kind, struct error *reterr)
{
    char shown[40], best[64] = "";
    const char *bytes = kind->as.text.bytes;
    size_t size = kind->as.text.size;
    struct suggestion suggestion;
    suggestion_init(&suggestion, bytes, size);
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (name_is(checks[i].name, bytes, size))
            return &checks[i];
        suggestion_try(&suggestion, checks[i].name);
    }
    if (suggestion.best[0] != '\0')
        snprintf(best, sizeof best, "did you mean %.40s? ", suggestion.best);
    error_set(reterr, ERR_NAME,
              "verify %s: there is no such check; %sthere are weights, attention and multihead, as "
              "in verify weights W",
              error_quote(shown, sizeof shown, bytes, size), best);
    error_place(reterr, kind);
    return NULL;
}

/* Which parameter an argument is for: the next one, or the one it names. False when there is none,
 * or it has its argument already. */
static bool find_param(const struct check *check, const struct argument *argument, size_t at,
                       const bool *given, size_t *ret, struct error *reterr)
{
    char shown[40];
    *ret = at;
    for (size_t i = 0; argument->keyword != NULL && i < CHECK_MAX_PARAMS; i++)
        if (check->params[i].name != NULL &&
            name_is(check->params[i].name, argument->keyword, argument->keyword_size)) {
            *ret = i;
            return !given[i] || error_set(reterr, ERR_TYPE, "verify %s: %s is given twice",
                                          check->name, check->params[i].name);
        }
    if (argument->keyword != NULL)
        return error_set(
            reterr, ERR_TYPE, "verify %s: it has no argument %s; write %s", check->name,
            error_quote(shown, sizeof shown, argument->keyword, argument->keyword_size),
            check->usage);
    return (at < CHECK_MAX_PARAMS && check->params[at].name != NULL) ||
           error_set(reterr, ERR_TYPE, "verify %s: there are too many arguments; write %s",
                     check->name, check->usage);
}

/* An argument's tensor, or NULL for None; a flag's truth goes to *ret_flag. */
static bool read_argument(struct session *session, const struct check_param *param,
                          const struct expr *expr, struct node **ret, bool *ret_flag,
                          struct error *reterr)
{
    struct value value;
    if (!eval(session, expr, &value, reterr))
        return false;
    if (value.kind == VALUE_NONE)
        return true;
    *ret = value_to_node(session, &value, param->name, reterr);
    value_release(&value);
    if (*ret == NULL)
        return false;
    const struct tensor *x = &(*ret)->value;
    float number = tensor_size(x) == 1 ? tensor_at_position(x, 0) : -1;
    if (param->kind == PARAM_NUMBER && tensor_size(x) != 1)
        return error_set(reterr, ERR_TYPE, "verify: %s must be a single number", param->name);
    if (param->kind == PARAM_FLAG && number != 0 && number != 1)
        return error_set(reterr, ERR_TYPE, "verify: %s must be True or False", param->name);
    *ret_flag = param->kind == PARAM_FLAG && number == 1;
    return true;
}

static bool read_arguments(struct session *session, const struct check *check,
                           const struct expr *call, struct node **tensors, bool *flags,
                           struct error *reterr)
{
    bool given[CHECK_MAX_PARAMS] = {false}, named = false;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct argument *argument = &call->as.call.arguments[i];
        size_t at;
        if (named && argument->keyword == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: arguments without a name come first",
                             check->name) ||
                   error_place(reterr, argument->value);
        named = argument->keyword != NULL;
        if (!find_param(check, argument, i, given, &at, reterr) ||
            !read_argument(session, &check->params[at], argument->value, &tensors[at], &flags[at],
                           reterr))
            return error_place(reterr, argument->value);
        given[at] = true;
    }
    for (size_t i = 0; i < check->n_needed; i++)
        if (tensors[i] == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: %s is missing; write %s", check->name,
                             check->params[i].name, check->usage);
    return true;
}

COMMAND(command_verify)
{
    const struct expr *call = statement->arguments[0];
    const struct check *check = find_check(call->object, reterr);
    struct node *tensors[CHECK_MAX_PARAMS] = {NULL};
    bool flags[CHECK_MAX_PARAMS] = {false};
    struct verify_options options = {.width_cols = session->settings.width_cols,
                                     .digits = session->settings.digits,
                                     .stop = session->graph.stop};
    bool ok = check != NULL && read_arguments(session, check, call, tensors, flags, reterr) &&
              check->run(tensors, flags, &options, out, reterr);
    for (size_t i = 0; i < CHECK_MAX_PARAMS; i++)
        node_free(tensors[i]);
    return ok;
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
