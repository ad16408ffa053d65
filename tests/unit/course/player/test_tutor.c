/* course/player/tutor.h: lines of a learner, in a lesson or out of one. */
#include "course_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/event_internal.h"
#include "course/player/course_command.h"
#include "lang_testing.h"
#include "show/backend.h"

enum { DAY_S = 24 * 60 * 60 };

/* A course of three lessons: 02-every, 05-scaling and 06-scores, all with the same pages. */
struct desk {
    struct place place;
    struct settings settings;
    volatile sig_atomic_t stop;
    struct tutor tutor;
    struct text shown;
};

static int desk_setup(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    place_open(&desk->place);
    char *text = text_with(course_lesson, "id: every", "id: scaling");
    place_write(&desk->place, "lessons/05-scaling.md", text);
    free(text);
    text = text_with(course_lesson, "id: every", "id: scores");
    place_write(&desk->place, "lessons/06-scores.md", text);
    free(text);
    desk->settings = (struct settings){.digits = 4, .width_cols = 80};
    tutor_init(&desk->tutor, &(struct player_setup){.progress = desk->place.progress,
                                                    .settings = &desk->settings,
                                                    .data_dir = desk->place.folder,
                                                    .stop = &desk->stop});
    *state = desk;
    return 0;
}

static int desk_teardown(void **state)
{
    struct desk *desk = *state;
    tutor_release(&desk->tutor);
    place_close(&desk->place);
    text_release(&desk->shown);
    free(desk);
    return 0;
}

/* attn is left and started again. */
static void restart(struct desk *desk)
{
    tutor_release(&desk->tutor);
    place_reopen(&desk->place, true);
    tutor_init(&desk->tutor, &(struct player_setup){.progress = desk->place.progress,
                                                    .settings = &desk->settings,
                                                    .data_dir = desk->place.folder,
                                                    .stop = &desk->stop});
}

static bool try_size(struct desk *desk, const char *line, size_t size, struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    doc_line(&out, STYLE_PLAIN, "above");
    bool ok = tutor_line(&desk->tutor, line, size, &out, reterr);
    text_clear(&desk->shown);
    if (!ok)
        assert_int_equal(out.n_lines, 1);
    doc_check_lines(&out, 0, false, &desk->shown);
    doc_release(&out);
    return ok;
}

static bool try_line(struct desk *desk, const char *line, struct error *reterr)
{
    return try_size(desk, line, strlen(line), reterr);
}

static void type(struct desk *desk, const char *line)
{
    struct error error = {0};
    if (!try_line(desk, line, &error))
        fail_msg("%s: %s", line, error.text);
}

static void has(const struct desk *desk, const char *part)
{
    if (strstr(text_string(&desk->shown), part) == NULL)
        fail_msg("'%s' is not in\n%s", part, text_string(&desk->shown));
}

static void says(struct desk *desk, const char *line, const char *part)
{
    type(desk, line);
    has(desk, part);
}

static void prompts(struct desk *desk, const char *wanted)
{
    struct text prompt = {0};
    tutor_prompt(&desk->tutor, &prompt);
    assert_string_equal(text_string(&prompt), wanted);
    text_release(&prompt);
}

/* Where the learner is, and what is there. */
static void describe(struct desk *desk, struct text *text)
{
    const struct player *player = desk->tutor.player;
    tutor_prompt(&desk->tutor, text);
    session_describe(&desk->tutor.session, text);
    if (player == NULL)
        return;
    text_format(text, "%s page %zu right %d told %d wrong %u hints %u\n", player->lesson->path,
                player->page, player->state.right, player->state.told, player->state.n_wrong,
                player->state.n_hints);
    session_describe(&player->learner.session, text);
}

/* The line fails so, marks that part of it, and nothing happened. */
static void refuses_at(struct desk *desk, const char *line, enum error_kind kind, const char *part,
                       const char *marked)
{
    struct error error = {0};
    struct text before = {0}, after = {0};
    char got[200] = "";
    describe(desk, &before);
    if (try_line(desk, line, &error))
        fail_msg("%s should fail, and shows\n%s", line, text_string(&desk->shown));
    assert_error(false, error, kind);
    assert_says(error, part);
    size_t end = error.end < strlen(line) ? error.end : strlen(line);
    assert_true(error.begin <= end);
    if (marked != NULL) {
        snprintf(got, sizeof got, "%.*s", (int)(end - error.begin), line + error.begin);
        assert_string_equal(got, marked);
    }
    describe(desk, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    text_release(&before);
    text_release(&after);
}

static void refuses(struct desk *desk, const char *line, enum error_kind kind, const char *part)
{
    refuses_at(desk, line, kind, part, NULL);
}

static long count(const struct desk *desk, const char *what)
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", what);
    return place_number(&desk->place, sql);
}

/* ---- opening ---- */

static void test_tutor__without_a_lesson(void **state)
{
    struct desk *desk = *state;
    static const char *const lines[] = {"next", "back", "hint", "skip", "answer 4", "lesson close"};
    prompts(desk, "attn> ");
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        refuses(desk, lines[i], ERR_NAME, "no lesson is open; lesson opens one");
    says(desk, "1 + 1", "2\n");
    assert_ptr_equal(tutor_session(&desk->tutor), &desk->tutor.session);
}

