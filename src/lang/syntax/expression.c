/* Expressions, by a precedence climber: see parser_internal.h. */
#include "lang/syntax/parser_internal.h"

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

/* ---- errors: all return NULL or false ---- */

const char *parser_source(const struct parser *parser, size_t at)
{
    return parser->lexer.source + at;
}

bool parser_fail(struct parser *parser, size_t begin, size_t end, const char *text)
{
    if (parser->token.kind == TOKEN_FAULT) {
        if (parser->reterr != NULL)
            *parser->reterr = parser->fault;
        return false;
    }
    if (begin == end) { /* the end of the line: mark the place after its last character */
        while (begin > 0 && strchr(" \t\r\n", *parser_source(parser, begin - 1)) != NULL)
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

bool parser_fail_limit(struct parser *parser, const char *text)
{
    parser_fail(parser, parser->token.begin, parser->token.end, text);
    if (parser->reterr != NULL)
        parser->reterr->kind = ERR_LIMIT;
    return false;
}

bool parser_token_is(const struct parser *parser, struct token token, const char *word)
{
    size_t size = token.end - token.begin;
    return token.kind == TOKEN_NAME && *parser_source(parser, token.begin) == word[0] &&
           text_equals(parser_source(parser, token.begin), size, word);
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
        if (parser_token_is(parser, token, foreign_words[i].word))
            return !parser_fail(parser, token.begin, token.end, foreign_words[i].advice);
    return false;
}

bool parser_fail_unexpected(struct parser *parser, const char *wanted)
{
    struct token token = parser->token;
    if (parser->is_cell)
        return parser_fail(parser, token.begin, token.end,
                           token.kind == TOKEN_INDENT ? "unexpected indent" : "invalid syntax");
    if (fail_foreign_word(parser))
        return false;
    char shown[40], text[160];
    bool end = token.kind == TOKEN_END || token.kind == TOKEN_NEWLINE;
    error_quote(shown, sizeof shown, parser_source(parser, token.begin), token.end - token.begin);
    snprintf(text, sizeof text, "%s%s%s: expected %s", end ? "the line ends here" : "'",
             end ? "" : shown, end ? "" : "'", wanted);
    return parser_fail(parser, token.begin, token.end, text);
}

/* ---- tokens ---- */

bool parser_advance(struct parser *parser)
{
    if (parser->token.kind == TOKEN_FAULT)
        return parser_fail(parser, parser->token.begin, parser->token.end, "");
    parser->token = parser->ahead;
    return parser_look_ahead(parser);
}

bool parser_look_ahead(struct parser *parser)
{
    if (!parser->is_cell)
        return lexer_next(&parser->lexer, &parser->ahead, parser->reterr);
    struct error fault = {0};
    if (!lexer_next(&parser->lexer, &parser->ahead, &fault)) {
        parser->fault = fault;
        parser->ahead = (struct token){TOKEN_FAULT, fault.begin, fault.end};
    }
    return true;
}

bool parser_skip(struct parser *parser, size_t n_tokens)
{
    bool ok = true;
    while (ok && n_tokens-- > 0)
        ok = parser_advance(parser);
    return ok;
}

bool parser_expect(struct parser *parser, enum token_kind kind, const char *wanted)
{
    return parser->token.kind == kind ? parser_advance(parser)
                                      : parser_fail_unexpected(parser, wanted);
}

void *parser_take(struct parser *parser, size_t size)
{
    void *bytes = arena_take(parser->arena, size);
    if (bytes == NULL)
        error_memory(parser->reterr, "reading the line");
    return bytes;
}

struct expr *parser_new(struct parser *parser, enum expr_kind kind, size_t begin, size_t end)
{
    struct expr *expr = parser_take(parser, sizeof *expr);
    if (expr != NULL) {
        expr->kind = kind;
        expr->begin = begin;
        expr->end = end;
    }
    return expr;
}

/* at with room for element n, moved within the arena where it was full; NULL without memory. */
void *parser_grow(struct parser *parser, void *at, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return at;
    size_t more = *capacity ? *capacity * 2 : 4;
    void *wider = parser_take(parser, more * size);
    if (wider == NULL)
        return NULL;
    if (n > 0)
        memcpy(wider, at, n * size);
    *capacity = more;
    return wider;
}

bool items_add(struct parser *parser, struct items *items, struct expr *expr)
{
    struct expr **at = parser_grow(parser, items->at, items->n, &items->capacity, sizeof(*at));
    if (at == NULL)
        return false;
    items->at = at;
    at[items->n++] = expr;
    return true;
}

/* ---- expressions ---- */

static struct expr *parse_operators(struct parser *parser, int least);
static struct expr *parse_postfix(struct parser *parser);

bool parser_enter(struct parser *parser)
{
    if (parser->depth >= PARSER_MAX_DEPTH)
        return parser_fail_limit(parser,
                                 "brackets are nested more than 200 deep; name a part of the "
                                 "formula and use the name");
    parser->depth++;
    return true;
}

static bool count_link(struct parser *parser)
{
    if (++parser->chain <= PARSER_MAX_CHAIN)
        return true;
    if (parser->is_cell)
        return parser_fail_limit(parser, "more than 1000 operators in one expression; name a part "
                                         "of it and use the name");
    return parser_fail_limit(
        parser, "more than 1000 operators in one statement; name a part of the formula "
                "and use the name");
}

/* A part of a cell that can be read and not computed. */
static struct expr *refused(struct parser *parser, size_t begin, size_t end, const char *why)
{
    struct expr *expr = parser_new(parser, EXPR_REFUSED, begin, end);
    if (expr != NULL) {
        expr->as.text.bytes = why;
        expr->as.text.size = strlen(why);
    }
    return expr;
}

/* A number of a cell: a whole number of 64 bits, or a double. */
static struct expr *cell_number(struct parser *parser, struct token token, const char *digits)
{
    size_t size = strlen(digits);
    char last = size > 0 ? digits[size - 1] : '0', *rest;
    bool has_base = size > 1 && digits[0] == '0' && strchr("xXbBoO", digits[1]) != NULL;
    bool is_float = !has_base && strpbrk(digits, ".eE") != NULL;
    if (last == 'j' || last == 'J')
        return refused(parser, token.begin, token.end,
                       "complex numbers are not here; RoPE also works with cos and sin");
    struct expr *expr =
        parser_new(parser, is_float ? EXPR_NUMBER : EXPR_WHOLE, token.begin, token.end);
    if (expr == NULL)
        return NULL;
    if (is_float) {
        expr->as.number = strtod(digits, NULL);
        return expr;
    }
    if (!has_base && digits[0] == '0' && strspn(digits, "0") != size) {
        parser_fail(parser, token.begin, token.end,
                    "leading zeros in decimal integer literals are not permitted; use an 0o "
                    "prefix for octal integers");
        return NULL;
    }
    char kind = has_base ? digits[1] : 'd';
    int base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : has_base ? 8 : 10;
    errno = 0;
    unsigned long long whole = strtoull(digits + (has_base ? 2 : 0), &rest, base);
    if (errno == ERANGE || whole > (unsigned long long)INT64_MAX)
        return refused(parser, token.begin, token.end,
                       "whole numbers have 64 bits here; write it with a point, as 1e20");
    if (*rest != '\0') {
        parser_fail(parser, token.begin, token.end, "invalid decimal literal");
        return NULL;
    }
    expr->as.whole = (int64_t)whole;
    return expr;
}

/* NUMBER */
static struct expr *parse_number(struct parser *parser)
{
    struct token token = parser->token;
    char digits[64];
    size_t used = 0;
    for (size_t i = token.begin; i < token.end; i++) {
        if (*parser_source(parser, i) == '_')
            continue;
        if (used + 1 >= sizeof digits) {
            parser_fail(parser, token.begin, token.end,
                        "a number of more than 60 digits; float32 keeps 7");
            return NULL;
        }
        digits[used++] = *parser_source(parser, i);
    }
    digits[used] = '\0';
    if (parser->is_cell) {
        struct expr *expr = cell_number(parser, token, digits);
        return expr != NULL && parser_advance(parser) ? expr : NULL;
    }
    errno = 0;
    double number = strtod(digits, NULL);
    if (number > (double)FLT_MAX) {
        parser_fail(parser, token.begin, token.end,
                    "this number is out of range: float32 ends at 3.4e38; write inf for infinity");
        return NULL;
    }
    if ((float)number == 0 && (number != 0 || errno == ERANGE)) {
        parser_fail(
            parser, token.begin, token.end,
            "this number is out of range: float32 can't tell it from 0 (its smallest is 1.4e-45)");
        return NULL;
    }
    struct expr *expr = parser_new(parser, EXPR_NUMBER, token.begin, token.end);
    if (expr == NULL || !parser_advance(parser))
        return NULL;
    expr->as.number = number;
    return expr;
}

/* STRING, with \" \' \\ \n \r \t resolved */
static struct expr *parse_string(struct parser *parser)
{
    if (parser->is_cell)
        return parse_texts(parser);
    struct token token = parser->token;
    struct expr *expr = parser_new(parser, EXPR_STRING, token.begin, token.end);
    char *bytes = parser_take(parser, token.end - token.begin);
    if (expr == NULL || bytes == NULL)
        return NULL;
    size_t size = 0;
    for (size_t i = token.begin + 1; i + 1 < token.end; i++) {
        char c = *parser_source(parser, i);
        if (c == '\\' && i + 2 < token.end) {
            c = *parser_source(parser, ++i);
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
        bytes[size++] = c;
    }
    expr->as.text.bytes = bytes;
    expr->as.text.size = size;
    return parser_advance(parser) ? expr : NULL;
}

/* Python's words, which can't be names. None, True and False are read as names. */
static bool is_keyword(const struct parser *parser, struct token token)
{
    static const char *const words[] = {
        "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
        "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
        "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
        "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield",
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (parser_token_is(parser, token, words[i]))
            return true;
    return false;
}

struct expr *parse_name(struct parser *parser)
{
    struct token token = parser->token;
    if (parser->is_cell && is_keyword(parser, token)) {
        parser_fail(parser, token.begin, token.end, "invalid syntax");
        return NULL;
    }
    if (!parser->is_cell && fail_foreign_word(parser))
        return NULL;
    struct expr *expr = parser_new(parser, EXPR_NAME, token.begin, token.end);
    if (expr == NULL || !parser_advance(parser))
        return NULL;
    expr->as.text.bytes = parser_source(parser, token.begin);
    expr->as.text.size = token.end - token.begin;
    return expr;
}

/* Where the token before the current one ended. */
size_t parser_end_before(const struct parser *parser)
{
    size_t end = parser->token.begin;
    while (end > 0 && strchr(" \t\r\n", *parser_source(parser, end - 1)) != NULL)
        end--;
    return end;
}

/* After a failure inside a bracket: where the line just ended, the bracket that was opened at
 * `open` is what the learner must correct. Returns false. */
static bool fail_unclosed(struct parser *parser, size_t open)
{
    struct error *error = parser->reterr;
    bool at_end = parser->token.kind == TOKEN_END && error != NULL && error->kind == ERR_SYNTAX &&
                  error->begin == parser_end_before(parser);
    if (at_end && parser->is_cell)
        parser_fail(parser, open, open + 1,
                    *parser_source(parser, open) == '('   ? "'(' was never closed"
                    : *parser_source(parser, open) == '[' ? "'[' was never closed"
                                                          : "'{' was never closed");
    else if (at_end)
        parser_fail(parser, open, open + 1,
                    *parser_source(parser, open) == '(' ? "this ( is never closed: add )"
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
    bool ok = parser_enter(parser) && parser_advance(parser);
    *ret_comma = false;
    while (ok && parser->token.kind != close) {
        ok = part(parser, list);
        if (!ok || parser->token.kind != TOKEN_COMMA)
            break;
        *ret_comma = true;
        ok = parser_advance(parser);
    }
    *ret_end = parser->token.end;
    parser->depth--;
    ok = ok && parser_expect(parser, close, wanted);
    if (!ok)
        fail_unclosed(parser, open);
    return ok;
}

static struct expr *new_list(struct parser *parser, enum expr_kind kind, size_t begin, size_t end,
                             const struct items *items)
{
    struct expr *expr = parser_new(parser, kind, begin, end);
    if (expr != NULL) {
        expr->as.list.n = items->n;
        expr->as.list.items = items->at;
    }
    return expr;
}

/* head = NAME "in": a loop's name. */
struct expr *parse_loop_name(struct parser *parser)
{
    static const char in_wanted[] = "in, as in for i in range(3): x = x + i";
    if (parser->token.kind != TOKEN_NAME) {
        parser_fail_unexpected(parser, "a name, as in for i in range(3): x = x + i");
        return NULL;
    }
    struct expr *name = parse_name(parser);
    if (name == NULL)
        return NULL;
    if (parser->token.kind == TOKEN_COMMA) {
        parser_fail(parser, parser->token.begin, parser->token.end,
                    "a loop has one name; to take an item apart, index it: item[0], item[1]");
        return NULL;
    }
    if (!parser_token_is(parser, parser->token, "in")) {
        parser_fail_unexpected(parser, in_wanted);
        return NULL;
    }
    return parser_advance(parser) ? name : NULL;
}

/* targets = target { "," target } [ "," ] "in", each as it may stand left of = */
struct expr *parse_loop_targets(struct parser *parser)
{
    struct items items = {0};
    bool comma = false;
    size_t begin = parser->token.begin;
    do {
        comma = items.n > 0;
        if (comma && (!parser_advance(parser) || parser_token_is(parser, parser->token, "in")))
            break;
        size_t at = parser->token.begin;
        bool star = parser->token.kind == TOKEN_STAR;
        struct expr *target = star && !parser_advance(parser) ? NULL : parse_postfix(parser);
        struct expr *starred =
            star && target ? parser_new(parser, EXPR_STAR, at, target->end) : NULL;
        if (starred != NULL)
            starred->as.operation.left = target;
        if (target == NULL || (star && starred == NULL) ||
            !items_add(parser, &items, star ? starred : target))
            return NULL;
    } while (parser->token.kind == TOKEN_COMMA);
    if (!parser_token_is(parser, parser->token, "in")) {
        parser_fail_unexpected(parser, "in");
        return NULL;
    }
    size_t end = parser_end_before(parser);
    if (!parser_advance(parser))
        return NULL;
    return items.n == 1 && !comma ? items.at[0] : new_list(parser, EXPR_TUPLE, begin, end, &items);
}

/* clause = "for" NAME "in" operators | "if" operators */
static bool parse_clause(struct parser *parser, struct clause *clause)
{
    bool is_loop = parser_token_is(parser, parser->token, "for");
    if (!count_link(parser) || !parser_advance(parser))
        return false;
    if (is_loop && (clause->name = parser->is_cell ? parse_loop_targets(parser)
                                                   : parse_loop_name(parser)) == NULL)
        return false;
    clause->value = parse_operators(parser, 1);
    return clause->value != NULL;
}

/* comprehension = item clause { clause } */
static struct expr *parse_comprehension(struct parser *parser, struct expr *item,
                                        struct expr *value, enum comprehension_kind kind)
{
    struct expr *expr = parser_new(parser, EXPR_COMPREHENSION, item->begin, item->end);
    struct clause *clauses =
        expr ? parser_take(parser, PARSER_MAX_CLAUSES * sizeof *clauses) : NULL;
    size_t n = 0;
    if (clauses == NULL)
        return NULL;
    for (; parser_token_is(parser, parser->token, "for") ||
           parser_token_is(parser, parser->token, "if");
         n++) {
        if (n == PARSER_MAX_CLAUSES) {
            parser_fail_limit(
                parser,
                "a list has at most 4 for and if; join conditions with &, or build it in steps");
            return NULL;
        }
        if (!parse_clause(parser, &clauses[n]))
            return NULL;
    }
    expr->end = parser_end_before(parser);
    expr->as.comprehension.item = item;
    expr->as.comprehension.value = value;
    expr->as.comprehension.kind = kind;
    expr->as.comprehension.n = n;
    expr->as.comprehension.clauses = clauses;
    return expr;
}

/* item = [ "*" ] expression */
struct expr *parse_list_item(struct parser *parser)
{
    size_t begin = parser->token.begin;
    if (!parser->is_cell || parser->token.kind != TOKEN_STAR)
        return parse_expression(parser);
    struct expr *value = parser_advance(parser) ? parse_operators(parser, 31) : NULL;
    struct expr *expr = value ? parser_new(parser, EXPR_STAR, begin, value->end) : NULL;
    if (expr != NULL)
        expr->as.operation.left = value;
    return expr;
}

/* The items of a list or a tuple. */
struct bracket {
    struct items items;
    bool is_list;  /* [ ] */
    bool may_loop; /* [ ], and in a cell ( ) */
    bool loops;    /* the one item is a comprehension */
};

/* item = expression [ clauses ] */
static bool parse_item(struct parser *parser, void *list)
{
    struct bracket *bracket = list;
    size_t chain = parser->chain;
    if (bracket->loops)
        return parser_fail(parser, parser->token.begin, parser->token.end,
                           "a list with for holds nothing else; join lists with cat([a, b])");
    struct expr *item = parse_list_item(parser);
    bracket->loops = item != NULL && bracket->may_loop && bracket->items.n == 0 &&
                     parser_token_is(parser, parser->token, "for");
    if (bracket->loops)
        item = parse_comprehension(parser, item, NULL,
                                   bracket->is_list ? COMPREHEND_LIST : COMPREHEND_GENERATOR);
    if (parser->is_cell)
        parser->chain = chain;
    return item != NULL && items_add(parser, &bracket->items, item);
}

/* bracket = "(" expression ")" | "(" items ")" | "[" items "]" | "[" comprehension "]" */
static struct expr *parse_bracket(struct parser *parser)
{
    size_t begin = parser->token.begin, end;
    bool paren = parser->token.kind == TOKEN_LEFT_PAREN, comma;
    struct bracket bracket = {.is_list = !paren, .may_loop = !paren || parser->is_cell};
    struct items *items = &bracket.items;
    if (!parse_parts(parser, paren ? TOKEN_RIGHT_PAREN : TOKEN_RIGHT_BRACKET,
                     paren ? "an operator or ')'" : "',' or ']'", parse_item, &bracket, &end,
                     &comma))
        return NULL;
    bool alone = items->n == 1 && (bracket.loops || (paren && !comma));
    if (!alone)
        return new_list(parser, paren ? EXPR_TUPLE : EXPR_LIST, begin, end, items);
    items->at[0]->begin = begin;
    items->at[0]->end = end;
    return items->at[0];
}

/* What stands between braces. */
struct braces {
    struct items items; /* of a dict: key, value, key, value */
    bool is_dict, is_set, loops;
};

/* entry = item | expression ":" expression | "**" operators, and clauses after the first */
static bool parse_entry(struct parser *parser, void *list)
{
    struct braces *braces = list;
    bool spreads = parser->token.kind == TOKEN_STAR_STAR;
    struct expr *key = NULL, *value = NULL;
    size_t chain = parser->chain;
    if (braces->loops)
        return parser_fail_unexpected(parser, "}");
    if (spreads) {
        value = parser_advance(parser) ? parse_operators(parser, 31) : NULL;
    } else if ((key = parse_list_item(parser)) != NULL && parser->token.kind == TOKEN_COLON) {
        value = parser_advance(parser) ? parse_expression(parser) : NULL;
        if (value == NULL)
            return false;
    }
    if (key == NULL && value == NULL)
        return false;
    bool is_pair = value != NULL;
    if (is_pair ? braces->is_set : braces->is_dict)
        return parser_fail_unexpected(parser, "}");
    braces->is_dict = is_pair;
    braces->is_set = !is_pair;
    parser->chain = chain;
    if (key != NULL && braces->items.n == 0 && parser_token_is(parser, parser->token, "for")) {
        struct expr *expr =
            parse_comprehension(parser, key, value, is_pair ? COMPREHEND_DICT : COMPREHEND_SET);
        braces->loops = expr != NULL;
        return expr != NULL && items_add(parser, &braces->items, expr);
    }
    return is_pair
               ? items_add(parser, &braces->items, key) && items_add(parser, &braces->items, value)
               : items_add(parser, &braces->items, key);
}

/* braces = "{" [ entry { "," entry } [ "," ] ] "}" */
static struct expr *parse_braces(struct parser *parser)
{
    struct braces braces = {0};
    size_t begin = parser->token.begin, end;
    bool comma;
    if (!parse_parts(parser, TOKEN_RIGHT_BRACE, "'}'", parse_entry, &braces, &end, &comma))
        return NULL;
    if (braces.loops) {
        braces.items.at[0]->begin = begin;
        braces.items.at[0]->end = end;
        return braces.items.at[0];
    }
    return new_list(parser, braces.is_set ? EXPR_SET : EXPR_DICT, begin, end, &braces.items);
}

/* atom = NUMBER | STRING | NAME | bracket, in a cell also "..." and braces */
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
    case TOKEN_LEFT_BRACE:
        return parse_braces(parser);
    case TOKEN_ELLIPSIS:
        if (parser->is_cell) {
            struct expr *dots =
                parser_new(parser, EXPR_ELLIPSIS, parser->token.begin, parser->token.end);
            return dots != NULL && parser_advance(parser) ? dots : NULL;
        } /* fall through */
    default:
        parser_fail_unexpected(parser, "a number, a name or a bracket");
        return NULL;
    }
}

/* argument = [ NAME "=" ] expression */
bool parse_argument(struct parser *parser, void *list)
{
    struct argument_list *arguments = list;
    struct argument *at =
        parser_grow(parser, arguments->at, arguments->n, &arguments->capacity, sizeof *at);
    if (at == NULL)
        return false;
    arguments->at = at;
    struct argument *argument = &at[arguments->n++];
    *argument = (struct argument){0};
    if (parser->is_cell &&
        (parser->token.kind == TOKEN_STAR || parser->token.kind == TOKEN_STAR_STAR)) {
        argument->n_stars = parser->token.kind == TOKEN_STAR ? 1 : 2;
        argument->value = parser_advance(parser) ? parse_expression(parser) : NULL;
        return argument->value != NULL;
    }
    size_t chain = parser->chain;
    if (parser->token.kind == TOKEN_NAME && parser->ahead.kind == TOKEN_EQUAL) {
        argument->keyword = parser_source(parser, parser->token.begin);
        argument->keyword_size = parser->token.end - parser->token.begin;
        if (!parser_skip(parser, 2)) /* the name and the = */
            return false;
    }
    argument->value = parse_expression(parser);
    if (!parser->is_cell || argument->value == NULL)
        return argument->value != NULL;
    parser->chain = chain;
    if (argument->keyword == NULL && parser_token_is(parser, parser->token, "for"))
        argument->value = parse_comprehension(parser, argument->value, NULL, COMPREHEND_GENERATOR);
    return argument->value != NULL;
}

/* call = "(" [ argument { "," argument } [ "," ] ] ")" */
struct expr *parse_call(struct parser *parser, struct expr *object)
{
    struct argument_list arguments = {0};
    size_t end;
    bool comma;
    if (!parse_parts(parser, TOKEN_RIGHT_PAREN, "',' or ')'", parse_argument, &arguments, &end,
                     &comma))
        return NULL;
    struct expr *expr = parser_new(parser, EXPR_CALL, object->begin, end);
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
        if (!left_out && (parts[n_colons] = parse_list_item(parser)) == NULL)
            return NULL;
        if (parser->token.kind != TOKEN_COLON || n_colons == 2)
            break;
        if (!parser_advance(parser))
            return NULL;
    }
    if (n_colons == 0) {
        if (parts[0] == NULL)
            parser_fail_unexpected(parser, "an index");
        return parts[0];
    }
    struct expr *expr = parser_new(parser, EXPR_SLICE, begin, parser_end_before(parser));
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
    if (parser->token.kind == TOKEN_ELLIPSIS && !parser->is_cell) {
        item = parser_new(parser, EXPR_ELLIPSIS, parser->token.begin, parser->token.end);
        item = item != NULL && parser_advance(parser) ? item : NULL;
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
        parser_fail(parser, begin, end, "an index is missing: write X[0], X[1:3] or X[\"label\"]");
        return NULL;
    }
    if (parser->is_cell && comma && items.n == 1) { /* x[1,] */
        struct items one = items;
        items = (struct items){0};
        struct expr *tuple = new_list(parser, EXPR_TUPLE, begin + 1, end - 1, &one);
        if (tuple == NULL || !items_add(parser, &items, tuple))
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
    if (!parser_advance(parser))
        return NULL;
    struct token token = parser->token;
    if (!parser_expect(parser, TOKEN_NAME, "a name after the dot, such as .T"))
        return NULL;
    struct expr *expr = parser_new(parser, EXPR_ATTRIBUTE, object->begin, token.end);
    if (expr != NULL) {
        expr->object = object;
        expr->as.text.bytes = parser_source(parser, token.begin);
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
    [TOKEN_CARET] = {45, 46, OPERATOR_BIT_XOR, OP_CONSTANT},
    [TOKEN_SHIFT_LEFT] = {55, 56, OPERATOR_SHIFT_LEFT, OP_CONSTANT},
    [TOKEN_SHIFT_RIGHT] = {55, 56, OPERATOR_SHIFT_RIGHT, OP_CONSTANT},
};
enum { OR_LEVEL = 10, AND_LEVEL = 15, NOT_LEVEL = 20, COMPARE_LEVEL = 30, SIGN_LEVEL = 80 };

/* The operators of cells that are words. */
static const struct {
    const char *word;
    struct operator_rule rule;
} word_rules[] = {
    {"or", {OR_LEVEL, OR_LEVEL + 1, OPERATOR_LOGICAL_OR, OP_CONSTANT}},
    {"and", {AND_LEVEL, AND_LEVEL + 1, OPERATOR_LOGICAL_AND, OP_CONSTANT}},
    {"in", {COMPARE_LEVEL, COMPARE_LEVEL + 1, OPERATOR_IN, OP_CONSTANT}},
    {"not", {COMPARE_LEVEL, COMPARE_LEVEL + 1, OPERATOR_NOT_IN, OP_CONSTANT}},
    {"is", {COMPARE_LEVEL, COMPARE_LEVEL + 1, OPERATOR_IS, OP_CONSTANT}},
};

/* The operator that the current token is; its left is 0 for any other token. */
static struct operator_rule rule_here(const struct parser *parser)
{
    if (!parser->is_cell || parser->token.kind != TOKEN_NAME)
        return rules[parser->token.kind];
    for (size_t i = 0; i < COUNT_OF(word_rules); i++)
        if (parser_token_is(parser, parser->token, word_rules[i].word))
            return word_rules[i].rule;
    return (struct operator_rule){0, 0, OPERATOR_PLAIN, OP_CONSTANT};
}

/* comparisons = operand { OPERATOR operand }: the operators are those of one level, and a chain of
 * them holds where each of them does. */
static struct expr *parse_comparisons(struct parser *parser, struct expr *first)
{
    struct comparison_link *rest = NULL;
    size_t n = 0, capacity = 0;
    for (;;) {
        struct operator_rule rule = rule_here(parser);
        if (rule.left != COMPARE_LEVEL)
            break;
        struct comparison_link *at = parser_grow(parser, rest, n, &capacity, sizeof *at);
        if (at == NULL || !count_link(parser) || !parser_advance(parser))
            return NULL;
        rest = at;
        if (rule.meaning == OPERATOR_NOT_IN &&
            (!parser_token_is(parser, parser->token, "in") || !parser_advance(parser))) {
            parser_fail_unexpected(parser, "in");
            return NULL;
        }
        if (rule.meaning == OPERATOR_IS && parser_token_is(parser, parser->token, "not")) {
            rule.meaning = OPERATOR_IS_NOT;
            if (!parser_advance(parser))
                return NULL;
        }
        struct expr *right = parse_operators(parser, rule.right);
        if (right == NULL)
            return NULL;
        rest[n++] = (struct comparison_link){rule.meaning, rule.op, right};
    }
    struct expr *expr = parser_new(parser, EXPR_COMPARISONS, first->begin, rest[n - 1].right->end);
    if (expr != NULL) {
        expr->as.comparisons.first = first;
        expr->as.comparisons.n = n;
        expr->as.comparisons.rest = rest;
    }
    return expr;
}

/* unary = ( "-" | "+" | "~" ) unary | postfix. -2 is a number, not an operation. */
static struct expr *parse_unary(struct parser *parser)
{
    struct token sign = parser->token;
    if (parser->is_cell && parser_token_is(parser, sign, "not")) {
        if (!count_link(parser) || !parser_enter(parser) || !parser_advance(parser))
            return NULL;
        struct expr *operand = parse_operators(parser, NOT_LEVEL);
        parser->depth--;
        struct expr *expr =
            operand ? parser_new(parser, EXPR_UNARY, sign.begin, operand->end) : NULL;
        if (expr != NULL) {
            expr->as.operation.left = operand;
            expr->as.operation.meaning = OPERATOR_LOGICAL_NOT;
        }
        return expr;
    }
    bool is_sign = sign.kind == TOKEN_MINUS || sign.kind == TOKEN_PLUS || sign.kind == TOKEN_NOT;
    if (!is_sign)
        return parse_postfix(parser);
    if (!count_link(parser) || !parser_enter(parser) || !parser_advance(parser))
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
    struct expr *expr = parser_new(parser, EXPR_UNARY, sign.begin, operand->end);
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
        struct operator_rule here = rule_here(parser);
        const struct operator_rule *rule = &here;
        if (rule->left == 0 || rule->left < least)
            break;
        if (rule->left == COMPARE_LEVEL && parser->is_cell) {
            left = parse_comparisons(parser, left);
            continue;
        }
        if (rule->left == COMPARE_LEVEL && compared) {
            parser_fail(parser, parser->token.begin, parser->token.end,
                        "a < b < c: write two comparisons, (a < b) & (b < c)");
            return NULL;
        }
        compared = rule->left == COMPARE_LEVEL;
        if (!count_link(parser) || !parser_advance(parser))
            return NULL;
        struct expr *right = parse_operators(parser, rule->right);
        if (right == NULL)
            return NULL;
        struct expr *expr = parser_new(parser, EXPR_BINARY, left->begin, right->end);
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

/* parameter = [ "*" | "**" ] NAME [ ":" expression ] [ "=" expression ] | "*" | "/" */
static bool parse_parameter(struct parser *parser, struct formals *formals, size_t *capacity,
                            bool annotated, bool *after_star)
{
    struct formal parameter = {.kind = *after_star ? FORMAL_KEYWORD : FORMAL_PLAIN};
    bool star = parser->token.kind == TOKEN_STAR, stars = parser->token.kind == TOKEN_STAR_STAR;
    if (parser->token.kind == TOKEN_SLASH)
        return parser_advance(parser);
    if ((star || stars) && !parser_advance(parser))
        return false;
    if (star && parser->token.kind == TOKEN_COMMA) {
        *after_star = true;
        return true;
    }
    if (parser->token.kind != TOKEN_NAME)
        return parser_fail_unexpected(parser, "a parameter");
    if (star || stars)
        parameter.kind = star ? FORMAL_REST : FORMAL_KEYWORDS;
    *after_star = *after_star || star;
    parameter.name = parse_name(parser);
    if (parameter.name == NULL)
        return false;
    if (annotated && parser->token.kind == TOKEN_COLON &&
        (!parser_advance(parser) || (parameter.annotation = parse_expression(parser)) == NULL))
        return false;
    if (parser->token.kind == TOKEN_EQUAL &&
        (!parser_advance(parser) || (parameter.otherwise = parse_expression(parser)) == NULL))
        return false;
    for (size_t i = 0; i < formals->n; i++)
        if (expr_same_word(formals->at[i].name, parameter.name))
            return parser_fail(parser, parameter.name->begin, parameter.name->end,
                               "duplicate argument in function definition");
    if (formals->n > 0 && parameter.kind == FORMAL_PLAIN && parameter.otherwise == NULL &&
        formals->at[formals->n - 1].kind == FORMAL_PLAIN &&
        formals->at[formals->n - 1].otherwise != NULL)
        return parser_fail(parser, parameter.name->begin, parameter.name->end,
                           "non-default argument follows default argument");
    struct formal *at = parser_grow(parser, formals->at, formals->n, capacity, sizeof *at);
    if (at == NULL)
        return false;
    formals->at = at;
    at[formals->n++] = parameter;
    return true;
}

/* formals = [ parameter { "," parameter } [ "," ] ], before close */
struct formals *parse_formals(struct parser *parser, enum token_kind close)
{
    struct formals *formals = parser_take(parser, sizeof *formals);
    size_t capacity = 0;
    bool after_star = false;
    while (formals != NULL && parser->token.kind != close) {
        if (!parse_parameter(parser, formals, &capacity, close == TOKEN_RIGHT_PAREN, &after_star))
            return NULL;
        if (parser->token.kind != TOKEN_COMMA)
            break;
        if (!parser_advance(parser))
            return NULL;
    }
    return formals;
}

/* lambda = "lambda" formals ":" expression */
static struct expr *parse_lambda(struct parser *parser)
{
    size_t begin = parser->token.begin;
    struct formals *formals = NULL;
    struct expr *body = NULL;
    if (!parser_enter(parser) || !parser_advance(parser) ||
        (formals = parse_formals(parser, TOKEN_COLON)) == NULL ||
        !parser_expect(parser, TOKEN_COLON, "':'") || (body = parse_expression(parser)) == NULL)
        return NULL;
    parser->depth--;
    struct expr *expr = parser_new(parser, EXPR_LAMBDA, begin, body->end);
    if (expr != NULL) {
        expr->as.lambda.formals = formals;
        expr->as.lambda.body = body;
    }
    return expr;
}

/* yield = "yield" [ expressions ] | "yield" "from" expression */
static struct expr *parse_yield(struct parser *parser)
{
    size_t begin = parser->token.begin;
    if (!parser_advance(parser))
        return NULL;
    bool from = parser_token_is(parser, parser->token, "from");
    bool alone = parser_at_end(parser) || parser->token.kind == TOKEN_RIGHT_PAREN;
    struct expr *value = NULL;
    if (from && !parser_advance(parser))
        return NULL;
    if (!alone && (value = from ? parse_expression(parser) : parse_expressions(parser)) == NULL)
        return NULL;
    struct expr *expr =
        parser_new(parser, from ? EXPR_YIELD_FROM : EXPR_YIELD, begin, parser_end_before(parser));
    if (expr != NULL)
        expr->as.operation.left = value;
    return expr;
}

/* conditional = operators [ "if" operators "else" expression ] */
static struct expr *parse_conditional(struct parser *parser)
{
    struct items items = {0};
    struct expr *yes = parse_operators(parser, 1);
    if (yes == NULL || !parser_token_is(parser, parser->token, "if"))
        return yes;
    struct expr *condition = NULL, *no = NULL;
    if (!count_link(parser) || !parser_enter(parser) || !parser_advance(parser) ||
        (condition = parse_operators(parser, 1)) == NULL)
        return NULL;
    if (!parser_token_is(parser, parser->token, "else")) {
        parser_fail(parser, yes->begin, condition->end, "expected 'else' after 'if' expression");
        return NULL;
    }
    if (!parser_advance(parser) || (no = parse_expression(parser)) == NULL)
        return NULL;
    parser->depth--;
    if (!items_add(parser, &items, condition) || !items_add(parser, &items, yes) ||
        !items_add(parser, &items, no))
        return NULL;
    return new_list(parser, EXPR_CONDITIONAL, yes->begin, no->end, &items);
}

/* expression = operators of any level; in a cell also lambda, yield, conditional, NAME := ... */
struct expr *parse_literal(struct parser *parser)
{
    return parse_operators(parser, SIGN_LEVEL);
}

struct expr *parse_expression(struct parser *parser)
{
    if (!parser->is_cell)
        return parse_operators(parser, 1);
    if (parser_token_is(parser, parser->token, "lambda"))
        return parse_lambda(parser);
    if (parser_token_is(parser, parser->token, "yield"))
        return parse_yield(parser);
    if (parser->token.kind != TOKEN_NAME || parser->ahead.kind != TOKEN_WALRUS)
        return parse_conditional(parser);
    struct expr *name = parse_name(parser);
    struct expr *value = name != NULL && parser_advance(parser) ? parse_conditional(parser) : NULL;
    struct expr *expr = value ? parser_new(parser, EXPR_WALRUS, name->begin, value->end) : NULL;
    if (expr != NULL) {
        expr->as.operation.left = name;
        expr->as.operation.right = value;
    }
    return expr;
}

/* ---- statements ---- */

bool parser_at_end(const struct parser *parser)
{
    enum token_kind kind = parser->token.kind;
    return kind == TOKEN_END || kind == TOKEN_NEWLINE || kind == TOKEN_SEMICOLON;
}

/* expressions = expression { "," expression } [ "," ]. Several are a tuple. */
struct expr *parse_expressions(struct parser *parser)
{
    struct items items = {0};
    bool comma = false;
    do {
        size_t chain = parser->chain;
        struct expr *expr = parse_list_item(parser);
        if (expr == NULL || !items_add(parser, &items, expr))
            return NULL;
        if (parser->is_cell)
            parser->chain = chain;
        comma = parser->token.kind == TOKEN_COMMA;
        if (!comma)
            break;
        if (!parser_advance(parser))
            return NULL;
    } while (!parser_at_end(parser) && parser->token.kind != TOKEN_EQUAL &&
             parser->token.kind != TOKEN_COLON &&
             !(parser->is_cell && (parser->token.kind == TOKEN_RIGHT_BRACE ||
                                   parser->token.kind == TOKEN_RIGHT_PAREN)));
    if (items.n == 1 && !(comma && parser->is_cell))
        return items.at[0];
    return new_list(parser, EXPR_TUPLE, items.at[0]->begin, parser_end_before(parser), &items);
}
