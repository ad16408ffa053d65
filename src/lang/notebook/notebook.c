/* See notebook.h. */
#include "lang/notebook/notebook.h"

#include <stdlib.h>
#include <string.h>

#include "lang/notebook/ndarray_internal.h"
#include "lang/syntax/parser.h"

struct notebook {
    struct machine machine;
};

enum { PRINT_AT_ONCE = 8192 };

/* ---- printing ---- */

static void hand_on(struct machine *m)
{
    if (m->out.size > 0 && m->options.print != NULL)
        m->options.print(m->options.context, m->out.bytes, m->out.size);
    text_clear(&m->out);
}

void machine_print(struct machine *m, const char *bytes, size_t size)
{
    text_add(&m->out, bytes, size);
    if (m->out.size >= PRINT_AT_ONCE)
        hand_on(m);
}

void machine_print_error(struct machine *m, const char *bytes, size_t size)
{
    hand_on(m);
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

bool machine_run_text(struct machine *m, const char *name, const char *prefix, const char *source,
                      size_t size, struct value *ret)
{
    struct program program;
    struct error error = {0};
    if (size > CELL_MAX_BYTES) /* before it is copied */
        return parser_parse_cell(NULL, source, size, &program, &error) ||
               raise_error(m, ERROR_SYNTAX, "%s", error.text);
    struct unit *unit = new_unit(name, source, size);
    if (unit == NULL)
        return raise_memory(m);
    unit->next = m->units;
    unit->prefix = prefix;
    m->units = unit;
    if (!parser_parse_cell(&unit->arena, unit->source, unit->size, &program, &error))
        return error.kind == ERR_MEMORY ? raise_memory(m)
                                        : raise_error(m, ERROR_SYNTAX, "%s", error.text);
    const struct code *code = compile_cell(m, unit, program.first);
    return code != NULL && machine_run_code(m, code, ret);
}

/* ---- beginning and end ---- */

static bool machine_init(struct machine *m)
{
    things_init(&m->things);
    m->interned = table_new(&m->things, THING_SET);
    m->builtins = table_new(&m->things, THING_DICT);
    m->modules = table_new(&m->things, THING_DICT);
    m->global_places = table_new(&m->things, THING_DICT);
    m->stack = malloc(MACHINE_STACK * sizeof *m->stack);
    if (m->interned == NULL || m->builtins == NULL || m->modules == NULL ||
        m->global_places == NULL || m->stack == NULL || !make_tuple(m, NULL, 0, &m->empty_tuple) ||
        !make_str(m, "", 0, &m->empty_str) || !classes_init(m) || !errors_init(m))
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
    text_release(&m->out);
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

enum notebook_end notebook_run(struct notebook *notebook, const char *name, const char *source,
                               size_t size, struct text *trace, int *ret_code)
{
    struct machine *m = &notebook->machine;
    struct value result = value_absent(), error;
    enum notebook_end end = NOTEBOOK_FAILED;
    bool ok = machine_run_text(m, name, NULL, source, size, &result);
    hand_on(m);
    *ret_code = 0;
    if (ok) {
        value_drop(result);
        return NOTEBOOK_DONE;
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
    }
    value_drop(error);
    hand_on(m);
    return end;
}
