/* kernel/gemm_internal.h and multiply.h: every instruction set of this machine against sums in
 * double. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/multiply.h"
#include "kernel/threads.h"

/* A product with everything around it: numbers that a is not made of, and room after each row of c
 * that must stay as it is. */
struct trial {
    struct gemm gemm;
    float *a, *b, *c, *before; /* what is allocated */
    size_t c_size;
};

static const float untouched = 12345;

static float *numbers(uint64_t *seed, size_t n)
{
    float *made = malloc((n + 1) * sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i < n; i++)
        made[i] = testing_number(seed);
    return made;
}

/* A matrix (rows, columns) at an odd place among other numbers: dense rows, dense columns, or
 * neither. */
static const float *place(uint64_t *seed, size_t rows, size_t columns, float **ret_block,
                          ptrdiff_t *ret_row, ptrdiff_t *ret_column)
{
    size_t kind = testing_between(seed, 0, 5), gap = testing_between(seed, 0, 3);
    size_t inner = kind < 3 ? columns : rows, outer = kind < 3 ? rows : columns;
    size_t step = kind == 5 ? 2 : 1, between = inner * step + gap;
    size_t before = testing_between(seed, 0, 5);
    *ret_block = numbers(seed, before + outer * between + 1);
    *ret_row = (ptrdiff_t)(kind < 3 ? between : step);
    *ret_column = (ptrdiff_t)(kind < 3 ? step : between);
    return *ret_block + before;
}

static struct trial trial_of(uint64_t *seed, size_t m, size_t n, size_t k)
{
    struct trial t = {.gemm = {.m = m, .n = n, .k = k, .add = testing_between(seed, 0, 1) == 1}};
    t.gemm.a = place(seed, m, k, &t.a, &t.gemm.a_row, &t.gemm.a_column);
    t.gemm.b = place(seed, k, n, &t.b, &t.gemm.b_row, &t.gemm.b_column);
    size_t row = n + testing_between(seed, 0, 3), first = testing_between(seed, 0, 3);
    t.c_size = first + m * row + 1;
    t.c = numbers(seed, t.c_size);
    t.before = malloc((t.c_size + 1) * sizeof *t.before);
    assert_non_null(t.before);
    memcpy(t.before, t.c, t.c_size * sizeof *t.c);
    t.gemm.c = t.c + first;
    t.gemm.c_row = (ptrdiff_t)row;
    return t;
}

static void trial_release(struct trial *t)
{
    free(t->a);
    free(t->b);
    free(t->c);
    free(t->before);
}

/* Row i, column j of the product in double. */
static double wanted(const struct trial *t, size_t i, size_t j)
{
    const struct gemm *g = &t->gemm;
    double sum = 0;
    for (size_t p = 0; p < g->k; p++)
        sum += (double)g->a[(ptrdiff_t)i * g->a_row + (ptrdiff_t)p * g->a_column] *
               (double)g->b[(ptrdiff_t)p * g->b_row + (ptrdiff_t)j * g->b_column];
    float *at = g->c + (ptrdiff_t)i * g->c_row + j;
    return g->add ? sum + (double)t->before[at - t->c] : sum;
}

static void check(const struct trial *t)
{
    const struct gemm *g = &t->gemm;
    /* Each of k sums, of a few units at most, is rounded once. */
    double tolerance = 1e-6 + 2e-7 * (double)g->k;
    for (size_t i = 0; i < g->m; i++)
        for (size_t j = 0; j < g->n; j++) {
            float *at = g->c + (ptrdiff_t)i * g->c_row + j;
            assert_close(*at, wanted(t, i, j), tolerance);
            *at = untouched;
            t->before[at - t->c] = untouched;
        }
    /* What is not of c stayed as it was. */
    assert_memory_equal(t->c, t->before, t->c_size * sizeof *t->c);
}

static void multiply_with_each_set(uint64_t *seed, size_t m, size_t n, size_t k)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++) {
        struct trial t = trial_of(seed, m, n, k);
        struct error error;
        if (!kernel_multiply(sets[s], &t.gemm, 1, NULL, &error))
            fail_msg("%s", error.text);
        check(&t);
        trial_release(&t);
    }
}

