/* A linear map as a matrix product and a sum: see linear.h. */
#include "attention/linear.h"

#include <string.h>

#include "tensor/elementwise.h"
#include "tensor/matmul.h"

static bool check_product(const struct tensor *x, const struct tensor *weight, struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (x->n_axes < 2 || weight->n_axes != 2)
        return error_set(reterr, ERR_SHAPE,
                         "linear: x is %s, W is %s: x needs rows and columns (..., n, d_in), and "
                         "W is one matrix (d_in, d_out)",
                         tensor_shape_text(x, left), tensor_shape_text(weight, right));
    size_t d_in = x->shape[x->n_axes - 1];
    if (d_in == weight->shape[0])
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "linear: x is %s, W is %s: each column of x meets a row of W, so they must "
                     "be equally many: %zu against %zu",
                     tensor_shape_text(x, left), tensor_shape_text(weight, right), d_in,
                     weight->shape[0]);
}

static bool check_bias(const struct tensor *weight, const struct tensor *bias, struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (bias == NULL || (bias->n_axes == 1 && bias->shape[0] == weight->shape[1]))
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "linear: W is %s, b is %s: b needs one number for each column of W",
                     tensor_shape_text(weight, left), tensor_shape_text(bias, right));
}

bool linear_forward(const struct tensor *x, const struct tensor *weight, const struct tensor *bias,
                    const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    if (!check_product(x, weight, reterr) || !check_bias(weight, bias, reterr))
        return false;
    if (bias == NULL)
        return tensor_matmul(x, weight, stop, ret, reterr);
    struct tensor product;
    if (!tensor_matmul(x, weight, stop, &product, reterr))
        return false;
    bool ok = tensor_binary(BINARY_ADD, &product, bias, stop, ret, reterr);
    tensor_release(&product);
    return ok;
}

static bool check_d_out(const struct tensor *x, const struct tensor *weight,
                        const struct tensor *d_out, struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    struct tensor out = {.n_axes = x->n_axes};
    memcpy(out.shape, x->shape, sizeof out.shape);
    out.shape[out.n_axes - 1] = weight->shape[1];
    if (tensor_same_shape(d_out, &out))
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "linear backward: the gradient of the result is %s and the result is %s; "
                     "each number has one gradient, so the shapes must be equal",
                     tensor_shape_text(d_out, left), tensor_shape_text(&out, right));
}

bool linear_backward(const struct tensor *x, const struct tensor *weight,
                     const struct tensor *d_out, struct tensor *ret_d_x,
                     struct tensor *ret_d_weight, struct tensor *ret_d_bias, struct error *reterr)
{
    if (!check_product(x, weight, reterr) || !check_d_out(x, weight, d_out, reterr))
        return false;
    struct tensor d_bias = {0};
    if (ret_d_bias != NULL &&
        !tensor_sum_to_shape(d_out, 1, (size_t[]){weight->shape[1]}, NULL, &d_bias, reterr))
        return false;
    if (!tensor_matmul_backward(x, weight, d_out, ret_d_x, ret_d_weight, reterr)) {
        tensor_release(&d_bias);
        return false;
    }
    if (ret_d_bias != NULL)
        *ret_d_bias = d_bias;
    return true;
}
