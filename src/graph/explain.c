/* Explanations: see explain.h. Helpers for the operations' explain functions first, then why(). */
#include "graph/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/op_functions.h"
#include "show/number.h"

enum {
    SUM_SHOWN_WHOLE = 8, /* terms up to which a sum is written out */
    SUM_FIRST = 4,       /* else this many from its start */
    SUM_LAST = 2,        /* and this many from its end */
    LINE_COLS = 72,      /* where a long formula goes on in the next line */
    WHY_CELLS = 40,      /* cells that one `why` explains at most */
    WHY_PER_NODE = 3,    /* of one tensor; further ones are counted */
    WHY_INPUTS = 12,     /* input cells that are listed */
};

void explanation_init(struct explanation *explanation, struct doc *doc, int digits)
{
    *explanation = (struct explanation){.doc = doc, .digits = digits};
}

void explanation_release(struct explanation *explanation)
{
    free(explanation->cells);
    explanation->cells = NULL;
    explanation->n_cells = explanation->capacity = 0;
}

void explanation_add_cell(struct explanation *explanation, struct cell cell)
{
    if (explanation->n_cells == explanation->capacity) {
        size_t capacity = explanation->capacity ? explanation->capacity * 2 : 16;
        struct cell *cells = realloc(explanation->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            explanation->failed = true;
            return;
        }
        explanation->cells = cells;
        explanation->capacity = capacity;
    }
    explanation->cells[explanation->n_cells++] = cell;
}

struct cell broadcast_cell(const struct node *node, unsigned which, const size_t *index)
{
    struct node *parent = node->parents[which];
    unsigned missing = node->value.n_axes - parent->value.n_axes;
    size_t from[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < parent->value.n_axes; axis++)
        from[axis] = parent->value.shape[axis] == 1 ? 0 : index[axis + missing];
    return (struct cell){parent, tensor_position_of(&parent->value, from)};
}

void explain_term(struct explanation *explanation, struct text *line, struct cell cell)
{
    cell = cell_origin(cell);
    explanation_add_cell(explanation, cell);
    if (node_is_constant(cell.node) && cell.node->name == NULL && !cell.node->value.is_bool) {
        explain_number(explanation, line, cell_value(cell));
        return;
    }
    bool brackets = cell.node->value.n_axes == 0 && cell.node->name == NULL &&
                    cell.node->op->binding != BIND_TIGHT;
    text_put(line, brackets ? "(" : "");
    cell_write(cell, line);
    text_put(line, brackets ? ")" : "");
}

/* Negative numbers stand in brackets unless they come first. */
static void put_number(const struct explanation *explanation, struct text *line, float x,
                       bool first)
{
    char number[NUMBER_TEXT];
    bool brackets = signbit(x) && !isnan(x) && !first;
    text_format(line, brackets ? "(%s)" : "%s", number_short(x, explanation->digits, number));
}

void explain_number(const struct explanation *explanation, struct text *line, float x)
{
    const char *before = text_string(line);
    size_t size = line->size;
    bool first = size == 0 || before[size - 1] == '(' || strcmp(before, "= ") == 0 ||
                 (size >= 2 && strcmp(before + size - 2, ", ") == 0);
    put_number(explanation, line, x, first);
}

void explain_line(struct explanation *explanation, const struct text *line)
{
    explanation->failed = explanation->failed || line->failed;
    doc_line(explanation->doc, STYLE_PLAIN, "%s", text_string(line));
}

void explain_format(struct explanation *explanation, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    doc_line(explanation->doc, STYLE_PLAIN, "%s", line);
}

/* A formula that is written term by term and goes on in new lines. */
struct writer {
    struct explanation *explanation;
    struct text line;
};

static void writer_add(struct writer *writer, const char *joint, const struct text *term)
{
    size_t width = text_width(text_string(&writer->line), writer->line.size) +
                   text_width(text_string(term), term->size) + strlen(joint);
    if (width > LINE_COLS && writer->line.size > 4) {
        explain_line(writer->explanation, &writer->line);
        text_clear(&writer->line);
        text_put(&writer->line, "   ");
    }
    text_put(&writer->line, joint);
    text_put(&writer->line, text_string(term));
}

static void writer_end(struct writer *writer)
{
    explain_line(writer->explanation, &writer->line);
    text_release(&writer->line);
}

