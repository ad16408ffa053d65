/* Takes row i of head h to be at (i * n_heads + h) * d_head. */
#include <math.h>
#include <stddef.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t group = n_heads / n_kv_heads;
    for (size_t i = 0; i < n; i++)
        for (size_t h = 0; h < n_heads; h++) {
            const size_t at = (i * n_heads + h) * d_head, kv = h / group;
            double sum = 0, max = -INFINITY, scores[64], mixed[64] = {0};
            for (size_t j = 0; j < n; j++) {
                scores[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    scores[j] +=
                        (double)query[at + c] * (double)key[(j * n_kv_heads + kv) * d_head + c];
                scores[j] /= sqrt((double)d_head);
                max = fmax(max, scores[j]);
            }
            for (size_t j = 0; j < n; j++) {
                const double term = exp(scores[j] - max);
                sum += term;
                for (size_t c = 0; c < d_head; c++)
                    mixed[c] += term * (double)value[(j * n_kv_heads + kv) * d_head + c];
            }
            for (size_t c = 0; c < d_head; c++)
                out[at + c] = (float)(mixed[c] / sum);
        }
}
