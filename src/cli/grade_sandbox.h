/* attn grade's sandbox: the compiler, the layers that boxes get, and the proof that they hold. */
#ifndef ATTN_CLI_GRADE_SANDBOX_H
#define ATTN_CLI_GRADE_SANDBOX_H

#include "cli/grade_options.h"
#include "compile/compiler.h"

struct grade_sandbox {
    struct compiler compiler;
    unsigned layers;  /* of enum layer */
    struct text head; /* what a report says of them: see struct results */
};

/* Chooses the compiler and the layers, and has the sandbox prove itself before anybody's code runs
 * in it. EXIT_OK, or, which is said on standard error, EXIT_UNGRADED where there is no compiler or
 * the sandbox is too weak. *ret is to be released either way. */
int grade_sandbox_prepare(const struct grade_options *options, struct grade_sandbox *ret);
void grade_sandbox_release(struct grade_sandbox *sandbox);

#endif
