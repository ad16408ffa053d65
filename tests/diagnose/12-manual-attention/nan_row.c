#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *a = malloc(seq_k * sizeof *a);
    for (size_t bh = 0; a && bh < batch * n_heads; bh++) {
        size_t b = bh / n_heads, h = bh % n_heads;
        size_t mask = (mask_batch > 1 ? b * mask_heads : 0) + (mask_heads > 1 ? h : 0);
        for (size_t i = 0; i < seq_q; i++) {
            float big = -INFINITY, sum = 0;
            for (size_t j = 0; j < seq_k; j++) {
                a[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    a[j] += query[(bh * seq_q + i) * d_head + c] * key[(bh * seq_k + j) * d_head + c];
                a[j] = a[j] / sqrtf(d_head);
                if (may_attend && !may_attend[(mask * seq_q + i) * seq_k + j])
                    a[j] = -INFINITY;
                if (a[j] > big)
                    big = a[j];
            }
            for (size_t j = 0; j < seq_k; j++)
                sum += a[j] = expf(a[j] - big);
            for (size_t c = 0; c < d_head; c++) {
                float o = 0;
                for (size_t j = 0; j < seq_k; j++)
                    o += a[j] * value[(bh * seq_k + j) * d_head + c];
                out[(bh * seq_q + i) * d_head + c] = o / sum;
            }
        }
    }
    free(a);
}
