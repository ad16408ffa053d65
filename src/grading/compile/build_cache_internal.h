/* Earlier builds of exactly the same text: for a user's own code, so that an unchanged file is not
 * compiled again. Grading a class never uses it.
 *
 * The folder is $XDG_CACHE_HOME/attn/build, else ~/.cache/attn/build, for its owner alone. Each
 * slot is one file there, which holds the key, the messages and the bytes, so that they can't come
 * apart; a hit is a key that agrees byte for byte. Any failure counts as a missing cache. */
#ifndef ATTN_COMPILE_BUILD_CACHE_INTERNAL_H
#define ATTN_COMPILE_BUILD_CACHE_INTERNAL_H

#include "base/text.h"

struct build_key;

/* Everything that a build depends on, and the slot of its result. */
struct build_key {
    char slot[96]; /* a file name */
    struct text text;
};

/* Looks the key up. On a hit *ret_fd is a read-only descriptor of the bytes, which the caller
 * closes, and the messages are added to *messages (NULL: not wanted). */
bool build_cache_get(const struct build_key *key, int *ret_fd, struct text *messages);

/* A slot as it lies on the disk, for large contents that are only read. */
struct build_map {
    void *slot; /* NULL: nothing is mapped */
    size_t n_slot;
    const char *bytes; /* [n_bytes], a part of it */
    size_t n_bytes;
};

/* The same without a copy. The caller releases *ret. */
bool build_cache_map(const struct build_key *key, struct build_map *ret, struct text *messages);
void build_map_release(struct build_map *map);

/* Keeps bytes[0..size), in place of the slot's old content. */
void build_cache_put(const struct build_key *key, const struct text *messages, const void *bytes,
                     size_t size);
void build_key_release(struct build_key *key);

/* ---- kept builds ---- */

/* Earlier builds of this process from exactly the same text, in memory: for judging the same
 * programs with several draws of the cases, as the proof of an exercise does. The functions above
 * keep builds longer than a process lives. */

struct kept_build {
    char *key; /* [key_size], everything that the build depended on */
    size_t key_size;
    struct text messages; /* the compiler's messages */
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

/* Keeps a descriptor of the file that fd refers to; fd stays the caller's. Without memory or
 * descriptors it keeps nothing, and the program is built again. */
void kept_builds_put(struct kept_builds *kept, const struct build_key *key,
                     const struct text *messages, int fd);

#endif
