/* A property of every question of the course, on the real screen: whatever is typed, with Esc, Tab,
 * ^C, ^U and Enter between in any order and number, the question is answered or it waits. It is
 * never skipped, no hint and no answer is given, no page is turned, no file is saved, no other pane
 * gets the keys, and the lesson is not left. The same holds for the pages that offer lines to run,
 * without Enter, which runs a line there.
 *
 * The learner is a seeded generator, which types above all letters that are commands where nothing
 * is asked, and does not wait: a letter right after Esc may arrive as Alt and that letter. After
 * each burst F2 opens the list of commands, which shows that everything before was taken. */
#include "screen_testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/lesson/course.h"
#include "course/progress/progress.h"
#include "course/progress/question_record.h"

enum {
    N_BURSTS = 2, /* to one question; one to a page that offers lines */
    N_OFFERS = 2, /* pages that offer lines, in one lesson: a jump takes long in a late page */
    MAX_ITEMS = 9,
    BURST_BYTES = 256,
};

struct typist {
    uint64_t random;
    char typed[BURST_BYTES]; /* the burst, for a message */
    char place[160];         /* what the top row says of the page */
};

static unsigned draw(struct typist *typist, unsigned n)
{
    typist->random = typist->random * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(typist->random >> 33) % n;
}

/* ---- what is seen ---- */

static const char commands_keys[] = "Esc clear, close"; /* of the list that F2 opens */

static bool is_waiting(void)
{
    const char *keys = screen_row(&screen, screen.rows - 1);
    return strstr(keys, "^T hint") != NULL || strstr(keys, "^N next") != NULL;
}

/* Right by chance, or a guess or a sentence, which are all taken. */
static bool is_answered(void)
{
    static const char *const signs[] = {"Right", "ou guessed", "Kept, for you alone",
                                        "You have answered this"};
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (screen_shows(&screen, signs[i]))
            return true;
    return false;
}

/* All of the frame without the list: the keys of a question, or those after its answer. */
static bool has_lesson(struct screen *shown, const char *what)
{
    return strstr(screen_row(shown, shown->rows - 1), what) == NULL &&
           (is_waiting() || is_answered());
}

static void refuse(const struct typist *typist, const char *what)
{
    char *text = screen_text(&screen);
    printf("%s", text);
    free(text);
    fail_msg("%s: %s, after: %s", typist->place, what, typist->typed);
}

/* Returns whether the question waits still. */
static bool check(const struct typist *typist)
{
    static const char *const wrong[] = {"save as:",        "Hint 1 of", "Skipped: it was",
                                        "Search all help", "Keys: ",    "saved as "};
    if (strstr(screen_row(&screen, 0), typist->place) == NULL)
        refuse(typist, "the page was left");
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (screen_shows(&screen, wrong[i]))
            refuse(typist, wrong[i]);
    if (!is_waiting() && !is_answered())
        refuse(typist, "the keys are those of another pane");
    return is_waiting();
}

/* ---- typing ---- */

static void note(struct typist *typist, const char *keys)
{
    for (; *keys != '\0' && strlen(typist->typed) + 3 < sizeof typist->typed; keys++) {
        char *end = typist->typed + strlen(typist->typed);
        if (*keys < ' ')
            snprintf(end, 3, "^%c", *keys + '@');
        else
            snprintf(end, 3, "%c", *keys);
    }
}

static void press_keys(struct typist *typist, const char *keys)
{
    note(typist, keys);
    screen_type(&screen, keys);
}

/* A letter, so that an Esc before it is over, and the list of commands, opened and closed. */
static void wait_taken(struct typist *typist)
{
    press_keys(typist, "w");
    press_named("F2");
    wait_keys(commands_keys);
    press_keys(typist, ESCAPE);
    screen_wait_for(&screen, has_lesson, commands_keys);
}

/* Enter opens an exercise, which is another pane with its own keys, and runs a line that a page
 * offers: it is left out there. */
static void type_burst(struct typist *typist, bool takes_enter)
{
    static const char *const texts[] = {
        "s",     "h",        "n",  "b",   "x",    "q",      "e",    "i",    "o",
        "z",     ":",        "/",  "?",   "<",    ">",      "y",    "Y",    "[",
        "=",     "j",        "k",  "g",   "skip", "hint",   "next", "quit", "softmax(i",
        "i - j", "scores @", "..", "zz ", "5x",   "lambda",
    };
    static const char *const keys[] = {"\t", CTRL_C, CTRL_U, "\t\t", CTRL_C CTRL_C};
    typist->typed[0] = '\0';
    for (unsigned i = 0, n = 2 + draw(typist, MAX_ITEMS - 1); i < n; i++) {
        unsigned kind = draw(typist, 8);
        if (kind < 5)
            press_keys(typist, texts[draw(typist, COUNT_OF(texts))]);
        else if (kind < 7)
            press_keys(typist, keys[draw(typist, COUNT_OF(keys))]);
        else
            press_keys(typist, ESCAPE);
    }
    if (takes_enter)
        press_keys(typist, "\r");
    wait_taken(typist);
}

