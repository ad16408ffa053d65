/* Command words: what a line may start with besides a formula. */
#ifndef ATTN_LANG_COMMAND_H
#define ATTN_LANG_COMMAND_H

#include "lang/ast.h"
#include "show/doc.h"

struct session;

enum command_takes {
    TAKES_NOTHING,
    TAKES_WORDS,       /* anything up to the end of the statement */
    TAKES_EXPRESSIONS, /* one or more, separated by commas */
    TAKES_CHANGE,      /* expression = expression */
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
/* All of them, in the order of the help page. */
const struct command *command_table(size_t *ret_count);

#endif
