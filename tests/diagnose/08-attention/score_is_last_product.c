#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float s[n_q][n_k];

    // 1. scores
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t d = 0; d < d_k; d++)
                s[i][j] = query[i * d_k + d] * key[j * d_k + d];

    // 2. scale
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            s[i][j] /= sqrtf(d_k);

    // 3. softmax
    for (size_t i = 0; i < n_q; i++) {
        float m = s[i][0], t = 0;
        for (size_t j = 1; j < n_k; j++)
            m = fmaxf(m, s[i][j]);
        for (size_t j = 0; j < n_k; j++)
            t += s[i][j] = expf(s[i][j] - m);
        for (size_t j = 0; j < n_k; j++)
            s[i][j] /= t;
    }

    // 4. mix
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float x = 0;
            for (size_t j = 0; j < n_k; j++)
                x += s[i][j] * value[j * d_v + c];
            context[i * d_v + c] = x;
        }
}
