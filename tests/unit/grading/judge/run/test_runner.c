/* judge/run/runner.h: the keeper's side of a run, against programs that lie. */
#define _GNU_SOURCE
#include "testing.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "judge/run/runner.h"
#include "compile/wire.h"

/* What a lying program needs: it takes the setup and the first request, then does `body`. */
static const char liar_begin[] =
    "#include <stdint.h>\n#include <string.h>\n#include <unistd.h>\n#include <stdlib.h>\n"
    "#include <time.h>\n"
    "struct reply { uint64_t nonce, kind, heap; int64_t area, offset; uint64_t access, memory; };\n"
    "int main(void)\n{\n"
    "    static char setup[%zu]; uint64_t request[%zu / 8]; struct reply r = {0};\n"
    "    if (read(3, setup, sizeof setup) < 1 || read(3, request, sizeof request) < 1) return 9;\n"
    "    r.nonce = request[0]; r.kind = 1;\n";
static const char liar_end[] = "\n    return 0;\n}\n";

struct bench {
    struct exercise *exercise;
    struct fixtures cases;
    struct limits limits;
    char folder[64], program[96], source[96];
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct error error;
    char path[4096];
    const char *data_dir = getenv("ATTN_DATA_DIR");
    assert_non_null(bench);
    snprintf(path, sizeof path, "%s/exercises/01-dot", data_dir);
    if (!exercise_load(path, &bench->exercise, &error) ||
        !fixtures_draw(bench->exercise, 1, false, data_dir, &bench->cases, &error))
        fail_msg("%s", error.text);
    bench->limits = limits_default;
    bench->limits.case_wall_ms = 300;
    snprintf(bench->folder, sizeof bench->folder, "/tmp/attn-test-runner-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    snprintf(bench->program, sizeof bench->program, "%s/liar", bench->folder);
    snprintf(bench->source, sizeof bench->source, "%s/liar.c", bench->folder);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    unlink(bench->program);
    unlink(bench->source);
    rmdir(bench->folder);
    fixtures_release(&bench->cases);
    exercise_free(bench->exercise);
    free(bench);
    return 0;
}

/* Compiles a liar and starts it. Without any layers: what is tested is attn. */
static struct runner *start(struct bench *bench, const char *body)
{
    struct runner_plan plan;
    struct runner *runner;
    struct error error;
    char command[256];
    FILE *file = fopen(bench->source, "w");
    assert_non_null(file);
    fprintf(file, liar_begin, sizeof(struct wire_setup), sizeof(struct wire_request));
    fprintf(file, "%s%s", body, liar_end);
    fclose(file);
    snprintf(command, sizeof command, "cc -w -static -o %s %s", bench->program, bench->source);
    assert_int_equal(system(command), 0); /* NOLINT: a name of our own */
    int program_fd = open(bench->program, O_RDONLY | O_CLOEXEC);
    assert_true(program_fd >= 0);
    runner_plan_init(&plan, &bench->limits, LAYER_RLIMITS, program_fd);
    runner_plan_fit(&plan, bench->cases.items[0]);
    if (!runner_start(&plan, bench->exercise, &runner, &error))
        fail_msg("%s", error.text);
    close(program_fd);
    return runner;
}

/* Asks a running liar for the first case. */
static struct runner_outcome call(struct bench *bench, struct runner *runner)
{
    struct runner_outcome outcome = {0};
    struct answer answer;
    struct error error;
    if (!answer_init(bench->cases.items[0], &answer, &error))
        fail_msg("%s", error.text);
    runner_call(runner, bench->cases.items[0], true, &answer, &outcome);
    answer_release(&answer);
    return outcome;
}

/* Asks a liar once, or as often as it answers. */
static struct runner_outcome ask(struct bench *bench, const char *body, unsigned n_times)
{
    struct runner *runner = start(bench, body);
    struct runner_outcome outcome;
    do
        outcome = call(bench, runner);
    while (outcome.alive && --n_times > 0);
    runner_stop(runner);
    return outcome;
}

#define assert_outcome(outcome, wanted, words)                                      \
    do {                                                                            \
        assert_string_equal(verdict_name((outcome).verdict), verdict_name(wanted)); \
        if (strncmp((outcome).detail, words, strlen(words)) != 0)                   \
            fail_msg("\"%s\" does not begin with \"%s\"", (outcome).detail, words); \
    } while (0)

static void answer_without_work_is_poisoned(void **state)
{
    struct runner_outcome outcome = ask(*state, "write(4, &r, sizeof r); sleep(5);", 1);
    assert_outcome(outcome, VERDICT_PASS, "");
    assert_true(outcome.alive);
    assert_true(outcome.poisoned);
}

static void wrong_nonce_ends_the_run(void **state)
{
    struct runner_outcome outcome = ask(*state, "r.nonce++; write(4, &r, sizeof r); sleep(5);", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "protocol");
    assert_false(outcome.alive);
}

static void unknown_kind_ends_the_run(void **state)
{
    struct runner_outcome outcome =
        ask(*state, "r.kind = 77; write(4, &r, sizeof r); sleep(5);", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "protocol");
}

static void half_a_reply_is_none(void **state)
{
    struct runner_outcome outcome = ask(*state, "write(4, &r, sizeof r / 2);", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "exit code 0");
}

static void reply_before_it_was_asked_ends_the_run(void **state)
{
    struct runner_outcome outcome =
        ask(*state, "write(4, &r, sizeof r); write(4, &r, sizeof r); sleep(5);", 2);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "protocol");
}

