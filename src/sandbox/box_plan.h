/* What follows from the plan of a box, on every system. */
#ifndef ATTN_SANDBOX_BOX_PLAN_H
#define ATTN_SANDBOX_BOX_PLAN_H

#include <limits.h>

#include "sandbox/box.h"

enum { BOX_FOLDER_BYTES = 256 };

/* ERR_RANGE for a plan that makes no sense. */
bool box_plan_check(const struct box_plan *plan, struct error *reterr);

enum { ENVIRONMENT_BYTES = BOX_FOLDER_BYTES + 128, ENVIRONMENT_MAX = 8 };

struct box_environment {
    char text[ENVIRONMENT_MAX][ENVIRONMENT_BYTES];
    char *variables[ENVIRONMENT_MAX + 1]; /* NULL-terminated */
};

/* The environment of the program: nothing of attn's own. A BOX_RUN has none. folder is where the
 * files of the box are. Returns ret->variables. */
char **box_plan_environment(const struct box_plan *plan, const char *folder,
                            struct box_environment *ret);
/* The path of the program of a box for tools: /w/... means a file in folder. Returns path. */
const char *box_plan_program(const struct box_plan *plan, const char *folder, char path[PATH_MAX]);

#endif
