/* Changes that could make the shapes fit: a table of them. Each that can be written here is tried:
 * the cells run again with it, and the first with which they run to their end is offered. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/shape_error_internal.h"

/* ---- running again ---- */

static void drop(void *context, const char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
}

/* The text of a unit with those edits that are in it, from the last to the first. */
static bool edited_source(const struct unit *unit, const struct edits *edits, struct text *ret)
{
    size_t at = 0, number = unit_number(unit);
    for (;;) {
        const struct edit *next = NULL;
        for (size_t i = 0; edits != NULL && i < edits->n; i++) {
            const struct edit *edit = &edits->at[i];
            if (unit_number(edit->unit) == number && edit->begin >= at &&
                (next == NULL || edit->begin < next->begin))
                next = edit;
        }
        size_t end = next != NULL ? next->begin : unit->size;
        text_add(ret, unit->source + at, end - at);
        if (next == NULL)
            return !ret->failed;
        text_put(ret, next->text);
        at = next->end > next->begin ? next->end : next->begin;
        if (next->end == next->begin) { /* an insertion: on past it */
            if (at < unit->size)
                text_add(ret, unit->source + at, 1);
            at++;
        }
    }
}

struct notebook *cells_run_again(const struct notebook *notebook, const struct edits *edits,
                                 struct observer *observer, double seconds, bool *ret_works)
{
    struct notebook_options options = notebook->machine.options;
    size_t n = 0;
    options.print = drop;
    options.print_error = NULL;
    options.note = NULL;
    struct notebook *copy = notebook_new(&options);
    *ret_works = true;
    if (copy == NULL)
        return NULL;
    struct machine *m = &copy->machine;
    m->observer = observer;
    observer->deadline_s = observer_now_s() + seconds;
    for (const struct unit *unit = notebook->machine.units; unit != NULL; unit = unit->next)
        n += unit->prefix == NULL;
    for (size_t i = 0; i < n; i++) {
        const struct unit *unit = notebook->machine.units;
        while (unit != NULL && (unit->prefix != NULL || unit_number(unit) != i))
            unit = unit->next;
        struct text source = {0};
        struct lacks lacks = {0};
        struct value ignored = value_absent();
        raised_clear(m);
        *ret_works = unit != NULL && edited_source(unit, edits, &source) &&
                     machine_run_statements(m, unit->name, text_string(&source), source.size,
                                            &lacks, &ignored);
        value_drop(ignored);
        text_release(&source);
        text_release(&lacks.reasons);
        if (!*ret_works && options.host == NULL)
            break;
    }
    text_clear(&m->out);
    return copy;
}

/* ---- candidates ---- */

#define REDUCTIONS " mean sum max min var std amax amin norm logsumexp argmax "
#define VIEWS " view reshape "

enum { SECONDS_FOR_ALL = 4, SECONDS_FOR_ONE = 1, TRIALS_MOST = 160 };

struct search {
    const struct notebook *notebook;
    const struct shape_error *error;
    struct edits edits;
    const char *why;
    double end_s;
    unsigned n_trials;
    bool found;
    struct text *out;
};

static void clear_edits(struct search *s)
{
    for (size_t i = 0; i < s->edits.n; i++)
        free(s->edits.at[i].text);
    s->edits.n = 0;
}

/* Takes the text over. */
static void add_edit(struct search *s, const struct unit *unit, size_t begin, size_t end,
                     struct text *text)
{
    if (s->edits.n < EDITS_MOST && !text->failed && text->bytes != NULL)
        s->edits.at[s->edits.n++] = (struct edit){unit, begin, end, text->bytes};
    else
        text_release(text);
    *text = (struct text){0};
}

/* A row with its edits, without what stands around it. */
static void write_row_edited(const struct search *s, const struct edit *edit, struct text *out)
{
    const struct unit *unit = edit->unit;
    size_t row = unit_row(unit, edit->begin), last = unit_row(unit, edit->end);
    size_t at = unit->rows[row];
    size_t end = last + 1 < unit->n_rows ? unit->rows[last + 1] : unit->size;
    bool blank = false, begun = false;
    struct text whole = {0};
    for (; at < end; at++) {
        for (size_t i = 0; i < s->edits.n; i++) {
            const struct edit *here = &s->edits.at[i];
            if (here->unit != unit || here->begin != at)
                continue;
            text_put(&whole, here->text);
            at = here->end;
        }
        if (at < end)
            text_char(&whole, unit->source[at]);
    }
    const char *hash = strstr(text_string(&whole), "  #");
    size_t size = hash != NULL ? (size_t)(hash - whole.bytes) : whole.size;
    for (size_t i = 0; i < size; i++) {
        bool is_blank = isspace((unsigned char)whole.bytes[i]) != 0;
        if (!is_blank) {
            text_put(out, blank && begun ? " " : "");
            text_char(out, whole.bytes[i]);
            begun = true;
        }
        blank = is_blank;
    }
    text_release(&whole);
}

static void write_found(const struct search *s, const struct observer *observer)
{
    struct text *out = s->out;
    size_t last_row = SIZE_MAX;
    text_format(out, "  %s:\n", s->why);
    for (size_t i = 0; i < s->edits.n; i++) {
        const struct edit *edit = &s->edits.at[i];
        size_t row = unit_row(edit->unit, edit->begin);
        if (row == last_row)
            continue;
        last_row = row;
        text_format(out, "    line %zu: ", row + 1);
        write_row_edited(s, edit, out);
        text_char(out, '\n');
    }
    text_put(out, "  With this change ");
    if (observer->watched_shape.size > 0)
        text_format(out, "the line gives %s, and ",
                    text_string((struct text *)&observer->watched_shape));
    text_put(out, "the code runs to its end.\n");
}

/* Runs the cells with the edits, which are then forgotten. */
static bool try_edits(struct search *s)
{
    bool works = false;
    const struct failure *f = s->error->failure;
    struct observer observer = {.failure = {.error = value_absent()}};
    double now = observer_now_s();
    if (!s->found && s->edits.n > 0 && s->n_trials < TRIALS_MOST && now < s->end_s) {
        const struct expr *expr = s->error->expr;
        s->n_trials++;
        if (expr != NULL) {
            observer.watched_unit = unit_number(f->code->unit);
            observer.watched_begin = expr->begin;
            observer.watched_end = expr->end;
            for (size_t i = 0; i < s->edits.n; i++) {
                const struct edit *edit = &s->edits.at[i];
                size_t more = strlen(edit->text) - (edit->end - edit->begin);
                bool is_here = edit->unit == f->code->unit;
                observer.watched_begin += is_here && edit->end <= expr->begin ? more : 0;
                observer.watched_end += is_here && edit->begin <= expr->end ? more : 0;
            }
        }
        double left = s->end_s - now;
        struct notebook *copy =
            cells_run_again(s->notebook, &s->edits, &observer,
                            left < SECONDS_FOR_ONE ? left : SECONDS_FOR_ONE, &works);
        if (copy != NULL && works)
            write_found(s, &observer);
        s->found = copy != NULL && works;
        if (copy != NULL)
            copy->machine.observer = NULL;
        observer_release(&observer);
        notebook_free(copy);
    }
    clear_edits(s);
    return s->found;
}

