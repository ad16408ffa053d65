/* The whole course at a terminal of 80 columns and 24 rows, in plain lines, ASCII and no colours: a
 * learner goes through every lesson from its first screen to its last, with right answers, foreseen
 * wrong ones, hints, worked answers and skips; and another is killed again and again and loses
 * nothing. What to type comes from the lessons' files. */
#include "screen.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h needs the first two. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include "course/lesson/course.h"
#include "course/lesson/page.h"
#include "course/progress/question_record.h"

enum { KILLS = 100, HEAD_SIZE = 30 };

static struct screen screen;
static char home[64];
static struct course course;

/* The learner's progress, read and written beside the program. */
static struct progress *open_progress(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    assert_non_null(progress);
    assert_null(progress_problem(progress));
    return progress;
}

static int open_home(void **state)
{
    (void)state;
    screen_home_new(home);
    return 0;
}

static int close_home(void **state)
{
    (void)state;
    screen_close(&screen);
    screen_home_remove(home);
    return 0;
}

static void start(const char *lesson)
{
    screen_close(&screen);
    screen_open(&screen, &(struct screen_options){.home = home,
                                                  .arguments = (const char *const[]){
                                                      "lesson", lesson, "--plain", "--ascii",
                                                      "--color", "never", NULL}});
}

/* A learner in a lesson. */
struct learner {
    const struct lesson *lesson;
    size_t page;
    char prompt[128];
    unsigned n_asked; /* questions so far, which decides how the next is dealt with */
    bool left_out;    /* a line that the page offers was not typed */
};

static void at_page(struct learner *learner, size_t page)
{
    learner->page = page;
    snprintf(learner->prompt, sizeof learner->prompt, "%s %zu/%zu>", learner->lesson->id, page + 1,
             learner->lesson->n_pages);
}

/* Types a line on an empty screen. The first letters are waited for, so that the prompt that comes
 * next is a new one. */
static void type_line(struct learner *learner, const char *line)
{
    char head[HEAD_SIZE + 1];
    screen_clear(&screen, learner->prompt);
    snprintf(head, sizeof head, "%s", line);
    size_t size = strlen(head);
    while (size > 0 && head[size - 1] == ' ')
        head[--size] = '\0';
    screen_type(&screen, head);
    screen_wait(&screen, head);
    screen_type(&screen, line + size);
    screen_type(&screen, "\r");
}

/* The same, and waits for what it shows and the next prompt. */
static void say(struct learner *learner, const char *line, const char *shows)
{
    type_line(learner, line);
    screen_wait(&screen, shows);
    screen_wait_row(&screen, learner->prompt);
}

