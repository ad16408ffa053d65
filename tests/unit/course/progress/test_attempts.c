/* course/progress/attempt_internal.h, event_internal.h, question_record.h, review.h and export.h:
 * what a learner does in lessons. */
#include "testing.h"

#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/export.h"
#include "course/progress/question_record.h"
#include "course/progress/review.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

/* A folder for one test, a path in it, and the progress there. */
struct place {
    char folder[64], path[128];
    struct progress *progress;
};

static struct progress *must_open(const char *path)
{
    struct progress *progress = progress_open(path);
    assert_non_null(progress);
    if (progress_problem(progress) != NULL)
        fail_msg("%s", progress_problem(progress));
    return progress;
}

static int make_place(void **state)
{
    struct place *place = test_calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/attn-plays-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/progress.db", place->folder);
    place->progress = must_open(place->path);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;
    char command[256];
    progress_close(place->progress);
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    int status = system(command); /* NOLINT: a name of our own */
    test_free(place);
    return status;
}

/* ---- what the tests do ---- */

#define MUST(call)                           \
    do {                                     \
        struct error must_error;             \
        if (!(call))                         \
            fail_msg("%s", must_error.text); \
    } while (0)

static struct attempt begin(struct progress *progress, const char *lesson, int64_t time_s)
{
    struct attempt attempt;
    MUST(attempt_begin(progress, lesson, time_s, &attempt, &must_error));
    assert_true(attempt.id > 0 && attempt.run > 0);
    return attempt;
}

static void turn(struct progress *progress, struct attempt attempt, const char *page,
                 const char *lines, int64_t time_s)
{
    MUST(attempt_turn_page(progress, &attempt, page, lines, time_s, &must_error));
}

static void finish(struct progress *progress, struct attempt attempt, int64_t time_s)
{
    MUST(attempt_finish(progress, &attempt, time_s, &must_error));
}

/* Resumes and checks where; page NULL: there is nothing to go on with. */
static struct attempt resume(struct progress *progress, const char *lesson, const char *page,
                             const char *lines, int64_t time_s)
{
    struct attempt attempt = {0};
    struct text text = {0};
    char found_page[PROGRESS_NAME_BYTES] = "untouched";
    bool found;
    MUST(
        attempt_resume(progress, lesson, time_s, &attempt, found_page, &text, &found, &must_error));
    assert_int_equal(found, page != NULL);
    assert_string_equal(found_page, page != NULL ? page : "untouched");
    assert_string_equal(text_string(&text), page != NULL ? lines : "");
    text_release(&text);
    return attempt;
}

static void happen_long(struct progress *progress, const struct attempt *attempt,
                        struct event event)
{
    event.is_review = attempt == NULL;
    if (event.detail == NULL)
        event.detail = "";
    MUST(progress_event(progress, attempt, &event, &must_error));
}

/* An event of lesson "05-scaling"; attempt NULL: in a review. */
static void record_event(struct progress *progress, const struct attempt *attempt,
                         const char *question, enum event_kind kind, int64_t time_s)
{
    happen_long(progress, attempt,
                (struct event){.lesson = "05-scaling",
                               .question = question,
                               .kind = kind,
                               .took_ms = 1000,
                               .time_s = time_s});
}

enum { MAX_FOUND = 64 };

struct found_questions {
    struct question_record items[MAX_FOUND];
    size_t n;
};

static struct found_questions questions(struct progress *progress, const char *lesson)
{
    struct found_questions found = {.n = 0};
    struct question_record *items;
    MUST(progress_questions(progress, lesson, &items, &found.n, &must_error));
    assert_true(found.n <= MAX_FOUND);
    for (size_t i = 0; i < found.n; i++)
        found.items[i] = items[i];
    free(items);
    return found;
}

static enum mark mark_of(struct progress *progress, const char *question)
{
    struct found_questions found = questions(progress, "05-scaling");
    for (size_t i = 0; i < found.n; i++)
        if (strcmp(found.items[i].question, question) == 0)
            return found.items[i].mark;
    fail_msg("nothing is known of %s", question);
    return MARK_NONE;
}

struct found_reviews {
    struct review items[MAX_FOUND];
    size_t n;
};

static struct found_reviews reviews(struct progress *progress, int64_t time_s, bool not_yet_due)
{
    struct found_reviews found = {.n = 0};
    struct review *items;
    MUST(progress_reviews(progress, time_s, not_yet_due, &items, &found.n, &must_error));
    assert_true(found.n <= MAX_FOUND);
    for (size_t i = 0; i < found.n; i++)
        found.items[i] = items[i];
    free(items);
    return found;
}

/* The only question to review, now or later; due_s 0: there is none. */
static void assert_review(struct progress *progress, unsigned step, int64_t due_s)
{
    struct found_reviews found = reviews(progress, 0, true);
    assert_int_equal(found.n, due_s != 0);
    if (due_s == 0)
        return;
    assert_int_equal(found.items[0].step, step);
    assert_int_equal(found.items[0].due_s, due_s);
    assert_int_equal(reviews(progress, due_s - 1, false).n, 0);
    assert_int_equal(reviews(progress, due_s, false).n, 1);
}

static struct lesson_record lesson_of(struct progress *progress, const char *lesson)
{
    struct lesson_record found;
    MUST(progress_lesson(progress, lesson, &found, &must_error));
    return found;
}

static void assert_last_lesson(struct progress *progress, const char *lesson)
{
    char found[PROGRESS_NAME_BYTES];
    MUST(progress_last_lesson(progress, found, &must_error));
    assert_string_equal(found, lesson);
}

static int64_t number_in(const char *path, const char *sql)
{
    sqlite3 *file;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(file);
    return number;
}

/* ---- attempts ---- */

static void test_attempts__goes_on_where_it_stopped(void **state)
{
    struct place *place = *state;
    begin(place->progress, "05-scaling", 100);
    resume(place->progress, "04-scores", NULL, "", 101);
    struct attempt attempt = resume(place->progress, "05-scaling", "", "", 110); /* at the start */
    turn(place->progress, attempt, "why-divide", "", 120);
    turn(place->progress, attempt, "spread", "Q = randn(2, 3)\nK = Q\n", 130);
    turn(place->progress, attempt, "spread", "Q @ K.T\n", 140);
    progress_close(place->progress);
    place->progress = must_open(place->path);
    struct attempt again =
        resume(place->progress, "05-scaling", "spread", "Q = randn(2, 3)\nK = Q\nQ @ K.T\n", 150);
    assert_int_equal(again.id, attempt.id);
    assert_int_not_equal(again.run, attempt.run);
}

static void test_attempts__finished_ones_are_not_gone_on_with(void **state)
{
    struct place *place = *state;
    struct attempt first = begin(place->progress, "05-scaling", 100);
    turn(place->progress, first, "half", "a = 1\n", 110);
    struct attempt second = begin(place->progress, "05-scaling", 120);
    turn(place->progress, second, "end", "", 130);
    finish(place->progress, second, 140);
    resume(place->progress, "05-scaling", NULL, "", 150); /* nor with the one given up before */
    struct attempt third = begin(place->progress, "05-scaling", 160);
    resume(place->progress, "05-scaling", "", "", 170);
    finish(place->progress, third, 180);
    finish(place->progress, third, 190);
    assert_int_equal(number_in(place->path, "SELECT max(finished_s) FROM plays"), 180);
}

