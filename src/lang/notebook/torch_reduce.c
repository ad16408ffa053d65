/* Functions of torch over axes: sums, extremes, sorting. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"

/* ---- sums and the like ---- */

static bool not_float(struct machine *m, const char *name, enum dtype dtype)
{
    return raise_error(m, ERROR_RUNTIME,
                       "%s(): could not infer output dtype. Input dtype must be either a floating "
                       "point or complex dtype. Got: %s",
                       name, dtypes[dtype].scalar);
}

/* ---- sums in PyTorch's order ---- */

/* The last digit of a sum of float32 depends on the order of its steps. This one is that of
 * PyTorch with AVX2 and one thread: aten/src/ATen/native/cpu/SumKernel.cpp. */
enum { SUM_LANES = 8, SUM_ROWS = 4, SUM_LEVELS = 4, SUM_BLOCK = SUM_ROWS * SUM_LANES };

static unsigned ceil_log2(size_t x)
{
    unsigned bits = 0;
    while (((size_t)1 << bits) < x)
        bits++;
    return bits;
}

/* ret[r] = sum over i < n of at[i * step + r * row_step], for n_rows sums at once, in a cascade:
 * after a number of steps the sum so far is added to the next level, and starts at 0 again. */
static void cascade(const float *at, ptrdiff_t step, ptrdiff_t row_step, size_t n_rows, size_t n,
                    float *ret)
{
    float levels[SUM_LEVELS][SUM_BLOCK] = {{0}};
    unsigned power = ceil_log2(n) / SUM_LEVELS;
    power = power < 4 ? 4 : power;
    size_t chunk = (size_t)1 << power, i = 0;
    while (i + chunk <= n) {
        for (size_t end = i + chunk; i < end; i++)
            for (size_t r = 0; r < n_rows; r++)
                levels[0][r] += at[(ptrdiff_t)i * step + (ptrdiff_t)r * row_step];
        for (unsigned level = 1; level < SUM_LEVELS; level++) {
            for (size_t r = 0; r < n_rows; r++) {
                levels[level][r] += levels[level - 1][r];
                levels[level - 1][r] = 0;
            }
            if ((i & ((chunk - 1) << (level * power))) != 0)
                break;
        }
    }
    for (; i < n; i++)
        for (size_t r = 0; r < n_rows; r++)
            levels[0][r] += at[(ptrdiff_t)i * step + (ptrdiff_t)r * row_step];
    for (size_t r = 0; r < n_rows; r++) {
        for (unsigned level = 1; level < SUM_LEVELS; level++)
            levels[0][r] += levels[level][r];
        ret[r] = levels[0][r];
    }
}

/* ret[lane] = sum over i < n of at[i * step + lane], as four cascades that are added at the end. */
static void sum_rows(const float *at, ptrdiff_t step, size_t n_lanes, size_t n, float *ret)
{
    float parts[SUM_ROWS][SUM_LANES];
    size_t quarter = n / SUM_ROWS;
    for (size_t r = 0; r < SUM_ROWS; r++)
        cascade(at + (ptrdiff_t)r * step, step * SUM_ROWS, 1, n_lanes, quarter, parts[r]);
    for (size_t lane = 0; lane < n_lanes; lane++) {
        for (size_t i = quarter * SUM_ROWS; i < n; i++)
            parts[0][lane] += at[(ptrdiff_t)i * step + (ptrdiff_t)lane];
        for (size_t r = 1; r < SUM_ROWS; r++)
            parts[0][lane] += parts[r][lane];
        ret[lane] = parts[0][lane];
    }
}

/* The sum of n numbers that lie side by side. */
static float sum_line(const float *at, size_t n)
{
    float lanes[SUM_LANES], total = 0;
    size_t whole = n / SUM_LANES;
    sum_rows(at, SUM_LANES, SUM_LANES, whole, lanes);
    for (size_t i = whole * SUM_LANES; i < n; i++)
        total += at[i];
    for (size_t lane = 0; lane < SUM_LANES; lane++)
        total += lanes[lane];
    return total;
}

/* An axis as the steps go over it: axes that lie one in the other are one. */
struct walk {
    size_t n;
    ptrdiff_t from, to; /* strides; to is 0 for an axis that is summed over */
};

/* to[...] += the sums over the first axis, for each place of the second one. */
static void sum_plane(const float *at, struct walk summed, struct walk other, float *to)
{
    size_t done = 0, block = 0;
    float sums[SUM_BLOCK];
    if (summed.from == 1 && summed.n >= SUM_LANES) {
        for (; done < other.n; done++)
            to[(ptrdiff_t)done * other.to] += sum_line(at + (ptrdiff_t)done * other.from, summed.n);
        return;
    }
    if (other.from == 1 && other.to != 0 && other.n >= SUM_LANES)
        block = SUM_BLOCK;
    else if (summed.from >= other.from && other.n > 1)
        block = SUM_ROWS;
    for (; block > 0 && done + block <= other.n; done += block) {
        cascade(at + (ptrdiff_t)done * other.from, summed.from, other.from, block, summed.n, sums);
        for (size_t i = 0; i < block; i++)
            to[(ptrdiff_t)(done + i) * other.to] += sums[i];
    }
    for (; done < other.n; done++) {
        sum_rows(at + (ptrdiff_t)done * other.from, summed.from, 1, summed.n, sums);
        to[(ptrdiff_t)done * other.to] += sums[0];
    }
}

