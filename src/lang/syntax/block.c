/* The statements of a cell, Python's: see parser.h. Each function is headed by its line of the
 * grammar. A statement that can't be read is kept as STATEMENT_REFUSED with the reason; the rows
 * after it are read as if nothing had happened. */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "lang/syntax/lexer_internal.h"
#include "lang/syntax/parser_internal.h"

static struct statement *parse_block(struct parser *parser);
static struct statement *parse_rows(struct parser *parser, bool in_block);

static bool at_word(const struct parser *parser, const char *word)
{
    return parser_token_is(parser, parser->token, word);
}

/* Goes on after the word if it is the current token. */
static bool take_word(struct parser *parser, const char *word, bool *ret_ok)
{
    bool is = at_word(parser, word);
    *ret_ok = !is || parser_advance(parser);
    return is;
}

static bool expect_word(struct parser *parser, const char *word)
{
    return at_word(parser, word) ? parser_advance(parser) : parser_fail_unexpected(parser, word);
}

/* ---- simple statements ---- */

/* What may stand left of =; also names and items in any nesting. */
static bool check_target(struct parser *parser, const struct expr *target)
{
    switch (target->kind) {
    case EXPR_NAME:
        if (expr_is_word(target, "None") || expr_is_word(target, "True") ||
            expr_is_word(target, "False"))
            return parser_fail(parser, target->begin, target->end,
                               expr_is_word(target, "None")   ? "cannot assign to None"
                               : expr_is_word(target, "True") ? "cannot assign to True"
                                                              : "cannot assign to False");
        return true;
    case EXPR_ATTRIBUTE:
    case EXPR_INDEX:
        return true;
    case EXPR_STAR:
        return check_target(parser, target->as.operation.left);
    case EXPR_TUPLE:
    case EXPR_LIST:
        for (size_t i = 0; i < target->as.list.n; i++)
            if (!check_target(parser, target->as.list.items[i]))
                return false;
        return true;
    case EXPR_CALL:
        return parser_fail(parser, target->begin, target->end,
                           "cannot assign to function call here. Maybe you meant '==' instead of "
                           "'='?");
    case EXPR_NUMBER:
    case EXPR_WHOLE:
    case EXPR_STRING:
        return parser_fail(parser, target->begin, target->end,
                           "cannot assign to literal here. Maybe you meant '==' instead of '='?");
    default:
        return parser_fail(parser, target->begin, target->end,
                           "cannot assign to expression here. Maybe you meant '==' instead of "
                           "'='?");
    }
}

static const struct {
    enum token_kind token;
    enum operator meaning;
    enum op_kind op;
} augmented[] = {
    {TOKEN_PLUS_EQUAL, OPERATOR_PLAIN, OP_ADD},
    {TOKEN_MINUS_EQUAL, OPERATOR_PLAIN, OP_SUB},
    {TOKEN_STAR_EQUAL, OPERATOR_PLAIN, OP_MUL},
    {TOKEN_SLASH_EQUAL, OPERATOR_PLAIN, OP_DIV},
    {TOKEN_AT_EQUAL, OPERATOR_PLAIN, OP_MATMUL},
    {TOKEN_STAR_STAR_EQUAL, OPERATOR_PLAIN, OP_POW},
    {TOKEN_AND_EQUAL, OPERATOR_PLAIN, OP_AND},
    {TOKEN_OR_EQUAL, OPERATOR_PLAIN, OP_OR},
    {TOKEN_SLASH_SLASH_EQUAL, OPERATOR_FLOOR_DIVIDE, OP_DIV},
    {TOKEN_PERCENT_EQUAL, OPERATOR_REMAINDER, OP_DIV},
    {TOKEN_CARET_EQUAL, OPERATOR_BIT_XOR, OP_CONSTANT},
    {TOKEN_SHIFT_LEFT_EQUAL, OPERATOR_SHIFT_LEFT, OP_CONSTANT},
    {TOKEN_SHIFT_RIGHT_EQUAL, OPERATOR_SHIFT_RIGHT, OP_CONSTANT},
};

/* The right side of = and OP=: also yield, and several values. */
static struct expr *parse_right_side(struct parser *parser)
{
    return parse_expressions(parser);
}

