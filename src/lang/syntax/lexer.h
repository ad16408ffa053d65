/* From text to tokens. Tokens point into the source. */
#ifndef ATTN_LANG_SYNTAX_LEXER_H
#define ATTN_LANG_SYNTAX_LEXER_H

#include "base/error.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NEWLINE,
    TOKEN_SEMICOLON,
    TOKEN_NUMBER,
    TOKEN_STRING, /* begin and end lie outside the quotes */
    TOKEN_NAME,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_STAR,
    TOKEN_STAR_STAR,
    TOKEN_SLASH,
    TOKEN_SLASH_SLASH,
    TOKEN_PERCENT,
    TOKEN_AT,
    TOKEN_EQUAL,
    TOKEN_PLUS_EQUAL,
    TOKEN_MINUS_EQUAL,
    TOKEN_STAR_EQUAL,
    TOKEN_SLASH_EQUAL,
    TOKEN_EQUAL_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_LEFT_PAREN,
    TOKEN_RIGHT_PAREN,
    TOKEN_LEFT_BRACKET,
    TOKEN_RIGHT_BRACKET,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_DOT,
    TOKEN_ELLIPSIS,

    /* In cells alone: */
    TOKEN_INDENT, /* a block begins; it takes no bytes */
    TOKEN_DEDENT, /* a block ends; it takes no bytes */
    TOKEN_LEFT_BRACE,
    TOKEN_RIGHT_BRACE,
    TOKEN_WALRUS,
    TOKEN_ARROW,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_CARET,
    TOKEN_EXCLAMATION, /* in f"{x!r}" */
    TOKEN_SLASH_SLASH_EQUAL,
    TOKEN_STAR_STAR_EQUAL,
    TOKEN_PERCENT_EQUAL,
    TOKEN_AT_EQUAL,
    TOKEN_AND_EQUAL,
    TOKEN_OR_EQUAL,
    TOKEN_CARET_EQUAL,
    TOKEN_SHIFT_LEFT_EQUAL,
    TOKEN_SHIFT_RIGHT_EQUAL,
    TOKEN_FAULT, /* no token starts here: the parser's, see struct parser */
    TOKEN_COUNT
};

struct token {
    enum token_kind kind;
    size_t begin, end; /* bytes of the source */
};

enum { LEXER_MAX_BLOCKS = 100 }; /* blocks within blocks, as in Python */

struct lexer {
    const char *source;
    size_t size;
    size_t at;    /* where the next token is looked for */
    size_t depth; /* open brackets: inside them a newline is white space */

    /* Of a cell: where rows begin and end is part of the grammar, as in Python. */
    bool is_cell;
    bool is_field; /* it reads the {value} of a text, up to what ends the value */
    bool has_row;  /* tokens stand on this row; at its end comes a TOKEN_NEWLINE */
    unsigned owed; /* TOKEN_DEDENTs that are still to come */
    unsigned n_blocks;
    unsigned short cols[LEXER_MAX_BLOCKS]; /* how far each open block is indented */
};

/* The next token. ERR_SYNTAX, with its place, for what no token starts with. */
bool lexer_next(struct lexer *lexer, struct token *ret, struct error *reterr);

/* How far the first statement line of source reaches: up to and with the newline at which no
 * bracket is open, else to the end. *ret_open says whether a bracket was still open there.
 *
 * This is the one place that cuts scripts and pasted text into what runs at once. A line that ends
 * in a colon takes the rows below it that are indented more (its body) along, with what else
 * belongs to such a construct of Python's: decorators above it, and else, elif, except and finally
 * with their own bodies below it. */
size_t lexer_line(const char *source, size_t size, bool *ret_open);

/* Whether such a line may have a body, in rows that are not there yet. */
bool lexer_may_go_on(const char *line, size_t size);

/* A statement line, as lexer_line() cut it, that has an indented body. */
struct lexer_construct {
    size_t begin, end; /* the word that it is called by: for, class, ... */
    size_t n_below;    /* rows that belong to it below the row of that word */
};

/* False where the line has no body. */
bool lexer_construct(const char *line, size_t size, struct lexer_construct *ret);

#endif
