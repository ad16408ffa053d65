/* Lines of formulas and commands: see parser.h. */
#include "lang/syntax/parser.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "lang/syntax/parser_internal.h"

/* words = everything up to ";", a comment or the end of the line, quotes respected */
static bool parse_words(struct parser *parser, struct statement *statement, size_t begin)
{
    const char *source = parser->lexer.source;
    size_t at = begin, size = parser->lexer.size;
    char quote = '\0';
    for (; at < size && source[at] != '\n'; at++) {
        if (quote == '\0' && (source[at] == ';' || source[at] == '#'))
            break;
        if (source[at] == quote)
            quote = '\0';
        else if (quote == '\0' && (source[at] == '"' || source[at] == '\''))
            quote = source[at];
    }
    size_t end = at;
    while (begin < end && strchr(" \t\r", source[begin]) != NULL)
        begin++;
    while (end > begin && strchr(" \t\r", source[end - 1]) != NULL)
        end--;
    statement->words = source + begin;
    statement->words_size = end - begin;
    statement->end = end;
    parser->lexer.at = at;
    parser->lexer.depth = 0;
    return lexer_next(&parser->lexer, &parser->ahead, parser->reterr) && parser_advance(parser);
}

static struct statement *parse_statement(struct parser *parser);

/* body = statement { ";" statement }, up to the end of the line. */
static bool parse_body(struct parser *parser, struct statement **last)
{
    if (parser->n_loops >= PARSER_MAX_LOOPS)
        return parser_fail_limit(parser, "loops are nested more than 10 deep; write fewer");
    parser->n_loops++;
    bool ok = true;
    while (ok && parser->token.kind != TOKEN_END && parser->token.kind != TOKEN_NEWLINE) {
        if (parser->token.kind == TOKEN_SEMICOLON) {
            ok = parser_advance(parser);
            continue;
        }
        *last = parse_statement(parser);
        ok = *last != NULL;
        if (ok)
            last = &(*last)->next;
    }
    parser->n_loops--;
    return ok;
}

/* loop = "for" NAME "in" expressions ":" body */
static bool parse_loop(struct parser *parser, struct statement *statement)
{
    struct items targets = {0};
    struct expr *name = parser_advance(parser) ? parse_loop_name(parser) : NULL;
    if (name == NULL || !items_add(parser, &targets, name))
        return false;
    statement->targets = targets.at;
    statement->n_targets = 1;
    statement->value = parse_expressions(parser);
    if (statement->value == NULL)
        return false;
    struct token colon = parser->token;
    if (!parser_expect(parser, TOKEN_COLON,
                       "':' and what to repeat, as in for i in range(3): x = x + i"))
        return false;
    if (!parse_body(parser, &statement->body))
        return false;
    return statement->body != NULL ||
           parser_fail(
               parser, colon.begin, colon.end,
               "nothing stands after the colon; what the loop repeats goes on the same line, "
               "as in for i in range(3): x = x + i; x");
}

/* check = NAME [ call | argument { "," argument } ]. It is kept as a call of that name. */
static bool parse_check(struct parser *parser, struct items *arguments)
{
    struct argument_list given = {0};
    if (parser->token.kind != TOKEN_NAME)
        return parser_fail_unexpected(parser, "what to verify: weights, attention or multihead");
    struct expr *kind = parse_name(parser);
    if (kind == NULL)
        return false;
    if (parser->token.kind == TOKEN_LEFT_PAREN && parser->token.begin == kind->end) {
        struct expr *call = parse_call(parser, kind);
        return call != NULL && items_add(parser, arguments, call);
    }
    bool more = !parser_at_end(parser);
    while (more) {
        if (!parse_argument(parser, &given))
            return false;
        more = parser->token.kind == TOKEN_COMMA;
        if (more && !parser_advance(parser))
            return false;
    }
    struct expr *call = parser_new(parser, EXPR_CALL, kind->begin, parser_end_before(parser));
    if (call == NULL)
        return false;
    call->object = kind;
    call->as.call.n = given.n;
    call->as.call.arguments = given.at;
    return items_add(parser, arguments, call);
}

