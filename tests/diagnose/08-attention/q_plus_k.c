#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(sizeof(float) * n_k);
    for (size_t i = 0; i < n_q; i++) {
        float mx = -INFINITY, sm = 0;
        for (size_t j = 0; j < n_k; j++) {
            float sim = 0;
            for (size_t d = 0; d < d_k; d++)
                sim += query[i * d_k + d] + key[j * d_k + d];
            w[j] = sim / sqrtf(d_k);
            mx = fmaxf(mx, w[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sm += w[j] = expf(w[j] - mx);
        for (size_t c = 0; c < d_v; c++) {
            float o = 0;
            for (size_t j = 0; j < n_k; j++)
                o += w[j] * value[j * d_v + c];
            context[i * d_v + c] = o / sm;
        }
    }
    free(w);
}
