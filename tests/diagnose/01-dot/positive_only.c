#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float match = 0.0f;
    for (size_t i = 0; i < n; i++) {
        float p = a[i] * b[i];
        if (p > 0)
            match += p; // only what goes together counts
    }
    return match;
}
