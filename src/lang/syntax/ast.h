/* Expressions and statements as the parser leaves them: in an arena, pointing into the source. */
#ifndef ATTN_LANG_SYNTAX_AST_H
#define ATTN_LANG_SYNTAX_AST_H

#include "graph/builder.h"

struct command;

enum expr_kind {
    EXPR_NUMBER,
    EXPR_STRING,
    EXPR_NAME,
    EXPR_LIST,          /* [a, b] */
    EXPR_TUPLE,         /* (a, b) */
    EXPR_COMPREHENSION, /* [item for name in value if condition] */
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_CALL,
    EXPR_ATTRIBUTE, /* object.name */
    EXPR_INDEX,     /* object[items] */
    EXPR_SLICE,     /* start:stop:step inside an index */
    EXPR_ELLIPSIS,  /* ... inside an index */
};

/* The meaning of an operator that is more than one operation of the graph. */
enum operator{
    OPERATOR_PLAIN,        /* op says it */
    OPERATOR_POSITIVE,     /* +x */
    OPERATOR_FLOOR_DIVIDE, /* floor(a / b) */
    OPERATOR_REMAINDER,    /* a - floor(a / b) * b */
};

struct argument {
    const char *keyword; /* NULL: by position */
    size_t keyword_size;
    struct expr *value;
};

/* One `for name in value` of a list that is built, or one `if value`. */
struct clause {
    struct expr *name; /* NULL: if */
    struct expr *value;
};

struct expr {
    enum expr_kind kind;
    size_t begin, end; /* bytes of the source */
    union {
        double number;
        struct {
            const char *bytes;
            size_t size;
        } text; /* EXPR_NAME, EXPR_STRING (escapes resolved), EXPR_ATTRIBUTE's name */
        struct {
            size_t n;
            struct expr **items;
        } list;
        struct {
            enum operator meaning;
            enum op_kind op;
            struct expr *left, *right; /* EXPR_UNARY uses left */
        } operation;
        struct {
            size_t n;
            struct argument *arguments;
        } call;
        struct {
            struct expr *item;
            size_t n;
            struct clause *clauses; /* the first is a `for` */
        } comprehension;
        struct {
            struct expr *start, *stop, *step; /* NULL where left out */
        } slice;
    } as;
    struct expr *object; /* of a call, an index or an attribute */
};

enum statement_kind {
    STATEMENT_EXPRESSION,
    STATEMENT_ASSIGN, /* a = x;  a, b = x;  a[i] = x */
    STATEMENT_DEFINE, /* f(x, y) = expression */
    STATEMENT_COMMAND,
};

struct statement {
    enum statement_kind kind;
    size_t begin, end;
    struct expr *
        *targets; /* names; one EXPR_INDEX; DEFINE: the function's name, then its parameters */
    size_t n_targets;
    struct expr *value;            /* right side, body, or the expression; whatif: the new
                                    * value; for: the values it goes through */
    const struct command *command; /* STATEMENT_COMMAND */
    struct expr **arguments;       /* its expressions */
    size_t n_arguments;
    struct argument *named; /* those given by name, after them */
    size_t n_named;
    const char *words; /* or its raw words, trimmed */
    size_t words_size;
    struct statement *body; /* for: what it repeats; its target is the loop's name */
    struct statement *next;
};

/* Whether a name, a text or an attribute reads so. */
bool expr_is_word(const struct expr *expr, const char *word);
bool expr_same_word(const struct expr *a, const struct expr *b);
/* Calls visit for each expression that expr is made of, in the order in which they were typed but
 * for expr->object, which comes last; not for the parts of these. */
typedef void expr_visit(const struct expr *part, void *context);
void expr_each_part(const struct expr *expr, expr_visit *visit, void *context);
/* Sets the error's place to expr unless it has one. Returns false. */
bool expr_place_error(const struct expr *expr, struct error *reterr);

#endif
