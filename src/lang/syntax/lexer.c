/* See lexer.h. */
#include "lang/syntax/lexer_internal.h"

#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "base/array.h"
#include "base/text.h"

/* Bytes of the letter, digit or underscore at s, in any script; 0 for any other character. */
static size_t name_character(const char *s, size_t size, bool first)
{
    if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_')
        return 1;
    if (text_is_digit(*s))
        return first ? 0 : 1;
    if ((unsigned char)*s < 0x80)
        return 0;
    utf8proc_int32_t code;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)s,
                                               (utf8proc_ssize_t)(size < 4 ? size : 4), &code);
    if (length <= 0)
        return 0;
    utf8proc_category_t category = utf8proc_category(code);
    bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    bool digit = category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NO;
    return letter || (!first && (mark || digit)) ? (size_t)length : 0;
}

/* Blanks that can't be seen to be others: the no-break space of web pages, and the byte order mark
 * that some editors put at the start of a file. */
static const char *const hidden_blanks[] = {"\xC2\xA0", "\xEF\xBB\xBF"};

/* Bytes of the blank that comes next; 0 for any other character. */
static size_t blank_size(const struct lexer *lexer)
{
    const char *at = lexer->source + lexer->at;
    size_t left = lexer->size - lexer->at;
    if (*at == ' ' || *at == '\t' || *at == '\r' || (*at == '\n' && lexer->depth > 0))
        return 1;
    if ((unsigned char)*at < 0x80)
        return 0;
    for (size_t i = 0; i < COUNT_OF(hidden_blanks); i++) {
        size_t size = strlen(hidden_blanks[i]);
        if (left >= size && memcmp(at, hidden_blanks[i], size) == 0)
            return size;
    }
    return 0;
}

static void skip_blanks(struct lexer *lexer)
{
    while (lexer->at < lexer->size) {
        size_t size = blank_size(lexer);
        if (lexer->source[lexer->at] == '#')
            while (lexer->at < lexer->size && lexer->source[lexer->at] != '\n')
                lexer->at++;
        else if (size > 0)
            lexer->at += size;
        else
            return;
    }
}

static size_t digits_end(const struct lexer *lexer, size_t at)
{
    while (at < lexer->size &&
           (text_is_digit(lexer->source[at]) || (lexer->source[at] == '_' && at + 1 < lexer->size &&
                                                 text_is_digit(lexer->source[at + 1]))))
        at++;
    return at;
}

/* 12, 1.5, .5, 1., 1e-9, 1_000; in cells also 0x1F, 0b101, 0o17 and 2j */
static size_t number_end(const struct lexer *lexer, size_t at)
{
    bool has_base = lexer->is_cell && lexer->source[at] == '0' && at + 1 < lexer->size &&
                    lexer->source[at + 1] != '\0' &&
                    strchr("xXbBoO", lexer->source[at + 1]) != NULL;
    if (has_base) {
        at += 2;
        while (at < lexer->size &&
               (isxdigit((unsigned char)lexer->source[at]) || lexer->source[at] == '_'))
            at++;
        return at;
    }
    at = digits_end(lexer, at);
    if (at < lexer->size && lexer->source[at] == '.')
        at = digits_end(lexer, at + 1);
    if (at < lexer->size && (lexer->source[at] == 'e' || lexer->source[at] == 'E')) {
        size_t digits = at + 1;
        if (digits < lexer->size && (lexer->source[digits] == '-' || lexer->source[digits] == '+'))
            digits++;
        if (digits < lexer->size && text_is_digit(lexer->source[digits]))
            at = digits_end(lexer, digits);
    }
    if (lexer->is_cell && at < lexer->size &&
        (lexer->source[at] == 'j' || lexer->source[at] == 'J'))
        at++;
    return at;
}

static size_t name_end(const struct lexer *lexer, size_t at)
{
    size_t length;
    bool first = true;
    while (at < lexer->size &&
           (length = name_character(lexer->source + at, lexer->size - at, first)) > 0) {
        at += length;
        first = false;
    }
    return at;
}

