/* See observe_internal.h. */
#include "lang/notebook/observe_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"

enum { ROWS_MOST = 2000 };

double observer_now_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool observer_is_late(const struct machine *m)
{
    return m->observer != NULL && m->observer->deadline_s > 0 &&
           observer_now_s() > m->observer->deadline_s;
}

size_t unit_number(const struct unit *unit)
{
    size_t n = 0;
    for (unit = unit->next; unit != NULL; unit = unit->next)
        n += unit->prefix == NULL;
    return n;
}

static void failure_release(struct failure *failure)
{
    value_drop(failure->error);
    for (size_t i = 0; i < failure->seen.n; i++)
        value_drop(failure->args[i]);
    value_drop(failure->seen.function);
    value_drop(failure->self);
    for (size_t i = 0; i < failure->n_variables; i++)
        value_drop(failure->variables[i]);
    free(failure->variables);
    *failure = (struct failure){.error = value_absent()};
}

void observer_release(struct observer *observer)
{
    for (size_t i = 0; i < observer->n_rows; i++) {
        value_drop(observer->rows[i].value);
        value_drop(observer->rows[i].name);
        value_drop(observer->rows[i].caller);
        text_release(&observer->rows[i].problem);
    }
    free(observer->rows);
    free(observer->said);
    failure_release(&observer->failure);
    text_release(&observer->watched_shape);
    text_release(&observer->problems);
    *observer = (struct observer){.n_rows = 0};
}

void observer_lacks_memory(struct machine *m)
{
    if (m->observer != NULL)
        m->observer->lacks_memory = true;
}

static unsigned depth_of(const struct frame *frame)
{
    unsigned n = 0;
    for (; frame != NULL; frame = frame->outer)
        n += frame->code->unit->prefix == NULL;
    return n;
}

/* ---- rows ---- */

static struct shape_row *add_row(struct machine *m, const struct frame *frame)
{
    struct observer *observer = m->observer;
    if (!observer->keeps_rows || observer->n_rows >= ROWS_MOST) {
        observer->n_left_out += observer->keeps_rows;
        return NULL;
    }
    struct shape_row *rows =
        array_grow(observer->rows, observer->n_rows, &observer->capacity, sizeof *rows);
    if (rows == NULL) {
        observer->lacks_memory = true;
        return NULL;
    }
    observer->rows = rows;
    struct shape_row *row = &rows[observer->n_rows++];
    *row = (struct shape_row){.unit = frame->code->unit,
                              .depth = depth_of(frame),
                              .name = value_absent(),
                              .value = value_absent(),
                              .caller = value_absent()};
    return row;
}

void observe_call(struct machine *m, const struct frame *frame)
{
    const struct code *code = frame->code;
    struct observer *observer = m->observer;
    unsigned depth = depth_of(frame);
    while (observer->n_said > 0 && observer->said[observer->n_said - 1].depth >= depth)
        observer->n_said--;
    if (frame->function.kind == VALUE_ABSENT || code->name[0] == '<')
        return;
    struct text name = {0};
    struct shape_row *row = add_row(m, frame);
    if (row == NULL)
        return;
    struct value self = code->n_plain > 0 ? frame->slots[0] : value_absent();
    if (value_is(self, THING_INSTANCE))
        text_format(&name, "%s.", class_name(THING_AS(instance, self)->class));
    text_put(&name, code->name);
    if (!text_to_str(m, &name, &row->caller)) {
        observer->lacks_memory = true;
        raised_clear(m);
    }
    for (unsigned i = 0; i < code->n_plain + code->n_keyword; i++) {
        if (!is_tensor(frame->slots[i]) || (row = add_row(m, frame)) == NULL)
            continue;
        row->name = value_take(code->names[i]);
        row->value = value_take(frame->slots[i]);
    }
}

/* ---- comments ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct contract {
    unsigned n;
    struct {
        const char *at;
        size_t size;
    } axes[TENSOR_MAX_AXES];
    const char *begin, *end; /* from one bracket to the other */
};

/* "(b, h, t, d)" or "[batch, heads, seq]" in a comment: words and numbers between commas. */
static bool read_contract(const char *at, const char *end, struct contract *ret)
{
    for (; at < end; at++) {
        if (*at != '(' && *at != '[')
            continue;
        const char *p = at + 1, close = *at == '(' ? ')' : ']';
        bool ok = true, has_word = false;
        *ret = (struct contract){.begin = at};
        while (ok && p < end && *p != close) {
            while (p < end && *p == ' ')
                p++;
            const char *word = p;
            while (p < end && strchr(",)]([ ", *p) == NULL)
                p++;
            const char *word_end = p;
            while (p < end && *p == ' ')
                p++;
            ok = word_end > word && p < end && (*p == ',' || *p == close) &&
                 ret->n < TENSOR_MAX_AXES && (is_letter(*word) || text_is_digit(*word));
            if (!ok)
                break;
            has_word = has_word || is_letter(*word);
            ret->axes[ret->n].at = word;
            ret->axes[ret->n++].size = (size_t)(word_end - word);
            p += *p == ',';
        }
        ret->end = p + 1;
        if (ok && has_word && ret->n > 0 && p < end && (ret->n > 1 || p[-1] == ','))
            return true;
    }
    return false;
}

