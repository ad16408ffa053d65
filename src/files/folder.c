/* Folders: see folder.h. */
#include "files/folder.h"
#include "files/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

/* Cuts the last name off a path, so that it names the folder that holds it. */
static void cut_last_name(char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    while (size > 1 && path[size - 1] == '/')
        size--;
    path[size] = '\0';
    if (size == 0)
        snprintf(path, 2, ".");
}

/* Of a folder that is there. */
static int try_folder(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return errno;
    if (!S_ISDIR(info.st_mode))
        return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

int folder_can_be_filled(const char *folder)
{
    char *path = strdup(folder[0] != '\0' ? folder : ".");
    if (path == NULL)
        return ENOMEM;
    int problem = try_folder(path);
    while (problem == ENOENT && strcmp(path, "/") != 0 && strcmp(path, ".") != 0) {
        cut_last_name(path);
        problem = try_folder(path);
    }
    free(path);
    return problem;
}

int folder_can_hold(const char *file)
{
    char *path = strdup(file[0] != '\0' ? file : "."); /* room for "." */
    if (path == NULL)
        return ENOMEM;
    cut_last_name(path);
    int problem = try_folder(path);
    free(path);
    return problem;
}

void folder_clear_leftovers(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (file_is_abandoned(entry->d_name))
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
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
