/* A regular file seen as memory: its bytes are read from the disk when they are looked at, and
 * never written.
 *
 * Where another program makes the file shorter meanwhile, looking at what is gone raises SIGBUS:
 * map_is_whole() tells before, and the program as a whole answers the signal (cli/map_guard.h).
 *
 * A map has owners that are counted; each gives it up once with map_release(). One thread at a time
 * may share or release it. */
#ifndef ATTN_FILES_MAP_H
#define ATTN_FILES_MAP_H

#include <stddef.h>

#include "base/error.h"

struct map;

/* ERR_FILE, in words that begin with name: it can't be read, or is no regular file. */
bool map_open(const char *path, const char *name, struct map **ret, struct error *reterr);
struct map *map_share(struct map *map);
void map_release(struct map *map); /* map may be NULL */

size_t map_size(const struct map *map);
/* The first byte, NULL of an empty file. */
const unsigned char *map_bytes(const struct map *map);
/* The file, open for reading as long as the map is there. */
int map_file(const struct map *map);
/* Is the file still as long as it was? */
bool map_is_whole(const struct map *map);

#endif
