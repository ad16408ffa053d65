/* See op_trials.h. */
#include "op_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "show/labels.h"

/* One trial a line: operation, shapes of the parents, shape of the result, labels, formula, and for
 * those that need them the ints and the number. */
/* clang-format off */
#define UNARY(kind, formula)                       \
    {kind, "2x3", "2x3", "ab", formula, "", 0},    \
    {kind, "-", "-", "", formula, "", 0}

#define BINARY(kind, formula)                               \
    {kind, "2x3 2x3", "2x3", "ab", formula, "", 0},         \
    {kind, "2x1x3 4x1", "2x4x3", "apc", formula, "", 0},    \
    {kind, "- 2x3", "2x3", "pq", formula, "", 0},           \
    {kind, "3 -", "3", "a", formula, "", 0}

/* Matrices, vectors, batches; sums that are long enough to be elided. */
#define PRODUCT(kind)                                            \
    {kind, "2x3 3x4", "2x4", "aq", "X @ Y", "", 0},              \
    {kind, "3 3", "-", "", "X @ Y", "", 0},                      \
    {kind, "3 3x4", "4", "q", "X @ Y", "", 0},                   \
    {kind, "2x3 3", "2", "a", "X @ Y", "", 0},                   \
    {kind, "2x1x2x3 3x3x1", "2x3x2x1", "apcr", "X @ Y", "", 0},  \
    {kind, "2x2x3 3", "2x2", "ab", "X @ Y", "", 0},              \
    {kind, "3 2x3x4", "2x4", "pr", "X @ Y", "", 0},              \
    {kind, "2x12 12x2", "2x2", "aq", "X @ Y", "", 0}

/* The number 1 keeps the reduced axes. */
#define REDUCE(kind, name)                                                           \
    {kind, "2x3x4", "2x4", "ac", name "(X, dim=1)", "1", 0},                         \
    {kind, "2x3x4", "3", "b", name "(X, dim=(0, 2))", "0 2", 0},                     \
    {kind, "2x3x2", "1x3x1", ".b.", name "(X, dim=(0, 2), keepdim=True)", "0 2", 1}, \
    {kind, "2x3", "2x1", "a.", name "(X, dim=-1, keepdim=True)", "1", 1},            \
    {kind, "2x3x4", "-", "", name "(X)", "0 1 2", 0},                                \
    {kind, "5", "-", "", name "(X)", "0", 0},                                        \
    {kind, "-", "-", "", name "(X)", "", 0}

/* The last int is the correction. */
#define SPREAD(kind, name)                                                           \
    {kind, "2x3x4", "2x4", "ac", name "(X, dim=1)", "1 1", 0},                       \
    {kind, "2x3x4", "3", "b", name "(X, dim=(0, 2), correction=0)", "0 2 0", 0},     \
    {kind, "2x3", "2x1", "a.", name "(X, dim=-1, keepdim=True)", "1 1", 1},          \
    {kind, "2x3", "1x1", "..", name "(X, keepdim=True, correction=0)", "0 1 0", 1},  \
    {kind, "5", "-", "", name "(X)", "0 1", 0}

#define SOFTMAX(kind, name)                                     \
    {kind, "2x3x4", "2x3x4", "abc", name "(X, dim=1)", "1", 0}, \
    {kind, "4", "4", "a", name "(X, dim=-1)", "0", 0},          \
    {kind, "2x12", "2x12", "ab", name "(X, dim=-1)", "1", 0},   \
    {kind, "-", "-", "", name "(X, dim=-1)", "0", 0}

#define TRIANGLE(kind, name)                                    \
    {kind, "2x3x4", "2x3x4", "abc", name "(X)", "0", 0},        \
    {kind, "3x3", "3x3", "ab", name "(X, diagonal=1)", "1", 0}, \
    {kind, "4x2", "4x2", "ab", name "(X, diagonal=-2)", "-2", 0}

