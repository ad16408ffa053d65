/* Grading many submissions: see batch.h. This process keeps the results; the one that starts the
 * workers is batch_starter.c's. */
#include "judge/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/file.h"
#include "judge/batch_internal.h"
#include "sandbox/system.h"

enum { READ_END = 0, WRITE_END = 1 };

struct batch {
    const struct batch_plan *plan;
    const struct submissions *submissions;
    pid_t starter;          /* its process */
    int orders, messages;   /* see batch_internal.h; -1: closed */
    unsigned char *is_done; /* [submissions->n] */
    struct results *results;
    size_t *order; /* [submissions->n]; the submission of each result */
    uint64_t build_us;
    struct text pending; /* of messages, what is not a whole one yet */
    bool is_over;        /* all was said */
    struct error error;  /* ends the batch */
};

/* ---- the starter ---- */

static bool make_pipes(int orders[2], int messages[2])
{
    messages[READ_END] = messages[WRITE_END] = -1;
    return file_pipe(orders) && file_pipe(messages) &&
           fcntl(messages[READ_END], F_SETFL, O_NONBLOCK) == 0;
}

static pid_t fork_starter(const struct batch *batch, int orders[2], int messages[2])
{
    pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    system_end_with_parent();
    if (getppid() != parent)
        _exit(0);
    file_close(&orders[WRITE_END]);
    file_close(&messages[READ_END]);
    batch_starter_run(batch->plan, batch->submissions, orders[READ_END], messages[WRITE_END]);
}

static bool start(struct batch *batch)
{
    int orders[2], messages[2];
    bool ok = make_pipes(orders, messages);
    if (ok)
        batch->starter = fork_starter(batch, orders, messages);
    if (!ok || batch->starter < 0)
        error_set(&batch->error, ERR_FILE, "the process that starts workers: %s", strerror(errno));
    file_close(&orders[READ_END]);
    file_close(&messages[WRITE_END]);
    batch->orders = orders[WRITE_END];
    batch->messages = messages[READ_END];
    return batch->error.kind == ERR_NONE;
}

struct batch *batch_open(const struct batch_plan *plan, const struct submissions *submissions,
                         struct error *reterr)
{
    struct batch *batch = malloc(sizeof *batch);
    if (batch == NULL) {
        error_memory(reterr, "grading");
        return NULL;
    }
    *batch = (struct batch){
        .plan = plan, .submissions = submissions, .starter = -1, .orders = -1, .messages = -1};
    batch->is_done = calloc(submissions->n + 1, sizeof *batch->is_done);
    batch->order = calloc(submissions->n + 1, sizeof *batch->order);
    if (batch->is_done == NULL || batch->order == NULL)
        error_memory(&batch->error, "grading");
    if (batch->error.kind == ERR_NONE && start(batch))
        return batch;
    if (reterr != NULL)
        *reterr = batch->error;
    batch_close(batch);
    return NULL;
}

/* It ends its workers, and they their boxes, when it is told nothing more. */
void batch_close(struct batch *batch)
{
    if (batch == NULL)
        return;
    file_close(&batch->orders);
    file_close(&batch->messages);
    while (batch->starter > 0 && waitpid(batch->starter, NULL, 0) < 0 && errno == EINTR) {
    }
    text_release(&batch->pending);
    free(batch->is_done);
    free(batch->order);
    free(batch);
}

/* ---- results ---- */

/* Takes over a result, at its place in the order of the submissions, where it is until the next one
 * comes; NULL without memory. */
static const struct result *keep(struct batch *batch, size_t submission, struct result *result)
{
    size_t place = 0, end = batch->results->n;
    while (place < end) {
        size_t middle = place + (end - place) / 2;
        if (batch->order[middle] < submission)
            place = middle + 1;
        else
            end = middle;
    }
    if (!results_insert(batch->results, place, result, &batch->error)) {
        result_release(result);
        return NULL;
    }
    memmove(batch->order + place + 1, batch->order + place,
            (batch->results->n - 1 - place) * sizeof *batch->order);
    batch->order[place] = submission;
    batch->is_done[submission] = 1;
    return &batch->results->items[place];
}

/* ---- results of an earlier run ---- */

static int compare_pointers(const void *a, const void *b)
{
    return result_compare(*(struct result *const *)a, *(struct result *const *)b);
}

/* The earlier result of a submission; NULL when it must be graded. An internal error is no answer.
 */
static struct result *find_earlier(const struct submission *submission, struct result **sorted,
                                   size_t n)
{
    if (submission->exercise == NULL)
        return NULL;
    struct result wanted = {.file = submission->name, .exercise = submission->exercise->id};
    struct result *key = &wanted;
    struct result **found = bsearch(&key, sorted, n, sizeof(struct result *), compare_pointers);
    bool is_answer = found != NULL && (*found)->verdict != VERDICT_INTERNAL_ERROR;
    return is_answer ? *found : NULL;
}

