/* How the sequences of each task are drawn and answered: task_NAME.c, for the table in task.c. */
#ifndef ATTN_TASK_TASK_INTERNAL_H
#define ATTN_TASK_TASK_INTERNAL_H

#include "task/task.h"

#define DECLARE_TASK(name)                                                            \
    void name##_draw(struct random *random, const struct task *task, unsigned length, \
                     int32_t *inputs);                                                \
    void name##_answer(const struct task *task, const int32_t *inputs, size_t width,  \
                       int32_t *targets)

DECLARE_TASK(previous);
DECLARE_TASK(reverse);
DECLARE_TASK(maximum);
DECLARE_TASK(sort);
DECLARE_TASK(recall);
DECLARE_TASK(induction);
DECLARE_TASK(brackets);
DECLARE_TASK(modular);

/* inputs[0..n): symbols below limit, each drawn independently. */
void draw_symbols(struct random *random, uint32_t limit, size_t n, int32_t *inputs);
/* The first place of a token; width if the inputs don't contain it. */
size_t place_of(const int32_t *inputs, size_t width, int32_t token);

#endif
