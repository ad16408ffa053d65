/* The functions of the language. One table feeds calls, help and completion. */
#ifndef ATTN_LANG_BUILTINS_BUILTIN_H
#define ATTN_LANG_BUILTINS_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

enum { BUILTIN_MAX_PARAMS = 16 };

struct call;
struct text;
struct value;

struct builtin {
    const char *name;
    const char *group; /* heading on the help page */
    /* "name", "name=default", "*name" (takes the rest), as PyTorch spells them, or alone "**name"
     * (takes all arguments, with keywords of any name) */
    const char *params[BUILTIN_MAX_PARAMS];
    const char *summary; /* one line */
    const char *example; /* lines that run, in a new session */
    bool (*run)(struct call *call, struct value *ret);
};

/* The function of that name, or NULL. */
const struct builtin *builtin_find(const char *name, size_t size);
/* Function number i, or NULL after the last. */
const struct builtin *builtin_at(size_t i);
/* Another name of a function, as PyTorch and numpy have it: number i, or NULL after the last. */
const char *builtin_alias_at(size_t i);
/* Writes softmax(input, dim=-1). */
void builtin_signature(const struct builtin *builtin, struct text *text);

#endif
