/* Nodes: see node.h. A node, its parents, its ints and its text are one block of memory. */
#include "graph/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ops.h"
#include "show/number.h"

enum { FORMULA_DEPTH = 10, FORMULA_BYTES = 120 }; /* where a printed formula is cut short */

static struct node *node_allocate(const struct op *op, unsigned n_parents,
                                  struct node *const *parents, const struct op_args *args,
                                  struct error *reterr)
{
    size_t text_size = args->text ? strlen(args->text) + 1 : 0;
    size_t parents_size = n_parents * sizeof(struct node *);
    size_t ints_size = args->n_ints * sizeof(ptrdiff_t);
    struct node *node = calloc(1, sizeof *node + parents_size + ints_size + text_size);
    if (node == NULL) {
        error_memory(reterr, "a new node");
        return NULL;
    }
    node->kept = op->n_ids > 0 ? calloc(1, sizeof *node->kept) : NULL;
    if (op->n_ids > 0 && node->kept == NULL) {
        free(node);
        error_memory(reterr, "a new node");
        return NULL;
    }
    node->n_owners = 1;
    node->op = op;
    node->n_parents = n_parents;
    node->parents = (struct node **)(node + 1);
    ptrdiff_t *ints = (ptrdiff_t *)(node->parents + n_parents);
    char *text = (char *)(ints + args->n_ints);
    for (unsigned i = 0; i < n_parents; i++)
        node->parents[i] = node_share(parents[i]);
    if (args->n_ints > 0)
        memcpy(ints, args->ints, ints_size);
    if (text_size > 0)
        memcpy(text, args->text, text_size);
    node->args = (struct op_args){.number = args->number,
                                  .n_ints = args->n_ints,
                                  .ints = ints,
                                  .text = text_size ? text : NULL};
    return node;
}

static bool is_small_enough(const struct graph *graph, const struct node *node,
                            struct error *reterr)
{
    size_t size = graph->most_numbers > 0 ? tensor_size(&node->value) : 0;
    return size <= graph->most_numbers ||
           error_set(reterr, ERR_LIMIT, "%s: %zu numbers; at most %zu are worked out here",
                     node->op->name, size, graph->most_numbers);
}

/* The last steps of making a node that has its value. Ids for what it may keep lie below its own.
 */
static bool node_finish(struct graph *graph, struct node *node, struct error *reterr)
{
    if (!is_small_enough(graph, node, reterr) ||
        (node->op->relabel != NULL && !node->op->relabel(node, reterr)))
        return false;
    if (node->kept != NULL)
        node->kept->stop = graph->stop;
    graph->last_id += node->op->n_ids;
    node->id = ++graph->last_id;
    return true;
}

struct node *node_new(struct graph *graph, const struct op *op, unsigned n_parents,
                      struct node *const *parents, const struct op_args *args, struct error *reterr)
{
    if (graph->stop != NULL && *graph->stop) {
        error_set(reterr, ERR_INTERRUPTED, "stopped");
        return NULL;
    }
    struct node *node = node_allocate(op, n_parents, parents, args, reterr);
    if (node == NULL)
        return NULL;
    if (op->forward(node, graph->stop, &node->value, reterr) && node_finish(graph, node, reterr))
        return node;
    node_free(node);
    return NULL;
}

struct node *node_given(struct graph *graph, const struct op *op, unsigned n_parents,
                        struct node *const *parents, const struct op_args *args,
                        struct tensor *value, struct error *reterr)
{
    struct node *node = node_allocate(op, n_parents, parents, args, reterr);
    if (node == NULL) {
        tensor_release(value);
        return NULL;
    }
    node->value = *value;
    *value = (struct tensor){0};
    if (node_finish(graph, node, reterr))
        return node;
    node_free(node);
    return NULL;
}

static struct node *node_leaf(struct graph *graph, enum op_kind kind, struct tensor *value,
                              const char *text, struct error *reterr)
{
    struct op_args args = {.text = text};
    struct node *node = node_allocate(op_get(kind), 0, NULL, &args, reterr);
    if (node == NULL) {
        tensor_release(value);
        return NULL;
    }
    node->value = *value;
    *value = (struct tensor){0};
    if (!is_small_enough(graph, node, reterr)) {
        node_free(node);
        return NULL;
    }
    node->id = ++graph->last_id;
    return node;
}