/* assignment = expressions { "=" expressions } | target OP "=" expressions
 *            | target ":" expression [ "=" expressions ] | expressions */
static bool parse_assignment(struct parser *parser, struct statement *statement)
{
    struct items targets = {0};
    struct expr *left = parse_expressions(parser);
    if (left == NULL)
        return false;
    for (size_t i = 0; i < COUNT_OF(augmented); i++)
        if (parser->token.kind == augmented[i].token) {
            statement->kind = STATEMENT_AUGMENTED;
            statement->meaning = augmented[i].meaning;
            statement->op = augmented[i].op;
            if (left->kind != EXPR_NAME && left->kind != EXPR_ATTRIBUTE && left->kind != EXPR_INDEX)
                return parser_fail(parser, left->begin, left->end,
                                   "this is an illegal expression for augmented assignment");
            return check_target(parser, left) && items_add(parser, &targets, left) &&
                   (statement->targets = targets.at) != NULL && (statement->n_targets = 1) &&
                   parser_advance(parser) && (statement->value = parse_right_side(parser)) != NULL;
        }
    if (parser->token.kind == TOKEN_COLON && left->kind != EXPR_TUPLE) {
        statement->kind = STATEMENT_ANNOTATED;
        if (!check_target(parser, left) || !items_add(parser, &targets, left) ||
            !parser_advance(parser) || (statement->annotation = parse_expression(parser)) == NULL)
            return false;
        statement->targets = targets.at;
        statement->n_targets = 1;
        return parser->token.kind != TOKEN_EQUAL ||
               (parser_advance(parser) && (statement->value = parse_right_side(parser)) != NULL);
    }
    statement->kind = STATEMENT_EXPRESSION;
    statement->value = left;
    while (parser->token.kind == TOKEN_EQUAL) {
        statement->kind = STATEMENT_CHAIN;
        if (!check_target(parser, statement->value) ||
            !items_add(parser, &targets, statement->value) || !parser_advance(parser) ||
            (statement->value = parse_right_side(parser)) == NULL)
            return false;
    }
    statement->targets = targets.at;
    statement->n_targets = targets.n;
    return true;
}

/* names = NAME { "," NAME } */
static bool parse_names(struct parser *parser, struct statement *statement)
{
    struct items names = {0};
    for (;;) {
        struct expr *name = parser->token.kind == TOKEN_NAME ? parse_name(parser) : NULL;
        if (name == NULL)
            return parser_fail_unexpected(parser, "a name");
        if (!items_add(parser, &names, name))
            return false;
        if (parser->token.kind != TOKEN_COMMA)
            break;
        if (!parser_advance(parser))
            return false;
    }
    statement->targets = names.at;
    statement->n_targets = names.n;
    return true;
}

/* module = { "." } NAME { "." NAME }: as it stands in the source */
static bool parse_module(struct parser *parser, const char **ret, size_t *ret_size)
{
    size_t begin = parser->token.begin;
    while (parser->token.kind == TOKEN_DOT || parser->token.kind == TOKEN_ELLIPSIS)
        if (!parser_advance(parser))
            return false;
    for (;;) {
        if (parser->token.kind != TOKEN_NAME || at_word(parser, "import"))
            break;
        if (!parser_advance(parser))
            return false;
        if (parser->token.kind != TOKEN_DOT)
            break;
        if (!parser_advance(parser))
            return false;
    }
    *ret = parser_source(parser, begin);
    *ret_size = parser_end_before(parser) - begin;
    return *ret_size > 0 || parser_fail_unexpected(parser, "a name");
}

/* import = NAME { "." NAME } [ "as" NAME ] */
static bool parse_imports(struct parser *parser, struct statement *statement)
{
    size_t capacity = 0;
    bool bracket = statement->kind == STATEMENT_FROM && parser->token.kind == TOKEN_LEFT_PAREN;
    if (bracket && !parser_advance(parser))
        return false;
    while (parser->token.kind == TOKEN_NAME || parser->token.kind == TOKEN_DOT) {
        struct import *at =
            parser_grow(parser, statement->imports, statement->n_imports, &capacity, sizeof *at);
        if (at == NULL)
            return false;
        statement->imports = at;
        struct import *import = &at[statement->n_imports++];
        bool ok = parse_module(parser, &import->module, &import->module_size);
        import->name = NULL;
        if (ok && take_word(parser, "as", &ok) && ok)
            ok = (import->name = parse_name(parser)) != NULL;
        if (!ok || parser->token.kind != TOKEN_COMMA) {
            if (!ok)
                return false;
            break;
        }
        if (!parser_advance(parser))
            return false;
    }
    if (statement->n_imports == 0)
        return parser_fail_unexpected(parser, "a name");
    return !bracket || parser_expect(parser, TOKEN_RIGHT_PAREN, "')'");
}

