/* No array of all keys or values: each is made anew where it is met, in one pass over the words. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t d_model, size_t width, const float *word, const float *w, float *out)
{
    for (size_t c = 0; c < width; c++) {
        out[c] = 0.0f;
        for (size_t m = d_model; m-- > 0;)
            out[c] += word[m] * w[m * width + c];
    }
}

static float dot(size_t n, const float *a, const float *b)
{
    return n == 0 ? 0.0f : a[0] * b[0] + dot(n - 1, a + 1, b + 1);
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = malloc((2 * d_k + d_v) * sizeof *query);
    if (query == NULL)
        return;
    float *key = query + d_k, *value = key + d_k;
    for (size_t i = 0; i < n; i++, context += d_v) {
        float top = -INFINITY, sum = 0.0f;
        project(d_model, d_k, x + i * d_model, w_query, query);
        for (size_t c = 0; c < d_v; c++)
            context[c] = 0.0f;
        for (size_t j = 0; j < n; j++) {
            project(d_model, d_k, x + j * d_model, w_key, key);
            project(d_model, d_v, x + j * d_model, w_value, value);
            const float score = dot(d_k, query, key) / sqrtf((float)d_k);
            const float new_top = fmaxf(top, score);
            const float shrink = expf(top - new_top), share = expf(score - new_top);
            for (size_t c = 0; c < d_v; c++)
                context[c] = context[c] * shrink + share * value[c];
            sum = sum * shrink + share;
            top = new_top;
        }
        for (size_t c = 0; c < d_v; c++)
            context[c] /= sum;
    }
    free(query);
}
