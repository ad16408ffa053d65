#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t n, size_t d_in, size_t d_out, const float *x, const float *w, float *y)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_out; c++) {
            float acc = 0.0f;
            for (size_t m = 0; m < d_in; m++)
                acc += x[i * d_in + m] * w[m * d_out + c];
            y[i * d_out + c] = acc;
        }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    size_t widest = d_k > d_v ? d_k : d_v;
    float *result = malloc(n * widest * sizeof(float));
    float *weights = malloc(n * sizeof(float));
    float *query, *key, *value;

    if (!result || !weights) {
        free(result);
        free(weights);
        return;
    }

    project(n, d_model, d_k, x, w_query, result);
    query = result;
    project(n, d_model, d_k, x, w_key, result);
    key = result;
    project(n, d_model, d_v, x, w_value, result);
    value = result;

    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0.0f;
        for (size_t j = 0; j < n; j++) {
            float acc = 0.0f;
            for (size_t c = 0; c < d_k; c++)
                acc += query[i * d_k + c] * key[j * d_k + c];
            weights[j] = acc / sqrtf((float)d_k);
            if (weights[j] > top)
                top = weights[j];
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - top);
            total += weights[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0.0f;
            for (size_t j = 0; j < n; j++)
                acc += weights[j] / total * value[j * d_v + c];
            context[i * d_v + c] = acc;
        }
    }
    free(result);
    free(weights);
}
