/* diagnose/search.h: on a subject of two steps and three numbers, worked out by hand:
 *   sum = a + b    out = sum * c */
#include "diagnose_testing.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "diagnose/search.h"

static const char table[] =
    " - {id: minus, match: _x + _y, put: _x - _y, when: w, ask: a}\n"
    " - {id: left-out, match: _x + _y, put: _x, when: w, ask: a}\n"
    " - {id: plus, match: _x * _y, put: _x + _y, when: w, ask: a}\n"
    " - {id: twice-the-first, match: _x + _y, put: _x + _x, when: w, ask: a}\n"
    " - {id: the-first-twice, match: _x + _y, put: 2 * _x, when: w, ask: a}\n"
    "combinations:\n"
    " - {id: minus-plus, of: [minus, plus], when: w, ask: a, math: m}\n";

enum { FIRST = 5, FRESH = 4, APART = 1, LARGE = 100 };

/* The last two of the first are right under MINUS (b is 0), the last of the fresh too. The one
 * after them is too large for 2 * a, as our table has it. */
static const struct numbers {
    double a, b, c;
} numbers[FIRST + FRESH + APART] = {{2, 3, 5},  {1, 4, -2}, {7, 2, 3}, {4, 0, 5}, {6, 0, 2},
                                    {3, 8, 10}, {5, 1, 7},  {9, 4, 3}, {8, 0, 6}, {LARGE, 1, 2}};

typedef double formula_by_hand(struct numbers x);

static double right(struct numbers x)
{
    return (x.a + x.b) * x.c;
}
static double minus(struct numbers x)
{
    return (x.a - x.b) * x.c;
}
static double twice(struct numbers x)
{
    return 2 * x.a * x.c;
}
static double twice_or_too_large(struct numbers x)
{
    return x.a < LARGE ? twice(x) : (double)INFINITY;
}
static double minus_and_plus(struct numbers x)
{
    return x.a - x.b + x.c;
}
static double left_out_and_plus(struct numbers x)
{
    return x.a + x.c;
}
static double something_else(struct numbers x)
{
    return 17 * x.a + x.b - x.c;
}

struct somebody {
    formula_by_hand *first, *fresh; /* what they work out, at first and when they are asked again */
    size_t n_failing;               /* of the first */
    size_t n_calls, n_asked;
    bool says_nothing, fails, is_dumb;
    const char *mute; /* a statement that says nothing of the second trial */
    bool is_away;     /* nobody can be asked */
    bool draws_apart; /* inputs that tell two explanations apart */
};

static double step_sum(const char *statement, struct numbers x)
{
    static const char *const known[] = {"sum = a + b", "sum = a - b", "sum = a", "sum = a + a",
                                        "sum = 2 * a"};
    const double values[] = {x.a + x.b, x.a - x.b, x.a, x.a + x.a,
                             x.a < LARGE ? 2 * x.a : (double)INFINITY};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(statement, known[i]) == 0)
            return values[i];
    return (double)NAN; /* a second change on top of one */
}

static double step_out(const char *statement, double sum, struct numbers x)
{
    if (strcmp(statement, "out = sum * c") == 0)
        return sum * x.c;
    if (strcmp(statement, "out = sum + c") == 0)
        return sum + x.c;
    return (double)NAN;
}

static bool work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr)
{
    struct somebody *somebody = context;
    const char *statements[2] = {"sum = a + b", "out = sum * c"};
    struct numbers x = numbers[trial];
    somebody->n_calls++;
    if (somebody->fails)
        return error_memory(reterr, "a test");
    for (size_t i = 0; i < n; i++)
        statements[changes[i]->step] = changes[i]->statement;
    double theirs = trial < FIRST ? somebody->first(x) : somebody->fresh(x);
    double value = step_out(statements[1], step_sum(statements[0], x), x);
    bool is_mute =
        somebody->mute != NULL && trial == 1 && strcmp(statements[0], somebody->mute) == 0;
    ret->says_nothing = isnan(value) || somebody->says_nothing || is_mute;
    ret->agrees = !ret->says_nothing && value == theirs;
    ret->is_dumb = somebody->is_dumb;
    memcpy(&ret->digest, &value, sizeof ret->digest);
    return true;
}

/* The first three fresh ones fail. */
static bool ask(void *context, size_t *ret_n, size_t *ret_n_failing, struct error *reterr)
{
    (void)reterr;
    ((struct somebody *)context)->n_asked++;
    *ret_n = FRESH;
    *ret_n_failing = FRESH - 1;
    return true;
}

static bool tell_apart(void *context, const struct change_set *a, const struct change_set *b,
                       size_t *ret_n, struct error *reterr)
{
    (void)reterr;
    struct somebody *somebody = context;
    assert_true(a->n == 1 && b->n == 1);
    *ret_n = somebody->draws_apart ? APART : 0;
    somebody->draws_apart = false;
    return true;
}

