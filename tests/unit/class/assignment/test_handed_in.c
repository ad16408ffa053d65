/* assignment/handed_in.h: names as schools' systems, browsers and students write them. The forms
 * are those of the systems' own help pages; who, what, which attempt was read off by hand. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assignment/handed_in.h"
#include "base/array.h"

static struct exercise dot = {.id = (char[]){"dot"},
                              .number = 1,
                              .folder_name = (char[]){"01-dot"},
                              .prototype = {.function = "dot"}};
static struct exercise rows = {.id = (char[]){"softmax-rows"},
                               .number = 4,
                               .folder_name = (char[]){"04-softmax-rows"},
                               .prototype = {.function = "softmax_rows"}};
static struct exercise heads = {.id = (char[]){"multi-head"},
                                .number = 11,
                                .folder_name = (char[]){"11-multi-head"},
                                .prototype = {.function = "multi_head"}};
static struct exercise *all[] = {&dot, &rows, &heads};
static const struct exercises exercises = {.items = all, .n = 3};

struct name {
    const char *path;
    const struct exercise *exercise;
    const char *student;
    unsigned attempt;
    bool is_late;
    int64_t submitted_s;
};

static void check(const struct name *names, size_t n, const struct assignment *assignment)
{
    struct name_reader reader;
    struct error error;
    setenv("TZ", "UTC", 1);
    tzset();
    assert_true(name_reader_open(&exercises, assignment, &reader, &error));
    for (size_t i = 0; i < n; i++) {
        struct handed_in found;
        assert_true(name_read(&reader, names[i].path, &found, &error));
        if (found.exercise != names[i].exercise || strcmp(found.student, names[i].student) != 0 ||
            found.attempt != names[i].attempt || found.is_late != names[i].is_late ||
            found.submitted_s != names[i].submitted_s)
            fail_msg("%s: %s, \"%s\", attempt %u, %s, %lld", names[i].path,
                     found.exercise != NULL ? found.exercise->id : "nothing", found.student,
                     found.attempt, found.is_late ? "late" : "in time",
                     (long long)found.submitted_s);
        handed_in_release(&found);
    }
    name_reader_close(&reader);
}

static void test_names__of_students_and_browsers(void **state)
{
    (void)state;
    static const struct name names[] = {
        {"dot.c", &dot, "", 0, false, 0},
        {"DOT.C", NULL, "", 0, false, 0}, /* function names are small */
        {"class/anna/dot.c", &dot, "", 0, false, 0},
        {"softmax-rows.c", &rows, "", 0, false, 0},
        {"04_softmax_rows.c", &rows, "", 0, false, 0},
        {"anna_dot.c", &dot, "anna", 0, false, 0},
        {"anna-maria_softmax_rows.c", &rows, "anna-maria", 0, false, 0},
        {"dot-1.c", &dot, "", 1, false, 0},
        {"dot_2.c", &dot, "", 2, false, 0},
        {"dot (1).c", &dot, "", 1, false, 0},
        {"dot(3).c", &dot, "", 3, false, 0},
        {"softmax_rows (12).c", &rows, "", 12, false, 0},
        {"anna_dot (1).c", &dot, "anna", 1, false, 0},
        {"dot_v2.c", &dot, "", 2, false, 0},
        {"dot-V3.c", &dot, "", 3, false, 0},
        {"dot - Copy.c", &dot, "", 0, false, 0},
        {"dot - Copy (2).c", &dot, "", 2, false, 0},
        {"dot copy.c", &dot, "", 0, false, 0},
        {"Copy of dot.c", &dot, "", 0, false, 0},
        {"Copy of dot (1).c", &dot, "", 1, false, 0},
        {"dot_final.c", &dot, "", 0, false, 0},
        {"dot_final-2.c", &dot, "", 2, false, 0},
        {"dot_old.c", NULL, "", 0, false, 0},
        {"dots.c", NULL, "", 0, false, 0},
        {"my dot.c", NULL, "", 0, false, 0},
        {"notes.c", NULL, "", 0, false, 0},
        {".c", NULL, "", 0, false, 0},
        {"-1.c", NULL, "", 0, false, 0},
        {"(1).c", NULL, "", 0, false, 0},
        {"dot.cc", NULL, "", 0, false, 0},
    };
    check(names, COUNT_OF(names), NULL);
}

