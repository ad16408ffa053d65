#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// one text, one head. mask may be NULL
static void attention(size_t nq, size_t nk, size_t d, const float *q, const float *k, const float *v,
                      const bool *mask, float *o)
{
    float *w = malloc(nk * sizeof(float));
    for (size_t i = 0; i < nq; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < nk; j++) {
            if (mask && !mask[i * nk + j]) {
                w[j] = -1e30f;
                if (w[j] > max)
                    max = w[j];
                continue;
            }
            float s = 0;
            for (size_t c = 0; c < d; c++)
                s += q[i * d + c] * k[j * d + c];
            w[j] = s / sqrtf((float)d);
            if (w[j] > max)
                max = w[j];
        }
        float sum = 0;
        for (size_t j = 0; j < nk; j++) {
            w[j] = max == -INFINITY ? 0 : expf(w[j] - max);
            sum += w[j];
        }
        if (sum == 0)
            sum = 1; // nothing to see: 0 / 1
        for (size_t c = 0; c < d; c++) {
            float mix = 0;
            for (size_t j = 0; j < nk; j++)
                mix += w[j] * v[j * d + c];
            o[i * d + c] = mix / sum;
        }
    }
    free(w);
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            size_t page = b * n_heads + h;
            size_t mb = mask_batch == 1 ? 0 : b;
            size_t mh = mask_heads == 1 ? 0 : h;
            const bool *mask = NULL;
            if (may_attend != NULL)
                mask = may_attend + (mb * mask_heads + mh) * seq_q * seq_k;
            attention(seq_q, seq_k, d_head, query + page * seq_q * d_head, key + page * seq_k * d_head,
                      value + page * seq_k * d_head, mask, out + page * seq_q * d_head);
        }
    }
}
