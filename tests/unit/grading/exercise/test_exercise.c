/* exercise/exercise.h: exercises as their authors wrote them. */
#include "exercise_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "exercise/exercise_internal.h"

#define CHANGES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_exercise__holds_what_the_file_says(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    assert_string_equal(e->id, "mini");
    assert_int_equal(e->number, 7);
    assert_string_equal(e->title, "A small one");
    assert_int_equal(e->minutes, 5);
    assert_int_equal(e->score, 10); /* left out */
    assert_string_equal(e->prototype.function, "mini");
    assert_int_equal(e->draw.n, 3);
    assert_string_equal(e->draw.items[1], "key = randn(n_k, d_k)");
    assert_int_equal(e->draw.lines[1], 13);
    assert_int_equal(e->stages.n, 3);
    assert_string_equal(e->expect[0].scale, "weights + 1");
    assert_close(e->tolerance.relative, 1e-5, 0);
    assert_close(e->tolerance.absolute, 1e-12, 0);
    assert_string_equal(e->tolerance.reason, "Because.");
    assert_int_equal(e->hints.n, 2);
    assert_string_equal(e->forbid[0].word, "malloc");
    assert_string_equal(e->require[0].say, "There is a loop in it.");
    assert_null(e->speed);
    assert_string_equal(e->folder_name, "07-mini");
    assert_string_equal(e->starter_name, "mini.c");
    assert_string_equal(e->starter, "/* TODO */\n");
    assert_string_equal(e->task, "Do it.\n");
    assert_null(e->plain);
    exercise_free(e);
}

static void test_exercise__cases_probes_and_misconceptions(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    assert_int_equal(e->n_cases, 2);
    assert_string_equal(e->cases[0].name, "by hand");
    assert_null(e->cases[0].stage);
    assert_int_equal(e->cases[0].repeat, 1);
    assert_int_equal(e->cases[0].line, 26);
    assert_int_equal(e->cases[1].repeat, 3);
    assert_string_equal(e->cases[1].memory_kib, "2 * n_k");
    assert_int_equal(e->n_probes, 1);
    assert_string_equal(e->probes[0].stage, "scaled");
    assert_int_equal(e->n_misconceptions, 3);
    assert_string_equal(e->misconceptions[1].id, "columns");
    assert_string_equal(e->misconceptions[1].stages.items[0], "weights = softmax(scaled, dim=0)");
    assert_null(e->misconceptions[1].verdict);
    assert_string_equal(e->misconceptions[1].lesson, "softmax#axis");
    assert_int_equal(e->misconceptions[1].line, 49);
    assert_string_equal(e->misconceptions[2].verdict, "memory_limit");
    assert_int_equal(e->misconceptions[2].stages.n, 0);
    exercise_free(e);
}

static void test_exercise__arrays_stand_in_the_order_of_the_parameters(void **state)
{
    (void)state;
    static const char *const names[] = {"query", "key", "may", "weights"};
    struct exercise *e = mini_with(NULL);
    assert_int_equal(e->n_arrays, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(e->arrays[i].name, names[i]);
        assert_int_equal(exercise_array(e, names[i]), i);
    }
    assert_int_equal(exercise_array(e, "result"), -1);
    assert_int_equal(e->arrays[3].role, ROLE_OUT);
    assert_int_equal(e->arrays[0].role, ROLE_IN);
    assert_true(e->arrays[2].optional);
    assert_string_equal(e->arrays[1].shape.items[0], "n_k");
    exercise_free(e);
}

static const char *const returning[] = {
    "void mini(", "float mini(", "- {array: weights, is: weights, scale: weights + 1}",
    "- {array: weights, is: weights}\n  - {array: result, is: sum(weights)}", NULL};

static void test_exercise__the_returned_number_is_the_last_array(void **state)
{
    (void)state;
    struct exercise *e = mini_with(returning);
    assert_int_equal(e->n_arrays, 5);
    assert_string_equal(e->arrays[4].name, "result");
    assert_int_equal(e->arrays[4].role, ROLE_OUT);
    assert_int_equal(e->arrays[4].shape.n, 0);
    exercise_free(e);
}

/* Each size behind those that it needs: half and n_q before d_k = n_q + half. */
static void test_exercise__sizes_stand_in_an_order_to_work_them_out(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    const struct exercise_sizes *sizes = &e->cases[1].sizes;
    unsigned at_d_k = 9, at_n_q = 9, at_half = 9;
    assert_int_equal(sizes->n, 4);
    for (unsigned i = 0; i < sizes->n; i++) {
        at_d_k = strcmp(sizes->items[i].name, "d_k") == 0 ? i : at_d_k;
        at_n_q = strcmp(sizes->items[i].name, "n_q") == 0 ? i : at_n_q;
        at_half = strcmp(sizes->items[i].name, "half") == 0 ? i : at_half;
    }
    assert_true(at_n_q < at_d_k && at_half < at_d_k && at_d_k < 4);
    assert_string_equal(sizes->items[at_d_k].value, "n_q + half");
    exercise_free(e);
}

