/* The mistakes that a stage is tried with: see stage_mistakes.h. */
#include "judge/stage_mistakes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/node.h"
#include "judge/find_misconception.h"

/* Which stages a kind of mistake is for, as bits. */
enum {
    FOR_LOOPS = 1 << 0,   /* rows and columns are walked: products, sums, arrays in another order */
    FOR_FACTORS = 1 << 1, /* something is multiplied or divided */
    FOR_NUMBERS = 1 << 2, /* something is computed */
    FOR_EXPS = 1 << 3,    /* an exponential or a maximum: large numbers matter */
    FOR_HIDDEN = 1 << 4,  /* some numbers are replaced by others */
    FOR_SIZES = 1 << 5,   /* a single number is read or made: a size, or what follows from sizes */
    FOR_TRUTHS = 1 << 6,  /* something is true or false */
    FOR_PLACES = 1 << 7,  /* each number of the result comes from those at the same place */
    FOR_RESULTS = 1 << 8, /* only what a stage leaves can have it */
};

struct mistake_kind {
    unsigned suits; /* one of FOR_LOOPS .. FOR_SIZES, and FOR_RESULTS */
    bool has_axis, has_param;
    float number;
    void (*apply)(const struct stage_mistake *mistake, const struct stage_numbers *numbers);
};

/* ---- formulas ---- */

static const char *formula_of(const char *stage)
{
    const char *equal = strchr(stage, '=');
    return equal != NULL ? equal + 1 + strspn(equal + 1, " ") : stage;
}

/* The next name of an expression from *at on; 0 when there is none. *at moves behind it. */
static size_t next_name(const char **at, const char **ret)
{
    const char *from = *at;
    while (*from != '\0' && *from != '#' && !isalpha((unsigned char)*from) && *from != '_')
        from += isdigit((unsigned char)*from) ? strspn(from, "0123456789.eE") : 1;
    size_t size = 0;
    while (isalnum((unsigned char)from[size]) || from[size] == '_')
        size++;
    *ret = from;
    *at = from + size;
    return *from == '#' ? 0 : size;
}

/* The array that a name stands for; NULL when it stands for none. */
static const struct tensor *array_of(const struct fixture *fixture, const char *name, size_t size)
{
    const struct value *value = names_get(&fixture->session->names, name, size);
    return value != NULL && value->kind == VALUE_NODE ? &value->as.node->value : NULL;
}

/* ---- rows and columns ---- */

/* An array seen from one of its axes: outer blocks of n lines of inner numbers each. */
struct lines {
    size_t outer, n, inner;
};

static struct lines lines_of(const struct stage_numbers *numbers, unsigned axis)
{
    struct lines lines = {1, numbers->shape[axis], 1};
    for (unsigned i = 0; i < axis; i++)
        lines.outer *= numbers->shape[i];
    for (unsigned i = axis + 1; i < numbers->n_axes; i++)
        lines.inner *= numbers->shape[i];
    return lines;
}

/* The number of the size that is taken for another; 0 where it is none. */
static size_t size_of(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    double size = numbers->fixture->scalars[mistake->param];
    return size >= 1 && size < 1e6 ? (size_t)size : 0;
}

typedef float line_rule(const struct stage_mistake *mistake, const struct stage_numbers *numbers,
                        const struct lines *lines, size_t block, size_t line, size_t cell);

static void apply_rule(const struct stage_mistake *mistake, const struct stage_numbers *numbers,
                       line_rule *rule)
{
    if (mistake->axis >= numbers->n_axes || numbers->n_cells == 0)
        return;
    struct lines lines = lines_of(numbers, mistake->axis);
    for (size_t at = 0; at < numbers->n_cells; at++)
        numbers->after[at] = rule(mistake, numbers, &lines, at / lines.inner / lines.n,
                                  at / lines.inner % lines.n, at % lines.inner);
}

static float cell_of(const struct stage_numbers *numbers, const struct lines *lines, size_t block,
                     size_t line, size_t cell)
{
    return numbers->before[(block * lines->n + line) * lines->inner + cell];
}

