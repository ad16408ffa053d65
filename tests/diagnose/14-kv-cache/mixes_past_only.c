#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t j, c;
    float *score = malloc(sizeof(float) * (n_past + 1));
    float biggest, total;
    for (c = 0; c < d_k; c++) key_cache[n_past * d_k + c] = new_key[c];
    for (c = 0; c < d_v; c++) value_cache[n_past * d_v + c] = new_value[c];
    for (j = 0; j < n_past + 1; j++) {
        score[j] = 0;
        for (c = 0; c < d_k; c++) score[j] += query[c] * key_cache[j * d_k + c];
        score[j] /= sqrt(d_k);
    }
    biggest = score[0];
    for (j = 1; j < n_past + 1; j++) if (score[j] > biggest) biggest = score[j];
    total = 0;
    for (j = 0; j < n_past + 1; j++) { score[j] = exp(score[j] - biggest); total += score[j]; }
    for (c = 0; c < d_v; c++) {
        context[c] = 0;
        for (j = 0; j < n_past; j++) context[c] += score[j] / total * value_cache[j * d_v + c];
    }
    free(score);
}
