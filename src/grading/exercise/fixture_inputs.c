/* Drawing the arrays that a function is given: see fixture_internal.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#include "base/array.h"
#include "exercise/exercise_check_internal.h"
#include "exercise/fixture_internal.h"
#include "exercise/row_kinds.h"
#include "graph/node.h"
#include "exercise/exercise_internal.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

/* ---- fixture sizes ---- */

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

/* A number of the range that no other size has, or any number if all are taken. */
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
    /* A range draws even if its size is given: so the other ranges give the same numbers. */
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

/* ---- fixture inputs ---- */

/* The source that `why` gives for a drawn number: "from this case". */
static const char source_text[] = "this case";

/* ---- rounding, for cases that people look at ---- */

static float round_simply(float number)
{
    if (!isfinite(number) || fabsf(number) >= 1e6f)
        return number;
    float rounded = (float)(round((double)number * 10) / 10);
    return rounded == 0 && number != 0 ? 0 : rounded; /* no -0 that was not drawn */
}

/* A leaf with these numbers in place of the value that the name has; takes *numbers over. */
static bool rebind(struct fixture *fixture, const char *name, struct tensor *numbers,
                   struct error *reterr)
{
    struct value leaf = value_node(
        node_input(&fixture->session->graph, numbers, source_text, strlen(source_text), reterr));
    bool ok = leaf.kind == VALUE_NODE && expression_bind(fixture->session, name, &leaf, reterr);
    value_release(&leaf);
    return ok;
}

/* Rounds the tensor of the name that a line assigns, so that all later lines see it rounded. */
static bool round_target(struct fixture *fixture, const char *line, struct error *reterr)
{
    char name[64];
    size_t size = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    struct tensor rounded;
    if (size >= sizeof name)
        return true;
    memcpy(name, line, size);
    name[size] = '\0';
    const struct value *value = names_get(&fixture->session->names, name, size);
    if (value == NULL || value->kind != VALUE_NODE || value->as.node->value.is_bool)
        return true;
    if (!tensor_copy(&value->as.node->value, &rounded, reterr))
        return false;
    for (size_t i = 0, n = tensor_size(&rounded); i < n; i++)
        rounded.data[i] = round_simply(rounded.data[i]);
    return rebind(fixture, name, &rounded, reterr);
}

/* ---- inputs that depend on the seed ---- */

enum { MAX_RANDOM_NAMES = 32 };

/* The names that hold something random. They point into the exercise's lines. */
struct random_names {
    struct {
        const char *name;
        size_t size;
    } items[MAX_RANDOM_NAMES];
    unsigned n;
    bool is_full; /* one more did not fit: then any name may be one */
};

static unsigned find_random(const struct random_names *names, const char *name, size_t size)
{
    unsigned i = 0;
    while (i < names->n &&
           !(names->items[i].size == size && memcmp(names->items[i].name, name, size) == 0))
        i++;
    return i;
}

static void set_random(struct random_names *names, const char *name, size_t size, bool is_random)
{
    unsigned i = find_random(names, name, size);
    if (is_random && i == MAX_RANDOM_NAMES) {
        names->is_full = true;
    } else if (is_random) {
        names->items[i].name = name;
        names->items[i].size = size;
        names->n += i == names->n;
    } else if (i < names->n) {
        names->items[i] = names->items[--names->n];
    }
}

/* The next word of a line that may be a name, from *at on; its size, 0 at the end. */
static size_t next_name(const char **at)
{
    size_t size = 0;
    while (**at != '\0' && !isalpha((unsigned char)**at) && **at != '_')
        (*at)++;
    while (isalnum((unsigned char)(*at)[size]) || (*at)[size] == '_')
        size++;
    return size;
}

/* After a line: the name that it assigns is random if the line drew, or uses a random name. A line
 * that assigns no whole name may have changed any that it uses. */
static void note_random(struct random_names *names, const char *line, bool drew)
{
    const char *target = line, *at;
    size_t size, target_size = statement_target(line, &target);
    bool is_random = drew;
    for (at = target + target_size; (size = next_name(&at)) > 0; at += size)
        is_random = is_random || find_random(names, at, size) < names->n;
    if (target_size > 0)
        set_random(names, target, target_size, is_random);
    for (at = line; target_size == 0 && is_random && (size = next_name(&at)) > 0; at += size)
        set_random(names, at, size, true);
}

static bool drew(const struct random *before, const struct random *after)
{
    return before->next != after->next ||
           memcmp(before->state, after->state, sizeof before->state) != 0;
}

static bool inputs_are_public(const struct fixture *fixture, const struct random_names *names)
{
    bool all = !names->is_full;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++) {
        const struct exercise_array *array = &fixture->exercise->arrays[i];
        all = all && (array->role == ROLE_OUT ||
                      find_random(names, array->name, strlen(array->name)) == names->n);
    }
    return all;
}

/* ---- lines of draw ---- */

