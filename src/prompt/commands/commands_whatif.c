/* whatif, keep, undo. */
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "lang/session/eval.h"
#include "lang/session/session.h"
#include "tensor/tensor.h"
#include "graph/hidden.h"
#include "graph/whatif.h"
#include "lang/builtins/model_value.h"
#include "commands/command_internal.h"
#include "lang/value/value.h"
#include "model/run.h"
#include "show/heat.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "show/number.h"
#include "base/error.h"

/* ---- whatif cells ---- */

/* Several numbers of a tensor that `whatif` changes at once: X[0] = [1, 2, 3], scores = scores / 2.
 */

/* Where the numbers of a part of a tensor stand in it. */
struct places {
    struct node *of;
    size_t n, *at;
};

/* The places of target's numbers; those of a name are its own. */
static bool find_places(const struct expr *name, struct node *target, struct places *ret,
                        struct error *reterr)
{
    size_t n = tensor_size(&target->value);
    bool is_part = name->kind != EXPR_NAME;
    struct cell first = {target, 0};
    if (is_part)
        first = cell_origin(first);
    *ret = (struct places){.of = first.node, .n = n, .at = calloc(n + 1, sizeof(size_t))};
    if (ret->at == NULL)
        return error_memory(reterr, "whatif");
    for (size_t i = 0; i < n; i++) {
        struct cell cell = {target, i};
        if (is_part)
            cell = cell_origin(cell);
        if (cell.node != ret->of)
            return error_set(reterr, ERR_SHAPE, "whatif: these are numbers of several tensors");
        ret->at[i] = cell.position;
    }
    return true;
}

/* The new numbers in target's shape. */
static bool new_numbers(const struct expr *name, const struct node *target,
                        const struct node *value, struct tensor *ret, struct error *reterr)
{
    const struct tensor *wanted = &target->value;
    char shapes[2][TENSOR_SHAPE_TEXT];
    struct error ignored;
    if (value->value.n_axes == 0 && name->kind != EXPR_INDEX)
        return error_set(reterr, ERR_SHAPE,
                         "whatif: a single number can't stand for %s; name one of its numbers",
                         tensor_shape_text(wanted, shapes[0]));
    return (value->value.n_axes <= wanted->n_axes &&
            tensor_broadcast(&value->value, wanted->n_axes, wanted->shape, ret, &ignored)) ||
           error_set(reterr, ERR_SHAPE, "whatif: the new numbers are %s, and they replace %s",
                     tensor_shape_text(&value->value, shapes[0]),
                     tensor_shape_text(wanted, shapes[1]));
}

/* In the shape of places->of: the new numbers at their places and 0 elsewhere, and where they are.
 */
static bool scatter(const struct places *places, const struct tensor *numbers,
                    struct tensor *ret_where, struct tensor *ret_new, struct error *reterr)
{
    const struct tensor *of = &places->of->value;
    if (!tensor_zeros(of->n_axes, of->shape, ret_where, reterr))
        return false;
    if (!tensor_zeros(of->n_axes, of->shape, ret_new, reterr)) {
        tensor_release(ret_where);
        return false;
    }
    for (size_t i = 0; i < places->n; i++) {
        ret_where->data[places->at[i]] = 1;
        float number = tensor_at_position(numbers, i);
        ret_new->data[places->at[i]] = of->is_bool ? number != 0 : number;
    }
    ret_where->is_bool = true;
    ret_new->is_bool = of->is_bool;
    return true;
}

static bool is_whole(const struct places *places)
{
    bool whole = places->n == tensor_size(&places->of->value);
    for (size_t i = 0; whole && i < places->n; i++)
        whole = places->at[i] == i;
    return whole;
}

