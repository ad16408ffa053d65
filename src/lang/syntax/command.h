/* Command words, as the parser and the session need to know them. The table of them stands above
 * both, in lang/commands; both are handed the function that looks a word up in it. */
#ifndef ATTN_LANG_SYNTAX_COMMAND_H
#define ATTN_LANG_SYNTAX_COMMAND_H

#include "base/error.h"

struct doc;
struct session;
struct statement;

/* The rest of the statement, after the word. */
enum command_takes {
    TAKES_NOTHING,
    TAKES_WORDS,       /* anything up to the end of the statement */
    TAKES_EXPRESSIONS, /* one or more, separated by commas */
    TAKES_CHANGE,      /* expression = expression */
    TAKES_LOOP,        /* name in expression: statements */
    TAKES_CHECK,       /* a kind of check and its arguments, as those of a call */
};

enum command_rule {
    COMMAND_NO_RULE = 0,
    COMMAND_NOT_IN_LOOP = 1, /* it changes the session that a loop runs in */
    COMMAND_NOT_CALLED = 2,  /* NAME(...) is the call of a function: load("x.npy") */
    COMMAND_TAKES_NAMED = 4, /* after its expressions, name=expression too */
    COMMAND_BEFORE_NAME = 8, /* a command only before a name, as in heads r: else a name itself */
};

struct command {
    const char *name;
    enum command_takes takes;
    unsigned rules;      /* enum command_rule, as bits */
    const char *usage;   /* "heat X, Y, ..." */
    const char *summary; /* one line */
    const char *example; /* lines that run, in a new session */
    /* Runs a statement of this command and adds what it shows to out. */
    bool (*run)(struct session *session, const struct statement *statement, struct doc *out,
                struct error *reterr);
};

/* The command of that name, or NULL. */
typedef const struct command *command_lookup(const char *name, size_t size);

#endif
