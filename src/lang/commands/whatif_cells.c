/* See whatif_cells.h. */
#include "lang/commands/whatif_cells.h"

#include <stdlib.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "lang/session/eval.h"
#include "lang/session/session.h"
#include "tensor/tensor.h"

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

bool whatif_cells(struct session *session, const struct expr *name, struct node *target,
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
