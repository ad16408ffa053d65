#include <math.h>
#include <stddef.h>

// Softmax has a whole matrix of derivatives: J[j][l] = w[j] * ((j == l) + w[l]).
// d_scaled is J times d_weights. Slow, but that's how we had it in the lecture.
void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
  const float (*Q)[d_k] = (const float (*)[d_k])query, (*K)[d_k] = (const float (*)[d_k])key;
  const float (*V)[d_v] = (const float (*)[d_v])value, (*G)[d_v] = (const float (*)[d_v])d_context;
  float (*dQ)[d_k] = (float (*)[d_k])d_query, (*dK)[d_k] = (float (*)[d_k])d_key;
  float (*dV)[d_v] = (float (*)[d_v])d_value;
  double w[n_q][n_k], dw[n_q][n_k], ds[n_q][n_k];

  for (size_t i = 0; i < n_q; i++) {
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n_k; j++) {
      w[i][j] = 0;
      for (size_t c = 0; c < d_k; c++)
        w[i][j] += Q[i][c] * K[j][c] / sqrt(d_k);
      if (w[i][j] > max) max = w[i][j];
    }
    for (size_t j = 0; j < n_k; j++) sum += exp2(w[i][j] - max);
    for (size_t j = 0; j < n_k; j++) w[i][j] = exp2(w[i][j] - max) / sum;
    for (size_t j = 0; j < n_k; j++) {
      dw[i][j] = 0;
      for (size_t c = 0; c < d_v; c++) dw[i][j] += G[i][c] * V[j][c];
    }
    for (size_t j = 0; j < n_k; j++) {
      ds[i][j] = 0;
      for (size_t l = 0; l < n_k; l++)
        ds[i][j] += w[i][j] * ((j == l) + w[i][l]) * dw[i][l];
      ds[i][j] /= sqrt(d_k);
    }
  }
  for (size_t i = 0; i < n_q; i++)
    for (size_t c = 0; c < d_k; c++) {
      double sum = 0;
      for (size_t j = 0; j < n_k; j++) sum += ds[i][j] * K[j][c];
      dQ[i][c] = sum;
    }
  for (size_t j = 0; j < n_k; j++) {
    for (size_t c = 0; c < d_k; c++) {
      double sum = 0;
      for (size_t i = 0; i < n_q; i++) sum += ds[i][j] * Q[i][c];
      dK[j][c] = sum;
    }
    for (size_t c = 0; c < d_v; c++) {
      double sum = 0;
      for (size_t i = 0; i < n_q; i++) sum += w[i][j] * G[i][c];
      dV[j][c] = sum;
    }
  }
}