static void test_exercise__speed(void **state)
{
    (void)state;
    struct exercise *e = mini_with(
        CHANGES("forbid:\n", "speed:\n  plain: plain.c\n  ratio: 1.5\n  rounds: 11\n"
                             "  sizes: {n_q: 64, n_k: 32, d_k: 16}\n  reason: r\nforbid:\n"));
    assert_non_null(e->speed);
    assert_string_equal(e->speed->plain, "plain.c");
    assert_close(e->speed->ratio, 1.5, 0);
    assert_int_equal(e->speed->rounds, 11);
    assert_int_equal(e->speed->timed.sizes.n, 3);
    assert_string_equal(e->plain, "/* plain */\n");
    assert_null(e->speed->kernel);
    assert_int_equal(e->speed->steps.n, 0);
    assert_int_equal(e->speed->n_ladder, 0);
    exercise_free(e);
}

static void test_exercise__steps_and_a_ladder(void **state)
{
    (void)state;
    struct exercise *e = mini_with(
        CHANGES("forbid:\n", "speed:\n  plain: plain.c\n  ratio: 1.5\n  rounds: 11\n"
                             "  sizes: {n_q: 64, n_k: 32, d_k: 16}\n  reason: r\n"
                             "  kernel: softmax(scores)\n  steps: [1.5, 3]\n  ladder:\n"
                             "    - {file: a.c, title: first, because: it is, bytes: n_q * 4}\n"
                             "    - {file: b.c, title: next, because: why, bytes: 8}\nforbid:\n"));
    assert_string_equal(e->speed->kernel, "softmax(scores)");
    assert_int_equal(e->speed->steps.n, 2);
    assert_close(e->speed->steps.items[1], 3, 0);
    assert_int_equal(e->speed->n_ladder, 2);
    assert_string_equal(e->speed->ladder[0].file, "a.c");
    assert_string_equal(e->speed->ladder[0].bytes, "n_q * 4");
    assert_string_equal(e->speed->ladder[1].title, "next");
    assert_string_equal(e->speed->ladder[1].because, "why");
    exercise_free(e);
}

