/* The explorer on its pane, from top to bottom: the stages, the formula of the one shown, its
 * table, the arithmetic of the open cell, the status. And clicks, which look at the same places. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "tensor/tensor.h"

enum {
    TOP_ROWS = 2,     /* the stages, and a formula */
    FEW_ROWS = 5,     /* a pane with less shows the table alone */
    CHOICE_GAP = 2,   /* columns between the cells to choose from */
    FIELD_COLS = 12,  /* that a field has at least, after its label */
    WHY_SHARE = 40,   /* percent of the pane that arithmetic may take from the whole chain */
    VIEWS_GAP = 2,    /* columns between the options and the views */
    MESSAGE_ROWS = 3, /* of a long message, over what stands there */
    FIELD_ROWS = 5,   /* of a pane where a field has a row of its own, and help is below it */
    OTHERS_ROWS = 8,  /* free ones from which on the other stages are shown there */
    OTHERS_GAP = 4,   /* columns between two of them */
    PREVIEW_ROWS = 5, /* free ones from which on arithmetic is shown before it is opened */
};

/* The rows of the pane. */
struct places {
    int table, table_rows; /* as many as the table may take */
    int rule;              /* -1: no arithmetic is open */
    int why, why_rows;     /* the arithmetic, or one line about the cursor's cell */
};

int explorer_table_rows(int rows)
{
    if (rows < FEW_ROWS)
        return rows > 2 ? rows - 2 : 1;
    return rows - TOP_ROWS - 2;
}

/* While no arithmetic is open. taken: the rows that the table takes; the cell under the cursor is
 * told of below them, after a blank row where there is one. */
static struct places places_closed(int rows, int taken)
{
    bool few = rows < FEW_ROWS;
    struct places places = {.table = !few       ? TOP_ROWS
                                     : rows > 1 ? 1
                                                : 0,
                            .table_rows = explorer_table_rows(rows),
                            .rule = -1,
                            .why_rows = few ? 0 : 1};
    places.why = places.table + (taken < places.table_rows ? taken + 1 : places.table_rows);
    return places;
}

/* ---- the rows of the arithmetic ---- */

/* Its lines and, below them, the cells to choose from, in columns. */
struct choices {
    int first_line;    /* of both together, how many are scrolled away below the heading */
    int n_below;       /* and how many are below what is seen */
    int n_lines;       /* of the arithmetic */
    int n_cols, width; /* of the cells */
};

static struct choices choices_of(const struct explorer *explorer, const struct explorer_why *why,
                                 int rows, int cols)
{
    struct choices choices = {.n_lines = (int)why->lines.n_lines, .width = 1};
    struct text text = {0};
    for (size_t i = 0; i < why->n_cells; i++) {
        text_clear(&text);
        explorer_write_cell(explorer, why->cells[i], &text);
        int width = (int)text_width(text_string(&text), text.size);
        choices.width = width > choices.width ? width : choices.width;
    }
    text_release(&text);
    choices.width += CHOICE_GAP;
    choices.n_cols = cols / choices.width > 1 ? cols / choices.width : 1;
    int chosen = choices.n_lines + (int)explorer_choice(explorer, why) / choices.n_cols;
    int choice_rows = ((int)why->n_cells + choices.n_cols - 1) / choices.n_cols;
    int most = choices.n_lines + choice_rows - rows;
    most = most > 0 ? most : 0;
    choices.first_line = explorer->why_down < most ? explorer->why_down : most;
    if (explorer->why_follows) /* the number that was chosen last is seen */
        choices.first_line = why->n_cells > 0 && chosen >= rows ? chosen - rows + 1 : 0;
    choices.n_below = most - choices.first_line;
    return choices;
}

/* The rows that the arithmetic needs. */
static int why_rows_wanted(const struct explorer *explorer, const struct explorer_why *why,
                           int cols)
{
    struct choices choices = choices_of(explorer, why, 0, cols);
    return choices.n_lines + ((int)why->n_cells + choices.n_cols - 1) / choices.n_cols;
}

/* ---- the whole chain ---- */

/* Lays the chain out above the arithmetic of the open cell, which needs so many rows. */
static bool lay_out_chain(const struct explorer *explorer, int rows, int cols, int why_rows,
                          struct explorer_chain *chain, struct places *ret)
{
    int left = rows - TOP_ROWS - 1;
    *ret = (struct places){.table = TOP_ROWS, .rule = -1, .why_rows = 1};
    if (!explorer_chain_lay_out(explorer, left - 1, cols, chain))
        return false;
    if (explorer->depth > 0) {
        int free = left - 1 - chain->rows, share = left * WHY_SHARE / 100;
        int most = free > share ? free : share;
        ret->why_rows = why_rows < most ? why_rows : most;
        if (!explorer_chain_lay_out(explorer, left - 1 - ret->why_rows, cols, chain))
            return false;
        ret->rule = ret->table + chain->rows;
    }
    ret->table_rows = chain->rows;
    /* Below the rule, or a blank row where there is one. */
    bool is_full = explorer->depth == 0 && chain->rows == left - 1;
    ret->why = ret->table + chain->rows + (is_full ? 0 : 1);
    return true;
}