#define LINE_RULE(name, expression)                                                            \
    static float name##_rule(const struct stage_mistake *mistake,                              \
                             const struct stage_numbers *numbers, const struct lines *lines,   \
                             size_t block, size_t line, size_t cell)                           \
    {                                                                                          \
        float own = cell_of(numbers, lines, block, line, cell);                                \
        float none = numbers->boolean ? 0 : mistake->kind->number;                             \
        (void)own, (void)none, (void)mistake;                                                  \
        return expression;                                                                     \
    }                                                                                          \
    static void name(const struct stage_mistake *mistake, const struct stage_numbers *numbers) \
    {                                                                                          \
        apply_rule(mistake, numbers, name##_rule);                                             \
    }

LINE_RULE(last_line_missing, line + 1 == lines->n ? none : own)
LINE_RULE(first_line_missing, line == 0 ? none : own)
LINE_RULE(last_line_alone, line + 1 == lines->n ? own : none)
LINE_RULE(first_line_alone, line == 0 ? own : none)
LINE_RULE(first_line_for_all, cell_of(numbers, lines, block, 0, cell))
LINE_RULE(last_line_for_all, cell_of(numbers, lines, block, lines->n - 1, cell))
LINE_RULE(next_line, cell_of(numbers, lines, block, (line + 1) % lines->n, cell))
LINE_RULE(lines_turned_round, cell_of(numbers, lines, block, lines->n - 1 - line, cell))
LINE_RULE(lines_beyond_missing, line >= size_of(mistake, numbers) ? none : own)
LINE_RULE(line_times, (line > 0 ? mistake->kind->number : 1) * own)
LINE_RULE(last_line_times, (line + 1 == lines->n ? mistake->kind->number : 1) * own)
LINE_RULE(line_share, own / (float)(line + 1))

static float running_sum(const struct stage_numbers *numbers, const struct lines *lines,
                         size_t block, size_t line, size_t cell)
{
    float sum = 0;
    for (size_t i = 0; i <= line; i++)
        sum += cell_of(numbers, lines, block, i, cell);
    return numbers->boolean ? sum > 0 : sum;
}

LINE_RULE(sum_not_set_back, running_sum(numbers, lines, block, line, cell))

static float sum_of_lines(const struct stage_numbers *numbers, const struct lines *lines,
                          size_t block, size_t cell)
{
    float sum = running_sum(numbers, lines, block, lines->n - 1, cell);
    return sum != 0 ? sum : 1;
}

LINE_RULE(shares_of_lines, numbers->boolean ? own : own / sum_of_lines(numbers, lines, block, cell))

/* The two axes from this one on as if they were stored the other way round. */
static void read_turned(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    if (mistake->axis + 1 >= numbers->n_axes || numbers->n_cells == 0)
        return;
    struct lines rows = lines_of(numbers, mistake->axis);
    struct lines columns = lines_of(numbers, mistake->axis + 1);
    for (size_t at = 0; at < numbers->n_cells; at++) {
        size_t block = at / rows.inner / rows.n, row = at / rows.inner % rows.n;
        size_t column = at / columns.inner % columns.n, rest = at % columns.inner;
        numbers->after[at] =
            numbers->before[((block * columns.n + column) * rows.n + row) * columns.inner + rest];
    }
}

/* Row i from i * size on, of the last two axes; or, turned, column j from j * size on. */
static void read_stride(const struct stage_mistake *mistake, const struct stage_numbers *numbers,
                        bool turned)
{
    size_t size = size_of(mistake, numbers);
    if (numbers->n_axes < 2 || numbers->n_cells == 0)
        return;
    size_t columns = numbers->shape[numbers->n_axes - 1];
    size_t rows = numbers->shape[numbers->n_axes - 2], n = rows * columns;
    for (size_t at = 0; at < numbers->n_cells; at++) {
        size_t row = at / columns % rows, column = at % columns;
        size_t from = turned ? column * size + row : row * size + column;
        numbers->after[at] = numbers->before[at / n * n + from % n];
    }
}

static void other_stride(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    read_stride(mistake, numbers, false);
}

static void other_stride_turned(const struct stage_mistake *mistake,
                                const struct stage_numbers *numbers)
{
    read_stride(mistake, numbers, true);
}

/* ---- one number at a time ---- */

/* The first array of the stage's shape that it reads: what is there where it was left out. */
static const struct tensor *source_of(const struct stage_mistake *mistake,
                                      const struct stage_numbers *numbers)
{
    const char *at = formula_of(numbers->fixture->exercise->stages.items[mistake->change.stage]);
    const char *name;
    for (size_t size; (size = next_name(&at, &name)) > 0;) {
        const struct tensor *array = array_of(numbers->fixture, name, size);
        if (array != NULL && array->n_axes == numbers->n_axes && !array->is_bool &&
            memcmp(array->shape, numbers->shape, numbers->n_axes * sizeof *numbers->shape) == 0)
            return array;
    }
    return NULL;
}

/* Which lines are left out. */
enum { FIRST_LINE, LAST_LINE, AFTER_FIRST, FIRST_CELL, LAST_CELL, BEYOND_SIZE, CELLS_BEYOND_SIZE };

static bool is_left_out(const struct stage_mistake *mistake, const struct stage_numbers *numbers,
                        size_t at)
{
    struct lines lines = lines_of(numbers, mistake->axis);
    size_t line = at / lines.inner % lines.n;
    switch ((int)mistake->kind->number) {
    case FIRST_LINE:
        return line == 0;
    case LAST_LINE:
        return line + 1 == lines.n;
    case AFTER_FIRST:
        return line > 0;
    case FIRST_CELL:
        return at == 0;
    case LAST_CELL:
        return at + 1 == numbers->n_cells;
    case BEYOND_SIZE:
        return line >= size_of(mistake, numbers);
    default:
        return at >= size_of(mistake, numbers);
    }
}

static void left_out(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    const struct tensor *source = source_of(mistake, numbers);
    for (size_t at = 0; source != NULL && at < numbers->n_cells; at++)
        if (is_left_out(mistake, numbers, at))
            numbers->after[at] = tensor_at_position(source, at);
}

#define CELL_RULE(name, expression)                                                            \
    static void name(const struct stage_mistake *mistake, const struct stage_numbers *numbers) \
    {                                                                                          \
        float number = mistake->kind->number;                                                  \
        float size = mistake->kind->has_param ? (float)size_of(mistake, numbers) : 1;          \
        (void)number;                                                                          \
        for (size_t i = 0; i < numbers->n_cells && size > 0 && !numbers->boolean; i++) {       \
            float own = numbers->before[i];                                                    \
            numbers->after[i] = expression;                                                    \
            (void)own;                                                                         \
        }                                                                                      \
    }

CELL_RULE(times, number *own)
CELL_RULE(plus, own + number)
CELL_RULE(times_size, size *own)
CELL_RULE(divided_by_size, own / size)
CELL_RULE(times_root, sqrtf(size) * own)
CELL_RULE(divided_by_root, own / sqrtf(size))
CELL_RULE(times_whole_share, floorf(1 / size) * own)
CELL_RULE(divided_by_whole_root, sqrtf(size) / floorf(sqrtf(size)) * own)
CELL_RULE(size_instead, size)
CELL_RULE(cut, truncf(own))
CELL_RULE(sign_lost, fabsf(own))
CELL_RULE(from_zero, fmaxf(own, number))
CELL_RULE(large_times, fabsf(own) > number ? 0.9f * own : own)
CELL_RULE(large_lost, fabsf(own) > number ? NAN : own)
CELL_RULE(below_lost, own < -number ? NAN : own)
CELL_RULE(near_one_lost, own > 0.999f || own < 1e-6f ? 0.5f : own)
CELL_RULE(hidden_as, own == -INFINITY ? number : own)
CELL_RULE(zero_as, own == 0 ? number : own)

static void apply_truths(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    for (size_t i = 0; i < numbers->n_cells && numbers->boolean; i++) {
        float own = numbers->before[i], all = mistake->kind->number;
        numbers->after[i] = all < 0 ? 1 - own : all;
    }
}

/* The cells [i, i], or those beside them, the other way round. */
static void diagonal(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    if (numbers->n_axes < 2 || !numbers->boolean || numbers->n_cells == 0)
        return;
    size_t columns = numbers->shape[numbers->n_axes - 1];
    size_t rows = numbers->shape[numbers->n_axes - 2];
    for (size_t at = 0; at < numbers->n_cells; at++)
        if (at % columns == at / columns % rows + (size_t)mistake->kind->number)
            numbers->after[at] = 1 - numbers->before[at];
}

/* The lower triangle for the upper one: all but the cells [i, i] the other way round. */
static void other_triangle(const struct stage_mistake *mistake, const struct stage_numbers *numbers)
{
    (void)mistake;
    if (numbers->n_axes < 2 || !numbers->boolean || numbers->n_cells == 0)
        return;
    size_t columns = numbers->shape[numbers->n_axes - 1];
    size_t rows = numbers->shape[numbers->n_axes - 2];
    for (size_t at = 0; at < numbers->n_cells; at++)
        if (at % columns != at / columns % rows)
            numbers->after[at] = 1 - numbers->before[at];
}

static const struct mistake_kind kinds[] = {
    {FOR_LOOPS, true, false, 0, last_line_missing},
    {FOR_LOOPS, true, false, 0, first_line_missing},
    {FOR_LOOPS, true, false, 0, last_line_alone},
    {FOR_LOOPS, true, false, 0, first_line_alone},
    {FOR_EXPS, true, false, -INFINITY, last_line_missing},
    {FOR_EXPS, true, false, -INFINITY, first_line_missing},
    {FOR_EXPS, true, true, -INFINITY, lines_beyond_missing},
    {FOR_LOOPS, true, false, 0, first_line_for_all},
    {FOR_LOOPS, true, false, 0, last_line_for_all},
    {FOR_LOOPS, true, false, 0, next_line},
    {FOR_LOOPS, true, false, 0, lines_turned_round},
    {FOR_LOOPS, true, false, 0, sum_not_set_back},
    {FOR_LOOPS, true, true, 0, lines_beyond_missing},
    {FOR_LOOPS, true, false, 0, read_turned},
    {FOR_LOOPS, false, true, 0, other_stride},
    {FOR_LOOPS, false, true, 0, other_stride_turned},
    {FOR_TRUTHS, false, false, -1, apply_truths},
    {FOR_TRUTHS, false, false, 0, apply_truths},
    {FOR_TRUTHS, false, false, 1, apply_truths},
    {FOR_TRUTHS, false, false, 0, diagonal},
    {FOR_TRUTHS, false, false, 1, diagonal},
    {FOR_TRUTHS, false, false, 0, other_triangle},
    {FOR_PLACES | FOR_RESULTS, true, false, FIRST_LINE, left_out},
    {FOR_PLACES | FOR_RESULTS, true, false, LAST_LINE, left_out},
    {FOR_PLACES | FOR_RESULTS, true, false, AFTER_FIRST, left_out},
    {FOR_PLACES | FOR_RESULTS, true, false, FIRST_CELL, left_out},
    {FOR_PLACES | FOR_RESULTS, true, false, LAST_CELL, left_out},
    {FOR_PLACES | FOR_RESULTS, true, true, BEYOND_SIZE, left_out},
    {FOR_PLACES | FOR_RESULTS, true, true, CELLS_BEYOND_SIZE, left_out},
    {FOR_FACTORS, true, false, 0.6f, line_times},
    {FOR_FACTORS, true, false, 0.6f, last_line_times},
    {FOR_FACTORS, true, false, 0, line_share},
    {FOR_FACTORS, true, false, 0, shares_of_lines},
    {FOR_FACTORS | FOR_RESULTS, false, false, 0.7f, times},
    {FOR_FACTORS | FOR_RESULTS, false, false, 2, times},
    {FOR_FACTORS | FOR_RESULTS, false, false, 0, times},
    {FOR_FACTORS | FOR_RESULTS, false, false, -1, times},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, times_size},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, divided_by_size},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, times_root},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, divided_by_root},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, times_whole_share},
    {FOR_FACTORS | FOR_RESULTS, false, true, 0, divided_by_whole_root},
    {FOR_NUMBERS | FOR_RESULTS, false, false, 0, cut},
    {FOR_NUMBERS | FOR_RESULTS, false, false, 0, sign_lost},
    {FOR_NUMBERS | FOR_RESULTS, false, false, 0, from_zero},
    {FOR_NUMBERS, false, false, 0.4f, plus},
    {FOR_EXPS, false, false, 0, from_zero},
    {FOR_EXPS, false, false, 25, large_times},
    {FOR_EXPS, false, false, 80, large_lost},
    {FOR_EXPS, false, false, 700, large_lost},
    {FOR_EXPS, false, false, 80, below_lost},
    {FOR_EXPS, false, false, 700, below_lost},
    {FOR_EXPS | FOR_RESULTS, false, false, 0, near_one_lost},
    {FOR_HIDDEN, false, false, 0, hidden_as},
    {FOR_HIDDEN, false, false, -20, hidden_as},
    {FOR_HIDDEN, false, false, -1e9f, hidden_as},
    {FOR_HIDDEN, false, false, NAN, hidden_as},
    {FOR_HIDDEN, false, false, 0.5f, zero_as},
    {FOR_HIDDEN, false, false, -INFINITY, zero_as},
    {FOR_HIDDEN, false, false, NAN, zero_as},
    {FOR_SIZES, false, true, 0, size_instead},
    {FOR_SIZES, false, false, 1, plus},
    {FOR_SIZES, false, false, -1, plus},
    {FOR_SIZES, false, false, 0.5f, times},
};

