/* See initial.h. */
#include "model/initial.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "model/model.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

static bool is_norm(enum param which)
{
    return which == PARAM_NORM1 || which == PARAM_NORM2 || which == PARAM_LAST_NORM;
}

static bool is_norm_bias(enum param which)
{
    return which == PARAM_NORM1_BIAS || which == PARAM_NORM2_BIAS || which == PARAM_LAST_NORM_BIAS;
}

static bool is_embedding(enum param which)
{
    return which == PARAM_TOKENS || which == PARAM_POSITIONS;
}

/* How many numbers each result of the product that a parameter belongs to is summed from. */
static size_t inputs_of(const struct model_config *config, enum param which)
{
    if (which == PARAM_OUT || which == PARAM_OUT_BIAS)
        return config_query_width(config);
    return which == PARAM_DOWN || which == PARAM_DOWN_BIAS ? config->d_mlp : config->d_model;
}

static void draw_gpt2(const struct model_config *config, enum param which, struct random *random,
                      struct tensor *x)
{
    double spread = 0.02;
    if (!parameter_is_matrix(which))
        return;
    if (which == PARAM_OUT || which == PARAM_DOWN)
        spread /= sqrt(2.0 * (double)config->n_layers);
    random_normal(random, tensor_size(x), x->data);
    for (size_t i = 0; i < tensor_size(x); i++)
        x->data[i] *= (float)spread;
}

static void draw_torch(const struct model_config *config, enum param which, enum initial initial,
                       struct random *random, struct tensor *x)
{
    if (is_embedding(which)) {
        random_normal(random, tensor_size(x), x->data);
        for (size_t i = 0; i < tensor_size(x); i++)
            x->data[i] *= initial == INITIAL_TORCH ? 1 : which == PARAM_TOKENS ? 0.1F : 0.4F;
        return;
    }
    float widest = (float)(1 / sqrt((double)inputs_of(config, which)));
    random_uniform(random, tensor_size(x), x->data);
    for (size_t i = 0; i < tensor_size(x); i++)
        x->data[i] = widest * (2 * x->data[i] - 1);
}

/* The first numbers of a parameter, zeros where nothing is drawn. */
static void draw(const struct model_config *config, enum param which, enum initial initial,
                 struct random *random, struct tensor *x)
{
    if (is_norm_bias(which))
        return;
    if (is_norm(which))
        for (size_t i = 0; i < tensor_size(x); i++)
            x->data[i] = 1;
    else if (initial == INITIAL_GPT2)
        draw_gpt2(config, which, random, x);
    else
        draw_torch(config, which, initial, random, x);
}

static bool draw_parameter(struct graph *graph, struct model *model, size_t at,
                           enum initial initial, struct random *random, struct error *reterr)
{
    size_t layer, shape[2];
    unsigned n_axes;
    struct tensor value;
    enum param which = parameter_which(&model->config, at, &layer);
    if (!parameter_shape(&model->config, which, &n_axes, shape))
        return true;
    if (!tensor_zeros(n_axes, shape, &value, reterr))
        return false;
    draw(&model->config, which, initial, random, &value);
    return model_put_parameter(graph, model, at, &value, "initial weights", reterr);
}

struct model *model_random(struct graph *graph, const struct model_config *config,
                           enum initial initial, struct random *random, const char *name,
                           struct error *reterr)
{
    struct model *model =
        config_check(config, name, reterr) ? model_new(config, name, reterr) : NULL;
    for (size_t at = 0; model != NULL && at < parameter_count(config); at++)
        if (!draw_parameter(graph, model, at, initial, random, reterr)) {
            model_free(model);
            return NULL;
        }
    return model;
}
