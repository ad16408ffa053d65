/* The weights of a model and their gradients as values of the language: m.parameters, and
 * grad(loss, m.parameters). */
#ifndef ATTN_LANG_BUILTINS_WEIGHTS_VALUE_INTERNAL_H
#define ATTN_LANG_BUILTINS_WEIGHTS_VALUE_INTERNAL_H

#include "lang/value/value.h"

struct graph;
struct model;

/* A tensor for each weight that the model has, in its order. */
struct weights_list {
    struct model *model; /* names them */
    bool is_gradient;
    size_t n;
    struct node **nodes; /* n, of the shapes of the weights */
    size_t *at;          /* n: places in model->parameters */
};

/* All weights of a model; those that lie in a file are read into the graph. */
bool value_weights(struct model *model, struct graph *graph, struct value *ret,
                   struct error *reterr);
/* Gradients of these weights: nodes[0..n), whose shares it takes over, also when it fails. */
bool value_gradients(const struct weights_list *of, struct node *const *nodes, struct value *ret,
                     struct error *reterr);
/* What such a value holds; NULL for another value. Borrowed. */
const struct weights_list *value_as_weights(const struct value *value);

#endif
