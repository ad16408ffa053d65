/* diagnose/edits.h: reading the table of mistakes. */
#include "diagnose_testing.h"

#include <string.h>

#include "lang_testing.h"

static const char table[] = "functions:\n"                         /* 1 */
                            "  - twice(x) = 2 * x\n"               /* 2 */
                            "edits:\n"                             /* 3 */
                            "  - id: left-out\n"                   /* 4 */
                            "    match: [_x / _n, _x * _n]\n"      /* 5 */
                            "    put: [_x, twice(_x)]\n"           /* 6 */
                            "    where: {_n: size}\n"              /* 7 */
                            "    when: the division is left out\n" /* 8 */
                            "    ask: Where is it?\n"              /* 9 */
                            "    lesson: scaling#variance\n"       /* 10 */
                            "  - id: other\n"                      /* 11 */
                            "    forms:\n"                         /* 12 */
                            "      - {match: exp(_x), put: _x}\n"  /* 13 */
                            "      - {match: log(_x), put: _x}\n"  /* 14 */
                            "    whole: true\n"                    /* 15 */
                            "    when: w\n"                        /* 16 */
                            "    ask: a\n"                         /* 17 */
                            "combinations:\n"                      /* 18 */
                            "  - id: both\n"                       /* 19 */
                            "    of: [left-out, other]\n"          /* 20 */
                            "    when: both\n"                     /* 21 */
                            "    ask: both?\n"                     /* 22 */
                            "    math: m\n";                       /* 23 */

static struct edits read_table(void)
{
    struct edits edits;
    struct error error;
    if (!edits_read("table.yaml", table, strlen(table), &edits, &error))
        fail_msg("%s", error.text);
    return edits;
}

/* The table with one place changed is refused with these words. */
static void assert_refused(const char *old, const char *new, const char *line, const char *says)
{
    struct text changed = {0};
    struct edits edits;
    struct error error;
    const char *at = strstr(table, old);
    assert_non_null(at);
    text_add(&changed, table, (size_t)(at - table));
    text_put(&changed, new);
    text_put(&changed, at + strlen(old));
    assert_error(edits_read("table.yaml", text_string(&changed), changed.size, &edits, &error),
                 error, ERR_SYNTAX);
    assert_says(error, line);
    assert_says(error, says);
    text_release(&changed);
}

static void test_edits__all_that_a_table_says_is_read(void **state)
{
    (void)state;
    struct edits edits = read_table();
    assert_int_equal(edits.n, 2);
    assert_int_equal(edits.n_combinations, 1);
    assert_int_equal(edits.functions.n, 1);
    const struct edit *one = &edits.items[0], *other = &edits.items[1];
    assert_string_equal(one->id, "left-out");
    assert_int_equal(one->line, 4);
    assert_int_equal(one->n_forms, 1);
    assert_int_equal(one->forms[0].match.n, 2);
    assert_int_equal(one->forms[0].put.n, 2);
    assert_int_equal(one->n_holes, 1);
    assert_int_equal(one->holes[0].kind, HOLE_SIZE);
    assert_string_equal(one->lesson, "scaling#variance");
    assert_false(one->is_whole);
    assert_int_equal(other->n_forms, 2);
    assert_true(other->is_whole);
    assert_null(other->math);
    edits_release(&edits);
}

static void test_edits__two_together_may_have_a_name_in_any_order(void **state)
{
    (void)state;
    struct edits edits = read_table();
    const struct edit *one = &edits.items[0], *other = &edits.items[1];
    assert_string_equal(edits_combination(&edits, one, other)->id, "both");
    assert_string_equal(edits_combination(&edits, other, one)->id, "both");
    assert_null(edits_combination(&edits, one, one));
    edits_release(&edits);
}

static void test_edits__functions_are_found_where_they_are_called(void **state)
{
    (void)state;
    struct edits edits = read_table();
    struct text found = {0};
    edits_functions_in(&edits, "y = not_twice(x) + twice_(x) + twice", &found);
    assert_int_equal(found.size, 0);
    edits_functions_in(&edits, "y = 3 + twice(x)", &found);
    assert_string_equal(text_string(&found), "twice(x) = 2 * x\n");
    text_release(&found);
    edits_release(&edits);
}