static const struct unit *unit_of(const struct search *s)
{
    return s->error->failure->code->unit;
}

static bool is_simple(const struct expr *expr)
{
    return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_CALL ||
           expr->kind == EXPR_INDEX || expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE;
}

static void put_expr(const struct unit *unit, const struct expr *expr, struct text *out)
{
    bool is_bare = is_simple(expr) || expr->kind == EXPR_WHOLE;
    text_put(out, is_bare ? "" : "(");
    text_add(out, unit->source + expr->begin, expr->end - expr->begin);
    text_put(out, is_bare ? "" : ")");
}

/* Fills a form: {} is the operand, {0} and {1} are those of these numbers. */
static void fill(const struct search *s, const char *form, size_t form_size, size_t operand,
                 struct text *out)
{
    for (size_t i = 0; i < form_size; i++) {
        size_t which = operand;
        if (form[i] != '{') {
            text_char(out, form[i]);
            continue;
        }
        if (form[i + 1] != '}')
            which = (size_t)(form[++i] - '0');
        i++;
        if (which < s->error->n)
            put_expr(unit_of(s), s->error->operands[which].expr, out);
    }
}

static bool is_own(const struct search *s, size_t operand)
{
    /* An item of a list that is not written out has no place of its own. */
    for (size_t i = 0; i < s->error->n; i++)
        if (i != operand && s->error->operands[i].expr == s->error->operands[operand].expr)
            return false;
    return true;
}

/* ---- the table ---- */

struct repair {
    enum shape_problem problem;
    void (*make)(struct search *s, const struct repair *row);
    size_t operand;
    const char *form;             /* "A|B": for the operand, and for the one after it */
    unsigned axes, axes_of_other; /* only where they have so many; 0: any */
    const char *why;
    bool cuts; /* only a mask, whose last two axes are equal, can be cut */
};

/* ---- the learner's function that failed ---- */

static const struct statement *function_around(struct statement *const *statements, size_t n,
                                               size_t at)
{
    const struct statement *found = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct statement *s = statements[i];
        while (s != NULL) {
            const struct statement *next = s->next;
            if (s->begin <= at && at < s->end) {
                if (s->kind == STATEMENT_FUNCTION)
                    found = s;
                next = s->body;
            }
            s = next;
        }
    }
    return found;
}

/* Calls visit for each statement there; outside of functions, for those of the whole unit. */
static void visit_function(const struct search *s, statement_visit *visit, void *context)
{
    const struct unit *unit = unit_of(s);
    const struct statement *function = function_around(unit->statements, unit->n_statements,
                                                       s->error->failure->seen.statement->begin);
    if (function != NULL)
        (void)statements_find(function->body, visit, context);
    for (size_t i = 0; function == NULL && i < unit->n_statements; i++)
        (void)visit(unit->statements[i], context);
}

static bool same_text(const struct unit *unit, const struct expr *a, const struct expr *b)
{
    return a->end - a->begin == b->end - b->begin &&
           memcmp(unit->source + a->begin, unit->source + b->begin, a->end - a->begin) == 0;
}

/* What a name of the function was last given before the error; else the expression itself. */
struct definition {
    const struct search *search;
    const struct expr *name, *ret;
};

static bool defines(const struct statement *s, void *context)
{
    struct definition *d = context;
    if (s->kind == STATEMENT_CHAIN && s->n_targets == 1 && s->targets[0]->kind == EXPR_NAME &&
        s->begin < d->search->error->failure->seen.statement->begin &&
        same_text(unit_of(d->search), s->targets[0], d->name))
        d->ret = s->value;
    return false;
}

static const struct expr *definition_of(const struct search *s, const struct expr *expr)
{
    struct definition d = {s, expr, expr};
    if (expr->kind == EXPR_NAME)
        visit_function(s, defines, &d);
    return d.ret;
}

/* ---- operands ---- */

/* Other operations of the same kind that share the other operand: x @ self.W_q beside
 * x @ self.W_k. */
struct likes {
    const struct unit *unit;
    const struct expr *like; /* EXPR_BINARY */
    bool is_left;            /* the left side is changed, the right side is the same */
    const struct expr *at[EDITS_MOST];
    size_t n;
};

static void collect_like(const struct expr *expr, void *context)
{
    struct likes *likes = context;
    if (expr == NULL)
        return;
    expr_each_part(expr, collect_like, context);
    if (expr->kind != EXPR_BINARY || expr == likes->like || likes->n == EDITS_MOST ||
        expr->as.operation.op != likes->like->as.operation.op ||
        expr->as.operation.meaning != likes->like->as.operation.meaning)
        return;
    const struct expr *same = likes->is_left ? expr->as.operation.right : expr->as.operation.left;
    const struct expr *with =
        likes->is_left ? likes->like->as.operation.right : likes->like->as.operation.left;
    if (same_text(likes->unit, same, with))
        likes->at[likes->n++] = likes->is_left ? expr->as.operation.left : expr->as.operation.right;
}

static bool collect_likes(const struct statement *s, void *context)
{
    if (s->value != NULL)
        collect_like(s->value, context);
    return false;
}

static void fill_form(const struct search *s, const char *form, const struct expr *expr,
                      struct text *out)
{
    const char *hole = strstr(form, "{}");
    text_add(out, form, (size_t)(hole - form));
    put_expr(unit_of(s), expr, out);
    text_put(out, hole + 2);
}

static void try_likes(struct search *s, const struct repair *row)
{
    struct likes likes = {.unit = unit_of(s), .like = s->error->expr};
    struct text text = {0};
    if (s->found || likes.like == NULL || likes.like->kind != EXPR_BINARY || row->operand > 1 ||
        strchr(row->form, '|') != NULL || strstr(row->form, "{}") == NULL ||
        strstr(row->form, "{0}") != NULL || strstr(row->form, "{1}") != NULL)
        return;
    likes.is_left = row->operand == 0;
    visit_function(s, collect_likes, &likes);
    if (likes.n == 0)
        return;
    const struct expr *own = s->error->operands[row->operand].expr;
    fill_form(s, row->form, own, &text);
    add_edit(s, unit_of(s), own->begin, own->end, &text);
    for (size_t i = 0; i < likes.n; i++) {
        fill_form(s, row->form, likes.at[i], &text);
        add_edit(s, unit_of(s), likes.at[i]->begin, likes.at[i]->end, &text);
    }
    (void)try_edits(s);
}

