/* A model and how it is trained. */
#ifndef ATTN_TASK_RECIPE_H
#define ATTN_TASK_RECIPE_H

#include <stdbool.h>

#include "optim/adamw.h"
#include "optim/schedule.h"

struct recipe {
    unsigned n_layers, n_heads, d_model;
    unsigned d_mlp;         /* 0: attention only */
    const char *activation; /* of the MLP: "relu", "gelu"; NULL without one */
    const char *norm;       /* "pre": layer norm before each part and at the end; "none" */
    const char *positions;  /* "learned" */
    const char *init;       /* "torch": as PyTorch's layers begin, embeddings N(0, 1); "stories" */
    bool is_tied;           /* the embedding also turns the last vectors into scores */
    struct adamw adamw;     /* decay on matrices only; lr comes from the schedule */
    struct schedule schedule;
    double dropout; /* 0: no dropout */
    double clip;    /* the largest norm of all gradients together */
    unsigned batch; /* sequences in a step */
    unsigned n_steps;
    const char *source; /* who measured it */
};

#endif
