// expect: forbidden_syscall
// A message queue that outlives it.
#define _GNU_SOURCE
#include <sys/ipc.h>
#include <sys/msg.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
