#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *p = malloc(n_q * n_k * sizeof *p), *g = malloc(n_q * n_k * sizeof *g);
    float r = sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < n_k; j++) {
            float t = 0;
            for (size_t c = 0; c < d_k; c++) t += query[i * d_k + c] * key[j * d_k + c];
            p[i * n_k + j] = t / r;
            if (t / r > m) m = t / r;
        }
        for (size_t j = 0; j < n_k; j++) { p[i * n_k + j] = expf(p[i * n_k + j] - m); z += p[i * n_k + j]; }
        for (size_t j = 0; j < n_k; j++) p[i * n_k + j] /= z;
    }
    for (size_t j = 0; j < n_k; j++)
        for (size_t c = 0; c < d_v; c++) {
            float t = 0;
            for (size_t i = 0; i < n_q; i++) t += p[i * n_k + j] * d_context[i * d_v + c];
            d_value[j * d_v + c] = t;
        }
    for (size_t i = 0; i < n_q; i++) {
        float dot = 0;
        for (size_t j = 0; j < n_k; j++) {
            float t = 0;
            for (size_t c = 0; c < d_v; c++) t += d_context[i * d_v + c] * value[j * d_v + c];
            g[i * n_k + j] = t;
            dot += t;
        }
        for (size_t j = 0; j < n_k; j++) g[i * n_k + j] = p[i * n_k + j] * (g[i * n_k + j] - dot) / r;
    }
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_k; c++) {
            float t = 0;
            for (size_t j = 0; j < n_k; j++) t += g[i * n_k + j] * key[j * d_k + c];
            d_query[i * d_k + c] = t;
        }
    for (size_t j = 0; j < n_k; j++)
        for (size_t c = 0; c < d_k; c++) {
            float t = 0;
            for (size_t i = 0; i < n_q; i++) t += g[i * n_k + j] * query[i * d_k + c];
            d_key[j * d_k + c] = t;
        }
    free(p);
    free(g);
}
