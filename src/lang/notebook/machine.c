/* The machine: one loop over instructions. See code_internal.h for what each of them does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/array.h"
#include "base/kept_memory.h"
#include "lang/notebook/observe_internal.h"

enum run_end { RUN_RETURNED, RUN_YIELDED, RUN_RAISED };

static enum run_end run(struct machine *m, struct frame *frame, struct value *ret);

/* ---- bounds ---- */

bool machine_tick(struct machine *m)
{
    m->n_steps++;
    if (m->things.n >= m->things.next_collect)
        things_collect(&m->things);
    if ((m->n_steps & 1023) != 0)
        return true;
    if (m->options.host != NULL)
        host_watch_memory(m);
    if ((m->options.stop != NULL && *m->options.stop) || observer_is_late(m))
        return raise_error(m, ERROR_INTERRUPT, " ");
    if ((m->n_steps & 0xFFFF) == 0 && memory_peak_bytes() > m->options.most_bytes)
        return raise_error(m, ERROR_MEMORY, "the cell has filled %zu MB of memory",
                           m->options.most_bytes >> 20);
    return true;
}

/* ---- globals ---- */

bool machine_add_global(struct machine *m, struct string *name)
{
    struct value *globals =
        array_grow(m->globals, m->n_globals, &m->global_capacity, sizeof *globals);
    if (globals == NULL)
        return raise_memory(m);
    m->globals = globals;
    globals[m->n_globals] = value_absent();
    if (!table_put_name(m->global_places, name, value_int((int64_t)m->n_globals)))
        return raise_memory(m);
    m->n_globals++;
    return true;
}

struct string *name_of_global(struct machine *m, const struct unit *unit, const char *bytes,
                              size_t size)
{
    struct text name = {0};
    if (unit->prefix == NULL)
        return intern(m, bytes, size);
    text_format(&name, "%s.%.*s", unit->prefix, (int)size, bytes);
    struct string *interned = name.failed ? NULL : intern(m, name.bytes, name.size);
    text_release(&name);
    return interned;
}

static struct string *global_name(const struct machine *m, int64_t place)
{
    return m->global_places->entries[place].key.as.string;
}

/* ---- calls ---- */

static bool wrong_count(struct machine *m, const struct code *code, size_t n_defaults, size_t n)
{
    size_t least = code->n_plain - n_defaults;
    if (n_defaults > 0)
        return raise_error(m, ERROR_TYPE,
                           "%s() takes from %zu to %u positional arguments but %zu %s given",
                           code->name, least, code->n_plain, n, n == 1 ? "was" : "were");
    return raise_error(m, ERROR_TYPE, "%s() takes %u positional argument%s but %zu %s given",
                       code->name, code->n_plain, code->n_plain == 1 ? "" : "s", n,
                       n == 1 ? "was" : "were");
}

static bool missing(struct machine *m, const struct code *code, const struct value *slots)
{
    struct text names = {0};
    size_t n = 0, seen = 0;
    bool keyword = true;
    for (unsigned i = 0; i < code->n_plain; i++)
        n += slots[i].kind == VALUE_ABSENT;
    keyword = n == 0;
    unsigned from = keyword ? code->n_plain : 0;
    unsigned to = keyword ? code->n_plain + code->n_keyword : code->n_plain;
    if (keyword)
        for (unsigned i = from; i < to; i++)
            n += slots[i].kind == VALUE_ABSENT;
    for (unsigned i = from; i < to; i++) {
        if (slots[i].kind != VALUE_ABSENT)
            continue;
        seen++;
        text_put(&names, seen == 1 ? "" : seen < n ? ", " : n == 2 ? " and " : ", and ");
        text_format(&names, "'%s'", code->names[i].as.string->bytes);
    }
    raise_error(m, ERROR_TYPE, "%s() missing %zu required %s argument%s: %s", code->name, n,
                keyword ? "keyword-only" : "positional", n == 1 ? "" : "s", text_string(&names));
    text_release(&names);
    return false;
}

/* One argument given by name. */
static bool bind_named(struct machine *m, const struct code *code, struct value *slots,
                       struct table *others, struct value name, struct value v)
{
    for (unsigned i = 0; i < code->n_plain + code->n_keyword; i++) {
        const struct string *called = code->names[i].as.string;
        if (called != name.as.string &&
            (called->size != name.as.string->size ||
             memcmp(called->bytes, name.as.string->bytes, called->size) != 0))
            continue;
        if (slots[i].kind != VALUE_ABSENT)
            return raise_error(m, ERROR_TYPE, "%s() got multiple values for argument '%s'",
                               code->name, called->bytes);
        slots[i] = value_take(v);
        return true;
    }
    if (others == NULL)
        return raise_error(m, ERROR_TYPE, "%s() got an unexpected keyword argument '%s'",
                           code->name, name.as.string->bytes);
    return dict_put(m, others, value_take(name), value_take(v));
}

/* Fills the slots of parameters that were not given. */
static bool bind_defaults(struct machine *m, const struct closure *closure, struct value *slots)
{
    const struct code *code = closure->code;
    bool complete = true;
    if (closure->defaults.kind == VALUE_THING) {
        const struct tuple *defaults = THING_AS(tuple, closure->defaults);
        size_t from = code->n_plain - defaults->n;
        for (size_t i = 0; i < defaults->n; i++)
            if (slots[from + i].kind == VALUE_ABSENT)
                slots[from + i] = value_take(defaults->items[i]);
    }
    for (unsigned i = code->n_plain; i < code->n_plain + code->n_keyword; i++) {
        struct entry *entry =
            slots[i].kind == VALUE_ABSENT && closure->named.kind == VALUE_THING
                ? table_find_name(THING_AS(table, closure->named), code->names[i].as.string)
                : NULL;
        if (entry != NULL)
            slots[i] = value_take(entry->value);
    }
    for (unsigned i = 0; i < code->n_plain + code->n_keyword; i++)
        complete = complete && slots[i].kind != VALUE_ABSENT;
    return complete || missing(m, code, slots);
}

/* Puts the arguments into the slots, which are ABSENT. On failure some are filled. */
static bool bind(struct machine *m, const struct closure *closure, struct value *slots,
                 const struct value *args, size_t n, const struct tuple *names)
{
    const struct code *code = closure->code;
    size_t n_names = names != NULL ? names->n : 0, n_given = n - n_names;
    size_t n_plain = n_given < code->n_plain ? n_given : code->n_plain;
    size_t at = code->n_plain + code->n_keyword;
    struct table *others = NULL;
    for (size_t i = 0; i < n_plain; i++)
        slots[i] = value_take(args[i]);
    if (n_names == 0 && n_given == code->n_plain && code->n_keyword == 0 && !code->has_rest &&
        !code->has_keywords)
        return true;
    if (code->has_rest) {
        if (!make_tuple(m, args + n_plain, n_given - n_plain, &slots[at++]))
            return false;
    } else if (n_given > n_plain) {
        return wrong_count(
            m, code,
            closure->defaults.kind == VALUE_THING ? THING_AS(tuple, closure->defaults)->n : 0,
            n_given);
    }
    if (code->has_keywords) {
        others = table_new(&m->things, THING_DICT);
        if (others == NULL)
            return raise_memory(m);
        slots[at] = value_thing(others);
    }
    for (size_t i = 0; i < n_names; i++)
        if (!bind_named(m, code, slots, others, names->items[i], args[n_given + i]))
            return false;
    return bind_defaults(m, closure, slots);
}

static void share_variables(const struct closure *closure, struct value *slots)
{
    for (size_t i = 0; i < closure->n_variables; i++) {
        closure->variables[i]->n_owners++;
        slots[closure->code->first_outer + i] = value_thing(closure->variables[i]);
    }
}

static void drop_slots(struct value *slots, size_t n)
{
    for (size_t i = n; i-- > 0;)
        value_drop(slots[i]);
}