bool explorer_shows_chain(const struct explorer *explorer, int rows, int cols,
                          struct explorer_chain *ret)
{
    struct explorer_why why = {.cells = NULL};
    struct places at;
    int why_rows = 0;
    if (explorer->view != EXPLORE_CHAIN || explorer->pipeline.sentence[0] == '\0')
        return false;
    if (explorer->depth > 0 && explorer_explain(explorer, (size_t)cols, &why, NULL))
        why_rows = why_rows_wanted(explorer, &why, cols);
    explorer_why_release(&why);
    return lay_out_chain(explorer, rows, cols, why_rows, ret, &at);
}

/* ---- stages ---- */

/* Where the names of the stages begin on a line of so many columns, and after the last of them the
 * end; scrolled to the left, so that the stage shown is seen. */
static void place_stages(const struct explorer *explorer, int cols,
                         int ret_starts[PIPELINE_MAX_STAGES + 1])
{
    const struct pipeline *pipeline = &explorer->pipeline;
    int end = 0;
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const struct pipeline_stage *stage = &pipeline->stages[i];
        if (i > 0)
            end += stage->level == stage[-1].level ? 1 : 3;
        ret_starts[i] = end;
        end += (int)text_width(stage->name, strlen(stage->name)) + (i == explorer->stage ? 2 : 0) +
               (stage->n_changed > 0 ? 1 : 0);
    }
    ret_starts[pipeline->n_stages] = end;
    int left = (ret_starts[explorer->stage] + ret_starts[explorer->stage + 1] - cols) / 2;
    left = left > end - cols ? end - cols : left;
    for (size_t i = 0; left > 0 && i <= pipeline->n_stages; i++)
        ret_starts[i] -= left;
}

/* "E > Q [K] V > scores*": the stage shown in brackets, and after a name a '*' where an edit
 * changed it. Those that the open cell was made from are underlined. */
static void draw_stages(const struct explorer *explorer, const struct explorer_why *why,
                        struct area area, bool focused)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    int starts[PIPELINE_MAX_STAGES + 1];
    if (pipeline->n_stages == 0)
        return;
    place_stages(explorer, area.cols, starts);
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const struct pipeline_stage *stage = &pipeline->stages[i];
        struct canvas_look look = look_of(STYLE_NAME);
        int col = starts[i];
        for (size_t cell = 0; cell < why->n_cells; cell++)
            if (why->cells[cell].node == stage->node)
                look.marks = MARK_UNDERLINE;
        if (i == explorer->stage)
            look = look_marked(STYLE_TITLE, focused ? MARK_BOLD : 0);
        if (i > 0 && stage->level != stage[-1].level)
            area_text(area, 0, col - 3, look_of(STYLE_QUIET), " > ");
        if (i == explorer->stage)
            col = area_text(area, 0, col, look, "[");
        col = area_text(area, 0, col, look, stage->name);
        if (i == explorer->stage)
            col = area_text(area, 0, col, look, "]");
        if (stage->n_changed > 0)
            area_text(area, 0, col, look_of(STYLE_CHANGED), "*");
    }
    if (starts[0] < 0)
        area_text(area, 0, 0, look_of(STYLE_QUIET), "..");
    if (starts[pipeline->n_stages] > area.cols)
        area_text(area, 0, area.cols - 3, look_of(STYLE_QUIET), " ..");
}

/* ---- formula ---- */

/* What part of the tensor is seen, as the language cuts it out: "[1, 0, 4:12, 0:6]". The heads of a
 * sentence are called so: "head 2/3 [4:12, 0:6]". */
static void write_part(const struct explorer *explorer, const struct explorer_table *table,
                       struct text *text)
{
    const struct explorer_slice *slice = &table->slice;
    const struct tensor *x = &table->node->value;
    bool is_cut = table->n_rows < slice->n_rows || table->n_cols < slice->n_cols;
    bool is_head = slice->n_slices > 1 && explorer->pipeline.sentence[0] != '\0';
    if (is_head)
        text_format(text, "head %zu/%zu%s", slice->index + 1, slice->n_slices, is_cut ? " " : "");
    if (!is_cut && (is_head || slice->n_slices <= 1))
        return;
    text_char(text, '[');
    size_t n_tables = slice->n_slices, left = slice->index;
    for (unsigned axis = 0; !is_head && axis + 2 < x->n_axes; axis++, left %= n_tables) {
        n_tables /= x->shape[axis];
        text_format(text, "%zu, ", left / n_tables);
    }
    if (is_cut && x->n_axes > 1) /* a vector has no rows */
        text_format(text, "%zu:%zu, ", table->row, table->row + table->n_rows);
    if (is_cut)
        text_format(text, "%zu:%zu", table->col, table->col + table->n_cols);
    else
        text_put(text, ":, :");
    text_char(text, ']');
}

