/* Functions of torch that make tensors: from data, of one number, in steps, drawn at random. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/torch_internal.h"
#include "lang/notebook/ndarray_internal.h"

/* ---- from data ---- */

/* Nested lists, read twice: their shape and kind, then their numbers. */
struct data {
    struct machine *m;
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int kind; /* an enum dtype: the highest so far, or -1 */
    float *next;
    enum dtype dtype;
};

static const struct value *list_items(struct value v, size_t *ret_n)
{
    if (value_is(v, THING_LIST)) {
        *ret_n = THING_AS(array, v)->n;
        return THING_AS(array, v)->items;
    }
    *ret_n = THING_AS(tuple, v)->n;
    return THING_AS(tuple, v)->items;
}

static bool is_list(struct value v)
{
    return value_is(v, THING_LIST) || value_is(v, THING_TUPLE);
}

static bool note_kind(struct data *data, enum dtype dtype)
{
    data->kind = data->kind < 0 ? (int)dtype : (int)dtype_join((enum dtype)data->kind, dtype);
    return true;
}

static bool survey_leaf(struct data *data, struct value v)
{
    struct machine *m = data->m;
    if (is_tensor(v)) {
        struct node *node = tensor_node(m, as_tensor(v));
        if (node == NULL)
            return false;
        if (tensor_size(&node->value) != 1)
            return raise_error(m, ERROR_VALUE,
                               "only one element tensors can be converted to Python scalars");
        return note_kind(data, as_tensor(v)->dtype);
    }
    switch (v.kind) {
    case VALUE_BOOL:
        return note_kind(data, DTYPE_BOOL);
    case VALUE_INT:
        return note_kind(data, DTYPE_INT64);
    case VALUE_FLOAT:
        return note_kind(data, m->torch->default_dtype);
    case VALUE_STRING:
        return data->n_axes > 0 ? raise_error(m, ERROR_VALUE, "too many dimensions 'str'")
                                : raise_error(m, ERROR_TYPE, "new(): invalid data type 'str'");
    default:
        return raise_error(m, ERROR_RUNTIME, "Could not infer dtype of %s", value_class_name(m, v));
    }
}

static bool survey(struct data *data, struct value v, unsigned depth, bool first)
{
    struct machine *m = data->m;
    size_t n;
    if (value_is(v, THING_INSTANCE))
        v = value_payload(v);
    if (!is_list(v)) {
        if (depth < data->n_axes)
            return raise_error(m, ERROR_TYPE, "%s object is not a sequence",
                               value_class_name(m, v));
        return survey_leaf(data, v);
    }
    const struct value *items = list_items(v, &n);
    if (first) {
        if (depth == TENSOR_MAX_AXES)
            return raise_error(m, ERROR_VALUE, "tensors have up to %d axes in attn",
                               TENSOR_MAX_AXES);
        data->shape[data->n_axes++] = n;
    } else if (depth >= data->n_axes) {
        return raise_error(m, ERROR_TYPE, "must be real number, not %s", value_class_name(m, v));
    } else if (data->shape[depth] != n) {
        return raise_error(m, ERROR_VALUE, "expected sequence of length %zu at dim %u (got %zu)",
                           data->shape[depth], depth, n);
    }
    for (size_t i = 0; i < n; i++)
        if (!survey(data, items[i], depth + 1, first && i == 0))
            return false;
    return true;
}

static float converted(double number, enum dtype dtype)
{
    enum dtype_category category = dtypes[dtype].category;
    return category == CATEGORY_BOOL    ? (float)(number != 0)
           : category == CATEGORY_WHOLE ? (float)trunc(number)
                                        : (float)number;
}

static bool read_numbers(struct data *data, struct value v)
{
    size_t n;
    double number;
    if (value_is(v, THING_INSTANCE))
        v = value_payload(v);
    if (!is_list(v)) {
        if (!value_number(data->m, v, &number))
            return false;
        if (dtypes[data->dtype].category == CATEGORY_WHOLE &&
            !(number > dtypes[data->dtype].least - 1 && number < dtypes[data->dtype].most + 1))
            return raise_error(data->m, ERROR_OVERFLOW,
                               "attn keeps whole numbers of tensors up to 16777215; give it "
                               "dtype=torch.float32");
        *data->next++ = converted(number, data->dtype);
        return true;
    }
    const struct value *items = list_items(v, &n);
    for (size_t i = 0; i < n; i++)
        if (!read_numbers(data, items[i]))
            return false;
    return true;
}

/* A tensor with the numbers of another one, as another dtype. */
static bool copy_of(struct machine *m, struct tensor_thing *t, int dtype, struct value *ret)
{
    struct work work;
    work_begin(&work, m);
    struct node *x = work_tensor(&work, t);
    enum dtype to = dtype < 0 ? t->dtype : (enum dtype)dtype;
    x = work_cast(&work, x, t->dtype, to);
    return work_end(&work, x, to, NULL, ret);
}

