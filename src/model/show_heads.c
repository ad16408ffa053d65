/* See show_heads.h. */
#include "model/show_heads.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "model/compare.h"
#include "model/model.h"
#include "model/pattern.h"
#include "model/run.h"
#include "show/heat_cell.h"
#include "show/thumbnail.h"
#include "tensor/tensor.h"

enum {
    COLS_MIN = 8, /* of a thumbnail: fewer show no pattern, and have no room for a score */
    LINES_MIN = 3,
};

/* ---- the size ---- */

/* The tokens of a thumbnail; of two texts, the pairs of them. */
static size_t tokens_of(const struct heads_of *of)
{
    return of->other != NULL ? of->alignment->n : run_length(of->run);
}

static struct thumbnail fit(const struct heads_of *of, size_t cols, size_t rows,
                            const struct show_options *options)
{
    struct thumbnail thumbnail = thumbnail_fit(size_max(tokens_of(of), 1), cols, rows, options);
    thumbnail.is_causal = of->run->model->config.is_causal;
    thumbnail.is_signed = of->other != NULL;
    return thumbnail;
}

static bool is_larger(const struct thumbnail *a, const struct thumbnail *b)
{
    return a->n_cells != b->n_cells ? a->n_cells > b->n_cells : a->cell_rows > b->cell_rows;
}

void heads_layout_fit(struct heads_layout *layout, const struct heads_of *of, size_t cols,
                      size_t lines, const struct show_options *options)
{
    size_t rows_each = thumbnail_rows_each(options), spare = lines > LINES_MIN ? 1 : 0;
    layout->drawn = fit(of, cols, (lines - spare) * rows_each, options);
    layout->gap_lines = spare;
    if (rows_each == 2 || spare == 0) { /* the last half line is gap enough */
        struct thumbnail tight = fit(of, cols, lines * rows_each - (rows_each - 1), options);
        if (spare == 0 || is_larger(&tight, &layout->drawn)) {
            layout->drawn = tight;
            layout->gap_lines = 0;
        }
    }
    layout->cols = size_max(thumbnail_cols(&layout->drawn), COLS_MIN);
    layout->lines = size_max(thumbnail_lines(&layout->drawn, options), LINES_MIN);
}

struct heads_layout heads_layout_of(const struct heads_of *of, size_t n_layers, size_t width_cols,
                                    size_t lines, const struct show_options *options)
{
    size_t n_heads = of->run->model->config.n_heads;
    size_t width = size_max(width_cols, HEADS_LABEL_COLS + COLS_MIN) - HEADS_LABEL_COLS + 1;
    size_t cols = size_max(width / n_heads, COLS_MIN + 1) - 1;
    size_t each = size_max(lines, HEADS_TOP_LINES + 1) - HEADS_TOP_LINES;
    each = size_max(each / size_max(n_layers, 1), LINES_MIN);
    struct heads_layout layout = {.n_layers = n_layers};
    heads_layout_fit(&layout, of, cols, each, options);
    layout.n_heads = size_min(n_heads, width / (layout.cols + 1));
    return layout;
}

size_t heads_width(size_t n_heads)
{
    return HEADS_LABEL_COLS + n_heads * (COLS_MIN + 1) - 1;
}

/* ---- the tints ---- */

static bool find_table(const struct heads_of *of, const size_t head[2], struct tensor *ret,
                       struct error *reterr)
{
    struct tensor weights;
    if (of->other != NULL)
        return head_difference(of->other, of->run, of->alignment, head, ret, reterr);
    if (!pattern_of_head(of->run, head[0], head[1], &weights, reterr))
        return false;
    bool ok = tensor_dense(&weights, ret, reterr);
    tensor_release(&weights);
    return ok;
}

static size_t n_tints(const struct heads_layout *layout)
{
    return layout->drawn.n_cells * layout->drawn.n_cells;
}

/* The tints of heads of one list, each layer * n_heads + head, one after the other. */
static bool shrink_listed(const struct heads_of *of, const struct heads_layout *layout,
                          const size_t *heads, size_t n, int16_t *tints, struct error *reterr)
{
    size_t n_heads = of->run->model->config.n_heads, size = n_tints(layout);
    for (size_t i = 0; i < n; i++) {
        struct tensor table;
        const size_t head[2] = {heads[i] / n_heads, heads[i] % n_heads};
        if (!find_table(of, head, &table, reterr))
            return false;
        thumbnail_shrink(&layout->drawn, table.data, tints + i * size);
        tensor_release(&table);
    }
    return true;
}

/* Those of the heads of one layer that are shown; the layer's weights are made once. */
static bool shrink_layer(const struct heads_of *of, const struct heads_layout *layout, size_t layer,
                         int16_t *tints, struct error *reterr)
{
    struct tensor all, dense;
    if (!pattern_of_layer(of->run, layer, &all, reterr))
        return false;
    bool ok = tensor_dense(&all, &dense, reterr);
    tensor_release(&all);
    if (!ok)
        return false;
    size_t n = dense.shape[1];
    for (size_t i = 0; i < layout->n_heads; i++)
        thumbnail_shrink(&layout->drawn, dense.data + (layout->first_head + i) * n * n,
                         tints + i * n_tints(layout));
    tensor_release(&dense);
    return true;
}

