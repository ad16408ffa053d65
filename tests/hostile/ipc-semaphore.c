// expect: forbidden_syscall
// A semaphore that outlives it.
#define _GNU_SOURCE
#include <sys/ipc.h>
#include <sys/sem.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