static struct node *changed(struct builder *b, const struct places *places, struct node *value,
                            const struct tensor *numbers, const char *text)
{
    const struct tensor *of = &places->of->value;
    struct tensor where, new;
    if (is_whole(places) && tensor_size(&value->value) == places->n &&
        value->value.is_bool == of->is_bool)
        return build_reshape(b, value, of->n_axes, of->shape);
    if (!scatter(places, numbers, &where, &new, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    return build3(b, OP_WHERE, build_input(b, &where, "the changed places"),
                  build_input(b, &new, text), places->of);
}

/* The name and the labels of the tensor that is changed. */
static bool dress(struct node *node, const struct node *as, struct error *reterr)
{
    for (unsigned axis = 0; axis < as->value.n_axes; axis++)
        if (as->labels[axis] != NULL)
            node_set_labels(node, axis, as->labels[axis]);
    return as->name == NULL || node_set_name(node, as->name, strlen(as->name), reterr);
}

static struct node *build_changed(struct session *session, const struct places *places,
                                  struct node *value, const struct tensor *numbers,
                                  const char *text, struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &session->graph, reterr);
    struct node *node = builder_result(&builder, changed(&builder, places, value, numbers, text));
    builder_release(&builder);
    if (node != NULL && !dress(node, places->of, reterr)) {
        node_free(node);
        return NULL;
    }
    return node;
}

/* target is what the first expression names, such as a row of a tensor; the second one gives the
 * new numbers, in the shape of target or broadcast to it. *ret_from is the tensor they stand in,
 * *ret_to what it would be; the caller owns both. ERR_SHAPE: the numbers don't fit, or target is no
 * part of one tensor, or all of a name would become a single number. */
static bool whatif_cells(struct session *session, const struct expr *name, struct node *target,
                         const struct expr *value, struct node **ret_from, struct node **ret_to,
                         struct error *reterr)
{
    struct places places = {0};
    struct tensor numbers;
    char text[64];
    struct node *node = expr_eval_node(session, value, reterr), *to = NULL;
    if (node == NULL)
        return false;
    error_quote(text, sizeof text, session->source + value->begin, value->end - value->begin);
    bool ok = new_numbers(name, target, node, &numbers, reterr) || expr_place_error(value, reterr);
    if (ok) {
        if (find_places(name, target, &places, reterr))
            to = build_changed(session, &places, node, &numbers, text, reterr);
        tensor_release(&numbers);
    }
    node_free(node);
    if (to != NULL) {
        *ret_from = node_share(places.of);
        *ret_to = to;
    }
    free(places.at);
    return to != NULL;
}

/* ---- commands whatif ---- */

/* How far weights of a row may sum to something else than 1: float32 sums of thousands. */
static const double SUM_TOLERANCE = 1e-4;

/* All names that stand for tensors, as roots to recompute. */
struct roots {
    struct node **nodes, **changed; /* what they are, and would be */
    const struct variable **variables;
    size_t n;
};

static bool roots_init(struct roots *roots, const struct session *session, struct error *reterr)
{
    const struct names *names = &session->names;
    size_t room = names->n_variables + 1;
    *roots = (struct roots){.nodes = calloc(room, sizeof(struct node *)),
                            .changed = calloc(room, sizeof(struct node *)),
                            .variables = calloc(room, sizeof(struct variable *))};
    if (roots->nodes == NULL || roots->changed == NULL || roots->variables == NULL)
        return error_memory(reterr, "whatif");
    for (size_t i = 0; i < names->n_variables; i++)
        if (names->variables[i].value.kind == VALUE_NODE) {
            roots->variables[roots->n] = &names->variables[i];
            roots->nodes[roots->n++] = names->variables[i].value.as.node;
        }
    return true;
}

static void roots_release(struct roots *roots)
{
    for (size_t i = 0; roots->changed != NULL && i < roots->n; i++)
        node_free(roots->changed[i]);
    free(roots->nodes);
    free(roots->changed);
    free(roots->variables);
}

/* ---- objects, such as runs of models ---- */

/* What an object would be; the same one, shared, where nothing of it changes. */
static bool changed_object(const struct variable *variable, struct node *from, struct node *to,
                           struct value *ret, struct error *reterr)
{
    struct object *object = variable->value.as.object;
    if (object->class->change != NULL)
        return object->class->change(object, from, to, ret, reterr);
    *ret = value_share(&variable->value);
    return true;
}

/* Adds the objects that would change to the pending change, and shows how. */
static bool change_objects(struct session *session, struct node *from, struct node *to,
                           size_t *ret_n, struct doc *out, struct error *reterr)
{
    struct whatif_state *state = session_whatif(session, reterr);
    const struct names *names = &session->names;
    bool ok = state != NULL;
    for (size_t i = *ret_n = 0; ok && i < names->n_variables; i++) {
        const struct variable *variable = &names->variables[i];
        struct value value = {.kind = VALUE_ABSENT};
        if (variable->value.kind != VALUE_OBJECT)
            continue;
        ok = changed_object(variable, from, to, &value, reterr);
        if (ok && value.as.object != variable->value.as.object) {
            doc_line(out, STYLE_NAME, "%s", variable->name);
            ok = value.as.object->class->show_change(variable->value.as.object, value.as.object,
                                                     session->settings.digits, out, reterr) &&
                 change_add(&state->pending, variable->name, variable->size, &value, reterr);
            (*ret_n)++;
        }
        value_release(&value);
    }
    return ok;
}

/* Keeps what would change as the session's pending change. */
static bool remember(struct session *session, struct roots *roots, struct error *reterr)
{
    struct whatif_state *state = session_whatif(session, reterr);
    if (state == NULL)
        return false;
    change_release(&state->pending);
    for (size_t i = 0; i < roots->n; i++) {
        if (roots->changed[i] == roots->nodes[i])
            continue;
        struct value value = value_node(node_share(roots->changed[i]));
        if (!change_add(&state->pending, roots->variables[i]->name, roots->variables[i]->size,
                        &value, reterr)) {
            value_release(&value);
            return false;
        }
    }
    return true;
}

/* left -> right on the same lines where they fit, else one below the other. */
static void put_pair(const struct doc *left, const struct doc *right, size_t width_cols,
                     struct doc *out)
{
    struct doc arrow, pointed, whole;
    if (doc_width(left) + doc_width(right) + 8 > width_cols) {
        doc_append(out, left, 2);
        doc_line(out, STYLE_QUIET, "  ->");
        doc_append(out, right, 2);
        return;
    }
    doc_init(&arrow);
    doc_init(&pointed);
    doc_init(&whole);
    doc_line(&arrow, STYLE_QUIET, " ->");
    doc_append_beside(&pointed, left, &arrow, 1);
    doc_append_beside(&whole, &pointed, right, 1);
    doc_append(out, &whole, 2);
    out->failed = out->failed || arrow.failed || pointed.failed || whole.failed;
    doc_release(&arrow);
    doc_release(&pointed);
    doc_release(&whole);
}

/* The old and the new value of a name, with the cells that differ marked. */
static void show_tables(struct node *before, struct node *after, const struct show_options *options,
                        struct doc *out)
{
    struct doc left, right;
    struct node_picture was, is = {.hidden = {.data = NULL}};
    struct error error; /* memory: the Doc remembers it */
    if (!node_picture_init(&was, before, NULL, &error) ||
        !node_picture_init(&is, after, NULL, &error)) {
        node_picture_release(&was);
        out->failed = true;
        return;
    }
    is.picture.before = &before->value;
    doc_init(&left);
    doc_init(&right);
    matrix_show(&left, &was.picture, options);
    matrix_show(&right, &is.picture, options);
    put_pair(&left, &right, options->width_cols, out);
    out->failed = out->failed || left.failed || right.failed;
    doc_release(&left);
    doc_release(&right);
    node_picture_release(&was);
    node_picture_release(&is);
}

enum { TABLE_ROWS = 20, TABLE_COLUMNS = 12, LISTED_CHANGES = 12 };

/* The first changed cells, one a line: name[200, 0]: 0.5 -> 5. */
static void list_changes(const char *name, const struct node *before, const struct node *after,
                         int digits, struct doc *out)
{
    size_t n = tensor_size(&after->value), listed = 0;
    struct text cell = {0};
    char was[NUMBER_TEXT], is[NUMBER_TEXT];
    for (size_t i = 0; i < n && listed < LISTED_CHANGES; i++) {
        float a = tensor_at_position(&before->value, i), b = tensor_at_position(&after->value, i);
        if (!number_differs(a, b))
            continue;
        text_clear(&cell);
        cell_write_as((struct cell){(struct node *)after, i}, name, &cell);
        doc_add(out, STYLE_PLAIN, "  %s: %s -> ", text_string(&cell), number_short(a, digits, was));
        doc_add(out, STYLE_CHANGED, "%s", number_short(b, digits, is));
        doc_end_line(out);
        listed++;
    }
    out->failed = out->failed || cell.failed;
    text_release(&cell);
}

static double row_sum(const struct tensor *x, size_t row, size_t n_cols)
{
    double sum = 0;
    for (size_t i = 0; i < n_cols; i++)
        sum += (double)tensor_at_position(x, row * n_cols + i);
    return sum;
}

/* Says of weights how many of their rows do not sum to 1 any more, and names the first of them.
 * Masks and one-hot rows, which hold only 0 and 1, are not taken for weights. */
static void say_row_sums(const struct node *before, const struct node *after, int digits,
                         struct doc *out)
{
    const struct tensor *was = &before->value, *is = &after->value;
    if (!heat_is_weights(was) || heat_is_weights(is))
        return;
    size_t n = tensor_size(is), n_cols = is->shape[is->n_axes - 1], n_off = 0, first = 0;
    bool has_shares = false;
    for (size_t i = 0; i < n && !has_shares; i++)
        has_shares = tensor_at_position(was, i) > 0 && tensor_at_position(was, i) < 1;
    for (size_t row = 0; has_shares && row < n / n_cols; row++) {
        double sum = row_sum(is, row, n_cols);
        if (fabs(sum - 1) <= SUM_TOLERANCE || (sum == 0 && row_sum(was, row, n_cols) == 0))
            continue;
        first = n_off++ > 0 ? first : row;
    }
    if (n_off == 0)
        return;
    const struct labels *labels = is->n_axes == 2 ? after->labels[0] : NULL;
    struct text line = {0};
    char sum[NUMBER_TEXT];
    text_put(&line, is->n_axes == 1 ? "it" : "row ");
    if (labels != NULL) {
        text_char(&line, '"');
        labels_write(labels, first, &line);
        text_char(&line, '"');
    } else if (is->n_axes > 1) {
        text_format(&line, "%zu", first);
    }
    number_short((float)row_sum(is, first, n_cols), digits, sum);
    text_format(&line, " sums to %s", sum);
    if (n_off > 1)
        text_format(&line, "; %zu rows do not sum to 1", n_off);
    doc_line(out, STYLE_QUIET, "  %s", text_string(&line));
    out->failed = out->failed || line.failed;
    text_release(&line);
}

static void show_change(const struct session *session, const char *name, struct node *before,
                        struct node *after, struct doc *out)
{
    struct show_options options = settings_show_options(&session->settings);
    const struct tensor *x = &after->value;
    size_t n = tensor_size(x), changed = 0;
    if (x->n_axes == 0) {
        char was[NUMBER_TEXT], is[NUMBER_TEXT];
        doc_line(out, STYLE_PLAIN, "%s: %s -> %s", name,
                 number_short(before->value.data[0], options.digits, was),
                 number_short(x->data[0], options.digits, is));
        return;
    }
    for (size_t i = 0; i < n; i++)
        changed += number_differs(tensor_at_position(&before->value, i), tensor_at_position(x, i));
    /* A table is for tensors of which it shows every number: no change hides in what it omits. */
    size_t columns = x->shape[x->n_axes - 1];
    bool table = x->n_axes <= 2 && columns <= TABLE_COLUMNS && n <= TABLE_ROWS * columns;
    doc_add(out, STYLE_NAME, "%s", name);
    doc_add(out, STYLE_QUIET, "   %zu of %zu %s changed%s", changed, n,
            n == 1 ? "number" : "numbers",
            changed == 0               ? ""
            : table                    ? ", marked *"
            : changed > LISTED_CHANGES ? "; the first of them:"
                                       : ":");
    doc_end_line(out);
    if (changed > 0 && table)
        show_tables(before, after, &options, out);
    else if (changed > 0)
        list_changes(name, before, after, options.digits, out);
    say_row_sums(before, after, options.digits, out);
}

/* Whether `from` is what a name stands for, or a part of an object. A parameter inside a module of
 * Python is neither: its module would keep the old numbers. */
static bool can_be_kept(const struct session *session, const struct roots *roots,
                        const struct node *from)
{
    bool is_named = session->python == NULL;
    for (size_t i = 0; !is_named && i < roots->n; i++)
        is_named = roots->nodes[i] == from;
    return is_named;
}

/* n_others: objects that changed too, and are shown already. */
static void show_changes(struct session *session, const struct roots *roots, size_t n_others,
                         bool is_kept, struct doc *out)
{
    size_t n = n_others;
    for (size_t i = 0; i < roots->n; i++) {
        if (roots->changed[i] == roots->nodes[i])
            continue;
        show_change(session, roots->variables[i]->name, roots->nodes[i], roots->changed[i], out);
        n++;
    }
    if (n == 0)
        doc_line(out, STYLE_NOTE, "no name of this session depends on it: nothing would change");
    else if (is_kept)
        doc_line(out, STYLE_QUIET, "keep makes it so, undo forgets it");
    else
        doc_line(out, STYLE_QUIET,
                 "a module keeps its own numbers: to change it, assign under torch.no_grad()");
}

/* The id of a token that a text is, for the run whose ids a node holds. */
static bool token_of(const struct session *session, const struct node *ids, const struct expr *text,
                     float *ret, struct error *reterr)
{
    const struct names *names = &session->names;
    size_t token;
    for (size_t i = 0; i < names->n_variables; i++) {
        struct run *run = value_as_run(&names->variables[i].value);
        if (run == NULL || run->ids != ids)
            continue;
        if (!model_find_token(run->model, text->as.text.bytes, text->as.text.size, &token, reterr))
            return false;
        *ret = (float)token;
        return true;
    }
    return error_set(reterr, ERR_TYPE,
                     "whatif: a text can stand in the place of a token alone, as in "
                     "whatif r.ids[3] = \" dog\"");
}

/* The new value: a number, or a token as it is typed. */
static bool new_number(struct session *session, const struct expr *expr, const struct node *of,
                       float *ret, struct error *reterr)
{
    if (expr->kind == EXPR_STRING)
        return token_of(session, of, expr, ret, reterr);
    struct node *number = expr_eval_node(session, expr, reterr);
    bool ok = number != NULL;
    if (ok && number->value.n_axes != 0)
        ok = error_set(reterr, ERR_SHAPE, "whatif: the new value must be a single number");
    if (ok)
        *ret = number->value.data[0];
    node_free(number);
    return ok;
}

/* The tensor of which one number is changed, and what it would be. */
static bool one_edited(struct session *session, const struct statement *statement,
                       struct node **ret_from, struct node **ret_to, struct error *reterr)
{
    struct cell cell;
    float number = 0;
    if (!expr_eval_cell(session, statement->arguments[0], &cell, reterr))
        return false;
    bool ok = new_number(session, statement->value, cell.node, &number, reterr) ||
              expr_place_error(statement->value, reterr);
    if (ok) {
        *ret_to = whatif_edit(&session->graph, cell.node, cell.position, number, reterr);
        ok = *ret_to != NULL;
    }
    if (ok)
        *ret_from = cell.node;
    else
        node_free(cell.node);
    return ok;
}

/* Whether a line is about several numbers: a name, or a part of a tensor, that holds them, and a
 * table of new ones; or a part, and one number for all of it. */
static bool changes_several(const struct expr *name, const struct node *target,
                            const struct expr *value)
{
    bool is_part = name->kind == EXPR_INDEX;
    return value->kind != EXPR_STRING && tensor_size(&target->value) > 1 &&
           (is_part || name->kind == EXPR_ATTRIBUTE ||
            (name->kind == EXPR_NAME && value->kind != EXPR_NUMBER));
}

/* The tensor that is changed, and what it would be; the caller owns both. */
static bool edited(struct session *session, const struct statement *statement,
                   struct node **ret_from, struct node **ret_to, struct error *reterr)
{
    const struct expr *name = statement->arguments[0];
    struct node *target = expr_eval_node(session, name, reterr);
    if (target == NULL)
        return false;
    bool ok = changes_several(name, target, statement->value)
                  ? whatif_cells(session, name, target, statement->value, ret_from, ret_to, reterr)
                  : one_edited(session, statement, ret_from, ret_to, reterr);
    node_free(target);
    return ok;
}

COMMAND(command_whatif)
{
    struct node *from, *to;
    struct roots roots = {0};
    if (!edited(session, statement, &from, &to, reterr))
        return false;
    size_t n_objects = 0;
    bool ok =
        roots_init(&roots, session, reterr) &&
        whatif_recompute(&session->graph, roots.nodes, roots.n, from, to, roots.changed, reterr) &&
        remember(session, &roots, reterr) &&
        change_objects(session, from, to, &n_objects, out, reterr);
    if (ok) {
        bool is_kept = n_objects > 0 || can_be_kept(session, &roots, from);
        show_changes(session, &roots, n_objects, is_kept, out);
        if (!is_kept)
            change_release(&session->whatif.pending);
        ok = doc_check(out, reterr);
    }
    roots_release(&roots);
    node_free(to);
    node_free(from);
    return ok;
}

/* Gives each name its value in change; what they had goes to *ret_old. */
static bool apply(struct session *session, const struct change *change, struct change *ret_old,
                  struct doc *out, struct error *reterr)
{
    for (size_t i = 0; i < change->n; i++) {
        const char *name = change->items[i].name;
        size_t size = strlen(name);
        const struct value *now = names_get(&session->names, name, size);
        struct value old = now ? value_share(now) : (struct value){.kind = VALUE_ABSENT};
        struct value next = value_share(&change->items[i].value);
        bool ok = change_add(ret_old, name, size, &old, reterr) &&
                  session_bind(session, name, size, &next, reterr);
        value_release(&old);
        value_release(&next);
        if (!ok)
            return false;
        doc_add(out, STYLE_QUIET, "%s", i ? ", " : "changed: ");
        doc_add(out, STYLE_NAME, "%s", name);
    }
    doc_end_line(out);
    return true;
}

COMMAND(command_keep)
{
    (void)statement;
    struct change old = {0};
    if (session->whatif.pending.n == 0)
        return error_set(reterr, ERR_NAME, "keep: there is nothing to keep; a whatif comes first");
    struct whatif_state *state = session_whatif(session, reterr);
    if (state == NULL || !apply(session, &state->pending, &old, out, reterr)) {
        change_release(&old);
        return false;
    }
    change_release(&state->pending);
    if (state->n_undo == WHATIF_UNDO_STEPS) { /* the oldest step makes room */
        change_release(&state->undo[0]);
        memmove(state->undo, state->undo + 1, (WHATIF_UNDO_STEPS - 1) * sizeof state->undo[0]);
        state->n_undo--;
    }
    state->undo[state->n_undo++] = old;
    return true;
}

COMMAND(command_undo)
{
    (void)statement;
    struct change newer = {0};
    if (session->whatif.pending.n == 0 && session->whatif.n_undo == 0)
        return error_set(reterr, ERR_NAME,
                         "undo: there is nothing to undo; it takes back a whatif or a keep");
    struct whatif_state *state = session_whatif(session, reterr);
    if (state == NULL)
        return false;
    if (state->pending.n > 0) {
        change_release(&state->pending);
        doc_line(out, STYLE_QUIET, "the last whatif is forgotten");
        return true;
    }
    bool ok = apply(session, &state->undo[state->n_undo - 1], &newer, out, reterr);
    change_release(&newer);
    if (ok)
        change_release(&state->undo[--state->n_undo]);
    return ok;
}
