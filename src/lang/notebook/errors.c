/* Errors: their classes, what they say, and the places that they came through. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/machine_internal.h"

static const struct {
    const char *name;
    enum error_class base;
} rows[ERROR_COUNT] = {
    [ERROR_BASE] = {"BaseException", ERROR_BASE},
    [ERROR_EXCEPTION] = {"Exception", ERROR_BASE},
    [ERROR_INTERRUPT] = {"KeyboardInterrupt", ERROR_BASE},
    [ERROR_EXIT] = {"SystemExit", ERROR_BASE},
    [ERROR_GENERATOR_EXIT] = {"GeneratorExit", ERROR_BASE},
    [ERROR_ARITHMETIC] = {"ArithmeticError", ERROR_EXCEPTION},
    [ERROR_LOOKUP] = {"LookupError", ERROR_EXCEPTION},
    [ERROR_TYPE] = {"TypeError", ERROR_EXCEPTION},
    [ERROR_VALUE] = {"ValueError", ERROR_EXCEPTION},
    [ERROR_NAME] = {"NameError", ERROR_EXCEPTION},
    [ERROR_UNBOUND] = {"UnboundLocalError", ERROR_NAME},
    [ERROR_INDEX] = {"IndexError", ERROR_LOOKUP},
    [ERROR_KEY] = {"KeyError", ERROR_LOOKUP},
    [ERROR_ATTRIBUTE] = {"AttributeError", ERROR_EXCEPTION},
    [ERROR_ZERO] = {"ZeroDivisionError", ERROR_ARITHMETIC},
    [ERROR_OVERFLOW] = {"OverflowError", ERROR_ARITHMETIC},
    [ERROR_FLOATING] = {"FloatingPointError", ERROR_ARITHMETIC},
    [ERROR_RUNTIME] = {"RuntimeError", ERROR_EXCEPTION},
    [ERROR_RECURSION] = {"RecursionError", ERROR_RUNTIME},
    [ERROR_NOT_IMPLEMENTED] = {"NotImplementedError", ERROR_RUNTIME},
    [ERROR_STOP] = {"StopIteration", ERROR_EXCEPTION},
    [ERROR_ASSERTION] = {"AssertionError", ERROR_EXCEPTION},
    [ERROR_IMPORT] = {"ImportError", ERROR_EXCEPTION},
    [ERROR_MODULE] = {"ModuleNotFoundError", ERROR_IMPORT},
    [ERROR_SYNTAX] = {"SyntaxError", ERROR_EXCEPTION},
    [ERROR_MEMORY] = {"MemoryError", ERROR_EXCEPTION},
    [ERROR_OS] = {"OSError", ERROR_EXCEPTION},
    [ERROR_FILE_NOT_FOUND] = {"FileNotFoundError", ERROR_OS},
    [ERROR_PERMISSION] = {"PermissionError", ERROR_OS},
    [ERROR_TIMEOUT] = {"TimeoutError", ERROR_OS},
    [ERROR_AXIS] = {"AxisError", ERROR_VALUE},
    [ERROR_EOF] = {"EOFError", ERROR_EXCEPTION},
    [ERROR_UNICODE] = {"UnicodeError", ERROR_VALUE},
    [ERROR_UNICODE_DECODE] = {"UnicodeDecodeError", ERROR_UNICODE},
    [ERROR_UNICODE_ENCODE] = {"UnicodeEncodeError", ERROR_UNICODE},
    [ERROR_WARNING] = {"Warning", ERROR_EXCEPTION},
    [ERROR_USER_WARNING] = {"UserWarning", ERROR_WARNING},
    [ERROR_FUTURE_WARNING] = {"FutureWarning", ERROR_WARNING},
    [ERROR_DEPRECATION] = {"DeprecationWarning", ERROR_WARNING},
    [ERROR_RUNTIME_WARNING] = {"RuntimeWarning", ERROR_WARNING},
};

/* What a class of errors says where an instance says nothing. */
static bool add_chain_defaults(struct machine *m)
{
    struct table *table = m->errors[ERROR_BASE]->attributes;
    static const char *const names[] = {"__cause__", "__context__", "__traceback__",
                                        "__suppress_context__"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct string *name = intern(m, names[i], strlen(names[i]));
        if (name == NULL || !table_put_name(table, name, i < 3 ? value_none() : value_bool(false)))
            return false;
    }
    return true;
}

bool errors_init(struct machine *m)
{
    bool made = true;
    while (made) { /* a base may stand below what stands on it */
        made = false;
        for (size_t i = 0; i < ERROR_COUNT; i++) {
            struct class *base =
                i == ERROR_BASE ? m->classes[CLASS_OBJECT] : m->errors[rows[i].base];
            if (m->errors[i] != NULL || base == NULL)
                continue;
            m->errors[i] = class_new(m, rows[i].name, &base, 1);
            if (m->errors[i] == NULL)
                return false;
            m->errors[i]->is_error = true;
            m->errors[i]->is_own = true;
            struct string *name = intern(m, rows[i].name, strlen(rows[i].name));
            if (name == NULL ||
                !table_put_name(m->builtins, name, value_take(value_thing(m->errors[i]))))
                return false;
            made = true;
        }
    }
    return add_chain_defaults(m) &&
           class_add_natives(m, m->errors[ERROR_BASE], methods_of_error.rows, methods_of_error.n);
}

