#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void one_head(size_t n, size_t d, const float *q, const float *k, const float *v, float *o,
                     float *tmp)
{
    for (size_t i = 0; i < n; i++) {
        float max = -1e30f;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += q[i * d + c] * k[j * d + c];
            tmp[j] = dot / sqrtf((float)d);
            if (tmp[j] > max)
                max = tmp[j];
        }
        float sum = 0;
        for (size_t j = 0; j < n; j++) {
            tmp[j] = expf(tmp[j] - max);
            sum += tmp[j];
        }
        for (size_t c = 0; c < d; c++) {
            o[i * d + c] = 0;
            for (size_t j = 0; j < n; j++)
                o[i * d + c] += tmp[j] / sum * v[j * d + c];
        }
    }
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    size_t page = n * d_head;
    float *tmp = malloc(n * sizeof(float));
    for (size_t h = 0; h < n_heads; h++) {
        size_t shared = h / group;
        one_head(n, d_head, query + h * page, value + shared * page, key + shared * page,
                 out + h * page, tmp);
    }
    free(tmp);
}
