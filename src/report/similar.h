/* Works that look alike, whatever their names, comments and layout.
 *
 * A source becomes a set of marks: hashes of runs of tokens, thinned by winnowing (Schleimer,
 * Wilkerson, Aiken: Winnowing, SIGMOD 2003), without those that the starter has too. */
#ifndef ATTN_REPORT_SIMILAR_H
#define ATTN_REPORT_SIMILAR_H

#include <stdint.h>

#include "report/class_facts.h"

struct source_marks {
    uint32_t *items; /* sorted, each once */
    size_t n;
};

/* The marks of source[0..size) that are not among those of the starter (from source_marks_all(); or
 * NULL). ERR_MEMORY. */
bool source_marks_make(const char *source, size_t size, const struct source_marks *starter,
                       struct source_marks *ret, struct error *reterr);
/* All hashes of a source, not thinned. ERR_MEMORY. */
bool source_marks_all(const char *source, size_t size, struct source_marks *ret,
                      struct error *reterr);
void source_marks_release(struct source_marks *marks);
/* What two have in common, of what they have together: 0 to 1; 0 where there is nothing. */
double source_marks_share(const struct source_marks *a, const struct source_marks *b);

struct marked_work {
    const char *who; /* borrowed; works of the same one are not compared */
    struct source_marks marks;
};

/* Adds the pairs of works for an exercise that share far more than the works for it usually do: the
 * share that 19 of 20 pairs stay below says what is usual, and where that is nearly everything, as
 * for a dot product, nobody is named. Works of few marks are left out. Time and memory grow with
 * the number of works, not with that of the pairs: what is in very many works is not looked at.
 * ERR_MEMORY. */
bool similar_find(const char *exercise, const struct marked_work *works, size_t n,
                  struct likenesses *ret, struct error *reterr);

#endif
