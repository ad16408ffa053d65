#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *s = malloc(seq_k * sizeof *s);
    if (s == NULL)
        return;
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++)
            for (size_t i = 0; i < seq_q; i++) {
                const size_t at = (b * n_heads + h) * seq_q + i;
                const size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
                float top = -INFINITY, sum = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    const size_t kj = (b * n_heads + h) * seq_k + j;
                    s[j] = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s[j] += query[at * d_head + c] * key[kj * d_head + c];
                    s[j] /= sqrtf((float)d_head);
                    bool seen = may_attend != NULL && may_attend[((mb * mask_heads + mh) * seq_q + i) * seq_k + j];
                    if (!seen)
                        s[j] = -INFINITY;
                    if (s[j] > top)
                        top = s[j];
                }
                for (size_t j = 0; j < seq_k; j++) {
                    s[j] = top == -INFINITY ? 0 : expf(s[j] - top);
                    sum += s[j];
                }
                for (size_t c = 0; c < d_head; c++) {
                    float mix = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        mix += s[j] * value[((b * n_heads + h) * seq_k + j) * d_head + c];
                    out[at * d_head + c] = sum > 0 ? mix / sum : 0;
                }
            }
    free(s);
}
