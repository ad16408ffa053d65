/* Functions of torch that work number by number, and the operators of tensors. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "graph/layers.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"

/* ---- one number ---- */

/* The same kind of number comes out: neg, abs, sign, floor. */
TORCH(same_unary)
{
    struct work work;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    if (row->kind == OP_NEG && t->dtype == DTYPE_BOOL)
        return raise_error(c->m, ERROR_RUNTIME,
                           "Negation, the `-` operator, on a bool tensor is not supported. If you "
                           "are trying to invert a mask, use the `~` or `logical_not()` operator "
                           "instead.");
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype,
                               t->dtype == DTYPE_BOOL ? DTYPE_INT64 : t->dtype);
    if (x != NULL)
        x = build1(&work.b, (enum op_kind)row->kind, x);
    return work_end(&work, x, t->dtype, row->grad_name, ret);
}

/* Floats come out, also of whole numbers: exp, sqrt, tanh. */
TORCH(float_unary)
{
    struct work work;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    enum dtype dtype = t->dtype;
    work_begin(&work, c->m);
    struct node *x = work_float(&work, work_tensor(&work, t), &dtype);
    switch (row->kind) {
    case OP_SIGMOID:
        x = build_sigmoid(&work.b, x);
        break;
    case OP_SILU:
        x = build_silu(&work.b, x);
        break;
    case OP_DIV: /* reciprocal */
        x = build2(&work.b, OP_DIV, build_number(&work.b, 1), x);
        break;
    case OP_POW: /* rsqrt */
        x = build2(&work.b, OP_DIV, build_number(&work.b, 1), build1(&work.b, OP_SQRT, x));
        break;
    default:
        x = build1(&work.b, (enum op_kind)row->kind, x);
        break;
    }
    return work_end(&work, x, dtype, row->grad_name, ret);
}

/* Functions whose numbers come from the C library, and whose gradient from a formula of steps. */
enum exact {
    EXACT_LOG2,
    EXACT_LOG10,
    EXACT_LOG1P,
    EXACT_EXPM1,
    EXACT_TAN,
    EXACT_ATAN,
    EXACT_ASIN,
    EXACT_ACOS,
    EXACT_SINH,
    EXACT_COSH,
    EXACT_EXP2,
    EXACT_SOFTPLUS,
    EXACT_CEIL,
    EXACT_TRUNC,
    EXACT_FRAC,
    EXACT_ROUND
};

static double exact_of(enum exact f, double x)
{
    switch (f) {
    case EXACT_LOG2:
        return log2(x);
    case EXACT_LOG10:
        return log10(x);
    case EXACT_LOG1P:
        return log1p(x);
    case EXACT_EXPM1:
        return expm1(x);
    case EXACT_TAN:
        return tan(x);
    case EXACT_ATAN:
        return atan(x);
    case EXACT_ASIN:
        return asin(x);
    case EXACT_ACOS:
        return acos(x);
    case EXACT_SINH:
        return sinh(x);
    case EXACT_COSH:
        return cosh(x);
    case EXACT_EXP2:
        return exp2(x);
    case EXACT_SOFTPLUS:
        return x > 20 ? x : log1p(exp(x));
    case EXACT_CEIL:
        return ceil(x);
    case EXACT_TRUNC:
        return trunc(x);
    case EXACT_FRAC:
        return x - trunc(x);
    case EXACT_ROUND:
        return rint(x);
    }
    return x;
}

/* The last step of the formula, whose gradient is right: its operation and its operands. */
static bool exact_step(struct work *work, enum exact f, struct node *x, enum op_kind *ret,
                       struct node *ret_parents[2])
{
    struct builder *b = &work->b;
    struct node *e;
    ret_parents[1] = NULL;
    switch (f) {
    case EXACT_LOG2:
    case EXACT_LOG10:
        *ret = OP_DIV;
        ret_parents[0] = build1(b, OP_LOG, x);
        ret_parents[1] = build_number(b, f == EXACT_LOG2 ? log(2) : log(10));
        return true;
    case EXACT_LOG1P:
        *ret = OP_LOG;
        ret_parents[0] = build2(b, OP_ADD, x, build_number(b, 1));
        return true;
    case EXACT_EXPM1:
        *ret = OP_SUB;
        ret_parents[0] = build1(b, OP_EXP, x);
        ret_parents[1] = build_number(b, 1);
        return true;
    case EXACT_TAN:
        *ret = OP_DIV;
        ret_parents[0] = build1(b, OP_SIN, x);
        ret_parents[1] = build1(b, OP_COS, x);
        return true;
    case EXACT_SINH:
    case EXACT_COSH:
        e = build2(b, OP_DIV, build_number(b, 0.5), build1(b, OP_EXP, x));
        *ret = f == EXACT_SINH ? OP_SUB : OP_ADD;
        ret_parents[0] = build2(b, OP_MUL, build_number(b, 0.5), build1(b, OP_EXP, x));
        ret_parents[1] = e;
        return true;
    case EXACT_EXP2:
        *ret = OP_POW;
        ret_parents[0] = build_number(b, 2);
        ret_parents[1] = x;
        return true;
    case EXACT_SOFTPLUS:
        *ret = OP_LOG;
        ret_parents[0] = build2(b, OP_ADD, build_number(b, 1), build1(b, OP_EXP, x));
        return true;
    case EXACT_FRAC:
        *ret = OP_SUB;
        ret_parents[0] = x;
        ret_parents[1] = build1(b, OP_FLOOR, x);
        return true;
    case EXACT_CEIL:
    case EXACT_TRUNC:
    case EXACT_ROUND:
        *ret = OP_FLOOR;
        ret_parents[0] = x;
        return true;
    default:
        return false;
    }
}

