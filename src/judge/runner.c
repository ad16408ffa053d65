/* attn's side of a run: see runner.h. */
#include "judge/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/size.h"
#include "files/clock.h"
#include "files/file.h"
#include "judge/box_verdict.h"
#include "judge/slots.h"
#include "sandbox/system.h"

#define FARTHEST_BYTES ((int64_t)1 << 40) /* from an array, to be spoken of */

enum {
    NS_IN_MS = 1000000,
    MOMENT_MS = 10,                 /* some turns of a scheduler */
    GROWTH_BYTES_PER_MS = 32 << 10, /* so much more, and it is the memory that is running out */
    BASE_BYTES = 384 << 10, /* what a program needs before it computes anything: C library, heap */
    HEAP_BYTE = 0x5a,       /* as floats, far above anything that is computed */
    PIPE_READ = 0,
    PIPE_WRITE = 1,
};

struct runner {
    struct runner_plan plan;
    struct box *box;
    struct slots slots;
    int requests, replies, prints; /* attn's ends, or -1 */
    struct text printed;
    size_t n_printed;    /* with what was not kept */
    uint64_t called_ns;  /* so long all calls so far have taken, without what was granted */
    uint64_t granted_ns; /* so much more time it got, since others had the processors */
    uint64_t spent_ns;   /* processor time when it last answered; 0: not known */
    uint64_t looked_ns;  /* processor time when it was last given a moment; 0: it was not */
    uint64_t seen_bytes; /* memory that it held when it was last given time for that */
    uint64_t held_bytes; /* the most memory that it held, when it has ended; 0: not known */

    /* The call under way. */
    uint64_t nonce;
    struct wire_reply reply;
    size_t reply_size;       /* bytes of it that are there */
    struct wire_reply fault; /* kind 0: no fault was told */
};

/* ---- the plan ---- */

void runner_plan_init(struct runner_plan *plan, const struct limits *limits, unsigned layers,
                      int program_fd)
{
    *plan = (struct runner_plan){.limits = limits, .layers = layers, .program_fd = program_fd};
}

void runner_plan_fit(struct runner_plan *plan, const struct fixture *fixture)
{
    plan->memory_bytes = fixture->memory_bytes;
    for (size_t i = 0; i < fixture->exercise->n_arrays; i++) {
        uint64_t bytes = slot_bytes(fixture->arrays[i].n_bytes);
        if (bytes > plan->slot_bytes[i])
            plan->slot_bytes[i] = bytes;
    }
}

bool runner_plan_holds(const struct runner_plan *plan, const struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->exercise->n_arrays; i++)
        if (slot_bytes(fixture->arrays[i].n_bytes) > plan->slot_bytes[i])
            return false;
    return true;
}

const char *runner_plan_memory_limit(const struct runner_plan *plan, bool refused,
                                     char text[LIMIT_TEXT])
{
    const struct box_limits *limits = &plan->limits->run;
    bool is_counted = !refused && (plan->layers & LAYER_CGROUP) != 0 &&
                      limits->memory_bytes < limits->address_space_bytes;
    size_t usual_bytes = is_counted ? limits->memory_bytes : limits->address_space_bytes;
    return limit_write_bytes(plan->memory_bytes > 0 ? plan->memory_bytes : usual_bytes, text);
}

/* ---- the start ---- */

static struct box_limits limits_of(const struct runner_plan *plan)
{
    struct box_limits limits = plan->limits->run;
    if (plan->memory_bytes > 0) {
        limits.data_bytes = BASE_BYTES + plan->memory_bytes;
        limits.stack_bytes = plan->memory_bytes;
    }
    return limits;
}

/* glibc would set freed blocks apart and count them as used; and what malloc() gives would be zero
 * by luck. glibc fills it with the complement of what it is told. */
static void write_tunables(const struct runner_plan *plan, char *variable, size_t capacity)
{
    unsigned byte = plan->leftovers.zero_heap ? 0 : HEAP_BYTE;
    snprintf(variable, capacity,
             "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=%u", byte ^ 0xffu);
}

