/* judge/class/batch.h: many submissions, a process each. The judge here is one of our own, which
 * does what the first word of a submission says; what is tried is what batch.c makes of it. */
#include "testing.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "batch/batch.h"
#include "judge/explain.h"

/* Only what hangs meets the limit of time: on a busy machine the others take what they take. */
enum { WALL_MS = 1500, AMPLE_MS = 120000 };

static struct exercise dot = {.id = "dot",
                              .number = 1,
                              .score = 10,
                              .folder_name = "01-dot",
                              .prototype = {.function = "dot"}};
static struct exercise broken = {.id = "broken",
                                 .number = 2,
                                 .score = 5,
                                 .folder_name = "02-broken",
                                 .prototype = {.function = "broken"}};
static struct exercise *all[] = {&dot, &broken};
static const struct exercises exercises = {.items = all, .n = 2};

static const struct limits limits = {.submission_wall_ms = AMPLE_MS,
                                     .explain_wall_ms = AMPLE_MS,
                                     .source_bytes = 1000,
                                     .internal_errors = 3};
static const struct limits tight_limits = {
    .submission_wall_ms = WALL_MS, .source_bytes = 1000, .internal_errors = 3};

/* ---- the judge of this test ---- */

/* Of the setups, in whatever process they are. */
struct counts {
    int n_opened, n_closed;
};
static struct counts *counts; /* shared memory */

bool judge_setup_open(const struct judge_plan *plan, struct judge_setup *ret, struct error *reterr)
{
    *ret = (struct judge_setup){.plan = *plan};
    if (plan->exercise == &broken)
        return error_set(reterr, ERR_FILE, "02-broken: the runtime does not compile");
    counts->n_opened++;
    return true;
}

void judge_setup_close(struct judge_setup *setup)
{
    (void)setup;
    counts->n_closed++;
}

_Noreturn static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* Leaves behind what a worker that dies leaves: a process of its own group. */
static void start_child(void)
{
    if (fork() == 0)
        sleep_for_ever();
}

/* The same, but ends by itself a moment after the worker that left it. */
static void start_session(void)
{
    if (fork() == 0) {
        setsid();
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        _exit(0);
    }
}

static enum verdict verdict_of_pipes(void)
{
    struct sigaction action;
    sigaction(SIGPIPE, NULL, &action);
    return action.sa_handler == SIG_DFL ? VERDICT_PASS : VERDICT_WRONG_ANSWER;
}

/* The most that this process held. */
static double resident_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

static void obey(const char *source, struct result *result)
{
    struct error error;
    enum verdict verdict = VERDICT_WRONG_ANSWER;
    if (strcmp(source, "hang") == 0) {
        start_child();
        sleep_for_ever();
    } else if (strcmp(source, "orphan") == 0) {
        start_session();
        kill(getpid(), SIGKILL);
    } else if (strcmp(source, "pipes") == 0)
        verdict = verdict_of_pipes();
    else if (strcmp(source, "memory") == 0)
        result->memory_kib = resident_kib();
    else if (strcmp(source, "die") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(source, "leave") == 0)
        _exit(0);
    else if (strcmp(source, "slow") == 0)
        nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    else if (strcmp(source, "long") == 0)
        sleep_for_ever();
    else if (strcmp(source, "large") == 0)
        for (int i = 0; i < 30000; i++) /* far more than a pipe holds */
            result_add_case(result, "a case with a long name, to fill the pipe", N_CASE_GROUPS,
                            verdict, 0, &error);
    verdict_from_name(source, &verdict);
    result_say(result, verdict, "", source, &error);
    result->score = verdict == VERDICT_PASS ? 10 : 0;
}

