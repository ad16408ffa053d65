/* See repeats.h. */
#include "model/repeats.h"

#include "graph/node.h"
#include "model/model.h"
#include "model/text_run.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* The ids: first, when it is no negative number, then period random ones, twice. */
static bool draw_ids(ptrdiff_t first, size_t vocab, size_t period, struct random *random,
                     struct tensor *ret, struct error *reterr)
{
    size_t begin = first >= 0, n = begin + 2 * period;
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    if (begin > 0)
        ret->data[0] = (float)first;
    for (size_t i = 0; i < period; i++)
        ret->data[begin + i] = ret->data[begin + period + i] =
            (float)(random_word(random) % (uint32_t)vocab);
    return true;
}

struct run *run_repeats(struct graph *graph, struct model *model, struct random *random,
                        size_t *ret_period, struct error *reterr)
{
    const struct model_config *config = &model->config;
    static const char text[] = "random tokens, twice";
    struct tensor ids;
    size_t room = (config->n_positions - (config->first_token >= 0)) / 2;
    size_t period = room < REPEATS_PERIOD ? room : REPEATS_PERIOD;
    if (period < 2 || config->vocab == 0) {
        error_set(reterr, ERR_RANGE, "%s takes %zu tokens: too few to repeat any", model->name,
                  config->n_positions);
        return NULL;
    }
    if (!draw_ids(config->first_token, config->vocab, period, random, &ids, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, text, sizeof text - 1, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    node_free(node);
    *ret_period = period;
    return run;
}
