/* lang/builtins/builtin.h: the functions of the language. Values are worked out by hand from
 * PyTorch's definitions, or stand in the source that is named beside them. */
#include "lang_testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"

#define SHAPE(...)                                               \
    sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#define NUMBERS(...) ((float[]){__VA_ARGS__})
#define HELLO "X = embed(\"Hello shiny sun!\")\n"

/* ---- the table ---- */

static void test_builtin__each_is_found_by_its_name_only(void **state)
{
    (void)state;
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        size_t size = strlen(builtin->name);
        assert_ptr_equal(builtin_find(builtin->name, size), builtin); /* so no name comes twice */
        assert_true(builtin_find(builtin->name, size - 1) != builtin);
        assert_true(builtin->group[0] != '\0' && builtin->summary[0] != '\0');
        assert_non_null(builtin->run);
    }
    assert_null(builtin_find("", 0));
    assert_null(builtin_find("Softmax", 7));
}

static void test_builtin__other_names_of_pytorch_and_numpy(void **state)
{
    (void)state;
    assert_string_equal(builtin_find("attention", 9)->name, "scaled_dot_product_attention");
    assert_string_equal(builtin_find("expand", 6)->name, "broadcast_to");
    assert_string_equal(builtin_find("tensor", 6)->name, "array");
    assert_string_equal(builtin_find("concatenate", 11)->name, "cat");
}

/* The arguments up to softcap are promised to scripts; what attn adds comes after them. */
static void test_builtin__attention_is_called_as_in_pytorch(void **state)
{
    (void)state;
    struct text text = {0};
    builtin_signature(builtin_find("attention", 9), &text);
    assert_string_equal(text_string(&text),
                        "scaled_dot_product_attention(query, key, value, attn_mask=None, "
                        "dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False, "
                        "softcap=0.0, need_weights=False)");
    text_release(&text);
}

static void test_builtin__every_example_runs_and_shows_something(void **state)
{
    (void)state;
    char folder[] = "/tmp/attn-builtin-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        struct lang lang;
        lang_open(&lang);
        lang_run(&lang, builtin->example);
        if (lang.shown.size == 0)
            fail_msg("help %s shows no result", builtin->name);
        lang_close(&lang);
    }
    unlink("x.npy");
    unlink("m/config.json");
    unlink("m/model.safetensors");
    rmdir("m");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The fuzzer's dictionary has a line "NAME(" for each. */
static void test_builtin__the_fuzzer_knows_every_name(void **state)
{
    (void)state;
    char path[4096], line[200];
    snprintf(path, sizeof path, "%s/tests/fuzz/lang.dict", testing_data_dir());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct text words = {0};
    while (fgets(line, sizeof line, file) != NULL)
        text_put(&words, line);
    fclose(file);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        snprintf(line, sizeof line, "\n\"%s(\"\n", builtin->name);
        if (strstr(text_string(&words), line) == NULL)
            fail_msg("%s is not in %s", builtin->name, path);
    }
    text_release(&words);
}

/* ---- number by number ---- */

static void test_builtin__functions_of_one_number(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "exp([0, 1, -inf])", 1e-6, 1, 2.7182818F, 0);
    assert_vector(lang, "log([1, 0, inf])", 0, 0, -INFINITY, INFINITY);
    assert_vector(lang, "sqrt([0, 2, 64])", 1e-6, 0, 1.4142136F, 8);
    assert_vector(lang, "tanh([0, 1, -inf])", 1e-6, 0, 0.7615942F, -1);
    assert_vector(lang, "relu([-1, 0, 2])", 0, 0, 0, 2);
    assert_vector(lang, "abs([-1.5, 0, 2])", 0, 1.5F, 0, 2);
    assert_vector(lang, "sign([-3, 0, 0.1])", 0, -1, 0, 1);
    assert_vector(lang, "floor([-1.5, 1.5])", 0, -2, 1);
    assert_vector(lang, "round([0.5, 1.5, 2.5, -1.5, 0.6])", 0, 0, 2, 2, -2, 1);
    assert_vector(lang, "round([1.2345, 15], decimals=1)", 1e-6, 1.2F, 15);
    assert_vector(lang, "round([14, 16], -1)", 1e-5, 10, 20);
    assert_fails(lang, "round(1, 99)", ERR_RANGE, "decimals");
    assert_vector(lang, "int([-1.7, 1.7])", 0, -1, 1);
    assert_vector(lang, "sin([0, pi / 2])", 1e-6, 0, 1);
    assert_vector(lang, "cos([0, pi])", 1e-6, 1, -1);
    /* Abramowitz and Stegun, table 7.1: erf 1 = 0.8427007929; 26.1: the normal distribution's
     * share below 1 is 0.8413447461. */
    assert_vector(lang, "erf([0, 1, -1])", 1e-6, 0, 0.8427008F, -0.8427008F);
    assert_vector(lang, "gelu([0, 1, -1])", 1e-6, 0, 0.8413447F, -0.1586553F);
    assert_vector(lang, "sigmoid([0, inf, -inf])", 0, 0.5F, 1, 0);
    assert_vector(lang, "isnan([1, nan, inf])", 0, 0, 1, 0);
    assert_vector(lang, "isinf([1, nan, -inf, inf])", 0, 0, 0, 1, 1);
    assert_vector(lang, "logical_not([0, 2])", 0, 1, 0);
}

/* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 at 1: tanh(0.7978846 * 1.044715) = 0.6823838 */
static void test_builtin__gelu_by_tanh(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "gelu(1, approximate=\"tanh\")", 0.8411919, 1e-6);
    assert_number(lang, "gelu(1, \"none\")", 0.8413447, 1e-6);
    assert_fails(lang, "gelu(1, \"fast\")", ERR_NAME, "\"tanh\"");
    assert_fails(lang, "gelu(1, 2)", ERR_TYPE, "text in quotes");
}

