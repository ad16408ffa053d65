/* See lesson_lint.h. The lesson is walked as a learner would, a page after the other, in one
 * session. */
#include "course/lesson/lesson_lint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/array.h"
#include "course/lesson/page_internal.h"
#include "course/lesson/question.h"
#include "files/file.h"
#include "files/yaml.h"
#include "commands/command.h"
#include "course/lesson/question_internal.h"
#include "graph/node.h"
#include "course/lesson/lesson_minutes.h"
#include "course/lesson/prose_values_internal.h"

enum { COLS = 80, PATH_BYTES = 4096 };

/* As a learner's session has them. */
static const struct settings lesson_settings = {
    .digits = 4, .width_cols = COLS, .echo = true, .no_files = true};

/* ---- lesson answers ---- */

enum { MAX_FILE_BYTES = 4 * 1024 * 1024 };

struct given_answer {
    char *lesson, *question, *typed;
    bool is_judged;
};

struct given_answers {
    struct given_answer *items;
    unsigned n;
    struct edits edits;
    struct arena arena;
};

static bool skip_value(struct yaml *yaml, yaml_value value, void *ret)
{
    (void)yaml;
    (void)value;
    (void)ret;
    return true;
}

static bool read_answer(struct yaml *yaml, yaml_value value, void *ret)
{
    struct given_answer *answer = ret;
    const struct yaml_field fields[] = {
        {"lesson", yaml_read_text, &answer->lesson, true},
        {"question", yaml_read_text, &answer->question, true},
        {"typed", yaml_read_text, &answer->typed, true},
        {"wrong", skip_value, NULL, false},
        {"says", skip_value, NULL, false},
    };
    return yaml_read_fields(yaml, value, "an answer", fields, COUNT_OF(fields));
}

static bool read_list(struct yaml *yaml, yaml_value value, void *ret)
{
    struct given_answers *answers = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_answer, sizeof *answers->items, &items, &answers->n);
    answers->items = items;
    return ok;
}

/* The list is made the one value of a mapping, by a line above it. */
static bool read_answers(const char *path, struct given_answers *answers, struct error *reterr)
{
    struct text text = {0}, all = {0};
    struct yaml yaml;
    yaml_value root;
    const struct yaml_field fields[] = {{"answers", read_list, answers, true}};
    if (!file_read_text(path, MAX_FILE_BYTES, &text, reterr))
        return false;
    text_format(&all, "answers:\n");
    text_add(&all, text_string(&text), text.size);
    bool ok = yaml_open_part(&yaml, path, UINT_MAX, text_string(&all), all.size, &answers->arena,
                             &root, reterr);
    if (ok) {
        ok = yaml_read_fields(&yaml, root, "the file", fields, COUNT_OF(fields));
        yaml_close(&yaml);
    }
    text_release(&text);
    text_release(&all);
    return ok;
}

/* ---- judging ---- */

static void write_judged(const struct question *question, const struct judged *judged,
                         struct text *out)
{
    if (judged->right)
        text_put(out, "right");
    else if (judged->foreseen != NULL)
        text_format(out, "foreseen %zu", (size_t)(judged->foreseen - question->wrong) + 1);
    else if (judged->is_unfinished)
        text_put(out, "unfinished");
    else if (judged->mistake[0] != '\0')
        text_format(out, "edit %s", judged->mistake);
    else
        text_put(out, "generic");
}

static bool judge_at(struct given_answers *answers, const char *lesson,
                     const struct question *question, struct session *session, struct text *out,
                     struct error *reterr)
{
    struct question_sessions sessions = {session, session, &answers->edits};
    for (unsigned i = 0; i < answers->n; i++) {
        struct given_answer *answer = &answers->items[i];
        struct judged judged;
        struct error error = {0};
        if (strcmp(answer->lesson, lesson) != 0 || strcmp(answer->question, question->name) != 0)
            continue;
        answer->is_judged = true;
        text_format(out, "%s\t%s\t%s\t", lesson, question->name, answer->typed);
        if (question_judge(question, &sessions, answer->typed, &judged, &error))
            write_judged(question, &judged, out);
        else if (error_is_stop(&error))
            return error_set(reterr, error.kind, "%s", error.text);
        else
            text_format(out, "refused: %s", error.text);
        text_char(out, '\n');
    }
    return true;
}

