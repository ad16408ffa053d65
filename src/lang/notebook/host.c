/* The notebook of a session: names and values to and fro, attn's functions in cells, and lines that
 * are typed at a prompt. See notebook.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/kept_memory.h"
#include "graph/ops.h"
#include "lang/notebook/ndarray_internal.h"
#include "lang/notebook/notebook.h"
#include "lang/notebook/notebook_internal.h"
#include "lang/syntax/parser.h"

enum {
    LISTS_DEEP = 30, /* lists within lists that become a session's; deeper ones stay things */
    HISTORY_MOST = 256 << 20, /* bytes that a line may add until its tensors forget their history */
};

/* ---- from the session ---- */

/* A number that was typed without axes, as Python has it. */
static struct value number_of(const struct node *node)
{
    double number = (double)node->value.data[0];
    if (node->value.is_bool)
        return value_bool(number != 0);
    if (number == (double)(int64_t)number && number < 1e9 && number > -1e9)
        return value_int((int64_t)number);
    return value_float(number);
}

static bool tensor_of_node(struct machine *m, struct node *node, struct value *ret)
{
    struct value torch;
    if (!module_import(m, "torch", 5, &torch))
        return false;
    value_drop(torch);
    struct work work;
    work_begin(&work, m);
    return work_end(&work, node, node->value.is_bool ? DTYPE_BOOL : DTYPE_FLOAT32, NULL, ret);
}

/* *ret is what a value of the session is in a cell; v is borrowed. */
static bool to_cell(struct machine *m, struct value v, struct value *ret)
{
    char text[120];
    switch (v.kind) {
    case VALUE_NODE:
        if (node_is_constant(v.as.node)) {
            *ret = number_of(v.as.node);
            return true;
        }
        return tensor_of_node(m, v.as.node, ret);
    case VALUE_LIST: {
        struct array *array = array_new(&m->things, v.as.list->n);
        if (array == NULL)
            return raise_memory(m);
        *ret = value_thing(array);
        for (size_t i = 0; i < v.as.list->n; i++) {
            struct value item;
            if (!to_cell(m, v.as.list->items[i], &item) || !array_add(array, item)) {
                value_drop(*ret);
                *ret = value_absent();
                return m->raised.kind != VALUE_ABSENT ? false : raise_memory(m);
            }
        }
        return true;
    }
    case VALUE_FUNCTION:
    case VALUE_OBJECT:
        return raise_error(m, ERROR_TYPE, "%s of attn's formulas can't be used in Python",
                           value_describe(&v, text, sizeof text));
    default:
        *ret = value_take(v);
        return true;
    }
}

bool host_find(struct machine *m, int64_t place, struct string *name, struct value *ret)
{
    const struct notebook_host *host = m->options.host;
    struct value found = host->find(m->options.context, name->bytes, name->size);
    *ret = value_absent();
    if (found.kind == VALUE_ABSENT || found.kind == VALUE_FUNCTION || found.kind == VALUE_OBJECT) {
        value_drop(found);
        return true;
    }
    bool ok = to_cell(m, found, ret);
    value_drop(found);
    if (ok) /* the cell's from here on, so that it may change it */
        value_put(&m->globals[place], value_take(*ret));
    return ok;
}

/* ---- to the session ---- */

static struct node *node_of_array(struct graph *graph, const struct ndarray *a,
                                  struct error *reterr)
{
    struct tensor numbers;
    if (a->n_axes > TENSOR_MAX_AXES) {
        error_set(reterr, ERR_LIMIT, "attn's tensors have at most %d axes", TENSOR_MAX_AXES);
        return NULL;
    }
    if (!tensor_zeros(a->n_axes, a->shape, &numbers, reterr))
        return NULL;
    size_t n = tensor_size(&numbers), index[TENSOR_MAX_AXES];
    for (size_t i = 0; i < n; i++) {
        const union nd_cell *at = a->first;
        tensor_index_of(&numbers, i, index);
        for (unsigned axis = 0; axis < a->n_axes; axis++)
            at += (ptrdiff_t)index[axis] * a->stride[axis];
        numbers.data[i] = nd_is_float(a->dtype) ? (float)at->number : (float)at->whole;
    }
    numbers.is_bool = a->dtype == DTYPE_BOOL;
    return node_input(graph, &numbers, "an array of numpy", 17, reterr);
}

