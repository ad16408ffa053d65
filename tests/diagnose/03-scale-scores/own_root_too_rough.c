#include <stddef.h>

static double my_sqrt(double x)
{
    double guess = x;
    int step;
    for (step = 0; step < 3; step++)
        guess = 0.5 * (guess + x / guess);
    return guess;
}

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    double factor = 1.0 / my_sqrt((double)d_k);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            scores[i * n_k + j] = (float)(scores[i * n_k + j] * factor);
}
