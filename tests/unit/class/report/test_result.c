/* report/result.h: results, their words made safe, and their json. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/results.h"

static void must_name(struct result *result, const char *file, const char *student)
{
    struct error error;
    if (!result_name(result, file, student, "softmax-rows", &error))
        fail_msg("%s", error.text);
}

static char *must_call(const char *student)
{
    char *called = safe_name_copy(student);
    assert_non_null(called);
    return called;
}

static struct result example(void)
{
    struct result result;
    struct error error;
    result_init(&result);
    must_name(&result, "class/anna/softmax_rows.c", "anna");
    assert_true(
        result_say(&result, VERDICT_WRONG_ANSWER, "not written", "Row 1\nis wrong.", &error));
    assert_true(result_add_case(&result, "tiny", N_CASE_GROUPS, VERDICT_PASS, 0, &error));
    assert_true(result_add_case(&result, "wide", N_CASE_GROUPS, VERDICT_WRONG_ANSWER, 0.1, &error));
    assert_true(
        result_add_case(&result, "last", N_CASE_GROUPS, VERDICT_CRASH, (double)NAN, &error));
    assert_true(result_add_idea(&result, "over-columns", "What must sum to 1?", &error));
    result_judge(&result, 3.33, 10);
    result.time_ms = 1.23456;
    return result;
}

static void test_result__a_new_one_is_our_failure(void **state)
{
    (void)state;
    struct result result;
    result_init(&result);
    assert_int_equal(result.verdict, VERDICT_INTERNAL_ERROR);
    assert_string_equal(result_word(result.message), "");
    result_release(&result);
    result_release(NULL);
}

static void test_result__names_are_made_safe_and_stay_different(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shown;
    } names[] = {
        {"plain.c", "plain.c"},
        {"f\xc3\xbcr.c", "f\xc3\xbcr.c"}, /* UTF-8 */
        {"a\nb.c", "a\\x0ab.c"},
        {"a\\x0ab.c", "a\\x5cx0ab.c"},           /* not the one before */
        {"\x1b[31m.c", "\\x1b[31m.c"},           /* a terminal's escape */
        {"\xff\xfe.c", "\\xff\\xfe.c"},          /* no UTF-8 */
        {"\xed\xa0\x80.c", "\\xed\\xa0\\x80.c"}, /* half a surrogate pair */
        {"\xe2\x80\xae.c", "\\xe2\\x80\\xae.c"}, /* turns the rest of the line around */
        {"\x7f\xc2\x9b.c", "\\x7f\\xc2\\x9b.c"},
        {"\xc3", "\\xc3"}, /* cut in the middle */
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct result result;
        result_init(&result);
        char *student = must_call(names[i].name);
        must_name(&result, names[i].name, student);
        assert_string_equal(result.file, names[i].shown);
        assert_string_equal(result.student, names[i].shown);
        must_name(&result, "", result.student); /* what is safe already stays */
        assert_string_equal(result.student, names[i].shown);
        free(student);
        result_release(&result);
    }
}

/* Python: unicodedata.normalize("NFC", ...) */
static void test_result__a_name_is_the_same_from_any_system(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"Jose\u0301", "Jos\u00e9"},           {"\u212bsa", "\u00c5sa"},
        {"\u1112\u1161\u11ab", "\ud55c"},      {"q\u0323\u0307", "q\u0323\u0307"},
        {"Jose\u0301\xff", "Jose\u0301\\xff"}, /* no UTF-8: as it is */
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *student = must_call(names[i][0]);
        assert_string_equal(student, names[i][1]);
        free(student);
    }
}

static void test_result__messages_keep_their_lines(void **state)
{
    (void)state;
    struct result result;
    struct error error;
    result_init(&result);
    assert_true(result_say(&result, VERDICT_CRASH, "SIG\nSEGV", "a\n\tb\x1b\xffz\\n", &error));
    assert_string_equal(result.detail, "SIG\\x0aSEGV");
    assert_string_equal(result.message, "a\n\tb\\x1b\\xffz\\n");
    result_release(&result);
}

