/* Finds the wrong cells, and describes their places. */
#include "course/lesson/question_internal.h"

#include <assert.h>
#include <stdio.h>

#include "graph/node.h"
#include "tensor/tensor.h"

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

size_t question_count_far_cells(const struct question *question, const struct question_cells *cells,
                                const struct node *given, const struct node *other, bool rounded,
                                size_t *ret_first)
{
    size_t n = 0;
    assert(cells->positions != NULL || cells->n == 0);
    for (size_t i = cells->n; i-- > 0;) {
        float number = tensor_at_position(&given->value, cells->positions[i]);
        float wanted = tensor_at_position(&other->value, cells->positions[i]);
        if (!question_accepts_number(question, number, wanted) &&
            !(rounded && number_is_rounding(number, wanted))) {
            *ret_first = cells->positions[i];
            n++;
        }
    }
    return n;
}