/* What the lines hold is data; a last line without its newline gets one. */
static void test_attempts__lines_are_kept_byte_for_byte(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 100);
    turn(place->progress, attempt, "p'; DROP TABLE plays; --", "a = \"it's\"\n\n# \xF0\x9F\x98\x80",
         110);
    turn(place->progress, attempt, "p'; DROP TABLE plays; --", "b = 2\n", 120);
    resume(place->progress, "05-scaling", "p'; DROP TABLE plays; --",
           "a = \"it's\"\n\n# \xF0\x9F\x98\x80\nb = 2\n", 130);
}

static void test_attempts__lines_are_added_to_what_is_there(void **state)
{
    struct place *place = *state;
    struct text text = {0};
    char page[PROGRESS_NAME_BYTES];
    bool found;
    struct attempt attempt = begin(place->progress, "05-scaling", 100);
    turn(place->progress, attempt, "p", "b = 2\n", 110);
    text_put(&text, "a = 1\n");
    MUST(attempt_resume(place->progress, "05-scaling", 120, &attempt, page, &text, &found,
                        &must_error));
    assert_string_equal(text_string(&text), "a = 1\nb = 2\n");
    text_release(&text);
}

/* Two attn, two connections: each writes its own lines; who turned last says where the attempt is.
 */
static void test_attempts__two_at_once_do_not_mix(void **state)
{
    struct place *place = *state;
    struct progress *other = must_open(place->path);
    struct attempt here = begin(place->progress, "05-scaling", 100);
    turn(place->progress, here, "one", "a = 1\n", 110);
    struct attempt there = resume(other, "05-scaling", "one", "a = 1\n", 120);
    turn(other, there, "two", "a = 2\n", 130);
    turn(place->progress, here, "one", "b = 1\n", 140);
    struct attempt third = resume(place->progress, "05-scaling", "one", "a = 1\nb = 1\n", 150);
    turn(other, there, "three", "c = 2\n", 160);
    resume(other, "05-scaling", "three", "a = 1\na = 2\nc = 2\n", 170);
    assert_int_equal(here.id, there.id);
    assert_int_equal(here.id, third.id);
    assert_int_equal(number_in(place->path, "SELECT count(DISTINCT run) FROM lines"), 4);
    progress_close(other);
}

/* Of two attempts of one lesson the one counts in which something happened last. */
static void test_attempts__the_liveliest_is_the_last(void **state)
{
    struct place *place = *state;
    struct progress *other = must_open(place->path);
    struct attempt here = begin(place->progress, "05-scaling", 100);
    struct attempt there = begin(other, "05-scaling", 110);
    turn(other, there, "end", "", 120);
    turn(place->progress, here, "middle", "", 130);
    assert_int_equal(resume(other, "05-scaling", "middle", "", 140).id, here.id);
    finish(other, there, 150);
    assert_false(lesson_of(other, "05-scaling").open);
    record_event(place->progress, &here, "q", EVENT_RIGHT, 160); /* here it still goes on */
    assert_true(lesson_of(other, "05-scaling").open);
    resume(other, "05-scaling", "middle", "", 170);
    progress_close(other);
}

static void test_attempts__last_eight_runs_are_kept(void **state)
{
    struct place *place = *state;
    struct error error;
    struct attempt first = begin(place->progress, "05-scaling", 100);
    struct attempt neighbour = begin(place->progress, "06-softmax", 100);
    turn(place->progress, first, "one", "a = 1\n", 110);
    turn(place->progress, neighbour, "one", "a = 1\n", 110);
    for (int i = 0; i < 7; i++)
        resume(place->progress, "05-scaling", "one", "a = 1\n", 120);
    turn(place->progress, first, "two", "b = 1\n", 130); /* the eighth from the end lives */
    for (int i = 0; i < 7; i++)
        resume(place->progress, "05-scaling", "two", "a = 1\nb = 1\n", 140);
    turn(place->progress, first, "two", "", 150);
    for (int i = 0; i < 8; i++)
        resume(place->progress, "05-scaling", "two", "a = 1\nb = 1\n", 160);
    assert_error(attempt_turn_page(place->progress, &first, "three", "c = 1\n", 170, &error), error,
                 ERR_FILE);
    assert_says(error, "not remembered");
    resume(place->progress, "05-scaling", "two", "a = 1\nb = 1\n", 180);
    resume(place->progress, "06-softmax", "one", "a = 1\n", 180);
    assert_int_equal(number_in(place->path, "SELECT count(*) FROM runs"), 8 + 2);
    assert_int_equal(number_in(place->path, "SELECT count(DISTINCT run) FROM lines"), 8 + 2);
}

static void test_attempts__names_that_are_too_long_are_refused(void **state)
{
    struct place *place = *state;
    struct error error;
    struct attempt attempt = begin(place->progress, "05-scaling", 100);
    char name[PROGRESS_NAME_BYTES + 1], fits[PROGRESS_NAME_BYTES];
    memset(name, 'x', PROGRESS_NAME_BYTES);
    name[PROGRESS_NAME_BYTES] = '\0';
    memset(fits, 'x', PROGRESS_NAME_BYTES - 1);
    fits[PROGRESS_NAME_BYTES - 1] = '\0';
    struct event event = {.lesson = name, .question = "q", .detail = ""};
    assert_error(attempt_begin(place->progress, name, 1, &attempt, &error), error, ERR_LIMIT);
    assert_error(attempt_turn_page(place->progress, &attempt, name, "", 1, &error), error,
                 ERR_LIMIT);
    assert_error(progress_event(place->progress, &attempt, &event, &error), error, ERR_LIMIT);
    event = (struct event){.lesson = "l", .question = name, .detail = ""};
    assert_error(progress_event(place->progress, &attempt, &event, &error), error, ERR_LIMIT);
    turn(place->progress, attempt, fits, "", 110);
    resume(place->progress, "05-scaling", fits, "", 120);
}

/* ---- questions ---- */

static void test_attempts__events_have_names(void **state)
{
    (void)state;
    assert_string_equal(event_name(EVENT_RIGHT), "right");
    assert_string_equal(event_name(EVENT_WRONG), "wrong");
    assert_string_equal(event_name(EVENT_REFLECTION), "reflection");
    for (enum event_kind kind = 0; kind < EVENT_COUNT; kind++)
        assert_non_null(event_name(kind));
}

/* Events as letters: r(ight) w(rong) h(int) t(old: worked) s(kipped) g(uess) f(reflection) c(ell).
 */
static enum event_kind kind_of(char letter)
{
    static const char letters[] = "rwhtsgfc";
    static const enum event_kind kinds[] = {EVENT_RIGHT,      EVENT_WRONG,   EVENT_HINT,
                                            EVENT_WORKED,     EVENT_SKIPPED, EVENT_GUESS,
                                            EVENT_REFLECTION, EVENT_CELL};
    const char *at = strchr(letters, letter);
    assert_non_null(at);
    return kinds[at - letters];
}

static const struct {
    const char *events;
    enum mark mark;
} mark_table[] = {
    {"h", MARK_NONE},    {"c", MARK_NONE},    {"hc", MARK_NONE},    {"w", MARK_MISSED},
    {"ww", MARK_MISSED}, {"wh", MARK_MISSED}, {"s", MARK_TOLD},     {"t", MARK_TOLD},
    {"ws", MARK_TOLD},   {"wt", MARK_TOLD},   {"tr", MARK_TOLD},    {"twr", MARK_TOLD},
    {"tw", MARK_TOLD},   {"wr", MARK_TRIED},  {"hr", MARK_HINTED},  {"whwhr", MARK_HINTED},
    {"sr", MARK_HINTED}, {"r", MARK_ALONE},   {"cccr", MARK_ALONE}, {"rt", MARK_ALONE},
    {"rw", MARK_ALONE},  {"rh", MARK_ALONE},  {"rs", MARK_ALONE},   {"g", MARK_ALONE},
    {"f", MARK_ALONE},   {"gh", MARK_ALONE},  {"gw", MARK_MISSED},  {"gwr", MARK_TRIED},
    {"gr", MARK_ALONE},  {"gs", MARK_TOLD},
};
enum { N_MARKS = COUNT_OF(mark_table) };

