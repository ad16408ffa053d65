/* The rows of numpy: its functions and the methods of arrays. Functions that are easier to write in
 * Python stand in python/numpy.py over the module _numpy, which is filled here. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"

#define NUMPY(name) static bool name(struct native_call *c, struct value *ret)

enum where {
    IN_MODULE = 1,   /* _numpy.NAME, and so np.NAME */
    IN_METHODS = 2,  /* x.NAME() */
    IN_PROPERTY = 4, /* x.NAME */
    IN_MOST = IN_MODULE | IN_METHODS,
};
struct row {
    struct native native; /* first: a call finds its row by it */
    unsigned where;
    int kind;
};

static int kind_of(const struct native_call *c)
{
    return ((const struct row *)(const void *)c->native)->kind;
}

static bool is_given(const struct native_call *c, size_t i)
{
    return c->args[i].kind != VALUE_ABSENT && c->args[i].kind != VALUE_NONE;
}

static void drop(struct ndarray *a)
{
    value_drop(value_thing(a));
}

/* out=x, argument i: x takes on the result, which has its shape, and is the result itself. */
static bool into_out(struct native_call *c, size_t i, bool ok, struct value *ret)
{
    if (!ok || !is_given(c, i))
        return ok;
    struct value out = c->args[i];
    if (value_is(out, THING_TUPLE) && THING_AS(tuple, out)->n == 1)
        out = THING_AS(tuple, out)->items[0];
    if (!is_ndarray(out) || as_ndarray(out)->is_scalar)
        ok = raise_error(c->m, ERROR_TYPE, "return arrays must be of ArrayType");
    else
        ok = nd_assign(c->m, as_ndarray(out), as_ndarray(*ret));
    value_drop(*ret);
    *ret = ok ? value_take(out) : value_absent();
    return ok;
}

/* ---- dtypes ---- */

static const enum own_class class_of_dtype[] = {
    CLASS_NP_BOOL,  CLASS_NP_UINT8,   CLASS_NP_INT8,    CLASS_NP_INT16,   CLASS_NP_INT32,
    CLASS_NP_INT64, CLASS_NP_FLOAT16, CLASS_NP_FLOAT64, CLASS_NP_FLOAT32, CLASS_NP_FLOAT64};

bool nd_read_dtype(struct machine *m, struct value v, int *ret)
{
    static const struct {
        const char *name;
        enum dtype dtype;
    } names[] = {{"int", DTYPE_INT64},      {"float", DTYPE_FLOAT64},  {"bool_", DTYPE_BOOL},
                 {"double", DTYPE_FLOAT64}, {"single", DTYPE_FLOAT32}, {"half", DTYPE_FLOAT16},
                 {"f4", DTYPE_FLOAT32},     {"f8", DTYPE_FLOAT64},     {"i4", DTYPE_INT32},
                 {"i8", DTYPE_INT64}};
    *ret = -1;
    if (v.kind == VALUE_ABSENT || v.kind == VALUE_NONE)
        return true;
    if (value_is(v, THING_DTYPE)) {
        *ret = (int)THING_AS(dtype_thing, v)->dtype;
        return true;
    }
    if (value_is(v, THING_CLASS)) {
        const struct class *class = THING_AS(class, v);
        *ret = class == m->classes[CLASS_FLOAT]  ? DTYPE_FLOAT64
               : class == m->classes[CLASS_INT]  ? DTYPE_INT64
               : class == m->classes[CLASS_BOOL] ? DTYPE_BOOL
                                                 : -1;
        for (size_t i = 0; *ret < 0 && i < COUNT_OF(class_of_dtype); i++)
            if (i != DTYPE_BFLOAT16 && class == m->classes[class_of_dtype[i]])
                *ret = (int)i;
    }
    if (v.kind == VALUE_STRING) {
        for (size_t i = 0; i < DTYPE_COMPLEX64; i++)
            if (i != DTYPE_BFLOAT16 && strcmp(v.as.string->bytes, dtypes[i].name) == 0)
                *ret = (int)i;
        for (size_t i = 0; i < COUNT_OF(names); i++)
            if (strcmp(v.as.string->bytes, names[i].name) == 0)
                *ret = (int)names[i].dtype;
    }
    return *ret >= 0 ||
           raise_error(m, ERROR_TYPE,
                       "attn's arrays hold bool, uint8, int8 to int64, float16, float32 and "
                       "float64, and not this dtype");
}

bool nd_class_call(struct machine *m, enum dtype dtype, struct value v, struct value *ret)
{
    struct ndarray *a;
    struct value number = v;
    if (v.kind == VALUE_STRING) {
        double x = strtod(v.as.string->bytes, NULL);
        number = value_float(x);
    }
    if (v.kind == VALUE_ABSENT)
        number = value_int(0);
    if ((a = nd_of(m, number, (int)dtype)) == NULL)
        return false;
    struct ndarray *copy = nd_copy(m, a, dtype);
    drop(a);
    return nd_result(copy, ret);
}

/* ---- one number to one ---- */

static double f_sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}
static double f_square(double x)
{
    return x * x;
}
static double f_reciprocal(double x)
{
    return 1 / x;
}
static double f_negative(double x)
{
    return -x;
}
static double f_positive(double x)
{
    return x;
}
static double f_degrees(double x)
{
    return x * (180.0 / 3.14159265358979323846);
}
static double f_radians(double x)
{
    return x * (3.14159265358979323846 / 180.0);
}
static int64_t w_sign(int64_t x)
{
    return (x > 0) - (x < 0);
}
static int64_t w_square(int64_t x)
{
    return (int64_t)((uint64_t)x * (uint64_t)x);
}
static int64_t w_negative(int64_t x)
{
    return (int64_t)(0 - (uint64_t)x);
}
static int64_t w_positive(int64_t x)
{
    return x;
}
static int64_t w_abs(int64_t x)
{
    return x < 0 ? w_negative(x) : x;
}
static int64_t w_invert(int64_t x)
{
    return ~x;
}

/* exp of a float32 by numpy's own formula: a quotient of polynomials, on which last digits depend.
 */
static double exp_float32(double number)
{
    static const float above[] = {5.082762527590693718096e-04F, 6.757896990527504603057e-03F,
                                  5.114512081637298353406e-02F, 2.473615434895520810817e-01F,
                                  7.257664613233124478488e-01F, 9.999999999980870924916e-01F};
    float x = (float)number;
    if (!(x > -103.97208F && x < 88.72284F))
        return x != x ? (double)x : x > 0 ? (double)INFINITY : 0;
    float power = rintf(x * 1.442695040F);
    x = fmaf(power, -6.93145752e-1F, x);
    x = fmaf(power, -1.42860677e-6F, x);
    float top = above[0],
          bottom = fmaf(2.159509375685829852307e-02F, x, -2.742335390411667452936e-01F);
    for (size_t i = 1; i < 6; i++)
        top = fmaf(top, x, above[i]);
    bottom = fmaf(bottom, x, 1.0F);
    return (double)ldexpf(top / bottom, (int)power);
}

/* log of a float32 in the same way. */
static double log_float32(double number)
{
    static const float above[] = {2.589979117907922693523e-02F, 3.808837741388407920751e-01F,
                                  1.480000633576506585156e+00F, 2.112677543073053063722e+00F,
                                  9.999999999999998702752e-01F, 0.0F};
    static const float below[] = {5.875095403124574342950e-03F, 1.546476374983906719538e-01F,
                                  9.864942958519418960339e-01F, 2.453006071784736363091e+00F,
                                  2.612677543073109236779e+00F, 1.0F};
    int power;
    if (!(number > 0) || !isfinite(number))
        return log(number);
    float x = (float)frexp(number, &power);
    if (x <= 0.70710678118654752440F) {
        x += x;
        power--;
    }
    x -= 1;
    float top = above[0], bottom = below[0];
    for (size_t i = 1; i < 6; i++) {
        top = fmaf(top, x, above[i]);
        bottom = fmaf(bottom, x, below[i]);
    }
    return (double)fmaf((float)power, 0.693147180559945309417232121458F, top / bottom);
}

/* number NULL: whole numbers alone; whole NULL: whole numbers are computed as floats. */
enum unary {
    U_EXP,
    U_EXP2,
    U_LOG,
    U_LOG2,
    U_LOG10,
    U_LOG1P,
    U_EXPM1,
    U_SQRT,
    U_CBRT,
    U_SIN,
    U_COS,
    U_TAN,
    U_SINH,
    U_COSH,
    U_TANH,
    U_ARCSIN,
    U_ARCCOS,
    U_ARCTAN,
    U_FLOOR,
    U_CEIL,
    U_TRUNC,
    U_RINT,
    U_ABS,
    U_SIGN,
    U_SQUARE,
    U_RECIPROCAL,
    U_NEGATIVE,
    U_POSITIVE,
    U_INVERT,
    U_DEGREES,
    U_RADIANS,
    U_ISNAN,
    U_ISINF,
    U_ISFINITE,
    U_NOT,
    U_SIGNBIT,
    U_COUNT
};
static const struct {
    double (*number)(double);
    int64_t (*whole)(int64_t);
} unaries[U_COUNT] = {
    [U_EXP] = {exp, NULL},
    [U_EXP2] = {exp2, NULL},
    [U_LOG] = {log, NULL},
    [U_LOG2] = {log2, NULL},
    [U_LOG10] = {log10, NULL},
    [U_LOG1P] = {log1p, NULL},
    [U_EXPM1] = {expm1, NULL},
    [U_SQRT] = {sqrt, NULL},
    [U_CBRT] = {cbrt, NULL},
    [U_SIN] = {sin, NULL},
    [U_COS] = {cos, NULL},
    [U_TAN] = {tan, NULL},
    [U_SINH] = {sinh, NULL},
    [U_COSH] = {cosh, NULL},
    [U_TANH] = {tanh, NULL},
    [U_ARCSIN] = {asin, NULL},
    [U_ARCCOS] = {acos, NULL},
    [U_ARCTAN] = {atan, NULL},
    [U_FLOOR] = {floor, NULL},
    [U_CEIL] = {ceil, NULL},
    [U_TRUNC] = {trunc, NULL},
    [U_RINT] = {rint, NULL},
    [U_ABS] = {fabs, w_abs},
    [U_SIGN] = {f_sign, w_sign},
    [U_SQUARE] = {f_square, w_square},
    [U_RECIPROCAL] = {f_reciprocal, NULL},
    [U_NEGATIVE] = {f_negative, w_negative},
    [U_POSITIVE] = {f_positive, w_positive},
    [U_INVERT] = {NULL, w_invert},
    [U_DEGREES] = {f_degrees, NULL},
    [U_RADIANS] = {f_radians, NULL},
};

static bool question(enum unary kind, double x)
{
    return kind == U_ISNAN      ? isnan(x)
           : kind == U_ISINF    ? isinf(x)
           : kind == U_ISFINITE ? isfinite(x)
           : kind == U_SIGNBIT  ? signbit(x) != 0
                                : x == 0;
}

static bool has_pole(enum unary kind, double x)
{
    bool is_log = kind == U_LOG || kind == U_LOG2 || kind == U_LOG10;
    return ((is_log || kind == U_RECIPROCAL) && x == 0) || (kind == U_LOG1P && x == -1);
}

