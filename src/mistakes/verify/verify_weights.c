/* Checks of weights: see verify.h. */
#include "verify/verify.h"

#include <math.h>

#include "attention/mask.h"
#include "graph/node.h"
#include "show/number.h"
#include "verify/verify_internal.h"

/* A row of weights may miss 1 by so much: see verify.h. */
static const double ROW_TOLERANCE = 1e-5;
/* Up to here a difference looks like numbers that were rounded to a few decimals. */
static const double ROUNDED = 1e-3;
/* A row is saturated where one weight takes this, nearly uniform where none is further from the
 * even share than this part of it, and like another where no weight differs by more than this. */
static const float SATURATED = 0.99F;
static const double NEARLY_UNIFORM = 0.05, NEARLY_ALIKE = 1e-3;
/* Nearly every row. */
static const double MOST_ROWS = 0.9;
/* An additive mask from here on down is meant to hide. */
static const float MEANT_TO_HIDE = -1e6F;

/* ---- masks ---- */

/* The mask as an additive one of the shape of the weights; empty where nothing is hidden. */
static bool hidden_of(const struct node *mask, bool is_causal, unsigned n_axes, const size_t *shape,
                      struct tensor *ret, struct error *reterr)
{
    struct tensor bias = {0}, causal = {0}, wide = {0}, joined;
    const size_t one_query[] = {1, shape[n_axes - 1]};
    bool ok = true;
    *ret = (struct tensor){0};
    if (mask == NULL && !is_causal)
        return true;
    if (n_axes == 1) {
        shape = one_query;
        n_axes = 2;
    }
    if (mask != NULL)
        ok = mask_convert(&mask->value, mask->value.is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE,
                          MASK_ADDITIVE, &bias, reterr);
    if (ok && is_causal)
        ok = mask_causal(shape[n_axes - 2], shape[n_axes - 1], 0, MASK_ADDITIVE, &causal, reterr);
    if (ok && mask != NULL && is_causal) {
        ok = mask_join(&bias, &causal, MASK_ADDITIVE, &joined, reterr);
        if (ok) {
            tensor_release(&bias);
            bias = joined;
        }
    }
    ok = ok && tensor_broadcast(mask != NULL ? &bias : &causal, n_axes, shape, &wide, reterr) &&
         tensor_dense(&wide, ret, reterr);
    tensor_release(&bias);
    tensor_release(&causal);
    tensor_release(&wide);
    return ok;
}

void verify_remark_mask(struct verify_report *report, const struct node *mask)
{
    if (mask == NULL || mask->value.is_bool)
        return;
    size_t n = tensor_size(&mask->value), n_bits = 0, n_zeros = 0, n_finite = 0;
    float lowest = 0;
    for (size_t i = 0; i < n; i++) {
        float number = tensor_at_position(&mask->value, i);
        n_bits += number == 0 || number == 1;
        n_zeros += number == 0;
        n_finite += isfinite(number) && number <= MEANT_TO_HIDE;
        lowest = isfinite(number) && number < lowest ? number : lowest;
    }
    if (n > 0 && n_bits == n && n_zeros < n)
        verify_remark(report,
                      "attn_mask holds 0 and 1 as numbers, so it is added to the scores and hides "
                      "nothing; attn_mask.bool() hides where it is 0");
    else if (n_finite > 0)
        verify_remark(
            report,
            "attn_mask holds %g, which is not -inf: it swallows a score and hides nothing where "
            "all of a row is masked; here it counts as a number that is added",
            (double)lowest);
}

/* What the numbers of a row are like. */
struct row_facts {
    size_t n_finite, n_nan, n_zeros;
    double sum;
    float largest; /* of those that are not NaN */
};

