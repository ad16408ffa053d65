/* See alias_internal.h. */
#include "graph/alias_internal.h"

#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/node.h"

enum { LONG_FORMULA = 24 }; /* bytes from which a nameless tensor gets a short name */

size_t alias_of(struct aliases *aliases, const struct node *node)
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

void alias_write_cell(struct aliases *aliases, struct cell cell, struct text *text)
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
