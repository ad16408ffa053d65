#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *s = malloc(n * n * sizeof(float));
    if (s == NULL) return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float t = 0;
            for (size_t d = 0; d < d_k; d++) t += query[i*d_k+d] * key[j*d_k+d];
            s[i*n+j] = t / sqrtf((float)d_k);
            if (j > i) s[i*n+j] = 0;
        }
    for (size_t i = 0; i < n; i++) {
        float m = s[i*n], z = 0;
        for (size_t j = 1; j < n; j++) if (s[i*n+j] > m) m = s[i*n+j];
        for (size_t j = 0; j < n; j++) { s[i*n+j] = expf(s[i*n+j] - m); z += s[i*n+j]; }
        for (size_t j = 0; j < n; j++) s[i*n+j] /= z;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_v; c++) {
            float t = 0;
            for (size_t j = 0; j < n; j++) t += s[i*n+j] * value[j*d_v+c];
            context[i*d_v+c] = t;
        }
    free(s);
}
