/* The answer of a question as a formula: the lesson's own statements that it comes from, and the
 * answer as the last step. */
#include "course/lesson/question_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"

enum {
    MAX_STEPS = 12,
    MAX_NAMES = 40,
};

static const char answer_name[] = "the_answer"; /* the last step's; no lesson has such a name */

/* Names that a formula reads. */
struct name_list {
    struct piece {
        const char *text;
        size_t size;
    } items[MAX_NAMES];
    size_t n;
};

static bool has_name(const struct name_list *list, const char *name, size_t size)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].size == size && memcmp(list->items[i].text, name, size) == 0)
            return true;
    return false;
}

static void add_name(struct name_list *list, const char *name, size_t size)
{
    if (list->n < MAX_NAMES && !has_name(list, name, size))
        list->items[list->n++] = (struct piece){name, size};
}

/* Adds the names and the whole numbers in an expression; both are words of its source. */
struct collecting {
    struct name_list *names, *numbers;
    const char *source;
};

static void collect(const struct expr *expr, void *context)
{
    const struct collecting *collecting = context;
    if (expr->kind == EXPR_NAME)
        add_name(collecting->names, expr->as.text.bytes, expr->as.text.size);
    if (expr->kind == EXPR_NUMBER && expr->as.number >= 2)
        add_name(collecting->numbers, collecting->source + expr->begin, expr->end - expr->begin);
    expr_each_part(expr, collect, context);
}

/* ---- the lesson's statements ---- */

struct reading {
    struct session *session;
    struct arena *arena;
    const struct expr *answer; /* as the question writes it */
    struct name_list names;    /* that are needed */
    struct name_list numbers;  /* in the answer */
    struct formula_step steps[MAX_STEPS];
    size_t n_steps; /* the last one first */
};

/* Does it compute with numbers of the session? The session's own functions may do anything, so
 * their results don't count. */
static bool is_worked_out(const struct session *session, const struct name_list *names)
{
    bool has_numbers = false;
    for (size_t i = 0; i < names->n; i++) {
        const struct value *value =
            names_get(&session->names, names->items[i].text, names->items[i].size);
        if (value != NULL && value->kind == VALUE_FUNCTION)
            return false;
        has_numbers = has_numbers || (value != NULL && value->kind == VALUE_NODE);
    }
    return has_numbers;
}

/* Only want of memory and an interruption count: *reterr is set. */
static bool is_stopped(const struct error *error, struct error *reterr)
{
    return error_is_stop(error) && !error_set(reterr, error->kind, "%s", error->text);
}

/* Does the statement still give the current value of the name? */
static bool is_current(struct session *session, const struct formula_step *step, bool *ret,
                       struct error *reterr)
{
    struct error error = {0};
    const struct value *value = names_get(&session->names, step->name, step->name_size);
    *ret = false;
    if (value == NULL || value->kind != VALUE_NODE)
        return true;
    struct node *node = answer_peek(session, NULL, step->text + step->value->begin, &error);
    if (node == NULL)
        return !is_stopped(&error, reterr);
    *ret = numbers_are_near(&node->value, &value->as.node->value, 1e-6);
    node_free(node);
    return true;
}

/* Takes an assignment in as a step when it is one that the answer depends on. */
static bool take_statement(struct reading *reading, const char *line,
                           const struct statement *statement, struct error *reterr)
{
    const struct expr *target = statement->n_targets == 1 ? statement->targets[0] : NULL;
    struct formula_step step;
    struct name_list names = {.n = 0}, numbers = {.n = 0};
    if (statement->kind != STATEMENT_ASSIGN || target == NULL || target->kind != EXPR_NAME ||
        reading->n_steps == MAX_STEPS ||
        !has_name(&reading->names, target->as.text.bytes, target->as.text.size))
        return true;
    for (size_t i = 0; i < reading->n_steps; i++)
        if (reading->steps[i].name_size == target->as.text.size &&
            memcmp(reading->steps[i].name, target->as.text.bytes, target->as.text.size) == 0)
            return true; /* a later one counts */
    char *copy =
        arena_copy(reading->arena, line + statement->begin, statement->end - statement->begin);
    if (copy == NULL)
        return error_memory(reterr, "a question");
    if (!formula_step_read(reading->arena, copy, &step, reterr))
        return false;
    collect(step.value, &(struct collecting){&names, &numbers, step.text});
    bool counts = is_worked_out(reading->session, &names);
    if (counts && !is_current(reading->session, &step, &counts, reterr))
        return false;
    if (!counts)
        return true;
    step.gives_size =
        formula_is_size(names_get(&reading->session->names, step.name, step.name_size));
    for (size_t i = 0; i < names.n; i++)
        add_name(&reading->names, names.items[i].text, names.items[i].size);
    reading->steps[reading->n_steps++] = step;
    return true;
}

