/* Products of matrices: @, and what PyTorch calls mm, bmm, addmm, outer, einsum. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"

/* ---- @ ---- */

static bool same_dtype(struct machine *m, const struct tensor_thing *a,
                       const struct tensor_thing *b, bool are_vectors)
{
    return a->dtype == b->dtype ||
           raise_error(m, ERROR_RUNTIME,
                       are_vectors ? "dot : expected both vectors to have same dtype, but found %s "
                                     "and %s"
                                   : "expected scalar type %s but found %s",
                       dtypes[a->dtype].scalar, dtypes[b->dtype].scalar);
}

static bool batches_fit(struct machine *m, const struct tensor *a, const struct tensor *b)
{
    unsigned n = a->n_axes > 2 ? a->n_axes - 2 : 0, k = b->n_axes > 2 ? b->n_axes - 2 : 0;
    for (unsigned i = 1; i <= n && i <= k; i++) {
        size_t p = a->shape[n - i], q = b->shape[k - i];
        if (p != q && p != 1 && q != 1)
            return raise_error(
                m, ERROR_RUNTIME,
                "The size of tensor a (%zu) must match the size of tensor b (%zu) at "
                "non-singleton dimension %u",
                p, q, (n > k ? n : k) - i);
    }
    return true;
}

/* How many matrices the product has once both sides are broadcast. */
static size_t n_batches(const struct tensor *a, const struct tensor *b)
{
    size_t product = 1;
    for (unsigned back = 3; back <= a->n_axes || back <= b->n_axes; back++) {
        size_t p = back <= a->n_axes ? a->shape[a->n_axes - back] : 1;
        product *= p == 1 && back <= b->n_axes ? b->shape[b->n_axes - back] : p;
    }
    return product;
}

static bool inner_sizes_fit(struct machine *m, const struct tensor *a, const struct tensor *b)
{
    unsigned n = a->n_axes, k = b->n_axes;
    if (n == 0 || k == 0)
        return raise_error(m, ERROR_RUNTIME,
                           "both arguments to matmul need to be at least 1D, but they are %uD and "
                           "%uD",
                           n, k);
    size_t inner = a->shape[n - 1], other = b->shape[k == 1 ? 0 : k - 2];
    if (inner == other)
        return true;
    if (n == 1 && k == 1)
        return raise_error(m, ERROR_RUNTIME,
                           "inconsistent tensor size, expected tensor [%zu] and src [%zu] to have "
                           "the same number of elements, but got %zu and %zu elements respectively",
                           inner, other, inner, other);
    size_t rows = 1;
    for (unsigned i = 0; i + 1 < n; i++)
        rows *= a->shape[i];
    if (k == 1)
        return raise_error(m, ERROR_RUNTIME, "size mismatch, got %zu, %zux%zu,%zu", rows, rows,
                           inner, other);
    if (n >= 3 && k >= 3)
        return batches_fit(m, a, b) &&
               raise_error(m, ERROR_RUNTIME,
                           "Expected size for first two dimensions of batch2 tensor to be: [%zu, "
                           "%zu] but got: [%zu, %zu].",
                           n_batches(a, b), inner, n_batches(a, b), other);
    return raise_error(m, ERROR_RUNTIME,
                       "mat1 and mat2 shapes cannot be multiplied (%zux%zu and %zux%zu)", rows,
                       inner, other, k == 1 ? 1 : b->shape[k - 1]);
}

static const char *product_name(unsigned n, unsigned k)
{
    if (n == 1 && k == 1)
        return "DotBackward0";
    if (n == 2 && k == 2)
        return "MmBackward0";
    if (n == 2 && k == 1)
        return "MvBackward0";
    if (n == 1 && k == 2)
        return "SqueezeBackward4";
    return k == 1 || n == 1 ? "ViewBackward0" : "UnsafeViewBackward0";
}

