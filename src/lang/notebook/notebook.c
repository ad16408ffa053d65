/* See notebook.h. */
#include "lang/notebook/notebook.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"
#include "lang/notebook/notebook_internal.h"
#include "lang/notebook/shape_error_internal.h"
#include "lang/syntax/parser.h"

enum { PRINT_AT_ONCE = 8192 };

/* ---- printing ---- */

void notebook_hand_on(struct machine *m)
{
    if (m->out.size > 0 && m->options.print != NULL)
        m->options.print(m->options.context, m->out.bytes, m->out.size);
    text_clear(&m->out);
}

void machine_print(struct machine *m, const char *bytes, size_t size)
{
    text_add(&m->out, bytes, size);
    if (m->out.size >= PRINT_AT_ONCE)
        notebook_hand_on(m);
}

void machine_print_error(struct machine *m, const char *bytes, size_t size)
{
    notebook_hand_on(m);
    if (size > 0 && m->options.print_error != NULL)
        m->options.print_error(m->options.context, bytes, size);
}

/* ---- units ---- */

static void free_unit(struct unit *unit)
{
    arena_release(&unit->arena);
    free(unit->source);
    free(unit->rows);
    free(unit);
}

static struct unit *new_unit(const char *name, const char *source, size_t size)
{
    struct unit *unit = calloc(1, sizeof *unit);
    size_t n = 1;
    if (unit == NULL)
        return NULL;
    for (size_t i = 0; i < size; i++)
        n += source[i] == '\n';
    unit->source = malloc(size + 1);
    unit->rows = malloc(n * sizeof *unit->rows);
    unit->name = arena_copy(&unit->arena, name, strlen(name));
    if (unit->source == NULL || unit->rows == NULL || unit->name == NULL) {
        free_unit(unit);
        return NULL;
    }
    memcpy(unit->source, source, size);
    unit->source[size] = '\0';
    unit->size = size;
    unit->rows[unit->n_rows++] = 0;
    for (size_t i = 0; i < size; i++)
        if (source[i] == '\n')
            unit->rows[unit->n_rows++] = i + 1;
    return unit;
}

static struct unit *add_unit(struct machine *m, const char *name, const char *prefix,
                             const char *source, size_t size)
{
    struct unit *unit = new_unit(name, source, size);
    if (unit == NULL) {
        raise_memory(m);
        return NULL;
    }
    unit->next = m->units;
    unit->prefix = prefix;
    m->units = unit;
    return unit;
}

bool machine_run_module(struct machine *m, const char *name, const char *source)
{
    struct program program;
    struct error error = {0};
    struct value ignored;
    struct unit *unit = add_unit(m, name, name, source, strlen(source));
    if (unit == NULL)
        return false;
    if (!parser_parse_cell(&unit->arena, unit->source, unit->size, &program, &error))
        return error.kind == ERR_MEMORY ? raise_memory(m)
                                        : raise_error(m, ERROR_SYNTAX, "%s", error.text);
    const struct code *code = compile_cell(m, unit, program.first, false);
    if (code == NULL || !machine_run_code(m, code, &ignored))
        return false;
    value_drop(ignored);
    return true;
}

static bool add_lacking(struct machine *m, const char *bytes, size_t size)
{
    struct string *name = intern(m, bytes, size);
    return name != NULL && (table_find_name(m->lacking, name) != NULL ||
                            table_put_name(m->lacking, name, value_none()) || raise_memory(m));
}

/* The names that a row makes: those before an equals sign, and that of a class or function. */
static bool note_words(struct machine *m, const char *at, const char *end)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    struct {
        const char *at;
        size_t size;
    } names[8];
    size_t n = 0, size;
    bool is_defined = false, ok = true;
    while (n < COUNT_OF(names) && (size = strspn(at, letters)) > 0) {
        bool is_word = text_equals(at, size, "class") || text_equals(at, size, "def");
        is_defined = is_defined || is_word;
        names[n].at = at;
        names[n].size = size;
        n += !is_word;
        at += size;
        at += strspn(at, is_word ? " " : " ,");
    }
    bool makes = is_defined || (at < end && at[0] == '=' && at[1] != '=');
    for (size_t i = 0; ok && makes && i < (is_defined && n > 0 ? 1 : n); i++)
        ok = add_lacking(m, names[i].at, names[i].size);
    return ok;
}

