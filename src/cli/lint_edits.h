/* The part of attn lint that is about assets/edits.yaml. */
#ifndef ATTN_CLI_LINT_EDITS_H
#define ATTN_CLI_LINT_EDITS_H

#include "base/error.h"

/* Reads the table and prints what is wrong with it: lessons that are not there, holes that would be
 * shown, edits that are never made, and those that never change a number. Tried are the formulas of
 * attn's lessons and exercises, those of verify and those of the exercises in folders [n]; what an
 * earlier edit of the table makes is not made twice. False where it can't be read, nor the lessons
 * and attn's exercises. */
bool lint_edits(const char *const *folders, size_t n, size_t *ret_n_faults, struct error *reterr);

#endif