static bool goes_before(const struct walk *a, const struct walk *b)
{
    if ((a->to == 0) != (b->to == 0))
        return a->to == 0;
    return a->from != 0 && b->from != 0 && a->from < b->from; /* repeated axes stay */
}

/* The axes of x in the order of the steps: those that are summed first, small strides first. to:
 * the strides of the sums, 0 for an axis that is summed. */
static unsigned walks_of(const struct tensor *x, const ptrdiff_t *to, struct walk *ret)
{
    unsigned n = 0;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        struct walk walk = {x->shape[axis], x->stride[axis], to[axis]};
        unsigned at = n;
        if (walk.n == 1)
            continue;
        for (; at > 0 && goes_before(&walk, &ret[at - 1]); at--)
            ret[at] = ret[at - 1];
        ret[at] = walk;
        n++;
    }
    unsigned kept = 0;
    for (unsigned i = 1; i < n; i++) {
        struct walk *last = &ret[kept];
        bool is_one = ret[i].from == last->from * (ptrdiff_t)last->n &&
                      ret[i].to == last->to * (ptrdiff_t)last->n;
        if (is_one)
            last->n *= ret[i].n;
        else
            ret[++kept] = ret[i];
    }
    return n > 0 ? kept + 1 : 0;
}

/* Sums of x over axes (bits), or means of n numbers, into *ret of zeros, which has axes of 1 where
 * they are kept. */
static void total_into(const struct tensor *x, unsigned axes, bool keeps, size_t n_mean,
                       struct tensor *ret)
{
    struct walk walks[TENSOR_MAX_AXES + 2];
    ptrdiff_t to[TENSOR_MAX_AXES] = {0};
    size_t index[TENSOR_MAX_AXES] = {0};
    unsigned at = ret->n_axes;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        bool is_summed = (axes >> axis & 1U) != 0;
        ptrdiff_t stride = is_summed && !keeps ? 0 : ret->stride[--at];
        to[axis] = is_summed ? 0 : stride;
    }
    unsigned n_walks = walks_of(x, to, walks);
    while (n_walks < 2)
        walks[n_walks++] = (struct walk){1, 0, 0};
    if (walks[0].to != 0) { /* only axes of 1 are summed */
        walks[n_walks] = walks[1];
        walks[1] = walks[0];
        walks[0] = (struct walk){1, 0, 0};
        if (walks[n_walks].n > 1)
            n_walks++;
    }
    const float *from = x->data;
    float *into = ret->data;
    for (bool goes_on = true; goes_on;) {
        sum_plane(from, walks[0], walks[1], into);
        goes_on = false;
        for (unsigned i = 2; i < n_walks && !goes_on; i++) {
            goes_on = ++index[i] < walks[i].n;
            from += goes_on ? walks[i].from : -walks[i].from * (ptrdiff_t)(walks[i].n - 1);
            into += goes_on ? walks[i].to : -walks[i].to * (ptrdiff_t)(walks[i].n - 1);
            if (!goes_on)
                index[i] = 0;
        }
    }
    for (size_t i = 0, n = tensor_size(ret); n_mean > 0 && i < n; i++)
        ret->data[i] /= (float)n_mean;
}

/* OP_SUM or OP_MEAN of x over axes, 0 for all, with PyTorch's numbers. */
static struct node *build_total(struct work *work, enum op_kind kind, struct node *x, unsigned axes,
                                bool keeps)
{
    size_t shape[TENSOR_MAX_AXES], n = 1;
    ptrdiff_t ints[TENSOR_MAX_AXES];
    unsigned n_axes = 0, n_ints = 0;
    struct tensor totals;
    axes = axes != 0 ? axes : (1U << x->value.n_axes) - 1;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        bool is_summed = (axes >> axis & 1U) != 0;
        if (is_summed)
            ints[n_ints++] = axis;
        n *= is_summed ? x->value.shape[axis] : 1;
        if (!is_summed || keeps)
            shape[n_axes++] = is_summed ? 1 : x->value.shape[axis];
    }
    if (!tensor_zeros(n_axes, shape, &totals, &work->error)) {
        work->b.failed = true;
        return NULL;
    }
    struct tensor dense = {0};
    const struct tensor *from = &x->value;
    for (unsigned axis = 0; axis < from->n_axes; axis++)
        if (from->stride[axis] < 0 && from == &x->value) { /* flip() copies in PyTorch */
            if (!tensor_copy(&x->value, &dense, &work->error)) {
                tensor_release(&totals);
                work->b.failed = true;
                return NULL;
            }
            from = &dense;
        }
    total_into(from, axes, keeps, kind == OP_MEAN ? n : 0, &totals);
    tensor_release(&dense);
    struct op_args args = {.n_ints = n_ints, .ints = ints, .number = keeps};
    return builder_keep(
        &work->b, node_given(work->b.graph, op_get(kind), 1, &x, &args, &totals, &work->error));
}

