/* course/lesson/course.h: the lessons of a folder, and the one that a learner means. */
#include "course_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "course/lesson/course.h"
#include "lang_testing.h"

static int setup(void **state)
{
    static struct place place;
    place_open(&place);
    *state = &place;
    return 0;
}

static int teardown(void **state)
{
    place_close(*state);
    return 0;
}

/* A course of lessons that are never read: empty files will do. */
static struct course open_course(const struct place *place, const char *const *names)
{
    struct course course;
    struct error error;
    for (size_t i = 0; names[i] != NULL; i++) {
        char path[200];
        snprintf(path, sizeof path, "lessons/%s", names[i]);
        place_write(place, path, "");
    }
    if (!course_open(place->folder, &course, &error))
        fail_msg("%s", error.text);
    return course;
}

static const char *const names[] = {
    "20-last.md",    "01-why-attention.md", "05-scaling.md", "06-softmax.md",
    "07-masking.md", "16-softmax-cost.md",  "10-s.md",       NULL};

static void test_course__lessons_come_by_number(void **state)
{
    static const char *const wanted[] = {"01-why-attention", "02-every",   "05-scaling",
                                         "06-softmax",       "07-masking", "10-s",
                                         "16-softmax-cost",  "20-last"};
    struct course course = open_course(*state, names);
    assert_int_equal(course.n, 8);
    for (size_t i = 0; i < course.n; i++) {
        const struct course_entry *entry = &course.entries[i];
        assert_string_equal(entry->file_name, wanted[i]);
        assert_string_equal(entry->id, wanted[i] + 3);
        assert_int_equal(entry->number, strtoul(wanted[i], NULL, 10));
        assert_non_null(strstr(entry->path, wanted[i]));
        assert_int_equal(access(entry->path, R_OK), 0);
    }
    course_release(&course);
    assert_int_equal(course.n, 0);
    course_release(&course); /* an empty one too */
}

static void test_course__other_files_are_none(void **state)
{
    static const char *const others[] = {
        "README.md",
        "5-scaling.md",
        "05-.md",
        "05scaling.md",
        "05-scaling.txt",
        "05-b.md~",
        ".05-c.md",
        "ab-d.md",
        "005-e.md",
        "05-f.md.bak",
        "07-a-name-that-is-a-little-too-long-to-be-the-name-of-a-lesson-here.md",
        NULL};
    struct course course = open_course(*state, others);
    assert_int_equal(course.n, 1);
    assert_string_equal(course.entries[0].id, "every");
    course_release(&course);
}

static void find(const struct course *course, const char *name, const char *wanted)
{
    const struct course_entry *entry = NULL;
    struct error error = {0};
    if (!course_find(course, name, &entry, &error))
        fail_msg("%s: %s", name, error.text);
    assert_string_equal(entry->file_name, wanted);
}

static void find_none(const struct course *course, const char *name, const char *says)
{
    const struct course_entry *entry = NULL;
    struct error error = {0};
    if (course_find(course, name, &entry, &error))
        fail_msg("'%s' found %s", name, entry->file_name);
    assert_error(false, error, ERR_NAME);
    assert_says(error, says);
    assert_false(course_find(course, name, &entry, NULL));
    assert_null(entry);
}

static void test_course__a_lesson_by_what_one_may_call_it(void **state)
{
    struct course course = open_course(*state, names);
    find(&course, "5", "05-scaling");
    find(&course, "05", "05-scaling");
    find(&course, "0005", "05-scaling");
    find(&course, "10", "10-s");
    find(&course, "scaling", "05-scaling");
    find(&course, "05-scaling", "05-scaling");
    find(&course, "04-scaling", "05-scaling"); /* it had another number once */
    find(&course, "4-scal", "05-scaling");
    find(&course, "scal", "05-scaling");
    find(&course, "w", "01-why-attention");
    find(&course, "s", "10-s");             /* a whole name comes first */
    find(&course, "softmax", "06-softmax"); /* though another begins so */
    find(&course, "softmax-", "16-softmax-cost");
    find_none(&course, "soft", "lessons lists them");
    find_none(&course, "", "there is no such lesson");
    find_none(&course, "07-scalling", "did you mean scaling?");
    find_none(&course, "scalling", "did you mean scaling?");
    find(&course, "Masking", "07-masking");
    find(&course, "Why attention?", "01-why-attention");
    find_none(&course, "Maskin", "did you mean masking?");
    find_none(&course, "99", "there is no such lesson");
    find_none(&course, "-5", "there is no such lesson");
    find_none(&course, "5.0", "there is no such lesson");
    find_none(&course, " 5", "there is no such lesson");
    find_none(&course, "4294967301", "there is no such lesson");
    find_none(&course, "99999999999999999999999", "there is no such lesson");
    find_none(&course, "\x1b[31m\n\xff", "lesson ?[31m??: there is no such lesson");
    course_release(&course);
}

