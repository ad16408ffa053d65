// expect: forbidden_syscall 0
// Reads its arguments as the system tells them.
#include <fcntl.h>
#include <unistd.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)a, (void)b;
    char line[256];
    int fd = open("/proc/self/cmdline", O_RDONLY);
    return fd >= 0 ? (float)read(fd, line, sizeof line) : 0;
}
