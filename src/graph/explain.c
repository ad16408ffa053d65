/* Explanations: see explain.h. Helpers for the operations' explain functions first, then
 * explain_why(). */
#include "graph/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "graph/ops_internal.h"
#include "graph/stream.h"
#include "show/number.h"

enum {
    SUM_SHOWN_WHOLE = 8, /* terms up to which a sum is written out */
    SUM_FIRST = 4,       /* else this many from its start */
    SUM_LAST = 2,        /* and this many from its end */
    LINE_COLS = 72,      /* where a long formula goes on in the next line */
    WHY_CELLS = 40,      /* cells that one `why` explains at most */
    WHY_PER_NODE = 3,    /* of one tensor; further ones are counted */
    WHY_PER_STAGE = 2,   /* the same in what models make, where the way down is long */
    WHY_INPUTS = 12,     /* input cells that are listed */
    PARTS_SHOWN = 200,   /* of a stream; GPT-2's small model has 170 after its last layer */
    LONG_FORMULA = 24,   /* bytes from which a nameless tensor gets a short name */
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
    struct cell *cells =
        array_grow(explanation->cells, explanation->n_cells, &explanation->capacity, sizeof *cells);
    if (cells == NULL) {
        explanation->failed = true;
        return;
    }
    explanation->cells = cells;
    cells[explanation->n_cells++] = cell;
}

