/* See batch.h. */
#include "task/batch.h"

#include <stdlib.h>

#include "tensor/random.h"
#include "tensor/tensor.h"

enum { MOST_TOKENS = 1 << 26 };

bool batch_make(size_t n_rows, size_t width, struct batch *ret, struct error *reterr)
{
    if (n_rows == 0 || width == 0 || n_rows > MOST_TOKENS / width)
        return error_set(
            reterr, ERR_LIMIT,
            "batch: %zu rows of %zu tokens can't be drawn; ask for 1 to %d tokens in all", n_rows,
            width, MOST_TOKENS);
    struct batch batch = {.n_rows = n_rows, .width = width};
    size_t n = n_rows * width;
    batch.inputs = calloc(n, sizeof *batch.inputs);
    batch.targets = malloc(n * sizeof *batch.targets);
    if (batch.inputs == NULL || batch.targets == NULL) {
        batch_release(&batch);
        return error_memory(reterr, "batch");
    }
    for (size_t i = 0; i < n; i++)
        batch.targets[i] = BATCH_IGNORED;
    *ret = batch;
    return true;
}

void batch_release(struct batch *batch)
{
    free(batch->inputs);
    free(batch->targets);
    *batch = (struct batch){0};
}

bool batch_tensor(const struct batch *batch, const int32_t *tokens, struct tensor *ret,
                  struct error *reterr)
{
    if (!tensor_empty(2, (size_t[]){batch->n_rows, batch->width}, ret, reterr))
        return false;
    for (size_t i = 0; i < batch->n_rows * batch->width; i++)
        ret->data[i] = (float)tokens[i];
    return true;
}

/* Source: splitmix64's last step (Steele et al. 2014), after which neighbouring inputs have
 * unrelated results. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

void batch_seed(struct random *random, enum split split, uint64_t seed, uint64_t number)
{
    random_seed(random, (uint32_t)mixed(mixed(mixed(seed) + split) + number));
}