static void test_builtin__functions_of_two(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "pow([1, 2, 3], 2)", 0, 1, 4, 9);
    assert_vector(lang, "maximum([1, 5], [3, 2])", 0, 3, 5);
    assert_vector(lang, "minimum([1, 5], 2)", 0, 1, 2);
    assert_vector(lang, "clamp([-2, 0.5, 2], -1, 1)", 0, -1, 0.5F, 1);
    assert_vector(lang, "clamp([-2, 2], max=0)", 0, -2, 0);
    assert_vector(lang, "[-2, 2].clip(min=0)", 0, 0, 2);
    assert_vector(lang, "where([True, False], [1, 2], 9)", 0, 1, 9);
    assert_vector(lang, "masked_fill([1, 2], [False, True], -inf)", 0, 1, -INFINITY);
    assert_number(lang, "dot([1, 2, 3], [4, 5, 6])", 32, 0);
    assert_value(lang, "outer([1, 2], [1, 10])", SHAPE(2, 2), NUMBERS(1, 10, 2, 20), 0);
    assert_value(lang, "linear([1, 2], [[1, 0], [0, 1], [1, 1]], [0, 0, 10])", SHAPE(3),
                 NUMBERS(1, 2, 13), 0);
}

static void test_builtin__lengths_and_angles(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "norm([3, 4])", 5, 0);
    assert_vector(lang, "norm([[3, 4], [5, 12]], dim=1)", 1e-6, 5, 13);
    assert_number(lang, "norm([3, -4], 1)", 7, 0);
    assert_number(lang, "norm([3, -4], p=inf)", 4, 0);
    assert_number(lang, "norm([3, -4, 5], 3)", 6, 1e-5); /* 27 + 64 + 125 = 216 */
    assert_number(lang, "norm([[3, 4]], \"fro\")", 5, 0);
    assert_fails(lang, "norm([3, 4], 0)", ERR_RANGE, "p must be above 0");
    assert_fails(lang, "dot([[1, 2]], [1, 2])", ERR_SHAPE, "dot: two vectors");
    assert_fails(lang, "outer([[1, 2]], [1, 2])", ERR_SHAPE, "outer: two vectors");
    assert_fails(lang, "linear([1, 2], [1, 2])", ERR_SHAPE, "d_out, d_in");
    assert_number(lang, "cosine_similarity([1, 0], [1, 1])", sqrt(0.5), 1e-6);
    assert_number(lang, "cosine_similarity([1, 2], [-2, -4])", -1, 1e-6);
    assert_number(lang, "cosine_similarity([0, 0], [1, 1])", 0, 0); /* eps keeps NaN away */
    /* Both sides are broadcast first: rows [1, 0] and [1, 1] against [1, 0]. */
    assert_vector(lang, "cosine_similarity([1, 0], [[1, 0], [1, 1]])", 1e-6, 1, 0.7071068F);
    assert_vector(lang, "cosine_similarity([[1, 0], [1, 1]], [[1, 0]], dim=1)", 1e-6, 1,
                  0.7071068F);
}

/* ---- reductions ---- */

static void test_builtin__sums_along_dims(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = [[1, 5, 3], [4, 2, 6]]");
    assert_number(lang, "x.sum()", 21, 0);
    assert_vector(lang, "x.sum(0)", 0, 5, 7, 9);
    assert_vector(lang, "x.sum(dim=-1)", 0, 9, 12);
    assert_number(lang, "x.sum((0, 1))", 21, 0);
    assert_value(lang, "x.mean(1, keepdim=True)", SHAPE(2, 1), NUMBERS(3, 4), 0);
    assert_vector(lang, "x.max(0)", 0, 4, 5, 6);
    assert_vector(lang, "x.min(1)", 0, 1, 2);
    assert_vector(lang, "x.argmax(1)", 0, 1, 2);
    assert_number(lang, "x.argmin()", 0, 0);
    assert_number(lang, "argmax([1, 3, 3])", 1, 0); /* the first of equal ones */
    assert_number(lang, "all(x > 0)", 1, 0);
    assert_vector(lang, "any(x > 4, dim=0)", 0, 0, 1, 1);
    assert_number(lang, "sum(5)", 5, 0);
    assert_number(lang, "zeros(0).sum()", 0, 0);
    assert_fails(lang, "x.sum(2)", ERR_SHAPE, "sum");
    assert_fails(lang, "x.sum(0.5)", ERR_TYPE, "");
    assert_fails(lang, "x.sum(0, keepdim=2)", ERR_TYPE, "True or False");
}

/* The squares of deviations of 1, 2, 3, 4 add up to 5: divided by 3, or by 4 without correction. */
static void test_builtin__variances(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "var([1, 2, 3, 4])", 5.0 / 3, 1e-6);
    assert_number(lang, "var([1, 2, 3, 4], correction=0)", 1.25, 0);
    assert_number(lang, "np.var([1, 2, 3, 4], ddof=0)", 1.25, 0);
    assert_number(lang, "std([1, 2, 3, 4])", sqrt(5.0 / 3), 1e-6);
    assert_vector(lang, "var([[1, 3], [2, 6]], 1)", 1e-6, 2, 8);
}

/* exp(0.1), exp(0.2), exp(0.3) are 1.105171, 1.221403, 1.349859; their sum is 3.676432. */
static void test_builtin__softmax(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "softmax([0.1, 0.2, 0.3])", 1e-6, 0.3006096F, 0.3322250F, 0.3671654F);
    assert_vector(lang, "softmax([1e4, -1e4, -inf])", 0, 1, 0, 0);
    assert_value(lang, "softmax([[0, 0], [0, 0]], dim=0)", SHAPE(2, 2),
                 NUMBERS(0.5F, 0.5F, 0.5F, 0.5F), 0);
    assert_vector(lang, "log_softmax([0, 0])", 1e-6, -0.6931472F, -0.6931472F);
    assert_number(lang, "softmax(3)", 1, 0);
}

/* ---- making tensors ---- */

static void test_builtin__tensors_of_one_number(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "zeros(2, 1)", SHAPE(2, 1), NUMBERS(0, 0), 0);
    assert_value(lang, "ones((1, 2))", SHAPE(1, 2), NUMBERS(1, 1), 0);
    assert_value(lang, "full([2], 7)", SHAPE(2), NUMBERS(7, 7), 0);
    assert_number(lang, "zeros()", 0, 0);
    assert_value(lang, "eye(2, 3)", SHAPE(2, 3), NUMBERS(1, 0, 0, 0, 1, 0), 0);
    assert_value(lang, "ones_like([[1, 2]])", SHAPE(1, 2), NUMBERS(1, 1), 0);
    assert_value(lang, "zeros(3, 0)", SHAPE(3, 0), NULL, 0);
    assert_fails(lang, "zeros(-1)", ERR_RANGE, "negative");
    assert_fails(lang, "zeros(1.5)", ERR_TYPE, "1.5");
    assert_fails(lang, "zeros(1, 1, 1, 1, 1, 1, 1)", ERR_LIMIT, "6 axes");
    assert_fails(lang, "zeros(1e18, 1e18, 1e18)", ERR_LIMIT, "");
    assert_fails(lang, "eye(1e9)", ERR_LIMIT, "");
    assert_fails(lang, "zeros(\"a\")", ERR_TYPE, "the text");
}

