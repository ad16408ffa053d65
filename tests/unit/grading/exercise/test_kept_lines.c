/* exercise/kept_lines_internal.h: lines that are run over and over do what they do when they are
 * read anew.
 */
#include "lang_testing.h"

#include <stdio.h>
#include <string.h>

#include "exercise/kept_lines_internal.h"

static void run(struct kept_lines *kept, struct lang *lang, const char *line)
{
    struct error error;
    if (!kept_lines_run(kept, &lang->session, line, strlen(line), NULL, &error))
        fail_msg("%s: %s", line, error.text);
}

static void test_kept_lines__a_line_reads_what_names_hold_now(void **state)
{
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    assert_non_null(kept);
    for (int i = 0; i < 3; i++) {
        char line[40];
        snprintf(line, sizeof line, "a = %d", i);
        run(kept, lang, line);
        run(kept, lang, "twice(x) = 2 * x");
        run(kept, lang, "b = twice(a) + 1");
        assert_number(lang, "b", 2 * i + 1, 0);
    }
    kept_lines_free(kept);
}

/* More than are kept. */
static void test_kept_lines__of_many_lines_each_is_run(void **state)
{
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    assert_non_null(kept);
    run(kept, lang, "sum_so_far = 0");
    for (int i = 0; i < 8000; i++) {
        char line[40];
        snprintf(line, sizeof line, "sum_so_far = sum_so_far + %d", i % 4000);
        run(kept, lang, line);
    }
    assert_number(lang, "sum_so_far", 2 * (3999 * 4000 / 2), 0);
    kept_lines_free(kept);
}

static void test_kept_lines__what_fails_fails_each_time(void **state)
{
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    struct error error;
    assert_non_null(kept);
    for (int i = 0; i < 2; i++) {
        assert_error(kept_lines_run(kept, &lang->session, "a = (1", 6, NULL, &error), error,
                     ERR_SYNTAX);
        assert_error(kept_lines_run(kept, &lang->session, "a = nobody", 10, NULL, &error), error,
                     ERR_NAME);
    }
    run(kept, lang, "nobody = 3");
    run(kept, lang, "a = nobody");
    assert_number(lang, "a", 3, 0);
    kept_lines_free(kept);
}

/* Of two definitions of one name the one that ran last is called. */
static void test_kept_lines__definitions_take_turns(void **state)
{
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    assert_non_null(kept);
    for (int i = 0; i < 3; i++) {
        run(kept, lang, "f(x) = 2 * x");
        run(kept, lang, "a = f(3)");
        assert_number(lang, "a", 6, 0);
        run(kept, lang, "f(x) = x + 1");
        run(kept, lang, "a = f(3)");
        assert_number(lang, "a", 4, 0);
    }
    kept_lines_free(kept);
}

static void test_kept_lines__a_line_may_have_been_read(void **state)
{
    static const char line[] = "a = 2 + 3";
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    struct arena arena = {0};
    struct session_line read;
    assert_non_null(kept);
    assert_true(session_read_line(&lang->session, &arena, line, strlen(line), &read, NULL));
    assert_true(kept_lines_run(kept, &lang->session, line, strlen(line), read.first, NULL));
    assert_number(lang, "a", 5, 0);
    arena_release(&arena);
    run(kept, lang, "a = 0");
    run(kept, lang, line);
    assert_number(lang, "a", 5, 0);
    kept_lines_free(kept);
}

static void test_kept_lines__a_result_is_kept_with_its_line(void **state)
{
    static const char line[] = "a = [1, 2, 3] * 2", large[] = "a = zeros(2000, 2000)";
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    assert_non_null(kept);
    assert_null(kept_lines_result(kept, line, strlen(line)));
    run(kept, lang, line);
    assert_null(kept_lines_result(kept, line, strlen(line)));
    kept_lines_keep_result(kept, line, strlen(line), names_get(&lang->session.names, "a", 1));
    const struct value *result = kept_lines_result(kept, line, strlen(line));
    assert_non_null(result);
    assert_ptr_equal(result->as.node, lang_node(lang, "a"));
    run(kept, lang, large);
    kept_lines_keep_result(kept, large, strlen(large), names_get(&lang->session.names, "a", 1));
    assert_null(kept_lines_result(kept, large, strlen(large)));
    kept_lines_free(kept);
}

static void test_kept_lines__why_a_line_fails_is_kept_with_it(void **state)
{
    static const char line[] = "a = ones(2, 3) @ ones(2, 3)", other[] = "a = nobody";
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    struct error error, again, stop = {.kind = ERR_INTERRUPTED, .text = "stopped"};
    assert_non_null(kept);
    assert_false(kept_lines_failed(kept, line, strlen(line), NULL));
    assert_error(kept_lines_run(kept, &lang->session, line, strlen(line), NULL, &error), error,
                 ERR_SHAPE);
    assert_false(kept_lines_failed(kept, line, strlen(line), NULL));
    kept_lines_keep_failure(kept, line, strlen(line), &stop);
    assert_false(kept_lines_failed(kept, line, strlen(line), NULL));
    kept_lines_keep_failure(kept, line, strlen(line), &error);
    assert_true(kept_lines_failed(kept, line, strlen(line), &again));
    assert_int_equal(again.kind, ERR_SHAPE);
    assert_string_equal(again.text, error.text);
    assert_false(kept_lines_failed(kept, other, strlen(other), NULL));
    kept_lines_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_kept_lines__a_line_reads_what_names_hold_now),
        lang_unit_test(test_kept_lines__of_many_lines_each_is_run),
        lang_unit_test(test_kept_lines__what_fails_fails_each_time),
        lang_unit_test(test_kept_lines__definitions_take_turns),
        lang_unit_test(test_kept_lines__a_line_may_have_been_read),
        lang_unit_test(test_kept_lines__a_result_is_kept_with_its_line),
        lang_unit_test(test_kept_lines__why_a_line_fails_is_kept_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