static void test_attempts__marks_of_a_play(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    for (size_t i = 0; i < N_MARKS; i++) {
        const char *events = mark_table[i].events;
        for (size_t k = 0; events[k] != '\0'; k++)
            record_event(place->progress, &attempt, events, kind_of(events[k]), (int64_t)k);
    }
    for (size_t i = 0; i < N_MARKS; i++)
        if (mark_of(place->progress, mark_table[i].events) != mark_table[i].mark)
            fail_msg("%s gives mark %d", mark_table[i].events,
                     (int)mark_of(place->progress, mark_table[i].events));
}

/* The same within one review. */
static void test_attempts__marks_of_a_review(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < N_MARKS; i++) {
        const char *events = mark_table[i].events;
        for (size_t k = 0; events[k] != '\0'; k++)
            record_event(place->progress, NULL, events, kind_of(events[k]), (int64_t)k * 600);
        if (mark_of(place->progress, events) != mark_table[i].mark)
            fail_msg("%s gives mark %d", events, (int)mark_of(place->progress, events));
    }
}

/* The last attempt or review says it. */
static void test_attempts__last_showing_gives_the_mark(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, 10);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 20);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TRIED);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, DAY_S + 20);
    assert_int_equal(mark_of(place->progress, "q"), MARK_ALONE);
    record_event(place->progress, NULL, "q", EVENT_WRONG, 4 * DAY_S + 20);
    assert_int_equal(mark_of(place->progress, "q"), MARK_MISSED);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, 4 * DAY_S + 60);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TRIED);
    struct attempt again = begin(place->progress, "05-scaling", 5 * DAY_S);
    record_event(place->progress, &again, "q", EVENT_HINT, 5 * DAY_S);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TRIED); /* a hint alone says nothing new */
    record_event(place->progress, &again, "q", EVENT_SKIPPED, 5 * DAY_S);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TOLD);
    struct found_questions found = questions(place->progress, "05-scaling");
    assert_int_equal(found.items[0].best, MARK_ALONE); /* the best of all presentations stays */
}

/* A attempt is one presentation, however long it takes and whatever happens between. */
static void test_attempts__plays_may_alternate(void **state)
{
    struct place *place = *state;
    struct attempt here = begin(place->progress, "05-scaling", 0);
    struct attempt there = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &here, "q", EVENT_WRONG, 10);
    record_event(place->progress, &there, "q", EVENT_RIGHT, 20);
    record_event(place->progress, NULL, "q", EVENT_SKIPPED, 30);
    record_event(place->progress, &here, "q", EVENT_RIGHT, 60 * DAY_S);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TRIED);
    record_event(place->progress, &there, "q", EVENT_HINT, 61 * DAY_S);
    assert_int_equal(mark_of(place->progress, "q"), MARK_ALONE);
}

static void test_attempts__questions_in_their_order_with_their_sums(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &attempt, "zebra", EVENT_WRONG, 1);
    record_event(place->progress, &attempt, "ant", EVENT_SKIPPED, 2);
    record_event(place->progress, &attempt, "zebra", EVENT_HINT, 3);
    record_event(place->progress, &attempt, "zebra", EVENT_HINT, 4);
    record_event(place->progress, &attempt, "zebra", EVENT_RIGHT, 5);
    record_event(place->progress, &attempt, "matrix", EVENT_CELL, 6);
    record_event(place->progress, NULL, "ant", EVENT_WORKED, 7);
    happen_long(place->progress, &attempt,
                (struct event){.lesson = "06-softmax", .question = "zebra", .kind = EVENT_RIGHT});
    struct found_questions found = questions(place->progress, "05-scaling");
    assert_int_equal(found.n, 3);
    assert_string_equal(found.items[0].question, "zebra");
    assert_string_equal(found.items[1].question, "ant");
    assert_string_equal(found.items[2].question, "matrix");
    assert_int_equal(found.items[0].n_right, 1);
    assert_int_equal(found.items[0].n_wrong, 1);
    assert_int_equal(found.items[0].n_hints, 2);
    assert_int_equal(found.items[0].n_told, 0);
    assert_int_equal(found.items[0].took_ms, 4000);
    assert_int_equal(found.items[1].n_told, 2);
    assert_int_equal(found.items[1].mark, MARK_TOLD);
    assert_int_equal(found.items[2].mark, MARK_NONE);
    assert_int_equal(questions(place->progress, "01-words").n, 0);
}

static struct question_state state_of(struct progress *progress, struct attempt attempt,
                                      const char *question)
{
    struct question_state found;
    MUST(attempt_question(progress, &attempt, question, &found, &must_error));
    return found;
}

static void fill_cell(struct progress *progress, struct attempt attempt, unsigned cell)
{
    happen_long(progress, &attempt,
                (struct event){
                    .lesson = "05-scaling", .question = "m", .kind = EVENT_CELL, .number = cell});
}

static void show_hint(struct progress *progress, struct attempt attempt, unsigned hint)
{
    happen_long(progress, &attempt,
                (struct event){
                    .lesson = "05-scaling", .question = "m", .kind = EVENT_HINT, .number = hint});
}

/* All that is needed to go on in the middle of a question, after a restart. */
static void test_attempts__question_goes_on_in_the_middle(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    struct question_state found = state_of(place->progress, attempt, "m");
    assert_false(found.right || found.told);
    assert_int_equal(found.n_wrong + found.n_hints + found.cells, 0);
    fill_cell(place->progress, attempt, 0);
    fill_cell(place->progress, attempt, 5);
    fill_cell(place->progress, attempt, 63);
    fill_cell(place->progress, attempt, 64);
    show_hint(place->progress, attempt, 2);
    show_hint(place->progress, attempt, 1);
    record_event(place->progress, &attempt, "m", EVENT_WRONG, 3);
    record_event(place->progress, &attempt, "m", EVENT_WRONG, 4);
    record_event(place->progress, NULL, "m", EVENT_RIGHT, 5); /* not in the attempt */
    turn(place->progress, attempt, "page", "", 5);
    attempt = resume(place->progress, "05-scaling", "page", "", 6);
    found = state_of(place->progress, attempt, "m");
    assert_true(found.cells == (UINT64_C(1) | UINT64_C(1) << 5 | UINT64_C(1) << 63));
    assert_int_equal(found.n_hints, 2);
    assert_int_equal(found.n_wrong, 2);
    assert_false(found.right || found.told);
    record_event(place->progress, &attempt, "m", EVENT_WORKED, 7);
    assert_true(state_of(place->progress, attempt, "m").told);
    assert_false(state_of(place->progress, attempt, "m").right);
    record_event(place->progress, &attempt, "g", EVENT_GUESS, 8);
    record_event(place->progress, &attempt, "f", EVENT_REFLECTION, 8);
    record_event(place->progress, &attempt, "s", EVENT_SKIPPED, 8);
    assert_true(state_of(place->progress, attempt, "g").right);
    assert_true(state_of(place->progress, attempt, "f").right);
    assert_false(state_of(place->progress, attempt, "s").told); /* it can still be answered */
    struct attempt fresh = begin(place->progress, "05-scaling", 9);
    assert_int_equal(state_of(place->progress, fresh, "m").cells, 0);
    assert_false(state_of(place->progress, fresh, "m").told);
}

/* ---- lessons ---- */

