/* The explorer's last rows: the cell under the cursor, and below it what is being typed, a message,
 * or what is set. */
#include "ui/panes/explorer/explorer_internal.h"

#include <string.h>

#include "graph/node.h"
#include "tensor/tensor.h"

enum {
    TYPED_COLS = 12,  /* columns that what is typed has at least */
    MESSAGE_ROWS = 3, /* of a long message, over what stands there */
    ASKING_ROWS = 5,  /* of a pane where a sentence is typed in a row, and names are below it */
    MORE_COLS = 4,    /* " ..." */
};

void explorer_draw_cell(const struct explorer *explorer, struct area area)
{
    struct text text = {0};
    struct cell cell = explorer_cell(explorer);
    if (cell.node == NULL)
        return;
    explorer_write_cell(explorer, cell, &text);
    int col = area_text(area, 0, 0, look_of(STYLE_NAME), text_string(&text));
    area_text(area, 0, col, look_of(STYLE_QUIET), "   Enter: why");
    text_release(&text);
}

/* What is set. */

static void write_settings(const struct explorer *explorer, struct text *text)
{
    static const char *const masks[] = {"no mask", "causal mask", "last word hidden"};
    if (explorer->sentence[0] == '\0') {
        explorer_write_source(explorer, text);
    } else {
        if (explorer->n_heads > 1)
            text_format(text, "head %u/%u, ", explorer->head + 1, explorer->n_heads);
        text_format(text, "%s, %s, temperature %.3g", masks[explorer->mask],
                    explorer->scale ? "scaled" : "not scaled", explorer->temperature);
    }
    if (explorer->n_edits > 0)
        text_format(text, ", %zu %s", explorer->n_edits, explorer->n_edits == 1 ? "edit" : "edits");
}

static void draw_settings(const struct explorer *explorer, struct area area)
{
    struct text text = {0};
    write_settings(explorer, &text);
    area_text(area, 0, 0, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
}

/* What is being typed. */

/* A label and the field behind it, which is seen however long the label is. */
static void draw_field(const struct explorer *explorer, struct area area, const char *label,
                       const char *quiet)
{
    int cols = (int)text_width(label, strlen(label)), most = area.cols - TYPED_COLS;
    int col = cols <= most ? cols : most > 0 ? most : 0;
    area_text(area_part(area, 0, 0, 1, col), 0, col - cols, look_of(STYLE_NAME), label);
    field_draw(&explorer->typed, area_part(area, 0, col, 1, area.cols - col), quiet, true);
}

static void draw_edit(const struct explorer *explorer, struct area area)
{
    struct text text = {0};
    struct cell cell = explorer_cell(explorer);
    struct area last = area_part(area, area.rows - 1, 0, 1, area.cols), row = last;
    if (explorer->message[0] != '\0' && area.rows >= ASKING_ROWS) {
        row = area_part(area, area.rows - 2, 0, 1, area.cols);
        area_fill(row, look_of(STYLE_PLAIN));
        area_text(last, 0, 0, look_of(STYLE_NOTE), explorer->message);
    }
    if (cell.node != NULL)
        cell_write(cell, &text);
    text_put(&text, " = ");
    draw_field(explorer, row, text_string(&text), "");
    text_release(&text);
}

/* "Tab: X 3x3  weights 3x3": the tensors whose names go on as what is typed does. False where there
 * is none. */
static bool draw_names(const struct explorer *explorer, struct area area)
{
    char shape[TENSOR_SHAPE_TEXT];
    const struct variable *variable;
    size_t at = 0;
    int col = 0;
    while ((variable = explorer_fitting(explorer, &at)) != NULL && col < area.cols) {
        if (col == 0)
            col = area_text(area, 0, 0, look_of(STYLE_QUIET), "Tab: ");
        col = area_text(area, 0, col, look_of(STYLE_NAME), variable->name);
        tensor_shape_text(&variable->value.as.node->value, shape);
        col = area_format(area, 0, col, look_of(STYLE_QUIET), " %s  ", shape);
    }
    if (variable != NULL || col > area.cols + 2)
        area_text(area, 0, area.cols - MORE_COLS, look_of(STYLE_QUIET), " ...");
    return col > 0;
}

static void draw_question(const struct explorer *explorer, struct area area)
{
    struct area last = area_part(area, area.rows - 1, 0, 1, area.cols), row = last;
    if (area.rows >= ASKING_ROWS) {
        row = area_part(area, area.rows - 2, 0, 1, area.cols);
        area_fill(row, look_of(STYLE_PLAIN));
        if (explorer->message[0] != '\0')
            area_text(last, 0, 0, look_of(STYLE_NOTE), explorer->message);
        else if (!draw_names(explorer, last))
            area_text(last, 0, 0, look_of(STYLE_QUIET), "Enter shows it, Esc gives up");
    }
    draw_field(explorer, row, "show: ", "a sentence, or a name of the prompt");
}

/* A message. */

static void draw_message(struct area area, enum style style, const char *message)
{
    struct doc lines;
    doc_init(&lines);
    doc_wrap(&lines, style, message, (size_t)area.cols, 0);
    int n = (int)lines.n_lines, most = area.rows > 2 * MESSAGE_ROWS ? MESSAGE_ROWS : 1;
    n = lines.failed || n < 1 ? 1 : n < most ? n : most;
    struct area place = area_part(area, area.rows - n, 0, n, area.cols);
    area_fill(place, look_of(STYLE_PLAIN));
    if (lines.failed)
        area_text(place, 0, 0, look_of(style), message);
    else
        area_doc(place, &lines, 0, 0);
    doc_release(&lines);
}

void explorer_draw_foot(const struct explorer *explorer, struct area area, const char *problem)
{
    struct area last = area_part(area, area.rows - 1, 0, 1, area.cols);
    if (area.rows < 2)
        return;
    if (problem != NULL)
        draw_message(area, STYLE_BAD, problem);
    else if (explorer->edits && explorer->asks)
        draw_question(explorer, area);
    else if (explorer->edits)
        draw_edit(explorer, area);
    else if (explorer->message[0] != '\0')
        draw_message(area, STYLE_NOTE, explorer->message);
    else if (explorer->depth > 0)
        area_text(last, 0, 0, look_of(STYLE_QUIET), "Enter down  Backspace up  Esc closes");
    else
        draw_settings(explorer, last);
}
