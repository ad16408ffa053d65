// expect: forbidden_syscall 0
// Reads the results of others.
#include <stdio.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)a, (void)b;
    FILE *file = fopen("results.json", "r");
    return file != NULL ? 1 : 0;
}
