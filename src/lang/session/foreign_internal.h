/* Well-known names of Python, numpy and PyTorch that attn has not, and what to write instead. */
#ifndef ATTN_LANG_SESSION_FOREIGN_INTERNAL_H
#define ATTN_LANG_SESSION_FOREIGN_INTERNAL_H

#include "base/text.h"
#include "lang/syntax/ast.h"

/* What to write instead of a function, a method or an attribute of that name; NULL: the name is not
 * known. */
const char *foreign_advice(const char *name, size_t size);

/* Writes the product that einsum("ij,kj->ik", A, B) is, A @ B.T, from the text of the call's
 * arguments. False, and nothing written, where it is no product of two matrices or vectors, each
 * with the same batch axes before it. */
bool foreign_einsum(const struct expr *call, const char *source, struct text *text);

#endif
