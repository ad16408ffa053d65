/* Control groups: see cgroup_internal.h. */
#define _GNU_SOURCE
#include "sandbox/cgroup_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/kernel_file_internal.h"

static const char *const mount_points[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

enum { FILE_BYTES = 4096, REMOVE_TRIES = 50 };

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
        if ((at == words || at[-1] == ' ') && strchr(" \n", at[size]) != NULL)
            return true;
    return false;
}

/* ---- where ---- */

/* The group of version 2 that this process is in, as "/user.slice/..."; false: none. */
static bool own_group(char group[FILE_BYTES])
{
    char text[FILE_BYTES];
    char *line = kernel_file_read(text, sizeof text, "/proc/self/cgroup");
    for (; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, "0::/", 4) != 0)
            continue;
        snprintf(group, FILE_BYTES, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
        return true;
    }
    return false;
}

/* Whether groups made in folder have limits, and this process may make some and move there. */
static bool is_ours(const char *folder)
{
    char text[FILE_BYTES], procs[PATH_MAX];
    const char *controllers =
        kernel_file_read(text, sizeof text, "%s/cgroup.subtree_control", folder);
    snprintf(procs, sizeof procs, "%s/cgroup.procs", folder);
    return has_word(controllers, "memory") && has_word(controllers, "pids") &&
           access(folder, W_OK | X_OK) == 0 && access(procs, W_OK) == 0;
}

/* A group either holds processes or gives limits to groups in it; so it is the parent of our own
 * group that may be the place, or ours when it is the root. */
bool cgroup_parent(char path[PATH_MAX], struct error *reterr)
{
    char group[FILE_BYTES];
    if (!own_group(group))
        return error_set(reterr, ERR_FILE, "this system has no control groups of version 2");
    for (size_t i = 0; i < COUNT_OF(mount_points); i++) {
        snprintf(path, PATH_MAX, "%s%s", mount_points[i], strcmp(group, "/") == 0 ? "" : group);
        if (is_ours(path))
            return true;
        if (strlen(path) <= strlen(mount_points[i]))
            continue;
        *strrchr(path, '/') = '\0';
        if (is_ours(path))
            return true;
    }
    return error_set(reterr, ERR_FILE,
                     "no control group with limits of memory and processes may be made here");
}

/* ---- one group ---- */

static bool write_number(const char *folder, const char *name, size_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", number);
    return kernel_file_write(text, "%s/%s", folder, name);
}

bool cgroup_make(const char *parent, const struct box_limits *limits, struct cgroup *ret,
                 struct error *reterr)
{
    struct cgroup cgroup = {.procs_fd = -1};
    char procs[PATH_MAX + 16];
    int size = snprintf(cgroup.path, sizeof cgroup.path, "%s/attn-XXXXXX", parent);
    if (size < 0 || (size_t)size >= sizeof cgroup.path || mkdtemp(cgroup.path) == NULL)
        return error_set(reterr, ERR_FILE, "a control group in %s: %s", parent, strerror(errno));
    snprintf(procs, sizeof procs, "%s/cgroup.procs", cgroup.path);
    write_number(cgroup.path, "memory.swap.max", 0); /* not there where there is no swap */
    write_number(cgroup.path, "memory.oom.group", 1);
    if ((limits->memory_bytes == 0 ||
         write_number(cgroup.path, "memory.max", limits->memory_bytes)) &&
        /* Besides the limit's own two come attn's init, and one that forks it. */
        (limits->processes == 0 || write_number(cgroup.path, "pids.max", limits->processes + 2u)))
        cgroup.procs_fd = open(procs, O_WRONLY | O_CLOEXEC);
    if (cgroup.procs_fd < 0) {
        error_set(reterr, ERR_FILE, "a control group in %s: %s", parent, strerror(errno));
        cgroup_remove(&cgroup);
        return false;
    }
    *ret = cgroup;
    return true;
}

const char *cgroup_join(const struct cgroup *cgroup)
{
    return write(cgroup->procs_fd, "0", 1) == 1 ? NULL : "the control group";
}

bool cgroup_ran_out(const struct cgroup *cgroup)
{
    char text[FILE_BYTES];
    const char *line =
        strstr(kernel_file_read(text, sizeof text, "%s/memory.events", cgroup->path), "oom_kill ");
    return line != NULL && strtoul(line + strlen("oom_kill "), NULL, 10) > 0;
}

uint64_t cgroup_peak_bytes(const struct cgroup *cgroup)
{
    char text[FILE_BYTES];
    return strtoull(kernel_file_read(text, sizeof text, "%s/memory.peak", cgroup->path), NULL, 10);
}

void cgroup_remove(struct cgroup *cgroup)
{
    const struct timespec a_while = {.tv_nsec = 2000000};
    if (cgroup->path[0] == '\0')
        return;
    if (cgroup->procs_fd >= 0)
        close(cgroup->procs_fd);
    kernel_file_write("1", "%s/cgroup.kill", cgroup->path);
    /* Processes that were killed leave their group a moment later. */
    for (int i = 0; i < REMOVE_TRIES && rmdir(cgroup->path) != 0 && errno == EBUSY; i++)
        nanosleep(&a_while, NULL);
    *cgroup = (struct cgroup){.path = "", .procs_fd = -1};
}
