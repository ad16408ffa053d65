/* Tensors of cells: places, dtypes, and the frame of one operation. See tensor_internal.h. */
#include "lang/notebook/tensor_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/kept_memory.h"
#include "graph/ops.h"
#include "lang/notebook/ndarray_internal.h"

enum { WHOLE_MOST = 1 << 24 };

const struct dtype_row dtypes[DTYPE_COUNT] = {
    [DTYPE_BOOL] = {"bool", NULL, "Bool", CATEGORY_BOOL, 0, 1},
    [DTYPE_UINT8] = {"uint8", NULL, "Byte", CATEGORY_WHOLE, 0, 255},
    [DTYPE_INT8] = {"int8", NULL, "Char", CATEGORY_WHOLE, -128, 127},
    [DTYPE_INT16] = {"int16", "short", "Short", CATEGORY_WHOLE, -32768, 32767},
    [DTYPE_INT32] = {"int32", "int", "Int", CATEGORY_WHOLE, -WHOLE_MOST, WHOLE_MOST},
    [DTYPE_INT64] = {"int64", "long", "Long", CATEGORY_WHOLE, -WHOLE_MOST, WHOLE_MOST},
    [DTYPE_FLOAT16] = {"float16", "half", "Half", CATEGORY_FLOAT, 0, 0},
    [DTYPE_BFLOAT16] = {"bfloat16", NULL, "BFloat16", CATEGORY_FLOAT, 0, 0},
    [DTYPE_FLOAT32] = {"float32", "float", "Float", CATEGORY_FLOAT, 0, 0},
    [DTYPE_FLOAT64] = {"float64", "double", "Double", CATEGORY_FLOAT, 0, 0},
    [DTYPE_COMPLEX64] = {"complex64", "cfloat", "ComplexFloat", CATEGORY_COMPLEX, 0, 0},
};

bool raise_graph_error(struct machine *m, const struct error *error)
{
    switch (error->kind) {
    case ERR_MEMORY:
        return raise_memory(m);
    case ERR_INTERRUPTED:
        return raise_error(m, ERROR_INTERRUPT, " ");
    case ERR_RANGE:
        return raise_error(m, ERROR_INDEX, "%s", error->text);
    case ERR_TYPE:
        return raise_error(m, ERROR_TYPE, "%s", error->text);
    default:
        return raise_error(m, ERROR_RUNTIME, "%s", error->text);
    }
}

/* ---- places ---- */

/* The numbers that a place is a view of. */
static struct place *root_of(struct place *place)
{
    while (place->of != NULL)
        place = place->of;
    return place;
}

/* The place that knows whether gradients flow: the numbers, or the first OP_DETACH before them. */
static struct place *source_of(struct place *place)
{
    while (place->of != NULL && place->kind != OP_DETACH)
        place = place->of;
    return place;
}

static struct node *leaf_of(struct graph *graph, const struct tensor *numbers, struct error *reterr)
{
    static const char text[] = "the cell";
    struct tensor share;
    if (!tensor_dense(numbers, &share, reterr))
        return NULL;
    return node_input(graph, &share, text, sizeof text - 1, reterr);
}

static void place_free(struct place *place)
{
    while (place != NULL && --place->n_owners == 0) {
        struct place *of = place->of;
        node_free(place->node);
        nd_link_free(place->link);
        free(place);
        place = of;
    }
}

static struct place *place_new(struct machine *m, struct place *of, enum op_kind kind,
                               size_t n_ints, const ptrdiff_t *ints)
{
    struct place *place = calloc(1, sizeof *place);
    if (place == NULL)
        return NULL;
    place->n_owners = 1;
    place->graph = m->graph;
    place->keeps_history = m->torch->keeps_history;
    place->of = of;
    place->kind = kind;
    place->n_ints = n_ints;
    if (n_ints > 0)
        memcpy(place->ints, ints, n_ints * sizeof *ints);
    if (of != NULL)
        of->n_owners++;
    return place;
}

/* A share of the node of a view, where that of the place that it is a view of is `from`. */
static struct node *view_node(struct graph *graph, const struct place *place, struct node *from,
                              struct error *reterr)
{
    if (place->kind == OP_DETACH) {
        struct op_args none = {0};
        struct node *leaf = place->keeps_history && place->variable == 0
                                ? node_new(graph, op_get(OP_DETACH), 1, &from, &none, reterr)
                                : leaf_of(graph, &from->value, reterr);
        if (leaf != NULL && place->tracks)
            leaf->variable = place->variable;
        return leaf;
    }
    struct op_args args = {.n_ints = place->n_ints, .ints = place->ints};
    return node_new(graph, op_get(place->kind), 1, &from, &args, reterr);
}

