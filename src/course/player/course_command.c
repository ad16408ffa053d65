/* See course_command.h. */
#include "course/player/course_command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "course/lesson/page.h"
#include "course/progress/export.h"
#include "lang/syntax/sentence.h"

enum { PATH_BYTES = 4096 };

/* Does a command that nothing may follow, or one with rest after its name, without blanks around
 * it. */
typedef bool course_command_bare(struct tutor *tutor, struct doc *out, struct error *reterr);
typedef bool course_command_run(struct tutor *tutor, const char *rest, struct doc *out,
                                struct error *reterr);

static bool check_lesson(const struct tutor *tutor, const char *command, struct error *reterr)
{
    return tutor->player != NULL ||
           error_set(reterr, ERR_NAME, "%s: no lesson is open; lesson opens one", command);
}

/* ---- pages and questions: a lesson is open ---- */

static bool run_back(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return player_back(tutor->player, out, reterr);
}

static bool run_hint(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return player_hint(tutor->player, out, reterr);
}

static bool run_answer(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    return player_answer(tutor->player, rest, out, reterr);
}

/* ---- lessons ---- */

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

static bool run_lesson(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    char name[PATH_BYTES];
    const struct player *player = tutor->player;
    if (strcmp(rest, "close") == 0) {
        if (!check_lesson(tutor, "lesson close", reterr))
            return false;
        words_show(out, STYLE_PLAIN, tutor_session(tutor)->settings.width_cols,
                   "%s is closed; lesson goes on with it. Your own names are back.",
                   player->lesson->title);
        tutor_close_lesson(tutor);
        return doc_check(out, reterr);
    }
    if (snprintf(name, sizeof name, "%s", rest) >= (int)sizeof name)
        return error_set(reterr, ERR_NAME, "lesson: the name is too long");
    bool again = cut_again(name);
    bool warms_up = tutor->warms_up_for[0] != '\0'; /* it belongs to the lesson after it */
    bool in_lesson = player != NULL && (!player->is_review || warms_up);
    if (name[0] == '\0' && in_lesson && !player->finished && !again)
        return player_show(tutor->player, out, reterr);
    if (name[0] == '\0' && in_lesson && again)
        snprintf(name, sizeof name, "%s", warms_up ? tutor->warms_up_for : player->lesson->path);
    return name[0] != '\0' ? tutor_open(tutor, name, again, out, reterr)
                           : tutor_open_current(tutor, again, out, reterr);
}

static bool run_progress(struct tutor *tutor, const char *rest, struct doc *out,
                         struct error *reterr)
{
    if (rest[0] == '\0')
        return tutor_progress(tutor, out, reterr);
    if (strncmp(rest, "export", 6) != 0 || strchr(" ", rest[6]) == NULL)
        return error_set(reterr, ERR_NAME, "progress: only export FILE may follow");
    const char *path = rest + 6 + strspn(rest + 6, " ");
    bool csv = text_ends_with(path, ".csv");
    if (!csv && !text_ends_with(path, ".json"))
        return error_set(reterr, ERR_NAME,
                         "progress export: a file that ends in .json or .csv is expected");
    struct course course = {0};
    struct error error;
    bool has_course = course_open(tutor->data_dir, &course, &error);
    bool ok = progress_export_file(tutor->progress, has_course ? &course : NULL, csv, path, reterr);
    course_release(&course);
    if (!ok)
        return false;
    doc_line(out, STYLE_PLAIN, "%s is written.", path);
    return doc_check(out, reterr);
}

static bool run_review(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    if (rest[0] != '\0' && strcmp(rest, "all") != 0)
        return error_set(reterr, ERR_NAME, "review: only all may follow");
    return tutor_review(tutor, rest[0] != '\0', out, reterr);
}

/* ---- the table ---- */

static bool run_help(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr);

