/* course/player/lesson_run_internal.h: a session that is led through the pages of a lesson. */
#include "lang_testing.h"

#include <stdlib.h>
#include <string.h>

#include "course/player/lesson_run_internal.h"
#include "course_testing.h"
#include "graph/node.h"
#include "lang/value/names.h"
#include "tensor/tensor.h"

enum {
    FIRST = 1,        /* the page of these, after the one with the title */
    OFFER_LINES = 70, /* more than the lines that are known as typed */
};

static const char header[] = "---\nid: small\ntitle: Small\nminutes: 1\nobjectives:\n  - count\n"
                             "---\n\n# Small\n\n## Count\n\n";
static const char pages[] = "```attn\nn = 1\n```\n\n```attn type\nn = n + 1\nm = n\n```\n\n"
                            "```attn\nn = n + 10\n```\n\n```attn type\nk = n\n```\n\nThe end.\n";

struct desk {
    struct lesson *lesson;
    struct settings settings;
    struct lesson_run run;
    struct text log, shown;
    struct doc out;
};

static void read_lesson(struct desk *desk, const char *body)
{
    struct text text = {0};
    struct error error;
    text_put(&text, header);
    text_put(&text, body);
    if (!lesson_parse("small.md", text_string(&text), text.size, &desk->lesson, &error))
        fail_msg("%s", error.text);
    text_release(&text);
    lesson_run_init(&desk->run, desk->lesson, &desk->settings, NULL, NULL);
    assert_true(lesson_run_until(&desk->run, FIRST, &desk->out, &error));
}

static int desk_open(void **state)
{
    struct desk *desk = test_calloc(1, sizeof *desk);
    desk->settings = (struct settings){.digits = 4, .width_cols = 80};
    doc_init(&desk->out);
    *state = desk;
    return 0;
}

static int desk_close(void **state)
{
    struct desk *desk = *state;
    lesson_run_release(&desk->run);
    lesson_free(desk->lesson);
    text_release(&desk->log);
    text_release(&desk->shown);
    doc_release(&desk->out);
    test_free(desk);
    return 0;
}

/* What the Doc so far shows, which is then empty. */
static const char *shown(struct desk *desk)
{
    text_clear(&desk->shown);
    doc_check_lines(&desk->out, 0, false, &desk->shown);
    doc_clear(&desk->out);
    return text_string(&desk->shown);
}

static double number(struct desk *desk, const char *name)
{
    struct value value;
    struct error error;
    if (!session_peek(&desk->run.session, NULL, name, &value, &error))
        fail_msg("%s", error.text);
    double found = (double)tensor_at_position(&value.as.node->value, 0);
    value_release(&value);
    return found;
}

static void test_lesson_run__pages_and_offers_run_once(void **state)
{
    struct desk *desk = *state;
    struct error error;
    read_lesson(desk, pages);
    assert_int_equal(desk->lesson->n_pages, FIRST + 3);
    assert_true(lesson_run_until(&desk->run, FIRST + 1, &desk->out, &error));
    assert_int_equal(desk->run.reached, FIRST + 1);
    assert_true(number(desk, "n") == 2 && number(desk, "m") == 2);
    assert_true(lesson_run_until(&desk->run, FIRST + 1, &desk->out, &error));
    assert_true(lesson_run_page(&desk->run, FIRST, &desk->out, &error));
    assert_true(number(desk, "n") == 2);
    assert_true(lesson_run_page(&desk->run, FIRST + 1, &desk->out, &error));
    assert_true(lesson_run_page(&desk->run, FIRST + 1, &desk->out, &error));
    assert_true(number(desk, "n") == 12);
    assert_string_equal(shown(desk), "");
    lesson_run_restart(&desk->run);
    assert_int_equal(desk->run.reached, 0);
    assert_null(names_get(&desk->run.session.names, "n", 1));
    assert_true(lesson_run_until(&desk->run, FIRST + 2, &desk->out, &error));
    assert_true(number(desk, "k") == 12);
}

static void test_lesson_run__typed_lines_do_not_run_again(void **state)
{
    struct desk *desk = *state;
    struct error error;
    read_lesson(desk, pages);
    desk->run.is_tolerant = true;
    desk->run.log = &desk->log;
    assert_true(lesson_run_page(&desk->run, FIRST, &desk->out, &error));
    assert_true(lesson_run_is_offering(&desk->run));
    lesson_run_note_typed(&desk->run, "n=n+1\n", 6);
    assert_true(lesson_run_is_offering(&desk->run));
    assert_true(lesson_run_show_offer(&desk->run, &desk->out, NULL, &error));
    assert_string_equal(shown(desk), "attn> m = n\n");
    assert_false(lesson_run_is_offering(&desk->run));
    assert_true(lesson_run_until(&desk->run, FIRST + 1, &desk->out, &error));
    assert_true(number(desk, "n") == 1 && number(desk, "m") == 1);
    assert_string_equal(text_string(&desk->log), "n = 1\n# page count/1\nm = n\n");
}

/* An offer may have any number of lines: once they were run, the page can be left. */
static void test_lesson_run__a_long_offer_is_left(void **state)
{
    struct desk *desk = *state;
    struct text body = {0};
    struct error error;
    text_put(&body, "```attn\nn = 0\n```\n\n```attn type\n");
    text_repeat(&body, "n = n + 1\n", OFFER_LINES);
    text_put(&body, "```\n\nThe end.\n");
    read_lesson(desk, text_string(&body));
    assert_true(lesson_run_page(&desk->run, FIRST, &desk->out, &error));
    assert_true(lesson_run_is_offering(&desk->run));
    assert_true(lesson_run_show_offer(&desk->run, &desk->out, NULL, &error));
    assert_true(number(desk, "n") == OFFER_LINES);
    assert_false(lesson_run_is_offering(&desk->run));
    assert_true(lesson_run_until(&desk->run, FIRST + 1, &desk->out, &error));
    assert_true(number(desk, "n") == OFFER_LINES);
    text_release(&body);
}

static const char failing[] = "```attn\na = 1\na @ [[1]] @ b\nc = 3\n```\n\nThe end.\n";

/* The lesson's own fault, with its place; nothing of the page is kept. */
static void test_lesson_run__a_failing_line_starts_it_again(void **state)
{
    struct desk *desk = *state;
    struct error error = {0};
    read_lesson(desk, failing);
    assert_false(lesson_run_page(&desk->run, FIRST, &desk->out, &error));
    assert_non_null(strstr(error.text, "small.md:15: "));
    assert_int_equal(desk->run.reached, 0);
    assert_null(names_get(&desk->run.session.names, "a", 1));
    assert_string_equal(shown(desk), "");
}

/* The learner's session tells it, and goes on. */
static void test_lesson_run__a_tolerant_one_goes_on(void **state)
{
    struct desk *desk = *state;
    struct error error = {0};
    read_lesson(desk, failing);
    desk->run.is_tolerant = true;
    desk->run.log = &desk->log;
    assert_true(lesson_run_page(&desk->run, FIRST, &desk->out, &error));
    assert_non_null(strstr(shown(desk), "The lesson's code does not work here"));
    assert_true(number(desk, "a") == 1 && number(desk, "c") == 3);
    assert_string_equal(text_string(&desk->log), "a = 1\nc = 3\n# page count/1\n");
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, desk_open, desk_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(test_lesson_run__pages_and_offers_run_once),
        desk_test(test_lesson_run__typed_lines_do_not_run_again),
        desk_test(test_lesson_run__a_long_offer_is_left),
        desk_test(test_lesson_run__a_failing_line_starts_it_again),
        desk_test(test_lesson_run__a_tolerant_one_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
