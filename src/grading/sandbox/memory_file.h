/* Files without a name, in memory, that attn shares with a box. */
#ifndef ATTN_SANDBOX_MEMORY_FILE_H
#define ATTN_SANDBOX_MEMORY_FILE_H

#include "base/error.h"

/* An empty file to write to, which may become a program. Returns the descriptor (close-on-exec), or
 * -1. */
int memory_file_open(struct error *reterr);
/* Makes its content read-only from now on, if the system can guarantee that: returns a new
 * descriptor for it, or -1. Closes fd. */
int memory_file_finish(int fd);

/* A file whose size nobody can change, as this process sees it; at first all bytes are zero. */
struct memory {
    int fd; /* -1: nothing is mapped */
    unsigned char *bytes;
    size_t n_bytes; /* 0: bytes is NULL */
};
bool memory_map(size_t size, struct memory *ret, struct error *reterr);
void memory_release(struct memory *memory); /* closes it; fd -1 is allowed */

#endif
