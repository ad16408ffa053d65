/* See cross_entropy.h. Each row is a plain array; sums run in double. */
#include "attention/cross_entropy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_OUT = -1 };

/* What is worked on: dense scores, and the class of each row or LEFT_OUT. */
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
                         "cross_entropy: target %g is no class: there are %zu, 0 to %zu",
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

/* The losses, or with d the gradients. False once it was stopped. */
static bool run_rows(const struct batch *batch, const float *d, const volatile sig_atomic_t *stop,
                     float *ret)
{
    size_t n = batch->n_classes;
    for (size_t row = 0; row < batch->n_rows; row++) {
        const float *x = batch->scores.data + row * n;
        bool left_out = batch->classes[row] == LEFT_OUT;
        size_t target = left_out ? 0 : (size_t)batch->classes[row];
        if (stop != NULL && *stop)
            return false;
        if (d == NULL)
            ret[row] = left_out ? 0 : loss_of(x, n, target);
        else if (left_out)
            memset(ret + row * n, 0, n * sizeof *ret);
        else
            gradient_of(x, n, target, d[row], ret + row * n);
    }
    return true;
}

static bool run(const struct cross_entropy *rows, const float *d, const volatile sig_atomic_t *stop,
                struct tensor *ret, struct error *reterr)
{
    const struct tensor *like = d != NULL ? rows->scores : rows->targets;
    struct batch batch;
    struct tensor made;
    if (!batch_init(&batch, rows, reterr))
        return false;
    bool ok = tensor_empty(like->n_axes, like->shape, &made, reterr);
    if (ok && !run_rows(&batch, d, stop, made.data)) {
        tensor_release(&made);
        ok = error_set(reterr, ERR_INTERRUPTED, "cross_entropy: stopped");
    }
    batch_release(&batch);
    if (ok)
        *ret = made;
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
