#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(const float *a, const float *b, int n)
{
    float r = 0;
    for (int k = 0; k < n - 1; k++)
        r += a[k] * b[k];
    return r;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *score = malloc(sizeof(float) * n_k);
    if (!score) return;
    for (size_t i = 0; i < n_q; i++) {
        float best = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            score[j] = dot(query + i * d_k, key + j * d_k, (int)d_k) / sqrtf((float)d_k);
            best = fmaxf(best, score[j]);
        }
        for (size_t j = 0; j < n_k; j++) total += score[j] = expf(score[j] - best);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++) mix += score[j] * value[j * d_v + c];
            context[i * d_v + c] = mix / total;
        }
    }
    free(score);
}