/* ---- raising ---- */

bool raise_value(struct machine *m, struct value error)
{
    value_put(&m->raised, error);
    return false;
}

bool raise_memory(struct machine *m)
{
    if (m->raised.kind != VALUE_ABSENT)
        return false;
    struct instance *instance =
        m->errors[ERROR_MEMORY] ? thing_new(&m->things, THING_INSTANCE, 0) : NULL;
    if (instance == NULL)
        return false; /* without memory the cell ends, and no error says so */
    instance->class = m->errors[ERROR_MEMORY];
    instance->class->thing.n_owners++;
    instance->payload = value_take(m->empty_tuple);
    return raise_value(m, value_thing(instance));
}

bool value_make_error(struct machine *m, struct class *class, const struct value *args, size_t n,
                      struct value *ret)
{
    struct instance *instance = thing_new(&m->things, THING_INSTANCE, 0);
    *ret = value_absent();
    if (instance == NULL)
        return raise_memory(m);
    instance->class = class;
    class->thing.n_owners++;
    if (!make_tuple(m, args, n, &instance->payload)) {
        value_drop(value_thing(instance));
        return false;
    }
    *ret = value_thing(instance);
    return true;
}

/* Takes the text over. */
static bool raise_text(struct machine *m, enum error_class which, bool is_lack, struct text *text)
{
    struct value message, error;
    bool alone = which == ERROR_INTERRUPT;
    if (!text_to_str(m, text, &message))
        return false;
    bool ok = value_make_error(m, m->errors[which], &message, alone ? 0 : 1, &error);
    value_drop(message);
    if (!ok)
        return false;
    THING_AS(instance, error)->is_lack = is_lack;
    return raise_value(m, error);
}

bool raise_error(struct machine *m, enum error_class which, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    return raise_text(m, which, false, &text);
}

bool raise_lack(struct machine *m, enum error_class which, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    return raise_text(m, which, true, &text);
}

bool raise_key(struct machine *m, struct value key)
{
    struct value error;
    return value_make_error(m, m->errors[ERROR_KEY], &key, 1, &error) && raise_value(m, error);
}

bool raised_is(const struct machine *m, enum error_class which)
{
    return value_is(m->raised, THING_INSTANCE) &&
           class_is(THING_AS(instance, m->raised)->class, m->errors[which]);
}

void raised_clear(struct machine *m)
{
    value_put(&m->raised, value_absent());
}

/* ---- traces ---- */