size_t statement_code_end(const struct unit *unit, const struct statement *s)
{
    size_t at = s->begin, end = s->begin;
    char quote = '\0';
    for (; at < s->end; at++) {
        char c = unit->source[at];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '#')
            while (at + 1 < s->end && unit->source[at + 1] != '\n')
                at++;
        if (c != '#' && strchr(" \t\r\n", c) == NULL)
            end = at + 1;
    }
    return end;
}

/* The comment behind a statement, on its last row. */
static bool comment_of(const struct unit *unit, const struct statement *s, const char **ret,
                       const char **ret_end)
{
    size_t at = statement_code_end(unit, s);
    while (at < unit->size && strchr(" \t;", unit->source[at]) != NULL)
        at++;
    if (at >= unit->size || unit->source[at] != '#')
        return false;
    *ret = unit->source + at + 1;
    while (at < unit->size && unit->source[at] != '\n')
        at++;
    *ret_end = unit->source + at;
    return true;
}

static struct said_size *find_said(const struct observer *observer, unsigned depth,
                                   const char *name, size_t size)
{
    for (size_t i = 0; i < observer->n_said; i++) {
        struct said_size *said = &observer->said[i];
        if (said->depth == depth && said->name_size == size && memcmp(said->name, name, size) == 0)
            return said;
    }
    return NULL;
}

static void add_said(struct observer *observer, struct said_size said)
{
    struct said_size *grown =
        array_grow(observer->said, observer->n_said, &observer->said_capacity, sizeof *grown);
    if (grown == NULL) {
        observer->lacks_memory = true;
        return;
    }
    observer->said = grown;
    grown[observer->n_said++] = said;
}

void observe_write_shape(const struct tensor *x, struct text *out)
{
    text_char(out, '(');
    for (unsigned i = 0; i < x->n_axes; i++)
        text_format(out, i > 0 ? ", %zu" : "%zu", x->shape[i]);
    text_put(out, x->n_axes == 1 ? ",)" : ")");
}

/* Whole numbers among local variables, such as B of B, T, C = x.shape. */
static bool variable_size(const struct frame *frame, const char *name, size_t size, size_t *ret)
{
    const struct code *code = frame->code;
    for (unsigned i = 0; i < code->n_slots; i++) {
        const struct value *is = &code->names[i];
        if (is->kind == VALUE_STRING && text_equals(name, size, is->as.string->bytes) &&
            frame->slots[i].kind == VALUE_INT && frame->slots[i].as.whole >= 0) {
            *ret = (size_t)frame->slots[i].as.whole;
            return true;
        }
    }
    return false;
}

/* Compares a tensor with what the comment says, and names its axes where they agree. */
static void check_contract(struct machine *m, const struct frame *frame, struct tensor_thing *t,
                           const struct contract *c, size_t row, struct text *problem)
{
    const struct unit *unit = frame->code->unit;
    struct node *node = tensor_form(m, t);
    if (node == NULL) {
        observer_lacks_memory(m);
        raised_clear(m);
        return;
    }
    const struct tensor *x = &node->value;
    if (x->n_axes != c->n) {
        text_format(problem, "the comment %.*s names %u axes, and the tensor has %u: ",
                    (int)(c->end - c->begin), c->begin, c->n, x->n_axes);
        observe_write_shape(x, problem);
        return;
    }
    for (unsigned i = 0; i < c->n; i++) {
        const char *name = c->axes[i].at;
        size_t size = c->axes[i].size, known = 0;
        unsigned depth = depth_of(frame);
        struct said_size *said = find_said(m->observer, depth, name, size);
        if (text_is_digit(name[0])) {
            known = strtoul(name, NULL, 10);
            if (known == x->shape[i] || strspn(name, "0123456789") < size)
                continue;
            text_format(problem, "the comment says %zu for axis %u, and its size is %zu", known, i,
                        x->shape[i]);
            return;
        }
        bool is_variable = variable_size(frame, name, size, &known);
        if (said != NULL && !is_variable)
            known = said->size;
        if ((said != NULL || is_variable) && known != x->shape[i]) {
            text_format(problem, "axis %u of size %zu is %.*s in the comment, and %.*s is %zu", i,
                        x->shape[i], (int)size, name, (int)size, name, known);
            if (said != NULL)
                text_format(problem, " on line %zu", said->row);
            return;
        }
        if (said == NULL)
            add_said(m->observer, (struct said_size){name, size, x->shape[i], row, depth});
    }
    for (unsigned i = 0; i < c->n; i++)
        if (!text_is_digit(c->axes[i].at[0]))
            axes_name(m, t, i, c->axes[i].at, c->axes[i].size, unit,
                      (size_t)(c->begin - unit->source), (size_t)(c->end - unit->source), true);
}