void judge_submission(const struct judge_setup *setup, const char *file_name, const char *source,
                      size_t size, unsigned options, struct judgement *ret)
{
    struct error error;
    (void)size;
    memset(ret, 0, sizeof *ret);
    result_init(&ret->result);
    obey(source, &ret->result);
    if (strcmp(source, "crash") == 0 && (options & JUDGE_EXPLAIN_CRASH)) {
        ret->explain_ms = 400;
        result_say(&ret->result, VERDICT_CRASH, "explained", "", &error);
    } else if (strcmp(source, "crash") == 0) {
        result_say(&ret->result, VERDICT_CRASH, "not explained", "", &error);
    }
    result_add_idea(&ret->result, file_name, setup->plan.exercise->id, &error);
}

void judgement_release(struct judgement *judgement)
{
    result_release(&judgement->result);
}

bool explain_message(const struct exercise *exercise, struct judgement *judgement,
                     struct error *reterr)
{
    (void)exercise;
    (void)judgement;
    (void)reterr;
    return true;
}

/* ---- a class ---- */

static char place[64];

static int enter_place(void **state)
{
    (void)state;
    snprintf(place, sizeof place, "/tmp/attn-batch-XXXXXX");
    return mkdtemp(place) == NULL || chdir(place) != 0 || mkdir("class", 0755) != 0;
}

static int leave_place(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return chdir("/") != 0 || system(command) != 0; /* NOLINT: a name of our own */
}

static void hand_in(const char *path, const char *source)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
}

/* What after_each saw. */
struct watch {
    size_t n_calls, n_last;
    bool in_order;
    volatile sig_atomic_t stop;
    size_t stop_after; /* calls; 0: never */
};

static void watch_each(void *context, const struct results *results, const struct result *last,
                       size_t n_all)
{
    struct watch *watch = context;
    assert_true(results->n <= n_all);
    assert_true(last >= results->items && last < results->items + results->n);
    for (size_t i = 1; i < results->n; i++)
        watch->in_order =
            watch->in_order && strcmp(results->items[i - 1].file, results->items[i].file) < 0;
    watch->n_last = results->n;
    if (++watch->n_calls == watch->stop_after)
        watch->stop = 1;
}

static struct batch_plan plan_with(struct watch *watch, unsigned jobs)
{
    *watch = (struct watch){.in_order = true};
    return (struct batch_plan){.limits = &limits,
                               .jobs = jobs,
                               .after_each = watch_each,
                               .context = watch,
                               .stop = &watch->stop};
}

enum { SEED = 7 };

static bool run(const struct batch_plan *plan, const struct submissions *found,
                struct results *done, struct results *ret, struct error *reterr)
{
    struct batch *batch = batch_open(plan, found, reterr);
    assert_non_null(batch);
    bool ok = batch_run(batch, SEED, done, ret, reterr);
    batch_close(batch);
    return ok;
}

