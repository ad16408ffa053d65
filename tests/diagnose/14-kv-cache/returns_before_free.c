#include <stddef.h>
#include <stdlib.h>
#include <math.h>

static void append(float *cache, size_t row, size_t width, const float *what)
{
	float *to = cache + row * width;
	for (size_t c = 0; c < width; c++)
		*to++ = *what++;
}

static float score(const float *q, const float *k, size_t d)
{
	float s = 0.0f;
	for (size_t c = 0; c < d; c++)
		s += q[c] * k[c];
	return s / sqrtf(d);
}

static void softmax(float *s, size_t len)
{
	float biggest = s[0];
	float sum = 0.0f;
	for (size_t j = 0; j < len; j++)
		biggest = s[j] > biggest ? s[j] : biggest;
	for (size_t j = 0; j < len; j++)
		sum += (s[j] = expf(s[j] - biggest));
	for (size_t j = 0; j < len; j++)
		s[j] /= sum;
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
	append(key_cache, n_past, d_k, new_key);
	append(value_cache, n_past, d_v, new_value);

	float *weights = calloc(n_past + 1, sizeof *weights);
	for (size_t j = 0; j < n_past + 1; j++)
		weights[j] = score(query, key_cache + j * d_k, d_k);
	softmax(weights, n_past + 1);
	if (n_past == 0) { // first token
		for (size_t c = 0; c < d_v; c++)
			context[c] = new_value[c];
		return;
	}

	for (size_t c = 0; c < d_v; c++)
		context[c] = 0.0f;
	for (size_t j = 0; j < n_past + 1; j++)
		for (size_t c = 0; c < d_v; c++)
			context[c] += weights[j] * value_cache[j * d_v + c];
	free(weights);
}