/* from = "from" module "import" ( "*" | imports ) */
static bool parse_from(struct parser *parser, struct statement *statement)
{
    statement->kind = STATEMENT_FROM;
    if (!parse_module(parser, &statement->words, &statement->words_size) ||
        !expect_word(parser, "import"))
        return false;
    return parser->token.kind == TOKEN_STAR ? parser_advance(parser)
                                            : parse_imports(parser, statement);
}

/* A statement that is one word, or a word and its values. */
static bool parse_word_statement(struct parser *parser, struct statement *statement,
                                 bool *ret_is_one)
{
    static const struct {
        const char *word;
        enum statement_kind kind;
    } words[] = {
        {"pass", STATEMENT_PASS},         {"break", STATEMENT_BREAK},
        {"continue", STATEMENT_CONTINUE}, {"return", STATEMENT_RETURN},
        {"raise", STATEMENT_RAISE},       {"assert", STATEMENT_ASSERT},
        {"del", STATEMENT_DELETE},        {"global", STATEMENT_GLOBAL},
        {"nonlocal", STATEMENT_NONLOCAL}, {"import", STATEMENT_IMPORT},
        {"from", STATEMENT_FROM},
    };
    size_t which = 0;
    while (which < COUNT_OF(words) && !at_word(parser, words[which].word))
        which++;
    *ret_is_one = which < COUNT_OF(words);
    if (!*ret_is_one)
        return true;
    statement->kind = words[which].kind;
    if (!parser_advance(parser))
        return false;
    bool ok = true;
    switch (statement->kind) {
    case STATEMENT_RETURN:
        return parser_at_end(parser) || (statement->value = parse_expressions(parser)) != NULL;
    case STATEMENT_RAISE:
        if (parser_at_end(parser))
            return true;
        statement->value = parse_expression(parser);
        if (statement->value != NULL && take_word(parser, "from", &ok) && ok)
            return (statement->cause = parse_expression(parser)) != NULL;
        return ok && statement->value != NULL;
    case STATEMENT_ASSERT:
        statement->value = parse_expression(parser);
        if (statement->value != NULL && parser->token.kind == TOKEN_COMMA)
            return parser_advance(parser) && (statement->cause = parse_expression(parser)) != NULL;
        return statement->value != NULL;
    case STATEMENT_DELETE: {
        struct items targets = {0};
        struct expr *value = parse_expressions(parser);
        if (value == NULL || !check_target(parser, value) || !items_add(parser, &targets, value))
            return false;
        bool several = value->kind == EXPR_TUPLE;
        statement->targets = several ? value->as.list.items : targets.at;
        statement->n_targets = several ? value->as.list.n : 1;
        return true;
    }
    case STATEMENT_GLOBAL:
    case STATEMENT_NONLOCAL:
        return parse_names(parser, statement);
    case STATEMENT_IMPORT:
        return parse_imports(parser, statement);
    case STATEMENT_FROM:
        return parse_from(parser, statement);
    default:
        return true;
    }
}

/* ---- statements with a block ---- */

/* if = "if" expression block { "elif" expression block } [ "else" block ]; while likewise */
static bool parse_if(struct parser *parser, struct statement *statement, enum statement_kind kind)
{
    bool ok;
    statement->kind = kind;
    if (!parser_advance(parser) || (statement->value = parse_expression(parser)) == NULL ||
        (statement->body = parse_block(parser)) == NULL)
        return false;
    if (kind == STATEMENT_IF && at_word(parser, "elif")) {
        struct statement *other = parser_take(parser, sizeof *other);
        if (other == NULL)
            return false;
        other->begin = parser->token.begin;
        statement->otherwise = other;
        if (!parser_enter(parser) || !parse_if(parser, other, STATEMENT_IF))
            return false;
        other->end = parser_end_before(parser);
        parser->depth--;
        return true;
    }
    return !take_word(parser, "else", &ok) ||
           (ok && (statement->otherwise = parse_block(parser)) != NULL);
}

