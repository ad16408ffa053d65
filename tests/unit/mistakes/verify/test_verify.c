/* verify/verify.h: checks of attention, and the command verify. What is wrong with the tensors here
 * is made in the language itself, step by step. */
#include "lang_testing.h"

#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "commands/completion.h"
#include "show/backend.h"
#include "verify/verify.h"

/* The report of a line holds these parts, in this order. */
static void check_report(const char *file, int number, struct lang *lang, const char *line,
                         const char *const *parts)
{
    struct error error = {.kind = ERR_NONE};
    if (!lang_try(lang, line, &error)) {
        print_error("%s: %s\n", line, error.text);
        _fail(file, number);
    }
    const char *at = text_string(&lang->shown);
    for (; *parts != NULL; parts++) {
        at = strstr(at, *parts);
        if (at == NULL) {
            print_error("%s: \"%s\" is not in, or not in its place:\n%s\n", line, *parts,
                        text_string(&lang->shown));
            _fail(file, number);
        }
    }
}

#define assert_report(lang, line, ...) \
    check_report(__FILE__, __LINE__, lang, line, (const char *const[]){__VA_ARGS__, NULL})

/* Three words and all that one head makes of them. The report is as wide as it needs. */
static int setup(void **state)
{
    if (lang_setup(state) != 0)
        return 1;
    lang_run(*state, "set width 400\n"
                     "X = embed(\"Hello shiny sun!\"); S = X @ X.T / sqrt(3); W = softmax(S)\n"
                     "M = causal_mask(3); A = softmax(S + M)\n"
                     "manual_seed(5); Q = randn(4, 3); K = randn(4, 3); V = randn(4, 2)\n"
                     "T = Q @ K.T; C = causal_mask(4)\n");
    return 0;
}

#define report_test(test) cmocka_unit_test_setup_teardown(test, setup, lang_teardown)

/* ---- weights ---- */

static void test_verify__right_weights_pass(void **state)
{
    struct lang *lang = *state;
    assert_shows(lang, "verify weights W",
                 "ok      shape: 3 queries and 3 keys\n"
                 "ok      every weight is a finite number\n"
                 "ok      no weight is negative\n"
                 "ok      each row sums to 1, within 1e-05 as float32 allows\n"
                 "weights: 4 of 4 checks passed\n");
    assert_report(lang, "verify weights A, is_causal=True",
                  "ok      no weight lies above the diagonal, as is_causal=True asks\n",
                  "weights: 5 of 5 checks passed\n");
    assert_report(lang, "verify weights A, attn_mask=M", "ok      no weight lies where the mask",
                  "5 of 5");
    assert_report(lang, "verify weights A, attn_mask=tril(ones(3, 3)).bool()", "5 of 5");
    assert_report(lang, "verify weights A, True, None", "5 of 5");
    assert_report(lang, "verify weights(A, is_causal=True)", "5 of 5");
    assert_report(lang, "verify weights W[0]", "ok      shape: 1 query and 3 keys\n", "4 of 4");
    assert_report(lang, "verify weights ones(2, 1, 3, 4) / 4",
                  "ok      shape: 2 tables of 3 queries and 4 keys\n", "4 of 4");
    lang_run(lang, "r = randn(64, 2000)");
    assert_report(lang, "verify weights softmax(3 * r)", "4 of 4"); /* rounding does not add up */
}

static void test_verify__a_row_that_does_not_sum_to_one(void **state)
{
    struct lang *lang = *state;
    assert_report(lang, "verify weights softmax(S, dim=0)",
                  "FAILED  row \"Hello\" sums to 0.836405: 3 of 3 rows do not sum to 1\n",
                  "        each column sums to 1 instead: softmax ran over the queries",
                  "weights: 3 of 4 checks passed\n");
    assert_report(lang, "verify weights softmax(S.view(-1)).view(3, 3)", "FAILED  row 0 sums",
                  "all weights together sum to 1");
    assert_report(lang, "verify weights tril(W)", "FAILED  row \"Hello\" sums to 0.296", "2 of 3",
                  "the mask came after softmax");
    assert_report(lang, "verify weights W * [[1, 1, 1], [1, 1, 1], [2, 1, 1]]",
                  "FAILED  row \"sun\" sums to 1.2", "1 of 3 rows does not",
                  "softmax divides each row by its own sum");
    assert_report(lang, "verify weights [[0.2964, 0.3583, 0.3452], [0.5, 0.5, 0]]",
                  "FAILED  row 0 sums to 0.9999: 1 of 2", "rounded to a few decimals");
    assert_report(lang, "verify weights [0.5, 0.25]", "FAILED  the row sums to 0.75");
    assert_report(lang, "verify weights ones(2, 2, 2)", "FAILED  row [0, 0] sums to 2: 4 of 4");
}

