/* A precedence climber: see parser.h. */
#include "lang/syntax/parser.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/builder.h"
#include "lang/syntax/lexer.h"

struct parser {
    struct arena *arena;
    struct lexer lexer;
    command_lookup *find_command; /* NULL: there are no commands */
    struct token token;           /* the one looked at */
    struct token ahead;           /* the one after it */
    size_t depth;                 /* open brackets */
    size_t n_loops;               /* whose bodies are being read */
    size_t chain;                 /* operators in the current statement */
    struct error *reterr;
};

/* ---- errors: all return NULL or false ---- */

static const char *source_at(const struct parser *parser, size_t at)
{
    return parser->lexer.source + at;
}

static bool fail_at(struct parser *parser, size_t begin, size_t end, const char *text)
{
    if (begin == end) { /* the end of the line: mark the place after its last character */
        while (begin > 0 && strchr(" \t\r\n", *source_at(parser, begin - 1)) != NULL)
            begin--;
        end = begin + 1;
    }
    error_set(parser->reterr, ERR_SYNTAX, "%s", text);
    if (parser->reterr != NULL) {
        parser->reterr->begin = begin;
        parser->reterr->end = end;
    }
    return false;
}

static bool fail_limit(struct parser *parser, const char *text)
{
    fail_at(parser, parser->token.begin, parser->token.end, text);
    if (parser->reterr != NULL)
        parser->reterr->kind = ERR_LIMIT;
    return false;
}

static bool token_is(const struct parser *parser, struct token token, const char *word)
{
    size_t size = token.end - token.begin;
    return token.kind == TOKEN_NAME && *source_at(parser, token.begin) == word[0] &&
           text_equals(source_at(parser, token.begin), size, word);
}

/* Words of Python that people try, and what attn has instead. */
static const struct {
    const char *word, *advice;
} foreign_words[] = {
    {"import", "import: nothing needs to be imported; torch's functions are here already"},
    {"from", "from: nothing needs to be imported; torch's functions are here already"},
    {"def", "def: to define a function write f(x) = ..."},
    {"lambda", "lambda: to define a function write f(x) = ..."},
    {"class", "class: attn has formulas only; to define a function write f(x) = ..."},
    {"for", "for: a loop starts its line, as in for i in range(3): x = x + i; a list is built in "
            "brackets, as in [i * i for i in range(3)]"},
    {"in", "in: it belongs to a loop, as in for i in range(3): x = x + i; to compare, write =="},
    {"while", "while: attn does not have it; say how often, as in for i in range(100): x = x / 2"},
    {"if", "if: attn has no branches; choose numbers with where(condition, a, b)"},
    {"return", "return: a function is one formula: f(x) = ..."},
    {"and", "and: write & between conditions"},
    {"or", "or: write | between conditions"},
    {"not", "not: write ~ before the condition"},
};

/* True, after the error, where the token is one of those words. */
static bool fail_foreign_word(struct parser *parser)
{
    struct token token = parser->token;
    for (size_t i = 0; i < COUNT_OF(foreign_words); i++)
        if (token_is(parser, token, foreign_words[i].word))
            return !fail_at(parser, token.begin, token.end, foreign_words[i].advice);
    return false;
}

static bool fail_unexpected(struct parser *parser, const char *wanted)
{
    struct token token = parser->token;
    if (fail_foreign_word(parser))
        return false;
    char shown[40], text[160];
    bool end = token.kind == TOKEN_END || token.kind == TOKEN_NEWLINE;
    error_quote(shown, sizeof shown, source_at(parser, token.begin), token.end - token.begin);
    snprintf(text, sizeof text, "%s%s%s: expected %s", end ? "the line ends here" : "'",
             end ? "" : shown, end ? "" : "'", wanted);
    return fail_at(parser, token.begin, token.end, text);
}

/* ---- tokens ---- */

static bool advance(struct parser *parser)
{
    parser->token = parser->ahead;
    return lexer_next(&parser->lexer, &parser->ahead, parser->reterr);
}

