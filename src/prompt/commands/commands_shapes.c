/* shapes and step: what each statement of the learner's own functions gave. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "commands/command_internal.h"
#include "graph/node.h"
#include "lang/notebook/notebook.h"
#include "lang/session/steps.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/number.h"
#include "show/thumbnail.h"
#include "tensor/tensor.h"

enum { CODE_COLS = 52, INDENT_COLS = 2 };

/* A row of the table, as texts; indented by depth. */
struct line {
    size_t number;
    struct text code, name, shape, axes, problem;
    bool is_head;
};
struct table {
    struct line *lines;
    size_t n, capacity;
};

static void table_release(struct table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        text_release(&table->lines[i].code);
        text_release(&table->lines[i].name);
        text_release(&table->lines[i].shape);
        text_release(&table->lines[i].axes);
        text_release(&table->lines[i].problem);
    }
    free(table->lines);
}

/* A statement, cut at a letter where it is too long. */
static void add_code(const struct notebook_row *row, struct text *out)
{
    size_t indent = row->depth > 2 ? (row->depth - 2) * INDENT_COLS : 0, size = row->code.size;
    size_t room = CODE_COLS > indent + 12 ? CODE_COLS - indent : 12;
    text_repeat(out, " ", indent);
    bool is_cut = size > room;
    if (is_cut)
        for (size = room - 3; size > 0 && ((unsigned char)row->code.bytes[size] & 0xC0) == 0x80;)
            size--;
    text_add(out, text_string((struct text *)&row->code), size);
    text_put(out, is_cut ? "..." : "");
}

static void copy(const struct text *from, struct text *to)
{
    text_add(to, text_string((struct text *)from), from->size);
}

static bool take_line(void *context, const struct notebook_row *row)
{
    struct table *table = context;
    struct line *lines = array_grow(table->lines, table->n, &table->capacity, sizeof *lines);
    if (lines == NULL)
        return false;
    table->lines = lines;
    struct line *line = &lines[table->n++];
    *line = (struct line){.number = row->line, .is_head = row->node == NULL};
    add_code(row, &line->code);
    copy(&row->name, &line->name);
    copy(&row->shape, &line->shape);
    copy(&row->axes, &line->axes);
    copy(&row->problem, &line->problem);
    return !line->code.failed && !line->name.failed && !line->shape.failed && !line->axes.failed &&
           !line->problem.failed;
}

static void put_padded(struct doc *out, enum style style, struct text *text, size_t cols)
{
    doc_put(out, style, text_string(text), text->size);
    for (size_t i = text->size; i < cols + 2; i++)
        doc_put(out, STYLE_PLAIN, " ", 1);
}

static void show_table(struct table *table, struct doc *out)
{
    size_t code = 0, name = 0, shape = 0;
    for (size_t i = 0; i < table->n; i++) {
        const struct line *line = &table->lines[i];
        code = line->code.size > code ? line->code.size : code;
        name = line->name.size > name ? line->name.size : name;
        shape = line->shape.size > shape ? line->shape.size : shape;
    }
    for (size_t i = 0; i < table->n; i++) {
        struct line *line = &table->lines[i];
        if (line->number > 0)
            doc_add(out, STYLE_QUIET, "%4zu  ", line->number);
        else
            doc_put(out, STYLE_PLAIN, "      ", 6);
        if (line->is_head) {
            doc_put(out, STYLE_TITLE, text_string(&line->code), line->code.size);
            doc_end_line(out);
            continue;
        }
        put_padded(out, STYLE_PLAIN, &line->code, code);
        put_padded(out, STYLE_NAME, &line->name, name);
        if (line->axes.size > 0) {
            put_padded(out, STYLE_NUMBER, &line->shape, shape);
            doc_put(out, STYLE_LABEL, text_string(&line->axes), line->axes.size);
        } else {
            doc_put(out, STYLE_NUMBER, text_string(&line->shape), line->shape.size);
        }
        doc_end_line(out);
        if (line->problem.size > 0)
            doc_line(out, STYLE_BAD, "      line %zu: %s", line->number,
                     text_string(&line->problem));
    }
}

