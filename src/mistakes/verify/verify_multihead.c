/* Checks of a layer of multi-head attention: see verify.h. */
#include "verify/verify.h"

#include <math.h>

#include "attention/multihead.h"
#include "graph/node.h"
#include "show/number.h"
#include "tensor/matmul.h"
#include "verify/verify_internal.h"

static bool check_weight_matrix(struct verify_report *report, const struct node *w,
                                const char *name)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (w->value.n_axes == 2 && tensor_size(&w->value) > 0)
        return true;
    verify_failed(report, "%s is %s; it must be a matrix (d_in, d_out), as in X @ %s", name,
                  tensor_shape_text(&w->value, shape), name);
    return false;
}

/* One of W_q, W_k and W_v: it must take what X has. Passes in silence. */
static bool check_projection(struct verify_report *report, const struct node *x,
                             const struct node *w, const char *name)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t d_in = verify_size(x, 1);
    if (!check_weight_matrix(report, w, name))
        return false;
    if (w->value.shape[0] == d_in)
        return true;
    verify_failed(report, "X is %s and %s is %s: X @ %s needs %zu rows in %s",
                  tensor_shape_text(&x->value, shapes[0]), name,
                  tensor_shape_text(&w->value, shapes[1]), name, d_in, name);
    if (w->value.shape[1] == d_in)
        verify_advise(
            report,
            "is it transposed? torch's nn.Linear keeps its weight as (d_out, d_in), and %s.T "
            "would fit",
            name);
    else
        verify_advise(report, "a row of %s for each column of X", name);
    return false;
}

static bool check_projections(struct verify_report *report, const struct verify_multihead *given)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (!verify_matrix(report, given->x, "X") ||
        !check_projection(report, given->x, given->w_query, "W_q") ||
        !check_projection(report, given->x, given->w_key, "W_k") ||
        !check_projection(report, given->x, given->w_value, "W_v"))
        return false;
    verify_passed(report, "X is %s, and W_q, W_k and W_v take its %zu columns",
                  tensor_shape_text(&given->x->value, shape), verify_size(given->x, 1));
    size_t d_q = verify_size(given->w_query, 1), d_k = verify_size(given->w_key, 1);
    if (d_q == d_k) {
        verify_passed(report, "W_q and W_k give d_model = %zu columns each", d_k);
        return true;
    }
    verify_failed(report, "W_q gives %zu columns and W_k gives %zu", d_q, d_k);
    verify_advise(report, "queries meet keys number by number: W_q and W_k must be equally wide");
    return false;
}

/* n_heads as a count; 0 where it is not a whole number from 1 on. */
static size_t heads_of(const struct verify_multihead *given)
{
    const struct tensor *n = &given->n_heads->value;
    float number = tensor_size(n) == 1 ? tensor_at_position(n, 0) : 0;
    bool whole = number >= 1 && number <= 1e6F && number == floorf(number);
    return whole ? (size_t)number : 0;
}

static void advise_divisors(struct verify_report *report, size_t width)
{
    struct text text = {0};
    unsigned n = 0;
    for (size_t d = 1; d <= width && n < 12; d++)
        if (width % d == 0)
            text_format(&text, "%s%zu", n++ > 0 ? ", " : "", d);
    verify_advise(report, "each head takes equally many columns: of %zu columns, n_heads can be %s",
                  width, text_string(&text));
    verify_end_text(report, &text);
}

static bool check_heads(struct verify_report *report, const struct verify_multihead *given)
{
    size_t n_heads = heads_of(given), d_model = verify_size(given->w_query, 1);
    size_t d_values = verify_size(given->w_value, 1);
    char text[120];
    if (n_heads == 0) {
        const struct tensor *n = &given->n_heads->value;
        verify_failed(report, "n_heads is %s; it must be a whole number from 1 on",
                      tensor_size(n) == 1
                          ? number_short(tensor_at_position(n, 0), report->options->digits, text)
                          : tensor_shape_text(n, text));
        return false;
    }
    if (d_model % n_heads == 0 && d_values % n_heads == 0) {
        verify_passed(report, "n_heads = %zu divides d_model = %zu: head_dim = %zu", n_heads,
                      d_model, d_model / n_heads);
        return true;
    }
    bool model = d_model % n_heads != 0;
    verify_failed(report, "n_heads = %zu does not divide %s%zu", n_heads,
                  model ? "d_model = " : "the columns of W_v, ", model ? d_model : d_values);
    advise_divisors(report, model ? d_model : d_values);
    return false;
}

