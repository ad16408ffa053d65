/* Named arrays, as a program of another kind writes them: an .npz archive of numpy, a safetensors
 * file, a folder of .npy files, or one .npy file. Sources: numpy/lib/npyio.py, savez();
 * huggingface/safetensors, README.md. */
#ifndef ATTN_FILES_ARRAYS_H
#define ATTN_FILES_ARRAYS_H

#include "base/text.h"
#include "tensor/tensor.h"

/* Numbers are float32: float64 was rounded, whole numbers and truth values are exact. */
struct named_array {
    char *name; /* without .npy; printable as error_quote() shows it */
    struct tensor numbers;
    unsigned bits; /* of a number in the file: 16 for float16 and bfloat16 */
};

/* In the order of the archive; of a folder or safetensors file, of the names. */
struct arrays {
    struct named_array *items;
    size_t n;
    struct text skipped; /* arrays that attn does not read, each with the reason: a line each */
};

enum { ARRAYS_MAX = 4096 };

/* Reads all arrays at path. On success arrays_release() them. Errors name the file:
 *   ERR_FILE   it is missing, damaged or of another kind, or holds no array that attn reads (text,
 *              objects and complex numbers are skipped)
 *   ERR_RANGE, ERR_LIMIT, ERR_TYPE  as npy_load() and safetensors_tensor() say them */
bool arrays_open(const char *path, struct arrays *ret, struct error *reterr);
void arrays_release(struct arrays *arrays); /* may be all zero bytes */

#endif
