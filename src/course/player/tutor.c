/* See tutor.h. */
#include "course/player/tutor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/player/overview.h"
#include "course/lesson/page.h"
#include "course/progress/export.h"
#include "base/suggestion.h"
#include "base/array.h"
#include "lang/commands/command.h"

enum { PATH_BYTES = 4096 };

void tutor_init(struct tutor *tutor, const struct player_setup *setup)
{
    *tutor = (struct tutor){.progress = setup->progress, .data_dir = setup->data_dir};
    session_init(&tutor->session, command_find, setup->settings, setup->data_dir, setup->stop);
}

void tutor_release(struct tutor *tutor)
{
    player_close(tutor->player);
    session_release(&tutor->session);
    course_release(&tutor->course);
    free(tutor->reviews);
    *tutor = (struct tutor){0};
}

struct session *tutor_session(struct tutor *tutor)
{
    return tutor->player != NULL ? &tutor->player->learner.session : &tutor->session;
}

void tutor_set_width(struct tutor *tutor, size_t width_cols)
{
    tutor->session.settings.width_cols = width_cols;
    if (tutor->player == NULL)
        return;
    tutor->player->reference.session.settings.width_cols = width_cols;
    tutor->player->learner.session.settings.width_cols = width_cols;
}

void tutor_prompt(const struct tutor *tutor, struct text *out)
{
    if (tutor->player == NULL || tutor->player->finished)
        text_put(out, "attn");
    else if (tutor->player->is_review)
        text_put(out, "review");
    else
        player_place(tutor->player, out);
    text_put(out, "> ");
}

/* A player gets the settings of the session that is open now. */
static struct player_setup setup_player(struct tutor *tutor)
{
    return (struct player_setup){.progress = tutor->progress,
                                 .settings = &tutor_session(tutor)->settings,
                                 .data_dir = tutor->data_dir,
                                 .stop = tutor->session.graph.stop};
}

static bool need_course(struct tutor *tutor, struct error *reterr)
{
    return tutor->course.n > 0 || course_open(tutor->data_dir, &tutor->course, reterr);
}

/* Opening. */

static void take_player(struct tutor *tutor, struct player *player)
{
    player_close(tutor->player);
    tutor->player = player;
    tutor->n_opened += player != NULL;
}

/* A path rather than a lesson's name. */
static bool is_path(const char *name)
{
    return strchr(name, '/') != NULL || text_ends_with(name, ".md");
}

static bool read_lesson(struct tutor *tutor, const char *name, struct lesson **ret,
                        struct error *reterr)
{
    const struct course_entry *entry;
    if (is_path(name))
        return lesson_read(name, ret, reterr);
    return need_course(tutor, reterr) && course_find(&tutor->course, name, &entry, reterr) &&
           lesson_read(entry->path, ret, reterr);
}

static bool open_lesson(struct tutor *tutor, const char *name, bool from_start, struct player **ret,
                        struct doc *out, struct error *reterr)
{
    struct lesson *lesson;
    struct player_setup setup = setup_player(tutor);
    return read_lesson(tutor, name, &lesson, reterr) &&
           player_open(lesson, &setup, from_start, ret, out, reterr);
}

/* A place that does not exist opens nothing: an attempt that was begun would be the one to go on
 * with.
 */
static bool has_step(struct tutor *tutor, const char *name, const char *step, struct error *reterr)
{
    struct lesson *lesson;
    if (!read_lesson(tutor, name, &lesson, reterr))
        return false;
    bool ok =
        lesson_step(lesson, step) != NULL ||
        error_set(reterr, ERR_NAME, "lesson %s: it has no step called %.60s", lesson->id, step);
    lesson_free(lesson);
    return ok;
}

/* The page at which the lesson stopped is not shown. */
static bool open_at_step(struct tutor *tutor, const char *name, const char *step, bool from_start,
                         struct player **ret, struct doc *out, struct error *reterr)
{
    struct doc unseen;
    struct player *player;
    doc_init(&unseen);
    bool ok = has_step(tutor, name, step, reterr) &&
              open_lesson(tutor, name, from_start, &player, &unseen, reterr);
    doc_release(&unseen);
    if (ok && !player_jump(player, step, out, reterr)) {
        player_close(player);
        return false;
    }
    if (ok)
        *ret = player;
    return ok;
}

