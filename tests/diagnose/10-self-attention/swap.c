#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *proj(const float *x, const float *w, size_t n, size_t d_in, size_t d_out)
{
    float *r = malloc(n * d_out * sizeof *r);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_out; c++) {
            float s = 0;
            for (size_t m = 0; m < d_in; m++)
                s += x[i * d_in + m] * w[m * d_out + c];
            r[i * d_out + c] = s;
        }
    return r;
}

static void attend(const float *q, const float *k, const float *v, float *out, size_t n, size_t d_k,
                   size_t d_v)
{
    float *s = malloc(n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += q[i * d_k + d] * k[j * d_k + d];
            s[j] /= sqrtf((float)d_k);
            top = fmaxf(top, s[j]);
        }
        for (size_t j = 0; j < n; j++)
            total += s[j] = expf(s[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float a = 0;
            for (size_t j = 0; j < n; j++)
                a += s[j] * v[j * d_v + c];
            out[i * d_v + c] = a / total;
        }
    }
    free(s);
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = proj(x, w_query, n, d_model, d_k);
    float *key = proj(x, w_key, n, d_model, d_k);
    float *value = proj(x, w_value, n, d_model, d_v);
    attend(key, query, value, context, n, d_k, d_v);
    free(query);
    free(key);
    free(value);
}
