#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

/* Softmax over the visible keys; a row without any becomes zeros. */
static void masked_softmax(size_t n, const bool *may, float *row)
{
    float top = -INFINITY, sum = 0.0f;
    for (size_t j = 0; j < n; j++)
        if (may == NULL || may[j])
            top = fmaxf(top, row[j]);
    for (size_t j = 0; j < n; j++) {
        row[j] = may == NULL || may[j] ? expf(row[j] - top) : 0.0f;
        sum += row[j];
    }
    for (size_t j = 0; j < n && sum > 0.0f; j++)
        row[j] /= sum;
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *row = malloc(seq_k * sizeof *row);
    for (size_t b = 0; row != NULL && b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            const size_t keys = (b * n_heads + h) * seq_k * d_head;
            const size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
            for (size_t i = 0; i < seq_q; i++) {
                const size_t at = ((b * n_heads + h) * seq_q + i) * d_head;
                const bool *may = NULL;
                if (may_attend != NULL)
                    may = may_attend + ((mb * mask_heads + mh) * seq_q + i) * seq_k;
                for (size_t j = 0; j < seq_k; j++)
                    row[j] =
                        dot(d_head, query + at, key + keys + j * d_head) / sqrtf((float)d_head);
                masked_softmax(seq_k, may, row);
                for (size_t c = 0; c < d_head; c++) {
                    out[at + c] = 0.0f;
                    for (size_t j = 0; j < seq_k; j++)
                        out[at + c] += row[j] * value[keys + j * d_head + c];
                }
            }
        }
    }
    free(row);
}