/* *ret is a share of what v is in a formula; VALUE_THING where formulas have no word for it. */
static bool to_session(struct machine *m, struct value v, unsigned depth, struct value *ret,
                       struct error *reterr)
{
    *ret = value_absent();
    if (is_tensor(v)) {
        struct node *node = tensor_node(m, as_tensor(v));
        if (node == NULL) {
            raised_clear(m);
            return error_memory(reterr, "a tensor");
        }
        *ret = value_node(node_share(node));
    } else if (is_ndarray(v)) {
        *ret = value_node(node_of_array(m->graph, as_ndarray(v), reterr));
    } else if (v.kind == VALUE_BOOL) {
        *ret = value_node(node_constant_bool(m->graph, v.as.whole != 0, reterr));
    } else if (v.kind == VALUE_INT || v.kind == VALUE_FLOAT) {
        double number = v.kind == VALUE_INT ? (double)v.as.whole : v.as.number;
        *ret = value_node(node_constant(m->graph, (float)number, reterr));
    } else if ((value_is(v, THING_LIST) || value_is(v, THING_TUPLE)) && depth < LISTS_DEEP) {
        bool is_list = value_is(v, THING_LIST), is_thing = false, ok = true;
        size_t n = is_list ? THING_AS(array, v)->n : THING_AS(tuple, v)->n;
        const struct value *from = is_list ? THING_AS(array, v)->items : THING_AS(tuple, v)->items;
        struct value *items = calloc(n + 1, sizeof *items);
        if (items == NULL)
            return error_memory(reterr, "a list");
        for (size_t i = 0; ok && !is_thing && i < n; i++) {
            ok = to_session(m, from[i], depth + 1, &items[i], reterr);
            is_thing = items[i].kind == VALUE_THING;
        }
        if (ok && is_thing)
            *ret = value_take(v);
        else
            ok = ok && value_list(items, n, ret, reterr);
        for (size_t i = 0; i < n; i++)
            value_release(&items[i]);
        free(items);
        return ok;
    } else {
        *ret = value_take(v);
    }
    return ret->kind != VALUE_ABSENT;
}

bool notebook_value(struct notebook *notebook, struct value *value, struct value *ret,
                    struct error *reterr)
{
    bool ok = to_session(&notebook->machine, *value, 0, ret, reterr);
    value_release(value);
    return ok;
}

bool notebook_write(struct notebook *notebook, const struct value *value, struct text *out,
                    struct error *reterr)
{
    struct machine *m = &notebook->machine;
    if (value_repr(m, *value, out))
        return true;
    struct text message = {0};
    if (value_is(m->raised, THING_INSTANCE) && value_str(m, m->raised, &message))
        error_set(reterr, ERR_TYPE, "%s", text_string(&message));
    else
        error_memory(reterr, "showing a value");
    text_release(&message);
    raised_clear(m);
    return false;
}

/* ---- attn's functions ---- */

/* softmax(scores, dim=-1) in a cell, where neither the cell nor Python has such a function. The
 * first argument is its name. */
static bool run_function(struct native_call *c, struct value *ret)
{
    struct machine *m = c->m;
    const struct notebook_host *host = m->options.host;
    size_t n_given = c->n_rest - 1, n = n_given + c->n_named;
    struct value *args = calloc(n + 1, sizeof *args), result = {.kind = VALUE_ABSENT};
    const struct string **keywords = calloc(c->n_named + 1, sizeof *keywords);
    struct error error = {0};
    bool ok = (args != NULL && keywords != NULL) || error_memory(&error, "a call");
    for (size_t i = 0; ok && i < n; i++) {
        struct value v = i < n_given ? c->rest[1 + i] : c->named_values[i - n_given];
        ok = to_session(m, v, 0, &args[i], &error);
        if (i >= n_given)
            keywords[i - n_given] = c->named_names[i - n_given].as.string;
    }
    ok = ok && host->call(m->options.context, c->rest[0].as.string, args, n, keywords, c->n_named,
                          &result, &error);
    for (size_t i = 0; args != NULL && i < n; i++)
        value_release(&args[i]);
    free(args);
    free(keywords);
    ok = ok ? to_cell(m, result, ret) : raise_graph_error(m, &error);
    value_release(&result);
    return ok;
}

static const struct native attn_function = {"attn_function", {"*args", "**kwargs"}, run_function};

