/* See lesson_lint.h. The lesson is walked as a learner would, a page after the other, in one
 * session. */
#include "course/lesson/lesson_lint.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/lesson/lesson_minutes.h"
#include "course/lesson/page.h"
#include "course/lesson/prose_values.h"
#include "course/lesson/question.h"
#include "files/path.h"
#include "lang/commands/command.h"

enum {
    LINT_COLS = 80,
    SCREEN_LINES = 24,
    PAGE_MAX_LINES = 2 * SCREEN_LINES,
    MINUTES_MAX = 40, /* of a lesson of the course, without its exercises */
    PAGES_MAX = 5,    /* in a row without a question */
    WAY_MAX = 9,      /* presses of Enter without a question, lines that are offered included */
    QUESTIONS_MIN = 5,
    KINDS_MIN = 3,
    PATH_BYTES = 4096,
};

struct lesson_check {
    const struct lesson *lesson;
    const char *path, *data_dir;
    const volatile sig_atomic_t *stop;
    struct session session;
    struct lesson_faults *faults;
    struct error error; /* of the call under way */
    bool stops;         /* it was interrupted, or there is no memory */
    bool in_course;     /* the file has a number */
    bool has_picture;
    const char *what;    /* the text under way, for messages */
    unsigned first_line; /* where it begins */
};

static void add_fault(struct lesson_check *check, unsigned line, const char *format, ...)
    ERROR_FORMAT(3, 4);

/* Whether the last line, from `begin` on, is also a line above it. */
static bool is_told_twice(const struct text *text, size_t begin)
{
    const char *last = text_string(text) + begin;
    size_t size = text->size - begin;
    for (const char *at = text_string(text); at < last; at += strcspn(at, "\n") + 1)
        if (strlen(at) > size && memcmp(at, last, size) == 0)
            return true;
    return false;
}

/* A fault that was told already is not told again. */
static void add_fault(struct lesson_check *check, unsigned line, const char *format, ...)
{
    va_list arguments;
    size_t before = check->faults->text.size;
    text_format(&check->faults->text, "%s:%u: ", check->path, line);
    va_start(arguments, format);
    text_vformat(&check->faults->text, format, arguments);
    va_end(arguments);
    text_char(&check->faults->text, '\n');
    if (is_told_twice(&check->faults->text, before))
        text_shrink(&check->faults->text, before);
    else
        check->faults->n++;
}

/* A fault for the error of the call under way, unless that ends everything. */
static void add_error(struct lesson_check *check, unsigned line, const char *what)
{
    if (error_is_stop(&check->error))
        check->stops = true;
    else
        add_fault(check, line, "%s: %s", what, check->error.text);
}

/* ---- prose ---- */

/* A number with a decimal point that was typed instead of computed. */
static bool find_decimal(void *context, const char *text, size_t size, unsigned line)
{
    struct lesson_check *check = context;
    for (size_t i = 1; i + 1 < size; i++) {
        line += text[i - 1] == '\n';
        if (text[i] == '.' && isdigit((unsigned char)text[i - 1]) &&
            isdigit((unsigned char)text[i + 1]))
            add_fault(check, check->first_line + line,
                      "%s: a decimal number is typed here; compute it with `= ...`, or put what is "
                      "quoted in code",
                      check->what);
    }
    return true;
}

/* A backtick that opens code which nothing closes: what follows would be read raw. */
static bool find_backtick(void *context, const char *text, size_t size, unsigned line)
{
    struct lesson_check *check = context;
    if (memchr(text, '`', size) != NULL)
        add_fault(check, check->first_line + line, "%s: this backtick is not closed", check->what);
    return true;
}

/* Whether the place after # in a lesson's link is there. */
static bool has_place(struct lesson_check *check, const char *path, const char *place)
{
    struct lesson *lesson;
    struct error ignored;
    bool own = strcmp(path, check->path) == 0;
    if (!own && !lesson_read(path, &lesson, &ignored))
        return true; /* its own fault, or no lesson */
    const struct lesson *read = own ? check->lesson : lesson;
    bool found = lesson_step(read, place) != NULL || lesson_page(read, place) < read->n_pages;
    if (!own)
        lesson_free(lesson);
    return found;
}

