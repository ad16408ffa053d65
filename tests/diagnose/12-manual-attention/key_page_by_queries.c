#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *p = malloc(seq_k * sizeof(float));
    float scale = 1 / sqrtf((float)d_head);
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            const float *Q = query + (b * n_heads + h) * seq_q * d_head;
            const float *K = key + (b * n_heads + h) * seq_k * d_head;
            const float *V = value + (b * n_heads + h) * seq_q * d_head;
            float *O = out + (b * n_heads + h) * seq_q * d_head;
            const bool *M = NULL;
            if (may_attend != NULL)
                M = may_attend + ((mask_batch == 1 ? 0 : b) * mask_heads + (mask_heads == 1 ? 0 : h)) * seq_q * seq_k;
            for (size_t i = 0; i < seq_q; i++) {
                float top = -INFINITY;
                for (size_t j = 0; j < seq_k; j++) {
                    float dot = 0;
                    for (size_t c = 0; c < d_head; c++)
                        dot += Q[i * d_head + c] * K[j * d_head + c];
                    p[j] = M == NULL || M[i * seq_k + j] ? dot * scale : -INFINITY;
                    top = fmaxf(top, p[j]);
                }
                float total = 0;
                if (top > -INFINITY)
                    for (size_t j = 0; j < seq_k; j++)
                        total += expf(p[j] - top);
                for (size_t c = 0; c < d_head; c++) {
                    float sum = 0;
                    if (total > 0)
                        for (size_t j = 0; j < seq_k; j++)
                            sum += expf(p[j] - top) / total * V[j * d_head + c];
                    O[i * d_head + c] = sum;
                }
            }
        }
    }
    free(p);
}