static void test_builtin__ranges_of_numbers(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "arange(3)", 0, 0, 1, 2);
    assert_vector(lang, "arange(1, 3)", 0, 1, 2);
    assert_vector(lang, "arange(1, 2, 0.25)", 0, 1, 1.25F, 1.5F, 1.75F);
    assert_vector(lang, "arange(5, 0, -2)", 0, 5, 3, 1);
    assert_vector(lang, "linspace(0, 1, 5)", 0, 0, 0.25F, 0.5F, 0.75F, 1);
    assert_vector(lang, "linspace(3, 9, 1)", 0, 3);
    assert_fails(lang, "arange(1, 2, 0)", ERR_RANGE, "step");
    assert_fails(lang, "arange(nan)", ERR_RANGE, "");
    assert_fails(lang, "arange(1e12)", ERR_LIMIT, "");
    assert_vector(lang, "range(3)", 0, 0, 1, 2);
    assert_vector(lang, "range(1, 3)", 0, 1, 2);
    assert_vector(lang, "range(1, 8, 3)", 0, 1, 4, 7);
    assert_vector(lang, "range(1, 7, step=3)", 0, 1, 4);
    assert_vector(lang, "range(5, 0, -2)", 0, 5, 3, 1);
    assert_vector(lang, "range(5, 1, -2)", 0, 5, 3);
    assert_vector(lang, "range(-2, 16777216, 16777216)", 0, -2, 16777214);
    assert_shows(lang, "range(0).shape; range(3, 1).shape; range(1, 3, -1).shape",
                 "(0,)\n(0,)\n(0,)\n");
    assert_vector(lang, "range(1, 3, 1e18)", 0, 1);
    assert_fails(lang, "range(1, 2, 0)", ERR_RANGE, "a step of 0");
    assert_fails(lang, "range(2.5)", ERR_TYPE, "range: start must be a whole number");
    assert_fails(lang, "range(1, nan)", ERR_TYPE, "range: stop must be a whole number");
    assert_fails(lang, "range(1, 2, [1, 2])", ERR_TYPE, "range: step must be a whole number");
    assert_fails(lang, "range(1e8)", ERR_RANGE, "16777216");
    assert_fails(lang, "range(-1e8, 0)", ERR_RANGE, "16777216");
    assert_fails(lang, "range()", ERR_TYPE, "start is missing");
    assert_fails(lang, "linspace(0, 1, -1)", ERR_TYPE, "0 or more");
}

/* torch.manual_seed(123); torch.rand(3, 2) as printed in S. Raschka, "Build a Large Language Model
 * (From Scratch)", section 3.4.1, for W_query. */
static void test_builtin__random_numbers_as_pytorch_draws_them(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(123)");
    assert_value(lang, "rand(3, 2)", SHAPE(3, 2),
                 NUMBERS(0.2961F, 0.5166F, 0.2517F, 0.6886F, 0.0740F, 0.8665F), 5e-5);
    lang_run(lang, "manual_seed(7); a = randn(5); manual_seed(7); b = randn(5)");
    assert_number(lang, "all(a == b)", 1, 0);
    assert_number(lang, "all(randn(5) == a)", 0, 0);
    lang_run(lang, "r = randint(-2, 3, (1000,))");
    assert_number(lang, "r.min()", -2, 0);
    assert_number(lang, "r.max()", 2, 0);
    assert_number(lang, "all(r == floor(r))", 1, 0);
    lang_run(lang, "manual_seed(1); a = randint(0, 9, (4,)); manual_seed(1); b = randint(9, (4,))");
    assert_number(lang, "all(a == b)", 1, 0); /* without low it is 0 */
    assert_fails(lang, "randint(3)", ERR_TYPE, "missing");
    assert_fails(lang, "randint(3, 3, (2,))", ERR_RANGE, "below high");
    assert_fails(lang, "manual_seed(-1)", ERR_RANGE, "seed");
}

static void test_builtin__words(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, HELLO);
    assert_value(lang, "X", SHAPE(3, 3),
                 NUMBERS(0.34F, 0.22F, 0.54F, 0.53F, 0.34F, 0.98F, 0.29F, 0.54F, 0.93F), 0);
    assert_vector(lang, "X[\"sun\"]", 0, 0.29F, 0.54F, 0.93F);
    assert_shows(lang, "tokens(\"Hello shiny sun!\")", "(\"Hello\", \"shiny\", \"sun\")\n");
    lang_run(lang, "a = embed(\"blorp sun\"); b = embed(\"blorp\")");
    assert_non_null(strstr(text_string(&lang->shown), "\"blorp\" is not in"));
    assert_number(lang, "all(a[0] == b[0])", 1, 0); /* the same every time */
    assert_number(lang, "all(a[1] == X[2])", 1, 0);
    lang_run(lang, "embed(\"b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12\")");
    assert_non_null(strstr(text_string(&lang->shown), "more"));
    assert_fails(lang, "embed(\"...\")", ERR_TYPE, "no word");
    lang->session.data_dir = "/nowhere";
    assert_number(lang, "len(embed(\"Hello\"))", 1, 0); /* the table is read once */
    assert_fails(lang, "embed(5)", ERR_TYPE, "text in quotes");
}

/* ---- shapes ---- */

