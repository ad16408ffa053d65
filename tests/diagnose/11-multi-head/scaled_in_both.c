#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// c = a * b
static void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols)
{
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < cols; k++) {
            float acc = 0;
            for (int m = 0; m < inner; m++)
                acc += a[r * inner + m] * b[m * cols + k];
            c[r * cols + k] = acc;
        }
    }
}

static void softmax_row(float *r, int len)
{
    float max = r[0];
    for (int j = 1; j < len; j++)
        if (r[j] > max)
            max = r[j];
    float total = 0;
    for (int j = 0; j < len; j++) {
        r[j] = expf(r[j] - max);
        total += r[j];
    }
    for (int j = 0; j < len; j++)
        r[j] /= total;
}

// the attention from before: one head, everything packed tightly
static void one_head(int n, int d, bool causal, const float *q, const float *k, const float *v,
                     float *ctx)
{
    float *w = malloc(sizeof(float) * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float dot = 0;
            for (int c = 0; c < d; c++)
                dot += q[i * d + c] * k[j * d + c];
            w[j] = dot / sqrtf(d);
            if (causal && j > i)
                w[j] = -INFINITY;
        }
        softmax_row(w, n);
        for (int c = 0; c < d; c++) {
            float mix = 0;
            for (int j = 0; j < n; j++)
                mix += w[j] * v[j * d + c];
            ctx[i * d + c] = mix;
        }
    }
    free(w);
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    int N = n, D = d_model, H = n_heads, d = D / H;
    float *q = malloc(sizeof(float) * N * D);
    float *k = malloc(sizeof(float) * N * D);
    float *v = malloc(sizeof(float) * N * D);
    float *joined = malloc(sizeof(float) * N * D);
    float *qh = malloc(sizeof(float) * N * d);
    float *kh = malloc(sizeof(float) * N * d);
    float *vh = malloc(sizeof(float) * N * d);
    float *ctx = malloc(sizeof(float) * N * d);

    matmul(x, w_query, q, N, D, D);
    matmul(x, w_key, k, N, D, D);
    matmul(x, w_value, v, N, D, D);
    // scale by 1/sqrt(d)
    for (int i = 0; i < N * D; i++)
        q[i] /= sqrtf(d);
    for (int h = 0; h < H; h++) {
        // cut this head's columns out
        for (int i = 0; i < N; i++) {
            for (int c = 0; c < d; c++) {
                qh[i * d + c] = q[i * D + h * d + c];
                kh[i * d + c] = k[i * D + h * d + c];
                vh[i * d + c] = v[i * D + h * d + c];
            }
        }
        one_head(N, d, causal, qh, kh, vh, ctx);
        // and put the result back
        for (int i = 0; i < N; i++)
            for (int c = 0; c < d; c++)
                joined[i * D + h * d + c] = ctx[i * d + c];
    }
    matmul(joined, w_out, out, N, D, D);

    free(q);
    free(k);
    free(v);
    free(joined);
    free(qh);
    free(kh);
    free(vh);
    free(ctx);
}
