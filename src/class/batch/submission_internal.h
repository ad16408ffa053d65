/* The bytes of learners' files, wherever they lie. */
#ifndef ATTN_JUDGE_CLASS_SUBMISSION_INTERNAL_H
#define ATTN_JUDGE_CLASS_SUBMISSION_INTERNAL_H

#include "batch/submission.h"

/* As source_read(); for a file without the ending .c, and for an archive that can't be opened,
 * *ret_why is the submission's why_not. */
bool submission_read(const struct submission *submission, size_t max_bytes, struct text *ret,
                     const char **ret_why);

#endif
