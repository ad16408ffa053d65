/* The module torch: its tables joined, the class of tensors, and what all rows use. */
#include "lang/notebook/torch_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "graph/ops.h"

/* ---- arguments ---- */

/* "softmax(): argument 'dim' (position 2) must be int, not str" */
static bool wrong_argument(struct native_call *c, size_t i, const char *wanted)
{
    size_t slot = 0;
    for (size_t k = 0; c->native->params[k] != NULL; k++) {
        const char *param = c->native->params[k];
        if (param[0] == '*')
            continue;
        if (slot++ != i)
            continue;
        size_t size = strcspn(param, "=");
        return raise_error(
            c->m, ERROR_TYPE, "%s(): argument '%.*s' (position %zu) must be %s, not %s",
            c->native->name, (int)size, param, i + 1, wanted, value_class_name(c->m, c->args[i]));
    }
    return raise_error(c->m, ERROR_TYPE, "%s(): %s is needed", c->native->name, wanted);
}

struct tensor_thing *native_tensor(struct native_call *c, size_t i)
{
    if (is_tensor(c->args[i]))
        return as_tensor(c->args[i]);
    wrong_argument(c, i, "Tensor");
    return NULL;
}

bool native_whole(struct native_call *c, size_t i, int64_t otherwise, int64_t *ret)
{
    *ret = otherwise;
    if (!given(c, i) || value_whole(c->m, c->args[i], ret))
        return true;
    if (raised_is(c->m, ERROR_TYPE)) {
        raised_clear(c->m);
        wrong_argument(c, i, "int");
    }
    return false;
}

bool native_number(struct native_call *c, size_t i, double otherwise, double *ret)
{
    *ret = otherwise;
    if (!given(c, i) || value_number(c->m, c->args[i], ret))
        return true;
    if (raised_is(c->m, ERROR_TYPE)) {
        raised_clear(c->m);
        wrong_argument(c, i, "Number");
    }
    return false;
}

bool native_flag(struct native_call *c, size_t i, bool otherwise, bool *ret)
{
    *ret = otherwise;
    return !given(c, i) || value_truth(c->m, c->args[i], ret);
}

bool native_dtype(struct native_call *c, size_t i, int otherwise, int *ret)
{
    struct value v = c->args[i];
    *ret = otherwise;
    if (!given(c, i))
        return true;
    if (value_is(v, THING_DTYPE))
        *ret = (int)THING_AS(dtype_thing, v)->dtype;
    else if (value_is(v, THING_CLASS) && THING_AS(class, v) == c->m->classes[CLASS_FLOAT])
        *ret = DTYPE_FLOAT64;
    else if (value_is(v, THING_CLASS) && THING_AS(class, v) == c->m->classes[CLASS_INT])
        *ret = DTYPE_INT64;
    else if (value_is(v, THING_CLASS) && THING_AS(class, v) == c->m->classes[CLASS_BOOL])
        *ret = DTYPE_BOOL;
    else
        return wrong_argument(c, i, "torch.dtype");
    tensor_note(c->m, (enum dtype) * ret);
    return true;
}

bool read_dim(struct machine *m, struct value v, unsigned n_axes, unsigned *ret)
{
    int64_t dim, n = n_axes > 0 ? n_axes : 1;
    if (!value_whole(m, v, &dim))
        return false;
    if (dim < -n || dim >= n)
        return raise_error(m, ERROR_INDEX,
                           "Dimension out of range (expected to be in range of [%lld, %lld], but "
                           "got %lld)",
                           (long long)-n, (long long)n - 1, (long long)dim);
    *ret = (unsigned)(dim < 0 ? dim + n : dim);
    return true;
}

bool native_dim(struct native_call *c, size_t i, unsigned n_axes, int64_t otherwise, unsigned *ret)
{
    return read_dim(c->m, given(c, i) ? c->args[i] : value_int(otherwise), n_axes, ret);
}

