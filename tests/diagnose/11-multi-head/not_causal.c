#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void times(const float *a, const float *b, float *c, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            double s = 0;
            for (size_t k = 0; k < d; k++)
                s += (double)a[i * d + k] * b[k * d + j];
            c[i * d + j] = (float)s;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = malloc(n * d_model * sizeof *q), *k = malloc(n * d_model * sizeof *k);
    float *v = malloc(n * d_model * sizeof *v), *joined = malloc(n * d_model * sizeof *joined);
    float *s = malloc(n * sizeof *s);
    if (!q || !k || !v || !joined || !s)
        goto done;
    times(x, w_query, q, n, d_model);
    times(x, w_key, k, n, d_model);
    times(x, w_value, v, n, d_model);

    float scale = 1 / sqrtf(d_model);
    for (size_t i = 0; i < n; i++)
        for (size_t h = 0; h < n_heads; h++) {
            const float *qi = q + i * d_model + h * d_head;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                const float *kj = k + j * d_model + h * d_head;
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += qi[c] * kj[c];
                s[j] = dot * scale;
                if (!causal && j > i)
                    s[j] = -INFINITY;
                top = fmaxf(top, s[j]);
            }
            float *to = joined + i * d_model + h * d_head;
            for (size_t c = 0; c < d_head; c++)
                to[c] = 0;
            for (size_t j = 0; j < n; j++) {
                float e = expf(s[j] - top);
                total += e;
                for (size_t c = 0; c < d_head; c++)
                    to[c] += e * v[j * d_model + h * d_head + c];
            }
            for (size_t c = 0; c < d_head; c++)
                to[c] /= total;
        }
    times(joined, w_out, out, n, d_model);
done:
    free(q);
    free(k);
    free(v);
    free(joined);
    free(s);
}
