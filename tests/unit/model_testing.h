/* Small models of both families and runs of them, for the tests that look into runs. */
#ifndef ATTN_TESTS_MODEL_TESTING_H
#define ATTN_TESTS_MODEL_TESTING_H

#include "testing.h"

#include "graph/graph.h"
#include "model/model.h"
#include "model/run.h"

enum { VOCAB = 11, N = 6 };

/* A small model of either family, with all that attn's own can differ in: 3 layers of 4 heads of 2,
 * which share 2 keys in Llama's. */
struct model_config small_config(enum model_family family);

struct bench {
    struct graph graph;
    struct error error;
    struct model *model;
    struct run *a, *b; /* of two texts of one length */
};

void bench_open(struct bench *bench, enum model_family family);
/* The same with another configuration. */
void bench_open_as(struct bench *bench, const struct model_config *config);
void bench_close(struct bench *bench);
/* A run of n ids. */
struct run *bench_run(struct bench *bench, size_t n, const float *ids);

/* The value of a stage of a run, and of its logits. */
const struct tensor *stage_of(struct bench *bench, struct run *run, enum stage stage, size_t layer);
const struct tensor *logits_of(struct bench *bench, struct run *run);
/* Element (row, column) of a weight as [in, out], whatever the family stores. */
double weight_of(const struct bench *bench, enum param which, size_t layer, size_t in, size_t out);

#endif