static void test_builtin__shapes(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = arange(6)");
    assert_value(lang, "x.view(2, 3)", SHAPE(2, 3), NUMBERS(0, 1, 2, 3, 4, 5), 0);
    assert_value(lang, "x.reshape(3, -1)", SHAPE(3, 2), NUMBERS(0, 1, 2, 3, 4, 5), 0);
    assert_value(lang, "x.view((-1, 6))", SHAPE(1, 6), NUMBERS(0, 1, 2, 3, 4, 5), 0);
    assert_value(lang, "x.view(2, 3).transpose(0, 1)", SHAPE(3, 2), NUMBERS(0, 3, 1, 4, 2, 5), 0);
    assert_value(lang, "x.view(1, 2, 3).permute(2, 0, 1)", SHAPE(3, 1, 2),
                 NUMBERS(0, 3, 1, 4, 2, 5), 0);
    assert_value(lang, "unsqueeze([1, 2], -1)", SHAPE(2, 1), NUMBERS(1, 2), 0);
    assert_value(lang, "squeeze([[[1], [2]]])", SHAPE(2), NUMBERS(1, 2), 0);
    assert_value(lang, "squeeze([[[1], [2]]], 0)", SHAPE(2, 1), NUMBERS(1, 2), 0);
    assert_value(lang, "squeeze([[1, 2]], 1)", SHAPE(1, 2), NUMBERS(1, 2), 0);
    assert_value(lang, "flatten(x.view(1, 2, 3), 1)", SHAPE(1, 6), NUMBERS(0, 1, 2, 3, 4, 5), 0);
    assert_value(lang, "flatten(5)", SHAPE(1), NUMBERS(5), 0);
    assert_value(lang, "[[1], [2]].expand(-1, 2)", SHAPE(2, 2), NUMBERS(1, 1, 2, 2), 0);
    assert_value(lang, "[1, 2].expand(2, -1)", SHAPE(2, 2), NUMBERS(1, 2, 1, 2), 0);
    assert_value(lang, "repeat_interleave([[1, 2]], 2, dim=1)", SHAPE(1, 4), NUMBERS(1, 1, 2, 2),
                 0);
    assert_value(lang, "repeat_interleave([1, 2], 0)", SHAPE(0), NULL, 0);
    /* Without dim all numbers stand in a row, as PyTorch has it. */
    assert_value(lang, "repeat_interleave([[1, 2], [3, 4]], 2)", SHAPE(8),
                 NUMBERS(1, 1, 2, 2, 3, 3, 4, 4), 0);
    assert_value(lang, "repeat_interleave(5, 2)", SHAPE(2), NUMBERS(5, 5), 0);
}

static void test_builtin__shapes_that_do_not_fit(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = arange(6); six = zeros(1, 1, 1, 1, 1, 1)");
    assert_fails(lang, "x.view(4, -1)", ERR_SHAPE, "groups of 4");
    assert_fails(lang, "x.view(5)", ERR_SHAPE, "");
    assert_fails(lang, "x.view(-1, -1)", ERR_RANGE, "one may be -1");
    assert_fails(lang, "x.view(-2, 3)", ERR_RANGE, "");
    assert_fails(lang, "zeros(0).view(0, -1)", ERR_SHAPE, "");
    assert_fails(lang, "x.transpose(0, 1)", ERR_SHAPE, "");
    assert_fails(lang, "x.view(2, 3).permute(0, 0)", ERR_SHAPE, "each of the 2 axes once");
    assert_fails(lang, "unsqueeze(x, 3)", ERR_SHAPE, "-2 to 1");
    assert_fails(lang, "six.unsqueeze(0)", ERR_SHAPE, "6 axes");
    assert_fails(lang, "x.expand(7)", ERR_SHAPE, "");
    assert_fails(lang, "x.expand(-1, 6, 6)", ERR_RANGE, "");
    assert_fails(lang, "repeat_interleave(5, 2, dim=0)", ERR_SHAPE, "repeating positions");
    assert_fails(lang, "repeat_interleave(six, 2, dim=0)", ERR_SHAPE, "repeating positions");
    assert_fails(lang, "repeat_interleave(x, 1e12)", ERR_LIMIT, "");
    assert_fails(lang, "repeat_interleave(zeros(0, 3), 4e18, dim=0)", ERR_LIMIT, "");
    assert_fails(lang, "stack([six, six])", ERR_SHAPE, "");
    assert_fails(lang, "split_heads(six, 1)", ERR_SHAPE, "heads");
}

/* The answers of torch 2.2, whose documentation of Tensor.stride and Tensor.view has the first
 * ones. Transposing swaps strides and moves no number; view reads what lies there, or fails. */
static void test_builtin__views_and_strides(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]; y = arange(40).view(2, 5, 4)\n"
                   "heads = y.view(2, 5, 2, 2).transpose(1, 2)");
    assert_shows(lang, "x.stride(); x.stride(0); x.stride(-1)", "(5, 1)\n5\n1\n");
    assert_shows(lang, "x.T.stride(); x[:, 1:].stride(); x[1].stride()", "(1, 5)\n(5, 1)\n(1,)\n");
    assert_shows(lang, "heads.stride(); heads.contiguous().stride()",
                 "(20, 2, 4, 1)\n(20, 10, 2, 1)\n");
    assert_shows(lang, "x.unsqueeze(1).stride(); x.T.unsqueeze(0).stride(); x[0, None].stride()",
                 "(5, 5, 1)\n(5, 1, 5)\n(5, 1)\n");
    assert_shows(lang, "broadcast_to([1, 2], 3, 2).stride(); stride(5)", "(0, 1)\n()\n");
    assert_shows(lang,
                 "x.is_contiguous(); x.T.is_contiguous(); x[:, 1:].is_contiguous(); "
                 "x[1].is_contiguous(); x.T.contiguous().is_contiguous(); x.T.T.is_contiguous()",
                 "True\nFalse\nFalse\nTrue\nTrue\nTrue\n");
    assert_fails(lang, "x.T.view(10)", ERR_SHAPE, "this 5x2 has strides (1, 5)");
    assert_fails(lang, "x.T.view(10)", ERR_SHAPE, ".contiguous().view(...), or .reshape(...)");
    assert_fails(lang, "heads.view(2, 5, 4)", ERR_SHAPE, "strides (20, 2, 4, 1)");
    assert_fails(lang, "x.view(3, 3)", ERR_SHAPE, "another count");
    assert_fails(lang, "x.stride(2)", ERR_SHAPE, "dim=2");
    assert_vector(lang, "x.T.contiguous().view(10)[:4]", 0, 1, 6, 2, 7);
    assert_vector(lang, "x.T.reshape(-1)[:4]", 0, 1, 6, 2, 7);
    /* Not every view needs all numbers in a row: each row of four splits in two. */
    assert_value(lang, "x[:, :4].view(2, 2, 2)", SHAPE(2, 2, 2), NUMBERS(1, 2, 3, 4, 6, 7, 8, 9),
                 0);
    assert_fails(lang, "x[:, :4].view(8)", ERR_SHAPE, "strides (5, 1)");
    assert_number(lang, "all(merge_heads(heads) == y)", 1, 0);
    /* What was copied still knows where it came from. */
    assert_vector(lang, "grad(sum(x.T.contiguous().view(10)[:2] * [3, 7]), x)[:, 0]", 0, 3, 7);
    lang_run(lang, "c = x.T.contiguous(); why c[1, 0]\n");
    assert_non_null(strstr(text_string(&lang->shown), "x[0, 1] = 2"));
}

