/* kernel/elementwise_internal.h and apply.h: every function on every instruction set of this
 * machine against the plain one; shapes and strides of all kinds; threads. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/apply.h"
#include "kernel/threads.h"
#include "tensor/elementwise.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* What kernels call a function, and its plain version; exact: they give the same numbers. */
struct pair {
    enum element element;
    int plain; /* enum unary or enum binary */
    bool exact;
};

static const struct pair unaries[] = {
    {ELEMENT_NEG, UNARY_NEG, true},     {ELEMENT_ABS, UNARY_ABS, true},
    {ELEMENT_RELU, UNARY_RELU, true},   {ELEMENT_SIGN, UNARY_SIGN, true},
    {ELEMENT_FLOOR, UNARY_FLOOR, true}, {ELEMENT_ROUND, UNARY_ROUND, true},
    {ELEMENT_NOT, UNARY_NOT, true},     {ELEMENT_SQRT, UNARY_SQRT, true},
    {ELEMENT_EXP, UNARY_EXP, false},    {ELEMENT_LOG, UNARY_LOG, false},
    {ELEMENT_TANH, UNARY_TANH, false},  {ELEMENT_ERF, UNARY_ERF, false},
};
static const struct pair binaries[] = {
    {ELEMENT_ADD, BINARY_ADD, true}, {ELEMENT_SUB, BINARY_SUB, true},
    {ELEMENT_MUL, BINARY_MUL, true}, {ELEMENT_DIV, BINARY_DIV, true},
    {ELEMENT_MAX, BINARY_MAX, true}, {ELEMENT_MIN, BINARY_MIN, true},
    {ELEMENT_EQ, BINARY_EQ, true},   {ELEMENT_NE, BINARY_NE, true},
    {ELEMENT_LT, BINARY_LT, true},   {ELEMENT_LE, BINARY_LE, true},
    {ELEMENT_GT, BINARY_GT, true},   {ELEMENT_GE, BINARY_GE, true},
    {ELEMENT_AND, BINARY_AND, true}, {ELEMENT_OR, BINARY_OR, true},
};

/* Ordinary numbers, and now and then one that is not. */
static float some_number(uint64_t *seed)
{
    static const float odd[] = {0,      -0.0F,      NAN,         INFINITY,    -INFINITY, 1,
                                -1,     0.5F,       -0.5F,       1.5F,        2.5F,      3e38F,
                                -3e38F, 8388607.5F, -8388607.5F, 16777216.0F, 1e-40F,    -1e-40F};
    size_t n = sizeof odd / sizeof *odd, at = testing_between(seed, 0, 3 * n);
    return at < n ? odd[at] : 10 * testing_number(seed);
}

static bool same_number(float a, float b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static void check_number(const struct pair *pair, float is, float plain)
{
    if (pair->exact ? !same_number(is, plain)
                    : !(same_number(is, plain) || fabsf(is - plain) <= 3e-7F * fabsf(plain)))
        fail_msg("element %d: %.9g instead of %.9g", pair->element, (double)is, (double)plain);
}

enum { MOST = 70, UNTOUCHED = 12345 };

/* n numbers from odd addresses, with each set; nothing beyond the end is written. */
static void check_elements(uint64_t *seed, const struct pair *pair, bool binary, size_t n)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    float a[MOST + 4], b[MOST + 4], y[MOST + 4];
    size_t shift = testing_between(seed, 0, 3);
    for (size_t i = 0; i < MOST + 4; i++) {
        a[i] = some_number(seed);
        b[i] = testing_between(seed, 0, 3) == 0 ? a[i] : some_number(seed);
    }
    for (size_t s = 0; sets[s] != NULL; s++) {
        const float *from[] = {a + shift, b + 3 - shift};
        for (size_t i = 0; i < MOST + 4; i++)
            y[i] = UNTOUCHED;
        sets[s]->element(pair->element, n, from, y + 1);
        for (size_t i = 0; i < n; i++)
            check_number(pair, y[1 + i],
                         binary ? binary_apply((enum binary)pair->plain, from[0][i], from[1][i])
                                : unary_apply((enum unary)pair->plain, from[0][i]));
        assert_true(y[0] == UNTOUCHED && y[1 + n] == UNTOUCHED);
    }
}

static void test_element__is_the_plain_function(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t n = 0; n <= MOST; n++) {
        for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++)
            check_elements(&seed, &unaries[i], false, n);
        for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
            check_elements(&seed, &binaries[i], true, n);
    }
}

static void test_element__where(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    float condition[37], y[37], a[37], b[37];
    for (size_t i = 0; i < 37; i++) {
        condition[i] = i % 3 == 0 ? -0.0F : i % 3 == 1 ? NAN : 1;
        a[i] = i % 3 == 0 ? NAN : (float)i;
        b[i] = i % 3 == 0 ? -(float)i : NAN;
    }
    for (size_t s = 0; sets[s] != NULL; s++) {
        sets[s]->element(ELEMENT_WHERE, 37, (const float *const[]){condition, a, b}, y);
        for (size_t i = 0; i < 37; i++)
            assert_close(y[i], i % 3 == 0 ? -(double)i : (double)i, 0);
    }
}

