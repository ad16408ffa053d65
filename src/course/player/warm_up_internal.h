/* The warm-up of a lesson: one question of an earlier lesson, asked before its first page. */
#ifndef ATTN_COURSE_PLAYER_WARM_UP_INTERNAL_H
#define ATTN_COURSE_PLAYER_WARM_UP_INTERNAL_H

#include "course/lesson/course.h"
#include "course/progress/progress.h"

struct warm_up {
    struct lesson *lesson; /* the caller frees it; NULL: there is nothing to ask */
    char question[PROGRESS_NAME_BYTES];
};

/* Chooses a question to ask before a lesson of the course: of those missed in the lessons before
 * it, the one that is due longest; if none was missed, of those answered rightly in the lessons
 * that it needs, the one answered longest ago. It only takes questions that have a right answer,
 * that their lessons still have, and that the learner did not work on within the last hour. Lessons
 * that can't be read are passed over: it fails only with an error that error_is_stop(). */
bool warm_up_choose(const struct course *course, struct progress *progress,
                    const struct lesson *lesson, struct warm_up *ret, struct error *reterr);

#endif
