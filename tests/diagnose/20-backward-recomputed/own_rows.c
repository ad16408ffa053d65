#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    float scale = 1.0f / sqrtf((float)d_k);
    size_t i, j, c;

    for (i = 0; i < n_q * d_k; i++) d_query[i] = 0;

    for (j = 0; j < n_k; j++)
    {
        const float *k = &key[j * d_k];
        const float *v = &value[j * d_v];
        float *dk = &d_key[j * d_k];
        float *dv = &d_value[j * d_v];

        for (c = 0; c < d_k; c++) dk[c] = 0;
        for (c = 0; c < d_v; c++) dv[c] = 0;

        for (i = 0; i < n_q; i++)
        {
            const float *q = &query[i * d_k];
            const float *dc = &d_context[i * d_v];
            float dot = 0, s = 0, dw = 0;

            for (c = 0; c < d_k; c++) dot += q[c] * k[c];
            float w = expf(dot * scale - lse[i]);

            for (c = 0; c < d_v; c++)
            {
                s += context[i * d_v + c] * dc[c];
                dw += dc[c] * v[c];
                dv[c] += w * dc[c];
            }

            float ds = w * (dw - s) * scale;
            for (c = 0; c < d_k; c++)
            {
                d_query[i * d_k + c] += ds * q[c];
                dk[c] += ds * k[c];
            }
        }
    }
}