/* sum, mean: (input, dim=None, keepdim=False, dtype=None) */
TORCH(run_total)
{
    struct work work;
    unsigned axes;
    bool keeps;
    int dtype;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dims(c, 1, now->value.n_axes, &axes) ||
        !native_flag(c, 2, false, &keeps) || !native_dtype(c, 3, -1, &dtype))
        return false;
    enum dtype result = dtype >= 0                                   ? (enum dtype)dtype
                        : dtypes[t->dtype].category < CATEGORY_FLOAT ? DTYPE_INT64
                                                                     : t->dtype;
    if (row->kind == OP_MEAN && dtypes[result].category < CATEGORY_FLOAT)
        return not_float(c->m, "mean", t->dtype);
    if (t->dtype == DTYPE_COMPLEX64)
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED, "attn does not reduce complex tensors");
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype,
                               t->dtype == DTYPE_BOOL ? DTYPE_INT64 : result);
    if (x != NULL && result == DTYPE_FLOAT32 && x->value.n_axes > 0 && tensor_size(&x->value) > 0)
        x = build_total(&work, (enum op_kind)row->kind, x, axes, keeps);
    else if (x != NULL && x->value.n_axes > 0)
        x = build_reduce(&work.b, (enum op_kind)row->kind, x, axes, keeps, 0);
    bool all = !given(c, 1);
    const char *name = row->kind == OP_SUM ? (all ? "SumBackward0" : "SumBackward1")
                                           : (all ? "MeanBackward0" : "MeanBackward1");
    return work_end(&work, x, result, name, ret);
}

/* var, std: (input, dim=None, unbiased=None, keepdim=False, correction=None) */
TORCH(run_spread)
{
    struct work work;
    unsigned axes = 0;
    bool keeps, unbiased = true, by_flag = c->args[1].kind == VALUE_BOOL;
    double correction;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || (!by_flag && !native_dims(c, 1, now->value.n_axes, &axes)) ||
        !native_flag(c, by_flag ? 1 : 2, true, &unbiased) || !native_flag(c, 3, false, &keeps) ||
        !native_number(c, 4, unbiased, &correction))
        return false;
    if (dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(c->m, ERROR_RUNTIME,
                           "std and var only support floating point and complex dtypes");
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x != NULL)
        x = build_reduce(&work.b, (enum op_kind)row->kind, x, axes, keeps, correction);
    return work_end(&work, x, t->dtype, row->grad_name, ret);
}

/* all, any: (input, dim=None, keepdim=False) */
TORCH(run_decision)
{
    struct work work;
    unsigned axes;
    bool keeps;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dims(c, 1, now->value.n_axes, &axes) ||
        !native_flag(c, 2, false, &keeps))
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    return work_end(&work, build_reduce(&work.b, (enum op_kind)row_of(c)->kind, x, axes, keeps, 0),
                    DTYPE_BOOL, NULL, ret);
}

/* argmax, argmin: (input, dim=None, keepdim=False) */
TORCH(run_place)
{
    struct work work;
    unsigned axes;
    bool keeps;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dims(c, 1, now->value.n_axes, &axes) ||
        !native_flag(c, 2, false, &keeps))
        return false;
    if (tensor_size(&now->value) == 0)
        return raise_error(c->m, ERROR_INDEX,
                           "%s(): Expected reduction dim to be specified for input.numel() == 0. "
                           "Specify the reduction dim with the 'dim' argument.",
                           c->native->name);
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, DTYPE_FLOAT32);
    return work_end(&work, build_reduce(&work.b, (enum op_kind)row_of(c)->kind, x, axes, keeps, 0),
                    DTYPE_INT64, NULL, ret);
}

/* amax, amin: (input, dim=(), keepdim=False) */
TORCH(run_extreme)
{
    struct work work;
    unsigned axes;
    bool keeps;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dims(c, 1, now->value.n_axes, &axes) ||
        !native_flag(c, 2, false, &keeps))
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    return work_end(&work, build_reduce(&work.b, (enum op_kind)row->kind, x, axes, keeps, 0),
                    t->dtype, row->grad_name, ret);
}