static void flood_of_garbage_ends_the_run(void **state)
{
    struct runner_outcome outcome =
        ask(*state, "for (;;) if (write(4, setup, sizeof setup) < 0) break;", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "protocol");
}

static void closed_channel_is_waited_for(void **state)
{
    struct runner_outcome outcome = ask(*state, "close(4); sleep(5);", 1);
    assert_outcome(outcome, VERDICT_TIME_LIMIT, "wall");
    outcome = ask(*state, "close(4);", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "exit code 0");
}

static void wild_tales_of_a_fault_do_no_harm(void **state)
{
    static const char *const tales[] = {
        "r.area = INT64_MAX; r.offset = INT64_MIN;",
        "r.area = INT64_MIN; r.offset = INT64_MAX;",
        "r.area = 1; r.offset = INT64_MIN;",
    };
    for (size_t i = 0; i < COUNT_OF(tales); i++) {
        char body[160];
        snprintf(body, sizeof body,
                 "r.kind = 2; r.access = ~0ull; %s write(4, &r, sizeof r); abort();", tales[i]);
        struct runner_outcome outcome = ask(*state, body, 1);
        assert_outcome(outcome, VERDICT_CRASH, "SIGABRT");
    }
}

static void flood_of_faults_ends_the_run(void **state)
{
    struct runner_outcome outcome =
        ask(*state, "r.kind = 2; for (;;) if (write(4, &r, sizeof r) < 0) break;", 1);
    assert_outcome(outcome, VERDICT_EXITED_EARLY, "protocol");
}

static void fault_that_was_told_and_survived_is_no_reply(void **state)
{
    struct runner_outcome outcome = ask(*state, "r.kind = 2; write(4, &r, sizeof r); sleep(5);", 1);
    assert_outcome(outcome, VERDICT_TIME_LIMIT, "wall");
}

/* It computes for half of a case's time, which is all that the run has, on a processor that it
 * shares with six others. */
