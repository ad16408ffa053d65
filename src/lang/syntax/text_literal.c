/* Texts as cells write them: prefixes, escapes, texts side by side, and f"...{value!r:spec}". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text.h"
#include "lang/syntax/parser_internal.h"

/* The token of a text, taken apart: the bytes between its quotes. */
struct literal {
    bool is_raw, is_formatted, is_bytes;
    size_t begin, end;
};

static struct literal literal_of(const struct parser *parser, struct token token)
{
    struct literal literal = {.begin = token.begin};
    char c;
    for (; (c = *parser_source(parser, literal.begin)) != '"' && c != '\''; literal.begin++) {
        literal.is_raw = literal.is_raw || c == 'r' || c == 'R';
        literal.is_formatted = literal.is_formatted || c == 'f' || c == 'F';
        literal.is_bytes = literal.is_bytes || c == 'b' || c == 'B';
    }
    bool is_triple = token.end - literal.begin >= 6 &&
                     *parser_source(parser, literal.begin + 1) == c &&
                     *parser_source(parser, literal.begin + 2) == c;
    literal.begin += is_triple ? 3 : 1;
    literal.end = token.end - (is_triple ? 3 : 1);
    return literal;
}

/* ---- escapes ---- */

static const char *const escapes = "n\nt\tr\r\\\\'\'\"\"a\ab\bf\fv\v";

/* The character of n_digits in this base at *at, which comes to lie after them. */
static bool read_code(const char *bytes, size_t *at, size_t end, size_t n_digits, int base,
                      char *out, size_t *n)
{
    char digits[9] = "", *rest;
    if (end - *at < n_digits || n_digits > 8)
        return false;
    memcpy(digits, bytes + *at, n_digits);
    unsigned long code = strtoul(digits, &rest, base);
    if (*rest != '\0' || code > 0x10FFFF)
        return false;
    *at += n_digits;
    utf8proc_ssize_t size =
        utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)out + *n);
    *n += size > 0 ? (size_t)size : 0;
    return size > 0;
}

/* One escape, whose backslash stands before *at. */
static bool read_escape(const char *source, size_t *at, size_t end, char *out, size_t *n)
{
    char c = source[(*at)++];
    for (const char *e = escapes; *e != '\0'; e += 2)
        if (*e == c) {
            out[(*n)++] = e[1];
            return true;
        }
    size_t digits = 1;
    switch (c) {
    case '\n':
        return true;
    case 'x':
        return read_code(source, at, end, 2, 16, out, n);
    case 'u':
        return read_code(source, at, end, 4, 16, out, n);
    case 'U':
        return read_code(source, at, end, 8, 16, out, n);
    case 'N':
        return false;
    default:
        if (c < '0' || c > '7') {
            out[(*n)++] = '\\';
            out[(*n)++] = c;
            return true;
        }
        for ((*at)--; digits < 3 && *at + digits < end && source[*at + digits] >= '0' &&
                      source[*at + digits] <= '7';)
            digits++;
        return read_code(source, at, end, digits, 8, out, n);
    }
}

/* ---- pieces ---- */

static bool add_plain(struct parser *parser, struct items *items, const char *bytes, size_t size,
                      size_t begin, size_t end)
{
    struct expr *expr = parser_new(parser, EXPR_STRING, begin, end);
    if (expr == NULL)
        return false;
    expr->as.text.bytes = bytes;
    expr->as.text.size = size;
    return items_add(parser, items, expr);
}

static bool read_pieces(struct parser *parser, const struct literal *literal, bool in_spec,
                        size_t *ret_end, struct items *items);

/* The part after the colon of {value:spec}, up to the brace that closes it. */
static struct expr *read_spec(struct parser *parser, const struct literal *literal, size_t at,
                              size_t *ret_end)
{
    struct literal rest = *literal;
    struct items items = {0};
    rest.begin = at;
    struct expr *spec = parser_new(parser, EXPR_JOINED, at, at);
    if (spec == NULL || !parser_enter(parser) || !read_pieces(parser, &rest, true, ret_end, &items))
        return NULL;
    parser->depth--;
    spec->as.list.items = items.at;
    spec->as.list.n = items.n;
    spec->end = *ret_end;
    return spec;
}

/* {value}, {value=}, {value!r}, {value:spec}: *at is after the first brace, and comes to lie after
 * the last. The value is read by the same parser, from the same source. */