/* A mask that was made for the longest text: its last two axes are equal, and no layer gave it. */
static bool can_be_cut(const struct shape_error *error, size_t operand)
{
    const struct tensor *x = operand_form(error, operand);
    return x != NULL && x->n_axes >= 2 && x->shape[x->n_axes - 1] == x->shape[x->n_axes - 2];
}

static void repair_operand(struct search *s, const struct repair *row)
{
    if (row->cuts && !can_be_cut(s->error, row->operand))
        return;
    const struct tensor *x = operand_form(s->error, row->operand);
    const struct tensor *other = operand_form(s->error, row->operand == 0 ? 1 : 0);
    const char *bar = strchr(row->form, '|');
    size_t size = bar != NULL ? (size_t)(bar - row->form) : strlen(row->form);
    if (x == NULL || !is_own(s, row->operand) || (row->axes > 0 && x->n_axes != row->axes) ||
        (row->axes_of_other > 0 && (other == NULL || other->n_axes != row->axes_of_other)))
        return;
    struct text text = {0};
    const struct expr *expr = s->error->operands[row->operand].expr;
    fill(s, row->form, size, row->operand, &text);
    add_edit(s, unit_of(s), expr->begin, expr->end, &text);
    if (bar != NULL && row->operand + 1 < s->error->n) {
        expr = s->error->operands[row->operand + 1].expr;
        fill(s, bar + 1, strlen(bar + 1), row->operand + 1, &text);
        add_edit(s, unit_of(s), expr->begin, expr->end, &text);
    }
    (void)try_edits(s);
    try_likes(s, row);
}

/* The whole operation is replaced. */
static void repair_whole(struct search *s, const struct repair *row)
{
    const struct expr *expr = s->error->expr;
    struct text text = {0};
    if (expr == NULL || s->error->n < 2 || expr->kind != EXPR_BINARY)
        return;
    fill(s, row->form, strlen(row->form), 0, &text);
    add_edit(s, unit_of(s), expr->begin, expr->end, &text);
    (void)try_edits(s);
}

/* ---- calls in the function that failed ---- */

/* Calls of functions whose names are in a list between blanks. */
struct calls {
    const char *names;
    const struct expr *at[EDITS_MOST];
    size_t n;
    const struct expr *moved[2 * EDITS_MOST]; /* those whose result is transposed at once */
    size_t n_moved;
};

static bool in_list(const char *names, const char *word, size_t size)
{
    for (const char *at = strchr(names, ' '); at != NULL && at[1] != '\0'; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, word, size) == 0 && at[1 + size] == ' ')
            return true;
    return false;
}

static void collect_call(const struct expr *expr, void *context)
{
    struct calls *calls = context;
    if (expr == NULL)
        return;
    const struct expr *callee = expr->kind == EXPR_CALL ? expr->object : NULL;
    if (callee != NULL && callee->kind == EXPR_ATTRIBUTE) {
        if (in_list(calls->names, callee->as.text.bytes, callee->as.text.size) &&
            calls->n < EDITS_MOST)
            calls->at[calls->n++] = expr;
        if (in_list(" transpose permute swapaxes ", callee->as.text.bytes, callee->as.text.size) &&
            calls->n_moved < COUNT_OF(calls->moved))
            calls->moved[calls->n_moved++] = callee->object;
    }
    expr_each_part(expr, collect_call, context);
}

static bool collect_in(const struct statement *s, void *context)
{
    if (s->value != NULL)
        collect_call(s->value, context);
    return false;
}

/* Those in the learner's function that failed, or in the whole unit outside of functions. */
static void collect_calls(const struct search *s, struct calls *calls)
{
    visit_function(s, collect_in, calls);
}

/* mean(dim=-1) keeps its axis. */
static void repair_keepdim(struct search *s, const struct repair *row)
{
    struct calls calls = {.names = row->form};
    collect_calls(s, &calls);
    for (size_t which = 0; which <= calls.n && calls.n > 0; which++) {
        for (size_t i = 0; i < calls.n; i++) {
            const struct expr *call = calls.at[i];
            bool has = call->as.call.n == 0;
            for (size_t k = 0; k < call->as.call.n; k++)
                has = has || (call->as.call.arguments[k].keyword != NULL &&
                              strncmp(call->as.call.arguments[k].keyword, "keepdim", 7) == 0);
            if (has || (which > 0 && which - 1 != i))
                continue;
            struct text text = {0};
            text_put(&text, ", keepdim=True");
            add_edit(s, unit_of(s), call->end - 1, call->end - 1, &text);
        }
        if (try_edits(s))
            return;
    }
}

static size_t count_sizes(const struct expr *call)
{
    const struct argument *a = call->as.call.arguments;
    bool is_list =
        call->as.call.n == 1 && (a[0].value->kind == EXPR_TUPLE || a[0].value->kind == EXPR_LIST);
    return is_list ? a[0].value->as.list.n : call->as.call.n;
}

/* view(b, t, h, d) without a transpose behind it. */
static void repair_heads(struct search *s, const struct repair *row)
{
    struct calls calls = {.names = row->form};
    collect_calls(s, &calls);
    for (size_t i = 0; i < calls.n; i++) {
        bool is_moved = count_sizes(calls.at[i]) != 4;
        for (size_t k = 0; k < calls.n_moved; k++)
            is_moved = is_moved || calls.moved[k] == calls.at[i];
        struct text text = {0};
        if (is_moved)
            continue;
        text_put(&text, ".transpose(1, 2)");
        add_edit(s, unit_of(s), calls.at[i]->end, calls.at[i]->end, &text);
    }
    (void)try_edits(s);
}

/* ---- sizes of view() ---- */

struct sizes {
    const struct expr *exprs[TENSOR_MAX_AXES];
    int64_t values[TENSOR_MAX_AXES];
    size_t n;
};

