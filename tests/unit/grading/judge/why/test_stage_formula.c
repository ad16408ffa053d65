/* judge/why/stage_formula.h: what changes of the stages give. The numbers come from working all
 * stages out, as misconceptions do. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercises.h"
#include "exercise_testing.h"
#include "judge/why/stage_formula.h"
#include "lang_testing.h"

struct bench {
    struct exercise *exercise;
    struct fixtures cases;
    struct edits edits;
    struct arena arena;
    struct formula formula;
    struct rewrites changes;
};

static void open_bench(struct bench *bench, const char *id)
{
    struct catalogue catalogue;
    struct error error = {0};
    *bench = (struct bench){0};
    bool ok = edits_open(testing_data_dir(), &bench->edits, &error) &&
              catalogue_open(testing_data_dir(), NULL, &catalogue, &error) &&
              exercises_find_one(&catalogue, id, &bench->exercise, &error) &&
              fixtures_draw(bench->exercise, 3, false, testing_data_dir(), &bench->cases, &error) &&
              stage_formula_read(bench->cases.items[0], &bench->arena, &bench->formula, &error);
    for (size_t i = 0; ok && i < bench->formula.n_steps; i++)
        ok = rewrites_add(&bench->edits, &bench->formula, i, &bench->changes, &error);
    if (!ok)
        fail_msg("%s", error.text);
    catalogue_release(&catalogue);
}

static void close_bench(struct bench *bench)
{
    rewrites_release(&bench->changes);
    arena_release(&bench->arena);
    edits_release(&bench->edits);
    fixtures_release(&bench->cases);
    exercise_free(bench->exercise);
}

/* The change as a misconception: its functions, then its statement. */
struct idea {
    char *words, *lines[16];
    unsigned numbers[16];
    struct misconception misconception;
};

static void make_idea(const struct rewrite *change, struct idea *idea)
{
    unsigned n = 0;
    *idea = (struct idea){.words = strdup(change->functions)};
    assert_non_null(idea->words);
    char *rest = idea->words;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        idea->lines[n++] = line;
    idea->lines[n++] = (char *)(uintptr_t)change->statement; /* NOLINT: nobody writes there */
    idea->misconception =
        (struct misconception){.id = "idea", .stages = {idea->lines, idea->numbers, n}};
}

static bool answer_of_all_stages(struct fixture *fixture, const struct rewrite *const *changes,
                                 size_t n, struct answer *ret)
{
    struct idea ideas[2];
    const struct misconception *list[2] = {NULL};
    for (size_t i = 0; i < n; i++) {
        make_idea(changes[i], &ideas[i]);
        list[i] = &ideas[i].misconception;
    }
    bool ok = fixture_answer_under(fixture, list, n, ret, NULL);
    for (size_t i = 0; i < n; i++)
        free(ideas[i].words);
    return ok;
}

static void assert_same(struct fixture *fixture, const struct rewrite *const *changes, size_t n)
{
    struct answer all, answer;
    struct error error;
    bool can_all = answer_of_all_stages(fixture, changes, n, &all);
    bool can = stage_formula_answer(fixture, changes, n, &answer, &error);
    if (can != can_all)
        fail_msg("%s: %s", fixture->name, changes[0]->statement);
    if (!can)
        return;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (all.floats[i] != NULL && memcmp(all.floats[i], answer.floats[i],
                                            fixture->arrays[i].n_cells * sizeof(float)) != 0)
            fail_msg("%s: %s", fixture->name, changes[0]->statement);
    assert_int_equal(answer_digest(fixture, &all), answer_digest(fixture, &answer));
    answer_release(&all);
    answer_release(&answer);
}

static struct fixture *first_drawn(const struct bench *bench)
{
    for (size_t i = 0; i < bench->cases.n; i++)
        if (bench->cases.items[i]->repeat == 1)
            return bench->cases.items[i];
    return bench->cases.items[0];
}

static void try_exercise(const char *id)
{
    struct bench bench;
    open_bench(&bench, id);
    struct fixture *fixture = first_drawn(&bench);
    assert_true(bench.changes.n > 20);
    for (size_t i = 0; i < bench.changes.n; i++) {
        const struct rewrite *pair[] = {&bench.changes.items[i],
                                        &bench.changes.items[i * 31 % bench.changes.n]};
        assert_same(fixture, pair, pair[0]->step != pair[1]->step ? 2 : 1);
        assert_same(fixture, pair, 1);
    }
    close_bench(&bench);
}

static void test_stage_formula__changes_give_what_all_stages_give(void **state)
{
    (void)state;
    try_exercise("attention");
    try_exercise("multi-head");
    try_exercise("softmax-rows");
}

static void test_stage_formula__no_change_gives_the_right_answer(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    open_bench(&bench, "attention");
    for (size_t i = 0; i < bench.cases.n; i++) {
        struct answer answer;
        assert_true(stage_formula_answer(bench.cases.items[i], NULL, 0, &answer, &error));
        assert_int_equal(fixture_compare(bench.cases.items[i], &answer).verdict, VERDICT_PASS);
        answer_release(&answer);
    }
    close_bench(&bench);
}

/* n_q, n_k, d_k and d_v are numbers that count; query, key and value are arrays. */
static void test_stage_formula__knows_sizes_from_arrays(void **state)
{
    (void)state;
    struct bench bench;
    size_t n_sizes = 0, n_arrays = 0;
    open_bench(&bench, "attention");
    for (size_t i = 0; i < bench.formula.n_inputs; i++) {
        n_sizes += bench.formula.inputs[i].is_size;
        n_arrays += !bench.formula.inputs[i].is_size;
    }
    assert_int_equal(n_sizes, 4);
    assert_int_equal(n_arrays, 3);
    assert_int_equal(bench.formula.n_steps, 4);
    assert_memory_equal(bench.formula.steps[1].name, "scaled", bench.formula.steps[1].name_size);
    close_bench(&bench);
}

/* What takes the time of hundreds of others says nothing of the case, and leaves nothing behind. */
static void test_stage_formula__too_many_numbers_say_nothing(void **state)
{
    (void)state;
    struct bench bench;
    struct answer answer;
    struct error error;
    open_bench(&bench, "attention");
    struct fixture *fixture = first_drawn(&bench);
    const struct rewrite change = {.step = 0,
                                   .statement =
                                       "scores = query @ key.T + 0 * sum(ones(1000, 1000))",
                                   .functions = ""};
    const struct rewrite *changes[] = {&change};
    assert_error(stage_formula_answer(fixture, changes, 1, &answer, &error), error, ERR_LIMIT);
    assert_true(stage_formula_answer(fixture, NULL, 0, &answer, &error));
    assert_int_equal(fixture_compare(fixture, &answer).verdict, VERDICT_PASS);
    answer_release(&answer);
    close_bench(&bench);
}

static void test_stage_formula__reports_missing_memory(void **state)
{
    (void)state;
    struct bench bench;
    struct answer answer;
    struct error error;
    open_bench(&bench, "attention");
    const struct rewrite *change = &bench.changes.items[0];
    assert_reports_failed_allocations(
        stage_formula_answer(first_drawn(&bench), &change, 1, &answer, &error), error);
    answer_release(&answer);
    assert_same(first_drawn(&bench), &change, 1);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_formula__changes_give_what_all_stages_give),
        cmocka_unit_test(test_stage_formula__no_change_gives_the_right_answer),
        cmocka_unit_test(test_stage_formula__knows_sizes_from_arrays),
        cmocka_unit_test(test_stage_formula__too_many_numbers_say_nothing),
        cmocka_unit_test(test_stage_formula__reports_missing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
