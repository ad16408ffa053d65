/* ui/panes/home/home.h: the first screen, as rows of text, at the sizes from the smallest on. */
#include "canvas_testing.h"
#include "course_testing.h"
#include "lang_testing.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "course/player/course_command.h"
#include "course/progress/question_record.h"
#include "ui/panes/home/home.h"

enum { ROWS = 22, COLS = 80, SMALL_ROWS = 12, SMALL_COLS = 60 };

static const struct home_setting settings[] = {{"theme light", "theme: dark"},
                                               {"palette grey", "palette: viridis"}};

struct fixture {
    struct place place;
    struct tutor tutor;
    struct home home;
    const struct exercises *exercises; /* or NULL */
    struct seen seen;
    bool ascii;
    bool is_brief;
};

/* A lesson of nothing but its title. */
static void write_lesson(const struct place *place, const char *name, const char *title)
{
    char path[80], text[400];
    snprintf(path, sizeof path, "lessons/%s.md", name);
    snprintf(text, sizeof text,
             "---\nid: %s\ntitle: %s\nminutes: 7\nobjectives:\n  - look\n---\n\n# %s\n\n## A "
             "step\n\nWords.\n",
             name + 3, title, title);
    place_write(place, path, text);
}

static const char *explored = "", *model_folder = "";

static bool try_load(struct fixture *fixture, struct error *reterr)
{
    const struct home_sources sources = {.tutor = &fixture->tutor,
                                         .exercises = fixture->exercises,
                                         .settings = settings,
                                         .n_settings = COUNT_OF(settings),
                                         .explored = explored,
                                         .model_folder = model_folder,
                                         .is_brief = fixture->is_brief};
    return home_load(&fixture->home, &sources, reterr);
}

static void load(struct fixture *fixture)
{
    struct error error;
    if (!try_load(fixture, &error))
        fail_msg("%s", error.text);
}

static int setup(void **state)
{
    static const struct settings plain = {.digits = 4, .width_cols = 80};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    place_open(&fixture->place);
    write_lesson(&fixture->place, "03-long",
                 "A title that is so long that it can't stand before what is done of it, ever");
    write_lesson(&fixture->place, "04-wide", "\xE6\xB3\xA8\xE6\x84\x8F\xE5\x8A\x9B cafe\xCC\x81");
    for (int i = 5; i < 30; i++) {
        char name[32], title[32];
        snprintf(name, sizeof name, "%02d-lesson", i);
        snprintf(title, sizeof title, "Lesson %d", i);
        write_lesson(&fixture->place, name, title);
    }
    tutor_init(&fixture->tutor, &(struct player_setup){.progress = fixture->place.progress,
                                                       .settings = &plain,
                                                       .data_dir = fixture->place.folder});
    assert_true(canvas_resize(&fixture->seen.canvas, ROWS, COLS));
    load(fixture);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    home_release(&fixture->home);
    tutor_release(&fixture->tutor);
    place_close(&fixture->place);
    canvas_release(&fixture->seen.canvas);
    free(fixture);
    return 0;
}

static void draw(struct fixture *fixture)
{
    canvas_clear(&fixture->seen.canvas);
    home_draw(&fixture->home, canvas_area(&fixture->seen.canvas), true, fixture->ascii);
}

static void resize(struct fixture *fixture, int rows, int cols)
{
    assert_true(canvas_resize(&fixture->seen.canvas, rows, cols));
}

static void check_shown(const char *file, int line, struct fixture *fixture, const char *part,
                        bool wanted)
{
    draw(fixture);
    seen_check(file, line, &fixture->seen, part, wanted);
}

#define assert_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, true)
#define assert_not_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, false)

static void press(struct fixture *fixture, int key)
{
    home_resize(&fixture->home, fixture->seen.canvas.rows, fixture->seen.canvas.cols);
    (void)pane_press((struct pane){&home_ops, &fixture->home}, key);
}

