/* sandbox/box.h: every layer alone, denied with it and allowed without it; and the filter of system
 * calls, tried with arguments that can't be right, so that a call that gets through does nothing.
 */
#define _GNU_SOURCE
#include "box_testing.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/filter_internal.h"

static bool was_root(void)
{
    return geteuid() == 0;
}

/* ---- each layer alone ---- */

static void test_box_layers__a_root_of_its_own_hides_all_files(void **state)
{
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT);
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/etc/passwd", "ENOENT");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/proc/self/mem", "ENOENT");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "make", "/new", "EROFS");
}

static void test_box_layers__landlock_denies_all_files(void **state)
{
    (void)state;
    needs(LAYER_LANDLOCK);
    assert_deed_says(BOX_RUN, 0, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_RUN, LAYER_LANDLOCK, "open", "/etc/passwd", "EACCES");
    assert_deed_says(BOX_RUN, LAYER_LANDLOCK, "open", "/", "EACCES");
}

static void test_box_layers__tools_see_the_system_and_no_more(void **state)
{
    const unsigned root = LAYER_NAMESPACES | LAYER_ROOT;
    (void)state;
    needs(root | LAYER_LANDLOCK);
    assert_deed_says(BOX_SANITIZER, 0, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_SANITIZER, root, "open", "/etc/passwd", "ENOENT");
    assert_deed_says(BOX_SANITIZER, LAYER_LANDLOCK, "open", "/etc/passwd", "EACCES");
    assert_deed_says(BOX_SANITIZER, available, "open", "/usr/bin", "ok");
    assert_deed_says(BOX_SANITIZER, available, "open", "/proc/self/maps", "ok");
    /* Of the init, which is a copy of attn, nothing: Linux hides it since 5.8. */
    assert_deed_says(BOX_SANITIZER, available, "open", "/proc/1/mem", "ENOENT");
    assert_deed_says(BOX_SANITIZER, available, "open", "/proc/1/cmdline", "ENOENT");
    assert_deed_says(BOX_SANITIZER, available, "open", "/proc/1/mountinfo", "ENOENT");
    assert_deed_says(BOX_SANITIZER, root, "make", "/usr/bin/new", "EROFS");
    assert_deed_says(BOX_SANITIZER, root, "make", "/new", "EROFS");
    assert_deed_says(BOX_SANITIZER, available, "make", "new", "ok");
    assert_deed_says(BOX_SANITIZER, available, "write", NULL, "EBADF");
}

static void test_box_layers__namespaces_hide_other_processes(void **state)
{
    char parent[24];
    (void)state;
    needs(LAYER_NAMESPACES);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    assert_deed_says(BOX_RUN, 0, "kill", parent, "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "kill", parent, "ESRCH");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "identity", NULL,
                     "pid 2 parent 1 uid 65534 gid 65534 root 0");
}

static void test_box_layers__namespaces_have_no_network(void **state)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char port[24];
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)state;
    needs(LAYER_NAMESPACES);
    assert_int_equal(bind(server, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server, 8), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&address, &size), 0);
    snprintf(port, sizeof port, "%u", ntohs(address.sin_port));
    assert_deed_says(BOX_RUN, 0, "connect", port, "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "connect", port, "ENETUNREACH");
    assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, "connect", port, "EPERM");
    close(server);
}

static void test_box_layers__root_becomes_an_ordinary_user(void **state)
{
    (void)state;
    if (!was_root()) {
        print_message("skipped: not started as root\n");
        skip();
    }
    assert_deed_says(BOX_RUN, 0, "open", "/etc/shadow", "ok");
    assert_deed_says(BOX_RUN, LAYER_UID, "open", "/etc/shadow", "EACCES");
    needs(LAYER_NAMESPACES);
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "open", "/etc/shadow", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_UID, "open", "/etc/shadow", "EACCES");
}

static void test_box_layers__no_program_has_privileges(void **state)
{
    (void)state;
    /* 2: it can't get new ones; 1 more: some are left that a program with rights could take. */
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "capabilities", NULL, "2");
    assert_deed_says(BOX_SANITIZER, available, "capabilities", NULL, "2");
    if (was_root())
        assert_deed_says(BOX_RUN, 0, "capabilities", NULL, "2");
}