static struct ndarray *unary(struct machine *m, enum unary kind, const struct ndarray *a,
                             const char *name)
{
    enum dtype dtype = a->dtype;
    bool is_question = kind >= U_ISNAN;
    if (is_question)
        dtype = DTYPE_BOOL;
    else if (unaries[kind].number == NULL && nd_is_float(dtype)) {
        raise_error(m, ERROR_TYPE,
                    "ufunc '%s' not supported for the input types, and the inputs could not be "
                    "safely coerced to any supported types according to the casting rule ''safe''",
                    name);
        return NULL;
    } else if (kind == U_NEGATIVE && dtype == DTYPE_BOOL) {
        raise_error(m, ERROR_TYPE,
                    "The numpy boolean negative, the `-` operator, is not supported, use the `~` "
                    "operator or the logical_not function instead.");
        return NULL;
    } else if (unaries[kind].whole == NULL && !nd_is_float(dtype))
        dtype = dtype <= DTYPE_INT8    ? DTYPE_FLOAT16
                : dtype == DTYPE_INT16 ? DTYPE_FLOAT32
                                       : DTYPE_FLOAT64;
    struct ndarray *made = nd_new(m, dtype, a->n_axes, a->shape);
    if (made == NULL || nd_size(a) == 0)
        return made;
    size_t index[ND_MAX_AXES] = {0};
    ptrdiff_t at = 0;
    union nd_cell *to = made->first;
    bool floats = nd_is_float(a->dtype);
    unsigned troubles = 0;
    do {
        union nd_cell x = a->first[at];
        double number = floats ? x.number : (double)x.whole;
        if (is_question)
            to->whole = question(kind, number);
        else if (nd_is_float(dtype))
            to->number = dtype == DTYPE_FLOAT32 && kind == U_EXP ? exp_float32(number)
                         : dtype == DTYPE_FLOAT32 && kind == U_LOG
                             ? log_float32(number)
                             : nd_round(unaries[kind].number(number), dtype);
        else if (dtype == DTYPE_BOOL && kind == U_INVERT)
            to->whole = !x.whole;
        else
            to->whole = nd_wrap(unaries[kind].whole(x.whole), dtype);
        if (!is_question && nd_is_float(dtype))
            troubles |= nd_trouble(number, number, to->number, has_pole(kind, number));
        to++;
    } while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
    if (nd_report(m, troubles, false, name))
        return made;
    drop(made);
    return NULL;
}

NUMPY(run_unary)
{
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    if (a == NULL)
        return false;
    struct ndarray *made = unary(c->m, (enum unary)kind_of(c), a, c->native->name);
    drop(a);
    return into_out(c, 1, nd_result(made, ret), ret);
}

/* ---- two numbers to one ---- */

enum binary {
    B_ADD,
    B_SUBTRACT,
    B_MULTIPLY,
    B_FLOOR,
    B_MOD,
    B_POWER,
    B_MAXIMUM,
    B_MINIMUM,
    B_FMAX,
    B_FMIN,
    B_AND,
    B_OR,
    B_XOR,
    B_LEFT,
    B_RIGHT, /* of whole numbers from B_AND on */
    B_DIVIDE,
    B_ARCTAN2,
    B_HYPOT,
    B_LOGADDEXP,
    B_COPYSIGN, /* always floats */
    B_EQUAL,
    B_NOT_EQUAL,
    B_LESS,
    B_LESS_EQUAL,
    B_GREATER,
    B_GREATER_EQUAL, /* questions */
    B_LOGICAL_AND,
    B_LOGICAL_OR,
    B_LOGICAL_XOR,
    B_COUNT
};

static double floor_of(double x, double y)
{
    if (y == 0)
        return x / y;
    double rest = fmod(x, y), quotient = (x - rest) / y;
    if (rest != 0 && (y < 0) != (rest < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0, x / y);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

static double rest_of(double x, double y)
{
    double rest = fmod(x, y);
    if (y == 0)
        return rest;
    if (rest == 0)
        return copysign(0, y);
    return (y < 0) != (rest < 0) ? rest + y : rest;
}

static double of_floats(enum binary kind, double x, double y)
{
    switch (kind) {
    case B_ADD:
        return x + y;
    case B_SUBTRACT:
        return x - y;
    case B_MULTIPLY:
        return x * y;
    case B_DIVIDE:
        return x / y;
    case B_FLOOR:
        return floor_of(x, y);
    case B_MOD:
        return rest_of(x, y);
    case B_POWER:
        return y == 2 ? x * x : y == 0.5 ? sqrt(x) : y == -1 ? 1 / x : pow(x, y);
    case B_MAXIMUM:
        return isnan(x) || isnan(y) ? (double)NAN : x > y ? x : y;
    case B_MINIMUM:
        return isnan(x) || isnan(y) ? (double)NAN : x < y ? x : y;
    case B_FMAX:
        return fmax(x, y);
    case B_FMIN:
        return fmin(x, y);
    case B_ARCTAN2:
        return atan2(x, y);
    case B_HYPOT:
        return hypot(x, y);
    case B_COPYSIGN:
        return copysign(x, y);
    case B_LOGADDEXP:
        return x == y ? x + log(2) : x > y ? x + log1p(exp(y - x)) : y + log1p(exp(x - y));
    default:
        return 0;
    }
}

static int64_t whole_power(int64_t x, int64_t n)
{
    uint64_t power = 1, base = (uint64_t)x;
    for (; n > 0; n >>= 1, base *= base)
        power *= n & 1 ? base : 1;
    return (int64_t)power;
}

static int64_t of_wholes(enum binary kind, int64_t x, int64_t y)
{
    switch (kind) {
    case B_ADD:
        return (int64_t)((uint64_t)x + (uint64_t)y);
    case B_SUBTRACT:
        return (int64_t)((uint64_t)x - (uint64_t)y);
    case B_MULTIPLY:
        return (int64_t)((uint64_t)x * (uint64_t)y);
    case B_FLOOR:
        return y == 0 ? 0 : y == -1 ? w_negative(x) : x / y - (x % y != 0 && (x < 0) != (y < 0));
    case B_MOD:
        return y == 0 || y == -1 ? 0 : x % y + (x % y != 0 && (x < 0) != (y < 0) ? y : 0);
    case B_POWER:
        return whole_power(x, y);
    case B_MAXIMUM:
    case B_FMAX:
        return x > y ? x : y;
    case B_MINIMUM:
    case B_FMIN:
        return x < y ? x : y;
    case B_AND:
        return x & y;
    case B_OR:
        return x | y;
    case B_XOR:
        return x ^ y;
    case B_LEFT:
        return y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y);
    case B_RIGHT:
        return x >> (y < 0 || y > 63 ? 63 : y);
    default:
        return 0;
    }
}

static bool of_pair(enum binary kind, double x, double y)
{
    return kind == B_EQUAL           ? x == y
           : kind == B_NOT_EQUAL     ? x != y
           : kind == B_LESS          ? x < y
           : kind == B_LESS_EQUAL    ? x <= y
           : kind == B_GREATER       ? x > y
           : kind == B_GREATER_EQUAL ? x >= y
           : kind == B_LOGICAL_AND   ? x != 0 && y != 0
           : kind == B_LOGICAL_OR    ? x != 0 || y != 0
                                     : (x != 0) != (y != 0);
}
static bool of_whole_pair(enum binary kind, int64_t x, int64_t y)
{
    return kind == B_EQUAL           ? x == y
           : kind == B_NOT_EQUAL     ? x != y
           : kind == B_LESS          ? x < y
           : kind == B_LESS_EQUAL    ? x <= y
           : kind == B_GREATER       ? x > y
           : kind == B_GREATER_EQUAL ? x >= y
                                     : of_pair(kind, x != 0, y != 0);
}

static bool no_such_types(struct machine *m, const char *name)
{
    return raise_error(m, ERROR_TYPE,
                       "ufunc '%s' not supported for the input types, and the inputs could not be "
                       "safely coerced to any supported types according to the casting rule "
                       "''safe''",
                       name);
}

/* The dtype in which a pair is computed; false where numpy refuses. */
static bool binary_dtype(struct machine *m, enum binary kind, const struct ndarray *a,
                         const struct ndarray *b, const char *name, enum dtype *ret)
{
    *ret = nd_promoted(a, b);
    if (kind >= B_EQUAL)
        return true;
    if (kind >= B_AND && kind <= B_RIGHT && nd_is_float(*ret))
        return no_such_types(m, name);
    if (kind >= B_DIVIDE && !nd_is_float(*ret))
        *ret = DTYPE_FLOAT64;
    if (*ret == DTYPE_BOOL && kind == B_SUBTRACT)
        return raise_error(m, ERROR_TYPE,
                           "numpy boolean subtract, the `-` operator, is not supported, use the "
                           "bitwise_xor, the `^` operator, or the logical_xor function instead.");
    if (*ret == DTYPE_BOOL &&
        (kind == B_FLOOR || kind == B_MOD || kind == B_POWER || kind == B_LEFT || kind == B_RIGHT))
        *ret = DTYPE_INT8;
    return true;
}

static bool pair_has_pole(enum binary kind, union nd_cell x, union nd_cell y)
{
    return ((kind == B_DIVIDE || kind == B_FLOOR) && y.number == 0) ||
           (kind == B_POWER && x.number == 0);
}

/* is_scalar: it is an operator between numbers, and messages say so. */
static struct ndarray *binary(struct machine *m, enum binary kind, struct ndarray *a,
                              struct ndarray *b, bool is_scalar, const char *name)
{
    struct ndarray *both[2] = {a, b};
    size_t shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    unsigned n_axes;
    enum dtype dtype;
    ptrdiff_t strides[2][ND_MAX_AXES], at[2] = {0, 0};
    if (!binary_dtype(m, kind, a, b, name, &dtype) ||
        !nd_broadcast_shape(m, both, 2, shape, &n_axes))
        return NULL;
    struct ndarray *made = nd_new(m, kind >= B_EQUAL ? DTYPE_BOOL : dtype, n_axes, shape);
    if (made == NULL || nd_size(made) == 0)
        return made;
    (void)nd_broadcast(a, n_axes, shape, strides[0]);
    (void)nd_broadcast(b, n_axes, shape, strides[1]);
    union nd_cell *to = made->first;
    bool ok = true, floats = nd_is_float(dtype);
    unsigned troubles = 0;
    do {
        union nd_cell x = nd_cast(a->first[at[0]], a->dtype, dtype);
        union nd_cell y = nd_cast(b->first[at[1]], b->dtype, dtype);
        if (kind >= B_EQUAL)
            to->whole =
                floats ? of_pair(kind, x.number, y.number) : of_whole_pair(kind, x.whole, y.whole);
        else if (floats) {
            to->number = nd_round(of_floats(kind, x.number, y.number), dtype);
            troubles |= nd_trouble(x.number, y.number, to->number, pair_has_pole(kind, x, y));
        } else if (kind == B_POWER && y.whole < 0)
            ok =
                raise_error(m, ERROR_VALUE, "Integers to negative integer powers are not allowed.");
        else {
            to->whole = nd_wrap(of_wholes(kind, x.whole, y.whole), dtype);
            if ((kind == B_FLOOR || kind == B_MOD) && y.whole == 0)
                troubles |= 1U << TROUBLE_DIVIDE;
        }
        to++;
    } while (ok && nd_step(n_axes, shape, index, 2, strides[0], at));
    if (ok && nd_report(m, troubles, is_scalar, name))
        return made;
    drop(made);
    return NULL;
}

static bool operate_two(struct machine *m, enum binary kind, struct value x, struct value y,
                        bool is_scalar, const char *name, struct value *ret)
{
    struct ndarray *a = nd_of(m, x, -1), *b = a ? nd_of(m, y, -1) : NULL, *made = NULL;
    if (b != NULL)
        made = binary(m, kind, a, b, is_scalar, name);
    drop(a);
    drop(b);
    return nd_result(made, ret);
}

NUMPY(run_binary)
{
    bool ok = operate_two(c->m, (enum binary)kind_of(c), c->args[0], c->args[1], false,
                          c->native->name, ret);
    return into_out(c, 2, ok, ret);
}

/* ---- matmul ---- */

static bool matmul_shapes(struct machine *m, const struct ndarray *a, const struct ndarray *b)
{
    if (a->n_axes == 0 || b->n_axes == 0)
        return raise_error(m, ERROR_VALUE,
                           "matmul: Input operand %d does not have enough dimensions (has 0, "
                           "gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)",
                           a->n_axes == 0 ? 0 : 1);
    size_t k = a->shape[a->n_axes - 1], other = b->shape[b->n_axes > 1 ? b->n_axes - 2 : 0];
    return k == other || raise_error(m, ERROR_VALUE,
                                     "matmul: Input operand 1 has a mismatch in its core dimension "
                                     "0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size %zu is "
                                     "different from %zu)",
                                     other, k);
}

static struct ndarray *matmul(struct machine *m, const struct ndarray *a, const struct ndarray *b)
{
    if (!matmul_shapes(m, a, b))
        return NULL;
    struct ndarray x = *a, y = *b, *parts[2] = {&x, &y};
    if (a->n_axes == 1) {
        x.n_axes = 2;
        x.shape[1] = a->shape[0];
        x.stride[1] = a->stride[0];
        x.shape[0] = 1;
    }
    if (b->n_axes == 1) {
        y.n_axes = 2;
        y.shape[1] = 1;
        y.stride[1] = 0;
    }
    size_t rows = x.shape[x.n_axes - 2], inner = x.shape[x.n_axes - 1];
    size_t columns = y.shape[y.n_axes - 1], shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    ptrdiff_t row = x.stride[x.n_axes - 2], along = x.stride[x.n_axes - 1];
    ptrdiff_t down = y.stride[y.n_axes - 2], column = y.stride[y.n_axes - 1];
    unsigned n_axes;
    x.n_axes -= 2;
    y.n_axes -= 2;
    if (!nd_broadcast_shape(m, parts, 2, shape, &n_axes))
        return NULL;
    ptrdiff_t strides[2][ND_MAX_AXES], at[2] = {0, 0};
    (void)nd_broadcast(&x, n_axes, shape, strides[0]);
    (void)nd_broadcast(&y, n_axes, shape, strides[1]);
    unsigned outer = n_axes;
    if (a->n_axes > 1)
        shape[n_axes++] = rows;
    if (b->n_axes > 1)
        shape[n_axes++] = columns;
    enum dtype dtype = nd_join(a->dtype, b->dtype);
    struct ndarray *made = nd_new(m, dtype, n_axes, shape);
    if (made == NULL || nd_size(made) == 0)
        return made;
    union nd_cell *to = made->first;
    do {
        if (!machine_tick(m)) {
            drop(made);
            return NULL;
        }
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++, to++) {
                const union nd_cell *p = a->first + at[0] + (ptrdiff_t)i * row;
                const union nd_cell *q = b->first + at[1] + (ptrdiff_t)j * column;
                double sum = 0;
                uint64_t whole = 0;
                for (size_t k = 0; k < inner; k++, p += along, q += down) {
                    union nd_cell u = nd_cast(*p, a->dtype, dtype),
                                  v = nd_cast(*q, b->dtype, dtype);
                    if (nd_is_float(dtype))
                        sum = nd_round(sum + nd_round(u.number * v.number, dtype), dtype);
                    else
                        whole += (uint64_t)u.whole * (uint64_t)v.whole;
                }
                if (nd_is_float(dtype))
                    to->number = sum;
                else
                    to->whole = nd_wrap((int64_t)whole, dtype);
            }
    } while (nd_step(outer, shape, index, 2, strides[0], at));
    return made;
}

