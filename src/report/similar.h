/* Works that look alike, whatever their names, comments and layout.
 *
 * A source becomes a set of marks: hashes of runs of tokens, thinned by winnowing (Schleimer,
 * Wilkerson, Aiken: Winnowing, SIGMOD 2003), without those that the starter has too. */
#ifndef ATTN_REPORT_SIMILAR_H
#define ATTN_REPORT_SIMILAR_H

#include <stdint.h>

#include "base/text.h"
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

/* Marks as text for a report, and read back. ERR_FILE where it is no such text; ERR_MEMORY. */
void source_marks_write(const struct source_marks *marks, struct text *text);
bool source_marks_read(const char *text, struct source_marks *ret, struct error *reterr);

/* Of fewer works for an exercise, solutions say what is usual. */
enum { SIMILAR_ENOUGH_WORKS = 5 };

struct marked_work {
    const char *who; /* borrowed; works of the same one are not compared */
    struct source_marks marks;
};

/* Adds the pairs of works for an exercise that share far more than works for it usually do: at
 * least what is usual and three fifths of what is left to everything. The share that 19 of 20 pairs
 * stay below says what is usual. Fewer than SIMILAR_ENOUGH_WORKS have too few pairs to tell; then
 * it is the most that any of them shares with a right solution that was written apart from them, or
 * two of those with each other, and without such solutions nobody is named. Nor is anybody where
 * nearly everything is usual, as for a dot product. Works of few marks are left out. Time and
 * memory grow with the number of works, not with that of the pairs: those are compared that chance
 * brings together, which misses one in some hundred of what is just worth a look. ERR_MEMORY. */
bool similar_find(const char *exercise, const struct marked_work *works, size_t n,
                  const struct source_marks *solutions, size_t n_solutions, struct likenesses *ret,
                  struct error *reterr);

#endif
