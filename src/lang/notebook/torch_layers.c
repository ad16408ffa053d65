/* torch.nn.functional, as far as it is written in C; the rest is python/torch.nn.functional.py. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/layers.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"
#include "lang/notebook/ndarray_internal.h"

/* ---- softmax ---- */

/* e^x as PyTorch has it on x86-64: the formula of SLEEF's expf, whose error is below 1 ulp. */
static inline float exp_of(float x)
{
    static const float factors[] = {1.39304355252534151077271e-3F, 8.33333076630519866943359e-3F,
                                    4.16664853692054748535156e-2F, 1.66666671633720397949219e-1F,
                                    0.5F};
    float near = x < -110 ? -110 : x; /* -inf as well: its power is a whole number, and not used */
    float n = rintf(near * 1.44269504088896340736F), y = 1.98527617612853646278381e-4F;
    float r = fmaf(n, -1.428606765330187045e-6F, fmaf(n, -0.693145751953125F, x));
    for (size_t i = 0; i < COUNT_OF(factors); i++)
        y = fmaf(y, r, factors[i]);
    y = 1 + fmaf(r * r, y, r);
    union {
        uint32_t bits;
        float number;
    } power = {.bits = (uint32_t)((int32_t)n + 127) << 23};
    return x < -87 ? x < -104 ? 0 : ldexpf(y, (int)n) : y * power.number;
}

/* y[0..n) = softmax(x[0..n)): the sum is added in eight lanes and halved, and the rest are products
 * with its reciprocal, as in aten/src/ATen/native/cpu/SoftMaxKernel.cpp. */
static inline __attribute__((always_inline)) void softmax_line(const float *x, float *y, size_t n)
{
    enum { LANES = 8 };
    float most = -INFINITY, lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        most = x[i] > most || x[i] != x[i] ? x[i] : most;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] - most == x[i] - most || x[i] < most ? exp_of(x[i] - most) : NAN;
    for (size_t i = 0; i < n; i++)
        lanes[i % LANES] += y[i];
    float sum = lanes[0];
    for (size_t i = 1; i < n && n < LANES; i++)
        sum += lanes[i];
    if (n >= LANES) {
        for (size_t half = LANES / 2; half > 0; half /= 2)
            for (size_t i = 0; i < half; i++)
                lanes[i] += lanes[i + half];
        sum = lanes[0];
    }
    sum = 1 / sum;
    for (size_t i = 0; i < n; i++)
        y[i] *= sum;
}

static void softmax_lines_plain(const float *x, float *y, size_t n, size_t n_lines)
{
    for (size_t i = 0; i < n_lines; i++)
        softmax_line(x + i * n, y + i * n, n);
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same numbers, with the processor's own fused product and sum. */
__attribute__((target("avx2,fma"))) static void softmax_lines_fused(const float *x, float *y,
                                                                    size_t n, size_t n_lines)
{
    for (size_t i = 0; i < n_lines; i++)
        softmax_line(x + i * n, y + i * n, n);
}
#endif

static void softmax_lines(const float *x, float *y, size_t n, size_t n_lines)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        softmax_lines_fused(x, y, n, n_lines);
        return;
    }
#endif
    softmax_lines_plain(x, y, n, n_lines);
}

/* OP_SOFTMAX along the last axis, with PyTorch's numbers. */
static struct node *build_last_softmax(struct work *work, struct node *x, ptrdiff_t axis)
{
    struct tensor dense = {0}, made = {0};
    size_t n = x->value.shape[axis];
    if (!tensor_dense(&x->value, &dense, &work->error) ||
        !tensor_empty(x->value.n_axes, x->value.shape, &made, &work->error)) {
        tensor_release(&dense);
        work->b.failed = true;
        return NULL;
    }
    softmax_lines(dense.data, made.data, n, tensor_size(&dense) / n);
    tensor_release(&dense);
    struct op_args args = {.n_ints = 1, .ints = &axis};
    return builder_keep(
        &work->b, node_given(work->b.graph, op_get(OP_SOFTMAX), 1, &x, &args, &made, &work->error));
}

