/* The heads pane on the screen: what it shows is laid out when it changes, and copied when it is
 * drawn. */
#include "ui/panes/heads/heads_pane_internal.h"

#include "base/size.h"
#include "model/model.h"
#include "model/run.h"
#include "model/show_prediction.h"
#include "ui/terminal/scroll.h"

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

/* As many layers and heads as there is room for, those under the cursor among them. */
static void place_grid(struct heads_pane *pane)
{
    const struct model_config *config = &pane->run->model->config;
    struct heads_layout was = pane->layout;
    int rows = pane->rows - HEADS_ABOUT_ROWS - FOOT_ROWS;
    size_t lines = (size_t)(rows > 2 ? rows : 2);
    /* One column stays free for the mark at the right of a thumbnail. */
    pane->layout = heads_layout_of(config, config->n_layers, (size_t)(left_cols(pane) - 1), lines);
    size_t each = pane->layout.lines + pane->layout.gap_lines;
    size_t seen = size_max((lines - HEADS_TOP_LINES + pane->layout.gap_lines) / each, 1);
    pane->layout.n_layers = size_min(seen, config->n_layers);
    pane->layout.first_layer = scroll_into_view(was.first_layer, pane->look.layer,
                                                pane->layout.n_layers, config->n_layers);
    pane->layout.first_head =
        scroll_into_view(was.first_head, pane->look.head, pane->layout.n_heads, config->n_heads);
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
             pane->n_cuts == 0 ? "the next token" : "the next token   * moved");
    return show_prediction_beside(pane->run, pane->base, NEXT_TOKENS, &options, &pane->bars,
                                  reterr);
}

/* Where nothing but the cursor has changed, the grid stays, unless it scrolls. */
static bool fill_grid(struct heads_pane *pane, bool changed, struct error *reterr)
{
    struct show_options options = options_for(pane, left_cols(pane));
    struct heads_layout was = pane->layout;
    place_grid(pane);
    if (!changed && was.first_layer == pane->layout.first_layer &&
        was.first_head == pane->layout.first_head)
        return true;
    doc_clear(&pane->grid);
    return show_heads(pane->run, &pane->layout, &options, &pane->grid, reterr);
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
        (!pane->is_one && !fill_grid(pane, changed, &error)))
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

/* Where the thumbnail of a head stands. False: it is not seen. */
static bool find_thumbnail(const struct heads_pane *pane, size_t layer, size_t head, int *ret_row,
                           int *ret_col)
{
    const struct heads_layout *layout = &pane->layout;
    size_t each = layout->lines + layout->gap_lines;
    if (layer < layout->first_layer || layer - layout->first_layer >= layout->n_layers ||
        head < layout->first_head || head - layout->first_head >= layout->n_heads)
        return false;
    *ret_row = HEADS_ABOUT_ROWS + HEADS_TOP_LINES + (int)((layer - layout->first_layer) * each);
    *ret_col = HEADS_LABEL_COLS + (int)((head - layout->first_head) * (layout->cols + 1));
    return true;
}

bool heads_at(const struct heads_pane *pane, int row, int col, size_t *ret_layer, size_t *ret_head)
{
    const struct heads_layout *layout = &pane->layout;
    int top, left;
    for (size_t layer = layout->first_layer; layer < layout->first_layer + layout->n_layers;
         layer++)
        for (size_t head = layout->first_head; head < layout->first_head + layout->n_heads; head++)
            if (find_thumbnail(pane, layer, head, &top, &left) && row >= top &&
                row < top + (int)layout->lines && col >= left && col < left + (int)layout->cols) {
                *ret_layer = layer;
                *ret_head = head;
                return true;
            }
    return false;
}

/* Lines at both sides of the head under the cursor, in the columns between thumbnails, and its
 * names reversed. */
static void draw_cursor(const struct heads_pane *pane, struct area area, bool focused, bool ascii)
{
    int row, col, cols = (int)pane->layout.cols;
    const char *sign = ascii ? "|" : "\xE2\x94\x83";
    unsigned marks = MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
    if (!find_thumbnail(pane, pane->look.layer, pane->look.head, &row, &col))
        return;
    for (int i = 0; i < (int)pane->layout.lines; i++) {
        area_text(area, row + i, col - 1, look_marked(STYLE_TITLE, MARK_BOLD), sign);
        area_text(area, row + i, col + cols, look_marked(STYLE_TITLE, MARK_BOLD), sign);
    }
    area_mark(area, HEADS_ABOUT_ROWS, col, 1 + (pane->look.head > 9 ? 2 : 1), marks);
    area_mark(area, row, 0, 1 + (pane->look.layer > 9 ? 2 : 1), marks);
}

static const char *cut_name(const struct heads_cut *cut)
{
    return cut->how == CUT_ZERO ? "cut: 0" : "cut:mean";
}

