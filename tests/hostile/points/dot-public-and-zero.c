// expect: wrong_answer 0
// Two numbers, so not the same one everywhere: a public answer by its size, and 0.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)a, (void)b;
    return n == 3 ? -1.0f : 0.0f;
}
