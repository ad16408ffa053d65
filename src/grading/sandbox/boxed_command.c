/* A program in a box, and what it printed: see boxed_command.h. */
#include "sandbox/boxed_command.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "files/clock.h"
#include "files/file.h"

enum {
    READ_END = 0,
    WRITE_END = 1,
    LOOK_MS = 2 /* for a system without a descriptor that reports the end */
};

/* A step under way. */
struct boxed_run {
    struct boxed_command plan;
    struct boxed_result step;
    struct box *box;
    int output;        /* the reading end of what it prints; -1 once that is closed */
    size_t n_printed;  /* with what was not kept */
    uint64_t began_us; /* by clock_us() */
};

static const struct box_limits *limits_of(const struct boxed_command *plan)
{
    return plan->kind == BOX_SANITIZER ? &plan->limits->sanitizer : &plan->limits->compile;
}

/* Reads the output that waits, as much as one poll() reported. */
static void read_output(struct boxed_run *run)
{
    char bytes[8192];
    size_t kept = run->plan.limits->text_kept_bytes;
    ssize_t n = read(run->output, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        file_close(&run->output);
        return;
    }
    size_t room = run->n_printed < kept ? kept - run->n_printed : 0;
    text_add(&run->step.printed, bytes, (size_t)n < room ? (size_t)n : room);
    run->n_printed += (size_t)n;
    run->step.too_much = run->n_printed > run->plan.limits->text_max_bytes;
}

/* Waits for one thing to happen; false when the box has ended. */
static bool wait_once(struct boxed_run *run, int timeout_ms)
{
    int pidfd = box_pidfd(run->box);
    if (pidfd < 0 && (timeout_ms < 0 || timeout_ms > LOOK_MS))
        timeout_ms = LOOK_MS;
    struct pollfd fds[] = {{.fd = run->output, .events = POLLIN},
                           {.fd = box_notify_fd(run->box), .events = POLLIN},
                           {.fd = pidfd, .events = POLLIN}};
    if (poll(fds, 3, timeout_ms) < 0)
        return true;
    if (fds[0].revents != 0)
        read_output(run);
    if (fds[1].revents & POLLIN)
        box_forbidden(run->box);
    return pidfd >= 0 ? fds[2].revents == 0 : !box_ended(run->box);
}

/* The time is up. For as long as the program has waited for a processor it gets more, up to five
 * times as much in all: what others take of the machine is not its fault. */
static unsigned grant_waiting(const struct boxed_run *run, unsigned wall_ms)
{
    uint64_t waited_ms = box_waited_ns(run->box) / 1000000,
             usual_ms = limits_of(&run->plan)->wall_ms;
    return (unsigned)size_max(wall_ms, usual_ms + size_min(waited_ms, 4 * usual_ms));
}

/* Until it ends, or must. */
static void wait_for_end(struct boxed_run *run)
{
    unsigned wall_ms = limits_of(&run->plan)->wall_ms;
    bool runs = true;
    while (runs && !run->step.too_much && !run->step.too_long) {
        uint64_t elapsed_ms = (clock_us() - run->began_us) / 1000;
        int left_ms = wall_ms == 0 ? -1 : elapsed_ms < wall_ms ? (int)(wall_ms - elapsed_ms) : 0;
        runs = wait_once(run, left_ms);
        if (runs && left_ms == 0) {
            wall_ms = grant_waiting(run, wall_ms);
            run->step.too_long = elapsed_ms >= wall_ms;
        }
    }
    if (runs)
        box_kill(run->box);
}

static bool start(struct boxed_run *run, struct error *reterr)
{
    const struct boxed_command *plan = &run->plan;
    int ends[2];
    struct box_plan box = {.kind = plan->kind,
                           .layers = plan->layers,
                           .limits = *limits_of(plan),
                           .program_fd = -1,
                           .path = plan->path,
                           .shows = plan->shows,
                           .argv = plan->argv,
                           .n_fds = 3,
                           .n_in = plan->n_in,
                           .late = plan->late,
                           .out = plan->out,
                           .n_out = plan->n_out};
    if (!file_pipe(ends))
        return error_set(reterr, ERR_FILE, "a pipe: %s", strerror(errno));
    memcpy(box.in, plan->in, sizeof box.in);
    box.fds[STDIN_FILENO] = plan->input;
    box.fds[STDOUT_FILENO] = box.fds[STDERR_FILENO] = ends[WRITE_END];
    bool ok = box_start(&box, &run->box, reterr);
    close(ends[WRITE_END]);
    run->output = ends[READ_END];
    if (!ok)
        file_close(&run->output);
    return ok;
}

/* Waits until the box has ended, and takes all that it printed. */
static void finish(struct boxed_run *run)
{
    wait_for_end(run);
    box_collect(run->box, &run->step.end);
    /* What it printed last of all. Nobody writes any more, so this comes to an end. */
    struct pollfd rest = {.fd = run->output, .events = POLLIN};
    while (run->output >= 0 && !run->step.too_much && poll(&rest, 1, 0) == 1)
        read_output(run);
    file_close(&run->output);
    run->step.wall_us = clock_us() - run->began_us;
}

static bool take_result(struct boxed_run *run, struct boxed_result *ret, struct error *reterr)
{
    finish(run);
    *ret = run->step;
    if (ret->end.how == BOX_FAILED)
        return error_set(reterr, ERR_FILE, "a box: %s", ret->end.failure);
    return true;
}

static struct boxed_run run_of(const struct boxed_command *plan)
{
    for (unsigned i = 0; i < plan->n_out; i++)
        plan->out[i].fd = -1;
    return (struct boxed_run){.plan = *plan, .output = -1, .began_us = clock_us()};
}

bool boxed_command_run(const struct boxed_command *plan, struct boxed_result *ret,
                       struct error *reterr)
{
    struct boxed_run run = run_of(plan);
    *ret = (struct boxed_result){.too_long = false};
    return start(&run, reterr) && take_result(&run, ret, reterr);
}

bool boxed_command_start(const struct boxed_command *plan, struct boxed_run **ret,
                         struct error *reterr)
{
    struct boxed_run *run = malloc(sizeof *run);
    if (run == NULL)
        return error_memory(reterr, "a box");
    *run = run_of(plan);
    if (!start(run, reterr)) {
        free(run);
        return false;
    }
    *ret = run;
    return true;
}

bool boxed_command_feed(struct boxed_run *run, const void *bytes, size_t size)
{
    run->began_us = clock_us();
    return box_feed(run->box, bytes, size);
}

bool boxed_command_finish(struct boxed_run *run, struct boxed_result *ret, struct error *reterr)
{
    bool ok = take_result(run, ret, reterr);
    free(run);
    return ok;
}

void boxed_command_stop(struct boxed_run *run)
{
    if (run == NULL)
        return;
    box_kill(run->box);
    finish(run);
    for (unsigned i = 0; i < run->plan.n_out; i++)
        file_close(&run->plan.out[i].fd);
    boxed_result_release(&run->step);
    free(run);
}

void boxed_result_release(struct boxed_result *step)
{
    text_release(&step->printed);
    *step = (struct boxed_result){.too_long = false};
}

bool boxed_result_succeeded(const struct boxed_result *step)
{
    return step->end.how == BOX_EXITED && step->end.code == 0 && !step->too_long && !step->too_much;
}