/* ---- which kinds suit a stage ---- */

/* Those whose call keeps each number in its place. */
static const char *const in_place[] = {"sqrt",  "exp",     "log",     "where", "abs",
                                       "floor", "maximum", "minimum", "float"};

static bool is_in_place(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof in_place / sizeof *in_place; i++)
        if (text_equals(name, size, in_place[i]))
            return true;
    return false;
}

/* Does each number of the result come from the numbers at the same place? */
static bool keeps_places(const char *formula)
{
    const char *at = formula, *name;
    if (strpbrk(formula, "@[") != NULL || strstr(formula, ".T") != NULL)
        return false;
    for (size_t size; (size = next_name(&at, &name)) > 0;)
        if (*at == '(' && !is_in_place(name, size))
            return false;
    return true;
}

static bool is_one_name(const char *formula)
{
    const char *at = formula, *name;
    return next_name(&at, &name) > 0 && name == formula && at[strspn(at, " ")] == '\0';
}

/* Does a later stage do nothing but multiply or divide what this one leaves? A wrong factor is
 * that stage's then. */
static bool is_scaled_later(const struct exercise *exercise, unsigned stage)
{
    const char *name;
    size_t size = statement_target(exercise->stages.items[stage], &name);
    for (unsigned i = stage + 1; i < exercise->stages.n; i++) {
        const char *formula = formula_of(exercise->stages.items[i]);
        if (strncmp(formula, name, size) == 0 && keeps_places(formula) &&
            (strncmp(formula + size, " / ", 3) == 0 || strncmp(formula + size, " * ", 3) == 0))
            return true;
    }
    return false;
}