/* ---- lessons ---- */

static void go_to_page(struct typist *typist, const struct lesson *lesson, size_t page)
{
    char line[128];
    snprintf(line, sizeof line, CTRL_P "%slesson %s#%zu\r", page > 0 ? CTRL_U : "", lesson->id,
             page + 1);
    snprintf(typist->place, sizeof typist->place, "%s   page %zu of %zu ", lesson->title, page + 1,
             lesson->n_pages);
    screen_type(&screen, line);
    screen_wait_at(&screen, 0, typist->place);
    screen_click(&screen, 1, 2); /* its heading: from the prompt to the lesson */
    wait_keys(lesson->pages[page].question != NULL ? "^T hint" : "^N next");
    typist->typed[0] = '\0';
}

static void type_at_offer(struct typist *typist)
{
    type_burst(typist, false);
    wait_keys(
        "^N next"); /* an earlier answer on a large screen ends the wait of the burst too soon */
    (void)check(typist);
}

static void type_in_lesson(struct typist *typist, const struct lesson *lesson)
{
    unsigned n_offers = 0;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct question *question = lesson->pages[i].question;
        if (question == NULL && (lesson->pages[i].offer.text == NULL || n_offers++ >= N_OFFERS))
            continue;
        go_to_page(typist, lesson, i);
        if (question == NULL) {
            type_at_offer(typist);
            continue;
        }
        bool waits = true;
        for (int burst = 0; burst < N_BURSTS && waits; burst++) {
            type_burst(typist, question->kind != QUESTION_EXERCISE);
            waits = check(typist);
        }
    }
}

/* Nothing was skipped or told, and no hint given. */
static void check_records(struct progress *progress, const struct lesson *lesson)
{
    struct question_record *records;
    struct error error;
    size_t n;
    assert_true(progress_questions(progress, lesson->id, &records, &n, &error));
    for (size_t i = 0; i < n; i++)
        if (records[i].n_told > 0 || records[i].n_hints > 0)
            fail_msg("%s#%s: told %u times, %u hints", lesson->id, records[i].question,
                     records[i].n_told, records[i].n_hints);
    free(records);
}

static void check_no_file(void)
{
    DIR *folder = opendir(home);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, "attn-", 5) == 0)
            fail_msg("%s was saved", entry->d_name);
    closedir(folder);
}

/* Every second lesson, from `first` on: a jump runs the code of all pages before, some of which
 * train a model. */
static void type_in_the_course(int rows, int cols, size_t first)
{
    enum { step = 2 };
    char path[128];
    struct course course;
    struct error error;
    const char *seed = getenv("ATTN_TEST_SEED"); /* for other keys than those of the suite */
    struct typist typist = {.random =
                                seed != NULL ? strtoul(seed, NULL, 10) : (uint64_t)(rows + cols)};
    assert_true(course_open(getenv("ATTN_DATA_DIR"), &course, &error));
    screen_home_new(home);
    start(&(struct screen_options){.rows = rows,
                                   .cols = cols,
                                   .home = home,
                                   .settings = (const char *const[]){"ESCDELAY=10", NULL}});
    wait_keys("q quit");
    for (size_t i = first; i < course.n; i += step) {
        struct lesson *lesson;
        assert_true(lesson_read(course.entries[i].path, &lesson, &error));
        type_in_lesson(&typist, lesson);
        lesson_free(lesson);
    }
    screen_type(&screen, CTRL_P CTRL_U "quit\r");
    assert_int_equal(screen_wait_exit(&screen), 0);
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    for (size_t i = first; i < course.n; i += step) {
        struct lesson *lesson;
        assert_true(lesson_read(course.entries[i].path, &lesson, &error));
        check_records(progress, lesson);
        lesson_free(lesson);
    }
    progress_close(progress);
    course_release(&course);
    check_no_file();
}

static void test_screen_typing__at_80x24(void **state)
{
    (void)state;
    type_in_the_course(24, 80, 0);
}

static void test_screen_typing__at_200x60(void **state)
{
    (void)state;
    type_in_the_course(60, 200, 1);
}

/* What a learner types who corrects a wrong line: it skipped this question once, told its answer,
 * and asked for the name of a file. */
static void test_screen_typing__after_escape(void **state)
{
    (void)state;
    start(&(struct screen_options){.arguments = LESSON("1#7")});
    struct typist typist = {.place = "page 7 of "};
    screen_wait_at(&screen, 0, typist.place);
    press_keys(&typist, "xyz");
    screen_wait(&screen, "your answer: xyz");
    press_keys(&typist, ESCAPE);
    screen_wait(&screen, "^Y brings it back");
    press_keys(&typist, "softmax(i)");
    wait_taken(&typist);
    (void)check(&typist);
    screen_wait(&screen, "your answer: softmax(i)w");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_typing__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(after_escape),
        TEST(at_80x24),
        TEST(at_200x60),
    };
    return RUN_TESTS("screen_typing", all);
}
