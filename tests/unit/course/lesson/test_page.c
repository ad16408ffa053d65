/* course/lesson/page.h: code with what it gives, prose with its numbers, whole pages. */
#include "lang_testing.h"

#include <string.h>

#include "commands/command.h"
#include "course/lesson/page_internal.h"
#include "course_testing.h"

/* A session and a Doc with a line above what is tested. */
struct desk {
    struct lang lang;
    struct doc out;
    struct text shown;
};

static int desk_open(void **state)
{
    static struct desk desk;
    desk = (struct desk){0};
    lang_open(&desk.lang);
    doc_init(&desk.out);
    *state = &desk;
    return 0;
}

static int desk_close(void **state)
{
    struct desk *desk = *state;
    lang_close(&desk->lang);
    doc_release(&desk->out);
    text_release(&desk->shown);
    return 0;
}

/* The Doc so far is this. */
static void assert_shown(struct desk *desk, const char *wanted)
{
    text_clear(&desk->shown);
    doc_check_lines(&desk->out, 0, false, &desk->shown);
    assert_string_equal(text_string(&desk->shown), wanted);
    doc_clear(&desk->out);
}

static void run(struct desk *desk, const char *code)
{
    struct lesson_text text = {(char *)code, 10};
    struct error error;
    unsigned line = 0;
    if (!code_run(&desk->lang.session, &text, &desk->out, &line, &error))
        fail_msg("line %u: %s", line, error.text);
}

/* ---- lines ---- */

static void assert_lines(const char *code, const char *lines)
{
    struct text text = {0};
    struct lesson_text source = {(char *)code, 1};
    const char *line;
    size_t size;
    struct code_lines all = code_lines_of(&source);
    while (code_lines_next(&all, &line, &size)) {
        text_char(&text, '<');
        text_add(&text, line, size);
        text_char(&text, '>');
    }
    assert_int_equal(all.at, strlen(code));
    assert_string_equal(text_string(&text), lines);
    text_release(&text);
}

static void test_page__lines_are_those_of_the_language(void **state)
{
    (void)state;
    assert_lines("", "");
    struct code_lines none = code_lines_of(NULL);
    assert_false(code_lines_next(&none, &(const char *){NULL}, &(size_t){0}));
    assert_lines("a", "<a>");
    assert_lines("a\nb\n", "<a\n><b\n>");
    assert_lines("a = [1,\n  2]\n\nb", "<a = [1,\n  2]\n><\n><b>");
    assert_lines("a\r\nb\r\n", "<a\r\n><b\r\n>");
    assert_lines("a\n!\nc\n", "<a\n><!\n><c\n>");
    assert_lines("a = [1,\n", "<a = [1,\n>");
}

/* The time for long code grows with it, not with its square: a minute would be one. */
static void test_page__many_lines(void **state)
{
    struct text text = {0};
    const char *line;
    size_t size, n = 0;
    (void)state;
    text_repeat(&text, "a\n", 1000000);
    struct lesson_text code = {text.bytes, 1};
    struct code_lines lines = code_lines_of(&code);
    while (code_lines_next(&lines, &line, &size))
        n++;
    assert_int_equal(n, 1000000);
    text_release(&text);
}

/* ---- code ---- */

static void test_page__code_shows_each_line_with_what_it_gives(void **state)
{
    struct desk *desk = *state;
    run(desk, "a = 2\n\n   \na + 1\nm = [1,\n  2]\n# a comment\n");
    assert_shown(desk,
                 "attn> a = 2\nattn> a + 1\n3\nattn> m = [1,\n  ...   2]\nattn> # a comment\n");
    assert_number(&desk->lang, "m[1]", 2, 0);
}

static void test_page__code_may_run_unseen(void **state)
{
    struct desk *desk = *state;
    struct lesson_text text = {(char[]){"a = 2\na\n"}, 1};
    struct error error;
    unsigned line;
    assert_true(code_run(&desk->lang.session, &text, NULL, &line, &error));
    assert_number(&desk->lang, "a", 2, 0);
}

