/* See heads_map.c: the tables on the screen. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/run.h"
#include "show/heat_cell.h"

enum {
    NAME_COLS = 9,  /* a query's token, before blocks */
    PAIR_COLS = 13, /* two of them: "cat|dog" */
    EDGE = 1,       /* a row and a column for the marks of the cursor */
    TITLE_ROWS = 1, /* "A", "B", "B - A" */
    GAP = 2,
};

/* How a table is drawn: queries and keys of one cell, and cells of one line. */
struct grain {
    size_t rows, cols; /* numbers in a cell */
    int per_line;      /* rows of cells: 2 where they are half blocks */
    int cell_cols;
    bool ascii, colour;
    double highest; /* of the table */
};

static struct grain grain_of(const struct heads_pane *pane, bool ascii)
{
    bool colour = pane->settings.colours != COLOURS_NONE;
    size_t each = pane->map.each;
    struct grain grain = {.rows = size_max(each, 1),
                          .cols = size_max(each, 1),
                          .per_line = 1,
                          .cell_cols = each == 0 ? 2 : 1,
                          .ascii = ascii,
                          .colour = colour};
    if (each > 0 && colour && !ascii)
        grain.per_line = 2;
    else if (each > 0) /* a character is twice as high as wide */
        grain.rows = 2 * each;
    return grain;
}

/* ---- one cell ---- */

static int tint_of(double x, double highest, bool is_signed)
{
    double size = highest > 0 ? sqrt(fmin(fabs(x) / highest, 1)) : 0;
    if (is_signed)
        return TINT_SIGNED + (int)lround(127.5 + (x < 0 ? -127.5 : 127.5) * size);
    return (int)lround(size * (HEAT_TINTS - 1));
}

/* Without colours the sign says the direction, and how full it is the size. */
static const char *shade_of(double x, double highest, bool is_signed, bool ascii)
{
    int tint = tint_of(x, highest, is_signed);
    return is_signed ? heat_change_sign(tint - TINT_SIGNED) : heat_shade(tint, ascii);
}

static void draw_block(struct area area, int row, int col, double x, bool is_signed,
                       const struct grain *grain)
{
    struct canvas_look look = look_of(STYLE_NUMBER);
    const char *shade = grain->colour ? " " : shade_of(x, grain->highest, is_signed, grain->ascii);
    if (grain->colour)
        look.back = (int16_t)tint_of(x, grain->highest, is_signed);
    for (int i = 0; i < grain->cell_cols; i++)
        area_text(area, row, col + i, look, shade);
}

/* Two cells, one above the other; NaN: nothing is there. */
static void draw_halves(struct area area, int row, int col, const double x[2], double highest,
                        bool is_signed)
{
    static const char upper[] = "\xE2\x96\x80", lower[] = "\xE2\x96\x84";
    struct canvas_look look = look_of(STYLE_NUMBER);
    bool has_upper = !isnan(x[0]), has_lower = !isnan(x[1]);
    if (has_upper && has_lower)
        look.back = (int16_t)tint_of(x[1], highest, is_signed);
    look.front = (int16_t)tint_of(has_upper ? x[0] : x[1], highest, is_signed);
    if (has_upper || has_lower)
        area_text(area, row, col, look, has_upper ? upper : lower);
}

/* ---- one table ---- */

/* The first of `cells` cells, of which `seen` are seen, so that the cursor's is in the middle. */
static size_t first_of(size_t cells, size_t seen, size_t at)
{
    if (cells <= seen || at < seen / 2)
        return 0;
    return size_min(at - seen / 2, cells - seen);
}

static void draw_line(const struct heads_pane *pane, struct area area, int line, size_t table,
                      const size_t first[2], const struct grain *grain)
{
    size_t n = heads_map_size(pane), row = (first[0] + (size_t)(line * grain->per_line));
    for (int at = 0; at * grain->cell_cols < area.cols; at++) {
        size_t col = (first[1] + (size_t)at) * grain->cols;
        double x[2] = {(double)NAN, (double)NAN};
        for (int i = 0; i < grain->per_line; i++)
            if ((row + (size_t)i) * grain->rows < n && col < n)
                x[i] = heads_map_cell(pane, table, (row + (size_t)i) * grain->rows, col,
                                      grain->rows, grain->cols);
        if (grain->per_line == 2)
            draw_halves(area, line, at, x, grain->highest, table == 2);
        else if (!isnan(x[0]))
            draw_block(area, line, at * grain->cell_cols, x[0], table == 2, grain);
    }
}

/* The marks of the cursor: at the left of its row, and above its column. */
static void draw_marks(const struct heads_pane *pane, struct area area, const size_t first[2],
                       const struct grain *grain)
{
    size_t row = pane->map.row / grain->rows - first[0], col = pane->map.col / grain->cols;
    struct canvas_look look = look_marked(STYLE_TITLE, MARK_BOLD);
    area_text(area, EDGE + (int)row / grain->per_line, 0, look, ">");
    area_text(area, 0, EDGE + (int)(col - first[1]) * grain->cell_cols, look, "v");
}

static void put_token(const struct run *run, size_t at, struct text *name)
{
    model_show_token(run->model, (size_t)tensor_at_position(&run->ids->value, at), name);
}

/* The name of a query or key; of two texts both tokens where they differ: "cat|dog". */
static void put_name(const struct heads_pane *pane, size_t i, struct text *name)
{
    if (pane->other == NULL) {
        put_token(pane->run, i, name);
        return;
    }
    const size_t *pair = pane->alignment.pairs[i];
    if (tensor_at_position(&pane->other->ids->value, pair[0]) !=
        tensor_at_position(&pane->run->ids->value, pair[1])) {
        put_token(pane->other, pair[0], name);
        text_put(name, "|");
    }
    put_token(pane->run, pair[1], name);
}

