// expect: wrong_answer|non_finite 0
// Answers with what lies on the stack, in the hope that an answer is left there.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    volatile float left[64];
    float sum = 0;
    (void)a, (void)b;
    for (size_t i = 0; i < 64; i++)
        sum += left[i] == left[i] ? left[i] : 0;
    return sum + (float)n * 1e-3f;
}
