/* Matching patterns: see pattern_internal.h. */
#include "diagnose/pattern_internal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lang/syntax/parser.h"

static const char rest_name[] = "_rest";

struct matching {
    const struct pattern *pattern;
    const struct matched_place *place;
    struct arena *arena;
    struct bindings *bindings;
    bool failed; /* no memory */
};

/* An expression and the words that it was read from. */
struct reading {
    const struct expr *expr;
    const char *source;
    size_t step; /* of the formula; names mean what steps before it gave */
};

bool pattern_read(struct arena *arena, const char *text, const struct hole *holes, size_t n_holes,
                  struct pattern *ret, struct error *reterr)
{
    struct statement *first = NULL;
    if (!parser_parse_line(arena, NULL, text, strlen(text), &first, reterr))
        return false;
    if (first == NULL || first->kind != STATEMENT_EXPRESSION || first->next != NULL)
        return error_set(reterr, ERR_SYNTAX, "%s: an expression is expected", text);
    *ret = (struct pattern){text, first->value, holes, n_holes};
    return true;
}

/* ---- holes ---- */

static bool is_hole(const struct expr *expr)
{
    return expr->kind == EXPR_NAME && expr->as.text.bytes[0] == '_';
}

static bool is_rest(const struct expr *expr)
{
    return expr->kind == EXPR_NAME &&
           text_equals(expr->as.text.bytes, expr->as.text.size, rest_name);
}

enum hole_kind hole_kind_of(const struct hole *holes, size_t n_holes, const char *name, size_t size)
{
    for (size_t i = 0; i < n_holes; i++)
        if (text_equals(name, size, holes[i].name))
            return holes[i].kind;
    return HOLE_ANY;
}

const struct binding *bindings_find(const struct bindings *bindings, const char *name, size_t size)
{
    for (size_t i = 0; i < bindings->n; i++) {
        const struct binding *binding = &bindings->items[i];
        if (binding->name_size == size && memcmp(binding->name, name, size) == 0)
            return binding;
    }
    return NULL;
}

bool bindings_add(struct bindings *bindings, const struct binding *binding)
{
    if (bindings->n == PATTERN_MAX_HOLES)
        return false;
    bindings->items[bindings->n++] = *binding;
    return true;
}

/* Is the name known before this step? Then *ret_is_size: it counts something. */
static bool find_name(const struct matching *matching, size_t step, const char *name, size_t size,
                      bool *ret_is_size)
{
    const struct formula *formula = matching->place->formula;
    const struct formula_step *given = formula_step_of(formula, step, name, size);
    if (given != NULL) {
        *ret_is_size = given->gives_size;
        return true;
    }
    for (size_t i = 0; i < formula->n_inputs; i++)
        if (text_equals(name, size, formula->inputs[i].name)) {
            *ret_is_size = formula->inputs[i].is_size;
            return true;
        }
    return false;
}

static bool fits_kind(const struct matching *matching, enum hole_kind kind,
                      const struct reading *reading)
{
    const struct expr *expr = reading->expr;
    bool is_number = expr->kind == EXPR_NUMBER, is_size = false;
    bool is_known =
        expr->kind == EXPR_NAME &&
        find_name(matching, reading->step, expr->as.text.bytes, expr->as.text.size, &is_size);
    switch (kind) {
    case HOLE_SIZE:
        return (is_number && expr->as.number >= 1 && expr->as.number == floor(expr->as.number)) ||
               (is_known && is_size);
    case HOLE_NAME:
        return is_known && !is_size;
    case HOLE_NUMBER:
        return is_number;
    default:
        return true;
    }
}

static bool same_words(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a_size && a[i] == ' ')
            i++;
        while (j < b_size && b[j] == ' ')
            j++;
        if (i == a_size || j == b_size)
            return i == a_size && j == b_size;
        if (a[i] != b[j])
            return false;
    }
}

/* Binds a hole, or compares with what it is bound to. */
static bool bind(struct matching *matching, const struct expr *hole, const struct reading *reading)
{
    const char *name = hole->as.text.bytes;
    size_t size = hole->as.text.size;
    const struct expr *expr = reading->expr;
    struct binding binding = {.name = name,
                              .name_size = size,
                              .text = reading->source + expr->begin,
                              .size = expr->end - expr->begin,
                              .is_operation =
                                  expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY};
    const struct binding *bound = bindings_find(matching->bindings, name, size);
    if (bound != NULL)
        return same_words(bound->text, bound->size, binding.text, binding.size);
    enum hole_kind kind =
        hole_kind_of(matching->pattern->holes, matching->pattern->n_holes, name, size);
    return fits_kind(matching, kind, reading) && bindings_add(matching->bindings, &binding);
}