TORCH(exact_unary)
{
    struct work work;
    struct tensor numbers;
    struct node *parents[2] = {NULL};
    const struct torch_row *row = row_of(c);
    enum exact f = (enum exact)row->kind;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    enum dtype dtype = t->dtype;
    bool keeps = f == EXACT_CEIL || f == EXACT_TRUNC || f == EXACT_FRAC || f == EXACT_ROUND;
    int64_t decimals = 0;
    if (f == EXACT_ROUND && !native_whole(c, 1, 0, &decimals))
        return false;
    double scale = pow(10, (double)decimals);
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *made = NULL;
    x = keeps ? work_cast(&work, x, dtype, dtype) : work_float(&work, x, &dtype);
    if (x == NULL || !tensor_copy(&x->value, &numbers, &work.error))
        return work_stop(&work, false);
    numbers.is_bool = false;
    size_t n = tensor_size(&numbers);
    for (size_t i = 0; i < n; i++)
        numbers.data[i] = (float)(exact_of(f, (double)numbers.data[i] * scale) / scale);
    enum op_kind kind;
    if (exact_step(&work, f, x, &kind, parents)) {
        made = work_given(&work, kind, parents[1] != NULL ? 2 : 1, parents, &numbers);
    } else if (work.tracks) {
        tensor_release(&numbers);
        raise_error(c->m, ERROR_NOT_IMPLEMENTED, "attn has no gradient for %s() yet",
                    row->native.name);
        return work_stop(&work, false);
    } else {
        made = build_input(&work.b, &numbers, row->native.name);
    }
    bool has_decimals = f == EXACT_ROUND && c->args[1].kind != VALUE_ABSENT;
    return work_end(&work, made, dtype, has_decimals ? "RoundBackward1" : row->grad_name, ret);
}

enum question { IS_NAN, IS_INF, IS_FINITE };

TORCH(run_question)
{
    struct work work;
    int which = row_of(c)->kind;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    work_begin(&work, c->m);
    struct builder *b = &work.b;
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, DTYPE_FLOAT32);
    struct node *size = build1(b, OP_ABS, x), *infinite = build_number(b, (double)INFINITY);
    struct node *made = which == IS_NAN   ? build2(b, OP_NE, x, x)
                        : which == IS_INF ? build2(b, OP_EQ, size, infinite)
                                          : build2(b, OP_LT, size, infinite);
    return work_end(&work, made, DTYPE_BOOL, NULL, ret);
}

TORCH(run_logical_not)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    return work_end(&work, x ? build1(&work.b, OP_NOT, x) : NULL, DTYPE_BOOL, NULL, ret);
}

/* Two whole numbers: the result is whole too, and numbers below int64 stay what they are. */
static bool are_whole(struct value a, struct value b)
{
    struct value both[2] = {a, b};
    for (size_t i = 0; i < 2; i++)
        if (is_tensor(both[i]) ? dtypes[as_tensor(both[i])->dtype].category > CATEGORY_WHOLE
                               : both[i].kind == VALUE_FLOAT)
            return false;
    return true;
}

/* clamp(min, max): a number that is cut off gets no gradient, one at the bound does. */
TORCH(run_clamp)
{
    struct work work;
    const struct torch_row *row = row_of(c);
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    if (!given(c, 1) && !given(c, 2))
        return raise_error(c->m, ERROR_RUNTIME,
                           "torch.clamp: At least one of 'min' or 'max' must not be None");
    work_begin(&work, c->m);
    c->m->torch->takes_below = are_whole(c->args[1], c->args[2]);
    struct node *x = work_tensor(&work, t), *bounds[2] = {NULL};
    c->m->torch->takes_below = false;
    for (int i = 0; i < 2 && x != NULL; i++)
        if (given(c, (size_t)i + 1))
            bounds[i] = work_operand(&work, c->args[i + 1]);
    enum dtype dtype = work.b.failed ? t->dtype : promoted(&work.promotion);
    x = work_cast(&work, x, t->dtype, dtype);
    for (int i = 0; i < 2; i++)
        if (bounds[i] != NULL && x != NULL)
            x = build3(&work.b, OP_WHERE, build2(&work.b, i == 0 ? OP_LT : OP_GT, x, bounds[i]),
                       bounds[i], x);
    return work_end(&work, x, dtype, row->grad_name, ret);
}

/* ---- two numbers ---- */

static bool is_number(struct value v)
{
    return v.kind == VALUE_BOOL || v.kind == VALUE_INT || v.kind == VALUE_FLOAT;
}

static double floor_divide(double a, double b)
{
    double r = fmod(a, b);
    if (r != 0 && (b < 0) != (r < 0))
        r += b;
    return b == 0 ? a / b : floor((a - r) / b + 0.5);
}

static double remainder_of(double a, double b)
{
    double r = fmod(a, b);
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}

static double truncated(double a, double b)
{
    return trunc(a / b);
}

static double both_bits(double a, double b)
{
    return (double)((int64_t)a & (int64_t)b);
}
static double either_bit(double a, double b)
{
    return (double)((int64_t)a | (int64_t)b);
}
static double one_bit(double a, double b)
{
    return (double)((int64_t)a ^ (int64_t)b);
}
static double shifted_left(double a, double b)
{
    return ldexp(a, (int)b);
}
static double shifted_right(double a, double b)
{
    return floor(ldexp(a, -(int)b));
}

/* f of each pair of numbers of a and b, which broadcast. */
static bool numbers_of_two(struct work *work, double (*f)(double, double), struct node *a,
                           struct node *b, struct tensor *ret)
{
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES];
    struct tensor x, y;
    if (a == NULL || b == NULL || !work_broadcasts(work, a, b) ||
        !tensor_broadcast_shape(&a->value, &b->value, &n_axes, shape, &work->error) ||
        !tensor_empty(n_axes, shape, ret, &work->error))
        return false;
    bool ok = tensor_broadcast(&a->value, n_axes, shape, &x, &work->error);
    if (ok && !tensor_broadcast(&b->value, n_axes, shape, &y, &work->error)) {
        tensor_release(&x);
        ok = false;
    }
    size_t n = tensor_size(ret);
    for (size_t i = 0; ok && i < n; i++)
        ret->data[i] =
            (float)f((double)tensor_at_position(&x, i), (double)tensor_at_position(&y, i));
    if (ok) {
        tensor_release(&x);
        tensor_release(&y);
    } else {
        tensor_release(ret);
    }
    return ok;
}

