/* diagnose/rewrites.h: the changes that edits make to a step. */
#include "diagnose_testing.h"

#include <stdio.h>
#include <string.h>

#define STEPS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define TEXTS " when: w\n   ask: a\n"

static bool has(const struct rewrites *changes, const char *statement)
{
    for (size_t i = 0; i < changes->n; i++)
        if (strcmp(changes->items[i].statement, statement) == 0)
            return true;
    return false;
}

/* These and no other statements, ended by NULL, come of the last step. */
static void assert_gives(const char *lines, const char *const *steps, const char *const *want)
{
    struct arena arena = {0};
    struct rewrites changes = {.n = 0};
    struct error error;
    struct edits edits = testing_edits(lines);
    struct formula formula = testing_formula(&arena, steps);
    size_t n = 0;
    if (!rewrites_add(&edits, &formula, formula.n_steps - 1, &changes, &error))
        fail_msg("%s", error.text);
    for (; want[n] != NULL; n++)
        if (!has(&changes, want[n]))
            fail_msg("%s is missing", want[n]);
    for (size_t i = n; i < changes.n; i++)
        printf("of %zu: %s\n", changes.n, changes.items[i].statement);
    assert_int_equal(changes.n, n);
    rewrites_release(&changes);
    edits_release(&edits);
    arena_release(&arena);
}

static void test_rewrites__an_edit_is_made_at_each_place(void **state)
{
    (void)state;
    assert_gives(" - id: left-out\n   match: exp(_x)\n   put: _x\n  " TEXTS,
                 STEPS("y = exp(scores) / sum(exp(scores))"),
                 STEPS("y = scores / sum(exp(scores))", "y = exp(scores) / sum(scores)"));
}

static void test_rewrites__a_whole_edit_is_made_of_all_of_the_step(void **state)
{
    (void)state;
    assert_gives(" - id: half\n   match: _x\n   put: _x / 2\n   whole: true\n  " TEXTS,
                 STEPS("y = query + key"), STEPS("y = (query + key) / 2"));
}

static void test_rewrites__brackets_keep_the_meaning(void **state)
{
    (void)state;
    static const char lines[] = " - id: sum\n   match: exp(_x)\n   put: _x + 1\n  " TEXTS;
    assert_gives(lines, STEPS("y = 2 * exp(query)"), STEPS("y = 2 * (query + 1)"));
    assert_gives(lines, STEPS("y = tanh(exp(query))"), STEPS("y = tanh(query + 1)"));
    assert_gives(lines, STEPS("y = exp(query - key) * 2"), STEPS("y = ((query - key) + 1) * 2"));
}

static void test_rewrites__what_stays_the_same_is_no_change(void **state)
{
    (void)state;
    assert_gives(" - id: nothing\n   match: exp(_x)\n   put: [exp(_x), _x, _x]\n  " TEXTS,
                 STEPS("y = exp(query)"), STEPS("y = query"));
}

static void test_rewrites__the_first_edit_that_makes_a_change_has_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rewrites changes = {.n = 0};
    struct edits edits = testing_edits(" - id: one\n   match: exp(_x)\n   put: _x\n  " TEXTS
                                       " - id: two\n   match: exp(_y)\n   put: _y\n  " TEXTS);
    struct formula formula = testing_formula(&arena, STEPS("y = exp(query)"));
    assert_true(rewrites_add(&edits, &formula, 0, &changes, NULL));
    assert_int_equal(changes.n, 1);
    assert_string_equal(changes.items[0].edit->id, "one");
    rewrites_release(&changes);
    edits_release(&edits);
    arena_release(&arena);
}

/* The sizes are n_q, d_k and d_head; d_k is there already. */
static void test_rewrites__an_open_size_becomes_each_other_size(void **state)
{
    (void)state;
    assert_gives(" - id: other\n   match: sqrt(_n)\n   put: sqrt(_m)\n"
                 "   where: {_n: size, _m: size}\n  " TEXTS,
                 STEPS("d_head = d_k // 2", "y = scores / sqrt(d_k)"),
                 STEPS("y = scores / (sqrt(n_q))", "y = scores / (sqrt(d_head))"));
}

static void test_rewrites__an_open_name_becomes_each_other_array(void **state)
{
    (void)state;
    assert_gives(" - id: other\n   match: exp(_a)\n   put: exp(_b)\n"
                 "   where: {_a: name, _b: name}\n  " TEXTS,
                 STEPS("weights = scores * 2", "y = exp(key)"),
                 STEPS("y = exp(query)", "y = exp(value)", "y = exp(scores)", "y = exp(weights)"));
}

