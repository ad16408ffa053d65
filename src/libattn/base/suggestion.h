/* Finds a known name that is spelt like an unknown one. */
#ifndef ATTN_BASE_SUGGESTION_H
#define ATTN_BASE_SUGGESTION_H

#include "base/error.h"

/* The best candidate so far for a misspelt word. */
struct suggestion {
    const char *word;
    size_t size;
    char best[48]; /* "" while nothing is near */
    size_t distance;
    bool is_part; /* best is not a near spelling: it begins with the word or contains it */
};

/* Starts without a candidate. word[0..size) is borrowed. */
void suggestion_init(struct suggestion *suggestion, const char *word, size_t size);
/* Considers one known name. */
void suggestion_try(struct suggestion *suggestion, const char *name);
/* Considers one known name that may contain the word, as multi_head_attention contains multi_head
 * and is_causal contains causal. A near spelling wins over such a name; among those, names that
 * begin with the word win over others, and short ones over long ones. */
void suggestion_try_part(struct suggestion *suggestion, const char *name);

#endif
