// expect: pass | needs avx2
// Intrinsics, whose header asks for instructions by pragmas of its own.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include <immintrin.h>

static float dot(size_t d, const float *a, const float *b)
{
    __m256 sums = _mm256_setzero_ps();
    float lanes[8], sum = 0;
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        sums = _mm256_fmadd_ps(_mm256_loadu_ps(a + c), _mm256_loadu_ps(b + c), sums);
    _mm256_storeu_ps(lanes, sums);
    for (int lane = 0; lane < 8; lane++)
        sum += lanes[lane];
    for (; c < d; c++)
        sum += a[c] * b[c];
    return sum;
}

/* row[0..d) = sum over j of weights[j] * value[j, 0..d), divided by sum */
static void mix(size_t n, size_t d, const float *weights, float sum, const float *value, float *row)
{
    size_t c = 0;
    for (; c + 8 <= d; c += 8) {
        __m256 sums = _mm256_setzero_ps();
        for (size_t j = 0; j < n; j++)
            sums = _mm256_fmadd_ps(_mm256_loadu_ps(value + j * d + c), _mm256_set1_ps(weights[j]),
                                   sums);
        _mm256_storeu_ps(row + c, _mm256_div_ps(sums, _mm256_set1_ps(sum)));
    }
    for (; c < d; c++) {
        row[c] = 0;
        for (size_t j = 0; j < n; j++)
            row[c] += weights[j] * value[j * d + c];
        row[c] /= sum;
    }
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; weights != NULL && i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weights[j] = dot(d, query + i * d, key + j * d) * scale;
            max = weights[j] > max ? weights[j] : max;
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        mix(n, d, weights, sum, value, context + i * d);
    }
    free(weights);
}
