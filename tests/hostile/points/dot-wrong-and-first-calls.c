// expect: wrong_answer 0 nondeterministic
// Wrong for short vectors, and right as often as there are cases, then wrong.
#include <stddef.h>
static int calls;

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    if (n < 4)
        sum += 1;
    return calls++ < 12 ? sum : 0;
}
