/* course/player/overview_internal.h: the list of lessons, and how a learner is doing. */
#include "course_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "course/player/overview_internal.h"
#include "course/progress/event_internal.h"

/* A course of three lessons: 01-broken can't be read. */
struct desk {
    struct place place;
    struct course course;
    struct settings settings;
    struct course_count exercises;
    struct text shown;
};

static int desk_open(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    struct error error;
    assert_non_null(desk);
    place_open(&desk->place);
    char *text = text_with(course_lesson, "id: every", "id: other");
    place_write(&desk->place, "lessons/03-other.md", text);
    free(text);
    assert_true(course_open(desk->place.folder, &desk->course, &error));
    desk->settings = (struct settings){.digits = 4, .width_cols = 80};
    *state = desk;
    return 0;
}

static int desk_close(void **state)
{
    struct desk *desk = *state;
    course_release(&desk->course);
    place_close(&desk->place);
    text_release(&desk->shown);
    free(desk);
    return 0;
}

typedef bool glance(const struct course *course, struct progress *progress,
                    struct course_count exercises, const struct settings *settings, struct doc *out,
                    struct error *reterr);

/* Columns are for the eye: each is parted from the next by two blanks here. */
static void squeeze(struct text *text)
{
    size_t to = 0;
    for (size_t i = 0; i < text->size; i++)
        if (text->bytes[i] != ' ' || to < 2 || text->bytes[to - 1] != ' ' ||
            text->bytes[to - 2] != ' ')
            text->bytes[to++] = text->bytes[i];
    text_shrink(text, to);
}

static void look(struct desk *desk, glance *look_at)
{
    struct doc out;
    struct error error;
    doc_init(&out);
    if (!look_at(&desk->course, desk->place.progress, desk->exercises, &desk->settings, &out,
                 &error))
        fail_msg("%s", error.text);
    text_clear(&desk->shown);
    doc_check_lines(&out, desk->settings.width_cols, desk->settings.ascii, &desk->shown);
    squeeze(&desk->shown);
    doc_release(&out);
}

static void has(const struct desk *desk, const char *part)
{
    if (strstr(text_string(&desk->shown), part) == NULL)
        fail_msg("'%s' is not in\n%s", part, text_string(&desk->shown));
}

static void has_not(const struct desk *desk, const char *part)
{
    if (strstr(text_string(&desk->shown), part) != NULL)
        fail_msg("'%s' is in\n%s", part, text_string(&desk->shown));
}

static struct attempt begin(struct desk *desk, const char *lesson)
{
    struct attempt attempt;
    struct error error;
    assert_true(attempt_begin(desk->place.progress, lesson, time(NULL), &attempt, &error));
    return attempt;
}

static void record_event(struct desk *desk, const struct attempt *attempt, const char *lesson,
                         const char *question, enum event_kind kind, int64_t took_ms)
{
    struct error error;
    struct event event = {.lesson = lesson,
                          .question = question,
                          .kind = kind,
                          .detail = "",
                          .took_ms = took_ms,
                          .time_s = time(NULL)};
    if (!progress_event(desk->place.progress, attempt, &event, &error))
        fail_msg("%s", error.text);
}

static void test_overview__lessons_of_a_beginner(void **state)
{
    struct desk *desk = *state;
    look(desk, overview_lessons);
    has(desk, "  2  Every kind of question  13 + 20\n"
              "  3  Every kind of question  13 + 20\n"
              "\n0 of 2 lessons done, 0 of 10 questions right.\nIn all 26 min, and 40 min of "
              "exercises in C.\nlesson 1 opens the first.\n");
    has_not(desk, "  done");
    has_not(desk, "under way");
}

static void test_overview__the_total_has_the_exercises(void **state)
{
    struct desk *desk = *state;
    desk->exercises = (struct course_count){.n_exercises = 20, .n_solved = 3};
    look(desk, overview_lessons);
    has(desk, "\n0 of 2 lessons done, 3 of 20 exercises solved, 0 of 10 questions right.\n");
    look(desk, overview_progress);
    has(desk, "\n0 of 2 lessons done, 3 of 20 exercises solved, 0 of 10 questions right.\n");
}

static void test_overview__lessons_with_what_is_done(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct attempt attempt = begin(desk, "every");
    assert_true(attempt_finish(desk->place.progress, &attempt, time(NULL), &error));
    begin(desk, "other");
    look(desk, overview_lessons);
    has(desk, "  2  Every kind of question  13 + 20  done, 0 of 5 right\n");
    has(desk, ">  3  Every kind of question  13 + 20  under way, 0 of 5 right\n");
    has(desk, "lesson goes on where you stopped.");
    begin(desk, "every");
    look(desk, overview_lessons);
    has(desk, ">  2  Every kind of question  13 + 20  under way again, 0 of 5 right\n");
}