static void test_exercise__faults_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } bad[] = {
        {"id: mini", "id: Mini", "id: small letters"},
        {"id: mini", "id: maxi", "must be called 07-maxi"},
        {"number: 7", "number: 8", "must be called 08-mini"},
        {"number: 7", "number: 0", "number: 1 to 99"},
        {"title: A small one\n", "", ":1: an exercise needs the key title"},
        {"title: A small one\n", "title: A small one\ntitel: x\n",
         ":4: an exercise has no key 'titel'; title is spelt most like it"},
        {"void mini(", "int mini(", ":5: prototype: float or void is expected"},
        {"[n_q, n_k], role: out}", "[n_q, n_k]}", ":7: weights is not const in the prototype"},
        {"key, shape: [n_k, d_k]}", "key, shape: [n_k, d_k], role: inout}",
         ":9: key is const in the prototype"},
        {"role: out}", "role: result}", ":7: role: in, out or inout"},
        {"role: out}", "role: out, optional: true}", ":7: weights: only an array that is read"},
        {"  - {name: key, shape: [n_k, d_k]}\n", "",
         ":7: arrays: the array key of the prototype is not described"},
        {"{name: key,", "{name: kee,", ":9: the prototype has no array called kee"},
        {"{name: key,", "{name: n_q,", ":9: the prototype has no array called n_q"},
        {"{name: key,", "{name: query,", ":9: query is described twice"},
        {"{name: key, shape: [n_k, d_k]}", "{name: key, shape: [1, 2, 3, 4, 5, 6, 7]}",
         ":9: key: a shape has at most 6 axes"},
        {"{name: key, shape: [n_k, d_k]}", "{name: key, shape: n_k}",
         ":9: shape: a list is expected"},
        {"scaled = scores / sqrt(d_k)\n  - weights", "scores / 2\n  - weights",
         ":17: stages: an assignment"},
        {"scaled = scores / sqrt(d_k)\n  - weights", "scores = 2\n  - weights",
         ":17: stages: this name is assigned twice"},
        {"{array: weights,", "{array: key,",
         ":20: expect: key is not an array that the function fills"},
        {"{array: weights,", "{array: wights,", ":20: expect: wights is not an array"},
        {"  - {array: weights,", "  - {array: weights, is: a}\n  - {array: weights,",
         ":21: expect: weights is there twice"},
        {"absolute: 1e-12", "absolute: -1e-12", ":23: absolute: a number"},
        {"  reason: Because.\n", "", "the tolerance needs the key reason"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: 2, n_k: 3", ":26: sizes: d_k of the prototype is missing"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: 2, n_k: 3, d_k: 4, key: 1", ":27: sizes: key is an array"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: 2, n_k: 3, d_k: 4, n_q: 5",
         ":27: sizes: n_q appears here twice"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: 2, n_k: 3, d_k: 4, a-b: 5", "'a-b' can't be a name"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: d_k, n_k: 3, d_k: n_q", "depends on itself"},
        {"n_q: 2, n_k: 3, d_k: 4", "n_q: n_q + 1, n_k: 3, d_k: 2",
         ":27: sizes: n_q depends on itself"},
        {"n_k: 3..5", "n_k: 5..3", ":32: sizes: n_k: the range 5..3 is empty"},
        {"n_k: 3..5", "n_k: 3..", ":32: sizes: n_k: a range is two whole numbers"},
        {"n_k: 3..5", "n_k: 3...5", ":32: sizes: n_k: a range is two whole numbers"},
        {"n_k: 3..5", "n_k: 1.5..2", "a range is two whole numbers"},
        {"repeat: 3", "repeat: 0", ":30: repeat: 1 to 100"},
        {"repeat: 3", "kinds: [weights]", ":31: kinds: weights is not an input array of floats"},
        {"repeat: 3", "kinds: [d_k]", ":31: kinds: d_k is not an input array of floats"},
        {"repeat: 3", "repeat: often", ":31: repeat: a whole number"},
        {"name: random", "name: by hand", ":30: the name 'by hand' is taken, by line 26"},
        {"stage: scaled\n    name", "stage: masked\n    name",
         ":35: probes: there is no stage called masked"},
        {"    repeat: 3\n", "    stage: scaled\n", "a case has no key 'stage'"},
        {"id: columns", "id: no-scale", ":49: the id no-scale is taken, by line 42"},
        {"id: columns", "id: Columns", ":49: id: small letters"},
        {"- weights = softmax(scaled, dim=0)", "- weihgts = softmax(scaled, dim=0)",
         ":51: misconception columns: this replaces no stage"},
        {"- weights = softmax(scaled, dim=0)", "- weights = softmax(scaled, dim=-1)",
         ":51: misconception columns: this is the stage as it should be"},
        {"- weights = softmax(scaled, dim=0)", "- weights = 1\n      - weights = 2",
         ":52: stages: this name is assigned twice"},
        {"    verdict: memory_limit\n", "", ":56: misconception hoards: stages or a verdict"},
        {"    verdict: memory_limit\n",
         "    verdict: memory_limit\n    stages: [scaled = scores]\n", "not both"},
        {"    verdict: memory_limit\n",
         "    verdict: memory_limit\n    faster_with: [-ffast-math]\n",
         ":56: misconception hoards: faster_with needs"},
        {"    verdict: memory_limit\n", "    verdict: too_slow\n    faster_with: [-O9]\n",
         ":58: misconception hoards: faster_with: options that begin with -f"},
        {"verdict: memory_limit", "verdict: too_big",
         ":56: misconception hoards: there is no verdict"},
        {"lesson: softmax#axis", "lesson: 06-softmax#axis",
         ":49: misconception columns: lesson: its id"},
        {"lesson: softmax#axis", "lesson: softmax", "lesson: its id and a step are expected"},
        {"    ask: What adds up to 1?\n", "",
         ":49: misconceptions: a misconception needs the key ask"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 0, rounds: 10, sizes: {n_q: 1, n_k: 1, d_k: 1}, reason: "
         "r}\nforbid:\n",
         "speed: ratio: a number above 0"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 2, rounds: 9, sizes: {n_q: 1, n_k: 1, d_k: 1}, reason: "
         "r}\nforbid:\n",
         "speed: rounds: 10 to 1000"},
        {"forbid:\n",
         "speed: {plain: ../plain.c, ratio: 2, rounds: 10, sizes: {n_q: 1, n_k: 1, d_k: 1}, "
         "reason: "
         "r}\nforbid:\n",
         "speed: plain: the name of a file in the exercise's folder"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 2, rounds: 10, sizes: {n_q: 1}, reason: r}\nforbid:\n",
         "sizes: n_k of the prototype is missing"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 2, rounds: 10, sizes: {n_q: 1, n_k: 1, d_k: 1}, "
         "reason: r, steps: [2, 2]}\nforbid:\n",
         "speed: steps: each is larger than the one before"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 2, rounds: 10, sizes: {n_q: 1, n_k: 1, d_k: 1}, "
         "reason: r, ladder: [{file: ../a.c, title: t, because: b, bytes: 1}]}\nforbid:\n",
         "speed: ladder: file: the name of a file"},
        {"forbid:\n",
         "speed: {plain: plain.c, ratio: 2, rounds: 10, sizes: {n_q: 1, n_k: 1, d_k: 1}, "
         "reason: r, ladder: [{file: a.c, title: t, bytes: 1}]}\nforbid:\n",
         "a rung needs the key because"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct error error;
        mini_fails(CHANGES(bad[i].old, bad[i].new), &error);
        assert_says(error, "07-mini/exercise.yaml:");
        assert_says(error, bad[i].says);
    }
}

