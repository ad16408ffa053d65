/* How the names along axes pass through operations. */
#include <stdlib.h>
#include <string.h>

#include "graph/op_functions.h"

/* Names axis `to` of node as axis `from` of parent, where the lengths agree. */
static void label_axis(struct node *node, unsigned to, const struct node *parent, unsigned from)
{
    if (node->labels[to] == NULL && parent->value.shape[from] == node->value.shape[to])
        node_set_labels(node, to, parent->labels[from]);
}

RELABEL(relabel_first)
{
    (void)reterr;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        label_axis(node, axis, node->parents[0], axis);
    return true;
}

RELABEL(relabel_broadcast)
{
    (void)reterr;
    unsigned n_axes = node->value.n_axes;
    for (unsigned p = 0; p < node->n_parents; p++) {
        const struct node *parent = node->parents[p];
        unsigned missing = n_axes - parent->value.n_axes;
        for (unsigned axis = 0; axis < parent->value.n_axes; axis++)
            label_axis(node, axis + missing, parent, axis);
    }
    return true;
}

/* (..., n, k) @ (..., k, m): rows as the left side, columns as the right one. */
RELABEL(relabel_matmul)
{
    (void)reterr;
    const struct node *a = node->parents[0], *b = node->parents[1];
    unsigned a_axes = a->value.n_axes, b_axes = b->value.n_axes;
    unsigned n_batch = (a_axes > b_axes ? a_axes : b_axes);
    n_batch = n_batch > 2 ? n_batch - 2 : 0;
    for (unsigned p = 0; p < 2; p++) {
        const struct node *parent = node->parents[p];
        unsigned own = parent->value.n_axes > 2 ? parent->value.n_axes - 2 : 0;
        for (unsigned axis = 0; axis < own; axis++)
            label_axis(node, n_batch - own + axis, parent, axis);
    }
    unsigned next = n_batch;
    if (a_axes > 1)
        label_axis(node, next++, a, a_axes - 2);
    if (b_axes > 1)
        label_axis(node, next, b, b_axes - 1);
    return true;
}

RELABEL(relabel_reduce)
{
    (void)reterr;
    const struct node *x = node->parents[0];
    unsigned reduced = 0, next = 0;
    size_t n_reduced = node->args.n_ints - (node->op->kind == OP_VAR || node->op->kind == OP_STD);
    for (size_t i = 0; i < n_reduced; i++)
        reduced |= 1U << node->args.ints[i];
    bool keep_axes = node->args.number != 0;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (!(reduced >> axis & 1U))
            label_axis(node, next++, x, axis);
        else
            next += keep_axes;
    return true;
}

RELABEL(relabel_permute)
{
    (void)reterr;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        label_axis(node, axis, node->parents[0], (unsigned)node->args.ints[axis]);
    return true;
}

/* Axes that stay as they are at the left and at the right end keep their names. */
RELABEL(relabel_reshape)
{
    (void)reterr;
    const struct node *x = node->parents[0];
    unsigned from = x->value.n_axes, to = node->value.n_axes;
    unsigned left = 0;
    while (left < from && left < to && x->value.shape[left] == node->value.shape[left]) {
        label_axis(node, left, x, left);
        left++;
    }
    while (from > left && to > left && x->value.shape[from - 1] == node->value.shape[to - 1])
        label_axis(node, --to, x, --from);
    return true;
}

RELABEL(relabel_slice)
{
    const struct node *x = node->parents[0];
    unsigned next = 0;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        const ptrdiff_t *cut = node->args.ints + 3 * axis; /* start, count, step */
        if (cut[1] < 0)
            continue;
        if (x->labels[axis] != NULL && !labels_take(x->labels[axis], (size_t)cut[0], (size_t)cut[1],
                                                    cut[2], &node->labels[next], reterr))
            return false;
        next++;
    }
    return true;
}

/* Names of all parts one after the other, where every part has them. */
static bool join_labels(struct node *node, unsigned axis, struct error *reterr)
{
    size_t n = node->value.shape[axis], next = 0;
    for (unsigned p = 0; p < node->n_parents; p++)
        if (node->parents[p]->labels[axis] == NULL)
            return true;
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "cat");
    for (unsigned p = 0; p < node->n_parents; p++)
        for (size_t i = 0; i < labels_count(node->parents[p]->labels[axis]); i++)
            names[next++] = labels_name(node->parents[p]->labels[axis], i);
    bool ok = labels_new(n, names, NULL, &node->labels[axis], reterr);
    free(names);
    return ok;
}

RELABEL(relabel_cat)
{
    unsigned joined = (unsigned)node->args.ints[0];
    for (unsigned p = 0; p < node->n_parents; p++)
        for (unsigned axis = 0; axis < node->value.n_axes; axis++)
            if (axis != joined)
                label_axis(node, axis, node->parents[p], axis);
    return join_labels(node, joined, reterr);
}

/* Rows taken by number: the other axes keep their names; a list of rows names them too. */
RELABEL(relabel_take)
{
    const struct node *x = node->parents[0], *ids = node->parents[1];
    for (unsigned axis = 1; axis < x->value.n_axes; axis++)
        label_axis(node, ids->value.n_axes + axis - 1, x, axis);
    if (x->labels[0] == NULL || ids->value.n_axes != 1)
        return true;
    size_t n = ids->value.shape[0];
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "taking rows");
    for (size_t i = 0; i < n; i++) {
        float row = tensor_at_position(&ids->value, i);
        row += row < 0 ? (float)x->value.shape[0] : 0; /* counted from the end */
        names[i] = labels_name(x->labels[0], (size_t)row);
    }
    bool ok = labels_new(n, names, NULL, &node->labels[0], reterr);
    free(names);
    return ok;
}