static json_t *dumped_and_loaded(json_t *json)
{
    char *text = json_dumps(json, JSON_REAL_PRECISION(15));
    assert_non_null(text);
    json_t *again = json_loads(text, 0, NULL);
    assert_non_null(again);
    free(text);
    json_decref(json);
    return again;
}

/* The keys, their order and their kinds are those that the format promises. */
static void test_result__json_has_the_promised_form(void **state)
{
    (void)state;
    struct result result = example();
    json_t *json = result_to_json(&result);
    char *text = json_dumps(json, JSON_REAL_PRECISION(15));
    assert_string_equal(
        text, "{\"file\": \"class/anna/softmax_rows.c\", \"student\": \"anna\", "
              "\"exercise\": \"softmax-rows\", \"verdict\": \"wrong_answer\", "
              "\"detail\": \"not written\", \"score\": 3.33, \"max_score\": 10, "
              "\"time_ms\": 1.235, \"cases\": ["
              "{\"name\": \"tiny\", \"verdict\": \"pass\", \"max_abs_error\": 0.0}, "
              "{\"name\": \"wide\", \"verdict\": \"wrong_answer\", \"max_abs_error\": 0.1}, "
              "{\"name\": \"last\", \"verdict\": \"crash\", \"max_abs_error\": null}], "
              "\"misconceptions\": [{\"id\": \"over-columns\", \"say\": \"What must sum to 1?\"}], "
              "\"message\": \"Row 1\\nis wrong.\"}");
    free(text);
    json_decref(json);
    result_release(&result);
}

static void test_result__json_is_read_back_as_it_was(void **state)
{
    (void)state;
    struct result result = example(), again;
    struct error error;
    json_t *json = dumped_and_loaded(result_to_json(&result));
    if (!result_from_json(json, &again, &error))
        fail_msg("%s", error.text);
    assert_string_equal(again.file, result.file);
    assert_string_equal(again.student, "anna");
    assert_string_equal(again.exercise, "softmax-rows");
    assert_int_equal(again.verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(again.detail, "not written");
    assert_string_equal(again.message, "Row 1\nis wrong.");
    assert_close(again.score, 3.33, 0);
    assert_close(again.max_score, 10, 0);
    assert_close(again.time_ms, 1.235, 0);
    assert_int_equal(again.n_cases, 3);
    assert_string_equal(again.cases[1].name, "wide");
    assert_close(again.cases[1].max_abs_error, 0.1, 0);
    assert_true(isnan(again.cases[2].max_abs_error));
    assert_int_equal(again.n_ideas, 1);
    assert_string_equal(again.ideas[0].id, "over-columns");
    json_decref(json);
    result_release(&again);
    result_release(&result);
}

/* Numbers that JSON has no words for. */
static void test_result__json_holds_no_infinity(void **state)
{
    (void)state;
    struct result result;
    struct error error;
    result_init(&result);
    assert_true(result_add_case(&result, "c", N_CASE_GROUPS, VERDICT_WRONG_ANSWER, (double)INFINITY,
                                &error));
    result.score = (double)NAN;
    json_t *json = dumped_and_loaded(result_to_json(&result));
    const json_t *item = json_array_get(json_object_get(json, "cases"), 0);
    assert_true(json_is_null(json_object_get(item, "max_abs_error")));
    assert_true(json_is_null(json_object_get(json, "score")));
    json_decref(json);
    result_release(&result);
}

static void test_result__any_bytes_make_json(void **state)
{
    (void)state;
    uint64_t stream = 5;
    for (int round = 0; round < 2000; round++) {
        char bytes[40] = {0};
        struct result result;
        struct error error;
        size_t size = testing_between(&stream, 1, sizeof bytes - 1);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)testing_between(&stream, 1, 255);
        result_init(&result);
        must_name(&result, bytes, bytes);
        result.detail = strdup(bytes); /* not made safe before */
        result.message = strdup(bytes);
        json_t *json = dumped_and_loaded(result_to_json(&result));
        struct result again;
        json_object_set_new(json, "score", json_integer(0));
        if (!result_from_json(json, &again, &error))
            fail_msg("%s", error.text);
        assert_string_equal(again.file, result.file);
        json_decref(json);
        result_release(&again);
        result_release(&result);
    }
}