static void draw_names(const struct heads_pane *pane, struct area area, size_t first)
{
    for (int line = 0; line < area.rows && first + (size_t)line < heads_map_size(pane); line++) {
        struct text name = {0};
        put_name(pane, first + (size_t)line, &name);
        area_text(area, line, 0, look_of(STYLE_LABEL), text_string(&name));
        text_release(&name);
    }
}

/* "A: the cat sat", as far as it goes. */
static void draw_title(const struct heads_pane *pane, struct area line, size_t table)
{
    static const char *const titles[] = {"A: ", "B: ", "B - A"};
    const struct run *const runs[] = {pane->other, pane->run, NULL};
    int col = area_text(line, 0, 0, look_of(STYLE_TITLE), titles[table]);
    for (size_t i = 0; runs[table] != NULL && i < run_length(runs[table]) && col < line.cols; i++) {
        struct text token = {0};
        put_token(runs[table], i, &token);
        col = area_text(line, 0, col, look_of(STYLE_QUIET), text_string(&token)) + 1;
        text_release(&token);
    }
}

static void draw_table(const struct heads_pane *pane, struct area area, size_t table,
                       const size_t first[2], const struct grain *grain)
{
    if (pane->other != NULL)
        draw_title(pane, area_part(area, 0, EDGE, 1, area.cols - EDGE), table);
    area = area_part(area, TITLE_ROWS, 0, area.rows - TITLE_ROWS, area.cols);
    draw_marks(pane, area, first, grain);
    area = area_part(area, EDGE, EDGE, area.rows - EDGE, area.cols - EDGE);
    for (int line = 0; line < area.rows; line++)
        draw_line(pane, area, line, table, first, grain);
}

void heads_map_draw(const struct heads_pane *pane, struct area area, bool ascii)
{
    const struct heads_map *map = &pane->map;
    struct grain grain = grain_of(pane, ascii);
    int names = map->each > 0         ? 0
                : pane->other != NULL ? PAIR_COLS
                                      : NAME_COLS,
        n_tables = (int)map->n_tables;
    if (n_tables == 0)
        return;
    int cols = (area.cols - names - GAP * (n_tables - 1)) / n_tables;
    int lines = area.rows - TITLE_ROWS - EDGE;
    size_t n = heads_map_size(pane);
    size_t seen[2] = {(size_t)(lines > 0 ? lines * grain.per_line : 1),
                      (size_t)(cols > EDGE ? (cols - EDGE) / grain.cell_cols : 1)};
    size_t first[2] = {first_of((n + grain.rows - 1) / grain.rows, seen[0], map->row / grain.rows),
                       first_of((n + grain.cols - 1) / grain.cols, seen[1], map->col / grain.cols)};
    if (grain.per_line == 2)
        first[0] -= first[0] % 2;
    if (names > 0)
        draw_names(pane, area_part(area, TITLE_ROWS + EDGE, 0, lines, names - 1), first[0]);
    for (int i = 0; i < n_tables; i++) {
        grain.highest = heads_map_highest(pane, (size_t)i);
        draw_table(pane, area_part(area, 0, names + i * (cols + GAP), area.rows, cols), (size_t)i,
                   first, &grain);
    }
}

/* ---- what is under the cursor, and what a cell is ---- */

void heads_map_write_cell(const struct heads_pane *pane, struct text *text)
{
    const struct heads_map *map = &pane->map;
    char number[3][NUMBER_TEXT];
    size_t n = heads_map_size(pane);
    if (map->row >= n || map->col >= n)
        return;
    for (size_t i = 0; i < map->n_tables; i++)
        number_short((float)heads_map_cell(pane, i, map->row, map->col, 1, 1), 6, number[i]);
    text_put(text, "\"");
    put_name(pane, map->row, text);
    text_format(text, "\" at %zu to \"", map->row);
    put_name(pane, map->col, text);
    text_format(text, "\" at %zu: ", map->col);
    if (map->n_tables == 3)
        text_format(text, "A %s, B %s, B - A %s", number[0], number[1], number[2]);
    else
        text_put(text, number[0]);
}

void heads_map_write_legend(const struct heads_pane *pane, bool ascii, struct text *text)
{
    struct grain grain = grain_of(pane, ascii);
    char highest[NUMBER_TEXT], change[NUMBER_TEXT];
    if (pane->map.n_tables == 0)
        return;
    number_short((float)heads_map_highest(pane, 0), 2, highest);
    if (grain.rows * grain.cols > 1)
        text_format(text, "a cell: the mean of %zu x %zu numbers; ", grain.rows, grain.cols);
    else if (grain.per_line == 2)
        text_put(text, "half blocks, one number each; ");
    text_format(text, "0 to %s", highest);
    if (pane->map.n_tables == 3) {
        number_short((float)heads_map_highest(pane, 2), 2, change);
        text_format(text, "; B - A: %s %s", change,
                    grain.colour ? "blue less, orange more" : "= - less, + # more");
    }
    text_put(text, "; + - zoom");
}

bool heads_map_copy(const struct heads_pane *pane, struct text *ret, struct text *what)
{
    const struct heads_map *map = &pane->map;
    char number[NUMBER_TEXT];
    size_t n = heads_map_size(pane);
    if (map->n_tables == 0 || map->row >= n || map->col >= n)
        return false;
    const struct tensor *last = &map->tables[map->n_tables - 1];
    text_put(ret, number_exact(last->data[map->row * n + map->col], number));
    text_put(what, number);
    return true;
}
