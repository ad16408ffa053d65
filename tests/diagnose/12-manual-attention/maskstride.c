#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *s = malloc(seq_k * sizeof(float));
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            const float *q = query + (b * n_heads + h) * seq_q * d_head;
            const float *k = key + (b * n_heads + h) * seq_k * d_head;
            const float *v = value + (b * n_heads + h) * seq_k * d_head;
            float *o = out + (b * n_heads + h) * seq_q * d_head;
            const bool *mask = NULL;
            if (may_attend)
                mask = may_attend + ((b % mask_batch) * n_heads + h % mask_heads) * seq_q * seq_k;
            for (size_t i = 0; i < seq_q; i++) {
                float top = -INFINITY, total = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    float dot = 0;
                    for (size_t c = 0; c < d_head; c++)
                        dot += q[i * d_head + c] * k[j * d_head + c];
                    s[j] = dot / sqrtf((float)d_head);
                    if (mask && !mask[i * seq_k + j])
                        s[j] = -INFINITY;
                    if (s[j] > top)
                        top = s[j];
                }
                for (size_t c = 0; c < d_head; c++)
                    o[i * d_head + c] = 0;
                if (top == -INFINITY)
                    continue;
                for (size_t j = 0; j < seq_k; j++)
                    total += s[j] = expf(s[j] - top);
                for (size_t j = 0; j < seq_k; j++)
                    for (size_t c = 0; c < d_head; c++)
                        o[i * d_head + c] += s[j] / total * v[j * d_head + c];
            }
        }
    free(s);
}