/* How many multiplications a stage takes, where there is room. */
static void draw_products(const struct explorer *explorer, const struct node *node,
                          struct area area)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    size_t at = pipeline_find_node(pipeline, node);
    char text[48];
    if (at == pipeline->n_stages || !(pipeline->stages[at].products > 0))
        return;
    int cols =
        snprintf(text, sizeof text, "   %.15g multiplications", pipeline->stages[at].products);
    if (cols <= area.cols)
        area_text(area, 0, 0, look_of(STYLE_QUIET), text);
}

/* scaled = scores / sqrt(3)   3x3   and at the right what is seen of it. */
static void draw_formula(const struct explorer *explorer, const struct explorer_table *table,
                         struct area area)
{
    const struct node *node = explorer_node(explorer);
    struct text formula = {0}, part = {0};
    char shape[TENSOR_SHAPE_TEXT];
    node_write_operation(node, &formula);
    if (table != NULL)
        write_part(explorer, table, &part);
    int room = area.cols - (part.size > 0 ? (int)part.size + 2 : 0), col = 0;
    struct area left = area_part(area, 0, 0, 1, room);
    if (node->name != NULL)
        col = area_format(left, 0, 0, look_of(STYLE_NAME), "%s", node->name);
    col = area_format(left, 0, col, look_of(STYLE_PLAIN), "%s%s",
                      node->name == NULL     ? ""
                      : node->n_parents == 0 ? " from "
                                             : " = ",
                      text_string(&formula));
    col = area_format(left, 0, col, look_of(STYLE_QUIET), "   %s",
                      tensor_shape_text(&node->value, shape));
    draw_products(explorer, node, area_part(left, 0, col, 1, left.cols - col));
    if (part.size > 0)
        area_text(area, 0, area.cols - (int)part.size, look_of(STYLE_QUIET), text_string(&part));
    text_release(&formula);
    text_release(&part);
}

/* The formula of the stage that the cursor is in; at the right which words of a long sentence are
 * seen: "words 19 to 25, keys 1 to 13 of 25". */
static void draw_chain_formula(const struct explorer *explorer, struct explorer_chain *chain,
                               struct area area)
{
    const struct explorer_chain_box *box = explorer_chain_box(chain, "weights");
    char part[96] = "";
    int size = 0;
    if (box->n_rows < box->whole_rows || box->n_cols < box->whole_cols)
        size = snprintf(part, sizeof part, "words %zu to %zu, keys %zu to %zu of %zu",
                        box->first_row + 1, box->first_row + box->n_rows, box->first_col + 1,
                        box->first_col + box->n_cols, box->whole_rows);
    draw_formula(explorer, NULL, area_part(area, 0, 0, 1, area.cols - size - 1));
    area_text(area, 0, area.cols - size, look_of(STYLE_QUIET), part);
}

/* ---- tables ---- */

/* The numbers or the heatmap. *ret_rows: the rows that it takes. */
static bool draw_table(const struct explorer *explorer, struct area area, struct area formula,
                       bool focused, bool ascii, int *ret_rows, struct error *reterr)
{
    struct explorer_table table;
    struct cell cell = explorer_cell(explorer);
    if (!explorer_main_table(explorer, area.rows, area.cols, ascii, &table, reterr))
        return false;
    explorer_table_draw(&table, area);
    if (cell.node != NULL && !explorer->is_bare)
        explorer_table_point(&table, area, cell.position, focused);
    draw_formula(explorer, &table, formula);
    *ret_rows = table.rows < area.rows ? table.rows : area.rows;
    explorer_table_release(&table);
    return true;
}

/* The weights as lines between words. Returns the rows that they take. */
static int draw_words(const struct explorer *explorer, struct area area, struct area formula,
                      bool focused, bool ascii)
{
    struct explorer_table whole = {.node = explorer_node(explorer),
                                   .slice = explorer_slice(explorer)};
    whole.n_rows = whole.slice.n_rows;
    whole.n_cols = whole.slice.n_cols;
    draw_formula(explorer, &whole, formula);
    explorer_words_draw(explorer, area, focused, ascii);
    return explorer_words_rows(explorer, area.rows);
}

/* ---- arithmetic ---- */

/* Lays out the tables and the arithmetic of the open cell, which follows its table. The arithmetic
 * takes half of the pane, and what the table leaves free. The caller releases *ret_operands. */