/* softmax(x, dim, dtype=None), log_softmax */
TORCH(run_softmax)
{
    struct work work;
    unsigned axis;
    int to;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL)
        return false;
    /* F.softmax(x) without dim: PyTorch guesses as it did in its first version, and warns. */
    unsigned n_axes = now->value.n_axes;
    int64_t guess = n_axes == 0 || n_axes == 1 || n_axes == 3 ? 0 : 1;
    if (!native_dim(c, 1, n_axes, guess, &axis) || !native_dtype(c, 2, -1, &to))
        return false;
    if (to < 0 && dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(c->m, ERROR_RUNTIME,
                           "\"%s_lastdim_kernel_impl\" not implemented for '%s'", c->native->name,
                           dtypes[t->dtype].scalar);
    enum dtype dtype = to >= 0 ? (enum dtype)to : t->dtype;
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, dtype);
    if (x != NULL && n_axes == 0)
        x = build_reshape(&work.b, x, 1, (size_t[]){1});
    if (x != NULL && row_of(c)->kind == OP_SOFTMAX && axis + 1 == x->value.n_axes &&
        tensor_size(&x->value) > 0)
        x = build_last_softmax(&work, x, axis);
    else if (x != NULL)
        x = build_ints(&work.b, (enum op_kind)row_of(c)->kind, x, 1, (ptrdiff_t[]){axis}, 0);
    if (x != NULL && n_axes == 0)
        x = build_reshape(&work.b, x, 0, NULL);
    return work_end(&work, x, dtype, row_of(c)->grad_name, ret);
}

/* gelu(x, approximate="none") */
TORCH(run_gelu)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    bool by_tanh =
        c->args[1].kind == VALUE_STRING && strcmp(c->args[1].as.string->bytes, "tanh") == 0;
    if (t == NULL)
        return false;
    if (dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(c->m, ERROR_RUNTIME, "\"GeluKernelImpl\" not implemented for '%s'",
                           dtypes[t->dtype].scalar);
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    return work_end(&work, build_gelu(&work.b, x, by_tanh), t->dtype, "GeluBackward0", ret);
}

static struct node *optional(struct work *work, struct value v)
{
    return is_tensor(v) ? work_tensor(work, as_tensor(v)) : NULL;
}

/* layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-05); rms_norm: kind 1, without a
 * bias */
TORCH(run_norm)
{
    struct work work;
    int64_t sizes[TENSOR_MAX_AXES];
    unsigned n;
    double eps;
    bool is_rms = row_of(c)->kind != 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !read_wholes(c->m, c->native->name, &c->args[1], 1, sizes, &n) ||
        !native_number(c, is_rms ? 3 : 4, is_rms ? 1.1920928955078125e-07 : 1e-5, &eps))
        return false;
    bool fits = n > 0 && n <= now->value.n_axes;
    for (unsigned i = 0; fits && i < n; i++)
        fits = (int64_t)now->value.shape[now->value.n_axes - n + i] == sizes[i];
    if (!fits) {
        struct text own = {0}, wanted = {0};
        tensor_write_shape(&now->value, &own);
        for (unsigned i = 0; i < n; i++)
            text_format(&wanted, "%s%lld", i ? ", " : "", (long long)sizes[i]);
        raise_error(c->m, ERROR_RUNTIME,
                    "Given normalized_shape=[%s], expected input with shape [*, %s], but got input "
                    "of size%s",
                    text_string(&wanted), text_string(&wanted), text_string(&own));
        text_release(&own);
        text_release(&wanted);
        return false;
    }
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *weight = optional(&work, c->args[2]);
    struct node *bias = is_rms ? NULL : optional(&work, c->args[3]);
    if (x == NULL || work.b.failed)
        return work_stop(&work, false);
    x = is_rms ? build_rms_norm(&work.b, x, n, weight, eps)
               : build_layer_norm(&work.b, x, n, weight, bias, eps);
    return work_end(&work, x, t->dtype, row_of(c)->grad_name, ret);
}

