// expect: forbidden_syscall
// A socket to the machine below the machine.
#define _GNU_SOURCE
#include <sys/socket.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    socket(40, SOCK_STREAM, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