static bool read_sizes(const struct search *s, struct sizes *ret)
{
    const struct expr *call = s->error->expr;
    const struct observed *seen = &s->error->failure->seen;
    *ret = (struct sizes){.n = 0};
    if (call == NULL || call->kind != EXPR_CALL)
        return false;
    size_t from = seen->n == call->as.call.n + 1 ? 0 : 1;
    const struct argument *a = call->as.call.arguments;
    const struct value *values = seen->args + 1;
    size_t n = seen->n - 1;
    const struct expr *list = from < call->as.call.n ? a[from].value : NULL;
    bool is_list = list != NULL && (list->kind == EXPR_TUPLE || list->kind == EXPR_LIST);
    if (is_list && n == 1 && value_is(values[0], THING_TUPLE)) {
        n = THING_AS(tuple, values[0])->n;
        values = THING_AS(tuple, values[0])->items;
    } else if (is_list && n == 1 && value_is(values[0], THING_LIST)) {
        n = THING_AS(array, values[0])->n;
        values = THING_AS(array, values[0])->items;
    } else if (is_list) {
        return false;
    }
    for (size_t i = 0; i < n && i < TENSOR_MAX_AXES; i++) {
        if (values[i].kind != VALUE_INT || (!is_list && from + i >= call->as.call.n))
            return false;
        ret->exprs[i] = is_list ? list->as.list.items[i] : a[from + i].value;
        ret->values[i] = values[i].as.whole;
        ret->n++;
    }
    return ret->n > 0;
}

/* The item of another call that stands where `place` stands in this one; NULL: it reads
 * differently. */
static const struct expr *same_place(const struct unit *unit, const struct expr *call,
                                     const struct expr *other, const struct expr *place)
{
    if (call == other || call->as.call.n != other->as.call.n)
        return NULL;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct expr *a = call->as.call.arguments[i].value;
        const struct expr *b = other->as.call.arguments[i].value;
        if (a == place)
            return same_text(unit, a, b) ? b : NULL;
        bool is_list = (a->kind == EXPR_TUPLE || a->kind == EXPR_LIST) && a->kind == b->kind &&
                       a->as.list.n == b->as.list.n;
        for (size_t k = 0; is_list && k < a->as.list.n; k++)
            if (a->as.list.items[k] == place)
                return same_text(unit, place, b->as.list.items[k]) ? b->as.list.items[k] : NULL;
    }
    return NULL;
}

/* An argument of the call that failed is replaced; if that is not enough, also where other
 * calls of this function read the same. */
static void try_argument(struct search *s, const struct expr *place, const char *changed)
{
    const struct expr *call = s->error->expr;
    struct calls calls = {.names = VIEWS " cat concat stack softmax split chunk sum mean "};
    struct text text = {0};
    for (int everywhere = 0; everywhere < 2 && !s->found; everywhere++) {
        text_put(&text, changed);
        add_edit(s, unit_of(s), place->begin, place->end, &text);
        if (everywhere)
            collect_calls(s, &calls);
        for (size_t i = 0; i < calls.n; i++) {
            const struct expr *other = same_place(unit_of(s), call, calls.at[i], place);
            if (other == NULL || !expr_same_word(calls.at[i]->object, call->object))
                continue;
            text_put(&text, changed);
            add_edit(s, unit_of(s), other->begin, other->end, &text);
        }
        if (everywhere == 0 || s->edits.n > 1)
            (void)try_edits(s);
        clear_edits(s);
    }
}

/* Whole numbers that have a name: variables of the function, then attributes of self. */
static void try_named_sizes(struct search *s, const struct expr *place, int64_t wanted)
{
    const struct failure *f = s->error->failure;
    struct text text = {0};
    for (size_t i = 0; i < f->n_variables && !s->found; i++)
        if (f->variables[i].kind == VALUE_INT && f->variables[i].as.whole == wanted &&
            f->code->names[i].kind == VALUE_STRING)
            try_argument(s, place, f->code->names[i].as.string->bytes);
    const struct table *table =
        value_is(f->self, THING_INSTANCE) ? THING_AS(instance, f->self)->attributes : NULL;
    for (size_t i = 0; table != NULL && i < table->n_entries && !s->found; i++) {
        const struct entry *entry = &table->entries[i];
        if (entry->key.kind != VALUE_STRING || entry->value.kind != VALUE_INT ||
            entry->value.as.whole != wanted)
            continue;
        text_clear(&text);
        text_format(&text, "self.%s", entry->key.as.string->bytes);
        try_argument(s, place, text_string(&text));
    }
    text_release(&text);
}

static int64_t wanted_size(const struct search *s, const struct sizes *sizes, size_t i)
{
    const struct tensor *x = operand_form(s->error, 0);
    int64_t total = 1, others = 1;
    for (unsigned k = 0; k < x->n_axes; k++)
        total *= (int64_t)x->shape[k];
    for (size_t k = 0; k < sizes->n; k++)
        others *= k == i || sizes->values[k] < 1 ? 1 : sizes->values[k];
    return total % others == 0 ? total / others : 0;
}

static void repair_size(struct search *s, const struct repair *row)
{
    struct sizes sizes;
    (void)row;
    if (operand_form(s->error, 0) == NULL || !read_sizes(s, &sizes))
        return;
    for (size_t i = sizes.n; i-- > 0 && !s->found;) {
        int64_t wanted = wanted_size(s, &sizes, i);
        if (wanted < 2 || wanted == sizes.values[i] || sizes.values[i] < 0)
            continue;
        try_named_sizes(s, sizes.exprs[i], wanted);
        for (size_t k = 0; k < sizes.n && !s->found; k++) {
            bool divides = sizes.values[k] > 0 && sizes.values[i] / sizes.values[k] == wanted &&
                           sizes.values[i] % sizes.values[k] == 0;
            bool multiplies = sizes.values[k] * sizes.values[i] == wanted;
            struct text text = {0};
            if (k == i || (!divides && !multiplies))
                continue;
            put_expr(unit_of(s), sizes.exprs[i], &text);
            text_put(&text, divides ? " // " : " * ");
            put_expr(unit_of(s), sizes.exprs[k], &text);
            try_argument(s, sizes.exprs[i], text_string(&text));
            text_release(&text);
        }
    }
    bool has_free = false;
    for (size_t i = 0; i < sizes.n; i++)
        has_free = has_free || sizes.values[i] < 0;
    for (size_t i = sizes.n; i-- > 0 && !s->found && !has_free && sizes.n > 1;)
        if (wanted_size(s, &sizes, i) > 1)
            try_argument(s, sizes.exprs[i], "-1");
}

/* ---- dim ---- */

static bool is_number(const struct expr *expr)
{
    return expr->kind == EXPR_WHOLE ||
           (expr->kind == EXPR_UNARY && expr->as.operation.left != NULL &&
            expr->as.operation.left->kind == EXPR_WHOLE);
}

