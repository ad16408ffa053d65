/* Which stage of the exercise is not right? Only what was observed counts, so that no right stage
 * is ever blamed: mostly several stages remain possible, and then none is named. */
#ifndef ATTN_JUDGE_FIND_STAGE_H
#define ATTN_JUDGE_FIND_STAGE_H

#include "judge/find_misconception.h"

/* The name of the one stage that can explain the wrong numbers; "" when several can, or none.
 * answered: the cases and the probes that there are numbers for. Small ones say as much as large
 * ones, and large ones are left out.
 *
 * with_ideas: the exercise's misconceptions are among the mistakes that are tried; without them the
 * search shows what it makes of what nobody thought of.
 *
 * A mistake (stage_mistakes.h) is possible when it would show in no array that is right, in no
 * case. A stage is suspected of a wrong array when one of its possible mistakes shows in it; it is
 * named when it alone is suspected of some wrong array, no other stage is of another one, and its
 * mistakes show in all of them. Arrays with a NaN are left out, since any stage can leave one; and
 * where only cases with numbers of their own are wrong, no stage is named. */
bool find_stage(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, bool with_ideas, char ret[STAGE_NAME_BYTES],
                struct error *reterr);

#endif
