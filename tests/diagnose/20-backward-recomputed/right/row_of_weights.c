#include <math.h>
#include <stdlib.h>
#include <string.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
                         const float *value, const float *context, const float *lse, const float *d_context,
                         float *d_query, float *d_key, float *d_value)
{
	double *w = malloc(n_k * sizeof *w);
	for (size_t x = 0; x < n_k * d_k; x++) d_key[x] = 0;
	for (size_t x = 0; x < n_k * d_v; x++) d_value[x] = 0;
	for (size_t i = 0; i < n_q; i++) {
		double total = 0;
		for (size_t j = 0; j < n_k; j++) {
			double s = 0, d = 0;
			for (size_t c = 0; c < d_k; c++) s += (double)query[i*d_k+c] * key[j*d_k+c];
			w[j] = exp(s / sqrt(d_k) - lse[i]);
			for (size_t c = 0; c < d_v; c++) d += (double)d_context[i*d_v+c] * value[j*d_v+c];
			for (size_t c = 0; c < d_v; c++) d_value[j*d_v+c] += (float)(w[j] * d_context[i*d_v+c]);
			total += w[j] * d;
			w[j] *= d;
		}
		for (size_t c = 0; c < d_k; c++) d_query[i*d_k+c] = 0;
		for (size_t j = 0; j < n_k; j++) {
			double s = 0, e;
			for (size_t c = 0; c < d_k; c++) s += (double)query[i*d_k+c] * key[j*d_k+c];
			e = (w[j] - total * exp(s / sqrt(d_k) - lse[i])) / sqrt(d_k);
			for (size_t c = 0; c < d_k; c++) {
				d_query[i*d_k+c] += (float)(e * key[j*d_k+c]);
				d_key[j*d_k+c] += (float)(e * query[i*d_k+c]);
			}
		}
	}
	(void)context;
	free(w);
}
