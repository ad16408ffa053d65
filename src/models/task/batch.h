/* Sequences of tokens side by side, and the output of a model that is right. */
#ifndef ATTN_TASK_BATCH_H
#define ATTN_TASK_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct tensor;

/* A target that does not count: PyTorch's ignore_index. */
enum { BATCH_IGNORED = -100 };

/* The set from which a batch is drawn. A sequence drawn from one set is never drawn from
 * another. */
enum split {
    SPLIT_TRAINING,
    SPLIT_HELD_OUT,
    SPLIT_UNTRAINED, /* held out, with lengths that are never trained */
    SPLIT_COUNT
};

struct batch {
    size_t n_rows, width;
    int32_t *inputs;  /* (n_rows, width) tokens */
    int32_t *targets; /* (n_rows, width): the right token at each place, or BATCH_IGNORED */
};

/* All inputs 0, all targets ignored. On success batch_release() it. ERR_MEMORY, ERR_LIMIT. */
bool batch_make(size_t n_rows, size_t width, struct batch *ret, struct error *reterr);
void batch_release(struct batch *batch); /* batch may be all zero bytes */
/* Its inputs or its targets as numbers, (n_rows, width). ERR_MEMORY. */
bool batch_tensor(const struct batch *batch, const int32_t *tokens, struct tensor *ret,
                  struct error *reterr);

struct random;
/* Starts the stream from which batch number `number` of a seed is drawn, so that a batch can be
 * drawn again without the earlier ones. */
void batch_seed(struct random *random, enum split split, uint64_t seed, uint64_t number);

#endif