static void test_course__a_very_long_name(void **state)
{
    struct course course = open_course(*state, names);
    struct text name = {0};
    text_repeat(&name, "scaling", 150000);
    find_none(&course, text_string(&name), "...: there is no such lesson");
    text_release(&name);
    course_release(&course);
}

static void test_course__the_next_lesson(void **state)
{
    struct course course = open_course(*state, names);
    assert_string_equal(course_next(&course, "scaling")->id, "softmax");
    assert_null(course_next(&course, "05-scaling"));
    assert_null(course_next(&course, ""));
    assert_null(course_next(&course, "last"));
    assert_null(course_next(&course, "my-lesson"));
    course_release(&course);
}

static void test_course__without_a_folder(void **state)
{
    struct place *place = *state;
    struct course course = {.n = 17};
    struct error error;
    char path[200];
    assert_error(course_open(NULL, &course, &error), error, ERR_FILE);
    assert_says(error, "ATTN_DATA_DIR");
    snprintf(path, sizeof path, "%s/nowhere", place->folder);
    assert_error(course_open(path, &course, &error), error, ERR_FILE);
    assert_says(error, "nowhere/lessons");
    assert_says(error, "ATTN_DATA_DIR");
    struct text deep = {0};
    text_repeat(&deep, "/folder", 700);
    assert_error(course_open(text_string(&deep), &course, &error), error, ERR_FILE);
    text_release(&deep);
    assert_int_equal(course.n, 17);
}

static void test_course__an_empty_folder(void **state)
{
    struct place *place = *state;
    struct course course;
    struct error error;
    assert_int_equal(unlink(place->lesson), 0);
    assert_true(course_open(place->folder, &course, &error));
    assert_int_equal(course.n, 0);
    find_none(&course, "1", "there is no such lesson");
    assert_null(course_next(&course, "a"));
    course_release(&course);
}

/* Two lessons of one number: both have their names. */
static void test_course__a_number_twice(void **state)
{
    static const char *const twins[] = {"03-b.md", "03-a.md", NULL};
    struct course course = open_course(*state, twins);
    find(&course, "3", "03-a");
    find(&course, "b", "03-b");
    assert_string_equal(course_next(&course, "a")->id, "b");
    course_release(&course);
}

static void test_course__that_of_attn(void **state)
{
    struct course course;
    struct error error;
    (void)state;
    assert_true(course_open(testing_data_dir(), &course, &error));
    for (size_t i = 0; i < course.n; i++) {
        struct lesson *lesson;
        char number[24];
        if (!lesson_read(course.entries[i].path, &lesson, &error))
            fail_msg("%s", error.text);
        assert_string_equal(lesson->id, course.entries[i].id);
        assert_string_equal(lesson->file_name, course.entries[i].file_name);
        snprintf(number, sizeof number, "%zu", i + 1);
        find(&course, number, lesson->file_name);
        lesson_free(lesson);
    }
    course_release(&course);
}

static void test_course__every_failed_allocation_is_reported(void **state)
{
    struct place *place = *state;
    struct course course = open_course(place, names);
    struct error error;
    course_release(&course);
    assert_reports_failed_allocations(course_open(place->folder, &course, &error), error);
    assert_int_equal(course.n, 8);
    course_release(&course);
}

#define COURSE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COURSE_TEST(test_course__lessons_come_by_number),
        COURSE_TEST(test_course__other_files_are_none),
        COURSE_TEST(test_course__a_lesson_by_what_one_may_call_it),
        COURSE_TEST(test_course__a_very_long_name),
        COURSE_TEST(test_course__the_next_lesson),
        COURSE_TEST(test_course__without_a_folder),
        COURSE_TEST(test_course__an_empty_folder),
        COURSE_TEST(test_course__a_number_twice),
        COURSE_TEST(test_course__that_of_attn),
        COURSE_TEST(test_course__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