/* Checks the target of one link, relative to the lesson's folder. */
static void check_target(struct lesson_check *check, const char *target, size_t size, unsigned line)
{
    char link[PATH_BYTES / 2], path[PATH_BYTES];
    if (size >= sizeof link || strcspn(target, " ") < size || memchr(target, ':', size) != NULL)
        return; /* an address elsewhere */
    memcpy(link, target, size);
    link[size] = '\0';
    char *place = strchr(link, '#');
    if (place != NULL)
        *place++ = '\0';
    const char *name = path_base_name(check->path);
    snprintf(path, sizeof path, "%.*s%s", (int)(name - check->path), check->path,
             link[0] != '\0' ? link : name);
    if (access(path, F_OK) != 0)
        add_fault(check, line, "%s: the link leads to %s, which is not there", check->what, link);
    else if (place != NULL && !has_place(check, path, place))
        add_fault(check, line, "%s: %s has no place called %s", check->what,
                  link[0] != '\0' ? link : "the lesson", place);
}

static bool find_link(void *context, const char *text, size_t size, unsigned line)
{
    struct lesson_check *check = context;
    for (size_t i = 0; i + 2 < size; i++) {
        line += text[i] == '\n';
        if (text[i] != ']' || text[i + 1] != '(')
            continue;
        const char *end = memchr(text + i + 2, ')', size - i - 2);
        if (end != NULL)
            check_target(check, text + i + 2, (size_t)(end - (text + i + 2)),
                         check->first_line + line);
    }
    return true;
}

/* Prose, or a text that a question says. */
static void check_prose(struct lesson_check *check, const struct lesson_text *prose,
                        const char *what)
{
    struct text computed = {0};
    unsigned line = 0;
    if (prose->text == NULL || check->stops)
        return;
    check->what = what;
    check->first_line = prose->line;
    if (!prose_values_fill(&check->session, prose->text, &computed, &line, &check->error))
        add_error(check, prose->line + line, what);
    text_release(&computed);
    (void)prose_each_plain(prose->text, find_decimal, check);
    (void)prose_each_plain(prose->text, find_link, check);
    (void)prose_each_plain(prose->text, find_backtick, check);
}

/* ---- questions ---- */

static struct question_sessions sessions_of(struct lesson_check *check)
{
    return (struct question_sessions){.lesson = &check->session, .learner = &check->session};
}

/* Tries an expression as an answer; false when that is a fault of its own. */
static bool try_answer(struct lesson_check *check, const struct question *question,
                       const struct lesson_text *answer, const char *what, struct judged *ret)
{
    struct question_sessions sessions = sessions_of(check);
    if (check->stops)
        return false;
    if (question_judge(question, &sessions, answer->text, ret, &check->error))
        return true;
    add_error(check, answer->line, what);
    return false;
}

static void check_right(struct lesson_check *check, const struct question *question,
                        const struct lesson_text *answer, const char *what)
{
    struct judged judged;
    if (try_answer(check, question, answer, what, &judged) && !judged.right)
        add_fault(check, answer->line, "%s: it is not right by its own question. %s", what,
                  judged.foreseen != NULL ? judged.foreseen->say.text : judged.note);
}

static void check_wrong(struct lesson_check *check, const struct question *question,
                        const struct wrong_answer *wrong)
{
    struct judged judged;
    struct question free = *question; /* `is` may be written with what a learner may not use */
    free.n_without = 0;
    if (!try_answer(check, &free, &wrong->is, "wrong", &judged))
        return;
    if (judged.right)
        add_fault(check, wrong->is.line, "wrong: this answer is judged right: %s", wrong->is.text);
    else if (judged.foreseen == NULL)
        add_fault(check, wrong->is.line, "wrong: this answer does not get its text: %s",
                  wrong->is.text);
    else if (judged.foreseen != wrong)
        add_fault(check, wrong->is.line,
                  "wrong: this answer gets the text of the one in line %u, which looks the same",
                  judged.foreseen->is.line);
}

/* Every option that is not right has something to say to who takes it. */
static void check_options(struct lesson_check *check, const struct question *question)
{
    for (size_t i = 0; i < question->n_options && !check->stops; i++) {
        char typed[24];
        struct judged judged;
        const struct lesson_text answer = {typed, question->answer.line};
        snprintf(typed, sizeof typed, "%zu", i + 1);
        if (try_answer(check, question, &answer, "answer", &judged) && !judged.right &&
            judged.foreseen == NULL && judged.note[0] == '\0')
            add_fault(check, question->options[i].line,
                      "option %zu is wrong, and nothing is said to somebody who takes it", i + 1);
    }
}

