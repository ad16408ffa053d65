/* lang/session/eval.h: from expressions to values, with numpy's and PyTorch's meanings. */
#include "lang_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "commands/command.h"
#include "lang/session/eval.h"
#include "lang/syntax/parser.h"

#define SHAPE(...)                                               \
    sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#define NUMBERS(...) ((float[]){__VA_ARGS__})

static void test_eval__arithmetic(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "1 + 2 * 3", 7, 0);
    assert_number(lang, "(1 + 2) * 3", 9, 0);
    assert_number(lang, "7 / 2", 3.5, 0);
    assert_number(lang, "2 ** 10", 1024, 0);
    assert_number(lang, "2 ** -1", 0.5, 0);
    assert_number(lang, "-2 ** 2", -4, 0);
    assert_number(lang, "2 ** 3 ** 2", 512, 0);
    assert_number(lang, "10 - 4 - 3", 3, 0);
    assert_number(lang, "- -3", 3, 0);
    assert_number(lang, "+3", 3, 0);
}

/* docs.python.org, 6.7: the quotient is rounded down, and a == (a // b) * b + a % b, so that the
 * remainder has the sign of b. */
static void test_eval__quotients_rounded_down_and_their_remainders(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "[7, -7, 7, -7] // [2, 2, -2, -2]", 0, 3, -4, -4, 3);
    assert_vector(lang, "[7, -7, 7, -7] % [3, 3, -3, -3]", 0, 1, 2, -2, -1);
    assert_number(lang, "5.5 % 2", 1.5, 0);
}

static void test_eval__float32_as_ieee_754_has_it(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "1 / 0", INFINITY, 0);
    assert_number(lang, "-1 / 0", -INFINITY, 0);
    assert_number(lang, "1 / inf", 0, 0);
    assert_number(lang, "3e38 * 10", INFINITY, 0);
    assert_number(lang, "16777216 + 1", 16777216, 0); /* 2^24: the next float32 is 2 more */
    assert_number(lang, "0.1", 0.1F, 0);
    lang_run(lang, "n = 0 / 0; m = nan");
    assert_true(isnan(lang_node(lang, "n")->value.data[0]));
    assert_true(isnan(lang_node(lang, "m")->value.data[0]));
}

static void test_eval__shapes_broadcast_from_the_right(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "[[1], [2]] + [10, 20, 30]", SHAPE(2, 3), NUMBERS(11, 21, 31, 12, 22, 32),
                 0);
    assert_value(lang, "[[1, 2], [3, 4]] * 2", SHAPE(2, 2), NUMBERS(2, 4, 6, 8), 0);
    assert_value(lang, "ones(2, 1, 3) - ones(4, 1)", SHAPE(2, 4, 3),
                 NUMBERS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                 0);
    assert_value(lang, "ones(0, 2) + 1", SHAPE(0, 2), NULL, 0);
}

static void test_eval__products_of_matrices(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "A = [[1, 2], [3, 4]]; b = [5, 6]");
    assert_value(lang, "A @ A", SHAPE(2, 2), NUMBERS(7, 10, 15, 22), 0);
    assert_vector(lang, "A @ b", 0, 17, 39);
    assert_vector(lang, "b @ A", 0, 23, 34);
    assert_number(lang, "b @ b", 61, 0);
    assert_value(lang, "A @ A.T", SHAPE(2, 2), NUMBERS(5, 11, 11, 25), 0);
}

static void test_eval__comparisons_and_logic(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "[1, 2, 3] > 2", 0, 0, 0, 1);
    assert_vector(lang, "[1, 2, 3] <= 2", 0, 1, 1, 0);
    assert_vector(lang, "[1, 2, 3] == [1, 0, 3]", 0, 1, 0, 1);
    assert_vector(lang, "[1, 2, 3] != [1, 0, 3]", 0, 0, 1, 0);
    assert_vector(lang, "([1, 2, 3] > 1) & ([1, 2, 3] < 3)", 0, 0, 1, 0);
    assert_vector(lang, "([1, 2, 3] < 2) | ([1, 2, 3] > 2)", 0, 1, 0, 1);
    assert_vector(lang, "~([1, 2, 3] > 2)", 0, 1, 1, 0);
    assert_number(lang, "nan == nan", 0, 0);
    assert_number(lang, "nan != nan", 1, 0);
    assert_number(lang, "inf == inf", 1, 0);
    lang_run(lang, "t = 1 < 2; f = [True, False]; n = [True, 2]");
    assert_true(lang_node(lang, "t")->value.is_bool);
    assert_true(lang_node(lang, "f")->value.is_bool);
    assert_false(lang_node(lang, "n")->value.is_bool);
}