static void test_attempts__lesson_records(void **state)
{
    struct place *place = *state;
    struct lesson_record record = lesson_of(place->progress, "05-scaling");
    assert_false(record.started || record.finished || record.open);
    assert_int_equal(record.last_s + record.took_ms, 0);
    struct attempt attempt = begin(place->progress, "05-scaling", 100);
    record = lesson_of(place->progress, "05-scaling");
    assert_true(record.started && record.open && !record.finished);
    assert_int_equal(record.last_s, 100);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, 200);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 210);
    turn(place->progress, attempt, "end", "", 150); /* the clock was put back */
    assert_int_equal(lesson_of(place->progress, "05-scaling").last_s, 210);
    finish(place->progress, attempt, 300);
    record = lesson_of(place->progress, "05-scaling");
    assert_true(record.started && record.finished && !record.open);
    assert_int_equal(record.last_s, 300);
    assert_int_equal(record.took_ms, 2000);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, 400);
    begin(place->progress, "05-scaling", 350);
    record = lesson_of(place->progress, "05-scaling");
    assert_true(record.started && record.finished && record.open);
    assert_int_equal(record.last_s, 400);
    assert_int_equal(record.took_ms, 3000);
    assert_false(lesson_of(place->progress, "06-softmax").started);
}

static void test_attempts__last_lesson_is_the_one_to_go_on_with(void **state)
{
    struct place *place = *state;
    assert_last_lesson(place->progress, "");
    struct attempt one = begin(place->progress, "01-words", 900);
    struct attempt two = begin(place->progress, "02-dot", 800); /* later, whatever the clock says */
    assert_last_lesson(place->progress, "02-dot");
    turn(place->progress, one, "p", "", 100);
    assert_last_lesson(place->progress, "01-words");
    record_event(place->progress, &two, "q", EVENT_RIGHT, 100);
    assert_last_lesson(place->progress, "02-dot");
    record_event(place->progress, NULL, "q", EVENT_RIGHT, 100); /* a review is no lesson */
    assert_last_lesson(place->progress, "02-dot");
    finish(place->progress, two, 100);
    assert_last_lesson(place->progress, "01-words");
    struct attempt again = begin(place->progress, "01-words", 100);
    finish(place->progress, again, 100);
    assert_last_lesson(place->progress, "");
}

/* ---- reviews ---- */

/* Simulated time: a question that is missed comes back after 1, 3, 7, 16 and 35 days. */
static void test_attempts__reviews_move_apart(void **state)
{
    struct place *place = *state;
    static const int64_t days[] = {1, 3, 7, 16, 35};
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    int64_t now = 1000;
    record_event(place->progress, &attempt, "q", EVENT_WRONG, now);
    for (unsigned step = 0; step < REVIEW_STEPS; step++) {
        assert_review(place->progress, step, now + days[step] * DAY_S);
        now += days[step] * DAY_S + 2 * HOUR_S;
        record_event(place->progress, NULL, "q", EVENT_RIGHT, now);
    }
    assert_review(place->progress, 0, 0); /* learned */
    record_event(place->progress, NULL, "q", EVENT_RIGHT, now + DAY_S);
    assert_review(place->progress, 0, 0);
    record_event(place->progress, NULL, "q", EVENT_WRONG, now + 2 * DAY_S);
    assert_review(place->progress, 0, now + 3 * DAY_S);
}

static void test_attempts__what_is_missed_is_reviewed(void **state)
{
    struct place *place = *state;
    static const char letters[] = "wst";
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    for (size_t i = 0; letters[i] != '\0'; i++) {
        record_event(place->progress, &attempt, (char[]){letters[i], '\0'}, kind_of(letters[i]),
                     100);
        record_event(place->progress, &attempt, (char[]){letters[i], '\0'}, EVENT_RIGHT, 200);
    }
    assert_int_equal(reviews(place->progress, 99 + DAY_S, false).n, 0);
    assert_int_equal(reviews(place->progress, 100 + DAY_S, false).n, 3);
    static const char fine[] = "hgfcr";
    for (size_t i = 0; fine[i] != '\0'; i++)
        record_event(place->progress, &attempt, (char[]){fine[i], '\0'}, kind_of(fine[i]), 100);
    assert_int_equal(reviews(place->progress, 0, true).n, 3);
}

static void test_attempts__a_look_back_after_the_right_answer_is_free(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 100);
    record_event(place->progress, &attempt, "q", EVENT_WORKED, 110);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, 120);
    assert_review(place->progress, 0, 0);
    struct attempt again = begin(place->progress, "05-scaling", 200);
    record_event(place->progress, &again, "q", EVENT_WRONG, 200);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, 200 + DAY_S);
    record_event(place->progress, NULL, "q", EVENT_WORKED, 260 + DAY_S);
    assert_review(place->progress, 1, 200 + 4 * DAY_S);
}

/* Wrong first, then right, in one review: again after a day, from the beginning. */
static void test_attempts__a_miss_in_a_review_begins_again(void **state)
{
    struct place *place = *state;
    static const char letters[] = "wst";
    int64_t now = 0;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, now);
    for (size_t i = 0; letters[i] != '\0'; i++) {
        now += DAY_S;
        record_event(place->progress, NULL, "q", EVENT_RIGHT, now);
        now += 3 * DAY_S;
        record_event(place->progress, NULL, "q", EVENT_RIGHT, now);
        assert_review(place->progress, 2, now + 7 * DAY_S);
        now += 8 * DAY_S;
        record_event(place->progress, NULL, "q", kind_of(letters[i]), now);
        assert_review(place->progress, 0, now + DAY_S);
        record_event(place->progress, NULL, "q", EVENT_RIGHT, now + 60);
        assert_review(place->progress, 0, now + 60 + DAY_S);
        now += 60;
    }
    record_event(place->progress, NULL, "q", EVENT_HINT, now + DAY_S);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, now + DAY_S + 60); /* a hint is no miss */
    assert_review(place->progress, 1, now + 60 + 4 * DAY_S);
}

/* A review that was left after a wrong answer; the next day's right answer counts. */
static void test_attempts__a_new_day_is_a_new_showing(void **state)
{
    struct place *place = *state;
    record_event(place->progress, NULL, "q", EVENT_WRONG, 1000);
    record_event(place->progress, NULL, "q", EVENT_RIGHT, 1000 + DAY_S);
    assert_review(place->progress, 1, 1000 + 4 * DAY_S);
    assert_int_equal(mark_of(place->progress, "q"), MARK_ALONE);
    record_event(place->progress, NULL, "q", EVENT_RIGHT,
                 1000 + DAY_S + HOUR_S); /* once a sitting */
    assert_review(place->progress, 1, 1000 + 4 * DAY_S);
}

static void test_attempts__a_right_answer_in_a_play_is_no_review(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 0);
    record_event(place->progress, &attempt, "q", EVENT_SKIPPED, 0);
    attempt = begin(place->progress, "05-scaling", 2 * DAY_S);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 2 * DAY_S);
    assert_review(place->progress, 0, DAY_S);
}

static void test_attempts__longest_due_first(void **state)
{
    struct place *place = *state;
    record_event(place->progress, NULL, "c", EVENT_WRONG, 300);
    record_event(place->progress, NULL, "a", EVENT_WRONG, 200);
    record_event(place->progress, NULL, "b", EVENT_WRONG, 100);
    struct found_reviews found = reviews(place->progress, 250 + DAY_S, false);
    assert_int_equal(found.n, 2);
    assert_string_equal(found.items[0].question, "b");
    assert_string_equal(found.items[0].lesson, "05-scaling");
    assert_string_equal(found.items[1].question, "a");
    assert_int_equal(reviews(place->progress, 250, true).n, 3);
}