static const struct trial trials[] = {
    UNARY(OP_NEG, "-X"),
    UNARY(OP_EXP, "exp(X)"),
    UNARY(OP_LOG, "log(X)"),
    UNARY(OP_SQRT, "sqrt(X)"),
    UNARY(OP_TANH, "tanh(X)"),
    UNARY(OP_RELU, "relu(X)"),
    UNARY(OP_ABS, "abs(X)"),
    UNARY(OP_ERF, "erf(X)"),
    UNARY(OP_SIN, "sin(X)"),
    UNARY(OP_COS, "cos(X)"),
    UNARY(OP_SIGN, "sign(X)"),
    UNARY(OP_FLOOR, "floor(X)"),
    UNARY(OP_ROUND, "round(X)"),
    UNARY(OP_NOT, "~X"),

    BINARY(OP_ADD, "X + Y"),
    BINARY(OP_SUB, "X - Y"),
    BINARY(OP_MUL, "X * Y"),
    BINARY(OP_DIV, "X / Y"),
    BINARY(OP_POW, "X ** Y"),
    BINARY(OP_MAXIMUM, "maximum(X, Y)"),
    BINARY(OP_MINIMUM, "minimum(X, Y)"),
    BINARY(OP_EQ, "X == Y"),
    BINARY(OP_NE, "X != Y"),
    BINARY(OP_LT, "X < Y"),
    BINARY(OP_LE, "X <= Y"),
    BINARY(OP_GT, "X > Y"),
    BINARY(OP_GE, "X >= Y"),
    BINARY(OP_AND, "X & Y"),
    BINARY(OP_OR, "X | Y"),

    {OP_WHERE, "2x3 2x3 2x3", "2x3", "ab", "where(X, Y, Z)", "", 0},
    {OP_WHERE, "3 2x1 -", "2x3", "pa", "where(X, Y, Z)", "", 0},
    {OP_MASKED_FILL, "2x3 3 -", "2x3", "ab", "X.masked_fill(Y, Z)", "", 0},
    {OP_MASKED_FILL, "1x3 2x1 -", "2x3", "pb", "X.masked_fill(Y, Z)", "", 0},
    {OP_HIDE, "2x2x3 2x3", "2x2x3", "abc", "where(Y, X, -inf)", "", 0},
    {OP_HIDE, "3 2x1", "2x3", "pa", "where(Y, X, -inf)", "", 0},
    {OP_ADD_MASK, "2x2x3 2x3", "2x2x3", "abc", "X + Y", "", 0},
    {OP_ADD_MASK, "3 2x1", "2x3", "pa", "X + Y", "", 0},

    PRODUCT(OP_MATMUL),
    PRODUCT(OP_WEIGHTED_SUM),

    REDUCE(OP_SUM, "sum"),
    REDUCE(OP_MEAN, "mean"),
    SPREAD(OP_VAR, "var"),
    SPREAD(OP_STD, "std"),
    REDUCE(OP_MAX, "max"),
    REDUCE(OP_MIN, "min"),
    REDUCE(OP_ARGMAX, "argmax"),
    REDUCE(OP_ARGMIN, "argmin"),
    REDUCE(OP_ALL, "all"),
    REDUCE(OP_ANY, "any"),

    SOFTMAX(OP_SOFTMAX, "softmax"),
    SOFTMAX(OP_WEIGHTS, "softmax"),
    SOFTMAX(OP_LOG_SOFTMAX, "log_softmax"),

    {OP_RESHAPE, "2x3x4", "2x12", "a.", "X.reshape(2, 12)", "2 12", 0},
    {OP_RESHAPE, "2x3x4", "6x4", ".c", "X.reshape(6, 4)", "6 4", 0},
    {OP_RESHAPE, "2x3", "3x2", "..", "X.reshape(3, 2)", "3 2", 0},
    {OP_RESHAPE, "2x3", "2x1x3", "a.b", "X.reshape(2, 1, 3)", "2 1 3", 0},
    {OP_RESHAPE, "-", "1x1", "..", "X.reshape(1, 1)", "1 1", 0},
    {OP_PERMUTE, "2x3x4", "4x2x3", "cab", "X.permute(2, 0, 1)", "2 0 1", 0},
    {OP_PERMUTE, "2x3x4", "2x4x3", "acb", "X.transpose(-2, -1)", "0 2 1", 0},
    {OP_PERMUTE, "2x3x4", "3x2x4", "bac", "X.transpose(0, 1)", "1 0 2", 0},
    {OP_PERMUTE, "2x3x4", "4x3x2", "cba", "X.T", "2 1 0", 0},
    {OP_PERMUTE, "2x3", "3x2", "ba", "X.T", "1 0", 0},
    {OP_EXPAND, "3x1", "2x3x4", ".a.", "X.expand(2, 3, 4)", "2 3 4", 0},
    {OP_EXPAND, "-", "2", ".", "X.expand(2)", "2", 0},
    {OP_SLICE, "4x6", "2x2", "a3 a1|b1 b4", "X[3::-2, 1::3]", "3 2 -2 1 2 3", 0},
    {OP_SLICE, "3x6", "3", "b0 b2 b4", "X[\"a1\", ::2]", "1 -1 1 0 3 2", 0},
    {OP_SLICE, "2x3x4", "2x2", "a0 a1|c1 c2", "X[:, \"b2\", 1:3]", "0 2 1 2 -1 1 1 2 1", 0},
    {OP_SLICE, "2x3", "3", "b", "X[\"a1\"]", "1 -1 1 0 3 1", 0},
    {OP_SLICE, "2x3", "-", "", "X[\"a1\", \"b0\"]", "1 -1 1 0 -1 1", 0},
    {OP_UNSLICE, "2x2", "4x6", "..", "put_back(X)", "4 6 3 2 -2 1 2 3", 0},
    {OP_UNSLICE, "3", "2x6", "..", "put_back(X)", "2 6 1 -1 1 0 3 2", 0},
    {OP_UNSLICE, "-", "3", ".", "put_back(X)", "3 2 -1 1", 0},
    {OP_CAT, "2x3 2x1 2x2", "2x6", "a0 a1|b0 b1 b2 q0 v0 v1", "cat([X, Y, Z], dim=1)", "1", 0},
    {OP_CAT, "2x3 1x3", "3x3", "a0 a1 p0|b0 b1 b2", "cat([X, Y], dim=0)", "0", 0},
    {OP_TAKE, "4x2 4", "4x2", "a2 a0 a3 a2|b0 b1", "X[Y]", "", 0},
    {OP_TAKE, "4x2x2 2x2", "2x2x2x2", "..bc", "X[Y]", "", 0},
    {OP_TAKE, "4 -", "-", "", "X[Y]", "", 0},
    {OP_TAKE, "2x4 4", "2x4", "a0 a1|b2 b0 b3 b2", "X[:, Y]", "1", 0},
    {OP_TAKE, "2x4x3 2x2", "2x2x2x3", "a..c", "X[:, Y]", "1", 0},
    {OP_TAKE, "2x3x4 -", "2x3", "ab", "X[:, :, Y]", "2", 0},
    {OP_UNTAKE, "4x2 4", "4x2", "..", "put_back(X, Y)", "4", 0},
    {OP_UNTAKE, "2x2x3 2x2", "5x3", "..", "put_back(X, Y)", "5", 0},
    {OP_UNTAKE, "3x4 4", "3x5", "..", "put_back(X, Y)", "5 1", 0},
    {OP_UNTAKE, "3x2x2x2 2x2", "3x4x2", "...", "put_back(X, Y)", "4 1", 0},
    {OP_SUM_TO, "2x3x4", "3x1", "..", "sum_to(X, 3, 1)", "3 1", 0},
    {OP_SUM_TO, "2x3", "-", "", "sum_to(X)", "", 0},
    TRIANGLE(OP_TRIL, "tril"),
    TRIANGLE(OP_TRIU, "triu"),
    {OP_TO_BOOL, "2x3", "2x3", "ab", "bool(X)", "", 0},
    {OP_TO_FLOAT, "2x3", "2x3", "ab", "X.float()", "", 0},
    {OP_DETACH, "2x3", "2x3", "ab", "X.detach()", "", 0},
    {OP_CONTIGUOUS, "2x3", "2x3", "ab", "X.contiguous()", "", 0},
    {OP_CONTIGUOUS, "-", "-", "", "X.contiguous()", "", 0},
    {OP_EDIT, "2x3", "2x3", "ab", "X with [\"a1\", \"b1\"] = 7.5", "4", 7.5},
};
/* clang-format on */

