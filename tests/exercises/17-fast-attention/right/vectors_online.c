/* The compiler's vectors of four, and one pass over the keys in blocks, with a running maximum. */
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));

enum { LANES = 4, BLOCK = 32 };

static four load(const float *x)
{
    four v;
    memcpy(&v, x, sizeof v); /* the arrays need not be aligned */
    return v;
}

static float dot(size_t n, const float *a, const float *b)
{
    four even = {0}, odd = {0};
    size_t c = 0;
    for (; c + 2 * LANES <= n; c += 2 * LANES) {
        even += load(a + c) * load(b + c);
        odd += load(a + c + LANES) * load(b + c + LANES);
    }
    even += odd;
    float sum = even[0] + even[1] + even[2] + even[3];
    for (; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

/* y = y * shrink + weight * x */
static void blend(size_t n, float shrink, float weight, const float *x, float *y)
{
    size_t c = 0;
    for (; c + LANES <= n; c += LANES) {
        const four v = load(y + c) * shrink + load(x + c) * weight;
        memcpy(y + c, &v, sizeof v);
    }
    for (; c < n; c++)
        y[c] = y[c] * shrink + x[c] * weight;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float *row = context + i * d, scores[BLOCK], max = -INFINITY, sum = 0;
        memset(row, 0, d * sizeof *row);
        for (size_t first = 0; first < n; first += BLOCK) {
            const size_t size = n - first < BLOCK ? n - first : BLOCK;
            float new_max = max;
            for (size_t j = 0; j < size; j++) {
                scores[j] = dot(d, query + i * d, key + (first + j) * d) * scale;
                new_max = scores[j] > new_max ? scores[j] : new_max;
            }
            float shrink = expf(max - new_max);
            sum *= shrink;
            for (size_t j = 0; j < size; j++) {
                const float term = expf(scores[j] - new_max);
                sum += term;
                blend(d, shrink, term, value + (first + j) * d, row);
                shrink = 1;
            }
            max = new_max;
        }
        for (size_t c = 0; c < d; c++)
            row[c] /= sum;
    }
}
