/* The table of repairs: what one place of a C file may have to become, and what then was wrong
 * with it. */
#ifndef ATTN_JUDGE_REPAIR_REPAIR_RULES_INTERNAL_H
#define ATTN_JUDGE_REPAIR_REPAIR_RULES_INTERNAL_H

#include <stddef.h>

enum repair_where {
    WHERE_BINARY = 1 << 0,    /* the first word stands between two operands */
    WHERE_UNARY = 1 << 1,     /* it does not */
    WHERE_INDEX = 1 << 2,     /* within [ ] */
    WHERE_STATEMENT = 1 << 3, /* at the beginning of a statement */
    WHERE_HEAD = 1 << 4,      /* in the head of a loop or an if */
    WHERE_VALUE = 1 << 5,     /* the first word is not declared or changed here */
    WHERE_WHOLE = 1 << 8,     /* no `*` goes on after it */
    WHERE_NO_LOOP = 1 << 9,   /* not in the head of a loop, which could be switched off so */
    WHERE_FLOAT = 1 << 10,    /* not in what sets a pointer or a whole number */
    WHERE_READ = 1 << 7,      /* what the first hole holds is neither */
    WHERE_CODE = 1 << 6,      /* not within [ ] and not in a head */
    WHERE_COPY = 1 << 11,     /* it makes no expression and no statement: written as a copy of the
                               * whole function */
    WHERE_MACRO = 1 << 13,    /* in a #define */
    WHERE_KEPT = 1 << 12,     /* the variable in the first hole is not an index */
};

/* `match` is made of words of C, and of holes, each a capital letter:
 *
 *   I  a whole number's name; L  one that is counted up or down; S  one that is not
 *   F  a float's name         B  a bool's name                   A  an array's name
 *   N  a number               M  a macro without ( )             Q  an element of an array
 *   P  an operand             V  what a statement sets           E  any expression
 *
 * `put` is made of words too; $1 is what the first hole holds, and ?I (?L, ?S, ?F, ?A, ?Q) each
 * name of that kind that is known there; ?C each condition that the function asks for elsewhere,
 * ?N the whole numbers next to a number. `say` is what was wrong, with $1 in the learner's own
 * spelling: it says nothing of what belongs there instead. */
struct repair_rule {
    const char *id; /* the name of the mistake if nothing else named one */
    const char *match, *put;
    unsigned where; /* of enum repair_where */
    const char *say;
};

/* The likelier ones first. */
extern const struct repair_rule repair_rules[];
extern const size_t n_repair_rules;
/* What no pattern of words describes. */
enum repair_special {
    REPAIR_RESET,        /* $1 is set to 0 before a loop */
    REPAIR_CLEAR,        /* the array $1 is set to 0 at the beginning */
    REPAIR_DIVIDE_AFTER, /* $1 is divided by $2 in a loop of its own */
    REPAIR_DIVIDE_FIRST, /* and at the beginning of a loop */
    REPAIR_TAKE_OVER,    /* $1 is set to $2 at the end of a loop */
    REPAIR_RESTART,      /* $1 is set to what it began with at the beginning of a loop */
    REPAIR_SKIP,         /* a row is left if $1 is still what it began with */
    REPAIR_ELSE,         /* $1 is set to 0 where a condition does not hold */
    REPAIR_TURNED,       /* $1 is read by columns, at several places */
    REPAIR_TWICE,        /* $1 is another size at two places */
    N_REPAIR_SPECIALS,
};
extern const struct repair_rule repair_specials[N_REPAIR_SPECIALS];

#endif
