/* A graph whose nodes are made through a builder, which frees them all: what the tests of the graph
 * share. */
#ifndef ATTN_TESTS_GRAPH_TESTING_H
#define ATTN_TESTS_GRAPH_TESTING_H

#include "testing.h"

#include "graph/builder.h"
#include "tensor/tensor.h"

struct bench {
    struct graph graph;
    struct error error;
    struct builder builder;
};

static inline void bench_init(struct bench *bench)
{
    *bench = (struct bench){.graph = {.last_id = 0}};
    builder_init(&bench->builder, &bench->graph, &bench->error);
}

static inline void bench_release(struct bench *bench)
{
    builder_release(&bench->builder);
}

/* A leaf that holds a copy of numbers; name NULL: it has none. */
static inline struct node *bench_tensor(struct bench *bench, unsigned n_axes, const size_t *shape,
                                        const float *numbers, const char *name)
{
    struct tensor value = testing_tensor(n_axes, shape, numbers);
    struct node *node = build_input(&bench->builder, &value, "a test");
    return name != NULL ? build_name(&bench->builder, node, name) : node;
}

#endif
