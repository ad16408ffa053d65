#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define Q(h, i, c) query[(i) * d_model + (h) * d_head + (c)]
#define K(h, i, c) key[(i) * d_model + (h) * d_head + (c)]
#define V(h, i, c) value[(i) * d_model + (h) * d_head + (c)]
#define J(h, i, c) joined[(i) * d_model + (h) * d_head + (c)]
#define S(h, i, j) scores[((h) * n + (i)) * n + (j)]

static void times(size_t n, size_t d, const float *a, const float *w, float *res)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            res[i * d + c] = 0;
            for (size_t m = 0; m < d; m++)
                res[i * d + c] += a[i * d + m] * w[m * d + c];
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *query = malloc(n * d_model * sizeof(float));
    float *key = malloc(n * d_model * sizeof(float));
    float *value = malloc(n * d_model * sizeof(float));
    float *joined = malloc(n * d_model * sizeof(float));
    float *scores = malloc(n_heads * n * n * sizeof(float));

    /* step 1 */
    times(n, d_model, x, w_query, query);
    times(n, d_model, x, w_key, key);
    times(n, d_model, x, w_value, value);

    /* step 2, scores of all heads */
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                float sum = 0;
                for (size_t c = 0; c < d_head; c++)
                    sum += Q(h, i, c) * K(h, j, c);
                S(h, i, j) = sum; /* scale later */
            }

    /* mask */
    if (causal)
        for (size_t h = 0; h < n_heads; h++)
            for (size_t i = 0; i < n; i++)
                for (size_t j = i + 1; j < n; j++)
                    S(h, i, j) = -INFINITY;

    /* softmax */
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            float max = -INFINITY;
            for (size_t j = 0; j < n; j++)
                max = fmaxf(max, S(h, j, i));
            float total = 0;
            for (size_t j = 0; j < n; j++)
                total += S(h, j, i) = expf(S(h, j, i) - max);
            for (size_t j = 0; j < n; j++)
                S(h, j, i) /= total;
        }

    /* step 3 */
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < d_head; c++) {
                float sum = 0;
                for (size_t j = 0; j < n; j++)
                    sum += S(h, i, j) * V(h, j, c);
                J(h, i, c) = sum;
            }

    /* step 4 */
    times(n, d_model, joined, w_out, out);

    free(query);
    free(key);
    free(value);
    free(joined);
    free(scores);
}