struct node *node_input(struct graph *graph, struct tensor *value, const char *text, size_t size,
                        struct error *reterr)
{
    char shown[120];
    return node_leaf(graph, OP_INPUT, value, error_quote(shown, sizeof shown, text, size), reterr);
}

struct node *node_constant(struct graph *graph, float number, struct error *reterr)
{
    struct tensor value;
    if (!tensor_scalar(number, &value, reterr))
        return NULL;
    return node_leaf(graph, OP_CONSTANT, &value, NULL, reterr);
}

struct node *node_constant_bool(struct graph *graph, bool truth, struct error *reterr)
{
    struct tensor value;
    if (!tensor_scalar(truth, &value, reterr))
        return NULL;
    value.is_bool = true;
    return node_leaf(graph, OP_CONSTANT, &value, NULL, reterr);
}

struct node *node_rebuild(struct graph *graph, const struct node *node, struct node *const *parents,
                          struct error *reterr)
{
    struct node *made = node_new(graph, node->op, node->n_parents, parents, &node->args, reterr);
    if (made == NULL)
        return NULL;
    made->largest_first = node->largest_first;
    for (unsigned axis = 0; axis < made->value.n_axes && axis < node->value.n_axes; axis++)
        if (made->labels[axis] == NULL &&
            labels_count(node->labels[axis]) == made->value.shape[axis])
            made->labels[axis] = labels_share(node->labels[axis]);
    if (node->name != NULL && !node_set_name(made, node->name, strlen(node->name), reterr)) {
        node_free(made);
        return NULL;
    }
    return made;
}

struct node *node_share(struct node *node)
{
    node->n_owners++;
    return node;
}

/* One owner less; on the list where it was the last one. */
static void node_let_go(struct node *node, struct node **waiting)
{
    if (--node->n_owners > 0)
        return;
    node->next = *waiting;
    *waiting = node;
}

/* Releases what a node holds and puts nodes that lost their last owner on the list. */
static void node_dismantle(struct node *node, struct node **waiting)
{
    for (unsigned i = 0; i < node->n_parents; i++)
        node_let_go(node->parents[i], waiting);
    for (size_t i = 0; node->kept != NULL && i < NODE_KEPT; i++)
        if (node->kept->answers[i].node != NULL)
            node_let_go(node->kept->answers[i].node, waiting);
    if (node->kept != NULL)
        tensor_release(&node->kept->saved);
    free(node->kept);
    for (unsigned axis = 0; axis < TENSOR_MAX_AXES; axis++)
        labels_free(node->labels[axis]);
    tensor_release(&node->value);
    free(node->name);
    free(node);
}

void node_free(struct node *node)
{
    if (node == NULL || --node->n_owners > 0)
        return;
    struct node *waiting = node;
    node->next = NULL;
    while (waiting != NULL) {
        struct node *done = waiting;
        waiting = done->next;
        node_dismantle(done, &waiting);
    }
}

bool node_set_name(struct node *node, const char *name, size_t size, struct error *reterr)
{
    char *copy = NULL;
    if (name != NULL) {
        copy = malloc(size + 1);
        if (copy == NULL)
            return error_memory(reterr, "a name");
        memcpy(copy, name, size);
        copy[size] = '\0';
    }
    free(node->name);
    node->name = copy;
    return true;
}

void node_set_labels(struct node *node, unsigned axis, struct labels *labels)
{
    struct labels *shared = labels_share(labels);
    labels_free(node->labels[axis]);
    node->labels[axis] = shared;
}

bool node_is_constant(const struct node *node)
{
    return node->op->kind == OP_CONSTANT;
}

/* ---- writing formulas ---- */

static void write_node(const struct node *node, struct text *text, int depth);

void formula_argument(const struct node *node, unsigned which, struct text *text, int depth)
{
    write_node(node->parents[which], text, depth + 1);
}