static void test_eval__names_and_constants(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = 2; \xCF\x80\xCF\x81 = 3");
    assert_number(lang, "x * \xCF\x80\xCF\x81", 6, 0);
    assert_number(lang, "pi", 3.14159265, 1e-6);
    assert_number(lang, "True + True", 2, 0);
    assert_number(lang, "-inf", -INFINITY, 0);
    lang_run(lang, "pi = 3"); /* a name of the learner's own comes first */
    assert_number(lang, "pi", 3, 0);
    lang_run(lang, "del pi");
    assert_number(lang, "math.pi - pi", 0, 0);
}

static void test_eval__lists_of_numbers_are_tensors(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "[[1, 2], [3, 4]]", SHAPE(2, 2), NUMBERS(1, 2, 3, 4), 0);
    assert_value(lang, "[[[1]]]", SHAPE(1, 1, 1), NUMBERS(1), 0);
    assert_vector(lang, "[1, -2, 1 / 2]", 0, 1, -2, 0.5F);
    lang_run(lang, "x = 5; L = [x, [6, 7]]; E = []");
    assert_int_equal(names_get(&lang->session.names, "L", 1)->kind, VALUE_LIST);
    assert_int_equal(names_get(&lang->session.names, "E", 1)->kind, VALUE_LIST);
    assert_value(lang, "[[x, 1], [2, x]] + 0", SHAPE(2, 2), NUMBERS(5, 1, 2, 5), 0);
    assert_fails_at(lang, "[[1, 2], [3]]", ERR_SHAPE, "part 1 is (1,)", "[[1, 2], [3]]");
    assert_fails(lang, "[[[[[[[1]]]]]]]", ERR_LIMIT, "6 axes");
    assert_fails(lang, "[] + 1", ERR_TYPE, "empty");
    lang_run(lang, "six = zeros(1, 1, 1, 1, 1, 1) + x");
    assert_fails_at(lang, "1 + [six, six]", ERR_LIMIT, "6 axes", "[six, six]");
    assert_fails(lang, "L + 1", ERR_SHAPE, "");
}

static void test_eval__functions_by_position_and_by_name(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = [[1, 2], [3, 4]]");
    assert_vector(lang, "sum(x, 0)", 0, 4, 6);
    assert_vector(lang, "sum(x, dim=1)", 0, 3, 7);
    assert_vector(lang, "sum(dim=1, input=x)", 0, 3, 7);
    assert_vector(lang, "x.sum(0)", 0, 4, 6);
    assert_vector(lang, "np.sum(x, axis=0)", 0, 4, 6);
    assert_value(lang, "x.sum(axis=1, keepdims=True)", SHAPE(2, 1), NUMBERS(3, 7), 0);
    assert_value(lang, "torch.nn.functional.softmax(zeros(1, 2), dim=-1)", SHAPE(1, 2),
                 NUMBERS(0.5F, 0.5F), 1e-7);
    assert_value(lang, "F.relu(torch.tensor([-1, 1]))", SHAPE(2), NUMBERS(0, 1), 0);
    assert_number(lang, "(x @ x).T.mean().sqrt()", sqrt(13.5), 1e-6); /* (7+10+15+22)/4 */
}