/* ---- calls ---- */

static const struct argument *keyword_argument(const struct expr *call, const struct argument *like)
{
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct argument *argument = &call->as.call.arguments[i];
        if (argument->keyword != NULL && argument->keyword_size == like->keyword_size &&
            memcmp(argument->keyword, like->keyword, like->keyword_size) == 0)
            return argument;
    }
    return NULL;
}

static bool is_taken(const struct expr *pattern, size_t n_positions, const struct expr *call,
                     size_t i)
{
    const struct argument *argument = &call->as.call.arguments[i];
    return argument->keyword == NULL ? i < n_positions
                                     : keyword_argument(pattern, argument) != NULL;
}

/* Binds _rest to the arguments that no part of the pattern took. */
static bool bind_rest(struct matching *matching, const struct expr *pattern, size_t n_positions,
                      const struct reading *call)
{
    struct text words = {0};
    for (size_t i = 0; i < call->expr->as.call.n; i++) {
        const struct argument *argument = &call->expr->as.call.arguments[i];
        if (is_taken(pattern, n_positions, call->expr, i))
            continue;
        text_put(&words, words.size > 0 ? ", " : "");
        if (argument->keyword != NULL)
            text_format(&words, "%.*s=", (int)argument->keyword_size, argument->keyword);
        text_add(&words, call->source + argument->value->begin,
                 argument->value->end - argument->value->begin);
    }
    struct binding binding = {.name = rest_name, .name_size = sizeof rest_name - 1};
    binding.size = words.size;
    binding.text =
        words.failed ? NULL : arena_copy(matching->arena, text_string(&words), words.size);
    text_release(&words);
    matching->failed = matching->failed || binding.text == NULL;
    return binding.text != NULL && bindings_add(matching->bindings, &binding);
}

static bool match(struct matching *matching, const struct expr *pattern,
                  const struct reading *reading);

static bool match_part(struct matching *matching, const struct expr *pattern,
                       const struct expr *part, const struct reading *whole)
{
    if (pattern == NULL || part == NULL)
        return pattern == part;
    return match(matching, pattern, &(struct reading){part, whole->source, whole->step});
}

static bool match_arguments(struct matching *matching, const struct expr *pattern,
                            const struct reading *call)
{
    size_t position = 0, n_taken = 0;
    for (size_t i = 0; i < pattern->as.call.n; i++) {
        const struct argument *wanted = &pattern->as.call.arguments[i], *given = NULL;
        if (is_rest(wanted->value))
            return bind_rest(matching, pattern, position, call);
        if (wanted->keyword != NULL)
            given = keyword_argument(call->expr, wanted);
        else if (position < call->expr->as.call.n)
            given = &call->expr->as.call.arguments[position++];
        if (given == NULL || (given->keyword != NULL) != (wanted->keyword != NULL) ||
            !match_part(matching, wanted->value, given->value, call))
            return false;
        n_taken++;
    }
    return n_taken == call->expr->as.call.n;
}

/* ---- expressions ---- */

static bool match_list(struct matching *matching, const struct expr *pattern,
                       const struct reading *reading)
{
    if (pattern->as.list.n != reading->expr->as.list.n)
        return false;
    for (size_t i = 0; i < pattern->as.list.n; i++)
        if (!match_part(matching, pattern->as.list.items[i], reading->expr->as.list.items[i],
                        reading))
            return false;
    return true;
}