void formula_parent(const struct node *node, unsigned which, struct text *text, int depth)
{
    const struct node *parent = node->parents[which];
    enum binding inner = parent->name ? BIND_TIGHT : parent->op->binding;
    if (node_is_constant(parent) && parent->value.data[0] < 0)
        inner = BIND_SIGN;
    enum binding outer = node->op->binding;
    /* Operators group to the left, ** to the right, and comparisons do not chain. */
    bool second = (which > 0) != (outer == BIND_POWER) || outer == BIND_COMPARE;
    bool brackets = inner < outer || (inner == outer && second && inner != BIND_TIGHT);
    text_put(text, brackets ? "(" : "");
    formula_argument(node, which, text, depth);
    text_put(text, brackets ? ")" : "");
}

/* Operators and what stands before a dot or an index need brackets; arguments of a call do not. */
static void write_form(const struct node *node, struct text *text, int depth)
{
    const char *form = node->op->form;
    for (const char *c = form; *c != '\0'; c++)
        if (*c != '%')
            text_char(text, *c);
        else if (node->op->binding < BIND_TIGHT || c == form)
            formula_parent(node, (unsigned)(*++c - '0'), text, depth);
        else
            formula_argument(node, (unsigned)(*++c - '0'), text, depth);
}

static void write_operation(const struct node *node, struct text *text, int depth)
{
    if (depth > FORMULA_DEPTH || text->size > FORMULA_BYTES)
        text_put(text, "...");
    else if (node->op->form != NULL)
        write_form(node, text, depth);
    else
        node->op->write(node, text, depth);
}

static void write_node(const struct node *node, struct text *text, int depth)
{
    if (node->name != NULL)
        text_put(text, node->name);
    else
        write_operation(node, text, depth);
}

/* Writes to a text of its own first, so that the formula is cut short and not the line around it.
 */
static void write_apart(const struct node *node, struct text *text,
                        void (*write)(const struct node *node, struct text *text, int depth))
{
    struct text formula = {0};
    write(node, &formula, 0);
    text_add(text, text_string(&formula), formula.size);
    text->failed = text->failed || formula.failed;
    text_release(&formula);
}

void node_write(const struct node *node, struct text *text)
{
    write_apart(node, text, write_node);
}

void node_write_operation(const struct node *node, struct text *text)
{
    write_apart(node, text, write_operation);
}

const char *node_position_name(const struct node *node, unsigned axis, size_t i,
                               char number[NODE_NUMBER_BYTES])
{
    if (node->labels[axis] != NULL)
        return labels_name(node->labels[axis], i);
    snprintf(number, NODE_NUMBER_BYTES, "%zu", i);
    return number;
}

/* quote: around labels. */
static void write_index(const struct node *node, size_t position, const char *quote,
                        struct text *text)
{
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(&node->value, position, index);
    text_char(text, '[');
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        const struct labels *labels = node->labels[axis];
        text_put(text, axis ? ", " : "");
        if (labels == NULL) {
            text_format(text, "%zu", index[axis]);
            continue;
        }
        text_put(text, quote);
        labels_write(labels, index[axis], text);
        text_put(text, quote);
    }
    text_char(text, ']');
}

void node_write_place(const struct node *node, size_t position, struct text *text)
{
    write_index(node, position, "", text);
}

void cell_write(struct cell cell, struct text *text)
{
    const struct node *node = cell.node;
    if (node->value.n_axes == 0) {
        node_write(node, text);
        return;
    }
    bool brackets = node->name == NULL && node->op->binding != BIND_TIGHT;
    text_put(text, brackets ? "(" : "");
    node_write(node, text);
    text_put(text, brackets ? ")" : "");
    write_index(node, cell.position, "\"", text);
}

float cell_value(struct cell cell)
{
    return tensor_at_position(&cell.node->value, cell.position);
}

void cell_write_as(struct cell cell, const char *name, struct text *text)
{
    text_put(text, name);
    if (cell.node->value.n_axes > 0)
        write_index(cell.node, cell.position, "\"", text);
}

struct cell cell_origin(struct cell cell)
{
    while (cell.node->name == NULL && cell.node->op->is_move) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(&cell.node->value, cell.position, index);
        struct cell from = cell.node->op->source(cell.node, index);
        if (from.node == NULL)
            break;
        cell = from;
    }
    return cell;
}
