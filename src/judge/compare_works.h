/* Looks through all that was handed in for works that look alike. */
#ifndef ATTN_JUDGE_COMPARE_WORKS_H
#define ATTN_JUDGE_COMPARE_WORKS_H

#include "judge/submission.h"

/* Adds the pairs of similar_find() for each exercise. results are those of the submissions, in the
 * order of result_compare(): only what was graded is read, files of at most max_bytes; a file that
 * can't be read any more is left out. ERR_MEMORY. */
bool submissions_compare(const struct submissions *submissions, const struct exercises *exercises,
                         const struct results *results, size_t max_bytes, struct likenesses *ret,
                         struct error *reterr);

#endif