static bool product(struct machine *m, struct value a, struct value b, const char *name,
                    struct value *ret)
{
    struct work work;
    struct tensor_thing *s = as_tensor(a), *t = as_tensor(b);
    if (tensor_node(m, s) == NULL || tensor_node(m, t) == NULL ||
        !same_dtype(m, s, t,
                    tensor_node(m, s)->value.n_axes == 1 && tensor_node(m, t)->value.n_axes == 1))
        return false;
    if (s->dtype == DTYPE_COMPLEX64)
        return raise_error(m, ERROR_NOT_IMPLEMENTED, "attn multiplies no complex matrices");
    work_begin(&work, m);
    struct node *x = work_tensor(&work, s), *y = x ? work_tensor(&work, t) : NULL;
    if (y == NULL || !inner_sizes_fit(m, &x->value, &y->value) ||
        !batches_fit(m, &x->value, &y->value))
        return work_stop(&work, false);
    if (name == NULL)
        name = product_name(x->value.n_axes, y->value.n_axes);
    if (s->dtype == DTYPE_BOOL) {
        raise_error(m, ERROR_RUNTIME, "\"addmm_impl_cpu_\" not implemented for 'Bool'");
        return work_stop(&work, false);
    }
    return work_end(&work, build2(&work.b, OP_MATMUL, x, y), s->dtype, name, ret);
}

bool torch_matmul(struct machine *m, struct value a, struct value b, struct value *ret)
{
    return product(m, a, b, NULL, ret);
}

/* matmul, mm, bmm, mv, dot: kind is the axes that both must have; 0: any, 12: (2, 1) */
TORCH(run_product)
{
    unsigned wanted = (unsigned)row_of(c)->kind;
    struct tensor_thing *a = native_tensor(c, 0), *b = a ? native_tensor(c, 1) : NULL;
    struct node *x = b ? tensor_node(c->m, a) : NULL, *y = x ? tensor_node(c->m, b) : NULL;
    if (y == NULL)
        return false;
    unsigned first = wanted == 12 ? 2 : wanted, second = wanted == 12 ? 1 : wanted;
    const char *name = c->native->name;
    if (wanted == 2 && (x->value.n_axes != 2 || y->value.n_axes != 2))
        return raise_error(c->m, ERROR_RUNTIME, "%s must be a matrix",
                           x->value.n_axes != 2 ? "self" : "mat2");
    if (wanted == 3 && (x->value.n_axes != 3 || y->value.n_axes != 3))
        return raise_error(c->m, ERROR_RUNTIME, "%s must be a 3D tensor",
                           x->value.n_axes != 3 ? "batch1" : "batch2");
    if (wanted != 0 && (x->value.n_axes != first || y->value.n_axes != second))
        return raise_error(c->m, ERROR_RUNTIME,
                           wanted == 1 ? "1D tensors expected, but got %uD and %uD tensors"
                                       : "vector + matrix @ vector expected, got %u, %u",
                           x->value.n_axes, y->value.n_axes);
    if (wanted == 3 && x->value.shape[0] != y->value.shape[0])
        return raise_error(c->m, ERROR_RUNTIME,
                           "Expected size for first two dimensions of batch2 tensor to be: [%zu, "
                           "%zu] but got: [%zu, %zu].",
                           x->value.shape[0], x->value.shape[2], y->value.shape[0],
                           y->value.shape[1]);
    (void)name;
    return product(c->m, c->args[0], c->args[1], row_of(c)->grad_name, ret);
}

/* addmm(input, a, b, beta=1, alpha=1): beta input + alpha a @ b; baddbmm, addmv and addbmm in the
 * same way */
