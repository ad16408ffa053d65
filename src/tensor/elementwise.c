/* Elementwise arithmetic: a table of one-number functions, and a table of loops over a run made
 * from the same expressions, so that the compiler can vectorise them. */
#include "tensor/elementwise.h"

#include <math.h>

#include "tensor/walk.h"

static float sign_of(float x)
{
    return isnan(x) ? x : (float)((x > 0) - (x < 0));
}

static float larger(float a, float b)
{
    return isnan(a) || a > b ? a : b;
}

static float smaller(float a, float b)
{
    return isnan(a) || a < b ? a : b;
}

/* name, C expression in x */
#define FOR_EACH_UNARY(DO)   \
    DO(NEG, -x)              \
    DO(EXP, expf(x))         \
    DO(LOG, logf(x))         \
    DO(SQRT, sqrtf(x))       \
    DO(TANH, tanhf(x))       \
    DO(RELU, x < 0 ? 0 : x)  \
    DO(ABS, fabsf(x))        \
    DO(ERF, erff(x))         \
    DO(SIN, sinf(x))         \
    DO(COS, cosf(x))         \
    DO(SIGN, sign_of(x))     \
    DO(FLOOR, floorf(x))     \
    DO(ROUND, nearbyintf(x)) \
    DO(NOT, x == 0)

/* name, C expression in a and b */
#define FOR_EACH_BINARY(DO)               \
    DO(ADD, a + b)                        \
    DO(SUB, a - b)                        \
    DO(MUL, (a * b))                      \
    DO(DIV, a / b)                        \
    DO(POW, powf(a, b))                   \
    DO(MAX, isnan(b) ? b : larger(a, b))  \
    DO(MIN, isnan(b) ? b : smaller(a, b)) \
    DO(EQ, a == b)                        \
    DO(NE, a != b)                        \
    DO(LT, a < b)                         \
    DO(LE, a <= b)                        \
    DO(GT, a > b)                         \
    DO(GE, a >= b)                        \
    DO(AND, a != 0 && b != 0)             \
    DO(OR, a != 0 || b != 0)

#define DEFINE_UNARY_RUN(name, expression)                                          \
    static void run_##name(size_t n, const float *from, ptrdiff_t step, float *ret) \
    {                                                                               \
        for (size_t i = 0; i < n; i++) {                                            \
            float x = from[(ptrdiff_t)i * step];                                    \
            ret[i] = (float)(expression);                                           \
        }                                                                           \
    }
FOR_EACH_UNARY(DEFINE_UNARY_RUN)

#define DEFINE_BINARY_RUN(name, expression)                                                      \
    static void run_##name(size_t n, const float *left, ptrdiff_t left_step, const float *right, \
                           ptrdiff_t right_step, float *ret)                                     \
    {                                                                                            \
        for (size_t i = 0; i < n; i++) {                                                         \
            float a = left[(ptrdiff_t)i * left_step];                                            \
            float b = right[(ptrdiff_t)i * right_step];                                          \
            ret[i] = (float)(expression);                                                        \
        }                                                                                        \
    }
FOR_EACH_BINARY(DEFINE_BINARY_RUN)

typedef void unary_run(size_t n, const float *from, ptrdiff_t step, float *ret);
typedef void binary_run(size_t n, const float *left, ptrdiff_t left_step, const float *right,
                        ptrdiff_t right_step, float *ret);

#define UNARY_ENTRY(name, expression) [UNARY_##name] = run_##name,
static unary_run *const unary_runs[UNARY_COUNT] = {FOR_EACH_UNARY(UNARY_ENTRY)};

#define BINARY_ENTRY(name, expression) [BINARY_##name] = run_##name,
static binary_run *const binary_runs[BINARY_COUNT] = {FOR_EACH_BINARY(BINARY_ENTRY)};

float unary_apply(enum unary f, float x)
{
    float y;
    unary_runs[f](1, &x, 0, &y);
    return y;
}

float binary_apply(enum binary f, float a, float b)
{
    float y;
    binary_runs[f](1, &a, 0, &b, 0, &y);
    return y;
}

bool tensor_unary(enum unary f, const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    if (!tensor_zeros(x->n_axes, x->shape, ret, reterr))
        return false;
    ret->is_bool = f == UNARY_NOT;
    struct walk walk;
    walk_start(&walk, 2, (const struct tensor *const[]){x, ret});
    for (; !walk.done; walk_next(&walk))
        unary_runs[f](walk.run, walk.at[0], walk.step[0], walk.at[1]);
    return true;
}

bool tensor_binary(enum binary f, const struct tensor *a, const struct tensor *b,
                   struct tensor *ret, struct error *reterr)
{
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES];
    struct tensor left = {0}, right = {0};
    bool ok = tensor_broadcast_shape(a, b, &n_axes, shape, reterr) &&
              tensor_broadcast(a, n_axes, shape, &left, reterr) &&
              tensor_broadcast(b, n_axes, shape, &right, reterr) &&
              tensor_zeros(n_axes, shape, ret, reterr);
    if (ok) {
        ret->is_bool = f >= BINARY_EQ;
        struct walk walk;
        walk_start(&walk, 3, (const struct tensor *const[]){&left, &right, ret});
        for (; !walk.done; walk_next(&walk))
            binary_runs[f](walk.run, walk.at[0], walk.step[0], walk.at[1], walk.step[1],
                           walk.at[2]);
    }
    tensor_release(&left);
    tensor_release(&right);
    return ok;
}

static void choose_run(const struct walk *walk)
{
    for (size_t i = 0; i < walk->run; i++) {
        ptrdiff_t at = (ptrdiff_t)i;
        bool first = walk->at[0][at * walk->step[0]] != 0;
        walk->at[3][i] = first ? walk->at[1][at * walk->step[1]] : walk->at[2][at * walk->step[2]];
    }
}

/* The shape all of x[0..3) broadcast to. */
static bool common_shape(const struct tensor *const *x, struct tensor *ret_shape,
                         struct error *reterr)
{
    struct tensor two = {0};
    return tensor_broadcast_shape(x[0], x[1], &two.n_axes, two.shape, reterr) &&
           tensor_broadcast_shape(&two, x[2], &ret_shape->n_axes, ret_shape->shape, reterr);
}

bool tensor_where(const struct tensor *condition, const struct tensor *a, const struct tensor *b,
                  struct tensor *ret, struct error *reterr)
{
    const struct tensor *const inputs[3] = {condition, a, b};
    struct tensor all = {0}, views[3] = {{0}};
    bool ok = common_shape(inputs, &all, reterr);
    for (unsigned i = 0; ok && i < 3; i++)
        ok = tensor_broadcast(inputs[i], all.n_axes, all.shape, &views[i], reterr);
    ok = ok && tensor_zeros(all.n_axes, all.shape, ret, reterr);
    if (ok) {
        ret->is_bool = a->is_bool && b->is_bool;
        struct walk walk;
        walk_start(&walk, 4, (const struct tensor *const[]){&views[0], &views[1], &views[2], ret});
        for (; !walk.done; walk_next(&walk))
            choose_run(&walk);
    }
    for (unsigned i = 0; i < 3; i++)
        tensor_release(&views[i]);
    return ok;
}
