#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* One head of one text; may is its page of the mask, or NULL. */
static void attend(size_t seq_q, size_t seq_k, size_t d_head, const float *query, const float *key,
                   const float *value, const bool *may, float *row, float *out)
{
    for (size_t i = 0; i < seq_q; i++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < seq_k; j++) {
            float dot = 0.0f;
            for (size_t c = 0; c < d_head; c++)
                dot += query[i * d_head + c] * key[j * d_head + c];
            row[j] = dot / sqrtf((float)d_head);
            if (may != NULL && !may[i * seq_k + j])
                row[j] = -INFINITY;
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < seq_k; j++) {
            row[j] = row[j] == -INFINITY ? 0.0f : expf(row[j] - top);
            sum += row[j];
        }
        for (size_t c = 0; c < d_head; c++) {
            float mixed = 0.0f;
            for (size_t j = 0; j < seq_k; j++)
                mixed += row[j] * value[j * d_head + c];
            out[i * d_head + c] = sum > 0.0f ? mixed / sum : 0.0f;
        }
    }
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *row = malloc(seq_k * sizeof *row);
    if (row == NULL)
        return;
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            size_t head = b * n_heads + h;
            const bool *may = NULL;
            if (may_attend != NULL)
                may = may_attend + head % (mask_batch * mask_heads) * seq_q * seq_k;
            attend(seq_q, seq_k, d_head, query + head * seq_q * d_head, key + head * seq_k * d_head,
                   value + head * seq_k * d_head, may, row, out + head * seq_q * d_head);
        }
    }
    free(row);
}
