/* Paths: see path.h. */
#include "files/path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool path_join(char *path, size_t capacity, const char *folder, const char *name)
{
    int size = strcmp(folder, ".") == 0 ? snprintf(path, capacity, "%s", name)
                                        : snprintf(path, capacity, "%s/%s", folder, name);
    return size > 0 && (size_t)size < capacity;
}

bool path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}