static bool take_done(struct batch *batch, struct results *done)
{
    if (done == NULL || done->n == 0)
        return true;
    struct result **sorted = calloc(done->n, sizeof(struct result *));
    if (sorted == NULL)
        return error_memory(&batch->error, "the results of the earlier run");
    for (size_t i = 0; i < done->n; i++)
        sorted[i] = &done->items[i];
    qsort(sorted, done->n, sizeof(struct result *), compare_pointers);
    bool ok = true;
    for (size_t i = 0; ok && i < batch->submissions->n; i++) {
        struct result *before = find_earlier(&batch->submissions->items[i], sorted, done->n);
        if (before == NULL)
            continue;
        before->submitted_s = batch->submissions->items[i].submitted_s;
        ok = result_call(before, batch->submissions->items[i].student, &batch->error) &&
             keep(batch, i, before) != NULL;
    }
    free(sorted);
    return ok;
}

/* ---- what the starter says ---- */

static void take_result(struct batch *batch, const struct batch_message *message, const char *bytes)
{
    struct result result;
    json_t *json = json_loadb(bytes, message->size, 0, NULL);
    bool ok = json != NULL && result_from_json(json, &result, NULL);
    json_decref(json);
    if (!ok || message->submission >= batch->submissions->n) {
        error_memory(&batch->error, "a result");
        return;
    }
    batch->build_us += message->build_us;
    const struct result *kept = keep(batch, message->submission, &result);
    if (kept != NULL && batch->plan->after_each != NULL)
        batch->plan->after_each(batch->plan->context, batch->results, kept, batch->submissions->n);
}

static bool must_stop(const struct batch *batch)
{
    return batch->error.kind != ERR_NONE || batch->is_over ||
           (batch->plan->stop != NULL && *batch->plan->stop);
}

/* Takes one from bytes[0..size); how many bytes that was, 0 where it is not whole. */
static size_t take_message(struct batch *batch, const char *bytes, size_t size)
{
    struct batch_message message;
    if (size < sizeof message)
        return 0;
    memcpy(&message, bytes, sizeof message);
    if (size - sizeof message < message.size)
        return 0;
    if (message.submission != BATCH_IS_OVER) {
        take_result(batch, &message, bytes + sizeof message);
    } else {
        memcpy(&batch->error, bytes + sizeof message, sizeof batch->error);
        batch->build_us += message.build_us;
        batch->is_over = true;
    }
    return sizeof message + message.size;
}

static void take_messages(struct batch *batch)
{
    size_t at = 0, taken = 1;
    while (taken > 0 && !must_stop(batch)) {
        taken = take_message(batch, text_string(&batch->pending) + at, batch->pending.size - at);
        at += taken;
    }
    if (at > 0) {
        memmove(batch->pending.bytes, batch->pending.bytes + at, batch->pending.size - at);
        text_shrink(&batch->pending, batch->pending.size - at);
    }
}

/* Reads what is there; false at the end. */
static bool read_messages(struct batch *batch)
{
    char bytes[65536];
    ssize_t n = read(batch->messages, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    text_add(&batch->pending, bytes, (size_t)n);
    if (batch->pending.failed)
        error_memory(&batch->error, "a result");
    return n > 0;
}

static void listen_to_starter(struct batch *batch)
{
    bool is_there = true;
    while (is_there && !must_stop(batch)) {
        struct pollfd messages = {.fd = batch->messages, .events = POLLIN};
        if (poll(&messages, 1, BATCH_LOOK_MS) > 0)
            is_there = read_messages(batch);
        take_messages(batch);
    }
    if (batch->error.kind != ERR_NONE || batch->is_over)
        return;
    if (batch->plan->stop != NULL && *batch->plan->stop)
        error_set(&batch->error, ERR_INTERRUPTED, "interrupted: %zu of %zu files are graded",
                  batch->results->n, batch->submissions->n);
    else
        error_set(&batch->error, ERR_FILE,
                  "the process that starts workers was ended: %zu of %zu files are graded",
                  batch->results->n, batch->submissions->n);
}

static void give_orders(struct batch *batch, uint64_t seed)
{
    const struct batch_go go = {.seed = seed};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before); /* that nobody is there is seen when it says nothing */
    if (file_write_all(batch->orders, &go, sizeof go))
        (void)file_write_all(batch->orders, batch->is_done, batch->submissions->n);
    sigaction(SIGPIPE, &before, NULL);
}

bool batch_run(struct batch *batch, uint64_t seed, struct results *done, struct results *ret,
               struct error *reterr)
{
    struct results results = {.seed = seed};
    batch->results = &results;
    if (take_done(batch, done)) {
        give_orders(batch, seed);
        listen_to_starter(batch);
    }
    batch->results = NULL;
    *ret = results;
    if (batch->error.kind != ERR_NONE && reterr != NULL)
        *reterr = batch->error;
    return batch->error.kind == ERR_NONE;
}

uint64_t batch_build_us(const struct batch *batch)
{
    return batch->build_us;
}