/* Numbers that were written to through the array that shares them are read again. */
static bool reread_link(struct place *root, struct error *reterr)
{
    struct tensor numbers;
    if (root->link == NULL || !nd_link_is_stale(root->link))
        return true;
    if (root->tracks && root->variable == 0)
        return error_set(reterr, ERR_TYPE,
                         "attn does not change the numbers of a result that requires grad through "
                         "an array; change a clone() of it");
    if (!tensor_copy(&root->node->value, &numbers, reterr))
        return false;
    nd_link_read(root->link, numbers.data);
    struct node *leaf = node_input(root->graph, &numbers, "the cell", 8, reterr);
    if (leaf == NULL)
        return false;
    leaf->variable = root->node->variable;
    node_free(root->node);
    root->node = leaf;
    root->version++;
    return true;
}

static struct node *place_node(struct graph *graph, struct place *place, struct error *reterr)
{
    struct place *root = root_of(place);
    if (!reread_link(root, reterr))
        return NULL;
    if (place == root || (place->node != NULL && place->version == root->version))
        return place->node;
    struct node *from = place_node(graph, place->of, reterr);
    struct node *made = from ? view_node(graph, place, from, reterr) : NULL;
    if (made == NULL)
        return NULL;
    node_free(place->node);
    place->node = made;
    place->version = root->version;
    if (place->retained != 0)
        made->variable = place->retained;
    return made;
}

/* A share of the node that the place has where the numbers are `root`. */
static struct node *place_upon(struct graph *graph, const struct place *place, struct node *root,
                               struct error *reterr)
{
    if (place->of == NULL)
        return node_share(root);
    struct node *from = place_upon(graph, place->of, root, reterr);
    struct node *made = from ? view_node(graph, place, from, reterr) : NULL;
    node_free(from);
    return made;
}

/* Numbers that no tensor reaches with a gradient any more forget how they were made. */
static void forget_history(struct place *source)
{
    if (source->keeps_history || source->of != NULL || !source->tracks || source->variable != 0 ||
        source->node == NULL)
        return;
    struct node *leaf = leaf_of(source->graph, &source->node->value, NULL);
    if (leaf == NULL)
        return;
    node_free(source->node);
    source->node = leaf;
    source->tracks = false;
}

static void give_up_place(struct tensor_thing *t)
{
    if (t->place == NULL)
        return;
    struct place *source = source_of(t->place);
    if (--source->n_tracked == 0 && source->n_owners > 1)
        forget_history(source);
    place_free(t->place);
    t->place = NULL;
}

void tensor_let_go(struct tensor_thing *t)
{
    give_up_place(t);
}

static void take_place(struct tensor_thing *t, struct place *place)
{
    give_up_place(t);
    t->place = place;
    source_of(place)->n_tracked++;
}

struct place *tensor_root(const struct tensor_thing *t)
{
    return root_of(t->place);
}

struct node *tensor_node(struct machine *m, struct tensor_thing *t)
{
    if (source_of(t->place)->is_below && !m->torch->takes_below) {
        raise_error(m, ERROR_OVERFLOW,
                    "a float beyond int64, such as log(0), became a whole number here; attn can "
                    "add to it, compare it and hide it with torch.where, min or clamp, and nothing "
                    "else");
        return NULL;
    }
    return tensor_form(m, t);
}

struct node *tensor_form(struct machine *m, struct tensor_thing *t)
{
    struct error error = {0};
    struct node *node = place_node(m->graph, t->place, &error);
    if (node == NULL)
        raise_graph_error(m, &error);
    return node;
}

bool tensor_tracks(const struct tensor_thing *t)
{
    return source_of(t->place)->tracks;
}

bool tensor_is_leaf(const struct tensor_thing *t)
{
    const struct place *source = source_of(t->place);
    return !source->tracks || (source == t->place && source->variable != 0);
}

const char *tensor_grad_name(const struct tensor_thing *t)
{
    return tensor_is_leaf(t)             ? NULL
           : t->place->grad_name != NULL ? t->place->grad_name
                                         : "AsStridedBackward0";
}

/* ---- making ---- */

/* Large tensors count towards the memory of the cell at once, small ones at the next tick. */
static bool fits_memory(struct machine *m, const struct tensor *x)
{
    enum { LARGE = 1 << 20 };
    return tensor_size(x) < LARGE || memory_peak_bytes() <= m->options.most_bytes ||
           raise_error(m, ERROR_MEMORY, "the cell has filled %zu MB of memory",
                       m->options.most_bytes >> 20);
}

static struct tensor_thing *thing_at(struct machine *m, struct place *place, enum dtype dtype)
{
    struct tensor_thing *t = place ? thing_new(&m->things, THING_TENSOR, 0) : NULL;
    if (t == NULL) {
        place_free(place);
        raise_memory(m);
        return NULL;
    }
    t->dtype = dtype;
    t->grad = value_none();
    take_place(t, place);
    return t;
}

