/* Ids of tokens as a person writes them. */
#ifndef ATTN_MODEL_IDS_H
#define ATTN_MODEL_IDS_H

#include "base/error.h"

struct tensor;

/* "1 2 3", with blanks or commas between, as a vector. ERR_SYNTAX for none, and for what is no
 * whole number of at most 7 digits. */
bool ids_parse(const char *text, struct tensor *ret, struct error *reterr);

#endif
