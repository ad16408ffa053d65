/* Tensors as PyTorch prints them: one width for all numbers, four decimals, whole floats with a
 * dot, powers of ten where sizes differ by more than a thousand, and the edges alone where there
 * are more than a thousand numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lang/notebook/tensor_internal.h"

enum { NUMBER_BYTES = 64 };

/* How all numbers of a tensor are written. */
struct form {
    bool is_float, is_bool;
    bool is_whole, scientific; /* of floats */
    int precision;
    size_t width;
};

struct printing {
    const struct tensor *x;
    unsigned n_axes; /* those that are shown: one less for complex numbers */
    bool is_complex, edges_only;
    size_t edge;
    size_t line_width;
    struct form form, imaginary;
    struct text *out;
};

static void write_number(const struct form *form, double number, char ret[NUMBER_BYTES])
{
    if (form->is_bool)
        snprintf(ret, NUMBER_BYTES, "%s", number != 0 ? "True" : "False");
    else if (!form->is_float)
        snprintf(ret, NUMBER_BYTES, "%.0f", number == 0 ? 0 : number);
    else if (isnan(number))
        snprintf(ret, NUMBER_BYTES, "nan");
    else if (form->scientific)
        snprintf(ret, NUMBER_BYTES, "%.*e", form->precision, number);
    else if (form->is_whole)
        snprintf(ret, NUMBER_BYTES, isinf(number) ? "%.0f" : "%.0f.", number);
    else
        snprintf(ret, NUMBER_BYTES, "%.*f", form->precision, number);
}

/* ---- the form ---- */

/* What the numbers that are shown are like. */
struct survey {
    const struct form *form; /* NULL: sizes; else widths */
    double least, most;      /* of the numbers that are not 0 */
    bool any, all_whole;
    size_t width;
};

static void survey_number(struct survey *survey, double number)
{
    char text[NUMBER_BYTES];
    const struct form *form = survey->form;
    if (form != NULL) {
        if (form->is_float && (number == 0 || !isfinite(number)))
            return;
        write_number(form, number, text);
        size_t width = strlen(text);
        survey->width = width > survey->width ? width : survey->width;
        return;
    }
    if (number == 0 || !isfinite(number))
        return;
    double size = fabs(number);
    survey->least = !survey->any || size < survey->least ? size : survey->least;
    survey->most = !survey->any || size > survey->most ? size : survey->most;
    survey->any = true;
    survey->all_whole = survey->all_whole && number == ceil(number);
}

static bool is_skipped(const struct printing *p, unsigned axis, size_t i)
{
    size_t n = p->x->shape[axis];
    return p->edges_only && n > 2 * p->edge && i >= p->edge && i < n - p->edge;
}

static void survey_all(const struct printing *p, const float *at, unsigned axis,
                       struct survey *survey)
{
    if (axis == p->n_axes) {
        survey_number(survey, (double)*at);
        return;
    }
    for (size_t i = 0; i < p->x->shape[axis]; i++)
        if (!is_skipped(p, axis, i))
            survey_all(p, at + (ptrdiff_t)i * p->x->stride[axis], axis + 1, survey);
}

static struct form form_of(const struct printing *p, const float *first, enum dtype dtype,
                           const struct print_options *options)
{
    struct form form = {.is_float = dtypes[dtype].category >= CATEGORY_FLOAT,
                        .is_bool = dtype == DTYPE_BOOL,
                        .is_whole = true,
                        .precision = options->precision,
                        .width = 1};
    if (form.is_float) {
        struct survey sizes = {.all_whole = true};
        survey_all(p, first, 0, &sizes);
        form.is_whole = sizes.all_whole;
        form.scientific = sizes.any && (sizes.most / sizes.least > 1000 || sizes.most > 1e8 ||
                                        (!form.is_whole && sizes.least < 1e-4));
    }
    struct survey widths = {.form = &form, .width = 1};
    survey_all(p, first, 0, &widths);
    form.width = widths.width;
    if (options->scientific >= 0)
        form.scientific = options->scientific > 0;
    return form;
}

/* ---- writing ---- */

static void write_padded(const struct form *form, double number, struct text *out)
{
    char text[NUMBER_BYTES];
    write_number(form, number, text);
    size_t size = strlen(text);
    text_format(out, "%*s%s", (int)(form->width > size ? form->width - size : 0), "", text);
}

static void write_element(const struct printing *p, const float *at)
{
    write_padded(&p->form, (double)*at, p->out);
    if (!p->is_complex)
        return;
    char text[NUMBER_BYTES];
    double imaginary = (double)at[p->x->stride[p->n_axes]];
    write_number(&p->imaginary, imaginary, text);
    text_format(p->out, "%s%sj", text[0] == '-' ? "" : "+", text);
}

static void indent(struct text *out, size_t n)
{
    text_format(out, "%*s", (int)n, "");
}

