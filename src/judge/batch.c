/* Grading many submissions: see batch.h.
 *
 * One process goes round: it starts workers, listens to their pipes and collects them. A worker is
 * a fork that has the exercise's setup from its parent, judges one submission, writes the result as
 * json into its pipe and ends. A worker that ends without a readable result, whatever the reason,
 * is an internal error of that submission alone; one that takes too long is killed, and its boxes
 * die with it. A process that a worker leaves becomes a child of this one, which ends it; so it
 * must have no children but workers. */
#include "judge/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "files/clock.h"
#include "files/file.h"
#include "files/path.h"
#include "judge/explain.h"
#include "sandbox/system.h"

enum {
    LOOK_ROUND_MS = 50, /* how long a signal or a worker that went silent may wait */
    RESULT_MAX_BYTES = 16 * 1024 * 1024, /* of a worker's json */
};

/* What all submissions to one exercise share. Opened when the first of them comes. */
struct shared_setup {
    const struct exercise *exercise;
    bool is_open;
    struct judge_setup setup;
    struct error why; /* it could not be opened */
};

struct batch_worker {
    pid_t pid; /* 0: there is no process */
    int fd;    /* of its pipe; -1 after its end */
    size_t submission;
    uint64_t deadline_ms;
    bool was_late;
    struct text json;
};

struct batch {
    const struct batch_plan *plan;
    const struct submissions *submissions;
    struct shared_setup *setups; /* [n_setups]; a worker has a copy by its fork */
    size_t n_setups, setups_capacity;
    struct batch_worker *workers; /* [n_jobs] */
    struct pollfd *polls;         /* [n_jobs] */
    unsigned n_jobs, n_running;
    bool *is_done; /* [submissions->n] */
    size_t next;   /* submission to start */
    struct results *results;
    size_t *order;              /* the submission of each result */
    unsigned n_internal_errors; /* in a row */
    struct error error;         /* ends the batch */
};

/* ---- the worker: one submission ---- */

/* Judges what the file holds. What is said to the learner is part of the result. */
static bool judge_file(struct shared_setup *shared, const struct submission *submission,
                       const struct batch_plan *plan, struct result *ret, struct error *reterr)
{
    struct text source = {0};
    char digest[DIGEST_TEXT];
    const char *why;
    bool ok;
    if (!submission_read(submission->path, plan->limits->source_bytes, &source, &why)) {
        ok = strcmp(why, SUBMISSION_NO_MEMORY) == 0
                 ? error_memory(reterr, "reading the file")
                 : result_say(ret, VERDICT_BAD_FILE, why, verdict_sentence(VERDICT_BAD_FILE),
                              reterr);
    } else if (submission->exercise == NULL) {
        ok = result_say(ret, VERDICT_BAD_FILE, "no exercise",
                        "The file's name is not an exercise's.", reterr);
    } else if (!shared->is_open) {
        ok = result_say(ret, VERDICT_INTERNAL_ERROR, "the exercise", shared->why.text, reterr);
    } else {
        struct judgement judgement;
        judge_submission(
            &shared->setup, path_base_name(submission->name), text_string(&source), source.size,
            JUDGE_EXPLAIN_CRASH | (plan->shows_inputs ? JUDGE_SHRINK : JUDGE_HIDE_DRAWN),
            &judgement);
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

static bool send_result(int fd, const struct result *result)
{
    json_t *json = result_to_json(result);
    char *text = json_dumps(json, JSON_REAL_PRECISION(15));
    bool ok = text != NULL && file_write_all(fd, text, strlen(text));
    free(text);
    json_decref(json);
    return ok;
}

/* The whole life of the worker process. */
_Noreturn static void work(const struct batch *batch, struct shared_setup *shared,
                           const struct submission *submission, pid_t parent, int fd)
{
    struct result result;
    struct error error;
    uint64_t start_us = clock_us();
    setpgid(0, 0);            /* Ctrl-C at the terminal is for the parent alone */
    signal(SIGPIPE, SIG_DFL); /* which the parent may ignore, but not the programs started here */
    system_end_with_parent();
    if (getppid() != parent)
        _exit(1);
    result_init(&result);
    if (!judge_file(shared, submission, batch->plan, &result, &error) &&
        !result_say(&result, VERDICT_INTERNAL_ERROR, "", error.text, &error))
        _exit(1);
    if (!finish_result(submission, (double)(clock_us() - start_us) / 1000, &result, &error) ||
        !send_result(fd, &result))
        _exit(1);
    _exit(0);
}

/* ---- results ---- */

/* Takes over a result, at its place in the order of the submissions. */
static bool keep(struct batch *batch, size_t submission, struct result *result)
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
        return false;
    }
    memmove(batch->order + place + 1, batch->order + place,
            (batch->results->n - 1 - place) * sizeof *batch->order);
    batch->order[place] = submission;
    batch->is_done[submission] = true;
    return true;
}

