/* A learning rate that first rises and then falls. */
#ifndef ATTN_OPTIM_SCHEDULE_H
#define ATTN_OPTIM_SCHEDULE_H

#include <stddef.h>

enum schedule_kind {
    SCHEDULE_CONSTANT, /* stays at lr after the warm-up */
    SCHEDULE_COSINE,   /* goes down along half a cosine to least_lr at n_steps, and stays there */
};

struct schedule {
    enum schedule_kind kind;
    double lr;
    double least_lr;  /* SCHEDULE_COSINE only */
    size_t n_warm_up; /* steps until lr is reached; 0: it begins with lr */
    size_t n_steps;   /* SCHEDULE_COSINE only */
};

/* The learning rate of step `step`, from 0: lr min((step + 1) / n_warm_up, 1), and after the
 * warm-up
 *
 *   least_lr + (lr - least_lr) (1 + cos(pi (step - n_warm_up) / (n_steps - n_warm_up))) / 2
 *
 * Source: Loshchilov and Hutter 2017, "SGDR", eq. (5), for one descent. */
double schedule_lr(const struct schedule *schedule, size_t step);

#endif
