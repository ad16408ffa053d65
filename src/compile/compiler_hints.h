/* Plain sentences for the mistakes that beginners make most, by what gcc, clang and tcc say of
 * them: assets/compiler-hints.yaml, whose head tells how it is written. */
#ifndef ATTN_COMPILE_COMPILER_HINTS_H
#define ATTN_COMPILE_COMPILER_HINTS_H

#include "base/arena.h"
#include "base/text.h"

/* A key with its text: a header with the names that it declares, a word with a sentence. */
struct compiler_hint_pair {
    char *key, *text;
};

struct compiler_hint {
    char **when; /* patterns */
    unsigned n_when;
    bool is_name;                   /* headers and names are asked first */
    char *say, *counter, *function; /* the last two may be NULL */
    unsigned line;                  /* in the file, from 1 */
};

struct compiler_hints {
    struct arena arena; /* all that follows lies there */
    struct compiler_hint_pair *headers, *names;
    size_t n_headers, n_names;
    struct compiler_hint *hints;
    unsigned n_hints;
};

/* Reads text[0..size), the file at path. ERR_SYNTAX "FILE:LINE: ..." for a row that is wrong: also
 * for a sentence that repeats what its patterns do not keep. */
bool compiler_hints_read(const char *path, const char *text, size_t size,
                         struct compiler_hints *ret, struct error *reterr);
/* Reads the file in the folder that holds assets/. */
bool compiler_hints_open(const char *data_dir, struct compiler_hints *ret, struct error *reterr);
void compiler_hints_release(struct compiler_hints *hints); /* may be all zero bytes */

/* What a sentence may speak of. */
struct compiler_hint_context {
    const char *function;  /* the one that the exercise asks for */
    const char *prototype; /* as it is declared, on one line */
};

/* Adds a plain sentence for one message of a compiler, without its place and severity. Nothing is
 * added, and false returned, for a message that no pattern matches. */
bool compiler_hints_explain(const struct compiler_hints *hints, const char *message,
                            const struct compiler_hint_context *context, struct text *text);

#endif