/* Too many internal errors in a row mean that something of attn is broken: if grading went on,
 * everybody would get the same. */
static void report(struct batch *batch, size_t submission, struct result *result)
{
    bool is_ours = result->verdict == VERDICT_INTERNAL_ERROR;
    unsigned limit = batch->plan->limits->internal_errors;
    batch->n_internal_errors = is_ours ? batch->n_internal_errors + 1 : 0;
    if (is_ours && limit > 0 && batch->n_internal_errors >= limit)
        error_set(&batch->error, ERR_LIMIT,
                  "grading stopped after %u internal errors in a row: %s: %s", limit,
                  result_word(result->file), result_word(result->message));
    if (keep(batch, submission, result) && batch->plan->after_each != NULL)
        batch->plan->after_each(batch->plan->context, batch->results, batch->results->n,
                                batch->submissions->n);
}

/* A result that no worker gave. */
static void report_own(struct batch *batch, size_t submission, double time_ms, enum verdict verdict,
                       const char *detail, const char *message)
{
    struct result result;
    result_init(&result);
    if (result_say(&result, verdict, detail, message, &batch->error) &&
        finish_result(&batch->submissions->items[submission], time_ms, &result, &batch->error))
        report(batch, submission, &result);
    result_release(&result);
}

/* ---- results of an earlier run ---- */

static int compare_pointers(const void *a, const void *b)
{
    return result_compare(*(const struct result *const *)a, *(const struct result *const *)b);
}

/* The earlier result of a submission; NULL when it must be graded. An internal error is no answer.
 */
static const struct result *find_earlier(const struct submission *submission,
                                         const struct result **sorted, size_t n)
{
    if (submission->exercise == NULL)
        return NULL;
    struct result wanted = {.file = submission->name, .exercise = submission->exercise->id};
    const struct result *key = &wanted;
    const struct result **found =
        bsearch(&key, sorted, n, sizeof(const struct result *), compare_pointers);
    bool is_answer = found != NULL && (*found)->verdict != VERDICT_INTERNAL_ERROR;
    return is_answer ? *found : NULL;
}

static bool take_done(struct batch *batch)
{
    const struct results *done = batch->plan->done;
    if (done == NULL || done->n == 0)
        return true;
    const struct result **sorted = calloc(done->n, sizeof(const struct result *));
    if (sorted == NULL)
        return error_memory(&batch->error, "the results of the earlier run");
    for (size_t i = 0; i < done->n; i++)
        sorted[i] = &done->items[i];
    qsort(sorted, done->n, sizeof(const struct result *), compare_pointers);
    bool ok = true;
    for (size_t i = 0; ok && i < batch->submissions->n; i++) {
        const struct result *before = find_earlier(&batch->submissions->items[i], sorted, done->n);
        if (before == NULL)
            continue;
        struct result copy;
        json_t *json = result_to_json(before);
        ok = json != NULL ? result_from_json(json, &copy, &batch->error)
                          : error_memory(&batch->error, "a result");
        if (ok) {
            copy.submitted_s = batch->submissions->items[i].submitted_s;
            ok = result_call(&copy, batch->submissions->items[i].student, &batch->error) &&
                 keep(batch, i, &copy);
        }
        json_decref(json);
    }
    free(sorted);
    return ok;
}

/* ---- starting ---- */

/* The setup of an exercise (NULL: of files that are for none), opened when it is the first; NULL
 * without memory. */
