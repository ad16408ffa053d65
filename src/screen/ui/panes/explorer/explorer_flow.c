/* Lines of flow: from the stages that hold an open number's operands to the number, through the
 * free columns and rows between the stages. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/explain.h"
#include "graph/node.h"

enum { UP = 8, DOWN = 4, LEFT = 2, RIGHT = 1 };

/* The rows and columns of a box, as they are seen, that hold operands. */
struct operands {
    size_t first_row, last_row, first_col, last_col;
    bool any;
};

static void add_operand(struct operands *operands, const struct explorer_chain_box *box,
                        size_t position)
{
    size_t size = box->slice.n_rows * box->slice.n_cols;
    if (size == 0 || position / size != box->slice.index)
        return;
    size_t row = position % size / box->slice.n_cols, col = position % box->slice.n_cols;
    if (box->role == CHAIN_KEYS) {
        size_t turned = row;
        row = col;
        col = turned;
    }
    if (!operands->any)
        *operands = (struct operands){row, row, col, col, true};
    operands->first_row = size_min(operands->first_row, row);
    operands->last_row = size_max(operands->last_row, row);
    operands->first_col = size_min(operands->first_col, col);
    operands->last_col = size_max(operands->last_col, col);
}

/* Adds a cell to the operands of its stage; of what is no stage, such as X @ W_q before it is split
 * into heads, those that it was made from. */
static void add_cell(struct explorer_chain *chain, struct cell cell, bool goes_on,
                     struct operands *operands)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->boxes[i].node == cell.node) {
            add_operand(&operands[i], &chain->boxes[i], cell.position);
            return;
        }
    struct explanation explanation;
    struct doc lines;
    if (!goes_on)
        return;
    doc_init(&lines);
    explanation_init(&explanation, &lines, 1);
    if (explain_cell(cell, &explanation, NULL))
        for (size_t i = 0; i < explanation.n_cells; i++)
            add_cell(chain, explanation.cells[i], false, operands);
    explanation_release(&explanation);
    doc_release(&lines);
}

static int clamp(size_t at, size_t first, size_t n)
{
    return at < first ? 0 : at - first >= n ? (int)n - 1 : (int)(at - first);
}

static int row_of(const struct explorer_chain_box *box, size_t row)
{
    return box->row + clamp(row, box->first_row, box->n_rows);
}

static int middle_of(const struct explorer_chain_box *box, size_t col)
{
    return box->col + clamp(col, box->first_col, box->n_cols) * box->cell_cols + box->cell_cols / 2;
}

static int end_of(const struct explorer_chain_box *box)
{
    return box->col + (int)box->n_cols * box->cell_cols;
}

static bool has_box_between(const struct explorer_chain *chain,
                            const struct explorer_chain_box *from,
                            const struct explorer_chain_box *to)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct explorer_chain_box *box = &chain->boxes[i];
        if (box->band == from->band && box->col > from->col && box->col < to->col)
            return true;
    }
    return false;
}

static void add_point(struct chain_flow *flow, int row, int col)
{
    flow->points[flow->n_points++] = (struct chain_point){row, col};
}

/* From the right side of one stage to the left side of the next. */
static void go_across(const struct explorer_chain_box *from, const struct explorer_chain_box *to,
                      int from_row, int to_row, struct chain_flow *flow)
{
    int left = to->label_col > 0 ? to->label_col - 1 : to->col - 1;
    int middle = (end_of(from) + left) / 2;
    add_point(flow, from_row, end_of(from));
    if (from_row != to_row) {
        add_point(flow, from_row, middle);
        add_point(flow, to_row, middle);
    }
    add_point(flow, to_row, left);
}

/* Through the free row below a band, and down to the top of the other stage or, in the same band,
 * to its left side. */
static void go_around(const struct explorer_chain *chain, const struct explorer_chain_box *from,
                      const struct explorer_chain_box *to, const struct operands *operands,
                      struct chain_point end, struct chain_flow *flow)
{
    int free_row = chain->band_ends[from->band], from_col = end_of(from);
    if (operands->first_col == operands->last_col) {
        from_col = middle_of(from, operands->first_col);
    } else {
        add_point(flow, row_of(from, operands->first_row), from_col);
    }
    add_point(flow, free_row, from_col);
    if (to->band > from->band) {
        add_point(flow, free_row, end.col);
        add_point(flow, to->row - 1, end.col);
        return;
    }
    int left = to->label_col > 0 ? to->label_col - 1 : to->col - 1;
    add_point(flow, free_row, left - 1);
    add_point(flow, end.row, left - 1);
    add_point(flow, end.row, left);
}

static void find_way(const struct explorer_chain *chain, const struct explorer_chain_box *from,
                     const struct explorer_chain_box *to, const struct operands *operands,
                     struct chain_point end, struct chain_flow *flow)
{
    int col = middle_of(from, operands->first_col);
    bool is_below =
        to->band > from->band && operands->first_col == operands->last_col && col == end.col;
    flow->stage = from->stage;
    flow->n_points = 0;
    if (is_below) {
        add_point(flow, from->row + (int)from->n_rows, col);
        add_point(flow, to->row - 1, col);
    } else if (to->band == from->band && to->col > from->col && !has_box_between(chain, from, to)) {
        go_across(from, to, row_of(from, operands->first_row), end.row, flow);
    } else {
        go_around(chain, from, to, operands, end, flow);
    }
}