/* The place after the closing quote, or 0 when the line ends before it. */
static size_t string_end(const struct lexer *lexer, size_t at)
{
    char quote = lexer->source[at++];
    while (at < lexer->size && lexer->source[at] != '\n') {
        if (lexer->source[at] == quote)
            return at + 1;
        at += lexer->source[at] == '\\' && at + 1 < lexer->size ? 2 : 1;
    }
    return 0;
}

/* The place after a text in three quotes, which may have several rows; 0 for any other text, and
 * for one that is not closed. */
static size_t triple_string_end(const struct lexer *lexer, size_t at)
{
    char quote = lexer->source[at];
    if (lexer->size - at < 6 || lexer->source[at + 1] != quote || lexer->source[at + 2] != quote)
        return 0;
    for (at += 3; at + 3 <= lexer->size; at += lexer->source[at] == '\\' ? 2 : 1)
        if (lexer->source[at] == quote && lexer->source[at + 1] == quote &&
            lexer->source[at + 2] == quote)
            return at + 3;
    return 0;
}

static const struct sign {
    const char *text;
    enum token_kind kind;
    bool only_in_cells;
} signs[] = {
    /* longer ones before those they start with */
    {"**=", TOKEN_STAR_STAR_EQUAL, true},
    {"//=", TOKEN_SLASH_SLASH_EQUAL, true},
    {"<<=", TOKEN_SHIFT_LEFT_EQUAL, true},
    {">>=", TOKEN_SHIFT_RIGHT_EQUAL, true},
    {"%=", TOKEN_PERCENT_EQUAL, true},
    {"@=", TOKEN_AT_EQUAL, true},
    {"&=", TOKEN_AND_EQUAL, true},
    {"|=", TOKEN_OR_EQUAL, true},
    {"^=", TOKEN_CARET_EQUAL, true},
    {"<<", TOKEN_SHIFT_LEFT, true},
    {">>", TOKEN_SHIFT_RIGHT, true},
    {":=", TOKEN_WALRUS, true},
    {"->", TOKEN_ARROW, true},
    {"^", TOKEN_CARET, true},
    {"!=", TOKEN_NOT_EQUAL, true},
    {"!", TOKEN_EXCLAMATION, true},
    {"{", TOKEN_LEFT_BRACE, true},
    {"}", TOKEN_RIGHT_BRACE, true},
    {"...", TOKEN_ELLIPSIS, false},
    {"**", TOKEN_STAR_STAR, false},
    {"//", TOKEN_SLASH_SLASH, false},
    {"+=", TOKEN_PLUS_EQUAL, false},
    {"-=", TOKEN_MINUS_EQUAL, false},
    {"*=", TOKEN_STAR_EQUAL, false},
    {"/=", TOKEN_SLASH_EQUAL, false},
    {"==", TOKEN_EQUAL_EQUAL, false},
    {"!=", TOKEN_NOT_EQUAL, false},
    {"<=", TOKEN_LESS_EQUAL, false},
    {">=", TOKEN_GREATER_EQUAL, false},
    {"+", TOKEN_PLUS, false},
    {"-", TOKEN_MINUS, false},
    {"*", TOKEN_STAR, false},
    {"/", TOKEN_SLASH, false},
    {"%", TOKEN_PERCENT, false},
    {"@", TOKEN_AT, false},
    {"=", TOKEN_EQUAL, false},
    {"<", TOKEN_LESS, false},
    {">", TOKEN_GREATER, false},
    {"&", TOKEN_AND, false},
    {"|", TOKEN_OR, false},
    {"~", TOKEN_NOT, false},
    {"(", TOKEN_LEFT_PAREN, false},
    {")", TOKEN_RIGHT_PAREN, false},
    {"[", TOKEN_LEFT_BRACKET, false},
    {"]", TOKEN_RIGHT_BRACKET, false},
    {",", TOKEN_COMMA, false},
    {":", TOKEN_COLON, false},
    {".", TOKEN_DOT, false},
    {";", TOKEN_SEMICOLON, false},
    {"\n", TOKEN_NEWLINE, false},
};

