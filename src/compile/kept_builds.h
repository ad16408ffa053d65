/* What this process built before from the very same text, in memory: for who judges the same
 * programs with several draws of the cases, as the proof of an exercise does. See build_cache.h for
 * what outlives a process. */
#ifndef ATTN_COMPILE_KEPT_BUILDS_H
#define ATTN_COMPILE_KEPT_BUILDS_H

#include "compile/build_cache.h"

struct kept_build {
    char *key; /* [key_size], all that went into it */
    size_t key_size;
    struct text messages; /* what was said of it */
    int fd;               /* its bytes, read-only */
};

/* Begins as {0}. */
struct kept_builds {
    struct kept_build *items; /* [n] */
    size_t n, capacity;
};

void kept_builds_release(struct kept_builds *kept);
/* As build_cache_get(). */
bool kept_builds_get(const struct kept_builds *kept, const struct build_key *key, int *ret_fd,
                     struct text *messages);
/* Keeps a descriptor of what fd, which stays the caller's, refers to. Without memory or descriptors
 * nothing is kept, and it is built again. */
void kept_builds_put(struct kept_builds *kept, const struct build_key *key,
                     const struct text *messages, int fd);

#endif
