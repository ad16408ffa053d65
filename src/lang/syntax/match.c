/* match and case: a pattern is written as an expression that is true where it fits, and that gives
 * its names their values with :=. The functions that take a subject apart are Python
 * (notebook/python/builtins.py). So nothing after the parser knows about patterns. */
#include <stdio.h>
#include <string.h>

#include "lang/syntax/parser_internal.h"

static struct expr *parse_pattern(struct parser *parser, struct expr *subject);

/* ---- expressions that are put together ---- */

static struct expr *new_name(struct parser *parser, const struct expr *at, const char *name)
{
    struct expr *expr = parser_new(parser, EXPR_NAME, at->begin, at->end);
    char *copy = expr ? arena_copy(parser->arena, name, strlen(name)) : NULL;
    if (copy == NULL)
        return NULL;
    expr->as.text.bytes = copy;
    expr->as.text.size = strlen(name);
    return expr;
}

static struct expr *new_whole(struct parser *parser, const struct expr *at, size_t number)
{
    struct expr *expr = parser_new(parser, EXPR_WHOLE, at->begin, at->end);
    if (expr != NULL)
        expr->as.whole = (int64_t)number;
    return expr;
}

static struct expr *new_list(struct parser *parser, enum expr_kind kind, const struct expr *at,
                             const struct items *items)
{
    struct expr *expr = parser_new(parser, kind, at->begin, at->end);
    if (expr == NULL)
        return NULL;
    expr->as.list.items = items->at;
    expr->as.list.n = items->n;
    return expr;
}

static struct expr *new_call(struct parser *parser, const struct expr *at, const char *function,
                             struct expr *const *values, size_t n)
{
    struct expr *call = parser_new(parser, EXPR_CALL, at->begin, at->end);
    struct argument *arguments = call ? parser_take(parser, n * sizeof *arguments) : NULL;
    if (arguments == NULL || (call->object = new_name(parser, at, function)) == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (values[i] == NULL)
            return NULL;
        arguments[i] = (struct argument){.value = values[i]};
    }
    call->as.call.n = n;
    call->as.call.arguments = arguments;
    return call;
}

static struct expr *new_logical(struct parser *parser, enum operator meaning, struct expr *left,
                                struct expr *right)
{
    struct expr *expr =
        left && right ? parser_new(parser, EXPR_BINARY, left->begin, right->end) : NULL;
    if (expr == NULL)
        return NULL;
    expr->as.operation.meaning = meaning;
    expr->as.operation.op = OP_CONSTANT;
    expr->as.operation.left = left;
    expr->as.operation.right = right;
    return expr;
}

static struct expr *new_comparison(struct parser *parser, struct expr *left, enum operator meaning,
                                   enum op_kind op, struct expr *right)
{
    struct expr *expr =
        left && right ? parser_new(parser, EXPR_COMPARISONS, right->begin, right->end) : NULL;
    struct comparison_link *link = expr ? parser_take(parser, sizeof *link) : NULL;
    if (link == NULL)
        return NULL;
    *link = (struct comparison_link){meaning, op, right};
    expr->as.comparisons.first = left;
    expr->as.comparisons.n = 1;
    expr->as.comparisons.rest = link;
    return expr;
}

/* (name := value,): true, whatever the value is. */
static struct expr *new_capture(struct parser *parser, struct expr *name, struct expr *value)
{
    struct items one = {0};
    struct expr *walrus =
        name && value ? parser_new(parser, EXPR_WALRUS, name->begin, name->end) : NULL;
    if (walrus == NULL)
        return NULL;
    walrus->as.operation.left = name;
    walrus->as.operation.right = value;
    return items_add(parser, &one, walrus) ? new_list(parser, EXPR_TUPLE, name, &one) : NULL;
}

static struct expr *new_true(struct parser *parser, const struct expr *at)
{
    return new_name(parser, at, "True");
}

/* A name of its own for what a function took apart. */
static struct expr *new_hidden(struct parser *parser, const struct expr *at)
{
    char name[40];
    snprintf(name, sizeof name, "_match %zu", ++parser->n_hidden);
    return new_name(parser, at, name);
}

static struct expr *new_item(struct parser *parser, struct expr *object, size_t i)
{
    struct items items = {0};
    struct expr *expr = parser_new(parser, EXPR_INDEX, object->begin, object->end);
    struct expr *at = new_whole(parser, object, i);
    if (expr == NULL || at == NULL || !items_add(parser, &items, at))
        return NULL;
    expr->object = object;
    expr->as.list.items = items.at;
    expr->as.list.n = 1;
    return expr;
}

/* (parts := call,) and parts is not None */
static struct expr *new_taken(struct parser *parser, struct expr *parts, struct expr *call)
{
    struct expr *none = call ? new_name(parser, call, "None") : NULL;
    return new_logical(parser, OPERATOR_LOGICAL_AND, new_capture(parser, parts, call),
                       new_comparison(parser, parts, OPERATOR_IS_NOT, OP_CONSTANT, none));
}

/* ---- patterns ---- */

