#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* number `col` of the projection of word `row`. slow, because I always compute it again */
static double projected(const float *x, const float *w, size_t row, size_t col, size_t d)
{
    double s = 0;
    for (size_t m = 0; m < d; m++)
        s += x[row * d + m] * w[m * d + col];
    (void)row;
    return s;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t dh = d_model / n_heads;
    float z[d_model];
    float p[n];
    for (size_t i = 0; i < n; i++) {
        size_t last = causal ? i : n - 1;
        for (size_t h = 0; h < n_heads; h++) {
            float m = -INFINITY, total = 0;
            for (size_t j = 0; j <= last; j++) {
                double s = 0;
                for (size_t c = h * dh; c < (h + 1) * dh; c++)
                    s += projected(x, w_query, i, c, d_model) * projected(x, w_key, j, c, d_model);
                p[j] = s / sqrt(dh);
                m = p[j] > m ? p[j] : m;
            }
            for (size_t j = 0; j <= last; j++)
                total += p[j] = expf(p[j] - m);
            for (size_t c = h * dh; c < (h + 1) * dh; c++) {
                double s = 0;
                for (size_t j = 0; j <= last; j++)
                    s += p[j] * projected(x, w_value, i, c, d_model);
                z[c] = s / total;
            }
        }
        for (size_t c = 0; c < d_model; c++)
            out[i * d_model + c] = projected(z, w_out, 0, c, d_model);
    }
}