static void test_overview__marks(void **state)
{
    struct desk *desk = *state;
    struct attempt attempt = begin(desk, "every");
    look(desk, overview_progress);
    has_not(desk, "Weak");
    has_not(desk, "To review");
    record_event(desk, &attempt, "every", "how-alike", EVENT_RIGHT, 1000);
    record_event(desk, &attempt, "every", "which-row", EVENT_HINT, 1000);
    record_event(desk, &attempt, "every", "which-row", EVENT_RIGHT, 1000);
    record_event(desk, &attempt, "every", "fill-in", EVENT_WRONG, 1000);
    record_event(desk, &attempt, "every", "the-formula", EVENT_SKIPPED, 150000);
    record_event(desk, &attempt, "every", "gone", EVENT_WRONG,
                 1000); /* the lesson has it no more */
    look(desk, overview_progress);
    has(desk, " 2  Every kind of question  "
              "\xE2\x97\x8F\xE2\x97\x90\xE2\x9C\x97\xE2\x97\x8B\xC2\xB7"
              "  2 min\n");
    has(desk, "at once: 1");
    has(desk, "with a hint: 1");
    has(desk, "shown or skipped: 1");
    has(desk, "missed so far: 1");
    has(desk, "open: 6");
    has(desk, "\nWeak so far\n"
              "  lesson 2, page 5: The weights\n"
              "  lesson 2, page 6: The weights\n");
    has(desk, "To review: 0 now, 3 later. review asks them.");
}

static void test_overview__in_ascii_and_narrow(void **state)
{
    struct desk *desk = *state;
    struct attempt attempt = begin(desk, "every");
    record_event(desk, &attempt, "every", "how-alike", EVENT_RIGHT, 1000);
    record_event(desk, &attempt, "every", "the-formula", EVENT_WRONG, 60000 * 999);
    desk->settings.ascii = true;
    look(desk, overview_progress);
    has(desk, " 2  Every kind of question  #..x.  999 min\n");
    for (size_t width = 40; width < 100; width++) {
        desk->settings.width_cols = width;
        look(desk, overview_progress);
        look(desk, overview_lessons);
    }
}

static void test_overview__many_weak_ones(void **state)
{
    struct desk *desk = *state;
    static const char *const questions[] = {"how-alike",   "which-row", "fill-in",
                                            "the-formula", "in-order",  "a-guess"};
    for (int lesson = 0; lesson < 2; lesson++) {
        const char *name = lesson == 0 ? "every" : "other";
        struct attempt attempt = begin(desk, name);
        for (size_t i = 0; i < 6; i++)
            record_event(desk, &attempt, name, questions[i], EVENT_WRONG, 1);
    }
    look(desk, overview_progress);
    has(desk, "  lesson 3, page 5: The weights\n  and 2 more\n");
    has(desk, "missed so far: 10");
}

static void test_overview__a_lesson_that_can_not_be_read(void **state)
{
    struct desk *desk = *state;
    place_write(&desk->place, "lessons/02-every.md", "no lesson\n");
    for (int i = 0; i < 2; i++) {
        desk->settings.width_cols = 200; /* names of folders are long */
        look(desk, i == 0 ? overview_progress : overview_lessons);
        has(desk, "2  ");
        has(desk, "a lesson begins with its header");
        has(desk, " 3  ");
    }
    assert_int_equal(unlink(desk->place.lesson), 0);
    desk->settings.width_cols = 200;
    look(desk, overview_lessons);
    has(desk, "No such file");
}

static void test_overview__nothing_is_remembered(void **state)
{
    struct desk *desk = *state;
    place_reopen(&desk->place, false);
    look(desk, overview_lessons);
    has(desk, "lesson 1 opens the first.");
    look(desk, overview_progress);
    has(desk, "open: 10");
}

static void test_overview__an_empty_course(void **state)
{
    struct desk *desk = *state;
    course_release(&desk->course);
    look(desk, overview_lessons);
    look(desk, overview_progress);
    has(desk, "open: 0");
}

/* What is to be reviewed of lessons that the course has not can't be asked. */
static void test_overview__reviews_of_other_lessons_are_not_counted(void **state)
{
    struct desk *desk = *state;
    struct attempt attempt = begin(desk, "my-lesson");
    record_event(desk, &attempt, "my-lesson", "how-alike", EVENT_WRONG, 1);
    attempt = begin(desk, "gone");
    record_event(desk, &attempt, "gone", "how-alike", EVENT_WRONG, 1);
    look(desk, overview_progress);
    has_not(desk, "To review");
}

static bool look_once(const struct desk *desk, glance *look_at, struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    bool ok = look_at(&desk->course, desk->place.progress, desk->exercises, &desk->settings, &out,
                      reterr);
    doc_release(&out);
    return ok;
}

static void test_overview__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct attempt attempt = begin(desk, "every");
    record_event(desk, &attempt, "every", "how-alike", EVENT_WRONG, 60000);
    assert_reports_failed_allocations(look_once(desk, overview_lessons, &error), error);
    assert_reports_failed_allocations(look_once(desk, overview_progress, &error), error);
}

#define DESK_TEST(test) cmocka_unit_test_setup_teardown(test, desk_open, desk_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DESK_TEST(test_overview__lessons_of_a_beginner),
        DESK_TEST(test_overview__the_total_has_the_exercises),
        DESK_TEST(test_overview__lessons_with_what_is_done),
        DESK_TEST(test_overview__marks),
        DESK_TEST(test_overview__in_ascii_and_narrow),
        DESK_TEST(test_overview__many_weak_ones),
        DESK_TEST(test_overview__a_lesson_that_can_not_be_read),
        DESK_TEST(test_overview__nothing_is_remembered),
        DESK_TEST(test_overview__an_empty_course),
        DESK_TEST(test_overview__reviews_of_other_lessons_are_not_counted),
        DESK_TEST(test_overview__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
