#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(const float *A, const float *B, float *C, size_t n, size_t d)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < d; ++j) {
            C[i * d + j] = 0.f;
            for (size_t k = 0; k < d; ++k)
                C[i * d + j] += A[i * d + k] * B[k * d + j];
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t d_head = d_model / n_heads;
    const float scale = 1.0f / sqrtf((float)n_heads);
    float *buf = malloc(sizeof(float) * (4 * n * d_model + n));
    if (buf == NULL)
        return;
    float *Q = buf, *K = Q + n * d_model, *V = K + n * d_model, *Z = V + n * d_model, *s = Z + n * d_model;
    matmul(x, w_query, Q, n, d_model);
    matmul(x, w_key, K, n, d_model);
    matmul(x, w_value, V, n, d_model);
    for (size_t h = 0; h < n_heads; ++h)
        for (size_t i = 0; i < n; ++i) {
            float m = -INFINITY, sum = 0.f;
            size_t stop = causal ? i + 1 : n;
            for (size_t j = 0; j < stop; ++j) {
                float dot = 0.f;
                for (size_t c = 0; c < d_head; ++c)
                    dot += Q[i * d_model + h * d_head + c] * K[j * d_model + h * d_head + c];
                s[j] = dot * scale;
                m = fmaxf(m, s[j]);
            }
            for (size_t j = 0; j < stop; ++j)
                sum += (s[j] = expf(s[j] - m));
            for (size_t c = 0; c < d_head; ++c) {
                float acc = 0.f;
                for (size_t j = 0; j < stop; ++j)
                    acc += s[j] * V[j * d_model + h * d_head + c];
                Z[i * d_model + h * d_head + c] = acc / sum;
            }
        }
    matmul(Z, w_out, out, n, d_model);
    free(buf);
}
