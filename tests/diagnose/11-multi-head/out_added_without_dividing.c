#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* No joined array: every head adds its own part of joined @ w_out to out right away.
 * Head h only meets the rows h * d_head .. of w_out. */
static void add_head(size_t n, size_t d_model, size_t d_head, size_t first, bool causal,
                     const float *q, const float *k, const float *v, const float *w_out, float *out)
{
    float ctx[d_head], w[n];
    for (size_t i = 0; i < n; i++) {
        const size_t keys = causal ? i + 1 : n;
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < keys; j++) {
            float s = 0;
            for (size_t c = 0; c < d_head; c++)
                s += q[i * d_model + first + c] * k[j * d_model + first + c];
            w[j] = s / sqrtf((float)d_head);
            max = fmaxf(max, w[j]);
        }
        memset(ctx, 0, sizeof ctx);
        for (size_t j = 0; j < keys; j++) {
            const float e = expf(w[j] - max);
            sum += e;
            for (size_t c = 0; c < d_head; c++)
                ctx[c] += e * v[j * d_model + first + c];
        }
        for (size_t c = 0; c < d_head; c++)
            for (size_t o = 0; o < d_model; o++)
                out[i * d_model + o] += ctx[c] * w_out[(first + c) * d_model + o];
    }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t size = n * d_model;
    float *qkv = calloc(3 * size, sizeof *qkv); /* all three behind each other */
    const float *w[3] = {w_query, w_key, w_value};
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < n; i++)
            for (size_t m = 0; m < d_model; m++)
                for (size_t c = 0; c < d_model; c++)
                    qkv[p * size + i * d_model + c] += x[i * d_model + m] * w[p][m * d_model + c];

    memset(out, 0, size * sizeof *out);
    const size_t d_head = d_model / n_heads;
    for (size_t first = 0; first < d_model; first += d_head)
        add_head(n, d_model, d_head, first, causal, qkv, qkv + size, qkv + 2 * size, w_out, out);
    free(qkv);
}