static void test_verify__a_row_of_zeros_needs_a_mask(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "O = triu(ones(2, 2)) < 1; Z = [[0, 0], [1, 0]]");
    assert_report(lang, "verify weights Z", "FAILED  row 0 sums to 0: 1 of 2",
                  "attn_mask= says so to this check", "3 of 4");
    assert_report(lang, "verify weights Z, attn_mask=O", "ok      each row sums to 1", "5 of 5");
}

static void test_verify__weights_on_hidden_keys(void **state)
{
    struct lang *lang = *state;
    assert_report(
        lang, "verify weights W, is_causal=True",
        "FAILED  W[\"Hello\", \"shiny\"] = 0.3583, and it lies above the diagonal, in the "
        "future: 3 such weights\n",
        "the mask is missing, or set them to 0", "4 of 5");
    assert_report(lang, "verify weights W, attn_mask=M",
                  "FAILED  W[\"Hello\", \"shiny\"] = 0.3583, and the mask hides this key: 3 such");
    assert_report(lang, "verify weights softmax(S + M.T), is_causal=True",
                  "FAILED  W[\"Hello\", \"shiny\"]", "the mask hides the past, not the future");
    assert_report(lang, "verify weights softmax(S - 10 * triu(ones(3, 3), diagonal=1)), True",
                  "FAILED  W[\"Hello\", \"shiny\"]", "small, and not 0");
    assert_report(lang, "verify weights exp(S), is_causal=True", "FAILED  row \"Hello\" sums",
                  "FAILED  W[\"Hello\", \"shiny\"]", "no mask was applied", "3 of 5");
    assert_report(lang, "verify weights tril(W), is_causal=True", "the mask came after softmax",
                  "ok      no weight lies above", "4 of 5");
}

static void test_verify__what_are_no_weights(void **state)
{
    struct lang *lang = *state;
    assert_report(lang, "verify weights softmax([[1, nan], [0, 1]])",
                  "FAILED  W[0, 0] = nan: 2 of 4 weights are not finite\n",
                  "row 0 is nan throughout: a mask that hides every key",
                  "ok      each row sums to 1", "3 of 4");
    assert_report(lang, "verify weights [[nan, 1]]", "FAILED  W[0, 0] = nan: 1 of 2 weights is not",
                  "nan in part", "2 of 3");
    assert_report(lang, "verify weights exp([[1, 100], [1, 1]])", "FAILED  W[0, 1] = inf",
                  "exp() overflowed");
    assert_report(lang, "verify weights S - 1",
                  "FAILED  W[\"Hello\", \"Hello\"] = -0.737: 9 of 9 weights are negative\n",
                  "from before softmax", "2 of 4");
    assert_report(lang, "verify weights W[0, 0]", "FAILED  shape: a single number", "0 of 1");
    assert_report(lang, "verify weights zeros(0, 3)", "FAILED  shape: 0x3 holds no weights");
    assert_report(lang, "verify weights W > 0", "FAILED  these are True and False", "0 of 1");
    assert_report(lang, "verify weights W, attn_mask=zeros(4, 4)",
                  "FAILED  shape: the weights are 3x3 and attn_mask is 4x4\n", "0 of 1");
}

