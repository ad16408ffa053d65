/* Parameters cut into parts of a fixed size, which threads share. */
#ifndef ATTN_OPTIM_PARTS_INTERNAL_H
#define ATTN_OPTIM_PARTS_INTERNAL_H

#include "base/error.h"
#include "optim/parameter_internal.h"

enum { PARTS_NUMBERS = 1 << 13 }; /* in a part, at most */

/* Handles the numbers [begin, begin + n) of a parameter; part counts all parts, from 0. */
typedef void part_function(const void *context, size_t part, const struct parameter *parameter,
                           size_t begin, size_t n);

size_t parts_count(const struct parameter *parameters, size_t n_parameters);
/* Calls run for each part, in any order and in parallel. ERR_MEMORY. */
bool parts_run(const char *what, const struct parameter *parameters, size_t n_parameters,
               part_function *run, const void *context, struct error *reterr);

#endif
