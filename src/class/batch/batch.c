/* Grading many submissions: see batch.h.
 *
 * Two processes share the work: one keeps the results, which is the caller's, and one starts the
 * workers. The first gives its orders through one pipe, and gets the results through another. The
 * starter is forked before there are results and stays small: a worker, and each box that it makes,
 * begins as a copy of it, and the memory of such a copy would hide how much a program took. */
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/archive.h"
#include "batch/submission_internal.h"
#include "base/array.h"
#include "files/clock.h"
#include "files/file.h"
#include "judge/explain.h"
#include "kernel/threads.h"
#include "sandbox/system.h"
#include "result/source.h"

/* ---- what goes through the pipes ---- */

enum { BATCH_LOOK_MS = 50 /* how long a signal or a silent worker may wait to be seen */ };

/* The order to the starter. After it comes a byte for each submission, which is not 0 if the
 * submission is done. The end of the pipe tells the starter to end. */
struct batch_go {
    uint64_t seed;
};

/* A message of the starter. After it come `size` bytes: a result as json; or, in the last message,
 * whose submission is BATCH_IS_OVER, the struct error that ended the starter. */
struct batch_message {
    uint64_t submission;
    uint64_t size;
    uint64_t build_us; /* processor time of the compiler and the linker */
};

/* What a worker sends to the starter before its result. */
struct batch_spent {
    uint64_t build_us;
    uint64_t explain_ms; /* on the wall, to find out why a program crashed */
};
#define BATCH_IS_OVER UINT64_MAX

/* ---- the starter ---- */

/* The starter starts workers, listens to their pipes and collects them. A worker is a fork that has
 * the exercise's setup from its parent. It judges one submission, writes the result as json into
 * its pipe and ends. If it ends without a readable result, for whatever reason, that is an internal
 * error of its submission alone. If it takes too long it is killed, and its boxes die with it. A
 * process that a worker leaves becomes a child of the starter, which ends it; so the starter may
 * have no other children than workers. */

enum {
    RESULT_MAX_BYTES = 16 * 1024 * 1024, /* of a worker's json */
    LEAST_EXPLAINED = 20,                /* a class with fewer files has the time of this many */
    MANY_PROGRAMS = 8, /* to one exercise: to prepare the linker takes as long as to link three */
};

/* What all submissions to one exercise share. */
struct shared_setup {
    const struct exercise *exercise; /* NULL: of files that are for none */
    bool is_there, is_open;
    struct judge_setup setup;
    struct error why; /* it could not be opened */
};

struct batch_worker {
    pid_t pid; /* 0: there is no process */
    int fd;    /* of its pipe; -1 after its end */
    size_t submission;
    uint64_t deadline_ms;
    bool was_late;
    struct text sent; /* a struct batch_spent, then json */
};

struct starter {
    const struct batch_plan *plan;
    const struct submissions *submissions;
    int orders, messages; /* its ends of the pipes */
    uint64_t seed;
    struct edits edits;         /* for all exercises; empty for a single submission */
    struct shared_setup shared; /* of the exercise that it is at; a worker has a copy by its fork */
    struct batch_worker *workers; /* [n_jobs] */
    struct pollfd *polls;         /* [n_jobs + 1] */
    unsigned n_jobs, n_running;
    unsigned char *is_begun;    /* [submissions->n]: done, or started */
    size_t next;                /* before it nothing is to start for that exercise */
    uint64_t build_us;          /* of a worker: what it built; of the starter: for setups */
    uint64_t explain_ms;        /* of a worker; of the starter: what is left of the class's time */
    unsigned n_internal_errors; /* in a row */
    bool must_end;              /* on request, or because the reader is gone */
    struct error error;         /* ends the batch */
};

/* ---- the worker: one submission ---- */

/* May whoever grades not read it? why is source_read()'s. The student is not to blame for that. */
static bool is_closed(const char *path, const char *why)
{
    struct stat here;
    return strcmp(why, "unreadable") == 0 || strcmp(why, ARCHIVE_NO_ZLIB) == 0 ||
           (lstat(path, &here) == 0 && S_ISDIR(here.st_mode) && access(path, R_OK | X_OK) != 0);
}