/* prod: (input, dim=None, keepdim=False): products of pairs, halving the axis, so that gradients
 * flow also through zeros */
TORCH(run_prod)
{
    struct work work;
    unsigned axis = 0;
    bool keeps;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_flag(c, 2, false, &keeps) ||
        (given(c, 1) && !native_dim(c, 1, now->value.n_axes, 0, &axis)))
        return false;
    enum dtype result = dtypes[t->dtype].category < CATEGORY_FLOAT ? DTYPE_INT64 : t->dtype;
    work_begin(&work, c->m);
    struct builder *b = &work.b;
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, result);
    size_t shape[TENSOR_MAX_AXES];
    if (x == NULL)
        return work_stop(&work, false);
    if (!given(c, 1))
        x = build_reshape(b, x, 1, (size_t[]){tensor_size(&x->value)});
    for (size_t n = x ? x->value.shape[axis] : 0; n > 1 && x != NULL;
         n = x ? x->value.shape[axis] : 0) {
        struct node *half = build2(b, OP_MUL, build_slice(b, x, axis, 0, n / 2),
                                   build_slice(b, x, axis, n / 2, n / 2));
        struct node *both[2] = {half, n % 2 ? build_slice(b, x, axis, n - 1, 1) : NULL};
        x = n % 2 ? build_many(b, OP_CAT, 2, both, 1, &(ptrdiff_t){axis}) : half;
    }
    if (x != NULL && x->value.shape[axis] == 0) {
        raise_error(c->m, ERROR_RUNTIME, "attn has no product of no numbers");
        return work_stop(&work, false);
    }
    if (x != NULL && !(keeps && given(c, 1))) {
        unsigned n = 0;
        for (unsigned i = 0; i < x->value.n_axes; i++)
            if (i != axis)
                shape[n++] = x->value.shape[i];
        x = build_reshape(b, x, n, shape);
    }
    return work_end(&work, x, result, given(c, 1) ? "ProdBackward1" : "ProdBackward0", ret);
}

/* norm: (input, p=2, dim=None, keepdim=False) */
TORCH(run_norm)
{
    struct work work;
    unsigned axes;
    bool keeps;
    double p = 2;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    bool is_name = c->args[1].kind == VALUE_STRING;
    if (now == NULL || (!is_name && !native_number(c, 1, 2, &p)) ||
        !native_dims(c, 2, now->value.n_axes, &axes) || !native_flag(c, 3, false, &keeps))
        return false;
    if (dtypes[t->dtype].category < CATEGORY_FLOAT)
        return raise_error(c->m, ERROR_RUNTIME,
                           "linalg.vector_norm: Expected a floating point or complex tensor as "
                           "input. Got %s",
                           dtypes[t->dtype].scalar);
    work_begin(&work, c->m);
    struct builder *b = &work.b;
    struct node *x = work_tensor(&work, t), *made;
    if (x == NULL)
        return work_stop(&work, false);
    if (isinf(p))
        made = build_reduce(b, p > 0 ? OP_MAX : OP_MIN, build1(b, OP_ABS, x), axes, keeps, 0);
    else if (p == 1)
        made = build_reduce(b, OP_SUM, build1(b, OP_ABS, x), axes, keeps, 0);
    else if (p == 2)
        made = build1(b, OP_SQRT, build_reduce(b, OP_SUM, build2(b, OP_MUL, x, x), axes, keeps, 0));
    else
        made = build2(b, OP_POW,
                      build_reduce(b, OP_SUM,
                                   build2(b, OP_POW, build1(b, OP_ABS, x), build_number(b, p)),
                                   axes, keeps, 0),
                      build_number(b, 1 / p));
    return work_end(&work, made, t->dtype, row_of(c)->grad_name, ret);
}

/* logsumexp: (input, dim, keepdim=False) */
TORCH(run_logsumexp)
{
    struct work work;
    unsigned axes;
    bool keeps;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dims(c, 1, now->value.n_axes, &axes) ||
        !native_flag(c, 2, false, &keeps))
        return false;
    work_begin(&work, c->m);
    struct builder *b = &work.b;
    enum dtype dtype = t->dtype;
    struct node *x = work_float(&work, work_tensor(&work, t), &dtype);
    struct node *most = build_reduce(b, OP_MAX, x, axes, true, 0);
    /* A row of -inf alone: take 0 as its largest, so that no NaN comes in. */
    if (most != NULL) {
        struct node *huge =
            build2(b, OP_EQ, build1(b, OP_ABS, most), build_number(b, (double)INFINITY));
        most = build1(b, OP_DETACH, build3(b, OP_WHERE, huge, build_number(b, 0), most));
    }
    struct node *sum =
        build_reduce(b, OP_SUM, build1(b, OP_EXP, build2(b, OP_SUB, x, most)), axes, true, 0);
    struct node *made = build2(b, OP_ADD, build1(b, OP_LOG, sum), most);
    if (made != NULL && !keeps)
        made = build_reduce(b, OP_SUM, made, axes, false, 0); /* of one number each */
    return work_end(&work, made, dtype, "LogsumexpBackward0", ret);
}

