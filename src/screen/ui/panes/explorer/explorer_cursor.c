/* What the explorer shows, the cursor in it, and the descent: the arithmetic of the open cell, and
 * the way down to the numbers it was made from and back up. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/explain.h"
#include "show/number.h"

enum { EXPLAIN_COLS = 80 }; /* where lines are wrapped that nobody sees */

/* ---- what is shown ---- */

struct explorer_slice explorer_slice_of(const struct node *node, size_t head)
{
    const struct tensor *x = &node->value;
    unsigned n = x->n_axes;
    struct explorer_slice slice = {.n_slices = 1,
                                   .n_rows = n > 1 ? x->shape[n - 2] : 1,
                                   .n_cols = n > 0 ? x->shape[n - 1] : 1};
    for (unsigned axis = 0; axis + 2 < n; axis++)
        slice.n_slices *= x->shape[axis];
    slice.index = head < slice.n_slices ? head : slice.n_slices > 0 ? slice.n_slices - 1 : 0;
    return slice;
}

size_t explorer_position(const struct explorer_slice *slice, size_t row, size_t col)
{
    return (slice->index * slice->n_rows + row) * slice->n_cols + col;
}

struct node *explorer_node(const struct explorer *explorer)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    if (explorer->depth > 0)
        return explorer->path[explorer->depth - 1].cell.node;
    return explorer->stage < pipeline->n_stages ? pipeline->stages[explorer->stage].node : NULL;
}

struct explorer_slice explorer_slice(const struct explorer *explorer)
{
    const struct node *node = explorer_node(explorer);
    return node ? explorer_slice_of(node, explorer->head) : (struct explorer_slice){.n_rows = 0};
}

struct cell explorer_cell(const struct explorer *explorer)
{
    struct explorer_slice slice = explorer_slice(explorer);
    if (explorer->row >= slice.n_rows || explorer->col >= slice.n_cols || slice.n_slices == 0)
        return (struct cell){.node = NULL};
    return (struct cell){explorer_node(explorer),
                         explorer_position(&slice, explorer->row, explorer->col)};
}

bool explorer_shows_words(const struct explorer *explorer)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    return explorer->view == EXPLORE_WORDS && explorer->depth == 0 &&
           explorer->stage < pipeline->n_stages && pipeline->stages[explorer->stage].is_weights;
}

bool explorer_is_marked(const struct explorer *explorer, size_t head)
{
    return head < 64 && (explorer->marked_heads >> head & 1) != 0;
}

size_t explorer_head_number(const struct explorer *explorer, size_t head)
{
    return explorer->pipeline.sentence[0] != '\0' ? head + 1 : head;
}

struct tensor explorer_before(const struct explorer *explorer, const struct node *node)
{
    size_t stage = pipeline_find_node(&explorer->pipeline, node);
    return stage < explorer->pipeline.n_stages ? explorer->pipeline.stages[stage].before
                                               : (struct tensor){.data = NULL};
}

void explorer_write_cell(const struct explorer *explorer, struct cell cell, struct text *text)
{
    char number[NUMBER_TEXT];
    cell_write(cell, text);
    if (cell.node->value.is_bool)
        snprintf(number, sizeof number, "%s", cell_value(cell) != 0 ? "True" : "False");
    else
        number_short(cell_value(cell), explorer->pipeline.session.settings.digits, number);
    text_format(text, " = %s", number);
}

void explorer_write_source(const struct explorer *explorer, struct text *text)
{
    const char *name = explorer->variable;
    bool is_outdated = false; /* the name means another value at the prompt now, or nothing */
    if (explorer->pipeline.sentence[0] != '\0') {
        text_format(text, "\"%s\"", explorer->pipeline.sentence);
        return;
    }
    if (name[0] == '\0') {
        node_write(explorer->pipeline.stages[explorer->pipeline.n_stages - 1].node, text);
        return;
    }
    if (explorer->variables != NULL) {
        const struct value *value = names_get(&explorer->variables->names, name, strlen(name));
        is_outdated =
            value == NULL || value->kind != VALUE_NODE || value->as.node->id != explorer->source_id;
    }
    text_format(text, "%s of the prompt%s", name, is_outdated ? ", as it was" : "");
}

