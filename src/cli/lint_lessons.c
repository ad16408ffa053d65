/* The lessons for `attn lint`: see lint_lessons.h. */
#include "cli/lint_lessons.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "course/lesson/lesson_answers.h"
#include "course/lesson/lesson_edits.h"
#include "course/lesson/lesson_lint.h"
#include "base/text.h"

enum { PATH_BYTES = 4096 };

static const char ending[] = ".md";

static int is_lesson(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ending);
}

static void free_names(struct dirent **names, int n)
{
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

bool lint_is_lessons(const char *path)
{
    struct dirent **names = NULL;
    char exercise[PATH_BYTES];
    if (text_ends_with(path, ending))
        return true;
    snprintf(exercise, sizeof exercise, "%s/exercise.yaml", path);
    if (access(exercise, F_OK) == 0)
        return false; /* an exercise: its task.md is not a lesson */
    int n = scandir(path, &names, is_lesson, alphasort);
    free_names(names, n);
    return n > 0;
}

static bool lint_one(const char *path, bool notes_edits, size_t *n_lessons, size_t *n_faults,
                     struct error *reterr)
{
    struct lesson_faults faults = {0};
    bool ok = lesson_lint(path, data_dir(), NULL, &faults, reterr) &&
              (!notes_edits || faults.n > 0 ||
               lesson_note_edits(path, data_dir(), NULL, &faults.text, reterr));
    (void)fputs(text_string(&faults.text), stdout);
    (void)fflush(stdout);
    ++*n_lessons;
    *n_faults += faults.n;
    lesson_faults_release(&faults);
    return ok;
}

bool lint_lessons(const char *path, bool notes_edits, size_t *ret_n_lessons, size_t *ret_n_faults,
                  struct error *reterr)
{
    char file[PATH_BYTES];
    struct dirent **names = NULL;
    if (text_ends_with(path, ending))
        return lint_one(path, notes_edits, ret_n_lessons, ret_n_faults, reterr);
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    int n = scandir(path, &names, is_lesson, alphasort);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        snprintf(file, sizeof file, "%.*s/%s", (int)size, path, names[i]->d_name);
        ok = lint_one(file, notes_edits, ret_n_lessons, ret_n_faults, reterr);
    }
    free_names(names, n);
    return ok;
}

bool lint_answers(const char *path, const char *folder, struct error *reterr)
{
    struct text lines = {0};
    bool ok = lesson_judge_answers(path, folder, data_dir(), NULL, &lines, reterr);
    (void)fputs(text_string(&lines), stdout);
    text_release(&lines);
    return ok;
}
