// expect: forbidden_syscall
// Shared memory that outlives it.
#define _GNU_SOURCE
#include <sys/ipc.h>
#include <sys/shm.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
