/* See cross_entropy.h. Each row is a plain array, of which many are the kernels' work; sums run in
 * double. */
#include "attention/cross_entropy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"

enum { LEFT_OUT = -1 };

/* The data of a call: dense scores, and the class of each row or LEFT_OUT. */
struct batch {
    struct tensor scores;
    ptrdiff_t *classes;
    size_t n_rows, n_classes;
};

static bool check_shapes(const struct cross_entropy *rows, struct error *reterr)
{
    const struct tensor *scores = rows->scores, *targets = rows->targets;
    char text[2][TENSOR_SHAPE_TEXT];
    struct tensor wanted = *scores;
    if (scores->n_axes > 0) {
        wanted.n_axes--;
        if (tensor_same_shape(&wanted, targets))
            return true;
    }
    return error_set(reterr, ERR_SHAPE,
                     "cross_entropy: the scores are %s and the targets %s; each row of scores "
                     "needs the number of one class",
                     tensor_shape_text(scores, text[0]), tensor_shape_text(targets, text[1]));
}

static bool read_class(float target, double ignored, size_t n_classes, ptrdiff_t *ret,
                       struct error *reterr)
{
    *ret = LEFT_OUT;
    if ((double)target == ignored)
        return true;
    if (!(target >= 0 && target < (float)n_classes) || target != floorf(target))
        return error_set(reterr, ERR_RANGE,
                         "cross_entropy: target %g is not a class: there are %zu, 0 to %zu",
                         (double)target, n_classes, n_classes > 0 ? n_classes - 1 : 0);
    *ret = (ptrdiff_t)target;
    return true;
}

static bool read_classes(const struct cross_entropy *rows, struct batch *batch,
                         struct error *reterr)
{
    float *targets = malloc((batch->n_rows + 1) * sizeof *targets);
    batch->classes = malloc((batch->n_rows + 1) * sizeof *batch->classes);
    bool ok = (targets != NULL && batch->classes != NULL) || error_memory(reterr, "cross_entropy");
    if (ok)
        tensor_read(rows->targets, targets);
    for (size_t row = 0; ok && row < batch->n_rows; row++)
        ok =
            read_class(targets[row], rows->ignored, batch->n_classes, &batch->classes[row], reterr);
    free(targets);
    return ok;
}

static void batch_release(struct batch *batch)
{
    tensor_release(&batch->scores);
    free(batch->classes);
}

static bool batch_init(struct batch *batch, const struct cross_entropy *rows, struct error *reterr)
{
    *batch = (struct batch){.classes = NULL};
    if (!check_shapes(rows, reterr))
        return false;
    batch->n_rows = tensor_size(rows->targets);
    batch->n_classes = rows->scores->shape[rows->scores->n_axes - 1];
    if (read_classes(rows, batch, reterr) && tensor_dense(rows->scores, &batch->scores, reterr))
        return true;
    batch_release(batch);
    return false;
}

static double largest_of(const float *x, size_t n)
{
    double largest = (double)-INFINITY;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, (double)x[i]);
    return largest;
}

/* log(sum of exp(x - largest)). */
static double log_sum_of(const float *x, size_t n, double largest)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i] - largest);
    return log(sum);
}

static float loss_of(const float *x, size_t n, size_t target)
{
    double largest = largest_of(x, n);
    return (float)(log_sum_of(x, n, largest) - ((double)x[target] - largest));
}

static void gradient_of(const float *x, size_t n, size_t target, float d, float *ret)
{
    double largest = largest_of(x, n), log_sum = log_sum_of(x, n, largest);
    for (size_t i = 0; i < n; i++)
        ret[i] = (float)((exp((double)x[i] - largest - log_sum) - (i == target)) * (double)d);
}

/* The results of the rows: losses, or with d their gradients. */
struct run {
    const struct batch *batch;
    const struct kernel *kernel; /* or NULL */
    const float *d;
    float *ret;
};

static void run_row(const struct run *run, size_t row)
{
    size_t n = run->batch->n_classes, target = (size_t)run->batch->classes[row];
    const float *x = run->batch->scores.data + row * n;
    bool left_out = run->batch->classes[row] == LEFT_OUT;
    if (run->d == NULL)
        run->ret[row] = left_out              ? 0
                        : run->kernel != NULL ? run->kernel->loss_row(x, n, target)
                                              : loss_of(x, n, target);
    else if (left_out)
        memset(run->ret + row * n, 0, n * sizeof *run->ret);
    else if (run->kernel != NULL)
        run->kernel->loss_row_back(x, n, target, run->d[row], run->ret + row * n);
    else
        gradient_of(x, n, target, run->d[row], run->ret + row * n);
}

static size_t rows_of_task(const struct batch *batch)
{
    enum { TASK = 1 << 15 };
    return size_max(TASK / size_max(batch->n_classes, 1), 1);
}

static void run_task(void *context, size_t task, float *room) /* NOLINT: one of a kind */
{
    const struct run *run = context;
    size_t each = rows_of_task(run->batch), first = task * each;
    (void)room;
    for (size_t row = first; row < size_min(first + each, run->batch->n_rows); row++)
        run_row(run, row);
}

static bool run_rows(struct run *run, const volatile sig_atomic_t *stop, struct error *reterr)
{
    static const double cost = 24; /* of a number, in multiply-adds */
    size_t n = tensor_size(&run->batch->scores), each = rows_of_task(run->batch);
    run->kernel = kernel_for_numbers(n);
    struct thread_work work = {.what = "cross_entropy",
                               .run = run_task,
                               .context = run,
                               .n_tasks = (run->batch->n_rows + each - 1) / each,
                               .n_threads = threads_for((double)n * cost)};
    return threads_run(&work, stop, reterr);
}

static bool run(const struct cross_entropy *rows, const float *d, const volatile sig_atomic_t *stop,
                struct tensor *ret, struct error *reterr)
{
    const struct tensor *like = d != NULL ? rows->scores : rows->targets;
    struct batch batch;
    struct tensor made = {0};
    if (!batch_init(&batch, rows, reterr))
        return false;
    bool ok = tensor_empty(like->n_axes, like->shape, &made, reterr) &&
              run_rows(&(struct run){.batch = &batch, .d = d, .ret = made.data}, stop, reterr);
    batch_release(&batch);
    if (ok)
        *ret = made;
    else
        tensor_release(&made);
    return ok;
}

bool cross_entropy_forward(const struct cross_entropy *rows, const volatile sig_atomic_t *stop,
                           struct tensor *ret, struct error *reterr)
{
    return run(rows, NULL, stop, ret, reterr);
}

bool cross_entropy_backward(const struct cross_entropy *rows, const struct tensor *d,
                            const volatile sig_atomic_t *stop, struct tensor *ret_d_scores,
                            struct error *reterr)
{
    struct tensor dense;
    if (!tensor_same_shape(d, rows->targets))
        return error_set(reterr, ERR_SHAPE,
                         "cross_entropy backward: each loss has one gradient, so there must be as "
                         "many as targets");
    if (!tensor_dense(d, &dense, reterr))
        return false;
    bool ok = run(rows, dense.data, stop, ret_d_scores, reterr);
    tensor_release(&dense);
    return ok;
}
