/* The part of attn lint that is about assets/edits.yaml. */
#ifndef ATTN_CLI_LINT_EDITS_H
#define ATTN_CLI_LINT_EDITS_H

#include "base/error.h"

/* Reads the table and prints what is wrong with its texts: lessons that are not there, holes that
 * would be shown. False where it can't be read. */
bool lint_edits(size_t *ret_n_faults, struct error *reterr);

#endif
