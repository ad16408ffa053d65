/* kernel/norm_rows_internal.h and the losses of kernel/softmax_row_internal.h: every instruction
 * set of this machine against the formulas in double; and attention/norm.h and cross_entropy.h with
 * their threads. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "attention/cross_entropy.h"
#include "attention/norm.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

enum { MOST = 70, ROWS = 19, UNTOUCHED = 12345 };

static void fill(uint64_t *seed, float *x, size_t n, float size, float shift)
{
    for (size_t i = 0; i < n; i++)
        x[i] = shift + size * testing_number(seed);
}

/* ---- one row in double ---- */

struct row {
    double y[MOST], factor; /* shifted and scaled; and the factor */
};

static struct row row_of(const struct norm_rows *rows, const float *x)
{
    struct row row;
    double mean = 0, squares = 0, n = (double)rows->n;
    for (size_t i = 0; rows->centred && i < rows->n; i++)
        mean += (double)x[i] / n;
    for (size_t i = 0; i < rows->n; i++)
        squares += pow((double)x[i] - mean, 2);
    row.factor = 1 / sqrt(squares / n + rows->eps);
    for (size_t i = 0; i < rows->n; i++)
        row.y[i] = ((double)x[i] - mean) * row.factor;
    return row;
}

static double weight_at(const struct norm_rows *rows, size_t i)
{
    return rows->weight != NULL ? (double)rows->weight[i] : 1;
}

static void near(const char *what, const struct kernel *kernel, size_t n, double got, double want,
                 double tolerance)
{
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))))
        fail_msg("%s with %s, rows of %zu: %.9g, not %.9g", what, kernel->name, n, got, want);
}

static void check_forward(const struct kernel *kernel, const struct norm_rows *rows)
{
    float ret[MOST * ROWS + 2];
    size_t size = rows->n_rows * rows->n;
    ret[0] = ret[size + 1] = UNTOUCHED;
    kernel->norm_rows(rows, ret + 1);
    for (size_t r = 0; r < rows->n_rows; r++) {
        struct row row = row_of(rows, rows->x + r * rows->n);
        for (size_t i = 0; i < rows->n; i++)
            near("norm", kernel, rows->n, (double)ret[1 + r * rows->n + i],
                 row.y[i] * weight_at(rows, i) + (rows->bias ? (double)rows->bias[i] : 0), 2e-6);
    }
    assert_true(ret[0] == UNTOUCHED && ret[size + 1] == UNTOUCHED);
}

static void check_back(const struct kernel *kernel, const struct norm_rows *rows, const float *d)
{
    float d_x[MOST * ROWS + 2];
    double sums[2][MOST + 1], want[2][MOST] = {{0}};
    size_t n = rows->n, size = rows->n_rows * n;
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j <= n; j++)
            sums[i][j] = j == n ? UNTOUCHED : (double)j; /* what is there is added to */
    d_x[0] = d_x[size + 1] = UNTOUCHED;
    kernel->norm_rows_back(rows, d, d_x + 1, rows->weight ? sums[0] : NULL,
                           rows->bias ? sums[1] : NULL);
    for (size_t r = 0; r < rows->n_rows; r++) {
        struct row row = row_of(rows, rows->x + r * n);
        double g_mean = 0, product_mean = 0;
        for (size_t i = 0; i < n; i++) {
            double g = (double)d[r * n + i] * weight_at(rows, i);
            g_mean += rows->centred ? g / (double)n : 0;
            product_mean += g * row.y[i] / (double)n;
            want[0][i] += (double)d[r * n + i] * row.y[i];
            want[1][i] += (double)d[r * n + i];
        }
        for (size_t i = 0; i < n; i++) {
            double g = (double)d[r * n + i] * weight_at(rows, i);
            near("gradient", kernel, n, (double)d_x[1 + r * n + i],
                 row.factor * (g - g_mean - row.y[i] * product_mean), 4e-6 * (1 + row.factor));
        }
    }
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; (i == 0 ? rows->weight : rows->bias) != NULL && j < n; j++)
            near("sum", kernel, n, sums[i][j], (double)j + want[i][j], 1e-5);
    assert_true(sums[0][n] == UNTOUCHED && sums[1][n] == UNTOUCHED);
    assert_true(d_x[0] == UNTOUCHED && d_x[size + 1] == UNTOUCHED);
}