/* A review may be asked, and written down, while the list is being gone through. */
static void test_attempts__nothing_is_locked_meanwhile(void **state)
{
    struct place *place = *state;
    record_event(place->progress, NULL, "a", EVENT_WRONG, 100);
    record_event(place->progress, NULL, "b", EVENT_WRONG, 100);
    struct found_reviews due = reviews(place->progress, DAY_S + 100, false);
    for (size_t i = 0; i < due.n; i++) {
        struct progress *other = must_open(place->path);
        record_event(place->progress, NULL, due.items[i].question, EVENT_RIGHT, due.items[i].due_s);
        record_event(other, NULL, "another", EVENT_WRONG, due.items[i].due_s);
        progress_close(other);
    }
    struct found_reviews found = reviews(place->progress, 0, true);
    assert_int_equal(found.n, 3);
    assert_int_equal(found.items[1].step, 1);
}

/* ---- what may go wrong ---- */

/* A progress that has no file finds nothing, and complains of nothing. */
static void test_attempts__without_a_file_all_succeeds(void **state)
{
    (void)state;
    struct text out = {0};
    struct attempt attempt = {.id = 77};
    struct progress *progress = progress_open("/dev/null/nowhere");
    assert_non_null(progress_problem(progress));
    MUST(attempt_begin(progress, "05-scaling", 1, &attempt, &must_error));
    assert_int_equal(attempt.id, 0);
    turn(progress, attempt, "p", "a = 1\n", 2);
    record_event(progress, &attempt, "q", EVENT_WRONG, 3);
    finish(progress, attempt, 4);
    resume(progress, "05-scaling", NULL, "", 5);
    assert_int_equal(questions(progress, "05-scaling").n, 0);
    assert_int_equal(reviews(progress, 0, true).n, 0);
    assert_false(state_of(progress, attempt, "q").right);
    assert_false(lesson_of(progress, "05-scaling").started);
    assert_last_lesson(progress, "");
    MUST(progress_export_csv(progress, &out, &must_error));
    assert_string_equal(text_string(&out),
                        "time,part,name,question,what,detail,number,took_ms,play,mistake\n");
    text_clear(&out);
    MUST(progress_export_json(progress, NULL, &out, &must_error));
    json_t *json = json_loads(text_string(&out), 0, NULL);
    assert_int_equal(json_object_size(json), 8);
    assert_int_equal(json_array_size(json_object_get(json, "events")), 0);
    json_decref(json);
    text_release(&out);
    progress_close(progress);
}

/* A attempt that could not be begun: its events are kept all the same. */
static void test_attempts__events_of_no_play_are_kept(void **state)
{
    struct place *place = *state;
    struct attempt attempt = {0};
    turn(place->progress, attempt, "p", "a = 1\n", 2);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, 3);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 4);
    finish(place->progress, attempt, 5);
    assert_int_equal(mark_of(place->progress, "q"), MARK_TRIED);
    assert_review(place->progress, 0, 3 + DAY_S);
    assert_false(lesson_of(place->progress, "05-scaling").started);
    assert_int_equal(lesson_of(place->progress, "05-scaling").last_s, 4);
}

/* The schema of version 1, as the first attn with a progress wrote it. */
static const char version_1[] =
    "CREATE TABLE attempts ("
    " id INTEGER PRIMARY KEY,"
    " exercise TEXT NOT NULL,"
    " verdict TEXT NOT NULL,"
    " misconception TEXT NOT NULL,"
    " time_s INTEGER NOT NULL);"
    "CREATE INDEX attempts_of_exercise ON attempts (exercise, id);"
    "CREATE TABLE hints ("
    " exercise TEXT NOT NULL,"
    " hint INTEGER NOT NULL,"
    " time_s INTEGER NOT NULL,"
    " PRIMARY KEY (exercise, hint)) WITHOUT ROWID;"
    "PRAGMA user_version = 1;"
    "INSERT INTO attempts (exercise, verdict, misconception, time_s)"
    " VALUES ('dot', 'wrong_answer', 'no-sum', 50), ('dot', 'pass', '', 60);"
    "INSERT INTO hints VALUES ('dot', 1, 55);";

static void test_attempts__old_file_keeps_its_rows(void **state)
{
    struct place *place = *state;
    char path[256];
    sqlite3 *file;
    struct exercise_progress dot;
    snprintf(path, sizeof path, "%s/old.db", place->folder);
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, version_1, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
    struct progress *progress = must_open(path);
    assert_int_equal(number_in(path, "PRAGMA user_version"), 5);
    MUST(progress_exercise(progress, "dot", &dot, &must_error));
    assert_int_equal(dot.n_attempts, 2);
    assert_int_equal(dot.n_hints, 1);
    assert_int_equal(dot.first_pass_s, 60);
    struct attempt attempt = begin(progress, "05-scaling", 100);
    record_event(progress, &attempt, "q", EVENT_WRONG, 110);
    assert_int_equal(reviews(progress, 0, true).n, 1);
    progress_close(progress);
    assert_int_equal(number_in(place->path, "PRAGMA user_version"), 5); /* a new file's too */
}

/* The tables as attn made them before mistakes were kept, with an answer. */
static const char version_4[] =
    "CREATE TABLE attempts (id INTEGER PRIMARY KEY, exercise TEXT NOT NULL, verdict TEXT NOT NULL,"
    " misconception TEXT NOT NULL, time_s INTEGER NOT NULL);"
    "CREATE TABLE hints (exercise TEXT NOT NULL, hint INTEGER NOT NULL, time_s INTEGER NOT NULL,"
    " PRIMARY KEY (exercise, hint)) WITHOUT ROWID;"
    "CREATE TABLE plays (id INTEGER PRIMARY KEY, lesson TEXT NOT NULL, begun_s INTEGER NOT NULL,"
    " last_s INTEGER NOT NULL, finished_s INTEGER, turn INTEGER NOT NULL);"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, play INTEGER NOT NULL, page TEXT NOT NULL,"
    " turn INTEGER NOT NULL);"
    "CREATE TABLE lines (run INTEGER NOT NULL, number INTEGER NOT NULL, lines TEXT NOT NULL,"
    " PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE events (id INTEGER PRIMARY KEY, lesson TEXT NOT NULL, question TEXT NOT NULL,"
    " kind TEXT NOT NULL, detail TEXT NOT NULL, number INTEGER NOT NULL, took_ms INTEGER NOT NULL,"
    " time_s INTEGER NOT NULL, play INTEGER, is_review INTEGER NOT NULL, showing INTEGER NOT NULL);"
    "CREATE TABLE reviews (lesson TEXT NOT NULL, question TEXT NOT NULL, step INTEGER NOT NULL,"
    " due_s INTEGER NOT NULL, PRIMARY KEY (lesson, question)) WITHOUT ROWID;"
    "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "PRAGMA user_version = 4;"
    "INSERT INTO events (lesson, question, kind, detail, number, took_ms, time_s, play, is_review,"
    " showing) VALUES ('scaling', 'q', 'wrong', '7', 0, 10, 100, NULL, 0, 1);";

static void test_attempts__mistakes_are_kept_beside_older_answers(void **state)
{
    struct place *place = *state;
    char path[256];
    sqlite3 *file;
    snprintf(path, sizeof path, "%s/four.db", place->folder);
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, version_4, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
    struct progress *progress = must_open(path);
    happen_long(progress, NULL,
                (struct event){.lesson = "scaling",
                               .question = "q",
                               .kind = EVENT_WRONG,
                               .detail = "8",
                               .mistake = "scale-left-out",
                               .time_s = 200});
    assert_int_equal(number_in(path, "SELECT detail FROM events WHERE mistake = ''"), 7);
    assert_int_equal(number_in(path, "SELECT detail FROM events WHERE mistake = 'scale-left-out'"),
                     8);
    progress_close(progress);
}