static void test_page__a_failing_line_is_named(void **state)
{
    struct desk *desk = *state;
    struct lesson_text text = {(char[]){"a = [1,\n 2]\n\na @ nowhere\nb = 1\n"}, 10};
    struct error error;
    unsigned line = 0;
    assert_error(code_run(&desk->lang.session, &text, &desk->out, &line, &error), error, ERR_NAME);
    assert_int_equal(line, 13);
    assert_int_equal(error.begin, error.end);
    assert_null(names_get(&desk->lang.session.names, "b", 1));
    assert_false(code_run(&desk->lang.session, &text, NULL, &line, NULL));
    text.text = (char[]){"a = [1,\n 2\n"};
    assert_error(code_run(&desk->lang.session, &text, NULL, &line, &error), error, ERR_SYNTAX);
    assert_int_equal(line, 10);
}

static void test_page__code_with_carriage_returns(void **state)
{
    struct desk *desk = *state;
    run(desk, "a = 2\r\na + [1,\r\n 2]\r\n");
    assert_shown(desk, "attn> a = 2\nattn> a + [1,\n  ...  2]\n3  4\n");
}

static void show(struct desk *desk, const char *code, size_t width, const char *wanted)
{
    code_show(code, strlen(code), width, &desk->out);
    size_t widest = doc_width(&desk->out);
    assert_true(widest <= (width > 26 ? width : 28));
    assert_shown(desk, wanted);
}

static void test_page__code_is_broken_at_blanks(void **state)
{
    struct desk *desk = *state;
    show(desk, "", 40, "");
    show(desk, "a = 1\n", 40, "attn> a = 1\n");
    show(desk, "a = 1", 40, "attn> a = 1\n");
    show(desk, "\n\n", 40, "attn> \n  ... \n");
    show(desk, "scores = softmax(Q @ K.T / sqrt(d_k), dim=-1)\n", 40,
         "attn> scores = softmax(Q @ K.T /\n        sqrt(d_k), dim=-1)\n");
    show(desk, "scores=softmax(Q@K.T/sqrt(d_k),dim=-1)+one_more", 40,
         "attn> scores=softmax(Q@K.T/sqrt(d_k),d\n        im=-1)+one_more\n");
    show(desk, "a = 1 + 2 + 3 + 4 + 5 + 6 + 7", 0,
         "attn> a = 1 + 2 + 3 + 4 +\n        5 + 6 + 7\n");
    show(desk, "w = [\"\xC3\xA9t\xC3\xA9\", \"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\"]", 80,
         "attn> w = [\"\xC3\xA9t\xC3\xA9\", \"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\"]\n");
}

static void test_page__a_very_long_line(void **state)
{
    struct desk *desk = *state;
    struct text code = {0};
    text_repeat(&code, "\xE6\x97\xA5", 100000);
    code_show(text_string(&code), code.size, 1, &desk->out);
    assert_true(doc_width(&desk->out) <= 28);
    doc_clear(&desk->out);
    text_clear(&code);
    text_repeat(&code, " ", 1024 * 1024);
    code_show(text_string(&code), code.size, 80, &desk->out);
    assert_true(desk->out.n_lines < 100);
    text_release(&code);
}

/* ---- prose ---- */

static void test_page__prose_with_numbers(void **state)
{
    struct desk *desk = *state;
    struct error error;
    unsigned line = 0;
    lang_run(&desk->lang, "a = [1, 2]");
    assert_true(
        prose_show(&desk->lang.session, "It is `= a`,\n*not* `a`.\n", &desk->out, &line, &error));
    assert_shown(desk, "It is [1, 2], *not* `a`.\n");
    doc_line(&desk->out, STYLE_PLAIN, "above");
    assert_error(
        prose_show(&desk->lang.session, "One.\n\nIt is `= nowhere`.\n", &desk->out, &line, &error),
        error, ERR_NAME);
    assert_int_equal(line, 2);
    assert_shown(desk, "above\n");
}