/* Operations that the graph does not have as one step. */
enum pairwise {
    PAIR_FLOOR = OP_COUNT,
    PAIR_REMAINDER,
    PAIR_FMOD,
    PAIR_TRUNC,
    PAIR_ATAN2,
    PAIR_AND,
    PAIR_OR,
    PAIR_XOR,
    PAIR_LEFT,
    PAIR_RIGHT
};

static struct node *pairwise(struct work *work, int kind, struct node *a, struct node *b,
                             enum dtype dtype)
{
    static double (*const functions[])(double, double) = {
        [PAIR_FLOOR - OP_COUNT] = floor_divide, [PAIR_REMAINDER - OP_COUNT] = remainder_of,
        [PAIR_FMOD - OP_COUNT] = fmod,          [PAIR_TRUNC - OP_COUNT] = truncated,
        [PAIR_ATAN2 - OP_COUNT] = atan2,        [PAIR_AND - OP_COUNT] = both_bits,
        [PAIR_OR - OP_COUNT] = either_bit,      [PAIR_XOR - OP_COUNT] = one_bit,
        [PAIR_LEFT - OP_COUNT] = shifted_left,  [PAIR_RIGHT - OP_COUNT] = shifted_right,
    };
    struct tensor numbers;
    bool divides = kind <= PAIR_TRUNC, whole = dtypes[dtype].category <= CATEGORY_WHOLE;
    if (a == NULL || b == NULL)
        return NULL;
    if (divides && whole) {
        size_t n = tensor_size(&b->value);
        for (size_t i = 0; i < n; i++)
            if (tensor_at_position(&b->value, i) == 0) {
                work->b.failed = true;
                raise_error(work->m, ERROR_RUNTIME, "ZeroDivisionError");
                return NULL;
            }
    }
    if (!numbers_of_two(work, functions[kind - OP_COUNT], a, b, &numbers)) {
        work->b.failed = true;
        return NULL;
    }
    if (!work->tracks)
        return build_input(&work->b, &numbers, "the cell");
    struct node *quotient = build2(&work->b, OP_DIV, a, b);
    if (kind == PAIR_FLOOR || kind == PAIR_TRUNC)
        return work_given(work, OP_FLOOR, 1, &quotient, &numbers);
    if (kind == PAIR_REMAINDER || kind == PAIR_FMOD) {
        struct node *parents[2] = {
            a, build2(&work->b, OP_MUL, b, build1(&work->b, OP_FLOOR, quotient))};
        return work_given(work, OP_SUB, 2, parents, &numbers);
    }
    tensor_release(&numbers);
    work->b.failed = true;
    raise_error(work->m, ERROR_NOT_IMPLEMENTED, "attn has no gradient for atan2() yet");
    return NULL;
}

static bool is_comparison(int kind)
{
    return kind >= OP_EQ && kind <= OP_GE;
}

static bool unsupported(struct machine *m, const char *name)
{
    return raise_error(m, ERROR_RUNTIME, "\"%s_cpu\" not implemented for 'Float'", name);
}

/* (a + bi)(c + di), a pair of numbers along the last axis. */
static struct node *complex_product(struct work *work, struct node *a, struct node *b)
{
    struct builder *k = &work->b;
    struct node *parts[4] = {NULL}, *both[2];
    struct node *sides[2] = {a, b};
    for (int i = 0; i < 2; i++)
        for (size_t part = 0; part < 2; part++)
            parts[2 * i + (int)part] =
                sides[i] ? build_slice(k, sides[i], sides[i]->value.n_axes - 1, part, 1) : NULL;
    both[0] = build2(k, OP_SUB, build2(k, OP_MUL, parts[0], parts[2]),
                     build2(k, OP_MUL, parts[1], parts[3]));
    both[1] = build2(k, OP_ADD, build2(k, OP_MUL, parts[0], parts[3]),
                     build2(k, OP_MUL, parts[1], parts[2]));
    if (both[0] == NULL)
        return NULL;
    return build_many(k, OP_CAT, 2, both, 1, &(ptrdiff_t){both[0]->value.n_axes - 1});
}

static bool complex_binary(struct work *work, int kind, struct value a, struct value b,
                           struct node *x, struct node *y, const char *grad_name, struct value *ret)
{
    bool x_is = is_tensor(a) && as_tensor(a)->dtype == DTYPE_COMPLEX64;
    bool y_is = is_tensor(b) && as_tensor(b)->dtype == DTYPE_COMPLEX64;
    struct node **sides[2] = {&x, &y};
    bool is[2] = {x_is, y_is};
    struct node *made = NULL;
    for (int i = 0; i < 2 && x != NULL && y != NULL; i++) {
        if (is[i])
            continue;
        size_t shape[TENSOR_MAX_AXES + 1];
        unsigned n = (*sides[i])->value.n_axes;
        memcpy(shape, (*sides[i])->value.shape, n * sizeof *shape);
        shape[n] = 1;
        if (n < TENSOR_MAX_AXES)
            *sides[i] = build_reshape(&work->b, *sides[i], n + 1, shape);
    }
    if (kind == OP_MUL && x_is && y_is)
        made = complex_product(work, x, y);
    else if ((kind == OP_MUL && (x_is || y_is)) || (kind == OP_DIV && !y_is) ||
             ((kind == OP_ADD || kind == OP_SUB) && x_is && y_is))
        made = build2(&work->b, (enum op_kind)kind, x, y);
    else if (x != NULL && y != NULL)
        raise_error(work->m, ERROR_NOT_IMPLEMENTED,
                    "attn multiplies and adds complex tensors; write the rest with "
                    "torch.view_as_real(x)");
    return made != NULL ? work_end(work, made, DTYPE_COMPLEX64, grad_name, ret)
                        : work_stop(work, false);
}

/* Whether x + value * a * b may be computed at once: nobody keeps the steps in between, and the
 * numbers lie side by side. */