static bool read_formatted(struct parser *parser, const struct literal *literal, size_t *at,
                           struct items *items)
{
    struct lexer lexer = parser->lexer;
    struct token token = parser->token, ahead = parser->ahead;
    const struct error fault = parser->fault;
    struct expr *expr = parser_new(parser, EXPR_FORMATTED, *at, *at);
    parser->lexer = (struct lexer){.source = lexer.source,
                                   .size = literal->end,
                                   .at = *at,
                                   .depth = 1,
                                   .is_cell = true,
                                   .is_field = true,
                                   .has_row = true};
    bool ok = expr != NULL && parser_enter(parser) && parser_skip(parser, 2);
    struct expr *value = ok ? parse_expressions(parser) : NULL;
    ok = value != NULL;
    size_t end = ok ? parser->token.begin : *at;
    if (ok)
        expr->as.formatted.value = value;
    if (ok && parser->token.kind == TOKEN_EQUAL) {
        size_t begin = *at;
        expr->as.formatted.shows_source = true;
        end = parser->token.end;
        while (end < literal->end && *parser_source(parser, end) == ' ')
            end++;
        ok = add_plain(parser, items, parser_source(parser, begin), end - begin, begin, end);
    }
    if (ok && end < literal->end && *parser_source(parser, end) == '!') {
        expr->as.formatted.conversion =
            end + 1 < literal->end ? *parser_source(parser, end + 1) : '\0';
        end += 2;
    }
    if (ok && end < literal->end && *parser_source(parser, end) == ':') {
        expr->as.formatted.spec = read_spec(parser, literal, end + 1, &end);
        ok = expr->as.formatted.spec != NULL;
    }
    if (ok && (end >= literal->end || *parser_source(parser, end) != '}'))
        ok = parser_fail(parser, *at, end + 1, "f-string: expecting '}'");
    parser->depth -= parser->depth > 0;
    parser->lexer = lexer;
    parser->token = token;
    parser->ahead = ahead;
    parser->fault = fault;
    if (!ok)
        return false;
    expr->end = end;
    *at = end + 1;
    return items_add(parser, items, expr);
}

/* The pieces of a literal; in a spec only up to the brace that closes it. */
static bool read_pieces(struct parser *parser, const struct literal *literal, bool in_spec,
                        size_t *ret_end, struct items *items)
{
    const char *source = parser->lexer.source;
    size_t at = literal->begin, begin = at, n = 0;
    char *out = parser_take(parser, literal->end - literal->begin + 8);
    if (out == NULL)
        return false;
    while (at < literal->end) {
        char c = source[at];
        bool brace = literal->is_formatted && (c == '{' || c == '}');
        if (brace && at + 1 < literal->end && source[at + 1] == c && !in_spec) {
            out[n++] = c;
            at += 2;
        } else if (brace && c == '}') {
            if (in_spec)
                break;
            return parser_fail(parser, at, at + 1, "f-string: single '}' is not allowed");
        } else if (brace) {
            if (n > 0 && !add_plain(parser, items, out, n, begin, at))
                return false;
            out += n;
            n = 0;
            at++;
            if (!read_formatted(parser, literal, &at, items))
                return false;
            begin = at;
        } else if (c == '\\' && !literal->is_raw && at + 1 < literal->end) {
            at++;
            if (!read_escape(source, &at, literal->end, out, &n))
                return parser_fail(parser, literal->begin, literal->end,
                                   "this escape can't be read: write the character itself");
        } else {
            out[n++] = c;
            at++;
        }
    }
    *ret_end = at;
    return n == 0 || add_plain(parser, items, out, n, begin, at);
}

/* Neighbours that are plain become one text. */
static struct expr *join_plain(struct parser *parser, const struct items *items, size_t begin,
                               size_t end)
{
    size_t size = 0, n = 0;
    for (size_t i = 0; i < items->n; i++)
        size += items->at[i]->as.text.size;
    char *bytes = parser_take(parser, size + 1);
    struct expr *expr = parser_new(parser, EXPR_STRING, begin, end);
    if (bytes == NULL || expr == NULL)
        return NULL;
    for (size_t i = 0; i < items->n; i++) {
        memcpy(bytes + n, items->at[i]->as.text.bytes, items->at[i]->as.text.size);
        n += items->at[i]->as.text.size;
    }
    expr->as.text.bytes = bytes;
    expr->as.text.size = size;
    return expr;
}

/* texts = TEXT { TEXT } */
struct expr *parse_texts(struct parser *parser)
{
    struct items items = {0};
    size_t begin = parser->token.begin, end = begin, ignored;
    bool is_formatted = false, is_bytes = false;
    while (parser->token.kind == TOKEN_STRING) {
        struct literal literal = literal_of(parser, parser->token);
        is_formatted = is_formatted || literal.is_formatted;
        is_bytes = is_bytes || literal.is_bytes;
        end = parser->token.end;
        if (!read_pieces(parser, &literal, false, &ignored, &items) || !parser_advance(parser))
            return NULL;
    }
    if (is_bytes) {
        static const char function[] = "_bytes"; /* notebook/python/builtins.py */
        struct expr *call = parser_new(parser, EXPR_CALL, begin, end);
        struct argument *argument = call ? parser_take(parser, sizeof *argument) : NULL;
        if (argument == NULL ||
            (argument->value = join_plain(parser, &items, begin, end)) == NULL ||
            (call->object = parser_new(parser, EXPR_NAME, begin, end)) == NULL)
            return NULL;
        call->object->as.text.bytes = function;
        call->object->as.text.size = sizeof function - 1;
        call->as.call.n = 1;
        call->as.call.arguments = argument;
        return call;
    }
    if (!is_formatted)
        return join_plain(parser, &items, begin, end);
    struct expr *expr = parser_new(parser, EXPR_JOINED, begin, end);
    if (expr != NULL) {
        expr->as.list.items = items.at;
        expr->as.list.n = items.n;
    }
    return expr;
}
