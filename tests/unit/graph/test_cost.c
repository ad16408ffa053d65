/* graph/cost.h, and count_products() and count_bytes() of the language: beside loops that count. */
#include "lang_testing.h"

#include <stdio.h>

#include "graph/cost.h"

/* Multiplications of softmax(Q K^T) V, one by one. */
static double count_by_loops(size_t n_q, size_t n_k, size_t d_k, size_t d_v)
{
    double n = 0;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            for (size_t c = 0; c < d_k; c++)
                n++;
            for (size_t c = 0; c < d_v; c++)
                n++;
        }
    return n;
}

static void test_cost__of_attention_is_what_loops_count(void **state)
{
    struct lang *lang = *state;
    const size_t sizes[][4] = {{1, 1, 1, 1}, {5, 5, 3, 4}, {2, 7, 3, 5}, {61, 67, 33, 35}};
    for (size_t i = 0; i < 4; i++) {
        const size_t *s = sizes[i];
        double counted = count_by_loops(s[0], s[1], s[2], s[3]);
        char line[200];
        assert_close(cost_attention(s[0], s[1], s[2], s[3]), counted, 0);
        snprintf(line, sizeof line, "Q = randn(%zu, %zu); K = randn(%zu, %zu); V = randn(%zu, %zu)",
                 s[0], s[2], s[1], s[2], s[1], s[3]);
        lang_run(lang, line);
        assert_number(lang, "count_products(\"softmax(Q @ K.T / 3) @ V\")", counted, 0);
        assert_number(lang, "count_products(\"attention(Q, K, V)\")", counted, 0);
        assert_number(lang, "count_products(\"attention(Q, K, V, is_causal=True)\")", counted, 0);
    }
}

static void test_cost__heads_and_leading_axes_multiply(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "Q = randn(2, 3, 70, 40); K = randn(2, 3, 80, 40); V = randn(2, 3, 80, 50)");
    assert_number(lang, "count_products(\"attention(Q, K, V)\")",
                  2 * 3 * count_by_loops(70, 80, 40, 50), 0);
    assert_number(lang, "count_products(\"Q @ K.mT\")", 2 * 3 * 70 * 80 * 40, 0);
    lang_run(lang, "q = randn(6, 90, 40); k = randn(2, 90, 40)");
    assert_number(lang, "count_products(\"attention(q, k, k, enable_gqa=True)\")",
                  6 * count_by_loops(90, 90, 40, 40), 0);
}

/* What is not a product of matrices takes none; what a name holds was taken before. */
static void test_cost__counts_what_the_formula_itself_does(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = randn(5, 3); S = X @ X.T; f(x) = x @ x.T");
    assert_number(lang, "count_products(\"X * 2 + 1\")", 0, 0);
    assert_number(lang, "count_products(\"softmax(S)\")", 0, 0);
    assert_number(lang, "count_products(\"f(X)\")", 5 * 5 * 3, 0);
    assert_number(lang, "count_products(\"f(f(X))\")", 5 * 5 * 3 + 5 * 5 * 5, 0);
    assert_number(lang, "count_products(\"X.shape\")", 0, 0);
    assert_number(lang, "count_products(\"dot(X[0], X[1])\")", 3, 0);
}

/* 4 bytes for each number that is made; a view makes none. */
static void test_cost__bytes_are_those_of_new_numbers(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = randn(5, 3)");
    assert_number(lang, "count_bytes(\"X\")", 0, 0);
    assert_number(lang, "count_bytes(\"X.T\")", 0, 0);
    assert_number(lang, "count_bytes(\"X @ X.T\")", 4 * 25, 0);
    assert_number(lang, "count_bytes(\"softmax(X @ X.T)\")", 4 * 50, 0);
}

/* One pass keeps the context alone, where it is large enough to be done in one. */
static void test_cost__one_pass_keeps_no_weights(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "Q = randn(256, 64)");
    assert_number(lang, "count_bytes(\"attention(Q, Q, Q)\")", 4 * 256 * 64, 0);
    assert_number(lang, "count_bytes(\"softmax(Q @ Q.T) @ Q\")", 4 * (2 * 256 * 256 + 256 * 64), 0);
}

/* The way forward has two products, the way back five: the scores once more, two for each of
 * theirs. */
static void test_cost__of_gradients(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "Q = randn(70, 40); K = randn(80, 40); V = randn(80, 50)");
    assert_number(lang, "count_products(\"grad(sum(attention(Q, K, V)), Q)\")",
                  70 * 80 * (40 + 50) + 70 * 80 * (3 * 40 + 2 * 50), 0);
}

/* Up to the next names: a stage's own share. */
static void test_cost__of_a_stage_ends_at_names(void **state)
{
    struct lang *lang = *state;
    struct cost cost;
    lang_run(lang,
             "X = randn(5, 4); W = randn(4, 6)\nQ = (X @ W).reshape(5, 2, 3).transpose(0, 1)\n"
             "S = Q @ Q.mT\nB = (X @ X.T) * (X @ X.T) + S[0]");
    assert_true(stage_cost(lang_node(lang, "Q"), &cost));
    assert_close(cost.products, 5 * 4 * 6, 0);
    assert_close(cost.bytes, 4 * 5 * 6, 0);
    assert_true(stage_cost(lang_node(lang, "S"), &cost));
    assert_close(cost.products, 2 * 5 * 5 * 3, 0);
    assert_true(stage_cost(lang_node(lang, "B"), &cost));
    assert_close(cost.products, 2 * 5 * 5 * 4, 0);
}

static void test_cost__errors_name_the_function(void **state)
{
    struct lang *lang = *state;
    assert_fails(lang, "count_products(\"X @\")", ERR_SYNTAX, "count_products: the line ends here");
    assert_fails(lang, "count_bytes(\"nothing\")", ERR_NAME, "count_bytes: nothing: no such name");
    assert_fails(lang, "count_bytes(\"x = 1\")", ERR_TYPE, "count_bytes: the text must be one");
    assert_fails(lang, "count_products(1)", ERR_TYPE, "a text in quotes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_cost__of_attention_is_what_loops_count),
        lang_unit_test(test_cost__heads_and_leading_axes_multiply),
        lang_unit_test(test_cost__counts_what_the_formula_itself_does),
        lang_unit_test(test_cost__bytes_are_those_of_new_numbers),
        lang_unit_test(test_cost__one_pass_keeps_no_weights),
        lang_unit_test(test_cost__of_gradients),
        lang_unit_test(test_cost__of_a_stage_ends_at_names),
        lang_unit_test(test_cost__errors_name_the_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
