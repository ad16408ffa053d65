/* The calls of system.h, as Linux has them. */
#define _GNU_SOURCE
#include "sandbox/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

unsigned system_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

bool system_random(void *bytes, size_t size)
{
    return getrandom(bytes, size, 0) == (ssize_t)size;
}

void system_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
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
