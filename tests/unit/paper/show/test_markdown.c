/* show/markdown.h: Markdown as a Doc. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "show/backend.h"
#include "show/markdown.h"

/* Options of the tests: plain text of this width, with or without characters outside ASCII. */
static struct show_options wide(size_t width_cols)
{
    return (struct show_options){.width_cols = width_cols, .digits = 3};
}

static struct show_options ascii(size_t width_cols)
{
    return (struct show_options){.width_cols = width_cols, .digits = 3, .ascii = true};
}

static struct show_options coloured(size_t width_cols)
{
    return (struct show_options){.width_cols = width_cols, .digits = 3, .colour = true};
}

static void assert_shows_with(const char *markdown, struct show_options options, const char *shown)
{
    struct doc doc;
    struct text text = {0};
    doc_init(&doc);
    markdown_show(&doc, markdown, strlen(markdown), &options);
    assert_false(doc.failed);
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), shown);
    text_release(&text);
    doc_release(&doc);
}

static void assert_shows(const char *markdown, const char *shown)
{
    assert_shows_with(markdown, wide(40), shown);
}

/* ---- prose ---- */

static void test_markdown__nothing_shows_nothing(void **state)
{
    (void)state;
    assert_shows("", "");
    assert_shows("\n\n  \n", "");
    assert_shows("<!-- a note for authors -->\n", "");
    assert_shows("[here]: there.md\n", "");
}

static void test_markdown__paragraphs_are_filled(void **state)
{
    (void)state;
    static const char prose[] = "Softmax turns scores into weights.\nEach row adds up to 1, and a\n"
                                "larger score gets a larger weight.\n\n\nSecond paragraph.\n";
    assert_shows(prose, "Softmax turns scores into weights. Each\n"
                        "row adds up to 1, and a larger score\n"
                        "gets a larger weight.\n\n"
                        "Second paragraph.\n");
    assert_shows_with(
        prose, wide(80),
        "Softmax turns scores into weights. Each row adds up to 1, and a larger score\n"
        "gets a larger weight.\n\nSecond paragraph.\n");
}

static void test_markdown__blanks_in_a_row_are_one(void **state)
{
    (void)state;
    assert_shows("one   two \t three\r\nfour \n", "one two three four\n");
}

static void test_markdown__hard_breaks_end_lines(void **state)
{
    (void)state;
    assert_shows("one  \ntwo\\\nthree", "one\ntwo\nthree\n");
}

/* A line is used to its last column. */
static void test_markdown__lines_are_full(void **state)
{
    (void)state;
    assert_shows_with("123456789 123456789 123456789", wide(20),
                      "123456789 123456789\n123456789\n");
    assert_shows_with("123456789 1234567890 x", wide(20), "123456789 1234567890\nx\n");
    assert_shows_with("123456789 12345678901 x", wide(20), "123456789\n12345678901 x\n");
}

static void test_markdown__long_words_are_broken(void **state)
{
    (void)state;
    assert_shows_with("a 1234567890123456789012345678901234567890123 b", wide(20),
                      "a\n12345678901234567890\n12345678901234567890\n123 b\n");
}

/* Two columns each; none is cut in two. */
static void test_markdown__wide_letters(void **state)
{
    (void)state;
    assert_shows_with("日本語日本語日本語日本語", wide(21), "日本語日本語日本語日\n本語\n");
    assert_shows_with("日本語日 日本語日本語日", wide(20), "日本語日\n日本語日本語日\n");
    assert_shows_with("e\xCC\x81"
                      "e\xCC\x81 12345678901234567",
                      wide(20),
                      "e\xCC\x81"
                      "e\xCC\x81 12345678901234567\n");
}

static void test_markdown__headings(void **state)
{
    (void)state;
    assert_shows("# One\nText.\n## Two #\n\nThree\n=====\n###### Six\n",
                 "One\n═══\nText.\n\nTwo\n───\n\nThree\n═════\n\n► Six\n");
    assert_shows_with("# Why we divide by the root", wide(20),
                      "Why we divide by the\nroot\n════════════════════\n");
    assert_shows_with("### Why we divide by the root\nText.", wide(20),
                      "► Why we divide by\n  the root\n\nText.\n");
    assert_shows("#\n\n##\n\n###\n\nText.\n", "Text.\n");
}

