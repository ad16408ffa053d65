/* course/lesson/lesson.h: a lesson's file as steps, pages and questions. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/lesson/lesson.h"
#include "course/lesson/lesson_minutes.h"
#include "base/text.h"
#include "course_testing.h"

static struct lesson *parse(const char *text)
{
    struct lesson *lesson = NULL;
    struct error error = {0};
    bool ok = lesson_parse("lessons/07-small.md", text, strlen(text), &lesson, &error);
    if (!ok)
        print_error("%s\n", error.text);
    assert_true(ok);
    return lesson;
}

static void test_lesson__header_and_names(void **state)
{
    (void)state;
    struct lesson *lesson = parse(small_lesson);
    assert_string_equal(lesson->id, "small");
    assert_string_equal(lesson->title, "A small lesson");
    assert_string_equal(lesson->file_name, "07-small");
    assert_int_equal(lesson->minutes, 8);
    assert_int_equal(lesson->n_objectives, 1);
    assert_string_equal(lesson->objectives[0].text, "read a score");
    assert_int_equal(lesson->objectives[0].line, 6);
    assert_int_equal(lesson->n_steps, 3);
    assert_string_equal(lesson->steps[0]->name, "the-scores");
    assert_string_equal(lesson->steps[0]->title, "The scores");
    assert_int_equal(lesson->n_questions, 7);
    assert_non_null(lesson_step(lesson, "the-weights"));
    assert_null(lesson_step(lesson, "nowhere"));
    lesson_free(lesson);
}

static void test_lesson__pages_end_at_questions_offers_and_steps(void **state)
{
    static const char *const names[] = {"start/1",       "how-alike", "which-row",
                                        "the-weights/1", "fill-in",   "the-formula",
                                        "in-order",      "a-guess",   "for-yourself"};
    (void)state;
    struct lesson *lesson = parse(small_lesson);
    assert_int_equal(lesson->n_pages, COUNT_OF(names));
    for (size_t i = 0; i < lesson->n_pages; i++) {
        assert_string_equal(lesson->pages[i].name, names[i]);
        assert_int_equal(lesson_page(lesson, names[i]), i);
    }
    assert_int_equal(lesson_page(lesson, "nowhere"), lesson->n_pages);
    assert_non_null(lesson->pages[3].offer.text);
    assert_string_equal(lesson->pages[3].offer.text, "weights = softmax(scores)\nheat weights\n");
    assert_null(lesson->pages[4].offer.text);
    lesson_free(lesson);
}

static void test_lesson__parts_are_prose_and_code_with_lines(void **state)
{
    (void)state;
    struct lesson *lesson = parse(small_lesson);
    const struct page *page = &lesson->pages[1];
    assert_int_equal(page->n_parts, 4);
    assert_int_equal(page->parts[0].kind, PART_PROSE);
    assert_non_null(strstr(page->parts[0].source.text, "## The scores"));
    assert_int_equal(page->parts[1].kind, PART_CODE);
    assert_int_equal(page->parts[1].source.line, 16);
    assert_int_equal(page->parts[2].kind, PART_PROSE);
    assert_non_null(strstr(page->parts[2].source.text, "`= max(scores)`"));
    assert_non_null(strstr(page->parts[3].source.text, "### How alike"));
    assert_int_equal(page->parts[3].source.line, 23);
    assert_null(strstr(page->parts[3].source.text, "details"));
    lesson_free(lesson);
}

static void test_lesson__questions_have_what_their_kind_needs(void **state)
{
    (void)state;
    struct lesson *lesson = parse(small_lesson);
    const struct question *number = lesson->pages[1].question;
    assert_int_equal(number->kind, QUESTION_NUMBER);
    assert_string_equal(number->answer.text, "scores[\"two\", \"two\"]");
    assert_int_equal(number->answer.line, 31);
    assert_int_equal(number->n_hints, 2);
    assert_int_equal(number->n_wrong, 2);
    assert_string_equal(number->wrong[0].say.text, "Nobody asked for scaled scores.");
    assert_int_equal(number->wrong[0].is.line, 37);
    const struct question *choice = lesson->pages[2].question;
    assert_int_equal(choice->n_options, 3);
    assert_string_equal(choice->options[1].text, "Rows are keys.");
    assert_string_equal(choice->answer.text, "[1, 3]");
    assert_string_equal(lesson->pages[4].question->cells.text, "[[0, 1], [1, 1]]");
    assert_int_equal(lesson->pages[5].question->n_draw, 3);
    lesson_free(lesson);
}

static void test_lesson__slugs_are_those_of_code_hosting_pages(void **state)
{
    char name[LESSON_NAME_BYTES];
    (void)state;
    assert_true(lesson_slug("Soft lookup", 11, name));
    assert_string_equal(name, "soft-lookup");
    assert_true(lesson_slug("Why `K.T`, and when?", 20, name));
    assert_string_equal(name, "why-kt-and-when");
    assert_false(lesson_slug("?!", 2, name));
    assert_false(lesson_slug("", 0, name));
}

/* Headings, fences and details inside of other code mean nothing. */
static void test_lesson__other_code_is_prose(void **state)
{
    (void)state;
    static const char text[] = "---\nid: x\ntitle: T\nminutes: 1\nobjectives: [a]\n---\n# T\n"
                               "## S\n````text\n## no step\n```attn\n<details>\n```\n````\n"
                               "``` c\nint x; /* ### no question */\n```\n";
    struct lesson *lesson = parse(text);
    assert_int_equal(lesson->n_steps, 1);
    assert_int_equal(lesson->n_pages, 2);
    assert_int_equal(lesson->pages[1].n_parts, 1);
    lesson_free(lesson);
}

