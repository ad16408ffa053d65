/* The messages of compilers and linkers, made fit for a learner: only those about their file, which
 * has its own name in them; a plain sentence for the first common mistake; and no bytes that a
 * terminal would obey. */
#ifndef ATTN_COMPILE_COMPILER_MESSAGES_H
#define ATTN_COMPILE_COMPILER_MESSAGES_H

#include "base/arena.h"
#include "base/text.h"
#include "exercise/exercise.h"
#include "sandbox/limits.h"

/* ---- compiler hints ---- */

/* Plain sentences for beginners' most frequent mistakes, chosen by the messages of gcc, clang and
 * tcc: assets/compiler-hints.yaml, whose head explains its format. */

/* A key with its text: a header with the names that it declares, a word with a sentence. */
struct compiler_hint_pair {
    char *key, *text;
};

struct compiler_hint {
    char **when, **line_has; /* patterns of the message; of the line that it is about */
    unsigned n_when, n_line_has;
    bool is_name, is_call;          /* headers, names and, for a call, functions are tried first */
    char *say, *counter, *function; /* the last two may be NULL */
    unsigned row;                   /* of the hint in the file, from 1 */
};

struct compiler_hints {
    struct arena arena; /* holds everything below */
    struct compiler_hint_pair *headers, *names, *functions;
    size_t n_headers, n_names, n_functions;
    struct compiler_hint *hints;
    unsigned n_hints;
};

/* Reads text[0..size), the file at path. ERR_SYNTAX "FILE:LINE: ..." for a wrong row, also for a
 * sentence that uses a part that its patterns do not capture. */
bool compiler_hints_read(const char *path, const char *text, size_t size,
                         struct compiler_hints *ret, struct error *reterr);

/* Reads the file in the folder that holds assets/. */
bool compiler_hints_open(const char *data_dir, struct compiler_hints *ret, struct error *reterr);
void compiler_hints_release(struct compiler_hints *hints); /* may be all zero bytes */

/* The names that a sentence may mention, and the line of the source that the message is about. */
struct compiler_hint_context {
    const char *function;  /* the function that the exercise asks for */
    const char *prototype; /* its declaration, on one line */
    const char *line;      /* "" where the compiler does not quote it */
};

/* Adds a plain sentence for one message of a compiler, without its place and severity. Returns
 * false and adds nothing for a message that no pattern matches. */
bool compiler_hints_explain(const struct compiler_hints *hints, const char *message,
                            const struct compiler_hint_context *context, struct text *text);

/* The name of a learner's file while it is compiled. */
#define SUBMISSION_FILE "submission.c"

struct compiler_messages_plan {
    const struct prototype *prototype;
    const struct limits *limits;
    const struct compiler_hints *hints; /* NULL: no plain sentences for compiler messages */
    const char *file_name;              /* the learner's name for it */
    bool failed; /* the step failed: warnings are left out; else there are no errors */
};

/* Adds the messages in a compiler's output to *messages, with the lines that it quoted and its
 * carets, and to *plain a sentence such as "Line 3: i is not declared. ...", or nothing. Control
 * characters and bytes that are not UTF-8 are written as \xNN. At most max_errors messages, and not
 * much more than text_kept_bytes. */
void compiler_messages_read(const struct compiler_messages_plan *plan, const char *printed,
                            size_t size, struct text *messages, struct text *plain);

/* The same for a linker's output. Writes the fault in two words to detail: "function missing",
 * "main defined", "NAME missing", "NAME defined" (twice), or "". */
void compiler_messages_read_link(const struct compiler_messages_plan *plan, const char *printed,
                                 size_t size, struct text *messages, struct text *plain,
                                 char *detail, size_t capacity);

/* Adds bytes as one line of text that is safe for a terminal: see above. Tabs become spaces. */
void compiler_messages_clean(const char *bytes, size_t size, struct text *text);

#endif
