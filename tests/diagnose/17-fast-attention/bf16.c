#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *kt = malloc(n * d * sizeof *kt), *s = malloc(n * sizeof *s);
    float scale = 1.0f / sqrtf((float)d);
    for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < d; c++)
            kt[c * n + j] = key[j * d + c];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            s[j] = 0;
        for (size_t c = 0; c < d; c++) {
            float qc = query[i * d + c] * scale;
            qc = roundf(qc * 256) / 256;
            for (size_t j = 0; j < n; j++)
                s[j] += qc * kt[c * n + j];
        }
        float top = s[0];
        for (size_t j = 1; j < n; j++)
            top = s[j] > top ? s[j] : top;
        float sum = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = expf(s[j] - top);
            sum += s[j];
        }
        float *o = context + i * d;
        for (size_t c = 0; c < d; c++)
            o[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float w = s[j] / sum;
            for (size_t c = 0; c < d; c++)
                o[c] += w * value[j * d + c];
        }
    }
    free(kt);
    free(s);
}

