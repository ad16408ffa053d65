/* Safetensors files: named tensors after a header in JSON, as models are published.
 *
 *   8 bytes   N, the header's size, little-endian
 *   N bytes   the header: {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...,
 *             "__metadata__": {"KEY": "TEXT", ...}}, and blanks
 *   the rest  the numbers of all tensors, row-major, little-endian, one after the other without
 *             gaps
 *
 * A file is mapped, not read: tensors that are not used cost nothing. The whole header is checked
 * when the file is opened, before memory is allocated for it. Source: huggingface/safetensors,
 * README.md, "Format". */
#ifndef ATTN_FILES_SAFETENSORS_H
#define ATTN_FILES_SAFETENSORS_H

#include "base/error.h"

struct tensor;

struct safetensors; /* an open file */

enum {
    SAFETENSORS_MAX_AXES = 8,
    SAFETENSORS_MAX_TENSORS = 65536,
    SAFETENSORS_MAX_HEADER = 100000000, /* bytes; the format's own limit */
};

/* One tensor, as the header describes it. */
struct safetensors_entry {
    char *name;        /* UTF-8, not always printable: show it through error_quote() */
    const char *dtype; /* the format's word, such as BF16 */
    unsigned n_axes;
    size_t shape[SAFETENSORS_MAX_AXES];
    size_t begin, end; /* its bytes, counted from the first one after the header */
};

/* Opens the regular file at path. On success safetensors_close() it.
 *
 *   ERR_FILE   naming the file, what is wrong in it, and how to correct it, if that is known
 *   ERR_LIMIT  more tensors, axes or numbers than the limits above, or of SIZE_MAX */
bool safetensors_open(const char *path, struct safetensors **ret, struct error *reterr);

/* Tensors that were read from it stay valid. file may be NULL. */
void safetensors_close(struct safetensors *file);
size_t safetensors_count(const struct safetensors *file);

/* Entry number at, in the order of their names, byte by byte. */
const struct safetensors_entry *safetensors_entry_at(const struct safetensors *file, size_t at);

/* The entry of this name, or NULL. */
const struct safetensors_entry *safetensors_find(const struct safetensors *file, const char *name);

/* The metadata's text for this key, or NULL. Borrowed from the file. */
const char *safetensors_metadata(const struct safetensors *file, const char *key);

/* The tensor of an entry of this file, as float32. F32 uses the file's own bytes, which are read
 * when they are looked at; F16, BF16, F64, and F32 at an address that is not a multiple of 4, are
 * copied.
 *
 *   ERR_TYPE   numbers of another dtype
 *   ERR_LIMIT  more axes or numbers than a tensor takes
 *   ERR_RANGE  a float64 that float32 can't hold
 *   ERR_FILE   the file became shorter, or can't be read */
bool safetensors_tensor(const struct safetensors *file, const struct safetensors_entry *entry,
                        struct tensor *ret, struct error *reterr);

/* Fails with ERR_FILE if the file became shorter since it was opened. */
bool safetensors_is_whole(const struct safetensors *file, struct error *reterr);

/* A tensor to be written, and a key with its text. Both borrowed. */
struct safetensors_tensor {
    const char *name;
    const struct tensor *numbers;
};

struct safetensors_text {
    const char *key, *text;
};

/* Writes n tensors as F32, in this order, and the metadata; transformers only reads files with the
 * metadata format = pt. The header is padded so that the numbers begin at a multiple of 8. The file
 * appears whole or not at all.
 *
 *   ERR_FILE   it can't be written, or the file there may not be replaced
 *   ERR_NAME   a name that appears twice, is __metadata__, or is not UTF-8 */
bool safetensors_write(const char *path, const struct safetensors_tensor *tensors, size_t n,
                       const struct safetensors_text *metadata, size_t n_metadata,
                       struct error *reterr);

#endif
