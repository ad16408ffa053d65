/* See session.h. */
#include "lang/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ops.h"
#include "lang/command.h"
#include "lang/embeddings.h"
#include "lang/eval.h"
#include "lang/lexer.h"
#include "lang/parser.h"
#include "show/number.h"

void session_init(struct session *session, const struct settings *settings, const char *data_dir,
                  const volatile sig_atomic_t *stop)
{
    *session = (struct session){.settings = *settings, .data_dir = data_dir};
    session->graph.stop = stop;
    random_seed(&session->random, SESSION_FIRST_SEED);
}

static void forget(struct session *session)
{
    names_release(&session->names);
    change_release(&session->pending);
    change_release(&session->journal);
    for (size_t i = 0; i < session->n_undo; i++)
        change_release(&session->undo[i]);
    session->n_undo = 0;
}

void session_release(struct session *session)
{
    forget(session);
    embeddings_free(session->embeddings);
    text_release(&session->script);
    text_release(&session->notes);
    arena_release(&session->arena);
    *session = (struct session){0};
}

void session_reset(struct session *session)
{
    forget(session);
    random_seed(session_random(session), SESSION_FIRST_SEED);
    text_clear(&session->script);
    session->changed = false;
}

/* Changes. */

static bool change_grow(struct change *change)
{
    if (change->n < change->capacity)
        return true;
    size_t capacity = change->capacity ? change->capacity * 2 : 8;
    char **names = realloc(change->names, capacity * sizeof(*names));
    if (names == NULL)
        return false;
    change->names = names;
    struct value *values = realloc(change->values, capacity * sizeof *values);
    if (values == NULL)
        return false;
    change->values = values;
    change->capacity = capacity;
    return true;
}

bool change_add(struct change *change, const char *name, size_t size, struct value *value,
                struct error *reterr)
{
    char *copy = malloc(size + 1);
    if (copy == NULL || !change_grow(change)) {
        free(copy);
        return error_memory(reterr, "remembering a change");
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    change->names[change->n] = copy;
    change->values[change->n++] = *value;
    *value = (struct value){.kind = VALUE_ABSENT};
    return true;
}

static void change_clear(struct change *change)
{
    for (size_t i = 0; i < change->n; i++) {
        free(change->names[i]);
        value_release(&change->values[i]);
    }
    change->n = 0;
}

void change_release(struct change *change)
{
    change_clear(change);
    free(change->names);
    free(change->values);
    *change = (struct change){0};
}

/* Binding names. */

/* The old tensor of a name that now means another one: where it lives on inside a formula, it is
 * shown under a name of its own. */
static void rename_old(struct session *session, const struct value *old, const char *name)
{
    if (old->kind != VALUE_NODE || old->as.node->name == NULL ||
        strcmp(old->as.node->name, name) != 0)
        return;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *other = &session->names.variables[i];
        if (other->value.kind == VALUE_NODE && other->value.as.node == old->as.node) {
            (void)node_set_name(old->as.node, other->name, other->size, NULL);
            return;
        }
    }
    char renamed[80];
    snprintf(renamed, sizeof renamed, "old %.70s", name);
    (void)node_set_name(old->as.node, renamed, strlen(renamed), NULL);
}

/* True for a tensor without a name, and for one that gets back the name it lost. */
static bool takes_name(const struct value *value, const char *name, size_t size)
{
    if (value->kind != VALUE_NODE)
        return false;
    const char *own = value->as.node->name;
    return own == NULL || (strncmp(own, "old ", 4) == 0 && strlen(own + 4) == size &&
                           memcmp(own + 4, name, size) == 0);
}

bool session_bind(struct session *session, const char *name, size_t size, struct value *value,
                  struct error *reterr)
{
    struct value old;
    if (takes_name(value, name, size) && !node_set_name(value->as.node, name, size, reterr))
        return false;
    if (!names_set(&session->names, name, size, value, &old, reterr))
        return false;
    char copy[80];
    snprintf(copy, sizeof copy, "%.*s", (int)(size < 79 ? size : 79), name);
    rename_old(session, &old, copy);
    session->changed = true;
    if (change_add(&session->journal, name, size, &old, reterr))
        return true;
    value_release(&old);
    return false;
}

static void roll_back(struct session *session)
{
    struct change *journal = &session->journal;
    for (size_t i = journal->n; i-- > 0;) {
        struct value newer, *old = &journal->values[i];
        size_t size = strlen(journal->names[i]);
        if (takes_name(old, journal->names[i], size))
            (void)node_set_name(old->as.node, journal->names[i], size, NULL);
        if (names_set(&session->names, journal->names[i], size, old, &newer, NULL))
            value_release(&newer);
    }
    session->settings = session->old_settings;
    if (session->random_used)
        session->random = session->old_random;
    text_clear(&session->notes);
}

struct random *session_random(struct session *session)
{
    if (!session->random_used)
        session->old_random = session->random;
    session->random_used = true;
    session->changed = true;
    return &session->random;
}