/* ---- the filter of system calls ---- */

/* Each is carried out where there is no filter, and says so by an error of its own. */
static const struct {
    const char *name;
    long number;
} denied_calls[] = {
    {"openat", SYS_openat},
    {"openat2", SYS_openat2},
    {"socket", SYS_socket},
    {"connect", SYS_connect},
    {"kill", SYS_kill},
    {"tkill", SYS_tkill},
    {"ptrace", SYS_ptrace},
    {"execve", SYS_execve},
    {"clone3", SYS_clone3},
    {"prctl", SYS_prctl},
    {"dup", SYS_dup},
    {"dup3", SYS_dup3},
    {"pipe2", SYS_pipe2},
    {"fcntl", SYS_fcntl},
    {"memfd_create", SYS_memfd_create},
    {"mkdirat", SYS_mkdirat},
    {"unlinkat", SYS_unlinkat},
    {"mount", SYS_mount},
    {"unshare", SYS_unshare},
    {"chdir", SYS_chdir},
    {"wait4", SYS_wait4},
    {"setitimer", SYS_setitimer},
    {"shmget", SYS_shmget},
    {"io_uring_setup", SYS_io_uring_setup},
    /* These end it without a name. */
    {"", SYS_ioctl + 100000},
    {"", SYS_bpf},
    {"", SYS_keyctl},
    {"", SYS_userfaultfd},
    {"", SYS_perf_event_open},
    {"", SYS_process_vm_writev},
    {"", SYS_pidfd_open},
    {"", SYS_seccomp},
    {"", SYS_execveat},
    {"", SYS_mmap},
    {"", SYS_prlimit64},
    {"", SYS_ftruncate},
    {"", SYS_sched_getaffinity},
    {"", SYS_setns},
    {"", SYS_pivot_root},
    {"", SYS_sendmsg},
    {"", SYS_landlock_create_ruleset},
};

static void test_box_layers__forbidden_calls_end_a_run(void **state)
{
    (void)state;
    needs(LAYER_SECCOMP);
    for (size_t i = 0; i < COUNT_OF(denied_calls); i++) {
        char number[24], wanted[64];
        snprintf(number, sizeof number, "%ld", denied_calls[i].number);
        snprintf(wanted, sizeof wanted, "forbidden_syscall %s", denied_calls[i].name);
        if (denied_calls[i].name[0] == '\0')
            wanted[strlen("forbidden_syscall")] = '\0';
        assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "call", number, "E");
        assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "call", number, wanted);
    }
    assert_deed_ends(BOX_RUN, available, "fork", NULL, "forbidden_syscall fork");
    assert_deed_ends(BOX_RUN, available, "connect", "80", "forbidden_syscall socket");
}

#ifdef __x86_64__
/* Has this kernel the calls of 32-bit programs? Without them a program that tries one is ended. */
static bool has_32_bit_calls(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        long result;
        signal(SIGSEGV, SIG_DFL);
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory"); /* getpid() there */
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
}
#endif

static void test_box_layers__other_ways_to_call_end_a_run(void **state)
{
    (void)state;
    needs(LAYER_SECCOMP);
#ifdef __x86_64__
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "x32", NULL, "ENOSYS");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "x32", NULL, "forbidden_syscall");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "int80", NULL,
                     has_32_bit_calls() ? "forbidden_syscall" : "crash SIGSEGV");
    assert_deed_ends(BOX_SANITIZER, LAYER_SECCOMP, "x32", NULL, "forbidden_syscall");
#endif
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "executable", NULL, "ok");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "executable", NULL, "forbidden_syscall");
}

