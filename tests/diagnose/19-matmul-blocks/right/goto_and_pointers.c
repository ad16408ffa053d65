#include <stddef.h>
#include <string.h>
void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
	size_t r = 0, s, end; memset(c, 0, n * p * sizeof(float));
again:	end = r + block < m ? r + block : m;
	for (const float *x = a; x < a + n * m; x += m)
		for (s = r; s < end; ++s) {
			float *y = c + (size_t)(x - a) / m * p; const float *z = b + s * p;
			for (size_t t = 0; t != p; ++t) *y++ += x[s] * *z++;
		}
	if ((r = end) < m) goto again;
}
