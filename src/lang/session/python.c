/* See python_internal.h. */
#include "lang/session/python_internal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/notes.h"
#include "lang/notebook/notebook.h"
#include "lang/session/eval_internal.h"
#include "lang/session/value_show.h"
#include "lang/value/value.h"
#include "show/doc.h"

struct python {
    struct notebook *notebook;
    struct notebook_host host;
    struct session *session;
    struct text printed; /* by the line under way */
};

/* ---- what the notebook asks of the session ---- */

static struct value find(void *context, const char *name, size_t size)
{
    const struct python *python = context;
    const struct value *value = names_get(&python->session->names, name, size);
    return value != NULL ? value_share(value) : (struct value){.kind = VALUE_ABSENT};
}

static bool has_function(void *context, const char *name, size_t size)
{
    const struct python *python = context;
    const struct value *value = names_get(&python->session->names, name, size);
    return value != NULL ? value->kind == VALUE_FUNCTION ||
                               (value->kind == VALUE_OBJECT && value->as.object->class->call)
                         : builtin_find(name, size) != NULL;
}

static bool call(void *context, const struct string *name, const struct value *args, size_t n,
                 const struct string *const *keywords, size_t n_keywords, struct value *ret,
                 struct error *reterr)
{
    const struct python *python = context;
    struct session *session = python->session;
    return session_call(session, name, args, n, keywords, n_keywords, ret, reterr);
}

static void print(void *context, const char *bytes, size_t size)
{
    struct python *python = context;
    text_add(&python->printed, bytes, size);
}

