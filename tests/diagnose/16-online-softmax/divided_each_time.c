#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    double *acc = malloc(d_v * sizeof *acc);
    if (acc == NULL)
        return;
    double root = sqrt((double)d_k);
    for (size_t i = 0; i < n_q; i++) {
        double m = -INFINITY, l = 0;
        for (size_t c = 0; c < d_v; c++)
            acc[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            double s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += (double)query[i * d_k + d] * key[j * d_k + d];
            s /= root;
            double m_new = s > m ? s : m;
            double move = exp(m - m_new), e = exp(s - m_new);
            l = l * move + e;
            for (size_t c = 0; c < d_v; c++) {
                acc[c] = acc[c] * move + e * value[j * d_v + c];
                acc[c] /= l;
            }
            m = m_new;
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = (float)acc[c];
    }
    free(acc);
}
