/* What is typed into the explorer: a number for the cell under the cursor, what follows from it,
 * and taking it back. A sentence or a name is typed likewise and goes to explorer_source.c. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { NAME_MOST = 40 }; /* bytes of a name that fit an edit's line */

void explorer_begin_edit(struct explorer *explorer)
{
    struct cell cell = explorer_cell(explorer);
    if (cell.node == NULL) {
        explorer_say(explorer, "there is no number here");
    } else if (!explorer_is_named(explorer, cell.node)) {
        explorer_say(explorer, "it has no name, so that it can't be edited; edit one of its "
                               "inputs");
    } else if (strlen(cell.node->name) > NAME_MOST) {
        explorer_say(explorer, "its name is too long for an edit; edit one of its inputs");
    } else {
        explorer->edits = true;
        explorer->asks = false;
        explorer->typed = (struct field){.size = 0};
    }
}

/* whatif NAME[0, 2] = v */
static void write_edit(struct cell cell, float number, char line[128])
{
    size_t index[TENSOR_MAX_AXES], n_axes = cell.node->value.n_axes;
    int at = snprintf(line, 128, "whatif %.*s", (int)NAME_MOST, cell.node->name);
    tensor_index_of(&cell.node->value, cell.position, index);
    for (size_t axis = 0; axis < n_axes; axis++)
        at += snprintf(line + at, 128 - (size_t)at, "%s%zu%s", axis ? ", " : "[", index[axis],
                       axis + 1 == n_axes ? "]" : "");
    snprintf(line + at, 128 - (size_t)at, " = %.9g", (double)number);
}

/* Numbers that differ from before the edit, in all stages but the one that was edited. */
static size_t count_downstream(const struct explorer *explorer, const char *edited)
{
    size_t changed = 0;
    for (size_t i = 0; i < explorer->n_stages; i++)
        if (strcmp(explorer->stages[i].name, edited) != 0)
            changed += explorer->stages[i].n_changed;
    return changed;
}

/* Makes the change, and says what it moved: E["Hello", 0] = 0.9: 31 numbers downstream ... */
static void edit_cell(struct explorer *explorer, struct cell cell, float number)
{
    char line[128], name[NAME_MOST + 1], value[NUMBER_TEXT];
    struct text what = {0};
    struct error error;
    write_edit(cell, number, line);
    cell_write(cell, &what);
    snprintf(name, sizeof name, "%s", cell.node->name);
    number_short(number, explorer->session.settings.digits, value);
    if (explorer_add_edit(explorer, line, &error)) { /* the node is another one now */
        size_t n = count_downstream(explorer, name);
        explorer_say(explorer, "%s = %s: %zu %s downstream changed, marked *; u takes it back",
                     text_string(&what), value, n, n == 1 ? "number" : "numbers");
    } else {
        explorer_say(explorer, "%s", error.text);
    }
    text_release(&what);
}

static void end_edit(struct explorer *explorer)
{
    char *end;
    struct cell cell = explorer_cell(explorer);
    const char *typed = explorer->typed.text;
    float number = strtof(typed, &end);
    bool is_number = end[strspn(end, " ")] == '\0' && !isnan(number);
    explorer->edits = !is_number; /* what is wrong can be mended */
    if (!is_number)
        explorer_say(explorer, "%s: this is no number; type one such as 0.5", typed);
    else if (typed[strspn(typed, " ")] == '\0' || cell.node == NULL)
        return;
    else if (!number_differs(cell_value(cell), number))
        explorer_say(explorer, "that is what it was: nothing changes");
    else
        edit_cell(explorer, cell, number);
}

void explorer_edit_key(struct explorer *explorer, int key)
{
    explorer->message[0] = '\0';
    if (key == KEYCODE_ESCAPE || key == KEYCODE_CTRL_C)
        explorer->edits = false;
    else if (key == KEYCODE_ENTER && explorer->asks)
        explorer_answer(explorer);
    else if (key == KEYCODE_ENTER)
        end_edit(explorer);
    else if (key == KEYCODE_TAB && explorer->asks)
        explorer_complete(explorer);
    else
        field_key(&explorer->typed, key);
}

void explorer_undo(struct explorer *explorer)
{
    char edit[sizeof explorer->edit_lines[0]] = "";
    struct error error;
    if (explorer->n_edits > 0)
        memcpy(edit, explorer->edit_lines[explorer->n_edits - 1], sizeof edit);
    if (!explorer_drop_edit(explorer, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    size_t left = explorer->n_edits;
    const char *line = edit + strlen("whatif ");
    if (left == 0)
        explorer_say(explorer, "taken back: %s; no edits are left", line);
    else
        explorer_say(explorer, "taken back: %s; %zu %s left", line, left,
                     left == 1 ? "edit is" : "edits are");
}