/* ---- stores ---- */

void observe_store(struct machine *m, const struct frame *frame, size_t at, struct value value)
{
    const struct unit *unit = frame->code->unit;
    struct origin origin = frame->code->origins[at];
    const struct statement *s = origin.statement;
    struct contract contract;
    const char *comment, *end;
    bool is_return = s != NULL && s->kind == STATEMENT_RETURN;
    bool is_target = origin.expr != NULL &&
                     (origin.expr->kind == EXPR_NAME || origin.expr->kind == EXPR_ATTRIBUTE);
    if (!is_tensor(value) || s == NULL || s->body != NULL || (!is_return && !is_target))
        return;
    struct shape_row *row = add_row(m, frame);
    struct text problem = {0};
    if (comment_of(unit, s, &comment, &end) && read_contract(comment, end, &contract))
        check_contract(m, frame, as_tensor(value), &contract, unit_row(unit, s->begin) + 1,
                       &problem);
    m->observer->lacks_memory = m->observer->lacks_memory || problem.failed;
    if (row == NULL) {
        if (problem.size > 0)
            text_format(&m->observer->problems, "  line %zu: %s\n", unit_row(unit, s->begin) + 1,
                        text_string(&problem));
        text_release(&problem);
        return;
    }
    row->begin = s->begin;
    row->end = statement_code_end(unit, s);
    row->target = is_return ? NULL : origin.expr;
    row->value = value_take(value);
    row->problem = problem;
}

/* ---- sizes with names ---- */

struct value frame_value(const struct machine *m, const struct code *code,
                         const struct value *slots, const struct expr *expr)
{
    if (expr->kind == EXPR_ATTRIBUTE) {
        struct value object = frame_value(m, code, slots, expr->object);
        struct string *name = intern((struct machine *)m, expr->as.text.bytes, expr->as.text.size);
        const struct entry *entry =
            value_is(object, THING_INSTANCE) && name != NULL &&
                    THING_AS(instance, object)->attributes != NULL
                ? table_find_name(THING_AS(instance, object)->attributes, name)
                : NULL;
        return entry != NULL ? entry->value : value_absent();
    }
    if (expr->kind != EXPR_NAME)
        return value_absent();
    for (unsigned i = 0; i < code->n_slots; i++) {
        if (code->names[i].kind != VALUE_STRING ||
            !expr_named(expr, code->names[i].as.string->bytes))
            continue;
        return value_is(slots[i], THING_VARIABLE) ? THING_AS(variable, slots[i])->value : slots[i];
    }
    struct string *name = intern((struct machine *)m, expr->as.text.bytes, expr->as.text.size);
    const struct entry *entry = name != NULL ? table_find_name(m->global_places, name) : NULL;
    return entry != NULL ? m->globals[entry->value.as.whole] : value_absent();
}

/* The tensor whose shape this expression is: x of x.shape, x.size() and x.shape[:2]. */
static const struct expr *shape_of_what(const struct expr *expr)
{
    if (expr->kind == EXPR_INDEX)
        expr = expr->object;
    if (expr->kind == EXPR_CALL)
        expr = expr->object;
    bool is_shape =
        expr->kind == EXPR_ATTRIBUTE && (expr_named(expr, "shape") || expr_named(expr, "size"));
    return is_shape ? expr->object : NULL;
}

static void name_one(struct machine *m, const struct observed *seen, struct tensor_thing *t,
                     const struct expr *target, int64_t i)
{
    const struct statement *s = seen->statement;
    struct axes *axes = axes_of(m, t);
    if (i < 0 && axes != NULL)
        i += (int64_t)axes->n;
    if (target->kind == EXPR_NAME && i >= 0 && i < TENSOR_MAX_AXES)
        axes_name(m, t, (unsigned)i, target->as.text.bytes, target->as.text.size,
                  seen->frame->code->unit, s->begin, s->end, false);
}

