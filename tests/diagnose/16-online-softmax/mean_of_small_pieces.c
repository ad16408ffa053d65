#include <math.h>
#include <stddef.h>

enum { PIECE = 4 };

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *out = context + i * d_v;
        size_t pieces = 0;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t start = 0; start < n_k; start += PIECE) {
            size_t len = n_k - start < PIECE ? n_k - start : PIECE;
            float p[PIECE], top = -INFINITY, total = 0;
            for (size_t j = 0; j < len; j++) {
                p[j] = 0;
                for (size_t d = 0; d < d_k; d++)
                    p[j] += query[i * d_k + d] * key[(start + j) * d_k + d];
                p[j] /= sqrtf((float)d_k);
                top = fmaxf(top, p[j]);
            }
            for (size_t j = 0; j < len; j++)
                total += p[j] = expf(p[j] - top);
            for (size_t j = 0; j < len; j++)
                for (size_t c = 0; c < d_v; c++)
                    out[c] += p[j] / total * value[(start + j) * d_v + c];
            pieces++;
        }
        for (size_t c = 0; c < d_v; c++)
            out[c] /= (float)pieces;
    }
}