static void test_builtin__joining(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a = [[1, 2]]; b = [[3, 4]]");
    assert_value(lang, "cat([a, b])", SHAPE(2, 2), NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "torch.cat((a, b), dim=1)", SHAPE(1, 4), NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "stack([a, b])", SHAPE(2, 1, 2), NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "stack([a[0], b[0]], dim=-1)", SHAPE(2, 2), NUMBERS(1, 3, 2, 4), 0);
    assert_fails(lang, "cat([a, [[1, 2, 3]]])", ERR_SHAPE, "dim=0");
    assert_fails(lang, "cat([1, 2])", ERR_SHAPE, "stack");
    assert_fails(lang, "cat(())", ERR_TYPE, "empty");
    assert_fails(lang, "cat(5)", ERR_TYPE, "list of tensors");
    assert_vector(lang, "cat([[1, 2], [3, 4]])", 0, 1, 2, 3, 4); /* the rows of one tensor */
    assert_fails(lang, "cat(zeros(2e8, 0))", ERR_LIMIT, "65536 rows");
    assert_fails(lang, "stack([a, 5])", ERR_SHAPE, "same shape");
    assert_fails(lang, "stack([a, b], dim=4)", ERR_SHAPE, "-3 to 2");
}

static void test_builtin__triangles(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "tril([[1, 2], [3, 4]])", SHAPE(2, 2), NUMBERS(1, 0, 3, 4), 0);
    assert_value(lang, "triu([[1, 2], [3, 4]], diagonal=1)", SHAPE(2, 2), NUMBERS(0, 2, 0, 0), 0);
    assert_value(lang, "np.triu([[1, 2], [3, 4]], k=-5)", SHAPE(2, 2), NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "tril(ones(2, 3), -1)", SHAPE(2, 3), NUMBERS(0, 0, 0, 1, 0, 0), 0);
}

static void test_builtin__sizes_and_labels(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = zeros(2, 3)");
    assert_shows(lang, "x.shape; x.size(); x.size(-1); x.ndim; x.numel(); len(x)",
                 "(2, 3)\n(2, 3)\n3\n2\n6\n2\n");
    assert_shows(lang, "len((4, 5, 6)); shape(5)", "3\n()\n");
    assert_fails(lang, "len(5)", ERR_SHAPE, "no length");
    assert_fails(lang, "size(5, 0)", ERR_SHAPE, "");
    assert_fails(lang, "labels(x, [\"a\"])", ERR_SHAPE, "axis of 2");
    assert_fails(lang, "labels(x, [1, 2])", ERR_TYPE, "list of texts");
    assert_fails(lang, "labels(5, [\"a\"])", ERR_SHAPE, "labels");
    assert_fails(lang, "labels([1, 2], columns=[\"a\", \"b\"])", ERR_SHAPE, "labels");
}

/* ---- the rest ---- */

static void test_builtin__comparing_whole_tensors(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "allclose([1, 2], [1, 2 + 1e-6])", 1, 0);
    assert_number(lang, "allclose([1, 2], [1, 2.1])", 0, 0);
    assert_number(lang, "allclose([1, 2], [1, 2.1], atol=0.2)", 1, 0);
    assert_number(lang, "allclose([100], [101], rtol=0.01)", 1, 0); /* 1 <= 0.01 * 101 */
    assert_number(lang, "allclose([inf, -inf], [inf, -inf])", 1, 0);
    assert_number(lang, "allclose([inf], [-inf])", 0, 0);
    assert_number(lang, "allclose([nan], [nan])", 0, 0);
    assert_number(lang, "allclose([nan], [nan], equal_nan=True)", 1, 0);
    assert_number(lang, "allclose(ones(2, 3), 1)", 1, 0);
    assert_fails(lang, "allclose([1, 2], [1, 2, 3])", ERR_SHAPE, "");
}

static void test_builtin__conversions(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "float(\"-inf\")", -INFINITY, 0);
    assert_number(lang, "float(\"1e3\")", 1000, 0);
    assert_vector(lang, "float([True, False]) * 2", 0, 2, 0);
    assert_vector(lang, "[0, 0.5].bool()", 0, 0, 1);
    assert_number(lang, "[[5]].item()", 5, 0);
    assert_number(lang, "5 .detach() + [1].clone()[0]", 6, 0);
    assert_fails(lang, "float(\"abc\")", ERR_TYPE, "\"abc\" is not a number");
    assert_fails(lang, "float(\"\")", ERR_TYPE, "not a number");
    assert_fails(lang, "[1, 2].item()", ERR_SHAPE, "one number");
}