static bool is_fused(const struct work *work, enum dtype dtype, const struct node *x,
                     const struct node *a, const struct node *b)
{
    return !work->tracks && !work->m->torch->keeps_history && !work->b.failed && x != NULL &&
           a != NULL && b != NULL && dtypes[dtype].category == CATEGORY_FLOAT &&
           !x->value.is_bool && !a->value.is_bool && !b->value.is_bool &&
           tensor_same_shape(&x->value, &a->value) && tensor_same_shape(&x->value, &b->value) &&
           tensor_is_dense(&x->value) && tensor_is_dense(&a->value) && tensor_is_dense(&b->value);
}

/* x + value * a * b with one rounding at the end, as PyTorch's kernels do it; b NULL: 1. A product
 * of two float32 is exact as a double. */
static struct node *fused(struct work *work, const struct node *x, const struct node *a,
                          const struct node *b, double value)
{
    struct tensor made;
    float factor = (float)value;
    const float *p = x->value.data, *q = a->value.data;
    if (!tensor_empty(x->value.n_axes, x->value.shape, &made, &work->error)) {
        work->b.failed = true;
        return NULL;
    }
    for (size_t i = 0, n = tensor_size(&made); i < n; i++) {
        float scaled = b != NULL ? factor * q[i] : factor, by = b != NULL ? b->value.data[i] : q[i];
        made.data[i] = (float)((double)p[i] + (double)scaled * (double)by);
    }
    return build_input(&work->b, &made, "add");
}

/* Operations that leave the numbers below int64 where they are. */
static bool keeps_below(int kind)
{
    return kind == OP_ADD || kind == OP_SUB || kind == OP_MINIMUM || kind == OP_MAXIMUM ||
           is_comparison(kind);
}

bool torch_binary(struct machine *m, enum op_kind op, struct value a, struct value b, double alpha,
                  const char *grad_name, struct value *ret)
{
    struct work work;
    int kind = (int)op;
    work_begin(&work, m);
    m->torch->takes_below = keeps_below(kind) && alpha == 1 && are_whole(a, b);
    struct node *x = work_operand(&work, a), *y = x ? work_operand(&work, b) : NULL;
    m->torch->takes_below = false;
    if (x == NULL || y == NULL)
        return work_stop(&work, false);
    enum dtype dtype = promoted(&work.promotion);
    if (dtype == DTYPE_COMPLEX64)
        return complex_binary(&work, kind, a, b, x, y, grad_name, ret);
    if (!work_broadcasts(&work, x, y))
        return work_stop(&work, false);
    bool has_bool = (is_tensor(a) ? as_tensor(a)->dtype == DTYPE_BOOL : a.kind == VALUE_BOOL) ||
                    (is_tensor(b) ? as_tensor(b)->dtype == DTYPE_BOOL : b.kind == VALUE_BOOL);
    if (kind == OP_SUB && dtype == DTYPE_BOOL) {
        raise_error(m, ERROR_RUNTIME,
                    "Subtraction, the `-` operator, with two bool tensors is not supported. Use "
                    "the `^` or `logical_xor()` operator instead.");
        return work_stop(&work, false);
    }
    if (kind == OP_SUB && has_bool) {
        raise_error(m, ERROR_RUNTIME,
                    "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
                    "are trying to invert a mask, use the `~` or `logical_not()` operator "
                    "instead.");
        return work_stop(&work, false);
    }
    if (kind >= PAIR_AND && dtypes[dtype].category > CATEGORY_WHOLE) {
        unsupported(m, kind == PAIR_AND  ? "bitwise_and"
                       : kind == PAIR_OR ? "bitwise_or"
                                         : "bitwise_xor");
        return work_stop(&work, false);
    }
    enum dtype result = dtype;
    if (kind == OP_DIV || kind == PAIR_ATAN2) {
        x = work_cast(&work, x, dtype, DTYPE_FLOAT32);
        y = work_cast(&work, y, dtype, DTYPE_FLOAT32);
        result = dtypes[dtype].category < CATEGORY_FLOAT ? m->torch->default_dtype : dtype;
    }
    bool logical = kind == OP_AND || kind == OP_OR;
    if (dtype == DTYPE_BOOL && kind >= PAIR_AND && kind <= PAIR_XOR) {
        kind = kind == PAIR_AND ? OP_AND : kind == PAIR_OR ? OP_OR : OP_NE;
    } else if (dtype != DTYPE_BOOL && !logical) {
        x = x != NULL && x->value.is_bool ? build1(&work.b, OP_TO_FLOAT, x) : x;
        y = y != NULL && y->value.is_bool ? build1(&work.b, OP_TO_FLOAT, y) : y;
    }
    if (alpha != 1 && (kind == OP_ADD || kind == OP_SUB) && is_fused(&work, dtype, x, y, y))
        return work_end(&work, fused(&work, x, y, NULL, kind == OP_SUB ? -alpha : alpha), dtype,
                        NULL, ret);
    if (alpha != 1)
        y = build2(&work.b, OP_MUL, y, build_number(&work.b, alpha));
    if (kind == OP_POW && dtypes[dtype].category == CATEGORY_WHOLE && is_number(b) &&
        b.kind == VALUE_INT && b.as.whole < 0) {
        raise_error(m, ERROR_RUNTIME, "Integers to negative integer powers are not allowed.");
        return work_stop(&work, false);
    }
    struct node *made = kind >= (int)OP_COUNT ? pairwise(&work, kind, x, y, dtype)
                                              : build2(&work.b, (enum op_kind)kind, x, y);
    if (is_comparison(kind) || logical)
        return work_end(&work, made, DTYPE_BOOL, NULL, ret);
    return work_end(&work, made, result, grad_name, ret);
}

TORCH(run_binary)
{
    double alpha;
    const struct torch_row *row = row_of(c);
    if (!is_tensor(c->args[0]) && !is_tensor(c->args[1]))
        return native_tensor(c, 0) != NULL;
    return native_number(c, 2, 1, &alpha) && torch_binary(c->m, (enum op_kind)row->kind, c->args[0],
                                                          c->args[1], alpha, row->grad_name, ret);
}

