/* A learner's files: see learner_files.h. */
#include "exercise/learner_files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "exercise/c_tokens.h"
#include "exercise/exercises.h"
#include "files/file.h"

/* ---- paths ---- */

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The exercise whose file in the folder was changed last, and that file; NULL if the folder holds
 * none. */
static const struct catalogue_entry *newest_file(const struct catalogue *catalogue,
                                                 const char *folder,
                                                 char ret_path[LEARNER_PATH_BYTES])
{
    const struct catalogue_entry *newest = NULL;
    struct timespec newest_time = {0};
    DIR *files = opendir(folder);
    for (struct dirent *file; files != NULL && (file = readdir(files)) != NULL;) {
        char path[LEARNER_PATH_BYTES];
        struct stat info;
        const struct catalogue_entry *entry =
            text_ends_with(file->d_name, ".c") ? catalogue_entry(catalogue, file->d_name) : NULL;
        if (entry == NULL || !path_join(path, LEARNER_PATH_BYTES, folder, file->d_name) ||
            stat(path, &info) != 0 || S_ISDIR(info.st_mode) ||
            (newest != NULL && !is_newer(&info.st_mtim, &newest_time)))
            continue;
        newest = entry;
        newest_time = info.st_mtim;
        memcpy(ret_path, path, sizeof path);
    }
    if (files != NULL)
        closedir(files);
    return newest;
}

bool learner_folder(const struct catalogue *catalogue, const char *folder,
                    char path[LEARNER_PATH_BYTES])
{
    char inside[LEARNER_PATH_BYTES], newest[LEARNER_PATH_BYTES];
    if (newest_file(catalogue, folder, newest) != NULL) {
        snprintf(path, LEARNER_PATH_BYTES, "%s", folder);
        return true;
    }
    if (!path_join(inside, LEARNER_PATH_BYTES, folder, LEARNER_FOLDER) ||
        newest_file(catalogue, inside, newest) == NULL)
        return false;
    memcpy(path, inside, sizeof inside);
    return true;
}

bool learner_file(const struct catalogue_entry *entry, const char *folder,
                  char path[LEARNER_PATH_BYTES], struct error *reterr)
{
    if (path_join(path, LEARNER_PATH_BYTES, folder, entry->file_name + EXERCISE_NUMBER_BYTES) &&
        path_is_file(path))
        return true;
    return path_join(path, LEARNER_PATH_BYTES, folder, entry->file_name) ||
           error_set(reterr, ERR_FILE, "%s: its path would be too long, in %s", entry->file_name,
                     folder);
}

/* ---- the starter ---- */

bool learner_source_untouched(const struct exercise *exercise, const char *source, size_t size)
{
    return size == strlen(exercise->starter) && memcmp(source, exercise->starter, size) == 0;
}

/* The scan after "(void)NAME;", which does nothing; or *scan* itself if no such statement begins
 * there. */
static struct c_scan after_idle(struct c_scan scan)
{
    static const char *const signs[] = {"(", "void", ")", NULL, ";"};
    struct c_scan at = scan;
    struct c_token token;
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        struct c_token wanted = {
            .begin = signs[i], .size = signs[i] != NULL ? strlen(signs[i]) : 0, .line = 0};
        if (!c_next_token(&at, &token) ||
            !(signs[i] != NULL ? c_tokens_same(&token, &wanted) : c_token_is_name(&token)))
            return scan;
    }
    return at;
}

/* The next token outside such statements; false at the end. */
static bool next_solid(struct c_scan *scan, struct c_token *ret)
{
    for (struct c_scan after; (after = after_idle(*scan)).at != scan->at;)
        *scan = after;
    return c_next_token(scan, ret);
}

bool learner_source_is_starter(const struct exercise *exercise, const char *source, size_t size)
{
    struct c_scan starter = c_scan_of(exercise->starter, strlen(exercise->starter));
    struct c_scan scan = c_scan_of(source, size);
    for (;;) {
        struct c_token a, b;
        bool any = next_solid(&starter, &a);
        if (next_solid(&scan, &b) != any)
            return false;
        if (!any)
            return true;
        if (!c_tokens_same(&a, &b))
            return false;
    }
}

