/* Which cell is wrong, as it is told. */
#include "course/lesson/question_internal.h"

#include <stdio.h>

#include "graph/node.h"

bool judged_note_where(const struct node *matrix, size_t position, size_t n, struct judged *judged,
                       struct error *reterr)
{
    struct text name = {0};
    node_write_place(matrix, position, &name);
    snprintf(judged->where, sizeof judged->where, "%s is %.100s.",
             n == 1 ? "It" : "The first of them", text_string(&name));
    bool ok = !name.failed || error_memory(reterr, "an answer");
    text_release(&name);
    return ok;
}
