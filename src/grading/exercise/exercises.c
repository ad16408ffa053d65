/* All exercises, and the search for one by a name that people give it: see exercises.h. */
#include "exercise/exercises.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

#include "base/array.h"
#include "course/progress/progress.h"
#include "files/file.h"
#include "base/suggestion.h"

/* ---- catalogue ---- */

char *exercise_file_name(const char *folder_name, char name[EXERCISE_FILE_BYTES])
{
    snprintf(name, EXERCISE_FILE_BYTES, "%s.c", folder_name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

/* NN-id. Other folders may lie beside the exercises. */
static bool is_exercise(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' &&
           strlen(name) < sizeof((struct catalogue_entry *)NULL)->id;
}

static bool add_entry(struct catalogue *catalogue, const char *folder_name, struct error *reterr)
{
    struct catalogue_entry *entries =
        array_grow(catalogue->entries, catalogue->n, &catalogue->capacity, sizeof *entries);
    if (entries == NULL)
        return error_memory(reterr, "the exercises");
    catalogue->entries = entries;
    struct catalogue_entry *entry = &entries[catalogue->n++];
    *entry = (struct catalogue_entry){.number = (unsigned)strtoul(folder_name, NULL, 10)};
    snprintf(entry->id, sizeof entry->id, "%s", folder_name + EXERCISE_NUMBER_BYTES);
    snprintf(entry->folder_name, sizeof entry->folder_name, "%s", folder_name);
    exercise_file_name(folder_name, entry->file_name);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct catalogue_entry *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

static bool read_folder(struct catalogue *catalogue, bool is_own, struct error *reterr)
{
    DIR *folder = opendir(catalogue->folder);
    bool ok = true;
    if (folder == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s; %s", catalogue->folder, strerror(errno),
                         is_own ? "name a folder with exercises in it"
                                : "set ATTN_DATA_DIR to the folder that holds exercises/");
    for (struct dirent *entry; ok && (entry = readdir(folder)) != NULL;)
        if (is_exercise(entry->d_name))
            ok = add_entry(catalogue, entry->d_name, reterr);
    closedir(folder);
    if (catalogue->n > 0)
        qsort(catalogue->entries, catalogue->n, sizeof *catalogue->entries, by_number);
    return ok;
}

bool catalogue_open(const char *data_dir, const char *own_folder, struct catalogue *ret,
                    struct error *reterr)
{
    struct catalogue catalogue = {0};
    struct text path = {0};
    if (data_dir == NULL && own_folder == NULL)
        return error_set(
            reterr, ERR_FILE,
            "the exercises: not found; set ATTN_DATA_DIR to the folder that holds exercises/");
    text_format(&path, "%s%s", own_folder != NULL ? own_folder : data_dir,
                own_folder != NULL ? "" : "/exercises");
    catalogue.folder = path.failed ? NULL : strdup(text_string(&path));
    text_release(&path);
    if (catalogue.folder == NULL)
        return error_memory(reterr, "the exercises");
    bool ok = read_folder(&catalogue, own_folder != NULL, reterr);
    if (ok && own_folder != NULL && catalogue.n == 0)
        ok = error_set(reterr, ERR_FILE,
                       "%s: there is no exercise in it; an exercise is a folder called 01-name",
                       own_folder);
    if (ok)
        *ret = catalogue;
    else
        catalogue_release(&catalogue);
    return ok;
}

void catalogue_release(struct catalogue *catalogue)
{
    free(catalogue->folder);
    free(catalogue->entries);
    *catalogue = (struct catalogue){0};
}

bool catalogue_count(const char *data_dir, struct progress *progress, struct course_count *ret,
                     struct error *reterr)
{
    struct catalogue catalogue;
    struct error error;
    if (!catalogue_open(data_dir, NULL, &catalogue, &error))
        return error.kind != ERR_MEMORY || error_memory(reterr, "the exercises");
    ret->n_exercises = (unsigned)catalogue.n;
    ret->n_solved = 0;
    for (size_t i = 0; i < catalogue.n; i++)
        ret->n_solved += progress_is_solved(progress, catalogue.entries[i].id);
    catalogue_release(&catalogue);
    return true;
}

bool catalogue_entry_has_file(const struct catalogue_entry *entry, const char *file_name)
{
    return strcmp(file_name, entry->file_name) == 0 ||
           strcmp(file_name, entry->file_name + EXERCISE_NUMBER_BYTES) == 0;
}

static bool is_called(const struct catalogue_entry *entry, const char *name)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    bool is_number = isdigit((unsigned char)name[0]) && *end == '\0';
    return is_number ? number == entry->number
                     : strcmp(name, entry->id) == 0 || strcmp(name, entry->folder_name) == 0 ||
                           catalogue_entry_has_file(entry, name);
}

const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->n; i++)
        if (is_called(&catalogue->entries[i], path_base_name(name)))
            return &catalogue->entries[i];
    return NULL;
}

