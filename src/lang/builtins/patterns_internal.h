/* Attention patterns drawn by hand, from assets/patterns.txt: illustrations for lessons, no model's
 * weights. */
#ifndef ATTN_LANG_BUILTINS_PATTERNS_INTERNAL_H
#define ATTN_LANG_BUILTINS_PATTERNS_INTERNAL_H

#include "show/labels.h"
#include "tensor/tensor.h"

enum {
    PATTERN_MAX_TOKENS = 24, /* such a heatmap still fits a page */
    PATTERN_NAME_BYTES = 32,
};

struct pattern {
    char name[PATTERN_NAME_BYTES];
    struct labels *tokens; /* n of them */
    struct tensor weights; /* (n, n): row i is how token i shares its attention out; it sums to 1
                            * and has zeros after place i */
};

struct patterns;

/* Reads the table, whose comments say how it is written. ERR_FILE names the file and the line that
 * is wrong. The caller releases *ret with patterns_free(). */
bool patterns_load(const char *path, struct patterns **ret, struct error *reterr);
void patterns_free(struct patterns *patterns);

/* All of them, in the order of the file: number i, or NULL after the last. They live as long as
 * the table. */
const struct pattern *patterns_at(const struct patterns *patterns, size_t i);
/* The one of that name, or NULL. */
const struct pattern *patterns_find(const struct patterns *patterns, const char *name, size_t size);

#endif
