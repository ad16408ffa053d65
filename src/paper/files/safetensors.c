/* Reading and writing safetensors files: see safetensors.h. The header is read by jansson a
 * kilobyte at a time, so that a file without a header is refused at its first wrong byte, whatever
 * size it claims. Then every entry is checked against the size of the file, and all entries against
 * each other. Only sizes that were checked are multiplied or added. */
#include "files/safetensors.h"

#include <stddef.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <stdint.h>
#include <stdio.h>

#include "files/file.h"
#include "base/array.h"
#include "base/size.h"
#include "base/text.h"
#include "files/float_bits_internal.h"
#include "files/json.h"
#include "tensor/tensor.h"

/* ---- map ---- */

/* A regular file seen as memory: its bytes are read from the disk when they are looked at, and
 * never written. If another program makes the file shorter meanwhile, looking at the missing bytes
 * raises SIGBUS: map_is_whole() checks before, and the program as a whole answers the signal
 * (cli/map_guard.h). A map counts its owners; each gives it up once with map_release(). Only one
 * thread at a time may share or release it. */

struct map {
    size_t n_owners;
    int fd; /* open for reading as long as the map is there */
    size_t size;
    unsigned char *bytes; /* NULL if the file is empty */
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

static void map_release(struct map *map)
{
    if (map == NULL || --map->n_owners > 0)
        return;
    if (map->bytes != NULL)
        munmap(map->bytes, map->size);
    file_close(&map->fd);
    free(map);
}

/* ERR_FILE, in words that begin with name: it can't be read, or is not a regular file. */
static bool map_open(const char *path, const char *name, struct map **ret, struct error *reterr)
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

static struct map *map_share(struct map *map)
{
    map->n_owners++;
    return map;
}

/* Is the file still as long as it was? */
static bool map_is_whole(const struct map *map)
{
    struct stat info;
    return fstat(map->fd, &info) == 0 && (size_t)info.st_size >= map->size;
}

/* ---- safetensors ---- */

#define METADATA "__metadata__"

enum {
    PREAMBLE = 8, /* the header's size */
    HEADER_ALIGN = 8,
    CHUNK_SIZE = 1 << 16,   /* bytes converted at once; a multiple of every width */
    MAX_VALUES_EACH = 32,   /* of one tensor in the header: keys, values, axes */
    MAX_METADATA = 1 << 17, /* values of the metadata */
};

/* A file's numbers: their name in the format, and how they become float32. */
struct dtype {
    const char *name;
    unsigned bits;
    /* Makes n numbers of bytes, little-endian. Returns how many fit into float32: n, or the place
     * of the first that does not. NULL: attn reads no such numbers. */
    size_t (*convert)(const unsigned char *bytes, size_t n, float *numbers);
};

struct safetensors {
    char name[JSON_NAME_SHOWN]; /* for messages */
    struct map *map;
    size_t data;                       /* the offset of the numbers in the file */
    struct safetensors_entry *entries; /* by name */
    size_t n_entries, capacity;
    json_t *metadata; /* an object, or NULL */
};

/* ---- numbers ---- */

static uint64_t bits_of(const unsigned char *bytes, unsigned width)
{
    uint64_t bits = 0;
    for (unsigned i = width; i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

static size_t convert_float(const unsigned char *bytes, size_t n, float *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = float_of((uint32_t)bits_of(bytes + 4 * i, 4));
    return n;
}

static size_t convert_half(const unsigned char *bytes, size_t n, float *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = float_from_half((uint16_t)bits_of(bytes + 2 * i, 2));
    return n;
}

static size_t convert_bfloat(const unsigned char *bytes, size_t n, float *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = float_from_bfloat((uint16_t)bits_of(bytes + 2 * i, 2));
    return n;
}

static size_t convert_double(const unsigned char *bytes, size_t n, float *numbers)
{
    size_t i = 0;
    while (i < n && float_from_double(double_of(bits_of(bytes + 8 * i, 8)), &numbers[i]))
        i++;
    return i;
}

/* All that the format knows (safetensors/src/tensor.rs, Dtype). */
static const struct dtype dtypes[] = {
    {"F32", 32, convert_float},
    {"F16", 16, convert_half},
    {"BF16", 16, convert_bfloat},
    {"F64", 64, convert_double},
    {"BOOL", 8, NULL},
    {"U8", 8, NULL},
    {"I8", 8, NULL},
    {"I16", 16, NULL},
    {"U16", 16, NULL},
    {"I32", 32, NULL},
    {"U32", 32, NULL},
    {"I64", 64, NULL},
    {"U64", 64, NULL},
    {"C64", 64, NULL},
    {"F8_E5M2", 8, NULL},
    {"F8_E4M3", 8, NULL},
    {"F8_E8M0", 8, NULL},
    {"F8_E5M2FNUZ", 8, NULL},
    {"F8_E4M3FNUZ", 8, NULL},
    {"F4", 4, NULL},
    {"F6_E2M3", 6, NULL},
    {"F6_E3M2", 6, NULL},
};

static const struct dtype *dtype_called(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(dtypes); i++)
        if (strcmp(dtypes[i].name, name) == 0)
            return &dtypes[i];
    return NULL;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* ---- entries ---- */

/* "FILE: NAME: why"; returns false. */
static bool bad_entry(const struct safetensors *file, const char *name, enum error_kind kind,
                      struct error *reterr, const char *why)
{
    char shown[80];
    return error_set(reterr, kind, "%s: the tensor '%s' %s", file->name,
                     error_quote(shown, sizeof shown, name, strlen(name)), why);
}

/* A whole number from 0 on. */
static bool take_size(const json_t *value, size_t *ret)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uintmax_t)json_integer_value(value) > SIZE_MAX)
        return false;
    *ret = (size_t)json_integer_value(value);
    return true;
}