/* Walks through a lesson as a learner would. */
static bool judge_lesson(struct given_answers *answers, const struct lesson *lesson,
                         struct session *session, struct text *out, struct error *reterr)
{
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct page *page = &lesson->pages[i];
        unsigned line;
        if (!page_run(session, page, 0, NULL, &line, reterr))
            return false;
        if (page->question != NULL && question_is_judged(page->question->kind) &&
            !judge_at(answers, lesson->file_name, page->question, session, out, reterr))
            return false;
        if (page->offer.text != NULL && !code_run(session, &page->offer, NULL, &line, reterr))
            return false;
    }
    return true;
}

static bool open_lesson(struct given_answers *answers, const char *name, const char *folder,
                        const char *data_dir, const volatile sig_atomic_t *stop, struct text *out,
                        struct error *reterr)
{
    char path[PATH_BYTES];
    struct lesson *lesson;
    struct session session;
    snprintf(path, sizeof path, "%s/%s.md", folder, name);
    if (!lesson_read(path, &lesson, reterr))
        return false;
    session_init(&session, command_find, &lesson_settings, data_dir, stop);
    bool ok = judge_lesson(answers, lesson, &session, out, reterr);
    session_release(&session);
    lesson_free(lesson);
    return ok;
}

bool lesson_judge_answers(const char *path, const char *folder, const char *data_dir,
                          const volatile sig_atomic_t *stop, struct text *out, struct error *reterr)
{
    struct given_answers answers = {.n = 0};
    bool ok = read_answers(path, &answers, reterr) && edits_open(data_dir, &answers.edits, reterr);
    for (unsigned i = 0; ok && i < answers.n; i++) {
        const struct given_answer *answer = &answers.items[i];
        if (answer->is_judged)
            continue;
        ok = open_lesson(&answers, answer->lesson, folder, data_dir, stop, out, reterr);
        if (ok && !answer->is_judged)
            ok = error_set(reterr, ERR_NAME, "%s: %s has no question %s that is judged", path,
                           answer->lesson, answer->question);
    }
    edits_release(&answers.edits);
    arena_release(&answers.arena);
    return ok && (!out->failed || error_memory(reterr, path));
}

/* ---- lesson edits ---- */

enum {
    MOST_NOTES = 8, /* for one question */
};

struct noting {
    const struct lesson *lesson;
    const char *path;
    struct session session;
    const struct edits *edits;
    struct text *out;
    enum edit_use *uses;
    bool (*note_question)(struct noting *noting, const struct question *question);
    struct error *reterr;
};

/* Those whose wrong answers edits are looked for behind. */
static bool has_formula(const struct question *question)
{
    return question->kind == QUESTION_NUMBER || question->kind == QUESTION_MATRIX ||
           question->kind == QUESTION_FORMULA;
}

/* The notes of one question. */
struct question_notes {
    struct noting *noting;
    const struct question *question;
    struct node *given[MOST_NOTES];       /* the results of those already noted */
    const struct edit *edits[MOST_NOTES]; /* their edits */
    size_t n;
};

static bool is_told(const struct question_notes *notes, const struct rewrite *change,
                    const struct node *node)
{
    for (size_t i = 0; i < notes->n; i++)
        if (notes->edits[i] == change->edit ||
            numbers_are_near(&notes->given[i]->value, &node->value, 1e-5))
            return true;
    return false;
}

static void write_note(const struct question_notes *notes, const struct rewrite *change,
                       const struct node *node)
{
    struct text *out = notes->noting->out;
    text_format(out, "%s:%u: note: ", notes->noting->path, notes->question->answer.line);
    if (tensor_size(&node->value) == 1)
        text_format(out, "%.4g has no text", (double)tensor_at_position(&node->value, 0));
    else
        text_put(out, "a wrong answer has no text");
    text_format(out, "; it comes out when %s (%s): %s\n", change->when, change->edit->id,
                strstr(change->statement, "= ") + 2);
}