struct cell parent_cell(const struct node *node, const size_t *index)
{
    struct node *x = node->parents[0];
    return (struct cell){x, tensor_position_of(&x->value, index)};
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

/* The number of node's short name, from 1; 0 when it has no short name, because it needs none. */
static size_t alias_of(struct aliases *aliases, const struct node *node)
{
    if (aliases == NULL || node->name != NULL || node->n_parents == 0)
        return 0;
    for (size_t i = 0; i < aliases->n; i++)
        if (aliases->nodes[i] == node)
            return i + 1;
    struct text formula = {0};
    node_write(node, &formula);
    bool is_long = formula.size > LONG_FORMULA;
    aliases->failed = aliases->failed || formula.failed;
    text_release(&formula);
    if (!is_long)
        return 0;
    const struct node **nodes =
        array_grow(aliases->nodes, aliases->n, &aliases->capacity, sizeof(*nodes));
    if (nodes == NULL) {
        aliases->failed = true;
        return 0;
    }
    aliases->nodes = nodes;
    nodes[aliases->n++] = node;
    return aliases->n;
}

/* Writes a cell, under its short name where it has one. */
static void write_cell(struct aliases *aliases, struct cell cell, struct text *text)
{
    char name[24];
    size_t alias = alias_of(aliases, cell.node);
    if (alias == 0) {
        cell_write(cell, text);
        return;
    }
    snprintf(name, sizeof name, "t%zu", alias);
    cell_write_as(cell, name, text);
}

void explain_term(struct explanation *explanation, struct text *line, struct cell cell)
{
    cell = cell_origin(cell);
    explanation_add_cell(explanation, cell);
    if (node_is_constant(cell.node) && cell.node->name == NULL) {
        explain_value(explanation, line, cell);
        return;
    }
    bool brackets = cell.node->value.n_axes == 0 && cell.node->name == NULL &&
                    cell.node->op->binding != BIND_TIGHT;
    brackets = brackets && alias_of(explanation->aliases, cell.node) == 0;
    text_put(line, brackets ? "(" : "");
    write_cell(explanation->aliases, cell, line);
    text_put(line, brackets ? ")" : "");
}

/* Negative numbers stand in brackets unless they come first. */
static void put_number(const struct explanation *explanation, struct text *line, float x,
                       bool first)
{
    char number[NUMBER_TEXT];
    bool brackets = x < 0 && !first;
    text_format(line, brackets ? "(%s)" : "%s", number_short(x, explanation->digits, number));
}

void explain_value(const struct explanation *explanation, struct text *line, struct cell cell)
{
    float x = cell_value(cell);
    if (cell.node->value.is_bool) {
        text_put(line, x != 0 ? "True" : "False");
        return;
    }
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
    writer->line.failed = writer->line.failed || term->failed;
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

enum sum_form { SUM_OF_CELLS, SUM_OF_NUMBERS, SUM_OF_VALUES };

/* The terms of a sum that are written out, in this order, and after how many of them the others
 * stand as one number. */
struct choice {
    size_t terms[SUM_SHOWN_WHOLE], n, n_before;
};

static double term_value(const struct sum *sum, size_t i)
{
    struct cell cells[2];
    sum->term(sum->context, i, cells);
    double value = (double)cell_value(cells[0]);
    if (!sum->products || (sum->skip_zeros && value == 0))
        return value;
    return value * (double)cell_value(cells[1]);
}

/* NaN counts as the largest. */
static double term_size(const struct sum *sum, size_t i)
{
    double size = fabs(term_value(sum, i));
    return isnan(size) ? (double)INFINITY : size;
}

/* Puts a term among the `most` largest so far, equal ones in their order; the last of them may fall
 * out. */
static void rank_term(const struct sum *sum, size_t i, size_t most, struct choice *choice)
{
    size_t at = choice->n;
    while (at > 0 && term_size(sum, choice->terms[at - 1]) < term_size(sum, i))
        at--;
    if (at == most)
        return;
    choice->n += choice->n < most;
    for (size_t j = choice->n - 1; j > at; j--)
        choice->terms[j] = choice->terms[j - 1];
    choice->terms[at] = i;
}

static struct choice choose_terms(const struct sum *sum, bool largest_first)
{
    struct choice choice = {.n = 0};
    bool whole = sum->n_terms <= SUM_SHOWN_WHOLE;
    for (size_t i = 0; i < sum->n_terms; i++) {
        if (largest_first)
            rank_term(sum, i, whole ? SUM_SHOWN_WHOLE : SUM_FIRST + SUM_LAST, &choice);
        else if (whole || i < SUM_FIRST || i >= sum->n_terms - SUM_LAST)
            choice.terms[choice.n++] = i;
    }
    choice.n_before = whole || largest_first ? choice.n : SUM_FIRST;
    return choice;
}

/* One term: cells as X["a", 0] * Y[0], as 0.5 * 2, or the product worked out. */
static void write_term(struct explanation *explanation, const struct sum *sum, size_t i, bool first,
                       enum sum_form form, struct text *term)
{
    struct cell cells[2];
    sum->term(sum->context, i, cells);
    if (form == SUM_OF_VALUES) {
        put_number(explanation, term, (float)term_value(sum, i), first);
        return;
    }
    for (int part = 0; part < (sum->products ? 2 : 1); part++) {
        text_put(term, part ? " * " : "");
        if (form == SUM_OF_CELLS)
            explain_term(explanation, term, cells[part]);
        else
            put_number(explanation, term, cell_value(cells[part]), first && part == 0);
    }
}

static bool is_chosen(const struct choice *choice, size_t i)
{
    for (size_t j = 0; j < choice->n; j++)
        if (choice->terms[j] == i)
            return true;
    return false;
}

/* "(58 more: 1.2345)": what the terms left out add up to, so that the line stays true. */
static void write_elision(struct explanation *explanation, const struct sum *sum,
                          const struct choice *choice, enum sum_form form, struct text *term)
{
    double others = 0;
    for (size_t i = 0; i < sum->n_terms; i++)
        others += is_chosen(choice, i) ? 0 : term_value(sum, i);
    char number[NUMBER_TEXT];
    if (form == SUM_OF_CELLS)
        text_format(term, "... %zu more ...", sum->n_terms - choice->n);
    else
        text_format(term, "(%zu more, together %s)", sum->n_terms - choice->n,
                    number_short((float)others, explanation->digits, number));
}

static void write_sum(struct explanation *explanation, const struct sum *sum,
                      const struct choice *choice, enum sum_form form)
{
    struct writer writer = {.explanation = explanation};
    struct text term = {0};
    bool brackets = sum->ending != NULL && sum->n_terms > 1;
    text_put(&writer.line, brackets ? "= (" : "= ");
    for (size_t i = 0; i <= choice->n; i++) {
        if (i == choice->n_before && choice->n < sum->n_terms) {
            text_clear(&term);
            write_elision(explanation, sum, choice, form, &term);
            writer_add(&writer, i ? " + " : "", &term);
        }
        if (i == choice->n)
            break;
        text_clear(&term);
        write_term(explanation, sum, choice->terms[i], i == 0, form, &term);
        writer_add(&writer, i ? " + " : "", &term);
    }
    if (sum->n_terms == 0)
        text_put(&writer.line, "0, a sum of no terms");
    text_put(&writer.line, brackets ? ")" : "");
    text_put(&writer.line, sum->ending ? sum->ending : "");
    text_release(&term);
    explain_line(writer.explanation, &writer.line);
    text_release(&writer.line);
}

void explain_sum(struct explanation *explanation, const struct sum *sum)
{
    struct choice choice = choose_terms(sum, explanation->largest_first);
    write_sum(explanation, sum, &choice, SUM_OF_CELLS);
    if (sum->n_terms == 0)
        return;
    write_sum(explanation, sum, &choice, SUM_OF_NUMBERS);
    if (sum->products && sum->n_terms > 1)
        write_sum(explanation, sum, &choice, SUM_OF_VALUES);
}

/* ---- streams ---- */

/* Columns of the longest name. */
static size_t names_width(const struct stream *stream, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        struct text name = {0};
        stream_part_write(&stream->parts[i], &name);
        most = size_max(most, text_width(text_string(&name), name.size));
        text_release(&name);
    }
    return most;
}

static void explain_part(const struct stream_part *part, size_t width,
                         struct explanation *explanation)
{
    struct text line = {0};
    char number[NUMBER_TEXT];
    text_put(&line, "    ");
    stream_part_write(part, &line);
    size_t used = text_width(text_string(&line), line.size);
    text_format(&line, "%*s%s", (int)(width + 6 - used), "",
                number_short((float)part->value, explanation->digits, number));
    explain_line(explanation, &line);
    text_release(&line);
}

static void explain_rest(const struct stream *stream, size_t from, struct explanation *explanation)
{
    double others = 0;
    char number[NUMBER_TEXT];
    for (size_t i = from; i < stream->n; i++)
        others += stream->parts[i].value;
    if (from < stream->n)
        explain_format(explanation, "    (%zu more, together %s)", stream->n - from,
                       number_short((float)others, explanation->digits, number));
}

/* A line for each part of a stream. What was looked up, as embeddings are, is explained in its
 * turn. */
static void explain_stream(struct cell cell, struct explanation *explanation)
{
    struct stream stream;
    bool ok = stream_parts(cell, &stream, NULL);
    size_t n = ok ? size_min(stream.n, PARTS_SHOWN) : 0, width = names_width(&stream, n);
    explanation->failed = explanation->failed || !ok;
    explain_format(explanation,
                   "= the sum of what was written into it, %zu parts, largest first:", stream.n);
    for (size_t i = 0; i < n; i++)
        explain_part(&stream.parts[i], width, explanation);
    explain_rest(&stream, n, explanation);
    for (size_t i = 0; i < stream.n; i++)
        if (stream_part_is_looked_up(&stream.parts[i]))
            explanation_add_cell(explanation, stream.parts[i].cell);
    stream_release(&stream);
}

/* ---- one cell ---- */

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
    explanation->largest_first = cell.node->largest_first;
    if (stream_is(cell.node))
        explain_stream(cell, explanation);
    else if (cell.node->op->is_move)
        explain_move(cell, index, explanation);
    else
        cell.node->op->explain(cell.node, index, explanation);
    if (explanation->stopped)
        return error_set(reterr, ERR_INTERRUPTED, "stopped");
    return explanation->failed ? error_memory(reterr, "why") : doc_check(explanation->doc, reterr);
}

/* ---- why: a queue of cells, each explained once ---- */

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

/* A number whose formula says all there is to say, such as sqrt(3). */
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
    write_cell(aliases, cell, &name);
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