bool native_dims(struct native_call *c, size_t i, unsigned n_axes, unsigned *ret)
{
    struct array *dims;
    unsigned axis;
    *ret = 0;
    if (!given(c, i))
        return true;
    if (!value_is(c->args[i], THING_LIST) && !value_is(c->args[i], THING_TUPLE)) {
        if (!read_dim(c->m, c->args[i], n_axes, &axis))
            return false;
        *ret = 1U << axis;
        return true;
    }
    if (!value_to_array(c->m, c->args[i], &dims))
        return false;
    bool ok = true;
    for (size_t k = 0; ok && k < dims->n; k++) {
        ok = read_dim(c->m, dims->items[k], n_axes, &axis);
        if (ok && (*ret >> axis & 1U))
            ok = raise_error(c->m, ERROR_RUNTIME,
                             "dim %u appears multiple times in the list of dims", axis);
        if (ok)
            *ret |= 1U << axis;
    }
    value_drop(value_thing(dims));
    return ok;
}

bool read_wholes(struct machine *m, const char *what, const struct value *values, size_t n,
                 int64_t ret[TENSOR_MAX_AXES], unsigned *ret_n)
{
    struct array *list = NULL;
    if (n == 1 && (value_is(values[0], THING_LIST) || value_is(values[0], THING_TUPLE))) {
        if (!value_to_array(m, values[0], &list))
            return false;
        values = list->items;
        n = list->n;
    }
    bool ok = n <= TENSOR_MAX_AXES ||
              raise_error(m, ERROR_RUNTIME, "%s(): tensors have up to %d axes in attn", what,
                          TENSOR_MAX_AXES);
    for (size_t i = 0; ok && i < n; i++) {
        ok = value_whole(m, values[i], &ret[i]);
        if (!ok && raised_is(m, ERROR_TYPE)) {
            raised_clear(m);
            raise_error(m, ERROR_TYPE,
                        "%s(): argument 'size' must be tuple of ints, but found element of type "
                        "%s at pos %zu",
                        what, value_class_name(m, values[i]), i + 1);
        }
    }
    *ret_n = (unsigned)n;
    value_drop(value_thing(list));
    return ok;
}

bool read_shape(struct machine *m, const char *what, const struct value *values, size_t n,
                size_t ret[TENSOR_MAX_AXES], unsigned *ret_n)
{
    int64_t wholes[TENSOR_MAX_AXES];
    if (!read_wholes(m, what, values, n, wholes, ret_n))
        return false;
    for (unsigned i = 0; i < *ret_n; i++) {
        if (wholes[i] < 0) {
            struct text said = {0};
            for (unsigned k = 0; k < *ret_n; k++)
                text_format(&said, "%s%lld", k ? ", " : "", (long long)wholes[k]);
            raise_error(m, ERROR_RUNTIME,
                        "Trying to create tensor with negative dimension %lld: [%s]",
                        (long long)wholes[i], text_string(&said));
            text_release(&said);
            return false;
        }
        ret[i] = (size_t)wholes[i];
    }
    return true;
}

bool native_tensors(struct native_call *c, size_t i, struct array **ret)
{
    if (!value_to_array(c->m, c->args[i], ret))
        return false;
    for (size_t k = 0; k < (*ret)->n; k++)
        if (!is_tensor((*ret)->items[k])) {
            raise_error(c->m, ERROR_TYPE,
                        "expected Tensor as element %zu in argument 0, but got %s", k,
                        value_class_name(c->m, (*ret)->items[k]));
            value_drop(value_thing(*ret));
            return false;
        }
    return true;
}

/* ---- results ---- */

bool make_results(struct machine *m, const struct tuple_form *form, struct value values,
                  struct value indices, struct value *ret)
{
    struct tuple *both = tuple_new(&m->things, 2);
    if (both == NULL) {
        value_drop(values);
        value_drop(indices);
        return raise_memory(m);
    }
    both->form = form;
    both->items[0] = values;
    both->items[1] = indices;
    *ret = value_thing(both);
    return true;
}

struct node *work_given(struct work *work, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, struct tensor *numbers)
{
    bool failed = work->b.failed;
    for (unsigned i = 0; i < n_parents; i++)
        failed = failed || parents[i] == NULL;
    if (failed) {
        tensor_release(numbers);
        return NULL;
    }
    return builder_keep(&work->b, node_given(work->b.graph, op_get(kind), n_parents, parents,
                                             &(struct op_args){0}, numbers, &work->error));
}