/* The rule of a heading stands for an empty line, but where another rule would follow. */
static void test_markdown__headings_and_what_is_below(void **state)
{
    (void)state;
    assert_shows("## 日本\n- a\n- b\n", "日本\n────\n• a\n• b\n");
    assert_shows("## A\n### B\n## C\n", "A\n─\n\n► B\n\nC\n─\n");
    assert_shows("## A\n| b |\n|---|\n\n## C\n\n> d\n", "A\n─\n\nb\n─\n\nC\n─\n│ d\n");
    assert_shows("> ## A\n\nb\n", "│ A\n│ ─\n\nb\n");
    assert_shows("- ## A\n\n  b\n\n- c\n", "• A\n  ─\n  b\n\n• c\n");
    assert_shows("> ### A b\n> c\n", "│ ► A b\n│\n│ c\n");
}

static void test_markdown__emphasis_is_seen_without_colour(void **state)
{
    (void)state;
    assert_shows("a *b* __c__ `d` ***e***", "a *b* *c* `d` **e**\n");
    assert_shows_with("a *b* __c__ `d` ***e***", coloured(40), "a b c d e\n");
    assert_shows("### All *of* `it`\n", "► All of `it`\n");
    assert_shows("2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c\n");
}

static void test_markdown__short_code_stays_in_one_line(void **state)
{
    (void)state;
    assert_shows_with("divide it by `a / b + c` now", wide(23), "divide it by\n`a / b + c` now\n");
    assert_shows_with("divide `a / b + c + d + e + f`", wide(24),
                      "divide `a / b + c + d +\ne + f`\n");
    assert_shows("`` a  `b ``, `a\nb`", "`a  `b`, `a b`\n");
}

static void test_markdown__links_tell_where_they_lead(void **state)
{
    (void)state;
    assert_shows("[Softmax](06-softmax.md) is next.", "Softmax is next.\n");
    assert_shows("[above](#top)", "above\n");
    assert_shows("[a](../docs/a.md)", "a (../docs/a.md)\n");
    assert_shows("[paper](https://e.org/?a&amp;b)", "paper (https://e.org/?a&b)\n");
    assert_shows("<https://e.org>", "https://e.org\n");
    assert_shows("[](https://e.org)", "(https://e.org)\n");
    assert_shows("[a][b]\n\n[b]: https://e.org\n", "a (https://e.org)\n");
    assert_shows("![a picture of *it*](a/b.png)", "a picture of *it*\n");
}

static void test_markdown__html_is_left_out(void **state)
{
    (void)state;
    assert_shows("one\n\n<div>\nblock\n</div>\n\ntwo <b>bold</b> <br/>three\n",
                 "one\n\ntwo bold three\n");
}

static void test_markdown__entities(void **state)
{
    (void)state;
    assert_shows("&lt;a&gt; &amp; &quot;&#65;&#x3bb;&lambda;&quot; &hellip;",
                 "<a> & \"A\xCE\xBB\xCE\xBB\" \xE2\x80\xA6\n");
    assert_shows("&nosuch; &#0; &#xD800; &#x1F600;",
                 "&nosuch; \xEF\xBF\xBD \xEF\xBF\xBD \xF0\x9F\x98\x80\n");
}

/* Whatever stands in the text, a terminal can be trusted with it. */
static void test_markdown__controls_are_shown_as_such(void **state)
{
    (void)state;
    assert_shows("a\x1B[31mb \x01 \xE2\x80\xAE \xFF `\x01 \x1B`", "a?[31mb ? ? ? `? ?`\n");
    assert_shows("&#27;[31m", "\xEF\xBF\xBD[31m\n");
    struct doc doc;
    struct text text = {0};
    const struct show_options options = wide(40);
    doc_init(&doc);
    markdown_show(&doc, "a\0b", 3, &options);
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), "a\xEF\xBF\xBD"
                                            "b\n");
    text_release(&text);
    doc_release(&doc);
}

/* ---- blocks ---- */

