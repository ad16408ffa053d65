/* sandbox/box.h: limits are met exactly, and each is told from the others. */
#define _GNU_SOURCE
#include "box_testing.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Runs it; the number that it says, or -1. */
static long number_said(struct deed *deed)
{
    char *end;
    long number = strtol(deed_run(deed), &end, 10);
    return *end == '\n' ? number : -1;
}

static void test_box_limits__limits_are_what_was_asked_for(void **state)
{
    struct deed deed;
    (void)state;
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "limits", NULL);
    deed.plan.limits.data_bytes = 12 << 20;
    deed_run(&deed);
    assert_string_equal(deed.said, "as 536870912..536870912\n"
                                   "data 12582912..12582912\n"
                                   "stack 8388608..8388608\n"
                                   "fsize 0..0\n"
                                   "nofile 16..16\n"
                                   "nproc 2..2\n"
                                   "cpu 5..6\n"
                                   "core 0..0\n"
                                   "memlock 0..0\n"
                                   "msgqueue 0..0\n"
                                   "rtprio 0..0\n"
                                   "nice 0..0\n");
    deed_init(&deed, BOX_RUN, 0, "limits", NULL);
    deed_run(&deed);
    assert_null(strstr(deed.said, "fsize 0.."));
}

static void test_box_limits__descriptors_are_limited_exactly(void **state)
{
    (void)state;
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "dup", NULL, "16");
    assert_deed_says(BOX_RUN, 0, "dup", NULL, "1001");
}

/* The init and the program are two of them. */
static void test_box_limits__processes_are_limited_exactly(void **state)
{
    struct deed deed;
    (void)state;
    needs(LAYER_NAMESPACES);
    for (unsigned n = 3; n < 40; n += 18) {
        deed_init(&deed, BOX_SANITIZER, LAYER_NAMESPACES | LAYER_RLIMITS | (available & LAYER_UID),
                  "fork", NULL);
        deed.plan.limits.processes = n;
        assert_int_equal(number_said(&deed), n - 2);
    }
    assert_deed_says(BOX_SANITIZER, LAYER_NAMESPACES, "fork", NULL, "100");
}

/* Where a user has other processes too, a tool gets some, but not any number. */
static void test_box_limits__processes_are_limited_without_namespaces(void **state)
{
    struct deed deed;
    (void)state;
    deed_init(&deed, BOX_SANITIZER, LAYER_RLIMITS | LAYER_UID, "fork", NULL);
    deed.plan.limits.processes = 20;
    long n = number_said(&deed);
    assert_in_range(n, 1, 60);
}

static void test_box_limits__address_space_is_limited(void **state)
{
    struct deed deed;
    (void)state;
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "map", NULL);
    deed.plan.limits.address_space_bytes = 100 << 20;
    assert_in_range(number_said(&deed), 95, 99);
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP | LAYER_RLIMITS), "map", NULL, "4096");
}

/* What is shared with attn does not count. */
static void test_box_limits__data_is_limited(void **state)
{
    struct deed deed;
    int fd = memfd_create("shared", MFD_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_RUN, available, "allocate", NULL);
    deed.plan.limits.data_bytes = 1 << 20;
    /* A block of 1000 bytes takes 1008, and a part is the program's own. */
    assert_in_range(number_said(&deed), 700, 1040);
    assert_int_equal(ftruncate(fd, 32 << 20), 0);
    deed_init(&deed, BOX_RUN, available, "share", "0x2000000");
    deed.plan.limits.data_bytes = 1 << 20;
    deed.plan.fds[deed.plan.n_fds++] = fd;
    deed_run(&deed);
    assert_deed(&deed, deed.said, "ok");
    close(fd);
}

static void test_box_limits__stack_is_limited(void **state)
{
    (void)state;
    assert_deed_says(BOX_RUN, available, "stack", "6000", "ok");
    assert_deed_ends(BOX_RUN, available, "stack", "9000", "crash SIGSEGV");
}

static void test_box_limits__files_are_limited_exactly(void **state)
{
    struct deed deed;
    int fd = memfd_create("given", MFD_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_SANITIZER, available, "fill", NULL);
    deed.plan.limits.file_bytes = 4321;
    assert_int_equal(number_said(&deed), 4321);
    deed_init(&deed, BOX_RUN, available, "write", NULL);
    deed.plan.fds[deed.plan.n_fds++] = fd;
    deed_run(&deed);
    char verdict[128];
    assert_string_equal(deed_verdict(&deed, verdict), "output_limit");
    deed_init(&deed, BOX_RUN, all_but(LAYER_RLIMITS), "write", NULL);
    deed.plan.fds[deed.plan.n_fds++] = fd;
    assert_string_equal(deed_run(&deed), "ok\n");
    close(fd);
}

