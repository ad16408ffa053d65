/* See grad.h. Walks the nodes that loss was made from in falling order of ids, so that each one's
 * gradient is complete before it is handed on. Gradients are kept as `other` in the set. */
#include "graph/grad.h"

#include <stdio.h>

#include "graph/node.h"
#include "graph/node_set.h"
#include "graph/ops.h"
#include "tensor/tensor.h"

/* Sums a gradient over the axes along which its operation broadcast the parent. */
static struct node *to_shape_of(struct builder *builder, struct node *d, const struct node *parent)
{
    if (d == NULL || tensor_same_shape(&d->value, &parent->value))
        return d;
    /* A gradient that does not vary yet is repeated first: d of a sum may be one number. */
    ptrdiff_t shape[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < parent->value.n_axes; axis++)
        shape[axis] = (ptrdiff_t)parent->value.shape[axis];
    size_t own = tensor_size(&d->value), wanted = tensor_size(&parent->value);
    bool repeat = d->value.n_axes <= parent->value.n_axes && own < wanted;
    return build_ints(builder, repeat ? OP_EXPAND : OP_SUM_TO, d, parent->value.n_axes, shape, 0);
}

/* Adds d to what an entry has gathered. Both the sum and the part stay with the builder. */
static bool gather(struct builder *builder, struct node_entry *entry, struct node *d)
{
    struct node *sum = entry->other ? build2(builder, OP_ADD, entry->other, d) : d;
    struct node *held = builder_result(builder, sum);
    if (held == NULL)
        return false;
    node_free(entry->other);
    entry->other = held;
    return true;
}

/* Hands the gradient of one node on to its parents. */
static bool hand_on(struct graph *graph, struct node_set *set, struct node_entry *entry,
                    struct error *reterr)
{
    struct node *node = entry->node;
    struct builder builder;
    builder_init(&builder, graph, reterr);
    bool ok = true;
    for (unsigned p = 0; ok && p < node->n_parents; p++) {
        struct node_entry *parent = node_set_find(set, node->parents[p]);
        if (!parent->marked)
            continue;
        struct node *d = node->op->vjp(&builder, node, entry->other, p);
        if (builder.failed)
            ok = false;
        else if (d != NULL)
            ok = gather(&builder, parent, to_shape_of(&builder, d, parent->node));
    }
    builder_release(&builder);
    return ok;
}

/* The gradient of the loss with respect to itself. A loss without a name still needs one here, for
 * the formulas that the gradient stands in. */
static struct node *one_like(struct graph *graph, const struct node *loss, struct error *reterr)
{
    static const char text[] = "the loss itself", name[] = "d_loss";
    struct tensor one;
    if (!tensor_full(loss->value.n_axes, loss->value.shape, 1, &one, reterr))
        return NULL;
    struct node *d = node_input(graph, &one, text, sizeof text - 1, reterr);
    if (d == NULL || loss->name != NULL || node_set_name(d, name, sizeof name - 1, reterr))
        return d;
    node_free(d);
    return NULL;
}

/* Calls the complete gradient of a named tensor d_NAME, and gives it the tensor's labels, so that
 * `why` can speak of it. */
static bool name_gradient(const struct node_entry *entry, struct error *reterr)
{
    char name[80];
    struct node *d = entry->other;
    if (entry->node->name == NULL || d->name != NULL)
        return true;
    int size = snprintf(name, sizeof name, "d_%.70s", entry->node->name);
    for (unsigned axis = 0; axis < d->value.n_axes; axis++)
        if (d->labels[axis] == NULL)
            node_set_labels(d, axis, entry->node->labels[axis]);
    return node_set_name(d, name, (size_t)size, reterr);
}

static bool check(const struct node_set *set, const struct node *loss, struct node *const *wrt,
                  size_t n_wrt, struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (tensor_size(&loss->value) != 1)
        return error_set(reterr, ERR_SHAPE,
                         "grad: the loss must be one number, and this one is %s; take its sum() or "
                         "mean() first",
                         tensor_shape_text(&loss->value, shape));
    for (size_t i = 0; i < n_wrt; i++)
        if (node_set_find(set, wrt[i]) == NULL) {
            struct text name = {0};
            node_write(wrt[i], &name);
            if (wrt[i]->name == NULL)
                error_set(reterr, ERR_NAME,
                          "grad: the loss was not computed from this %s; give it a name first, and "
                          "use that name in the loss and here",
                          text_string(&name));
            else
                error_set(reterr, ERR_NAME,
                          "grad: the loss was not computed from %s; compute it again from the "
                          "present %s, then ask for the gradient",
                          text_string(&name), text_string(&name));
            text_release(&name);
            return false;
        }
    return true;
}

/* From the node whose gradient is in the set. */
static bool walk_back(struct graph *graph, struct node_set *set, struct error *reterr)
{
    for (size_t i = set->n_entries; i-- > 0;) {
        struct node_entry *entry = &set->entries[i];
        if (!entry->marked || entry->other == NULL)
            continue;
        if (!name_gradient(entry, reterr))
            return false;
        if (entry->node->op->vjp != NULL && !hand_on(graph, set, entry, reterr))
            return false;
    }
    return true;
}

/* The gathered gradient of wrt, or zeros where nothing flowed to it. */
static struct node *result_for(struct graph *graph, const struct node_set *set,
                               const struct node *wrt, struct error *reterr)
{
    struct node *d = node_set_find(set, wrt)->other;
    struct tensor zeros;
    if (d != NULL)
        return node_share(d);
    if (!tensor_zeros(wrt->value.n_axes, wrt->value.shape, &zeros, reterr))
        return NULL;
    return node_input(graph, &zeros, "no gradient flows here", 22, reterr);
}

/* The gradients of wrt where that of node, its last entry, is d, which it takes over; d NULL: it
 * could not be made. */
static bool gradients_from(struct graph *graph, struct node_set *set, struct node *d,
                           struct node *const *wrt, size_t n_wrt, struct node **ret,
                           struct error *reterr)
{
    if (d == NULL)
        return false;
    set->entries[set->n_entries - 1].other = d;
    node_set_mark_dependents(set, wrt, n_wrt);
    bool ok = walk_back(graph, set, reterr);
    size_t n_done = 0;
    for (; ok && n_done < n_wrt; n_done += ok) {
        ret[n_done] = result_for(graph, set, wrt[n_done], reterr);
        ok = ret[n_done] != NULL;
    }
    for (size_t i = 0; !ok && i < n_done; i++)
        node_free(ret[i]);
    return ok;
}

bool graph_grad(struct graph *graph, struct node *loss, struct node *const *wrt, size_t n_wrt,
                struct node **ret, struct error *reterr)
{
    struct node_set set;
    if (!node_set_init(&set, &loss, 1, reterr))
        return false;
    bool ok = check(&set, loss, wrt, n_wrt, reterr) &&
              gradients_from(graph, &set, one_like(graph, loss, reterr), wrt, n_wrt, ret, reterr);
    node_set_release(&set);
    return ok;
}

bool graph_back(struct graph *graph, struct node *node, struct node *d, struct node *const *wrt,
                size_t n_wrt, struct node **ret, struct error *reterr)
{
    struct node_set set;
    if (!node_set_init(&set, &node, 1, reterr))
        return false;
    bool ok = gradients_from(graph, &set, node_share(d), wrt, n_wrt, ret, reterr);
    node_set_release(&set);
    return ok;
}