bool tensor_from_data(struct machine *m, struct value data, int dtype, struct value *ret)
{
    struct data reading = {.m = m, .kind = -1};
    struct tensor numbers;
    struct error error = {0};
    if (is_tensor(data))
        return copy_of(m, as_tensor(data), dtype, ret);
    if (value_is(data, THING_RANGE)) {
        struct array *list;
        if (!value_to_array(m, data, &list))
            return false;
        bool made = tensor_from_data(m, value_thing(list), dtype, ret);
        value_drop(value_thing(list));
        return made;
    }
    if (is_list(data)) { /* of arrays, or of numpy's scalars */
        size_t n_items;
        const struct value *items = list_items(data, &n_items);
        if (n_items > 0 && is_ndarray(items[0])) {
            struct ndarray *joined = nd_of(m, data, -1);
            bool made = joined != NULL && tensor_from_data(m, value_thing(joined), dtype, ret);
            value_drop(value_thing(joined));
            return made;
        }
    }
    if (is_ndarray(data)) {
        const struct ndarray *a = as_ndarray(data);
        size_t index[ND_MAX_AXES] = {0}, n = 0;
        ptrdiff_t at = 0;
        enum dtype to = dtype < 0 ? a->dtype : (enum dtype)dtype;
        if (!tensor_zeros(a->n_axes, a->shape, &numbers, &error))
            return raise_graph_error(m, &error);
        if (nd_size(a) > 0)
            do {
                union nd_cell c = nd_cast(a->first[at], a->dtype, to);
                numbers.data[n++] = nd_is_float(to) ? (float)c.number : (float)c.whole;
                if (!nd_is_float(to) && (c.whole > 16777216 || c.whole < -16777216)) {
                    tensor_release(&numbers);
                    return raise_error(m, ERROR_OVERFLOW,
                                       "attn keeps whole numbers of tensors up to 16777215");
                }
            } while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
        tensor_note(m, to);
        return tensor_make_leaf(m, &numbers, to, ret);
    }
    /* A list of tensors with axes is stacked. */
    if (!survey(&reading, data, 0, true))
        return false;
    reading.dtype = dtype >= 0          ? (enum dtype)dtype
                    : reading.kind >= 0 ? (enum dtype)reading.kind
                                        : m->torch->default_dtype;
    if (!tensor_zeros(reading.n_axes, reading.shape, &numbers, &error))
        return raise_graph_error(m, &error);
    reading.next = numbers.data;
    if (read_numbers(&reading, data) && tensor_check_whole(m, &numbers, reading.dtype))
        return tensor_make_leaf(m, &numbers, reading.dtype, ret);
    tensor_release(&numbers);
    return false;
}

/* requires_grad=True as the last step of a function that makes a tensor. */
static bool with_grad(struct native_call *c, size_t i, struct value *ret)
{
    bool wanted;
    if (native_flag(c, i, false, &wanted) &&
        (!wanted || tensor_set_requires_grad(c->m, as_tensor(*ret), true)))
        return true;
    value_drop(*ret);
    *ret = value_absent();
    return false;
}

TORCH(run_tensor)
{
    int dtype;
    bool wanted;
    if (!native_dtype(c, 1, -1, &dtype) || !native_flag(c, 3, false, &wanted) ||
        !tensor_from_data(c->m, c->args[0], dtype, ret))
        return false;
    if (!wanted || dtypes[as_tensor(*ret)->dtype].category >= CATEGORY_FLOAT)
        return with_grad(c, 3, ret);
    value_drop(*ret);
    *ret = value_absent();
    return raise_error(c->m, ERROR_RUNTIME,
                       "Only Tensors of floating point and complex dtype can require gradients");
}

/* as_tensor and from_numpy: the tensor itself where it is one, and the numbers of an array where it
 * has the dtype. kind 1: from_numpy, which takes arrays alone. */
TORCH(run_as_tensor)
{
    int dtype;
    if (!native_dtype(c, 1, -1, &dtype))
        return false;
    if (is_tensor(c->args[0]) && (dtype < 0 || (enum dtype)dtype == as_tensor(c->args[0])->dtype)) {
        *ret = value_take(c->args[0]);
        return true;
    }
    const struct ndarray *a = is_ndarray(c->args[0]) ? as_ndarray(c->args[0]) : NULL;
    if (row_of(c)->kind == 1 && (a == NULL || a->is_scalar))
        return raise_error(c->m, ERROR_TYPE, "expected np.ndarray (got %s)",
                           value_class_name(c->m, c->args[0]));
    if (!tensor_from_data(c->m, c->args[0], dtype, ret))
        return false;
    if (a == NULL || a->is_scalar || (dtype >= 0 && (enum dtype)dtype != a->dtype) ||
        tensor_share_array(c->m, as_tensor(*ret), as_ndarray(c->args[0])))
        return true;
    value_drop(*ret);
    *ret = value_absent();
    return false;
}

/* ---- of one number ---- */

/* The parameters of all of them after the sizes. */
#define OPTIONS "*", "dtype=None", "device=None", "requires_grad=False"

static bool filled(struct native_call *c, unsigned n_axes, const size_t *shape, double number,
                   enum dtype dtype, struct value *ret)
{
    struct tensor numbers;
    struct error error = {0};
    if (!tensor_full(n_axes, shape, converted(number, dtype), &numbers, &error))
        return raise_graph_error(c->m, &error);
    if (tensor_check_whole(c->m, &numbers, dtype))
        return tensor_make_leaf(c->m, &numbers, dtype, ret);
    tensor_release(&numbers);
    return false;
}

