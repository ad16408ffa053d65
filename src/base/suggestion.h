/* Near spellings, for names that nobody knows. */
#ifndef ATTN_BASE_SUGGESTION_H
#define ATTN_BASE_SUGGESTION_H

#include "base/error.h"

/* The best candidate so far for a misspelt word. */
struct suggestion {
    const char *word;
    size_t size;
    char best[48]; /* "" while nothing is near */
    size_t distance;
    bool is_part; /* best is no near spelling: it begins with the word, or holds it */
};

/* Nothing is near yet. word[0..size) is borrowed. */
void suggestion_init(struct suggestion *suggestion, const char *word, size_t size);
/* Considers one known name. */
void suggestion_try(struct suggestion *suggestion, const char *name);
/* Considers one known name of which the word may be a part, as multi_head of multi_head_attention
 * and causal of is_causal. A near spelling is better than such a part; names that begin with the
 * word are better than others, and short ones than long ones. */
void suggestion_try_part(struct suggestion *suggestion, const char *name);

#endif