/* Judges the source in the file. The learner's message is part of the result. */
static bool judge_file(struct starter *starter, const struct submission *submission,
                       struct result *ret, struct error *reterr)
{
    const struct batch_plan *plan = starter->plan;
    struct shared_setup *shared = &starter->shared;
    unsigned options = (plan->shows_inputs ? JUDGE_SHRINK : JUDGE_HIDE_DRAWN) |
                       (starter->explain_ms > 0 ? JUDGE_EXPLAIN_CRASH : 0);
    starter->explain_ms = 0;
    struct text source = {0};
    char digest[DIGEST_TEXT];
    const char *why;
    bool ok;
    if (!submission_read(submission, plan->limits->source_bytes, &source, &why)) {
        ok = strcmp(why, SOURCE_NO_MEMORY) == 0 ? error_memory(reterr, "reading the file")
             : is_closed(submission->path, why)
                 ? result_say(ret, VERDICT_INTERNAL_ERROR, RESULT_CLOSED, "attn may not read this.",
                              reterr)
                 : result_say(ret, VERDICT_BAD_FILE, why, verdict_sentence(VERDICT_BAD_FILE),
                              reterr);
    } else if (submission->exercise == NULL) {
        ok = result_say(ret, VERDICT_BAD_FILE, "no exercise",
                        "The file's name is not an exercise's.", reterr);
    } else if (!shared->is_open) {
        ok = result_say(ret, VERDICT_INTERNAL_ERROR, "the exercise", shared->why.text, reterr);
    } else {
        struct judgement judgement;
        judge_submission(&shared->setup, path_base_name(submission->name), text_string(&source),
                         source.size, options, &judgement);
        starter->explain_ms = judgement.explain_ms;
        digest_of(text_string(&source), source.size, digest);
        ok = explain_message(submission->exercise, &judgement, reterr) &&
             result_set_origin(&judgement.result, digest, submission->exercise->digest, reterr);
        if (ok) {
            result_release(ret);
            *ret = judgement.result;
            result_init(&judgement.result);
        }
        judgement_release(&judgement);
    }
    text_release(&source);
    return ok;
}

/* Fills in the names, what it could have been worth, and the time; the judge gave the points. */
static bool finish_result(const struct submission *submission, double time_ms,
                          struct result *result, struct error *reterr)
{
    const struct exercise *exercise = submission->exercise;
    result_judge(result, result->score, exercise != NULL ? exercise->score : 0);
    result->time_ms = time_ms;
    result->attempt = submission->attempt;
    result->submitted_s = submission->submitted_s;
    return result_name(result, submission->path, submission->student,
                       exercise != NULL ? exercise->id : "", reterr);
}

/* Its json, to be freed; NULL without memory. */
static char *result_text(const struct result *result)
{
    json_t *json = result_to_json(result);
    char *text = json_dumps(json, JSON_REAL_PRECISION(15));
    json_decref(json);
    return text;
}

/* False when there is no memory, or nobody to take it. */
static bool send_result(int fd, const struct starter *starter, const struct result *result)
{
    const struct batch_spent spent = {starter->build_us, starter->explain_ms};
    char *text = result_text(result);
    bool ok = text != NULL && file_write_all(fd, &spent, sizeof spent) &&
              file_write_all(fd, text, strlen(text));
    free(text);
    return ok;
}

/* The whole life of the worker process. */
_Noreturn static void work(struct starter *starter, const struct submission *submission,
                           pid_t parent, int fd)
{
    struct result result;
    struct error error;
    uint64_t start_us = clock_us();
    setpgid(0, 0);            /* Ctrl-C at the terminal is for the parent alone */
    signal(SIGPIPE, SIG_DFL); /* which the parent ignores, but not the programs started here */
    file_close(&starter->orders);
    file_close(&starter->messages);
    starter->build_us = 0;
    system_end_with_parent();
    threads_set(1); /* the other processors are for its neighbours */
    if (getppid() != parent)
        _exit(1);
    result_init(&result);
    if (!judge_file(starter, submission, &result, &error) &&
        !result_say(&result, VERDICT_INTERNAL_ERROR, "", error.text, &error))
        _exit(1);
    if (!finish_result(submission, (double)(clock_us() - start_us) / 1000, &result, &error) ||
        !send_result(fd, starter, &result))
        _exit(1);
    _exit(0);
}