static struct shared_setup *setup_of(struct batch *batch, const struct exercise *exercise)
{
    for (size_t i = 0; i < batch->n_setups; i++)
        if (batch->setups[i].exercise == exercise)
            return &batch->setups[i];
    struct shared_setup *setups =
        array_grow(batch->setups, batch->n_setups, &batch->setups_capacity, sizeof *setups);
    if (setups == NULL) {
        error_memory(&batch->error, "grading");
        return NULL;
    }
    batch->setups = setups;
    struct shared_setup *shared = &setups[batch->n_setups++];
    *shared = (struct shared_setup){.exercise = exercise};
    const struct judge_plan plan = {.exercise = exercise,
                                    .compiler = batch->plan->compiler,
                                    .limits = batch->plan->limits,
                                    .data_dir = batch->plan->data_dir,
                                    .layers = batch->plan->layers,
                                    .seed = batch->plan->seed};
    if (exercise != NULL)
        shared->is_open = judge_setup_open(&plan, &shared->setup, &shared->why);
    return shared;
}

/* False with errno set when the system has no process or pipe to give. */
static bool start_worker(struct batch *batch, struct batch_worker *worker,
                         struct shared_setup *shared, size_t submission)
{
    int ends[2];
    pid_t parent = getpid();
    if (!file_pipe(ends))
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(batch, shared, &batch->submissions->items[submission], parent, ends[1]);
    }
    int why = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = why;
        return false;
    }
    setpgid(pid, pid); /* whoever is first */
    text_clear(&worker->json);
    worker->pid = pid;
    worker->fd = ends[0];
    worker->submission = submission;
    worker->was_late = false;
    worker->deadline_ms = (uint64_t)clock_ms() + batch->plan->limits->submission_wall_ms;
    batch->n_running++;
    return true;
}

/* Starts the next submission that is not done. False when there is nothing to start now. */
static bool start_next(struct batch *batch)
{
    unsigned at = 0;
    while (batch->next < batch->submissions->n && batch->is_done[batch->next])
        batch->next++;
    while (at < batch->n_jobs && batch->workers[at].pid != 0)
        at++;
    if (batch->next == batch->submissions->n || at == batch->n_jobs)
        return false;
    struct shared_setup *shared = setup_of(batch, batch->submissions->items[batch->next].exercise);
    if (shared == NULL)
        return false;
    if (!start_worker(batch, &batch->workers[at], shared, batch->next)) {
        if (batch->n_running > 0)
            return false; /* when one of those has ended there may be room */
        report_own(batch, batch->next, 0, VERDICT_INTERNAL_ERROR, "no process", strerror(errno));
    }
    batch->next++;
    return true;
}

/* ---- collecting ---- */

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
        if (n > 0 && worker->json.size < RESULT_MAX_BYTES) {
            text_add(&worker->json, bytes, (size_t)n);
            continue;
        }
        close(worker->fd);
        worker->fd = -1;
    }
}

static void forget_worker(struct batch *batch, struct batch_worker *worker)
{
    if (worker->fd >= 0)
        close(worker->fd);
    worker->fd = -1;
    worker->pid = 0;
    batch->n_running--;
}

static bool read_result(const struct batch_worker *worker, const struct submission *submission,
                        struct result *ret)
{
    json_t *json = worker->json.failed
                       ? NULL
                       : json_loadb(text_string(&worker->json), worker->json.size, 0, NULL);
    bool ok = json != NULL && result_from_json(json, ret, NULL);
    json_decref(json);
    if (ok && strcmp(ret->file, submission->name) != 0) {
        result_release(ret);
        return false;
    }
    return ok;
}

/* Its process is over: reports what it sent, or why it sent nothing. */
static void finish_worker(struct batch *batch, struct batch_worker *worker, int status)
{
    unsigned limit_ms = batch->plan->limits->submission_wall_ms;
    char message[120];
    struct result result;
    size_t submission = worker->submission;
    drain(worker);
    forget_worker(batch, worker);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
        read_result(worker, &batch->submissions->items[submission], &result)) {
        report(batch, submission, &result);
        return;
    }
    if (worker->was_late) {
        snprintf(message, sizeof message, "Grading it took more than %g s in all and was stopped.",
                 (double)limit_ms / 1000);
        report_own(batch, submission, limit_ms, VERDICT_TIME_LIMIT, "wall", message);
        return;
    }
    if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "The process that graded it was ended by signal %d.",
                 WTERMSIG(status));
    else
        snprintf(message, sizeof message,
                 "The process that graded it gave no result and exit code %d.",
                 WEXITSTATUS(status));
    report_own(batch, submission, 0, VERDICT_INTERNAL_ERROR, "worker", message);
}

