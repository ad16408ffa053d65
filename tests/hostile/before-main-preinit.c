// expect: forbidden_syscall
// A function in .preinit_array makes a socket.
#define _GNU_SOURCE
#include <sys/socket.h>
#include <stddef.h>

static void early(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = early;

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
