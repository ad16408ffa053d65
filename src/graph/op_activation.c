/* The activations of layers.h for many numbers: one node, and one for the gradient. Where somebody
 * looks, the steps of the cell that is asked for are made. */
#include "graph/layers.h"
#include "graph/staged_internal.h"
#include "tensor/elementwise.h"

enum {
    CELL_IDS = 32,  /* more than the nodes of one cell's steps */
    BACK_IDS = 128, /* and of their gradients */
    KINDS = OP_SIGMOID_BACK - OP_SIGMOID,
};

static FORWARD(forward_activation)
{
    return tensor_unary((enum unary)node->op->code, &node->parents[0]->value, stop, ret, reterr);
}

static FORWARD(forward_back)
{
    return tensor_binary((enum binary)node->op->code, &node->parents[0]->value,
                         &node->parents[1]->value, stop, ret, reterr);
}

static VJP(vjp_activation)
{
    (void)which;
    return staged_back_of(builder, node, (enum op_kind)(node->op->kind + KINDS), d);
}

/* The steps of node, which is an activation or its gradient, for x; and for d, or NULL. */
static struct node *steps(struct builder *builder, const struct node *node, struct node *x,
                          struct node *d)
{
    struct node *gradient;
    if (d == NULL)
        return build_activation_steps(builder, node->op->kind, x);
    struct node *y = build_activation_steps(builder, (enum op_kind)(node->op->kind - KINDS), x);
    return staged_gradients(builder, y, d, &x, 1, &gradient) ? gradient : NULL;
}

static VJP(vjp_back)
{
    struct node *all[STAGED_MOST_PARENTS], *gradient;
    if (!staged_stand_in(builder, node, all))
        return NULL;
    struct node *back = steps(builder, node, all[0], all[1]);
    return staged_gradients(builder, back, d, &all[which], 1, &gradient) ? gradient : NULL;
}

/* ---- why ---- */

static struct node *build_cell(struct builder *builder, const struct node *node, size_t position)
{
    size_t index[TENSOR_MAX_AXES];
    unsigned n_axes = node->value.n_axes;
    tensor_index_of(&node->value, position, index);
    struct node *x = staged_row(builder, node->parents[0], n_axes, index);
    if (node->n_parents == 1 || x == NULL)
        return x != NULL ? steps(builder, node, x, NULL) : NULL;
    struct node *d = staged_row(builder, node->parents[1], n_axes, index);
    return d != NULL ? steps(builder, node, x, d) : NULL;
}

static EXPLAIN(explain_activation)
{
    size_t position = tensor_position_of(&node->value, index);
    staged_explain(node, index, staged_answer(node, position, build_cell), 0, explanation);
}

/* ---- the table ---- */

#define ACTIVATION(kind_, name_, form_)                                                \
    {                                                                                  \
        .kind = OP_##kind_, .name = name_, .form = form_, .binding = BIND_TIGHT,       \
        .code = UNARY_##kind_, .n_ids = CELL_IDS, .forward = forward_activation,       \
        .relabel = relabel_first, .vjp = vjp_activation, .explain = explain_activation \
    }
#define ACTIVATION_BACK(kind_, name_)                                                            \
    {                                                                                            \
        .kind = OP_##kind_##_BACK, .name = name_ "_gradient", .form = name_ "_gradient(%0, %1)", \
        .binding = BIND_TIGHT, .code = BINARY_##kind_##_BACK, .n_ids = BACK_IDS,                 \
        .forward = forward_back, .relabel = relabel_first, .vjp = vjp_back,                      \
        .explain = explain_activation                                                            \
    }

static const struct op rows[] = {
    ACTIVATION(SIGMOID, "sigmoid", "sigmoid(%0)"),
    ACTIVATION(SILU, "silu", "silu(%0)"),
    ACTIVATION(GELU, "gelu", "gelu(%0)"),
    ACTIVATION(GELU_TANH, "gelu", "gelu(%0, approximate=\"tanh\")"),
    ACTIVATION_BACK(SIGMOID, "sigmoid"),
    ACTIVATION_BACK(SILU, "silu"),
    ACTIVATION_BACK(GELU, "gelu"),
    ACTIVATION_BACK(GELU_TANH, "gelu_tanh"),
};

OP_TABLE(op_activations, OP_SIGMOID, OP_GELU_TANH_BACK);
