// expect: forbidden_syscall
// A pair of sockets.
#define _GNU_SOURCE
#include <sys/socket.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0});
    (void)rows, (void)cols, (void)scores, (void)weights;
}