static void repair_dim(struct search *s, const struct repair *row)
{
    const struct expr *call = s->error->expr, *dims[2] = {NULL, NULL};
    const struct tensor *x = operand_form(s->error, 0);
    size_t n = 0;
    (void)row;
    if (call == NULL || call->kind != EXPR_CALL || x == NULL)
        return;
    for (size_t i = 0; i < call->as.call.n && n < 2; i++)
        if (is_number(call->as.call.arguments[i].value))
            dims[n++] = call->as.call.arguments[i].value;
    if (n == 2) {
        static const char *const pairs[][2] = {{"-2", "-1"}, {"1", "2"}, {"0", "1"}};
        for (size_t i = 0; i < COUNT_OF(pairs) && !s->found; i++) {
            struct text text = {0};
            text_put(&text, pairs[i][0]);
            add_edit(s, unit_of(s), dims[0]->begin, dims[0]->end, &text);
            text_put(&text, pairs[i][1]);
            add_edit(s, unit_of(s), dims[1]->begin, dims[1]->end, &text);
            (void)try_edits(s);
        }
        return;
    }
    for (int dim = -1; dim < (int)x->n_axes && !s->found; dim++) {
        struct text text = {0};
        text_format(&text, n == 0 ? ", dim=%d" : "%d", dim);
        if (n == 0) {
            add_edit(s, unit_of(s), call->end - 1, call->end - 1, &text);
            (void)try_edits(s);
        } else {
            try_argument(s, dims[0], text_string(&text));
        }
        text_release(&text);
    }
}

/* view() becomes another function. */
static void repair_function(struct search *s, const struct repair *row)
{
    const struct expr *call = s->error->expr;
    struct text text = {0};
    if (call == NULL || call->kind != EXPR_CALL || call->object->kind != EXPR_ATTRIBUTE)
        return;
    const struct expr *callee = call->object;
    text_put(&text, row->form);
    add_edit(s, unit_of(s), callee->end - callee->as.text.size, callee->end, &text);
    (void)try_edits(s);
}

/* ---- the sizes of layers ---- */

enum { ATOMS_MOST = 14 };
struct atoms {
    const struct unit *unit;
    const struct expr *at[ATOMS_MOST];
    size_t n;
};

/* Names and attributes of names that __init__ makes its layers from. */
static void collect_atom(const struct expr *expr, void *context)
{
    struct atoms *atoms = context;
    if (expr == NULL)
        return;
    bool is_atom = expr->kind == EXPR_NAME ||
                   (expr->kind == EXPR_ATTRIBUTE && expr->object->kind == EXPR_NAME &&
                    !expr_named(expr->object, "nn") && !expr_named(expr->object, "torch")) ||
                   (expr->kind == EXPR_INDEX && expr->object->kind == EXPR_NAME &&
                    expr->as.list.n == 1 && expr->as.list.items[0]->kind == EXPR_STRING);
    if (expr->kind == EXPR_CALL) {
        for (size_t i = 0; i < expr->as.call.n; i++)
            collect_atom(expr->as.call.arguments[i].value, context);
        return;
    }
    if (!is_atom) {
        expr_each_part(expr, collect_atom, context);
        return;
    }
    for (size_t i = 0; i < atoms->n; i++)
        if (atoms->at[i]->end - atoms->at[i]->begin == expr->end - expr->begin &&
            memcmp(atoms->unit->source + atoms->at[i]->begin, atoms->unit->source + expr->begin,
                   expr->end - expr->begin) == 0)
            return;
    if (atoms->n < ATOMS_MOST && !expr_named(expr, "self"))
        atoms->at[atoms->n++] = expr;
}

static bool collect_atoms(const struct statement *s, void *context)
{
    if (s->value != NULL)
        collect_atom(s->value, context);
    return false;
}

/* Layers that are called with what the one that failed was called with: self.to_v(context) beside
 * self.to_k(context). */
struct siblings {
    const struct search *search;
    const struct expr *call; /* that failed */
    const struct expr *at[EDITS_MOST];
    size_t n;
};

static void collect_sibling(const struct expr *expr, void *context)
{
    struct siblings *siblings = context;
    if (expr == NULL)
        return;
    expr_each_part(expr, collect_sibling, context);
    if (expr->kind == EXPR_CALL && expr != siblings->call && expr->as.call.n == 1 &&
        expr->object->kind == EXPR_ATTRIBUTE && expr_named(expr->object->object, "self") &&
        siblings->call->as.call.n == 1 && siblings->n < EDITS_MOST - 1 &&
        same_text(unit_of(siblings->search), expr->as.call.arguments[0].value,
                  siblings->call->as.call.arguments[0].value))
        siblings->at[siblings->n++] = expr;
}

static bool collect_siblings(const struct statement *s, void *context)
{
    if (s->value != NULL)
        collect_sibling(s->value, context);
    return false;
}

static const char *own_class(const struct search *s)
{
    const struct value self = s->error->failure->self;
    return value_is(self, THING_INSTANCE) ? class_name(THING_AS(instance, self)->class) : NULL;
}

/* The same change in the first argument of the siblings' layers, where it reads the same. */
static void add_siblings(struct search *s, const struct unit *unit, const struct expr *place,
                         const struct text *changed)
{
    struct siblings siblings = {.search = s, .call = s->error->expr};
    struct found_call found;
    if (siblings.call == NULL || siblings.call->kind != EXPR_CALL)
        return;
    visit_function(s, collect_siblings, &siblings);
    for (size_t i = 0; i < siblings.n; i++) {
        const struct expr *name = siblings.at[i]->object;
        if (!find_attribute_call(s->error->m, own_class(s), name->as.text.bytes, name->as.text.size,
                                 &found) ||
            found.unit != unit || found.call->as.call.n == 0 ||
            found.call->as.call.arguments[0].value == place ||
            !same_text(unit, found.call->as.call.arguments[0].value, place))
            continue;
        struct text text = {0};
        text_add(&text, changed->bytes, changed->size);
        add_edit(s, unit, found.call->as.call.arguments[0].value->begin,
                 found.call->as.call.arguments[0].value->end, &text);
    }
}

static void try_feature(struct search *s, const struct unit *unit, const struct expr *place,
                        struct text *text)
{
    bool is_same = text->size == place->end - place->begin && text->bytes != NULL &&
                   memcmp(text->bytes, unit->source + place->begin, text->size) == 0;
    if (is_same || s->found) {
        text_release(text);
        *text = (struct text){0};
        return;
    }
    for (int everywhere = 0; everywhere < 2 && !s->found; everywhere++) {
        struct text copy = {0};
        text_add(&copy, text->bytes, text->size);
        add_edit(s, unit, place->begin, place->end, &copy);
        if (everywhere)
            add_siblings(s, unit, place, text);
        if (everywhere == 0 || s->edits.n > 1)
            (void)try_edits(s);
        clear_edits(s);
    }
    text_release(text);
    *text = (struct text){0};
}