struct node *work_pick(struct work *work, struct node *x, unsigned n_axes, const size_t *shape,
                       const ptrdiff_t *positions, size_t n)
{
    if (x == NULL)
        return NULL;
    ptrdiff_t *ints = malloc((1 + n_axes + n) * sizeof *ints);
    if (ints == NULL) {
        work->b.failed = true;
        error_memory(&work->error, "picking numbers");
        return NULL;
    }
    ints[0] = n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++)
        ints[1 + axis] = (ptrdiff_t)shape[axis];
    if (n > 0)
        memcpy(ints + 1 + n_axes, positions, n * sizeof *ints);
    struct node *made = build_ints(&work->b, OP_PICK, x, 1 + n_axes + n, ints, 0);
    free(ints);
    return made;
}

bool work_broadcasts(struct work *work, const struct node *a, const struct node *b)
{
    if (a == NULL || b == NULL)
        return false;
    const struct tensor *x = &a->value, *y = &b->value;
    unsigned n = x->n_axes > y->n_axes ? x->n_axes : y->n_axes;
    for (unsigned i = 1; i <= n; i++) {
        size_t p = i <= x->n_axes ? x->shape[x->n_axes - i] : 1;
        size_t q = i <= y->n_axes ? y->shape[y->n_axes - i] : 1;
        if (p == q || p == 1 || q == 1)
            continue;
        work->b.failed = true;
        return raise_error(work->m, ERROR_RUNTIME,
                           "The size of tensor a (%zu) must match the size of tensor b (%zu) at "
                           "non-singleton dimension %u",
                           p, q, n - i);
    }
    return true;
}

struct node *work_float(struct work *work, struct node *x, enum dtype *dtype)
{
    enum dtype from = *dtype;
    if (dtypes[from].category < CATEGORY_FLOAT)
        *dtype = work->m->torch->default_dtype;
    return work_cast(work, x, from, *dtype);
}

bool torch_take_on(struct machine *m, struct value x, struct value result)
{
    struct tensor_thing *t = as_tensor(x), *from = as_tensor(result);
    struct node *now = tensor_node(m, t), *node = now ? tensor_node(m, from) : NULL;
    if (node == NULL)
        return false;
    if (dtypes[from->dtype].category > dtypes[t->dtype].category)
        return raise_error(m, ERROR_RUNTIME,
                           "result type %s can't be cast to the desired output type %s",
                           dtypes[from->dtype].scalar, dtypes[t->dtype].scalar);
    if (!tensor_same_shape(&now->value, &node->value)) {
        struct text own = {0}, other = {0};
        tensor_write_shape(&now->value, &own);
        tensor_write_shape(&node->value, &other);
        raise_error(m, ERROR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s",
                    text_string(&own), text_string(&other));
        text_release(&own);
        text_release(&other);
        return false;
    }
    struct work work;
    work_begin(&work, m);
    node->is_in_place = true;
    struct node *cast =
        work_cast(&work, builder_keep(&work.b, node_share(node)), from->dtype, t->dtype);
    bool ok = cast != NULL && tensor_check_whole(m, &cast->value, t->dtype) &&
              tensor_write(m, t, cast, tensor_tracks(from), tensor_grad_name(from));
    return work_stop(&work, ok);
}

struct random *torch_stream(struct machine *m)
{
    if (!m->torch->is_seeded) {
        random_seed(&m->torch->random, (uint32_t)time(NULL) ^ (uint32_t)clock());
        m->torch->is_seeded = true;
    }
    return &m->torch->random;
}

/* ---- in place ---- */

/* A row that the table makes from another one: add_ from add. */
struct made_row {
    struct torch_row row;
    const struct torch_row *base;
    char name[40];
};

TORCH(run_in_place)
{
    struct native_call call = *c;
    const struct torch_row *base = ((const struct made_row *)(const void *)row_of(c))->base;
    struct value result;
    if (native_tensor(c, 0) == NULL)
        return false;
    call.native = &base->native;
    if (!base->native.run(&call, &result))
        return false;
    bool ok = torch_take_on(c->m, c->args[0], result);
    value_drop(result);
    if (ok)
        *ret = value_take(c->args[0]);
    return ok;
}

/* ---- the modules ---- */

static const struct torch_table *const tables[] = {
    &torch_making,   &torch_math,   &torch_reductions, &torch_shapes,
    &torch_products, &torch_layers, &torch_gradients,
};