/* ---- pages ---- */

static struct lesson *parse(const char *text)
{
    struct lesson *lesson;
    struct error error;
    if (!lesson_parse("some.md", text, strlen(text), &lesson, &error))
        fail_msg("%s", error.text);
    return lesson;
}

#define HEAD              \
    "---\n"               \
    "id: some\n"          \
    "title: Some\n"       \
    "minutes: 1\n"        \
    "objectives: [see]\n" \
    "---\n"               \
    "# Some\n"            \
    "## Step\n"

static void test_page__parts_stand_apart(void **state)
{
    struct desk *desk = *state;
    struct error error;
    unsigned line = 0;
    struct lesson *lesson = parse(HEAD "One.\n"
                                       "```attn quiet\na = 3\n```\n"
                                       "Two: `= a`.\n"
                                       "```attn\na + 1\n```\n"
                                       "```attn quiet\na = 4\n```\n"
                                       "```attn\na + 1\n```\n"
                                       "Three: `= a`.\n"
                                       "```attn type\na = 5\n```\n");
    const struct page *page = &lesson->pages[lesson->n_pages - 1];
    assert_true(page_run(&desk->lang.session, page, false, &desk->out, &line, &error));
    text_clear(&desk->shown);
    doc_check_lines(&desk->out, 0, false, &desk->shown);
    const char *body = strstr(text_string(&desk->shown), "One.");
    assert_non_null(body);
    assert_string_equal(body, "One.\n\nTwo: 3.\n\nattn> a + 1\n4\n\nattn> a + 1\n5\n\nThree: 4.\n");
    assert_number(&desk->lang, "a", 4, 0); /* what is offered is not run */
    assert_true(page_run(&desk->lang.session, page, false, NULL, &line, &error));
    assert_number(&desk->lang, "a", 4, 0);
    lesson_free(lesson);
}

/* Showing a page computes its prose in between, which leaves no trace: both ways give the same. */
static void test_page__seen_or_unseen_is_the_same_to_the_session(void **state)
{
    struct desk *desk = *state;
    struct text seen = {0}, unseen = {0};
    struct error error;
    struct lang other;
    unsigned line = 0;
    struct lesson *lesson = parse(HEAD "```attn\na = rand(3)\n```\n"
                                       "Chance gave `= rand(2)`, and `= a[0]`.\n"
                                       "```attn\nb = rand(3)\nrand(1)\n```\n"
                                       "Once more `= randn(3)`.\n");
    const struct page *page = &lesson->pages[lesson->n_pages - 1];
    lang_open(&other);
    assert_true(page_run(&desk->lang.session, page, false, &desk->out, &line, &error));
    assert_true(page_run(&other.session, page, false, NULL, &line, &error));
    session_describe(&desk->lang.session, &seen);
    session_describe(&other.session, &unseen);
    assert_string_equal(text_string(&seen), text_string(&unseen));
    lang_close(&other);
    lesson_free(lesson);
    text_release(&seen);
    text_release(&unseen);
}

static void assert_fault(struct desk *desk, const char *body, unsigned wanted)
{
    struct error error;
    unsigned line = 0;
    struct text text = {0};
    text_format(&text, HEAD "%s", body);
    struct lesson *lesson = parse(text_string(&text));
    const struct page *page = &lesson->pages[lesson->n_pages - 1];
    assert_error(page_run(&desk->lang.session, page, false, &desk->out, &line, &error), error,
                 ERR_NAME);
    assert_int_equal(line, wanted);
    assert_int_equal(error.begin, error.end);
    doc_clear(&desk->out);
    lesson_free(lesson);
    text_release(&text);
}

