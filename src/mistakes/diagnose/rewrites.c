/* Making changes: see rewrites.h. */
#include "diagnose/rewrites.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/syntax/parser.h"

enum { WAYS_OF_FORM = 1000 }; /* more than a form puts anywhere */

/* An edit being tried on a step. */
struct changing {
    const struct edits *edits;
    const struct edit *edit;
    const struct formula *formula;
    size_t step;
    unsigned way;          /* see struct rewrite */
    const struct expr *at; /* the part that matches */
    const struct rewrite *base;
    struct rewrites *changes;
    size_t first; /* of the changes of this step */
    struct error *reterr;
};

static const struct formula_step *step_of(const struct changing *changing)
{
    return &changing->formula->steps[changing->step];
}

static bool is_new(const struct changing *changing, const char *statement)
{
    for (size_t i = changing->first; i < changing->changes->n; i++)
        if (strcmp(changing->changes->items[i].statement, statement) == 0)
            return false;
    return strcmp(step_of(changing)->text, statement) != 0;
}

/* A copy of text with its holes filled; NULL for NULL, and if a hole is unbound. */
static bool fill(struct changing *changing, const struct bindings *bindings, const char *text,
                 const char **ret)
{
    struct text words = {0};
    const char *missing;
    size_t size;
    bool is_full = text != NULL && bindings_fill(bindings, text, &words, &missing, &size);
    *ret = is_full && !words.failed
               ? arena_copy(&changing->changes->arena, text_string(&words), words.size)
               : NULL;
    bool ok = !words.failed && (!is_full || *ret != NULL);
    text_release(&words);
    return ok;
}

/* "PART -> PUT" in the arena; NULL where memory is lacking. */
static const char *piece_of(struct changing *changing, const char *put)
{
    const struct expr *at = changing->at;
    struct text piece = {0};
    text_add(&piece, step_of(changing)->text + at->begin, at->end - at->begin);
    text_put(&piece, " -> ");
    text_put(&piece, put);
    const char *copy = piece.failed
                           ? NULL
                           : arena_copy(&changing->changes->arena, text_string(&piece), piece.size);
    text_release(&piece);
    return copy;
}

/* Reads the change's statement, as it is sure to be tried. A fault in it is reported when it is
 * run. False if memory is lacking. */
static bool read_statement(struct changing *changing, struct rewrite *change)
{
    struct statement *read = NULL;
    struct error error = {0};
    if (change->base == NULL &&
        parser_parse_line(&changing->changes->arena, NULL, change->statement,
                          strlen(change->statement), &read, &error))
        change->read = read;
    return error.kind != ERR_MEMORY;
}