/* zeros, ones, empty: kind is the number. args: size=, dtype, device, requires_grad; rest: sizes */
TORCH(run_filled)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int dtype;
    const struct value *sizes = given(c, 3) ? &c->args[3] : c->rest;
    size_t n = given(c, 3) ? 1 : c->n_rest;
    return read_shape(c->m, c->native->name, sizes, n, shape, &n_axes) &&
           native_dtype(c, 0, (int)c->m->torch->default_dtype, &dtype) &&
           filled(c, n_axes, shape, row_of(c)->kind, (enum dtype)dtype, ret) &&
           with_grad(c, 2, ret);
}

/* full(size, fill_value) */
TORCH(run_full)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int dtype, usual;
    double number;
    struct value v = c->args[1];
    if (is_tensor(v) && !tensor_item(c->m, as_tensor(v), &v))
        return false;
    usual = v.kind == VALUE_BOOL  ? DTYPE_BOOL
            : v.kind == VALUE_INT ? DTYPE_INT64
                                  : (int)c->m->torch->default_dtype;
    return read_shape(c->m, "full", c->args, 1, shape, &n_axes) &&
           native_number(c, 1, 0, &number) && native_dtype(c, 2, usual, &dtype) &&
           filled(c, n_axes, shape, number, (enum dtype)dtype, ret) && with_grad(c, 4, ret);
}

static bool random_fill(struct native_call *c, int how, size_t generator, double a, double b,
                        struct tensor *ret);
enum { DRAW_UNIFORM, DRAW_NORMAL, DRAW_BELOW, DRAW_BERNOULLI, DRAW_EXPONENTIAL };
enum { FILL_RAND = 100, FILL_RANDN }; /* kinds of run_like beside 0 and 1 */

static bool drawn(struct native_call *c, int how, size_t generator, unsigned n_axes,
                  const size_t *shape, double a, double b, enum dtype dtype, struct value *ret)
{
    struct tensor numbers;
    struct error error = {0};
    if (!tensor_zeros(n_axes, shape, &numbers, &error))
        return raise_graph_error(c->m, &error);
    if (random_fill(c, how, generator, a, b, &numbers))
        return tensor_make_leaf(c->m, &numbers, dtype, ret);
    tensor_release(&numbers);
    return false;
}

/* zeros_like(x), ones_like, empty_like, rand_like, randn_like */
TORCH(run_like)
{
    int dtype, kind = row_of(c)->kind;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_form(c->m, t) : NULL;
    if (x == NULL || !native_dtype(c, 1, (int)t->dtype, &dtype))
        return false;
    const struct tensor shape = x->value;
    return (kind < FILL_RAND ? filled(c, shape.n_axes, shape.shape, kind, (enum dtype)dtype, ret)
                             : drawn(c, kind == FILL_RAND ? DRAW_UNIFORM : DRAW_NORMAL, 99,
                                     shape.n_axes, shape.shape, 0, 1, (enum dtype)dtype, ret)) &&
           with_grad(c, 3, ret);
}

/* full_like(x, number) */
TORCH(run_full_like)
{
    int dtype;
    double number;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_form(c->m, t) : NULL;
    if (x == NULL || !native_number(c, 1, 0, &number) || !native_dtype(c, 2, (int)t->dtype, &dtype))
        return false;
    const struct tensor shape = x->value;
    return filled(c, shape.n_axes, shape.shape, number, (enum dtype)dtype, ret) &&
           with_grad(c, 4, ret);
}

/* x.new_zeros(sizes), x.new_ones */
TORCH(run_new)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int dtype;
    struct tensor_thing *t = native_tensor(c, 0);
    return t != NULL && read_shape(c->m, c->native->name, c->rest, c->n_rest, shape, &n_axes) &&
           native_dtype(c, 1, (int)t->dtype, &dtype) &&
           filled(c, n_axes, shape, row_of(c)->kind, (enum dtype)dtype, ret) &&
           with_grad(c, 3, ret);
}

/* x.new_tensor(data) */
TORCH(run_new_tensor)
{
    int dtype;
    struct tensor_thing *t = native_tensor(c, 0);
    return t != NULL && native_dtype(c, 2, (int)t->dtype, &dtype) &&
           tensor_from_data(c->m, c->args[1], dtype, ret);
}

TORCH(run_eye)
{
    int64_t n, columns;
    int dtype;
    struct tensor numbers;
    struct error error = {0};
    if (!native_whole(c, 0, 0, &n) || !native_whole(c, 1, n, &columns) ||
        !native_dtype(c, 2, (int)c->m->torch->default_dtype, &dtype))
        return false;
    if (n < 0 || columns < 0)
        return raise_error(c->m, ERROR_RUNTIME, "n must be greater or equal to 0, got %lld",
                           (long long)(n < 0 ? n : columns));
    size_t shape[2] = {(size_t)n, (size_t)columns};
    if (!tensor_zeros(2, shape, &numbers, &error))
        return raise_graph_error(c->m, &error);
    for (size_t i = 0; i < shape[0] && i < shape[1]; i++)
        numbers.data[i * shape[1] + i] = 1;
    return tensor_make_leaf(c->m, &numbers, (enum dtype)dtype, ret) && with_grad(c, 4, ret);
}

/* ---- in steps ---- */

