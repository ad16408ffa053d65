/* See stream_internal.h. */
#include "graph/stream_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"

/* ---- what is added ---- */

/* The cell that the number was moved from, whatever it is called since. */
static struct cell moved_from(struct cell cell)
{
    while (cell.node->op->is_move) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(&cell.node->value, cell.position, index);
        struct cell from = cell.node->op->source(cell.node, index);
        if (from.node == NULL)
            break;
        cell = from;
    }
    return cell;
}

/* A sum of two of one shape, as the stream is; a bias has another. */
static bool is_addition(const struct node *node)
{
    return node->op->kind == OP_ADD && tensor_same_shape(&node->value, &node->parents[0]->value) &&
           tensor_same_shape(&node->value, &node->parents[1]->value);
}

/* A sum of what has its shape and a vector, which is added to each row. */
static bool is_biased(const struct node *node)
{
    return node->op->kind == OP_ADD && node->value.n_axes > 1 &&
           tensor_same_shape(&node->value, &node->parents[0]->value) &&
           node->parents[1]->value.n_axes == 1;
}

/* The two terms that were added to make a cell. */
static struct cell operand(struct cell sum, unsigned which)
{
    struct node *x = sum.node->parents[which];
    return (struct cell){x, sum.position % tensor_size(&x->value)};
}

static void add_part(struct stream *stream, struct cell cell, ptrdiff_t head, double value)
{
    struct stream_part *parts =
        array_grow(stream->parts, stream->n, &stream->capacity, sizeof *parts);
    if (parts == NULL) {
        stream->failed = true;
        return;
    }
    stream->parts = parts;
    parts[stream->n++] = (struct stream_part){cell, head, value};
}

/* ---- heads ---- */

/* The number of heads side by side in the rows of a product's left side: the columns of head h were
 * moved from row h of the axis of heads. 0: they are not heads. */
static size_t heads_in(const struct node *product)
{
    if (product->op->kind != OP_MATMUL || product->parents[1]->value.n_axes != 2)
        return 0;
    struct node *rows = product->parents[0];
    unsigned n_axes = rows->value.n_axes;
    struct cell first = cell_origin((struct cell){rows, 0});
    const struct tensor *heads = &first.node->value;
    if (first.node == rows || n_axes < 2 || heads->n_axes != n_axes + 1)
        return 0;
    size_t n = heads->shape[n_axes - 2], width = heads->shape[n_axes];
    if (n * width != rows->value.shape[n_axes - 1])
        return 0;
    for (size_t h = 0; h < n; h++) {
        size_t index[TENSOR_MAX_AXES];
        struct cell from = cell_origin((struct cell){rows, h * width});
        tensor_index_of(&from.node->value, from.position, index);
        if (from.node != first.node || index[n_axes - 2] != h || index[n_axes] != 0)
            return 0;
    }
    return n;
}

/* The piece of a cell of a product that columns [begin, begin + n) of its left side make. */
static double piece_of(struct cell cell, size_t begin, size_t n)
{
    const struct tensor *rows = &cell.node->parents[0]->value;
    const struct tensor *matrix = &cell.node->parents[1]->value;
    size_t width = matrix->shape[1], inner = matrix->shape[0], column = cell.position % width;
    double sum = 0;
    for (size_t k = begin; k < begin + n; k++)
        sum += (double)tensor_at_position(rows, cell.position / width * inner + k) *
               (double)tensor_at_position(matrix, k * width + column);
    return sum;
}

/* What each head of a product adds; known as what `cell` is called. */
static void add_heads(struct stream *stream, struct cell cell, struct cell product, size_t n_heads)
{
    size_t width = product.node->parents[1]->value.shape[0] / n_heads;
    for (size_t h = n_heads; h-- > 0;)
        add_part(stream, cell, (ptrdiff_t)h, piece_of(product, h * width, width));
}

/* The product by which heads wrote a cell, a bias added to it or not; its node is NULL where no
 * heads did. */
static struct cell product_of_heads(struct cell from)
{
    struct cell product = is_biased(from.node) ? operand(from, 0) : from;
    return heads_in(product.node) > 0 ? product : (struct cell){NULL, 0};
}

/* Parts that were added at once: by heads, and their bias if it is theirs. */
static void add_written(struct stream *stream, struct cell cell, struct cell from)
{
    struct cell product = product_of_heads(from);
    if (product.node == NULL) {
        add_part(stream, cell, -1, (double)cell_value(cell));
        return;
    }
    if (product.node != from.node) {
        struct cell bias = operand(from, 1);
        add_part(stream, bias, -1, (double)cell_value(bias));
    }
    add_heads(stream, cell, product, heads_in(product.node));
}

static void take_apart(struct stream *stream, struct cell cell)
{
    struct cell from = moved_from(cell);
    while (is_addition(from.node)) {
        take_apart(stream, operand(from, 1));
        cell = operand(from, 0);
        from = moved_from(cell);
    }
    add_written(stream, cell, from);
}

static bool has_parts(struct cell cell)
{
    struct cell from = moved_from(cell);
    return is_addition(from.node) || product_of_heads(from).node != NULL;
}

bool stream_is(const struct node *node)
{
    struct cell from = moved_from((struct cell){(struct node *)node, 0});
    return node->largest_first && is_addition(from.node) &&
           (has_parts(operand(from, 0)) || has_parts(operand(from, 1)));
}

/* NaN comes first. */
static int by_size(const void *a, const void *b)
{
    double x = fabs(((const struct stream_part *)a)->value);
    double y = fabs(((const struct stream_part *)b)->value);
    x = isnan(x) ? (double)INFINITY : x;
    y = isnan(y) ? (double)INFINITY : y;
    return (x < y) - (x > y);
}

bool stream_parts(struct cell cell, struct stream *ret, struct error *reterr)
{
    *ret = (struct stream){.n = 0};
    take_apart(ret, cell);
    if (ret->failed)
        return error_memory(reterr, "why");
    qsort(ret->parts, ret->n, sizeof *ret->parts, by_size);
    return true;
}

void stream_release(struct stream *stream)
{
    free(stream->parts);
    *stream = (struct stream){.n = 0};
}

/* ---- one part ---- */

void stream_part_write(const struct stream_part *part, struct text *text)
{
    const char *name = part->cell.node->name;
    size_t place = name != NULL ? strcspn(name, ".") : 0;
    if (part->head < 0)
        cell_write(part->cell, text);
    else if (name != NULL && name[place] == '.') /* a stage of a layer: L3.attended */
        text_format(text, "%.*sH%td", (int)place, name, part->head);
    else {
        text_format(text, "head %td of ", part->head);
        cell_write(part->cell, text);
    }
}

bool stream_part_is_looked_up(const struct stream_part *part)
{
    return part->head < 0 &&
           (part->cell.node->op->is_move || moved_from(part->cell).node->op->kind == OP_TAKE);
}
