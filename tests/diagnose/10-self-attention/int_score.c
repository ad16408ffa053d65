#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#define AT(m,cols,r,c) (m)[(r)*(cols)+(c)]

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x, const float *w_query, const float *w_key, const float *w_value, float *context) {
  float *query = malloc(n*d_k*sizeof(float));
  float *key   = malloc(n*d_k*sizeof(float));
  float *value = malloc(n*d_v*sizeof(float));
  float *score = malloc(n*sizeof(float));
  size_t i, j, c, m;

  for (i = 0; i < n; i++) {
    for (c = 0; c < d_k; c++) {
      AT(query,d_k,i,c) = 0;
      AT(key,d_k,i,c) = 0;
      for (m = 0; m < d_model; m++) {
        AT(query,d_k,i,c) += AT(x,d_model,i,m) * AT(w_query,d_k,m,c);
        AT(key,d_k,i,c) += AT(x,d_model,i,m) * AT(w_key,d_k,m,c);
      }
    }
    for (c = 0; c < d_v; c++) {
      AT(value,d_v,i,c) = 0;
      for (m = 0; m < d_model; m++)
        AT(value,d_v,i,c) += AT(x,d_model,i,m) * AT(w_value,d_v,m,c);
    }
  }

  for (i = 0; i < n; i++) {
    float max = -INFINITY;
    for (j = 0; j < n; j++) {
      int dot = 0;
      for (c = 0; c < d_k; c++)
        dot += AT(query,d_k,i,c) * AT(key,d_k,j,c);
      score[j] = dot / sqrt(d_k);
      if (score[j] > max) max = score[j];
    }
    float sum = 0;
    for (j = 0; j < n; j++)
      sum += exp(score[j] - max);
    for (c = 0; c < d_v; c++) {
      AT(context,d_v,i,c) = 0;
      for (j = 0; j < n; j++)
        AT(context,d_v,i,c) += exp(score[j] - max) / sum * AT(value,d_v,j,c);
    }
  }

  free(query);
  free(key);
  free(value);
  free(score);
}
