/* The plan of a box: see box_plan_internal.h. */
#include "sandbox/box_plan_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

enum { NO_MORE_SIGNALS = 65 };

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
    if (ok && plan->late != NULL)
        ok = plan->kind != BOX_RUN && strchr(plan->late, '/') == NULL;
    return ok || error_set(reterr, ERR_RANGE, "a box: its plan can't be carried out");
}

char **box_plan_environment(const struct box_plan *plan, const char *folder,
                            struct box_environment *ret)
{
    unsigned n = 0;
    if (plan->kind == BOX_RUN && plan->variable != NULL)
        snprintf(ret->text[n++], ENVIRONMENT_BYTES, "%s", plan->variable);
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

bool box_limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now, wanted = {soft, hard};
    if (getrlimit(resource, &now) != 0)
        return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted.rlim_max)
        wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max)
        wanted.rlim_cur = wanted.rlim_max;
    return setrlimit(resource, &wanted) == 0;
}

bool box_plan_set_limits(const struct box_plan *plan, bool skips_unknown)
{
    const struct box_limits *limits = &plan->limits;
    const struct {
        int resource;
        bool is_set;
        rlim_t soft, hard;
    } rows[] = {
        {RLIMIT_AS, limits->address_space_bytes > 0, limits->address_space_bytes,
         limits->address_space_bytes},
        {RLIMIT_DATA, limits->data_bytes > 0, limits->data_bytes, limits->data_bytes},
        {RLIMIT_STACK, limits->stack_bytes > 0, limits->stack_bytes, limits->stack_bytes},
        {RLIMIT_FSIZE, true, limits->file_bytes, limits->file_bytes},
        {RLIMIT_NOFILE, limits->files > 0, limits->files, limits->files},
        {RLIMIT_CPU, limits->cpu_s > 0, limits->cpu_s, limits->cpu_s + 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].is_set && !box_limit(rows[i].resource, rows[i].soft, rows[i].hard) &&
            !(skips_unknown && errno == EINVAL))
            return false;
    return true;
}

void box_reset_signals(void)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < NO_MORE_SIGNALS; i++)
        sigaction(i, &by_default, NULL); /* some can't be changed, and are so already */
    sigprocmask(SIG_SETMASK, &none, NULL);
}

const char *box_plan_program(const struct box_plan *plan, const char *folder, char path[PATH_MAX])
{
    if (strncmp(plan->path, "/w/", 3) == 0)
        snprintf(path, PATH_MAX, "%s/%s", folder, plan->path + 3);
    else
        snprintf(path, PATH_MAX, "%s", plan->path);
    return path;
}