/* A second is far more than any of these takes. */
static void test_builtin__time(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = randn(8, 8); f(x) = timeit(\"f(1)\"); g(y) = timeit(\"y\")");
    lang_run(lang, "t = timeit(\"X @ X\"); u = timeit(\"X @ X\", number=1)");
    assert_number(lang, "(t >= 0) & (t < 1) & (u >= 0) & (u < 1)", 1, 0);
    assert_number(lang, "timeit(\"(X @ X\\n + 1)\") < 1", 1, 0);
    assert_fails_at(lang, "1 + timeit(\"X @ Y\")", ERR_NAME, "timeit: Y: no such name",
                    "timeit(\"X @ Y\")");
    assert_fails_at(lang, "timeit(\"X @\")", ERR_SYNTAX, "timeit: the line ends here",
                    "timeit(\"X @\")");
    static const char *const others[] = {"timeit(\"x = 1\")", "timeit(\"\")", "timeit(\"1; 2\")",
                                         "timeit(\"vars\")", "timeit(\"for i in X: i\")"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_fails(lang, others[i], ERR_TYPE, "must be one formula");
    assert_fails(lang, "timeit(X)", ERR_TYPE, "a text in quotes");
    assert_fails(lang, "timeit(\"1\", 0)", ERR_RANGE, "from 1 to 1000000");
    assert_fails(lang, "timeit(\"1\", number=1e7)", ERR_RANGE, "from 1 to 1000000");
    assert_fails(lang, "f(1)", ERR_LIMIT, "");
    assert_fails(lang, "g(1)", ERR_NAME, "y: no such name"); /* a text is of the session */
}

static void test_builtin__taking_time_changes_nothing(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(3); a = rand(1); manual_seed(3)");
    struct text was = {0}, is = {0};
    lang_describe(lang, &was);
    lang_run(lang, "timeit(\"randn(5)\") < 1\ntimeit(\"manual_seed(5)\") < 1");
    lang_describe(lang, &is);
    assert_string_equal(text_string(&is), text_string(&was));
    assert_vector(lang, "rand(1) == a", 0, 1);
    text_release(&was);
    text_release(&is);
}

/* In a loop, detach lets go of what a tensor was made from. */
static void test_builtin__detach(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = labels([[1, 2], [3, 4]], [\"a\", \"b\"]); Y = detach(X * 2)");
    assert_int_equal(lang_node(lang, "Y")->n_parents, 1);
    lang_run(lang, "for i in range(2): Z = detach(X * 2); b = detach(X > 2)");
    assert_int_equal(lang_node(lang, "Z")->n_parents, 0);
    assert_value(lang, "Z.T", SHAPE(2, 2), NUMBERS(2, 6, 4, 8), 0);
    assert_vector(lang, "Z[\"b\"]", 0, 6, 8);
    assert_shows(lang, "b", "a   False  False\nb    True   True\n");
    assert_shows(lang, "why Z[1, 0]", "Z[\"b\", 0] = 6\n  from detach(X * 2)\n");
}

/* d sum(W^2) / dW = 2 W;  d sum(W x) / dx = the sums of W's columns */
static void test_builtin__gradients(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "W = [[1, 2], [3, 4]]; x = [1, -1]; loss = sum(W * W) + sum(W @ x)");
    assert_value(lang, "grad(loss, W)", SHAPE(2, 2), NUMBERS(3, 3, 7, 7), 0);
    lang_run(lang, "gW, gx = grad(loss, [W, x])");
    assert_vector(lang, "gx", 0, 4, 6);
    assert_value(lang, "gW", SHAPE(2, 2), NUMBERS(3, 3, 7, 7), 0);
    assert_vector(lang, "grad(sum(x * x.detach()), x)", 0, 1, -1);
    assert_fails(lang, "grad(W, W)", ERR_SHAPE, "sum()");
    lang_run(lang, "Z = ones(2)");
    assert_fails(lang, "grad(loss, Z)", ERR_NAME, "Z");
    assert_fails(lang, "grad(loss, [W, \"a\"])", ERR_TYPE, "tensors");
}

/* ---- attention ---- */

/* Row "shiny" of softmax(X X^T / sqrt(3)) X: issue 2, section 5, worked out there. */
static void test_builtin__attention(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, HELLO);
    assert_vector(lang, "attention(X, X, X)[\"shiny\"]", 5e-5, 0.3938F, 0.3783F, 0.8434F);
    assert_vector(lang, "attention_weights(X, X)[\"shiny\"]", 5e-5, 0.2703F, 0.3762F, 0.3535F);
    assert_vector(lang, "attention_weights(X, X, scale=1)[1]", 5e-5, 0.2291F, 0.4063F, 0.3646F);
    assert_vector(lang, "attention(X, X, X, is_causal=True)[0]", 1e-6, 0.34F, 0.22F, 0.54F);
    /* Scores capped at almost nothing: every key gets the same weight. */
    assert_vector(lang, "attention_weights(X, X, softcap=1e-6)[0]", 1e-5, 1 / 3.0F, 1 / 3.0F,
                  1 / 3.0F);
}

static void test_builtin__masks_of_attention(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "q = [[1, 0], [0, 1]]; v = [[1, 2], [3, 4]]");
    /* True may attend; a query without keys gets zeros. */
    assert_value(lang, "attention(q, q, v, attn_mask=[[True, False], [False, False]])", SHAPE(2, 2),
                 NUMBERS(1, 2, 0, 0), 0);
    /* A float mask is added. */
    assert_value(lang, "attention(q, q, v, [[0, -inf], [-inf, 0]])", SHAPE(2, 2),
                 NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "causal_mask(2, 3)", SHAPE(2, 3),
                 NUMBERS(0, -INFINITY, -INFINITY, 0, 0, -INFINITY), 0);
    assert_value(lang, "causal_mask(2, 3, offset=1)", SHAPE(2, 3),
                 NUMBERS(0, 0, -INFINITY, 0, 0, 0), 0);
    assert_value(lang, "padding_mask([1, 2], 2)", SHAPE(2, 1, 1, 2), NUMBERS(1, 0, 1, 1), 0);
    assert_fails(lang, "padding_mask([1, 3], 2)", ERR_RANGE, "entry 1");
    assert_fails(lang, "padding_mask([-1], 2)", ERR_RANGE, "entry 0");
    assert_fails(lang, "padding_mask([nan], 2)", ERR_RANGE, "entry 0");
    assert_fails(lang, "attention(q, q, v, softcap=-1)", ERR_RANGE, "softcap");
    assert_fails(lang, "attention([1, 0], q, v)", ERR_SHAPE, "query must be a matrix");
    assert_fails(lang, "attention(q, [[1, 2, 3]], v)", ERR_SHAPE, "");
    assert_fails(lang, "attention(q, q, v, dropout_p=2)", ERR_RANGE, "[0, 1]");
    assert_fails(lang, "attention(q, q, v, dropout_p=nan)", ERR_RANGE, "[0, 1]");
}

/* Four query heads share two key and value heads: the same as with each key repeated by hand. */
static void test_builtin__grouped_queries(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(1); q = randn(4, 3, 2); k = randn(2, 3, 2); v = randn(2, 3, 2)\n"
                   "a = attention(q, k, v, enable_gqa=True)\n"
                   "b0 = attention(q[0], k[0], v[0]); b1 = attention(q[1], k[0], v[0])\n"
                   "b2 = attention(q[2], k[1], v[1]); b3 = attention(q[3], k[1], v[1])\n");
    assert_number(lang, "allclose(a, stack([b0, b1, b2, b3]))", 1, 0);
    assert_fails(lang, "attention(q[:3], k, v, enable_gqa=True)", ERR_SHAPE, "3 query heads");
    lang_run(lang, "s = zeros(1, 1, 1, 2, 2, 2); t = zeros(1, 1, 1, 1, 2, 2)");
    assert_fails(lang, "attention(s, t, t, enable_gqa=True)", ERR_SHAPE, "5 axes");
}

