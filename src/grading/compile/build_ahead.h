/* A build that begins before its result is wanted, while attn does something else; the request
 * names it later. The file's name and the preprocessor's answers are those of the request. */
#ifndef ATTN_COMPILE_BUILD_AHEAD_H
#define ATTN_COMPILE_BUILD_AHEAD_H

#include "compile/compile_step_internal.h"

/* Must stay in place until build_give_up(). All zero bytes: nothing was begun. */
struct build_ahead {
    struct compile_step step;
    struct text source; /* the text being compiled: a request for another text does not use it */
    unsigned layers;
};

/* Begins to compile source[0..size), unless it was built before. If that fails, build_program()
 * finds out. request->limits are used until the end. */
void build_begin(const struct compile_request *request, const char *file_name, const char *source,
                 size_t size, struct build_ahead *ret);
/* Ends the build if it still runs. */
void build_give_up(struct build_ahead *ahead);

#endif
