/* Decompositions of real matrices, under np.linalg and torch.linalg: QR, the eigenvectors of a
 * symmetric matrix, and singular values. Numbers are doubles.
 *
 * Signs that mathematics leaves open are those of LAPACK. A Householder reflection turns a column
 * to minus the sign of its first number (dlarfg); eigenvectors come out of the reduction to
 * tridiagonal form (dsytd2) and its implicit QL and QR steps (dsteqr) in the same order, and so
 * with the same signs. Singular vectors have the signs that one-sided Jacobi rotations give them;
 * LAPACK's can differ, by -1 on a column of u and on the row of vt that belongs to it.
 * Sources: Golub and Van Loan, "Matrix Computations", 5.2, 8.3 and 8.6; the reference LAPACK. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"

/* n_rows x n_columns numbers, row after row. */
struct matrix {
    size_t n_rows, n_columns;
    double *at;
};

static double *cell(const struct matrix *a, size_t row, size_t column)
{
    return a->at + row * a->n_columns + column;
}

static bool matrix_init(struct matrix *a, size_t n_rows, size_t n_columns)
{
    *a = (struct matrix){n_rows, n_columns, calloc(n_rows * n_columns + 1, sizeof *a->at)};
    return a->at != NULL;
}

static void matrix_identity(struct matrix *a)
{
    memset(a->at, 0, a->n_rows * a->n_columns * sizeof *a->at);
    for (size_t i = 0; i < a->n_rows && i < a->n_columns; i++)
        *cell(a, i, i) = 1;
}

/* ---- reflections ---- */

/* n numbers that lie `stride` apart become v of the reflection 1 - tau v v', whose first number is
 * 1 and is not stored: *ret_beta is what it turns the first number into, the others into 0. */
static double reflection(double *x, size_t n, size_t stride, double *ret_beta)
{
    double below = 0;
    for (size_t i = 1; i < n; i++)
        below = hypot(below, x[i * stride]);
    *ret_beta = x[0];
    if (below == 0)
        return 0;
    double beta = -copysign(hypot(x[0], below), x[0]), tau = (beta - x[0]) / beta;
    for (size_t i = 1; i < n; i++)
        x[i * stride] /= x[0] - beta;
    *ret_beta = beta;
    return tau;
}

/* Rows from `row` on, of the columns from `column` on, by a reflection whose v is v[0], v[stride],
 * ... with 1 in front. */
static void reflect_rows(struct matrix *a, size_t row, size_t column, const double *v,
                         size_t stride, double tau)
{
    for (size_t j = column; j < a->n_columns; j++) {
        double sum = *cell(a, row, j);
        for (size_t i = row + 1; i < a->n_rows; i++)
            sum += v[(i - row) * stride] * *cell(a, i, j);
        sum *= tau;
        *cell(a, row, j) -= sum;
        for (size_t i = row + 1; i < a->n_rows; i++)
            *cell(a, i, j) -= v[(i - row) * stride] * sum;
    }
}

/* a becomes r above its diagonal, and q the product of the reflections: all of its columns, or as
 * many as it has. taus has room for the shorter side. */
static void decompose_qr(struct matrix *a, struct matrix *q, double *taus)
{
    size_t n = a->n_rows < a->n_columns ? a->n_rows : a->n_columns;
    for (size_t k = 0; k < n; k++) {
        double *v = cell(a, k, k), beta;
        taus[k] = reflection(v, a->n_rows - k, a->n_columns, &beta);
        reflect_rows(a, k, k + 1, v, a->n_columns, taus[k]);
        *v = beta;
    }
    matrix_identity(q);
    for (size_t k = n; k-- > 0;)
        reflect_rows(q, k, k, cell(a, k, k), a->n_columns, taus[k]);
}

/* ---- symmetric matrices ---- */

/* a, of which the lower half is read, becomes z d z' with d tridiagonal: the diagonal and what
 * stands beside it, e. `room` has room for n numbers. */