static const struct course_command {
    const char *name, *usage, *summary;
    course_command_bare *run_bare; /* or NULL: then run */
    course_command_run *run;
    bool needs_lesson; /* or a review */
} commands[] = {
    {"lesson", "lesson, lesson ID, lesson ID again, lesson close",
     "Opens a lesson where you stopped, by its number, its name or its file's path (with #STEP, at "
     "that step); alone it shows the page once more, or goes on with the course. again starts the "
     "lesson from its first page, close leaves it.",
     NULL, run_lesson, false},
    {"lessons", "lessons", "Lists the lessons, with your progress.", tutor_lessons, NULL, false},
    {"next", "next", "Goes on to the next page.", tutor_next, NULL, true},
    {"back", "back", "Shows the page before.", run_back, NULL, true},
    {"answer", "answer EXPRESSION",
     "Answers the question of the page: answer 0.5, answer 1 3 for options, answer 2 1 3 for an "
     "order, answer [[1, 2], [3, 4]] for a matrix, answer softmax(X) for a formula, answer and "
     "your words for a text. Where a number or an option is asked, the number alone will do.",
     NULL, run_answer, true},
    {"hint", "hint", "Gives the next hint; after the last one, the worked answer.", run_hint, NULL,
     true},
    {"skip", "skip", "Goes on without an answer; review asks again.", tutor_skip, NULL, true},
    {"progress", "progress, progress export FILE",
     "Shows your progress and your weak points; export writes all that is remembered, as JSON or "
     "CSV.",
     NULL, run_progress, false},
    {"review", "review, review all",
     "Asks questions again that you missed: after a day, then after 3, 7, 16 and 35 days. all does "
     "not wait.",
     NULL, run_review, false},
    /* Not in the lists: the language has this command, and helps with all but the course. */
    {"help", NULL, NULL, NULL, run_help, false},
};
enum { N_COMMANDS = COUNT_OF(commands), N_LISTED = N_COMMANDS - 1 };

const char *course_command_name(size_t i)
{
    return i < N_LISTED ? commands[i].name : NULL;
}

bool course_command_help(size_t i, const char **ret_usage, const char **ret_summary)
{
    if (i >= N_LISTED)
        return false;
    *ret_usage = commands[i].usage;
    *ret_summary = commands[i].summary;
    return true;
}

static const struct course_command *find_command(const char *name, size_t size)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strlen(commands[i].name) == size && memcmp(commands[i].name, name, size) == 0)
            return &commands[i];
    return NULL;
}

static bool run_help(struct tutor *tutor, const char *rest, struct doc *out, struct error *reterr)
{
    static const char line[] = "help";
    struct session *session = tutor_session(tutor);
    size_t width = session->settings.width_cols;
    const struct course_command *command = find_command(rest, strlen(rest));
    if (command != NULL && command->usage != NULL) {
        doc_line(out, STYLE_TITLE, "%s", command->usage);
        doc_wrap(out, STYLE_PLAIN, command->summary, width, 2);
        return doc_check(out, reterr);
    }
    if (!session_run(session, line, sizeof line - 1, out, reterr))
        return false;
    struct text names = {0}; /* last, so that they are visible even on a small screen */
    for (size_t i = 0; i < N_LISTED; i++)
        text_format(&names, "%s%s", i > 0 ? " " : "", commands[i].name);
    doc_line(out, STYLE_TITLE, "lessons");
    doc_wrap(out, STYLE_NAME, text_string(&names), width, 2);
    out->failed = out->failed || names.failed;
    text_release(&names);
    return doc_check(out, reterr);
}

/* ---- the command of a line ---- */

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

bool course_command_in_formula(const char *rest, size_t size)
{
    if (size >= 2 && rest[0] == '=' && rest[1] == '=')
        return true;
    if (size >= 2 && rest[0] == '/')
        return rest[1] == ' ' || rest[1] == '/'; /* else it is a path */
    return size > 0 && rest[0] != '\0' && strchr("+-*@<>!&|%^,;:", rest[0]) != NULL;
}

/* Whether a command can have rest after its name. */
static bool takes_rest(const struct course_command *command, const char *rest, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", rest[size - 1]) != NULL)
        size--;
    if (command->run_bare != NULL)
        return size == 0;
    if (command->run == run_answer) /* an answer may begin with a sign */
        return size < 2 || rest[0] != '=' || rest[1] != '=';
    if (command->run == run_help && size > 0) { /* the language helps with all but the course */
        const struct course_command *topic = find_command(rest, size);
        return topic != NULL && topic->usage != NULL;
    }
    return !course_command_in_formula(rest, size);
}

/* The command that the line begins with; NULL for other lines, and when the name is that of a
 * variable or a function, as in an assignment, a call or a formula. *ret_rest is the text after the
 * name. */
static const struct course_command *command_of(const struct tutor *tutor, const char *line,
                                               size_t size, size_t *ret_rest)
{
    size_t begin = 0;
    while (begin < size && (line[begin] == ' ' || line[begin] == '\t'))
        begin++;
    size_t end = begin;
    while (end < size && is_letter(line[end]))
        end++;
    size_t rest = end;
    while (rest < size && (line[rest] == ' ' || line[rest] == '\t'))
        rest++;
    const struct course_command *command = find_command(line + begin, end - begin);
    char next = rest < size ? line[rest] : '\0';
    bool is_call = end < size && end == rest && strchr("(.[_0123456789", next) != NULL;
    if (command == NULL || is_call || (next != '\0' && rest == end && is_letter(next)))
        return NULL;
    if (next == '=' && (rest + 1 >= size || line[rest + 1] != '=')) {
        /* answer = 7 gives a variable a value, unless a question waits. */
        if (command->run != run_answer || tutor->player == NULL || !player_is_asking(tutor->player))
            return NULL;
        *ret_rest = rest + 1;
        return command;
    }
    if (!takes_rest(command, line + rest, size - rest))
        return NULL;
    *ret_rest = rest;
    return command;
}

