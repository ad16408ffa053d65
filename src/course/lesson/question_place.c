/* The names of cells, as they are told. */
#include "course/lesson/question_internal.h"

#include <stdio.h>

#include "graph/node.h"
#include "show/labels.h"
#include "tensor/tensor.h"

/* The name of a row or column. */
static void write_place(const struct node *matrix, unsigned axis, size_t at, struct text *out)
{
    const struct labels *labels = matrix->labels[axis];
    if (labels != NULL)
        text_put(out, labels_name(labels, at));
    else
        text_format(out, "%zu", at);
}

void cell_name_write(const struct node *matrix, size_t position, struct text *out)
{
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(&matrix->value, position, index);
    text_char(out, '[');
    for (unsigned axis = 0; axis < matrix->value.n_axes; axis++) {
        text_put(out, axis > 0 ? ", " : "");
        write_place(matrix, axis, index[axis], out);
    }
    text_char(out, ']');
}

bool judged_note_where(const struct node *matrix, size_t position, size_t n, struct judged *judged,
                       struct error *reterr)
{
    struct text name = {0};
    cell_name_write(matrix, position, &name);
    snprintf(judged->where, sizeof judged->where, "%s is %.100s.",
             n == 1 ? "It" : "The first of them", text_string(&name));
    bool ok = !name.failed || error_memory(reterr, "an answer");
    text_release(&name);
    return ok;
}
