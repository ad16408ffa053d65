/* Texts that grow token by token, with the keys and values of what stands there kept. */
#ifndef ATTN_MODEL_GENERATE_H
#define ATTN_MODEL_GENERATE_H

#include "graph/graph.h"
#include "model/prediction.h"

struct generator;
struct model;
struct tensor;

/* A text that begins with ids, (n,), at least one, and may grow by n_more tokens. Nothing is
 * computed yet. stop, set by a signal handler, ends a step, or NULL. The caller frees *ret with
 * generator_free(). ERR_RANGE: it is longer than the model takes. */
bool generator_new(struct model *model, const struct tensor *ids, size_t n_more,
                   const volatile sig_atomic_t *stop, struct generator **ret, struct error *reterr);
void generator_free(struct generator *generator); /* may be NULL */

/* Draws the next token, and puts it at the end. After a failure the text is as before. */
bool generator_next(struct generator *generator, const struct sampling *sampling,
                    struct random *random, size_t *ret_token, struct error *reterr);

#endif
