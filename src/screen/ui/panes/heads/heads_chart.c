/* The model's own chart: the path of one position's vector through the layers, with the lengths of
 * what each part adds to it, and where the head under the cursor stands in it. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>
#include <stdio.h>

#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"

enum { NAME_COLS = 12, FULL_LINES = 3 /* the title, the heading, the note */ };

/* The position that is looked at: the query under the cursor, or the last. */
static size_t position_of(const struct heads_pane *pane)
{
    size_t n = run_length(pane->run);
    size_t row = pane->map.is_open ? pane->map.row : pane->explorer.row;
    if (!pane->is_one)
        return n - 1;
    if (pane->map.is_open && pane->other != NULL && row < pane->alignment.n)
        row = pane->alignment.pairs[row][1];
    return row < n ? row : n - 1;
}

/* The length of a row of a stage, (n, width). */
static bool length_of(struct run *run, enum stage stage, size_t layer, size_t position, double *ret,
                      struct error *reterr)
{
    struct node *node = run_stage(run, stage, layer, reterr);
    if (node == NULL)
        return false;
    size_t width = node->value.shape[node->value.n_axes - 1];
    double sum = 0;
    for (size_t i = 0; i < width; i++) {
        double x = (double)tensor_at_position(&node->value, position * width + i);
        sum += x * x;
    }
    *ret = sqrt(sum);
    return true;
}

static void put_name(struct doc *out, bool is_here, const char *name)
{
    doc_add(out, is_here ? STYLE_TITLE : STYLE_LABEL, "%s%-*s", is_here ? ">" : " ", NAME_COLS,
            name);
}

/* "L0 attention    1.92   1.20": what the stream is before it, and what is added. */
static void put_part(struct doc *out, bool is_here, const char *name, double stream, double adds)
{
    put_name(out, is_here, name);
    doc_add(out, STYLE_NUMBER, "%6.2f", stream);
    doc_add(out, STYLE_NUMBER, " %6.2f", adds);
    doc_end_line(out);
}

static const char *norm_name(const struct model_config *config)
{
    return config->norm == NORM_RMS ? "RMSNorm" : "LayerNorm";
}

/* After the norm of the layer that one is in, which the other lines leave out. */
static bool put_norm(struct heads_pane *pane, enum stage stage, size_t position, struct doc *out,
                     struct error *reterr)
{
    const struct model_config *config = &pane->run->model->config;
    double length;
    if (config->norm == NORM_NONE)
        return true;
    if (!length_of(pane->run, stage, pane->look.layer, position, &length, reterr))
        return false;
    put_name(out, true, norm_name(config));
    doc_add(out, STYLE_NUMBER, "%6.2f", length);
    doc_end_line(out);
    return true;
}

static bool put_layer(struct heads_pane *pane, size_t layer, size_t position, struct doc *out,
                      struct error *reterr)
{
    struct run *run = pane->run;
    const struct model_config *config = &run->model->config;
    bool is_here = layer == pane->look.layer;
    double stream, adds;
    char name[32];
    if (is_here && !put_norm(pane, STAGE_NORMED, position, out, reterr))
        return false;
    if (!length_of(run, STAGE_RESID, layer, position, &stream, reterr) ||
        !length_of(run, STAGE_ATTENDED, layer, position, &adds, reterr))
        return false;
    if (is_here)
        snprintf(name, sizeof name, "L%zuH%zu of %zu", layer, pane->look.head, config->n_heads);
    else
        snprintf(name, sizeof name, "L%zu attention", layer);
    put_part(out, is_here, name, stream, adds);
    if (config->d_mlp == 0)
        return true;
    if (is_here && !put_norm(pane, STAGE_NORMED2, position, out, reterr))
        return false;
    if (!length_of(run, STAGE_MIDDLE, layer, position, &stream, reterr) ||
        !length_of(run, STAGE_MLP, layer, position, &adds, reterr))
        return false;
    put_part(out, is_here, "   MLP", stream, adds);
    return true;
}

bool heads_write_chart(struct heads_pane *pane, int rows, struct doc *out, struct error *reterr)
{
    struct run *run = pane->run;
    const struct model_config *config = &run->model->config;
    size_t position = position_of(pane), n = config->n_layers;
    size_t each = config->d_mlp > 0 ? 2 : 1, most = rows > FULL_LINES + 4 ? (size_t)rows - 7 : 1;
    size_t seen = most / each > 0 ? most / each : 1, first = 0;
    struct text token = {0};
    double length;
    if (seen < n) /* the layers around the one under the cursor */
        first = pane->look.layer < seen / 2       ? 0
                : pane->look.layer + seen / 2 > n ? n - seen
                                                  : pane->look.layer - seen / 2;
    model_show_token(run->model, (size_t)tensor_at_position(&run->ids->value, position), &token);
    doc_line(out, STYLE_TITLE, "the stream at %zu \"%s\"", position, text_string(&token));
    text_release(&token);
    doc_line(out, STYLE_QUIET, " %-*s%6s %6s", NAME_COLS, first > 0 ? "..." : "lengths of",
             "stream", "adds");
    bool ok = true;
    for (size_t layer = first; ok && layer < n && layer < first + seen; layer++)
        ok = put_layer(pane, layer, position, out, reterr);
    if (!ok || !length_of(run, STAGE_OUT, n - 1, position, &length, reterr))
        return false;
    put_name(out, false, first + seen < n ? "... the end" : "at the end");
    doc_add(out, STYLE_NUMBER, "%6.2f", length);
    doc_end_line(out);
    doc_line(out, STYLE_QUIET, "%s",
             config->norm == NORM_NONE  ? "then the logits"
             : config->norm == NORM_RMS ? "then RMSNorm, the logits"
                                        : "then LayerNorm, logits");
    return doc_check(out, reterr);
}
