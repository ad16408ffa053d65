/* See statement.h. */
#include "lang/session/statement.h"

#include <string.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/builtins/notes.h"
#include "lang/session/python_internal.h"
#include "lang/session/eval.h"
#include "lang/session/value_show.h"
#include "lang/syntax/parser.h"
#include "lang/value/value.h"
#include "show/number.h"
#include "tensor/tensor.h"

void statement_echo(const struct session *session, const struct expr *name, struct doc *out)
{
    char text[TENSOR_SHAPE_TEXT];
    const struct value *value = names_get(&session->names, name->as.text.bytes, name->as.text.size);
    if (!session->settings.echo || value == NULL || value->kind != VALUE_NODE)
        return;
    const struct node *node = value->as.node;
    doc_put(out, STYLE_NAME, name->as.text.bytes, name->as.text.size);
    if (node->value.n_axes == 0)
        doc_add(out, STYLE_QUIET, " = %s",
                number_short(node->value.data[0], session->settings.digits, text));
    else
        doc_add(out, STYLE_QUIET, "  %s", tensor_shape_text(&node->value, text));
    doc_end_line(out);
}

/* Words with a fixed meaning can't be names; commands can, but that is seldom meant. */
static bool check_target(struct session *session, const struct expr *name, struct error *reterr)
{
    static const char *const fixed[] = {"True", "False", "None"};
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (expr_is_word(name, fixed[i]))
            return error_set(reterr, ERR_NAME,
                             "%s: this word has a fixed meaning; choose another name", fixed[i]) ||
                   expr_place_error(name, reterr);
    const struct command *command = session->find_command(name->as.text.bytes, name->as.text.size);
    if (command != NULL && (command->rules & COMMAND_BEFORE_NAME) == 0)
        notes_add(&session->notes,
                  "note: %s is a command too, and at the start of a line the command is meant",
                  command->name);
    return true;
}

static bool assign_one(struct session *session, const struct expr *target, struct value *value,
                       struct error *reterr)
{
    if (!check_target(session, target, reterr))
        return false;
    return session_bind(session, target->as.text.bytes, target->as.text.size, value, reterr) ||
           expr_place_error(target, reterr);
}

/* a, b = tensor: its rows. */
static bool assign_rows(struct session *session, const struct statement *statement, struct node *x,
                        struct error *reterr)
{
    struct builder builder;
    bool ok = true;
    builder_init(&builder, &session->graph, reterr);
    for (size_t i = 0; ok && i < statement->n_targets; i++) {
        struct value row = value_node(builder_result(&builder, compose_row(&builder, x, i)));
        ok = row.kind == VALUE_NODE && assign_one(session, statement->targets[i], &row, reterr);
        value_release(&row);
    }
    builder_release(&builder);
    return ok;
}

/* a, b = values: a list of as many items, or the rows of a tensor. */
static bool assign_several(struct session *session, const struct statement *statement,
                           const struct value *value, struct error *reterr)
{
    size_t n = statement->n_targets;
    if (value->kind == VALUE_NODE && value->as.node->value.n_axes > 0 &&
        value->as.node->value.shape[0] == n)
        return assign_rows(session, statement, value->as.node, reterr);
    if (value->kind != VALUE_LIST || value->as.list->n != n) {
        char text[120];
        error_set(reterr, ERR_TYPE, "%zu names need %zu values, and the right side is %s", n, n,
                  value_describe(value, text, sizeof text));
        return expr_place_error(statement->value, reterr);
    }
    for (size_t i = 0; i < n; i++) {
        struct value item = value_share(&value->as.list->items[i]);
        bool ok = assign_one(session, statement->targets[i], &item, reterr);
        value_release(&item);
        if (!ok)
            return false;
    }
    return true;
}

/* X[i, j] = number: X becomes a copy with that cell changed; what was computed from it stays. */
static bool assign_cell(struct session *session, const struct statement *statement,
                        struct error *reterr)
{
    const struct expr *target = statement->targets[0];
    struct cell cell = {0};
    struct node *number = expr_eval_node(session, statement->value, reterr);
    bool ok = number != NULL && expr_eval_cell(session, target, &cell, reterr);
    if (ok && number->value.n_axes != 0)
        ok = error_set(reterr, ERR_SHAPE, "a cell takes a single number") ||
             expr_place_error(statement->value, reterr);
    if (ok) {
        ptrdiff_t at = (ptrdiff_t)cell.position;
        struct op_args args = {.number = (double)number->value.data[0], .n_ints = 1, .ints = &at};
        struct value edited =
            value_node(node_new(&session->graph, op_get(OP_EDIT), 1, &cell.node, &args, reterr));
        ok = edited.kind == VALUE_NODE && assign_one(session, target->object, &edited, reterr);
        value_release(&edited);
    }
    node_free(cell.node);
    node_free(number);
    return ok;
}