static bool grade_after(const struct batch_plan *plan, struct results *done, struct results *ret,
                        struct error *reterr)
{
    struct submissions found;
    char *paths[] = {"class"};
    *counts = (struct counts){0};
    struct submissions_wanted wanted = {.paths = paths, .n_paths = 1, .exercises = &exercises};
    assert_true(submissions_find(&wanted, &found, reterr));
    bool ok = run(plan, &found, done, ret, reterr);
    submissions_release(&found);
    /* Nobody is left: no child, running or not collected. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    return ok;
}

static bool grade(const struct batch_plan *plan, struct results *ret, struct error *reterr)
{
    return grade_after(plan, NULL, ret, reterr);
}

static struct results must_grade_after(const struct batch_plan *plan, struct results *done)
{
    struct results results;
    struct error error;
    if (!grade_after(plan, done, &results, &error))
        fail_msg("%s", error.text);
    assert_int_equal(counts->n_closed, counts->n_opened);
    return results;
}

static struct results must_grade(const struct batch_plan *plan)
{
    return must_grade_after(plan, NULL);
}

static void assert_result(const struct results *results, size_t i, const char *file,
                          enum verdict verdict)
{
    assert_true(i < results->n);
    assert_string_equal(results->items[i].file, file);
    if (results->items[i].verdict != verdict)
        fail_msg("%s: %s: %s", file, verdict_name(results->items[i].verdict),
                 result_word(results->items[i].message));
}

static void test_batch__each_gets_a_result_in_the_order_of_names(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        struct watch watch;
        struct batch_plan plan = plan_with(&watch, jobs);
        assert_true(mkdir("class/anna", 0755) == 0 || jobs > 1);
        hand_in("class/anna/dot.c", "pass");
        hand_in("class/b_dot.c", "slow"); /* ready after those behind it */
        hand_in("class/c_dot.c", "crash");
        hand_in("class/d_dot.c", "leak");
        struct results results = must_grade(&plan);
        assert_int_equal(results.n, 4);
        assert_int_equal(results.seed, 7);
        assert_result(&results, 0, "class/anna/dot.c", VERDICT_PASS);
        assert_result(&results, 1, "class/b_dot.c", VERDICT_WRONG_ANSWER);
        assert_result(&results, 2, "class/c_dot.c", VERDICT_CRASH);
        assert_result(&results, 3, "class/d_dot.c", VERDICT_LEAK);
        assert_string_equal(results.items[0].student, "anna");
        assert_string_equal(results.items[0].exercise, "dot");
        assert_string_equal(results.items[0].ideas[0].id,
                            "dot.c"); /* what judge_submission() was told */
        assert_close(results.items[0].score, 10, 0);
        assert_close(results.items[0].max_score, 10, 0);
        assert_close(results.items[2].score, 0, 0);
        assert_true(results.items[1].time_ms >= 150);
        assert_int_equal(watch.n_calls, 4);
        assert_true(watch.in_order);
        assert_int_equal(counts->n_opened, 1); /* one setup for all */
        results_release(&results);
    }
}

/* One bad submission never stops the rest. */
static void test_batch__a_worker_that_dies_harms_only_itself(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "die");
    hand_in("class/c_dot.c", "pass");
    hand_in("class/d_dot.c", "leave");
    hand_in("class/e_dot.c", "pass");
    struct results results = must_grade(&plan);
    assert_int_equal(results.n, 5);
    assert_result(&results, 0, "class/a_dot.c", VERDICT_PASS);
    assert_result(&results, 1, "class/b_dot.c", VERDICT_INTERNAL_ERROR);
    assert_result(&results, 2, "class/c_dot.c", VERDICT_PASS);
    assert_result(&results, 3, "class/d_dot.c", VERDICT_INTERNAL_ERROR);
    assert_result(&results, 4, "class/e_dot.c", VERDICT_PASS);
    assert_non_null(strstr(results.items[1].message, "signal 9"));
    assert_close(results.items[1].score, 0, 0);
    assert_close(results.items[1].max_score, 10, 0);
    results_release(&results);
}

/* A class has time for a number of crashes; those after them keep their verdict. */
static void test_batch__reasons_of_crashes_have_a_time(void **state)
{
    (void)state;
    struct watch watch;
    struct limits short_time = limits;
    struct batch_plan plan = plan_with(&watch, 1);
    plan.limits = &short_time;
    short_time.explain_wall_ms = 50; /* of twenty files: 1000 */
    for (char name = 'a'; name <= 'f'; name++) {
        char path[32];
        snprintf(path, sizeof path, "class/%c_dot.c", name);
        hand_in(path, "crash");
    }
    struct results results = must_grade(&plan);
    assert_int_equal(results.n, 6);
    for (size_t i = 0; i < results.n; i++) {
        assert_int_equal(results.items[i].verdict, VERDICT_CRASH);
        assert_string_equal(results.items[i].detail, i < 3 ? "explained" : "not explained");
    }
    results_release(&results);
}