/* for = "for" targets "in" expressions block [ "else" block ] */
static bool parse_for(struct parser *parser, struct statement *statement)
{
    struct items targets = {0};
    bool ok;
    statement->kind = STATEMENT_FOR;
    struct expr *target = parser_advance(parser) ? parse_loop_targets(parser) : NULL;
    if (target == NULL || !check_target(parser, target) || !items_add(parser, &targets, target) ||
        (statement->value = parse_expressions(parser)) == NULL ||
        (statement->body = parse_block(parser)) == NULL)
        return false;
    statement->targets = targets.at;
    statement->n_targets = 1;
    return !take_word(parser, "else", &ok) ||
           (ok && (statement->otherwise = parse_block(parser)) != NULL);
}

/* handler = "except" [ expression [ "as" NAME ] ] block */
static bool parse_handler(struct parser *parser, struct statement *statement, size_t *capacity)
{
    struct handler *at =
        parser_grow(parser, statement->handlers, statement->n_handlers, capacity, sizeof *at);
    bool ok = at != NULL;
    if (!ok)
        return false;
    statement->handlers = at;
    struct handler *handler = &at[statement->n_handlers++];
    *handler = (struct handler){.begin = parser->token.begin, .end = parser->token.end};
    if (!parser_advance(parser))
        return false;
    if (parser->token.kind != TOKEN_COLON) {
        if ((handler->value = parse_expression(parser)) == NULL)
            return false;
        if (take_word(parser, "as", &ok) && (!ok || (handler->name = parse_name(parser)) == NULL))
            return false;
    }
    return (handler->body = parse_block(parser)) != NULL;
}

/* try = "try" block { handler } [ "else" block ] [ "finally" block ] */
static bool parse_try(struct parser *parser, struct statement *statement)
{
    size_t capacity = 0;
    bool ok;
    statement->kind = STATEMENT_TRY;
    if (!parser_advance(parser) || (statement->body = parse_block(parser)) == NULL)
        return false;
    while (at_word(parser, "except"))
        if (!parse_handler(parser, statement, &capacity))
            return false;
    if (take_word(parser, "else", &ok) &&
        (!ok || (statement->otherwise = parse_block(parser)) == NULL))
        return false;
    if (take_word(parser, "finally", &ok) &&
        (!ok || (statement->final = parse_block(parser)) == NULL))
        return false;
    return statement->n_handlers > 0 || statement->final != NULL ||
           parser_fail(parser, statement->begin, statement->begin + 3,
                       "expected 'except' or 'finally' block");
}

/* with = "with" expression [ "as" target ] { "," ... } block, also in brackets */
static bool parse_with(struct parser *parser, struct statement *statement)
{
    struct items values = {0}, targets = {0};
    bool ok;
    statement->kind = STATEMENT_WITH;
    if (!parser_advance(parser))
        return false;
    do {
        if (values.n > 0 && !parser_advance(parser))
            return false;
        struct expr *value = parse_expression(parser), *target = NULL;
        if (value == NULL || !items_add(parser, &values, value))
            return false;
        if (take_word(parser, "as", &ok) &&
            (!ok || (target = parse_list_item(parser)) == NULL || !check_target(parser, target)))
            return false;
        if (!items_add(parser, &targets, target))
            return false;
    } while (parser->token.kind == TOKEN_COMMA);
    statement->arguments = values.at;
    statement->n_arguments = values.n;
    statement->targets = targets.at;
    statement->n_targets = targets.n;
    return (statement->body = parse_block(parser)) != NULL;
}

