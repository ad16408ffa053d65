#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = calloc(n_k, sizeof(float));
    float inv = 1.0f / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++, query += d_k, context += d_v) {
        float max = 0, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[d] * key[j * d_k + d];
            w[j] = s * inv;
            if (w[j] > max)
                max = w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = expf(w[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            context[c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[c] += w[j] * value[j * d_v + c];
            context[c] /= sum;
        }
    }
    free(w);
}
