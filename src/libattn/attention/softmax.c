/* Softmax along an axis: see softmax.h. Large ones are the kernels'; else the axis is moved last
 * and each row is worked on as a plain array, so that every variant is a function of one row. */
#include "attention/softmax.h"

#include <math.h>
#include <string.h>

#include "kernel/softmax.h"

static float largest(const float *row, size_t n)
{
    float max = -INFINITY;
    for (size_t j = 0; j < n; j++)
        if (row[j] > max)
            max = row[j];
    return max;
}

static bool all_minus_infinity(const float *row, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (row[j] != -INFINITY)
            return false;
    return true;
}

/* The number of exponentials of a row that are kept from one pass to the next, as each costs more
 * than all other work on its number. */
enum { KEPT = 64 };

static double exponential(const float *row, size_t j, float max)
{
    return exp((double)row[j] - (double)max);
}

static double sum_of_exponentials(const float *row, size_t n, float max, double kept[KEPT])
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        double e = exponential(row, j, max);
        if (j < KEPT)
            kept[j] = e;
        sum += e;
    }
    return sum;
}

/* A row of one variant: reads x[0..n), writes ret[0..n). */
typedef void row_function(const float *x, size_t n, float *ret);

static void plain_row(const float *x, size_t n, float *ret)
{
    float max = largest(x, n);
    double kept[KEPT], sum = sum_of_exponentials(x, n, max, kept);
    for (size_t j = 0; j < n; j++)
        ret[j] = (float)((j < KEPT ? kept[j] : exponential(x, j, max)) / sum);
}

static void log_row(const float *x, size_t n, float *ret)
{
    float max = largest(x, n);
    double kept[KEPT], log_sum = log(sum_of_exponentials(x, n, max, kept));
    for (size_t j = 0; j < n; j++)
        ret[j] = (float)((double)x[j] - (double)max - log_sum);
}

void softmax_row(const float *scores, size_t n, float *weights)
{
    if (all_minus_infinity(scores, n))
        memset(weights, 0, n * sizeof *weights);
    else
        plain_row(scores, n, weights);
}

/* The gradients work in place: d holds the gradient of y, and then that of x. */
static void plain_gradient_row(const float *y, size_t n, float *d)
{
    double mean = 0; /* of the gradient, weighted by y */
    for (size_t j = 0; j < n; j++)
        mean += (double)d[j] * (double)y[j];
    for (size_t j = 0; j < n; j++)
        d[j] = (float)((double)y[j] * ((double)d[j] - mean));
}

static void log_gradient_row(const float *y, size_t n, float *d)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += (double)d[j];
    for (size_t j = 0; j < n; j++)
        d[j] = (float)((double)d[j] - exp((double)y[j]) * sum);
}

/* A variant, and what the kernels call it. */
struct variant {
    row_function *run;
    enum softmax_form form;
};

static const struct variant plain = {plain_row, SOFTMAX_PLAIN},
                            weights = {softmax_row, SOFTMAX_WEIGHTS}, logs = {log_row, SOFTMAX_LOG},
                            plain_gradient = {plain_gradient_row, SOFTMAX_GRADIENT},
                            log_gradient = {log_gradient_row, SOFTMAX_LOG_GRADIENT};

/* Where rows along an axis begin: the other axes of x, or one of 1 where it has no other. */
static struct softmax_rows rows_of(const struct tensor *x, unsigned axis)
{
    struct softmax_rows rows = {.starts.data = x->data, .step = x->stride[axis]};
    struct strided *starts = &rows.starts;
    for (unsigned other = 0; other < x->n_axes; other++)
        if (other != axis) {
            starts->shape[starts->n_axes] = x->shape[other];
            starts->stride[starts->n_axes++] = x->stride[other];
        }
    if (starts->n_axes == 0)
        starts->shape[starts->n_axes++] = 1;
    return rows;
}

/* By the kernels. */
static bool apply_many(const struct variant *variant, const struct kernel *kernel,
                       const struct tensor *x, const struct tensor *d, unsigned axis,
                       const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    struct tensor made;
    if (!tensor_empty(x->n_axes, x->shape, &made, reterr))
        return false;
    struct softmax_work work = {.kernel = kernel,
                                .form = variant->form,
                                .n_rows = tensor_size(x) / x->shape[axis],
                                .n = x->shape[axis],
                                .x = rows_of(x, axis),
                                .d = rows_of(d != NULL ? d : x, axis),
                                .ret = rows_of(&made, axis),
                                .to = made.data};
    if (!kernel_softmax(&work, stop, reterr)) {
        tensor_release(&made);
        return false;
    }
    *ret = made;
    return true;
}

