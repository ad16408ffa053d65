#include <stddef.h>
void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
	const float *end = weights + n;
	for (float *w = weights; w != end; ++w)
		if (uniform[w - weights] >= p)
			*w = 0.f;
	double left = 1.0 - p;
	for (float *w = weights; w != end && left > 0; ++w)
		*w = (float)(*w / left);
}