static void test_tutor__a_lesson_by_what_one_may_call_it(void **state)
{
    struct desk *desk = *state;
    char path[200];
    snprintf(path, sizeof path, "lesson %s/lessons/05-scaling.md", desk->place.folder);
    const char *const lines[] = {
        "lesson 5",          "lesson scaling", "lesson scal",    path,
        "lesson 05-scaling", "lesson 05",      "lesson Scaling", "lesson   5  \r\n"};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        says(desk, lines[i], "page 1 of 13 --");
        prompts(desk, "scaling 1/13> ");
        assert_ptr_equal(tutor_session(&desk->tutor), &desk->tutor.player->learner.session);
        says(desk, "lesson close", "is closed; lesson goes on with it.");
        prompts(desk, "attn> ");
    }
    assert_int_equal(count(desk, "plays"), 1); /* gone on with each time */
    refuses(desk, "lesson sc", ERR_NAME, "there is no such lesson");
    refuses(desk, "lesson nowhere", ERR_NAME, "lesson nowhere: there is no such lesson");
    refuses(desk, "lesson 99", ERR_NAME, "there is no such lesson");
    refuses(desk, "lesson ./nowhere.md", ERR_FILE, "nowhere.md");
    refuses(desk, "lesson /", ERR_FILE, "");
    type(desk, "lesson 2");
    refuses(desk, "lesson nowhere", ERR_NAME, "there is no such lesson"); /* this one stays open */
    prompts(desk, "every 1/13> ");
}

static void test_tutor__lesson_alone(void **state)
{
    struct desk *desk = *state;
    says(desk, "lesson", "page 1 of 13"); /* the first of the course */
    prompts(desk, "every 1/13> ");
    type(desk, "next");
    says(desk, "lesson", "page 2 of 13"); /* shown once more */
    type(desk, "lesson close");
    says(desk, "lesson", "page 2 of 13"); /* where it stopped */
    type(desk, "lesson 6");
    type(desk, "next");
    restart(desk);
    says(desk, "lesson", "page 2 of 13"); /* the one that was begun last */
    prompts(desk, "scores 2/13> ");
    type(desk, "lesson 2 again");
    prompts(desk, "every 1/13> ");
    type(desk, "next");
    says(desk, "lesson again", "page 1 of 13");
    prompts(desk, "every 1/13> ");
    restart(desk);
    type(desk, "lesson again");
    prompts(desk, "every 1/13> ");
    type(desk, "lesson scaling again");
    prompts(desk, "scaling 1/13> ");
    refuses(desk, "lesson again again", ERR_NAME, "lesson again: there is no such lesson");
}

static void finish(struct desk *desk)
{
    while (!desk->tutor.player->finished)
        type(desk, "skip");
}

static void test_tutor__the_end_leads_on(void **state)
{
    struct desk *desk = *state;
    type(desk, "lesson 2");
    finish(desk);
    has(desk, "You have finished");
    has(desk, "next goes on with lesson 5, scaling.");
    prompts(desk, "attn> ");
    refuses(desk, "answer 4", ERR_NAME, "nothing is asked");
    says(desk, "scores", "one"); /* its names are still there */
    says(desk, "lesson again", "page 1 of 13");
    prompts(desk, "every 1/13> "); /* the one that was just finished */
    finish(desk);
    type(desk,
         "lesson"); /* the first that is not finished; what was just done is not asked again */
    prompts(desk, "scaling 1/13> ");
    finish(desk);
    type(desk, "next");
    prompts(desk, "scores 1/13> ");
    finish(desk);
    has(desk, "review asks again.");
    refuses(desk, "next", ERR_NAME, "the lesson is over");
    type(desk, "lesson"); /* all are done: the last one, again */
    prompts(desk, "scores 1/13> ");
}

static void test_tutor__at_a_step(void **state)
{
    struct desk *desk = *state;
    char line[200];
    says(desk, "lesson 2#the-weights", "Softmax makes weights");
    type(desk, "lesson 2#the-weights/1"); /* a page of a step */
    says(desk, "lesson 2#the-weights/1", "Softmax makes weights");
    refuses(desk, "lesson 2#the-weights/99", ERR_NAME, "it has no step called the-weights/99");
    prompts(desk, "every 4/13> ");
    type(desk, "lesson 2#the-scores");
    prompts(desk, "every 2/13> ");
    type(desk, "lesson 2#13"); /* a page by its number */
    prompts(desk, "every 13/13> ");
    refuses(desk, "lesson 2#14", ERR_NAME, "name a page: every#1 to every#13");
    refuses(desk, "lesson 2#0", ERR_NAME, "it has no step called 0");
    type(desk, "lesson 2#the-scores");
    refuses(desk, "lesson 2#nowhere", ERR_NAME, "it has no step called nowhere");
    refuses(desk, "lesson 2#nowhere again", ERR_NAME, "it has no step called nowhere");
    refuses(desk, "lesson 5#nowhere", ERR_NAME, "it has no step called nowhere");
    refuses(desk, "lesson 2#", ERR_NAME, "it has no step");
    refuses(desk, "lesson #the-scores", ERR_NAME, "there is no such lesson");
    assert_int_equal(count(desk, "plays"), 1);
    snprintf(line, sizeof line, "lesson %s/lessons/05-scaling.md#the-end", desk->place.folder);
    type(desk, line);
    prompts(desk, "scaling 8/13> ");
    type(desk, "lesson 2#the-end again");
    prompts(desk, "every 8/13> ");
    assert_int_equal(count(desk, "plays"), 3);
}

static void test_tutor__a_path_with_a_number_sign(void **state)
{
    struct desk *desk = *state;
    char line[200];
    place_write(&desk->place, "c#/my-lesson.md", course_lesson);
    snprintf(line, sizeof line, "lesson %s/c#/my-lesson.md", desk->place.folder);
    type(desk, line);
    prompts(desk, "every 1/13> ");
    strcat(line, "#the-weights"); /* NOLINT: there is room */
    type(desk, line);
    prompts(desk, "every 4/13> ");
    type(desk, "lesson again");
    prompts(desk, "every 1/13> ");
}

