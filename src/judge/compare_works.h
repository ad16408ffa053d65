/* Looks through all that was handed in for works that look alike. */
#ifndef ATTN_JUDGE_COMPARE_WORKS_H
#define ATTN_JUDGE_COMPARE_WORKS_H

#include "judge/submission.h"

struct comparison {
    const char *data_dir; /* holds the solutions that say what is usual where works are few */
    size_t max_bytes;     /* of a file that is read */
    bool keeps_marks;     /* in the results, for results_compare_marked() */
};

/* Adds the pairs of similar_find() for each exercise to results->similar. results are those of the
 * submissions, in the order of result_compare(): only what was graded is read; a file that can't be
 * read any more is left out. ERR_MEMORY. */
bool submissions_compare(const struct submissions *submissions, const struct exercises *exercises,
                         const struct comparison *how, struct results *results,
                         struct error *reterr);

/* The same for results of runs that were apart, by the marks that they kept: these pairs replace
 * those that each run found alone. The marks go when the class is whole. Without any marks nothing
 * changes. exercises and data_dir: NULL where they are not at hand, then few works name nobody.
 * ERR_FILE where marks are none; ERR_MEMORY. */
bool results_compare_marked(struct results *results, const struct exercises *exercises,
                            const char *data_dir, struct error *reterr);

#endif
