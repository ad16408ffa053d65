/* The tables while arithmetic is open: that of the open cell, and those of the cells that it was
 * made from, beside each other above the arithmetic and, where there is no room, below it. */
#include "ui/panes/explorer/explorer_internal.h"

#include "graph/node.h"
#include "tensor/tensor.h"

enum {
    SIDE_MIN = 14, /* columns that a table needs beside another */
    STACK_MIN = 3, /* rows that it needs at all */
    TOP_MIN = 5,   /* rows that tables beside each other have where they can */
    TABLE_GAP = 3, /* columns between tables */
    BELOW_GAP = 1, /* rows between the arithmetic and the tables below it */
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
    ret->top_rows = ret->next_row;
    return true;
}

static bool has_table(const struct explorer_operands *operands, const struct node *node)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->all[i].table.node == node)
            return true;
    return false;
}

/* For a table with its title. */
struct room {
    int rows, cols;
};

static bool has_room(struct room room)
{
    return room.rows >= STACK_MIN && room.cols >= SIDE_MIN;
}

static struct room room_beside(const struct explorer_operands *operands)
{
    bool is_top = operands->row == 0;
    int rows = is_top ? operands->top_rows : operands->rows - operands->row;
    return (struct room){rows, operands->cols - operands->col};
}

/* Below all tables, where the next one would begin in row *ret_start. */
static struct room room_below(const struct explorer_operands *operands, int *ret_start)
{
    *ret_start = operands->next_row + (operands->row == 0 ? BELOW_GAP : 0);
    return (struct room){operands->rows - *ret_start, operands->cols};
}

/* The table that the cell is in, as much of it as there is room for, the cell among it. */
static bool make_table(const struct explorer *explorer, struct cell cell, struct room room,
                       bool ascii, struct explorer_table *ret, struct error *reterr)
{
    struct explorer_slice slice = explorer_slice_of(cell.node, explorer->head);
    size_t at = cell.position % (slice.n_rows * slice.n_cols);
    return explorer_numbers(explorer, cell.node, at / slice.n_cols, at % slice.n_cols,
                            room.rows - 1, room.cols, ascii, ret, reterr);
}

/* Puts the table of a cell that the number was made from beside the others, unless it is there;
 * below them where it would be cut and has more room. */
static bool add_table(const struct explorer *explorer, struct cell cell,
                      struct explorer_operands *operands, struct error *reterr)
{
    struct explorer_table table;
    int start;
    struct room beside = room_beside(operands), below = room_below(operands, &start);
    bool has_below = has_room(below), is_higher = has_below && below.rows > beside.rows;
    struct room most = {is_higher ? below.rows : beside.rows, has_below ? below.cols : beside.cols};
    if (tensor_size(&cell.node->value) == 0 || cell.node->value.n_axes == 0 ||
        has_table(operands, cell.node) || (!has_below && !has_room(beside)))
        return true;
    if (!make_table(explorer, cell, most, operands->ascii, &table, reterr))
        return false;
    bool goes_below = has_below && (beside.rows < STACK_MIN || table.cols > beside.cols ||
                                    (is_higher && height_of(&table) > beside.rows));
    struct room room = goes_below ? below : beside;
    if (height_of(&table) > room.rows) { /* it is scrolled for fewer rows */
        explorer_table_release(&table);
        if (!make_table(explorer, cell, room, operands->ascii, &table, reterr))
            return false;
    }
    if (goes_below) {
        operands->row = start;
        operands->col = 0;
    }
    put_table(operands, &table, true);
    return true;
}

/* Where too few rows are left below for a table, one beside a small table may have a few more than
 * that. Which number is chosen changes nothing here: the arithmetic stays where it is. */
static void share_rows(struct explorer_operands *operands)
{
    int start, most = operands->rows < TOP_MIN ? operands->rows : TOP_MIN;
    if (!has_room(room_below(operands, &start)) && room_beside(operands).cols >= SIDE_MIN &&
        operands->top_rows < most)
        operands->top_rows = operands->next_row = most;
}

bool explorer_operands_add(const struct explorer *explorer, const struct explorer_why *why,
                           int rows, struct explorer_operands *operands, struct error *reterr)
{
    size_t choice = explorer_choice(explorer, why);
    operands->rows = rows;
    if (why->n_cells > 0)
        share_rows(operands);
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
        if (put->is_titled && operands->n > 1) /* one alone has its name in the row above */
            draw_title(put->table.node, place);
        explorer_table_draw(&put->table, body);
        mark_cells(&put->table, why, choice, body);
        if (i == 0 && cell.node != NULL)
            explorer_table_point(&put->table, body, cell.position, focused);
    }
}