static bool lay_out_open(const struct explorer *explorer, const struct explorer_why *why,
                         struct area area, bool ascii, struct places *ret,
                         struct explorer_operands *ret_operands, struct error *reterr)
{
    bool few = area.rows < FEW_ROWS; /* the tables alone */
    int wanted = why_rows_wanted(explorer, why, area.cols);
    int left = area.rows - TOP_ROWS - 2; /* without the rule and the state */
    int half = (left + 1) / 2, least = wanted < half ? wanted : half;
    *ret = places_closed(area.rows, 0);
    int rows = few ? ret->table_rows : left - least;
    if (!explorer_operands_begin(explorer, rows, area.cols, ascii, ret_operands, reterr))
        return false;
    int free = left - ret_operands->top_rows, most = free > half ? free : half;
    ret->why_rows = few ? 0 : wanted < most ? wanted : most;
    ret->table_rows = few ? rows : left - ret->why_rows;
    if (!explorer_operands_add(explorer, why, ret->table_rows, ret_operands, reterr)) {
        explorer_operands_release(ret_operands);
        return false;
    }
    if (!few)
        ret->rule = ret->table + ret_operands->top_rows;
    ret->why = ret->rule + 1;
    return true;
}

/* The rows of the pane, with the arithmetic of the open cell. */
static bool places_with(const struct explorer *explorer, const struct explorer_why *why,
                        struct area area, struct places *ret)
{
    int wanted = why_rows_wanted(explorer, why, area.cols);
    struct explorer_chain chain;
    struct explorer_operands operands;
    if (explorer->view == EXPLORE_CHAIN &&
        lay_out_chain(explorer, area.rows, area.cols, wanted, &chain, ret))
        return true;
    bool ascii = explorer->pipeline.session.settings.ascii;
    if (!lay_out_open(explorer, why, area, ascii, ret, &operands, NULL))
        return false;
    explorer_operands_release(&operands);
    return true;
}

void explorer_scroll_why(struct explorer *explorer, int rows)
{
    struct explorer_why why;
    struct places at;
    const struct area area = {.rows = explorer->rows, .cols = explorer->cols};
    if (!explorer_explain(explorer, (size_t)area.cols, &why, NULL))
        return;
    if (places_with(explorer, &why, area, &at)) {
        struct choices choices = choices_of(explorer, &why, at.why_rows, area.cols);
        int most = choices.first_line + choices.n_below, first = choices.first_line + rows;
        explorer->why_down = first < 0 ? 0 : first < most ? first : most;
        explorer->why_follows = false;
    }
    explorer_why_release(&why);
}

static unsigned cursor_marks(bool focused)
{
    return MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
}

static void draw_why(const struct explorer *explorer, const struct explorer_why *why,
                     struct area area, bool focused)
{
    struct choices choices = choices_of(explorer, why, area.rows, area.cols);
    size_t choice = explorer_choice(explorer, why);
    area_doc(area, &why->lines, (size_t)choices.first_line, 0);
    if (choices.first_line > 0) {
        area_fill(area_part(area, 0, 0, 1, area.cols), look_of(STYLE_PLAIN));
        area_doc(area_part(area, 0, 0, 1, area.cols), &why->lines, 0, 0);
    }
    for (size_t i = 0; i < why->n_cells; i++) {
        struct text text = {0};
        int row = choices.n_lines + (int)i / choices.n_cols - choices.first_line;
        int col = (int)i % choices.n_cols * choices.width;
        unsigned marks = i == choice ? cursor_marks(focused) : MARK_UNDERLINE;
        explorer_write_cell(explorer, why->cells[i], &text);
        area_text(area_part(area, row, col, 1, choices.width - 1), 0, 0,
                  look_marked(STYLE_NAME, marks), row >= 0 ? text_string(&text) : "");
        text_release(&text);
    }
}

/* The line above the arithmetic, and on it which keys bring rows that are not seen. */
static void draw_rule(const struct explorer *explorer, const struct explorer_why *why, int why_rows,
                      struct area area, bool ascii)
{
    struct choices choices = choices_of(explorer, why, why_rows, area.cols);
    char above[40] = "", below[40] = "";
    area_rule_across(area, 0, ascii);
    if (choices.first_line > 0)
        snprintf(above, sizeof above, " PgUp: %d more ", choices.first_line);
    if (choices.n_below > 0)
        snprintf(below, sizeof below, " PgDn: %d more ", choices.n_below);
    int col = area.cols - (int)strlen(above) - (int)strlen(below) - 1;
    col = area_text(area, 0, col, look_of(STYLE_NOTE), above);
    area_text(area, 0, col, look_of(STYLE_NOTE), below);
}

/* ---- status ---- */