static bool skip(struct parser *parser, size_t n_tokens)
{
    bool ok = true;
    while (ok && n_tokens-- > 0)
        ok = advance(parser);
    return ok;
}

static bool expect(struct parser *parser, enum token_kind kind, const char *wanted)
{
    return parser->token.kind == kind ? advance(parser) : fail_unexpected(parser, wanted);
}

static void *take(struct parser *parser, size_t size)
{
    void *bytes = arena_take(parser->arena, size);
    if (bytes == NULL)
        error_memory(parser->reterr, "reading the line");
    return bytes;
}

static struct expr *new_expr(struct parser *parser, enum expr_kind kind, size_t begin, size_t end)
{
    struct expr *expr = take(parser, sizeof *expr);
    if (expr != NULL) {
        expr->kind = kind;
        expr->begin = begin;
        expr->end = end;
    }
    return expr;
}

/* A list that grows while its items are parsed. */
struct items {
    struct expr **at;
    size_t n, capacity;
};

/* at with room for element n, moved within the arena where it was full; NULL without memory. */
static void *arena_grow(struct parser *parser, void *at, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return at;
    size_t more = *capacity ? *capacity * 2 : 4;
    void *wider = take(parser, more * size);
    if (wider == NULL)
        return NULL;
    if (n > 0)
        memcpy(wider, at, n * size);
    *capacity = more;
    return wider;
}

static bool items_add(struct parser *parser, struct items *items, struct expr *expr)
{
    struct expr **at = arena_grow(parser, items->at, items->n, &items->capacity, sizeof(*at));
    if (at == NULL)
        return false;
    items->at = at;
    at[items->n++] = expr;
    return true;
}

/* ---- expressions ---- */

static struct expr *parse_expression(struct parser *parser);
static struct expr *parse_operators(struct parser *parser, int least);

/* One bracket deeper; false at the limit. */
static bool enter(struct parser *parser)
{
    if (parser->depth >= PARSER_MAX_DEPTH)
        return fail_limit(parser, "brackets are nested more than 200 deep; name a part of the "
                                  "formula and use the name");
    parser->depth++;
    return true;
}

static bool count_link(struct parser *parser)
{
    if (++parser->chain <= PARSER_MAX_CHAIN)
        return true;
    return fail_limit(parser,
                      "more than 1000 operators in one statement; name a part of the formula "
                      "and use the name");
}

/* NUMBER */
static struct expr *parse_number(struct parser *parser)
{
    struct token token = parser->token;
    char digits[64];
    size_t used = 0;
    for (size_t i = token.begin; i < token.end; i++) {
        if (*source_at(parser, i) == '_')
            continue;
        if (used + 1 >= sizeof digits) {
            fail_at(parser, token.begin, token.end,
                    "a number of more than 60 digits; float32 keeps 7");
            return NULL;
        }
        digits[used++] = *source_at(parser, i);
    }
    digits[used] = '\0';
    errno = 0;
    double number = strtod(digits, NULL);
    if (number > (double)FLT_MAX) {
        fail_at(parser, token.begin, token.end,
                "this number is out of range: float32 ends at 3.4e38; write inf for infinity");
        return NULL;
    }
    if ((float)number == 0 && (number != 0 || errno == ERANGE)) {
        fail_at(
            parser, token.begin, token.end,
            "this number is out of range: float32 can't tell it from 0 (its smallest is 1.4e-45)");
        return NULL;
    }
    struct expr *expr = new_expr(parser, EXPR_NUMBER, token.begin, token.end);
    if (expr == NULL || !advance(parser))
        return NULL;
    expr->as.number = number;
    return expr;
}