/* keeps: the node keeps how it was computed, though no gradient flows to it. */
static bool make(struct machine *m, struct node *node, enum dtype dtype, const char *grad_name,
                 bool keeps, struct value *ret)
{
    struct error error = {0};
    if (node == NULL)
        return false;
    struct node *kept = node;
    if (grad_name == NULL && !keeps)
        kept = node->n_parents == 0 && node->variable == 0 && tensor_is_dense(&node->value)
                   ? node_share(node)
                   : leaf_of(m->graph, &node->value, &error);
    else if (!tensor_is_dense(&node->value))
        kept = node_new(m->graph, op_get(OP_CONTIGUOUS), 1, &node, &(struct op_args){0}, &error);
    else
        node_share(kept);
    node_free(node);
    if (kept == NULL)
        return raise_graph_error(m, &error);
    struct place *place = place_new(m, NULL, OP_INPUT, 0, NULL);
    if (place == NULL) {
        node_free(kept);
        return raise_memory(m);
    }
    place->node = kept;
    kept->made_by = grad_name;
    place->tracks = grad_name != NULL;
    place->grad_name = grad_name;
    struct tensor_thing *t = thing_at(m, place, dtype);
    *ret = value_thing(t);
    if (t != NULL && fits_memory(m, &kept->value))
        return true;
    value_drop(*ret);
    *ret = value_absent();
    return false;
}

bool tensor_make(struct machine *m, struct node *node, enum dtype dtype, const char *grad_name,
                 struct value *ret)
{
    return make(m, node, dtype, grad_name, false, ret);
}

bool tensor_make_leaf(struct machine *m, struct tensor *numbers, enum dtype dtype,
                      struct value *ret)
{
    struct error error = {0};
    numbers->is_bool = dtype == DTYPE_BOOL;
    struct node *node = node_input(m->graph, numbers, "the cell", 8, &error);
    return node ? tensor_make(m, node, dtype, NULL, ret) : raise_graph_error(m, &error);
}

bool tensor_make_view(struct machine *m, struct tensor_thing *t, enum op_kind kind, size_t n_ints,
                      const ptrdiff_t *ints, const char *grad_name, struct value *ret)
{
    struct place *of = t->place, *cut = NULL;
    /* A view that is made without gradients lets none through later either. */
    if (m->torch->no_grad && tensor_tracks(t) && kind != OP_DETACH) {
        of = cut = place_new(m, of, OP_DETACH, 0, NULL);
        if (cut == NULL)
            return raise_memory(m);
    }
    struct place *place = place_new(m, of, kind, n_ints, ints);
    place_free(cut);
    if (place != NULL)
        place->grad_name = grad_name;
    struct tensor_thing *made = thing_at(m, place, t->dtype);
    if (made == NULL)
        return false;
    *ret = value_thing(made);
    if (tensor_node(m, made) != NULL)
        return true;
    value_drop(*ret);
    return false;
}

