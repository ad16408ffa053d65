/* Batches of a user's own text: windows at random places, in which the model predicts every next
 * token. The last tenth of the text is held out: no window of training reaches into it. */
#ifndef ATTN_TASK_WINDOWS_H
#define ATTN_TASK_WINDOWS_H

#include "task/batch.h"

struct windows {
    const int32_t *tokens; /* the whole text; borrowed */
    size_t n;
};

/* Batch number `number` of the seed: n_rows windows of `width` tokens each, targets[i] being the
 * token after inputs[i]. ERR_RANGE if the part of the text is not longer than width, and for
 * SPLIT_UNTRAINED, which a text does not have; ERR_MEMORY, ERR_LIMIT. On success batch_release()
 * it. */
bool windows_batch(const struct windows *windows, enum split split, size_t width, uint64_t seed,
                   uint64_t number, size_t n_rows, struct batch *ret, struct error *reterr);

/* Whether both parts are long enough for windows of this width; ERR_RANGE says which one is not,
 * and which width would fit. */
bool windows_check(const struct windows *windows, size_t width, struct error *reterr);

/* The number of windows without a common target in the part, and window `at` of these as a batch of
 * one row: a loss over all held-out text goes through them. 0 if the text is too short. */
size_t windows_count(const struct windows *windows, enum split split, size_t width);
bool windows_take(const struct windows *windows, enum split split, size_t width, size_t at,
                  struct batch *ret, struct error *reterr);

#endif
