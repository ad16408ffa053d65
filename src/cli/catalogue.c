/* The exercises by their folders' names: see catalogue.h. */
#include "cli/catalogue.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "files/path.h"

static bool is_exercise(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' &&
           strlen(name) < sizeof((struct catalogue_entry *)NULL)->id;
}

static struct catalogue_entry entry_of(const char *folder_name)
{
    struct catalogue_entry entry = {.number = (unsigned)strtoul(folder_name, NULL, 10)};
    snprintf(entry.id, sizeof entry.id, "%s", folder_name + 3);
    snprintf(entry.folder_name, sizeof entry.folder_name, "%s", folder_name);
    snprintf(entry.file_name, sizeof entry.file_name, "%s.c", folder_name);
    for (char *c = entry.file_name; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
    return entry;
}

static bool add_entry(struct catalogue *catalogue, const char *name, struct error *reterr)
{
    struct catalogue_entry *entries =
        array_grow(catalogue->entries, catalogue->n, &catalogue->capacity, sizeof *entries);
    if (entries == NULL)
        return error_memory(reterr, "the exercises");
    catalogue->entries = entries;
    entries[catalogue->n++] = entry_of(name);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct catalogue_entry *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

static bool read_folder(struct catalogue *catalogue, struct error *reterr)
{
    DIR *folder = opendir(catalogue->folder);
    bool ok = true;
    if (folder == NULL)
        return error_set(reterr, ERR_FILE,
                         "%s: %s; set ATTN_DATA_DIR to the folder that holds exercises/",
                         catalogue->folder, strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(folder)) != NULL;)
        if (is_exercise(entry->d_name))
            ok = add_entry(catalogue, entry->d_name, reterr);
    closedir(folder);
    if (catalogue->n > 0)
        qsort(catalogue->entries, catalogue->n, sizeof *catalogue->entries, by_number);
    return ok;
}

static bool need_data(struct text *folder, struct error *reterr)
{
    if (data_dir() == NULL)
        return error_set(reterr, ERR_FILE,
                         "the exercises: not found; set ATTN_DATA_DIR to the folder that holds "
                         "exercises/");
    text_format(folder, "%s/exercises", data_dir());
    return !folder->failed || error_memory(reterr, "the exercises");
}

bool catalogue_open(struct catalogue *ret, struct error *reterr)
{
    struct text folder = {0};
    if (!need_data(&folder, reterr)) {
        text_release(&folder);
        return false;
    }
    struct catalogue catalogue = {.folder = folder.bytes};
    if (!read_folder(&catalogue, reterr)) {
        catalogue_release(&catalogue);
        return false;
    }
    *ret = catalogue;
    return true;
}

void catalogue_release(struct catalogue *catalogue)
{
    free(catalogue->folder);
    free(catalogue->entries);
    *catalogue = (struct catalogue){0};
}

static bool is_called(const struct catalogue_entry *entry, const char *name)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    bool is_number = isdigit((unsigned char)name[0]) && *end == '\0';
    return is_number
               ? number == entry->number
               : strcmp(name, entry->id) == 0 || strcmp(name, entry->folder_name) == 0 ||
                     strcmp(name, entry->file_name) == 0 || strcmp(name, entry->file_name + 3) == 0;
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

/* By names that only the exercises themselves tell, such as a function's. */
static bool find_among_all(const char *name, struct exercise **ret, struct error *reterr)
{
    struct exercises all;
    if (!exercises_load(data_dir(), &all, reterr))
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

bool catalogue_find(const struct catalogue *catalogue, const char *name, struct exercise **ret,
                    struct error *reterr)
{
    const struct catalogue_entry *entry = catalogue_entry(catalogue, name);
    return entry != NULL ? catalogue_load(catalogue, entry, ret, reterr)
                         : find_among_all(name, ret, reterr);
}