/* named = NAME "=" expression { "," NAME "=" expression } */
static bool parse_named(struct parser *parser, struct statement *statement)
{
    struct argument_list named = {0};
    for (bool more = true; more;) {
        if (parser->token.kind != TOKEN_NAME || parser->ahead.kind != TOKEN_EQUAL)
            return parser_fail(parser, parser->token.begin, parser->token.end,
                               "after an argument with a name all others need theirs");
        if (!parse_argument(parser, &named))
            return false;
        more = parser->token.kind == TOKEN_COMMA;
        if (more && !parser_advance(parser))
            return false;
    }
    statement->named = named.at;
    statement->n_named = named.n;
    return true;
}

/* Up to the end of the statement, or up to the first argument that is given by name. */
static bool parse_command_arguments(struct parser *parser, struct statement *statement,
                                    const struct command *command, struct items *arguments)
{
    bool takes_named = (command->rules & COMMAND_TAKES_NAMED) != 0;
    do {
        if (takes_named && arguments->n > 0 && parser->token.kind == TOKEN_NAME &&
            parser->ahead.kind == TOKEN_EQUAL)
            return parse_named(parser, statement);
        struct expr *expr = parse_expression(parser);
        if (expr == NULL || !items_add(parser, arguments, expr))
            return false;
    } while (command->takes == TAKES_EXPRESSIONS && parser->token.kind == TOKEN_COMMA &&
             parser_advance(parser));
    return true;
}

/* command = WORD [ "(" ")" | words | expression { "," expression } [ "," named ]
 *         | expression "=" expression | check ] | loop */
static bool parse_command(struct parser *parser, struct statement *statement,
                          const struct command *command)
{
    statement->kind = STATEMENT_COMMAND;
    statement->command = command;
    struct token word = parser->token;
    if (parser->n_loops > 0 && (command->rules & COMMAND_NOT_IN_LOOP) != 0) {
        char text[120];
        snprintf(text, sizeof text, "%s: a loop can't repeat it; write it on a line of its own",
                 command->name);
        return parser_fail(parser, word.begin, word.end, text);
    }
    if (command->takes == TAKES_WORDS)
        return parse_words(parser, statement, word.end);
    if (command->takes == TAKES_LOOP)
        return parse_loop(parser, statement);
    struct items arguments = {0};
    if (!parser_advance(parser))
        return false;
    bool empty_call = command->takes == TAKES_NOTHING && parser->token.kind == TOKEN_LEFT_PAREN &&
                      parser->ahead.kind == TOKEN_RIGHT_PAREN; /* quit() is what Python wants */
    if (empty_call && !parser_skip(parser, 2))
        return false;
    if (command->takes == TAKES_NOTHING || parser_at_end(parser)) {
        char text[160];
        bool alone = command->takes == TAKES_NOTHING;
        if (alone && parser_at_end(parser))
            return true;
        snprintf(text, sizeof text,
                 alone ? "%s: it stands alone; leave the rest out" : "%s: write %s", command->name,
                 command->usage);
        return parser_fail(parser, alone ? parser->token.begin : word.begin,
                           alone ? parser->token.end : word.end, text);
    }
    if (command->takes == TAKES_CHECK) {
        bool ok = parse_check(parser, &arguments);
        statement->arguments = arguments.at;
        statement->n_arguments = arguments.n;
        return ok;
    }
    if (!parse_command_arguments(parser, statement, command, &arguments))
        return false;
    if (command->takes == TAKES_CHANGE) {
        if (!parser_expect(parser, TOKEN_EQUAL, "= and the new number, as in whatif X[0, 0] = 1"))
            return false;
        statement->value = parse_expression(parser);
        if (statement->value == NULL)
            return false;
    }
    statement->arguments = arguments.at;
    statement->n_arguments = arguments.n;
    return true;
}

static bool all_names(struct expr *const *exprs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (exprs[i]->kind != EXPR_NAME)
            return false;
    return true;
}

/* Whether one of the items from `first` on is the same name. */
static bool holds_name(const struct items *items, size_t first, const struct expr *name)
{
    for (size_t i = first; i < items->n; i++)
        if (expr_same_word(items->at[i], name))
            return true;
    return false;
}