/* The row that is marked as chosen, without its mark. */
static const char *chosen_row(struct fixture *fixture)
{
    draw(fixture);
    for (int row = 0; row < fixture->seen.canvas.rows; row++)
        if (fixture->seen.canvas.cells[row * fixture->seen.canvas.cols].look.marks & MARK_REVERSE)
            return seen_row(&fixture->seen, row);
    return "";
}

static void assert_chosen(struct fixture *fixture, const char *part)
{
    const char *row = chosen_row(fixture);
    if (strstr(row, part) == NULL)
        fail_msg("chosen is '%s', not %s", row, part);
    if (strstr(row, fixture->ascii ? ">" : "\xE2\x96\xB8") == NULL)
        fail_msg("no sign before '%s'", row); /* also without colours */
}

static void answer(struct fixture *fixture, const char *line)
{
    struct doc shown;
    struct error error;
    doc_init(&shown);
    if (!tutor_line(&fixture->tutor, line, strlen(line), &shown, &error))
        fail_msg("%s: %s", line, error.text);
    doc_release(&shown);
}

/* Down to the first line of a kind. */
static void choose_kind(struct fixture *fixture, enum home_kind kind)
{
    press(fixture, KEYCODE_HOME);
    for (size_t i = 0; i < fixture->home.n && home_chosen(&fixture->home)->kind != kind; i++)
        press(fixture, KEYCODE_DOWN);
    assert_int_equal(home_chosen(&fixture->home)->kind, kind);
}

static void test_home__the_first_time(void **state)
{
    struct fixture *fixture = *state;
    assert_shown(fixture, "Welcome.");
    assert_chosen(fixture, "Begin with lesson 2");
    assert_int_equal(home_chosen(&fixture->home)->kind, HOME_GO_ON);
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, "Look into a model");
    assert_int_equal(home_chosen(&fixture->home)->kind, HOME_MODEL);
    choose_kind(fixture, HOME_LESSON);
    assert_chosen(fixture, " 2  Every kind of question");
    assert_string_equal(home_chosen(&fixture->home)->name, "every");
    press(fixture, KEYCODE_UP);
    assert_chosen(fixture, "Lessons");
}

/* The greeting ends where it is meant to, at the smallest screen too. */
static void test_home__the_smallest_screen_cuts_nothing(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, SMALL_ROWS, SMALL_COLS);
    assert_shown(fixture, "attn: attention, number by number");
    assert_shown(fixture, "says where it comes from.");
    choose_kind(fixture, HOME_LESSON);
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, "A title that is");
    assert_non_null(strstr(chosen_row(fixture), "\xE2\x80\xA6")); /* said to be cut */
    fixture->ascii = true;
    assert_chosen(fixture, "A title that is");
    assert_non_null(strstr(chosen_row(fixture), "~"));
}

static void test_home__goes_on_where_one_stopped(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, "lesson every#the-scores");
    load(fixture);
    assert_not_shown(fixture, "Welcome.");
    assert_chosen(fixture, "Go on: Every kind of question, lesson 2 of 28, page 2 of 13");
    assert_string_equal(home_chosen(&fixture->home)->name, "every");
    assert_shown(fixture, "0 of 5 right so far");
}

/* Every page of it; its questions are left out. */
static void finish(struct fixture *fixture, const char *lesson)
{
    char line[80];
    snprintf(line, sizeof line, "lesson %s", lesson);
    answer(fixture, line);
    while (fixture->tutor.player != NULL && !fixture->tutor.player->finished)
        answer(fixture, "skip");
    load(fixture);
}

/* From what is done to what is not, and at the end to the review. */
static void test_home__leads_to_the_next_lesson(void **state)
{
    struct fixture *fixture = *state;
    finish(fixture, "every");
    assert_chosen(fixture, "Begin with lesson 3");
    assert_string_equal(home_chosen(&fixture->home)->name, "long");
    finish(fixture, "wide");
    assert_chosen(fixture, "Begin with lesson 3");
    finish(fixture, "long");
    assert_chosen(fixture, "Begin with lesson 5");
    for (int i = 5; i < 30; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/lessons/%02d-lesson.md", fixture->place.folder, i);
        assert_int_equal(unlink(path), 0);
    }
    load(fixture);
    assert_chosen(fixture, "All lessons are done: review them");
    assert_int_equal(home_chosen(&fixture->home)->kind, HOME_REVIEW);
    assert_shown(fixture, "3 of 3 lessons done, 0 of 5 questions right");
}

