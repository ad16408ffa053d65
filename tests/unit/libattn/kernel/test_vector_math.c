/* kernel/vector_math_internal.h: the largest error of each function, on every instruction set of
 * this machine, against the C library's functions of doubles.
 *
 * usage: test_vector_math              some of all float32 numbers, and all of their edges
 *        test_vector_math all [NAME]   all 2^32, and what the largest errors are; takes minutes */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double silu(double x)
{
    return isinf(x) && x < 0 ? (double)NAN : x * sigmoid(x);
}

static double gelu(double x)
{
    return 0.5 * x * erfc(-x * 0.70710678118654752);
}

static double gelu_tanh(double x)
{
    double two_over_pi = 0.63661977236758134;
    return x / (1 + exp(-2 * sqrt(two_over_pi) * (x + 0.044715 * x * x * x)));
}

struct function {
    const char *name;
    enum element f;
    double (*truth)(double x);
    double limit; /* of the error in units in the last place, as vector_math_internal.h says */
};

static const struct function functions[] = {
    {"exp", ELEMENT_EXP, exp, 0.8},
    {"exp2", ELEMENT_EXP2, exp2, 1.1},
    {"log", ELEMENT_LOG, log, 0.9},
    {"tanh", ELEMENT_TANH, tanh, 2.6},
    {"erf", ELEMENT_ERF, erf, 1.5},
    {"sigmoid", ELEMENT_SIGMOID, sigmoid, 2.5},
    {"silu", ELEMENT_SILU, silu, 2.5},
    {"gelu", ELEMENT_GELU, gelu, 5.4},
    {"gelu_tanh", ELEMENT_GELU_TANH, gelu_tanh, 2.7},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* The step of float32 at y; the numbers beyond the largest count as 2^128. */
static double step_at(double y)
{
    int power;
    frexp(y, &power);
    return ldexp(1, (y == 0 || power < -125 ? -125 : power > 128 ? 128 : power) - 24);
}

static double with_end(double y)
{
    return y > 0x1p128 ? 0x1p128 : y < -0x1p128 ? -0x1p128 : y;
}

/* In units in the last place of the truth; infinity where one is NaN and the other is not, or a
 * zero has the wrong sign. */
static double error_of(float x, float y, double truth)
{
    if (isnan(truth) || isnan(y))
        return isnan(truth) && isnan(y) ? 0 : INFINITY;
    if (x == 0 && truth == 0 && !signbit(y) != !signbit(truth))
        return INFINITY;
    return fabs(with_end((double)y) - with_end(truth)) / step_at(with_end(truth));
}

static float number_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

enum { N_NUMBERS = 4096 };

struct worst {
    double error[KERNEL_MAX_SETS];
    float at[KERNEL_MAX_SETS];
};

static void try_numbers(const struct function *function, const float *x, size_t n,
                        struct worst *worst)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    double truths[N_NUMBERS];
    float y[N_NUMBERS];
    for (size_t i = 0; i < n; i++)
        truths[i] = function->truth((double)x[i]);
    for (size_t s = 0; sets[s] != NULL; s++) {
        sets[s]->element(function->f, n, &x, y);
        for (size_t i = 0; i < n; i++) {
            double error = error_of(x[i], y[i], truths[i]);
            if (error > worst->error[s]) {
                worst->error[s] = error;
                worst->at[s] = x[i];
            }
        }
    }
}

/* Every step-th number, in the order of their bits. */
static void try_all(const struct function *function, uint32_t step, struct worst *worst)
{
    float x[N_NUMBERS];
    size_t n = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        x[n++] = number_of((uint32_t)bits);
        if (n == N_NUMBERS || bits + step > UINT32_MAX) {
            try_numbers(function, x, n, worst);
            n = 0;
        }
    }
}

/* The numbers around a place, and around its negative. */
static void try_around(const struct function *function, float place, struct worst *worst)
{
    enum { AROUND = 1000 };
    float x[4 * AROUND];
    uint32_t bits;
    memcpy(&bits, &place, sizeof bits);
    for (uint32_t i = 0; i < 2 * AROUND; i++) {
        x[2 * i] = number_of(bits + i - AROUND);
        x[2 * i + 1] = -x[2 * i];
    }
    try_numbers(function, x, 4 * AROUND, worst);
}