static void test_norm_rows__is_the_formula(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 2;
    for (size_t n = 1; n <= MOST; n++)
        for (unsigned kind = 0; kind < 8; kind++) {
            float x[MOST * ROWS + 3], d[MOST * ROWS + 3], weight[MOST + 3], bias[MOST + 3];
            size_t odd = testing_between(&seed, 0, 3);
            fill(&seed, x, MOST * ROWS + 3, 2, kind & 1 ? 0 : 3);
            fill(&seed, d, MOST * ROWS + 3, 1, 0);
            fill(&seed, weight, MOST + 3, 1, 0);
            fill(&seed, bias, MOST + 3, 1, 0);
            struct norm_rows rows = {.n_rows = testing_between(&seed, 1, ROWS),
                                     .n = n,
                                     .centred = kind & 1,
                                     .x = x + odd,
                                     .weight = kind & 2 ? weight + 3 - odd : NULL,
                                     .bias = kind & 4 ? bias + odd : NULL,
                                     .eps = 1e-2};
            for (size_t s = 0; sets[s] != NULL; s++) {
                check_forward(sets[s], &rows);
                check_back(sets[s], &rows, d + odd);
            }
        }
}

/* Numbers that differ little beside their size: their mean is no float. */
static void test_norm_rows__far_from_zero(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 3;
    float x[MOST];
    fill(&seed, x, MOST, 1, 10000);
    struct norm_rows rows = {.n_rows = 1, .n = MOST, .centred = true, .x = x, .eps = 1e-5};
    for (size_t s = 0; sets[s] != NULL; s++)
        check_forward(sets[s], &rows);
}

/* ---- losses ---- */

static void check_loss(const struct kernel *kernel, const float *x, size_t n, size_t target)
{
    float ret[MOST + 2];
    double largest = -1e300, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, (double)x[i]);
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i] - largest);
    double loss = log(sum) - ((double)x[target] - largest);
    near("loss", kernel, n, (double)kernel->loss_row(x, n, target), loss, 1e-6);
    ret[0] = ret[n + 1] = UNTOUCHED;
    kernel->loss_row_back(x, n, target, 5, ret + 1);
    for (size_t i = 0; i < n; i++) {
        double want = 5 * (exp((double)x[i] - largest) / sum - (i == target));
        near("gradient of a loss", kernel, n, (double)ret[1 + i], want, 2e-6);
    }
    assert_true(ret[0] == UNTOUCHED && ret[n + 1] == UNTOUCHED);
}

static void test_loss_row__is_the_formula(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 4;
    for (size_t n = 1; n <= MOST; n++)
        for (unsigned kind = 0; kind < 3; kind++) {
            float x[MOST + 3];
            size_t odd = testing_between(&seed, 0, 3), target = testing_between(&seed, 0, n - 1);
            fill(&seed, x, MOST + 3, kind == 2 ? 300 : 4, kind == 1 ? 1e4F : 0);
            for (size_t s = 0; sets[s] != NULL; s++)
                check_loss(sets[s], x + odd, n, target);
        }
}

static void test_loss_row__of_odd_numbers(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    for (size_t s = 0; sets[s] != NULL; s++)
        for (size_t n = 2; n < MOST; n++) {
            float x[MOST] = {0};
            x[n - 1] = -INFINITY;
            assert_true(sets[s]->loss_row(x, n, n - 1) == INFINITY);
            assert_close(sets[s]->loss_row(x, n, 0), log((double)n - 1), 1e-6);
            x[n - 1] = INFINITY;
            assert_true(isnan(sets[s]->loss_row(x, n, 0)));
            x[n - 1] = NAN;
            assert_true(isnan(sets[s]->loss_row(x, n, 0)));
            for (size_t i = 0; i < n; i++)
                x[i] = -INFINITY;
            assert_true(isnan(sets[s]->loss_row(x, n, 0)));
        }
}

/* ---- threads ---- */

/* The bits are the same for any number of threads: of the norm and its gradients, of losses and
 * theirs. */
static void compute(const struct norm *norm, const struct cross_entropy *rows,
                    const struct tensor *d, const struct tensor *d_losses, struct tensor ret[4])
{
    assert_true(norm_forward(norm, NULL, &ret[0], NULL));
    assert_true(norm_backward(norm, d, NULL, &ret[1], NULL));
    assert_true(cross_entropy_forward(rows, NULL, &ret[2], NULL));
    assert_true(cross_entropy_backward(rows, d_losses, NULL, &ret[3], NULL));
}