static bool check_out(struct verify_report *report, const struct verify_multihead *given)
{
    char shape[TENSOR_SHAPE_TEXT];
    size_t d_values = verify_size(given->w_value, 1);
    if (!check_weight_matrix(report, given->w_out, "W_o"))
        return false;
    tensor_shape_text(&given->w_out->value, shape);
    if (given->w_out->value.shape[0] == d_values) {
        verify_passed(report, "W_o is %s and takes the %zu columns of the joined heads", shape,
                      d_values);
        return true;
    }
    verify_failed(report, "W_o is %s, and the joined heads have %zu columns", shape, d_values);
    if (given->w_out->value.shape[1] == d_values)
        verify_advise(report, "is it transposed? W_o.T would fit");
    else
        verify_advise(report,
                      "n_heads times head_dim of the values: W_o needs a row for each of them");
    return false;
}

/* The output of the layer, and its weights. */
static bool compute_multihead(struct verify_report *report, const struct verify_multihead *given,
                              struct tensor *ret_out, struct tensor *ret_weights, bool *ret_fit)
{
    struct error error;
    const struct tensor *x = &given->x->value;
    struct multihead layer = {.n_heads = heads_of(given),
                              .w_query = &given->w_query->value,
                              .w_key = &given->w_key->value,
                              .w_value = &given->w_value->value,
                              .w_out = &given->w_out->value,
                              .causal = given->is_causal};
    struct multihead_input input = {.query = x, .key = x, .value = x};
    *ret_fit =
        multihead_forward(&layer, &input, report->options->stop, ret_out, ret_weights, &error);
    return *ret_fit || verify_fault(report, &error);
}

/* How large a number of the output can get for values of 1: W_o's largest sum along a column. */
static double largest_column(const struct tensor *w)
{
    double largest = 0;
    for (size_t j = 0; j < w->shape[1]; j++) {
        double sum = 0;
        for (size_t i = 0; i < w->shape[0]; i++)
            sum += fabs((double)tensor_at(w, (size_t[]){i, j}));
        largest = fmax(largest, sum);
    }
    return largest;
}

static bool compare_multihead(struct verify_report *report, const struct verify_multihead *given,
                              const struct tensor *want)
{
    const volatile sig_atomic_t *stop = report->options->stop;
    const struct tensor *x = &given->x->value, *w_out = &given->w_out->value;
    struct tensor query = {0}, key = {0}, value = {0};
    size_t n = verify_size(given->x, 2), n_heads = heads_of(given);
    if (!verify_context_shape(report, given->context, want, n, n))
        return true;
    bool ok = tensor_matmul(x, &given->w_query->value, stop, &query, report->reterr) &&
              tensor_matmul(x, &given->w_key->value, stop, &key, report->reterr) &&
              tensor_matmul(x, &given->w_value->value, stop, &value, report->reterr);
    if (ok) {
        struct verify_source source = {
            .input = {.query = &query,
                      .key = &key,
                      .value = &value,
                      .is_causal = given->is_causal,
                      .n_heads = n_heads,
                      .w_out = w_out,
                      .stop = stop},
            .scale = 1 / sqrt((double)verify_size(given->w_query, 1) / (double)n_heads),
            .magnitude = verify_largest(&value) * largest_column(w_out),
            .n_inputs = 5,
            .inputs = {given->x, given->w_query, given->w_key, given->w_value, given->w_out},
            .names = {"X", "W_q", "W_k", "W_v", "W_o"},
        };
        ok = verify_context(report, given->context, want, &source);
    }
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    return ok;
}

static void check_output(struct verify_report *report, const struct tensor *out)
{
    struct number_range range = number_range_of(out);
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape_text(out, shape);
    if (range.n_finite == tensor_size(out))
        verify_passed(report, "the layer gives %s finite numbers", shape);
    else
        verify_failed(report,
                      "the layer gives %zu numbers that are not finite: look for them in X and in "
                      "the weight matrices",
                      tensor_size(out) - range.n_finite);
}

bool verify_multihead(const struct verify_multihead *given, const struct verify_options *options,
                      struct doc *out, struct error *reterr)
{
    struct verify_report report = {
        .what = "multihead", .options = options, .out = out, .reterr = reterr};
    struct tensor want = {0}, weights = {0};
    bool ok = true, fit = check_projections(&report, given) && check_heads(&report, given) &&
                          check_out(&report, given);
    if (fit)
        ok = compute_multihead(&report, given, &want, &weights, &fit);
    if (ok && fit && given->context != NULL)
        ok = compare_multihead(&report, given, &want);
    else if (ok && fit)
        check_output(&report, &want);
    if (ok && fit)
        ok = verify_remark_heads(&report, &weights, given->is_causal);
    tensor_release(&weights);
    tensor_release(&want);
    return ok && verify_finish(&report);
}
