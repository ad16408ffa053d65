/* What of the explorer can be taken along. */
#include "show/tsv.h"
#include "ui/panes/explorer/explorer_internal.h"

bool explorer_copy(const void *state, bool table, struct text *ret, struct text *what)
{
    struct cell cell = explorer_cell(state);
    if (cell.node == NULL)
        return false;
    const struct picture picture = {.tensor = &cell.node->value, .labels = cell.node->labels};
    picture_copy(&picture, cell.position, table, ret, what);
    return true;
}

void explorer_write_name(const void *state, struct text *name)
{
    const struct explorer *explorer = state;
    if (explorer->stage < explorer->pipeline.n_stages)
        text_put(name, explorer->pipeline.stages[explorer->stage].name);
}