/* div(a, b, rounding_mode=None) */
TORCH(run_div)
{
    int kind = OP_DIV;
    if (given(c, 2)) {
        bool is_text = c->args[2].kind == VALUE_STRING;
        const char *mode = is_text ? c->args[2].as.string->bytes : "";
        if (strcmp(mode, "floor") != 0 && strcmp(mode, "trunc") != 0)
            return raise_error(c->m, ERROR_RUNTIME,
                               "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
                               "but found '%s'",
                               mode);
        kind = mode[0] == 'f' ? PAIR_FLOOR : PAIR_TRUNC;
    }
    return torch_binary(c->m, (enum op_kind)kind, c->args[0], c->args[1], 1, "DivBackward0", ret);
}

/* pow(x, 2) by multiplication, so that whole numbers and negative bases stay exact. */
static bool power(struct machine *m, struct value a, struct value b, struct value *ret)
{
    const char *name = is_tensor(b) || !is_tensor(a) ? "PowBackward1" : "PowBackward0";
    return torch_binary(m, OP_POW, a, b, 1, name, ret);
}

TORCH(run_pow)
{
    return power(c->m, c->args[0], c->args[1], ret);
}

TORCH(run_square)
{
    return power(c->m, c->args[0], value_int(2), ret);
}

/* addcmul(x, a, b, value=1): x + value * a * b; addcdiv divides. */
TORCH(run_addc)
{
    double value;
    struct value part, scaled;
    struct work work;
    if (!native_number(c, 3, 1, &value))
        return false;
    work_begin(&work, c->m);
    struct node *operands[3] = {NULL};
    for (size_t i = 0; i < 3 && (i == 0 || operands[i - 1] != NULL); i++)
        operands[i] = work_operand(&work, c->args[i]);
    if (operands[2] == NULL)
        return work_stop(&work, false);
    enum dtype dtype = promoted(&work.promotion);
    if (row_of(c)->kind == OP_MUL && is_fused(&work, dtype, operands[0], operands[1], operands[2]))
        return work_end(&work, fused(&work, operands[0], operands[1], operands[2], value), dtype,
                        NULL, ret);
    if (!work_stop(&work, true) ||
        !torch_binary(c->m, OP_MUL, c->args[1], value_float(value), 1, "MulBackward0", &part))
        return false;
    bool ok = torch_binary(c->m, (enum op_kind)row_of(c)->kind, part, c->args[2], 1, "MulBackward0",
                           &scaled);
    value_drop(part);
    if (!ok)
        return false;
    ok = torch_binary(c->m, OP_ADD, c->args[0], scaled, 1, row_of(c)->grad_name, ret);
    value_drop(scaled);
    return ok;
}

/* lerp(x, end, weight): x + weight * (end - x), from the end that is nearer */
TORCH(run_lerp)
{
    struct value way, part;
    const char *name = row_of(c)->grad_name;
    if (!torch_binary(c->m, OP_SUB, c->args[1], c->args[0], 1, "SubBackward0", &way))
        return false;
    if (c->args[2].kind == VALUE_FLOAT) {
        double weight = c->args[2].as.number;
        bool is_near = fabs(weight) < 0.5;
        bool done = torch_binary(c->m, is_near ? OP_ADD : OP_SUB, c->args[is_near ? 0 : 1], way,
                                 is_near ? weight : 1 - weight, name, ret);
        value_drop(way);
        return done;
    }
    bool ok = torch_binary(c->m, OP_MUL, way, c->args[2], 1, "MulBackward0", &part);
    value_drop(way);
    if (!ok)
        return false;
    ok = torch_binary(c->m, OP_ADD, c->args[0], part, 1, name, ret);
    value_drop(part);
    return ok;
}

/* where(condition, a, b) */
TORCH(run_where)
{
    struct work work;
    struct tensor_thing *condition = native_tensor(c, 0);
    if (condition == NULL)
        return false;
    if (!given(c, 1) || !given(c, 2))
        return raise_error(c->m, ERROR_TYPE,
                           "where() takes a condition, or a condition and two "
                           "values");
    work_begin(&work, c->m);
    struct node *mask = work_tensor(&work, condition);
    work.promotion = (struct promotion){-1, -1, -1};
    c->m->torch->takes_below = are_whole(c->args[1], c->args[2]);
    struct node *a = mask ? work_operand(&work, c->args[1]) : NULL;
    struct node *b = a ? work_operand(&work, c->args[2]) : NULL;
    c->m->torch->takes_below = false;
    if (b == NULL)
        return work_stop(&work, false);
    if (condition->dtype != DTYPE_BOOL) {
        raise_error(c->m, ERROR_RUNTIME,
                    "where expected condition to be a boolean tensor, but got "
                    "a tensor with dtype %s",
                    dtypes[condition->dtype].scalar);
        return work_stop(&work, false);
    }
    enum dtype dtype = promoted(&work.promotion);
    if (!work_broadcasts(&work, mask, a) || !work_broadcasts(&work, a, b) ||
        !work_broadcasts(&work, mask, b))
        return work_stop(&work, false);
    a = work_cast(&work, a, dtype, dtype);
    b = work_cast(&work, b, dtype, dtype);
    return work_end(&work, build3(&work.b, OP_WHERE, mask, a, b), dtype, row_of(c)->grad_name, ret);
}

