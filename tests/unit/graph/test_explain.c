/* `why`: the arithmetic that is shown is true. What an explanation says is typed back in, at a
 * prompt where the inputs have the same names, and must give the number that it explains. */
#include "lang_testing.h"
#include "op_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/explain.h"
#include "graph/why.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "show/backend.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

enum { DIGITS = 9 }; /* so many that rounding on the page does not matter */

/* ---- documents as lines ---- */

static void line_text(const struct doc *doc, size_t line, struct text *ret)
{
    const struct span *spans;
    size_t n = doc_line_spans(doc, line, &spans);
    text_clear(ret);
    for (size_t i = 0; i < n; i++)
        text_add(ret, doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
}

/* The number that an expression gives. */
static double evaluate(struct lang *lang, const char *expression)
{
    struct text line = {0};
    text_format(&line, "result = %s", expression);
    lang_run(lang, text_string(&line));
    text_release(&line);
    const struct node *result = lang_node(lang, "result");
    assert_int_equal(tensor_size(&result->value), 1);
    return (double)tensor_at_position(&result->value, 0);
}

/* ---- steps: what follows "= ", joined where it goes on in the next lines ---- */

static const char *const lists[][2] = {
    {"the position of the largest of ", "argmax"},
    {"the position of the smallest of ", "argmin"},
    {"the largest of ", "max"},
    {"the smallest of ", "min"},
    {"whether all are true: ", "all"},
    {"whether any is true: ", "any"},
};

/* Replaces "(6 more, together 1.5)" by "(1.5)". */
static void close_elision(struct text *step)
{
    struct text closed = {0};
    const char *rest = text_string(step), *together = strstr(rest, " more, together ");
    if (together == NULL)
        return;
    const char *open = together;
    while (*open != '(')
        open--;
    text_add(&closed, rest, (size_t)(open + 1 - rest));
    text_put(&closed, together + strlen(" more, together "));
    text_clear(step);
    text_put(step, text_string(&closed));
    text_release(&closed);
}

/* Where a step goes on in words: "0: nothing was put here", "X[0], as mask[0] is True". */
static size_t words_begin(const char *step)
{
    static const char *const signs[] = {": ", ", as ", "   "};
    size_t begin = strlen(step);
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        const char *sign = strstr(step, signs[i]);
        if (sign != NULL && (size_t)(sign - step) < begin)
            begin = (size_t)(sign - step);
    }
    return begin;
}

static bool is_said_in_words(const char *step)
{
    static const char *const words[] = {"...", "sum of ", "variance of ", "spread of ",
                                        "set by hand"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strstr(step, words[i]) != NULL)
            return true;
    return false;
}

/* Turns a step into an expression of the language. False when it is said in words. */
static bool to_expression(struct text *step)
{
    struct text expression = {0};
    close_elision(step);
    if (is_said_in_words(text_string(step)))
        return false;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        size_t size = strlen(lists[i][0]);
        if (expression.size == 0 && strncmp(text_string(step), lists[i][0], size) == 0)
            text_format(&expression, "%s([%s])", lists[i][1], text_string(step) + size);
    }
    if (expression.size == 0)
        text_add(&expression, text_string(step), words_begin(text_string(step)));
    text_clear(step);
    text_put(step, text_string(&expression));
    text_release(&expression);
    return true;
}

/* Step number `which` of the lines of doc, or false behind the last one. */
static bool step_at(const struct doc *doc, size_t which, struct text *ret)
{
    struct text line = {0};
    bool inside = false;
    size_t n = 0;
    text_clear(ret);
    for (size_t i = 0; i < doc->n_lines; i++) {
        line_text(doc, i, &line);
        const char *text = text_string(&line);
        bool begins = strncmp(text, "= ", 2) == 0;
        bool goes_on = strncmp(text, "    + ", 6) == 0;
        n += begins;
        inside = (begins || (inside && goes_on)) && n == which + 1;
        if (inside)
            text_put(ret, begins ? text + 2 : text + 3);
    }
    text_release(&line);
    return n > which;
}

