/* Functions applied number by number: see elementwise_internal.h. Each is a loop over whole
 * vectors; the numbers left at the end go through the same loop, so that they are computed in the
 * same way. */
#include "kernel/kernel_internal.h"

#include "kernel/vector_math_internal.h"

/* 1 for each lane of the mask that is -1, else 0. */
KERNEL_INLINE vec one_where(vec_int mask)
{
    return (vec)(mask & (vec_int)vec_splat(1));
}

/* x in the lanes where it is NaN, else a or b. */
KERNEL_INLINE vec unless_nan(vec x, vec_int mask, vec a, vec b)
{
    return vec_select(x != x, x, vec_select(mask, a, b));
}

KERNEL_INLINE vec sign_of(vec x)
{
    vec sign = __builtin_convertvector((x < 0) - (x > 0), vec);
    return vec_select(x != x, x, sign);
}

/* From 2^23 on all numbers are whole; NaN stays NaN. */
KERNEL_INLINE vec round_to_whole(vec x)
{
    vec size = vec_size_of(x), whole = (size + 8388608.0F) - 8388608.0F;
    return vec_select(size < 8388608.0F, vec_with_sign(whole, x), x);
}

KERNEL_INLINE vec round_down(vec x)
{
    vec whole = round_to_whole(x);
    return vec_select(whole > x, whole - 1.0F, whole);
}

/* Lane by lane, which compilers know as one instruction. */
KERNEL_INLINE vec square_root(vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    for (size_t i = 0; i < KERNEL_LANES; i++)
        numbers[i] = sqrtf(numbers[i]);
    return vec_load(numbers);
}

/* name, its value for vectors a, b and c */
#define FOR_EACH_UNARY(DO)                   \
    DO(NEG, -a)                              \
    DO(ABS, vec_size_of(a))                  \
    DO(RELU, vec_select(a < 0, (vec){0}, a)) \
    DO(SIGN, sign_of(a))                     \
    DO(FLOOR, round_down(a))                 \
    DO(ROUND, round_to_whole(a))             \
    DO(NOT, one_where(a == 0))               \
    DO(SQRT, square_root(a))                 \
    DO(EXP, vec_exp(a))                      \
    DO(EXP2, vec_exp2(a))                    \
    DO(LOG, vec_log(a))                      \
    DO(TANH, vec_tanh(a))                    \
    DO(ERF, vec_erf(a))                      \
    DO(SIGMOID, vec_sigmoid(a))              \
    DO(SILU, vec_silu(a))                    \
    DO(GELU, vec_gelu(a))                    \
    DO(GELU_TANH, vec_gelu_tanh(a))
#define FOR_EACH_BINARY(DO)                          \
    DO(ADD, a + b)                                   \
    DO(SUB, a - b)                                   \
    DO(MUL, (a * b))                                 \
    DO(DIV, a / b)                                   \
    DO(MAX, unless_nan(a, (a > b), a, b))            \
    DO(MIN, unless_nan(a, (a < b), a, b))            \
    DO(SIGMOID_BACK, (b * vec_sigmoid_slope(a)))     \
    DO(SILU_BACK, (b * vec_silu_slope(a)))           \
    DO(GELU_BACK, (b * vec_gelu_slope(a)))           \
    DO(GELU_TANH_BACK, (b * vec_gelu_tanh_slope(a))) \
    DO(EQ, one_where(a == b))                        \
    DO(NE, one_where(a != b))                        \
    DO(LT, one_where(a < b))                         \
    DO(LE, one_where(a <= b))                        \
    DO(GT, one_where(a > b))                         \
    DO(GE, one_where(a >= b))                        \
    DO(AND, one_where((a != 0) & (b != 0)))          \
    DO(OR, one_where((a != 0) | (b != 0)))
#define FOR_EACH_TERNARY(DO) DO(WHERE, vec_select(a != 0, b, c))

/* n is a multiple of LANES. */
typedef void vectors_function(size_t n, const float *const *from, float *ret);

#define DEFINE_LOOP(name, expression, ...)                                                        \
    static                                                                                        \
        __attribute__((noinline)) void run_##name(size_t n, const float *const *from, float *ret) \
    {                                                                                             \
        for (size_t i = 0; i < n; i += KERNEL_LANES) {                                            \
            __VA_ARGS__;                                                                          \
            vec_store(ret + i, expression);                                                       \
        }                                                                                         \
    }
#define LOAD(which) vec_load(from[which] + i)
#define DEFINE_UNARY(name, expression) DEFINE_LOOP(name, expression, vec a = LOAD(0))
#define DEFINE_BINARY(name, expression) DEFINE_LOOP(name, expression, vec a = LOAD(0), b = LOAD(1))
#define DEFINE_TERNARY(name, expression) \
    DEFINE_LOOP(name, expression, vec a = LOAD(0), b = LOAD(1), c = LOAD(2))
FOR_EACH_UNARY(DEFINE_UNARY)
FOR_EACH_BINARY(DEFINE_BINARY)
FOR_EACH_TERNARY(DEFINE_TERNARY)

struct loop {
    vectors_function *run;
    unsigned n_inputs;
};

#define UNARY_ENTRY(name, ...) [ELEMENT_##name] = {run_##name, 1},
#define BINARY_ENTRY(name, expression) [ELEMENT_##name] = {run_##name, 2},
#define TERNARY_ENTRY(name, expression) [ELEMENT_##name] = {run_##name, 3},
static const struct loop loops[ELEMENT_COUNT] = {
    FOR_EACH_UNARY(UNARY_ENTRY) FOR_EACH_BINARY(BINARY_ENTRY) FOR_EACH_TERNARY(TERNARY_ENTRY)};

void KERNEL(element)(enum element f, size_t n, const float *const *from, float *ret)
{
    size_t whole = n / KERNEL_LANES * KERNEL_LANES, rest = n - whole;
    float inputs[ELEMENT_INPUTS][KERNEL_LANES] = {{0}}, last[KERNEL_LANES];
    const float *rests[ELEMENT_INPUTS] = {inputs[0], inputs[1], inputs[2]};
    for (unsigned input = 0; input < loops[f].n_inputs; input++)
        memcpy(inputs[input], from[input] + whole, rest * sizeof **inputs);
    loops[f].run(whole, from, ret);
    if (rest > 0) {
        loops[f].run(KERNEL_LANES, rests, last);
        memcpy(ret + whole, last, rest * sizeof *last);
    }
}
