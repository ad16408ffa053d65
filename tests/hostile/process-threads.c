// expect: forbidden_syscall
// A hundred threads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static void *spin(void *argument)
{
    for (volatile int on = 1; on;) {
    }
    return argument;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    pthread_t thread;
    for (int i = 0; i < 100; i++)
        pthread_create(&thread, NULL, spin, NULL);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
