/* Pictures of a model: a head, all heads, and the next word. */
#ifndef ATTN_MODEL_SHOW_MODEL_H
#define ATTN_MODEL_SHOW_MODEL_H

#include "base/error.h"
#include "show/thumbnail.h"

struct alignment;
struct doc;
struct node;
struct run;
struct show_options;
struct sampling;

/* ---- show head ---- */

/* One head of a run as a person reads it. */

/* Which head to show, and how. */
struct head_look {
    size_t layer, head;
    bool by_length;  /* each weight times the length of its key's value */
    bool hides_sink; /* the key that gets most is left out, and the rest of each row rescaled */
};

/* The weights of all heads of the layer as the look shows them, as a node made of the run's stages:
 * n_heads x n x n, labelled by the tokens; the hidden key is that of look->head. The caller frees
 * it. NULL on failure, as pattern_of_head(). Source of by_length: Kobayashi and others 2020,
 * "Attention is Not Only a Weight". */
struct node *head_node(struct run *run, const struct head_look *look, struct error *reterr);

/* "layer 5, head 1: weights x length of v, without "The" at 0, rest rescaled". */
bool show_head_title(struct run *run, const struct head_look *look, struct doc *out,
                     struct error *reterr);

/* Names the sink, or says that the head has no sink. */
bool show_head_sink(struct run *run, const struct head_look *look, struct doc *out,
                    struct error *reterr);

/* The whole picture: the title, the table as a heatmap labelled by the tokens, the sink. */
bool show_head(struct run *run, const struct head_look *look, const struct show_options *options,
               struct doc *out, struct error *reterr);

/* The difference between a head in the second and in the first of two runs: its weights there minus
 * those here, between the tokens that alignment pairs, as a heatmap with a title. */
bool show_head_difference(struct run *const runs[2], const struct alignment *alignment,
                          const size_t head[2], const struct show_options *options, struct doc *out,
                          struct error *reterr);

/* ---- show heads ---- */

/* All heads of a run at a glance: a row for each layer, a thumbnail for each head. */

enum {
    HEADS_LABEL_COLS = 4, /* "L11 " before the thumbnails of a layer */
    HEADS_TOP_LINES = 1,  /* the names of the heads */
};

/* The weights that the thumbnails show: those of a run; or, unless other is NULL, how much larger
 * they are than those of `other`, on the tokens that belong together. */
struct heads_of {
    struct run *run, *other;           /* other: or NULL */
    const struct alignment *alignment; /* from other to run */
};

/* Which heads are shown, and how large. */
struct heads_layout {
    size_t first_layer, n_layers, first_head, n_heads;
    struct thumbnail drawn; /* how each is drawn, in the upper left corner of its area */
    size_t cols, lines;     /* of one thumbnail's area; one column and gap_lines lines follow it */
    size_t gap_lines;
};

/* The layout of as many heads as fit in width_cols columns, as large as possible: n_layers layers
 * in `lines` lines if they fit, but no head smaller than a pattern needs. Begins at layer and head
 * 0. */
struct heads_layout heads_layout_of(const struct heads_of *of, size_t n_layers, size_t width_cols,
                                    size_t lines, const struct show_options *options);

/* Sets how each thumbnail is drawn and the size of its area, for areas of cols columns and `lines`
 * lines, gap included; lines is at least 3. */
void heads_layout_fit(struct heads_layout *layout, const struct heads_of *of, size_t cols,
                      size_t lines, const struct show_options *options);

/* The least width in columns that fits n_heads heads side by side. */
size_t heads_width(size_t n_heads);

/* Adds HEADS_TOP_LINES lines, and those of each layer. */
bool show_heads(const struct heads_of *of, const struct heads_layout *layout,
                const struct show_options *options, struct doc *out, struct error *reterr);

/* The n heads of a list, each layer * n_heads + head, in rows of layout->n_heads: a line of names,
 * then layout->lines lines of thumbnails. */
bool show_listed_heads(const struct heads_of *of, const struct heads_layout *layout,
                       const size_t *heads, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr);

/* Explains what the thumbnails of this layout show. */
void show_heads_legend(const struct heads_layout *layout, const struct show_options *options,
                       struct doc *out);

/* ---- show prediction ---- */

/* Predictions as a person reads them: the next tokens as bars, and how a change affects them. */

/* The n likeliest tokens after position `row` of a run of one text (-1: its last), with their
 * probabilities at this temperature (> 0). ERR_RANGE for a position outside the text; ERR_SHAPE for
 * a run of several texts. */
bool show_prediction(struct run *run, ptrdiff_t row, size_t n, double temperature,
                     const struct show_options *options, struct doc *out, struct error *reterr);

/* The n likeliest tokens at the end of a run as bars, with the probabilities by which they are
 * drawn (temperature > 0); tokens that top_k and top_p cut off have a sign in place of the number.
 * Tokens whose probability in base, a run of the same vocabulary, differs by half of the last shown
 * decimal or more are marked. */
bool show_prediction_beside(struct run *run, struct run *base, size_t n,
                            const struct sampling *sampling, const struct show_options *options,
                            struct doc *out, struct error *reterr);

/* The likeliest tokens at the end before or after a change, with both probabilities; those that
 * differ are marked. */
bool show_prediction_change(struct run *before, struct run *after, int digits, struct doc *out,
                            struct error *reterr);

#endif