/* STRING, with \" \' \\ \n \r \t resolved */
static struct expr *parse_string(struct parser *parser)
{
    struct token token = parser->token;
    struct expr *expr = new_expr(parser, EXPR_STRING, token.begin, token.end);
    char *bytes = take(parser, token.end - token.begin);
    if (expr == NULL || bytes == NULL)
        return NULL;
    size_t size = 0;
    for (size_t i = token.begin + 1; i + 1 < token.end; i++) {
        char c = *source_at(parser, i);
        if (c == '\\' && i + 2 < token.end) {
            c = *source_at(parser, ++i);
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
        bytes[size++] = c;
    }
    expr->as.text.bytes = bytes;
    expr->as.text.size = size;
    return advance(parser) ? expr : NULL;
}

static struct expr *parse_name(struct parser *parser)
{
    struct token token = parser->token;
    if (fail_foreign_word(parser))
        return NULL;
    struct expr *expr = new_expr(parser, EXPR_NAME, token.begin, token.end);
    if (expr == NULL || !advance(parser))
        return NULL;
    expr->as.text.bytes = source_at(parser, token.begin);
    expr->as.text.size = token.end - token.begin;
    return expr;
}

/* Where the token before the current one ended. */
static size_t end_before(const struct parser *parser)
{
    size_t end = parser->token.begin;
    while (end > 0 && strchr(" \t\r\n", *source_at(parser, end - 1)) != NULL)
        end--;
    return end;
}

/* After a failure inside a bracket: where the line just ended, the bracket that was opened at
 * `open` is what the learner must mend. Returns false. */
static bool fail_unclosed(struct parser *parser, size_t open)
{
    struct error *error = parser->reterr;
    bool at_end = parser->token.kind == TOKEN_END && error != NULL && error->kind == ERR_SYNTAX &&
                  error->begin == end_before(parser);
    if (at_end)
        fail_at(parser, open, open + 1,
                *source_at(parser, open) == '(' ? "this ( is never closed: add )"
                                                : "this [ is never closed: add ]");
    return false;
}

/* Reads one of the parts between two brackets and adds it to list. */
typedef bool parse_part(struct parser *parser, void *list);

/* parts = open [ part { "," part } [ "," ] ] close. *ret_end is where the bracket closes,
 * *ret_comma whether there was a comma. */
static bool parse_parts(struct parser *parser, enum token_kind close, const char *wanted,
                        parse_part *part, void *list, size_t *ret_end, bool *ret_comma)
{
    size_t open = parser->token.begin;
    bool ok = enter(parser) && advance(parser);
    *ret_comma = false;
    while (ok && parser->token.kind != close) {
        ok = part(parser, list);
        if (!ok || parser->token.kind != TOKEN_COMMA)
            break;
        *ret_comma = true;
        ok = advance(parser);
    }
    *ret_end = parser->token.end;
    parser->depth--;
    ok = ok && expect(parser, close, wanted);
    if (!ok)
        fail_unclosed(parser, open);
    return ok;
}

/* head = NAME "in": a loop's name. */
static struct expr *parse_loop_name(struct parser *parser)
{
    static const char in_wanted[] = "in, as in for i in range(3): x = x + i";
    if (parser->token.kind != TOKEN_NAME) {
        fail_unexpected(parser, "a name, as in for i in range(3): x = x + i");
        return NULL;
    }
    struct expr *name = parse_name(parser);
    if (name == NULL)
        return NULL;
    if (parser->token.kind == TOKEN_COMMA) {
        fail_at(parser, parser->token.begin, parser->token.end,
                "a loop has one name; to take an item apart, index it: item[0], item[1]");
        return NULL;
    }
    if (!token_is(parser, parser->token, "in")) {
        fail_unexpected(parser, in_wanted);
        return NULL;
    }
    return advance(parser) ? name : NULL;
}

/* clause = "for" NAME "in" operators | "if" operators */
static bool parse_clause(struct parser *parser, struct clause *clause)
{
    bool is_loop = token_is(parser, parser->token, "for");
    if (!count_link(parser) || !advance(parser))
        return false;
    if (is_loop && (clause->name = parse_loop_name(parser)) == NULL)
        return false;
    clause->value = parse_expression(parser);
    return clause->value != NULL;
}

/* comprehension = item clause { clause } */
static struct expr *parse_comprehension(struct parser *parser, struct expr *item)
{
    struct expr *expr = new_expr(parser, EXPR_COMPREHENSION, item->begin, item->end);
    struct clause *clauses = expr ? take(parser, PARSER_MAX_CLAUSES * sizeof *clauses) : NULL;
    size_t n = 0;
    if (clauses == NULL)
        return NULL;
    for (; token_is(parser, parser->token, "for") || token_is(parser, parser->token, "if"); n++) {
        if (n == PARSER_MAX_CLAUSES) {
            fail_limit(
                parser,
                "a list has at most 4 for and if; join conditions with &, or build it in steps");
            return NULL;
        }
        if (!parse_clause(parser, &clauses[n]))
            return NULL;
    }
    expr->as.comprehension.item = item;
    expr->as.comprehension.n = n;
    expr->as.comprehension.clauses = clauses;
    return expr;
}

/* The items of a list or a tuple. */
struct bracket {
    struct items items;
    bool may_loop; /* [ ] */
    bool loops;    /* the one item is a comprehension */
};

/* item = expression [ clauses ] */
static bool parse_item(struct parser *parser, void *list)
{
    struct bracket *bracket = list;
    if (bracket->loops)
        return fail_at(parser, parser->token.begin, parser->token.end,
                       "a list with for holds nothing else; join lists with cat([a, b])");
    struct expr *item = parse_expression(parser);
    bracket->loops = item != NULL && bracket->may_loop && bracket->items.n == 0 &&
                     token_is(parser, parser->token, "for");
    if (bracket->loops)
        item = parse_comprehension(parser, item);
    return item != NULL && items_add(parser, &bracket->items, item);
}

static struct expr *new_list(struct parser *parser, enum expr_kind kind, size_t begin, size_t end,
                             const struct items *items)
{
    struct expr *expr = new_expr(parser, kind, begin, end);
    if (expr != NULL) {
        expr->as.list.n = items->n;
        expr->as.list.items = items->at;
    }
    return expr;
}

/* bracket = "(" expression ")" | "(" items ")" | "[" items "]" | "[" comprehension "]" */
static struct expr *parse_bracket(struct parser *parser)
{
    size_t begin = parser->token.begin, end;
    bool paren = parser->token.kind == TOKEN_LEFT_PAREN, comma;
    struct bracket bracket = {.may_loop = !paren};
    struct items *items = &bracket.items;
    if (!parse_parts(parser, paren ? TOKEN_RIGHT_PAREN : TOKEN_RIGHT_BRACKET,
                     paren ? "an operator or ')'" : "',' or ']'", parse_item, &bracket, &end,
                     &comma))
        return NULL;
    bool alone = items->n == 1 && (paren ? !comma : bracket.loops);
    if (!alone)
        return new_list(parser, paren ? EXPR_TUPLE : EXPR_LIST, begin, end, items);
    items->at[0]->begin = begin;
    items->at[0]->end = end;
    return items->at[0];
}

/* atom = NUMBER | STRING | NAME | bracket */
static struct expr *parse_atom(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        return parse_number(parser);
    case TOKEN_STRING:
        return parse_string(parser);
    case TOKEN_NAME:
        return parse_name(parser);
    case TOKEN_LEFT_PAREN:
    case TOKEN_LEFT_BRACKET:
        return parse_bracket(parser);
    default:
        fail_unexpected(parser, "a number, a name or a bracket");
        return NULL;
    }
}

