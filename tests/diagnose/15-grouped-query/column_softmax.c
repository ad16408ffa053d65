#include <stddef.h>
#include <math.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
  const float (*Q)[n][d_head] = (const float (*)[n][d_head])query;
  const float (*K)[n][d_head] = (const float (*)[n][d_head])key;
  const float (*V)[n][d_head] = (const float (*)[n][d_head])value;
  float (*O)[n][d_head] = (float (*)[n][d_head])out;
  size_t per = n_heads / n_kv_heads, h = 0;

  for (size_t kv = 0; kv < n_kv_heads; kv++) {
    for (size_t g = 0; g < per; g++, h++) {
      float W[n][n];
      for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
          W[i][j] = 0;
          for (size_t c = 0; c < d_head; c++)
            W[i][j] += Q[h][i][c] * K[kv][j][c];
          W[i][j] /= sqrt(d_head);
        }
      }
      for (size_t j = 0; j < n; j++) {
        float top = W[0][j];
        for (size_t i = 0; i < n; i++)
          if (W[i][j] > top) top = W[i][j];
        float s = 0;
        for (size_t i = 0; i < n; i++) {
          W[i][j] = exp(W[i][j] - top);
          s += W[i][j];
        }
        for (size_t i = 0; i < n; i++)
          W[i][j] /= s;
      }
      for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d_head; c++) {
          O[h][i][c] = 0;
          for (size_t j = 0; j < n; j++)
            O[h][i][c] += W[i][j] * V[kv][j][c];
        }
      }
    }
  }
}
