/* Contexts, compared with what attention gives: see verify_internal.h. */
#include "verify/verify_internal.h"

#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "graph/node.h"
#include "show/number.h"

/* The difference that a context may have, as a share of the largest value; and more for each unit
 * of the largest score, whose last digit softmax turns into a share of the weights. */
static const double CONTEXT_TOLERANCE = 1e-5, SCORE_TOLERANCE = 1e-6, SCORE_MAX = 1000;
/* Up to here a difference looks like numbers that were rounded to a few decimals. */
static const double ROUNDED = 1e-3;

/* A context that was given, what it should be, and how much they may differ. */
struct comparison {
    struct verify_table got;
    const struct tensor *want;
    double tolerance;
};

bool verify_matrix(struct verify_report *report, const struct node *x, const char *name)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (x->value.n_axes >= 2 && tensor_size(&x->value) > 0)
        return true;
    verify_failed(report, "%s is %s; it must be a matrix: a row for each token", name,
                  tensor_shape_text(&x->value, shape));
    return false;
}

size_t verify_size(const struct node *x, unsigned axis)
{
    return x->value.shape[x->value.n_axes - axis];
}

double verify_largest(const struct tensor *x)
{
    struct number_range range = number_range_of(x);
    return fmax(-(double)range.lowest, (double)range.highest);
}

static void check_finite(struct verify_report *report, const struct comparison *c,
                         const struct verify_source *source)
{
    struct verify_found found = verify_not_finite(&c->got);
    struct text text = {0};
    size_t n_bad = 0;
    if (found.n == 0) {
        verify_passed(report, "every number of the context is finite");
        return;
    }
    verify_failed_cells(report, &c->got, &found, "numbers", "not finite");
    verify_row_name(&text, &c->got, found.first / c->got.n_cols);
    for (size_t i = 0; i < source->n_inputs && n_bad == 0; i++) {
        struct number_range range = number_range_of(&source->inputs[i]->value);
        n_bad = range.n_nan + range.n_minus_inf + range.n_plus_inf;
        if (n_bad > 0)
            verify_advise(report, "%s itself holds %zu numbers that are not finite: begin there",
                          source->names[i], n_bad);
    }
    if (n_bad == 0 && tensor_at_position(c->want, found.first) == 0)
        verify_advise(report,
                      "does the mask hide every key from %s? softmax of only -inf is nan in "
                      "PyTorch; attn gives such a query zeros",
                      text_string(&text));
    else if (n_bad == 0)
        verify_advise(report,
                      "the inputs are finite: exp() overflowed in between; subtract the largest "
                      "score of a row before it");
    verify_end_text(report, &text);
}

/* How far the finite numbers of the context are off. */
struct deviation {
    struct verify_found wrong;
    size_t n_compared;
    double largest;
};

static struct deviation deviation_of(const struct comparison *c)
{
    struct deviation found = {.largest = 0};
    for (size_t i = 0, n = tensor_size(c->want); i < n; i++) {
        double away = fabs((double)c->got.data[i] - (double)tensor_at_position(c->want, i));
        if (!isfinite(c->got.data[i]))
            continue;
        found.n_compared++;
        found.largest = isnan(away) ? (double)INFINITY : fmax(found.largest, away);
        if (!(away <= c->tolerance))
            verify_find(&found.wrong, i);
    }
    return found;
}

/* Adds which mistake makes such a context. */
static bool find_mistake(const struct verify_report *report, const struct comparison *c,
                         const struct mistake_input *input, struct text *ret_when,
                         size_t *ret_n_untried)
{
    const char *data_dir = report->options->data_dir;
    struct edits edits = {0};
    *ret_n_untried = 0;
    if (data_dir == NULL)
        return true;
    bool ok = edits_open(data_dir, &edits, report->reterr) &&
              mistake_find(input, &edits, &c->got.node->value, c->want, c->tolerance, ret_when,
                           ret_n_untried, report->reterr);
    edits_release(&edits);
    return ok;
}

static bool advise_context(struct verify_report *report, const struct comparison *c,
                           const struct mistake_input *input, const struct deviation *off)
{
    struct text when = {0};
    double magnitude = verify_largest(c->want);
    size_t n_untried;
    bool ok = find_mistake(report, c, input, &when, &n_untried);
    if (ok && when.size > 0)
        verify_advise(report, "this is what comes out when %s", text_string(&when));
    else if (ok && off->largest <= ROUNDED * fmax(1, magnitude))
        verify_advise(
            report,
            "the largest difference is %.2g, as in numbers that were rounded to a few decimals; "
            "give the context as it was computed",
            off->largest);
    else if (ok && n_untried > 0)
        verify_advise(
            report,
            "none of the most common mistakes gives just this; %zu others were not tried, "
            "which takes long with this many numbers: give fewer rows, or compare step by "
            "step: scores, scaled scores, weights, then the context",
            n_untried);
    else if (ok)
        verify_advise(report,
                      "no usual mistake gives just this; compare step by step: scores, scaled "
                      "scores, weights, then the context");
    text_release(&when);
    return ok;
}

