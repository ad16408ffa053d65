/* Matrix products: large ones by the kernels, the others as it reads here. The inner loops run
 * along rows of b and add into a row of doubles, so memory is read in order. */
#include "tensor/matmul.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernel/multiply.h"
#include "tensor/reduce.h"

/* One side of a product: borrowed numbers, as a matrix or a batch of them. */
struct side {
    const float *data;
    ptrdiff_t row, column;            /* strides: 0 along the axis that a vector does not have */
    ptrdiff_t outer[TENSOR_MAX_AXES]; /* of the axes before them: 0 repeats */
};

/* A product as a batch of plain matrices. */
struct product {
    struct side a, b; /* (..., n, k) and (..., k, m) */
    size_t n, k, m;
    unsigned n_outer; /* the axes before them, which both sides broadcast to */
    size_t outer[TENSOR_MAX_AXES];
    bool row_vector, column_vector; /* a, b have one axis, and the result lacks that of n, m */
    bool skip_zeros;
};

static unsigned count_outer(const struct tensor *x)
{
    return x->n_axes > 2 ? x->n_axes - 2 : 0;
}

static bool check_inner(const struct tensor *a, const struct tensor *b, struct error *reterr)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (a->n_axes == 0 || b->n_axes == 0)
        return error_set(reterr, ERR_SHAPE,
                         "matmul: %s @ %s: both sides need an axis; write * to multiply by a "
                         "single number",
                         tensor_shape_text(a, left), tensor_shape_text(b, right));
    size_t inner_a = a->shape[a->n_axes - 1];
    size_t inner_b = b->shape[b->n_axes - (b->n_axes > 1 ? 2 : 1)];
    if (inner_a == inner_b)
        return true;
    return error_set(reterr, ERR_SHAPE, "matmul: %s @ %s: the inner sizes differ: %zu against %zu",
                     tensor_shape_text(a, left), tensor_shape_text(b, right), inner_a, inner_b);
}

static bool broadcast_outer(struct product *product, const struct tensor *a, const struct tensor *b,
                            struct error *reterr)
{
    product->n_outer = 0;
    if (a->n_axes <= 2 && b->n_axes <= 2)
        return true;
    struct tensor outer_a = *a, outer_b = *b;
    outer_a.n_axes = count_outer(a);
    outer_b.n_axes = count_outer(b);
    return tensor_broadcast_shape(&outer_a, &outer_b, &product->n_outer, product->outer, reterr);
}

/* x as a side of the product; a vector is a row where is_row, else a column. */
static void take_side(const struct product *product, const struct tensor *x, bool is_row,
                      struct side *ret)
{
    ptrdiff_t last = x->stride[x->n_axes - 1];
    bool is_vector = x->n_axes == 1;
    ret->data = x->data;
    ret->row = !is_vector ? x->stride[x->n_axes - 2] : is_row ? 0 : last;
    ret->column = is_vector && !is_row ? 0 : last;
    unsigned missing = product->n_outer - count_outer(x);
    for (unsigned axis = 0; axis < product->n_outer; axis++) {
        bool repeats = axis < missing || x->shape[axis - missing] == 1;
        ret->outer[axis] = repeats ? 0 : x->stride[axis - missing];
    }
}

static bool product_init(struct product *product, const struct tensor *a, const struct tensor *b,
                         bool skip_zeros, struct error *reterr)
{
    if (!check_inner(a, b, reterr) || !broadcast_outer(product, a, b, reterr))
        return false;
    product->row_vector = a->n_axes == 1;
    product->column_vector = b->n_axes == 1;
    product->skip_zeros = skip_zeros;
    product->n = product->row_vector ? 1 : a->shape[a->n_axes - 2];
    product->k = a->shape[a->n_axes - 1];
    product->m = product->column_vector ? 1 : b->shape[b->n_axes - 1];
    take_side(product, a, true, &product->a);
    take_side(product, b, false, &product->b);
    return true;
}

/* The number of sums side by side in registers, if a row of them is short, since each addition
 * waits for the one before it. */
enum { BESIDE = 4, SHORT = 64 };

/* sums[0..BESIDE) = row @ as many columns of b. */
static inline void row_times_columns(const struct product *p, const float *row, ptrdiff_t row_step,
                                     const float *b, ptrdiff_t b_row, ptrdiff_t b_column,
                                     double *ret)
{
    double sums[BESIDE] = {0};
    for (size_t i = 0; i < p->k; i++, b += b_row) {
        double weight = (double)row[(ptrdiff_t)i * row_step];
        if (p->skip_zeros && weight == 0)
            continue;
        for (ptrdiff_t j = 0; j < BESIDE; j++)
            sums[j] += weight * (double)b[j * b_column];
    }
    memcpy(ret, sums, sizeof sums);
}

