/* A program in a box, and what it printed: see boxed_command.h. */
#include "sandbox/boxed_command.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "files/clock.h"
#include "files/file.h"

enum { READ_END = 0, WRITE_END = 1, LOOK_MS = 2 /* where no descriptor tells of the end */ };

/* A step under way. */
struct running {
    const struct boxed_command *plan;
    struct boxed_result *step;
    struct box *box;
    int output;       /* the reading end of what it prints; -1 once that is closed */
    size_t n_printed; /* with what was not kept */
};

static const struct box_limits *limits_of(const struct boxed_command *plan)
{
    return plan->kind == BOX_SANITIZER ? &plan->limits->sanitizer : &plan->limits->compile;
}

/* Takes what is there to read, as much as one poll() told of. */
static void read_output(struct running *running)
{
    char bytes[8192];
    size_t kept = running->plan->limits->text_kept_bytes;
    ssize_t n = read(running->output, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        file_close(&running->output);
        return;
    }
    size_t room = running->n_printed < kept ? kept - running->n_printed : 0;
    text_add(&running->step->printed, bytes, (size_t)n < room ? (size_t)n : room);
    running->n_printed += (size_t)n;
    running->step->too_much = running->n_printed > running->plan->limits->text_max_bytes;
}

/* Waits for one thing to happen; false when the box has ended. */
static bool wait_once(struct running *running, int timeout_ms)
{
    int pidfd = box_pidfd(running->box);
    if (pidfd < 0 && (timeout_ms < 0 || timeout_ms > LOOK_MS))
        timeout_ms = LOOK_MS;
    struct pollfd fds[] = {{.fd = running->output, .events = POLLIN},
                           {.fd = box_notify_fd(running->box), .events = POLLIN},
                           {.fd = pidfd, .events = POLLIN}};
    if (poll(fds, 3, timeout_ms) < 0)
        return true;
    if (fds[0].revents != 0)
        read_output(running);
    if (fds[1].revents & POLLIN)
        box_forbidden(running->box);
    return pidfd >= 0 ? fds[2].revents == 0 : !box_ended(running->box);
}

/* Until it ends, or must. */
static void wait_for_end(struct running *running, uint64_t began_us)
{
    unsigned wall_ms = limits_of(running->plan)->wall_ms;
    bool runs = true;
    while (runs && !running->step->too_much && !running->step->too_long) {
        uint64_t elapsed_ms = (clock_us() - began_us) / 1000;
        int left_ms = wall_ms == 0 ? -1 : elapsed_ms < wall_ms ? (int)(wall_ms - elapsed_ms) : 0;
        runs = wait_once(running, left_ms);
        running->step->too_long = runs && left_ms == 0;
    }
    if (runs)
        box_kill(running->box);
}

static bool start(struct running *running, struct error *reterr)
{
    const struct boxed_command *plan = running->plan;
    int ends[2];
    struct box_plan box = {.kind = plan->kind,
                           .layers = plan->layers,
                           .limits = *limits_of(plan),
                           .program_fd = -1,
                           .path = plan->path,
                           .argv = plan->argv,
                           .n_fds = 3,
                           .n_in = plan->n_in,
                           .out = plan->out,
                           .n_out = plan->n_out};
    if (!file_pipe(ends))
        return error_set(reterr, ERR_FILE, "a pipe: %s", strerror(errno));
    memcpy(box.in, plan->in, sizeof box.in);
    box.fds[STDIN_FILENO] = plan->input;
    box.fds[STDOUT_FILENO] = box.fds[STDERR_FILENO] = ends[WRITE_END];
    bool ok = box_start(&box, &running->box, reterr);
    close(ends[WRITE_END]);
    running->output = ends[READ_END];
    if (!ok)
        file_close(&running->output);
    return ok;
}

bool boxed_command_run(const struct boxed_command *plan, struct boxed_result *ret,
                       struct error *reterr)
{
    struct running running = {.plan = plan, .step = ret, .output = -1};
    uint64_t began_us = clock_us();
    *ret = (struct boxed_result){.too_long = false};
    for (unsigned i = 0; i < plan->n_out; i++)
        plan->out[i].fd = -1;
    if (!start(&running, reterr))
        return false;
    wait_for_end(&running, began_us);
    box_collect(running.box, &ret->end);
    /* What it printed last of all. Nobody writes any more, so this comes to an end. */
    struct pollfd rest = {.fd = running.output, .events = POLLIN};
    while (running.output >= 0 && !ret->too_much && poll(&rest, 1, 0) == 1)
        read_output(&running);
    file_close(&running.output);
    ret->wall_us = clock_us() - began_us;
    if (ret->end.how == BOX_FAILED)
        return error_set(reterr, ERR_FILE, "a box: %s", ret->end.failure);
    return true;
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