/* Does the formula of this stage read that name? */
static bool reads_name(const char *formula, const char *name, size_t size)
{
    const char *at = formula, *read;
    for (size_t read_size; (read_size = next_name(&at, &read)) > 0;)
        if (read_size == size && memcmp(read, name, size) == 0)
            return true;
    return false;
}

static bool bends(const char *formula)
{
    return strstr(formula, "exp(") != NULL || strstr(formula, "softmax(") != NULL;
}

/* The same, also where products and sums come in between: then a factor is seen there just as here,
 * in whatever size. */
static bool is_scaled_at_the_end(const struct exercise *exercise, unsigned stage)
{
    const char *name;
    size_t size = statement_target(exercise->stages.items[stage], &name);
    bool is_read = false;
    if (is_scaled_later(exercise, stage))
        return true;
    for (unsigned i = stage + 1; i < exercise->stages.n; i++) {
        const char *formula = formula_of(exercise->stages.items[i]);
        if (!reads_name(formula, name, size))
            continue;
        if (bends(formula) || !is_scaled_at_the_end(exercise, i))
            return false;
        is_read = true;
    }
    return is_read;
}

/* Is the size one of those that the arrays which the stage reads have? */
static bool is_size_of_reads(const struct fixture *fixture, unsigned stage, unsigned param)
{
    const char *at = formula_of(fixture->exercise->stages.items[stage]), *name;
    for (size_t size; (size = next_name(&at, &name)) > 0;) {
        const struct tensor *array = array_of(fixture, name, size);
        for (unsigned axis = 0; array != NULL && axis < array->n_axes; axis++)
            if ((double)array->shape[axis] == fixture->scalars[param])
                return true;
    }
    return false;
}

