/* Are the cases, taken together, hard enough? Each rule is a question to one case, and one case
 * that says yes is enough. See docs/exercises.md. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "judge/prove_internal.h"
#include "tensor/tensor.h"

enum {
    /* exp() overflows above 88.7 in float, above 709.7 in double */
    LARGE_FOR_FLOAT = 90,
    LARGE_FOR_DOUBLE = 710,
    /* logits so far apart that the smaller one's weight is nothing beside the other's */
    FAR_APART = 80,
};

typedef bool question(const struct fixture *fixture, const void *about);

static bool some(const struct fixtures *cases, question *ask, const void *about)
{
    for (size_t i = 0; i < cases->n; i++)
        if (ask(cases->items[i], about))
            return true;
    return false;
}

/* ---- sizes ---- */

static bool is_size(const struct fixture *fixture, unsigned param)
{
    return fixture->exercise->prototype.params[param].kind == PARAM_SIZE;
}

/* Does the case say that this size is another one, as in `mask_batch: batch`? */
static bool is_another(const struct fixture *fixture, unsigned param)
{
    const struct prototype *prototype = &fixture->exercise->prototype;
    const struct exercise_sizes *sizes = &fixture->source->sizes;
    for (unsigned i = 0; i < sizes->n; i++)
        if (strcmp(sizes->items[i].name, prototype->params[param].name) == 0)
            return prototype_param(prototype, sizes->items[i].value,
                                   strlen(sizes->items[i].value)) >= 0;
    return false;
}

static bool sizes_all_differ(const struct fixture *fixture, const void *about)
{
    const double *sizes = fixture->scalars;
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++) {
        if (is_size(fixture, i) && sizes[i] < 2)
            return false;
        for (unsigned j = 0; j < i; j++)
            if (is_size(fixture, i) && is_size(fixture, j) && sizes[i] == sizes[j] &&
                !is_another(fixture, i) && !is_another(fixture, j))
                return false;
    }
    return true;
}

static bool size_is_one(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++)
        if (is_size(fixture, i) && fixture->scalars[i] == 1)
            return true;
    return false;
}

/* Blocks of 8 with something left over. */
static bool size_leaves_rest(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++)
        if (is_size(fixture, i) && fixture->scalars[i] > 8 && fmod(fixture->scalars[i], 8) != 0)
            return true;
    return false;
}

/* ---- inputs ---- */

static bool inputs_all_differ(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct fixture_array *a = &fixture->arrays[i], *b = &fixture->arrays[j];
            if (a->before != NULL && a->n_cells > 1 && b->before != NULL && b->n_cells > 1 &&
                a->n_bytes == b->n_bytes && memcmp(a->before, b->before, a->n_bytes) == 0)
                return false;
        }
    return true;
}

/* about: the index of an array of bool */
static bool has_false_row(const struct fixture *fixture, const void *about)
{
    const struct fixture_array *array = &fixture->arrays[*(const unsigned *)about];
    if (array->before == NULL || array->n_axes == 0 || array->shape[array->n_axes - 1] == 0)
        return false;
    size_t n_cols = array->shape[array->n_axes - 1];
    for (size_t row = 0; row < array->n_cells; row += n_cols)
        if (memchr((const char *)array->before + row, 1, n_cols) == NULL)
            return true;
    return false;
}

/* ---- scores ---- */

static const struct tensor *find_tensor(const struct fixture *fixture, const char *name)
{
    const struct value *value = names_get(&fixture->session->names, name, strlen(name));
    return value != NULL && value->kind == VALUE_NODE ? &value->as.node->value : NULL;
}