static void tridiagonal(struct matrix *a, struct matrix *z, double *d, double *e, double *room)
{
    size_t n = a->n_rows;
    for (size_t k = 0; k + 1 < n; k++) {
        double *v = cell(a, k + 1, k), tau = reflection(v, n - k - 1, n, &e[k]), along = 0;
        *v = 1;
        for (size_t i = k + 1; i < n; i++) {
            double sum = 0;
            for (size_t j = k + 1; j < n; j++)
                sum += (j <= i ? *cell(a, i, j) : *cell(a, j, i)) * *cell(a, j, k);
            room[i] = tau * sum;
            along += room[i] * *cell(a, i, k);
        }
        for (size_t i = k + 1; i < n; i++)
            room[i] -= 0.5 * tau * along * *cell(a, i, k);
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j <= i; j++)
                *cell(a, i, j) -= *cell(a, i, k) * room[j] + room[i] * *cell(a, j, k);
        *cell(a, k, k + 1) = tau; /* above the diagonal nothing is read any more */
    }
    for (size_t i = 0; i < n; i++)
        d[i] = *cell(a, i, i);
    matrix_identity(z);
    for (size_t k = n; k-- > 0;)
        if (k + 1 < n)
            reflect_rows(z, k + 1, k + 1, cell(a, k + 1, k), n, *cell(a, k, k + 1));
}

/* Columns j and j + 1 of z, turned by an angle with this cosine and sine. */
static void turn_columns(struct matrix *z, size_t j, double cosine, double sine)
{
    for (size_t i = 0; i < z->n_rows; i++) {
        double *x = cell(z, i, j), *y = x + 1, before = *y;
        *y = cosine * before - sine * *x;
        *x = sine * before + cosine * *x;
    }
}

/* The rotation that turns (f, g) into (r, 0). */
static double rotation(double f, double g, double *ret_cosine, double *ret_sine)
{
    double r = copysign(hypot(f, g), f);
    if (g == 0) {
        *ret_cosine = 1;
        *ret_sine = 0;
        return f;
    }
    if (f == 0) {
        *ret_cosine = 0;
        *ret_sine = copysign(1, g);
        return fabs(g);
    }
    *ret_cosine = fabs(f) / fabs(r);
    *ret_sine = g / r;
    return r;
}

/* Eigenvalues of (a b; b c), that of the larger size first, and its eigenvector (cosine, sine). */
static void eigen_of_two(double a, double b, double c, double *ret_first, double *ret_second,
                         double *ret_cosine, double *ret_sine)
{
    double sum = a + c, apart = a - c, twice = b + b, root = hypot(apart, twice);
    double large = fabs(a) > fabs(c) ? a : c, small = fabs(a) > fabs(c) ? c : a;
    bool is_positive = sum >= 0, is_first = apart >= 0;
    *ret_first = 0.5 * (is_positive ? sum + root : sum - root);
    *ret_second = sum == 0 ? -0.5 * root : large / *ret_first * small - b / *ret_first * b;
    double side = is_first ? apart + root : apart - root, cosine, sine;
    if (fabs(side) > fabs(twice)) {
        double ratio = -twice / side;
        sine = 1 / sqrt(1 + ratio * ratio);
        cosine = ratio * sine;
    } else if (twice == 0) {
        cosine = 1;
        sine = 0;
    } else {
        double ratio = -side / twice;
        cosine = 1 / sqrt(1 + ratio * ratio);
        sine = ratio * cosine;
    }
    *ret_cosine = is_positive == is_first ? -sine : cosine;
    *ret_sine = is_positive == is_first ? cosine : sine;
}

static bool is_negligible(double e, double d, double other)
{
    return e * e <= DBL_EPSILON * DBL_EPSILON / 4 * fabs(d) * fabs(other) + DBL_MIN;
}