static void test_markdown__lists(void **state)
{
    (void)state;
    assert_shows("Before:\n- one that goes on over the end of its line\n- two\n\nAfter.",
                 "Before:\n\n• one that goes on over the end of its\n  line\n• two\n\nAfter.\n");
    assert_shows("9. nine\n10. ten that goes on over the end of its line\n",
                 "9. nine\n10. ten that goes on over the end of its\n    line\n");
    assert_shows("1) one\n2) two\n", "1) one\n2) two\n");
    assert_shows("- one\n-\n- three", "• one\n•\n• three\n");
    assert_shows("-", "•\n");
    assert_shows("a\n\n- ```\n  ```\n\n  b\n", "a\n\n• b\n");
}

static void test_markdown__lists_with_air(void **state)
{
    (void)state;
    assert_shows("- one\n\n  more of one\n\n- two\n", "• one\n\n  more of one\n\n• two\n");
    assert_shows("1. one\n\n2. two\n", "1. one\n\n2. two\n");
}

static void test_markdown__nested_lists(void **state)
{
    (void)state;
    assert_shows("- a\n  - b\n    1. c\n    2. d\n  - e\n- f\n",
                 "• a\n  • b\n    1. c\n    2. d\n  • e\n• f\n");
    assert_shows("- a\n\n  - b\n  - c\n\n- d\n", "• a\n\n  • b\n  • c\n\n• d\n");
    assert_shows("- - a\n  - b\n", "• • a\n  • b\n");
    assert_shows("- a\n\n      code\n", "• a\n\n      code\n");
    assert_shows("- a\n  > b\n- c\n", "• a\n  │ b\n• c\n");
}

static void test_markdown__code_stays_as_it_is(void **state)
{
    (void)state;
    assert_shows(
        "Do:\n```c\nfloat a =  1;\n\n  /* a line that is much wider than the width */\n```\nDone.",
        "Do:\n\n    float a =  1;\n\n      /* a line that is much wider than the width "
        "*/\n\nDone.\n");
    assert_shows("    a\n\n      b\n", "    a\n\n      b\n");
    assert_shows("```\n\ta\n ab\tb\n```\n", "        a\n     ab b\n");
    assert_shows("```\n```\n", "");
    assert_shows("a\n```\n```\nb", "a\n\nb\n");
    assert_shows("~~~\n*a* `b` &amp;\n", "    *a* `b` &amp;\n");
}

static void test_markdown__quotes(void **state)
{
    (void)state;
    assert_shows("> one that goes on over the end of its line\n>\n> - two\n\nAfter.",
                 "│ one that goes on over the end of its\n│ line\n│\n│ • two\n\nAfter.\n");
    assert_shows("> a\n> > b\n>\n> c\n", "│ a\n│\n│ │ b\n│\n│ c\n");
    assert_shows("> a\n\n> b\n", "│ a\n\n│ b\n");
    assert_shows("> ```\n> a\n>\n> b\n> ```\n", "│     a\n│\n│     b\n");
    assert_shows(">\n", "");
}

static void test_markdown__rules(void **state)
{
    (void)state;
    assert_shows_with("a\n\n***\n> ---\n", wide(20),
                      "a\n\n────────────────────\n\n│ ──────────────────\n");
}

static void test_markdown__ascii(void **state)
{
    (void)state;
    assert_shows_with("# a\n## b\n### c\n", ascii(20), "a\n=\n\nb\n-\n\n> c\n");
    assert_shows_with("- a\n\n> b\n\n---\n\n| c | d |\n|---|---|\n| e | \xC3\xA9 |\n", ascii(20),
                      "- a\n\n| b\n\n--------------------\n\nc  d\n-  -\ne  \xC3\xA9\n");
}

/* ---- tables ---- */

static const char table[] = "| array | shape | what it is for |\n"
                            "|:------|------:|:--------------:|\n"
                            "| query | `(n_q, d_k)` | what each word asks for |\n"
                            "| 日本 | 12 | x |\n"
                            "| **k** | |\n";

static void test_markdown__tables(void **state)
{
    (void)state;
    assert_shows_with(table, coloured(80),
                      "array       shape      what it is for\n"
                      "─────  ──────────  ───────────────────────\n"
                      "query  (n_q, d_k)  what each word asks for\n"
                      "日本           12             x\n"
                      "k\n");
    assert_shows("| a |\n|---|\n", "a\n─\n");
}

