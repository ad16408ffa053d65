/* From the end of a box to a verdict: see box_verdict.h. */
#include "judge/box_verdict.h"

#include <signal.h>
#include <stdio.h>

#include "base/array.h"

/* A program that dies of a signal while it holds this much of its address space died for want of
 * memory. */
static const double nearly_all = 0.8;

/* The kernel ends it by a clock that counts ticks, and reports time by a finer one, which can be
 * this much behind. */
static const double slow_clock = 0.75;

static const struct {
    int number;
    const char *name;
} signals[] = {
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGCHLD, "SIGCHLD"},
    {SIGCONT, "SIGCONT"}, {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"}, {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
};

char *signal_name(int signal, char name[24])
{
    snprintf(name, 24, "signal %d", signal);
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        if (signals[i].number == signal)
            snprintf(name, 24, "%s", signals[i].name);
    return name;
}

static bool ran_out_of_cpu(const struct box_end *end, const struct box_limits *limits)
{
    if (end->how != BOX_SIGNALLED || limits->cpu_s == 0)
        return false;
    return end->signal == SIGXCPU ||
           (end->signal == SIGKILL && (double)end->cpu_us >= slow_clock * limits->cpu_s * 1e6);
}

static bool ran_out_of_memory(const struct box_end *end, const struct box_limits *limits)
{
    if (end->out_of_memory)
        return true;
    return end->how == BOX_SIGNALLED && limits->address_space_bytes > 0 &&
           (double)end->max_rss_bytes >= nearly_all * (double)limits->address_space_bytes;
}

enum verdict box_verdict(const struct box_end *end, const struct box_limits *limits, char *detail,
                         size_t capacity)
{
    char name[24];
    snprintf(detail, capacity, "%s", "");
    if (end->how == BOX_FAILED) {
        snprintf(detail, capacity, "%s", end->failure);
        return VERDICT_INTERNAL_ERROR;
    }
    if (end->how == BOX_KILLED || ran_out_of_cpu(end, limits)) {
        snprintf(detail, capacity, "%s", end->how == BOX_KILLED ? "wall" : "cpu");
        return VERDICT_TIME_LIMIT;
    }
    if (end->how == BOX_SIGNALLED && end->signal == SIGXFSZ)
        return VERDICT_OUTPUT_LIMIT;
    if (end->how == BOX_FORBIDDEN) {
        snprintf(detail, capacity, "%s", end->call);
        return VERDICT_FORBIDDEN_SYSCALL;
    }
    if (ran_out_of_memory(end, limits))
        return VERDICT_MEMORY_LIMIT;
    if (end->how == BOX_SIGNALLED) {
        snprintf(detail, capacity, "%s", signal_name(end->signal, name));
        return VERDICT_CRASH;
    }
    snprintf(detail, capacity, "exit code %d", end->code);
    return VERDICT_EXITED_EARLY;
}
