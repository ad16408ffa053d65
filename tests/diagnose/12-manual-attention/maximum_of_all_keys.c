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
	const float root = sqrtf((float)d_head);

	for (size_t b = 0; b < batch; b++)
	for (size_t h = 0; h < n_heads; h++)
	for (size_t i = 0; i < seq_q; i++) {
		const float *q = query + ((b * n_heads + h) * seq_q + i) * d_head;
		const float *k = key + (b * n_heads + h) * seq_k * d_head;
		const float *v = value + (b * n_heads + h) * seq_k * d_head;
		const bool *may = may_attend ? may_attend + b * text + h * head + i * seq_k : NULL;
		float *o = out + ((b * n_heads + h) * seq_q + i) * d_head;
		float s[seq_k], top = -INFINITY, sum = 0;

		for (size_t j = 0; j < seq_k; j++) {
			s[j] = 0;
			for (size_t c = 0; c < d_head; c++)
				s[j] += q[c] * k[j * d_head + c];
			s[j] /= root;
			top = fmaxf(top, s[j]);
		}
		for (size_t j = 0; j < seq_k; j++)
			if (may == NULL || may[j])
				sum += expf(s[j] - top);
		for (size_t c = 0; c < d_head; c++) {
			float mix = 0;
			for (size_t j = 0; j < seq_k; j++)
				if (may == NULL || may[j])
					mix += expf(s[j] - top) * v[j * d_head + c];
			o[c] = sum > 0 ? mix / sum : 0;
		}
	}
}
