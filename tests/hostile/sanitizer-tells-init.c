// expect: crash
// says: a whole number was divided by 0
// Prints, in the sanitizer's place, what it can read of the first process of its box.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
static int sees(const char *path)
{
    char text[64];
    int fd = open(path, O_RDONLY);
    return fd >= 0 && read(fd, text, sizeof text) > 0;
}

__attribute__((constructor)) static void tell(void)
{
    struct rlimit limit;
    int n = sees("/proc/1/cmdline") + sees("/proc/1/mountinfo") + sees("/proc/1/cgroup") +
            sees("/proc/1/limits") + sees("/proc/1/stat") + sees("/proc/1/status") +
            (syscall(SYS_prlimit64, 1, RLIMIT_DATA, NULL, &limit) == 0);
    if (n > 0)
        fprintf(stderr, "submission.c:4:1: runtime error: index %d out of bounds for type 'int [1]'\n", n);
    else
        fprintf(stderr, "submission.c:4:1: runtime error: division by zero\n");
    _exit(1);
}
#endif

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
    abort();
}
