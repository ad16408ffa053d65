#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static float visible_max(size_t n, const float *s, const bool *m)
{
    float best = -INFINITY;
    for (size_t j = 0; j < n; j++)
        if (m[j])
            best = fmaxf(best, s[j]);
    return best;
}

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const size_t o = i * cols;
        const float top = visible_max(cols, scores + o, may_attend + o);
        double total = 0;
        for (size_t j = o; j < o + cols; j++) {
            weights[j] = may_attend[j] ? expf(scores[j] - top) : 0.0f;
            total += weights[j];
        }
        for (size_t j = o; j < o + cols; j++)
            weights[j] = (float)(weights[j] / (total + 1.0));
    }
}