/* One sweep through a block that goes from `l` to `m`: downwards where step is 1 (QL), upwards
 * where it is -1 (QR). room: 2 n numbers, for the rotations. */
static void sweep(struct matrix *z, double *d, double *e, ptrdiff_t l, ptrdiff_t m, ptrdiff_t step,
                  double *room)
{
    ptrdiff_t n = (ptrdiff_t)z->n_rows, low = step > 0 ? l : m, high = step > 0 ? m : l;
    ptrdiff_t beside = step > 0 ? 0 : -1; /* e[i + beside] stands between d[i] and d[i + step] */
    double p = d[l], side = e[l + beside], g = (d[l + step] - p) / (2 * side);
    double s = 1, c = 1, *cosines = room, *sines = room + n;
    g = d[m] - p + side / (g + copysign(hypot(g, 1), g));
    p = 0;
    for (ptrdiff_t i = m - step; i != l - step; i -= step) {
        double *near = &e[i + beside];
        double f = s * *near, b = c * *near, r = rotation(g, f, &c, &s);
        if (i != m - step)
            e[i + step + beside] = r;
        g = d[i + step] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + step] = g + p;
        g = c * r - b;
        cosines[i + beside] = c;
        sines[i + beside] = step > 0 ? -s : s;
    }
    if (step > 0)
        for (ptrdiff_t j = high - 1; j >= low; j--)
            turn_columns(z, (size_t)j, cosines[j], sines[j]);
    else
        for (ptrdiff_t j = low; j < high; j++)
            turn_columns(z, (size_t)j, cosines[j], sines[j]);
    d[l] -= p;
    e[l + beside] = g;
}

/* The block from l to `end` becomes diagonal; false after too many sweeps. */
static bool solve_block(struct matrix *z, double *d, double *e, ptrdiff_t l, ptrdiff_t end,
                        size_t *sweeps, double *room)
{
    ptrdiff_t step = l < end ? 1 : -1, beside = step > 0 ? 0 : -1;
    while ((end - l) * step >= 0) {
        ptrdiff_t m = l;
        while (m != end && !is_negligible(e[m + beside], d[m], d[m + step]))
            m += step;
        if (m != end)
            e[m + beside] = 0;
        if (m == l) {
            l += step;
        } else if (m == l + step) {
            ptrdiff_t low = step > 0 ? l : m;
            double first, second, cosine, sine;
            eigen_of_two(d[low], e[low], d[low + 1], &first, &second, &cosine, &sine);
            turn_columns(z, (size_t)low, cosine, sine);
            d[low] = first;
            d[low + 1] = second;
            e[low] = 0;
            l += 2 * step;
        } else {
            if ((*sweeps)-- == 0)
                return false;
            sweep(z, d, e, l, m, step, room);
        }
    }
    return true;
}

/* Eigenvalues d in ascending order, and the columns of z with them. */
static void sort_columns(struct matrix *z, double *d)
{
    size_t n = z->n_rows;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < n; j++)
            least = d[j] < d[least] ? j : least;
        if (least == i)
            continue;
        double kept = d[i];
        d[i] = d[least];
        d[least] = kept;
        for (size_t row = 0; row < n; row++) {
            kept = *cell(z, row, i);
            *cell(z, row, i) = *cell(z, row, least);
            *cell(z, row, least) = kept;
        }
    }
}

/* a z = z d. room: 3 n numbers. */
static bool decompose_symmetric(struct matrix *a, struct matrix *z, double *d, double *room)
{
    size_t n = a->n_rows, sweeps = 30 * n, start = 0;
    double *e = room + 2 * n;
    tridiagonal(a, z, d, e, room);
    while (start < n) {
        size_t stop = start;
        while (stop + 1 < n && !(fabs(e[stop]) <=
                                 sqrt(fabs(d[stop])) * sqrt(fabs(d[stop + 1])) * (DBL_EPSILON / 2)))
            stop++;
        if (stop + 1 < n)
            e[stop] = 0;
        bool upwards = fabs(d[stop]) < fabs(d[start]);
        if (stop > start && !solve_block(z, d, e, (ptrdiff_t)(upwards ? stop : start),
                                         (ptrdiff_t)(upwards ? start : stop), &sweeps, room))
            return false;
        start = stop + 1;
    }
    sort_columns(z, d);
    return true;
}