/* Characters that people paste from papers, and what to write instead. */
static const struct {
    const char *text, *advice;
} foreign_signs[] = {
    {"^", "for a power write **"},
    {"^T", "to transpose write .T"},
    {"\xE2\x88\x92", "this is a printed minus; write -"},
    {"\xE2\x80\x93", "this is a dash; write -"},
    {"\xC3\x97", "for a product write * or @"},
    {"\xC2\xB7", "for a product write * or @"},
    {"\xE2\x8B\x85", "for a product write * or @"},
    {"\xC3\xB7", "for a quotient write /"},
    {"\xE2\x88\x9A", "for a root write sqrt(...)"},
    {"\xE2\x88\x9E", "for infinity write inf"},
    {"\xE2\x8A\xA4", "to transpose write .T"},
    {"\xE2\x80\x9C", "this is a curly quote; write \""},
    {"\xE2\x80\x9D", "this is a curly quote; write \""},
    {"\xE2\x80\x98", "this is a curly quote; write '"},
    {"\xE2\x80\x99", "this is a curly quote; write '"},
    {"!", "to negate write ~ before it, or != to compare"},
    {"{", "attn has lists in [ ] and calls in ( )"},
    {"}", "attn has lists in [ ] and calls in ( )"},
    {"?", "for help write help, or help NAME"},
    {"$", "leave it out"},
    {"`", "leave it out"},
    {"\\", "a line goes on by itself while a bracket is open"},
};

/* Bytes of the character that comes next, 0 where the text is not UTF-8. */
static size_t character_size(const struct lexer *lexer)
{
    utf8proc_int32_t code;
    size_t left = lexer->size - lexer->at;
    utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)lexer->source + lexer->at,
                                             (utf8proc_ssize_t)(left < 4 ? left : 4), &code);
    return size > 0 ? (size_t)size : 0;
}

static bool bad_character(const struct lexer *lexer, struct error *reterr)
{
    const char *at = lexer->source + lexer->at;
    size_t left = lexer->size - lexer->at;
    const char *advice = NULL;
    for (size_t i = 0; i < COUNT_OF(foreign_signs); i++) {
        size_t length = strlen(foreign_signs[i].text);
        if (left >= length && memcmp(at, foreign_signs[i].text, length) == 0)
            advice = foreign_signs[i].advice;
    }
    size_t length = character_size(lexer), size = length > 0 ? length : 1;
    char shown[16];
    if (length == 0)
        error_set(reterr, ERR_SYNTAX,
                  "byte 0x%02x: this is not UTF-8 text; save the file as UTF-8 or retype the line",
                  (unsigned char)*at);
    else if (*at == '\0')
        error_set(reterr, ERR_SYNTAX, "a NUL byte: it has no meaning here; remove it");
    else
        error_set(reterr, ERR_SYNTAX, "%s: this character has no meaning here; %s",
                  error_quote(shown, sizeof shown, at, size),
                  advice ? advice : "remove it or put it in quotes");
    if (reterr != NULL) {
        reterr->begin = lexer->at;
        reterr->end = lexer->at + size;
    }
    return false;
}

/* In {value!r:spec} the bytes after the value are not a token: the lexer ends at the sign that ends
 * it. */
static void end_field(struct lexer *lexer, struct token *token)
{
    if (!lexer->is_field || lexer->depth > 1)
        return;
    if (token->kind == TOKEN_WALRUS) { /* a spec that begins with = */
        token->kind = TOKEN_COLON;
        token->end--;
    }
    if (lexer->depth == 0 || token->kind == TOKEN_COLON || token->kind == TOKEN_EXCLAMATION)
        lexer->size = lexer->at = token->end;
}

