/* Earlier builds: see build_cache_internal.h. */
#include "compile/build_cache_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/array.h"
#include "files/file.h"
#include "sandbox/memory_file.h"

/* ---- kept builds ---- */

static void kept_build_release(struct kept_build *build)
{
    free(build->key);
    text_release(&build->messages);
    if (build->fd >= 0)
        close(build->fd);
}

void kept_builds_release(struct kept_builds *kept)
{
    for (size_t i = 0; i < kept->n; i++)
        kept_build_release(&kept->items[i]);
    free(kept->items);
    *kept = (struct kept_builds){0};
}

bool kept_builds_get(const struct kept_builds *kept, const struct build_key *key, int *ret_fd,
                     struct text *messages)
{
    for (size_t i = 0; i < kept->n && !key->text.failed; i++) {
        const struct kept_build *build = &kept->items[i];
        if (build->key_size != key->text.size ||
            memcmp(build->key, text_string(&key->text), build->key_size) != 0)
            continue;
        int fd = fcntl(build->fd, F_DUPFD_CLOEXEC, 0);
        if (fd < 0)
            return false;
        if (messages != NULL)
            text_add(messages, text_string(&build->messages), build->messages.size);
        *ret_fd = fd;
        return true;
    }
    return false;
}

void kept_builds_put(struct kept_builds *kept, const struct build_key *key,
                     const struct text *messages, int fd)
{
    struct kept_build *items = array_grow(kept->items, kept->n, &kept->capacity, sizeof *items);
    if (items == NULL)
        return;
    kept->items = items;
    struct kept_build build = {.key = malloc(key->text.size + 1),
                               .key_size = key->text.size,
                               .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0)};
    text_add(&build.messages, text_string(messages), messages->size);
    if (build.key == NULL || build.fd < 0 || build.messages.failed || messages->failed ||
        key->text.failed) {
        kept_build_release(&build);
        return;
    }
    memcpy(build.key, text_string(&key->text), key->text.size);
    items[kept->n++] = build;
}

/* ---- build cache ---- */

enum { MAX_FILE_BYTES = 64 << 20 }; /* more than any build's limits allow */

/* A slot's file begins with this; key, messages and bytes follow in this order. */
struct head {
    char magic[16];
    uint64_t n_key, n_messages, n_bytes;
    uint64_t sum; /* of all that follows: a disk that was full or lost power leaves half a file */
};

static const char magic[16] = "attn build 1\n";

/* ---- where ---- */

static bool write_folder(char *path, size_t capacity)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int size = -1;
    if (cache != NULL && cache[0] == '/') /* a relative one is to be ignored, says its standard */
        size = snprintf(path, capacity, "%s/attn/build", cache);
    else if (home != NULL && home[0] == '/')
        size = snprintf(path, capacity, "%s/.cache/attn/build", home);
    return size > 0 && (size_t)size < capacity;
}

/* Ours, and nobody else can write to it. */
static bool is_private(const struct stat *info)
{
    return info->st_uid == geteuid() && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The path of the key's slot; false if no folder can be trusted. */
static bool slot_path(const struct build_key *key, char path[PATH_MAX])
{
    char folder[PATH_MAX - sizeof key->slot - 1];
    struct stat info;
    if (!write_folder(folder, sizeof folder) || stat(folder, &info) != 0 ||
        !S_ISDIR(info.st_mode) || !is_private(&info))
        return false;
    snprintf(path, PATH_MAX, "%s/%s", folder, key->slot);
    return true;
}

static void make_folder(void)
{
    char folder[PATH_MAX - 2], path[PATH_MAX];
    if (write_folder(folder, sizeof folder)) {
        snprintf(path, sizeof path, "%s/x", folder);
        folder_make_parents(path, true);
    }
}

/* ---- bytes ---- */

/* Fowler, Noll and Vo's 64-bit hash, 1a, over words of 8 bytes in place of bytes. */
static uint64_t sum_of(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (uint64_t word = 0; size > 0; word = 0) {
        size_t n = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, n);
        sum = (sum ^ word) * 0x100000001b3u;
        at += n;
        size -= n;
    }
    return sum;
}

static const uint64_t empty_sum = 0xcbf29ce484222325u;

/* A nameless file of these bytes, which nobody can change any more; -1 on failure. */
static int sealed_file(const void *bytes, size_t size)
{
    int fd = memory_file_open(NULL);
    if (fd < 0)
        return -1;
    if (file_write_all(fd, bytes, size))
        return memory_file_finish(fd);
    close(fd);
    return -1;
}

/* ---- reading ---- */

/* Does the slot's file begin with this key? Most slots hold the build before the last change of a
 * file, and need not be read. */
