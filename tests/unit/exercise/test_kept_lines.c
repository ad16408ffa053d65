/* exercise/kept_lines.h: lines that are run over and over do what they do when they are read anew.
 */
#include "lang_testing.h"

#include <stdio.h>
#include <string.h>

#include "exercise/kept_lines.h"

static void run(struct kept_lines *kept, struct lang *lang, const char *line)
{
    struct error error;
    if (!kept_lines_run(kept, &lang->session, line, strlen(line), &error))
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
    for (int i = 0; i < 4000; i++) {
        char line[40];
        snprintf(line, sizeof line, "sum_so_far = sum_so_far + %d", i % 2000);
        run(kept, lang, line);
    }
    assert_number(lang, "sum_so_far", 2 * (1999 * 2000 / 2), 0);
    kept_lines_free(kept);
}

static void test_kept_lines__what_fails_fails_each_time(void **state)
{
    struct lang *lang = *state;
    struct kept_lines *kept = kept_lines_new();
    struct error error;
    assert_non_null(kept);
    for (int i = 0; i < 2; i++) {
        assert_error(kept_lines_run(kept, &lang->session, "a = (1", 6, &error), error, ERR_SYNTAX);
        assert_error(kept_lines_run(kept, &lang->session, "a = nobody", 10, &error), error,
                     ERR_NAME);
    }
    run(kept, lang, "nobody = 3");
    run(kept, lang, "a = nobody");
    assert_number(lang, "a", 3, 0);
    kept_lines_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_kept_lines__a_line_reads_what_names_hold_now),
        lang_unit_test(test_kept_lines__of_many_lines_each_is_run),
        lang_unit_test(test_kept_lines__what_fails_fails_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