TORCH(run_addmm)
{
    double beta, alpha;
    struct value made, scaled;
    if (native_tensor(c, 0) == NULL || native_tensor(c, 1) == NULL || native_tensor(c, 2) == NULL ||
        !native_number(c, 3, 1, &beta) || !native_number(c, 4, 1, &alpha) ||
        !product(c->m, c->args[1], c->args[2], NULL, &made))
        return false;
    bool ok = true;
    if (alpha != 1) {
        ok = torch_binary(c->m, OP_MUL, made, value_float(alpha), 1, "MulBackward0", &scaled);
        if (ok)
            value_put(&made, scaled);
    }
    struct value input = value_take(c->args[0]);
    if (ok && beta != 1) {
        ok = torch_binary(c->m, OP_MUL, input, value_float(beta), 1, "MulBackward0", &scaled);
        if (ok)
            value_put(&input, scaled);
    }
    ok = ok && torch_binary(c->m, OP_ADD, input, made, 1, row_of(c)->grad_name, ret);
    value_drop(input);
    value_drop(made);
    return ok;
}

/* outer(a, b) */
TORCH(run_outer)
{
    struct work work;
    struct tensor_thing *a = native_tensor(c, 0), *b = a ? native_tensor(c, 1) : NULL;
    if (b == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, a), *y = x ? work_tensor(&work, b) : NULL;
    if (y == NULL)
        return work_stop(&work, false);
    if (x->value.n_axes != 1 || y->value.n_axes != 1) {
        raise_error(c->m, ERROR_RUNTIME, "outer: Expected 1-D argument self, but got %u-D",
                    x->value.n_axes);
        return work_stop(&work, false);
    }
    enum dtype dtype = promoted(&work.promotion);
    struct node *column = build_reshape(&work.b, work_cast(&work, x, a->dtype, dtype), 2,
                                        (size_t[]){x->value.shape[0], 1});
    return work_end(&work, build2(&work.b, OP_MUL, column, work_cast(&work, y, b->dtype, dtype)),
                    dtype, "MulBackward0", ret);
}

/* ---- einsum ---- */

enum { MAX_LETTERS = 2 * TENSOR_MAX_AXES + 4, ELLIPSIS_LETTERS = 128 };

/* An operand with a letter for each axis; axes of "..." have letters from 128 on, counted from the
 * right. */
struct lettered {
    struct node *node;
    unsigned n;
    unsigned char letters[MAX_LETTERS];
};

static bool has_letter(const struct lettered *x, unsigned char letter, unsigned *ret)
{
    for (unsigned i = 0; i < x->n; i++)
        if (x->letters[i] == letter) {
            *ret = i;
            return true;
        }
    return false;
}

/* Reads one operand's letters up to ',' or "->". */
static const char *read_letters(struct machine *m, const char *at, unsigned n_axes,
                                struct lettered *ret)
{
    unsigned n_named = 0;
    bool has_dots = false;
    for (const char *s = at; *s != '\0' && *s != ',' && *s != '-'; s++)
        n_named += isalpha((unsigned char)*s) != 0;
    ret->n = 0;
    for (; *at != '\0' && *at != ',' && *at != '-'; at++) {
        if (*at == ' ')
            continue;
        if (at[0] == '.' && at[1] == '.' && at[2] == '.' && !has_dots && n_named <= n_axes) {
            has_dots = true;
            at += 2;
            for (unsigned i = n_axes - n_named; i-- > 0;)
                ret->letters[ret->n++] = (unsigned char)(ELLIPSIS_LETTERS + i);
            continue;
        }
        if (!isalpha((unsigned char)*at) || ret->n >= MAX_LETTERS - 1) {
            raise_error(m, ERROR_RUNTIME,
                        "einsum(): invalid subscript given at index 0 in the equation string, "
                        "subscripts must be in [a-zA-Z]");
            return NULL;
        }
        ret->letters[ret->n++] = (unsigned char)*at;
    }
    return at;
}

/* The axes of x in that order of letters, those that it lacks as axes of 1. */
static struct node *in_order(struct work *work, const struct lettered *x,
                             const unsigned char *letters, unsigned n)
{
    ptrdiff_t order[TENSOR_MAX_AXES];
    unsigned at, n_order = 0;
    for (unsigned i = 0; i < n; i++)
        if (has_letter(x, letters[i], &at))
            order[n_order++] = (ptrdiff_t)at;
    if (x->node == NULL || n_order != x->n)
        return NULL;
    return build_ints(&work->b, OP_PERMUTE, x->node, n_order, order, 0);
}