/* How the stages are computed. Returns the column after it. */
static int draw_options(const struct explorer *explorer, struct area area)
{
    static const char *const masks[] = {"no mask", "causal mask", "last word hidden"};
    const struct pipeline *pipeline = &explorer->pipeline;
    const struct pipeline_options *options = &pipeline->options;
    struct text text = {0};
    if (pipeline->sentence[0] == '\0') {
        explorer_write_source(explorer, &text);
    } else {
        if (options->n_heads > 1)
            text_format(&text, "head %u/%u, ", explorer->head + 1, options->n_heads);
        text_format(&text, "%s, %s, temperature %.3g", masks[options->mask],
                    options->is_scaled ? "scaled" : "not scaled", options->temperature);
    }
    if (pipeline->n_edits > 0)
        text_format(&text, ", %zu %s", pipeline->n_edits,
                    pipeline->n_edits == 1 ? "edit" : "edits");
    int end = area_text(area, 0, 0, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
    return end;
}

/* "v: chain NUMBERS heat lines": the views that there are, the one that is seen in capitals. */
static void draw_views(const struct explorer *explorer, struct area area, int from)
{
    static const char *const names[EXPLORE_VIEWS][2] = {
        {"chain", "CHAIN"}, {"numbers", "NUMBERS"}, {"heat", "HEAT"}, {"lines", "LINES"}};
    struct text text = {0};
    struct explorer_chain chain;
    struct places at;
    if (explorer->depth > 0)
        return;
    bool has_chain = lay_out_chain(explorer, area.rows, area.cols, 0, &chain, &at);
    enum explorer_view view =
        explorer->view == EXPLORE_CHAIN && !has_chain ? EXPLORE_NUMBERS : explorer->view;
    if (view == EXPLORE_WORDS && !explorer_shows_words(explorer))
        view = EXPLORE_NUMBERS;
    text_put(&text, "v");
    for (enum explorer_view i = has_chain ? EXPLORE_CHAIN : EXPLORE_NUMBERS; i < EXPLORE_VIEWS; i++)
        text_format(&text, " %s", names[i][i == view]);
    int width = (int)text.size, col = area.cols - width;
    if (col >= from + VIEWS_GAP)
        area_text(area, area.rows - 1, col, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
}

/* "go to: E Q K V scores scaled weights context  g first row": each by its first letter. */
static void draw_goals(const struct explorer *explorer, struct area area)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    int col = area_text(area, 0, 0, look_of(STYLE_QUIET), "go to:");
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const char *name = pipeline->stages[i].name;
        int end = area_text(area, 0, col + 1, look_of(STYLE_QUIET), name);
        area_put(area, 0, col + 1, look_marked(STYLE_TITLE, MARK_BOLD), name, 1);
        col = end;
    }
    area_put(area, 0, col + 2, look_marked(STYLE_TITLE, MARK_BOLD), "g", 1);
    area_text(area, 0, col + 4, look_of(STYLE_QUIET), "first row");
}

/* The last row: what the keys do in the arithmetic, how the stages are computed, the views. */
static void draw_state(const struct explorer *explorer, struct area area)
{
    struct area last = area_part(area, area.rows - 1, 0, 1, area.cols);
    int col = 0;
    if (explorer->is_going) {
        draw_goals(explorer, last);
        return;
    }
    if (explorer->depth > 0)
        col =
            area_text(last, 0, 0, look_of(STYLE_QUIET), "Enter down  Backspace up  Esc closes   ");
    col += draw_options(explorer, area_part(last, 0, col, 1, last.cols - col));
    draw_views(explorer, area, col);
}

/* "Tab: X 3x3  weights 3x3": the tensors whose names go on as what is typed does; or what Enter and
 * Escape do. */
static void draw_names(const struct explorer *explorer, struct area area)
{
    char shape[TENSOR_SHAPE_TEXT];
    const struct variable *variable;
    size_t at = 0;
    int col = 0;
    while ((variable = explorer_matching(explorer, &at)) != NULL && col < area.cols) {
        if (col == 0)
            col = area_text(area, 0, 0, look_of(STYLE_QUIET), "Tab: ");
        col = area_text(area, 0, col, look_of(STYLE_NAME), variable->name);
        tensor_shape_text(&variable->value.as.node->value, shape);
        col = area_format(area, 0, col, look_of(STYLE_QUIET), " %s  ", shape);
    }
    if (variable != NULL || col > area.cols + 2)
        area_text(area, 0, area.cols - (int)strlen(" ..."), look_of(STYLE_QUIET), " ...");
    if (col == 0)
        area_format(area, 0, 0, look_of(STYLE_QUIET), "Enter shows it, %sEsc %s",
                    explorer->n_sentences > 1 ? "Up an earlier one, " : "",
                    explorer->field.size > 0 && !explorer->field.is_chosen ? "clears" : "cancels");
}

/* What stands before the field, and in it while it is empty. */
static void write_field_label(const struct explorer *explorer, struct text *label, char *quiet,
                              size_t capacity)
{
    struct cell cell = explorer_cell(explorer);
    switch (explorer->asks) {
    case ASKS_SOURCE:
        text_put(label, "show: ");
        snprintf(quiet, capacity, "a sentence, or a name of the prompt");
        break;
    case ASKS_HEADS:
        text_format(label, "heads (now %u): ", explorer->pipeline.options.n_heads);
        snprintf(quiet, capacity, "1 to %d; Enter alone: %u, Esc cancels", PIPELINE_MAX_HEADS,
                 explorer_next_heads(explorer));
        break;
    case ASKS_NUMBER:
    default:
        if (cell.node != NULL)
            cell_write(cell, label);
        text_put(label, " = ");
        break;
    }
}