static bool make_generator(struct machine *m, struct value function, const struct value *args,
                           size_t n, const struct tuple *names, struct value *ret)
{
    const struct closure *closure = THING_AS(closure, function);
    const struct code *code = closure->code;
    size_t n_slots = code->n_slots + code->n_values + 1;
    struct generator *generator = thing_new(&m->things, THING_GENERATOR, 0);
    struct frame *frame =
        generator ? calloc(1, sizeof *frame + n_slots * sizeof(struct value)) : NULL;
    struct value v = value_thing(generator);
    if (frame == NULL) {
        value_drop(v);
        return raise_memory(m);
    }
    frame->slots = (struct value *)(void *)(frame + 1);
    frame->code = code;
    frame->function = value_take(function);
    frame->sp = code->n_slots;
    generator->frame = frame;
    if (!bind(m, closure, frame->slots, args, n, names)) {
        value_drop(v);
        return false;
    }
    share_variables(closure, frame->slots);
    *ret = v;
    return true;
}

/* The bytes of this thread's stack that calls may take: all but what a last call and its message
 * need. */
static size_t most_stack_bytes(void)
{
    enum { SPARE = 192 << 10, USUAL = 8 << 20 };
    struct rlimit limit;
    bool is_known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
                    limit.rlim_cur < (64 << 20);
    size_t bytes = is_known ? (size_t)limit.rlim_cur : USUAL;
    return bytes > 2 * (size_t)SPARE ? bytes - bytes / 8 - SPARE : bytes / 2;
}

/* Raises an error where calls are too deep, for Python or for the stack of this program. */
static bool check_depth(struct machine *m)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (m->n_calls == 0)
        m->first_frame = here;
    if (m->most_stack == 0)
        m->most_stack = most_stack_bytes();
    size_t used = here > m->first_frame ? here - m->first_frame : m->first_frame - here;
    return (m->n_calls < MACHINE_MAX_CALLS && used < m->most_stack) ||
           raise_error(m, ERROR_RECURSION, "maximum recursion depth exceeded");
}

/* Runs code with slots on the machine's stack; the closure is borrowed, NULL: a cell's. */
static bool run_on_stack(struct machine *m, const struct code *code, struct value function,
                         const struct value *args, size_t n, const struct tuple *names,
                         struct table *attributes, struct value *ret)
{
    const struct closure *closure =
        function.kind == VALUE_THING ? THING_AS(closure, function) : NULL;
    size_t base = m->stack_used, n_slots = code->n_slots + code->n_values + 1;
    if (!check_depth(m))
        return false;
    if (n_slots > MACHINE_STACK - base)
        return raise_error(m, ERROR_RECURSION, "maximum recursion depth exceeded");
    struct frame frame = {.code = code,
                          .function = function,
                          .slots = m->stack + base,
                          .sp = code->n_slots,
                          .attributes = attributes,
                          .outer = m->frame};
    for (size_t i = 0; i < code->n_slots; i++)
        frame.slots[i] = value_absent();
    m->stack_used += n_slots;
    bool ok = closure == NULL || bind(m, closure, frame.slots, args, n, names);
    if (ok) {
        for (unsigned i = 0; m->options.host != NULL && code->unit->prefix == NULL &&
                             i < code->n_plain + code->n_keyword;
             i++)
            host_name_tensor(m, frame.slots[i], code->names[i], NAMED_PARAMETER);
        if (closure != NULL)
            share_variables(closure, frame.slots);
        m->frame = &frame;
        m->n_calls++;
        if (is_observed(m, &frame))
            observe_call(m, &frame);
        ok = machine_tick(m) && run(m, &frame, ret) == RUN_RETURNED;
        m->n_calls--;
        m->frame = frame.outer;
    }
    drop_slots(frame.slots, code->n_slots);
    m->stack_used = base;
    return ok;
}

bool machine_run_code(struct machine *m, const struct code *code, struct value *ret)
{
    return run_on_stack(m, code, value_absent(), NULL, 0, NULL, NULL, ret);
}

bool machine_call_with(struct machine *m, struct value function, struct value first,
                       const struct value *args, size_t n, const struct tuple *names,
                       struct value *ret)
{
    struct value few[8], *all = n < COUNT_OF(few) ? few : malloc((n + 1) * sizeof *all);
    if (all == NULL)
        return raise_memory(m);
    all[0] = first;
    if (n > 0)
        memcpy(all + 1, args, n * sizeof *all);
    bool ok = machine_call(m, function, all, n + 1, names, ret);
    if (all != few)
        free(all);
    return ok;
}

bool machine_call(struct machine *m, struct value function, const struct value *args, size_t n,
                  const struct tuple *names, struct value *ret)
{
    if (function.kind != VALUE_THING)
        return raise_error(m, ERROR_TYPE, "'%s' object is not callable",
                           value_class_name(m, function));
    struct value held = value_take(function); /* a call may be the last thing that a name does */
    bool ok;
    switch (thing_id(function.as.thing)) {
    case THING_CLOSURE: {
        const struct code *code = THING_AS(closure, function)->code;
        ok = code->is_generator ? make_generator(m, function, args, n, names, ret)
                                : run_on_stack(m, code, function, args, n, names, NULL, ret);
        break;
    }
    case THING_BUILTIN:
        ok = native_call(m, THING_AS(builtin_function, function)->native, args, n, names, ret);
        break;
    case THING_BOUND:
        ok = machine_call_with(m, THING_AS(bound, function)->function,
                               THING_AS(bound, function)->self, args, n, names, ret);
        break;
    case THING_CLASS:
        ok = class_call(m, THING_AS(class, function), args, n, names, ret);
        break;
    case THING_MODULE:
        ok = THING_AS(module, function)->is_missing
                 ? raise_missing_module(m, THING_AS(module, function)->name.as.string->bytes)
                 : raise_error(m, ERROR_TYPE, "'module' object is not callable");
        break;
    default: {
        struct value method, self;
        ok = attribute_method(m, function, m->names[NAME_CALL], &method, &self);
        if (!ok && raised_is(m, ERROR_ATTRIBUTE)) {
            raised_clear(m);
            ok = raise_error(m, ERROR_TYPE, "'%s' object is not callable",
                             value_class_name(m, function));
        } else if (ok) {
            ok = self.kind == VALUE_ABSENT
                     ? machine_call(m, method, args, n, names, ret)
                     : machine_call_with(m, method, self, args, n, names, ret);
            value_drop(method);
            value_drop(self);
        }
        break;
    }
    }
    value_drop(held);
    return ok;
}

bool machine_call_method(struct machine *m, struct value self, struct string *name,
                         const struct value *args, size_t n, struct value *ret, bool *ret_found)
{
    const struct value *method = class_find(class_of(m, self), name);
    *ret_found =
        method != NULL && !value_is(*method, THING_BUILTIN); /* attn's own: see the caller */
    if (!*ret_found)
        return true;
    struct value function = value_take(*method); /* the call may replace it */
    bool ok = machine_call_with(m, function, self, args, n, NULL, ret);
    value_drop(function);
    return ok;
}

static void free_frame(struct generator *generator)
{
    struct frame *frame = generator->frame;
    generator->frame = NULL;
    drop_slots(frame->slots, frame->code->n_slots);
    value_drop(frame->function);
    free(frame);
}

/* Runs the frame up to its next yield; raised: from an error at its yield on. */
static bool generator_run(struct machine *m, struct generator *generator, struct value *ret)
{
    struct frame *frame = generator->frame;
    generator->thing.n_owners++;
    generator->is_running = true;
    frame->outer = m->frame;
    m->frame = frame;
    m->n_calls++;
    enum run_end end = run(m, frame, ret);
    m->n_calls--;
    m->frame = frame->outer;
    generator->is_running = false;
    if (end != RUN_YIELDED) {
        free_frame(generator);
        if (end == RUN_RETURNED) {
            value_put(&generator->result, *ret);
            *ret = value_absent();
        }
    }
    value_drop(value_thing(generator));
    return end != RUN_RAISED;
}

