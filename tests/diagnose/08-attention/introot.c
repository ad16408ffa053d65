#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dotp(const float *a, const float *b, int len)
{
    float s = 0;
    for (int i = 0; i < len; i++)
        s += a[i] * b[i];
    return s;
}

static void softmax(float *x, int len)
{
    float mx = x[0], sum = 0;
    for (int i = 1; i < len; i++)
        mx = fmaxf(mx, x[i]);
    for (int i = 0; i < len; i++)
        sum += x[i] = expf(x[i] - mx);
    for (int i = 0; i < len; i++)
        x[i] /= sum;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(sizeof(float) * n_k);
    int root = sqrt(d_k);
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++)
            scores[j] = dotp(query + i * d_k, key + j * d_k, d_k) / root;
        softmax(scores, n_k);
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += scores[j] * value[j * d_v + c];
        }
    }
    free(scores);
}
