#include <stddef.h>
#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
	for (size_t kk = 0; kk < m; kk += block) {
		memset(c, 0, n * p * sizeof(float));
		for (size_t i = 0; i < n; i++)
			for (size_t k = kk; k < MIN(kk + block, m); k++)
				for (size_t j = 0; j < p; j++)
					c[i * p + j] += a[i * m + k] * b[k * p + j];
	}
}
