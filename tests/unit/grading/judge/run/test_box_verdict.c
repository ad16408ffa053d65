/* judge/run/box_verdict.h: what each end of a box says, and what comes first where two things are
 * true. */
#include "testing.h"

#include <signal.h>
#include <string.h>

#include "judge/run/runner_internal.h"

static const struct box_limits limits = {.cpu_s = 5, .address_space_bytes = 100 << 20};

static void assert_verdict(const struct box_end *end, enum verdict wanted,
                           const char *wanted_detail)
{
    char detail[64];
    enum verdict verdict = box_verdict(end, &limits, detail, sizeof detail);
    assert_string_equal(verdict_name(verdict), verdict_name(wanted));
    assert_string_equal(detail, wanted_detail);
}

static void test_box_verdict__failures_are_internal(void **state)
{
    struct box_end end = {.how = BOX_FAILED, .failure = "mounts: no", .signal = SIGSEGV};
    (void)state;
    assert_verdict(&end, VERDICT_INTERNAL_ERROR, "mounts: no");
    end.out_of_memory = true;
    assert_verdict(&end, VERDICT_INTERNAL_ERROR, "mounts: no");
}

static void test_box_verdict__time_runs_out(void **state)
{
    (void)state;
    assert_verdict(&(struct box_end){.how = BOX_KILLED}, VERDICT_TIME_LIMIT, "wall");
    assert_verdict(&(struct box_end){.how = BOX_SIGNALLED, .signal = SIGXCPU}, VERDICT_TIME_LIMIT,
                   "cpu");
    assert_verdict(&(struct box_end){.how = BOX_SIGNALLED, .signal = SIGKILL, .cpu_us = 6000000},
                   VERDICT_TIME_LIMIT, "cpu");
}

static void test_box_verdict__a_kill_of_its_own_is_a_crash(void **state)
{
    (void)state;
    assert_verdict(&(struct box_end){.how = BOX_SIGNALLED, .signal = SIGKILL, .cpu_us = 900000},
                   VERDICT_CRASH, "SIGKILL");
}

static void test_box_verdict__too_much_written(void **state)
{
    (void)state;
    assert_verdict(&(struct box_end){.how = BOX_SIGNALLED, .signal = SIGXFSZ}, VERDICT_OUTPUT_LIMIT,
                   "");
}

static void test_box_verdict__forbidden_calls_have_names(void **state)
{
    (void)state;
    assert_verdict(&(struct box_end){.how = BOX_FORBIDDEN, .call = "socket"},
                   VERDICT_FORBIDDEN_SYSCALL, "socket");
    assert_verdict(&(struct box_end){.how = BOX_FORBIDDEN, .max_rss_bytes = 99 << 20},
                   VERDICT_FORBIDDEN_SYSCALL, "");
}

static void test_box_verdict__memory_runs_out(void **state)
{
    (void)state;
    assert_verdict(
        &(struct box_end){.how = BOX_SIGNALLED, .signal = SIGKILL, .out_of_memory = true},
        VERDICT_MEMORY_LIMIT, "");
    assert_verdict(
        &(struct box_end){.how = BOX_SIGNALLED, .signal = SIGSEGV, .max_rss_bytes = 80 << 20},
        VERDICT_MEMORY_LIMIT, "");
    assert_verdict(
        &(struct box_end){.how = BOX_SIGNALLED, .signal = SIGSEGV, .max_rss_bytes = 79 << 20},
        VERDICT_CRASH, "SIGSEGV");
    /* It left by itself, with much memory in use. */
    assert_verdict(&(struct box_end){.how = BOX_EXITED, .max_rss_bytes = 99 << 20},
                   VERDICT_EXITED_EARLY, "exit code 0");
}

static void test_box_verdict__without_limits_none_is_met(void **state)
{
    char detail[64];
    struct box_end end = {
        .how = BOX_SIGNALLED, .signal = SIGKILL, .cpu_us = 1u << 30, .max_rss_bytes = 1u << 30};
    (void)state;
    assert_int_equal(box_verdict(&end, &(struct box_limits){.cpu_s = 0}, detail, sizeof detail),
                     VERDICT_CRASH);
}

static void test_box_verdict__exit_codes_are_no_answers(void **state)
{
    (void)state;
    assert_verdict(&(struct box_end){.how = BOX_EXITED}, VERDICT_EXITED_EARLY, "exit code 0");
    assert_verdict(&(struct box_end){.how = BOX_EXITED, .code = 137}, VERDICT_EXITED_EARLY,
                   "exit code 137");
}

static void test_box_verdict__details_are_cut(void **state)
{
    char detail[8];
    struct box_end end = {.how = BOX_FAILED, .failure = "a long story"};
    (void)state;
    box_verdict(&end, &limits, detail, sizeof detail);
    assert_string_equal(detail, "a long ");
}

static void test_box_verdict__signals_have_names(void **state)
{
    char name[24];
    (void)state;
    assert_string_equal(signal_name(SIGFPE, name), "SIGFPE");
    assert_string_equal(signal_name(42, name), "signal 42");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_verdict__failures_are_internal),
        cmocka_unit_test(test_box_verdict__time_runs_out),
        cmocka_unit_test(test_box_verdict__a_kill_of_its_own_is_a_crash),
        cmocka_unit_test(test_box_verdict__too_much_written),
        cmocka_unit_test(test_box_verdict__forbidden_calls_have_names),
        cmocka_unit_test(test_box_verdict__memory_runs_out),
        cmocka_unit_test(test_box_verdict__without_limits_none_is_met),
        cmocka_unit_test(test_box_verdict__exit_codes_are_no_answers),
        cmocka_unit_test(test_box_verdict__details_are_cut),
        cmocka_unit_test(test_box_verdict__signals_have_names),
    };
    return cmocka_run_group_tests_name("box_verdict", tests, NULL, NULL);
}