struct argument_list {
    struct argument *at;
    size_t n, capacity;
};

/* argument = [ NAME "=" ] expression */
static bool parse_argument(struct parser *parser, void *list)
{
    struct argument_list *arguments = list;
    struct argument *at =
        arena_grow(parser, arguments->at, arguments->n, &arguments->capacity, sizeof *at);
    if (at == NULL)
        return false;
    arguments->at = at;
    struct argument *argument = &at[arguments->n++];
    if (parser->token.kind == TOKEN_NAME && parser->ahead.kind == TOKEN_EQUAL) {
        argument->keyword = source_at(parser, parser->token.begin);
        argument->keyword_size = parser->token.end - parser->token.begin;
        if (!skip(parser, 2)) /* the name and the = */
            return false;
    }
    argument->value = parse_expression(parser);
    return argument->value != NULL;
}

/* call = "(" [ argument { "," argument } [ "," ] ] ")" */
static struct expr *parse_call(struct parser *parser, struct expr *object)
{
    struct argument_list arguments = {0};
    size_t end;
    bool comma;
    if (!parse_parts(parser, TOKEN_RIGHT_PAREN, "',' or ')'", parse_argument, &arguments, &end,
                     &comma))
        return NULL;
    struct expr *expr = new_expr(parser, EXPR_CALL, object->begin, end);
    if (expr != NULL) {
        expr->object = object;
        expr->as.call.n = arguments.n;
        expr->as.call.arguments = arguments.at;
    }
    return expr;
}