static struct row_facts row_facts_of(const struct verify_table *table, size_t row)
{
    struct row_facts facts = {.largest = -INFINITY};
    for (size_t j = 0; j < table->n_cols; j++) {
        float weight = verify_row(table, row)[j];
        facts.n_finite += isfinite(weight) ? 1 : 0;
        facts.n_nan += isnan(weight) ? 1 : 0;
        facts.n_zeros += weight == 0;
        facts.sum += (double)weight;
        facts.largest = fmaxf(facts.largest, weight);
    }
    return facts;
}

/* ---- weights ---- */

/* The table, and the additive mask: rows of n_k like the weights, or NULL. */
struct weights {
    struct verify_table table;
    struct tensor hidden;
    const float *bias;
};

static bool is_hidden(const struct weights *w, size_t position)
{
    return w->bias != NULL && w->bias[position] == -INFINITY;
}

/* Keys that row may see; where no mask was given, those it gives weight to. */
static size_t count_seen(const struct weights *w, size_t row, bool by_weight)
{
    size_t n = 0;
    for (size_t j = 0; j < w->table.n_cols; j++)
        n += w->bias != NULL ? !is_hidden(w, row * w->table.n_cols + j)
                             : !by_weight || verify_row(&w->table, row)[j] != 0;
    return n;
}

static void say_shape(struct verify_report *report, const struct verify_table *table)
{
    const struct tensor *x = &table->node->value;
    size_t n_tables = table->n_rows / table->n_q;
    const char *query = table->n_q == 1 ? "query" : "queries",
               *key = table->n_cols == 1 ? "key" : "keys";
    if (x->n_axes > 2)
        verify_passed(report, "shape: %zu %s of %zu %s and %zu %s", n_tables,
                      n_tables == 1 ? "table" : "tables", table->n_q, query, table->n_cols, key);
    else
        verify_passed(report, "shape: %zu %s and %zu %s", table->n_q, query, table->n_cols, key);
}

/* Reads the weights and the mask. *ret_fit is false where the other checks can't be made. */
static bool check_weights_shape(struct verify_report *report, const struct verify_weights *given,
                                struct weights *w, bool *ret_fit)
{
    const struct tensor *x = &given->weights->value;
    char shape[TENSOR_SHAPE_TEXT], mask[TENSOR_SHAPE_TEXT];
    struct error error;
    *ret_fit = false;
    tensor_shape_text(x, shape);
    if (x->n_axes == 0)
        verify_failed(report,
                      "shape: %s; weights are a table with a row for each query and a column for "
                      "each key",
                      shape);
    else if (tensor_size(x) == 0)
        verify_failed(report, "shape: %s holds no weights", shape);
    else if (x->is_bool)
        verify_failed(report,
                      "these are True and False: a mask, which says who may be attended to; "
                      "weights say how much");
    if (x->n_axes == 0 || tensor_size(x) == 0 || x->is_bool)
        return true;
    if (!hidden_of(given->attn_mask, given->is_causal, x->n_axes, x->shape, &w->hidden, &error)) {
        if (error.kind != ERR_SHAPE || given->attn_mask == NULL)
            return verify_fault(report, &error);
        verify_failed(report, "shape: the weights are %s and attn_mask is %s", shape,
                      tensor_shape_text(&given->attn_mask->value, mask));
        verify_advise(report,
                      "a mask has a number for each query and key, or axes of 1 that repeat");
        return true;
    }
    w->bias = w->hidden.data;
    if (!verify_table_init(&w->table, given->weights, "W", report->reterr))
        return false;
    say_shape(report, &w->table);
    *ret_fit = true;
    return true;
}

static void check_finite_weights(struct verify_report *report, const struct weights *w)
{
    const struct verify_table *table = &w->table;
    struct verify_found found = verify_not_finite(table);
    struct text text = {0};
    if (found.n == 0) {
        verify_passed(report, "every weight is a finite number");
        return;
    }
    size_t row = found.first / table->n_cols;
    verify_failed_cells(report, table, &found, "weights", "not finite");
    verify_row_name(&text, table, row);
    if (!isnan(table->data[found.first]))
        verify_advise(report,
                      "are these scores, from before softmax? Or exp() overflowed: subtract the "
                      "largest score of a row first");
    else if (row_facts_of(table, row).n_nan == table->n_cols)
        verify_advise(report,
                      "%s is nan throughout: a mask that hides every key from a query leaves "
                      "softmax only -inf, and 0 / 0; or a score is nan, or exp() overflowed",
                      text_string(&text));
    else
        verify_advise(report,
                      "softmax makes a whole row nan, and this one is nan in part: look at what "
                      "was done to %s after softmax",
                      text_string(&text));
    verify_end_text(report, &text);
}

