/* Works that look alike, whatever their names, comments and layout.
 *
 * A source becomes a set of marks: hashes of runs of tokens, thinned by winnowing (Schleimer,
 * Wilkerson, Aiken: Winnowing, SIGMOD 2003), without those that the starter has too. */
#ifndef ATTN_REPORT_SIMILAR_H
#define ATTN_REPORT_SIMILAR_H

#include <stdint.h>

#include "base/text.h"
#include "report/class_facts_internal.h"

struct source_marks {
    uint32_t *items; /* sorted, each once */
    size_t n;
};

/* The marks of source[0..size) that the starter does not have (its marks come from
 * source_marks_all(); or NULL). ERR_MEMORY. */
bool source_marks_make(const char *source, size_t size, const struct source_marks *starter,
                       struct source_marks *ret, struct error *reterr);
/* All hashes of a source, not thinned. ERR_MEMORY. */
bool source_marks_all(const char *source, size_t size, struct source_marks *ret,
                      struct error *reterr);
void source_marks_release(struct source_marks *marks);
/* The number of marks in both divided by the number in either: 0 to 1; 0 if both are empty. */
double source_marks_share(const struct source_marks *a, const struct source_marks *b);

/* Marks as text for a report, and read back. ERR_FILE if it is not such a text; ERR_MEMORY. */
void source_marks_write(const struct source_marks *marks, struct text *text);
bool source_marks_read(const char *text, struct source_marks *ret, struct error *reterr);

/* With fewer works for an exercise, solutions show which share is usual. */
enum { SIMILAR_ENOUGH_WORKS = 5 };

struct marked_work {
    const char *who; /* borrowed; works of the same student are not compared */
    struct source_marks marks;
    bool is_known; /* not handed in now, as a solution or a work of last year: it is only
                    * compared with works of now, and the usual share is measured without it */
};

/* Adds the pairs of works for an exercise that share far more than works for it usually do: at
 * least the usual share and three fifths of the rest. The usual share is the one that 19 of 20
 * pairs stay below. Fewer than SIMILAR_ENOUGH_WORKS works have too few pairs for that; then it is
 * the largest share of any of them with a right solution that was written independently, or of two
 * such solutions with each other, and without such solutions no pair is added. Nor is any if nearly
 * everything is usual, as in a dot product. Works with few marks are left out. Time and memory grow
 * with the number of works, not with that of the pairs: only pairs that chance brings together are
 * compared, which misses about one in a hundred of the pairs that are barely worth a look.
 * ERR_MEMORY. */
bool similar_find(const char *exercise, const struct marked_work *works, size_t n,
                  const struct source_marks *solutions, size_t n_solutions, struct likenesses *ret,
                  struct error *reterr);

#endif