/* So many of the bar's signs are in the row of a lesson. */
static int count_signs(struct fixture *fixture, const char *lesson, char sign)
{
    int n = 0;
    assert_shown(fixture, lesson);
    for (const char *c = seen_row(&fixture->seen, seen_find(&fixture->seen, lesson)); *c != '\0';
         c++)
        n += *c == sign;
    return n;
}

/* Told answers are not right ones, and guesses are not counted. */
static void test_home__bars_show_what_is_right(void **state)
{
    struct fixture *fixture = *state;
    static const char lesson[] = " 2  Every";
    fixture->ascii = true;
    resize(fixture, 60, COLS);                              /* without a scroll bar */
    assert_int_equal(count_signs(fixture, lesson, '-'), 0); /* not begun */
    answer(fixture, "lesson every#the-scores");
    answer(fixture, "answer 4");
    answer(fixture, "next");
    answer(fixture, "answer 1 3");
    answer(fixture, "next");
    load(fixture);
    assert_shown(fixture, "2 of 5 right so far");
    assert_int_equal(count_signs(fixture, lesson, '#'), 4);
    assert_int_equal(count_signs(fixture, lesson, '-'), 6);
    resize(fixture, 60, SMALL_COLS);
    assert_int_equal(count_signs(fixture, lesson, '#'), 2);
    assert_shown(fixture, "2 of 5 right so far");
}

static void test_home__lessons_that_are_done(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, "lesson wide");
    answer(fixture, "next");
    answer(fixture, "next");
    load(fixture);
    assert_shown(fixture, " done");
    answer(fixture, "lesson every#offers");
    answer(fixture, "next");
    answer(fixture, "next");
    answer(fixture, "next");
    load(fixture);
    assert_shown(fixture, "done, 0 of 5 right");
}

static void assert_opens(struct fixture *fixture, const char *name)
{
    struct pane_request request;
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_OPEN_LESSON);
    assert_string_equal(text_string(&request.text), name);
    pane_request_release(&request);
}

static void test_home__digits_open_a_lesson(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    press(fixture, '4');
    assert_chosen(fixture, " 4  ");
    assert_false(home_take_request(&fixture->home, &request)); /* it may be 4 * 5 */
    press(fixture, KEYCODE_ENTER);
    assert_opens(fixture, "wide");
    press(fixture, '2');
    assert_false(home_take_request(&fixture->home, &request));
    assert_chosen(fixture, " 2  Every");
    assert_shown(fixture, "2_   Enter opens lesson 2; more of a formula goes to the prompt");
    press(fixture, KEYCODE_ENTER);
    assert_opens(fixture, "every");
    press(fixture, '1'); /* there is no lesson 1 here */
    press(fixture, '2');
    assert_chosen(fixture, "12  Lesson 12");
    press(fixture, KEYCODE_ENTER);
    assert_opens(fixture, fixture->home.items[fixture->home.chosen].name);
    press(fixture, '2');
    press(fixture, KEYCODE_DOWN); /* any other key forgets it */
    assert_not_shown(fixture, "2_");
    press(fixture, '1');
    press(fixture, '3');
    press(fixture, KEYCODE_BACKSPACE);
    press(fixture, '4');
    assert_chosen(fixture, "14  Lesson 14");
    press(fixture, KEYCODE_ESCAPE);
    press(fixture, KEYCODE_ENTER);
    assert_opens(fixture, fixture->home.items[fixture->home.chosen].name);
}

static void assert_prompt(struct fixture *fixture, const char *text)
{
    struct pane_request request;
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_TO_PROMPT);
    assert_string_equal(text_string(&request.text), text);
    pane_request_release(&request);
}

