#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* softmax of keys [from, to) only: its top, its sum, and the mixture, not divided yet */
struct part { float top, sum; float *mix; };

static struct part attend(size_t from, size_t to, size_t d_k, size_t d_v, const float *q,
                          const float *key, const float *value)
{
    struct part p = {-INFINITY, 0, calloc(d_v, sizeof(float))};
    if (to - from == 1) {
        p.top = 0;
        for (size_t d = 0; d < d_k; d++)
            p.top += q[d] * key[from * d_k + d];
        p.top /= sqrtf((float)d_k);
        p.sum = 1;
        for (size_t c = 0; c < d_v; c++)
            p.mix[c] = value[from * d_v + c];
        return p;
    }
    size_t middle = from + (to - from) / 2;
    struct part a = attend(from, middle, d_k, d_v, q, key, value);
    struct part b = attend(middle, to, d_k, d_v, q, key, value);
    p.top = fmaxf(a.top, b.top);
    float fa = expf(a.top - p.top), fb = expf(b.top - p.top);
    p.sum = fa * a.sum + fb * b.sum;
    for (size_t c = 0; c < d_v; c++)
        p.mix[c] = fa * a.mix[c] + fb * b.mix[c];
    free(a.mix);
    free(b.mix);
    return p;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        struct part p = attend(0, n_k, d_k, d_v, query + i * d_k, key, value);
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = p.mix[c] / p.sum;
        free(p.mix);
    }
}
