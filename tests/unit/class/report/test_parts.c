/* report/parts_internal.h: which parts of a class are there, what is lacking, and who is in which.
 */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/parts_internal.h"

static struct parts part(unsigned number, unsigned n)
{
    struct parts parts;
    struct error error;
    assert_true(parts_set(number, n, &parts, &error));
    return parts;
}

static void assert_lacking(const struct parts *parts, unsigned n, const char *numbers)
{
    struct text text = {0};
    assert_int_equal(parts_lacking(parts, &text), n);
    assert_string_equal(text_string(&text), numbers);
    assert_int_equal(parts_are_whole(parts), n == 0);
    text_release(&text);
}

static void add(struct parts *parts, unsigned number, unsigned n)
{
    struct error error;
    struct parts more = part(number, n);
    assert_true(parts_add(parts, &more, &error));
    parts_release(&more);
}

static void test_parts__what_is_lacking_until_all_are_here(void **state)
{
    (void)state;
    struct parts parts = {0};
    assert_lacking(&parts, 0, ""); /* a class that was not divided */
    add(&parts, 3, 4);
    assert_lacking(&parts, 3, "1, 2, 4");
    add(&parts, 1, 4);
    add(&parts, 1, 4); /* once more */
    assert_lacking(&parts, 2, "2, 4");
    add(&parts, 4, 4);
    add(&parts, 2, 4);
    assert_lacking(&parts, 0, "");
    parts_release(&parts);
}

static void test_parts__many_that_are_lacking_are_counted(void **state)
{
    (void)state;
    struct parts parts = part(2, 23);
    assert_lacking(&parts, 22,
                   "1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 2 "
                   "more");
    parts_release(&parts);
}

/* A number that is none of the parts is not here; nor does it write beside the array. */
static void test_parts__numbers_beyond_the_ends(void **state)
{
    (void)state;
    static const unsigned numbers[] = {0, 3, 4000000000u};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        struct parts parts = part(numbers[i], 2);
        assert_lacking(&parts, 2, "1, 2");
        parts_release(&parts);
    }
}

static void test_parts__of_a_class_divided_otherwise(void **state)
{
    (void)state;
    struct parts parts = part(1, 2), other = part(1, 3), none = {0};
    struct error error;
    assert_error(parts_add(&parts, &other, &error), error, ERR_RANGE);
    assert_says(error, "parts of a class in 2 and of one in 3");
    assert_lacking(&parts, 1, "2"); /* as it was */
    assert_true(parts_add(&parts, &none, &error));
    assert_lacking(&parts, 1, "2");
    parts_release(&parts);
    parts_release(&other);
}

/* By Python: FNV-1a of 64 bits, its high half added to the low one by exclusive or, modulo n. */
static void test_parts__who_is_in_which(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned n, part;
    } known[] = {
        {"anna", 20, 13},        {"bob", 20, 2}, {"", 7, 7},
        {"Jos\u00e9", 1000, 18}, {"anna", 1, 1}, {"student11", 4, 2},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        assert_int_equal(part_of(known[i].name, known[i].n), known[i].part);
    assert_int_equal(part_of("anna", 0), 1);
}

/* With ten students a part no part is empty or has more than three times as many. */
static void test_parts__are_of_like_size(void **state)
{
    (void)state;
    enum { STUDENTS = 2000, PARTS = 200 };
    unsigned counts[PARTS] = {0};
    for (unsigned i = 0; i < STUDENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%05u", i);
        unsigned number = part_of(name, PARTS);
        assert_in_range(number, 1, PARTS);
        counts[number - 1]++;
    }
    for (size_t i = 0; i < PARTS; i++)
        assert_in_range(counts[i], 1, 30);
}

static void test_parts__json_comes_back(void **state)
{
    (void)state;
    struct parts parts = part(2, 3), again;
    struct error error;
    add(&parts, 3, 3);
    json_t *json = parts_to_json(&parts);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, "{\"of\":3,\"numbers\":[2,3]}");
    assert_true(parts_from_json(json, &again, &error));
    assert_lacking(&again, 1, "1");
    free(text);
    json_decref(json);
    parts_release(&parts);
    parts_release(&again);
}

static void test_parts__json_that_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[]",
        "{}",
        "{\"of\": 2}",
        "{\"of\": 0, \"numbers\": []}",
        "{\"of\": -1, \"numbers\": []}",
        "{\"of\": 100001, \"numbers\": []}",
        "{\"of\": 2.0, \"numbers\": [1]}",
        "{\"of\": 2, \"numbers\": 1}",
        "{\"of\": 2, \"numbers\": [0]}",
        "{\"of\": 2, \"numbers\": [1, 3]}",
        "{\"of\": 2, \"numbers\": [\"1\"]}",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct parts parts;
        struct error error;
        json_t *json = json_loads(texts[i], 0, NULL);
        assert_non_null(json);
        assert_error(parts_from_json(json, &parts, &error), error, ERR_FILE);
        json_decref(json);
    }
}

static bool add_again(struct error *reterr)
{
    struct parts parts = {0}, from;
    bool ok = parts_set(1, 2, &from, reterr) && parts_add(&parts, &from, reterr);
    parts_release(&parts);
    parts_release(&from);
    return ok;
}

static void test_parts__without_memory(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(add_again(&error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts__what_is_lacking_until_all_are_here),
        cmocka_unit_test(test_parts__many_that_are_lacking_are_counted),
        cmocka_unit_test(test_parts__numbers_beyond_the_ends),
        cmocka_unit_test(test_parts__of_a_class_divided_otherwise),
        cmocka_unit_test(test_parts__who_is_in_which),
        cmocka_unit_test(test_parts__are_of_like_size),
        cmocka_unit_test(test_parts__json_comes_back),
        cmocka_unit_test(test_parts__json_that_is_none),
        cmocka_unit_test(test_parts__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