static void assert_step(const struct trial *trial, const char *step, double got, double want)
{
    if (got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= 1e-5 * (1 + fabs(want)))
        return;
    fail_msg("%s of %s: '%s' is %.9g, not %.9g", trial->formula, trial->parents, step, got, want);
}

/* Every step that is arithmetic gives the number; the last one is, except where words are exact. */
static void check_steps(struct lang *lang, const struct trial *trial, const struct doc *doc,
                        double want)
{
    struct text step = {0};
    bool last = false;
    for (size_t i = 0; step_at(doc, i, &step); i++) {
        last = to_expression(&step);
        if (last)
            assert_step(trial, text_string(&step), evaluate(lang, text_string(&step)), want);
    }
    if (!last && strstr(text_string(&doc->text), "set by hand") == NULL)
        fail_msg("%s of %s: the last step is no arithmetic: %s", trial->formula, trial->parents,
                 text_string(&doc->text));
    text_release(&step);
}

/* ---- cells: all that the number depends on are listed, unless the page says that some are left
 * out ---- */

static bool is_listed(const struct explanation *explanation, const struct node *node, size_t at)
{
    for (size_t i = 0; i < explanation->n_cells; i++)
        if (explanation->cells[i].node == node && explanation->cells[i].position == at)
            return true;
    return false;
}

/* Whether the reference for cell `index` changes when number `at` of parent p does. */
static bool depends_on(const struct trial *trial, struct trial_array *inputs, const size_t *index,
                       unsigned p, size_t at)
{
    double *number = &inputs[p].numbers[at], kept = *number;
    double before = trial_reference(trial, inputs, index);
    if (inputs[p].is_choice || !isfinite(kept))
        return false;
    *number = kept + 1e-3;
    double after = trial_reference(trial, inputs, index);
    *number = kept;
    return after != before;
}

static void check_cells(const struct trial *trial, struct trial_array *inputs,
                        struct node *const *parents, const size_t *index,
                        const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->n_cells; i++) {
        const struct node *node = explanation->cells[i].node;
        assert_true(node == parents[0] || node == parents[1] || node == parents[2]);
        assert_in_range(explanation->cells[i].position, 0, tensor_size(&node->value) - 1);
    }
    bool elided = strstr(text_string(&explanation->doc->text), "...") != NULL;
    for (unsigned p = 0; !elided && p < trial_n_parents(trial); p++)
        for (size_t at = 0; at < inputs[p].size; at++)
            if (depends_on(trial, inputs, index, p, at) && !is_listed(explanation, parents[p], at))
                fail_msg("%s of %s: cell %zu of parent %u is not listed", trial->formula,
                         trial->parents, at, p);
}

static void check_cell(struct lang *lang, const struct trial *trial, struct trial_array *inputs,
                       struct node *const *parents, struct cell cell)
{
    struct doc doc;
    struct explanation explanation;
    size_t index[TENSOR_MAX_AXES];
    struct trial_array result = trial_result(trial);
    doc_init(&doc);
    explanation_init(&explanation, &doc, DIGITS);
    assert_true(explain_cell(cell, &explanation, NULL));
    trial_index(&result, cell.position, index);
    check_steps(lang, trial, &doc, (double)cell_value(cell));
    check_cells(trial, inputs, parents, index, &explanation);
    explanation_release(&explanation);
    doc_release(&doc);
}

static void bind_node(struct lang *lang, const char *name, struct node *node)
{
    struct value value = value_node(node_share(node));
    assert_true(session_bind(&lang->session, name, 1, &value, NULL));
}