static void test_builtin__heads(void **state)
{
    struct lang *lang = *state;
    /* Two heads: columns 0 and 1 go to the first, 2 and 3 to the second. */
    assert_value(lang, "split_heads(arange(8).view(2, 4), 2)", SHAPE(2, 2, 2),
                 NUMBERS(0, 1, 4, 5, 2, 3, 6, 7), 0);
    assert_number(lang,
                  "all(merge_heads(split_heads(arange(12).view(3, 4), 2)) == "
                  "arange(12).view(3, 4))",
                  1, 0);
    lang_run(lang, "manual_seed(2); x = randn(3, 4); A = randn(4, 4); B = randn(4, 4)\n"
                   "C = randn(4, 4); O = randn(4, 4); o = randn(4)\n");
    assert_number(lang,
                  "allclose(multi_head_attention(x, A, B, C, 1, O, b_out=o), "
                  "attention(x @ A, x @ B, x @ C) @ O + o)",
                  1, 0);
    assert_number(lang,
                  "allclose(multi_head_attention(x, A, B, C, b_query=o, b_key=o, b_value=o), "
                  "attention(x @ A + o, x @ B + o, x @ C + o))",
                  1, 0);
    assert_number(lang,
                  "allclose(multi_head_attention(x, A, B, C, 2)[:, 2:], "
                  "attention((x @ A)[:, 2:], (x @ B)[:, 2:], (x @ C)[:, 2:]))",
                  1, 0);
    assert_fails(lang, "multi_head_attention(x, A, B, C, 3)", ERR_SHAPE, "3 heads");
    assert_fails(lang, "multi_head_attention(x, A, B, C, 0)", ERR_SHAPE, "0 heads");
    assert_fails(lang, "merge_heads(x)", ERR_SHAPE, "heads");
}

/* The weights beside the context, as torch's MultiheadAttention gives them: after dropout, so that
 * they are what the values were multiplied by; the mean of the heads unless told otherwise. */
static void test_builtin__weights_beside_the_context(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, HELLO "\nout, w = attention(X, X, X, need_weights=True)\n");
    assert_vector(lang, "w[\"shiny\"]", 5e-5, 0.2703F, 0.3762F, 0.3535F);
    assert_number(lang, "all(out == attention(X, X, X))", 1, 0);
    lang_run(lang, "trace out\n");
    assert_non_null(strstr(text_string(&lang->shown), "w @ X"));
    lang_run(lang, "manual_seed(4); out, w = attention(X, X, X, dropout_p=0.5, need_weights=True)\n"
                   "manual_seed(4); same = attention(X, X, X, dropout_p=0.5)\n"
                   "manual_seed(4); dropped = attention_weights(X, X, dropout_p=0.5)\n"
                   "whole = attention_weights(X, X)\n");
    assert_number(lang, "any(w == 0) & any(w != 0)", 1, 0);
    assert_number(lang, "all((w == 0) | (w == 2 * whole))", 1, 0);
    assert_number(lang, "allclose(w @ X, out) & all(out == same) & all(w == dropped)", 1, 0);
    assert_fails(lang, "attention_weights(X, X, dropout_p=-1)", ERR_RANGE, "[0, 1]");
    assert_fails(lang, "attention(X, X, X, need_weights=2)", ERR_TYPE, "True or False");
}

static void test_builtin__weights_of_heads(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(2); x = randn(2, 3, 4); A = randn(4, 4); B = randn(4, 4)\n"
                   "C = randn(4, 4); O = randn(4, 4)\n"
                   "out, each = multi_head_attention(x, A, B, C, 2, O, need_weights=True, "
                   "average_attn_weights=False)\n"
                   "also, mean_w = multi_head_attention(x, A, B, C, 2, O, need_weights=True)\n"
                   "first = attention_weights((x @ A)[:, :, :2], (x @ B)[:, :, :2])\n"
                   "second = attention_weights((x @ A)[:, :, 2:], (x @ B)[:, :, 2:])\n");
    assert_number(lang, "allclose(each[:, 0], first) & allclose(each[:, 1], second)", 1, 0);
    assert_number(lang, "allclose(mean_w, (first + second) / 2) & all(out == also)", 1, 0);
    assert_number(lang, "allclose(merge_heads(each @ split_heads(x @ C, 2)) @ O, out)", 1, 0);
    lang_run(lang, "manual_seed(5); out, each = multi_head_attention(x, A, B, C, 2, O, "
                   "dropout_p=0.5, need_weights=True, average_attn_weights=False)\n"
                   "manual_seed(5); same = multi_head_attention(x, A, B, C, 2, O, dropout_p=0.5)\n"
                   "plain = stack([first, second], 1)\n");
    assert_number(lang, "all((each == 0) | (abs(each - 2 * plain) < 1e-6)) & any(each == 0)", 1, 0);
    assert_number(lang, "allclose(merge_heads(each @ split_heads(x @ C, 2)) @ O, out)", 1, 0);
    assert_number(lang, "all(out == same)", 1, 0);
    /* A number and a matrix can't be confused. */
    assert_number(lang,
                  "all(multi_head_attention(x, A, B, C, O, 2) == "
                  "multi_head_attention(x, A, B, C, 2, O))",
                  1, 0);
    assert_fails(lang, "multi_head_attention(x, A, B, C, O, n_heads=2)", ERR_TYPE,
                 "n_heads is given twice");
    assert_fails(lang, "multi_head_attention(x, A, B, C, O)", ERR_TYPE, "n_heads must be");
    assert_fails(lang, "multi_head_attention(x, A, B, C, dropout_p=2)", ERR_RANGE, "[0, 1]");
}

/* GPT-2's smallest model, counted by hand from its published sizes: 768 numbers a token, 50257
 * tokens, 1024 places, 12 blocks. A block: two norms of 2 * 768; attention 768 * 2304 + 2304 +
 * 768 * 768 + 768; the feed-forward layer 768 * 3072 + 3072 + 3072 * 768 + 768. */