/* Row by row as it reads. False when *stop was set. */
static bool apply_rows(row_function *f, const struct tensor *rows, size_t n,
                       const volatile sig_atomic_t *stop, float *ret)
{
    size_t size = tensor_size(rows);
    for (size_t at = 0; at < size; at += n) {
        if (stop != NULL && *stop)
            return false;
        f(rows->data + at, n, ret + at);
    }
    return true;
}

/* Applies f to each row of x along axis. In *ret f finds the numbers of `start`, or any when that
 * is NULL. */
static bool apply_few(row_function *f, const struct tensor *x, const struct tensor *start,
                      unsigned axis, const volatile sig_atomic_t *stop, struct tensor *ret,
                      struct error *reterr)
{
    unsigned last = x->n_axes - 1;
    struct tensor x_turned = tensor_transpose(x, axis, last), start_turned = {0};
    struct tensor rows = {0}, made = {0};
    if (start != NULL)
        start_turned = tensor_transpose(start, axis, last);
    bool ok = tensor_dense(&x_turned, &rows, reterr) &&
              (start != NULL ? tensor_copy(&start_turned, &made, reterr)
                             : tensor_empty(rows.n_axes, rows.shape, &made, reterr));
    if (ok) {
        made.is_bool = false;
        ok = apply_rows(f, &rows, x->shape[axis], stop, made.data) ||
             error_set(reterr, ERR_INTERRUPTED, "softmax: stopped");
    }
    if (ok) {
        struct tensor back = tensor_transpose(&made, axis, last);
        ok = tensor_dense(&back, ret, reterr);
        tensor_release(&back);
    }
    tensor_release(&x_turned);
    tensor_release(&start_turned);
    tensor_release(&rows);
    tensor_release(&made);
    return ok;
}

/* d: what gradients start from, else NULL. */
static bool apply(const struct variant *variant, const struct tensor *x, const struct tensor *d,
                  ptrdiff_t dim, const char *what, const volatile sig_atomic_t *stop,
                  struct tensor *ret, struct error *reterr)
{
    unsigned axis;
    if (!tensor_axis(x, dim, what, &axis, reterr))
        return false;
    const struct kernel *kernel = kernel_for_numbers(tensor_size(x));
    if (x->n_axes > 0)
        return kernel != NULL ? apply_many(variant, kernel, x, d, axis, stop, ret, reterr)
                              : apply_few(variant->run, x, d, axis, stop, ret, reterr);
    if (!tensor_scalar(d != NULL ? *d->data : 0, ret, reterr))
        return false;
    variant->run(x->data, 1, ret->data);
    return true;
}

static bool apply_gradient(const struct variant *variant, const struct tensor *y,
                           const struct tensor *d_y, ptrdiff_t dim, const char *what,
                           const volatile sig_atomic_t *stop, struct tensor *ret_d_x,
                           struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(y, d_y))
        return error_set(reterr, ERR_SHAPE,
                         "%s: y is %s and its gradient is %s; each number has one gradient, so "
                         "the shapes must be equal",
                         what, tensor_shape_text(y, left), tensor_shape_text(d_y, right));
    return apply(variant, y, d_y, dim, what, stop, ret_d_x, reterr);
}

bool softmax_forward(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                     struct tensor *ret, struct error *reterr)
{
    return apply(&plain, x, NULL, dim, "softmax", stop, ret, reterr);
}

bool log_softmax_forward(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                         struct tensor *ret, struct error *reterr)
{
    return apply(&logs, x, NULL, dim, "log_softmax", stop, ret, reterr);
}

bool softmax_weights(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                     struct tensor *ret, struct error *reterr)
{
    return apply(&weights, x, NULL, dim, "softmax_weights", stop, ret, reterr);
}

bool softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                      const volatile sig_atomic_t *stop, struct tensor *ret_d_x,
                      struct error *reterr)
{
    return apply_gradient(&plain_gradient, y, d_y, dim, "softmax backward", stop, ret_d_x, reterr);
}

bool log_softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                          const volatile sig_atomic_t *stop, struct tensor *ret_d_x,
                          struct error *reterr)
{
    return apply_gradient(&log_gradient, y, d_y, dim, "log_softmax backward", stop, ret_d_x,
                          reterr);
}