enum sum_form { SUM_OF_CELLS, SUM_OF_NUMBERS, SUM_OF_VALUES };

static double term_value(const struct sum *sum, size_t i)
{
    struct cell cells[2];
    sum->term(sum->context, i, cells);
    double value = (double)cell_value(cells[0]);
    return sum->products ? value * (double)cell_value(cells[1]) : value;
}

/* One term: cells as X["a", 0] * Y[0], as 0.5 * 2, or the product worked out. */
static void write_term(struct explanation *explanation, const struct sum *sum, size_t i,
                       enum sum_form form, struct text *term)
{
    struct cell cells[2];
    sum->term(sum->context, i, cells);
    if (form == SUM_OF_VALUES) {
        put_number(explanation, term, (float)term_value(sum, i), i == 0);
        return;
    }
    for (int part = 0; part < (sum->products ? 2 : 1); part++) {
        text_put(term, part ? " * " : "");
        if (form == SUM_OF_CELLS)
            explain_term(explanation, term, cells[part]);
        else
            put_number(explanation, term, cell_value(cells[part]), i == 0 && part == 0);
    }
}

/* "(58 more: 1.2345)": what the terms left out add up to, so that the line stays true. */
static void write_elision(struct explanation *explanation, const struct sum *sum,
                          enum sum_form form, struct text *term)
{
    size_t begin = SUM_FIRST, end = sum->n_terms - SUM_LAST;
    double middle = 0;
    for (size_t i = begin; i < end; i++)
        middle += term_value(sum, i);
    char number[NUMBER_TEXT];
    if (form == SUM_OF_CELLS)
        text_format(term, "... %zu more ...", end - begin);
    else
        text_format(term, "(%zu more, together %s)", end - begin,
                    number_short((float)middle, explanation->digits, number));
}

static void write_sum(struct explanation *explanation, const struct sum *sum, enum sum_form form)
{
    struct writer writer = {.explanation = explanation};
    struct text term = {0};
    bool brackets = sum->ending != NULL && sum->n_terms > 1;
    text_put(&writer.line, brackets ? "= (" : "= ");
    for (size_t i = 0; i < sum->n_terms; i++) {
        bool elide = sum->n_terms > SUM_SHOWN_WHOLE && i == SUM_FIRST;
        text_clear(&term);
        if (elide) {
            write_elision(explanation, sum, form, &term);
            i = sum->n_terms - SUM_LAST - 1;
        } else {
            write_term(explanation, sum, i, form, &term);
        }
        writer_add(&writer, i ? " + " : "", &term);
    }
    if (sum->n_terms == 0)
        text_put(&writer.line, "0, a sum of no terms");
    text_put(&writer.line, brackets ? ")" : "");
    text_put(&writer.line, sum->ending ? sum->ending : "");
    text_release(&term);
    writer_end(&writer);
}

void explain_sum(struct explanation *explanation, const struct sum *sum)
{
    write_sum(explanation, sum, SUM_OF_CELLS);
    if (sum->n_terms == 0)
        return;
    write_sum(explanation, sum, SUM_OF_NUMBERS);
    if (sum->products && sum->n_terms > 1)
        write_sum(explanation, sum, SUM_OF_VALUES);
}

/* A move: the cell it came from. */
static void explain_move(struct cell cell, const size_t *index, struct explanation *explanation)
{
    struct cell from = cell.node->op->source(cell.node, index);
    struct text line = {0};
    text_put(&line, "= ");
    if (from.node == NULL)
        text_put(&line, "0: nothing was put here");
    else
        explain_term(explanation, &line, from);
    explain_line(explanation, &line);
    text_release(&line);
}

bool explain_cell(struct cell cell, struct explanation *explanation, struct error *reterr)
{
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(&cell.node->value, cell.position, index);
    if (cell.node->op->is_move)
        explain_move(cell, index, explanation);
    else
        cell.node->op->explain(cell.node, index, explanation);
    return explanation->failed ? error_memory(reterr, "why") : doc_check(explanation->doc, reterr);
}

/* why: a queue of cells, each explained once. */

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
    if (queue->n_cells == queue->capacity) {
        size_t capacity = queue->capacity ? queue->capacity * 2 : 32;
        struct cell *cells = realloc(queue->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            queue->failed = true;
            return;
        }
        queue->cells = cells;
        queue->capacity = capacity;
    }
    queue->cells[queue->n_cells++] = cell;
}