/* Notes a change unless it is right, foreseen, no answer, or already noted. */
static bool note_change(struct question_notes *notes, const struct rewrite *change)
{
    struct noting *noting = notes->noting;
    const struct question_sessions sessions = {.lesson = &noting->session,
                                               .learner = &noting->session};
    const char *typed = strstr(change->statement, "= ") + 2;
    struct question free = *notes->question; /* the rules about forbidden names don't matter here */
    struct judged judged;
    struct error error = {0};
    struct node *node = NULL;
    free.n_without = 0;
    if (change->functions[0] != '\0' || notes->n == MOST_NOTES)
        return true;
    if (question_judge(&free, &sessions, typed, &judged, &error) && !judged.right &&
        !judged.is_unfinished && judged.foreseen == NULL)
        node = answer_peek(&noting->session, NULL, typed, &error);
    if (node != NULL && !is_told(notes, change, node)) {
        write_note(notes, change, node);
        notes->edits[notes->n] = change->edit;
        notes->given[notes->n++] = node_share(node);
    }
    node_free(node);
    return !error_is_stop(&error) || error_set(noting->reterr, error.kind, "%s", error.text);
}

static bool note_question(struct noting *noting, const struct question *question)
{
    struct question_notes notes = {.noting = noting, .question = question};
    struct question_formula formula;
    struct rewrites changes = {.n = 0};
    if (!question_formula_read(question, &noting->session, NULL, &formula, noting->reterr))
        return false;
    bool ok = rewrites_add(noting->edits, &formula.formula, formula.formula.n_steps - 1, &changes,
                           noting->reterr);
    for (unsigned least = EDIT_LIKELY; ok && least >= EDIT_POSSIBLE; least--)
        for (size_t i = 0; ok && i < changes.n; i++)
            if (changes.items[i].edit->in_numbers == least)
                ok = note_change(&notes, &changes.items[i]);
    for (size_t i = 0; i < notes.n; i++)
        node_free(notes.given[i]);
    rewrites_release(&changes);
    question_formula_release(&formula);
    return ok;
}

/* ---- the effect of each edit ---- */

/* Do the changed answer's numbers differ from the right ones? Those that can't be worked out do
 * not. */
static bool shows(struct noting *noting, const struct question_formula *formula, const char *lines,
                  const struct rewrite *change, bool *ret)
{
    struct error error = {0};
    struct node *right = question_formula_node(formula, &noting->session, lines, NULL, 0, &error);
    struct node *node =
        right != NULL ? question_formula_node(formula, &noting->session, lines, &change, 1, &error)
                      : NULL;
    *ret = node != NULL && !numbers_are_near(&node->value, &right->value, 1e-6);
    bool ok = node != NULL || !error_is_stop(&error) ||
              error_set(noting->reterr, error.kind, "%s", error.text);
    node_free(right);
    node_free(node);
    return ok;
}

/* With the lesson's own numbers, or with those that lines make. */
static bool note_uses(struct noting *noting, const struct question *question, const char *lines)
{
    struct question_formula formula;
    struct rewrites changes = {.n = 0};
    if (!question_formula_read(question, &noting->session, lines, &formula, noting->reterr))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < formula.formula.n_steps; i++)
        ok = rewrites_add(noting->edits, &formula.formula, i, &changes, noting->reterr);
    for (size_t i = 0; ok && i < changes.n; i++) {
        enum edit_use *use = &noting->uses[changes.items[i].edit - noting->edits->items];
        bool shown;
        if (*use == EDIT_CHANGES)
            continue;
        ok = shows(noting, &formula, lines, &changes.items[i], &shown);
        *use = ok && shown ? EDIT_CHANGES : EDIT_CHANGES_NOTHING;
    }
    rewrites_release(&changes);
    question_formula_release(&formula);
    return ok;
}

static bool note_uses_of(struct noting *noting, const struct question *question)
{
    bool ok = note_uses(noting, question, NULL);
    for (unsigned i = 0; ok && question->kind == QUESTION_FORMULA && i < FORMULA_TRIALS; i++) {
        struct text lines = {0};
        ok = question_trial_lines(question, i, &lines, noting->reterr) &&
             note_uses(noting, question, text_string(&lines));
        text_release(&lines);
    }
    return ok;
}

/* ---- a lesson ---- */

static bool walk(struct noting *noting)
{
    for (size_t i = 0; i < noting->lesson->n_pages; i++) {
        const struct page *page = &noting->lesson->pages[i];
        unsigned line;
        if (!page_run(&noting->session, page, 0, NULL, &line, noting->reterr) ||
            (page->question != NULL && has_formula(page->question) &&
             !noting->note_question(noting, page->question)) ||
            (page->offer.text != NULL &&
             !code_run(&noting->session, &page->offer, NULL, &line, noting->reterr)))
            return false;
    }
    return true;
}