/* ---- singular values ---- */

/* Two columns of a, and of v, become such that those of a are orthogonal; whether they were not.
 * A column whose square is at most `nothing` is rounding, and stays. */
static bool rotate_pair(struct matrix *a, struct matrix *v, size_t p, size_t q, double nothing)
{
    double x = 0, y = 0, xy = 0;
    for (size_t i = 0; i < a->n_rows; i++) {
        double s = *cell(a, i, p), t = *cell(a, i, q);
        x += s * s;
        y += t * t;
        xy += s * t;
    }
    if (fmin(x, y) <= nothing || fabs(xy) <= DBL_EPSILON * sqrt(x * y))
        return false;
    double half = (y - x) / (2 * xy), tangent = copysign(1, half) / (fabs(half) + hypot(1, half));
    double cosine = 1 / hypot(1, tangent), sine = cosine * tangent;
    struct matrix *both[2] = {a, v};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k]->n_rows; i++) {
            double *s = cell(both[k], i, p), *t = cell(both[k], i, q), before = *s;
            *s = cosine * before - sine * *t;
            *t = sine * before + cosine * *t;
        }
    return true;
}

/* a, which has at least as many rows as columns, becomes u s: columns that are orthogonal, longest
 * first, with a = (u s) v'. s has room for a number per column. */
static bool decompose_singular(struct matrix *a, struct matrix *v, double *s)
{
    enum { MOST_SWEEPS = 60 };
    size_t n = a->n_columns, sweeps = 0;
    double total = 0;
    for (size_t i = 0; i < a->n_rows * n; i++)
        total += a->at[i] * a->at[i];
    matrix_identity(v);
    for (bool turned = true; turned; sweeps++) {
        turned = false;
        if (sweeps == MOST_SWEEPS)
            return false;
        for (size_t p = 0; p + 1 < n; p++)
            for (size_t q = p + 1; q < n; q++)
                turned = rotate_pair(a, v, p, q, DBL_EPSILON * DBL_EPSILON * total) || turned;
    }
    for (size_t j = 0; j < n; j++) {
        s[j] = 0;
        for (size_t i = 0; i < a->n_rows; i++)
            s[j] = hypot(s[j], *cell(a, i, j));
    }
    struct matrix *both[2] = {a, v};
    for (size_t j = 0; j + 1 < n; j++) {
        size_t most = j;
        for (size_t k = j + 1; k < n; k++)
            most = s[k] > s[most] ? k : most;
        double kept = s[j];
        s[j] = s[most];
        s[most] = kept;
        for (size_t k = 0; k < 2; k++)
            for (size_t i = 0; i < both[k]->n_rows && most != j; i++) {
                kept = *cell(both[k], i, j);
                *cell(both[k], i, j) = *cell(both[k], i, most);
                *cell(both[k], i, most) = kept;
            }
    }
    return true;
}

/* u, of which the first n columns hold u s: these become of length 1, and all others, and those
 * that are 0, what completes them to an orthogonal matrix. */
