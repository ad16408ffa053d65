/* The plan of a box: see box_plan.h. */
#include "sandbox/box_plan.h"

#include <stdio.h>
#include <string.h>

bool box_plan_check(const struct box_plan *plan, struct error *reterr)
{
    bool ok = plan->n_fds >= 3 && plan->n_fds <= BOX_MAX_FDS && plan->n_in <= BOX_MAX_FILES &&
              plan->n_out <= BOX_MAX_FILES &&
              (plan->kind == BOX_RUN ? plan->n_in + plan->n_out == 0
                                     : plan->argv == NULL || plan->path != NULL);
    for (unsigned i = 0; ok && i < plan->n_in; i++)
        ok = strchr(plan->in[i].name, '/') == NULL;
    for (unsigned i = 0; ok && i < plan->n_out; i++)
        ok = strchr(plan->out[i].name, '/') == NULL;
    return ok || error_set(reterr, ERR_RANGE, "a box: its plan can't be carried out");
}

char **box_plan_environment(const struct box_plan *plan, const char *folder,
                            struct box_environment *ret)
{
    unsigned n = 0;
    if (plan->kind != BOX_RUN) {
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "PATH=/usr/bin:/bin");
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "LC_ALL=C");
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "TMPDIR=%s", folder);
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "HOME=%s", folder);
    }
    if (plan->kind == BOX_SANITIZER) {
        snprintf(ret->text[n++], ENVIRONMENT_BYTES,
                 "ASAN_OPTIONS=detect_leaks=0:handle_segv=1:hard_rss_limit_mb=%zu",
                 plan->limits.memory_bytes >> 20);
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "UBSAN_OPTIONS=print_stacktrace=1");
    }
    for (unsigned i = 0; i < n; i++)
        ret->variables[i] = ret->text[i];
    ret->variables[n] = NULL;
    return ret->variables;
}

const char *box_plan_program(const struct box_plan *plan, const char *folder, char path[PATH_MAX])
{
    if (strncmp(plan->path, "/w/", 3) == 0)
        snprintf(path, PATH_MAX, "%s/%s", folder, plan->path + 3);
    else
        snprintf(path, PATH_MAX, "%s", plan->path);
    return path;
}