/* Sums over an axis that nothing else names; a letter that comes twice takes the diagonal. */
static bool drop_axes(struct work *work, struct lettered *x, const bool *needed)
{
    for (unsigned i = 0; i < x->n; i++)
        for (unsigned k = i + 1; k < x->n; k++)
            if (x->letters[i] == x->letters[k]) {
                raise_error(work->m, ERROR_NOT_IMPLEMENTED,
                            "attn's einsum() does not read a letter twice in one operand; write "
                            "torch.diagonal(x)");
                return false;
            }
    unsigned axes = 0, n = 0;
    for (unsigned i = 0; i < x->n; i++)
        if (!needed[x->letters[i]])
            axes |= 1U << i;
    if (axes == 0)
        return true;
    if (x->node->value.is_bool)
        x->node = build1(&work->b, OP_TO_FLOAT, x->node);
    x->node = build_reduce(&work->b, OP_SUM, x->node, axes, false, 0);
    for (unsigned i = 0; i < x->n; i++)
        if (!(axes >> i & 1U))
            x->letters[n++] = x->letters[i];
    x->n = n;
    return x->node != NULL;
}

/* a and b become one operand: a product of matrices, over what no later operand and no result
 * names. */
static bool contract(struct work *work, struct lettered *a, const struct lettered *b,
                     const bool *needed)
{
    unsigned char shared[MAX_LETTERS], left[MAX_LETTERS], right[MAX_LETTERS], summed[MAX_LETTERS];
    unsigned n_shared = 0, n_left = 0, n_right = 0, n_summed = 0, at;
    size_t sizes[4] = {1, 1, 1, 1}, shape[MAX_LETTERS];
    if (a->node == NULL || b->node == NULL)
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        unsigned char letter = a->letters[i];
        size_t length = a->node->value.shape[i];
        if (!has_letter(b, letter, &at)) {
            left[n_left++] = letter;
            sizes[1] *= length;
            continue;
        }
        if (b->node->value.shape[at] != length) {
            if (letter >= ELLIPSIS_LETTERS || length == 1 || b->node->value.shape[at] == 1)
                return raise_error(
                    work->m, ERROR_NOT_IMPLEMENTED,
                    "attn's einsum() does not repeat axes of 1; write x.expand(...)");
            return raise_error(work->m, ERROR_RUNTIME,
                               "einsum(): subscript %c has size %zu for operand 1 which does not "
                               "broadcast with previously seen size %zu",
                               letter, b->node->value.shape[at], length);
        }
        if (needed[letter]) {
            shared[n_shared++] = letter;
            sizes[0] *= length;
        } else {
            summed[n_summed++] = letter;
            sizes[2] *= length;
        }
    }
    for (unsigned i = 0; i < b->n; i++)
        if (!has_letter(a, b->letters[i], &at)) {
            right[n_right++] = b->letters[i];
            sizes[3] *= b->node->value.shape[i];
        }
    if (n_shared + n_left + n_right > TENSOR_MAX_AXES)
        return raise_error(work->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    unsigned char order[2 * MAX_LETTERS];
    unsigned n = 0;
#define ADD(part)                           \
    for (unsigned i = 0; i < n_##part; i++) \
    order[n++] = part[i]
    ADD(shared);
    ADD(left);
    ADD(summed);
    struct node *x = in_order(work, a, order, n);
    n = 0;
    ADD(shared);
    ADD(summed);
    ADD(right);
    struct node *y = in_order(work, b, order, n);
    if (x == NULL || y == NULL)
        return false;
    x = build_reshape(&work->b, x, 3, (size_t[]){sizes[0], sizes[1], sizes[2]});
    y = build_reshape(&work->b, y, 3, (size_t[]){sizes[0], sizes[2], sizes[3]});
    struct node *made = build2(&work->b, OP_MATMUL, x, y);
    n = 0;
    ADD(shared);
    ADD(left);
    ADD(right);
#undef ADD
    for (unsigned i = 0; i < n; i++)
        shape[i] = has_letter(a, order[i], &at)   ? a->node->value.shape[at]
                   : has_letter(b, order[i], &at) ? b->node->value.shape[at]
                                                  : 1;
    a->node = build_reshape(&work->b, made, n, shape);
    a->n = n;
    memcpy(a->letters, order, n);
    return a->node != NULL;
}

/* The letters of the result: as written, or those that come once, in alphabetical order. */
static bool result_letters(struct machine *m, const char *arrow, const struct lettered *operands,
                           size_t n, struct lettered *ret)
{
    unsigned counts[256] = {0}, n_dots = 0;
    *ret = (struct lettered){0};
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < operands[i].n; k++) {
            unsigned char letter = operands[i].letters[k];
            counts[letter]++;
            if (letter >= ELLIPSIS_LETTERS && letter - ELLIPSIS_LETTERS + 1U > n_dots)
                n_dots = letter - ELLIPSIS_LETTERS + 1U;
        }
    if (arrow != NULL) {
        unsigned n_named = 0;
        for (const char *s = arrow; *s != '\0'; s++)
            n_named += isalpha((unsigned char)*s) != 0;
        if (read_letters(m, arrow, n_named + n_dots, ret) == NULL)
            return false;
        for (unsigned i = 0; i < ret->n; i++)
            if (counts[ret->letters[i]] == 0)
                return raise_error(m, ERROR_RUNTIME,
                                   "einsum(): output subscript %c does not appear in the equation "
                                   "for any input operand",
                                   ret->letters[i]);
        return true;
    }
    for (unsigned i = n_dots; i-- > 0;)
        ret->letters[ret->n++] = (unsigned char)(ELLIPSIS_LETTERS + i);
    for (unsigned letter = 'A'; letter <= 'z' && ret->n < MAX_LETTERS; letter++)
        if (counts[letter] == 1)
            ret->letters[ret->n++] = (unsigned char)letter;
    return true;
}