/* Starts the box with the far ends of three pipes, and closes those here. */
static bool start_box(struct runner *runner, struct error *reterr)
{
    int requests[2] = {-1, -1}, replies[2] = {-1, -1}, prints[2] = {-1, -1};
    char *argv[] = {"runner", NULL};
    char variable[96];
    struct box_plan plan = {.kind = BOX_RUN,
                            .layers = runner->plan.layers,
                            .limits = limits_of(&runner->plan),
                            .program_fd = runner->plan.program_fd,
                            .argv = argv,
                            .variable = variable,
                            .n_fds = WIRE_N_FDS};
    write_tunables(&runner->plan, variable, sizeof variable);
    bool ok = file_pipe(requests) && file_pipe(replies) && file_pipe(prints);
    if (!ok) {
        error_set(reterr, ERR_FILE, "a pipe: %s", strerror(errno));
    } else {
        plan.fds[WIRE_STDIN] = -1;
        plan.fds[WIRE_STDOUT] = plan.fds[WIRE_STDERR] = prints[PIPE_WRITE];
        plan.fds[WIRE_REQUESTS] = requests[PIPE_READ];
        plan.fds[WIRE_REPLIES] = replies[PIPE_WRITE];
        plan.fds[WIRE_INPUTS] = runner->slots.inputs.shared.fd;
        plan.fds[WIRE_OUTPUTS] = runner->slots.outputs.shared.fd;
        ok = box_start(&plan, &runner->box, reterr);
    }
    runner->requests = requests[PIPE_WRITE];
    runner->replies = replies[PIPE_READ];
    runner->prints = prints[PIPE_READ];
    file_close(&requests[PIPE_READ]);
    file_close(&replies[PIPE_WRITE]);
    file_close(&prints[PIPE_WRITE]);
    return ok && fcntl(runner->replies, F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(runner->requests, F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(runner->prints, F_SETFL, O_NONBLOCK) == 0;
}

/* Writes to the program, which may be gone: then the next wait shows its end. It all fits the pipe,
 * so that it can't block. */
static void tell(const struct runner *runner, const void *bytes, size_t size)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    ssize_t written = write(runner->requests, bytes, size);
    (void)written;
    sigaction(SIGPIPE, &before, NULL);
}

bool runner_start(const struct runner_plan *plan, const struct exercise *exercise,
                  struct runner **ret, struct error *reterr)
{
    struct runner *runner = malloc(sizeof *runner);
    if (runner == NULL)
        return error_memory(reterr, "a run");
    *runner = (struct runner){.plan = *plan, .requests = -1, .replies = -1, .prints = -1};
    if (!slots_init(exercise, plan->slot_bytes, plan->shows, &runner->slots, reterr) ||
        !start_box(runner, reterr)) {
        runner_stop(runner);
        return false;
    }
    tell(runner, &runner->slots.setup, sizeof runner->slots.setup);
    *ret = runner;
    return true;
}

void runner_stop(struct runner *runner)
{
    struct box_end end;
    if (runner == NULL)
        return;
    if (runner->box != NULL) {
        box_kill(runner->box);
        box_collect(runner->box, &end);
    }
    file_close(&runner->requests);
    file_close(&runner->replies);
    file_close(&runner->prints);
    slots_release(&runner->slots);
    text_release(&runner->printed);
    free(runner);
}

uint64_t runner_memory_bytes(const struct runner *runner)
{
    return runner->box != NULL ? box_memory_bytes(runner->box) : runner->held_bytes;
}

const volatile struct wire_shown *runner_shown(const struct runner *runner)
{
    return slots_shown(&runner->slots);
}

const struct text *runner_printed(const struct runner *runner)
{
    return &runner->printed;
}

/* ---- before a call ---- */

/* Begins a request with a fresh nonce. Returns random bits for the arrays' poison. */
static uint32_t begin_request(struct runner *runner, enum wire_wish wish, struct wire_request *ret)
{
    uint64_t bits[3];
    if (!system_random(bits, sizeof bits))
        bits[0] = bits[1] = bits[2] = clock_ns();
    runner->nonce = bits[0];
    runner->reply_size = 0;
    runner->fault.kind = 0;
    *ret = (struct wire_request){.nonce = runner->nonce, .wish = wish, .clock_shift = bits[2]};
    return (uint32_t)bits[1];
}

/* The arguments of the case that lies in the slots. */
static void add_arguments(const struct runner *runner, struct wire_request *request)
{
    const struct fixture *fixture = runner->slots.fixture;
    const struct prototype *prototype = &fixture->exercise->prototype;
    for (unsigned i = 0; i < prototype->n_params; i++)
        if (!param_is_pointer(&prototype->params[i]))
            request->args[i] = slots_scalar(&prototype->params[i], fixture->scalars[i]);
    slots_request(&runner->slots, request);
}

/* ---- waiting ---- */

/* Takes what was printed; false when it is too much. */
static bool read_prints(struct runner *runner)
{
    char bytes[4096];
    ssize_t n;
    while ((n = read(runner->prints, bytes, sizeof bytes)) > 0) {
        size_t room = runner->plan.limits->text_kept_bytes > runner->n_printed
                          ? runner->plan.limits->text_kept_bytes - runner->n_printed
                          : 0;
        text_add(&runner->printed, bytes, (size_t)n < room ? (size_t)n : room);
        runner->n_printed += (size_t)n;
        if (runner->n_printed > runner->plan.limits->text_max_bytes)
            return false;
    }
    if (n == 0)
        file_close(&runner->prints);
    return true;
}

enum waited { WAIT_ON, WAIT_ANSWERED, WAIT_ENDED, WAIT_FORGED, WAIT_PRINTED, WAIT_TIME };

/* Takes what there is of a reply. */
static enum waited read_reply(struct runner *runner)
{
    for (;;) {
        ssize_t n = read(runner->replies, (char *)&runner->reply + runner->reply_size,
                         sizeof runner->reply - runner->reply_size);
        if (n < 0)
            return WAIT_ON;
        if (n == 0) { /* it closed the channel, or is dying */
            file_close(&runner->replies);
            return WAIT_ON;
        }
        runner->reply_size += (size_t)n;
        if (runner->reply_size < sizeof runner->reply)
            continue;
        runner->reply_size = 0;
        if (runner->reply.nonce != runner->nonce)
            return WAIT_FORGED;
        if (runner->reply.kind == WIRE_ANSWER)
            return WAIT_ANSWERED;
        if (runner->reply.kind != WIRE_FAULT || runner->fault.kind != 0)
            return WAIT_FORGED; /* there is one fault at the most */
        runner->fault = runner->reply;
    }
}

static int remaining_ms(uint64_t deadline_ns)
{
    uint64_t now = clock_ns();
    return now >= deadline_ns ? 0 : (int)((deadline_ns - now) / 1000000u) + 1;
}

static enum waited wait_once(struct runner *runner, uint64_t deadline_ns)
{
    struct pollfd fds[] = {{.fd = runner->replies, .events = POLLIN},
                           {.fd = runner->prints, .events = POLLIN},
                           {.fd = box_notify_fd(runner->box), .events = POLLIN},
                           {.fd = box_pidfd(runner->box), .events = POLLIN}};
    int timeout_ms = remaining_ms(deadline_ns);
    if (fds[3].fd < 0 && timeout_ms > 5)
        timeout_ms = 5;
    if (poll(fds, 4, timeout_ms) < 0)
        return errno == EINTR ? WAIT_ON : WAIT_TIME;
    if (fds[2].revents & POLLIN)
        box_forbidden(runner->box);
    if (runner->prints >= 0 && fds[1].revents != 0 && !read_prints(runner))
        return WAIT_PRINTED;
    enum waited waited = runner->replies >= 0 && fds[0].revents != 0 ? read_reply(runner) : WAIT_ON;
    if (waited == WAIT_ON && box_ended(runner->box))
        return WAIT_ENDED;
    /* Only after a look: this process may have been stopped, and the answer be there. */
    return waited == WAIT_ON && timeout_ms == 0 ? WAIT_TIME : waited;
}

/* When a call's time is up, in ns. */
struct deadlines {
    uint64_t case_ns, run_ns;
};

static void put_off(struct deadlines *ends, uint64_t more_ns)
{
    ends->case_ns += more_ns;
    ends->run_ns += more_ns;
}

/* The time is up. For as long as the program has waited for a processor it gets more. */
static bool grant_waiting(struct runner *runner, struct deadlines *ends)
{
    uint64_t waited_ns = box_waited_ns(runner->box);
    if (waited_ns <= runner->granted_ns)
        return false;
    put_off(ends, waited_ns - runner->granted_ns);
    runner->granted_ns = waited_ns;
    runner->looked_ns = 0;
    return true;
}

/* The time is up. A wait that is not over yet is told nowhere: who wants the processor and has not
 * had it since the last look is given a moment of it beforehand. */
static bool grant_moment(struct runner *runner, struct deadlines *ends)
{
    const uint64_t moment_ns = (uint64_t)MOMENT_MS * NS_IN_MS;
    uint64_t used_ns = box_processor_ns(runner->box);
    bool is_first = runner->looked_ns == 0, had_none = used_ns < runner->looked_ns + moment_ns / 2;
    if (box_activity(runner->box) != BOX_COMPUTES || !(is_first || had_none))
        return false;
    put_off(ends, moment_ns);
    runner->granted_ns += moment_ns;
    runner->looked_ns = used_ns;
    return true;
}

/* The case's time is up. Who has ended is waited for, as long as the run may take: how it ended
 * says more than that its time is up, and the system needs a while to take back much memory. */
static bool grant_leaving(struct runner *runner, struct deadlines *ends)
{
    if (ends->case_ns >= ends->run_ns || box_activity(runner->box) != BOX_LEAVES)
        return false;
    ends->case_ns += (uint64_t)MOMENT_MS * NS_IN_MS;
    return true;
}

/* The case's time is up. While the program takes more and more memory it goes on, as long as the
 * run may: the limit of memory says more than that of time. Machines differ much in how long it
 * takes to come there. */
static bool grant_growth(struct runner *runner, struct deadlines *ends)
{
    uint64_t held = box_memory_bytes(runner->box), case_ms = runner->plan.limits->case_wall_ms;
    if (ends->case_ns >= ends->run_ns || held < runner->seen_bytes + case_ms * GROWTH_BYTES_PER_MS)
        return false;
    ends->case_ns += case_ms * NS_IN_MS;
    runner->seen_bytes = held;
    return true;
}

static enum waited wait_for_answer(struct runner *runner, uint64_t sent_ns)
{
    const struct limits *limits = runner->plan.limits;
    uint64_t run_ns = (uint64_t)limits->run.wall_ms * NS_IN_MS;
    run_ns -= size_min(runner->called_ns, run_ns); /* not what attn does in between */
    struct deadlines ends = {.case_ns = sent_ns + (uint64_t)limits->case_wall_ms * NS_IN_MS,
                             .run_ns = sent_ns + run_ns};
    uint64_t granted_before = runner->granted_ns;
    enum waited waited;
    runner->looked_ns = 0;
    do {
        waited = wait_once(runner, size_min(ends.case_ns, ends.run_ns));
        if (waited == WAIT_TIME && (grant_waiting(runner, &ends) || grant_moment(runner, &ends) ||
                                    grant_leaving(runner, &ends) || grant_growth(runner, &ends)))
            waited = WAIT_ON;
    } while (waited == WAIT_ON);
    uint64_t took_ns = clock_ns() - sent_ns;
    runner->called_ns += took_ns - size_min(runner->granted_ns - granted_before, took_ns);
    return waited;
}

/* ---- after a call ---- */

/* The array that a fault happened at, or -1. What was told of it may be anything. */
static int array_of_fault(const struct runner *runner)
{
    const struct wire_reply *fault = &runner->fault;
    if (fault->kind == 0 || fault->offset <= -FARTHEST_BYTES || fault->offset >= FARTHEST_BYTES)
        return -1;
    return slots_array(&runner->slots, fault->area);
}

/* It ended for want of memory: what it was refused, else how far it came. */
static void tell_memory_limit(const struct runner *runner, struct runner_outcome *outcome)
{
    bool refused = runner->fault.kind != 0 && runner->fault.no_memory != 0;
    char limit[LIMIT_TEXT];
    runner_plan_memory_limit(&runner->plan, refused, limit);
    outcome->verdict = VERDICT_MEMORY_LIMIT;
    snprintf(outcome->detail, sizeof outcome->detail, "%s%s is the limit",
             refused ? "malloc returned NULL: " : "", limit);
}

/* It held nearly all that it may, but nothing was refused, and it died at one of its arrays or of a
 * null pointer. */
static bool has_another_reason(const struct runner *runner, const struct box_end *end)
{
    const struct wire_reply *fault = &runner->fault;
    return !end->out_of_memory && fault->kind != 0 && fault->no_memory == 0 &&
           (fault->area >= 0 || fault->area == WIRE_NEAR_NULL);
}

/* A crash, told more closely by what the runner could say about it. */
static void explain_crash(struct runner *runner, struct runner_outcome *outcome)
{
    const struct wire_reply *fault = &runner->fault;
    int array = array_of_fault(runner);
    char detail[sizeof outcome->detail], text[LIMIT_TEXT];
    if (array >= 0) {
        int64_t offset = fault->offset - (int64_t)runner->slots.offsets[array];
        enum access access =
            fault->access <= WIRE_WRITTEN ? (enum access)fault->access : ACCESS_UNKNOWN;
        outcome->verdict = VERDICT_OUT_OF_BOUNDS;
        bounds_describe(runner->slots.fixture, (unsigned)array, offset, access, outcome->detail,
                        sizeof outcome->detail);
    } else if (slots_check(&runner->slots, detail, sizeof detail) == VERDICT_OUT_OF_BOUNDS) {
        outcome->verdict = VERDICT_OUT_OF_BOUNDS;
        memcpy(outcome->detail, detail, sizeof detail);
    } else if (fault->kind != 0 && fault->area == WIRE_TICKS) {
        outcome->verdict = VERDICT_FORBIDDEN_SYSCALL;
        snprintf(outcome->detail, sizeof outcome->detail, "rdtsc");
    } else if ((fault->kind != 0 && fault->no_memory != 0) || runner->plan.memory_bytes > 0) {
        tell_memory_limit(runner, outcome);
    } else if (fault->kind != 0 && fault->area == WIRE_STACK) {
        snprintf(outcome->detail, sizeof outcome->detail, "stack overflow: more than %s",
                 limit_write_bytes(runner->plan.limits->run.stack_bytes, text));
    } else if (fault->kind != 0 && fault->area == WIRE_NEAR_NULL) {
        snprintf(outcome->detail, sizeof outcome->detail, "null pointer");
    } else if (fault->kind != 0 && fault->area == WIRE_NO_ADDRESS) {
        snprintf(outcome->detail, sizeof outcome->detail, "no address");
    }
}

/* Why there will be no answer: ends the box and says so. */
static void take_end(struct runner *runner, enum waited waited, struct runner_outcome *outcome)
{
    struct box_limits limits = limits_of(&runner->plan);
    struct box_end end;
    runner->held_bytes = box_memory_bytes(runner->box); /* while it lives */
    if (waited != WAIT_ENDED)
        box_kill(runner->box);
    box_collect(runner->box, &end);
    runner->box = NULL;
    if (end.memory_bytes > runner->held_bytes)
        runner->held_bytes = end.memory_bytes;
    outcome->alive = false;
    if (runner->prints >= 0 && !read_prints(runner))
        waited = WAIT_PRINTED;
    if (runner->replies >= 0)
        read_reply(runner); /* a fault that was told at the very end */
    outcome->verdict = box_verdict(&end, &limits, outcome->detail, sizeof outcome->detail);
    if (end.how == BOX_FAILED || end.how == BOX_FORBIDDEN)
        return;
    if (waited == WAIT_PRINTED) {
        outcome->verdict = VERDICT_OUTPUT_LIMIT;
        outcome->detail[0] = '\0';
    } else if (waited == WAIT_FORGED) {
        outcome->verdict = VERDICT_EXITED_EARLY;
        snprintf(outcome->detail, sizeof outcome->detail, "protocol");
    } else if (waited == WAIT_TIME) {
        outcome->verdict = VERDICT_TIME_LIMIT;
        snprintf(outcome->detail, sizeof outcome->detail, "wall");
    } else if (outcome->verdict == VERDICT_MEMORY_LIMIT && !has_another_reason(runner, &end)) {
        tell_memory_limit(runner, outcome);
    } else if (outcome->verdict == VERDICT_MEMORY_LIMIT || outcome->verdict == VERDICT_CRASH) {
        outcome->verdict = VERDICT_CRASH;
        explain_crash(runner, outcome);
    }
}

/* Sends a request and waits; false when there is no answer, and *ret then says why. */
static bool ask(struct runner *runner, const struct wire_request *request,
                struct runner_outcome *ret)
{
    *ret = (struct runner_outcome){.verdict = VERDICT_PASS, .alive = true};
    /* Nobody may speak before being asked. */
    char early;
    bool spoke = runner->replies >= 0 && read(runner->replies, &early, 1) > 0;
    uint64_t before_ns = runner->spent_ns, sent_ns = clock_ns();
    enum waited waited = WAIT_FORGED;
    if (before_ns == 0)
        before_ns = box_processor_ns(runner->box);
    if (!spoke) {
        tell(runner, request, sizeof *request);
        waited = wait_for_answer(runner, sent_ns);
    }
    uint64_t after_ns = runner->spent_ns = box_processor_ns(runner->box);
    ret->spent_ns =
        before_ns > 0 && after_ns > before_ns ? after_ns - before_ns : clock_ns() - sent_ns;
    if (waited == WAIT_ANSWERED && !read_prints(runner))
        waited = WAIT_PRINTED;
    if (waited == WAIT_ANSWERED) {
        ret->heap_bytes = runner->reply.heap_bytes;
        ret->refused_memory = runner->reply.no_memory != 0;
        return true;
    }
    take_end(runner, waited, ret);
    return false;
}

void runner_call(struct runner *runner, const struct fixture *fixture, bool at_end,
                 struct answer *ret_answer, struct runner_outcome *ret)
{
    struct wire_request request;
    const struct leftovers *leftovers = &runner->plan.leftovers;
    uint32_t random = begin_request(runner, WIRE_CALL, &request);
    slots_fill(&runner->slots, fixture, at_end, random,
               leftovers->is_number ? &leftovers->number : NULL);
    add_arguments(runner, &request);
    if (!ask(runner, &request, ret))
        return;
    ret->verdict = slots_check(&runner->slots, ret->detail, sizeof ret->detail);
    slots_take(&runner->slots, ret_answer, &ret->poisoned);
}

void runner_call_nothing(struct runner *runner, struct runner_outcome *ret)
{
    struct wire_request request;
    begin_request(runner, WIRE_NOTHING, &request);
    ask(runner, &request, ret);
}
