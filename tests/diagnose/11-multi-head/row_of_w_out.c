#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float *times(size_t n, size_t d, const float *x, const float *w)
{
    float *y = calloc(n * d, sizeof(float));
    for (size_t i = 0; y && i < n; i++)
        for (size_t m = 0; m < d; m++)
            for (size_t c = 0; c < d; c++)
                y[i * d + c] += x[i * d + m] * w[m * d + c];
    return y;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t dh = d_model / n_heads;
    float *Q = times(n, d_model, x, w_query);
    float *K = times(n, d_model, x, w_key);
    float *V = times(n, d_model, x, w_value);
    float *p = malloc(n * sizeof(float));
    float *head = malloc(dh * sizeof(float));

    for (size_t e = 0; e < n * d_model; e++)
        out[e] = 0;

    for (size_t h = 0; h < n_heads; h++)
    {
        size_t off = h * dh;
        for (size_t i = 0; i < n; i++)
        {
            size_t last = causal ? i : n - 1;
            float top = -INFINITY, sum = 0;
            for (size_t j = 0; j <= last; j++)
            {
                p[j] = 0;
                for (size_t c = 0; c < dh; c++)
                    p[j] += Q[i * d_model + off + c] * K[j * d_model + off + c];
                p[j] /= sqrtf((float)dh);
                if (p[j] > top)
                    top = p[j];
            }
            for (size_t j = 0; j <= last; j++)
            {
                p[j] = expf(p[j] - top);
                sum += p[j];
            }
            for (size_t c = 0; c < dh; c++)
            {
                head[c] = 0;
                for (size_t j = 0; j <= last; j++)
                    head[c] += p[j] / sum * V[j * d_model + off + c];
            }
            /* multiply by w_out */
            for (size_t c = 0; c < dh; c++)
                for (size_t o = 0; o < d_model; o++)
                    out[i * d_model + o] += head[c] * w_out[c * d_model + o];
        }
    }
    free(Q);
    free(K);
    free(V);
    free(p);
    free(head);
}
