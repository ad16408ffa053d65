/* See head_ranking.h. */
#include "model/head_ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

static void write_number(const void *prefix, size_t i, struct text *text)
{
    text_format(text, "%s%zu", (const char *)prefix, i);
}

bool labels_numbered(const char *prefix, size_t n, struct labels **ret, struct error *reterr)
{
    return labels_written(n, write_number, prefix, ret, reterr);
}

/* Heads in an order, all layers one after the other. */
struct ordered_heads {
    size_t n_heads;
    const size_t *order; /* or NULL: as they are */
};

static void write_head(const void *about, size_t i, struct text *text)
{
    const struct ordered_heads *heads = about;
    size_t at = heads->order != NULL ? heads->order[i] : i;
    text_format(text, "L%zuH%zu", at / heads->n_heads, at % heads->n_heads);
}

bool labels_of_heads(size_t n_heads, const size_t *order, size_t n, struct labels **ret,
                     struct error *reterr)
{
    const struct ordered_heads heads = {n_heads, order};
    return labels_written(n, write_head, &heads, ret, reterr);
}

/* A number's size and place. */
struct ranked {
    float size;
    size_t place;
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

bool rank_by_size(const float *numbers, size_t n, size_t *ret_order, struct error *reterr)
{
    struct ranked *all = calloc(n + 1, sizeof *all);
    if (all == NULL)
        return error_memory(reterr, "a ranking");
    for (size_t i = 0; i < n; i++)
        all[i] = (struct ranked){isnan(numbers[i]) ? -1 : fabsf(numbers[i]), i};
    qsort(all, n, sizeof *all, by_size);
    for (size_t i = 0; i < n; i++)
        ret_order[i] = all[i].place;
    free(all);
    return true;
}

/* The first n of the ranking as labelled bars. */
static bool show_ranked(const struct tensor *scores, const size_t *order, size_t n,
                        const struct show_options *options, struct doc *out, struct error *reterr)
{
    struct labels *labels;
    struct tensor bars;
    if (!labels_of_heads(scores->shape[1], order, n, &labels, reterr))
        return false;
    if (!tensor_empty(1, &n, &bars, reterr)) {
        labels_free(labels);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        bars.data[i] = scores->data[order[i]];
    struct picture picture = {.tensor = &bars, .labels = &labels};
    bars_show(out, &picture, options);
    tensor_release(&bars);
    labels_free(labels);
    return doc_check(out, reterr);
}

bool show_head_ranking(const struct tensor *scores, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr)
{
    size_t n_all = tensor_size(scores);
    size_t *order = calloc(n_all + 1, sizeof *order);
    bool ok = order != NULL || error_memory(reterr, "a ranking of heads");
    ok = ok && rank_by_size(scores->data, n_all, order, reterr) &&
         show_ranked(scores, order, n < n_all ? n : n_all, options, out, reterr);
    free(order);
    return ok;
}

void show_may_not_matter(const struct show_options *options, struct doc *out)
{
    doc_wrap(out, STYLE_QUIET,
             "A head may look there and not matter: ablate r, head=(layer, head) shows what the "
             "text needs of it.",
             options->width_cols, 0);
}
