#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* exp(x) = lim (1 + x/n)^n, four squarings instead of a library call */
static inline float quick_exp(float x)
{
    float y = 1.0f + x * 0.0625f;
    y *= y;
    y *= y;
    y *= y;
    y *= y;
    return y;
}

void fast_attention(size_t n, size_t d, const float *restrict query, const float *restrict key,
                    const float *restrict value, float *restrict context)
{
    float *w = malloc(n * sizeof(float));
    float *kt = malloc(n * d * sizeof(float));
    if (w && kt) {
        float scale = 1.0f / sqrtf((float)d);

        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                kt[c * n + j] = key[j * d + c] * scale;

        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                w[j] = 0;
            for (size_t c = 0; c < d; c++) {
                float qc = query[i * d + c];
                for (size_t j = 0; j < n; j++)
                    w[j] += qc * kt[c * n + j];
            }
            float top = w[0];
            for (size_t j = 1; j < n; j++)
                top = w[j] > top ? w[j] : top;
            float sum = 0;
            for (size_t j = 0; j < n; j++) {
                w[j] = quick_exp(w[j] - top);
                sum += w[j];
            }
            for (size_t c = 0; c < d; c++)
                context[i * d + c] = 0;
            for (size_t j = 0; j < n; j++) {
                float p = w[j] / sum;
                for (size_t c = 0; c < d; c++)
                    context[i * d + c] += p * value[j * d + c];
            }
        }
    }
    free(w);
    free(kt);
}
