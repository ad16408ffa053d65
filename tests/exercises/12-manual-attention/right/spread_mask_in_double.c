/* First a full mask of (batch, n_heads, seq_q, seq_k) bytes; then a softmax in double, over the
 * visible keys. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool *spread(size_t batch, size_t n_heads, size_t page, const bool *may_attend,
                    size_t mask_batch, size_t mask_heads)
{
    bool *full = malloc(batch * n_heads * page * sizeof *full);
    for (size_t at = 0; full != NULL && at < batch * n_heads * page; at++) {
        const size_t b = at / page / n_heads % mask_batch, h = at / page % n_heads % mask_heads;
        full[at] = !may_attend || may_attend[(b * mask_heads + h) * page + at % page];
    }
    return full;
}

static void attend(size_t seq_k, size_t d, const float *q, const float *key, const float *value,
                   const bool *may, double *row, float *out)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t j = 0; j < seq_k; j++) {
        row[j] = 0.0;
        for (size_t c = d; c-- > 0;)
            row[j] += (double)q[c] * (double)key[j * d + c] / sqrt((double)d);
        if (may[j])
            top = fmax(top, row[j]);
    }
    for (size_t j = 0; j < seq_k; j++) {
        row[j] = may[j] ? exp(row[j] - top) : 0.0;
        sum += row[j];
    }
    for (size_t c = 0; c < d; c++) {
        double mixed = 0.0;
        for (size_t j = 0; j < seq_k; j++)
            mixed += row[j] * (double)value[j * d + c];
        out[c] = sum > 0.0 ? (float)(mixed / sum) : 0.0f;
    }
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    bool *may = spread(batch, n_heads, seq_q * seq_k, may_attend, mask_batch, mask_heads);
    double *row = malloc(seq_k * sizeof *row);
    for (size_t head = 0; may != NULL && row != NULL && head < batch * n_heads; head++)
        for (size_t i = head * seq_q; i < (head + 1) * seq_q; i++)
            attend(seq_k, d_head, query + i * d_head, key + head * seq_k * d_head,
                   value + head * seq_k * d_head, may + i * seq_k, row, out + i * d_head);
    free(may);
    free(row);
}