/* The same of two runs. */
static bool shrink_change(const struct heads_of *of, const struct heads_layout *layout,
                          size_t layer, int16_t *tints, struct error *reterr)
{
    size_t first = layer * of->run->model->config.n_heads + layout->first_head;
    bool ok = true;
    for (size_t i = 0; ok && i < layout->n_heads; i++) {
        size_t head = first + i;
        ok = shrink_listed(of, layout, &head, 1, tints + i * n_tints(layout), reterr);
    }
    return ok;
}

/* ---- the lines ---- */

/* One line of n thumbnails side by side. */
static void put_thumbnails(const struct heads_layout *layout, const int16_t *tints, size_t n,
                           size_t line, const struct show_options *options, struct doc *out)
{
    size_t cols = thumbnail_cols(&layout->drawn);
    for (size_t i = 0; i < n; i++) {
        thumbnail_put_line(out, &layout->drawn, tints + i * n_tints(layout), line, options);
        if (i + 1 < n)
            doc_add(out, STYLE_PLAIN, "%*s", (int)(layout->cols - cols + 1), "");
    }
    doc_end_line(out);
}

/* The lines of one layer, its name before the first. */
static void put_layer(const struct heads_layout *layout, size_t layer, const int16_t *tints,
                      const struct show_options *options, struct doc *out)
{
    for (size_t line = 0; line < layout->lines; line++) {
        if (line == 0)
            doc_add(out, STYLE_LABEL, "L%-*zu", HEADS_LABEL_COLS - 1, layer);
        else
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
        put_thumbnails(layout, tints, layout->n_heads, line, options, out);
    }
    for (size_t line = 0; line < layout->gap_lines; line++)
        doc_end_line(out);
}

static void put_names(const struct heads_layout *layout, struct doc *out)
{
    doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
    for (size_t i = 0; i < layout->n_heads; i++)
        doc_add(out, STYLE_LABEL, "H%-*zu", (int)layout->cols, layout->first_head + i);
    doc_end_line(out);
}

bool show_heads(const struct heads_of *of, const struct heads_layout *layout,
                const struct show_options *options, struct doc *out, struct error *reterr)
{
    int16_t *tints = calloc(layout->n_heads * n_tints(layout) + 1, sizeof *tints);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    if (ok)
        put_names(layout, out);
    for (size_t i = 0; ok && i < layout->n_layers; i++) {
        size_t layer = layout->first_layer + i;
        ok = of->other != NULL ? shrink_change(of, layout, layer, tints, reterr)
                               : shrink_layer(of, layout, layer, tints, reterr);
        if (ok)
            put_layer(layout, layer, tints, options, out);
    }
    free(tints);
    return ok && doc_check(out, reterr);
}

/* ---- heads in any order ---- */

static void put_listed_names(const struct heads_layout *layout, const size_t *heads, size_t n,
                             size_t n_heads, struct doc *out)
{
    doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
    for (size_t i = 0; i < n; i++) {
        char name[48];
        snprintf(name, sizeof name, "L%zuH%zu", heads[i] / n_heads, heads[i] % n_heads);
        doc_add(out, STYLE_LABEL, "%-*s ", (int)layout->cols, name);
    }
    doc_end_line(out);
}

bool show_listed_heads(const struct heads_of *of, const struct heads_layout *layout,
                       const size_t *heads, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr)
{
    int16_t *tints = calloc(layout->n_heads * n_tints(layout) + 1, sizeof *tints);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    for (size_t at = 0; ok && at < n; at += layout->n_heads) {
        size_t in_row = size_min(layout->n_heads, n - at);
        put_listed_names(layout, heads + at, in_row, of->run->model->config.n_heads, out);
        ok = shrink_listed(of, layout, heads + at, in_row, tints, reterr);
        for (size_t line = 0; ok && line < layout->lines; line++) {
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
            put_thumbnails(layout, tints, in_row, line, options, out);
        }
    }
    free(tints);
    return ok && doc_check(out, reterr);
}

void show_heads_legend(const struct heads_layout *layout, const struct show_options *options,
                       struct doc *out)
{
    const struct thumbnail *drawn = &layout->drawn,
                           cell = {.n = 1, .n_cells = 1, .cell_cols = 1, .cell_rows = 1};
    struct show_options whole = *options;
    whole.ascii = options->ascii || options->colour; /* no half blocks here */
    doc_add(out, STYLE_QUIET, "Rows are queries, columns keys; 0 ");
    enum { STEPS = 5 };
    for (int i = 0; i < STEPS; i++) {
        int16_t tint = (int16_t)(i * (HEAT_TINTS - 1) / (STEPS - 1));
        thumbnail_put_line(out, &cell, &tint, 0, &whole);
    }
    doc_add(out, STYLE_QUIET, " 1, the root of the weight");
    if (drawn->n_cells < drawn->n)
        doc_add(out, STYLE_QUIET, " (the largest of several)");
    doc_add(out, STYLE_QUIET, drawn->is_causal ? "; blank: hidden." : ".");
    doc_end_line(out);
}
