/* The questions that come back to be asked again (event_internal.h says when). The rules of
 * attempt_internal.h hold.
 */
#ifndef ATTN_COURSE_PROGRESS_REVIEW_H
#define ATTN_COURSE_PROGRESS_REVIEW_H

#include "course/progress/event_internal.h"

enum { REVIEW_STEPS = 5 };

struct review {
    char lesson[PROGRESS_NAME_BYTES], question[PROGRESS_NAME_BYTES];
    int64_t due_s;
    unsigned step; /* how often it was already put off, below REVIEW_STEPS */
};
/* The questions to review, the longest due first; those due after time_s only if not_yet_due is
 * set. The caller frees *ret. */
bool progress_reviews(struct progress *progress, int64_t time_s, bool not_yet_due,
                      struct review **ret, size_t *ret_n, struct error *reterr);

#endif