static void test_rewrites__words_are_filled_in(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rewrites changes = {.n = 0};
    struct edits edits =
        testing_edits(" - id: left-out\n   match: _x / sqrt(_n)\n   put: _x\n"
                      "   when: sqrt(_n) is left out\n   ask: a\n   math: _x / sqrt(_n)\n");
    struct formula formula = testing_formula(&arena, STEPS("y = scores / sqrt(d_k)"));
    assert_true(rewrites_add(&edits, &formula, 0, &changes, NULL));
    assert_int_equal(changes.n, 1);
    assert_string_equal(changes.items[0].when, "sqrt(d_k) is left out");
    assert_string_equal(changes.items[0].math, "scores / sqrt(d_k)");
    assert_string_equal(changes.items[0].functions, "");
    assert_null(changes.items[0].base);
    rewrites_release(&changes);
    edits_release(&edits);
    arena_release(&arena);
}

static void test_rewrites__functions_that_are_called_come_along(void **state)
{
    (void)state;
    static const char yaml[] =
        "functions:\n  - twice(x) = 2 * x\n  - thrice(x) = 3 * x\n"
        "edits:\n - id: e\n   match: exp(_x)\n   put: twice(_x)\n   when: w\n"
        "   ask: a\n";
    struct arena arena = {0};
    struct rewrites changes = {.n = 0};
    struct edits edits;
    assert_true(edits_read("table.yaml", yaml, strlen(yaml), &edits, NULL));
    struct formula formula = testing_formula(&arena, STEPS("y = exp(query)"));
    assert_true(rewrites_add(&edits, &formula, 0, &changes, NULL));
    assert_string_equal(changes.items[0].functions, "twice(x) = 2 * x\n");
    rewrites_release(&changes);
    edits_release(&edits);
    arena_release(&arena);
}

static void test_rewrites__a_second_change_is_made_on_top_of_the_first(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rewrites first = {.n = 0}, second = {.n = 0};
    struct edits edits = testing_edits(" - id: left-out\n   match: exp(_x)\n   put: _x\n  " TEXTS);
    struct formula formula = testing_formula(&arena, STEPS("y = exp(query) / sum(exp(query))"));
    assert_true(rewrites_add(&edits, &formula, 0, &first, NULL));
    assert_true(rewrites_add_on(&edits, &formula, &first.items[0], &second, NULL));
    assert_int_equal(second.n, 1);
    assert_string_equal(second.items[0].statement, "y = query / sum(query)");
    assert_ptr_equal(second.items[0].base, &first.items[0]);
    rewrites_release(&first);
    rewrites_release(&second);
    edits_release(&edits);
    arena_release(&arena);
}

static bool add_once(const struct edits *edits, const struct formula *formula, struct error *reterr)
{
    struct rewrites changes = {.n = 0};
    bool ok = rewrites_add(edits, formula, 0, &changes, reterr);
    rewrites_release(&changes);
    return ok;
}

static void test_rewrites__missing_memory_is_reported(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    struct edits edits = testing_edits(" - id: e\n   match: \"sum(_x, _rest)\"\n"
                                       "   put: \"mean(_x, _rest)\"\n   when: a sum of _x\n"
                                       "   ask: a\n   math: sum(_x)\n");
    struct formula formula = testing_formula(&arena, STEPS("y = sum(query, dim=0)"));
    assert_reports_failed_allocations(add_once(&edits, &formula, &error), error);
    edits_release(&edits);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rewrites__an_edit_is_made_at_each_place),
        cmocka_unit_test(test_rewrites__a_whole_edit_is_made_of_all_of_the_step),
        cmocka_unit_test(test_rewrites__brackets_keep_the_meaning),
        cmocka_unit_test(test_rewrites__what_stays_the_same_is_no_change),
        cmocka_unit_test(test_rewrites__the_first_edit_that_makes_a_change_has_it),
        cmocka_unit_test(test_rewrites__an_open_size_becomes_each_other_size),
        cmocka_unit_test(test_rewrites__an_open_name_becomes_each_other_array),
        cmocka_unit_test(test_rewrites__words_are_filled_in),
        cmocka_unit_test(test_rewrites__functions_that_are_called_come_along),
        cmocka_unit_test(test_rewrites__a_second_change_is_made_on_top_of_the_first),
        cmocka_unit_test(test_rewrites__missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