/* The lines of the session, the last one first. */
static bool take_lines(struct reading *reading, struct error *reterr)
{
    const struct text *script = &reading->session->script;
    char *source = arena_copy(reading->arena, text_string(script), script->size);
    size_t *starts = arena_take(reading->arena, (script->size + 1) * sizeof *starts), n = 0;
    if (source == NULL || starts == NULL)
        return error_memory(reterr, "a question");
    bool open;
    for (size_t at = 0; at < script->size; at += lexer_line(source + at, script->size - at, &open))
        starts[n++] = at;
    starts[n] = script->size;
    while (n-- > 0) {
        struct statement *first = NULL, *list[MAX_NAMES];
        size_t n_statements = 0;
        struct error error = {0};
        const char *line = source + starts[n];
        if (!parser_parse_line(reading->arena, reading->session->find_command, line,
                               starts[n + 1] - starts[n], &first, &error)) {
            if (is_stopped(&error, reterr))
                return false;
            continue;
        }
        for (; first != NULL && n_statements < MAX_NAMES; first = first->next)
            list[n_statements++] = first;
        while (n_statements-- > 0)
            if (!take_statement(reading, line, list[n_statements], reterr))
                return false;
    }
    return true;
}

/* ---- the formula ---- */

/* The names that are not steps, with their values after lines. */
static bool take_inputs(struct reading *reading, const char *lines, struct formula *formula,
                        struct error *reterr)
{
    struct formula_name *inputs =
        arena_take(reading->arena, (reading->names.n + reading->numbers.n + 1) * sizeof *inputs);
    if (inputs == NULL)
        return error_memory(reterr, "a question");
    formula->inputs = inputs;
    for (size_t i = 0; i < reading->names.n; i++) {
        const struct piece *piece = &reading->names.items[i];
        char *name = arena_copy(reading->arena, piece->text, piece->size);
        struct value value;
        struct error error = {0};
        if (name == NULL)
            return error_memory(reterr, "a question");
        if (formula_step_of(formula, formula->n_steps, name, piece->size) != NULL)
            continue;
        if (!session_peek(reading->session, lines, name, &value, &error)) {
            if (is_stopped(&error, reterr))
                return false;
            continue;
        }
        if (value.kind == VALUE_NODE)
            inputs[formula->n_inputs++] = (struct formula_name){name, formula_is_size(&value)};
        value_release(&value);
    }
    for (size_t i = 0; i < reading->numbers.n; i++) {
        const struct piece *piece = &reading->numbers.items[i];
        char *number = arena_copy(reading->arena, piece->text, piece->size);
        if (number == NULL)
            return error_memory(reterr, "a question");
        inputs[formula->n_inputs++] = (struct formula_name){number, true};
    }
    return true;
}

/* The answer as NAME = EXPRESSION, the only step so far. */
static bool take_answer(struct reading *reading, const char *expression, struct error *reterr)
{
    struct text statement = {0};
    text_format(&statement, "%s = %s", answer_name, expression);
    bool ok = !statement.failed || error_memory(reterr, "a question");
    ok = ok &&
         formula_step_read(reading->arena, text_string(&statement), &reading->steps[0], reterr);
    text_release(&statement);
    struct statement *first = NULL;
    char *copy = ok ? arena_copy(reading->arena, expression, strlen(expression)) : NULL;
    if (ok && copy == NULL)
        ok = error_memory(reterr, "a question");
    ok = ok && parser_parse_line(reading->arena, NULL, copy, strlen(copy), &first, reterr);
    if (!ok)
        return false;
    reading->answer = first->value;
    reading->n_steps = 1;
    collect(reading->steps[0].value,
            &(struct collecting){&reading->names, &reading->numbers, reading->steps[0].text});
    return true;
}

/* The names that fresh inputs have count as read. */
static bool take_drawn(struct reading *reading, const struct question *question,
                       struct error *reterr)
{
    for (size_t i = 0; i < question->n_draw; i++) {
        const char *line = question->draw[i].text;
        struct statement *first = NULL;
        struct error error = {0};
        if (!parser_parse_line(reading->arena, reading->session->find_command, line, strlen(line),
                               &first, &error) &&
            is_stopped(&error, reterr))
            return false;
        for (; first != NULL; first = first->next)
            for (size_t k = 0; first->kind == STATEMENT_ASSIGN && k < first->n_targets; k++)
                if (first->targets[k]->kind == EXPR_NAME)
                    add_name(&reading->names, first->targets[k]->as.text.bytes,
                             first->targets[k]->as.text.size);
    }
    return true;
}