static void check_not_negative(struct verify_report *report, const struct weights *w)
{
    const struct verify_table *table = &w->table;
    struct verify_found found = {0};
    for (size_t i = 0; i < table->n_rows * table->n_cols; i++)
        if (table->data[i] < 0)
            verify_find(&found, i);
    if (found.n == 0) {
        verify_passed(report, "no weight is negative");
        return;
    }
    verify_failed_cells(report, table, &found, "weights", "negative");
    verify_advise(report,
                  "exp() is never negative, so softmax isn't either: these look like scores, from "
                  "before softmax");
}

/* Whether the columns of every table sum to 1, as rows should. */
static bool columns_sum_to_one(const struct verify_table *table)
{
    for (size_t first = 0; first < table->n_rows; first += table->n_q)
        for (size_t j = 0; j < table->n_cols; j++) {
            double sum = 0;
            for (size_t i = 0; i < table->n_q; i++)
                sum += (double)verify_row(table, first + i)[j];
            if (!(fabs(sum - 1) <= ROW_TOLERANCE))
                return false;
        }
    return true;
}

/* Whether each table as a whole sums to 1. */
static bool tables_sum_to_one(const struct verify_table *table)
{
    for (size_t first = 0; first < table->n_rows; first += table->n_q) {
        double sum = 0;
        for (size_t i = 0; i < table->n_q; i++)
            sum += row_facts_of(table, first + i).sum;
        if (!(fabs(sum - 1) <= ROW_TOLERANCE))
            return false;
    }
    return true;
}

/* Whether nothing lies where the mask hides, or above the diagonal where no mask was given. */
static bool hidden_are_zero(const struct weights *w)
{
    const struct verify_table *table = &w->table;
    size_t n_hidden = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t j = 0; j < table->n_cols; j++) {
            bool hidden =
                w->bias != NULL ? is_hidden(w, row * table->n_cols + j) : j > row % table->n_q;
            n_hidden += hidden;
            if (hidden && verify_row(table, row)[j] != 0)
                return false;
        }
    return n_hidden > 0;
}

/* Row sums that are wrong, as far as rows are finite. */
struct sums {
    struct verify_found wrong;
    size_t n_judged;
    double largest_miss, largest; /* |sum - 1|; the sum itself */
};

static struct sums judge_sums(const struct weights *w)
{
    struct sums sums = {.n_judged = 0};
    for (size_t row = 0; row < w->table.n_rows; row++) {
        struct row_facts facts = row_facts_of(&w->table, row);
        if (facts.n_finite < w->table.n_cols)
            continue;
        double sum = facts.sum, miss = fabs(sum - 1);
        sums.n_judged++;
        sums.largest = fmax(sums.largest, sum);
        if (miss <= ROW_TOLERANCE || (sum == 0 && count_seen(w, row, false) == 0))
            continue;
        verify_find(&sums.wrong, row);
        sums.largest_miss = fmax(sums.largest_miss, miss);
    }
    return sums;
}

