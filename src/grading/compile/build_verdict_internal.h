/* The result of a step of a build, as a verdict and in words. */
#ifndef ATTN_COMPILE_BUILD_VERDICT_INTERNAL_H
#define ATTN_COMPILE_BUILD_VERDICT_INTERNAL_H

#include "compile/compiler.h"
#include "sandbox/boxed_command.h"

#define BUILD_NO_LIBRARY "no library"
#define BUILD_NO_REASON "the compiler gives up here, without a reason"
/* Resources that a machine may lack, and that no learner's file can use up. */
#define BUILD_NO_PROCESSES "too few processes are allowed (ulimit -u)"
#define BUILD_NO_DESCRIPTORS "too few open files are allowed (ulimit -n)"

/* A build under way. */
struct build_job {
    const struct compile_request *request;
    const char *file_name, *source; /* the learner's name for their file, and its bytes */
    size_t size;
    struct build *build;
    bool is_ours; /* the source is attn's, so that the messages contain no learner's words */
};

/* Ends the build with this verdict. The detail is cut to what fits, and made printable. */
void build_verdict_set(struct build *build, enum verdict verdict, const char *detail);
/* Takes a compiler's messages, and judges its result; made: there is an object of an allowed size.
 * True when the build can go on. */
bool build_verdict_of_compiling(const struct build_job *job, const struct boxed_result *step,
                                bool made);
/* The same for the linker. If it worked, the messages stay those of the compiler. The detail is
 * BUILD_NO_LIBRARY if the linker seems to say that this machine lacks a library: seems, because the
 * names in an object can make it say anything. */
bool build_verdict_of_linking(const struct build_job *job, const struct boxed_result *step,
                              bool made);

#endif