bool tutor_open(struct tutor *tutor, const char *name, bool from_start, struct doc *out,
                struct error *reterr)
{
    char lesson[PATH_BYTES];
    struct player *player;
    const char *place = strrchr(name, '#');
    if (place == NULL || is_path(place)) { /* a sign of the path's own */
        if (!open_lesson(tutor, name, from_start, &player, out, reterr))
            return false;
    } else {
        snprintf(lesson, sizeof lesson, "%.*s", (int)(place - name), name);
        if (!open_at_step(tutor, lesson, place + 1, from_start, &player, out, reterr))
            return false;
    }
    take_player(tutor, player);
    return true;
}

/* The lesson to go on with: the last one that was begun, else the first that is not finished. */
static bool current_lesson(struct tutor *tutor, char name[PROGRESS_NAME_BYTES],
                           struct error *reterr)
{
    struct lesson_record record;
    if (!need_course(tutor, reterr) || !progress_last_lesson(tutor->progress, name, reterr))
        return false;
    if (name[0] != '\0' && course_entry_of(&tutor->course, name) != NULL)
        return true;
    for (size_t i = 0; i < tutor->course.n; i++) {
        const struct course_entry *entry = &tutor->course.entries[i];
        snprintf(name, PROGRESS_NAME_BYTES, "%s", entry->file_name);
        if (!progress_lesson(tutor->progress, entry->file_name, &record, reterr))
            return false;
        if (!record.finished)
            return true;
    }
    return tutor->course.n > 0 ||
           error_set(reterr, ERR_FILE, "lesson: there are no lessons in %s", tutor->data_dir);
}

/* Reviews. */

/* Only what can be asked: lessons of one's own, and those that are gone, are not in the course. */
static bool add_review(void *context, const struct review *review)
{
    struct tutor *tutor = context;
    if (course_entry_of(&tutor->course, review->lesson) == NULL)
        return true;
    struct review *reviews =
        array_grow(tutor->reviews, tutor->n_reviews, &tutor->reviews_capacity, sizeof *reviews);
    tutor->lacks_memory = reviews == NULL;
    if (reviews == NULL)
        return false;
    tutor->reviews = reviews;
    reviews[tutor->n_reviews++] = *review;
    return true;
}

/* "in 3 days", "in 5 hours". */
static const char *time_until(int64_t seconds, char text[40])
{
    int64_t hours = seconds / 3600, days = (hours + 12) / 24;
    if (hours < 1)
        snprintf(text, 40, "within the hour");
    else if (days < 1)
        snprintf(text, 40, "in %d hour%s", (int)hours, hours == 1 ? "" : "s");
    else
        snprintf(text, 40, "in %d day%s", (int)days, days == 1 ? "" : "s");
    return text;
}

static bool find_reviews(struct tutor *tutor, bool all, struct error *reterr)
{
    tutor->n_reviews = tutor->next_review = 0;
    tutor->lacks_memory = false;
    return need_course(tutor, reterr) &&
           progress_reviews(tutor->progress, time(NULL), all, add_review, tutor, reterr) &&
           (!tutor->lacks_memory || error_memory(reterr, "review"));
}

/* What is to be said when nothing is due. */
static bool show_no_review(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    char when[40];
    size_t width = tutor_session(tutor)->settings.width_cols;
    if (!find_reviews(tutor, true, reterr))
        return false;
    if (tutor->n_reviews == 0)
        words_show(out, STYLE_PLAIN, width,
                   "There is nothing to review. Questions that you miss come back here.");
    else
        words_show(
            out, STYLE_PLAIN, width,
            "Nothing is due yet. %zu question%s will come back, the first %s; review all asks "
            "now.",
            tutor->n_reviews, tutor->n_reviews == 1 ? "" : "s",
            time_until(tutor->reviews[0].due_s - time(NULL), when));
    tutor->n_reviews = 0;
    return doc_check(out, reterr);
}

/* Opens one question to review. *ret_opened is false, with a line about it, where its lesson can't
 * be read or has it no more. */