static void test_page__faults_have_their_line_in_the_file(void **state)
{
    struct desk *desk = *state;
    assert_fault(desk, "Here `= nowhere`.\n", 9);
    assert_fault(desk, "\n\nOne.\n\nHere\n`= nowhere`.\n", 14);
    assert_fault(desk, "One.\n```attn\na = 1\nnowhere\n```\n", 12);
    assert_fault(desk, "One.\n```attn\na = 1\n```\nHere `= nowhere`.\n", 13);
    assert_fault(desk, "One.\n```attn quiet\na = [1,\n2]\n\nnowhere\n```\n", 14);
}

static void test_page__interrupted(void **state)
{
    struct desk *desk = *state;
    struct error error;
    unsigned line = 0;
    struct lesson_text code = {(char[]){"a = ones(3, 3) @ ones(3, 3)\nb = 2\n"}, 1};
    desk->lang.stop = 1;
    assert_error(code_run(&desk->lang.session, &code, &desk->out, &line, &error), error,
                 ERR_INTERRUPTED);
    desk->lang.stop = 0;
    assert_null(names_get(&desk->lang.session.names, "b", 1));
}

static bool run_all(struct desk *desk, const struct page *page, struct error *reterr)
{
    struct lang lang;
    struct doc out;
    unsigned line = 0;
    (void)desk;
    struct settings settings = {.digits = 4, .width_cols = 80};
    session_init(&lang.session, command_find, &settings, NULL, NULL);
    doc_init(&out);
    bool ok = page_run(&lang.session, page, false, &out, &line, reterr);
    doc_release(&out);
    session_release(&lang.session);
    return ok;
}

static void test_page__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct lesson *lesson = parse(HEAD "One `= 1 + 1`.\n```attn\na = [1,\n2]\na\n```\n"
                                       "```attn quiet\nb = 3\n```\nTwo `= a`, *three*.\n");
    const struct page *page = &lesson->pages[lesson->n_pages - 1];
    assert_reports_failed_allocations(run_all(desk, page, &error), error);
    lesson_free(lesson);
}

/* ---- words ---- */

static void test_page__words_are_broken(void **state)
{
    struct desk *desk = *state;
    words_show(&desk->out, STYLE_PLAIN, 12, "%s and %d more words", "some", 3);
    assert_shown(desk, "some and 3\nmore words\n");
}

static void test_page__what_was_added_is_taken_back(void **state)
{
    struct desk *desk = *state;
    doc_line(&desk->out, STYLE_PLAIN, "above");
    doc_add(&desk->out, STYLE_PLAIN, "open");
    struct doc_end end = doc_end_of(&desk->out);
    doc_add(&desk->out, STYLE_PLAIN, " more");
    doc_line(&desk->out, STYLE_PLAIN, "below");
    struct text filler = {0};
    text_repeat(&filler, "x", 100000);
    testing_fail_allocation(1);
    doc_put(&desk->out, STYLE_PLAIN, text_string(&filler), filler.size);
    testing_fail_allocation(0);
    assert_true(desk->out.failed);
    doc_take_back(&desk->out, &end);
    doc_add(&desk->out, STYLE_PLAIN, " end");
    doc_end_line(&desk->out);
    assert_shown(desk, "above\nopen end\n");
    text_release(&filler);
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, desk_open, desk_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(test_page__lines_are_those_of_the_language),
        desk_test(test_page__many_lines),
        desk_test(test_page__code_shows_each_line_with_what_it_gives),
        desk_test(test_page__code_may_run_unseen),
        desk_test(test_page__a_failing_line_is_named),
        desk_test(test_page__code_with_carriage_returns),
        desk_test(test_page__code_is_broken_at_blanks),
        desk_test(test_page__a_very_long_line),
        desk_test(test_page__prose_with_numbers),
        desk_test(test_page__parts_stand_apart),
        desk_test(test_page__seen_or_unseen_is_the_same_to_the_session),
        desk_test(test_page__faults_have_their_line_in_the_file),
        desk_test(test_page__interrupted),
        desk_test(test_page__every_failed_allocation_is_reported),
        desk_test(test_page__words_are_broken),
        desk_test(test_page__what_was_added_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
