#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* as torch.repeat_interleave: every key head is copied for all its query heads */
static float *repeated(const float *a, size_t heads, size_t times, size_t page)
{
	float *r = malloc(heads * times * page * sizeof(float));
	for (size_t h = 0; h < heads * times; h++)
		memcpy(r + h * page, a + h / times * page, page * sizeof(float));
	return r;
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
	const size_t page = n * d_head;
	float *k = repeated(key, n_kv_heads, n_heads / n_kv_heads, page);
	float *v = repeated(value, n_kv_heads, n_heads / n_kv_heads, page);
	for (size_t row = 0; row < n_heads * n; row++) { /* all rows of all heads in turn */
		const float *q = query + row * d_head;
		const float *kk = k + row / n * page, *vv = v + row / n * page;
		float *o = out + row * d_head;
		double top = -INFINITY, sum = 0, mix[d_head];
		memset(mix, 0, sizeof mix);
		for (size_t j = 0; j < n; j++) {
			double s = 0;
			for (size_t c = 0; c < d_head; c++)
				s += q[c] * kk[j * d_head + c];
			s /= sqrt((double)d_head);
			double t = fmax(s, top);
			double shrink = exp(top - t), e = exp(s - t);
			sum = sum * shrink + e;
			for (size_t c = 0; c < d_head; c++)
				mix[c] = mix[c] * shrink + e * vv[j * d_head + c];
		}
		for (size_t c = 0; c < d_head; c++)
			o[c] = mix[c] / sum;
	}
	free(k);
	free(v);
}
