// expect: pass | needs avx2
// The compiler's vectors of 32 bytes.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef float v8 __attribute__((vector_size(32)));

static float dot(size_t d, const float *a, const float *b)
{
    v8 sums = {0}, x, y;
    size_t c = 0;
    for (; c + 8 <= d; c += 8) {
        memcpy(&x, a + c, sizeof x); /* the arrays need not be aligned */
        memcpy(&y, b + c, sizeof y);
        sums += x * y;
    }
    float sum = 0;
    for (int lane = 0; lane < 8; lane++)
        sum += sums[lane];
    for (; c < d; c++)
        sum += a[c] * b[c];
    return sum;
}

/* row[0..d) = sum over j of weights[j] * value[j, 0..d), divided by sum */
static void mix(size_t n, size_t d, const float *weights, float sum, const float *value, float *row)
{
    size_t c = 0;
    for (; c + 8 <= d; c += 8) {
        v8 sums = {0}, x;
        for (size_t j = 0; j < n; j++) {
            memcpy(&x, value + j * d + c, sizeof x);
            sums += x * weights[j];
        }
        sums /= sum;
        memcpy(row + c, &sums, sizeof sums);
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
