/* What compilers and linkers print, made fit for a learner: only what concerns their file, which is
 * called by its own name; a plain sentence for the first of the common mistakes; nothing that a
 * terminal would obey. */
#ifndef ATTN_COMPILE_COMPILER_MESSAGES_H
#define ATTN_COMPILE_COMPILER_MESSAGES_H

#include "compile/compiler_hints.h"
#include "exercise/exercise.h"
#include "sandbox/limits.h"
#include "base/text.h"

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