/* A column that holds only numbers stands to the right, unless the text says how it stands. */
static void test_markdown__tables_of_numbers(void **state)
{
    (void)state;
    assert_shows("| d_k | spread | e | words |\n|---|---|:--|---|\n| 4 | 2.0 | 1 | one |\n"
                 "| 512 | **-22.6** | 10 | 2 |\n| ? | `1e-30` | 100 | |\n",
                 "d_k   spread  e    words\n"
                 "───  ───────  ───  ─────\n"
                 "  4      2.0  1    one\n"
                 "512  *-22.6*  10   2\n"
                 "  ?  `1e-30`  100\n");
    assert_shows("| a | masked |\n|---|---|\n| 1, 2 | -inf |\n| 3 | 0 |\n",
                 "   a  masked\n────  ──────\n1, 2    -inf\n   3       0\n");
    assert_shows("| a cell | b |\n|---|---|\n| ? | - |\n| | x1 |\n",
                 "a cell  b\n──────  ──\n     ?  -\n        x1\n");
    assert_shows("| size |\n|---|\n| |\n", "size\n────\n\n");
}

/* Cells are filled; words and pieces of code stay whole. */
static void test_markdown__tables_are_made_to_fit(void **state)
{
    (void)state;
    assert_shows_with(table, coloured(36),
                      "array       shape   what it is for\n"
                      "─────  ──────────  ─────────────────\n"
                      "query  (n_q, d_k)   what each word\n"
                      "                       asks for\n"
                      "日本           12          x\n"
                      "k\n");
}

/* Where the first column's cells take several lines, empty lines tell where rows begin. */
static void test_markdown__rows_of_tables_are_told_apart(void **state)
{
    (void)state;
    assert_shows_with("| database | attention |\n|---|---|\n"
                      "| a key is equal or it is not | every key fits somewhat |\n"
                      "| may find nothing | always answers |\n| k | v |\n",
                      wide(32),
                      "database         attention\n"
                      "───────────────  ───────────────\n"
                      "a key is equal   every key fits\n"
                      "or it is not     somewhat\n"
                      "\n"
                      "may find         always answers\n"
                      "nothing\n"
                      "\n"
                      "k                v\n");
}

static void test_markdown__tables_too_wide_become_lists(void **state)
{
    (void)state;
    assert_shows_with(table, coloured(24),
                      "array: query\n"
                      "shape: (n_q, d_k)\n"
                      "what it is for\n"
                      "  what each word asks\n"
                      "  for\n"
                      "\n"
                      "array: 日本\n"
                      "shape: 12\n"
                      "what it is for: x\n"
                      "\n"
                      "array: k\n");
    assert_shows_with("| first one | 12345678901 |\n|---|---|\n", wide(20),
                      "first one\n12345678901\n");
}

static void test_markdown__tables_within_others(void **state)
{
    (void)state;
    assert_shows("- a\n\n  | b | c |\n  |---|---|\n  | d | e |\n\n> | f |\n> |---|\n",
                 "• a\n\n  b  c\n  ─  ─\n  d  e\n\n│ f\n│ ─\n");
}

/* A short text that asks for very many cells gets a part of them. */
static void test_markdown__tables_are_bounded(void **state)
{
    (void)state;
    enum { COLS = 400, ROWS = 400 };
    struct text text = {0}, shown = {0};
    struct doc doc;
    const struct show_options options = wide(40);
    text_repeat(&text, "|a", COLS);
    text_put(&text, "|\n");
    text_repeat(&text, "|---", COLS);
    text_put(&text, "|\n");
    text_repeat(&text, "|b|\n", ROWS);
    doc_init(&doc);
    markdown_show(&doc, text.bytes, text.size, &options);
    assert_false(doc.failed);
    doc_to_plain(&doc, &shown);
    assert_non_null(strstr(shown.bytes, "\n...\n"));
    text_release(&text);
    text_release(&shown);
    doc_release(&doc);
}

/* ---- styles ---- */

/* The style of the first span whose text is `words`. */
static enum style style_of(const struct doc *doc, const char *words)
{
    for (size_t i = 0; i < doc->n_spans; i++) {
        const struct span *span = &doc->spans[i];
        if (span->end - span->begin == strlen(words) &&
            memcmp(doc->text.bytes + span->begin, words, strlen(words)) == 0)
            return span->style;
    }
    fail_msg("no span is \"%s\"", words);
    return STYLE_COUNT;
}