static bool take_shape(const struct safetensors *file, const json_t *value,
                       struct safetensors_entry *entry, struct error *reterr)
{
    if (!json_is_array(value))
        return bad_entry(file, entry->name, ERR_FILE, reterr, "has no shape, which is a list");
    if (json_array_size(value) > SAFETENSORS_MAX_AXES)
        return bad_entry(file, entry->name, ERR_LIMIT, reterr, "has more than 8 axes");
    entry->n_axes = (unsigned)json_array_size(value);
    for (unsigned axis = 0; axis < entry->n_axes; axis++)
        if (!take_size(json_array_get(value, axis), &entry->shape[axis]))
            return bad_entry(file, entry->name, ERR_FILE, reterr,
                             "has a shape with something other than whole numbers from 0 on");
    return true;
}

static bool take_offsets(const struct safetensors *file, const json_t *value,
                         struct safetensors_entry *entry, struct error *reterr)
{
    if (json_array_size(value) != 2 || !take_size(json_array_get(value, 0), &entry->begin) ||
        !take_size(json_array_get(value, 1), &entry->end) || entry->begin > entry->end)
        return bad_entry(file, entry->name, ERR_FILE, reterr,
                         "has no data_offsets, which are two whole numbers, begin and end");
    return true;
}

/* The bytes of n numbers of `bits` bits each. An axis of 0 does not excuse the others. False if no
 * memory can hold them, or if they are not whole bytes. */
static bool bytes_of(const struct safetensors_entry *entry, unsigned bits, size_t *ret)
{
    size_t n = 1;
    bool empty = false;
    for (unsigned axis = 0; axis < entry->n_axes; axis++) {
        size_t length = entry->shape[axis];
        empty = empty || length == 0;
        if (length > 0 && n > SIZE_MAX / bits / length)
            return false;
        n *= length > 0 ? length : 1;
    }
    *ret = empty ? 0 : n * bits / 8;
    return empty || n * bits % 8 == 0;
}

/* The span in the file is the size that dtype and shape need. */
static bool check_span(const struct safetensors *file, const struct safetensors_entry *entry,
                       unsigned bits, struct error *reterr)
{
    char why[200];
    size_t needed;
    if (!bytes_of(entry, bits, &needed))
        return bad_entry(file, entry->name, ERR_LIMIT, reterr,
                         "has a shape of more bytes than any memory, or of no whole bytes");
    if (needed == entry->end - entry->begin)
        return true;
    snprintf(
        why, sizeof why,
        "needs %zu bytes by its dtype and shape, and its data_offsets span %zu; the header was "
        "written wrong",
        needed, entry->end - entry->begin);
    return bad_entry(file, entry->name, ERR_FILE, reterr, why);
}