/* range = [ expression ] ":" [ expression ] [ ":" [ expression ] ], or one expression alone */
static struct expr *parse_range(struct parser *parser)
{
    size_t begin = parser->token.begin;
    struct expr *parts[3] = {NULL, NULL, NULL};
    int n_colons = 0;
    for (;; n_colons++) {
        enum token_kind kind = parser->token.kind;
        bool left_out = kind == TOKEN_COLON || kind == TOKEN_COMMA || kind == TOKEN_RIGHT_BRACKET;
        if (!left_out && (parts[n_colons] = parse_expression(parser)) == NULL)
            return NULL;
        if (parser->token.kind != TOKEN_COLON || n_colons == 2)
            break;
        if (!advance(parser))
            return NULL;
    }
    if (n_colons == 0) {
        if (parts[0] == NULL)
            fail_unexpected(parser, "an index");
        return parts[0];
    }
    struct expr *expr = new_expr(parser, EXPR_SLICE, begin, end_before(parser));
    if (expr != NULL) {
        expr->as.slice.start = parts[0];
        expr->as.slice.stop = parts[1];
        expr->as.slice.step = parts[2];
    }
    return expr;
}

/* index_item = "..." | range */
static bool parse_index_item(struct parser *parser, void *list)
{
    struct expr *item;
    if (parser->token.kind == TOKEN_ELLIPSIS) {
        item = new_expr(parser, EXPR_ELLIPSIS, parser->token.begin, parser->token.end);
        item = item != NULL && advance(parser) ? item : NULL;
    } else {
        item = parse_range(parser);
    }
    return item != NULL && items_add(parser, list, item);
}

/* index = "[" index_item { "," index_item } [ "," ] "]" */
static struct expr *parse_index(struct parser *parser, struct expr *object)
{
    struct items items = {0};
    size_t begin = parser->token.begin, end;
    bool comma;
    if (!parse_parts(parser, TOKEN_RIGHT_BRACKET, "',', ':' or ']'", parse_index_item, &items, &end,
                     &comma))
        return NULL;
    if (items.n == 0) {
        fail_at(parser, begin, end, "an index is missing: write X[0], X[1:3] or X[\"label\"]");
        return NULL;
    }
    struct expr *expr = new_list(parser, EXPR_INDEX, object->begin, end, &items);
    if (expr != NULL)
        expr->object = object;
    return expr;
}

/* "." NAME */
static struct expr *parse_attribute(struct parser *parser, struct expr *object)
{
    if (!advance(parser))
        return NULL;
    struct token token = parser->token;
    if (!expect(parser, TOKEN_NAME, "a name after the dot, such as .T"))
        return NULL;
    struct expr *expr = new_expr(parser, EXPR_ATTRIBUTE, object->begin, token.end);
    if (expr != NULL) {
        expr->object = object;
        expr->as.text.bytes = source_at(parser, token.begin);
        expr->as.text.size = token.end - token.begin;
    }
    return expr;
}