const struct variable *explorer_matching(const struct explorer *explorer, size_t *at)
{
    const struct field *typed = &explorer->field;
    size_t n = explorer->variables != NULL ? explorer->variables->names.n_variables : 0;
    while (*at < n) {
        const struct variable *variable = &explorer->variables->names.variables[(*at)++];
        if (variable->value.kind == VALUE_NODE && variable->size >= typed->size &&
            memcmp(variable->name, typed->text, typed->size) == 0)
            return variable;
    }
    return NULL;
}

/* What H and Enter alone go through. */
static const unsigned heads_steps[] = {1, 2, 3, 4, 6, 8, 12, PIPELINE_MAX_HEADS};

unsigned explorer_next_heads(const struct explorer *explorer)
{
    size_t step = 0;
    while (step < COUNT_OF(heads_steps) && heads_steps[step] <= explorer->pipeline.options.n_heads)
        step++;
    return heads_steps[step % COUNT_OF(heads_steps)];
}

void explorer_say(struct explorer *explorer, const char *format, ...)
{
    char line[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    error_quote(explorer->message, sizeof explorer->message, line, strlen(line));
}

/* ---- the arithmetic of the open cell ---- */

/* True for a number that is there to be read: typed, or made of typed numbers alone. */
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

/* Takes the cells over, each once, without typed numbers. */
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

bool explorer_explain(const struct explorer *explorer, size_t width_cols, struct explorer_why *ret,
                      struct error *reterr)
{
    struct explanation explanation;
    struct doc lines;
    struct text line = {0};
    struct cell cell = explorer->path[explorer->depth - 1].cell;
    *ret = (struct explorer_why){.cells = NULL};
    doc_init(&ret->lines);
    doc_init(&lines);
    explanation_init(&explanation, &lines, explorer->pipeline.session.settings.digits);
    bool ok = explain_cell(cell, &explanation, reterr);
    if (ok) {
        explorer_write_cell(explorer, cell, &line);
        doc_wrap(&ret->lines, STYLE_NAME, text_string(&line), width_cols, 0);
        for (size_t i = 0; i < lines.n_lines; i++) {
            const struct span *spans;
            size_t n = doc_line_spans(&lines, i, &spans);
            text_clear(&line);
            for (size_t s = 0; s < n; s++)
                text_add(&line, lines.text.bytes + spans[s].begin, spans[s].end - spans[s].begin);
            doc_wrap(&ret->lines, STYLE_PLAIN, text_string(&line), width_cols, 2);
        }
        take_cells(&explanation, ret);
        ret->lines.failed = ret->lines.failed || lines.failed || line.failed;
        ok = doc_check(&ret->lines, reterr);
    }
    text_release(&line);
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
    return scroll_step(choice, 0, why->n_cells);
}

/* ---- the way down and back up ---- */

/* Shows a cell: its stage, head, row and column. */
static void go_to(struct explorer *explorer, struct cell cell)
{
    struct explorer_slice slice = explorer_slice_of(cell.node, 0);
    size_t stage = pipeline_find_node(&explorer->pipeline, cell.node);
    size_t size = slice.n_rows * slice.n_cols, at = size > 0 ? cell.position % size : 0;
    if (stage < explorer->pipeline.n_stages)
        explorer->stage = stage;
    if (slice.n_slices > 1 && size > 0)
        explorer->head = (unsigned)(cell.position / size);
    explorer->row = slice.n_cols > 0 ? at / slice.n_cols : 0;
    explorer->col = slice.n_cols > 0 ? at % slice.n_cols : 0;
}

void explorer_show_stage(struct explorer *explorer, size_t stage)
{
    if (stage >= explorer->pipeline.n_stages)
        return;
    explorer_close_path(explorer, 0);
    explorer->stage = stage;
}

void explorer_close_path(struct explorer *explorer, size_t depth)
{
    explorer->why_down = 0;
    explorer->why_follows = false;
    while (explorer->depth > depth)
        node_free(explorer->path[--explorer->depth].cell.node);
}

/* Adds a cell to the path, with one more share of its node. */
static void push_cell(struct explorer *explorer, struct cell cell, size_t choice)
{
    struct explorer_step *step = &explorer->path[explorer->depth++];
    const char *name = cell.node->name;
    *step =
        (struct explorer_step){.cell = {node_share(cell.node), cell.position}, .choice = choice};
    if (name != NULL && strlen(name) < sizeof step->name &&
        pipeline_node(&explorer->pipeline, name) == cell.node)
        snprintf(step->name, sizeof step->name, "%s", name);
}

void explorer_open(struct explorer *explorer)
{
    struct explorer_why why = {.cells = NULL};
    struct error error;
    struct cell cell = explorer_cell(explorer);
    if (explorer->depth > 0) {
        if (!explorer_explain(explorer, EXPLAIN_COLS, &why, &error)) {
            explorer_say(explorer, "%s", error.text);
            return;
        }
        cell.node = NULL;
        if (why.n_cells > 0)
            cell = why.cells[explorer_choice(explorer, &why)];
        else
            explorer_say(explorer, "an input: nothing comes before it; Backspace comes back up");
    }
    if (cell.node != NULL && explorer->depth == EXPLORER_MAX_DEPTH) {
        explorer_say(explorer, "that is %d steps down: Backspace comes back up",
                     EXPLORER_MAX_DEPTH);
    } else if (cell.node != NULL) {
        explorer->why_down = 0;
        explorer->why_follows = false;
        push_cell(explorer, cell, 0);
        go_to(explorer, cell);
    }
    explorer_why_release(&why);
}

void explorer_climb(struct explorer *explorer)
{
    struct cell cell = explorer->path[explorer->depth - 1].cell;
    if (explorer->depth > 1)
        cell = explorer->path[explorer->depth - 2].cell;
    node_share(cell.node);
    explorer_close_path(explorer, explorer->depth - 1);
    go_to(explorer, cell);
    node_free(cell.node);
}

void explorer_choose(struct explorer *explorer, ptrdiff_t steps)
{
    struct explorer_why why;
    struct error error;
    if (!explorer_explain(explorer, EXPLAIN_COLS, &why, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    explorer->path[explorer->depth - 1].choice =
        scroll_step(explorer_choice(explorer, &why), steps, why.n_cells);
    explorer->why_follows = true;
    explorer_why_release(&why);
}

/* The new cell in the place of an open one, whose path so far is new already: by its name or, where
 * it has none, as what the cell before it was made from. False without one of that shape.
 */
static bool find_new_cell(const struct explorer *explorer, const struct explorer_step *old,
                          struct cell *ret)
{
    struct explorer_why why;
    *ret = (struct cell){pipeline_node(&explorer->pipeline, old->name), old->cell.position};
    if (old->name[0] == '\0') {
        if (explorer->depth == 0 || !explorer_explain(explorer, EXPLAIN_COLS, &why, NULL))
            return false;
        ret->node = NULL;
        if (why.n_cells > 0)
            *ret = why.cells[explorer_choice(explorer, &why)];
        explorer_why_release(&why);
    }
    return ret->node != NULL && tensor_same_shape(&ret->node->value, &old->cell.node->value);
}

void explorer_follow(struct explorer *explorer, const char *stage)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    size_t at = pipeline_find_name(pipeline, stage), was = explorer->stage, n = explorer->depth;
    bool is_new = true;
    if (at == pipeline->n_stages) /* it is gone: the one before it */
        at = was > 0 && was <= pipeline->n_stages ? was - 1 : 0;
    explorer->stage = at;
    explorer->depth = 0;
    for (size_t i = 0; i < n; i++) {
        struct explorer_step old = explorer->path[i];
        struct cell cell;
        is_new = is_new && find_new_cell(explorer, &old, &cell);
        if (is_new)
            push_cell(explorer, cell, old.choice);
        node_free(old.cell.node);
    }
    explorer->why_down = 0;
    explorer->why_follows = false;
    if (explorer->depth > 0)
        go_to(explorer, explorer->path[explorer->depth - 1].cell);
}