/* Before a bare "*", arange(n), arange(start, end) and arange(start, end, step) come in *rest. */
TORCH(run_arange)
{
    double start = 0, end, step = 1;
    const struct value *v = c->rest;
    struct value named[3];
    size_t n = c->n_rest, n_named = 0;
    int dtype;
    struct tensor numbers;
    struct error error = {0};
    if (given(c, 0) || given(c, 1) || given(c, 2)) { /* start=, end=, step= */
        struct value zero = value_int(0), one = value_int(1);
        if (n > 0)
            named[n_named++] = n == 1 && given(c, 1) ? v[0] : given(c, 1) ? v[0] : zero;
        else
            named[n_named++] = given(c, 0) ? c->args[0] : zero;
        named[n_named++] = given(c, 1) ? c->args[1] : n > 0 ? v[n - 1] : zero;
        if (n >= 2 && !given(c, 1))
            named[0] = v[0];
        named[n_named++] = given(c, 2) ? c->args[2] : one;
        v = named;
        n = n_named;
    }
    if (n < 1 || n > 3)
        return raise_error(c->m, ERROR_TYPE, "arange() takes 1 to 3 numbers");
    bool whole = true;
    for (size_t i = 0; i < n; i++) {
        struct value item = v[i];
        if (is_tensor(item) && !tensor_item(c->m, as_tensor(item), &item))
            return false;
        whole = whole && (item.kind == VALUE_INT || item.kind == VALUE_BOOL);
    }
    if (!value_number(c->m, v[n > 1], &end) || (n > 1 && !value_number(c->m, v[0], &start)) ||
        (n > 2 && !value_number(c->m, v[2], &step)) ||
        !native_dtype(c, 3, whole ? DTYPE_INT64 : (int)c->m->torch->default_dtype, &dtype))
        return false;
    if (step == 0 || isnan(step))
        return raise_error(c->m, ERROR_RUNTIME, "step must be nonzero");
    double span = (end - start) / step;
    if (!isfinite(span))
        return raise_error(c->m, ERROR_RUNTIME, "unsupported range: %g -> %g", start, end);
    if (span < 0)
        return raise_error(c->m, ERROR_RUNTIME,
                           "upper bound and larger bound inconsistent with step sign");
    if (span > (double)TENSOR_MAX_SIZE)
        return raise_error(c->m, ERROR_RUNTIME, "arange(): too many numbers");
    size_t count = (size_t)ceil(span);
    if (!tensor_empty(1, &count, &numbers, &error))
        return raise_graph_error(c->m, &error);
    for (size_t i = 0; i < count; i++)
        numbers.data[i] = converted(start + (double)i * step, (enum dtype)dtype);
    if (tensor_check_whole(c->m, &numbers, (enum dtype)dtype))
        return tensor_make_leaf(c->m, &numbers, (enum dtype)dtype, ret) && with_grad(c, 5, ret);
    tensor_release(&numbers);
    return false;
}

TORCH(run_linspace)
{
    double start, end;
    int64_t steps;
    int dtype;
    struct tensor numbers;
    struct error error = {0};
    if (!native_number(c, 0, 0, &start) || !native_number(c, 1, 0, &end) ||
        !native_whole(c, 2, 100, &steps) ||
        !native_dtype(c, 3, (int)c->m->torch->default_dtype, &dtype))
        return false;
    if (steps < 0)
        return raise_error(c->m, ERROR_RUNTIME, "number of steps must be non-negative");
    size_t n = (size_t)steps;
    if (!tensor_empty(1, &n, &numbers, &error))
        return raise_graph_error(c->m, &error);
    float first = (float)start, last = (float)end;
    float step = n > 1 ? (last - first) / (float)(n - 1) : 0;
    for (size_t i = 0; i < n; i++)
        numbers.data[i] =
            i < n / 2 || n == 1 ? first + step * (float)i : last - step * (float)(n - i - 1);
    return tensor_make_leaf(c->m, &numbers, (enum dtype)dtype, ret) && with_grad(c, 5, ret);
}

/* tril_indices(row, col, offset=0), triu_indices: kind 1 */
TORCH(run_triangle_indices)
{
    int64_t n_rows, n_columns, offset;
    struct tensor numbers;
    struct error error = {0};
    bool upper = row_of(c)->kind != 0;
    if (!native_whole(c, 0, 0, &n_rows) || !native_whole(c, 1, 0, &n_columns) ||
        !native_whole(c, 2, 0, &offset))
        return false;
    if (n_rows < 0 || n_columns < 0 || n_rows > 20000 || n_columns > 20000)
        return raise_error(c->m, ERROR_RUNTIME, "%s(): 0 to 20000 rows and columns",
                           c->native->name);
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t next = 0;
        for (int64_t i = 0; i < n_rows; i++)
            for (int64_t j = 0; j < n_columns; j++) {
                if (upper ? j - i < offset : j - i > offset)
                    continue;
                if (pass > 0) {
                    numbers.data[next] = (float)i;
                    numbers.data[n + next] = (float)j;
                }
                next++;
            }
        n = next;
        if (pass == 0 && !tensor_empty(2, (size_t[]){2, n}, &numbers, &error))
            return raise_graph_error(c->m, &error);
    }
    return tensor_make_leaf(c->m, &numbers, DTYPE_INT64, ret);
}

/* ---- drawn at random ---- */

static struct random *stream_of(struct native_call *c, size_t i)
{
    if (i < NATIVE_MAX_PARAMS && value_is(c->args[i], THING_STREAM))
        return &THING_AS(stream_thing, c->args[i])->random;
    return torch_stream(c->m);
}

