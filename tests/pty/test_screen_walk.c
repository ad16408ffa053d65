/* The whole course on the full screen: a learner comes to home for the first time, opens lesson 1
 * as it invites, and goes through every lesson to the end of the last, by keys alone. Each judged
 * question gets a wrong answer that its lesson foresees, then the right one; some are skipped, and
 * their answers looked for on the next page. What to type comes from the lessons' files. */
#include "lesson_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/page.h"
#include "course/progress/attempt_internal.h"
#include "course/progress/lesson_count.h"

/* Of the questions that are judged, one in so many is skipped. */
enum { SKIPPED_OF = 6 };

struct walk {
    struct learner learner;
    size_t page;
    unsigned n_judged, n_wrong; /* questions of the course so far, and wrong answers to them */
};

static const struct page *page_of(const struct walk *walk)
{
    return &walk->learner.lesson->pages[walk->page];
}

/* ---- where the learner is ---- */

static const struct walk *asked;

/* What the top row says of a page: "Softmax   page 3 of 24". */
static void write_place(const struct walk *walk, size_t page, char place[160])
{
    snprintf(place, 160, "%s   page %zu of %zu ", walk->learner.lesson->title, page + 1,
             walk->learner.lesson->n_pages);
}

static bool is_at(const struct walk *walk, size_t page)
{
    char place[160];
    write_place(walk, page, place);
    return strstr(screen_row(&screen, 0), place) != NULL;
}

static bool is_here(struct screen *shown, const char *what)
{
    (void)shown;
    (void)what;
    return is_at(asked, asked->page);
}

/* Waits for the page, and for all of its frame, in which options are looked for. */
static void wait_page(const struct walk *walk)
{
    char place[160];
    write_place(walk, walk->page, place);
    asked = walk;
    screen_wait_for(&screen, is_here, place);
    screen_settle(&screen, 15, 1000);
}

static bool is_last(const struct walk *walk)
{
    return walk->page + 1 == walk->learner.lesson->n_pages;
}

/* As far down as any page is long: what was printed last is read to its end. */
static void read_to_end(void)
{
    screen_press_times(&screen, VTERM_KEY_PAGEDOWN, 12);
}

/* Enter runs each of the lines that the page offers; what it gives comes into sight. */
static void take_offer(const struct page *page)
{
    for (size_t i = count_offered(page); i > 0; i--) {
        read_to_end();
        screen_wait(&screen, "Enter runs the line in grey");
        uint64_t before = screen_hash(&screen);
        enter();
        wait_other(before, "what was offered to type");
    }
    screen_wait(&screen, "Enter goes on");
}

/* Enter at the end of the page goes on. */
static void go_on(struct walk *walk)
{
    if (page_of(walk)->offer.text != NULL)
        take_offer(page_of(walk));
    read_to_end();
    enter();
    if (is_last(walk))
        screen_wait(&screen, "You can now");
}

/* ---- questions ---- */

/* Before the first key: an option, or a matrix, that is further down is read for. */
static void read_to_question(const struct question *question)
{
    if (!is_typed(question))
        press(VTERM_KEY_PAGEDOWN); /* End goes to the end of a row in a table */
}

static void leave_out(struct walk *walk, const struct question *question)
{
    screen_type(&screen, CTRL_S);
    if (is_last(walk)) {
        screen_wait(&screen, "You can now");
        return;
    }
    walk->page++;
    wait_page(walk);
    if (question->answer.text != NULL && question->kind != QUESTION_EXERCISE)
        assert_shows("Skipped: it was");
    walk->page--;
}

static void answer_wrong(struct walk *walk, const struct question *question)
{
    struct text wrong = {0};
    if (write_wrong(&walk->learner, question, &wrong)) {
        walk->n_wrong++;
        give_answer(&walk->learner, question, text_string(&wrong));
        screen_wait(&screen, "Not yet.");
        assert_true(is_at(walk, walk->page));
    }
    text_release(&wrong);
}

