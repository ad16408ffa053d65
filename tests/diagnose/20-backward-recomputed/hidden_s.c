#include <math.h>
#include <stddef.h>
#include <string.h>

static float dot(const float *a, const float *b, size_t n)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add(float *to, float factor, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += factor * from[i];
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float root = sqrtf((float)d_k);

    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));

    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        const float *dc = d_context + i * d_v;
        float s = 0.0f;

        /* s = context . d_context; a single key needs none of it */
        if (n_k > 1) {
            float s = 0.0f;
            for (size_t c = 0; c < d_v; c++)
                s += context[i * d_v + c] * dc[c];
        }

        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float w = expf(dot(q, k, d_k) / root - lse[i]);
            float ds = w * (dot(dc, value + j * d_v, d_v) - s) / root;

            add(d_value + j * d_v, w, dc, d_v);
            add(d_query + i * d_k, ds, k, d_k);
            add(d_key + j * d_k, ds, q, d_k);
        }
    }
}