/* sums[0..m) = row @ b, m >= BESIDE: the last columns perhaps twice, in the same way. */
static void row_times_few(const struct product *p, const float *row, ptrdiff_t row_step,
                          const float *b, ptrdiff_t b_row, ptrdiff_t b_column, double *sums)
{
    for (size_t next = 0; next < p->m; next += BESIDE) {
        size_t j = size_min(next, p->m - BESIDE);
        const float *from = b + (ptrdiff_t)j * b_column;
        if (b_column == 1)
            row_times_columns(p, row, row_step, from, b_row, 1, sums + j);
        else
            row_times_columns(p, row, row_step, from, b_row, b_column, sums + j);
    }
}

/* sums[0..m) = row @ b, for one row of a. */
static void row_times_matrix(const struct product *p, const float *row, ptrdiff_t row_step,
                             const float *b, ptrdiff_t b_row, ptrdiff_t b_column, double *sums)
{
    if (p->m >= BESIDE && p->m <= SHORT) {
        row_times_few(p, row, row_step, b, b_row, b_column, sums);
        return;
    }
    for (size_t j = 0; j < p->m; j++)
        sums[j] = 0;
    for (size_t i = 0; i < p->k; i++) {
        double weight = (double)row[(ptrdiff_t)i * row_step];
        const float *from = b + (ptrdiff_t)i * b_row;
        if (p->skip_zeros && weight == 0)
            continue;
        if (b_column == 1)
            for (size_t j = 0; j < p->m; j++)
                sums[j] += weight * (double)from[j];
        else
            for (size_t j = 0; j < p->m; j++)
                sums[j] += weight * (double)from[(ptrdiff_t)j * b_column];
    }
}

/* ret[n, m] = a[n, k] @ b[k, m], one matrix of the batch. False when *stop was set. */
static bool matrix_product(const struct product *p, const float *a, const float *b, double *sums,
                           const volatile sig_atomic_t *stop, float *ret)
{
    for (size_t i = 0; i < p->n; i++) {
        if (stop != NULL && *stop)
            return false;
        row_times_matrix(p, a + (ptrdiff_t)i * p->a.row, p->a.column, b, p->b.row, p->b.column,
                         sums);
        for (size_t j = 0; j < p->m; j++)
            ret[i * p->m + j] = (float)sums[j];
    }
    return true;
}

/* First element of matrix number `batch` of a side. */
static const float *batch_at(const struct product *p, const struct side *side, size_t batch)
{
    const float *at = side->data;
    for (unsigned axis = p->n_outer; axis-- > 0; batch /= p->outer[axis])
        at += (ptrdiff_t)(batch % p->outer[axis]) * side->outer[axis];
    return at;
}

static size_t count_batches(const struct product *p)
{
    size_t n = 1;
    for (unsigned axis = 0; axis < p->n_outer; axis++)
        n *= p->outer[axis];
    return n;
}

static bool multiply_exactly(const struct product *p, const volatile sig_atomic_t *stop,
                             struct tensor *ret, struct error *reterr)
{
    double few[SHORT];
    double *sums = p->m <= SHORT ? few : malloc(p->m * sizeof *sums);
    if (sums == NULL)
        return error_memory(reterr, "matmul");
    size_t n_batches = count_batches(p);
    bool ok = true;
    for (size_t batch = 0; ok && batch < n_batches; batch++)
        ok = matrix_product(p, batch_at(p, &p->a, batch), batch_at(p, &p->b, batch), sums, stop,
                            ret->data + batch * p->n * p->m);
    if (sums != few)
        free(sums);
    return ok || error_set(reterr, ERR_INTERRUPTED, "matmul: stopped");
}

/* The product of one matrix of the batch, as kernels take it. */
static struct gemm gemm_at(const struct product *p, size_t batch, float *ret)
{
    return (struct gemm){
        .m = p->n,
        .n = p->m,
        .k = p->k,
        .a = batch_at(p, &p->a, batch),
        .b = batch_at(p, &p->b, batch),
        .a_row = p->a.row,
        .a_column = p->a.column,
        .b_row = p->b.row,
        .b_column = p->b.column,
        .c = ret + batch * p->n * p->m,
        .c_row = (ptrdiff_t)p->m,
    };
}

/* True when the batch is one product with as many rows: every matrix of a is multiplied by the same
 * b, and their rows are equally far apart. */
static bool is_one_product(const struct product *p)
{
    size_t rows = p->n;
    for (unsigned axis = p->n_outer; axis-- > 0; rows *= p->outer[axis]) {
        bool follows = p->a.outer[axis] == (ptrdiff_t)rows * p->a.row;
        if (p->outer[axis] != 1 && (!follows || p->b.outer[axis] != 0))
            return false;
    }
    return true;
}

static bool multiply_fast(const struct kernel *kernel, const struct product *p,
                          const volatile sig_atomic_t *stop, struct tensor *ret,
                          struct error *reterr)
{
    size_t n_batches = count_batches(p);
    if (is_one_product(p)) {
        struct gemm all = gemm_at(p, 0, ret->data);
        all.m *= n_batches;
        return kernel_multiply(kernel, &all, 1, stop, reterr);
    }
    struct gemm *products = malloc(n_batches * sizeof *products);
    if (products == NULL)
        return error_memory(reterr, "matmul");
    for (size_t batch = 0; batch < n_batches; batch++)
        products[batch] = gemm_at(p, batch, ret->data);
    bool ok = kernel_multiply(kernel, products, n_batches, stop, reterr);
    free(products);
    return ok;
}