/* What draw leaves to the session would be the learner's, who may have changed it. */
static void check_draw(struct lesson_check *check, const struct question *question)
{
    struct session empty;
    struct judged ignored;
    struct question_sessions sessions = {.lesson = &empty, .learner = &empty};
    session_init(&empty, command_find, &check->session.settings, check->data_dir, check->stop);
    struct question free = *question; /* what it may not use was checked with the answer */
    free.n_without = 0;
    if (!question_judge(&free, &sessions, question->answer.text, &ignored, &check->error)) {
        if (check->error.kind == ERR_NAME)
            add_fault(check, question->draw[0].line,
                      "draw: it makes every name that the formula needs, but not this: %s",
                      check->error.text);
        else
            add_error(check, question->draw[0].line, "draw");
    }
    session_release(&empty);
}

/* Fresh inputs tell the answer from what differs from it by one slip. */
static void check_slips(struct lesson_check *check, const struct question *question)
{
    static const char *const advice[] = {
        [QUESTION_SLIP_COMPARISON] = "draw numbers that are equal where the answer compares",
        [QUESTION_SLIP_NUMBER] = "draw this number by chance"};
    struct text passes = {0};
    enum question_slip slip = QUESTION_SLIP_NONE;
    struct question_sessions sessions = sessions_of(check);
    if (check->stops)
        return;
    if (!question_accepts_slip(question, &sessions, &passes, &slip, &check->error))
        add_error(check, question->answer.line, "answer");
    else if (slip != QUESTION_SLIP_NONE)
        add_fault(check, question->draw[0].line, "draw: this would pass: %s; %s",
                  text_string(&passes), advice[slip]);
    text_release(&passes);
}

static void check_formula(struct lesson_check *check, const struct question *question)
{
    struct question_sessions sessions = sessions_of(check);
    bool accepts;
    if (check->stops)
        return;
    if (!question_accepts_copy(question, &sessions, &accepts, &check->error))
        add_error(check, question->draw[0].line, "draw");
    else if (accepts)
        add_fault(check, question->draw[0].line,
                  "draw: a copy of the numbers would pass; draw other ones");
    else
        check_draw(check, question);
    check_slips(check, question);
}

/* "05-scaling": a file of the course. */
static bool has_number(const char *file_name)
{
    return isdigit((unsigned char)file_name[0]) && isdigit((unsigned char)file_name[1]) &&
           file_name[2] == '-';
}

/* Whether the folder has NN-id, with this ending. */
static bool folder_has(const char *path, const char *id, const char *ending)
{
    DIR *folder = opendir(path);
    bool found = false;
    size_t size = strlen(id);
    if (folder == NULL)
        return false;
    for (struct dirent *entry; !found && (entry = readdir(folder)) != NULL;)
        found = has_number(entry->d_name) && strncmp(entry->d_name + 3, id, size) == 0 &&
                strcmp(entry->d_name + 3 + size, ending) == 0;
    closedir(folder);
    return found;
}

/* What the right answer makes can be shown. */
static void check_makes(struct lesson_check *check, const struct question *question)
{
    struct doc shown;
    struct question_sessions sessions = sessions_of(check);
    if (check->stops)
        return;
    doc_init(&shown);
    if (!question_makes(question, &sessions, question->answer.text, &shown, &check->error))
        add_error(check, question->makes.line, "makes");
    doc_release(&shown);
}

/* Answers of this kind are judged as somebody would point at their cells. */
static void check_cells(struct lesson_check *check, const struct question *question)
{
    struct text typed = {0};
    struct question_sessions sessions = sessions_of(check);
    for (unsigned i = 0; i <= question->n_wrong && !check->stops; i++) {
        const struct wrong_answer *wrong = i > 0 ? &question->wrong[i - 1] : NULL;
        const struct lesson_text *is = wrong != NULL ? &wrong->is : &question->answer;
        struct judged judged;
        text_clear(&typed);
        if (!question_write_cells(question, &sessions, is->text, &typed, &check->error) ||
            !question_judge(question, &sessions, text_string(&typed), &judged, &check->error))
            add_error(check, is->line, wrong != NULL ? "wrong" : "answer");
        else if (wrong == NULL && !judged.right)
            add_fault(check, is->line, "answer: it is not right by its own question");
        else if (wrong != NULL && (judged.right || judged.foreseen != wrong))
            add_fault(check, is->line, "wrong: this answer %s",
                      judged.right ? "is judged right" : "does not get its text");
    }
    text_release(&typed);
}

