/* Multi-head attention: see multihead.h. Project, split into heads, attend, merge, project. */
#include "attention/multihead.h"

#include <string.h>

#include "attention/attention.h"
#include "attention/linear.h"

bool heads_split(const struct tensor *x, size_t n_heads, struct tensor *ret, struct error *reterr)
{
    char text[TENSOR_SHAPE_TEXT];
    if (n_heads == 0)
        return error_set(reterr, ERR_RANGE, "heads: there must be at least one head");
    if (x->n_axes < 2 || x->shape[x->n_axes - 1] % n_heads != 0)
        return error_set(reterr, ERR_SHAPE,
                         "heads: %s can't be split into %zu heads: the last size must be a "
                         "multiple of the number of heads",
                         tensor_shape_text(x, text), n_heads);
    size_t shape[TENSOR_MAX_AXES + 1];
    unsigned last = x->n_axes - 1;
    memcpy(shape, x->shape, sizeof x->shape);
    shape[last] = n_heads;
    shape[last + 1] = x->shape[last] / n_heads;
    struct tensor cut; /* (..., n, n_heads, head_dim) */
    if (!tensor_reshape(x, x->n_axes + 1, shape, &cut, reterr))
        return false;
    *ret = tensor_transpose(&cut, last - 1, last);
    tensor_release(&cut);
    return true;
}

bool heads_merge(const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    char text[TENSOR_SHAPE_TEXT];
    if (x->n_axes < 3)
        return error_set(reterr, ERR_SHAPE, "heads: %s has no axis of heads (..., heads, n, d)",
                         tensor_shape_text(x, text));
    unsigned heads = x->n_axes - 3;
    struct tensor cut = tensor_transpose(x, heads, heads + 1); /* (..., n, n_heads, head_dim) */
    size_t shape[TENSOR_MAX_AXES];
    memcpy(shape, cut.shape, sizeof shape);
    shape[heads + 1] = cut.shape[heads + 1] * cut.shape[heads + 2];
    bool ok = tensor_reshape(&cut, x->n_axes - 1, shape, ret, reterr);
    tensor_release(&cut);
    return ok;
}

/* The projected input, split into heads: (..., n_heads, n, head_dim) each. */
struct projections {
    struct tensor query, key, value;
};

static void projections_release(struct projections *projections)
{
    tensor_release(&projections->query);
    tensor_release(&projections->key);
    tensor_release(&projections->value);
}

static bool project(const struct tensor *x, const struct tensor *weight, const struct tensor *bias,
                    size_t n_heads, const volatile sig_atomic_t *stop, struct tensor *ret,
                    struct error *reterr)
{
    struct tensor joined;
    if (!linear_forward(x, weight, bias, stop, &joined, reterr))
        return false;
    bool ok = heads_split(&joined, n_heads, ret, reterr);
    tensor_release(&joined);
    return ok;
}

static bool check_context_length(const struct multihead *layer, const struct tensor *x,
                                 struct error *reterr)
{
    size_t n = x->n_axes >= 2 ? x->shape[x->n_axes - 2] : 0;
    if (layer->context_length == 0 || n <= layer->context_length)
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "multi-head attention: %zu tokens are more than the context length %zu that "
                     "the layer was made for; shorten the text or give the layer a longer one",
                     n, layer->context_length);
}

static bool check_layer(const struct multihead *layer, const struct multihead_input *input,
                        struct error *reterr)
{
    if (layer->b_out != NULL && layer->w_out == NULL)
        return error_set(reterr, ERR_SHAPE,
                         "multi-head attention: b_out belongs to an output projection; give w_out "
                         "too, or neither");
    return check_context_length(layer, input->query, reterr) &&
           check_context_length(layer, input->key, reterr);
}

static bool project_all(const struct multihead *layer, const struct multihead_input *input,
                        const volatile sig_atomic_t *stop, struct projections *ret,
                        struct error *reterr)
{
    struct projections made = {0};
    bool ok =
        check_layer(layer, input, reterr) &&
        project(input->query, layer->w_query, layer->b_query, layer->n_heads, stop, &made.query,
                reterr) &&
        project(input->key, layer->w_key, layer->b_key, layer->n_heads, stop, &made.key, reterr) &&
        project(input->value, layer->w_value, layer->b_value, layer->n_heads, stop, &made.value,
                reterr);
    if (ok)
        *ret = made;
    else
        projections_release(&made);
    return ok;
}

/* How the heads attend. */
static struct attention_input heads_input(const struct multihead *layer,
                                          const struct multihead_input *input,
                                          const struct projections *projections)
{
    return (struct attention_input){
        .query = &projections->query,
        .key = &projections->key,
        .value = &projections->value,
        .mask = input->mask,
        .mask_kind = input->mask_kind,
        .causal = layer->causal,
        .dropout = input->dropout,
    };
}

/* *ret = the contexts of all heads side by side: (..., n_q, d_values). */
static bool join_heads(const struct attention_input *heads, const volatile sig_atomic_t *stop,
                       struct tensor *ret, struct tensor *ret_weights, struct error *reterr)
{
    struct tensor context, weights;
    if (!attention_forward(heads, stop, &context, ret_weights ? &weights : NULL, reterr))
        return false;
    bool ok = heads_merge(&context, ret, reterr);
    tensor_release(&context);
    if (ok && ret_weights != NULL)
        *ret_weights = weights;
    else if (ret_weights != NULL)
        tensor_release(&weights);
    return ok;
}