/* What goes into the softmax, as far as names tell. */
static const struct tensor *find_logits(const struct fixture *fixture)
{
    static const char *const names[] = {"masked", "scaled", "scores"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (find_tensor(fixture, names[i]) != NULL)
            return find_tensor(fixture, names[i]);
    return NULL;
}

static bool has_logits(const struct fixture *fixture, const void *about)
{
    (void)about;
    return find_logits(fixture) != NULL;
}

/* What a row of logits should hold. */
struct wanted_row {
    double above; /* a logit above this */
    double apart; /* and another so far below that one */
};

/* about: a struct wanted_row */
static bool has_row(const struct fixture *fixture, const void *about)
{
    const struct wanted_row *wanted = about;
    const struct tensor *logits = find_logits(fixture);
    size_t n_cols = logits != NULL && logits->n_axes > 0 ? logits->shape[logits->n_axes - 1] : 0;
    for (size_t row = 0; n_cols > 0 && row < tensor_size(logits); row += n_cols) {
        double low = (double)INFINITY, high = -(double)INFINITY; /* of the finite logits */
        for (size_t i = row; i < row + n_cols; i++) {
            double value = (double)tensor_at_position(logits, i);
            if (isfinite(value)) {
                high = fmax(high, value);
                low = fmin(low, value);
            }
        }
        if (high > wanted->above && high - low >= wanted->apart)
            return true;
    }
    return false;
}

static bool has_zero_score(const struct fixture *fixture, const void *about)
{
    const struct tensor *scores = find_tensor(fixture, "scores");
    const struct tensor *masked = find_tensor(fixture, "masked");
    bool same = scores != NULL && masked != NULL && tensor_same_shape(scores, masked);
    (void)about;
    for (size_t i = 0; scores != NULL && i < tensor_size(scores); i++)
        if (tensor_at_position(scores, i) == 0 &&
            (!same || isfinite(tensor_at_position(masked, i))))
            return true;
    return false;
}

static bool has_scores(const struct fixture *fixture, const void *about)
{
    (void)about;
    return find_tensor(fixture, "scores") != NULL;
}

static bool takes_exponentials(const struct exercise *exercise)
{
    for (unsigned i = 0; i < exercise->stages.n; i++)
        if (strstr(exercise->stages.items[i], "softmax(") != NULL ||
            strstr(exercise->stages.items[i], "exp(") != NULL)
            return true;
    return false;
}

/* ---- the rules ---- */

static void prove_sizes(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report)
{
    if (!some(cases, sizes_all_differ, NULL))
        prove_fault(report, exercise->path,
                    "there is no case in which all sizes are above 1 and different; exchanged "
                    "sizes would go unseen");
    if (!some(cases, size_is_one, NULL))
        prove_fault(report, exercise->path, "there is no case with a size of 1");
    if (!some(cases, size_leaves_rest, NULL))
        prove_fault(
            report, exercise->path,
            "there is no case with a size above 8 that is no multiple of 8; code that works "
            "in blocks would go unseen");
    if (!some(cases, inputs_all_differ, NULL))
        prove_fault(
            report, exercise->path,
            "there is no case in which all inputs differ; exchanged inputs would go unseen");
}

static void prove_masks(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report)
{
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        const char *name = exercise->arrays[i].name;
        int param = prototype_param(&exercise->prototype, name, strlen(name));
        if (param >= 0 && exercise->prototype.params[param].kind == PARAM_BOOLS &&
            !some(cases, has_false_row, &i))
            prove_fault(report, exercise->path,
                        "there is no case in which a whole row of %s is False", name);
    }
}

static void prove_scores(const struct exercise *exercise, const struct fixtures *cases,
                         struct prove_report *report)
{
    if (some(cases, has_scores, NULL) && !some(cases, has_zero_score, NULL))
        prove_fault(report, exercise->path,
                    "there is no case in which an allowed score is exactly 0");
    if (!takes_exponentials(exercise) || !some(cases, has_logits, NULL))
        return;
    if (!some(cases, has_row, &(struct wanted_row){LARGE_FOR_FLOAT, FAR_APART}))
        prove_fault(report, exercise->path,
                    "there is no case with a row in which one score is above %d, where expf() "
                    "overflows, and another %d below it",
                    LARGE_FOR_FLOAT, FAR_APART);
    if (!some(cases, has_row, &(struct wanted_row){LARGE_FOR_DOUBLE, 0}))
        prove_fault(report, exercise->path,
                    "there is no case with a score above %d, where exp() overflows even in double",
                    LARGE_FOR_DOUBLE);
}

void prove_cases(const struct exercise *exercise, const struct fixtures *cases,
                 struct prove_report *report)
{
    prove_sizes(exercise, cases, report);
    prove_masks(exercise, cases, report);
    prove_scores(exercise, cases, report);
}