static void test_box_layers__tools_go_on_after_a_denied_call(void **state)
{
    static const struct {
        long number;
        const char *error;
    } calls[] = {
        {SYS_socket, "EPERM"},
        {SYS_ptrace, "EPERM"},
        {SYS_mount, "EPERM"},
        {SYS_keyctl, "EPERM"},
        {SYS_bpf, "EPERM"},
        {SYS_perf_event_open, "EPERM"},
        {SYS_process_vm_readv, "EPERM"},
        {SYS_kexec_load, "EPERM"},
        {SYS_init_module, "EPERM"},
        {SYS_unshare, "EPERM"},
        {SYS_setns, "EPERM"},
        {SYS_clone, "EPERM"},
        {SYS_clone3, "ENOSYS"},
        {SYS_io_uring_setup, "ENOSYS"},
        {SYS_userfaultfd, "ENOSYS"},
        {SYS_pidfd_getfd, "EPERM"},
        {SYS_open_tree, "EPERM"},
        {SYS_add_key, "EPERM"},
    };
    (void)state;
    needs(LAYER_SECCOMP);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        char number[24];
        snprintf(number, sizeof number, "%ld", calls[i].number);
        assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, "call", number, calls[i].error);
    }
    assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, "tiocsti", NULL, "EPERM");
    assert_deed_says(BOX_SANITIZER, 0, "tiocsti", NULL, "ENOTTY");
    assert_deed_says(BOX_SANITIZER, available & LAYER_LANDLOCK, "unshare", NULL, "ok");
    assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, "unshare", NULL, "EPERM");
}

/* Where all processes can be seen, the filter alone keeps a program from those of its own user. */
static void test_box_layers__without_namespaces_others_get_no_signals(void **state)
{
    char parent[24];
    (void)state;
    needs(LAYER_SECCOMP);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    assert_deed_says(BOX_RUN, 0, "tgkill", parent, "ok");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "tgkill", parent, "forbidden_syscall");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "raise", "10", "crash SIGUSR1");
    const char *const ways[] = {"kill", "tgkill", "prlimit"};
    for (size_t i = 0; i < 3; i++) {
        assert_deed_says(BOX_SANITIZER, 0, ways[i], parent, "ok");
        assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, ways[i], parent, "EPERM");
    }
    assert_deed_ends(BOX_SANITIZER, LAYER_SECCOMP, "raise", "10", "crash SIGUSR1");
}

/* So that what limits the memory of one process limits all of the box. */
static void test_box_layers__under_sanitizers_there_is_one_process(void **state)
{
    (void)state;
    needs(LAYER_SECCOMP);
    assert_deed_says(BOX_SANITIZER, 0, "fork", NULL, "1");
    assert_deed_says(BOX_SANITIZER, LAYER_SECCOMP, "fork", NULL, "0");
}

/* The filter that allows everything, with a listener. */
static bool take_the_only_listener(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct filter filter = {.code = &allow, .n_bytes = sizeof allow, .notifies = true};
    int listener;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           filter_install(&filter, &listener) == NULL && listener >= 0;
}

static bool ends_as(const char *name, const char *argument, const char *wanted)
{
    struct deed deed;
    char verdict[128];
    deed_init(&deed, BOX_RUN, LAYER_SECCOMP, name, argument);
    deed_run(&deed);
    return strcmp(deed_verdict(&deed, verdict), wanted) == 0;
}

/* Some sandboxes listen to calls themselves, and only one can. */
static void test_box_layers__without_a_listener_calls_stay_forbidden(void **state)
{
    int status;
    (void)state;
    needs(LAYER_SECCOMP);
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = take_the_only_listener() && ends_as("connect", "80", "forbidden_syscall") &&
                  ends_as("exit", "3", "exited_early exit code 3");
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_layers__a_root_of_its_own_hides_all_files),
        cmocka_unit_test(test_box_layers__landlock_denies_all_files),
        cmocka_unit_test(test_box_layers__tools_see_the_system_and_no_more),
        cmocka_unit_test(test_box_layers__namespaces_hide_other_processes),
        cmocka_unit_test(test_box_layers__namespaces_have_no_network),
        cmocka_unit_test(test_box_layers__root_becomes_an_ordinary_user),
        cmocka_unit_test(test_box_layers__no_program_has_privileges),
        cmocka_unit_test(test_box_layers__forbidden_calls_end_a_run),
        cmocka_unit_test(test_box_layers__other_ways_to_call_end_a_run),
        cmocka_unit_test(test_box_layers__tools_go_on_after_a_denied_call),
        cmocka_unit_test(test_box_layers__without_namespaces_others_get_no_signals),
        cmocka_unit_test(test_box_layers__under_sanitizers_there_is_one_process),
        cmocka_unit_test(test_box_layers__without_a_listener_calls_stay_forbidden),
    };
    return run_as_all("box_walls", tests);
}