static bool random_fill(struct native_call *c, int how, size_t generator, double a, double b,
                        struct tensor *ret)
{
    struct random *random = stream_of(c, generator);
    size_t n = tensor_size(ret);
    switch (how) {
    case DRAW_UNIFORM:
        random_uniform(random, n, ret->data);
        for (size_t i = 0; (a != 0 || b != 1) && i < n; i++)
            ret->data[i] = ret->data[i] * ((float)b - (float)a) + (float)a;
        break;
    case DRAW_NORMAL:
        random_normal(random, n, ret->data);
        for (size_t i = 0; (a != 0 || b != 1) && i < n; i++)
            ret->data[i] = ret->data[i] * (float)b + (float)a;
        break;
    case DRAW_BELOW:
        for (size_t i = 0; i < n; i++)
            ret->data[i] = (float)((double)random_below(random, (uint32_t)(b - a)) + a);
        break;
    case DRAW_BERNOULLI:
        for (size_t i = 0; i < n; i++)
            ret->data[i] = random_uniform53(random) < a;
        break;
    case DRAW_EXPONENTIAL:
        for (size_t i = 0; i < n; i++)
            ret->data[i] = (float)(-1 / a * log(1 - random_uniform53(random)));
        break;
    default:
        break;
    }
    return c->m != NULL;
}

TORCH(run_manual_seed)
{
    int64_t seed;
    if (!native_whole(c, 0, 0, &seed))
        return false;
    random_seed(&c->m->torch->random, (uint32_t)seed);
    c->m->torch->is_seeded = true;
    struct stream_thing *stream = thing_new(&c->m->things, THING_STREAM, 0);
    if (stream == NULL)
        return raise_memory(c->m);
    stream->random = c->m->torch->random;
    stream->seed = seed;
    *ret = value_thing(stream);
    return true;
}

/* rand(sizes), randn(sizes). args: generator, dtype, device, requires_grad, size */
TORCH(run_rand)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int dtype;
    const struct value *sizes = given(c, 4) ? &c->args[4] : c->rest;
    size_t n = given(c, 4) ? 1 : c->n_rest;
    return read_shape(c->m, c->native->name, sizes, n, shape, &n_axes) &&
           native_dtype(c, 1, (int)c->m->torch->default_dtype, &dtype) &&
           drawn(c, row_of(c)->kind, 0, n_axes, shape, 0, 1, (enum dtype)dtype, ret) &&
           with_grad(c, 3, ret);
}

/* randint(high, size), randint(low, high, size). args: generator, dtype, device, then low, high and
 * size by name */
TORCH(run_randint)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    int dtype;
    int64_t low = 0, high = 0;
    size_t n = c->n_rest;
    const struct value *v = c->rest;
    struct value size = given(c, 5) ? c->args[5] : n > 0 ? v[n - 1] : value_absent();
    size_t n_bounds = given(c, 5) ? n : n > 0 ? n - 1 : 0;
    if (size.kind == VALUE_ABSENT || n_bounds > 2 || (n_bounds == 0 && !given(c, 4)))
        return raise_error(c->m, ERROR_TYPE,
                           "randint() takes randint(high, size) or randint(low, high, size)");
    if ((n_bounds == 2 && !value_whole(c->m, v[0], &low)) ||
        (n_bounds > 0 && !value_whole(c->m, v[n_bounds - 1], &high)) ||
        !native_whole(c, 3, low, &low))
        return false;
    if (given(c, 4)) {
        if (n_bounds == 1)
            low = high;
        if (!native_whole(c, 4, 0, &high))
            return false;
    }
    if (low >= high)
        return raise_error(c->m, ERROR_RUNTIME,
                           "random_ expects 'from' to be less than 'to', but "
                           "got from=%lld >= to=%lld",
                           (long long)low, (long long)high);
    if (low < -(1 << 24) || high > 1 << 24)
        return raise_error(c->m, ERROR_OVERFLOW,
                           "attn keeps whole numbers of tensors up to 16777215");
    return read_shape(c->m, "randint", &size, 1, shape, &n_axes) &&
           native_dtype(c, 1, DTYPE_INT64, &dtype) &&
           drawn(c, DRAW_BELOW, 0, n_axes, shape, (double)low, (double)high, (enum dtype)dtype,
                 ret);
}

/* randperm(n): each place swaps with one from there on. */
TORCH(run_randperm)
{
    int64_t n;
    struct tensor numbers;
    struct error error = {0};
    if (!native_whole(c, 0, 0, &n))
        return false;
    if (n < 0 || n >= 1 << 24)
        return raise_error(c->m, ERROR_RUNTIME, "n must be non-negative, got %lld", (long long)n);
    size_t count = (size_t)n;
    struct random *random = stream_of(c, 1);
    if (!tensor_empty(1, &count, &numbers, &error))
        return raise_graph_error(c->m, &error);
    for (size_t i = 0; i < count; i++)
        numbers.data[i] = (float)i;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t other = i + random_below(random, (uint32_t)(count - i));
        float kept = numbers.data[i];
        numbers.data[i] = numbers.data[other];
        numbers.data[other] = kept;
    }
    return tensor_make_leaf(c->m, &numbers, DTYPE_INT64, ret);
}

