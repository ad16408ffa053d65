/* assignment/settle_internal.h: what counts in the end. Points are worked out by hand. */
#include "testing.h"

#include <string.h>

#include "assignment/settle_internal.h"

static struct exercise_case cases[] = {
    {.name = "a", .repeat = 1, .group = GROUP_BASICS},
    {.name = "b", .repeat = 3, .group = GROUP_SIZES},
    {.name = "c", .repeat = 2, .group = GROUP_STABILITY},
};
static struct exercise_speed speed;
static struct exercise rows = {
    .id = (char[]){"rows"}, .score = 10, .cases = cases, .n_cases = 3, .speed = &speed};

static struct assignment_exercise items[] = {
    {.exercise = &rows, .id = (char[]){"rows"}, .points = {8}},
    {.exercise = &rows, .id = (char[]){"dot"}, .points = {2}},
};

static struct assignment plan(void)
{
    return (struct assignment){.exercises = items, .n_exercises = 2, .late.days = 100};
}

static struct result result_of(const char *file, const char *student, const char *exercise,
                               enum verdict verdict, double score)
{
    struct result result;
    struct error error;
    result_init(&result);
    assert_true(result_name(&result, file, student, exercise, &error));
    assert_true(result_say(&result, verdict, "", "", &error));
    result_judge(&result, score, 10);
    return result;
}

static void add(struct results *results, struct result result)
{
    struct error error;
    assert_true(results_insert(results, results->n, &result, &error));
}

static void settle(struct results *results, const struct settling *settling)
{
    struct error error;
    if (!results_settle(results, settling, &error))
        fail_msg("%s", error.text);
}

static const struct result *find(const struct results *results, const char *student,
                                 const char *exercise)
{
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(results->items[i].student, student) == 0 &&
            strcmp(results->items[i].exercise, exercise) == 0 && result_counts(&results->items[i]))
            return &results->items[i];
    fail_msg("%s has no %s", student, exercise);
    return NULL;
}

static void add_cases(struct result *result, enum case_group group, unsigned n_right,
                      unsigned n_wrong)
{
    for (unsigned i = 0; i < n_right + n_wrong; i++)
        assert_true(result_add_case(result, "c", group,
                                    i < n_right ? VERDICT_PASS : VERDICT_WRONG_ANSWER, 0, NULL));
}

static void test_points__by_group(void **state)
{
    (void)state;
    const struct assignment_exercise by_group = {
        .exercise = &rows, .by_group = true, .points = {4, 2, 3, 1}};
    struct result result = result_of("r.c", "anna", "rows", VERDICT_WRONG_ANSWER, 5);
    assert_close(assignment_max_points(&by_group), 10, 0);
    add_cases(&result, GROUP_BASICS, 1, 0);
    add_cases(&result, GROUP_SIZES, 2, 1);
    add_cases(&result, GROUP_STABILITY, 1, 1);
    /* 4 * 1/1 + 3 * 2/3 + 2 * 1/2, and nothing for speed, which was not tried */
    assert_close(assignment_points(&by_group, &result), 7, 1e-9);
    result.cases[0].earns = false; /* luck */
    assert_close(assignment_points(&by_group, &result), 3, 1e-9);
    result.verdict = VERDICT_TOO_SLOW;
    assert_close(assignment_points(&by_group, &result), 3, 1e-9);
    result.verdict = VERDICT_CRASH;
    assert_close(assignment_points(&by_group, &result), 0, 0);
    result.verdict = VERDICT_PASS;
    assert_close(assignment_points(&by_group, &result), 10, 0);
    result_release(&result);
}

static void test_points__in_proportion_or_all_or_nothing(void **state)
{
    (void)state;
    struct assignment_exercise one = {.exercise = &rows, .points = {5}};
    struct result result = result_of("r.c", "anna", "rows", VERDICT_WRONG_ANSWER, 3.33);
    assert_close(assignment_points(&one, &result), 1.66, 1e-9); /* 1.665, down */
    one.all_or_nothing = true;
    assert_close(assignment_points(&one, &result), 0, 0);
    result.verdict = VERDICT_PASS;
    assert_close(assignment_points(&one, &result), 5, 0);
    result_release(&result);
}