static void look_after(struct batch *batch, struct batch_worker *worker)
{
    int status;
    drain(worker);
    pid_t ended = waitpid(worker->pid, &status, WNOHANG);
    if (ended == worker->pid) {
        finish_worker(batch, worker, status);
    } else if (ended < 0 && errno == ECHILD) { /* somebody else took its status */
        finish_worker(batch, worker, 0);
    } else if (!worker->was_late && (uint64_t)clock_ms() >= worker->deadline_ms) {
        worker->was_late = true;
        kill_worker(worker);
    }
}

static bool is_worker(const struct batch *batch, pid_t pid)
{
    for (unsigned i = 0; i < batch->n_jobs; i++)
        if (batch->workers[i].pid == pid)
            return true;
    return false;
}

/* Collects processes that workers left and that have ended. A worker's own end is left for
 * look_after(); the processes after it wait for the next round. */
static void reap_orphans(const struct batch *batch)
{
    siginfo_t info = {0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
           !is_worker(batch, info.si_pid))
        waitpid(info.si_pid, NULL, 0);
}

static void wait_for_workers(struct batch *batch)
{
    nfds_t n = 0;
    int timeout_ms = LOOK_ROUND_MS;
    for (unsigned i = 0; i < batch->n_jobs; i++) {
        const struct batch_worker *worker = &batch->workers[i];
        if (worker->pid != 0 && worker->fd >= 0)
            batch->polls[n++] = (struct pollfd){.fd = worker->fd, .events = POLLIN};
        else if (worker->pid != 0)
            timeout_ms = 1; /* it closed its pipe: the end is a moment away */
    }
    poll(batch->polls, n, timeout_ms);
    for (unsigned i = 0; i < batch->n_jobs; i++)
        if (batch->workers[i].pid != 0)
            look_after(batch, &batch->workers[i]);
    reap_orphans(batch);
}

/* ---- the whole ---- */

static bool batch_init(struct batch *batch, const struct batch_plan *plan,
                       const struct submissions *submissions, struct results *results)
{
    size_t n_jobs = plan->jobs < submissions->n ? plan->jobs : submissions->n;
    *batch = (struct batch){.plan = plan,
                            .submissions = submissions,
                            .results = results,
                            .n_jobs = n_jobs > 0 ? (unsigned)n_jobs : 1};
    batch->workers = calloc(batch->n_jobs, sizeof *batch->workers);
    batch->polls = calloc(batch->n_jobs, sizeof *batch->polls);
    batch->is_done = calloc(submissions->n + 1, sizeof *batch->is_done);
    batch->order = calloc(submissions->n + 1, sizeof *batch->order);
    return (batch->workers != NULL && batch->polls != NULL && batch->is_done != NULL &&
            batch->order != NULL) ||
           error_memory(&batch->error, "grading");
}

static void batch_release(struct batch *batch)
{
    for (unsigned i = 0; batch->workers != NULL && i < batch->n_jobs; i++)
        text_release(&batch->workers[i].json);
    for (size_t i = 0; i < batch->n_setups; i++)
        if (batch->setups[i].is_open)
            judge_setup_close(&batch->setups[i].setup);
    free(batch->setups);
    free(batch->workers);
    free(batch->polls);
    free(batch->is_done);
    free(batch->order);
}

static void go_round(struct batch *batch)
{
    system_adopt_orphans();
    while (batch->error.kind == ERR_NONE) {
        if (batch->plan->stop != NULL && *batch->plan->stop) {
            error_set(&batch->error, ERR_INTERRUPTED, "interrupted: %zu of %zu files are graded",
                      batch->results->n, batch->submissions->n);
        } else if (!start_next(batch)) {
            if (batch->n_running == 0)
                break;
            wait_for_workers(batch);
        }
    }
    for (unsigned i = 0; i < batch->n_jobs; i++) {
        struct batch_worker *worker = &batch->workers[i];
        if (worker->pid == 0)
            continue;
        kill_worker(worker);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        forget_worker(batch, worker);
    }
    system_end_orphans(false);
}

bool batch_run(const struct batch_plan *plan, const struct submissions *submissions,
               struct results *ret, struct error *reterr)
{
    struct batch batch;
    struct results results = {.seed = plan->seed};
    if (batch_init(&batch, plan, submissions, &results) && take_done(&batch))
        go_round(&batch);
    batch_release(&batch);
    *ret = results;
    if (batch.error.kind != ERR_NONE && reterr != NULL)
        *reterr = batch.error;
    return batch.error.kind == ERR_NONE;
}