static bool check_agreement(struct verify_report *report, const struct comparison *c,
                            const struct mistake_input *input)
{
    struct deviation off = deviation_of(c);
    struct text text = {0};
    if (off.n_compared == 0)
        return true;
    if (off.wrong.n == 0) {
        verify_passed(report,
                      "the context is what attention gives (largest difference %.2g, allowed %.2g "
                      "in float32)",
                      off.largest, c->tolerance);
        return true;
    }
    float got = c->got.data[off.wrong.first];
    float want = tensor_at_position(c->want, off.wrong.first);
    char texts[2][NUMBER_TEXT];
    number_short(got, report->options->digits, texts[0]);
    number_short(want, report->options->digits, texts[1]);
    verify_cell_name(&text, &c->got, off.wrong.first);
    if (strcmp(texts[0], texts[1]) == 0) /* told apart by more digits */
        text_format(&text, " = %.9g, and attention gives %.9g", (double)got, (double)want);
    else
        text_format(&text, " = %s, and attention gives %s", texts[0], texts[1]);
    verify_failed(report, "%s: %zu of %zu numbers differ by more than %.2g", text_string(&text),
                  off.wrong.n, off.n_compared, c->tolerance);
    verify_end_text(report, &text);
    return advise_context(report, c, input, &off);
}

/* True where the last two axes of x are those of wanted the other way round. */
static bool is_transposed(const struct tensor *x, const struct tensor *wanted)
{
    unsigned n = x->n_axes;
    if (n != wanted->n_axes || n < 2)
        return false;
    struct tensor turned = tensor_transpose(x, n - 2, n - 1);
    bool same = tensor_same_shape(&turned, wanted);
    tensor_release(&turned);
    return same;
}

bool verify_context_shape(struct verify_report *report, const struct node *context,
                          const struct tensor *want, size_t n_q, size_t n_k)
{
    const struct tensor *got = &context->value;
    char shapes[2][TENSOR_SHAPE_TEXT];
    tensor_shape_text(got, shapes[0]);
    tensor_shape_text(want, shapes[1]);
    if (tensor_same_shape(got, want)) {
        verify_passed(report, "the context is %s: a row for each query", shapes[0]);
        return true;
    }
    verify_failed(report, "the context is %s, and must be %s", shapes[0], shapes[1]);
    if (is_transposed(got, want))
        verify_advise(report,
                      "it is transposed: rows are queries, columns are components of the values");
    else if (got->n_axes >= 2 && got->shape[got->n_axes - 2] == n_q &&
             got->shape[got->n_axes - 1] == n_k)
        verify_advise(report, "%zux%zu is the shape of the weights: the product with V is missing",
                      n_q, n_k);
    else
        verify_advise(report,
                      "it has a row for each query, and as many columns as the values have");
    return false;
}

/* The largest score that softmax saw. */
static bool largest_score(const struct tensor *query, const struct tensor *key, double scale,
                          const struct verify_options *options, double *ret, struct error *reterr)
{
    struct attention_input input = {
        .query = query, .key = key, .value = key, .has_scale = true, .scale = scale};
    struct attention_trace trace;
    if (!attention_forward_traced(&input, options->stop, &trace, reterr))
        return false;
    *ret = verify_largest(&trace.scaled);
    attention_trace_release(&trace);
    return true;
}

bool verify_context(struct verify_report *report, const struct node *context,
                    const struct tensor *want, const struct verify_source *source)
{
    struct comparison c = {.want = want};
    double score;
    bool ok = verify_table_init(&c.got, context, "context", report->reterr) &&
              largest_score(source->input.query, source->input.key, source->scale, report->options,
                            &score, report->reterr);
    if (ok) {
        c.tolerance =
            source->magnitude * (CONTEXT_TOLERANCE + SCORE_TOLERANCE * fmin(score, SCORE_MAX));
        check_finite(report, &c, source);
        ok = check_agreement(report, &c, &source->input);
    }
    tensor_release(&c.got.dense);
    return ok;
}
