/* Expressions and statements as the parser leaves them: in an arena, pointing into the source. */
#ifndef ATTN_LANG_SYNTAX_AST_H
#define ATTN_LANG_SYNTAX_AST_H

#include <stdint.h>

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

    /* In cells alone: */
    EXPR_WHOLE,       /* a number without a point: 64 bits */
    EXPR_JOINED,      /* f"a{b}": list: EXPR_STRING and EXPR_FORMATTED */
    EXPR_FORMATTED,   /* {value!r:spec} of such a text */
    EXPR_DICT,        /* list: key, value, key, value, ...; a NULL key: **value */
    EXPR_SET,         /* list */
    EXPR_STAR,        /* *left, in a list, a call or a target */
    EXPR_LAMBDA,      /* function */
    EXPR_CONDITIONAL, /* list: condition, value if true, value if false */
    EXPR_COMPARISONS, /* a < b <= c, a in b */
    EXPR_WALRUS,      /* left := right */
    EXPR_YIELD,       /* left, or NULL */
    EXPR_YIELD_FROM,  /* left */
    EXPR_REFUSED,     /* text: why it can't be computed, said when it is reached */
};

/* The meaning of an operator that is more than one operation of the graph. */
enum operator{
    OPERATOR_PLAIN,        /* op says it */
    OPERATOR_POSITIVE,     /* +x */
    OPERATOR_FLOOR_DIVIDE, /* floor(a / b) */
    OPERATOR_REMAINDER,    /* a - floor(a / b) * b */

    /* In cells alone: */
    OPERATOR_SHIFT_LEFT,
    OPERATOR_SHIFT_RIGHT,
    OPERATOR_BIT_XOR,
    OPERATOR_LOGICAL_NOT, /* not a */
    OPERATOR_LOGICAL_AND, /* a and b, of which b may not be computed */
    OPERATOR_LOGICAL_OR,
    OPERATOR_IN,
    OPERATOR_NOT_IN,
    OPERATOR_IS,
    OPERATOR_IS_NOT,
};

/* One of a < b <= c: the operator before the operand. */
struct comparison_link {
    enum operator meaning;
    enum op_kind op;
    struct expr *right;
};

struct argument {
    const char *keyword; /* NULL: by position */
    size_t keyword_size;
    struct expr *value;
    unsigned n_stars; /* 1: *value, 2: **value */
};

/* The parameters of def and lambda. */
enum formal_kind { FORMAL_PLAIN, FORMAL_REST, FORMAL_KEYWORD, FORMAL_KEYWORDS };
struct formal {
    enum formal_kind kind; /* x, *x, x after a star, **x */
    struct expr *name;
    struct expr *otherwise;  /* the default, or NULL */
    struct expr *annotation; /* or NULL */
};
struct formals {
    size_t n;
    struct formal *at;
};

/* One `for name in value` of a list that is built, or one `if value`. */
struct clause {
    struct expr *name; /* NULL: if. In a cell also a tuple or another target */
    struct expr *value;
};

struct expr {
    enum expr_kind kind;
    size_t begin, end; /* bytes of the source */
    union {
        double number;
        int64_t whole;
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
            struct expr *item;  /* of a dict: the key */
            struct expr *value; /* of a dict; else NULL */
            size_t n;
            struct clause *clauses; /* the first is a `for` */
            enum comprehension_kind {
                COMPREHEND_LIST,
                COMPREHEND_SET,
                COMPREHEND_DICT,
                COMPREHEND_GENERATOR
            } kind;
        } comprehension;
        struct {
            struct expr *first;
            size_t n;
            struct comparison_link *rest;
        } comparisons;
        struct {
            struct expr *value;
            struct expr *spec; /* EXPR_JOINED, or NULL */
            char conversion;   /* 'r', 's', 'a', or NUL */
            bool shows_source; /* {value=} */
        } formatted;
        struct {
            struct formals *formals;
            struct expr *body;
        } lambda;
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

    /* In cells alone. A statement that can't be read is STATEMENT_REFUSED: it fails when it is
     * reached, and the others run. */
    STATEMENT_CHAIN,     /* targets[0] = targets[1] = ... = value */
    STATEMENT_AUGMENTED, /* targets[0] OP= value */
    STATEMENT_ANNOTATED, /* targets[0]: annotation [ = value ] */
    STATEMENT_IF,        /* value, body, otherwise */
    STATEMENT_WHILE,     /* value, body, otherwise */
    STATEMENT_FOR,       /* targets[0] in value, body, otherwise */
    STATEMENT_FUNCTION,  /* def targets[0] formals: body */
    STATEMENT_CLASS,     /* class targets[0](arguments, named): body */
    STATEMENT_RETURN,    /* value or NULL */
    STATEMENT_RAISE,     /* value or NULL, cause or NULL */
    STATEMENT_TRY,       /* body, handlers, otherwise, final */
    STATEMENT_WITH,      /* arguments as targets (NULL: none): body */
    STATEMENT_ASSERT,    /* value, cause: the message or NULL */
    STATEMENT_DELETE,    /* targets */
    STATEMENT_GLOBAL,    /* targets: names */
    STATEMENT_NONLOCAL,  /* targets: names */
    STATEMENT_IMPORT,    /* imports */
    STATEMENT_FROM,      /* from words import imports; n_imports 0: * */
    STATEMENT_PASS,
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_REFUSED, /* words: why */
};

/* except value as name: body */
struct handler {
    size_t begin, end;
    struct expr *value; /* NULL: all errors */
    struct expr *name;  /* or NULL */
    struct statement *body;
};

/* module.part as name */
struct import {
    const char *module; /* with its dots */
    size_t module_size;
    struct expr *name; /* or NULL */
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
    struct statement *body;      /* for: what it repeats; its target is the loop's name */
    struct statement *otherwise; /* else, elif */
    struct statement *final;     /* finally */
    struct expr *cause, *annotation;
    struct handler *handlers;
    size_t n_handlers;
    struct import *imports;
    size_t n_imports;
    struct formals *formals;
    struct expr **decorators; /* of STATEMENT_FUNCTION and STATEMENT_CLASS */
    size_t n_decorators;
    enum operator meaning; /* STATEMENT_AUGMENTED */
    enum op_kind op;
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
