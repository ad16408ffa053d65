/* What of the explorer can be taken along. */
#include "show/number.h"
#include "show/tsv.h"
#include "ui/panes/explorer/explorer_internal.h"

bool explorer_copy(const void *state, bool table, struct text *ret, struct text *what)
{
    const struct explorer *explorer = state;
    struct cell cell = explorer_cell(explorer);
    char text[NUMBER_TEXT];
    if (cell.node == NULL)
        return false;
    if (!table) {
        text_put(ret, number_exact(cell_value(cell), text));
        text_put(what, text);
        return true;
    }
    struct explorer_slice slice = explorer_slice_of(cell.node, explorer->head);
    struct picture picture = {.tensor = &cell.node->value, .labels = cell.node->labels};
    picture_to_tsv(&picture, slice.index, ret);
    text_format(what, "%zux%zu", slice.n_rows, slice.n_cols);
    return true;
}

void explorer_write_name(const void *state, struct text *name)
{
    const struct explorer *explorer = state;
    if (explorer->stage < explorer->pipeline.n_stages)
        text_put(name, explorer->pipeline.stages[explorer->stage].name);
}