static void test_markdown__styles(void **state)
{
    (void)state;
    static const char markdown[] =
        "# Head\n\nplain **strong** *em* `code` [link](https://e.org)\n\n"
        "    formula\n\n```\nblock\n```\n\n> quoted\n\n- item\n\n"
        "| th |\n|---|\n| td `q` |\n";
    struct doc doc;
    const struct show_options options = coloured(60);
    doc_init(&doc);
    markdown_show(&doc, markdown, strlen(markdown), &options);
    assert_int_equal(style_of(&doc, "Head"), STYLE_TITLE);
    assert_int_equal(style_of(&doc, "plain "), STYLE_PLAIN);
    assert_int_equal(style_of(&doc, "strong"), STYLE_TITLE);
    assert_int_equal(style_of(&doc, "em"), STYLE_TITLE);
    assert_int_equal(style_of(&doc, "code"), STYLE_NAME);
    assert_int_equal(style_of(&doc, " link "), STYLE_PLAIN);
    assert_int_equal(style_of(&doc, "(https://e.org)"), STYLE_QUIET);
    assert_int_equal(style_of(&doc, "formula"), STYLE_NAME);
    assert_int_equal(style_of(&doc, "block"), STYLE_NUMBER);
    assert_int_equal(style_of(&doc, "│ "), STYLE_QUIET);
    assert_int_equal(style_of(&doc, "quoted"), STYLE_PLAIN);
    assert_int_equal(style_of(&doc, "• "), STYLE_QUIET);
    assert_int_equal(style_of(&doc, "th"), STYLE_TITLE);
    assert_int_equal(style_of(&doc, "td "), STYLE_PLAIN);
    assert_int_equal(style_of(&doc, "q"), STYLE_NAME);
    doc_release(&doc);
}

/* ---- what is around it ---- */

static void test_markdown__goes_below_what_is_there(void **state)
{
    (void)state;
    struct doc doc;
    struct text text = {0};
    const struct show_options options = wide(40);
    doc_init(&doc);
    doc_add(&doc, STYLE_TITLE, "before");
    markdown_show(&doc, "a\n\nb", 4, &options);
    markdown_show(&doc, "c", 1, &options);
    markdown_show(&doc, NULL, 0, &options);
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), "before\na\n\nb\nc\n");
    text_release(&text);
    doc_release(&doc);
}

/* Lines of prose keep to the width, however deep they lie; 20 is the least. */
static void test_markdown__deep_nesting_keeps_to_the_width(void **state)
{
    (void)state;
    static const size_t depths[] = {1, 5, 10, 63, 64, 65, 200, 1000};
    static const char *const marks[] = {"> ", "- ", "1. ", "> - "};
    for (size_t i = 0; i < COUNT_OF(depths) * 4; i++) {
        struct text text = {0};
        struct doc doc;
        const struct show_options options = wide(i % 3 == 0 ? 1 : 40);
        size_t width = options.width_cols < 20 ? 20 : options.width_cols;
        text_repeat(&text, marks[i % 4], depths[i / 4]);
        text_put(&text, "some words that need more than one line at any of these widths\n\nend");
        doc_init(&doc);
        markdown_show(&doc, text.bytes, text.size, &options);
        assert_false(doc.failed);
        assert_true(doc_width(&doc) <= width);
        assert_true(doc.n_lines >= 4);
        assert_int_equal(doc_line_width(&doc, doc.n_lines - 1), 3);
        text_release(&text);
        doc_release(&doc);
    }
}

/* The same for spans. */
static void test_markdown__deep_spans(void **state)
{
    (void)state;
    static const char *const openings[] = {"*", "**a ", "[", "![", "`", "<", "[a](", "_a "};
    for (size_t i = 0; i < COUNT_OF(openings); i++) {
        struct text text = {0};
        struct doc doc;
        const struct show_options options = wide(40);
        text_repeat(&text, openings[i], 5000);
        text_put(&text, "x");
        doc_init(&doc);
        markdown_show(&doc, text.bytes, text.size, &options);
        assert_false(doc.failed);
        assert_true(doc_width(&doc) <= 40);
        text_release(&text);
        doc_release(&doc);
    }
}

static bool show_all(struct doc *doc, struct error *reterr)
{
    static const char markdown[] = "# Head\n\nwords `c` [l](https://e.org)\n\n- a\n- b\n\n> q\n\n"
                                   "---\n\n    code\n\n| a | b |\n|---|---|\n| c | d |\n";
    const struct show_options options = wide(40);
    doc_release(doc);
    markdown_show(doc, markdown, sizeof markdown - 1, &options);
    return doc_check(doc, reterr);
}

