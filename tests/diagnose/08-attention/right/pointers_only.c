#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *const w = malloc(n_k * sizeof *w), *const w_end = w + n_k;
    const float s = 1 / sqrtf((float)d_k);
    while (w != NULL && n_q-- > 0) {
        const float *k = key;
        float top = -INFINITY, z = 0;
        for (float *p = w; p != w_end; top = fmaxf(top, *p++)) {
            *p = 0;
            for (const float *q = query; q != query + d_k;)
                *p += *q++ * *k++;
            *p *= s;
        }
        for (float *p = w; p != w_end; p++)
            z += *p = expf(*p - top);
        for (size_t c = 0; c < d_v; c++, context++) {
            const float *v = value + c;
            *context = 0;
            for (float *p = w; p != w_end; p++, v += d_v)
                *context += *p / z * *v;
        }
        query += d_k;
    }
    free(w);
}