const struct trial *trial_at(size_t i)
{
    return i < COUNT_OF(trials) ? &trials[i] : NULL;
}

/* "2x3", up to the next space, as a shape. */
static struct trial_array shaped(const char *text)
{
    struct trial_array x = {.size = 1};
    for (const char *c = text; *c >= '0' && *c <= '9'; c += *c == 'x') {
        char *end;
        x.shape[x.n_axes] = strtoul(c, &end, 10);
        x.size *= x.shape[x.n_axes++];
        c = end;
    }
    assert_true(x.size <= TRIAL_SIZE);
    return x;
}

unsigned trial_n_parents(const struct trial *trial)
{
    unsigned n = 1;
    for (const char *c = trial->parents; *c != '\0'; c++)
        n += *c == ' ';
    return n;
}

static struct trial_array parent_shape(const struct trial *trial, unsigned p)
{
    const char *text = trial->parents;
    while (p-- > 0)
        text = strchr(text, ' ') + 1;
    return shaped(text);
}

struct trial_array trial_result(const struct trial *trial)
{
    return shaped(trial->shape);
}

bool trial_is_flat(const struct trial *trial)
{
    switch (trial->kind) {
    case OP_SIGN:
    case OP_FLOOR:
    case OP_ROUND:
    case OP_NOT:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_AND:
    case OP_OR:
    case OP_ARGMAX:
    case OP_ARGMIN:
    case OP_ALL:
    case OP_ANY:
    case OP_TO_BOOL:
    case OP_DETACH:
        return true;
    default:
        return false;
    }
}