/* A lesson of one's own is not taken for one of the course whose name begins so. */
static void test_tutor__a_lesson_of_ones_own(void **state)
{
    struct desk *desk = *state;
    char line[200];
    char *text = text_with(course_lesson, "id: every", "id: scal");
    place_write(&desk->place, "scal.md", text);
    free(text);
    snprintf(line, sizeof line, "lesson %s/scal.md", desk->place.folder);
    type(desk, line);
    type(desk, "next");
    type(desk, "5");
    restart(desk);
    says(desk, "lesson", "page 1 of 13");
    prompts(desk, "every 1/13> "); /* the course goes on */
    says(desk, "review all", "There is nothing to review.");
    type(desk, line);
    prompts(desk, "scal 2/13> ");
    finish(desk);
    has(desk, "review asks again.");
}

static void test_tutor__each_lesson_has_its_names(void **state)
{
    struct desk *desk = *state;
    type(desk, "mine = 3");
    type(desk, "lesson 2");
    refuses_at(desk, "mine", ERR_NAME, "mine", "mine");
    type(desk, "yours = 4");
    type(desk, "lesson 5");
    refuses(desk, "yours", ERR_NAME, "yours");
    type(desk, "lesson 2");
    says(desk, "yours", "4");
    says(desk, "lesson close", "Your own names");
    says(desk, "mine", "3");
    refuses(desk, "yours", ERR_NAME, "yours");
}

static void test_tutor__without_a_course(void **state)
{
    struct desk *desk = *state;
    char line[200];
    snprintf(line, sizeof line, "lesson %s", desk->place.lesson);
    desk->tutor.data_dir = NULL;
    refuses(desk, "lesson 2", ERR_FILE, "ATTN_DATA_DIR");
    refuses(desk, "lesson", ERR_FILE, "ATTN_DATA_DIR");
    refuses(desk, "lessons", ERR_FILE, "ATTN_DATA_DIR");
    refuses(desk, "progress", ERR_FILE, "ATTN_DATA_DIR");
    type(desk, line);
    prompts(desk, "every 1/13> ");
    finish(desk);
    has(desk, "You have finished");
    desk->tutor.data_dir = "/nowhere";
    refuses(desk, "lesson 2", ERR_FILE, "/nowhere/lessons");
}

static void test_tutor__an_empty_course(void **state)
{
    struct desk *desk = *state;
    char path[200];
    snprintf(path, sizeof path, "%s/empty", desk->place.folder);
    place_write(&desk->place, "empty/lessons/README.md", "");
    desk->tutor.data_dir = path;
    refuses(desk, "lesson", ERR_FILE, "there are no lessons in");
    refuses(desk, "lesson 1", ERR_NAME, "there is no such lesson");
    type(desk, "lessons");
    type(desk, "progress");
}

static void test_tutor__a_lesson_that_can_not_be_read(void **state)
{
    struct desk *desk = *state;
    place_write(&desk->place, "lessons/05-scaling.md", "no lesson\n");
    type(desk, "lesson 2");
    refuses(desk, "lesson 5", ERR_SYNTAX, "05-scaling.md:1: ");
    refuses(desk, "lesson 5#x again", ERR_SYNTAX, "05-scaling.md:1: ");
    prompts(desk, "every 1/13> ");
    char *text = text_with(course_lesson, "noise = rand(2)\n", "noise = nowhere\n");
    place_write(&desk->place, "lessons/05-scaling.md", text);
    free(text);
    refuses(desk, "lesson 5#the-end", ERR_NAME, "05-scaling.md:20: ");
    prompts(desk, "every 1/13> ");
}

static void test_tutor__settings_go_along(void **state)
{
    struct desk *desk = *state;
    type(desk, "set digits 2");
    type(desk, "lesson 2");
    assert_int_equal(desk->tutor.player->learner.session.settings.digits, 2);
    tutor_set_width(&desk->tutor, 44);
    assert_int_equal(desk->tutor.player->learner.session.settings.width_cols, 44);
    assert_int_equal(desk->tutor.player->reference.session.settings.width_cols, 44);
    type(desk, "next");
    type(desk, "back"); /* the lesson's own session begins anew */
    assert_int_equal(desk->tutor.player->reference.session.settings.width_cols, 44);
    type(desk, "lesson 5");
    assert_int_equal(desk->tutor.player->reference.session.settings.width_cols, 44);
    type(desk, "lesson close");
    assert_int_equal(desk->tutor.session.settings.width_cols, 44);
    tutor_set_width(&desk->tutor, 80);
}

/* ---- words and variables ---- */

