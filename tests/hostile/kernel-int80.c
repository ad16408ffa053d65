// expect: forbidden_syscall|crash
// The 32-bit door: fork by int 0x80. A kernel that has no such door ends the program by SIGSEGV.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(2L) : "memory");
    weights[0] = (float)result;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