NUMPY(run_matmul)
{
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *b = a ? nd_of(c->m, c->args[1], -1) : NULL;
    struct ndarray *made = b ? matmul(c->m, a, b) : NULL;
    drop(a);
    drop(b);
    return into_out(c, 2, nd_result(made, ret), ret);
}

/* ---- operators ---- */

static const struct {
    int kind;
    const char *name;
} of_signs[SIGN_COUNT] = {
    [SIGN_ADD] = {B_ADD + 1, "add"},
    [SIGN_SUB] = {B_SUBTRACT + 1, "subtract"},
    [SIGN_MUL] = {B_MULTIPLY + 1, "multiply"},
    [SIGN_DIV] = {B_DIVIDE + 1, "divide"},
    [SIGN_FLOOR] = {B_FLOOR + 1, "floor_divide"},
    [SIGN_MOD] = {B_MOD + 1, "remainder"},
    [SIGN_POW] = {B_POWER + 1, "power"},
    [SIGN_AND] = {B_AND + 1, "bitwise_and"},
    [SIGN_OR] = {B_OR + 1, "bitwise_or"},
    [SIGN_XOR] = {B_XOR + 1, "bitwise_xor"},
    [SIGN_LEFT] = {B_LEFT + 1, "left_shift"},
    [SIGN_RIGHT] = {B_RIGHT + 1, "right_shift"},
    [SIGN_EQ] = {B_EQUAL + 1, "equal"},
    [SIGN_NE] = {B_NOT_EQUAL + 1, "not_equal"},
    [SIGN_LT] = {B_LESS + 1, "less"},
    [SIGN_LE] = {B_LESS_EQUAL + 1, "less_equal"},
    [SIGN_GT] = {B_GREATER + 1, "greater"},
    [SIGN_GE] = {B_GREATER_EQUAL + 1, "greater_equal"},
};

static bool is_operand(struct value v)
{
    return is_ndarray(v) || v.kind == VALUE_INT || v.kind == VALUE_FLOAT || v.kind == VALUE_BOOL ||
           value_is(v, THING_LIST) || value_is(v, THING_TUPLE) || value_is(v, THING_RANGE);
}

/* A number: of Python, or a scalar of numpy. */
static bool is_single(struct value v)
{
    return is_ndarray(v) ? as_ndarray(v)->is_scalar : v.kind != VALUE_THING;
}

/* A faster operation than the power stands for some numbers, and messages name it. */
static const char *power_name(struct value exponent)
{
    double n = exponent.kind == VALUE_FLOAT ? exponent.as.number : (double)exponent.as.whole;
    if (is_ndarray(exponent))
        n = nd_cast(*as_ndarray(exponent)->first, as_ndarray(exponent)->dtype, DTYPE_FLOAT64)
                .number;
    return n == -1 ? "reciprocal" : n == 0.5 ? "sqrt" : n == 2 ? "square" : "power";
}

bool nd_operate(struct machine *m, enum sign sign, struct value a, struct value b, bool in_place,
                struct value *ret)
{
    const struct native matmul_native = {.name = "matmul"};
    if (!is_operand(a) || !is_operand(b)) {
        if (sign == SIGN_EQ || sign == SIGN_NE) {
            *ret = value_bool(sign == SIGN_NE);
            return true;
        }
        struct value other = is_ndarray(a) ? b : a;
        return raise_error(m, ERROR_TYPE, "unsupported operand type(s) for %s: '%s' and '%s'%s",
                           of_signs[sign].name ? of_signs[sign].name : "@", value_class_name(m, a),
                           value_class_name(m, b),
                           is_tensor(other) ? "; torch.from_numpy(x) makes a tensor of an array"
                                            : "");
    }
    if (sign == SIGN_MATMUL) {
        struct native_call call = {.m = m, .args = {a, b}, .native = &matmul_native};
        return run_matmul(&call, ret);
    }
    if (of_signs[sign].kind == 0)
        return raise_error(m, ERROR_TYPE, "arrays have no such operator");
    bool is_scalar = is_single(a) && is_single(b);
    const char *name = of_signs[sign].name;
    if (sign == SIGN_POW && !is_scalar && is_single(b))
        name = power_name(b);
    if (!operate_two(m, (enum binary)(of_signs[sign].kind - 1), a, b, is_scalar, name, ret))
        return false;
    if (!in_place || !is_ndarray(a) || as_ndarray(a)->is_scalar)
        return true;
    /* a += b writes into a. */
    struct ndarray *target = as_ndarray(a), *made = as_ndarray(*ret);
    bool same = made->n_axes == target->n_axes;
    for (unsigned axis = 0; same && axis < made->n_axes; axis++)
        same = made->shape[axis] == target->shape[axis];
    bool ok = true;
    if (!same && made->n_axes > 0) {
        struct text shapes = {0};
        nd_write_shape(target, &shapes);
        text_put(&shapes, " doesn't match the broadcast shape ");
        nd_write_shape(made, &shapes);
        ok = raise_error(m, ERROR_VALUE, "non-broadcastable output operand with shape %s",
                         text_string(&shapes));
        text_release(&shapes);
    } else if (dtypes[made->dtype].category > dtypes[target->dtype].category) {
        ok = raise_error(m, ERROR_TYPE,
                         "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with "
                         "casting rule 'same_kind'",
                         of_signs[sign].name, dtypes[made->dtype].name, dtypes[target->dtype].name);
    }
    ok = ok && nd_assign(m, target, made);
    value_drop(*ret);
    *ret = ok ? value_take(a) : value_absent();
    return ok;
}

bool nd_operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret)
{
    return nd_result(unary(m,
                           sign == SIGN_NEG   ? U_NEGATIVE
                           : sign == SIGN_POS ? U_POSITIVE
                                              : U_INVERT,
                           as_ndarray(a), sign == SIGN_INVERT ? "invert" : "negative"),
                     ret);
}

/* ---- along axes ---- */

static bool read_axis(struct machine *m, struct value v, unsigned n_axes, unsigned *ret)
{
    int64_t axis;
    if (!value_whole(m, v, &axis))
        return false;
    if (axis < -(int64_t)n_axes || axis >= (int64_t)n_axes)
        return raise_error(m, ERROR_AXIS, "axis %lld is out of bounds for array of dimension %u",
                           (long long)axis, n_axes);
    *ret = (unsigned)(axis < 0 ? axis + n_axes : axis);
    return true;
}

/* Bits; all of them where none is given. */
static bool read_axes(struct native_call *c, size_t i, unsigned n_axes, unsigned *ret)
{
    unsigned axis;
    struct value v = c->args[i];
    *ret = (1U << n_axes) - 1;
    if (!is_given(c, i))
        return true;
    *ret = 0;
    if (!value_is(v, THING_TUPLE) && !value_is(v, THING_LIST)) {
        if (!read_axis(c->m, v, n_axes, &axis))
            return false;
        *ret = 1U << axis;
        return true;
    }
    size_t n = value_is(v, THING_TUPLE) ? THING_AS(tuple, v)->n : THING_AS(array, v)->n;
    const struct value *items =
        value_is(v, THING_TUPLE) ? THING_AS(tuple, v)->items : THING_AS(array, v)->items;
    for (size_t k = 0; k < n; k++) {
        if (!read_axis(c->m, items[k], n_axes, &axis))
            return false;
        if (*ret >> axis & 1U)
            return raise_error(c->m, ERROR_VALUE, "duplicate value in 'axis'");
        *ret |= 1U << axis;
    }
    return true;
}