/* _draw_seed(generator=None): what torch.empty((), dtype=torch.int64).random_() draws, two words,
 * the high one first, without a sign. */
TORCH(run_draw_seed)
{
    struct random *random = stream_of(c, 0);
    uint64_t high = random_word(random), bits = high << 32 | random_word(random);
    *ret = value_int((int64_t)(bits & INT64_MAX));
    return true;
}

/* normal(mean, std, size), or of tensors: mean + std * randn */
TORCH(run_normal)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    double mean, deviation;
    if (is_tensor(c->args[0]) || is_tensor(c->args[1])) {
        struct value drawn_, scaled;
        struct tensor_thing *t = as_tensor(is_tensor(c->args[0]) ? c->args[0] : c->args[1]);
        struct node *x = tensor_node(c->m, t);
        if (x == NULL)
            return false;
        const struct tensor like = x->value;
        if (!drawn(c, DRAW_NORMAL, 3, like.n_axes, like.shape, 0, 1, DTYPE_FLOAT32, &drawn_))
            return false;
        bool ok = torch_binary(c->m, OP_MUL, drawn_, given(c, 1) ? c->args[1] : value_float(1), 1,
                               NULL, &scaled);
        value_drop(drawn_);
        if (!ok)
            return false;
        ok = torch_binary(c->m, OP_ADD, scaled, c->args[0], 1, NULL, ret);
        value_drop(scaled);
        return ok;
    }
    return native_number(c, 0, 0, &mean) && native_number(c, 1, 1, &deviation) &&
           read_shape(c->m, "normal", &c->args[2], 1, shape, &n_axes) &&
           drawn(c, DRAW_NORMAL, 3, n_axes, shape, mean, deviation, DTYPE_FLOAT32, ret);
}

/* x.normal_(mean=0, std=1), uniform_(from=0, to=1), exponential_(lambd=1), bernoulli_(p=0.5) */
TORCH(run_draw_in_place)
{
    double a, b;
    int how = row_of(c)->kind;
    struct value made;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    double first = how == DRAW_EXPONENTIAL ? 1 : how == DRAW_BERNOULLI ? 0.5 : 0;
    if (x == NULL || !native_number(c, 1, first, &a) || !native_number(c, 2, 1, &b))
        return false;
    const struct tensor shape = x->value;
    if (!drawn(c, how, 3, shape.n_axes, shape.shape, a, b, t->dtype, &made))
        return false;
    bool ok = torch_take_on(c->m, c->args[0], made);
    value_drop(made);
    if (ok)
        *ret = value_take(c->args[0]);
    return ok;
}

/* x.random_(low, high) */
TORCH(run_random_in_place)
{
    int64_t low, high;
    struct value made;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    if (x == NULL || !native_whole(c, 1, 0, &low) || !native_whole(c, 2, -1, &high))
        return false;
    if (!given(c, 2)) {
        high = low;
        low = 0;
    }
    if (low >= high || high > 1 << 24)
        return raise_error(c->m, ERROR_RUNTIME, "random_(): give bounds up to 16777216 in attn");
    const struct tensor shape = x->value;
    if (!drawn(c, DRAW_BELOW, 3, shape.n_axes, shape.shape, (double)low, (double)high, t->dtype,
               &made))
        return false;
    bool ok = torch_take_on(c->m, c->args[0], made);
    value_drop(made);
    if (ok)
        *ret = value_take(c->args[0]);
    return ok;
}

/* bernoulli(p): a draw for each number of p */
TORCH(run_bernoulli)
{
    struct tensor numbers;
    struct error error = {0};
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    struct random *random = stream_of(c, 1);
    if (x == NULL)
        return false;
    if (!tensor_copy(&x->value, &numbers, &error))
        return raise_graph_error(c->m, &error);
    size_t n = tensor_size(&numbers);
    for (size_t i = 0; i < n; i++) {
        float p = numbers.data[i], drawn_;
        if (!(p >= 0 && p <= 1)) {
            tensor_release(&numbers);
            return raise_error(c->m, ERROR_RUNTIME,
                               "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
        }
        random_uniform(random, 1, &drawn_);
        numbers.data[i] = drawn_ < p;
    }
    return tensor_make_leaf(c->m, &numbers, t->dtype, ret);
}

/* ---- multinomial ---- */

/* Weights over exponential draws: the largest are the sample without replacement. */
static void sample_without(struct random *random, const float *weights, size_t n, size_t n_samples,
                           float *keys, float *ret)
{
    for (size_t i = 0; i < n; i++) {
        float wait = (float)(-log(1 - random_uniform53(random)));
        keys[i] = weights[i] / wait;
    }
    for (size_t k = 0; k < n_samples; k++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (keys[i] > keys[best])
                best = i;
        ret[k] = (float)best;
        keys[best] = -INFINITY;
    }
}

static void sample_with(struct random *random, const float *weights, size_t n, size_t n_samples,
                        float *sums, float *ret)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i];
        sums[i] = sum;
    }
    for (size_t i = 0; i < n; i++)
        sums[i] /= sum;
    sums[n - 1] = 1;
    for (size_t k = 0; k < n_samples; k++) {
        double wanted = random_uniform53(random);
        size_t low = 0, high = n;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if ((double)sums[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        ret[k] = (float)(low < n ? low : n - 1);
    }
}

static bool check_weights(struct machine *m, const float *weights, size_t n, size_t n_samples,
                          bool replacement)
{
    double sum = 0;
    size_t n_positive = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] >= 0 && isfinite(weights[i])))
            return raise_error(m, ERROR_RUNTIME,
                               "probability tensor contains either `inf`, `nan` or element < 0");
        sum += (double)weights[i];
        n_positive += weights[i] > 0;
    }
    if (!(sum > 0))
        return raise_error(m, ERROR_RUNTIME,
                           "invalid multinomial distribution (sum of probabilities <= 0)");
    return replacement || n_samples <= n_positive ||
           raise_error(m, ERROR_RUNTIME,
                       "invalid multinomial distribution (with replacement=False, not enough "
                       "non-negative category to sample)");
}

