/* See norm.h. Rows are plain arrays, of which many are the kernels' work; the version to read, for
 * few, is norm_few() and back_few(). A task takes some rows; what it gives for weight and bias is
 * its own, and is added up in the order of the tasks. */
#include "attention/norm.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"

/* ---- as it reads ---- */

/* What a row is shifted by, and what it is then multiplied by. */
static void statistics(const struct norm_rows *rows, const float *x, double *ret_mean,
                       double *ret_factor)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; rows->centred && i < rows->n; i++)
        mean += (double)x[i] / (double)rows->n;
    for (size_t i = 0; i < rows->n; i++)
        squares += ((double)x[i] - mean) * ((double)x[i] - mean);
    *ret_mean = mean;
    *ret_factor = 1 / sqrt(squares / (double)rows->n + rows->eps);
}

static double weight_at(const struct norm_rows *rows, size_t i)
{
    return rows->weight != NULL ? (double)rows->weight[i] : 1;
}

static void norm_few(const struct norm_rows *rows, float *ret)
{
    for (size_t row = 0; row < rows->n_rows; row++) {
        const float *x = rows->x + row * rows->n;
        double mean, factor;
        statistics(rows, x, &mean, &factor);
        for (size_t i = 0; i < rows->n; i++)
            ret[row * rows->n + i] = (float)(((double)x[i] - mean) * factor * weight_at(rows, i) +
                                             (rows->bias != NULL ? (double)rows->bias[i] : 0));
    }
}

/* With y the shifted and scaled row and g = d weight: d_x = factor (g - mean(g) - y mean(g y)), for
 * RMS norm without mean(g); d_weight = the sum of d y over the rows. */
static void back_few(const struct norm_rows *rows, const float *d, float *d_x, double *d_weight,
                     double *d_bias)
{
    size_t n = rows->n;
    for (size_t row = 0; row < rows->n_rows; row++, d += n, d_x += n) {
        const float *x = rows->x + row * n;
        double mean, factor, g_mean = 0, product_mean = 0;
        statistics(rows, x, &mean, &factor);
        for (size_t i = 0; i < n; i++) {
            double y = ((double)x[i] - mean) * factor, g = (double)d[i] * weight_at(rows, i);
            g_mean += rows->centred ? g / (double)n : 0;
            product_mean += g * y / (double)n;
            if (d_weight != NULL)
                d_weight[i] += (double)d[i] * y;
            if (d_bias != NULL)
                d_bias[i] += (double)d[i];
        }
        for (size_t i = 0; i < n; i++) {
            double y = ((double)x[i] - mean) * factor, g = (double)d[i] * weight_at(rows, i);
            d_x[i] = (float)(factor * (g - g_mean - y * product_mean));
        }
    }
}

/* ---- what is worked on ---- */

/* Dense copies or the tensors themselves. */
struct work {
    struct tensor x, weight, bias, d;
    struct norm_rows rows;
    const struct kernel *kernel; /* or NULL */
    float *ret;                  /* the result, or the gradient of x */
    double *sums;                /* of each task: of the gradient of weight, then of bias */
    size_t each;                 /* rows of a task */
    unsigned n_vectors;          /* how many of weight and bias there are */
};

static bool check_vector(const struct tensor *x, const struct tensor *vector, const char *what,
                         struct error *reterr)
{
    char text[2][TENSOR_SHAPE_TEXT];
    if (vector == NULL || (vector->n_axes == 1 && vector->shape[0] == x->shape[x->n_axes - 1]))
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "norm: the rows of x, which is %s, need a %s of as many numbers, and it is %s",
                     tensor_shape_text(x, text[0]), what, tensor_shape_text(vector, text[1]));
}

static bool check(const struct norm *norm, struct error *reterr)
{
    if (norm->x->n_axes == 0)
        return error_set(reterr, ERR_SHAPE, "norm: a single number has no rows");
    return check_vector(norm->x, norm->weight, "weight", reterr) &&
           check_vector(norm->x, norm->bias, "bias", reterr);
}

static bool take(const struct tensor *x, struct tensor *ret, const float **ret_data,
                 struct error *reterr)
{
    if (x == NULL)
        return true;
    if (!tensor_dense(x, ret, reterr))
        return false;
    if (ret_data != NULL)
        *ret_data = ret->data;
    return true;
}

static void work_release(struct work *work)
{
    tensor_release(&work->x);
    tensor_release(&work->weight);
    tensor_release(&work->bias);
    tensor_release(&work->d);
    free(work->sums);
}

/* At least 16 rows of a task, or 2^15 numbers; at most 32 tasks where each has its own sums. */
static size_t rows_of_task(const struct work *work, bool back)
{
    enum { LEAST_ROWS = 16, LEAST_NUMBERS = 1 << 15, MOST_TASKS = 32 };
    size_t each = size_max(LEAST_NUMBERS / size_max(work->rows.n, 1), LEAST_ROWS);
    return back ? size_max(each, (work->rows.n_rows + MOST_TASKS - 1) / MOST_TASKS) : each;
}

