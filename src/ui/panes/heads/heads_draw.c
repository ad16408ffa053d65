/* The heads pane on the screen: what it shows is laid out when it changes, and copied when it is
 * drawn. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/run.h"
#include "model/show_prediction.h"
#include "ui/panes/heads/heads_places.h"

enum {
    BARS_COLS = 36,   /* of the next word on a wide pane */
    BARS_NARROW = 26, /* beside one head on a pane of 80 columns */
    BARS_GAP = 2,
    WIDE_COLS = 110,
    NEXT_TOKENS = 12,
    FOOT_ROWS = 2, /* what part of the heads is seen, or a message; and keys */
};

static struct show_options options_for(const struct heads_pane *pane, int cols)
{
    struct show_options options = settings_show_options(&pane->settings);
    options.width_cols = (size_t)(cols > 1 ? cols : 1);
    return options;
}

/* ---- laying out ---- */

/* The bars stand beside one head; beside all heads only where none is pushed out. */
static void place_bars(struct heads_pane *pane)
{
    int cols = (pane->cols >= WIDE_COLS ? BARS_COLS : BARS_NARROW) + BARS_GAP;
    size_t n_heads = pane->run->model->config.n_heads;
    bool fits = pane->is_one || pane->cols - cols > (int)heads_width(n_heads);
    pane->bars_col = fits ? pane->cols - cols + BARS_GAP : pane->cols;
}

static int left_cols(const struct heads_pane *pane)
{
    return pane->bars_col < pane->cols ? pane->bars_col - BARS_GAP : pane->cols;
}

static bool fill_about(struct heads_pane *pane, struct error *reterr)
{
    doc_clear(&pane->about);
    return show_head_title(pane->run, &pane->look, &pane->about, reterr) &&
           show_head_sink(pane->run, &pane->look, &pane->about, reterr);
}

static bool fill_bars(struct heads_pane *pane, struct error *reterr)
{
    struct show_options options = options_for(pane, pane->cols - pane->bars_col);
    doc_clear(&pane->bars);
    if (pane->bars_col == pane->cols)
        return true;
    doc_line(&pane->bars, STYLE_TITLE,
             pane->n_cuts == 0 && pane->before == NULL ? "the next token"
                                                       : "the next token   * moved");
    return show_prediction_beside(pane->run, pane->before != NULL ? pane->before : pane->base,
                                  NEXT_TOKENS, &options, &pane->bars, reterr);
}

/* Where nothing but the cursor has changed, the grid stays, unless it scrolls. */
static bool fill_grid(struct heads_pane *pane, bool changed, struct error *reterr)
{
    struct show_options options = options_for(pane, left_cols(pane));
    struct heads_layout was = pane->layout;
    int lines = pane->rows - HEADS_ABOUT_ROWS - FOOT_ROWS;
    /* One column stays free for the mark at the right of a thumbnail. */
    heads_place_grid(pane, (size_t)(left_cols(pane) - 1), (size_t)(lines > 2 ? lines : 2),
                     &options);
    bool stays = !changed && was.first_layer == pane->layout.first_layer &&
                 was.first_head == pane->layout.first_head;
    return stays || heads_fill_grid(pane, &options, reterr);
}

void heads_lay_out(struct heads_pane *pane)
{
    struct error error;
    bool changed = pane->is_changed;
    if (pane->run == NULL || !(changed || pane->is_moved) || pane->rows == 0 || pane->cols == 0)
        return;
    pane->is_moved = pane->is_changed = false;
    if (changed)
        place_bars(pane);
    if (!fill_about(pane, &error) || (changed && !fill_bars(pane, &error)) ||
        (!pane->is_one && !fill_grid(pane, changed, &error)) ||
        (pane->is_one && pane->map.is_open && !heads_map_fill(pane, &error)))
        heads_say(pane, "%s", error.text);
    if (pane->is_one)
        explorer_resize(&pane->explorer, pane->rows - HEADS_ABOUT_ROWS - FOOT_ROWS,
                        left_cols(pane));
}

/* ---- drawing ---- */

struct area heads_explorer_area(const struct heads_pane *pane, struct area area)
{
    return area_part(area, HEADS_ABOUT_ROWS, 0, area.rows - HEADS_ABOUT_ROWS - FOOT_ROWS,
                     left_cols(pane));
}

/* Lines at both sides of the head under the cursor, in the columns between thumbnails, and its
 * names reversed. */
static void draw_cursor(const struct heads_pane *pane, struct area area, bool focused, bool ascii)
{
    int row, col;
    unsigned marks = MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
    if (!heads_find_thumbnail(pane, heads_index(pane), &row, &col))
        return;
    heads_places_mark(&pane->layout, area, row, col, ascii);
    int layer_cols = pane->look.layer > 9 ? 3 : 2, head_cols = pane->look.head > 9 ? 3 : 2;
    if (pane->ranking.is_sorted) {
        area_mark(area, row - 1, col, layer_cols + head_cols, marks);
    } else {
        area_mark(area, HEADS_ABOUT_ROWS, col, head_cols, marks);
        area_mark(area, row, 0, layer_cols, marks);
    }
}