static bool at_token(const struct parser *parser, const char *word)
{
    return parser_token_is(parser, parser->token, word);
}

/* items = pattern { "," pattern } up to `close`, of which one may be "*" NAME */
static struct expr *parse_sequence(struct parser *parser, struct expr *subject,
                                   const struct expr *at, enum token_kind close)
{
    struct expr *parts = new_hidden(parser, at), *fits = NULL;
    size_t n = 0, star = SIZE_MAX;
    if (parts == NULL)
        return NULL;
    while (parser->token.kind != close && parser->token.kind != TOKEN_COLON &&
           !at_token(parser, "if")) {
        struct expr *part = new_item(parser, parts, n), *one;
        if (part == NULL)
            return NULL;
        if (parser->token.kind == TOKEN_STAR) {
            struct expr *name = parser_advance(parser) ? parse_name(parser) : NULL;
            if (name == NULL || star != SIZE_MAX)
                return parser_fail_unexpected(parser, "one name after *"), NULL;
            star = n;
            one = new_capture(parser, name, part);
        } else {
            one = parse_pattern(parser, part);
        }
        if (one == NULL)
            return NULL;
        fits = fits ? new_logical(parser, OPERATOR_LOGICAL_AND, fits, one) : one;
        n++;
        if (parser->token.kind != TOKEN_COMMA)
            break;
        if (!parser_advance(parser))
            return NULL;
    }
    bool has_star = star != SIZE_MAX;
    struct expr *values[] = {subject, new_whole(parser, at, has_star ? star : n),
                             new_whole(parser, at, has_star ? n - star - 1 : 0),
                             new_name(parser, at, has_star ? "True" : "False")};
    struct expr *taken =
        new_taken(parser, parts, new_call(parser, at, "_match_sequence", values, 4));
    return fits ? new_logical(parser, OPERATOR_LOGICAL_AND, taken, fits) : taken;
}

/* mapping = "{" { expression ":" pattern | "**" NAME } "}" */
static struct expr *parse_mapping(struct parser *parser, struct expr *subject,
                                  const struct expr *at)
{
    struct items keys = {0};
    struct expr *parts = new_hidden(parser, at), *fits = NULL;
    bool has_rest = false;
    if (parts == NULL || !parser_advance(parser))
        return NULL;
    while (parser->token.kind != TOKEN_RIGHT_BRACE) {
        struct expr *part = new_item(parser, parts, keys.n), *one;
        if (part == NULL)
            return NULL;
        if (parser->token.kind == TOKEN_STAR_STAR) {
            has_rest = true;
            one = parser_advance(parser) ? new_capture(parser, parse_name(parser), part) : NULL;
        } else {
            struct expr *key = parse_expression(parser);
            if (key == NULL || !items_add(parser, &keys, key) ||
                !parser_expect(parser, TOKEN_COLON, "':'"))
                return NULL;
            one = parse_pattern(parser, part);
        }
        if (one == NULL)
            return NULL;
        fits = fits ? new_logical(parser, OPERATOR_LOGICAL_AND, fits, one) : one;
        if (parser->token.kind == TOKEN_COMMA && !parser_advance(parser))
            return NULL;
    }
    struct expr *values[] = {subject, new_list(parser, EXPR_TUPLE, at, &keys),
                             new_name(parser, at, has_rest ? "True" : "False")};
    struct expr *taken =
        new_taken(parser, parts, new_call(parser, at, "_match_mapping", values, 3));
    if (!parser_advance(parser))
        return NULL;
    return fits ? new_logical(parser, OPERATOR_LOGICAL_AND, taken, fits) : taken;
}

/* class = NAME { "." NAME } "(" { pattern | NAME "=" pattern } ")" */
static struct expr *parse_class_pattern(struct parser *parser, struct expr *subject,
                                        struct expr *class)
{
    struct items names = {0};
    struct expr *parts = new_hidden(parser, class), *fits = NULL;
    size_t n = 0;
    if (parts == NULL || !parser_advance(parser))
        return NULL;
    while (parser->token.kind != TOKEN_RIGHT_PAREN) {
        if (parser->token.kind == TOKEN_NAME && parser->ahead.kind == TOKEN_EQUAL) {
            struct expr *name = parse_name(parser);
            if (name == NULL || !parser_advance(parser))
                return NULL;
            name->kind = EXPR_STRING;
            if (!items_add(parser, &names, name))
                return NULL;
        }
        struct expr *part = new_item(parser, parts, n + names.n - (names.n > 0)), *one;
        n += names.n == 0;
        one = part ? parse_pattern(parser, part) : NULL;
        if (one == NULL)
            return NULL;
        fits = fits ? new_logical(parser, OPERATOR_LOGICAL_AND, fits, one) : one;
        if (parser->token.kind == TOKEN_COMMA && !parser_advance(parser))
            return NULL;
    }
    struct expr *values[] = {subject, class, new_whole(parser, class, n),
                             new_list(parser, EXPR_TUPLE, class, &names)};
    struct expr *taken =
        new_taken(parser, parts, new_call(parser, class, "_match_class", values, 4));
    if (!parser_advance(parser))
        return NULL;
    return fits ? new_logical(parser, OPERATOR_LOGICAL_AND, taken, fits) : taken;
}

