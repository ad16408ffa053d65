/* The linker itself, without the compiler that calls it, and the runner linked with its part of the
 * C library beforehand: so that a learner's object becomes a program in a tenth of the time.
 *
 * What the linker is called with is asked of the compiler once. Where any of it is not understood,
 * or a program that is linked so does not run, there is no such way and the compiler links. The
 * same holds for an object that does not link so: what is wrong with it is for the compiler to say.
 */
#ifndef ATTN_COMPILE_LINKER_H
#define ATTN_COMPILE_LINKER_H

#include "compile/compiler.h"
#include "sandbox/boxed_command.h"

/* Asks the compiler, and links the runner's object with what it needs. *ret is empty where that
 * goes wrong, for whatever reason. */
void linker_prepare(const struct compile_request *request, const struct text *runner_object,
                    struct linker *ret);
/* Is there such a way? */
bool linker_is_ready(const struct linker *linker);
/* Are the libraries still those that the base was made of? */
bool linker_is_current(const struct linker *linker);
void linker_release(struct linker *linker);

/* A link that waits for its object in a box, which may not be moved. All zero bytes: there is none.
 */
struct link_step {
    struct boxed_run *run;
    struct box_file program;
};

/* Begins one, where there is such a way. request->limits are used until the end. */
void linker_begin(const struct linker *linker, const struct compile_request *request,
                  struct link_step *ret);
/* Links the object where a link was begun; the program's descriptor, or -1 where that goes wrong.
 * Adds the time to *us. */
int linker_end(struct link_step *step, const struct compile_request *request, const void *object,
               size_t size, uint64_t *us);
/* Gives up what was begun. */
void linker_stop(struct link_step *step);

#endif
