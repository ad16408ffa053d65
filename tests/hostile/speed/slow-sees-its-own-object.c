// expect: too_slow
// Asks for other options as soon as the assembler has begun its object, which was not there when the
// options were looked at: many declarations give it time.
#define D1(n) extern int n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7, n##8, n##9;
#define D2(n) D1(n##0) D1(n##1) D1(n##2) D1(n##3) D1(n##4) D1(n##5) D1(n##6) D1(n##7)
#define D3(n) D2(n##0) D2(n##1) D2(n##2) D2(n##3) D2(n##4) D2(n##5) D2(n##6) D2(n##7)
#define D4(n) D3(n##0) D3(n##1) D3(n##2) D3(n##3) D3(n##4) D3(n##5) D3(n##6) D3(n##7)
D4(a) D4(b) D4(c) D4(d) D4(e) D4(f) D4(g) D4(h)
#if __has_include("submission.o")
#pragma GCC optimize("O3,fast-math")
#endif
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += query[i * d + c] * key[j * d + c];
            weights[j] = dot / sqrtf((float)d);
            max = fmaxf(max, weights[j]);
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n; j++)
                mixed += weights[j] * value[j * d + c];
            context[i * d + c] = mixed / sum;
        }
    }
    free(weights);
}
