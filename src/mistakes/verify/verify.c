/* The lines of a report, and the tables that it is about: see verify.h and verify_internal.h. */
#include "verify/verify_internal.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "graph/node.h"
#include "show/labels.h"
#include "show/number.h"

enum { WORD_COLS = 6, WORD_GAP = 2 }; /* "FAILED" and what follows it */

static void add_line(struct verify_report *report, enum style style, const char *word,
                     const char *text)
{
    struct doc left, right;
    size_t width = report->options->width_cols, taken = WORD_COLS + WORD_GAP;
    doc_init(&left);
    doc_init(&right);
    doc_add(&left, style, "%s", word);
    doc_add(&left, STYLE_PLAIN, "%*s", (int)(WORD_COLS - strlen(word)), "");
    doc_wrap(&right, style == STYLE_NOTE ? STYLE_NOTE : STYLE_PLAIN, text,
             width > 2 * taken ? width - taken : taken, 0);
    doc_append_beside(report->out, &left, &right, WORD_GAP);
    doc_release(&left);
    doc_release(&right);
}

static void vadd_line(struct verify_report *report, enum style style, const char *word,
                      const char *format, va_list arguments)
{
    struct text text = {0};
    text_vformat(&text, format, arguments);
    add_line(report, style, word, text_string(&text));
    verify_end_text(report, &text);
}

void verify_passed(struct verify_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vadd_line(report, STYLE_GOOD, "ok", format, arguments);
    va_end(arguments);
    report->n_checks++;
    report->n_passed++;
}

void verify_failed(struct verify_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vadd_line(report, STYLE_BAD, "FAILED", format, arguments);
    va_end(arguments);
    report->n_checks++;
}

void verify_advise(struct verify_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vadd_line(report, STYLE_PLAIN, "", format, arguments);
    va_end(arguments);
}

void verify_remark(struct verify_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vadd_line(report, STYLE_NOTE, "note", format, arguments);
    va_end(arguments);
}

bool verify_finish(struct verify_report *report)
{
    bool all = report->n_passed == report->n_checks;
    doc_line(report->out, all ? STYLE_GOOD : STYLE_BAD, "%s: %u of %u checks passed", report->what,
             report->n_passed, report->n_checks);
    return doc_check(report->out, report->reterr);
}

bool verify_fault(struct verify_report *report, const struct error *error)
{
    bool finding = error->kind == ERR_SHAPE || error->kind == ERR_TYPE || error->kind == ERR_RANGE;
    if (finding)
        verify_failed(report, "%s", error->text);
    else if (report->reterr != NULL)
        *report->reterr = *error;
    return finding;
}

void verify_end_text(struct verify_report *report, struct text *text)
{
    report->out->failed = report->out->failed || text->failed;
    text_release(text);
}

/* ---- tensors read as tables: rows of queries, columns of keys or components ---- */

bool verify_table_init(struct verify_table *table, const struct node *node, const char *what,
                       struct error *reterr)
{
    const struct tensor *x = &node->value;
    *table = (struct verify_table){.node = node, .what = what};
    if (!tensor_dense(x, &table->dense, reterr))
        return false;
    table->data = table->dense.data;
    table->n_cols = x->n_axes > 0 ? x->shape[x->n_axes - 1] : 1;
    table->n_q = x->n_axes > 1 ? x->shape[x->n_axes - 2] : 1;
    table->n_rows = table->n_cols > 0 ? tensor_size(x) / table->n_cols : 0;
    return true;
}

const float *verify_row(const struct verify_table *table, size_t row)
{
    return table->data + row * table->n_cols;
}

void verify_row_name(struct text *text, const struct verify_table *table, size_t row)
{
    const struct node *node = table->node;
    unsigned n_axes = node->value.n_axes;
    size_t index[TENSOR_MAX_AXES];
    if (n_axes < 2) {
        text_put(text, "the row");
        return;
    }
    tensor_index_of(&node->value, row * table->n_cols, index);
    text_put(text, n_axes > 2 ? "row [" : "row ");
    for (unsigned axis = 0; axis + 1 < n_axes; axis++) {
        text_put(text, axis > 0 ? ", " : "");
        if (index[axis] < labels_count(node->labels[axis]))
            text_format(text, "\"%s\"", labels_name(node->labels[axis], index[axis]));
        else
            text_format(text, "%zu", index[axis]);
    }
    text_put(text, n_axes > 2 ? "]" : "");
}

void verify_cell_name(struct text *text, const struct verify_table *table, size_t position)
{
    const char *name = table->node->name;
    cell_write_as((struct cell){(struct node *)table->node, position},
                  name != NULL ? name : table->what, text);
}

void verify_find(struct verify_found *found, size_t at)
{
    if (found->n++ == 0)
        found->first = at;
}

struct verify_found verify_not_finite(const struct verify_table *table)
{
    struct verify_found found = {0};
    for (size_t i = 0; i < table->n_rows * table->n_cols; i++)
        if (!isfinite(table->data[i]))
            verify_find(&found, i);
    return found;
}

void verify_failed_cells(struct verify_report *report, const struct verify_table *table,
                         const struct verify_found *found, const char *cells, const char *what)
{
    struct text name = {0};
    char number[NUMBER_TEXT];
    verify_cell_name(&name, table, found->first);
    verify_failed(report, "%s = %s: %zu of %zu %s %s %s", text_string(&name),
                  number_short(table->data[found->first], report->options->digits, number),
                  found->n, table->n_rows * table->n_cols, cells, found->n == 1 ? "is" : "are",
                  what);
    verify_end_text(report, &name);
}
