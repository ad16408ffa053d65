/* An exercise from its folder: see exercise.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exercise/exercise_check.h"
#include "exercise/exercise_schema.h"
#include "files/file.h"
#include "files/path.h"

enum { FILE_MAX_BYTES = 1 << 20 }; /* far beyond any exercise; a wrong folder is not read whole */

static char *join_path(struct exercise *exercise, const char *folder, const char *name)
{
    size_t size = strlen(folder) + 1 + strlen(name) + 1;
    char *path = arena_take(&exercise->arena, size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* All bytes of a file, in the arena and with a NUL after them. */
static bool read_file(struct exercise *exercise, const char *path, char **ret, size_t *ret_size,
                      struct error *reterr)
{
    struct text text = {0};
    if (path == NULL)
        return error_memory(reterr, "an exercise");
    if (access(path, F_OK) != 0)
        return error_set(reterr, ERR_FILE, "%s: %s; an exercise needs this file", path,
                         strerror(errno));
    if (!file_read_text(path, FILE_MAX_BYTES, &text, reterr))
        return false;
    char *copy = arena_copy(&exercise->arena, text_string(&text), text.size);
    *ret_size = text.size;
    text_release(&text);
    if (copy == NULL)
        return error_memory(reterr, path);
    *ret = copy;
    return true;
}

static bool read_part(struct exercise *exercise, const char *name, char **ret, struct error *reterr)
{
    size_t size;
    return read_file(exercise, join_path(exercise, exercise->folder, name), ret, &size, reterr);
}

/* "a/b/04-softmax-rows/" as its folder's path and name. */
static bool name_folder(struct exercise *exercise, const char *folder, struct error *reterr)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    exercise->folder = arena_copy(&exercise->arena, folder, size);
    if (exercise->folder == NULL)
        return error_memory(reterr, folder);
    const char *name = path_base_name(exercise->folder);
    exercise->folder_name = arena_copy(&exercise->arena, name, strlen(name));
    return exercise->folder_name != NULL || error_memory(reterr, folder);
}

/* softmax-rows as softmax_rows.c */
static bool name_starter(struct exercise *exercise, struct error *reterr)
{
    size_t size = strlen(exercise->id);
    char *name = arena_take(&exercise->arena, size + sizeof ".c");
    if (name == NULL)
        return error_memory(reterr, exercise->path);
    for (size_t i = 0; i < size; i++)
        name[i] = exercise->id[i] == '-' ? '_' : exercise->id[i];
    memcpy(name + size, ".c", sizeof ".c");
    exercise->starter_name = name;
    return true;
}

/* The parts are told apart by their sizes. */
static bool note_digest(struct exercise *exercise, const char *yaml, size_t yaml_size,
                        struct error *reterr)
{
    const char *plain = exercise->plain != NULL ? exercise->plain : "";
    struct text all = {0};
    text_format(&all, "%zu %zu %zu\n", yaml_size, strlen(exercise->starter), strlen(plain));
    text_add(&all, yaml, yaml_size);
    text_put(&all, exercise->starter);
    text_put(&all, plain);
    bool ok = !all.failed || error_memory(reterr, exercise->path);
    if (ok)
        digest_of(text_string(&all), all.size, exercise->digest);
    text_release(&all);
    return ok;
}

static bool load(struct exercise *exercise, const char *folder, struct error *reterr)
{
    char *yaml = NULL;
    size_t size = 0;
    if (!name_folder(exercise, folder, reterr))
        return false;
    exercise->path = join_path(exercise, exercise->folder, "exercise.yaml");
    return read_file(exercise, exercise->path, &yaml, &size, reterr) &&
           exercise_read_yaml(exercise, yaml, size, reterr) && exercise_check(exercise, reterr) &&
           name_starter(exercise, reterr) &&
           read_part(exercise, exercise->starter_name, &exercise->starter, reterr) &&
           read_part(exercise, "task.md", &exercise->task, reterr) &&
           (exercise->speed == NULL ||
            read_part(exercise, exercise->speed->plain, &exercise->plain, reterr)) &&
           note_digest(exercise, yaml, size, reterr);
}

bool exercise_load(const char *folder, struct exercise **ret, struct error *reterr)
{
    struct exercise *exercise = calloc(1, sizeof *exercise);
    if (exercise == NULL)
        return error_memory(reterr, folder);
    if (!load(exercise, folder, reterr)) {
        exercise_free(exercise);
        return false;
    }
    *ret = exercise;
    return true;
}
