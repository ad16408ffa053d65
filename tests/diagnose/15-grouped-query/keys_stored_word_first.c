#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t group = n_heads / n_kv_heads;
    const size_t step = n_kv_heads * d_head; /* from one word to the next */
    double *w = malloc(n * sizeof *w);
    for (size_t row = 0; row < n_heads * n; row++) {
        const float *q = query + row * d_head;
        const size_t kv = row / n / group * d_head;
        double top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            const float *k = key + kv + j * step;
            double s = 0;
            for (size_t c = 0; c < d_head; c++)
                s += (double)q[c] * k[c];
            w[j] = s / sqrt((double)d_head);
            top = fmax(top, w[j]);
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = exp(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d_head; c++) {
            double s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] * value[kv + j * step + c];
            out[row * d_head + c] = (float)(s / total);
        }
    }
    free(w);
}
