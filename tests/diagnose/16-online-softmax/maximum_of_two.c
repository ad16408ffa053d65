#include <math.h>
#include <stddef.h>

/* two keys at a time, each pair with its own maximum */
void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        double m = -INFINITY, l = 0;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j += 2) {
            double s[2] = {-INFINITY, -INFINITY};
            for (size_t t = 0; t < 2 && j + t < n_k; t++) {
                s[t] = 0;
                for (size_t c = 0; c < d_k; c++)
                    s[t] += (double)query[i * d_k + c] * key[(j + t) * d_k + c];
                s[t] /= sqrt(d_k);
            }
            double top = fmax(s[0], s[1]), f = exp(m - top);
            l = l * f + exp(s[0] - top) + exp(s[1] - top);
            for (size_t c = 0; c < d_v; c++) {
                double old = context[i * d_v + c] * f + exp(s[0] - top) * value[j * d_v + c];
                if (j + 1 < n_k)
                    old += exp(s[1] - top) * value[(j + 1) * d_v + c];
                context[i * d_v + c] = old;
            }
            m = top;
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= l;
    }
}