/* Whatever begins a formula goes to the prompt from its first character on; four keys do not. */
static void test_home__a_formula_goes_to_the_prompt(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    for (int key = '!'; key < 127; key++) {
        char text[2] = {(char)key, '\0'};
        if (strchr("?:/q", key) != NULL || (key >= '1' && key <= '9'))
            continue;
        press(fixture, key);
        assert_prompt(fixture, text);
    }
    press(fixture, 0x3bb); /* a Greek letter */
    assert_prompt(fixture, "\xCE\xBB");
    press(fixture, '3');
    press(fixture, ' ');
    assert_prompt(fixture, "3 ");
    press(fixture, '1');
    press(fixture, '2');
    press(fixture, '/');
    assert_prompt(fixture, "12/");
    press(fixture, '2');
    press(fixture, '9');
    press(fixture, '9'); /* no lesson has this number */
    assert_prompt(fixture, "299");
    press(fixture, 'q');
    assert_shown(fixture, "leaving attn");
    assert_false(home_take_request(&fixture->home, &request));
    press(fixture, 'u');
    assert_prompt(fixture, "qu");
    press(fixture, 'q');
    press(fixture, ' ');
    assert_prompt(fixture, "q ");
    press(fixture, 'q');
    press(fixture, KEYCODE_ESCAPE);
    assert_not_shown(fixture, "leaving attn");
    assert_false(home_take_request(&fixture->home, &request));
    press(fixture, 'q');
    press(fixture, 'q');
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_QUIT);
    pane_request_release(&request);
}

static void type(struct fixture *fixture, const char *text)
{
    for (; *text != '\0'; text++)
        press(fixture, *text);
}

static void test_home__a_filter_narrows_lessons(void **state)
{
    struct fixture *fixture = *state;
    finish(fixture, "wide");
    answer(fixture, "lesson every#the-scores");
    load(fixture);
    press(fixture, '/');
    type(fixture, "LESSON 12");
    assert_chosen(fixture, "12  Lesson 12");
    assert_not_shown(fixture, "Look into a model");
    press(fixture, KEYCODE_ESCAPE); /* all lessons again, and words can be typed */
    assert_not_shown(fixture, "LESSON 12");
    assert_not_shown(fixture, "Look into a model");
    press(fixture, KEYCODE_ESCAPE);
    assert_shown(fixture, "Look into a model");
    press(fixture, '/');
    type(fixture, "done");
    assert_chosen(fixture, " 4  ");
    assert_shown(fixture, "1 found");
    for (int i = 0; i < 4; i++)
        press(fixture, KEYCODE_BACKSPACE);
    type(fixture, "started");
    assert_chosen(fixture, " 2  Every");
    type(fixture, " nothing");
    assert_shown(fixture, "No lesson and no exercise fits");
    press(fixture, KEYCODE_ENTER); /* nothing is there to open */
    struct pane_request request;
    assert_false(home_take_request(&fixture->home, &request));
    for (int i = 0; i < 8; i++)
        press(fixture, KEYCODE_BACKSPACE);
    press(fixture, KEYCODE_ENTER);
    assert_opens(fixture, "every");
    assert_shown(fixture, "Look into a model");
    press(fixture, '/');
    type(fixture, "open lesson");
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, " 6  Lesson 6");
}

/* The course's parts fold, each with what it gives; the part under way is unfolded. */
static void test_home__parts_fold(void **state)
{
    struct fixture *fixture = *state;
    place_write(&fixture->place, "lessons/course.yaml",
                "parts:\n  - title: The first\n    begins: every\n    gives: begin\n"
                "  - title: The second\n    begins: lesson\n    gives: go on\n");
    load(fixture);
    resize(fixture, 60, COLS);
    assert_shown(fixture, "- The first: 2 to 4");
    assert_shown(fixture, "0 of 3 done");
    assert_shown(fixture, "+ The second: 5 to 29");
    assert_not_shown(fixture, "Lesson 7");
    choose_kind(fixture, HOME_LESSON);
    press(fixture, KEYCODE_LEFT);
    assert_chosen(fixture, "+ The first");
    assert_shown(fixture, "After it you can begin");
    press(fixture, KEYCODE_DOWN);
    press(fixture, KEYCODE_ENTER);
    assert_chosen(fixture, "- The second");
    assert_shown(fixture, "Lesson 7");
    load(fixture);
    assert_shown(fixture, "+ The first"); /* as it was left */
    assert_shown(fixture, "Lesson 7");
    finish(fixture, "every");
    finish(fixture, "long");
    finish(fixture, "wide");
    assert_shown(fixture, "3 of 3 done");
}