static void test_verify__hints_that_are_no_failures(void **state)
{
    struct lang *lang = *state;
    assert_report(lang, "verify weights eye(4)", "note    4 of 4 rows give one key more than 0.99",
                  "sqrt(d_k)", "4 of 4 checks");
    assert_report(lang, "verify weights softmax(zeros(3, 5))",
                  "note    every row is nearly uniform", "4 of 4");
    assert_report(lang, "verify weights softmax(zeros(3, 3) + M), is_causal=True",
                  "note    every row is nearly uniform", "5 of 5");
    assert_report(lang, "verify weights softmax(ones(3, 1) @ [[1, 2, 3]])",
                  "note    all rows are equal", "4 of 4");
    assert_report(lang, "verify weights A, attn_mask=[[1, 0, 0], [1, 1, 0], [1, 1, 1]]",
                  "note    attn_mask holds 0 and 1 as numbers", "5 of 5");
    assert_report(lang, "verify weights A, attn_mask=-1e9 * triu(ones(3, 3), diagonal=1)",
                  "note    attn_mask holds -1e+09, which is not -inf", "5 of 5");
    lang_run(lang, "verify weights W");
    assert_null(strstr(text_string(&lang->shown), "note"));
}

/* ---- attention ---- */

static void test_verify__a_right_context_passes(void **state)
{
    struct lang *lang = *state;
    assert_report(lang, "verify attention Q, K, V, attention(Q, K, V)",
                  "ok      Q is 4x3 and K is 4x3: both have d_k = 3\n",
                  "ok      K is 4x3 and V is 4x2: both have n_k = 4\n",
                  "ok      the context is 4x2: a row for each query\n",
                  "ok      every number of the context is finite\n",
                  "ok      the context is what attention gives (largest difference ", "allowed ",
                  "attention: 5 of 5 checks passed\n");
    assert_report(lang, "verify attention Q, K, V, softmax(T / sqrt(3)) @ V", "5 of 5");
    assert_report(lang, "verify attention Q, K, V, softmax(T / sqrt(3) + C) @ V, is_causal=True",
                  "5 of 5");
    assert_report(lang, "verify attention Q, K, V, softmax(T / sqrt(3) + C) @ V, attn_mask=C",
                  "ok      attn_mask is 4x4 and fits the 4x4 weights\n", "6 of 6");
    assert_report(lang, "verify attention Q, K, V, softmax(T * 2) @ V, scale=2", "5 of 5");
    lang_run(lang, "q = randn(2, 3, 5, 4); k = randn(2, 3, 6, 4); v = randn(2, 3, 6, 2)");
    assert_report(lang, "verify attention q, k, v, attention(q, k, v)", "5 of 5");
    assert_report(lang, "verify attention 30 * q, 30 * k, v, softmax(450 * q @ k.mT) @ v",
                  "5 of 5"); /* large scores leave the last digits to chance */
}