bool generator_resume(struct machine *m, struct generator *generator, struct value sent,
                      struct value *ret)
{
    struct frame *frame = generator->frame;
    *ret = value_absent();
    if (generator->is_running) {
        value_drop(sent);
        return raise_error(m, ERROR_VALUE, "generator already executing");
    }
    if (frame == NULL) {
        value_drop(sent);
        return true;
    }
    if (!check_depth(m)) {
        value_drop(sent);
        return false;
    }
    if (frame->pc > 0)
        frame->slots[frame->sp++] = sent;
    else
        value_drop(sent);
    return generator_run(m, generator, ret);
}

bool generator_throw(struct machine *m, struct generator *generator, struct value error,
                     struct value *ret)
{
    struct frame *frame = generator->frame;
    *ret = value_absent();
    if (generator->is_running || !check_depth(m)) {
        value_drop(error);
        return generator->is_running && raise_error(m, ERROR_VALUE, "generator already executing");
    }
    if (frame != NULL && frame->pc == 0) /* it has not begun, and never will */
        free_frame(generator);
    if (generator->frame == NULL)
        return raise_value(m, error);
    if (frame->waits && value_is(frame->slots[frame->sp - 1], THING_GENERATOR)) {
        /* The generator that it waits for gets the error first. */
        struct generator *inner = THING_AS(generator, frame->slots[frame->sp - 1]);
        bool ok = generator_throw(m, inner, error, ret);
        if (ok && ret->kind != VALUE_ABSENT)
            return true;
        if (ok)
            return generator_resume(m, generator, value_none(), ret);
    } else {
        raise_value(m, error);
    }
    return generator_run(m, generator, ret);
}

/* ---- instructions that take more than a line ---- */

static bool unpack_wrong(struct machine *m, size_t want, size_t got, bool more)
{
    if (more)
        return raise_error(m, ERROR_VALUE, "too many values to unpack (expected %zu)", want);
    return raise_error(m, ERROR_VALUE, "not enough values to unpack (expected %zu, got %zu)", want,
                       got);
}

/* Puts the items of v, which is taken, to slots[0..n), the first on top. */
static bool unpack(struct machine *m, struct value v, struct value *slots, size_t n)
{
    struct value iterator = value_absent();
    size_t got = 0;
    bool ok = true;
    if (value_is(v, THING_TUPLE) || value_is(v, THING_LIST)) {
        bool is_tuple = value_is(v, THING_TUPLE);
        struct value *items = is_tuple ? THING_AS(tuple, v)->items : THING_AS(array, v)->items;
        size_t n_items = is_tuple ? THING_AS(tuple, v)->n : THING_AS(array, v)->n;
        ok = n_items == n || unpack_wrong(m, n, n_items, n_items > n);
        for (; ok && got < n; got++)
            slots[n - 1 - got] = value_take(items[got]);
        value_drop(v);
        return ok;
    }
    ok = value_iterate(m, v, &iterator);
    if (!ok && raised_is(m, ERROR_TYPE)) {
        raised_clear(m);
        raise_error(m, ERROR_TYPE, "cannot unpack non-iterable %s object", value_class_name(m, v));
    }
    for (; ok && got <= n; got++) {
        struct value item;
        ok = iterator_next(m, iterator, &item);
        if (!ok || item.kind == VALUE_ABSENT)
            break;
        if (got == n) {
            value_drop(item);
            ok = unpack_wrong(m, n, got, true);
            break;
        }
        slots[n - 1 - got] = item;
    }
    if (ok && got < n)
        ok = unpack_wrong(m, n, got, false);
    for (size_t i = 0; !ok && i < got && i < n; i++)
        value_drop(slots[n - 1 - i]);
    value_drop(iterator);
    value_drop(v);
    return ok;
}

static bool unpack_star(struct machine *m, struct value v, struct value *slots, size_t before,
                        size_t after)
{
    struct array *all, *middle;
    bool ok = value_to_array(m, v, &all);
    value_drop(v);
    if (!ok)
        return false;
    if (all->n < before + after) {
        raise_error(m, ERROR_VALUE, "not enough values to unpack (expected at least %zu, got %zu)",
                    before + after, all->n);
        value_drop(value_thing(all));
        return false;
    }
    size_t n_middle = all->n - before - after, n = before + 1 + after;
    middle = array_new(&m->things, n_middle);
    ok = middle != NULL;
    for (size_t i = 0; ok && i < n_middle; i++)
        ok = array_add(middle, value_take(all->items[before + i]));
    for (size_t i = 0; ok && i < before; i++)
        slots[n - 1 - i] = value_take(all->items[i]);
    for (size_t i = 0; ok && i < after; i++)
        slots[after - 1 - i] = value_take(all->items[before + n_middle + i]);
    if (ok)
        slots[after] = value_thing(middle);
    value_drop(value_thing(all));
    return ok || raise_memory(m);
}

static bool make_closure(struct machine *m, const struct code *code, struct value *values,
                         size_t n_variables, struct value *ret)
{
    struct closure *closure =
        thing_new(&m->things, THING_CLOSURE, n_variables * sizeof(struct thing *));
    struct string *name = closure ? intern(m, code->name, strlen(code->name)) : NULL;
    if (name == NULL) {
        value_drop(value_thing(closure));
        return raise_memory(m);
    }
    closure->code = code;
    closure->name = value_take((struct value){.kind = VALUE_STRING, .as.string = name});
    closure->doc = code->doc > 0 ? value_take(code->constants[code->doc - 1]) : value_none();
    closure->defaults = values[0].kind == VALUE_NONE ? value_absent() : value_take(values[0]);
    closure->named = values[1].kind == VALUE_NONE ? value_absent() : value_take(values[1]);
    for (size_t i = 0; i < n_variables; i++) {
        closure->variables[i] = values[2 + i].as.thing;
        closure->variables[i]->n_owners++;
    }
    closure->n_variables = n_variables;
    *ret = value_thing(closure);
    return true;
}

/* class NAME(bases): values are the name, the bases and the variables that the body uses. */
static bool build_class(struct machine *m, const struct code *code, struct value *values,
                        size_t n_variables, struct value *ret)
{
    struct table *attributes = table_new(&m->things, THING_DICT);
    struct value function, variable = value_absent();
    struct value parts[2] = {value_none(), value_none()};
    struct value few[64];
    if (attributes == NULL)
        return raise_memory(m);
    if (n_variables + 2 > 64)
        return raise_error(m, ERROR_SYNTAX, "a class uses more than 60 names of functions");
    few[0] = parts[0];
    few[1] = parts[1];
    memcpy(few + 2, values + 2, n_variables * sizeof *few);
    bool ok = make_closure(m, code, few, n_variables, &function);
    if (ok) {
        ok = run_on_stack(m, code, function, NULL, 0, NULL, attributes, &variable);
        if (ok && THING_AS(closure, function)->doc.kind == VALUE_STRING)
            ok = table_put_name(attributes, m->names[NAME_DOC],
                                value_take(THING_AS(closure, function)->doc));
        value_drop(function);
    }
    if (!ok) {
        value_drop(value_thing(attributes));
        value_drop(variable);
        return false;
    }
    const struct tuple *bases = THING_AS(tuple, values[1]);
    ok = class_build(m, values[0].as.string, bases->items, bases->n, attributes, ret);
    if (ok && value_is(variable, THING_VARIABLE))
        value_put(&THING_AS(variable, variable)->value, value_take(*ret));
    value_drop(variable);
    return ok;
}

