/* The by-value parameters of a case: see fixture_internal.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/exercise_check.h"
#include "exercise/fixture_internal.h"
#include "graph/node.h"

enum { MAX_SIZE = 1 << 20 }; /* of a size_t: far more than any case needs */

struct size_draw {
    struct fixture *fixture;
    const struct sizes *given;
    uint64_t random; /* the state of splitmix_next() */
    struct text *drawn;
    double taken[2 * PROTOTYPE_MAX_PARAMS]; /* values that ranges keep away from */
    unsigned n_taken;
    struct error *reterr;
};

static void take(struct size_draw *draw, double value)
{
    if (draw->n_taken < COUNT_OF(draw->taken))
        draw->taken[draw->n_taken++] = value;
}

static bool is_taken(const struct size_draw *draw, unsigned value)
{
    for (unsigned i = 0; i < draw->n_taken; i++)
        if (draw->taken[i] == (double)value)
            return true;
    return false;
}

/* A number of the range that no other size has, or any where all are taken. */
static unsigned draw_from(struct size_draw *draw, unsigned low, unsigned high)
{
    unsigned n_free = 0;
    for (unsigned value = low; value <= high; value++)
        n_free += !is_taken(draw, value);
    uint64_t random = splitmix_next(&draw->random);
    if (n_free == 0)
        return low + (unsigned)(random % (high - low + 1));
    unsigned left = (unsigned)(random % n_free), value = low;
    while (is_taken(draw, value) || left-- > 0)
        value++;
    return value;
}

static bool find_given(const struct sizes *given, const char *name, double *ret)
{
    for (unsigned i = 0; given != NULL && i < given->n; i++)
        if (strcmp(given->names[i], name) == 0) {
            *ret = given->values[i];
            return true;
        }
    return false;
}

/* One of the sizes as a tensor without axes. */
static struct node *work_out(struct size_draw *draw, const struct exercise_size *size)
{
    unsigned low, high;
    double value;
    bool is_given = find_given(draw->given, size->name, &value);
    bool is_range = size_is_range(size->value, &low, &high);
    if (!is_given && !is_range)
        return expression_value(draw->fixture->session, size->value, draw->reterr);
    /* A range draws all the same when a size is given: the other ranges give what they gave. */
    double drawn = is_range ? (double)draw_from(draw, low, high) : value;
    take(draw, drawn);
    if (!is_given)
        value = drawn;
    text_format(draw->drawn, "%s%s %g", draw->drawn->size > 0 ? ", " : "", size->name, value);
    return node_constant(&draw->fixture->session->graph, (float)value, draw->reterr);
}

/* Does the value fit the parameter's type? */
static bool check_kind(const struct size_draw *draw, const struct param *param,
                       const struct node *node)
{
    double value = (double)node->value.data[0];
    if (param->kind == PARAM_BOOL)
        return node->value.is_bool ||
               error_set(draw->reterr, ERR_TYPE, "it is bool; True or False is expected");
    if (param->kind == PARAM_FLOAT)
        return true;
    return (value >= 0 && value <= MAX_SIZE && value == floor(value)) ||
           error_set(draw->reterr, ERR_RANGE, "a whole number from 0 to %d is expected, not %g",
                     MAX_SIZE, value);
}

static bool set_scalar(struct size_draw *draw, const struct exercise_size *size,
                       const struct node *node)
{
    const struct prototype *prototype = &draw->fixture->exercise->prototype;
    int i = prototype_param(prototype, size->name, strlen(size->name));
    if (node->value.n_axes != 0)
        return error_set(draw->reterr, ERR_SHAPE, "a single number is expected");
    if (i < 0)
        return true; /* a helper */
    draw->fixture->scalars[i] = (double)node->value.data[0];
    return check_kind(draw, &prototype->params[i], node);
}

static bool set_size(struct size_draw *draw, const struct exercise_size *size)
{
    struct value value = value_node(work_out(draw, size));
    bool ok = value.kind == VALUE_NODE && set_scalar(draw, size, value.as.node) &&
              expression_bind(draw->fixture->session, size->name, &value, draw->reterr);
    value_release(&value);
    return ok || fixture_fault(draw->fixture, size->line, size->name, draw->reterr);
}

bool fixture_set_sizes(struct fixture *fixture, const struct sizes *given, uint64_t random,
                       struct text *drawn, struct error *reterr)
{
    struct size_draw draw = {
        .fixture = fixture, .given = given, .random = random, .drawn = drawn, .reterr = reterr};
    const struct exercise_sizes *sizes = &fixture->source->sizes;
    for (unsigned i = 0; i < sizes->n; i++) {
        const char *value = sizes->items[i].value;
        if (value[strspn(value, "0123456789")] == '\0')
            take(&draw, strtod(value, NULL));
    }
    for (unsigned i = 0; i < sizes->n; i++)
        if (!set_size(&draw, &sizes->items[i]))
            return false;
    return true;
}