static void assert_asks(struct fixture *fixture, enum pane_request_kind kind, const char *text)
{
    struct pane_request request;
    press(fixture, KEYCODE_ENTER);
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, kind);
    assert_string_equal(text_string(&request.text), text);
    pane_request_release(&request);
}

/* Every room of the house is opened from here. */
static void test_home__opens_every_room(void **state)
{
    struct fixture *fixture = *state;
    choose_kind(fixture, HOME_GO_ON);
    assert_asks(fixture, PANE_GO_ON, "every");
    choose_kind(fixture, HOME_MODEL);
    assert_asks(fixture, PANE_RUN_LINE, "model");
    choose_kind(fixture, HOME_TRAININGS);
    press(fixture, KEYCODE_ENTER);
    choose_kind(fixture, HOME_TRAINING);
    assert_asks(fixture, PANE_OPEN_TRAINING, "task previous");
    assert_shown(fixture, "induction: say what followed");
    choose_kind(fixture, HOME_FILM);
    assert_asks(fixture, PANE_OPEN_TRAINING, "film modular");
    choose_kind(fixture, HOME_EXPLORE);
    assert_asks(fixture, PANE_EXPLORE, "");
    model_folder = "/models/gpt2";
    load(fixture);
    model_folder = "";
    choose_kind(fixture, HOME_MODEL);
    press(fixture, KEYCODE_DOWN);
    assert_asks(fixture, PANE_VIEW_MODEL, "");
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, "gpt2");
    assert_asks(fixture, PANE_VIEW_MODEL, "/models/gpt2");
}

static void test_home__a_text_of_ones_own(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    char path[128], train[140];
    choose_kind(fixture, HOME_OWN_TEXT);
    press(fixture, KEYCODE_ENTER);
    assert_shown(fixture, "your text:");
    type(fixture, "the \"big\" dog");
    press(fixture, KEYCODE_ENTER);
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_RELOAD);
    pane_request_release(&request);
    load(fixture);
    assert_chosen(fixture, "- Your own text: the \"big\" dog");
    press(fixture, KEYCODE_DOWN);
    assert_asks(fixture, PANE_RUN_LINE, "explore \"the 'big' dog\"");
    press(fixture, KEYCODE_DOWN);
    assert_asks(fixture, PANE_RUN_LINE, "model \"the 'big' dog\"");
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, "a file is needed");
    place_write(&fixture->place, "own.txt", "The cat sat.\nIt slept.\n");
    snprintf(path, sizeof path, "%s/own.txt", fixture->place.folder);
    press(fixture, KEYCODE_ENTER); /* asks again, with all that was typed chosen */
    type(fixture, path);
    press(fixture, KEYCODE_ENTER);
    assert_true(home_take_request(&fixture->home, &request));
    pane_request_release(&request);
    load(fixture);
    choose_kind(fixture, HOME_OWN_ACT);
    assert_asks(fixture, PANE_RUN_LINE, "explore \"The cat sat.\"");
    press(fixture, KEYCODE_DOWN);
    press(fixture, KEYCODE_DOWN);
    snprintf(train, sizeof train, "text %s", path);
    assert_asks(fixture, PANE_OPEN_TRAINING, train);
}