static void test_tutor__words_that_are_variables(void **state)
{
    struct desk *desk = *state;
    static const char *const names[] = {"next",   "back",     "hint",   "skip",  "lessons",
                                        "lesson", "progress", "review", "answer"};
    for (int in_lesson = 0; in_lesson < 2; in_lesson++) {
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            char line[100];
            snprintf(line, sizeof line, "%s = [3, 4]", names[i]);
            type(desk, line);
            assert_non_null(
                names_get(&tutor_session(&desk->tutor)->names, names[i], strlen(names[i])));
            static const char *const formulas[] = {
                "%s[0]",     "%s.sum() - 4", "%s @ [1, 0]", "%s [0] == 9; 3",
                "%s + 0; 3", "%s, 3",        "%s == 3; 3",
            };
            for (size_t k = 0; k < COUNT_OF(formulas); k++) {
                if (strcmp(names[i], "answer") == 0 && (k == 2 || k == 3 || k == 4 || k == 5))
                    continue; /* what stands behind answer is one */
                bool takes_words = strcmp(names[i], "lesson") == 0 ||
                                   strcmp(names[i], "progress") == 0 ||
                                   strcmp(names[i], "review") == 0;
                if (takes_words && k == 3)
                    continue;                                       /* a name may begin so */
                snprintf(line, sizeof line, formulas[k], names[i]); /* NOLINT: all have one %s */
                says(desk, line, "3");
            }
            snprintf(line, sizeof line, "%s = 7", names[i]);
            type(desk, line);
            snprintf(line, sizeof line, "%s(x) = x + 1", names[i]);
            type(desk, line);
            snprintf(line, sizeof line, "%s(2)", names[i]);
            says(desk, line, "3\n");
        }
        if (in_lesson == 0)
            type(desk, "lesson 2");
        prompts(desk, "every 1/13> ");
    }
    says(desk, "next", "page 2 of 13"); /* alone it is the word */
    says(desk, "next2 = 5", "");
    says(desk, "next_one = 6", "");
    says(desk, "nextone = 7; nextone", "7");
    refuses_at(desk, "next one", ERR_SYNTAX, "", NULL);
    refuses(desk, "nexT", ERR_NAME, "did you mean next?");
    prompts(desk, "every 2/13> ");
}

static void test_tutor__answers_by_assignment(void **state)
{
    struct desk *desk = *state;
    type(desk, "answer = 0.5"); /* nothing is asked: a variable */
    says(desk, "answer == 0.5", "True");
    type(desk, "lesson 2");
    type(desk, "answer = 0.5");
    assert_int_equal(desk->tutor.player->state.n_wrong, 0);
    type(desk, "next");
    says(desk, "answer = 0.5", "Not yet.");
    refuses_at(desk, "answer = 1 + four", ERR_NAME, "four", "four");
    says(desk, "answer == 0.5", "True"); /* the variable */
    says(desk, "answer=4", "Right.");
    type(desk, "answer = 6");
    says(desk, "answer == 6", "True");
}

static void test_tutor__other_ways_to_answer(void **state)
{
    struct desk *desk = *state;
    static const char *const lines[] = {"answer 4",  "answer 4\r\n", "\tanswer\t4",
                                        "answer: 4", "answer -4+8",  "answer-4+8",
                                        "4",         " 4\r\n",       "answer scores[1, 1]"};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        type(desk, "lesson 2 again");
        type(desk, "next\r\n");
        prompts(desk, "every 2/13> ");
        says(desk, lines[i], "Right, at once.");
    }
}

static void test_tutor__places_of_errors(void **state)
{
    struct desk *desk = *state;
    type(desk, "lesson 2");
    type(desk, "next");
    refuses_at(desk, "answer 1 + four", ERR_NAME, "four", "four");
    refuses_at(desk, "  answer \t  1 + four  ", ERR_NAME, "four", "four");
    refuses_at(desk, "answer: 1 + four", ERR_NAME, "four", "four");
    refuses_at(desk, "answer = \t 1 + four\r\n", ERR_NAME, "four", "four");
    refuses_at(desk, "1 + four", ERR_NAME, "four", "four");
    refuses(desk, "answer 1 +", ERR_SYNTAX, "");
    refuses(desk, "answer (1", ERR_SYNTAX, "");
    refuses(desk, "answer", ERR_SYNTAX, "your answer follows it");
    refuses(desk, "answer \r\n", ERR_SYNTAX, "your answer follows it");
    refuses(desk, "answer 1; 2", ERR_SYNTAX, "");
    refuses(desk, "answer x = 2", ERR_SYNTAX, "");
}

static void test_tutor__zero_bytes(void **state)
{
    struct desk *desk = *state;
    struct error error;
    type(desk, "lesson 2");
    type(desk, "next");
    assert_error(try_size(desk, "answer 4\0junk", 13, &error), error, ERR_SYNTAX);
    assert_error(try_size(desk, "skip\0", 5, &error), error, ERR_SYNTAX);
    assert_false(try_size(desk, "\0", 1, &error));
    prompts(desk, "every 2/13> ");
    assert_true(player_is_asking(desk->tutor.player));
}

static void test_tutor__lines_of_a_megabyte(void **state)
{
    struct desk *desk = *state;
    struct text line = {0};
    struct error error;
    type(desk, "lesson 2");
    text_put(&line, "next");
    text_repeat(&line, " ", 1024 * 1024);
    type(desk, text_string(&line));
    prompts(desk, "every 2/13> ");
    static const char *const begins[] = {"lesson ",   "answer ", "progress ", "progress export ",
                                         "review ",   "help ",   "next ",     "",
                                         "lesson 2#", "x = "};
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        text_clear(&line);
        text_put(&line, begins[i]);
        text_repeat(&line, "x", 1024 * 1024);
        assert_false(try_line(desk, text_string(&line), &error));
        assert_true(error.text[0] != '\0');
        prompts(desk, "every 2/13> ");
    }
    text_clear(&line);
    text_repeat(&line, " ", 1024 * 1024);
    text_put(&line, "4");
    (void)try_line(desk, text_string(&line), &error);
    text_release(&line);
}

static void test_tutor__an_empty_line(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct doc out;
    doc_init(&out);
    assert_true(tutor_empty_line(&desk->tutor, &out, &error));
    assert_int_equal(out.n_lines, 0);
    type(desk, "lesson 2");
    assert_true(tutor_empty_line(&desk->tutor, &out, &error));
    prompts(desk, "every 2/13> ");
    size_t n = out.n_lines;
    assert_true(tutor_empty_line(&desk->tutor, &out, &error)); /* the question waits */
    prompts(desk, "every 2/13> ");
    assert_int_equal(out.n_lines, n);
    finish(desk);
    assert_true(tutor_empty_line(&desk->tutor, &out, &error));
    assert_int_equal(out.n_lines, n);
    doc_release(&out);
    type(desk, "");
    type(desk, " \r\n");
}

