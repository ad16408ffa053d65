#include <stddef.h>
#include <stdlib.h>
#include <math.h>

/* a (n, m) times b (m, p); t after a name: that one is stored the other way round */
static double *times(size_t n, size_t m, size_t p, const double *a, int ta, const double *b, int tb)
{
	double *r = calloc(n * p, sizeof(double));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			for (size_t k = 0; k < m; k++)
				r[i * p + j] += (ta ? a[k * n + i] : a[i * m + k]) * (tb ? b[j * m + k] : b[k * p + j]);
	return r;
}

static double *wide(const float *a, size_t size)
{
	double *r = malloc(size * sizeof(double));
	for (size_t i = 0; i < size; i++)
		r[i] = a[i];
	return r;
}

static void store(float *to, double *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = (float)from[i];
	free(from);
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
	double *q = wide(query, n_q * d_k), *k = wide(key, n_k * d_k);
	double *v = wide(value, n_k * d_v), *dc = wide(d_context, n_q * d_v);

	/* forward */
	double *w = times(n_q, d_k, n_k, q, 0, k, 1);
	for (size_t i = 0; i < n_q; i++) {
		double *row = w + i * n_k, top = row[0], total = 0;
		for (size_t j = 1; j < n_k; j++)
			top = fmax(top, row[j]);
		for (size_t j = 0; j < n_k; j++)
			total += row[j] = exp((row[j] - top) / sqrt(d_k));
		for (size_t j = 0; j < n_k; j++)
			row[j] /= total;
	}

	/* backward */
	store(d_value, times(n_k, n_q, d_v, w, 1, dc, 0), n_k * d_v);
	double *dw = times(n_q, d_v, n_k, dc, 0, v, 1);
	double *ds = malloc(n_q * n_k * sizeof(double));
	for (size_t i = 0; i < n_q; i++) {
		double s = 0;
		for (size_t j = 0; j < n_k; j++)
			s += w[i * n_k + j] * dw[i * n_k + j];
		for (size_t j = 0; j < n_k; j++)
			ds[i * n_k + j] = w[i * n_k + j] * (dw[i * n_k + j] - s) / sqrt(d_k);
	}
	store(d_query, times(n_q, n_k, d_k, ds, 0, k, 0), n_q * d_k);
	store(d_key, times(n_k, n_q, d_k, ds, 1, q, 0), n_k * d_k);
	free(q); free(k); free(v); free(dc); free(w); free(dw);
}