static bool take_entry(struct safetensors *file, const char *name, const json_t *value,
                       struct safetensors_entry *entry, struct error *reterr)
{
    const char *word = json_string_value(json_object_get(value, "dtype"));
    const struct dtype *dtype = word != NULL ? dtype_called(word) : NULL;
    *entry = (struct safetensors_entry){.name = (char *)name};
    if (!json_is_object(value))
        return bad_entry(file, name, ERR_FILE, reterr,
                         "is not an object with dtype, shape and offsets");
    if (dtype == NULL)
        return bad_entry(file, name, ERR_FILE, reterr,
                         "has a dtype that the format does not know; it may be newer than attn");
    entry->dtype = dtype->name;
    if (!take_shape(file, json_object_get(value, "shape"), entry, reterr) ||
        !take_offsets(file, json_object_get(value, "data_offsets"), entry, reterr) ||
        !check_span(file, entry, dtype->bits, reterr))
        return false;
    entry->name = strdup(name);
    return entry->name != NULL || error_memory(reterr, file->name);
}

/* ---- the header ---- */

static bool take_metadata(struct safetensors *file, json_t *value, struct error *reterr)
{
    const char *key;
    json_t *text;
    bool ok = json_is_object(value);
    json_object_foreach (value, key, text)
        ok = ok && json_is_string(text);
    if (!ok)
        return error_set(reterr, ERR_FILE, "%s: its " METADATA " is not an object of texts",
                         file->name);
    file->metadata = json_incref(value);
    return true;
}

