#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void one_head(size_t n_q, size_t n_k, size_t d, const float *q, const float *k,
                     const float *v, const bool *mask, float *o, double *w)
{
    for (size_t i = 0; i < n_q; i++) {
        double top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            double s = 0;
            for (size_t c = 0; c < d; c++)
                s += (double)q[i * d + c] * k[j * d + c];
            w[j] = mask && !mask[i * n_k + j] ? -INFINITY : s / sqrt((double)d);
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] = isinf(w[j]) ? 0.0 : exp(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d; c++) {
            double s = 0;
            for (size_t j = 0; j < n_k; j++)
                s += w[j] * v[j * d + c];
            o[i * d + c] = total > 0 ? (float)(s / total) : 0.0f;
        }
    }
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    double *scratch = malloc(seq_k * sizeof *scratch);
    const bool shared = mask_batch == 1 || mask_heads == 1;
    for (size_t bh = 0; bh < batch * n_heads; bh++) {
        const bool *mask = may_attend;
        if (mask && !shared)
            mask += bh * seq_q * seq_k;
        one_head(seq_q, seq_k, d_head, query + bh * seq_q * d_head, key + bh * seq_k * d_head,
                 value + bh * seq_k * d_head, mask, out + bh * seq_q * d_head, scratch);
    }
    free(scratch);
}