static bool einsum(struct work *work, const char *equation, const struct value *operands, size_t n,
                   struct node **ret)
{
    enum { MAX_OPERANDS = 8 };
    struct lettered lettered[MAX_OPERANDS], result;
    struct machine *m = work->m;
    const char *at = equation, *arrow = strstr(equation, "->");
    if (n == 0 || n > MAX_OPERANDS)
        return raise_error(m, ERROR_VALUE, "einsum(): must provide at least one operand");
    for (size_t i = 0; i < n; i++) {
        struct tensor_thing *t = as_tensor(operands[i]);
        lettered[i].node = work_tensor(work, t);
        if (lettered[i].node == NULL)
            return false;
        unsigned n_axes = lettered[i].node->value.n_axes;
        at = read_letters(m, at, n_axes, &lettered[i]);
        if (at == NULL)
            return false;
        if (lettered[i].n != n_axes)
            return raise_error(
                m, ERROR_RUNTIME,
                "einsum(): the number of subscripts in the equation (%u) does not "
                "match the number of dimensions (%u) for operand %zu and no ellipsis "
                "was given",
                lettered[i].n, n_axes, i);
        if (i + 1 < n && *at != ',')
            return raise_error(m, ERROR_RUNTIME,
                               "einsum(): more operands were provided than specified in the "
                               "equation");
        at += *at == ',';
    }
    if (*at != '\0' && *at != '-')
        return raise_error(m, ERROR_RUNTIME,
                           "einsum(): fewer operands were provided than specified in the equation");
    if (!result_letters(m, arrow ? arrow + 2 : NULL, lettered, n, &result))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool needed[256] = {false};
        for (unsigned k = 0; k < result.n; k++)
            needed[result.letters[k]] = true;
        for (size_t other = 0; other < n; other++)
            for (unsigned k = 0; other != i && other > 0 && k < lettered[other].n; k++)
                needed[lettered[other].letters[k]] = true;
        for (unsigned k = 0; i > 0 && k < lettered[0].n; k++)
            needed[lettered[0].letters[k]] = true;
        if (!drop_axes(work, &lettered[i], needed))
            return false;
        if (i == 0)
            continue;
        memset(needed, 0, sizeof needed);
        for (unsigned k = 0; k < result.n; k++)
            needed[result.letters[k]] = true;
        for (size_t later = i + 1; later < n; later++)
            for (unsigned k = 0; k < lettered[later].n; k++)
                needed[lettered[later].letters[k]] = true;
        if (!contract(work, &lettered[0], &lettered[i], needed))
            return false;
    }
    *ret = in_order(work, &lettered[0], result.letters, result.n);
    return *ret != NULL;
}