/* One mistake, and the sentence that names it. */
static void test_verify__usual_mistakes_are_named(void **state)
{
    struct lang *lang = *state;
    static const struct {
        const char *context, *more, *says;
    } trials[] = {
        {"softmax(T) @ V", "", "when the division by sqrt(d_k) is left out\n"},
        {"softmax(T / 3) @ V", "", "when the division is by d_k, not by its square root\n"},
        {"softmax(T * sqrt(3)) @ V", "", "when a product is used in place of a quotient"},
        {"softmax(T / sqrt(3), dim=0) @ V", "", "when softmax runs over the columns"},
        {"T / sqrt(3) @ V", "", "when softmax is left out\n"},
        {"softmax(T / sqrt(3)).T @ V", "", "when the weights are turned round"},
        {"softmax(T.T / sqrt(3)) @ V", "", "when the two factors of the product are exchanged\n"},
        {"softmax(T / sqrt(3) + C) @ V", "", "when a causal mask is applied"},
        {"softmax(T / sqrt(3)) @ V", ", is_causal=True", "when the mask is left out\n"},
        {"tril(softmax(T / sqrt(3))) @ V", ", is_causal=True", "when the mask comes after softmax"},
        {"softmax(tril(T / sqrt(3))) @ V", ", is_causal=True", "when hidden numbers become 0"},
        {"softmax(T / sqrt(3) + C.T) @ V", ", is_causal=True", "the past is hidden"},
        {"attention(Q, K, V, attn_mask=causal_mask(4, 4, -1))", ", is_causal=True",
         "when the mask is one place off\n"},
        {"softmax(T / sqrt(3) + causal_mask(4, 4, 1)) @ V", ", is_causal=True",
         "when the mask is one place off\n"},
        {"softmax(T / sqrt(3) + C) @ V", ", attn_mask=C < 0", "read the wrong way round"},
        {"softmax(T) @ V", ", scale=2", "when scale is left out\n"},
        {"softmax(T / sqrt(3)) @ V", ", scale=2", "where scale asks for another factor\n"},
        {"softmax(T / 2) @ V", ", scale=2", "a quotient is used in place of a product\n"},
        {"softmax(T) @ V", ", is_causal=True",
         "when the division by sqrt(d_k) is left out; and the mask is left out\n"},
        {"tril(softmax(T)) @ V", ", is_causal=True",
         "when the division by sqrt(d_k) is left out; and the mask comes after softmax"},
        {"softmax(T / sqrt(3)) @ V + 0.1 * V", "", "no usual mistake gives just this"},
        {"round(softmax(T / sqrt(3)) @ V, 4)", "", "rounded to a few decimals"},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct text line = {0};
        text_format(&line, "verify attention Q, K, V, %s%s", trials[i].context, trials[i].more);
        assert_report(lang, text_string(&line), "FAILED  ", trials[i].says, "attention: ");
        text_release(&line);
    }
    assert_report(lang, "verify attention Q, K, Q, softmax(T / sqrt(3)) @ K",
                  "when key is used in place of value\n", "4 of 5");
    lang_run(lang, "c = softmax(T) @ V");
    assert_report(lang, "verify attention Q, K, V, c",
                  "FAILED  c[0, 0] = ", ", and attention gives ",
                  ": 8 of 8 numbers differ by more than ");
}

static void test_verify__shapes_that_do_not_fit(void **state)
{
    struct lang *lang = *state;
    assert_shows(lang, "verify attention Q, K[:, :2], V, V",
                 "FAILED  Q is 4x3 and K is 4x2: d_k is 3 and 2\n"
                 "        a query meets a key number by number, so both need the same number of "
                 "columns; W_q and W_k must be equally wide\n"
                 "attention: 0 of 1 checks passed\n");
    assert_report(lang, "verify attention Q, K.T, V, V", "d_k is 3 and 4", "is K transposed?");
    assert_shows(lang, "verify attention Q, K, V[:3], V",
                 "ok      Q is 4x3 and K is 4x3: both have d_k = 3\n"
                 "FAILED  K is 4x3 and V is 3x2: n_k is 4 and 3\n"
                 "        each key stands for one value, so K and V need equally many rows\n"
                 "attention: 1 of 2 checks passed\n");
    assert_report(lang, "verify attention Q, K, V, V.T",
                  "FAILED  the context is 2x4, and must be "
                  "4x2\n",
                  "it is transposed", "2 of 3");
    assert_report(lang, "verify attention Q, K, V, T", "4x4 is the shape of the weights");
    assert_report(lang, "verify attention Q, K, V, zeros(4, 7)", "FAILED  the context is 4x7",
                  "as many columns as the values have");
    assert_report(lang, "verify attention Q, K, V, V, attn_mask=zeros(3, 3)",
                  "FAILED  attention: ", "3x3", "2 of 3");
    assert_report(lang, "verify attention [1, 2], K, V, V",
                  "FAILED  Q is (2,); it must be a matrix", "0 of 1");
    assert_report(lang, "verify attention zeros(0, 3), K, V, V", "FAILED  Q is 0x3");
    lang_run(lang, "q = zeros(2, 4, 3); k = zeros(3, 4, 3)");
    assert_report(lang, "verify attention q, k, k, k", "FAILED  attention: ");
}