/* `name = None`, which the language knows as a value but gives no name. */
static bool is_none(const char *line, const char *name, size_t size)
{
    const char *value = name + size;
    value += strspn(value, " \t=");
    return line[0] != '\0' && strncmp(value, "None", 4) == 0 &&
           value[4 + strspn(value + 4, " \t")] == '\0';
}

static bool draw_none(struct fixture *fixture, const char *name, size_t size, struct error *reterr)
{
    const struct exercise *exercise = fixture->exercise;
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        const struct exercise_array *array = &exercise->arrays[i];
        struct value none = {.kind = VALUE_NONE};
        if (strlen(array->name) == size && memcmp(array->name, name, size) == 0 && array->optional)
            return expression_bind(fixture->session, array->name, &none, reterr);
    }
    return error_set(reterr, ERR_TYPE, "only an array with `optional: true` can be None");
}

static bool draw_line(struct fixture *fixture, const char *line, bool simple, struct error *reterr)
{
    const char *name;
    size_t size = statement_target(line, &name);
    if (size > 0 && is_none(line, name, size))
        return draw_none(fixture, name, size, reterr);
    return expression_run(fixture->session, line, reterr) &&
           (!simple || round_target(fixture, line, reterr));
}

static bool draw_lines(struct fixture *fixture, const struct strings *lines, bool simple,
                       struct random_names *names, struct error *reterr)
{
    for (unsigned i = 0; i < lines->n; i++) {
        const struct random before = fixture->session->random;
        if (!draw_line(fixture, lines->items[i], simple, reterr))
            return fixture_fault(fixture, lines->lines[i], lines->items[i], reterr);
        note_random(names, lines->items[i], drew(&before, &fixture->session->random));
    }
    return true;
}

/* ---- rows of every kind ---- */

/* Row by row the array gets another kind, and after all of them one row as it was drawn; first is
 * the kind of row 0. */
static bool draw_kinds_of(struct fixture *fixture, const char *name, unsigned first, bool simple,
                          struct error *reterr)
{
    const struct value *value = names_get(&fixture->session->names, name, strlen(name));
    if (value == NULL || value->kind != VALUE_NODE)
        return error_set(reterr, ERR_NAME, "it is not drawn; add a line `%s = ...` to draw", name);
    unsigned n_axes = value->as.node->value.n_axes;
    const size_t *shape = value->as.node->value.shape;
    size_t n_rows = n_axes > 1 ? shape[n_axes - 2] : 1, n = n_axes > 0 ? shape[n_axes - 1] : 0;
    bool ok = true;
    for (unsigned i = 0; ok && i < N_ROW_KINDS; i++) {
        struct text line = {0};
        if (row_kinds[i].is_huge || n < row_kinds[i].least_row)
            continue;
        text_format(&line, "%s = where((arange(%zu).reshape(%zu, 1)%s + %u) %% %d == %u, ", name,
                    n_rows, n_rows, n_axes > 1 ? "" : "[0]", first, N_ROW_KINDS, i);
        row_kind_put(&line, row_kinds[i].draw, name, n);
        text_format(&line, ", %s)", name);
        ok = !line.failed ? draw_line(fixture, text_string(&line), simple, reterr)
                          : error_memory(reterr, "a case");
        text_release(&line);
    }
    return ok;
}

/* The kinds of rows meet in all pairs: of each array and each repeat another kind comes first. */
static bool draw_kinds(struct fixture *fixture, bool simple, struct error *reterr)
{
    const struct strings *kinds = &fixture->source->kinds;
    for (unsigned i = 0; i < kinds->n; i++)
        if (!draw_kinds_of(fixture, kinds->items[i], 6 * i + fixture->repeat, simple, reterr))
            return fixture_fault(fixture, kinds->lines[i], kinds->items[i], reterr);
    return true;
}

/* ---- shapes ---- */

static bool shape_axis(struct fixture *fixture, const char *text, size_t *ret, struct error *reterr)
{
    int param = prototype_param(&fixture->exercise->prototype, text, strlen(text));
    if (param >= 0) { /* mostly, and quicker */
        *ret = (size_t)fixture->scalars[param];
        return true;
    }
    struct node *node = expression_value(fixture->session, text, reterr);
    bool ok = node != NULL;
    double value = ok && node->value.n_axes == 0 ? (double)node->value.data[0] : -1;
    if (ok && !(value >= 0 && value == floor(value) && value < (double)TENSOR_MAX_SIZE))
        ok = error_set(reterr, ERR_SHAPE, "%s: an axis must be a whole number", text);
    if (ok)
        *ret = (size_t)value;
    node_free(node);
    return ok;
}

