/* See session.h. */
#include "lang/session/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/builtins/embeddings.h"
#include "lang/commands/command.h"
#include "lang/session/eval.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"
#include "lang/value/compose.h"
#include "show/number.h"

void session_init(struct session *session, const struct settings *settings, const char *data_dir,
                  const volatile sig_atomic_t *stop)
{
    *session =
        (struct session){.settings = *settings, .data_dir = data_dir, .loop_mib = SESSION_LOOP_MIB};
    session->graph.stop = stop;
    random_seed(&session->random, SESSION_FIRST_SEED);
}

static void whatif_release(struct whatif_state *whatif)
{
    change_release(&whatif->pending);
    for (size_t i = 0; i < whatif->n_undo; i++)
        change_release(&whatif->undo[i]);
    whatif->n_undo = 0;
}

void session_release(struct session *session)
{
    names_release(&session->names);
    whatif_release(&session->whatif);
    change_release(&session->journal);
    free(session->renamed);
    embeddings_free(session->embeddings);
    text_release(&session->script);
    text_release(&session->notes);
    arena_release(&session->arena);
    *session = (struct session){0};
}

/* Changes. */

bool change_add(struct change *change, const char *name, size_t size, struct value *value,
                struct error *reterr)
{
    char *copy = malloc(size + 1);
    struct named_value *items =
        array_grow(change->items, change->n, &change->capacity, sizeof *items);
    if (items != NULL)
        change->items = items;
    if (copy == NULL || items == NULL) {
        free(copy);
        return error_memory(reterr, "remembering a change");
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    items[change->n++] = (struct named_value){.name = copy, .value = *value};
    *value = (struct value){.kind = VALUE_ABSENT};
    return true;
}

static void change_clear(struct change *change)
{
    for (size_t i = 0; i < change->n; i++) {
        free(change->items[i].name);
        value_release(&change->items[i].value);
    }
    change->n = 0;
}

void change_release(struct change *change)
{
    change_clear(change);
    free(change->items);
    *change = (struct change){0};
}

static bool change_copy(const struct change *from, struct change *ret, struct error *reterr)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct named_value *item = &from->items[i];
        struct value value = value_share(&item->value);
        if (!change_add(ret, item->name, strlen(item->name), &value, reterr)) {
            value_release(&value);
            return false;
        }
    }
    return true;
}

/* Binding names. */

/* True for a tensor made in the line under way: when the line fails, it is gone. */
static bool is_new(const struct session *session, const struct node *node)
{
    return node->id > session->old_last_id;
}

/* How far back is looked for what a loop did in its last turn. */
enum { LOOK_BACK = 64 };

/* Whether the name that a tensor had before the line is remembered already. */
static bool is_renamed(const struct session *session, const struct node *node)
{
    size_t n = session->n_renamed, first = n > LOOK_BACK ? n - LOOK_BACK : 0;
    for (size_t i = first; i < n; i++)
        if (session->renamed[i].node == node)
            return true;
    return false;
}

/* Gives a tensor the name prefix + name, and remembers the one it had before the line. */
static bool rename_node(struct session *session, struct node *node, const char *prefix,
                        const char *name, size_t size, struct error *reterr)
{
    struct renamed *renamed = array_grow(session->renamed, session->n_renamed,
                                         &session->renamed_capacity, sizeof *renamed);
    size_t prefix_size = strlen(prefix);
    char *copy = malloc(prefix_size + size + 1);
    if (renamed != NULL)
        session->renamed = renamed;
    if (renamed == NULL || copy == NULL) {
        free(copy);
        return error_memory(reterr, "a name");
    }
    memcpy(copy, prefix, prefix_size);
    memcpy(copy + prefix_size, name, size);
    copy[prefix_size + size] = '\0';
    if (is_new(session, node) || is_renamed(session, node)) /* a loop would remember without end */
        free(node->name);
    else
        renamed[session->n_renamed++] = (struct renamed){node_share(node), node->name};
    node->name = copy;
    return true;
}

static void forget_renamed(struct session *session, bool give_back)
{
    while (session->n_renamed > 0) {
        struct renamed *renamed = &session->renamed[--session->n_renamed];
        free(give_back ? renamed->node->name : renamed->name);
        if (give_back)
            renamed->node->name = renamed->name;
        node_free(renamed->node);
    }
}

/* The old tensor of a name that now means another one: where it lives on, it is shown under another
 * of its names, or as "old X". */
