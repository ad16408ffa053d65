#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *times(const float *a, const float *b, size_t n, size_t m, size_t p)
{
    float *c = calloc(n * p, sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < p; j++)
                c[i * p + j] += a[i * m + k] * b[k * p + j];
    return c;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = times(x, w_query, n, d_model, d_k);
    float *k = times(x, w_key, n, d_model, d_k);
    float *v = times(x, w_value, n, d_model, d_v);
    float *s = malloc(n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += q[i * d_k + d] * k[j * d_k + d];
            s[j] /= sqrtf((float)d_k);
            if (j != i && s[j] > top)
                top = s[j];
        }
        for (size_t j = 0; j < n; j++) {
            s[j] = j == i ? 0 : expf(s[j] - top);
            sum += s[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += s[j] * v[j * d_v + c];
            context[i * d_v + c] = sum > 0 ? mix / sum : 0;
        }
    }
    free(q); free(k); free(v); free(s);
}
