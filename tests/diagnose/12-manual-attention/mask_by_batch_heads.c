#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void one_row(size_t seq_k, size_t d, const float *q, const float *k, const float *v,
                    const bool *see, float *w, float *o)
{
    float m = -INFINITY, z = 0;
    for (size_t j = 0; j < seq_k; j++) {
        w[j] = -INFINITY;
        if (see && !see[j])
            continue;
        float t = 0;
        for (size_t c = 0; c < d; c++)
            t += q[c] * k[j * d + c];
        w[j] = t / sqrtf(d);
        m = fmaxf(m, w[j]);
    }
    memset(o, 0, d * sizeof *o);
    if (m == -INFINITY)
        return;
    for (size_t j = 0; j < seq_k; j++)
        z += w[j] = expf(w[j] - m);
    for (size_t j = 0; j < seq_k; j++)
        for (size_t c = 0; c < d; c++)
            o[c] += w[j] / z * v[j * d + c];
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof *w);
    if (!w)
        return;
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            size_t head = b * n_heads + h;
            size_t page = (b % mask_batch) * mask_heads + h / mask_heads;
            for (size_t i = 0; i < seq_q; i++)
                one_row(seq_k, d_head, query + (head * seq_q + i) * d_head,
                        key + head * seq_k * d_head, value + head * seq_k * d_head,
                        may_attend ? may_attend + (page * seq_q + i) * seq_k : NULL, w,
                        out + (head * seq_q + i) * d_head);
        }
    free(w);
}