static bool try_review(struct tutor *tutor, const struct review *review, bool *ret_opened,
                       struct doc *out, struct error *reterr)
{
    struct lesson *lesson;
    struct player *player;
    struct error error;
    struct player_setup setup = setup_player(tutor);
    const struct course_entry *entry = course_entry_of(&tutor->course, review->lesson);
    error_set(&error, ERR_NAME, "lesson %s is gone", review->lesson);
    *ret_opened = entry != NULL && lesson_read(entry->path, &lesson, &error) &&
                  player_review(lesson, review->question, &setup, &player, out, &error);
    if (*ret_opened) {
        take_player(tutor, player);
        return true;
    }
    if (error.kind == ERR_MEMORY || error.kind == ERR_INTERRUPTED)
        return error_set(reterr, error.kind, "%s", error.text);
    doc_wrap(out, STYLE_NOTE, error.text, tutor_session(tutor)->settings.width_cols, 0);
    return true;
}

/* The next question to review that can be asked, or the end of them. */
static bool open_review(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    bool opened = false;
    while (!opened && tutor->next_review < tutor->n_reviews)
        if (try_review(tutor, &tutor->reviews[tutor->next_review], &opened, out, reterr))
            tutor->next_review++;
        else
            return false; /* next tries it again */
    if (opened)
        return true;
    take_player(tutor, NULL);
    words_show(out, STYLE_GOOD, tutor->session.settings.width_cols,
               "That was all there is to review. lesson goes on with the course.");
    return doc_check(out, reterr);
}

bool tutor_review(struct tutor *tutor, bool all, struct doc *out, struct error *reterr)
{
    if (!find_reviews(tutor, all, reterr))
        return false;
    return tutor->n_reviews > 0 ? open_review(tutor, out, reterr)
                                : show_no_review(tutor, out, reterr);
}

/* Behind the last page: the next review, or the way on. */
static bool leave_finished(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct player *player = tutor->player;
    struct error error;
    if (player == NULL || !player->finished)
        return true;
    if (player->is_review)
        return open_review(tutor, out, reterr);
    const struct course_entry *entry = NULL;
    size_t width = player->reference.session.settings.width_cols;
    if (need_course(tutor, &error))
        entry = course_next(&tutor->course, player->lesson->file_name);
    if (out->n_lines > 0)
        doc_end_line(out);
    if (entry != NULL)
        words_show(out, STYLE_QUIET, width,
                   "lesson %u opens the next, %s. progress shows how you are doing.", entry->number,
                   entry->id);
    else
        words_show(out, STYLE_QUIET, width, "progress shows how you are doing; review asks again.");
    return doc_check(out, reterr);
}

/* Words. */

typedef bool run_word(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr);

static bool need_lesson(struct tutor *tutor, const char *word, struct error *reterr)
{
    if (tutor->player == NULL)
        return error_set(reterr, ERR_NAME, "%s: no lesson is open; lesson opens one", word);
    return true;
}

static bool run_next(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    struct player *player = tutor->player;
    (void)rest;
    if (player != NULL && player->is_review && player->finished) /* what came then did not open */
        return open_review(tutor, out, reterr);
    return need_lesson(tutor, "next", reterr) && player_next(player, out, reterr) &&
           leave_finished(tutor, out, reterr);
}

static bool run_back(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    (void)rest;
    return need_lesson(tutor, "back", reterr) && player_back(tutor->player, out, reterr);
}

static bool run_hint(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    (void)rest;
    return need_lesson(tutor, "hint", reterr) && player_hint(tutor->player, out, reterr);
}

static bool run_skip(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    (void)rest;
    return need_lesson(tutor, "skip", reterr) && player_skip(tutor->player, out, reterr) &&
           leave_finished(tutor, out, reterr);
}

static bool run_answer(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    return need_lesson(tutor, "answer", reterr) && player_answer(tutor->player, rest, out, reterr);
}

/* "05-scaling again": whether it ends so; then that is cut off. */
static bool cut_again(char *name)
{
    static const char again[] = "again";
    size_t size = strlen(name), word = sizeof again - 1;
    if (size < word || strcmp(name + size - word, again) != 0 ||
        (size > word && name[size - word - 1] != ' '))
        return false;
    size -= word;
    while (size > 0 && name[size - 1] == ' ')
        size--;
    name[size] = '\0';
    return true;
}

static bool close_lesson(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    if (!need_lesson(tutor, "lesson close", reterr))
        return false;
    words_show(out, STYLE_PLAIN, tutor_session(tutor)->settings.width_cols,
               "%s is closed; lesson goes on with it. Your own names are back.",
               tutor->player->lesson->title);
    take_player(tutor, NULL);
    return doc_check(out, reterr);
}