/* f(x, y) = ...: the function's name and its parameters as targets. */
static bool definition_targets(struct parser *parser, const struct expr *call, struct items *items)
{
    if (!items_add(parser, items, call->object))
        return false;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct argument *argument = &call->as.call.arguments[i];
        if (argument->keyword != NULL || argument->value->kind != EXPR_NAME)
            return parser_fail(parser, argument->value->begin, argument->value->end,
                               "a parameter must be a name, as in f(x, y) = x + y");
        if (holds_name(items, 1, argument->value))
            return parser_fail(parser, argument->value->begin, argument->value->end,
                               "two parameters have this name; give each its own");
        if (!items_add(parser, items, argument->value))
            return false;
    }
    return true;
}

/* The left side of "=": a name, names, a cell or a function's head. */
static bool assignment_targets(struct parser *parser, struct statement *statement,
                               struct expr *left)
{
    struct items items = {0};
    bool head = left->kind == EXPR_CALL && left->object->kind == EXPR_NAME;
    bool cell = left->kind == EXPR_INDEX && left->object->kind == EXPR_NAME;
    bool names = left->kind == EXPR_TUPLE && left->as.list.n > 0 &&
                 all_names(left->as.list.items, left->as.list.n);
    statement->kind = head ? STATEMENT_DEFINE : STATEMENT_ASSIGN;
    if (names)
        items = (struct items){left->as.list.items, left->as.list.n, left->as.list.n};
    else if (!head && !cell && left->kind != EXPR_NAME)
        return parser_fail(
            parser, left->begin, left->end,
            "only a name can stand left of =, as in x = ... or f(x) = ...; to compare, "
            "write ==");
    else if (!(head ? definition_targets(parser, left, &items) : items_add(parser, &items, left)))
        return false;
    statement->targets = items.at;
    statement->n_targets = items.n;
    return true;
}

/* x += y is x = x + y. */
static bool parse_augmented(struct parser *parser, struct statement *statement, struct expr *target,
                            enum op_kind op)
{
    if (target->kind != EXPR_NAME)
        return parser_fail(parser, target->begin, target->end,
                           "only a name can stand left of +=; write it out: x[0] = x[0] + 1");
    struct expr *whole = parser_new(parser, EXPR_BINARY, target->begin, parser->token.end);
    struct items targets = {0};
    if (whole == NULL || !items_add(parser, &targets, target) || !parser_advance(parser))
        return false;
    whole->as.operation.op = op;
    whole->as.operation.left = target;
    whole->as.operation.right = parse_expression(parser);
    if (whole->as.operation.right == NULL)
        return false;
    whole->end = whole->as.operation.right->end;
    statement->kind = STATEMENT_ASSIGN;
    statement->targets = targets.at;
    statement->n_targets = 1;
    statement->value = whole;
    return true;
}

/* formula = expressions [ ( "=" | "+=" | ... ) expressions ] */
static bool parse_formula(struct parser *parser, struct statement *statement)
{
    static const enum op_kind augmented[TOKEN_COUNT] = {[TOKEN_PLUS_EQUAL] = OP_ADD,
                                                        [TOKEN_MINUS_EQUAL] = OP_SUB,
                                                        [TOKEN_STAR_EQUAL] = OP_MUL,
                                                        [TOKEN_SLASH_EQUAL] = OP_DIV};
    struct expr *left = parse_expressions(parser);
    if (left == NULL)
        return false;
    enum token_kind sign = parser->token.kind;
    if (augmented[sign] != OP_CONSTANT)
        return parse_augmented(parser, statement, left, augmented[sign]);
    if (sign != TOKEN_EQUAL) {
        statement->kind = STATEMENT_EXPRESSION;
        statement->value = left;
        return true;
    }
    if (!assignment_targets(parser, statement, left) || !parser_advance(parser))
        return false;
    statement->value = parse_expressions(parser);
    return statement->value != NULL;
}

/* A command word starts a command unless it is assigned to, called or looked into, or, of some,
 * unless a name follows. */