static void test_tutor__help(void **state)
{
    struct desk *desk = *state;
    says(desk, "help", "lessons\n");
    has(desk, "softmax");
    says(desk, "help next", "Goes on to the next page.");
    says(desk, "help  lesson \r\n", "lesson close");
    says(desk, "help softmax", "softmax(");
    refuses(desk, "help nowhere", ERR_NAME, "nowhere");
    refuses(desk, "help help next", ERR_NAME, "");
    for (size_t i = 0; course_command_name(i) != NULL; i++) {
        char line[100];
        const char *usage, *summary;
        assert_true(course_command_help(i, &usage, &summary));
        snprintf(line, sizeof line, "help %s", course_command_name(i));
        says(desk, line, usage);
    }
}

/* ---- progress ---- */

static void test_tutor__progress_and_lessons(void **state)
{
    struct desk *desk = *state;
    type(desk, "lesson 5");
    type(desk, "next");
    type(desk, "5");
    says(desk, "progress", "Weak so far");
    says(desk, "lessons", "under way");
    prompts(desk, "scaling 2/13> ");
    refuses(desk, "progress report", ERR_NAME, "only export FILE");
    refuses(desk, "lessons 5", ERR_SYNTAX, "");
}

static void test_tutor__progress_is_exported(void **state)
{
    struct desk *desk = *state;
    char line[200];
    struct stat info;
    type(desk, "lesson 2");
    static const char *const files[] = {"out.json", "out.csv", "with blank.csv"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "progress export %s/%s", desk->place.folder, files[i]);
        says(desk, line, "is written.");
        assert_int_equal(stat(line + strlen("progress export "), &info), 0);
        assert_true(info.st_size > 20);
        assert_int_equal(info.st_mode & 077, 0);
    }
    refuses(desk, "progress export", ERR_NAME, ".json or .csv");
    refuses(desk, "progress export x.txt", ERR_NAME, ".json or .csv");
    refuses(desk, "progress export .csv", ERR_NAME, ".json or .csv");
    refuses(desk, "progress exportx.csv", ERR_NAME, "only export FILE");
    refuses(desk, "progress export /nowhere/x.csv", ERR_FILE, "/nowhere/x.csv: can't be written");
}

/* ---- review ---- */

/* The question was missed so many days ago. */
static void miss_at(struct desk *desk, const char *lesson, const char *question, int64_t time_s)
{
    struct error error;
    struct event event = {.lesson = lesson,
                          .question = question,
                          .kind = EVENT_WRONG,
                          .detail = "0",
                          .time_s = time_s,
                          .is_review = true};
    if (!progress_event(desk->place.progress, NULL, &event, &error))
        fail_msg("%s", error.text);
}

static void miss(struct desk *desk, const char *lesson, const char *question, int days)
{
    miss_at(desk, lesson, question, time(NULL) - (int64_t)days * DAY_S);
}

static void test_tutor__review_of_what_is_due(void **state)
{
    struct desk *desk = *state;
    says(desk, "review", "There is nothing to review.");
    says(desk, "review all", "There is nothing to review.");
    miss(desk, "every", "how-alike", 0);
    says(desk, "review", "Nothing is due yet. 1 question will come back, the first in 1 day;");
    miss(desk, "scaling", "which-row", 3);
    miss(desk, "every", "fill-in", 2);
    says(desk, "review", "-- review: Every kind of question --");
    prompts(desk, "review> ");
    has(desk, "Which are right?");
    refuses(desk, "next", ERR_NAME, "waits for an answer");
    refuses(desk, "back", ERR_NAME, "");
    says(desk, "1 3", "Right, at once.");
    says(desk, "lesson close", "is closed");
    says(desk, "review", "The scores, once more."); /* the other one is learned for now */
    says(desk, "1", "Right.");
    says(desk, "4", "Right");
    says(desk, "next", "That was the last question to review.");
    prompts(desk, "attn> ");
    refuses(desk, "next", ERR_NAME, "no lesson is open");
    says(desk, "review all", "What is the score of two with two?");
    type(desk, "skip");
    assert_int_equal(count(desk, "reviews WHERE step = 0"), 1);
    assert_int_equal(count(desk, "reviews WHERE step = 1"), 2);
    refuses(desk, "review some", ERR_NAME, "only all");
}

static void test_tutor__review_leaves_the_lesson_where_it_was(void **state)
{
    struct desk *desk = *state;
    type(desk, "lesson 5");
    type(desk, "next");
    type(desk, "mine = 3");
    miss(desk, "every", "how-alike", 2);
    says(desk, "review", "What is the score");
    refuses(desk, "mine", ERR_NAME, "mine");
    type(desk, "4");
    says(desk, "next", "That was the last question");
    says(desk, "lesson", "page 2 of 13");
    prompts(desk, "scaling 2/13> ");
    says(desk, "mine", "3");
}

static void test_tutor__review_passes_over_what_is_gone(void **state)
{
    struct desk *desk = *state;
    miss(desk, "every", "nowhere", 5);
    miss(desk, "gone", "how-alike", 4);
    miss(desk, "scores", "how-alike", 3);
    miss(desk, "scaling", "how-alike", 2);
    place_write(&desk->place, "lessons/06-scores.md", "no lesson");
    says(desk, "review", "-- review:");
    prompts(desk, "review> ");
    assert_string_equal(desk->tutor.player->lesson->file_name, "05-scaling");
    type(desk, "4");
    says(desk, "next", "That was the last question");
}

