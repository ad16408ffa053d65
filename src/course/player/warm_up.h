/* The warm-up of a lesson: one question of an earlier lesson, asked before its first page. */
#ifndef ATTN_COURSE_PLAYER_WARM_UP_H
#define ATTN_COURSE_PLAYER_WARM_UP_H

#include "course/lesson/course.h"
#include "course/progress/progress.h"

struct warm_up {
    struct lesson *lesson; /* the caller's, who frees it; NULL: there is nothing to ask */
    char question[PROGRESS_NAME_BYTES];
};

/* Chooses what to ask before a lesson of the course: of what was missed in the lessons before it,
 * the one that is due longest; where nothing was, of what was answered rightly in the lessons that
 * it needs, the one that was dealt with longest ago. Only questions that have a right answer, that
 * their lessons still have, and that the learner did not deal with within the last hour. What can't
 * be read is passed over: it fails only with what error_is_stop(). */
bool warm_up_choose(const struct course *course, struct progress *progress,
                    const struct lesson *lesson, struct warm_up *ret, struct error *reterr);

#endif