/* cumsum: (input, dim, dtype=None) */
TORCH(run_cumsum)
{
    struct work work;
    unsigned axis;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis))
        return false;
    enum dtype result = dtypes[t->dtype].category < CATEGORY_FLOAT ? DTYPE_INT64 : t->dtype;
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, result);
    if (x != NULL && x->value.n_axes > 0)
        x = build_ints(&work.b, OP_CUMSUM, x, 2, (ptrdiff_t[]){axis, 0}, 0);
    return work_end(&work, x, result, "CumsumBackward0", ret);
}

/* cumprod: (input, dim) */
TORCH(run_cumprod)
{
    struct work work;
    unsigned axis;
    struct node *parts[1 << 10] = {NULL};
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis))
        return false;
    enum dtype result = dtypes[t->dtype].category < CATEGORY_FLOAT ? DTYPE_INT64 : t->dtype;
    size_t n = now->value.n_axes > 0 ? now->value.shape[axis] : 0;
    if (n > COUNT_OF(parts))
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED,
                           "attn's cumprod() takes up to 1024 numbers");
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, result);
    for (size_t i = 0; i < n; i++) {
        parts[i] = x ? build_slice(&work.b, x, axis, i, 1) : NULL;
        if (i > 0)
            parts[i] = build2(&work.b, OP_MUL, parts[i - 1], parts[i]);
    }
    if (n > 0)
        x = build_many(&work.b, OP_CAT, (unsigned)n, parts, 1, &(ptrdiff_t){axis});
    return work_end(&work, x, result, "CumprodBackward0", ret);
}

/* ---- numbers in order ---- */

struct ranked {
    float number;
    size_t at;
};

/* NaN counts as the largest, as PyTorch sorts. */
static int rank(float a, float b)
{
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

static int rising(const void *p, const void *q)
{
    const struct ranked *a = p, *b = q;
    int order = rank(a->number, b->number);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int falling(const void *p, const void *q)
{
    const struct ranked *a = p, *b = q;
    int order = rank(b->number, a->number);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* Which places of the order along an axis are wanted. */
struct selection {
    unsigned axis;
    bool falls;
    size_t from, count; /* places in the order */
    bool drops;         /* the axis goes: count is 1 */
};

/* The numbers of x at these places and their positions along the axis, as two results. */
static bool select_ranked(struct native_call *c, struct tensor_thing *t, const struct selection *s,
                          const struct tuple_form *form, const char *grad_name, struct value *ret)
{
    struct work work;
    struct tensor dense = {0}, places = {0};
    size_t shape[TENSOR_MAX_AXES], kept[TENSOR_MAX_AXES], run = 1;
    struct value values, indices;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x == NULL)
        return work_stop(&work, false);
    unsigned n_axes = x->value.n_axes, n_kept = 0;
    size_t length = n_axes > 0 ? x->value.shape[s->axis] : 1;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        shape[axis] = axis == s->axis ? s->count : x->value.shape[axis];
        run *= axis > s->axis ? x->value.shape[axis] : 1;
        if (axis != s->axis || !s->drops)
            kept[n_kept++] = shape[axis];
    }
    bool ok = tensor_dense(&x->value, &dense, &work.error) &&
              tensor_empty(n_kept, kept, &places, &work.error);
    size_t n = ok ? tensor_size(&places) : 0, n_rows = s->count > 0 ? n / s->count : 0;
    struct ranked *order = malloc((length + 1) * sizeof *order);
    ptrdiff_t *from = malloc((n + 1) * sizeof *from);
    if (ok && (order == NULL || from == NULL))
        ok = raise_memory(c->m);
    for (size_t row = 0; ok && row < n_rows; row++) {
        size_t first = row / run * run * length + row % run;
        for (size_t i = 0; i < length; i++)
            order[i] = (struct ranked){dense.data[first + i * run], i};
        qsort(order, length, sizeof *order, s->falls ? falling : rising);
        for (size_t k = 0; k < s->count; k++) {
            size_t to = row / run * run * s->count + k * run + row % run;
            from[to] = (ptrdiff_t)(first + order[s->from + k].at * run);
            places.data[to] = (float)order[s->from + k].at;
        }
    }
    struct node *picked = ok ? work_pick(&work, x, n_kept, kept, from, n) : NULL;
    free(order);
    free(from);
    tensor_release(&dense);
    if (picked == NULL) {
        tensor_release(&places);
        return work_stop(&work, false);
    }
    if (!work_end(&work, picked, t->dtype, grad_name, &values)) {
        tensor_release(&places);
        return false;
    }
    if (!tensor_make_leaf(c->m, &places, DTYPE_INT64, &indices)) {
        value_drop(values);
        return false;
    }
    return make_results(c->m, form, values, indices, ret);
}

/* max(x), max(x, dim, keepdim), max(x, other): kind is OP_MAX or OP_MIN */
TORCH(run_max)
{
    static const struct tuple_form forms[2] = {
        {"torch.return_types.max", {"values", "indices", NULL}},
        {"torch.return_types.min", {"values", "indices", NULL}}};
    bool keeps, is_min = row_of(c)->kind == OP_MIN;
    struct work work;
    unsigned axis;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_form(c->m, t) : NULL;
    if (now == NULL)
        return false;
    if (is_tensor(c->args[1]) || given(c, 3))
        return torch_binary(c->m, is_min ? OP_MINIMUM : OP_MAXIMUM, c->args[0],
                            given(c, 3) ? c->args[3] : c->args[1], 1,
                            is_min ? "MinimumBackward0" : "MaximumBackward0", ret);
    if (!given(c, 1)) {
        if (tensor_size(&now->value) == 0)
            return raise_error(c->m, ERROR_RUNTIME,
                               "%s(): Expected reduction dim to be specified for input.numel() == "
                               "0. Specify the reduction dim with the 'dim' argument.",
                               c->native->name);
        work_begin(&work, c->m);
        struct node *x = work_tensor(&work, t);
        return work_end(&work, build_reduce(&work.b, is_min ? OP_MIN : OP_MAX, x, 0, false, 0),
                        t->dtype, is_min ? "MinBackward1" : "MaxBackward1", ret);
    }
    if (!native_dim(c, 1, now->value.n_axes, 0, &axis) || !native_flag(c, 2, false, &keeps))
        return false;
    if (now->value.n_axes > 0 && now->value.shape[axis] == 0)
        return raise_error(c->m, ERROR_INDEX,
                           "%s(): Expected reduction dim %u to have non-zero size.",
                           c->native->name, axis);
    struct selection s = {.axis = axis, .falls = !is_min, .count = 1, .drops = !keeps};
    return select_ranked(c, t, &s, &forms[is_min], is_min ? "MinBackward0" : "MaxBackward0", ret);
}

/* sort(x, dim=-1, descending=False) */
TORCH(run_sort)
{
    static const struct tuple_form form = {"torch.return_types.sort", {"values", "indices", NULL}};
    struct selection s = {0};
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dim(c, 1, now->value.n_axes, -1, &s.axis) ||
        !native_flag(c, 2, false, &s.falls))
        return false;
    s.count = now->value.n_axes > 0 ? now->value.shape[s.axis] : 1;
    if (!select_ranked(c, t, &s, &form, "SortBackward0", ret))
        return false;
    if (row_of(c)->kind == 0)
        return true;
    struct value both = *ret; /* argsort */
    *ret = value_take(THING_AS(tuple, both)->items[1]);
    value_drop(both);
    return true;
}