static void test_eval__wrong_arguments_show_how_a_function_is_called(void **state)
{
    struct lang *lang = *state;
    assert_fails(lang, "softmax()", ERR_TYPE, "softmax(input, dim=-1)");
    assert_fails(lang, "softmax()", ERR_TYPE, "input is missing");
    assert_fails(lang, "softmax([1], 0, 1)", ERR_TYPE, "too many");
    assert_fails(lang, "softmax([1], input=[2])", ERR_TYPE, "twice");
    assert_fails(lang, "softmax([1], dims=0)", ERR_TYPE, "no argument dims");
    assert_fails(lang, "zeros(2, dtype=1)", ERR_TYPE, "no argument dtype");
    assert_fails(lang, "sum([1], 0, False, 1, 2, 3, 4, 5, 6, 7, 8, 9)", ERR_TYPE, "too many");
    assert_shows(lang, "print(1, 2, 3, 4, 5, 6, 7, 8, 9)", "(1, 2, 3, 4, 5, 6, 7, 8, 9)\n");
    assert_fails_at(lang, "sum(input=[1, 2], 0)", ERR_TYPE, "come first", "0");
    assert_fails_at(lang, "softmax([1], 0.5)", ERR_TYPE, "softmax: dim must be a whole number",
                    "softmax([1], 0.5)");
    assert_fails(lang, "softmax([1], 1)", ERR_SHAPE, "softmax");
    assert_fails(lang, "softmax(\"a\")", ERR_TYPE, "the text \"a\"");
    assert_fails(lang, "softmax(None)", ERR_TYPE, "None");
}

static void test_eval__attributes(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = arange(24).view(2, 3, 4)");
    assert_number(lang, "x.T[3, 2, 1]", 23, 0); /* all axes reversed */
    assert_number(lang, "x.mT[1, 3, 2]", 23, 0);
    assert_value(lang, "5 .T", 0, NULL, NUMBERS(5), 0);
    assert_number(lang, "x.ndim", 3, 0);
    assert_number(lang, "x.shape[-1]", 4, 0);
    assert_fails_at(lang, "x.Tt", ERR_NAME, ".Tt", "x.Tt");
    assert_fails(lang, "x.sum", ERR_NAME, ".sum(...)");
    assert_fails(lang, "x.masked_fill_(x > 1, 0)", ERR_NAME, "x = x.masked_fill(");
    assert_fails(lang, "x.nothing()", ERR_NAME, ".nothing");
}

static void test_eval__functions_of_ones_own(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "c = 10\n"
                   "f(x, y) = x * y + c\n"
                   "g(x) = f(x, 2) + f(2, x)\n"
                   "k() = 7\n");
    assert_number(lang, "f(3, 4)", 22, 0);
    assert_number(lang, "g(3)", 32, 0);
    assert_number(lang, "k() + k()", 14, 0);
    lang_run(lang, "x = 100");
    assert_number(lang, "f(3, 4)", 22, 0); /* the parameter hides the name */
    assert_number(lang, "x", 100, 0);
    lang_run(lang, "c = 0");
    assert_number(lang, "f(3, 4)", 12, 0); /* other names are looked up when it is called */
    lang_run(lang, "softmax(x) = x + 1");
    assert_number(lang, "softmax(1)", 2, 0);
    lang_run(lang, "softmax = 5");
    assert_fails(lang, "softmax([1, 1])", ERR_TYPE, "del softmax brings the function back");
    lang_run(lang, "del softmax");
    assert_vector(lang, "softmax([1, 1])", 0, 0.5F, 0.5F);
}

static void test_eval__wrong_calls_of_ones_own(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "f(x, y) = x @ y\nn = 3\nX = [1, 2]\ng(x) = f(x, x + 1) * n");
    assert_fails_at(lang, "1 + f(1)", ERR_TYPE, "takes 2 arguments and was given 1", "f(1)");
    assert_fails(lang, "f(1, y=2)", ERR_TYPE, "by position");
    assert_fails_at(lang, "2 * f(1, nothing)", ERR_NAME, "nothing", "nothing");
    assert_fails_at(lang, "2 * g([[1, 2]])", ERR_SHAPE, "in f: ", "g([[1, 2]])");
    assert_fails(lang, "n(2 + 1)", ERR_TYPE, "write n * (...)");
    assert_fails(lang, "X(0)", ERR_TYPE, "write X[...]");
    assert_fails(lang, "f(1, 2)(3)", ERR_TYPE, "only a name can be called");
    assert_fails(lang, "[f][0](1)", ERR_TYPE, "only a name can be called");
}

