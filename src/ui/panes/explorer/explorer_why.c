/* The explorer's descent: the arithmetic of the cell that is open, and the way down to the numbers
 * it was made from and back up. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/explain.h"
#include "graph/node.h"
#include "show/number.h"

static bool is_typed(struct cell cell)
{
    const struct node *node = cell.node;
    if (node->name != NULL || node->value.n_axes > 0)
        return false;
    for (unsigned p = 0; p < node->n_parents; p++)
        if (!is_typed((struct cell){node->parents[p], 0}))
            return false;
    return node_is_constant(node) || node->n_parents > 0;
}

/* Takes the cells over, each once, without numbers that are there to be read. */
static void take_cells(struct explanation *explanation, struct explorer_why *why)
{
    why->cells = explanation->cells;
    for (size_t i = 0; i < explanation->n_cells; i++) {
        struct cell cell = explanation->cells[i];
        bool known = is_typed(cell);
        for (size_t j = 0; !known && j < why->n_cells; j++)
            known = why->cells[j].node == cell.node && why->cells[j].position == cell.position;
        if (!known)
            why->cells[why->n_cells++] = cell;
    }
    explanation->cells = NULL;
    explanation->n_cells = explanation->capacity = 0;
}

void explorer_write_cell(const struct explorer *explorer, struct cell cell, struct text *text)
{
    char number[NUMBER_TEXT];
    cell_write(cell, text);
    if (cell.node->value.is_bool)
        snprintf(number, sizeof number, "%s", cell_value(cell) != 0 ? "True" : "False");
    else
        number_short(cell_value(cell), explorer->session.settings.digits, number);
    text_format(text, " = %s", number);
}

static void put_heading(const struct explorer *explorer, struct cell cell, size_t width_cols,
                        struct doc *doc)
{
    struct text line = {0};
    explorer_write_cell(explorer, cell, &line);
    doc_wrap(doc, STYLE_NAME, text_string(&line), width_cols, 0);
    doc->failed = doc->failed || line.failed;
    text_release(&line);
}

/* The lines of the explanation, as wide as there is room. */
static void put_lines(const struct doc *lines, size_t width_cols, struct doc *doc)
{
    struct text line = {0};
    for (size_t i = 0; i < lines->n_lines; i++) {
        const struct span *spans;
        size_t n = doc_line_spans(lines, i, &spans);
        text_clear(&line);
        for (size_t s = 0; s < n; s++)
            text_add(&line, lines->text.bytes + spans[s].begin, spans[s].end - spans[s].begin);
        doc_wrap(doc, STYLE_PLAIN, text_string(&line), width_cols, 2);
    }
    doc->failed = doc->failed || lines->failed || line.failed;
    text_release(&line);
}

bool explorer_explain(const struct explorer *explorer, size_t width_cols, struct explorer_why *ret,
                      struct error *reterr)
{
    struct explanation explanation;
    struct doc lines;
    *ret = (struct explorer_why){.cells = NULL};
    doc_init(&ret->lines);
    doc_init(&lines);
    struct cell cell = explorer->path[explorer->depth - 1].cell;
    explanation_init(&explanation, &lines, explorer->session.settings.digits);
    bool ok = explain_cell(cell, &explanation, reterr);
    if (ok) {
        put_heading(explorer, cell, width_cols, &ret->lines);
        put_lines(&lines, width_cols, &ret->lines);
        take_cells(&explanation, ret);
        ok = doc_check(&ret->lines, reterr);
    }
    explanation_release(&explanation);
    doc_release(&lines);
    if (!ok)
        explorer_why_release(ret);
    return ok;
}

void explorer_why_release(struct explorer_why *why)
{
    doc_release(&why->lines);
    free(why->cells);
    *why = (struct explorer_why){.cells = NULL};
}

size_t explorer_choice(const struct explorer *explorer, const struct explorer_why *why)
{
    size_t choice = explorer->path[explorer->depth - 1].choice;
    return choice < why->n_cells ? choice : why->n_cells > 0 ? why->n_cells - 1 : 0;
}

void explorer_close_path(struct explorer *explorer, size_t depth)
{
    explorer->why_up = 0;
    while (explorer->depth > depth)
        node_free(explorer->path[--explorer->depth].cell.node);
}

static void open_cell(struct explorer *explorer, struct cell cell)
{
    if (explorer->depth == EXPLORER_MAX_DEPTH) {
        explorer_say(explorer, "that is %d steps down: Backspace comes back up",
                     EXPLORER_MAX_DEPTH);
        return;
    }
    explorer->why_up = 0;
    explorer->path[explorer->depth++] =
        (struct explorer_step){.cell = {node_share(cell.node), cell.position}};
    explorer_go_to(explorer, cell);
}

void explorer_open(struct explorer *explorer)
{
    struct explorer_why why;
    struct error error;
    if (explorer->depth == 0) {
        struct cell cell = explorer_cell(explorer);
        if (cell.node != NULL)
            open_cell(explorer, cell);
        return;
    }
    if (!explorer_explain(explorer, 80, &why, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    if (why.n_cells == 0)
        explorer_say(explorer, "an input: nothing lies behind it; Backspace comes back up");
    else
        open_cell(explorer, why.cells[explorer_choice(explorer, &why)]);
    explorer_why_release(&why);
}

void explorer_choose(struct explorer *explorer, ptrdiff_t steps)
{
    struct explorer_why why;
    struct error error;
    if (!explorer_explain(explorer, 80, &why, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    size_t choice = explorer_choice(explorer, &why), n = why.n_cells, up = (size_t)-steps;
    if (steps < 0)
        choice = choice > up ? choice - up : 0;
    else
        choice = choice + (size_t)steps < n ? choice + (size_t)steps : n > 0 ? n - 1 : 0;
    explorer->path[explorer->depth - 1].choice = choice;
    explorer->why_up = 0;
    explorer_why_release(&why);
}

void explorer_climb(struct explorer *explorer)
{
    struct cell cell = explorer->path[explorer->depth - 1].cell;
    if (explorer->depth > 1)
        cell = explorer->path[explorer->depth - 2].cell;
    node_share(cell.node);
    explorer_close_path(explorer, explorer->depth - 1);
    explorer_go_to(explorer, cell);
    node_free(cell.node);
}