static bool multiply_batches(const struct product *p, const volatile sig_atomic_t *stop,
                             struct tensor *ret, struct error *reterr)
{
    const struct kernel *kernel = kernel_for_products((double)tensor_size(ret) * (double)p->k);
    if (kernel == NULL)
        return multiply_exactly(p, stop, ret, reterr);
    if (!multiply_fast(kernel, p, stop, ret, reterr))
        return false;
    /* A weight of 0 that met NaN or infinity, which must add nothing, left a NaN here. */
    if (p->skip_zeros && !kernel->all_finite(ret->data, tensor_size(ret)))
        return multiply_exactly(p, stop, ret, reterr);
    return true;
}

/* The result's shape; returns its axes. */
static unsigned shape_of(const struct product *p, size_t shape[TENSOR_MAX_AXES])
{
    unsigned n_axes = p->n_outer;
    memcpy(shape, p->outer, n_axes * sizeof *shape);
    if (!p->row_vector)
        shape[n_axes++] = p->n;
    if (!p->column_vector)
        shape[n_axes++] = p->m;
    return n_axes;
}

static bool multiply(const struct tensor *a, const struct tensor *b, bool skip_zeros,
                     const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    struct product product;
    struct tensor made;
    size_t shape[TENSOR_MAX_AXES];
    if (!product_init(&product, a, b, skip_zeros, reterr) ||
        !tensor_empty(shape_of(&product, shape), shape, &made, reterr))
        return false;
    if (!multiply_batches(&product, stop, &made, reterr)) {
        tensor_release(&made);
        return false;
    }
    *ret = made;
    return true;
}

bool tensor_matmul(const struct tensor *a, const struct tensor *b,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr)
{
    return multiply(a, b, false, stop, ret, reterr);
}

bool tensor_weighted_sum(const struct tensor *weights, const struct tensor *value,
                         const volatile sig_atomic_t *stop, struct tensor *ret,
                         struct error *reterr)
{
    return multiply(weights, value, true, stop, ret, reterr);
}

bool tensor_sum_to_shape(const struct tensor *d, unsigned n_axes, const size_t *shape,
                         const volatile sig_atomic_t *stop, struct tensor *ret,
                         struct error *reterr)
{
    unsigned extra = d->n_axes - n_axes, axes = 0;
    bool fits = n_axes <= d->n_axes;
    for (unsigned axis = 0; fits && axis < d->n_axes; axis++) {
        bool repeated = axis < extra || (shape[axis - extra] == 1 && d->shape[axis] != 1);
        fits = repeated || shape[axis - extra] == d->shape[axis];
        axes |= repeated ? 1U << axis : 0;
    }
    if (!fits)
        return error_set(reterr, ERR_SHAPE, "sum to shape: the shape never broadcasts to this one");
    struct tensor sums = {0};
    bool ok = axes == 0 ? tensor_dense(d, &sums, reterr)
                        : tensor_reduce(REDUCE_SUM, d, axes, true, 0, stop, &sums, reterr);
    ok = ok && tensor_reshape(&sums, n_axes, shape, ret, reterr);
    tensor_release(&sums);
    return ok;
}

/* *ret = a @ b summed to the shape of like. */
static bool product_like(const struct tensor *a, const struct tensor *b, const struct tensor *like,
                         struct tensor *ret, struct error *reterr)
{
    struct tensor product = {0};
    bool ok = tensor_matmul(a, b, NULL, &product, reterr) &&
              tensor_sum_to_shape(&product, like->n_axes, like->shape, NULL, ret, reterr);
    tensor_release(&product);
    return ok;
}

bool tensor_matmul_backward(const struct tensor *a, const struct tensor *b,
                            const struct tensor *d_out, struct tensor *ret_d_a,
                            struct tensor *ret_d_b, struct error *reterr)
{
    if (a->n_axes < 2 || b->n_axes < 2)
        return error_set(reterr, ERR_SHAPE, "matmul backward: both sides need two axes");
    struct tensor a_t = tensor_transpose(a, a->n_axes - 2, a->n_axes - 1);
    struct tensor b_t = tensor_transpose(b, b->n_axes - 2, b->n_axes - 1);
    struct tensor d_a = {0}, d_b = {0};
    bool ok = (ret_d_a == NULL || product_like(d_out, &b_t, a, &d_a, reterr)) &&
              (ret_d_b == NULL || product_like(&a_t, d_out, b, &d_b, reterr));
    tensor_release(&a_t);
    tensor_release(&b_t);
    if (!ok) {
        tensor_release(&d_a);
        tensor_release(&d_b);
        return false;
    }
    if (ret_d_a != NULL)
        *ret_d_a = d_a;
    if (ret_d_b != NULL)
        *ret_d_b = d_b;
    return true;
}