static void test_box_limits__cpu_time_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    deed_init(&deed, BOX_RUN, available, "spin", NULL);
    deed.plan.limits.cpu_s = 1;
    deed.plan.limits.wall_ms = 120000; /* a busy machine gives it a second when it can */
    deed_run(&deed);
    assert_string_equal(deed_verdict(&deed, verdict), "time_limit cpu");
    assert_in_range(deed.end.cpu_us, 500000, 2200000); /* its clock and the limit's differ */
}

static void test_box_limits__time_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    const unsigned variants[] = {available, all_but(LAYER_NAMESPACES | LAYER_ROOT), 0};
    const char *const numbers[] = {"", "19"}; /* to spin, or to stop itself */
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        deed_init(&deed, BOX_RUN, variants[i % 3], i < 3 ? "spin" : "raise", numbers[i / 3]);
        deed.plan.limits.wall_ms = 60;
        int64_t began_ms = now_ms();
        deed_run(&deed);
        assert_deed(&deed, deed_verdict(&deed, verdict), "time_limit wall");
        /* a busy machine ends it late, but long before the usual limit of two minutes */
        assert_in_range(now_ms() - began_ms, 60, 90000);
    }
}

/* Its own, however many others there are to share the processor with. */
static void test_box_limits__processor_time_is_told_while_it_runs(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_NAMESPACES | LAYER_ROOT), 0};
    (void)state;
#ifndef __linux__
    skip();
#endif
    for (size_t i = 0; i < 6; i++) {
        struct deed deed;
        struct box *box;
        struct error error;
        bool spins = i < 3;
        deed_init(&deed, BOX_RUN, variants[i % 3], spins ? "spin" : "raise", spins ? "" : "19");
        deed.plan.fds[1] = deed.plan.fds[2] = -1;
        if (!box_start(&deed.plan, &box, &error))
            fail_msg("%s", error.text);
        int64_t began_ms = now_ms();
        while (now_ms() - began_ms < (spins ? 20000 : 50) && box_processor_ns(box) < 30000000)
            poll(NULL, 0, 1);
        uint64_t spent_ns = box_processor_ns(box);
        int64_t passed_ms = now_ms() - began_ms;
        box_kill(box);
        box_collect(box, &deed.end);
        assert_in_range(spent_ns / 1000000, spins ? 30 : 0, spins ? passed_ms + 20 : 30);
    }
}

static void test_box_limits__memory_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    deed_init(&deed, BOX_RUN, available, "memory", "400");
    deed.plan.limits.address_space_bytes = 200 << 20;
    deed_run(&deed);
    assert_string_equal(deed_verdict(&deed, verdict), "memory_limit");
    assert_in_range(deed.end.max_rss_bytes, 160 << 20, 200 << 20);
    assert_deed_says(BOX_RUN, available, "memory", "100", "ok");
}

/* A group counts all that is in a box, in whatever namespace. */
static void test_box_limits__control_groups_limit_all_together(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    needs(LAYER_CGROUP);
    deed_init(&deed, BOX_SANITIZER, LAYER_CGROUP, "fork", NULL);
    deed.plan.limits.processes = 20;
    assert_in_range(number_said(&deed), 15, 20);
    deed_init(&deed, BOX_RUN, LAYER_CGROUP, "memory", "400");
    deed.plan.limits.memory_bytes = 100 << 20;
    deed_run(&deed);
    assert_string_equal(deed_verdict(&deed, verdict), "memory_limit");
    assert_true(deed.end.out_of_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_limits__limits_are_what_was_asked_for),
        cmocka_unit_test(test_box_limits__descriptors_are_limited_exactly),
        cmocka_unit_test(test_box_limits__processes_are_limited_exactly),
        cmocka_unit_test(test_box_limits__processes_are_limited_without_namespaces),
        cmocka_unit_test(test_box_limits__address_space_is_limited),
        cmocka_unit_test(test_box_limits__data_is_limited),
        cmocka_unit_test(test_box_limits__stack_is_limited),
        cmocka_unit_test(test_box_limits__files_are_limited_exactly),
        cmocka_unit_test(test_box_limits__cpu_time_is_limited),
        cmocka_unit_test(test_box_limits__time_is_limited),
        cmocka_unit_test(test_box_limits__processor_time_is_told_while_it_runs),
        cmocka_unit_test(test_box_limits__memory_is_limited),
        cmocka_unit_test(test_box_limits__control_groups_limit_all_together),
    };
    return run_as_all("box_limits", tests);
}