static void test_points__late_days(void **state)
{
    (void)state;
    struct assignment late = plan();
    late.due_s = 1000000;
    late.late = (struct late_rule){.grace_minutes = 10, .percent_a_day = 30, .days = 5};
    assert_int_equal(late_days(&late, late.due_s, 1000000), 0);
    assert_int_equal(late_days(&late, late.due_s, 1000600), 0);
    assert_int_equal(late_days(&late, late.due_s, 1000601), 1);
    assert_int_equal(late_days(&late, late.due_s, 1000000 + 86400), 1);
    assert_int_equal(late_days(&late, late.due_s, 1000000 + 86401), 2);
    assert_int_equal(late_days(&late, late.due_s, 0), 0); /* not known */
    assert_close(late_points(&late.late, 1, 10), 7, 1e-9);
    assert_close(late_points(&late.late, 4, 10), 0, 0);
    late.late.percent_a_day = 1;
    assert_close(late_points(&late.late, 5, 10), 9.5, 1e-9);
    assert_close(late_points(&late.late, 6, 10), 0, 0);
}

static void test_settle__is_the_same_again(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    assignment.due_s = 1000000;
    assignment.late.percent_a_day = 10;
    const struct settling settling = {.assignment = &assignment, .is_complete = true};
    struct results results = {0};
    add(&results, result_of("a/rows.c", "anna", "rows", VERDICT_PASS, 10));
    results.items[0].submitted_s = 1000001;
    for (int i = 0; i < 3; i++) {
        settle(&results, &settling);
        assert_int_equal(results.n, 2);
        assert_close(find(&results, "anna", "rows")->score, 7.2, 1e-9);
        assert_close(find(&results, "anna", "rows")->max_score, 8, 0);
        assert_string_equal(find(&results, "anna", "rows")->note, "1 day late: 10 % less.");
        assert_int_equal(find(&results, "anna", "dot")->verdict, VERDICT_MISSING);
        assert_close(find(&results, "anna", "dot")->max_score, 2, 0);
    }
    results_release(&results);
}

static void test_settle__a_roster_says_who_is_missing(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    struct students roster = {0};
    assert_true(students_add(&roster, "bob", "Bob B.", "b@example.org", "7", NULL));
    assert_true(students_add(&roster, "anna", "Anna A.", "", "8", NULL));
    const struct settling settling = {
        .assignment = &assignment, .roster = &roster, .is_complete = true};
    struct results results = {0};
    add(&results, result_of("a/rows.c", "anna", "rows", VERDICT_PASS, 10));
    add(&results, result_of("x/rows.c", "guest", "rows", VERDICT_PASS, 10));
    settle(&results, &settling);
    assert_int_equal(results.n, 5);
    assert_int_equal(find(&results, "bob", "rows")->verdict, VERDICT_MISSING);
    assert_int_equal(find(&results, "bob", "dot")->verdict, VERDICT_MISSING);
    assert_int_equal(find(&results, "anna", "dot")->verdict, VERDICT_MISSING);
    assert_string_equal(students_find(&results.students, "anna")->name, "Anna A.");
    results_release(&results);
    students_release(&roster);
}