/* Remembers the names that the rows of a statement would have made. */
static bool note_lacking(struct machine *m, const char *at, const char *end)
{
    bool ok = true;
    while (ok && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *row_end = newline != NULL ? newline : end;
        at += strspn(at, " \t");
        ok = at >= row_end || note_words(m, at, row_end);
        at = row_end + 1;
    }
    return ok;
}

static size_t row_begin(const struct unit *unit, size_t at)
{
    at = at < unit->size ? at : unit->size;
    while (at > 0 && unit->source[at - 1] != '\n')
        at--;
    return at;
}

/* The rows of a statement. One that can't be read knows only where it went wrong: its rows reach up
 * to the next statement. */
static void rows_of(const struct unit *unit, const struct statement *s, size_t *ret_begin,
                    size_t *ret_end)
{
    bool is_refused = s->kind == STATEMENT_REFUSED;
    *ret_begin = row_begin(unit, s->begin);
    *ret_end = !is_refused       ? s->end
               : s->next != NULL ? row_begin(unit, s->next->begin)
                                 : unit->size;
}

/* How many rows of a statement hold code. */
static size_t count_lines(const struct unit *unit, const struct statement *s)
{
    size_t n = 0, at, end;
    for (rows_of(unit, s, &at, &end); at < end;) {
        const char *row = unit->source + at;
        const char *newline = memchr(row, '\n', end - at);
        size_t size = newline != NULL ? (size_t)(newline - row) : end - at;
        size_t blank = strspn(row, " \t");
        n += blank < size && row[blank] != '#';
        at += size + 1;
    }
    return n;
}

/* They are unlinked when they run. */
static bool keep_statements(struct unit *unit, struct statement *first)
{
    size_t n = 0;
    unit->statements =
        arena_take(&unit->arena, (unit->n_statements + 1) * sizeof(struct statement *));
    for (struct statement *s = first; unit->statements != NULL && s != NULL; s = s->next)
        unit->statements[n++] = s;
    return unit->statements != NULL;
}

enum { LACKS_SHOWN = 4 };

/* Adds where and why the statement failed whose error is raised. */
static void write_lack(struct machine *m, struct lacks *lacks)
{
    const struct instance *error = THING_AS(instance, m->raised);
    struct text message = {0};
    bool needs_name = class_is(error->class, m->errors[ERROR_NAME]);
    if (++lacks->n > LACKS_SHOWN)
        return;
    text_format(&lacks->reasons, "; line %u", error->row);
    if (needs_name) { /* which the reason before it would have made */
        text_put(&lacks->reasons, " needs it");
    } else if (value_str(m, m->raised, &message)) {
        text_format(&lacks->reasons, ": %s", text_string(&message));
    }
    text_release(&message);
}

bool machine_run_statements(struct machine *m, const char *name, const char *source, size_t size,
                            struct lacks *lacks, struct value *ret)
{
    struct program program;
    struct error error = {0};
    *ret = value_absent();
    if (size > CELL_MAX_BYTES) /* before it is copied */
        return parser_parse_cell(NULL, source, size, &program, &error) ||
               raise_error(m, ERROR_SYNTAX, "%s", error.text);
    struct unit *unit = add_unit(m, name, NULL, source, size);
    if (unit == NULL)
        return false;
    if (!parser_parse_cell(&unit->arena, unit->source, unit->size, &program, &error))
        return error.kind == ERR_MEMORY ? raise_memory(m)
                                        : raise_error(m, ERROR_SYNTAX, "%s", error.text);
    for (const struct statement *s = program.first; s != NULL; s = s->next) {
        lacks->n_lines += count_lines(unit, s);
        unit->n_statements++;
    }
    if (!keep_statements(unit, program.first))
        return raise_memory(m);
    for (struct statement *s = program.first, *next; s != NULL; s = next) {
        size_t n = count_lines(unit, s), begin, end;
        rows_of(unit, s, &begin, &end);
        next = s->next;
        s->next = NULL;
        value_put(ret, value_absent());
        const struct code *code = compile_cell(
            m, unit, s, next == NULL && (m->options.host != NULL || m->options.shows_value));
        if (code != NULL && machine_run_code(m, code, ret)) {
            lacks->n_ran += n;
            continue;
        }
        *ret = value_absent();
        bool is_lack =
            value_is(m->raised, THING_INSTANCE) && THING_AS(instance, m->raised)->is_lack;
        m->lacked = is_lack;
        if (is_lack && m->options.host != NULL)
            return note_lacking(m, unit->source + begin, unit->source + end) && false;
        if (!is_lack || !note_lacking(m, unit->source + begin, unit->source + end))
            return false;
        write_lack(m, lacks);
        raised_clear(m);
    }
    return true;
}

