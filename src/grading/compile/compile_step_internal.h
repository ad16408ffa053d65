/* The first step of a build: a learner's file becomes an object, in a box. It can begin while attn
 * does something else. */
#ifndef ATTN_COMPILE_COMPILE_STEP_INTERNAL_H
#define ATTN_COMPILE_COMPILE_STEP_INTERNAL_H

#include "compile/compiler.h"
#include "sandbox/boxed_command.h"

/* A step in progress, which may not be moved. All zero bytes: no step. */
struct compile_step {
    struct boxed_run *run;
    struct box_file object;
};

/* Counts the time that a step took. */
static inline void compile_count(const struct compile_request *request,
                                 const struct boxed_result *result)
{
    if (request->cpu_us != NULL)
        *request->cpu_us += result->end.cpu_us;
}

/* Begins it. request->limits are used until the end. ERR_MEMORY, or a box that could not start. */
bool compile_step_begin(const struct compile_request *request, const char *source, size_t size,
                        struct compile_step *ret, struct error *reterr);
/* Waits for it. The caller closes the object's descriptor, unless it is -1. As
 * boxed_command_finish(). */
bool compile_step_end(struct compile_step *step, int *ret_fd, struct boxed_result *ret,
                      struct error *reterr);
/* Gives it up, if it was begun. */
void compile_step_stop(struct compile_step *step);

#endif