static bool keep(struct changing *changing, const struct bindings *bindings, const char *statement,
                 const char *put)
{
    struct rewrites *changes = changing->changes;
    struct rewrite *items =
        array_grow(changes->items, changes->n, &changes->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(changing->reterr, "a diagnosis");
    changes->items = items;
    struct text functions = {0};
    edits_functions_in(changing->edits, statement, &functions);
    struct rewrite change = {
        .edit = changing->edit,
        .way = changing->way,
        .step = changing->step,
        .base = changing->base,
        .statement = arena_copy(&changes->arena, statement, strlen(statement)),
        .piece = piece_of(changing, put),
        .functions = arena_copy(&changes->arena, text_string(&functions), functions.size)};
    bool failed = functions.failed || change.statement == NULL || change.functions == NULL ||
                  change.piece == NULL || !read_statement(changing, &change) ||
                  !fill(changing, bindings, changing->edit->when, &change.when) ||
                  !fill(changing, bindings, changing->edit->math, &change.math);
    text_release(&functions);
    if (change.when == NULL)
        change.when = changing->edit->when;
    if (failed)
        return error_memory(changing->reterr, "a diagnosis");
    changes->items[changes->n++] = change;
    return true;
}

/* One name or number: nothing beside it can take a part of it. */
static bool is_one_piece(const char *words)
{
    size_t size = strspn(words, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    return words[size] == '\0';
}

/* The step with the part replaced by these words. */
static bool replace(struct changing *changing, const struct bindings *bindings, const char *words)
{
    const struct formula_step *step = step_of(changing);
    struct text statement = {0};
    bool brackets =
        !stands_alone(step->text, changing->at->begin, changing->at->end) && !is_one_piece(words);
    text_add(&statement, step->text, changing->at->begin);
    text_put(&statement, brackets ? "(" : "");
    text_put(&statement, words);
    text_put(&statement, brackets ? ")" : "");
    text_put(&statement, step->text + changing->at->end);
    bool ok = !statement.failed || error_memory(changing->reterr, "a diagnosis");
    if (ok && is_new(changing, text_string(&statement)))
        ok = keep(changing, bindings, text_string(&statement), words);
    text_release(&statement);
    return ok;
}

/* ---- holes that the pattern leaves open ---- */

static bool put_in(struct changing *changing, const struct bindings *bindings, const char *put);

static bool put_with(struct changing *changing, const struct bindings *bindings, const char *put,
                     const struct binding *with)
{
    struct bindings more = *bindings;
    for (size_t i = 0; i < bindings->n; i++)
        if (bindings->items[i].size == with->size &&
            memcmp(bindings->items[i].text, with->text, with->size) == 0)
            return true; /* another one is meant */
    return !bindings_add(&more, with) || put_in(changing, &more, put);
}

/* In a lesson nobody who means a number writes a name there. */
static bool is_name_for_number(const struct changing *changing, const struct bindings *bindings,
                               const struct binding *with)
{
    bool has_number = false;
    for (size_t i = 0; i < bindings->n; i++)
        has_number = has_number || text_is_digit(bindings->items[i].text[0]);
    return changing->formula->is_lesson && has_number && !text_is_digit(with->text[0]);
}

/* Tries each name of the kind that is there at this step. */
static bool put_each(struct changing *changing, const struct bindings *bindings, const char *put,
                     const char *hole, size_t size)
{
    const struct formula *formula = changing->formula;
    enum hole_kind kind = hole_kind_of(changing->edit->holes, changing->edit->n_holes, hole, size);
    bool ok = true;
    struct binding with = {.name = hole, .name_size = size};
    for (size_t i = 0; ok && i < formula->n_inputs; i++) {
        with.text = formula->inputs[i].name;
        with.size = strlen(with.text);
        if (formula->inputs[i].is_size == (kind == HOLE_SIZE) &&
            !(kind == HOLE_SIZE && is_name_for_number(changing, bindings, &with)))
            ok = put_with(changing, bindings, put, &with);
    }
    for (size_t i = 0; ok && i < changing->step; i++) {
        with.text = formula->steps[i].name;
        with.size = formula->steps[i].name_size;
        if (formula->steps[i].gives_size == (kind == HOLE_SIZE))
            ok = put_with(changing, bindings, put, &with);
    }
    return ok;
}

static bool put_in(struct changing *changing, const struct bindings *bindings, const char *put)
{
    struct text words = {0};
    const char *missing = NULL;
    size_t size = 0;
    bool is_full = bindings_fill(bindings, put, &words, &missing, &size);
    bool ok = !words.failed || error_memory(changing->reterr, "a diagnosis");
    if (ok)
        ok = is_full ? replace(changing, bindings, text_string(&words))
                     : put_each(changing, bindings, put, missing, size);
    text_release(&words);
    return ok;
}

/* ---- places ---- */

static bool try_form(struct changing *changing, unsigned number, const struct expr *at)
{
    const struct edit_form *form = &changing->edit->forms[number];
    const struct matched_place place = {changing->formula, changing->step};
    bool failed = false;
    for (unsigned i = 0; i < form->match.n; i++) {
        struct bindings bindings;
        if (!pattern_match(&form->patterns[i], &place, step_of(changing)->text, at,
                           &changing->changes->arena, &bindings, &failed)) {
            if (failed)
                return error_memory(changing->reterr, "a diagnosis");
            continue;
        }
        for (unsigned put = 0; put < form->put.n; put++) {
            changing->way = number * WAYS_OF_FORM + put;
            if (!put_in(changing, &bindings, form->put.items[put]))
                return false;
        }
    }
    return true;
}

/* Tries the edit at one part of the step. */
static bool try_at(struct changing *changing, const struct expr *at)
{
    changing->at = at;
    for (unsigned i = 0; i < changing->edit->n_forms; i++)
        if (!try_form(changing, i, at))
            return false;
    return true;
}

static bool try_below(struct changing *changing, const struct expr *expr);

static bool try_list(struct changing *changing, const struct expr *expr)
{
    /* The numbers of a list are what a question gives: nobody reckons with others. */
    bool is_data = changing->formula->is_lesson && expr->kind == EXPR_LIST;
    for (size_t i = 0; i < expr->as.list.n; i++)
        if (!(is_data && expr->as.list.items[i]->kind == EXPR_NUMBER) &&
            !try_below(changing, expr->as.list.items[i]))
            return false;
    return true;
}

/* Tries the edit at the part and at all that it is made of. */
static bool try_below(struct changing *changing, const struct expr *expr)
{
    if (expr == NULL)
        return true;
    if (!try_at(changing, expr))
        return false;
    switch (expr->kind) {
    case EXPR_LIST:
    case EXPR_TUPLE:
        return try_list(changing, expr);
    case EXPR_UNARY:
        return try_below(changing, expr->as.operation.left);
    case EXPR_BINARY:
        return try_below(changing, expr->as.operation.left) &&
               try_below(changing, expr->as.operation.right);
    case EXPR_CALL:
        if (expr->object->kind != EXPR_NAME && !try_below(changing, expr->object))
            return false;
        for (size_t i = 0; i < expr->as.call.n; i++)
            if (!try_below(changing, expr->as.call.arguments[i].value))
                return false;
        return true;
    case EXPR_ATTRIBUTE:
        return try_below(changing, expr->object);
    case EXPR_INDEX:
        return try_below(changing, expr->object) && try_list(changing, expr);
    case EXPR_SLICE:
        return try_below(changing, expr->as.slice.start) &&
               try_below(changing, expr->as.slice.stop) && try_below(changing, expr->as.slice.step);
    default:
        return true;
    }
}

static bool add_all(struct changing *changing)
{
    for (unsigned i = 0; i < changing->edits->n; i++) {
        const struct expr *value = step_of(changing)->value;
        changing->edit = &changing->edits->items[i];
        if (changing->formula->is_lesson ? changing->edit->only_programs
                                         : changing->edit->only_lessons)
            continue;
        if (!(changing->edit->is_whole ? try_at(changing, value) : try_below(changing, value)))
            return false;
    }
    return true;
}

bool rewrites_add(const struct edits *edits, const struct formula *formula, size_t step,
                  struct rewrites *ret, struct error *reterr)
{
    struct changing changing = {.edits = edits,
                                .formula = formula,
                                .step = step,
                                .changes = ret,
                                .first = ret->n,
                                .reterr = reterr};
    return add_all(&changing);
}

bool rewrites_add_on(const struct edits *edits, const struct formula *formula,
                     const struct rewrite *base, struct rewrites *ret, struct error *reterr)
{
    struct formula changed = *formula;
    struct arena *arena = &ret->arena;
    changed.steps = arena_take(arena, formula->n_steps * sizeof *changed.steps);
    if (changed.steps == NULL)
        return error_memory(reterr, "a diagnosis");
    memcpy(changed.steps, formula->steps, formula->n_steps * sizeof *changed.steps);
    struct formula_step *step = &changed.steps[base->step];
    bool gives_size = step->gives_size;
    if (!formula_step_read(arena, base->statement, step, reterr))
        return false;
    step->gives_size = gives_size;
    struct changing changing = {.edits = edits,
                                .formula = &changed,
                                .step = base->step,
                                .base = base,
                                .changes = ret,
                                .first = ret->n,
                                .reterr = reterr};
    return add_all(&changing);
}

void rewrites_release(struct rewrites *changes)
{
    free(changes->items);
    arena_release(&changes->arena);
    *changes = (struct rewrites){0};
}
