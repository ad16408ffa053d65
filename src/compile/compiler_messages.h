/* What compilers and linkers print, made fit for a learner: only what concerns their file, which is
 * called by its own name; a plain sentence for the first of the common mistakes; nothing that a
 * terminal would obey. */
#ifndef ATTN_COMPILE_COMPILER_MESSAGES_H
#define ATTN_COMPILE_COMPILER_MESSAGES_H

#include "base/arena.h"
#include "base/text.h"
#include "exercise/exercise.h"
#include "sandbox/limits.h"

/* ---- compiler hints ---- */

/* Plain sentences for the mistakes that beginners make most, by what gcc, clang and tcc say of
 * them: assets/compiler-hints.yaml, whose head tells how it is written. */

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

/* What a learner's file is called where it is compiled. */
#define SUBMISSION_FILE "submission.c"

struct compiler_messages_plan {
    const struct prototype *prototype;
    const struct limits *limits;
    const struct compiler_hints *hints; /* NULL: no plain sentences for what a compiler says */
    const char *file_name;              /* what the learner calls it */
    bool failed; /* the step did: then warnings are left out, else errors don't occur */
};

/* Adds the messages in what a compiler printed to *messages, with the lines that it quoted and its
 * carets, and to *plain a sentence such as "Line 3: i is not declared. ...", or nothing. Control
 * characters and what is not UTF-8 are written as \xNN. At most max_errors messages, and not much
 * more than text_kept_bytes. */
void compiler_messages_read(const struct compiler_messages_plan *plan, const char *printed,
                            size_t size, struct text *messages, struct text *plain);

/* The same for what a linker printed. Writes what is wrong in two words to detail: "function
 * missing", "main defined", "NAME missing", "NAME defined" (twice), or "". */
void compiler_messages_read_link(const struct compiler_messages_plan *plan, const char *printed,
                                 size_t size, struct text *messages, struct text *plain,
                                 char *detail, size_t capacity);

/* Adds bytes as one line's text that a terminal can be trusted with: see above. Tabs become
 * spaces. */
void compiler_messages_clean(const char *bytes, size_t size, struct text *text);

#endif
