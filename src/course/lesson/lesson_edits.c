/* See lesson_edits.h. */
#include "course/lesson/lesson_edits.h"

#include <string.h>

#include "course/lesson/page.h"
#include "course/lesson/question_internal.h"
#include "diagnose/edits.h"
#include "graph/node.h"
#include "lang/commands/command.h"

enum {
    COLS = 80,
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
    struct node *given[MOST_NOTES];       /* what those that were told give */
    const struct edit *edits[MOST_NOTES]; /* what they are */
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

/* Tells of a change unless it is right, foreseen, no answer, or told already. */
static bool note_change(struct question_notes *notes, const struct rewrite *change)
{
    struct noting *noting = notes->noting;
    const struct question_sessions sessions = {.lesson = &noting->session,
                                               .learner = &noting->session};
    const char *typed = strstr(change->statement, "= ") + 2;
    struct question free = *notes->question; /* what a learner may not use is no matter here */
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

/* ---- what each edit does ---- */

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
        if (!page_run(&noting->session, page, 0, NULL, NULL, &line, noting->reterr) ||
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
    const struct settings settings = {
        .digits = 4, .width_cols = COLS, .echo = true, .no_files = true};
    if (!lesson_read(noting->path, &lesson, noting->reterr))
        return false;
    noting->lesson = lesson;
    session_init(&noting->session, command_find, &settings, data_dir, stop);
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