static void test_verify__a_context_that_is_not_finite(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "O = [[False, False, False, False]]; m = cat([O, C[1:] == 0])");
    assert_report(lang,
                  "verify attention Q, K, V, softmax(where(m, T / sqrt(3), -inf)) @ V, "
                  "attn_mask=m",
                  "FAILED  context[0, 0] = nan: 2 of 8 numbers are not finite\n",
                  "does the mask hide every key from row 0?", "ok      the context is what",
                  "5 of 6");
    assert_report(lang, "verify attention Q, K, V, V + [[inf, 0], [0, 0], [0, 0], [0, 0]]",
                  "FAILED  context[0, 0] = inf: 1 of 8 numbers is not finite\n",
                  "exp() overflowed in between", "FAILED  context[0, 1] = ", "3 of 5");
    lang_run(lang, "K[1, 1] = nan");
    assert_report(lang, "verify attention Q, K, V, attention(Q, K, V)", "8 of 8 numbers are not",
                  "K itself holds 1 numbers that are not finite", "3 of 4");
}

/* ---- multi-head attention ---- */

static int setup_layer(void **state)
{
    if (setup(state) != 0)
        return 1;
    lang_run(*state,
             "manual_seed(9); x = randn(3, 4); a = randn(4, 6); b = randn(4, 6); c = randn(4, 6)\n"
             "o = randn(6, 6); h(w, n) = split_heads(x @ w, n)\n"
             "y = multi_head_attention(x, a, b, c, 3, o)\n");
    return 0;
}

#define layer_test(test) cmocka_unit_test_setup_teardown(test, setup_layer, lang_teardown)

static void test_verify__a_right_layer_passes(void **state)
{
    struct lang *lang = *state;
    assert_shows(lang, "verify multihead x, a, b, c, o, 3",
                 "ok      X is 3x4, and W_q, W_k and W_v take its 4 columns\n"
                 "ok      W_q and W_k give d_model = 6 columns each\n"
                 "ok      n_heads = 3 divides d_model = 6: head_dim = 2\n"
                 "ok      W_o is 6x6 and takes the 6 columns of the joined heads\n"
                 "ok      the layer gives 3x6 finite numbers\n"
                 "multihead: 5 of 5 checks passed\n");
    assert_report(lang, "verify multihead x, a, b, c, o, 3, context=y",
                  "ok      the context is 3x6: a row for each query\n",
                  "ok      the context is what attention gives", "7 of 7");
    assert_report(lang,
                  "verify multihead x, a, b, c, o, 3, is_causal=True, "
                  "context=multi_head_attention(x, a, b, c, 3, o, is_causal=True)",
                  "7 of 7");
    assert_report(lang, "verify multihead 0 * x, a, b, c, o, 3", "note    every row is nearly",
                  "5 of 5");
    /* The order of multi_head_attention, the other one, and names: all the same. */
    assert_report(lang, "verify multihead x, a, b, c, 3, o, context=y", "context is what",
                  "7 of 7");
    assert_report(lang, "verify multihead x, a, b, c, o, n_heads=3, context=y", "context is what",
                  "7 of 7");
    assert_report(lang, "verify multihead x, a, b, c, W_o=o, n_heads=3", "W_o is 6x6", "5 of 5");
    assert_fails(lang, "verify multihead x, a, b, c, 3, 3", ERR_TYPE, "n_heads is given twice");
    assert_fails(lang, "verify multihead x, a, b, c, 3, n_heads=3, W_o=o", ERR_TYPE,
                 "n_heads is given twice");
}

