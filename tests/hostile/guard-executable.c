// expect: forbidden_syscall
// Makes memory executable.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    mprotect((char *)((uintptr_t)weights & ~(uintptr_t)4095), 4096, PROT_READ | PROT_EXEC);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