static void time_that_others_take_is_not_counted(void **state)
{
#ifdef __linux__
    enum { N_OTHERS = 6 };
    struct bench *bench = *state;
    bench->limits.run.wall_ms = bench->limits.case_wall_ms;
    pid_t others[N_OTHERS];
    cpu_set_t before, one;
    size_t cpu = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (size_t i = 0; i < N_OTHERS; i++) {
        others[i] = fork();
        assert_true(others[i] >= 0);
        for (volatile unsigned n = 0; others[i] == 0; n++)
            continue;
    }
    struct runner_outcome outcome =
        ask(*state, "long clock(void); while (clock() < 150000) { } write(4, &r, sizeof r);", 1);
    for (size_t i = 0; i < N_OTHERS; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_outcome(outcome, VERDICT_PASS, "");
    outcome = ask(*state, "for (;;) { }", 1);
    bench->limits.run.wall_ms = limits_default.run.wall_ms;
    assert_outcome(outcome, VERDICT_TIME_LIMIT, "wall");
#else
    (void)state;
    skip();
#endif
}

/* It takes a megabyte every 2.5 ms, 200 of them: longer than a case has, and no endless loop. */
static void who_still_takes_memory_goes_on(void **state)
{
#ifdef __linux__
    struct runner_outcome outcome = ask(
        *state,
        "void *malloc(unsigned long); void *memset(void *, int, unsigned long);"
        " long clock(void); for (long n = 0; n < 200; n++) { memset(malloc(1 << 20), 1, 1 << 20);"
        " while (clock() < 2500 * n) { } } write(4, &r, sizeof r);",
        1);
    assert_outcome(outcome, VERDICT_PASS, "");
#else
    (void)state;
    skip();
#endif
}

/* The second call of a program that answers each request at once, and takes 40 ms of the processor
 * between them. */
static void work_between_the_calls_is_counted(void **state)
{
    struct runner *runner = start(*state, "for (;;) { write(4, &r, sizeof r);"
                                          "while (clock() < CLOCKS_PER_SEC / 25) {}"
                                          "if (read(3, request, sizeof request) < 1) return 0;"
                                          "r.nonce = request[0]; }");
    struct runner_outcome outcome = call(*state, runner);
    assert_true(outcome.alive);
    usleep(200000);
    outcome = call(*state, runner);
    runner_stop(runner);
    assert_true(outcome.alive);
    assert_in_range(outcome.spent_ns, 20000000, 1000000000);
}

/* A program that tells as its heap what is wished for. */
static void nothing_is_asked_for_without_a_call(void **state)
{
    struct runner *runner = start(*state, "for (;;) { r.heap = 40 + request[1];"
                                          "write(4, &r, sizeof r);"
                                          "if (read(3, request, sizeof request) < 1) return 0;"
                                          "r.nonce = request[0]; }");
    struct runner_outcome outcome = call(*state, runner);
    assert_true(outcome.alive);
    assert_int_equal(outcome.heap_bytes, 40 + WIRE_CALL);
    runner_call_nothing(runner, &outcome);
    assert_true(outcome.alive);
    assert_int_equal(outcome.heap_bytes, 40 + WIRE_NOTHING);
    runner_stop(runner);
}

static void prints_are_kept_and_bounded(void **state)
{
    struct runner_outcome outcome =
        ask(*state, "for (;;) if (write(1, setup, sizeof setup) < 0) break;", 1);
    assert_outcome(outcome, VERDICT_OUTPUT_LIMIT, "");
}

static void descriptors_are_given_back(void **state)
{
    ask(*state, "r.kind = 77; write(4, &r, sizeof r);", 1);
    int before = open("/dev/null", O_RDONLY);
    close(before);
    for (int i = 0; i < 5; i++)
        ask(*state, "write(4, &r, sizeof r);", 2);
    int after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(after, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answer_without_work_is_poisoned),
        cmocka_unit_test(wrong_nonce_ends_the_run),
        cmocka_unit_test(unknown_kind_ends_the_run),
        cmocka_unit_test(half_a_reply_is_none),
        cmocka_unit_test(reply_before_it_was_asked_ends_the_run),
        cmocka_unit_test(flood_of_garbage_ends_the_run),
        cmocka_unit_test(closed_channel_is_waited_for),
        cmocka_unit_test(wild_tales_of_a_fault_do_no_harm),
        cmocka_unit_test(flood_of_faults_ends_the_run),
        cmocka_unit_test(fault_that_was_told_and_survived_is_no_reply),
        cmocka_unit_test(time_that_others_take_is_not_counted),
        cmocka_unit_test(who_still_takes_memory_goes_on),
        cmocka_unit_test(work_between_the_calls_is_counted),
        cmocka_unit_test(nothing_is_asked_for_without_a_call),
        cmocka_unit_test(prints_are_kept_and_bounded),
        cmocka_unit_test(descriptors_are_given_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
