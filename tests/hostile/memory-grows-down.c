// expect: forbidden_syscall mmap
// exercise: online-softmax
// Keeps all scores where only a few fit, in memory that would count as stack.
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>
#include <sys/mman.h>

static float *room(size_t n_bytes)
{
    return mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float *scores = room(n_k * sizeof *scores);
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                scores[j] += query[i * d_k + c] * key[j * d_k + c];
            scores[j] /= sqrtf((float)d_k);
            top = fmaxf(top, scores[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += scores[j] = expf(scores[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n_k; j++)
                mixed += scores[j] * value[j * d_v + c];
            context[i * d_v + c] = mixed / sum;
        }
    }
}