static bool next_sign(struct lexer *lexer, struct token *ret, struct error *reterr)
{
    const char *at = lexer->source + lexer->at;
    size_t left = lexer->size - lexer->at;
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (signs[i].text[0] != *at || (signs[i].only_in_cells && !lexer->is_cell))
            continue;
        size_t length = strlen(signs[i].text);
        if (length > left || memcmp(at, signs[i].text, length) != 0)
            continue;
        *ret = (struct token){signs[i].kind, lexer->at, lexer->at + length};
        lexer->at += length;
        if (ret->kind == TOKEN_LEFT_PAREN || ret->kind == TOKEN_LEFT_BRACKET ||
            ret->kind == TOKEN_LEFT_BRACE)
            lexer->depth++;
        else if (ret->kind == TOKEN_RIGHT_PAREN || ret->kind == TOKEN_RIGHT_BRACKET ||
                 ret->kind == TOKEN_RIGHT_BRACE)
            lexer->depth -= lexer->depth > 0;
        end_field(lexer, ret);
        return true;
    }
    return bad_character(lexer, reterr);
}

/* `at` is where the quotes begin, after a prefix such as f. */
static bool next_string(struct lexer *lexer, size_t at, struct token *ret, struct error *reterr)
{
    bool is_triple = lexer->is_cell && lexer->size - at >= 3 &&
                     lexer->source[at + 1] == lexer->source[at] &&
                     lexer->source[at + 2] == lexer->source[at];
    size_t end = is_triple ? triple_string_end(lexer, at) : string_end(lexer, at);
    if (end == 0) {
        error_set(reterr, ERR_SYNTAX, "a text is not closed: add %c at its end", lexer->source[at]);
        if (reterr != NULL) {
            reterr->begin = lexer->at;
            reterr->end = lexer->at + 1;
        }
        return false;
    }
    *ret = (struct token){TOKEN_STRING, lexer->at, end};
    for (; lexer->at < end; lexer->at += character_size(lexer))
        if (character_size(lexer) == 0 || lexer->source[lexer->at] == '\0')
            return bad_character(lexer, reterr);
    return true;
}

/* The columns before the first word of the line at `at`; tabs count as Python counts them. */
static size_t indent_at(const struct lexer *lexer, size_t at, size_t *ret_word)
{
    size_t cols = 0;
    for (; at < lexer->size && (lexer->source[at] == ' ' || lexer->source[at] == '\t'); at++)
        cols = lexer->source[at] == ' ' ? cols + 1 : (cols / 8 + 1) * 8;
    *ret_word = at;
    return cols;
}

/* Whether the word at begin is the prefix of a text, as in f"..." and rb'...'. */
static bool is_text_prefix(const struct lexer *lexer, size_t begin, size_t end)
{
    if (end - begin > 2 || end >= lexer->size ||
        (lexer->source[end] != '"' && lexer->source[end] != '\''))
        return false;
    for (size_t i = begin; i < end; i++)
        if (strchr("fFrRbBuU", lexer->source[i]) == NULL)
            return false;
    return true;
}

/* At the beginning of a row of a cell: goes on to its first word, over empty rows, and opens a
 * block or owes the ends of some. True: *ret is a token. */
static bool begin_row(struct lexer *lexer, struct token *ret, bool *ret_ok, struct error *reterr)
{
    size_t word, cols;
    *ret_ok = true;
    for (;;) {
        cols = indent_at(lexer, lexer->at, &word);
        lexer->at = word;
        skip_blanks(lexer);
        if (lexer->at >= lexer->size || lexer->source[lexer->at] != '\n')
            break;
        lexer->at++;
    }
    cols = lexer->at >= lexer->size ? 0 : cols;
    lexer->has_row = lexer->at < lexer->size;
    unsigned open = lexer->n_blocks > 0 ? lexer->cols[lexer->n_blocks - 1] : 0;
    *ret = (struct token){TOKEN_INDENT, lexer->at, lexer->at};
    if (cols > open) {
        if (lexer->n_blocks == LEXER_MAX_BLOCKS || cols > 10000) {
            *ret_ok = error_set(reterr, ERR_LIMIT, "too many levels of indentation");
            return true;
        }
        lexer->cols[lexer->n_blocks++] = (unsigned short)cols;
        return true;
    }
    while (lexer->n_blocks > 0 && lexer->cols[lexer->n_blocks - 1] > cols) {
        lexer->n_blocks--;
        lexer->owed++;
    }
    open = lexer->n_blocks > 0 ? lexer->cols[lexer->n_blocks - 1] : 0;
    if (open != cols) {
        error_set(reterr, ERR_SYNTAX,
                  "unindent does not match any outer indentation level; give the rows of a block "
                  "the same number of spaces");
        error_place(reterr, lexer->at, lexer->at + 1);
        *ret_ok = false;
        return true;
    }
    return false;
}

