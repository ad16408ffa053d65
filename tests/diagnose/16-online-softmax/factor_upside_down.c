#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    const double scale = 1 / sqrt((double)d_k);
    for (size_t i = 0; i < n_q; ++i) {
        double m = -INFINITY;
        double l = 0;
        for (size_t c = 0; c < d_v; ++c) context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; ++j) {
            double s = 0;
            for (size_t d = 0; d < d_k; ++d) s += (double)query[i * d_k + d] * key[j * d_k + d];
            s *= scale;
            if (s > m) {
                double f = m == -INFINITY ? 0 : exp(s - m);
                l *= f;
                for (size_t c = 0; c < d_v; ++c) context[i * d_v + c] *= f;
                m = s;
            }
            double e = exp(s - m);
            l += e;
            for (size_t c = 0; c < d_v; ++c) context[i * d_v + c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; ++c) context[i * d_v + c] /= l;
    }
}