static void test_lesson__carriage_returns_do_not_count(void **state)
{
    (void)state;
    struct text text = {0};
    for (const char *c = small_lesson; *c != '\0'; c++) {
        if (*c == '\n')
            text_char(&text, '\r');
        text_char(&text, *c);
    }
    struct lesson *lesson = parse(text_string(&text));
    assert_int_equal(lesson->n_questions, 7);
    assert_string_equal(lesson->steps[1]->name, "the-weights");
    lesson_free(lesson);
    text_release(&text);
}

static void test_lesson__every_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct lesson *lesson = NULL;
    struct error error;
    assert_reports_failed_allocations(
        lesson_parse("small.md", small_lesson, strlen(small_lesson), &lesson, &error), error);
    lesson_free(lesson);
}

/* A lesson of one question whose text and YAML are given. */
static void one_question(struct text *text, const char *asks, const char *yaml)
{
    text_format(text,
                "---\nid: x\ntitle: T\nminutes: 1\nobjectives: [a]\n---\n# T\n## S\n### Q\n%s\n"
                "<details>\n```yaml\n%s\n```\n</details>\n",
                asks, yaml);
}

static void refuses(const char *asks, const char *yaml, const char *says)
{
    struct text text = {0};
    struct error error;
    struct lesson *lesson = NULL;
    one_question(&text, asks, yaml);
    assert_error(lesson_parse("x.md", text_string(&text), text.size, &lesson, &error), error,
                 ERR_SYNTAX);
    assert_says(error, says);
    text_release(&text);
}

#define NUMBER "kind: number\nbecause: b\nhints: [h]\nanswer: "

/* What stands for itself would never end, and ten lines can stand for a billion. */
static void test_lesson__aliases_are_refused(void **state)
{
    (void)state;
    refuses("", NUMBER "&a [1, *a]", "x.md:16: *a refers to another place");
    refuses("", NUMBER "1\nwrong: &w [*w]", "*w refers to another place");
    refuses("", NUMBER "&a [1,*a]", "*a refers to another place");
    refuses("", NUMBER "*a", "*a refers to another place");
}

static void test_lesson__yaml_is_short(void **state)
{
    struct text yaml = {0};
    (void)state;
    text_put(&yaml, NUMBER);
    text_repeat(&yaml, "[", 32 * 1024);
    refuses("", text_string(&yaml), "x.md:13: this block of YAML is longer than 32768 bytes");
    text_release(&yaml);
}

static void test_lesson__a_kind_is_known_and_has_its_keys(void **state)
{
    struct text text = {0};
    (void)state;
    one_question(&text, "", "kind: predict\nanswer: 7"); /* the shortest of all */
    lesson_free(parse(text_string(&text)));
    text_release(&text);
    refuses("", "kind: predict", "needs the key answer");
    refuses("", "kind: riddle", "x.md:13: kind: 'riddle' is not one of the kinds");
}

static void test_lesson__a_tolerance_of_zero_is_refused(void **state)
{
    (void)state;
    refuses("", NUMBER "1\nwithin: 0", "x.md:17: within: a number above 0");
}

static void test_lesson__a_step_can_t_have_the_name_of_what_lies_before(void **state)
{
    static const char text[] = "---\nid: x\ntitle: T\nminutes: 1\nobjectives: [a]\n---\n# T\n"
                               "## Start\n";
    struct error error;
    struct lesson *lesson = NULL;
    (void)state;
    assert_error(lesson_parse("x.md", text, strlen(text), &lesson, &error), error, ERR_SYNTAX);
    assert_says(error, "x.md:8: a step can't be called start");
}