/* What was found, as ids: "minus", "minus plus", "". */
struct found {
    char ids[100], also[40], combination[40];
};

static bool search_for(struct somebody *somebody, size_t most_pairs, struct found *ret,
                       struct error *reterr)
{
    static const struct formula_name inputs[] = {{"a", false}, {"b", false}, {"c", false}};
    struct arena arena = {0};
    struct edits edits = {0};
    struct search search = {.n_tried = 0};
    struct finding finding;
    struct text yaml = {0};
    struct formula_step steps[2];
    struct formula formula = {inputs, 3, steps, 2, false};
    struct subject subject = {.context = somebody,
                              .n_trials = FIRST,
                              .n_failing = somebody->n_failing,
                              .work_out = work_out,
                              .ask = ask,
                              .tell_apart = tell_apart};
    text_put(&yaml, "edits:\n");
    text_put(&yaml, table);
    bool ok = (!yaml.failed || error_memory(reterr, "a test")) &&
              edits_read("table.yaml", text_string(&yaml), yaml.size, &edits, reterr) &&
              formula_step_read(&arena, "sum = a + b", &steps[0], reterr) &&
              formula_step_read(&arena, "out = sum * c", &steps[1], reterr) &&
              search_run(&search, &edits, &formula, &subject,
                         &(struct search_options){.most_steps = most_pairs * 3,
                                                  .without_fresh = somebody->is_away},
                         &finding, reterr);
    *ret = (struct found){.ids = ""};
    for (size_t i = 0; ok && i < finding.n; i++) {
        size_t used = strlen(ret->ids);
        snprintf(ret->ids + used, sizeof ret->ids - used, "%s%s", i > 0 ? " " : "",
                 finding.changes[i]->edit->id);
    }
    if (ok && finding.also[0] != NULL)
        snprintf(ret->also, sizeof ret->also, "%s", finding.also[0]->edit->id);
    if (ok && finding.combination != NULL)
        snprintf(ret->combination, sizeof ret->combination, "%s", finding.combination->id);
    search_release(&search);
    edits_release(&edits);
    arena_release(&arena);
    text_release(&yaml);
    return ok;
}

static void assert_finds(struct somebody *somebody, size_t most_pairs, const char *ids)
{
    struct found found;
    struct error error;
    if (!search_for(somebody, most_pairs, &found, &error))
        fail_msg("%s", error.text);
    assert_string_equal(found.ids, ids);
}

static void test_search__one_change_is_named(void **state)
{
    (void)state;
    assert_finds(&(struct somebody){.first = minus, .fresh = minus, .n_failing = 3}, 0, "minus");
}

static void test_search__two_changes_are_named_in_the_order_of_the_steps(void **state)
{
    (void)state;
    assert_finds(&(struct somebody){.first = left_out_and_plus,
                                    .fresh = left_out_and_plus,
                                    .n_failing = FIRST},
                 100, "left-out plus");
    assert_finds(&(struct somebody){.first = left_out_and_plus,
                                    .fresh = left_out_and_plus,
                                    .n_failing = FIRST},
                 0, "");
}

static void test_search__two_together_have_a_name_of_their_own(void **state)
{
    (void)state;
    struct found found;
    struct error error;
    struct somebody somebody = {
        .first = minus_and_plus, .fresh = minus_and_plus, .n_failing = FIRST};
    assert_true(search_for(&somebody, 100, &found, &error));
    assert_string_equal(found.combination, "minus-plus");
}

static void test_search__what_no_numbers_tell_apart_is_named_beside_it(void **state)
{
    (void)state;
    struct found found;
    struct error error;
    struct somebody somebody = {.first = twice, .fresh = twice, .n_failing = FIRST};
    assert_true(search_for(&somebody, 100, &found, &error));
    assert_string_equal(found.ids, "twice-the-first");
    assert_string_equal(found.also, "the-first-twice");
}

static void test_search__inputs_that_tell_two_apart_decide(void **state)
{
    (void)state;
    struct found found;
    struct error error;
    struct somebody somebody = {
        .first = twice, .fresh = twice, .n_failing = FIRST, .draws_apart = true};
    assert_true(search_for(&somebody, 0, &found, &error));
    assert_string_equal(found.ids, "twice-the-first");
    assert_string_equal(found.also, "");
    somebody.fresh = twice_or_too_large;
    somebody.draws_apart = true;
    assert_true(search_for(&somebody, 0, &found, &error));
    assert_string_equal(found.ids, "the-first-twice");
    assert_string_equal(found.also, "");
}

/* Numbers such as NaN: of two explanations none is named, but where one gives them in all trials
 * and the other one only may. */
