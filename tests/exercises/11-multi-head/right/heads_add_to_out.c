/* Nothing is joined: each head multiplies its context with its own rows of w_out and adds that to
 * the output. In double, with the mask applied to the weights. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static double projected(size_t d_model, const float *word, const float *w, size_t column)
{
    double sum = 0.0;
    for (size_t m = 0; m < d_model; m++)
        sum += (double)word[m] * (double)w[m * d_model + column];
    return sum;
}

static void project(size_t n, size_t d_model, const float *x, const float *w, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++)
            out[i * d_model + c] = projected(d_model, x + i * d_model, w, c);
}

static void find_weights(size_t n, size_t i, size_t d_model, size_t d_head, bool causal,
                         const double *query, const double *key, double *weights)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t j = 0; j < n; j++) {
        weights[j] = 0.0;
        for (size_t c = 0; c < d_head; c++)
            weights[j] += query[i * d_model + c] * key[j * d_model + c];
        weights[j] /= sqrt((double)d_head);
        if (!causal || j <= i)
            top = fmax(top, weights[j]);
    }
    for (size_t j = 0; j < n; j++) {
        weights[j] = exp(weights[j] - top);
        if (causal && j > i)
            weights[j] = 0.0;
        sum += weights[j];
    }
    for (size_t j = 0; j < n; j++)
        weights[j] /= sum;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t size = n * d_model, d_head = d_model / n_heads;
    double *query = calloc(4 * size + n, sizeof *query);
    if (query == NULL)
        return;
    double *key = query + size, *value = key + size, *sums = value + size, *weights = sums + size;
    project(n, d_model, x, w_query, query);
    project(n, d_model, x, w_key, key);
    project(n, d_model, x, w_value, value);
    for (size_t first = 0; first < d_model; first += d_head) {
        for (size_t i = 0; i < n; i++) {
            find_weights(n, i, d_model, d_head, causal, query + first, key + first, weights);
            for (size_t c = first; c < first + d_head; c++) {
                double context = 0.0;
                for (size_t j = 0; j < n; j++)
                    context += weights[j] * value[j * d_model + c];
                for (size_t m = 0; m < d_model; m++)
                    sums[i * d_model + m] += context * (double)w_out[c * d_model + m];
            }
        }
    }
    for (size_t at = 0; at < size; at++)
        out[at] = (float)sums[at];
    free(query);
}