/* linear(x, weight, bias=None): x weight^T + bias */
TORCH(run_linear)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0), *by = t ? native_tensor(c, 1) : NULL;
    if (by == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *weight = x ? work_tensor(&work, by) : NULL;
    struct node *bias = optional(&work, c->args[2]);
    if (weight == NULL || work.b.failed)
        return work_stop(&work, false);
    unsigned n = x->value.n_axes;
    if (t->dtype != by->dtype) {
        raise_error(c->m, ERROR_RUNTIME, "expected scalar type %s but found %s",
                    n == 2 && bias != NULL ? dtypes[by->dtype].scalar : dtypes[t->dtype].scalar,
                    n == 2 && bias != NULL ? dtypes[t->dtype].scalar : dtypes[by->dtype].scalar);
        return work_stop(&work, false);
    }
    size_t rows = 1, own = n > 0 ? x->value.shape[n - 1] : 0;
    for (unsigned i = 0; i + 1 < n; i++)
        rows *= x->value.shape[i];
    size_t wanted = weight->value.n_axes > 0 ? weight->value.shape[weight->value.n_axes - 1] : 0;
    size_t out = weight->value.n_axes > 1 ? weight->value.shape[0] : 1;
    if (own != wanted || n == 0) {
        raise_error(c->m, ERROR_RUNTIME,
                    "mat1 and mat2 shapes cannot be multiplied (%zux%zu and %zux%zu)", rows, own,
                    wanted, out);
        return work_stop(&work, false);
    }
    struct node *turned =
        weight->value.n_axes == 2 ? build_transpose(&work.b, weight, 0, 1) : weight;
    struct node *made = build2(&work.b, OP_MATMUL, x, turned);
    if (bias != NULL)
        made = build2(&work.b, OP_ADD, made, bias);
    const char *name = n == 1   ? (bias != NULL ? "AddBackward0" : "SqueezeBackward4")
                       : n == 2 ? (bias != NULL ? "AddmmBackward0" : "MmBackward0")
                                : (bias != NULL ? "ViewBackward0" : "UnsafeViewBackward0");
    return work_end(&work, made, t->dtype, name, ret);
}

/* _cross_entropy(scores, targets, ignore_index, reduction): scores (..., n_classes) */
TORCH(run_cross_entropy)
{
    struct work work;
    double ignored;
    struct tensor_thing *t = native_tensor(c, 0), *wanted = t ? native_tensor(c, 1) : NULL;
    struct node *now = wanted ? tensor_node(c->m, t) : NULL;
    struct node *ids = now ? tensor_node(c->m, wanted) : NULL;
    if (ids == NULL || !native_number(c, 2, -100, &ignored))
        return false;
    size_t n = tensor_size(&ids->value);
    size_t n_classes = now->value.n_axes > 0 ? now->value.shape[now->value.n_axes - 1] : 0;
    for (size_t i = 0; i < n; i++) {
        double id = (double)tensor_at_position(&ids->value, i);
        if (id != ignored && !(id >= 0 && id < (double)n_classes))
            return raise_error(c->m, ERROR_INDEX, "Target %.0f is out of bounds.", id);
    }
    const char *how = c->args[3].kind == VALUE_STRING ? c->args[3].as.string->bytes : "mean";
    work_begin(&work, c->m);
    struct node *scores = work_tensor(&work, t), *targets = work_tensor(&work, wanted), *made;
    if (strcmp(how, "mean") == 0)
        made = build_cross_entropy(&work.b, scores, targets, ignored);
    else
        made = build_losses(&work.b, scores, targets, ignored);
    if (strcmp(how, "sum") == 0 && made != NULL && made->value.n_axes > 0)
        made = build_reduce(&work.b, OP_SUM, made, 0, false, 0);
    return work_end(&work, made, t->dtype, "NllLossBackward0", ret);
}

/* embedding(ids, weight, padding_idx=None, ...) */
TORCH(run_embedding)
{
    struct work work;
    struct tensor_thing *index = native_tensor(c, 0), *t = index ? native_tensor(c, 1) : NULL;
    if (t == NULL)
        return false;
    if (index->dtype != DTYPE_INT64 && index->dtype != DTYPE_INT32)
        return raise_error(
            c->m, ERROR_RUNTIME,
            "Expected tensor for argument #1 'indices' to have one of the following "
            "scalar types: Long, Int; but got torch.%sTensor instead (while checking "
            "arguments for embedding)",
            dtypes[index->dtype].scalar);
    work_begin(&work, c->m);
    struct node *ids = work_tensor(&work, index), *weight = ids ? work_tensor(&work, t) : NULL;
    if (weight == NULL)
        return work_stop(&work, false);
    size_t n = tensor_size(&ids->value);
    for (size_t i = 0; i < n; i++) {
        float id = tensor_at_position(&ids->value, i);
        if (id < 0 || weight->value.n_axes == 0 || id >= (float)weight->value.shape[0]) {
            raise_error(c->m, ERROR_INDEX, "index out of range in self");
            return work_stop(&work, false);
        }
    }
    struct node *parents[2] = {weight, ids};
    return work_end(&work, build_many(&work.b, OP_TAKE, 2, parents, 0, NULL), t->dtype,
                    "EmbeddingBackward0", ret);
}

