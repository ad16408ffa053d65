/* Checks of a context against its queries, keys and values: see verify.h. */
#include "verify/verify.h"

#include <math.h>

#include "attention/attention.h"
#include "graph/node.h"
#include "verify/verify_internal.h"

static bool check_query_key(struct verify_report *report, const struct verify_attention *given)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t d_q = verify_size(given->query, 1), d_k = verify_size(given->key, 1);
    tensor_shape_text(&given->query->value, shapes[0]);
    tensor_shape_text(&given->key->value, shapes[1]);
    if (d_q == d_k) {
        verify_passed(report, "Q is %s and K is %s: both have d_k = %zu", shapes[0], shapes[1],
                      d_k);
        return true;
    }
    verify_failed(report, "Q is %s and K is %s: d_k is %zu and %zu", shapes[0], shapes[1], d_q,
                  d_k);
    if (verify_size(given->key, 2) == d_q && d_k == verify_size(given->value, 2))
        verify_advise(report,
                      "is K transposed? It has a row for each key, as V has for each value");
    else
        verify_advise(report,
                      "a query meets a key number by number, so both need the same number of "
                      "columns; W_q and W_k must be equally wide");
    return false;
}

static bool check_key_value(struct verify_report *report, const struct verify_attention *given)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t n_k = verify_size(given->key, 2), n_v = verify_size(given->value, 2);
    tensor_shape_text(&given->key->value, shapes[0]);
    tensor_shape_text(&given->value->value, shapes[1]);
    if (n_k == n_v) {
        verify_passed(report, "K is %s and V is %s: both have n_k = %zu", shapes[0], shapes[1],
                      n_k);
        return true;
    }
    verify_failed(report, "K is %s and V is %s: n_k is %zu and %zu", shapes[0], shapes[1], n_k,
                  n_v);
    verify_advise(report, "each key stands for one value, so K and V need equally many rows");
    return false;
}

static double scale_of(const struct verify_attention *given)
{
    return given->scale != NULL ? (double)tensor_at_position(&given->scale->value, 0)
                                : 1 / sqrt((double)verify_size(given->query, 1));
}

/* The context that attention gives. Where shapes do not fit, the report says so and *ret_fit is
 * false. */
static bool compute_attention(struct verify_report *report, const struct verify_attention *given,
                              struct tensor *ret, bool *ret_fit)
{
    const struct node *mask = given->attn_mask;
    struct error error;
    struct attention_input input = {.query = &given->query->value,
                                    .key = &given->key->value,
                                    .value = &given->value->value,
                                    .mask = mask != NULL ? &mask->value : NULL,
                                    .causal = given->is_causal,
                                    .has_scale = true,
                                    .scale = scale_of(given)};
    char shape[TENSOR_SHAPE_TEXT];
    input.mask_kind = mask != NULL && mask->value.is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE;
    *ret_fit = attention_forward(&input, report->options->stop, ret, NULL, &error);
    if (!*ret_fit)
        return verify_fault(report, &error);
    if (mask != NULL)
        verify_passed(report, "attn_mask is %s and fits the %zux%zu weights",
                      tensor_shape_text(&mask->value, shape), verify_size(given->query, 2),
                      verify_size(given->key, 2));
    return true;
}

static bool compare_attention(struct verify_report *report, const struct verify_attention *given,
                              const struct tensor *want)
{
    const struct node *mask = given->attn_mask;
    struct verify_source source = {
        .input = {.query = &given->query->value,
                  .key = &given->key->value,
                  .value = &given->value->value,
                  .mask = mask != NULL ? &mask->value : NULL,
                  .is_causal = given->is_causal,
                  .has_scale = given->scale != NULL,
                  .scale = scale_of(given),
                  .stop = report->options->stop},
        .scale = scale_of(given),
        .magnitude = verify_largest(&given->value->value),
        .n_inputs = 3,
        .inputs = {given->query, given->key, given->value},
        .names = {"Q", "K", "V"},
    };
    return verify_context(report, given->context, want, &source);
}

bool verify_attention(const struct verify_attention *given, const struct verify_options *options,
                      struct doc *out, struct error *reterr)
{
    struct verify_report report = {
        .what = "attention", .options = options, .out = out, .reterr = reterr};
    struct tensor want = {0};
    bool ok = true;
    bool fit = verify_matrix(&report, given->query, "Q") &&
               verify_matrix(&report, given->key, "K") &&
               verify_matrix(&report, given->value, "V") && check_query_key(&report, given) &&
               check_key_value(&report, given);
    if (fit)
        ok = compute_attention(&report, given, &want, &fit);
    if (ok && fit &&
        verify_context_shape(&report, given->context, &want, verify_size(given->query, 2),
                             verify_size(given->key, 2)))
        ok = compare_attention(&report, given, &want);
    if (ok)
        verify_remark_mask(&report, given->attn_mask);
    tensor_release(&want);
    return ok && verify_finish(&report);
}