bool host_function(struct machine *m, struct string *name, struct value *ret)
{
    const struct notebook_host *host = m->options.host;
    *ret = value_absent();
    if (!host->has_function(m->options.context, name->bytes, name->size))
        return true;
    struct builtin_function *function = thing_new(&m->things, THING_BUILTIN, 0);
    if (function == NULL)
        return raise_memory(m);
    function->native = &attn_function;
    struct value self = {.kind = VALUE_STRING, .as.string = name};
    return make_bound(m, value_take(self), value_thing(function), ret);
}

/* ---- names ---- */

/* Global number i where it is a cell's, not a module's and not __name__; else NULL. */
static const struct string *own_global(const struct machine *m, size_t i)
{
    const struct string *name = m->global_places->entries[i].key.as.string;
    bool is_own = m->globals[i].kind != VALUE_ABSENT && strchr(name->bytes, '.') == NULL &&
                  strncmp(name->bytes, "__", 2) != 0;
    return is_own ? name : NULL;
}

/* Whether a cell's value is what the session's name stands for. */
static bool is_same(struct machine *m, struct value cell, const struct value *session)
{
    if (is_tensor(cell))
        return session->kind == VALUE_NODE && tensor_node(m, as_tensor(cell)) == session->as.node;
    return session->kind == cell.kind && value_identical(cell, *session);
}

void notebook_follow(struct notebook *notebook)
{
    struct machine *m = &notebook->machine;
    const struct notebook_host *host = m->options.host;
    for (size_t i = 0; i < m->n_globals; i++) {
        const struct string *name = own_global(m, i);
        if (name == NULL)
            continue;
        struct value now = host->find(m->options.context, name->bytes, name->size);
        struct value *cell = &m->globals[i];
        if (!is_same(m, *cell, &now)) {
            bool is_older = is_tensor(*cell) && now.kind == VALUE_NODE &&
                            tensor_go_back(as_tensor(*cell), now.as.node);
            if (!is_older)
                value_put(cell, value_absent()); /* host_find() asks for it again */
        }
        value_release(&now);
    }
    raised_clear(m);
}

/* Calls a method without arguments; ABSENT if the object does not have it, or if it fails. */
static struct value call_method(struct machine *m, struct value self, const char *method)
{
    struct value result = value_absent();
    bool found = false;
    struct string *name = intern(m, method, strlen(method));
    if (name == NULL || !machine_call_method(m, self, name, NULL, 0, &result, &found) || !found) {
        raised_clear(m);
        return value_absent();
    }
    return result;
}

/* Names the tensors of a module that a method lists, as its owner would write them:
 * model.W_query.weight. */
static void name_listed(struct machine *m, const struct string *owner, struct value module,
                        const char *method)
{
    struct value pairs, iterator, pair;
    struct text name = {0};
    pairs = call_method(m, module, method);
    if (pairs.kind == VALUE_ABSENT || !value_iterate(m, pairs, &iterator)) {
        raised_clear(m);
        value_drop(pairs);
        return;
    }
    while (iterator_next(m, iterator, &pair) && pair.kind != VALUE_ABSENT) {
        const struct tuple *two = value_is(pair, THING_TUPLE) ? THING_AS(tuple, pair) : NULL;
        if (two != NULL && two->n == 2 && two->items[0].kind == VALUE_STRING &&
            is_tensor(two->items[1])) {
            struct node *node = tensor_node(m, as_tensor(two->items[1]));
            text_clear(&name);
            text_format(&name, "%s.%s", owner->bytes, two->items[0].as.string->bytes);
            if (node != NULL && node->name == NULL && !name.failed)
                (void)node_set_name(node, name.bytes, name.size, NULL);
        }
        value_drop(pair);
    }
    raised_clear(m);
    text_release(&name);
    value_drop(iterator);
    value_drop(pairs);
}

static void name_parameters(struct machine *m, const struct string *owner, struct value module)
{
    const struct string *method = intern(m, "named_parameters", 16);
    if (method != NULL && value_is(module, THING_INSTANCE) &&
        class_find(THING_AS(instance, module)->class, method) != NULL) {
        name_listed(m, owner, module, "named_parameters");
        name_listed(m, owner, module, "named_buffers");
    }
    raised_clear(m);
}