/* The tokens of a cell that stand for its rows. True: *ret is one. */
static bool next_of_layout(struct lexer *lexer, struct token *ret, bool *ret_ok,
                           struct error *reterr)
{
    *ret_ok = true;
    if (lexer->owed == 0 && !lexer->has_row && begin_row(lexer, ret, ret_ok, reterr))
        return true;
    if (lexer->owed > 0) {
        lexer->owed--;
        *ret = (struct token){TOKEN_DEDENT, lexer->at, lexer->at};
        return true;
    }
    skip_blanks(lexer);
    while (lexer->at + 1 < lexer->size && lexer->source[lexer->at] == '\\' &&
           (lexer->source[lexer->at + 1] == '\n' || lexer->source[lexer->at + 1] == '\r')) {
        lexer->at += lexer->source[lexer->at + 1] == '\r' ? 3 : 2;
        lexer->at = lexer->at < lexer->size ? lexer->at : lexer->size;
        skip_blanks(lexer);
    }
    bool is_end = lexer->at >= lexer->size;
    if (!lexer->has_row || (!is_end && lexer->source[lexer->at] != '\n'))
        return false;
    *ret = (struct token){TOKEN_NEWLINE, lexer->at, lexer->at + !is_end};
    lexer->at = ret->end;
    lexer->has_row = false;
    lexer->depth = 0;
    return true;
}

bool lexer_next(struct lexer *lexer, struct token *ret, struct error *reterr)
{
    bool ok;
    if (lexer->is_cell && next_of_layout(lexer, ret, &ok, reterr))
        return ok;
    skip_blanks(lexer);
    size_t begin = lexer->at;
    if (begin >= lexer->size) {
        *ret = (struct token){TOKEN_END, lexer->size, lexer->size};
        return true;
    }
    char c = lexer->source[begin];
    bool point = c == '.' && begin + 1 < lexer->size && text_is_digit(lexer->source[begin + 1]);
    if (text_is_digit(c) || point) {
        lexer->at = number_end(lexer, begin);
        *ret = (struct token){TOKEN_NUMBER, begin, lexer->at};
        return true;
    }
    if (c == '"' || c == '\'')
        return next_string(lexer, begin, ret, reterr);
    size_t end = name_end(lexer, begin);
    if (lexer->is_cell && end > begin && is_text_prefix(lexer, begin, end))
        return next_string(lexer, end, ret, reterr);
    if (end > begin) {
        lexer->at = end;
        *ret = (struct token){TOKEN_NAME, begin, end};
        return true;
    }
    return next_sign(lexer, ret, reterr);
}

enum { KNOWN_BRACKETS = 256 }; /* of deeper ones only the number is kept */

/* Counts bracket c, if it is one. False where no bracket of its kind is open. */
static bool count_bracket(struct lexer *lexer, char open[KNOWN_BRACKETS], char c)
{
    if (c == '(' || c == '[' || c == '{') {
        if (lexer->depth < KNOWN_BRACKETS)
            open[lexer->depth] = c;
        lexer->depth++;
    } else if (c == ')' || c == ']' || c == '}') {
        if (lexer->depth == 0)
            return false;
        lexer->depth--;
        char opened = lexer->depth < KNOWN_BRACKETS ? open[lexer->depth] : c;
        return lexer->depth >= KNOWN_BRACKETS || (c == ')' ? opened == '(' : opened == c - 2);
    }
    return true;
}

/* To the end of a row that the parser will complain of: nothing that follows could mend it. */
static void give_up_row(struct lexer *lexer)
{
    while (lexer->at < lexer->size && lexer->source[lexer->at] != '\n')
        lexer->at++;
    lexer->depth = 0;
}