static void test_batch__a_worker_that_hangs_is_ended(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    plan.limits = &tight_limits;
    hand_in("class/a_dot.c", "hang");
    hand_in("class/b_dot.c", "pass");
    hand_in("class/c_dot.c", "hang");
    struct results results = must_grade(&plan);
    assert_result(&results, 0, "class/a_dot.c", VERDICT_TIME_LIMIT);
    assert_result(&results, 1, "class/b_dot.c", VERDICT_PASS);
    assert_result(&results, 2, "class/c_dot.c", VERDICT_TIME_LIMIT);
    assert_string_equal(results.items[0].detail, "wall");
    assert_close(results.items[0].time_ms, WALL_MS, 0);
    results_release(&results);
}

static void test_batch__a_large_result_comes_whole(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    hand_in("class/dot.c", "large");
    struct results results = must_grade(&plan);
    assert_result(&results, 0, "class/dot.c", VERDICT_WRONG_ANSWER);
    assert_int_equal(results.items[0].n_cases, 30000);
    results_release(&results);
}

static void test_batch__files_that_are_none_get_their_verdict(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    struct submissions found;
    struct results results;
    struct error error;
    char large[1002];
    memset(large, ' ', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    char *paths[] = {"class", "other.c"};
    assert_int_equal(symlink("/etc/passwd", "class/a_dot.c"), 0);
    assert_int_equal(mkfifo("class/b_dot.c", 0644), 0);
    hand_in("class/c_dot.c", large);
    hand_in("other.c", "pass");
    struct submissions_wanted wanted = {.paths = paths, .n_paths = 2, .exercises = &exercises};
    assert_true(submissions_find(&wanted, &found, &error));
    assert_true(run(&plan, &found, NULL, &results, &error));
    static const char *const details[] = {"symlink", "not a regular file", "too large",
                                          "no exercise"};
    assert_int_equal(results.n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(results.items[i].verdict, VERDICT_BAD_FILE);
        assert_string_equal(results.items[i].detail, details[i]);
    }
    assert_close(results.items[0].max_score, 10, 0);
    assert_close(results.items[3].max_score, 0, 0);
    results_release(&results);
    submissions_release(&found);
}

static void test_batch__internal_errors_in_a_row_stop_it(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    struct results results;
    struct error error;
    hand_in("class/a_dot.c", "die");
    hand_in("class/b_dot.c", "die");
    hand_in("class/c_dot.c", "pass"); /* so those two are not in a row with what follows */
    hand_in("class/d_dot.c", "die");
    hand_in("class/e_dot.c", "die");
    hand_in("class/f_dot.c", "leave");
    hand_in("class/g_dot.c", "pass");
    assert_error(grade(&plan, &results, &error), error, ERR_LIMIT);
    assert_says(error, "3 internal errors");
    assert_int_equal(results.n, 6);
    assert_result(&results, 2, "class/c_dot.c", VERDICT_PASS);
    results_release(&results);
}

static void test_batch__an_exercise_of_ours_that_is_broken_is_our_fault(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    hand_in("class/broken.c", "pass");
    hand_in("class/dot.c", "pass");
    struct results results = must_grade(&plan);
    assert_result(&results, 0, "class/broken.c", VERDICT_INTERNAL_ERROR);
    assert_non_null(strstr(results.items[0].message, "does not compile"));
    assert_close(results.items[0].max_score, 5, 0);
    assert_result(&results, 1, "class/dot.c", VERDICT_PASS);
    results_release(&results);
}

static void test_batch__stopped_it_keeps_what_it_has(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    struct results results;
    struct error error;
    watch.stop_after = 2;
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "pass");
    hand_in("class/c_dot.c", "slow");
    hand_in("class/d_dot.c", "slow");
    assert_error(grade(&plan, &results, &error), error, ERR_INTERRUPTED);
    assert_says(error, "2 of 4");
    assert_int_equal(results.n, 2);
    results_release(&results);
}

