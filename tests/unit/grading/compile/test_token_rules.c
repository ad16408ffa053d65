/* compile/token_rules_internal.h: words among the tokens of a file. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "compile/token_rules_internal.h"

/* The line where a forbidden word is found; 0 when it is not. */
static unsigned found(const char *word, const char *source)
{
    char say[] = "no", copy[64];
    snprintf(copy, sizeof copy, "%s", word);
    struct exercise_word forbidden = {copy, say};
    struct exercise exercise = {.forbid = &forbidden, .n_forbid = 1};
    struct token_fault fault = token_rules_check(&exercise, source, strlen(source));
    if (fault.word == NULL)
        return 0;
    assert_ptr_equal(fault.word, &forbidden);
    assert_false(fault.missing);
    return fault.line;
}

static void test_words__names_are_found_whole(void **state)
{
    (void)state;
    assert_int_equal(found("malloc", "float *p = malloc(8);"), 1);
    assert_int_equal(found("malloc", "\n\nx=malloc (8);"), 3);
    assert_int_equal(found("malloc", "my_malloc(8); malloc2(8);"), 0);
    assert_int_equal(found("malloc", "malloc"), 1);
    assert_int_equal(found("malloc", ""), 0);
}

static void test_words__comments_and_quotes_hold_no_words(void **state)
{
    (void)state;
    assert_int_equal(found("malloc", "// malloc\n/* malloc\n malloc */ x"), 0);
    assert_int_equal(found("malloc", "puts(\"malloc\"); c = 'malloc';"), 0);
    assert_int_equal(found("malloc", "puts(\"\\\"malloc\");"), 0);
    assert_int_equal(found("malloc", "c = '\"'; malloc(1); d = '\"';"), 1);
    assert_int_equal(found("malloc", "/* \" */ malloc(1); /* \" */"), 1);
    assert_int_equal(found("malloc", "/* */ // */ \n malloc"), 2);
    /* a comment that never ends, and a quotation mark that was forgotten */
    assert_int_equal(found("malloc", "/* malloc"), 0);
    assert_int_equal(found("malloc", "puts(\"oh);\nmalloc(1);"), 2);
}

static void test_words__joined_lines_are_one(void **state)
{
    (void)state;
    assert_int_equal(found("malloc", "// comment \\\n malloc\n"), 0);
    assert_int_equal(found("malloc", "puts(\"a\\\nmalloc\");"), 0);
    assert_int_equal(found("float [", "float \\\n x[3]; float \\\n[3]"), 2);
}

static void test_words__several_tokens_are_found_in_a_row(void **state)
{
    (void)state;
    assert_int_equal(found("float [", "float x[3]; float\n  /* no name */ [2];"), 1 + 0);
    assert_int_equal(found("float [", "float x; [2]"), 0);
    assert_int_equal(found("float [", "float"), 0);
    assert_int_equal(found("< math . h >", "#include <math.h>"), 1);
}

static void test_words__missing_words_come_after_forbidden_ones(void **state)
{
    (void)state;
    char forbidden_word[] = "goto", required_word[] = "for", say[] = "say";
    struct exercise_word forbidden = {forbidden_word, say}, required = {required_word, say};
    struct exercise exercise = {
        .forbid = &forbidden, .n_forbid = 1, .require = &required, .n_require = 1};
    struct token_fault fault = token_rules_check(&exercise, "goto x;", 7);
    assert_ptr_equal(fault.word, &forbidden);
    fault = token_rules_check(&exercise, "fort;", 5);
    assert_ptr_equal(fault.word, &required);
    assert_true(fault.missing);
    fault = token_rules_check(&exercise, "for(;;);", 8);
    assert_null(fault.word);
    assert_null(token_rules_check(&(struct exercise){.id = NULL}, "x", 1).word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words__names_are_found_whole),
        cmocka_unit_test(test_words__comments_and_quotes_hold_no_words),
        cmocka_unit_test(test_words__joined_lines_are_one),
        cmocka_unit_test(test_words__several_tokens_are_found_in_a_row),
        cmocka_unit_test(test_words__missing_words_come_after_forbidden_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