static void note(void *context, const char *text)
{
    struct python *python = context;
    static const char name[] = "attn: ";
    size_t skipped = strncmp(text, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
    notes_add(&python->session->notes, "note: %s", text + skipped);
}

/* ---- beginning and end ---- */

static bool begin(struct session *session, struct error *reterr)
{
    if (session->python != NULL)
        return true;
    struct python *python = calloc(1, sizeof *python);
    if (python == NULL)
        return error_memory(reterr, "cells of Python");
    python->host = (struct notebook_host){
        .graph = &session->graph, .find = find, .has_function = has_function, .call = call};
    struct notebook_options options = {.print = print,
                                       .print_error = print,
                                       .note = note,
                                       .context = python,
                                       .host = &python->host,
                                       .stop = session->graph.stop};
    python->session = session;
    python->notebook = notebook_new(&options);
    if (python->notebook == NULL) {
        free(python);
        return error_memory(reterr, "cells of Python");
    }
    session->python = python;
    return true;
}

void python_free(struct python *python)
{
    if (python == NULL)
        return;
    notebook_free(python->notebook);
    text_release(&python->printed);
    free(python);
}

/* ---- which lines are cells ---- */

static bool is_cells(const struct session *session, const struct variable *variable)
{
    return (variable->value.kind >= VALUE_BOOL && variable->value.kind <= VALUE_THING) ||
           (variable->value.kind != VALUE_ABSENT &&
            notebook_owns(session->python->notebook, variable->name, variable->size,
                          &variable->value));
}

/* Whether a cell has given a value to some name. After reset, and after a first cell that failed,
 * all lines are formulas again. */
static bool has_cells(const struct session *session)
{
    const struct names *names = &session->names;
    for (size_t i = 0; session->python != NULL && i < names->n_variables; i++)
        if (is_cells(session, &names->variables[i]))
            return true;
    return false;
}

bool python_can_read(const struct session *session, const char *source, size_t size,
                     struct error *reterr)
{
    return !session->is_author && notebook_can_read(source, size, !has_cells(session), reterr);
}

/* What the names of an expression stand for. */
struct owners {
    const struct session *session;
    bool cell, formula;
};

static void look(const struct expr *expr, void *context)
{
    struct owners *owners = context;
    if (expr == NULL)
        return;
    if (expr->kind == EXPR_NAME) {
        const char *name = expr->as.text.bytes;
        size_t size = expr->as.text.size;
        const struct session *session = owners->session;
        size_t at = names_place(&session->names, name, size);
        bool is_bound = names_get(&session->names, name, size) != NULL;
        if (is_bound && is_cells(session, &session->names.variables[at]))
            owners->cell = true;
        else if (is_bound || (builtin_find(name, size) != NULL &&
                              !notebook_is_python(session->python->notebook, name, size)))
            owners->formula = true;
    }
    expr_each_part(expr, look, context);
}

static bool is_known(const struct session *session, const struct expr *name)
{
    return names_get(&session->names, name->as.text.bytes, name->as.text.size) != NULL ||
           notebook_is_python(session->python->notebook, name->as.text.bytes, name->as.text.size);
}

bool python_own(const struct session *session, const struct expr *expr)
{
    struct owners owners = {.session = session};
    if (session->python == NULL || session->is_author || expr == NULL)
        return false;
    look(expr, &owners);
    return owners.cell;
}

bool python_own_statement(const struct session *session, const struct statement *statement)
{
    struct owners owners = {.session = session};
    if (session->python == NULL || session->is_author ||
        (statement->kind != STATEMENT_ASSIGN && statement->kind != STATEMENT_EXPRESSION) ||
        statement->value->kind == EXPR_STRING)
        return false;
    const struct expr *value = statement->value;
    if (statement->kind == STATEMENT_EXPRESSION && value->kind == EXPR_NAME &&
        !is_known(session, value))
        return false; /* attn's own message proposes a near name */
    if (value->kind == EXPR_CALL && expr_is_word(value->object, "print"))
        return has_cells(session);
    look(value, &owners);
    for (size_t i = 0; i < statement->n_targets; i++)
        if (statement->targets[i]->kind != EXPR_NAME)
            look(statement->targets[i], &owners);
    return owners.cell || (!owners.formula && has_cells(session));
}

/* ---- running ---- */

/* Binds what a cell made of a name, if that is something else than before. */
static bool take_name(void *context, const char *name, size_t size, struct value *value,
                      struct error *reterr)
{
    struct session *session = context;
    const struct value *before = names_get(&session->names, name, size);
    bool is_same = before != NULL && before->kind == value->kind &&
                   memcmp(&before->as, &value->as, sizeof value->as) == 0;
    return is_same || session_bind(session, name, size, value, reterr);
}

void lines_show(const char *bytes, size_t size, struct doc *out)
{
    for (const char *at = bytes, *end = bytes + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t n = newline != NULL ? (size_t)(newline - at) : (size_t)(end - at);
        doc_put(out, STYLE_PLAIN, at, n);
        doc_end_line(out);
        at += n + 1;
    }
}

/* The value of a last expression as the prompt shows it: a tensor as a table, all else as Python
 * writes it. */
static bool show_value(struct session *session, struct value *value, struct doc *out,
                       struct node **ret_shown, struct error *reterr)
{
    /* What torch.manual_seed(0) gives is of no interest. */
    static const char generator[] = "<Generator object";
    struct notebook *notebook = session->python->notebook;
    struct value shown = {.kind = VALUE_ABSENT};
    struct text text = {0};
    if (value->kind == VALUE_ABSENT || value->kind == VALUE_NONE)
        return true;
    bool ok = true;
    if (notebook_is_tensor(value)) {
        ok = notebook_value(notebook, value, &shown, reterr) &&
             value_show(&session->settings, &shown, out, reterr);
        if (ok && shown.as.node->value.n_axes > 0)
            *ret_shown = node_share(shown.as.node);
    } else {
        ok = notebook_write(notebook, value, &text, reterr) &&
             (!text.failed || error_memory(reterr, "showing a value"));
        if (strncmp(text_string(&text), generator, sizeof generator - 1) != 0)
            lines_show(text_string(&text), text.size, out);
    }
    value_release(&shown);
    text_release(&text);
    return ok && doc_check(out, reterr);
}

/* Runs a text; *ret is the value of its last expression. */
static bool run(struct session *session, const char *source, size_t size, struct value *ret,
                struct doc *out, struct error *reterr)
{
    struct text trace = {0};
    *ret = (struct value){.kind = VALUE_ABSENT};
    if (!begin(session, reterr))
        return false;
    struct python *python = session->python;
    text_clear(&python->printed);
    notebook_follow(python->notebook);
    bool ok = notebook_run_line(python->notebook, source, size, ret, &trace, reterr);
    if (ok && python->printed.failed)
        ok = error_memory(reterr, "what the line prints");
    if (out != NULL) {
        lines_show(text_string(&python->printed), python->printed.size, out);
        if (!ok)
            notebook_explain(python->notebook, &trace);
        lines_show(text_string(&trace), trace.size, out);
    }
    text_release(&trace);
    session->lacked = !ok && notebook_lacked(python->notebook);
    return ok && notebook_each_name(python->notebook, take_name, session, reterr);
}

bool python_run(struct session *session, size_t begin_at, size_t end, struct doc *out,
                struct node **ret_shown, struct error *reterr)
{
    struct value value;
    *ret_shown = NULL;
    bool ok = run(session, session->source + begin_at, end - begin_at, &value, out, reterr);
    if (!ok && reterr != NULL && reterr->end > reterr->begin) {
        reterr->begin += begin_at;
        reterr->end += begin_at;
    }
    ok = ok && show_value(session, &value, out, ret_shown, reterr);
    value_release(&value);
    return ok;
}

bool session_observe(struct session *session, const char *words, size_t size,
                     bool (*take)(void *context, const struct notebook_row *row), void *context,
                     struct doc *out, struct error *reterr)
{
    struct text trace = {0};
    if (!begin(session, reterr))
        return false;
    struct python *python = session->python;
    text_clear(&python->printed);
    notebook_follow(python->notebook);
    bool ok = notebook_observe_line(python->notebook, words, size, take, context, &trace, reterr);
    lines_show(text_string(&python->printed), python->printed.size, out);
    lines_show(text_string(&trace), trace.size, out);
    text_release(&trace);
    if (!ok && reterr != NULL)
        reterr->begin = reterr->end = 0;
    return ok && notebook_each_name(python->notebook, take_name, session, reterr);
}

void python_end_line(struct session *session, bool works)
{
    if (session->python != NULL)
        notebook_end_line(session->python->notebook, works);
}

bool python_eval(struct session *session, const struct expr *expr, struct value *ret,
                 struct error *reterr)
{
    struct value value;
    bool ok =
        run(session, session->source + expr->begin, expr->end - expr->begin, &value, NULL, reterr);
    if (!ok && reterr != NULL)
        reterr->begin = reterr->end = 0;
    ok = ok && notebook_value(session->python->notebook, &value, ret, reterr);
    if (ok && ret->kind == VALUE_THING) {
        struct text text = {0};
        (void)notebook_write(session->python->notebook, ret, &text, NULL);
        char shown[60];
        ok = error_set(reterr, ERR_TYPE, "a tensor is needed here, and this is %s",
                       error_quote(shown, sizeof shown, text_string(&text), text.size));
        text_release(&text);
        value_release(ret);
    }
    value_release(&value);
    return ok;
}