static void test_tutor__review_interrupted(void **state)
{
    struct desk *desk = *state;
    struct error error;
    miss(desk, "every", "how-alike", 4);
    miss(desk, "scaling", "fill-in", 3);
    type(desk, "review");
    type(desk, "4");
    desk->stop = 1;
    assert_error(try_line(desk, "next", &error), error, ERR_INTERRUPTED);
    desk->stop = 0;
    says(desk, "next", "The scores, once more.");
    says(desk, "skip", "That was the last question");
}

/* ---- warm-ups ---- */

/* Writes a course lesson that needs others. */
static void write_needing(struct desk *desk, const char *id, const char *file, const char *needs)
{
    char head[100];
    snprintf(head, sizeof head, "id: %s\nneeds: %s", id, needs);
    char *text = text_with(course_lesson, "id: every", head);
    place_write(&desk->place, file, text);
    free(text);
}

/* These lessons are done: going on leads to the one after them. */
static void pass(struct desk *desk, const char *const *lessons, size_t n)
{
    struct error error;
    for (size_t i = 0; i < n; i++) {
        struct attempt attempt;
        if (!attempt_begin(desk->place.progress, lessons[i], time(NULL), &attempt, &error) ||
            !attempt_finish(desk->place.progress, &attempt, time(NULL), &error))
            fail_msg("%s", error.text);
    }
}

static const char *const first_three[] = {"every", "scaling", "scores"};

static void test_tutor__warm_up_of_what_was_missed(void **state)
{
    struct desk *desk = *state;
    says(desk, "lesson", "page 1 of 13"); /* a beginner */
    miss(desk, "every", "fill-in", 0);    /* due tomorrow */
    miss(desk, "scores", "which-row", 9); /* of no earlier lesson */
    miss(desk, "scaling", "gone", 8);
    miss(desk, "scaling", "how-alike", 3);
    miss(desk, "every", "which-row", 4);
    pass(desk, first_three, 2);
    restart(desk);
    says(desk, "lesson", "-- warm-up, from lesson 2, Every kind of question --");
    has(desk, "One question, then Every kind of question begins. Skipping it is free:");
    has(desk, "Which are right?");
    prompts(desk, "warm-up> ");
    refuses(desk, "next", ERR_NAME, "waits for an answer");
    refuses(desk, "back", ERR_NAME, "");
    says(desk, "2", "Not yet.");
    says(desk, "lesson", "Which are right?");
    says(desk, "1 3", "next begins Every kind of question.");
    says(desk, "next", "page 1 of 13");
    prompts(desk, "scores 1/13> ");
    assert_int_equal(count(desk, "reviews WHERE question = 'which-row' AND lesson = 'every'"
                                 " AND due_s > strftime('%s') + 80000"),
                     1); /* it was asked today */
    type(desk, "lesson close");
    says(desk, "lesson 6", "page 1 of 13"); /* it was begun */
}

static void test_tutor__warm_up_of_what_is_not_due_yet(void **state)
{
    struct desk *desk = *state;
    miss(desk, "every", "fill-in", 2);
    type(desk, "review");
    type(desk, "1");
    type(desk, "4");
    assert_int_equal(count(desk, "reviews WHERE step = 1"), 1);
    pass(desk, first_three, 1);
    says(desk, "lesson", "page 1 of 13"); /* it was just known */
    prompts(desk, "scaling 1/13> ");
    miss_at(desk, "every", "which-row", time(NULL) - 2 * 60 * 60);
    pass(desk, first_three, 2);
    restart(desk);
    says(desk, "lesson", "Which are right?");
}

/* The question was known so many days ago. */
static void know(struct desk *desk, const char *lesson, const char *question, int days)
{
    struct error error;
    struct event event = {.lesson = lesson,
                          .question = question,
                          .kind = EVENT_RIGHT,
                          .detail = "0",
                          .time_s = time(NULL) - (int64_t)days * DAY_S,
                          .is_review = true};
    if (!progress_event(desk->place.progress, NULL, &event, &error))
        fail_msg("%s", error.text);
}