/* def = "def" NAME "(" formals ")" [ "->" expression ] block */
static bool parse_def(struct parser *parser, struct statement *statement)
{
    struct items name = {0};
    statement->kind = STATEMENT_FUNCTION;
    struct expr *called =
        parser_advance(parser) && parser->token.kind == TOKEN_NAME ? parse_name(parser) : NULL;
    if (called == NULL)
        return parser_fail_unexpected(parser, "a name");
    if (!items_add(parser, &name, called) || !parser_expect(parser, TOKEN_LEFT_PAREN, "'('") ||
        (statement->formals = parse_formals(parser, TOKEN_RIGHT_PAREN)) == NULL ||
        !parser_expect(parser, TOKEN_RIGHT_PAREN, "')'"))
        return false;
    statement->targets = name.at;
    statement->n_targets = 1;
    if (parser->token.kind == TOKEN_ARROW &&
        (!parser_advance(parser) || (statement->annotation = parse_expression(parser)) == NULL))
        return false;
    return (statement->body = parse_block(parser)) != NULL;
}

/* class = "class" NAME [ "(" arguments ")" ] block */
static bool parse_class(struct parser *parser, struct statement *statement)
{
    struct items name = {0};
    statement->kind = STATEMENT_CLASS;
    struct expr *called =
        parser_advance(parser) && parser->token.kind == TOKEN_NAME ? parse_name(parser) : NULL;
    if (called == NULL)
        return parser_fail_unexpected(parser, "a name");
    if (!items_add(parser, &name, called))
        return false;
    statement->targets = name.at;
    statement->n_targets = 1;
    if (parser->token.kind == TOKEN_LEFT_PAREN) {
        struct expr *call = parse_call(parser, called);
        if (call == NULL)
            return false;
        statement->named = call->as.call.arguments;
        statement->n_named = call->as.call.n;
    }
    return (statement->body = parse_block(parser)) != NULL;
}

static bool parse_compound(struct parser *parser, struct statement *statement, bool *ret_is_one);

/* decorated = { "@" expression NEWLINE } ( def | class ) */
static bool parse_decorated(struct parser *parser, struct statement *statement)
{
    struct items decorators = {0};
    bool is_one;
    while (parser->token.kind == TOKEN_AT) {
        struct expr *decorator = parser_advance(parser) ? parse_expression(parser) : NULL;
        if (decorator == NULL || !items_add(parser, &decorators, decorator) ||
            !parser_expect(parser, TOKEN_NEWLINE, "the end of the row"))
            return false;
    }
    if (!at_word(parser, "def") && !at_word(parser, "class"))
        return parser_fail_unexpected(parser, "def or class");
    bool ok = parse_compound(parser, statement, &is_one);
    statement->decorators = decorators.at;
    statement->n_decorators = decorators.n;
    return ok;
}

/* match = "match" expressions ":" NEWLINE INDENT { "case" pattern [ "if" expression ] block }
 * DEDENT: becomes if and elif. *ret_is_one is false where `match` is a name. */
static bool parse_match(struct parser *parser, struct statement *statement, bool *ret_is_one)
{
    struct parser before = *parser;
    struct error ignored = {0};
    struct expr *name, *subject;
    parser->reterr = &ignored;
    subject = parser_advance(parser) ? parse_expressions(parser) : NULL;
    *ret_is_one =
        subject != NULL && parser->token.kind == TOKEN_COLON && parser->ahead.kind == TOKEN_NEWLINE;
    if (!*ret_is_one) {
        *parser = before;
        return true;
    }
    parser->reterr = before.reterr;
    if (!parser_skip(parser, 2) || !parser_enter(parser) ||
        !parser_expect(parser, TOKEN_INDENT, "an indented case") ||
        (subject = match_subject(parser, subject, &name)) == NULL)
        return false;
    struct statement *last = NULL;
    while (at_word(parser, "case")) {
        struct statement *one = last == NULL ? statement : parser_take(parser, sizeof *one);
        if (one == NULL)
            return false;
        one->kind = STATEMENT_IF;
        one->begin = parser->token.begin;
        if (!parser_advance(parser) || (one->value = parse_case(parser, name)) == NULL)
            return false;
        if (last == NULL) {
            struct expr *both = parser_new(parser, EXPR_BINARY, one->value->begin, one->value->end);
            if (both == NULL)
                return false;
            both->as.operation.meaning = OPERATOR_LOGICAL_AND;
            both->as.operation.op = OP_CONSTANT;
            both->as.operation.left = subject;
            both->as.operation.right = one->value;
            one->value = both;
        } else {
            last->otherwise = one;
        }
        if ((one->body = parse_block(parser)) == NULL)
            return false;
        one->end = parser_end_before(parser);
        last = one;
    }
    if (last == NULL)
        return parser_fail_unexpected(parser, "case");
    parser->depth--;
    return parser->token.kind == TOKEN_END || parser_expect(parser, TOKEN_DEDENT, "case");
}

