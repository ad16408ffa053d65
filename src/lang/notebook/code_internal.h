/* What a cell is compiled to: instructions for a stack of values.
 *
 * Names are resolved once: a local variable is a slot of the frame, a variable that an inner
 * function uses too is a slot that holds a struct variable, and a global is a place in the
 * notebook's list of them. */
#ifndef ATTN_LANG_NOTEBOOK_CODE_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_CODE_INTERNAL_H

#include "base/arena.h"
#include "lang/notebook/things_internal.h"

enum opcode {
    /* values: CONST, LOCAL, ... push one; STORE_... take one */
    CODE_CONST,    /* a: constant */
    CODE_LOCAL,    /* a: slot; b: 1: of a struct variable, which is pushed itself */
    CODE_VARIABLE, /* a: slot of a struct variable */
    CODE_GLOBAL,   /* a: place */
    CODE_NAME,     /* a: constant, of a class body: its own name, else as b says: 0: global, by
                    * the same name; n: slot n - 1 of a struct variable */
    CODE_STORE_LOCAL,
    CODE_STORE_VARIABLE,
    CODE_STORE_GLOBAL,
    CODE_STORE_NAME,
    CODE_DELETE_LOCAL,
    CODE_DELETE_VARIABLE,
    CODE_DELETE_GLOBAL,
    CODE_DELETE_NAME,
    CODE_NEW_VARIABLE, /* a: slot, whose value is put into a struct variable */
    CODE_POP,
    CODE_COPY, /* pushes the value that lies a below the top */
    CODE_LIFT, /* moves the value that lies a below the top there */
    /* operators: a: enum sign; b: 1 for a OP= b */
    CODE_BINARY,
    CODE_BINARY_LOCAL, /* the right side is slot b */
    CODE_BINARY_CONST, /* the right side is constant b */
    CODE_UNARY,
    CODE_NOT,
    /* jumps: a: instruction */
    CODE_JUMP,
    CODE_JUMP_IF_FALSE, /* take the value */
    CODE_JUMP_IF_TRUE,
    CODE_JUMP_IF_FALSE_KEEP, /* take it only where they do not jump */
    CODE_JUMP_IF_TRUE_KEEP,
    /* a: how many values are taken */
    CODE_TUPLE,
    CODE_LIST,
    CODE_SET,
    CODE_DICT,
    CODE_JOIN,
    CODE_FORMAT, /* a: conversion; b: 1 where a spec lies above the value */
    /* into the collection that lies a below the top */
    CODE_LIST_ADD,
    CODE_SET_ADD,
    CODE_DICT_ADD,
    CODE_LIST_EXTEND,
    CODE_SET_EXTEND,
    CODE_DICT_UPDATE, /* b: 1: keywords of a call, of which none may come twice */
    CODE_LIST_TO_TUPLE,
    CODE_ATTRIBUTE,
    CODE_STORE_ATTRIBUTE,
    CODE_DELETE_ATTRIBUTE, /* a: constant, the name */
    CODE_METHOD,           /* a: name: pushes function and self, or ABSENT and the attribute */
    CODE_INDEX,
    CODE_STORE_INDEX,
    CODE_DELETE_INDEX,
    CODE_SLICE,
    CODE_CALL,        /* a: values; b: constant of the tuple of keywords of the last ones, + 1 */
    CODE_CALL_METHOD, /* the same after CODE_METHOD */
    CODE_CALL_SPREAD, /* function, list, dict */
    CODE_ITERATE,     /* makes the top an iterator */
    CODE_NEXT,        /* pushes the next item; at the end takes the iterator and jumps to a */
    CODE_UNPACK,      /* a: items; the first comes to lie on top */
    CODE_UNPACK_STAR, /* a: items before the star, b: after it */
    CODE_FUNCTION,    /* a: code; takes defaults, named defaults, and b variables */
    CODE_BUILD_CLASS, /* takes name, bases, keywords; a: code; b variables */
    CODE_RETURN,
    CODE_YIELD,
    CODE_YIELD_FROM,    /* iterator on the stack: yields its items one by one, then their result */
    CODE_RAISE,         /* a: 1 error, 2 and its cause; b: slot + 1 of the error that is handled */
    CODE_RAISE_AGAIN,   /* a: slot of the error */
    CODE_MATCHES,       /* error, class: leaves the error, pushes whether it is of that class */
    CODE_ASSERT_FAILED, /* a: 1: takes a message */
    CODE_ENTER,         /* with: takes the manager, pushes its __exit__ and what __enter__ gave */
    CODE_EXIT,          /* takes __exit__, calls it without an error */
    CODE_EXIT_ERROR,    /* __exit__, error: pushes whether the error is over */
    CODE_IMPORT,        /* a: name; b: 1: the module of the first part; 2: one that
                         * attn does not have fails now, not when it is used */
    CODE_IMPORT_FROM,   /* a: name: leaves the module, pushes its attribute; b: 2: as above */
    CODE_IMPORT_ALL,
    CODE_ANNOTATE, /* a: name: the text on the stack is what was said of it, in a class body */
    CODE_REFUSE,   /* a: constant: why */
    CODE_SUPER,    /* super(): __class__ and the first parameter lie on the stack */
    CODE_END,      /* of a cell */
    CODE_COUNT
};