static bool run_command(struct tutor *tutor, const struct course_command *command, const char *line,
                        size_t size, size_t rest, struct doc *out, struct error *reterr)
{
    size_t begin;
    char *text = text_copy_trimmed(line + rest, size - rest, &begin);
    if (text == NULL)
        return error_memory(reterr, command->name);
    struct error error = {0};
    struct doc_end end = doc_end_of(out);
    bool ok = (!command->needs_lesson || check_lesson(tutor, command->name, &error)) &&
              (command->run_bare != NULL ? command->run_bare(tutor, out, &error)
                                         : command->run(tutor, text, out, &error));
    free(text);
    if (doc_keep(out, &end, ok, &error))
        return true;
    if (error.end > error.begin) {
        error.begin += rest + begin;
        error.end += rest + begin;
    }
    if (reterr != NULL)
        *reterr = error;
    return false;
}

/* ---- slips ---- */

/* The names of these commands in other programs. */
static const struct {
    const char *word, *meant;
} synonyms[] = {
    {"n", "next"},         {"b", "back"},       {"h", "hint"},        {"s", "skip"},
    {"q", "quit"},         {"exit", "quit"},    {"previous", "back"}, {"continue", "next"},
    {"course", "lessons"}, {"start", "lesson"}, {"begin", "lesson"},  {"menu", "lessons"},
};

/* The command that a word in small letters is meant to be; "" for no command. */
static const char *meant_by(const char *word, bool in_lesson, struct suggestion *suggestion)
{
    if (!in_lesson && word[1] == '\0' && word[0] != 'q')
        return ""; /* a name like any other */
    for (size_t i = 0; i < COUNT_OF(synonyms); i++)
        if (strcmp(word, synonyms[i].word) == 0)
            return synonyms[i].meant;
    suggestion_init(suggestion, word, strlen(word));
    for (size_t i = 0; i < N_COMMANDS; i++)
        suggestion_try(suggestion, commands[i].name);
    return suggestion->best;
}

/* A line of one unknown word may be a slip for a command of the course. */
static void suggest_command(const char *line, size_t size, bool in_lesson, struct error *error)
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

/* ---- lines ---- */

bool tutor_line(struct tutor *tutor, const char *line, size_t size, struct doc *out,
                struct error *reterr)
{
    size_t rest;
    bool is_text = memchr(line, '\0', size) == NULL; /* else the language refuses it */
    const struct course_command *command = is_text ? command_of(tutor, line, size, &rest) : NULL;
    struct error error = {0};
    if (tutor->player != NULL)
        tutor->player->typed_picture = (struct page_lines){0};
    if (command != NULL) { /* "lesson learnt: ..." may be a text that a question waits for */
        bool done = run_command(tutor, command, line, size, rest, out, &error);
        bool is_text_for_page =
            !done && error.kind == ERR_NAME && command->run != run_answer &&
            tutor_awaits_text(tutor) &&
            sentence_is(tutor->player->learner.session.find_command, line, size);
        if (done || !is_text_for_page) {
            if (!done && reterr != NULL)
                *reterr = error;
            return done;
        }
        return player_line(tutor->player, line, size, out, reterr);
    }
    bool ok = tutor->player != NULL ? player_line(tutor->player, line, size, out, &error)
                                    : session_run(&tutor->session, line, size, out, &error);
    if (!ok && error.kind == ERR_NAME)
        suggest_command(line, size, tutor->player != NULL, &error);
    if (!ok && reterr != NULL)
        *reterr = error;
    return ok;
}

bool tutor_awaits_text(const struct tutor *tutor)
{
    const struct player *player = tutor->player;
    return player != NULL && !player->finished && player_is_asking(player) &&
           player_page(player)->question->kind == QUESTION_REFLECTION;
}

bool tutor_empty_line(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    if (tutor->player == NULL || tutor->player->finished)
        return true;
    if (player_is_asking(tutor->player))
        return tutor->player->found.size == 0 || player_answer(tutor->player, "", out, reterr);
    return tutor_next(tutor, out, reterr);
}