bool catalogue_load(const struct catalogue *catalogue, const struct catalogue_entry *entry,
                    struct exercise **ret, struct error *reterr)
{
    struct text folder = {0};
    text_format(&folder, "%s/%s", catalogue->folder, entry->folder_name);
    bool ok = folder.failed ? error_memory(reterr, "an exercise")
                            : exercise_load(text_string(&folder), ret, reterr);
    text_release(&folder);
    return ok;
}

/* ---- exercises ---- */

/* ---- loading ---- */

bool exercises_load(const char *data_dir, const char *own_folder, struct exercises *ret,
                    struct error *reterr)
{
    struct exercises exercises = {0};
    if (!catalogue_open(data_dir, own_folder, &exercises.catalogue, reterr))
        return false;
    const struct catalogue_entry *entries = exercises.catalogue.entries;
    exercises.items = calloc(exercises.catalogue.n + 1, sizeof *exercises.items);
    if (exercises.items == NULL) {
        catalogue_release(&exercises.catalogue);
        return error_memory(reterr, "the exercises");
    }
    bool ok = true;
    for (size_t i = 0; ok && i < exercises.catalogue.n; i++) {
        if (i > 0 && entries[i].number == entries[i - 1].number)
            ok = error_set(reterr, ERR_SYNTAX, "%s/%s: number %u is taken, by %s",
                           exercises.catalogue.folder, entries[i].folder_name, entries[i].number,
                           entries[i - 1].folder_name);
        else if ((ok = catalogue_load(&exercises.catalogue, &entries[i], &exercises.items[i],
                                      reterr)))
            exercises.n++;
    }
    if (ok)
        *ret = exercises;
    else
        exercises_release(&exercises);
    return ok;
}

void exercises_release(struct exercises *exercises)
{
    for (size_t i = 0; i < exercises->n; i++)
        exercise_free(exercises->items[i]);
    free(exercises->items);
    catalogue_release(&exercises->catalogue);
    *exercises = (struct exercises){0};
}

/* ---- finding ---- */

enum { N_NAMES = 3 };

/* The names of an exercise. */
static void names_of(const struct exercise *exercise, const char *names[N_NAMES])
{
    assert(exercise != NULL);
    names[0] = exercise->id;
    names[1] = exercise->folder_name;
    names[2] = exercise->prototype.function;
}

static char alike(char c)
{
    return c == '_' ? '-' : c;
}

/* - and _ are the same here: softmax_rows.c is the file of softmax-rows. */
static bool same_name(const char *a, size_t size, const char *b)
{
    if (strlen(b) != size)
        return false;
    for (size_t i = 0; i < size; i++)
        if (alike(a[i]) != alike(b[i]))
            return false;
    return true;
}

/* The length of name if `what` is it, or ends in it after a _ or -; else 0. */
static size_t match(const char *what, size_t size, const char *name)
{
    size_t length = strlen(name);
    if (length > size || !same_name(what + size - length, length, name))
        return 0;
    return length == size || alike(what[size - length - 1]) == '-' ? length : 0;
}

