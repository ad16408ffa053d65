/* An exercise from its folder: see exercise.h. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise_check.h"
#include "exercise/exercise_schema.h"

enum { FILE_MAX_BYTES = 1 << 20 }; /* far beyond any exercise; a wrong folder is not read whole */

static char *join_path(struct exercise *exercise, const char *folder, const char *name)
{
    size_t size = strlen(folder) + 1 + strlen(name) + 1;
    char *path = arena_take(&exercise->arena, size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* All bytes of an open file, in the arena and with a NUL after them. */
static bool read_bytes(struct exercise *exercise, FILE *file, const char *path, char **ret,
                       size_t *ret_size, struct error *reterr)
{
    char *bytes = malloc(FILE_MAX_BYTES);
    if (bytes == NULL)
        return error_memory(reterr, path);
    size_t size = fread(bytes, 1, FILE_MAX_BYTES, file);
    char *copy = NULL;
    bool ok = true;
    if (ferror(file))
        ok = error_set(reterr, ERR_FILE, "%s: can't be read: %s", path, strerror(errno));
    else if (size == FILE_MAX_BYTES)
        ok = error_set(reterr, ERR_FILE, "%s: it is over %d bytes", path, FILE_MAX_BYTES - 1);
    else if (memchr(bytes, '\0', size) != NULL)
        ok = error_set(reterr, ERR_FILE, "%s: there is a zero byte in it", path);
    else if ((copy = arena_copy(&exercise->arena, bytes, size)) == NULL)
        ok = error_memory(reterr, path);
    free(bytes);
    if (ok) {
        *ret = copy;
        *ret_size = size;
    }
    return ok;
}

static bool read_file(struct exercise *exercise, const char *path, char **ret, size_t *ret_size,
                      struct error *reterr)
{
    if (path == NULL)
        return error_memory(reterr, "an exercise");
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s; an exercise needs this file", path,
                         strerror(errno));
    bool ok = read_bytes(exercise, file, path, ret, ret_size, reterr);
    fclose(file);
    return ok;
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
    size_t begin = size;
    while (begin > 0 && folder[begin - 1] != '/')
        begin--;
    exercise->folder = arena_copy(&exercise->arena, folder, size);
    exercise->folder_name = arena_copy(&exercise->arena, folder + begin, size - begin);
    return (exercise->folder != NULL && exercise->folder_name != NULL) ||
           error_memory(reterr, folder);
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
            read_part(exercise, exercise->speed->plain, &exercise->plain, reterr));
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