static void test_eval__the_innermost_function_is_named_in_its_error(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "f(x) = load(x)\ng(x) = f(x)\nh(x) = g(f(x))");
    assert_fails_at(lang, "g(\"no.npy\")", ERR_FILE, "in f: no.npy: ", "g(\"no.npy\")");
    assert_fails_at(lang, "h(\"no.npy\")", ERR_FILE, "in f: no.npy: ", "h(\"no.npy\")");
    /* the file's own name begins as if a function had been named */
    assert_fails_at(lang, "f(\"in g: no.npy\")", ERR_FILE,
                    "in f: in g: no.npy: ", "f(\"in g: no.npy\")");
    assert_fails(lang, "g(\"in \")", ERR_FILE, "in f: in : ");
}

static void test_eval__a_function_that_calls_itself_ends_with_a_message(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "f(x) = f(x)\ng(x) = h(x)\nh(x) = g(x)");
    assert_fails_at(lang, "1 + f(1)", ERR_LIMIT, "never ends", "f(1)");
    assert_fails(lang, "g(1)", ERR_LIMIT, "100 deep");
    struct text line = {0};
    text_put(&line, "d0(x) = x\n");
    for (int i = 1; i < 100; i++)
        text_format(&line, "d%d(x) = d%d(x) + 1\n", i, i - 1);
    lang_run(lang, text_string(&line));
    text_release(&line);
    assert_number(lang, "d99(0)", 99, 0); /* 100 functions under way */
    lang_run(lang, "d100(x) = d99(x)");
    assert_fails(lang, "d100(0)", ERR_LIMIT, "100 deep");
}

/* Long formulas inside of functions that call themselves: the stack holds, whatever the shape. */
static void test_eval__deep_formulas_in_deep_calls_end_with_a_message(void **state)
{
    struct lang *lang = *state;
    static const char *const parts[][3] = {
        {"", "f(x)", "+1"},
        {"abs(", "f(x)", ")"},
        {"[", "f(x)", "]"},
        {"-", "f(x)", ""},
        {"x[", "f(x)", "]"},
        {"where(x, ", "f(x)", ", 1)"},
        {"", "f(x)", ".T"},
        {"[", "f(x)", " for a in (1,) for a in (1,) for a in (1,) if a]"},
        {"[a for a in ", "f(x)", "]"},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        size_t n = parts[i][0][0] == '\0' ? 990 : 190;
        struct text line = {0};
        text_put(&line, "f(x) = ");
        text_repeat(&line, parts[i][0], n);
        text_put(&line, parts[i][1]);
        text_repeat(&line, parts[i][2], n);
        lang_run(lang, text_string(&line));
        text_release(&line);
        assert_fails(lang, "f(1)", ERR_LIMIT, "deep");
    }
}

static void test_eval__1000_operators_and_200_brackets_have_a_value(void **state)
{
    struct lang *lang = *state;
    struct text line = {0};
    text_repeat(&line, "1 + ", 1000);
    text_put(&line, "1");
    assert_number(lang, text_string(&line), 1001, 0);
    text_clear(&line);
    text_repeat(&line, "abs(", 199); /* the sign counts as one more */
    text_put(&line, "-3");
    text_repeat(&line, ")", 199);
    assert_number(lang, text_string(&line), 3, 0);
    text_clear(&line);
    text_repeat(&line, "1 ** ", 1000);
    text_put(&line, "5");
    assert_number(lang, text_string(&line), 1, 0);
    text_release(&line);
}

static void test_eval__unknown_names_come_with_near_ones(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "scores = 1");
    assert_fails_at(lang, "2 * scoers", ERR_NAME, "did you mean scores?", "scoers");
    assert_fails(lang, "sofmax([1])", ERR_NAME, "did you mean softmax?");
    assert_fails(lang, "zzzzzz", ERR_NAME, "zzzzzz = ...");
    assert_fails(lang, "softmax", ERR_NAME, "softmax(...)");
    assert_fails(lang, "1 + heat", ERR_NAME, "must stand first");
    assert_fails(lang, "torch.sofmax([1])", ERR_NAME, "did you mean softmax?");
    lang_run(lang, "del scores");
    assert_fails(lang, "scoers", ERR_NAME, "scoers: no such name; give it"); /* it is forgotten */
}