/* ---- the starter: results ---- */

/* When nobody listens any more, that is the end. */
static void send_message(struct starter *starter, uint64_t submission, uint64_t build_us,
                         const void *bytes, size_t size)
{
    const struct batch_message message = {
        .submission = submission, .size = size, .build_us = build_us};
    if (!file_write_all(starter->messages, &message, sizeof message) ||
        !file_write_all(starter->messages, bytes, size))
        starter->must_end = true;
}

/* Too many internal errors in a row mean that something of attn is broken: if grading went on,
 * everybody would get the same. */
static void count_internal_error(struct starter *starter, const struct result *result)
{
    bool is_ours = result->verdict == VERDICT_INTERNAL_ERROR &&
                   strcmp(result_word(result->detail), RESULT_CLOSED) != 0;
    unsigned limit = starter->plan->limits->internal_errors;
    starter->n_internal_errors = is_ours ? starter->n_internal_errors + 1 : 0;
    if (is_ours && limit > 0 && starter->n_internal_errors >= limit)
        error_set(&starter->error, ERR_LIMIT,
                  "grading stopped after %u internal errors in a row: %s: %s", limit,
                  result_word(result->file), result_word(result->message));
}

/* A result that no worker gave. */
static void report_own(struct starter *starter, size_t submission, double time_ms,
                       enum verdict verdict, const char *detail, const char *message)
{
    struct result result;
    char *json = NULL;
    result_init(&result);
    if (result_say(&result, verdict, detail, message, &starter->error) &&
        finish_result(&starter->submissions->items[submission], time_ms, &result,
                      &starter->error) &&
        (json = result_text(&result)) == NULL)
        error_memory(&starter->error, "a result");
    if (json != NULL) {
        send_message(starter, submission, 0, json, strlen(json));
        count_internal_error(starter, &result);
    }
    free(json);
    result_release(&result);
}

/* ---- the starter: starting workers ---- */

static void close_setup(struct starter *starter)
{
    if (starter->shared.is_open)
        judge_setup_close(&starter->shared.setup);
    starter->shared = (struct shared_setup){.is_there = false};
}

/* Are there so many submissions to it that it pays to prepare the linker? */
static bool is_popular(const struct starter *starter, const struct exercise *exercise)
{
    size_t n = 0;
    for (size_t i = 0; i < starter->submissions->n; i++)
        n += !starter->is_begun[i] && starter->submissions->items[i].exercise == exercise;
    return n >= MANY_PROGRAMS;
}

/* One exercise comes after the other, so that there is never more than one setup: each worker and
 * each box begins with a copy of the process, and a larger one takes longer to copy. */
static void go_to_exercise(struct starter *starter, const struct exercise *exercise)
{
    const struct judge_plan plan = {.exercise = exercise,
                                    .compiler = starter->plan->compiler,
                                    .limits = starter->plan->limits,
                                    .data_dir = starter->plan->data_dir,
                                    .edits = starter->edits.n > 0 ? &starter->edits : NULL,
                                    .layers = starter->plan->layers,
                                    .seed = starter->seed,
                                    .build_cpu_us = &starter->build_us,
                                    .links_many = is_popular(starter, exercise)};
    close_setup(starter);
    starter->shared.exercise = exercise;
    starter->shared.is_there = true;
    if (exercise != NULL)
        starter->shared.is_open =
            judge_setup_open(&plan, &starter->shared.setup, &starter->shared.why);
    system_give_back_memory();
}

/* The next for the exercise that it is at, else the first for another one; submissions->n when all
 * have begun. */
