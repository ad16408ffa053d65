/* diagnose/pattern_internal.h: what patterns match in expressions, and what their holes stand for.
 */
#include "diagnose_testing.h"

#include <string.h>

#include "lang/syntax/parser.h"

#define STEPS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define HOLES(...)                        \
    ((const struct hole[]){__VA_ARGS__}), \
        sizeof((const struct hole[]){__VA_ARGS__}) / sizeof(struct hole)

/* A pattern tried on the value of a formula's last step. */
struct trial {
    struct arena arena;
    struct bindings bindings;
    struct formula formula;
    bool matches;
};

static void try_with(struct trial *trial, const char *text, const struct hole *holes,
                     size_t n_holes, const char *const *steps)
{
    struct pattern pattern;
    struct error error;
    bool failed;
    *trial = (struct trial){.matches = false};
    trial->formula = testing_formula(&trial->arena, steps);
    if (!pattern_read(&trial->arena, text, holes, n_holes, &pattern, &error))
        fail_msg("%s", error.text);
    size_t last = trial->formula.n_steps - 1;
    const struct formula_step *step = &trial->formula.steps[last];
    const struct matched_place place = {&trial->formula, last};
    trial->matches = pattern_match(&pattern, &place, step->text, step->value, &trial->arena,
                                   &trial->bindings, &failed);
    assert_false(failed);
}

static void end(struct trial *trial)
{
    arena_release(&trial->arena);
}

static bool matches_with(const char *text, const struct hole *holes, size_t n_holes,
                         const char *const *steps)
{
    struct trial trial;
    try_with(&trial, text, holes, n_holes, steps);
    end(&trial);
    return trial.matches;
}

static bool matches(const char *text, const char *step)
{
    return matches_with(text, NULL, 0, STEPS(step));
}

static void assert_stands_for(const struct trial *trial, const char *hole, const char *words)
{
    const struct binding *bound = bindings_find(&trial->bindings, hole, strlen(hole));
    assert_true(trial->matches);
    assert_non_null(bound);
    if (bound->size != strlen(words) || memcmp(bound->text, words, bound->size) != 0)
        fail_msg("%s is %.*s, not %s", hole, (int)bound->size, bound->text, words);
}

/* The text with the holes filled by what the pattern found in the step. */
static void assert_fills(const char *pattern, const char *step, const char *text, const char *want)
{
    struct trial trial;
    struct text filled = {0};
    const char *missing;
    size_t size;
    try_with(&trial, pattern, NULL, 0, STEPS(step));
    assert_true(trial.matches);
    assert_true(bindings_fill(&trial.bindings, text, &filled, &missing, &size));
    assert_string_equal(text_string(&filled), want);
    text_release(&filled);
    end(&trial);
}

/* Holes. */

static void test_pattern__holes_stand_for_what_is_there(void **state)
{
    (void)state;
    struct trial trial;
    try_with(&trial, "_x / sqrt(_n)", NULL, 0, STEPS("y = (query @ key.T) / sqrt(d_k + 1)"));
    assert_stands_for(&trial, "_x", "(query @ key.T)");
    assert_stands_for(&trial, "_n", "d_k + 1");
    end(&trial);
}

static void test_pattern__all_else_must_be_the_same(void **state)
{
    (void)state;
    assert_true(matches("_x / sqrt(_n)", "y = scores / sqrt(d_k)"));
    assert_false(matches("_x / sqrt(_n)", "y = scores * sqrt(d_k)"));
    assert_false(matches("_x / sqrt(_n)", "y = scores / exp(d_k)"));
    assert_false(matches("_x / sqrt(_n)", "y = sqrt(scores / d_k)"));
    assert_false(matches("_x // _y", "y = scores / d_k"));
    assert_true(matches("_x ** 2", "y = scores ** 2"));
    assert_false(matches("_x ** 2", "y = scores ** 3"));
    assert_true(matches("_x[:-1]", "y = scores[:-1]"));
    assert_false(matches("_x[:-1]", "y = scores[:1]"));
    assert_true(matches("_x.T", "y = key.T"));
    assert_false(matches("_x.T", "y = key.shape"));
    assert_true(matches("-_x", "y = -key"));
}

