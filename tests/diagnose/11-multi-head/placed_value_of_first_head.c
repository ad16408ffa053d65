#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t all = n * d_model, width = d_model / n_heads;
    float *buffer = calloc(4 * all + n, sizeof *buffer);
    if (!buffer)
        return;
    float *q = buffer, *k = q + all, *v = k + all, *ctx = v + all, *att = ctx + all;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d_model; m++)
            for (size_t c = 0; c < d_model; c++) {
                q[i * d_model + c] += x[i * d_model + m] * w_query[m * d_model + c];
                k[i * d_model + c] += x[i * d_model + m] * w_key[m * d_model + c];
                v[i * d_model + c] += x[i * d_model + m] * w_value[m * d_model + c];
            }
    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < n_heads; h++) {
            const float *qh = q + i * d_model + h * width;
            float best = -INFINITY, sum = 0;
            for (size_t j = 0; j < n; j++) {
                const float *kh = k + j * d_model + h * width;
                att[j] = 0;
                for (size_t c = 0; c < width; c++)
                    att[j] += qh[c] * kh[c];
                att[j] /= sqrtf(width);
                if (causal && j > i)
                    att[j] = -INFINITY;
                best = fmaxf(best, att[j]);
            }
            for (size_t j = 0; j < n; j++)
                sum += att[j] = expf(att[j] - best);
            for (size_t c = 0; c < width; c++)
                for (size_t j = 0; j < n; j++)
                    ctx[i * d_model + h * width + c] += att[j] / sum * v[j * d_model + c];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            float s = 0;
            for (size_t m = 0; m < d_model; m++)
                s += ctx[i * d_model + m] * w_out[m * d_model + c];
            out[i * d_model + c] = s;
        }
    free(buffer);
}
