/* show/doc.h: lines of styled spans. */
#include "testing.h"

#include <string.h>

#include "show/backend.h"

#define NIHON "\xE6\x97\xA5\xE6\x9C\xAC" /* two letters, four columns */

static const struct span bare = {.front = TINT_NONE, .back = TINT_NONE};

/* The Doc holds exactly these lines, a newline after each finished one. */
static void assert_lines(const struct doc *doc, const char *expected)
{
    struct text plain = {0};
    doc_to_plain(doc, &plain);
    assert_string_equal(text_string(&plain), expected);
    text_release(&plain);
}

static void put(struct doc *doc, const char *string)
{
    doc_put(doc, STYLE_PLAIN, string, strlen(string));
}

static void test_doc__nothing_is_no_lines(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    doc_init(&doc);
    assert_int_equal(doc.n_lines, 0);
    assert_int_equal(doc_width(&doc), 0);
    assert_true(doc_check(&doc, &error));
    assert_lines(&doc, "");
    doc_release(&doc);
    doc_release(&doc);
    doc_release(NULL);
}

static void test_doc__spans_keep_style_and_order(void **state)
{
    (void)state;
    struct doc doc;
    const struct span *spans;
    doc_init(&doc);
    doc_add(&doc, STYLE_NAME, "%s", "Q");
    doc_add(&doc, STYLE_PLAIN, " @ ");
    doc_add(&doc, STYLE_NUMBER, "%d", 12);
    doc_end_line(&doc);
    doc_line(&doc, STYLE_QUIET, "next");
    assert_int_equal(doc.n_lines, 2);
    assert_int_equal(doc_line_spans(&doc, 0, &spans), 3);
    assert_int_equal(spans[0].style, STYLE_NAME);
    assert_int_equal(spans[1].style, STYLE_PLAIN);
    assert_int_equal(spans[2].style, STYLE_NUMBER);
    assert_memory_equal(doc.text.bytes + spans[2].begin, "12", 2);
    assert_int_equal(spans[2].end - spans[2].begin, 2);
    assert_int_equal(spans[2].front, TINT_NONE);
    assert_int_equal(spans[2].back, TINT_NONE);
    assert_int_equal(spans[2].cell.tensor, 0);
    assert_int_equal(doc_line_spans(&doc, 1, &spans), 1);
    assert_int_equal(spans[0].style, STYLE_QUIET);
    assert_lines(&doc, "Q @ 12\nnext\n");
    doc_release(&doc);
}

static void test_doc__newlines_end_lines(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    put(&doc, "a\n\nb\nc");
    assert_int_equal(doc.n_lines, 3);
    assert_lines(&doc, "a\n\nb\nc");
    put(&doc, "d");
    doc_end_line(&doc);
    assert_lines(&doc, "a\n\nb\ncd\n");
    for (size_t i = 0; i < doc.n_spans; i++)
        for (size_t at = doc.spans[i].begin; at < doc.spans[i].end; at++)
            assert_int_not_equal(doc.text.bytes[at], '\n');
    doc_release(&doc);
}

static void test_doc__a_line_finishes_the_open_one(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    put(&doc, "open");
    doc_line(&doc, STYLE_TITLE, "a %s", "title");
    doc_line(&doc, STYLE_PLAIN, "%s", "");
    doc_line(&doc, STYLE_PLAIN, "two\nlines");
    assert_lines(&doc, "open\na title\n\ntwo\nlines\n");
    doc_release(&doc);
}

static void test_doc__what_disturbs_a_line_becomes_a_question_mark(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    /* A colour sequence, NUL, a tab, DEL, a byte that is no UTF-8, U+009B, a letter cut short. */
    static const char bytes[] = "a\x1B[31m\0\tb\x7F\xFF\xC2\x9B\xE6\x97";
    doc_put(&doc, STYLE_PLAIN, bytes, sizeof bytes - 1);
    assert_lines(&doc, "a?[31m??b?????");
    assert_int_equal(doc_width(&doc), 14);
    doc_release(&doc);
}

static void test_doc__letters_of_all_kinds_stay(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    put(&doc, NIHON " e\xCC\x81t\xC3\xA9 \xF0\x9F\x98\x80");
    assert_lines(&doc, NIHON " e\xCC\x81t\xC3\xA9 \xF0\x9F\x98\x80");
    assert_int_equal(doc_width(&doc), 4 + 1 + 3 + 1 + 2);
    doc_release(&doc);
}

