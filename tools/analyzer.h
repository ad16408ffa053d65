/* Read by clang-tidy before every file. It looks at one file at a time, so it must be told that a
 * function which ends with `return error_set(...)` has failed and left its outputs as they were. */
#ifndef ATTN_TOOLS_ANALYZER_H
#define ATTN_TOOLS_ANALYZER_H

#include "base/error.h"

#define error_set(...) (error_set(__VA_ARGS__), false)
#define error_memory(...) (error_memory(__VA_ARGS__), false)

#endif