/* The whole numbers of the trial. */
struct ints {
    size_t n;
    ptrdiff_t at[12];
};

static struct ints ints_of(const struct trial *trial)
{
    struct ints ints = {0};
    for (const char *c = trial->ints; *c != '\0'; c += *c == ' ') {
        char *end;
        assert_true(ints.n < 12);
        ints.at[ints.n++] = strtol(c, &end, 10);
        c = end;
    }
    return ints;
}

void trial_index(const struct trial_array *x, size_t position, size_t *ret_index)
{
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        ret_index[axis] = position % x->shape[axis];
        position /= x->shape[axis];
    }
}

/* ---- drawing ---- */

enum numbers { ANY, POSITIVE, WHOLE, SPARSE, BOOLEAN, HIDING, ROWS };

static enum numbers numbers_of(enum op_kind kind, unsigned parent)
{
    switch (kind) {
    case OP_LOG:
    case OP_SQRT:
    case OP_POW:
        return POSITIVE;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return WHOLE;
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_ALL:
    case OP_ANY:
    case OP_TO_BOOL:
        return SPARSE;
    case OP_TO_FLOAT:
        return BOOLEAN;
    case OP_WHERE:
        return parent == 0 ? BOOLEAN : ANY;
    case OP_MASKED_FILL:
    case OP_HIDE:
        return parent == 1 ? BOOLEAN : ANY;
    case OP_ADD_MASK:
        return parent == 1 ? HIDING : ANY;
    case OP_WEIGHTS:
        return HIDING;
    case OP_TAKE:
    case OP_UNTAKE:
        return parent == 1 ? ROWS : ANY;
    default:
        return ANY;
    }
}

/* Away from 0, where relu and abs have a corner. */
static double draw_any(uint64_t *seed)
{
    double x = (double)testing_number(seed);
    return x < 0 ? x * 2 - 0.0625 : x * 2 + 0.0625;
}

static double draw(enum numbers numbers, size_t at, uint64_t *seed)
{
    static const double rows[] = {2, 0, -1, 2}; /* one of them twice, one from the end */
    bool third = testing_between(seed, 0, 2) == 0;
    switch (numbers) {
    case ANY:
        return draw_any(seed);
    case POSITIVE:
        return fabs(draw_any(seed)) + 0.25;
    case WHOLE:
        return (double)testing_between(seed, 0, 2);
    case SPARSE:
        return third ? 0 : draw_any(seed);
    case BOOLEAN:
        return third ? 0 : 1;
    case HIDING:
        return third ? (double)-INFINITY : draw_any(seed);
    default:
        return rows[at % 4];
    }
}

