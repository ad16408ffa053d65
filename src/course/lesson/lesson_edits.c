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
    struct edits edits;
    struct text *out;
    struct error *reterr;
};

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
    if (question->kind != QUESTION_NUMBER && question->kind != QUESTION_MATRIX &&
        question->kind != QUESTION_FORMULA)
        return true;
    if (!question_formula_read(question, &noting->session, NULL, &formula, noting->reterr))
        return false;
    bool ok = rewrites_add(&noting->edits, &formula.formula, formula.formula.n_steps - 1, &changes,
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

static bool walk(struct noting *noting)
{
    for (size_t i = 0; i < noting->lesson->n_pages; i++) {
        const struct page *page = &noting->lesson->pages[i];
        unsigned line;
        if (!page_run(&noting->session, page, 0, NULL, &line, noting->reterr) ||
            (page->question != NULL && !note_question(noting, page->question)) ||
            (page->offer.text != NULL &&
             !code_run(&noting->session, &page->offer, NULL, &line, noting->reterr)))
            return false;
    }
    return true;
}

bool lesson_note_edits(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                       struct text *out, struct error *reterr)
{
    struct lesson *lesson;
    const struct settings settings = {
        .digits = 4, .width_cols = COLS, .echo = true, .no_files = true};
    struct noting noting = {.path = path, .out = out, .reterr = reterr};
    if (!edits_open(data_dir, &noting.edits, reterr))
        return false;
    bool ok = lesson_read(path, &lesson, reterr);
    if (ok) {
        noting.lesson = lesson;
        session_init(&noting.session, command_find, &settings, data_dir, stop);
        ok = walk(&noting);
        session_release(&noting.session);
        lesson_free(lesson);
    }
    edits_release(&noting.edits);
    return ok && (!out->failed || error_memory(reterr, path));
}
