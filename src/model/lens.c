/* See lens.h. */
#include "model/lens.h"

#include <stdlib.h>

#include "base/text.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "model/prediction.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/doc.h"
#include "show/labels.h"
#include "tensor/tensor.h"

enum { SHOWN = 3, COLUMN = 22 };

/* The logits of the stream before a layer, at one position: (1, vocab). */
static struct node *stopped_before(struct builder *b, struct run *run, size_t layer,
                                   size_t position)
{
    struct forward forward = {.model = run->model};
    struct node *resid = run_stage(run, STAGE_RESID, layer, b->reterr);
    if (resid == NULL)
        return NULL;
    struct node *row = build_slice(b, resid, 0, position, 1);
    return forward_logits(b, &forward, forward_last_norm(b, &forward, row));
}

struct node *run_lens(struct run *run, size_t position, struct error *reterr)
{
    size_t n = run->model->config.n_layers;
    struct node **rows = calloc(n + 1, sizeof(*rows));
    struct node *logits = run_logits(run, reterr), *lens = NULL;
    struct builder builder;
    if (rows == NULL)
        error_memory(reterr, "lens");
    builder_init(&builder, run->graph, reterr);
    builder.largest_first = true;
    bool ok = rows != NULL && logits != NULL;
    for (size_t layer = 0; ok && layer < n; layer++) {
        rows[layer] = stopped_before(&builder, run, layer, position);
        ok = rows[layer] != NULL;
    }
    if (ok) {
        rows[n] = build_slice(&builder, logits, 0, position, 1);
        lens = builder_result(
            &builder, build_many(&builder, OP_CAT, (unsigned)(n + 1), rows, 1, (ptrdiff_t[]){0}));
    }
    builder_release(&builder);
    free(rows);
    return lens;
}

static void write_stop(const void *unused, size_t i, struct text *text)
{
    (void)unused;
    if (i == 0)
        text_put(text, "embeddings");
    else
        text_format(text, "after L%zu", i - 1);
}

bool lens_labels(size_t n_layers, struct labels **ret, struct error *reterr)
{
    return labels_written(n_layers + 1, write_stop, NULL, ret, reterr);
}

/* ---- showing ---- */

static void show_candidate(const struct model *model, const struct candidate *candidate,
                           struct doc *out)
{
    struct text name = {0};
    model_show_token(model, candidate->token, &name);
    int cols = (int)text_width(text_string(&name), name.size);
    doc_add(out, STYLE_LABEL, "  %s", text_string(&name));
    doc_add(out, STYLE_NUMBER, " %.4f", candidate->probability);
    doc_add(out, STYLE_PLAIN, "%*s", cols + 9 < COLUMN ? COLUMN - cols - 9 : 1, "");
    out->failed = out->failed || name.failed;
    text_release(&name);
}

bool show_lens(const struct model *model, const struct tensor *lens, const struct labels *rows,
               struct doc *out, struct error *reterr)
{
    size_t vocab = model->config.vocab;
    for (size_t i = 0; i < lens->shape[0]; i++) {
        struct candidate *ranked;
        if (!prediction_rank(lens, i, 1, &ranked, reterr))
            return false;
        doc_add(out, STYLE_LABEL, "%-11s", labels_name(rows, i));
        for (size_t c = 0; c < SHOWN && c < vocab; c++)
            show_candidate(model, &ranked[c], out);
        doc_end_line(out);
        free(ranked);
    }
    return doc_check(out, reterr);
}
