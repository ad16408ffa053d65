/* The numbers that a function should leave in its arrays, and those that it would leave there with
 * other ideas: the stages are run over the drawn inputs. See fixture_internal.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/fixture_internal.h"
#include "graph/node.h"
#include "tensor/tensor.h"

/* ---- fixture expected ---- */

/* ---- names ----
 *
 * A run of the stages starts with the drawn names and no others, so that nothing of an
 * earlier run is read by mistake. */

bool fixture_keep_names(struct fixture *fixture, struct kept_names *ret, struct error *reterr)
{
    struct names *names = &fixture->session->names;
    struct value *values = malloc((names->n_variables + 1) * sizeof *values);
    if (values == NULL)
        return error_memory(reterr, "the stages");
    for (size_t i = 0; i < names->n_variables; i++) {
        struct value *value = &names->variables[i].value;
        values[i] = *value;
        *value = (struct value){.kind = VALUE_ABSENT};
        if (i < fixture->n_drawn)
            *value = value_share(&fixture->drawn[i]);
    }
    *ret = (struct kept_names){values, names->n_variables};
    return true;
}

void fixture_give_back_names(struct fixture *fixture, struct kept_names *kept)
{
    struct names *names = &fixture->session->names;
    names_shrink(names, kept->n);
    for (size_t i = 0; i < kept->n; i++) {
        value_release(&names->variables[i].value);
        names->variables[i].value = kept->values[i];
    }
    free(kept->values);
}

/* ---- stages ---- */

/* The place in idea->stages of this stage's replacement; their number if the idea keeps the
 * stage. */
static unsigned replacement(const struct misconception *idea, const char *stage)
{
    unsigned i = 0;
    while (i < idea->stages.n && !statements_assign_same(idea->stages.items[i], stage))
        i++;
    return i;
}

/* The idea whose statement stands for this stage: the first that replaces it. Their number when
 * none does. */
static size_t winner(const struct misconception *const *ideas, size_t n_ideas, const char *stage)
{
    size_t i = 0;
    while (i < n_ideas && replacement(ideas[i], stage) == ideas[i]->stages.n)
        i++;
    return i;
}

/* Runs the stage, or the statement that replaces it after those that prepare it, which stand before
 * it. */
static bool run_stage(struct fixture *fixture, const char *stage,
                      const struct misconception *const *ideas, size_t n_ideas,
                      struct error *reterr)
{
    size_t i = winner(ideas, n_ideas, stage);
    if (i == n_ideas)
        return expression_run(fixture->session, stage, reterr);
    const struct strings *statements = &ideas[i]->stages;
    unsigned last = replacement(ideas[i], stage), first = last;
    while (first > 0 && exercise_stage(fixture->exercise, statements->items[first - 1]) < 0)
        first--;
    for (unsigned at = first; at <= last; at++)
        if (!expression_run(fixture->session, statements->items[at], reterr))
            return false;
    return true;
}

/* The tensor that an array must hold after the call. */
static struct node *expected_node(struct fixture *fixture, const struct exercise_expect *expect,
                                  unsigned array, struct error *reterr)
{
    const struct value *named = names_get(&fixture->session->names, expect->is, strlen(expect->is));
    struct node *node = named != NULL && named->kind == VALUE_NODE
                            ? node_share(named->as.node)
                            : expression_value(fixture->session, expect->is, reterr);
    if (node != NULL && !fixture_check_shape(fixture, array, &node->value, reterr)) {
        node_free(node);
        node = NULL;
    }
    return node;
}

static unsigned array_of(const struct fixture *fixture, const struct exercise_expect *expect)
{
    return (unsigned)exercise_array(fixture->exercise, expect->array);
}

/* ---- the right answer ---- */

/* How large the numbers are that go into each cell, by the author's expression. */
static bool read_scale(struct fixture *fixture, const struct exercise_expect *expect,
                       const struct fixture_array *array, float *ret, struct error *reterr)
{
    struct tensor whole;
    struct node *node = expression_value(fixture->session, expect->scale, reterr);
    bool ok =
        node != NULL && tensor_broadcast(&node->value, array->n_axes, array->shape, &whole, reterr);
    if (ok) {
        tensor_read(&whole, ret);
        tensor_release(&whole);
    }
    node_free(node);
    return ok;
}

static bool check_number(const struct fixture_array *array, size_t cell, double scale,
                         struct error *reterr)
{
    char place[64];
    double expected = (double)array->expected[cell];
    fixture_place(array, cell, place, sizeof place);
    if (isnan(expected))
        return error_set(reterr, ERR_RANGE, "%s: NaN is expected, which no answer can match",
                         place);
    return isinf(expected) || isfinite(scale) ||
           error_set(reterr, ERR_RANGE, "%s: the scale is %g, so that any number would do", place,
                     scale);
}

/* Turns scales into allowed errors. */
static bool set_allowed(const struct fixture *fixture, struct fixture_array *array,
                        const float *scales, struct error *reterr)
{
    const struct exercise_tolerance *tolerance = &fixture->exercise->tolerance;
    for (size_t i = 0; i < array->n_cells; i++) {
        double scale = fabs((double)scales[i]);
        if (!check_number(array, i, scale, reterr))
            return false;
        array->allowed[i] =
            isinf(array->expected[i]) ? 0 : tolerance->absolute + tolerance->relative * scale;
    }
    return true;
}