/* After a new assignment, what the last whatif would have given is out of date. */
static bool forget_pending(struct session *session, struct error *reterr)
{
    if (session->whatif.pending.n == 0)
        return true;
    struct whatif_state *state = session_whatif(session, reterr);
    if (state != NULL)
        change_release(&state->pending);
    return state != NULL;
}

bool statement_assign(struct session *session, const struct expr *name, struct value *value,
                      struct error *reterr)
{
    return forget_pending(session, reterr) && assign_one(session, name, value, reterr);
}

static bool run_assign(struct session *session, const struct statement *statement,
                       struct error *reterr)
{
    if (!forget_pending(session, reterr))
        return false;
    if (statement->targets[0]->kind == EXPR_INDEX)
        return assign_cell(session, statement, reterr);
    struct value value = {.kind = VALUE_ABSENT};
    bool ok = expr_eval(session, statement->value, &value, reterr);
    if (ok && value.kind == VALUE_NONE)
        ok = error_set(reterr, ERR_TYPE, "this gives nothing that could get a name") ||
             expr_place_error(statement->value, reterr);
    if (ok)
        ok = statement->n_targets == 1 ? assign_one(session, statement->targets[0], &value, reterr)
                                       : assign_several(session, statement, &value, reterr);
    value_release(&value);
    return ok;
}

/* f(x) = body. The text of the definition is parsed again, as a copy that lives with the function.
 */
static bool run_define(struct session *session, const struct statement *statement,
                       struct error *reterr)
{
    struct value value;
    size_t size = statement->end - statement->begin;
    if (!value_function(session->source + statement->begin, size, &value, reterr))
        return false;
    struct function *function = value.as.function;
    bool ok = parser_parse_line(&function->arena, session->find_command, function->source, size,
                                &function->definition, reterr) &&
              assign_one(session, statement->targets[0], &value, reterr);
    value_release(&value);
    return ok;
}

static bool run_expression(struct session *session, const struct statement *statement,
                           struct doc *out, struct error *reterr)
{
    struct value value = {.kind = VALUE_ABSENT};
    text_clear(&session->beside);
    bool ok = expr_eval(session, statement->value, &value, reterr);
    if (ok && session->beside.failed)
        ok = error_memory(reterr, "showing a value");
    else if (ok && statement->value->kind == EXPR_CALL && session->beside.size > 0)
        lines_show(text_string(&session->beside), session->beside.size, out);
    else
        ok = ok && value_show(&session->settings, &value, out, reterr);
    if (ok && value.kind == VALUE_NODE && value.as.node->value.n_axes > 0 &&
        session->n_loops == 0) {
        drawing_begin(session, statement, true);
        drawing_keep(session, value.as.node);
    }
    value_release(&value);
    return ok;
}

bool statement_run(struct session *session, const struct statement *statement, struct doc *out,
                   struct error *reterr)
{
    if (python_own_statement(session, statement)) {
        if (statement->kind == STATEMENT_EXPRESSION && session->n_loops == 0)
            drawing_begin(session, statement, true);
        struct node *shown;
        if (!python_run(session, statement->begin, statement->end, out, &shown, reterr))
            return false;
        if (shown != NULL && session->n_loops == 0)
            drawing_keep(session, shown);
        node_free(shown);
        for (size_t i = 0; session->n_loops == 0 && i < statement->n_targets; i++)
            if (statement->targets[i]->kind == EXPR_NAME)
                statement_echo(session, statement->targets[i], out);
        return true;
    }
    switch (statement->kind) {
    case STATEMENT_ASSIGN:
        if (!run_assign(session, statement, reterr))
            return false;
        for (size_t i = 0; session->n_loops == 0 && i < statement->n_targets; i++) {
            const struct expr *target = statement->targets[i];
            statement_echo(session, target->kind == EXPR_INDEX ? target->object : target, out);
        }
        return true;
    case STATEMENT_DEFINE:
        return run_define(session, statement, reterr);
    case STATEMENT_EXPRESSION:
        return run_expression(session, statement, out, reterr);
    case STATEMENT_COMMAND:
        return statement->command->run(session, statement, out, reterr) ||
               error_place(reterr, statement->begin, statement->end);
    default: /* the statements of cells, which no formula is */
        return false;
    }
}
