#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float scale = 1 / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, total = 0;
        float *acc = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            acc[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s *= scale;
            float m_new = s > m ? s : m;
            if (s < m - 3)
                continue;
            float shrink = expf(m - m_new);
            float term = expf(s - m_new);
            total = total * shrink + term;
            for (size_t c = 0; c < d_v; c++)
                acc[c] = acc[c] * shrink + term * value[j * d_v + c];
            m = m_new;
        }
        for (size_t c = 0; c < d_v; c++)
            acc[c] /= total;
    }
}

