/* Arrays as numpy prints them: the fewest digits that tell a number from its neighbours, at most
 * eight after the point, one width for all numbers, and the edges alone of large arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/notebook/ndarray_internal.h"

enum { NUMBER_BYTES = 400 };

struct form {
    enum dtype dtype;
    bool is_float, scientific, is_fixed;
    int precision;
    size_t left, right; /* characters before and after the point */
    size_t exponent;    /* digits of the power of ten */
    size_t width;       /* of numbers without a point */
};

struct printing {
    const struct ndarray *a;
    struct form form;
    const struct numpy *options;
    const char *separator;
    struct machine *m;
    struct value formatter; /* borrowed; ABSENT: numbers are written as they are */
    bool edges_only;
    size_t edge, line_width;
    struct text *out;
    struct text line;
    bool failed;
};

/* The fewest digits of |x|, its first digit before the point: "d.ddde+xx". */
static void shortest(double x, enum dtype dtype, char ret[NUMBER_BYTES])
{
    for (int digits = 0; digits < 17; digits++) {
        snprintf(ret, NUMBER_BYTES, "%.*e", digits, x);
        double back = dtype == DTYPE_FLOAT32 ? (double)strtof(ret, NULL) : strtod(ret, NULL);
        if ((dtype == DTYPE_FLOAT16 ? nd_round(back, dtype) : back) == x)
            return;
    }
}

static void trim(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == '0')
        text[--n] = '\0';
}

/* "-12.5", with a point and no zeros at its end. */
static void positional(double x, enum dtype dtype, int precision, char ret[NUMBER_BYTES])
{
    char digits[NUMBER_BYTES];
    shortest(x, dtype, digits);
    int exponent = atoi(strchr(digits, 'e') + 1);
    size_t mantissa = strcspn(digits + (x < 0 || (x == 0 && signbit(x))), "e");
    int fraction = (int)(mantissa > 1 ? mantissa - 2 : 0) - exponent;
    if (fraction < 0)
        fraction = 0;
    snprintf(ret, NUMBER_BYTES, "%.*f",
             precision >= 0 && fraction > precision ? precision : fraction, x);
    if (strchr(ret, '.') == NULL) {
        strcat(ret, ".");
        if (exponent > 15) { /* the digits that tell it, then zeros */
            size_t sign = ret[0] == '-', n = strlen(ret) - 1;
            for (size_t i = 0, k = 0; i + sign < n; i++) {
                const char *from = digits + sign;
                char c = k < mantissa ? from[k] : '0';
                if (c == '.')
                    c = ++k < mantissa ? from[k] : '0';
                ret[sign + i] = c;
                k++;
            }
        }
        return;
    }
    trim(ret);
}

/* A number without a power of ten. */
static void plain(const struct form *form, double x, char ret[NUMBER_BYTES])
{
    if (form->is_fixed)
        snprintf(ret, NUMBER_BYTES, form->precision > 0 ? "%.*f" : "%.*f.", form->precision, x);
    else
        positional(x, form->dtype, form->precision, ret);
}

/* "1.25" and 3 of 1.25e+03 */
static int scientific(double x, enum dtype dtype, int precision, bool is_fixed,
                      char ret[NUMBER_BYTES])
{
    if (is_fixed)
        snprintf(ret, NUMBER_BYTES, "%.*e", precision, x);
    else
        shortest(x, dtype, ret);
    char *e = strchr(ret, 'e'), *point = strchr(ret, '.');
    if (!is_fixed && point != NULL && precision >= 0 && e - point - 1 > precision) {
        snprintf(ret, NUMBER_BYTES, "%.*e", precision, x);
        e = strchr(ret, 'e');
    }
    int exponent = atoi(e + 1);
    *e = '\0';
    if (strchr(ret, '.') == NULL)
        strcat(ret, ".");
    if (!is_fixed)
        trim(ret);
    return exponent;
}

