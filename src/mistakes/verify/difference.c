/* Where and how numbers differ: see difference_internal.h. */
#include "verify/difference_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A number below this stands for minus infinity in a mask. */
static const double HIDDEN = -9999;

enum { MOST_SLICES = 512, MOST_NAMED = 8 };

/* Numbers compared for an order along one axis. */
static const double MOST_COMPARED = 5e7;

static double distance(float got, float want)
{
    if (got == want || (isinf(want) && want < 0 && (double)got < HIDDEN) ||
        (isinf(got) && got < 0 && (double)want < HIDDEN))
        return 0;
    double away = fabs((double)got - (double)want);
    return isnan(away) ? (double)INFINITY : away;
}

struct difference difference_of(const struct tensor *got, const struct tensor *want,
                                double tolerance)
{
    struct difference found = {.n = tensor_size(got)};
    for (size_t i = 0; i < found.n; i++) {
        double away = distance(tensor_at_position(got, i), tensor_at_position(want, i));
        found.largest = fmax(found.largest, away);
        if (away > tolerance && found.n_wrong++ == 0)
            found.first = i;
    }
    return found;
}

/* Of the names that axes have. */
static const char *plural(const char *axis)
{
    static const char *const words[][2] = {{"query", "queries"}, {"key", "keys"},
                                           {"head", "heads"},    {"batch", "batches"},
                                           {"row", "rows"},      {"column", "columns"}};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(words[i][0], axis) == 0)
            return words[i][1];
    return axis;
}

/* ---- a constant factor ---- */

