/* What the parts of the parser share: expression.c reads expressions, parser.c lines of formulas
 * and commands, block.c the statements of a cell. All functions that fail return NULL or false and
 * fill the parser's error, with the place in the source. */
#ifndef ATTN_LANG_SYNTAX_PARSER_INTERNAL_H
#define ATTN_LANG_SYNTAX_PARSER_INTERNAL_H

#include "lang/syntax/ast.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"

struct parser {
    struct arena *arena;
    struct lexer lexer;
    command_lookup *find_command; /* NULL: there are no commands */
    struct token token;           /* the one looked at */
    struct token ahead;           /* the one after it */
    struct error fault;           /* of a cell: why a token is TOKEN_FAULT. The statement that the
                                   * token belongs to fails with it, not the one before */
    bool is_cell;                 /* all of Python's expressions, not only those of formulas */
    size_t depth;                 /* open brackets, and blocks */
    size_t n_loops;               /* whose bodies are being read */
    size_t chain;                 /* operators in the current statement */
    size_t n_refused;             /* statements of a cell that can't be read */
    size_t n_hidden;              /* names that match needs for itself */
    struct error *reterr;
};

/* A list that grows while its items are parsed. */
struct items {
    struct expr **at;
    size_t n, capacity;
};

/* The arguments of a call. */
struct argument_list {
    struct argument *at;
    size_t n, capacity;
};

/* ---- errors ---- */

const char *parser_source(const struct parser *parser, size_t at);
bool parser_fail(struct parser *parser, size_t begin, size_t end, const char *text);
bool parser_fail_limit(struct parser *parser, const char *text);
/* "'x': expected WANTED", for the current token. */
bool parser_fail_unexpected(struct parser *parser, const char *wanted);

/* ---- tokens ---- */

bool parser_token_is(const struct parser *parser, struct token token, const char *word);
bool parser_advance(struct parser *parser);
/* Reads the token after the current one again, after the lexer was moved. */
bool parser_look_ahead(struct parser *parser);
bool parser_skip(struct parser *parser, size_t n_tokens);
bool parser_expect(struct parser *parser, enum token_kind kind, const char *wanted);
/* Where the token before the current one ended. */
size_t parser_end_before(const struct parser *parser);
bool parser_at_end(const struct parser *parser); /* of the statement */

/* ---- the tree, all of it in the arena ---- */

void *parser_take(struct parser *parser, size_t size);
/* at with room for element n, moved within the arena where it was full; NULL without memory. */
void *parser_grow(struct parser *parser, void *at, size_t n, size_t *capacity, size_t size);
bool items_add(struct parser *parser, struct items *items, struct expr *expr);
struct expr *parser_new(struct parser *parser, enum expr_kind kind, size_t begin, size_t end);
/* One level deeper, of brackets or of blocks; false at the limit. The caller counts depth down. */
bool parser_enter(struct parser *parser);

/* ---- parts of the grammar ---- */

struct expr *parse_expression(struct parser *parser);
/* One or several; several are a tuple. */
struct expr *parse_expressions(struct parser *parser);
struct expr *parse_name(struct parser *parser);
struct expr *parse_call(struct parser *parser, struct expr *object);
bool parse_argument(struct parser *parser, void *list);
/* One expression of a list of several, which in a cell may be *value. */
struct expr *parse_list_item(struct parser *parser);
struct expr *parse_loop_name(struct parser *parser);
/* What a loop or a clause goes through: NAME, or several names in any nesting, before `in`. */
struct expr *parse_loop_targets(struct parser *parser);
/* A number or a text, perhaps with a sign. */
struct expr *parse_literal(struct parser *parser);
/* match.c: (NAME := value,) with a name that no cell can write, which is *ret_name too. */
struct expr *match_subject(struct parser *parser, struct expr *value, struct expr **ret_name);
/* What stands after `case`, up to the colon, as a condition on the subject. */
struct expr *parse_case(struct parser *parser, struct expr *subject);
/* Texts side by side, with what is in f"{...}": text_literal.c. */
struct expr *parse_texts(struct parser *parser);
/* The parameters of def or lambda, up to the token `close`, which stays the current one. */
struct formals *parse_formals(struct parser *parser, enum token_kind close);

#endif