/* As after a kill: what was graded is not graded again, our own failures are. */
static void test_batch__goes_on_from_earlier_results(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "die");
    hand_in("class/c_dot.c", "crash");
    struct results before = must_grade(&plan);
    hand_in("class/a_dot.c", "leak"); /* would show if it were graded again */
    hand_in("class/b_dot.c", "pass");
    hand_in("class/d_dot.c", "pass");
    plan = plan_with(&watch, 2);
    struct results results = must_grade_after(&plan, &before);
    assert_int_equal(results.n, 4);
    assert_result(&results, 0, "class/a_dot.c", VERDICT_PASS);
    assert_result(&results, 1, "class/b_dot.c", VERDICT_PASS);
    assert_result(&results, 2, "class/c_dot.c", VERDICT_CRASH);
    assert_result(&results, 3, "class/d_dot.c", VERDICT_PASS);
    assert_int_equal(watch.n_calls, 2);
    assert_true(watch.in_order);
    results_release(&before);
    /* All are there: nothing is done, and there are no setups to open. */
    plan = plan_with(&watch, 2);
    struct results again = must_grade_after(&plan, &results);
    assert_int_equal(again.n, 4);
    assert_int_equal(watch.n_calls, 0);
    assert_int_equal(counts->n_opened, 0);
    results_release(&again);
    results_release(&results);
}

static void test_batch__many(void **state)
{
    (void)state;
    enum { N = 300 };
    static const char *const sources[] = {"pass", "crash", "leak", "wrong_answer", "pass"};
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 3);
    char path[64];
    for (int i = 0; i < N; i++) {
        snprintf(path, sizeof path, "class/%03d_dot.c", i);
        hand_in(path, sources[i % 5]);
    }
    struct results results = must_grade(&plan);
    assert_int_equal(results.n, N);
    for (int i = 0; i < N; i++) {
        snprintf(path, sizeof path, "class/%03d_dot.c", i);
        assert_string_equal(results.items[i].file, path);
        assert_string_equal(verdict_name(results.items[i].verdict), sources[i % 5]);
    }
    results_release(&results);
}

static void test_batch__ends_where_the_ends_of_children_are_ignored(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "die");
    hand_in("class/c_dot.c", "crash");
    signal(SIGCHLD, SIG_IGN);
    alarm(20); /* rather than for ever */
    struct results results = must_grade(&plan);
    alarm(0);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(results.n, 3);
    assert_result(&results, 0, "class/a_dot.c", VERDICT_PASS);
    assert_result(&results, 1, "class/b_dot.c", VERDICT_INTERNAL_ERROR);
    assert_result(&results, 2, "class/c_dot.c", VERDICT_CRASH);
    results_release(&results);
}

static void test_batch__workers_have_the_usual_sigpipe(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    hand_in("class/dot.c", "pipes");
    signal(SIGPIPE, SIG_IGN);
    struct results results = must_grade(&plan);
    signal(SIGPIPE, SIG_DFL);
    assert_result(&results, 0, "class/dot.c", VERDICT_PASS);
    results_release(&results);
}

#ifdef __linux__
/* Of the only child of this process. */
static size_t n_grandchildren(void)
{
    char path[64];
    size_t n = 0;
    int child = (int)getpid();
    for (int generation = 0; generation < 2; generation++) {
        n = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", child, child);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fscanf(file, "%d", &child) == 1) /* NOLINT: the kernel's numbers */
            n++;
        fclose(file);
    }
    return n;
}

static void count_grandchildren(void *context, const struct results *results,
                                const struct result *last, size_t n_all)
{
    size_t *most = context;
    (void)last;
    if (results->n == n_all)
        return; /* there may be no child any more */
    size_t n = n_grandchildren();
    *most = n > *most ? n : *most;
}

/* What workers left behind does not pile up while others are graded. */
static void test_batch__takes_orphans_while_it_goes(void **state)
{
    (void)state;
    enum { N = 24 };
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    size_t most = 0;
    plan.after_each = count_grandchildren;
    plan.context = &most;
    char path[64];
    for (int i = 0; i < N; i++) {
        snprintf(path, sizeof path, "class/%02d_dot.c", i);
        hand_in(path, i % 2 == 0 ? "orphan" : "slow");
    }
    struct results results = must_grade(&plan);
    assert_int_equal(results.n, N);
    assert_in_range(most, 0, N / 4); /* those of the moment */
    results_release(&results);
}

