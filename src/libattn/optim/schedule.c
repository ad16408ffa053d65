/* See schedule.h. */
#include "optim/schedule.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

double schedule_lr(const struct schedule *schedule, size_t step)
{
    size_t warm_up = schedule->n_warm_up;
    if (step < warm_up)
        return schedule->lr * (double)(step + 1) / (double)warm_up;
    if (schedule->kind == SCHEDULE_CONSTANT)
        return schedule->lr;
    if (step >= schedule->n_steps)
        return schedule->least_lr;
    double done = (double)(step - warm_up) / (double)(schedule->n_steps - warm_up);
    return schedule->least_lr + (schedule->lr - schedule->least_lr) * (1 + cos(PI * done)) / 2;
}
