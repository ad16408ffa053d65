/* A build that is begun before its outcome is wanted, while attn does something else: then the
 * request names it. What the file is called, and what compilers are answered, is the request's. */
#ifndef ATTN_COMPILE_BUILD_AHEAD_H
#define ATTN_COMPILE_BUILD_AHEAD_H

#include "compile/compile_step.h"

/* Stays where it is until build_give_up(). All zero bytes: nothing was begun. */
struct build_ahead {
    struct compile_step step;
    struct text source; /* what is compiled: another text is not taken for it */
    unsigned layers;
};

/* Begins to compile source[0..size), unless it was built before or that does not work: then
 * build_program() finds out. request->limits are used until the end. */
void build_begin(const struct compile_request *request, const char *file_name, const char *source,
                 size_t size, struct build_ahead *ret);
/* Ends what is still under way, where there is anything. */
void build_give_up(struct build_ahead *ahead);

#endif
