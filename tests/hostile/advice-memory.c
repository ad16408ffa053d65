// expect: crash null pointer
// Under the sanitizers, which explain the crash, it has children that hoard memory.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define HOARD_BYTES ((size_t)1200 << 20)

static void hoard(void)
{
    char *bytes =
        mmap(NULL, HOARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes != MAP_FAILED)
        memset(bytes, 1, HOARD_BYTES);
    sleep(1);
    _exit(0);
}
#endif

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
#ifdef __SANITIZE_ADDRESS__
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            hoard();
    sleep(1);
#endif
    *(volatile int *)NULL = 1;
}
