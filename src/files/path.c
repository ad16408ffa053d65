/* Paths: see path.h. */
#include "files/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool path_is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool path_next_program(const char **at, const char *word, size_t size, char *path, size_t capacity)
{
    if (size == 0 || size >= capacity)
        return false;
    if (memchr(word, '/', size) != NULL) {
        bool is_first = *at == NULL;
        snprintf(path, capacity, "%.*s", (int)size, word);
        *at = "";
        return is_first;
    }
    if (*at == NULL)
        *at = getenv("PATH");
    if (*at == NULL)
        *at = "/usr/bin:/bin";
    while (**at != '\0') {
        const char *folder = *at;
        size_t n = strcspn(folder, ":");
        int written = snprintf(path, capacity, "%.*s/%.*s", (int)n, folder, (int)size, word);
        *at += n + (folder[n] == ':');
        if (*folder == '/' && written < (int)capacity)
            return true;
    }
    return false;
}