/* one_hot(ids, num_classes=-1) */
TORCH(run_one_hot)
{
    struct error error = {0};
    struct tensor made;
    int64_t n_classes;
    size_t shape[TENSOR_MAX_AXES + 1];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *ids = t ? tensor_node(c->m, t) : NULL;
    if (ids == NULL || !native_whole(c, 1, -1, &n_classes))
        return false;
    if (t->dtype != DTYPE_INT64)
        return raise_error(c->m, ERROR_RUNTIME, "one_hot is only applicable to index tensor.");
    size_t n = tensor_size(&ids->value);
    double most = -1;
    for (size_t i = 0; i < n; i++) {
        double id = (double)tensor_at_position(&ids->value, i);
        if (id < 0)
            return raise_error(c->m, ERROR_RUNTIME, "Class values must be non-negative.");
        most = id > most ? id : most;
    }
    if (n_classes >= 0 && most >= (double)n_classes)
        return raise_error(c->m, ERROR_RUNTIME, "Class values must be smaller than num_classes.");
    size_t width = n_classes >= 0 ? (size_t)n_classes : (size_t)(most + 1);
    unsigned n_axes = ids->value.n_axes;
    memcpy(shape, ids->value.shape, n_axes * sizeof *shape);
    shape[n_axes] = width;
    if (n_axes == TENSOR_MAX_AXES)
        return raise_error(c->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    if (!tensor_zeros(n_axes + 1, shape, &made, &error))
        return raise_graph_error(c->m, &error);
    for (size_t i = 0; i < n; i++)
        made.data[i * width + (size_t)tensor_at_position(&ids->value, i)] = 1;
    return tensor_make_leaf(c->m, &made, DTYPE_INT64, ret);
}

/* pad(x, pad, mode="constant", value=0): pairs (before, after) from the last axis on; a negative
 * one cuts off */
TORCH(run_pad)
{
    struct work work;
    struct array *pads = NULL;
    double number;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_number(c, 3, 0, &number))
        return false;
    if (c->args[2].kind == VALUE_STRING && strcmp(c->args[2].as.string->bytes, "constant") != 0)
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED,
                           "attn's pad() has the mode 'constant' alone");
    if (!value_to_array(c->m, c->args[1], &pads))
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    bool ok =
        x != NULL && (pads->n % 2 == 0 ||
                      raise_error(c->m, ERROR_RUNTIME, "Padding length must be divisible by 2"));
    if (ok && pads->n / 2 > x->value.n_axes)
        ok = raise_error(c->m, ERROR_RUNTIME, "Padding length too large");
    for (size_t i = 0; ok && i < pads->n / 2; i++) {
        unsigned axis = x->value.n_axes - 1 - (unsigned)i;
        int64_t amounts[2];
        ok = value_whole(c->m, pads->items[2 * i], &amounts[0]) &&
             value_whole(c->m, pads->items[2 * i + 1], &amounts[1]);
        for (int side = 0; ok && side < 2 && x != NULL; side++) {
            size_t length = x->value.shape[axis];
            if (amounts[side] < 0) {
                size_t cut = (size_t)-amounts[side];
                ok = cut <= length || raise_error(c->m, ERROR_RUNTIME,
                                                  "The input size is smaller "
                                                  "than what pad() cuts off");
                if (ok)
                    x = build_slice(&work.b, x, axis, side == 0 ? cut : 0, length - cut);
            } else if (amounts[side] > 0) {
                size_t shape[TENSOR_MAX_AXES];
                struct tensor filled;
                memcpy(shape, x->value.shape, sizeof shape);
                shape[axis] = (size_t)amounts[side];
                if (!tensor_full(x->value.n_axes, shape, (float)number, &filled, &work.error)) {
                    work.b.failed = true;
                    break;
                }
                filled.is_bool = x->value.is_bool;
                struct node *edge = build_input(&work.b, &filled, "padding");
                struct node *parts[2] = {side == 0 ? edge : x, side == 0 ? x : edge};
                x = build_many(&work.b, OP_CAT, 2, parts, 1, &(ptrdiff_t){axis});
            }
        }
    }
    value_drop(value_thing(pads));
    return ok ? work_end(&work, x, t->dtype, "ConstantPadNdBackward0", ret)
              : work_stop(&work, false);
}