/* The change that is given as an answer has an effect, and no foreseen wrong one. */
static void check_change(struct lesson_check *check, const struct question *question)
{
    struct question_sessions sessions = sessions_of(check);
    bool holds = false;
    if (!check->stops && !question_holds_already(question, &sessions, &holds, &check->error))
        add_error(check, question->holds.line, "holds");
    if (holds)
        add_fault(check, question->holds.line, "holds: it holds before anything is changed");
    for (unsigned i = 0; i < question->n_wrong && !check->stops; i++) {
        struct judged judged;
        const struct lesson_text *is = &question->wrong[i].is;
        struct question other = *question; /* the condition would be that it goes wrong so */
        other.holds = *is;
        if (!try_answer(check, &other, &question->answer, "wrong", &judged))
            continue;
        if (judged.right)
            add_fault(check, is->line, "wrong: it holds after the right change too: %s", is->text);
    }
    check_makes(check, question);
}

static void check_question(struct lesson_check *check, const struct question *question)
{
    bool guessed;
    char folder[PATH_BYTES];
    struct question_sessions sessions = sessions_of(check);
    check_prose(check, &question->because, "because");
    for (unsigned i = 0; i < question->n_hints; i++)
        check_prose(check, &question->hints[i], "hints");
    for (unsigned i = 0; i < question->n_wrong; i++)
        check_prose(check, &question->wrong[i].say, "say");
    if (question->kind == QUESTION_PREDICT &&
        !question_check_guess(question, &sessions, question->answer.text, &guessed, &check->error))
        add_error(check, question->answer.line, "answer");
    snprintf(folder, sizeof folder, "%s/exercises",
             check->data_dir != NULL ? check->data_dir : ".");
    if (question->kind == QUESTION_EXERCISE && !folder_has(folder, question->exercise.text, ""))
        add_fault(check, question->exercise.line, "exercise: there is no exercise called %s",
                  question->exercise.text);
    if (!question_is_judged(question->kind))
        return;
    if (question->kind == QUESTION_CELL) {
        check_cells(check, question);
        return;
    }
    check_right(check, question, &question->answer, "answer");
    if (question->kind == QUESTION_CHANGE) {
        check_change(check, question);
        return;
    }
    if (question->kind == QUESTION_MATRIX)
        check_makes(check, question);
    for (unsigned i = 0; i < question->n_also; i++)
        check_right(check, question, &question->also[i], "also");
    for (unsigned i = 0; i < question->n_wrong; i++)
        check_wrong(check, question, &question->wrong[i]);
    if (question->kind == QUESTION_CHOICE)
        check_options(check, question);
    if (question->kind == QUESTION_FORMULA)
        check_formula(check, question);
}

/* What the question hides is there. */
static void check_hides(struct lesson_check *check, const struct question *question,
                        struct doc *shown)
{
    struct text before = {0};
    if (question->n_hides == 0)
        return;
    text_add(&before, shown->text.bytes, shown->text.size);
    if (!page_hide(question, &check->session, shown, &check->error))
        add_error(check, question->hides[0].line, "hides");
    else if (before.size == shown->text.size &&
             memcmp(text_string(&before), shown->text.bytes, before.size) == 0)
        add_fault(check, question->hides[0].line,
                  "hides: the page does not show it: %s; round it as the page does",
                  question->hides[0].text);
    text_release(&before);
}

/* ---- pages ---- */

/* Notes it when a line of the code shows a picture. */
static void note_picture(struct lesson_check *check, const struct lesson_text *code)
{
    static const char *const pictures[] = {"heat", "bars", "plot", "trace"};
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(code);
    while (code_lines_next(&lines, &line, &size))
        for (size_t i = 0; i < COUNT_OF(pictures); i++) {
            size_t n = strlen(pictures[i]);
            check->has_picture = check->has_picture ||
                                 (size > n && line[n] == ' ' && memcmp(line, pictures[i], n) == 0);
        }
}

/* Runs the page as a learner would see it; false when its code fails, so that what follows would
 * only fail too. */
static bool check_page(struct lesson_check *check, const struct page *page)
{
    struct doc shown;
    unsigned line = 0;
    for (size_t i = 0; i < page->n_parts; i++)
        if (page->parts[i].kind != PART_PROSE)
            note_picture(check, &page->parts[i].source);
    doc_init(&shown);
    bool ok = page_run(&check->session, page, 0, &shown, NULL, &line, &check->error);
    if (!ok)
        add_error(check, line, "it does not work");
    else if (check->in_course && shown.n_lines > PAGE_MAX_LINES)
        add_fault(check, page->line,
                  "this page takes %zu lines at %d columns, and a learner should not have to "
                  "scroll over %d; a question or a step in between divides it",
                  shown.n_lines, LINT_COLS, PAGE_MAX_LINES);
    if (ok && page->question != NULL)
        check_hides(check, page->question, &shown);
    doc_release(&shown);
    for (size_t i = 0; ok && i < page->n_parts; i++)
        if (page->parts[i].kind == PART_PROSE)
            check_prose(check, &page->parts[i].source, "text");
    if (ok && page->question != NULL)
        check_question(check, page->question);
    if (!ok || check->stops || page->offer.text == NULL)
        return ok && !check->stops;
    note_picture(check, &page->offer);
    ok = code_run(&check->session, &page->offer, NULL, &line, &check->error);
    if (!ok)
        add_error(check, line, "it does not work");
    return ok;
}

