#include <math.h>
#include <stddef.h>

/* query @ key.T = x @ (w_query @ w_key.T) @ x.T, so there is one matrix of (d_model, d_model)
 * and no query or key at all. And (weights @ x) @ w_value is the same as weights @ (x @ w_value). */
void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    double both[d_model][d_model];
    for (size_t a = 0; a < d_model; a++)
        for (size_t b = 0; b < d_model; b++) {
            both[a][b] = 0;
            for (size_t c = 0; c < d_k; c++)
                both[a][b] += (double)w_query[a * d_k + c] * w_key[b * d_k + c];
        }

    for (size_t i = 0; i < n; i++) {
        const float *xi = x + i * d_model;
        double asked[d_model], mixed[d_model], weight[n];
        for (size_t b = 0; b < d_model; b++) {
            asked[b] = mixed[b] = 0;
            for (size_t a = 0; a < d_model; a++)
                asked[b] += xi[a] * both[a][b];
        }
        double top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weight[j] = 0;
            for (size_t b = 0; b < d_model; b++)
                weight[j] += asked[b] * x[j * d_model + b];
            top = fmax(top, weight[j]);
        }
        for (size_t j = 0; j < n; j++) {
            weight[j] = exp(weight[j] - top) / sqrt(d_k);
            sum += weight[j];
            for (size_t b = 0; b < d_model; b++)
                mixed[b] += weight[j] * x[j * d_model + b];
        }
        for (size_t c = 0; c < d_v; c++) {
            double out = 0;
            for (size_t b = 0; b < d_model; b++)
                out += mixed[b] / sum * w_value[b * d_v + c];
            context[i * d_v + c] = (float)out;
        }
    }
}