/* ---- beginning and end ---- */

static bool machine_init(struct machine *m)
{
    things_init(&m->things);
    m->interned = table_new(&m->things, THING_SET);
    m->builtins = table_new(&m->things, THING_DICT);
    m->modules = table_new(&m->things, THING_DICT);
    m->global_places = table_new(&m->things, THING_DICT);
    m->lacking = table_new(&m->things, THING_SET);
    m->stack = malloc(MACHINE_STACK * sizeof *m->stack);
    if (m->interned == NULL || m->builtins == NULL || m->modules == NULL ||
        m->global_places == NULL || m->lacking == NULL || m->stack == NULL ||
        !make_tuple(m, NULL, 0, &m->empty_tuple) || !make_str(m, "", 0, &m->empty_str) ||
        !classes_init(m) || !errors_init(m))
        return false;
    for (int i = 0; i < 2; i++) {
        struct instance *one = thing_new(&m->things, THING_INSTANCE, 0);
        if (one == NULL)
            return false;
        one->class = m->classes[i ? CLASS_NOT_IMPLEMENTED : CLASS_ELLIPSIS];
        one->class->thing.n_owners++;
        *(i ? &m->not_implemented : &m->ellipsis) = value_thing(one);
        struct string *name = intern(m, i ? "NotImplemented" : "Ellipsis", i ? 14 : 8);
        if (name == NULL || !table_put_name(m->builtins, name, value_take(value_thing(one))))
            return false;
    }
    for (size_t i = 0; i < functions_of_python.n; i++)
        if (!add_native(m, m->builtins, &functions_of_python.rows[i]))
            return false;
    return true;
}

static bool set_main(struct machine *m)
{
    struct value v;
    struct string *name = intern(m, "__name__", 8);
    if (name == NULL || !machine_add_global(m, name) || !make_str(m, "__main__", 8, &v))
        return false;
    m->globals[m->n_globals - 1] = v;
    return true;
}

struct notebook *notebook_new(const struct notebook_options *options)
{
    struct notebook *notebook = calloc(1, sizeof *notebook);
    if (notebook == NULL)
        return NULL;
    notebook->machine.options = *options;
    notebook->machine.own_graph.stop = options->stop;
    notebook->machine.graph =
        options->host != NULL ? options->host->graph : &notebook->machine.own_graph;
    if (notebook->machine.options.most_bytes == 0)
        notebook->machine.options.most_bytes = (size_t)2 << 30;
    if (machine_init(&notebook->machine) && set_main(&notebook->machine))
        return notebook;
    notebook_free(notebook);
    return NULL;
}

void notebook_free(struct notebook *notebook)
{
    if (notebook == NULL)
        return;
    struct machine *m = &notebook->machine;
    snapshot_release(&notebook->before);
    for (size_t i = 0; i < m->n_globals; i++)
        value_drop(m->globals[i]);
    for (struct code *code = m->codes; code != NULL; code = code->next)
        for (size_t i = 0; i < code->n_constants; i++)
            value_drop(code->constants[i]);
    raised_clear(m);
    value_drop(m->empty_str);
    things_release(&m->things);
    torch_free(m);
    numpy_free(m);
    for (struct unit *unit = m->units, *next; unit != NULL; unit = next) {
        next = unit->next;
        free_unit(unit);
    }
    free(m->globals);
    free(m->stack);
    warnings_release(&m->warnings);
    text_release(&m->out);
    arena_release(&m->axes);
    text_release(&notebook->message);
    free(notebook);
}