static void write_vector(const struct printing *p, const float *at, size_t from)
{
    unsigned axis = p->n_axes - 1;
    size_t length = p->form.width + 2 + (p->is_complex ? p->imaginary.width + 1 : 0);
    size_t room = p->line_width > from ? p->line_width - from : 0;
    size_t in_line = room / length > 1 ? room / length : 1, n = 0;
    text_char(p->out, '[');
    for (size_t i = 0; i < p->x->shape[axis]; i++) {
        bool skipped = is_skipped(p, axis, i);
        if (skipped && i > p->edge)
            continue;
        if (n > 0 && n % in_line == 0) {
            text_put(p->out, ",\n");
            indent(p->out, from + 1);
        } else {
            text_put(p->out, n ? ", " : "");
        }
        n++;
        if (skipped)
            text_put(p->out, " ...");
        else
            write_element(p, at + (ptrdiff_t)i * p->x->stride[axis]);
    }
    text_char(p->out, ']');
}

static void write_axis(const struct printing *p, const float *at, unsigned axis, size_t from)
{
    if (axis == p->n_axes) {
        write_element(p, at);
        return;
    }
    if (axis + 1 == p->n_axes) {
        write_vector(p, at, from);
        return;
    }
    bool first = true;
    text_char(p->out, '[');
    for (size_t i = 0; i < p->x->shape[axis]; i++) {
        bool skipped = is_skipped(p, axis, i);
        if (skipped && i > p->edge)
            continue;
        if (!first) {
            text_char(p->out, ',');
            for (unsigned k = axis + 1; k < p->n_axes; k++)
                text_char(p->out, '\n');
            indent(p->out, from + 1);
        }
        first = false;
        if (skipped)
            text_put(p->out, "...");
        else
            write_axis(p, at + (ptrdiff_t)i * p->x->stride[axis], axis + 1, from + 1);
    }
    text_char(p->out, ']');
}

/* ", dtype=torch.int32", on a line of its own where it would be too long. */
static void add_suffix(struct text *out, const char *suffix, size_t from, size_t *last_line,
                       size_t line_width)
{
    size_t size = strlen(suffix);
    if (*last_line + size + 2 > line_width) {
        text_put(out, ",\n");
        indent(out, from);
        *last_line = from + size;
    } else {
        text_put(out, ", ");
        *last_line += size + 2;
    }
    text_put(out, suffix);
}

static void write_shape_suffix(const struct printing *p, char *ret, size_t capacity)
{
    size_t used = (size_t)snprintf(ret, capacity, "size=(");
    for (unsigned axis = 0; axis < p->n_axes; axis++)
        used += (size_t)snprintf(ret + used, capacity - used, "%s%zu", axis ? ", " : "",
                                 p->x->shape[axis]);
    snprintf(ret + used, capacity - used, "%s)", p->n_axes == 1 ? "," : "");
}

static void write_suffixes(struct machine *m, const struct tensor_thing *t,
                           const struct printing *p, size_t begin, size_t from)
{
    char suffix[200];
    struct text *out = p->out;
    const char *text = text_string(out);
    size_t last = out->size;
    enum dtype normal = m->torch->default_dtype;
    while (last > begin && text[last - 1] != '\n')
        last--;
    size_t last_line = out->size - last + 2;
    bool is_empty = tensor_size(p->x) == 0;
    if (is_empty && p->n_axes != 1) {
        write_shape_suffix(p, suffix, sizeof suffix);
        add_suffix(out, suffix, from, &last_line, p->line_width);
    }
    bool is_usual =
        t->dtype == normal ||
        (!is_empty && (t->dtype == DTYPE_INT64 || t->dtype == DTYPE_BOOL || p->is_complex));
    if (!is_usual) {
        snprintf(suffix, sizeof suffix, "dtype=torch.%s", dtypes[t->dtype].name);
        add_suffix(out, suffix, from, &last_line, p->line_width);
    }
    const char *grad_name = tensor_grad_name(t);
    if (grad_name != NULL)
        snprintf(suffix, sizeof suffix, "grad_fn=<%s>", grad_name);
    else
        snprintf(suffix, sizeof suffix, "requires_grad=True");
    if (tensor_tracks(t))
        add_suffix(out, suffix, from, &last_line, p->line_width);
}

bool tensor_repr(struct machine *m, struct tensor_thing *t, struct text *out)
{
    enum { FROM = 7 }; /* "tensor(" */
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    const struct print_options *options = &m->torch->print;
    struct printing p = {.x = &node->value,
                         .n_axes = node->value.n_axes,
                         .is_complex = t->dtype == DTYPE_COMPLEX64,
                         .edge = (size_t)options->edge_items,
                         .line_width = (size_t)options->width,
                         .out = out};
    p.n_axes -= p.is_complex;
    if (t->is_parameter)
        text_put(out, "Parameter containing:\n");
    size_t begin = out->size, n = tensor_size(&node->value) / (p.is_complex ? 2 : 1);
    p.edges_only = n > (size_t)options->threshold;
    text_put(out, "tensor(");
    if (n == 0) {
        text_put(out, "[]");
    } else {
        p.form = form_of(&p, node->value.data, t->dtype, options);
        if (p.is_complex)
            p.imaginary =
                form_of(&p, node->value.data + node->value.stride[p.n_axes], t->dtype, options);
        write_axis(&p, node->value.data, 0, FROM);
    }
    write_suffixes(m, t, &p, begin, FROM);
    text_char(out, ')');
    return !out->failed || raise_memory(m);
}
