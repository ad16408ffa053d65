#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *v = malloc(n * d_v * sizeof *v);
    float *q = malloc(n * d_k * sizeof *q);
    float *k = malloc(n * d_k * sizeof *k);
    float *s = malloc(n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d_k; c++) {
            q[i * d_k + c] = k[i * d_k + c] = 0;
            for (size_t m = 0; m < d_model; m++) {
                q[i * d_k + c] += x[i * d_model + m] * w_query[m * d_k + c];
                k[i * d_k + c] += x[i * d_model + m] * w_key[m * d_k + c];
            }
        }
        for (size_t c = 0; c < d_v; c++) {
            v[i * d_v + c] = 0;
            for (size_t m = 0; m < d_model; m++)
                v[i * d_v + c] += x[i * d_model + m] * w_value[m * d_v + c];
            v[i * d_v + c] /= sqrtf((float)d_k);
        }
    }
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += q[i * d_k + d] * k[j * d_k + d];
            s[j] = dot / sqrtf((float)d_k);
            top = fmaxf(top, s[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += s[j] = expf(s[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += s[j] * v[j * d_v + c];
            context[i * d_v + c] = mix / sum;
        }
    }
    free(q); free(k); free(v); free(s);
}
