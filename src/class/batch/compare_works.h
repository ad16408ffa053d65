/* Looks for works that look alike among all that were handed in. */
#ifndef ATTN_JUDGE_CLASS_COMPARE_WORKS_H
#define ATTN_JUDGE_CLASS_COMPARE_WORKS_H

#include "batch/submission.h"

struct comparison {
    const struct submissions *known; /* works of others, such as last year's; or NULL */
    const char *data_dir; /* its solutions show what is usual when few works were handed in */
    size_t max_bytes;     /* of a file that is read */
    bool keeps_marks;     /* in the results, for results_compare_marked() */
};

/* Adds the pairs that similar_find() finds for each exercise to results->similar, also those of a
 * work and one of `known`, which is called by its path, or a right solution that came with attn,
 * "attn's solution NAME". results are those of the submissions, in the order of result_compare().
 * Only graded files are read; one that can't be read any more is skipped. ERR_MEMORY. */
bool submissions_compare(const struct submissions *submissions, const struct exercises *exercises,
                         const struct comparison *how, struct results *results,
                         struct error *reterr);

/* The same for results of several runs, by the marks that they kept. These pairs replace those that
 * each run found alone. The marks are removed when the class is whole. Results without any marks
 * stay as they are. exercises and data_dir may be NULL; then no pairs are found among few works.
 * ERR_FILE when a text is not a mark; ERR_MEMORY. */
bool results_compare_marked(struct results *results, const struct exercises *exercises,
                            const char *data_dir, struct error *reterr);

#endif
