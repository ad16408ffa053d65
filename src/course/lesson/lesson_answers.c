/* See lesson_answers.h. */
#include "course/lesson/lesson_answers.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "course/lesson/page.h"
#include "course/lesson/question.h"
#include "diagnose/edits.h"
#include "files/file.h"
#include "files/yaml.h"
#include "lang/commands/command.h"

enum {
    COLS = 80,
    PATH_BYTES = 4096,
    MAX_FILE_BYTES = 4 * 1024 * 1024,
};

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
        if (!page_run(session, page, 0, NULL, NULL, &line, reterr))
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
    const struct settings settings = {
        .digits = 4, .width_cols = COLS, .echo = true, .no_files = true};
    snprintf(path, sizeof path, "%s/%s.md", folder, name);
    if (!lesson_read(path, &lesson, reterr))
        return false;
    session_init(&session, command_find, &settings, data_dir, stop);
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
