/* What this process built before: see kept_builds.h. */
#include "compile/kept_builds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

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
