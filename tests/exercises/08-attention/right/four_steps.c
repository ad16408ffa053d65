/* One function for each step, with whole matrices in between. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void find_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                        float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            float sum = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                sum += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = sum;
        }
    }
}

static void scale(size_t n, float factor, float *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] *= factor;
}

static void softmax(size_t n, float *row)
{
    float top = row[0], sum = 0.0f;
    for (size_t j = 1; j < n; j++)
        top = row[j] > top ? row[j] : top;
    for (size_t j = 0; j < n; j++)
        sum += row[j] = expf(row[j] - top);
    for (size_t j = 0; j < n; j++)
        row[j] /= sum;
}

static void mix(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                sum += weights[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *matrix = malloc(n_q * n_k * sizeof *matrix);
    if (matrix == NULL)
        return;
    find_scores(n_q, n_k, d_k, query, key, matrix);
    scale(n_q * n_k, 1.0f / sqrtf((float)d_k), matrix);
    for (size_t i = 0; i < n_q; i++)
        softmax(n_k, matrix + i * n_k);
    mix(n_q, n_k, d_v, matrix, value, context);
    free(matrix);
}