/* A view of random order, direction and steps on axes of the given shape, or one that repeats. */
static struct tensor random_view(uint64_t *seed, const size_t *shape)
{
    unsigned order[3] = {0, 1, 2}, back[3];
    for (unsigned i = 2; i > 0; i--) {
        unsigned j = (unsigned)testing_between(seed, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    size_t stored[3];
    bool doubled = testing_between(seed, 0, 2) == 0;
    for (unsigned i = 0; i < 3; i++) {
        stored[i] = testing_between(seed, 0, 4) == 0 ? 1 : shape[order[i]] * (doubled ? 2 : 1);
        back[order[i]] = i;
    }
    struct tensor numbers = testing_random_tensor(seed, 3, stored), turned, view;
    assert_true(tensor_permute(&numbers, back, &turned, NULL));
    for (unsigned axis = 0; axis < 3; axis++) {
        if (turned.shape[axis] == 1)
            continue;
        bool backwards = testing_between(seed, 0, 2) == 0;
        ptrdiff_t step = doubled ? 2 : 1;
        assert_true(tensor_slice(&turned, axis, backwards ? turned.shape[axis] - 1 : 0, shape[axis],
                                 backwards ? -step : step, &view, NULL));
        tensor_release(&turned);
        turned = view;
    }
    assert_true(tensor_broadcast(&turned, 3, shape, &view, NULL));
    tensor_release(&turned);
    tensor_release(&numbers);
    return view;
}

static void test_apply__any_strides(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t tries = 0; tries < 60; tries++) {
        size_t shape[3] = {testing_between(&seed, 1, 40), testing_between(&seed, 1, 60),
                           testing_between(&seed, 20, 90)};
        struct tensor a = random_view(&seed, shape), b = random_view(&seed, shape), y, z;
        assert_true(tensor_binary(BINARY_SUB, &a, &b, NULL, &y, NULL));
        assert_true(tensor_where(&b, &y, &a, NULL, &z, NULL));
        for (size_t at = 0; at < tensor_size(&y); at++) {
            float x = tensor_at_position(&a, at);
            assert_true(y.data[at] == x - tensor_at_position(&b, at));
            assert_true(z.data[at] == (tensor_at_position(&b, at) != 0 ? y.data[at] : x));
        }
        tensor_release(&a);
        tensor_release(&b);
        tensor_release(&y);
        tensor_release(&z);
    }
}

/* Functions that have kernels and one that has none, on more numbers than one task has. */
static void test_apply__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    enum { N = 300001 };
    uint64_t seed = 3;
    size_t most = threads_most();
    struct tensor x = testing_random_tensor(&seed, 1, SHAPE(N)), one, some;
    static const enum unary functions[] = {UNARY_EXP, UNARY_NEG, UNARY_SIN};
    for (size_t f = 0; f < 3; f++) {
        threads_set(1);
        assert_true(tensor_unary(functions[f], &x, NULL, &one, NULL));
        for (size_t i = 0; i < N; i++)
            assert_close(one.data[i], (double)unary_apply(functions[f], x.data[i]), 2e-6);
        for (size_t threads = 2; threads <= 8; threads *= 2) {
            threads_set(threads);
            assert_true(tensor_unary(functions[f], &x, NULL, &some, NULL));
            assert_memory_equal(one.data, some.data, N * sizeof *one.data);
            tensor_release(&some);
        }
        tensor_release(&one);
    }
    threads_set(most);
    tensor_release(&x);
}

/* Below the rule of kernel.h the plain functions compute: the same digits on every machine. */
static void test_apply__few_numbers_are_plain(void **state)
{
    (void)state;
    uint64_t seed = 4;
    struct tensor x = testing_random_tensor(&seed, 1, SHAPE(KERNEL_LEAST_NUMBERS - 1)), y;
    assert_true(tensor_unary(UNARY_TANH, &x, NULL, &y, NULL));
    for (size_t i = 0; i < tensor_size(&x); i++)
        assert_true(y.data[i] == tanhf(x.data[i]));
    tensor_release(&x);
    tensor_release(&y);
}

static void test_apply__the_stop_flag_interrupts(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    struct error error;
    struct tensor x, y;
    assert_true(tensor_full(1, SHAPE(KERNEL_LEAST_NUMBERS), 1, &x, NULL));
    assert_error(tensor_unary(UNARY_EXP, &x, &stop, &y, &error), error, ERR_INTERRUPTED);
    assert_error(tensor_binary(BINARY_POW, &x, &x, &stop, &y, &error), error, ERR_INTERRUPTED);
    assert_error(tensor_where(&x, &x, &x, &stop, &y, &error), error, ERR_INTERRUPTED);
    tensor_release(&x);
}

static void test_apply__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct error error;
    struct tensor x, y;
    assert_true(tensor_full(1, SHAPE(KERNEL_LEAST_NUMBERS), 1, &x, NULL));
    assert_reports_failed_allocations(tensor_unary(UNARY_EXP, &x, NULL, &y, &error), error);
    tensor_release(&y);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_element__is_the_plain_function),
        cmocka_unit_test(test_element__where),
        cmocka_unit_test(test_apply__any_strides),
        cmocka_unit_test(test_apply__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_apply__few_numbers_are_plain),
        cmocka_unit_test(test_apply__the_stop_flag_interrupts),
        cmocka_unit_test(test_apply__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("apply", tests, NULL, NULL);
}