/* _named(x, "MseLossBackward0"): what grad_fn says of a result that Python has put together */
TORCH(run_named)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || c->args[1].kind != VALUE_STRING)
        return false;
    struct string *name = intern(c->m, c->args[1].as.string->bytes, c->args[1].as.string->size);
    if (name == NULL)
        return false;
    if (!tensor_is_leaf(t))
        t->place->grad_name = name->bytes;
    *ret = value_take(c->args[0]);
    return true;
}

/* _method(function): x.NAME() too, for functions in Python */
TORCH(run_method)
{
    static const enum own_class owners[] = {CLASS_TENSOR};
    return class_take_method(c->m, owners, COUNT_OF(owners), c->args[0], ret);
}

/* x.numpy(): an array that shares the numbers of x. */
TORCH(run_numpy)
{
    struct value numpy;
    if (!module_import(c->m, "numpy", 5, &numpy))
        return false;
    value_drop(numpy);
    struct tensor_thing *t = native_tensor(c, 0);
    struct ndarray *a = t ? nd_of_tensor(c->m, t, true) : NULL;
    *ret = value_thing(a);
    return a != NULL;
}

/* set_printoptions(precision, threshold, edgeitems, linewidth, profile, sci_mode) */
TORCH(run_print_options)
{
    struct print_options *options = &c->m->torch->print;
    int64_t precision, threshold, edge, width;
    bool scientific;
    *ret = value_none();
    if (c->args[4].kind == VALUE_STRING) {
        const char *profile = c->args[4].as.string->bytes;
        *options = (struct print_options){4, 1000, 3, 80, -1};
        if (strcmp(profile, "full") == 0)
            options->threshold = INT32_MAX;
        if (strcmp(profile, "short") == 0)
            *options = (struct print_options){2, 1000, 2, 80, -1};
    }
    if (!native_whole(c, 0, options->precision, &precision) ||
        !native_number(c, 1, options->threshold, &(double){0}) ||
        !native_whole(c, 2, options->edge_items, &edge) ||
        !native_whole(c, 3, options->width, &width) || !native_flag(c, 5, false, &scientific))
        return false;
    double most = options->threshold;
    if (!native_number(c, 1, most, &most))
        return false;
    threshold = most > INT32_MAX ? INT32_MAX : (int64_t)most;
    if (precision < 0 || precision > 30 || edge < 0 || edge > 1 << 20 || width < 1 ||
        width > 1 << 20 || threshold < 0)
        return raise_error(c->m, ERROR_VALUE, "set_printoptions(): a number is out of range");
    options->precision = (int)precision;
    options->threshold = (int)threshold;
    options->edge_items = (int)edge;
    options->width = (int)width;
    if (c->args[5].kind != VALUE_ABSENT) /* a call without it resets it */
        options->scientific = given(c, 5) ? scientific : -1;
    return true;
}

/* finfo and iinfo: (least, most, eps, tiny) of a dtype */
TORCH(run_limits)
{
    int dtype;
    if (!native_dtype(c, 0, (int)c->m->torch->default_dtype, &dtype))
        return false;
    static const double limits[DTYPE_COUNT][4] = {
        [DTYPE_FLOAT16] = {-65504, 65504, 0x1p-10, 0x1p-14},
        [DTYPE_BFLOAT16] = {-0x1.FEp127, 0x1.FEp127, 0x1p-7, 0x1p-126},
        [DTYPE_FLOAT32] = {-0x1.FFFFFEp127, 0x1.FFFFFEp127, 0x1p-23, 0x1p-126},
        [DTYPE_FLOAT64] = {-0x1.FFFFFFFFFFFFFp1023, 0x1.FFFFFFFFFFFFFp1023, 0x1p-52, 0x1p-1022},
    };
    struct value items[4];
    for (int i = 0; i < 4; i++)
        items[i] = value_float(limits[dtype][i]);
    if (dtypes[dtype].category == CATEGORY_WHOLE) {
        int bits = dtype == DTYPE_INT64   ? 64
                   : dtype == DTYPE_INT32 ? 32
                   : dtype == DTYPE_INT16 ? 16
                                          : 8;
        bool is_signed = dtype != DTYPE_UINT8;
        items[1] = value_int(bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - is_signed)) - 1);
        items[0] = value_int(is_signed ? -items[1].as.whole - 1 : 0);
    }
    return make_tuple(c->m, items, 4, ret);
}

