/* Starts from the new token, goes back through the past in double, and stores the row at the end.
 */
#include <math.h>
#include <stddef.h>

static double score(size_t d_k, const float *query, const float *key)
{
    double sum = 0;
    for (size_t c = 0; c < d_k; c++)
        sum += (double)query[c] * (double)key[c];
    return sum / sqrt((double)d_k);
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    const double own = score(d_k, query, new_key);
    double max = own;
    for (size_t j = n_past; j-- > 0;)
        max = fmax(max, score(d_k, query, key_cache + j * d_k));

    double sum = exp(own - max);
    for (size_t j = n_past; j-- > 0;)
        sum += exp(score(d_k, query, key_cache + j * d_k) - max);

    for (size_t c = 0; c < d_v; c++) {
        double mixed = exp(own - max) * (double)new_value[c];
        for (size_t j = n_past; j-- > 0;)
            mixed += exp(score(d_k, query, key_cache + j * d_k) - max) *
                     (double)value_cache[j * d_v + c];
        context[c] = (float)(mixed / sum);
        value_cache[n_past * d_v + c] = new_value[c];
    }
    for (size_t c = 0; c < d_k; c++)
        key_cache[n_past * d_k + c] = new_key[c];
}
