/* Several numbers of a tensor that `whatif` changes at once: X[0] = [1, 2, 3], scores = scores / 2.
 */
#ifndef ATTN_LANG_COMMANDS_WHATIF_CELLS_H
#define ATTN_LANG_COMMANDS_WHATIF_CELLS_H

#include "base/error.h"

struct expr;
struct node;
struct session;

/* target is what the first expression names, such as a row of a tensor; the second one gives the
 * new numbers, in the shape of target or broadcast to it. *ret_from is the tensor they stand in,
 * *ret_to what it would be; the caller owns both. ERR_SHAPE: the numbers don't fit, or target is no
 * part of one tensor, or all of a name would become a single number. */
bool whatif_cells(struct session *session, const struct expr *name, struct node *target,
                  const struct expr *value, struct node **ret_from, struct node **ret_to,
                  struct error *reterr);

#endif