void trial_draw(const struct trial *trial, uint64_t *seed, struct trial_array inputs[TRIAL_PARENTS])
{
    for (unsigned p = 0; p < trial_n_parents(trial); p++) {
        enum numbers numbers = numbers_of(trial->kind, p);
        inputs[p] = parent_shape(trial, p);
        inputs[p].is_bool = numbers == BOOLEAN;
        inputs[p].is_choice = numbers == ROWS || (numbers == BOOLEAN && trial->kind != OP_TO_FLOAT);
        for (size_t at = 0; at < inputs[p].size; at++)
            inputs[p].numbers[at] = (double)(float)draw(numbers, at, seed);
    }
}

/* ---- nodes ---- */

static void label_axis(struct node *node, unsigned parent, unsigned axis)
{
    char names[TRIAL_SIZE][4];
    const char *pointers[TRIAL_SIZE];
    struct labels *labels;
    for (size_t i = 0; i < node->value.shape[axis]; i++) {
        snprintf(names[i], sizeof names[i], "%c%u", "apu"[parent] + (char)axis, (unsigned)i % 100);
        pointers[i] = names[i];
    }
    assert_true(labels_new(node->value.shape[axis], pointers, NULL, &labels, NULL));
    node_set_labels(node, axis, labels);
    labels_free(labels);
}

static struct node *input_node(struct graph *graph, unsigned parent, const struct trial_array *x)
{
    float numbers[TRIAL_SIZE];
    for (size_t at = 0; at < x->size; at++)
        numbers[at] = (float)x->numbers[at];
    struct tensor value = testing_tensor(x->n_axes, x->shape, numbers);
    value.is_bool = x->is_bool;
    struct node *node = node_input(graph, &value, "a test", 6, NULL);
    assert_non_null(node);
    assert_true(node_set_name(node, &"XYZ"[parent], 1, NULL));
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        label_axis(node, parent, axis);
    return node;
}

void trial_inputs(const struct trial *trial, struct graph *graph,
                  const struct trial_array inputs[TRIAL_PARENTS], struct node *ret[TRIAL_PARENTS])
{
    for (unsigned p = 0; p < trial_n_parents(trial); p++)
        ret[p] = input_node(graph, p, &inputs[p]);
}

void trial_free(const struct trial *trial, struct node *const parents[TRIAL_PARENTS])
{
    for (unsigned p = 0; p < trial_n_parents(trial); p++)
        node_free(parents[p]);
}

struct node *trial_node(const struct trial *trial, struct graph *graph,
                        struct node *const parents[TRIAL_PARENTS], struct error *reterr)
{
    struct ints ints = ints_of(trial);
    struct op_args args = {.number = trial->number, .n_ints = ints.n, .ints = ints.at};
    return node_new(graph, op_get(trial->kind), trial_n_parents(trial), parents, &args, reterr);
}

/* ---- references ---- */

static double at_index(const struct trial_array *x, const size_t *index)
{
    size_t at = 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        at = at * x->shape[axis] + index[axis];
    return x->numbers[at];
}

