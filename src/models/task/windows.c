/* See windows.h. */
#include "task/windows.h"

#include <string.h>

#include "tensor/random.h"

struct part {
    const int32_t *tokens;
    size_t n;
};

static struct part part_of(const struct windows *windows, enum split split)
{
    size_t n_trained = windows->n - windows->n / 10;
    if (split == SPLIT_TRAINING)
        return (struct part){windows->tokens, n_trained};
    return (struct part){windows->tokens + n_trained, windows->n - n_trained};
}

/* How many places a window can begin at, with a token after it. ERR_RANGE: none. */
static bool count_places(const struct windows *windows, enum split split, size_t width, size_t *ret,
                         struct error *reterr)
{
    struct part part = part_of(windows, split);
    if (split == SPLIT_UNTRAINED)
        return error_set(
            reterr, ERR_RANGE,
            "text: all lengths up to the context are trained; no other can be held out");
    if (part.n <= 1)
        return error_set(reterr, ERR_RANGE,
                         "text: it is too short (tokens: %zu); a tenth is held out, and a token "
                         "and the next one must be in that",
                         windows->n);
    if (part.n <= width)
        return error_set(reterr, ERR_RANGE,
                         "text: %s has %zu tokens, and %zu and the next one are needed; take a "
                         "longer text, or a context of %zu or less",
                         split == SPLIT_TRAINING ? "what is trained" : "the tenth that is held out",
                         part.n, width, part.n - 1);
    *ret = part.n - width;
    return true;
}

static void put_window(const int32_t *tokens, size_t row, struct batch *batch)
{
    size_t width = batch->width, bytes = width * sizeof *tokens;
    memcpy(batch->inputs + row * width, tokens, bytes);
    memcpy(batch->targets + row * width, tokens + 1, bytes);
}

bool windows_batch(const struct windows *windows, enum split split, size_t width, uint64_t seed,
                   uint64_t number, size_t n_rows, struct batch *ret, struct error *reterr)
{
    struct random random;
    size_t n_places;
    if (!count_places(windows, split, width, &n_places, reterr) ||
        !batch_make(n_rows, width, ret, reterr))
        return false;
    batch_seed(&random, split, seed, number);
    for (size_t row = 0; row < n_rows; row++) {
        uint64_t high = random_word(&random); /* texts may be longer than 2^32 */
        size_t place = (size_t)((high << 32 | random_word(&random)) % n_places);
        put_window(part_of(windows, split).tokens + place, row, ret);
    }
    return true;
}

bool windows_check(const struct windows *windows, size_t width, struct error *reterr)
{
    size_t n_places;
    return count_places(windows, SPLIT_HELD_OUT, width, &n_places, reterr) &&
           count_places(windows, SPLIT_TRAINING, width, &n_places, reterr);
}

size_t windows_count(const struct windows *windows, enum split split, size_t width)
{
    struct part part = part_of(windows, split);
    return split == SPLIT_UNTRAINED || width == 0 || part.n == 0 ? 0 : (part.n - 1) / width;
}

bool windows_take(const struct windows *windows, enum split split, size_t width, size_t at,
                  struct batch *ret, struct error *reterr)
{
    size_t n_places;
    if (!count_places(windows, split, width, &n_places, reterr))
        return false;
    if (at >= windows_count(windows, split, width))
        return error_set(reterr, ERR_RANGE, "text: it has %zu windows of %zu tokens, not %zu",
                         windows_count(windows, split, width), width, at + 1);
    if (!batch_make(1, width, ret, reterr))
        return false;
    put_window(part_of(windows, split).tokens + at * width, 0, ret);
    return true;
}