enum reduction { R_SUM, R_PROD, R_MAX, R_MIN, R_ANY, R_ALL };

/* numpy's sum of n numbers: in eight parts, and halves of halves from 128 on. */
static double pairwise(const union nd_cell *a, size_t n, ptrdiff_t stride, enum dtype from,
                       enum dtype to)
{
#define AT(i) (nd_cast(a[(ptrdiff_t)(i)*stride], from, to).number)
    if (n < 8) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum = nd_round(sum + AT(i), to);
        return sum;
    }
    if (n <= 128) {
        double parts[8];
        size_t i = 8;
        for (size_t k = 0; k < 8; k++)
            parts[k] = AT(k);
        for (; i + 8 <= n; i += 8)
            for (size_t k = 0; k < 8; k++)
                parts[k] = nd_round(parts[k] + AT(i + k), to);
        double sum = nd_round(
            nd_round(nd_round(parts[0] + parts[1], to) + nd_round(parts[2] + parts[3], to), to) +
                nd_round(nd_round(parts[4] + parts[5], to) + nd_round(parts[6] + parts[7], to), to),
            to);
        for (; i < n; i++)
            sum = nd_round(sum + AT(i), to);
        return sum;
    }
    size_t half = n / 2;
    half -= half % 8;
    return nd_round(pairwise(a, half, stride, from, to) +
                        pairwise(a + (ptrdiff_t)half * stride, n - half, stride, from, to),
                    to);
#undef AT
}

static void take_in(enum reduction kind, union nd_cell *to, union nd_cell x, bool floats,
                    enum dtype dtype)
{
    switch (kind) {
    case R_SUM:
        if (floats)
            to->number = nd_round(to->number + x.number, dtype);
        else
            to->whole = nd_wrap((int64_t)((uint64_t)to->whole + (uint64_t)x.whole), dtype);
        break;
    case R_PROD:
        if (floats)
            to->number = nd_round(to->number * x.number, dtype);
        else
            to->whole = nd_wrap((int64_t)((uint64_t)to->whole * (uint64_t)x.whole), dtype);
        break;
    case R_MAX:
        if (floats ? x.number > to->number || isnan(x.number) : x.whole > to->whole)
            *to = x;
        break;
    case R_MIN:
        if (floats ? x.number < to->number || isnan(x.number) : x.whole < to->whole)
            *to = x;
        break;
    case R_ANY:
        to->whole = to->whole || x.whole;
        break;
    case R_ALL:
        to->whole = to->whole && x.whole;
        break;
    }
}

/* Axes in the order in which they lie in memory, as numpy goes through them: an axis that is
 * reduced and lies innermost is summed pairwise. */
static void reduce_into(enum reduction kind, const struct ndarray *a, unsigned axes,
                        struct ndarray *made)
{
    struct {
        size_t n;
        ptrdiff_t from, to;
    } order[ND_MAX_AXES];
    unsigned n = 0;
    ptrdiff_t to_strides[ND_MAX_AXES], stride = 1;
    for (unsigned axis = a->n_axes; axis-- > 0;) {
        to_strides[axis] = axes >> axis & 1U ? 0 : stride;
        if (!(axes >> axis & 1U))
            stride *= (ptrdiff_t)a->shape[axis];
    }
    for (unsigned axis = 0; axis < a->n_axes; axis++) {
        if (a->shape[axis] == 1)
            continue;
        unsigned at = n++;
        for (; at > 0 && labs(order[at - 1].from) < labs(a->stride[axis]); at--)
            order[at] = order[at - 1];
        order[at].n = a->shape[axis];
        order[at].from = a->stride[axis];
        order[at].to = to_strides[axis];
    }
    for (unsigned i = n; i-- > 1;) /* neighbours that go through memory as one */
        if (order[i - 1].from == order[i].from * (ptrdiff_t)order[i].n &&
            order[i - 1].to == order[i].to * (ptrdiff_t)order[i].n) {
            order[i - 1].n *= order[i].n;
            order[i - 1].from = order[i].from;
            order[i - 1].to = order[i].to;
            memmove(order + i, order + i + 1, (n - i - 1) * sizeof *order);
            n--;
        }
    size_t shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    ptrdiff_t strides[2][ND_MAX_AXES], at[2] = {0, 0};
    bool floats = nd_is_float(made->dtype);
    bool is_pairwise = kind == R_SUM && floats && n > 0 && order[n - 1].to == 0;
    unsigned outer = is_pairwise ? n - 1 : n;
    for (unsigned i = 0; i < outer; i++) {
        shape[i] = order[i].n;
        strides[0][i] = order[i].from;
        strides[1][i] = order[i].to;
    }
    do {
        union nd_cell x = nd_cast(a->first[at[0]], a->dtype, made->dtype);
        if (is_pairwise)
            x.number = pairwise(a->first + at[0], order[n - 1].n, order[n - 1].from, a->dtype,
                                made->dtype);
        take_in(kind, made->first + at[1], x, floats, made->dtype);
    } while (nd_step(outer, shape, index, 2, strides[0], at));
}

static struct ndarray *reduce(struct machine *m, enum reduction kind, const struct ndarray *a,
                              unsigned axes, bool keeps, int dtype)
{
    size_t shape[ND_MAX_AXES], kept[ND_MAX_AXES];
    unsigned n_axes = 0;
    for (unsigned axis = 0; axis < a->n_axes; axis++) {
        kept[axis] = axes >> axis & 1U ? 1 : a->shape[axis];
        if (!(axes >> axis & 1U))
            shape[n_axes++] = a->shape[axis];
    }
    bool counts = kind == R_SUM || kind == R_PROD, asks = kind == R_ANY || kind == R_ALL;
    enum dtype to = asks                                                    ? DTYPE_BOOL
                    : dtype >= 0                                            ? (enum dtype)dtype
                    : counts && dtypes[a->dtype].category <= CATEGORY_WHOLE ? DTYPE_INT64
                                                                            : a->dtype;
    struct ndarray *made = keeps ? nd_new(m, to, a->n_axes, kept) : nd_new(m, to, n_axes, shape);
    if (made == NULL)
        return NULL;
    size_t n = nd_size(made);
    if (nd_size(a) == 0 && n > 0 && (kind == R_MAX || kind == R_MIN)) {
        drop(made);
        raise_error(m, ERROR_VALUE,
                    "zero-size array to reduction operation %s which has no identity",
                    kind == R_MAX ? "maximum" : "minimum");
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (kind == R_PROD && nd_is_float(to))
            made->first[i].number = 1;
        else if (kind == R_PROD || kind == R_ALL)
            made->first[i].whole = 1;
        else if (kind == R_MAX || kind == R_MIN) {
            if (nd_is_float(to))
                made->first[i].number = kind == R_MAX ? -(double)INFINITY : (double)INFINITY;
            else
                made->first[i].whole = kind == R_MAX ? INT64_MIN : INT64_MAX;
        }
    }
    if (nd_size(a) > 0)
        reduce_into(kind, a, axes, made);
    return made;
}

/* sum(a, axis=None, dtype=None, out=None, keepdims=False); max has no dtype */
NUMPY(run_reduce)
{
    unsigned axes;
    bool keeps = false, has_dtype = kind_of(c) == R_SUM || kind_of(c) == R_PROD;
    int dtype = -1;
    size_t out = has_dtype ? 3 : 2;
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = NULL;
    if (a == NULL)
        return false;
    if (read_axes(c, 1, a->n_axes, &axes) &&
        (!has_dtype || nd_read_dtype(c->m, c->args[2], &dtype)) &&
        (!is_given(c, out + 1) || value_truth(c->m, c->args[out + 1], &keeps)))
        made = reduce(c->m, (enum reduction)kind_of(c), a, axes, keeps, dtype);
    drop(a);
    return into_out(c, out, nd_result(made, ret), ret);
}

/* Where a line along one axis lies, for functions of lines. */
struct line {
    union nd_cell *from, *to;
    ptrdiff_t from_stride, to_stride;
    size_t n;
    enum dtype dtype;
};
/* Calls f for each line along the axis; made has a's shape, or 1 on the axis. */
static bool each_line(struct machine *m, const struct ndarray *a, struct ndarray *made,
                      unsigned axis,
                      bool (*f)(struct machine *m, const struct line *line, int kind), int kind)
{
    size_t shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    ptrdiff_t strides[2][ND_MAX_AXES], at[2] = {0, 0};
    memcpy(shape, a->shape, sizeof shape);
    memcpy(strides[0], a->stride, sizeof strides[0]);
    memcpy(strides[1], made->stride, sizeof strides[1]);
    struct line line = {.from_stride = a->stride[axis],
                        .to_stride = made->stride[axis],
                        .n = a->shape[axis],
                        .dtype = a->dtype};
    shape[axis] = 1;
    if (nd_size(a) == 0)
        return true;
    do {
        line.from = a->first + at[0];
        line.to = made->first + at[1];
        if (!f(m, &line, kind))
            return false;
    } while (nd_step(a->n_axes, shape, index, 2, strides[0], at));
    return true;
}

static bool cell_less(union nd_cell a, union nd_cell b, bool floats)
{
    if (!floats)
        return a.whole < b.whole;
    return a.number < b.number || (!isnan(a.number) && isnan(b.number));
}

enum { L_ARGMAX, L_ARGMIN, L_CUMSUM, L_CUMPROD, L_SORT, L_ARGSORT };

static bool line_best(struct machine *m, const struct line *line, int kind)
{
    size_t best = 0;
    bool floats = nd_is_float(line->dtype);
    (void)m;
    for (size_t i = 1; i < line->n; i++) {
        union nd_cell x = line->from[(ptrdiff_t)i * line->from_stride];
        union nd_cell y = line->from[(ptrdiff_t)best * line->from_stride];
        if (floats && isnan(y.number))
            break;
        if (floats && isnan(x.number)) {
            best = i;
            break;
        }
        if (kind == L_ARGMAX ? cell_less(y, x, floats) : cell_less(x, y, floats))
            best = i;
    }
    line->to->whole = (int64_t)best;
    return true;
}

static bool line_run(struct machine *m, const struct line *line, int kind)
{
    bool floats = nd_is_float(line->dtype);
    union nd_cell total = {.whole = kind == L_CUMPROD};
    (void)m;
    if (floats)
        total.number = kind == L_CUMPROD;
    for (size_t i = 0; i < line->n; i++) {
        take_in(kind == L_CUMPROD ? R_PROD : R_SUM, &total,
                line->from[(ptrdiff_t)i * line->from_stride], floats,
                floats ? line->dtype : DTYPE_INT64);
        line->to[(ptrdiff_t)i * line->to_stride] = total;
    }
    return true;
}

struct placed {
    union nd_cell x;
    size_t at;
};

/* Merging keeps the order of equal numbers. */
static void merge_sort(struct placed *a, struct placed *room, size_t n, bool floats)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half, k = 0;
    merge_sort(a, room, half, floats);
    merge_sort(a + half, room, n - half, floats);
    while (i < half || j < n)
        room[k++] = j == n || (i < half && !cell_less(a[j].x, a[i].x, floats)) ? a[i++] : a[j++];
    memcpy(a, room, n * sizeof *a);
}

static bool line_sort(struct machine *m, const struct line *line, int kind)
{
    struct placed *all = malloc(2 * line->n * sizeof *all);
    if (all == NULL)
        return raise_memory(m);
    for (size_t i = 0; i < line->n; i++)
        all[i] = (struct placed){line->from[(ptrdiff_t)i * line->from_stride], i};
    merge_sort(all, all + line->n, line->n, nd_is_float(line->dtype));
    for (size_t i = 0; i < line->n; i++)
        line->to[(ptrdiff_t)i * line->to_stride] =
            kind == L_SORT ? all[i].x : (union nd_cell){.whole = (int64_t)all[i].at};
    free(all);
    return true;
}

