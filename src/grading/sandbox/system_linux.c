/* The calls of system.h, as Linux has them. */
#define _GNU_SOURCE
#include "sandbox/system.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/kernel_file_internal.h"

enum { MAX_ROUNDS = 2000 }; /* of a millisecond and more: then orphans can't be ended */

void system_give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Not getrusage(), which counts what the program held that became this one. */
size_t system_peak_bytes(void)
{
    static const char key[] = "\nVmHWM:";
    char text[4096];
    const char *found = strstr(kernel_file_read(text, sizeof text, "/proc/self/status"), key);
    return found != NULL ? (size_t)strtoull(found + sizeof key - 1, NULL, 10) * 1024 : 0;
}

bool system_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && syncfs(fd) == 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return ok;
}

void system_stay_on_processor(struct system_processor_set *ret_before)
{
    cpu_set_t all, one;
    int here = sched_getcpu();
    CPU_ZERO(&one);
    *ret_before = (struct system_processor_set){.known = false};
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    CPU_SET((size_t)here, &one);
    memcpy(ret_before->bits, &all, sizeof all);
    ret_before->known = sched_setaffinity(0, sizeof one, &one) == 0;
}

void system_leave_processor(const struct system_processor_set *before)
{
    cpu_set_t all;
    static_assert(sizeof all == sizeof before->bits, "as many processors as the system's own set");
    memcpy(&all, before->bits, sizeof all);
    if (before->known)
        sched_setaffinity(0, sizeof all, &all);
}

bool system_random(void *bytes, size_t size)
{
    return getrandom(bytes, size, 0) == (ssize_t)size;
}

void system_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void system_adopt_orphans(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    if (processes == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char line[512];
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        kernel_file_read(line, sizeof line, "/proc/%s/stat", entry->d_name);
        const char *name_end = strrchr(line, ')'); /* a name can hold anything */
        if (name_end != NULL && strlen(name_end) > 4 &&
            (pid_t)strtol(name_end + 4, NULL, 10) == getpid()) /* its parent */
            kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    }
    closedir(processes);
}

/* Takes those that ended; false when there is no child any more. */
static bool reap(void)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return pid == 0 || errno != ECHILD;
}

/* Each that ends leaves its own children to us, for the next round. */
void system_end_orphans(bool alone)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < MAX_ROUNDS && reap(); i++) {
        if (alone) {
            kill(-1, SIGKILL);
            while (waitpid(-1, NULL, 0) > 0)
                ;
        } else {
            kill_children();
            nanosleep(&a_while, NULL);
        }
    }
}

const char *system_program_path(const char *called, char path[SYSTEM_PATH_BYTES])
{
    (void)called;
    static const char link[] = "/proc/self/exe";
    char found[SYSTEM_PATH_BYTES];
    ssize_t size = readlink(link, found, sizeof found - 1);
    found[size > 0 ? size : 0] = '\0';
    if (size > 0 && access(found, X_OK) == 0)
        return memcpy(path, found, (size_t)size + 1);
    return access(link, X_OK) == 0 ? link : NULL; /* it was replaced by a newer one */
}

/* Programs come back in such files, so they must be executable where systems ask (since 6.3). */
int system_memory_file(void)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING, executable = 0x10;
    int fd = memfd_create("attn", flags | executable);
    return fd >= 0 || errno != EINVAL ? fd : memfd_create("attn", flags);
}

bool system_memory_file_keep_size(int fd)
{
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

/* A program can't be executed while somebody holds a descriptor that writes to it. */
int system_memory_file_read_only(int fd)
{
    char path[48];
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}
