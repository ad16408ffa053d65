#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* makes q and k with one function, and adds the values up right away */
static void project(const float *x, const float *w, float *y, int rows, int in, int out)
{
    for (int r = 0; r < rows * out; r++) {
        y[r] = 0;
        for (int m = 0; m < in; m++)
            y[r] += x[r / out * in + m] * w[m * out + r % out];
    }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x, const float *w_query,
                    const float *w_key, const float *w_value, float *context)
{
    float *buf = malloc(n * (2 * d_k + d_v) * sizeof(float));
    float *Q = buf, *K = Q + n * d_k, *V = K + n * d_k;
    project(x, w_query, Q, n, d_model, d_k);
    project(x, w_key, K, n, d_model, d_k);
    project(x, w_value, V, n, d_model, d_v);
    for (size_t i = 0; i < n; i++) {
        double total = 0, mix[d_v];
        for (size_t c = 0; c < d_v; c++)
            mix[c] = 0;
        for (size_t j = 0; j < n; j++) {
            double s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += Q[i * d_k + c] * K[j * d_k + c];
            s = exp(s / sqrt(d_k));
            total += s;
            for (size_t c = 0; c < d_v; c++)
                mix[c] += s * V[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = mix[c] / total;
    }
    free(buf);
}