static void test_eval__shapes_that_do_not_fit_are_named(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "Q = ones(3, 2); K = ones(3, 2); b = ones(4)");
    assert_fails_at(lang, "1 + Q @ K", ERR_SHAPE, "Q is 3x2, K is 3x2", "Q @ K");
    assert_fails(lang, "Q @ K", ERR_SHAPE, "Q @ K.T");
    assert_fails_at(lang, "(Q + b) * 2", ERR_SHAPE, "Q is 3x2, b is (4,)", "(Q + b)");
    assert_fails(lang, "zeros(1e9, 1e9)", ERR_LIMIT, "1000000000x1000000000");
    assert_fails(lang, "Q + \"a\"", ERR_TYPE, "the text \"a\"");
    assert_fails_at(lang, "Q * None", ERR_TYPE, "None", "None");
}

static void test_eval__things_that_belong_elsewhere(void **state)
{
    struct lang *lang = *state;
    assert_fails(lang, "x = manual_seed(1)", ERR_TYPE, "nothing that could get a name");
    assert_fails_at(lang, "True = 1", ERR_NAME, "fixed meaning", "True");
    assert_fails_at(lang, "a, None = 1, 2", ERR_NAME, "fixed meaning", "None");
    assert_fails(lang, "f(x) = x + 1; pi = False; False(x) = x", ERR_NAME, "fixed meaning");
    assert_fails(lang, "(...)", ERR_SYNTAX, "");
    assert_fails(lang, "whatif zeros(0) = 1", ERR_SHAPE, "holds no numbers");
    assert_fails(lang, "a, b = 1", ERR_TYPE, "2 names need 2 values");
    assert_fails(lang, "a, b = [1, 2, 3]", ERR_TYPE, "2 names need 2 values");
    assert_fails(lang, "a, b = (1, 2, 3)", ERR_TYPE, "a list of 3");
}

static void test_eval__several_names_at_once(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a, b = 1, 2\na, b = b, a");
    assert_number(lang, "a * 10 + b", 21, 0);
    lang_run(lang, "r, s = [[1, 2], [3, 4]]"); /* the rows, as Python takes a tensor apart */
    assert_vector(lang, "s", 0, 3, 4);
    lang_run(lang, "p, q = [5, 6]");
    assert_number(lang, "q", 6, 0);
    lang_run(lang, "n, m = ones(4, 7).shape");
    assert_number(lang, "m", 7, 0);
    /* Each tensor is known by its present name. */
    assert_string_equal(lang_node(lang, "s")->name, "s");
    lang_run(lang, "A = [1] + 0; B = [2] + 0; A, B = B, A");
    assert_string_equal(lang_node(lang, "A")->name, "A");
    assert_string_equal(lang_node(lang, "B")->name, "B");
    assert_vector(lang, "A", 0, 2);
}

static void test_eval__one_cell_can_be_assigned_to(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = [[1, 2], [3, 4]]; Y = X * 10; m = [True, False]");
    lang_run(lang, "X[1, 0] = 7");
    assert_value(lang, "X", SHAPE(2, 2), NUMBERS(1, 2, 7, 4), 0);
    assert_value(lang, "Y", SHAPE(2, 2), NUMBERS(10, 20, 30, 40), 0);
    lang_run(lang, "m[1] = 5"); /* a truth value stays one */
    assert_vector(lang, "m", 0, 1, 1);
    assert_fails(lang, "X[0] = 1", ERR_SHAPE, "X[0, 0]");
    assert_fails(lang, "X[0, 0] = [1, 2]", ERR_SHAPE, "single number");
    assert_fails(lang, "X[5, 0] = 1", ERR_RANGE, "axis 0");
    assert_fails(lang, "nothing[0] = 1", ERR_NAME, "nothing");
}

/* expr_eval_cell(): the cell that an index names, looked through what only moves numbers. */
static bool cell_of(struct lang *lang, const char *source, struct cell *ret, struct error *reterr)
{
    struct statement *statement;
    bool ok = parser_parse_line(&lang->session.arena, command_find, source, strlen(source),
                                &statement, reterr);
    lang->session.source = source;
    ok = ok && expr_eval_cell(&lang->session, statement->value, ret, reterr);
    arena_clear(&lang->session.arena);
    return ok;
}

