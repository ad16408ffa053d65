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
    COLS_MIN = 8, /* of a thumbnail: fewer show no pattern */
    COLS_MAX = 24,
    LINES_MIN = 3,
};

/* A thumbnail is about square: a character is twice as high as wide. */
static size_t lines_for(size_t cols)
{
    return size_max((cols + 1) / 2, LINES_MIN);
}

struct heads_layout heads_layout_of(const struct model_config *config, size_t n_layers,
                                    size_t width_cols, size_t lines)
{
    size_t width = size_max(width_cols, HEADS_LABEL_COLS + COLS_MIN) - HEADS_LABEL_COLS + 1;
    size_t cols = size_min(size_max(width / config->n_heads, COLS_MIN + 1) - 1, COLS_MAX);
    size_t each = size_max(lines, HEADS_TOP_LINES + 1) - HEADS_TOP_LINES;
    each = size_max(each / size_max(n_layers, 1), LINES_MIN);
    struct heads_layout layout = {.n_layers = n_layers,
                                  .n_heads = size_min(config->n_heads, width / (cols + 1)),
                                  .cols = cols,
                                  .gap_lines = each > LINES_MIN ? 1 : 0};
    layout.lines = size_min(each - layout.gap_lines, lines_for(cols));
    return layout;
}

size_t heads_width(size_t n_heads)
{
    return HEADS_LABEL_COLS + n_heads * (COLS_MIN + 1) - 1;
}

static int first_tint(const struct heads_of *of)
{
    return of->other != NULL ? TINT_SIGNED : 0;
}

/* The tints of one head's table, square and dense. */
static void shrink_table(const struct heads_of *of, const float *x, size_t n, size_t rows,
                         size_t cols, uint8_t *tints)
{
    if (of->other != NULL)
        thumbnail_shrink_signed(x, n, n, rows, cols, tints);
    else
        thumbnail_shrink(x, n, n, rows, cols, tints);
}

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

/* The tints of heads of one list, each layer * n_heads + head, one after the other. */
static bool shrink_listed(const struct heads_of *of, const struct heads_layout *layout,
                          const size_t *heads, size_t n, size_t rows, uint8_t *tints,
                          struct error *reterr)
{
    size_t n_heads = of->run->model->config.n_heads, size = rows * layout->cols;
    for (size_t i = 0; i < n; i++) {
        struct tensor table;
        const size_t head[2] = {heads[i] / n_heads, heads[i] % n_heads};
        if (!find_table(of, head, &table, reterr))
            return false;
        shrink_table(of, table.data, table.shape[0], rows, layout->cols, tints + i * size);
        tensor_release(&table);
    }
    return true;
}

/* Those of the heads of one layer that are shown; the layer's weights are made once. */
static bool shrink_layer(const struct heads_of *of, const struct heads_layout *layout, size_t layer,
                         size_t rows, uint8_t *tints, struct error *reterr)
{
    struct tensor all, dense;
    if (!pattern_of_layer(of->run, layer, &all, reterr))
        return false;
    bool ok = tensor_dense(&all, &dense, reterr);
    tensor_release(&all);
    if (!ok)
        return false;
    size_t n = dense.shape[1], size = rows * layout->cols;
    for (size_t i = 0; i < layout->n_heads; i++)
        shrink_table(of, dense.data + (layout->first_head + i) * n * n, n, rows, layout->cols,
                     tints + i * size);
    tensor_release(&dense);
    return true;
}

/* The same of two runs. */
static bool shrink_change(const struct heads_of *of, const struct heads_layout *layout,
                          size_t layer, size_t rows, uint8_t *tints, struct error *reterr)
{
    size_t first = layer * of->run->model->config.n_heads + layout->first_head;
    bool ok = true;
    for (size_t i = 0; ok && i < layout->n_heads; i++) {
        size_t head = first + i;
        ok = shrink_listed(of, layout, &head, 1, rows, tints + i * rows * layout->cols, reterr);
    }
    return ok;
}

/* One line of n thumbnails side by side. */
static void put_thumbnails(const uint8_t *tints, int first, size_t n, size_t rows, size_t cols,
                           size_t line, const struct show_options *options, struct doc *out)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            doc_add(out, STYLE_PLAIN, " ");
        thumbnail_put_line(out, tints + i * rows * cols, first, rows, cols, line, options);
    }
    doc_end_line(out);
}

/* The lines of one layer, its name before the first. */
static void put_layer(const struct heads_layout *layout, int first, size_t layer, size_t rows,
                      const uint8_t *tints, const struct show_options *options, struct doc *out)
{
    for (size_t line = 0; line < layout->lines; line++) {
        if (line == 0)
            doc_add(out, STYLE_LABEL, "L%-*zu", HEADS_LABEL_COLS - 1, layer);
        else
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
        put_thumbnails(tints, first, layout->n_heads, rows, layout->cols, line, options, out);
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
    /* Where no line is left between layers, the last half of one is. */
    size_t each = thumbnail_rows_each(options);
    size_t rows = layout->lines * each - (layout->gap_lines == 0 && each == 2 ? 1 : 0);
    uint8_t *tints = malloc(layout->n_heads * rows * layout->cols + 1);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    if (ok)
        put_names(layout, out);
    for (size_t i = 0; ok && i < layout->n_layers; i++) {
        size_t layer = layout->first_layer + i;
        ok = of->other != NULL ? shrink_change(of, layout, layer, rows, tints, reterr)
                               : shrink_layer(of, layout, layer, rows, tints, reterr);
        if (ok)
            put_layer(layout, first_tint(of), layer, rows, tints, options, out);
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
    size_t rows = layout->lines * thumbnail_rows_each(options);
    uint8_t *tints = malloc(layout->n_heads * rows * layout->cols + 1);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    for (size_t at = 0; ok && at < n; at += layout->n_heads) {
        size_t in_row = size_min(layout->n_heads, n - at);
        put_listed_names(layout, heads + at, in_row, of->run->model->config.n_heads, out);
        ok = shrink_listed(of, layout, heads + at, in_row, rows, tints, reterr);
        for (size_t line = 0; ok && line < layout->lines; line++) {
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
            put_thumbnails(tints, first_tint(of), in_row, rows, layout->cols, line, options, out);
        }
    }
    free(tints);
    return ok && doc_check(out, reterr);
}

void show_heads_legend(const struct show_options *options, struct doc *out)
{
    doc_add(out, STYLE_QUIET, "Rows are queries, columns keys; 0 ");
    enum { STEPS = 5 };
    for (int i = 0; i < STEPS; i++) {
        uint8_t tint = (uint8_t)(i * (HEAT_TINTS - 1) / (STEPS - 1));
        struct show_options whole = *options;
        whole.ascii = options->ascii || options->colour; /* no half blocks here */
        thumbnail_put_line(out, &tint, 0, 1, 1, 0, &whole);
    }
    doc_add(out, STYLE_QUIET, " 1, the root of the largest weight in each place.");
    doc_end_line(out);
}