static void write_scalar(const struct ndarray *a, const union nd_cell *at, struct text *out)
{
    char text[NUMBER_BYTES];
    if (a->dtype == DTYPE_BOOL) {
        text_put(out, at->whole ? "True" : "False");
        return;
    }
    if (!nd_is_float(a->dtype)) {
        text_format(out, "%lld", (long long)at->whole);
        return;
    }
    double x = at->number;
    if (!isfinite(x)) {
        text_put(out, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
        return;
    }
    double limit = a->dtype == DTYPE_FLOAT16 ? 1e16 : 1e16;
    if (x == 0 || (fabs(x) >= 1e-4 && fabs(x) < limit)) {
        positional(x, a->dtype, -1, text);
        if (text[strlen(text) - 1] == '.')
            strcat(text, "0");
        text_put(out, text);
        return;
    }
    int exponent = scientific(x, a->dtype, -1, false, text);
    size_t n = strlen(text);
    if (text[n - 1] == '.')
        text[n - 1] = '\0';
    text_format(out, "%se%c%02d", text, exponent < 0 ? '-' : '+', abs(exponent));
}

/* ---- the form ---- */

static bool is_skipped(const struct printing *p, unsigned axis, size_t i)
{
    size_t n = p->a->shape[axis];
    return p->edges_only && n > 2 * p->edge && i >= p->edge && i < n - p->edge;
}

typedef void visit(struct printing *p, const union nd_cell *at, void *context);

static void each(struct printing *p, const union nd_cell *at, unsigned axis, visit *f,
                 void *context)
{
    if (axis == p->a->n_axes) {
        f(p, at, context);
        return;
    }
    for (size_t i = 0; i < p->a->shape[axis]; i++)
        if (!is_skipped(p, axis, i))
            each(p, at + (ptrdiff_t)i * p->a->stride[axis], axis + 1, f, context);
}

struct sizes {
    double least, most;
    bool any, any_nan, any_inf, any_negative_inf, any_finite;
};

static void see_size(struct printing *p, const union nd_cell *at, void *context)
{
    struct sizes *sizes = context;
    double x = at->number, size = fabs(x);
    (void)p;
    sizes->any_nan = sizes->any_nan || isnan(x);
    sizes->any_inf = sizes->any_inf || isinf(x);
    sizes->any_negative_inf = sizes->any_negative_inf || (isinf(x) && x < 0);
    if (!isfinite(x))
        return;
    sizes->any_finite = true;
    if (x == 0)
        return;
    sizes->least = !sizes->any || size < sizes->least ? size : sizes->least;
    sizes->most = !sizes->any || size > sizes->most ? size : sizes->most;
    sizes->any = true;
}

static void see_width(struct printing *p, const union nd_cell *at, void *context)
{
    char text[NUMBER_BYTES];
    struct form *form = &p->form;
    (void)context;
    if (!form->is_float) {
        size_t width = form->dtype == DTYPE_BOOL
                           ? (p->a->n_axes > 0 ? 5 : 4)
                           : (size_t)snprintf(text, sizeof text, "%lld", (long long)at->whole);
        form->width = width > form->width ? width : form->width;
        return;
    }
    if (!isfinite(at->number))
        return;
    if (form->scientific) {
        int exponent = scientific(at->number, form->dtype, form->precision, form->is_fixed, text);
        size_t digits = abs(exponent) >= 100 ? 3 : 2;
        form->exponent = digits > form->exponent ? digits : form->exponent;
    } else {
        plain(form, at->number, text);
    }
    size_t left = strcspn(text, "."), right = strlen(text) - left - 1;
    form->left = left > form->left ? left : form->left;
    form->right = right > form->right ? right : form->right;
}

static void find_form(struct printing *p)
{
    struct sizes sizes = {0};
    p->form = (struct form){
        .dtype = p->a->dtype,
        .is_float = nd_is_float(p->a->dtype),
        .is_fixed = p->options->float_mode == FLOATS_FIXED,
        .precision = p->options->float_mode == FLOATS_UNIQUE ? -1 : p->options->precision};
    if (p->form.is_float) {
        each(p, p->a->first, 0, see_size, &sizes);
        p->form.scientific =
            sizes.any &&
            (sizes.most >= 1e8 ||
             (!p->options->suppress && (sizes.least < 1e-4 || sizes.most / sizes.least > 1000)));
    }
    each(p, p->a->first, 0, see_width, NULL);
    if (!p->form.is_float)
        return;
    size_t tail = p->form.scientific ? p->form.right + p->form.exponent + 2 : p->form.right;
    size_t words = sizes.any_nan ? 3 : 0;
    if (sizes.any_inf)
        words = 3 + sizes.any_negative_inf;
    if (words > tail + 1 && words - tail - 1 > p->form.left)
        p->form.left = words - tail - 1;
}

/* The number as the function of set_printoptions(formatter=...) writes it. */
static void write_by_formatter(struct printing *p, const union nd_cell *at,
                               char ret[NUMBER_BYTES * 2])
{
    struct value number = nd_item(p->a, at), made;
    ret[0] = '\0';
    if (p->failed || !machine_call(p->m, p->formatter, &number, 1, NULL, &made)) {
        p->failed = true;
        return;
    }
    if (made.kind != VALUE_STRING) {
        raise_error(p->m, ERROR_TYPE, "a formatter gives a str, and this is %s",
                    value_class_name(p->m, made));
        p->failed = true;
    } else if (made.as.string->size >= (size_t)(2 * NUMBER_BYTES)) {
        raise_error(p->m, ERROR_VALUE, "attn takes %d bytes from a formatter of numbers",
                    2 * NUMBER_BYTES - 1);
        p->failed = true;
    } else {
        memcpy(ret, made.as.string->bytes, made.as.string->size + 1);
    }
    value_drop(made);
}

/* The function for numbers of this kind; or ABSENT. */
static struct value formatter_of(struct machine *m, const struct ndarray *a)
{
    static const char *const names[3][2] = {
        {"float", "float_kind"}, {"int", "int_kind"}, {"bool", "all"}};
    struct value table = m->numpy != NULL ? m->numpy->formatter : value_absent();
    struct value found = value_absent();
    if (!value_is(table, THING_DICT))
        return found;
    const char *const *own = names[nd_is_float(a->dtype) ? 0 : a->dtype == DTYPE_BOOL ? 2 : 1];
    for (size_t i = 0; i < THING_AS(table, table)->n_entries; i++) {
        const struct entry *entry = &THING_AS(table, table)->entries[i];
        if (entry->key.kind == VALUE_STRING && (strcmp(entry->key.as.string->bytes, own[0]) == 0 ||
                                                strcmp(entry->key.as.string->bytes, own[1]) == 0 ||
                                                strcmp(entry->key.as.string->bytes, "all") == 0))
            found = entry->value;
    }
    return found;
}

static void write_number(struct printing *p, const union nd_cell *at, char ret[NUMBER_BYTES * 2])
{
    if (p->formatter.kind != VALUE_ABSENT) {
        write_by_formatter(p, at, ret);
        return;
    }
    char text[NUMBER_BYTES];
    const struct form *form = &p->form;
    size_t size = 2 * NUMBER_BYTES;
    if (form->dtype == DTYPE_BOOL) {
        snprintf(ret, size, "%*s", (int)form->width, at->whole ? "True" : "False");
    } else if (!form->is_float) {
        snprintf(ret, size, "%*lld", (int)form->width, (long long)at->whole);
    } else if (!isfinite(at->number)) {
        size_t tail = form->scientific ? form->right + form->exponent + 2 : form->right;
        snprintf(ret, size, "%*s", (int)(form->left + tail + 1),
                 isnan(at->number) ? "nan"
                 : at->number > 0  ? "inf"
                                   : "-inf");
    } else if (form->scientific) {
        int exponent = scientific(at->number, form->dtype, form->precision, form->is_fixed, text);
        size_t left = strcspn(text, "."), right = strlen(text) - left - 1;
        if (right < form->right) { /* further digits of the number, not zeros */
            snprintf(text, sizeof text, "%.*e", (int)form->right, at->number);
            *strchr(text, 'e') = '\0';
        }
        snprintf(ret, size, "%*s%se%c%0*d", (int)(form->left - left), "", text,
                 exponent < 0 ? '-' : '+', (int)form->exponent, abs(exponent));
    } else {
        plain(form, at->number, text);
        size_t left = strcspn(text, "."), right = strlen(text) - left - 1;
        snprintf(ret, size, "%*s%s%*s", (int)(form->left - left), "", text,
                 (int)(form->right - right), "");
    }
}

/* ---- layout ---- */

static void extend_line(struct printing *p, const char *word, size_t width, size_t indent)
{
    if (p->line.size + strlen(word) > width && p->line.size > indent) {
        size_t n = p->line.size;
        const char *bytes = text_string(&p->line);
        while (n > 0 && bytes[n - 1] == ' ')
            n--;
        text_add(p->out, bytes, n);
        text_char(p->out, '\n');
        text_clear(&p->line);
        text_format(&p->line, "%*s", (int)indent, "");
    }
    text_put(&p->line, word);
}

static void write_axis(struct printing *p, const union nd_cell *at, unsigned axis, size_t indent,
                       size_t width)
{
    const struct ndarray *a = p->a;
    size_t n = a->shape[axis], separator = strlen(p->separator);
    bool comma = p->separator[0] == ',';
    text_char(p->out, '[');
    if (axis + 1 == a->n_axes) {
        char word[2 * NUMBER_BYTES];
        text_clear(&p->line);
        /* The line begins with its indent, whose place the brackets take in the first line. */
        text_format(&p->line, "%*s", (int)indent, "");
        size_t begin = p->out->size, room = width - 1;
        (void)separator;
        for (size_t i = 0; i < n; i++) {
            bool skipped = is_skipped(p, axis, i);
            if (skipped && i > p->edge)
                continue;
            if (skipped)
                snprintf(word, sizeof word, "...");
            else
                write_number(p, at + (ptrdiff_t)i * a->stride[axis], word);
            extend_line(p, word, room, indent);
            if (i + 1 < n)
                text_put(&p->line, p->separator);
        }
        text_add(p->out, text_string(&p->line), p->line.size);
        if (p->out->size >= begin + indent &&
            p->out->bytes != NULL) { /* the indent of the first line */
            memmove(p->out->bytes + begin, p->out->bytes + begin + indent,
                    p->out->size - begin - indent);
            p->out->size -= indent;
            p->out->bytes[p->out->size] = '\0';
        }
    } else {
        bool first = true;
        for (size_t i = 0; i < n; i++) {
            bool skipped = is_skipped(p, axis, i);
            if (skipped && i > p->edge)
                continue;
            if (!first) {
                text_put(p->out, comma ? "," : "");
                for (unsigned k = axis + 1; k < a->n_axes; k++)
                    text_char(p->out, '\n');
                text_format(p->out, "%*s", (int)indent, "");
            }
            first = false;
            if (skipped)
                text_put(p->out, "...");
            else
                write_axis(p, at + (ptrdiff_t)i * a->stride[axis], axis + 1, indent + 1, width - 1);
        }
    }
    text_char(p->out, ']');
}

static void write_repr_end(const struct ndarray *a, size_t begin, size_t n, size_t width,
                           struct text *out)
{
    char dtype[80];
    bool usual = a->dtype == DTYPE_FLOAT64 || a->dtype == DTYPE_INT64 || a->dtype == DTYPE_BOOL;
    if (n == 0 && a->n_axes != 1) {
        text_put(out, ", shape=(");
        for (unsigned axis = 0; axis < a->n_axes; axis++)
            text_format(out, "%s%zu", axis ? ", " : "", a->shape[axis]);
        text_put(out, a->n_axes == 1 ? ",)" : ")");
    }
    if (usual && n > 0) {
        text_char(out, ')');
        return;
    }
    snprintf(dtype, sizeof dtype, "dtype=%s)", dtypes[a->dtype].name);
    text_char(out, ',');
    size_t line = out->size;
    while (line > begin && out->bytes[line - 1] != '\n')
        line--;
    if (out->size - line + strlen(dtype) + 1 > width)
        text_put(out, "\n      ");
    else
        text_char(out, ' ');
    text_put(out, dtype);
}

bool nd_str(struct machine *m, const struct ndarray *a, bool is_repr, struct text *out)
{
    static const struct numpy usual = {
        .precision = 8, .threshold = 1000, .edge_items = 3, .width = 75};
    size_t begin = out->size, n = nd_size(a);
    struct printing p = {.a = a,
                         .out = out,
                         .m = m,
                         .formatter = value_take(formatter_of(m, a)),
                         .options = m->numpy ? m->numpy : &usual};
    if (a->n_axes == 0 && (a->is_scalar || !is_repr)) {
        value_drop(p.formatter);
        write_scalar(a, a->first, out);
        return !out->failed || raise_memory(m);
    }
    p.edge = (size_t)p.options->edge_items;
    p.line_width = (size_t)p.options->width - is_repr;
    p.separator = is_repr ? ", " : " ";
    p.edges_only = n > (size_t)p.options->threshold;
    if (is_repr)
        text_put(out, "array(");
    if (n == 0) {
        text_put(out, "[]");
    } else {
        find_form(&p);
        if (a->n_axes == 0) {
            char word[2 * NUMBER_BYTES];
            write_number(&p, a->first, word);
            text_put(out, word);
        } else {
            write_axis(&p, a->first, 0, is_repr ? 7 : 1, p.line_width);
        }
        text_release(&p.line);
    }
    if (is_repr)
        write_repr_end(a, begin, n, (size_t)p.options->width, out);
    value_drop(p.formatter);
    if (p.failed)
        return false;
    return !out->failed || raise_memory(m);
}