static bool run_lesson(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    char name[PATH_BYTES];
    if (strcmp(rest, "close") == 0)
        return close_lesson(tutor, out, reterr);
    if (snprintf(name, sizeof name, "%s", rest) >= (int)sizeof name)
        return error_set(reterr, ERR_NAME, "lesson: the name is too long");
    bool again = cut_again(name);
    bool is_open = tutor->player != NULL && !tutor->player->finished && !tutor->player->is_review;
    if (name[0] == '\0' && is_open && !again)
        return player_show(tutor->player, out, reterr);
    if (name[0] == '\0' && again && tutor->player != NULL && !tutor->player->is_review)
        snprintf(name, sizeof name, "%s", tutor->player->lesson->path);
    char current[PROGRESS_NAME_BYTES] = "";
    if (name[0] == '\0') {
        if (!current_lesson(tutor, current, reterr))
            return false;
        snprintf(name, sizeof name, "%s", current);
    }
    return tutor_open(tutor, name, again, out, reterr);
}

static bool run_lessons(struct tutor *tutor, const char *rest, struct doc *out,
                        struct error *reterr)
{
    (void)rest;
    return tutor_lessons(tutor, out, reterr);
}

static bool export_to(struct tutor *tutor, const char *path, struct doc *out, struct error *reterr)
{
    bool csv = text_ends_with(path, ".csv");
    if (!csv && !text_ends_with(path, ".json"))
        return error_set(reterr, ERR_NAME,
                         "progress export: a file that ends in .json or .csv is expected");
    if (!progress_export_file(tutor->progress, csv, path, reterr))
        return false;
    doc_line(out, STYLE_PLAIN, "%s is written.", path);
    return doc_check(out, reterr);
}

static bool run_progress(struct tutor *tutor, const char *rest, struct doc *out,
                         struct error *reterr)
{
    if (strncmp(rest, "export", 6) == 0 && strchr(" ", rest[6]) != NULL)
        return export_to(tutor, rest + 6 + strspn(rest + 6, " "), out, reterr);
    if (rest[0] != '\0')
        return error_set(reterr, ERR_NAME, "progress: only export FILE may stand behind it");
    return tutor_progress(tutor, out, reterr);
}

static bool run_review(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    if (rest[0] != '\0' && strcmp(rest, "all") != 0)
        return error_set(reterr, ERR_NAME, "review: only all may stand behind it");
    return tutor_review(tutor, rest[0] != '\0', out, reterr);
}

static bool run_help(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr);

static const struct word {
    const char *name, *usage, *summary;
    run_word *run;
    bool stands_alone; /* nothing may stand behind it */
} words[] = {
    {"lesson", "lesson, lesson ID, lesson ID again, lesson close",
     "Opens a lesson where you stopped, by its number, its name or its file's path (with #STEP, at "
     "that step); alone it shows the page once more, or goes on with the course. again starts the "
     "lesson from its first page, "
     "close leaves it.",
     run_lesson, false},
    {"lessons", "lessons", "Lists the lessons, with what is done.", run_lessons, true},
    {"next", "next", "Goes on to the next page.", run_next, true},
    {"back", "back", "Shows the page before.", run_back, true},
    {"answer", "answer EXPRESSION",
     "Answers the question of the page: answer 0.5, answer 1 3 for options, answer 2 1 3 for an "
     "order, answer [[1, 2], [3, 4]] for a matrix, answer softmax(X) for a formula, answer and "
     "your "
     "words for a text. Where a number or an option is asked, the number alone will do.",
     run_answer, false},
    {"hint", "hint", "Gives the next hint; after the last one, the worked answer.", run_hint, true},
    {"skip", "skip", "Goes on without an answer; review asks again.", run_skip, true},
    {"progress", "progress, progress export FILE",
     "Shows what is done and what is weak; export writes all that is remembered, as JSON or CSV.",
     run_progress, false},
    {"review", "review, review all",
     "Asks questions again that you missed: after a day, then after 3, 7, 16 and 35 days. all does "
     "not wait.",
     run_review, false},
    {"help", NULL, NULL, run_help, false},
};
enum { N_WORDS = COUNT_OF(words), N_OWN_WORDS = N_WORDS - 1 };

