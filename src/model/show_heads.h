/* All heads of a run at a glance: a row for each layer, a thumbnail for each head. */
#ifndef ATTN_MODEL_SHOW_HEADS_H
#define ATTN_MODEL_SHOW_HEADS_H

#include "base/error.h"
#include "show/thumbnail.h"

struct alignment;
struct doc;
struct model_config;
struct run;
struct show_options;

enum {
    HEADS_LABEL_COLS = 4, /* "L11 " before the thumbnails of a layer */
    HEADS_TOP_LINES = 1,  /* the names of the heads */
};

/* What the thumbnails show: the weights of a run; or, where there is another, how much more they
 * are than those of `other`, on the tokens that belong together. */
struct heads_of {
    struct run *run, *other;           /* other: or NULL */
    const struct alignment *alignment; /* from other to run */
};

/* Which heads are shown, and how large. */
struct heads_layout {
    size_t first_layer, n_layers, first_head, n_heads;
    struct thumbnail drawn; /* how each is drawn, in the upper left corner of its place */
    size_t cols, lines; /* of the place of one thumbnail; one column and gap_lines lines follow */
    size_t gap_lines;
};

/* As many heads as fit into so many columns, as large as they can be: n_layers layers on so many
 * lines where they fit, none below the size in which a pattern is seen. Begins at layer and head
 * 0. */
struct heads_layout heads_layout_of(const struct heads_of *of, size_t n_layers, size_t width_cols,
                                    size_t lines, const struct show_options *options);
/* Sets how each thumbnail is drawn and the size of its place, with the gap after it, where so many
 * columns and lines are there for it; lines is at least 3. */
void heads_layout_fit(struct heads_layout *layout, const struct heads_of *of, size_t cols,
                      size_t lines, const struct show_options *options);
/* The least width that all of so many heads fit. */
size_t heads_width(size_t n_heads);
/* Adds HEADS_TOP_LINES lines, and those of each layer. */
bool show_heads(const struct heads_of *of, const struct heads_layout *layout,
                const struct show_options *options, struct doc *out, struct error *reterr);
/* The n heads of a list, each layer * n_heads + head, in rows of layout->n_heads: after each line
 * of names layout->lines lines of thumbnails. */
bool show_listed_heads(const struct heads_of *of, const struct heads_layout *layout,
                       const size_t *heads, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr);
/* What the thumbnails of such a layout stand for. */
void show_heads_legend(const struct heads_layout *layout, const struct show_options *options,
                       struct doc *out);

#endif