static void check_trial(const struct trial *trial, uint64_t *seed)
{
    struct lang lang;
    struct trial_array inputs[TRIAL_PARENTS];
    struct node *parents[TRIAL_PARENTS] = {NULL};
    lang_open(&lang);
    trial_draw(trial, seed, inputs);
    trial_inputs(trial, &lang.session.graph, inputs, parents);
    for (unsigned p = 0; p < trial_n_parents(trial); p++)
        bind_node(&lang, &"X\0Y\0Z"[2 * p], parents[p]);
    struct node *node = trial_node(trial, &lang.session.graph, parents, NULL);
    assert_non_null(node);
    for (size_t at = 0; at < tensor_size(&node->value); at++)
        check_cell(&lang, trial, inputs, parents, (struct cell){node, at});
    node_free(node);
    trial_free(trial, parents);
    lang_close(&lang);
}

static void test_explain__every_operation_is_true(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t i = 0; trial_at(i) != NULL; i++)
        for (int n = 0; n < 3; n++)
            check_trial(trial_at(i), &seed);
}

/* ---- long sums ---- */

/* One product of a row of n numbers and a column, as explained, in *ret. */
static void explain_dot(struct lang *lang, uint64_t *seed, size_t n, bool largest_first,
                        struct doc *ret, double *terms)
{
    struct text line = {0};
    struct explanation explanation;
    struct tensor a = testing_random_tensor(seed, 1, &n), b = testing_random_tensor(seed, 1, &n);
    for (size_t i = 0; i < n; i++)
        terms[i] = (double)a.data[i] * (double)b.data[i];
    struct value a_value = value_node(node_input(&lang->session.graph, &a, "a test", 6, NULL));
    struct value b_value = value_node(node_input(&lang->session.graph, &b, "a test", 6, NULL));
    assert_true(session_bind(&lang->session, "a", 1, &a_value, NULL));
    assert_true(session_bind(&lang->session, "b", 1, &b_value, NULL));
    lang_run(lang, "s = a @ b");
    lang_node(lang, "s")->largest_first = largest_first;
    doc_init(ret);
    explanation_init(&explanation, ret, DIGITS);
    assert_true(explain_cell((struct cell){lang_node(lang, "s"), 0}, &explanation, NULL));
    assert_int_equal(explanation.n_cells, n <= 8 ? 2 * n : 12);
    explanation_release(&explanation);
    text_release(&line);
}

/* The number behind `before` in text. */
static double number_behind(const char *text, const char *before)
{
    const char *at = strstr(text, before);
    if (at == NULL)
        fail_msg("no '%s' in: %s", before, text);
    return strtod(at + strlen(before), NULL);
}

/* Of more than 8 terms the first 4 and the last 2 are shown, and how many lie between; once there
 * are numbers, also what those add up to. */
static void test_explain__long_sums_are_elided(void **state)
{
    (void)state;
    struct lang lang;
    uint64_t seed = 8;
    static const size_t lengths[] = {1, 2, 8, 9, 10, 64, 1000};
    static double terms[1000];
    lang_open(&lang);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        size_t n = lengths[i];
        struct doc doc;
        struct text step = {0};
        char count[40];
        double middle = 0;
        explain_dot(&lang, &seed, n, false, &doc, terms);
        for (size_t j = 4; j + 2 < n; j++)
            middle += terms[j];
        snprintf(count, sizeof count, "(%zu more, together ", n - 6);
        for (size_t which = 1; which < 3 && n > 8; which++) {
            assert_true(step_at(&doc, which, &step));
            assert_close(number_behind(text_string(&step), count), middle, 1e-5);
        }
        assert_true(step_at(&doc, 0, &step));
        snprintf(count, sizeof count, " + ... %zu more ... + ", n - 6);
        assert_true((strstr(text_string(&step), count) != NULL) == (n > 8));
        assert_true(step_at(&doc, 2, &step) == (n > 1)); /* products worked out */
        assert_false(step_at(&doc, 3, &step));
        text_release(&step);
        doc_release(&doc);
    }
    lang_close(&lang);
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return x > y ? -1 : x < y;
}