/* postfix = atom { "(" arguments | "[" index | "." NAME } */
static struct expr *parse_postfix(struct parser *parser)
{
    struct expr *expr = parse_atom(parser);
    while (expr != NULL) {
        enum token_kind kind = parser->token.kind;
        if (kind != TOKEN_LEFT_PAREN && kind != TOKEN_LEFT_BRACKET && kind != TOKEN_DOT)
            break;
        if (!count_link(parser))
            return NULL;
        expr = kind == TOKEN_LEFT_PAREN     ? parse_call(parser, expr)
               : kind == TOKEN_LEFT_BRACKET ? parse_index(parser, expr)
                                            : parse_attribute(parser, expr);
    }
    return expr;
}

static const struct operator_rule {
    int left, right; /* higher binds tighter; right < left: groups to the right. 0: no operator */
    enum operator meaning;
    enum op_kind op;
} rules[TOKEN_COUNT] = {
    [TOKEN_EQUAL_EQUAL] = {30, 31, OPERATOR_PLAIN, OP_EQ},
    [TOKEN_NOT_EQUAL] = {30, 31, OPERATOR_PLAIN, OP_NE},
    [TOKEN_LESS] = {30, 31, OPERATOR_PLAIN, OP_LT},
    [TOKEN_LESS_EQUAL] = {30, 31, OPERATOR_PLAIN, OP_LE},
    [TOKEN_GREATER] = {30, 31, OPERATOR_PLAIN, OP_GT},
    [TOKEN_GREATER_EQUAL] = {30, 31, OPERATOR_PLAIN, OP_GE},
    [TOKEN_OR] = {40, 41, OPERATOR_PLAIN, OP_OR},
    [TOKEN_AND] = {50, 51, OPERATOR_PLAIN, OP_AND},
    [TOKEN_PLUS] = {60, 61, OPERATOR_PLAIN, OP_ADD},
    [TOKEN_MINUS] = {60, 61, OPERATOR_PLAIN, OP_SUB},
    [TOKEN_STAR] = {70, 71, OPERATOR_PLAIN, OP_MUL},
    [TOKEN_SLASH] = {70, 71, OPERATOR_PLAIN, OP_DIV},
    [TOKEN_AT] = {70, 71, OPERATOR_PLAIN, OP_MATMUL},
    [TOKEN_SLASH_SLASH] = {70, 71, OPERATOR_FLOOR_DIVIDE, OP_DIV},
    [TOKEN_PERCENT] = {70, 71, OPERATOR_REMAINDER, OP_DIV},
    [TOKEN_STAR_STAR] = {90, 80, OPERATOR_PLAIN, OP_POW},
};
enum { COMPARE_LEVEL = 30, SIGN_LEVEL = 80 };

/* unary = ( "-" | "+" | "~" ) unary | postfix. -2 is a number, not an operation. */
static struct expr *parse_unary(struct parser *parser)
{
    struct token sign = parser->token;
    bool is_sign = sign.kind == TOKEN_MINUS || sign.kind == TOKEN_PLUS || sign.kind == TOKEN_NOT;
    if (!is_sign)
        return parse_postfix(parser);
    if (!count_link(parser) || !enter(parser) || !advance(parser))
        return NULL;
    struct expr *operand = parse_operators(parser, SIGN_LEVEL);
    parser->depth--;
    if (operand == NULL)
        return NULL;
    if (sign.kind == TOKEN_MINUS && operand->kind == EXPR_NUMBER && !signbit(operand->as.number)) {
        operand->as.number = -operand->as.number;
        operand->begin = sign.begin;
        return operand;
    }
    struct expr *expr = new_expr(parser, EXPR_UNARY, sign.begin, operand->end);
    if (expr != NULL) {
        expr->as.operation.left = operand;
        expr->as.operation.meaning = sign.kind == TOKEN_PLUS ? OPERATOR_POSITIVE : OPERATOR_PLAIN;
        expr->as.operation.op = sign.kind == TOKEN_NOT ? OP_NOT : OP_NEG;
    }
    return expr;
}

