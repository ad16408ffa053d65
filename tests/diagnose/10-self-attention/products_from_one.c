#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// (rows x inner) times (inner x cols)
static float *matmul(const float *a, const float *b, size_t rows, size_t inner, size_t cols)
{
	float *c = malloc(rows * cols * sizeof(float));
	for (size_t i = 0; i < rows; ++i) {
		for (size_t j = 0; j < cols; ++j) {
			c[i * cols + j] = 0.0f;
			for (size_t k = 1; k < inner; ++k) {
				c[i * cols + j] += a[i * inner + k] * b[k * cols + j];
			}
		}
	}
	return c;
}

static float *transpose(const float *a, size_t rows, size_t cols)
{
	float *t = malloc(rows * cols * sizeof(float));
	for (size_t i = 0; i < rows; ++i)
		for (size_t j = 0; j < cols; ++j)
			t[j * rows + i] = a[i * cols + j];
	return t;
}

static void softmax(float *a, size_t rows, size_t cols)
{
	for (size_t i = 0; i < rows; ++i) {
		float *row = &a[i * cols];
		float m = row[0];
		for (size_t j = 1; j < cols; ++j)
			m = row[j] > m ? row[j] : m;
		float s = 0.0f;
		for (size_t j = 0; j < cols; ++j) {
			row[j] = expf(row[j] - m);
			s += row[j];
		}
		for (size_t j = 0; j < cols; ++j)
			row[j] /= s;
	}
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
		    const float *w_query, const float *w_key, const float *w_value, float *context)
{
	float *q = matmul(x, w_query, n, d_model, d_k);
	float *k = matmul(x, w_key, n, d_model, d_k);
	float *v = matmul(x, w_value, n, d_model, d_v);
	float *kt = transpose(k, n, d_k);
	float *s = matmul(q, kt, n, d_k, n);
	for (size_t i = 0; i < n * n; ++i)
		s[i] /= sqrtf((float)d_k);
	softmax(s, n, n);
	float *result = matmul(s, v, n, n, d_v);
	for (size_t i = 0; i < n * d_v; ++i)
		context[i] = result[i];
	free(q); free(k); free(v); free(kt); free(s); free(result);
}