static bool has_any(const char *formula, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(formula, words[i]) != NULL)
            return true;
    return false;
}

static unsigned suits_of(const struct exercise *exercise, unsigned stage)
{
    static const char *const factors[] = {"/",     "*",     "exp(", "softmax(",
                                          "mean(", "sqrt(", "@",    "sum("};
    static const char *const numbers[] = {"/", "*",    "exp(", "softmax(", "sqrt(",
                                          "@", "sum(", "+",    " - "};
    static const char *const exps[] = {"exp(", "softmax(", "max(", "**"};
    static const char *const hidden[] = {"inf", "where(", "any("};
    const char *formula = formula_of(exercise->stages.items[stage]);
    unsigned suits = FOR_SIZES | FOR_TRUTHS;
    suits |= !keeps_places(formula) || is_one_name(formula) ? FOR_LOOPS : FOR_PLACES;
    if (has_any(formula, factors, sizeof factors / sizeof *factors) &&
        !is_scaled_later(exercise, stage))
        suits |= FOR_FACTORS;
    if (has_any(formula, numbers, sizeof numbers / sizeof *numbers))
        suits |= FOR_NUMBERS;
    if (has_any(formula, exps, sizeof exps / sizeof *exps))
        suits |= FOR_EXPS;
    if (has_any(formula, hidden, sizeof hidden / sizeof *hidden))
        suits |= FOR_HIDDEN;
    return suits;
}

