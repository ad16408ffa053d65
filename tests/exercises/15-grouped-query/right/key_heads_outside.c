/* Goes over the key heads, and for each over the query heads that share it; online softmax. */
#include <math.h>
#include <stddef.h>
#include <string.h>

static void query_attention(size_t n, size_t d, const float *q, const float *k, const float *v,
                            float *out)
{
    float max = -INFINITY, sum = 0;
    memset(out, 0, d * sizeof *out);
    for (size_t j = 0; j < n; j++) {
        float score = 0;
        for (size_t c = 0; c < d; c++)
            score += q[c] / sqrtf((float)d) * k[j * d + c];
        const float new_max = fmaxf(max, score);
        const float shrink = expf(max - new_max), term = expf(score - new_max);
        for (size_t c = 0; c < d; c++)
            out[c] = out[c] * shrink + term * v[j * d + c];
        sum = sum * shrink + term;
        max = new_max;
    }
    for (size_t c = 0; c < d; c++)
        out[c] /= sum;
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const float *q = query;
    for (size_t kv = 0; kv < n_kv_heads; kv++) {
        /* the query rows of a whole group lie one after the other */
        for (size_t row = 0; row < n_heads / n_kv_heads * n; row++) {
            query_attention(n, d_head, q, key + kv * n * d_head, value + kv * n * d_head, out);
            q += d_head;
            out += d_head;
        }
    }
}