static const struct command *command_here(const struct parser *parser)
{
    if (parser->token.kind != TOKEN_NAME || parser->find_command == NULL)
        return NULL;
    const struct command *command = parser->find_command(parser_source(parser, parser->token.begin),
                                                         parser->token.end - parser->token.begin);
    if (command == NULL)
        return NULL;
    enum token_kind next = parser->ahead.kind;
    bool call = next == TOKEN_LEFT_PAREN && (command->rules & COMMAND_NOT_CALLED) != 0;
    bool name = next != TOKEN_NAME && (command->rules & COMMAND_BEFORE_NAME) != 0;
    bool changed = next == TOKEN_EQUAL || next == TOKEN_PLUS_EQUAL || next == TOKEN_MINUS_EQUAL ||
                   next == TOKEN_STAR_EQUAL || next == TOKEN_SLASH_EQUAL;
    bool attribute = next == TOKEN_DOT && parser->ahead.begin == parser->token.end; /* not ./file */
    return call || name || changed || attribute ? NULL : command;
}

/* For the message where a statement should end: 2x lacks a *, two words are perhaps a text. */
static const char *what_may_follow(const struct parser *parser)
{
    size_t begin = parser->token.begin;
    char before = begin > 0 ? *parser_source(parser, begin - 1) : ' ';
    if (parser->token.kind != TOKEN_NAME)
        return "an operator, ';' or the end of the line";
    if (text_is_digit(before) || before == ')')
        return "an operator; to multiply, write *";
    return "an operator, ';' or the end of the line; words that are not a formula go in quotes";
}

/* statement = command | formula */
static struct statement *parse_statement(struct parser *parser)
{
    struct statement *statement = parser_take(parser, sizeof *statement);
    if (statement == NULL)
        return NULL;
    statement->begin = parser->token.begin;
    parser->chain = 0;
    const struct command *command = command_here(parser);
    bool ok =
        command ? parse_command(parser, statement, command) : parse_formula(parser, statement);
    if (!ok)
        return NULL;
    if (statement->words == NULL)
        statement->end = parser_end_before(parser);
    if (!parser_at_end(parser)) {
        parser_fail_unexpected(parser, what_may_follow(parser));
        return NULL;
    }
    return statement;
}

/* Fails: the line has an indented body. */
static bool refuse_construct(struct parser *parser, const struct lexer_construct *construct)
{
    static const struct {
        const char *word, *advice;
    } words[] = {
        {"for", "what a loop repeats goes on the same line, as in for i in range(3): x = x + i"},
        {"while", "say how often on one line, as in for i in range(100): x = x / 2"},
        {"def", "a function is one formula, as in f(x) = x + 1"},
        {"if", "choose numbers with where(condition, a, b)"},
        {"with", "its lines work without it"},
    };
    const char *word = parser_source(parser, construct->begin), *advice = "only formulas run here";
    size_t size = construct->end - construct->begin;
    char shown[24], text[200];
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (text_equals(word, size, words[i].word))
            advice = words[i].advice;
    error_quote(shown, sizeof shown, word, size);
    snprintf(text, sizeof text,
             "%s: attn does not run indented lines; %s. The %zu line%s below %s "
             "to it, and none of them ran",
             shown, advice, construct->n_below, construct->n_below == 1 ? "" : "s",
             construct->n_below == 1 ? "belongs" : "belong");
    return parser_fail(parser, construct->begin, construct->end, text);
}

bool parser_parse_line(struct arena *arena, command_lookup *find_command, const char *source,
                       size_t size, struct statement **ret_first, struct error *reterr)
{
    if (size > PARSER_MAX_LINE)
        return error_set(reterr, ERR_LIMIT,
                         "this line has %zu bytes, and a line may have %d; split it, or put the "
                         "numbers in a file and load(\"x.npy\")",
                         size, PARSER_MAX_LINE);
    struct parser parser = {.arena = arena,
                            .lexer = {.source = source, .size = size},
                            .find_command = find_command,
                            .reterr = reterr};
    struct statement *first = NULL, **last = &first;
    struct lexer_construct construct;
    if (lexer_construct(source, size, &construct))
        return refuse_construct(&parser, &construct);
    if (!lexer_next(&parser.lexer, &parser.token, reterr) ||
        !lexer_next(&parser.lexer, &parser.ahead, reterr))
        return false;
    for (;;) {
        while (parser.token.kind == TOKEN_NEWLINE || parser.token.kind == TOKEN_SEMICOLON)
            if (!parser_advance(&parser))
                return false;
        if (parser.token.kind == TOKEN_END)
            break;
        struct statement *statement = parse_statement(&parser);
        if (statement == NULL)
            return false;
        *last = statement;
        last = &statement->next;
    }
    *ret_first = first;
    return true;
}
