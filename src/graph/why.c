/* See why.h. */
#include "graph/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/alias_internal.h"
#include "graph/explain.h"
#include "graph/ops_internal.h"
#include "graph/stream_internal.h"
#include "show/number.h"

enum {
    WHY_CELLS = 40,    /* cells that are explained at most */
    WHY_PER_NODE = 3,  /* of one tensor; further ones are counted */
    WHY_PER_STAGE = 2, /* the same in what models make, where the way down is long */
    WHY_INPUTS = 12,   /* input cells that are listed */
};

/* Cells, each of them once. */
struct queue {
    struct cell *cells;
    size_t n_cells, capacity;
    bool failed;
};

/* Softmax explains its whole row at once, so a row is one entry: its first cell. */
static struct cell representative(struct cell cell)
{
    enum op_kind kind = cell.node->op->kind;
    bool row = kind == OP_SOFTMAX || kind == OP_WEIGHTS || kind == OP_LOG_SOFTMAX;
    if (!row || cell.node->value.n_axes == 0)
        return cell;
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(&cell.node->value, cell.position, index);
    index[cell.node->args.ints[0]] = 0;
    return (struct cell){cell.node, tensor_position_of(&cell.node->value, index)};
}

static bool queue_holds(const struct queue *queue, struct cell cell)
{
    struct cell wanted = representative(cell);
    for (size_t i = 0; i < queue->n_cells; i++) {
        struct cell held = representative(queue->cells[i]);
        if (held.node == wanted.node && held.position == wanted.position)
            return true;
    }
    return false;
}

static void queue_add(struct queue *queue, struct cell cell)
{
    if (queue_holds(queue, cell))
        return;
    struct cell *cells = array_grow(queue->cells, queue->n_cells, &queue->capacity, sizeof *cells);
    if (cells == NULL) {
        queue->failed = true;
        return;
    }
    queue->cells = cells;
    cells[queue->n_cells++] = cell;
}

static size_t count_of(const struct queue *queue, const struct node *node)
{
    size_t count = 0;
    for (size_t i = 0; i < queue->n_cells; i++)
        count += queue->cells[i].node == node;
    return count;
}

/* A number whose formula is its whole explanation, such as sqrt(3). */
static bool is_self_evident(const struct node *node)
{
    if (node->name != NULL || node->value.n_axes > 0)
        return false;
    for (unsigned p = 0; p < node->n_parents; p++)
        if (!node_is_constant(node->parents[p]) || node->parents[p]->name != NULL)
            return false;
    return node->op->kind != OP_INPUT;
}

static void put_cell(struct doc *doc, struct cell cell, int digits, struct aliases *aliases)
{
    struct text name = {0};
    char number[NUMBER_TEXT];
    alias_write_cell(aliases, cell, &name);
    if (cell.node->value.is_bool)
        snprintf(number, sizeof number, "%s", cell_value(cell) != 0 ? "True" : "False");
    else
        number_short(cell_value(cell), digits, number);
    struct span look = {.style = STYLE_NAME,
                        .front = TINT_NONE,
                        .back = TINT_NONE,
                        .cell = {cell.node->id, cell.position}};
    doc_put_span(doc, text_string(&name), name.size, look);
    doc_put(doc, STYLE_PLAIN, " = ", 3);
    look.style = STYLE_NUMBER;
    doc_put_span(doc, number, strlen(number), look);
    doc->failed = doc->failed || name.failed;
    text_release(&name);
}

/* One `why` under way. */
struct why {
    struct doc *doc;
    int digits;
    struct queue explained, inputs, skipped;
    struct aliases aliases;
    struct error *reterr;
};

/* X[0] = 0.5; for a short name also what it stands for, the first time. */
static void put_heading(struct why *why, size_t i)
{
    struct cell cell = why->explained.cells[i];
    bool first = true;
    for (size_t j = 0; j < i && first; j++)
        first = why->explained.cells[j].node != cell.node;
    put_cell(why->doc, cell, why->digits, &why->aliases);
    size_t alias = alias_of(&why->aliases, cell.node);
    if (alias > 0 && first) {
        struct text formula = {0};
        node_write(cell.node, &formula);
        doc_add(why->doc, STYLE_QUIET, "   t%zu is %s", alias, text_string(&formula));
        why->doc->failed = why->doc->failed || formula.failed;
        text_release(&formula);
    }
    doc_end_line(why->doc);
}

