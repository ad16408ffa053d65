/* What a formula may not use: names of functions and variables, and operators, found in what the
 * parser makes of it. */
#include "course/lesson/question_internal.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "lang/builtins/builtin.h"
#include "lang/syntax/parser.h"

enum {
    STEPS_MAX = 100000, /* expressions that are looked at, in functions of the learner too */
    DEPTH_MAX = 5000,   /* expressions in each other; what is deeper is not computed either */
};

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
    const struct statement *definition; /* of the function that is looked into; or NULL */
    const char *found;                  /* the word of `without` that is used; or NULL */
    const struct expr *place;           /* where it is used, in what was typed */
    size_t n_steps, depth;
};

static const char *sign_of(const struct expr *expr)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].op == expr->as.operation.op && signs[i].meaning == expr->as.operation.meaning)
            return signs[i].sign;
    return "";
}

/* What has a name and a sign, or two names, for one thing. */
static const struct {
    const char *name, *other;
} twins[] = {{"matmul", "@"}, {"pow", "**"}, {"logical_not", "~"}, {"mT", "T"}};

/* One spelling for all of the same thing: "@" for matmul, mm and @. *size is that of word, and then
 * of the spelling. */
static const char *one_spelling(const char *word, size_t *size)
{
    const struct builtin *builtin = builtin_find(word, *size);
    if (builtin != NULL) {
        word = builtin->name;
        *size = strlen(word);
    }
    for (size_t i = 0; i < COUNT_OF(twins); i++)
        if (text_equals(word, *size, twins[i].name)) {
            *size = strlen(twins[i].other);
            return twins[i].other;
        }
    return word;
}

static bool is_same_thing(const char *used, size_t size, const char *word)
{
    size_t word_size = strlen(word);
    const char *a = one_spelling(used, &size), *b = one_spelling(word, &word_size);
    return size == word_size && memcmp(a, b, size) == 0;
}

/* The word of `without` that this expression itself uses; or NULL. */
static const char *word_used(const struct question *question, const struct expr *expr)
{
    bool is_operation = expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY;
    bool is_word = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    const char *used = is_operation ? sign_of(expr) : is_word ? expr->as.text.bytes : "";
    size_t size = is_word ? expr->as.text.size : strlen(used);
    for (unsigned i = 0; size > 0 && i < question->n_without; i++) {
        const char *word = question->without[i].text;
        assert(word != NULL);
        if (is_same_thing(used, size, word))
            return word;
    }
    return NULL;
}

static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place);

/* Whether a name in the body of a function is one of its parameters, whatever it is called. */
static bool is_parameter(const struct walk *walk, const struct expr *expr)
{
    const struct statement *definition = walk->definition;
    for (size_t i = 1; definition != NULL && expr->kind == EXPR_NAME && i < definition->n_targets;
         i++)
        if (expr_same_word(definition->targets[i], expr))
            return true;
    return false;
}

/* A function of the learner's own uses what its body uses. */
static void look_in_function(struct walk *walk, const struct expr *name, const struct expr *place)
{
    const struct value *value =
        names_get(&walk->session->names, name->as.text.bytes, name->as.text.size);
    const struct statement *outer = walk->definition;
    if (value == NULL || value->kind != VALUE_FUNCTION)
        return;
    walk->definition = value->as.function->definition;
    look_in(walk, walk->definition->value, place);
    walk->definition = outer;
}

/* The parts of an expression, which stand at one place of what was typed. */
struct parts {
    struct walk *walk;
    const struct expr *place;
};

static void look_in_part(const struct expr *part, void *context)
{
    const struct parts *parts = context;
    look_in(parts->walk, part, parts->place);
}

/* Looks in expr and its parts. place: what stands for it in what was typed; NULL
 * where it was typed itself. */
static void look_in(struct walk *walk, const struct expr *expr, const struct expr *place)
{
    if (walk->found != NULL || walk->n_steps++ >= STEPS_MAX || walk->depth >= DEPTH_MAX ||
        is_parameter(walk, expr))
        return;
    place = place != NULL || expr->kind != EXPR_NAME ? place : expr;
    walk->found = word_used(walk->question, expr);
    if (walk->found != NULL) {
        walk->place = place != NULL ? place : expr;
        return;
    }
    walk->depth++;
    if (expr->kind == EXPR_NAME)
        look_in_function(walk, expr, place);
    expr_each_part(expr, look_in_part, &(struct parts){walk, place});
    walk->depth--;
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
