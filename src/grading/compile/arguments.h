/* The arguments of a compiler, for each of the things that attn builds. */
#ifndef ATTN_COMPILE_ARGUMENTS_H
#define ATTN_COMPILE_ARGUMENTS_H

#include "compile/compiler.h"

/* The names of a build's files in a box. The learner's file is SUBMISSION_FILE. */
#define HEADER_FILE "exercise.h"
#define OBJECT_FILE "submission.o"
#define RUNNER_FILE "runner.c"
#define RUNNER_OBJECT_FILE "runner.o"
#define BASE_OBJECT_FILE "base.o"
#define SANITIZER_FILE "sanitizer.c"
#define PROGRAM_FILE "program"

enum { MAX_ARGUMENTS = 48 };

struct arguments {
    const char *items[MAX_ARGUMENTS]; /* NULL-terminated; borrowed, but for max_errors */
    unsigned n;
    char max_errors[48];
};

/* These fill *ret, which must stay in place as long as it is used. */
void arguments_to_compile(const struct compile_request *request, struct arguments *ret);
void arguments_to_link(const struct compile_request *request, struct arguments *ret);
/* gcc or clang: other compilers know few of the flags, and no sanitizers. */
bool compiler_is_gcc_like(const struct compiler *compiler);

#endif