bool notebook_each_name(struct notebook *notebook,
                        bool (*take)(void *context, const char *name, size_t size,
                                     struct value *value, struct error *reterr),
                        void *context, struct error *reterr)
{
    struct machine *m = &notebook->machine;
    bool ok = true;
    for (size_t i = 0; ok && i < m->n_globals; i++) {
        const struct string *name = own_global(m, i);
        if (name == NULL)
            continue;
        struct value v = value_take(m->globals[i]);
        name_parameters(m, name, v);
        if (is_tensor(v)) {
            struct node *node = tensor_node(m, as_tensor(v));
            struct value shown = node ? value_node(node_share(node)) : value_absent();
            value_put(&v, shown);
            ok = node != NULL || error_memory(reterr, "a tensor");
        }
        ok = ok && take(context, name->bytes, name->size, &v, reterr);
        value_drop(v);
    }
    return ok;
}

bool notebook_lacked(const struct notebook *notebook)
{
    return notebook->machine.lacked;
}

bool notebook_is_tensor(const struct value *value)
{
    return is_tensor(*value);
}

bool notebook_is_python(const struct notebook *notebook, const char *name, size_t size)
{
    struct machine *m = (struct machine *)&notebook->machine;
    struct string *interned = intern(m, name, size);
    return interned != NULL && table_find_name(m->builtins, interned) != NULL;
}

bool notebook_owns(const struct notebook *notebook, const char *name, size_t size,
                   const struct value *value)
{
    struct machine *m = (struct machine *)&notebook->machine;
    struct string *interned = intern(m, name, size);
    const struct entry *entry = interned ? table_find_name(m->global_places, interned) : NULL;
    return entry != NULL && is_same(m, m->globals[entry->value.as.whole], value);
}

void host_watch_memory(struct machine *m)
{
    struct torch *torch = m->torch;
    if (torch == NULL || !torch->keeps_history ||
        memory_peak_bytes() <= m->peak_before + HISTORY_MOST)
        return;
    torch->keeps_history = false;
    if ((torch->said & NOTE_HISTORY) == 0 && m->options.note != NULL)
        m->options.note(m->options.context,
                        "attn: the line has filled 256 MB; from here on, its tensors do not keep "
                        "what they were computed from, and why can't tell it");
    torch->said |= NOTE_HISTORY;
}

void host_name_tensor(struct machine *m, struct value v, struct value name, enum naming by)
{
    static const char *const stages[] = {"q", "k", "v", "scores", "weights", "mixed"};
    if (!is_tensor(v) || name.kind != VALUE_STRING || name.as.string->bytes[0] == '_')
        return;
    bool is_wanted = by != NAMED_IN_TORCH;
    for (size_t i = 0; !is_wanted && i < COUNT_OF(stages); i++)
        is_wanted = strcmp(name.as.string->bytes, stages[i]) == 0;
    if (!is_wanted)
        return;
    struct node *node = tensor_node(m, as_tensor(v));
    if (node == NULL)
        raised_clear(m);
    else if (node->name == NULL && (node->n_parents > 0 || by == NAMED_PARAMETER))
        (void)node_set_name(node, name.as.string->bytes, name.as.string->size, NULL);
}

/* ---- lines ---- */

static bool is_plainly_python(const struct statement *s, const char *source)
{
    switch (s->kind) {
    case STATEMENT_IMPORT:
    case STATEMENT_FROM:
    case STATEMENT_CLASS:
        return true;
    case STATEMENT_FUNCTION:
    case STATEMENT_IF:
    case STATEMENT_WHILE:
    case STATEMENT_FOR:
    case STATEMENT_TRY:
    case STATEMENT_WITH:
        return memchr(source + s->begin, '\n', s->end - s->begin) != NULL;
    default:
        return false;
    }
}

bool notebook_can_read(const char *source, size_t size, bool is_first, struct error *reterr)
{
    struct arena arena = {0};
    struct program program;
    struct error error = {0};
    bool ok = parser_parse_cell(&arena, source, size, &program, &error);
    if (!ok && error.kind == ERR_MEMORY && reterr != NULL)
        *reterr = error;
    ok = ok && program.n_refused == 0 && program.first != NULL;
    const struct statement *s = ok ? program.first : NULL;
    while (s != NULL && !is_plainly_python(s, source))
        s = s->next;
    ok = ok && (s != NULL || !is_first);
    arena_release(&arena);
    return ok;
}

