/* See session.h. */
#include "lang/session/session.h"

#include <string.h>

#include "graph/node.h"
#include "lang/builtins/embeddings.h"
#include "lang/session/python_internal.h"
#include "lang/session/eval.h"
#include "lang/session/statement.h"
#include "lang/session/transaction_internal.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"
#include "show/doc.h"
#include "tensor/random.h"

static const struct command *find_no_command(const char *name, size_t size)
{
    (void)name;
    (void)size;
    return NULL;
}

void session_init(struct session *session, command_lookup *find_command,
                  const struct settings *settings, const char *data_dir,
                  const volatile sig_atomic_t *stop)
{
    *session =
        (struct session){.find_command = find_command != NULL ? find_command : find_no_command,
                         .settings = *settings,
                         .data_dir = data_dir,
                         .loop_mib = SESSION_LOOP_MIB};
    session->graph.stop = stop;
    random_seed(&session->random, SESSION_FIRST_SEED);
}

void session_release(struct session *session)
{
    names_release(&session->names);
    whatif_state_release(&session->whatif);
    transaction_release(&session->transaction);
    past_release(&session->past);
    steps_release(&session->steps);
    drawing_release(&session->drawing);
    drawing_release(&session->matrix);
    drawing_release(&session->new_drawing);
    embeddings_free(session->embeddings);
    text_release(&session->script);
    text_release(&session->notes);
    text_release(&session->beside);
    arena_release(&session->arena);
    python_free(session->python); /* last: names may hold what it made */
    *session = (struct session){0};
}

static void begin_line(struct session *session, const char *source)
{
    session_begin(session);
    session->lacked = false;
    session->source = source;
    session->n_calls = 0;
    session->n_loops = 0;
    session->n_turns = 0;
    session->depth = 0;
}

/* What the line drew is what was drawn last. */
static void take_drawing(struct session *session)
{
    struct last_drawing *new = &session->new_drawing;
    bool is_picture = !new->is_matrix && !new->is_partial;
    struct transaction *line = &session->transaction;
    struct last_drawing *kept = is_picture ? &session->drawing : &session->matrix;
    struct last_drawing *before = is_picture ? &line->drawing : &line->matrix;
    if (new->n == 0)
        return;
    *before = *kept; /* the transaction's, until it ends */
    *kept = *new;
    *new = (struct last_drawing){.n = 0};
    *(is_picture ? &session->n_drawings : &session->n_matrices) += 1;
}

/* The changes of the line stay, or not; its tree and its notes go. */
static void end_line(struct session *session, bool commit)
{
    if (commit)
        take_drawing(session);
    drawing_release(&session->new_drawing);
    python_end_line(session, commit);
    if (commit)
        session_commit(session);
    else
        session_roll_back(session);
    text_clear(&session->notes);
    text_clear(&session->beside);
    arena_clear(&session->arena);
}

/* Remembers text that changed something, for `save`. */
static bool record(struct session *session, const char *source, size_t size, struct error *reterr)
{
    if (!session->transaction.changed)
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
    bool changed = session->transaction.changed;
    session->transaction.changed = false;
    bool ok = statement_run(session, statement, out, reterr) &&
              (is_command(statement, "load") ||
               record(session, text, statement->end - statement->begin, reterr));
    session->transaction.changed = session->transaction.changed || changed;
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
    bool is_reset = first != NULL && first->next == NULL && is_command(first, "reset");
    for (const struct statement *s = first; ok && s != NULL; s = s->next)
        ok = loads ? run_and_record(session, s, out, reterr)
                   : statement_run(session, s, out, reterr);
    return ok && (loads || is_reset || record(session, session->source, size, reterr));
}