COMMAND(command_shapes)
{
    struct table table = {.n = 0};
    bool ok = session_observe(session, statement->words, statement->words_size, take_line, &table,
                              out, reterr);
    show_table(&table, out);
    if (ok && table.n == 0)
        doc_line(out, STYLE_QUIET,
                 "(no function of yours ran: shapes shows the statements of those)");
    table_release(&table);
    return ok && doc_check(out, reterr);
}

/* ---- step ---- */

/* The first numbers of a tensor. */
static void show_numbers(const struct tensor *x, int digits, struct doc *out)
{
    enum { NUMBERS = 6 };
    char text[NUMBER_TEXT];
    size_t n = tensor_size(x);
    doc_put(out, STYLE_PLAIN, "        ", 8);
    for (size_t i = 0; i < n && i < NUMBERS; i++)
        doc_add(out, STYLE_NUMBER, "%s%s", i > 0 ? "  " : "",
                number_short(x->data[i], digits, text));
    doc_put(out, STYLE_QUIET, n > NUMBERS ? "  ..." : "", n > NUMBERS ? 5 : 0);
    doc_end_line(out);
}

/* The first matrix of weights, small; false for any other tensor. */
static bool show_picture(const struct tensor *x, const struct show_options *options,
                         struct doc *out)
{
    enum { COLS = 24, ROWS = 8, MOST = 128 };
    size_t n = x->n_axes >= 2 ? x->shape[x->n_axes - 1] : 0;
    if (n < 2 || n > MOST || x->shape[x->n_axes - 2] != n || x->is_bool || !heat_is_weights(x))
        return false;
    struct thumbnail thumbnail = thumbnail_fit(n, COLS, ROWS, options);
    int16_t *tints = malloc(thumbnail.n_cells * thumbnail.n_cells * sizeof *tints);
    if (tints == NULL)
        return false;
    thumbnail_shrink(&thumbnail, x->data, tints);
    for (size_t i = 0; i < thumbnail_lines(&thumbnail, options); i++) {
        doc_put(out, STYLE_PLAIN, "        ", 8);
        thumbnail_put_line(out, &thumbnail, tints, i, options);
        doc_end_line(out);
    }
    free(tints);
    return true;
}

static bool take_step(void *context, const struct notebook_row *row)
{
    struct session *session = context;
    struct doc *out = steps_add(&session->steps);
    struct show_options options = settings_show_options(&session->settings);
    size_t indent = row->depth > 2 ? (row->depth - 2) * INDENT_COLS : 0;
    struct doc one;
    if (out == NULL)
        return false;
    doc_init(&one);
    if (row->node == NULL) {
        doc_line(&one, STYLE_TITLE, "      %s", text_string((struct text *)&row->code));
    } else {
        if (row->line > 0) {
            doc_add(&one, STYLE_QUIET, "%4zu  ", row->line);
            doc_put(&one, STYLE_PLAIN, row->code.bytes, row->code.size);
            doc_end_line(&one);
        }
        doc_add(&one, STYLE_NAME, "      %s", text_string((struct text *)&row->name));
        doc_add(&one, STYLE_NUMBER, "  %s", text_string((struct text *)&row->shape));
        if (row->axes.size > 0)
            doc_add(&one, STYLE_LABEL, "  %s", text_string((struct text *)&row->axes));
        doc_end_line(&one);
        if (row->problem.size > 0)
            doc_line(&one, STYLE_BAD, "      line %zu: %s", row->line,
                     text_string((struct text *)&row->problem));
        if (!show_picture(&row->node->value, &options, &one))
            show_numbers(&row->node->value, options.digits, &one);
    }
    bool ok = doc_check(&one, NULL);
    doc_append(out, &one, indent);
    doc_release(&one);
    return ok;
}

COMMAND(command_step)
{
    steps_release(&session->steps);
    bool ok = session_observe(session, statement->words, statement->words_size, take_step, session,
                              out, reterr);
    if (!steps_show(&session->steps, out) && ok)
        doc_line(out, STYLE_QUIET, "(no function of yours ran: step goes through those)");
    return ok && doc_check(out, reterr);
}
