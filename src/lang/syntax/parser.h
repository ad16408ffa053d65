/* From tokens to statements. The grammar stands over the functions of parser.c. */
#ifndef ATTN_LANG_SYNTAX_PARSER_H
#define ATTN_LANG_SYNTAX_PARSER_H

#include "base/arena.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/command.h"

enum {
    PARSER_MAX_DEPTH = 200,        /* brackets within brackets */
    PARSER_MAX_CHAIN = 1000,       /* operators, calls and indices in one expression */
    PARSER_MAX_LINE = 1024 * 1024, /* bytes of one line */
    PARSER_MAX_CLAUSES = 4,        /* for and if in one list */
    PARSER_MAX_LOOPS = 10,         /* loops within loops */
};

/* Parses the statements of one line. *ret_first is the first of them, or NULL on an empty line.
 * They live in the arena and point into source, which must outlive them. find_command says which
 * words are commands and what each takes; NULL: no word is. ERR_SYNTAX with the place; ERR_LIMIT
 * beyond the limits above. */
bool parser_parse_line(struct arena *arena, command_lookup *find_command, const char *source,
                       size_t size, struct statement **ret_first, struct error *reterr);

enum { CELL_MAX_BYTES = 4 * 1024 * 1024 };

/* A cell or a file of Python. */
struct program {
    struct statement *first; /* NULL: it is empty */
    size_t n_refused;        /* statements that can't be read: STATEMENT_REFUSED, anywhere in it */
};

/* Parses a whole cell into the arena; it points into source, which must outlive it. A statement
 * that can't be read becomes STATEMENT_REFUSED, and the others are read. ERR_LIMIT for a cell that
 * is too large, and ERR_MEMORY. */
bool parser_parse_cell(struct arena *arena, const char *source, size_t size, struct program *ret,
                       struct error *reterr);

#endif
