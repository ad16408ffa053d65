/* show/backend.h: a Doc as bytes for another attn, and back. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "show/backend.h"

static bool read_text(const char *bytes, struct doc *doc, struct error *error)
{
    doc_init(doc);
    return doc_read(doc, bytes, strlen(bytes), error);
}

static void assert_reads(const char *bytes, const char *plain)
{
    struct doc doc;
    struct error error;
    struct text text = {0};
    if (!read_text(bytes, &doc, &error))
        fail_msg("%s", error.text);
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), plain);
    text_release(&text);
    doc_release(&doc);
}

static void assert_refuses(const char *bytes)
{
    struct doc doc;
    struct error error;
    assert_error(read_text(bytes, &doc, &error), error, ERR_SYNTAX);
    doc_release(&doc);
}

static void test_spans__lines_come_back(void **state)
{
    (void)state;
    assert_reads("", "");
    assert_reads("\n", "\n");
    assert_reads("a5:hellob1: d3:1.5\na1:x\n", "hello 1.5\nx\n");
    assert_reads("a2:12a1:3", "123"); /* an open line */
    assert_reads("a3:a1:\n", "a1:\n");
    assert_reads("a3:\xE2\x9C\x93\n", "\xE2\x9C\x93\n");
}

static void test_spans__styles_and_tints_come_back(void **state)
{
    (void)state;
    struct doc doc, back;
    struct error error;
    struct text text = {0};
    doc_init(&doc);
    for (int style = 0; style < STYLE_COUNT; style++)
        doc_line(&doc, (enum style)style, "line %d", style);
    doc_put_span(&doc, "tinted", 6,
                 (struct span){.style = STYLE_NUMBER, .front = TINT_NONE, .back = 200});
    doc_put_span(&doc, "more", 4, (struct span){.front = 0, .back = TINT_COUNT - 1});
    doc_to_spans(&doc, &text);
    assert_true(read_text(text_string(&text), &back, &error));
    assert_int_equal(back.n_lines, doc.n_lines);
    assert_int_equal(back.n_spans, doc.n_spans);
    for (size_t i = 0; i < doc.n_spans; i++) {
        assert_int_equal(back.spans[i].style, doc.spans[i].style);
        assert_int_equal(back.spans[i].front, doc.spans[i].front);
        assert_int_equal(back.spans[i].back, doc.spans[i].back);
        assert_int_equal(back.spans[i].begin, doc.spans[i].begin);
        assert_int_equal(back.spans[i].end, doc.spans[i].end);
    }
    assert_string_equal(text_string(&back.text), text_string(&doc.text));
    text_release(&text);
    doc_release(&doc);
    doc_release(&back);
}

static void test_spans__damaged_bytes_are_refused(void **state)
{
    (void)state;
    static const char *const damaged[] = {
        "hello",       "a",        "a5",       "a5:hell",     "z1:x",
        "A1:x",        "a:x",      "a-1:x",    "a,3,1:x",     "a,512,1,1:x",
        "a,-2,1,1:x",  "a,,1,1:x", "a3:a\nb",  "a999999999:", "a99999999999999999999:x",
        "a1:x\nq1:xy", "a1:x\xFF", "a,1,1,1x",
    };
    for (size_t i = 0; i < COUNT_OF(damaged); i++)
        assert_refuses(damaged[i]);
}

static void test_spans__what_came_before_the_damage_stays(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    assert_false(read_text("a1:x\na5:cut", &doc, &error));
    assert_int_equal(doc.n_lines, 1);
    assert_says(error, "cut off");
    doc_release(&doc);
}

static void test_spans__control_characters_do_not_come_through(void **state)
{
    (void)state;
    assert_reads("a4:a\x1b[m\n", "a?[m\n");
}

static bool read_some(struct doc *doc, struct error *error)
{
    static const char bytes[] = "a5:hello\nb5:world\n";
    doc_release(doc);
    doc_init(doc);
    return doc_read(doc, bytes, sizeof bytes - 1, error);
}

static void test_spans__a_lack_of_memory_is_told(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    doc_init(&doc);
    assert_reports_failed_allocations(read_some(&doc, &error), error);
    doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans__lines_come_back),
        cmocka_unit_test(test_spans__styles_and_tints_come_back),
        cmocka_unit_test(test_spans__damaged_bytes_are_refused),
        cmocka_unit_test(test_spans__what_came_before_the_damage_stays),
        cmocka_unit_test(test_spans__control_characters_do_not_come_through),
        cmocka_unit_test(test_spans__a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
