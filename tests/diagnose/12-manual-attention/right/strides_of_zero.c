#include <stddef.h>
#include <stdbool.h>
#include <math.h>
#include <string.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
	const size_t text = mask_batch > 1 ? mask_heads * seq_q * seq_k : 0;	/* 0: the same mask again */
	const size_t head = mask_heads > 1 ? seq_q * seq_k : 0;
	const double root = sqrt((double)d_head);

	memset(out, 0, batch * n_heads * seq_q * d_head * sizeof(float));
	for (size_t b = 0; b < batch; b++)
	for (size_t h = 0; h < n_heads; h++)
	for (size_t i = 0; i < seq_q; i++) {
		const float *q = query + ((b * n_heads + h) * seq_q + i) * d_head;
		const float *k = key + (b * n_heads + h) * seq_k * d_head;
		const float *v = value + (b * n_heads + h) * seq_k * d_head;
		const bool *may = may_attend ? may_attend + b * text + h * head + i * seq_k : NULL;
		float *o = out + ((b * n_heads + h) * seq_q + i) * d_head;
		double s[seq_k], top = -HUGE_VAL, sum = 0;

		for (size_t j = 0; j < seq_k; j++) {
			s[j] = 0;
			for (size_t c = 0; c < d_head; c++)
				s[j] += (double)q[c] * k[j * d_head + c];
			s[j] /= root;
			if (may == NULL || may[j])
				top = fmax(top, s[j]);
		}
		for (size_t j = 0; j < seq_k; j++)
			if (may == NULL || may[j])
				sum += exp(s[j] - top);
		if (sum == 0)
			continue;	/* sees nothing, stays 0 */
		for (size_t c = 0; c < d_head; c++) {
			double mix = 0;
			for (size_t j = 0; j < seq_k; j++)
				if (may == NULL || may[j])
					mix += exp(s[j] - top) * v[j * d_head + c];
			o[c] = mix / sum;
		}
	}
}
