/* One exercise for `attn lint`: its task, its lessons, its cases and its solutions. */
#ifndef ATTN_CLI_LINT_EXERCISE_H
#define ATTN_CLI_LINT_EXERCISE_H

#include "judge/prove/prove.h"

struct lint_plan {
    const struct compiler *compiler;
    unsigned layers;        /* of enum layer */
    bool solutions_only;    /* what depends on the compiler */
    uint64_t seed, n_seeds; /* the first of the seeds, and how many: what holds for one draw of the
                             * cases must hold for others */
};

/* Tries the exercise in a folder. What is wrong, even that it can't be read, is a fault in *report.
 */
void lint_exercise(const struct lint_plan *plan, const char *folder, struct prove_report *report);

#endif