static void test_norm__same_bits_for_any_threads(void **state)
{
    (void)state;
    uint64_t seed = 6;
    enum { N = 517, N_ROWS = 1001 };
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(N_ROWS, N)), alone[4], shared[4];
    struct tensor d = testing_random_tensor(&seed, 2, SHAPE(N_ROWS, N));
    struct tensor weight = testing_random_tensor(&seed, 1, SHAPE(N));
    struct tensor bias = testing_random_tensor(&seed, 1, SHAPE(N));
    struct tensor d_losses = testing_random_tensor(&seed, 1, SHAPE(N_ROWS)), targets;
    assert_true(tensor_zeros(1, SHAPE(N_ROWS), &targets, NULL));
    struct norm norm = {.x = &x, .weight = &weight, .bias = &bias, .centred = true, .eps = 1e-5};
    struct cross_entropy rows = {.scores = &x, .targets = &targets, .ignored = -100};
    threads_set(1);
    compute(&norm, &rows, &d, &d_losses, alone);
    for (size_t n = 2; n <= 8; n *= 2) {
        threads_set(n);
        compute(&norm, &rows, &d, &d_losses, shared);
        for (int i = 0; i < 4; i++) {
            assert_memory_equal(alone[i].data, shared[i].data,
                                tensor_size(&alone[i]) * sizeof(float));
            tensor_release(&shared[i]);
        }
    }
    threads_set(0);
    for (int i = 0; i < 4; i++)
        tensor_release(&alone[i]);
    tensor_release(&x);
    tensor_release(&d);
    tensor_release(&weight);
    tensor_release(&bias);
    tensor_release(&d_losses);
    tensor_release(&targets);
}

/* ---- what does not fit, and no memory ---- */

static void test_norm__what_does_not_fit(void **state)
{
    (void)state;
    struct error error;
    uint64_t seed = 7;
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(3, 4)), ret;
    struct tensor short_ = testing_random_tensor(&seed, 1, SHAPE(3)), one;
    assert_true(tensor_scalar(1, &one, NULL));
    struct norm norm = {.x = &x, .weight = &short_};
    assert_error(norm_forward(&norm, NULL, &ret, &error), error, ERR_SHAPE);
    assert_says(error, "weight");
    norm = (struct norm){.x = &x, .bias = &one};
    assert_error(norm_forward(&norm, NULL, &ret, &error), error, ERR_SHAPE);
    norm = (struct norm){.x = &one};
    assert_error(norm_forward(&norm, NULL, &ret, &error), error, ERR_SHAPE);
    norm = (struct norm){.x = &x};
    assert_error(norm_backward(&norm, &short_, NULL, &ret, &error), error, ERR_SHAPE);
    tensor_release(&x);
    tensor_release(&short_);
    tensor_release(&one);
}

static bool run_all(const struct tensor *x, const struct tensor *turned, struct error *reterr)
{
    struct tensor y = {0}, d = {0}, losses = {0}, d_x = {0}, targets = {0};
    struct norm norm = {.x = turned, .centred = true, .eps = 1e-5};
    bool ok = tensor_zeros(1, x->shape, &targets, reterr);
    struct cross_entropy rows = {.scores = x, .targets = &targets, .ignored = -100};
    ok = ok && norm_forward(&norm, NULL, &y, reterr) &&
         norm_backward(&norm, turned, NULL, &d, reterr) &&
         cross_entropy_forward(&rows, NULL, &losses, reterr) &&
         cross_entropy_backward(&rows, &losses, NULL, &d_x, reterr);
    tensor_release(&y);
    tensor_release(&d);
    tensor_release(&losses);
    tensor_release(&d_x);
    tensor_release(&targets);
    return ok;
}

static void test_norm__failed_allocations(void **state)
{
    (void)state;
    struct error error;
    uint64_t seed = 9;
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(130, 131));
    struct tensor turned = tensor_transpose(&x, 0, 1);
    assert_reports_failed_allocations(run_all(&x, &turned, &error), error);
    tensor_release(&x);
    tensor_release(&turned);
}

static void test_norm__stops(void **state)
{
    (void)state;
    struct error error;
    uint64_t seed = 10;
    volatile sig_atomic_t stop = 1;
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(3, 4)), ret;
    struct norm norm = {.x = &x};
    assert_error(norm_forward(&norm, &stop, &ret, &error), error, ERR_INTERRUPTED);
    assert_error(norm_backward(&norm, &x, &stop, &ret, &error), error, ERR_INTERRUPTED);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norm_rows__is_the_formula),
        cmocka_unit_test(test_norm_rows__far_from_zero),
        cmocka_unit_test(test_loss_row__is_the_formula),
        cmocka_unit_test(test_loss_row__of_odd_numbers),
        cmocka_unit_test(test_norm__same_bits_for_any_threads),
        cmocka_unit_test(test_norm__what_does_not_fit),
        cmocka_unit_test(test_norm__failed_allocations),
        cmocka_unit_test(test_norm__stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
