/* attn's side of a run: see runner.h. */
#include "judge/run/runner_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/size.h"
#include "compile/wire.h"
#include "files/clock.h"
#include "files/file.h"
#include "sandbox/memory_file.h"
#include "sandbox/system.h"

/* ---- the arrays in shared memory ---- */

enum {
    PAGE_BYTES = 4096,
    CANARY_BYTES = 4096, /* at least, beside an array in its slot */
};

/* One of the two memories: the one that the program shares, and a copy of it before the call. */
struct slot_memory {
    struct memory shared;
    unsigned char *before; /* [shared.n_bytes] */
};

/* The arrays of a case in shared memory, each in a slot of its own. */
struct slots {
    const struct exercise *exercise; /* borrowed */
    struct slot_memory inputs, outputs;
    struct wire_setup setup; /* the part of it that the program is given */

    /* The case that lies in them. */
    const struct fixture *fixture;        /* borrowed */
    uint64_t offsets[FIXTURE_MAX_ARRAYS]; /* of the arrays in their slots */
    uint32_t poison;                      /* the bits of a NaN, or of another leftover */
    uint32_t canary;                      /* the bits of another NaN */
};

/* The bytes that a slot needs to hold an array of n_bytes: whole pages, and room for canaries. */
static uint64_t slot_bytes(size_t n_bytes)
{
    uint64_t pages = (n_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return pages * PAGE_BYTES + CANARY_BYTES;
}

unsigned slots_argument(const struct exercise *exercise, unsigned array)
{
    const struct prototype *prototype = &exercise->prototype;
    const char *name = exercise->arrays[array].name;
    int param = prototype_param(prototype, name, strlen(name));
    return param >= 0 ? (unsigned)param : prototype->n_params;
}

uint64_t slots_scalar(const struct param *param, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return param->kind == PARAM_FLOAT ? bits : (uint64_t)value;
}

static bool is_input(const struct exercise *exercise, unsigned array)
{
    return exercise->arrays[array].role == ROLE_IN;
}

static const struct slot_memory *memory_of(const struct slots *slots, unsigned array)
{
    return is_input(slots->exercise, array) ? &slots->inputs : &slots->outputs;
}

static const struct wire_slot *slot_of(const struct slots *slots, unsigned array)
{
    return &slots->setup.slots[slots_argument(slots->exercise, array)];
}

/* ---- the arrays: making room ---- */

/* Gives each array its slot; returns the sizes of the two memories. */
static void lay_out(struct slots *slots, const uint64_t *sizes, uint64_t *ret_inputs,
                    uint64_t *ret_outputs)
{
    uint64_t totals[2] = {0, 0};
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        bool input = is_input(slots->exercise, i);
        slots->setup.slots[slots_argument(slots->exercise, i)] = (struct wire_slot){
            .fd = input ? WIRE_INPUTS : WIRE_OUTPUTS, .offset = totals[input], .n_bytes = sizes[i]};
        totals[input] += sizes[i];
    }
    *ret_inputs = totals[true];
    *ret_outputs = totals[false];
}

static bool slot_memory_init(struct slot_memory *memory, uint64_t n_bytes, struct error *reterr)
{
    if (!memory_map(n_bytes, &memory->shared, reterr))
        return false;
    memory->before = malloc(n_bytes > 0 ? n_bytes : 1);
    return memory->before != NULL || error_memory(reterr, "the arrays of a case");
}

static void slot_memory_release(struct slot_memory *memory)
{
    memory_release(&memory->shared);
    free(memory->before);
    memory->before = NULL;
}

/* Makes slots of these sizes, in the order of exercise->arrays. shows: with room for what the
 * program shows of itself. *ret is to be released also after a
 * failure. */