const char *course_command_name(size_t i)
{
    return i < N_OWN_WORDS ? words[i].name : NULL;
}

bool course_command_help(size_t i, const char **ret_usage, const char **ret_summary)
{
    if (i >= N_OWN_WORDS)
        return false;
    *ret_usage = words[i].usage;
    *ret_summary = words[i].summary;
    return true;
}

static const struct word *find_word(const char *name, size_t size)
{
    for (size_t i = 0; i < N_WORDS; i++)
        if (strlen(words[i].name) == size && memcmp(words[i].name, name, size) == 0)
            return &words[i];
    return NULL;
}

static void help_course(struct doc *out, size_t width)
{
    struct text names = {0};
    for (size_t i = 0; i < N_OWN_WORDS; i++)
        text_format(&names, "%s%s", i > 0 ? " " : "", words[i].name);
    doc_line(out, STYLE_TITLE, "lessons");
    doc_wrap(out, STYLE_NAME, text_string(&names), width, 2);
    out->failed = out->failed || names.failed;
    text_release(&names);
}

/* Help about the course; about all else the language helps itself. */
static bool run_help(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    static const char line[] = "help";
    struct session *session = tutor_session(tutor);
    size_t width = session->settings.width_cols;
    const struct word *word = find_word(rest, strlen(rest));
    if (word == NULL || word->usage == NULL) {
        if (!session_run(session, line, sizeof line - 1, out, reterr))
            return false;
        help_course(out, width); /* last, where it is still seen on a small screen */
        return doc_check(out, reterr);
    }
    doc_line(out, STYLE_TITLE, "%s", word->usage);
    doc_wrap(out, STYLE_PLAIN, word->summary, width, 2);
    return doc_check(out, reterr);
}

/* Lines. */

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* True for nothing, and for one of the course's words. */
static bool helps_with(const char *name, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", name[size - 1]) != NULL)
        size--;
    const struct word *word = find_word(name, size);
    return size == 0 || (word != NULL && word->usage != NULL);
}

bool tutor_goes_on_as_formula(const char *rest, size_t size)
{
    if (size >= 2 && rest[0] == '=' && rest[1] == '=')
        return true;
    if (size >= 2 && rest[0] == '/')
        return rest[1] == ' ' || rest[1] == '/'; /* else it is a path */
    return size > 0 && rest[0] != '\0' && strchr("+-*@<>!&|%^,;:", rest[0]) != NULL;
}

/* Whether a word of the course can have that behind it. */
static bool takes_rest(const struct word *word, const char *rest, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", rest[size - 1]) != NULL)
        size--;
    if (word->stands_alone)
        return size == 0;
    if (word->run == run_answer) /* an answer may begin with a sign */
        return size < 2 || rest[0] != '=' || rest[1] != '=';
    return !tutor_goes_on_as_formula(rest, size);
}

/* The word that the line begins with, when it is one of the course's and the line is no assignment,
 * call or formula. *ret_rest is what stands behind it. */
static const struct word *word_of(const struct tutor *tutor, const char *line, size_t size,
                                  size_t *ret_rest)
{
    size_t begin = 0;
    while (begin < size && (line[begin] == ' ' || line[begin] == '\t'))
        begin++;
    size_t end = begin;
    while (end < size && is_letter(line[end]))
        end++;
    const struct word *word = find_word(line + begin, end - begin);
    size_t rest = end;
    while (rest < size && (line[rest] == ' ' || line[rest] == '\t'))
        rest++;
    char next = rest < size ? line[rest] : '\0';
    bool assigns = next == '=' && (rest + 1 >= size || line[rest + 1] != '=');
    bool is_call = end < size && end == rest && strchr("(.[_0123456789", next) != NULL;
    if (word == NULL || is_call || (next != '\0' && rest == end && is_letter(next)))
        return NULL;
    bool answers =
        word->run == run_answer && tutor->player != NULL && player_is_asking(tutor->player);
    if (assigns && !answers)
        return NULL;
    if (word->run == run_help && !helps_with(line + rest, size - rest))
        return NULL;
    if (!assigns && !takes_rest(word, line + rest, size - rest))
        return NULL;
    *ret_rest = assigns ? rest + 1 : rest;
    return word;
}