static void test_verify__usual_mistakes_of_a_layer_are_named(void **state)
{
    struct lang *lang = *state;
    static const struct {
        const char *context, *says;
    } trials[] = {
        {"multi_head_attention(x, a, b, c, 3)", "when W_o is left out\n"},
        {"multi_head_attention(x, a, b, c, 1, o)", "when there is one head"},
        {"multi_head_attention(x, a, b, c, 3, o, is_causal=True)", "when a causal mask is applied"},
        {"merge_heads(attention(h(a, 3), h(b, 3), h(c, 3), scale=1)) @ o",
         "when the division by sqrt(head_dim) is left out\n"},
        {"merge_heads(attention(h(a, 3), h(b, 3), h(c, 3), scale=1 / sqrt(6))) @ o",
         "when d_model is used in place of head_dim\n"},
        {"attention(h(a, 3), h(b, 3), h(c, 3)).reshape(3, 6) @ o",
         "when the axes are split or joined by reshape alone"},
        {"merge_heads(attention((x @ a).view(3, 3, 2), (x @ b).view(3, 3, 2), "
         "(x @ c).view(3, 3, 2))) @ o",
         "when the axes are split or joined by reshape alone"},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct text line = {0};
        text_format(&line, "verify multihead x, a, b, c, o, 3, context=%s", trials[i].context);
        assert_report(lang, text_string(&line), "FAILED  context[0, 0] = ", trials[i].says,
                      "multihead: 6 of 7");
        text_release(&line);
    }
}

static void test_verify__shapes_of_a_layer_that_do_not_fit(void **state)
{
    struct lang *lang = *state;
    assert_report(lang, "verify multihead x, a, b, c, o, 4",
                  "FAILED  n_heads = 4 does not divide d_model = 6\n",
                  "n_heads can be 1, 2, 3, 6\n", "2 of 3");
    assert_report(lang, "verify multihead x, a, b, c, o, 0", "FAILED  n_heads is 0;");
    assert_report(lang, "verify multihead x, a, b, c, o, 1.5", "FAILED  n_heads is 1.5;");
    assert_report(lang, "verify multihead x, a, b, c, o, nan", "FAILED  n_heads is nan;");
    assert_report(lang, "verify multihead x, a, b, c[:, :5], o, 3",
                  "FAILED  n_heads = 3 does not divide the columns of W_v, 5\n");
    assert_report(lang, "verify multihead x, a.T, b, c, o, 3",
                  "FAILED  X is 3x4 and W_q is 6x4: X @ W_q needs 4 rows in W_q\n",
                  "W_q.T would fit", "0 of 1");
    assert_report(lang, "verify multihead x, a, b[:3], c, o, 3", "W_k is 3x6", "a row of W_k");
    assert_report(lang, "verify multihead x, a, b[:, :4], c, o, 3",
                  "FAILED  W_q gives 6 columns and W_k gives 4\n", "1 of 2");
    assert_report(lang, "verify multihead x, a, b, c, o[:4], 3",
                  "FAILED  W_o is 4x6, and the joined heads have 6 columns\n", "3 of 4");
    assert_report(lang, "verify multihead x, a, b, c, o[:, :4].T, 3", "FAILED  W_o is 4x6",
                  "W_o.T would fit");
    assert_report(lang, "verify multihead x, a, b, c, [1, 2], 3",
                  "FAILED  W_o is (2,); it must be");
    assert_report(lang, "verify multihead [1, 2], a, b, c, o, 3", "FAILED  X is (2,)");
    assert_report(lang, "verify multihead x, a, b, c, o, 3, context=y.T", "it is transposed",
                  "4 of 5");
    assert_report(lang, "verify multihead x * inf, a, b, c, o, 3",
                  "FAILED  the layer gives 18 numbers that are not finite", "4 of 5");
}

/* ---- the command ---- */