/* Sizes that could stand in the place: a number where one stands there, else names of __init__,
 * and products and quotients of two. */
static void try_features(struct search *s, const struct found_call *found, const struct expr *place,
                         size_t wanted)
{
    struct atoms atoms = {.unit = found->unit};
    struct text text = {0};
    if (place->kind == EXPR_WHOLE && wanted > 0) {
        text_format(&text, "%zu", wanted);
        try_feature(s, found->unit, place, &text);
        return;
    }
    const struct formals *formals = found->init != NULL ? found->init->formals : NULL;
    for (size_t i = 0; formals != NULL && i < formals->n; i++)
        collect_atom(formals->at[i].name, &atoms);
    if (found->init != NULL)
        (void)statements_find(found->init->body, collect_atoms, &atoms);
    for (size_t i = 0; i < atoms.n && !s->found; i++) {
        put_expr(found->unit, atoms.at[i], &text);
        try_feature(s, found->unit, place, &text);
    }
    for (int times = 4; times >= 2 && !s->found; times--)
        for (size_t i = 0; i < atoms.n && !s->found; i++) {
            text_format(&text, "%d * ", times);
            put_expr(found->unit, atoms.at[i], &text);
            try_feature(s, found->unit, place, &text);
        }
    for (size_t form = 0; form < 2 && !s->found; form++)
        for (size_t i = 0; i < atoms.n && !s->found; i++)
            for (size_t k = 0; k < atoms.n && !s->found; k++) {
                if (k == i || (form == 0 && k < i))
                    continue;
                put_expr(found->unit, atoms.at[i], &text);
                text_put(&text, form == 0 ? " * " : " // ");
                put_expr(found->unit, atoms.at[k], &text);
                try_feature(s, found->unit, place, &text);
            }
}

/* nn.Linear(HERE, ...) of the layer that was called. */
static void repair_features(struct search *s, const struct repair *row)
{
    const struct expr *call = s->error->expr;
    const struct value self = s->error->failure->self;
    struct found_call found;
    (void)row;
    if (call == NULL || call->kind != EXPR_CALL || call->object->kind != EXPR_ATTRIBUTE ||
        !find_attribute_call(
            s->error->m,
            value_is(self, THING_INSTANCE) ? class_name(THING_AS(instance, self)->class) : NULL,
            call->object->as.text.bytes, call->object->as.text.size, &found) ||
        found.call->as.call.n == 0 ||
        !in_list(" Linear LayerNorm RMSNorm ", found.call->object->as.text.bytes,
                 found.call->object->as.text.size))
        return;
    try_features(s, &found, found.call->as.call.arguments[0].value, operand_size(s->error, 0, -1));
}

/* The call that made the layer that gave an operand: nn.Linear(...), the last one of a
 * Sequential, or nn.Embedding(...). */
static const struct expr *layer_behind(const struct search *s, size_t operand,
                                       struct found_call *found)
{
    const struct expr *expr = definition_of(s, s->error->operands[operand].expr);
    if (expr->kind != EXPR_CALL || expr->object->kind != EXPR_ATTRIBUTE || own_class(s) == NULL ||
        !find_attribute_call(s->error->m, own_class(s), expr->object->as.text.bytes,
                             expr->object->as.text.size, found))
        return NULL;
    const struct expr *made = found->call;
    for (size_t k = made->as.call.n; k-- > 0 && expr_named(made->object, "Sequential");) {
        const struct expr *part = made->as.call.arguments[k].value;
        if (part->kind == EXPR_CALL && expr_named(part->object, "Linear"))
            made = part;
    }
    bool has_sizes = expr_named(made->object, "Linear") || expr_named(made->object, "Embedding");
    return has_sizes && made->as.call.n >= 2 ? made : NULL;
}

/* nn.Linear(..., HERE) of a layer that gave one of two operands whose last axes differ. A table
 * whose two sizes stand in the wrong order comes first. */
static void repair_results(struct search *s, const struct repair *row)
{
    struct found_call found;
    size_t sizes[2] = {operand_size(s->error, 0, -1), operand_size(s->error, 1, -1)};
    (void)row;
    for (int swaps = 1; swaps >= 0 && sizes[0] != sizes[1]; swaps--)
        for (size_t i = 0; i < s->error->n && i < 2 && !s->found; i++) {
            const struct expr *made = layer_behind(s, i, &found);
            if (made == NULL)
                continue;
            const struct expr *first = made->as.call.arguments[0].value;
            const struct expr *second = made->as.call.arguments[1].value;
            struct text text = {0};
            if (!swaps) {
                try_features(s, &found, second, sizes[1 - i]);
            } else if (expr_named(made->object, "Embedding")) {
                put_expr(found.unit, second, &text);
                add_edit(s, found.unit, first->begin, first->end, &text);
                put_expr(found.unit, first, &text);
                add_edit(s, found.unit, second->begin, second->end, &text);
                (void)try_edits(s);
            }
        }
}

/* ---- axes of what an operand was made from ---- */

/* cat() that gave the operand joins along another axis. */
static void repair_joined(struct search *s, const struct repair *row)
{
    const struct expr *call = s->error->n > 0 ? definition_of(s, s->error->operands[0].expr) : NULL;
    if (call == NULL || call->kind != EXPR_CALL || call->object->kind != EXPR_ATTRIBUTE ||
        !in_list(row->form, call->object->as.text.bytes, call->object->as.text.size))
        return;
    for (size_t i = 1; i < call->as.call.n; i++) {
        const struct expr *dim = call->as.call.arguments[i].value;
        struct text text = {0};
        if (!is_number(dim))
            continue;
        text_put(&text, "-1");
        add_edit(s, unit_of(s), dim->begin, dim->end, &text);
        (void)try_edits(s);
    }
}

/* k.transpose(1, 2) of a tensor with four axes means transpose(-2, -1). */
static void repair_transposed(struct search *s, const struct repair *row)
{
    for (size_t i = 0; i < s->error->n && !s->found; i++) {
        const struct expr *call = s->error->operands[i].expr;
        if (call->kind != EXPR_CALL || !expr_named(call->object, row->form) || call->as.call.n != 2)
            continue;
        static const char *const pairs[][2] = {{"-2", "-1"}, {"1", "2"}};
        for (size_t k = 0; k < COUNT_OF(pairs) && !s->found; k++) {
            for (size_t a = 0; a < 2; a++) {
                const struct expr *dim = call->as.call.arguments[a].value;
                struct text text = {0};
                text_put(&text, pairs[k][a]);
                add_edit(s, unit_of(s), dim->begin, dim->end, &text);
            }
            (void)try_edits(s);
        }
        if (!s->found && call->object->kind == EXPR_ATTRIBUTE) { /* or it is left out */
            struct text text = {0};
            put_expr(unit_of(s), call->object->object, &text);
            add_edit(s, unit_of(s), call->begin, call->end, &text);
            (void)try_edits(s);
        }
    }
}

