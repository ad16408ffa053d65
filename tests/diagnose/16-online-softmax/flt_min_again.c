#include <float.h>
#include <math.h>
#include <stddef.h>
void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key, const float *value, float *context)
{
	size_t i, j, c;
	for (i = 0; i < n_q; i++) {
		float m = FLT_MIN, l = 0, y[d_v];
		for (c = 0; c < d_v; c++) y[c] = 0;
		for (j = 0; j < n_k; j++) {
			float s = 0;
			for (c = 0; c < d_k; c++) s += query[i*d_k+c] * key[j*d_k+c];
			s /= sqrtf(d_k);
			if (s > m) {
				l *= expf(m - s);
				for (c = 0; c < d_v; c++) y[c] *= expf(m - s);
				m = s;
			}
			l += expf(s - m);
			for (c = 0; c < d_v; c++) y[c] += expf(s - m) * value[j*d_v+c];
		}
		for (c = 0; c < d_v; c++) context[i*d_v+c] = y[c] / l;
	}
}
