/* manual/glossary.h, and the glossary itself: every example runs, every link leads somewhere. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "course/lesson/course.h"
#include "lang_testing.h"
#include "course/manual/glossary_internal.h"
#include "course/manual/manual_show.h"

struct fixture {
    struct glossary glossary;
    const struct glossary_entry *all[400];
    size_t n;
};

static void add_list(struct fixture *fixture, const struct glossary_list *list)
{
    for (unsigned i = 0; i < list->n; i++) {
        assert_true(fixture->n < COUNT_OF(fixture->all));
        fixture->all[fixture->n++] = &list->entries[i];
    }
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct error error;
    assert_non_null(fixture);
    if (!glossary_open(testing_data_dir(), &fixture->glossary, &error))
        fail_msg("%s", error.text);
    add_list(fixture, &fixture->glossary.terms);
    add_list(fixture, &fixture->glossary.operators);
    add_list(fixture, &fixture->glossary.topics);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    glossary_release(&fixture->glossary);
    free(fixture);
    return 0;
}

static void test_glossary__has_the_terms_of_the_field(void **state)
{
    const struct fixture *fixture = *state;
    assert_true(fixture->glossary.terms.n >= 60);
    assert_true(fixture->glossary.operators.n >= 8 && fixture->glossary.topics.n >= 8);
    for (size_t i = 0; i < fixture->n; i++)
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(fixture->all[i]->name, fixture->all[j]->name) == 0)
                fail_msg("%s stands twice", fixture->all[i]->name);
}

static void test_glossary__every_example_runs(void **state)
{
    const struct fixture *fixture = *state;
    static const struct settings settings = {.digits = 4, .width_cols = 76};
    const struct manual_setup where = {&settings, testing_data_dir(), NULL};
    size_t n_run = 0;
    for (size_t i = 0; i < fixture->n; i++) {
        const struct glossary_entry *entry = fixture->all[i];
        const struct manual_entry shown = {.example = entry->example != NULL ? entry->example : ""};
        struct doc out;
        struct error error;
        doc_init(&out);
        if (!manual_show_example(&shown, &where, &out, &error))
            fail_msg("glossary.yaml:%u: %s: %s", entry->line, entry->name, error.text);
        assert_int_equal(out.n_lines > 0, entry->example != NULL);
        n_run += entry->example != NULL;
        doc_release(&out);
    }
    assert_true(n_run > 30);
}

static void check_link(const struct course *course, const struct glossary_entry *entry)
{
    char id[LESSON_NAME_BYTES * 2];
    const struct course_entry *found;
    struct lesson *lesson;
    struct error error;
    snprintf(id, sizeof id, "%s", entry->lesson);
    char *place = strchr(id, '#');
    if (place != NULL)
        *place++ = '\0';
    if (!course_find(course, id, &found, &error) || strcmp(found->id, id) != 0)
        fail_msg("glossary.yaml:%u: %s: there is no lesson %s", entry->line, entry->name, id);
    assert_true(lesson_read(found->path, &lesson, &error));
    if (place != NULL && lesson_place(lesson, place) == lesson->n_pages)
        fail_msg("glossary.yaml:%u: %s: lesson %s has no %s", entry->line, entry->name, id, place);
    lesson_free(lesson);
}

static void test_glossary__every_link_leads_somewhere(void **state)
{
    const struct fixture *fixture = *state;
    struct course course;
    struct error error;
    size_t n = 0;
    assert_true(course_open(testing_data_dir(), &course, &error));
    for (size_t i = 0; i < fixture->n; i++)
        if (fixture->all[i]->lesson != NULL) {
            check_link(&course, fixture->all[i]);
            n++;
        }
    assert_true(n > 40);
    course_release(&course);
}

#define LISTS                               \
    "operators: [{name: \"@\", text: a}]\n" \
    "topics: [{name: b, text: b}]\n"

static void test_glossary__faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {LISTS "terms:\n- {name: b, text: b}\n- {name: a, text: a}\n", "a belongs before b"},
        {LISTS "terms:\n- {name: b, text: b}\n- {name: B, text: a}\n",
         "glossary.yaml:5: terms: B stands twice"},
        {LISTS "terms:\n- {name: b}\n", ":4"},
        {LISTS "terms:\n- {name: b, text: b, lessons: c}\n", "lessons"},
        {LISTS, "terms"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct glossary glossary;
        struct error error;
        assert_false(glossary_read("glossary.yaml", cases[i].text, strlen(cases[i].text), &glossary,
                                   &error));
        if (strstr(error.text, cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, error.text);
    }
}

static void test_glossary__says_when_memory_runs_out(void **state)
{
    (void)state;
    static const char text[] = LISTS "terms:\n- {name: b, text: b, also: c}\n";
    struct glossary glossary;
    struct error error;
    assert_reports_failed_allocations(glossary_read("g", text, strlen(text), &glossary, &error),
                                      error);
    assert_string_equal(glossary.terms.entries[0].also, "c");
    glossary_release(&glossary);
    assert_false(glossary_open(NULL, &glossary, &error));
    assert_int_equal(error.kind, ERR_FILE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_glossary__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(has_the_terms_of_the_field),
        TEST(every_example_runs),
        TEST(every_link_leads_somewhere),
        cmocka_unit_test(test_glossary__faults_name_their_line),
        cmocka_unit_test(test_glossary__says_when_memory_runs_out),
    };
    return cmocka_run_group_tests_name("glossary", tests, NULL, NULL);
}
