/* See alignment.h. */
#include "model/alignment.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"
#include "graph/node.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/labels.h"
#include "tensor/tensor.h"

/* costs[i][j]: the changes from the first i tokens of a to the first j of b. */
struct table {
    const struct tensor *a, *b;
    size_t n_a, n_b;
    uint32_t *costs; /* (n_a + 1) x (n_b + 1) */
};

static uint32_t *cost_at(const struct table *table, size_t i, size_t j)
{
    return &table->costs[i * (table->n_b + 1) + j];
}

/* Of pairing token i - 1 with j - 1. */
static uint32_t cost_of_pair(const struct table *table, size_t i, size_t j)
{
    bool same = tensor_at_position(table->a, i - 1) == tensor_at_position(table->b, j - 1);
    return *cost_at(table, i - 1, j - 1) + !same;
}

static void fill(struct table *table)
{
    for (size_t i = 0; i <= table->n_a; i++)
        for (size_t j = 0; j <= table->n_b; j++) {
            uint32_t *cost = cost_at(table, i, j);
            if (i == 0 || j == 0) {
                *cost = (uint32_t)(i + j);
                continue;
            }
            uint32_t without_a = *cost_at(table, i - 1, j) + 1;
            uint32_t without_b = *cost_at(table, i, j - 1) + 1;
            *cost = cost_of_pair(table, i, j);
            *cost = without_a < *cost ? without_a : *cost;
            *cost = without_b < *cost ? without_b : *cost;
        }
}

/* From the ends back: equal tokens are paired; of several that could be replaced by one, the first
 * is. */
static void walk(const struct table *table, struct alignment *alignment)
{
    size_t i = table->n_a, j = table->n_b, n = 0;
    while (i > 0 && j > 0) {
        uint32_t cost = *cost_at(table, i, j);
        bool same = tensor_at_position(table->a, i - 1) == tensor_at_position(table->b, j - 1);
        if (!same && cost == *cost_at(table, i - 1, j) + 1) {
            i--;
        } else if (!same && cost == *cost_at(table, i, j - 1) + 1) {
            j--;
        } else {
            alignment->pairs[n][0] = --i;
            alignment->pairs[n++][1] = --j;
        }
    }
    for (size_t k = 0; k < n / 2; k++)
        for (int side = 0; side < 2; side++) {
            size_t swapped = alignment->pairs[k][side];
            alignment->pairs[k][side] = alignment->pairs[n - 1 - k][side];
            alignment->pairs[n - 1 - k][side] = swapped;
        }
    alignment->n = n;
}

bool alignment_of(const struct run *a, const struct run *b, struct alignment *ret,
                  struct error *reterr)
{
    if (!run_check_one_text(a, reterr) || !run_check_one_text(b, reterr))
        return false;
    struct table table = {
        .a = &a->ids->value, .b = &b->ids->value, .n_a = run_length(a), .n_b = run_length(b)};
    size_t shorter = table.n_a < table.n_b ? table.n_a : table.n_b;
    table.costs = calloc((table.n_a + 1) * (table.n_b + 1), sizeof *table.costs);
    *ret = (struct alignment){.pairs = calloc(shorter + 1, sizeof *ret->pairs)};
    bool ok = (table.costs != NULL && ret->pairs != NULL) || error_memory(reterr, "compare");
    if (ok) {
        fill(&table);
        walk(&table, ret);
    } else {
        alignment_release(ret);
    }
    free(table.costs);
    return ok;
}

void alignment_release(struct alignment *alignment)
{
    free(alignment->pairs);
    *alignment = (struct alignment){.n = 0};
}

/* A token's name, or its id. */
static void put_token(const struct run *run, size_t i, struct text *text)
{
    model_show_token(run->model, (size_t)tensor_at_position(&run->ids->value, i), text);
}

bool alignment_labels(const struct alignment *alignment, const struct run *a, const struct run *b,
                      struct labels **ret, struct error *reterr)
{
    size_t n = alignment->n;
    struct text all = {0};
    const char **names = calloc(n + 1, sizeof(*names));
    size_t *ends = calloc(n + 1, sizeof *ends), *sizes = calloc(n + 1, sizeof *sizes);
    bool ok = (names != NULL && ends != NULL && sizes != NULL) || error_memory(reterr, "compare");
    for (size_t i = 0; ok && i < n; i++) {
        const size_t *pair = alignment->pairs[i];
        put_token(a, pair[0], &all);
        if (tensor_at_position(&a->ids->value, pair[0]) !=
            tensor_at_position(&b->ids->value, pair[1])) {
            text_put(&all, "|");
            put_token(b, pair[1], &all);
        }
        ends[i + 1] = all.size;
    }
    for (size_t i = 0; ok && i < n; i++) {
        names[i] = text_string(&all) + ends[i];
        sizes[i] = ends[i + 1] - ends[i];
    }
    ok = ok && (!all.failed || error_memory(reterr, "compare")) &&
         labels_new(n, names, sizes, ret, reterr);
    free(names);
    free(ends);
    free(sizes);
    text_release(&all);
    return ok;
}