struct show_options session_show_options(const struct session *session)
{
    const struct settings *settings = &session->settings;
    return (struct show_options){.width_cols = settings->width_cols,
                                 .digits = settings->digits,
                                 .ascii = settings->ascii,
                                 .colour = settings->colours != COLOURS_NONE};
}

void session_note(struct session *session, const char *format, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_put(&session->notes, line);
    text_char(&session->notes, '\n');
}

/* Showing values. */

static void show_node(struct session *session, const struct node *node, struct doc *out)
{
    struct show_options options = session_show_options(session);
    struct picture picture = {.tensor = &node->value, .labels = node->labels, .id = node->id};
    matrix_show(out, &picture, &options);
}

/* (3, 3) or ["Hello", "sun"]: an item on its line. Tensors are shown by their shapes. */
static void write_item(struct session *session, const struct value *value, struct text *line)
{
    char text[120];
    if (value->kind == VALUE_NODE && value->as.node->value.n_axes == 0) {
        struct number_style style =
            number_style_of(&value->as.node->value, session->settings.digits);
        text_put(line, number_write(value->as.node->value.data[0], style, text));
    } else if (value->kind == VALUE_STRING) {
        text_format(
            line, "\"%s\"",
            error_quote(text, sizeof text, value->as.string->bytes, value->as.string->size));
    } else if (value->kind == VALUE_LIST) {
        text_char(line, '(');
        for (size_t i = 0; i < value->as.list->n; i++) {
            text_put(line, i ? ", " : "");
            write_item(session, &value->as.list->items[i], line);
        }
        text_put(line, value->as.list->n == 1 ? ",)" : ")");
    } else {
        text_put(line, value_describe(value, text, sizeof text));
    }
}

static bool holds_tensors(const struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == VALUE_NODE && list->items[i].as.node->value.n_axes > 0)
            return true;
    return false;
}

bool session_show(struct session *session, const struct value *value, struct doc *out,
                  struct error *reterr)
{
    struct text line = {0};
    if (value->kind == VALUE_NODE) {
        show_node(session, value->as.node, out);
    } else if (value->kind == VALUE_LIST && holds_tensors(value->as.list)) {
        for (size_t i = 0; i < value->as.list->n; i++)
            if (!session_show(session, &value->as.list->items[i], out, reterr))
                return false;
    } else if (value->kind == VALUE_FUNCTION) {
        doc_line(out, STYLE_PLAIN, "%s", value->as.function->source);
    } else if (value->kind == VALUE_STRING) {
        doc_put(out, STYLE_PLAIN, value->as.string->bytes, value->as.string->size);
        doc_end_line(out);
    } else if (value->kind == VALUE_LIST) {
        write_item(session, value, &line);
        doc_put(out, STYLE_PLAIN, text_string(&line), line.size);
        doc_end_line(out);
    }
    bool failed = line.failed;
    text_release(&line);
    return failed ? error_memory(reterr, "showing a value") : doc_check(out, reterr);
}

/* Running lines. */

/* "X  3x3", so that a learner sees what an assignment did. */
static void echo_name(struct session *session, const struct expr *name, struct doc *out)
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

static bool assign_one(struct session *session, const struct expr *target, struct value *value,
                       struct error *reterr)
{
    return session_bind(session, target->as.text.bytes, target->as.text.size, value, reterr) ||
           error_place(reterr, target);
}

