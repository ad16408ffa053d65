/* Landlock: see landlock_internal.h. The kernel's own interface, since headers lag behind kernels
 * by years: every right that the running kernel knows is taken away, whatever the headers know. */
#define _GNU_SOURCE
#include "sandbox/landlock_internal.h"

#include <errno.h>

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Three system calls with the same numbers on all machines. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_REG = 1 << 8,
    FS_TRUNCATE = 1 << 14,
};

struct ruleset {
    uint64_t fs, net, scope;
};

struct rule {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

/* All rights that a version knows. */
static struct ruleset everything(long version)
{
    static const uint64_t fs[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};
    struct ruleset ruleset = {.fs = fs[version < 0 ? 0 : version < 5 ? version : 5]};
    if (version >= 4)
        ruleset.net = 0x3; /* to bind and to connect TCP sockets */
    if (version >= 6)
        ruleset.scope = 0x3; /* abstract sockets of, and signals to, those outside */
    return ruleset;
}

/* Files in memory belong to no tree that a rule could name, and need none: EBADFD. */
static bool allow_fd(int rules, int fd, uint64_t allowed)
{
    struct rule rule = {allowed, fd};
    return syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) == 0 || errno == EBADFD;
}

static bool allow_path(int rules, const char *path, uint64_t allowed)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = allow_fd(rules, fd, allowed);
    int problem = errno;
    close(fd);
    errno = problem;
    return ok;
}

/* What a place allows; a link is followed to places that have rules of their own. */
static uint64_t rights_of(enum visible_kind kind)
{
    switch (kind) {
    case VISIBLE_FOLDER:
        return FS_READ_FILE | FS_READ_DIR | FS_EXECUTE;
    case VISIBLE_FILE:
        return FS_READ_FILE | FS_EXECUTE;
    case VISIBLE_DEVICE:
        return FS_READ_FILE | FS_WRITE_FILE;
    case VISIBLE_LINK:
        break;
    }
    return 0;
}

static const char *add_rules(int rules, const struct visible_paths *visible,
                             const char *work_folder, const char *proc_folder, int program_fd,
                             uint64_t known)
{
    const uint64_t work = FS_READ_FILE | FS_READ_DIR | FS_EXECUTE | FS_WRITE_FILE | FS_REMOVE_FILE |
                          FS_MAKE_REG | FS_TRUNCATE;
    if (program_fd >= 0 && !allow_fd(rules, program_fd, FS_EXECUTE | FS_READ_FILE))
        return "Landlock: the program";
    for (unsigned i = 0; i < visible->n; i++) {
        uint64_t rights = rights_of(visible->paths[i].kind);
        if (rights != 0 && !allow_path(rules, visible->paths[i].path, rights))
            return "Landlock: the system's files";
    }
    if (work_folder != NULL && !allow_path(rules, work_folder, work & known))
        return "Landlock: the work folder";
    if (proc_folder != NULL && !allow_path(rules, proc_folder, FS_READ_FILE | FS_READ_DIR))
        return "Landlock: /proc";
    return NULL;
}

const char *landlock_confine(const struct visible_paths *visible, const char *work_folder,
                             const char *proc_folder, int program_fd)
{
    long version = syscall(CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION); /* < 0: no Landlock */
    struct ruleset all = everything(version);
    size_t n_bytes = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(CREATE_RULESET, &all, n_bytes, 0);
    if (rules < 0)
        return "Landlock";
    const char *failed = add_rules(rules, visible, work_folder, proc_folder, program_fd, all.fs);
    if (failed == NULL && syscall(RESTRICT_SELF, rules, 0) != 0)
        failed = "Landlock: to confine itself";
    int problem = errno;
    close(rules);
    errno = problem;
    return failed;
}