static void test_doc__a_span_may_point_at_a_cell(void **state)
{
    (void)state;
    struct doc doc;
    const struct span *spans;
    struct span look = bare;
    look.style = STYLE_CHANGED;
    look.front = 3;
    look.back = 255;
    look.cell = (struct cell_ref){.tensor = UINT64_C(1) << 40, .position = 8};
    doc_init(&doc);
    put(&doc, "before ");
    doc_put_span(&doc, "0.5*", 4, look);
    doc_end_line(&doc);
    assert_int_equal(doc_line_spans(&doc, 0, &spans), 2);
    assert_int_equal(spans[1].begin, 7);
    assert_int_equal(spans[1].end, 11);
    assert_int_equal(spans[1].style, STYLE_CHANGED);
    assert_int_equal(spans[1].front, 3);
    assert_int_equal(spans[1].back, 255);
    assert_true(spans[1].cell.tensor == UINT64_C(1) << 40);
    assert_int_equal(spans[1].cell.position, 8);
    doc_release(&doc);
}

static void test_doc__width_is_that_of_the_widest_line(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "abc");
    doc_line(&doc, STYLE_PLAIN, "%s", NIHON "x");
    doc_end_line(&doc);
    assert_int_equal(doc_line_width(&doc, 0), 3);
    assert_int_equal(doc_line_width(&doc, 1), 5);
    assert_int_equal(doc_line_width(&doc, 2), 0);
    assert_int_equal(doc_width(&doc), 5);
    put(&doc, "open line");
    assert_int_equal(doc_width(&doc), 9);
    doc_release(&doc);
}

static void test_doc__clear_starts_anew(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "old");
    put(&doc, "open");
    doc_clear(&doc);
    assert_int_equal(doc.n_lines, 0);
    assert_lines(&doc, "");
    doc_line(&doc, STYLE_PLAIN, "new");
    assert_lines(&doc, "new\n");
    doc_release(&doc);
}

static void test_doc__append_indents_and_keeps_looks(void **state)
{
    (void)state;
    struct doc doc, part;
    const struct span *spans;
    struct span look = bare;
    look.back = 9;
    look.cell = (struct cell_ref){.tensor = 4, .position = 2};
    doc_init(&doc);
    doc_init(&part);
    doc_put_span(&part, "cell", 4, look);
    doc_end_line(&part);
    doc_end_line(&part);
    put(&part, "open");
    put(&doc, "above");
    doc_append(&doc, &part, 3);
    assert_lines(&doc, "above\n   cell\n\n   open\n");
    assert_int_equal(doc_line_spans(&doc, 1, &spans), 2);
    assert_int_equal(spans[0].back, TINT_NONE);
    assert_int_equal(spans[1].back, 9);
    assert_int_equal(spans[1].cell.tensor, 4);
    assert_int_equal(spans[1].cell.position, 2);
    doc_append(&doc, &part, 0);
    assert_lines(&doc, "above\n   cell\n\n   open\ncell\n\nopen\n");
    doc_release(&doc);
    doc_release(&part);
}

static void test_doc__append_takes_the_first_lines(void **state)
{
    (void)state;
    struct doc doc, part;
    doc_init(&doc);
    doc_init(&part);
    put(&part, "one\ntwo\nthree\n");
    doc_append_lines(&doc, &part, 2, 1);
    assert_lines(&doc, " one\n two\n");
    doc_append_lines(&doc, &part, 0, 1);
    doc_append_lines(&doc, &part, 9, 0);
    assert_lines(&doc, " one\n two\none\ntwo\nthree\n");
    doc_release(&doc);
    doc_release(&part);
}

static void test_doc__beside_aligns_the_right_part(void **state)
{
    (void)state;
    struct doc doc, left, right;
    doc_init(&doc);
    doc_init(&left);
    doc_init(&right);
    doc_line(&left, STYLE_PLAIN, "%s", NIHON); /* four columns, the widest */
    doc_line(&left, STYLE_PLAIN, "b");
    doc_line(&right, STYLE_PLAIN, "1");
    doc_line(&right, STYLE_PLAIN, "2");
    doc_end_line(&right);
    doc_line(&right, STYLE_PLAIN, "4");
    doc_append_beside(&doc, &left, &right, 2);
    assert_lines(&doc, NIHON "  1\nb     2\n\n      4\n");
    doc_clear(&doc);
    doc_append_beside(&doc, &right, &left, 1); /* the left part is the longer one */
    assert_lines(&doc, "1 " NIHON "\n2 b\n\n4\n");
    doc_release(&doc);
    doc_release(&left);
    doc_release(&right);
}

/* All that can be added, to a Doc whose error is asked for at the end. */
static bool write_all(struct error *reterr)
{
    struct doc doc, part;
    doc_init(&doc);
    doc_init(&part);
    for (int i = 0; i < 40; i++) {
        doc_add(&part, STYLE_NAME, "%d ", i);
        doc_put_span(&part, "cell\n", 5, bare);
    }
    put(&doc, "open");
    doc_append(&doc, &part, 70);
    doc_append_beside(&doc, &part, &part, 80);
    doc_line(&doc, STYLE_GOOD, "%0200d", 1);
    bool complete = doc_check(&doc, reterr);
    if (complete)
        assert_int_equal(doc.n_lines, 1 + 40 + 40 + 1);
    doc_release(&doc);
    doc_release(&part);
    return complete;
}