/* In what models make the largest come first, of many the six largest and then all others as one
 * number; each line adds up. */
static void test_explain__largest_terms_first(void **state)
{
    (void)state;
    struct lang lang;
    uint64_t seed = 10;
    static double terms[1000];
    lang_open(&lang);
    for (size_t n = 8; n <= 1000; n = n < 10 ? n + 1 : 10 * n) {
        struct doc doc;
        struct text step = {0};
        double sum = 0;
        explain_dot(&lang, &seed, n, true, &doc, terms);
        for (size_t i = 0; i < n; i++)
            sum += terms[i];
        qsort(terms, n, sizeof *terms, by_size);
        assert_true(step_at(&doc, 2, &step));
        const char *at = text_string(&step);
        for (size_t i = 0; i < (n > 8 ? 6 : n); i++) {
            char *end;
            at += strspn(at, " +()");
            assert_close(strtod(at, &end), terms[i], 1e-6);
            at = end;
        }
        assert_int_equal(strncmp(at + strspn(at, ")"), " + (", 4) == 0, n > 8);
        assert_true(to_expression(&step));
        assert_close(evaluate(&lang, text_string(&step)), sum, 1e-5);
        text_release(&step);
        doc_release(&doc);
    }
    lang_close(&lang);
}

/* No line of a sum is wider than a page. */
static void test_explain__lines_are_broken(void **state)
{
    (void)state;
    struct lang lang;
    uint64_t seed = 9;
    struct doc doc;
    double terms[8];
    lang_open(&lang);
    explain_dot(&lang, &seed, 8, false, &doc, terms);
    assert_true(doc.n_lines > 3);
    assert_true(doc_width(&doc) <= 76);
    doc_release(&doc);
    lang_close(&lang);
}

/* In a weighted sum 0 * NaN is nothing, and the page says so: 1 * 3 + nothing. */
static void test_explain__weight_of_zero_adds_nothing(void **state)
{
    (void)state;
    struct lang lang;
    struct doc doc;
    struct explanation explanation;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "K = zeros(2, 1); V = [[3], [nan]]; c = attention(K, K, V, causal_mask(2))");
    doc_init(&doc);
    explanation_init(&explanation, &doc, 4);
    assert_true(explain_cell((struct cell){lang_node(&lang, "c"), 0}, &explanation, NULL));
    doc_to_plain(&doc, &page);
    assert_string_equal(text_string(&page), "= weights[0, 0] * V[0, 0] + weights[0, 1] * V[1, 0]\n"
                                            "= 1 * 3 + 0 * nan\n"
                                            "= 3 + 0\n");
    text_release(&page);
    explanation_release(&explanation);
    doc_release(&doc);
    lang_close(&lang);
}

/* ---- leaves ---- */

static void explain_text(struct lang *lang, const char *name, size_t position, struct text *ret)
{
    struct doc doc;
    struct explanation explanation;
    doc_init(&doc);
    explanation_init(&explanation, &doc, 4);
    assert_true(explain_cell((struct cell){lang_node(lang, name), position}, &explanation, NULL));
    doc_to_plain(&doc, ret);
    explanation_release(&explanation);
    doc_release(&doc);
}

static void test_explain__leaves_say_where_they_are_from(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "x = 0.5; E = eye(2)");
    explain_text(&lang, "x", 0, &page);
    explain_text(&lang, "E", 3, &page);
    assert_string_equal(text_string(&page), "as typed\nfrom eye(2)\n");
    text_release(&page);
    lang_close(&lang);
}

/* why */

static void why_text(struct lang *lang, const char *name, size_t position, struct text *ret)
{
    struct doc doc;
    doc_init(&doc);
    assert_true(explain_why((struct cell){lang_node(lang, name), position}, 4, &doc, NULL));
    doc_to_plain(&doc, ret);
    doc_release(&doc);
}