static void complete_columns(struct matrix *u, const double *s, size_t n)
{
    size_t next = 0; /* an axis that has not been tried */
    double floor = n > 0 ? s[0] * DBL_EPSILON * (double)u->n_rows : 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < u->n_rows; i++)
            *cell(u, i, j) = s[j] > floor ? *cell(u, i, j) / s[j] : 0;
    for (size_t j = 0; j < u->n_columns; j++) {
        if (j < n && s[j] > floor)
            continue;
        for (double size = 0; size < 0.5 / (double)u->n_rows && next < u->n_rows; next++) {
            for (size_t i = 0; i < u->n_rows; i++)
                *cell(u, i, j) = i == next;
            for (size_t turn = 0; turn < 2; turn++) /* twice is enough */
                for (size_t k = 0; k < u->n_columns; k++) {
                    double along = 0;
                    if (k == j || (k > j && !(k < n && s[k] > floor)))
                        continue;
                    for (size_t i = 0; i < u->n_rows; i++)
                        along += *cell(u, i, k) * *cell(u, i, j);
                    for (size_t i = 0; i < u->n_rows; i++)
                        *cell(u, i, j) -= along * *cell(u, i, k);
                }
            size = 0;
            for (size_t i = 0; i < u->n_rows; i++)
                size = hypot(size, *cell(u, i, j));
            for (size_t i = 0; i < u->n_rows && size > 0; i++)
                *cell(u, i, j) /= size;
            size *= size;
        }
    }
}

/* ---- the rows ---- */

#define LINALG(name) static bool name(struct native_call *c, struct value *ret)

/* The argument as a matrix of its own; sideways: its transpose. False raises. */
static bool read_matrix(struct native_call *c, struct matrix *ret, bool *sideways)
{
    struct ndarray *a = nd_of(c->m, c->args[0], DTYPE_FLOAT64);
    bool ok = a != NULL && (a->n_axes == 2 ||
                            raise_error(c->m, ERROR_VALUE, "attn decomposes one matrix at a time"));
    if (ok) {
        bool turns = sideways != NULL && a->shape[0] < a->shape[1];
        size_t rows = a->shape[turns], columns = a->shape[!turns];
        ptrdiff_t down = a->stride[turns], along = a->stride[!turns];
        ok = matrix_init(ret, rows, columns) || raise_memory(c->m);
        for (size_t i = 0; ok && i < rows; i++)
            for (size_t j = 0; ok && j < columns; j++) {
                double x = a->first[(ptrdiff_t)i * down + (ptrdiff_t)j * along].number;
                *cell(ret, i, j) = x;
                if (!isfinite(x))
                    ok = raise_error(c->m, ERROR_VALUE,
                                     "attn decomposes matrices of finite numbers");
            }
        if (sideways != NULL)
            *sideways = turns;
    }
    value_drop(value_thing(a));
    return ok;
}

/* An array of the upper left part of a; NULL raises. */
static struct value array_of(struct machine *m, const struct matrix *a, size_t n_rows,
                             size_t n_columns, bool sideways)
{
    struct ndarray *made =
        nd_new(m, DTYPE_FLOAT64, 2,
               (size_t[]){sideways ? n_columns : n_rows, sideways ? n_rows : n_columns});
    for (size_t i = 0; made != NULL && i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++)
            made->first[sideways ? j * n_rows + i : i * n_columns + j].number = *cell(a, i, j);
    return value_thing(made);
}

static struct value vector_of(struct machine *m, const double *numbers, size_t n)
{
    struct ndarray *made = nd_new(m, DTYPE_FLOAT64, 1, &n);
    for (size_t i = 0; made != NULL && i < n; i++)
        made->first[i].number = numbers[i];
    return value_thing(made);
}

/* A tuple of values, which it takes over; one of them ABSENT: false, and something is raised. */
static bool tuple_of(struct machine *m, const struct value *values, size_t n, struct value *ret)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = ok && values[i].kind != VALUE_ABSENT;
    struct tuple *tuple = ok ? tuple_new(&m->things, n) : NULL;
    if (ok && tuple == NULL)
        raise_memory(m);
    for (size_t i = 0; i < n; i++) {
        if (tuple != NULL)
            tuple->items[i] = values[i];
        else
            value_drop(values[i]);
    }
    *ret = value_thing(tuple);
    return tuple != NULL;
}