/* The number that x has at an index of n_axes axes that it is broadcast to. */
static double broadcast_at(const struct trial_array *x, const size_t *index, unsigned n_axes)
{
    size_t own[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        own[axis] = x->shape[axis] == 1 ? 0 : index[n_axes - x->n_axes + axis];
    return at_index(x, own);
}

static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* The nearest whole number, of two the even one. */
static double nearest(double x)
{
    double low = floor(x), away = x - low;
    bool up = away > 0.5 || (away == 0.5 && fmod(low, 2) != 0);
    return low + (up ? 1 : 0);
}

static double unary(enum op_kind kind, double x)
{
    switch (kind) {
    case OP_NEG:
        return 0 - x;
    case OP_TO_BOOL:
        return x != 0;
    case OP_EXP:
        return exp(x);
    case OP_LOG:
        return log(x);
    case OP_SQRT:
        return sqrt(x);
    case OP_TANH:
        return (exp(x) - exp(-x)) / (exp(x) + exp(-x));
    case OP_RELU:
        return x > 0 ? x : 0;
    case OP_ABS:
        return x > 0 ? x : -x;
    case OP_ERF:
        return erf(x);
    case OP_SIN:
        return sin(x);
    case OP_COS:
        return cos(x);
    case OP_SIGN:
        return sign(x);
    case OP_FLOOR:
        return floor(x);
    case OP_ROUND:
        return nearest(x);
    default: /* OP_NOT */
        return x == 0;
    }
}

static double binary(enum op_kind kind, double a, double b)
{
    switch (kind) {
    case OP_ADD:
    case OP_ADD_MASK:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return a / b;
    case OP_POW:
        return pow(a, b);
    case OP_MAXIMUM:
        return a > b ? a : b;
    case OP_MINIMUM:
        return a < b ? a : b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_AND:
        return a != 0 && b != 0;
    case OP_OR:
        return a != 0 || b != 0;
    default: /* OP_HIDE: b says whether a may be attended to */
        return b != 0 ? a : (double)-INFINITY;
    }
}

/* Sums over the inner axis; a vector has only that one. */
static double product(const struct trial_array *a, const struct trial_array *b, const size_t *index,
                      unsigned n_axes)
{
    size_t a_index[TENSOR_MAX_AXES] = {0}, b_index[TENSOR_MAX_AXES] = {0};
    unsigned n_batch = n_axes - (a->n_axes > 1) - (b->n_axes > 1);
    for (unsigned axis = 0; axis + 2 < a->n_axes; axis++)
        a_index[axis] = a->shape[axis] == 1 ? 0 : index[n_batch + 2 - a->n_axes + axis];
    for (unsigned axis = 0; axis + 2 < b->n_axes; axis++)
        b_index[axis] = b->shape[axis] == 1 ? 0 : index[n_batch + 2 - b->n_axes + axis];
    if (a->n_axes > 1)
        a_index[a->n_axes - 2] = index[n_batch];
    if (b->n_axes > 1)
        b_index[b->n_axes - 1] = index[n_axes - 1];
    double sum = 0;
    for (size_t k = 0; k < a->shape[a->n_axes - 1]; k++) {
        a_index[a->n_axes - 1] = k;
        b_index[b->n_axes > 1 ? b->n_axes - 2 : 0] = k;
        sum += at_index(a, a_index) * at_index(b, b_index);
    }
    return sum;
}

/* The numbers of x that agree with index on the axes that are not reduced. */
static size_t gather(const struct trial *trial, const struct trial_array *x, const size_t *index,
                     size_t n_reduced, double *list)
{
    struct ints ints = ints_of(trial);
    size_t n = 0, own[TENSOR_MAX_AXES];
    for (size_t at = 0; at < x->size; at++) {
        bool same = true;
        unsigned next = 0;
        trial_index(x, at, own);
        for (unsigned axis = 0; axis < x->n_axes; axis++) {
            bool reduced = false;
            for (size_t i = 0; i < n_reduced; i++)
                reduced = reduced || ints.at[i] == axis;
            same = same && (reduced || own[axis] == index[next]);
            next += !reduced || trial->number != 0;
        }
        if (same)
            list[n++] = x->numbers[at];
    }
    return n;
}

static double spread(const double *list, size_t n, double correction)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += list[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (list[i] - mean) * (list[i] - mean);
    return squares / ((double)n - correction);
}

static double reduce(enum op_kind kind, const double *list, size_t n)
{
    double sum = 0;
    size_t largest = 0, smallest = 0, n_true = 0;
    for (size_t i = 0; i < n; i++) {
        sum += list[i];
        n_true += list[i] != 0;
        largest = list[i] > list[largest] ? i : largest;
        smallest = list[i] < list[smallest] ? i : smallest;
    }
    switch (kind) {
    case OP_SUM:
        return sum;
    case OP_MEAN:
        return sum / (double)n;
    case OP_MAX:
        return list[largest];
    case OP_MIN:
        return list[smallest];
    case OP_ARGMAX:
        return (double)largest;
    case OP_ARGMIN:
        return (double)smallest;
    case OP_ALL:
        return n_true == n;
    default: /* OP_ANY */
        return n_true > 0;
    }
}

static double reduction(const struct trial *trial, const struct trial_array *x, const size_t *index)
{
    double list[TRIAL_SIZE] = {0};
    struct ints ints = ints_of(trial);
    bool corrected = trial->kind == OP_VAR || trial->kind == OP_STD;
    size_t n = gather(trial, x, index, ints.n - corrected, list);
    if (!corrected)
        return reduce(trial->kind, list, n);
    double variance = spread(list, n, (double)ints.at[ints.n - 1]);
    return trial->kind == OP_VAR ? variance : sqrt(variance);
}

static double softmax(const struct trial *trial, const struct trial_array *x, const size_t *index)
{
    size_t own[TENSOR_MAX_AXES], axis = (size_t)ints_of(trial).at[0];
    double sum = 0, power = exp(at_index(x, index));
    memcpy(own, index, sizeof own);
    for (size_t i = 0; i < (x->n_axes ? x->shape[axis] : 1); i++) {
        own[axis] = i;
        sum += exp(at_index(x, own));
    }
    if (trial->kind == OP_LOG_SOFTMAX)
        return log(power / sum);
    return trial->kind == OP_WEIGHTS && sum == 0 ? 0 : power / sum;
}

/* Where the cuts put cell `index` of a slice. */
static void cut_index(const ptrdiff_t *cuts, unsigned n_axes, const size_t *index, size_t *ret)
{
    for (unsigned axis = 0, next = 0; axis < n_axes; axis++) {
        const ptrdiff_t *cut = cuts + 3 * axis;
        ptrdiff_t steps = cut[1] < 0 ? 0 : (ptrdiff_t)index[next++];
        ret[axis] = (size_t)(cut[0] + steps * cut[2]);
    }
}

/* Adds up what all numbers of x put into cell `index` of the result: where() says where each goes.
 */
static double scattered(const struct trial *trial, const struct trial_array *x,
                        const struct trial_array *ids, const size_t *index,
                        void (*where)(const struct trial *trial, const struct trial_array *ids,
                                      const size_t *from, size_t *ret))
{
    struct trial_array result = trial_result(trial);
    size_t from[TENSOR_MAX_AXES], to[TENSOR_MAX_AXES];
    double sum = 0;
    for (size_t at = 0; at < x->size; at++) {
        bool same = true;
        trial_index(x, at, from);
        where(trial, ids, from, to);
        for (unsigned axis = 0; axis < result.n_axes; axis++)
            same = same && (to[axis] == index[axis] || result.shape[axis] == 1);
        sum += same ? x->numbers[at] : 0;
    }
    return sum;
}

static void where_unslice(const struct trial *trial, const struct trial_array *ids,
                          const size_t *from, size_t *ret)
{
    (void)ids;
    struct ints ints = ints_of(trial);
    unsigned n_axes = trial_result(trial).n_axes;
    cut_index(ints.at + n_axes, n_axes, from, ret);
}

static size_t row_of(const struct trial_array *ids, const size_t *index, size_t n_rows)
{
    double id = at_index(ids, index);
    return (size_t)(id < 0 ? id + (double)n_rows : id);
}

static void where_untake(const struct trial *trial, const struct trial_array *ids,
                         const size_t *from, size_t *ret)
{
    struct trial_array result = trial_result(trial);
    struct ints ints = ints_of(trial);
    unsigned taken = ints.n > 1 ? (unsigned)ints.at[1] : 0;
    for (unsigned axis = 0; axis < result.n_axes; axis++)
        ret[axis] = axis == taken  ? row_of(ids, from + taken, result.shape[taken])
                    : axis < taken ? from[axis]
                                   : from[ids->n_axes + axis - 1];
}

static void where_sum_to(const struct trial *trial, const struct trial_array *ids,
                         const size_t *from, size_t *ret)
{
    (void)ids;
    unsigned n_axes = trial_result(trial).n_axes, extra = parent_shape(trial, 0).n_axes - n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++)
        ret[axis] = from[axis + extra];
}

