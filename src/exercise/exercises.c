/* All exercises of a folder, and finding one by what people call it: see exercise.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise.h"
#include "base/suggestion.h"
#include "base/array.h"

/* Loading. */

static bool add(struct exercises *exercises, const char *folder, struct error *reterr)
{
    struct exercise **items =
        array_grow(exercises->items, exercises->n, &exercises->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the exercises");
    exercises->items = items;
    if (!exercise_load(folder, &items[exercises->n], reterr))
        return false;
    exercises->n++;
    return true;
}

/* Folders of exercises begin with two digits; what else lies there is none of ours. */
static bool is_exercise(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-';
}

static bool add_all(struct exercises *exercises, DIR *directory, const char *path,
                    struct error *reterr)
{
    char folder[4096];
    struct dirent *entry;
    bool ok = true;
    while (ok && (entry = readdir(directory)) != NULL)
        if (is_exercise(entry->d_name)) {
            snprintf(folder, sizeof folder, "%s/%s", path, entry->d_name);
            ok = add(exercises, folder, reterr);
        }
    return ok;
}

static int by_number(const void *a, const void *b)
{
    const struct exercise *const *left = a, *const *right = b;
    return ((*left)->number > (*right)->number) - ((*left)->number < (*right)->number);
}

static bool check_numbers(const struct exercises *exercises, struct error *reterr)
{
    for (size_t i = 1; i < exercises->n; i++)
        if (exercises->items[i]->number == exercises->items[i - 1]->number)
            return error_set(reterr, ERR_SYNTAX, "%s: number %u is taken, by %s",
                             exercises->items[i]->path, exercises->items[i]->number,
                             exercises->items[i - 1]->folder_name);
    return true;
}

bool exercises_load(const char *data_dir, struct exercises *ret, struct error *reterr)
{
    char path[3800];
    struct exercises exercises = {0};
    snprintf(path, sizeof path, "%s/exercises", data_dir);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s; set ATTN_DATA_DIR to the folder that holds it",
                         path, strerror(errno));
    bool ok = add_all(&exercises, directory, path, reterr);
    closedir(directory);
    if (ok && exercises.n > 0) {
        qsort(exercises.items, exercises.n, sizeof exercises.items[0], by_number);
        ok = check_numbers(&exercises, reterr);
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
    *exercises = (struct exercises){0};
}

/* Finding. */

enum { N_NAMES = 3 };

/* What an exercise is called. */
static void names_of(const struct exercise *exercise, const char *names[N_NAMES])
{
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

/* The length of name where `what` is it, or ends in it behind a _ or -. */
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
    for (size_t i = 0; i < exercises->n; i++)
        if (exercises->items[i]->number == number)
            return exercises->items[i];
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
