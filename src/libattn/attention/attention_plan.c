/* Shapes of attention: see attention_plan_internal.h. Nothing here computes; it checks, and makes
 * views. */
#include "attention/attention_plan_internal.h"

#include <math.h>
#include <string.h>

/* The size of x along an axis counted from the end: 1 is the last, 3 the heads. */
static size_t size_from_end(const struct tensor *x, unsigned axis)
{
    return x->shape[x->n_axes - axis];
}

static bool check_rank(const struct tensor *x, unsigned n_axes, const char *name,
                       const char *needed, struct error *reterr)
{
    char text[TENSOR_SHAPE_TEXT];
    if (x->n_axes >= n_axes)
        return true;
    return error_set(reterr, ERR_SHAPE, "attention: %s is %s; it needs at least %s", name,
                     tensor_shape_text(x, text), needed);
}

static bool check_ranks(const struct attention_input *input, struct error *reterr)
{
    unsigned n_axes = input->grouped_query ? 3 : 2;
    const char *needed = input->grouped_query ? "heads, rows and columns" : "rows and columns";
    return check_rank(input->query, n_axes, "query", needed, reterr) &&
           check_rank(input->key, n_axes, "key", needed, reterr) &&
           check_rank(input->value, n_axes, "value", needed, reterr);
}

static bool check_matrices(const struct attention_input *input, struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    size_t d_k = size_from_end(input->query, 1);
    if (d_k != size_from_end(input->key, 1))
        return error_set(reterr, ERR_SHAPE,
                         "attention: query is %s, key is %s: a query meets a key number by "
                         "number, so their last sizes must be equal: %zu against %zu",
                         tensor_shape_text(input->query, left),
                         tensor_shape_text(input->key, right), d_k, size_from_end(input->key, 1));
    if (size_from_end(input->key, 2) != size_from_end(input->value, 2))
        return error_set(reterr, ERR_SHAPE,
                         "attention: key is %s, value is %s: each key stands for one value, so "
                         "they need equally many rows: %zu against %zu",
                         tensor_shape_text(input->key, left),
                         tensor_shape_text(input->value, right), size_from_end(input->key, 2),
                         size_from_end(input->value, 2));
    if (d_k == 0)
        return error_set(reterr, ERR_SHAPE,
                         "attention: query and key have no columns, so there is nothing to "
                         "compare; give them at least one");
    return true;
}

static bool check_settings(const struct attention_input *input, struct error *reterr)
{
    if (!(input->softcap >= 0))
        return error_set(reterr, ERR_RANGE,
                         "attention: softcap is %g; it must be above 0, or 0 for none",
                         input->softcap);
    return input->mask == NULL || mask_check(input->mask, input->mask_kind, reterr);
}

/* *ret_group = how many query heads share one head of x. */
static bool find_group(const struct attention_input *input, const struct tensor *x,
                       const char *name, size_t *ret_group, struct error *reterr)
{
    *ret_group = 1;
    if (!input->grouped_query)
        return true;
    size_t query_heads = size_from_end(input->query, 3);
    size_t heads = size_from_end(x, 3);
    if (heads == 0 || query_heads % heads != 0)
        return error_set(reterr, ERR_SHAPE,
                         "attention: grouped queries: query has %zu heads and %s has %zu; the "
                         "first must be a multiple of the second",
                         query_heads, name, heads);
    *ret_group = query_heads / heads;
    return true;
}

/* Only the leading axes of x; grouped heads count as 1, for they repeat to the query's. */
static struct tensor leading_axes(const struct tensor *x, bool grouped)
{
    struct tensor lead = {.n_axes = x->n_axes - 2};
    memcpy(lead.shape, x->shape, lead.n_axes * sizeof *lead.shape);
    if (grouped)
        lead.shape[lead.n_axes - 1] = 1;
    return lead;
}