static void check(const struct function *function, const struct worst *worst)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++)
        if (!(worst->error[s] <= function->limit))
            fail_msg("%s with %s: %.3f ulp at %.9g", function->name, sets[s]->name, worst->error[s],
                     (double)worst->at[s]);
}

static void test_vector_math__some_of_all_numbers(void **state)
{
    (void)state;
    for (size_t f = 0; f < N_FUNCTIONS; f++) {
        struct worst worst = {0};
        try_all(&functions[f], 4099, &worst);
        check(&functions[f], &worst);
    }
}

static void test_vector_math__edges(void **state)
{
    (void)state;
    /* what is not finite, where float32 loses digits, where the functions begin and end, and where
     * one polynomial ends and the next begins */
    static const float places[] = {
        0.0F, 0x1p-149F, 0x1p-126F, 0.17329F, 0.707106781F, 0.925F,  1,        1.41421F, 3.95F,
        6,    9.01F,     10,        11,       15,           25,      87.3365F, 88.722F,  103.97F,
        115,  126,       128,       149,      0x1p87F,      0x1p88F, 3.4e38F,  INFINITY};
    for (size_t f = 0; f < N_FUNCTIONS; f++) {
        struct worst worst = {0};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            try_around(&functions[f], places[i], &worst);
        check(&functions[f], &worst);
    }
}

/* ---- slopes ---- */

struct slope {
    enum element f;
    double (*function)(double x);
};

/* By differences of the functions in double: their error is below 1e-9. */
static double slope_of(double (*function)(double x), double x)
{
    double step = 1e-5;
    return (function(x + step) - function(x - step)) / (2 * step);
}

/* What a gradient is multiplied by is as large as 1.13, so errors count by themselves. */
static void check_slope(const struct kernel *kernel, const struct slope *slope, float x)
{
    float d = 3, y;
    double want = 3 * slope_of(slope->function, (double)x);
    kernel->element(slope->f, 1, (const float *const[]){&x, &d}, &y);
    if (!(fabs((double)y - want) <= 1e-6))
        fail_msg("slope %d with %s: %.9g at %g, not %.9g", (int)slope->f, kernel->name, (double)y,
                 (double)x, want);
}

static void test_vector_math__slopes(void **state)
{
    (void)state;
    static const struct slope slopes[] = {{ELEMENT_SIGMOID_BACK, sigmoid},
                                          {ELEMENT_SILU_BACK, silu},
                                          {ELEMENT_GELU_BACK, gelu},
                                          {ELEMENT_GELU_TANH_BACK, gelu_tanh}};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t f = 0; f < sizeof slopes / sizeof *slopes; f++)
        for (size_t s = 0; sets[s] != NULL; s++) {
            for (float x = -40; x < 40; x += 0.01F)
                check_slope(sets[s], &slopes[f], x);
            /* Far away: 0 below; above 1, or 0 for the sigmoid. NaN stays NaN. */
            const float far[] = {-INFINITY, -1e38F, 1e38F, INFINITY, NAN}, one[] = {1, 1, 1, 1, 1};
            float y[5], above = slopes[f].f == ELEMENT_SIGMOID_BACK ? 0 : 1;
            sets[s]->element(slopes[f].f, 5, (const float *const[]){far, one}, y);
            assert_true(fabsf(y[0]) < 1e-7F && fabsf(y[1]) < 1e-7F);
            assert_true(y[2] == above && y[3] == above && isnan(y[4]));
        }
}

/* The largest error over all numbers, of all functions or the one of that name. */
static int measure(const char *name)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t f = 0; f < N_FUNCTIONS; f++) {
        struct worst worst = {0};
        if (name != NULL && strcmp(functions[f].name, name) != 0)
            continue;
        try_all(&functions[f], 1, &worst);
        for (size_t s = 0; sets[s] != NULL; s++)
            printf("%-10s %-7s %.3f ulp at %.9g\n", functions[f].name, sets[s]->name,
                   worst.error[s], (double)worst.at[s]);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        return measure(argc > 2 ? argv[2] : NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_math__some_of_all_numbers),
        cmocka_unit_test(test_vector_math__edges),
        cmocka_unit_test(test_vector_math__slopes),
    };
    return cmocka_run_group_tests_name("vector_math", tests, NULL, NULL);
}
