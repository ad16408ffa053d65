#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *Q = calloc(n * d_model, sizeof(float));
    float *K = calloc(n * d_model, sizeof(float));
    float *V = calloc(n * d_model, sizeof(float));
    float *J = calloc(n * d_model, sizeof(float));
    float *P = calloc(n, sizeof(float));

    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d_model; m++)
            for (size_t c = 0; c < d_model; c++) {
                Q[i * d_model + c] += x[i * d_model + m] * w_query[m * d_model + c];
                K[i * d_model + c] += x[i * d_model + m] * w_key[m * d_model + c];
                V[i * d_model + c] += x[i * d_model + m] * w_value[m * d_model + c];
            }

    for (size_t h = 0; h < n_heads; h++) {
        size_t off = h * d_head;
        for (size_t i = 0; i < n; i++) {
            size_t last = causal ? i : n - 1;
            float mx = -INFINITY, z = 0;
            for (size_t j = 0; j <= last; j++) {
                float d = 0;
                for (size_t c = off; c < off + d_head; c++)
                    d += Q[i * d_model + c] * K[j * d_model + c];
                P[j] = d / sqrtf(d_head);
                mx = P[j] > mx ? P[j] : mx;
            }
            for (size_t j = 0; j <= last; j++) {
                P[j] = expf(P[j] - mx);
                z += P[j];
            }
            for (size_t j = 0; j <= last; j++)
                for (size_t c = off; c < off + d_head; c++)
                    J[i * d_model + c] += P[j] / z * V[j * d_model + c];
        }
    }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            float s = 0;
            for (size_t m = 0; m < d_model; m++)
                s += J[i * d_model + m] * w_out[c * d_model + m];
            out[i * d_model + c] = s;
        }
    free(Q); free(K); free(V); free(J); free(P);
}
