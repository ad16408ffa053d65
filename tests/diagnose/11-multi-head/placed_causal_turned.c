#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t n, d;
} shape;

static float *times(shape s, const float *a, const float *b)
{
    float *r = malloc(s.n * s.d * sizeof *r);
    for (size_t i = 0; r && i < s.n; i++)
        for (size_t j = 0; j < s.d; j++) {
            float t = 0;
            for (size_t k = 0; k < s.d; k++)
                t += a[i * s.d + k] * b[k * s.d + j];
            r[i * s.d + j] = t;
        }
    return r;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    shape s = {n, d_model};
    float *q = times(s, x, w_query), *k = times(s, x, w_key), *v = times(s, x, w_value);
    float *ctx = calloc(n * d_model, sizeof *ctx), *e = malloc(n * sizeof *e);
    size_t dh = d_model / n_heads;
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, z = 0;
            for (size_t j = 0; j < n; j++) {
                if (!causal && j > i)
                    break;
                float t = 0;
                for (size_t c = h * dh; c < (h + 1) * dh; c++)
                    t += q[i * d_model + c] * k[j * d_model + c];
                e[j] = t / sqrtf(dh);
                top = fmaxf(top, e[j]);
            }
            size_t last = causal ? i : n - 1;
            for (size_t j = 0; j <= last; j++)
                z += e[j] = expf(e[j] - top);
            for (size_t j = 0; j <= last; j++)
                for (size_t c = h * dh; c < (h + 1) * dh; c++)
                    ctx[i * d_model + c] += e[j] / z * v[j * d_model + c];
        }
    float *r = times(s, ctx, w_out);
    memcpy(out, r, n * d_model * sizeof *out);
    free(q);
    free(k);
    free(v);
    free(ctx);
    free(e);
    free(r);
}