/* ---- the course ---- */

static void check_course_rules(struct lesson_check *check)
{
    const struct lesson *lesson = check->lesson;
    bool seen[QUESTION_KINDS] = {false};
    size_t n_kinds = 0;
    if (!check->in_course)
        return;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct question *question = lesson->pages[i].question;
        if (question != NULL && !seen[question->kind]) {
            seen[question->kind] = true;
            n_kinds++;
        }
    }
    if (strcmp(lesson->file_name + 3, lesson->id) != 0)
        add_fault(check, 2, "id: it is %s, and the file is called %s", lesson->id,
                  lesson->file_name);
    unsigned minutes = lesson_minutes(lesson).reading, line = 1;
    if (lesson->minutes > 0)
        add_fault(check, 2, "minutes: attn counts them (%u here); leave the key out", minutes);
    if (minutes > MINUTES_MAX)
        add_fault(check, 1,
                  "a lesson of the course takes at most %d minutes without its exercises, and this "
                  "takes %u; divide it",
                  MINUTES_MAX, minutes);
    unsigned n_pages = lesson_longest_way(lesson, false, &line);
    if (n_pages > PAGES_MAX)
        add_fault(check, line,
                  "%u pages follow each other up to here without a question, and %d is the most; "
                  "ask something in between",
                  n_pages, PAGES_MAX);
    unsigned way = lesson_longest_way(lesson, true, &line);
    if (way > WAY_MAX)
        add_fault(check, line,
                  "Enter is pressed %u times up to here without a question (once for each page and "
                  "once for each line to type), and %d is the most; ask something in between",
                  way, WAY_MAX);
    if (lesson->n_questions < QUESTIONS_MIN || n_kinds < KINDS_MIN)
        add_fault(check, 1,
                  "a lesson of the course has at least %d questions of at least %d kinds, and this "
                  "has %zu of %zu",
                  QUESTIONS_MIN, KINDS_MIN, lesson->n_questions, n_kinds);
    if (!check->has_picture)
        add_fault(check, 1, "a lesson of the course has a picture: heat, bars, plot or trace");
}

static void check_lesson(struct lesson_check *check)
{
    const struct lesson *lesson = check->lesson;
    char folder[PATH_BYTES];
    const char *slash = strrchr(check->path, '/');
    bool goes_on = true;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - check->path) : 1,
             slash != NULL ? check->path : ".");
    for (unsigned i = 0; i < lesson->n_needs; i++)
        if (!folder_has(folder, lesson->needs[i].text, ".md"))
            add_fault(check, lesson->needs[i].line, "needs: there is no lesson %s beside this one",
                      lesson->needs[i].text);
    for (size_t i = 0; goes_on && i < lesson->n_pages; i++)
        goes_on = check_page(check, &lesson->pages[i]);
    if (goes_on)
        check_course_rules(check);
}

bool lesson_lint(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                 struct lesson_faults *faults, struct error *reterr)
{
    struct lesson *lesson;
    struct settings settings = {
        .digits = 4, .width_cols = LINT_COLS, .echo = true, .no_files = true};
    struct lesson_check check = {
        .path = path, .data_dir = data_dir, .stop = stop, .faults = faults};
    if (!lesson_read(path, &lesson, &check.error)) {
        if (check.error.kind == ERR_MEMORY)
            return error_memory(reterr, path);
        text_format(&faults->text, "%s\n", check.error.text); /* has the file and the line */
        faults->n++;
        return !faults->text.failed || error_memory(reterr, path);
    }
    check.lesson = lesson;
    check.in_course = has_number(lesson->file_name);
    session_init(&check.session, command_find, &settings, data_dir, stop);
    check_lesson(&check);
    session_release(&check.session);
    lesson_free(lesson);
    if (check.stops)
        return error_set(reterr, check.error.kind, "%s", check.error.text);
    return !faults->text.failed || error_memory(reterr, path);
}

void lesson_faults_release(struct lesson_faults *faults)
{
    text_release(&faults->text);
    *faults = (struct lesson_faults){0};
}