static double taken(const struct trial *trial, const struct trial_array *x,
                    const struct trial_array *ids, const size_t *index)
{
    struct ints ints = ints_of(trial);
    size_t from[TENSOR_MAX_AXES];
    unsigned along = ints.n > 0 ? (unsigned)ints.at[0] : 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        from[axis] = axis == along  ? row_of(ids, index + along, x->shape[along])
                     : axis < along ? index[axis]
                                    : index[ids->n_axes + axis - 1];
    return at_index(x, from);
}

static double joined(const struct trial *trial, const struct trial_array *inputs,
                     const size_t *index)
{
    size_t from[TENSOR_MAX_AXES], axis = (size_t)ints_of(trial).at[0];
    memcpy(from, index, sizeof from);
    const struct trial_array *part = inputs;
    for (; from[axis] >= part->shape[axis]; part++)
        from[axis] -= part->shape[axis];
    return at_index(part, from);
}

static double moved(const struct trial *trial, const struct trial_array *x, const size_t *index)
{
    struct trial_array result = trial_result(trial);
    struct ints ints = ints_of(trial);
    size_t from[TENSOR_MAX_AXES] = {0}, position = 0;
    ptrdiff_t away = 0;
    for (unsigned axis = 0; axis < result.n_axes; axis++)
        position = position * result.shape[axis] + index[axis];
    if (result.n_axes >= 2)
        away = (ptrdiff_t)index[result.n_axes - 1] - (ptrdiff_t)index[result.n_axes - 2];
    switch (trial->kind) {
    case OP_PERMUTE:
        for (unsigned axis = 0; axis < x->n_axes; axis++)
            from[ints.at[axis]] = index[axis];
        return at_index(x, from);
    case OP_EXPAND:
        return broadcast_at(x, index, result.n_axes);
    case OP_SLICE:
        cut_index(ints.at, x->n_axes, index, from);
        return at_index(x, from);
    case OP_TRIL:
        return away <= ints.at[0] ? at_index(x, index) : 0;
    case OP_TRIU:
        return away >= ints.at[0] ? at_index(x, index) : 0;
    case OP_EDIT:
        return position == (size_t)ints.at[0] ? trial->number : x->numbers[position];
    default: /* OP_RESHAPE, OP_TO_FLOAT, OP_DETACH, OP_CONTIGUOUS */
        return x->numbers[position];
    }
}