static void test_result__other_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *says;
    } changes[] = {
        {"file", "3", "file"},
        {"verdict", "\"great\"", "verdict"},
        {"score", "\"10\"", "score"},
        {"time_ms", "null", "time_ms"},
        {"cases", "{}", "cases"},
        {"cases", "[{\"name\": \"a\", \"verdict\": \"pass\"}]", "max_abs_error"},
        {"cases", "[{\"verdict\": \"pass\", \"max_abs_error\": 0}]", "name"},
        {"cases", "[{\"name\": \"a\", \"verdict\": \"?\", \"max_abs_error\": 0}]", "verdict"},
        {"misconceptions", "[\"a\"]", "misconceptions"},
        {"message", "[]", "message"},
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        struct result result = example(), again;
        struct error error;
        json_t *json = result_to_json(&result);
        json_object_set_new(json, changes[i].key,
                            json_loads(changes[i].value, JSON_DECODE_ANY, NULL));
        assert_error(result_from_json(json, &again, &error), error, ERR_FILE);
        assert_says(error, changes[i].says);
        json_decref(json);
        result_release(&result);
    }
    struct error error;
    assert_error(result_from_json(NULL, NULL, &error), error, ERR_FILE);
}

static void test_results__are_kept_in_the_place_they_are_put(void **state)
{
    (void)state;
    struct results results = {0};
    struct error error;
    static const char *const names[] = {"b", "a", "c"};
    static const size_t places[] = {0, 0, 2};
    for (size_t i = 0; i < 3; i++) {
        struct result result;
        result_init(&result);
        must_name(&result, names[i], "");
        assert_true(results_insert(&results, places[i], &result, &error));
        assert_null(result.file); /* it moved */
    }
    assert_string_equal(results.items[0].file, "a");
    assert_string_equal(results.items[1].file, "b");
    assert_string_equal(results.items[2].file, "c");
    assert_true(result_compare(&results.items[0], &results.items[1]) < 0);
    results_release(&results);
}

static void test_results__know_how_good_the_walls_were(void **state)
{
    (void)state;
    struct results results = {0};
    assert_string_equal(results_isolation(&results), "full");
    text_put(&results.sandbox, "rlimits\nseccomp\n");
    assert_string_equal(results_isolation(&results), "full");
    text_put(&results.sandbox, RESULTS_REDUCED ": without namespaces\n");
    assert_string_equal(results_isolation(&results), "reduced");
    text_put(&results.sandbox, RESULTS_WEAK " accepted: without seccomp\n");
    assert_string_equal(results_isolation(&results), "weak");
    results_release(&results);
}

static bool fill(struct result *result, struct error *reterr)
{
    result_release(result);
    return result_name(result, "a.c", "s", "e", reterr) &&
           result_say(result, VERDICT_PASS, "d", "m", reterr) &&
           result_add_case(result, "c", N_CASE_GROUPS, VERDICT_PASS, 0, reterr) &&
           result_add_idea(result, "i", "s", reterr);
}

static void test_result__without_memory_says_so(void **state)
{
    (void)state;
    struct result result;
    struct error error;
    result_init(&result);
    assert_reports_failed_allocations(fill(&result, &error), error);
    json_t *json = result_to_json(&result);
    struct result again;
    result_release(&result);
    assert_reports_failed_allocations(result_from_json(json, &again, &error), error);
    json_decref(json);
    result_release(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result__a_new_one_is_our_failure),
        cmocka_unit_test(test_result__names_are_made_safe_and_stay_different),
        cmocka_unit_test(test_result__a_name_is_the_same_from_any_system),
        cmocka_unit_test(test_result__messages_keep_their_lines),
        cmocka_unit_test(test_result__json_has_the_promised_form),
        cmocka_unit_test(test_result__json_is_read_back_as_it_was),
        cmocka_unit_test(test_result__json_holds_no_infinity),
        cmocka_unit_test(test_result__any_bytes_make_json),
        cmocka_unit_test(test_result__other_json_is_refused),
        cmocka_unit_test(test_results__are_kept_in_the_place_they_are_put),
        cmocka_unit_test(test_results__know_how_good_the_walls_were),
        cmocka_unit_test(test_result__without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
