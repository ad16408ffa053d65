/* shell/shell_block.h */
#include "testing.h"

#include "shell/shell_block.h"

/* Its lines, each after its row, with '|' between them; line `fails` (from 1) fails. */
static void assert_runs(const char *source, size_t fails, const char *lines, const char *tells)
{
    struct shell_block block = {0};
    struct text seen = {0}, told = {0};
    const struct text *line;
    shell_block_begin(&block, source, strlen(source));
    for (size_t n = 1; (line = shell_block_next(&block)) != NULL; n++) {
        text_format(&seen, "%s%zu %s", n > 1 ? "|" : "", block.row, text_string(line));
        if (n == fails)
            shell_block_stop(&block);
    }
    shell_block_tell(&block, &told);
    assert_string_equal(text_string(&seen), lines);
    assert_string_equal(text_string(&told), tells);
    text_release(&seen);
    text_release(&told);
    shell_block_release(&block);
}

static void test_shell_block__one_line(void **state)
{
    (void)state;
    assert_runs("", 0, "1 ", "");
    assert_runs("  \n", 0, "1   ", "");
    assert_runs("a", 0, "1 a", "");
    assert_runs("attn> a\n", 1, "1 a", ""); /* its own error says it all */
    assert_runs("sum([1,\n2])\n", 1, "1 sum([1,\n2])", "");
}

static void test_shell_block__stops_at_the_first_error(void **state)
{
    (void)state;
    assert_runs("a\nb\nc\nd\ne\n", 4, "1 a|2 b|3 c|4 d",
                "3 of 5 lines ran; line 4 failed; line 5 was not run.");
    assert_runs("a\n\nb\n# why\nc", 2, "1 a|3 b",
                "1 of 4 lines ran; line 3 failed; lines 4 to 5 were not run.");
    assert_runs("a\nb", 2, "1 a|2 b", "1 of 2 lines ran; line 2 failed.");
}

static void test_shell_block__a_construct_is_one_line(void **state)
{
    (void)state;
    assert_runs("x = 1\nfor i in y:\n  for j in z:\n\n    x = 2\nx\n", 2,
                "1 x = 1|2 for i in y:\n  for j in z:\n\n    x = 2",
                "1 of 5 lines ran; lines 2 to 5 failed; line 6 was not run.");
}

/* A line that uses what attn does not have is passed over: the others run. */
static void test_shell_block__passes_over_what_attn_lacks(void **state)
{
    (void)state;
    struct shell_block block = {0};
    struct text told = {0};
    static const char cell[] = "a\nb\nc(\n1)\nd\n";
    shell_block_begin(&block, cell, sizeof cell - 1);
    for (size_t n = 1; shell_block_next(&block) != NULL; n++)
        if (n == 2 || n == 3)
            shell_block_pass(&block);
    shell_block_tell(&block, &told);
    assert_string_equal(text_string(&told),
                        "2 of 5 lines ran; attn does not have what lines 2, 3 use.");
    text_release(&told);
    shell_block_release(&block);
}

static bool is_open(const char *source)
{
    struct shell_block block = {0};
    shell_block_begin(&block, source, strlen(source));
    bool open = block.is_open;
    shell_block_release(&block);
    return open;
}

/* As at Python's prompt, an empty row ends a block; a row on the left begins another line. */
static void test_shell_block__a_block_is_open_until_an_empty_row(void **state)
{
    (void)state;
    assert_true(is_open("class A:"));
    assert_true(is_open("class A:\n    x = 1"));
    assert_true(is_open("@torch.no_grad()"));
    assert_true(is_open("@torch.no_grad()\ndef f():\n    return 1"));
    assert_false(is_open("class A:\n    x = 1\n"));
    assert_false(is_open("class A:\n    x = 1\n    "));
    assert_false(is_open("class A:\n    x = 1\na = A()"));
    assert_false(is_open("for i in range(3): x = i"));
    assert_true(is_open("x = 1\nfor i in x:\n    y = 2"));
    assert_true(is_open("f(1,"));
}

static void test_shell_block__tells_what_was_left_out(void **state)
{
    (void)state;
    assert_runs("attn> a\n5\nattn> b\n6\n", 0, "1 a|3 b",
                "2 lines without a prompt were left out.");
    assert_runs("attn> a\n5\nattn> b", 1, "1 a",
                "0 of 2 lines ran; line 1 failed; line 3 was not run; 1 line without a prompt was "
                "left out.");
}

static void test_shell_block__is_remembered_without_empty_rows(void **state)
{
    (void)state;
    static const char source[] = "attn> a\n5\n\nattn> b\n";
    struct shell_block block = {0};
    struct text code = {0};
    shell_block_begin(&block, source, strlen(source));
    shell_block_write(&block, &code);
    assert_string_equal(text_string(&code), "a\nb");
    text_release(&code);
    shell_block_begin(&block, "x = [1,", 7);
    assert_true(block.is_open);
    shell_block_release(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shell_block__one_line),
        cmocka_unit_test(test_shell_block__stops_at_the_first_error),
        cmocka_unit_test(test_shell_block__a_construct_is_one_line),
        cmocka_unit_test(test_shell_block__passes_over_what_attn_lacks),
        cmocka_unit_test(test_shell_block__a_block_is_open_until_an_empty_row),
        cmocka_unit_test(test_shell_block__tells_what_was_left_out),
        cmocka_unit_test(test_shell_block__is_remembered_without_empty_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