/* What a line gives stands beside the list where there is room. */
static void test_home__tells_beside_the_list(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 40, 120);
    choose_kind(fixture, HOME_LESSON);
    assert_shown(fixture, "After it you can");
    assert_shown(fixture, "Enter opens it.");
    resize(fixture, 24, 80);
    press(fixture, KEYCODE_UP);
    press(fixture, KEYCODE_DOWN);
    assert_shown(fixture, "After it you can");
    assert_not_shown(fixture, "Enter opens it.");
}

static void test_home__what_is_due_is_there(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    assert_not_shown(fixture, "Review:");
    struct attempt attempt;
    struct error error;
    const struct event missed = {.lesson = "every",
                                 .question = "the-scores",
                                 .kind = EVENT_SKIPPED,
                                 .detail = "",
                                 .time_s = 1000}; /* long ago */
    struct progress *progress = fixture->place.progress;
    assert_true(attempt_begin(progress, "every", 1000, &attempt, &error));
    assert_true(progress_event(progress, &attempt, &missed, &error));
    load(fixture);
    assert_shown(fixture, "Review: 1 due");
    choose_kind(fixture, HOME_REVIEW);
    press(fixture, KEYCODE_ENTER);
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), "review");
    pane_request_release(&request);
}

static void test_home__long_titles_are_whole_where_there_is_room(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 60, 200);
    assert_not_shown(fixture, "\xE2\x80\xA6");
}

static void test_home__keys_reach_the_ends(void **state)
{
    struct fixture *fixture = *state;
    press(fixture, KEYCODE_END);
    assert_chosen(fixture, "+ Settings");
    assert_not_shown(fixture, "Explore");
    press(fixture, KEYCODE_UP);
    assert_chosen(fixture, "Lesson 29");
    press(fixture, KEYCODE_HOME);
    assert_chosen(fixture, "Begin with lesson 2");
    for (int i = 0; i < 5; i++)
        press(fixture, KEYCODE_PAGE_DOWN);
    assert_chosen(fixture, "+ Settings");
    for (int i = 0; i < 5; i++)
        press(fixture, KEYCODE_PAGE_UP);
    assert_chosen(fixture, "Begin with lesson 2");
}

static void test_home__a_bar_says_that_there_is_more(void **state)
{
    struct fixture *fixture = *state;
    fixture->ascii = true;
    draw(fixture);
    assert_string_equal(fixture->seen.canvas.cells[ROWS * COLS - 1].bytes, "v");
    press(fixture, KEYCODE_END);
    draw(fixture);
    assert_string_not_equal(fixture->seen.canvas.cells[ROWS * COLS - 1].bytes, "v");
    resize(fixture, 60, COLS);
    assert_shown(fixture, "Begin with lesson 2"); /* all of it fits */
    draw(fixture);
    assert_string_not_equal(fixture->seen.canvas.cells[60 * COLS - 1].bytes, "v");
}

static void test_home__settings_give_their_line(void **state)
{
    struct fixture *fixture = *state;
    press(fixture, KEYCODE_END);
    press(fixture, KEYCODE_RIGHT);
    press(fixture, KEYCODE_DOWN);
    assert_chosen(fixture, "theme: dark");
    const struct home_item *item = home_chosen(&fixture->home);
    assert_int_equal(item->kind, HOME_SETTING);
    assert_string_equal(item->name, "theme light");
    press(fixture, KEYCODE_ENTER);
    struct pane_request request;
    assert_true(home_take_request(&fixture->home, &request));
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), "theme light");
    pane_request_release(&request);
    assert_false(home_take_request(&fixture->home, &request));
    load(fixture); /* as after it was changed */
    assert_chosen(fixture, "theme: dark");
}

static void test_home__clicks_choose(void **state)
{
    struct fixture *fixture = *state;
    home_resize(&fixture->home, fixture->seen.canvas.rows, fixture->seen.canvas.cols);
    draw(fixture);
    struct area area = canvas_area(&fixture->seen.canvas);
    int row = seen_find(&fixture->seen, "Lesson 5");
    assert_true(home_click(&fixture->home, area, row, 10, false));
    assert_chosen(fixture, "Lesson 5");
    assert_int_equal(seen_find(&fixture->seen, "Lesson 5"), row); /* nothing moved */
    assert_false(home_click(&fixture->home, area, 0, 10, false));
    assert_chosen(fixture, "Lesson 5");
}