static size_t next_submission(const struct starter *starter)
{
    const struct submission *items = starter->submissions->items;
    size_t n = starter->submissions->n, at = starter->shared.is_there ? starter->next : n;
    while (at < n && (starter->is_begun[at] || items[at].exercise != starter->shared.exercise))
        at++;
    if (at < n)
        return at;
    for (at = 0; at < n && starter->is_begun[at];)
        at++;
    return at;
}

/* False with errno set when the system has no process or pipe to give. */
static bool start_worker(struct starter *starter, struct batch_worker *worker, size_t submission)
{
    int ends[2];
    pid_t parent = getpid();
    if (!file_pipe(ends))
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(starter, &starter->submissions->items[submission], parent, ends[1]);
    }
    int why = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = why;
        return false;
    }
    setpgid(pid, pid); /* whoever is first */
    text_clear(&worker->sent);
    worker->pid = pid;
    worker->fd = ends[0];
    worker->submission = submission;
    worker->was_late = false;
    worker->deadline_ms = (uint64_t)clock_ms() + starter->plan->limits->submission_wall_ms;
    starter->n_running++;
    return true;
}

/* Starts the next submission. False when there is nothing to start now. */
static bool start_next(struct starter *starter)
{
    unsigned at = 0;
    while (at < starter->n_jobs && starter->workers[at].pid != 0)
        at++;
    if (at == starter->n_jobs)
        return false;
    size_t next = starter->next = next_submission(starter);
    if (next == starter->submissions->n)
        return false;
    const struct exercise *exercise = starter->submissions->items[next].exercise;
    if (!starter->shared.is_there || starter->shared.exercise != exercise)
        go_to_exercise(starter, exercise);
    if (!start_worker(starter, &starter->workers[at], next)) {
        if (starter->n_running > 0)
            return false; /* when one of those has ended there may be room */
        report_own(starter, next, 0, VERDICT_INTERNAL_ERROR, "no process", strerror(errno));
    }
    starter->is_begun[next] = 1;
    return true;
}

/* ---- the starter: collecting workers ---- */

static void kill_worker(const struct batch_worker *worker)
{
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
}

/* Reads what is there without waiting. */
static void drain(struct batch_worker *worker)
{
    char bytes[65536];
    while (worker->fd >= 0) {
        ssize_t n = read(worker->fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n > 0 && worker->sent.size < RESULT_MAX_BYTES) {
            text_add(&worker->sent, bytes, (size_t)n);
            continue;
        }
        close(worker->fd);
        worker->fd = -1;
    }
}

static void forget_worker(struct starter *starter, struct batch_worker *worker)
{
    if (worker->fd >= 0)
        close(worker->fd);
    worker->fd = -1;
    worker->pid = 0;
    starter->n_running--;
}

/* What a worker sent, where it is whole: *ret_spent, and a result's json, which is returned. */
static const char *read_sent(const struct batch_worker *worker, const struct submission *submission,
                             struct batch_spent *ret_spent, struct result *ret)
{
    const char *json = text_string(&worker->sent) + sizeof *ret_spent;
    if (worker->sent.failed || worker->sent.size < sizeof *ret_spent)
        return NULL;
    memcpy(ret_spent, text_string(&worker->sent), sizeof *ret_spent);
    json_t *root = json_loadb(json, worker->sent.size - sizeof *ret_spent, 0, NULL);
    bool ok = root != NULL && result_from_json(root, ret, NULL);
    json_decref(root);
    if (ok && strcmp(ret->file, submission->name) != 0) {
        result_release(ret);
        return NULL;
    }
    return ok ? json : NULL;
}

/* False when it sent no result. */
static bool report_sent(struct starter *starter, const struct batch_worker *worker)
{
    const struct submission *submission = &starter->submissions->items[worker->submission];
    struct result result;
    struct batch_spent spent;
    const char *json = read_sent(worker, submission, &spent, &result);
    if (json == NULL)
        return false;
    starter->explain_ms -=
        starter->explain_ms < spent.explain_ms ? starter->explain_ms : spent.explain_ms;
    send_message(starter, worker->submission, spent.build_us, json,
                 worker->sent.size - sizeof spent);
    count_internal_error(starter, &result);
    result_release(&result);
    return true;
}

