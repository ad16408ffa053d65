// expect: exited_early 0
// Tells an input by its exit code.
#include <stdlib.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)b;
    exit((int)(a[0] * 16) & 127);
}
