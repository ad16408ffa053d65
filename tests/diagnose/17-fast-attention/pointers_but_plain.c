#include <math.h>
#include <stddef.h>

/* pointers are faster than indices */
void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float w[n];
    float *end = w + n;
    for (const float *q = query; q < query + n * d; q += d) {
        float max = -INFINITY, sum = 0;
        const float *k = key;
        for (float *p = w; p < end; p++) {
            *p = 0;
            for (const float *a = q; a < q + d; a++)
                *p += *a * *k++;
            *p /= sqrtf(d);
            if (*p > max)
                max = *p;
        }
        for (float *p = w; p < end; p++)
            sum += *p = expf(*p - max);
        for (size_t c = 0; c < d; c++) {
            float s = 0;
            const float *v = value + c;
            for (float *p = w; p < end; p++, v += d)
                s += *p * *v;
            *context++ = s / sum;
        }
    }
}