static void assert_cell(struct lang *lang, const char *source, const char *name, size_t position)
{
    struct cell cell;
    struct error error;
    if (!cell_of(lang, source, &cell, &error))
        fail_msg("%s: %s", source, error.text);
    assert_string_equal(cell.node->name, name);
    assert_int_equal(cell.position, position);
    node_free(cell.node);
}

static void test_eval__a_cell_is_found_where_its_number_was_made(void **state)
{
    struct lang *lang = *state;
    struct cell cell;
    struct error error;
    lang_run(lang, "X = [[1, 2, 3], [4, 5, 6]]; Y = X * 2; s = sum(X)");
    assert_cell(lang, "Y[1, 2]", "Y", 5);
    assert_cell(lang, "Y.T[2, 1]", "Y", 5);
    assert_cell(lang, "Y[:, 1:][1, 0]", "Y", 4);
    assert_cell(lang, "s", "s", 0);
    assert_error(cell_of(lang, "Y", &cell, &error), error, ERR_SHAPE);
    assert_says(error, "Y[0, 0]");
    assert_error(cell_of(lang, "Y[0]", &cell, &error), error, ERR_SHAPE);
}

static void test_eval__lists_that_are_built(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "[i * i for i in range(4)]", 0, 0, 1, 4, 9);
    assert_vector(lang, "[10 * i + j for i in range(2) for j in [3, 4]]", 0, 3, 4, 13, 14);
    assert_value(lang, "[[i * j for j in range(3)] for i in range(2)]", SHAPE(2, 3),
                 NUMBERS(0, 0, 0, 0, 1, 2), 0);
    assert_vector(lang, "[i for i in range(6) if i % 2 == 0 if i > 0]", 0, 2, 4);
    assert_vector(lang, "[j for i in range(4) if i > 1 for j in range(i)]", 0, 0, 1, 0, 1, 2);
    assert_vector(lang, "[x + 1 for x in (1, [2], [[3]])][0] + [0, 1]", 0, 2, 3);
    assert_vector(lang, "[~b for b in [True, False]] * 3", 0, 0, 3);
    lang_run(lang, "X = [[1, 2], [3, 4], [5, 6]]");
    assert_vector(lang, "[sum(row) for row in X]", 0, 3, 7, 11);
    assert_value(lang, "[row * 2 for row in X[1:]]", SHAPE(2, 2), NUMBERS(6, 8, 10, 12), 0);
    assert_shows(lang, "[w for w in (\"a\", \"b\")]", "(\"a\", \"b\")\n");
    assert_shows(lang, "[ones(n) for n in [1, 2]]", "1\n1  1\n"); /* their shapes differ */
    assert_shows(lang, "[i for i in range(0)]", "()\n");
    assert_shows(lang, "[zeros(1, 1, 1, 1, 1, 1) for i in range(2)][1].shape",
                 "(1, 1, 1, 1, 1, 1)\n"); /* a tensor has no seventh axis */
    assert_number(lang, "sum([1 for i in range(100000)])", 100000, 0);
    assert_fails_at(lang, "y = [1 for i in range(100001)]", ERR_LIMIT, "at most 100,000 items",
                    "[1 for i in range(100001)]");
}

static void test_eval__the_name_of_a_list_that_is_built_is_its_own(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "i = 7; X = [1, 2]; v = [i for i in X]");
    assert_number(lang, "i", 7, 0);
    assert_vector(lang, "v", 0, 1, 2);
    assert_vector(lang, "[i for i in range(2)] + i", 0, 7, 8);
    assert_vector(lang, "[sum([i for i in range(i)]) for i in range(4)]", 0, 0, 0, 1, 3);
    lang_run(lang, "f(x) = [x * k for k in X]\ng(i) = [i for i in i]\nh(x) = x + k");
    assert_vector(lang, "f(3)", 0, 3, 6);
    assert_vector(lang, "g(X)", 0, 1, 2);
    assert_value(lang, "[f(k) for k in X]", SHAPE(2, 2), NUMBERS(1, 2, 2, 4), 0);
    assert_fails_at(lang, "[h(1) for k in X]", ERR_NAME, "in h: k: no such name", "h(1)");
    assert_fails(lang, "[k for k in X]; k", ERR_NAME, "k: no such name");
    assert_fails(lang, "[j for i in range(j) for j in X]", ERR_NAME, "j: no such name");
}