static void answer(struct learner *learner, const char *expression, const char *shows)
{
    char line[2048];
    snprintf(line, sizeof line, "answer %s", expression);
    for (char *c = line; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    say(learner, line, shows);
}

static bool is_last(const struct learner *learner)
{
    return learner->page + 1 == learner->lesson->n_pages;
}

/* Leaves a page that is done. */
static void turn(struct learner *learner, const char *word)
{
    bool last = is_last(learner);
    char prompt[128];
    snprintf(prompt, sizeof prompt, "%s", learner->prompt);
    type_line(learner, word);
    if (last) {
        screen_wait(&screen, "You can now");
        screen_wait_row(&screen, "attn>");
        return;
    }
    at_page(learner, learner->page + 1);
    screen_wait_row(&screen, learner->prompt);
}

static void type_offered(struct learner *learner, const char *line, size_t size)
{
    char copy[2048];
    while (size > 0 && strchr("\n ", line[size - 1]) != NULL)
        size--;
    if (size == 0)
        return;
    if (memchr(line, '\n', size) != NULL) {
        learner->left_out = true; /* for next to run */
        return;
    }
    snprintf(copy, sizeof copy, "%.*s", (int)size, line);
    type_line(learner, copy);
    screen_wait_row(&screen, learner->prompt);
}

static void solve_exercise(struct learner *learner, const struct question *question)
{
    if (learner->n_asked % 2 == 0) {
        turn(learner, "skip");
        return;
    }
    struct error error;
    struct progress *progress = open_progress();
    assert_true(
        progress_exercise_attempt(progress, question->exercise.text, "pass", "", 1, &error));
    progress_close(progress);
    say(learner, "answer", "ok You have solved");
    turn(learner, "next");
}

/* All hints, then the worked answer. */
static void ask_for_everything(struct learner *learner, const struct question *question)
{
    char shows[40];
    for (unsigned i = 0; i < question->n_hints; i++) {
        snprintf(shows, sizeof shows, "Hint %u of %u", i + 1, question->n_hints);
        say(learner, "hint", shows);
    }
    say(learner, "hint", is_last(learner) ? "next ends the lesson." : "next goes on.");
}

/* Whether a wrong answer can be typed as the lesson has it: that of a change is a condition, and
 * those of a cell may be matrices that are True in many. Lint tries these. */
static bool is_wrong_typed(const struct question *question)
{
    return question->kind != QUESTION_CHANGE && question->kind != QUESTION_CELL;
}

/* Cells that the lesson computes are pointed at, not typed as a formula. */
static bool is_right_typed(const struct question *question)
{
    return question->kind != QUESTION_CELL || question->answer.text[0] == '[';
}

static void deal_with(struct learner *learner, const struct question *question)
{
    unsigned way = learner->n_asked++ % 5;
    switch (is_right_typed(question) ? way : 3) {
    case 1:
        for (unsigned i = 0; i < question->n_wrong && is_wrong_typed(question); i++)
            answer(learner, question->wrong[i].is.text, "x Not yet.");
        answer(learner, question->answer.text, "ok Right");
        break;
    case 2:
        say(learner, "hint", "Hint 1 of");
        answer(learner, question->answer.text, "ok Right");
        break;
    case 3:
        ask_for_everything(learner, question);
        break;
    case 4:
        turn(learner, "skip");
        return;
    default:
        answer(learner, question->answer.text, "ok Right");
    }
    turn(learner, "next");
}

static void do_question(struct learner *learner, const struct question *question)
{
    if (question->kind == QUESTION_EXERCISE) {
        solve_exercise(learner, question);
    } else if (question->kind == QUESTION_REFLECTION) {
        answer(learner, "I looked twice.", "ok Kept");
        turn(learner, "next");
    } else if (question->kind == QUESTION_PREDICT) {
        answer(learner, question->answer.text, "You guessed");
        turn(learner, "next");
    } else {
        deal_with(learner, question);
    }
}

/* Typed on every second page, else run by next; then the page can be turned. */
static void do_offer(struct learner *learner, const struct lesson_text *offer)
{
    const char *done = is_last(learner) ? "next ends the lesson." : "next goes on.";
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(offer);
    learner->left_out = learner->page % 2 != 0;
    if (!learner->left_out)
        while (code_lines_next(&lines, &line, &size))
            type_offered(learner, line, size);
    if (learner->left_out)
        say(learner, "next", done);
}

static void go_through(struct learner *learner)
{
    for (size_t page = 0; page < learner->lesson->n_pages; page++) {
        const struct page *now = &learner->lesson->pages[page];
        assert_int_equal(learner->page, page);
        screen_wait_row(&screen, learner->prompt);
        if (now->offer.text != NULL)
            do_offer(learner, &now->offer);
        if (now->question != NULL)
            do_question(learner, now->question);
        else
            turn(learner, "next");
    }
}

static struct lesson *read_lesson(const struct course_entry *entry)
{
    struct lesson *lesson;
    struct error error;
    if (!lesson_read(entry->path, &lesson, &error))
        fail_msg("%s", error.text);
    return lesson;
}

static void test_lessons__a_learner_goes_through(void **state)
{
    const struct course_entry *entry = *state;
    struct lesson *lesson = read_lesson(entry);
    struct learner learner = {.lesson = lesson, .n_asked = entry->number};
    struct lesson_record record;
    struct error error;
    struct question_record *records;
    size_t n_records;
    screen_home_new(home);
    at_page(&learner, 0);
    start(entry->id);
    go_through(&learner);
    screen_type(&screen, "quit\r");
    assert_int_equal(screen_wait_exit(&screen), 0);
    struct progress *progress = open_progress();
    assert_true(progress_lesson(progress, entry->id, &record, &error));
    assert_true(record.finished);
    assert_true(progress_questions(progress, entry->id, &records, &n_records, &error));
    for (size_t i = 0; i < n_records; i++) {
        assert_int_not_equal(records[i].mark, MARK_NONE);
        assert_int_not_equal(records[i].mark, MARK_MISSED);
    }
    assert_int_equal(n_records, lesson->n_questions);
    free(records);
    progress_close(progress);
    lesson_free(lesson);
    (void)close_home(NULL);
}

/* The killed learner. */

/* What the learner has seen to be done. */
struct seen {
    size_t n_right;
    const char *right[64]; /* questions whose "Right" was on the screen */
    unsigned mark;         /* the variable's last value whose prompt came back */
};

static uint64_t luck = 20;

static unsigned draw(unsigned below)
{
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((luck >> 33) % below);
}

static void check_nothing_is_lost(const struct learner *learner, const struct seen *seen)
{
    struct progress *progress = open_progress();
    struct error error;
    struct attempt attempt;
    struct text lines = {0};
    char page[PROGRESS_NAME_BYTES], mark[40];
    bool found;
    assert_true(
        attempt_resume(progress, learner->lesson->id, 1, &attempt, page, &lines, &found, &error));
    assert_true(found);
    for (size_t i = 0; i < seen->n_right; i++) {
        struct question_state state;
        assert_true(attempt_question(progress, &attempt, seen->right[i], &state, &error));
        if (!state.right)
            fail_msg("the answer to %s is lost", seen->right[i]);
    }
    snprintf(mark, sizeof mark, "seen_mark = %u\n", seen->mark);
    if (seen->mark > 0 && strstr(text_string(&lines), mark) == NULL)
        fail_msg("%s is lost", mark);
    text_release(&lines);
    progress_close(progress);
}

/* The page that the prompt names, once it is there. */
static size_t page_on_screen(const struct learner *learner)
{
    for (;;) {
        char prompt[128];
        for (size_t page = 0; page < learner->lesson->n_pages; page++) {
            snprintf(prompt, sizeof prompt, "%s %zu/%zu>", learner->lesson->id, page + 1,
                     learner->lesson->n_pages);
            for (int row = screen.rows - 1; row >= 0; row--)
                if (strcmp(screen_row(&screen, row), prompt) == 0)
                    return page;
        }
        screen_watch(&screen, 20);
    }
}

/* Does one thing on the page; what is seen to be done is noted. */
static void do_one_thing(struct learner *learner, struct seen *seen)
{
    char line[64];
    const struct question *question = learner->lesson->pages[learner->page].question;
    if (draw(3) == 0) {
        snprintf(line, sizeof line, "seen_mark = %u", seen->mark + 1);
        say(learner, line, line);
        seen->mark++;
    } else if (question != NULL && question_is_judged(question->kind) &&
               (seen->n_right == 0 || seen->right[seen->n_right - 1] != question->name)) {
        /* it may be answered already, by what was typed just before the kill */
        answer(learner, question->answer.text, "next goes on");
        seen->right[seen->n_right++] = question->name;
    } else if (learner->lesson->pages[learner->page].offer.text != NULL) {
        type_line(learner, "next"); /* runs what is offered, or goes on where that was done */
        at_page(learner, page_on_screen(learner));
    } else {
        turn(learner, question != NULL && !question_is_judged(question->kind) ? "skip" : "next");
    }
}

static void test_lessons__a_killed_learner_loses_nothing(void **state)
{
    (void)state;
    const struct course_entry *entry;
    struct error error;
    assert_true(course_find(&course, "why-attention", &entry, &error));
    struct lesson *lesson = read_lesson(entry);
    struct learner learner = {.lesson = lesson};
    struct seen seen = {0};
    for (unsigned i = 0; i < KILLS; i++) {
        start(entry->id);
        at_page(&learner, page_on_screen(&learner));
        for (unsigned n = draw(4); n > 0 && !is_last(&learner); n--)
            do_one_thing(&learner, &seen);
        /* killed in the middle of the next thing, whatever it is */
        const struct question *question = lesson->pages[learner.page].question;
        char line[600];
        snprintf(line, sizeof line, "answer %s\rnext\r",
                 question != NULL && question->answer.text != NULL ? question->answer.text : "1");
        if (!is_last(&learner))
            screen_type(&screen, line);
        (void)poll(NULL, 0, (int)draw(25));
        screen_kill(&screen);
        check_nothing_is_lost(&learner, &seen);
        if (is_last(&learner)) { /* begins again, with nothing seen yet */
            struct progress *progress = open_progress();
            struct attempt attempt;
            assert_true(attempt_begin(progress, entry->id, 1, &attempt, &error));
            progress_close(progress);
            seen = (struct seen){0};
        }
    }
    lesson_free(lesson);
}

/* With an argument, only the tests whose names contain it. */
int main(int argc, char **argv)
{
    struct error error;
    if (!course_open(getenv("ATTN_DATA_DIR"), &course, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    struct CMUnitTest tests[64] = {0};
    size_t n = 0;
    for (size_t i = 0; i < course.n; i++)
        tests[n++] = (struct CMUnitTest){.name = course.entries[i].file_name,
                                         .test_func = test_lessons__a_learner_goes_through,
                                         .initial_state = &course.entries[i]};
    tests[n++] = (struct CMUnitTest){.name = "test_lessons__a_killed_learner_loses_nothing",
                                     .test_func = test_lessons__a_killed_learner_loses_nothing,
                                     .setup_func = open_home,
                                     .teardown_func = close_home};
    size_t n_left = 0;
    for (size_t i = 0; i < n; i++)
        if (argc < 2 || strstr(tests[i].name, argv[1]) != NULL)
            tests[n_left++] = tests[i];
    n = n_left;
    int failed = _cmocka_run_group_tests("lessons", tests, n, NULL, NULL);
    screen_close(&screen);
    course_release(&course);
    return failed;
}