static void assert_wraps(const char *text, size_t width_cols, size_t indent_cols,
                         const char *expected)
{
    struct doc doc;
    doc_init(&doc);
    doc_wrap(&doc, STYLE_PLAIN, text, width_cols, indent_cols);
    assert_lines(&doc, expected);
    doc_release(&doc);
}

static void test_doc__wrapped_lines_break_between_words(void **state)
{
    (void)state;
    assert_wraps("one two three", 8, 0, "one two\nthree\n");
    assert_wraps("one two three", 7, 0, "one two\nthree\n"); /* 7 columns, not a blank more */
    assert_wraps("one two three", 6, 0, "one\ntwo\nthree\n");
    assert_wraps("one two three", 8, 2, "  one\n  two\n  three\n");
    assert_wraps("one two three", SIZE_MAX, 0, "one two three\n");
    assert_wraps("seventeen is ten", 4, 0, "seventeen\nis\nten\n"); /* no word is cut */
    assert_wraps(NIHON " " NIHON, 9, 0, NIHON " " NIHON "\n");
    assert_wraps(NIHON " " NIHON, 8, 0, NIHON "\n" NIHON "\n");
    assert_wraps("", 8, 2, "");
}

static void test_doc__wrapped_lines_end_at_newlines_too(void **state)
{
    (void)state;
    assert_wraps("one\ntwo three", 20, 0, "one\ntwo three\n");
    assert_wraps("one\n\ntwo\n", 20, 2, "  one\n\n  two\n");
}

static void test_doc__failed_allocations_are_found_at_the_end(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(write_all(&error), error);
}

static void test_doc__nothing_is_added_after_a_failure(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "whole");
    testing_fail_allocation(1);
    doc_line(&doc, STYLE_PLAIN, "%02000d", 1);
    testing_fail_allocation(0);
    size_t n_lines = doc.n_lines, n_spans = doc.n_spans;
    put(&doc, "more");
    doc_end_line(&doc);
    doc_line(&doc, STYLE_PLAIN, "and more");
    assert_int_equal(doc.n_lines, n_lines);
    assert_int_equal(doc.n_spans, n_spans);
    assert_error(doc_check(&doc, &error), error, ERR_MEMORY);
    doc_clear(&doc);
    assert_true(doc_check(&doc, &error));
    doc_line(&doc, STYLE_PLAIN, "again");
    assert_lines(&doc, "again\n");
    doc_release(&doc);
}

static void test_doc__an_incomplete_part_makes_the_whole_incomplete(void **state)
{
    (void)state;
    struct doc doc, part, fine;
    struct error error;
    doc_init(&doc);
    doc_init(&part);
    doc_init(&fine);
    testing_fail_allocation(1);
    doc_line(&part, STYLE_PLAIN, "lost");
    testing_fail_allocation(0);
    doc_append(&doc, &part, 2);
    assert_error(doc_check(&doc, &error), error, ERR_MEMORY);
    doc_clear(&doc);
    doc_append_beside(&doc, &part, &fine, 2);
    assert_error(doc_check(&doc, &error), error, ERR_MEMORY);
    doc_clear(&doc);
    doc_append_beside(&doc, &fine, &part, 2);
    assert_error(doc_check(&doc, &error), error, ERR_MEMORY);
    doc_release(&doc);
    doc_release(&part);
    doc_release(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doc__nothing_is_no_lines),
        cmocka_unit_test(test_doc__spans_keep_style_and_order),
        cmocka_unit_test(test_doc__newlines_end_lines),
        cmocka_unit_test(test_doc__a_line_finishes_the_open_one),
        cmocka_unit_test(test_doc__what_disturbs_a_line_becomes_a_question_mark),
        cmocka_unit_test(test_doc__letters_of_all_kinds_stay),
        cmocka_unit_test(test_doc__a_span_may_point_at_a_cell),
        cmocka_unit_test(test_doc__width_is_that_of_the_widest_line),
        cmocka_unit_test(test_doc__clear_starts_anew),
        cmocka_unit_test(test_doc__append_indents_and_keeps_looks),
        cmocka_unit_test(test_doc__append_takes_the_first_lines),
        cmocka_unit_test(test_doc__beside_aligns_the_right_part),
        cmocka_unit_test(test_doc__wrapped_lines_break_between_words),
        cmocka_unit_test(test_doc__wrapped_lines_end_at_newlines_too),
        cmocka_unit_test(test_doc__failed_allocations_are_found_at_the_end),
        cmocka_unit_test(test_doc__nothing_is_added_after_a_failure),
        cmocka_unit_test(test_doc__an_incomplete_part_makes_the_whole_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