static void test_gemm__any_shape_and_strides(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t tries = 0; tries < 300; tries++)
        multiply_with_each_set(&seed, testing_between(&seed, 1, 40), testing_between(&seed, 1, 80),
                               testing_between(&seed, 0, 40));
}

/* Few rows with a large matrix: see kernel/gemm_few_internal.h. */
static void test_gemm__few_rows(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t m = 1; m <= 34; m++)
        multiply_with_each_set(&seed, m, testing_between(&seed, 1, 300),
                               testing_between(&seed, 1, 300));
    multiply_with_each_set(&seed, 6, 1300, 5); /* more columns than are worked on at once */
    multiply_with_each_set(&seed, 1, 4111, 6);
}

static void test_gemm__around_the_edges_of_each_block(void **state)
{
    (void)state;
    /* tiles of 6 rows, 4, 8, 16, 32, 64 columns; blocks of 96 rows, 256 inner places, 1024 columns
     */
    static const size_t rows[] = {1, 5, 6, 7, 95, 96, 97};
    static const size_t columns[] = {1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 130};
    static const size_t inner[] = {1, 255, 256, 257};
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            multiply_with_each_set(&seed, rows[i], columns[j], inner[(i + j) % 4]);
    multiply_with_each_set(&seed, 3, 1025, 7);
    multiply_with_each_set(&seed, 98, 1100, 3);
}

static void test_gemm__nan_and_infinity_stay_where_they_are(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++) {
        float a[7 * 3], b[3 * 5], c[7 * 5];
        for (size_t i = 0; i < 21; i++)
            a[i] = 1;
        for (size_t i = 0; i < 15; i++)
            b[i] = 1;
        a[1 * 3 + 1] = NAN;
        b[2 * 5 + 4] = INFINITY;
        struct gemm gemm = {.m = 7,
                            .n = 5,
                            .k = 3,
                            .a = a,
                            .b = b,
                            .c = c,
                            .a_row = 3,
                            .a_column = 1,
                            .b_row = 5,
                            .b_column = 1,
                            .c_row = 5};
        assert_true(kernel_multiply(sets[s], &gemm, 1, NULL, NULL));
        for (size_t i = 0; i < 7; i++)
            for (size_t j = 0; j < 5; j++)
                if (i == 1)
                    assert_true(isnan(c[i * 5 + j]));
                else if (j == 4)
                    assert_true(isinf(c[i * 5 + j]));
                else
                    assert_close(c[i * 5 + j], 3, 0);
    }
}

struct size {
    size_t m, n, k;
    bool turned;   /* b column by column */
    bool a_turned; /* a column by column */
};

/* n products of one size, whose numbers are the same for equal seeds. */
static float *multiply_many(const struct kernel *kernel, const struct size *size, size_t n,
                            size_t *ret_size)
{
    size_t m = size->m, columns = size->n, k = size->k;
    uint64_t seed = 3;
    float *a = numbers(&seed, n * m * k), *b = numbers(&seed, n * k * columns);
    float *c = calloc(n * m * columns, sizeof *c);
    struct gemm *products = calloc(n, sizeof *products);
    assert_true(c != NULL && products != NULL);
    for (size_t i = 0; i < n; i++)
        products[i] = (struct gemm){.m = m,
                                    .n = columns,
                                    .k = k,
                                    .a = a + i * m * k,
                                    .b = b + i * k * columns,
                                    .a_row = size->a_turned ? 1 : (ptrdiff_t)k,
                                    .a_column = size->a_turned ? (ptrdiff_t)m : 1,
                                    .b_row = size->turned ? 1 : (ptrdiff_t)columns,
                                    .b_column = size->turned ? (ptrdiff_t)k : 1,
                                    .c = c + i * m * columns,
                                    .c_row = (ptrdiff_t)columns};
    assert_true(kernel_multiply(kernel, products, n, NULL, NULL));
    free(products);
    free(a);
    free(b);
    *ret_size = n * m * columns;
    return c;
}

