// expect: pass 10
// The compiler's counters and clocks change no answer.
#include <stddef.h>
enum { FIRST = __COUNTER__, SECOND = __COUNTER__ };

float dot(size_t n, const float *a, const float *b)
{
    float sum = (float)(SECOND - FIRST - 1) * (float)sizeof __TIME__;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