/* masked_fill(x, mask, value) */
TORCH(run_masked_fill)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0), *mask = t ? native_tensor(c, 1) : NULL;
    if (mask == NULL)
        return false;
    if (mask->dtype != DTYPE_BOOL)
        return raise_error(c->m, ERROR_RUNTIME,
                           "masked_fill_ only supports boolean masks, but got mask with dtype %s",
                           dtypes[mask->dtype].name);
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *hide = x ? work_tensor(&work, mask) : NULL;
    struct node *value = hide ? work_operand(&work, c->args[2]) : NULL;
    if (value == NULL)
        return work_stop(&work, false);
    if (value->value.n_axes > 0) {
        raise_error(c->m, ERROR_RUNTIME,
                    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                    "%u dimension(s).",
                    value->value.n_axes);
        return work_stop(&work, false);
    }
    if (!work_broadcasts(&work, hide, x))
        return work_stop(&work, false);
    value = work_cast(&work, value, DTYPE_FLOAT32, t->dtype);
    return work_end(&work, build3(&work.b, OP_MASKED_FILL, x, hide, value), t->dtype,
                    row_of(c)->grad_name, ret);
}

/* isclose and allclose: |a - b| <= atol + rtol |b| */
static bool close_numbers(struct native_call *c, struct node **ret, struct work *work)
{
    double rtol, atol;
    bool same_nan;
    struct tensor_thing *t = native_tensor(c, 0), *other = t ? native_tensor(c, 1) : NULL;
    work_begin(work, c->m);
    if (other == NULL || !native_number(c, 2, 1e-5, &rtol) || !native_number(c, 3, 1e-8, &atol) ||
        !native_flag(c, 4, false, &same_nan))
        return false;
    if (t->dtype != other->dtype)
        return raise_error(c->m, ERROR_RUNTIME, "%s did not match %s", dtypes[t->dtype].scalar,
                           dtypes[other->dtype].scalar);
    struct node *a = work_tensor(work, t), *b = a ? work_tensor(work, other) : NULL;
    struct tensor x, y, numbers;
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES];
    if (b == NULL || !work_broadcasts(work, a, b) ||
        !tensor_broadcast_shape(&a->value, &b->value, &n_axes, shape, &work->error) ||
        !tensor_empty(n_axes, shape, &numbers, &work->error))
        return false;
    bool ok = tensor_broadcast(&a->value, n_axes, shape, &x, &work->error);
    if (ok && !tensor_broadcast(&b->value, n_axes, shape, &y, &work->error)) {
        tensor_release(&x);
        ok = false;
    }
    size_t n = tensor_size(&numbers);
    for (size_t i = 0; ok && i < n; i++) {
        double p = (double)tensor_at_position(&x, i), q = (double)tensor_at_position(&y, i);
        bool near = p == q || (same_nan && isnan(p) && isnan(q)) ||
                    (isfinite(p) && isfinite(q) && fabs(p - q) <= atol + rtol * fabs(q));
        numbers.data[i] = near;
    }
    if (ok) {
        tensor_release(&x);
        tensor_release(&y);
    }
    numbers.is_bool = true;
    *ret = ok ? build_input(&work->b, &numbers, "isclose") : NULL;
    if (!ok)
        tensor_release(&numbers);
    return *ret != NULL;
}

TORCH(run_isclose)
{
    struct work work;
    struct node *near = NULL;
    bool ok = close_numbers(c, &near, &work);
    return ok ? work_end(&work, near, DTYPE_BOOL, NULL, ret) : work_stop(&work, false);
}

TORCH(run_allclose)
{
    struct work work;
    struct node *near = NULL;
    bool ok = close_numbers(c, &near, &work), all = true;
    size_t n = ok ? tensor_size(&near->value) : 0;
    for (size_t i = 0; i < n; i++)
        all = all && near->value.data[i] != 0;
    *ret = value_bool(all);
    return work_stop(&work, ok);
}

TORCH(run_equal)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0), *other = t ? native_tensor(c, 1) : NULL;
    if (other == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *a = work_tensor(&work, t), *b = a ? work_tensor(&work, other) : NULL;
    bool same = b != NULL && tensor_same_shape(&a->value, &b->value);
    size_t n = same ? tensor_size(&a->value) : 0;
    for (size_t i = 0; same && i < n; i++)
        same = tensor_at_position(&a->value, i) == tensor_at_position(&b->value, i);
    *ret = value_bool(same);
    return work_stop(&work, b != NULL);
}

/* ---- the operators ---- */

static const struct {
    int kind;
    const char *grad_name;
} operations[SIGN_COUNT] = {
    [SIGN_ADD] = {OP_ADD, "AddBackward0"},
    [SIGN_SUB] = {OP_SUB, "SubBackward0"},
    [SIGN_MUL] = {OP_MUL, "MulBackward0"},
    [SIGN_DIV] = {OP_DIV, "DivBackward0"},
    [SIGN_FLOOR] = {PAIR_FLOOR, "DivBackward0"},
    [SIGN_MOD] = {PAIR_REMAINDER, "RemainderBackward0"},
    [SIGN_POW] = {OP_POW, "PowBackward0"},
    [SIGN_AND] = {PAIR_AND, NULL},
    [SIGN_OR] = {PAIR_OR, NULL},
    [SIGN_XOR] = {PAIR_XOR, NULL},
    [SIGN_LEFT] = {PAIR_LEFT, NULL},
    [SIGN_RIGHT] = {PAIR_RIGHT, NULL},
    [SIGN_EQ] = {OP_EQ, NULL},
    [SIGN_NE] = {OP_NE, NULL},
    [SIGN_LT] = {OP_LT, NULL},
    [SIGN_LE] = {OP_LE, NULL},
    [SIGN_GT] = {OP_GT, NULL},
    [SIGN_GE] = {OP_GE, NULL},
};

static bool operands_differ(struct machine *m, enum sign sign, struct value a, struct value b)
{
    static const char *const spellings[SIGN_COUNT] = {
        [SIGN_ADD] = "+",    [SIGN_SUB] = "-", [SIGN_MUL] = "*",           [SIGN_DIV] = "/",
        [SIGN_FLOOR] = "//", [SIGN_MOD] = "%", [SIGN_POW] = "** or pow()", [SIGN_MATMUL] = "@",
        [SIGN_AND] = "&",    [SIGN_OR] = "|",  [SIGN_XOR] = "^",           [SIGN_LEFT] = "<<",
        [SIGN_RIGHT] = ">>", [SIGN_LT] = "<",  [SIGN_LE] = "<=",           [SIGN_GT] = ">",
        [SIGN_GE] = ">="};
    if (sign >= SIGN_LT && sign <= SIGN_GE)
        return raise_error(m, ERROR_TYPE, "'%s' not supported between instances of '%s' and '%s'",
                           spellings[sign], value_class_name(m, a), value_class_name(m, b));
    return raise_error(m, ERROR_TYPE, "unsupported operand type(s) for %s: '%s' and '%s'",
                       spellings[sign], value_class_name(m, a), value_class_name(m, b));
}