static size_t best_match(const struct exercise *exercise, const char *what, size_t size)
{
    const char *names[N_NAMES];
    size_t best = 0;
    names_of(exercise, names);
    for (int i = 0; i < N_NAMES; i++) {
        size_t length = match(what, size, names[i]);
        best = length > best ? length : best;
    }
    return best;
}

static const struct exercise *find_number(const struct exercises *exercises, const char *name)
{
    if (name[0] == '\0' || strspn(name, "0123456789") != strlen(name) || strlen(name) > 2)
        return NULL;
    unsigned number = (unsigned)strtoul(name, NULL, 10);
    for (size_t i = 0; i < exercises->n; i++) {
        assert(exercises->items != NULL && exercises->items[i] != NULL);
        if (exercises->items[i]->number == number)
            return exercises->items[i];
    }
    return NULL;
}

/* The part of a path that names the exercise: [*ret, *ret + result). */
static size_t base_name(const char *path, const char **ret)
{
    size_t size = strlen(path);
    while (size > 0 && path[size - 1] == '/')
        size--;
    if (size > 2 && memcmp(path + size - 2, ".c", 2) == 0)
        size -= 2;
    size_t begin = size;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    *ret = path + begin;
    return size - begin;
}

const struct exercise *exercises_find(const struct exercises *exercises, const char *name)
{
    const char *base;
    const struct exercise *found = find_number(exercises, name);
    size_t size = base_name(name, &base), longest = 0;
    for (size_t i = 0; found == NULL && i < exercises->n; i++) {
        size_t length = best_match(exercises->items[i], base, size);
        if (length > longest) {
            longest = length;
            if (length == size)
                found = exercises->items[i];
        }
    }
    for (size_t i = 0; found == NULL && longest > 0 && i < exercises->n; i++)
        if (best_match(exercises->items[i], base, size) == longest)
            found = exercises->items[i];
    return found;
}

size_t exercise_name_prefix(const struct exercise *exercise, const char *name, const char **ret)
{
    size_t size = base_name(name, ret), length = best_match(exercise, *ret, size);
    return length > 0 && length < size ? size - length - 1 : 0;
}

const char *exercises_suggest(const struct exercises *exercises, const char *name)
{
    const char *base, *names[N_NAMES];
    struct suggestion suggestion;
    size_t size = base_name(name, &base);
    suggestion_init(&suggestion, base, size);
    for (size_t i = 0; i < exercises->n; i++) {
        names_of(exercises->items[i], names);
        for (int j = 0; j < N_NAMES; j++)
            suggestion_try(&suggestion, names[j]);
    }
    const struct exercise *found =
        suggestion.best[0] != '\0' ? exercises_find(exercises, suggestion.best) : NULL;
    return found != NULL ? found->id : NULL;
}

bool exercises_find_one(const struct catalogue *catalogue, const char *name, struct exercise **ret,
                        struct error *reterr)
{
    const struct catalogue_entry *entry = catalogue_entry(catalogue, name);
    struct exercises all;
    if (entry != NULL)
        return catalogue_load(catalogue, entry, ret, reterr);
    if (!exercises_load(NULL, catalogue->folder, &all, reterr))
        return false;
    const struct exercise *found = exercises_find(&all, name);
    const char *near = found == NULL ? exercises_suggest(&all, name) : NULL;
    for (size_t i = 0; i < all.n; i++)
        if (all.items[i] == found) {
            *ret = all.items[i];
            all.items[i] = all.items[--all.n];
        }
    if (found == NULL)
        error_set(reterr, ERR_NAME,
                  "%s: no exercise has this name; %s%s%sattn exercises lists them", name,
                  near != NULL ? "did you mean " : "", near != NULL ? near : "",
                  near != NULL ? "? " : "");
    exercises_release(&all);
    return found != NULL;
}
