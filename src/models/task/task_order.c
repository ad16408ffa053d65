/* Tasks about numbers: maximum, sort, modular addition. */
#include "task/task_internal.h"

#include "base/size.h"
#include "tensor/random.h"

/* ---- maximum: 3 9 4 ? -> . . . 9; ? is the last token ---- */

void maximum_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    draw_symbols(random, task->n_numbers, length, inputs);
    inputs[length] = (int32_t)task->n_numbers;
}

void maximum_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    size_t asked = place_of(inputs, width, (int32_t)task->n_numbers);
    if (asked == 0 || asked == width)
        return;
    targets[asked] = inputs[0];
    for (size_t i = 1; i < asked; i++)
        if (inputs[i] > targets[asked])
            targets[asked] = inputs[i];
}

/* ---- sort: 3 9 4 | 3 4 -> . . . 3 4 9; | is the last token ---- */

/* sorted[0..n) = the numbers in order; how often each comes is counted. */
static void count_sort(const int32_t *numbers, size_t n, unsigned limit, int32_t *sorted)
{
    size_t at = 0;
    for (int32_t number = 0; number < (int32_t)limit; number++)
        for (size_t i = 0; i < n; i++)
            if (numbers[i] == number)
                sorted[at++] = number;
}

void sort_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    int32_t sorted[TASK_MOST_WIDTH];
    draw_symbols(random, task->n_numbers, length, inputs);
    count_sort(inputs, length, task->n_numbers, sorted);
    inputs[length] = (int32_t)task->n_numbers;
    for (unsigned i = 1; i < length; i++)
        inputs[length + i] = sorted[i - 1];
}

void sort_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    int32_t sorted[TASK_MOST_WIDTH];
    size_t n = place_of(inputs, width, (int32_t)task->n_numbers);
    if (n == width)
        return;
    count_sort(inputs, n, task->n_numbers, sorted);
    for (size_t i = 0; i < size_min(n, width - n); i++)
        targets[n + i] = sorted[i];
}

/* ---- modular: 100 20 = -> . . 7; = is the last token ---- */

void modular_draw(struct random *random, const struct task *task, unsigned length, int32_t *inputs)
{
    (void)length;
    draw_symbols(random, task->n_numbers, 2, inputs);
    inputs[2] = (int32_t)task->n_numbers;
}

void modular_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets)
{
    int32_t n = (int32_t)task->n_numbers;
    if (width == 3 && inputs[0] < n && inputs[1] < n && inputs[2] == n)
        targets[2] = (inputs[0] + inputs[1]) % n;
}