double trial_reference(const struct trial *trial, const struct trial_array inputs[TRIAL_PARENTS],
                       const size_t *index)
{
    enum op_kind kind = trial->kind;
    unsigned n_axes = trial_result(trial).n_axes, n_parents = trial_n_parents(trial);
    double x[TRIAL_PARENTS] = {0};
    bool elementwise = kind >= OP_NEG && kind <= OP_ADD_MASK;
    for (unsigned p = 0; elementwise && p < n_parents; p++)
        x[p] = broadcast_at(&inputs[p], index, n_axes);
    if (kind == OP_WHERE)
        return x[0] != 0 ? x[1] : x[2];
    if (kind == OP_MASKED_FILL)
        return x[1] != 0 ? x[2] : x[0];
    if (elementwise)
        return n_parents == 1 ? unary(kind, x[0]) : binary(kind, x[0], x[1]);
    if (kind == OP_MATMUL || kind == OP_WEIGHTED_SUM)
        return product(&inputs[0], &inputs[1], index, n_axes);
    if (kind >= OP_SUM && kind <= OP_ANY)
        return reduction(trial, &inputs[0], index);
    if (kind >= OP_SOFTMAX && kind <= OP_LOG_SOFTMAX)
        return softmax(trial, &inputs[0], index);
    if (kind == OP_CAT)
        return joined(trial, inputs, index);
    if (kind == OP_TAKE)
        return taken(trial, &inputs[0], &inputs[1], index);
    if (kind == OP_UNSLICE || kind == OP_UNTAKE || kind == OP_SUM_TO)
        return scattered(trial, &inputs[0], &inputs[1], index,
                         kind == OP_UNSLICE  ? where_unslice
                         : kind == OP_UNTAKE ? where_untake
                                             : where_sum_to);
    return moved(trial, &inputs[0], index);
}