/* einsum(equation, *operands) */
TORCH(run_einsum)
{
    struct work work;
    struct array *list = NULL;
    struct node *made = NULL;
    const struct value *operands = c->rest;
    size_t n = c->n_rest;
    if (c->args[0].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE,
                           "einsum(): the equation is a text, such as 'ij,jk->ik'");
    if (n == 1 && !is_tensor(operands[0])) {
        if (!value_to_array(c->m, operands[0], &list))
            return false;
        operands = list->items;
        n = list->n;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = is_tensor(operands[i]) ||
             raise_error(c->m, ERROR_TYPE, "einsum(): operand %zu is not a Tensor", i);
    work_begin(&work, c->m);
    ok = ok && einsum(&work, c->args[0].as.string->bytes, operands, n, &made);
    value_drop(value_thing(list));
    enum dtype dtype = ok ? promoted(&work.promotion) : DTYPE_FLOAT32;
    if (ok && dtype == DTYPE_BOOL && !made->value.is_bool)
        dtype = DTYPE_INT64; /* a sum of bools counts them */
    return ok ? work_end(&work, made, dtype, "ViewBackward0", ret) : work_stop(&work, false);
}

/* ---- the table ---- */

#define SCALED "*", "beta=1", "alpha=1"

static const struct torch_row rows[] = {
    {{"matmul", {"input", "other"}, run_product}, IN_BOTH, 0, NULL},
    {{"mm", {"input", "mat2"}, run_product}, IN_BOTH, 2, "MmBackward0"},
    {{"bmm", {"input", "mat2"}, run_product}, IN_BOTH, 3, "BmmBackward0"},
    {{"mv", {"input", "vec"}, run_product}, IN_BOTH, 12, "MvBackward0"},
    {{"dot", {"input", "tensor"}, run_product}, IN_BOTH, 1, "DotBackward0"},
    {{"inner", {"input", "other"}, run_product}, IN_BOTH, 1, "DotBackward0"},
    {{"vdot", {"input", "other"}, run_product}, IN_BOTH, 1, "DotBackward0"},
    {{"addmm", {"input", "mat1", "mat2", SCALED}, run_addmm}, IN_BOTH, 0, "AddmmBackward0"},
    {{"baddbmm", {"input", "batch1", "batch2", SCALED}, run_addmm}, IN_BOTH, 0, "BaddbmmBackward0"},
    {{"addmv", {"input", "mat", "vec", SCALED}, run_addmm}, IN_BOTH, 0, "AddmvBackward0"},
    {{"outer", {"input", "vec2"}, run_outer}, IN_BOTH, 0, NULL},
    {{"ger", {"input", "vec2"}, run_outer}, IN_BOTH, 0, NULL},
    {{"einsum", {"equation", "*operands"}, run_einsum}, IN_TORCH, 0, NULL},
};

const struct torch_table torch_products = {rows, COUNT_OF(rows)};