static bool set_numbers(struct fixture *fixture, const struct exercise_expect *expect,
                        struct fixture_array *array, struct error *reterr)
{
    float *scales = malloc((array->n_cells + 1) * sizeof *scales);
    array->expected = malloc((array->n_cells + 1) * sizeof *array->expected);
    array->allowed = malloc((array->n_cells + 1) * sizeof *array->allowed);
    if (scales == NULL || array->expected == NULL || array->allowed == NULL) {
        free(scales);
        return error_memory(reterr, "what is expected");
    }
    tensor_read(&array->node->value, array->expected);
    memcpy(scales, array->expected, array->n_cells * sizeof *scales);
    bool ok = (expect->scale == NULL || read_scale(fixture, expect, array, scales, reterr)) &&
              set_allowed(fixture, array, scales, reterr);
    free(scales);
    return ok;
}

static bool set_expected(struct fixture *fixture, const struct exercise_expect *expect,
                         struct error *reterr)
{
    unsigned i = array_of(fixture, expect);
    struct fixture_array *array = &fixture->arrays[i];
    array->node = expected_node(fixture, expect, i, reterr);
    if (array->node != NULL && array->node->name == NULL &&
        !node_set_name(array->node, expect->array, strlen(expect->array), reterr))
        return false;
    return (array->node != NULL && set_numbers(fixture, expect, array, reterr)) ||
           fixture_fault(fixture, expect->line, expect->array, reterr);
}

bool fixture_set_expected(struct fixture *fixture, struct error *reterr)
{
    const struct strings *stages = &fixture->exercise->stages;
    const struct names *names = &fixture->session->names;
    fixture->drawn = malloc((names->n_variables + 1) * sizeof *fixture->drawn);
    if (fixture->drawn == NULL)
        return error_memory(reterr, "the drawn names");
    fixture->n_drawn = names->n_variables;
    for (size_t i = 0; i < fixture->n_drawn; i++)
        fixture->drawn[i] = value_share(&names->variables[i].value);
    for (unsigned i = 0; i < stages->n; i++)
        if (!expression_run(fixture->session, stages->items[i], reterr))
            return fixture_fault(fixture, stages->lines[i], stages->items[i], reterr);
    for (unsigned i = 0; i < fixture->exercise->n_expect; i++)
        if (!set_expected(fixture, &fixture->exercise->expect[i], reterr))
            return false;
    return true;
}

/* ---- answers under other ideas ---- */

/* Each idea has a part in the answer: each shows in some number, and is not hidden by the others.
 */
static bool ideas_fit(const struct exercise *exercise, const struct misconception *const *ideas,
                      size_t n_ideas, struct error *reterr)
{
    for (size_t i = 0; i < n_ideas; i++) {
        bool takes_part = false;
        for (unsigned j = 0; j < exercise->stages.n; j++)
            takes_part = takes_part || winner(ideas, n_ideas, exercise->stages.items[j]) == i;
        if (!takes_part)
            return error_set(reterr, ERR_NONE, "%s: it shows in no number", ideas[i]->id);
    }
    return true;
}

bool fixture_read_answer(struct fixture *fixture, struct answer *ret, struct error *reterr)
{
    struct answer answer;
    if (!answer_init(fixture, &answer, reterr))
        return false;
    for (unsigned i = 0; i < fixture->exercise->n_expect; i++) {
        const struct exercise_expect *expect = &fixture->exercise->expect[i];
        unsigned array = array_of(fixture, expect);
        struct node *node = expected_node(fixture, expect, array, reterr);
        if (node == NULL) {
            answer_release(&answer);
            return false;
        }
        tensor_read(&node->value, answer.floats[array]);
        node_free(node);
    }
    *ret = answer;
    return true;
}

static bool compute_answer(struct fixture *fixture, const struct misconception *const *ideas,
                           size_t n_ideas, struct answer *ret, struct error *reterr)
{
    const struct strings *stages = &fixture->exercise->stages;
    for (unsigned i = 0; i < stages->n; i++)
        if (!run_stage(fixture, stages->items[i], ideas, n_ideas, reterr))
            return false;
    return fixture_read_answer(fixture, ret, reterr);
}

bool fixture_answer_under(struct fixture *fixture, const struct misconception *const *ideas,
                          size_t n_ideas, struct answer *ret, struct error *reterr)
{
    struct kept_names kept = {0};
    if (!ideas_fit(fixture->exercise, ideas, n_ideas, reterr) ||
        !fixture_keep_names(fixture, &kept, reterr))
        return false;
    bool ok = compute_answer(fixture, ideas, n_ideas, ret, reterr);
    fixture_give_back_names(fixture, &kept);
    return ok;
}

bool fixture_answer_changed(struct fixture *fixture, const char *statement, struct answer *ret,
                            struct error *reterr)
{
    struct kept_names kept = {0};
    if (!fixture_keep_names(fixture, &kept, reterr))
        return false;
    bool ok = expression_run(fixture->session, statement, reterr) &&
              compute_answer(fixture, NULL, 0, ret, reterr);
    fixture_give_back_names(fixture, &kept);
    return ok;
}

bool idea_says_nothing(const struct error *error)
{
    switch (error->kind) {
    case ERR_NONE:
    case ERR_SHAPE:
    case ERR_RANGE:
    case ERR_TYPE:
    case ERR_LIMIT:
        return true;
    default:
        return false;
    }
}
