// expect: too_slow | plain-loops
// Remembers the last inputs and their answer; each round has new ones.
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ROOM = 1 << 14 };

/* The formula as it stands. */
static void plain(size_t n, size_t d, const float *query, const float *key, const float *value,
                  float *context)
{
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t c = 0; c < d && pass == 1; c++)
                context[i * d + c] = 0;
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t c = 0; c < d; c++)
                    dot += query[i * d + c] * key[j * d + c];
                dot /= sqrtf((float)d);
                if (pass == 0) {
                    max = fmaxf(max, dot);
                    continue;
                }
                float weight = expf(dot - max);
                sum += weight;
                for (size_t c = 0; c < d; c++)
                    context[i * d + c] += weight * value[j * d + c];
            }
        }
        for (size_t c = 0; c < d; c++)
            context[i * d + c] /= sum;
    }
}

/* No faster: it only remembers the last inputs and their answer, in case it is asked again. */
void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    static float inputs[3][ROOM], answer[ROOM];
    static size_t known;
    const float *given[3] = {query, key, value};
    size_t bytes = n * d * sizeof(float);
    int same = known == n * d;
    for (int i = 0; i < 3 && same; i++)
        same = memcmp(inputs[i], given[i], bytes) == 0;
    if (same) {
        memcpy(context, answer, bytes);
        return;
    }
    plain(n, d, query, key, value, context);
    known = n * d <= ROOM ? n * d : 0;
    for (int i = 0; i < 3 && known > 0; i++)
        memcpy(inputs[i], given[i], bytes);
    if (known > 0)
        memcpy(answer, context, bytes);
}