/* What is being typed, after its label; below it a message, or the names that match. */
static void draw_field(const struct explorer *explorer, struct area area)
{
    struct text label = {0};
    char quiet[64] = "";
    bool is_source = explorer->asks == ASKS_SOURCE, has_message = explorer->message[0] != '\0';
    struct area last = area_part(area, area.rows - 1, 0, 1, area.cols), row = last;
    if (area.rows >= FIELD_ROWS && (is_source || has_message)) {
        row = area_part(area, area.rows - 2, 0, 1, area.cols);
        area_fill(row, look_of(STYLE_PLAIN));
        if (has_message)
            area_text(last, 0, 0, look_of(STYLE_NOTE), explorer->message);
        else
            draw_names(explorer, last);
    }
    write_field_label(explorer, &label, quiet, sizeof quiet);
    /* However long the label is, the field is seen. */
    int cols = (int)text_width(text_string(&label), label.size), most = area.cols - FIELD_COLS;
    int col = cols <= most ? cols : most > 0 ? most : 0;
    area_text(area_part(row, 0, 0, 1, col), 0, col - cols, look_of(STYLE_NAME),
              text_string(&label));
    field_draw(&explorer->field, area_part(row, 0, col, 1, row.cols - col), quiet, true);
    text_release(&label);
}

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

/* The last rows of the pane: what went wrong while drawing (or NULL), what is being typed, a
 * message, or how the stages are computed. */
static void draw_status(const struct explorer *explorer, struct area area, const char *problem)
{
    if (area.rows < 2)
        return;
    if (problem != NULL)
        draw_message(area, STYLE_BAD, problem);
    else if (explorer->is_typing)
        draw_field(explorer, area);
    else if (explorer->message[0] != '\0' && area.rows < FIELD_ROWS)
        draw_message(area, STYLE_NOTE, explorer->message);
    else {
        draw_state(explorer, area);
        if (explorer->message[0] != '\0') /* above it, so that it hides no state */
            draw_message(area_part(area, 0, 0, area.rows - 1, area.cols), STYLE_NOTE,
                         explorer->message);
    }
}

/* ---- the pane ---- */

/* Nothing but ASCII is left on the pane. */
static void make_ascii(struct area area)
{
    for (int row = 0; row < area.rows; row++)
        for (int col = 0; col < area.cols; col++) {
            const struct canvas_cell *cell =
                &area.canvas->cells[(area.row + row) * area.canvas->cols + area.col + col];
            if ((unsigned char)cell->bytes[0] >= 0x80 ||
                (cell->bytes[0] != '\0' && cell->bytes[1] != '\0'))
                area_text(area, row, col, cell->look, cell->cols == 2 ? "? " : "?");
        }
}

/* So many rows of an area. */
static struct area rows_of(struct area area, int row, int rows)
{
    return area_part(area, row, 0, rows, area.cols);
}

/* weights["Hello", "sun"] = 0.3452. Where that is too long, its name is cut: the number is seen.
 * Returns the column after it. */
static int draw_cell_line(struct area area, const char *line)
{
    const char *equals = strstr(line, "] = ") != NULL ? strstr(line, "] = ") + 1 : line;
    size_t size = (size_t)(equals - line);
    int room = area.cols - (int)text_width(equals, strlen(equals));
    if ((int)text_width(line, strlen(line)) <= area.cols || room < 2 || size == 0)
        return area_text(area, 0, 0, look_of(STYLE_NAME), line);
    int col =
        area_put(area, 0, 0, look_of(STYLE_NAME), line, text_fit(line, size, (size_t)room - 2));
    col = area_text(area, 0, col, look_of(STYLE_NAME), "..");
    return area_text(area, 0, col, look_of(STYLE_NAME), equals);
}

/* The cell under the cursor: its name and its number. */
static void draw_closed_cell(const struct explorer *explorer, struct area area)
{
    struct text text = {0};
    struct cell cell = explorer_cell(explorer);
    if (cell.node == NULL || explorer->is_bare)
        return;
    explorer_write_cell(explorer, cell, &text);
    int col = draw_cell_line(area, text_string(&text));
    static const char hint[] = "   Enter: why";
    if (col + (int)strlen(hint) <= area.cols)
        area_text(area, 0, col, look_of(STYLE_QUIET), hint);
    text_release(&text);
}

/* The formula's row; nothing on a pane that has none. */
static struct area formula_of(struct area area, struct places at)
{
    return rows_of(area, 1, at.table > 1 ? 1 : 0);
}

static void draw_arithmetic(const struct explorer *explorer, const struct explorer_why *why,
                            struct places at, struct area area, bool focused, bool ascii)
{
    draw_formula(explorer, NULL, formula_of(area, at));
    if (at.rule >= 0)
        draw_rule(explorer, why, at.why_rows, rows_of(area, at.rule, 1), ascii);
    draw_why(explorer, why, rows_of(area, at.why, at.why_rows), focused);
}

/* The arithmetic of the cell under the cursor, if it is not open and there is room for all of it.
 */