/* A box begins as a copy of its worker, and what that holds hides how much memory a program took:
 * an earlier run's results, say. */
static void test_batch__workers_hold_nothing_of_what_came_after_the_start(void **state)
{
    (void)state;
    enum { HELD_BYTES = 512 << 20, SMALL_KIB = 256 << 10 };
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    struct submissions found;
    struct results results;
    struct error error;
    char *paths[] = {"class"};
    struct submissions_wanted wanted = {.paths = paths, .n_paths = 1, .exercises = &exercises};
    hand_in("class/dot.c", "memory");
    assert_true(submissions_find(&wanted, &found, &error));
    struct batch *batch = batch_open(&plan, &found, &error);
    assert_non_null(batch);
    char *held = malloc(HELD_BYTES);
    assert_non_null(held);
    memset(held, 1, HELD_BYTES);
    assert_true(batch_run(batch, SEED, NULL, &results, &error));
    batch_close(batch);
    assert_int_equal(held[HELD_BYTES - 1], 1);
    free(held);
    assert_in_range((uintmax_t)results.items[0].memory_kib, 1, SMALL_KIB);
    results_release(&results);
    submissions_release(&found);
}

/* Whoever ends the process that starts workers ends the batch, and not what it has. */
static void end_starter(void *context, const struct results *results, const struct result *last,
                        size_t n_all)
{
    char path[64];
    int starter = 0;
    (void)context;
    (void)last;
    (void)n_all;
    if (results->n != 1)
        return;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &starter), 1); /* NOLINT: the kernel's number */
    fclose(file);
    kill(starter, SIGKILL);
}

static void test_batch__its_process_is_ended(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 1);
    struct results results;
    struct error error;
    plan.after_each = end_starter;
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "long");
    assert_error(grade(&plan, &results, &error), error, ERR_FILE);
    assert_says(error, "was ended: 1 of 2");
    assert_int_equal(results.n, 1);
    results_release(&results);
}
#endif

static size_t open_descriptors(void)
{
    size_t n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void test_batch__leaves_no_descriptor_open(void **state)
{
    (void)state;
    struct watch watch;
    struct batch_plan plan = plan_with(&watch, 2);
    plan.limits = &tight_limits;
    hand_in("class/a_dot.c", "pass");
    hand_in("class/b_dot.c", "die");
    hand_in("class/c_dot.c", "hang");
    size_t before = open_descriptors();
    struct results results = must_grade(&plan);
    assert_int_equal(open_descriptors(), before);
    results_release(&results);
}

#define in_place(test) cmocka_unit_test_setup_teardown(test, enter_place, leave_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_place(test_batch__each_gets_a_result_in_the_order_of_names),
        in_place(test_batch__a_worker_that_dies_harms_only_itself),
        in_place(test_batch__reasons_of_crashes_have_a_time),
        in_place(test_batch__a_worker_that_hangs_is_ended),
        in_place(test_batch__a_large_result_comes_whole),
        in_place(test_batch__files_that_are_none_get_their_verdict),
        in_place(test_batch__internal_errors_in_a_row_stop_it),
        in_place(test_batch__an_exercise_of_ours_that_is_broken_is_our_fault),
        in_place(test_batch__stopped_it_keeps_what_it_has),
        in_place(test_batch__goes_on_from_earlier_results),
        in_place(test_batch__many),
        in_place(test_batch__ends_where_the_ends_of_children_are_ignored),
        in_place(test_batch__workers_have_the_usual_sigpipe),
#ifdef __linux__
        in_place(test_batch__takes_orphans_while_it_goes),
        in_place(test_batch__workers_hold_nothing_of_what_came_after_the_start),
        in_place(test_batch__its_process_is_ended),
#endif
        in_place(test_batch__leaves_no_descriptor_open),
    };
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return counts == MAP_FAILED || cmocka_run_group_tests(tests, NULL, NULL);
}
