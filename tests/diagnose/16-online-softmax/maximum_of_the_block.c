/* sixteen keys at a time */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { BLOCK = 16 };

static float block_scores(size_t n, size_t d_k, const float *query, const float *key, float *scores)
{
    float max = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        scores[j] = 0;
        for (size_t c = 0; c < d_k; c++)
            scores[j] += query[c] * key[j * d_k + c];
        scores[j] /= sqrtf((float)d_k);
        max = fmaxf(max, scores[j]);
    }
    return max;
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++, query += d_k, context += d_v) {
        float max = -INFINITY, sum = 0, scores[BLOCK];
        memset(context, 0, d_v * sizeof *context);
        for (size_t first = 0; first < n_k; first += BLOCK) {
            const size_t n = n_k - first < BLOCK ? n_k - first : BLOCK;
            const float block_max = block_scores(n, d_k, query, key + first * d_k, scores);
            const float new_max = block_max, shrink = expf(max - new_max);
            sum *= shrink;
            for (size_t c = 0; c < d_v; c++)
                context[c] *= shrink;
            for (size_t j = 0; j < n; j++) {
                const float term = expf(scores[j] - new_max);
                sum += term;
                for (size_t c = 0; c < d_v; c++)
                    context[c] += term * value[(first + j) * d_v + c];
            }
            max = new_max;
        }
        for (size_t c = 0; c < d_v; c++)
            context[c] /= sum;
    }
}