/* ---- the list ---- */

static bool add(struct stage_mistakes *list, const struct stage_mistake *mistake,
                struct error *reterr)
{
    struct stage_mistake *items = array_grow(list->items, list->n, &list->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "a search for a stage");
    list->items = items;
    items[list->n++] = *mistake;
    return true;
}

static bool is_size(const struct exercise *exercise, unsigned param)
{
    return exercise->prototype.params[param].kind == PARAM_SIZE;
}

static bool suits_array(const struct mistake_kind *kind, const struct tensor *array)
{
    if (array->n_axes == 0)
        return !kind->has_axis && (kind->suits & (FOR_LOOPS | FOR_TRUTHS)) == 0;
    return (kind->suits & FOR_SIZES) == 0 && (array->is_bool || !(kind->suits & FOR_TRUTHS));
}

/* A factor of a size that has nothing to do with the stage is a later stage's, if that scales. */
static bool suits_size(const struct fixture *fixture, const struct stage_mistake *mistake)
{
    if (!mistake->kind->has_param)
        return true;
    return is_size(fixture->exercise, mistake->param) &&
           (!(mistake->kind->suits & FOR_FACTORS) ||
            is_size_of_reads(fixture, mistake->change.stage, mistake->param) ||
            !is_scaled_at_the_end(fixture->exercise, mistake->change.stage));
}

static bool add_kind(const struct fixture *fixture, struct stage_mistakes *list,
                     struct stage_mistake mistake, const struct tensor *array, struct error *reterr)
{
    const struct mistake_kind *kind = mistake.kind;
    const struct exercise *exercise = fixture->exercise;
    unsigned n_axes = kind->has_axis ? array->n_axes : 1;
    unsigned n_params = kind->has_param ? exercise->prototype.n_params : 1;
    for (mistake.axis = 0; mistake.axis < n_axes; mistake.axis++)
        for (mistake.param = 0; mistake.param < n_params; mistake.param++)
            if (suits_size(fixture, &mistake) && !add(list, &mistake, reterr))
                return false;
    return true;
}

