#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *linear(size_t n, size_t in, size_t out, const float *x, const float *w)
{
    float *y = malloc(n * out * sizeof(float));
    if (y != NULL)
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < out; c++) {
                float sum = 0;
                for (size_t m = 0; m < in; m++)
                    sum += x[i * in + m] * w[c * in + m];
                y[i * out + c] = sum;
            }
    return y;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = linear(n, d_model, d_k, x, w_query);
    float *key = linear(n, d_model, d_k, x, w_key);
    float *value = linear(n, d_model, d_v, x, w_value);
    float *w = malloc(n * sizeof(float));

    if (query && key && value && w) {
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                float sum = 0;
                for (size_t d = 0; d < d_k; d++)
                    sum += query[i * d_k + d] * key[j * d_k + d];
                w[j] = sum / sqrtf((float)d_k);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t c = 0; c < d_v; c++) {
                float sum = 0;
                for (size_t j = 0; j < n; j++)
                    sum += w[j] * value[j * d_v + c];
                context[i * d_v + c] = sum / total;
            }
        }
    }
    free(query);
    free(key);
    free(value);
    free(w);
}
