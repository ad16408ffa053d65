// expect: forbidden_syscall
// An IFUNC resolver, which runs before anything else, opens a file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

static void real(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}

void (*resolve(void))(size_t, size_t, const float *, float *);
void (*resolve(void))(size_t, size_t, const float *, float *)
{
    call(SYS_open, (long)"/etc/passwd", O_RDONLY, 0);
    return real;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
    __attribute__((ifunc("resolve")));
