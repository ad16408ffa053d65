#include <math.h>
#include <stddef.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    float top = 0, sum = 1;
    for (size_t k = 0; k < d_k; k++)
        top += query[k] * (key_cache[n_past * d_k + k] = new_key[k]);
    top /= sqrtf((float)d_k);
    for (size_t c = 0; c < d_v; c++)
        context[c] = value_cache[n_past * d_v + c] = new_value[c];
    for (size_t j = n_past; j-- > 0;) {
        float s = 0;
        for (size_t k = 0; k < d_k; k++)
            s += query[k] * key_cache[j * d_k + k];
        s /= sqrtf((float)d_k);
        float m = s > top ? s : top, old = expf(top - m), e = expf(s - m);
        for (size_t c = 0; c < d_v; c++)
            context[c] = context[c] * old + e * value_cache[j * d_v + c];
        sum = sum * old + e;
        top = m;
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] /= sum;
}
