/* Calls of attn's own functions, and the small things that they make. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/machine_internal.h"

/* ---- making ---- */

bool make_str(struct machine *m, const char *bytes, size_t size, struct value *ret)
{
    if (size == 0 && m->empty_str.kind == VALUE_STRING) {
        *ret = value_take(m->empty_str);
        return true;
    }
    return value_string(bytes, size, ret, NULL) || raise_memory(m);
}

bool make_tuple(struct machine *m, const struct value *items, size_t n, struct value *ret)
{
    struct tuple *tuple;
    if (n == 0 && m->empty_tuple.kind == VALUE_THING) {
        *ret = value_take(m->empty_tuple);
        return true;
    }
    tuple = tuple_new(&m->things, n);
    if (tuple == NULL)
        return raise_memory(m);
    for (size_t i = 0; i < n; i++)
        tuple->items[i] = value_take(items[i]);
    *ret = value_thing(tuple);
    return true;
}

bool make_bound(struct machine *m, struct value self, struct value function, struct value *ret)
{
    struct bound *bound = thing_new(&m->things, THING_BOUND, 0);
    if (bound == NULL) {
        value_drop(self);
        value_drop(function);
        return raise_memory(m);
    }
    bound->self = self;
    bound->function = function;
    *ret = value_thing(bound);
    return true;
}

bool make_slice(struct machine *m, struct value start, struct value stop, struct value step,
                struct value *ret)
{
    struct slice *slice = thing_new(&m->things, THING_SLICE, 0);
    if (slice == NULL) {
        value_drop(start);
        value_drop(stop);
        value_drop(step);
        return raise_memory(m);
    }
    slice->start = start;
    slice->stop = stop;
    slice->step = step;
    *ret = value_thing(slice);
    return true;
}

struct spelling {
    const char *bytes;
    size_t size;
};

static bool same_spelling(void *context, const struct value *key)
{
    const struct spelling *spelling = context;
    return key->as.string->size == spelling->size &&
           memcmp(key->as.string->bytes, spelling->bytes, spelling->size) == 0;
}

struct string *intern(struct machine *m, const char *bytes, size_t size)
{
    struct spelling spelling = {bytes, size};
    uint64_t hash = text_hash(bytes, size);
    hash += hash == 0;
    struct entry *entry = table_find(m->interned, hash, same_spelling, &spelling);
    struct value v;
    if (entry != NULL)
        return entry->key.as.string;
    if (!value_string(bytes, size, &v, NULL)) {
        raise_memory(m);
        return NULL;
    }
    v.as.string->hash = hash;
    struct string *string = v.as.string;
    if (!table_add(m->interned, hash, v, value_absent())) {
        raise_memory(m);
        return NULL;
    }
    return string;
}

/* ---- characters ---- */

size_t str_length(const struct string *string)
{
    size_t n = 0;
    for (size_t i = 0; i < string->size; i++)
        n += ((unsigned char)string->bytes[i] & 0xC0) != 0x80;
    return n;
}

size_t str_offset(const struct string *string, size_t i)
{
    size_t at = 0;
    for (; at < string->size; at++) {
        if (((unsigned char)string->bytes[at] & 0xC0) == 0x80)
            continue;
        if (i-- == 0)
            return at;
    }
    return string->size;
}

size_t text_find(const char *text, size_t size, const char *needle, size_t needle_size, size_t from)
{
    for (size_t at = from; at + needle_size <= size; at++) {
        const char *first =
            needle_size > 0 ? memchr(text + at, needle[0], size - needle_size - at + 1) : text + at;
        if (first == NULL)
            break;
        at = (size_t)(first - text);
        if (memcmp(first, needle, needle_size) == 0)
            return at;
    }
    return SIZE_MAX;
}

/* ---- calls ---- */

static bool is_called(const char *param, const char *name, size_t size)
{
    return strncmp(param, name, size) == 0 && (param[size] == '\0' || param[size] == '=');
}

/* numpy's names for parameters of torch work too, as in PyTorch: sum(axis=1, keepdims=True). */
static bool is_param(const char *param, const struct string *name)
{
    static const char *const also[][2] = {{"dim", "axis"}, {"keepdim", "keepdims"},
                                          {"input", "x"},  {"input", "a"},
                                          {"other", "x2"}, {"training", "train"}};
    if (is_called(param, name->bytes, name->size))
        return true;
    for (size_t i = 0; i < COUNT_OF(also); i++)
        if (strcmp(name->bytes, also[i][1]) == 0 &&
            is_called(param, also[i][0], strlen(also[i][0])))
            return true;
    return false;
}

static bool bind_native(struct native_call *c, const struct value *args, size_t n,
                        const struct tuple *names)
{
    const struct native *native = c->native;
    size_t n_names = names ? names->n : 0, n_given = n - n_names, at = 0, slot = 0, n_plain = 0;
    const char *const *params = native->params;
    bool has_rest = false, has_named = false;
    for (size_t i = 0; params[i] != NULL; i++) {
        has_rest = has_rest || (params[i][0] == '*' && params[i][1] != '\0' && params[i][1] != '*');
        has_named = has_named || (params[i][0] == '*' && params[i][1] == '*');
    }
    for (size_t i = 0; params[i] != NULL && params[i][0] != '*'; i++)
        n_plain++;
    for (; at < n_given && at < n_plain; at++)
        c->args[slot++] = args[at];
    if (has_rest) {
        c->rest = args + at;
        c->n_rest = n_given - at;
    } else if (at < n_given) {
        return raise_error(c->m, ERROR_TYPE, "%s() takes at most %zu argument%s (%zu given)",
                           native->name, n_plain, n_plain == 1 ? "" : "s", n_given);
    }
    if (has_named) {
        c->named_names = names ? names->items : NULL;
        c->named_values = args + n_given;
        c->n_named = n_names;
        n_names = 0;
    }
    for (size_t k = 0; k < n_names; k++) {
        const struct string *name = names->items[k].as.string;
        size_t i = 0;
        slot = 0;
        for (; params[i] != NULL; i++) {
            if (params[i][0] == '*')
                continue;
            if (is_param(params[i], name))
                break;
            slot++;
        }
        if (params[i] == NULL || c->args[slot].kind != VALUE_ABSENT)
            return raise_error(c->m, ERROR_TYPE, "%s() got an unexpected keyword argument '%s'",
                               native->name, name->bytes);
        c->args[slot] = args[n_given + k];
    }
    slot = 0;
    for (size_t i = 0; params[i] != NULL; i++) {
        if (params[i][0] == '*')
            continue;
        if (c->args[slot++].kind == VALUE_ABSENT && strchr(params[i], '=') == NULL)
            return raise_error(c->m, ERROR_TYPE, "%s() missing required argument '%s' (pos %zu)",
                               native->name, params[i], slot);
    }
    return true;
}

bool native_call(struct machine *m, const struct native *native, const struct value *args, size_t n,
                 const struct tuple *names, struct value *ret)
{
    struct native_call c = {.m = m, .native = native};
    *ret = value_none();
    return bind_native(&c, args, n, names) && native->run(&c, ret);
}

bool add_native(struct machine *m, struct table *table, const struct native *native)
{
    struct builtin_function *function = thing_new(&m->things, THING_BUILTIN, 0);
    struct string *name = intern(m, native->name, strlen(native->name));
    if (function == NULL || name == NULL)
        return raise_memory(m);
    function->native = native;
    return table_put_name(table, name, value_thing(function)) || raise_memory(m);
}