/* _line(a, axis): argmax, cumsum, sort, ... */
NUMPY(run_line)
{
    int kind = kind_of(c);
    unsigned axis = 0;
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = NULL;
    if (a == NULL)
        return false;
    bool best = kind == L_ARGMAX || kind == L_ARGMIN, runs = kind == L_CUMSUM || kind == L_CUMPROD;
    if (!read_axis(c->m, c->args[1], a->n_axes, &axis)) {
        drop(a);
        return false;
    }
    size_t shape[ND_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    if (best && shape[axis] == 0) {
        drop(a);
        return raise_error(c->m, ERROR_VALUE, "attempt to get %s of an empty sequence",
                           c->native->name + 1);
    }
    if (best)
        shape[axis] = 1;
    made = nd_new(c->m,
                  best || kind == L_ARGSORT        ? DTYPE_INT64
                  : runs && !nd_is_float(a->dtype) ? DTYPE_INT64
                                                   : a->dtype,
                  a->n_axes, shape);
    if (made != NULL && !each_line(c->m, a, made, axis,
                                   best   ? line_best
                                   : runs ? line_run
                                          : line_sort,
                                   kind)) {
        drop(made);
        made = NULL;
    }
    drop(a);
    if (made != NULL && best) { /* the axis goes */
        memmove(made->shape + axis, made->shape + axis + 1,
                (made->n_axes - axis - 1) * sizeof *made->shape);
        memmove(made->stride + axis, made->stride + axis + 1,
                (made->n_axes - axis - 1) * sizeof *made->stride);
        made->n_axes--;
    }
    return nd_result(made, ret);
}

/* ---- shapes ---- */

/* Gives made as the result if ok, else drops it. Unlike nd_result(), keeps an array without axes an
 * array. */
static bool array_result(struct ndarray *made, bool ok, struct value *ret)
{
    if (ok)
        *ret = value_thing(made);
    else
        drop(made);
    return ok;
}

/* Whole numbers from one value: a number, or a list of them. */
static bool read_wholes_of(struct machine *m, struct value v, int64_t *ret, unsigned *ret_n)
{
    struct array *list = NULL;
    if (!value_is(v, THING_TUPLE) && !value_is(v, THING_LIST) && !is_ndarray(v)) {
        *ret_n = 1;
        return value_whole(m, v, ret);
    }
    if (is_ndarray(v) && as_ndarray(v)->n_axes == 0) {
        *ret_n = 1;
        return value_whole(m, v, ret);
    }
    if (!value_to_array(m, v, &list))
        return false;
    bool ok = list->n <= ND_MAX_AXES ||
              raise_error(m, ERROR_VALUE, "arrays have up to %d axes in attn", ND_MAX_AXES);
    for (size_t i = 0; ok && i < list->n; i++)
        ok = value_whole(m, list->items[i], &ret[i]);
    *ret_n = (unsigned)list->n;
    value_drop(value_thing(list));
    return ok;
}

bool nd_read_shape(struct machine *m, struct value v, size_t *ret, unsigned *ret_n)
{
    int64_t wholes[ND_MAX_AXES];
    if (!read_wholes_of(m, v, wholes, ret_n))
        return false;
    for (unsigned i = 0; i < *ret_n; i++) {
        if (wholes[i] < 0)
            return raise_error(m, ERROR_VALUE, "negative dimensions are not allowed");
        ret[i] = (size_t)wholes[i];
    }
    return true;
}

NUMPY(run_reshape)
{
    int64_t wholes[ND_MAX_AXES];
    size_t shape[ND_MAX_AXES], known = 1;
    unsigned n_axes = 0;
    int open = -1;
    struct value first = c->n_rest == 1 ? c->rest[0] : value_absent(), made_tuple = value_absent();
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = NULL;
    bool ok = a != NULL;
    if (ok && c->n_rest != 1) {
        ok = make_tuple(c->m, c->rest, c->n_rest, &made_tuple);
        first = made_tuple;
    }
    ok = ok && read_wholes_of(c->m, first, wholes, &n_axes);
    value_drop(made_tuple);
    size_t n = ok ? nd_size(a) : 0;
    for (unsigned i = 0; ok && i < n_axes; i++) {
        shape[i] = (size_t)wholes[i];
        if (wholes[i] >= 0)
            known *= shape[i];
        else if (open < 0)
            open = (int)i;
        else
            ok = raise_error(c->m, ERROR_VALUE, "can only specify one unknown dimension");
    }
    if (ok && open >= 0)
        shape[open] = known > 0 ? n / known : 0;
    if (ok && (open >= 0 ? known == 0 || n % known != 0 : known != n)) {
        struct text text = {0};
        text_char(&text, '(');
        for (unsigned i = 0; i < n_axes; i++)
            text_format(&text, "%s%lld", i ? "," : "", (long long)wholes[i]);
        text_put(&text, n_axes == 1 ? ",)" : ")");
        ok = raise_error(c->m, ERROR_VALUE, "cannot reshape array of size %zu into shape %s", n,
                         text_string(&text));
        text_release(&text);
    }
    if (ok) {
        bool is_whole = true; /* row-major without gaps: a view */
        ptrdiff_t stride = 1;
        for (unsigned axis = a->n_axes; axis-- > 0;) {
            is_whole = is_whole && (a->shape[axis] == 1 || a->stride[axis] == stride);
            stride *= (ptrdiff_t)a->shape[axis];
        }
        made = is_whole ? nd_view(c->m, a) : nd_copy(c->m, a, a->dtype);
        stride = 1;
        for (unsigned axis = n_axes; made != NULL && axis-- > 0;) {
            made->shape[axis] = shape[axis];
            made->stride[axis] = stride;
            stride *= (ptrdiff_t)shape[axis];
        }
        if (made != NULL)
            made->n_axes = n_axes;
    }
    drop(a);
    *ret = value_thing(made);
    return made != NULL;
}

NUMPY(run_transpose)
{
    int64_t axes[ND_MAX_AXES];
    unsigned n = 0, seen = 0;
    struct value order = c->n_rest == 1 ? c->rest[0] : value_absent(), made_tuple = value_absent();
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = a ? nd_view(c->m, a) : NULL;
    bool ok = made != NULL;
    if (ok && c->n_rest > 1) {
        ok = make_tuple(c->m, c->rest, c->n_rest, &made_tuple);
        order = made_tuple;
    }
    if (ok && order.kind != VALUE_ABSENT && order.kind != VALUE_NONE) {
        ok = read_wholes_of(c->m, order, axes, &n) &&
             (n == a->n_axes || raise_error(c->m, ERROR_VALUE, "axes don't match array"));
    } else if (ok) {
        n = a->n_axes;
        for (unsigned i = 0; i < n; i++)
            axes[i] = n - 1 - i;
    }
    for (unsigned i = 0; ok && i < n; i++) {
        unsigned axis = 0;
        ok = read_axis(c->m, value_int(axes[i]), n, &axis) &&
             (!(seen >> axis & 1U) || raise_error(c->m, ERROR_VALUE, "repeated axis in transpose"));
        if (ok) {
            seen |= 1U << axis;
            made->shape[i] = a->shape[axis];
            made->stride[i] = a->stride[axis];
        }
    }
    value_drop(made_tuple);
    drop(a);
    return array_result(made, ok, ret);
}

/* broadcast_to(a, shape) */
NUMPY(run_broadcast)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes;
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = a ? nd_view(c->m, a) : NULL;
    if (made == NULL) {
        drop(a);
        return false;
    }
    bool ok = nd_read_shape(c->m, c->args[1], shape, &n_axes) &&
              (nd_broadcast(a, n_axes, shape, made->stride) ||
               raise_error(c->m, ERROR_VALUE,
                           "operands could not be broadcast together with remapped shapes"));
    drop(a);
    if (!ok) {
        drop(made);
        return false;
    }
    made->n_axes = n_axes;
    memcpy(made->shape, shape, sizeof shape);
    *ret = value_thing(made);
    return true;
}

static size_t bytes_of(enum dtype dtype)
{
    static const size_t bytes[DTYPE_COUNT] = {
        [DTYPE_BOOL] = 1,    [DTYPE_UINT8] = 1,   [DTYPE_INT8] = 1,     [DTYPE_INT16] = 2,
        [DTYPE_INT32] = 4,   [DTYPE_INT64] = 8,   [DTYPE_FLOAT16] = 2,  [DTYPE_BFLOAT16] = 2,
        [DTYPE_FLOAT32] = 4, [DTYPE_FLOAT64] = 8, [DTYPE_COMPLEX64] = 8};
    return bytes[dtype];
}

/* Another window on the cells of a: strides in bytes. */
NUMPY(run_as_strided)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes;
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = a ? nd_view(c->m, a) : NULL;
    bool ok = made != NULL && nd_read_shape(c->m, c->args[1], shape, &n_axes);
    if (ok && (!value_is(c->args[2], THING_TUPLE) || THING_AS(tuple, c->args[2])->n != n_axes))
        ok = raise_error(c->m, ERROR_VALUE, "strides must be as many as the axes of shape");
    ptrdiff_t least = 0, most = 0, bytes = made ? (ptrdiff_t)bytes_of(made->dtype) : 1;
    for (unsigned axis = 0; ok && axis < n_axes; axis++) {
        int64_t stride;
        ok = value_whole(c->m, THING_AS(tuple, c->args[2])->items[axis], &stride);
        if (ok && (stride % bytes != 0 || shape[axis] > made->cells->n ||
                   stride / bytes > (ptrdiff_t)made->cells->n ||
                   stride / bytes < -(ptrdiff_t)made->cells->n))
            ok = raise_error(c->m, ERROR_VALUE,
                             "attn's as_strided() takes whole steps within the array");
        if (!ok)
            break;
        made->shape[axis] = shape[axis];
        made->stride[axis] = (ptrdiff_t)stride / bytes;
        ptrdiff_t end = shape[axis] ? made->stride[axis] * (ptrdiff_t)(shape[axis] - 1) : 0;
        least += end < 0 ? end : 0;
        most += end > 0 ? end : 0;
    }
    if (ok && (made->first + least < made->cells->items ||
               made->first + most >= made->cells->items + made->cells->n))
        ok = raise_error(c->m, ERROR_VALUE, "as_strided() would leave the memory of the array");
    drop(a);
    if (!ok) {
        drop(made);
        return false;
    }
    made->n_axes = n_axes;
    made->is_scalar = false;
    *ret = value_thing(made);
    return true;
}