static void test_exercise__a_range_is_for_sizes_only(void **state)
{
    (void)state;
    struct error error;
    mini_fails(CHANGES("size_t d_k, const", "float d_k, const", "d_k: 4}", "d_k: 2..4}"), &error);
    assert_says(error, ":27: sizes: d_k: only a size_t can be drawn from a range");
}

static void test_exercise__a_misconception_may_prepare_its_stage(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES(
        "      - scaled = scores\n", "      - half = scores / 2\n      - scaled = half + half\n"));
    assert_int_equal(e->misconceptions[0].stages.n, 2);
    exercise_free(e);
}

static void test_exercise__a_file_that_is_missing_is_named(void **state)
{
    (void)state;
    struct exercise *exercise;
    struct error error;
    assert_error(exercise_load("/tmp/no/such/folder", &exercise, &error), error, ERR_FILE);
    assert_says(error, "/tmp/no/such/folder/exercise.yaml");
    char *yaml = testing_replace(mini_yaml, "id: mini", "id: other");
    assert_error(exercise_try("07-other", yaml, &exercise, &error), error, ERR_FILE);
    assert_says(error, "07-other/other.c: ");
    free(yaml);
}

static bool load_anew(struct error *reterr)
{
    struct exercise *exercise;
    if (!exercise_try("07-mini", mini_yaml, &exercise, reterr))
        return false;
    exercise_free(exercise);
    return true;
}

static void test_exercise__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(load_anew(&error), error);
}

static void test_exercise__target_of_a_statement(void **state)
{
    (void)state;
    static const struct {
        const char *statement, *target;
    } cases[] = {{"x = 1", "x"},   {"  x=1", "x"},   {"ab_2 = x == y", "ab_2"},
                 {"x == y", ""},   {"x += 1", ""},   {"x[0] = 1", ""},
                 {"f(x) = x", ""}, {"a, b = c", ""}, {"2 = x", ""},
                 {"", ""},         {"= 1", ""},      {"show x", ""}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *target;
        size_t size = statement_target(cases[i].statement, &target);
        assert_int_equal(size, strlen(cases[i].target));
        assert_true(size == 0 || memcmp(target, cases[i].target, size) == 0);
    }
}

/* Exercises by name. */

/* Not loaded: what exercises_find() looks at is there. */
static struct exercise known[] = {
    {.id = "dot", .folder_name = "01-dot", .number = 1, .prototype.function = "dot"},
    {.id = "softmax-rows",
     .folder_name = "04-softmax-rows",
     .number = 4,
     .prototype.function = "softmax_rows"},
    {.id = "attention",
     .folder_name = "08-attention",
     .number = 8,
     .prototype.function = "attention"},
    {.id = "causal-attention",
     .folder_name = "09-causal-attention",
     .number = 9,
     .prototype.function = "causal_attention"},
    {.id = "multi-head",
     .folder_name = "11-multi-head",
     .number = 11,
     .prototype.function = "multi_head_attention"},
    {.id = "head", .folder_name = "12-head", .number = 12, .prototype.function = "head"},
};

static struct exercises known_exercises(struct exercise *items[])
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
        items[i] = &known[i];
    return (struct exercises){.items = items, .n = COUNT_OF(known)};
}

