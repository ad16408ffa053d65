/* What each statement of a line gave: notebook_observe_line(). */
#include <string.h>

#include "graph/node.h"
#include "lang/notebook/notebook_internal.h"
#include "lang/notebook/observe_internal.h"

/* The statement on one row. */
static void write_code(const struct shape_row *row, struct text *out)
{
    bool blank = false;
    for (size_t i = row->begin; i < row->end; i++) {
        char c = row->unit->source[i];
        bool is_blank = strchr(" \t\r\n\\", c) != NULL;
        if (!is_blank && blank)
            text_char(out, ' ');
        if (!is_blank)
            text_char(out, c);
        blank = is_blank;
    }
}

static bool write_row(struct machine *m, const struct shape_row *row,
                      const struct shape_row *before, struct notebook_row *ret)
{
    const struct expr *target = row->target;
    *ret = (struct notebook_row){.depth = row->depth};
    if (row->value.kind == VALUE_ABSENT) {
        if (row->caller.kind == VALUE_STRING)
            text_put(&ret->code, row->caller.as.string->bytes);
        return !ret->code.failed;
    }
    struct node *node = tensor_node(m, as_tensor(row->value));
    if (node == NULL)
        return false;
    bool is_again = before != NULL && before->unit == row->unit && before->depth == row->depth &&
                    before->end == row->end && before->begin == row->begin;
    ret->node = node;
    if (row->end > row->begin && !is_again) {
        ret->line = unit_row(row->unit, row->begin) + 1;
        write_code(row, &ret->code);
    }
    if (row->name.kind == VALUE_STRING)
        text_put(&ret->name, row->name.as.string->bytes);
    else if (target == NULL)
        text_put(&ret->name, "returned");
    else
        text_add(&ret->name, row->unit->source + target->begin, target->end - target->begin);
    observe_write_shape(&node->value, &ret->shape);
    const struct axes *axes = as_tensor(row->value)->axes;
    for (unsigned i = 0; axes != NULL && i < axes->n; i++)
        if (axes->at[i]->name != NULL) {
            axes_write(axes, &node->value, &ret->axes);
            break;
        }
    text_add(&ret->problem, text_string((struct text *)&row->problem), row->problem.size);
    return !ret->code.failed && !ret->name.failed && !ret->shape.failed && !ret->axes.failed &&
           !ret->problem.failed;
}

static void row_release(struct notebook_row *row)
{
    text_release(&row->code);
    text_release(&row->name);
    text_release(&row->shape);
    text_release(&row->axes);
    text_release(&row->problem);
}

bool notebook_observe_line(struct notebook *notebook, const char *source, size_t size,
                           bool (*take)(void *context, const struct notebook_row *row),
                           void *context, struct text *trace, struct error *reterr)
{
    struct machine *m = &notebook->machine;
    struct observer observer = {.keeps_rows = true, .failure = {.error = value_absent()}};
    struct value ignored;
    m->observer = &observer;
    bool ok = notebook_run_line(notebook, source, size, &ignored, trace, reterr);
    m->observer = NULL;
    if (ok)
        value_drop(ignored);
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < observer.n_rows; i++) {
        struct notebook_row row;
        bool is_written =
            write_row(m, &observer.rows[i], i > 0 ? &observer.rows[i - 1] : NULL, &row);
        goes_on = is_written && take(context, &row);
        row_release(&row);
        raised_clear(m);
    }
    if (ok && (!goes_on || observer.lacks_memory))
        ok = error_memory(reterr, "the statements of a line");
    observer_release(&observer);
    return ok;
}
