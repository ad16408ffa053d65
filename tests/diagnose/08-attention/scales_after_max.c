#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const double scale = 1.0 / sqrt((double)d_k);
    double *s = malloc(n_k * sizeof(double));
    if (s == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        double top = -HUGE_VAL, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            s[j] *= scale;
            top = s[j] > top ? s[j] : top;
        }
        for (size_t j = 0; j < n_k; j++)
            sum += s[j] = exp((s[j] - top) * scale);
        for (size_t c = 0; c < d_v; c++) {
            double m = 0;
            for (size_t j = 0; j < n_k; j++)
                m += s[j] * value[j * d_v + c];
            context[i * d_v + c] = (float)(m / sum);
        }
    }
    free(s);
}
