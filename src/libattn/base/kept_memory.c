/* See kept_memory.h. */
#include "base/kept_memory.h"

#include <stdlib.h>
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