static int status_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs in a child as an ordinary user, to whom permissions apply. */
static int try_read_only(const char *path)
{
    struct error error;
    struct attempt attempt;
    struct text lines = {0};
    struct question_state question;
    char page[PROGRESS_NAME_BYTES];
    bool found;
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 1;
    struct progress *progress = progress_open(path);
    if (progress == NULL || progress_problem(progress) == NULL)
        return 2;
    if (!attempt_resume(progress, "05-scaling", 9, &attempt, page, &lines, &found, &error) ||
        !found || strcmp(page, "p") != 0 || strcmp(text_string(&lines), "a = 1\n") != 0)
        return 3;
    if (!attempt_question(progress, &attempt, "q", &question, &error) || question.n_wrong != 1)
        return 4;
    if (attempt_turn_page(progress, &attempt, "p2", "", 9, &error) ||
        strstr(error.text, "may not be written") == NULL)
        return 5;
    if (attempt_begin(progress, "05-scaling", 9, &attempt, &error) ||
        strstr(error.text, "may not be written") == NULL)
        return 6;
    text_clear(&lines);
    if (!progress_export_csv(progress, &lines, &error) || lines.size < 100)
        return 7;
    text_clear(&lines);
    if (!progress_export_json(progress, NULL, &lines, &error) || lines.size < 100)
        return 8;
    text_release(&lines);
    progress_close(progress);
    return 0;
}