/* The statement line that begins at lexer->at, without a body: lexer->at comes to lie after it.
 * *ret_last is its last character that is neither a blank nor part of a comment; 0: it has none. */
static void pass_line(struct lexer *lexer, char *ret_last)
{
    const char *source = lexer->source;
    size_t size = lexer->size;
    char open[KNOWN_BRACKETS];
    lexer->depth = 0;
    *ret_last = '\0';
    while (lexer->at < size) {
        char c = source[lexer->at];
        if (c == '#') {
            while (lexer->at < size && source[lexer->at] != '\n')
                lexer->at++;
            continue;
        }
        if (c == '"' || c == '\'') {
            size_t end = triple_string_end(lexer, lexer->at);
            end = end > 0 ? end : string_end(lexer, lexer->at);
            *ret_last = c;
            if (end > 0)
                lexer->at = end;
            else
                give_up_row(lexer);
            continue;
        }
        if (strchr(" \t\r\n", c) == NULL)
            *ret_last = c;
        if (!count_bracket(lexer, open, c)) {
            give_up_row(lexer);
            continue;
        }
        lexer->at++;
        if (c == '\n' && lexer->depth == 0)
            return;
    }
}

void lexer_pass_row(struct lexer *lexer)
{
    char last;
    pass_line(lexer, &last);
    lexer->depth = 0;
    lexer->has_row = false;
}

/* ---- lines with a body ---- */

/* Whether the word at `at` carries on a construct whose first part ended above it. */
static bool carries_on(const struct lexer *lexer, size_t at)
{
    static const char *const words[] = {"else", "elif", "except", "finally"};
    size_t end = name_end(lexer, at);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (text_equals(lexer->source + at, end - at, words[i]))
            return true;
    return false;
}

/* A construct that begins on the line before lexer->at, at this indent: where its last row ends.
 * Empty rows and comments belong to it when more of it comes below them. */
static size_t construct_end(struct lexer *lexer, size_t indent, bool is_decorator)
{
    size_t end = lexer->at;
    while (lexer->at < lexer->size) {
        size_t word, cols = indent_at(lexer, lexer->at, &word);
        char last;
        bool is_part = cols > indent || is_decorator || (cols == indent && carries_on(lexer, word));
        pass_line(lexer, &last);
        if (last == '\0')
            continue;
        if (!is_part)
            break;
        is_decorator = is_decorator && cols <= indent && lexer->source[word] == '@';
        end = lexer->at;
    }
    return end;
}

size_t lexer_line(const char *source, size_t size, bool *ret_open)
{
    struct lexer lexer = {.source = source, .size = size};
    char last;
    size_t word, indent = indent_at(&lexer, 0, &word);
    pass_line(&lexer, &last);
    *ret_open = lexer.depth > 0;
    bool is_decorator = word < size && source[word] == '@';
    return last == ':' || is_decorator ? construct_end(&lexer, indent, is_decorator) : lexer.at;
}

bool lexer_may_go_on(const char *line, size_t size)
{
    struct lexer lexer = {.source = line, .size = size};
    char last;
    size_t word;
    (void)indent_at(&lexer, 0, &word);
    pass_line(&lexer, &last);
    return last == ':' || (word < size && line[word] == '@');
}

bool lexer_construct(const char *line, size_t size, struct lexer_construct *ret)
{
    struct lexer lexer = {.source = line, .size = size};
    char last;
    size_t word, first_end;
    do { /* decorators, and the comments between them */
        (void)indent_at(&lexer, lexer.at, &word);
        pass_line(&lexer, &last);
    } while (lexer.at < size && last != ':' &&
             (last == '\0' || (word < size && line[word] == '@')));
    first_end = lexer.at;
    size_t word_end = name_end(&lexer, word);
    if (last != ':' || word_end == word || text_is_blank(line + first_end, size - first_end))
        return false;
    *ret = (struct lexer_construct){.begin = word, .end = word_end, .n_below = 0};
    for (size_t at = first_end; at < size; at++)
        ret->n_below += line[at] == '\n' || at + 1 == size;
    return true;
}