static bool take_entries(struct safetensors *file, json_t *root, struct error *reterr)
{
    const char *name;
    json_t *value;
    json_object_foreach (root, name, value) {
        if (strcmp(name, METADATA) == 0) {
            if (!take_metadata(file, value, reterr))
                return false;
            continue;
        }
        if (file->n_entries == SAFETENSORS_MAX_TENSORS)
            return error_set(reterr, ERR_LIMIT, "%s: it has more than %d tensors", file->name,
                             SAFETENSORS_MAX_TENSORS);
        struct safetensors_entry *entries =
            array_grow(file->entries, file->n_entries, &file->capacity, sizeof *entries);
        if (entries == NULL)
            return error_memory(reterr, file->name);
        file->entries = entries;
        if (!take_entry(file, name, value, &entries[file->n_entries], reterr))
            return false;
        file->n_entries++;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct safetensors_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_place(const void *a, const void *b)
{
    const struct safetensors_entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static bool does_not_follow(const struct safetensors *file, const struct safetensors_entry *entry,
                            size_t at, struct error *reterr)
{
    char why[160];
    if (entry->begin < at)
        snprintf(
            why, sizeof why,
            "begins at %zu, inside the one before, which ends at %zu; they must not share bytes",
            entry->begin, at);
    else
        snprintf(why, sizeof why,
                 "begins at %zu, and the one before ends at %zu; no byte may lie "
                 "between",
                 entry->begin, at);
    return bad_entry(file, entry->name, ERR_FILE, reterr, why);
}

static bool ends_elsewhere(const struct safetensors *file, size_t end, struct error *reterr)
{
    size_t has = file->map->size - file->data;
    if (end > has)
        return error_set(reterr, ERR_FILE,
                         "%s: truncated: its tensors take %zu bytes, and there are %zu; copy or "
                         "download it again",
                         file->name, end, has);
    return error_set(
        reterr, ERR_FILE,
        "%s: %zu bytes follow its last tensor; if the rest is whole, truncate -s %zu cuts them off",
        file->name, has - end, file->data + end);
}

/* The tensors fill the file from the header to its end. Leaves the entries in that order. */
static bool check_places(struct safetensors *file, struct error *reterr)
{
    size_t at = 0;
    if (file->n_entries > 0)
        qsort(file->entries, file->n_entries, sizeof *file->entries, by_place);
    for (size_t i = 0; i < file->n_entries; i++) {
        if (file->entries[i].begin != at)
            return does_not_follow(file, &file->entries[i], at, reterr);
        at = file->entries[i].end;
    }
    return at == file->map->size - file->data || ends_elsewhere(file, at, reterr);
}

/* ---- the header's bytes ---- */

/* Kinds of files that are often mistaken for safetensors. */
static const struct {
    const char *begin, *what;
} others[] = {
    {"version https://git-lfs",
     "it is Git LFS's note about a file, not the file; run git lfs pull"},
    {"PK\3\4", "it is a zip archive, as PyTorch's own .bin and .pt files are; save the model with "
               "save_pretrained(..., safe_serialization=True)"},
    {"GGUF", "it is a GGUF file, which attn does not read"},
    {"\x93NUMPY", "it is a .npy file, which load() reads"},
    {"<!DOCTYPE", "it is a page of the web; download the file itself"},
    {"<html", "it is a page of the web; download the file itself"},
};

static bool is_another(const struct safetensors *file, const unsigned char *begin, size_t size,
                       struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        size_t n = strlen(others[i].begin);
        if (size >= n && memcmp(begin, others[i].begin, n) == 0)
            return !error_set(reterr, ERR_FILE, "%s: not a safetensors file: %s", file->name,
                              others[i].what);
    }
    return false;
}

/* Reads the header's size, and refuses it before anything is taken for it. */
static bool take_header_size(const struct safetensors *file, size_t *ret, struct error *reterr)
{
    unsigned char begin[32];
    size_t size = file->map->size;
    size_t n = file_read_at(file->map->fd, 0, begin, size_min(size, sizeof begin));
    if (is_another(file, begin, n, reterr))
        return false;
    if (n <= PREAMBLE)
        return error_set(reterr, ERR_FILE,
                         "%s: not a safetensors file: it has %zu bytes, and the size of the header "
                         "alone takes 8; copy or download it again",
                         file->name, n);
    uint64_t claimed = bits_of(begin, PREAMBLE);
    if (claimed > size - PREAMBLE)
        return error_set(
            reterr, ERR_FILE,
            "%s: truncated, or not a safetensors file: it claims a header of %llu bytes, "
            "and %zu follow; copy or download it again",
            file->name, (unsigned long long)claimed, size - PREAMBLE);
    if (claimed > SAFETENSORS_MAX_HEADER)
        return error_set(reterr, ERR_LIMIT,
                         "%s: its header claims %llu bytes, and the format allows %d", file->name,
                         (unsigned long long)claimed, SAFETENSORS_MAX_HEADER);
    if (claimed < 2 || begin[PREAMBLE] != '{')
        return error_set(reterr, ERR_FILE,
                         "%s: not a safetensors file: its header does not begin with {",
                         file->name);
    *ret = (size_t)claimed;
    return true;
}

/* The bytes after the header's object, up to the numbers, must be blanks. */
static bool check_padding(const struct safetensors *file, size_t at, struct error *reterr)
{
    unsigned char bytes[4096];
    while (at < file->data) {
        size_t n = size_min(sizeof bytes, file->data - at);
        if (file_read_at(file->map->fd, at, bytes, n) < n)
            return error_set(reterr, ERR_FILE, "%s: it became shorter while it was read",
                             file->name);
        for (size_t i = 0; i < n; i++)
            if (bytes[i] != ' ')
                return error_set(reterr, ERR_FILE,
                                 "%s: its header is padded with %s, at byte %zu, where the format "
                                 "has blanks; overwrite bytes %zu to %zu with blanks",
                                 file->name, bytes[i] == 0 ? "zero bytes" : "something", at + i,
                                 at + i, file->data - 1);
        at += n;
    }
    return true;
}

static bool read_header(struct safetensors *file, struct error *reterr)
{
    size_t size = 0, used = 0;
    json_t *root;
    if (!take_header_size(file, &size, reterr) ||
        !json_read_part(file->map->fd, file->name, PREAMBLE, size,
                        (size_t)SAFETENSORS_MAX_TENSORS * MAX_VALUES_EACH + MAX_METADATA, &root,
                        &used, reterr))
        return false;
    file->data = PREAMBLE + size;
    bool ok = check_padding(file, PREAMBLE + used, reterr) && take_entries(file, root, reterr) &&
              check_places(file, reterr);
    if (ok && file->n_entries > 0)
        qsort(file->entries, file->n_entries, sizeof *file->entries, by_name);
    json_decref(root);
    return ok;
}

/* ---- an open file ---- */

bool safetensors_open(const char *path, struct safetensors **ret, struct error *reterr)
{
    struct safetensors *file = calloc(1, sizeof *file);
    if (file == NULL)
        return error_memory(reterr, "a safetensors file");
    error_quote(file->name, sizeof file->name, path, strlen(path));
    if (!map_open(path, file->name, &file->map, reterr) || !read_header(file, reterr)) {
        safetensors_close(file);
        return false;
    }
    *ret = file;
    return true;
}

void safetensors_close(struct safetensors *file)
{
    if (file == NULL)
        return;
    for (size_t i = 0; i < file->n_entries; i++)
        free(file->entries[i].name);
    free(file->entries);
    json_decref(file->metadata);
    map_release(file->map);
    free(file);
}

size_t safetensors_count(const struct safetensors *file)
{
    return file->n_entries;
}

const struct safetensors_entry *safetensors_entry_at(const struct safetensors *file, size_t at)
{
    return &file->entries[at];
}

const struct safetensors_entry *safetensors_find(const struct safetensors *file, const char *name)
{
    const struct safetensors_entry key = {.name = (char *)name};
    return file->n_entries == 0
               ? NULL
               : bsearch(&key, file->entries, file->n_entries, sizeof key, by_name);
}

const char *safetensors_metadata(const struct safetensors *file, const char *key)
{
    return json_string_value(json_object_get(file->metadata, key));
}

/* ---- a tensor of it ---- */

static void release_map(void *map)
{
    map_release(map);
}

/* The file's own bytes as a tensor. */
static bool view(const struct safetensors *file, const struct safetensors_entry *entry,
                 struct tensor *ret, struct error *reterr)
{
    /* At a multiple of 4 of a map, which begins at a page. */
    const void *numbers = file->map->bytes + file->data + entry->begin;
    struct map *owner = map_share(file->map);
    if (tensor_foreign(entry->n_axes, entry->shape, numbers, owner, release_map, ret, reterr))
        return true;
    map_release(owner);
    return false;
}

static bool does_not_fit(const struct safetensors *file, const struct safetensors_entry *entry,
                         size_t position, struct error *reterr)
{
    char why[160];
    snprintf(why, sizeof why,
             "has a number that float32 can't hold, number %zu from 0; scale it before saving it",
             position);
    return bad_entry(file, entry->name, ERR_RANGE, reterr, why);
}

static bool is_cut(const struct safetensors *file, struct error *reterr)
{
    return error_set(reterr, ERR_FILE,
                     "%s: it became shorter since it was opened; copy it again and open it again",
                     file->name);
}

static bool convert(const struct safetensors *file, const struct safetensors_entry *entry,
                    const struct dtype *dtype, struct tensor *numbers, struct error *reterr)
{
    size_t width = dtype->bits / 8, size = tensor_size(numbers);
    size_t at = file->data + entry->begin;
    unsigned char *chunk = malloc(CHUNK_SIZE);
    bool ok = chunk != NULL || error_memory(reterr, file->name);
    for (size_t done = 0, n; ok && done < size; done += n) {
        n = size_min(size - done, CHUNK_SIZE / width);
        if (file_read_at(file->map->fd, at + done * width, chunk, n * width) < n * width)
            ok = is_cut(file, reterr);
        size_t fits = ok ? dtype->convert(chunk, n, numbers->data + done) : n;
        if (fits < n)
            ok = does_not_fit(file, entry, done + fits, reterr);
    }
    free(chunk);
    return ok;
}

static bool copy(const struct safetensors *file, const struct safetensors_entry *entry,
                 const struct dtype *dtype, struct tensor *ret, struct error *reterr)
{
    struct tensor made;
    if (!tensor_empty(entry->n_axes, entry->shape, &made, reterr))
        return false;
    if (!convert(file, entry, dtype, &made, reterr)) {
        tensor_release(&made);
        return false;
    }
    *ret = made;
    return true;
}

bool safetensors_tensor(const struct safetensors *file, const struct safetensors_entry *entry,
                        struct tensor *ret, struct error *reterr)
{
    const struct dtype *dtype = dtype_called(entry->dtype);
    char why[160];
    if (dtype->convert == NULL) {
        snprintf(
            why, sizeof why,
            "holds %s numbers, and attn reads F32, F16, BF16 and F64; take the model before it "
            "was quantised",
            dtype->name);
        return bad_entry(file, entry->name, ERR_TYPE, reterr, why);
    }
    if (!safetensors_is_whole(file, reterr))
        return false;
    bool is_aligned = (file->data + entry->begin) % sizeof(float) == 0;
    if (dtype->convert == convert_float && is_aligned && is_little_endian())
        return view(file, entry, ret, reterr);
    return copy(file, entry, dtype, ret, reterr);
}

bool safetensors_is_whole(const struct safetensors *file, struct error *reterr)
{
    return map_is_whole(file->map) || is_cut(file, reterr);
}

/* ---- writing ---- */

/* [begin, end) bytes and the rest of one entry. */
static json_t *entry_of(const struct tensor *numbers, size_t begin)
{
    json_t *shape = json_array();
    for (unsigned axis = 0; axis < numbers->n_axes; axis++)
        json_array_append_new(shape, json_integer((json_int_t)numbers->shape[axis]));
    size_t end = begin + tensor_size(numbers) * sizeof(float);
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                     (json_int_t)begin, (json_int_t)end);
}

static bool bad_name(const char *name, struct error *reterr)
{
    char shown[80];
    return error_set(
        reterr, ERR_NAME,
        "a safetensors file: '%s' can't be a name in it: it appears twice, is " METADATA
        ", or is not UTF-8",
        error_quote(shown, sizeof shown, name, strlen(name)));
}

/* Adds the value, whose reference it takes. */
static bool put(json_t *object, const char *name, json_t *value, struct error *reterr)
{
    bool is_new = json_object_get(object, name) == NULL;
    if (is_new && json_object_set_new(object, name, value) == 0) /* which takes it also in vain */
        return true;
    if (!is_new)
        json_decref(value);
    return bad_name(name, reterr);
}

static bool put_metadata(json_t *root, const struct safetensors_text *metadata, size_t n,
                         struct error *reterr)
{
    json_t *texts = json_object();
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = put(texts, metadata[i].key, json_string(metadata[i].text), reterr);
    if (ok && n > 0)
        return put(root, METADATA, texts, reterr);
    json_decref(texts);
    return ok;
}

/* The header's text, padded, behind its size. */
static bool format_header(const struct safetensors_tensor *tensors, size_t n,
                          const struct safetensors_text *metadata, size_t n_metadata,
                          struct text *text, struct error *reterr)
{
    json_t *root = json_object();
    size_t at = 0;
    bool ok = root != NULL && put_metadata(root, metadata, n_metadata, reterr);
    for (size_t i = 0; ok && i < n; i++) {
        ok = strcmp(tensors[i].name, METADATA) == 0
                 ? bad_name(METADATA, reterr)
                 : put(root, tensors[i].name, entry_of(tensors[i].numbers, at), reterr);
        at += tensor_size(tensors[i].numbers) * sizeof(float);
    }
    char *json = ok ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!ok || json == NULL)
        return ok ? error_memory(reterr, "a safetensors file") : false;
    size_t used = strlen(json), size = (used + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
    for (unsigned byte = 0; byte < PREAMBLE; byte++)
        text_char(text, (char)((uint64_t)size >> 8 * byte & 0xFF));
    text_put(text, json);
    text_repeat(text, " ", size - used);
    free(json);
    return !text->failed || error_memory(reterr, "a safetensors file");
}

/* The numbers of x, little-endian. False with errno set. */
static bool add_numbers(struct file_replacement *file, const struct tensor *dense)
{
    unsigned char chunk[4096];
    size_t size = tensor_size(dense);
    bool ok = true;
    for (size_t done = 0, n; ok && done < size; done += n) {
        n = size_min(size - done, sizeof chunk / 4);
        for (size_t i = 0; i < n; i++) {
            uint32_t word;
            memcpy(&word, &dense->data[done + i], sizeof word);
            for (unsigned byte = 0; byte < 4; byte++)
                chunk[4 * i + byte] = (unsigned char)(word >> 8 * byte);
        }
        ok = file_replacement_add(file, chunk, 4 * n);
    }
    return ok;
}

/* False with errno set, or with *reterr: then *ret_told. */
static bool add_tensors(struct file_replacement *file, const struct safetensors_tensor *tensors,
                        size_t n, bool *ret_told, struct error *reterr)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        struct tensor dense;
        if (!tensor_dense(tensors[i].numbers, &dense, reterr)) {
            *ret_told = true;
            return false;
        }
        ok = add_numbers(file, &dense);
        tensor_release(&dense);
    }
    return ok;
}

bool safetensors_write(const char *path, const struct safetensors_tensor *tensors, size_t n,
                       const struct safetensors_text *metadata, size_t n_metadata,
                       struct error *reterr)
{
    char name[JSON_NAME_SHOWN];
    struct text header = {0};
    struct file_replacement file;
    bool told = true;
    error_quote(name, sizeof name, path, strlen(path));
    bool ok = file_may_be_replaced(path, name, reterr) &&
              format_header(tensors, n, metadata, n_metadata, &header, reterr);
    if (ok) {
        told = false;
        ok = file_replacement_begin(path, 0666, &file);
        if (ok)
            ok = file_replacement_end(&file,
                                      file_replacement_add(&file, header.bytes, header.size) &&
                                          add_tensors(&file, tensors, n, &told, reterr),
                                      true);
    }
    text_release(&header);
    if (!ok && !told)
        error_set(reterr, ERR_FILE, "%s: can't be saved: %s", name, strerror(errno));
    return ok;
}