static void draw_preview(const struct explorer *explorer, struct area area)
{
    struct explorer opened = *explorer;
    struct explorer_why why;
    opened.path[0].cell = explorer_cell(explorer);
    opened.depth = 1;
    if (area.rows < PREVIEW_ROWS || explorer->is_bare || opened.path[0].cell.node == NULL ||
        !explorer_explain(&opened, (size_t)area.cols, &why, NULL))
        return;
    if (why.lines.n_lines <= (size_t)area.rows)
        area_doc(area, &why.lines, 1, 0); /* the first is the number itself */
    explorer_why_release(&why);
}

static bool draw_chain(const struct explorer *explorer, const struct explorer_why *why,
                       struct area area, bool focused, bool ascii)
{
    struct explorer_chain chain;
    struct places at;
    bool open = explorer->depth > 0;
    int wanted = open ? why_rows_wanted(explorer, why, area.cols) : 0;
    if (explorer->view != EXPLORE_CHAIN ||
        !lay_out_chain(explorer, area.rows, area.cols, wanted, &chain, &at))
        return false;
    if (open) {
        draw_arithmetic(explorer, why, at, area, focused, ascii);
    } else {
        draw_chain_formula(explorer, &chain, formula_of(area, at));
        draw_closed_cell(explorer, rows_of(area, at.why, at.why_rows));
        int end = at.why + at.why_rows;
        draw_preview(explorer, rows_of(area, end, area.rows - end - 2));
    }
    explorer_chain_draw(explorer, &chain, why, rows_of(area, at.table, at.table_rows), focused,
                        ascii);
    return true;
}

static bool draw_open(const struct explorer *explorer, const struct explorer_why *why,
                      struct area area, bool focused, bool ascii, struct error *reterr)
{
    struct places at;
    struct explorer_operands operands;
    if (!lay_out_open(explorer, why, area, ascii, &at, &operands, reterr))
        return false;
    int end = at.why + at.why_rows;
    draw_arithmetic(explorer, why, at, area, focused, ascii);
    explorer_operands_draw(explorer, why, &operands, rows_of(area, at.table, operands.top_rows),
                           rows_of(area, end + 1, area.rows - end - 2), focused);
    explorer_operands_release(&operands);
    return true;
}

/* A stage that is seen whole in the room that is left, with its operation above it. False if it
 * does not fit. *ret_rows, *ret_cols: what it takes. */
static bool draw_other(const struct explorer *explorer, struct node *node, struct area area,
                       bool ascii, int *ret_rows, int *ret_cols)
{
    struct explorer_table table;
    struct text title = {0};
    if (area.rows < 2 ||
        !explorer_numbers(explorer, node, 0, 0, area.rows - 1, area.cols, ascii, &table, NULL))
        return false;
    bool is_whole = table.n_rows == table.slice.n_rows && table.n_cols == table.slice.n_cols;
    text_put(&title, node->n_parents == 0 ? " from " : " = ");
    node_write_operation(node, &title);
    const char *name = node->name != NULL ? node->name : "";
    int title_cols =
        (int)(text_width(name, strlen(name)) + text_width(text_string(&title), title.size));
    *ret_rows = table.rows + 1;
    *ret_cols = title_cols > table.cols ? title_cols : table.cols;
    is_whole = is_whole && *ret_cols <= area.cols;
    if (is_whole) {
        int col = area_text(area, 0, 0, look_of(STYLE_NAME), name);
        area_text(area, 0, col, look_of(STYLE_QUIET), text_string(&title));
        explorer_table_draw(&table, area_part(area, 1, 0, table.rows, table.cols));
    }
    text_release(&title);
    explorer_table_release(&table);
    return is_whole;
}

/* In the room below one stage, those that follow it and then the first ones, as many as are seen
 * whole: side by side, and in rows below each other. */
static void draw_others(const struct explorer *explorer, struct area area, bool ascii)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    int row = 0, col = 0, next_row = 0;
    if (area.rows < OTHERS_ROWS || explorer->is_bare)
        return;
    for (size_t i = 1; i < pipeline->n_stages; i++) {
        struct node *node = pipeline->stages[(explorer->stage + i) % pipeline->n_stages].node;
        int rows = 0, cols = 0;
        for (int attempt = 0; attempt < 2; attempt++) {
            struct area place = area_part(area, row, col, area.rows - row, area.cols - col);
            if (draw_other(explorer, node, place, ascii, &rows, &cols)) {
                next_row = row + rows + 1 > next_row ? row + rows + 1 : next_row;
                col += cols + OTHERS_GAP;
                break;
            }
            if (col == 0) /* it fits into no row */
                break;
            row = next_row;
            col = 0;
        }
    }
}