static bool set_shape(struct fixture *fixture, unsigned i, struct error *reterr)
{
    const struct exercise_array *declared = &fixture->exercise->arrays[i];
    struct fixture_array *array = &fixture->arrays[i];
    array->n_axes = declared->shape.n;
    array->n_cells = 1;
    for (unsigned axis = 0; axis < array->n_axes; axis++) {
        if (!shape_axis(fixture, declared->shape.items[axis], &array->shape[axis], reterr))
            return fixture_fault(fixture, declared->line, declared->name, reterr);
        if (array->shape[axis] > 0 && array->n_cells > TENSOR_MAX_SIZE / array->shape[axis])
            return error_set(reterr, ERR_LIMIT, "the array is too large") ||
                   fixture_fault(fixture, declared->line, declared->name, reterr);
        array->n_cells *= array->shape[axis];
    }
    return true;
}

/* ---- copies of the drawn tensors ---- */

static bool check_drawn(const struct fixture *fixture, unsigned i, const struct node *node,
                        struct error *reterr)
{
    bool wants_bool = fixture->arrays[i].boolean;
    if (node->value.is_bool != wants_bool)
        return error_set(reterr, ERR_TYPE, "%s",
                         wants_bool ? "it is an array of bool; draw True and False, as rand(n) < "
                                      "0.5 does"
                                    : "it is an array of float; numbers are expected, not True and "
                                      "False");
    return fixture_check_shape(fixture, i, &node->value, reterr);
}

/* Is it so large or so small that products of a few such numbers leave the range of float? */
static bool is_extreme(float number)
{
    const float most = 1e9f;
    float size = fabsf(number);
    return isfinite(number) && (size > most || (size > 0 && size < 1 / most));
}

static bool copy_cells(struct fixture_array *array, const struct tensor *value, bool *ret_extreme,
                       struct error *reterr)
{
    float *cells = malloc((array->n_cells + 1) * sizeof *cells);
    if (cells == NULL)
        return error_memory(reterr, "an input");
    tensor_read(value, cells);
    if (array->boolean) { /* in place: a byte is written where or before its float was read */
        unsigned char *bytes = (unsigned char *)cells;
        for (size_t i = 0; i < array->n_cells; i++) {
            bool truth = cells[i] != 0;
            bytes[i] = truth;
        }
    }
    for (size_t i = 0; !array->boolean && i < array->n_cells; i++)
        *ret_extreme |= is_extreme(cells[i]);
    array->before = cells;
    return true;
}

/* The drawn tensor as a leaf: `why` ends at the function's inputs. */
static bool make_leaf(struct fixture *fixture, unsigned i, const struct node *node,
                      struct error *reterr)
{
    const char *name = fixture->exercise->arrays[i].name;
    struct tensor copy;
    if (!tensor_copy(&node->value, &copy, reterr) || !rebind(fixture, name, &copy, reterr))
        return false;
    if (fixture->exercise->arrays[i].role == ROLE_IN)
        fixture->arrays[i].node =
            node_share(names_get(&fixture->session->names, name, strlen(name))->as.node);
    return true;
}

static bool take_input(struct fixture *fixture, unsigned i, struct error *reterr)
{
    const char *name = fixture->exercise->arrays[i].name;
    const struct value *value = names_get(&fixture->session->names, name, strlen(name));
    if (value == NULL)
        return error_set(reterr, ERR_NAME, "it is not drawn; add a line `%s = ...` to draw", name);
    if (value->kind == VALUE_NONE) {
        fixture->arrays[i].present = false;
        return true;
    }
    struct node *node = value_to_node(&fixture->session->graph, value, name, reterr);
    bool ok = node != NULL && check_drawn(fixture, i, node, reterr) &&
              copy_cells(&fixture->arrays[i], &node->value, &fixture->is_extreme, reterr) &&
              make_leaf(fixture, i, node, reterr);
    node_free(node);
    return ok;
}

static bool set_array(struct fixture *fixture, unsigned i, struct error *reterr)
{
    const struct exercise_array *declared = &fixture->exercise->arrays[i];
    const struct prototype *prototype = &fixture->exercise->prototype;
    struct fixture_array *array = &fixture->arrays[i];
    array->present = true;
    int param = prototype_param(prototype, declared->name, strlen(declared->name));
    array->boolean = param >= 0 && prototype->params[param].kind == PARAM_BOOLS;
    if (!set_shape(fixture, i, reterr))
        return false;
    array->n_bytes = array->n_cells * (array->boolean ? 1 : sizeof(float));
    return declared->role == ROLE_OUT || take_input(fixture, i, reterr) ||
           fixture_fault(fixture, declared->line, declared->name, reterr);
}

bool fixture_set_inputs(struct fixture *fixture, bool simple, struct error *reterr)
{
    const struct exercise *exercise = fixture->exercise;
    struct random_names names = {.n = 0};
    if (!draw_lines(fixture, &exercise->draw, simple, &names, reterr) ||
        !draw_kinds(fixture, simple, reterr) ||
        !draw_lines(fixture, &fixture->source->draw, simple, &names, reterr))
        return false;
    fixture->is_public = inputs_are_public(fixture, &names);
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        if (!set_array(fixture, i, reterr))
            return false;
    return true;
}
