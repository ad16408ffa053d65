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
};

void suggestion_init(struct suggestion *suggestion, const char *word, size_t size);
/* Considers one known name. */
void suggestion_try(struct suggestion *suggestion, const char *name);

#endif