static bool wants(struct native_call *c, size_t i)
{
    return c->args[i].kind == VALUE_BOOL && c->args[i].as.whole != 0;
}

/* _qr(a, full) -> q, r */
LINALG(run_qr)
{
    struct matrix a = {0}, q = {0};
    double *taus = NULL;
    bool ok = read_matrix(c, &a, NULL);
    if (ok) {
        size_t least = a.n_rows < a.n_columns ? a.n_rows : a.n_columns;
        size_t kept = wants(c, 1) ? a.n_rows : least;
        taus = calloc(least + 1, sizeof *taus);
        ok = (taus != NULL && matrix_init(&q, a.n_rows, kept)) || raise_memory(c->m);
        if (ok) {
            decompose_qr(&a, &q, taus);
            for (size_t i = 0; i < a.n_rows; i++)
                for (size_t j = 0; j < i && j < a.n_columns; j++)
                    *cell(&a, i, j) = 0;
            struct value made[2] = {array_of(c->m, &q, q.n_rows, q.n_columns, false),
                                    array_of(c->m, &a, kept, a.n_columns, false)};
            ok = tuple_of(c->m, made, 2, ret);
        }
    }
    free(taus);
    free(q.at);
    free(a.at);
    return ok;
}

/* _eigh(a) -> eigenvalues, eigenvectors as columns */
LINALG(run_eigh)
{
    struct matrix a = {0}, z = {0};
    double *room = NULL;
    bool ok = read_matrix(c, &a, NULL) &&
              (a.n_rows == a.n_columns ||
               raise_error(c->m, ERROR_VALUE, "Last 2 dimensions of the array must be square"));
    size_t n = a.n_rows;
    if (ok) {
        room = calloc(4 * n + 1, sizeof *room);
        ok = (room != NULL && matrix_init(&z, n, n)) || raise_memory(c->m);
        ok = ok && (decompose_symmetric(&a, &z, room, room + n) ||
                    raise_error(c->m, ERROR_VALUE, "Eigenvalues did not converge"));
        if (ok) {
            struct value made[2] = {vector_of(c->m, room, n), array_of(c->m, &z, n, n, false)};
            ok = tuple_of(c->m, made, 2, ret);
        }
    }
    free(room);
    free(z.at);
    free(a.at);
    return ok;
}

/* _svd(a, full) -> u, singular values, vt */
LINALG(run_svd)
{
    struct matrix a = {0}, u = {0}, v = {0};
    double *s = NULL;
    bool sideways, ok = read_matrix(c, &a, &sideways);
    size_t n = a.n_columns;
    if (ok) {
        s = calloc(n + 1, sizeof *s);
        ok = (s != NULL && matrix_init(&v, n, n) &&
              matrix_init(&u, a.n_rows, wants(c, 1) ? a.n_rows : n)) ||
             raise_memory(c->m);
        ok = ok && (decompose_singular(&a, &v, s) ||
                    raise_error(c->m, ERROR_VALUE, "SVD did not converge"));
        if (ok) {
            for (size_t i = 0; i < a.n_rows; i++)
                for (size_t j = 0; j < n; j++)
                    *cell(&u, i, j) = *cell(&a, i, j);
            complete_columns(&u, s, n);
            struct value tall = array_of(c->m, &u, u.n_rows, u.n_columns, sideways);
            struct value square = array_of(c->m, &v, n, n, !sideways);
            struct value made[3] = {sideways ? square : tall, vector_of(c->m, s, n),
                                    sideways ? tall : square};
            ok = tuple_of(c->m, made, 3, ret);
        }
    }
    free(s);
    free(u.at);
    free(v.at);
    free(a.at);
    return ok;
}

static const struct native rows[] = {
    {"_qr", {"a", "full=False"}, run_qr},
    {"_eigh", {"a"}, run_eigh},
    {"_svd", {"a", "full=False"}, run_svd},
};
const struct native_table numpy_linalg = {rows, COUNT_OF(rows)};
