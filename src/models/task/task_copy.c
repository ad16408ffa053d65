/* Tasks that bring a token from one place to another: previous, reverse, recall, induction. */
#include "task/task_internal.h"

#include "tensor/random.h"

void draw_symbols(struct random *random, uint32_t limit, size_t n, int32_t *inputs)
{
    for (size_t i = 0; i < n; i++)
        inputs[i] = (int32_t)random_below(random, limit);
}

/* inputs[0..n), n <= limit <= 64: different symbols below limit. */
static void draw_different(struct random *random, uint32_t limit, size_t n, int32_t *inputs)
{
    int32_t left[64];
    for (uint32_t i = 0; i < limit; i++)
        left[i] = (int32_t)i;
    for (size_t i = 0; i < n; i++) {
        uint32_t at = random_below(random, limit--);
        inputs[i] = left[at];
        left[at] = left[limit];
    }
}

size_t place_of(const int32_t *inputs, size_t width, int32_t token)
{
    size_t i = 0;
    while (i < width && inputs[i] != token)
        i++;
    return i;
}

/* ---- previous: a b c d -> . a b c ---- */

void previous_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    draw_symbols(random, task->n_tokens, length, inputs);
}

void previous_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    (void)task;
    for (size_t i = 1; i < width; i++)
        targets[i] = inputs[i - 1];
}

/* ---- reverse: a b c | c b -> . . . c b a; | is the last token ---- */

void reverse_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    draw_symbols(random, task->n_tokens - 1, length, inputs);
    inputs[length] = (int32_t)task->n_tokens - 1;
    for (unsigned i = 1; i < length; i++)
        inputs[length + i] = inputs[length - i];
}

void reverse_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    size_t n = place_of(inputs, width, (int32_t)task->n_tokens - 1);
    for (size_t i = 0; i < n && n + i < width; i++)
        targets[n + i] = inputs[n - 1 - i];
}

/* ---- recall: a 7 b 3 a -> . . . . 7; the first half of the tokens are keys ---- */

void recall_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    int32_t keys[64];
    uint32_t half = task->n_tokens / 2;
    draw_different(random, half, length, keys);
    for (unsigned i = 0; i < length; i++) {
        inputs[2 * i] = keys[i];
        inputs[2 * i + 1] = (int32_t)(half + random_below(random, half));
    }
    inputs[2 * length] = keys[random_below(random, length)];
}

void recall_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    (void)task;
    if (width == 0)
        return;
    size_t asked = width - 1, key = place_of(inputs, asked, inputs[asked]);
    if (key + 1 < asked)
        targets[asked] = inputs[key + 1];
}

/* ---- induction: a b c a b c a -> . . . b c a b; the period is the length ---- */

void induction_draw(struct random *random, const struct task *task, unsigned length,
                    int32_t *inputs)
{
    draw_different(random, task->n_tokens, length, inputs);
    for (unsigned i = length; i < task->context; i++)
        inputs[i] = inputs[i - length];
}

/* What followed the same token the last time. */
void induction_answer(const struct task *task, const int32_t *inputs, size_t width,
                      int32_t *targets)
{
    (void)task;
    for (size_t i = 0; i < width; i++)
        for (size_t j = i; targets[i] == BATCH_IGNORED && j-- > 0;)
            if (inputs[j] == inputs[i])
                targets[i] = inputs[j + 1];
}
