/* Groups the products otherwise: scores = x (w_query w_key^T) x^T, and the words are mixed before
 * they become values. In double. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* w_query w_key^T (d_model, d_model) */
static void join(size_t d_model, size_t d_k, const float *w_query, const float *w_key,
                 double *joined)
{
    for (size_t a = 0; a < d_model; a++) {
        for (size_t b = 0; b < d_model; b++) {
            double sum = 0.0;
            for (size_t c = 0; c < d_k; c++)
                sum += (double)w_query[a * d_k + c] * (double)w_key[b * d_k + c];
            joined[a * d_model + b] = sum / sqrt((double)d_k);
        }
    }
}

static double score(size_t d_model, const float *asks, const float *answers, const double *joined)
{
    double sum = 0.0;
    for (size_t a = 0; a < d_model; a++)
        for (size_t b = 0; b < d_model; b++)
            sum += (double)asks[a] * joined[a * d_model + b] * (double)answers[b];
    return sum;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    double *joined = malloc((d_model * d_model + n + d_model) * sizeof *joined);
    if (joined == NULL)
        return;
    double *row = joined + d_model * d_model, *word = row + n;
    join(d_model, d_k, w_query, w_key, joined);
    for (size_t i = 0; i < n; i++) {
        double top = -INFINITY, sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            row[j] = score(d_model, x + i * d_model, x + j * d_model, joined);
            top = fmax(top, row[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += row[j] = exp(row[j] - top);
        for (size_t m = 0; m < d_model; m++) {
            word[m] = 0.0;
            for (size_t j = 0; j < n; j++)
                word[m] += row[j] / sum * (double)x[j * d_model + m];
        }
        for (size_t c = 0; c < d_v; c++) {
            double mixed = 0.0;
            for (size_t m = 0; m < d_model; m++)
                mixed += word[m] * (double)w_value[m * d_v + c];
            context[i * d_v + c] = (float)mixed;
        }
    }
    free(joined);
}