/* topk(x, k, dim=-1, largest=True, sorted=True) */
TORCH(run_topk)
{
    static const struct tuple_form form = {"torch.return_types.topk", {"values", "indices", NULL}};
    struct selection s = {0};
    int64_t k;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_whole(c, 1, 1, &k) ||
        !native_dim(c, 2, now->value.n_axes, -1, &s.axis) || !native_flag(c, 3, true, &s.falls))
        return false;
    size_t length = now->value.n_axes > 0 ? now->value.shape[s.axis] : 1;
    if (k < 0 || (size_t)k > length)
        return raise_error(c->m, ERROR_RUNTIME, "selected index k out of range");
    s.count = (size_t)k;
    return select_ranked(c, t, &s, &form, "TopkBackward0", ret);
}

/* median(x, dim, keepdim): the lower of the two in the middle; kthvalue(x, k, dim, keepdim) */
TORCH(run_middle)
{
    static const struct tuple_form forms[2] = {
        {"torch.return_types.median", {"values", "indices", NULL}},
        {"torch.return_types.kthvalue", {"values", "indices", NULL}}};
    bool is_kth = row_of(c)->kind != 0, keeps;
    size_t dim = is_kth ? 2 : 1;
    struct selection s = {.count = 1};
    int64_t k = 1;
    struct value flat = value_absent();
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || (is_kth && !native_whole(c, 1, 1, &k)) ||
        !native_dim(c, dim, now->value.n_axes, -1, &s.axis) ||
        !native_flag(c, dim + 1, false, &keeps))
        return false;
    bool all = !is_kth && !given(c, 1);
    if (all) {
        ptrdiff_t size = (ptrdiff_t)tensor_size(&now->value);
        if (!tensor_make_view(c->m, t, OP_RESHAPE, 1, &size, "ViewBackward0", &flat))
            return false;
        t = as_tensor(flat);
        s.axis = 0;
        now = tensor_node(c->m, t);
    }
    size_t length = now->value.n_axes > 0 ? now->value.shape[s.axis] : 1;
    if (length == 0 || k < 1 || (size_t)k > length) {
        value_drop(flat);
        return raise_error(c->m, ERROR_RUNTIME,
                           "%s(): selected number k out of range for dimension "
                           "%u",
                           c->native->name, s.axis);
    }
    s.from = is_kth ? (size_t)k - 1 : (length - 1) / 2;
    s.drops = all || !keeps;
    bool ok = select_ranked(c, t, &s, &forms[is_kth],
                            is_kth ? "KthvalueBackward0" : "MedianBackward0", ret);
    value_drop(flat);
    if (ok && all) {
        struct value both = *ret;
        *ret = value_take(THING_AS(tuple, both)->items[0]);
        value_drop(both);
    }
    return ok;
}

