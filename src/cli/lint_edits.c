/* See lint_edits.h. */
#include "cli/lint_edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "course/lesson/course.h"
#include "course/lesson/lesson_edits.h"
#include "exercise/exercises.h"
#include "judge/prove/prove.h"
#include "verify/verify_mistakes.h"

static void print_fault(size_t *n_faults, unsigned line, const char *id, const char *what,
                        const char *words)
{
    printf("assets/edits.yaml:%u: %s: %s: %s\n", line, id, what, words);
    ++*n_faults;
}

/* LESSON#STEP, or NULL */
static void check_lesson(const struct course *course, const char *place, unsigned line,
                         const char *id, size_t *n_faults)
{
    char name[LESSON_NAME_BYTES];
    struct lesson *lesson;
    struct error error;
    if (place == NULL)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(place, "#"), place);
    const struct course_entry *entry = course_entry_of(course, name);
    const char *step = strchr(place, '#');
    if (entry == NULL) {
        print_fault(n_faults, line, id, "there is no such lesson", place);
    } else if (!lesson_read(entry->path, &lesson, &error)) {
        print_fault(n_faults, line, id, place, error.text);
    } else {
        if (step != NULL && lesson_place(lesson, step + 1) >= lesson->n_pages)
            print_fault(n_faults, line, id, "the lesson has no such place", place);
        lesson_free(lesson);
    }
}

static bool has_hole(const char *text, const char *name, size_t size)
{
    const char *found;
    size_t at = 0, found_size;
    while ((found_size = hole_next(text, &at, &found)) > 0)
        if (found_size == size && memcmp(found, name, size) == 0)
            return true;
    return false;
}

/* Does the hole stand for something, whichever form and match it was? */
static bool is_filled(const struct edit *edit, const char *name, size_t size)
{
    for (unsigned i = 0; i < edit->n_forms; i++) {
        const struct edit_form *form = &edit->forms[i];
        bool in_put = true;
        for (unsigned k = 0; k < form->put.n; k++)
            in_put = in_put && has_hole(form->put.items[k], name, size);
        for (unsigned k = 0; k < form->match.n && !in_put; k++)
            if (!has_hole(form->match.items[k], name, size))
                return false;
    }
    return true;
}

static void check_holes(const struct edit *edit, const char *text, size_t *n_faults)
{
    const char *name;
    size_t size, at = 0;
    while (text != NULL && (size = hole_next(text, &at, &name)) > 0)
        if (!is_filled(edit, name, size))
            print_fault(n_faults, edit->line, edit->id, "a hole would be shown", text);
}

static void check_plain(const char *text, unsigned line, const char *id, size_t *n_faults)
{
    const char *name;
    size_t at = 0;
    if (hole_next(text, &at, &name) > 0)
        print_fault(n_faults, line, id, "a hole would be shown", text);
}

static void check_texts(const struct edits *edits, const struct course *course, size_t *n_faults)
{
    for (unsigned i = 0; i < edits->n; i++) {
        const struct edit *edit = &edits->items[i];
        check_lesson(course, edit->lesson, edit->line, edit->id, n_faults);
        check_plain(edit->ask, edit->line, edit->id, n_faults);
        check_holes(edit, edit->when, n_faults);
        check_holes(edit, edit->math, n_faults);
    }
    for (unsigned i = 0; i < edits->n_combinations; i++) {
        const struct combination *both = &edits->combinations[i];
        check_lesson(course, both->lesson, both->line, both->id, n_faults);
        check_plain(both->ask, both->line, both->id, n_faults);
        check_plain(both->when, both->line, both->id, n_faults);
        check_plain(both->math, both->line, both->id, n_faults);
    }
}

/* ---- what the edits do ---- */

enum { SEED = 1 }; /* of the cases that edits are tried in */

/* One that can't be read has its own fault elsewhere. */
static bool try_folder(const char *folder, const struct exercises *own, const struct edits *edits,
                       enum edit_use *uses, struct error *reterr)
{
    struct exercise *exercise;
    struct error ignored;
    if (!exercise_load(folder, &exercise, &ignored))
        return true;
    bool ok = exercises_find(own, exercise->id) != NULL ||
              prove_uses(exercise, edits, SEED, data_dir(), uses, &ignored) ||
              !error_is_stop(&ignored) || error_set(reterr, ignored.kind, "%s", ignored.text);
    exercise_free(exercise);
    return ok;
}

static bool each_changes_something(const struct edits *edits, const enum edit_use *uses)
{
    for (unsigned i = 0; i < edits->n; i++)
        if (uses[i] != EDIT_CHANGES)
            return false;
    return true;
}

/* Tries the edits in all formulas that there are, or until nothing is left to be found out. */
static bool find_uses(const struct edits *edits, const struct course *course,
                      const char *const *folders, size_t n, enum edit_use *uses,
                      struct error *reterr)
{
    struct exercises own;
    bool ok = mistake_note_uses(edits, uses, reterr);
    if (!ok || !exercises_load(data_dir(), NULL, &own, reterr))
        return false;
    for (size_t i = 0; ok && i < own.n; i++)
        ok = prove_uses(own.items[i], edits, SEED, data_dir(), uses, reterr);
    for (size_t i = 0; ok && i < n; i++)
        ok = try_folder(folders[i], &own, edits, uses, reterr);
    for (size_t i = 0; ok && i < course->n && !each_changes_something(edits, uses); i++)
        ok = lesson_note_uses(course->entries[i].path, data_dir(), edits, uses, reterr);
    exercises_release(&own);
    return ok;
}

static void check_uses(const struct edits *edits, const enum edit_use *uses, size_t *n_faults)
{
    for (unsigned i = 0; i < edits->n; i++) {
        const struct edit *edit = &edits->items[i];
        if (uses[i] == EDIT_FITS_NOWHERE)
            print_fault(n_faults, edit->line, edit->id,
                        "no formula is changed by it, or an earlier edit makes the same changes; "
                        "take it out, or match something else than",
                        edit->forms[0].match.items[0]);
        else if (uses[i] == EDIT_CHANGES_NOTHING)
            print_fault(n_faults, edit->line, edit->id,
                        "it changes no numbers, wherever it fits; take it out, or put something "
                        "else than",
                        edit->forms[0].put.items[0]);
    }
}

static bool lint_uses(const struct edits *edits, const struct course *course,
                      const char *const *folders, size_t n, size_t *n_faults, struct error *reterr)
{
    enum edit_use *uses = calloc(edits->n + 1, sizeof *uses);
    if (uses == NULL)
        return error_memory(reterr, "lint");
    bool ok = find_uses(edits, course, folders, n, uses, reterr);
    if (ok)
        check_uses(edits, uses, n_faults);
    free(uses);
    return ok;
}

bool lint_edits(const char *const *folders, size_t n, size_t *ret_n_faults, struct error *reterr)
{
    struct edits edits;
    struct course course;
    size_t n_faults = 0;
    if (!edits_open(data_dir(), &edits, reterr))
        return false;
    if (!course_open(data_dir() != NULL ? data_dir() : ".", &course, reterr)) {
        edits_release(&edits);
        return false;
    }
    check_texts(&edits, &course, &n_faults);
    bool ok = lint_uses(&edits, &course, folders, n, &n_faults, reterr);
    if (ok)
        printf("assets/edits.yaml: %u edits, %u combinations: %zu %s\n", edits.n,
               edits.n_combinations, n_faults, n_faults == 1 ? "fault" : "faults");
    course_release(&course);
    edits_release(&edits);
    *ret_n_faults += n_faults;
    return ok;
}
