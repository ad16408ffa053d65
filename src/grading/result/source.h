/* The bytes of a learner's file, which may be anything: a link, a FIFO, a device, or too long. */
#ifndef ATTN_RESULT_SOURCE_H
#define ATTN_RESULT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Reads a regular file of at most max_bytes. Never follows a link, waits for a FIFO or blocks. On
 * failure *ret_why is "symlink", "not a regular file", "too large", "unreadable", "missing", "NUL
 * byte" or "UTF-16: save it as UTF-8"; or SOURCE_NO_MEMORY, which is not the file's fault. */
#define SOURCE_NO_MEMORY "not enough memory"
bool source_read(const char *path, size_t max_bytes, struct text *ret, const char **ret_why);

/* The same of a file's bytes that are in memory already. */
bool source_take(const char *bytes, size_t size, size_t max_bytes, struct text *ret,
                 const char **ret_why);

#endif
