/* What a formula may not use: names of functions and variables, and operators, found in what the
 * parser makes of it. */
#include "course/lesson/question_internal.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "lang/builtins/builtin.h"
#include "lang/syntax/parser.h"

enum { STEPS_MAX = 100000 }; /* expressions that are looked at, in functions of the learner too */

/* How operators are written, by what they mean. */
static const struct {
    const char *sign;
    enum op_kind op;
    enum operator meaning;
} signs[] = {
    {"@", OP_MATMUL, OPERATOR_PLAIN},  {"*", OP_MUL, OPERATOR_PLAIN},
    {"/", OP_DIV, OPERATOR_PLAIN},     {"//", OP_DIV, OPERATOR_FLOOR_DIVIDE},
    {"%", OP_DIV, OPERATOR_REMAINDER}, {"+", OP_ADD, OPERATOR_PLAIN},
    {"-", OP_SUB, OPERATOR_PLAIN},     {"-", OP_NEG, OPERATOR_PLAIN},
    {"**", OP_POW, OPERATOR_PLAIN},    {"<", OP_LT, OPERATOR_PLAIN},
    {"<=", OP_LE, OPERATOR_PLAIN},     {">", OP_GT, OPERATOR_PLAIN},
    {">=", OP_GE, OPERATOR_PLAIN},     {"==", OP_EQ, OPERATOR_PLAIN},
    {"!=", OP_NE, OPERATOR_PLAIN},     {"&", OP_AND, OPERATOR_PLAIN},
    {"|", OP_OR, OPERATOR_PLAIN},      {"~", OP_NOT, OPERATOR_PLAIN},
};

/* A walk through an expression, and the functions that it calls. */
struct walk {
    const struct question *question;
    const struct session *session;
    const char *found;        /* the word of `without` that is used; or NULL */
    const struct expr *place; /* where it is used, in what was typed */
    size_t n_steps;
};

static const char *sign_of(const struct expr *expr)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].op == expr->as.operation.op && signs[i].meaning == expr->as.operation.meaning)
            return signs[i].sign;
    return "";
}

/* Whether both name the same function of the language: mm is matmul. */
static bool same_function(const struct expr *expr, const char *word)
{
    const struct builtin *builtin = builtin_find(word, strlen(word));
    return builtin != NULL && builtin_find(expr->as.text.bytes, expr->as.text.size) == builtin;
}

/* The word of `without` that this expression itself uses; or NULL. */
static const char *word_used(const struct question *question, const struct expr *expr)
{
    bool is_operation = expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY;
    bool is_word = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    for (unsigned i = 0; i < question->n_without; i++) {
        const char *word = question->without[i].text;
        assert(word != NULL);
        if ((is_operation && strcmp(sign_of(expr), word) == 0) ||
            (is_word && (expr_is_word(expr, word) || same_function(expr, word))))
            return word;
    }
    return NULL;
}

static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place);

/* A function of the learner's own uses what its body uses. */
static void look_in_function(struct walk *walk, const struct expr *name, const struct expr *place)
{
    const struct value *value =
        names_get(&walk->session->names, name->as.text.bytes, name->as.text.size);
    if (value != NULL && value->kind == VALUE_FUNCTION)
        look_in(walk, value->as.function->definition->value, place);
}

static void look_in_comprehension(struct walk *walk, const struct expr *expr,
                                  const struct expr *place)
{
    look_in(walk, expr->as.comprehension.item, place);
    for (size_t i = 0; i < expr->as.comprehension.n; i++)
        look_in(walk, expr->as.comprehension.clauses[i].value, place);
}

static void look_in_parts(struct walk *walk, const struct expr *expr, const struct expr *place)
{
    switch (expr->kind) {
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_INDEX:
        for (size_t i = 0; i < expr->as.list.n; i++)
            look_in(walk, expr->as.list.items[i], place);
        break;
    case EXPR_COMPREHENSION:
        look_in_comprehension(walk, expr, place);
        break;
    case EXPR_UNARY:
    case EXPR_BINARY:
        look_in(walk, expr->as.operation.left, place);
        look_in(walk, expr->as.operation.right, place);
        break;
    case EXPR_CALL:
        for (size_t i = 0; i < expr->as.call.n; i++)
            look_in(walk, expr->as.call.arguments[i].value, place);
        break;
    case EXPR_SLICE:
        look_in(walk, expr->as.slice.start, place);
        look_in(walk, expr->as.slice.stop, place);
        look_in(walk, expr->as.slice.step, place);
        break;
    case EXPR_NAME:
        look_in_function(walk, expr, place);
        break;
    case EXPR_NUMBER:
    case EXPR_STRING:
    case EXPR_ATTRIBUTE:
    case EXPR_ELLIPSIS:
        break;
    }
    look_in(walk, expr->object, place);
}

/* Looks in expr and its parts; expr may be NULL. place: what stands for it in what was typed; NULL
 * where it was typed itself. */
static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place)
{
    if (expr == NULL || walk->found != NULL || walk->n_steps++ >= STEPS_MAX)
        return;
    place = place != NULL || expr->kind != EXPR_NAME ? place : expr;
    walk->found = word_used(walk->question, expr);
    if (walk->found != NULL)
        walk->place = place != NULL ? place : expr;
    else
        look_in_parts(walk, expr, place);
}

bool question_check_without(const struct question *question, const struct session *session,
                            const char *typed, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *first = NULL;
    struct walk found = {.question = question, .session = session};
    if (question->n_without == 0)
        return true;
    bool ok =
        parser_parse_line(&arena, session->find_command, typed, strlen(typed), &first, reterr);
    if (ok && first != NULL && first->kind == STATEMENT_EXPRESSION)
        look_in(&found, first->value, NULL);
    if (found.found != NULL) {
        ok = error_set(reterr, ERR_NAME, "this one without %s: write it another way", found.found);
        error_place(reterr, found.place->begin, found.place->end);
    }
    arena_release(&arena);
    return ok;
}