static void test_pattern__a_hole_that_stands_twice_is_the_same_words(void **state)
{
    (void)state;
    assert_true(matches("exp(_x) / sum(exp(_x))", "y = exp(scores) / sum(exp(scores))"));
    assert_true(matches("exp(_x) / sum(exp(_x))", "y = exp(scores - 1) / sum(exp(scores-1))"));
    assert_false(matches("exp(_x) / sum(exp(_x))", "y = exp(scores) / sum(exp(query))"));
    assert_false(matches("_x - _x", "y = scores - score"));
}

static void test_pattern__rest_stands_for_the_arguments_that_are_left(void **state)
{
    (void)state;
    struct trial trial;
    try_with(&trial, "sum(_x, _rest)", NULL, 0, STEPS("y = sum(scores, dim=-1, keepdim=True)"));
    assert_stands_for(&trial, "_rest", "dim=-1, keepdim=True");
    end(&trial);
    try_with(&trial, "sum(_x, _rest)", NULL, 0, STEPS("y = sum(scores)"));
    assert_stands_for(&trial, "_rest", "");
    end(&trial);
    assert_false(matches("sum(_x)", "y = sum(scores, dim=-1)"));
}

static void test_pattern__keywords_may_stand_in_any_order(void **state)
{
    (void)state;
    assert_true(matches("sum(_x, dim=_d, keepdim=True)", "y = sum(scores, keepdim=True, dim=0)"));
    assert_false(matches("sum(_x, dim=_d)", "y = sum(scores, axis=0)"));
    assert_false(matches("sum(_x, dim=_d)", "y = sum(scores, 0)"));
}

static void test_pattern__a_hole_may_be_a_size(void **state)
{
    (void)state;
    assert_true(matches_with("_x / _n", HOLES({"_n", HOLE_SIZE}), STEPS("y = scores / d_k")));
    assert_true(matches_with("_x / _n", HOLES({"_n", HOLE_SIZE}), STEPS("y = scores / 3")));
    assert_false(matches_with("_x / _n", HOLES({"_n", HOLE_SIZE}), STEPS("y = scores / 0.5")));
    assert_false(matches_with("_x / _n", HOLES({"_n", HOLE_SIZE}), STEPS("y = scores / query")));
    assert_true(matches_with("_x / _n", HOLES({"_n", HOLE_SIZE}),
                             STEPS("d_head = d_k // 2", "y = scores / d_head")));
}

static void test_pattern__a_hole_may_be_an_array_or_a_number(void **state)
{
    (void)state;
    assert_true(matches_with("exp(_a)", HOLES({"_a", HOLE_NAME}), STEPS("y = exp(scores)")));
    assert_false(matches_with("exp(_a)", HOLES({"_a", HOLE_NAME}), STEPS("y = exp(d_k)")));
    assert_false(matches_with("exp(_a)", HOLES({"_a", HOLE_NAME}), STEPS("y = exp(nobody)")));
    assert_false(matches_with("exp(_a)", HOLES({"_a", HOLE_NAME}), STEPS("y = exp(scores + 1)")));
    assert_true(matches_with("exp(_a)", HOLES({"_a", HOLE_NUMBER}), STEPS("y = exp(0.5)")));
    assert_false(matches_with("exp(_a)", HOLES({"_a", HOLE_NUMBER}), STEPS("y = exp(d_k)")));
}

/* Names and brackets. */

static void test_pattern__looks_through_names_of_earlier_steps(void **state)
{
    (void)state;
    struct trial trial;
    try_with(&trial, "softmax(_x / _y, _rest)", NULL, 0,
             STEPS("scaled = scores / sqrt(d_k)", "y = softmax(scaled, dim=-1)"));
    assert_stands_for(&trial, "_x", "scores");
    assert_stands_for(&trial, "_y", "sqrt(d_k)");
    assert_stands_for(&trial, "_rest", "dim=-1");
    end(&trial);
    assert_false(matches_with("softmax(_x * _y)", NULL, 0,
                              STEPS("scaled = scores / d_k", "y = softmax(scaled)")));
    assert_true(matches_with("softmax(_x / _y)", NULL, 0,
                             STEPS("a = scores / d_k", "b = a", "y = softmax(b)")));
}