static bool rename_old(struct session *session, const struct value *old, const char *name,
                       struct error *reterr)
{
    struct node *node = old->kind == VALUE_NODE ? old->as.node : NULL;
    if (node == NULL || node->n_owners == 1 || node->name == NULL || strcmp(node->name, name) != 0)
        return true;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *other = &session->names.variables[i];
        if (other->value.kind == VALUE_NODE && other->value.as.node == node)
            return rename_node(session, node, "", other->name, other->size, reterr);
    }
    return rename_node(session, node, "old ", name, strlen(name), reterr);
}

/* True for a tensor without a name, and for one that lost its own. */
static bool takes_name(const struct value *value)
{
    const char *own = value->kind == VALUE_NODE ? value->as.node->name : "";
    return own == NULL || strncmp(own, "old ", 4) == 0;
}

/* Whether the journal's last entry is not the first of its name. A new tensor was bound by the line
 * itself, which has an entry since then; for other values, some entries are searched. */
static bool is_known(const struct session *session, const struct named_value *last)
{
    if (last->value.kind == VALUE_NODE && is_new(session, last->value.as.node))
        return true;
    size_t n = session->journal.n - 1, first = n > LOOK_BACK ? n - LOOK_BACK : 0;
    for (size_t i = first; i < n; i++)
        if (strcmp(session->journal.items[i].name, last->name) == 0)
            return true;
    return false;
}

/* Takes the last entry out of the journal where an older one says what the name had before the
 * line: a loop that binds it each turn would fill all memory. */
static void forget_known(struct session *session, struct named_value *last)
{
    if (!is_known(session, last))
        return;
    free(last->name);
    value_release(&last->value);
    session->journal.n--;
}

bool session_bind(struct session *session, const char *name, size_t size, struct value *value,
                  struct error *reterr)
{
    struct value nothing = {.kind = VALUE_ABSENT};
    if (takes_name(value) && !rename_node(session, value->as.node, "", name, size, reterr))
        return false;
    if (!change_add(&session->journal, name, size, &nothing, reterr))
        return false;
    struct named_value *item = &session->journal.items[session->journal.n - 1];
    if (!names_set(&session->names, name, size, value, &item->value, reterr)) {
        free(item->name);
        session->journal.n--;
        return false;
    }
    session->changed = true;
    bool ok = rename_old(session, &item->value, item->name, reterr);
    forget_known(session, item);
    return ok;
}

/* The end of a failing line: all is as it was before. */
static void roll_back(struct session *session)
{
    for (size_t i = session->journal.n; i-- > 0;) {
        struct named_value *item = &session->journal.items[i];
        struct value newer;
        if (names_set(&session->names, item->name, strlen(item->name), &item->value, &newer, NULL))
            value_release(&newer);
    }
    names_shrink(&session->names, session->old_n_names);
    forget_renamed(session, true);
    session->settings = session->old_settings;
    session->wants_quit = session->old_wants_quit;
    if (session->random_used)
        session->random = session->old_random;
    if (session->whatif_used) {
        struct whatif_state newer = session->whatif;
        session->whatif = session->old_whatif;
        session->old_whatif = newer;
    }
    text_shrink(&session->script, session->old_script_size);
}

/* The end of a line that worked. */
static void commit(struct session *session)
{
    struct text *script = &session->script;
    forget_renamed(session, false);
    if (session->forgets_script && script->size > 0) {
        size_t left = script->size - session->old_script_size;
        memmove(script->bytes, script->bytes + session->old_script_size, left);
        text_shrink(script, left);
    }
}

struct random *session_random(struct session *session)
{
    if (!session->random_used)
        session->old_random = session->random;
    session->random_used = true;
    session->changed = true;
    return &session->random;
}

struct whatif_state *session_whatif(struct session *session, struct error *reterr)
{
    session->changed = true;
    if (session->whatif_used)
        return &session->whatif;
    struct whatif_state *old = &session->old_whatif;
    bool ok = change_copy(&session->whatif.pending, &old->pending, reterr);
    for (size_t i = 0; ok && i < session->whatif.n_undo; i++) {
        old->n_undo = i + 1;
        ok = change_copy(&session->whatif.undo[i], &old->undo[i], reterr);
    }
    if (!ok) {
        whatif_release(old);
        return NULL;
    }
    session->whatif_used = true;
    return &session->whatif;
}