static const char *cut_name(const struct heads_cut *cut)
{
    return cut->how == CUT_ZERO ? "cut: 0" : cut->how == CUT_MEAN ? "cut:mean" : "from A";
}

static void draw_cuts(const struct heads_pane *pane, struct area area)
{
    int row, col;
    size_t n_heads = pane->run->model->config.n_heads;
    for (size_t i = 0; i < pane->n_cuts; i++)
        if (!pane->cuts[i].is_position &&
            heads_find_thumbnail(pane, pane->cuts[i].layer * n_heads + pane->cuts[i].head, &row,
                                 &col))
            area_text(area, row, col, look_marked(STYLE_CHANGED, MARK_BOLD),
                      cut_name(&pane->cuts[i]));
}

/* The scores, in the colour of their size: right of each name where the heads stand in their order,
 * else in the upper right corner, where a head that looks back is empty. */
static void draw_scores(const struct heads_pane *pane, struct area area)
{
    char text[NUMBER_TEXT];
    struct canvas_look look = look_marked(STYLE_NUMBER, MARK_BOLD);
    uint8_t tint;
    int row, col;
    for (size_t head = 0; head < heads_count(pane); head++) {
        if (!heads_find_thumbnail(pane, head, &row, &col) ||
            !heads_score_text(pane, head, text, &tint))
            continue;
        look.back = tint;
        area_text(area, row - (pane->ranking.is_sorted ? 1 : 0),
                  col + (int)pane->layout.cols - (int)strlen(text), look, text);
    }
}

/* "  induction 0.93, place 3 of 144". */
static int draw_score(const struct heads_pane *pane, struct area area, int col)
{
    char text[NUMBER_TEXT];
    size_t head = heads_index(pane);
    if (pane->ranking.scores.data == NULL)
        return col;
    if (isnan(pane->ranking.scores.data[head]))
        return area_format(area, 0, col, look_of(STYLE_PLAIN), "   %s: none",
                           heads_ranking_name(&pane->ranking));
    number_short(pane->ranking.scores.data[head], 4, text);
    return area_format(area, 0, col, look_of(STYLE_PLAIN), "   %s %s, place %zu of %zu",
                       heads_ranking_name(&pane->ranking), text, pane->ranking.places[head] + 1,
                       heads_count(pane));
}

/* The numbers under the map's cursor, in the place of the sink. */
static void draw_map_cell(const struct heads_pane *pane, struct area line)
{
    struct text text = {0};
    heads_map_write_cell(pane, &text);
    area_fill(line, look_of(STYLE_PLAIN));
    area_text(line, 0, 0, look_of(STYLE_PLAIN), text_string(&text));
    text_release(&text);
}

/* The head's name, its score and, where it is cut, how; its sink. */
static void draw_about(const struct heads_pane *pane, struct area area)
{
    const struct heads_cut *cut = heads_find_cut(pane, pane->look.layer, pane->look.head);
    area_doc(area, &pane->about, 0, 0);
    if (pane->is_one && pane->map.is_open)
        draw_map_cell(pane, area_part(area, 1, 0, 1, area.cols));
    int col = draw_score(pane, area, (int)doc_line_width(&pane->about, 0));
    if (cut != NULL)
        area_text(area, 0, col + 2, look_marked(STYLE_CHANGED, MARK_BOLD), cut_name(cut));
}

void heads_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct heads_pane *pane = state;
    if (pane->run == NULL) {
        area_text(area, 0, 0, look_of(STYLE_QUIET),
                  "No model is open: model, at the prompt, opens one");
        return;
    }
    struct area left = area_part(area, 0, 0, area.rows, left_cols(pane));
    draw_about(pane, area_part(area, 0, 0, HEADS_ABOUT_ROWS, area.cols));
    if (pane->is_one && pane->map.is_open) {
        heads_map_draw(pane, heads_explorer_area(pane, area), ascii);
    } else if (pane->is_one) {
        explorer_draw(&pane->explorer, heads_explorer_area(pane, area), focused && !pane->is_typing,
                      ascii);
    } else {
        area_doc(area_part(left, HEADS_ABOUT_ROWS, 0, left.rows - HEADS_ABOUT_ROWS - FOOT_ROWS,
                           left.cols),
                 &pane->grid, 0, 0);
        draw_scores(pane, left);
        draw_cuts(pane, left);
        draw_cursor(pane, left, focused, ascii);
    }
    area_doc(area_part(area, HEADS_ABOUT_ROWS, pane->bars_col,
                       area.rows - HEADS_ABOUT_ROWS - FOOT_ROWS, area.cols - pane->bars_col),
             &pane->bars, 0, 0);
    heads_draw_foot(pane, area_part(area, area.rows - FOOT_ROWS, 0, 1, area.cols), focused, ascii);
    heads_draw_hint(pane, area_part(area, area.rows - 1, 0, 1, area.cols));
}