/* Sets n_lead and the leading part of shape to the broadcast shape of query, key and value. */
static bool find_leading_axes(struct attention_plan *plan, struct error *reterr)
{
    const struct attention_input *input = plan->input;
    struct tensor query = leading_axes(input->query, false);
    struct tensor key = leading_axes(input->key, input->grouped_query);
    struct tensor value = leading_axes(input->value, input->grouped_query);
    struct tensor lead = {0};
    if (tensor_broadcast_shape(&query, &key, &lead.n_axes, lead.shape, NULL) &&
        tensor_broadcast_shape(&lead, &value, &plan->n_lead, plan->shape, NULL))
        return true;
    char texts[3][TENSOR_SHAPE_TEXT];
    return error_set(reterr, ERR_SHAPE,
                     "attention: query is %s, key is %s, value is %s: the axes before the last "
                     "two must be equal or 1%s",
                     tensor_shape_text(input->query, texts[0]),
                     tensor_shape_text(input->key, texts[1]),
                     tensor_shape_text(input->value, texts[2]),
                     input->grouped_query ? "" : "; for fewer key heads, ask for grouped queries");
}

/* Sets the sizes that the checked input has. */
static void find_sizes(struct attention_plan *plan)
{
    const struct attention_input *input = plan->input;
    plan->n_q = size_from_end(input->query, 2);
    plan->n_k = size_from_end(input->key, 2);
    plan->d_k = size_from_end(input->key, 1);
    plan->d_v = size_from_end(input->value, 1);
    plan->shape[plan->n_lead] = plan->n_q;
    plan->shape[plan->n_lead + 1] = plan->n_k;
    plan->scale = input->has_scale ? input->scale : 1 / sqrt((double)plan->d_k);
    plan->n_heads = 1;
    for (unsigned axis = 0; axis < plan->n_lead; axis++)
        plan->n_heads *= plan->shape[axis];
}

static bool check_key_lengths(const struct attention_plan *plan, struct error *reterr)
{
    const struct attention_input *input = plan->input;
    if (input->key_lengths == NULL)
        return true;
    size_t n_entries = plan->n_lead > 0 ? plan->shape[0] : 1;
    if (input->n_key_lengths != n_entries)
        return error_set(reterr, ERR_SHAPE,
                         "attention: there are %zu key lengths for %zu batch entries; give one "
                         "for each",
                         input->n_key_lengths, n_entries);
    for (size_t b = 0; b < n_entries; b++)
        if (input->key_lengths[b] > plan->n_k)
            return error_set(reterr, ERR_RANGE,
                             "attention: batch entry %zu is to have %zu valid keys, and there are "
                             "only %zu",
                             b, input->key_lengths[b], plan->n_k);
    return true;
}

/* *ret = x dense, seen under the common leading axes. Grouped heads stay as few as they are. */
static bool spread(const struct attention_plan *plan, const struct tensor *x, size_t group,
                   struct tensor *ret, struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES];
    memcpy(shape, plan->shape, plan->n_lead * sizeof *shape);
    shape[plan->n_lead] = size_from_end(x, 2);
    shape[plan->n_lead + 1] = size_from_end(x, 1);
    if (group > 1)
        shape[plan->n_lead - 1] /= group;
    struct tensor dense;
    if (!tensor_dense(x, &dense, reterr))
        return false;
    bool ok = tensor_broadcast(&dense, plan->n_lead + 2, shape, ret, reterr);
    tensor_release(&dense);
    return ok;
}

/* tensor_broadcast() to the shape of the scores, which may have more numbers than a tensor can
 * hold: they are never all in memory. Takes ownership of *mask if it fits. */
static bool repeat_mask(struct attention_plan *plan, struct tensor *mask)
{
    unsigned n_axes = plan->n_lead + 2;
    if (mask->n_axes > n_axes)
        return false;
    struct tensor view = *mask;
    unsigned missing = n_axes - mask->n_axes;
    view.n_axes = n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        size_t own = axis < missing ? 1 : mask->shape[axis - missing];
        if (own != 1 && own != plan->shape[axis])
            return false;
        view.shape[axis] = plan->shape[axis];
        view.stride[axis] = own == 1 ? 0 : mask->stride[axis - missing];
    }
    plan->mask = view;
    return true;
}

