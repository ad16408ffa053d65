#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(size_t rows, size_t cols, float *m)
{
    for (size_t c = 0; c < cols; c++) {
        float mx = m[c], sum = 0;
        for (size_t r = 1; r < rows; r++)
            mx = fmaxf(mx, m[r * cols + c]);
        for (size_t r = 0; r < rows; r++) {
            m[r * cols + c] = expf(m[r * cols + c] - mx);
            sum += m[r * cols + c];
        }
        for (size_t r = 0; r < rows; r++)
            m[r * cols + c] /= sum;
    }
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_q * n_k * sizeof *scores);
    if (scores == NULL)
        return;

    /* step 1 and 2 */
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = s / sqrtf((float)d_k);
        }

    /* step 3 */
    softmax(n_q, n_k, scores);

    /* step 4 */
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n_k; j++)
                s += scores[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = s;
        }

    free(scores);
}