static void advise_sums(struct verify_report *report, const struct weights *w,
                        const struct sums *sums)
{
    const struct verify_table *table = &w->table;
    if (row_facts_of(table, sums->wrong.first).n_zeros == table->n_cols)
        verify_advise(report,
                      "a row of zeros is right only for a query that may attend to nothing; "
                      "attn_mask= says so to this check");
    else if (table->n_q > 1 && columns_sum_to_one(table))
        verify_advise(report,
                      "each column sums to 1 instead: softmax ran over the queries; it runs over "
                      "the keys, softmax(scores, dim=-1)");
    else if (table->n_q > 1 && tables_sum_to_one(table))
        verify_advise(report,
                      "all weights together sum to 1: softmax ran over the whole table, and each "
                      "row needs its own");
    else if (table->n_q > 1 && sums->largest <= 1 + ROW_TOLERANCE && hidden_are_zero(w))
        verify_advise(report,
                      "hidden weights are 0, and the rows miss just those: the mask came after "
                      "softmax; it comes before it, as -inf");
    else if (sums->largest_miss <= ROUNDED)
        verify_advise(report,
                      "numbers that were rounded to a few decimals miss 1 by as little; give the "
                      "weights as they were computed");
    else
        verify_advise(report,
                      "softmax divides each row by its own sum, as its last step; dropout changes "
                      "sums too, so check before it");
}

static bool check_sums(struct verify_report *report, const struct weights *w)
{
    struct sums sums = judge_sums(w);
    struct text text = {0};
    if (sums.n_judged == 0)
        return false;
    if (sums.wrong.n == 0) {
        verify_passed(report, "each row sums to 1, within %g as float32 allows", ROW_TOLERANCE);
        return true;
    }
    verify_row_name(&text, &w->table, sums.wrong.first);
    verify_failed(report, "%s sums to %.6g: %zu of %zu rows %s not sum to 1", text_string(&text),
                  row_facts_of(&w->table, sums.wrong.first).sum, sums.wrong.n, sums.n_judged,
                  sums.wrong.n == 1 ? "does" : "do");
    verify_end_text(report, &text);
    advise_sums(report, w, &sums);
    return false;
}

/* True where everything below the diagonal is 0: the mask hides the past. */
static bool past_is_hidden(const struct verify_table *table)
{
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t j = 0; j < table->n_cols && j < row % table->n_q; j++)
            if (verify_row(table, row)[j] != 0)
                return false;
    return table->n_q > 1;
}

static void check_hidden(struct verify_report *report, const struct verify_weights *given,
                         const struct weights *w, bool rows_are_right)
{
    const struct verify_table *table = &w->table;
    struct verify_found found = {0};
    struct text text = {0};
    char number[NUMBER_TEXT];
    float largest = 0;
    bool causal_alone = given->attn_mask == NULL;
    if (w->bias == NULL)
        return;
    for (size_t i = 0; i < table->n_rows * table->n_cols; i++)
        if (is_hidden(w, i) && isfinite(table->data[i]) && table->data[i] != 0) {
            verify_find(&found, i);
            largest = fmaxf(largest, fabsf(table->data[i]));
        }
    if (found.n == 0) {
        verify_passed(report, causal_alone
                                  ? "no weight lies above the diagonal, as is_causal=True asks"
                                  : "no weight lies where the mask hides a key");
        return;
    }
    verify_cell_name(&text, table, found.first);
    verify_failed(report, "%s = %s, and %s: %zu such %s", text_string(&text),
                  number_short(table->data[found.first], report->options->digits, number),
                  causal_alone ? "it lies above the diagonal, in the future"
                               : "the mask hides this key",
                  found.n, found.n == 1 ? "weight" : "weights");
    verify_end_text(report, &text);
    if (given->is_causal && past_is_hidden(table))
        verify_advise(report,
                      "everything below the diagonal is 0: the mask hides the past, not the "
                      "future; triu(ones(n, n), diagonal=1) is 1 where it must hide");
    else if ((double)largest <= ROUNDED)
        verify_advise(report,
                      "small, and not 0: hidden scores must be -inf before softmax; a number such "
                      "as -10 leaves a little");
    else if (rows_are_right)
        verify_advise(report,
                      "the rows sum to 1, so softmax saw these scores: the mask is missing, or "
                      "set them to 0; they must be -inf before softmax");
    else
        verify_advise(report,
                      "no mask was applied before softmax: add -inf to the scores that it hides");
}

