/* Right, in double, and every score is computed three times. */
#include <math.h>
#include <stddef.h>

static double score(size_t d, const float *query, const float *key)
{
    double sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += (double)query[c] * (double)key[c];
    return sum / sqrt((double)d);
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    for (size_t i = 0; i < n; i++) {
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++)
            max = fmax(max, score(d, query + i * d, key + j * d));
        for (size_t j = 0; j < n; j++)
            sum += exp(score(d, query + i * d, key + j * d) - max);
        for (size_t c = 0; c < d; c++)
            context[i * d + c] = 0;
        for (size_t j = 0; j < n; j++) {
            const double weight = exp(score(d, query + i * d, key + j * d) - max) / sum;
            for (size_t c = 0; c < d; c++)
                context[i * d + c] += (float)(weight * (double)value[j * d + c]);
        }
    }
}