static void describe_factor(const struct tensor *got, const struct tensor *want, double tolerance,
                            struct text *out)
{
    double factor = 0, largest = 0;
    size_t n = tensor_size(got);
    for (size_t i = 0; i < n; i++)
        if (isfinite(tensor_at_position(want, i)) &&
            fabs((double)tensor_at_position(want, i)) > largest) {
            largest = fabs((double)tensor_at_position(want, i));
            factor = (double)tensor_at_position(got, i) / (double)tensor_at_position(want, i);
        }
    if (n < 2 || !isfinite(factor) || factor == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (!(distance(tensor_at_position(got, i),
                       (float)(factor * (double)tensor_at_position(want, i))) <=
              tolerance * fmax(1, fabs(factor))))
            return;
    text_format(out, "Each number is %.6g times the right one. ", factor);
}

/* ---- slices along an axis ---- */

/* Do slice i of got and slice j of want along an axis hold the same numbers? */
static bool slices_agree(const struct tensor *got, size_t i, const struct tensor *want, size_t j,
                         unsigned axis, double tolerance)
{
    struct tensor a, b;
    if (!tensor_pick(got, axis, i, &a, NULL))
        return false;
    bool agree = tensor_pick(want, axis, j, &b, NULL);
    if (agree) {
        agree = difference_of(&a, &b, tolerance).n_wrong == 0;
        tensor_release(&b);
    }
    tensor_release(&a);
    return agree;
}

/* source[i] is the slice of want that slice i of got is; false if one of them is not among the
 * slices of want.
 */
static bool find_order(const struct tensor *got, const struct tensor *want, unsigned axis,
                       double tolerance, size_t *source)
{
    size_t n = got->shape[axis];
    bool moved = false;
    for (size_t i = 0; i < n; i++) {
        size_t away = 0; /* its own place is tried first */
        while (away < n && !slices_agree(got, i, want, (i + away) % n, axis, tolerance))
            away++;
        if (away == n)
            return false;
        source[i] = (i + away) % n;
        moved = moved || away > 0;
    }
    return moved;
}

static void write_order(const char *axis, const size_t *source, size_t n, struct text *out)
{
    size_t shift = source[0];
    bool shifted = true, reversed = true;
    for (size_t i = 0; i < n; i++) {
        shifted = shifted && source[i] == (i + shift) % n;
        reversed = reversed && source[i] == n - 1 - i;
    }
    if (reversed)
        text_format(out, "Along the axis of %s the order is reversed. ", plural(axis));
    else if (shifted)
        text_format(out,
                    "Along the axis of %s all are shifted: %s 0 holds what belongs to %s %zu. ",
                    plural(axis), axis, axis, shift);
    else {
        text_format(out, "The %s are the right ones in another order: they are the right",
                    plural(axis));
        for (size_t i = 0; i < n && i < MOST_NAMED; i++)
            text_format(out, "%s %zu", i > 0 ? "," : "", source[i]);
        text_put(out, n > MOST_NAMED ? ", and so on. " : ". ");
    }
}

static bool describe_order(const struct tensor *got, const struct tensor *want, double tolerance,
                           const char *const *axes, struct text *out, struct error *reterr)
{
    for (unsigned axis = 0; axis < got->n_axes; axis++) {
        size_t n = got->shape[axis];
        if (n < 2 || n > MOST_SLICES || (double)n * (double)tensor_size(got) > MOST_COMPARED)
            continue;
        size_t *source = calloc(n, sizeof *source);
        if (source == NULL)
            return error_memory(reterr, "a comparison");
        bool found = find_order(got, want, axis, tolerance, source);
        if (found)
            write_order(axes[axis], source, n, out);
        free(source);
        if (found)
            return true;
    }
    return true;
}

static void describe_transposed(const struct tensor *got, const struct tensor *want,
                                double tolerance, const char *const *axes, struct text *out)
{
    for (unsigned a = 0; a + 1 < got->n_axes; a++)
        for (unsigned b = a + 1; b < got->n_axes; b++) {
            struct tensor turned = tensor_transpose(want, a, b);
            bool same = tensor_same_shape(got, &turned) && got->shape[a] > 1 &&
                        difference_of(got, &turned, tolerance).n_wrong == 0;
            tensor_release(&turned);
            if (same) {
                text_format(out, "It is the right one with the axes of %s and %s exchanged. ",
                            plural(axes[a]), plural(axes[b]));
                return;
            }
        }
}

/* ---- where ---- */

/* "Only head 2 is wrong." */
static void describe_place(const struct tensor *got, const struct tensor *want, double tolerance,
                           const char *const *axes, struct text *out)
{
    for (unsigned axis = 0; axis < got->n_axes; axis++) {
        size_t n = got->shape[axis], n_wrong = 0, first = 0, last = 0;
        for (size_t i = 0; i < n && n <= MOST_SLICES; i++)
            if (!slices_agree(got, i, want, i, axis, tolerance)) {
                first = n_wrong++ == 0 ? i : first;
                last = i;
            }
        if (n_wrong == 0 || n_wrong == n)
            continue;
        if (n_wrong == 1)
            text_format(out, "Only %s %zu is wrong. ", axes[axis], first);
        else if (last - first + 1 == n_wrong)
            text_format(out, "Only the %s %zu to %zu are wrong. ", plural(axes[axis]), first, last);
        else
            text_format(out, "%zu of %zu %s are wrong, the first of them %zu, the last %zu. ",
                        n_wrong, n, plural(axes[axis]), first, last);
    }
}

/* Are all wrong numbers on one side of the diagonal? */
static void describe_triangle(const struct tensor *got, const struct tensor *want, double tolerance,
                              struct text *out)
{
    size_t n_above = 0, n_below = 0, n_on = 0, index[TENSOR_MAX_AXES];
    if (got->n_axes < 2 || got->shape[got->n_axes - 1] < 2 || got->shape[got->n_axes - 2] < 2)
        return;
    for (size_t i = 0, n = tensor_size(got); i < n; i++) {
        if (distance(tensor_at_position(got, i), tensor_at_position(want, i)) <= tolerance)
            continue;
        tensor_index_of(got, i, index);
        size_t row = index[got->n_axes - 2], column = index[got->n_axes - 1];
        n_above += column > row;
        n_below += column < row;
        n_on += column == row;
    }
    if (n_above > 0 && n_below + n_on == 0)
        text_put(out, "All wrong numbers lie above the diagonal, in the future of their row. ");
    else if (n_below > 0 && n_above + n_on == 0)
        text_put(out, "All wrong numbers lie below the diagonal. ");
    else if (n_on > 0 && n_above + n_below == 0)
        text_put(out, "All wrong numbers lie on the diagonal. ");
}

bool difference_describe(const struct tensor *got, const struct tensor *want, double tolerance,
                         const char *const *axes, struct text *out, struct error *reterr)
{
    size_t before = out->size;
    if (difference_of(got, want, tolerance).n_wrong == 0)
        return true;
    describe_factor(got, want, tolerance, out);
    if (out->size == before)
        describe_transposed(got, want, tolerance, axes, out);
    if (out->size == before && !describe_order(got, want, tolerance, axes, out, reterr))
        return false;
    if (out->size == before) {
        describe_place(got, want, tolerance, axes, out);
        describe_triangle(got, want, tolerance, out);
    }
    return true;
}