/* How many cells of a tensor are explained. A stream's takes a line for each head. */
static size_t most_cells_of(const struct node *node)
{
    return stream_is(node) ? 1 : node->largest_first ? WHY_PER_STAGE : WHY_PER_NODE;
}

/* Decides what becomes of a cell that an explained one was made from. */
static void follow(struct why *why, struct cell from)
{
    struct queue *explained = &why->explained;
    bool room =
        count_of(explained, from.node) < most_cells_of(from.node) && explained->n_cells < WHY_CELLS;
    if (is_self_evident(from.node))
        return;
    if (from.node->n_parents == 0)
        queue_add(&why->inputs, from);
    else if (room || queue_holds(explained, from))
        queue_add(explained, from);
    else
        queue_add(&why->skipped, from);
}

/* Explains cell i of the queue under a heading and queues what it was made from. */
static bool explain_one(struct why *why, size_t i)
{
    struct cell cell = why->explained.cells[i];
    struct doc lines;
    struct explanation explanation;
    doc_init(&lines);
    explanation_init(&explanation, &lines, why->digits);
    explanation.aliases = &why->aliases;
    put_heading(why, i);
    bool ok = explain_cell(cell, &explanation, why->reterr);
    if (ok)
        doc_append(why->doc, &lines, 2);
    for (size_t from = 0; ok && from < explanation.n_cells; from++)
        follow(why, explanation.cells[from]);
    explanation_release(&explanation);
    doc_release(&lines);
    return ok;
}

static void list_skipped(const struct queue *skipped, struct aliases *aliases, struct doc *doc)
{
    for (size_t i = 0; i < skipped->n_cells; i++) {
        const struct node *node = skipped->cells[i].node;
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first = first && skipped->cells[j].node != node;
        if (!first)
            continue;
        struct text name = {0};
        size_t n = count_of(skipped, node), alias = alias_of(aliases, node);
        if (alias > 0)
            text_format(&name, "t%zu", alias);
        else
            node_write(node, &name);
        doc_line(doc, STYLE_QUIET, "... and %zu more %s of %s, worked out the same way", n,
                 n == 1 ? "cell" : "cells", text_string(&name));
        doc->failed = doc->failed || name.failed;
        text_release(&name);
    }
}

static void list_inputs(const struct queue *inputs, int digits, struct doc *doc)
{
    for (size_t i = 0; i < inputs->n_cells && i < WHY_INPUTS; i++) {
        const struct node *node = inputs->cells[i].node;
        put_cell(doc, inputs->cells[i], digits, NULL);
        if (node_is_constant(node))
            doc_add(doc, STYLE_QUIET, "   as typed");
        else if (node->name != NULL)
            doc_add(doc, STYLE_QUIET, "   from %s", node->args.text ? node->args.text : "outside");
        doc_end_line(doc);
    }
    if (inputs->n_cells > WHY_INPUTS)
        doc_line(doc, STYLE_QUIET, "... and %zu more input cells", inputs->n_cells - WHY_INPUTS);
}

bool explain_why(struct cell cell, int digits, struct doc *doc, struct error *reterr)
{
    struct why why = {.doc = doc, .digits = digits, .reterr = reterr};
    queue_add(&why.explained, cell);
    bool ok = true;
    for (size_t i = 0; ok && i < why.explained.n_cells; i++)
        ok = explain_one(&why, i);
    if (ok) {
        list_skipped(&why.skipped, &why.aliases, doc);
        list_inputs(&why.inputs, digits, doc);
    }
    bool failed =
        why.explained.failed || why.inputs.failed || why.skipped.failed || why.aliases.failed;
    if (ok && failed)
        ok = error_memory(reterr, "why");
    free(why.explained.cells);
    free(why.inputs.cells);
    free(why.skipped.cells);
    free(why.aliases.nodes);
    return ok && doc_check(doc, reterr);
}