/* The mistakes in one name that the stage reads, or (read NULL) in what it leaves. */
static bool add_kinds(const struct fixture *fixture, struct stage_mistakes *list,
                      struct stage_change change, unsigned suits, struct error *reterr)
{
    const char *name = change.read;
    size_t size = change.read_size;
    if (name == NULL)
        size = statement_target(fixture->exercise->stages.items[change.stage], &name);
    const struct tensor *array = array_of(fixture, name, size);
    for (size_t i = 0; array != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        struct stage_mistake mistake = {.change = change, .kind = &kinds[i]};
        if ((kinds[i].suits & suits) != 0 && suits_array(&kinds[i], array) &&
            (change.read == NULL || !(kinds[i].suits & FOR_RESULTS)) &&
            !add_kind(fixture, list, mistake, array, reterr))
            return false;
    }
    return true;
}

/* How many arrays does the formula read? */
static unsigned count_arrays(const struct fixture *fixture, const char *formula)
{
    const char *at = formula, *name;
    unsigned n = 0;
    for (size_t size; (size = next_name(&at, &name)) > 0;) {
        const struct tensor *array = array_of(fixture, name, size);
        n += array != NULL && array->n_axes > 0;
    }
    return n;
}

static bool add_reads(const struct fixture *fixture, struct stage_mistakes *list, unsigned stage,
                      unsigned suits, struct error *reterr)
{
    const char *at = formula_of(fixture->exercise->stages.items[stage]), *name;
    if (count_arrays(fixture, at) > 1)
        suits |= FOR_LOOPS;
    for (size_t size; (size = next_name(&at, &name)) > 0;) {
        struct stage_change change = {.stage = stage, .read = name, .read_size = size};
        if (*at != '(' && *at != '=' && !add_kinds(fixture, list, change, suits, reterr))
            return false;
    }
    return true;
}

/* The exercise's misconceptions of this stage that show in numbers. */
static bool add_ideas(const struct exercise *exercise, struct stage_mistakes *list, unsigned stage,
                      struct error *reterr)
{
    const char *name;
    size_t size = statement_target(exercise->stages.items[stage], &name);
    for (unsigned i = 0; i < exercise->n_misconceptions; i++) {
        struct stage_mistake known = {.idea = &exercise->misconceptions[i]};
        if (known.idea->stages.n > 0 && misconception_is_about(known.idea, name, size) &&
            !add(list, &known, reterr))
            return false;
    }
    return true;
}

bool stage_mistakes_list(const struct fixture *fixture, unsigned stage, bool with_ideas,
                         struct stage_mistakes *ret, struct error *reterr)
{
    const struct exercise *exercise = fixture->exercise;
    struct stage_mistakes list = {0};
    unsigned suits = suits_of(exercise, stage);
    bool ok = (!with_ideas || add_ideas(exercise, &list, stage, reterr)) &&
              add_reads(fixture, &list, stage, suits, reterr) &&
              add_kinds(fixture, &list, (struct stage_change){.stage = stage}, suits, reterr);
    if (ok)
        *ret = list;
    else
        stage_mistakes_release(&list);
    return ok;
}

void stage_mistakes_release(struct stage_mistakes *mistakes)
{
    free(mistakes->items);
    *mistakes = (struct stage_mistakes){0};
}

static void apply_mistake(const void *context, const struct stage_numbers *numbers)
{
    const struct stage_mistake *mistake = context;
    mistake->kind->apply(mistake, numbers);
}

bool stage_mistake_answer(const struct stage_mistake *mistake, struct fixture *fixture,
                          struct answer *ret, struct error *reterr)
{
    if (mistake->idea != NULL)
        return fixture_answer_under(fixture, &mistake->idea, 1, ret, reterr);
    struct stage_change change = mistake->change;
    change.apply = apply_mistake;
    change.context = mistake;
    return fixture_answer_changed(fixture, &change, ret, reterr);
}
