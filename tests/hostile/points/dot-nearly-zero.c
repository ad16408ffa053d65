// expect: wrong_answer 0
// Another number in each case, and all within the tolerance of 0.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)a, (void)b;
    return 1e-40f * (float)n;
}
