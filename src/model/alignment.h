/* Which tokens of two texts belong together: the pairing with the fewest tokens replaced, added or
 * taken out. Source: Wagner and Fischer 1974, "The string-to-string correction problem". */
#ifndef ATTN_MODEL_ALIGNMENT_H
#define ATTN_MODEL_ALIGNMENT_H

#include "base/error.h"

struct labels;
struct run;

struct alignment {
    size_t n;
    size_t (*pairs)[2]; /* places in both texts, both increasing; tokens between have no partner */
};

/* Of two runs of one text each; alignment_release() it. ERR_SHAPE for several texts. */
bool alignment_of(const struct run *a, const struct run *b, struct alignment *ret,
                  struct error *reterr);
void alignment_release(struct alignment *alignment);
/* A name for each pair: the token, or both where they differ, "cat|dog". */
bool alignment_labels(const struct alignment *alignment, const struct run *a, const struct run *b,
                      struct labels **ret, struct error *reterr);

#endif
