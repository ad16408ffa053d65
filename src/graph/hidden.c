/* See hidden.h. */
#include "graph/hidden.h"

#include <math.h>

#include "graph/node.h"
#include "graph/ops.h"

/* Numbers of a tensor in which hidden ones are looked for. */
enum { MAX_NUMBERS = 1 << 20 };

/* The score that a weight was made from; its node is NULL if the cell is not a weight. */
static struct cell score_of(struct cell weight)
{
    enum op_kind kind = weight.node->op->kind;
    if (kind != OP_SOFTMAX && kind != OP_WEIGHTS)
        return (struct cell){.node = NULL};
    return (struct cell){weight.node->parents[0], weight.position};
}

/* Back to where a number was made, through all that only moved it. */
static struct cell made_at(struct cell cell)
{
    while (cell.node->op->is_move) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(&cell.node->value, cell.position, index);
        struct cell from = cell.node->op->source(cell.node, index);
        if (from.node == NULL) /* a plain 0 */
            break;
        cell = from;
    }
    return cell;
}

bool cell_is_hidden(struct cell cell)
{
    float x = cell_value(cell);
    if (x != 0)
        return x == -INFINITY;
    struct cell score = score_of(made_at(cell));
    return score.node != NULL && cell_value(score) == -INFINITY;
}

bool node_hidden(struct node *node, struct tensor *ret, bool *ret_any, struct error *reterr)
{
    struct tensor hidden;
    size_t size = tensor_size(&node->value);
    *ret_any = false;
    *ret = (struct tensor){.data = NULL};
    if (!tensor_zeros(node->value.n_axes, node->value.shape, &hidden, reterr))
        return false;
    for (size_t i = 0; i < size; i++)
        if (cell_is_hidden((struct cell){node, i})) {
            hidden.data[i] = 1;
            *ret_any = true;
        }
    hidden.is_bool = true;
    if (*ret_any)
        *ret = hidden;
    else
        tensor_release(&hidden);
    return true;
}

bool node_picture_init(struct node_picture *ret, struct node *node, const char *title,
                       struct error *reterr)
{
    bool any = false;
    *ret = (struct node_picture){
        .picture = {
            .tensor = &node->value, .labels = node->labels, .title = title, .id = node->id}};
    if (tensor_size(&node->value) <= MAX_NUMBERS && !node_hidden(node, &ret->hidden, &any, reterr))
        return false;
    ret->picture.hidden = any ? &ret->hidden : NULL;
    return true;
}

void node_picture_release(struct node_picture *picture)
{
    tensor_release(&picture->hidden);
}

bool node_show(struct node *node, bool marks_hidden, const struct show_options *options,
               struct doc *out, struct error *reterr)
{
    struct node_picture shown;
    if (!marks_hidden) {
        const struct picture plain = {
            .tensor = &node->value, .labels = node->labels, .id = node->id};
        matrix_show(out, &plain, options);
        return true;
    }
    if (!node_picture_init(&shown, node, NULL, reterr))
        return false;
    matrix_show(out, &shown.picture, options);
    hidden_note_show(out, &shown.picture, options);
    node_picture_release(&shown);
    return true;
}