static bool enter_with(struct machine *m, struct value manager, struct value *ret_exit,
                       struct value *ret)
{
    struct value exit = value_absent();
    bool found;
    if (!attribute_try(m, manager, m->names[NAME_EXIT], &exit))
        return false;
    if (exit.kind == VALUE_ABSENT)
        return raise_error(m, ERROR_TYPE,
                           "'%s' object does not support the context manager protocol",
                           value_class_name(m, manager));
    bool ok = machine_call_method(m, manager, m->names[NAME_ENTER], NULL, 0, ret, &found);
    if (ok && !found)
        ok = raise_error(m, ERROR_TYPE, "'%s' object does not support the context manager protocol",
                         value_class_name(m, manager));
    if (!ok) {
        value_drop(exit);
        return false;
    }
    *ret_exit = exit;
    return true;
}

static bool exit_with(struct machine *m, struct value exit, struct value error, struct value *ret)
{
    struct value args[3] = {value_none(), value_none(), value_none()};
    if (error.kind == VALUE_THING) {
        args[0] = value_thing(THING_AS(instance, error)->class);
        args[1] = error;
    }
    return machine_call(m, exit, args, 3, NULL, ret);
}

static bool matches(struct machine *m, struct value error, struct value class, bool *ret)
{
    *ret = false;
    if (value_is(class, THING_TUPLE)) {
        const struct tuple *classes = THING_AS(tuple, class);
        for (size_t i = 0; i < classes->n && !*ret; i++)
            if (!matches(m, error, classes->items[i], ret))
                return false;
        return true;
    }
    if (!value_is(class, THING_CLASS) || !THING_AS(class, class)->is_error)
        return raise_error(m, ERROR_TYPE,
                           "catching classes that do not inherit from "
                           "BaseException is not allowed");
    *ret = value_isinstance(m, error, THING_AS(class, class));
    return true;
}

/* raise value: an error, or a class of errors. Takes value over. */
static bool raise_statement(struct machine *m, struct value value)
{
    if (value_is(value, THING_CLASS) && THING_AS(class, value)->is_error) {
        struct value error = value_absent();
        bool ok = machine_call(m, value, NULL, 0, NULL, &error);
        value_drop(value);
        return ok ? raise_value(m, error) : false;
    }
    if (value_is(value, THING_INSTANCE) && THING_AS(instance, value)->class->is_error) {
        value_put(&THING_AS(instance, value)->trace, value_absent());
        return raise_value(m, value);
    }
    value_drop(value);
    return raise_error(m, ERROR_TYPE, "exceptions must derive from BaseException");
}

static bool call_spread(struct machine *m, struct value *values, struct value *ret)
{
    const struct array *list = THING_AS(array, values[1]);
    const struct table *dict = THING_AS(table, values[2]);
    size_t n = list->n + dict->n;
    struct value *args = malloc((n + 1) * sizeof *args);
    struct tuple *names = tuple_new(&m->things, dict->n);
    if (args == NULL || names == NULL) {
        free(args);
        value_drop(value_thing(names));
        return raise_memory(m);
    }
    if (list->n > 0)
        memcpy(args, list->items, list->n * sizeof *args);
    size_t at = 0;
    bool ok = true;
    for (size_t i = 0; i < dict->n_entries; i++)
        if (dict->entries[i].key.kind != VALUE_ABSENT) {
            ok = ok && dict->entries[i].key.kind == VALUE_STRING;
            names->items[at] = value_take(dict->entries[i].key);
            args[list->n + at++] = dict->entries[i].value;
        }
    ok = ok ? machine_call(m, values[0], args, n, names, ret)
            : raise_error(m, ERROR_TYPE, "keywords must be strings");
    value_drop(value_thing(names));
    free(args);
    return ok;
}

/* The names of a dict of keywords are added; none may be there already. */
static bool add_keywords(struct machine *m, struct table *to, struct value from)
{
    if (!value_is(from, THING_DICT))
        return raise_error(m, ERROR_TYPE, "argument after ** must be a mapping, not %s",
                           value_class_name(m, from));
    const struct table *table = THING_AS(table, from);
    for (size_t i = 0; i < table->n_entries; i++) {
        struct entry *entry;
        const struct entry *given = &table->entries[i];
        if (given->key.kind == VALUE_ABSENT)
            continue;
        if (!dict_find(m, to, given->key, &entry))
            return false;
        if (entry != NULL && given->key.kind == VALUE_STRING)
            return raise_error(m, ERROR_TYPE, "got multiple values for keyword argument '%s'",
                               given->key.as.string->bytes);
        if (!dict_put(m, to, value_take(given->key), value_take(given->value)))
            return false;
    }
    return true;
}

static bool add_all(struct machine *m, struct value to, struct value from)
{
    struct value iterator, item;
    if (!value_iterate(m, from, &iterator))
        return false;
    bool ok = true;
    while ((ok = iterator_next(m, iterator, &item)) && item.kind != VALUE_ABSENT) {
        if (value_is(to, THING_LIST) ? !array_add(THING_AS(array, to), item)
                                     : !dict_put(m, THING_AS(table, to), item, value_absent())) {
            ok = false;
            break;
        }
    }
    value_drop(iterator);
    if (!ok && m->raised.kind == VALUE_ABSENT)
        raise_memory(m);
    return ok;
}

/* What attn does not have refuses when it is used, or at once where the cell tries it. */
static bool import_from(struct machine *m, struct value module, struct string *name, bool at_once,
                        struct value *ret)
{
    bool is_missing = value_is(module, THING_MODULE) && THING_AS(module, module)->is_missing;
    *ret = value_absent();
    if (!is_missing && !attribute_try(m, module, name, ret))
        return false;
    if (ret->kind != VALUE_ABSENT)
        return true;
    if (value_is(module, THING_MODULE) && THING_AS(module, module)->is_missing) {
        *ret = value_take(module); /* it refuses when it is used */
        return true;
    }
    if (!value_is(module, THING_MODULE))
        return raise_error(m, ERROR_IMPORT, "cannot import name '%s'", name->bytes);
    const char *called = THING_AS(module, module)->name.as.string->bytes;
    if (at_once)
        return raise_error(m, ERROR_IMPORT, "cannot import name '%s' from '%s'", name->bytes,
                           called);
    struct text full = {0};
    text_format(&full, "%s.%s", called, name->bytes);
    bool ok = full.failed ? raise_memory(m) : module_import(m, full.bytes, full.size, ret);
    text_release(&full);
    return ok;
}

static bool import_all(struct machine *m, const struct unit *unit, struct value module)
{
    if (!value_is(module, THING_MODULE))
        return true;
    const struct table *table = THING_AS(module, module)->attributes;
    for (size_t i = 0; i < table->n_entries; i++) {
        struct string *name = table->entries[i].key.as.string;
        if (table->entries[i].key.kind != VALUE_STRING || name->bytes[0] == '_')
            continue;
        name = name_of_global(m, unit, name->bytes, name->size);
        if (name == NULL)
            return false;
        struct entry *place = table_find_name(m->global_places, name);
        if (place == NULL && !machine_add_global(m, name))
            return false;
        size_t at = place ? (size_t)place->value.as.whole : m->n_globals - 1;
        value_put(&m->globals[at], value_take(table->entries[i].value));
    }
    return true;
}

const struct value *builtin_in_python(struct machine *m, const struct string *name)
{
    static const char *const names[] = {"bytes",          "bytearray",    "open",
                                        "_bytes",         "_encode",      "_match_sequence",
                                        "_match_mapping", "_match_class", "dir"};
    struct value module;
    size_t i = 0;
    while (i < COUNT_OF(names) && strcmp(names[i], name->bytes) != 0)
        i++;
    if (i == COUNT_OF(names) || !module_import(m, "builtins", 8, &module))
        return NULL;
    const struct entry *entry = table_find_name(THING_AS(module, module)->attributes, name);
    value_drop(module);
    if (entry == NULL ||
        !table_put_name(m->builtins, intern(m, name->bytes, name->size), value_take(entry->value)))
        return NULL;
    return &entry->value;
}