/* One stage, and below it the cell under the cursor. */
static bool draw_stage(const struct explorer *explorer, struct area area, bool focused, bool ascii,
                       struct error *reterr)
{
    struct places at = places_closed(area.rows, 0);
    struct area table = rows_of(area, at.table, at.table_rows), formula = formula_of(area, at);
    int taken;
    if (explorer_shows_words(explorer))
        taken = draw_words(explorer, table, formula, focused, ascii);
    else if (!draw_table(explorer, table, formula, focused, ascii, &taken, reterr))
        return false;
    at = places_closed(area.rows, taken);
    draw_closed_cell(explorer, rows_of(area, at.why, at.why_rows));
    int end = at.why + at.why_rows + 1;
    struct area free = rows_of(area, end, area.rows - end - 2);
    if (explorer->pipeline.sentence[0] != '\0')
        draw_others(explorer, free, ascii);
    else
        draw_preview(explorer, rows_of(area, end - 1, area.rows - end - 1));
    return true;
}

void explorer_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct explorer *explorer = state;
    struct explorer_why why = {.cells = NULL};
    struct error error;
    if (area.rows == 0 || area.cols == 0)
        return;
    ascii = ascii || explorer->pipeline.session.settings.ascii;
    bool ok = explorer->depth == 0 || explorer_explain(explorer, (size_t)area.cols, &why, &error);
    if (ok && explorer_node(explorer) != NULL)
        ok = draw_chain(explorer, &why, area, focused, ascii) ||
             (explorer->depth > 0 ? draw_open(explorer, &why, area, focused, ascii, &error)
                                  : draw_stage(explorer, area, focused, ascii, &error));
    if (!explorer->is_bare) {
        draw_stages(explorer, &why, area, focused);
        draw_status(explorer, area, ok ? NULL : error.text);
    }
    explorer_why_release(&why);
    if (ascii)
        make_ascii(area);
}

void explorer_draw_bare(const void *state, struct area area, bool ascii)
{
    struct explorer bare = *(const struct explorer *)state;
    bare.is_bare = true;
    explorer_draw(&bare, area, false, ascii);
}

/* ---- clicks ---- */

/* A cell to choose from; a second click goes down to it. */
static bool click_choice(struct explorer *explorer, struct area area, int row, int col,
                         bool is_double)
{
    struct explorer_why why;
    struct error error;
    if (!explorer_explain(explorer, (size_t)area.cols, &why, &error)) {
        explorer_say(explorer, "%s", error.text);
        return true;
    }
    struct places at;
    if (!places_with(explorer, &why, area, &at)) {
        explorer_why_release(&why);
        return false;
    }
    struct choices choices = choices_of(explorer, &why, at.why_rows, area.cols);
    int line = row - at.why + choices.first_line - choices.n_lines, across = col / choices.width;
    int i = line * choices.n_cols + across;
    bool hit = row >= at.why && row < at.why + at.why_rows && line >= 0 &&
               across < choices.n_cols && i < (int)why.n_cells;
    explorer_why_release(&why);
    if (hit)
        explorer->path[explorer->depth - 1].choice = (size_t)i;
    if (hit && is_double)
        explorer_open(explorer);
    return hit;
}

static bool click_table(struct explorer *explorer, struct area area, int row, int col,
                        bool is_double)
{
    struct explorer_table table;
    struct places at;
    struct explorer_chain chain;
    bool is_chain = explorer->view == EXPLORE_CHAIN &&
                    lay_out_chain(explorer, area.rows, area.cols, 0, &chain, &at);
    size_t to_row = explorer->row, to_col = explorer->col;
    bool hit;
    if (!is_chain)
        at = places_closed(area.rows, 0);
    if (row < at.table || row >= at.table + at.table_rows)
        return false;
    if (is_chain) {
        hit = explorer_chain_at(&chain, row - at.table, col, &explorer->stage, &to_row, &to_col);
    } else if (explorer_shows_words(explorer)) {
        hit = explorer_words_at(explorer, rows_of(area, at.table, at.table_rows), row - at.table,
                                col, &to_row, &to_col);
    } else {
        bool ascii = explorer->pipeline.session.settings.ascii;
        if (!explorer_main_table(explorer, at.table_rows, area.cols, ascii, &table, NULL))
            return false;
        hit = explorer_table_at(&table, row - at.table, col, &to_row, &to_col);
        explorer_table_release(&table);
    }
    if (!hit)
        return false;
    explorer->row = to_row;
    explorer->col = to_col;
    if (is_double)
        explorer_open(explorer);
    return true;
}

bool explorer_go_to_place(struct explorer *explorer, struct area area, int row, int col,
                          bool is_double)
{
    int starts[PIPELINE_MAX_STAGES + 1];
    size_t stage = explorer->pipeline.n_stages;
    if (explorer_node(explorer) == NULL)
        return false;
    if (row > 0 && explorer->depth > 0)
        return click_choice(explorer, area, row, col, is_double);
    if (row > 0)
        return click_table(explorer, area, row, col, is_double);
    place_stages(explorer, area.cols, starts);
    while (stage > 0 && col < starts[stage - 1])
        stage--;
    if (stage > 0)
        explorer_show_stage(explorer, stage - 1);
    return stage > 0;
}
