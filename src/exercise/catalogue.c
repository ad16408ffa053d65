/* The exercises by the names of their folders: see catalogue.h. */
#include "exercise/catalogue.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/progress/progress.h"
#include "files/path.h"

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
