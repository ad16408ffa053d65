#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void head_attention(size_t n_q, size_t n_k, size_t d, const float *q, const float *k,
                           const float *v, const bool *may, float *o, float *w)
{
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            if (may != NULL && !may[i * n_k + j]) {
                w[j] = -INFINITY;
            } else {
                float s = 0.0f;
                for (size_t c = 0; c < d; c++)
                    s += q[i * d + c] * k[j * d + c];
                w[j] = s / sqrtf((float)d);
            }
            top = fmaxf(top, w[j]);
        }

        float total = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = isinf(w[j]) ? 0.0f : expf(w[j] - top);
            total += w[j];
        }

        for (size_t c = 0; c < d; c++) {
            float s = 0.0f;
            if (total > 0.0f) {
                for (size_t j = 0; j < n_k; j++)
                    s += w[j] * v[j * d + c];
                s /= total;
            }
            o[i * d + c] = s;
        }
    }
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof(float));
    if (w == NULL)
        return;
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            const bool *may = may_attend;
            if (may != NULL) {
                if (mask_batch == batch && batch > 1)
                    may += b * mask_heads * seq_q * seq_k;
                if (mask_heads == n_heads && n_heads > 1)
                    may += h * seq_q * seq_k;
            }
            head_attention(seq_q, seq_k, d_head, query, key, value, may, out, w);
            query += seq_q * d_head;
            key += seq_k * d_head;
            out += seq_q * d_head;
        }
    }
    free(w);
}
