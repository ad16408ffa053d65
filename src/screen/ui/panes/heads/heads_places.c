/* See heads_places.h. */
#include "ui/panes/heads/heads_places.h"

#include "base/size.h"
#include "model/model.h"
#include "model/run.h"
#include "ui/terminal/scroll.h"

struct heads_layout heads_places_fit(const struct heads_of *of, size_t width_cols, size_t lines,
                                     const struct show_options *options)
{
    size_t n_layers = of->run->model->config.n_layers;
    struct heads_layout layout = heads_layout_of(of, n_layers, width_cols, lines, options);
    size_t each = layout.lines + layout.gap_lines;
    size_t seen = size_max((lines - HEADS_TOP_LINES + layout.gap_lines) / each, 1);
    layout.n_layers = size_min(seen, n_layers);
    return layout;
}

void heads_places_scroll(struct heads_layout *layout, const struct heads_layout *was, size_t layer,
                         size_t n_layers, size_t head, size_t n_heads)
{
    layout->first_layer = scroll_into_view(was->first_layer, layer, layout->n_layers, n_layers);
    layout->first_head = scroll_into_view(was->first_head, head, layout->n_heads, n_heads);
}

bool heads_places_find(const struct heads_layout *layout, size_t layer, size_t head, int *ret_row,
                       int *ret_col)
{
    size_t each = layout->lines + layout->gap_lines;
    if (layer < layout->first_layer || layer - layout->first_layer >= layout->n_layers ||
        head < layout->first_head || head - layout->first_head >= layout->n_heads)
        return false;
    *ret_row = HEADS_TOP_LINES + (int)((layer - layout->first_layer) * each);
    *ret_col = HEADS_LABEL_COLS + (int)((head - layout->first_head) * (layout->cols + 1));
    return true;
}

bool heads_places_hold(const struct heads_layout *layout, int top, int left, int row, int col)
{
    return row >= top && row < top + (int)layout->lines && col >= left &&
           col < left + (int)layout->cols;
}

void heads_places_mark(const struct heads_layout *layout, struct area area, int top, int left,
                       bool ascii)
{
    const char *sign = ascii ? "|" : "\xE2\x94\x83";
    for (int i = 0; i < (int)layout->lines; i++) {
        area_text(area, top + i, left - 1, look_marked(STYLE_TITLE, MARK_BOLD), sign);
        area_text(area, top + i, left + (int)layout->cols, look_marked(STYLE_TITLE, MARK_BOLD),
                  sign);
    }
}