/* ---- running ---- */

/* sys.exit(): a number is the code, None 0, and a text is printed as an error. */
static int exit_code(struct machine *m, struct value error, struct text *trace)
{
    const struct tuple *args = THING_AS(tuple, THING_AS(instance, error)->payload);
    if (args->n == 0 || args->items[0].kind == VALUE_NONE)
        return 0;
    if (args->items[0].kind == VALUE_INT || args->items[0].kind == VALUE_BOOL)
        return (int)(args->items[0].as.whole & 0xFF);
    if (value_str(m, args->items[0], trace))
        text_char(trace, '\n');
    return 1;
}

/* "attn: FILE: 12 of 14 lines ran; line 9: ..."; releases the reasons. */
static void tell_lacks(struct lacks *lacks, const char *name, struct text *trace)
{
    if (lacks->n > 0)
        text_format(trace, "attn: %s: %zu of %zu lines ran%s", name, lacks->n_ran, lacks->n_lines,
                    text_string(&lacks->reasons));
    if (lacks->n > LACKS_SHOWN)
        text_format(trace, "; %zu more line%s did not run", lacks->n - LACKS_SHOWN,
                    lacks->n - LACKS_SHOWN == 1 ? "" : "s");
    if (lacks->n > 0)
        text_char(trace, '\n');
    text_release(&lacks->reasons);
}

/* Whether a cell ends with ; after which Jupyter shows no value. */
static bool is_silenced(const char *source, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", source[size - 1]) != NULL)
        size--;
    return size > 0 && source[size - 1] == ';';
}

/* Prints a value as Jupyter does below a cell: python/_pretty.py. */
static bool show_value(struct machine *m, struct value v)
{
    struct value module, show, ignored;
    struct string *name = intern(m, "show", 4);
    if (v.kind == VALUE_NONE || v.kind == VALUE_ABSENT)
        return true;
    if (name == NULL || !module_import(m, "_pretty", 7, &module))
        return false;
    bool ok = attribute_get(m, module, name, &show);
    value_drop(module);
    if (!ok)
        return false;
    ok = machine_call(m, show, &v, 1, NULL, &ignored);
    value_drop(show);
    if (ok)
        value_drop(ignored);
    return ok;
}

void notebook_keep_message(struct notebook *notebook, struct value error)
{
    if (!value_str(&notebook->machine, error, &notebook->message)) {
        raised_clear(&notebook->machine);
        text_clear(&notebook->message);
    }
}

void notebook_explain(const struct notebook *notebook, struct text *out)
{
    if (notebook->message.size > 0 && !notebook->message.failed)
        shape_error_explain(notebook, notebook->message.bytes, out);
}

enum notebook_end notebook_run(struct notebook *notebook, const char *name, const char *source,
                               size_t size, struct text *trace, int *ret_code)
{
    struct machine *m = &notebook->machine;
    struct value result = value_absent(), error;
    enum notebook_end end = NOTEBOOK_FAILED;
    struct lacks lacks = {0};
    bool ok = machine_run_statements(m, name, source, size, &lacks, &result);
    if (ok && m->options.shows_value && !is_silenced(source, size)) {
        ok = show_value(m, result);
        if (!ok)
            value_drop(result);
    }
    notebook_hand_on(m);
    *ret_code = 0;
    text_clear(&notebook->message);
    if (ok) {
        value_drop(result);
        tell_lacks(&lacks, name, trace);
        return lacks.n > 0 ? NOTEBOOK_LACKED : NOTEBOOK_DONE;
    }
    error = m->raised;
    m->raised = value_absent();
    if (!value_is(error, THING_INSTANCE)) {
        text_put(trace, "MemoryError\n");
    } else if (class_is(THING_AS(instance, error)->class, m->errors[ERROR_EXIT])) {
        *ret_code = exit_code(m, error, trace);
        end = NOTEBOOK_EXIT;
    } else {
        error_write_trace(m, error, trace);
        notebook_keep_message(notebook, error);
    }
    value_drop(error);
    tell_lacks(&lacks, name, trace);
    notebook_hand_on(m);
    return end;
}
