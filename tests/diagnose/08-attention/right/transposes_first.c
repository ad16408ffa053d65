#include <math.h>
#include <stddef.h>

/* textbook order: K^T, then two matrix products with softmax between them */
void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float KT[d_k][n_k], S[n_q][n_k];
    const float(*Q)[d_k] = (const float(*)[d_k])query;
    const float(*V)[d_v] = (const float(*)[d_v])value;
    float(*C)[d_v] = (float(*)[d_v])context;
    size_t i, j, d;

    for (j = 0; j < n_k; j++)
        for (d = 0; d < d_k; d++)
            KT[d][j] = key[j * d_k + d];

    for (i = 0; i < n_q; i++)
        for (j = 0; j < n_k; j++) {
            S[i][j] = 0;
            for (d = 0; d < d_k; d++)
                S[i][j] += Q[i][d] * KT[d][j];
            S[i][j] = S[i][j] / sqrt(d_k);
        }

    for (i = 0; i < n_q; i++) {
        float m = S[i][0], sum = 0;
        for (j = 1; j < n_k; j++)
            if (S[i][j] > m)
                m = S[i][j];
        for (j = 0; j < n_k; j++) {
            S[i][j] = exp(S[i][j] - m);
            sum += S[i][j];
        }
        for (j = 0; j < n_k; j++)
            S[i][j] /= sum;
    }

    for (i = 0; i < n_q; i++)
        for (d = 0; d < d_v; d++) {
            C[i][d] = 0;
            for (j = 0; j < n_k; j++)
                C[i][d] += S[i][j] * V[j][d];
        }
}
