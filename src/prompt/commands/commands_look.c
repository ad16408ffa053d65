/* show, heat, bars, plot, why, trace, verify, vars: looking at tensors. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/why.h"
#include "graph/hidden.h"
#include "graph/node.h"
#include "graph/trace.h"
#include "commands/command_internal.h"
#include "lang/session/eval.h"
#include "show/heat.h"
#include "tensor/tensor.h"

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
    struct node *node = drawing_eval(session, expr, reterr);
    if (node == NULL)
        return false;
    title_of(session, expr, title);
    struct node_picture shown = {.hidden = {.data = NULL}};
    size_t n = tensor_size(&node->value);
    bool is_small = !options->full || n <= SHOW_MAX_NUMBERS;
    bool ok = is_small && node_picture_init(&shown, node, title, reterr);
    if (ok) {
        draw_picture(doc, &shown.picture, options);
        hidden_note_show(doc, &shown.picture, options);
    } else if (!is_small) {
        error_set(reterr, ERR_LIMIT,
                  "show: that is %zu numbers, and up to %d are shown whole; show a part, such as "
                  "X[:100], or write its name alone for its corners",
                  n, SHOW_MAX_NUMBERS);
        expr_place_error(expr, reterr);
    }
    node_picture_release(&shown);
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
    drawing_begin(session, statement, true);
    struct show_options options = settings_show_options(&session->settings);
    options.full = true;
    return draw_each(session, statement, matrix_show, &options, out, reterr);
}

/* Two pictures side by side when both fit, else one below the other, each with half of the lines
 * by which they may grow. */
static bool draw_pair(struct session *session, const struct statement *statement,
                      draw *draw_picture, struct doc *out, struct error *reterr)
{
    struct show_options options = settings_show_options(&session->settings);
    struct doc left, right;
    doc_init(&left);
    doc_init(&right);
    options.extra_lines /= 2;
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
    options.extra_lines /= size_max(statement->n_arguments, 1);
    return draw_each(session, statement, draw_picture, &options, out, reterr);
}

/* ---- heat ---- */

static bool scale_of_name(const struct value *value, enum heat_scale *ret)
{
    const char *name = value->kind == VALUE_STRING ? value->as.string->bytes : "";
    for (enum heat_scale scale = HEAT_ROW; scale < HEAT_SCALES; scale++)
        if (strcmp(name, heat_scale_name(scale)) == 0) {
            *ret = scale;
            return true;
        }
    return false;
}

/* scale="row", and nothing else. */
static bool read_scale(struct session *session, const struct statement *statement,
                       enum heat_scale *ret, struct error *reterr)
{
    *ret = HEAT_AUTO;
    for (size_t i = 0; i < statement->n_named; i++) {
        const struct argument *argument = &statement->named[i];
        struct value value;
        if (argument->keyword_size != 5 || memcmp(argument->keyword, "scale", 5) != 0) {
            error_set(reterr, ERR_NAME, "heat: it has no argument %.*s; it takes scale=\"row\"",
                      (int)size_min(argument->keyword_size, 40), argument->keyword);
            return expr_place_error(argument->value, reterr);
        }
        if (!expr_eval(session, argument->value, &value, reterr))
            return false;
        bool ok = scale_of_name(&value, ret);
        value_release(&value);
        if (!ok) {
            error_set(reterr, ERR_NAME,
                      "heat: scale is \"row\", \"matrix\", \"shared\" or \"unit\"");
            return expr_place_error(argument->value, reterr);
        }
    }
    return true;
}

/* A tensor to draw as a heatmap, with what it borrows. */
struct heat_argument {
    struct node *node;
    struct tensor hidden;
    char title[80];
};

static bool read_heat(struct session *session, const struct expr *expr, struct heat_argument *ret,
                      struct picture *picture, struct error *reterr)
{
    bool hides;
    ret->node = drawing_eval(session, expr, reterr);
    if (ret->node == NULL || !node_hidden(ret->node, &ret->hidden, &hides, reterr))
        return false;
    title_of(session, expr, ret->title);
    *picture = (struct picture){.tensor = &ret->node->value,
                                .labels = ret->node->labels,
                                .title = ret->title,
                                .id = ret->node->id,
                                .hidden = hides ? &ret->hidden : NULL};
    return true;
}

COMMAND(command_heat)
{
    struct show_options options = settings_show_options(&session->settings);
    size_t n = statement->n_arguments;
    struct heat_argument *arguments = calloc(n, sizeof *arguments);
    struct picture *pictures = calloc(n, sizeof *pictures);
    enum heat_scale scale;
    bool ok = (arguments != NULL && pictures != NULL) || error_memory(reterr, "heat");
    ok = ok && read_scale(session, statement, &scale, reterr);
    drawing_begin(session, statement, false);
    for (size_t i = 0; ok && i < n; i++)
        ok = read_heat(session, statement->arguments[i], &arguments[i], &pictures[i], reterr);
    if (ok)
        heat_show_together(out, pictures, n, &options, scale);
    for (size_t i = 0; arguments != NULL && i < n; i++) {
        node_free(arguments[i].node);
        tensor_release(&arguments[i].hidden);
    }
    free(arguments);
    free(pictures);
    return ok && doc_check(out, reterr);
}

COMMAND(command_bars)
{
    drawing_begin(session, statement, false);
    return draw_beside(session, statement, bars_show, out, reterr);
}

COMMAND(command_why)
{
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct cell cell;
        if (!expr_eval_cell(session, statement->arguments[i], &cell, reterr))
            return false;
        struct doc lines;
        doc_init(&lines);
        bool ok = explain_why(cell, session->settings.digits, &lines, reterr);
        if (ok)
            doc_append_broken(out, &lines, session->settings.width_cols);
        doc_release(&lines);
        node_free(cell.node);
        if (!ok)
            return false;
    }
    return true;
}

COMMAND(command_trace)
{
    drawing_begin(session, statement, false);
    struct show_options options = settings_show_options(&session->settings);
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct node *node = drawing_eval(session, statement->arguments[i], reterr);
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