static bool project_out(const struct multihead *layer, const struct tensor *joined,
                        const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    if (layer->w_out != NULL)
        return linear_forward(joined, layer->w_out, layer->b_out, stop, ret, reterr);
    *ret = tensor_share(joined);
    return true;
}

bool multihead_forward(const struct multihead *layer, const struct multihead_input *input,
                       const volatile sig_atomic_t *stop, struct tensor *ret_out,
                       struct tensor *ret_weights, struct error *reterr)
{
    struct projections projections;
    if (!project_all(layer, input, stop, &projections, reterr))
        return false;
    struct attention_input heads = heads_input(layer, input, &projections);
    struct tensor joined = {0}, weights = {0};
    bool ok = join_heads(&heads, stop, &joined, ret_weights ? &weights : NULL, reterr) &&
              project_out(layer, &joined, stop, ret_out, reterr);
    if (ok && ret_weights != NULL)
        *ret_weights = tensor_share(&weights);
    tensor_release(&weights);
    tensor_release(&joined);
    projections_release(&projections);
    return ok;
}

/* Back over the output projection: *ret = the gradient of the joined heads. */
static bool unproject_out(const struct multihead *layer, const struct tensor *joined,
                          const struct tensor *d_out, struct multihead_gradients *gradients,
                          struct tensor *ret, struct error *reterr)
{
    if (layer->w_out != NULL)
        return linear_backward(joined, layer->w_out, d_out, ret, &gradients->w_out,
                               layer->b_out ? &gradients->b_out : NULL, reterr);
    *ret = tensor_share(d_out);
    return true;
}

/* Back over the heads: d_joined (..., n_q, d_values) to the gradients of the attention's inputs. */
static bool unjoin_heads(const struct multihead *layer, const struct attention_input *heads,
                         const struct tensor *d_joined, const volatile sig_atomic_t *stop,
                         struct attention_gradients *ret, struct error *reterr)
{
    struct tensor d_context;
    if (!heads_split(d_joined, layer->n_heads, &d_context, reterr))
        return false;
    bool ok = attention_backward(heads, &d_context, stop, ret, reterr);
    tensor_release(&d_context);
    return ok;
}

/* Back over one projection, for the gradient d_heads (..., n_heads, n, head_dim) of its heads. */
static bool unproject(const struct tensor *x, const struct tensor *weight,
                      const struct tensor *bias, const struct tensor *d_heads,
                      struct tensor *ret_d_x, struct tensor *ret_d_weight,
                      struct tensor *ret_d_bias, struct error *reterr)
{
    struct tensor d_joined;
    if (!heads_merge(d_heads, &d_joined, reterr))
        return false;
    bool ok = linear_backward(x, weight, &d_joined, ret_d_x, ret_d_weight, bias ? ret_d_bias : NULL,
                              reterr);
    tensor_release(&d_joined);
    return ok;
}

static bool unproject_all(const struct multihead *layer, const struct multihead_input *input,
                          const struct attention_gradients *d_heads, struct multihead_gradients *g,
                          struct error *reterr)
{
    return unproject(input->query, layer->w_query, layer->b_query, &d_heads->query, &g->query,
                     &g->w_query, &g->b_query, reterr) &&
           unproject(input->key, layer->w_key, layer->b_key, &d_heads->key, &g->key, &g->w_key,
                     &g->b_key, reterr) &&
           unproject(input->value, layer->w_value, layer->b_value, &d_heads->value, &g->value,
                     &g->w_value, &g->b_value, reterr);
}

bool multihead_backward(const struct multihead *layer, const struct multihead_input *input,
                        const struct tensor *d_out, const volatile sig_atomic_t *stop,
                        struct multihead_gradients *ret_gradients, struct error *reterr)
{
    struct projections projections;
    if (!project_all(layer, input, stop, &projections, reterr))
        return false;
    struct attention_input heads = heads_input(layer, input, &projections);
    struct tensor joined = {0}, d_joined = {0};
    struct attention_gradients d_heads = {0};
    struct multihead_gradients gradients = {0};
    bool ok = join_heads(&heads, stop, &joined, NULL, reterr) &&
              unproject_out(layer, &joined, d_out, &gradients, &d_joined, reterr) &&
              unjoin_heads(layer, &heads, &d_joined, stop, &d_heads, reterr) &&
              unproject_all(layer, input, &d_heads, &gradients, reterr);
    if (ok)
        *ret_gradients = gradients;
    else
        multihead_gradients_release(&gradients);
    attention_gradients_release(&d_heads);
    tensor_release(&d_joined);
    tensor_release(&joined);
    projections_release(&projections);
    return ok;
}

void multihead_gradients_release(struct multihead_gradients *gradients)
{
    if (gradients == NULL)
        return;
    tensor_release(&gradients->query);
    tensor_release(&gradients->key);
    tensor_release(&gradients->value);
    tensor_release(&gradients->w_query);
    tensor_release(&gradients->w_key);
    tensor_release(&gradients->w_value);
    tensor_release(&gradients->b_query);
    tensor_release(&gradients->b_key);
    tensor_release(&gradients->b_value);
    tensor_release(&gradients->w_out);
    tensor_release(&gradients->b_out);
}

bool multihead_dropout(const struct multihead *layer, const struct multihead_input *input,
                       struct random *random, struct tensor *ret, struct error *reterr)
{
    struct projections projections; /* only their shapes matter */
    if (!project_all(layer, input, NULL, &projections, reterr))
        return false;
    struct attention_input heads = heads_input(layer, input, &projections);
    heads.dropout = NULL;
    bool ok = attention_dropout(&heads, layer->dropout_p, random, ret, reterr);
    projections_release(&projections);
    return ok;
}