static bool add_notes(struct session *session, struct doc *out, struct error *reterr)
{
    if (session->notes.failed)
        return error_memory(reterr, "a note");
    doc_wrap(out, STYLE_NOTE, text_string(&session->notes), session->settings.width_cols, 0);
    return doc_check(out, reterr);
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

/* Whether a line that the parser of formulas refused, for the reason in *error, is Python; without
 * memory *error says that. */
static bool reads_as_python(const struct session *session, const char *source, size_t size,
                            struct error *error)
{
    return (error == NULL || error->kind == ERR_SYNTAX) &&
           python_can_read(session, source, size, error);
}

bool session_read_line(struct session *session, struct arena *arena, const char *source,
                       size_t size, struct session_line *ret, struct error *reterr)
{
    struct statement *first = NULL;
    bool ok = parser_parse_line(arena, session->find_command, source, size, &first, reterr);
    *ret = (struct session_line){.source = source, .size = size, .first = first};
    ret->is_cell = !ok && reads_as_python(session, source, size, reterr);
    return ok || ret->is_cell;
}

static bool run_cell(struct session *session, size_t size, struct doc *out, struct error *reterr)
{
    struct node *shown;
    bool ok = python_run(session, 0, size, out, &shown, reterr);
    node_free(shown);
    return ok && record(session, session->source, size, reterr);
}

/* After begin_line(). */
static bool run_line(struct session *session, const struct session_line *line, struct doc *out,
                     struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = (line->is_cell ? run_cell(session, line->size, &shown, reterr)
                             : run_statements(session, line->first, line->size, &shown, reterr)) &&
              add_notes(session, &shown, reterr) &&
              (!session->new_drawing.source.failed || error_memory(reterr, "the picture")) &&
              past_make_room(&session->past, reterr) && hand_over(&shown, out, reterr);
    bool has_memory = reterr == NULL || reterr->kind != ERR_MEMORY;
    if (!ok && session->python != NULL && has_memory) /* what Python had printed before */
        (void)hand_over(&shown, out, NULL);
    doc_release(&shown);
    return ok;
}

bool session_run_line(struct session *session, const struct session_line *line, struct doc *out,
                      struct error *reterr)
{
    begin_line(session, line->source);
    bool ok = run_line(session, line, out, reterr);
    end_line(session, ok);
    return ok;
}

bool session_run(struct session *session, const char *source, size_t size, struct doc *out,
                 struct error *reterr)
{
    struct session_line line;
    begin_line(session, source);
    bool ok = session_read_line(session, &session->arena, source, size, &line, reterr) &&
              run_line(session, &line, out, reterr);
    end_line(session, ok);
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
    bool ok = parser_parse_line(&arena, session->find_command, source, size, &statement, reterr);
    if (!ok && reads_as_python(session, source, size, reterr))
        ok = run_cell(session, size, out, reterr);
    else
        for (; ok && statement != NULL; statement = statement->next)
            ok = run_and_record(session, statement, out, reterr);
    session->source = outer;
    arena_release(&arena);
    return ok;
}

/* How many rows end in a line. */
static size_t count_rows(const char *line, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += line[i] == '\n';
    return n;
}

/* Runs lines as part of the line under way. *row goes on from row to row, and ends at the line that
 * failed; the error has no place then. */
static bool run_inner_lines(struct session *session, const char *source, size_t size, size_t *row,
                            struct doc *out, struct error *reterr)
{
    bool ok = true, open;
    for (size_t start = 0, length; ok && start < size; start += length) {
        length = lexer_line(source + start, size - start, &open);
        ok = run_inner_line(session, source + start, length, out, reterr);
        *row += ok ? count_rows(source + start, length) : 0;
    }
    if (!ok && reterr != NULL)
        reterr->begin = reterr->end = 0;
    return ok;
}

bool session_run_inside(struct session *session, const char *name, const char *source, size_t size,
                        struct doc *out, struct error *reterr)
{
    if (session->n_calls >= SESSION_MAX_CALLS / 10)
        return error_set(reterr, ERR_LIMIT, "load: files load each other more than %d deep",
                         SESSION_MAX_CALLS / 10);
    size_t row = 1;
    session->n_calls++;
    bool ok = run_inner_lines(session, source, size, &row, out, reterr);
    session->n_calls--;
    if (!ok)
        error_prefix(reterr, "%.100s, line %zu: ", name, row);
    return ok;
}

static bool run_script_line(struct session *session, const struct script *script, const char *line,
                            size_t size, struct doc *out, struct error *reterr)
{
    bool is_answered = false, ok = true;
    if (script->answer != NULL && memchr(line, '\0', size) == NULL) {
        struct text copy = {0};
        text_add(&copy, line, size);
        ok = copy.failed ? error_memory(reterr, "a line")
                         : script->answer(session, text_string(&copy), out, &is_answered, reterr);
        text_release(&copy);
    }
    return ok && (is_answered || session_run(session, line, size, out, reterr));
}

bool session_run_script(struct session *session, struct script *script, struct doc *out,
                        struct error *reterr)
{
    script->row = 1;
    script->start = 0;
    while (script->start < script->size && !session->wants_quit) {
        bool open;
        const char *line = script->source + script->start;
        size_t length = lexer_line(line, script->size - script->start, &open);
        if (!run_script_line(session, script, line, length, out, reterr))
            return false;
        if (script->after_line != NULL) {
            script->after_line(script->context, out);
            doc_clear(out);
        }
        script->row += count_rows(line, length);
        script->start += length;
    }
    return true;
}

static bool eval_alone(struct session *session, const char *expression, struct value *ret,
                       struct error *reterr)
{
    struct statement *statement = NULL;
    size_t size = strlen(expression);
    session->source = expression;
    if (!parser_parse_line(&session->arena, session->find_command, expression, size, &statement,
                           reterr))
        return false;
    bool single = statement != NULL && statement->next == NULL;
    if (single && statement->kind == STATEMENT_ASSIGN)
        return error_set(reterr, ERR_SYNTAX,
                         "one expression is expected here, without a name and the = before it");
    if (!single || statement->kind != STATEMENT_EXPRESSION)
        return error_set(reterr, ERR_SYNTAX,
                         "one expression is expected here, such as 0.5 or X @ X.T");
    return expr_eval(session, statement->value, ret, reterr);
}

bool session_peek(struct session *session, const char *lines, const char *expression,
                  struct value *ret, struct error *reterr)
{
    struct value value = {.kind = VALUE_ABSENT};
    struct doc shown; /* by the lines: of no interest */
    size_t row = 1;
    bool was_author = session->is_author;
    doc_init(&shown);
    begin_line(session, expression);
    bool ok = lines == NULL || run_inner_lines(session, lines, strlen(lines), &row, &shown, reterr);
    session->is_author = true;
    ok = ok && eval_alone(session, expression, &value, reterr);
    session->is_author = was_author;
    end_line(session, false);
    doc_release(&shown);
    if (ok)
        *ret = value;
    else
        value_release(&value);
    return ok;
}

bool session_draw_again(struct session *session, size_t width_cols, size_t extra_lines,
                        struct doc *out, struct error *reterr)
{
    const struct last_drawing *drawing = &session->drawing;
    struct settings before = session->settings;
    size_t script_size = session->script.size;
    if (drawing->n == 0)
        return error_set(reterr, ERR_NAME, "there is no picture to draw again");
    session->draws_again = true;
    session->n_drawn = 0;
    session->settings.width_cols = width_cols;
    session->settings.extra_lines = extra_lines;
    bool ok = session_run(session, drawing->source.bytes, drawing->source.size, out, reterr);
    session->settings.width_cols = before.width_cols;
    session->settings.extra_lines = before.extra_lines;
    session->draws_again = false;
    text_shrink(&session->script, script_size);
    return ok;
}