static bool work_init(struct work *work, const struct norm *norm, const struct tensor *d,
                      struct error *reterr)
{
    *work = (struct work){.n_vectors = (unsigned)(norm->weight != NULL) + (norm->bias != NULL)};
    if (!check(norm, reterr))
        return false;
    work->rows.n = norm->x->shape[norm->x->n_axes - 1];
    work->rows.n_rows = work->rows.n > 0 ? tensor_size(norm->x) / work->rows.n : 0;
    work->rows.centred = norm->centred;
    work->rows.eps = norm->eps;
    work->each = rows_of_task(work, d != NULL);
    work->kernel = kernel_for_numbers(tensor_size(norm->x));
    if (take(norm->x, &work->x, &work->rows.x, reterr) &&
        take(norm->weight, &work->weight, &work->rows.weight, reterr) &&
        take(norm->bias, &work->bias, &work->rows.bias, reterr) && take(d, &work->d, NULL, reterr))
        return true;
    work_release(work);
    return false;
}

static size_t count_tasks(const struct work *work)
{
    return (work->rows.n_rows + work->each - 1) / work->each;
}

/* The rows of a task; *ret_first is how many numbers lie before them. */
static struct norm_rows task_rows(const struct work *work, size_t task, size_t *ret_first)
{
    struct norm_rows rows = work->rows;
    size_t first = task * work->each;
    rows.n_rows = size_min(work->rows.n_rows - first, work->each);
    *ret_first = first * rows.n;
    rows.x += *ret_first;
    return rows;
}

static void norm_task(void *context, size_t task, float *room) /* NOLINT: one of a kind */
{
    const struct work *work = context;
    size_t first;
    struct norm_rows rows = task_rows(work, task, &first);
    (void)room;
    if (work->kernel != NULL)
        work->kernel->norm_rows(&rows, work->ret + first);
    else
        norm_few(&rows, work->ret + first);
}

static void back_task(void *context, size_t task, float *room) /* NOLINT: one of a kind */
{
    const struct work *work = context;
    size_t first;
    struct norm_rows rows = task_rows(work, task, &first);
    double *sums = work->sums + task * work->n_vectors * rows.n;
    double *d_weight = rows.weight != NULL ? sums : NULL;
    double *d_bias = rows.bias != NULL ? sums + (rows.weight != NULL ? rows.n : 0) : NULL;
    (void)room;
    (work->kernel != NULL ? work->kernel->norm_rows_back : back_few)(
        &rows, work->d.data + first, work->ret + first, d_weight, d_bias);
}

static bool run_tasks(struct work *work, thread_task *run, double cost,
                      const volatile sig_atomic_t *stop, struct error *reterr)
{
    struct thread_work shared = {.what = "norm",
                                 .run = run,
                                 .context = work,
                                 .n_tasks = count_tasks(work),
                                 .n_threads = threads_for((double)tensor_size(&work->x) * cost)};
    return threads_run(&shared, stop, reterr);
}

bool norm_forward(const struct norm *norm, const volatile sig_atomic_t *stop, struct tensor *ret,
                  struct error *reterr)
{
    static const double cost = 8; /* of a number, in multiply-adds */
    struct work work;
    struct tensor made = {0};
    if (!work_init(&work, norm, NULL, reterr))
        return false;
    bool ok = tensor_empty(norm->x->n_axes, norm->x->shape, &made, reterr);
    work.ret = made.data;
    ok = ok && run_tasks(&work, norm_task, cost, stop, reterr);
    work_release(&work);
    if (ok)
        *ret = made;
    else
        tensor_release(&made);
    return ok;
}

/* The sums of all tasks, to the n numbers at `to`. */
static void add_up(const struct work *work, size_t n, float *to)
{
    size_t n_tasks = count_tasks(work);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t task = 0; task < n_tasks; task++)
            sum += work->sums[task * n + i];
        to[i] = (float)sum;
    }
}

bool norm_backward(const struct norm *norm, const struct tensor *d,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    static const double cost = 16;
    struct work work;
    struct tensor made = {0};
    if (!tensor_same_shape(norm->x, d))
        return error_set(reterr, ERR_SHAPE,
                         "norm backward: each number has one gradient, so d must have the shape "
                         "of x");
    if (!work_init(&work, norm, d, reterr))
        return false;
    size_t size = tensor_size(norm->x), n = work.n_vectors * work.rows.n, all = size + n;
    work.sums = calloc(count_tasks(&work) * n + 1, sizeof *work.sums);
    bool ok = (work.sums != NULL || error_memory(reterr, "norm backward")) &&
              tensor_empty(1, &all, &made, reterr);
    work.ret = made.data;
    ok = ok && run_tasks(&work, back_task, cost, stop, reterr);
    if (ok)
        add_up(&work, n, made.data + size);
    work_release(&work);
    if (ok)
        *ret = made;
    else
        tensor_release(&made);
    return ok;
}
