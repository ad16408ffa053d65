#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_visible(const bool *page, size_t at)
{
    return page == NULL || page[at];
}

static double score(size_t n, const float *q, const float *k)
{
    double sum = 0.0;
    for (size_t c = 0; c < n; c++)
        sum += (double)q[c] * (double)k[c];
    return sum / sqrt((double)n);
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            const size_t head = b * n_heads + h;
            const size_t mask = (mask_batch > 1 ? b : 0) * mask_heads + (mask_heads > 1 ? h : 0);
            const bool *page = may_attend ? may_attend + mask * seq_q * seq_k : NULL;
            const float *k = key + head * seq_k * d_head, *v = value + head * seq_k * d_head;
            for (size_t i = 0; i < seq_q; i++) {
                const float *q = query + (head * seq_q + i) * d_head;
                double top = -INFINITY, sum = 0.0;
                for (size_t j = 0; j < seq_k; j++)
                    if (is_visible(page, i * seq_k + j))
                        top = fmax(top, score(d_head, q, k + j * d_head));
                for (size_t j = 0; j < seq_k; j++)
                    if (is_visible(page, i * seq_k + j))
                        sum += exp(score(d_head, q, k + j * d_head) - top);
                for (size_t c = 0; c < d_head; c++) {
                    double mixed = 0.0;
                    for (size_t j = 0; j < seq_k; j++)
                        if (is_visible(page, i * seq_k + j))
                            mixed += exp(score(d_head, q, k + j * d_head) - top) *
                                     (double)v[j * d_head + c];
                    out[(head * seq_q + i) * d_head + c] = (float)(mixed / sum);
                }
            }
        }
    }
}