static bool holds_key(int fd, const struct build_key *key)
{
    struct head head;
    size_t n = key->text.size;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.n_key != n)
        return false;
    char *bytes = malloc(n + 1);
    bool same = bytes != NULL && pread(fd, bytes, n, sizeof head) == (ssize_t)n &&
                memcmp(bytes, text_string(&key->text), n) == 0;
    free(bytes);
    return same;
}

/* Maps a whole slot with that key; false if no slot has it, or it can't be trusted. A slot is
 * replaced as a whole, so that a mapping stays valid. */
static bool map_slot(const char *path, const struct build_key *key, struct build_map *ret)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && is_private(&info) &&
              info.st_size >= (off_t)sizeof(struct head) && info.st_size <= MAX_FILE_BYTES &&
              holds_key(fd, key);
    void *slot = ok ? mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    file_close(&fd);
    if (slot == MAP_FAILED)
        return false;
    *ret = (struct build_map){.slot = slot, .n_slot = (size_t)info.st_size};
    return true;
}

void build_map_release(struct build_map *map)
{
    if (map->slot != NULL)
        munmap(map->slot, map->n_slot);
    *map = (struct build_map){.slot = NULL};
}

/* The head of a slot whose parts are all there. */
static bool read_head(const char *bytes, size_t size, struct head *ret)
{
    memcpy(ret, bytes, sizeof *ret);
    uint64_t rest = size - sizeof *ret;
    return memcmp(ret->magic, magic, sizeof magic) == 0 && ret->n_key <= rest &&
           ret->n_messages <= rest - ret->n_key &&
           ret->n_bytes == rest - ret->n_key - ret->n_messages &&
           ret->sum == sum_of(empty_sum, bytes + sizeof *ret, (size_t)rest);
}

bool build_cache_map(const struct build_key *key, struct build_map *ret, struct text *messages)
{
    char path[PATH_MAX];
    struct head head;
    struct build_map map;
    if (key->text.failed || !slot_path(key, path) || !map_slot(path, key, &map))
        return false;
    if (!read_head(map.slot, map.n_slot, &head)) {
        build_map_release(&map);
        return false;
    }
    const char *said = (const char *)map.slot + sizeof head + head.n_key;
    map.bytes = said + head.n_messages;
    map.n_bytes = (size_t)head.n_bytes;
    if (messages != NULL)
        text_add(messages, said, (size_t)head.n_messages);
    *ret = map;
    return true;
}

bool build_cache_get(const struct build_key *key, int *ret_fd, struct text *messages)
{
    struct build_map map;
    size_t n_before = messages != NULL ? messages->size : 0;
    if (!build_cache_map(key, &map, messages))
        return false;
    int fd = sealed_file(map.bytes, map.n_bytes);
    build_map_release(&map);
    if (fd >= 0)
        *ret_fd = fd;
    else if (messages != NULL)
        text_shrink(messages, n_before);
    return fd >= 0;
}

/* ---- writing ---- */

static bool write_slot(int fd, const struct build_key *key, const struct text *messages,
                       const void *bytes, size_t size)
{
    size_t n = sizeof(struct head) + key->text.size + messages->size + size;
    char *whole = n <= MAX_FILE_BYTES ? malloc(n) : NULL;
    if (whole == NULL)
        return false;
    struct head head = {.n_key = key->text.size, .n_messages = messages->size, .n_bytes = size};
    char *at = whole + sizeof head;
    memcpy(head.magic, magic, sizeof magic);
    memcpy(at, text_string(&key->text), key->text.size);
    memcpy(at + key->text.size, text_string(messages), messages->size);
    memcpy(at + key->text.size + messages->size, bytes, size);
    head.sum = sum_of(empty_sum, at, n - sizeof head);
    memcpy(whole, &head, sizeof head);
    bool ok = file_write_all(fd, whole, n);
    free(whole);
    return ok;
}

void build_cache_put(const struct build_key *key, const struct text *messages, const void *bytes,
                     size_t size)
{
    char path[PATH_MAX], new_path[PATH_MAX + 32];
    make_folder();
    if (key->text.failed || messages->failed || !slot_path(key, path))
        return;
    snprintf(new_path, sizeof new_path, "%s.%ld", path, (long)getpid());
    unlink(new_path); /* of a process that was killed */
    int fd = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    bool ok = write_slot(fd, key, messages, bytes, size);
    ok = close(fd) == 0 && ok;
    if (!ok || rename(new_path, path) != 0)
        unlink(new_path);
}

void build_key_release(struct build_key *key)
{
    text_release(&key->text);
}