static bool add_row(struct machine *m, struct table *torch, struct table *functional,
                    const struct torch_row *row)
{
    struct class *class = m->classes[CLASS_TENSOR];
    return (!(row->where & (IN_TORCH | IN_HIDDEN)) || add_native(m, torch, &row->native)) &&
           (!(row->where & IN_FUNCTIONAL) || add_native(m, functional, &row->native)) &&
           (!(row->where & IN_METHODS) || add_native(m, class->attributes, &row->native)) &&
           (!(row->where & IN_PROPERTIES) || class_add_property(m, class, &row->native));
}

static bool add_in_place(struct machine *m, struct made_row *made, const struct torch_row *row)
{
    *made = (struct made_row){.row = *row, .base = row};
    snprintf(made->name, sizeof made->name, "%s_", row->native.name);
    made->row.native.name = made->name;
    made->row.native.run = run_in_place;
    return add_native(m, m->classes[CLASS_TENSOR]->attributes, &made->row.native);
}

static bool add_streams(struct machine *m)
{
    for (size_t i = 0; i < torch_streams.n; i++)
        if (!add_native(m, m->classes[CLASS_STREAM]->attributes, &torch_streams.rows[i].native))
            return false;
    return true;
}

/* torch.Size([2, 3]).numel() */
TORCH(size_count)
{
    const struct tuple *size = THING_AS(tuple, c->args[0]);
    int64_t n = 1;
    for (size_t i = 0; i < size->n; i++)
        if (__builtin_mul_overflow(n, size->items[i].as.whole, &n))
            return raise_error(c->m, ERROR_OVERFLOW, "numel(): too many numbers");
    *ret = value_int(n);
    return true;
}

static bool add_sizes(struct machine *m)
{
    static const struct native numel = {"numel", {"self"}, size_count};
    return add_native(m, m->classes[CLASS_SIZE]->attributes, &numel);
}

static bool add_rows(struct machine *m, struct table *torch, struct table *functional)
{
    size_t n_in_place = 0, n = 0;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (size_t k = 0; k < tables[i]->n; k++)
            n_in_place += (tables[i]->rows[k].where & IN_PLACE) != 0;
    struct made_row *made = calloc(n_in_place + 1, sizeof *made);
    if (made == NULL)
        return raise_memory(m);
    m->torch->made_rows = made;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (size_t k = 0; k < tables[i]->n; k++) {
            const struct torch_row *row = &tables[i]->rows[k];
            if (!add_row(m, torch, functional, row) ||
                ((row->where & IN_PLACE) && !add_in_place(m, &made[n++], row)))
                return false;
        }
    return true;
}

static bool put(struct machine *m, struct table *table, const char *name, struct value v)
{
    struct string *interned = intern(m, name, strlen(name));
    if (interned == NULL) {
        value_drop(v);
        return false;
    }
    return table_put_name(table, interned, v) || raise_memory(m);
}

static bool add_dtypes(struct machine *m, struct table *torch)
{
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        struct dtype_thing *thing = thing_new(&m->things, THING_DTYPE, 0);
        if (thing == NULL)
            return raise_memory(m);
        thing->dtype = (enum dtype)i;
        m->torch->dtypes[i] = value_thing(thing);
        if (!put(m, torch, dtypes[i].name, value_take(value_thing(thing))) ||
            (dtypes[i].other != NULL &&
             !put(m, torch, dtypes[i].other, value_take(value_thing(thing)))))
            return false;
    }
    return true;
}

static bool torch_begin(struct machine *m)
{
    m->torch = calloc(1, sizeof *m->torch);
    if (m->torch == NULL)
        return raise_memory(m);
    m->torch->keeps_history = m->options.host != NULL;
    m->torch->default_dtype = DTYPE_FLOAT32;
    m->torch->print = (struct print_options){
        .precision = 4, .threshold = 1000, .edge_items = 3, .width = 80, .scientific = -1};
    return true;
}

/* The two modules in C that torch and torch.nn.functional are written over. */
bool torch_fill(struct machine *m, struct module *module)
{
    struct value functional;
    struct table *torch = module->attributes, *layers = table_new(&m->things, THING_DICT);
    if (layers == NULL || !torch_begin(m))
        return raise_memory(m);
    functional = value_thing(layers);
    return put(m, torch, "_functional", functional) && add_rows(m, torch, layers) &&
           add_streams(m) && add_sizes(m) && add_dtypes(m, torch) &&
           put(m, torch, "Tensor", value_take(value_thing(m->classes[CLASS_TENSOR]))) &&
           put(m, torch, "Parameter", value_take(value_thing(m->classes[CLASS_PARAMETER]))) &&
           put(m, torch, "Generator", value_take(value_thing(m->classes[CLASS_STREAM]))) &&
           put(m, torch, "Size", value_take(value_thing(m->classes[CLASS_SIZE]))) &&
           put(m, torch, "dtype", value_take(value_thing(m->classes[CLASS_DTYPE])));
}

