/* The tables while arithmetic is open: that of the open cell, and those of the cells that it was
 * made from, beside each other above the arithmetic and, where there is no room, below it. */
#include "ui/panes/explorer/explorer_internal.h"

#include "graph/node.h"
#include "tensor/tensor.h"

enum {
    SIDE_MIN = 14, /* columns that a table needs beside another */
    STACK_MIN = 3, /* rows that it needs below */
    TABLE_GAP = 3, /* columns between tables */
    BELOW_GAP = 1, /* rows between the arithmetic and the tables below it */
    MORE_ROWS = 1, /* a heading, that a table has more than one beside it */
};

/* The rows of a table with its title. */
static int height_of(const struct explorer_table *table)
{
    return table->rows + 1;
}

/* Puts a table at the next place, which takes it over. */
static void put_table(struct explorer_operands *operands, const struct explorer_table *table,
                      bool is_titled)
{
    int most = operands->rows - operands->row, height = table->rows + (is_titled ? 1 : 0);
    struct explorer_operand *put = &operands->all[operands->n++];
    *put = (struct explorer_operand){.table = *table,
                                     .row = operands->row,
                                     .col = operands->col,
                                     .rows = height < most ? height : most,
                                     .is_titled = is_titled};
    operands->col += table->cols + TABLE_GAP;
    if (put->row + put->rows > operands->next_row)
        operands->next_row = put->row + put->rows;
    if (put->row == 0)
        operands->top_rows = operands->next_row;
}

bool explorer_operands_begin(const struct explorer *explorer, int rows, int cols, bool ascii,
                             struct explorer_operands *ret, struct error *reterr)
{
    struct explorer_table table;
    bool is_titled = rows > 2;
    *ret = (struct explorer_operands){.rows = rows, .cols = cols, .ascii = ascii};
    if (!explorer_main_table(explorer, rows - (is_titled ? 1 : 0), cols, ascii, &table, reterr))
        return false;
    put_table(ret, &table, is_titled);
    return true;
}

static bool has_table(const struct explorer_operands *operands, const struct node *node)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->all[i].table.node == node)
            return true;
    return false;
}

/* Puts the table of a cell that the number was made from beside the others, unless it is there;
 * below them where it would be cut there, or would push the arithmetic away from its number. */
static bool add_table(const struct explorer *explorer, struct cell cell,
                      struct explorer_operands *operands, struct error *reterr)
{
    struct explorer_table table;
    struct explorer_slice slice = explorer_slice_of(cell.node, explorer->head);
    size_t size = slice.n_rows * slice.n_cols;
    bool is_top = operands->row == 0;
    int start = operands->next_row + (is_top ? BELOW_GAP : 0);
    int beside = operands->cols - operands->col, below = operands->rows - start;
    int cols = below < STACK_MIN ? beside : operands->cols;
    int rows = operands->rows - operands->row - 1;
    if (size == 0 || cell.node->value.n_axes == 0 || has_table(operands, cell.node))
        return true;
    size_t row = cell.position % size / slice.n_cols, col = cell.position % slice.n_cols;
    if (below < STACK_MIN && (beside < SIDE_MIN || rows < STACK_MIN - 1))
        return true;
    if (!explorer_numbers(explorer, cell.node, row, col, rows, cols, operands->ascii, &table,
                          reterr))
        return false;
    bool pushes = is_top && height_of(&table) > operands->all[0].rows + MORE_ROWS &&
                  height_of(&table) <= below;
    if (below >= STACK_MIN && (table.cols > beside || pushes)) {
        bool is_cut = height_of(&table) > below; /* it is scrolled for fewer rows */
        if (is_cut)
            explorer_table_release(&table);
        if (is_cut && !explorer_numbers(explorer, cell.node, row, col, below - 1, cols,
                                        operands->ascii, &table, reterr))
            return false;
        operands->row = start;
        operands->col = 0;
    }
    put_table(operands, &table, true);
    return true;
}

bool explorer_operands_add(const struct explorer *explorer, const struct explorer_why *why,
                           int rows, struct explorer_operands *operands, struct error *reterr)
{
    size_t choice = explorer_choice(explorer, why);
    operands->rows = rows;
    for (size_t i = 0; i < why->n_cells && operands->n < EXPLORER_TABLES_MAX; i++)
        if (!add_table(explorer, why->cells[(choice + i) % why->n_cells], operands, reterr))
            return false;
    return true;
}

void explorer_operands_release(struct explorer_operands *operands)
{
    while (operands->n > 0)
        explorer_table_release(&operands->all[--operands->n].table);
}

/* Marks those of the cells that the number was made from which are in this table. */
static void mark_cells(const struct explorer_table *table, const struct explorer_why *why,
                       size_t choice, struct area area)
{
    for (size_t i = 0; i < why->n_cells; i++)
        if (why->cells[i].node == table->node)
            explorer_table_mark(table, area, why->cells[i].position,
                                MARK_UNDERLINE | (i == choice ? (unsigned)MARK_BOLD : 0));
}

static void draw_title(const struct node *node, struct area area)
{
    struct text name = {0};
    node_write(node, &name);
    area_text(area, 0, 0, look_of(STYLE_TITLE), text_string(&name));
    text_release(&name);
}

void explorer_operands_draw(const struct explorer *explorer, const struct explorer_why *why,
                            const struct explorer_operands *operands, struct area above,
                            struct area below, bool focused)
{
    size_t choice = explorer_choice(explorer, why);
    struct cell cell = explorer_cell(explorer);
    for (size_t i = 0; i < operands->n; i++) {
        const struct explorer_operand *put = &operands->all[i];
        bool is_top = put->row == 0;
        int row = is_top ? 0 : put->row - operands->top_rows - BELOW_GAP;
        struct area place =
            area_part(is_top ? above : below, row, put->col, put->rows, put->table.cols + 2);
        struct area body = area_part(place, put->is_titled ? 1 : 0, 0, place.rows, place.cols);
        if (put->is_titled)
            draw_title(put->table.node, place);
        explorer_table_draw(&put->table, body);
        mark_cells(&put->table, why, choice, body);
        if (i == 0 && cell.node != NULL)
            explorer_table_point(&put->table, body, cell.position, focused);
    }
}