static bool read_and_walk(struct noting *noting, const char *data_dir,
                          const volatile sig_atomic_t *stop)
{
    struct lesson *lesson;
    if (!lesson_read(noting->path, &lesson, noting->reterr))
        return false;
    noting->lesson = lesson;
    session_init(&noting->session, command_find, &lesson_settings, data_dir, stop);
    bool ok = walk(noting);
    session_release(&noting->session);
    lesson_free(lesson);
    return ok;
}

bool lesson_note_edits(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                       struct text *out, struct error *reterr)
{
    struct edits edits;
    struct noting noting = {.path = path,
                            .edits = &edits,
                            .out = out,
                            .note_question = note_question,
                            .reterr = reterr};
    if (!edits_open(data_dir, &edits, reterr))
        return false;
    bool ok = read_and_walk(&noting, data_dir, stop);
    edits_release(&edits);
    return ok && (!out->failed || error_memory(reterr, path));
}

bool lesson_note_uses(const char *path, const char *data_dir, const struct edits *edits,
                      enum edit_use *uses, struct error *reterr) /* NOLINT: it is filled */
{
    struct noting noting = {.path = path,
                            .edits = edits,
                            .uses = uses,
                            .note_question = note_uses_of,
                            .reterr = reterr};
    return read_and_walk(&noting, data_dir, NULL);
}

/* ---- lesson lint ---- */

enum {
    SCREEN_LINES = 24,
    PAGE_MAX_LINES = 2 * SCREEN_LINES,
    MINUTES_MAX = 40, /* of a lesson of the course, without its exercises */
    PAGES_MAX = 5,    /* in a row without a question */
    WAY_MAX = 5,      /* presses of Enter without a question, lines that are offered included */
    QUESTIONS_MIN = 5,
    KINDS_MIN = 3,
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

/* Adds a fault, unless it was added before. */
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
                      "%s: a decimal number is typed here; compute it with `= ...`, or put the "
                      "quoted text in code",
                      check->what);
    }
    return true;
}

/* A backtick opens code that nothing closes: the rest would be read raw. */
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
    struct question free = *question; /* `is` may use names that a learner may not */
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
                      "option %zu is wrong, and a learner who chooses it gets no reply", i + 1);
    }
}

/* Names that draw takes from the session would be the learner's, who may have changed them. */
static void check_draw(struct lesson_check *check, const struct question *question)
{
    struct session empty;
    struct judged ignored;
    struct question_sessions sessions = {.lesson = &empty, .learner = &empty};
    session_init(&empty, command_find, &check->session.settings, check->data_dir, check->stop);
    struct question free = *question; /* forbidden names were checked with the answer */
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

/* Fresh inputs must tell the answer from formulas that differ from it by one slip. */
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

/* The result of the right answer can be shown. */
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

/* Answers of this kind are judged as the cells that a learner would point at. */
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
    struct guess guess;
    char folder[PATH_BYTES];
    struct question_sessions sessions = sessions_of(check);
    check_prose(check, &question->because, "because");
    for (unsigned i = 0; i < question->n_hints; i++)
        check_prose(check, &question->hints[i], "hints");
    for (unsigned i = 0; i < question->n_wrong; i++)
        check_prose(check, &question->wrong[i].say, "say");
    if (question->kind == QUESTION_PREDICT &&
        !question_check_guess(question, &sessions, question->answer.text, &guess, &check->error))
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

/* The values that the question hides are there. */
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

/* Runs the page as a learner would see it; false if its code fails, since later code would only
 * fail too. */
static bool check_page(struct lesson_check *check, const struct page *page)
{
    struct doc shown;
    unsigned line = 0;
    for (size_t i = 0; i < page->n_parts; i++)
        if (page->parts[i].kind != PART_PROSE)
            note_picture(check, &page->parts[i].source);
    doc_init(&shown);
    bool ok = page_run(&check->session, page, 0, &shown, &line, &check->error);
    if (!ok)
        add_error(check, line, "it does not work");
    else if (check->in_course && shown.n_lines > PAGE_MAX_LINES)
        add_fault(check, page->line,
                  "this page takes %zu lines at %d columns, and a learner should not have to "
                  "scroll over %d; a question or a step in between divides it",
                  shown.n_lines, COLS, PAGE_MAX_LINES);
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
    session_init(&check.session, command_find, &lesson_settings, data_dir, stop);
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