/* Its process is over: reports what it sent, or why it sent nothing. */
static void finish_worker(struct starter *starter, struct batch_worker *worker, int status)
{
    unsigned limit_ms = starter->plan->limits->submission_wall_ms;
    char message[120];
    drain(worker);
    forget_worker(starter, worker);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && report_sent(starter, worker))
        return;
    if (worker->was_late) {
        snprintf(message, sizeof message, "Grading it took more than %g s in all and was stopped.",
                 (double)limit_ms / 1000);
        report_own(starter, worker->submission, limit_ms, VERDICT_TIME_LIMIT, "wall", message);
        return;
    }
    if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "The process that graded it was ended by signal %d.",
                 WTERMSIG(status));
    else
        snprintf(message, sizeof message,
                 "The process that graded it gave no result and exit code %d.",
                 WEXITSTATUS(status));
    report_own(starter, worker->submission, 0, VERDICT_INTERNAL_ERROR, "worker", message);
}

static void look_after(struct starter *starter, struct batch_worker *worker)
{
    int status;
    drain(worker);
    pid_t ended = waitpid(worker->pid, &status, WNOHANG);
    if (ended == worker->pid) {
        finish_worker(starter, worker, status);
    } else if (ended < 0 && errno == ECHILD) { /* somebody else took its status */
        finish_worker(starter, worker, 0);
    } else if (!worker->was_late && (uint64_t)clock_ms() >= worker->deadline_ms) {
        worker->was_late = true;
        kill_worker(worker);
    }
}

static bool is_worker(const struct starter *starter, pid_t pid)
{
    for (unsigned i = 0; i < starter->n_jobs; i++)
        if (starter->workers[i].pid == pid)
            return true;
    return false;
}

/* Collects processes that workers left and that have ended. A worker's own end is left for
 * look_after(); the processes after it wait for the next round. */
static void reap_orphans(const struct starter *starter)
{
    siginfo_t info = {0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
           !is_worker(starter, info.si_pid))
        waitpid(info.si_pid, NULL, 0);
}

/* Orders are never given twice: what comes there is its end. */
static void wait_for_workers(struct starter *starter)
{
    nfds_t n = 0;
    int timeout_ms = BATCH_LOOK_MS;
    starter->polls[n++] = (struct pollfd){.fd = starter->orders, .events = POLLIN};
    for (unsigned i = 0; i < starter->n_jobs; i++) {
        const struct batch_worker *worker = &starter->workers[i];
        if (worker->pid != 0 && worker->fd >= 0)
            starter->polls[n++] = (struct pollfd){.fd = worker->fd, .events = POLLIN};
        else if (worker->pid != 0)
            timeout_ms = 1; /* it closed its pipe: the end is a moment away */
    }
    if (poll(starter->polls, n, timeout_ms) > 0 && starter->polls[0].revents != 0)
        starter->must_end = true;
    for (unsigned i = 0; i < starter->n_jobs && !starter->must_end; i++)
        if (starter->workers[i].pid != 0)
            look_after(starter, &starter->workers[i]);
    reap_orphans(starter);
}

/* ---- the starter: its life ---- */

static bool starter_init(struct starter *starter, struct error *reterr)
{
    size_t n = starter->submissions->n, n_jobs = starter->plan->jobs < n ? starter->plan->jobs : n;
    starter->n_jobs = n_jobs > 0 ? (unsigned)n_jobs : 1;
    starter->workers = calloc(starter->n_jobs, sizeof *starter->workers);
    starter->polls = calloc(starter->n_jobs + 1, sizeof *starter->polls);
    starter->is_begun = calloc(n + 1, sizeof *starter->is_begun);
    return (starter->workers != NULL && starter->polls != NULL && starter->is_begun != NULL) ||
           error_memory(reterr, "grading");
}