size_t unit_row(const struct unit *unit, size_t at)
{
    size_t low = 0, high = unit->n_rows;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (unit->rows[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The row of a unit without its indentation, at most 200 bytes. */
static void write_row(const struct unit *unit, size_t row, const char *before, struct text *out)
{
    size_t begin = unit->rows[row];
    size_t end = row + 1 < unit->n_rows ? unit->rows[row + 1] : unit->size;
    while (begin < end && (unit->source[begin] == ' ' || unit->source[begin] == '\t'))
        begin++;
    while (end > begin && strchr(" \t\r\n", unit->source[end - 1]) != NULL)
        end--;
    if (end == begin)
        return;
    text_put(out, before);
    text_add(out, unit->source + begin, end - begin < 200 ? end - begin : 200);
}

/* The byte of its text at which a frame is. */
static size_t place_of(const struct frame *frame)
{
    const struct code *code = frame->code;
    return code->n > 0 ? code->begins[frame->pc < code->n ? frame->pc : code->n - 1] : 0;
}

/* A place is written at once: the frame may be gone when the error is shown. */
static void write_place(const struct frame *frame, struct text *out)
{
    const struct code *code = frame->code;
    size_t row = unit_row(code->unit, place_of(frame));
    text_format(out, "  File \"%s\", line %zu, in %s", code->unit->name, row + 1, code->name);
    write_row(code->unit, row, "\n    ", out);
    text_char(out, '\n');
}

void errors_write_row(const struct machine *m, const char *category, const char *text,
                      struct text *out)
{
    const struct frame *frame = m->frame;
    while (frame != NULL && frame->code->unit->prefix != NULL)
        frame = frame->outer;
    if (frame == NULL) {
        text_format(out, "%s: %s", category, text);
        return;
    }
    const struct unit *unit = frame->code->unit;
    size_t row = unit_row(unit, place_of(frame));
    text_format(out, "%s:%zu: %s: %s", unit->name, row + 1, category, text);
    write_row(unit, row, "\n  ", out);
}

enum { TRACE_PLACES = 1100 };

void raised_add_place(struct machine *m, const struct frame *frame)
{
    struct text text = {0};
    struct value place;
    if (!value_is(m->raised, THING_INSTANCE))
        return;
    struct instance *error = THING_AS(instance, m->raised);
    const struct code *code = frame->code;
    size_t begin = place_of(frame);
    if (error->row == 0 && code->unit->prefix == NULL)
        error->row = (uint32_t)unit_row(code->unit, begin) + 1;
    m->error_begin = begin; /* that of the statement comes last */
    if (m->options.host != NULL && code->unit->prefix != NULL)
        return; /* of torch itself: at a prompt, only the learner's own functions are named */
    if (!value_is(error->trace, THING_LIST))
        value_put(&error->trace, value_thing(array_new(&m->things, 4)));
    if (error->trace.kind == VALUE_ABSENT || THING_AS(array, error->trace)->n > TRACE_PLACES)
        return;
    write_place(frame, &text);
    struct value raised = m->raised; /* this error stays, whatever fails here */
    value_take(raised);
    if (text_to_str(m, &text, &place))
        (void)array_add(THING_AS(array, error->trace), place);
    value_put(&m->raised, raised);
}

/* Places 0..n of the trace, the outermost first. */
static void write_places(const struct instance *instance, size_t n, struct text *out)
{
    const struct array *places = THING_AS(array, instance->trace);
    for (size_t i = n; i-- > 0;) {
        if (n > 12 && i == n - 7) {
            text_format(out, "  [%zu more places]\n", n - 12);
            i = 6;
            continue;
        }
        const struct string *place = places->items[i].as.string;
        text_add(out, place->bytes, place->size);
    }
}

void error_write_calls(struct value error, struct text *out)
{
    const struct instance *instance = THING_AS(instance, error);
    if (value_is(instance->trace, THING_LIST) && THING_AS(array, instance->trace)->n > 1)
        write_places(instance, THING_AS(array, instance->trace)->n - 1, out);
}

void error_write_last(struct machine *m, struct value error, struct text *out)
{
    struct text message = {0};
    text_put(out, class_name(THING_AS(instance, error)->class));
    if (!value_str(m, error, &message)) {
        raised_clear(m);
        text_clear(&message);
        text_put(&message, "<exception str() failed>");
    }
    if (message.size > 0)
        text_format(out, ": %s", text_string(&message));
    text_release(&message);
}

static void write_error(struct machine *m, struct value error, struct text *out)
{
    const struct instance *instance = THING_AS(instance, error);
    if (value_is(instance->trace, THING_LIST)) {
        text_put(out, "Traceback (most recent call last):\n");
        write_places(instance, THING_AS(array, instance->trace)->n, out);
    }
    error_write_last(m, error, out);
    text_char(out, '\n');
}

/* ---- errors that led to others ---- */

static const char *const chain_names[] = {"__cause__", "__context__"};

static void set_chained(struct machine *m, struct instance *error, const char *name, struct value v)
{
    struct string *interned = intern(m, name, strlen(name));
    if (error->attributes == NULL)
        error->attributes = table_new(&m->things, THING_DICT);
    if (interned != NULL && error->attributes != NULL)
        (void)table_put_name(error->attributes, interned, value_take(v));
}

void raised_from(struct machine *m, struct value cause, struct value context)
{
    struct value raised = m->raised;
    if (!value_is(raised, THING_INSTANCE))
        return;
    struct instance *error = THING_AS(instance, raised);
    m->raised = value_absent();
    if (value_is(context, THING_INSTANCE) && !value_identical(context, raised))
        set_chained(m, error, chain_names[1], context);
    if (cause.kind != VALUE_ABSENT) {
        set_chained(m, error, chain_names[0], cause);
        set_chained(m, error, "__suppress_context__", value_bool(true));
    }
    value_put(&m->raised, raised);
}

/* The error that this one names as its cause, or else the error that was being handled; ABSENT:
 * none, or one too many. */
static struct value chained(struct machine *m, const struct instance *error, size_t which)
{
    struct string *name = intern(m, chain_names[which], strlen(chain_names[which]));
    const struct entry *entry =
        name != NULL && error->attributes != NULL ? table_find_name(error->attributes, name) : NULL;
    return entry != NULL && value_is(entry->value, THING_INSTANCE) ? entry->value : value_absent();
}

static void write_chain(struct machine *m, struct value error, struct text *out, unsigned depth)
{
    enum { CHAIN_MAX = 20 };
    const struct instance *instance = THING_AS(instance, error);
    struct value cause = chained(m, instance, 0);
    struct value before = cause.kind != VALUE_ABSENT ? cause : chained(m, instance, 1);
    struct string *hides = intern(m, "__suppress_context__", 20);
    if (cause.kind == VALUE_ABSENT && instance->attributes != NULL && hides != NULL &&
        table_find_name(instance->attributes, hides) != NULL)
        return;
    if (before.kind == VALUE_ABSENT || depth == CHAIN_MAX)
        return;
    write_chain(m, before, out, depth + 1);
    write_error(m, before, out);
    text_put(out,
             cause.kind != VALUE_ABSENT
                 ? "\nThe above exception was the direct cause of the following exception:\n\n"
                 : "\nDuring handling of the above exception, another exception occurred:\n\n");
}

void error_write_trace(struct machine *m, struct value error, struct text *out)
{
    write_chain(m, error, out, 0);
    write_error(m, error, out);
}
