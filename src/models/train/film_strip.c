/* See film_strip.h. */
#include "train/film_strip.h"

#include <math.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "model/show_model.h"
#include "show/doc.h"
#include "show/plot.h"
#include "tensor/tensor.h"

enum { GAP_COLS = 2, NAME_COLS = 1 }; /* the name of the last head stands out by one */

/* ---- which moments ---- */

/* The first frame after `after` whose loss is `level` or less. */
static size_t first_below(const struct film_branch *branch, size_t after, double level)
{
    size_t i = after + 1;
    while (i + 1 < branch->n_frames && !(branch->frames[i].held_out.loss <= level))
        i++;
    return i;
}

/* Fills frames[0..n) with rising numbers of snapshots. Returns n. */
static size_t choose_moments(const struct film_branch *branch, size_t frames[FILM_STRIP_MOMENTS])
{
    const size_t last = branch->n_frames - 1;
    double high = branch->frames[0].held_out.loss, low = high;
    size_t n = 0;
    for (size_t i = 0; i <= last; i++)
        low = fmin(low, branch->frames[i].held_out.loss);
    frames[n++] = 0;
    for (int part = 1; part < FILM_STRIP_MOMENTS - 1; part++) {
        double level = high - part * (high - low) / (FILM_STRIP_MOMENTS - 1);
        size_t next = first_below(branch, frames[n - 1], level);
        if (next < last)
            frames[n++] = next;
    }
    if (last > 0)
        frames[n++] = last;
    return n;
}

/* ---- a moment ---- */

/* One held-out sequence, (n,). */
static bool draw_sequence(const struct film *film, struct tensor *ret, struct error *reterr)
{
    const struct film_branch *branch = &film->branches[0];
    struct batch batch;
    if (!branch->source->class->batch(branch->source, SPLIT_HELD_OUT, branch->seed, 0, 1, &batch,
                                      reterr))
        return false;
    bool ok = tensor_empty(1, &batch.width, ret, reterr);
    for (size_t i = 0; ok && i < batch.width; i++)
        ret->data[i] = (float)batch.inputs[i];
    batch_release(&batch);
    return ok;
}

static void put_words(const struct film_frame *frame, struct doc *out)
{
    doc_line(out, STYLE_TITLE, "step %zu", frame->step);
    doc_line(out, STYLE_PLAIN, "%.0f %% right, loss %.2f", 100 * frame->held_out.right,
             frame->held_out.loss);
}

/* The heads of the model as it was. */
static bool put_heads(const struct film *film, const struct film_frame *frame,
                      const struct tensor *ids, size_t width_cols,
                      const struct show_options *options, struct doc *out, struct error *reterr)
{
    enum { MOST_COLS = 24, MOST_LINES = 10 }; /* of a thumbnail: a strip is seen as a whole */
    struct graph graph = {.stop = NULL};
    struct tensor value = tensor_share(ids);
    struct node *node = node_input(&graph, &value, "held out", 8, reterr);
    struct model *model = node != NULL ? film_model(film, frame, &graph, reterr) : NULL;
    struct run *run = model != NULL ? run_ids(&graph, model, node, reterr) : NULL;
    bool ok = run != NULL;
    if (ok) {
        const struct heads_of of = {.run = run};
        size_t n_layers = model->config.n_layers;
        size_t cols = HEADS_LABEL_COLS + model->config.n_heads * (MOST_COLS + 1);
        size_t lines = HEADS_TOP_LINES + n_layers * (MOST_LINES + 1);
        struct heads_layout layout =
            heads_layout_of(&of, n_layers, size_min(width_cols - NAME_COLS, cols), lines, options);
        ok = show_heads(&of, &layout, options, out, reterr);
    }
    run_free(run);
    model_free(model);
    node_free(node);
    return ok;
}

/* ---- all ---- */

/* How many moments stand side by side, so that all heads of each fit. */
static size_t moments_in_row(size_t n, size_t n_heads, size_t width_cols)
{
    size_t fits = (width_cols + GAP_COLS) / (heads_width(n_heads) + NAME_COLS + GAP_COLS);
    size_t n_rows = (n + size_max(fits, 1) - 1) / size_max(fits, 1);
    return (n + n_rows - 1) / n_rows; /* rows of about the same length */
}

/* Some moments in a row, each width_cols wide. */
static bool put_row(const struct film *film, const size_t *frames, size_t n, size_t width_cols,
                    const struct tensor *ids, const struct show_options *options, struct doc *out,
                    struct error *reterr)
{
    struct doc row, moment, both;
    bool ok = true;
    doc_init(&row);
    doc_init(&moment);
    doc_init(&both);
    for (size_t i = 0; ok && i < n; i++) {
        const struct film_frame *frame = &film->branches[0].frames[frames[i]];
        doc_clear(&moment);
        put_words(frame, &moment);
        ok = put_heads(film, frame, ids, width_cols, options, &moment, reterr);
        if (i == 0) {
            doc_append(&row, &moment, 0);
            continue;
        }
        doc_clear(&both);
        doc_append_beside(&both, &row, &moment, GAP_COLS);
        doc_clear(&row);
        doc_append(&row, &both, 0);
    }
    if (ok)
        doc_append(out, &row, 0);
    ok = ok && doc_check(&row, reterr);
    doc_release(&row);
    doc_release(&moment);
    doc_release(&both);
    return ok;
}

static bool put_losses(const struct film *film, const struct show_options *options, struct doc *out,
                       struct error *reterr)
{
    const struct film_branch *branch = &film->branches[0];
    struct tensor losses;
    if (!tensor_from(1, &branch->n_losses, branch->losses, &losses, reterr))
        return false;
    const struct plot plot = {.n_curves = 1,
                              .curves = {{.y = &losses, .title = "loss"}},
                              .is_bare = true,
                              .is_log_y = true};
    plot_show(out, &plot, options);
    tensor_release(&losses);
    return true;
}

bool film_strip_show(const struct film *film, const struct show_options *options, struct doc *out,
                     struct error *reterr)
{
    const struct film_branch *branch = &film->branches[0];
    size_t frames[FILM_STRIP_MOMENTS];
    struct tensor ids;
    if (branch->n_frames == 0)
        return error_set(reterr, ERR_RANGE, "train: there is no snapshot yet");
    size_t n = choose_moments(branch, frames);
    size_t in_row = moments_in_row(n, branch->recipe.n_heads, options->width_cols);
    size_t each = (options->width_cols + GAP_COLS) / in_row - GAP_COLS;
    if (!draw_sequence(film, &ids, reterr))
        return false;
    bool ok = true;
    for (size_t at = 0; ok && at < n; at += in_row)
        ok = put_row(film, frames + at, size_min(in_row, n - at), each, &ids, options, out, reterr);
    tensor_release(&ids);
    ok = ok && put_losses(film, options, out, reterr);
    doc_wrap(out, STYLE_QUIET,
             "Above, the weights of each head on one held-out sequence: rows are queries, columns "
             "keys. Below, the loss of each step.",
             options->width_cols, 0);
    return ok && doc_check(out, reterr);
}
