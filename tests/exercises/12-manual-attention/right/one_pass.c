/* No arrays: one pass over the visible keys of each query, with strides of 0 where the mask has one
 * page for all. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct running {
    float top, sum;
};

static void take_in(struct running *r, float score, size_t n, const float *value, float *out)
{
    if (score > r->top) {
        const float shrink = expf(r->top - score);
        r->sum *= shrink;
        for (size_t c = 0; c < n; c++)
            out[c] *= shrink;
        r->top = score;
    }
    const float share = expf(score - r->top);
    r->sum += share;
    for (size_t c = 0; c < n; c++)
        out[c] += share * value[c];
}

static void attend(size_t seq_k, size_t n, const float *q, const float *key, const float *value,
                   const bool *may, float *out)
{
    struct running r = {-INFINITY, 0.0f};
    for (size_t c = 0; c < n; c++)
        out[c] = 0.0f;
    for (size_t j = 0; j < seq_k; j++) {
        float score = 0.0f;
        if (may != NULL && !may[j])
            continue;
        for (size_t c = 0; c < n; c++)
            score += q[c] * key[j * n + c];
        take_in(&r, score / sqrtf((float)n), n, value + j * n, out);
    }
    for (size_t c = 0; c < n && r.sum > 0.0f; c++)
        out[c] /= r.sum;
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    const size_t page = seq_q * seq_k;
    const size_t head_stride = mask_heads > 1 ? page : 0;
    const size_t text_stride = mask_batch > 1 ? mask_heads * page : 0;
    for (size_t i = 0; i < seq_q; i++) {
        for (size_t h = 0; h < n_heads; h++) {
            for (size_t b = 0; b < batch; b++) {
                const size_t head = b * n_heads + h, at = (head * seq_q + i) * d_head;
                const size_t mask = b * text_stride + h * head_stride + i * seq_k;
                attend(seq_k, d_head, query + at, key + head * seq_k * d_head,
                       value + head * seq_k * d_head, may_attend ? may_attend + mask : NULL,
                       out + at);
            }
        }
    }
}
