/* JSON (RFC 8259) from files that somebody else wrote, read by jansson a kilobyte at a time. No key
 * stands twice in an object, and what is read is bounded before memory is taken for it.
 *
 * Errors are ERR_FILE and begin with the file's printable name. */
#ifndef ATTN_FILES_JSON_H
#define ATTN_FILES_JSON_H

#include <jansson.h>

#include "base/error.h"

enum { JSON_NAME_SHOWN = 160 }; /* bytes of a file's name in a message */

/* The object or list that bytes [begin, begin + size) of the open file begin with; *ret_used is how
 * many of them it takes. At most max_values values and keys. On success json_decref() *ret. */
bool json_read_part(int fd, const char *name, size_t begin, size_t size, size_t max_values,
                    json_t **ret, size_t *ret_used, struct error *reterr);
/* The whole file at path, of at most max_bytes, which is one object. */
bool json_read_file(const char *path, size_t max_bytes, json_t **ret, struct error *reterr);

#endif