/* concatenate(arrays, axis=0) */
NUMPY(run_concatenate)
{
    struct array *list, *arrays = array_new(&c->m->things, 4);
    unsigned axis = 0;
    size_t shape[ND_MAX_AXES];
    struct ndarray *made = NULL;
    if (arrays == NULL)
        return raise_memory(c->m);
    if (!value_to_array(c->m, c->args[0], &list)) {
        value_drop(value_thing(arrays));
        return false;
    }
    bool ok =
        list->n > 0 || raise_error(c->m, ERROR_VALUE, "need at least one array to concatenate");
    for (size_t i = 0; ok && i < list->n; i++) {
        struct ndarray *a = nd_of(c->m, list->items[i], -1);
        ok = a != NULL && (array_add(arrays, value_thing(a)) || raise_memory(c->m));
    }
    value_drop(value_thing(list));
    struct ndarray *first = ok ? as_ndarray(arrays->items[0]) : NULL;
    enum dtype dtype = ok ? first->dtype : DTYPE_BOOL;
    if (ok && first->n_axes == 0)
        ok = raise_error(c->m, ERROR_VALUE, "zero-dimensional arrays cannot be concatenated");
    ok = ok && read_axis(c->m, is_given(c, 1) ? c->args[1] : value_int(0), first->n_axes, &axis);
    if (ok)
        memcpy(shape, first->shape, sizeof shape);
    for (size_t i = 1; ok && i < arrays->n; i++) {
        const struct ndarray *a = as_ndarray(arrays->items[i]);
        dtype = nd_join(dtype, a->dtype);
        if (a->n_axes != first->n_axes)
            ok = raise_error(c->m, ERROR_VALUE,
                             "all the input arrays must have same number of dimensions, but the "
                             "array at index 0 has %u dimension(s) and the array at index %zu has "
                             "%u dimension(s)",
                             first->n_axes, i, a->n_axes);
        for (unsigned k = 0; ok && k < a->n_axes; k++)
            if (k != axis && a->shape[k] != shape[k])
                ok = raise_error(
                    c->m, ERROR_VALUE,
                    "all the input array dimensions except for the concatenation axis must "
                    "match exactly, but along dimension %u, the array at index 0 has "
                    "size %zu and the array at index %zu has size %zu",
                    k, shape[k], i, a->shape[k]);
        if (ok)
            shape[axis] += a->shape[axis];
    }
    made = ok ? nd_new(c->m, dtype, first->n_axes, shape) : NULL;
    union nd_cell *at = made ? made->first : NULL;
    for (size_t i = 0; made != NULL && i < arrays->n; i++) {
        const struct ndarray *a = as_ndarray(arrays->items[i]);
        struct ndarray part = *made;
        part.first = at;
        part.shape[axis] = a->shape[axis];
        at += (ptrdiff_t)a->shape[axis] * made->stride[axis];
        if (!nd_assign(c->m, &part, a)) {
            drop(made);
            made = NULL;
        }
    }
    value_drop(value_thing(arrays));
    *ret = value_thing(made);
    return made != NULL;
}

/* ---- making ---- */

/* array(object, dtype=None, copy=True, ndmin=0) */
NUMPY(run_array)
{
    int dtype;
    if (!nd_read_dtype(c->m, c->args[1], &dtype))
        return false;
    struct ndarray *a = is_tensor(c->args[0]) && kind_of(c) == 1 && dtype < 0
                            ? nd_of_tensor(c->m, as_tensor(c->args[0]), true)
                            : nd_of(c->m, c->args[0], dtype),
                   *made = a;
    bool shares = a != NULL && is_ndarray(c->args[0]) && as_ndarray(c->args[0]) == a;
    if (a != NULL &&
        (shares ? kind_of(c) == 0 || a->is_scalar : kind_of(c) == 0 && a->is_copy_of)) {
        made = nd_copy(c->m, a, a->dtype);
        drop(a);
    }
    if (made != NULL && !shares)
        made->is_scalar = false;
    *ret = value_thing(made);
    return made != NULL;
}

/* _full(shape, number, dtype) */
NUMPY(run_full)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes;
    int dtype;
    if (!nd_read_shape(c->m, c->args[0], shape, &n_axes) ||
        !nd_read_dtype(c->m, c->args[2], &dtype))
        return false;
    struct ndarray *from = nd_of(c->m, c->args[1], -1);
    struct ndarray *made =
        from ? nd_new(c->m, dtype < 0 ? from->dtype : (enum dtype)dtype, n_axes, shape) : NULL;
    bool ok = made != NULL && nd_assign(c->m, made, from);
    drop(from);
    return array_result(made, ok, ret);
}

/* arange(start, stop=None, step=1, dtype=None) */
NUMPY(run_arange)
{
    double start = 0, stop, step = 1;
    int dtype;
    bool has_stop = is_given(c, 1), whole = true;
    for (size_t i = 0; i < 3; i++) {
        struct value v = c->args[i];
        if (v.kind == VALUE_FLOAT || (is_ndarray(v) && nd_is_float(as_ndarray(v)->dtype)))
            whole = false;
    }
    if (!value_number(c->m, c->args[has_stop], &stop) ||
        (has_stop && !value_number(c->m, c->args[0], &start)) ||
        (is_given(c, 2) && !value_number(c->m, c->args[2], &step)) ||
        !nd_read_dtype(c->m, c->args[3], &dtype))
        return false;
    if (step == 0)
        return raise_error(c->m, ERROR_ZERO, "division by zero");
    double length = ceil((stop - start) / step);
    if (!(length <= MACHINE_MAX_ITEMS))
        return raise_error(c->m, ERROR_VALUE, "Maximum allowed size exceeded");
    size_t n = length > 0 ? (size_t)length : 0;
    enum dtype to = dtype >= 0 ? (enum dtype)dtype : whole ? DTYPE_INT64 : DTYPE_FLOAT64;
    struct ndarray *a = nd_new(c->m, to, 1, &n);
    /* numpy takes the step as the difference of the first two numbers. */
    double delta = (start + step) - start;
    for (size_t i = 0; a != NULL && i < n; i++)
        a->first[i] =
            nd_cast((union nd_cell){.number = i == 1 ? start + step : start + (double)i * delta},
                    DTYPE_FLOAT64, to);
    *ret = value_thing(a);
    return a != NULL;
}

/* The troubles of casting the numbers of a to the dtype of made, which is row-major. */
static unsigned cast_troubles(const struct ndarray *a, const struct ndarray *made)
{
    size_t index[ND_MAX_AXES] = {0};
    ptrdiff_t at = 0;
    unsigned troubles = 0;
    const union nd_cell *to = made->first;
    bool is_whole = dtypes[made->dtype].category == CATEGORY_WHOLE;
    if (!nd_is_float(a->dtype) || made->dtype == DTYPE_BOOL || nd_size(a) == 0)
        return 0;
    do {
        double x = a->first[at].number;
        if (is_whole && !(fabs(x) < 0x1p63))
            troubles |= 1U << TROUBLE_INVALID;
        else if (!is_whole)
            troubles |= nd_trouble(x, x, to->number, false);
        to++;
    } while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
    return troubles;
}

NUMPY(run_astype)
{
    int dtype;
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    if (a == NULL || !nd_read_dtype(c->m, c->args[1], &dtype)) {
        drop(a);
        return false;
    }
    bool scalar = a->is_scalar;
    enum dtype to = dtype < 0 ? DTYPE_FLOAT64 : (enum dtype)dtype;
    struct ndarray *made = nd_copy(c->m, a, to);
    if (made != NULL && !nd_report(c->m, cast_troubles(a, made), false, "cast")) {
        drop(made);
        made = NULL;
    }
    drop(a);
    if (made != NULL)
        made->is_scalar = scalar;
    *ret = value_thing(made);
    return made != NULL;
}

NUMPY(run_copy)
{
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    struct ndarray *made = a ? nd_copy(c->m, a, a->dtype) : NULL;
    drop(a);
    *ret = value_thing(made);
    return made != NULL;
}

NUMPY(run_item)
{
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    bool ok = a != NULL && (nd_size(a) == 1 ||
                            raise_error(c->m, ERROR_VALUE,
                                        "can only convert an array of size 1 to a Python scalar"));
    if (ok)
        *ret = nd_item(a, a->first);
    drop(a);
    return ok;
}

static bool to_list(struct machine *m, const struct ndarray *a, const union nd_cell *at,
                    unsigned axis, struct value *ret)
{
    if (axis == a->n_axes) {
        *ret = nd_item(a, at);
        return true;
    }
    struct array *list = array_new(&m->things, a->shape[axis]);
    bool ok = list != NULL || raise_memory(m);
    for (size_t i = 0; ok && i < a->shape[axis]; i++) {
        struct value v;
        ok = to_list(m, a, at + (ptrdiff_t)i * a->stride[axis], axis + 1, &v) &&
             (array_add(list, v) || raise_memory(m));
    }
    if (!ok)
        value_drop(value_thing(list));
    else
        *ret = value_thing(list);
    return ok;
}

NUMPY(run_tolist)
{
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    bool ok = a != NULL && to_list(c->m, a, a->first, 0, ret);
    drop(a);
    return ok;
}

enum { P_SHAPE, P_NDIM, P_SIZE, P_DTYPE, P_T, P_ITEMSIZE, P_NBYTES, P_STRIDES };

static bool new_dtype(struct machine *m, enum dtype dtype, struct value *ret)
{
    struct dtype_thing *thing = thing_new(&m->things, THING_DTYPE, 0);
    if (thing == NULL)
        return raise_memory(m);
    thing->dtype = dtype;
    thing->is_numpy = true;
    *ret = value_thing(thing);
    return true;
}

NUMPY(run_dtype)
{
    int dtype;
    if (!nd_read_dtype(c->m, c->args[0], &dtype))
        return false;
    return new_dtype(c->m, dtype < 0 ? DTYPE_FLOAT64 : (enum dtype)dtype, ret);
}

NUMPY(run_property)
{
    const struct ndarray *a = as_ndarray(c->args[0]);
    struct value items[ND_MAX_AXES];
    size_t bytes = bytes_of(a->dtype);
    int kind = kind_of(c);
    for (unsigned i = 0; i < a->n_axes; i++)
        items[i] = kind == P_SHAPE ? value_int((int64_t)a->shape[i])
                                   : value_int((int64_t)a->stride[i] * (int64_t)bytes);
    switch (kind) {
    case P_SHAPE:
    case P_STRIDES:
        return make_tuple(c->m, items, a->n_axes, ret);
    case P_DTYPE:
        return new_dtype(c->m, a->dtype, ret);
    case P_T: {
        struct native_call call = {.m = c->m, .native = c->native, .args = {c->args[0]}};
        return run_transpose(&call, ret);
    }
    default:
        *ret = value_int(kind == P_NDIM       ? a->n_axes
                         : kind == P_SIZE     ? (int64_t)nd_size(a)
                         : kind == P_ITEMSIZE ? (int64_t)bytes
                                              : (int64_t)(bytes * nd_size(a)));
        return true;
    }
}

/* dtype.name, dtype.itemsize, dtype.kind */
NUMPY(run_dtype_property)
{
    static const char kinds[] = {'b', 'i', 'f', 'c'};
    enum dtype dtype = THING_AS(dtype_thing, c->args[0])->dtype;
    if (kind_of(c) == 1) {
        *ret = value_int((int64_t)bytes_of(dtype));
        return true;
    }
    if (kind_of(c) == 2)
        return make_str(c->m, dtype == DTYPE_UINT8 ? "u" : &kinds[dtypes[dtype].category], 1, ret);
    return make_str(c->m, dtypes[dtype].name, strlen(dtypes[dtype].name), ret);
}

