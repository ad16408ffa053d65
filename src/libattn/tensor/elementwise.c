/* Elementwise arithmetic: a table of loops over a run, made of one expression each, which the
 * kernels have their own version of. */
#include "tensor/elementwise.h"

#include <math.h>

#include "kernel/apply.h"
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

/* a^b. Squares and cubes are products, as PyTorch has them; powf may be a last digit away. */
static float power(float a, float b)
{
    return b == 2 ? a * a : b == 3 ? a * a * a : powf(a, b);
}

/* 1 / (1 + e^-x) */
static double sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double silu(double x)
{
    return x * sigmoid(x);
}

static double silu_slope(double x)
{
    double s = sigmoid(x), rest = sigmoid(-x);
    return isinf(x) ? s : s * (1 + x * rest);
}

/* The normal distribution's share below x. */
static double share_below(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752);
}

static double gelu_slope(double x)
{
    double bell = 0.3989422804014327 * exp(-0.5 * x * x);
    return share_below(x) + (bell == 0 ? 0 : x * bell);
}

/* 2 sqrt(2 / pi) (x + 0.044715 x^3): x times the sigmoid of it is GELU by tanh. */
static double gelu_inner(double x)
{
    return x * (1.5957691216057308 + 0.07135481627260025 * x * x);
}

static double gelu_tanh_slope(double x)
{
    double u = gelu_inner(x), s = sigmoid(u), bell = s * sigmoid(-u);
    double slope = 1.5957691216057308 + 0.21406444881780075 * x * x;
    return s + (bell == 0 ? 0 : x * bell * slope);
}

/* name, the kernels' name (COUNT: they have none), C expression in a */
#define FOR_EACH_UNARY(DO)                            \
    DO(NEG, NEG, -a)                                  \
    DO(EXP, EXP, expf(a))                             \
    DO(LOG, LOG, logf(a))                             \
    DO(SQRT, SQRT, sqrtf(a))                          \
    DO(TANH, TANH, tanhf(a))                          \
    DO(RELU, RELU, a < 0 ? 0 : a)                     \
    DO(ABS, ABS, fabsf(a))                            \
    DO(ERF, ERF, erff(a))                             \
    DO(SIN, COUNT, sinf(a))                           \
    DO(COS, COUNT, cosf(a))                           \
    DO(SIGN, SIGN, sign_of(a))                        \
    DO(FLOOR, FLOOR, floorf(a))                       \
    DO(ROUND, ROUND, nearbyintf(a))                   \
    DO(NOT, NOT, a == 0)                              \
    DO(SIGMOID, SIGMOID, sigmoid((double)a))          \
    DO(SILU, SILU, silu((double)a))                   \
    DO(GELU, GELU, (double)a *share_below((double)a)) \
    DO(GELU_TANH, GELU_TANH, (double)a *sigmoid(gelu_inner((double)a)))

/* the same in a and b */
#define FOR_EACH_BINARY(DO)                                                             \
    DO(ADD, ADD, a + b)                                                                 \
    DO(SUB, SUB, a - b)                                                                 \
    DO(MUL, MUL, (a * b))                                                               \
    DO(DIV, DIV, a / b)                                                                 \
    DO(POW, COUNT, power(a, b))                                                         \
    DO(MAX, MAX, isnan(b) ? b : larger(a, b))                                           \
    DO(MIN, MIN, isnan(b) ? b : smaller(a, b))                                          \
    DO(SIGMOID_BACK, SIGMOID_BACK, (double)b *sigmoid((double)a) * sigmoid(-(double)a)) \
    DO(SILU_BACK, SILU_BACK, (double)b *silu_slope((double)a))                          \
    DO(GELU_BACK, GELU_BACK, (double)b *gelu_slope((double)a))                          \
    DO(GELU_TANH_BACK, GELU_TANH_BACK, (double)b *gelu_tanh_slope((double)a))           \
    DO(EQ, EQ, a == b)                                                                  \
    DO(NE, NE, a != b)                                                                  \
    DO(LT, LT, a < b)                                                                   \
    DO(LE, LE, a <= b)                                                                  \
    DO(GT, GT, a > b)                                                                   \
    DO(GE, GE, a >= b)                                                                  \
    DO(AND, AND, a != 0 && b != 0)                                                      \
    DO(OR, OR, a != 0 || b != 0)

#define INPUT(which) from[which][(ptrdiff_t)i * steps[which]]
#define DEFINE_RUN(name, expression, ...)                                                          \
    static void run_##name(size_t n, const float *const *from, const ptrdiff_t *steps, float *ret) \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            float __VA_ARGS__;                                                                     \
            ret[i] = (float)(expression);                                                          \
        }                                                                                          \
    }
#define DEFINE_UNARY_RUN(name, element, expression) DEFINE_RUN(name, expression, a = INPUT(0))
#define DEFINE_BINARY_RUN(name, element, expression) \
    DEFINE_RUN(name, expression, a = INPUT(0), b = INPUT(1))
FOR_EACH_UNARY(DEFINE_UNARY_RUN)
FOR_EACH_BINARY(DEFINE_BINARY_RUN)

static void run_where(size_t n, const float *const *from, const ptrdiff_t *steps, float *ret)
{
    for (size_t i = 0; i < n; i++)
        ret[i] = INPUT(0) != 0 ? INPUT(1) : INPUT(2);
}

