/* One head drawn small, or one head of two texts side by side: a cell for each query and key, or
 * for several of them. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/run.h"
#include "show/labels.h"
#include "ui/terminal/scroll.h"

/* ---- the tables ---- */

void heads_map_release(struct heads_map *map)
{
    for (size_t i = 0; i < map->n_tables; i++)
        tensor_release(&map->tables[i]);
    map->n_tables = 0;
}

/* The head in a run, as it is looked at: n x n, dense. */
static bool take_table(struct run *run, const struct head_look *look, struct tensor *ret,
                       struct error *reterr)
{
    struct tensor one;
    struct node *node = head_node(run, look, reterr);
    bool ok = node != NULL && tensor_pick(&node->value, 0, look->head, &one, reterr);
    if (ok) {
        ok = tensor_dense(&one, ret, reterr);
        tensor_release(&one);
    }
    node_free(node);
    return ok;
}

/* The numbers of the paired queries and keys; side 0: of the first text. */
static bool take_pairs(const struct tensor *all, const struct alignment *alignment, int side,
                       struct tensor *ret, struct error *reterr)
{
    size_t n = alignment->n, width = all->shape[1];
    if (!tensor_empty(2, (size_t[]){n, n}, ret, reterr))
        return false;
    for (size_t q = 0; q < n; q++)
        for (size_t k = 0; k < n; k++)
            ret->data[q * n + k] =
                all->data[alignment->pairs[q][side] * width + alignment->pairs[k][side]];
    return true;
}

static bool add_side(struct heads_pane *pane, struct run *run, int side, struct error *reterr)
{
    struct tensor all;
    if (!take_table(run, &pane->look, &all, reterr))
        return false;
    struct heads_map *map = &pane->map;
    bool ok = take_pairs(&all, &pane->alignment, side, &map->tables[map->n_tables], reterr);
    map->n_tables += ok;
    tensor_release(&all);
    return ok;
}

static bool add_difference(struct heads_map *map, struct error *reterr)
{
    const float *a = map->tables[0].data, *b = map->tables[1].data;
    if (!tensor_empty(2, map->tables[0].shape, &map->tables[2], reterr))
        return false;
    for (size_t i = 0; i < tensor_size(&map->tables[2]); i++)
        map->tables[2].data[i] = b[i] - a[i];
    map->n_tables++;
    return true;
}

bool heads_map_fill(struct heads_pane *pane, struct error *reterr)
{
    struct heads_map *map = &pane->map;
    heads_map_release(map);
    if (pane->other != NULL)
        return add_side(pane, pane->other, 0, reterr) && add_side(pane, pane->run, 1, reterr) &&
               add_difference(map, reterr);
    bool ok = take_table(pane->run, &pane->look, &map->tables[0], reterr);
    map->n_tables = ok;
    return ok;
}

/* ---- moving and zooming ---- */

size_t heads_map_size(const struct heads_pane *pane)
{
    return pane->other != NULL ? pane->alignment.n : run_length(pane->run);
}

bool heads_map_move(struct heads_pane *pane, enum request request)
{
    struct heads_map *map = &pane->map;
    size_t n = heads_map_size(pane), step = size_max(map->each, 1);
    ptrdiff_t steps;
    map->row = scroll_step(map->row, 0, n);
    map->col = scroll_step(map->col, 0, n);
    if (request == REQ_LEFT || request == REQ_RIGHT)
        map->col = scroll_step(map->col, (ptrdiff_t)step * (request == REQ_LEFT ? -1 : 1), n);
    else if (scroll_steps_of(request, 8, n, &steps))
        map->row = scroll_step(map->row, (ptrdiff_t)step * steps, n);
    else
        return false;
    return true;
}

void heads_map_zoom(struct heads_pane *pane, bool out)
{
    struct heads_map *map = &pane->map;
    if (out && map->each >= heads_map_size(pane))
        heads_say(pane, "all of it is visible already");
    else if (out)
        map->each = map->each == 0 ? 1 : map->each * 2;
    else
        map->each /= 2;
}

/* ---- what a cell stands for ---- */

/* The mean of the numbers in rows [top, end) and columns [left, right), what a mask hides left out;
 * NaN where it hides all. */
static double mean_of(const struct tensor *table, size_t top, size_t end, size_t left, size_t right,
                      bool is_causal)
{
    double sum = 0;
    size_t n = 0, width = table->shape[1];
    for (size_t q = top; q < size_min(end, table->shape[0]); q++)
        for (size_t k = left; k < size_min(right, width) && (!is_causal || k <= q); k++) {
            sum += (double)table->data[q * width + k];
            n++;
        }
    return n > 0 ? sum / (double)n : (double)NAN;
}

double heads_map_cell(const struct heads_pane *pane, size_t table, size_t row, size_t col,
                      size_t rows, size_t cols)
{
    return mean_of(&pane->map.tables[table], row, row + rows, col, col + cols,
                   pane->run->model->config.is_causal);
}

double heads_map_highest(const struct heads_pane *pane, size_t table)
{
    const struct tensor *all = &pane->map.tables[table];
    double highest = 0;
    for (size_t i = 0; i < tensor_size(all); i++)
        highest = fmax(highest, fabs((double)all->data[i]));
    return highest;
}