/* Returns whether the page was left. */
static bool deal_with(struct walk *walk, const struct question *question)
{
    if (question->kind == QUESTION_EXERCISE ||
        (question_is_judged(question->kind) && walk->n_judged++ % SKIPPED_OF == SKIPPED_OF - 1)) {
        leave_out(walk, question);
        return true;
    }
    read_to_question(question);
    if (question->kind == QUESTION_REFLECTION) {
        screen_type(&screen, "I looked twice. Then I saw it.\r");
        screen_wait(&screen, "Kept, for you alone.");
    } else if (question->kind == QUESTION_PREDICT) {
        give_answer(&walk->learner, question, "2");
        screen_wait(&screen, "ou guessed");
    } else {
        answer_wrong(walk, question);
        give_answer(&walk->learner, question, question->answer.text);
        screen_wait(&screen, "\xE2\x9C\x93 Right");
    }
    return false;
}

/* ---- lessons ---- */

static bool has_begun(struct screen *shown, const char *what)
{
    return is_here(shown, what) || strstr(screen_row(shown, 0), "Warm-up   before") != NULL;
}

/* A question from an earlier lesson may come first; it is left out. */
static void pass_warm_up(struct walk *walk)
{
    walk->page = 0;
    asked = walk;
    screen_wait_for(&screen, has_begun, walk->learner.lesson->title);
    if (!is_at(walk, 0))
        screen_type(&screen, CTRL_S);
}

static void go_through(struct walk *walk)
{
    pass_warm_up(walk);
    for (walk->page = 0; walk->page < walk->learner.lesson->n_pages; walk->page++) {
        const struct page *page = page_of(walk);
        wait_page(walk);
        read_page(&walk->learner, page);
        bool left = page->question != NULL && deal_with(walk, page->question);
        run_offer(&walk->learner, page);
        if (!left)
            go_on(walk);
    }
}

/* ---- what home and progress say ---- */

static void check_lesson(struct progress *progress, const struct course_entry *entry)
{
    char done[80], number[16];
    struct lesson_record record;
    struct lesson_count count;
    struct lesson *lesson;
    struct error error;
    assert_true(lesson_read(entry->path, &lesson, &error));
    assert_true(progress_lesson(progress, entry->id, &record, &error));
    assert_true(record.finished);
    assert_true(lesson_count_of(progress, lesson, &count, &error));
    assert_int_equal(count.by_mark[MARK_NONE], 0); /* each was dealt with */
    snprintf(done, sizeof done, "done, %u of %u right", lesson_count_right(&count), count.n);
    snprintf(number, sizeof number, "%u", entry->number);
    screen_type(&screen, number); /* it unfolds its part */
    wait_chosen(lesson->title);
    assert_non_null(strstr(chosen_row(), done));
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "Enter opens lesson");
    lesson_free(lesson);
}

static void check_home(void)
{
    char path[128];
    struct course course;
    struct error error;
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    assert_true(course_open(getenv("ATTN_DATA_DIR"), &course, &error));
    for (size_t i = 0; i < course.n; i++)
        check_lesson(progress, &course.entries[i]);
    course_release(&course);
    progress_close(progress);
}

/* ---- the walk ---- */

static void walk_through_the_course(int rows, int cols)
{
    struct course course;
    struct error error;
    struct walk walk = {.page = 0};
    assert_true(course_open(getenv("ATTN_DATA_DIR"), &course, &error));
    screen_home_new(home);
    start(&(struct screen_options){.rows = rows, .cols = cols, .home = home});
    wait_chosen("Begin with lesson 1");
    for (size_t i = 0; i < course.n; i++) {
        enter(); /* from home, or from the end of the lesson before */
        open_learner(&walk.learner, course.entries[i].id);
        go_through(&walk);
        close_learner(&walk.learner);
    }
    course_release(&course);
    assert_in_range(walk.n_wrong, walk.n_judged / 2, walk.n_judged);
    press(VTERM_KEY_ESCAPE);
    wait_chosen("All lessons are done: review them");
    check_home();
    quit("q");
}

static void test_screen_walk__at_80x24(void **state)
{
    (void)state;
    walk_through_the_course(24, 80);
}

static void test_screen_walk__at_120x40(void **state)
{
    (void)state;
    walk_through_the_course(40, 120);
}

static void test_screen_walk__at_200x60(void **state)
{
    (void)state;
    walk_through_the_course(60, 200);
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_walk__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {TEST(at_80x24), TEST(at_120x40), TEST(at_200x60)};
    return RUN_TESTS("screen_walk", all);
}
