// expect: wrong_answer 0
// An input again: b is all zeros in one case, where 0 is right.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)a;
    return b[n - 1];
}