/* a, b = values: a list of as many items, or the rows of a tensor. */
static bool assign_several(struct session *session, const struct statement *statement,
                           const struct value *value, struct error *reterr)
{
    if (value->kind != VALUE_LIST || value->as.list->n != statement->n_targets) {
        char text[120];
        error_set(reterr, ERR_TYPE, "%zu names need %zu values, and the right side is %s",
                  statement->n_targets, statement->n_targets,
                  value_describe(value, text, sizeof text));
        return error_place(reterr, statement->value);
    }
    for (size_t i = 0; i < statement->n_targets; i++) {
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
    struct node *number = eval_node(session, statement->value, reterr);
    bool ok = number != NULL && eval_cell(session, target, &cell, reterr);
    if (ok && number->value.n_axes != 0)
        ok = error_set(reterr, ERR_SHAPE, "a cell takes a single number") ||
             error_place(reterr, statement->value);
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

static bool run_assign(struct session *session, const struct statement *statement,
                       struct error *reterr)
{
    if (statement->targets[0]->kind == EXPR_INDEX)
        return assign_cell(session, statement, reterr);
    struct value value = {.kind = VALUE_ABSENT};
    bool ok = eval(session, statement->value, &value, reterr);
    if (ok && value.kind == VALUE_NONE)
        ok = error_set(reterr, ERR_TYPE, "this gives nothing that could get a name") ||
             error_place(reterr, statement->value);
    if (ok)
        ok = statement->n_targets == 1 ? assign_one(session, statement->targets[0], &value, reterr)
                                       : assign_several(session, statement, &value, reterr);
    value_release(&value);
    return ok;
}

static bool echo_names(struct session *session, const struct statement *statement, struct doc *out)
{
    for (size_t i = 0; i < statement->n_targets; i++) {
        const struct expr *target = statement->targets[i];
        echo_name(session, target->kind == EXPR_INDEX ? target->object : target, out);
    }
    return true;
}

static bool run_define(struct session *session, const struct statement *statement,
                       struct error *reterr)
{
    struct value function;
    if (!value_function(session->source + statement->begin, statement->end - statement->begin,
                        &function, reterr))
        return false;
    bool ok = assign_one(session, statement->targets[0], &function, reterr);
    value_release(&function);
    return ok;
}

static bool run_expression(struct session *session, const struct statement *statement,
                           struct doc *out, struct error *reterr)
{
    struct value value = {.kind = VALUE_ABSENT};
    bool ok = eval(session, statement->value, &value, reterr) &&
              session_show(session, &value, out, reterr);
    value_release(&value);
    return ok;
}

static bool run_statement(struct session *session, const struct statement *statement,
                          struct doc *out, struct error *reterr)
{
    switch (statement->kind) {
    case STATEMENT_ASSIGN:
        return run_assign(session, statement, reterr) && echo_names(session, statement, out);
    case STATEMENT_DEFINE:
        return run_define(session, statement, reterr);
    case STATEMENT_EXPRESSION:
        return run_expression(session, statement, out, reterr);
    case STATEMENT_COMMAND:
        return statement->command->run(session, statement, out, reterr);
    }
    return false;
}

static void add_notes(struct session *session, struct doc *out)
{
    if (session->notes.size > 0)
        doc_put(out, STYLE_NOTE, session->notes.bytes, session->notes.size);
    text_clear(&session->notes);
}

static void begin_line(struct session *session, const char *source)
{
    session->source = source;
    session->old_settings = session->settings;
    session->random_used = false;
    session->changed = false;
    session->n_calls = 0;
}

/* Remembers a line that changed something, for `save`. */
static void record(struct session *session, const char *source, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", source[size - 1]) != NULL)
        size--;
    text_add(&session->script, source, size);
    text_char(&session->script, '\n');
}

bool session_run(struct session *session, const char *source, size_t size, struct doc *out,
                 struct error *reterr)
{
    struct doc shown;
    struct statement *statement = NULL;
    doc_init(&shown);
    begin_line(session, source);
    bool ok = parse(&session->arena, source, size, &statement, reterr);
    for (; ok && statement != NULL; statement = statement->next)
        ok = run_statement(session, statement, &shown, reterr);
    if (ok) {
        add_notes(session, &shown);
        doc_append(out, &shown, 0);
        ok = doc_check(&shown, reterr) && doc_check(out, reterr);
    }
    if (!ok)
        roll_back(session);
    else if (session->changed)
        record(session, source, size);
    change_clear(&session->journal);
    arena_clear(&session->arena);
    doc_release(&shown);
    return ok;
}

/* One line of a file, with an arena of its own: the line that loads it is still in use. */
static bool run_inner_line(struct session *session, const char *source, size_t size,
                           struct doc *out, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *outer = session->source;
    session->source = source;
    bool ok = parse(&arena, source, size, &statement, reterr);
    for (; ok && statement != NULL; statement = statement->next)
        ok = run_statement(session, statement, out, reterr);
    session->source = outer;
    arena_release(&arena);
    return ok;
}

bool session_run_inside(struct session *session, const char *name, const char *source, size_t size,
                        struct doc *out, struct error *reterr)
{
    if (session->n_calls >= SESSION_MAX_CALLS / 10)
        return error_set(reterr, ERR_LIMIT, "load: files load each other more than %d deep",
                         SESSION_MAX_CALLS / 10);
    bool ok = true;
    size_t line = 1;
    session->n_calls++;
    for (size_t start = 0, length; ok && start < size; start += length) {
        bool open;
        length = lexer_line(source + start, size - start, &open);
        ok = run_inner_line(session, source + start, length, out, reterr);
        for (size_t i = 0; ok && i < length; i++)
            line += source[start + i] == '\n';
    }
    session->n_calls--;
    if (!ok && reterr != NULL) {
        char text[sizeof reterr->text];
        snprintf(text, sizeof text, "%.100s, line %zu: %.340s", name, line, reterr->text);
        memcpy(reterr->text, text, sizeof text);
        reterr->begin = reterr->end = 0;
    }
    return ok;
}

bool session_run_script(struct session *session, const char *source, size_t size, struct doc *out,
                        void (*after_line)(void *context, struct doc *out), void *context,
                        size_t *ret_line, size_t *ret_start, struct error *reterr)
{
    size_t line = 1, start = 0;
    while (start < size && !session->wants_quit) {
        bool open;
        size_t length = lexer_line(source + start, size - start, &open);
        if (!session_run(session, source + start, length, out, reterr)) {
            *ret_line = line;
            *ret_start = start;
            return false;
        }
        if (after_line != NULL) {
            after_line(context, out);
            doc_clear(out);
        }
        for (size_t i = 0; i < length; i++)
            line += source[start + i] == '\n';
        start += length;
    }
    return true;
}
