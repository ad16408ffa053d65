/* JSON (RFC 8259) from files that another program wrote, read by jansson a kilobyte at a time. No
 * key may appear twice in an object, and sizes are bounded before memory is allocated for them.
 * Errors are ERR_FILE and begin with the file's printable name. */
#ifndef ATTN_FILES_JSON_H
#define ATTN_FILES_JSON_H

#include <jansson.h>

#include "base/error.h"

enum { JSON_NAME_SHOWN = 160 }; /* bytes of a file's name in a message */

/* Reads the object or list that bytes [begin, begin + size) of the open file begin with; *ret_used
 * is its length in bytes. At most max_values values and keys. On success json_decref() *ret. */
bool json_read_part(int fd, const char *name, size_t begin, size_t size, size_t max_values,
                    json_t **ret, size_t *ret_used, struct error *reterr);
/* Reads the whole file at path, of at most max_bytes, which is one object. */
bool json_read_file(const char *path, size_t max_bytes, json_t **ret, struct error *reterr);

#endif
