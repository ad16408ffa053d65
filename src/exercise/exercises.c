/* All exercises, and finding one by what people call it: see exercises.h. */
#include "exercise/exercises.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"

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

/* What an exercise is called. */
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

/* The length of name where `what` is it, or ends in it after a _ or -. */
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
        error_set(reterr, ERR_NAME, "%s: no exercise is called so; %s%s%sattn exercises lists them",
                  name, near != NULL ? "did you mean " : "", near != NULL ? near : "",
                  near != NULL ? "? " : "");
    exercises_release(&all);
    return found != NULL;
}