/* operators = unary { OPERATOR operators }, by the levels in rules */
static struct expr *parse_operators(struct parser *parser, int least)
{
    struct expr *left = parse_unary(parser);
    bool compared = false;
    while (left != NULL) {
        const struct operator_rule *rule = &rules[parser->token.kind];
        if (rule->left == 0 || rule->left < least)
            break;
        if (rule->left == COMPARE_LEVEL && compared) {
            fail_at(parser, parser->token.begin, parser->token.end,
                    "a < b < c: write two comparisons, (a < b) & (b < c)");
            return NULL;
        }
        compared = rule->left == COMPARE_LEVEL;
        if (!count_link(parser) || !advance(parser))
            return NULL;
        struct expr *right = parse_operators(parser, rule->right);
        if (right == NULL)
            return NULL;
        struct expr *expr = new_expr(parser, EXPR_BINARY, left->begin, right->end);
        if (expr == NULL)
            return NULL;
        expr->as.operation.meaning = rule->meaning;
        expr->as.operation.op = rule->op;
        expr->as.operation.left = left;
        expr->as.operation.right = right;
        left = expr;
    }
    return left;
}

/* expression = operators of any level */
static struct expr *parse_expression(struct parser *parser)
{
    return parse_operators(parser, 1);
}

/* ---- statements ---- */

static bool at_statement_end(const struct parser *parser)
{
    enum token_kind kind = parser->token.kind;
    return kind == TOKEN_END || kind == TOKEN_NEWLINE || kind == TOKEN_SEMICOLON;
}

/* expressions = expression { "," expression } [ "," ]. Several are a tuple. */
static struct expr *parse_expressions(struct parser *parser)
{
    struct items items = {0};
    do {
        struct expr *expr = parse_expression(parser);
        if (expr == NULL || !items_add(parser, &items, expr))
            return NULL;
        if (parser->token.kind != TOKEN_COMMA)
            break;
        if (!advance(parser))
            return NULL;
    } while (!at_statement_end(parser) && parser->token.kind != TOKEN_EQUAL &&
             parser->token.kind != TOKEN_COLON);
    if (items.n == 1)
        return items.at[0];
    return new_list(parser, EXPR_TUPLE, items.at[0]->begin, end_before(parser), &items);
}

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
    return lexer_next(&parser->lexer, &parser->ahead, parser->reterr) && advance(parser);
}

static struct statement *parse_statement(struct parser *parser);

