/* Where thumbnails stand: rows and columns count from the corner of show_heads()'s lines, and
 * layers and heads are those of the whole grid. */
#ifndef ATTN_UI_PANES_HEADS_HEADS_PLACES_H
#define ATTN_UI_PANES_HEADS_HEADS_PLACES_H

#include "model/show_model.h"
#include "ui/terminal/canvas.h"

/* As many layers and heads as there is room for; begins at layer and head 0. */
struct heads_layout heads_places_fit(const struct heads_of *of, size_t width_cols, size_t lines,
                                     const struct show_options *options);
/* Moves the layout, which was at `was`, no further than this layer and head come into sight. */
void heads_places_scroll(struct heads_layout *layout, const struct heads_layout *was, size_t layer,
                         size_t n_layers, size_t head, size_t n_heads);
/* Where the thumbnail of a head stands. False: it is not seen. */
bool heads_places_find(const struct heads_layout *layout, size_t layer, size_t head, int *ret_row,
                       int *ret_col);
/* Whether a place lies on the thumbnail that stands there. */
bool heads_places_hold(const struct heads_layout *layout, int top, int left, int row, int col);
/* Lines at both sides of the thumbnail that stands there, in the columns between thumbnails. */
void heads_places_mark(const struct heads_layout *layout, struct area area, int top, int left,
                       bool ascii);

#endif
