/* A place beside an array, in the exercise's words. */
#ifndef ATTN_JUDGE_RUN_BOUNDS_H
#define ATTN_JUDGE_RUN_BOUNDS_H

#include "exercise/fixture.h"

enum { DETAIL_BYTES = 160 }; /* for the sentence about one run */

enum access { ACCESS_UNKNOWN, ACCESS_READ, ACCESS_WRITTEN };

/* Describes the cell that begins `offset` bytes after the array's first byte (before it, if offset
 * is negative): "row 3 of weights was written (weights[12], 1 past its end); weights has 3 rows
 * (0..2)", or for a vector "a[7] was read, 1 past its end; a has 7 numbers (0..6)". The words are
 * cut to capacity bytes. Returns text. */
char *bounds_describe(const struct fixture *fixture, unsigned array, int64_t offset,
                      enum access access, char *text, size_t capacity);

#endif
