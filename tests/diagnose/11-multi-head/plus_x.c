#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = calloc(n * d_model, sizeof(float));
    float *k = calloc(n * d_model, sizeof(float));
    float *v = calloc(n * d_model, sizeof(float));
    float *joined = calloc(n * d_model, sizeof(float));
    float *w = calloc(n, sizeof(float));
    if (!q || !k || !v || !joined || !w)
        goto done;

    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < d_model; m++) {
            float xi = x[i * d_model + m];
            for (size_t c = 0; c < d_model; c++) {
                q[i * d_model + c] += xi * w_query[m * d_model + c];
                k[i * d_model + c] += xi * w_key[m * d_model + c];
                v[i * d_model + c] += xi * w_value[m * d_model + c];
            }
        }
    }

    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            const float *qi = q + i * d_model + h * d_head;
            float *ji = joined + i * d_model + h * d_head;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                const float *kj = k + j * d_model + h * d_head;
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += qi[c] * kj[c];
                w[j] = (causal && j > i) ? -INFINITY : s / sqrtf((float)d_head);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++)
                total += (w[j] = expf(w[j] - top));
            for (size_t j = 0; j < n; j++)
                for (size_t c = 0; c < d_head; c++)
                    ji[c] += w[j] / total * v[j * d_model + h * d_head + c];
        }
    }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            float s = x[i * d_model + c];
            for (size_t m = 0; m < d_model; m++)
                s += joined[i * d_model + m] * w_out[m * d_model + c];
            out[i * d_model + c] = s;
        }
done:
    free(q);
    free(k);
    free(v);
    free(joined);
    free(w);
}