/* d/dW of the sum of squares is 2 W; the second number squared has the gradient 2 * 3 at 3 only. */
static void test_eval__gradients_flow_through_lists_that_are_built(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "W = [[1, 2], [3, 4]]; v = [2, 3, 5]; k = 3");
    assert_value(lang, "grad(sum([sum(row * row) for row in W]), W)", SHAPE(2, 2),
                 NUMBERS(2, 4, 6, 8), 0);
    assert_vector(lang, "grad([x * x for x in v][1], v)", 0, 0, 6, 0);
    assert_number(lang, "grad(sum([k * i for i in range(5)]), k)", 10, 0);
}

static void test_eval__lists_that_can_t_be_built(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = [[1, 2], [3, 4]]; f(x) = x");
    assert_fails_at(lang, "1 + [i for i in 5]", ERR_TYPE, "this is a single number", "5");
    assert_fails_at(lang, "[i for i in \"abc\"]", ERR_TYPE, "the text \"abc\"", "\"abc\"");
    assert_fails_at(lang, "[i for i in f]", ERR_TYPE, "a function", "f");
    assert_fails_at(lang, "[i for i in None]", ERR_TYPE, "None", "None");
    assert_fails_at(lang, "[i for i in Y]", ERR_NAME, "Y: no such name", "Y");
    assert_fails_at(lang, "[r @ X.T @ ones(3) for r in X]", ERR_SHAPE, "inner sizes",
                    "r @ X.T @ ones(3)");
    assert_fails_at(lang, "[r for r in X if r > 2]", ERR_TYPE, "a condition is one number",
                    "r > 2");
    assert_fails_at(lang, "[r for r in X if \"a\"]", ERR_TYPE, "the text", "\"a\"");
    assert_fails_at(lang, "[None for i in range(2)] + 1", ERR_TYPE, "an operator",
                    "[None for i in range(2)]");
}

static void assert_written(struct lang *lang, const char *name, const char *formula)
{
    struct text text = {0};
    node_write_operation(lang_node(lang, name), &text);
    assert_string_equal(text_string(&text), formula);
    text_release(&text);
}

/* By its items; a long one by its ends. */
static void test_eval__a_list_that_was_built_is_written_as_a_list(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = [[1, 2], [3, 4]]; y = [sum(r * 2) for r in X]");
    assert_written(lang, "y", "[sum(X[0] * 2), sum(X[1] * 2)]");
    lang_run(lang, "W = eye(6) + 0; y = [sum(r) for r in W]; z = cat([X, X[:1]])");
    assert_written(lang, "y", "[sum(W[0]), sum(W[1]), ..., sum(W[5])]");
    assert_written(lang, "z", "cat([X, X[:1]], dim=0)");
}

static void test_eval__an_empty_list_is_a_vector_without_numbers(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "L = []");
    assert_vector(lang, "cat([L, [1, 2]])", 0, 1, 2);
    assert_vector(lang, "cat([[3], L])", 0, 3);
    assert_number(lang, "sum(L)", 0, 0);
    assert_fails_at(lang, "L + [1]", ERR_TYPE, "write cat([list, [x]])", "L");
    assert_fails_at(lang, "L += [1]", ERR_TYPE, "write cat([list, [x]])", "L");
    assert_fails_at(lang, "L.append(1)", ERR_NAME, "write list = cat([list, [x]])", "L.append(1)");
    assert_fails(lang, "cat([])", ERR_TYPE, "the list is empty");
}

static void test_eval__what_was_meant_by_a_name(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "A = [[1, 2], [3, 4]]; B = A; v = [1, 2]");
    assert_fails(lang, "attention(A, A, A, causal=True)", ERR_TYPE, "did you mean is_causal?");
    assert_fails(lang, "softmax(A, axes=1)", ERR_TYPE, "no argument axes; it is called");
    assert_fails(lang, "multi_head(A, A, A)", ERR_NAME, "did you mean multi_head_attention?");
    assert_fails(lang, "atention(A, A, A)", ERR_NAME, "did you mean attention?");
    assert_fails(lang, "type(A)", ERR_NAME, "attn has no type; ");
    assert_fails(lang, "A.dtype", ERR_NAME, "no .dtype; all numbers are float32");
    assert_fails(lang, "A.backward()", ERR_NAME, "grad(loss, W)");
    assert_fails(lang, "nn.Linear(3, 4)", ERR_NAME, "X @ W + b");
    assert_fails(lang, "type", ERR_NAME, "no such name");
}

