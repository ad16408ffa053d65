/* Reading named arrays: see arrays.h. */
#include "files/arrays.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "files/archive.h"
#include "files/file.h"
#include "files/npy.h"
#include "files/weights.h"

/* Numbers that are mostly zeros are packed a thousand times smaller, so any ratio is taken. */
static const struct archive_limits limits = {.file_bytes = (size_t)2 << 30,
                                             .n_entries = ARRAYS_MAX,
                                             .entry_bytes = (size_t)1 << 30,
                                             .total_bytes = (size_t)2 << 30,
                                             .ratio = 1100};

enum { HALF_BITS = 16, FLOAT_BITS = 32, PATH_BYTES = 4096 };

/* Takes *numbers over, also on failure. */
static bool add(struct arrays *arrays, const char *name, struct tensor *numbers, unsigned bits,
                struct error *reterr)
{
    size_t size = strlen(name);
    size -= text_ends_with(name, ".npy") ? strlen(".npy") : 0;
    char *copy = strndup(name, size);
    struct named_array *items =
        copy != NULL ? realloc(arrays->items, (arrays->n + 1) * sizeof *items) : NULL;
    if (items == NULL) {
        free(copy);
        tensor_release(numbers);
        return error_memory(reterr, "an array");
    }
    arrays->items = items;
    items[arrays->n++] = (struct named_array){copy, *numbers, bits};
    return true;
}

/* ---- numpy's ---- */

static bool wants_npy(const char *name)
{
    return text_ends_with(name, ".npy");
}

/* Does the header say that its numbers have 16 bits? */
static bool is_half(const char *bytes, size_t size)
{
    enum { HEADER = 128 };
    for (size_t i = 0; i + 3 <= size && i < HEADER; i++)
        if (memcmp(bytes + i, "f2'", 3) == 0)
            return true;
    return false;
}

/* An array that can't be read leaves the others to be compared. False is a failure of attn's. */
static bool skip(struct arrays *arrays, const struct error *error, struct error *reterr)
{
    if (error_is_stop(error)) {
        *reterr = *error;
        return false;
    }
    text_format(&arrays->skipped, "%s\n", error->text);
    return !arrays->skipped.failed || error_memory(reterr, "an array");
}

static bool add_entry(struct arrays *arrays, const struct archive_entry *entry,
                      struct error *reterr)
{
    struct tensor numbers;
    struct error error;
    if (!npy_parse((const unsigned char *)entry->bytes, entry->size, entry->name, &numbers, &error))
        return skip(arrays, &error, reterr);
    return add(arrays, entry->name, &numbers,
               is_half(entry->bytes, entry->size) ? HALF_BITS : FLOAT_BITS, reterr);
}

static bool read_npz(const char *path, struct arrays *arrays, struct error *reterr)
{
    struct archive archive;
    const char *why;
    bool ok = true;
    if (access(path, R_OK) != 0)
        return error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    if (!archive_read(path, &limits, wants_npy, &archive, &why))
        return strcmp(why, ARCHIVE_NO_MEMORY) == 0
                   ? error_memory(reterr, path)
                   : error_set(reterr, ERR_FILE, "%s: %s; write it with numpy.savez(\"%s\", ...)",
                               path, why, path_base_name(path));
    for (size_t i = 0; ok && i < archive.n; i++)
        if (archive.entries[i].bytes != NULL)
            ok = add_entry(arrays, &archive.entries[i], reterr);
    archive_release(&archive);
    return ok;
}

static bool read_npy(const char *path, struct arrays *arrays, struct error *reterr)
{
    struct tensor numbers;
    return npy_load(path, &numbers, reterr) &&
           add(arrays, path_base_name(path), &numbers, FLOAT_BITS, reterr);
}

static int is_npy(const struct dirent *entry)
{
    return wants_npy(entry->d_name);
}

static bool read_folder(const char *path, struct arrays *arrays, struct error *reterr)
{
    struct dirent **entries;
    char file[PATH_BYTES];
    int n = scandir(path, &entries, is_npy, alphasort);
    if (n < 0 && errno == ENOMEM)
        return error_memory(reterr, path);
    if (n < 0)
        return error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    bool ok = n <= ARRAYS_MAX ||
              error_set(reterr, ERR_LIMIT, "%s: more than %d .npy files", path, ARRAYS_MAX);
    for (int i = 0; i < n; i++) {
        if (ok && !path_join(file, sizeof file, path, entries[i]->d_name))
            ok = error_set(reterr, ERR_FILE, "%s/%s: the path is too long", path,
                           entries[i]->d_name);
        struct error error;
        if (ok && !read_npy(file, arrays, &error))
            ok = skip(arrays, &error, reterr);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* ---- safetensors ---- */

static bool read_safetensors(const char *path, struct arrays *arrays, struct error *reterr)
{
    struct weights *weights;
    if (!weights_open(path, &weights, reterr))
        return false;
    size_t n = weights_count(weights);
    bool ok =
        n <= ARRAYS_MAX || error_set(reterr, ERR_LIMIT, "%s: %zu tensors; attn compares up to %d",
                                     path, n, ARRAYS_MAX);
    for (size_t i = 0; ok && i < n; i++) {
        const struct safetensors_entry *entry = weights_entry_at(weights, i);
        struct tensor numbers;
        bool half = strcmp(entry->dtype, "F16") == 0 || strcmp(entry->dtype, "BF16") == 0;
        struct error error;
        ok = weights_tensor(weights, entry->name, &numbers, &error)
                 ? add(arrays, entry->name, &numbers, half ? HALF_BITS : FLOAT_BITS, reterr)
                 : skip(arrays, &error, reterr);
    }
    weights_close(weights);
    return ok;
}

/* ---- all of them ---- */

static const struct kind {
    const char *ending;
    bool (*read)(const char *path, struct arrays *arrays, struct error *reterr);
} kinds[] = {
    {".npz", read_npz},
    {".safetensors", read_safetensors},
    {".npy", read_npy},
};

static bool read_any(const char *path, struct arrays *arrays, struct error *reterr)
{
    if (path_is_folder(path))
        return read_folder(path, arrays, reterr);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (text_ends_with(path, kinds[i].ending))
            return kinds[i].read(path, arrays, reterr);
    return error_set(reterr, ERR_FILE,
                     "%s: attn reads .npz, .safetensors and .npy files, and folders of .npy files",
                     path);
}

bool arrays_open(const char *path, struct arrays *ret, struct error *reterr)
{
    *ret = (struct arrays){.n = 0};
    bool ok = read_any(path, ret, reterr);
    if (ok && ret->n == 0 && ret->skipped.size > 0)
        ok = error_set(reterr, ERR_FILE, "%s: %.*s", path,
                       (int)strcspn(text_string(&ret->skipped), "\n"), text_string(&ret->skipped));
    else if (ok && ret->n == 0)
        ok = error_set(reterr, ERR_FILE, "%s: there are no arrays in it", path);
    if (!ok)
        arrays_release(ret);
    return ok;
}

void arrays_release(struct arrays *arrays)
{
    for (size_t i = 0; i < arrays->n; i++) {
        free(arrays->items[i].name);
        tensor_release(&arrays->items[i].numbers);
    }
    free(arrays->items);
    text_release(&arrays->skipped);
    *arrays = (struct arrays){.n = 0};
}