static void test_attempts__read_only_file_is_read(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    turn(place->progress, attempt, "p", "a = 1\n", 2);
    record_event(place->progress, &attempt, "q", EVENT_WRONG, 3);
    assert_int_equal(chmod(place->path, 0444), 0);
    assert_int_equal(chmod(place->folder, 0555), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(try_read_only(place->path));
    int status = status_of(child);
    assert_int_equal(chmod(place->folder, 0755), 0);
    assert_int_equal(chmod(place->path, 0644), 0);
    assert_int_equal(status, 0);
}

/* Runs in a child: files may not grow beyond what the progress has now, as on a full disk. */
static int try_full(const char *path, struct attempt attempt)
{
    struct error error;
    struct stat info;
    struct event event = {.lesson = "05-scaling",
                          .question = "q",
                          .kind = EVENT_WRONG,
                          .detail = "an answer of some length"};
    struct progress *progress = progress_open(path);
    if (progress == NULL || stat(path, &info) != 0)
        return 1;
    struct rlimit limit = {.rlim_cur = (rlim_t)info.st_size, .rlim_max = (rlim_t)info.st_size};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    bool fits = true;
    for (int i = 0; fits && i < 1000; i++)
        fits = progress_event(progress, &attempt, &event, &error);
    if (fits || error.kind != ERR_FILE || strstr(error.text, path) == NULL)
        return 3;
    for (fits = true; fits;) /* fails as a whole */
        fits = attempt_turn_page(
            progress, &attempt, "later",
            "line = \"of some length, so that there will not be room for many\"\n", 1, &error);
    progress_close(progress);
    return 0;
}

static void test_attempts__full_disk_is_an_error_in_a_sentence(void **state)
{
    struct place *place = *state;
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    pid_t child = fork();
    if (child == 0)
        _exit(try_full(place->path, attempt));
    assert_int_equal(status_of(child), 0);
    assert_int_equal(
        number_in(place->path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    record_event(place->progress, &attempt, "q", EVENT_RIGHT, 10); /* the file is whole, and free */
}

/* Within a transaction: the attempt's time is not taken over where its lines find no room. */
static void test_attempts__what_fails_is_taken_back(void **state)
{
    struct place *place = *state;
    struct error error;
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    turn(place->progress, attempt, "p", "a = 1\n", 2);
    sqlite3 *file;
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file,
                                  "CREATE TRIGGER no_lines BEFORE INSERT ON lines BEGIN"
                                  " SELECT raise(ABORT, 'no lines today'); END;"
                                  "CREATE TRIGGER no_events BEFORE INSERT ON events BEGIN"
                                  " SELECT raise(ABORT, 'no events today'); END;",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_error(attempt_turn_page(place->progress, &attempt, "p2", "b = 1\n", 3, &error), error,
                 ERR_FILE);
    assert_says(error, "no lines today");
    struct event event = {
        .lesson = "05-scaling", .question = "q", .kind = EVENT_WRONG, .detail = ""};
    assert_error(progress_event(place->progress, &attempt, &event, &error), error, ERR_FILE);
    assert_says(error, "no events today");
    struct text lines = {0};
    char page[PROGRESS_NAME_BYTES] = "untouched";
    bool found;
    text_put(&lines, "before\n");
    assert_error(
        attempt_resume(place->progress, "05-scaling", 4, &attempt, page, &lines, &found, &error),
        error, ERR_FILE);
    assert_string_equal(text_string(&lines), "before\n");
    assert_string_equal(page, "untouched");
    text_release(&lines);
    sqlite3_exec(file, "DROP TRIGGER no_lines; DROP TRIGGER no_events", NULL, NULL, NULL);
    sqlite3_close(file);
    assert_int_equal(lesson_of(place->progress, "05-scaling").last_s, 2);
    assert_int_equal(reviews(place->progress, 0, true).n, 0);
    assert_int_equal(number_in(place->path, "SELECT count(*) FROM runs"), 1);
    resume(place->progress, "05-scaling", "p", "a = 1\n", 5);
}

/* Every page but the first overwritten, as after a disk went bad. */
static void test_attempts__damaged_file_is_an_error_in_a_sentence(void **state)
{
    struct place *place = *state;
    struct error error;
    struct text out = {0};
    char noise[4096], lesson[PROGRESS_NAME_BYTES];
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    progress_close(place->progress);
    memset(noise, 0xA5, sizeof noise);
    FILE *file = fopen(place->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_int_equal(fseek(file, sizeof noise, SEEK_SET), 0);
    for (long at = sizeof noise; at < size; at += (long)sizeof noise)
        assert_int_equal(fwrite(noise, 1, sizeof noise, file), sizeof noise);
    fclose(file);
    struct progress *progress = place->progress = progress_open(place->path);
    struct event event = {.lesson = "05-scaling", .question = "q", .detail = ""};
    struct question_record *found = NULL;
    struct review *due = NULL;
    size_t n = 0;
    struct lesson_record record;
    assert_error(attempt_begin(progress, "05-scaling", 1, &attempt, &error), error, ERR_FILE);
    assert_says(error, "it is damaged");
    assert_error(attempt_turn_page(progress, &attempt, "p", "", 1, &error), error, ERR_FILE);
    assert_error(attempt_finish(progress, &attempt, 1, &error), error, ERR_FILE);
    assert_error(progress_event(progress, &attempt, &event, &error), error, ERR_FILE);
    assert_error(progress_questions(progress, "05-scaling", &found, &n, &error), error, ERR_FILE);
    assert_error(progress_reviews(progress, 1, true, &due, &n, &error), error, ERR_FILE);
    assert_error(progress_lesson(progress, "05-scaling", &record, &error), error, ERR_FILE);
    assert_error(progress_last_lesson(progress, lesson, &error), error, ERR_FILE);
    assert_error(progress_export_json(progress, NULL, &out, &error), error, ERR_FILE);
    assert_error(progress_export_csv(progress, &out, &error), error, ERR_FILE);
    assert_int_equal(out.size, 0);
    assert_int_equal(n, 0);
    assert_null(found);
    assert_null(due);
    text_release(&out);
}

enum { WRITERS = 4, EVENTS = 10 };

static int write_events(const char *path)
{
    struct error error;
    struct attempt attempt;
    struct event event = {
        .lesson = "05-scaling", .question = "q", .kind = EVENT_WRONG, .detail = ""};
    struct progress *progress = progress_open(path);
    if (progress == NULL || progress_problem(progress) != NULL ||
        !attempt_begin(progress, "05-scaling", 1, &attempt, &error))
        return 1;
    for (int i = 0; i < EVENTS; i++)
        if (!attempt_turn_page(progress, &attempt, "p", "a = 1\n", 1, &error) ||
            !progress_event(progress, &attempt, &event, &error))
            return 2;
    progress_close(progress);
    return 0;
}

static void test_attempts__several_at_once_lose_nothing(void **state)
{
    struct place *place = *state;
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(write_events(place->path));
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(status_of(children[i]), 0);
    assert_int_equal(questions(place->progress, "05-scaling").items[0].n_wrong, WRITERS * EVENTS);
    assert_int_equal(number_in(place->path, "SELECT count(*) FROM lines"), WRITERS * EVENTS);
    assert_int_equal(number_in(place->path, "SELECT count(DISTINCT showing) FROM events"), WRITERS);
}

/* ---- memory ---- */

static bool try_resume(struct progress *progress, struct text *lines, struct error *reterr)
{
    struct attempt attempt;
    char page[PROGRESS_NAME_BYTES];
    bool found;
    text_release(lines);
    return attempt_resume(progress, "05-scaling", 9, &attempt, page, lines, &found, reterr);
}

static bool try_questions(struct progress *progress, struct error *reterr)
{
    struct question_record *found = NULL;
    size_t n;
    bool ok = progress_questions(progress, "05-scaling", &found, &n, reterr);
    free(found);
    return ok;
}

static bool try_reviews(struct progress *progress, struct error *reterr)
{
    struct review *found = NULL;
    size_t n;
    bool ok = progress_reviews(progress, 0, true, &found, &n, reterr);
    free(found);
    return ok;
}

static bool try_json(struct progress *progress, struct text *out, struct error *reterr)
{
    text_release(out);
    return progress_export_json(progress, NULL, out, reterr);
}

static bool try_csv(struct progress *progress, struct text *out, struct error *reterr)
{
    text_release(out);
    return progress_export_csv(progress, out, reterr);
}

static void *counted_malloc(size_t size)
{
    return malloc(size);
}

static void test_attempts__memory_may_run_out(void **state)
{
    struct place *place = *state;
    struct error error;
    struct text text = {0};
    struct attempt attempt = begin(place->progress, "05-scaling", 1);
    turn(place->progress, attempt, "p", "a = 1\n", 2);
    for (int i = 0; i < 20; i++)
        record_event(place->progress, &attempt, (char[]){(char)('a' + i), '\0'}, EVENT_WRONG, 3);
    assert_reports_failed_allocations(try_resume(place->progress, &text, &error), error);
    assert_string_equal(text_string(&text), "a = 1\n");
    assert_int_equal(number_in(place->path, "SELECT count(*) FROM runs"), 2); /* failures: none */
    assert_reports_failed_allocations(try_questions(place->progress, &error), error);
    assert_reports_failed_allocations(try_reviews(place->progress, &error), error);
    assert_reports_failed_allocations(try_csv(place->progress, &text, &error), error);
    json_set_alloc_funcs(counted_malloc, free);
    assert_reports_failed_allocations(try_json(place->progress, &text, &error), error);
    text_release(&text);
}

/* SQLite's own memory. */
static void test_attempts__sqlite_without_memory(void **state)
{
    struct place *place = *state;
    struct error error;
    struct attempt attempt;
    int64_t before = sqlite3_hard_heap_limit64(1);
    if (before < 0)
        skip();
    assert_error(attempt_begin(place->progress, "05-scaling", 1, &attempt, &error), error,
                 ERR_MEMORY);
    sqlite3_hard_heap_limit64(0);
    begin(place->progress, "05-scaling", 2);
    assert_int_equal(number_in(place->path, "SELECT count(*) FROM plays"), 1);
}

/* ---- exports ---- */

#define ODD "=1+1, \"quoted\"\nsecond line\twith a tab, \xC3\xA9 and a bad byte \xFF"
#define ODD_CLEAN "=1+1, \"quoted\"\nsecond line\twith a tab, \xC3\xA9 and a bad byte \xEF\xBF\xBD"
static const char odd_field[] = "'" ODD_CLEAN;

static void fill(struct progress *progress)
{
    MUST(progress_exercise_attempt(progress, "dot", "wrong_answer", "no-sum", 10, &must_error));
    MUST(progress_exercise_hint(progress, "dot", 1, 11, &must_error));
    struct attempt attempt = begin(progress, "05-scaling", 20);
    turn(progress, attempt, "spread", "a = 1\n", 30);
    turn(progress, attempt, "spread", "b = \"\xFF\"\n", 31);
    happen_long(progress, &attempt,
                (struct event){.lesson = "05-scaling",
                               .question = "q,1",
                               .kind = EVENT_WRONG,
                               .detail = ODD,
                               .mistake = "transposed",
                               .number = 2,
                               .took_ms = 1500,
                               .time_s = 40});
    happen_long(progress, NULL,
                (struct event){.lesson = "05-scaling",
                               .question = "q,1",
                               .kind = EVENT_RIGHT,
                               .detail = "-0.25",
                               .took_ms = INT64_C(5000000000),
                               .time_s = 90000});
    finish(progress, attempt, 50);
}

static int64_t number_of(const json_t *list, size_t i, const char *key)
{
    const json_t *number = json_object_get(json_array_get(list, i), key);
    assert_true(json_is_integer(number));
    return json_integer_value(number);
}

static void assert_word(const json_t *list, size_t i, const char *key, const char *word)
{
    const char *found = json_string_value(json_object_get(json_array_get(list, i), key));
    assert_non_null(found);
    assert_string_equal(found, word);
}

static void test_attempts__json_is_read_back(void **state)
{
    struct place *place = *state;
    struct text out = {0};
    json_error_t problem;
    fill(place->progress);
    MUST(progress_set_setting(place->progress, "theme", "dark", &must_error));
    text_put(&out, "before");
    MUST(progress_export_json(place->progress, NULL, &out, &must_error));
    assert_memory_equal(out.bytes, "before{", 7);
    json_t *json = json_loads(text_string(&out) + 6, JSON_REJECT_DUPLICATES, &problem);
    if (json == NULL)
        fail_msg("line %d: %s", problem.line, problem.text);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "attn-progress/1");
    const json_t *attempts = json_object_get(json, "attempts");
    const json_t *hints = json_object_get(json, "hints");
    const json_t *plays = json_object_get(json, "plays");
    const json_t *events = json_object_get(json, "events");
    const json_t *due = json_object_get(json, "reviews");
    assert_int_equal(json_array_size(attempts), 1);
    assert_word(attempts, 0, "misconception", "no-sum");
    assert_int_equal(number_of(attempts, 0, "time_s"), 10);
    assert_int_equal(json_array_size(hints), 1);
    assert_int_equal(number_of(hints, 0, "hint"), 1);
    assert_int_equal(json_array_size(plays), 1);
    assert_word(plays, 0, "page", "spread");
    assert_word(plays, 0, "lines", "a = 1\nb = \"\xEF\xBF\xBD\"\n");
    assert_int_equal(number_of(plays, 0, "finished_s"), 50);
    assert_int_equal(json_array_size(events), 2);
    assert_word(events, 0, "detail", ODD_CLEAN);
    assert_word(events, 0, "kind", "wrong");
    assert_word(events, 0, "mistake", "transposed");
    assert_word(events, 1, "mistake", "");
    assert_int_equal(number_of(events, 0, "play"), number_of(plays, 0, "play"));
    assert_true(json_is_false(json_object_get(json_array_get(events, 0), "is_review")));
    assert_true(json_is_true(json_object_get(json_array_get(events, 1), "is_review")));
    assert_true(json_is_null(json_object_get(json_array_get(events, 1), "play")));
    assert_int_equal(number_of(events, 1, "took_ms"), INT64_C(5000000000));
    assert_int_equal(json_array_size(due), 1);
    assert_int_equal(number_of(due, 0, "due_s"), 90000 + 3 * DAY_S);
    const json_t *settings = json_object_get(json, "settings");
    assert_int_equal(json_array_size(settings), 1);
    assert_word(settings, 0, "name", "theme");
    assert_word(settings, 0, "value", "dark");
    json_decref(json);
    text_release(&out);
}

/* Reads one field of CSV into field; returns where the next begins, behind the comma or newline
 * that *ret_end is. Strict as RFC 4180: no quote within an unquoted field. */
static const char *read_field(const char *at, char field[256], char *ret_end)
{
    size_t size = 0;
    bool quoted = *at == '"';
    at += quoted;
    for (; quoted ? at[0] != '"' || at[1] == '"' : at[0] != ',' && at[0] != '\n'; at++) {
        assert_true(*at != '\0' && size < 255);
        assert_true(quoted || *at != '"');
        at += quoted && *at == '"';
        field[size++] = *at;
    }
    field[size] = '\0';
    at += quoted;
    assert_true(*at == ',' || *at == '\n');
    *ret_end = *at;
    return at + 1;
}

enum { N_LINES = 7, N_FIELDS = 10 };

static void test_attempts__csv_is_read_back(void **state)
{
    struct place *place = *state;
    static const char *const wanted[N_LINES][N_FIELDS] = {
        {"time", "part", "name", "question", "what", "detail", "number", "took_ms", "play",
         "mistake"},
        {"1970-01-01T00:00:10Z", "exercise", "dot", "", "wrong_answer", "no-sum", "", "", "", ""},
        {"1970-01-01T00:00:11Z", "exercise", "dot", "", "hint", "", "1", "", "", ""},
        {"1970-01-01T00:00:20Z", "lesson", "05-scaling", "", "begun", "", "", "", "1", ""},
        {"1970-01-01T00:00:40Z", "lesson", "05-scaling", "q,1", "wrong", odd_field, "2", "1500",
         "1", "transposed"},
        {"1970-01-01T00:00:50Z", "lesson", "05-scaling", "", "finished", "", "", "", "1", ""},
        {"1970-01-02T01:00:00Z", "review", "05-scaling", "q,1", "right", "-0.25", "0", "5000000000",
         "", ""},
    };
    struct text out = {0};
    char field[256], end;
    fill(place->progress);
    MUST(progress_export_csv(place->progress, &out, &must_error));
    const char *at = text_string(&out);
    for (size_t line = 0; line < N_LINES; line++) {
        for (size_t i = 0; i < N_FIELDS; i++) {
            at = read_field(at, field, &end);
            assert_string_equal(field, wanted[line][i]);
            assert_int_equal(end, i + 1 < N_FIELDS ? ',' : '\n');
        }
    }
    assert_int_equal(*at, '\0');
    text_release(&out);
}

static void test_attempts__csv_has_no_formulas(void **state)
{
    struct place *place = *state;
    static const char *const details[] = {"-1.5", "+2",  "-1+cmd", "@x", "=A1",
                                          "-",    "\tx", "\r",     "a-b"};
    static const char *const fields[] = {"\"-1.5\"", "\"+2\"",   "\"'-1+cmd\"",
                                         "\"'@x\"",  "\"'=A1\"", "\"'-\"",
                                         "\"'\tx\"", "\"'\r\"",  "\"a-b\""};
    struct text out = {0};
    for (size_t i = 0; i < COUNT_OF(details); i++)
        happen_long(place->progress, NULL,
                    (struct event){.lesson = "l",
                                   .question = "q",
                                   .kind = EVENT_GUESS,
                                   .detail = details[i],
                                   .time_s = (int64_t)i});
    MUST(progress_export_csv(place->progress, &out, &must_error));
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, ",\"guess\",%s,0,", fields[i]);
        if (strstr(text_string(&out), wanted) == NULL)
            fail_msg("%s is not in\n%s", wanted, text_string(&out));
    }
    text_release(&out);
}

#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_attempts__goes_on_where_it_stopped),
        PLACE_TEST(test_attempts__finished_ones_are_not_gone_on_with),
        PLACE_TEST(test_attempts__lines_are_kept_byte_for_byte),
        PLACE_TEST(test_attempts__lines_are_added_to_what_is_there),
        PLACE_TEST(test_attempts__two_at_once_do_not_mix),
        PLACE_TEST(test_attempts__the_liveliest_is_the_last),
        PLACE_TEST(test_attempts__last_eight_runs_are_kept),
        PLACE_TEST(test_attempts__names_that_are_too_long_are_refused),
        cmocka_unit_test(test_attempts__events_have_names),
        PLACE_TEST(test_attempts__marks_of_a_play),
        PLACE_TEST(test_attempts__marks_of_a_review),
        PLACE_TEST(test_attempts__last_showing_gives_the_mark),
        PLACE_TEST(test_attempts__plays_may_alternate),
        PLACE_TEST(test_attempts__questions_in_their_order_with_their_sums),
        PLACE_TEST(test_attempts__question_goes_on_in_the_middle),
        PLACE_TEST(test_attempts__lesson_records),
        PLACE_TEST(test_attempts__last_lesson_is_the_one_to_go_on_with),
        PLACE_TEST(test_attempts__reviews_move_apart),
        PLACE_TEST(test_attempts__what_is_missed_is_reviewed),
        PLACE_TEST(test_attempts__a_look_back_after_the_right_answer_is_free),
        PLACE_TEST(test_attempts__a_miss_in_a_review_begins_again),
        PLACE_TEST(test_attempts__a_new_day_is_a_new_showing),
        PLACE_TEST(test_attempts__a_right_answer_in_a_play_is_no_review),
        PLACE_TEST(test_attempts__longest_due_first),
        PLACE_TEST(test_attempts__nothing_is_locked_meanwhile),
        cmocka_unit_test(test_attempts__without_a_file_all_succeeds),
        PLACE_TEST(test_attempts__events_of_no_play_are_kept),
        PLACE_TEST(test_attempts__old_file_keeps_its_rows),
        PLACE_TEST(test_attempts__mistakes_are_kept_beside_older_answers),
        PLACE_TEST(test_attempts__read_only_file_is_read),
        PLACE_TEST(test_attempts__full_disk_is_an_error_in_a_sentence),
        PLACE_TEST(test_attempts__what_fails_is_taken_back),
        PLACE_TEST(test_attempts__damaged_file_is_an_error_in_a_sentence),
        PLACE_TEST(test_attempts__several_at_once_lose_nothing),
        PLACE_TEST(test_attempts__memory_may_run_out),
        PLACE_TEST(test_attempts__sqlite_without_memory),
        PLACE_TEST(test_attempts__json_is_read_back),
        PLACE_TEST(test_attempts__csv_is_read_back),
        PLACE_TEST(test_attempts__csv_has_no_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
