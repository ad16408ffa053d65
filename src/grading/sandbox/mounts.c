/* The files of a box: see mounts_internal.h. A small file system in memory becomes the root; copies
 * of the mounts that are to be seen are taken before it is there and hung up in it, read-only as a
 * whole. Of the old root nothing can be reached after that. */
#define _GNU_SOURCE
#include "sandbox/mounts_internal.h"

#include <errno.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

/* System calls that have the same numbers on all machines, and their constants: the C library's
 * header and the kernel's can't be included together, and old ones of both lack them. */
enum { OPEN_TREE = 428, MOVE_MOUNT = 429, MOUNT_SETATTR = 442 };
enum {
    TREE_CLONE = 1,
    TREE_RECURSIVE = 0x8000,
    MOVE_FROM_FD = 4,
    EMPTY_PATH = 0x1000,
    ATTR_RDONLY = 1,
    ATTR_NOSUID = 2,
    ATTR_NODEV = 4,
};

/* struct mount_attr: what to set, what to clear, propagation, a user namespace. */
typedef uint64_t mount_attributes[4];

enum { ROOT_MODE = 0755, ROOT_INODES_EMPTY = 4, ROOT_INODES = 256 };

/* Where the new root is put together: any folder that is always there. */
static const char *const building_sites[] = {"/tmp", "/var", "/usr"};

/* A read-only copy of the mount at path; -1 with errno. */
static int copy_tree(const struct visible_path *place)
{
    mount_attributes attributes = {ATTR_RDONLY | ATTR_NOSUID};
    if (place->kind != VISIBLE_DEVICE)
        attributes[0] |= ATTR_NODEV;
    int tree =
        (int)syscall(OPEN_TREE, AT_FDCWD, place->path, TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC);
    if (tree < 0)
        return -1;
    if (syscall(MOUNT_SETATTR, tree, "", EMPTY_PATH | TREE_RECURSIVE, attributes,
                sizeof attributes) == 0)
        return tree;
    int problem = errno;
    close(tree);
    errno = problem;
    return -1;
}

/* Makes the folders that lead to path, which is below the working directory. */
static bool make_parents(char *path)
{
    for (char *slash = path; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        bool ok = mkdir(path, ROOT_MODE) == 0 || errno == EEXIST;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

/* Puts a place into the new root, which is the working directory. */
static bool put_place(const struct visible_path *place, int tree)
{
    char path[VISIBLE_PATH_BYTES];
    snprintf(path, sizeof path, "%s", place->path + 1);
    if (!make_parents(path))
        return false;
    if (place->kind == VISIBLE_LINK)
        return symlink(place->target, path) == 0;
    if (place->kind == VISIBLE_FOLDER) {
        if (mkdir(path, ROOT_MODE) != 0 && errno != EEXIST)
            return false;
    } else {
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
        if (fd < 0 || close(fd) != 0)
            return false;
    }
    return syscall(MOVE_MOUNT, tree, "", AT_FDCWD, path, MOVE_FROM_FD) == 0;
}

static const char *put_work_folder(const struct mounts *mounts)
{
    char options[64];
    unsigned long flags = MS_NOSUID | MS_NODEV;
    if (!mounts->work_runs)
        flags |= MS_NOEXEC;
    snprintf(options, sizeof options, "mode=0700,nr_inodes=256,size=%zu", mounts->work_bytes);
    if (mkdir("w", 0700) != 0 || mount("work", "w", "tmpfs", flags, options) != 0)
        return "mounts: /w";
    return NULL;
}

/* Of /proc only the processes where the kernel can do that, and of these not the init, whose
 * arguments, mounts and groups are attn's: since Linux 5.8, hidepid=2 hides whatever the reader may
 * not trace. */
static const char *put_proc(void)
{
    static const char *const options[] = {"subset=pid,hidepid=2", "hidepid=2", NULL};
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mkdir("proc", 0555) != 0)
        return "mounts: /proc";
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (mount("proc", "proc", "proc", flags, options[i]) == 0)
            return NULL;
    return "mounts: /proc";
}

static bool open_building_site(bool empty)
{
    char options[64];
    snprintf(options, sizeof options, "mode=0755,size=%s,nr_inodes=%d", empty ? "4k" : "64k",
             empty ? ROOT_INODES_EMPTY : ROOT_INODES);
    for (size_t i = 0; i < COUNT_OF(building_sites); i++)
        if (mount("root", building_sites[i], "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) ==
                0 &&
            chdir(building_sites[i]) == 0)
            return true;
    return false;
}

/* The old root comes to lie on top of the new one, and is taken away. */
static const char *turn_over(void)
{
    if (syscall(SYS_pivot_root, ".", ".") != 0)
        return "mounts: pivot_root";
    if (umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return "mounts: the old root";
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
              NULL) != 0)
        return "mounts: a read-only root";
    return NULL;
}

const char *mounts_change_root(const struct mounts *mounts)
{
    const struct visible_paths *visible = mounts->visible;
    int trees[VISIBLE_MAX_PATHS] = {0}; /* the copy of each path; -1: a link needs none */
    const char *failed = NULL;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return "mounts: private ones";
    for (unsigned i = 0; i < visible->n; i++) {
        bool is_link = visible->paths[i].kind == VISIBLE_LINK;
        trees[i] = is_link ? -1 : copy_tree(&visible->paths[i]);
        if (trees[i] < 0 && !is_link)
            return "mounts: copies of the system's folders";
    }
    if (!open_building_site(visible->n == 0 && mounts->work_bytes == 0))
        return "mounts: a root in memory";
    for (unsigned i = 0; i < visible->n; i++)
        if (!put_place(&visible->paths[i], trees[i]))
            return "mounts: the system's folders";
    if (mounts->work_bytes > 0)
        failed = put_work_folder(mounts);
    if (failed == NULL && mounts->proc)
        failed = put_proc();
    return failed != NULL ? failed : turn_over();
}
