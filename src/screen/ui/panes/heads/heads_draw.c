/* The heads pane on the screen: what it shows is laid out when it changes, and copied when it is
 * drawn. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/run.h"
#include "model/show_model.h"
#include "ui/panes/heads/heads_places.h"

enum {
    BARS_COLS = 36,   /* of the next word on a wide pane */
    BARS_NARROW = 26, /* beside one head on a pane of 80 columns */
    BARS_GAP = 2,
    WIDE_COLS = 110,
    NEXT_TOKENS = 12,
    BOTH_ROWS = 32, /* for the next word, and the model's chart below it */
    FEW_TOKENS = 4, /* below that the dials of the next word are left out */
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

/* The rows between those at the top and the foot. */
static int body_rows(const struct heads_pane *pane)
{
    return pane->rows - heads_top_rows(pane) - HEADS_FOOT_ROWS;
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
    int room = body_rows(pane) - 1 - HEADS_DIAL_LINES;
    size_t n = room >= FEW_TOKENS && room < NEXT_TOKENS ? (size_t)room : NEXT_TOKENS;
    if (!show_prediction_beside(pane->run, pane->before != NULL ? pane->before : pane->base, n,
                                &pane->next.how, &options, &pane->bars, reterr))
        return false;
    if (room >= FEW_TOKENS)
        heads_write_dials(pane, &pane->bars);
    return doc_check(&pane->bars, reterr);
}

static bool has_both(const struct heads_pane *pane)
{
    return body_rows(pane) >= BOTH_ROWS;
}

/* The lines above the chart: those of the next word, where there is room for both. */
static int chart_top(const struct heads_pane *pane)
{
    return has_both(pane) ? (int)doc_count_lines(&pane->bars) + 1 : 0;
}

/* It follows the cursor; it has a place of its own, or that of the next word. */
static bool fill_chart(struct heads_pane *pane, struct error *reterr)
{
    doc_clear(&pane->chart);
    if (pane->bars_col == pane->cols || !(pane->shows_chart || has_both(pane)))
        return true;
    return heads_write_chart(pane, body_rows(pane) - chart_top(pane), &pane->chart, reterr);
}

/* Where nothing but the cursor has changed, the grid stays, unless it scrolls. */
static bool fill_grid(struct heads_pane *pane, bool changed, struct error *reterr)
{
    struct show_options options = options_for(pane, left_cols(pane));
    struct heads_layout was = pane->layout;
    int lines = body_rows(pane);
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
    pane->text_rows = pane->rows >= 2 * HEADS_HIGH_ROWS ? 4 : pane->rows >= HEADS_HIGH_ROWS ? 2 : 1;
    if (changed && !heads_fill_texts(pane, &error))
        heads_say(pane, "%s", error.text);
    if (!fill_about(pane, &error) || (changed && !fill_bars(pane, &error)) ||
        !fill_chart(pane, &error) || (!pane->is_one && !fill_grid(pane, changed, &error)) ||
        (pane->is_one && pane->map.is_open && !heads_map_fill(pane, &error)))
        heads_say(pane, "%s", error.text);
    if (pane->is_one)
        explorer_resize(&pane->explorer, body_rows(pane), left_cols(pane));
}

/* ---- drawing ---- */

struct area heads_explorer_area(const struct heads_pane *pane, struct area area)
{
    return area_part(area, heads_top_rows(pane), 0, body_rows(pane), left_cols(pane));
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
        area_mark(area, heads_top_rows(pane), col, head_cols, marks);
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

/* The head's name, its score and, where it is cut, how; its sink, in a row of its own or in the
 * place of a score. */
static void draw_about(const struct heads_pane *pane, struct area area)
{
    const struct heads_cut *cut = heads_find_cut(pane, pane->look.layer, pane->look.head);
    bool beside = !heads_has_sink_row(pane);
    int name_cols = (int)doc_line_width(&pane->about, 0);
    area_doc(area_part(area, 0, 0, beside ? 1 : 2, area.cols), &pane->about, 0, 0);
    if (pane->is_one && pane->map.is_open)
        draw_map_cell(pane, area_part(area, 1, 0, 1, area.cols));
    int col = draw_score(pane, area, name_cols);
    if (cut != NULL)
        col = area_text(area, 0, col + 2, look_marked(STYLE_CHANGED, MARK_BOLD), cut_name(cut));
    if (beside && col == name_cols)
        area_doc(area_part(area, 0, col + 3, 1, area.cols - col - 3), &pane->about, 1, 0);
}

void heads_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct heads_pane *pane = state;
    if (pane->run == NULL) {
        area_text(area, 0, 0, look_of(STYLE_QUIET),
                  "No model is open: model, at the prompt, opens one");
        return;
    }
    int top = heads_top_rows(pane), rows = body_rows(pane);
    struct area left = area_part(area, 0, 0, area.rows, left_cols(pane));
    draw_about(pane, area_part(area, pane->texts_rows, 0, top - pane->texts_rows, area.cols));
    if (pane->is_one && pane->map.is_open) {
        heads_map_draw(pane, heads_explorer_area(pane, area), ascii);
    } else if (pane->is_one) {
        explorer_draw(&pane->explorer, heads_explorer_area(pane, area), focused && !pane->is_typing,
                      ascii);
    } else {
        area_doc(area_part(left, top, 0, rows, left.cols), &pane->grid, 0, 0);
        draw_scores(pane, left);
        draw_cuts(pane, left);
        draw_cursor(pane, left, focused, ascii);
    }
    struct area right = area_part(area, top, pane->bars_col, rows, area.cols - pane->bars_col);
    if (has_both(pane) || !pane->shows_chart)
        area_doc(right, &pane->bars, 0, 0);
    area_doc(area_part(right, chart_top(pane), 0, right.rows - chart_top(pane), right.cols),
             &pane->chart, 0, 0);
    heads_draw_foot(pane, area_part(area, area.rows - HEADS_FOOT_ROWS, 0, 1, area.cols), focused,
                    ascii);
    if (pane->is_typing && pane->asks == HEADS_ASK_TOKEN && pane->message[0] != '\0') {
        struct area above = area_part(area, area.rows - HEADS_FOOT_ROWS - 1, 0, 1, area.cols);
        area_fill(above, look_of(STYLE_NOTE));
        area_text(above, 0, 0, look_of(STYLE_NOTE), pane->message);
    }
    if (pane->words.is_shown)
        heads_draw_words(pane, area);
    heads_draw_texts(pane, area_part(area, 0, 0, area.rows - HEADS_FOOT_ROWS, area.cols), focused);
}
