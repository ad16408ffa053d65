#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    const float(*X)[d_model] = (const float(*)[d_model])x;
    const float(*Wq)[d_model] = (const float(*)[d_model])w_query;
    const float(*Wk)[d_model] = (const float(*)[d_model])w_key;
    const float(*Wv)[d_model] = (const float(*)[d_model])w_value;
    const float(*Wo)[d_model] = (const float(*)[d_model])w_out;
    float(*Out)[d_model] = (float(*)[d_model])out;
    float Q[n][d_model], K[n][d_model], V[n][d_model], J[n][d_model];

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            Q[i][c] = K[i][c] = V[i][c] = 0;
            for (size_t m = 0; m < d_model; m++) {
                Q[i][c] += X[i][m] * Wq[m][c];
                K[i][c] += X[i][m] * Wk[m][c];
                V[i][c] += X[i][m] * Wv[m][c];
            }
        }

    for (size_t h = 0; h < n_heads; h++) {
        size_t off = h * d_head;
        for (size_t i = 0; i < n; i++) {
            float s[n];
            float biggest = -INFINITY;
            size_t seen = causal ? i + 1 : n;
            for (size_t j = 0; j < seen; j++) {
                s[j] = 0;
                for (size_t c = off; c < off + d_head; c++)
                    s[j] += Q[i][h + c - off] * K[j][h + c - off];
                s[j] /= sqrtf(d_head);
                if (s[j] > biggest)
                    biggest = s[j];
            }
            float sum = 0;
            for (size_t j = 0; j < seen; j++) {
                s[j] = expf(s[j] - biggest);
                sum += s[j];
            }
            for (size_t c = off; c < off + d_head; c++) {
                J[i][c] = 0;
                for (size_t j = 0; j < seen; j++)
                    J[i][c] += s[j] / sum * V[j][c];
            }
        }
    }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            Out[i][c] = 0;
            for (size_t m = 0; m < d_model; m++)
                Out[i][c] += J[i][m] * Wo[m][c];
        }
}