/* What each of these einsums is, by numpy's definition of the letters. */
static void test_eval__einsum_is_told_as_a_product(void **state)
{
    struct lang *lang = *state;
    static const struct {
        const char *line, *says;
    } trials[] = {
        {"einsum('ij,jk->ik', A, B)", "write A @ B"},
        {"torch.einsum('ij, kj -> ik', A, B)", "write A @ B.T"},
        {"einsum('ji,jk->ik', A, B)", "write A.T @ B"},
        {"einsum('ji,kj->ik', A + B, B[0])", "write (A + B).T @ B[0].T"},
        {"einsum('bhqd,bhkd->bhqk', A, B)", "write A @ B.mT"},
        {"einsum('i,i->', A, B)", "write A @ B"},
        {"einsum('ij,j->i', A, B)", "write A @ B"},
        {"einsum('ij,ij->ij', A, B)", "write the product with"},
        {"einsum('ij,jk->ki', A, B)", "write the product with"},
        {"einsum('bi,bi->b', A, B)", "write the product with"},
        {"einsum('ij,jk', A, B)", "write the product with"},
        {"einsum('i,jjjjjjjjj->i', A, B)", "write the product with"},
        {"einsum('', A, B)", "write the product with"},
        {"einsum(A, A, B)", "write the product with"},
        {"einsum()", "write the product with"},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct error error;
        assert_false(lang_try(lang, trials[i].line, &error));
        const char *end = error.text + strlen(error.text);
        const char *said = strstr(error.text, trials[i].says);
        if (said == NULL ||
            (strchr(trials[i].says, '@') != NULL && said + strlen(trials[i].says) != end))
            fail_msg("%s: %s", trials[i].line, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_eval__arithmetic),
        lang_unit_test(test_eval__quotients_rounded_down_and_their_remainders),
        lang_unit_test(test_eval__float32_as_ieee_754_has_it),
        lang_unit_test(test_eval__shapes_broadcast_from_the_right),
        lang_unit_test(test_eval__products_of_matrices),
        lang_unit_test(test_eval__comparisons_and_logic),
        lang_unit_test(test_eval__names_and_constants),
        lang_unit_test(test_eval__lists_of_numbers_are_tensors),
        lang_unit_test(test_eval__functions_by_position_and_by_name),
        lang_unit_test(test_eval__wrong_arguments_show_how_a_function_is_called),
        lang_unit_test(test_eval__attributes),
        lang_unit_test(test_eval__functions_of_ones_own),
        lang_unit_test(test_eval__wrong_calls_of_ones_own),
        lang_unit_test(test_eval__the_innermost_function_is_named_in_its_error),
        lang_unit_test(test_eval__a_function_that_calls_itself_ends_with_a_message),
        lang_unit_test(test_eval__deep_formulas_in_deep_calls_end_with_a_message),
        lang_unit_test(test_eval__1000_operators_and_200_brackets_have_a_value),
        lang_unit_test(test_eval__unknown_names_come_with_near_ones),
        lang_unit_test(test_eval__shapes_that_do_not_fit_are_named),
        lang_unit_test(test_eval__things_that_belong_elsewhere),
        lang_unit_test(test_eval__several_names_at_once),
        lang_unit_test(test_eval__one_cell_can_be_assigned_to),
        lang_unit_test(test_eval__a_cell_is_found_where_its_number_was_made),
        lang_unit_test(test_eval__lists_that_are_built),
        lang_unit_test(test_eval__the_name_of_a_list_that_is_built_is_its_own),
        lang_unit_test(test_eval__gradients_flow_through_lists_that_are_built),
        lang_unit_test(test_eval__lists_that_can_t_be_built),
        lang_unit_test(test_eval__a_list_that_was_built_is_written_as_a_list),
        lang_unit_test(test_eval__an_empty_list_is_a_vector_without_numbers),
        lang_unit_test(test_eval__what_was_meant_by_a_name),
        lang_unit_test(test_eval__einsum_is_told_as_a_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