/* The function, and its name in the kernels. */
struct function {
    plain_function *run;
    enum element element; /* ELEMENT_COUNT: the kernels have none */
};

#define UNARY_ENTRY(name, element, expression) [UNARY_##name] = {run_##name, ELEMENT_##element},
static const struct function unaries[UNARY_COUNT] = {FOR_EACH_UNARY(UNARY_ENTRY)};

#define BINARY_ENTRY(name, element, expression) [BINARY_##name] = {run_##name, ELEMENT_##element},
static const struct function binaries[BINARY_COUNT] = {FOR_EACH_BINARY(BINARY_ENTRY)};

static const struct function where = {run_where, ELEMENT_WHERE};

float unary_apply(enum unary f, float x)
{
    float y;
    unaries[f].run(1, (const float *const[]){&x}, (const ptrdiff_t[]){0}, &y);
    return y;
}

float binary_apply(enum binary f, float a, float b)
{
    float y;
    binaries[f].run(1, (const float *const[]){&a, &b}, (const ptrdiff_t[]){0, 0}, &y);
    return y;
}

/* Few numbers, run by run. */
static void apply_few(plain_function *run, unsigned n, const struct tensor *const *inputs,
                      const struct tensor *ret)
{
    const struct tensor *all[ELEMENT_INPUTS + 1];
    for (unsigned input = 0; input < n; input++)
        all[input] = inputs[input];
    all[n] = ret;
    struct walk walk;
    for (walk_start(&walk, n + 1, all); !walk.done; walk_next(&walk))
        run(walk.run, (const float *const[]){walk.at[0], walk.at[1], walk.at[2]}, walk.step,
            walk.at[n]);
}

static bool apply_many(const struct function *f, unsigned n, const struct tensor *const *inputs,
                       const struct tensor *ret, const volatile sig_atomic_t *stop,
                       struct error *reterr)
{
    struct application application = {.f = f->element,
                                      .plain = f->run,
                                      .n_inputs = n,
                                      .size = tensor_size(ret),
                                      .ret = ret->data};
    if (f->element != ELEMENT_COUNT)
        application.kernel = kernel_for_numbers(application.size);
    for (unsigned input = 0; input < n; input++)
        application.inputs[input] = walk_strided(inputs[input], 0, inputs[input]->n_axes);
    return kernel_apply(&application, stop, reterr);
}

/* f of n inputs of one shape. */
static bool apply(const struct function *f, unsigned n, const struct tensor *const *inputs,
                  bool is_bool, const volatile sig_atomic_t *stop, struct tensor *ret,
                  struct error *reterr)
{
    struct tensor made;
    if (!tensor_empty(inputs[0]->n_axes, inputs[0]->shape, &made, reterr))
        return false;
    made.is_bool = is_bool;
    if (tensor_size(&made) < KERNEL_LEAST_NUMBERS)
        apply_few(f->run, n, inputs, &made);
    else if (!apply_many(f, n, inputs, &made, stop, reterr)) {
        tensor_release(&made);
        return false;
    }
    *ret = made;
    return true;
}

bool tensor_unary(enum unary f, const struct tensor *x, const volatile sig_atomic_t *stop,
                  struct tensor *ret, struct error *reterr)
{
    return apply(&unaries[f], 1, &x, f == UNARY_NOT, stop, ret, reterr);
}

/* The shape that all n inputs broadcast to. */
static bool common_shape(unsigned n, const struct tensor *const *inputs, struct tensor *ret_shape,
                         struct error *reterr)
{
    struct tensor so_far = *inputs[0];
    for (unsigned input = 1; input < n; input++) {
        struct tensor next = {0};
        if (!tensor_broadcast_shape(&so_far, inputs[input], &next.n_axes, next.shape, reterr))
            return false;
        so_far = next;
    }
    *ret_shape = so_far;
    return true;
}

/* f of n inputs, in the shape that all broadcast to. */
static bool apply_broadcast(const struct function *f, unsigned n,
                            const struct tensor *const *inputs, bool is_bool,
                            const volatile sig_atomic_t *stop, struct tensor *ret,
                            struct error *reterr)
{
    struct tensor all, views[ELEMENT_INPUTS] = {{0}};
    bool ok = common_shape(n, inputs, &all, reterr);
    for (unsigned input = 0; ok && input < n; input++)
        ok = tensor_broadcast(inputs[input], all.n_axes, all.shape, &views[input], reterr);
    ok = ok && apply(f, n, (const struct tensor *const[]){&views[0], &views[1], &views[2]}, is_bool,
                     stop, ret, reterr);
    for (unsigned input = 0; input < n; input++)
        tensor_release(&views[input]);
    return ok;
}

bool tensor_binary(enum binary f, const struct tensor *a, const struct tensor *b,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    return apply_broadcast(&binaries[f], 2, (const struct tensor *const[]){a, b}, f >= BINARY_EQ,
                           stop, ret, reterr);
}

bool tensor_where(const struct tensor *condition, const struct tensor *a, const struct tensor *b,
                  const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    return apply_broadcast(&where, 3, (const struct tensor *const[]){condition, a, b},
                           a->is_bool && b->is_bool, stop, ret, reterr);
}