bool tensor_set_requires_grad(struct machine *m, struct tensor_thing *t, bool wanted)
{
    struct error error = {0};
    struct place *place = t->place;
    if (wanted && dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(m, ERROR_RUNTIME,
                           "only Tensors of floating point dtype can require gradients");
    if (!tensor_is_leaf(t))
        return wanted || raise_error(m, ERROR_RUNTIME,
                                     "you can only change requires_grad flags of leaf variables.%s",
                                     " If you want to use a computed variable in a subgraph that "
                                     "doesn't require differentiation use var_no_grad = "
                                     "var.detach().");
    if (place->tracks == wanted && (place->of == NULL || place->kind == OP_DETACH))
        return true;
    /* A view becomes a leaf of its own, which shares the numbers still. */
    if (place->of != NULL && place->kind != OP_DETACH) {
        place = place_new(m, t->place, OP_DETACH, 0, NULL);
        if (place == NULL)
            return raise_memory(m);
        take_place(t, place);
    }
    struct node *leaf = NULL;
    if (place->of == NULL) {
        leaf = leaf_of(m->graph, &place->node->value, &error);
        if (leaf == NULL)
            return raise_graph_error(m, &error);
    }
    node_free(place->node);
    place->node = leaf;
    place->tracks = wanted;
    place->variable = wanted ? ++m->torch->last_variable : 0;
    place->grad_name = NULL;
    if (leaf != NULL)
        leaf->variable = place->variable;
    if (place->of == NULL)
        place->version++; /* views are made from the new node */
    return true;
}

bool tensor_set_data(struct machine *m, struct tensor_thing *t, struct tensor_thing *from)
{
    const struct place *source = source_of(t->place);
    uint64_t variable = tensor_is_leaf(t) && source->tracks ? source->variable : 0;
    if (!tensor_is_leaf(t))
        return raise_error(m, ERROR_RUNTIME,
                           "attn does not set .data of a result that requires grad; "
                           "write x = x.detach() first");
    struct place *place = place_new(m, from->place, OP_DETACH, 0, NULL);
    if (place == NULL)
        return raise_memory(m);
    place->keeps_history = false; /* no step of an optimizer keeps those before it */
    place->tracks = variable != 0;
    place->variable = variable;
    take_place(t, place);
    t->dtype = from->dtype;
    return true;
}

/* ---- writing ---- */

static bool may_write(struct machine *m, const struct tensor_thing *t, bool tracks)
{
    const struct place *source = source_of(t->place), *root = root_of(t->place);
    if (!m->torch->no_grad && source->tracks && source->variable != 0)
        return raise_error(m, ERROR_RUNTIME,
                           source == t->place
                               ? "a leaf Variable that requires grad is being used in an in-place "
                                 "operation."
                               : "a view of a leaf Variable that requires grad is being used in an "
                                 "in-place operation.");
    if (tracks && source != root)
        return raise_error(m, ERROR_RUNTIME,
                           "attn can't let gradients flow into a tensor that shares the memory of "
                           "another one through detach() or .data; write x.detach().clone()");
    if (!tracks && root->tracks && root->variable == 0)
        return raise_error(m, ERROR_RUNTIME,
                           "attn does not change the numbers of a result that requires grad "
                           "without its gradient; change a clone() of it");
    return true;
}

static bool repeats_numbers(const struct tensor *x)
{
    bool repeats = false;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        repeats = repeats || (x->stride[axis] == 0 && x->shape[axis] > 1);
    return repeats && tensor_size(x) > 0;
}

static size_t offset_of(const struct tensor *x, size_t position)
{
    size_t index[TENSOR_MAX_AXES];
    ptrdiff_t offset = 0;
    tensor_index_of(x, position, index);
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        offset += (ptrdiff_t)index[axis] * x->stride[axis];
    return (size_t)offset;
}

/* Where numbers are written: a copy of the root's numbers, and t's view of it. */
struct target {
    struct node *numbers, *view;
};

static void target_release(struct target *target)
{
    node_free(target->view);
    node_free(target->numbers);
}

static bool target_init(struct machine *m, struct tensor_thing *t, struct target *ret)
{
    struct error error = {0};
    struct graph *graph = m->graph;
    struct place *root = root_of(t->place);
    struct tensor copy;
    *ret = (struct target){0};
    if (!reread_link(root, &error) || !tensor_copy(&root->node->value, &copy, &error))
        return raise_graph_error(m, &error);
    ret->numbers = node_input(graph, &copy, "the cell", 8, &error);
    ret->view = ret->numbers ? place_upon(graph, t->place, ret->numbers, &error) : NULL;
    if (ret->view == NULL) {
        target_release(ret);
        return raise_graph_error(m, &error);
    }
    if (repeats_numbers(&ret->view->value)) {
        target_release(ret);
        return raise_error(m, ERROR_RUNTIME,
                           "unsupported operation: more than one element of the written-to tensor "
                           "refers to a single memory location. Please clone() the tensor before "
                           "performing the operation.");
    }
    if (ret->view->value.storage == ret->numbers->value.storage)
        return true;
    target_release(ret);
    return raise_error(m, ERROR_RUNTIME,
                       "attn can't write into this view of a view; change a clone() of it");
}

/* Nodes with the numbers that a write through place changes know it. */
static void note_write(struct place *place, struct place *root)
{
    bool is_unseen = false;
    for (struct place *at = place; at != NULL; at = at->of) {
        is_unseen = is_unseen || at->is_unseen;
        if (at->node != NULL) {
            at->node->was_in = root;
            at->node->is_unseen = is_unseen;
            at->node->n_writes = root->n_writes;
        }
    }
    root->n_writes += !is_unseen;
}

/* The root takes on new numbers, which were written through place; takes over a share of node. */
static void renew(struct place *place, struct place *root, struct node *node, bool tracks,
                  const char *grad_name)
{
    note_write(place, root);
    node_free(root->node);
    root->node = node;
    root->version++;
    if (tracks) {
        root->tracks = true;
        root->variable = 0;
        root->grad_name = grad_name;
    } else if (root->tracks) {
        node->variable = root->variable;
    }
    if (root->link != NULL && nd_link_is_alone(root->link)) {
        nd_link_free(root->link);
        root->link = NULL;
    }
    if (root->link != NULL)
        nd_link_write(root->link, node->value.data);
}

/* Whether numbers that are written without a gradient keep what they were computed from. The steps
 * of an optimizer don't: each would keep all steps before it. */
static bool writing_keeps(const struct machine *m, const struct place *root)
{
    return m->torch->keeps_history && !m->torch->no_grad && root->variable == 0;
}

/* Whether a number was typed, not computed. */
static bool is_typed(const struct node *node)
{
    while (node->n_parents == 1 && node->op->is_move)
        node = node->parents[0];
    return node_is_constant(node);
}

/* The numbers of the root with those of value at offsets[0..n), of which the last of equal ones
 * counts. detached: no gradient flows through them. */
static struct node *merged(struct machine *m, struct node *root, const size_t *offsets, size_t n,
                           struct node *value, bool detached, struct error *reterr)
{
    if (detached && n == 1 && is_typed(value)) {
        ptrdiff_t at = (ptrdiff_t)offsets[0];
        struct op_args args = {
            .number = (double)tensor_at_position(&value->value, 0), .n_ints = 1, .ints = &at};
        return node_new(m->graph, op_get(OP_EDIT), 1, &root, &args, reterr);
    }
    size_t size = tensor_size(&root->value), n_kept = 0, n_axes = root->value.n_axes;
    ptrdiff_t *last = malloc((size + 1) * sizeof *last);
    ptrdiff_t *to = malloc((n + 1 + TENSOR_MAX_AXES) * sizeof *to);
    ptrdiff_t *from = malloc((n + 2) * sizeof *from);
    struct tensor mask = {0};
    struct node *result = NULL;
    struct builder b;
    builder_init(&b, m->graph, reterr);
    bool ok = last != NULL && to != NULL && from != NULL;
    if (!ok)
        error_memory(reterr, "assigning");
    ok = ok && tensor_zeros((unsigned)n_axes, root->value.shape, &mask, reterr);
    if (ok) {
        mask.is_bool = true;
        for (size_t i = 0; i < n; i++)
            last[offsets[i]] = (ptrdiff_t)i;
        to[0] = (ptrdiff_t)n_axes;
        for (size_t axis = 0; axis < n_axes; axis++)
            to[1 + axis] = (ptrdiff_t)root->value.shape[axis];
        for (size_t i = 0; i < n; i++)
            if (last[offsets[i]] == (ptrdiff_t)i) {
                to[1 + n_axes + n_kept] = (ptrdiff_t)offsets[i];
                from[2 + n_kept++] = (ptrdiff_t)(tensor_size(&value->value) == 1 ? 0 : i);
                mask.data[offsets[i]] = 1;
            }
        from[0] = 1;
        from[1] = (ptrdiff_t)n_kept;
        struct node *parts = build_ints(&b, OP_PICK, value, 2 + n_kept, from, 0);
        struct node *spread = build_ints(&b, OP_UNPICK, parts, 1 + n_axes + n_kept, to, 0);
        result = build3(&b, OP_WHERE, build_input(&b, &mask, "a mask"), spread, root);
        result = builder_result(&b, detached ? build1(&b, OP_DETACH, result) : result);
    }
    builder_release(&b);
    free(last);
    free(to);
    free(from);
    return result;
}

bool tensor_write_at(struct machine *m, struct tensor_thing *t, const size_t *positions, size_t n,
                     struct node *value, bool tracks, const char *grad_name)
{
    struct error error = {0};
    struct target target;
    struct place *root = root_of(t->place);
    tracks = !m->torch->no_grad && (tracks || source_of(t->place)->tracks);
    if (!may_write(m, t, tracks) || !target_init(m, t, &target))
        return false;
    const struct tensor *view = &target.view->value;
    bool keeps = !tracks && writing_keeps(m, root);
    size_t *offsets = tracks || keeps ? malloc((n + 1) * sizeof *offsets) : NULL;
    bool ok = !(tracks || keeps) || offsets != NULL || raise_memory(m);
    bool one = tensor_size(&value->value) == 1;
    struct tensor dense = {0};
    if (ok && !tracks && !keeps)
        ok = tensor_dense(&value->value, &dense, &error) || raise_graph_error(m, &error);
    for (size_t i = 0; ok && i < n; i++) {
        size_t offset = offset_of(view, positions ? positions[i] : i);
        if (tracks || keeps)
            offsets[i] = (size_t)(view->data - target.numbers->value.data) + offset;
        else
            view->data[offset] = dense.data[one ? 0 : i];
    }
    tensor_release(&dense);
    struct node *made = NULL;
    if (ok && (tracks || keeps)) {
        made = merged(m, root->node, offsets, n, value, keeps, &error);
        ok = made != NULL || raise_graph_error(m, &error);
    } else if (ok) {
        made = node_share(target.numbers);
    }
    free(offsets);
    target_release(&target);
    if (!ok)
        return false;
    renew(t->place, root, made, tracks, t->place == root ? grad_name : "CopySlices");
    if (tracks && t->place != root)
        t->place->grad_name = "AsStridedBackward0";
    return true;
}

bool tensor_write(struct machine *m, struct tensor_thing *t, struct node *value, bool tracks,
                  const char *grad_name)
{
    struct error error = {0};
    struct place *root = root_of(t->place);
    if (t->place != root) {
        struct node *now = tensor_node(m, t);
        return now != NULL &&
               tensor_write_at(m, t, NULL, tensor_size(&now->value), value, tracks, grad_name);
    }
    tracks = !m->torch->no_grad && (tracks || root->tracks);
    if (!may_write(m, t, tracks))
        return false;
    struct graph *graph = m->graph;
    struct op_args none = {0};
    struct node *made = tracks && tensor_is_dense(&value->value) ? node_share(value)
                        : tracks ? node_new(graph, op_get(OP_CONTIGUOUS), 1, &value, &none, &error)
                        : writing_keeps(m, root)
                            ? node_new(graph, op_get(OP_DETACH), 1, &value, &none, &error)
                            : leaf_of(graph, &value->value, &error);
    if (made == NULL)
        return raise_graph_error(m, &error);
    renew(root, root, made, tracks, grad_name);
    return true;
}

/* ---- numbers that an array shares ---- */

bool tensor_share_array(struct machine *m, struct tensor_thing *t, struct ndarray *a)
{
    struct nd_link *link = nd_link_new(a);
    if (link == NULL)
        return raise_memory(m);
    t->place->link = link;
    return true;
}

/* An array of the whole of root's numbers, which they are linked to. */
static struct ndarray *linked_array(struct machine *m, struct place *root, enum dtype dtype)
{
    const struct tensor *numbers = &root->node->value;
    struct ndarray *a;
    if (root->link != NULL)
        return nd_link_array(m, root->link);
    if ((a = nd_new(m, dtype, numbers->n_axes, numbers->shape)) == NULL)
        return NULL;
    if ((root->link = nd_link_new(a)) == NULL) {
        value_drop(value_thing(a));
        raise_memory(m);
        return NULL;
    }
    nd_link_write(root->link, numbers->data);
    return a;
}

/* The cell of the number at this place of the root, from the first one. */
static ptrdiff_t cell_of(const struct ndarray *whole, size_t number)
{
    ptrdiff_t cell = 0;
    for (unsigned axis = whole->n_axes; axis-- > 0; number /= whole->shape[axis])
        cell += (ptrdiff_t)(number % whole->shape[axis]) * whole->stride[axis];
    return cell;
}

struct ndarray *tensor_shared_array(struct machine *m, struct tensor_thing *t, bool *ret_fits)
{
    struct error error = {0};
    struct place *root = root_of(t->place);
    struct tensor places;
    *ret_fits = true;
    if (tensor_node(m, t) == NULL)
        return NULL;
    size_t n_numbers = tensor_size(&root->node->value);
    *ret_fits = n_numbers < WHOLE_MOST && root->node->value.n_axes <= ND_MAX_AXES;
    struct ndarray *whole = *ret_fits ? linked_array(m, root, t->dtype) : NULL;
    if (whole == NULL || t->place == root)
        return whole;
    /* Where the view's numbers lie: the view of the numbers' own places. */
    if (!tensor_zeros(root->node->value.n_axes, root->node->value.shape, &places, &error)) {
        value_drop(value_thing(whole));
        raise_graph_error(m, &error);
        return NULL;
    }
    for (size_t i = 0; i < n_numbers; i++)
        places.data[i] = (float)i;
    struct node *from = node_input(m->graph, &places, "the cell", 8, &error);
    struct node *view = from ? place_upon(m->graph, t->place, from, &error) : NULL;
    struct ndarray *a = view ? nd_view(m, whole) : NULL;
    if (view == NULL)
        raise_graph_error(m, &error);
    size_t n = a ? tensor_size(&view->value) : 0, step = 1;
    *ret_fits = a == NULL || whole->dtype == t->dtype;
    if (a != NULL) {
        a->n_axes = view->value.n_axes;
        a->first += n > 0 ? cell_of(whole, (size_t)tensor_at_position(&view->value, 0)) : 0;
        for (unsigned axis = a->n_axes; axis-- > 0; step *= a->shape[axis]) {
            a->shape[axis] = view->value.shape[axis];
            a->stride[axis] = a->shape[axis] > 1 && n > 0
                                  ? cell_of(whole, (size_t)tensor_at_position(&view->value, step)) -
                                        (a->first - whole->first)
                                  : 0;
        }
        for (size_t i = 0; i < n && *ret_fits; i++) {
            ptrdiff_t cell = a->first - whole->first;
            size_t rest = i;
            for (unsigned axis = a->n_axes; axis-- > 0; rest /= a->shape[axis])
                cell += (ptrdiff_t)(rest % a->shape[axis]) * a->stride[axis];
            *ret_fits = cell == cell_of(whole, (size_t)tensor_at_position(&view->value, i));
        }
    }
    node_free(view);
    node_free(from);
    value_drop(value_thing(whole));
    if (*ret_fits)
        return a;
    value_drop(value_thing(a));
    return NULL;
}

bool tensor_go_back(struct tensor_thing *t, struct node *node)
{
    struct place *root = t->place;
    if (root->of != NULL || root->node == NULL || node->id >= root->node->id ||
        !tensor_same_shape(&node->value, &root->node->value))
        return false;
    node_free(root->node);
    root->node = node_share(node);
    root->version++;
    if (root->link != NULL)
        nd_link_write(root->link, node->value.data);
    return true;
}

/* ---- as it was ---- */

struct tensor_state {
    struct place *place; /* a share */
    struct place root;   /* what its numbers' place held; node is a share */
    enum dtype dtype;
    bool is_parameter;
    struct value grad; /* a share */
};

struct tensor_state *tensor_state_of(struct tensor_thing *t)
{
    struct tensor_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->place = t->place;
    state->dtype = t->dtype;
    state->is_parameter = t->is_parameter;
    state->grad = value_take(t->grad);
    if (t->place != NULL) {
        t->place->n_owners++;
        state->root = *root_of(t->place);
        if (state->root.node != NULL)
            node_share(state->root.node);
    }
    return state;
}

void tensor_state_give_back(const struct tensor_state *state, struct tensor_thing *t)
{
    value_put(&t->grad, value_take(state->grad));
    t->dtype = state->dtype;
    t->is_parameter = state->is_parameter;
    if (state->place == NULL)
        return;
    if (t->place != state->place) {
        state->place->n_owners++;
        take_place(t, state->place);
    }
    struct place *root = root_of(t->place);
    const struct place *was = &state->root;
    root->tracks = was->tracks;
    root->is_spent = was->is_spent;
    root->variable = was->variable;
    root->retained = was->retained;
    root->grad_name = was->grad_name;
    if (root->node == was->node)
        return;
    node_free(root->node);
    root->node = node_share(was->node);
    root->version++;
    if (root->link != NULL && root->node != NULL)
        nd_link_write(root->link, root->node->value.data);
}

void tensor_state_free(struct tensor_state *state)
{
    value_drop(state->grad);
    node_free(state->root.node);
    place_free(state->place);
    free(state);
}

/* ---- whole numbers ---- */

/* ret_below: whether -inf of int64 is among them; NULL: it is refused. */
static bool check_whole(struct machine *m, const struct tensor *x, enum dtype dtype,
                        bool *ret_below)
{
    const struct dtype_row *row = &dtypes[dtype];
    bool takes_below = ret_below != NULL && dtype == DTYPE_INT64;
    if (row->category != CATEGORY_WHOLE)
        return true;
    size_t n = tensor_size(x);
    bool dense = tensor_is_dense(x);
    for (size_t i = 0; i < n; i++) {
        double number = (double)(dense ? x->data[i] : tensor_at_position(x, i));
        if (number >= row->least && number <= row->most && fabs(number) < WHOLE_MOST)
            continue;
        if (takes_below && number < 0 && isinf(number)) {
            *ret_below = true;
            continue;
        }
        return raise_error(
            m, ERROR_OVERFLOW,
            "attn keeps whole numbers of tensors up to 16777215 (and %s from %.0f to "
            "%.0f); compute with .float() instead",
            row->name, row->least, row->most);
    }
    return true;
}

bool tensor_check_whole(struct machine *m, const struct tensor *x, enum dtype dtype)
{
    return check_whole(m, x, dtype, NULL);
}

void tensor_note(struct machine *m, enum dtype dtype)
{
    unsigned note = dtype == DTYPE_FLOAT64                              ? NOTE_DOUBLE
                    : dtype == DTYPE_FLOAT16 || dtype == DTYPE_BFLOAT16 ? NOTE_HALF
                                                                        : 0;
    if (note == 0 || (m->torch->said & note) != 0 || m->options.note == NULL)
        return;
    m->torch->said |= note;
    m->options.note(m->options.context,
                    dtype == DTYPE_FLOAT64
                        ? "attn: float64: computed in float32; about 7 digits are right"
                        : "attn: float16 and bfloat16: computed in float32; no number is rounded "
                          "to 16 bits");
}

void tensor_write_shape(const struct tensor *x, struct text *out)
{
    text_char(out, '[');
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        text_format(out, "%s%zu", axis ? ", " : "", x->shape[axis]);
    text_char(out, ']');
}

bool tensor_item(struct machine *m, struct tensor_thing *t, struct value *ret)
{
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    if (t->dtype == DTYPE_COMPLEX64)
        return raise_error(m, ERROR_RUNTIME, "attn has no complex numbers outside tensors");
    if (tensor_size(&node->value) != 1)
        return raise_error(m, ERROR_VALUE,
                           "only one element tensors can be converted to Python scalars");
    double number = (double)tensor_at_position(&node->value, 0);
    *ret = dtypes[t->dtype].category == CATEGORY_BOOL    ? value_bool(number != 0)
           : dtypes[t->dtype].category == CATEGORY_WHOLE ? value_int((int64_t)number)
                                                         : value_float(number);
    return true;
}

bool tensor_truth(struct machine *m, struct tensor_thing *t, bool *ret)
{
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    size_t n = tensor_size(&node->value);
    *ret = n == 1 && tensor_at_position(&node->value, 0) != 0;
    return n <= 1 || raise_error(m, ERROR_RUNTIME,
                                 "Boolean value of Tensor with more than one value is ambiguous");
}

const struct tuple_form form_of_size = {"torch.Size", {NULL}};

bool make_size(struct machine *m, const struct tensor *x, struct value *ret)
{
    struct tuple *size = tuple_new(&m->things, x->n_axes);
    if (size == NULL)
        return raise_memory(m);
    size->form = &form_of_size;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        size->items[axis] = value_int((int64_t)x->shape[axis]);
    *ret = value_thing(size);
    return true;
}

/* ---- promotion ---- */

enum dtype dtype_join(enum dtype a, enum dtype b)
{
    if (a == b)
        return a;
    if (dtypes[a].category != dtypes[b].category)
        return dtypes[a].category > dtypes[b].category ? a : b;
    if ((a == DTYPE_FLOAT16 && b == DTYPE_BFLOAT16) || (b == DTYPE_FLOAT16 && a == DTYPE_BFLOAT16))
        return DTYPE_FLOAT32;
    if ((a == DTYPE_UINT8 && b == DTYPE_INT8) || (b == DTYPE_UINT8 && a == DTYPE_INT8))
        return DTYPE_INT16;
    return a > b ? a : b;
}

static void join_into(int *into, enum dtype dtype)
{
    *into = *into < 0 ? (int)dtype : (int)dtype_join((enum dtype) * into, dtype);
}

static void promote_tensor(struct promotion *p, const struct tensor_thing *t,
                           const struct node *node)
{
    unsigned n_axes = node->value.n_axes - (t->dtype == DTYPE_COMPLEX64);
    join_into(n_axes > 0 ? &p->with_axes : &p->single, t->dtype);
}

static void promote_number(struct promotion *p, const struct torch *torch, struct value v)
{
    join_into(&p->python, v.kind == VALUE_BOOL  ? DTYPE_BOOL
                          : v.kind == VALUE_INT ? DTYPE_INT64
                                                : torch->default_dtype);
}

/* A later kind of operand counts only where its category is higher. */
static int prefer(int first, int second)
{
    if (first < 0 || second < 0)
        return first < 0 ? second : first;
    return dtypes[second].category > dtypes[first].category ? second : first;
}

enum dtype promoted(const struct promotion *p)
{
    return (enum dtype)prefer(prefer(p->with_axes, p->single), p->python);
}

/* ---- one operation ---- */

void work_begin(struct work *work, struct machine *m)
{
    *work = (struct work){.m = m, .promotion = {-1, -1, -1}};
    builder_init(&work->b, m->graph, &work->error);
}

struct node *work_tensor(struct work *work, struct tensor_thing *t)
{
    struct node *node = tensor_node(work->m, t);
    if (node == NULL) {
        work->b.failed = true;
        return NULL;
    }
    work->reaches = work->reaches || tensor_tracks(t);
    work->tracks = work->reaches && !work->m->torch->no_grad;
    promote_tensor(&work->promotion, t, node);
    return builder_keep(&work->b, node_share(node));
}

struct node *work_operand(struct work *work, struct value v)
{
    struct machine *m = work->m;
    if (is_tensor(v))
        return work_tensor(work, as_tensor(v));
    if (v.kind != VALUE_BOOL && v.kind != VALUE_INT && v.kind != VALUE_FLOAT) {
        work->b.failed = true;
        raise_error(m, ERROR_TYPE, "a tensor or a number is needed, and this is %s",
                    value_class_name(m, v));
        return NULL;
    }
    promote_number(&work->promotion, m->torch, v);
    double number = v.kind == VALUE_FLOAT ? v.as.number : (double)v.as.whole;
    if (v.kind == VALUE_BOOL)
        return builder_keep(&work->b, node_constant_bool(m->graph, v.as.whole != 0, &work->error));
    return build_number(&work->b, number);
}

struct node *work_cast(struct work *work, struct node *x, enum dtype from, enum dtype to)
{
    struct builder *b = &work->b;
    enum dtype_category was = dtypes[from].category, is = dtypes[to].category;
    if (x == NULL)
        return NULL;
    if (is == CATEGORY_BOOL)
        return x->value.is_bool ? x : build1(b, OP_TO_BOOL, x);
    if (x->value.is_bool)
        x = build1(b, OP_TO_FLOAT, x);
    if (is == CATEGORY_WHOLE && was == CATEGORY_FLOAT && x != NULL) {
        struct node *size = build1(b, OP_FLOOR, build1(b, OP_ABS, x));
        x = build2(b, OP_MUL, build1(b, OP_SIGN, x), size);
    }
    return x;
}

bool work_stop(struct work *work, bool ok)
{
    struct machine *m = work->m;
    if (work->b.failed || !ok) {
        ok = false;
        if (m->raised.kind == VALUE_ABSENT)
            raise_graph_error(m, &work->error);
    }
    builder_release(&work->b);
    return ok;
}

/* Whole numbers have one zero: 0 * -1 is 0. */
static struct node *without_minus_zero(struct work *work, struct node *x)
{
    size_t n = tensor_size(&x->value);
    for (size_t i = 0; i < n; i++) {
        float number = tensor_at_position(&x->value, i);
        if (number == 0 && signbit(number))
            return build2(&work->b, OP_ADD, x, build_number(&work->b, 0));
    }
    return x;
}

bool work_end(struct work *work, struct node *node, enum dtype dtype, const char *grad_name,
              struct value *ret)
{
    struct machine *m = work->m;
    bool ok = node != NULL && !work->b.failed;
    bool tracks = work->tracks && dtypes[dtype].category >= CATEGORY_FLOAT && grad_name != NULL;
    if (ok)
        node = work_cast(work, node, node->value.is_bool ? DTYPE_BOOL : DTYPE_INT64, dtype);
    if (ok && node != NULL && dtypes[dtype].category == CATEGORY_WHOLE)
        node = without_minus_zero(work, node);
    bool keeps = !tracks && m->torch->keeps_history;
    if (ok && keeps && work->reaches && node != NULL)
        node = build1(&work->b, OP_DETACH, node);
    bool is_below = false;
    ok = ok && node != NULL && check_whole(m, &node->value, dtype, &is_below) &&
         make(m, node_share(node), dtype, tracks ? grad_name : NULL, keeps, ret);
    if (ok)
        as_tensor(*ret)->place->is_below = is_below;
    return work_stop(work, ok);
}