void torch_free(struct machine *m)
{
    if (m->torch == NULL)
        return;
    free(m->torch->made_rows);
    free(m->torch);
    m->torch = NULL;
}

/* ---- the class ---- */

/* torch.Tensor(2, 3), torch.Tensor([1, 2]); nn.Parameter(x) */
bool tensor_class_call(struct machine *m, bool is_parameter, const struct value *args, size_t n,
                       const struct tuple *names, struct value *ret)
{
    size_t n_names = names ? names->n : 0, shape[TENSOR_MAX_AXES];
    unsigned n_axes;
    struct error error = {0};
    struct tensor numbers;
    if (!is_parameter) {
        if (n_names > 0)
            return raise_error(m, ERROR_TYPE, "Tensor() takes no keyword arguments in attn");
        bool is_data = n == 1 && !value_is(args[0], THING_TUPLE) && args[0].kind != VALUE_INT &&
                       !(value_is(args[0], THING_TUPLE) && THING_AS(tuple, args[0])->form != NULL);
        if (is_data ||
            (n == 1 && value_is(args[0], THING_TUPLE) && THING_AS(tuple, args[0])->form == NULL))
            return tensor_from_data(m, args[0], DTYPE_FLOAT32, ret);
        return (n == 0 ? (shape[0] = 0, n_axes = 1, true)
                       : read_shape(m, "Tensor", args, n, shape, &n_axes)) &&
               (tensor_zeros(n_axes, shape, &numbers, &error) || raise_graph_error(m, &error)) &&
               tensor_make_leaf(m, &numbers, DTYPE_FLOAT32, ret);
    }
    bool wanted = true;
    struct value data = value_absent();
    for (size_t i = 0; i < n; i++) {
        const char *name = i < n - n_names ? (i == 0 ? "data" : "requires_grad")
                                           : names->items[i - (n - n_names)].as.string->bytes;
        if (strcmp(name, "data") == 0)
            data = args[i];
        else if (strcmp(name, "requires_grad") != 0)
            return raise_error(m, ERROR_TYPE, "Parameter() got an unexpected keyword argument '%s'",
                               name);
        else if (!value_truth(m, args[i], &wanted))
            return false;
    }
    if (!is_tensor(data))
        return raise_error(m, ERROR_TYPE, "Parameter() needs a Tensor, and this is %s",
                           value_class_name(m, data));
    if (!tensor_make_view(m, as_tensor(data), OP_DETACH, 0, NULL, NULL, ret))
        return false;
    as_tensor(*ret)->is_parameter = true;
    if (!wanted || tensor_set_requires_grad(m, as_tensor(*ret), true))
        return true;
    value_drop(*ret);
    return false;
}

bool tensor_attribute_set(struct machine *m, struct value object, const struct string *name,
                          struct value v)
{
    struct tensor_thing *t = as_tensor(object);
    bool wanted, ok;
    if (strcmp(name->bytes, "grad") == 0) {
        ok = v.kind == VALUE_NONE || is_tensor(v) ||
             raise_error(m, ERROR_TYPE, "assigned grad expected to be a Tensor or None but got %s",
                         value_class_name(m, v));
        if (ok) {
            value_put(&t->grad, v);
            return true;
        }
    } else if (strcmp(name->bytes, "requires_grad") == 0) {
        ok = value_truth(m, v, &wanted) && tensor_set_requires_grad(m, t, wanted);
    } else if (strcmp(name->bytes, "data") == 0) {
        ok = is_tensor(v)
                 ? tensor_set_data(m, t, as_tensor(v))
                 : raise_error(m, ERROR_TYPE, "Variable data has to be a tensor, but got %s",
                               value_class_name(m, v));
    } else {
        ok = raise_error(m, ERROR_ATTRIBUTE,
                         "attn keeps no attribute '%s' on a tensor; keep it in a variable or an "
                         "object beside it",
                         name->bytes);
    }
    value_drop(v);
    return ok;
}