static size_t count_of(const struct queue *queue, const struct node *node)
{
    size_t count = 0;
    for (size_t i = 0; i < queue->n_cells; i++)
        count += queue->cells[i].node == node;
    return count;
}

static bool is_leaf(const struct node *node)
{
    return node->n_parents == 0;
}

static void put_cell(struct doc *doc, struct cell cell, int digits)
{
    struct text name = {0};
    char number[NUMBER_TEXT];
    cell_write(cell, &name);
    number_short(cell_value(cell), digits, number);
    struct span look = {.style = STYLE_NAME,
                        .front = TINT_NONE,
                        .back = TINT_NONE,
                        .cell = {cell.node->id, cell.position}};
    doc_put_span(doc, text_string(&name), name.size, look);
    doc_put(doc, STYLE_PLAIN, " = ", 3);
    look.style = STYLE_NUMBER;
    doc_put_span(doc, number, strlen(number), look);
    text_release(&name);
}

/* Explains one cell under a heading and queues what it was made from. */
static bool why_one(struct cell cell, int digits, struct doc *doc, struct queue *explained,
                    struct queue *inputs, struct queue *skipped, struct error *reterr)
{
    struct doc lines;
    struct explanation explanation;
    doc_init(&lines);
    explanation_init(&explanation, &lines, digits);
    put_cell(doc, cell, digits);
    doc_end_line(doc);
    bool ok = explain_cell(cell, &explanation, reterr);
    if (ok)
        doc_append(doc, &lines, 2);
    for (size_t i = 0; ok && i < explanation.n_cells; i++) {
        struct cell from = explanation.cells[i];
        bool room = count_of(explained, from.node) < WHY_PER_NODE && explained->n_cells < WHY_CELLS;
        if (is_leaf(from.node)) {
            if (!node_is_constant(from.node) || from.node->name != NULL)
                queue_add(inputs, from);
        } else if (room || queue_holds(explained, from)) {
            queue_add(explained, from);
        } else {
            queue_add(skipped, from);
        }
    }
    explanation_release(&explanation);
    doc_release(&lines);
    return ok;
}

static void list_skipped(const struct queue *skipped, struct doc *doc)
{
    for (size_t i = 0; i < skipped->n_cells; i++) {
        const struct node *node = skipped->cells[i].node;
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first = first && skipped->cells[j].node != node;
        if (!first)
            continue;
        struct text name = {0};
        node_write(node, &name);
        size_t n = count_of(skipped, node);
        doc_line(doc, STYLE_QUIET, "... and %zu more %s of %s, worked out the same way", n,
                 n == 1 ? "cell" : "cells", text_string(&name));
        text_release(&name);
    }
}

static void list_inputs(const struct queue *inputs, int digits, struct doc *doc)
{
    for (size_t i = 0; i < inputs->n_cells && i < WHY_INPUTS; i++) {
        const struct node *node = inputs->cells[i].node;
        put_cell(doc, inputs->cells[i], digits);
        if (node->op->kind == OP_INPUT && node->name != NULL)
            doc_add(doc, STYLE_QUIET, "   from %s", node->args.text ? node->args.text : "outside");
        else
            doc_add(doc, STYLE_QUIET, node_is_constant(node) ? "   as typed" : "   an input");
        doc_end_line(doc);
    }
    if (inputs->n_cells > WHY_INPUTS)
        doc_line(doc, STYLE_QUIET, "... and %zu more input cells", inputs->n_cells - WHY_INPUTS);
}

bool why(struct cell cell, int digits, struct doc *doc, struct error *reterr)
{
    struct queue explained = {0}, inputs = {0}, skipped = {0};
    queue_add(&explained, cell);
    bool ok = true;
    for (size_t i = 0; ok && i < explained.n_cells; i++)
        ok = why_one(explained.cells[i], digits, doc, &explained, &inputs, &skipped, reterr);
    if (ok) {
        list_skipped(&skipped, doc);
        list_inputs(&inputs, digits, doc);
        if (explained.failed || inputs.failed || skipped.failed)
            ok = error_memory(reterr, "why");
        ok = ok && doc_check(doc, reterr);
    }
    free(explained.cells);
    free(inputs.cells);
    free(skipped.cells);
    return ok;
}
