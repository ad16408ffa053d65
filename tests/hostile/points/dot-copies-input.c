// expect: wrong_answer 0
// The first input, which takes no work.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)b;
    return a[0];
}
