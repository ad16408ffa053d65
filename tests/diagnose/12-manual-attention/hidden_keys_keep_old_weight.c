#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *score = calloc(seq_k, sizeof(float)), *weight = calloc(seq_k, sizeof(float));
    const float root = sqrtf((float)d_head);

    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            const float *k = key + (b * n_heads + h) * seq_k * d_head;
            const float *v = value + (b * n_heads + h) * seq_k * d_head;
            size_t m = (b % mask_batch) * mask_heads + h % mask_heads;
            for (size_t i = 0; i < seq_q; i++, query += d_head, out += d_head) {
                const bool *see = may_attend ? may_attend + (m * seq_q + i) * seq_k : NULL;
                float max = -INFINITY, sum = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    if (see && !see[j])
                        continue;
                    score[j] = 0;
                    for (size_t c = 0; c < d_head; c++)
                        score[j] += query[c] * k[j * d_head + c];
                    score[j] /= root;
                    if (score[j] > max)
                        max = score[j];
                }
                for (size_t j = 0; j < seq_k; j++) {
                    if (see && !see[j])
                        continue;
                    weight[j] = expf(score[j] - max);
                    sum += weight[j];
                }
                for (size_t c = 0; c < d_head; c++) {
                    float mixed = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        mixed += weight[j] * v[j * d_head + c];
                    out[c] = sum > 0 ? mixed / sum : 0.0f;
                }
            }
        }
    }
    free(score);
    free(weight);
}