TORCH(run_multinomial)
{
    int64_t count;
    bool replacement;
    struct error error = {0};
    struct tensor weights, samples;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    if (x == NULL || !native_whole(c, 1, 1, &count) || !native_flag(c, 2, false, &replacement))
        return false;
    unsigned n_axes = x->value.n_axes;
    if (n_axes != 1 && n_axes != 2)
        return raise_error(c->m, ERROR_RUNTIME, "prob_dist must be 1 or 2 dim");
    if (count <= 0)
        return raise_error(c->m, ERROR_RUNTIME, "cannot sample n_sample <= 0 samples");
    size_t n = x->value.shape[n_axes - 1], n_samples = (size_t)count;
    size_t n_rows = n_axes == 2 ? x->value.shape[0] : 1;
    if (!replacement && n_samples > n)
        return raise_error(c->m, ERROR_RUNTIME,
                           "cannot sample n_sample > prob_dist.size(-1) "
                           "samples without replacement");
    size_t shape[2] = {n_axes == 2 ? n_rows : n_samples, n_samples};
    if (dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(c->m, ERROR_RUNTIME,
                           "multinomial only supports floating-point dtypes for input, got: %s",
                           dtypes[t->dtype].scalar);
    if (!tensor_dense(&x->value, &weights, &error))
        return raise_graph_error(c->m, &error);
    if (!tensor_zeros(n_axes, shape, &samples, &error)) {
        tensor_release(&weights);
        return raise_graph_error(c->m, &error);
    }
    float *kept = malloc((n + 1) * n_rows * sizeof *kept);
    bool ok = kept != NULL || raise_memory(c->m);
    struct random *random = stream_of(c, 3);
    for (size_t row = 0; ok && row < n_rows; row++) {
        const float *from = weights.data + row * n;
        ok = check_weights(c->m, from, n, n_samples, replacement);
        if (ok && replacement)
            sample_with(random, from, n, n_samples, kept, samples.data + row * n_samples);
        else if (ok)
            sample_without(random, from, n, n_samples, kept, samples.data + row * n_samples);
    }
    free(kept);
    tensor_release(&weights);
    if (ok)
        return tensor_make_leaf(c->m, &samples, DTYPE_INT64, ret);
    tensor_release(&samples);
    return false;
}

/* dropout(x, p=0.5, training=True): F.dropout, and torch.dropout(x, p, train) */
TORCH(run_dropout)
{
    double p;
    bool training;
    struct work work;
    struct tensor mask;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !native_number(c, 1, 0.5, &p) || !native_flag(c, 2, true, &training))
        return false;
    if (!(p >= 0 && p <= 1))
        return raise_error(c->m, ERROR_VALUE,
                           "dropout probability has to be between 0 and 1, but got %g", p);
    if (!training || p == 0) {
        *ret = value_take(c->args[0]);
        return true;
    }
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x == NULL || !tensor_empty(x->value.n_axes, x->value.shape, &mask, &work.error))
        return work_stop(&work, false);
    random_dropout(torch_stream(c->m), p, tensor_size(&mask), mask.data);
    struct node *kept = build_input(&work.b, &mask, "dropout");
    return work_end(&work, build2(&work.b, OP_MUL, x, kept), t->dtype, "MulBackward0", ret);
}

/* ---- torch.Generator ---- */

bool stream_new(struct machine *m, struct value *ret)
{
    struct stream_thing *stream = thing_new(&m->things, THING_STREAM, 0);
    if (stream == NULL)
        return raise_memory(m);
    stream->seed = 67280421310721;
    random_seed(&stream->random, (uint32_t)stream->seed);
    *ret = value_thing(stream);
    return true;
}

TORCH(stream_seed)
{
    int64_t seed;
    if (!native_whole(c, 1, 0, &seed))
        return false;
    struct stream_thing *stream = THING_AS(stream_thing, c->args[0]);
    random_seed(&stream->random, (uint32_t)seed);
    stream->seed = seed;
    *ret = value_take(c->args[0]);
    return true;
}

TORCH(stream_initial)
{
    *ret = value_int(THING_AS(stream_thing, c->args[0])->seed);
    return true;
}

static const struct torch_row stream_rows[] = {
    {{"manual_seed", {"self", "seed"}, stream_seed}, 0, 0, NULL},
    {{"initial_seed", {"self"}, stream_initial}, 0, 0, NULL},
};
const struct torch_table torch_streams = {stream_rows, COUNT_OF(stream_rows)};

/* ---- the table ---- */

