/* Command words: what a line may start with besides a formula. */
#ifndef ATTN_LANG_COMMANDS_COMMAND_H
#define ATTN_LANG_COMMANDS_COMMAND_H

#include "lang/syntax/ast.h"
#include "show/doc.h"

struct session;

enum command_takes {
    TAKES_NOTHING,
    TAKES_WORDS,       /* anything up to the end of the statement */
    TAKES_EXPRESSIONS, /* one or more, separated by commas */
    TAKES_CHANGE,      /* expression = expression */
    TAKES_LOOP,        /* name in expression: statements */
    TAKES_CHECK,       /* a kind of check and its arguments, as those of a call */
};

struct command {
    const char *name;
    enum command_takes takes;
    const char *usage;   /* "heat X, Y, ..." */
    const char *summary; /* one line */
    const char *example; /* lines that run, in a new session */
    bool (*run)(struct session *session, const struct statement *statement, struct doc *out,
                struct error *reterr);
};

/* The command of that name, or NULL. */
const struct command *command_find(const char *name, size_t size);
/* The kinds of checks that verify knows, for completion: number i, or NULL behind the last. */
const char *check_kind(size_t i);
/* All of them, in the order of the help page. */
const struct command *command_table(size_t *ret_count);

#endif