/* Cut by columns and by rows, into one part for each thread and two; some leave few rows, or one
 * column, beside what is shared out. */
static const struct size sizes[] = {
    {200, 210, 130, false, false}, {193, 100, 300, false, false}, {200, 90, 300, true, false},
    {385, 65, 300, true, false},   {65, 385, 300, false, false},  {20, 1537, 300, true, false},
    {6, 3073, 300, false, false},  {40, 1601, 270, false, false}, {210, 200, 130, false, true},
    {193, 130, 300, true, true},   {129, 1089, 60, true, false},  {1041, 131, 70, false, true},
    {10007, 1, 420, false, false}, {10007, 1, 420, false, true},  {1, 10007, 420, true, false},
    {2503, 7, 260, false, true},   {2503, 7, 260, true, false},   {7, 2503, 260, false, true},
};

static void test_multiply__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    size_t most = threads_most();
    for (size_t s = 0; sets[s] != NULL; s++)
        for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
            size_t size, n = i % 2 == 0 ? 1 : 3;
            threads_set(1);
            float *one = multiply_many(sets[s], &sizes[i / 2], n, &size);
            for (size_t threads = 2; threads <= 8; threads *= 2) {
                threads_set(threads);
                float *some = multiply_many(sets[s], &sizes[i / 2], n, &size);
                assert_memory_equal(one, some, size * sizeof *one);
                free(some);
            }
            free(one);
        }
    threads_set(most);
}

/* The parent's threads do not come along: the child must neither wait for them nor find a lock that
   one of them held. */
static void test_multiply__in_a_process_forked_from_one_with_threads(void **state)
{
    (void)state;
    size_t most = threads_most(), size;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    threads_set(8);
    float *before = multiply_many(sets[0], &sizes[0], 3, &size);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* ends it if it hangs */
        float *after = multiply_many(sets[0], &sizes[0], 3, &size);
        _exit(memcmp(before, after, size * sizeof *after) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(before);
    threads_set(most);
}

static void test_multiply__the_stop_flag_interrupts(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    float numbers_[16] = {0}, c[16];
    struct error error;
    struct gemm gemm = {.m = 4,
                        .n = 4,
                        .k = 4,
                        .a = numbers_,
                        .b = numbers_,
                        .c = c,
                        .a_row = 4,
                        .a_column = 1,
                        .b_row = 4,
                        .b_column = 1,
                        .c_row = 4};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    assert_error(kernel_multiply(sets[0], &gemm, 1, &stop, &error), error, ERR_INTERRUPTED);
}

static void test_multiply__failed_allocations_are_reported(void **state)
{
    (void)state;
    float a[30] = {0}, c[30];
    struct error error;
    struct gemm gemm = {.m = 5,
                        .n = 6,
                        .k = 5,
                        .a = a,
                        .b = a,
                        .c = c,
                        .a_row = 5,
                        .a_column = 1,
                        .b_row = 1,
                        .b_column = 5,
                        .c_row = 6};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    assert_reports_failed_allocations(kernel_multiply(sets[0], &gemm, 1, NULL, &error), error);
}

static void test_kernel__names(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++)
        assert_true(kernel_name_fits(sets[s]->name));
    assert_true(kernel_name_fits("plain"));
    assert_false(kernel_name_fits("mmx"));
    assert_null(kernel_for_products(KERNEL_LEAST_PRODUCTS - 1));
    assert_null(kernel_for_numbers(KERNEL_LEAST_NUMBERS - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm__any_shape_and_strides),
        cmocka_unit_test(test_gemm__few_rows),
        cmocka_unit_test(test_gemm__around_the_edges_of_each_block),
        cmocka_unit_test(test_gemm__nan_and_infinity_stay_where_they_are),
        cmocka_unit_test(test_multiply__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_multiply__in_a_process_forked_from_one_with_threads),
        cmocka_unit_test(test_multiply__the_stop_flag_interrupts),
        cmocka_unit_test(test_multiply__failed_allocations_are_reported),
        cmocka_unit_test(test_kernel__names),
    };
    return cmocka_run_group_tests_name("gemm", tests, NULL, NULL);
}