bool tensor_operate(struct machine *m, enum sign sign, struct value a, struct value b,
                    bool in_place, struct value *ret)
{
    struct value result;
    bool fits = (is_tensor(a) || is_number(a)) && (is_tensor(b) || is_number(b)), ok;
    if (!fits && (sign == SIGN_EQ || sign == SIGN_NE)) {
        *ret = value_bool(sign == SIGN_NE);
        return true;
    }
    if (!fits)
        return operands_differ(m, sign, a, b);
    const char *grad_name = operations[sign].grad_name;
    if (sign == SIGN_MATMUL) {
        if (!is_tensor(a) || !is_tensor(b))
            return operands_differ(m, sign, a, b);
        return torch_matmul(m, a, b, ret);
    }
    if (sign == SIGN_POW)
        ok = power(m, a, b, &result);
    else if (sign == SIGN_SUB && !is_tensor(a))
        ok = torch_binary(m, OP_SUB, a, b, 1, "RsubBackward1", &result);
    else if (sign == SIGN_DIV && !is_tensor(a))
        ok = torch_binary(
            m, OP_DIV, a, b, 1,
            a.kind != VALUE_FLOAT && a.as.whole == 1 ? "MulBackward0" : "MulBackward0", &result);
    else
        ok = torch_binary(m, (enum op_kind)operations[sign].kind, a, b, 1, grad_name, &result);
    if (!ok || !in_place || !is_tensor(a)) {
        if (ok)
            *ret = result;
        return ok;
    }
    ok = torch_take_on(m, a, result);
    value_drop(result);
    if (ok)
        *ret = value_take(a);
    return ok;
}

bool tensor_contains(struct machine *m, struct value container, struct value item, bool *ret)
{
    struct value same;
    *ret = false;
    if (!is_tensor(item) && !is_number(item))
        return raise_error(
            m, ERROR_RUNTIME,
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            "<class '%s'>.",
            value_class_name(m, item));
    if (!torch_binary(m, OP_EQ, item, container, 1, NULL, &same))
        return false;
    struct node *node = tensor_node(m, as_tensor(same));
    size_t n = node ? tensor_size(&node->value) : 0;
    for (size_t i = 0; i < n; i++)
        *ret = *ret || node->value.data[i] != 0;
    value_drop(same);
    return node != NULL;
}

bool tensor_operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret)
{
    static const struct torch_row neg = {{"neg", {"input"}, same_unary}, 0, OP_NEG, "NegBackward0"},
                                  invert = {
                                      {"bitwise_not", {"input"}, run_logical_not}, 0, 0, NULL};
    if (sign == SIGN_POS) {
        *ret = value_take(a);
        return true;
    }
    if (sign == SIGN_INVERT && as_tensor(a)->dtype != DTYPE_BOOL) {
        struct value negative;
        if (dtypes[as_tensor(a)->dtype].category != CATEGORY_WHOLE)
            return raise_error(
                m, ERROR_TYPE,
                "~ (operator.invert) is only implemented on integer and Boolean-type "
                "tensors");
        if (!tensor_operate_unary(m, SIGN_NEG, a, &negative))
            return false;
        bool ok = torch_binary(m, OP_SUB, negative, value_int(1), 1, NULL, ret);
        value_drop(negative);
        return ok;
    }
    const struct torch_row *row = sign == SIGN_NEG ? &neg : &invert;
    return native_call(m, &row->native, &a, 1, NULL, ret);
}

/* ---- the table ---- */

