/* See show_prediction.h. */
#include "model/show_prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "graph/node.h"
#include "model/prediction.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { SHOWN = 8 }; /* tokens of which a change is shown */

/* The row of the logits that a position means. */
static bool find_row(const struct run *run, ptrdiff_t row, size_t *ret, struct error *reterr)
{
    ptrdiff_t n = (ptrdiff_t)run_length(run);
    if (!run_check_one_text(run, reterr))
        return false;
    if (row < -n || row >= n)
        return error_set(reterr, ERR_RANGE,
                         "predict: position %td: the text has %td tokens, 0 to %td", row, n, n - 1);
    *ret = (size_t)(row < 0 ? row + n : row);
    return true;
}

/* Candidates of a model. */
struct candidates {
    const struct model *model;
    const struct candidate *ranked;
};

static void write_candidate(const void *about, size_t i, struct text *text)
{
    const struct candidates *all = about;
    model_show_token(all->model, all->ranked[i].token, text);
}

/* The first n candidates as a vector of probabilities, labelled by their tokens. */
static bool labelled(const struct model *model, const struct candidate *ranked, size_t n,
                     struct tensor *ret, struct labels **ret_labels, struct error *reterr)
{
    const struct candidates all = {model, ranked};
    if (!labels_written(n, write_candidate, &all, ret_labels, reterr))
        return false;
    if (!tensor_empty(1, &n, ret, reterr)) {
        labels_free(*ret_labels);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        ret->data[i] = (float)ranked[i].probability;
    return true;
}

bool show_prediction(struct run *run, ptrdiff_t row, size_t n, double temperature,
                     const struct show_options *options, struct doc *out, struct error *reterr)
{
    struct candidate *ranked;
    struct tensor bars;
    struct labels *labels;
    size_t at = 0, vocab = run->model->config.vocab;
    struct node *logits = find_row(run, row, &at, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL || !prediction_rank(&logits->value, at, temperature, &ranked, reterr))
        return false;
    n = n < vocab ? n : vocab;
    bool ok = labelled(run->model, ranked, n, &bars, &labels, reterr);
    if (ok) {
        struct picture picture = {.tensor = &bars, .labels = &labels};
        bars_show(out, &picture, options);
        tensor_release(&bars);
        labels_free(labels);
    }
    free(ranked);
    return ok && doc_check(out, reterr);
}

/* The probability of a token; ranked holds all of them. */
static double probability_of(const struct candidate *ranked, size_t n, size_t token)
{
    for (size_t i = 0; i < n; i++)
        if (ranked[i].token == token)
            return ranked[i].probability;
    return 0;
}

/* What the n first had before, as bars have it; what looks the same is the same. */
static bool probabilities_before(const struct candidate *ranked, const struct candidate *was,
                                 size_t vocab, size_t n, int digits, struct tensor *ret,
                                 struct error *reterr)
{
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    double seen = 0.5 * pow(10, -digits);
    for (size_t i = 0; i < n; i++) {
        double before = probability_of(was, vocab, ranked[i].token);
        bool same = fabs(before - ranked[i].probability) < seen;
        ret->data[i] = (float)(same ? ranked[i].probability : before);
    }
    return true;
}

/* The candidates at the end of a run, with the probabilities by which they are drawn. */
static bool rank_drawn(struct run *run, const struct sampling *sampling, struct candidate **ret,
                       size_t *ret_allowed, struct error *reterr)
{
    struct node *logits = run_logits(run, reterr);
    if (logits == NULL ||
        !prediction_rank(&logits->value, run_length(run) - 1, sampling->temperature, ret, reterr))
        return false;
    *ret_allowed = prediction_restrict(*ret, run->model->config.vocab, sampling);
    return true;
}

/* Booleans, (n,): whether each of the first n is cut off. */
static bool cut_off(size_t n, size_t n_allowed, struct tensor *ret, struct error *reterr)
{
    if (!tensor_full(1, &n, 0, ret, reterr))
        return false;
    for (size_t i = n_allowed; i < n; i++)
        ret->data[i] = 1;
    return true;
}

bool show_prediction_beside(struct run *run, struct run *base, size_t n,
                            const struct sampling *sampling, const struct show_options *options,
                            struct doc *out, struct error *reterr)
{
    struct candidate *ranked = NULL, *was = NULL;
    struct tensor bars = {.n_axes = 0}, before = bars, hidden = bars;
    struct labels *labels = NULL;
    size_t vocab = run->model->config.vocab, n_allowed, n_before;
    n = n < vocab ? n : vocab;
    bool ok = rank_drawn(run, sampling, &ranked, &n_allowed, reterr) &&
              rank_drawn(base, sampling, &was, &n_before, reterr) &&
              labelled(run->model, ranked, n, &bars, &labels, reterr) &&
              probabilities_before(ranked, was, vocab, n, options->digits, &before, reterr) &&
              cut_off(n, n_allowed, &hidden, reterr);
    if (ok) {
        struct picture picture = {
            .tensor = &bars, .labels = &labels, .before = &before, .hidden = &hidden};
        bars_show(out, &picture, options);
    }
    tensor_release(&bars);
    tensor_release(&before);
    tensor_release(&hidden);
    labels_free(labels);
    free(ranked);
    free(was);
    return ok && doc_check(out, reterr);
}

/* Both predictions of all tokens, in the order of the tokens. */
static int by_token(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* One line: the token, its probability before and after. */
static void show_token(const struct model *model, size_t token, double before, double after,
                       int digits, struct doc *out)
{
    struct text name = {0};
    char was[NUMBER_TEXT], is[NUMBER_TEXT];
    model_show_token(model, token, &name);
    number_short((float)before, digits, was);
    number_short((float)after, digits, is);
    bool differs = number_differs((float)before, (float)after);
    int cols = (int)text_width(text_string(&name), name.size);
    doc_add(out, STYLE_LABEL, "  %s%*s", text_string(&name), cols < 16 ? 16 - cols : 1, "");
    doc_add(out, STYLE_NUMBER, "%-10s", was);
    doc_add(out, STYLE_QUIET, " -> ");
    doc_add(out, differs ? STYLE_CHANGED : STYLE_NUMBER, "%s%s", is, differs ? " *" : "");
    doc_end_line(out);
    out->failed = out->failed || name.failed;
    text_release(&name);
}

/* Each of ranked[0..n), and each of other's best that is not among them. */
static void show_both(const struct model *model, const struct candidate *was,
                      const struct candidate *is, const struct candidate *was_by_token,
                      const struct candidate *is_by_token, int digits, struct doc *out)
{
    size_t n = model->config.vocab < SHOWN ? model->config.vocab : SHOWN;
    for (size_t i = 0; i < n; i++)
        show_token(model, is[i].token, was_by_token[is[i].token].probability, is[i].probability,
                   digits, out);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < n && is[j].token != was[i].token)
            j++;
        if (j == n)
            show_token(model, was[i].token, was[i].probability,
                       is_by_token[was[i].token].probability, digits, out);
    }
}