/* permute(0, 2, 1) of four axes leaves the last one where it is. */
static void repair_permute(struct search *s, const struct repair *row)
{
    const struct expr *call = s->error->expr;
    const struct tensor *x = operand_form(s->error, 0);
    bool named[TENSOR_MAX_AXES] = {false};
    struct text text = {0};
    (void)row;
    if (call == NULL || call->kind != EXPR_CALL || x == NULL || call->as.call.n >= x->n_axes)
        return;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct expr *dim = call->as.call.arguments[i].value;
        if (dim->kind == EXPR_WHOLE && dim->as.whole < (int64_t)x->n_axes)
            named[dim->as.whole] = true;
    }
    for (unsigned i = 0; i < x->n_axes; i++)
        if (!named[i])
            text_format(&text, ", %u", i);
    add_edit(s, unit_of(s), call->end - 1, call->end - 1, &text);
    (void)try_edits(s);
}

/* ---- groups of heads ---- */

/* How a size is called in the function: a variable, or an attribute of self. */
static bool name_of_value(const struct search *s, int64_t wanted, struct text *out)
{
    const struct failure *f = s->error->failure;
    const struct table *table =
        value_is(f->self, THING_INSTANCE) ? THING_AS(instance, f->self)->attributes : NULL;
    for (size_t i = 0; i < f->n_variables; i++)
        if (f->variables[i].kind == VALUE_INT && f->variables[i].as.whole == wanted &&
            f->code->names[i].kind == VALUE_STRING) {
            text_put(out, f->code->names[i].as.string->bytes);
            return true;
        }
    for (size_t i = 0; table != NULL && i < table->n_entries; i++) {
        const struct entry *entry = &table->entries[i];
        if (entry->key.kind == VALUE_STRING && entry->value.kind == VALUE_INT &&
            entry->value.as.whole == wanted) {
            text_format(out, "self.%s", entry->key.as.string->bytes);
            return true;
        }
    }
    return false;
}

struct groups {
    struct search *search;
    size_t few; /* heads of the keys and values */
    const char *change;
};

static bool repeat_in(const struct statement *st, void *context)
{
    struct groups *groups = context;
    struct search *s = groups->search;
    const struct failure *f = s->error->failure;
    if (st->kind != STATEMENT_CHAIN || st->n_targets != 1 || st->targets[0]->kind != EXPR_NAME ||
        st->value->kind != EXPR_CALL)
        return false;
    struct value v = frame_value(s->error->m, f->code, f->variables, st->targets[0]);
    struct node *node = is_tensor(v) ? tensor_form(s->error->m, as_tensor(v)) : NULL;
    if (node == NULL || node->value.n_axes != 4 || node->value.shape[1] != groups->few)
        return false;
    struct text text = {0};
    text_put(&text, groups->change);
    add_edit(s, unit_of(s), st->value->end, st->value->end, &text);
    return false;
}

/* Keys and values with fewer heads than the queries are repeated for the heads of their group. */
static void repair_groups(struct search *s, const struct repair *row)
{
    size_t many = operand_size(s->error, 0, 1), few = operand_size(s->error, 1, 1);
    const struct tensor *x = operand_form(s->error, 0);
    struct text text = {0};
    if (x == NULL || x->n_axes != 4 || few < 1 || many <= few || many % few != 0)
        return;
    text_put(&text, row->form);
    size_t begun = text.size;
    if (!name_of_value(s, (int64_t)many, &text)) {
        text_shrink(&text, begun);
        text_format(&text, "%zu", many / few);
    } else {
        text_put(&text, " // ");
        if (!name_of_value(s, (int64_t)few, &text))
            text_format(&text, "%zu", few);
    }
    text_put(&text, ", dim=1)");
    struct groups groups = {s, few, text_string(&text)};
    visit_function(s, repeat_in, &groups);
    (void)try_edits(s);
    text_release(&text);
}

/* The outermost call gets a batch axis. */
static void repair_caller(struct search *s, const struct repair *row)
{
    const struct failure *f = s->error->failure;
    if (f->n_callers == 0)
        return;
    const struct unit *unit = f->callers[f->n_callers - 1].unit;
    const struct expr *call = f->callers[f->n_callers - 1].expr;
    if (call == NULL || call->kind != EXPR_CALL)
        return;
    for (size_t i = 0; i < call->as.call.n && !s->found; i++) {
        const struct expr *value = call->as.call.arguments[i].value;
        struct text text = {0};
        put_expr(unit, value, &text);
        text_put(&text, row->form);
        add_edit(s, unit, value->begin, value->end, &text);
        (void)try_edits(s);
    }
}