size_t explorer_chain_flows(const struct explorer *explorer, struct explorer_chain *chain,
                            const struct explorer_why *why,
                            struct chain_flow flows[PIPELINE_MAX_STAGES])
{
    struct operands operands[PIPELINE_MAX_STAGES] = {{.any = false}};
    size_t n = 0;
    if (explorer->depth == 0)
        return 0;
    struct chain_cell open = explorer_chain_cell(explorer);
    const struct explorer_chain_box *to = explorer_chain_box_of(chain, open.stage);
    if (to == NULL)
        return 0;
    bool turned = to->role == CHAIN_KEYS;
    struct chain_point end = {row_of(to, turned ? open.col : open.row),
                              middle_of(to, turned ? open.row : open.col)};
    for (size_t i = 0; i < why->n_cells; i++)
        add_cell(chain, why->cells[i], true, operands);
    for (size_t i = 0; i < chain->n; i++)
        if (operands[i].any)
            find_way(chain, &chain->boxes[i], to, &operands[i], end, &flows[n++]);
    return n;
}

/* ---- drawing ---- */

/* The lines as the ends that each place of the area has. */
struct net {
    unsigned char *ends; /* [rows][cols] */
    int rows, cols;
};

static bool is_blank(struct area area, int row, int col)
{
    if (row < 0 || col < 0 || row >= area.rows || col >= area.cols)
        return false;
    const struct canvas_cell *cell =
        &area.canvas->cells[(area.row + row) * area.canvas->cols + area.col + col];
    return cell->look.back == TINT_NONE &&
           (cell->bytes[0] == '\0' || (cell->bytes[0] == ' ' && cell->bytes[1] == '\0')) &&
           cell->cols == 1;
}

/* One step along a line; the last blank place that it comes to gets the arrow. */
struct arrow {
    int row, col, towards;
};

static void put_end(struct net *net, int row, int col, int end)
{
    if (row >= 0 && col >= 0 && row < net->rows && col < net->cols)
        net->ends[row * net->cols + col] |= (unsigned char)end;
}

static void walk(struct net *net, struct area area, const struct chain_flow *flow,
                 struct arrow *arrow)
{
    for (size_t i = 0; i + 1 < flow->n_points; i++) {
        struct chain_point from = flow->points[i], to = flow->points[i + 1];
        int down = (to.row > from.row) - (to.row < from.row);
        int across = (to.col > from.col) - (to.col < from.col);
        int leaves = down > 0 ? DOWN : down < 0 ? UP : across > 0 ? RIGHT : LEFT;
        int enters = down > 0 ? UP : down < 0 ? DOWN : across > 0 ? LEFT : RIGHT;
        int row = from.row, col = from.col;
        if (i == 0)
            put_end(net, row, col, enters);
        for (;;) {
            if (is_blank(area, row, col))
                *arrow = (struct arrow){row, col, leaves};
            if (row == to.row && col == to.col)
                break;
            put_end(net, row, col, leaves);
            row += down;
            col += down == 0 ? across : 0;
            put_end(net, row, col, enters);
        }
    }
}

static const char *arrow_sign(int towards, bool ascii)
{
    switch (towards) {
    case DOWN:
        return ascii ? "v" : "\xE2\x96\xBC";
    case UP:
        return ascii ? "^" : "\xE2\x96\xB2";
    case LEFT:
        return ascii ? "<" : "\xE2\x97\x80";
    default:
        return ascii ? ">" : "\xE2\x96\xB6";
    }
}

void explorer_chain_draw_flows(const struct chain_flow *flows, size_t n, struct area area,
                               bool ascii)
{
    struct arrow arrows[PIPELINE_MAX_STAGES];
    struct net net = {.rows = area.rows, .cols = area.cols};
    struct canvas_look look = look_marked(STYLE_NOTE, MARK_BOLD);
    char sign[4];
    net.ends = calloc((size_t)area.rows * (size_t)area.cols + 1, 1);
    if (net.ends == NULL) /* the operands are marked without lines too */
        return;
    for (size_t i = 0; i < n; i++) {
        arrows[i] = (struct arrow){-1, -1, 0};
        walk(&net, area, &flows[i], &arrows[i]);
    }
    for (int row = 0; row < area.rows; row++)
        for (int col = 0; col < area.cols; col++) {
            int ends = net.ends[row * net.cols + col];
            if (ends != 0 && is_blank(area, row, col))
                area_text(
                    area, row, col, look,
                    explorer_joint(ends & UP, ends & DOWN, ends & LEFT, ends & RIGHT, ascii, sign));
        }
    for (size_t i = 0; i < n; i++)
        if (arrows[i].row >= 0)
            area_text(area, arrows[i].row, arrows[i].col, look,
                      arrow_sign(arrows[i].towards, ascii));
    free(net.ends);
}
