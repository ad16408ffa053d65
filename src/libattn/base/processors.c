/* See processors.h. */
#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include "base/processors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t online(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
#else
    return 1;
#endif
}

size_t processors_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (size_t)CPU_COUNT(&set);
#endif
    return online();
}

int processors_here(void)
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

/* Linux's /proc/loadavg: three averages, then "RUNNABLE/ALL". */
bool processors_demand(size_t *ret_n)
{
    char text[128];
    int before = errno;
    int fd = processors_count() == online() ? open("/proc/loadavg", O_RDONLY | O_CLOEXEC) : -1;
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    errno = before;
    if (size <= 0)
        return false;
    text[size] = '\0';
    const char *slash = strchr(text, '/');
    while (slash != NULL && slash > text && slash[-1] != ' ')
        slash--;
    size_t n = slash != NULL ? (size_t)strtoul(slash, NULL, 10) : 0;
    if (n > 0) /* the caller runs: 0 is from a system that only has the file's form */
        *ret_n = n;
    return n > 0;
}
