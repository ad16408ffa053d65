/* See explain.h. */
#include "graph/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "graph/alias_internal.h"
#include "graph/ops_internal.h"
#include "graph/stream_internal.h"
#include "show/number.h"

enum {
    SUM_SHOWN_WHOLE = 8, /* terms up to which a sum is written out */
    SUM_FIRST = 4,       /* else this many from its start */
    SUM_LAST = 2,        /* and this many from its end */
    LINE_COLS = 72,      /* where a long formula goes on in the next line */
    PARTS_SHOWN = 200,   /* of a stream; GPT-2's small model has 170 after its last layer */
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
    alias_write_cell(explanation->aliases, cell, line);
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

/* A line for each part of a stream. A part that was looked up, as embeddings are, is explained in
 * its turn. */
static void explain_stream(struct cell cell, struct explanation *explanation)
{
    struct stream stream;
    bool ok = stream_parts(cell, &stream, NULL);
    size_t n = ok ? size_min(stream.n, PARTS_SHOWN) : 0, width = names_width(&stream, n);
    explanation->failed = explanation->failed || !ok;
    explain_format(explanation,
                   "= the sum of all %zu parts written into it, largest first:", stream.n);
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