static void test_markdown__memory_may_run_out(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    doc_init(&doc);
    assert_reports_failed_allocations(show_all(&doc, &error), error);
    doc_release(&doc);
}

/* Cut off anywhere, and with anything behind it. */
static void test_markdown__ends_anywhere(void **state)
{
    (void)state;
    static const char markdown[] = "# A `b`\n[l](<u> \"t\") ![p](q 't') <a> &amp; **c**\n> d\n\n"
                                   "|a|\n|---|\n|b|\n\n[r]: /u (t)\n\n1. x\n   ```c\n   y\n";
    const struct show_options options = wide(40);
    for (size_t size = 0; size < sizeof markdown; size++) {
        char *copy = test_malloc(size + 1);
        struct doc doc;
        memcpy(copy, markdown, size);
        copy[size] = ')';
        doc_init(&doc);
        markdown_show(&doc, copy, size, &options);
        assert_false(doc.failed);
        assert_true(doc_width(&doc) <= 40);
        doc_release(&doc);
        test_free(copy);
    }
}

/* What a task looks like. */
static void test_markdown__task(void **state)
{
    (void)state;
    assert_shows("# One number\n\nMultiply the numbers pair by pair.\nReturn the sum.\n\n"
                 "    dot = a[0]*b[0] + ...\n\n```console\nattn> dot(a, b)\n3\n```\n\n"
                 "## Good to know\n\n- `n` is at least 1.\n",
                 "One number\n══════════\nMultiply the numbers pair by pair.\nReturn the sum.\n\n"
                 "    dot = a[0]*b[0] + ...\n\n    attn> dot(a, b)\n    3\n\n"
                 "Good to know\n────────────\n• `n` is at least 1.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown__nothing_shows_nothing),
        cmocka_unit_test(test_markdown__paragraphs_are_filled),
        cmocka_unit_test(test_markdown__blanks_in_a_row_are_one),
        cmocka_unit_test(test_markdown__hard_breaks_end_lines),
        cmocka_unit_test(test_markdown__lines_are_full),
        cmocka_unit_test(test_markdown__long_words_are_broken),
        cmocka_unit_test(test_markdown__wide_letters),
        cmocka_unit_test(test_markdown__headings),
        cmocka_unit_test(test_markdown__headings_and_what_is_below),
        cmocka_unit_test(test_markdown__emphasis_is_seen_without_colour),
        cmocka_unit_test(test_markdown__short_code_stays_in_one_line),
        cmocka_unit_test(test_markdown__links_tell_where_they_lead),
        cmocka_unit_test(test_markdown__html_is_left_out),
        cmocka_unit_test(test_markdown__entities),
        cmocka_unit_test(test_markdown__controls_are_shown_as_such),
        cmocka_unit_test(test_markdown__lists),
        cmocka_unit_test(test_markdown__lists_with_air),
        cmocka_unit_test(test_markdown__nested_lists),
        cmocka_unit_test(test_markdown__code_stays_as_it_is),
        cmocka_unit_test(test_markdown__quotes),
        cmocka_unit_test(test_markdown__rules),
        cmocka_unit_test(test_markdown__ascii),
        cmocka_unit_test(test_markdown__tables),
        cmocka_unit_test(test_markdown__tables_of_numbers),
        cmocka_unit_test(test_markdown__tables_are_made_to_fit),
        cmocka_unit_test(test_markdown__rows_of_tables_are_told_apart),
        cmocka_unit_test(test_markdown__tables_too_wide_become_lists),
        cmocka_unit_test(test_markdown__tables_within_others),
        cmocka_unit_test(test_markdown__tables_are_bounded),
        cmocka_unit_test(test_markdown__styles),
        cmocka_unit_test(test_markdown__goes_below_what_is_there),
        cmocka_unit_test(test_markdown__deep_nesting_keeps_to_the_width),
        cmocka_unit_test(test_markdown__deep_spans),
        cmocka_unit_test(test_markdown__memory_may_run_out),
        cmocka_unit_test(test_markdown__ends_anywhere),
        cmocka_unit_test(test_markdown__task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
