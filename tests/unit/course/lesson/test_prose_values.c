/* course/lesson/prose_values_internal.h: prose whose numbers are computed. */
#include "lang_testing.h"

#include <string.h>

#include "course/lesson/prose_values_internal.h"

static void check(struct lang *lang, const char *markdown, const char *wanted)
{
    struct text out = {0};
    struct error error = {0};
    if (!prose_values_fill(&lang->session, markdown, &out, NULL, &error))
        fail_msg("%s: %s", markdown, error.text);
    assert_string_equal(text_string(&out), wanted);
    text_release(&out);
}

static void test_prose_values__values_take_the_place_of_code(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "x = 3; W = [[1, 2], [3, 4.5]]");
    check(lang, "The root is `= sqrt(64)`, isn't it?", "The root is 8, isn't it?");
    check(lang, "`= x + 1`, `= x`", "4, 3");
    check(lang, "`= 1 / 3`", "0.3333");
    check(lang, "W is `= W`.", "W is [[1, 2], [3, 4.5]].");
    check(lang, "`= x > 2` and `= -inf`", "True and -inf");
    check(lang, "`= W.shape`", "(2, 2)");
    check(lang, "`= \"a word\"`", "a word");
}

static void test_prose_values__other_code_stays(void **state)
{
    struct lang *lang = *state;
    check(lang, "`x = 3` and `=x` and ``= 1``", "`x = 3` and `=x` and ``= 1``");
    check(lang, "no `end = 1", "no `end = 1");
    check(lang, "```\n`= 1`\n```\n`= 1`", "```\n`= 1`\n```\n1");
    check(lang, "````text\n```\n`= 1`\n```\n````\n", "````text\n```\n`= 1`\n```\n````\n");
    check(lang, "a ` b\n\n`= 2` c", "a ` b\n\n2 c");
    check(lang, "", "");
}

static void test_prose_values__nothing_is_left_behind(void **state)
{
    struct lang *lang = *state;
    struct text before = {0}, after = {0};
    lang_run(lang, "x = randn(3)");
    lang_describe(lang, &before);
    check(lang, "`= len(randn(5))`", "5");
    lang_describe(lang, &after);
    assert_string_equal(text_string(&before), text_string(&after));
    text_release(&before);
    text_release(&after);
}

static void test_prose_values__failures_name_their_line(void **state)
{
    struct lang *lang = *state;
    struct error error;
    unsigned line = 99;
    struct text out = {0};
    text_put(&out, "kept");
    assert_error(
        prose_values_fill(&lang->session, "one\ntwo `= 1`\nthree `= nobody`", &out, &line, &error),
        error, ERR_NAME);
    assert_int_equal(line, 2);
    assert_string_equal(text_string(&out), "kept");
    assert_error(prose_values_fill(&lang->session, "`= x = 1`", &out, &line, &error), error,
                 ERR_SYNTAX);
    assert_error(prose_values_fill(&lang->session, "`= None`", &out, &line, &error), error,
                 ERR_TYPE);
    assert_error(prose_values_fill(&lang->session, "`= zeros(9, 9)`", &out, &line, &error), error,
                 ERR_LIMIT);
    assert_says(error, "9x9");
    text_release(&out);
}

static bool collect(void *context, const char *text, size_t size, unsigned line)
{
    struct text *all = context;
    text_format(all, "%u:", line);
    text_add(all, text, size);
    text_char(all, '|');
    return true;
}

static void test_prose_values__plain_pieces_are_neither_code_nor_blocks(void **state)
{
    struct text all = {0};
    (void)state;
    assert_true(prose_each_plain("a `b` c\n```\nd\n```\ne", collect, &all));
    assert_string_equal(text_string(&all), "0:a |0: c\n|3:\ne|");
    text_release(&all);
}

/* The time for a long text grows with it, not with its square: a minute would be one. */
static void test_prose_values__long_texts(void **state)
{
    struct text many = {0}, all = {0};
    (void)state;
    text_repeat(&many, "`a`\n", 100000);
    text_put(&many, "end");
    assert_true(prose_each_plain(text_string(&many), collect, &all));
    assert_string_equal(text_string(&all) + all.size - 11, "99999:\n"
                                                           "end|");
    text_clear(&many);
    text_clear(&all);
    text_repeat(&many, "`a\n\n", 100000);
    assert_true(prose_each_plain(text_string(&many), collect, &all));
    text_release(&many);
    text_release(&all);
}

static void test_prose_values__every_failed_allocation_is_reported(void **state)
{
    struct lang *lang = *state;
    struct error error;
    struct text out = {0};
    assert_reports_failed_allocations(
        prose_values_fill(&lang->session, "`= softmax([1, 2])` and `= [1, 2] @ [3, 4]`", &out, NULL,
                          &error),
        error);
    assert_string_equal(text_string(&out), "[0.2689, 0.7311] and 11");
    text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_prose_values__values_take_the_place_of_code),
        lang_unit_test(test_prose_values__other_code_stays),
        lang_unit_test(test_prose_values__nothing_is_left_behind),
        lang_unit_test(test_prose_values__failures_name_their_line),
        lang_unit_test(test_prose_values__plain_pieces_are_neither_code_nor_blocks),
        lang_unit_test(test_prose_values__long_texts),
        lang_unit_test(test_prose_values__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
