/* attn solutions ID: other ways to write what one has solved. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/practice.h"
#include "judge/submission.h"
#include "base/array.h"

const char solutions_help[] = "  --all   all that there are, else two\n";

enum { SHOWN = 2 }; /* unless all are asked for */

struct file_names {
    char **items;
    size_t n, capacity;
};

static void file_names_free(struct file_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->items[i]);
    free(names->items);
}

static bool add_name(struct file_names *names, const char *name)
{
    char **items = array_grow(names->items, names->n, &names->capacity, sizeof *items);
    if (items == NULL)
        return false;
    names->items = items;
    items[names->n] = strdup(name);
    return items[names->n] != NULL && ++names->n > 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the C files in a folder, sorted. */
static bool read_names(const char *path, struct file_names *ret, struct error *reterr)
{
    struct file_names names = {0};
    DIR *folder = opendir(path);
    bool ok = true;
    if (folder == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s; it came with attn's source", path,
                         strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(folder)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size > 2 && strcmp(entry->d_name + size - 2, ".c") == 0)
            ok = add_name(&names, entry->d_name);
    }
    closedir(folder);
    if (!ok) {
        file_names_free(&names);
        return error_memory(reterr, "the solutions");
    }
    if (names.n > 0)
        qsort(names.items, names.n, sizeof *names.items, by_name);
    *ret = names;
    return true;
}

/* "four_sums" is titled "four sums". */
static void show_solution(const char *folder, const char *name, struct doc *doc)
{
    struct text path = {0}, source = {0};
    const char *why;
    text_format(&path, "%s/%s", folder, name);
    if (!path.failed &&
        submission_read(text_string(&path), limits_default.source_bytes, &source, &why)) {
        for (const char *c = name; *c != '\0' && strcmp(c, ".c") != 0; c++)
            doc_add(doc, STYLE_TITLE, "%c", *c == '_' ? ' ' : *c);
        doc_end_line(doc);
        doc_end_line(doc);
        doc_put(doc, STYLE_PLAIN, text_string(&source), source.size);
        doc_end_line(doc);
    }
    doc->failed = doc->failed || path.failed || source.failed;
    text_release(&path);
    text_release(&source);
}

static bool show(struct practice *practice, const struct exercise *exercise, struct doc *doc,
                 struct error *reterr)
{
    struct text folder = {0};
    struct file_names names = {0};
    text_format(&folder, "%s/tests/exercises/%s/right", data_dir(), exercise->folder_name);
    bool ok = folder.failed ? error_memory(reterr, "the solutions")
                            : read_names(text_string(&folder), &names, reterr);
    size_t shown = practice->options.all || names.n < SHOWN ? names.n : SHOWN;
    for (size_t i = 0; ok && i < shown; i++)
        show_solution(text_string(&folder), names.items[i], doc);
    if (ok && shown < names.n)
        doc_line(doc, STYLE_QUIET, "%zu more: attn solutions %u --all", names.n - shown,
                 exercise->number);
    file_names_free(&names);
    text_release(&folder);
    return ok && doc_check(doc, reterr);
}

/* Only to who has solved it. */
static bool may_see(struct practice *practice, const struct exercise *exercise,
                    struct error *reterr)
{
    struct exercise_progress done;
    if (!progress_exercise(practice->progress, exercise->id, &done, reterr))
        return false;
    return done.passed ||
           error_set(reterr, ERR_RANGE,
                     "solutions: %s is not solved yet; they are shown once it is. attn hint %u "
                     "helps",
                     exercise->id, exercise->number);
}

int solutions_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, PRACTICE_ALL);
    struct practice practice;
    struct doc doc;
    struct error error;
    struct exercise *exercise;
    int code = EXIT_FAILED;
    if (options.argument == NULL)
        usage_error("solutions: of which exercise? attn exercises lists them");
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    doc_init(&doc);
    if (!exercises_find_one(&practice.catalogue, options.argument, &exercise, &error)) {
        code = practice_error(&error);
    } else {
        if (!may_see(&practice, exercise, &error) || !show(&practice, exercise, &doc, &error))
            (void)practice_error(&error);
        else if (finish_output(print_doc(&doc, &practice.settings)))
            code = EXIT_OK;
        exercise_free(exercise);
    }
    doc_release(&doc);
    practice_close(&practice);
    return code;
}