static bool slots_init(const struct exercise *exercise, const uint64_t *sizes, bool shows,
                       struct slots *ret, struct error *reterr)
{
    const uint64_t shown_bytes = slot_bytes(sizeof(struct wire_shown));
    uint64_t n_inputs, n_outputs;
    *ret = (struct slots){.exercise = exercise, .inputs.shared.fd = -1, .outputs.shared.fd = -1};
    lay_out(ret, sizes, &n_inputs, &n_outputs);
    if (shows) { /* behind all arrays, where nothing is compared */
        ret->setup.shown =
            (struct wire_slot){.fd = WIRE_OUTPUTS, .offset = n_outputs, .n_bytes = shown_bytes};
        n_outputs += shown_bytes;
    }
    return slot_memory_init(&ret->inputs, n_inputs, reterr) &&
           slot_memory_init(&ret->outputs, n_outputs, reterr);
}

static void slots_release(struct slots *slots)
{
    slot_memory_release(&slots->inputs);
    slot_memory_release(&slots->outputs);
}

/* ---- the arrays: before a call ---- */

static void fill_words(unsigned char *bytes, size_t n_bytes, uint32_t word)
{
    for (size_t i = 0; i + sizeof word <= n_bytes; i += sizeof word)
        memcpy(bytes + i, &word, sizeof word);
}

/* Where the array begins in its memory. */
static uint64_t place_of(const struct slots *slots, unsigned array)
{
    return slot_of(slots, array)->offset + slots->offsets[array];
}

static void place_array(struct slots *slots, unsigned array, bool at_end)
{
    const struct fixture_array *a = &slots->fixture->arrays[array];
    slots->offsets[array] = at_end ? slot_of(slots, array)->n_bytes - a->n_bytes : 0;
    unsigned char *bytes = memory_of(slots, array)->before + place_of(slots, array);
    if (a->before != NULL)
        memcpy(bytes, a->before, a->n_bytes);
    else
        fill_words(bytes, a->n_bytes, slots->poison);
}

static void share(struct slot_memory *memory)
{
    if (memory->shared.n_bytes > 0)
        memcpy(memory->shared.bytes, memory->before, memory->shared.n_bytes);
}

/* Puts a case in, at the end of the slots or at their begin. random: bits for the poison; leftover:
 * what the outputs hold in its place, or NULL. */
static void slots_fill(struct slots *slots, const struct fixture *fixture, bool at_end,
                       uint32_t random, const float *leftover)
{
    slots->fixture = fixture;
    slots->poison = 0x7fc00000u | (random & 0x1fffffu);
    slots->canary = slots->poison | 0x00200000u;
    if (leftover != NULL)
        memcpy(&slots->poison, leftover, sizeof slots->poison);
    fill_words(slots->inputs.before, slots->inputs.shared.n_bytes, slots->canary);
    fill_words(slots->outputs.before, slots->outputs.shared.n_bytes, slots->canary);
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        if (fixture->arrays[i].present)
            place_array(slots, i, at_end);
    if (slots->setup.shown.fd != 0)
        memset(slots->outputs.before + slots->setup.shown.offset, 0, slots->setup.shown.n_bytes);
    share(&slots->inputs);
    share(&slots->outputs);
}

/* Fills in what a request says of the arrays. */
static void slots_request(const struct slots *slots, struct wire_request *request)
{
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        request->args[slots_argument(slots->exercise, i)] =
            slots->fixture->arrays[i].present ? slots->offsets[i] : WIRE_NULL;
}

/* ---- the arrays: after a call ---- */

/* The byte nearest to the array [begin, end) that differs, of those in its slot beside it. True
 * when there is one; *ret_offset counts from the array's begin. */
static bool beside_changed(const struct slot_memory *memory, const struct wire_slot *slot,
                           size_t begin, size_t end, int64_t *ret_offset)
{
    const unsigned char *now = memory->shared.bytes, *before = memory->before;
    size_t slot_end = slot->offset + slot->n_bytes;
    if (memcmp(now + slot->offset, before + slot->offset, begin - slot->offset) == 0 &&
        memcmp(now + end, before + end, slot_end - end) == 0)
        return false; /* as nearly always, and checked at the speed of memcmp() */
    for (size_t at = end; at < slot_end; at++)
        if (now[at] != before[at]) {
            *ret_offset = (int64_t)(at - begin);
            return true;
        }
    for (size_t at = begin; at > slot->offset; at--)
        if (now[at - 1] != before[at - 1]) {
            *ret_offset = -(int64_t)(begin - at + 1);
            return true;
        }
    return false;
}

