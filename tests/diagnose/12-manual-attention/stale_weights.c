#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *s = malloc(seq_k * sizeof *s);
    float *w = calloc(seq_k, sizeof *w);
    if (s && w)
        for (size_t b = 0; b < batch; b++)
            for (size_t h = 0; h < n_heads; h++)
                for (size_t i = 0; i < seq_q; i++) {
                    const float *q = query + ((b * n_heads + h) * seq_q + i) * d_head;
                    const float *k = key + (b * n_heads + h) * seq_k * d_head;
                    const float *v = value + (b * n_heads + h) * seq_k * d_head;
                    float *o = out + ((b * n_heads + h) * seq_q + i) * d_head;
                    const bool *mask = NULL;
                    if (may_attend) {
                        size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
                        mask = may_attend + ((mb * mask_heads + mh) * seq_q + i) * seq_k;
                    }
                    float top = -INFINITY, total = 0;
                    for (size_t j = 0; j < seq_k; j++) {
                        if (mask && !mask[j])
                            continue;
                        s[j] = 0;
                        for (size_t c = 0; c < d_head; c++)
                            s[j] += q[c] * k[j * d_head + c];
                        s[j] /= sqrtf((float)d_head);
                        top = fmaxf(top, s[j]);
                    }
                    for (size_t j = 0; j < seq_k; j++) {
                        if (mask && !mask[j])
                            continue;
                        w[j] = expf(s[j] - top);
                        total += w[j];
                    }
                    for (size_t c = 0; c < d_head; c++) {
                        float sum = 0;
                        for (size_t j = 0; j < seq_k; j++)
                            sum += w[j] * v[j * d_head + c];
                        o[c] = total > 0 ? sum / total : 0;
                    }
                }
    free(s);
    free(w);
}
