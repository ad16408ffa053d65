#include <stddef.h>
#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
	memset(c, 0, n * p * sizeof(float));
	for (size_t ii = 0; ii < n; ii += block)
		for (size_t kk = 0; kk < m; kk += block)
			for (size_t jj = 0; jj < p; jj += block)
				for (size_t i = ii; i < MIN(ii + block, n); i++)
					for (size_t k = kk; k < MIN(kk + block, m); k++)
						for (size_t j = jj; j < MIN(jj + block, p); j++)
							c[i * p + j] += a[i * m + k] * b[j * m + k];
}