static void test_verify__arguments_are_those_of_a_call(void **state)
{
    struct lang *lang = *state;
    assert_fails_at(lang, "verify", ERR_SYNTAX, "verify: write verify weights W", "verify");
    assert_fails_at(lang, "verify 5", ERR_SYNTAX, "weights, attention or multihead", "5");
    assert_fails_at(lang, "verify wieghts W", ERR_NAME, "did you mean weights?", "wieghts");
    assert_fails_at(lang, "verify everything W", ERR_NAME, "there are weights, attention and",
                    "everything");
    assert_fails_at(lang, "verify weights", ERR_TYPE, "W is missing; write verify weights W",
                    "verify weights");
    assert_fails(lang, "verify weights None", ERR_TYPE, "W is missing");
    assert_fails(lang, "verify weights()", ERR_TYPE, "W is missing");
    assert_fails(lang, "verify attention Q, K", ERR_TYPE, "V is missing");
    assert_fails_at(lang, "verify weights W, is_casual=True", ERR_TYPE,
                    "it has no argument is_casual; write verify weights W, is_causal=False",
                    "True");
    assert_fails_at(lang, "verify weights W, W=S", ERR_TYPE, "W is given twice", "S");
    assert_fails_at(lang, "verify weights W=W, True", ERR_TYPE, "without a name come first",
                    "True");
    assert_fails_at(lang, "verify weights W, True, None, 5", ERR_TYPE, "too many arguments", "5");
    assert_fails_at(lang, "verify weights W, 2", ERR_TYPE, "is_causal must be True or False", "2");
    assert_fails_at(lang, "verify weights \"a\"", ERR_TYPE, "W: a tensor or a number", "\"a\"");
    assert_fails_at(lang, "verify weights nothing", ERR_NAME, "no such name", "nothing");
    assert_fails(lang, "verify attention Q, K, V, V, scale=[1, 2]", ERR_TYPE,
                 "scale must be a single number");
    assert_fails(lang, "verify weights W,", ERR_SYNTAX, "expected");
    assert_fails(lang, "verify weights W W", ERR_SYNTAX, "expected");
    assert_fails(lang, "verify weights(W", ERR_SYNTAX, "never closed");
    assert_report(lang, "verify weights W; 1 + 1", "4 of 4 checks passed\n2\n");
    assert_report(lang, "verify = 5; 1 + verify", "6\n", "note: verify is a command too");
}

static void assert_completes(struct lang *lang, const char *line, const char *expected)
{
    struct text found = {0};
    size_t state = 0, start;
    const char *word;
    while (completion_next(&lang->session, line, strlen(line), &state, &start, &word))
        text_format(&found, "%s ", word);
    assert_string_equal(text_string(&found), expected);
    text_release(&found);
}

static void test_verify__its_kinds_are_completed(void **state)
{
    struct lang *lang = *state;
    assert_completes(lang, "verify ", "weights attention multihead ");
    assert_completes(lang, "1 + 1; verify  at", "attention ");
    assert_completes(lang, "verify x", "");
    assert_completes(lang, "verif", "verify ");
    assert_completes(lang, "verify weights caus", "causal_mask ");
    assert_completes(lang, "my_verify caus", "causal_mask ");
}

static void test_verify__changes_nothing(void **state)
{
    struct lang *lang = *state;
    struct text before = {0}, after = {0};
    lang_describe(lang, &before);
    lang_run(lang, "verify weights softmax(S, dim=0)");
    lang_run(lang, "verify attention Q, K, V, V");
    lang_describe(lang, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    text_release(&before);
    text_release(&after);
}

static void test_verify__a_narrow_report_is_wrapped(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "set width 40");
    lang_run(lang, "verify weights softmax(S, dim=0)");
    const char *at = text_string(&lang->shown);
    while (*at != '\0') {
        size_t size = strcspn(at, "\n");
        assert_true(text_width(at, size) <= 40);
        assert_true(strncmp(at, "ok ", 3) == 0 || strncmp(at, "FAILED ", 7) == 0 ||
                    strncmp(at, "        ", 8) == 0 || strncmp(at, "weights: ", 9) == 0);
        at += size + 1;
    }
}

static void test_verify__good_and_bad_have_their_styles(void **state)
{
    struct lang *lang = *state;
    struct doc doc;
    struct error error;
    size_t n_good = 0, n_bad = 0;
    static const char line[] = "verify weights softmax(S, dim=0)";
    doc_init(&doc);
    assert_true(session_run(&lang->session, line, sizeof line - 1, &doc, &error));
    for (size_t i = 0; i < doc.n_spans; i++) {
        n_good += doc.spans[i].style == STYLE_GOOD;
        n_bad += doc.spans[i].style == STYLE_BAD;
    }
    assert_int_equal(n_good, 3); /* three times ok */
    assert_int_equal(n_bad, 2);  /* FAILED, and the last line */
    doc_release(&doc);
}