static enum error_kind kind_of(const struct machine *m)
{
    static const struct {
        enum error_class is;
        enum error_kind kind;
    } kinds[] = {
        {ERROR_INTERRUPT, ERR_INTERRUPTED}, {ERROR_MEMORY, ERR_MEMORY}, {ERROR_NAME, ERR_NAME},
        {ERROR_SYNTAX, ERR_SYNTAX},         {ERROR_TYPE, ERR_TYPE},     {ERROR_OS, ERR_FILE},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (raised_is(m, kinds[i].is))
            return kinds[i].kind;
    return ERR_RANGE;
}

/* Whether somebody computes with [[1, 2], [3, 4]] as with a formula's matrix. */
static bool is_list_as_tensor(const char *message)
{
    return strstr(message, "'list'") != NULL &&
           (strstr(message, "unsupported operand") != NULL ||
            strstr(message, "has no attribute 'T'") != NULL ||
            strstr(message, "has no attribute 'shape'") != NULL);
}

/* The error that is raised becomes the line's; the calls inside it are added to trace. */
static void take_error(struct notebook *notebook, const char *source, size_t size,
                       struct text *trace, struct error *reterr)
{
    struct machine *m = &notebook->machine;
    struct text message = {0};
    if (!value_is(m->raised, THING_INSTANCE)) {
        error_memory(reterr, "the line");
        return;
    }
    enum error_kind kind = kind_of(m);
    struct value error = m->raised;
    m->raised = value_absent();
    error_write_calls(error, trace);
    notebook_keep_message(notebook, error);
    error_write_last(m, error, &message);
    raised_clear(m);
    if (kind == ERR_INTERRUPTED)
        error_set(reterr, kind, "stopped");
    else
        error_set(reterr, kind, "%.*s%s", (int)message.size, text_string(&message),
                  is_list_as_tensor(text_string(&message))
                      ? "; torch.tensor(...) makes a tensor of a list"
                      : "");
    size_t begin = m->error_begin < size ? m->error_begin : 0, end = begin;
    while (end < size && strchr("\r\n", source[end]) == NULL)
        end++;
    if (reterr != NULL) {
        reterr->begin = begin;
        reterr->end = end;
    }
    value_drop(error);
    text_release(&message);
}

static struct streams streams_of(const struct machine *m)
{
    struct streams streams = {.python = m->random, .is_python = m->random_is_seeded};
    if (m->torch != NULL) {
        streams.torch = m->torch->random;
        streams.is_torch = m->torch->is_seeded;
    }
    if (m->numpy != NULL) {
        streams.numpy = m->numpy->random;
        streams.is_numpy = m->numpy->is_seeded;
    }
    return streams;
}

static void give_back_streams(struct machine *m, const struct streams *streams)
{
    m->random = streams->python;
    m->random_is_seeded = streams->is_python;
    if (m->torch != NULL && streams->is_torch)
        m->torch->random = streams->torch;
    if (m->numpy != NULL && streams->is_numpy)
        m->numpy->random = streams->numpy;
}

/* Before the first statement of a line. */
static bool begin(struct notebook *notebook)
{
    if (notebook->is_in_line)
        return true;
    notebook->streams = streams_of(&notebook->machine);
    notebook->is_in_line = snapshot_take(&notebook->machine, &notebook->before);
    return notebook->is_in_line;
}

void notebook_end_line(struct notebook *notebook, bool works)
{
    if (!notebook->is_in_line)
        return;
    if (!works) {
        snapshot_give_back(&notebook->before);
        give_back_streams(&notebook->machine, &notebook->streams);
    }
    snapshot_release(&notebook->before);
    notebook->is_in_line = false;
}

bool notebook_run_line(struct notebook *notebook, const char *source, size_t size,
                       struct value *ret, struct text *trace, struct error *reterr)
{
    struct machine *m = &notebook->machine;
    struct lacks lacks = {0};
    raised_clear(m); /* of a question about a name that had no memory */
    m->peak_before = memory_peak_bytes();
    m->error_begin = 0;
    text_clear(&notebook->message);
    m->lacked = false;
    if (m->torch != NULL)
        m->torch->keeps_history = true;
    bool ok = begin(notebook) && machine_run_statements(m, "prompt", source, size, &lacks, ret);
    if (ok && m->out.failed) /* print() had no memory */
        ok = raise_memory(m);
    notebook_hand_on(m);
    if (!ok)
        take_error(notebook, source, size, trace, reterr);
    text_release(&lacks.reasons);
    return ok;
}
