/* See detector_table.h. */
#include "model/detector_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"
#include "model/head_ranking.h"
#include "show/doc.h"
#include "show/labels.h"
#include "tensor/tensor.h"

/* Above this ARENA calls a head by the pattern's name. */
#define NAMED_FROM 0.4F

enum { COLUMN = 8 }; /* columns of a score */

/* The score by which a head is ranked; NaN where it has none. */
static float rank_of(const float *scores, enum detector by)
{
    float highest = NAN;
    if (by < DETECTORS)
        return scores[by];
    for (size_t d = 0; d < DETECT_UNIFORM; d++)
        if (!(scores[d] <= highest) && !isnan(scores[d]))
            highest = scores[d];
    return highest;
}

/* Fills one column: a detector's score of each head. */
static bool fill_column(struct run *run, const struct detection *detection, float *table,
                        struct error *reterr)
{
    struct tensor scores;
    if (!detector_scores(run, detection, &scores, reterr))
        return false;
    for (size_t i = 0; i < tensor_size(&scores); i++)
        table[i * DETECTORS + detection->detector] = scores.data[i];
    tensor_release(&scores);
    return true;
}

static bool fill(struct run *run, struct detection detection, float *table, struct error *reterr)
{
    bool ok = true;
    for (enum detector d = 0; ok && d < DETECTORS; d++) {
        detection.detector = d;
        ok = fill_column(run, &detection, table, reterr);
    }
    return ok;
}

/* The heads, the highest first. */
static bool rank(const float *table, size_t n, enum detector by, size_t *ret_order,
                 struct error *reterr)
{
    float *ranks = calloc(n + 1, sizeof *ranks);
    if (ranks == NULL)
        return error_memory(reterr, "a table of heads");
    for (size_t i = 0; i < n; i++)
        ranks[i] = rank_of(table + i * DETECTORS, by);
    bool ok = rank_by_size(ranks, n, ret_order, reterr);
    free(ranks);
    return ok;
}

/* The rows in that order, and their names. */
static bool ordered(const float *table, const size_t *order, size_t n, size_t n_heads,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr)
{
    if (!tensor_empty(2, (size_t[]){n, DETECTORS}, ret, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        memcpy(ret->data + i * DETECTORS, table + order[i] * DETECTORS, DETECTORS * sizeof *table);
    if (labels_of_heads(n_heads, order, n, ret_heads, reterr))
        return true;
    tensor_release(ret);
    return false;
}

bool detector_table(struct run *run, enum detector_measure measure, size_t period, enum detector by,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    size_t n = config->n_layers * config->n_heads;
    struct detection detection = {.measure = measure, .period = period};
    float *table = calloc(n * DETECTORS + 1, sizeof *table);
    size_t *order = calloc(n + 1, sizeof *order);
    bool ok = (table != NULL && order != NULL) || error_memory(reterr, "a table of heads");
    ok = ok && fill(run, detection, table, reterr) && rank(table, n, by, order, reterr) &&
         ordered(table, order, n, config->n_heads, ret, ret_heads, reterr);
    free(table);
    free(order);
    return ok;
}

/* ---- showing ---- */

static void show_names(struct doc *out)
{
    static const char *const shortened[DETECTORS] = {[DETECT_SAME_WORD] = "word",
                                                     [DETECT_PUNCTUATION] = "punct.",
                                                     [DETECT_DUPLICATE] = "duplic.",
                                                     [DETECT_INDUCTION] = "induct."};
    doc_add(out, STYLE_LABEL, "%-8s", "");
    for (enum detector d = 0; d < DETECTORS; d++)
        doc_add(out, STYLE_LABEL, "%*s", COLUMN,
                shortened[d] != NULL ? shortened[d] : detector_name(d));
    doc_end_line(out);
}

static void show_head(const float *scores, const char *name, struct doc *out)
{
    doc_add(out, STYLE_LABEL, "%-8s", name);
    for (size_t d = 0; d < DETECTORS; d++) {
        if (isnan(scores[d]))
            doc_add(out, STYLE_QUIET, "%*s", COLUMN, "-");
        else
            doc_add(out, scores[d] > NAMED_FROM ? STYLE_GOOD : STYLE_NUMBER, "%*.2f", COLUMN,
                    (double)scores[d]);
    }
    doc_end_line(out);
}

bool show_detector_table(const struct tensor *table, const struct labels *heads, size_t n,
                         struct doc *out, struct error *reterr)
{
    size_t n_all = table->shape[0];
    show_names(out);
    for (size_t i = 0; i < n && i < n_all; i++)
        show_head(table->data + i * DETECTORS, labels_name(heads, i), out);
    if (n < n_all)
        doc_line(out, STYLE_QUIET, "... %zu more heads", n_all - n);
    return doc_check(out, reterr);
}
