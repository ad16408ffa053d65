/* Intrinsics of SSE, which every processor of this family has; elsewhere the same by hand. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __SSE__
#include <immintrin.h>
typedef __m128 four;
#else
typedef struct {
    float at[4];
} four;
static four _mm_setzero_ps(void)
{
    return (four){{0}};
}
static four _mm_set1_ps(float x)
{
    return (four){{x, x, x, x}};
}
static four _mm_loadu_ps(const float *x)
{
    return (four){{x[0], x[1], x[2], x[3]}};
}
static void _mm_storeu_ps(float *x, four v)
{
    for (int lane = 0; lane < 4; lane++)
        x[lane] = v.at[lane];
}
static four _mm_add_ps(four a, four b)
{
    for (int lane = 0; lane < 4; lane++)
        a.at[lane] += b.at[lane];
    return a;
}
static four _mm_mul_ps(four a, four b)
{
    for (int lane = 0; lane < 4; lane++)
        a.at[lane] *= b.at[lane];
    return a;
}
#endif

static float dot(size_t d, const float *a, const float *b)
{
    four even = _mm_setzero_ps(), odd = even;
    float lanes[4];
    size_t c = 0;
    for (; c + 8 <= d; c += 8) {
        even = _mm_add_ps(even, _mm_mul_ps(_mm_loadu_ps(a + c), _mm_loadu_ps(b + c)));
        odd = _mm_add_ps(odd, _mm_mul_ps(_mm_loadu_ps(a + c + 4), _mm_loadu_ps(b + c + 4)));
    }
    _mm_storeu_ps(lanes, _mm_add_ps(even, odd));
    float sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    for (; c < d; c++)
        sum += a[c] * b[c];
    return sum;
}

static void add_row(size_t d, float weight, const float *value, float *row)
{
    const four weights = _mm_set1_ps(weight);
    size_t c = 0;
    for (; c + 4 <= d; c += 4)
        _mm_storeu_ps(row + c, _mm_add_ps(_mm_loadu_ps(row + c),
                                          _mm_mul_ps(weights, _mm_loadu_ps(value + c))));
    for (; c < d; c++)
        row[c] += weight * value[c];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; weights != NULL && i < n; i++) {
        float *row = context + i * d, max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weights[j] = dot(d, query + i * d, key + j * d) * scale;
            max = weights[j] > max ? weights[j] : max;
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++)
            row[c] = 0;
        for (size_t j = 0; j < n; j++)
            add_row(d, weights[j] / sum, value + j * d, row);
    }
    free(weights);
}