/* Looks at the room beside the arrays, and at the inputs: PASS if all of it is unchanged, else
 * OUT_OF_BOUNDS or MODIFIED_INPUTS with a detail. */
static enum verdict slots_check(const struct slots *slots, char *detail, size_t capacity)
{
    enum verdict verdict = VERDICT_PASS;
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        const struct slot_memory *memory = memory_of(slots, i);
        const struct fixture_array *a = &slots->fixture->arrays[i];
        size_t begin = a->present ? place_of(slots, i) : slot_of(slots, i)->offset;
        size_t end = a->present ? begin + a->n_bytes : begin;
        int64_t offset;
        if (beside_changed(memory, slot_of(slots, i), begin, end, &offset)) {
            bounds_describe(slots->fixture, i, offset, ACCESS_WRITTEN, detail, capacity);
            return VERDICT_OUT_OF_BOUNDS;
        }
        if (verdict == VERDICT_PASS && is_input(slots->exercise, i) &&
            memcmp(memory->shared.bytes + begin, memory->before + begin, end - begin) != 0) {
            snprintf(detail, capacity, "%s", slots->exercise->arrays[i].name);
            verdict = VERDICT_MODIFIED_INPUTS;
        }
    }
    return verdict;
}

static bool is_poison(const struct slots *slots, const float *cell)
{
    uint32_t bits;
    memcpy(&bits, cell, sizeof bits);
    return bits == slots->poison;
}

/* Copies the outputs, once. *ret_poisoned: there are cells that were not written. */
static void slots_take(const struct slots *slots, struct answer *answer, bool *ret_poisoned)
{
    *ret_poisoned = false;
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        const struct fixture_array *a = &slots->fixture->arrays[i];
        float *cells = answer->floats[i];
        if (cells == NULL || !a->present)
            continue;
        memcpy(cells, slots->outputs.shared.bytes + place_of(slots, i), a->n_bytes);
        for (size_t j = 0; j < a->n_cells && a->before == NULL; j++)
            *ret_poisoned = *ret_poisoned || is_poison(slots, &cells[j]);
    }
}

/* What the program shows, as it is now; NULL without room for it. The program may change it at any
 * time, and to anything. */
static const volatile struct wire_shown *slots_shown(const struct slots *slots)
{
    const struct wire_slot *slot = &slots->setup.shown;
    return slot->fd == 0
               ? NULL
               : (const volatile struct wire_shown *)(slots->outputs.shared.bytes + slot->offset);
}

/* The array whose slot this argument's is, or -1. argument may be any number. */
static int slots_array(const struct slots *slots, int64_t argument)
{
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        if (argument == (int64_t)slots_argument(slots->exercise, i))
            return (int)i;
    return -1;
}

/* ---- the end of the box ---- */

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

/* ---- the runner ---- */

#define FARTHEST_BYTES ((int64_t)1 << 40) /* from an array, to be spoken of */

enum {
    NS_IN_MS = 1000000,
    MOMENT_MS = 10,                 /* some turns of a scheduler */
    GROWTH_BYTES_PER_MS = 32 << 10, /* so much more, and it is the memory that is running out */
    COUNT_SLACK_BYTES = 256 << 10,  /* the kernel counts pages in lots of 32 for each processor */
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
    /* What it held before the first call, where the plan has a limit of its own; 0: not looked. */
    uint64_t begun_bytes;
    uint64_t variant; /* see runner_choose_variant() */

    /* The call under way. */
    uint64_t nonce;
    struct wire_reply reply;
    size_t reply_size;       /* bytes of it that are there */
    struct wire_reply fault; /* kind 0: no fault was reported */
};

