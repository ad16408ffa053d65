/* sixteen keys at a time */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { BLOCK = 16 };

static float block_scores(size_t n, size_t d, const float *query, const float *key, float *scores)
{
    float max = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        scores[j] = 0;
        for (size_t c = 0; c < d; c++)
            scores[j] += query[c] * key[j * d + c];
        scores[j] /= sqrtf((float)d);
        max = fmaxf(max, scores[j]);
    }
    return max;
}

void fast_attention(size_t n, size_t d, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n; i++, query += d, context += d) {
        float max = -INFINITY, sum = 0, scores[BLOCK];
        memset(context, 0, d * sizeof *context);
        for (size_t first = 0; first < n; first += BLOCK) {
            const size_t m = n - first < BLOCK ? n - first : BLOCK;
            const float block_max = block_scores(m, d, query, key + first * d, scores);
            const float new_max = block_max, shrink = expf(max - new_max);
            sum *= shrink;
            for (size_t c = 0; c < d; c++)
                context[c] *= shrink;
            for (size_t j = 0; j < m; j++) {
                const float term = expf(scores[j] - new_max);
                sum += term;
                for (size_t c = 0; c < d; c++)
                    context[c] += term * value[(first + j) * d + c];
            }
            max = new_max;
        }
        for (size_t c = 0; c < d; c++)
            context[c] /= sum;
    }
}