/* ---- hints: rows that are similar, nearly uniform, or saturated ---- */

struct habits {
    size_t n_rows; /* that have a choice: two keys or more */
    size_t n_saturated, n_uniform, n_alike;
};

/* Whether all that the row sees gets about the same. */
static bool is_uniform(const struct weights *w, size_t row)
{
    size_t n = count_seen(w, row, true);
    double share = n > 0 ? 1 / (double)n : 0;
    for (size_t j = 0; j < w->table.n_cols; j++) {
        double weight = (double)verify_row(&w->table, row)[j];
        if (weight != 0 && !(fabs(weight - share) <= NEARLY_UNIFORM * share))
            return false;
    }
    return n > 1;
}

static bool is_like_first(const struct verify_table *table, size_t row)
{
    const float *first = verify_row(table, row - row % table->n_q), *own = verify_row(table, row);
    for (size_t j = 0; j < table->n_cols; j++)
        if (!(fabs((double)first[j] - (double)own[j]) <= NEARLY_ALIKE))
            return false;
    return true;
}

static struct habits habits_of(const struct weights *w)
{
    struct habits habits = {0};
    for (size_t row = 0; row < w->table.n_rows; row++) {
        if (count_seen(w, row, false) < 2)
            continue;
        habits.n_rows++;
        habits.n_saturated += row_facts_of(&w->table, row).largest > SATURATED;
        habits.n_uniform += is_uniform(w, row);
        habits.n_alike += is_like_first(&w->table, row);
    }
    return habits;
}

static void remark_habits(struct verify_report *report, const struct weights *w)
{
    struct habits habits = habits_of(w);
    size_t n = habits.n_rows;
    if (n == 0)
        return;
    if ((double)habits.n_saturated >= MOST_ROWS * (double)n)
        verify_remark(report,
                      "%zu of %zu rows give one key more than %g: the scores are large; was the "
                      "division by sqrt(d_k) left out? Softmax barely learns there",
                      habits.n_saturated, n, (double)SATURATED);
    else if (habits.n_uniform == n)
        verify_remark(report,
                      "every row is nearly uniform: the scores hardly differ, as before training, "
                      "or if they were divided by too much");
    else if (w->table.n_q > 1 && w->bias == NULL && habits.n_alike == n)
        verify_remark(report, "all rows are equal: every query looks at the same keys; are the "
                              "queries equal, or do the scores depend on the keys alone?");
}

bool verify_weights(const struct verify_weights *given, const struct verify_options *options,
                    struct doc *out, struct error *reterr)
{
    struct verify_report report = {
        .what = "weights", .options = options, .out = out, .reterr = reterr};
    struct weights w = {.bias = NULL};
    bool fit, ok = check_weights_shape(&report, given, &w, &fit);
    if (ok && fit) {
        check_finite_weights(&report, &w);
        check_not_negative(&report, &w);
        bool rows_are_right = check_sums(&report, &w);
        check_hidden(&report, given, &w, rows_are_right);
        verify_remark_mask(&report, given->attn_mask);
        if (rows_are_right)
            remark_habits(&report, &w);
    }
    tensor_release(&w.hidden);
    tensor_release(&w.table.dense);
    return ok && verify_finish(&report);
}

bool verify_remark_heads(struct verify_report *report, const struct tensor *weights, bool is_causal)
{
    struct weights w = {.bias = NULL};
    struct node node = {.value = *weights};
    bool ok =
        hidden_of(NULL, is_causal, weights->n_axes, weights->shape, &w.hidden, report->reterr) &&
        verify_table_init(&w.table, &node, "weights", report->reterr);
    w.bias = w.hidden.data;
    if (ok && verify_not_finite(&w.table).n == 0)
        remark_habits(report, &w);
    tensor_release(&w.hidden);
    tensor_release(&w.table.dense);
    return ok;
}
