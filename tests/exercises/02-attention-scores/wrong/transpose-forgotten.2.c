#include <stddef.h>

/* c (rows, cols) = a (rows, inner) times b (inner, cols) */
static void matmul(size_t rows, size_t inner, size_t cols, const float *a, const float *b, float *c)
{
    for (size_t cell = 0; cell < rows * cols; cell++)
        c[cell] = 0.0f;
    for (size_t r = 0; r < rows; r++) {
        for (size_t m = 0; m < inner; m++) {
            for (size_t k = 0; k < cols; k++)
                c[r * cols + k] += a[r * inner + m] * b[m * cols + k];
        }
    }
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    matmul(n_q, d_k, n_k, query, key, scores);
}