static void starter_release(struct starter *starter)
{
    for (unsigned i = 0; starter->workers != NULL && i < starter->n_jobs; i++)
        text_release(&starter->workers[i].sent);
    close_setup(starter);
    edits_release(&starter->edits);
    free(starter->workers);
    free(starter->polls);
    free(starter->is_begun);
}

/* Waits for them; false when there will be none. */
static bool take_orders(struct starter *starter)
{
    struct batch_go go;
    if (!file_read_all(starter->orders, &go, sizeof go) ||
        !file_read_all(starter->orders, starter->is_begun, starter->submissions->n))
        return false;
    starter->seed = go.seed;
    return true;
}

static void go_round(struct starter *starter)
{
    system_adopt_orphans();
    if (starter->submissions->n > 1) /* read once for all; without them the verdicts are the same */
        edits_open(starter->plan->data_dir, &starter->edits, NULL);
    while (starter->error.kind == ERR_NONE && !starter->must_end) {
        if (starter->plan->stop != NULL && *starter->plan->stop) {
            starter->must_end = true;
        } else if (!start_next(starter)) {
            if (starter->n_running == 0)
                break;
            wait_for_workers(starter);
        }
    }
    for (unsigned i = 0; i < starter->n_jobs; i++) {
        struct batch_worker *worker = &starter->workers[i];
        if (worker->pid == 0)
            continue;
        kill_worker(worker);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        forget_worker(starter, worker);
    }
    system_end_orphans(false);
}

/* The whole life of the starter's process. The descriptors are its own. */
static _Noreturn void batch_starter_run(const struct batch_plan *plan,
                                        const struct submissions *submissions, int orders,
                                        int messages)
{
    struct starter starter = {.plan = plan,
                              .submissions = submissions,
                              .orders = orders,
                              .messages = messages,
                              .explain_ms = batch_explain_ms(plan, submissions)};
    signal(SIGPIPE, SIG_IGN); /* nobody listens: there are workers to end */
    if (starter_init(&starter, &starter.error) && take_orders(&starter))
        go_round(&starter);
    if (!starter.must_end)
        send_message(&starter, BATCH_IS_OVER, starter.build_us, &starter.error,
                     sizeof starter.error);
    starter_release(&starter);
    _exit(0);
}

/* ---- the batch ---- */

uint64_t batch_explain_ms(const struct batch_plan *plan, const struct submissions *submissions)
{
    size_t n = submissions->n > LEAST_EXPLAINED ? submissions->n : LEAST_EXPLAINED;
    return (uint64_t)n * plan->limits->explain_wall_ms;
}

enum { READ_END = 0, WRITE_END = 1 };

struct batch {
    const struct batch_plan *plan;
    const struct submissions *submissions;
    pid_t starter;          /* its process */
    int orders, messages;   /* its ends of the pipes; -1: closed */
    unsigned char *is_done; /* [submissions->n] */
    struct results *results;
    size_t *order; /* [submissions->n]; the submission of each result */
    uint64_t build_us;
    struct text pending; /* the bytes of messages that have not arrived whole */
    bool is_over;        /* all was said */
    struct error error;  /* ends the batch */
};

/* ---- making the starter ---- */

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

/* It ends its workers, and they end their boxes, when its input ends. */
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

/* ---- results, in the order of the submissions ---- */

/* Takes over a result, at its place in the order of the submissions, where it is until the next one
 * comes; NULL without memory. */
static const struct result *keep(struct batch *batch, size_t submission, struct result *result)
{
    const struct submission *of = &batch->submissions->items[submission];
    size_t place = 0, end = batch->results->n;
    if (!result_set_caller(result, &of->called, &batch->error) ||
        !result_set_time(result, of->submitted_s, of->time_from, &batch->error) ||
        !result_doubt(result, of->candidates, &batch->error)) {
        result_release(result);
        return NULL;
    }
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

/* The earlier result of a submission; NULL if it must be graded. An internal error is not a result
 * to keep. */
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
