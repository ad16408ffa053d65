#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* C = A B, A is (n, m), B is (m, p) */
static void matmul(size_t n, size_t m, size_t p, const float *A, const float *B, float *C)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            C[i * p + j] = 0;
            for (size_t k = 0; k < m; k++)
                C[i * p + j] += A[i * m + k] * B[k * p + j];
        }
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *S = malloc(n_q * n_k * sizeof(float));
    matmul(n_q, d_k, n_k, query, key, S);
    for (size_t i = 0; i < n_q; i++) {
        float *row = S + i * n_k, max, sum = 0;
        for (size_t j = 0; j < n_k; j++)
            row[j] = row[j] / sqrtf((float)d_k);
        max = row[0];
        for (size_t j = 1; j < n_k; j++)
            if (row[j] > max)
                max = row[j];
        for (size_t j = 0; j < n_k; j++) {
            row[j] = expf(row[j] - max);
            sum += row[j];
        }
        for (size_t j = 0; j < n_k; j++)
            row[j] /= sum;
    }
    matmul(n_q, n_k, d_v, S, value, context);
    free(S);
}