#define FILLED(name, number)                                                                       \
    {                                                                                              \
        {#name,                                                                                    \
         {"*size", "dtype=None", "device=None", "requires_grad=False", "size=None", "layout=None", \
          "pin_memory=None"},                                                                      \
         run_filled},                                                                              \
            IN_TORCH, number, NULL                                                                 \
    }
#define LIKE(name, how)                                                                        \
    {                                                                                          \
        {#name, {"input", "*", "dtype=None", "device=None", "requires_grad=False"}, run_like}, \
            IN_TORCH, how, NULL                                                                \
    }
#define NEW(name, number)                                                                        \
    {                                                                                            \
        {#name, {"self", "*size", "dtype=None", "device=None", "requires_grad=False"}, run_new}, \
            IN_METHODS, number, NULL                                                             \
    }

static const struct torch_row rows[] = {
    {{"tensor", {"data", "*", "dtype=None", "device=None", "requires_grad=False"}, run_tensor},
     IN_TORCH,
     0,
     NULL},
    {{"as_tensor", {"data", "dtype=None", "device=None"}, run_as_tensor}, IN_TORCH, 0, NULL},
    {{"from_numpy", {"ndarray"}, run_as_tensor}, IN_TORCH, 1, NULL},
    FILLED(zeros, 0),
    FILLED(ones, 1),
    FILLED(empty, 0),
    {{"full", {"size", "fill_value", OPTIONS}, run_full}, IN_TORCH, 0, NULL},
    LIKE(zeros_like, 0),
    LIKE(ones_like, 1),
    LIKE(empty_like, 0),
    LIKE(rand_like, FILL_RAND),
    LIKE(randn_like, FILL_RANDN),
    {{"full_like", {"input", "fill_value", OPTIONS}, run_full_like}, IN_TORCH, 0, NULL},
    NEW(new_zeros, 0),
    NEW(new_ones, 1),
    NEW(new_empty, 0),
    {{"new_tensor", {"self", "data", "dtype=None"}, run_new_tensor}, IN_METHODS, 0, NULL},
    {{"eye", {"n", "m=None", OPTIONS}, run_eye}, IN_TORCH, 0, NULL},
    {{"arange",
      {"*bounds", "start=None", "end=None", "step=None", "dtype=None", "device=None",
       "requires_grad=False"},
      run_arange},
     IN_TORCH,
     0,
     NULL},
    {{"linspace", {"start", "end", "steps", OPTIONS}, run_linspace}, IN_TORCH, 0, NULL},
    {{"tril_indices",
      {"row", "col", "offset=0", "*", "device=None", "dtype=None"},
      run_triangle_indices},
     IN_TORCH,
     0,
     NULL},
    {{"triu_indices",
      {"row", "col", "offset=0", "*", "device=None", "dtype=None"},
      run_triangle_indices},
     IN_TORCH,
     1,
     NULL},
    {{"manual_seed", {"seed"}, run_manual_seed}, IN_TORCH, 0, NULL},
    {{"_draw_seed", {"generator=None"}, run_draw_seed}, IN_TORCH, 0, NULL},
    {{"rand",
      {"*size", "generator=None", "dtype=None", "device=None", "requires_grad=False", "size=None"},
      run_rand},
     IN_TORCH,
     DRAW_UNIFORM,
     NULL},
    {{"randn",
      {"*size", "generator=None", "dtype=None", "device=None", "requires_grad=False", "size=None"},
      run_rand},
     IN_TORCH,
     DRAW_NORMAL,
     NULL},
    {{"randint",
      {"*bounds", "generator=None", "dtype=None", "device=None", "low=None", "high=None",
       "size=None"},
      run_randint},
     IN_TORCH,
     0,
     NULL},
    {{"randperm", {"n", "generator=None", "dtype=None", "device=None"}, run_randperm},
     IN_TORCH,
     0,
     NULL},
    {{"normal", {"mean", "std=1.0", "size=None", "generator=None"}, run_normal}, IN_TORCH, 0, NULL},
    {{"normal_", {"self", "mean=0", "std=1", "generator=None"}, run_draw_in_place},
     IN_METHODS,
     DRAW_NORMAL,
     NULL},
    {{"uniform_", {"self", "a=0", "b=1", "generator=None"}, run_draw_in_place},
     IN_METHODS,
     DRAW_UNIFORM,
     NULL},
    {{"exponential_", {"self", "lambd=1", "unused=None", "generator=None"}, run_draw_in_place},
     IN_METHODS,
     DRAW_EXPONENTIAL,
     NULL},
    {{"bernoulli_", {"self", "p=0.5", "unused=None", "generator=None"}, run_draw_in_place},
     IN_METHODS,
     DRAW_BERNOULLI,
     NULL},
    {{"random_", {"self", "low=0", "high=None", "generator=None"}, run_random_in_place},
     IN_METHODS,
     0,
     NULL},
    {{"bernoulli", {"input", "generator=None"}, run_bernoulli}, IN_BOTH, 0, NULL},
    {{"multinomial",
      {"input", "num_samples", "replacement=False", "generator=None"},
      run_multinomial},
     IN_BOTH,
     0,
     NULL},
    {{"dropout", {"input", "p=0.5", "training=True", "inplace=False"}, run_dropout},
     IN_TORCH | IN_FUNCTIONAL,
     0,
     NULL},
};

const struct torch_table torch_making = {rows, COUNT_OF(rows)};