#define SAME(name, op, grad)                                  \
    {                                                         \
        {#name, {"input"}, same_unary}, IN_ALL, OP_##op, grad \
    }
#define FLOAT(name, op, grad)                                  \
    {                                                          \
        {#name, {"input"}, float_unary}, IN_ALL, OP_##op, grad \
    }
#define EXACT(name, which, grad)                                     \
    {                                                                \
        {#name, {"input"}, exact_unary}, IN_ALL, EXACT_##which, grad \
    }
#define PAIR(name, op, grad)                                      \
    {                                                             \
        {#name, {"input", "other"}, run_binary}, IN_ALL, op, grad \
    }
#define HIDDEN_METHOD(name, op, grad)                            \
    {                                                            \
        {name, {"input"}, same_unary}, IN_METHODS, OP_##op, grad \
    }

static const struct torch_row rows[] = {
    SAME(neg, NEG, "NegBackward0"),
    SAME(negative, NEG, "NegBackward0"),
    SAME(abs, ABS, "AbsBackward0"),
    SAME(absolute, ABS, "AbsBackward0"),
    HIDDEN_METHOD("__abs__", ABS, "AbsBackward0"),
    SAME(sign, SIGN, "SignBackward0"),
    SAME(floor, FLOOR, "FloorBackward0"),
    {{"relu", {"input", "inplace=False"}, same_unary},
     IN_ALL | IN_FUNCTIONAL,
     OP_RELU,
     "ReluBackward0"},
    FLOAT(exp, EXP, "ExpBackward0"),
    FLOAT(log, LOG, "LogBackward0"),
    FLOAT(sqrt, SQRT, "SqrtBackward0"),
    FLOAT(rsqrt, POW, "RsqrtBackward0"),
    FLOAT(reciprocal, DIV, "ReciprocalBackward0"),
    {{"tanh", {"input"}, float_unary}, IN_ALL | IN_FUNCTIONAL, OP_TANH, "TanhBackward0"},
    FLOAT(erf, ERF, "ErfBackward0"),
    FLOAT(sin, SIN, "SinBackward0"),
    FLOAT(cos, COS, "CosBackward0"),
    {{"sigmoid", {"input"}, float_unary}, IN_ALL | IN_FUNCTIONAL, OP_SIGMOID, "SigmoidBackward0"},
    {{"silu", {"input", "inplace=False"}, float_unary}, IN_FUNCTIONAL, OP_SILU, "SiluBackward0"},
    EXACT(log2, LOG2, "Log2Backward0"),
    EXACT(log10, LOG10, "Log10Backward0"),
    EXACT(log1p, LOG1P, "Log1PBackward0"),
    EXACT(expm1, EXPM1, "Expm1Backward0"),
    EXACT(exp2, EXP2, "Exp2Backward0"),
    EXACT(tan, TAN, "TanBackward0"),
    EXACT(atan, ATAN, "AtanBackward0"),
    EXACT(arctan, ATAN, "AtanBackward0"),
    EXACT(asin, ASIN, "AsinBackward0"),
    EXACT(acos, ACOS, "AcosBackward0"),
    EXACT(sinh, SINH, "SinhBackward0"),
    EXACT(cosh, COSH, "CoshBackward0"),
    EXACT(ceil, CEIL, "CeilBackward0"),
    EXACT(trunc, TRUNC, "TruncBackward0"),
    EXACT(frac, FRAC, "FracBackward0"),
    {{"round", {"input", "*", "decimals=0"}, exact_unary}, IN_ALL, EXACT_ROUND, "RoundBackward0"},
    {{"softplus", {"input"}, exact_unary}, IN_FUNCTIONAL, EXACT_SOFTPLUS, "SoftplusBackward0"},
    {{"isnan", {"input"}, run_question}, IN_BOTH, IS_NAN, NULL},
    {{"isinf", {"input"}, run_question}, IN_BOTH, IS_INF, NULL},
    {{"isfinite", {"input"}, run_question}, IN_BOTH, IS_FINITE, NULL},
    {{"logical_not", {"input"}, run_logical_not}, IN_ALL, 0, NULL},
    {{"clamp", {"input", "min=None", "max=None"}, run_clamp}, IN_ALL, 0, "ClampBackward1"},
    {{"clip", {"input", "min=None", "max=None"}, run_clamp}, IN_ALL, 0, "ClampBackward1"},
    {{"clamp_min", {"input", "min"}, run_clamp}, IN_ALL, 0, "ClampMinBackward0"},
    {{"add", {"input", "other", "*", "alpha=1"}, run_binary}, IN_ALL, OP_ADD, "AddBackward0"},
    {{"sub", {"input", "other", "*", "alpha=1"}, run_binary}, IN_ALL, OP_SUB, "SubBackward0"},
    {{"subtract", {"input", "other", "*", "alpha=1"}, run_binary}, IN_ALL, OP_SUB, "SubBackward0"},
    PAIR(mul, OP_MUL, "MulBackward0"),
    PAIR(multiply, OP_MUL, "MulBackward0"),
    {{"div", {"input", "other", "*", "rounding_mode=None"}, run_div}, IN_ALL, 0, "DivBackward0"},
    {{"divide", {"input", "other", "*", "rounding_mode=None"}, run_div}, IN_ALL, 0, "DivBackward0"},
    {{"true_divide", {"input", "other"}, run_div}, IN_ALL, 0, "DivBackward0"},
    PAIR(floor_divide, PAIR_FLOOR, "DivBackward0"),
    PAIR(remainder, PAIR_REMAINDER, "RemainderBackward0"),
    PAIR(fmod, PAIR_FMOD, "FmodBackward0"),
    PAIR(atan2, PAIR_ATAN2, "Atan2Backward0"),
    {{"pow", {"input", "exponent"}, run_pow}, IN_ALL, 0, "PowBackward0"},
    {{"square", {"input"}, run_square}, IN_ALL, 0, "PowBackward0"},
    {{"addcmul", {"input", "tensor1", "tensor2", "*", "value=1"}, run_addc},
     IN_ALL,
     OP_MUL,
     "AddcmulBackward0"},
    {{"addcdiv", {"input", "tensor1", "tensor2", "*", "value=1"}, run_addc},
     IN_ALL,
     OP_DIV,
     "AddcdivBackward0"},
    {{"lerp", {"input", "end", "weight"}, run_lerp}, IN_ALL, 0, "LerpBackward0"},
    PAIR(maximum, OP_MAXIMUM, "MaximumBackward0"),
    PAIR(minimum, OP_MINIMUM, "MinimumBackward0"),
    PAIR(eq, OP_EQ, NULL),
    PAIR(ne, OP_NE, NULL),
    PAIR(lt, OP_LT, NULL),
    PAIR(le, OP_LE, NULL),
    PAIR(gt, OP_GT, NULL),
    PAIR(ge, OP_GE, NULL),
    PAIR(logical_and, OP_AND, NULL),
    PAIR(logical_or, OP_OR, NULL),
    PAIR(bitwise_and, PAIR_AND, NULL),
    PAIR(bitwise_or, PAIR_OR, NULL),
    PAIR(bitwise_xor, PAIR_XOR, NULL),
    {{"_where", {"condition", "input=", "other="}, run_where}, IN_HIDDEN, 0, "WhereBackward0"},
    {{"masked_fill", {"input", "mask", "value"}, run_masked_fill},
     IN_ALL,
     0,
     "MaskedFillBackward0"},
    {{"isclose", {"input", "other", "rtol=1e-05", "atol=1e-08", "equal_nan=False"}, run_isclose},
     IN_BOTH,
     0,
     NULL},
    {{"allclose", {"input", "other", "rtol=1e-05", "atol=1e-08", "equal_nan=False"}, run_allclose},
     IN_BOTH,
     0,
     NULL},
    {{"equal", {"input", "other"}, run_equal}, IN_BOTH, 0, NULL},
};

const struct torch_table torch_math = {rows, COUNT_OF(rows)};