static bool file_is_untouched(const struct exercise *exercise, const char *path)
{
    struct text source = {0};
    struct stat info;
    bool same = stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
                file_read_text(path, strlen(exercise->starter), &source, NULL) &&
                learner_source_untouched(exercise, text_string(&source), source.size);
    text_release(&source);
    return same;
}

/* ---- which exercise ---- */

const struct catalogue_entry *learner_next(const struct catalogue *catalogue,
                                           struct progress *progress, unsigned number)
{
    const struct catalogue_entry *first = NULL;
    for (size_t i = 0; i < catalogue->n; i++) {
        const struct catalogue_entry *entry = &catalogue->entries[i];
        if (progress_is_solved(progress, entry->id))
            continue;
        if (entry->number > number)
            return entry;
        first = first == NULL ? entry : first;
    }
    return first;
}

static bool no_folder(const char *folder, struct error *reterr)
{
    return error_set(
        reterr, ERR_FILE,
        "%s: no exercises are here; attn start makes a folder with them, and cd " LEARNER_FOLDER
        " goes there",
        strcmp(folder, ".") == 0 ? "this folder" : folder);
}

bool learner_current(const struct catalogue *catalogue, struct progress *progress,
                     const char *folder, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                     struct error *reterr)
{
    char files[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    const struct catalogue_entry *entry =
        learner_folder(catalogue, folder, files) ? newest_file(catalogue, files, path) : NULL;
    if (entry == NULL)
        return no_folder(folder, reterr);
    if (!catalogue_load(catalogue, entry, &exercise, reterr))
        return false;
    const struct catalogue_entry *next =
        file_is_untouched(exercise, path) ? learner_next(catalogue, progress, 0) : NULL;
    if (next != NULL && next != entry) {
        exercise_free(exercise);
        if (!learner_file(next, files, path, reterr) ||
            !catalogue_load(catalogue, next, &exercise, reterr))
            return false;
    }
    *ret = exercise;
    return true;
}

bool learner_exercise(const struct catalogue *catalogue, struct progress *progress,
                      struct exercise **ret, struct error *reterr)
{
    char path[LEARNER_PATH_BYTES];
    struct exercise *current = NULL;
    if (learner_current(catalogue, progress, ".", &current, path, NULL) &&
        !progress_is_solved(progress, current->id)) {
        *ret = current;
        return true;
    }
    const struct catalogue_entry *next =
        learner_next(catalogue, progress, current != NULL ? current->number : 0);
    exercise_free(current);
    if (next == NULL && catalogue->n > 0)
        next = &catalogue->entries[0];
    if (next == NULL)
        return error_set(reterr, ERR_FILE, "%s: there are no exercises", catalogue->folder);
    return catalogue_load(catalogue, next, ret, reterr);
}

/* ---- the meaning of a person's argument ---- */

/* A file's name as typed: in this folder, or else among the learner's files. */
static void find_typed_file(const struct catalogue *catalogue, const char *name,
                            char path[LEARNER_PATH_BYTES])
{
    char folder[LEARNER_PATH_BYTES];
    bool is_elsewhere = !path_is_file(name) && strchr(name, '/') == NULL &&
                        learner_folder(catalogue, ".", folder) &&
                        path_join(path, LEARNER_PATH_BYTES, folder, name) && path_is_file(path);
    if (!is_elsewhere)
        snprintf(path, LEARNER_PATH_BYTES, "%s", name);
}

bool learner_find(const struct catalogue *catalogue, struct progress *progress,
                  const char *argument, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                  struct error *reterr)
{
    char folder[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    if (argument == NULL)
        return learner_current(catalogue, progress, ".", ret, path, reterr);
    if (!exercises_find_one(catalogue, argument, &exercise, reterr))
        return false;
    if (text_ends_with(argument, ".c") || strchr(argument, '/') != NULL) {
        find_typed_file(catalogue, argument, path);
        *ret = exercise;
        return true;
    }
    const struct catalogue_entry *entry = catalogue_entry(catalogue, exercise->id);
    bool ok = entry != NULL && learner_folder(catalogue, ".", folder)
                  ? learner_file(entry, folder, path, reterr)
                  : no_folder(".", reterr);
    if (ok)
        *ret = exercise;
    else
        exercise_free(exercise);
    return ok;
}
