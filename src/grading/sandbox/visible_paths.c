/* The places that a box shows: see visible_paths.h. */
#define _GNU_SOURCE
#include "sandbox/visible_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

/* Of /usr all but what no compiler reads; /usr/local is somebody's own. */
static const char *const system_folders[] = {
    "/usr/bin",   "/usr/sbin",   "/usr/lib",     "/usr/lib32",
    "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/include",
};

/* Links into /usr on most systems, folders of their own on others. */
static const char *const root_folders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

/* cc is a link into the first on Debian; the second tells the dynamic linker where it finds
 * libraries. */
static const char *const settings[] = {"/etc/alternatives", "/etc/ld.so.cache"};

/* Systems that keep every program below one folder, each needing many others there. */
static const char *const stores[] = {"/nix/store", "/gnu/store"};

/* What lies beside a compiler's folder bin. Not share: no compiler reads it, and the right
 * solutions lie there where attn was installed below the same prefix. */
static const char *const siblings[] = {"bin", "lib", "lib32", "lib64", "libexec", "include"};

static bool is_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* Whether it is a visible path already, or in a folder that is one. */
static bool is_seen(const struct visible_paths *visible, const char *path)
{
    for (unsigned i = 0; i < visible->n; i++) {
        const struct visible_path *place = &visible->paths[i];
        if (place->kind == VISIBLE_FOLDER ? is_below(path, place->path)
                                          : strcmp(path, place->path) == 0)
            return true;
    }
    return false;
}

static struct visible_path *add(struct visible_paths *visible, enum visible_kind kind,
                                const char *path)
{
    if (visible->n == VISIBLE_MAX_PATHS || strlen(path) >= VISIBLE_PATH_BYTES)
        return NULL;
    struct visible_path *place = &visible->paths[visible->n++];
    place->kind = kind;
    snprintf(place->path, sizeof place->path, "%s", path);
    return place;
}

static void add_link(struct visible_paths *visible, const char *path)
{
    char target[sizeof visible->paths->target];
    ssize_t size = readlink(path, target, sizeof target);
    if (size <= 0 || (size_t)size == sizeof target)
        return;
    struct visible_path *place = add(visible, VISIBLE_LINK, path);
    if (place != NULL)
        snprintf(place->target, sizeof place->target, "%.*s", (int)size, target);
}

/* Adds path as what it is, where it is there and not yet seen. */
static void add_path(struct visible_paths *visible, const char *path)
{
    struct stat status;
    if (is_seen(visible, path) || lstat(path, &status) != 0)
        return;
    if (S_ISLNK(status.st_mode))
        add_link(visible, path);
    else if (S_ISDIR(status.st_mode))
        add(visible, VISIBLE_FOLDER, path);
    else if (S_ISREG(status.st_mode))
        add(visible, VISIBLE_FILE, path);
    else if (S_ISCHR(status.st_mode))
        add(visible, VISIBLE_DEVICE, path);
}

static void add_paths(struct visible_paths *visible, const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_path(visible, paths[i]);
}

/* The folders beside the compiler's own, which must be called bin: a compiler that lies anywhere
 * else, in a home folder say, is shown alone. */
static void add_siblings(struct visible_paths *visible, const char *program)
{
    char path[VISIBLE_PATH_BYTES];
    const char *name = strrchr(program, '/');
    size_t bin = name == NULL ? 0 : (size_t)(name - program);
    if (bin < 4 || memcmp(program + bin - 4, "/bin", 4) != 0) {
        add_path(visible, program);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(siblings); i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(bin - 4), program, siblings[i]);
        add_path(visible, path);
    }
}

static void add_program(struct visible_paths *visible, const char *program)
{
    for (size_t i = 0; i < COUNT_OF(stores); i++)
        if (is_below(program, stores[i]))
            add_path(visible, stores[i]);
    if (!is_seen(visible, program))
        add_siblings(visible, program);
}

bool visible_paths_show(enum box_kind kind, const char *program, const char *path)
{
    struct visible_paths visible;
    char real[PATH_MAX];
    visible_paths_of(kind, program, NULL, &visible);
    return is_seen(&visible, realpath(path, real) != NULL ? real : path);
}

void visible_paths_of(enum box_kind kind, const char *program, const char *shows,
                      struct visible_paths *ret)
{
    char real[PATH_MAX];
    ret->n = 0;
    if (kind == BOX_RUN)
        return;
    add_paths(ret, system_folders, COUNT_OF(system_folders));
    add_paths(ret, root_folders, COUNT_OF(root_folders));
    add_paths(ret, settings, COUNT_OF(settings));
    add_path(ret, "/dev/null");
    if (kind == BOX_COMPILE && program != NULL) {
        add_program(ret, program);
        if (realpath(program, real) != NULL && strlen(real) < VISIBLE_PATH_BYTES)
            add_program(ret, real);
    }
    if (shows != NULL && realpath(shows, real) != NULL)
        add_path(ret, real);
}