/* Only the list that a question takes its options from must be a single one, outside of code. */
static void test_lesson__lists_that_hold_no_options(void **state)
{
    static const char lists[] = "1. a\n2. b\n\nand\n\n1. c\n";
    struct text text = {0};
    (void)state;
    one_question(&text, lists, NUMBER "1");
    struct lesson *lesson = parse(text_string(&text));
    assert_int_equal(lesson->pages[1].question->n_options, 0);
    lesson_free(lesson);
    refuses(lists, "kind: order\nbecause: b\nhints: [h]\nanswer: [2, 1]",
            "x.md:15: options are numbered");
    text_clear(&text);
    one_question(&text, "```text\n1. no\n7. no\n```\n1. a\n2. b\n3. c\n",
                 "kind: order\nbecause: b\nhints: [h]\nanswer: [3, 2, 1]");
    lesson = parse(text_string(&text));
    assert_int_equal(lesson->pages[1].question->n_options, 3);
    assert_string_equal(lesson->pages[1].question->options[2].text, "c");
    lesson_free(lesson);
    text_release(&text);
}

/* Nothing behind the last byte is read: the copy ends with it. */
static void test_lesson__any_beginning_of_a_lesson_can_be_read(void **state)
{
    (void)state;
    for (size_t size = 1; size < strlen(small_lesson); size++) {
        struct lesson *lesson = NULL;
        char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, small_lesson, size);
        (void)lesson_parse("x.md", copy, size, &lesson, NULL);
        lesson_free(lesson);
        free(copy);
    }
}

static void test_lesson__a_missing_file_is_named(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct error error;
    assert_error(lesson_read("/nowhere/at-all.md", &lesson, &error), error, ERR_FILE);
    assert_says(error, "/nowhere/at-all.md");
}

/* 300 words are two minutes; lines to type, questions and exercises come on top. */
static void test_lesson__minutes_are_counted(void **state)
{
    static const char begin[] = "---\nid: t\ntitle: T\nobjectives: [a]\n---\n# T\n\n## S\n\n";
    struct text text = {0};
    struct lesson *lesson;
    struct error error;
    unsigned line = 0;
    (void)state;
    text_put(&text, begin);
    text_repeat(&text, "word ", 296); /* 4 are in the headings */
    text_put(&text,
             "\n\n```attn type\na = 1\n# no line\n\nb = 2\n```\n\nOn.\n\n## More\n\nOn.\n\n");
    assert_true(lesson_parse("t.md", text_string(&text), text.size, &lesson, &error));
    assert_int_equal(lesson_minutes(lesson).reading, 3);
    assert_int_equal(lesson_minutes(lesson).exercises, 0);
    /* Four pages; the first offers two lines. */
    assert_int_equal(lesson_longest_way(lesson, false, &line), 4);
    assert_int_equal(lesson_longest_way(lesson, true, &line), 6);
    assert_int_equal(line, 24);
    lesson_free(lesson);
    text_put(&text, "### Q\n\nSolve it.\n\n<details>\n\n```yaml\nkind: exercise\nexercise: dot\n"
                    "```\n\n</details>\n\n### R\n\nSay it.\n\n<details>\n\n```yaml\n"
                    "kind: reflection\n```\n\n</details>\n");
    assert_true(lesson_parse("t.md", text_string(&text), text.size, &lesson, &error));
    assert_int_equal(lesson_minutes(lesson).reading, 5); /* 2 for the reflection */
    assert_int_equal(lesson_minutes(lesson).exercises, 20);
    assert_int_equal(lesson_longest_way(lesson, true, &line), 5);
    lesson_free(lesson);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lesson__header_and_names),
        cmocka_unit_test(test_lesson__minutes_are_counted),
        cmocka_unit_test(test_lesson__pages_end_at_questions_offers_and_steps),
        cmocka_unit_test(test_lesson__parts_are_prose_and_code_with_lines),
        cmocka_unit_test(test_lesson__questions_have_what_their_kind_needs),
        cmocka_unit_test(test_lesson__slugs_are_those_of_code_hosting_pages),
        cmocka_unit_test(test_lesson__other_code_is_prose),
        cmocka_unit_test(test_lesson__carriage_returns_do_not_count),
        cmocka_unit_test(test_lesson__every_failed_allocation_is_reported),
        cmocka_unit_test(test_lesson__aliases_are_refused),
        cmocka_unit_test(test_lesson__yaml_is_short),
        cmocka_unit_test(test_lesson__a_kind_is_known_and_has_its_keys),
        cmocka_unit_test(test_lesson__a_tolerance_of_zero_is_refused),
        cmocka_unit_test(test_lesson__a_step_can_t_have_the_name_of_what_lies_before),
        cmocka_unit_test(test_lesson__lists_that_hold_no_options),
        cmocka_unit_test(test_lesson__any_beginning_of_a_lesson_can_be_read),
        cmocka_unit_test(test_lesson__a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