/* body = statement { ";" statement }, up to the end of the line. */
static bool parse_body(struct parser *parser, struct statement **last)
{
    if (parser->n_loops >= PARSER_MAX_LOOPS)
        return fail_limit(parser, "loops are nested more than 10 deep; write fewer");
    parser->n_loops++;
    bool ok = true;
    while (ok && parser->token.kind != TOKEN_END && parser->token.kind != TOKEN_NEWLINE) {
        if (parser->token.kind == TOKEN_SEMICOLON) {
            ok = advance(parser);
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
    struct expr *name = advance(parser) ? parse_loop_name(parser) : NULL;
    if (name == NULL || !items_add(parser, &targets, name))
        return false;
    statement->targets = targets.at;
    statement->n_targets = 1;
    statement->value = parse_expressions(parser);
    if (statement->value == NULL)
        return false;
    struct token colon = parser->token;
    if (!expect(parser, TOKEN_COLON, "':' and what to repeat, as in for i in range(3): x = x + i"))
        return false;
    if (!parse_body(parser, &statement->body))
        return false;
    return statement->body != NULL ||
           fail_at(parser, colon.begin, colon.end,
                   "nothing stands after the colon; what the loop repeats goes on the same line, "
                   "as in for i in range(3): x = x + i; x");
}

/* check = NAME [ call | argument { "," argument } ]. It is kept as a call of that name. */
static bool parse_check(struct parser *parser, struct items *arguments)
{
    struct argument_list given = {0};
    if (parser->token.kind != TOKEN_NAME)
        return fail_unexpected(parser, "what to verify: weights, attention or multihead");
    struct expr *kind = parse_name(parser);
    if (kind == NULL)
        return false;
    if (parser->token.kind == TOKEN_LEFT_PAREN && parser->token.begin == kind->end) {
        struct expr *call = parse_call(parser, kind);
        return call != NULL && items_add(parser, arguments, call);
    }
    bool more = !at_statement_end(parser);
    while (more) {
        if (!parse_argument(parser, &given))
            return false;
        more = parser->token.kind == TOKEN_COMMA;
        if (more && !advance(parser))
            return false;
    }
    struct expr *call = new_expr(parser, EXPR_CALL, kind->begin, end_before(parser));
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
            return fail_at(parser, parser->token.begin, parser->token.end,
                           "after an argument with a name all others need theirs");
        if (!parse_argument(parser, &named))
            return false;
        more = parser->token.kind == TOKEN_COMMA;
        if (more && !advance(parser))
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
             advance(parser));
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
        return fail_at(parser, word.begin, word.end, text);
    }
    if (command->takes == TAKES_WORDS)
        return parse_words(parser, statement, word.end);
    if (command->takes == TAKES_LOOP)
        return parse_loop(parser, statement);
    struct items arguments = {0};
    if (!advance(parser))
        return false;
    bool empty_call = command->takes == TAKES_NOTHING && parser->token.kind == TOKEN_LEFT_PAREN &&
                      parser->ahead.kind == TOKEN_RIGHT_PAREN; /* quit() is what Python wants */
    if (empty_call && !skip(parser, 2))
        return false;
    if (command->takes == TAKES_NOTHING || at_statement_end(parser)) {
        char text[160];
        bool alone = command->takes == TAKES_NOTHING;
        if (alone && at_statement_end(parser))
            return true;
        snprintf(text, sizeof text,
                 alone ? "%s: it stands alone; leave the rest out" : "%s: write %s", command->name,
                 command->usage);
        return fail_at(parser, alone ? parser->token.begin : word.begin,
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
        if (!expect(parser, TOKEN_EQUAL, "= and the new number, as in whatif X[0, 0] = 1"))
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
            return fail_at(parser, argument->value->begin, argument->value->end,
                           "a parameter must be a name, as in f(x, y) = x + y");
        if (holds_name(items, 1, argument->value))
            return fail_at(parser, argument->value->begin, argument->value->end,
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
        return fail_at(parser, left->begin, left->end,
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
        return fail_at(parser, target->begin, target->end,
                       "only a name can stand left of +=; write it out: x[0] = x[0] + 1");
    struct expr *whole = new_expr(parser, EXPR_BINARY, target->begin, parser->token.end);
    struct items targets = {0};
    if (whole == NULL || !items_add(parser, &targets, target) || !advance(parser))
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
    if (!assignment_targets(parser, statement, left) || !advance(parser))
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
    const struct command *command = parser->find_command(source_at(parser, parser->token.begin),
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
    char before = begin > 0 ? *source_at(parser, begin - 1) : ' ';
    if (parser->token.kind != TOKEN_NAME)
        return "an operator, ';' or the end of the line";
    if (text_is_digit(before) || before == ')')
        return "an operator; to multiply, write *";
    return "an operator, ';' or the end of the line; words that are no formula go in quotes";
}

/* statement = command | formula */
static struct statement *parse_statement(struct parser *parser)
{
    struct statement *statement = take(parser, sizeof *statement);
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
        statement->end = end_before(parser);
    if (!at_statement_end(parser)) {
        fail_unexpected(parser, what_may_follow(parser));
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
    const char *word = source_at(parser, construct->begin), *advice = "only formulas run here";
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
    return fail_at(parser, construct->begin, construct->end, text);
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
            if (!advance(&parser))
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
