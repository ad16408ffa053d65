#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    const float root = sqrtf((float)d_k);

    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *ctx = context + i * d_v;
        float m = -INFINITY, l = 0;

        for (size_t c = 0; c < d_v; c++) ctx[c] = 0;

        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++) s += q[d] * key[j * d_k + d];
            s /= root;

            float m_new = s > m ? s : m;
            float alpha = expf(m - m_new);
            float p = expf(s - m_new);
            l = l * alpha + p;
            for (size_t c = 0; c < d_v; c++)
                ctx[c] = (ctx[c] * alpha + p * value[j * d_v + c]) / l;
            m = m_new;
        }
    }
}