static void test_settle__names_of_before_the_list_are_mapped(void **state)
{
    (void)state;
    struct students roster = {0};
    struct results results = {0};
    assert_true(students_add(&roster, "bob\\x5c", "Bob B.", "b@example.org", "7", NULL));
    assert_true(students_add(&roster, "anna", "Anna Alm", "", "8", NULL));
    add(&results, result_of("a/rows.c", "Anna Alm", "rows", VERDICT_PASS, 10));
    add(&results, result_of("b/rows.c", "BOB\\x5c", "rows", VERDICT_PASS, 10));
    add(&results, result_of("x/rows.c", "guest", "rows", VERDICT_PASS, 10));
    assert_true(likenesses_add(&results.similar, "rows", "Anna Alm", "guest", 0.9, NULL));
    assert_true(results_call_by(&results, &roster, NULL, NULL));
    const struct settling settling = {.roster = &roster, .is_complete = true};
    settle(&results, &settling);
    assert_int_equal(results.n, 3); /* nobody is missing */
    find(&results, "anna", "rows");
    find(&results, "bob\\x5c", "rows");
    find(&results, "guest", "rows");
    assert_string_equal(results.similar.items[0].a, "anna");
    assert_string_equal(results.similar.items[0].b, "guest");
    results_release(&results);
    students_release(&roster);
}

static void test_settle__a_strange_login_is_missing_under_its_own_name(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    struct students roster = {0};
    struct results results = {0};
    assert_true(students_add(&roster, "a\\x5cb", "", "", "", NULL));
    const struct settling settling = {
        .assignment = &assignment, .roster = &roster, .is_complete = true};
    add(&results, result_of("a/rows.c", "a\\x5cb", "rows", VERDICT_PASS, 10));
    settle(&results, &settling);
    settle(&results, &settling); /* as in a report of a report */
    assert_int_equal(results.n, 2);
    assert_int_equal(find(&results, "a\\x5cb", "dot")->verdict, VERDICT_MISSING);
    results_release(&results);
    students_release(&roster);
}

static void test_settle__while_it_runs_nothing_is_missing(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    const struct settling settling = {.assignment = &assignment};
    struct results results = {0};
    add(&results, result_of("a/rows.c", "anna", "rows", VERDICT_PASS, 10));
    settle(&results, &settling);
    assert_int_equal(results.n, 1);
    results_release(&results);
}

static void test_settle__best_or_last(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    const struct settling settling = {.assignment = &assignment};
    struct results results = {0};
    add(&results, result_of("a/1.c", "anna", "rows", VERDICT_PASS, 10));
    add(&results, result_of("a/2.c", "anna", "rows", VERDICT_WRONG_ANSWER, 5));
    results.items[0].submitted_s = 100;
    results.items[1].submitted_s = 200;
    settle(&results, &settling);
    assert_string_equal(find(&results, "anna", "rows")->file, "a/1.c");
    assignment.keeps_last = true;
    settle(&results, &settling);
    assert_string_equal(find(&results, "anna", "rows")->file, "a/2.c");
    results_release(&results);
}

static void test_settle__by_hand(void **state)
{
    (void)state;
    struct assignment assignment = plan();
    struct override by_hand[] = {
        {(char[]){"anna"}, (char[]){"rows"}, 6.5, (char[]){"agreed in class"}, (char[]){""}}};
    const struct overrides overrides = {.items = by_hand, .n = 1};
    const struct settling settling = {
        .assignment = &assignment, .overrides = &overrides, .is_complete = true};
    struct results results = {0};
    add(&results, result_of("a/rows.c", "anna", "rows", VERDICT_CRASH, 0));
    settle(&results, &settling);
    settle(&results, &settling);
    assert_close(find(&results, "anna", "rows")->score, 6.5, 0);
    assert_string_equal(find(&results, "anna", "rows")->note,
                        "Set to 6.5 by hand: agreed in class");
    results_release(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points__by_group),
        cmocka_unit_test(test_points__in_proportion_or_all_or_nothing),
        cmocka_unit_test(test_points__late_days),
        cmocka_unit_test(test_settle__is_the_same_again),
        cmocka_unit_test(test_settle__a_roster_says_who_is_missing),
        cmocka_unit_test(test_settle__names_of_before_the_list_are_mapped),
        cmocka_unit_test(test_settle__a_strange_login_is_missing_under_its_own_name),
        cmocka_unit_test(test_settle__while_it_runs_nothing_is_missing),
        cmocka_unit_test(test_settle__best_or_last),
        cmocka_unit_test(test_settle__by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
