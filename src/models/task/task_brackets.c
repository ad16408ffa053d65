/* Are these brackets balanced?  ? ( ( ) ) -> yes at the first place. */
#include "task/task_internal.h"

#include "tensor/random.h"

enum { OPEN, CLOSE, ASKED, YES, NO, MOST_HALF = 12 };

/* In how many ways n brackets can end what has `depth` open ones: a step up or down at each,
 * never below 0, and 0 at last. Counted by the ballot triangle. */
static uint32_t n_ways(unsigned n, unsigned depth)
{
    uint32_t ways[2 * MOST_HALF + 3] = {0};
    ways[0] = 1;
    for (unsigned i = 0; i < n; i++) {
        uint32_t below = 0; /* ways[d - 1] of before */
        for (unsigned d = 0; d <= n; d++) {
            uint32_t here = ways[d];
            ways[d] = below + ways[d + 1];
            below = here;
        }
    }
    return depth <= n ? ways[depth] : 0;
}

/* Each balanced sequence is as likely as any other. */
static void draw_balanced(struct random *random, unsigned n, int32_t *brackets)
{
    unsigned depth = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t up = n_ways(n - i - 1, depth + 1);
        uint32_t down = depth > 0 ? n_ways(n - i - 1, depth - 1) : 0;
        brackets[i] = random_below(random, up + down) < up ? OPEN : CLOSE;
        depth = brackets[i] == OPEN ? depth + 1 : depth - 1;
    }
}

static bool is_balanced(const int32_t *brackets, size_t n)
{
    int depth = 0;
    for (size_t i = 0; i < n && depth >= 0; i++)
        depth += brackets[i] == OPEN ? 1 : -1;
    return depth == 0;
}

/* As many of each, in an order that is not balanced: counting alone does not find it. */
static void draw_mixed_up(struct random *random, unsigned n, int32_t *brackets)
{
    do {
        for (unsigned i = 0; i < n; i++)
            brackets[i] = i % 2 == 0 ? OPEN : CLOSE;
        for (unsigned i = n; i > 1; i--) {
            uint32_t at = random_below(random, i);
            int32_t moved = brackets[at];
            brackets[at] = brackets[i - 1];
            brackets[i - 1] = moved;
        }
    } while (is_balanced(brackets, n));
}

/* Half of them are balanced; a quarter has one bracket turned round. */
void brackets_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    (void)task;
    uint32_t kind = random_below(random, 4);
    inputs[0] = ASKED;
    if (kind == 3) {
        draw_mixed_up(random, length, inputs + 1);
        return;
    }
    draw_balanced(random, length, inputs + 1);
    if (kind == 2) {
        uint32_t at = 1 + random_below(random, length);
        inputs[at] = inputs[at] == OPEN ? CLOSE : OPEN;
    }
}

void brackets_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    (void)task;
    for (size_t i = 0; i < width; i++)
        if (i == 0 ? inputs[i] != ASKED : inputs[i] > CLOSE)
            return;
    if (width > 1)
        targets[0] = is_balanced(inputs + 1, width - 1) ? YES : NO;
}
