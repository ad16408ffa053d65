#include <stddef.h>
#include <math.h>
#include <string.h>

typedef struct {
	double max;	/* largest score so far */
	double sum;	/* sum of exp(score - max) */
	double *mixed;	/* the same, times the values */
} running;

static void take(running *r, double score, const float *v, size_t d_v)
{
	if (score > r->max) {
		double f = exp(r->max - score);
		r->sum *= f;
		for (size_t c = 0; c < d_v; c++)
			r->mixed[c] *= f;
		r->max = score;
	}
	double term = exp(score - r->max);
	r->sum += term;
	for (size_t c = 0; c < d_v; c++)
		r->mixed[c] += term * v[c];
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
	double mixed[d_v];
	for (size_t i = 0; i < n_q; i++) {
		running r = { -INFINITY, 0, mixed };
		memset(mixed, 0, sizeof mixed);
		for (size_t j = 0; j < n_k; j++) {
			double s = 0;
			for (size_t c = 0; c < d_k; c++)
				s += (double)query[i * d_k + c] * key[j * d_k + c];
			take(&r, s / sqrt(d_k), value + j * d_v, d_v);
		}
		for (size_t c = 0; c < d_v; c++)
			context[i * d_v + c] = r.mixed[c] / r.sum;
	}
}