/* Operators, as the machine knows them; the second line are comparisons. */
enum sign {
    SIGN_ADD,
    SIGN_SUB,
    SIGN_MUL,
    SIGN_DIV,
    SIGN_FLOOR,
    SIGN_MOD,
    SIGN_POW,
    SIGN_MATMUL,
    SIGN_AND,
    SIGN_OR,
    SIGN_XOR,
    SIGN_LEFT,
    SIGN_RIGHT,
    SIGN_EQ,
    SIGN_NE,
    SIGN_LT,
    SIGN_LE,
    SIGN_GT,
    SIGN_GE,
    SIGN_IN,
    SIGN_NOT_IN,
    SIGN_IS,
    SIGN_IS_NOT,
    SIGN_NEG,
    SIGN_POS,
    SIGN_INVERT,
    SIGN_COUNT
};

struct expr;
struct statement;

struct instruction {
    uint16_t op;
    uint16_t b;
    int32_t a;
};

/* Where an error in [begin, end) is caught: at `target`, with n_values values on the stack and
 * the error on top of them. The innermost range has the highest level. */
struct catcher {
    uint32_t begin, end, target, n_values, level;
};

/* A text that was compiled, and the tree that all of it lives in. */
struct unit {
    struct statement **statements; /* of its top, in their order; NULL: they are not needed */
    size_t n_statements;
    const char *name;   /* of the file, or <cell 1> */
    const char *prefix; /* of a module in Python: its globals are named PREFIX.NAME; else NULL */
    char *source;
    size_t size;
    size_t *rows; /* where each row begins */
    size_t n_rows;
    struct arena arena;
    struct unit *next;
};

/* What an instruction was compiled from; NULL: nothing that was written. */
struct origin {
    const struct expr *expr;
    const struct statement *statement;
};

/* Lives in the arena of its unit; its constants are freed with the notebook. */
struct code {
    const char *name; /* of the function; "<module>" */
    struct unit *unit;
    struct instruction *at;
    uint32_t *begins;       /* of each instruction: its place in the source */
    struct origin *origins; /* the same */
    size_t n;
    struct value *constants;
    size_t n_constants;
    struct catcher *catchers;
    size_t n_catchers;
    const struct code **inner; /* functions and classes in it */
    size_t n_inner;

    unsigned n_plain, n_keyword; /* parameters: plain ones first, then keyword-only */
    bool has_rest, has_keywords; /* *args and **kwargs, in the slots after those */
    struct value *names;         /* str: of each slot */
    unsigned n_slots;            /* variables; those of outer functions are the last */
    unsigned n_outer, first_outer;
    size_t doc;        /* constant of its text, + 1 */
    unsigned n_values; /* that may lie on the stack */
    bool is_generator, is_class;
    struct code *next; /* all of a notebook */
};

struct frame {
    const struct code *code;
    struct value function; /* owned; ABSENT for a cell */
    struct value *slots;   /* variables, then the stack */
    size_t sp;             /* slots in use, the variables too */
    size_t pc;
    bool waits;               /* of a generator: at a yield from */
    struct table *attributes; /* of a class body: its names; borrowed */
    struct frame *outer;      /* who called */
};

#endif