/* b, t, d = x.shape, or one of B, T = x.size(0), x.size(1). */
static void name_sizes(struct machine *m, const struct observed *seen, struct value result)
{
    const struct statement *s = seen->statement;
    const struct expr *what = shape_of_what(seen->expr);
    if (what == NULL || s == NULL || s->kind != STATEMENT_CHAIN || s->n_targets == 0)
        return;
    struct value v = frame_value(m, seen->frame->code, seen->frame->slots, what);
    if (!is_tensor(v))
        return;
    const struct expr *target = s->targets[0];
    bool is_several = target->kind == EXPR_TUPLE || target->kind == EXPR_LIST;
    if (result.kind == VALUE_INT && s->value->kind == EXPR_TUPLE && is_several) {
        for (size_t i = 0; i < s->value->as.list.n && i < target->as.list.n; i++)
            if (s->value->as.list.items[i] == seen->expr && seen->n > 1)
                name_one(m, seen, as_tensor(v), target->as.list.items[i], seen->args[1].as.whole);
    } else if (result.kind == VALUE_INT && s->value == seen->expr && seen->n > 1) {
        name_one(m, seen, as_tensor(v), target, seen->args[1].as.whole);
    } else if (value_is(result, THING_TUPLE) && s->value == seen->expr && is_several) {
        size_t n = target->as.list.n, n_sizes = THING_AS(tuple, result)->n;
        bool is_part = seen->expr->kind == EXPR_INDEX;
        struct axes *axes = axes_of(m, as_tensor(v));
        size_t first = is_part && axes != NULL && seen->expr->as.list.n == 1 &&
                               seen->expr->as.list.items[0]->kind == EXPR_SLICE &&
                               seen->expr->as.list.items[0]->as.slice.start != NULL
                           ? axes->n - n_sizes
                           : 0;
        for (size_t i = 0, k = first; i < n; i++) {
            const struct expr *item = target->as.list.items[i];
            if (item->kind == EXPR_STAR)
                k += n_sizes - (n - 1);
            else if (n_sizes == n || k < n_sizes)
                name_one(m, seen, as_tensor(v), item, (int64_t)k++);
        }
    }
}

static void watch_place(struct machine *m, const struct observed *seen, struct value result)
{
    struct observer *observer = m->observer;
    if (seen->expr->begin > observer->watched_begin || seen->expr->end < observer->watched_end ||
        !is_tensor(result) || observer->watched_shape.size > 0 ||
        unit_number(seen->frame->code->unit) != observer->watched_unit)
        return;
    struct node *node = tensor_form(m, as_tensor(result));
    if (node == NULL)
        raised_clear(m);
    else
        observe_write_shape(&node->value, &observer->watched_shape);
}

void observe_result(struct machine *m, const struct observed *seen, struct value result)
{
    if (seen->expr == NULL)
        return;
    if (m->observer->watched_end > 0)
        watch_place(m, seen, result);
    if (is_tensor(result) || value_is(result, THING_TUPLE) || value_is(result, THING_LIST))
        axes_follow(m, seen, result);
    if (result.kind == VALUE_INT || value_is(result, THING_TUPLE))
        name_sizes(m, seen, result);
}

/* ---- failures ---- */

static void keep_callers(struct failure *failure, const struct frame *frame)
{
    for (frame = frame->outer; frame != NULL && failure->n_callers < FAILURE_MAX_CALLERS;
         frame = frame->outer) {
        const struct code *code = frame->code;
        if (code->unit->prefix != NULL || frame->pc >= code->n)
            continue;
        struct origin origin = code->origins[frame->pc];
        failure->callers[failure->n_callers++] =
            (struct place_of_call){code->unit, origin.expr, origin.statement};
    }
}

void observe_failure(struct machine *m, const struct observed *seen)
{
    struct failure *failure = &m->observer->failure;
    const struct code *code = seen->frame->code;
    if (!value_is(m->raised, THING_INSTANCE) || value_identical(m->raised, failure->error))
        return;
    failure_release(failure);
    failure->error = value_take(m->raised);
    failure->code = code;
    failure->seen = *seen;
    failure->seen.frame = NULL;
    failure->seen.names = NULL;
    failure->seen.function = value_take(seen->function);
    failure->seen.n = seen->n < FAILURE_MAX_ARGS ? seen->n : FAILURE_MAX_ARGS;
    failure->seen.args = failure->args;
    for (size_t i = 0; i < failure->seen.n; i++)
        failure->args[i] = value_take(seen->args[i]);
    failure->depth = depth_of(seen->frame);
    failure->self = code->n_plain > 0 ? value_take(seen->frame->slots[0]) : value_absent();
    failure->variables = calloc(code->n_slots + 1U, sizeof *failure->variables);
    for (unsigned i = 0; failure->variables != NULL && i < code->n_slots; i++)
        failure->variables[failure->n_variables++] = value_take(seen->frame->slots[i]);
    keep_callers(failure, seen->frame);
}