/* where(condition, x, y) */
NUMPY(run_where)
{
    struct ndarray *all[3] = {NULL, NULL, NULL}, *made = NULL;
    size_t shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    unsigned n_axes;
    ptrdiff_t strides[3][ND_MAX_AXES], at[3] = {0, 0, 0};
    bool ok = true;
    for (unsigned i = 0; ok && i < 3; i++)
        ok = (all[i] = nd_of(c->m, c->args[i], -1)) != NULL;
    if (ok && nd_broadcast_shape(c->m, all, 3, shape, &n_axes))
        made = nd_new(c->m, nd_promoted(all[1], all[2]), n_axes, shape);
    if (made != NULL && nd_size(made) > 0) {
        for (unsigned i = 0; i < 3; i++)
            (void)nd_broadcast(all[i], n_axes, shape, strides[i]);
        union nd_cell *to = made->first;
        do {
            union nd_cell asked = all[0]->first[at[0]];
            unsigned which =
                (nd_is_float(all[0]->dtype) ? asked.number != 0 : asked.whole != 0) ? 1 : 2;
            *to++ = nd_cast(all[which]->first[at[which]], all[which]->dtype, made->dtype);
        } while (nd_step(n_axes, shape, index, 3, strides[0], at));
    }
    for (unsigned i = 0; i < 3; i++)
        drop(all[i]);
    *ret = value_thing(made);
    return made != NULL;
}

/* round(a, decimals=0) */
NUMPY(run_round)
{
    int64_t digits = 0;
    struct ndarray *a = nd_of(c->m, c->args[0], -1), *made = NULL;
    if (a == NULL || (is_given(c, 1) && !value_whole(c->m, c->args[1], &digits))) {
        drop(a);
        return false;
    }
    made = nd_copy(c->m, a, a->dtype == DTYPE_BOOL ? DTYPE_FLOAT16 : a->dtype);
    double power = pow(10, (double)(digits < 0 ? -digits : digits));
    for (size_t i = 0, n = made ? nd_size(made) : 0; i < n && nd_is_float(made->dtype); i++) {
        double *x = &made->first[i].number, y;
        if (digits >= 0)
            y = nd_round(rint(nd_round(*x * power, made->dtype)) / power, made->dtype);
        else
            y = nd_round(rint(nd_round(*x / power, made->dtype)) * power, made->dtype);
        *x = y;
    }
    drop(a);
    return nd_result(made, ret);
}

/* _method(f): x.NAME() too, for functions in Python; _property(f): x.NAME */
NUMPY(run_method)
{
    static const enum own_class owners[] = {CLASS_NDARRAY, CLASS_NP_GENERIC};
    return class_take_method(c->m, owners, COUNT_OF(owners), c->args[0], ret);
}

static const char *const float_modes[] = {
    [FLOATS_MAXPREC] = "maxprec", [FLOATS_FIXED] = "fixed", [FLOATS_UNIQUE] = "unique"};

static bool read_float_mode(struct native_call *c, size_t i, enum float_mode *ret)
{
    for (size_t k = 0; c->args[i].kind == VALUE_STRING && k < COUNT_OF(float_modes); k++)
        if (strcmp(c->args[i].as.string->bytes, float_modes[k]) == 0) {
            *ret = (enum float_mode)k;
            return true;
        }
    return raise_error(c->m, ERROR_NOT_IMPLEMENTED,
                       "attn has the floatmodes 'maxprec', 'fixed' and 'unique'");
}

NUMPY(run_print_options)
{
    struct numpy *np = c->m->numpy;
    int *const places[] = {&np->precision, &np->threshold, &np->edge_items, &np->width};
    for (size_t i = 0; i < 4; i++) {
        double number;
        if (!is_given(c, i))
            continue;
        if (!value_number(c->m, c->args[i], &number))
            return false;
        *places[i] = number > 1e9 ? 1000000000 : number < 0 ? 0 : (int)number;
    }
    if (is_given(c, 4) && !value_truth(c->m, c->args[4], &np->suppress))
        return false;
    if (is_given(c, 5) && !value_is(c->args[5], THING_DICT))
        return raise_error(c->m, ERROR_TYPE, "formatter is a dict of functions");
    value_put(&np->formatter, is_given(c, 5) ? value_take(c->args[5]) : value_absent());
    *ret = value_none();
    return !is_given(c, 6) || read_float_mode(c, 6, &np->float_mode);
}

/* _options(): precision, threshold, edgeitems, linewidth, suppress, formatter, floatmode */
NUMPY(run_options)
{
    const struct numpy *np = c->m->numpy;
    const char *name = float_modes[np->float_mode];
    struct value mode;
    if (!make_str(c->m, name, strlen(name), &mode))
        return false;
    bool has = np->formatter.kind != VALUE_ABSENT;
    const struct value items[] = {value_int(np->precision),
                                  value_int(np->threshold),
                                  value_int(np->edge_items),
                                  value_int(np->width),
                                  value_bool(np->suppress),
                                  has ? np->formatter : value_none(),
                                  mode};
    bool ok = make_tuple(c->m, items, COUNT_OF(items), ret);
    value_drop(mode);
    return ok;
}

NUMPY(run_text)
{
    struct text text = {0};
    struct ndarray *a = nd_of(c->m, c->args[0], -1);
    bool ok = a != NULL && nd_str(c->m, a, kind_of(c) != 0, &text);
    drop(a);
    if (!ok) {
        text_release(&text);
        return false;
    }
    return text_to_str(c->m, &text, ret);
}

/* ---- random numbers ---- */

static struct numpy *stream(struct machine *m)
{
    struct numpy *np = m->numpy;
    if (!np->is_seeded) {
        random_seed(&np->random, (uint32_t)time(NULL) ^ (uint32_t)clock());
        np->is_seeded = true;
        np->has_gauss = false;
    }
    return np;
}

static double draw_double(struct numpy *np)
{
    uint32_t a = random_word(&np->random) >> 5, b = random_word(&np->random) >> 6;
    return (a * 67108864.0 + b) / 9007199254740992.0;
}

static double draw_gauss(struct numpy *np)
{
    double x, y, r;
    if (np->has_gauss) {
        np->has_gauss = false;
        return np->gauss;
    }
    do {
        x = 2.0 * draw_double(np) - 1.0;
        y = 2.0 * draw_double(np) - 1.0;
        r = x * x + y * y;
    } while (r >= 1.0 || r == 0.0);
    double f = sqrt(-2.0 * log(r) / r);
    np->gauss = f * x;
    np->has_gauss = true;
    return f * y;
}

static double draw_exponential(struct numpy *np)
{
    return -log(1.0 - draw_double(np));
}

static uint64_t legacy_bits(void *stream, bool are_64)
{
    struct random *random = stream;
    uint64_t x = random_word(random);
    return are_64 ? x << 32 | random_word(random) : x;
}

static uint64_t draw_up_to(struct numpy *np, uint64_t most)
{
    return nd_draw_up_to(legacy_bits, &np->random, most);
}

NUMPY(run_seed)
{
    int64_t seed = 0;
    *ret = value_none();
    c->m->numpy->is_seeded = false;
    if (!is_given(c, 0))
        return true;
    if (!value_whole(c->m, c->args[0], &seed))
        return false;
    if (seed < 0 || seed > UINT32_MAX)
        return raise_error(c->m, ERROR_VALUE, "Seed must be between 0 and 2**32 - 1");
    random_seed(&c->m->numpy->random, (uint32_t)seed);
    c->m->numpy->is_seeded = true;
    c->m->numpy->has_gauss = false;
    return true;
}

enum { D_DOUBLE, D_GAUSS, D_EXPONENTIAL };

/* _draw(kind, shape) */
NUMPY(run_draw)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes = 0;
    int64_t kind;
    if (!value_whole(c->m, c->args[0], &kind) ||
        (is_given(c, 1) && !nd_read_shape(c->m, c->args[1], shape, &n_axes)))
        return false;
    struct ndarray *a = nd_new(c->m, DTYPE_FLOAT64, n_axes, shape);
    struct numpy *np = stream(c->m);
    for (size_t i = 0, n = a ? nd_size(a) : 0; i < n; i++)
        a->first[i].number = kind == D_GAUSS         ? draw_gauss(np)
                             : kind == D_EXPONENTIAL ? draw_exponential(np)
                                                     : draw_double(np);
    return nd_result(a, ret);
}

/* _whole(low, high, shape): from low to below high */
NUMPY(run_whole)
{
    size_t shape[ND_MAX_AXES];
    unsigned n_axes = 0;
    int64_t low, high;
    if (!value_whole(c->m, c->args[0], &low) || !value_whole(c->m, c->args[1], &high) ||
        (is_given(c, 2) && !nd_read_shape(c->m, c->args[2], shape, &n_axes)))
        return false;
    if (low >= high)
        return raise_error(c->m, ERROR_VALUE, "low >= high");
    struct ndarray *a = nd_new(c->m, DTYPE_INT64, n_axes, shape);
    for (size_t i = 0, n = a ? nd_size(a) : 0; i < n; i++)
        a->first[i].whole =
            low + (int64_t)draw_up_to(stream(c->m), (uint64_t)high - 1 - (uint64_t)low);
    if (!is_given(c, 2) && a != NULL) { /* a plain int, as numpy gives it */
        *ret = value_int(a->first[0].whole);
        drop(a);
        return true;
    }
    return nd_result(a, ret);
}

/* _interval(most): for shuffling */
NUMPY(run_interval)
{
    int64_t most;
    if (!value_whole(c->m, c->args[0], &most))
        return false;
    *ret = value_int((int64_t)draw_up_to(stream(c->m), most < 0 ? 0 : (uint64_t)most));
    return true;
}

/* What np.random.RandomState keeps of a stream of its own, as whole numbers. */
struct kept_stream {
    struct random random;
    bool is_seeded, has_gauss;
    double gauss;
};
enum {
    STREAM_CELLS = (sizeof(struct kept_stream) + sizeof(union nd_cell) - 1) / sizeof(union nd_cell)
};

/* _stream(): a stream without a seed */
NUMPY(run_stream)
{
    struct ndarray *a = nd_new(c->m, DTYPE_INT64, 1, (size_t[]){STREAM_CELLS});
    *ret = value_thing(a);
    return a != NULL;
}

/* _swap(stream): the stream of np.random and this one change places */
NUMPY(run_swap)
{
    struct numpy *np = c->m->numpy;
    struct kept_stream before = {np->random, np->is_seeded, np->has_gauss, np->gauss}, other;
    if (!is_ndarray(c->args[0]) || nd_size(as_ndarray(c->args[0])) != STREAM_CELLS)
        return raise_error(c->m, ERROR_TYPE, "this is not a stream");
    memcpy(&other, as_ndarray(c->args[0])->first, sizeof other);
    memcpy(as_ndarray(c->args[0])->first, &before, sizeof before);
    np->random = other.random;
    np->is_seeded = other.is_seeded;
    np->has_gauss = other.has_gauss;
    np->gauss = other.gauss;
    *ret = value_none();
    return true;
}

/* _on_trouble(kind, action): what was done before; an action below 0 changes nothing */
NUMPY(run_on_trouble)
{
    int64_t kind, action;
    if (!value_whole(c->m, c->args[0], &kind) || !value_whole(c->m, c->args[1], &action))
        return false;
    enum trouble_action *at = &c->m->numpy->on_trouble[kind % TROUBLES];
    *ret = value_int(*at);
    if (action >= 0)
        *at = (enum trouble_action)action;
    return true;
}

/* ---- the table ---- */

#define UNARY(name, kind)                                     \
    {                                                         \
        {name, {"x", "out=None"}, run_unary}, IN_MODULE, kind \
    }
#define BINARY(name, kind)                                            \
    {                                                                 \
        {name, {"x1", "x2", "out=None"}, run_binary}, IN_MODULE, kind \
    }
#define REDUCE(name, kind)                                                                  \
    {                                                                                       \
        {name, {"a", "axis=None", "dtype=None", "out=None", "keepdims=False"}, run_reduce}, \
            IN_MOST, kind                                                                   \
    }