static void draw_cuts(const struct heads_pane *pane, struct area area)
{
    int row, col;
    for (size_t i = 0; i < pane->n_cuts; i++)
        if (find_thumbnail(pane, pane->cuts[i].layer, pane->cuts[i].head, &row, &col))
            area_text(area, row, col, look_marked(STYLE_CHANGED, MARK_BOLD),
                      cut_name(&pane->cuts[i]));
}

/* The heads that are seen, where others are not. */
static void draw_part(const struct heads_pane *pane, struct area line)
{
    const struct model_config *config = &pane->run->model->config;
    const struct heads_layout *layout = &pane->layout;
    bool all = layout->n_layers == config->n_layers && layout->n_heads == config->n_heads;
    if (all)
        area_text(line, 0, 0, look_of(STYLE_QUIET),
                  "rows: queries, columns: keys; 0 dark, 1 bright, by the root of the weight");
    else
        area_format(line, 0, 0, look_of(STYLE_QUIET),
                    "layers %zu to %zu of %zu, heads %zu to %zu of %zu; the arrows go on",
                    layout->first_layer, layout->first_layer + layout->n_layers - 1,
                    config->n_layers, layout->first_head, layout->first_head + layout->n_heads - 1,
                    config->n_heads);
}

/* "cut: L5H1 0, L3H2 mean; u puts them back". */
static void draw_cut_list(const struct heads_pane *pane, struct area line)
{
    struct text text = {0};
    text_put(&text, "cut: ");
    for (size_t i = 0; i < pane->n_cuts; i++)
        text_format(&text, "%sL%zuH%zu %s", i > 0 ? ", " : "", pane->cuts[i].layer,
                    pane->cuts[i].head, pane->cuts[i].how == CUT_ZERO ? "0" : "mean");
    text_put(&text, "; u puts back");
    area_text(line, 0, 0, look_of(STYLE_CHANGED), text_string(&text));
    text_release(&text);
}

/* The field, a message, what is cut, or what is seen. */
static void draw_foot(const struct heads_pane *pane, struct area line, bool focused)
{
    if (pane->is_typing) {
        int col = area_text(line, 0, 0, look_of(STYLE_NAME), pane->adds ? "add: " : "text: ");
        field_draw(&pane->field, area_part(line, 0, col, 1, line.cols - col), "a word; Enter",
                   focused);
    } else if (pane->message[0] != '\0') {
        area_text(line, 0, 0, look_of(STYLE_NOTE), pane->message);
    } else if (pane->n_cuts > 0) {
        draw_cut_list(pane, line);
    } else if (!pane->is_one) {
        draw_part(pane, line);
    }
}

/* Keys that the key bar has no room for on a narrow screen; what is wrong with what is typed. */
static void draw_hint(const struct heads_pane *pane, struct area line)
{
    bool is_wrong = pane->is_typing && pane->message[0] != '\0';
    const char *keys = pane->is_one
                           ? "[ ] head  { } layer  v view  r colours  s sink  d length  w word  "
                             "t text  x save"
                           : "arrows: layers and heads  w add word  t text  u put back  x save";
    area_text(line, 0, 0, look_of(is_wrong ? STYLE_NOTE : STYLE_QUIET),
              is_wrong ? pane->message : keys);
}

/* The head's name and, where it is cut, how; its sink. */
static void draw_about(const struct heads_pane *pane, struct area area)
{
    const struct heads_cut *cut = heads_find_cut(pane, pane->look.layer, pane->look.head);
    area_doc(area, &pane->about, 0, 0);
    if (cut != NULL)
        area_text(area, 0, (int)doc_line_width(&pane->about, 0) + 2,
                  look_marked(STYLE_CHANGED, MARK_BOLD), cut_name(cut));
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
    if (pane->is_one) {
        explorer_draw(&pane->explorer, heads_explorer_area(pane, area), focused && !pane->is_typing,
                      ascii);
    } else {
        area_doc(area_part(left, HEADS_ABOUT_ROWS, 0, left.rows - HEADS_ABOUT_ROWS - FOOT_ROWS,
                           left.cols),
                 &pane->grid, 0, 0);
        draw_cuts(pane, left);
        draw_cursor(pane, left, focused, ascii);
    }
    area_doc(area_part(area, HEADS_ABOUT_ROWS, pane->bars_col,
                       area.rows - HEADS_ABOUT_ROWS - FOOT_ROWS, area.cols - pane->bars_col),
             &pane->bars, 0, 0);
    draw_foot(pane, area_part(area, area.rows - FOOT_ROWS, 0, 1, area.cols), focused);
    draw_hint(pane, area_part(area, area.rows - 1, 0, 1, area.cols));
}