/* Q K^T / sqrt(2) for Q = [[1, 2]], K = [[3, 4]]: 1 * 3 + 2 * 4 = 11; 11 / 1.4142 = 7.7782. The
 * transpose only moves numbers, and sqrt(2) says all there is to say: neither has a part of its
 * own. */
static void test_why__goes_down_to_the_inputs(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "Q = [[1, 2]]; K = [[3, 4]]; scores = Q @ K.T / sqrt(2)");
    why_text(&lang, "scores", 0, &page);
    assert_string_equal(text_string(&page), "scores[0, 0] = 7.7782\n"
                                            "  = (Q @ K.T)[0, 0] / sqrt(2)\n"
                                            "  = 11 / 1.4142\n"
                                            "(Q @ K.T)[0, 0] = 11\n"
                                            "  = Q[0, 0] * K[0, 0] + Q[0, 1] * K[0, 1]\n"
                                            "  = 1 * 3 + 2 * 4\n"
                                            "  = 3 + 8\n"
                                            "Q[0, 0] = 1   from [[1, 2]]\n"
                                            "K[0, 0] = 3   from [[3, 4]]\n"
                                            "Q[0, 1] = 2   from [[1, 2]]\n"
                                            "K[0, 1] = 4   from [[3, 4]]\n");
    text_release(&page);
    lang_close(&lang);
}

/* softmax([1, 2]): e^(1 - 2) = 0.3679, e^0 = 1, their sum 1.3679. */
static void test_why__softmax_shows_its_row(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "x = [1, 2]; w = softmax(x); y = w[0] * w[1]");
    why_text(&lang, "y", 0, &page);
    assert_string_equal(text_string(&page),
                        "y = 0.1966\n"
                        "  = w[0] * w[1]\n"
                        "  = 0.2689 * 0.7311\n"
                        "w[0] = 0.2689\n"
                        "  = exp(x[0] - max) / sum of exp(x - max), over 2 scores x\n"
                        "      max = 2, subtracted so that exp() can't overflow\n"
                        "      exp(1 - 2) = 0.3679   <- this one\n"
                        "      exp(2 - 2) = 1\n"
                        "      sum of all 2: 1.3679\n"
                        "  = 0.3679 / 1.3679\n"
                        "x[0] = 1   from [1, 2]\n"
                        "x[1] = 2   from [1, 2]\n");
    text_release(&page);
    lang_close(&lang);
}

/* A cell of x is made of 5 cells of y; 3 are explained and 2 counted. */
static void test_why__counts_what_is_alike(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "x = [1, 2, 3, 4, 5]; y = x * 2; z = sum(y)");
    why_text(&lang, "z", 0, &page);
    assert_non_null(strstr(text_string(&page), "\ny[2] = 6\n"));
    assert_null(strstr(text_string(&page), "\ny[3] = 8\n"));
    assert_non_null(
        strstr(text_string(&page), "\n... and 2 more cells of y, worked out the same way\n"));
    assert_non_null(strstr(text_string(&page), "\nx[2] = 3   from [1, 2, 3, 4, 5]\n"));
    text_release(&page);
    lang_close(&lang);
}

/* A nameless tensor with a long formula is called t1, and the page says once what that is. */
static void test_why__long_formulas_get_short_names(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "alpha = [1, 2]; y = sum(exp(alpha * alpha + alpha * alpha))");
    why_text(&lang, "y", 0, &page);
    const char *text = text_string(&page);
    assert_non_null(strstr(text, "\n  = t1[0] + t1[1]\n"));
    const char *meaning = strstr(text, "t1 is exp(alpha * alpha + alpha * alpha)");
    assert_non_null(meaning);
    assert_null(strstr(meaning + 1, "t1 is"));
    text_release(&page);
    lang_close(&lang);
}