#define PROPERTY(name, kind)                              \
    {                                                     \
        {name, {"self"}, run_property}, IN_PROPERTY, kind \
    }
static const struct row rows[] = {
    UNARY("exp", U_EXP),
    UNARY("exp2", U_EXP2),
    UNARY("log", U_LOG),
    UNARY("log2", U_LOG2),
    UNARY("log10", U_LOG10),
    UNARY("log1p", U_LOG1P),
    UNARY("expm1", U_EXPM1),
    UNARY("sqrt", U_SQRT),
    UNARY("cbrt", U_CBRT),
    UNARY("sin", U_SIN),
    UNARY("cos", U_COS),
    UNARY("tan", U_TAN),
    UNARY("sinh", U_SINH),
    UNARY("cosh", U_COSH),
    UNARY("tanh", U_TANH),
    UNARY("arcsin", U_ARCSIN),
    UNARY("arccos", U_ARCCOS),
    UNARY("arctan", U_ARCTAN),
    UNARY("floor", U_FLOOR),
    UNARY("ceil", U_CEIL),
    UNARY("trunc", U_TRUNC),
    UNARY("rint", U_RINT),
    UNARY("abs", U_ABS),
    UNARY("absolute", U_ABS),
    UNARY("fabs", U_ABS),
    {{"__abs__", {"self"}, run_unary}, IN_METHODS, U_ABS},
    UNARY("sign", U_SIGN),
    UNARY("square", U_SQUARE),
    UNARY("reciprocal", U_RECIPROCAL),
    UNARY("negative", U_NEGATIVE),
    UNARY("positive", U_POSITIVE),
    UNARY("invert", U_INVERT),
    UNARY("bitwise_not", U_INVERT),
    UNARY("degrees", U_DEGREES),
    UNARY("rad2deg", U_DEGREES),
    UNARY("radians", U_RADIANS),
    UNARY("deg2rad", U_RADIANS),
    UNARY("isnan", U_ISNAN),
    UNARY("isinf", U_ISINF),
    UNARY("isfinite", U_ISFINITE),
    UNARY("logical_not", U_NOT),
    UNARY("signbit", U_SIGNBIT),
    BINARY("add", B_ADD),
    BINARY("subtract", B_SUBTRACT),
    BINARY("multiply", B_MULTIPLY),
    BINARY("divide", B_DIVIDE),
    BINARY("true_divide", B_DIVIDE),
    BINARY("floor_divide", B_FLOOR),
    BINARY("mod", B_MOD),
    BINARY("remainder", B_MOD),
    BINARY("power", B_POWER),
    BINARY("maximum", B_MAXIMUM),
    BINARY("minimum", B_MINIMUM),
    BINARY("fmax", B_FMAX),
    BINARY("fmin", B_FMIN),
    BINARY("bitwise_and", B_AND),
    BINARY("bitwise_or", B_OR),
    BINARY("bitwise_xor", B_XOR),
    BINARY("left_shift", B_LEFT),
    BINARY("right_shift", B_RIGHT),
    BINARY("arctan2", B_ARCTAN2),
    BINARY("hypot", B_HYPOT),
    BINARY("logaddexp", B_LOGADDEXP),
    BINARY("copysign", B_COPYSIGN),
    BINARY("equal", B_EQUAL),
    BINARY("not_equal", B_NOT_EQUAL),
    BINARY("less", B_LESS),
    BINARY("less_equal", B_LESS_EQUAL),
    BINARY("greater", B_GREATER),
    BINARY("greater_equal", B_GREATER_EQUAL),
    BINARY("logical_and", B_LOGICAL_AND),
    BINARY("logical_or", B_LOGICAL_OR),
    BINARY("logical_xor", B_LOGICAL_XOR),
    REDUCE("sum", R_SUM),
    REDUCE("prod", R_PROD),
    {{"max", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MOST, R_MAX},
    {{"amax", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MODULE, R_MAX},
    {{"min", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MOST, R_MIN},
    {{"amin", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MODULE, R_MIN},
    {{"any", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MOST, R_ANY},
    {{"all", {"a", "axis=None", "out=None", "keepdims=False"}, run_reduce}, IN_MOST, R_ALL},
    {{"_argmax", {"a", "axis"}, run_line}, IN_MODULE, L_ARGMAX},
    {{"_argmin", {"a", "axis"}, run_line}, IN_MODULE, L_ARGMIN},
    {{"_cumsum", {"a", "axis"}, run_line}, IN_MODULE, L_CUMSUM},
    {{"_cumprod", {"a", "axis"}, run_line}, IN_MODULE, L_CUMPROD},
    {{"_sort", {"a", "axis"}, run_line}, IN_MODULE, L_SORT},
    {{"_argsort", {"a", "axis"}, run_line}, IN_MODULE, L_ARGSORT},
    {{"matmul", {"x1", "x2", "out=None"}, run_matmul}, IN_MODULE, 0},
    {{"reshape", {"a", "*shape"}, run_reshape}, IN_METHODS, 0},
    {{"_reshape", {"a", "*shape"}, run_reshape}, IN_MODULE, 0},
    {{"transpose", {"a", "*axes"}, run_transpose}, IN_METHODS, 0},
    {{"_transpose", {"a", "*axes"}, run_transpose}, IN_MODULE, 0},
    {{"broadcast_to", {"array", "shape"}, run_broadcast}, IN_MODULE, 0},
    {{"concatenate", {"arrays", "axis=0"}, run_concatenate}, IN_MODULE, 0},
    {{"array", {"object", "dtype=None", "copy=True", "ndmin=0"}, run_array}, IN_MODULE, 0},
    {{"asarray", {"a", "dtype=None"}, run_array}, IN_MODULE, 1},
    {{"_full", {"shape", "number", "dtype=None"}, run_full}, IN_MODULE, 0},
    {{"arange", {"start", "stop=None", "step=1", "dtype=None"}, run_arange}, IN_MODULE, 0},
    {{"astype", {"self", "dtype", "copy=True"}, run_astype}, IN_METHODS, 0},
    {{"copy", {"a", "order=C"}, run_copy}, IN_MOST, 0},
    {{"item", {"self"}, run_item}, IN_METHODS, 0},
    {{"tolist", {"self"}, run_tolist}, IN_METHODS, 0},
    {{"_where", {"condition", "x", "y"}, run_where}, IN_MODULE, 0},
    {{"round", {"a", "decimals=0"}, run_round}, IN_MOST, 0},
    {{"around", {"a", "decimals=0"}, run_round}, IN_MODULE, 0},
    {{"__round__", {"a", "decimals=0"}, run_round}, IN_METHODS, 0},
    {{"dtype", {"dtype"}, run_dtype}, IN_MODULE, 0},
    {{"_method", {"function"}, run_method}, IN_MODULE, 0},
    {{"_set_printoptions",
      {"precision=None", "threshold=None", "edgeitems=None", "linewidth=None", "suppress=None", "*",
       "formatter=None", "floatmode=None"},
      run_print_options},
     IN_MODULE,
     0},
    {{"_text", {"a"}, run_text}, IN_MODULE, 0},
    {{"_repr", {"a"}, run_text}, IN_MODULE, 1},
    {{"_options", {NULL}, run_options}, IN_MODULE, 0},
    {{"_on_trouble", {"kind", "action"}, run_on_trouble}, IN_MODULE, 0},
    {{"_as_strided", {"a", "shape", "strides"}, run_as_strided}, IN_MODULE, 0},
    {{"_seed", {"seed=None"}, run_seed}, IN_MODULE, 0},
    {{"_draw", {"kind", "shape=None"}, run_draw}, IN_MODULE, 0},
    {{"_whole", {"low", "high", "shape=None"}, run_whole}, IN_MODULE, 0},
    {{"_interval", {"most"}, run_interval}, IN_MODULE, 0},
    {{"_stream", {NULL}, run_stream}, IN_MODULE, 0},
    {{"_swap", {"stream"}, run_swap}, IN_MODULE, 0},
    PROPERTY("shape", P_SHAPE),
    PROPERTY("ndim", P_NDIM),
    PROPERTY("size", P_SIZE),
    PROPERTY("dtype", P_DTYPE),
    PROPERTY("T", P_T),
    PROPERTY("itemsize", P_ITEMSIZE),
    PROPERTY("nbytes", P_NBYTES),
    PROPERTY("strides", P_STRIDES),
};
static const struct row dtype_rows[] = {
    {{"name", {"self"}, run_dtype_property}, IN_PROPERTY, 0},
    {{"itemsize", {"self"}, run_dtype_property}, IN_PROPERTY, 1},
    {{"kind", {"self"}, run_dtype_property}, IN_PROPERTY, 2},
};

bool numpy_fill(struct machine *m, struct module *module)
{
    static const struct {
        const char *name;
        enum own_class class;
    } classes[] = {{"ndarray", CLASS_NDARRAY},    {"generic", CLASS_NP_GENERIC},
                   {"integer", CLASS_NP_INTEGER}, {"floating", CLASS_NP_FLOATING},
                   {"bool_", CLASS_NP_BOOL},      {"uint8", CLASS_NP_UINT8},
                   {"int8", CLASS_NP_INT8},       {"int16", CLASS_NP_INT16},
                   {"int32", CLASS_NP_INT32},     {"int64", CLASS_NP_INT64},
                   {"float16", CLASS_NP_FLOAT16}, {"float32", CLASS_NP_FLOAT32},
                   {"float64", CLASS_NP_FLOAT64}, {"int_", CLASS_NP_INT64},
                   {"intp", CLASS_NP_INT64},      {"double", CLASS_NP_FLOAT64},
                   {"float_", CLASS_NP_FLOAT64},  {"single", CLASS_NP_FLOAT32},
                   {"number", CLASS_NP_GENERIC}};
    m->numpy = calloc(1, sizeof *m->numpy);
    if (m->numpy == NULL)
        return raise_memory(m);
    *m->numpy = (struct numpy){.precision = 8, .threshold = 1000, .edge_items = 3, .width = 75};
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        struct string *name = intern(m, classes[i].name, strlen(classes[i].name));
        if (name == NULL || !table_put_name(module->attributes, name,
                                            value_take(value_thing(m->classes[classes[i].class]))))
            return raise_memory(m);
    }
    static const enum own_class of_values[] = {CLASS_NDARRAY, CLASS_NP_GENERIC};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        if ((row->where & IN_MODULE) && !add_native(m, module->attributes, &row->native))
            return false;
        for (size_t k = 0; k < COUNT_OF(of_values); k++) {
            struct class *class = m->classes[of_values[k]];
            if (((row->where & IN_METHODS) && !add_native(m, class->attributes, &row->native)) ||
                ((row->where & IN_PROPERTY) && !class_add_property(m, class, &row->native)))
                return false;
        }
    }
    const struct native_table *const tables[] = {&numpy_generators, &numpy_linalg};
    for (size_t k = 0; k < COUNT_OF(tables); k++)
        for (size_t i = 0; i < tables[k]->n; i++)
            if (!add_native(m, module->attributes, &tables[k]->rows[i]))
                return false;
    for (size_t i = 0; i < COUNT_OF(dtype_rows); i++)
        if (!class_add_property(m, m->classes[CLASS_DTYPE], &dtype_rows[i].native))
            return false;
    return true;
}

void numpy_free(struct machine *m)
{
    free(m->numpy);
    m->numpy = NULL;
}