static void test_search__of_dumb_numbers_the_reason_explains_all(void **state)
{
    (void)state;
    struct somebody somebody = {.first = twice, .fresh = twice, .n_failing = 3, .is_dumb = true};
    assert_finds(&somebody, 0, "");
    somebody.mute = "sum = 2 * a";
    assert_finds(&somebody, 0, "twice-the-first");
    somebody.mute = "sum = a + a";
    assert_finds(&somebody, 0, "the-first-twice");
}

static void test_search__nothing_is_named_that_does_not_hold_on_fresh_inputs(void **state)
{
    (void)state;
    assert_finds(&(struct somebody){.first = minus, .fresh = something_else, .n_failing = 3}, 100,
                 "");
    assert_finds(&(struct somebody){.first = minus, .fresh = right, .n_failing = 3}, 100, "");
    assert_finds(&(struct somebody){.first = minus, .fresh = twice, .n_failing = 3}, 100, "");
}

static void test_search__nothing_is_named_where_no_change_explains_it(void **state)
{
    (void)state;
    struct somebody somebody = {
        .first = something_else, .fresh = something_else, .n_failing = FIRST};
    assert_finds(&somebody, 100, "");
    assert_int_equal(somebody.n_asked, 0); /* there is nothing to confirm */
}

static void test_search__nothing_is_asked_of_somebody_who_is_right(void **state)
{
    (void)state;
    struct somebody somebody = {.first = right, .fresh = right, .n_failing = 0};
    assert_finds(&somebody, 100, "");
    assert_int_equal(somebody.n_calls, 0);
}

static void test_search__somebody_is_asked_once(void **state)
{
    (void)state;
    struct somebody somebody = {.first = minus, .fresh = minus, .n_failing = 3};
    assert_finds(&somebody, 100, "minus");
    assert_int_equal(somebody.n_asked, 1);
}

/* Of 5 trials that fail none can be worked out: after the second, no change can explain the rest.
 */
static void test_search__what_can_not_be_worked_out_is_given_up(void **state)
{
    (void)state;
    struct somebody somebody = {
        .first = minus, .fresh = minus, .n_failing = FIRST, .says_nothing = true};
    assert_finds(&somebody, 0, "");
    /* the formula itself, then 14 changes at most, and those that are alike together */
    assert_true(somebody.n_calls <= 1 + 3 * 14);
}

static void test_search__failures_are_passed_on(void **state)
{
    (void)state;
    struct found found;
    struct error error;
    struct somebody somebody = {.first = minus, .fresh = minus, .n_failing = 3, .fails = true};
    assert_error(search_for(&somebody, 0, &found, &error), error, ERR_MEMORY);
}

static void test_search__without_somebody_to_ask_what_tells_is_named(void **state)
{
    (void)state;
    struct somebody away = {.first = minus, .n_failing = 3, .is_away = true};
    assert_finds(&away, 0, "minus");
    assert_int_equal(away.n_asked, 0);
    away.first = left_out_and_plus;
    assert_finds(&away, 0, "");
    assert_finds(&away, 50, "left-out plus");
    away.is_dumb = true;
    assert_finds(&away, 50, "");
    away.first = minus;
    assert_finds(&away, 0, "");
    assert_int_equal(away.n_asked, 0);
}

static void test_search__missing_memory_is_reported(void **state)
{
    (void)state;
    struct found found;
    struct error error;
    struct somebody somebody = {
        .first = left_out_and_plus, .fresh = left_out_and_plus, .n_failing = FIRST};
    assert_reports_failed_allocations(search_for(&somebody, 100, &found, &error), error);
    assert_string_equal(found.ids, "left-out plus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search__one_change_is_named),
        cmocka_unit_test(test_search__two_changes_are_named_in_the_order_of_the_steps),
        cmocka_unit_test(test_search__two_together_have_a_name_of_their_own),
        cmocka_unit_test(test_search__what_no_numbers_tell_apart_is_named_beside_it),
        cmocka_unit_test(test_search__inputs_that_tell_two_apart_decide),
        cmocka_unit_test(test_search__of_dumb_numbers_the_reason_explains_all),
        cmocka_unit_test(test_search__nothing_is_named_that_does_not_hold_on_fresh_inputs),
        cmocka_unit_test(test_search__nothing_is_named_where_no_change_explains_it),
        cmocka_unit_test(test_search__nothing_is_asked_of_somebody_who_is_right),
        cmocka_unit_test(test_search__somebody_is_asked_once),
        cmocka_unit_test(test_search__what_can_not_be_worked_out_is_given_up),
        cmocka_unit_test(test_search__failures_are_passed_on),
        cmocka_unit_test(test_search__without_somebody_to_ask_what_tells_is_named),
        cmocka_unit_test(test_search__missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