static void test_exercise__is_found_by_what_people_call_it(void **state)
{
    (void)state;
    struct exercise *items[COUNT_OF(known)];
    struct exercises exercises = known_exercises(items);
    static const struct {
        const char *name, *id;
    } cases[] = {
        {"softmax-rows", "softmax-rows"},
        {"softmax_rows", "softmax-rows"},
        {"softmax_rows.c", "softmax-rows"},
        {"softmax-rows.c", "softmax-rows"},
        {"04-softmax-rows", "softmax-rows"},
        {"04-softmax-rows.c", "softmax-rows"},
        {"04_softmax_rows.c", "softmax-rows"},
        {"some/path/softmax_rows.c", "softmax-rows"},
        {"exercises/04-softmax-rows/", "softmax-rows"},
        {"anna_softmax_rows.c", "softmax-rows"},
        {"anna-softmax_rows.c", "softmax-rows"},
        {"4", "softmax-rows"},
        {"04", "softmax-rows"},
        {"11", "multi-head"},
        {"attention", "attention"},
        {"attention.c", "attention"},
        {"bob_attention.c", "attention"},
        {"causal_attention.c", "causal-attention"},     /* not attention */
        {"bob_causal_attention.c", "causal-attention"}, /* the longest name */
        {"multi_head_attention.c", "multi-head"},       /* its function */
        {"bob-multi-head-attention.c", "multi-head"},
        {"x_multi_head.c", "multi-head"}, /* not head, though that comes later */
        {"x_head.c", "head"},
        {"annasoftmax_rows.c", NULL}, /* no word of its own */
        {"softmax_rows2.c", NULL},
        {"softmax", NULL},
        {"5", NULL},
        {"004", NULL},
        {"dot.cpp", NULL},
        {"", NULL},
        {".c", NULL},
        {"/", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct exercise *found = exercises_find(&exercises, cases[i].name);
        if ((found == NULL) != (cases[i].id == NULL) ||
            (found != NULL && strcmp(found->id, cases[i].id) != 0))
            fail_msg("%s: found %s", cases[i].name, found != NULL ? found->id : "none");
    }
}

static void test_exercise__a_near_spelling_is_suggested(void **state)
{
    (void)state;
    struct exercise *items[COUNT_OF(known)];
    struct exercises exercises = known_exercises(items);
    assert_string_equal(exercises_suggest(&exercises, "sofmax-rows"), "softmax-rows");
    assert_string_equal(exercises_suggest(&exercises, "work/softmax_rwos.c"), "softmax-rows");
    assert_string_equal(exercises_suggest(&exercises, "atention"), "attention");
    assert_null(exercises_suggest(&exercises, "quicksort"));
}

static void test_exercise__a_folder_without_exercises(void **state)
{
    (void)state;
    struct exercises exercises;
    struct error error;
    assert_error(exercises_load("/tmp/no/such/folder", NULL, &exercises, &error), error, ERR_FILE);
    assert_says(error, "ATTN_DATA_DIR");
}

/* Those that come with attn. */
static void test_exercise__all_that_come_with_attn_load(void **state)
{
    (void)state;
    struct exercises exercises;
    struct error error;
    if (!exercises_load(getenv("ATTN_DATA_DIR"), NULL, &exercises, &error))
        fail_msg("%s", error.text);
    assert_true(exercises.n > 0);
    for (size_t i = 0; i < exercises.n; i++) {
        assert_true(i == 0 || exercises.items[i - 1]->number < exercises.items[i]->number);
        assert_ptr_equal(exercises_find(&exercises, exercises.items[i]->starter_name),
                         exercises.items[i]);
        assert_ptr_equal(exercises_find(&exercises, exercises.items[i]->prototype.function),
                         exercises.items[i]);
    }
    exercises_release(&exercises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exercise__holds_what_the_file_says),
        cmocka_unit_test(test_exercise__cases_probes_and_misconceptions),
        cmocka_unit_test(test_exercise__arrays_stand_in_the_order_of_the_parameters),
        cmocka_unit_test(test_exercise__the_returned_number_is_the_last_array),
        cmocka_unit_test(test_exercise__sizes_stand_in_an_order_to_work_them_out),
        cmocka_unit_test(test_exercise__speed),
        cmocka_unit_test(test_exercise__steps_and_a_ladder),
        cmocka_unit_test(test_exercise__faults_are_named_with_their_line),
        cmocka_unit_test(test_exercise__a_range_is_for_sizes_only),
        cmocka_unit_test(test_exercise__a_misconception_may_prepare_its_stage),
        cmocka_unit_test(test_exercise__a_file_that_is_missing_is_named),
        cmocka_unit_test(test_exercise__without_memory_it_says_so),
        cmocka_unit_test(test_exercise__target_of_a_statement),
        cmocka_unit_test(test_exercise__is_found_by_what_people_call_it),
        cmocka_unit_test(test_exercise__a_near_spelling_is_suggested),
        cmocka_unit_test(test_exercise__a_folder_without_exercises),
        cmocka_unit_test(test_exercise__all_that_come_with_attn_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