static void test_home__a_smaller_window_still_shows_what_is_chosen(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 16; i++)
        press(fixture, KEYCODE_DOWN);
    char title[120];
    snprintf(title, sizeof title, "%s", home_chosen(&fixture->home)->title);
    resize(fixture, SMALL_ROWS, COLS);
    assert_chosen(fixture, title);
    assert_shown(fixture, "Lesson");
}

static void test_home__exercises_with_what_is_done(void **state)
{
    struct fixture *fixture = *state;
    struct exercises exercises;
    struct error error;
    if (!exercises_load(testing_data_dir(), NULL, &exercises, &error))
        fail_msg("%s", error.text);
    assert_true(exercises.n >= 2);
    struct progress *progress = fixture->place.progress;
    assert_true(progress_exercise_attempt(progress, exercises.items[0]->id, "pass", "", 1, &error));
    assert_true(
        progress_exercise_attempt(progress, exercises.items[1]->id, "wrong", "", 1, &error));
    fixture->exercises = &exercises;
    load(fixture);
    resize(fixture, 80, COLS);
    assert_shown(fixture, "+ Exercises in C");
    assert_shown(fixture, "1 of 20 solved");
    assert_not_shown(fixture, "tried, 1 attempt");
    home_choose_exercises(&fixture->home);
    assert_chosen(fixture, " 2  Attention scores");
    assert_shown(fixture, "solved");
    assert_shown(fixture, "tried, 1 attempt");
    assert_not_shown(fixture, "Welcome.");
    exercises_release(&exercises);
}

static void test_home__minutes_where_there_is_room(void **state)
{
    struct fixture *fixture = *state;
    assert_shown(fixture, "13 min");
    resize(fixture, SMALL_ROWS, SMALL_COLS);
    assert_not_shown(fixture, "min");
}

static void test_home__ascii_is_ascii(void **state)
{
    struct fixture *fixture = *state;
    fixture->ascii = true;
    answer(fixture, "lesson every#the-scores");
    load(fixture);
    press(fixture, KEYCODE_END); /* the wide letters are not seen there */
    draw(fixture);
    seen_check_ascii(&fixture->seen);
}

static void test_home__wide_letters(void **state)
{
    struct fixture *fixture = *state;
    assert_shown(fixture, "\xE6\xB3\xA8\xE6\x84\x8F\xE5\x8A\x9B cafe\xCC\x81");
}

static void test_home__any_size(void **state)
{
    struct fixture *fixture = *state;
    for (int rows = 1; rows < 60; rows += 4)
        for (int cols = 1; cols < 120; cols += 7) {
            resize(fixture, rows, cols);
            press(fixture, KEYCODE_END);
            draw(fixture);
            press(fixture, KEYCODE_HOME);
            draw(fixture);
        }
}

static void test_home__without_memory_the_list_stays(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    press(fixture, KEYCODE_DOWN);
    size_t n = fixture->home.n;
    testing_fail_allocation(1);
    assert_false(try_load(fixture, &error));
    fixture->is_brief = true;
    testing_fail_allocation(1);
    assert_false(try_load(fixture, &error));
    testing_fail_allocation(0);
    assert_int_equal(fixture->home.n, n);
    assert_false(fixture->home.is_brief);
    assert_chosen(fixture, "Look into");
}

