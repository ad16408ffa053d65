/* Random tokens, twice: a text in which nothing but what came before tells what comes next, so that
 * heads that attend to what followed the same token show. Source: ARENA, chapter 1.2. */
#ifndef ATTN_MODEL_REPEATS_H
#define ATTN_MODEL_REPEATS_H

#include "graph/graph.h"

struct model;
struct random;
struct run;

enum { REPEATS_PERIOD = 50 }; /* tokens that are drawn, where the model takes so many twice */

/* A run of the token that begins a text, where the model has one, and of *ret_period random tokens
 * twice. ERR_RANGE for a model that takes fewer than 4 tokens. */
struct run *run_repeats(struct graph *graph, struct model *model, struct random *random,
                        size_t *ret_period, struct error *reterr);

#endif