/* ---- the runner: its plan ---- */

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

/* ---- the runner: starting ---- */

static struct box_limits limits_of(const struct runner_plan *plan)
{
    struct box_limits limits = plan->limits->run;
    if (plan->memory_bytes > 0) {
        limits.data_bytes = BASE_BYTES + plan->memory_bytes;
        limits.stack_bytes = plan->memory_bytes;
    }
    return limits;
}

/* glibc would set freed blocks apart and count them as used; and memory from malloc() would be zero
 * by luck. glibc fills it with the complement of the byte given here. */
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

/* ---- the runner: before a call ---- */

/* Begins a request with a fresh nonce. Returns random bits for the arrays' poison. */
static uint32_t begin_request(struct runner *runner, enum wire_wish wish, struct wire_request *ret)
{
    uint64_t bits[3];
    if (!system_random(bits, sizeof bits))
        bits[0] = bits[1] = bits[2] = clock_ns();
    runner->nonce = bits[0];
    runner->reply_size = 0;
    runner->fault.kind = 0;
    *ret = (struct wire_request){
        .nonce = runner->nonce, .wish = wish, .clock_shift = bits[2], .variant = runner->variant};
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

/* ---- the runner: waiting ---- */

/* Reads the printed output; false if it is too much. */
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

/* The time is up. A wait that is not over yet is not counted anywhere: a program that wants the
 * processor and has not had it since the last look is given a moment of it beforehand. */
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

/* The case's time is up. A program that has ended is waited for, as long as the run may take: its
 * exit says more than that its time is up, and the system needs a while to take back much
 * memory. */
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

/* ---- the runner: after a call ---- */

/* The array that a fault happened at, or -1. The report about it may hold any value. */
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

/* A crash, described more closely by the runner's report. */
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
        read_reply(runner); /* a fault that was reported at the very end */
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

/* Did the calls take more memory than the plan's own limit, in whatever way? The system's limits
 * count each kind of memory by itself. What the arrays hold is theirs, and the kernel's own count
 * is vague by COUNT_SLACK_BYTES. */
static bool took_too_much(const struct runner *runner)
{
    uint64_t held = box_memory_bytes(runner->box), allowed = runner->begun_bytes;
    allowed += runner->slots.inputs.shared.n_bytes + runner->slots.outputs.shared.n_bytes;
    return runner->plan.memory_bytes > 0 && runner->begun_bytes > 0 &&
           held > allowed + runner->plan.memory_bytes + COUNT_SLACK_BYTES;
}

void runner_choose_variant(struct runner *runner, uint64_t variant)
{
    runner->variant = variant;
}

void runner_call(struct runner *runner, const struct fixture *fixture, bool at_end,
                 struct answer *ret_answer, struct runner_outcome *ret)
{
    struct wire_request request;
    const struct leftovers *leftovers = &runner->plan.leftovers;
    if (runner->plan.memory_bytes > 0 && runner->begun_bytes == 0) {
        runner_call_nothing(runner, ret);
        if (!ret->alive)
            return;
        runner->begun_bytes = box_memory_bytes(runner->box);
    }
    uint32_t random = begin_request(runner, WIRE_CALL, &request);
    slots_fill(&runner->slots, fixture, at_end, random,
               leftovers->is_number ? &leftovers->number : NULL);
    add_arguments(runner, &request);
    if (!ask(runner, &request, ret))
        return;
    ret->verdict = slots_check(&runner->slots, ret->detail, sizeof ret->detail);
    if (ret->verdict == VERDICT_PASS && took_too_much(runner))
        tell_memory_limit(runner, ret);
    slots_take(&runner->slots, ret_answer, &ret->poisoned);
}

void runner_call_nothing(struct runner *runner, struct runner_outcome *ret)
{
    struct wire_request request;
    begin_request(runner, WIRE_NOTHING, &request);
    ask(runner, &request, ret);
}