bool question_formula_read(const struct question *question, struct session *session,
                           const char *lines, struct question_formula *ret, struct error *reterr)
{
    struct question_formula made = {.formula = {.is_lesson = true}};
    struct reading *reading = arena_take(&made.arena, sizeof *reading);
    if (reading == NULL)
        return error_memory(reterr, "a question");
    reading->session = session;
    reading->arena = &made.arena;
    bool ok = take_answer(reading, question->answer.text, reterr) &&
              (lines != NULL ? take_drawn(reading, question, reterr) : take_lines(reading, reterr));
    made.formula.steps = arena_take(&made.arena, (MAX_STEPS + 1) * sizeof *made.formula.steps);
    if (ok && made.formula.steps == NULL)
        ok = error_memory(reterr, "a question");
    for (size_t i = reading->n_steps; ok && i-- > 0;)
        made.formula.steps[made.formula.n_steps++] = reading->steps[i];
    ok = ok && take_inputs(reading, lines, &made.formula, reterr);
    made.answer = reading->answer;
    if (ok)
        *ret = made;
    else
        arena_release(&made.arena);
    return ok;
}

void question_formula_release(struct question_formula *formula)
{
    arena_release(&formula->arena);
    *formula = (struct question_formula){.arena = {0}};
}

struct node *question_formula_node(const struct question_formula *formula, struct session *session,
                                   const char *lines, const struct rewrite *const *changes,
                                   size_t n_changes, struct error *reterr)
{
    struct text all = {0};
    text_put(&all, lines != NULL ? lines : "");
    for (size_t i = 0; i < n_changes; i++)
        text_put(&all, changes[i]->functions);
    for (size_t step = 0; step < formula->formula.n_steps; step++) {
        const char *statement = formula->formula.steps[step].text;
        for (size_t i = 0; i < n_changes; i++)
            if (changes[i]->step == step)
                statement = changes[i]->statement;
        text_put(&all, statement);
        text_char(&all, '\n');
    }
    struct node *node = NULL;
    if (all.failed)
        error_memory(reterr, "a question");
    else
        node = answer_peek(session, text_string(&all), answer_name, reterr);
    text_release(&all);
    return node;
}

/* ---- numbers that are a little different ---- */

struct moving {
    const char *source;
    size_t at; /* the text before it has been written */
    struct text *out;
};

/* Another factor for each number, always the same one for the same. */
static double moved(double number)
{
    double part = fabs(number) * 0.6180339887;
    return number * (1 + (part - floor(part)) / 20 + 0.01);
}

static void move_numbers(const struct expr *expr, void *context)
{
    struct moving *moving = context;
    if (expr->kind == EXPR_NUMBER &&
        fabs(expr->as.number) != 1) { /* 1 / x and x ** -1 are the same */
        text_add(moving->out, moving->source + moving->at, expr->begin - moving->at);
        text_format(moving->out, "%.9g", moved(expr->as.number));
        moving->at = expr->end;
    } else if (expr->kind == EXPR_INDEX) {
        move_numbers(expr->object, context);
    } else if (expr->kind != EXPR_CALL) {
        expr_each_part(expr, move_numbers, context);
    } else {
        for (size_t i = 0; i < expr->as.call.n; i++)
            if (expr->as.call.arguments[i].keyword == NULL)
                move_numbers(expr->as.call.arguments[i].value, context);
    }
}

/* Adds a statement with its numbers moved. */
static bool add_moved(const char *statement, struct text *out, struct error *reterr)
{
    struct arena arena = {0};
    struct formula_step step;
    bool ok = formula_step_read(&arena, statement, &step, reterr);
    if (ok) {
        struct moving moving = {.source = step.text, .out = out};
        move_numbers(step.value, &moving);
        text_put(out, step.text + moving.at);
        text_char(out, '\n');
    }
    arena_release(&arena);
    return ok;
}

struct node *question_formula_moved(const struct question_formula *formula, struct session *session,
                                    const struct rewrite *change, struct error *reterr)
{
    const struct formula *steps = &formula->formula;
    struct text all = {0};
    bool ok = true;
    for (size_t i = 0; i < steps->n_inputs; i++)
        if (!steps->inputs[i].is_size)
            text_format(&all, "%s = %s * (1 + (rand(%s.shape) - 0.5) / 20)\n",
                        steps->inputs[i].name, steps->inputs[i].name, steps->inputs[i].name);
    text_put(&all, change->functions);
    for (size_t step = 0; ok && step < steps->n_steps; step++)
        ok = add_moved(step == change->step ? change->statement : steps->steps[step].text, &all,
                       reterr);
    struct node *node = NULL;
    if (all.failed)
        error_memory(reterr, "a question");
    else if (ok)
        node = answer_peek(session, text_string(&all), answer_name, reterr);
    text_release(&all);
    return node;
}
