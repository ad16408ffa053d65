// expect: forbidden_syscall
// Asks for executable memory.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)code;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