/* ---- which are there ---- */

/* unique(x): the numbers in rising order. (input, sorted=True, return_inverse, return_counts) */
TORCH(run_unique)
{
    bool inverse, counts;
    struct error error = {0};
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    if (x == NULL || !native_flag(c, 2, false, &inverse) || !native_flag(c, 3, false, &counts))
        return false;
    size_t n = tensor_size(&x->value), n_values = 0;
    struct ranked *order = malloc((n + 1) * sizeof *order);
    struct tensor tensors[3] = {{0}};
    if (order == NULL)
        return raise_memory(c->m);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked){tensor_at_position(&x->value, i), i};
    qsort(order, n, sizeof *order, rising);
    for (size_t i = 0; i < n; i++)
        n_values += i == 0 || order[i].number != order[i - 1].number;
    bool ok = tensor_empty(1, &n_values, &tensors[0], &error) &&
              tensor_empty(x->value.n_axes, x->value.shape, &tensors[1], &error) &&
              tensor_zeros(1, &n_values, &tensors[2], &error);
    for (size_t i = 0, k = 0; ok && i < n; i++) {
        k += i > 0 && order[i].number != order[i - 1].number;
        tensors[0].data[k] = order[i].number;
        tensors[1].data[order[i].at] = (float)k;
        tensors[2].data[k]++;
    }
    free(order);
    if (!ok)
        raise_graph_error(c->m, &error);
    struct value items[3];
    bool wanted[3] = {true, inverse, counts};
    size_t n_items = 0;
    for (size_t i = 0; i < 3; i++) {
        if (ok && wanted[i])
            ok = tensor_make_leaf(c->m, &tensors[i], i == 0 ? t->dtype : DTYPE_INT64,
                                  &items[n_items++]);
        else
            tensor_release(&tensors[i]);
    }
    n_items -= !ok && n_items > 0;
    if (ok && n_items == 1)
        *ret = value_take(items[0]);
    else if (ok)
        ok = make_tuple(c->m, items, n_items, ret);
    for (size_t i = 0; i < n_items; i++)
        value_drop(items[i]);
    return ok;
}

/* nonzero(x, as_tuple=False) */
TORCH(run_nonzero)
{
    bool as_tuple, ok = true;
    struct error error = {0};
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    if (x == NULL || !native_flag(c, 1, false, &as_tuple))
        return false;
    const struct tensor like = x->value;
    size_t n = tensor_size(&like), count = 0, index[TENSOR_MAX_AXES], shape[2];
    for (size_t i = 0; i < n; i++)
        count += tensor_at_position(&like, i) != 0;
    unsigned n_made = as_tuple ? like.n_axes : 1;
    struct tensor made[TENSOR_MAX_AXES] = {{0}};
    shape[0] = count;
    shape[1] = like.n_axes;
    for (unsigned k = 0; ok && k < n_made; k++)
        ok = tensor_empty(as_tuple ? 1 : 2, shape, &made[k], &error);
    for (size_t i = 0, next = 0; ok && i < n; i++) {
        if (tensor_at_position(&like, i) == 0)
            continue;
        tensor_index_of(&like, i, index);
        for (unsigned axis = 0; axis < like.n_axes; axis++)
            if (as_tuple)
                made[axis].data[next] = (float)index[axis];
            else
                made[0].data[next * like.n_axes + axis] = (float)index[axis];
        next++;
    }
    if (!ok)
        raise_graph_error(c->m, &error);
    struct value items[TENSOR_MAX_AXES];
    unsigned n_items = 0;
    for (unsigned k = 0; k < n_made; k++)
        if (ok && (ok = tensor_make_leaf(c->m, &made[k], DTYPE_INT64, &items[n_items])))
            n_items++;
        else
            tensor_release(&made[k]);
    if (ok && !as_tuple)
        *ret = value_take(items[0]);
    else if (ok)
        ok = make_tuple(c->m, items, n_items, ret);
    for (unsigned k = 0; k < n_items; k++)
        value_drop(items[k]);
    return ok;
}