bool session_reset(struct session *session, struct error *reterr)
{
    struct whatif_state *whatif = session_whatif(session, reterr);
    if (whatif == NULL)
        return false;
    whatif_release(whatif);
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        struct value nothing = {.kind = VALUE_ABSENT};
        if (variable->value.kind != VALUE_ABSENT &&
            !session_bind(session, variable->name, variable->size, &nothing, reterr))
            return false;
    }
    random_seed(session_random(session), SESSION_FIRST_SEED);
    session->forgets_script = true;
    return true;
}

bool session_may_use_files(const struct session *session, const char *what, struct error *reterr)
{
    return !session->settings.no_files ||
           error_set(reterr, ERR_FILE, "%s: files can't be read or written here", what);
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
    if (strstr(text_string(&session->notes), line) != NULL)
        return; /* said once already */
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

void session_echo(struct session *session, const struct expr *name, struct doc *out)
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

static bool text_equals(const struct expr *name, const char *word)
{
    return name->as.text.size == strlen(word) &&
           memcmp(name->as.text.bytes, word, name->as.text.size) == 0;
}

/* Words with a fixed meaning can't be names; commands can, but that is seldom meant. */
static bool check_target(struct session *session, const struct expr *name, struct error *reterr)
{
    static const char *const fixed[] = {"True", "False", "None"};
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (text_equals(name, fixed[i]))
            return error_set(reterr, ERR_NAME,
                             "%s: this word has a fixed meaning; choose another name", fixed[i]) ||
                   error_place(reterr, name);
    const struct command *command = command_find(name->as.text.bytes, name->as.text.size);
    if (command != NULL)
        session_note(session,
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
           error_place(reterr, target);
}

static bool wrong_number_of_values(const struct statement *statement, const struct value *value,
                                   struct error *reterr)
{
    char text[120];
    error_set(reterr, ERR_TYPE, "%zu names need %zu values, and the right side is %s",
              statement->n_targets, statement->n_targets, value_describe(value, text, sizeof text));
    return error_place(reterr, statement->value);
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
    if (value->kind != VALUE_LIST || value->as.list->n != n)
        return wrong_number_of_values(statement, value, reterr);
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

bool session_assign(struct session *session, const struct expr *name, struct value *value,
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
        session_echo(session, target->kind == EXPR_INDEX ? target->object : target, out);
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

/* A command that names no place in its words failed as a whole. Returns false. */
static bool place_command(const struct statement *statement, struct error *reterr)
{
    if (reterr != NULL && reterr->begin == reterr->end) {
        reterr->begin = statement->begin;
        reterr->end = statement->end;
    }
    return false;
}

bool session_run_statement(struct session *session, const struct statement *statement,
                           struct doc *out, struct error *reterr)
{
    switch (statement->kind) {
    case STATEMENT_ASSIGN:
        return run_assign(session, statement, reterr) &&
               (session->n_loops > 0 || echo_names(session, statement, out));
    case STATEMENT_DEFINE:
        return run_define(session, statement, reterr);
    case STATEMENT_EXPRESSION:
        return run_expression(session, statement, out, reterr);
    case STATEMENT_COMMAND:
        return statement->command->run(session, statement, out, reterr) ||
               place_command(statement, reterr);
    }
    return false;
}

static bool add_notes(struct session *session, struct doc *out, struct error *reterr)
{
    if (session->notes.failed)
        return error_memory(reterr, "a note");
    doc_wrap(out, STYLE_NOTE, text_string(&session->notes), session->settings.width_cols, 0);
    return doc_check(out, reterr);
}

static void begin_line(struct session *session, const char *source)
{
    session->source = source;
    session->old_n_names = session->names.n_variables;
    session->old_settings = session->settings;
    session->old_wants_quit = session->wants_quit;
    session->old_script_size = session->script.size;
    session->random_used = false;
    session->whatif_used = false;
    session->forgets_script = false;
    session->changed = false;
    session->n_calls = 0;
    session->n_loops = 0;
    session->n_turns = 0;
    session->depth = 0;
    session->old_last_id = session->graph.last_id;
}

static void end_line(struct session *session)
{
    if (session->whatif_used)
        whatif_release(&session->old_whatif);
    change_clear(&session->journal);
    text_clear(&session->notes);
    arena_clear(&session->arena);
}

/* Remembers text that changed something, for `save`. */
static bool record(struct session *session, const char *source, size_t size, struct error *reterr)
{
    if (!session->changed)
        return true;
    while (size > 0 && strchr(" \t\r\n", source[size - 1]) != NULL)
        size--;
    text_add(&session->script, source, size);
    text_char(&session->script, '\n');
    return !session->script.failed || error_memory(reterr, "remembering the line");
}

static bool is_command(const struct statement *statement, const char *name)
{
    return statement->kind == STATEMENT_COMMAND && strcmp(statement->command->name, name) == 0;
}

/* Runs one statement and remembers it by itself. Of a load, the statements of the file are
 * remembered instead: a script that loads the file it is saved to would never end. */
static bool run_and_record(struct session *session, const struct statement *statement,
                           struct doc *out, struct error *reterr)
{
    const char *text = session->source + statement->begin;
    bool changed = session->changed;
    session->changed = false;
    bool ok = session_run_statement(session, statement, out, reterr) &&
              (is_command(statement, "load") ||
               record(session, text, statement->end - statement->begin, reterr));
    session->changed = session->changed || changed;
    return ok;
}

/* Runs a line's statements and remembers the line, as it was typed where it loads nothing. A lone
 * reset begins a new script, and is no part of it: loading that would forget all other names. */
static bool run_statements(struct session *session, const struct statement *first, size_t size,
                           struct doc *out, struct error *reterr)
{
    bool ok = true, loads = false;
    for (const struct statement *s = first; s != NULL; s = s->next)
        loads = loads || is_command(s, "load");
    bool starts_anew = first != NULL && first->next == NULL && is_command(first, "reset");
    for (const struct statement *s = first; ok && s != NULL; s = s->next)
        ok = loads ? run_and_record(session, s, out, reterr)
                   : session_run_statement(session, s, out, reterr);
    return ok && (loads || starts_anew || record(session, session->source, size, reterr));
}

/* Adds all of shown to out, or nothing. */
static bool hand_over(const struct doc *shown, struct doc *out, struct error *reterr)
{
    size_t n_lines = out->n_lines, n_spans = out->n_spans, size = out->text.size;
    bool failed = out->failed;
    doc_append(out, shown, 0);
    if (!out->failed)
        return true;
    out->n_lines = n_lines;
    out->n_spans = n_spans;
    out->failed = failed;
    text_shrink(&out->text, size);
    return error_memory(reterr, "the text to show");
}

bool session_run(struct session *session, const char *source, size_t size, struct doc *out,
                 struct error *reterr)
{
    struct doc shown;
    struct statement *statement = NULL;
    doc_init(&shown);
    begin_line(session, source);
    bool ok = parse(&session->arena, source, size, &statement, reterr) &&
              run_statements(session, statement, size, &shown, reterr) &&
              add_notes(session, &shown, reterr) && hand_over(&shown, out, reterr);
    if (ok)
        commit(session);
    else
        roll_back(session);
    end_line(session);
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
        ok = run_and_record(session, statement, out, reterr);
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

/* Lines that prepare an expression; what they show is of no interest. */
static bool run_preparation(struct session *session, const char *lines, struct error *reterr)
{
    struct doc shown;
    bool ok = true, open;
    size_t size = lines != NULL ? strlen(lines) : 0;
    doc_init(&shown);
    for (size_t at = 0, length; ok && at < size; at += length) {
        length = lexer_line(lines + at, size - at, &open);
        ok = run_inner_line(session, lines + at, length, &shown, reterr);
    }
    doc_release(&shown);
    if (!ok && reterr != NULL)
        reterr->begin = reterr->end = 0;
    return ok;
}

static bool eval_alone(struct session *session, const char *expression, struct value *ret,
                       struct error *reterr)
{
    struct statement *statement = NULL;
    size_t size = strlen(expression);
    session->source = expression;
    if (!parse(&session->arena, expression, size, &statement, reterr))
        return false;
    bool single = statement != NULL && statement->next == NULL;
    if (!single || statement->kind != STATEMENT_EXPRESSION)
        return error_set(reterr, ERR_SYNTAX,
                         "one expression is expected here, such as 0.5 or X @ X.T");
    return eval(session, statement->value, ret, reterr);
}

bool session_peek(struct session *session, const char *lines, const char *expression,
                  struct value *ret, struct error *reterr)
{
    struct value value = {.kind = VALUE_ABSENT};
    begin_line(session, expression);
    bool ok =
        run_preparation(session, lines, reterr) && eval_alone(session, expression, &value, reterr);
    roll_back(session);
    end_line(session);
    if (ok)
        *ret = value;
    else
        value_release(&value);
    return ok;
}
