/* Calls the linker directly, without the compiler, and links the runner with its part of the C
 * library in advance: a learner's object then becomes a program in a tenth of the time.
 *
 * attn asks the compiler once for the linker's arguments. If it does not understand any of them, or
 * a program that is linked so does not run, the compiler links instead. The same holds for an
 * object that does not link so: the compiler then says what is wrong with it. */
#ifndef ATTN_COMPILE_LINKER_INTERNAL_H
#define ATTN_COMPILE_LINKER_INTERNAL_H

#include "compile/compiler.h"
#include "sandbox/boxed_command.h"

/* Asks the compiler, and links the runner's object with the libraries it needs. On any failure *ret
 * is empty. */
void linker_prepare(const struct compile_request *request, const struct text *runner_object,
                    struct linker *ret);
/* Can the linker be called directly? */
bool linker_is_ready(const struct linker *linker);
/* Are the libraries still those that the base was made of? */
bool linker_is_current(const struct linker *linker);
void linker_release(struct linker *linker);

/* A link that waits for its object in a box; it may not be moved. All zero bytes: no link. */
struct link_step {
    struct boxed_run *run;
    struct box_file program;
};

/* Begins one, if the linker can be called directly. request->limits are used until the end. */
void linker_begin(const struct linker *linker, const struct compile_request *request,
                  struct link_step *ret);
/* Links the object, if a link was begun. Returns the program's descriptor, or -1 on failure. Adds
 * the time to *us. */
int linker_end(struct link_step *step, const struct compile_request *request, const void *object,
               size_t size, uint64_t *us);
/* Gives up the link that was begun. */
void linker_stop(struct link_step *step);

#endif