static void test_builtin__parameters_are_counted(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "W_q = randn(256, 64); W_k = W_q; W_v = W_q; b = zeros(64)");
    assert_shows(lang, "parameters(W_q, W_k, W_v, b)",
                 "W_q    (256, 64)  16,384\n"
                 "W_k    (256, 64)  16,384\n"
                 "W_v    (256, 64)  16,384\n"
                 "b      (64,)          64\n"
                 "total             49,216\n");
    lang_run(lang, "layers = (W_q, (W_q[0], b))");
    assert_shows(lang, "parameters(bias=b, W_q.T, layers)",
                 "bias          (64,)          64\n"
                 "W_q.T         (64, 256)  16,384\n"
                 "layers[0]     (256, 64)  16,384\n"
                 "layers[1][0]  (64,)          64\n"
                 "layers[1][1]  (64,)          64\n"
                 "total                    32,960\n");
    lang_run(lang, "block = parameters(ln=(4, 768), qkv=(768, 2304), b=(2304,), o=(768, 768), "
                   "c=(768,), up=(768, 3072), d=(3072,), down=(3072, 768), e=(768,))");
    assert_string_equal(text_string(&lang->shown), "");
    assert_number(lang, "block", 7087872, 0);
    assert_number(lang,
                  "12 * block + parameters(wte=(50257, 768), wpe=(1024, 768), ln=(2, 768), "
                  "head=(768, 50257))",
                  163037184, 0);
    assert_shows(lang, "parameters(wte=(50257, 768))",
                 "wte    (50257, 768)  38,597,376\n"
                 "total                38,597,376\n");
    assert_shows(lang, "parameters()", "total    0\n");
    assert_shows(lang, "parameters(b) / 2; sqrt(parameters(b)); b.numel()", "32\n8\n64\n");
    assert_shows(lang, "parameters(5, x=zeros(0, 3))",
                 "5      ()      1\nx      (0, 3)  0\ntotal          1\n");
    assert_fails(lang, "parameters(x=(-1, 2))", ERR_RANGE, "negative");
    assert_fails(lang, "parameters(x=\"a\")", ERR_TYPE, "x must be a tensor, or a shape");
    assert_fails(lang, "parameters(x=(1e9, 1e9))", ERR_LIMIT, "x has more numbers");
    assert_fails(lang, "parameters(y)", ERR_NAME, "y: no such name");
}

static void test_builtin__dropout_keeps_the_expected_size(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(3); d = dropout(ones(2000), 0.25)");
    /* Each is 0 or 1 / (1 - 0.25). */
    assert_number(lang, "all((d == 0) | (abs(d - 4 / 3) < 1e-6))", 1, 0);
    assert_number(lang, "d.mean()", 1, 0.05); /* the deviation of the mean is 0.013 */
    assert_vector(lang, "dropout([1, 2], 1)", 0, 0, 0);
    assert_vector(lang, "dropout([1, 2], 0)", 0, 1, 2);
    assert_vector(lang, "dropout([1, 2], 0.9, training=False)", 0, 1, 2);
    assert_fails(lang, "dropout([1], 1.5)", ERR_RANGE, "[0, 1]");
}

/* 1, 2, 3 have mean 2 and variance 2/3 (without correction): (x - 2) / 0.8164966. */
static void test_builtin__layers(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "layer_norm([1, 2, 3], eps=0)", 1e-5, -1.2247449F, 0, 1.2247449F);
    assert_vector(lang, "layer_norm([1, 2, 3], (3,), [1, 1, 2], [0, 0, 1], eps=0)", 1e-5,
                  -1.2247449F, 0, 3.4494897F);
    assert_value(lang, "layer_norm([[1, 3], [5, 7]], (2, 2), eps=0)", SHAPE(2, 2),
                 NUMBERS(-1.3416408F, -0.4472136F, 0.4472136F, 1.3416408F), 1e-5);
    assert_value(lang, "embedding([2, 0], [[1, 2], [3, 4], [5, 6]])", SHAPE(2, 2),
                 NUMBERS(5, 6, 1, 2), 0);
    assert_fails(lang, "layer_norm([1, 2, 3], (2,))", ERR_SHAPE, "last sizes");
    assert_fails(lang, "layer_norm(5)", ERR_SHAPE, "no axes");
    assert_fails(lang, "embedding([3], [[1, 2], [3, 4]])", ERR_RANGE, "2 rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin__each_is_found_by_its_name_only),
        cmocka_unit_test(test_builtin__other_names_of_pytorch_and_numpy),
        cmocka_unit_test(test_builtin__attention_is_called_as_in_pytorch),
        cmocka_unit_test(test_builtin__every_example_runs_and_shows_something),
        cmocka_unit_test(test_builtin__the_fuzzer_knows_every_name),
        lang_unit_test(test_builtin__functions_of_one_number),
        lang_unit_test(test_builtin__gelu_by_tanh),
        lang_unit_test(test_builtin__functions_of_two),
        lang_unit_test(test_builtin__lengths_and_angles),
        lang_unit_test(test_builtin__sums_along_dims),
        lang_unit_test(test_builtin__variances),
        lang_unit_test(test_builtin__softmax),
        lang_unit_test(test_builtin__tensors_of_one_number),
        lang_unit_test(test_builtin__ranges_of_numbers),
        lang_unit_test(test_builtin__random_numbers_as_pytorch_draws_them),
        lang_unit_test(test_builtin__words),
        lang_unit_test(test_builtin__shapes),
        lang_unit_test(test_builtin__shapes_that_do_not_fit),
        lang_unit_test(test_builtin__views_and_strides),
        lang_unit_test(test_builtin__joining),
        lang_unit_test(test_builtin__triangles),
        lang_unit_test(test_builtin__sizes_and_labels),
        lang_unit_test(test_builtin__comparing_whole_tensors),
        lang_unit_test(test_builtin__conversions),
        lang_unit_test(test_builtin__time),
        lang_unit_test(test_builtin__taking_time_changes_nothing),
        lang_unit_test(test_builtin__detach),
        lang_unit_test(test_builtin__gradients),
        lang_unit_test(test_builtin__attention),
        lang_unit_test(test_builtin__masks_of_attention),
        lang_unit_test(test_builtin__grouped_queries),
        lang_unit_test(test_builtin__heads),
        lang_unit_test(test_builtin__weights_beside_the_context),
        lang_unit_test(test_builtin__weights_of_heads),
        lang_unit_test(test_builtin__parameters_are_counted),
        lang_unit_test(test_builtin__dropout_keeps_the_expected_size),
        lang_unit_test(test_builtin__layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
