/* See kept_memory.h. */
#include "base/kept_memory.h"

#include <stdlib.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { KEPT = 512 << 20 };
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

size_t memory_peak_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
#ifdef __APPLE__
    return (size_t)usage.ru_maxrss;
#else
    return (size_t)usage.ru_maxrss * 1024;
#endif
}