static bool parse_compound(struct parser *parser, struct statement *statement, bool *ret_is_one)
{
    *ret_is_one = true;
    if (parser->token.kind == TOKEN_AT)
        return parse_decorated(parser, statement);
    if (at_word(parser, "if"))
        return parse_if(parser, statement, STATEMENT_IF);
    if (at_word(parser, "while"))
        return parse_if(parser, statement, STATEMENT_WHILE);
    if (at_word(parser, "for"))
        return parse_for(parser, statement);
    if (at_word(parser, "try"))
        return parse_try(parser, statement);
    if (at_word(parser, "with"))
        return parse_with(parser, statement);
    if (at_word(parser, "def"))
        return parse_def(parser, statement);
    if (at_word(parser, "class"))
        return parse_class(parser, statement);
    if (at_word(parser, "async"))
        return parser_fail(parser, parser->token.begin, parser->token.end,
                           "async is not here; write the function without it");
    if (at_word(parser, "match"))
        return parse_match(parser, statement, ret_is_one);
    *ret_is_one = false;
    return true;
}

/* ---- rows ---- */

/* One statement, and what separates it from the next. */
static bool parse_one(struct parser *parser, struct statement *statement)
{
    bool is_one;
    statement->begin = parser->token.begin;
    parser->chain = 0;
    if (parser->token.kind == TOKEN_INDENT)
        return parser_fail(parser, parser->token.begin, parser->token.end, "unexpected indent");
    if (!parse_compound(parser, statement, &is_one))
        return false;
    if (is_one) {
        statement->end = parser_end_before(parser);
        return true;
    }
    if (!parse_word_statement(parser, statement, &is_one) ||
        (!is_one && !parse_assignment(parser, statement)))
        return false;
    statement->end = parser_end_before(parser);
    if (!parser_at_end(parser))
        return parser_fail_unexpected(parser, "the end of the statement");
    return parser->token.kind == TOKEN_END || parser_advance(parser);
}

/* Over a row that can't be read, with the block below it if it has one. */
static bool pass_refused(struct parser *parser, size_t depth)
{
    bool ok = false;
    lexer_pass_row(&parser->lexer);
    parser->depth = depth;
    for (size_t n_blocks = 0; !ok;) {
        struct error ignored;
        size_t at = parser->lexer.at;
        if (!lexer_next(&parser->lexer, &parser->token, &ignored)) {
            if (error_is_stop(&ignored) || at >= parser->lexer.size)
                return false;
            if (n_blocks == 0) { /* which the next statement says */
                parser->fault = ignored;
                parser->token = (struct token){TOKEN_FAULT, ignored.begin, ignored.end};
                parser->ahead = parser->token;
                return true;
            }
            parser->lexer.at = parser->lexer.at > at ? parser->lexer.at : at;
            lexer_pass_row(&parser->lexer);
            continue;
        }
        n_blocks += parser->token.kind == TOKEN_INDENT;
        ok = n_blocks == 0 || parser->token.kind == TOKEN_END;
        n_blocks -= parser->token.kind == TOKEN_DEDENT && n_blocks > 0;
    }
    return parser_look_ahead(parser);
}

/* Reads a statement; one that can't be read becomes STATEMENT_REFUSED. */
static struct statement *parse_statement(struct parser *parser)
{
    struct statement *statement = parser_take(parser, sizeof *statement);
    if (statement == NULL)
        return NULL;
    struct lexer before = parser->lexer;
    size_t depth = parser->depth, begin = parser->token.begin, n_refused = parser->n_refused;
    if (parse_one(parser, statement))
        return statement;
    if (parser->reterr->kind == ERR_MEMORY)
        return NULL;
    char *why = arena_copy(parser->arena, parser->reterr->text, strlen(parser->reterr->text));
    if (why == NULL)
        return NULL;
    *statement = (struct statement){.kind = STATEMENT_REFUSED,
                                    .begin = parser->reterr->begin,
                                    .end = parser->reterr->end,
                                    .words = why,
                                    .words_size = strlen(why)};
    if (statement->end == 0)
        statement->begin = statement->end = begin;
    parser->lexer = before;
    parser->lexer.at = begin;
    parser->lexer.owed = 0;
    parser->n_refused = n_refused + 1; /* it takes the place of those in its block */
    return pass_refused(parser, depth) ? statement : NULL;
}

