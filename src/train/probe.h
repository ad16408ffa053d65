/* A sequence that training never draws, on which a model is looked at while it learns, and what the
 * model says of it. */
#ifndef ATTN_TRAIN_PROBE_H
#define ATTN_TRAIN_PROBE_H

#include <signal.h>

#include "train/source.h"

struct doc;
struct graph;
struct model;
struct run;
struct text;

enum { PROBE_MOST = 32 };

struct probe {
    size_t n; /* tokens */
    int32_t inputs[PROBE_MOST], targets[PROBE_MOST];
};

/* The first held-out sequence of the source, or its first PROBE_MOST tokens. */
bool probe_draw(struct source *source, struct probe *ret, struct error *reterr);
/* A run of it, with the names of the tokens. NULL on failure. */
struct run *probe_run(const struct probe *probe, struct graph *graph, struct model *model,
                      struct error *reterr);
/* Adds three lines: the tokens, what is right at each place, what the model says there, and how
 * much of it is right. */
bool probe_show(const struct probe *probe, struct run *run, struct doc *out, struct error *reterr);
/* Adds what the model tells after the first tokens of the probe, for a source that tells what comes
 * next; the same tokens are drawn each time. */
bool probe_tell(const struct probe *probe, struct model *model, const volatile sig_atomic_t *stop,
                struct text *ret, struct error *reterr);

#endif
