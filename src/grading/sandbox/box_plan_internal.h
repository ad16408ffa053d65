/* Consequences of a box's plan that are the same on every system. */
#ifndef ATTN_SANDBOX_BOX_PLAN_INTERNAL_H
#define ATTN_SANDBOX_BOX_PLAN_INTERNAL_H

#include <limits.h>
#include <sys/resource.h>

#include "sandbox/box.h"

enum { BOX_FOLDER_BYTES = 256 };

/* Fails with ERR_RANGE for a plan that makes no sense. */
bool box_plan_check(const struct box_plan *plan, struct error *reterr);

enum { ENVIRONMENT_BYTES = BOX_FOLDER_BYTES + 128, ENVIRONMENT_MAX = 8 };

struct box_environment {
    char text[ENVIRONMENT_MAX][ENVIRONMENT_BYTES];
    char *variables[ENVIRONMENT_MAX + 1]; /* NULL-terminated */
};

/* The environment of the program: nothing of attn's own. A BOX_RUN only has plan->variable. folder
 * holds the files of the box. Returns ret->variables. */
char **box_plan_environment(const struct box_plan *plan, const char *folder,
                            struct box_environment *ret);
/* Sets the limits of memory, files and CPU time for this process, none higher than its current one.
 * False with errno if one can't be set; skips_unknown: limits that the system does not have don't
 * count. */
bool box_plan_set_limits(const struct box_plan *plan, bool skips_unknown);
/* Limits one resource in the same manner; EINVAL: the system has no such limit. */
bool box_limit(int resource, rlim_t soft, rlim_t hard);
/* Resets every signal to its default, and blocks none. */
void box_reset_signals(void);
/* The path of the program of a box for tools: /w/... means a file in folder. Returns path. */
const char *box_plan_program(const struct box_plan *plan, const char *folder, char path[PATH_MAX]);

#endif