TORCH(run_default_dtype)
{
    int dtype;
    if (!native_dtype(c, 0, (int)c->m->torch->default_dtype, &dtype))
        return false;
    c->m->torch->default_dtype = (enum dtype)dtype;
    *ret = value_take(c->m->torch->dtypes[dtype]);
    return true;
}

/* result_type(a, b) */
TORCH(run_result_type)
{
    struct work work;
    work_begin(&work, c->m);
    bool ok = work_operand(&work, c->args[0]) != NULL && work_operand(&work, c->args[1]) != NULL;
    if (ok)
        *ret = value_take(c->m->torch->dtypes[promoted(&work.promotion)]);
    return work_stop(&work, ok);
}

/* ---- the table ---- */

static const struct torch_row rows[] = {
    {{"softmax", {"input", "dim=None", "dtype=None", "_stacklevel=3"}, run_softmax},
     IN_BOTH | IN_FUNCTIONAL,
     OP_SOFTMAX,
     "SoftmaxBackward0"},
    {{"log_softmax", {"input", "dim=None", "dtype=None", "_stacklevel=3"}, run_softmax},
     IN_BOTH | IN_FUNCTIONAL,
     OP_LOG_SOFTMAX,
     "LogSoftmaxBackward0"},
    {{"gelu", {"input", "approximate=none"}, run_gelu}, IN_FUNCTIONAL, 0, NULL},
    {{"layer_norm",
      {"input", "normalized_shape", "weight=None", "bias=None", "eps=1e-05"},
      run_norm},
     IN_FUNCTIONAL | IN_TORCH,
     0,
     "NativeLayerNormBackward0"},
    {{"rms_norm", {"input", "normalized_shape", "weight=None", "eps=None"}, run_norm},
     IN_FUNCTIONAL,
     1,
     "RmsNormBackward0"},
    {{"linear", {"input", "weight", "bias=None"}, run_linear}, IN_FUNCTIONAL, 0, NULL},
    {{"_cross_entropy", {"input", "target", "ignore_index", "reduction"}, run_cross_entropy},
     IN_HIDDEN,
     0,
     NULL},
    {{"embedding",
      {"input", "weight", "padding_idx=None", "max_norm=None", "norm_type=2.0",
       "scale_grad_by_freq=False", "sparse=False"},
      run_embedding},
     IN_FUNCTIONAL,
     0,
     NULL},
    {{"one_hot", {"tensor", "num_classes=-1"}, run_one_hot}, IN_FUNCTIONAL, 0, NULL},
    {{"pad", {"input", "pad", "mode=constant", "value=0"}, run_pad}, IN_FUNCTIONAL, 0, NULL},
    {{"_method", {"function"}, run_method}, IN_HIDDEN, 0, NULL},
    {{"numpy", {"self", "force=False"}, run_numpy}, IN_METHODS, 0, NULL},
    {{"__array__", {"self", "dtype=None"}, run_numpy}, IN_METHODS, 0, NULL},
    {{"_named", {"input", "name"}, run_named}, IN_HIDDEN, 0, NULL},
    {{"set_printoptions",
      {"precision=None", "threshold=None", "edgeitems=None", "linewidth=None", "profile=None",
       "sci_mode="},
      run_print_options},
     IN_TORCH,
     0,
     NULL},
    {{"_limits", {"dtype"}, run_limits}, IN_HIDDEN, 0, NULL},
    {{"set_default_dtype", {"d"}, run_default_dtype}, IN_TORCH, 0, NULL},
    {{"get_default_dtype", {NULL}, run_default_dtype}, IN_TORCH, 0, NULL},
    {{"result_type", {"tensor1", "tensor2"}, run_result_type}, IN_TORCH, 0, NULL},
};

const struct torch_table torch_layers = {rows, COUNT_OF(rows)};