/* The first frame has nothing that the next one takes back. */
static void test_home__is_brief_at_first(void **state)
{
    struct fixture *fixture = *state;
    resize(fixture, 60, 100);
    fixture->is_brief = true;
    load(fixture);
    assert_true(fixture->home.is_brief);
    assert_shown(fixture, "Welcome.");
    assert_shown(fixture, " 5  Lesson 5");
    answer(fixture, "lesson every#the-scores");
    place_write(&fixture->place, "lessons/06-lesson.md",
                "---\nid: lesson\ntitle: No body\nobjectives: [none]\n---\n");
    load(fixture);
    assert_shown(fixture, " 2  Every kind of question");
    assert_shown(fixture, " 6  No body");
    assert_chosen(fixture, "Go on: Every kind of question, lesson 2 of 28");
    assert_not_shown(fixture, "Welcome.");
    assert_not_shown(fixture, " min");
    assert_not_shown(fixture, "right so far");
    fixture->is_brief = false;
    load(fixture);
    assert_false(fixture->home.is_brief);
    assert_chosen(fixture, "Go on: Every kind of question, lesson 2 of 28, page 2 of 13");
    assert_shown(fixture, " min");
    assert_shown(fixture, "0 of 5 right so far");
    assert_shown(fixture, "Settings");
    assert_not_shown(fixture, " 6  No body");
}

/* What was explored last is offered by name. */
static void test_home__offers_the_sentence_explored_last(void **state)
{
    struct fixture *fixture = *state;
    choose_kind(fixture, HOME_EXPLORE);
    assert_chosen(fixture, "Explore attention freely");
    explored = "my cat saw your dog (4 heads, causal)";
    load(fixture);
    explored = "";
    assert_chosen(fixture, "Explore: my cat saw your dog (4 heads, causal)");
}

/* The lesson of that file as home keeps it. */
static const struct lesson *kept_lesson(const struct fixture *fixture, const char *file_name)
{
    for (size_t i = 0; i < fixture->home.n_lessons; i++)
        if (strstr(fixture->home.lessons[i].lesson->path, file_name) != NULL)
            return fixture->home.lessons[i].lesson;
    fail_msg("%s is not kept", file_name);
    return NULL;
}

/* A lesson is read once and kept, until its file changes. */
static void test_home__reads_a_changed_lesson_anew(void **state)
{
    struct fixture *fixture = *state;
    size_t n = fixture->home.n_lessons;
    const struct lesson *kept = kept_lesson(fixture, "03-long");
    load(fixture);
    assert_int_equal(fixture->home.n_lessons, n);
    assert_ptr_equal(kept_lesson(fixture, "03-long"), kept);
    write_lesson(&fixture->place, "03-long", "Another title");
    load(fixture);
    assert_int_equal(fixture->home.n_lessons, n);
    assert_string_equal(kept_lesson(fixture, "03-long")->title, "Another title");
    place_write(&fixture->place, "lessons/03-long.md", "no lesson");
    load(fixture);
    assert_string_equal(kept_lesson(fixture, "03-long")->title, "Another title");
    bool is_said = false;
    for (size_t i = 0; i < fixture->home.n; i++)
        is_said = is_said || strstr(fixture->home.items[i].title, "begins with its header") != NULL;
    assert_true(is_said);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_home__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_time),
        TEST(the_smallest_screen_cuts_nothing),
        TEST(goes_on_where_one_stopped),
        TEST(leads_to_the_next_lesson),
        TEST(bars_show_what_is_right),
        TEST(lessons_that_are_done),
        TEST(digits_open_a_lesson),
        TEST(a_formula_goes_to_the_prompt),
        TEST(a_filter_narrows_lessons),
        TEST(parts_fold),
        TEST(opens_every_room),
        TEST(a_text_of_ones_own),
        TEST(tells_beside_the_list),
        TEST(what_is_due_is_there),
        TEST(long_titles_are_whole_where_there_is_room),
        TEST(keys_reach_the_ends),
        TEST(a_bar_says_that_there_is_more),
        TEST(settings_give_their_line),
        TEST(clicks_choose),
        TEST(a_smaller_window_still_shows_what_is_chosen),
        TEST(exercises_with_what_is_done),
        TEST(minutes_where_there_is_room),
        TEST(ascii_is_ascii),
        TEST(wide_letters),
        TEST(any_size),
        TEST(without_memory_the_list_stays),
        TEST(is_brief_at_first),
        TEST(reads_a_changed_lesson_anew),
        TEST(offers_the_sentence_explored_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