/* The marks of a lesson's questions, and when something last happened at them. */
static void put_marks(struct desk *desk, const char *lesson, struct text *out)
{
    struct question_record *records;
    struct error error;
    size_t n;
    if (!progress_questions(desk->place.progress, lesson, &records, &n, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < n; i++)
        text_format(out, "%s %d %lld\n", records[i].question, (int)records[i].mark,
                    (long long)records[i].last_s);
    free(records);
}

static void test_tutor__a_skipped_warm_up_costs_nothing(void **state)
{
    struct desk *desk = *state;
    know(desk, "every", "which-row", 3);
    know(desk, "every", "how-alike", 4);
    write_needing(desk, "both", "lessons/07-both.md", "[every]");
    pass(desk, first_three, 3);
    struct text before = {0}, after = {0};
    put_marks(desk, "every", &before);
    long n_events = count(desk, "events"), n_reviews = count(desk, "reviews");
    says(desk, "lesson", "-- warm-up, from lesson 2");
    assert_null(strstr(text_string(&desk->shown), "page 1 of 13"));
    says(desk, "skip", "page 1 of 13");
    assert_null(strstr(text_string(&desk->shown), "Skipped"));
    prompts(desk, "both 1/13> ");
    put_marks(desk, "every", &after);
    assert_string_equal(text_string(&after), text_string(&before));
    assert_int_equal(count(desk, "events"), n_events);
    assert_int_equal(count(desk, "reviews"), n_reviews);
    text_release(&before);
    text_release(&after);
}

/* A hint says nothing new about what one knows. */
static void test_tutor__a_hint_and_skipping_the_warm_up_change_no_mark(void **state)
{
    struct desk *desk = *state;
    struct text before = {0}, after = {0};
    know(desk, "every", "how-alike", 4);
    write_needing(desk, "both", "lessons/07-both.md", "[every]");
    pass(desk, first_three, 3);
    put_marks(desk, "every", &before);
    type(desk, "lesson");
    says(desk, "hint", "Hint 1 of");
    says(desk, "skip", "page 1 of 13");
    put_marks(desk, "every", &after);
    assert_memory_equal(text_string(&after), text_string(&before), strlen("how-alike 4"));
    text_release(&before);
    text_release(&after);
}

static void test_tutor__warm_up_of_what_was_known_longest_ago(void **state)
{
    struct desk *desk = *state;
    static const char *const all[] = {"every", "scaling", "scores", "both"};
    write_needing(desk, "both", "lessons/07-both.md", "[every, scaling, nowhere]");
    write_needing(desk, "last", "lessons/08-last.md", "[every, scaling]");
    know(desk, "scores", "fill-in", 90); /* a lesson that nobody needs here */
    know(desk, "every", "gone", 80);
    know(desk, "every", "how-alike", 5);
    know(desk, "every", "which-row", 7);
    know(desk, "scaling", "fill-in", 6);
    pass(desk, all, 3);
    says(desk, "lesson", "Which are right?");
    type(desk, "1 3");
    type(desk, "next");
    prompts(desk, "both 1/13> ");
    pass(desk, all, 4);
    restart(desk);
    says(desk, "lesson", "The scores, once more."); /* the other one was asked today */
    says(desk, "skip", "page 1 of 13");
    prompts(desk, "last 1/13> ");
}

static void test_tutor__no_warm_up(void **state)
{
    struct desk *desk = *state;
    char line[200];
    miss(desk, "every", "which-row", 2);
    says(desk, "lesson 5#the-end", "page 8 of 13");
    restart(desk);
    says(desk, "lesson 6", "page 1 of 13"); /* chosen, by its number or its name */
    restart(desk);
    says(desk, "lesson 6 again", "page 1 of 13");
    restart(desk);
    snprintf(line, sizeof line, "lesson %s/lessons/06-scores.md", desk->place.folder);
    says(desk, line, "page 1 of 13");
    says(desk, "lesson 2", "page 1 of 13"); /* its own questions come in it */
    place_write(&desk->place, "lessons/02-every.md", "no lesson");
    write_needing(desk, "both", "lessons/07-both.md", "[every, scaling]");
    pass(desk, first_three, 3);
    restart(desk);                        /* the list of lessons is read once */
    says(desk, "lesson", "page 1 of 13"); /* what can't be read keeps nobody away */
    prompts(desk, "both 1/13> ");
}

static void test_tutor__warm_up_interrupted(void **state)
{
    struct desk *desk = *state;
    struct error error;
    miss(desk, "every", "how-alike", 2);
    pass(desk, first_three, 1);
    desk->stop = 1;
    assert_error(try_line(desk, "lesson", &error), error, ERR_INTERRUPTED);
    desk->stop = 0;
    prompts(desk, "attn> ");
    type(desk, "lesson");
    type(desk, "4");
    place_write(&desk->place, "lessons/05-scaling.md", "no lesson");
    assert_error(try_line(desk, "next", &error), error, ERR_SYNTAX);
    char *text = text_with(course_lesson, "id: every", "id: scaling");
    place_write(&desk->place, "lessons/05-scaling.md", text);
    free(text);
    says(desk, "skip", "page 1 of 13");
    prompts(desk, "scaling 1/13> ");
}

/* ---- interrupted, twice at once, without memory ---- */

static void test_tutor__opening_interrupted(void **state)
{
    struct desk *desk = *state;
    struct error error;
    type(desk, "lesson 2#the-weights");
    desk->stop = 1;
    assert_error(try_line(desk, "lesson 5#the-end", &error), error, ERR_INTERRUPTED);
    desk->stop = 0;
    prompts(desk, "every 4/13> ");
    says(desk, "next", "attn> weights = softmax(scores)");
    type(desk, "next");
    prompts(desk, "every 5/13> ");
}

static void test_tutor__two_at_once(void **state)
{
    struct desk *desk = *state;
    struct desk other = {.settings = desk->settings};
    struct progress *progress = progress_open(desk->place.file);
    tutor_init(&other.tutor, &(struct player_setup){.progress = progress,
                                                    .settings = &other.settings,
                                                    .data_dir = desk->place.folder,
                                                    .stop = &other.stop});
    type(desk, "lesson 2");
    type(&other, "lesson 2");
    type(desk, "next");
    type(&other, "next");
    type(desk, "4");
    says(&other, "5", "Not yet.");
    says(&other, "4", "Right.");
    type(desk, "next");
    type(&other, "mine = 17"); /* who does something last says where the attempt is */
    tutor_release(&other.tutor);
    progress_close(progress);
    text_release(&other.shown);
    type(desk, "lesson close");
    type(desk, "lesson 2");
    prompts(desk, "every 2/13> ");
    says(desk, "mine", "17");
}

static const char *const walk[] = {
    "mine = rand(2)", "lessons",      "lesson 2",   "next",     "answer = 5",
    "hint",           "x = 2",        "4",          "next",     "answer 1 3",
    "lesson",         "progress",     "help next",  "help",     "lesson 5#the-weights",
    "lesson 2",       "lesson close", "review all", "answer 4", "next",
    "lesson 2 again", "lesson close", "lesson 6",   "skip",     "lesson #the-end",
};
enum { N_WALK = COUNT_OF(walk) };

static void test_tutor__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct text unhurt = {0}, now = {0};
    struct error error = {0};
    for (size_t i = 0; i < N_WALK; i++)
        (void)try_line(desk, walk[i], &error);
    describe(desk, &unhurt);
    restart(desk);
    tutor_release(&desk->tutor);
    assert_int_equal(unlink(desk->place.file), 0);
    place_reopen(&desk->place, true);
    tutor_init(&desk->tutor, &(struct player_setup){.progress = desk->place.progress,
                                                    .settings = &desk->settings,
                                                    .data_dir = desk->place.folder,
                                                    .stop = &desk->stop});
    for (size_t i = 0; i < N_WALK; i++) {
        bool done = false;
        for (long nth = 1; !done; nth++) {
            struct doc out;
            doc_init(&out);
            error = (struct error){0};
            testing_fail_allocation(nth);
            bool ok = tutor_line(&desk->tutor, walk[i], strlen(walk[i]), &out, &error);
            bool reached = testing_allocations() >= nth;
            testing_fail_allocation(0);
            done = ok || !reached; /* the last line is refused */
            if (!done && error.kind != ERR_MEMORY)
                fail_msg("%s, allocation %ld: %s", walk[i], nth, error.text);
            if (!ok)
                assert_int_equal(out.n_lines + out.n_spans, 0);
            doc_release(&out);
        }
    }
    describe(desk, &now);
    assert_string_equal(text_string(&now), text_string(&unhurt));
    text_release(&unhurt);
    text_release(&now);
}