static void test_names__of_schools_systems(void **state)
{
    (void)state;
    static const struct name names[] = {
        /* Canvas */
        {"sampleann_123_45678_dot.c", &dot, "sampleann", 0, false, 0},
        {"sampleann_LATE_123_45678_dot.c", &dot, "sampleann", 0, true, 0},
        {"sampleann_123_45678_dot-2.c", &dot, "sampleann", 2, false, 0},
        {"sampleann_LATE_123_45678_softmax_rows-1.c", &rows, "sampleann", 1, true, 0},
        {"o'neilpat_9_10_softmax-rows (1).c", &rows, "o'neilpat", 1, false, 0},
        {"LATE_123_456_dot.c", &dot, "LATE", 0, false, 0},
        {"sampleann_123_45678_homework.c", NULL, "sampleann", 0, false, 0},
        /* Moodle, flat */
        {"Ann Sample_12345_assignsubmission_file_dot.c", &dot, "Ann Sample", 0, false, 0},
        {"Jos\u00e9 D\u00edaz_7_assignsubmission_file_softmax_rows.c", &rows, "Jos\u00e9 D\u00edaz",
         0, false, 0},
        /* Blackboard */
        {"hw3_asample_attempt_2026-03-01-21-15-00_dot.c", &dot, "asample", 0, false, 1772399700},
        {"Homework 3_asample_attempt_2026-03-01-21-15-00_dot-1.c", &dot, "asample", 1, false,
         1772399700},
        {"hw_3_asample_attempt_2026-13-01-21-15-00_dot.c", &dot, "asample", 0, false, 0},
        {"hw3_asample_attempt_2026-03-01-21-15-00.txt", NULL, "", 0, false, 0},
        {"hw_3_1234567_attempt_2026-03-01-21-15-00_dot.c", &dot, "1234567", 0, false, 1772399700},
        /* names that students chose, behind what the system wrote */
        {"hw_bob_attempt_2026-03-01-21-15-00_hw_asample_attempt_2025-03-01-21-15-00_dot.c", &dot,
         "bob", 0, false, 1772399700},
        {"bob_LATE_123_456_hw_asample_attempt_2026-03-01-21-15-00_dot.c", &dot, "bob", 0, true, 0},
        {"bob_123_456_Ann Sample_7_assignsubmission_file_dot.c", &dot, "bob", 0, false, 0},
        {"Bob_9_assignsubmission_file_Ann Sample_7_assignsubmission_file_dot.c", &dot, "Bob", 0,
         false, 0},
        {"Bob_9_assignsubmission_file_hw_asample_attempt_2026-03-01-21-15-00_dot.c", &dot, "Bob", 0,
         false, 0},
    };
    check(names, COUNT_OF(names), NULL);
}

static void test_names__only_what_is_asked_for(void **state)
{
    (void)state;
    struct assignment_exercise asked[] = {
        {.exercise = &rows, .id = (char[]){"softmax-rows"}},
        {.exercise = &heads, .id = (char[]){"multi-head"}, .file = (char[]){"heads.c"}},
    };
    const struct assignment assignment = {.exercises = asked, .n_exercises = 2};
    const struct name names[] = {
        {"softmax_rows.c", &rows, "", 0, false, 0},    {"dot.c", NULL, "", 0, false, 0},
        {"heads.c", &heads, "", 0, false, 0},          {"Heads (1).c", &heads, "", 1, false, 0},
        {"anna_heads.c", &heads, "anna", 0, false, 0}, {"multi_head.c", &heads, "", 0, false, 0},
        {"sheads.c", NULL, "", 0, false, 0},
    };
    check(names, COUNT_OF(names), &assignment);
}

static void test_names__of_students_folders(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *student, *number;
    } folders[] = {
        {"class/anna", "anna", ""},
        {"class/Ann Sample_12345_assignsubmission_file_", "Ann Sample", "12345"},
        {"Ann Sample_12345_assignsubmission_file", "Ann Sample", "12345"},
        {"Max 7 Meier_9_assignsubmission_file_", "Max 7 Meier", "9"},
        {"Ann_assignsubmission_file_", "Ann_assignsubmission_file_", ""},
        {"_1_assignsubmission_file_", "_1_assignsubmission_file_", ""},
    };
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        const char *found;
        size_t n_digits, size = folder_student(folders[i].folder, &found, &n_digits);
        assert_int_equal(size, strlen(folders[i].student));
        assert_memory_equal(found, folders[i].student, size);
        assert_int_equal(n_digits, strlen(folders[i].number));
        assert_memory_equal(found + size + (n_digits > 0), folders[i].number, n_digits);
    }
}

static void test_names__without_memory(void **state)
{
    (void)state;
    struct name_reader reader;
    struct error error;
    assert_true(name_reader_open(&exercises, NULL, &reader, &error));
    for (long nth = 1; nth < 12; nth++) {
        struct handed_in found;
        testing_fail_allocation(nth);
        bool ok = name_read(&reader, "sampleann_LATE_123_45678_dot - Copy (2).c", &found, &error);
        bool reached = testing_allocations() >= nth;
        testing_fail_allocation(0);
        if (ok) {
            assert_ptr_equal(found.exercise, &dot);
            handed_in_release(&found);
        } else {
            assert_true(reached);
            assert_int_equal(error.kind, ERR_MEMORY);
        }
    }
    name_reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names__of_students_and_browsers),
        cmocka_unit_test(test_names__of_schools_systems),
        cmocka_unit_test(test_names__only_what_is_asked_for),
        cmocka_unit_test(test_names__of_students_folders),
        cmocka_unit_test(test_names__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