static void test_why__of_an_input(void **state)
{
    (void)state;
    struct lang lang;
    struct text page = {0};
    lang_open(&lang);
    lang_run(&lang, "x = [1, 2] > 1");
    lang_run(&lang, "y = 3; z = y");
    why_text(&lang, "y", 0, &page);
    assert_string_equal(text_string(&page), "y = 3\n  as typed\n");
    text_clear(&page);
    why_text(&lang, "x", 1, &page);
    assert_string_equal(text_string(&page), "x[1] = True\n"
                                            "  = [1, 2][1] > 1\n"
                                            "  = 2 > 1\n"
                                            "[1, 2][1] = 2\n");
    text_release(&page);
    lang_close(&lang);
}

/* Headings and inputs point at their cells, for a screen to follow. */
static void test_why__points_at_cells(void **state)
{
    (void)state;
    struct lang lang;
    struct doc doc;
    const struct span *spans;
    lang_open(&lang);
    lang_run(&lang, "x = [1, 2]; y = x * 2");
    const struct node *y = lang_node(&lang, "y"), *x = lang_node(&lang, "x");
    doc_init(&doc);
    assert_true(explain_why((struct cell){lang_node(&lang, "y"), 1}, 4, &doc, NULL));
    assert_true(doc_line_spans(&doc, 0, &spans) >= 3);
    assert_int_equal(spans[0].cell.tensor, y->id);
    assert_int_equal(spans[0].cell.position, 1);
    assert_int_equal(spans[2].cell.tensor, y->id);
    assert_true(doc_line_spans(&doc, doc.n_lines - 1, &spans) >= 3);
    assert_int_equal(spans[0].cell.tensor, x->id);
    assert_int_equal(spans[0].cell.position, 1);
    doc_release(&doc);
    lang_close(&lang);
}

/* However deep the graph, the page has an end. */
static void test_why__stays_short(void **state)
{
    (void)state;
    struct lang lang;
    struct doc doc;
    lang_open(&lang);
    lang_run(&lang, "x = [1, 2, 3, 4, 5, 6, 7, 8]");
    for (int i = 0; i < 60; i++)
        lang_run(&lang, "x = x + x[0] * x");
    doc_init(&doc);
    assert_true(explain_why((struct cell){lang_node(&lang, "x"), 3}, 4, &doc, NULL));
    assert_true(doc.n_lines < 400);
    doc_release(&doc);
    lang_close(&lang);
}

static bool why_anew(struct node *node, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = explain_why((struct cell){node, 0}, 4, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static void test_why__failed_allocations(void **state)
{
    (void)state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    lang_run(&lang, "X = [[1, 2], [3, 4]]; M = X > 1");
    lang_run(
        &lang,
        "y = attention(X @ X.T / sqrt(2) + exp(X * X + X), X, X, attn_mask=M, is_causal=True)");
    lang_run(&lang, "z = max(y) + var(y) + sum(sum(y, dim=0)) + sum(y[1:]) + y.T[0, 1]");
    struct node *z = lang_node(&lang, "z"), *y = lang_node(&lang, "y");
    assert_reports_failed_allocations(why_anew(z, &error), error);
    assert_reports_failed_allocations(why_anew(y, &error), error);
    lang_close(&lang);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explain__every_operation_is_true),
        cmocka_unit_test(test_explain__long_sums_are_elided),
        cmocka_unit_test(test_explain__largest_terms_first),
        cmocka_unit_test(test_explain__lines_are_broken),
        cmocka_unit_test(test_explain__weight_of_zero_adds_nothing),
        cmocka_unit_test(test_explain__leaves_say_where_they_are_from),
        cmocka_unit_test(test_why__goes_down_to_the_inputs),
        cmocka_unit_test(test_why__softmax_shows_its_row),
        cmocka_unit_test(test_why__counts_what_is_alike),
        cmocka_unit_test(test_why__long_formulas_get_short_names),
        cmocka_unit_test(test_why__of_an_input),
        cmocka_unit_test(test_why__points_at_cells),
        cmocka_unit_test(test_why__stays_short),
        cmocka_unit_test(test_why__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
