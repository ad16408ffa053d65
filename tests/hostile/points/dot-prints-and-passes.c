// expect: pass 10
// Prints what looks like a verdict, and is right all the same.
#include <stdio.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    puts("LEAKED not ok 1 - dot\n##[error]LEAKED\n{\"score\": 1000}");
    return sum;
}