static void test_verify__it_can_be_stopped(void **state)
{
    struct lang *lang = *state;
    volatile sig_atomic_t stop = 1;
    struct verify_options options = {.width_cols = 80, .digits = 4, .stop = &stop};
    struct verify_attention given = {.query = lang_node(lang, "Q"),
                                     .key = lang_node(lang, "K"),
                                     .value = lang_node(lang, "V"),
                                     .context = lang_node(lang, "V")};
    struct doc doc;
    struct error error;
    doc_init(&doc);
    assert_error(verify_attention(&given, &options, &doc, &error), error, ERR_INTERRUPTED);
    doc_release(&doc);
}

/* ---- without memory ---- */

static const struct verify_options plain = {.width_cols = 80, .digits = 4};

static bool weights_once(const struct verify_weights *given, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = verify_weights(given, &plain, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static bool attention_once(const struct verify_attention *given, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = verify_attention(given, &plain, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static bool multihead_once(const struct verify_multihead *given, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = verify_multihead(given, &plain, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static void test_verify__without_memory_it_says_so(void **state)
{
    struct lang *lang = *state;
    struct error error;
    lang_run(lang, "w = cat([S, [[nan, -1, 2]]]); m = tril(ones(4, 3)).bool(); k = K[:, :2]\n"
                   "v = softmax(T) @ V; n = 4; l = 3; t = [[nan, 1], [2, 3], [4, 5], [6, 7]]\n"
                   "L = Q @ randn(3, 6)");
    struct verify_weights weights = {
        .weights = lang_node(lang, "w"), .attn_mask = lang_node(lang, "m"), .is_causal = true};
    assert_reports_failed_allocations(weights_once(&weights, &error), error);
    struct verify_attention attention = {.query = lang_node(lang, "Q"),
                                         .key = lang_node(lang, "K"),
                                         .value = lang_node(lang, "V"),
                                         .context = lang_node(lang, "t"),
                                         .attn_mask = lang_node(lang, "C"),
                                         .is_causal = true};
    assert_reports_failed_allocations(attention_once(&attention, &error), error);
    attention.context = lang_node(lang, "v");
    attention.attn_mask = NULL;
    assert_reports_failed_allocations(attention_once(&attention, &error), error);
    attention.key = lang_node(lang, "k");
    assert_reports_failed_allocations(attention_once(&attention, &error), error);
    struct verify_multihead layer = {.x = lang_node(lang, "x"),
                                     .w_query = lang_node(lang, "a"),
                                     .w_key = lang_node(lang, "b"),
                                     .w_value = lang_node(lang, "c"),
                                     .w_out = lang_node(lang, "o"),
                                     .n_heads = lang_node(lang, "l")};
    assert_reports_failed_allocations(multihead_once(&layer, &error), error);
    layer.is_causal = true;
    layer.context = lang_node(lang, "y");
    assert_reports_failed_allocations(multihead_once(&layer, &error), error);
    layer.n_heads = lang_node(lang, "n");
    assert_reports_failed_allocations(multihead_once(&layer, &error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        report_test(test_verify__right_weights_pass),
        report_test(test_verify__a_row_that_does_not_sum_to_one),
        report_test(test_verify__a_row_of_zeros_needs_a_mask),
        report_test(test_verify__weights_on_hidden_keys),
        report_test(test_verify__what_are_no_weights),
        report_test(test_verify__hints_that_are_no_failures),
        report_test(test_verify__a_right_context_passes),
        report_test(test_verify__usual_mistakes_are_named),
        report_test(test_verify__shapes_that_do_not_fit),
        report_test(test_verify__a_context_that_is_not_finite),
        layer_test(test_verify__a_right_layer_passes),
        layer_test(test_verify__usual_mistakes_of_a_layer_are_named),
        layer_test(test_verify__shapes_of_a_layer_that_do_not_fit),
        report_test(test_verify__arguments_are_those_of_a_call),
        report_test(test_verify__its_kinds_are_completed),
        report_test(test_verify__changes_nothing),
        report_test(test_verify__a_narrow_report_is_wrapped),
        report_test(test_verify__good_and_bad_have_their_styles),
        report_test(test_verify__it_can_be_stopped),
        layer_test(test_verify__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
