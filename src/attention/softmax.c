/* Softmax along an axis: see softmax.h. The axis is moved last and each row is worked on as a
 * plain array, so that every variant is a function of one row. */
#include "attention/softmax.h"

#include <math.h>
#include <string.h>

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

static double sum_of_exponentials(const float *row, size_t n, float max)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += exp((double)row[j] - (double)max);
    return sum;
}

/* A row of one variant: reads x[0..n), writes ret[0..n). */
typedef void row_function(const float *x, size_t n, float *ret);

static void plain_row(const float *x, size_t n, float *ret)
{
    float max = largest(x, n);
    double sum = sum_of_exponentials(x, n, max);
    for (size_t j = 0; j < n; j++)
        ret[j] = (float)(exp((double)x[j] - (double)max) / sum);
}

static void log_row(const float *x, size_t n, float *ret)
{
    float max = largest(x, n);
    double log_sum = log(sum_of_exponentials(x, n, max));
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

/* Applies f to each row of x along axis. In *ret f finds the numbers of `start`, or zeros when that
 * is NULL. x has at least one axis. */
static bool apply_along(row_function *f, const struct tensor *x, const struct tensor *start,
                        unsigned axis, struct tensor *ret, struct error *reterr)
{
    unsigned last = x->n_axes - 1;
    struct tensor x_turned = tensor_transpose(x, axis, last), start_turned = {0};
    struct tensor rows = {0}, made = {0};
    if (start != NULL)
        start_turned = tensor_transpose(start, axis, last);
    bool ok = tensor_dense(&x_turned, &rows, reterr) &&
              (start != NULL ? tensor_copy(&start_turned, &made, reterr)
                             : tensor_zeros(rows.n_axes, rows.shape, &made, reterr));
    if (ok) {
        made.is_bool = false;
        size_t n = x->shape[axis], size = tensor_size(x);
        for (size_t at = 0; at < size; at += n)
            f(rows.data + at, n, made.data + at);
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

static bool apply(row_function *f, const struct tensor *x, const struct tensor *start,
                  ptrdiff_t dim, const char *what, struct tensor *ret, struct error *reterr)
{
    unsigned axis;
    if (!tensor_axis(x, dim, what, &axis, reterr))
        return false;
    if (x->n_axes > 0)
        return apply_along(f, x, start, axis, ret, reterr);
    if (!tensor_scalar(start != NULL ? *start->data : 0, ret, reterr))
        return false;
    f(x->data, 1, ret->data);
    return true;
}

static bool apply_gradient(row_function *f, const struct tensor *y, const struct tensor *d_y,
                           ptrdiff_t dim, const char *what, struct tensor *ret_d_x,
                           struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(y, d_y))
        return error_set(reterr, ERR_SHAPE,
                         "%s: y is %s and its gradient is %s; each number has one gradient, so "
                         "the shapes must be equal",
                         what, tensor_shape_text(y, left), tensor_shape_text(d_y, right));
    return apply(f, y, d_y, dim, what, ret_d_x, reterr);
}

bool softmax_forward(const struct tensor *x, ptrdiff_t dim, struct tensor *ret,
                     struct error *reterr)
{
    return apply(plain_row, x, NULL, dim, "softmax", ret, reterr);
}

bool log_softmax_forward(const struct tensor *x, ptrdiff_t dim, struct tensor *ret,
                         struct error *reterr)
{
    return apply(log_row, x, NULL, dim, "log_softmax", ret, reterr);
}

bool softmax_weights(const struct tensor *x, ptrdiff_t dim, struct tensor *ret,
                     struct error *reterr)
{
    return apply(softmax_row, x, NULL, dim, "softmax_weights", ret, reterr);
}

bool softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                      struct tensor *ret_d_x, struct error *reterr)
{
    return apply_gradient(plain_gradient_row, y, d_y, dim, "softmax backward", ret_d_x, reterr);
}

bool log_softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                          struct tensor *ret_d_x, struct error *reterr)
{
    return apply_gradient(log_gradient_row, y, d_y, dim, "log_softmax backward", ret_d_x, reterr);
}