static bool run_words(struct tutor *tutor, const struct word *word, const char *line, size_t size,
                      size_t rest, struct doc *out, struct error *reterr)
{
    size_t begin;
    char *text = text_copy_trimmed(line + rest, size - rest, &begin);
    if (text == NULL)
        return error_memory(reterr, word->name);
    struct error error = {0};
    struct doc_end end = doc_end_of(out);
    bool ok = word->run(tutor, text, out, &error) && doc_check(out, &error);
    free(text);
    if (ok)
        return true;
    doc_take_back(out, &end);
    if (error.end > error.begin) {
        error.begin += rest + begin;
        error.end += rest + begin;
    }
    if (reterr != NULL)
        *reterr = error;
    return false;
}

/* What other programs call it. */
static const struct {
    const char *word, *meant;
} synonyms[] = {
    {"n", "next"},         {"b", "back"},       {"h", "hint"},        {"s", "skip"},
    {"q", "quit"},         {"exit", "quit"},    {"previous", "back"}, {"continue", "next"},
    {"course", "lessons"}, {"start", "lesson"}, {"begin", "lesson"},  {"menu", "lessons"},
};

/* The word of the course that a word, in small letters, is meant to be; "" for none. */
static const char *meant_by(const char *word, bool in_lesson, struct suggestion *suggestion)
{
    if (!in_lesson && word[1] == '\0' && word[0] != 'q')
        return ""; /* a name like any other */
    for (size_t i = 0; i < COUNT_OF(synonyms); i++)
        if (strcmp(word, synonyms[i].word) == 0)
            return synonyms[i].meant;
    suggestion_init(suggestion, word, strlen(word));
    for (size_t i = 0; i < N_WORDS; i++)
        suggestion_try(suggestion, words[i].name);
    return suggestion->best;
}

/* A line of one word that nobody knows may be a slip for a word of the course. */
static void suggest_word(const char *line, size_t size, bool in_lesson, struct error *error)
{
    char word[32], shown[32];
    struct suggestion suggestion;
    size_t begin = 0, n = 0;
    while (begin < size && strchr(" \t", line[begin]) != NULL)
        begin++;
    while (begin + n < size && n + 1 < sizeof word && isalpha((unsigned char)line[begin + n])) {
        word[n] = (char)tolower((unsigned char)line[begin + n]);
        n++;
    }
    word[n] = '\0';
    size_t rest = begin + n;
    while (rest < size && strchr(" \t\r\n", line[rest]) != NULL)
        rest++;
    if (n == 0 || rest < size)
        return;
    const char *meant = meant_by(word, in_lesson, &suggestion);
    if (meant[0] == '\0')
        return;
    size_t error_begin = error->begin, error_end = error->end;
    error_quote(shown, sizeof shown, line + begin, n);
    error_set(error, ERR_NAME, "%s: no such name or command; did you mean %s?", shown, meant);
    error->begin = error_begin;
    error->end = error_end;
}

bool tutor_line(struct tutor *tutor, const char *line, size_t size, struct doc *out,
                struct error *reterr)
{
    size_t rest;
    bool is_text = memchr(line, '\0', size) == NULL; /* else the language says what it is not */
    const struct word *word = is_text ? word_of(tutor, line, size, &rest) : NULL;
    if (word != NULL)
        return run_words(tutor, word, line, size, rest, out, reterr);
    struct error error = {0};
    bool ok = tutor->player != NULL ? player_line(tutor->player, line, size, out, &error)
                                    : session_run(&tutor->session, line, size, out, &error);
    if (!ok && error.kind == ERR_NAME)
        suggest_word(line, size, tutor->player != NULL, &error);
    if (!ok && reterr != NULL)
        *reterr = error;
    return ok;
}

bool tutor_empty_line(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    if (tutor->player == NULL || tutor->player->finished || player_is_asking(tutor->player))
        return true;
    return run_next(tutor, "", out, reterr);
}

bool tutor_lessons(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return need_course(tutor, reterr) &&
           overview_lessons(&tutor->course, tutor->progress, &tutor_session(tutor)->settings, out,
                            reterr);
}

bool tutor_progress(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return need_course(tutor, reterr) &&
           overview_progress(&tutor->course, tutor->progress, &tutor_session(tutor)->settings, out,
                             reterr);
}
