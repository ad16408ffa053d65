/* sandbox/limits.h: the defaults hang together, and the table shows every one of them. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "sandbox/limits.h"

/* Lines are what plain text shows of a Doc. */
static struct doc shown(const struct limits *limits)
{
    struct doc doc;
    struct error error;
    doc_init(&doc);
    limits_show(limits, &doc);
    assert_true(doc_check(&doc, &error));
    return doc;
}

static void assert_shows(const struct doc *doc, const char *part)
{
    if (strstr(text_string(&doc->text), part) == NULL)
        fail_msg("\"%s\" is not in the table", part);
}

static void test_limits__an_inner_limit_is_the_smaller_one(void **state)
{
    const struct limits *limits = &limits_default;
    (void)state;
    assert_true(limits->case_wall_ms < limits->run.wall_ms);
    assert_true(limits->run.wall_ms < limits->submission_wall_ms);
    assert_true(limits->compile.wall_ms < limits->submission_wall_ms);
    assert_true(limits->compile.cpu_s * 1000 < limits->compile.wall_ms);
    assert_true(limits->run.cpu_s * 1000 < limits->run.wall_ms);
    assert_true(limits->object_bytes <= limits->compile.file_bytes);
    assert_true(limits->program_bytes <= limits->compile.file_bytes);
    assert_true(limits->text_kept_bytes < limits->text_max_bytes);
    assert_true(limits->run.memory_bytes < limits->run.address_space_bytes);
    assert_true(limits->run.stack_bytes < limits->run.address_space_bytes);
}

static void test_limits__a_run_writes_no_files(void **state)
{
    (void)state;
    assert_int_equal(limits_default.run.file_bytes, 0);
    assert_int_equal(limits_default.run.processes, 2);
}

/* The sanitizers map more than any limit of address space would let them. */
static void test_limits__advice_has_any_address_space(void **state)
{
    (void)state;
    assert_int_equal(limits_default.sanitizer.address_space_bytes, 0);
    assert_true(limits_default.sanitizer.memory_bytes > 0);
}

static void test_limits__the_table_shows_each(void **state)
{
    struct limits limits = limits_default;
    (void)state;
    limits.compile = (struct box_limits){.wall_ms = 1500,
                                         .cpu_s = 17,
                                         .address_space_bytes = (size_t)33 << 20,
                                         .stack_bytes = (size_t)34 << 20,
                                         .file_bytes = (size_t)35 << 20,
                                         .memory_bytes = (size_t)36 << 20,
                                         .files = 371,
                                         .processes = 381};
    limits.case_wall_ms = 39000;
    limits.submission_wall_ms = 41000;
    limits.source_bytes = 43 << 10;
    limits.object_bytes = (size_t)44 << 20;
    limits.program_bytes = (size_t)45 << 20;
    limits.text_kept_bytes = 46 << 10;
    limits.text_max_bytes = (size_t)47 << 20;
    limits.max_errors = 481;
    limits.internal_errors = 491;
    struct doc doc = shown(&limits);
    const char *const parts[] = {"1.5 s",  "17 s",   "33 MiB", "34 MiB", "35 MiB", "36 MiB",
                                 " 371",   " 381",   "39 s",   "41 s",   "43 KiB", "44 MiB",
                                 "45 MiB", "46 KiB", "47 MiB", " 481",   " 491"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        assert_shows(&doc, parts[i]);
    doc_release(&doc);
}

static void test_limits__no_limit_is_shown_as_such(void **state)
{
    struct doc doc = shown(&limits_default);
    (void)state;
    assert_shows(&doc, " any");
    assert_shows(&doc, " none");
    doc_release(&doc);
}

static void test_limits__the_table_fits_a_terminal(void **state)
{
    struct doc doc = shown(&limits_default);
    (void)state;
    assert_true(doc_width(&doc) <= 96);
    doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits__an_inner_limit_is_the_smaller_one),
        cmocka_unit_test(test_limits__a_run_writes_no_files),
        cmocka_unit_test(test_limits__advice_has_any_address_space),
        cmocka_unit_test(test_limits__the_table_shows_each),
        cmocka_unit_test(test_limits__no_limit_is_shown_as_such),
        cmocka_unit_test(test_limits__the_table_fits_a_terminal),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
