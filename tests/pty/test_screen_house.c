/* Walks through the house: from home into every room and back, with no key but those that the row
 * of keys shows at that moment. For a fresh start; what home offers first with a lesson under way,
 * and when all are done. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/course.h"
#include "course/progress/attempt_internal.h"
#include "course/progress/event_internal.h"

static bool shows_key_now(const char *name)
{
    struct key_label keys[MAX_KEYS];
    size_t n = read_keys(keys);
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i].key, name) == 0)
            return true;
    return false;
}

static bool key_is_shown(struct screen *shown, const char *name)
{
    (void)shown;
    return shows_key_now(name);
}

/* Presses a key that is shown, and waits until the screen answers. */
static void press_shown(const char *name)
{
    screen_wait_for(&screen, key_is_shown, name);
    uint64_t hash = screen_hash(&screen);
    press_named(name);
    wait_other(hash, name);
    screen_settle(&screen, 60, 2000);
}

static bool is_home(void)
{
    return strstr(screen_row(&screen, 0), " home") != NULL && shows_key_now("Enter") &&
           !shows_key_now("Esc");
}

static bool is_somewhere_else(struct screen *shown, const char *what)
{
    (void)what;
    return strstr(screen_row(shown, 0), " home") == NULL;
}

/* By what the row of keys offers for it: leaving, closing, dropping what was learnt. */
static void come_home(void)
{
    static const char *const ways[] = {"d", "q", "^Q", "Esc"};
    for (int i = 0; i < 12 && !is_home(); i++) {
        size_t way = 0;
        while (way < 3 &&
               (!shows_key_now(ways[way]) || (way == 0 && !screen_shows(&screen, "d drop"))))
            way++;
        press_shown(ways[way]);
    }
    assert_true(is_home());
}

/* Down to a line that begins so. */
static void go_down_to(const char *title)
{
    for (int i = 0; i < 80 && strstr(chosen_row(), title) == NULL; i++)
        press_shown("Down");
    if (strstr(chosen_row(), title) == NULL)
        fail_msg("no line %s", title);
}

/* Opens the chosen line: `shows` comes into sight elsewhere. */
static void visit(const char *title, const char *shows)
{
    go_down_to(title);
    press_shown("Enter");
    screen_wait_for(&screen, is_somewhere_else, shows);
    screen_wait_at(&screen, 0, shows);
    screen_settle(&screen, 100, 3000);
    come_home();
}

static void unfold_shown(const char *title)
{
    go_down_to(title);
    if (strstr(chosen_row(), "- ") == NULL)
        press_shown("Enter");
    wait_chosen("- ");
}

/* A text of one's own, and what can be done with it. */
static void bring_a_text(void)
{
    go_down_to("Your own text");
    press_shown("Enter");
    screen_wait(&screen, "your text:");
    screen_type(&screen, "The cat sat on the mat.");
    screen_wait(&screen, "on the mat.");
    press_shown("Enter");
    wait_chosen("Your own text: The cat");
    visit("Explore it", "Explore");
    visit("Look at it with the model", "Model");
    go_down_to("a file is needed");
}

static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Home, with the line that it offers first. */
static void open_home(const int size[2], const char *first)
{
    start(&(struct screen_options){
        .rows = size[0], .cols = size[1], .home = home, .arguments = ATTN("--ascii")});
    screen_wait(&screen, "of 20 solved");
    wait_chosen(first);
}

static void close_home(void)
{
    assert_true(is_home());
    quit("q");
    screen_close(&screen);
    screen_home_remove(home);
}

/* Every entry of home but what only a learner has who was here before. */
static void visit_all(void)
{
    visit("Begin with lesson 1", "Why attention");
    visit("Look into a model", "Model");
    unfold_shown("Watch one learn");
    visit("previous: say", "Training");
    visit("induction: say", "Training");
    visit("The film", "modular");
    visit("Explore", "Explore");
    unfold_shown("Exercises in C");
    visit("Dot product", "Exercise 1");
    bring_a_text();
    unfold_shown("Words and scores");
    visit("2  Tokens", "Tokens and embeddings");
    unfold_shown("Train and take apart");
    visit("28  From toy", "From toy to GPT-2");
    unfold_shown("Settings");
    go_down_to("Theme: ");
    press_shown("Enter");
    wait_chosen("Theme: ");
}

static void test_screen_house__a_fresh_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        screen_home_new(home);
        open_home(sizes[i], "Begin with lesson 1");
        visit_all();
        close_home();
    }
}

/* Lessons that are begun, or finished, as the progress remembers them; a question of the first was
 * skipped long ago. */
static void begin_lessons(bool finishes)
{
    static const struct event skipped = {.lesson = "why-attention",
                                         .question = "draw-a-window",
                                         .kind = EVENT_SKIPPED,
                                         .detail = "",
                                         .time_s = 1000};
    char path[128];
    struct course course;
    struct attempt attempt;
    struct error error;
    screen_home_new(home);
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    assert_true(course_open(getenv("ATTN_DATA_DIR"), &course, &error));
    for (size_t i = 0; i < (finishes ? course.n : 1); i++) {
        assert_true(attempt_begin(progress, course.entries[i].id, 1000, &attempt, &error));
        assert_true(i > 0 || progress_event(progress, &attempt, &skipped, &error));
        assert_true(!finishes || attempt_finish(progress, &attempt, 2000, &error));
    }
    course_release(&course);
    progress_close(progress);
}

static void test_screen_house__a_lesson_under_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        begin_lessons(false);
        open_home(sizes[i], "Go on: Why attention");
        visit("Go on: Why attention", "Why attention");
        visit("Review: 1 due", "Review");
        close_home();
    }
}

static void test_screen_house__all_done(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        begin_lessons(true);
        open_home(sizes[i], "All lessons are done");
        visit("All lessons are done", "Review");
        visit("Review: 1 due", "Review");
        close_home();
    }
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_house__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(a_fresh_start),
        TEST(a_lesson_under_way),
        TEST(all_done),
    };
    return RUN_TESTS("screen_house", all);
}
