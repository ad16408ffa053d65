/* Four sums side by side, as fast code does it, with what remains added at the end. */
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t lane = 0; lane < 4; lane++)
            sums[lane] += a[i + lane] * b[i + lane];
    }
    float rest = 0.0f;
    for (; i < n; i++)
        rest += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}