/* Statements up to the end of the block. */
static struct statement *parse_rows(struct parser *parser, bool in_block)
{
    struct statement *first = NULL, **last = &first;
    for (;;) {
        while (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_SEMICOLON ||
               (parser->token.kind == TOKEN_DEDENT && !in_block))
            if (!parser_advance(parser))
                return NULL;
        if (parser->token.kind == TOKEN_END || parser->token.kind == TOKEN_DEDENT)
            return first;
        *last = parse_statement(parser);
        if (*last == NULL)
            return NULL;
        last = &(*last)->next;
    }
}

/* row = statement { ";" statement } NEWLINE, after a colon */
static struct statement *parse_short_block(struct parser *parser)
{
    struct statement *first = NULL, **last = &first;
    bool more = true;
    while (more) {
        *last = parser_take(parser, sizeof **last);
        if (*last == NULL)
            return NULL;
        bool is_one;
        (*last)->begin = parser->token.begin;
        if (!parse_word_statement(parser, *last, &is_one) ||
            (!is_one && !parse_assignment(parser, *last)))
            return NULL;
        (*last)->end = parser_end_before(parser);
        last = &(*last)->next;
        if (!parser_at_end(parser)) {
            parser_fail_unexpected(parser, "the end of the row");
            return NULL;
        }
        more = parser->token.kind == TOKEN_SEMICOLON;
        if (parser->token.kind != TOKEN_END && !parser_advance(parser))
            return NULL;
        more = more && parser->token.kind != TOKEN_NEWLINE && parser->token.kind != TOKEN_END;
        if (!more && parser->token.kind == TOKEN_NEWLINE && !parser_advance(parser))
            return NULL;
    }
    return first;
}

/* block = ":" ( row | NEWLINE INDENT rows DEDENT ) */
static struct statement *parse_block(struct parser *parser)
{
    if (!parser_expect(parser, TOKEN_COLON, "':'")) {
        if (parser->reterr->kind == ERR_SYNTAX)
            parser_fail(parser, parser->token.begin, parser->token.end, "expected ':'");
        return NULL;
    }
    if (parser->token.kind != TOKEN_NEWLINE)
        return parse_short_block(parser);
    if (!parser_enter(parser) || !parser_advance(parser))
        return NULL;
    if (parser->token.kind != TOKEN_INDENT) {
        parser_fail(parser, parser->token.begin, parser->token.end,
                    "expected an indented block after the colon");
        return NULL;
    }
    if (!parser_advance(parser))
        return NULL;
    size_t depth = parser->depth;
    struct statement *first = parse_rows(parser, true);
    parser->depth = depth - 1;
    if (first == NULL || parser->token.kind == TOKEN_END)
        return first;
    return parser_advance(parser) ? first : NULL; /* the DEDENT */
}

bool parser_parse_cell(struct arena *arena, const char *source, size_t size, struct program *ret,
                       struct error *reterr)
{
    struct error error = {0};
    if (size > CELL_MAX_BYTES)
        return error_set(reterr, ERR_LIMIT, "a cell may have %d bytes, and this has more; split it",
                         CELL_MAX_BYTES);
    struct parser parser = {
        .arena = arena,
        .lexer = {.source = source, .size = size, .is_cell = true},
        .is_cell = true,
        .reterr = &error,
    };
    (void)parser_look_ahead(&parser);
    (void)parser_advance(&parser);
    struct statement *first = parse_rows(&parser, false);
    if (first == NULL && parser.token.kind != TOKEN_END) {
        *reterr = error;
        return false;
    }
    *ret = (struct program){.first = first, .n_refused = parser.n_refused};
    return true;
}