/* ---- what is shown ---- */

static void test_tutor__narrow_and_in_ascii(void **state)
{
    struct desk *desk = *state;
    static const char *const lines[] = {
        "review",     "lessons", "lesson 2",  "next",           "hint",
        "hint",       "hint",    "lesson",    "progress",       "next",
        "2",          "1 3",     "help next", "help progress",  "lesson close",
        "review all", "4",       "next",      "lesson 2 again", "skip",
    };
    char *text = text_with(course_lesson, "# caf\xC3\xA9", "# cafe");
    place_write(&desk->place, "lessons/02-every.md", text);
    free(text);
    tutor_release(&desk->tutor);
    desk->settings.width_cols = 40;
    desk->settings.ascii = true;
    tutor_init(&desk->tutor, &(struct player_setup){.progress = desk->place.progress,
                                                    .settings = &desk->settings,
                                                    .data_dir = desk->place.folder,
                                                    .stop = &desk->stop});
    for (size_t i = 0; i < COUNT_OF(lines) + 20; i++) {
        struct doc out;
        struct error error;
        const char *line = i < COUNT_OF(lines) ? lines[i] : "skip";
        doc_init(&out);
        text_clear(&desk->shown);
        if (tutor_line(&desk->tutor, line, strlen(line), &out, &error))
            doc_check_lines(&out, 40, true, &desk->shown);
        doc_release(&out);
    }
    assert_true(desk->tutor.player->finished);
}

#define DESK_TEST(test) cmocka_unit_test_setup_teardown(test, desk_setup, desk_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DESK_TEST(test_tutor__without_a_lesson),
        DESK_TEST(test_tutor__a_lesson_by_what_one_may_call_it),
        DESK_TEST(test_tutor__lesson_alone),
        DESK_TEST(test_tutor__the_end_leads_on),
        DESK_TEST(test_tutor__at_a_step),
        DESK_TEST(test_tutor__a_path_with_a_number_sign),
        DESK_TEST(test_tutor__a_lesson_of_ones_own),
        DESK_TEST(test_tutor__each_lesson_has_its_names),
        DESK_TEST(test_tutor__without_a_course),
        DESK_TEST(test_tutor__an_empty_course),
        DESK_TEST(test_tutor__a_lesson_that_can_not_be_read),
        DESK_TEST(test_tutor__settings_go_along),
        DESK_TEST(test_tutor__words_that_are_variables),
        DESK_TEST(test_tutor__answers_by_assignment),
        DESK_TEST(test_tutor__other_ways_to_answer),
        DESK_TEST(test_tutor__places_of_errors),
        DESK_TEST(test_tutor__zero_bytes),
        DESK_TEST(test_tutor__lines_of_a_megabyte),
        DESK_TEST(test_tutor__an_empty_line),
        DESK_TEST(test_tutor__help),
        DESK_TEST(test_tutor__progress_and_lessons),
        DESK_TEST(test_tutor__progress_is_exported),
        DESK_TEST(test_tutor__review_of_what_is_due),
        DESK_TEST(test_tutor__review_leaves_the_lesson_where_it_was),
        DESK_TEST(test_tutor__review_passes_over_what_is_gone),
        DESK_TEST(test_tutor__review_interrupted),
        DESK_TEST(test_tutor__warm_up_of_what_was_missed),
        DESK_TEST(test_tutor__warm_up_of_what_is_not_due_yet),
        DESK_TEST(test_tutor__warm_up_of_what_was_known_longest_ago),
        DESK_TEST(test_tutor__a_skipped_warm_up_costs_nothing),
        DESK_TEST(test_tutor__a_hint_and_skipping_the_warm_up_change_no_mark),
        DESK_TEST(test_tutor__no_warm_up),
        DESK_TEST(test_tutor__warm_up_interrupted),
        DESK_TEST(test_tutor__opening_interrupted),
        DESK_TEST(test_tutor__two_at_once),
        DESK_TEST(test_tutor__every_failed_allocation_is_reported),
        DESK_TEST(test_tutor__narrow_and_in_ascii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
