/* Folders: see folder.h. */
#include "files/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that is there counts as made, also where nothing new may be made there. */
static int make_folder(const char *path, mode_t mode)
{
    struct stat info;
    if (mkdir(path, mode) == 0)
        return 0;
    int problem = errno;
    if (stat(path, &info) != 0)
        return problem;
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

int folder_make_parents(const char *path, bool private)
{
    if (path[0] == '\0')
        return ENOENT;
    char *copy = strdup(path);
    int problem = copy == NULL ? ENOMEM : 0;
    for (char *slash = copy; problem == 0 && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        problem = make_folder(copy, private ? 0700 : 0777);
        *slash = '/';
    }
    free(copy);
    return problem;
}

bool folder_state_path(const char *name, char *path, size_t capacity)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int size;
    if (state != NULL && state[0] == '/') /* a relative one is to be ignored, says its standard */
        size = snprintf(path, capacity, "%s/attn/%s", state, name);
    else if (home != NULL && home[0] == '/')
        size = snprintf(path, capacity, "%s/.local/state/attn/%s", home, name);
    else
        return false;
    return size > 0 && (size_t)size < capacity;
}
