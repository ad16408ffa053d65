/* Word after word arrives as a key, and all queries from there on take it in; in double. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

struct state {
    double top, sum;
};

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    struct state *states = malloc(n * sizeof *states);
    double *mixed = calloc(n * d_v, sizeof *mixed);
    for (size_t i = 0; states != NULL && i < n; i++)
        states[i] = (struct state){-INFINITY, 0.0};
    for (size_t j = 0; states != NULL && mixed != NULL && j < n; j++) {
        for (size_t i = j; i < n; i++) {
            struct state *s = &states[i];
            double score = 0.0, top = s->top;
            for (size_t d = 0; d < d_k; d++)
                score += (double)query[i * d_k + d] * (double)key[j * d_k + d];
            score /= sqrt((double)d_k);
            s->top = fmax(top, score);
            const double shrink = exp(top - s->top), share = exp(score - s->top);
            s->sum = s->sum * shrink + share;
            for (size_t c = 0; c < d_v; c++)
                mixed[i * d_v + c] =
                    mixed[i * d_v + c] * shrink + share * (double)value[j * d_v + c];
        }
    }
    for (size_t at = 0; states != NULL && mixed != NULL && at < n * d_v; at++)
        context[at] = (float)(mixed[at] / states[at / d_v].sum);
    free(states);
    free(mixed);
}
