/* numpy's .npy files, format versions 1.0, 2.0 and 3.0.
 * Source: numpy/lib/format.py, "NPY format". */
#ifndef ATTN_FILES_NPY_H
#define ATTN_FILES_NPY_H

#include "base/error.h"

struct tensor;

/* Reads numpy's numeric dtypes (bool, signed and unsigned whole numbers, float16, 32 and 64; either
 * byte order; C or Fortran order) into float32. float64 is rounded; a bool array gives a bool
 * tensor. Opens nothing but regular files, and never waits.
 *   ERR_FILE   naming the file: missing, unreadable, not a .npy file, truncated, longer than its
 *              header says, a dtype of another kind (complex, text, objects, records), a header
 *              that does not parse
 *   ERR_RANGE  a whole number or finite float64 that float32 can't hold: whole numbers must
 *              survive exactly
 *   ERR_LIMIT  more axes or numbers than a tensor takes */
bool npy_load(const char *path, struct tensor *ret, struct error *reterr);

/* The same from bytes in memory; `name` stands for the file in messages. */
bool npy_parse(const unsigned char *bytes, size_t size, const char *name, struct tensor *ret,
               struct error *reterr);

/* The bytes that npy_save() writes for x. The caller frees *ret_bytes. ERR_MEMORY. */
bool npy_format(const struct tensor *x, unsigned char **ret_bytes, size_t *ret_size,
                struct error *reterr);

/* Writes x as version 1.0, C order, little-endian '<f4' ('|b1' for a bool tensor). The file appears
 * whole or not at all: it is written to a file in the same folder, synced and renamed. An existing
 * file keeps its permissions, and on failure its contents; directories, links, devices and files
 * that may not be written are refused. ERR_FILE names what failed. */
bool npy_save(const char *path, const struct tensor *x, struct error *reterr);

#endif
