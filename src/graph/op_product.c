/* Products of matrices. */
#include "base/array.h"
#include "graph/ops_internal.h"
#include "kernel/kernel.h"
#include "tensor/matmul.h"

/* True for X.T of a tensor with more than two axes, which reverses them all. */
static bool is_full_reversal(const struct node *node)
{
    size_t n = node->args.n_ints;
    if (node->op->kind != OP_PERMUTE || n < 3 || node->name != NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (node->args.ints[i] != (ptrdiff_t)(n - 1 - i))
            return false;
    return true;
}

/* The remedy for a product whose inner sizes differ. */
static void suggest_product(const struct node *node, struct text *text)
{
    const struct node *a = node->parents[0], *b = node->parents[1];
    size_t a_inner = a->value.shape[a->value.n_axes - 1];
    size_t b_inner = b->value.shape[b->value.n_axes - 1];
    if (is_full_reversal(b)) {
        text_format(text, ". .T reverses all %zu axes; to exchange the last two, write ",
                    b->args.n_ints);
        formula_parent(b, 0, text, 1);
        text_put(text, ".transpose(-2, -1)");
    } else if (b->value.n_axes > 1 && a_inner == b_inner) {
        text_put(text, ". For all pairs of rows, write ");
        formula_parent(node, 0, text, 1);
        text_put(text, " @ ");
        formula_parent(node, 1, text, 1);
        text_put(text, b->value.n_axes == 2 ? ".T" : ".transpose(-2, -1)");
    } else {
        text_put(text, ". The last size of the left side must equal the last but one of the right");
    }
}

static bool inner_sizes_fit(const struct tensor *a, const struct tensor *b)
{
    if (a->n_axes == 0 || b->n_axes == 0)
        return false;
    return a->shape[a->n_axes - 1] == b->shape[b->n_axes - (b->n_axes > 1 ? 2 : 1)];
}

static bool product_does_not_fit(const struct node *node, struct error *reterr)
{
    const struct node *a = node->parents[0], *b = node->parents[1];
    struct text whole = {0}, left = {0}, right = {0}, remedy = {0};
    char a_shape[TENSOR_SHAPE_TEXT], b_shape[TENSOR_SHAPE_TEXT];
    bool numbers = a->value.n_axes == 0 || b->value.n_axes == 0;
    bool leading = !numbers && inner_sizes_fit(&a->value, &b->value);
    node_write_operation(node, &whole);
    node_write(a, &left);
    node_write(b, &right);
    if (numbers)
        text_put(&remedy, ". To multiply by a single number, write *");
    else if (leading)
        text_put(&remedy, ". The axes before the last two must be equal or 1");
    else
        suggest_product(node, &remedy);
    error_set(reterr, ERR_SHAPE, "%s: the %s: %s is %s, %s is %s%s", text_string(&whole),
              numbers   ? "shapes do not fit"
              : leading ? "leading axes do not fit"
                        : "inner sizes differ",
              text_string(&left), tensor_shape_text(&a->value, a_shape), text_string(&right),
              tensor_shape_text(&b->value, b_shape), text_string(&remedy));
    text_release(&whole);
    text_release(&left);
    text_release(&right);
    text_release(&remedy);
    return false;
}

/* Where the shapes do not fit, the message says so in the learner's words. */
static FORWARD(forward_matmul)
{
    const struct tensor *a = &node->parents[0]->value, *b = &node->parents[1]->value;
    bool weighted = node->op->kind == OP_WEIGHTED_SUM;
    if (!inner_sizes_fit(a, b))
        return product_does_not_fit(node, reterr);
    if (weighted ? tensor_weighted_sum(a, b, stop, ret, reterr)
                 : tensor_matmul(a, b, stop, ret, reterr))
        return true;
    return reterr != NULL && reterr->kind == ERR_SHAPE ? product_does_not_fit(node, reterr) : false;
}

/* (..., n, k) @ (..., k, m): rows as the left side, columns as the right one. */
static RELABEL(relabel_matmul)
{
    (void)reterr;
    const struct node *a = node->parents[0], *b = node->parents[1];
    unsigned a_axes = a->value.n_axes, b_axes = b->value.n_axes;
    unsigned n_batch = (a_axes > b_axes ? a_axes : b_axes);
    n_batch = n_batch > 2 ? n_batch - 2 : 0;
    for (unsigned p = 0; p < 2; p++) {
        const struct node *parent = node->parents[p];
        unsigned own = parent->value.n_axes > 2 ? parent->value.n_axes - 2 : 0;
        for (unsigned axis = 0; axis < own; axis++)
            label_axis(node, n_batch - own + axis, parent, axis);
    }
    unsigned next = n_batch;
    if (a_axes > 1)
        label_axis(node, next++, a, a_axes - 2);
    if (b_axes > 1)
        label_axis(node, next, b, b_axes - 1);
    return true;
}

/* x with a second axis where it is a vector: a row on the left, a column on the right. */
static struct node *as_matrix(struct builder *builder, struct node *x, bool left)
{
    if (x->value.n_axes > 1)
        return x;
    size_t n = x->value.shape[0];
    return build_reshape(builder, x, 2, left ? (size_t[]){1, n} : (size_t[]){n, 1});
}

/* The gradient d with the axes that the product dropped for vectors put back. */
static struct node *gradient_matrix(struct builder *builder, const struct node *node,
                                    struct node *d)
{
    bool row = node->parents[0]->value.n_axes == 1, column = node->parents[1]->value.n_axes == 1;
    size_t shape[TENSOR_MAX_AXES + 2];
    unsigned n = 0, own = d->value.n_axes;
    for (unsigned axis = 0; axis < own; axis++) {
        if (row && !column && axis + 1 == own)
            shape[n++] = 1;
        shape[n++] = d->value.shape[axis];
    }
    if (row && column)
        shape[n++] = 1;
    if (column)
        shape[n++] = 1;
    return n == own ? d : build_reshape(builder, d, n, shape);
}

static struct node *transposed(struct builder *builder, struct node *x)
{
    return x ? build_transpose(builder, x, x->value.n_axes - 2, x->value.n_axes - 1) : NULL;
}

/* Whether b is one matrix for a whole batch of a: then d_b = a^T d sums over all rows of the batch,
 * and one product does it. The general case would be one product for each, added up afterwards:
 * large ones would be written and read in vain. */
static bool sums_over_batch(const struct node *a, const struct node *b)
{
    const struct tensor *x = &a->value, *matrix = &b->value;
    return x->n_axes > 2 && matrix->n_axes == 2 && matrix->shape[1] > 0 &&
           tensor_size(x) >= KERNEL_LEAST_NUMBERS;
}

/* All rows below each other. */
static struct node *rows_of(struct builder *builder, struct node *x)
{
    size_t width = x->value.shape[x->value.n_axes - 1];
    return build_reshape(builder, x, 2, (size_t[]){tensor_size(&x->value) / width, width});
}

/* d_a = d b^T, d_b = a^T d: in a weighted sum, weights of 0 add nothing here either. A vector's
 * extra axis is summed or reshaped away again. */
static VJP(vjp_matmul)
{
    struct node *a = as_matrix(builder, node->parents[0], true);
    struct node *b = as_matrix(builder, node->parents[1], false);
    struct node *d_matrix = gradient_matrix(builder, node, d);
    if (which == 0)
        return build2(builder, OP_MATMUL, d_matrix, transposed(builder, b));
    if (a != NULL && b != NULL && d_matrix != NULL && sums_over_batch(a, b)) {
        a = rows_of(builder, a);
        d_matrix = rows_of(builder, d_matrix);
    }
    struct node *d_b = build2(builder, node->op->kind, transposed(builder, a), d_matrix);
    if (d_b == NULL || node->parents[1]->value.n_axes > 1)
        return d_b;
    struct tensor column = d_b->value;
    return build_reshape(builder, d_b, column.n_axes - 1, column.shape);
}

/* The terms of one cell of a product: row `row` of a against column `column` of b. */
struct product_terms {
    struct node *a, *b;
    size_t a_index[TENSOR_MAX_AXES], b_index[TENSOR_MAX_AXES];
    unsigned a_inner, b_inner; /* the axes that are summed over */
};

/* The leading axes of index, as a parent that may lack or repeat some sees them. */
static void batch_index(const struct tensor *parent, const size_t *index, unsigned n_batch,
                        size_t *ret_index)
{
    unsigned own = parent->n_axes > 2 ? parent->n_axes - 2 : 0;
    for (unsigned axis = 0; axis < own; axis++)
        ret_index[axis] = parent->shape[axis] == 1 ? 0 : index[n_batch - own + axis];
}

static struct product_terms product_terms(const struct node *node, const size_t *index)
{
    struct product_terms terms = {.a = node->parents[0], .b = node->parents[1]};
    unsigned a_axes = terms.a->value.n_axes, b_axes = terms.b->value.n_axes;
    unsigned n_batch = node->value.n_axes - (a_axes > 1) - (b_axes > 1);
    batch_index(&terms.a->value, index, n_batch, terms.a_index);
    batch_index(&terms.b->value, index, n_batch, terms.b_index);
    terms.a_inner = a_axes - 1;
    terms.b_inner = b_axes > 1 ? b_axes - 2 : 0;
    if (a_axes > 1)
        terms.a_index[a_axes - 2] = index[n_batch];
    if (b_axes > 1)
        terms.b_index[b_axes - 1] = index[node->value.n_axes - 1];
    return terms;
}

static void product_term(const void *context, size_t i, struct cell ret_cells[2])
{
    struct product_terms terms = *(const struct product_terms *)context;
    terms.a_index[terms.a_inner] = i;
    terms.b_index[terms.b_inner] = i;
    ret_cells[0] = (struct cell){terms.a, tensor_position_of(&terms.a->value, terms.a_index)};
    ret_cells[1] = (struct cell){terms.b, tensor_position_of(&terms.b->value, terms.b_index)};
}

static EXPLAIN(explain_matmul)
{
    struct product_terms terms = product_terms(node, index);
    struct sum sum = {.n_terms = terms.a->value.shape[terms.a_inner],
                      .products = true,
                      .skip_zeros = node->op->kind == OP_WEIGHTED_SUM,
                      .term = product_term,
                      .context = &terms};
    explain_sum(explanation, &sum);
}

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_MATMUL,
     .name = "matmul",
     .form = "%0 @ %1",
     .binding = BIND_PRODUCT,
     .forward = forward_matmul,
     .relabel = relabel_matmul,
     .vjp = vjp_matmul,
     .explain = explain_matmul},
    {.kind = OP_WEIGHTED_SUM,
     .name = "matmul",
     .form = "%0 @ %1",
     .binding = BIND_PRODUCT,
     .forward = forward_matmul,
     .relabel = relabel_matmul,
     .vjp = vjp_matmul,
     .explain = explain_matmul},
};

OP_TABLE(op_products, OP_MATMUL, OP_WEIGHTED_SUM);
