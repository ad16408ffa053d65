/* When learners' files were handed in. */
#ifndef ATTN_JUDGE_SUBMISSION_TIME_H
#define ATTN_JUDGE_SUBMISSION_TIME_H

#include "judge/submission.h"

/* Fills in submitted_s of all, from where the assignment says: the file's time of change; the time
 * of the last commit that touched it; or its name, where LATE without a moment counts as just after
 * the due date. 0 where it can't be known. Without an assignment it is the
 * file's.
 *
 * git is asked in the repository that the file lies in, which a student made: nothing that its
 * configuration says is obeyed. A commit's time is what the student's machine wrote. */
void submissions_note_times(struct submissions *submissions, const struct assignment *assignment);

#endif