static bool match_same_kind(struct matching *matching, const struct expr *pattern,
                            const struct reading *reading)
{
    const struct expr *expr = reading->expr;
    switch (pattern->kind) {
    case EXPR_NUMBER:
        return pattern->as.number == expr->as.number;
    case EXPR_NAME:
    case EXPR_STRING:
        return expr_same_word(pattern, expr);
    case EXPR_LIST:
    case EXPR_TUPLE:
        return match_list(matching, pattern, reading);
    case EXPR_UNARY:
    case EXPR_BINARY:
        return pattern->as.operation.meaning == expr->as.operation.meaning &&
               pattern->as.operation.op == expr->as.operation.op &&
               match_part(matching, pattern->as.operation.left, expr->as.operation.left, reading) &&
               (pattern->kind == EXPR_UNARY || match_part(matching, pattern->as.operation.right,
                                                          expr->as.operation.right, reading));
    case EXPR_CALL:
        return match_part(matching, pattern->object, expr->object, reading) &&
               match_arguments(matching, pattern, reading);
    case EXPR_ATTRIBUTE:
        return expr_same_word(pattern, expr) &&
               match_part(matching, pattern->object, expr->object, reading);
    case EXPR_INDEX:
        return match_part(matching, pattern->object, expr->object, reading) &&
               match_list(matching, pattern, reading);
    case EXPR_SLICE:
        return match_part(matching, pattern->as.slice.start, expr->as.slice.start, reading) &&
               match_part(matching, pattern->as.slice.stop, expr->as.slice.stop, reading) &&
               match_part(matching, pattern->as.slice.step, expr->as.slice.step, reading);
    case EXPR_ELLIPSIS:
        return true;
    default:
        return false;
    }
}

/* The step that gave the name that is read; NULL for all else. */
static const struct formula_step *definition_of(const struct matching *matching,
                                                const struct reading *reading)
{
    if (reading->expr->kind != EXPR_NAME)
        return NULL;
    return formula_step_of(matching->place->formula, reading->step, reading->expr->as.text.bytes,
                           reading->expr->as.text.size);
}

static bool match(struct matching *matching, const struct expr *pattern,
                  const struct reading *reading)
{
    if (is_hole(pattern))
        return bind(matching, pattern, reading);
    if (pattern->kind == reading->expr->kind)
        return match_same_kind(matching, pattern, reading);
    const struct formula_step *given = definition_of(matching, reading);
    return given != NULL &&
           match(matching, pattern,
                 &(struct reading){given->value, given->text,
                                   (size_t)(given - matching->place->formula->steps)});
}

bool pattern_match(const struct pattern *pattern, const struct matched_place *place,
                   const char *source, const struct expr *expr, struct arena *arena,
                   struct bindings *ret, bool *ret_failed)
{
    struct matching matching = {
        .pattern = pattern, .place = place, .arena = arena, .bindings = ret};
    ret->n = 0;
    struct reading reading = {expr, source, place->step};
    bool matches = match(&matching, pattern->expr, &reading);
    *ret_failed = matching.failed;
    return matches && !matching.failed;
}

/* ---- filling in ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A hole begins at text[at]. */
static bool is_hole_at(const char *text, size_t at)
{
    return text[at] == '_' && (at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.')) &&
           is_word(text[at + 1]);
}

size_t hole_next(const char *text, size_t *at, const char **ret)
{
    size_t size = 0;
    while (text[*at] != '\0' && !is_hole_at(text, *at))
        (*at)++;
    *ret = text + *at;
    while (text[*at] != '\0' && is_word(text[*at])) {
        (*at)++;
        size++;
    }
    return size;
}

bool stands_alone(const char *text, size_t begin, size_t end)
{
    while (begin > 0 && text[begin - 1] == ' ')
        begin--;
    while (text[end] == ' ')
        end++;
    bool before = begin == 0 || strchr("(,[=", text[begin - 1]) != NULL;
    return before && (text[end] == '\0' || strchr("),]", text[end]) != NULL);
}

/* Takes back ", " before an empty _rest. */
static void drop_comma(struct text *out)
{
    size_t size = out->size;
    while (size > 0 && out->bytes[size - 1] == ' ')
        size--;
    if (size > 0 && out->bytes[size - 1] == ',')
        text_shrink(out, size - 1);
}

bool bindings_fill(const struct bindings *bindings, const char *text, struct text *out,
                   const char **ret_missing, size_t *ret_missing_size)
{
    static const struct binding nothing = {.text = ""};
    for (size_t at = 0; text[at] != '\0';) {
        size_t size = 0;
        if (!is_hole_at(text, at)) {
            text_char(out, text[at++]);
            continue;
        }
        while (is_word(text[at + size]))
            size++;
        const struct binding *bound = bindings_find(bindings, text + at, size);
        if (bound == NULL && text_equals(text + at, size, rest_name))
            bound = &nothing;
        if (bound == NULL) {
            *ret_missing = text + at;
            *ret_missing_size = size;
            return false;
        }
        bool brackets = bound->is_operation && !stands_alone(text, at, at + size);
        text_put(out, brackets ? "(" : "");
        text_add(out, bound->text, bound->size);
        text_put(out, brackets ? ")" : "");
        if (bound->size == 0)
            drop_comma(out);
        at += size;
    }
    return true;
}
