#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(const float *a, const float *b, float *out, size_t n, size_t m, size_t p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float t = 0;
            for (size_t k = 0; k < m; k++)
                t += a[i * m + k] * b[k * p + j];
            out[i * p + j] = t;
        }
}

static void softmax(float *row, size_t n)
{
    float m = row[0];
    for (size_t j = 0; j < n; j++)
        if (row[j] > m)
            m = row[j];
    float sum = 0;
    for (size_t j = 0; j < n; j++) {
        row[j] = expf(row[j] - m);
        sum += row[j];
    }
    for (size_t j = 0; j < n; j++)
        row[j] /= sum;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *Q = malloc(n * d_k * sizeof(float));
    float *K = malloc(n * d_k * sizeof(float));
    float *V = malloc(n * d_k * sizeof(float));
    float *S = malloc(n * n * sizeof(float));
    matmul(x, w_query, Q, n, d_model, d_k);
    matmul(x, w_key, K, n, d_model, d_k);
    matmul(x, w_value, V, n, d_model, d_v);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            float t = 0;
            for (size_t k = 0; k < d_k; k++)
                t += Q[i * d_k + k] * K[j * d_k + k];
            S[i * n + j] = t / sqrtf(d_k);
        }
        softmax(&S[i * n], n);
    }
    matmul(S, V, context, n, n, d_v);
    free(Q);
    free(K);
    free(V);
    free(S);
}