static void test_pattern__filling_sets_brackets_where_they_are_needed(void **state)
{
    (void)state;
    assert_fills("exp(_x)", "y = exp(query + key)", "_x * 2", "(query + key) * 2");
    assert_fills("exp(_x)", "y = exp(query + key)", "2 - _x", "2 - (query + key)");
    assert_fills("exp(_x)", "y = exp(query + key)", "_x.T", "(query + key).T");
    assert_fills("exp(_x)", "y = exp(query + key)", "tanh(_x)", "tanh(query + key)");
    assert_fills("exp(_x)", "y = exp(query)", "_x * 2", "query * 2");
    assert_fills("exp(_x)", "y = exp(query)", "a_x * _x", "a_x * query");
}

static void test_pattern__an_empty_rest_takes_its_comma_along(void **state)
{
    (void)state;
    assert_fills("sum(_x, _rest)", "y = sum(scores)", "mean(_x, _rest)", "mean(scores)");
    assert_fills("sum(_x, _rest)", "y = sum(scores, dim=0)", "mean(_x, _rest)",
                 "mean(scores, dim=0)");
}

static void test_pattern__filling_tells_the_hole_that_stands_for_nothing(void **state)
{
    (void)state;
    struct bindings none = {.n = 0};
    struct text filled = {0};
    const char *missing;
    size_t size;
    assert_false(bindings_fill(&none, "query / _other", &filled, &missing, &size));
    assert_int_equal(size, strlen("_other"));
    assert_memory_equal(missing, "_other", size);
    text_release(&filled);
}

static void test_pattern__holes_of_a_text_are_found_one_by_one(void **state)
{
    (void)state;
    const char *text = "_x / sqrt(_n) + a_b._c", *hole;
    size_t at = 0;
    assert_int_equal(hole_next(text, &at, &hole), 2);
    assert_memory_equal(hole, "_x", 2);
    assert_int_equal(hole_next(text, &at, &hole), 2);
    assert_memory_equal(hole, "_n", 2);
    assert_int_equal(hole_next(text, &at, &hole), 0);
}

/* Failures. */

static void test_pattern__must_be_one_expression(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "a = _x", "_x +", "_x; _y"};
    for (size_t i = 0; i < 4; i++) {
        struct arena arena = {0};
        struct pattern pattern;
        struct error error;
        assert_error(pattern_read(&arena, wrong[i], NULL, 0, &pattern, &error), error, ERR_SYNTAX);
        arena_release(&arena);
    }
}

static void test_pattern__missing_memory_is_told_apart_from_no_match(void **state)
{
    (void)state;
    struct arena arena = {0}, none = {0};
    struct pattern pattern;
    struct bindings bindings;
    bool failed;
    struct formula formula = testing_formula(&arena, STEPS("y = sum(scores, dim=0)"));
    const struct matched_place place = {&formula, 0};
    assert_true(pattern_read(&arena, "sum(_x, _rest)", NULL, 0, &pattern, NULL));
    testing_fail_allocation(1);
    bool matched = pattern_match(&pattern, &place, formula.steps[0].text, formula.steps[0].value,
                                 &none, &bindings, &failed);
    testing_fail_allocation(0);
    assert_false(matched);
    assert_true(failed);
    arena_release(&none);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern__holes_stand_for_what_is_there),
        cmocka_unit_test(test_pattern__all_else_must_be_the_same),
        cmocka_unit_test(test_pattern__a_hole_that_stands_twice_is_the_same_words),
        cmocka_unit_test(test_pattern__rest_stands_for_the_arguments_that_are_left),
        cmocka_unit_test(test_pattern__keywords_may_stand_in_any_order),
        cmocka_unit_test(test_pattern__a_hole_may_be_a_size),
        cmocka_unit_test(test_pattern__a_hole_may_be_an_array_or_a_number),
        cmocka_unit_test(test_pattern__looks_through_names_of_earlier_steps),
        cmocka_unit_test(test_pattern__filling_sets_brackets_where_they_are_needed),
        cmocka_unit_test(test_pattern__an_empty_rest_takes_its_comma_along),
        cmocka_unit_test(test_pattern__filling_tells_the_hole_that_stands_for_nothing),
        cmocka_unit_test(test_pattern__holes_of_a_text_are_found_one_by_one),
        cmocka_unit_test(test_pattern__must_be_one_expression),
        cmocka_unit_test(test_pattern__missing_memory_is_told_apart_from_no_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