static bool load_global(struct machine *m, int64_t place, struct value *ret)
{
    *ret = m->globals[place];
    if (ret->kind != VALUE_ABSENT) {
        *ret = value_take(*ret);
        return true;
    }
    struct string *name = global_name(m, place);
    const char *dot = strrchr(name->bytes, '.'); /* of a module in Python */
    if (dot != NULL)
        name = intern(m, dot + 1, strlen(dot + 1));
    if (name == NULL)
        return false;
    if (dot == NULL && m->options.host != NULL) {
        if (!host_find(m, place, name, ret))
            return false;
        if (ret->kind != VALUE_ABSENT)
            return true;
    }
    const struct entry *entry = table_find_name(m->builtins, name);
    const struct value *found = entry != NULL ? &entry->value : builtin_in_python(m, name);
    if (found != NULL)
        *ret = value_take(*found);
    if (found != NULL || m->raised.kind != VALUE_ABSENT)
        return found != NULL;
    if (dot == NULL && m->options.host != NULL) {
        if (!host_function(m, name, ret))
            return false;
        if (ret->kind != VALUE_ABSENT)
            return true;
    }
    if (dot == NULL && table_find_name(m->lacking, name) != NULL)
        return raise_lack(m, ERROR_NAME, "name '%s' is not defined", name->bytes);
    return raise_error(m, ERROR_NAME, "name '%s' is not defined", name->bytes);
}

/* A name of a class body. */
static bool load_name(struct machine *m, struct frame *frame, struct instruction at,
                      struct value *ret)
{
    struct string *name = frame->code->constants[at.a].as.string;
    const struct entry *entry = table_find_name(frame->attributes, name);
    if (entry == NULL && at.b > 0) {
        *ret = value_take(THING_AS(variable, frame->slots[at.b - 1])->value);
        if (ret->kind != VALUE_ABSENT)
            return true;
    }
    if (entry == NULL) {
        struct string *global = name_of_global(m, frame->code->unit, name->bytes, name->size);
        const struct entry *place = global ? table_find_name(m->global_places, global) : NULL;
        if (place != NULL)
            return load_global(m, place->value.as.whole, ret);
        entry = table_find_name(m->builtins, name);
    }
    const struct value *found = entry != NULL ? &entry->value : builtin_in_python(m, name);
    if (found == NULL)
        return m->raised.kind != VALUE_ABSENT
                   ? false
                   : raise_error(m, ERROR_NAME, "name '%s' is not defined", name->bytes);
    *ret = value_take(*found);
    return true;
}

static bool annotate(struct machine *m, struct frame *frame, struct string *name, struct value said)
{
    struct entry *entry = table_find_name(frame->attributes, m->names[NAME_ANNOTATIONS]);
    struct table *table = entry ? THING_AS(table, entry->value) : table_new(&m->things, THING_DICT);
    if (table == NULL ||
        (entry == NULL &&
         !table_put_name(frame->attributes, m->names[NAME_ANNOTATIONS], value_thing(table)))) {
        value_drop(said);
        return raise_memory(m);
    }
    return table_put_name(table, name, said) || raise_memory(m);
}

static bool unbound(struct machine *m, const struct frame *frame, int32_t slot)
{
    const char *name = frame->code->names[slot].as.string->bytes;
    bool outer = (unsigned)slot >= frame->code->first_outer;
    return raise_error(m, outer ? ERROR_NAME : ERROR_UNBOUND,
                       outer ? "cannot access free variable '%s' where it is not associated with "
                               "a value in enclosing scope"
                             : "cannot access local variable '%s' where it is not associated with "
                               "a value",
                       name);
}

/* The innermost place that catches errors of this instruction; NULL: the frame ends. */
static const struct catcher *find_catcher(const struct code *code, size_t at)
{
    const struct catcher *found = NULL;
    for (size_t i = 0; i < code->n_catchers; i++) {
        const struct catcher *catcher = &code->catchers[i];
        if (at >= catcher->begin && at < catcher->end &&
            (found == NULL || catcher->level > found->level))
            found = catcher;
    }
    return found;
}

/* Operators on numbers, which most are; false: operate() must do it. */
static inline bool quick(enum sign sign, const struct value *a, const struct value *b,
                         struct value *ret)
{
    if (a->kind == VALUE_INT && b->kind == VALUE_INT) {
        int64_t x = a->as.whole, y = b->as.whole, z;
        switch (sign) {
        case SIGN_ADD:
            if (__builtin_add_overflow(x, y, &z))
                return false;
            *ret = value_int(z);
            return true;
        case SIGN_SUB:
            if (__builtin_sub_overflow(x, y, &z))
                return false;
            *ret = value_int(z);
            return true;
        case SIGN_MUL:
            if (__builtin_mul_overflow(x, y, &z))
                return false;
            *ret = value_int(z);
            return true;
        case SIGN_FLOOR:
        case SIGN_MOD:
            if (y <= 0)
                return false;
            z = x % y;
            if (sign == SIGN_MOD)
                *ret = value_int(z < 0 ? z + y : z);
            else
                *ret = value_int(x / y - (z < 0));
            return true;
        case SIGN_LT:
            *ret = value_bool(x < y);
            return true;
        case SIGN_LE:
            *ret = value_bool(x <= y);
            return true;
        case SIGN_GT:
            *ret = value_bool(x > y);
            return true;
        case SIGN_GE:
            *ret = value_bool(x >= y);
            return true;
        case SIGN_EQ:
            *ret = value_bool(x == y);
            return true;
        case SIGN_NE:
            *ret = value_bool(x != y);
            return true;
        default:
            return false;
        }
    }
    if ((a->kind != VALUE_FLOAT && a->kind != VALUE_INT) ||
        (b->kind != VALUE_FLOAT && b->kind != VALUE_INT))
        return false;
    double x = a->kind == VALUE_FLOAT ? a->as.number : (double)a->as.whole;
    double y = b->kind == VALUE_FLOAT ? b->as.number : (double)b->as.whole;
    switch (sign) {
    case SIGN_ADD:
        *ret = value_float(x + y);
        return true;
    case SIGN_SUB:
        *ret = value_float(x - y);
        return true;
    case SIGN_MUL:
        *ret = value_float(x * y);
        return true;
    case SIGN_DIV:
        if (y == 0)
            return false;
        *ret = value_float(x / y);
        return true;
    case SIGN_LT:
        *ret = value_bool(x < y);
        return true;
    case SIGN_GT:
        *ret = value_bool(x > y);
        return true;
    case SIGN_LE:
        *ret = value_bool(x <= y);
        return true;
    case SIGN_GE:
        *ret = value_bool(x >= y);
        return true;
    default:
        return false;
    }
}

static inline bool quick_next(struct value iterator, struct value *ret)
{
    struct iterator *it = THING_AS(iterator, iterator);
    if (!value_is(iterator, THING_ITERATOR))
        return false;
    if (it->kind == ITERATE_RANGE && it->stop > 0) {
        *ret = value_int(it->at);
        it->at = (int64_t)((uint64_t)it->at + (uint64_t)it->step);
        it->stop--;
        return true;
    }
    if (it->kind == ITERATE_LIST && value_is(it->from, THING_LIST)) {
        const struct array *array = THING_AS(array, it->from);
        if ((size_t)it->at >= array->n)
            return false;
        *ret = value_take(array->items[it->at++]);
        return true;
    }
    return false;
}

/* ---- what an observer sees ---- */