static void test_edits__functions_that_a_function_calls_come_before_it(void **state)
{
    (void)state;
    static const char more[] =
        "functions:\n"
        "  - twice(x) = 2 * x\n"
        "  - unused(x) = twice(x)\n"
        "  - four_times(x) = twice(twice(x))\n"
        "edits:\n"
        "  - {id: a, match: exp(_x), put: four_times(_x), when: w, ask: a}\n";
    struct edits edits;
    struct error error;
    struct text found = {0};
    if (!edits_read("table.yaml", more, strlen(more), &edits, &error))
        fail_msg("%s", error.text);
    edits_functions_in(&edits, "y = four_times(x)", &found);
    assert_string_equal(text_string(&found), "twice(x) = 2 * x\nfour_times(x) = twice(twice(x))\n");
    text_release(&found);
    edits_release(&edits);
}

static void test_edits__faults_are_told_with_their_line(void **state)
{
    (void)state;
    assert_refused("[_x / _n, _x * _n]", "[_x / _n, _x *]", "table.yaml:4: ", "left-out: ");
    assert_refused("[_x, twice(_x)]", "[_x, twice(_y)]",
                   "table.yaml:4: ", "left-out: _y has no meaning");
    assert_refused("{_n: size}", "{_n: length}", "table.yaml:7: ", "");
    assert_refused("{_n: size}", "{n: size}", "table.yaml:7: ", "");
    assert_refused("ask: Where is it?", "asks: Where is it?", "table.yaml:9: ", "");
    assert_refused("    ask: Where is it?\n", "", "table.yaml:4: ", "");
    assert_refused("id: other", "id: left-out", "table.yaml:11: ", "left-out stands twice");
    assert_refused("[left-out, other]", "[left-out, another]", "table.yaml:19: ", "another: ");
    assert_refused("[left-out, other]", "[left-out]", "table.yaml:19: ", "");
    assert_refused("    forms:\n", "    match: _x\n    forms:\n", "table.yaml:11: ", "");
    assert_refused("    match: [_x / _n, _x * _n]\n", "", "table.yaml:4: ", "");
    assert_refused("whole: true", "whole: yes", "table.yaml:15: ", "");
    assert_refused("functions:\n", "function:\n", "table.yaml:1: ", "");
}

static void test_edits__a_hole_must_stand_in_all_patterns_that_put_it(void **state)
{
    (void)state;
    assert_refused("[_x / _n, _x * _n]", "[_x / _n, exp(_z)]",
                   "table.yaml:4: ", "_x has no meaning in \"_x\"");
}

static void test_edits__the_table_that_comes_with_attn_is_read(void **state)
{
    (void)state;
    struct edits edits;
    struct error error;
    if (!edits_open(testing_data_dir(), &edits, &error))
        fail_msg("%s", error.text);
    assert_true(edits.n > 100);
    edits_release(&edits);
}

static void test_edits__a_missing_table_is_a_missing_file(void **state)
{
    (void)state;
    struct edits edits;
    struct error error;
    assert_error(edits_open("/nowhere", &edits, &error), error, ERR_FILE);
}

static void test_edits__missing_memory_is_reported(void **state)
{
    (void)state;
    struct edits edits;
    struct error error;
    assert_reports_failed_allocations(
        edits_read("table.yaml", table, strlen(table), &edits, &error), error);
    edits_release(&edits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits__all_that_a_table_says_is_read),
        cmocka_unit_test(test_edits__two_together_may_have_a_name_in_any_order),
        cmocka_unit_test(test_edits__functions_are_found_where_they_are_called),
        cmocka_unit_test(test_edits__functions_that_a_function_calls_come_before_it),
        cmocka_unit_test(test_edits__faults_are_told_with_their_line),
        cmocka_unit_test(test_edits__a_hole_must_stand_in_all_patterns_that_put_it),
        cmocka_unit_test(test_edits__the_table_that_comes_with_attn_is_read),
        cmocka_unit_test(test_edits__a_missing_table_is_a_missing_file),
        cmocka_unit_test(test_edits__missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