/* NAME { "." NAME }: a name that takes the value, a value, or a class */
static struct expr *parse_named(struct parser *parser, struct expr *subject)
{
    static const char *const constants[] = {"None", "True", "False"};
    struct expr *name = parse_name(parser);
    if (name == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (name->as.text.size == strlen(constants[i]) &&
            memcmp(name->as.text.bytes, constants[i], name->as.text.size) == 0)
            return new_comparison(parser, subject, OPERATOR_IS, OP_CONSTANT, name);
    bool has_dot = parser->token.kind == TOKEN_DOT;
    while (parser->token.kind == TOKEN_DOT) {
        struct expr *word = parser_advance(parser) ? parse_name(parser) : NULL;
        if (word == NULL)
            return NULL;
        word->kind = EXPR_ATTRIBUTE;
        word->object = name;
        word->begin = name->begin;
        name = word;
    }
    if (parser->token.kind == TOKEN_LEFT_PAREN)
        return parse_class_pattern(parser, subject, name);
    if (has_dot)
        return new_comparison(parser, subject, OPERATOR_PLAIN, OP_EQ, name);
    if (name->as.text.size == 1 && name->as.text.bytes[0] == '_')
        return new_true(parser, name);
    return new_capture(parser, name, subject);
}

static struct expr *parse_closed(struct parser *parser, struct expr *subject)
{
    struct expr at = {.begin = parser->token.begin, .end = parser->token.end};
    enum token_kind kind = parser->token.kind;
    if (kind == TOKEN_NAME)
        return parse_named(parser, subject);
    if (kind == TOKEN_LEFT_BRACE)
        return parse_mapping(parser, subject, &at);
    if (kind == TOKEN_LEFT_BRACKET) {
        struct expr *fits = parser_advance(parser)
                                ? parse_sequence(parser, subject, &at, TOKEN_RIGHT_BRACKET)
                                : NULL;
        return fits && parser_expect(parser, TOKEN_RIGHT_BRACKET, "']'") ? fits : NULL;
    }
    if (kind == TOKEN_LEFT_PAREN) {
        /* (a): the pattern a; (a, b), (a,) and (): a sequence. Which one shows at the comma. */
        struct parser before = *parser;
        struct expr *fits = NULL;
        if (parser_advance(parser) && parser->token.kind != TOKEN_STAR &&
            parser->token.kind != TOKEN_RIGHT_PAREN)
            fits = parse_pattern(parser, subject);
        if (fits != NULL && parser->token.kind == TOKEN_RIGHT_PAREN)
            return parser_advance(parser) ? fits : NULL;
        *parser = before;
        fits =
            parser_advance(parser) ? parse_sequence(parser, subject, &at, TOKEN_RIGHT_PAREN) : NULL;
        return fits && parser_expect(parser, TOKEN_RIGHT_PAREN, "')'") ? fits : NULL;
    }
    struct expr *value = parse_literal(parser);
    return value ? new_comparison(parser, subject, OPERATOR_PLAIN, OP_EQ, value) : NULL;
}

/* pattern = closed { "|" closed } [ "as" NAME ] */
static struct expr *parse_pattern(struct parser *parser, struct expr *subject)
{
    if (!parser_enter(parser))
        return NULL;
    struct expr *fits = parse_closed(parser, subject);
    while (fits != NULL && parser->token.kind == TOKEN_OR)
        fits = parser_advance(parser)
                   ? new_logical(parser, OPERATOR_LOGICAL_OR, fits, parse_closed(parser, subject))
                   : NULL;
    if (fits != NULL && at_token(parser, "as"))
        fits = parser_advance(parser)
                   ? new_logical(parser, OPERATOR_LOGICAL_AND, fits,
                                 new_capture(parser, parse_name(parser), subject))
                   : NULL;
    parser->depth--;
    return fits;
}

struct expr *match_subject(struct parser *parser, struct expr *value, struct expr **ret_name)
{
    *ret_name = new_hidden(parser, value);
    return *ret_name ? new_capture(parser, *ret_name, value) : NULL;
}

struct expr *parse_case(struct parser *parser, struct expr *subject)
{
    struct expr at = {.begin = parser->token.begin, .end = parser->token.end};
    struct parser before = *parser;
    struct expr *fits = parser->token.kind == TOKEN_STAR ? NULL : parse_pattern(parser, subject);
    if (parser->token.kind == TOKEN_COMMA || before.token.kind == TOKEN_STAR) { /* case a, *b: */
        *parser = before;
        fits = parse_sequence(parser, subject, &at, TOKEN_COLON);
    }
    if (fits != NULL && at_token(parser, "if"))
        fits = parser_advance(parser)
                   ? new_logical(parser, OPERATOR_LOGICAL_AND, fits, parse_expression(parser))
                   : NULL;
    return fits;
}