/* bincount(x, weights=None, minlength=0) */
TORCH(run_bincount)
{
    int64_t least;
    struct error error = {0};
    struct tensor made;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *x = t ? tensor_node(c->m, t) : NULL;
    if (x == NULL || !native_whole(c, 2, 0, &least))
        return false;
    if (given(c, 1))
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED, "attn's bincount() takes no weights");
    size_t n = tensor_size(&x->value), count = least > 0 ? (size_t)least : 0;
    for (size_t i = 0; i < n; i++) {
        float number = tensor_at_position(&x->value, i);
        if (!(number >= 0))
            return raise_error(c->m, ERROR_RUNTIME,
                               "bincount only supports 1-d non-negative integral inputs.");
        count = (size_t)number >= count ? (size_t)number + 1 : count;
    }
    if (!tensor_zeros(1, &count, &made, &error))
        return raise_graph_error(c->m, &error);
    for (size_t i = 0; i < n; i++)
        made.data[(size_t)tensor_at_position(&x->value, i)]++;
    return tensor_make_leaf(c->m, &made, DTYPE_INT64, ret);
}

/* ---- the table ---- */

#define DIMS "dim=None", "keepdim=False"

static const struct torch_row rows[] = {
    {{"sum", {"input", DIMS, "dtype=None"}, run_total}, IN_BOTH, OP_SUM, "SumBackward0"},
    {{"mean", {"input", DIMS, "dtype=None"}, run_total}, IN_BOTH, OP_MEAN, "MeanBackward0"},
    {{"var",
      {"input", "dim=None", "unbiased=True", "keepdim=False", "correction=None"},
      run_spread},
     IN_BOTH,
     OP_VAR,
     "VarBackward0"},
    {{"std",
      {"input", "dim=None", "unbiased=True", "keepdim=False", "correction=None"},
      run_spread},
     IN_BOTH,
     OP_STD,
     "StdBackward0"},
    {{"all", {"input", DIMS}, run_decision}, IN_BOTH, OP_ALL, NULL},
    {{"any", {"input", DIMS}, run_decision}, IN_BOTH, OP_ANY, NULL},
    {{"argmax", {"input", DIMS}, run_place}, IN_BOTH, OP_ARGMAX, NULL},
    {{"argmin", {"input", DIMS}, run_place}, IN_BOTH, OP_ARGMIN, NULL},
    {{"amax", {"input", "dim=()", "keepdim=False"}, run_extreme}, IN_BOTH, OP_MAX, "AmaxBackward0"},
    {{"amin", {"input", "dim=()", "keepdim=False"}, run_extreme}, IN_BOTH, OP_MIN, "AminBackward0"},
    {{"prod", {"input", DIMS}, run_prod}, IN_BOTH, 0, "ProdBackward0"},
    {{"norm", {"input", "p=2", DIMS}, run_norm}, IN_BOTH, 0, "NormBackward1"},
    {{"logsumexp", {"input", "dim", "keepdim=False"}, run_logsumexp},
     IN_BOTH,
     0,
     "LogsumexpBackward0"},
    {{"cumsum", {"input", "dim", "*", "dtype=None"}, run_cumsum}, IN_BOTH, 0, "CumsumBackward0"},
    {{"cumprod", {"input", "dim", "*", "dtype=None"}, run_cumprod}, IN_BOTH, 0, "CumprodBackward0"},
    {{"max", {"input", "dim=None", "keepdim=False", "other=None"}, run_max}, IN_BOTH, OP_MAX, NULL},
    {{"min", {"input", "dim=None", "keepdim=False", "other=None"}, run_max}, IN_BOTH, OP_MIN, NULL},
    {{"sort", {"input", "dim=-1", "descending=False", "stable=False"}, run_sort}, IN_BOTH, 0, NULL},
    {{"argsort", {"input", "dim=-1", "descending=False", "stable=False"}, run_sort},
     IN_BOTH,
     1,
     NULL},
    {{"topk", {"input", "k", "dim=-1", "largest=True", "sorted=True"}, run_topk}, IN_BOTH, 0, NULL},
    {{"median", {"input", DIMS}, run_middle}, IN_BOTH, 0, NULL},
    {{"kthvalue", {"input", "k", "dim=-1", "keepdim=False"}, run_middle}, IN_BOTH, 1, NULL},
    {{"unique",
      {"input", "sorted=True", "return_inverse=False", "return_counts=False"},
      run_unique},
     IN_BOTH,
     0,
     NULL},
    {{"nonzero", {"input", "as_tuple=False"}, run_nonzero}, IN_BOTH, 0, NULL},
    {{"bincount", {"input", "weights=None", "minlength=0"}, run_bincount}, IN_BOTH, 0, NULL},
};

const struct torch_table torch_reductions = {rows, COUNT_OF(rows)};
