/* exercise/luck.h: right answers that nobody worked for. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "exercise/exercises.h"
#include "exercise/luck.h"
#include "lang_testing.h"

static struct exercise *load(struct catalogue *catalogue, const char *name)
{
    struct exercise *exercise = NULL;
    struct error error;
    if (!catalogue_open(testing_data_dir(), NULL, catalogue, &error) ||
        !exercises_find_one(catalogue, name, &exercise, &error))
        fail_msg("%s", error.text);
    return exercise;
}

static bool is_luck(const char *name, const char *case_name)
{
    struct catalogue catalogue;
    struct exercise *exercise = load(&catalogue, name);
    struct fixtures cases;
    struct error error;
    bool found = false, luck = false;
    if (!fixtures_draw(exercise, 5, false, testing_data_dir(), &cases, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < cases.n && !found; i++) {
        if (strncmp(cases.items[i]->name, case_name, strlen(case_name)) != 0)
            continue;
        found = true;
        luck = fixture_right_by_luck(cases.items[i]);
    }
    if (!found)
        fail_msg("%s: no case begins with \"%s\"", name, case_name);
    fixtures_release(&cases);
    exercise_free(exercise);
    catalogue_release(&catalogue);
    return luck;
}

/* By hand: a zero; one weight of 1; weights that are all 1; one row of values handed on. */
static void test_luck__one_number_or_a_copy_would_do(void **state)
{
    (void)state;
    assert_true(is_luck("dot", "nothing but zeros"));
    assert_true(is_luck("dot", "at right angles"));
    assert_false(is_luck("dot", "small enough"));
    assert_false(is_luck("dot", "one number each"));
    assert_true(is_luck("softmax-rows", "one score"));
    assert_true(is_luck("softmax-rows", "one column"));
    assert_false(is_luck("softmax-rows", "one row"));
    assert_false(is_luck("softmax-rows", "small enough"));
}

/* Else an honest attempt that is right in part would go without points. */
static void test_luck__most_cases_of_each_exercise_take_work(void **state)
{
    struct catalogue catalogue;
    struct error error;
    (void)state;
    assert_true(catalogue_open(testing_data_dir(), NULL, &catalogue, &error));
    for (size_t i = 0; i < catalogue.n; i++) {
        struct exercise *exercise = NULL;
        struct fixtures cases = {0};
        size_t n_lucky = 0;
        if (!catalogue_load(&catalogue, &catalogue.entries[i], &exercise, &error) ||
            !fixtures_draw(exercise, 5, false, testing_data_dir(), &cases, &error))
            fail_msg("%s", error.text);
        for (size_t j = 0; j < cases.n; j++)
            n_lucky += fixture_right_by_luck(cases.items[j]);
        if (3 * n_lucky > cases.n)
            fail_msg("%s: %zu of %zu", exercise->id, n_lucky, cases.n);
        fixtures_release(&cases);
        exercise_free(exercise);
    }
    catalogue_release(&catalogue);
}

static void test_answer_only_number__of_one_number_throughout(void **state)
{
    (void)state;
    struct catalogue catalogue;
    struct exercise *exercise = load(&catalogue, "softmax-rows");
    struct fixtures cases;
    struct answer answer;
    struct error error;
    assert_true(fixtures_draw(exercise, 5, false, testing_data_dir(), &cases, &error));
    assert_true(answer_init(cases.items[0], &answer, &error));
    unsigned array = exercise->arrays[0].role == ROLE_IN;
    for (size_t i = 0; i < 6; i++)
        answer.floats[array][i] = 0.5f;
    assert_close((double)answer_only_number(cases.items[0], &answer), 0.5, 0);
    answer.floats[array][5] = 0.25f;
    assert_true(isnan(answer_only_number(cases.items[0], &answer)));
    answer_release(&answer);
    fixtures_release(&cases);
    exercise_free(exercise);
    catalogue_release(&catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_luck__one_number_or_a_copy_would_do),
        cmocka_unit_test(test_luck__most_cases_of_each_exercise_take_work),
        cmocka_unit_test(test_answer_only_number__of_one_number_throughout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