/* In the order in which they are tried. */
static const struct repair repairs[] = {
    {SHAPE_PRODUCT, repair_transposed, 0, "transpose", 0, 0, "The last two axes change places",
     false},
    {SHAPE_PRODUCT, repair_operand, 1, "{}.transpose(-2, -1)", 0, 0,
     "The right side is transposed, so that its rows meet those of the left side", false},
    {SHAPE_PRODUCT, repair_operand, 0, "{}.transpose(-2, -1)", 0, 0, "The left side is transposed",
     false},
    {SHAPE_PRODUCT, repair_heads, 0, VIEWS, 0, 0,
     "The heads come before the positions: transpose after the view", false},
    {SHAPE_PRODUCT, repair_operand, 1, "{}.transpose(1, 2)", 4, 4,
     "The heads come before the positions on the right side too", false},
    {SHAPE_PRODUCT, repair_operand, 0, "{}.transpose(1, 2)", 4, 4,
     "The heads come before the positions on the left side too", false},
    {SHAPE_PRODUCT, repair_groups, 0, ".repeat_interleave(", 0, 0,
     "Each head of the keys and values serves a group of the queries' heads", false},
    {SHAPE_PRODUCT, repair_whole, 0, "{1} @ {0}", 0, 0, "The two sides change places", false},

    {SHAPE_LINEAR, repair_operand, 0, "{}.transpose(1, 2).flatten(2)", 4, 0,
     "The heads are joined again before the layer", false},
    {SHAPE_LINEAR, repair_operand, 0, "{}.flatten(2)", 4, 0,
     "The heads are joined again before the layer", false},
    {SHAPE_LINEAR, repair_joined, 0, " cat concat concatenate ", 0, 0,
     "The parts are joined along the features", false},
    {SHAPE_LINEAR, repair_features, 0, "", 0, 0, "The layer takes what it is given", false},
    {SHAPE_LINEAR, repair_operand, 0, "{}.transpose(-2, -1)", 0, 0, "The features come last",
     false},
    {SHAPE_LINEAR, repair_operand, 0, "{}.transpose(0, 1)", 2, 0, "The features come last", false},

    {SHAPE_BROADCAST, repair_keepdim, 0, REDUCTIONS, 0, 0,
     "keepdim=True leaves the axis there, with size 1", false},
    {SHAPE_BROADCAST, repair_heads, 0, VIEWS, 0, 0,
     "The heads come before the positions: transpose after the view", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, :{0}.size(1)]", 3, 3,
     "Only the positions that are there are taken", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:{0}.size(1)]", 2, 3,
     "Only the positions that are there are taken", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:{0}.size(-2), :{0}.size(-1)]", 2, 0,
     "Only the positions that are there are taken", true},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, :{0}.size(-2), :{0}.size(-1)]", 3, 0,
     "Only the positions that are there are taken", true},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, :, :{0}.size(-2), :{0}.size(-1)]", 4, 4,
     "Only the positions that are there are taken", true},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, None, None, :]", 2, 4,
     "The mask of keys gets axes for the heads and the queries", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.unsqueeze(1)", 3, 4, "An axis for the heads is added",
     false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, None, :]", 2, 3, "An axis is added", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.unsqueeze(-1)", 2, 3, "An axis is added", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.unsqueeze(-1)", 1, 2, "An axis is added", false},
    {SHAPE_BROADCAST, repair_operand, 0, "{}.unsqueeze(-1)", 2, 3, "An axis is added", false},
    {SHAPE_BROADCAST, repair_operand, 0, "{}.unsqueeze(-1)", 1, 2, "An axis is added", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[:, None, None]", 1, 3, "Axes are added", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}[None, :, None, None]", 1, 4, "Axes are added", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.unsqueeze(-1)", 3, 4, "An axis is added", false},
    {SHAPE_BROADCAST, repair_results, 0, "", 0, 0, "The layer gives what is added to it", false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.transpose(1, 2)", 0, 0, "Two axes change places",
     false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.transpose(-2, -1)", 0, 0, "Two axes change places",
     false},
    {SHAPE_BROADCAST, repair_operand, 1, "{}.transpose(0, 1)", 0, 0, "Two axes change places",
     false},
    {SHAPE_BROADCAST, repair_operand, 0, "{}.transpose(1, 2)", 0, 0, "Two axes change places",
     false},

    {SHAPE_VIEW, repair_size, 0, "", 0, 0, "The sizes multiply to as many numbers as there are",
     false},

    {SHAPE_STRIDES, repair_operand, 0, "{}.contiguous()", 0, 0,
     "contiguous() copies the numbers into the new order", false},
    {SHAPE_STRIDES, repair_function, 0, "reshape", 0, 0, "reshape() copies where it must", false},

    {SHAPE_DIM, repair_dim, 0, "", 0, 0, "An axis that is there", false},
    {SHAPE_DIM, repair_caller, 0, ".unsqueeze(0)", 0, 0, "A batch of one", false},

    {SHAPE_CAT, repair_dim, 0, "", 0, 0, "They are joined along the axis that may differ", false},
    {SHAPE_CAT, repair_operand, 0, "{}.expand({1}.size(0), -1, -1)", 3, 3,
     "The first one is repeated for the batch", false},
    {SHAPE_CAT, repair_operand, 1, "{}.unsqueeze(1)", 2, 3, "An axis is added", false},
    {SHAPE_CAT, repair_operand, 1, "{}.unsqueeze(0)", 0, 0, "An axis is added", false},
    {SHAPE_CAT, repair_operand, 0, "{}.unsqueeze(1)", 2, 3, "An axis is added", false},
    {SHAPE_CAT, repair_operand, 1, "{}.transpose(1, 2)", 0, 0, "Two axes change places", false},
    {SHAPE_CAT, repair_operand, 0, "{}.transpose(1, 2)", 0, 0, "Two axes change places", false},

    {SHAPE_NORM, repair_features, 0, "", 0, 0, "The norm takes what it is given", false},
    {SHAPE_NORM, repair_operand, 0, "{}.transpose(1, 2)", 0, 0, "The features come last", false},

    {SHAPE_LOSS, repair_operand, 0, "{}.flatten(0, 1)|{}.flatten()", 3, 2,
     "All positions in one row, with their classes on axis 1", false},
    {SHAPE_LOSS, repair_operand, 1, "{}.flatten()", 2, 2, "All positions in one row", false},
    {SHAPE_LOSS, repair_operand, 0, "{}.flatten(0, 1)", 3, 1, "All positions in one row", false},
    {SHAPE_LOSS, repair_operand, 0, "{}.transpose(1, 2)", 3, 0, "The classes are axis 1", false},
    {SHAPE_LOSS, repair_operand, 0, "{}.squeeze(-1)", 0, 0, "The axis of size 1 goes", false},

    {SHAPE_UNPACK, repair_caller, 0, ".unsqueeze(0)", 0, 0, "A batch of one", false},

    {SHAPE_PERMUTE, repair_permute, 0, "", 0, 0, "Each axis is named once", false},
    {SHAPE_EXPAND, repair_operand, 0, "{}[:, None, None, :]", 2, 0,
     "The mask of keys gets axes for the heads and the queries", false},
    {SHAPE_EXPAND, repair_operand, 0, "{}.unsqueeze(1)", 0, 0, "An axis is added", false},
    {SHAPE_EXPAND, repair_operand, 0, "{}.unsqueeze(0)", 0, 0, "An axis is added", false},
    {SHAPE_EXPAND, repair_operand, 0, "{}.unsqueeze(-1)", 0, 0, "An axis is added", false},
};

void shape_repairs_write(const struct notebook *notebook, const struct shape_error *error,
                         struct text *out)
{
    struct search search = {.notebook = notebook,
                            .error = error,
                            .end_s = observer_now_s() + SECONDS_FOR_ALL,
                            .out = out};
    for (size_t i = 0; i < COUNT_OF(repairs) && !search.found; i++) {
        if (repairs[i].problem != error->problem)
            continue;
        search.why = repairs[i].why;
        repairs[i].make(&search, &repairs[i]);
    }
    clear_edits(&search);
}