static bool spread_mask(struct attention_plan *plan, struct error *reterr)
{
    const struct tensor *mask = plan->input->mask;
    struct tensor dense;
    if (mask == NULL)
        return true;
    if (!tensor_dense(mask, &dense, reterr))
        return false;
    if (repeat_mask(plan, &dense))
        return true;
    tensor_release(&dense);
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    struct tensor scores = {.n_axes = plan->n_lead + 2};
    memcpy(scores.shape, plan->shape, sizeof scores.shape);
    return error_set(reterr, ERR_SHAPE,
                     "attention: the mask is %s and the scores are %s; axes align at the right, "
                     "and each of the mask must be equal or 1",
                     tensor_shape_text(mask, left), tensor_shape_text(&scores, right));
}

static bool take_dropout(struct attention_plan *plan, struct error *reterr)
{
    const struct tensor *dropout = plan->input->dropout;
    if (dropout == NULL)
        return true;
    struct tensor weights = {.n_axes = plan->n_lead + 2};
    memcpy(weights.shape, plan->shape, sizeof weights.shape);
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(dropout, &weights))
        return error_set(reterr, ERR_SHAPE,
                         "attention: the dropout factors are %s and the weights are %s; each "
                         "weight needs a factor",
                         tensor_shape_text(dropout, left), tensor_shape_text(&weights, right));
    return tensor_dense(dropout, &plan->dropout, reterr);
}

bool attention_plan_init(struct attention_plan *plan, const struct attention_input *input,
                         struct error *reterr)
{
    *plan = (struct attention_plan){.input = input};
    if (!check_ranks(input, reterr) || !check_matrices(input, reterr) ||
        !check_settings(input, reterr) ||
        !find_group(input, input->key, "key", &plan->key_group, reterr) ||
        !find_group(input, input->value, "value", &plan->value_group, reterr) ||
        !find_leading_axes(plan, reterr))
        return false;
    find_sizes(plan);
    bool ok = check_key_lengths(plan, reterr) &&
              spread(plan, input->query, 1, &plan->query, reterr) &&
              spread(plan, input->key, plan->key_group, &plan->key, reterr) &&
              spread(plan, input->value, plan->value_group, &plan->value, reterr) &&
              spread_mask(plan, reterr) && take_dropout(plan, reterr);
    if (!ok)
        attention_plan_release(plan);
    return ok;
}

void attention_plan_release(struct attention_plan *plan)
{
    tensor_release(&plan->query);
    tensor_release(&plan->key);
    tensor_release(&plan->value);
    tensor_release(&plan->mask);
    tensor_release(&plan->dropout);
}

/* The begin of the matrix of x for this index of the leading axes; NULL if x is empty. `group`
 * neighbours along the last leading axis, the heads, share one. */
static const float *matrix_at(const struct attention_plan *plan, const struct tensor *x,
                              const size_t *index, size_t group)
{
    if (x->data == NULL)
        return NULL;
    const float *matrix = x->data;
    for (unsigned axis = 0; axis < plan->n_lead; axis++) {
        size_t at = axis + 1 == plan->n_lead ? index[axis] / group : index[axis];
        matrix += (ptrdiff_t)at * x->stride[axis];
    }
    return matrix;
}

struct attention_head attention_plan_head(const struct attention_plan *plan, size_t at)
{
    struct tensor lead = {.n_axes = plan->n_lead};
    memcpy(lead.shape, plan->shape, sizeof lead.shape);
    size_t index[TENSOR_MAX_AXES] = {0};
    tensor_index_of(&lead, at, index);
    const size_t *lengths = plan->input->key_lengths;
    return (struct attention_head){
        .query = matrix_at(plan, &plan->query, index, 1),
        .key = matrix_at(plan, &plan->key, index, plan->key_group),
        .value = matrix_at(plan, &plan->value, index, plan->value_group),
        .mask = matrix_at(plan, &plan->mask, index, 1),
        .dropout = matrix_at(plan, &plan->dropout, index, 1),
        .key_length = lengths != NULL ? lengths[index[0]] : plan->n_k,
    };
}