/* An operation that has given a result, or failed: ABSENT. All values are borrowed. */
static void observe(struct machine *m, const struct frame *frame, const struct instruction *at,
                    struct value function, const struct value *args, size_t n, struct value result)
{
    const struct code *code = frame->code;
    struct origin origin = code->origins[at - code->at];
    bool is_call = at->op == CODE_CALL || at->op == CODE_CALL_METHOD;
    struct observed seen = {
        .frame = frame,
        .expr = origin.expr,
        .statement = origin.statement,
        .function = function,
        .args = args,
        .n = n,
        .names = is_call && at->b > 0 ? THING_AS(tuple, code->constants[at->b - 1]) : NULL};
    if (result.kind == VALUE_ABSENT)
        observe_failure(m, &seen);
    else
        observe_result(m, &seen, result);
}

static void observe_pair(struct machine *m, const struct frame *frame, const struct instruction *at,
                         struct value a, struct value b, struct value result)
{
    struct value both[] = {a, b};
    observe(m, frame, at, value_absent(), both, 2, result);
}

/* ---- the loop ---- */

/* Runs a frame from its pc. A generator's frame keeps what it has when it yields; all others end
 * with an empty stack. */
static enum run_end run(struct machine *m, struct frame *frame, struct value *ret)
{
    const struct code *code = frame->code;
    const struct instruction *pc = code->at + frame->pc, *at = pc;
    const struct value *constants = code->constants;
    struct value *slots = frame->slots, *sp = slots + frame->sp, v, w;
    bool truth;
    if (code->is_generator) {
        frame->sp = 0;                        /* what it has is this call's while it runs */
        if (m->raised.kind != VALUE_ABSENT) { /* generator_throw() */
            at = frame->waits ? pc : pc - 1;
            frame->waits = false;
            goto failed;
        }
    }
    for (;;) {
        at = pc++;
        switch ((enum opcode)at->op) {
        case CODE_CONST:
            *sp++ = value_take(constants[at->a]);
            break;
        case CODE_LOCAL:
            if (slots[at->a].kind == VALUE_ABSENT) {
                unbound(m, frame, at->a);
                goto failed;
            }
            *sp++ = value_take(slots[at->a]);
            break;
        case CODE_VARIABLE:
            v = THING_AS(variable, slots[at->a])->value;
            if (v.kind == VALUE_ABSENT) {
                unbound(m, frame, at->a);
                goto failed;
            }
            *sp++ = value_take(v);
            break;
        case CODE_GLOBAL:
            if (!load_global(m, at->a, sp))
                goto failed;
            sp++;
            break;
        case CODE_NAME:
            if (!load_name(m, frame, *at, sp))
                goto failed;
            sp++;
            break;
        case CODE_STORE_LOCAL:
            if (is_observed(m, frame))
                observe_store(m, frame, (size_t)(at - code->at), sp[-1]);
            if (m->options.host != NULL && code->names != NULL && sp[-1].kind == VALUE_THING)
                host_name_tensor(m, sp[-1], code->names[at->a],
                                 code->unit->prefix == NULL ? NAMED_VARIABLE : NAMED_IN_TORCH);
            value_put(&slots[at->a], *--sp);
            break;
        case CODE_STORE_VARIABLE:
            if (is_observed(m, frame))
                observe_store(m, frame, (size_t)(at - code->at), sp[-1]);
            value_put(&THING_AS(variable, slots[at->a])->value, *--sp);
            break;
        case CODE_STORE_GLOBAL:
            if (is_observed(m, frame))
                observe_store(m, frame, (size_t)(at - code->at), sp[-1]);
            value_put(&m->globals[at->a], *--sp);
            break;
        case CODE_STORE_NAME:
            if (!table_put_name(frame->attributes, constants[at->a].as.string, *--sp)) {
                raise_memory(m);
                goto failed;
            }
            break;
        case CODE_DELETE_LOCAL:
            if (slots[at->a].kind == VALUE_ABSENT) {
                unbound(m, frame, at->a);
                goto failed;
            }
            value_put(&slots[at->a], value_absent());
            break;
        case CODE_DELETE_VARIABLE:
            value_put(&THING_AS(variable, slots[at->a])->value, value_absent());
            break;
        case CODE_DELETE_GLOBAL:
            if (m->globals[at->a].kind == VALUE_ABSENT) {
                raise_error(m, ERROR_NAME, "name '%s' is not defined",
                            global_name(m, at->a)->bytes);
                goto failed;
            }
            value_put(&m->globals[at->a], value_absent());
            break;
        case CODE_DELETE_NAME: {
            struct entry *entry = table_find_name(frame->attributes, constants[at->a].as.string);
            if (entry != NULL)
                table_delete(frame->attributes, entry);
            break;
        }
        case CODE_NEW_VARIABLE: {
            struct variable *variable = thing_new(&m->things, THING_VARIABLE, 0);
            if (variable == NULL) {
                raise_memory(m);
                goto failed;
            }
            variable->value = slots[at->a];
            slots[at->a] = value_thing(variable);
            break;
        }
        case CODE_POP:
            sp--;
            value_drop(*sp);
            break;
        case CODE_COPY:
            v = value_take(sp[-1 - at->a]);
            *sp++ = v;
            break;
        case CODE_LIFT:
            v = sp[-1 - at->a];
            memmove(sp - 1 - at->a, sp - at->a, (size_t)at->a * sizeof *sp);
            sp[-1] = v;
            break;

        case CODE_BINARY:
            if (quick((enum sign)(at->a & 255), &sp[-2], &sp[-1], &v)) {
                sp--;
                sp[-1] = v;
                break;
            }
            frame->pc = (size_t)(at - code->at);
            truth = operate(m, (enum sign)(at->a & 255), sp[-2], sp[-1], at->a >= 256, &v);
            if (is_observed(m, frame))
                observe_pair(m, frame, at, sp[-2], sp[-1], truth ? v : value_absent());
            if (!truth)
                goto failed;
            value_drop(*--sp);
            value_put(&sp[-1], v);
            break;
        case CODE_BINARY_LOCAL:
            if (quick((enum sign)(at->a & 255), &sp[-1], &slots[at->b], &v)) {
                sp[-1] = v;
                break;
            }
            if (slots[at->b].kind == VALUE_ABSENT) {
                unbound(m, frame, at->b);
                goto failed;
            }
            w = value_take(slots[at->b]);
            frame->pc = (size_t)(at - code->at);
            truth = operate(m, (enum sign)(at->a & 255), sp[-1], w, at->a >= 256, &v);
            if (is_observed(m, frame))
                observe_pair(m, frame, at, sp[-1], w, truth ? v : value_absent());
            value_drop(w);
            if (!truth)
                goto failed;
            value_put(&sp[-1], v);
            break;
        case CODE_BINARY_CONST:
            if (quick((enum sign)(at->a & 255), &sp[-1], &constants[at->b], &v)) {
                sp[-1] = v;
                break;
            }
            frame->pc = (size_t)(at - code->at);
            truth =
                operate(m, (enum sign)(at->a & 255), sp[-1], constants[at->b], at->a >= 256, &v);
            if (is_observed(m, frame))
                observe_pair(m, frame, at, sp[-1], constants[at->b], truth ? v : value_absent());
            if (!truth)
                goto failed;
            value_put(&sp[-1], v);
            break;
        case CODE_UNARY:
            if (!operate_unary(m, (enum sign)at->a, sp[-1], &v))
                goto failed;
            value_put(&sp[-1], v);
            break;
        case CODE_NOT:
            if (!value_truth(m, sp[-1], &truth))
                goto failed;
            value_put(&sp[-1], value_bool(!truth));
            break;

        case CODE_JUMP:
            if (code->at + at->a < pc && !machine_tick(m))
                goto failed;
            pc = code->at + at->a;
            break;
        case CODE_JUMP_IF_FALSE:
        case CODE_JUMP_IF_TRUE:
            if (sp[-1].kind == VALUE_BOOL)
                truth = sp[-1].as.whole != 0;
            else if (!value_truth(m, sp[-1], &truth))
                goto failed;
            sp--;
            value_drop(*sp);
            if (truth == (at->op == CODE_JUMP_IF_TRUE))
                pc = code->at + at->a;
            break;
        case CODE_JUMP_IF_FALSE_KEEP:
        case CODE_JUMP_IF_TRUE_KEEP:
            if (!value_truth(m, sp[-1], &truth))
                goto failed;
            if (truth == (at->op == CODE_JUMP_IF_TRUE_KEEP)) {
                pc = code->at + at->a;
            } else {
                sp--;
                value_drop(*sp);
            }
            break;

        case CODE_TUPLE: {
            struct tuple *tuple = tuple_new(&m->things, (size_t)at->a);
            if (tuple == NULL) {
                raise_memory(m);
                goto failed;
            }
            sp -= at->a;
            if (at->a > 0)
                memcpy(tuple->items, sp, (size_t)at->a * sizeof *sp);
            *sp++ = value_thing(tuple);
            break;
        }
        case CODE_LIST: {
            struct array *array = array_new(&m->things, (size_t)at->a);
            if (array == NULL || array->capacity < (size_t)at->a) {
                value_drop(value_thing(array));
                raise_memory(m);
                goto failed;
            }
            sp -= at->a;
            if (at->a > 0)
                memcpy(array->items, sp, (size_t)at->a * sizeof *sp);
            array->n = (size_t)at->a;
            *sp++ = value_thing(array);
            break;
        }
        case CODE_SET: {
            struct table *table = table_new(&m->things, THING_SET);
            v = value_thing(table);
            bool ok = table != NULL || raise_memory(m);
            sp -= at->a;
            for (int32_t i = 0; i < at->a; i++) {
                if (ok)
                    ok = dict_put(m, table, sp[i], value_absent());
                else
                    value_drop(sp[i]);
            }
            if (!ok) {
                value_drop(v);
                goto failed;
            }
            *sp++ = v;
            break;
        }
        case CODE_DICT:
            v = value_thing(table_new(&m->things, THING_DICT));
            if (v.kind == VALUE_ABSENT) {
                raise_memory(m);
                goto failed;
            }
            *sp++ = v;
            break;
        case CODE_JOIN: {
            struct text text = {0};
            sp -= at->a;
            for (int32_t i = 0; i < at->a; i++) {
                text_add(&text, sp[i].as.string->bytes, sp[i].as.string->size);
                value_drop(sp[i]);
            }
            if (!text_to_str(m, &text, &v))
                goto failed;
            *sp++ = v;
            break;
        }
        case CODE_FORMAT: {
            struct text text = {0};
            struct value spec = at->b ? *--sp : value_absent();
            struct value formatted = sp[-1];
            bool ok = true;
            if (at->a != 0) {
                ok = value_convert(m, formatted, (char)at->a, &text) && text_to_str(m, &text, &v);
                text_release(&text);
                if (ok)
                    value_put(&sp[-1], v);
                formatted = sp[-1];
            }
            if (ok)
                ok = value_format(m, formatted, at->b ? spec.as.string->bytes : "",
                                  at->b ? spec.as.string->size : 0, &text);
            value_drop(spec);
            if (!ok || !text_to_str(m, &text, &v)) {
                text_release(&text);
                goto failed;
            }
            value_put(&sp[-1], v);
            break;
        }
        case CODE_LIST_ADD:
            v = *--sp;
            if (!array_add(THING_AS(array, sp[-1 - at->a]), v)) {
                raise_memory(m);
                goto failed;
            }
            break;
        case CODE_SET_ADD:
            v = *--sp;
            if (!dict_put(m, THING_AS(table, sp[-1 - at->a]), v, value_absent()))
                goto failed;
            break;
        case CODE_DICT_ADD:
            v = *--sp;
            w = *--sp;
            if (!dict_put(m, THING_AS(table, sp[-1 - at->a]), w, v))
                goto failed;
            break;
        case CODE_LIST_EXTEND:
        case CODE_SET_EXTEND:
            v = *--sp;
            truth = add_all(m, sp[-1 - at->a], v);
            value_drop(v);
            if (!truth)
                goto failed;
            break;
        case CODE_DICT_UPDATE:
            v = *--sp;
            truth = at->b ? add_keywords(m, THING_AS(table, sp[-1 - at->a]), v)
                          : dict_update(m, THING_AS(table, sp[-1 - at->a]), v);
            value_drop(v);
            if (!truth)
                goto failed;
            break;
        case CODE_LIST_TO_TUPLE: {
            struct array *array = THING_AS(array, sp[-1]);
            if (!make_tuple(m, array->items, array->n, &v))
                goto failed;
            value_put(&sp[-1], v);
            break;
        }

        case CODE_ATTRIBUTE:
            truth = attribute_get(m, sp[-1], constants[at->a].as.string, &v);
            if (is_observed(m, frame))
                observe(m, frame, at, value_absent(), &sp[-1], 1, truth ? v : value_absent());
            if (!truth)
                goto failed;
            value_put(&sp[-1], v);
            break;
        case CODE_STORE_ATTRIBUTE:
            v = *--sp;
            w = *--sp;
            if (is_observed(m, frame))
                observe_store(m, frame, (size_t)(at - code->at), w);
            truth = attribute_set(m, v, constants[at->a].as.string, w);
            value_drop(v);
            if (!truth)
                goto failed;
            break;
        case CODE_DELETE_ATTRIBUTE:
            v = *--sp;
            truth = attribute_delete(m, v, constants[at->a].as.string);
            value_drop(v);
            if (!truth)
                goto failed;
            break;
        case CODE_METHOD:
            if (!attribute_method(m, sp[-1], constants[at->a].as.string, &v, &w))
                goto failed;
            value_drop(sp[-1]);
            if (w.kind == VALUE_ABSENT) {
                sp[-1] = value_absent();
                *sp++ = v;
            } else {
                sp[-1] = v;
                *sp++ = w;
            }
            break;
        case CODE_INDEX:
            truth = index_get(m, sp[-2], sp[-1], &v);
            if (is_observed(m, frame))
                observe_pair(m, frame, at, sp[-2], sp[-1], truth ? v : value_absent());
            if (!truth)
                goto failed;
            value_drop(*--sp);
            value_put(&sp[-1], v);
            break;
        case CODE_STORE_INDEX:
            sp -= 3;
            truth = index_set(m, sp[1], sp[2], sp[0]);
            if (!truth && is_observed(m, frame))
                observe(m, frame, at, value_absent(), sp, 3, value_absent());
            value_drop(sp[1]);
            value_drop(sp[2]);
            if (!truth)
                goto failed;
            break;
        case CODE_DELETE_INDEX:
            sp -= 2;
            truth = index_delete(m, sp[0], sp[1]);
            value_drop(sp[0]);
            value_drop(sp[1]);
            if (!truth)
                goto failed;
            break;
        case CODE_SLICE:
            sp -= 3;
            if (!make_slice(m, sp[0], sp[1], sp[2], &v))
                goto failed;
            *sp++ = v;
            break;

        case CODE_CALL:
        case CODE_CALL_METHOD: {
            struct value *args = sp - at->a, *function = args - 1;
            size_t n = (size_t)at->a;
            if (at->op == CODE_CALL_METHOD) {
                if (function[-1].kind != VALUE_ABSENT) {
                    args--;
                    n++;
                    function--;
                }
            }
            frame->pc = (size_t)(at - code->at);
            const struct tuple *names = at->b > 0 ? THING_AS(tuple, constants[at->b - 1]) : NULL;
            bool ok = machine_call(m, *function, args, n, names, &v);
            if (is_observed(m, frame))
                observe(m, frame, at, *function, args, n, ok ? v : value_absent());
            struct value *low = sp - at->a - (at->op == CODE_CALL_METHOD ? 2 : 1);
            while (sp > low)
                value_drop(*--sp);
            if (!ok)
                goto failed;
            *sp++ = v;
            break;
        }
        case CODE_CALL_SPREAD:
            frame->pc = (size_t)(at - code->at);
            truth = call_spread(m, sp - 3, &v);
            if (is_observed(m, frame))
                observe(m, frame, at, sp[-3], THING_AS(array, sp[-2])->items,
                        THING_AS(array, sp[-2])->n, truth ? v : value_absent());
            for (int i = 0; i < 3; i++)
                value_drop(*--sp);
            if (!truth)
                goto failed;
            *sp++ = v;
            break;
        case CODE_ITERATE:
            if (!value_iterate(m, sp[-1], &v))
                goto failed;
            value_put(&sp[-1], v);
            break;
        case CODE_NEXT:
            if (quick_next(sp[-1], sp)) {
                sp++;
                break;
            }
            frame->pc = (size_t)(at - code->at);
            if (!iterator_next(m, sp[-1], &v))
                goto failed;
            if (v.kind != VALUE_ABSENT) {
                *sp++ = v;
                break;
            }
            sp--;
            value_drop(*sp);
            pc = code->at + at->a;
            break;
        case CODE_UNPACK:
            v = *--sp;
            if (!unpack(m, v, sp, (size_t)at->a)) {
                if (is_observed(m, frame))
                    observe(m, frame, at, value_absent(), NULL, 0, value_absent());
                goto failed;
            }
            sp += at->a;
            break;
        case CODE_UNPACK_STAR:
            v = *--sp;
            if (!unpack_star(m, v, sp, (size_t)at->a, at->b))
                goto failed;
            sp += at->a + 1 + at->b;
            break;
        case CODE_FUNCTION: {
            struct value *low = sp - at->b - 2;
            if (!make_closure(m, code->inner[at->a], low, at->b, &v))
                goto failed;
            while (sp > low)
                value_drop(*--sp);
            *sp++ = v;
            break;
        }
        case CODE_BUILD_CLASS: {
            struct value *low = sp - at->b - 2;
            frame->pc = (size_t)(at - code->at);
            if (!build_class(m, code->inner[at->a], low, at->b, &v))
                goto failed;
            while (sp > low)
                value_drop(*--sp);
            *sp++ = v;
            break;
        }
        case CODE_RETURN:
            if (is_observed(m, frame))
                observe_store(m, frame, (size_t)(at - code->at), sp[-1]);
            *ret = *--sp;
            while (sp > slots + code->n_slots)
                value_drop(*--sp);
            return RUN_RETURNED;
        case CODE_YIELD:
            *ret = *--sp;
            frame->sp = (size_t)(sp - slots);
            frame->pc = (size_t)(pc - code->at);
            return RUN_YIELDED;
        case CODE_YIELD_FROM:
            /* It stays on this instruction, with the iterator and what was sent on the stack. */
            if (frame->waits) {
                sp--;
                value_drop(*sp);
            }
            frame->waits = false;
            if (!iterator_next(m, sp[-1], &v))
                goto failed;
            if (v.kind == VALUE_ABSENT) {
                v = value_is(sp[-1], THING_GENERATOR)
                        ? value_take(THING_AS(generator, sp[-1])->result)
                        : value_none();
                if (v.kind == VALUE_ABSENT)
                    v = value_none();
                value_put(&sp[-1], v);
                break;
            }
            *ret = v;
            frame->waits = true;
            frame->sp = (size_t)(sp - slots);
            frame->pc = (size_t)(at - code->at);
            return RUN_YIELDED;
        case CODE_RAISE:
            if (at->a == 0) {
                raise_error(m, ERROR_RUNTIME, "No active exception to reraise");
                goto failed;
            }
            v = at->a == 2 ? *--sp : value_absent();
            w = at->b > 0 ? slots[at->b - 1] : value_absent();
            raise_statement(m, *--sp);
            raised_from(m, v, w);
            value_drop(v);
            goto failed;
        case CODE_RAISE_AGAIN:
            if (slots[at->a].kind == VALUE_ABSENT || slots[at->a].kind == VALUE_NONE) {
                raise_error(m, ERROR_RUNTIME, "No active exception to reraise");
                goto failed;
            }
            m->raised = value_take(slots[at->a]);
            goto raised_again;
        case CODE_MATCHES:
            if (!matches(m, sp[-2], sp[-1], &truth))
                goto failed;
            value_drop(*--sp);
            value_put(&sp[-1], value_bool(truth));
            break;
        case CODE_ASSERT_FAILED:
            v = value_absent();
            if (at->a)
                v = *--sp;
            value_make_error(m, m->errors[ERROR_ASSERTION], &v, (size_t)at->a, &w);
            value_drop(v);
            if (w.kind != VALUE_ABSENT)
                raise_value(m, w);
            goto failed;
        case CODE_ENTER:
            v = sp[-1];
            if (!enter_with(m, v, &w, sp))
                goto failed;
            value_drop(v);
            /* The exit function lies on top of what the manager gave; STORE takes the latter. */
            v = *sp;
            sp[-1] = w;
            *sp++ = v;
            break;
        case CODE_EXIT:
            v = *--sp;
            truth = exit_with(m, v, value_absent(), &w);
            value_drop(v);
            if (!truth)
                goto failed;
            value_drop(w);
            break;
        case CODE_EXIT_ERROR:
            if (!exit_with(m, sp[-2], sp[-1], &w))
                goto failed;
            value_drop(*--sp);
            value_put(&sp[-1], w);
            break;
        case CODE_IMPORT: {
            const struct string *name = constants[at->a].as.string;
            const char *dot = (at->b & 1) ? strchr(name->bytes, '.') : NULL;
            if (!module_import(m, name->bytes, name->size, &v))
                goto failed;
            if ((at->b & 2) && THING_AS(module, v)->is_missing) {
                value_drop(v);
                raise_missing_module(m, name->bytes);
                goto failed;
            }
            if (dot != NULL) {
                value_drop(v);
                if (!module_import(m, name->bytes, (size_t)(dot - name->bytes), &v))
                    goto failed;
            }
            *sp++ = v;
            break;
        }
        case CODE_IMPORT_FROM:
            if (!import_from(m, sp[-1], constants[at->a].as.string, at->b != 0, &v))
                goto failed;
            *sp++ = v;
            break;
        case CODE_IMPORT_ALL:
            if (!import_all(m, frame->code->unit, sp[-1]))
                goto failed;
            break;
        case CODE_ANNOTATE:
            v = *--sp;
            if (!annotate(m, frame, constants[at->a].as.string, v))
                goto failed;
            break;
        case CODE_SUPER: {
            struct super *super = thing_new(&m->things, THING_SUPER, 0);
            if (super == NULL || !value_is(sp[-2], THING_CLASS)) {
                value_drop(value_thing(super));
                raise_error(m, ERROR_RUNTIME, "super(): no arguments");
                goto failed;
            }
            super->self = *--sp;
            super->after = THING_AS(class, sp[-1]);
            sp[-1] = value_thing(super);
            break;
        }
        case CODE_REFUSE:
            raise_lack(m, ERROR_SYNTAX, "%s", constants[at->a].as.string->bytes);
            goto failed;
        case CODE_END:
        case CODE_COUNT:
            goto failed;
        }
        continue;

    failed:
        frame->pc = (size_t)(at - code->at);
        raised_add_place(m, frame);
    raised_again:;
        const struct catcher *catcher = find_catcher(code, (size_t)(at - code->at));
        size_t keep = code->n_slots + (catcher != NULL ? catcher->n_values : 0);
        while (sp > slots + keep)
            value_drop(*--sp);
        if (catcher == NULL || m->raised.kind == VALUE_ABSENT)
            return RUN_RAISED;
        *sp++ = m->raised;
        m->raised = value_absent();
        pc = code->at + catcher->target;
    }
}
