/* Files seen as memory: see map.h. */
#include "files/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"

struct map {
    size_t n_owners;
    int fd;
    size_t size;
    unsigned char *bytes;
};

static bool map_file_at(struct map *map, const char *name, struct error *reterr)
{
    if (map->size == 0)
        return true;
    void *bytes = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, map->fd, 0);
    if (bytes == MAP_FAILED)
        return error_set(reterr, errno == ENOMEM ? ERR_MEMORY : ERR_FILE, "%s: can't be mapped: %s",
                         name, strerror(errno));
    map->bytes = bytes;
    return true;
}

bool map_open(const char *path, const char *name, struct map **ret, struct error *reterr)
{
    struct map *map = calloc(1, sizeof *map);
    if (map == NULL)
        return error_memory(reterr, name);
    *map = (struct map){.n_owners = 1, .fd = -1};
    if (!file_open_regular(path, name, &map->fd, &map->size, reterr) ||
        !map_file_at(map, name, reterr)) {
        map_release(map);
        return false;
    }
    *ret = map;
    return true;
}

struct map *map_share(struct map *map)
{
    map->n_owners++;
    return map;
}

void map_release(struct map *map)
{
    if (map == NULL || --map->n_owners > 0)
        return;
    if (map->bytes != NULL)
        munmap(map->bytes, map->size);
    file_close(&map->fd);
    free(map);
}

size_t map_size(const struct map *map)
{
    return map->size;
}

const unsigned char *map_bytes(const struct map *map)
{
    return map->bytes;
}

int map_file(const struct map *map)
{
    return map->fd;
}

bool map_is_whole(const struct map *map)
{
    struct stat info;
    return fstat(map->fd, &info) == 0 && (size_t)info.st_size >= map->size;
}