/* All candidates of the last row, likeliest first, and a copy in the order of the tokens. */
static bool both_orders(struct run *run, struct candidate **ret_ranked,
                        struct candidate **ret_by_token, struct error *reterr)
{
    struct node *logits = run_logits(run, reterr);
    size_t vocab = run->model->config.vocab;
    *ret_ranked = *ret_by_token = NULL;
    if (logits == NULL)
        return false;
    size_t rows = tensor_size(&logits->value) / vocab;
    if (!prediction_rank(&logits->value, rows - 1, 1, ret_ranked, reterr) ||
        !prediction_rank(&logits->value, rows - 1, 1, ret_by_token, reterr))
        return false;
    qsort(*ret_by_token, vocab, sizeof **ret_by_token, by_token);
    return true;
}

static void show_change_title(const struct run *run, struct doc *out)
{
    size_t n_texts = run->ids->value.n_axes == 2 ? run->ids->value.shape[0] : 1;
    if (n_texts > 1)
        doc_line(out, STYLE_QUIET, "the next token of the last of %zu texts:", n_texts);
    else
        doc_line(out, STYLE_QUIET, "the next token:");
}

bool show_prediction_change(struct run *before, struct run *after, int digits, struct doc *out,
                            struct error *reterr)
{
    struct candidate *was, *is = NULL, *was_by_token, *is_by_token = NULL;
    bool ok = both_orders(before, &was, &was_by_token, reterr) &&
              both_orders(after, &is, &is_by_token, reterr);
    if (ok) {
        show_change_title(before, out);
        show_both(before->model, was, is, was_by_token, is_by_token, digits, out);
    }
    free(was);
    free(was_by_token);
    free(is);
    free(is_by_token);
    return ok && doc_check(out, reterr);
}
