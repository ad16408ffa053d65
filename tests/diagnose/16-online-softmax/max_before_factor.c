#include <math.h>
#include <stddef.h>
#include <string.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    memset(context, 0, n_q * d_v * sizeof *context);
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            float score = 0;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            score /= sqrtf(d_k);
            float old = top;
            top = fmaxf(top, score);
            float moved = expf(old - top);
            total = total * moved + expf(score - top);
            for (size_t c = 0; c < d_v; c++) {
                context[i * d_v + c] *= moved;
                context[i * d_v + c] += expf(score - old) * value[j * d_v + c];
            }
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= total;
    }
}
